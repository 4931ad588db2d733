-- Version 2: what kinds of games a batch holds, so that a search opens none for nothing. NULL: not known, look inside.
ALTER TABLE batches ADD COLUMN kinds BLOB;
