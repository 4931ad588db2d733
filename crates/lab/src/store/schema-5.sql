-- Version 5: a trial that stands at a kept generation has its state there, and not a second time.
UPDATE trials SET state = NULL WHERE state = (
    SELECT state FROM generations
    WHERE generations.run = trials.run AND generations.trial = trials.number AND generations.number = trials.generation
);
