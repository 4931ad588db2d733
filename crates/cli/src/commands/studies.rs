//! `lanista studies`: every study of a folder, run and reported.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use lanista_lab::experiment::{FULL, Plan, scale_changes, scale_names};
use lanista_lab::export::Folder;
use lanista_lab::jobs::Cancel;
use lanista_lab::report::{OverviewStudy, StudyReport, Summary, write_overview, write_study, write_words};
use lanista_lab::run::{Recorder, Start};
use lanista_lab::store::{NewRun, RunRow, Store};
use lanista_lab::studies::{StudyFile, run_of, study_files, study_hash, way_between};
use serde_json::json;

use super::runs::{Begin, PROGRAM, all_were_played, starts, stored_plan};
use crate::output::{Output, remark};
use crate::progress::{Interrupts, ProgressRequest};

/// Run all studies of a folder and report them side by side with what was published.
///
/// Every file FOLDER/DOCUMENT/STUDY.toml is a study. One that the store has is not run again, one that was broken off goes on. Then
/// a page is written for each, and one with the headline figures of all, those of earlier reports in the folder included. Whatever
/// ends it early, the same command goes on.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista studies
  lanista studies --only box --only mia/round-robin
  lanista studies --scale hour -o docs/studies
  lanista studies --scale full --report-only")]
pub struct StudiesCommand {
    /// The folder with the documents.
    #[arg(default_value = "experiments")]
    folder: PathBuf,
    /// The scale: studies that have a table [scale.NAME] are run with its changes, others in full; `full` runs all in full.
    #[arg(long, value_name = "NAME", default_value = "small")]
    scale: String,
    /// The file that keeps all runs.
    #[arg(long, value_name = "FILE", default_value = "studies.db")]
    store: PathBuf,
    /// The folder to write to.
    #[arg(short, long, value_name = "DIR", default_value = "studies")]
    output: PathBuf,
    /// Only this document, or only this study of it; may be given several times.
    #[arg(long, value_name = "DOCUMENT[/STUDY]")]
    only: Vec<String>,
    /// How many jobs at a time; all cores if not given. Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Run nothing, report what the store has; reports of what it has not take over the words of their files.
    #[arg(long)]
    report_only: bool,
    /// Write even where files of others are; those of the same name are replaced.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    progress: ProgressRequest,
}

/// A study on its way.
struct Study {
    file: StudyFile,
    bytes: Vec<u8>,
    /// Whether it is to be run and reported.
    is_chosen: bool,
    /// The experiment at the scale that is wanted, or that of its report; nothing before it was read.
    text: Option<String>,
    run: Option<RunRow>,
    /// What its report left, of this store or of another.
    summary: Option<Summary>,
    /// Whether only the words of its report were written.
    has_new_words: bool,
    trouble: Option<String>,
}

impl StudiesCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let mut studies = self.find()?;
        let store = if self.report_only { Store::open(&self.store)? } else { Store::open_to_write(&self.store)? };
        if !self.output.join("README.md").exists() {
            // Whatever ends it early, the folder is known as ours.
            Folder::open(&self.output, self.force)?.finish()?;
        }
        let overview = Folder::open(&self.output, self.force)?;
        let interrupts = Interrupts::watch();
        for study in &mut studies {
            if let Err(error) = self.one(study, &store, &interrupts) {
                study.trouble = Some(format!("{error:#}"));
            }
            if study.is_chosen && !interrupts.came() {
                self.tell(study, output)?;
            }
        }
        self.write_overview(&studies, overview)?;
        anyhow::ensure!(!interrupts.came(), "stopped; the same command goes on");
        let failed: Vec<&Study> = studies.iter().filter(|study| study.is_chosen && study.trouble.is_some()).collect();
        for study in &failed {
            remark(format!("lanista: {}: {}", study.file.name, study.trouble.as_deref().unwrap_or_default()));
        }
        if !output.is_json() {
            output.line(self.output.join("README.md").display())?;
        }
        Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// The studies of the folder.
    fn find(&self) -> anyhow::Result<Vec<Study>> {
        let folder = self.folder.display();
        let files = study_files(&self.folder).with_context(|| format!("cannot read {folder}"))?;
        anyhow::ensure!(!files.is_empty(), "{folder}: expected studies as {folder}/DOCUMENT/STUDY.toml, found none");
        let is_meant = |name: &str, only: &str| name == only || name.split('/').next() == Some(only);
        for only in &self.only {
            let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
            let known = names.iter().any(|name| is_meant(name, only));
            anyhow::ensure!(known, "--only {only}: no such study, expected one of: {}", names.join(", "));
        }
        let mut studies = Vec::new();
        for file in files {
            let bytes = file.read().with_context(|| format!("cannot read {}", file.path.display()))?;
            let is_chosen = self.only.is_empty() || self.only.iter().any(|only| is_meant(&file.name, only));
            studies.push(Study {
                file,
                bytes,
                is_chosen,
                text: None,
                run: None,
                summary: None,
                has_new_words: false,
                trouble: None,
            });
        }
        let text = |study: &Study| String::from_utf8_lossy(&study.bytes).into_owned();
        let mut scales: Vec<String> = studies.iter().flat_map(|study| scale_names(&text(study))).collect();
        scales.push(FULL.to_string());
        scales.sort();
        scales.dedup();
        // A mistyped name would run everything in full.
        let known = scales.contains(&self.scale);
        anyhow::ensure!(known, "--scale {}: no study has it, expected one of: {}", self.scale, scales.join(", "));
        Ok(studies)
    }

    /// Runs a study if need be, and writes its report.
    fn one(&self, study: &mut Study, store: &Store, interrupts: &Interrupts) -> anyhow::Result<()> {
        let (plan, scale) = study.file.plan(&study.bytes, &self.scale)?;
        study.text = Some(plan.text.clone());
        study.run = run_of(store, &plan)?;
        let folder = self.output.join(&study.file.name);
        let hash = study_hash(&plan);
        study.summary = Summary::read(&folder, &hash)?;
        if !study.is_chosen || interrupts.came() {
            return self.keep(study, scale, &folder);
        }
        let is_done = study.run.as_ref().is_some_and(|row| row.status == "finished");
        if !is_done && !self.report_only {
            let run = self.go(study, &plan, store, &interrupts.next_run());
            // What was done of it until it failed is worth a look.
            study.run = run_of(store, &plan)?;
            run?;
        }
        // Only reports are wanted, and this one is of another store: its words are all that can be written.
        let Some(row) = &study.run else { return self.keep(study, scale, &folder) };
        let changes = scale_changes(&String::from_utf8_lossy(&study.bytes), scale);
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let whole = |path: &Path| path.canonicalize().with_context(|| format!("cannot find {}", path.display()));
        let link = way_between(&whole(&folder)?, &whole(&study.file.path)?);
        let file = study.file.path.display().to_string();
        let report =
            StudyReport { run: row.run, hash: &hash, text: &plan.text, file: &file, link: &link, changes: &changes };
        write_study(store, &report, &folder, self.force)?;
        study.summary = Summary::read(&folder, &hash)?;
        Ok(())
    }

    /// Keeps the report that there is, at whichever scale it was run. Where only reports are wanted, it gets the words of the file.
    fn keep(&self, study: &mut Study, scale: &str, folder: &Path) -> anyhow::Result<()> {
        let text = String::from_utf8_lossy(&study.bytes);
        let mut scale = scale.to_string();
        if study.summary.is_none() && folder.exists() {
            let others = std::iter::once(FULL.to_string()).chain(scale_names(&text));
            for other in others.filter(|other| *other != scale) {
                // A mistake in a scale that nobody asked for is no trouble here.
                let Ok((plan, _)) = study.file.plan(&study.bytes, &other) else { continue };
                if let Some(summary) = Summary::read(folder, &study_hash(&plan))? {
                    (study.summary, study.text, scale) = (Some(summary), Some(plan.text), other);
                    break;
                }
            }
        }
        let is_finished = study.summary.as_ref().is_some_and(Summary::is_finished);
        if let (true, Some(words)) = (study.is_chosen && self.report_only && is_finished, &study.text) {
            study.has_new_words = write_words(words, &scale_changes(&text, &scale), folder)?;
        }
        Ok(())
    }

    /// Runs a study, or goes on with it.
    fn go(&self, study: &Study, plan: &Plan, store: &Store, cancel: &Cancel) -> anyhow::Result<()> {
        if !self.progress.quiet && !self.progress.events {
            remark(&study.file.name);
        }
        let file = study.file.path.display().to_string();
        let mut writer = store.another()?;
        let stored;
        let (plan, run, starts) = match &study.run {
            Some(row) => {
                stored = stored_plan(row, store)?;
                let starts = starts(row, &stored, store)?;
                (&stored, row.run, starts)
            }
            None => {
                let run = writer.begin(NewRun { plan, file: &file, program: PROGRAM })?;
                (plan, run, vec![Start::default(); plan.trials.len()])
            }
        };
        let (threads, progress) = (self.threads, self.progress);
        let begin = Begin { plan, file: &file, threads, progress, cluster: None };
        let finished =
            begin.play_until(cancel, Recorder::new(writer, run), starts).with_context(|| format!("run {run}"))?;
        all_were_played(plan, &file, run, &finished)
    }

    fn tell(&self, study: &Study, output: &mut Output) -> anyhow::Result<()> {
        let run = study.run.as_ref();
        let fingerprint = run.and_then(|row| row.fingerprint.as_deref());
        if output.is_json() {
            return output.json(&json!({
                "study": study.file.name, "run": run.map(|row| row.run), "status": run.map(|row| &row.status),
                "fingerprint": fingerprint, "games": run.map(|row| row.games), "seconds": run.map(|row| row.seconds),
                "core_seconds": run.and_then(|row| row.core_seconds), "trouble": study.trouble,
            }));
        }
        let told = match (run, fingerprint) {
            (Some(row), Some(fingerprint)) => {
                format!("run {}, {} games, {:.1} s, fingerprint {fingerprint}", row.run, row.games, row.seconds)
            }
            (Some(_), None) => "not finished".to_string(),
            (None, _) if study.has_new_words => "not in this store, its report has the new words".to_string(),
            (None, _) if study.summary.is_some() => "not in this store, its report is there".to_string(),
            (None, _) => "not run yet".to_string(),
        };
        output.line(format!("{}: {told}", study.file.name))?;
        Ok(())
    }

    fn write_overview(&self, studies: &[Study], folder: Folder) -> anyhow::Result<()> {
        let row = |study: &Study| OverviewStudy {
            name: study.file.name.clone(),
            text: study.text.clone().unwrap_or_default(),
            summary: study.summary.clone(),
            trouble: study.trouble.clone(),
        };
        let rows: Vec<OverviewStudy> = studies.iter().map(row).collect();
        write_overview(&rows, folder)?;
        Ok(())
    }
}
