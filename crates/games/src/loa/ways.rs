//! Which lines are closed to the pieces of the side to move, and why: for people who learn how far a piece goes.

use lanista_core::{ClosedWay, Obstacle, Position};

use super::Loa;
use super::geometry::{STEPS, geometry};

/// The closed ways of all pieces of the side to move. A direction in which the board ends at once is no way.
pub(super) fn closed_ways<const N: usize>(position: &Loa<N>) -> Vec<ClosedWay> {
    if position.outcome().is_some() {
        return Vec::new();
    }
    let side = position.side_to_move();
    let own = position.pieces(side);
    let pieces = (0..64).filter(|square| own >> square & 1 == 1);
    let directions = |from| (0..4).flat_map(move |axis| [1, -1].map(|sign| (from, axis, sign)));
    pieces.flat_map(directions).filter_map(|(from, axis, sign)| closed_way(position, from, axis, sign)).collect()
}

fn closed_way<const N: usize>(position: &Loa<N>, from: i32, axis: usize, sign: i32) -> Option<ClosedWay> {
    let side = position.side_to_move();
    let (own, enemy) = (position.pieces(side), position.pieces(!side));
    let line = geometry::<N>().lines[from as usize][axis];
    let holds = |squares: u64, square: i32| (0..64).contains(&square) && squares >> square & 1 == 1;
    let distance = ((own | enemy) & line).count_ones() as i32;
    let step = sign * STEPS[axis] as i32;
    let cell = |square: i32| (N - 1 - square as usize / 8, square as usize % 8);
    let closed = |end: i32, obstacle: Obstacle| {
        Some(ClosedWay { from: cell(from), end: cell(end), distance: distance as u32, obstacle })
    };
    for count in 1..=distance {
        let square = from + count * step;
        if !holds(line, square) {
            return if count == 1 { None } else { closed(square - step, Obstacle::Edge) };
        }
        if count < distance && holds(enemy, square) {
            return closed(square, Obstacle::Enemy);
        }
    }
    let target = from + distance * step;
    if holds(own, target) { closed(target, Obstacle::Own) } else { None }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use lanista_core::{Game, MoveList, Referee, Seed};

    use super::*;

    /// Which way a cell lies from another.
    fn direction(from: (usize, usize), to: (usize, usize)) -> (i32, i32) {
        let sign = |a: usize, b: usize| (b as i32 - a as i32).signum();
        (sign(from.0, to.0), sign(from.1, to.1))
    }

    fn every_way_is_open_or_closed<const N: usize>() {
        let rules = <Loa<N> as Game>::rules("").expect("the usual rules");
        for game in 0..20 {
            let mut referee = Referee::new(&rules);
            let mut random = Seed::new(7).child(game).stream();
            while referee.ending().is_none() {
                let position = *referee.position();
                let mut moves = MoveList::new();
                position.legal_moves(&mut moves);
                let cell = |square: u32| (N - 1 - square as usize / 8, square as usize % 8);
                let open = moves.iter().filter(|mv| !mv.is_pass()).map(|mv| (cell(mv.from()), cell(mv.to())));
                let closed = closed_ways(&position).into_iter().map(|way| (way.from, way.end));
                let all: Vec<_> = open.chain(closed).map(|(from, to)| (from, direction(from, to))).collect();
                let different: BTreeSet<_> = all.iter().copied().collect();
                let own = position.pieces(position.side_to_move());
                let ways = |square: usize| {
                    let (row, column) = cell(square as u32);
                    let room = |place: usize| 1 + usize::from(place > 0) + usize::from(place < N - 1);
                    room(row) * room(column) - 1
                };
                let expected: usize = (0..64).filter(|square| own >> square & 1 == 1).map(ways).sum();
                assert_eq!((all.len(), different.len()), (expected, expected), "{position}");
                referee.play_random(1, &mut random);
            }
            assert!(closed_ways(referee.position()).is_empty() || referee.position().outcome().is_none());
        }
    }

    #[test]
    fn a_way_is_either_a_move_or_closed() {
        every_way_is_open_or_closed::<4>();
        every_way_is_open_or_closed::<5>();
        every_way_is_open_or_closed::<8>();
    }

    #[test]
    fn each_obstacle_is_named() {
        // On b1 of the start six pieces share the rank, which ends at a1; on the short diagonal stands an enemy, on a2.
        let position = <Loa<8> as Game>::rules("").expect("the usual rules").start;
        let of_b1: Vec<_> = closed_ways(&position).into_iter().filter(|way| way.from == (7, 1)).collect();
        let edge = ClosedWay { from: (7, 1), end: (7, 0), distance: 6, obstacle: Obstacle::Edge };
        let enemy = ClosedWay { from: (7, 1), end: (6, 0), distance: 2, obstacle: Obstacle::Enemy };
        assert!(of_b1.len() == 2 && of_b1.contains(&edge) && of_b1.contains(&enemy), "{of_b1:?}");
        let blocked: Loa<5> = "5/5/w1w2/5/bbb1b b".parse().expect("a position");
        let obstacles: Vec<_> = closed_ways(&blocked).into_iter().map(|way| way.obstacle).collect();
        assert!(obstacles.contains(&Obstacle::Own) && obstacles.contains(&Obstacle::Edge), "{obstacles:?}");
        let behind: Loa<5> = "w4/5/5/w4/b3b b".parse().expect("a position");
        let up = closed_ways(&behind).into_iter().find(|way| way.from == (4, 0) && way.end == (3, 0));
        let enemy = ClosedWay { from: (4, 0), end: (3, 0), distance: 3, obstacle: Obstacle::Enemy };
        assert_eq!(up, Some(enemy));
    }
}
