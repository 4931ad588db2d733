//! Offline learning: positions are sampled once and given values, then any number of networks is trained on them.
//!
//! From plogann (AFIT, 2010), chapter 1 and appendix C: a *hash client* keeps every position that it visits in a table, with a
//! value that comes back from the ends of games ([`ValueTable`]). The table becomes [`Samples`], on which networks of many
//! structures are trained by back-propagation with falling rates ([`Training`]) and compared by their mean squared error.

mod samples;
mod stages;
mod table;

pub use samples::{Part, Samples};
pub use stages::{Stage, Training, cycles_in_all, train};
pub use table::{Backup, Entry, ValueTable};
