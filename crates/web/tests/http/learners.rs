//! Learners: curves, populations, weights, and individuals to play against.

use serde_json::json;

use crate::house::House;
use crate::running::{finished, start};

const EVOLUTION: &str = r#"
title = "A small evolution"
game = "connect-four"
seed = 3

[learner]
player = "greedy:eval=genome"
inputs = ["board"]
layers = [{ size = 4, activation = "sigmoid" }, { size = 1, activation = "tanh" }]
opponents = ["win-block"]
keep-every = 1

[evolution]
preset = "box"
generations = 3
population = 8

[measure]
every = 1
top = 1
games = 4
opponents = [{ name = "random", player = "random" }]
"#;

#[test]
fn generations_can_be_looked_into() {
    let house = House::open();
    let run = start(&house, EVOLUTION);
    let view = finished(&house, run);
    assert_eq!(view["is_learning"], true);
    let champion = view["champions"][0]["player"].as_str().unwrap();
    assert!(champion.contains("eval=mlp@b3-"), "{champion}");
    let curves = house.got(&format!("/api/runs/{run}/metrics?points=3"))["curves"].clone();
    let best = curves.as_array().unwrap().iter().find(|curve| curve["name"] == "best").unwrap();
    assert_eq!((best["x"].clone(), best["total"].as_u64()), (json!([1.0, 2.0, 3.0]), Some(3)));
    let generations = house.got(&format!("/api/runs/{run}/generations"));
    assert_eq!(generations["trials"][0]["kept"], json!([1, 2, 3]));
    let path = format!("/api/runs/{run}/generations/2/individuals");
    let population = house.got(&path);
    let individuals = population["individuals"].as_array().unwrap();
    assert!(individuals.len() >= 8 && individuals[0]["fitness"].as_f64() >= individuals[5]["fitness"].as_f64());
    let one = house.got(&format!("{path}/0"));
    let map = &one["weights"]["maps"][0];
    assert_eq!((map["values"].as_array().unwrap().len(), map["unit"].as_u64()), (6, Some(0)), "{one}");
    assert!(map["values"][5].as_array().unwrap().iter().any(|value| value.is_number()));
    assert!(!house.raw(&format!("{path}/0/file")).into_body().read_to_vec().unwrap().is_empty());
    assert_eq!(house.get(&format!("{path}/99")).0, 404);
    assert_eq!(house.get(&format!("/api/runs/{run}/generations/77/individuals")).0, 404);
    // The individual and the champion sit down to a game.
    for player in [one["player"].as_str().unwrap(), champion] {
        let session = house.posted("/api/sessions", &json!({"game": "connect-four", "players": [player, "human"]}));
        let path = format!("/api/sessions/{}", session["id"].as_str().unwrap());
        house.until(&path, |view| view["moves"].as_array().unwrap().len() == 1);
    }
    // And meet in a match that a page starts.
    let (first, second) = (one["player"].as_str().unwrap(), champion);
    let text = format!(
        "title = \"Two of a kind\"\ngame = \"connect-four\"\n[match]\na = \"{first}\"\nb = \"{second}\"\npairs = 2\n"
    );
    let met = start(&house, &text);
    assert_eq!(finished(&house, met)["run"]["games"], 4);
}
