//! Games that people play.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::house::House;

fn begin(house: &House, body: &Value) -> String {
    house.posted("/api/sessions", body)["id"].as_str().unwrap().to_string()
}

#[test]
fn people_play_each_other_and_take_back() {
    let house = House::open();
    let id = begin(&house, &json!({"game": "connect-four", "players": ["human", "human"]}));
    let path = format!("/api/sessions/{id}");
    for column in ["4", "4", "3"] {
        house.posted(&format!("{path}/moves"), &json!({"move": column}));
    }
    let back = house.posted(&format!("{path}/undo"), &json!({}));
    assert_eq!((back["moves"].as_array().unwrap().len(), &back["redo"]), (2, &json!(["3"])));
    let again = house.posted(&format!("{path}/redo"), &json!({}));
    assert_eq!(again["moves"], json!(["4", "4", "3"]));
    let (status, _) = house.post(&format!("{path}/moves"), &json!({"move": "9"}));
    assert_eq!(status, 422);
    let (status, error) = house.post(&format!("{path}/moves"), &json!({"move": "1", "revision": 1}));
    assert_eq!(status, 409, "{error}");
    let over = house.posted(&format!("{path}/resign"), &json!({}));
    assert_eq!(over["position"]["outcome"]["reason"], "resignation");
    assert_eq!(house.post(&format!("{path}/moves"), &json!({"move": "1"})).0, 409);
    assert_eq!(house.delete(&path), 204);
    assert_eq!(house.get(&path).0, 404);
}

#[test]
fn the_server_moves_for_players() {
    let house = House::open();
    for game in ["loa5", "connect-four", "draughts"] {
        let id = begin(&house, &json!({"game": game, "players": ["human", "pvs:depth=3"], "seed": 1}));
        let path = format!("/api/sessions/{id}");
        let first = house.got(&path)["position"]["moves"][0]["text"].clone();
        house.posted(&format!("{path}/moves"), &json!({"move": first}));
        let answered = house.until(&path, |view| view["moves"].as_array().unwrap().len() == 2);
        assert!(answered["scores"][1]["text"].is_string(), "{game}: {answered}");
        assert_eq!(answered["is_thinking"], false);
        // Taking back takes both moves back.
        let back = house.posted(&format!("{path}/undo"), &json!({}));
        assert_eq!(back["moves"], json!([]));
    }
}

#[test]
fn players_play_to_the_end_and_a_page_follows() {
    let house = House::open();
    let setup = json!({"game": "connect-four", "players": ["win-block", "random"], "pause_ms": 0, "seed": 3});
    let id = begin(&house, &setup);
    let mut events = house.events(&format!("/api/sessions/{id}/events"));
    let first = events.next().unwrap();
    assert_eq!(first["type"], "state");
    let over = |event: &Value| event["type"] == "state" && !event["session"]["position"]["outcome"].is_null();
    assert!(over(&first) || events.any(|event| over(&event)));
}

#[test]
fn an_undo_stops_thinking() {
    let house = House::open();
    let id = begin(&house, &json!({"game": "loa", "players": ["human", "pvs:depth=60"]}));
    let path = format!("/api/sessions/{id}");
    house.posted(&format!("{path}/moves"), &json!({"move": "b1-b3"}));
    let thinking = house.events(&format!("{path}/events")).find(|event| event["type"] == "thinking").unwrap();
    assert!(thinking["thinking"]["nodes"].as_u64().unwrap() > 0 && thinking["thinking"]["side"] == 1);
    let back = house.posted(&format!("{path}/undo"), &json!({}));
    assert_eq!((back["moves"].as_array().unwrap().len(), back["is_thinking"].as_bool()), (0, Some(false)));
}

#[test]
fn hints_and_clocks() {
    let house = House::open();
    let id = begin(
        &house,
        &json!({"game": "connect-four", "players": ["human", "human"], "limits": ["clock=1+0", "clock=1+0"]}),
    );
    let path = format!("/api/sessions/{id}");
    let hint = house.posted(&format!("{path}/hint"), &json!({"player": "pvs:depth=4"}));
    assert!(hint["move"].is_string() && hint["done"] == true, "{hint}");
    let fallen = house.until(&path, |view| !view["position"]["outcome"].is_null());
    assert_eq!(fallen["position"]["outcome"]["winner"], 1);
    assert_eq!(fallen["position"]["outcome"]["reason"], "forfeit");
    assert_eq!(fallen["position"]["outcome"]["text"], "Yellow wins on time");
}

#[test]
fn sessions_are_bounded_and_setups_checked() {
    let house = House::with(|settings| settings.sessions = 2);
    let ids: Vec<String> =
        (0..3).map(|_| begin(&house, &json!({"game": "loa", "players": ["human", "human"]}))).collect();
    assert_eq!(house.get(&format!("/api/sessions/{}", ids[0])).0, 404, "the oldest idle one has left");
    assert_eq!(house.get(&format!("/api/sessions/{}", ids[2])).0, 200);
    for (body, field) in [
        (json!({"game": "loa", "players": ["human"]}), "players"),
        (json!({"game": "loa", "players": ["human", "nobody"]}), "players.1"),
        (json!({"game": "draughts", "players": ["com", "human"]}), "players.0"),
        (json!({"game": "loa", "players": ["human", "human"], "limits": ["speed=1"]}), "limits.0"),
        (json!({"game": "loa", "players": ["human", "human"], "start": "nonsense"}), "start"),
    ] {
        let (status, error) = house.post("/api/sessions", &body);
        assert_eq!((status, error["field"].as_str()), (422, Some(field)), "{error}");
    }
}

/// A page that is opened later shows what is left on the clocks then, not what was left after the last move.
#[test]
fn clocks_are_right_after_a_reload() {
    let house = House::open();
    let setup = json!({"game": "loa", "players": ["human", "human"], "limits": ["clock=600+0", "clock=600+0"]});
    let id = begin(&house, &setup);
    std::thread::sleep(Duration::from_millis(300));
    let first = house.events(&format!("/api/sessions/{id}/events")).next().unwrap();
    let clocks = &first["session"]["clocks"];
    assert!(clocks["remaining_ms"][0].as_u64().unwrap() <= 599_700, "{clocks}");
    assert_eq!((&clocks["remaining_ms"][1], &clocks["running"]), (&json!(600_000), &json!(0)));
}

/// The players of a game that found no place do not think on: their memory is free for others.
#[test]
fn a_refused_session_does_not_play_on() {
    let house = House::with(|settings| (settings.sessions, settings.memory) = (1, 16));
    let setup = json!({"game": "loa", "players": ["pvs:depth=60", "pvs:depth=60"]});
    begin(&house, &setup);
    let (status, error) = house.post("/api/sessions", &setup);
    assert_eq!(status, 503, "{error}");
    // Time enough for its first player to take memory, if it were still there.
    std::thread::sleep(Duration::from_millis(500));
    let began = Instant::now();
    while house.raw("/api/analysis?game=loa&depth=1").status() != 200 {
        assert!(began.elapsed() < Duration::from_secs(60), "nobody may think any more");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Players are only built where there is memory for them.
#[test]
fn memory_is_reserved_before_players_are_built() {
    let house = House::with(|settings| settings.memory = 32);
    for player in ["pvs:table=64", "best-three:of=(mcts)"] {
        let (status, error) = house.post("/api/sessions", &json!({"game": "loa", "players": ["human", player]}));
        assert!(status == 503 && error["error"].as_str().unwrap().contains("64 are needed"), "{player}: {error}");
    }
    begin(&house, &json!({"game": "loa", "players": ["human", "pvs:table=32"]}));
}
