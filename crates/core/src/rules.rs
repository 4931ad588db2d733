//! Rules that need to know the past, as data.

use std::fmt;

use crate::Progress;

/// When a game that the board does not end is over all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DrawRules {
    /// A position that occurs too often ends the game as a draw.
    pub repetition: Option<Repetition>,
    /// Too many plies without progress end the game.
    pub no_progress: Option<NoProgress>,
    /// A game of that many plies is a draw.
    pub ply_cap: Option<u32>,
}

/// The repetition rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repetition {
    /// The occurrence, the first included, that ends the game.
    pub count: u32,
    /// Whether the side to move is part of the position.
    pub side_matters: bool,
}

/// The no-progress rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NoProgress {
    /// How many plies in a row without progress end the game.
    pub plies: u32,
    /// The least that counts as progress.
    pub progress: Progress,
    /// Who wins then.
    pub verdict: Verdict,
}

/// What becomes of a game without progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// A draw.
    Draw,
    /// The side with more material wins; equal material is a draw.
    Material,
}

impl DrawRules {
    /// The names of the parameters that [`DrawRules::set`] knows, with what they take.
    pub const PARAMETERS: [(&'static str, &'static str); 6] = [
        ("repetition", "N or none: the occurrence of a position that draws"),
        ("repetition-side", "matters or ignored: whether the side to move is part of the position"),
        ("no-progress", "PLIES or none: how many plies without progress end the game"),
        ("progress", "advance or conversion: the least that counts as progress"),
        ("no-progress-verdict", "draw or material: what becomes of a game without progress"),
        ("ply-cap", "PLIES or none: the length at which a game is drawn"),
    ];

    /// Sets one parameter from text. `Ok(false)` if there is no parameter of that name.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool, String> {
        match name {
            "repetition" => {
                let count = count_or_none(name, value, 2)?;
                let side_matters = self.repetition.is_none_or(|rule| rule.side_matters);
                self.repetition = count.map(|count| Repetition { count, side_matters });
            }
            "repetition-side" => {
                let side_matters = one_of(name, value, [("matters", true), ("ignored", false)])?;
                self.repetition.as_mut().ok_or_else(|| needs(name, "repetition"))?.side_matters = side_matters;
            }
            "no-progress" => {
                let plies = count_or_none(name, value, 1)?;
                let before = self.no_progress.unwrap_or(NoProgress {
                    plies: 0,
                    progress: Progress::Advance,
                    verdict: Verdict::Draw,
                });
                self.no_progress = plies.map(|plies| NoProgress { plies, ..before });
            }
            "progress" => {
                let progress =
                    one_of(name, value, [("advance", Progress::Advance), ("conversion", Progress::Conversion)])?;
                self.no_progress.as_mut().ok_or_else(|| needs(name, "no-progress"))?.progress = progress;
            }
            "no-progress-verdict" => {
                let verdict = one_of(name, value, [("draw", Verdict::Draw), ("material", Verdict::Material)])?;
                self.no_progress.as_mut().ok_or_else(|| needs(name, "no-progress"))?.verdict = verdict;
            }
            "ply-cap" => self.ply_cap = count_or_none(name, value, 1)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn needs(name: &str, other: &str) -> String {
    format!("{name}: there is no {other} rule to refine; set {other} first")
}

fn count_or_none(name: &str, value: &str, least: u32) -> Result<Option<u32>, String> {
    if value == "none" {
        return Ok(None);
    }
    match value.parse() {
        Ok(count) if count >= least => Ok(Some(count)),
        _ => Err(format!("{name}={value}: expected a whole number of at least {least}, or none")),
    }
}

/// The entry of `choices` that `value` names.
pub fn one_of<T: Copy, const N: usize>(name: &str, value: &str, choices: [(&str, T); N]) -> Result<T, String> {
    choices.iter().find(|(text, _)| *text == value).map(|&(_, choice)| choice).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|&(text, _)| text).collect();
        format!("{name}={value}: expected {}", names.join(" or "))
    })
}

/// For people: `draw when a position occurs 3 times; draw after 80 plies without progress`.
impl fmt::Display for DrawRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(rule) = self.repetition {
            let side = if rule.side_matters { "" } else { ", whoever is to move" };
            parts.push(format!("draw when a position occurs {} times{side}", rule.count));
        }
        if let Some(rule) = self.no_progress {
            let what = match rule.progress {
                Progress::Conversion => "capture or crowning",
                _ => "progress",
            };
            let verdict = match rule.verdict {
                Verdict::Draw => "draw",
                Verdict::Material => "material decides",
            };
            parts.push(format!("{verdict} after {} plies without {what}", rule.plies));
        }
        if let Some(plies) = self.ply_cap {
            parts.push(format!("draw after {plies} plies"));
        }
        f.write_str(if parts.is_empty() { "only the board ends the game" } else { "" })?;
        f.write_str(&parts.join("; "))
    }
}
