//! Stored games and game files.

use std::io::Cursor;
use std::time::{Duration, Instant};

use serde_json::json;
use zip::ZipArchive;

use crate::house::{House, PATIENCE};
use crate::running::{finished, short_match, start};

#[test]
fn stored_games_are_found_replayed_and_taken_away() {
    let house = House::open();
    assert_eq!(house.got("/api/archive")["games"], json!([]));
    let run = start(&house, &short_match(15));
    finished(&house, run);
    let mut all = Vec::new();
    let mut after = String::new();
    loop {
        let page = house.got(&format!("/api/archive?limit=7&after={after}"));
        all.extend(page["games"].as_array().unwrap().clone());
        match page["next"].as_str() {
            Some(next) => after = next.to_string(),
            None => break,
        }
    }
    assert_eq!(all.len(), 30);
    let mut places: Vec<String> = all.iter().map(|game| game["place"].as_str().unwrap().to_string()).collect();
    places.sort();
    places.dedup();
    assert_eq!(places.len(), 30, "no game twice");
    let won = house.got(&format!("/api/runs/{run}/games?result=1-0&player=win-block"));
    assert!(won["games"].as_array().unwrap().iter().all(|game| game["winner"] == 0));
    assert_eq!(house.got("/api/archive?game=loa")["games"], json!([]));
    assert_eq!(house.get("/api/archive?result=2-0").0, 422);
    assert_eq!(house.get("/api/archive?after=x").0, 422);
    let path = format!("/api/runs/{run}/games/{}", places[3]);
    let game = house.got(&path);
    assert_eq!(game["plies"].as_array().unwrap().len() as u64, game["row"]["plies"].as_u64().unwrap() + 1);
    let last = game["plies"].as_array().unwrap().last().unwrap().clone();
    assert!(!last["outcome"].is_null());
    let file = house.raw(&format!("{path}/file"));
    assert!(file.headers()["content-disposition"].to_str().unwrap().starts_with("attachment"));
    let text = file.into_body().read_to_string().unwrap();
    let read = house.posted("/api/game-files", &json!({"game": "connect-four", "name": "game.txt", "text": text}));
    assert_eq!((read["legal"].as_u64(), &read["games"][0]["moves"]), (Some(1), &game["moves"]), "{text}");
    assert_eq!(house.get(&format!("{path}/file?format=doc")).0, 422);
    assert_eq!(house.get(&format!("/api/runs/{run}/games/999:1")).0, 404);
}

#[test]
fn files_are_checked_game_by_game() {
    let house = House::open();
    let pdn = "[Event \"a\"]\n\n1. 11-15 23-19 *\n\n[Event \"b\"]\n\n1. 11-15 15-19 *\n";
    let read = house.posted("/api/game-files", &json!({"game": "draughts", "name": "games.pdn", "text": pdn}));
    assert_eq!((read["total"].as_u64(), read["legal"].as_u64()), (Some(2), Some(1)));
    assert_eq!((read["faults"][0]["number"].as_u64(), read["faults"][0]["move"].as_str()), (Some(2), Some("15-19")));
    for (game, moves, format) in [("draughts", "11-15", "pdn"), ("loa", "b1-b3", "sgf"), ("connect-four", "4", "text")]
    {
        let body = json!({"game": game, "moves": [moves], "format": format});
        let answer = house.agent.post(format!("{}/api/game-files/write", house.address)).send_json(&body).unwrap();
        let text = answer.into_body().read_to_string().unwrap();
        let read = house.posted("/api/game-files", &json!({"game": game, "name": format!("x.{format}"), "text": text}));
        assert_eq!(read["games"][0]["moves"], json!([moves]), "{text}");
    }
}

/// Exports go from a file to the page, and nothing of them stays behind.
#[test]
fn exports_are_whole_and_leave_nothing() {
    let house = House::open();
    let run = start(&house, &short_match(40));
    finished(&house, run);
    for (to, name) in [("csv", "games.csv"), ("parquet", "games.parquet")] {
        let answer = house.raw(&format!("/api/runs/{run}/export?to={to}"));
        assert_eq!(answer.headers()["content-type"], "application/zip");
        let bytes = answer.into_body().read_to_vec().unwrap();
        let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut games = archive.by_name(name).unwrap();
        assert!(std::io::copy(&mut games, &mut std::io::sink()).unwrap() > 1000, "{name}");
    }
    let began = Instant::now();
    let own = format!("lanista-{}-", std::process::id());
    let is_left = || {
        let mut entries = std::fs::read_dir(std::env::temp_dir()).unwrap().filter_map(Result::ok);
        entries.any(|entry| entry.file_name().to_string_lossy().starts_with(&own))
    };
    while is_left() {
        assert!(began.elapsed() < PATIENCE, "a folder is left");
        std::thread::sleep(Duration::from_millis(20));
    }
}
