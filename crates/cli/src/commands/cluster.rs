//! `lanista cluster`.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use lanista_cluster::{Credentials, Identity, Overview, RunLine, Standing, WorkerLine, new_key, overview};
use serde_json::json;

use crate::nats_request::NatsRequest;
use crate::output::{Output, remark};

/// Show who works for whom.
///
/// Workers and runs show a sign of life every second; this command listens for a while and shows what it heard. A worker is
/// called slow if its jobs take three times as long as those of the middle one, and is in quarantine if a run found a
/// result of it wrong.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista cluster --nats nats://head-node:4222
  lanista cluster --watch
  lanista cluster --make-credentials secrets
  lanista cluster --json")]
pub struct ClusterCommand {
    #[command(flatten)]
    nats: NatsRequest,
    /// Make a key for workers or coordinators instead (an nkey): its secret goes into FILE, what the server's configuration
    /// needs to know of it is printed.
    #[arg(long, value_name = "FILE", conflicts_with = "watch")]
    make_key: Option<PathBuf>,
    /// Make credentials instead, for a server that trusts an operator: worker.creds, coordinator.creds and the server's
    /// configuration nats.conf go into FOLDER.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["watch", "make_key"])]
    make_credentials: Option<PathBuf>,
    /// Go on showing until it is interrupted.
    #[arg(long)]
    watch: bool,
    /// Seconds to listen.
    #[arg(long, value_name = "SECONDS", default_value_t = 2.5, value_parser = seconds)]
    listen: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|seconds| (0.1..=3600.0).contains(seconds));
    number.ok_or_else(|| "expected seconds from 0.1 to 3600".to_string())
}

impl ClusterCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        if let Some(file) = &self.make_key {
            return make_key(file, output);
        }
        if let Some(folder) = &self.make_credentials {
            return make_credentials(folder, output);
        }
        let here = Identity::of_this_program();
        let say = Arc::new(|text: String| remark(format!("lanista: {text}")));
        overview(&self.nats.access(), &here, Duration::from_secs_f64(self.listen), self.watch, say, |found| {
            if output.is_json() {
                return output.json(&found);
            }
            let page = page(&found);
            if !self.watch {
                return Ok(output.text(page)?);
            }
            // On a terminal the new page stands where the old one was; elsewhere an empty line parts them.
            match output.is_terminal() {
                true => Ok(output.text(format!("{HOME}{}{REST}", page.replace('\n', &format!("{END_OF_LINE}\n"))))?),
                false => Ok(output.text(format!("{page}\n"))?),
            }
        })?
    }
}

/// Goes to the first place of a terminal.
const HOME: &str = "\x1b[H";
/// Clears the rest of a line.
const END_OF_LINE: &str = "\x1b[K";
/// Clears everything below.
const REST: &str = "\x1b[J";

/// Writes a secret where only its owner can read it, and never over anything.
fn write_secret(file: &Path, secret: &str) -> anyhow::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(file).and_then(|mut opened| opened.write_all(secret.as_bytes()));
    written.with_context(|| format!("cannot write {}", file.display()))
}

fn make_key(file: &Path, output: &mut Output) -> anyhow::Result<()> {
    let (seed, public) = new_key()?;
    write_secret(file, &format!("{seed}\n"))?;
    if output.is_json() {
        return output.json(&json!({"file": file, "public": public}));
    }
    Ok(output.line(public)?)
}

fn make_credentials(folder: &Path, output: &mut Output) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let made = Credentials::new()?;
    let place = |name: &str| folder.join(name);
    let [server, worker, coordinator] = ["nats.conf", "worker.creds", "coordinator.creds"].map(place);
    for (file, content) in [(&server, made.server), (&worker, made.worker), (&coordinator, made.coordinator)] {
        write_secret(file, &content)?;
    }
    if output.is_json() {
        return output.json(&json!({"server": server, "worker": worker, "coordinator": coordinator}));
    }
    output.line(format!("nats-server -c {}", server.display()))?;
    output.line(format!("lanista worker --creds {}", worker.display()))?;
    Ok(output.line(format!("lanista run FILE.toml --nats URL --creds {}", coordinator.display()))?)
}

/// Everything on one page.
fn page(found: &Overview) -> String {
    let Overview { workers, runs } = found;
    let threads: usize = workers.iter().map(|worker| worker.threads).sum();
    let busy: usize = workers.iter().map(|worker| worker.busy).sum();
    let mut page = format!(
        "{} with {}, {busy} of them at work; {}\n",
        count(workers.len(), "worker"),
        count(threads, "thread"),
        count(runs.len(), "run")
    );
    if !workers.is_empty() {
        page += "\n";
        page += &table(&["worker", "program", "threads", "at work", "jobs/s", "jobs", "last seen", ""], workers, line);
    }
    if !runs.is_empty() {
        page += "\n";
        page += &table(&["run", "program", "queued", "running", "jobs/s", "done", "compared", ""], runs, run_line);
    }
    page
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn line(worker: &WorkerLine) -> [String; 8] {
    let standing = match worker.standing {
        Standing::Works => "",
        Standing::Idle => "idle",
        Standing::Slow => "slow",
        Standing::Quarantined => "in quarantine",
        Standing::OtherProgram => "another program or other bits",
        Standing::Leaving => "leaves",
    };
    let failed = if worker.failures > 0 { format!("{} failed ", worker.failures) } else { String::new() };
    [
        worker.name.clone(),
        worker.program.clone(),
        worker.threads.to_string(),
        worker.busy.to_string(),
        format!("{:.1}", worker.jobs_per_second),
        worker.jobs.to_string(),
        format!("{:.1} s", worker.last_seen),
        format!("{failed}{standing}"),
    ]
}

fn run_line(run: &RunLine) -> [String; 8] {
    let mut notes = Vec::new();
    if run.dropped > 0 {
        notes.push(format!("{} dropped", count(run.dropped as usize, "message")));
    }
    if !run.quarantined.is_empty() {
        notes.push(format!("in quarantine: {}", run.quarantined.join(", ")));
    }
    [
        run.title.clone(),
        run.program.clone(),
        run.queued.to_string(),
        run.running.to_string(),
        format!("{:.1}", run.done_per_second),
        run.done.to_string(),
        run.verified.to_string(),
        notes.join("; "),
    ]
}

/// Columns as wide as what is in them: two of words, then numbers, then remarks.
fn table<T>(heads: &[&str; 8], rows: &[T], cells: impl Fn(&T) -> [String; 8]) -> String {
    let heads = heads.map(str::to_string);
    let rows: Vec<[String; 8]> = std::iter::once(heads).chain(rows.iter().map(cells)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 8] = std::array::from_fn(width);
    let mut text = String::new();
    for row in &rows {
        let cell = |(column, cell): (usize, &String)| {
            let width = widths[column];
            if (2..7).contains(&column) { format!("{cell:>width$}") } else { format!("{cell:width$}") }
        };
        let line = row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ");
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_what_is_in_them() {
        let worker = |name: &str, jobs, standing| WorkerLine {
            name: name.into(),
            id: name.into(),
            program: "lanista 1".into(),
            signature: "a".into(),
            threads: 2,
            busy: 1,
            jobs,
            failures: 0,
            jobs_per_second: 12.25,
            last_seen: 0.5,
            standing,
        };
        let run = RunLine {
            title: "a study".into(),
            key: "k".into(),
            program: "lanista 1".into(),
            queued: 3,
            running: 4,
            done: 5,
            done_per_second: 1.0,
            verified: 6,
            dropped: 1,
            quarantined: vec!["carl".into()],
        };
        let workers = vec![worker("anna", 123_456, Standing::Works), worker("a-long-name", 7, Standing::Slow)];
        let shown = page(&Overview { workers, runs: vec![run] });
        let expected = "\
2 workers with 4 threads, 2 of them at work; 1 run

worker       program    threads  at work  jobs/s    jobs  last seen
anna         lanista 1        2        1    12.2  123456      0.5 s
a-long-name  lanista 1        2        1    12.2       7      0.5 s  slow

run      program    queued  running  jobs/s  done  compared
a study  lanista 1       3        4     1.0     5         6  1 message dropped; in quarantine: carl
";
        assert_eq!(shown, expected);
        assert_eq!(page(&Overview::default()), "0 workers with 0 threads, 0 of them at work; 0 runs\n");
    }
}
