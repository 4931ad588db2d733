//! Sets of balanced openings, made by chance and judged by a player or, where the game is solved, by the truth.

use std::collections::HashSet;

use lanista_core::{Budget, MoveList, Outcome, Position, Referee, Score, Seed};

use crate::blobs::Blobs;
use crate::players::PlayerSpec;
use crate::registry::{self, GameVisitor, RegisteredGame};

/// Who judges openings of games that are not solved.
pub const JUDGE: &str = "pvs:depth=8";
/// So many random lines in a row may be good for nothing; then the search ends with what there is.
const PATIENCE: u64 = 20_000;

/// What is wanted.
#[derive(Clone, Debug)]
pub struct OpeningRequest {
    /// The game.
    pub game: String,
    /// The rules, as text.
    pub rules: String,
    /// The length of a line.
    pub plies: u32,
    /// How many lines.
    pub count: usize,
    /// How far from even a position may be, for the judge.
    pub within: Score,
    /// The player that judges. If none is given: the game's solver; [`JUDGE`] where it has none.
    pub judge: Option<String>,
    /// The root of all chance.
    pub seed: u64,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningSet {
    /// The name of the game, for people.
    pub name: &'static str,
    /// The rules they were made for, as text.
    pub rules: String,
    /// The openings in the order in which they were found.
    pub openings: Vec<Opening>,
    /// Who judged: a player's text, or `None` for the solver.
    pub judge: Option<String>,
    /// Lines drawn.
    pub drawn: u64,
    /// Positions judged.
    pub judged: u64,
}

/// One opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its moves in the game's notation.
    pub moves: Vec<String>,
    /// The value for the side to move after them.
    pub value: Score,
}

/// Makes a set. `found` hears how many openings there are each time there is one more.
///
/// Line `n` depends on the seed and on `n` alone. A line is left out if the game ends in it, if the mover can win at once
/// after it, if an earlier line came to the same position or to a symmetric one, or if its value is not even enough.
pub fn make(request: &OpeningRequest, found: &mut dyn FnMut(usize)) -> Result<OpeningSet, String> {
    registry::visit(&request.game, Make { request, found }).map_err(|error| error.to_string())?
}

struct Make<'a> {
    request: &'a OpeningRequest,
    found: &'a mut dyn FnMut(usize),
}

impl GameVisitor for Make<'_> {
    type Output = Result<OpeningSet, String>;

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        let request = self.request;
        let rules = G::rules(&request.rules).map_err(|error| error.to_string())?;
        let (judge, mut value_of) = judge::<G>(request)?;
        let name = rules.name.clone();
        let mut set = OpeningSet { name: G::NAME, rules: name, openings: Vec::new(), judge, drawn: 0, judged: 0 };
        let (root, mut seen, mut useless) = (Seed::new(request.seed), HashSet::new(), 0);
        while set.openings.len() < request.count && useless < PATIENCE {
            let mut game = Referee::new(&rules);
            game.play_random(request.plies, &mut root.child(set.drawn).stream());
            set.drawn += 1;
            useless += 1;
            if game.ending().is_some() || wins_at_once(game.position()) || !seen.insert(orbit(game.position())) {
                continue;
            }
            set.judged += 1;
            let value = value_of(&game)?;
            if value.0.abs() <= request.within.0 {
                let moves = game.moves().iter().map(ToString::to_string).collect();
                set.openings.push(Opening { moves, value });
                useless = 0;
                (self.found)(set.openings.len());
            }
        }
        Ok(set)
    }
}

/// What judges the position of a game.
type Judge<G> = Box<dyn FnMut(&Referee<G>) -> Result<Score, String>>;

fn judge<G: RegisteredGame>(request: &OpeningRequest) -> Result<(Option<String>, Judge<G>), String> {
    if request.judge.is_none()
        && let Some(mut solve) = G::solver()
    {
        return Ok((None, Box::new(move |game| Ok(solve(game.position())))));
    }
    let text = request.judge.clone().unwrap_or_else(|| JUDGE.to_string());
    let spec = PlayerSpec::parse(&text).map_err(|error| error.to_string())?;
    let (blobs, seed, name) = (Blobs::default(), Seed::new(request.seed), text.clone());
    let judge = move |game: &Referee<G>| {
        // A fresh player every time: what it thinks of one opening does not depend on the others.
        let mut player = spec.build::<G>(&blobs).map_err(|error| error.to_string())?;
        let decision = player.choose(game, &Budget::default(), &mut seed.stream());
        if let (None, Some(failure)) = (&decision, player.failure()) {
            return Err(format!("player {name:?} breaks down: {failure}"));
        }
        let score = decision.and_then(|decision| decision.score);
        score.ok_or_else(|| format!("player {name:?}: has no opinion, expected one that gives positions a value"))
    };
    Ok((Some(text), Box::new(judge)))
}

/// A number that all positions share which a symmetry of the game makes of this one.
pub fn orbit<P: Position>(position: &P) -> u64 {
    (0..P::SYMMETRIES).map(|index| position.symmetric(index).key()).min().unwrap_or_default()
}

/// Whether the side to move has a move that wins the game.
pub fn wins_at_once<P: Position>(position: &P) -> bool {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.iter().any(|&mv| {
        let mut after = *position;
        after.play(mv);
        after.outcome() == Some(Outcome::Win(position.side_to_move()))
    })
}
