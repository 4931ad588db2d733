//! Results that are computed a second time elsewhere: who differs is found out.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lanista_core::mix64;
use lanista_lab::jobs::{Job, JobResult};

use crate::wire::Answer;

/// Numbers of bundles that only verify have this bit.
const MARK: u64 = 1 << 63;
/// So many comparisons may be open; more would only wait.
const MOST_OPEN: usize = 64;
/// A comparison that came back undone or was lost so often is given up: it may be what its workers died of. Each attempt waits some
/// ten seconds for another worker, and long jobs keep them busy for minutes.
const ATTEMPTS: u32 = 12;

/// One result that is computed again.
pub(crate) struct Check {
    /// The ticket of the job.
    pub ticket: u64,
    /// The job.
    pub job: Arc<Job>,
    /// The identity of the worker that gave the result.
    pub worker: String,
    name: String,
    hash: blake3::Hash,
    /// When it went out first.
    sent: Instant,
    /// How often it came back undone or was lost.
    undone: u32,
}

/// Two workers that do not agree.
#[derive(Debug)]
pub(crate) struct Dispute {
    /// The job.
    pub job: Arc<Job>,
    /// Identity, name and the hash of the result.
    pub claims: [(String, String, blake3::Hash); 2],
}

/// Which results are compared, and how it went.
pub(crate) struct Verification {
    share: f64,
    open: HashMap<u64, Check>,
    next: u64,
    /// Comparisons that agreed.
    pub verified: u64,
}

impl Verification {
    /// Compares this share of the results.
    pub fn new(share: f64) -> Verification {
        Verification { share, open: HashMap::new(), next: MARK, verified: 0 }
    }

    /// Begins a comparison, if this result is in the sample and there is room. Returns the number of the second bundle.
    pub fn begin(&mut self, ticket: u64, job: &Arc<Job>, result: &JobResult, by: (&str, &str)) -> Option<u64> {
        let chosen = (mix64(ticket ^ 0x5eed) >> 11) as f64 / (1u64 << 53) as f64;
        if chosen >= self.share || self.open.len() >= MOST_OPEN || !job.repeats() {
            return None;
        }
        let (worker, name) = (by.0.to_string(), by.1.to_string());
        let (job, hash) = (Arc::clone(job), hash(result));
        let check = Check { ticket, job, worker, name, hash, sent: Instant::now(), undone: 0 };
        Some(self.send(check))
    }

    /// Takes out a comparison that came back undone, or is lost. Returns it if it should go out again.
    pub fn take_back(&mut self, number: u64) -> Option<Check> {
        let mut check = self.open.remove(&number)?;
        check.undone += 1;
        (check.undone < ATTEMPTS).then_some(check)
    }

    /// Begins a comparison that was taken back once more: under another number, for the first may still be on its way.
    pub fn send(&mut self, check: Check) -> u64 {
        let number = self.next;
        self.next += 1;
        self.open.insert(number, check);
        number
    }

    /// The numbers of the comparisons that are open.
    pub fn open(&self) -> Vec<u64> {
        self.open.keys().copied().collect()
    }

    /// Whether a bundle was sent only to compare.
    pub fn is_check(bundle: u64) -> bool {
        bundle & MARK != 0
    }

    /// Takes a second result in.
    pub fn answered(&mut self, answer: &Answer) -> Option<Dispute> {
        let check = self.open.remove(&answer.bundle)?;
        let part = answer.jobs.iter().find(|part| part.ticket == check.ticket)?;
        // A failure proves nothing about the first result; the same worker proves nothing either.
        let again = hash(part.result.as_ref().ok()?);
        if answer.worker == check.worker {
            return None;
        }
        if again == check.hash {
            self.verified += 1;
            return None;
        }
        let claims = [(check.worker, check.name, check.hash), (answer.worker.clone(), answer.name.clone(), again)];
        Some(Dispute { job: check.job, claims })
    }

    /// Gives up what went out first so long ago.
    pub fn forget(&mut self, age: Duration) {
        self.open.retain(|_, check| check.sent.elapsed() < age);
    }
}

/// A hash of what two machines must agree on.
pub(crate) fn hash(result: &JobResult) -> blake3::Hash {
    blake3::hash(&postcard::to_stdvec(&result.clone().without_times()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use lanista_core::Seed;
    use lanista_lab::jobs::{Decisions, Grade, Work};
    use lanista_lab::limits::Limit;

    use super::*;
    use crate::wire::JobAnswer;

    fn job() -> Arc<Job> {
        let (player, limit, positions) = ("random".to_string(), Limit::default(), vec![Vec::new()]);
        let work = Decisions { player, limit, judge: None, positions, first: 0, seed: Seed::new(1) };
        Arc::new(Job::new("loa5", "", Work::Decisions(work)))
    }

    fn result(moves: &[u8]) -> JobResult {
        JobResult::Grades(moves.iter().map(|&mv| Grade { best: mv.into(), played: 0 }).collect())
    }

    fn answer(bundle: u64, worker: &str, moves: &[u8]) -> Answer {
        let jobs = vec![JobAnswer { ticket: 5, result: Ok(result(moves)), seconds: 0.0 }];
        Answer { epoch: String::new(), bundle, worker: worker.into(), name: worker.into(), jobs }
    }

    #[test]
    fn the_sample_has_about_the_share_asked_for() {
        let mut verification = Verification::new(0.02);
        let begun = (0..10_000).filter(|&ticket| {
            let begun = verification.begin(ticket, &job(), &result(&[]), ("w", "anna")).is_some();
            verification.open.clear();
            begun
        });
        assert!((100..300).contains(&begun.count()));
    }

    #[test]
    fn who_agrees_is_counted_and_who_differs_is_named() {
        let mut verification = Verification::new(1.0);
        let begin = |verification: &mut Verification| {
            verification.begin(5, &job(), &result(&[1, 2]), ("anna", "anna")).expect("room")
        };
        let number = begin(&mut verification);
        assert!(Verification::is_check(number) && !Verification::is_check(7));
        assert!(verification.answered(&answer(number, "berta", &[1, 2])).is_none());
        assert_eq!(verification.verified, 1);
        let number = begin(&mut verification);
        let dispute = verification.answered(&answer(number, "berta", &[1, 3])).expect("a dispute");
        assert_eq!((dispute.claims[0].1.as_str(), dispute.claims[1].1.as_str()), ("anna", "berta"));
        assert_eq!(dispute.claims[0].2, hash(&result(&[1, 2])));
        let number = begin(&mut verification);
        assert!(verification.answered(&answer(number, "anna", &[1, 3])).is_none(), "nobody judges itself");
    }

    #[test]
    fn what_comes_back_undone_is_compared_under_another_number() {
        let mut verification = Verification::new(1.0);
        let first = verification.begin(5, &job(), &result(&[1, 2]), ("anna", "anna")).expect("room");
        let check = verification.take_back(first).expect("it was open");
        assert!(verification.open().is_empty());
        let second = verification.send(check);
        assert!(first != second && verification.open() == [second]);
        assert!(verification.answered(&answer(first, "berta", &[1, 3])).is_none(), "nobody waits for that any more");
        assert!(verification.answered(&answer(second, "berta", &[1, 3])).is_some());
    }

    #[test]
    fn what_comes_back_undone_too_often_is_given_up() {
        let mut verification = Verification::new(1.0);
        let mut number = verification.begin(5, &job(), &result(&[1, 2]), ("anna", "anna")).expect("room");
        let sent = verification.open[&number].sent;
        for _ in 1..ATTEMPTS {
            let check = verification.take_back(number).expect("another attempt");
            number = verification.send(check);
            assert_eq!(verification.open[&number].sent, sent, "it ages from its first attempt on");
        }
        assert!(verification.take_back(number).is_none() && verification.open().is_empty());
    }
}
