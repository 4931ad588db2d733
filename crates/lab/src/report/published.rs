//! What was published, beside what was measured.

use serde::Deserialize;

use super::document::{Block, Cell, Table};
use super::figures::{Figure, Group, of_text, with_values};
use super::numbers;

/// What a report reads of an experiment. Values of a sweep may stand where numbers would, so the rest is left alone.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Told {
    /// What it is called.
    #[serde(default)]
    pub title: String,
    /// What it is about.
    #[serde(default)]
    pub about: String,
    /// What the figures say.
    #[serde(default)]
    pub findings: String,
    /// What the original cost.
    #[serde(default)]
    pub cost_then: String,
    /// Which scale of the study it is, if it is not the study itself.
    pub scaled: Option<String>,
    /// The root of all randomness.
    #[serde(default)]
    pub seed: u64,
    /// Figures to compare with.
    #[serde(default)]
    pub published: Vec<Published>,
    /// Figures for the overview.
    #[serde(default)]
    pub headline: Vec<Headline>,
    /// The table of a test.
    pub positions: Option<ToldPositions>,
    /// What learns.
    pub learner: Option<ToldLearner>,
    /// Whether its network grows.
    pub neat: Option<toml::Value>,
}

/// What a report reads of a learner.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ToldLearner {
    /// The evaluator whose weights are learnt.
    pub weights_of: Option<String>,
}

/// What a report reads of a test.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ToldPositions {
    /// The player whose value the others must find.
    pub agree_with: Option<String>,
    /// Whether that player judges the moves of the others.
    #[serde(default)]
    pub judge_moves: bool,
}

impl ToldPositions {
    /// Who the others are compared with.
    pub fn reference(&self) -> Option<Reference<'_>> {
        self.agree_with.as_deref().map(|player| Reference { player, judges_moves: self.judge_moves })
    }
}

/// The player that others are compared with.
#[derive(Clone, Copy)]
pub struct Reference<'a> {
    /// Its name.
    pub player: &'a str,
    /// Whether the values of the others are its own, of their moves.
    pub judges_moves: bool,
}

/// A published figure.
#[derive(Debug, Deserialize)]
pub struct Published {
    #[serde(default)]
    source: String,
    measurement: String,
    #[serde(default)]
    of: String,
    value: f64,
    error: Option<f64>,
    #[serde(default)]
    note: String,
}

/// A figure for the overview of all studies.
#[derive(Debug, Deserialize)]
pub struct Headline {
    name: String,
    measurement: String,
    #[serde(default)]
    of: String,
}

/// A published figure beside a measured one.
pub struct Comparison<'a> {
    measurement: &'a str,
    /// What both are.
    pub label: String,
    /// None if nothing was published for it.
    published: Option<&'a Published>,
    /// None if nothing was measured for it.
    pub measured: Option<&'a Figure>,
}

/// A figure of more settings than these is compared by the greatest of them only.
const MOST_SETTINGS: usize = 24;

/// How a published figure lies to the measured one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Inside,
    Outside,
    /// Both have intervals, and they overlap.
    Overlap,
    /// Nobody knows how far it may be.
    Unknown,
    /// As far as printed.
    Equal,
}

fn verdict(published: &Published, measured: &Figure) -> Verdict {
    let apart = (published.value - measured.value).abs();
    // What is equal as far as printed stays equal.
    let tiny = 1e-9 * published.value.abs().max(1.0);
    match (measured.error, published.error) {
        (None, None) if apart <= tiny => Verdict::Equal,
        (Some(error), _) if apart <= error + tiny => Verdict::Inside,
        (Some(error), Some(other)) if apart <= error + other + tiny => Verdict::Overlap,
        (Some(_), _) => Verdict::Outside,
        (None, Some(other)) if apart <= other + tiny => Verdict::Inside,
        (None, _) => Verdict::Unknown,
    }
}

/// Every published figure with what was measured for it, in order; several if several settings have such a figure.
pub fn comparisons<'a>(told: &'a Told, groups: &'a [Group]) -> Vec<Comparison<'a>> {
    let mut found = Vec::new();
    for published in &told.published {
        let measurement = published.measurement.as_str();
        let named = |of: &str| match of {
            "" => measurement.to_string(),
            of => format!("{measurement}: {}", of_text(of)),
        };
        let matches = matching(measurement, &published.of, groups);
        let mut add = |label, measured| {
            found.push(Comparison { measurement, label, published: Some(published), measured });
        };
        if matches.is_empty() {
            add(named(&published.of), None);
        } else if matches.len() > MOST_SETTINGS {
            add(with_count(&named(&published.of), matches.len()), greatest(&matches));
        } else {
            for (group, measured) in matches {
                // The setting may stand in front of what a published figure is of.
                let name = named(&measured.of);
                let label = if groups.len() > 1 { format!("{name} ({})", group.setting) } else { name };
                add(label, Some(measured));
            }
        }
    }
    found
}

/// Every figure for the overview, beside what was published for it; where several settings have it, the greatest.
pub fn headlines<'a>(told: &'a Told, groups: &'a [Group]) -> Vec<Comparison<'a>> {
    let compare = |Headline { name, measurement, of }: &'a Headline| {
        let matches = matching(measurement, of, groups);
        let same_words = told.published.iter().find(|figure| (&figure.measurement, &figure.of) == (measurement, of));
        // Something may be published for all settings at once, or in other words.
        let same_figure = || match matches.as_slice() {
            [(group, measured)] => told.published.iter().find(|figure| {
                &figure.measurement == measurement
                    && find(measurement, &figure.of, group).is_some_and(|found| std::ptr::eq(found, *measured))
            }),
            _ => None,
        };
        let published = same_words.or_else(same_figure);
        let label = if matches.len() > 1 { with_count(name, matches.len()) } else { name.clone() };
        Comparison { measurement, label, published, measured: greatest(&matches) }
    };
    told.headline.iter().map(compare).collect()
}

fn matching<'a>(measurement: &str, of: &str, groups: &'a [Group]) -> Vec<(&'a Group, &'a Figure)> {
    groups.iter().filter_map(|group| Some((group, find(measurement, of, group)?))).collect()
}

fn greatest<'a>(matches: &[(&Group, &'a Figure)]) -> Option<&'a Figure> {
    matches.iter().map(|(_, figure)| *figure).max_by(|a, b| a.value.total_cmp(&b.value))
}

fn with_count(name: &str, settings: usize) -> String {
    format!("{name} (the greatest of {settings} settings)")
}

impl Comparison<'_> {
    /// The published figure as text; nothing if there is none.
    pub fn paper(&self) -> String {
        let text = |figure: &Published| match figure.error {
            None => numbers::printed(self.measurement, figure.value),
            error => numbers::estimate(self.measurement, figure.value, error),
        };
        self.published.map(text).unwrap_or_default()
    }

    /// The measured figure with its interval, as text.
    pub fn ours(&self) -> String {
        let text = |figure: &Figure| numbers::estimate(self.measurement, figure.value, figure.error);
        self.measured.map_or("not measured".into(), text)
    }

    /// None if there are not both.
    fn verdict(&self) -> Option<Verdict> {
        self.published.zip(self.measured).map(|(published, measured)| verdict(published, measured))
    }

    /// How both lie to each other.
    pub fn verdict_cell(&self) -> Cell {
        match self.measured {
            None => "not measured".into(),
            Some(_) => self.verdict().map(verdict_cell).unwrap_or_default(),
        }
    }
}

/// The section; nothing if nothing was published.
pub fn blocks(told: &Told, groups: &[Group]) -> Vec<Block> {
    if told.published.is_empty() {
        return Vec::new();
    }
    let caption = "Published figures and what this run measured; the difference is measured − published";
    let mut table =
        Table::new(caption, &["figure", "paper#", "measured#", "95 % interval#", "difference#", "verdict", "source"]);
    let has_notes = told.published.iter().any(|figure| !figure.note.is_empty());
    if has_notes {
        table.add_column("note", false);
    }
    let mut tally = [0; 5];
    let mut missing = 0;
    let mut has_shares = false;
    for comparison in comparisons(told, groups) {
        let Some(published) = comparison.published else { continue };
        let name = comparison.measurement;
        has_shares |= numbers::is_share(name);
        let mut row = vec![Cell::from(comparison.label.as_str()), comparison.paper().into()];
        match comparison.measured {
            None => {
                missing += 1;
                row.extend(["not measured".into(), "".into(), "".into()]);
            }
            Some(measured) => {
                let interval = |error| numbers::interval(name, measured.value, error);
                row.extend([
                    numbers::figure(name, measured.value).into(),
                    measured.error.map_or("unknown".into(), interval).into(),
                    numbers::difference(name, measured.value - published.value).into(),
                ]);
            }
        }
        if let Some(verdict) = comparison.verdict() {
            tally[verdict as usize] += 1;
        }
        row.extend([comparison.verdict_cell(), published.source.as_str().into()]);
        if has_notes {
            row.push(published.note.as_str().into());
        }
        table.add(row);
    }
    let [inside, outside, overlap, unknown, equal] = tally;
    let mut parts = vec![format!("{inside} inside the measured interval"), format!("{outside} outside")];
    for (count, text) in [
        (equal, "equal"),
        (overlap, "outside with overlapping intervals"),
        (unknown, "without an interval"),
        (missing, "not measured"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {text}"));
        }
    }
    let mut summary = format!("Published figures: {}.", parts.join(", "));
    if has_shares {
        summary += " Differences of shares are in percentage points (pp).";
    }
    vec![Block::Heading(2, "Published and measured".into()), Block::Text(summary), Block::Table(table)]
}

fn verdict_cell(verdict: Verdict) -> Cell {
    let (text, good) = match verdict {
        Verdict::Inside => ("inside the interval", Some(true)),
        Verdict::Outside => ("outside the interval", Some(false)),
        Verdict::Overlap => ("outside, but the intervals overlap", None),
        Verdict::Unknown => ("no interval", None),
        Verdict::Equal => ("equal", Some(true)),
    };
    Cell { verdict: good, ..Cell::from(text) }
}

/// The measured figure: the values of a sweep may stand in what it is of, as `{name}` or in front.
fn find<'a>(measurement: &str, of: &str, group: &'a Group) -> Option<&'a Figure> {
    let of = with_values(of, &group.setting);
    let behind_setting = of.strip_prefix(group.setting.as_str()).map(str::trim_start);
    group.find(measurement, &of).or_else(|| behind_setting.and_then(|of| group.find(measurement, of)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(value: f64, error: Option<f64>) -> Figure {
        Figure { name: "score".into(), of: "x".into(), value, error, count: 1, values: vec![value] }
    }

    fn published(of: &str, value: f64, error: Option<f64>) -> Published {
        let (source, note, measurement) = (String::new(), String::new(), "score".to_string());
        Published { source, measurement, of: of.into(), value, error, note }
    }

    #[test]
    fn verdicts() {
        let judged = |value, error, measured, own| verdict(&published("x", value, error), &figure(measured, own));
        assert_eq!(judged(0.5, None, 0.52, Some(0.02)), Verdict::Inside);
        assert_eq!(judged(0.5, None, 0.53, Some(0.02)), Verdict::Outside);
        assert_eq!(judged(0.5, Some(0.015), 0.53, Some(0.02)), Verdict::Overlap);
        assert_eq!(judged(0.5, None, 0.53, None), Verdict::Unknown);
        assert_eq!(judged(0.5, None, 0.5, None), Verdict::Equal);
        assert_eq!(judged(0.5, Some(0.05), 0.53, None), Verdict::Inside);
    }

    #[test]
    fn labels_name_a_setting_once() {
        let group =
            |setting: &str| Group { setting: setting.into(), trials: vec![0], figures: vec![figure(0.5, None)] };
        let groups = ["d=1", "d=2"].map(group);
        let told = Told { published: vec![published("d=1 x", 0.5, None)], ..Told::default() };
        let labels: Vec<String> = comparisons(&told, &groups).into_iter().map(|found| found.label).collect();
        assert_eq!(labels, ["score: x (d=1)"]);
    }

    #[test]
    fn headlines_stand_beside_what_was_published() {
        let group = |setting: &str, value| Group {
            setting: setting.into(),
            trials: vec![0],
            figures: vec![figure(value, Some(0.02))],
        };
        let groups = [group("d=1", 0.5), group("d=2", 0.6)];
        let headline = |of: &str| Headline { name: "h".into(), measurement: "score".into(), of: of.into() };
        let told = Told {
            published: vec![published("d=1 x", 0.5, None), published("x", 0.7, None)],
            headline: ["d=1 x", "d=2 x", "y"].map(headline).into(),
            ..Told::default()
        };
        let rows = headlines(&told, &groups).into_iter().map(|row| {
            let verdict = row.verdict_cell().text;
            (row.paper(), row.ours(), verdict, row.label)
        });
        let wanted = [
            ("50.0 %", "50.0 ± 2.0 %", "inside the interval", "h"),
            ("70.0 %", "60.0 ± 2.0 %", "outside the interval", "h"),
            ("", "not measured", "not measured", "h"),
        ];
        let wanted =
            wanted.map(|(paper, ours, verdict, label)| (paper.into(), ours.into(), verdict.into(), label.into()));
        assert_eq!(rows.collect::<Vec<(String, String, String, String)>>(), wanted);
    }

    #[test]
    fn headlines_of_several_settings_show_the_greatest() {
        let group = |setting: &str, value| Group {
            setting: setting.into(),
            trials: vec![0],
            figures: vec![figure(value, Some(0.02))],
        };
        let groups = [group("d=1", 0.5), group("d=2", 0.6)];
        let headline = Headline { name: "h".into(), measurement: "score".into(), of: "x".into() };
        let told = Told { published: vec![published("d=1 x", 0.5, None)], headline: vec![headline], ..Told::default() };
        let rows: Vec<(String, String)> =
            headlines(&told, &groups).iter().map(|row| (row.paper(), row.label.clone())).collect();
        assert_eq!(rows, [(String::new(), "h (the greatest of 2 settings)".to_string())]);
    }

    #[test]
    fn figures_of_a_sweep_are_found() {
        let group =
            |setting: &str| Group { setting: setting.into(), trials: vec![0], figures: vec![figure(0.5, None)] };
        assert!(find("score", "x", &group("d=1")).is_some());
        assert!(find("score", "d=1 x", &group("d=1")).is_some());
        assert!(find("score", "d=1 x", &group("d=2")).is_none());
        assert!(find("score", "{d}", &group("d=x")).is_some());
    }
}
