//! What people see of runs: reports and exports.

mod export;
mod played;
mod report;
mod study;
