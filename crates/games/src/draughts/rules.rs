//! The rules of English draughts, and of Allsop's study.

use lanista_core::{Cell, DrawRules, Game, NoProgress, Progress, Repetition, Rules, Side, Verdict};

use super::Draughts;

impl Game for Draughts {
    const ID: &'static str = "draughts";
    const ALIASES: &'static [&'static str] = &["checkers"];
    const NAME: &'static str = "English draughts";
    const SIDES: [&'static str; 2] = ["Black", "White"];

    fn text_of_cells(rows: &[Vec<Cell>], side: Side) -> Option<String> {
        let dark = rows.iter().flatten().filter(|cell| **cell != Cell::Unused);
        let squares: Vec<(usize, &Cell)> = (1..).zip(dark).collect();
        let list = |wanted: Side| -> String {
            let names = squares.iter().filter_map(|&(square, cell)| match *cell {
                Cell::Piece(owner, letter) if owner == wanted && letter.is_uppercase() => Some(format!("K{square}")),
                Cell::Piece(owner, _) if owner == wanted => Some(square.to_string()),
                _ => None,
            });
            names.collect::<Vec<_>>().join(",")
        };
        let mover = if side == Side::First { 'B' } else { 'W' };
        Some(format!("{mover}:W{}:B{}", list(Side::Second), list(Side::First)))
    }

    fn presets() -> Vec<Rules<Self>> {
        // 40 moves of each side without a capture or the advance of a man.
        let standard = NoProgress { plies: 80, progress: Progress::Advance, verdict: Verdict::Draw };
        // The thesis counts captures and crownings only, and says that draws do not occur: material decides.
        let allsop = NoProgress { plies: 80, progress: Progress::Conversion, verdict: Verdict::Material };
        let rules = |name: &str, about, repetition, no_progress| Rules {
            name: name.into(),
            about,
            start: Draughts::default(),
            draws: DrawRules { repetition, no_progress: Some(no_progress), ply_cap: None },
        };
        vec![
            rules("english", "the standard rules", Some(Repetition { count: 3, side_matters: true }), standard),
            rules("allsop", "as in Allsop's thesis: 40 moves without capture or crowning, then material", None, allsop),
        ]
    }
}
