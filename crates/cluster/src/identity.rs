//! Who may work for whom: the program's version, and proof that it computes the same bits.

use std::sync::{Arc, OnceLock};

use lanista_core::Seed;
use lanista_lab::blobs::Blobs;
use lanista_lab::executor::attempt;
use lanista_lab::jobs::{
    Adjudication, Cancel, Duel, DuelRival, Duels, Episodes, Fitting, GameRows, JOB_VERSION, Job, JobResult, Judge,
    Judging, Pairs, Work,
};
use lanista_lab::learning::Body;
use lanista_lab::limits::Limit;
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};
use lanista_learn::OptimiserName;
use lanista_learn::offline::{Backup, Stage, Training};
use lanista_learn::{FirstMover, Genome};
use lanista_nn::{Activation, Layer, Shape, View};

/// A program as others see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Its name and version.
    pub program: String,
    /// A hash of what it computes.
    pub signature: String,
}

impl Identity {
    /// This program. The first call takes a moment: it does the jobs behind [`signature`].
    pub fn of_this_program() -> Identity {
        static SIGNATURE: OnceLock<String> = OnceLock::new();
        Identity {
            program: concat!("lanista ", env!("CARGO_PKG_VERSION")).to_string(),
            signature: SIGNATURE.get_or_init(signature).clone(),
        }
    }

    /// Programs with the same value work for each other.
    pub fn compatibility(&self) -> String {
        let text = format!("{} {JOB_VERSION} {}", self.program, self.signature);
        blake3::hash(text.as_bytes()).to_hex()[..12].to_string()
    }

    /// What is different about another program, for people.
    pub fn difference(&self, program: &str, signature: &str) -> String {
        match program == self.program {
            false => format!("it is {program}, this is {}", self.program),
            true if signature == self.signature => format!("both are {program} but their jobs differ"),
            true => {
                format!("both are {program} but they compute different bits ({signature}, here {})", self.signature)
            }
        }
    }
}

/// A name for a worker that nobody named: the machine and the process.
pub fn worker_name() -> String {
    let host: String = gethostname::gethostname().to_string_lossy().chars().take(48).collect();
    format!("{host}-{}", std::process::id())
}

/// A hash of the results of a fixed set of small jobs: searches, networks and learners in all games. Two programs with the
/// same signature can be trusted to give the same results to the bit.
pub fn signature() -> String {
    let mut hasher = blake3::Hasher::new();
    let (blobs, cancel) = (Blobs::sealed(), Cancel::default());
    for job in registry::visit_all(&Specimens).into_iter().flatten().chain(offline(&blobs, &cancel)) {
        // An error is a result, too: a program that cannot do one of these jobs differs from one that can.
        let result = attempt(&job, &blobs, &cancel).map(JobResult::without_times).map_err(|error| error.to_string());
        hasher.update(&postcard::to_stdvec(&result).unwrap_or_default());
    }
    hasher.finalize().to_hex()[..16].to_string()
}

/// Small jobs of one game.
#[derive(Clone)]
struct Specimens;

impl GameVisitor for Specimens {
    type Output = Vec<Job>;

    fn visit<G: RegisteredGame>(self) -> Vec<Job> {
        let job = |work| Job::new(G::ID, "", work);
        let seed = Seed::new(2026);
        let mut jobs = vec![job(pairs(["pvs:depth=2,table=1", "mcts:simulations=20,memory=1"], 1, seed))];
        for group in G::input_groups().iter().take(2).map(|group| group.name) {
            let Ok(inputs) = G::inputs(&[group.to_string()]) else { continue };
            let shape = shape(inputs.size());
            let genomes = [1, 2].map(|child| Genome::Weights(weights(&shape, child))).to_vec();
            let body = network(group, shape);
            let duel = Duel { a: 0, b: DuelRival::Genome(1), games: 2, first: FirstMover::Alternate, seed };
            let player = "alphabeta:depth=1,eval=genome".to_string();
            jobs.push(job(Work::Episodes(Episodes {
                body: body.clone(),
                player: player.clone(),
                genome: genomes[0].clone(),
                opponent: None,
                exploration: vec![0.1],
                first_game: 0,
                seed,
                lines: true,
            })));
            let (opponents, meetings) = (Vec::new(), vec![duel]);
            jobs.push(job(Work::Duels(Duels { body, player, genomes, opponents, meetings, random_plies: 2 })));
        }
        jobs
    }
}

fn pairs(players: [&str; 2], pairs: u64, seed: Seed) -> Work {
    Work::Pairs(Pairs {
        players: players.map(str::to_string),
        limits: [Limit::default(); 2],
        openings: Vec::new(),
        first_pair: 0,
        pairs,
        seed,
        adjudication: Adjudication::default(),
        keep_games: true,
    })
}

fn shape(inputs: usize) -> Shape {
    let layer = |size, activation| Layer { size, activation, bias: true };
    Shape {
        inputs,
        layers: vec![layer(6, Activation::Tanh), layer(3, Activation::Sigmoid), layer(1, Activation::Tanh)],
    }
}

fn weights(shape: &Shape, child: u64) -> Vec<f32> {
    let mut stream = Seed::new(7).child(child).stream();
    (0..shape.weights()).map(|_| (stream.unit() - 0.5) as f32).collect()
}

/// A network over one group of inputs.
fn network(group: &str, shape: Shape) -> Body {
    Body::Network { shape, groups: vec![group.to_string()], view: View::Mover }
}

/// Judging the positions of a few games, and training a network on them: the whole arithmetic of learning.
fn offline(blobs: &Blobs, cancel: &Cancel) -> [Job; 2] {
    let job = |work| Job::new("connect-four", "", work);
    let games = match attempt(&job(pairs(["random", "random"], 2, Seed::new(3))), blobs, cancel) {
        Ok(JobResult::Pairs(pairs)) => pairs.rows,
        _ => GameRows::default(),
    };
    let judge = Judge { player: "alphabeta:depth=2".into(), scale: 100 };
    let games = Arc::new(games);
    let judging = Judging { judge, games: Arc::clone(&games), places: (3, 20), seed: Seed::new(4) };
    let shape = shape(42);
    let stages = vec![Stage::at(0.02, 2)];
    let fitting = Fitting {
        weights: weights(&shape, 3),
        memory: None,
        body: network("board", shape),
        games,
        backup: Backup { discount: 0.9, towards: 0.5, rate: None },
        opinions: None,
        validation: 0.1,
        split: Seed::new(4),
        training: Training { stages, optimiser: OptimiserName::Adam, momentum: 0.9, minibatch: 5 },
        symmetries: true,
        cycles: (0, 2),
        seed: Seed::new(5),
    };
    [job(Work::Judging(judging)), job(Work::Fitting(fitting))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{decode, encode};

    #[test]
    fn the_signature_repeats_and_every_job_behind_it_can_be_done() {
        assert_eq!(signature(), signature());
        let (blobs, cancel) = (Blobs::sealed(), Cancel::default());
        for job in registry::visit_all(&Specimens).into_iter().flatten().chain(offline(&blobs, &cancel)) {
            assert!(attempt(&job, &blobs, &cancel).is_ok(), "{job:?}");
        }
    }

    #[test]
    fn jobs_and_results_of_all_these_kinds_survive_the_wire() {
        let (blobs, cancel) = (Blobs::sealed(), Cancel::default());
        for job in registry::visit_all(&Specimens).into_iter().flatten().chain(offline(&blobs, &cancel)) {
            assert_eq!(decode::<Job>(&encode(&job).expect("bytes")).expect("a job"), job);
            let result = attempt(&job, &blobs, &cancel).expect("a result");
            assert_eq!(decode::<JobResult>(&encode(&result).expect("bytes")).expect("a result"), result);
        }
    }

    #[test]
    fn another_version_or_other_bits_do_not_fit() {
        let here = Identity { program: "lanista 1".into(), signature: "a".into() };
        let later = Identity { program: "lanista 2".into(), ..here.clone() };
        let other = Identity { signature: "b".into(), ..here.clone() };
        assert_ne!(here.compatibility(), later.compatibility());
        assert_ne!(here.compatibility(), other.compatibility());
        assert!(here.difference(&later.program, &later.signature).contains("it is lanista 2"));
        assert!(here.difference(&other.program, &other.signature).contains("different bits"));
    }
}
