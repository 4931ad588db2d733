//! The workers that a coordinator has heard of.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use crate::identity::Identity;
use crate::signs::WorkerSign;

/// A run says that nobody is there after so long.
const ALONE: Duration = Duration::from_secs(3);

/// Workers by identity, with the moment of their last sign by our own clock.
pub(super) struct Staff {
    identity: Identity,
    compatibility: String,
    patience: Duration,
    workers: HashMap<String, (WorkerSign, Instant)>,
    /// Programs that do not fit, already spoken of.
    strangers: HashSet<String>,
    alone_since: Option<Instant>,
    told: bool,
}

impl Staff {
    pub fn new(identity: Identity, patience: Duration) -> Staff {
        let compatibility = identity.compatibility();
        let alone_since = Some(Instant::now());
        Staff {
            identity,
            compatibility,
            patience,
            workers: HashMap::new(),
            strangers: HashSet::new(),
            alone_since,
            told: false,
        }
    }

    /// Takes a sign in. Returns what people should know.
    pub fn heard(&mut self, sign: WorkerSign) -> Option<String> {
        if sign.compatibility != self.compatibility {
            let first = self.strangers.insert(sign.id.clone());
            return first.then(|| {
                let why = self.identity.difference(&sign.program, &sign.signature);
                format!("worker {} cannot work for this run: {why}", sign.name)
            });
        }
        match sign.leaving {
            true => self.workers.remove(&sign.id),
            false => self.workers.insert(sign.id.clone(), (sign, Instant::now())),
        };
        None
    }

    /// Forgets who is silent. Returns what people should know.
    pub fn look(&mut self, over: bool) -> Option<String> {
        let patience = self.patience.max(Duration::from_secs(3));
        self.workers.retain(|_, (_, heard)| heard.elapsed() < patience);
        if !self.workers.is_empty() {
            self.alone_since = None;
            self.told = false;
            return None;
        }
        let since = *self.alone_since.get_or_insert_with(Instant::now);
        if over || self.told || since.elapsed() < ALONE {
            return None;
        }
        self.told = true;
        Some("no worker is there, the run waits: start some with lanista worker --nats URL".to_string())
    }

    /// Threads that work for us.
    pub fn threads(&self, quarantined: &HashSet<String>) -> usize {
        let trusted = self.workers.values().filter(|(sign, _)| !quarantined.contains(&sign.id));
        // A worker counts for what it claims, within reason.
        trusted.map(|(sign, _)| sign.threads.min(1024)).sum()
    }

    /// Whether somebody else is there who could do a worker's jobs again.
    pub fn others(&self, worker: &str, quarantined: &HashSet<String>) -> bool {
        self.workers.keys().any(|other| other != worker && !quarantined.contains(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn staff() -> Staff {
        Staff::new(Identity { program: "lanista 1".into(), signature: "a".into() }, Duration::from_secs(10))
    }

    fn sign(staff: &Staff, id: &str) -> WorkerSign {
        let compatibility = staff.compatibility.clone();
        WorkerSign { id: id.into(), name: id.into(), threads: 4, compatibility, ..WorkerSign::default() }
    }

    #[test]
    fn threads_are_those_of_workers_that_fit_and_are_trusted() {
        let mut staff = staff();
        for id in ["anna", "berta"] {
            assert_eq!(staff.heard(sign(&staff, id)), None);
        }
        let quarantined = HashSet::from(["berta".to_string()]);
        assert_eq!((staff.threads(&HashSet::new()), staff.threads(&quarantined)), (8, 4));
        assert!(staff.others("anna", &HashSet::new()) && !staff.others("anna", &quarantined));
        staff.heard(WorkerSign { leaving: true, ..sign(&staff, "anna") });
        assert_eq!(staff.threads(&HashSet::new()), 4);
    }

    #[test]
    fn a_program_that_does_not_fit_is_named_once() {
        let mut staff = staff();
        let stranger =
            || WorkerSign { id: "x".into(), name: "old".into(), program: "lanista 0".into(), ..Default::default() };
        let text = staff.heard(stranger()).expect("a word");
        assert!(text.contains("worker old cannot work for this run: it is lanista 0, this is lanista 1"), "{text}");
        assert_eq!(staff.heard(stranger()), None);
        assert_eq!(staff.threads(&HashSet::new()), 0);
    }
}
