//! What programs disagree about, and who plays by which rule.

use lanista_core::{
    Cell, ClosedWay, DrawRules, Game, Outcome, ParseError, Position, Repetition, RuleParameter, Rules, Side, one_of,
};

use super::{Loa, is_connected};

/// The rules that change what happens on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BoardRules {
    /// When a move connects both sides at once.
    pub both_connected: BothConnected,
    /// When a side has no move.
    pub no_move: NoMove,
}

/// What a move that connects both sides at once is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BothConnected {
    /// A draw (MIA).
    #[default]
    Draw,
    /// The mover wins.
    MoverWins,
}

/// What a side without a legal move does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NoMove {
    /// It passes (MIA).
    #[default]
    Pass,
    /// It loses.
    Loss,
}

/// The names and values of the board rules, for reading and writing.
const BOTH_CONNECTED: [(&str, BothConnected); 2] =
    [("draw", BothConnected::Draw), ("mover-wins", BothConnected::MoverWins)];
const NO_MOVE: [(&str, NoMove); 2] = [("pass", NoMove::Pass), ("loss", NoMove::Loss)];

impl BoardRules {
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<bool, String> {
        match name {
            "both-connected" => self.both_connected = one_of(name, value, BOTH_CONNECTED)?,
            "no-move" => self.no_move = one_of(name, value, NO_MOVE)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The differences from the default, as text: `both-connected=mover-wins,no-move=loss`.
    pub(super) fn differences(self) -> String {
        let mut parts = Vec::new();
        if self.both_connected == BothConnected::MoverWins {
            parts.push("both-connected=mover-wins");
        }
        if self.no_move == NoMove::Loss {
            parts.push("no-move=loss");
        }
        parts.join(",")
    }
}

/// Ids, aliases and names of the sizes.
const fn names(n: usize) -> (&'static str, &'static [&'static str], &'static str) {
    match n {
        4 => ("loa4", &[], "Lines of Action 4×4"),
        5 => ("loa5", &[], "Lines of Action 5×5"),
        6 => ("loa6", &[], "Lines of Action 6×6"),
        7 => ("loa7", &[], "Lines of Action 7×7"),
        _ => ("loa", &["loa8"], "Lines of Action"),
    }
}

impl<const N: usize> Game for Loa<N> {
    const ID: &'static str = names(N).0;
    const ALIASES: &'static [&'static str] = names(N).1;
    const NAME: &'static str = names(N).2;
    const SIDES: [&'static str; 2] = ["Black", "White"];
    const PARAMETERS: &'static [RuleParameter] = &[
        RuleParameter { name: "both-connected", about: "draw or mover-wins: a move that connects both sides at once" },
        RuleParameter { name: "no-move", about: "pass or loss: a side without a legal move" },
    ];

    fn presets() -> Vec<Rules<Self>> {
        use BothConnected::{Draw, MoverWins};
        use NoMove::{Loss, Pass};
        let third = DrawRules { repetition: Some(Repetition { count: 3, side_matters: true }), ..DrawRules::default() };
        let openspiel = DrawRules {
            repetition: Some(Repetition { count: 2, side_matters: false }),
            ply_cap: Some(1000),
            ..DrawRules::default()
        };
        // These sites have no such rule. Two sides that can only pass would go on for ever, so there is a far cap.
        let none = DrawRules { ply_cap: Some(10_000), ..DrawRules::default() };
        let codingame = DrawRules { ply_cap: Some(150), ..none };
        [
            ("mia", "as MIA plays (the default)", Draw, Pass, third),
            ("openspiel", "as OpenSpiel plays", MoverWins, Loss, openspiel),
            ("boardspace", "as boardspace.net plays", MoverWins, Pass, none),
            ("ludii", "as Ludii plays", Draw, Pass, none),
            ("codingame", "as CodinGame plays", MoverWins, Pass, codingame),
        ]
        .into_iter()
        .map(|(name, about, both_connected, no_move, draws)| Rules {
            name: name.into(),
            about,
            start: Loa::start(BoardRules { both_connected, no_move }),
            draws,
        })
        .collect()
    }

    fn set_parameter(&mut self, name: &str, value: &str) -> Result<bool, String> {
        let mut rules = self.rules();
        let known = rules.set(name, value)?;
        *self = self.with_rules(rules);
        Ok(known)
    }

    fn decisive_cells(&self) -> Vec<(usize, usize)> {
        let Some(Outcome::Win(winner)) = self.outcome() else { return Vec::new() };
        let pieces = self.pieces(winner);
        let cells = (0..N).flat_map(|row| (0..N).map(move |column| (row, column)));
        let held = |&(row, column): &(usize, usize)| pieces >> ((N - 1 - row) * 8 + column) & 1 == 1;
        if is_connected(pieces) { cells.filter(held).collect() } else { Vec::new() }
    }

    fn closed_ways(&self) -> Vec<ClosedWay> {
        super::ways::closed_ways(self)
    }

    fn text_of_cells(rows: &[Vec<Cell>], side: Side) -> Option<String> {
        Some(super::notation::text_of_cells(rows, side))
    }

    fn position(text: &str, rules: &Rules<Self>) -> Result<Self, ParseError> {
        Self::parse(text, rules.start.rules())
    }
}
