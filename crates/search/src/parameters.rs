//! Players as data: their names, their parameters, and the values that a text gives them.

use lanista_core::{Budget, ParseError};

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// `true` or `false`.
    Flag,
    /// A whole number in a range.
    Whole {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// A number in a range.
    Real {
        /// The least.
        least: f64,
        /// The most.
        most: f64,
    },
    /// One of some words.
    Choice(&'static [&'static str]),
    /// An evaluator of the game, `NAME` or `NAME@FILE`.
    Evaluator,
    /// A player of its own, in round brackets.
    Player,
}

/// One parameter of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Its value where none is given; empty for none.
    pub default: &'static str,
    /// What it means.
    pub about: &'static str,
}

/// A whole number that limits something; without a value it does not.
pub(crate) const fn limit(name: &'static str, most: u64, about: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Whole { least: 1, most }, default: "", about }
}

/// What there is to know of a player before it plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, and where it comes from.
    pub about: &'static str,
    /// What can be set.
    pub parameters: &'static [Parameter],
}

/// The parameters of a player with their values, checked against its description.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    values: Vec<(&'static Parameter, String)>,
    /// Which were given, not left at their default.
    given: Vec<bool>,
}

/// How deep a player looks: what its text says, or a default that only holds where nobody says anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    plies: u32,
    given: bool,
}

impl Depth {
    /// The depth of a decision with this budget: the tighter of what the player and the budget say.
    pub fn within(self, budget: &Budget) -> u32 {
        match budget.depth {
            Some(most) if self.given => most.min(self.plies),
            Some(most) => most,
            None => self.plies,
        }
        .max(1)
    }
}

impl Settings {
    /// Reads `depth=6,eval=mia4`; what is not given has its default. `column` is where the text begins, for errors.
    pub fn parse(info: &PlayerInfo, text: &str, column: usize) -> Result<Settings, ParseError> {
        let mut values: Vec<(&'static Parameter, String)> =
            info.parameters.iter().map(|parameter| (parameter, parameter.default.to_string())).collect();
        let mut given = vec![false; values.len()];
        for (at, part) in split_outside_brackets(text) {
            let fail = |message: String| ParseError::new(column + at, message);
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| fail(format!("{part:?}: expected parameter=value of {}", info.name)))?;
            let index = info.parameters.iter().position(|parameter| parameter.name == name).ok_or_else(|| {
                let names: Vec<&str> = info.parameters.iter().map(|parameter| parameter.name).collect();
                let known =
                    if names.is_empty() { "it has none".to_string() } else { format!("it has: {}", names.join(", ")) };
                fail(format!("{} has no parameter {name:?}; {known}", info.name))
            })?;
            if std::mem::replace(&mut given[index], true) {
                return Err(fail(format!("{name} is given twice")));
            }
            check(&info.parameters[index], value).map_err(fail)?;
            values[index].1 = value.to_string();
        }
        Ok(Settings { values, given })
    }

    /// The text of a parameter; empty if it has no value.
    pub fn text(&self, name: &str) -> &str {
        // Asking for a parameter that the description lacks is a defect of the player, which its tests find.
        let found = self.values.iter().find(|(parameter, _)| parameter.name == name);
        &found.unwrap_or_else(|| panic!("no parameter is called {name}")).1
    }

    /// The parameter `depth` of a player that has one.
    pub fn depth(&self) -> Depth {
        let given =
            self.values.iter().zip(&self.given).any(|((parameter, _), &given)| given && parameter.name == "depth");
        Depth { plies: self.whole("depth").unwrap_or(1) as u32, given }
    }

    /// A flag.
    pub fn flag(&self, name: &str) -> bool {
        self.text(name) == "true"
    }

    /// A whole number, if it has a value.
    pub fn whole(&self, name: &str) -> Option<u64> {
        self.text(name).parse().ok()
    }

    /// A number, if it has a value.
    pub fn real(&self, name: &str) -> Option<f64> {
        self.text(name).parse().ok()
    }
}

fn check(parameter: &Parameter, value: &str) -> Result<(), String> {
    let name = parameter.name;
    match parameter.kind {
        Kind::Flag if value == "true" || value == "false" => Ok(()),
        Kind::Flag => Err(format!("{name}={value}: expected true or false")),
        Kind::Whole { least, most } => match value.parse::<u64>() {
            Ok(number) if (least..=most).contains(&number) => Ok(()),
            _ => Err(format!("{name}={value}: expected a whole number from {least} to {most}")),
        },
        Kind::Real { least, most } => match value.parse::<f64>() {
            Ok(number) if (least..=most).contains(&number) => Ok(()),
            _ => Err(format!("{name}={value}: expected a number from {least} to {most}")),
        },
        Kind::Choice(choices) if choices.contains(&value) => Ok(()),
        Kind::Choice(choices) => Err(format!("{name}={value}: expected one of: {}", choices.join(", "))),
        Kind::Evaluator | Kind::Player if value.is_empty() => Err(format!("{name}: a value is missing")),
        Kind::Evaluator | Kind::Player => Ok(()),
    }
}

/// The parts between commas that are not inside round brackets, with where they begin, in characters.
fn split_outside_brackets(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut start_column) = (0usize, 0, 0);
    for (column, (index, letter)) in text.char_indices().enumerate() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push((start_column, &text[start..index]));
                (start, start_column) = (index + 1, column + 1);
            }
            _ => {}
        }
    }
    if start < text.len() || !parts.is_empty() {
        parts.push((start_column, &text[start..]));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFO: PlayerInfo = PlayerInfo {
        name: "test",
        about: "",
        parameters: &[
            Parameter { name: "depth", kind: Kind::Whole { least: 1, most: 9 }, default: "4", about: "" },
            Parameter { name: "fast", kind: Kind::Flag, default: "true", about: "" },
            Parameter { name: "of", kind: Kind::Player, default: "", about: "" },
        ],
    };

    #[test]
    fn values_and_defaults() {
        let settings = Settings::parse(&INFO, "fast=false,of=(a:b=1,c=2)", 1).unwrap();
        assert_eq!((settings.whole("depth"), settings.flag("fast")), (Some(4), false));
        assert_eq!(settings.text("of"), "(a:b=1,c=2)");
        assert!(Settings::parse(&INFO, "", 1).unwrap().flag("fast"));
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        let error = |text| Settings::parse(&INFO, text, 6).unwrap_err().to_string();
        assert_eq!(error("depth=0"), "column 6: depth=0: expected a whole number from 1 to 9");
        assert_eq!(error("depth=2,deep=1"), "column 14: test has no parameter \"deep\"; it has: depth, fast, of");
        assert_eq!(error("depth=2,depth=3"), "column 14: depth is given twice");
        assert_eq!(error("fast"), "column 6: \"fast\": expected parameter=value of test");
        assert_eq!(error("fast=yes"), "column 6: fast=yes: expected true or false");
        assert_eq!(error("depth=2,"), "column 14: \"\": expected parameter=value of test");
    }

    #[test]
    fn a_default_depth_gives_way_and_a_given_one_does_not() {
        let depth = |text: &str, most: Option<u32>| {
            let settings = Settings::parse(&crate::plain::MINIMAX, text, 1).expect("good settings");
            settings.depth().within(&Budget { depth: most, ..Budget::default() })
        };
        assert_eq!([depth("", None), depth("", Some(6)), depth("", Some(2))], [4, 6, 2]);
        assert_eq!([depth("depth=3", None), depth("depth=3", Some(6)), depth("depth=3", Some(2))], [3, 3, 2]);
    }
}
