//! Training of a network on sampled games: all that offline learning does with one structure in one go.

use std::sync::Arc;

use lanista_core::Seed;
use lanista_learn::offline::{Backup, Part, Samples as Rows, Training, ValueTable, train};
use lanista_nn::{Network, Optimiser};
use serde::{Deserialize, Serialize};

use super::codes::walk;
use super::judging::Opinion;
use super::pairs::GameRows;
use super::{JobError, JobResult, Table, seed_text};
use crate::learning::{Body, Eyes};
use crate::opening_sets::orbit;
use crate::registry::{GameVisitor, RegisteredGame};

/// A network to be trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fitting {
    /// What the weights belong to.
    pub body: Body,
    /// The weights to begin with.
    pub weights: Vec<f32>,
    /// What the optimiser remembers of the cycles before.
    pub memory: Option<Optimiser>,
    /// The games whose positions it learns. All jobs of a step share them.
    pub games: Arc<GameRows>,
    /// How their results become values of positions.
    pub backup: Backup,
    /// What else goes into the values.
    pub opinions: Option<Opinions>,
    /// The share of positions that it never learns from.
    pub validation: f64,
    /// What chooses them.
    #[serde(with = "seed_text")]
    pub split: Seed,
    /// How it is trained.
    pub training: Training,
    /// Whether each cycle shows every position under a symmetry of the rules, chosen at random.
    pub symmetries: bool,
    /// The first cycle, and the one behind the last, counted over all stages.
    pub cycles: (u32, u32),
    /// The root of the orders of samples and of the symmetries. Cycle `n` has its child `n`, and the symmetries the first child of
    /// that.
    #[serde(with = "seed_text")]
    pub seed: Seed,
}

/// What a judge thinks of the positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opinions {
    /// How much of a value is its opinion, 0 to 1.
    pub share: f64,
    /// What it thinks of each, in the order in which the games come to them.
    pub of: Arc<Vec<Opinion>>,
}

/// A network that was trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// Its weights; none if they grew beyond all bounds.
    pub weights: Vec<f32>,
    /// What the optimiser remembers.
    pub memory: Option<Optimiser>,
    /// The mean squared error on what it learnt from, and on the rest; `None` where there is nothing.
    pub errors: [Option<f64>; 2],
    /// The same of a guess that knows no position: the mean value of what it learnt from.
    pub constant: [Option<f64>; 2],
    /// How many positions the two parts have.
    pub counts: [u64; 2],
}

impl GameVisitor for Table<'_, Fitting> {
    type Output = Result<JobResult, JobError>;

    fn visit<G: RegisteredGame>(self) -> Result<JobResult, JobError> {
        let job = self.job;
        let (mut rows, scenes) = self.rows::<G>()?;
        let network = Network::from_weights(scenes.eyes.shape().clone(), &job.weights);
        let mut network = network.map_err(|error| JobError::Genome(error.to_string()))?;
        // Who does not turn positions need not keep them.
        let scenes = Some(scenes).filter(|_| job.symmetries);
        let mut memory = job.memory.clone();
        let mut prepare = |cycle, rows: &mut Rows| {
            if let Some(scenes) = &scenes {
                scenes.turn(rows, Some(job.seed.child(u64::from(cycle)).child(0)));
            }
            !self.cancel.is_cancelled()
        };
        let cycles = job.cycles.0..job.cycles.1;
        match train(&mut network, &mut memory, &mut rows, &job.training, cycles, job.seed, &mut prepare) {
            Ok(true) => {}
            Ok(false) => return Err(JobError::Cancelled),
            Err(reason) => return Err(JobError::Genome(reason)),
        }
        let counts = [Part::Training, Part::Validation].map(|part| rows.of(part).len() as u64);
        let constant = [Part::Training, Part::Validation].map(|part| rows.constant_error(part));
        let weights = network.weights();
        if !weights.iter().all(|weight| weight.is_finite()) {
            return Ok(JobResult::Fit(Fit { weights: Vec::new(), memory: None, errors: [None; 2], constant, counts }));
        }
        // Errors are those of positions as they were sampled, not as the last cycle happened to turn them.
        if let Some(scenes) = &scenes {
            scenes.turn(&mut rows, None);
        }
        let errors = [Part::Training, Part::Validation].map(|part| rows.error(&network, part));
        Ok(JobResult::Fit(Fit { weights, memory, errors, constant, counts }))
    }
}

impl Table<'_, Fitting> {
    /// All positions of the games with their values, as the network sees them.
    fn rows<G: RegisteredGame>(&self) -> Result<(Rows, Scenes<G>), JobError> {
        let job = self.job;
        let rules = G::rules(self.rules)?;
        let eyes = Eyes::of(&job.body).map_err(JobError::Genome)?;
        let mut table = ValueTable::new(job.backup);
        let mut positions: Vec<G> = Vec::new();
        let mut visits = Vec::new();
        for game in job.games.iter() {
            visits.clear();
            walk(rules.start, game.codes, |position| {
                let place = table.enter(position.key());
                if place == positions.len() {
                    positions.push(*position);
                }
                visits.push((place, eyes.viewer(position)));
            })?;
            table.back_up(&visits, game.outcome);
        }
        let count = positions.len();
        if job.opinions.as_ref().is_some_and(|opinions| opinions.of.len() != count) {
            return Err(JobError::Bounds(format!("opinions of other positions, expected those of {count}")));
        }
        let mut rows = Rows::new(eyes.shape().inputs);
        for (place, (position, entry)) in positions.iter().zip(table.entries()).enumerate() {
            let part = Part::of(orbit(position), job.validation, job.split);
            let mut value = entry.value;
            if let Some(opinions) = &job.opinions
                && let Some(chance) = opinions.of[place].map(f64::from)
            {
                let opinion = if eyes.viewer(position) == position.side_to_move() { chance } else { 1.0 - chance };
                value += opinions.share * (opinion - value);
            }
            self.cancel.check()?;
            rows.push(part, value, |row| eyes.write(position, row));
        }
        Ok((rows, Scenes { positions, eyes }))
    }
}

/// The positions behind rows, in their order, and how they are seen.
struct Scenes<G: RegisteredGame> {
    positions: Vec<G>,
    eyes: Eyes<G>,
}

impl<G: RegisteredGame> Scenes<G> {
    /// Shows every position that is learnt from under one of the symmetries, the identity included; as it is without a seed.
    fn turn(&self, rows: &mut Rows, seed: Option<Seed>) {
        let mut random = seed.map(Seed::stream);
        for place in 0..rows.of(Part::Training).len() {
            let index = rows.of(Part::Training)[place];
            let symmetry = random.as_mut().map_or(0, |random| random.below(G::SYMMETRIES as u32) as usize);
            let position = self.positions[index as usize].symmetric(symmetry);
            // Whoever exchanges the sides exchanges the viewer too.
            rows.rewrite(index, |row| self.eyes.write(&position, row));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use lanista_core::{Evaluators, Game, MoveList, Outcome, Position, Score};
    use lanista_games::connect_four::ConnectFour;
    use lanista_games::loa::Loa;
    use lanista_learn::OptimiserName;
    use lanista_nn::{Activation, Shape, View};
    use lanista_search::Chances;

    use super::*;
    use crate::blobs::Blobs;
    use crate::jobs::{Adjudication, Cancel, Job, Judge, Judging, Pairs, Work};
    use crate::limits::Limit;

    /// Every position of some games: how it ended or whether the mover wins at once, and what it is worth.
    fn values(judge: Option<(Judge, f64)>) -> Vec<(Option<Outcome>, bool, f64)> {
        let sampling = Pairs {
            players: ["random".into(), "random".into()],
            limits: [Limit::default(), Limit::default()],
            openings: Vec::new(),
            first_pair: 0,
            pairs: 5,
            seed: Seed::new(1),
            adjudication: Adjudication::default(),
            keep_games: true,
        };
        let (blobs, cancel) = (Blobs::default(), Cancel::default());
        let sampled = Job::new("connect-four", "", Work::Pairs(sampling)).run(&blobs, &cancel).expect("games");
        let JobResult::Pairs(sampled) = sampled else { panic!("pairs") };
        let opinions = judge.map(|(judge, share)| {
            let places = (0, positions_of(&sampled.rows).len() as u64);
            let games = Arc::new(sampled.rows.clone());
            let judging = Judging { judge, games, places, seed: Seed::new(2) };
            let opinions = Job::new("connect-four", "", Work::Judging(judging)).run(&blobs, &cancel).expect("opinions");
            let JobResult::Opinions(of) = opinions else { panic!("opinions") };
            Opinions { share, of: Arc::new(of) }
        });
        let shape = Shape::uniform(42, &[1], Activation::Tanh);
        let job = Fitting {
            weights: vec![0.0; shape.weights()],
            memory: None,
            body: Body::Network { shape, groups: vec!["board".into()], view: View::Mover },
            games: Arc::new(sampled.rows.clone()),
            backup: Backup { discount: 0.9, towards: 0.5, rate: None },
            opinions,
            validation: 0.0,
            split: Seed::new(2),
            training: Training { stages: Vec::new(), optimiser: OptimiserName::Sgd, momentum: 0.0, minibatch: 1 },
            symmetries: false,
            cycles: (0, 0),
            seed: Seed::new(3),
        };
        let table = Table { job: &job, rules: "", blobs: &blobs, cancel: &cancel, stand: None };
        let (rows, _) = table.rows::<ConnectFour>().expect("positions");
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        let start = ConnectFour::default();
        for game in sampled.rows.iter() {
            let visit = |position: &ConnectFour| {
                if seen.insert(position.key()) {
                    let value = f64::from(rows.sample(found.len() as u32).1);
                    found.push((position.outcome(), wins_at_once(position), value));
                }
            };
            walk(start, game.codes, visit).expect("legal moves");
        }
        found
    }

    fn positions_of(games: &GameRows) -> HashSet<u64> {
        let mut keys = HashSet::new();
        for game in games.iter() {
            let visit = |position: &ConnectFour| {
                keys.insert(position.key());
            };
            walk(ConnectFour::default(), game.codes, visit).expect("legal moves");
        }
        keys
    }

    fn wins_at_once(position: &ConnectFour) -> bool {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        moves.iter().any(|&mv| {
            let mut next = *position;
            next.play(mv);
            next.outcome() == Some(Outcome::Win(position.side_to_move()))
        })
    }

    /// Under every symmetry, every position that is learnt from is shown in all its ways, and what is not learnt from in its own.
    #[test]
    fn positions_are_turned_as_the_rules_allow() {
        let start = <Loa<5> as Game>::rules("").expect("rules").start;
        let mut positions = vec![start];
        for mv in ["b1-b3", "a2-c2"] {
            let mut next = positions[positions.len() - 1];
            next.play(mv.parse().expect("a move"));
            positions.push(next);
        }
        let groups = ["boards".to_string(), "lines".to_string()];
        let size = Loa::<5>::inputs(&groups).expect("inputs").size();
        for view in [View::Mover, View::Waiting] {
            let shape = Shape::uniform(size, &[1], Activation::Tanh);
            let body = Body::Network { shape, groups: groups.to_vec(), view };
            let eyes = || Eyes::of(&body).expect("inputs");
            let written = |position: &Loa<5>| {
                let mut row = vec![0.0; size];
                eyes().write(position, &mut row);
                row
            };
            let mut rows = Rows::new(size);
            for (position, part) in positions.iter().zip([Part::Training, Part::Validation, Part::Training]) {
                rows.push(part, 0.5, |row| row.copy_from_slice(&written(position)));
            }
            let scenes = Scenes { positions: positions.clone(), eyes: eyes() };
            let mut shown = vec![HashSet::new(); 3];
            for cycle in 0..500 {
                scenes.turn(&mut rows, Some(Seed::new(1).child(cycle)));
                for (shown, index) in shown.iter_mut().zip(0..) {
                    shown.insert(rows.sample(index).0.iter().map(|input| input.to_bits()).collect::<Vec<u32>>());
                }
            }
            let mut untouched = rows.clone();
            scenes.turn(&mut untouched, None);
            for (position, index) in positions.iter().zip(0..) {
                assert_eq!(untouched.sample(index).0, written(position));
            }
            let images = |position: &Loa<5>| {
                let all = (0..Loa::<5>::SYMMETRIES).map(|index| written(&position.symmetric(index)));
                all.map(|row| row.into_iter().map(f32::to_bits).collect()).collect::<HashSet<Vec<u32>>>()
            };
            assert_eq!(shown[0], images(&positions[0]));
            assert_eq!(shown[1], HashSet::from([written(&positions[1]).into_iter().map(f32::to_bits).collect()]));
            assert_eq!(shown[2], images(&positions[2]));
            assert_eq!(shown[2].len(), 8, "a position without symmetry of its own");
        }
    }

    fn judge(share: f64) -> (Judge, f64) {
        (Judge { player: "alphabeta:depth=1,eval=zero".into(), scale: 100 }, share)
    }

    #[test]
    fn a_judge_has_its_share_of_values() {
        let [results, none, half, all] = [None, Some(0.0), Some(0.5), Some(1.0)].map(|share| values(share.map(judge)));
        assert_eq!(results, none);
        let win = Chances::new(100).of(Score::win_in(1));
        let mut wins = 0;
        for ((result, half), &(outcome, wins_at_once, value)) in results.iter().zip(&half).zip(&all) {
            let expected = match outcome {
                Some(_) => result.2,
                None if wins_at_once => win,
                None => 0.5,
            };
            assert!((value - expected).abs() < 1e-6, "{value} {expected}");
            assert!((half.2 - (result.2 + value) / 2.0).abs() < 1e-6);
            wins += u32::from(outcome.is_none() && wins_at_once);
        }
        assert!(wins > 0 && results.len() > 50, "the test shows little");
    }
}
