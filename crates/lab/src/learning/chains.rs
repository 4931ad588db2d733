//! Games as chains of inputs: what temporal-difference learning is told.

use lanista_core::{MoveList, Outcome, Position, Side};
use lanista_learn::td::{Chain, States};

use super::body::Body;
use super::eyes::Eyes;
use crate::jobs::{Episode, outcome_from_code};
use crate::registry::{GameVisitor, RegisteredGame};

/// Makes chains of the games of a learner.
pub struct MakeChains<'a> {
    /// What the learner is.
    pub body: &'a Body,
    /// The rules, as text.
    pub rules: &'a str,
    /// Which states it learns from.
    pub states: States,
    /// The games.
    pub episodes: &'a [Episode],
}

impl GameVisitor for MakeChains<'_> {
    type Output = Result<Vec<Chain>, String>;

    fn visit<G: RegisteredGame>(self) -> Result<Vec<Chain>, String> {
        let start = G::rules(self.rules).map_err(|error| error.to_string())?.start;
        let eyes = Eyes::<G>::of(self.body)?;
        let mut moves = MoveList::new();
        let mut chains = Vec::with_capacity(2 * self.episodes.len());
        for episode in self.episodes {
            let outcome = outcome_from_code(episode.outcome).ok_or("a game without an outcome")?;
            let mut both = [Chain::default(), Chain::default()];
            match self.states {
                States::Afterstates => afterstates(&start, episode, &eyes, &mut moves, &mut both)?,
                States::Leaves => leaves(&start, episode, &eyes, &mut moves, &mut both)?,
            }
            for (side, mut chain) in Side::BOTH.into_iter().zip(both) {
                chain.result = match outcome {
                    Outcome::Draw => 0.0,
                    Outcome::Win(winner) if winner == side => 1.0,
                    Outcome::Win(_) => -1.0,
                };
                if episode.learns[side.index()] && !chain.is_empty() {
                    chains.push(chain);
                }
            }
        }
        Ok(chains)
    }
}

/// Puts a state at the end of a side's chain.
fn see<G: RegisteredGame>(eyes: &Eyes<G>, position: &G, side: Side, chain: &mut Chain) {
    let from = chain.inputs.len();
    chain.inputs.resize(from + eyes.shape().inputs, 0.0);
    eyes.write(position, &mut chain.inputs[from..]);
    chain.signs.push(if eyes.viewer(position) == side { 1.0 } else { -1.0 });
}

fn play<G: Position>(position: &mut G, code: u8, moves: &mut MoveList<G::Move>) -> Result<(), String> {
    position.legal_moves(moves);
    let mv = moves.get(usize::from(code)).copied().ok_or("a move that there is not")?;
    position.play(mv);
    Ok(())
}

/// The positions behind the moves of each side, but the one that ends the game: its worth is the result.
fn afterstates<G: RegisteredGame>(
    start: &G,
    episode: &Episode,
    eyes: &Eyes<G>,
    moves: &mut MoveList<G::Move>,
    both: &mut [Chain; 2],
) -> Result<(), String> {
    let mut position = *start;
    for (ply, &code) in episode.codes.iter().enumerate() {
        let side = position.side_to_move();
        play(&mut position, code, moves)?;
        let is_last = ply + 1 == episode.codes.len();
        if !is_last && episode.learns[side.index()] {
            see(eyes, &position, side, &mut both[side.index()]);
        }
    }
    Ok(())
}

/// The positions at the ends of the lines that each side expected. Where a line ends the game, nothing is learnt.
fn leaves<G: RegisteredGame>(
    start: &G,
    episode: &Episode,
    eyes: &Eyes<G>,
    moves: &mut MoveList<G::Move>,
    both: &mut [Chain; 2],
) -> Result<(), String> {
    let mut position = *start;
    let mut lines = episode.lines.iter().peekable();
    for (ply, &code) in episode.codes.iter().enumerate() {
        let side = position.side_to_move();
        if let Some((_, line)) = lines.next_if(|(at, _)| usize::from(*at) == ply) {
            let mut leaf = position;
            for &code in line {
                play(&mut leaf, code, moves)?;
            }
            if leaf.outcome().is_none() {
                see(eyes, &leaf, side, &mut both[side.index()]);
            }
        }
        play(&mut position, code, moves)?;
    }
    Ok(())
}
