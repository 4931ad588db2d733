//! `lanista bench`: the fixed benchmark set.
//!
//! One thread. Each timed entry does the same work several times and reports the best, which noise on the machine
//! disturbs least. The signature hashes what was computed, not how fast: two builds with the same
//! signature play the same.

mod lab;
mod learn;
mod network;
mod rules;
mod search;

use std::time::Instant;

use clap::Args;
use lanista_core::mix64;
use serde::Serialize;
use serde_json::{Value, json};

use crate::cpu;
use crate::output::{Output, progress_bar};

/// Measure the speed of this program on this machine.
#[derive(Args)]
#[command(after_help = "Examples:
  lanista bench
  lanista bench perft --json
  lanista bench search/loa
  LANISTA_CPU=v2 lanista bench")]
pub struct BenchCommand {
    /// Only the entries whose name contains this.
    filter: Option<String>,
}

/// What an entry reports of its work.
#[derive(Clone, Copy)]
enum Quantity {
    /// How much a second, best of [`RUNS`].
    Rate(&'static str),
    /// How long, best of [`RUNS`].
    Seconds,
    /// How much, which no clock can change.
    Count(&'static str),
}

/// One entry: its name, and work that returns how much it did and a hash of what it found.
struct Entry {
    name: String,
    quantity: Quantity,
    work: Box<dyn Fn() -> (u64, u64)>,
}

impl Entry {
    fn new(name: impl Into<String>, quantity: Quantity, work: impl Fn() -> (u64, u64) + 'static) -> Entry {
        Entry { name: name.into(), quantity, work: Box::new(work) }
    }
}

const RUNS: u32 = 5;

#[derive(Serialize)]
struct Measurement {
    name: String,
    value: f64,
    unit: &'static str,
}

impl BenchCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let filter = self.filter.unwrap_or_default();
        let all = [rules::entries(), search::entries(), network::entries(), lab::entries(), learn::entries()];
        let all: Vec<Entry> = all.into_iter().flatten().collect();
        let names: Vec<String> = all.iter().map(|entry| entry.name.clone()).collect();
        let chosen: Vec<Entry> = all.into_iter().filter(|entry| entry.name.contains(&filter)).collect();
        if chosen.is_empty() {
            anyhow::bail!("no benchmark is called like {filter:?}; there are: {}", names.join(", "));
        }
        let bar = progress_bar(chosen.len() as u64, "measuring");
        let mut measurements = Vec::new();
        let mut signature = 0;
        for entry in chosen {
            let (measurement, hash) = measure(entry);
            signature = mix64(signature ^ hash);
            measurements.push(measurement);
            bar.inc(1);
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
            let value = if entry.value < 100.0 { format!("{:.3}", entry.value) } else { grouped(entry.value) };
            output.line(format!("{:<44} {value:>14} {}", entry.name, entry.unit))?;
        }
        output.line(format!(
            "signature {signature}, build {}, best of {RUNS} runs, on one thread where nothing else is said",
            cpu::BUILD
        ))?;
        Ok(())
    }
}

fn measure(entry: Entry) -> (Measurement, u64) {
    let runs = if matches!(entry.quantity, Quantity::Count(_)) { 1 } else { RUNS };
    let (mut seconds, mut amount, mut hash) = (f64::INFINITY, 0, 0);
    for _ in 0..runs {
        let began = Instant::now();
        (amount, hash) = (entry.work)();
        seconds = seconds.min(began.elapsed().as_secs_f64());
    }
    let (value, unit) = match entry.quantity {
        Quantity::Rate(unit) => (amount as f64 / seconds, unit),
        Quantity::Seconds => (seconds, "s"),
        Quantity::Count(unit) => (amount as f64, unit),
    };
    (Measurement { name: entry.name, value, unit }, hash)
}

/// 1234567.8 as `1,234,568`.
fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
