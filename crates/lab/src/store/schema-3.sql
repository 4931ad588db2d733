-- Version 3: who took part in a generation, with points and weights, for generations whose state is kept.
CREATE TABLE populations (
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    trial INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    individuals BLOB NOT NULL,
    PRIMARY KEY (run, trial, generation)
) STRICT, WITHOUT ROWID;
