//! Connect Four: a grid of characters.

use lanista_core::{Outcome, Seed, Side};
use lanista_games::connect_four::ConnectFour;

use crate::agreement::{Naive, assert_agree_one_further, assert_reads_only_legal, between, walk};

/// Six rows from the top, seven columns: `x`, `o` or `.`.
#[derive(Clone, Debug)]
struct Grid([[char; 7]; 6]);

impl Grid {
    const EMPTY: Grid = Grid([['.'; 7]; 6]);

    fn count(&self, letter: char) -> usize {
        self.0.iter().flatten().filter(|&&cell| cell == letter).count()
    }

    /// Whether some cell starts a line of four to the right, downwards or on a diagonal downwards.
    fn has_four(&self, letter: char) -> bool {
        let holds = |row: i32, column: i32| {
            (0..6).contains(&row) && (0..7).contains(&column) && self.0[row as usize][column as usize] == letter
        };
        let four = |row, column| {
            [(0, 1), (1, 0), (1, 1), (1, -1)]
                .iter()
                .any(|(down, right)| (0..4).all(|step| holds(row + step * down, column + step * right)))
        };
        (0..6).any(|row| (0..7).any(|column| four(row, column)))
    }

    /// Drops a stone, whether or not the game is over. The column must have room.
    fn dropped(&self, column: usize) -> Grid {
        let letter = if self.side() == Side::First { 'x' } else { 'o' };
        let mut next = self.clone();
        let row = (0..6).rev().find(|&row| self.0[row][column] == '.').expect("room in the column");
        next.0[row][column] = letter;
        next
    }

    fn open_columns(&self) -> Vec<usize> {
        (0..7).filter(|&column| self.0[0][column] == '.').collect()
    }
}

impl Naive for Grid {
    fn side(&self) -> Side {
        if self.count('x') == self.count('o') { Side::First } else { Side::Second }
    }

    fn moves(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        self.open_columns().iter().map(|column| (column + 1).to_string()).collect()
    }

    fn after(&self, mv: &str) -> Grid {
        self.dropped(mv.parse::<usize>().expect("a column") - 1)
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.has_four('x') {
            Some(Outcome::Win(Side::First))
        } else if self.has_four('o') {
            Some(Outcome::Win(Side::Second))
        } else {
            (self.count('.') == 0).then_some(Outcome::Draw)
        }
    }

    fn text(&self) -> String {
        let rows: Vec<String> = self.0.iter().map(|row| row.iter().collect()).collect();
        rows.join("/")
    }
}

#[test]
fn agrees_along_random_games() {
    let mut random = Seed::new(1).stream();
    let mut positions = 0;
    while positions < 40_000 {
        positions += walk::<ConnectFour, _>(&Grid::EMPTY, 43, &mut random);
    }
}

/// Stones dropped without looking whether somebody has won: boards far fuller than games get. Those where the
/// side to move has four already cannot be, and must be refused.
#[test]
fn agrees_on_set_ups() {
    let mut random = Seed::new(2).stream();
    let (mut compared, mut refused, mut finished, mut full) = (0, 0, 0, 0);
    while compared < 20_000 {
        let mut grid = Grid::EMPTY;
        for _ in 0..between(&mut random, 0, 42) {
            let open = grid.open_columns();
            grid = grid.dropped(open[random.below(open.len() as u32) as usize]);
        }
        let waiting_has_won = grid.has_four(if grid.side() == Side::First { 'x' } else { 'o' });
        if waiting_has_won {
            refused += 1;
            assert!(grid.text().parse::<ConnectFour>().is_err(), "{}", grid.text());
            continue;
        }
        compared += 1;
        finished += usize::from(grid.outcome().is_some());
        full += usize::from(grid.count('.') == 0);
        assert_agree_one_further::<ConnectFour>(&grid);
        if compared % 100 == 0 {
            assert_reads_only_legal::<ConnectFour>(&grid, (0..=9).map(|column| column.to_string()));
        }
    }
    assert!(refused > 1_000 && finished > 1_000 && full > 10, "{refused} {finished} {full}");
}
