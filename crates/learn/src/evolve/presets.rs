//! The evolutions of the documents, as they would stand in an experiment.

use serde::Deserialize;

use super::Evolution;

/// Each preset: its name and its text, which has one table `[evolution]`.
pub const PRESETS: [(&str, &str); 3] = [
    ("plogann", include_str!("../presets/plogann.toml")),
    ("box", include_str!("../presets/box.toml")),
    ("allsop", include_str!("../presets/allsop.toml")),
];

/// The preset of this name. An error names the presets that there are.
pub fn preset(name: &str) -> Result<Evolution, String> {
    let Some((_, text)) = PRESETS.iter().find(|(known, _)| *known == name) else {
        let known: Vec<&str> = PRESETS.iter().map(|(known, _)| *known).collect();
        return Err(format!("preset {name:?}, expected one of: {}", known.join(", ")));
    };
    parse(text)
}

/// The preset of this name as the table that stands in an experiment.
pub fn table(name: &str) -> Result<toml::Table, String> {
    toml::Table::try_from(preset(name)?).map_err(|error| error.to_string())
}

/// Reads a text with one table `[evolution]`. An error has the line and the column.
pub fn parse(text: &str) -> Result<Evolution, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        evolution: Evolution,
    }
    toml::from_str::<File>(text).map(|file| file.evolution).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::{Crossover, Mutation, Scheme, Selection};
    use super::*;
    use crate::contest::Contest;

    #[test]
    fn every_preset_is_sound_and_round_trips() {
        for ((name, _), weights) in PRESETS.iter().zip([2_041, 1_479, 32]) {
            let evolution = preset(name).unwrap();
            assert_eq!(evolution.check(weights), Ok(()), "{name}");
            let text = format!("[evolution]\n{}", toml::to_string(&evolution).unwrap().replace("\n[", "\n[evolution."));
            assert_eq!(parse(&text).as_ref(), Ok(&evolution), "{text}");
        }
        assert!(preset("darwin").unwrap_err().contains("plogann, box, allsop"));
    }

    #[test]
    fn figures_of_the_documents() {
        let plogann = preset("plogann").unwrap();
        assert_eq!((plogann.population, plogann.generations), (62, 10_000));
        assert_eq!(plogann.mutation, Mutation::Reset { probability: 0.15, lo: -1.0, hi: 1.0 });
        assert_eq!(plogann.scheme.contestants(62), 248);
        let four = preset("box").unwrap();
        assert_eq!((four.population, four.mutation), (143, Mutation::Gaussian { probability: 0.31, sd: 0.11 }));
        assert_eq!((four.crossover, four.selection), (Crossover::EvenPoints { points: 20 }, Selection::Truncation {}));
        assert!(matches!(four.contest, Contest::FixedAgent { games: 50, .. }));
        let allsop = preset("allsop").unwrap();
        assert_eq!((allsop.population, allsop.generations), (100, 100));
        assert_eq!(allsop.mutation, Mutation::Multiply { probability: 0.1, rate: 0.5 });
        assert_eq!(allsop.scheme, Scheme::Shares { children: 0.25, mutated: 0.25 });
    }

    #[test]
    fn mistakes_are_named() {
        let text = PRESETS[0].1;
        let unknown = parse(&text.replace("probability", "probabillity")).unwrap_err();
        assert!(unknown.contains("probabillity"), "{unknown}");
        assert!(parse(&text.replace("population", "inhabitants")).unwrap_err().contains("inhabitants"));
        assert!(parse(&text.replace("final-four", "final-five")).unwrap_err().contains("final-five"));
        let mut evolution = preset("plogann").unwrap();
        evolution.contest = Contest::FixedAgent { games: 1, first: crate::FirstMover::Random, opponent: 0 };
        assert!(evolution.check(10).unwrap_err().contains("winners"));
    }
}
