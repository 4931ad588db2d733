//! How games begin: from a file, from the game's own book, or at random.

use std::collections::HashSet;

use lanista_core::{Referee, Seed};
use lanista_games::files::check;

use crate::jobs::{decode, encode};
use crate::registry::{self, GameVisitor, RegisteredGame};

/// Openings as codes, by the number of the pair.
#[derive(Clone, Debug)]
pub enum Openings {
    /// These lines, from the first again when they are used up.
    Lines(Vec<Vec<u8>>),
    /// Random lines, different ones as long as there are some.
    Random(RandomLines),
}

/// Random openings, drawn as they are needed.
#[derive(Clone, Debug)]
pub struct RandomLines {
    game: String,
    rules: String,
    plies: u32,
    seed: Seed,
    drawn: Vec<Vec<u8>>,
    seen: HashSet<Vec<u8>>,
    exhausted: bool,
}

impl Openings {
    /// So many random plies.
    pub fn random(game: &str, rules: &str, plies: u32, seed: Seed) -> Openings {
        if plies == 0 {
            return Openings::Lines(vec![Vec::new()]);
        }
        let (game, rules) = (game.to_string(), rules.to_string());
        Openings::Random(RandomLines {
            game,
            rules,
            plies,
            seed,
            drawn: Vec::new(),
            seen: HashSet::new(),
            exhausted: false,
        })
    }

    /// The games of a file, in a format that its name tells.
    pub fn from_file(game: &str, rules: &str, path: &str, content: &[u8]) -> Result<Openings, String> {
        registry::visit(game, ReadFile { rules, path, content })
            .map_err(|error| error.to_string())?
            .map(Openings::Lines)
    }

    /// The game's own book.
    pub fn from_book(game: &str, rules: &str) -> Result<Openings, String> {
        registry::visit(game, ReadBook { rules }).map_err(|error| error.to_string())?.map(Openings::Lines)
    }

    /// Only the first so many. Random lines are not limited.
    pub fn truncate(&mut self, count: usize) {
        if let Openings::Lines(lines) = self {
            lines.truncate(count.max(1));
        }
    }

    /// The openings of these pairs.
    pub fn of_pairs(&mut self, first: u64, pairs: u64) -> Vec<Vec<u8>> {
        let line = |lines: &[Vec<u8>], pair: u64| lines[(pair % lines.len() as u64) as usize].clone();
        match self {
            Openings::Lines(lines) if lines.len() == 1 => lines.clone(),
            Openings::Lines(lines) => (first..first + pairs).map(|pair| line(lines, pair)).collect(),
            Openings::Random(random) => {
                random.draw((first + pairs) as usize);
                (first..first + pairs).map(|pair| line(&random.drawn, pair)).collect()
            }
        }
    }
}

impl RandomLines {
    /// Draws until there are so many, or until nothing new comes.
    fn draw(&mut self, count: usize) {
        if self.drawn.len() < count && !self.exhausted {
            let game = self.game.clone();
            // The game was there when the experiment was checked.
            let _ = registry::visit(&game, Draw { lines: self, count });
        }
    }
}

struct Draw<'a> {
    lines: &'a mut RandomLines,
    count: usize,
}

impl GameVisitor for Draw<'_> {
    type Output = ();

    fn visit<G: RegisteredGame>(self) {
        /// So many draws in a row may give nothing new; then the known ones are used again.
        const PATIENCE: u64 = 200;
        let Ok(rules) = G::rules(&self.lines.rules) else { return };
        while self.lines.drawn.len() < self.count {
            let seed = self.lines.seed.child(self.lines.drawn.len() as u64);
            let fresh = (0..PATIENCE).find_map(|attempt| {
                let mut game = Referee::new(&rules);
                game.play_random(self.lines.plies, &mut seed.child(attempt).stream());
                let mut codes = Vec::new();
                encode(&game.record(None), &mut codes);
                (game.ending().is_none() && !self.lines.seen.contains(&codes)).then_some(codes)
            });
            match fresh {
                Some(codes) => {
                    self.lines.seen.insert(codes.clone());
                    self.lines.drawn.push(codes);
                }
                None => {
                    self.lines.exhausted = true;
                    if self.lines.drawn.is_empty() {
                        // Every game ends within so few plies: they begin at the start.
                        self.lines.drawn.push(Vec::new());
                    }
                    return;
                }
            }
        }
    }
}

struct ReadFile<'a> {
    rules: &'a str,
    path: &'a str,
    content: &'a [u8],
}

impl GameVisitor for ReadFile<'_> {
    type Output = Result<Vec<Vec<u8>>, String>;

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        let rules = G::rules(self.rules).map_err(|error| error.to_string())?;
        let path = self.path;
        let mut lines = Vec::new();
        for game in G::format_of_file(path).games(Box::new(self.content)) {
            let record = game.map_err(|error| format!("{path}: {error}"))?;
            let record = check(&record, &rules).map_err(|error| format!("{path}: {error}"))?;
            let number = lines.len() + 1;
            if record.ending.is_some() {
                return Err(format!("{path}: opening {number} ends the game"));
            }
            if record.start != rules.start {
                return Err(format!("{path}: opening {number} does not begin at the start of the game"));
            }
            let mut codes = Vec::new();
            encode(&record, &mut codes);
            lines.push(codes);
        }
        if lines.is_empty() { Err(format!("{path}: no opening in it, expected at least one")) } else { Ok(lines) }
    }
}

struct ReadBook<'a> {
    rules: &'a str,
}

impl GameVisitor for ReadBook<'_> {
    type Output = Result<Vec<Vec<u8>>, String>;

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        let rules = G::rules(self.rules).map_err(|error| error.to_string())?;
        let mut lines = Vec::new();
        for line in G::OPENING_BOOK.lines().map(|line| line.split('#').next().unwrap_or_default()) {
            let mut game = Referee::new(&rules);
            for text in line.split_whitespace() {
                game.play_text(text).map_err(|error| format!("the opening book: {line}: {text}: {error}"))?;
            }
            if !game.moves().is_empty() {
                let mut codes = Vec::new();
                encode(&game.record(None), &mut codes);
                lines.push(codes);
            }
        }
        if lines.is_empty() { Err(format!("{} has no book of openings", G::ID)) } else { Ok(lines) }
    }
}

/// Moves as text, for people.
pub fn moves_as_text(game: &str, rules: &str, codes: &[u8]) -> Result<Vec<String>, String> {
    struct AsText<'a>(&'a str, &'a [u8]);
    impl GameVisitor for AsText<'_> {
        type Output = Result<Vec<String>, String>;

        fn visit<G: RegisteredGame>(self) -> Self::Output {
            let rules = G::rules(self.0).map_err(|error| error.to_string())?;
            let game = decode(&rules, self.1).map_err(|error| error.to_string())?;
            Ok(game.moves().iter().map(ToString::to_string).collect())
        }
    }
    registry::visit(game, AsText(rules, codes)).map_err(|error| error.to_string())?
}
