//! Lines of Action: a table of characters, one walk a direction, a search for the group.

use lanista_core::{Outcome, RandomStream, Seed, Side};
use lanista_games::loa::Loa;

use crate::agreement::{Naive, assert_agree_one_further, assert_reads_only_legal, between, draw, walk};

#[derive(Clone, Debug)]
struct Table {
    /// `cells[rank][file]`: `b`, `w` or `.`; rank 0 is at the bottom.
    cells: Vec<Vec<char>>,
    side: Side,
    both_connected_wins: bool,
    no_move_loses: bool,
}

type Square = (usize, usize);

const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

fn letter(side: Side) -> char {
    if side == Side::First { 'b' } else { 'w' }
}

fn name((rank, file): Square) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

impl Table {
    fn empty(size: usize) -> Table {
        Table {
            cells: vec![vec!['.'; size]; size],
            side: Side::First,
            both_connected_wins: false,
            no_move_loses: false,
        }
    }

    /// Black on the first and last rank, White on the first and last file, the corners empty.
    fn start(size: usize) -> Table {
        let mut table = Table::empty(size);
        for middle in 1..size - 1 {
            for edge in [0, size - 1] {
                table.cells[edge][middle] = 'b';
                table.cells[middle][edge] = 'w';
            }
        }
        table
    }

    /// From rows like `.bw.`, the top one first, separated by `/`; Black to move.
    fn from_rows(rows: &str) -> Table {
        let cells: Vec<Vec<char>> = rows.split('/').rev().map(|row| row.chars().collect()).collect();
        Table { cells, ..Table::empty(0) }
    }

    fn size(&self) -> usize {
        self.cells.len()
    }

    fn squares(&self) -> Vec<Square> {
        (0..self.size()).flat_map(|rank| (0..self.size()).map(move |file| (rank, file))).collect()
    }

    fn at(&self, (rank, file): Square) -> char {
        self.cells[rank][file]
    }

    fn pieces(&self, side: Side) -> Vec<Square> {
        self.squares().into_iter().filter(|&square| self.at(square) == letter(side)).collect()
    }

    /// The next square in a direction, if it is on the board.
    fn next(&self, (rank, file): Square, (up, right): (i32, i32)) -> Option<Square> {
        let (rank, file) = (rank as i32 + up, file as i32 + right);
        let on_board = |index: i32| (0..self.size() as i32).contains(&index);
        (on_board(rank) && on_board(file)).then_some((rank as usize, file as usize))
    }

    /// How many pieces stand beyond a square in a direction, up to the edge.
    fn pieces_beyond(&self, from: Square, direction: (i32, i32)) -> usize {
        let mut count = 0;
        let mut square = from;
        while let Some(next) = self.next(square, direction) {
            count += usize::from(self.at(next) != '.');
            square = next;
        }
        count
    }

    /// Where a piece goes in a direction: as many squares as pieces stand on the whole line, over its own but not
    /// over the enemy's, onto no piece of its own.
    fn target(&self, from: Square, direction: (i32, i32)) -> Option<Square> {
        let (up, right) = direction;
        let distance = 1 + self.pieces_beyond(from, direction) + self.pieces_beyond(from, (-up, -right));
        let mut square = from;
        for step in 1..=distance {
            square = self.next(square, direction)?;
            if step < distance && self.at(square) == letter(!self.side) {
                return None;
            }
        }
        (self.at(square) != letter(self.side)).then_some(square)
    }

    /// The moves of the pieces, whether or not the game is over.
    fn piece_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for from in self.pieces(self.side) {
            for direction in DIRECTIONS {
                if let Some(to) = self.target(from, direction) {
                    let sign = if self.at(to) == '.' { '-' } else { 'x' };
                    moves.push(format!("{}{sign}{}", name(from), name(to)));
                }
            }
        }
        moves
    }

    /// Whether all pieces of a side can be reached from one of them over neighbouring pieces.
    fn connected(&self, side: Side) -> bool {
        let pieces = self.pieces(side);
        let mut reached = vec![pieces[0]];
        let mut looked_at = 0;
        while looked_at < reached.len() {
            for direction in DIRECTIONS {
                if let Some(next) = self.next(reached[looked_at], direction)
                    && self.at(next) == letter(side)
                    && !reached.contains(&next)
                {
                    reached.push(next);
                }
            }
            looked_at += 1;
        }
        reached.len() == pieces.len()
    }
}

impl Naive for Table {
    fn side(&self) -> Side {
        self.side
    }

    fn moves(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let moves = self.piece_moves();
        if moves.is_empty() { vec!["pass".into()] } else { moves }
    }

    fn after(&self, mv: &str) -> Table {
        let mut next = self.clone();
        next.side = !self.side;
        if mv != "pass" {
            let square = |text: &str| -> Square {
                let bytes = text.as_bytes();
                ((bytes[1] - b'1') as usize, (bytes[0] - b'a') as usize)
            };
            let (from, to) = (square(&mv[..2]), square(&mv[3..]));
            next.cells[from.0][from.1] = '.';
            next.cells[to.0][to.1] = letter(self.side);
        }
        next
    }

    fn outcome(&self) -> Option<Outcome> {
        let moved_last = !self.side;
        match (self.connected(moved_last), self.connected(self.side)) {
            (true, true) if self.both_connected_wins => Some(Outcome::Win(moved_last)),
            (true, true) => Some(Outcome::Draw),
            (true, false) => Some(Outcome::Win(moved_last)),
            (false, true) => Some(Outcome::Win(self.side)),
            (false, false) => (self.no_move_loses && self.piece_moves().is_empty()).then_some(Outcome::Win(moved_last)),
        }
    }

    fn text(&self) -> String {
        let row = |cells: &Vec<char>| -> String {
            // Empty squares as counts: the longest runs first, so that no shorter one is left in the way.
            (1..=8)
                .rev()
                .fold(cells.iter().collect(), |row: String, run| row.replace(&".".repeat(run), &run.to_string()))
        };
        let rows: Vec<String> = self.cells.iter().rev().map(row).collect();
        let mut text = format!("{} {}", rows.join("/"), letter(self.side));
        let rules = [(self.both_connected_wins, "both-connected=mover-wins"), (self.no_move_loses, "no-move=loss")];
        let rules: Vec<&str> = rules.iter().filter(|rule| rule.0).map(|rule| rule.1).collect();
        if !rules.is_empty() {
            text = format!("{text} {}", rules.join(","));
        }
        text
    }
}

/// What a run must have met, or it proves little.
#[derive(Debug, Default)]
struct Seen {
    passes: usize,
    losses_without_move: usize,
    draws_by_move: usize,
    both_connected_wins: usize,
    suicides: usize,
}

impl Seen {
    fn note(&mut self, table: &Table, moves: &[String]) {
        self.passes += usize::from(moves == ["pass"]);
        let anybody_connected = table.connected(Side::First) || table.connected(Side::Second);
        self.losses_without_move += usize::from(table.outcome().is_some() && !anybody_connected);
        for mv in moves.iter().filter(|mv| mv.contains('x')) {
            let next = table.after(mv);
            let [mover, other] = [table.side, !table.side].map(|side| next.connected(side));
            self.draws_by_move += usize::from(mover && other && !table.both_connected_wins);
            self.both_connected_wins += usize::from(mover && other && table.both_connected_wins);
            self.suicides += usize::from(!mover && other);
        }
    }
}

/// Pieces anywhere, or a few close together, or a few besieged by the enemy.
fn set_up(size: usize, random: &mut RandomStream) -> Table {
    let mut table = Table::empty(size);
    table.side = Side::BOTH[random.below(2) as usize];
    let mut free = table.squares();
    let most = 2 * (size - 2);
    let most_of_each = match random.below(3) {
        0 => {
            besiege(&mut table, most, random);
            return table;
        }
        1 => {
            free.retain(|&(rank, file)| rank < 5 && file < 5);
            3
        }
        _ => most,
    };
    for side in Side::BOTH {
        for _ in 0..between(random, 1, most_of_each) {
            let (rank, file) = draw(random, &mut free);
            table.cells[rank][file] = letter(side);
        }
    }
    table
}

/// Two or three pieces of the side to move, with enemies on the squares next to them.
fn besiege(table: &mut Table, most: usize, random: &mut RandomStream) {
    let size = table.size();
    let corners: Vec<Square> = vec![(0, 0), (0, size - 1), (size - 1, 0), (size - 1, size - 1)];
    let mut places = if random.below(4) == 0 { table.squares() } else { corners };
    let besieged: Vec<Square> = (0..between(random, 2, 3)).map(|_| draw(random, &mut places)).collect();
    for &(rank, file) in &besieged {
        table.cells[rank][file] = letter(table.side);
    }
    for &square in &besieged {
        for next in DIRECTIONS.iter().filter_map(|&direction| table.next(square, direction)).collect::<Vec<_>>() {
            if table.at(next) == '.' && table.pieces(!table.side).len() < most {
                table.cells[next.0][next.1] = letter(!table.side);
            }
        }
    }
}

fn check<const N: usize>(rare: &[&str]) {
    let mut random = Seed::new(N as u64).stream();
    let mut positions = 0;
    while positions < 8_000 {
        positions += walk::<Loa<N>, _>(&Table::start(N), 400, &mut random);
    }
    let mut seen = Seen::default();
    let rare = rare.iter().map(|rows| Table::from_rows(rows)).collect::<Vec<_>>();
    let set_ups = (0..1_500).map(|_| set_up(N, &mut random)).collect::<Vec<_>>();
    for (index, table) in rare.into_iter().chain(set_ups).enumerate() {
        for rules in 0..4 {
            let table = Table { both_connected_wins: rules & 1 == 1, no_move_loses: rules & 2 == 2, ..table.clone() };
            let moves = assert_agree_one_further::<Loa<N>>(&table);
            seen.note(&table, &moves);
            walk::<Loa<N>, _>(&table, if index % 8 == 0 { 16 } else { 0 }, &mut random);
        }
        if index % 200 == 0 {
            assert_reads_only_legal::<Loa<N>>(&table, all_pairs(&table));
        }
    }
    let Seen { passes, losses_without_move, draws_by_move, both_connected_wins, suicides } = seen;
    println!("{N}×{N}: {seen:?}");
    let rare = [passes, losses_without_move, draws_by_move, both_connected_wins, suicides];
    assert!(rare.iter().all(|&count| count > 5), "{seen:?}");
}

/// Every pair of squares as a move, and the pass. Captures are read however they are written, so each is offered
/// only in its right form.
fn all_pairs(table: &Table) -> impl Iterator<Item = String> {
    let squares = table.squares();
    let mut texts = vec!["pass".into()];
    for &from in &squares {
        for &to in &squares {
            let sign = if table.at(to) == letter(!table.side) { 'x' } else { '-' };
            texts.push(format!("{}{sign}{}", name(from), name(to)));
        }
    }
    texts.into_iter()
}

/// Of the 2,262,220 placements of up to four pieces each on 4×4 only 96 leave Black without a move: here are three.
#[test]
fn agrees_on_4x4() {
    check::<4>(&["..../www./b.b./.w..", "..../.www/.b.b/..w.", "..../.bw./w.w./.bw."]);
}

#[test]
fn agrees_on_5x5() {
    check::<5>(&[]);
}

#[test]
fn agrees_on_6x6() {
    check::<6>(&[]);
}

#[test]
fn agrees_on_7x7() {
    check::<7>(&[]);
}

#[test]
fn agrees_on_8x8() {
    check::<8>(&[]);
}
