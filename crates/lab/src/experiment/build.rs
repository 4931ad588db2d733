//! From fields to studies: everything in a file is checked here, and named with its line if it is wrong.

use std::ops::{Range, RangeInclusive};

use lanista_core::ParseError;

use super::Trial;
use super::errors::{ExperimentError, Text};
use super::fields::{
    Entrant as EntrantFields, Experiment, Format, Headline, Keep, PositionsFields, Published, SprtModel,
};
use super::located::Located;
use super::sweep::MOST_TRIALS;
use crate::blobs::{Blob, Blobs};
use crate::contest::{Contest, ContestPlan, Entrant, Schedule};
use crate::jobs::{Adjudication, DrawRule, ResignRule};
use crate::limits::Limit;
use crate::openings::Openings;
use crate::players::{LONGEST_TEXT, PlayerSpec};
use crate::positions::{Positions, PositionsPlan};
use crate::registry::{self, GameVisitor, RegisteredGame};
use crate::run::Study;
use crate::statistics::{EloModel, Sprt};

/// Random plies that games begin with where nothing else is said.
const RANDOM_PLIES: u32 = 4;
const MOST_PAIRS: u64 = 1_000_000_000;
const MOST_PLAYERS: usize = 256;
const MOST_POSITIONS: u64 = 100_000;

/// Checks what does not need players.
pub(super) fn check(experiment: &Experiment, source: &Text<'_>) -> Result<(), ExperimentError> {
    let kinds = experiment.kinds();
    let given: Vec<&str> = kinds.iter().filter(|(_, given)| *given).map(|&(kind, _)| kind).collect();
    if given.len() != 1 {
        let found = if given.is_empty() { "none".to_string() } else { given.join(" and ") };
        let names: Vec<String> = kinds.iter().map(|(kind, _)| format!("[{kind}]")).collect();
        let expected = format!("expected exactly one of the tables {}", names.join(", "));
        let place = given.iter().map(|kind| source.place_of(&format!("[{kind}"))).max_by_key(|place| place.start);
        return Err(source.wrong(place.unwrap_or(0..0), format!("{expected}, found {found}")));
    }
    if experiment.is_learning() {
        let openings = &experiment.openings;
        let stray = [
            ("openings", openings.random_plies.is_some() || openings.file.is_some() || openings.book.is_some()),
            ("adjudication", experiment.adjudication.is_some()),
        ];
        if let Some((name, _)) = stray.iter().find(|(_, given)| *given) {
            let message = format!("[{name}]: learners play whole games from the start, expected no such table");
            return Err(source.wrong(source.place_of(&format!("[{name}")), message));
        }
    } else {
        let stray = [("learner", experiment.learner.is_some()), ("measure", experiment.measure.is_some())];
        if let Some((name, _)) = stray.iter().find(|(_, given)| *given) {
            let message = format!("[{name}] belongs to something that learns, not to [{}]", given[0]);
            return Err(source.wrong(source.place_of(&format!("[{name}")), message));
        }
    }
    if experiment.title.trim().is_empty() {
        return Err(
            source.wrong(source.place_of_field(0..0, "title"), "title is empty, expected what the study is called")
        );
    }
    range(&experiment.replicates, 1..=MOST_TRIALS as u32, "replicates", source)?;
    is_bearable(&experiment.game, "game", source)?;
    readable_rules(&experiment.game, &experiment.rules, source)?;
    experiment.published.iter().try_for_each(|figure| published(figure, source))?;
    experiment.headline.iter().try_for_each(|figure| headline(figure, source))
}

fn headline(figure: &Headline, source: &Text<'_>) -> Result<(), ExperimentError> {
    if figure.name.trim().is_empty() {
        return Err(source.wrong(figure.name.span(), "headline: name is empty, expected what a reader would call it"));
    }
    is_measurement(&figure.measurement, "headline", source)
}

fn is_measurement(name: &Located<String>, part: &str, source: &Text<'_>) -> Result<(), ExperimentError> {
    match name.trim() {
        "" => {
            let message = format!("{part}: measurement is empty, expected a name that lanista show prints");
            Err(source.wrong(name.span(), message))
        }
        _ => Ok(()),
    }
}

fn published(figure: &Published, source: &Text<'_>) -> Result<(), ExperimentError> {
    is_measurement(&figure.measurement, "published", source)?;
    if !figure.value.is_finite() {
        let message = format!("published: value = {}: expected a finite number", *figure.value);
        return Err(source.wrong(figure.value.span(), message));
    }
    match &figure.error {
        Some(error) if !error.is_finite() || **error < 0.0 => {
            let message = format!("published: error = {}: expected a finite number, 0 or more", **error);
            Err(source.wrong(error.span(), message))
        }
        _ => Ok(()),
    }
}

/// Long texts are mistakes.
pub(super) fn is_bearable(text: &Located<String>, name: &str, source: &Text<'_>) -> Result<(), ExperimentError> {
    match text.len() {
        0..=LONGEST_TEXT => Ok(()),
        length => Err(source.wrong(text.span(), format!("{name}: {length} bytes, expected at most {LONGEST_TEXT}"))),
    }
}

/// Rules that the game knows.
pub(super) fn readable_rules<'a>(
    game: &Located<String>,
    rules: &'a Located<String>,
    source: &Text<'_>,
) -> Result<&'a str, ExperimentError> {
    is_bearable(rules, "rules", source)?;
    let read = registry::visit(game, ReadRules(rules)).map_err(|error| source.wrong(game.span(), error.to_string()))?;
    read.map_err(|error| {
        let message = format!("rules {:?}: column {}: {}", **rules, error.column, error.message);
        source.wrong(rules.span(), message)
    })?;
    Ok(rules)
}

struct ReadRules<'a>(&'a str);

impl GameVisitor for ReadRules<'_> {
    type Output = Result<(), ParseError>;

    fn visit<G: RegisteredGame>(self) -> Result<(), ParseError> {
        G::rules(self.0).map(drop)
    }
}

/// Builds the player once, to see that it can be.
pub(super) struct TryPlayer<'a>(pub(super) &'a PlayerSpec, pub(super) &'a Blobs);

impl GameVisitor for TryPlayer<'_> {
    type Output = Result<(), String>;

    fn visit<G: RegisteredGame>(self) -> Result<(), String> {
        self.0.build::<G>(self.1).map(drop).map_err(|error| error.to_string())
    }
}

/// The study of a trial.
pub(super) fn study(trial: &Trial, blobs: &Blobs, source: &Text<'_>) -> Result<Box<dyn Study>, ExperimentError> {
    let builder = Builder { experiment: &trial.experiment, blobs, source };
    if let Some(fields) = &trial.experiment.positions {
        return Ok(Box::new(builder.positions(trial, fields)?));
    }
    if trial.experiment.is_learning() {
        return Ok(Box::new(builder.course(trial)?));
    }
    Ok(Box::new(contest(trial, blobs, source)?))
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
        let mut plan = builder.contest(trial, builder.distinct(entrants), Schedule::RoundRobin, &fields.pairs)?;
        plan.sprt = sprt;
        plan.match_scores = fields.match_scores;
        Ok(Contest::new(plan))
    } else if let Some(fields) = &experiment.tournament {
        let entrants = builder.entrants(&fields.players, 2)?;
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
        Ok(Contest::new(builder.contest(trial, entrants, schedule, &fields.pairs)?))
    } else if let Some(fields) = &experiment.depths {
        numbers(&fields.depths, 1..=1000, "depths", source)?;
        if fields.depths.is_empty() {
            return Err(source.wrong(fields.depths.span(), "depths is empty, expected at least one depth"));
        }
        let base = builder.entrant(None, &fields.player, &Located::default())?;
        let at_depth = |&depth: &u32| Entrant {
            name: depth.to_string(),
            limit: Limit { depth: Some(depth), ..base.limit },
            ..base.clone()
        };
        let entrants = fields.depths.iter().map(at_depth).collect();
        Ok(Contest::new(builder.contest(trial, entrants, Schedule::Grid, &fields.pairs)?))
    } else {
        Err(source.wrong(0..0, "no contest in it"))
    }
}

pub(super) struct Builder<'a> {
    pub(super) experiment: &'a Experiment,
    pub(super) blobs: &'a Blobs,
    pub(super) source: &'a Text<'a>,
}

impl Builder<'_> {
    fn positions(&self, trial: &Trial, fields: &PositionsFields) -> Result<Positions, ExperimentError> {
        let entrants = self.entrants(&fields.players, 1)?;
        numbers(&fields.depths, 1..=1000, "depths", self.source)?;
        numbers(&fields.plies, 0..=10_000, "plies", self.source)?;
        if fields.plies.is_empty() {
            return Err(self.source.wrong(fields.plies.span(), "plies is empty, expected at least one length"));
        }
        let per_length = range(&fields.per_length, 1..=MOST_POSITIONS as u32, "per-length", self.source)?;
        let positions = fields.plies.len() as u64 * u64::from(per_length);
        if positions > MOST_POSITIONS {
            let message = format!("{positions} positions (plies × per-length), expected at most {MOST_POSITIONS}");
            return Err(self.source.wrong(fields.per_length.span(), message));
        }
        self.has_no_games()?;
        let reference = match &fields.agree_with {
            None => None,
            Some(name) => Some(entrants.iter().position(|entrant| entrant.name == **name).ok_or_else(|| {
                let known: Vec<&str> = entrants.iter().map(|entrant| entrant.name.as_str()).collect();
                let message = format!("agree-with: unknown player {:?}, expected one of: {}", **name, known.join(", "));
                self.source.wrong(name.span(), message)
            })?),
        };
        let is_deep = !fields.depths.is_empty() && fields.depths.iter().all(|depth| *depth >= 2);
        if *fields.judge_moves && !(is_deep && reference.is_some()) {
            let message = "judge-moves: expected depths of 2 or more and agree-with, the player that judges";
            return Err(self.source.wrong(fields.judge_moves.span(), message));
        }
        let (game, rules) = (self.experiment.game.to_string(), self.experiment.rules.to_string());
        let positions = PositionsPlan::random_positions(&game, &rules, &fields.plies, per_length, trial.seed.child(0))
            .map_err(|reason| self.source.wrong(fields.plies.span(), format!("plies: {reason}")))?;
        let plan = PositionsPlan {
            game,
            rules,
            entrants,
            depths: fields.depths.to_vec(),
            reference,
            judges_moves: *fields.judge_moves,
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
    ) -> Result<ContestPlan, ExperimentError> {
        Ok(ContestPlan {
            game: self.experiment.game.to_string(),
            rules: self.experiment.rules.to_string(),
            entrants,
            schedule,
            pairs: range(pairs, 1..=MOST_PAIRS, "pairs", self.source)?,
            openings: self.openings(trial)?,
            adjudication: self.adjudication()?,
            sprt: None,
            match_scores: false,
            keep_games: self.experiment.record == Keep::Games,
            seed: trial.seed,
        })
    }

    /// Several players, with names of their own.
    pub(super) fn entrants(
        &self,
        fields: &Located<Vec<EntrantFields>>,
        least: usize,
    ) -> Result<Vec<Entrant>, ExperimentError> {
        if !(least..=MOST_PLAYERS).contains(&fields.len()) {
            let message = format!("players: found {}, expected {least} to {MOST_PLAYERS}", fields.len());
            return Err(self.source.wrong(fields.span(), message));
        }
        let entrants = fields
            .iter()
            .map(|fields| self.entrant(fields.name.as_ref(), &fields.player, &fields.limit))
            .collect::<Result<Vec<_>, _>>()?;
        for (index, fields) in fields.iter().enumerate() {
            if let Some(name) = &fields.name
                && entrants[..index].iter().any(|other| other.name == **name)
            {
                return Err(self.source.wrong(name.span(), format!("two players are called {:?}", **name)));
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
        name: Option<&Located<String>>,
        player: &Located<String>,
        limit: &Located<String>,
    ) -> Result<Entrant, ExperimentError> {
        let wrong = |reason: String| self.source.wrong(player.span(), reason);
        let is_bad =
            |name: &str| name.trim().is_empty() || name.chars().count() > 60 || name.contains(char::is_control);
        if let Some(name) = name.filter(|name| is_bad(name)) {
            let start: String = name.chars().take(60).collect();
            let message = format!("name = {start:?}: expected 1 to 60 characters on one line");
            return Err(self.source.wrong(name.span(), message));
        }
        is_bearable(player, "player", self.source)?;
        is_bearable(limit, "limit", self.source)?;
        let spec = PlayerSpec::parse(player).map_err(|error| wrong(error.to_string()))?;
        let spec = spec.pinned(self.blobs).map_err(|error| wrong(error.to_string()))?;
        match registry::visit(&self.experiment.game, TryPlayer(&spec, self.blobs)) {
            Ok(Err(reason)) => {
                // People know files by their names, not by their content.
                let named = |reason: String, blob: Blob| reason.replace(&blob.reference, &blob.name);
                let blobs = self.blobs.all().into_iter().filter(|blob| !blob.name.is_empty());
                return Err(wrong(blobs.fold(reason, named)));
            }
            Err(error) => return Err(wrong(error.to_string())),
            Ok(Ok(())) => {}
        }
        let limit = Limit::parse(limit).map_err(|error| self.source.wrong(limit.span(), format!("limit: {error}")))?;
        let described = if limit == Limit::default() { player.to_string() } else { format!("{} ({limit})", **player) };
        Ok(Entrant { name: name.map_or(described, |name| name.to_string()), player: spec.text().to_string(), limit })
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
        let book = fields.book.as_ref().filter(|book| ***book);
        let mut given = self.given_openings();
        given.sort_by_key(|place| place.start);
        if let Some(second) = given.get(1) {
            return Err(self
                .source
                .wrong(second.clone(), "openings: expected only one of random-plies, file and book"));
        }
        let mut openings = if let Some(file) = &fields.file {
            let wrong = |reason: String| self.source.wrong(file.span(), reason);
            is_bearable(file, "file", self.source)?;
            let (_, content) =
                self.blobs.load(file).map_err(|reason| wrong(format!("openings: file {:?}: {reason}", **file)))?;
            Openings::from_file(game, rules, file, &content).map_err(wrong)?
        } else if let Some(book) = book {
            Openings::from_book(game, rules).map_err(|reason| self.source.wrong(book.span(), reason))?
        } else {
            let plies = match &fields.random_plies {
                None => RANDOM_PLIES,
                Some(plies) => range(plies, 0..=200, "random-plies", self.source)?,
            };
            let openings = Openings::random(game, rules, plies, trial.seed.child(0));
            if let Some(plies) = fields.random_plies.as_ref().filter(|_| plies > 0)
                && openings.clone().of_pairs(0, 1)[0].is_empty()
            {
                let message = format!("random-plies = {}: no random game of {game} lasts that long", **plies);
                return Err(self.source.wrong(plies.span(), message));
            }
            openings
        };
        if let Some(first) = &fields.first {
            if fields.file.is_none() && book.is_none() {
                return Err(self.source.wrong(first.span(), "openings: first belongs to file or book"));
            }
            openings.truncate(range(first, 1..=1_000_000, "first", self.source)? as usize);
        }
        Ok(openings)
    }

    /// Where the file says how games begin.
    fn given_openings(&self) -> Vec<Range<usize>> {
        let fields = &self.experiment.openings;
        let places = [
            fields.random_plies.as_ref().map(Located::span),
            fields.file.as_ref().map(Located::span),
            fields.book.as_ref().filter(|book| ***book).map(Located::span),
        ];
        places.into_iter().flatten().collect()
    }

    /// Studies without games have nothing to begin or to break off.
    fn has_no_games(&self) -> Result<(), ExperimentError> {
        let adjudication = self.experiment.adjudication.as_ref().map(|_| self.source.place_of("[adjudication]"));
        match self.given_openings().into_iter().next().or(adjudication) {
            None => Ok(()),
            Some(place) => Err(self
                .source
                .wrong(place, "positions: no games are played, expected no openings and no adjudication")),
        }
    }

    fn adjudication(&self) -> Result<Adjudication, ExperimentError> {
        let Some(fields) = &self.experiment.adjudication else { return Ok(Adjudication::default()) };
        if fields.resign_score.is_none() && fields.draw_score.is_none() {
            let message = "adjudication: expected resign-score, draw-score or both";
            return Err(self.source.wrong(self.source.place_of("[adjudication]"), message));
        }
        for (name, score) in [("resign-score", &fields.resign_score), ("draw-score", &fields.draw_score)] {
            if let Some(score) = score {
                range(score, 0.0..=10_000.0, name, self.source)?;
            }
        }
        range(&fields.resign_moves, 1..=10_000, "resign-moves", self.source)?;
        range(&fields.draw_moves, 1..=10_000, "draw-moves", self.source)?;
        range(&fields.draw_from_ply, 0..=10_000, "draw-from-ply", self.source)?;
        Ok(adjudication(self.experiment))
    }
}

/// When games are broken off.
pub(super) fn adjudication(experiment: &Experiment) -> Adjudication {
    let Some(fields) = &experiment.adjudication else { return Adjudication::default() };
    let resign = fields.resign_score.as_ref().map(|score| ResignRule { score: **score, moves: *fields.resign_moves });
    let draw = fields.draw_score.as_ref().map(|score| DrawRule {
        score: **score,
        moves: *fields.draw_moves,
        from_ply: *fields.draw_from_ply,
    });
    Adjudication { resign, draw }
}

/// Numbers within their range, each once.
pub(super) fn numbers(
    list: &Located<Vec<u32>>,
    allowed: RangeInclusive<u32>,
    name: &str,
    source: &Text<'_>,
) -> Result<(), ExperimentError> {
    const MOST_NUMBERS: usize = 1000;
    let fail = |message: String| Err(source.wrong(list.span(), message));
    if list.len() > MOST_NUMBERS {
        return fail(format!("{name}: {} numbers, expected at most {MOST_NUMBERS}", list.len()));
    }
    for (index, number) in list.iter().enumerate() {
        if !allowed.contains(number) {
            return fail(format!("{name}: {number}, expected {} to {}", allowed.start(), allowed.end()));
        }
        if list[..index].contains(number) {
            return fail(format!("{name}: {number} is listed twice"));
        }
    }
    Ok(())
}

/// A number within its range.
pub(super) fn range<T: PartialOrd + Copy + std::fmt::Display>(
    number: &Located<T>,
    allowed: RangeInclusive<T>,
    name: &str,
    source: &Text<'_>,
) -> Result<T, ExperimentError> {
    if allowed.contains(&**number) {
        return Ok(**number);
    }
    let message = format!("{name} = {}: expected {} to {}", **number, allowed.start(), allowed.end());
    Err(source.wrong(number.span(), message))
}
