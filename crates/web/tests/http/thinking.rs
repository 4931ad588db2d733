//! Analysis, evaluation graphs and exact values.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::house::{House, PATIENCE};

#[test]
fn an_analysis_thinks_deeper_and_deeper() {
    let house = House::open();
    let events: Vec<_> = house.events("/api/analysis?game=loa&moves=b1-b3&depth=5").collect();
    let last = &events.last().unwrap()["thinking"];
    assert_eq!((last["done"].as_bool(), last["depth"].as_u64(), last["side"].as_u64()), (Some(true), Some(5), Some(1)));
    assert!(last["line"].as_array().is_some_and(|line| line.len() > 1), "{last}");
}

#[test]
fn an_analysis_ends_when_its_viewer_leaves() {
    // Room for one thinker of 8 MB: a second one gets in only after the first has gone.
    let house = House::with(|settings| settings.memory = 8);
    let mut first = house.events("/api/analysis?game=loa");
    assert_eq!(first.next().unwrap()["type"], "started");
    assert_eq!(house.get("/api/analysis?game=loa&depth=1").0, 503);
    drop(first);
    let began = Instant::now();
    while house.raw("/api/analysis?game=loa&depth=1").status() != 200 {
        assert!(began.elapsed() < PATIENCE, "the analysis goes on though nobody looks");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Players that look to a depth know no time, and players inside others do not hear of it by themselves.
#[test]
fn time_ends_every_thought() {
    let house = House::open();
    for player in ["minimax:depth=30", "stochastic:depth=30", "best-three:of=(alphabeta:depth=30)"] {
        let events: Vec<_> = house.events(&format!("/api/analysis?game=loa&seconds=0.2&player={player}")).collect();
        let last = &events.last().unwrap()["thinking"];
        assert!(last["done"] == true && last["move"].is_string(), "{player}: {last}");
    }
}

#[test]
fn many_analyses_all_get_on() {
    let house = House::open();
    let streams: Vec<_> =
        (0..8).map(|_| house.events("/api/analysis?game=connect-four&moves=4&depth=60&player=pvs:table=1")).collect();
    for mut stream in streams {
        assert!(stream.any(|event| event["thinking"]["depth"].as_u64() >= Some(4)));
    }
}

#[test]
fn whole_games_are_scored() {
    let house = House::open();
    let moves = ["1", "2", "1", "2", "1", "2", "1"];
    let body = json!({"game": "connect-four", "moves": moves, "player": "pvs:depth=2"});
    let scores = house.posted("/api/evaluate", &body)["scores"].clone();
    assert_eq!(scores.as_array().unwrap().len(), 8);
    assert_eq!(scores[6]["kind"], "win");
    assert!(scores[7].is_null(), "the game is over");
}

#[test]
fn columns_have_exact_values() {
    let house = House::open();
    let solved = house.got("/api/solve?moves=44444");
    assert_eq!(solved["columns"].as_array().unwrap().len(), 7);
    let won = house.got("/api/solve?moves=1,2,1,2,1,2");
    assert_eq!((won["kind"].as_str(), won["plies_to_end"].as_u64()), (Some("win"), Some(1)));
    assert_eq!(won["columns"][0]["kind"], "win");
    assert_eq!(house.get("/api/solve?moves=1111111").0, 422);
}

#[test]
fn wrong_questions_are_named() {
    let house = House::open();
    for path in [
        "/api/analysis?game=loa&player=nobody",
        "/api/analysis?game=loa&player=pvs:threads=2",
        "/api/analysis?game=loa&player=pvs:table=60000",
        "/api/analysis?game=connect-four&moves=1,2,1,2,1,2,1",
        "/api/analysis?game=loa&moves=z",
    ] {
        let (status, error) = house.get(path);
        assert_eq!(status, 422, "{path}");
        assert!(error["field"].is_string(), "{path}: {error}");
    }
    assert_eq!(house.get("/api/analysis").0, 400);
}
