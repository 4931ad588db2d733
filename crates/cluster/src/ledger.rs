//! What is to be done, what is out, what came back: the book-keeping of a coordinator, without any network.
//!
//! Whatever happens on the way, every ticket is answered exactly once: late, repeated and foreign answers are for nothing.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use lanista_lab::jobs::{Job, JobResult};

use crate::bundling::Bundling;
use crate::wire::{Answer, Failure};

/// A job that fails so often is given up.
const ATTEMPTS: usize = 3;

/// A job with its ticket.
pub(crate) type Ticketed = (u64, Arc<Job>);

/// A job that is not done.
struct Entry {
    job: Arc<Job>,
    /// Why it failed, and at which worker.
    failures: Vec<String>,
    /// The bundle that it went out with last.
    bundle: Option<u64>,
}

/// What an answer comes to.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// A result that is the first for its ticket.
    Done {
        /// The ticket.
        ticket: u64,
        /// The job.
        job: Arc<Job>,
        /// What it gave.
        result: JobResult,
        /// How long it took.
        seconds: f64,
    },
    /// A job that failed too often.
    Poison {
        /// The ticket.
        ticket: u64,
        /// The job.
        job: Arc<Job>,
        /// All that is known of its failures.
        reason: String,
    },
    /// A file has to be put into the object store again.
    MissingFile(String),
}

/// The book of a run.
#[derive(Default)]
pub(crate) struct Ledger {
    entries: HashMap<u64, Entry>,
    waiting: VecDeque<u64>,
    bundles: HashMap<u64, Vec<u64>>,
    next_bundle: u64,
    /// What is known of the length of jobs and of the way.
    pub bundling: Bundling,
    /// Results since it began.
    pub done: u64,
    /// Answers that were for nothing.
    pub repeated: u64,
}

impl Ledger {
    /// Takes a job in.
    pub fn submit(&mut self, ticket: u64, job: Arc<Job>) {
        self.entries.insert(ticket, Entry { job, failures: Vec::new(), bundle: None });
        self.waiting.push_back(ticket);
    }

    /// The jobs of the next bundle and its number, unless so many bundles are out that nobody needs more.
    pub fn next_bundle(&mut self, threads: usize, most_out: usize) -> Option<(u64, Vec<Ticketed>)> {
        if self.bundles.len() >= most_out || self.waiting.is_empty() {
            return None;
        }
        let size = self.bundling.size(self.waiting.len(), threads);
        let number = self.next_bundle;
        let mut jobs: Vec<Ticketed> = Vec::with_capacity(size);
        while jobs.len() < size
            && let Some(&ticket) = self.waiting.front()
        {
            let Some(entry) = self.entries.get_mut(&ticket) else {
                self.waiting.pop_front();
                continue;
            };
            // What has failed travels alone: it must not take others with it.
            if !entry.failures.is_empty() && !jobs.is_empty() {
                break;
            }
            self.waiting.pop_front();
            entry.bundle = Some(number);
            jobs.push((ticket, Arc::clone(&entry.job)));
            if !entry.failures.is_empty() {
                break;
            }
        }
        if jobs.is_empty() {
            return None;
        }
        self.next_bundle += 1;
        self.bundles.insert(number, jobs.iter().map(|(ticket, _)| *ticket).collect());
        Some((number, jobs))
    }

    /// Takes an answer in.
    pub fn answered(&mut self, answer: Answer) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        let asked = self.bundles.remove(&answer.bundle).unwrap_or_default();
        for part in answer.jobs {
            let Some(entry) = self.entries.get_mut(&part.ticket) else {
                self.repeated += 1;
                continue;
            };
            match part.result {
                Ok(result) => {
                    let job = Arc::clone(&entry.job);
                    self.entries.remove(&part.ticket);
                    self.bundling.took(part.seconds.max(0.0));
                    self.done += 1;
                    outcomes.push(Outcome::Done { ticket: part.ticket, job, result, seconds: part.seconds });
                }
                // A failure of an older attempt tells nothing new.
                Err(_) if entry.bundle != Some(answer.bundle) => self.repeated += 1,
                Err(failure) => {
                    entry.bundle = None;
                    entry.failures.push(format!("{}: {failure}", answer.name));
                    if let Failure::MissingFile(reference) = failure {
                        outcomes.push(Outcome::MissingFile(reference));
                    }
                    if entry.failures.len() < ATTEMPTS {
                        self.waiting.push_front(part.ticket);
                        continue;
                    }
                    let (job, reason) = (Arc::clone(&entry.job), entry.failures.join("; "));
                    self.entries.remove(&part.ticket);
                    outcomes.push(Outcome::Poison { ticket: part.ticket, job, reason });
                }
            }
        }
        // What the worker left out goes out again.
        for ticket in asked {
            if self.entries.get(&ticket).is_some_and(|entry| entry.bundle == Some(answer.bundle)) {
                self.send_again(ticket);
            }
        }
        outcomes
    }

    fn send_again(&mut self, ticket: u64) {
        if let Some(entry) = self.entries.get_mut(&ticket) {
            entry.bundle = None;
            self.waiting.push_front(ticket);
        }
    }

    /// Everything that is out is taken for lost and goes out again. Returns how many jobs.
    pub fn send_all_again(&mut self) -> usize {
        self.bundles.clear();
        let mut out: Vec<u64> = self.entries.iter().filter(|(_, e)| e.bundle.is_some()).map(|(&t, _)| t).collect();
        out.sort_unstable_by(|a, b| b.cmp(a));
        out.iter().for_each(|&ticket| self.send_again(ticket));
        out.len()
    }

    /// Jobs that wait.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Jobs that are out.
    pub fn out(&self) -> usize {
        self.entries.len().saturating_sub(self.waiting.len())
    }

    /// A ticket that is not answered yet, if there is one.
    pub fn open_ticket(&self) -> Option<u64> {
        self.entries.keys().min().copied()
    }
}

#[cfg(test)]
mod tests {
    use lanista_core::Seed;
    use lanista_lab::jobs::{Decisions, Work};
    use lanista_lab::limits::Limit;

    use super::*;
    use crate::wire::JobAnswer;

    fn job() -> Arc<Job> {
        let (player, limit, positions) = ("random".to_string(), Limit::default(), vec![Vec::new()]);
        let work = Decisions { player, limit, judge: None, positions, first: 0, seed: Seed::new(1) };
        Arc::new(Job::new("loa5", "", Work::Decisions(work)))
    }

    fn book(jobs: u64) -> Ledger {
        let mut ledger = Ledger::default();
        (0..jobs).for_each(|ticket| ledger.submit(ticket, job()));
        ledger
    }

    fn answer(bundle: u64, tickets: &[u64], result: &Result<JobResult, Failure>) -> Answer {
        let part = |&ticket: &u64| JobAnswer { ticket, result: result.clone(), seconds: 0.001 };
        let (epoch, worker, name) = ("e".into(), "w".into(), "anna".into());
        Answer { epoch, bundle, worker, name, jobs: tickets.iter().map(part).collect() }
    }

    fn good() -> Result<JobResult, Failure> {
        Ok(JobResult::Decisions(Vec::new()))
    }

    #[test]
    fn every_ticket_is_answered_once_however_often_it_is_delivered() {
        let mut ledger = book(2);
        let (number, jobs) = ledger.next_bundle(1, 10).expect("a bundle");
        assert_eq!((number, jobs.len(), ledger.out(), ledger.waiting()), (0, 1, 1, 1));
        assert_eq!(ledger.answered(answer(0, &[0], &good())).len(), 1);
        assert_eq!(ledger.answered(answer(0, &[0], &good())).len(), 0);
        assert_eq!(ledger.answered(answer(77, &[99], &good())).len(), 0);
        assert_eq!((ledger.done, ledger.repeated), (1, 2));
    }

    #[test]
    fn a_job_that_fails_three_times_is_poison_and_says_why() {
        let mut ledger = book(1);
        let bad = Err(Failure::Failed("no such game".into()));
        for attempt in 0..3 {
            let (number, _) = ledger.next_bundle(1, 10).expect("a bundle");
            let outcomes = ledger.answered(answer(number, &[0], &bad));
            // The same failure again is not another one.
            assert!(ledger.answered(answer(number, &[0], &bad)).is_empty());
            match (attempt, outcomes.as_slice()) {
                (0 | 1, []) => {}
                (2, [Outcome::Poison { reason, .. }]) => assert_eq!(reason.matches("anna: no such game").count(), 3),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(ledger.open_ticket(), None);
    }

    #[test]
    fn what_failed_travels_alone() {
        let mut ledger = book(1000);
        ledger.bundling.took(0.0001);
        let (first, jobs) = ledger.next_bundle(1, 10).expect("a bundle");
        assert!(jobs.len() > 10);
        let tickets: Vec<u64> = jobs.iter().map(|(ticket, _)| *ticket).collect();
        ledger.answered(answer(first, &tickets, &Err(Failure::Lost(5))));
        let (_, jobs) = ledger.next_bundle(1, 10).expect("a bundle");
        assert_eq!(jobs.len(), 1);
    }

    #[test]
    fn what_is_lost_goes_out_again_and_a_late_answer_still_counts() {
        let mut ledger = book(1);
        let (old, _) = ledger.next_bundle(1, 10).expect("a bundle");
        assert_eq!(ledger.send_all_again(), 1);
        let (new, _) = ledger.next_bundle(1, 10).expect("a bundle");
        assert_ne!(old, new);
        assert_eq!(ledger.answered(answer(old, &[0], &good())).len(), 1);
        assert_eq!(ledger.answered(answer(new, &[0], &good())).len(), 0);
    }

    #[test]
    fn an_answer_that_leaves_a_job_out_does_not_lose_it() {
        let mut ledger = book(1);
        let (number, _) = ledger.next_bundle(1, 10).expect("a bundle");
        ledger.answered(answer(number, &[], &good()));
        assert_eq!(ledger.next_bundle(1, 10).expect("a bundle").1[0].0, 0);
    }

    #[test]
    fn no_more_goes_out_than_workers_can_use() {
        let mut ledger = book(10);
        assert!(ledger.next_bundle(1, 2).is_some() && ledger.next_bundle(1, 2).is_some());
        assert!(ledger.next_bundle(1, 2).is_none());
    }
}
