//! English draughts: an 8×8 table of characters and a recursion for captures.

use lanista_core::{Outcome, RandomStream, Seed, Side};
use lanista_games::draughts::Draughts;

use crate::agreement::{Naive, assert_agree_one_further, assert_reads_only_legal, between, draw, walk};

/// Row 0 is the top, where Black starts and White crowns: `b`, `w` men, `B`, `W` kings, `.` empty.
#[derive(Clone, Debug)]
struct Table {
    cells: [[char; 8]; 8],
    side: Side,
}

type Place = (i32, i32);

/// Where square 1 to 32 lies: four a row, on the odd columns of the even rows and the even columns of the odd ones.
fn place(square: usize) -> Place {
    let (row, index) = ((square - 1) / 4, (square - 1) % 4);
    (row as i32, (2 * index + (row + 1) % 2) as i32)
}

fn number(wanted: Place) -> usize {
    (1..=32).find(|&square| place(square) == wanted).expect("a dark square")
}

impl Table {
    fn start() -> Table {
        let mut table = Table { cells: [['.'; 8]; 8], side: Side::First };
        for square in 1..=12 {
            table.put(place(square), 'b');
            table.put(place(33 - square), 'w');
        }
        table
    }

    fn put(&mut self, (row, column): Place, piece: char) {
        self.cells[row as usize][column as usize] = piece;
    }

    /// What is there; a space beyond the edge.
    fn at(&self, (row, column): Place) -> char {
        let inside = (0..8).contains(&row) && (0..8).contains(&column);
        if inside { self.cells[row as usize][column as usize] } else { ' ' }
    }

    fn is_own(&self, piece: char) -> bool {
        piece.to_ascii_lowercase() == if self.side == Side::First { 'b' } else { 'w' }
    }

    fn is_enemy(&self, piece: char) -> bool {
        piece.is_ascii_alphabetic() && !self.is_own(piece)
    }

    /// The diagonal directions that a piece may take.
    fn directions(piece: char) -> Vec<Place> {
        match piece {
            'b' => vec![(1, -1), (1, 1)],
            'w' => vec![(-1, -1), (-1, 1)],
            _ => vec![(1, -1), (1, 1), (-1, -1), (-1, 1)],
        }
    }

    fn crowning_row(piece: char) -> Option<i32> {
        match piece {
            'b' => Some(7),
            'w' => Some(0),
            _ => None,
        }
    }

    fn own_places(&self) -> Vec<Place> {
        (1..=32).map(place).filter(|&at| self.is_own(self.at(at))).collect()
    }

    fn steps(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for from in self.own_places() {
            for (down, right) in Table::directions(self.at(from)) {
                let to = (from.0 + down, from.1 + right);
                if self.at(to) == '.' {
                    moves.push(format!("{}-{}", number(from), number(to)));
                }
            }
        }
        moves
    }

    /// All complete captures of the piece that stands at the end of `path`. Jumped pieces are already gone from the
    /// board: nothing may be jumped twice, and no landing square is ever one that held a jumped piece.
    fn captures(&self, path: &[Place], moves: &mut Vec<String>) {
        let here = path[path.len() - 1];
        let piece = self.at(here);
        let crowned = path.len() > 1 && Table::crowning_row(piece) == Some(here.0);
        let mut complete = true;
        for (down, right) in Table::directions(piece) {
            let over = (here.0 + down, here.1 + right);
            let to = (over.0 + down, over.1 + right);
            if crowned || !self.is_enemy(self.at(over)) || self.at(to) != '.' {
                continue;
            }
            complete = false;
            let mut next = self.clone();
            next.put(here, '.');
            next.put(over, '.');
            next.put(to, piece);
            next.captures(&[path, &[to]].concat(), moves);
        }
        if complete && path.len() > 1 {
            let squares: Vec<String> = path.iter().map(|&at| number(at).to_string()).collect();
            moves.push(squares.join("x"));
        }
    }
}

impl Naive for Table {
    fn side(&self) -> Side {
        self.side
    }

    fn moves(&self) -> Vec<String> {
        let mut captures = Vec::new();
        for from in self.own_places() {
            self.captures(&[from], &mut captures);
        }
        if captures.is_empty() { self.steps() } else { captures }
    }

    fn after(&self, mv: &str) -> Table {
        let path: Vec<Place> = mv.split(['-', 'x']).map(|square| place(square.parse().expect("a square"))).collect();
        let (from, to) = (path[0], path[path.len() - 1]);
        let piece = self.at(from);
        let mut next = self.clone();
        next.side = !self.side;
        next.put(from, '.');
        if mv.contains('x') {
            for hop in path.windows(2) {
                next.put(((hop[0].0 + hop[1].0) / 2, (hop[0].1 + hop[1].1) / 2), '.');
            }
        }
        let crowned = Table::crowning_row(piece) == Some(to.0);
        next.put(to, if crowned { piece.to_ascii_uppercase() } else { piece });
        next
    }

    fn outcome(&self) -> Option<Outcome> {
        self.moves().is_empty().then_some(Outcome::Win(!self.side))
    }

    fn text(&self) -> String {
        let list = |man: char| -> String {
            let named = |square: usize| {
                let piece = self.at(place(square));
                (piece.to_ascii_lowercase() == man).then(|| format!("{}{square}", if piece == man { "" } else { "K" }))
            };
            (1..=32).filter_map(named).collect::<Vec<String>>().join(",")
        };
        format!("{}:W{}:B{}", if self.side == Side::First { 'B' } else { 'W' }, list('w'), list('b'))
    }
}

/// Any number of men and kings anywhere, except men on the row where they would be crowned. Half of the time the
/// sides stand on rows of different parity, away from the edge, which gives long captures.
fn set_up(random: &mut RandomStream) -> Table {
    let mut table = Table { cells: [['.'; 8]; 8], side: Side::BOTH[random.below(2) as usize] };
    let mut free: Vec<Place> = (1..=32).map(place).collect();
    let kings_of_four = random.below(5);
    let parted = random.below(2) == 0;
    for (index, man) in ['b', 'w'].into_iter().enumerate() {
        let mut places = free.clone();
        if parted {
            places.retain(|&(row, column)| {
                row as usize % 2 == index && [row, column].iter().all(|at| (1..7).contains(at))
            });
        }
        let most = [3, 6, 12][random.below(3) as usize].min(places.len());
        for _ in 0..between(random, 0, most) {
            let at = draw(random, &mut places);
            free.retain(|&other| other != at);
            let king = random.below(4) < kings_of_four || Table::crowning_row(man) == Some(at.0);
            table.put(at, if king { man.to_ascii_uppercase() } else { man });
        }
    }
    table
}

#[test]
fn agrees_along_random_games() {
    let mut random = Seed::new(1).stream();
    let mut positions = 0;
    while positions < 15_000 {
        positions += walk::<Draughts, _>(&Table::start(), 300, &mut random);
    }
}

#[test]
fn agrees_on_set_ups() {
    let mut random = Seed::new(2).stream();
    let (mut long, mut round, mut ambiguous, mut lost) = (0, 0, 0, 0);
    for index in 0..25_000 {
        let table = set_up(&mut random);
        let moves = assert_agree_one_further::<Draughts>(&table);
        let ends = |mv: &String| -> (String, String) {
            let (from, to) = (mv.split('x').next(), mv.split('x').next_back());
            (from.unwrap_or_default().into(), to.unwrap_or_default().into())
        };
        let captures: Vec<&String> = moves.iter().filter(|mv| mv.contains('x')).collect();
        long += captures.iter().filter(|mv| mv.split('x').count() > 4).count();
        round += captures.iter().filter(|mv| ends(mv).0 == ends(mv).1).count();
        ambiguous += captures.windows(2).filter(|pair| ends(pair[0]) == ends(pair[1])).count();
        lost += usize::from(moves.is_empty());
        if index % 10 == 0 {
            walk::<Draughts, _>(&table, 10, &mut random);
        }
        if index % 100 == 0 {
            assert_reads_only_legal::<Draughts>(&table, full_paths_and_wrong_ones(&moves));
        }
    }
    println!("{long} of four jumps or more, {round} round trips, {ambiguous} ambiguous ends, {lost} lost");
    assert!(long > 1_000 && round > 100 && ambiguous > 100 && lost > 1_000, "{long} {round} {ambiguous} {lost}");
}

/// The legal moves, and every step or single jump between two squares unless it is short for a legal capture.
fn full_paths_and_wrong_ones(moves: &[String]) -> impl Iterator<Item = String> {
    let short_for_a_capture = |text: &str, moves: &[String]| {
        let (from, to) = text.split_once(['-', 'x']).expect("two squares");
        moves.iter().any(|mv| mv.starts_with(&format!("{from}x")) && mv.ends_with(&format!("x{to}")))
    };
    let mut texts = moves.to_vec();
    for from in 1..=32 {
        for to in 1..=32 {
            let near = place(from).0.abs_diff(place(to).0) == 1;
            let text = format!("{from}{}{to}", if near { '-' } else { 'x' });
            if !short_for_a_capture(&text, moves) {
                texts.push(text);
            }
        }
    }
    texts.into_iter()
}
