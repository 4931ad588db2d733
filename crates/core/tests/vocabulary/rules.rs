//! Rules as text.

use lanista_core::{DrawRules, Game, NoProgress, Progress, Repetition, Verdict};

use crate::ratchet::Ratchet;

fn draws(text: &str) -> DrawRules {
    Ratchet::rules(text).unwrap_or_else(|error| panic!("{text}: {error}")).draws
}

fn message(text: &str) -> String {
    Ratchet::rules(text).expect_err(text).to_string()
}

#[test]
fn presets_and_changes() {
    assert_eq!(draws(""), draws("standard"));
    assert_eq!(draws("ply-cap=5"), DrawRules { ply_cap: Some(5), ..draws("standard") });
    assert_eq!(draws("greedy,ply-cap=5"), DrawRules { ply_cap: Some(5), ..draws("greedy") });
    assert_eq!(draws("quick,ply-cap=none,repetition=none,no-progress=none"), DrawRules::default());
    let name = "endless,repetition=4,repetition-side=ignored,no-progress=7,progress=conversion";
    let name = format!("{name},no-progress-verdict=material,ply-cap=99");
    let rules = Ratchet::rules(&name).expect("rules");
    let repetition = Some(Repetition { count: 4, side_matters: false });
    let no_progress = Some(NoProgress { plies: 7, progress: Progress::Conversion, verdict: Verdict::Material });
    assert_eq!(rules.draws, DrawRules { repetition, no_progress, ply_cap: Some(99) });
    assert_eq!(rules.name, name);
}

#[test]
fn a_change_of_count_keeps_the_rest_of_a_rule() {
    assert_eq!(draws("quick,repetition=5").repetition, Some(Repetition { count: 5, side_matters: false }));
    let greedy = draws("greedy,no-progress=33").no_progress;
    assert_eq!(greedy, Some(NoProgress { plies: 33, progress: Progress::Conversion, verdict: Verdict::Material }));
    // A rule that was not there gets the usual meaning.
    assert_eq!(draws("endless,repetition=3").repetition, Some(Repetition { count: 3, side_matters: true }));
    let usual = NoProgress { plies: 8, progress: Progress::Advance, verdict: Verdict::Draw };
    assert_eq!(draws("endless,no-progress=8").no_progress, Some(usual));
}

#[test]
fn errors_name_the_place_and_what_is_expected() {
    let unknown = message("chess");
    assert!(unknown.starts_with("column 1:") && unknown.contains("chess") && unknown.contains("greedy"), "{unknown}");
    for (text, start, part) in [
        ("standard,ply-cap", "column 10:", "parameter=value"),
        ("standard,", "column 10:", "parameter=value"),
        ("ply-cap=3,speed=5", "column 11:", "ply-cap"),
        ("standard,ply-cap=3,speed=5", "column 20:", "speed"),
        ("ply-cap=0", "column 1:", "at least 1, or none"),
        ("ply-cap=-1", "column 1:", "at least 1, or none"),
        ("ply-cap=4294967296", "column 1:", "at least 1, or none"),
        ("repetition=1", "column 1:", "at least 2, or none"),
        ("repetition=3.5", "column 1:", "at least 2, or none"),
        ("repetition-side=both", "column 1:", "matters or ignored"),
        ("greedy,progress=reversible", "column 8:", "advance or conversion"),
        ("greedy,no-progress-verdict=win", "column 8:", "draw or material"),
        ("endless,repetition-side=ignored", "column 9:", "set repetition first"),
        ("endless,progress=advance", "column 9:", "set no-progress first"),
        ("endless,no-progress-verdict=draw", "column 9:", "set no-progress first"),
        ("repetition=none,repetition-side=ignored", "column 17:", "set repetition first"),
    ] {
        let message = message(text);
        assert!(message.starts_with(start) && message.contains(part), "{text}: {message}");
    }
}

#[test]
fn every_parameter_is_known() {
    for (name, about) in DrawRules::PARAMETERS {
        let error = DrawRules::default().set(name, "?").expect_err(name);
        assert!(error.contains(name) && !about.is_empty(), "{error}");
    }
    assert_eq!(DrawRules::default().set("colour", "red"), Ok(false));
}

#[test]
fn rules_for_people() {
    assert_eq!(draws("endless").to_string(), "only the board ends the game");
    assert_eq!(draws("standard").to_string(), "draw when a position occurs 3 times");
    let quick = draws("quick").to_string();
    for part in ["occurs 2 times, whoever is to move", "draw after 12 plies without progress", "draw after 30 plies"] {
        assert!(quick.contains(part), "{quick}");
    }
    assert!(draws("greedy").to_string().contains("material decides after 9 plies without capture"));
}
