//! Games written down as trees, for tests that are computed by hand. The usual one:
//!
//! ```text
//! 0 ─┬─ 1 (-60) ─┬─ 4 (300)
//!    │           ├─ 5 (-100)
//!    │           └─ 6 (50)
//!    ├─ 2 (-40) ─┬─ 7 (200)
//!    │           └─ 8 (90) ─── 12 the first side has won
//!    └─ 3 (30) ──┬─ 9 (20)
//!                ├─ 10 the second side has won
//!                └─ 11 a draw
//! ```
//!
//! In brackets what the evaluator says, for who is to move there. Places without a branch have one move that stays there.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use lanista_core::{
    DrawRules, Evaluator, Game, MoveList, Outcome, ParseError, Picture, Position, Progress, RandomStream, Rules,
    SIDE_KEY, Score, Side, Tactics, mix64,
};

static USUAL: LazyLock<Tree> = LazyLock::new(|| Tree::written("((. . .) (. (+)) (. - =))"));

/// What the evaluator says of the places of the usual tree, for who is to move.
const VALUES: [i32; 13] = [0, -60, -40, 30, 300, -100, 50, 200, 90, 20, 0, 0, 0];

/// A tree: what follows each place. The root is place 0.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tree(pub Vec<Place>);

/// What follows a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// These places.
    Branch(Vec<u8>),
    /// Nothing: the game is over.
    End(Outcome),
}

const ENDS: [(char, Outcome); 3] =
    [('+', Outcome::Win(Side::First)), ('-', Outcome::Win(Side::Second)), ('=', Outcome::Draw)];

impl Tree {
    /// Reads a tree: brackets around what follows a place, `.` for a place that only leads to itself, `+` where the
    /// first side has won, `-` where the second has, `=` for a draw. Places are numbered level by level.
    pub fn written(text: &str) -> Tree {
        let mut levels: Vec<Vec<(Place, usize)>> = vec![Vec::new()];
        let mut depth = 0;
        for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
            let place = match ENDS.iter().find(|(sign, _)| *sign == letter) {
                Some(&(_, outcome)) => Place::End(outcome),
                None => Place::Branch(Vec::new()),
            };
            match letter {
                ')' => depth -= 1,
                _ => {
                    let parent = if depth == 0 { 0 } else { levels[depth - 1].len() - 1 };
                    levels[depth].push((place, parent));
                    depth += usize::from(letter == '(');
                    levels.resize(levels.len().max(depth + 1), Vec::new());
                }
            }
        }
        assert_eq!(depth, 0, "{text}: brackets match");
        let mut tree = Tree(Vec::new());
        let mut above = 0;
        for level in levels {
            let begin = tree.0.len();
            for (place, parent) in level {
                let number = tree.0.len() as u8;
                tree.0.push(place);
                if let (1.., Place::Branch(children)) = (number, &mut tree.0[above + parent]) {
                    children.push(number);
                }
            }
            above = begin;
        }
        tree.close();
        tree
    }

    /// A random tree: branches of one to four, ends at any depth, several ways to one place, even from below.
    pub fn random(random: &mut RandomStream) -> Tree {
        let most = 8 + random.below(240) as usize;
        let (rarity_of_ends, rarity_of_meetings) = (2 + random.below(10), 2 + random.below(10));
        let mut tree = Tree(vec![Place::Branch(Vec::new())]);
        // How far each place was from the root when it was made.
        let mut depths = vec![0];
        let mut open = vec![0];
        while !open.is_empty() && tree.0.len() < most {
            let parent: usize = open.swap_remove(random.below(open.len() as u32) as usize);
            let mut children: Vec<u8> = Vec::new();
            for _ in 0..1 + random.below(4) {
                let here = depths[parent] + 1;
                let from_anywhere = random.below(4) == 0;
                let fits = |depth: u32| depth == here || from_anywhere && depth % 2 == here % 2;
                let mut known: Vec<u8> =
                    (0..tree.0.len() as u8).filter(|&place| fits(depths[place as usize])).collect();
                known.retain(|place| !children.contains(place));
                if !known.is_empty() && random.below(rarity_of_meetings) == 0 {
                    children.push(known[random.below(known.len() as u32) as usize]);
                    continue;
                }
                children.push(tree.0.len() as u8);
                depths.push(here);
                if random.below(rarity_of_ends) == 0 {
                    tree.0.push(Place::End(ENDS[random.below(3) as usize].1));
                } else {
                    open.push(tree.0.len());
                    tree.0.push(Place::Branch(Vec::new()));
                }
            }
            tree.0[parent] = Place::Branch(children);
        }
        tree.close();
        tree
    }

    /// Lets every place without a branch lead to itself.
    fn close(&mut self) {
        for (number, place) in self.0.iter_mut().enumerate() {
            if let Place::Branch(children) = place
                && children.is_empty()
            {
                children.push(number as u8);
            }
        }
    }
}

/// A position: a place in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Twig {
    pub tree: &'static Tree,
    pub place: u8,
    side: Side,
}

impl Twig {
    /// The root of a tree. Positions are plain data, so the tree stays in memory.
    pub fn root(tree: Tree) -> Twig {
        Twig { tree: Box::leak(Box::new(tree)), place: 0, side: Side::First }
    }
}

impl Default for Twig {
    fn default() -> Twig {
        Twig { tree: &USUAL, place: 0, side: Side::First }
    }
}

/// A move: the place that it leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct To(pub u8);

/// The values that are written down for the usual tree.
pub(crate) struct Written;

impl Evaluator<Twig> for Written {
    fn value(&mut self, position: &Twig) -> Score {
        Score(VALUES[position.place as usize])
    }
}

impl Position for Twig {
    type Move = To;
    const SYMMETRIES: usize = 1;

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut MoveList<To>) {
        moves.clear();
        if let Place::Branch(children) = &self.tree.0[self.place as usize] {
            children.iter().for_each(|&place| moves.push(To(place)));
        }
    }

    fn play(&mut self, mv: To) {
        *self = Twig { place: mv.0, side: !self.side, ..*self };
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.tree.0[self.place as usize] {
            Place::Branch(_) => None,
            Place::End(outcome) => Some(outcome),
        }
    }

    fn key(&self) -> u64 {
        mix64(self.place.into()) ^ if self.side == Side::Second { SIDE_KEY } else { 0 }
    }

    fn progress(&self, _mv: To) -> Progress {
        Progress::Conversion
    }

    fn material(&self, _side: Side) -> u32 {
        0
    }

    fn symmetric(&self, _index: usize) -> Twig {
        *self
    }

    fn symmetric_move(mv: To, _index: usize) -> To {
        mv
    }

    fn parse_move(&self, text: &str) -> Result<To, ParseError> {
        text.parse()
    }

    fn picture(&self) -> Picture {
        Picture { rows: Vec::new(), row_labels: Vec::new(), column_labels: Vec::new(), square_names: Vec::new() }
    }
}

impl Game for Twig {
    const ID: &'static str = "twigs";
    const NAME: &'static str = "Twigs";
    const SIDES: [&'static str; 2] = ["First", "Second"];

    fn presets() -> Vec<Rules<Twig>> {
        vec![Rules { name: "twigs".into(), about: "", start: Twig::default(), draws: DrawRules::default() }]
    }
}

impl Tactics for Twig {
    const HISTORY_SLOTS: usize = 256;

    fn history_slot(&self, mv: To) -> usize {
        mv.0.into()
    }

    fn urgency(&self, mv: To) -> Option<u8> {
        // As good as any: a search must be right whatever is tried first.
        mv.0.is_multiple_of(5).then_some(mv.0 % 2)
    }
}

impl fmt::Display for To {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for To {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<To, ParseError> {
        text.parse().map(To).map_err(|_| ParseError::new(1, "expected a place"))
    }
}

impl fmt::Display for Twig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.place, self.side.index())
    }
}

impl FromStr for Twig {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Twig, ParseError> {
        let (place, side) = text.split_once(' ').ok_or_else(|| ParseError::new(1, "expected place and side"))?;
        let To(place) = place.parse()?;
        Ok(Twig { place, side: Side::BOTH[usize::from(side == "1")], ..Twig::default() })
    }
}
