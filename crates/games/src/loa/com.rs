//! The centre-of-mass player of the TD study of Lines of Action: it takes the own piece farthest from the own centre of
//! mass and mostly brings it as near as it can.
//!
//! What the thesis leaves open: distances are Euclidean; of pieces equally far, and of moves that bring one equally
//! near, luck decides, so that no direction of the board is preferred; if the farthest piece cannot move, the next
//! farthest that can does.

use lanista_core::{Budget, Decision, MoveList, Player, Position, RandomStream, Referee};

use super::evaluation::Mass;
use super::{Loa, LoaMove};

/// The name of the player in a player's text.
pub const COM_NAME: &str = "com";
/// What it does, in a line.
pub const COM_ABOUT: &str =
    "Lines of Action only: brings the piece farthest from the own centre of mass near it (TD study of Lines of Action)";

/// Brings the outermost piece to the centre of mass.
#[derive(Clone, Copy, Debug, Default)]
pub struct Com;

impl<const N: usize> Player<Loa<N>> for Com {
    fn is_always_fresh(&self) -> bool {
        true
    }

    fn choose(
        &mut self,
        game: &Referee<Loa<N>>,
        _budget: &Budget,
        random: &mut RandomStream,
    ) -> Option<Decision<LoaMove>> {
        let position = game.position();
        let mass = Mass::of(position.pieces(position.side_to_move()));
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        if moves[0].is_pass() {
            return Some(Decision::blind(moves[0]));
        }
        let farthest = moves.iter().map(|mv| distance(&mass, mv.from())).max()?;
        let mut pieces: Vec<u32> =
            moves.iter().map(|mv| mv.from()).filter(|&from| distance(&mass, from) == farthest).collect();
        pieces.dedup();
        let piece = pieces[random.below(pieces.len() as u32) as usize];
        let mut options: Vec<LoaMove> = moves.iter().copied().filter(|mv| mv.from() == piece).collect();
        options.sort_by_cached_key(|mv| (distance(&mass, mv.to()), random.bits()));
        let index = decayed(random.unit()).min(options.len() - 1);
        Some(Decision::blind(options[index]))
    }
}

/// The distance of a square from the centre of mass, squared, in units that are the same for all squares.
fn distance(mass: &Mass, square: u32) -> i32 {
    let off = |coordinate: u32, sum: i32| mass.count * coordinate as i32 - sum;
    let (file, rank) = (off(square % 8, mass.files), off(square / 8, mass.ranks));
    file * file + rank * rank
}

/// ⌊−2 ln u⌋, the exponential decay of the thesis, by comparison instead of a logarithm, which platforms round
/// differently: the value is at least k where u ≤ e^(−k/2). A piece has at most eight moves, so seven steps will do.
fn decayed(u: f64) -> usize {
    STEPS.iter().filter(|&&step| u <= step).count()
}

/// e^(−1/2), e^(−2/2), …
const STEPS: [f64; 7] = [
    0.606_530_659_712_633_4,
    0.367_879_441_171_442_3,
    0.223_130_160_148_429_8,
    0.135_335_283_236_612_7,
    0.082_084_998_623_898_8,
    0.049_787_068_367_863_944,
    0.030_197_383_422_318_5,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use lanista_core::{Game, Rules, Seed};

    use super::*;

    #[test]
    fn decay_is_that_of_the_logarithm() {
        for step in 1..100_000 {
            let u = f64::from(step) / 100_000.0;
            assert_eq!(decayed(u), ((-2.0 * u.ln()).floor() as usize).min(7), "{u}");
        }
        assert_eq!(decayed(0.0), 7);
    }

    /// How often each move is played in 10,000 decisions.
    fn frequencies<const N: usize>(position: &str) -> BTreeMap<String, u32> {
        let start = position.parse().expect("a position");
        let game = Referee::new(&Rules { start, ..Loa::<N>::presets().swap_remove(0) });
        let mut random = Seed::new(2).stream();
        let mut counts = BTreeMap::new();
        for _ in 0..10_000 {
            let decision = Com.choose(&game, &Budget::default(), &mut random).expect("it never resigns");
            *counts.entry(decision.mv.to_string()).or_insert(0) += 1;
        }
        counts
    }

    /// ```text
    /// . . . . b
    /// . . . . w
    /// . . . . .
    /// w . . . .
    /// b b . . .
    /// ```
    /// Black's centre of mass is ((0+1+4)/3, (0+0+4)/3) = (1.67, 1.33): a1 is √(1.67² + 1.33²) = 2.13 away, b1 1.49,
    /// e5 √(2.33² + 2.67²) = 3.54. e5 has on its row only itself (d5), on its column itself and e4 (two down: e3, but
    /// White's e4 is in the way), on its long diagonal itself and a1 (two: c3). c3 is (0.33, 0.67) from the centre, d5
    /// (1.33, 2.67): so c3 comes first, for u > e^(−1/2): 39.35 per cent, then d5.
    #[test]
    fn the_farthest_piece_comes_home() {
        let counts = frequencies::<5>("4b/4w/5/w4/bb3 b");
        assert_eq!(counts.keys().collect::<Vec<_>>(), ["e5-c3", "e5-d5"]);
        assert!(counts["e5-c3"].abs_diff(3935) < 300, "{counts:?}");
    }

    /// At the start the centre of mass is the middle of the board; the four pieces next to the corners are the
    /// farthest, and equally so.
    #[test]
    fn nothing_is_preferred_at_the_start() {
        let game = Referee::new(&Loa::<8>::presets()[0]);
        let mut random = Seed::new(4).stream();
        let mut counts = BTreeMap::new();
        for _ in 0..4_000 {
            let decision = Com.choose(&game, &Budget::default(), &mut random).expect("it never resigns");
            *counts.entry(decision.mv.from()).or_insert(0u32) += 1;
        }
        assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [1, 6, 57, 62]);
        assert!(counts.values().all(|count| count.abs_diff(1000) < 170), "{counts:?}");
    }
}
