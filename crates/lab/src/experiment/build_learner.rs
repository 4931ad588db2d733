//! From fields to learners.

use lanista_core::Seed;
use lanista_learn::Breeder;
use lanista_learn::evolve::{Evolution, Mutation, presets};
use lanista_learn::neat::Neat;
use lanista_learn::steady::SteadyState;
use lanista_learn::td::{Student, TdSettings};
use lanista_nn::{Arrangement, Layer, Network, Order, Shape, Square, Start, View};

use super::Trial;
use super::build::{Builder, is_bearable, numbers, range, readable_rules};
use super::errors::{ExperimentError, Text, with_nearest};
use super::fields::Experiment;
use super::learner_fields::{LearnerFields, MeasureFields, groups_in};
use super::located::Located;
use crate::learning::{Body, Breeding, Course, CoursePlan, Games, Learner, Measure, Ring, Td, sum_of_features};
use crate::players::PlayerSpec;
use crate::positions::PositionsPlan;
use crate::registry::{self, GameVisitor, RegisteredGame};

/// The opponent of a learner that plays with itself.
const ITSELF: &str = "itself";
/// The most games that measure one player with one opponent.
const MOST_GAMES: u32 = 1_000_000;

impl Builder<'_> {
    /// The course of a learner.
    pub(super) fn course(&self, trial: &Trial) -> Result<Course, ExperimentError> {
        let Some(fields) = &self.experiment.learner else {
            let message = format!("[{}]: expected a table [learner] beside it", self.experiment.kind());
            return Err(self.source.wrong(self.kind_place(), message));
        };
        let ring = self.ring(fields)?;
        let measure = self.measure(fields, &ring, trial)?;
        let learner = self.learner(fields, ring, trial.seed)?;
        Ok(Course::new(CoursePlan {
            learner,
            measure,
            keep_every: range(&fields.keep_every, 1..=1_000_000, "keep-every", self.source)?,
            made: format!("{} (seed {})", self.experiment.title, trial.seed),
            seed: trial.seed.child(1),
        }))
    }

    fn kind_place(&self) -> std::ops::Range<usize> {
        self.source.place_of(&format!("[{}", self.experiment.kind()))
    }

    pub(super) fn wrong_learner(&self, reason: impl std::fmt::Display) -> ExperimentError {
        let (kind, reason) = (self.experiment.kind(), reason.to_string());
        // The nearest known name is looked for in what the reader of the table said, before the table is named.
        let reason = with_nearest(reason.trim_start_matches(&format!("{kind}: ")).to_string());
        let place = self.source.place_in_table(kind, &reason).unwrap_or_else(|| self.kind_place());
        self.source.wrong(place, format!("{kind}: {reason}"))
    }

    fn ring(&self, fields: &LearnerFields) -> Result<Ring, ExperimentError> {
        let wrong = |reason: String| self.source.wrong(fields.opponents.span(), format!("opponents: {reason}"));
        let opponents =
            fields.opponents.iter().map(|text| self.player(text)).collect::<Result<Vec<_>, _>>().map_err(wrong)?;
        let body = match &self.experiment.offline {
            Some(offline) => self.offline_body(fields, offline)?,
            None => self.body(fields)?,
        };
        self.own_player(&fields.player, &body)?;
        let random_plies = range(&fields.random_plies, 0..=200, "random-plies", self.source)?;
        let has_contest = self.experiment.td.is_none() && self.experiment.offline.is_none();
        if random_plies > 0 && !has_contest {
            let message = format!("learner: random-plies: only contests have them, found [{}]", self.experiment.kind());
            return Err(self.source.wrong(fields.random_plies.span(), message));
        }
        Ok(Ring {
            game: self.experiment.game.to_string(),
            rules: self.experiment.rules.to_string(),
            body,
            player: fields.player.to_string(),
            opponents,
            random_plies,
        })
    }

    pub(super) fn body(&self, fields: &LearnerFields) -> Result<Body, ExperimentError> {
        let place = self.source.place_of("[learner");
        let wrong = |message: String| self.source.wrong(place.clone(), format!("learner: {message}"));
        let grows = self.experiment.neat.is_some();
        let groups = groups_in(&fields.inputs);
        let body = match &fields.weights_of {
            Some(name) if !fields.inputs.is_empty() || !fields.layers.is_empty() || grows => {
                let message = "weights-of: expected either an evaluator or a network with inputs and layers, not both";
                return Err(self.source.wrong(name.span(), message));
            }
            Some(name) => Body::Linear { evaluator: name.to_string() },
            None if fields.inputs.is_empty() => {
                return Err(wrong("expected inputs and layers of a network, or weights-of".into()));
            }
            None if grows && !fields.layers.is_empty() => {
                let message = "layers: networks that grow have none; expected only inputs";
                return Err(self.source.wrong(fields.layers.span(), message));
            }
            None if grows => Body::Graph { groups },
            None if fields.layers.is_empty() => return Err(wrong("expected layers of the network".into())),
            None => {
                let inputs = registry::visit(&self.experiment.game, CountInputs(&groups))
                    .map_err(|error| wrong(error.to_string()))?
                    .map_err(|reason| self.source.wrong(fields.inputs.span(), format!("inputs: {reason}")))?;
                let layer = |layer: &super::LayerFields| Layer {
                    size: layer.size,
                    activation: layer.activation,
                    bias: layer.bias,
                };
                let shape = Shape { inputs, layers: fields.layers.iter().map(layer).collect() };
                Body::Network { shape, groups, view: *fields.view }
            }
        };
        if *fields.view != View::default() && !matches!(body, Body::Network { .. }) {
            let message = "view: only networks with layers have one; expected none here";
            return Err(self.source.wrong(fields.view.span(), message));
        }
        match registry::visit(&self.experiment.game, CountWeights(&body)) {
            Ok(Ok(_)) => Ok(body),
            Ok(Err(reason)) => Err(wrong(reason)),
            Err(error) => Err(wrong(error.to_string())),
        }
    }

    /// A fixed player, its files pinned. An error says what is wrong with the text.
    fn player(&self, text: &str) -> Result<String, String> {
        let spec = PlayerSpec::parse(text).map_err(|error| error.to_string())?;
        let spec = spec.pinned(self.blobs).map_err(|error| error.to_string())?;
        registry::visit(&self.experiment.game, super::build::TryPlayer(&spec, self.blobs))
            .map_err(|error| error.to_string())??;
        Ok(spec.text().to_string())
    }

    /// Sees that a learner's own player can be built.
    fn own_player(&self, player: &Located<String>, body: &Body) -> Result<(), ExperimentError> {
        let wrong = |reason: String| self.source.wrong(player.span(), reason);
        is_bearable(player, "player", self.source)?;
        if !player.contains("eval=genome") {
            return Err(wrong(format!(
                "player {:?}: expected a player whose evaluator is the learner: eval=genome",
                **player
            )));
        }
        let spec = PlayerSpec::parse(player).map_err(|error| wrong(error.to_string()))?;
        match registry::visit(&self.experiment.game, TryLearner { spec: &spec, body, builder: self }) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(reason)) => Err(wrong(reason)),
            Err(error) => Err(wrong(error.to_string())),
        }
    }

    fn measure(&self, learner: &LearnerFields, ring: &Ring, trial: &Trial) -> Result<Measure, ExperimentError> {
        let empty = Measure {
            ring: ring.clone(),
            names: Vec::new(),
            every: 0,
            top: 1,
            games: Games { count: 0, random_plies: 0, graded: 0 },
            final_games: Games { count: 0, random_plies: 0, graded: 0 },
            closing: 0,
            match_scores: false,
            positions: Vec::new(),
        };
        let Some(fields) = &self.experiment.measure else { return Ok(empty) };
        let entrants = if fields.opponents.is_empty() { Vec::new() } else { self.entrants(&fields.opponents, 1)? };
        if let Some(limited) = entrants.iter().find(|entrant| entrant.limit != Default::default()) {
            let message = format!("measure: {:?} has a limit; give it in the player's own text", limited.name);
            return Err(self.source.wrong(fields.opponents.span(), message));
        }
        let player = fields.player.as_ref().unwrap_or(&learner.player);
        self.own_player(player, &ring.body)?;
        let random_plies = range(&fields.random_plies, 0..=200, "random-plies", self.source)?;
        Ok(Measure {
            ring: Ring {
                player: player.to_string(),
                opponents: entrants.iter().map(|entrant| entrant.player.clone()).collect(),
                rules: match &fields.rules {
                    Some(rules) => readable_rules(&self.experiment.game, rules, self.source)?.to_string(),
                    None => ring.rules.clone(),
                },
                ..ring.clone()
            },
            names: entrants.into_iter().map(|entrant| entrant.name).collect(),
            every: range(&fields.every, 0..=1_000_000_000, "every", self.source)?,
            top: range(&fields.top, 1..=1_000_000, "top", self.source)?,
            games: Games {
                count: range(&fields.games, 1..=MOST_GAMES, "games", self.source)?,
                random_plies,
                graded: 0,
            },
            final_games: Games {
                count: range(&fields.final_games, 1..=MOST_GAMES, "final-games", self.source)?,
                random_plies: match &fields.final_random_plies {
                    Some(plies) => range(plies, 0..=200, "final-random-plies", self.source)?,
                    None => random_plies,
                },
                graded: self.truth_games(fields)?,
            },
            closing: range(&fields.closing, 0..=1_000_000, "closing", self.source)?,
            match_scores: fields.match_scores,
            positions: self.truth_positions(fields, trial)?,
        })
    }

    fn is_solved(&self, place: &Located<u32>, field: &str) -> Result<(), ExperimentError> {
        let game = self.experiment.game.as_str();
        if matches!(registry::visit(game, IsSolved), Ok(true)) {
            return Ok(());
        }
        let message = format!("{field}: {game} has no solver, so nothing can judge its positions");
        Err(self.source.wrong(place.span(), message))
    }

    fn truth_games(&self, fields: &MeasureFields) -> Result<u32, ExperimentError> {
        let games = range(&fields.truth_games, 0..=10_000, "truth-games", self.source)?;
        if games > 0 {
            self.is_solved(&fields.truth_games, "truth-games")?;
            if fields.opponents.is_empty() {
                let message = "truth-games: expected opponents, the first of them to play with";
                return Err(self.source.wrong(fields.truth_games.span(), message));
            }
        }
        Ok(games)
    }

    fn truth_positions(&self, fields: &MeasureFields, trial: &Trial) -> Result<Vec<Vec<u8>>, ExperimentError> {
        let each = range(&fields.truth_positions, 0..=10_000, "truth-positions", self.source)?;
        if each == 0 {
            return Ok(Vec::new());
        }
        self.is_solved(&fields.truth_positions, "truth-positions")?;
        let game = self.experiment.game.as_str();
        numbers(&fields.truth_plies, 0..=10_000, "truth-plies", self.source)?;
        if fields.truth_plies.is_empty() {
            let message = "truth-plies is empty, expected at least one length";
            return Err(self.source.wrong(fields.truth_plies.span(), message));
        }
        // All trials are judged by the same positions.
        let seed = Seed::new(trial.experiment.seed).child(2);
        PositionsPlan::random_positions(game, &self.experiment.rules, &fields.truth_plies, each, seed)
            .map_err(|reason| self.source.wrong(fields.truth_plies.span(), format!("truth-plies: {reason}")))
    }

    fn learner(&self, fields: &LearnerFields, ring: Ring, seed: Seed) -> Result<Box<dyn Learner>, ExperimentError> {
        let weights = match registry::visit(&self.experiment.game, CountWeights(&ring.body)) {
            Ok(Ok(weights)) => weights,
            _ => 0,
        };
        let own_seed = seed.child(0);
        let order = self.weight_order(fields, &ring.body)?;
        if self.experiment.td.is_none() && self.experiment.strategy.is_none() {
            self.starts_at_random(fields)?;
        }
        if let (Body::Network { shape, .. }, None) = (&ring.body, &self.experiment.td)
            && shape.outputs() != 1
        {
            let message = format!("layers: the last one has {} units, expected 1", shape.outputs());
            return Err(self.source.wrong(fields.layers.span(), message));
        }
        let wrong = |reason: String| self.wrong_learner(reason);
        let (breeder, generations, lag): (Box<dyn Breeder>, u32, usize) = if let Some(table) =
            &self.experiment.evolution
        {
            let evolution = evolution(table).map_err(wrong)?;
            self.opponents_exist(evolution.contest.opponent(), &ring)?;
            let breeder = evolution.begin(weights, order, own_seed).map_err(wrong)?;
            (Box::new(breeder), evolution.generations, 1)
        } else if let Some(settings) = &self.experiment.steady_state {
            let settings: &SteadyState = settings;
            self.opponents_exist(settings.trial.opponent(), &ring)?;
            let breeder = settings.begin(weights, order, own_seed).map_err(wrong)?;
            (Box::new(breeder), settings.generations(), settings.lag as usize)
        } else if let Some(strategy) = &self.experiment.strategy {
            self.opponents_exist(strategy.contest.opponent(), &ring)?;
            let start = match (&strategy.initial, self.first_weights(fields, &ring.body)?) {
                (Some(_), Some(_)) if fields.start.is_some() => {
                    return Err(wrong("initial: expected either initial or a file in learner.start, not both".into()));
                }
                (Some(initial), _) => {
                    initial.check(weights).map_err(wrong)?;
                    initial.draw(weights, &mut own_seed.child(u64::MAX).stream())
                }
                (None, Some(first)) => first,
                (None, None) => return Err(wrong("expected initial, or a file in learner.start".into())),
            };
            let (contest, hall) = (strategy.contest.clone(), strategy.hall_of_fame.clone());
            let breeder =
                strategy.method.begin(&start, contest, hall, strategy.generations, own_seed).map_err(wrong)?;
            (breeder, strategy.generations, 1)
        } else if let Some(neat) = &self.experiment.neat {
            self.opponents_exist(neat.contest.opponent(), &ring)?;
            let (contest, hall) = (neat.contest.clone(), neat.hall_of_fame.clone());
            let breeder =
                Neat::begin(neat.settings.clone(), [weights as u32, 1], contest, hall, neat.generations, own_seed)
                    .map_err(wrong)?;
            (Box::new(breeder), neat.generations, 1)
        } else if let Some(settings) = &self.experiment.td {
            return self.td(fields, ring, settings, own_seed);
        } else if let Some(offline) = &self.experiment.offline {
            return self.offline(fields, offline, own_seed);
        } else {
            return Err(self.source.wrong(0..0, "no learner in it"));
        };
        Ok(Box::new(Breeding { ring, breeder, generations, lag }))
    }

    /// The order in which crossover sees weights, if it is not their own.
    fn weight_order(&self, fields: &LearnerFields, body: &Body) -> Result<Option<Vec<u32>>, ExperimentError> {
        let order = *fields.weight_order;
        let wrong = |message: String| self.source.wrong(fields.weight_order.span(), format!("weight-order: {message}"));
        if order == Order::Rows {
            return Ok(None);
        }
        let Body::Network { shape, groups, .. } = body else {
            return Err(wrong("only networks of layers have squares".into()));
        };
        let mut squares = Vec::new();
        let mut offset = 0;
        for group in groups {
            let size = registry::visit(&self.experiment.game, CountInputs(std::slice::from_ref(group)))
                .map_err(|error| wrong(error.to_string()))?
                .map_err(wrong)?;
            let boards = match group.split('=').next() {
                Some("board" | "nonads") => 1,
                Some("boards") => 2,
                _ => 0,
            };
            for board in 0..boards {
                let side = (size / boards).isqrt();
                if side * side * boards == size {
                    squares.push(Square { offset: offset + board * side * side, side });
                }
            }
            offset += size;
        }
        if squares.is_empty() {
            return Err(wrong("none of the inputs is a square board".into()));
        }
        let arrangement = Arrangement::new(order, shape, &squares).map_err(|error| wrong(error.to_string()))?;
        Ok(Some(arrangement.places().iter().map(|&place| place as u32).collect()))
    }

    fn opponents_exist(&self, asked: Option<usize>, ring: &Ring) -> Result<(), ExperimentError> {
        match asked {
            Some(number) if number >= ring.opponents.len() => {
                let message =
                    format!("opponent = {number}: [learner] has {} of them, counted from 0", ring.opponents.len());
                Err(self.wrong_learner(message))
            }
            _ => Ok(()),
        }
    }

    fn td(
        &self,
        fields: &LearnerFields,
        mut ring: Ring,
        settings: &Located<TdSettings>,
        seed: Seed,
    ) -> Result<Box<dyn Learner>, ExperimentError> {
        let wrong = |reason: String| self.wrong_learner(reason);
        settings.check().map_err(wrong)?;
        if !fields.opponents.is_empty() {
            let message = "opponents: td has one opponent, named in its own table";
            return Err(self.source.wrong(fields.opponents.span(), message));
        }
        if let Some(opponent) = settings.opponent.as_ref().filter(|opponent| *opponent != ITSELF) {
            let player = self.player(opponent);
            ring.opponents = vec![player.map_err(|reason| wrong(format!("opponent: {reason}; or {ITSELF}")))?];
        }
        let predicted = self.predicted(fields, &ring, settings)?;
        let first = self.first_weights(fields, &ring.body)?;
        let network = match &ring.body {
            Body::Network { shape, .. } => {
                if shape.outputs() != 1 + predicted {
                    let message = format!(
                        "the network has {} outputs, expected {}: its opinion and a prediction for each input of predict",
                        shape.outputs(),
                        1 + predicted
                    );
                    return Err(self.source.wrong(fields.layers.span(), message));
                }
                let network = match first {
                    Some(weights) => Network::from_weights(shape.clone(), &weights),
                    None => {
                        let start = settings.start.unwrap_or(Start::Xavier);
                        Network::random(shape.clone(), start, &mut seed.child(2).stream())
                    }
                };
                network.map_err(|error| wrong(error.to_string()))?
            }
            Body::Linear { evaluator } => {
                let weights = first.ok_or_else(|| wrong(format!("{evaluator} cannot learn")))?;
                Network::from_weights(sum_of_features(weights.len()), &weights)
                    .map_err(|error| wrong(error.to_string()))?
            }
            Body::Graph { .. } | Body::OneOf(_) => {
                return Err(wrong("a network that grows does not learn by temporal differences".into()));
            }
        };
        let student = Student::new(network, settings.method(0));
        Ok(Box::new(Td::new(ring, (**settings).clone(), predicted, student, seed)))
    }

    /// How many outputs predict inputs: those of the last groups.
    fn predicted(&self, fields: &LearnerFields, ring: &Ring, settings: &TdSettings) -> Result<usize, ExperimentError> {
        let groups = &groups_in(&settings.predict);
        if groups.is_empty() {
            return Ok(0);
        }
        if !groups_in(&fields.inputs).ends_with(groups) || matches!(ring.body, Body::Linear { .. }) {
            return Err(self.wrong_learner(format!("predict = {groups:?}: expected the last groups of inputs")));
        }
        registry::visit(&self.experiment.game, CountInputs(groups))
            .map_err(|error| self.wrong_learner(error))?
            .map_err(|reason| self.wrong_learner(reason))
    }
}

/// Whether a rate of mutation falls over all generations.
pub(super) fn falls_over_time(experiment: &Experiment) -> bool {
    let evolution = experiment.evolution.as_ref().and_then(|table| evolution(table).ok());
    evolution.is_some_and(|evolution| matches!(evolution.mutation, Mutation::Multiply { .. }))
}

/// The settings in a table `[evolution]`: those of its preset, changed by what else it says.
fn evolution(table: &toml::Table) -> Result<Evolution, String> {
    let mut table = table.clone();
    let merged = match table.remove("preset") {
        None => table,
        Some(toml::Value::String(name)) => {
            let mut preset = presets::table(&name)?;
            for (key, value) in table {
                // A part of another kind replaces the preset's; otherwise only what is given changes.
                match (preset.get_mut(&key), value) {
                    (Some(toml::Value::Table(old)), toml::Value::Table(new))
                        if new.get("kind").is_none_or(|kind| old.get("kind") == Some(kind)) =>
                    {
                        old.extend(new);
                    }
                    (_, value) => {
                        preset.insert(key, value);
                    }
                }
            }
            preset
        }
        Some(other) => return Err(format!("preset = {other}: expected a name")),
    };
    // Read from text, so that a mistake has a place, which names its field.
    let text = toml::to_string(&merged).map_err(|error| error.to_string())?;
    let source = Text { text: &text, file: "" };
    toml::from_str(&text).map_err(|error| source.wrong_toml(&error).message)
}

pub(super) struct CountInputs<'a>(pub(super) &'a [String]);

impl GameVisitor for CountInputs<'_> {
    type Output = Result<usize, String>;

    fn visit<G: RegisteredGame>(self) -> Result<usize, String> {
        Ok(G::inputs(self.0)?.size())
    }
}

pub(super) struct CountWeights<'a>(pub(super) &'a Body);

impl GameVisitor for CountWeights<'_> {
    type Output = Result<usize, String>;

    fn visit<G: RegisteredGame>(self) -> Result<usize, String> {
        self.0.weights::<G>()
    }
}

struct IsSolved;

impl GameVisitor for IsSolved {
    type Output = bool;

    fn visit<G: RegisteredGame>(self) -> bool {
        G::solver().is_some()
    }
}

/// Builds a learner's player once, with any genome, to see that it can be.
struct TryLearner<'a, 'b> {
    spec: &'a PlayerSpec,
    body: &'a Body,
    builder: &'a Builder<'b>,
}

impl GameVisitor for TryLearner<'_, '_> {
    type Output = Result<(), String>;

    fn visit<G: RegisteredGame>(self) -> Result<(), String> {
        let genome = self.body.zero::<G>()?;
        let mind = self.body.mind::<G>(&genome)?;
        self.spec.build_with(self.builder.blobs, Some(&mind)).map(drop).map_err(|error| error.to_string())
    }
}
