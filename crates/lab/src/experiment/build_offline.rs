//! From fields to offline learning.

use std::ops::RangeInclusive;

use lanista_core::Seed;
use lanista_games::files::check;
use lanista_learn::offline::{Backup, Stage, Training, cycles_in_all};
use lanista_nn::{Layer, Shape, Start};

use super::build::{Builder, TryPlayer, is_bearable, range};
use super::build_learner::{CountInputs, CountWeights};
use super::errors::ExperimentError;
use super::fields::Experiment;
use super::learner_fields::{LayerFields, LearnerFields, OfflineFields, groups_in};
use super::located::Located;
use crate::jobs::{GameRows, Judge};
use crate::learning::{Body, CONSTANT, Learner, Offline, OfflinePlan, Structure, sum_of_features};
use crate::players::PlayerSpec;
use crate::registry::{self, GameVisitor, RegisteredGame};

const MOST_GAMES: u64 = 10_000_000;
const MOST_STRUCTURES: usize = 256;
const MOST_CYCLES: u32 = 1_000_000;
const MOST_IN_MINIBATCH: u32 = 1_000_000;

impl Builder<'_> {
    /// What genomes of offline learning are: one of its structures.
    pub(super) fn offline_body(
        &self,
        learner: &LearnerFields,
        fields: &OfflineFields,
    ) -> Result<Body, ExperimentError> {
        let structures = self.structures(learner, fields)?;
        Ok(Body::OneOf(structures.into_iter().map(|structure| structure.body).collect()))
    }

    /// Offline learning as its table describes it.
    pub(super) fn offline(
        &self,
        learner: &LearnerFields,
        fields: &OfflineFields,
        seed: Seed,
    ) -> Result<Box<dyn Learner>, ExperimentError> {
        if !learner.opponents.is_empty() {
            let message = "opponents: offline has one opponent, named in its own table";
            return Err(self.source.wrong(learner.opponents.span(), message));
        }
        let games = self.even(&fields.games, 0..=MOST_GAMES, "games")?;
        let given = match &fields.file {
            None => GameRows::default(),
            Some(file) => self.games_of_file(file)?,
        };
        if games == 0 && given.is_empty() {
            return Err(self.wrong_learner("expected games and a player that plays them, or a file of games"));
        }
        let validation = range(&fields.validation, 0.0..=0.9, "validation", self.source)?;
        let share = |number: &Located<f64>, name: &str| range(number, 0.0..=1.0, name, self.source);
        let backup = Backup {
            discount: share(&fields.discount, "discount")?,
            towards: share(&fields.towards, "towards")?,
            rate: fields.table_rate.as_ref().map(|rate| share(rate, "table-rate")).transpose()?,
        };
        self.stages(&fields.stages)?;
        self.start(&fields.start)?;
        let plan = OfflinePlan {
            game: self.experiment.game.to_string(),
            rules: self.experiment.rules.to_string(),
            structures: self.structures(learner, fields)?,
            players: self.sampling_players(fields, games)?,
            games,
            batch: self.even(&fields.batch, 2..=1_000_000, "batch")?,
            given,
            backup,
            judge: self.judge(fields)?,
            validation,
            training: Training {
                stages: fields.stages.to_vec(),
                optimiser: fields.optimiser,
                momentum: share(&fields.momentum, "momentum")? as f32,
                minibatch: range(&fields.minibatch, 1..=MOST_IN_MINIBATCH, "minibatch", self.source)?,
            },
            symmetries: fields.symmetries,
            cycles_a_step: range(&fields.cycles_a_step, 1..=MOST_CYCLES, "cycles-a-step", self.source)?,
            start: fields.start,
            seed,
        };
        Ok(Box::new(Offline::new(plan).map_err(|reason| self.wrong_learner(reason))?))
    }

    /// A number of games: each side opens half of them.
    fn even(&self, number: &Located<u64>, bounds: RangeInclusive<u64>, name: &str) -> Result<u64, ExperimentError> {
        match range(number, bounds, name, self.source)? {
            games if games.is_multiple_of(2) => Ok(games),
            odd => Err(self.source.wrong(number.span(), format!("{name} = {odd}: expected an even number"))),
        }
    }

    fn sampling_players(&self, fields: &OfflineFields, games: u64) -> Result<[String; 2], ExperimentError> {
        let Some(player) = &fields.player else {
            return match (games, &fields.opponent) {
                (0, None) => Ok([String::new(), String::new()]),
                (0, Some(opponent)) => {
                    Err(self.source.wrong(opponent.span(), "opponent: nobody plays against it, expected a player"))
                }
                _ => Err(self.source.wrong(fields.games.span(), "games: expected a player that plays them")),
            };
        };
        if games == 0 {
            return Err(self.source.wrong(player.span(), "player: it has nothing to play, expected games"));
        }
        let first = self.sampling_player(player, "player")?;
        let second = match &fields.opponent {
            None => first.clone(),
            Some(opponent) => self.sampling_player(opponent, "opponent")?,
        };
        Ok([first, second])
    }

    fn judge(&self, fields: &OfflineFields) -> Result<Option<(Judge, f64)>, ExperimentError> {
        let share = range(&fields.judge_share, 0.0..=1.0, "judge-share", self.source)?;
        let scale = range(&fields.judge_scale, 1..=100_000, "judge-scale", self.source)?;
        let Some(player) = &fields.judge else {
            // Whoever changes one of them wants a judge.
            let unused = [
                ("judge-share", fields.judge_share.span(), share != 1.0),
                ("judge-scale", fields.judge_scale.span(), scale != 100),
            ];
            return match unused.into_iter().find(|(_, _, is_given)| *is_given) {
                Some((name, span, _)) => {
                    Err(self.source.wrong(span, format!("{name}: there is no judge, expected one")))
                }
                None => Ok(None),
            };
        };
        let judge = Judge { player: self.sampling_player(player, "judge")?, scale };
        // Without a share it need not be asked.
        Ok((share > 0.0).then_some((judge, share)))
    }

    /// A fixed player, its files pinned.
    fn sampling_player(&self, player: &Located<String>, name: &str) -> Result<String, ExperimentError> {
        let wrong = |reason: String| self.source.wrong(player.span(), format!("{name}: {reason}"));
        is_bearable(player, name, self.source)?;
        let spec = PlayerSpec::parse(player).map_err(|error| wrong(error.to_string()))?;
        let spec = spec.pinned(self.blobs).map_err(|error| wrong(error.to_string()))?;
        if spec.is_engine() {
            return Err(wrong("another program may break down; expected a player of this one".into()));
        }
        match registry::visit(&self.experiment.game, TryPlayer(&spec, self.blobs)) {
            Ok(Ok(())) => Ok(spec.text().to_string()),
            Ok(Err(reason)) => Err(wrong(reason)),
            Err(error) => Err(wrong(error.to_string())),
        }
    }

    /// The games of a file, which becomes a part of the experiment.
    fn games_of_file(&self, file: &Located<String>) -> Result<GameRows, ExperimentError> {
        let wrong = |reason: String| self.source.wrong(file.span(), reason);
        is_bearable(file, "file", self.source)?;
        let (_, content) = self.blobs.load(file).map_err(|reason| wrong(format!("file {:?}: {reason}", **file)))?;
        let read = ReadGames { rules: &self.experiment.rules, path: file, content: &content };
        registry::visit(&self.experiment.game, read).map_err(|error| wrong(error.to_string()))?.map_err(wrong)
    }

    fn stages(&self, stages: &Located<Vec<Stage>>) -> Result<(), ExperimentError> {
        let fail = |message: String| Err(self.source.wrong(stages.span(), format!("stages: {message}")));
        for stage in stages.iter() {
            for (name, rate) in [("rate", stage.rate), ("rate-to", stage.rate_to.unwrap_or(stage.rate))] {
                if !(rate > 0.0 && rate <= 10.0) {
                    return fail(format!("{name} = {rate}: expected a number above 0, at most 10"));
                }
            }
            if !(1..=MOST_CYCLES).contains(&stage.cycles) {
                return fail(format!("cycles = {}: expected 1 to {MOST_CYCLES}", stage.cycles));
            }
        }
        match stages.len() {
            1..=100 => Ok(()),
            found => fail(format!("found {found}, expected 1 to 100")),
        }
    }

    fn start(&self, start: &Start) -> Result<(), ExperimentError> {
        match *start {
            Start::Uniform { low, high } if !(low.is_finite() && high.is_finite() && low <= high) => {
                let place = self.source.place_of_field(self.source.place_of("[offline"), "start");
                let message =
                    format!("start: low = {low}, high = {high}: expected two finite numbers, the lower one first");
                Err(self.source.wrong(place, message))
            }
            _ => Ok(()),
        }
    }

    /// The networks, with names of their own.
    fn structures(&self, learner: &LearnerFields, fields: &OfflineFields) -> Result<Vec<Structure>, ExperimentError> {
        if let Some(name) = &learner.weights_of {
            return Ok(vec![self.evaluator(learner, fields, name)?]);
        }
        if fields.structures.is_empty() {
            let place = self.source.place_of("[learner");
            if learner.layers.is_empty() {
                let message = "learner: expected layers of the network, or structures in [offline]";
                return Err(self.source.wrong(place, message));
            }
            return Ok(vec![self.structure(learner, &learner.inputs, &learner.layers, None)?]);
        }
        if !learner.layers.is_empty() {
            let message = "layers: expected either these or structures in [offline], not both";
            return Err(self.source.wrong(learner.layers.span(), message));
        }
        if fields.structures.len() > MOST_STRUCTURES {
            let message = format!("structures: found {}, expected at most {MOST_STRUCTURES}", fields.structures.len());
            return Err(self.source.wrong(fields.structures.span(), message));
        }
        let mut structures: Vec<Structure> = Vec::new();
        for one in fields.structures.iter() {
            let inputs = if one.inputs.is_empty() { &learner.inputs } else { &one.inputs };
            let structure = self.structure(learner, inputs, &one.layers, one.name.as_ref())?;
            if structures.iter().any(|other| other.name == structure.name) {
                let message = format!("two structures are called {:?}: expected names that differ", structure.name);
                return Err(self.source.wrong(one.name.as_ref().map_or(one.layers.span(), Located::span), message));
            }
            structures.push(structure);
        }
        Ok(structures)
    }

    /// An evaluator of the game, which starts from its own weights.
    fn evaluator(
        &self,
        learner: &LearnerFields,
        fields: &OfflineFields,
        name: &str,
    ) -> Result<Structure, ExperimentError> {
        if !fields.structures.is_empty() {
            let message = "structures: expected either these or weights-of in [learner], not both";
            return Err(self.source.wrong(fields.structures.span(), message));
        }
        self.starts_at_random(learner)?;
        let body = self.body(learner)?;
        let first = self.first_weights(learner, &body)?;
        let shape = sum_of_features(first.as_ref().map_or(0, Vec::len));
        Ok(Structure { name: name.to_string(), shape, body, first })
    }

    fn structure(
        &self,
        learner: &LearnerFields,
        groups: &Located<Vec<String>>,
        layers: &Located<Vec<LayerFields>>,
        name: Option<&Located<String>>,
    ) -> Result<Structure, ExperimentError> {
        let wrong = |reason: String| self.source.wrong(layers.span(), format!("layers: {reason}"));
        if groups.is_empty() {
            let message = "learner: expected inputs of the network";
            return Err(self.source.wrong(self.source.place_of("[learner"), message));
        }
        let (groups, place) = (groups_in(groups), groups.span());
        let inputs = registry::visit(&self.experiment.game, CountInputs(&groups))
            .map_err(|error| wrong(error.to_string()))?
            .map_err(|reason| self.source.wrong(place, format!("inputs: {reason}")))?;
        let layer = |layer: &LayerFields| Layer { size: layer.size, activation: layer.activation, bias: layer.bias };
        let shape = Shape { inputs, layers: layers.iter().map(layer).collect() };
        let body = Body::Network { shape: shape.clone(), groups, view: *learner.view };
        registry::visit(&self.experiment.game, CountWeights(&body))
            .map_err(|error| wrong(error.to_string()))?
            .map_err(wrong)?;
        if shape.outputs() != 1 {
            return Err(wrong(format!("{} outputs, expected 1: what a position is worth", shape.outputs())));
        }
        let is_bad = |name: &str| {
            name.is_empty()
                || name.chars().count() > 60
                || name.contains(|letter: char| letter.is_whitespace() || letter.is_control() || letter == '=')
        };
        let name = match name {
            Some(name) if is_bad(name) => {
                let message = "name: expected 1 to 60 characters without spaces and =";
                return Err(self.source.wrong(name.span(), message));
            }
            Some(name) if **name == CONSTANT => {
                let message =
                    format!("name: {CONSTANT:?} is the guess that structures are compared with, expected another");
                return Err(self.source.wrong(name.span(), message));
            }
            Some(name) => name.to_string(),
            None => shape.layers.iter().fold(inputs.to_string(), |name, layer| format!("{name}-{}", layer.size)),
        };
        Ok(Structure { name, shape, body, first: None })
    }
}

/// Whether the stages of one experiment begin with those of another: the last of those may be longer, and others may follow.
pub(super) fn trains_on(old: &Experiment, new: &Experiment) -> Result<(), &'static str> {
    let (Some(old), Some(new)) = (&old.offline, &new.offline) else { return Ok(()) };
    if *old.stages == *new.stages {
        return Ok(());
    }
    let Some((last, before)) = old.stages.split_last() else { return Ok(()) };
    let goes_on = |stage: &Stage| {
        let is_longer = stage.cycles > last.cycles && stage.rate_to.is_none();
        stage.rate == last.rate && stage.rate_to == last.rate_to && (is_longer || stage.cycles == last.cycles)
    };
    if !new.stages.starts_with(before) || !new.stages.get(before.len()).is_some_and(goes_on) {
        return Err(
            "its stages would be others: expected the old ones, of which only the last may have more cycles, if it has no rate-to, and new ones behind",
        );
    }
    if !cycles_in_all(&old.stages).is_multiple_of(*old.cycles_a_step) {
        return Err("its cycles are no multiple of cycles-a-step, so the steps of a longer one are others");
    }
    Ok(())
}

struct ReadGames<'a> {
    rules: &'a str,
    path: &'a str,
    content: &'a [u8],
}

impl GameVisitor for ReadGames<'_> {
    type Output = Result<GameRows, String>;

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        let rules = G::rules(self.rules).map_err(|error| error.to_string())?;
        let path = self.path;
        let mut games = GameRows::default();
        for game in G::format_of_file(path).games(Box::new(self.content)) {
            let record = game.map_err(|error| format!("{path}: {error}"))?;
            let record = check(&record, &rules).map_err(|error| format!("{path}: {error}"))?;
            let number = games.len() + 1;
            if record.ending.is_none() {
                return Err(format!("{path}: game {number} has no result"));
            }
            if record.start != rules.start {
                return Err(format!("{path}: game {number} does not begin at the start of the game"));
            }
            games.push(&record, 0);
        }
        if games.is_empty() { Err(format!("{path}: no game in it, expected at least one")) } else { Ok(games) }
    }
}
