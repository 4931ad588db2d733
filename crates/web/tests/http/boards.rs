//! Games, players, positions and the position editor.

use serde_json::{Value, json};

use crate::house::House;

#[test]
fn every_game_is_described() {
    let house = House::open();
    let games = house.got("/api/games");
    let ids: Vec<&str> = games.as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["loa", "loa4", "loa5", "loa6", "loa7", "connect-four", "draughts"]);
    let shapes: Vec<&str> = [0, 5, 6].map(|index| games[index]["board"]["shape"].as_str().unwrap()).to_vec();
    assert_eq!(shapes, ["squares", "columns", "dark_squares"]);
    assert_eq!(games[0]["board"]["squares"][0][0], "a8");
    assert_eq!(games[5]["board"]["squares"][5][6], "g1");
    assert_eq!(games[6]["board"]["squares"][0][1], "1");
    assert_eq!(games[5]["sides"][0]["colour"], "red");
    for game in ids {
        let players = house.got(&format!("/api/players?game={game}"));
        let names: Vec<&str> =
            players["players"].as_array().unwrap().iter().map(|player| player["name"].as_str().unwrap()).collect();
        assert!(names.contains(&"pvs") && !names.contains(&"engine"), "{game}: {names:?}");
        assert_eq!(names.contains(&"com"), game.starts_with("loa"), "{game}");
    }
    let (status, error) = house.get("/api/players?game=chess");
    assert_eq!((status, error["field"].as_str()), (422, Some("game")));
}

#[test]
fn moves_tell_what_they_do() {
    let house = House::open();
    let look = |body| house.posted("/api/position", &body);
    // A king that jumps in a circle.
    let draughts = look(json!({"game": "draughts", "start": "B:W6,7,14,15:BK2"}));
    let view = &draughts["current"];
    assert_eq!(view["forced_capture"], true);
    assert_eq!(view["moves"][0]["path"], json!(["2", "9", "18", "11", "2"]));
    assert_eq!(view["moves"][0]["captured"].as_array().unwrap().len(), 4);
    let loa = look(json!({"game": "loa", "moves": ["b1-b3"]}));
    assert_eq!(loa["current"]["last_move"]["distance"], 2);
    assert_eq!((loa["plies"].as_array().unwrap().len(), loa["current"]["side_to_move"].as_u64()), (2, Some(1)));
    // Two pieces stand on the line from b1 to a2, and the other side's is in the way.
    let closed = look(json!({"game": "loa"}))["current"]["closed"].clone();
    let of_b1: Vec<&Value> = closed.as_array().unwrap().iter().filter(|way| way["from"] == "b1").collect();
    let ends: Vec<_> = of_b1.iter().map(|way| (way["end"].as_str(), way["distance"].as_u64())).collect();
    assert!(ends.len() == 2 && ends.contains(&(Some("a1"), Some(6))) && ends.contains(&(Some("a2"), Some(2))));
    assert!(of_b1.iter().any(|way| way["text"] == "2 squares would jump over the other side on a2"), "{of_b1:?}");
    assert_eq!(draughts["current"]["closed"], json!([]));
    let four = look(json!({"game": "connect-four", "moves": ["1", "2", "1", "2", "1", "2", "1"]}));
    let ending = &four["current"]["outcome"];
    assert_eq!((ending["winner"].as_u64(), ending["squares"].as_array().unwrap().len()), (Some(0), 4));
    assert_eq!(four["plies"][1]["last_move"]["to"], "a1");
    assert_eq!(four["current"]["moves"], json!([]));
    let won = look(json!({"game": "loa4", "start": "4/1b2/b2w/w3 b", "moves": []}));
    assert!(won["current"]["outcome"]["squares"].as_array().is_some_and(|squares| squares.len() == 2), "{won}");
}

#[test]
fn wrong_positions_are_named() {
    let house = House::open();
    for (body, field) in [
        (json!({"game": "loa", "moves": ["b1-b9"]}), "moves"),
        (json!({"game": "loa", "start": "8/8 b"}), "start"),
        (json!({"game": "draughts", "rules": "mad"}), "rules"),
    ] {
        let (status, error) = house.post("/api/position", &body);
        assert_eq!((status, error["field"].as_str()), (422, Some(field)), "{error}");
        assert!(!error["error"].as_str().unwrap().contains('\n'));
    }
    let (status, error) = house.post("/api/position", &json!({"moves": 3}));
    assert!(status == 422 && error["error"].is_string(), "{error}");
}

#[test]
fn the_editor_makes_positions() {
    let house = House::open();
    for game in ["loa", "loa5", "connect-four", "draughts"] {
        let start = house.posted("/api/position", &json!({"game": game}));
        let pieces = &start["current"]["pieces"];
        let made = house.posted("/api/position/check", &json!({"game": game, "pieces": pieces, "side_to_move": 0}));
        assert_eq!(made["position"], start["current"]["position"], "{game}");
    }
    let king = json!([{"square": "14", "side": 0, "kind": "king"}, {"square": "32", "side": 1, "kind": "man"}]);
    let made = house.posted("/api/position/check", &json!({"game": "draughts", "pieces": king, "side_to_move": 1}));
    assert_eq!(made["position"], "W:W32:BK14");
    let floating = json!([{"square": "d3", "side": 0, "kind": "man"}]);
    let (status, error) = house.post("/api/position/check", &json!({"game": "connect-four", "pieces": floating}));
    assert_eq!(status, 422);
    assert!(error["error"].as_str().unwrap().contains("hangs in the air"), "{error}");
    let nowhere = json!([{"square": "z9", "side": 0, "kind": "man"}]);
    assert_eq!(house.post("/api/position/check", &json!({"game": "loa", "pieces": nowhere})).0, 422);
}

#[test]
fn the_description_is_served() {
    let house = House::open();
    let description = house.got("/api/openapi.json");
    assert!(description["paths"]["/api/sessions/{id}/moves"]["post"]["operationId"] == "play_move");
    let (status, error) = house.get("/api/nothing");
    assert!(status == 404 && error["error"].is_string());
    assert!(!house.got("/api/cluster")["enabled"].as_bool().unwrap());
}
