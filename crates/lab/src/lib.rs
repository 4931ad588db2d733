//! The laboratory: everything that plays many games goes through here.
//!
//! An experiment becomes trials, a trial is a study, a study asks for jobs, an executor does them, the study learns from the
//! results, the store keeps them, people look at them.

pub mod blobs;
pub mod contest;
pub mod cost;
pub mod drawing;
pub mod engine;
pub mod executor;
pub mod experiment;
pub mod export;
pub mod extend;
pub mod import;
pub mod jobs;
pub mod learning;
pub mod limits;
pub mod match_scores;
pub mod opening_sets;
pub mod openings;
pub mod perft;
pub mod players;
pub mod positions;
pub mod registry;
pub mod report;
pub mod run;
pub mod shipped;
pub mod statistics;
pub mod store;
pub mod studies;
pub mod thinking;
pub mod verify;
pub mod weights;
