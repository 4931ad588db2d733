//! Experiments that pages start, follow, stop and go on with.

use serde_json::{Value, json};

use crate::house::House;

/// A match that takes a moment.
pub fn short_match(pairs: u32) -> String {
    format!(
        "title = \"A short match\"\ngame = \"connect-four\"\n\n[match]\na = \"win-block\"\nb = \"random\"\npairs = {pairs}\n"
    )
}

/// A match that takes much longer than a test waits.
fn long_match() -> String {
    "title = \"A long match\"\ngame = \"connect-four\"\n\n[match]\na = \"pvs:depth=5\"\nb = \"pvs:depth=4\"\npairs = 4000\n".to_string()
}

pub fn start(house: &House, text: &str) -> i64 {
    house.posted("/api/runs", &json!({"text": text}))["run"].as_i64().unwrap()
}

pub fn finished(house: &House, run: i64) -> Value {
    house.until(&format!("/api/runs/{run}"), |view| view["run"]["status"] == "finished")
}

#[test]
fn a_run_from_start_to_report() {
    let house = House::open();
    assert_eq!(house.got("/api/runs"), json!([]));
    assert_eq!(house.get("/api/runs/1").0, 404);
    let run = start(&house, &short_match(20));
    let view = finished(&house, run);
    assert_eq!((view["run"]["games"].as_u64(), view["games_kept"].as_u64()), (Some(40), Some(40)));
    let table = &view["standings"][0];
    assert_eq!(table["names"], json!(["win-block", "random"]));
    assert!(table["meetings"][0]["elo"].as_f64().unwrap() > 0.0);
    assert!(view["lengths"].as_array().unwrap().contains(&json!("match.pairs")));
    let report = house.raw(&format!("/api/runs/{run}/report"));
    assert!(report.headers()["content-security-policy"].to_str().unwrap().starts_with("default-src 'none'"));
    assert!(report.into_body().read_to_string().unwrap().contains("A short match"));
    for (to, start) in [("csv", b"PK"), ("parquet", b"PK"), ("xlsx", b"PK")] {
        let bytes = house.raw(&format!("/api/runs/{run}/export?to={to}")).into_body().read_to_vec().unwrap();
        assert_eq!(&bytes[..2], start, "{to}");
    }
    assert_eq!(house.get(&format!("/api/runs/{run}/export?to=docx")).0, 422);
    // The same experiment once more comes to the same results; made longer, it goes on.
    let again = start(&house, &short_match(20));
    assert_eq!(finished(&house, again)["run"]["fingerprint"], view["run"]["fingerprint"]);
    let compared = house.got(&format!("/api/compare?runs={run},{again}"));
    assert!(
        compared["figures"]
            .as_array()
            .unwrap()
            .iter()
            .all(|figure| figure["values"][0]["mean"] == figure["values"][1]["mean"])
    );
    assert_eq!(house.get("/api/compare?runs=1").0, 422);
    house.posted(&format!("/api/runs/{again}/extend"), &json!({"changes": ["match.pairs=30"]}));
    assert_eq!(finished(&house, again)["run"]["games"], 60);
    assert_eq!(house.post(&format!("/api/runs/{again}/extend"), &json!({"changes": ["match.a=random"]})).0, 422);
    assert_eq!(house.post(&format!("/api/runs/{again}/resume"), &json!({})).0, 409);
    assert_eq!(house.delete(&format!("/api/runs/{again}")), 204);
    assert_eq!(house.got("/api/runs").as_array().unwrap().len(), 1);
}

#[test]
fn runs_wait_for_each_other_and_can_be_stopped() {
    let house = House::open();
    let long = start(&house, &long_match());
    let waiting = start(&house, &short_match(5));
    assert_eq!(house.got(&format!("/api/runs/{waiting}"))["run"]["status"], "queued");
    assert_eq!(house.post(&format!("/api/runs/{long}/resume"), &json!({})).0, 409);
    assert_eq!(house.delete(&format!("/api/runs/{long}")), 409);
    let mut events = house.events(&format!("/api/runs/{long}/events"));
    assert_eq!(events.next().unwrap()["run"]["status"], "running");
    let progress = events.find(|event| event["type"] == "progress").unwrap();
    assert!(progress["progress"]["total"].as_u64() >= Some(8000), "{progress}");
    house.posted(&format!("/api/runs/{long}/cancel"), &json!({}));
    assert!(events.any(|event| event["type"] == "state" && event["run"]["status"] == "resumable"));
    finished(&house, waiting);
    assert_eq!(house.post(&format!("/api/runs/{long}/cancel"), &json!({})).0, 409);
    house.posted(&format!("/api/runs/{long}/resume"), &json!({}));
    house.until(&format!("/api/runs/{long}"), |view| view["run"]["status"] == "running");
}

#[test]
fn a_stopped_server_leaves_runs_that_go_on() {
    let house = House::open();
    let text = short_match(300).replace("win-block", "pvs:depth=3");
    let run = start(&house, &text);
    house.until(&format!("/api/runs/{run}"), |view| view["run"]["status"] == "running");
    let folder = house.close();
    let house = House::at(folder, "127.0.0.1", |_| {});
    let view = house.got(&format!("/api/runs/{run}"));
    if view["run"]["status"] != "finished" {
        assert_eq!(view["run"]["status"], "resumable");
        house.posted(&format!("/api/runs/{run}/resume"), &json!({}));
    }
    let resumed = finished(&house, run);
    let whole = start(&house, &text);
    assert_eq!(finished(&house, whole)["run"]["fingerprint"], resumed["run"]["fingerprint"]);
}

#[test]
fn boards_are_shown_while_a_match_is_played() {
    let house = House::open();
    let run = start(&house, &short_match(400));
    let mut live = house.events(&format!("/api/runs/{run}/live"));
    let boards = live.find(|event| event["games"].as_array().is_some_and(|games| !games.is_empty())).unwrap();
    let game = &boards["games"][0];
    assert_eq!(game["plies"].as_array().unwrap().len(), game["moves"].as_array().unwrap().len() + 1);
    assert!(boards["standings"][0]["rows"].as_array().unwrap().len() == 2);
}

#[test]
fn a_game_under_way_is_shown_move_by_move() {
    let house = House::open();
    let player = |name: &str, time: u32| {
        format!("[[tournament.players]]\nname = \"{name}\"\nplayer = \"pvs\"\nlimit = \"movetime={time}\"\n")
    };
    let players = player("Ada", 200) + &player("Ben", 201);
    let run = start(&house, &format!("title = \"Slow\"\ngame = \"loa\"\n[tournament]\npairs = 2\n{players}"));
    let live = house.events(&format!("/api/runs/{run}/live"));
    let mut shown = live.filter(|event| event["type"] == "under_way").filter_map(|event| {
        let games = event["games"].as_array().unwrap().clone();
        games.into_iter().find(|game| game["board"] == 0)
    });
    let first = shown.next().unwrap();
    let ply = |game: &Value| game["position"]["ply"].as_u64().unwrap();
    let later = shown.find(|game| ply(game) > ply(&first) && ply(game) > game["opening"].as_u64().unwrap()).unwrap();
    assert!(later["position"]["outcome"].is_null() && !later["position"]["last_move"].is_null(), "{later}");
    assert_eq!((&later["names"], &later["game"]), (&json!(["Ada", "Ben"]), &json!("loa")));
    assert_eq!(later["position"]["moves"], json!([]));
    assert_eq!(house.got(&format!("/api/runs/{run}"))["run"]["games"], 0, "before the first game was over");
}

#[test]
fn experiments_are_checked_and_limited() {
    let house = House::with(|settings| settings.max_cost = 5.0);
    let shipped = house.got("/api/experiments");
    let ids: Vec<&str> = shipped.as_array().unwrap().iter().map(|info| info["id"].as_str().unwrap()).collect();
    assert!(ids[0] == "quickstart.toml" && ids.contains(&"mia/round-robin.toml") && ids.len() >= 10, "{ids:?}");
    let check = |text: &str| house.posted("/api/experiments/check", &json!({"text": text, "estimate": true}));
    let good = check(&short_match(3));
    assert!(good["fault"].is_null() && good["steps"] == 6.0 && good["seconds"].is_number(), "{good}");
    let bad = check(&short_match(3).replace("pairs", "pears"));
    assert_eq!(bad["fault"]["line"], 7, "{bad}");
    assert!(bad["fault"]["message"].as_str().unwrap().contains("pairs"));
    let (status, error) = house.post("/api/runs", &json!({"text": "title = 3"}));
    assert_eq!((status, error["line"].as_u64()), (422, Some(1)), "{error}");
    let costly =
        "title = \"Costly\"\ngame = \"loa\"\n[match]\na = \"pvs:depth=6\"\nb = \"pvs:depth=6\"\npairs = 1000000\n";
    let (status, error) = house.post("/api/runs", &json!({"text": costly}));
    assert_eq!(status, 422);
    assert!(error["error"].as_str().unwrap().contains("--max-cost"), "{error}");
    assert_eq!(house.got("/api/runs"), json!([]));
}
