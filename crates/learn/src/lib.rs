//! Learners as state machines: they ask for games and learn from the results. They never play one themselves.
