//! Runs: a plan, an executor and a store, and the loop that brings them together.
//!
//! Every trial is a [`Study`] of its own. Several are under way at a time, and each may have several generations of
//! jobs out, so that nobody waits. Results are handed to a study in the order in which it asked for them; where it thinks about
//! them for long, it does so on a thread of its own, and the other trials go on.

mod events;
mod lesson;
mod recorder;
mod study;

use std::collections::{HashMap, VecDeque};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lanista_core::mix64;

use crate::executor::Executor;
use crate::experiment::{ExperimentError, Plan};
use crate::jobs::{JobError, JobResult};
use crate::store::{Commit, StoreError};
pub use events::{Event, Finished};
pub(crate) use lesson::LONG as LONG_LESSON;
use lesson::Lesson;
pub use recorder::Recorder;
pub use study::{Ask, Batch, DecisionRecord, Measurement, Probe, Progress, Recorded, RunFile, Study};

/// Pieces of a long list are committed together, after so long at most.
const COMMIT_EVERY: Duration = Duration::from_millis(200);
/// A state of a long list is kept for forks after so long at least.
const KEEP_STATE_EVERY: Duration = Duration::from_secs(30);
/// While nothing is done, the loop looks up so often.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// Progress is told so often at most.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// Why a run stopped before its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The experiment is wrong.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A job failed.
    #[error("trial {trial}: {error}")]
    Job {
        /// In which trial.
        trial: usize,
        /// Why.
        error: JobError,
    },
    /// A saved state cannot be read.
    #[error("trial {trial}: its saved state does not fit the experiment: {reason}")]
    State {
        /// Of which trial.
        trial: usize,
        /// Why.
        reason: String,
    },
    /// A study cannot go on with its results.
    #[error("trial {trial}: {reason}")]
    Study {
        /// Of which trial.
        trial: usize,
        /// Why.
        reason: String,
    },
    /// Somebody wished it.
    #[error("stopped")]
    Stopped,
}

/// Where a trial begins: from nothing, or where it was left.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// The saved state.
    pub state: Option<Vec<u8>>,
    /// Generations committed.
    pub generation: u32,
    /// Whether it is done.
    pub done: bool,
}

/// A trial under way.
struct Active {
    trial: usize,
    /// `None` while it has a lesson, and once it has failed.
    study: Option<Box<dyn Study>>,
    lesson: Option<JoinHandle<Lesson>>,
    /// How long a lesson is likely to take: as long as the latest, or half as long as was thought of that one. Between long lessons
    /// there are short ones, in which studies take in how they were measured.
    likely: Duration,
    /// How far the study had come before its lesson.
    progress: Progress,
    /// Generations under way, the oldest first.
    out: VecDeque<Vec<Option<(JobResult, f64)>>>,
    /// The number of the oldest generation under way.
    oldest: u64,
    /// Generations told.
    told: u32,
    /// The study wants nothing more.
    complete: bool,
    pending: Recorded,
    /// Whether everything that was told is written down.
    is_committed: bool,
    committed: Instant,
    kept: Instant,
}

/// What a trial came to.
#[derive(Clone, Debug, Default)]
struct Closed {
    progress: Progress,
    digest: u64,
    state: Vec<u8>,
}

/// Runs a plan.
pub struct Runner<'a> {
    plan: &'a Plan,
    file: &'a str,
    executor: &'a mut dyn Executor,
    recorder: Recorder,
    listen: &'a mut dyn FnMut(&Event),
    starts: Vec<Start>,
    active: Vec<Active>,
    closed: Vec<Option<Closed>>,
    next_trial: usize,
    /// Which trial, generation and job a ticket stands for.
    tickets: HashMap<u64, (usize, u64, usize)>,
    next_ticket: u64,
    began: Instant,
    told: Instant,
    /// Steps that were done before this run began.
    steps_before: u64,
    games_before: u64,
    last_commit: Instant,
    /// Seconds of processors' work for jobs since the last commit, and what studies made of them: learners have their lessons there.
    worked: f64,
    keep_states: bool,
    /// Of this machine, where lessons are given.
    cores: usize,
}

impl<'a> Runner<'a> {
    /// A run of a plan from `starts`, one a trial; `file` names the experiment in messages.
    pub fn new(
        plan: &'a Plan,
        file: &'a str,
        executor: &'a mut dyn Executor,
        recorder: Recorder,
        starts: Vec<Start>,
        listen: &'a mut dyn FnMut(&Event),
    ) -> Runner<'a> {
        let now = Instant::now();
        let trials = plan.trials.len();
        Runner {
            plan,
            file,
            executor,
            recorder,
            listen,
            starts,
            active: Vec::new(),
            closed: vec![None; trials],
            next_trial: 0,
            tickets: HashMap::new(),
            next_ticket: 0,
            began: now,
            told: now,
            steps_before: 0,
            games_before: 0,
            last_commit: now,
            worked: 0.0,
            keep_states: false,
            cores: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }

    /// Hands the final states of the trials out at the end.
    pub fn keep_states(mut self) -> Runner<'a> {
        self.keep_states = true;
        self
    }

    /// Runs it to its end.
    pub fn run(mut self) -> Result<Finished, RunError> {
        let result = self.work();
        // What was absorbed but not written yet is worth keeping even if the run stops here.
        let flushed = match &result {
            // Nothing may be kept that rests on wrong results.
            Err(RunError::Store(_) | RunError::Job { error: JobError::Deviation(_), .. }) => Ok(()),
            _ => {
                let learnt = self.end_all_lessons();
                self.flush_all().and(learnt)
            }
        };
        let written = self.recorder.wait();
        result?;
        flushed?;
        written?;
        let finished = self.finished();
        self.recorder.finish(&finished.fingerprint)?;
        (self.listen)(&Event::Finished(finished.clone()));
        Ok(finished)
    }

    fn work(&mut self) -> Result<(), RunError> {
        self.refill()?;
        (self.listen)(&Event::Started {
            title: self.plan.experiment.title.clone(),
            trials: self.plan.trials.len(),
            resumed: self.steps_before > 0,
        });
        while !self.active.is_empty() {
            if self.executor.cancel().is_cancelled() {
                return Err(RunError::Stopped);
            }
            let wait = if self.lessons() > 0 { lesson::LOOK_EVERY } else { LOOK_EVERY };
            if let Some(done) = self.executor.next(wait) {
                self.worked += done.seconds;
                match (done.result, self.tickets.remove(&done.ticket)) {
                    (Ok(result), Some((trial, generation, job))) => {
                        self.absorb(trial, generation, job, (result, done.seconds))?;
                    }
                    (Err(JobError::Cancelled), Some(_)) => return Err(RunError::Stopped),
                    (Err(error), Some((trial, ..))) => return Err(RunError::Job { trial: trial + 1, error }),
                    // Wrong results were used: that may be found out when no job is under way.
                    (Err(error @ JobError::Deviation(_)), None) => {
                        let trial = self.active.first().map_or(0, |active| active.trial);
                        return Err(RunError::Job { trial: trial + 1, error });
                    }
                    // An answer that came twice.
                    (_, None) => {}
                }
            }
            self.end_lessons()?;
            for text in self.executor.warnings() {
                (self.listen)(&Event::Warning { text });
            }
            self.flush_old()?;
            self.refill()?;
            self.tell_progress(false);
        }
        self.tell_progress(true);
        Ok(())
    }

    /// Asks the studies for jobs, begins new trials, closes those that are done.
    fn refill(&mut self) -> Result<(), RunError> {
        let workers = self.executor.workers();
        loop {
            let mut index = 0;
            while index < self.active.len() {
                self.ask(index, workers);
                let active = &self.active[index];
                if active.complete && active.out.is_empty() && active.study.is_some() {
                    self.close(index)?;
                } else {
                    index += 1;
                }
            }
            if self.next_trial >= self.plan.trials.len() || self.active.len() >= 2 * workers {
                return Ok(());
            }
            self.begin_trial()?;
        }
    }

    fn ask(&mut self, index: usize, workers: usize) {
        loop {
            let active = &mut self.active[index];
            let Some(study) = &mut active.study else { return };
            if active.complete || active.out.len() >= study.most_under_way() {
                return;
            }
            match study.ask(workers) {
                Ask::Wait => return,
                Ask::Done => {
                    active.complete = true;
                    // What is still out is no longer wanted.
                    active.oldest += active.out.len() as u64;
                    active.out.clear();
                }
                Ask::Jobs(jobs) => {
                    let generation = active.oldest + active.out.len() as u64;
                    active.out.push_back(jobs.iter().map(|_| None).collect());
                    let trial = active.trial;
                    for (number, job) in jobs.into_iter().enumerate() {
                        self.tickets.insert(self.next_ticket, (trial, generation, number));
                        self.executor.submit(self.next_ticket, job);
                        self.next_ticket += 1;
                    }
                }
            }
        }
    }

    fn begin_trial(&mut self) -> Result<(), RunError> {
        let trial = self.next_trial;
        self.next_trial += 1;
        let state = self.starts[trial].state.take();
        let mut study = self.plan.study(trial, self.file)?;
        if let Some(state) = state {
            study.restore(&state).map_err(|reason| RunError::State { trial: trial + 1, reason })?;
            let progress = study.progress();
            self.steps_before += progress.done;
            self.games_before += progress.games;
        }
        let now = Instant::now();
        self.active.push(Active {
            trial,
            progress: study.progress(),
            study: Some(study),
            lesson: None,
            likely: Duration::ZERO,
            out: VecDeque::new(),
            oldest: 0,
            told: self.starts[trial].generation,
            complete: false,
            pending: Recorded::default(),
            is_committed: true,
            committed: now,
            kept: now,
        });
        Ok(())
    }

    fn absorb(&mut self, trial: usize, generation: u64, job: usize, result: (JobResult, f64)) -> Result<(), RunError> {
        let Some(index) = self.active.iter().position(|active| active.trial == trial) else { return Ok(()) };
        let active = &mut self.active[index];
        let place = generation.checked_sub(active.oldest).and_then(|at| active.out.get_mut(at as usize));
        let Some(results) = place else { return Ok(()) };
        results[job] = Some(result);
        self.teach(index)
    }

    /// Tells a study what is complete of its results.
    fn teach(&mut self, index: usize) -> Result<(), RunError> {
        loop {
            let active = &self.active[index];
            let is_complete = active.out.front().is_some_and(|results| results.iter().all(Option::is_some));
            let is_long = active.likely >= lesson::LONG && self.active.len() > 1;
            if !is_complete || is_long && self.lessons() >= self.executor.workers().min(self.cores) {
                return Ok(());
            }
            let active = &mut self.active[index];
            let Some(study) = active.study.take() else { return Ok(()) };
            let results = active.out.pop_front().unwrap_or_default().into_iter().flatten().collect();
            active.oldest += 1;
            if is_long {
                let trial = active.trial + 1;
                let thread = std::thread::Builder::new().name("lesson".into()).spawn(|| Lesson::give(study, results));
                let no_thread = |error| RunError::Study { trial, reason: format!("no thread for a lesson: {error}") };
                active.lesson = Some(thread.map_err(no_thread)?);
                return Ok(());
            }
            self.learnt(index, Lesson::give(study, results))?;
        }
    }

    /// How many lessons are under way.
    fn lessons(&self) -> usize {
        self.active.iter().filter(|active| active.lesson.is_some()).count()
    }

    /// Takes in what came of lessons that are over. Those who waited for room have some then.
    fn end_lessons(&mut self) -> Result<(), RunError> {
        let mut has_ended = false;
        for index in 0..self.active.len() {
            if let Some(thread) = self.active[index].lesson.take_if(|thread| thread.is_finished()) {
                has_ended = true;
                self.learnt(index, Lesson::of(thread))?;
            }
        }
        if has_ended {
            (0..self.active.len()).try_for_each(|index| self.teach(index))?;
        }
        Ok(())
    }

    /// Brings all lessons to their end, those of results that wait included. Returns the first failure; the others learn all the same.
    fn end_all_lessons(&mut self) -> Result<(), RunError> {
        let mut result = Ok(());
        for index in 0..self.active.len() {
            loop {
                result = result.and(self.teach(index));
                let Some(thread) = self.active[index].lesson.take() else { break };
                result = result.and(self.learnt(index, Lesson::of(thread)));
            }
        }
        result
    }

    /// Takes in what came of a lesson.
    fn learnt(&mut self, index: usize, lesson: Lesson) -> Result<(), RunError> {
        let active = &mut self.active[index];
        let Lesson { study, mut recorded, took, worked } = lesson;
        self.worked += worked;
        if let Some(reason) = recorded.failure.take() {
            // What waits for it is not told any more, and it is not written down: it has counted the results that it failed on, and
            // who resumes it counts them again.
            active.out.clear();
            return Err(RunError::Study { trial: active.trial + 1, reason });
        }
        active.likely = took.max(active.likely / 2);
        active.progress = study.progress();
        let has_generations = study.generation().is_some();
        active.study = Some(study);
        active.told += 1;
        active.is_committed = false;
        for (generation, _) in recorded.measurements.iter_mut().filter(|_| !has_generations) {
            *generation = active.told;
        }
        if self.plan.trials.len() > 1 {
            for file in &mut recorded.files {
                file.name = format!("trial-{}-{}", active.trial + 1, file.name);
            }
        }
        for text in &recorded.warnings {
            (self.listen)(&Event::Warning { text: text.clone() });
        }
        active.pending.append(recorded);
        if active.pending.keep {
            self.flush(index, false)?;
        }
        Ok(())
    }

    /// Writes down what trials have absorbed and nobody has written for a while.
    fn flush_old(&mut self) -> Result<(), RunError> {
        for index in 0..self.active.len() {
            let active = &self.active[index];
            if !active.is_committed && active.committed.elapsed() >= COMMIT_EVERY {
                self.flush(index, false)?;
            }
        }
        Ok(())
    }

    /// Writes down what a trial has absorbed.
    fn flush(&mut self, index: usize, done: bool) -> Result<(), RunError> {
        let active = &mut self.active[index];
        // Who has a lesson is written down after it, who has failed never.
        let Some(study) = &active.study else { return Ok(()) };
        let progress = study.progress();
        let generation = study.generation();
        let long_ago = generation.is_none() && active.kept.elapsed() >= KEEP_STATE_EVERY;
        let keep_state = active.pending.keep || long_ago || done;
        active.committed = Instant::now();
        active.is_committed = true;
        if keep_state {
            active.kept = active.committed;
        }
        let seconds = self.last_commit.elapsed().as_secs_f64();
        self.last_commit = Instant::now();
        let core_seconds = std::mem::take(&mut self.worked);
        let commit = Commit {
            trial: active.trial as u32,
            generation: generation.unwrap_or(active.told),
            state: study.save(),
            keep_state,
            steps: progress.done,
            total: progress.total,
            games: progress.games,
            done,
            digest: study.digest(),
            seconds,
            core_seconds,
            recorded: std::mem::take(&mut active.pending),
            summary: study.summary(),
        };
        Ok(self.recorder.commit(commit)?)
    }

    fn flush_all(&mut self) -> Result<(), RunError> {
        for index in 0..self.active.len() {
            if self.active[index].told > 0 {
                self.flush(index, false)?;
            }
        }
        Ok(())
    }

    fn close(&mut self, index: usize) -> Result<(), RunError> {
        let active = &self.active[index];
        let was_done = self.starts[active.trial].done && active.told == self.starts[active.trial].generation;
        if !was_done {
            self.flush(index, true)?;
        }
        let active = self.active.swap_remove(index);
        let Some(study) = active.study else { return Ok(()) };
        let state = if self.keep_states { study.save() } else { Vec::new() };
        self.closed[active.trial] = Some(Closed { progress: study.progress(), digest: study.digest(), state });
        Ok(())
    }

    fn tell_progress(&mut self, now: bool) {
        if !now && self.told.elapsed() < TELL_EVERY {
            return;
        }
        self.told = Instant::now();
        let mut all = Progress::default();
        let mut known = 0;
        let closed = self.closed.iter().flatten().map(|closed| closed.progress.clone());
        for progress in closed.chain(self.active.iter().map(|active| active.progress.clone())) {
            known += 1;
            all.done += progress.done;
            all.total += progress.total;
            all.games += progress.games;
            all.unit = progress.unit;
            if !progress.figures.is_empty() {
                all.figures = progress.figures;
            }
        }
        // Trials that have not begun are taken to be like the others.
        let trials = self.plan.trials.len() as u64;
        all.total = all.total * trials / u64::from(known.max(1) as u32);
        let seconds = self.began.elapsed().as_secs_f64();
        let rate = all.done.saturating_sub(self.steps_before) as f64 / seconds.max(1e-9);
        let left = (rate > 0.0).then(|| all.total.saturating_sub(all.done) as f64 / rate);
        let trials_done = self.closed.iter().flatten().count();
        (self.listen)(&Event::Progress { progress: all, trials_done, trials: trials as usize, seconds, rate, left });
    }

    fn finished(&self) -> Finished {
        let mut fingerprint = 0;
        let (mut games, mut steps) = (0, 0);
        for closed in self.closed.iter().flatten() {
            fingerprint = mix64(fingerprint ^ closed.digest);
            games += closed.progress.games;
            steps += closed.progress.done;
        }
        let seconds = self.began.elapsed().as_secs_f64();
        Finished {
            run: self.recorder.run(),
            fingerprint: format!("{fingerprint:016x}"),
            seconds,
            games,
            played: games - self.games_before.min(games),
            steps,
            trials: self.plan.trials.len(),
            states: self.closed.iter().flatten().map(|closed| closed.state.clone()).collect(),
        }
    }
}
