//! How many moves and how many jumps a position can have at most, whatever the pieces.
//!
//! Moves live in a list of fixed length and a capture keeps its directions in a few bits, so both need a proof.
//! A jump goes two rows and two columns: the squares that jumps can join fall into four separate nets of eight
//! squares and nine jumps. The captures of a piece are the trails in its net that use no jump twice and cannot go on.
//!
//! Three steps make the nets enough. A man has a part of the trails of a king on the same square. Blocking a square,
//! or taking a jumped piece off the board, cuts branches from a tree of trails, and a tree with a branch cut has no more
//! leaves than before. And nets share nothing but the pieces to be jumped. So the worst case of a net is found by
//! trying all sets of kings and of jumps, and four worst cases together are a bound for the board.

use lanista_core::{MAX_MOVES, MoveList, Position};
use lanista_games::draughts::Draughts;
use lanista_games::loa::Loa;

type Place = (i32, i32);

/// Squares that jumps join, and the jumps as pairs of indices.
struct Net {
    places: Vec<Place>,
    jumps: Vec<(usize, usize)>,
}

fn dark_squares() -> Vec<Place> {
    (0..8)
        .flat_map(|row| (0..8).map(move |column| (row, column)))
        .filter(|(row, column)| (row + column) % 2 == 1)
        .collect()
}

fn joined(a: Place, b: Place) -> bool {
    a.0.abs_diff(b.0) == 2 && a.1.abs_diff(b.1) == 2
}

fn nets() -> Vec<Net> {
    let mut rest = dark_squares();
    let mut nets = Vec::new();
    while let Some(first) = rest.pop() {
        let mut places = vec![first];
        let mut looked_at = 0;
        while looked_at < places.len() {
            let here = places[looked_at];
            let (near, far): (Vec<Place>, Vec<Place>) = rest.iter().partition(|&&other| joined(here, other));
            places.extend(near);
            rest = far;
            looked_at += 1;
        }
        let pairs = (0..places.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let jumps = pairs.filter(|&(a, b)| joined(places[a], places[b])).collect();
        nets.push(Net { places, jumps });
    }
    nets
}

/// Trails of one piece.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
struct Trails {
    complete: usize,
    longest: usize,
}

impl Net {
    /// The complete trails from `here`, with `open` the jumps left and `taken` the squares that other pieces hold.
    fn trails(&self, here: usize, open: u32, taken: u32, length: usize) -> Trails {
        let mut all = Trails::default();
        for (index, &(a, b)) in self.jumps.iter().enumerate() {
            let to = if a == here { b } else { a };
            if open >> index & 1 == 1 && (a == here || b == here) && taken >> to & 1 == 0 {
                let found = self.trails(to, open & !(1 << index), taken, length + 1);
                all.complete += found.complete;
                all.longest = all.longest.max(found.longest);
            }
        }
        if all.complete == 0 && length > 0 { Trails { complete: 1, longest: length } } else { all }
    }

    /// The captures of all kings of a set together, and the longest of them.
    fn captures(&self, kings: u32, open: u32) -> Trails {
        let mut all = Trails::default();
        for king in (0..self.places.len()).filter(|king| kings >> king & 1 == 1) {
            let found = self.trails(king, open, kings & !(1 << king), 0);
            all.complete += found.complete;
            all.longest = all.longest.max(found.longest);
        }
        all
    }

    /// The most captures and the longest one, over all sets of kings and jumps, with the kings of the first.
    fn worst(&self) -> (Trails, u32) {
        let mut worst = (Trails::default(), 0);
        for kings in 0..1u32 << self.places.len() {
            for open in 0..1u32 << self.jumps.len() {
                let found = self.captures(kings, open);
                worst.0.longest = worst.0.longest.max(found.longest);
                if found.complete > worst.0.complete {
                    worst = (Trails { complete: found.complete, ..worst.0 }, kings);
                }
            }
        }
        worst
    }
}

fn square((row, column): Place) -> i32 {
    row * 4 + column / 2 + 1
}

#[test]
fn captures_fit_into_lists_and_moves() {
    let nets = nets();
    let shape: Vec<(usize, usize)> = nets.iter().map(|net| (net.places.len(), net.jumps.len())).collect();
    assert_eq!(shape, [(8, 9); 4]);
    let mut bound = 0;
    for net in &nets {
        let (worst, kings) = net.worst();
        assert_eq!(worst.longest, 9, "a capture has room for nine jumps");
        bound += worst.complete;

        // The rules agree: the worst case of this net as a position, with every jump of the net open.
        let jumped = |&(a, b): &(usize, usize)| {
            let (a, b) = (net.places[a], net.places[b]);
            format!("K{}", square(((a.0 + b.0) / 2, (a.1 + b.1) / 2)))
        };
        let white: Vec<String> = net.jumps.iter().map(jumped).collect();
        for kings in [kings, 1] {
            let on_square = |index: &usize| kings >> index & 1 == 1;
            let black: Vec<String> =
                (0..8).filter(on_square).map(|index| format!("K{}", square(net.places[index]))).collect();
            let text = format!("B:W{}:B{}", white.join(","), black.join(","));
            let position: Draughts = text.parse().expect("a position");
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            let found =
                Trails { complete: moves.len(), longest: moves.iter().map(|mv| mv.jumps()).max().unwrap_or_default() };
            assert_eq!(found, net.captures(kings, (1 << net.jumps.len()) - 1), "{text}");
        }
    }
    println!("at most {bound} captures");
    assert!(bound <= MAX_MOVES, "{bound} captures");
}

#[test]
fn steps_fit_into_lists() {
    // Twelve kings with four steps each; a thirteenth piece is refused.
    const { assert!(12 * 4 <= MAX_MOVES) };
    assert!("B:W:BK1-K12".parse::<Draughts>().is_ok());
    assert!("B:W:BK1-K13".parse::<Draughts>().is_err());
}

#[test]
fn lines_of_action_fits_into_lists() {
    // Twelve pieces with eight directions each; a thirteenth piece is refused.
    const { assert!(12 * 8 <= MAX_MOVES) };
    assert!("bbbbbbbb/bbbb4/8/8/8/8/8/w7 b".parse::<Loa<8>>().is_ok());
    assert!("bbbbbbbb/bbbbb3/8/8/8/8/8/w7 b".parse::<Loa<8>>().is_err());
}
