//! From fields to studies: everything in a file is checked here, and named with its line if it is wrong.

use super::Trial;
use super::errors::{ExperimentError, Text, nearest};
use super::fields::{Entrant as EntrantFields, Experiment, Format, Keep, PositionsFields, SprtModel};
use super::located::Located;
use crate::blobs::Blobs;
use crate::contest::{Contest, ContestPlan, Entrant, Schedule};
use crate::jobs::{Adjudication, DrawRule, ResignRule};
use crate::limits::Limit;
use crate::openings::Openings;
use crate::players::PlayerSpec;
use crate::positions::{Positions, PositionsPlan};
use crate::registry::{self, GameVisitor, RegisteredGame};
use crate::run::Study;
use crate::statistics::{EloModel, Sprt};

/// Pairs of random plies where nothing else is said.
const RANDOM_PLIES: u32 = 4;
const MOST_PAIRS: u64 = 1_000_000_000;
const MOST_PLAYERS: usize = 256;

/// Checks what does not need players.
pub(super) fn check(experiment: &Experiment, source: &Text<'_>) -> Result<(), ExperimentError> {
    let kinds = [
        experiment.match_.is_some(),
        experiment.tournament.is_some(),
        experiment.depths.is_some(),
        experiment.positions.is_some(),
    ];
    if kinds.iter().filter(|&&given| given).count() != 1 {
        return Err(
            source.wrong(0..0, "expected exactly one of the tables [match], [tournament], [depths] and [positions]")
        );
    }
    range(&experiment.replicates, 1..=10_000, "replicates", source)?;
    if !registry::ids().contains(&experiment.game.as_str()) && registry::visit(&experiment.game, Exists).is_err() {
        let ids = registry::ids();
        let hint = nearest(&experiment.game, ids.iter().copied())
            .map_or(String::new(), |id| format!(", did you mean {id:?}?"));
        let message = format!("unknown game {:?}{hint} Known: {}", *experiment.game, ids.join(", "));
        return Err(source.wrong(experiment.game.span(), message));
    }
    let rules = registry::visit(&experiment.game, ReadRules(&experiment.rules));
    if let Ok(Err(reason)) = rules {
        return Err(source.wrong(experiment.rules.span(), format!("rules {:?}: {reason}", *experiment.rules)));
    }
    for figure in &experiment.published {
        if !figure.value.is_finite() || figure.error.is_some_and(|error| !error.is_finite()) {
            return Err(source.wrong(figure.measurement.span(), "published: expected a finite number"));
        }
    }
    Ok(())
}

struct Exists;

impl GameVisitor for Exists {
    type Output = ();

    fn visit<G: RegisteredGame>(self) {}
}

struct ReadRules<'a>(&'a str);

impl GameVisitor for ReadRules<'_> {
    type Output = Result<(), String>;

    fn visit<G: RegisteredGame>(self) -> Result<(), String> {
        G::rules(self.0).map(drop).map_err(|error| error.to_string())
    }
}

/// Builds the player once, to see that it can be.
struct TryPlayer<'a>(&'a PlayerSpec, &'a Blobs);

impl GameVisitor for TryPlayer<'_> {
    type Output = Result<(), String>;

    fn visit<G: RegisteredGame>(self) -> Result<(), String> {
        self.0.build::<G>(self.1).map(drop).map_err(|error| error.to_string())
    }
}

/// The study of a trial.
pub(super) fn study(trial: &Trial, blobs: &Blobs, source: &Text<'_>) -> Result<Box<dyn Study>, ExperimentError> {
    match &trial.experiment.positions {
        Some(fields) => {
            Ok(Box::new(Builder { experiment: &trial.experiment, blobs, source }.positions(trial, fields)?))
        }
        None => Ok(Box::new(contest(trial, blobs, source)?)),
    }
}

/// The contest of a trial.
pub(super) fn contest(trial: &Trial, blobs: &Blobs, source: &Text<'_>) -> Result<Contest, ExperimentError> {
    let experiment = &trial.experiment;
    let builder = Builder { experiment, blobs, source };
    if let Some(fields) = &experiment.match_ {
        let entrants = vec![
            builder.entrant(None, &fields.a, &fields.limit_a)?,
            builder.entrant(None, &fields.b, &fields.limit_b)?,
        ];
        let sprt = fields.sprt.as_ref().map(|bounds| builder.sprt(bounds, fields.sprt_model)).transpose()?;
        builder.contest(trial, builder.distinct(entrants), Schedule::RoundRobin, &fields.pairs, sprt)
    } else if let Some(fields) = &experiment.tournament {
        let entrants = builder.entrants(&fields.players, "tournament.players")?;
        let schedule = match fields.format {
            Format::RoundRobin => Schedule::RoundRobin,
            Format::Gauntlet => Schedule::Gauntlet,
            Format::KnockOut => Schedule::KnockOut,
            Format::Swiss => Schedule::Swiss {
                rounds: match &fields.rounds {
                    None => Schedule::swiss_rounds(entrants.len()),
                    Some(rounds) => range(rounds, 1..=1000, "rounds", source)?,
                },
            },
        };
        if let (Some(rounds), false) = (&fields.rounds, fields.format == Format::Swiss) {
            return Err(source.wrong(rounds.span(), "rounds belongs to format = \"swiss\""));
        }
        builder.contest(trial, entrants, schedule, &fields.pairs, None)
    } else if let Some(fields) = &experiment.depths {
        if fields.depths.is_empty() || fields.depths.iter().any(|depth| !(1..=1000).contains(depth)) {
            return Err(source.wrong(fields.depths.span(), "depths: expected a list of whole numbers from 1 to 1000"));
        }
        let base = builder.entrant(None, &fields.player, &Located::default())?;
        let at_depth = |&depth: &u32| Entrant {
            name: depth.to_string(),
            limit: Limit { depth: Some(depth), ..base.limit },
            ..base.clone()
        };
        builder.contest(trial, fields.depths.iter().map(at_depth).collect(), Schedule::Grid, &fields.pairs, None)
    } else {
        Err(source.wrong(0..0, "no contest in it"))
    }
}

struct Builder<'a> {
    experiment: &'a Experiment,
    blobs: &'a Blobs,
    source: &'a Text<'a>,
}

impl Builder<'_> {
    fn positions(&self, trial: &Trial, fields: &PositionsFields) -> Result<Positions, ExperimentError> {
        let entrants = self.entrants(&fields.players, "positions.players")?;
        if fields.plies.is_empty() || fields.plies.iter().any(|&plies| plies > 10_000) {
            return Err(self.source.wrong(fields.plies.span(), "plies: expected a list of whole numbers up to 10000"));
        }
        let per_length = range(&fields.per_length, 1..=1_000_000, "per-length", self.source)?;
        let reference = match &fields.agree_with {
            None => None,
            Some(name) => Some(entrants.iter().position(|entrant| entrant.name == **name).ok_or_else(|| {
                let known: Vec<&str> = entrants.iter().map(|entrant| entrant.name.as_str()).collect();
                self.source.wrong(
                    name.span(),
                    format!("agree-with: no player is called {:?}, there are: {}", **name, known.join(", ")),
                )
            })?),
        };
        let (game, rules) = (self.experiment.game.to_string(), self.experiment.rules.to_string());
        let positions = PositionsPlan::random_positions(&game, &rules, &fields.plies, per_length, trial.seed.child(0))
            .map_err(|reason| self.source.wrong(fields.plies.span(), format!("plies: {reason}")))?;
        let plan = PositionsPlan {
            game,
            rules,
            entrants,
            depths: fields.depths.clone(),
            reference,
            positions,
            seed: trial.seed.child(1),
        };
        Ok(Positions::new(plan))
    }

    fn contest(
        &self,
        trial: &Trial,
        entrants: Vec<Entrant>,
        schedule: Schedule,
        pairs: &Located<u64>,
        sprt: Option<Sprt>,
    ) -> Result<Contest, ExperimentError> {
        let plan = ContestPlan {
            game: self.experiment.game.to_string(),
            rules: self.experiment.rules.to_string(),
            entrants,
            schedule,
            pairs: range(pairs, 1..=MOST_PAIRS, "pairs", self.source)?,
            openings: self.openings(trial)?,
            adjudication: self.adjudication()?,
            sprt,
            keep_games: self.experiment.record == Keep::Games,
            seed: trial.seed,
        };
        Ok(Contest::new(plan))
    }

    fn entrants(&self, fields: &[EntrantFields], what: &str) -> Result<Vec<Entrant>, ExperimentError> {
        if !(1..=MOST_PLAYERS).contains(&fields.len()) || fields.len() < 2 && what.starts_with("tournament") {
            let message = format!("{what}: {} players, expected 2 to {MOST_PLAYERS}", fields.len());
            return Err(self.source.wrong(self.source.place_of(what), message));
        }
        let entrants = fields
            .iter()
            .map(|fields| self.entrant(fields.name.as_deref(), &fields.player, &fields.limit))
            .collect::<Result<Vec<_>, _>>()?;
        for (index, entrant) in entrants.iter().enumerate() {
            let named = fields[index].name.is_some();
            if named && entrants[..index].iter().any(|other| other.name == entrant.name) {
                let message = format!("two players are called {:?}", entrant.name);
                return Err(self.source.wrong(fields[index].player.span(), message));
            }
        }
        Ok(self.distinct(entrants))
    }

    /// Players without names of their own that are the same get numbers.
    fn distinct(&self, mut entrants: Vec<Entrant>) -> Vec<Entrant> {
        for index in 1..entrants.len() {
            let name = entrants[index].name.clone();
            let same = entrants[..index]
                .iter()
                .filter(|other| other.name == name || other.name.starts_with(&format!("{name} #")))
                .count();
            if same > 0 {
                entrants[index].name = format!("{name} #{}", same + 1);
            }
        }
        entrants
    }

    fn entrant(
        &self,
        name: Option<&str>,
        player: &Located<String>,
        limit: &Located<String>,
    ) -> Result<Entrant, ExperimentError> {
        let wrong = |reason: String| self.source.wrong(player.span(), reason);
        if let Some(name) =
            name.filter(|name| name.is_empty() || name.chars().count() > 60 || name.contains(char::is_control))
        {
            return Err(wrong(format!("name {name:?}: expected 1 to 60 characters on one line")));
        }
        let spec = PlayerSpec::parse(player).map_err(|error| wrong(error.to_string()))?;
        let spec = spec.pinned(self.blobs).map_err(|error| wrong(error.to_string()))?;
        match registry::visit(&self.experiment.game, TryPlayer(&spec, self.blobs)) {
            Ok(Err(reason)) => return Err(wrong(reason)),
            Err(error) => return Err(wrong(error.to_string())),
            Ok(Ok(())) => {}
        }
        let limit = Limit::parse(limit).map_err(|error| self.source.wrong(limit.span(), error.to_string()))?;
        let described = if limit == Limit::default() { player.to_string() } else { format!("{} ({limit})", **player) };
        Ok(Entrant { name: name.map_or(described, str::to_string), player: spec.text().to_string(), limit })
    }

    fn sprt(&self, bounds: &Located<[f64; 2]>, model: SprtModel) -> Result<Sprt, ExperimentError> {
        let model = match model {
            SprtModel::Logistic => EloModel::Logistic,
            SprtModel::Normalised => EloModel::Normalised,
        };
        Sprt::new(bounds[0], bounds[1], 0.05, 0.05, model)
            .map_err(|error| self.source.wrong(bounds.span(), format!("sprt: {error}")))
    }

    fn openings(&self, trial: &Trial) -> Result<Openings, ExperimentError> {
        let fields = &self.experiment.openings;
        let (game, rules) = (self.experiment.game.as_str(), self.experiment.rules.as_str());
        let book = fields.book == Some(true);
        let place = || self.source.place_of("[openings]");
        let given = [fields.random_plies.is_some(), fields.file.is_some(), book];
        if given.iter().filter(|&&given| given).count() > 1 {
            return Err(self.source.wrong(place(), "openings: expected one of random-plies, file and book"));
        }
        let mut openings = if let Some(file) = &fields.file {
            let wrong = |reason: String| self.source.wrong(file.span(), reason);
            let (_, content) = self.blobs.load(file).map_err(|reason| wrong(format!("{}: {reason}", **file)))?;
            Openings::from_file(game, rules, file, &content).map_err(wrong)?
        } else if book {
            Openings::from_book(game, rules).map_err(|reason| self.source.wrong(place(), reason))?
        } else {
            let plies = match &fields.random_plies {
                None => RANDOM_PLIES,
                Some(plies) => range(plies, 0..=200, "random-plies", self.source)?,
            };
            Openings::random(game, rules, plies, trial.seed.child(0))
        };
        if let Some(first) = &fields.first {
            openings.truncate(range(first, 1..=1_000_000, "first", self.source)? as usize);
        }
        Ok(openings)
    }

    fn adjudication(&self) -> Result<Adjudication, ExperimentError> {
        let Some(fields) = &self.experiment.adjudication else { return Ok(Adjudication::default()) };
        for score in [&fields.resign_score, &fields.draw_score].into_iter().flatten() {
            if !(0.0..=10_000.0).contains(&**score) {
                return Err(self.source.wrong(score.span(), "adjudication: expected a score from 0 to 10000"));
            }
        }
        if fields.resign_moves == 0 || fields.draw_moves == 0 {
            return Err(self
                .source
                .wrong(self.source.place_of("[adjudication]"), "adjudication: expected at least 1 move"));
        }
        Ok(adjudication(self.experiment))
    }
}

/// When games are broken off.
pub(super) fn adjudication(experiment: &Experiment) -> Adjudication {
    let Some(fields) = &experiment.adjudication else { return Adjudication::default() };
    let resign = fields.resign_score.as_ref().map(|score| ResignRule { score: **score, moves: fields.resign_moves });
    let draw = fields.draw_score.as_ref().map(|score| DrawRule {
        score: **score,
        moves: fields.draw_moves,
        from_ply: fields.draw_from_ply,
    });
    Adjudication { resign, draw }
}

/// A number within its range.
fn range<T: PartialOrd + Copy + std::fmt::Display>(
    number: &Located<T>,
    allowed: std::ops::RangeInclusive<T>,
    name: &str,
    source: &Text<'_>,
) -> Result<T, ExperimentError> {
    if allowed.contains(&**number) {
        return Ok(**number);
    }
    let message = format!("{name} = {}: expected {} to {}", **number, allowed.start(), allowed.end());
    Err(source.wrong(number.span(), message))
}
