//! What the program carries: every experiment of the project, and the players that they name.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::house::House;
use crate::running::{finished, start};

/// A match of a shipped player, named as experiments in a folder of the project name it.
fn match_of_shipped(pairs: u32) -> String {
    let player = "greedy:eval=mlp@../../players/tdloa.safetensors";
    format!("title = \"A shipped player\"\ngame = \"loa\"\n\n[match]\na = \"{player}\"\nb = \"com\"\npairs = {pairs}\n")
}

fn collect(folder: &Path, before: &str, ids: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let id = format!("{before}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            collect(&path, &format!("{id}/"), ids);
        } else if id.ends_with(".toml") {
            ids.push(id);
        }
    }
}

#[test]
fn every_shipped_experiment_is_listed_and_good() {
    let house = House::open();
    let listed = house.got("/api/experiments");
    let listed = listed.as_array().unwrap();
    let mut found: Vec<&str> = listed.iter().map(|info| info["id"].as_str().unwrap()).collect();
    assert_eq!(found[0], "quickstart.toml");
    let mut expected = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments"), "", &mut expected);
    expected.sort();
    found.sort_unstable();
    assert_eq!(found, expected);
    for info in listed {
        let answer = house.posted("/api/experiments/check", &json!({"text": info["text"]}));
        assert!(answer["fault"].is_null() && answer["title"] == info["title"], "{}: {answer}", info["id"]);
    }
}

#[test]
fn shipped_players_play_on_every_page() {
    let house = House::open();
    let player = "greedy:eval=mlp@players/tdloa.safetensors";
    house.posted("/api/sessions", &json!({"game": "loa", "players": ["human", player]}));
    let (status, error) = house.post("/api/sessions", &json!({"game": "connect-four", "players": ["human", player]}));
    assert!(status == 422 && error["error"].as_str().unwrap().contains("players/tdloa.safetensors"), "{error}");
    let run = start(&house, &match_of_shipped(2));
    let report = house.raw(&format!("/api/runs/{}/report", finished(&house, run)["run"]["run"]));
    let report = report.into_body().read_to_string().unwrap();
    assert!(report.contains("../../players/tdloa.safetensors") && !report.contains("only in the store"), "{report}");
}

#[test]
fn shipped_players_are_there_after_a_restart() {
    let house = House::open();
    let text = match_of_shipped(200);
    let run = start(&house, &text);
    house.until(&format!("/api/runs/{run}"), |view| view["run"]["status"] == "running");
    let house = House::at(house.close(), "127.0.0.1", |_| {});
    if house.got(&format!("/api/runs/{run}"))["run"]["status"] != "finished" {
        house.posted(&format!("/api/runs/{run}/resume"), &json!({}));
    }
    let resumed = finished(&house, run);
    let whole = start(&house, &text);
    assert_eq!(finished(&house, whole)["run"]["fingerprint"], resumed["run"]["fingerprint"]);
}
