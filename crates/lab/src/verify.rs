//! Kept games, played again from their seeds: the same moves must come out.

use crate::blobs::Blobs;
use crate::jobs::{Adjudication, Cancel, Job, JobError, JobResult, Pairs, Work};
use crate::limits::Limit;
use crate::store::KeptGame;

/// Whether a game came out the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay {
    /// To the move.
    Same,
    /// Not the same; which ply is the first that differs, from 1.
    Different(usize),
    /// It cannot: a clock or another program took part.
    NotRepeatable,
}

/// Plays a kept game again.
pub fn replay(
    game: &KeptGame,
    rules: (&str, &str),
    adjudication: Adjudication,
    blobs: &Blobs,
    cancel: &Cancel,
) -> Result<Replay, JobError> {
    let limits = [Limit::parse(&game.limits[0])?, Limit::parse(&game.limits[1])?];
    // A pair begins with the game that the first player opens.
    let swapped = game.number % 2 == 1;
    let order = |pair: [String; 2]| if swapped { [pair[1].clone(), pair[0].clone()] } else { pair };
    let work = Pairs {
        players: order(game.players.clone()),
        limits: if swapped { [limits[1], limits[0]] } else { limits },
        openings: vec![game.codes[..usize::from(game.opening).min(game.codes.len())].to_vec()],
        first_pair: game.number / 2,
        pairs: 1,
        seed: game.seed.parse()?,
        adjudication,
        keep_games: true,
    };
    let job = Job::new(rules.0, rules.1, Work::Pairs(work));
    if !job.repeats() {
        return Ok(Replay::NotRepeatable);
    }
    let JobResult::Pairs(result) = job.run(blobs, cancel)? else {
        return Ok(Replay::Different(0));
    };
    let Some(again) = result.rows.iter().nth(usize::from(swapped)) else { return Ok(Replay::Different(0)) };
    if again.codes == game.codes && again.outcome == game.outcome && again.reason == game.reason {
        return Ok(Replay::Same);
    }
    let same = again.codes.iter().zip(&game.codes).take_while(|(new, old)| new == old).count();
    Ok(Replay::Different(same + 1))
}
