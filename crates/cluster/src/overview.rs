//! Who is there and what is done, for people: gathered from the signs of life.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use serde::Serialize;

use crate::connection::{Access, Connection, ConnectionError, Say};
use crate::identity::Identity;
use crate::signs::{self, RUN_SIGNS, RunSign, WORKER_SIGNS, WorkerSign};

/// A worker whose jobs take so many times as long as the middle one's is slow.
const SLOW: f64 = 3.0;

/// What is to be said of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// It works.
    Works,
    /// It has nothing to do.
    Idle,
    /// Its jobs take much longer than those of others.
    Slow,
    /// A run found a result of it wrong.
    Quarantined,
    /// It has another version, or computes other bits, than this program.
    OtherProgram,
    /// It is about to leave.
    Leaving,
}

/// A worker as people see it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorkerLine {
    /// Its name.
    pub name: String,
    /// Its identity.
    pub id: String,
    /// Its program.
    pub program: String,
    /// What its program computes.
    pub signature: String,
    /// Its threads.
    pub threads: usize,
    /// Threads at work.
    pub busy: usize,
    /// Jobs done since it began.
    pub jobs: u64,
    /// Jobs that failed.
    pub failures: u64,
    /// Jobs a second, lately.
    pub jobs_per_second: f64,
    /// Seconds since its last sign of life, by our own clock.
    pub last_seen: f64,
    /// What is to be said of it.
    pub standing: Standing,
}

/// A run as people see it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunLine {
    /// What it is called.
    pub title: String,
    /// Its key.
    pub key: String,
    /// The program that its workers must have.
    pub program: String,
    /// Jobs that wait.
    pub queued: u64,
    /// Jobs that workers have.
    pub running: u64,
    /// Jobs done since it began.
    pub done: u64,
    /// Jobs done a second, lately.
    pub done_per_second: f64,
    /// Results that were compared and agreed.
    pub verified: u64,
    /// Messages thrown away.
    pub dropped: u64,
    /// The names of workers whose results were wrong, whether they are still there or not.
    pub quarantined: Vec<String>,
}

/// Everybody who showed a sign of life.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Overview {
    /// Workers by name.
    pub workers: Vec<WorkerLine>,
    /// Runs by title.
    pub runs: Vec<RunLine>,
}

/// The first and the last sign of somebody.
struct Seen<T> {
    first: (T, Instant),
    last: (T, Instant),
}

impl<T: Clone> Seen<T> {
    fn note(all: &mut BTreeMap<String, Seen<T>>, id: String, sign: T) {
        let now = Instant::now();
        let seen = all.entry(id).or_insert_with(|| Seen { first: (sign.clone(), now), last: (sign.clone(), now) });
        seen.last = (sign, now);
    }

    fn rate(&self, count: impl Fn(&T) -> u64) -> f64 {
        let seconds = (self.last.1 - self.first.1).as_secs_f64();
        let grown = count(&self.last.0).saturating_sub(count(&self.first.0));
        if seconds > 0.1 { grown as f64 / seconds } else { 0.0 }
    }
}

/// Shows who is there, once or again and again until showing fails. Each time it listens for so long.
pub fn overview<E>(
    access: &Access,
    here: &Identity,
    time: Duration,
    again: bool,
    say: Say,
    mut show: impl FnMut(Overview) -> Result<(), E>,
) -> Result<Result<(), E>, ConnectionError> {
    let failed = |error: std::io::Error| ConnectionError::Server(access.shown(), error.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    runtime.block_on(async {
        let connection = access.connect("lanista cluster", again, say).await?;
        loop {
            let shown = show(look(&connection, here, time).await?);
            if !again || shown.is_err() {
                return Ok(shown);
            }
        }
    })
}

async fn look(connection: &Connection, here: &Identity, time: Duration) -> Result<Overview, ConnectionError> {
    let failed = |error: async_nats::SubscribeError| ConnectionError::Stream("signs of life".into(), error.to_string());
    let mut worker_signs = connection.client.subscribe(format!("{WORKER_SIGNS}.*")).await.map_err(failed)?;
    let mut run_signs = connection.client.subscribe(format!("{RUN_SIGNS}.*")).await.map_err(failed)?;
    let (mut workers, mut runs) = (BTreeMap::new(), BTreeMap::new());
    let end = tokio::time::sleep(time);
    tokio::pin!(end);
    loop {
        tokio::select! {
            Some(message) = worker_signs.next() => {
                if let Some(sign) = signs::read::<WorkerSign>(&message.payload) {
                    Seen::note(&mut workers, sign.id.clone(), sign);
                }
            }
            Some(message) = run_signs.next() => {
                if let Some(sign) = signs::read::<RunSign>(&message.payload) {
                    Seen::note(&mut runs, sign.key.clone(), sign);
                }
            }
            () = &mut end => break,
        }
    }
    Ok(summarise(&workers, &runs, here))
}

fn summarise(
    workers: &BTreeMap<String, Seen<WorkerSign>>,
    runs: &BTreeMap<String, Seen<RunSign>>,
    here: &Identity,
) -> Overview {
    let compatibility = here.compatibility();
    let mut seconds_a_job: Vec<f64> = workers.values().filter_map(|seen| seconds_a_job(&seen.last.0)).collect();
    seconds_a_job.sort_by(f64::total_cmp);
    let middle = seconds_a_job.get(seconds_a_job.len() / 2).copied().filter(|_| seconds_a_job.len() >= 3);
    let standing = |sign: &WorkerSign| {
        let quarantined = runs.values().any(|run| run.last.0.quarantined.contains(&sign.id));
        match sign {
            _ if quarantined => Standing::Quarantined,
            _ if sign.compatibility != compatibility => Standing::OtherProgram,
            _ if sign.leaving => Standing::Leaving,
            _ if seconds_a_job_is_long(sign, middle) => Standing::Slow,
            _ if sign.busy == 0 => Standing::Idle,
            _ => Standing::Works,
        }
    };
    let mut overview = Overview {
        workers: workers
            .values()
            .map(|seen| {
                let sign = seen.last.0.clone();
                WorkerLine {
                    jobs_per_second: seen.rate(|sign| sign.jobs),
                    last_seen: seen.last.1.elapsed().as_secs_f64(),
                    standing: standing(&sign),
                    name: sign.name,
                    id: sign.id,
                    program: sign.program,
                    signature: sign.signature,
                    threads: sign.threads,
                    busy: sign.busy,
                    jobs: sign.jobs,
                    failures: sign.failures,
                }
            })
            .collect(),
        runs: runs
            .values()
            .filter(|seen| !seen.last.0.over)
            .map(|seen| {
                let sign = seen.last.0.clone();
                RunLine {
                    done_per_second: seen.rate(|sign| sign.done),
                    title: sign.title,
                    key: sign.key,
                    program: sign.program,
                    queued: sign.queued,
                    running: sign.out,
                    done: sign.done,
                    verified: sign.verified,
                    dropped: sign.dropped,
                    quarantined: sign.quarantined_names,
                }
            })
            .collect(),
    };
    overview.workers.sort_by(|a, b| (&a.name, &a.id).cmp(&(&b.name, &b.id)));
    overview.runs.sort_by(|a, b| (&a.title, &a.key).cmp(&(&b.title, &b.key)));
    overview
}

fn seconds_a_job(sign: &WorkerSign) -> Option<f64> {
    (sign.jobs > 0 && sign.worked > 0.0).then(|| sign.worked / sign.jobs as f64)
}

fn seconds_a_job_is_long(sign: &WorkerSign, middle: Option<f64>) -> bool {
    seconds_a_job(sign).zip(middle).is_some_and(|(own, middle)| own > SLOW * middle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_deviating_and_foreign_workers_are_told_apart() {
        let here = Identity { program: "lanista 1".into(), signature: "a".into() };
        let mut workers = BTreeMap::new();
        for (id, jobs, worked) in [("a", 100, 10.0), ("b", 100, 11.0), ("c", 100, 90.0), ("d", 100, 9.0), ("e", 0, 0.0)]
        {
            let mut sign =
                WorkerSign { id: id.into(), name: id.into(), jobs, worked, busy: 1, ..WorkerSign::default() };
            sign.compatibility = if id == "e" { "other".into() } else { here.compatibility() };
            Seen::note(&mut workers, id.into(), sign);
        }
        let mut runs = BTreeMap::new();
        let sign = RunSign { key: "r".into(), quarantined: vec!["d".into()], ..RunSign::default() };
        let sign = RunSign { quarantined_names: vec!["dora".into()], ..sign };
        Seen::note(&mut runs, "r".into(), sign);
        let overview = summarise(&workers, &runs, &here);
        let standings: Vec<Standing> = overview.workers.iter().map(|line| line.standing).collect();
        use Standing::{OtherProgram, Quarantined, Slow, Works};
        assert_eq!(standings, [Works, Works, Slow, Quarantined, OtherProgram]);
        assert_eq!((overview.runs.len(), &overview.runs[0].quarantined), (1, &vec!["dora".to_string()]));
    }
}
