//! Learners on toy games: schedules, saved states, and whether they find what there is to find.

mod asynchronous;
mod finding;
mod saving;
mod schedules;
mod toy;
