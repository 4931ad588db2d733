//! Random games side by side: the same steps for several boards at once, which the compiler turns into vector code.

use lanista_core::{Ending, Outcome, Position, Reason, Seed, Side, StreamLanes};

use super::ConnectFour;
use super::position::{BOARD, HEIGHT, STRIDE, WIDTH, begun_fours};

/// Boards at a time. Eight beat four and sixteen (`lanista bench lab/connect-four-counted`).
const LANES: usize = 8;
/// Marks a full board among the squares where fours begin.
const FULL: u64 = 1 << 63;

/// Plays a random game for every place in `ends`, game `i` with the stream of `seed.child(first + i)`. A lane that has
/// finished its game begins the next; one that draws a full column waits for its next draw.
pub(super) fn random_games(start: ConnectFour, seed: Seed, first: u64, ends: &mut [(Ending, u32)]) {
    let ended = |outcome| Ending { outcome, reason: Reason::Board };
    if let Some(outcome) = start.outcome() {
        ends.fill((ended(outcome), 0));
        return;
    }
    let mut games: [usize; LANES] = std::array::from_fn(|lane| lane);
    let mut next = LANES;
    let mut streams = StreamLanes::new(games.map(|game| seed.child(first + game as u64)));
    let mut mover = [start.mover; LANES];
    let mut stones = [start.stones; LANES];
    let mut left = ends.len();
    while left > 0 {
        let mut done = [0; LANES];
        for lane in 0..LANES {
            let column = below_width(streams.bits(lane)) * u64::from(STRIDE);
            // All ones if the column is open.
            let open = (stones[lane] >> (column + u64::from(HEIGHT) - 1) & 1).wrapping_sub(1);
            mover[lane] ^= stones[lane] & open;
            stones[lane] |= stones[lane] + (1 << column & open);
            let full = if stones[lane] == BOARD { FULL } else { 0 };
            done[lane] = begun_fours(mover[lane] ^ stones[lane]) | full;
        }
        if done == [0; LANES] {
            continue;
        }
        for lane in (0..LANES).filter(|&lane| done[lane] != 0) {
            // Lanes beyond the last game play for nothing until the others are done.
            if let Some(end) = ends.get_mut(games[lane]) {
                let last = if stones[lane].count_ones() & 1 == 1 { Side::First } else { Side::Second };
                let outcome = if done[lane] == FULL { Outcome::Draw } else { Outcome::Win(last) };
                *end = (ended(outcome), stones[lane].count_ones() - start.ply());
                left -= 1;
            }
            games[lane] = next;
            streams.restart(lane, seed.child(first + next as u64));
            next += 1;
            mover[lane] = start.mover;
            stones[lane] = start.stones;
        }
    }
}

/// What `RandomStream::below` makes of 64 bits, in halves of 32, since vectors multiply no more.
#[inline(always)]
fn below_width(bits: u64) -> u64 {
    let width = u64::from(WIDTH);
    let carry = ((bits & 0xffff_ffff) * width) >> 32;
    ((bits >> 32) * width + carry) >> 32
}
