-- Version 1.
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    kind TEXT NOT NULL,
    game TEXT NOT NULL,
    rules TEXT NOT NULL,
    -- The name of the experiment's file, its text and the hash of that.
    file TEXT NOT NULL,
    experiment TEXT NOT NULL,
    hash TEXT NOT NULL,
    program TEXT NOT NULL,
    created TEXT NOT NULL,
    -- 'running' or 'finished'; a run that was broken off stays 'running'.
    status TEXT NOT NULL,
    seconds REAL NOT NULL DEFAULT 0,
    fingerprint TEXT,
    -- Where a fork comes from: run and generation.
    parent INTEGER,
    parent_generation INTEGER
) STRICT;

-- Files by the hash of their content, and what each run calls them.
CREATE TABLE files (reference TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE run_files (
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    reference TEXT NOT NULL REFERENCES files (reference),
    name TEXT NOT NULL,
    PRIMARY KEY (run, reference, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE trials (
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    setting TEXT NOT NULL,
    replicate INTEGER NOT NULL,
    seed TEXT NOT NULL,
    -- Generations committed, and how far that is.
    generation INTEGER NOT NULL DEFAULT 0,
    steps INTEGER NOT NULL DEFAULT 0,
    total INTEGER NOT NULL DEFAULT 0,
    games INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0,
    state BLOB,
    digest TEXT,
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

-- States to fork from.
CREATE TABLE generations (
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    trial INTEGER NOT NULL,
    number INTEGER NOT NULL,
    steps INTEGER NOT NULL,
    games INTEGER NOT NULL,
    state BLOB NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (run, trial, number)
) STRICT, WITHOUT ROWID;

-- Figures of a generation, or of the whole trial (generation -1).
CREATE TABLE measurements (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    trial INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    name TEXT NOT NULL,
    of TEXT NOT NULL,
    value REAL NOT NULL,
    error REAL,
    count INTEGER NOT NULL,
    repeats INTEGER NOT NULL
) STRICT;
CREATE INDEX measurements_by_run ON measurements (run, generation, trial);

-- Some games of a meeting, with what a search needs to skip them as a whole.
CREATE TABLE batches (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    trial INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    meeting INTEGER NOT NULL,
    name_a TEXT NOT NULL,
    name_b TEXT NOT NULL,
    player_a TEXT NOT NULL,
    player_b TEXT NOT NULL,
    limit_a TEXT NOT NULL,
    limit_b TEXT NOT NULL,
    seed TEXT NOT NULL,
    first_game INTEGER NOT NULL,
    -- Results of A.
    wins INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    losses INTEGER NOT NULL,
    -- Games with their moves; 0 if they were not kept.
    kept INTEGER NOT NULL,
    -- Bit r is set if a game ended for reason r.
    reasons INTEGER NOT NULL,
    shortest INTEGER NOT NULL,
    longest INTEGER NOT NULL
) STRICT;
CREATE INDEX batches_by_run ON batches (run, trial, meeting, first_game);

-- Game n of a meeting: A opens if n is even. Outcome 2: who opened won, 1: draw, 0: lost. One byte a move.
CREATE TABLE games (
    batch INTEGER NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    outcome INTEGER NOT NULL,
    reason INTEGER NOT NULL,
    opening INTEGER NOT NULL,
    moves BLOB NOT NULL,
    PRIMARY KEY (batch, number)
) STRICT, WITHOUT ROWID;

-- Draws are rare in most games, and what people look for.
CREATE INDEX games_drawn ON games (batch, number) WHERE outcome = 1;

CREATE TABLE decisions (
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    trial INTEGER NOT NULL,
    of TEXT NOT NULL,
    position INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    move TEXT NOT NULL,
    score INTEGER,
    depth INTEGER NOT NULL,
    nodes INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (run, trial, of, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE warnings (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    trial INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX warnings_by_run ON warnings (run);
