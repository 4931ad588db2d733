//! Experiments as files: one TOML text describes a study completely.

mod build;
mod build_learner;
mod build_offline;
mod build_start;
mod change;
mod errors;
mod fields;
mod learner_fields;
mod located;
mod reference;
mod sameness;
mod scale;
mod sweep;

use std::sync::Arc;

use lanista_core::Seed;
use serde::Deserialize;

use crate::blobs::Blobs;
use crate::contest::{self, Contest};
use crate::jobs::Adjudication;
use crate::run::Study;
pub use change::changed;
pub use errors::ExperimentError;
use errors::Text;
pub use fields::*;
pub use learner_fields::*;
pub use located::Located;
pub use reference::reference;
pub use sameness::{essence, is_same_study};
pub use scale::{FULL, changes as scale_changes, names_of as scale_names};
use sweep::{MOST_TRIALS, Values};

/// An experiment that was read and checked, with all its trials.
#[derive(Debug)]
pub struct Plan {
    /// The text.
    pub text: String,
    /// The experiment; of a sweep, its first trial.
    pub experiment: Experiment,
    /// The trials in order: every setting of the sweep, every replicate.
    pub trials: Vec<Trial>,
    /// The content of the files that its players need.
    pub blobs: Arc<Blobs>,
}

/// One trial: one setting, one seed.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The values of the sweep, as `name=value` separated by spaces; empty without a sweep.
    pub setting: String,
    /// Which replicate, from 0.
    pub replicate: u32,
    /// Its seed.
    pub seed: Seed,
    /// Its experiment.
    pub(crate) experiment: Experiment,
    /// Its text, the values put in.
    text: Arc<str>,
}

/// What a sweep needs before the rest can be read.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    seed: u64,
    sweep: Option<Located<Sweep>>,
}

/// The largest file.
const MOST_BYTES: usize = 1 << 20;
/// The most text of all trials of a sweep.
const MOST_BYTES_OF_TRIALS: usize = 256 << 20;

impl Plan {
    /// Reads an experiment, and sees that all its scales are good. `file` names it in messages; files in it come from `blobs`.
    pub fn read(text: &str, file: &str, blobs: Arc<Blobs>) -> Result<Plan, ExperimentError> {
        let plan = Plan::read_alone(text, file, blobs)?;
        for scale in scale::names(&plan.experiment.scale, &Text { text, file })? {
            Plan::read_scale(text, &scale, file, Arc::clone(&plan.blobs))?;
        }
        Ok(plan)
    }

    /// Reads an experiment at one of its scales. The plan's text is the changed one; it says which scale it is. [`FULL`] is the
    /// experiment itself, whatever its scales are.
    pub fn read_scale(text: &str, scale: &str, file: &str, blobs: Arc<Blobs>) -> Result<Plan, ExperimentError> {
        if scale == FULL {
            return Plan::read_alone(text, file, blobs);
        }
        let source = Text { text, file };
        is_short(&source)?;
        let scaled = scale::at_scale(&source, scale)?;
        Plan::read_alone(&scaled.text, file, blobs).map_err(|error| scaled.explain(&error, &source))
    }

    /// Reads an experiment, and takes no notice of its scales: for texts that were read before.
    pub fn read_alone(text: &str, file: &str, blobs: Arc<Blobs>) -> Result<Plan, ExperimentError> {
        let source = Text { text, file };
        is_short(&source)?;
        let head: Head = toml::from_str(text).map_err(|error| source.wrong_toml(&error))?;
        let settings = match &head.sweep {
            None => vec![Values::default()],
            Some(sweep) => sweep::settings(sweep, sweep.span(), Seed::new(head.seed).child(0), &source)?,
        };
        if settings.len() * text.len() > MOST_BYTES_OF_TRIALS {
            let message = format!("{} trials of {} bytes: expected fewer or shorter ones", settings.len(), text.len());
            return Err(source.wrong(0..0, message));
        }
        let (mut trials, mut firsts) = (Vec::new(), Vec::new());
        for (index, values) in settings.iter().enumerate() {
            let text: Arc<str> = values.put_into(text).into();
            let source = Text { text: &text, file };
            let experiment: Experiment = toml::from_str(&text)
                .map_err(|error| source.wrong_toml(&error))
                .and_then(|experiment| build::check(&experiment, &source).map(|()| experiment))
                .map_err(|error| in_trial(error, values, &text))?;
            firsts.push(trials.len());
            if trials.len() + *experiment.replicates as usize > MOST_TRIALS {
                let message = format!("settings × replicates: expected at most {MOST_TRIALS} trials in all");
                return Err(source.wrong(experiment.replicates.span(), message));
            }
            for replicate in 0..*experiment.replicates {
                trials.push(Trial {
                    setting: values.to_string(),
                    replicate,
                    seed: Seed::new(experiment.seed).child(1).child(index as u64).child(u64::from(replicate)),
                    experiment: experiment.clone(),
                    text: Arc::clone(&text),
                });
            }
        }
        let experiment = trials[0].experiment.clone();
        let plan = Plan { text: text.to_string(), experiment, trials, blobs };
        // Building every study finds what is wrong with players, openings and positions.
        for (values, index) in settings.iter().zip(firsts) {
            plan.study(index, file).map_err(|error| in_trial(error, values, &plan.trials[index].text))?;
        }
        Ok(plan)
    }

    /// Reads an experiment from the bytes of a file, as [`Plan::read`] does.
    pub fn read_bytes(bytes: &[u8], file: &str, blobs: Arc<Blobs>) -> Result<Plan, ExperimentError> {
        Plan::read(text_of(bytes, file)?, file, blobs)
    }

    /// The study of a trial, not begun.
    pub fn study(&self, trial: usize, file: &str) -> Result<Box<dyn Study>, ExperimentError> {
        let trial = &self.trials[trial];
        build::study(trial, &self.blobs, &Text { text: &trial.text, file })
    }

    /// The contest of a trial as a saved state left it, for studies that are contests.
    pub fn contest(&self, trial: usize, state: &[u8], file: &str) -> Result<Contest, ExperimentError> {
        let trial = &self.trials[trial];
        let source = Text { text: &trial.text, file };
        let mut contest = build::contest(trial, &self.blobs, &source)?;
        contest.restore(state).map_err(|reason| source.wrong(0..0, reason))?;
        Ok(contest)
    }

    /// Who plays in the contest of a trial, for studies that are contests.
    pub fn entrants(&self, trial: usize, file: &str) -> Result<Vec<contest::Entrant>, ExperimentError> {
        let trial = &self.trials[trial];
        let contest = build::contest(trial, &self.blobs, &Text { text: &trial.text, file })?;
        Ok(contest.plan().entrants.clone())
    }

    /// What kind of study it is.
    pub fn kind(&self) -> &'static str {
        self.experiment.kind()
    }

    /// Whether what is done first does not depend on how long it goes on.
    pub fn has_no_horizon(&self) -> bool {
        let falls = |trial: &Trial| build_learner::falls_over_time(&trial.experiment);
        !self.trials.iter().any(falls)
    }

    /// Whether offline training begins with that of a shorter plan, cycle by cycle and step by step. An error says why it does not.
    pub fn trains_on_after(&self, shorter: &Plan) -> Result<(), &'static str> {
        let mut pairs = shorter.trials.iter().zip(&self.trials);
        pairs.try_for_each(|(old, new)| build_offline::trains_on(&old.experiment, &new.experiment))
    }

    /// The champion of a trial as a player, its weights in `file`; `None` where nothing learns.
    pub fn champion(&self, trial: usize, file: &str) -> Option<String> {
        let experiment = &self.trials.get(trial)?.experiment;
        let learner = experiment.learner.as_ref()?;
        let evaluator = evaluator_of(learner.weights_of.as_ref().map(|name| name.as_str()), experiment.neat.is_some());
        Some(learner.player.replace("eval=genome", &format!("eval={evaluator}@{file}")))
    }

    /// When games are broken off.
    pub fn adjudication(&self) -> Adjudication {
        build::adjudication(&self.experiment)
    }

    /// The hash of the text.
    pub fn hash(&self) -> String {
        blake3::hash(self.text.as_bytes()).to_hex()[..16].to_string()
    }
}

/// The text of an experiment's file.
pub fn text_of<'a>(bytes: &'a [u8], file: &str) -> Result<&'a str, ExperimentError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let good = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
        let column = good.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let message = format!("column {column}: not a text in UTF-8, which TOML is");
        Text { text: good, file }.wrong(good.len()..good.len(), message)
    })
}

fn is_short(source: &Text<'_>) -> Result<(), ExperimentError> {
    match source.text.len() {
        0..=MOST_BYTES => Ok(()),
        length => Err(source.wrong(0..0, format!("{length} bytes, expected at most {MOST_BYTES}"))),
    }
}

/// What is wrong with one trial of a sweep, with its values, and with the placeholder that may be the reason.
fn in_trial(mut error: ExperimentError, values: &Values, text: &str) -> ExperimentError {
    let line = text.lines().nth(error.line - 1).unwrap_or_default();
    if let Some(name) = sweep::placeholders(line).find(|name| error.message.contains(name)) {
        let near = errors::nearest(name, values.names());
        let hint = near.map_or(String::new(), |near| format!(", did you mean {{{near}}}?"));
        error.message += &format!("; no sweep gives {{{name}}} a value{hint}");
    }
    let setting = values.to_string();
    if !setting.is_empty() {
        error.message += &format!(" (in the trial {setting})");
    }
    error
}
