//! `lanista bench`: the fixed benchmark set.
//!
//! One thread. Each entry does the same work five times and reports the best, which noise on the machine
//! disturbs least. The signature hashes what was computed, not how fast: two builds with the same
//! signature play the same.

use std::time::Instant;

use clap::Args;
use lanista_core::{Game, RandomGame, Seed, mix64, perft};
use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_games::loa::Loa;
use serde::Serialize;
use serde_json::{Value, json};

use crate::cpu;
use crate::output::{Output, progress_bar};

/// Measure the speed of this program on this machine.
#[derive(Args)]
#[command(after_help = "Examples:\n  lanista bench\n  lanista bench perft --json\n  LANISTA_CPU=v2 lanista bench")]
pub struct BenchCommand {
    /// Only the entries whose name contains this.
    filter: Option<String>,
}

/// A piece of work: it returns how much it did and a hash of what it found.
type Work = fn() -> (u64, u64);

const RUNS: u32 = 5;
const NODES: &str = "nodes/s";
const GAMES: &str = "games/s";

const ENTRIES: [(&str, &str, Work); 6] = [
    ("perft/loa", NODES, || count_tree::<Loa<8>>(5)),
    ("perft/connect-four", NODES, || count_tree::<ConnectFour>(9)),
    ("perft/draughts", NODES, || count_tree::<Draughts>(10)),
    ("random-games/loa", GAMES, || play_random::<Loa<8>>(20_000)),
    ("random-games/connect-four", GAMES, || play_random::<ConnectFour>(2_000_000)),
    ("random-games/draughts", GAMES, || play_random::<Draughts>(60_000)),
];

/// Every position is played and checked for its end, the last ply included.
fn count_tree<G: Game>(depth: u32) -> (u64, u64) {
    let count = perft(&G::presets()[0].start, depth);
    (count.nodes, mix64(count.leaves) ^ count.finished)
}

fn play_random<G: Game>(games: u64) -> (u64, u64) {
    let rules = &G::presets()[0];
    let mut game = RandomGame::new(rules);
    let mut stream = Seed::new(0).stream();
    let mut hash = 0;
    for _ in 0..games {
        let (ending, plies) = game.play(rules.start, &mut stream);
        hash = mix64(hash ^ u64::from(plies) << 2 ^ (2.0 * ending.outcome.points(lanista_core::Side::First)) as u64);
    }
    (games, hash)
}

#[derive(Serialize)]
struct Measurement {
    name: &'static str,
    value: f64,
    unit: &'static str,
}

impl BenchCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let filter = self.filter.unwrap_or_default();
        let chosen: Vec<_> = ENTRIES.into_iter().filter(|(name, ..)| name.contains(&filter)).collect();
        if chosen.is_empty() {
            let names: Vec<&str> = ENTRIES.iter().map(|&(name, ..)| name).collect();
            anyhow::bail!("no benchmark is called like {filter:?}; there are: {}", names.join(", "));
        }
        let bar = progress_bar(chosen.len() as u64 * u64::from(RUNS), "measuring");
        let mut measurements = Vec::new();
        let mut signature = 0;
        for (name, unit, work) in chosen {
            let mut best = 0.0f64;
            let mut found = 0;
            for _ in 0..RUNS {
                let began = Instant::now();
                let (amount, hash) = work();
                best = best.max(amount as f64 / began.elapsed().as_secs_f64());
                found = hash;
                bar.inc(1);
            }
            signature = mix64(signature ^ found);
            measurements.push(Measurement { name, value: best, unit });
        }
        bar.finish_and_clear();
        let signature = format!("{signature:016x}");
        if output.is_json() {
            let mut entries: Vec<Value> = measurements.iter().map(|entry| json!(entry)).collect();
            entries.push(json!({"name": "signature", "value": signature, "unit": "hash"}));
            entries.push(json!({"name": "build", "value": cpu::BUILD, "unit": "instruction set"}));
            return output.json(&entries);
        }
        for entry in measurements {
            let (value, unit) = (grouped(entry.value), entry.unit);
            output.line(format!("{:<28} {value:>14} {unit}", entry.name))?;
        }
        output.line(format!("signature {signature}, build {}, best of {RUNS} runs on one thread", cpu::BUILD))?;
        Ok(())
    }
}

/// 1234567.8 as `1,234,568`.
fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
