-- Version 4: what the jobs of a run took, in seconds on all cores together. NULL: not known.
ALTER TABLE runs ADD COLUMN core_seconds REAL;
