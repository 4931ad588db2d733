//! A game as the registry knows it: its names, its rules, their variants.

use crate::{Cell, ClosedWay, DrawRules, ParseError, Position, Side};

/// The rules of one game to be played: where it starts, and what ends it besides the board.
/// Rules that change what happens on the board are part of the start position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules<P> {
    /// The name: a preset, perhaps with changes (`mia,ply-cap=100`). [`Game::rules`] reads it back.
    pub name: String,
    /// What sets them apart, in a line.
    pub about: &'static str,
    /// The position before the first move.
    pub start: P,
    /// The rules that need the past.
    pub draws: DrawRules,
}

/// A parameter of a game's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleParameter {
    /// Its name.
    pub name: &'static str,
    /// What it takes and what it means.
    pub about: &'static str,
}

/// A game: a type of position with names and rules. One line in the registry makes it known to everything.
pub trait Game: Position {
    /// The name on the command line, in files and in the browser.
    const ID: &'static str;
    /// Other names that mean the same game.
    const ALIASES: &'static [&'static str] = &[];
    /// The name for people.
    const NAME: &'static str;
    /// What the first and the second side are called.
    const SIDES: [&'static str; 2];
    /// The colours of their pieces, for pages that draw boards.
    const COLOURS: [&'static str; 2] = ["black", "white"];
    /// Parameters of the rules beyond [`DrawRules::PARAMETERS`].
    const PARAMETERS: &'static [RuleParameter] = &[];

    /// The named sets of rules, the default first.
    fn presets() -> Vec<Rules<Self>>;

    /// Sets one of [`Game::PARAMETERS`] in a position. `Ok(false)` if there is none of that name.
    fn set_parameter(&mut self, _name: &str, _value: &str) -> Result<bool, String> {
        Ok(false)
    }

    /// The cells of the picture, row from the top and column from the left, that show why a finished game is won: four
    /// in a row, a connected group.
    fn decisive_cells(&self) -> Vec<(usize, usize)> {
        Vec::new()
    }

    /// Where pieces of the side to move may not go although the board says how far they would, and why. Empty where pieces
    /// go as far as they like, and when the game is over.
    fn closed_ways(&self) -> Vec<ClosedWay> {
        Vec::new()
    }

    /// A board as text, right or wrong, for position editors: [`Game::position`] judges it. `None` if the game has no
    /// such text.
    fn text_of_cells(_rows: &[Vec<Cell>], _side: Side) -> Option<String> {
        None
    }

    /// Reads a position. Rules that the text does not tell are those of `rules`.
    fn position(text: &str, _rules: &Rules<Self>) -> Result<Self, ParseError> {
        text.parse()
    }

    /// Reads rules: a preset's name, then changes, separated by commas: `mia,ply-cap=100`.
    /// The default preset's name may be left out.
    fn rules(text: &str) -> Result<Rules<Self>, ParseError> {
        let mut presets = Self::presets();
        let mut parts = text.split(',').peekable();
        let first = parts.peek().copied().unwrap_or_default();
        let index = if first.contains('=') {
            0
        } else {
            parts.next();
            presets.iter().position(|preset| preset.name == first || first.is_empty()).ok_or_else(|| {
                let names: Vec<&str> = presets.iter().map(|preset| preset.name.as_str()).collect();
                ParseError::new(1, format!("unknown rules {first:?}, expected one of: {}", names.join(", ")))
            })?
        };
        let mut rules = presets.swap_remove(index);
        let mut column = if first.contains('=') { 1 } else { first.chars().count() + 2 };
        for part in parts {
            let fail = |message| ParseError::new(column, message);
            let (name, value) =
                part.split_once('=').ok_or_else(|| fail(format!("{part:?}: expected parameter=value")))?;
            let known =
                rules.draws.set(name, value).map_err(fail)? || rules.start.set_parameter(name, value).map_err(fail)?;
            if !known {
                let names = DrawRules::PARAMETERS.iter().map(|&(name, _)| name);
                let names: Vec<&str> = names.chain(Self::PARAMETERS.iter().map(|parameter| parameter.name)).collect();
                return Err(fail(format!("unknown parameter {name:?}, expected one of: {}", names.join(", "))));
            }
            rules.name = format!("{},{part}", rules.name);
            column += part.chars().count() + 1;
        }
        Ok(rules)
    }
}
