//! The laws of all parsers on a kept corpus and on thousands of mutations of it, the same ones in every run.
//! The fuzz targets under `fuzz/` hold the same laws against inputs that they find by themselves.

mod laws;

use std::fs;
use std::path::Path;

use lanista_core::{RandomStream, Seed};

use laws::LAWS;

/// Mutated inputs a law.
const MUTATIONS: u64 = 20_000;
/// Mutations do not grow an input beyond this; what limits do is tested elsewhere.
const LONGEST: usize = 4096;
/// What means something to one of the parsers.
const TOKENS: [&str; 24] = [
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ";",
    "*",
    "\"",
    "\\",
    "\n",
    "\r\n",
    "\t",
    "1-0",
    "1/2-1/2",
    "11-15",
    "32x23x14",
    "d1-b3",
    "[FEN \"",
    "SU[Custom]",
    "K1-K32",
    "4455",
    "=",
    "\u{e9}",
];

#[test]
fn laws_hold_on_the_corpus() {
    for (folder, law) in LAWS {
        for input in corpus(folder) {
            law(&input);
        }
    }
}

#[test]
fn laws_hold_on_mutations_of_the_corpus() {
    for (index, (folder, law)) in LAWS.into_iter().enumerate() {
        let corpus = corpus(folder);
        for number in 0..MUTATIONS {
            let mut random = Seed::new(2).child(index as u64).child(number).stream();
            let mut input = pick(&corpus, &mut random).clone();
            for _ in 0..=random.below(6) {
                mutate(&mut input, &corpus, &mut random);
            }
            input.truncate(LONGEST);
            law(&input);
        }
    }
}

/// The inputs of a folder, in an order that does not depend on the file system.
fn corpus(folder: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(folder);
    let mut paths: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} is empty", folder.display());
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

fn pick<'a, T>(items: &'a [T], random: &mut RandomStream) -> &'a T {
    &items[random.below(items.len() as u32) as usize]
}

/// A piece of some text.
fn piece<'a>(text: &'a [u8], random: &mut RandomStream) -> &'a [u8] {
    let start = random.below(text.len() as u32 + 1) as usize;
    let length = random.below(64).min((text.len() - start) as u32) as usize;
    &text[start..start + length]
}

/// One change: a byte, a token or a piece put in, replaced or taken out; or the end cut off.
fn mutate(input: &mut Vec<u8>, corpus: &[Vec<u8>], random: &mut RandomStream) {
    let at = random.below(input.len() as u32 + 1) as usize;
    let removed = random.below(4).min((input.len() - at) as u32) as usize;
    let put: Vec<u8> = match random.below(6) {
        0 => vec![random.below(256) as u8],
        1 => pick(&TOKENS, random).bytes().collect(),
        2 => piece(input, random).to_vec(),
        3 => piece(pick::<Vec<u8>>(corpus, random), random).to_vec(),
        4 => pick(&TOKENS, random).repeat(random.below(40) as usize).into_bytes(),
        _ => {
            input.truncate(at);
            return;
        }
    };
    input.splice(at..at + removed, put);
}
