//! Who is let in, and what nobody can do from a page.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use serde_json::json;

use crate::house::House;
use crate::running::{finished, short_match, start};

#[test]
fn requests_must_be_meant_for_this_server() {
    let house = House::open();
    let games = format!("{}/api/games", house.address);
    let host = |name: &str| house.agent.get(&games).header("host", name).call().unwrap().status().as_u16();
    assert_eq!(host("evil.example"), 421);
    assert_eq!(host(&house.address.replace("http://127.0.0.1", "localhost")), 200);
    let body = json!({"game": "loa", "players": ["human", "human"]});
    let sessions = format!("{}/api/sessions", house.address);
    let origin =
        |name: &str| house.agent.post(&sessions).header("origin", name).send_json(&body).unwrap().status().as_u16();
    assert_eq!((origin("http://evil.example"), origin("null"), origin(&house.address)), (403, 403, 201));
    let cross = house.agent.post(&sessions).header("sec-fetch-site", "cross-site").send_json(&body).unwrap();
    assert_eq!(cross.status(), 403);
    let asked = |path: &str, site: &str| {
        let address = format!("{}{path}", house.address);
        house.agent.get(address).header("sec-fetch-site", site).call().unwrap().status().as_u16()
    };
    let analysis = "/api/analysis?game=connect-four&depth=1";
    assert_eq!(
        (asked(analysis, "cross-site"), asked(analysis, "same-site")),
        (403, 403),
        "a picture in a page of others"
    );
    assert_eq!(
        (asked(analysis, "same-origin"), asked("/api/games", "none"), asked("/", "cross-site")),
        (200, 200, 200)
    );
    // A form of another site cannot send JSON.
    let plain = house.agent.post(&sessions).header("content-type", "text/plain").send(body.to_string()).unwrap();
    assert_eq!(plain.status(), 415);
}

#[test]
fn pages_may_load_nothing_from_elsewhere() {
    let house = House::open();
    let page = house.raw("/");
    let policy = page.headers()["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'self'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(page.headers()["x-content-type-options"], "nosniff");
    assert_eq!(page.status(), 200);
    for path in ["/../Cargo.toml", "/assets/../../../Cargo.toml", "/etc/passwd", "/%2e%2e/Cargo.toml"] {
        assert_eq!(house.raw(path).status(), 404, "{path}");
    }
}

#[test]
fn other_addresses_need_the_token() {
    let folder = std::env::temp_dir().join(format!("lanista-web-token-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let house = House::at(folder, "0.0.0.0", |_| {});
    let token = house.token.clone().expect("a token");
    assert!(!house.printed.contains("//0.0.0.0"), "nobody can open {}", house.printed);
    let (status, error) = house.get("/api/games");
    assert!(status == 401 && error["error"].as_str().unwrap().contains("token"));
    assert_eq!(house.raw("/").status(), 401);
    assert_eq!(house.raw("/?token=0000").status(), 401);
    let welcome = house.raw(&format!("/?token={token}"));
    let cookie = welcome.headers()["set-cookie"].to_str().unwrap().to_string();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let pair = cookie.split(';').next().unwrap();
    let games = format!("{}/api/games", house.address);
    assert_eq!(house.agent.get(&games).header("cookie", pair).call().unwrap().status(), 200);
    assert_eq!(house.agent.get(&games).header("cookie", "lanista-token=1").call().unwrap().status(), 401);
}

#[test]
fn texts_from_pages_reach_neither_files_nor_programs() {
    let house = House::open();
    std::fs::write(house.folder.join("weights.txt"), "1").unwrap();
    let file = house.folder.join("weights.txt").display().to_string();
    for player in [
        format!("greedy:eval=mlp@{file}"),
        "greedy:eval=mlp@/etc/passwd".into(),
        "greedy:eval=mlp@../../players/../weights.txt".into(),
        "greedy:eval=mlp@../../experiments/quickstart.toml".into(),
        "engine:ls".into(),
        "best-three:of=(engine:ls)".into(),
    ] {
        let (status, error) = house.post("/api/sessions", &json!({"game": "loa", "players": ["human", player]}));
        assert_eq!(status, 422, "{player}: {error}");
        let text = format!("title = \"x\"\ngame = \"loa\"\n[match]\na = \"{player}\"\nb = \"random\"\npairs = 1\n");
        let (status, error) = house.post("/api/runs", &json!({"text": text, "file": "../../outside.toml"}));
        assert_eq!(status, 422, "{player}: {error}");
    }
    let text =
        "title = \"x\"\ngame = \"loa\"\n[match]\na = \"greedy:eval=mlp@../outside.txt\"\nb = \"random\"\npairs = 1\n";
    let answer = house.posted("/api/experiments/check", &json!({"text": text}));
    let (line, message) = (&answer["fault"]["line"], answer["fault"]["message"].as_str().unwrap());
    assert!(*line == 4 && message.contains("../outside.txt") && message.contains("out of reach"), "{answer}");
    let unknown = format!("greedy:eval=mlp@b3-{}", "0".repeat(64));
    assert_eq!(house.post("/api/sessions", &json!({"game": "loa", "players": ["human", unknown]})).0, 422);
}

/// A text of players inside players would once take the whole server down.
#[test]
fn players_inside_players_are_bounded() {
    let house = House::open();
    for (deep, open, close) in [(3000, "(", ")"), (250, "(", ")"), (250, "", "")] {
        let player = format!("{}random{}", format!("best-three:of={open}").repeat(deep), close.repeat(deep));
        let (status, error) = house.get(&format!("/api/analysis?game=connect-four&player={player}"));
        assert_eq!(status, 422, "{deep}");
        let text = error["error"].as_str().unwrap();
        assert!(text.contains("at most 4") && !text.contains('\n'), "{text}");
    }
    house.got("/api/games");
}

/// What an experiment asks for is reckoned before anything of it is built, in whatever way its text says so.
#[test]
fn experiments_from_pages_get_no_more_than_workers_give() {
    let house = House::open();
    let text = |a: &str, more: &str| {
        format!("title = \"x\"\ngame = \"connect-four\"\n[match]\na = \"{a}\"\nb = \"random\"\npairs = 1\n{more}")
    };
    for (text, what) in [
        (text("pvs:table=65536", ""), "65536 MB"),
        (text("pvs:table={size}", "[sweep.grid]\nsize = [1, 65536]\n"), "65536 MB"),
        (text("pvs:threads=256", ""), "256 threads"),
        (text("best-three:of=(mcts:memory=65536)", ""), "65536 MB"),
    ] {
        let answer = house.posted("/api/experiments/check", &json!({"text": text}));
        let (line, message) = (&answer["fault"]["line"], answer["fault"]["message"].as_str().unwrap());
        assert!(*line == 4 && message.contains(what), "{answer}");
        assert_eq!(house.post("/api/runs", &json!({"text": text})).0, 422, "{text}");
    }
    let answer = house.posted("/api/experiments/check", &json!({"text": text("pvs:table=64", "")}));
    assert!(answer["fault"].is_null(), "{answer}");
}

/// Making a run longer reads its experiment anew, with the files of the store: no change may bring others in.
#[test]
fn longer_runs_reach_neither_files_nor_programs() {
    let house = House::open();
    let run = start(&house, &short_match(2));
    finished(&house, run);
    let proof = house.folder.join("proof");
    for change in [format!("match.a=engine:touch {}", proof.display()), "match.a=greedy:eval=mlp@/etc/passwd".into()] {
        let (status, error) = house.post(&format!("/api/runs/{run}/extend"), &json!({"changes": [change]}));
        assert_eq!(status, 422, "{error}");
        assert!(error["error"].as_str().unwrap().contains("only lengths"), "{error}");
    }
    assert!(!proof.exists());
}

#[test]
fn large_bodies_and_too_many_pages_are_refused() {
    let house = House::with(|settings| settings.streams = 1);
    // The answer comes before the body is sent.
    let mut connection = TcpStream::connect(house.address.trim_start_matches("http://")).unwrap();
    let host = house.address.trim_start_matches("http://");
    let head = format!("POST /api/game-files HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n");
    write!(connection, "{head}content-length: {}\r\n\r\n{{", 9 << 20).unwrap();
    let mut status = String::new();
    BufReader::new(connection).read_line(&mut status).unwrap();
    assert!(status.contains(" 413 "), "{status}");
    let id = house.posted("/api/sessions", &json!({"game": "loa", "players": ["human", "human"]}))["id"].clone();
    let path = format!("/api/sessions/{}/events", id.as_str().unwrap());
    let mut first = house.events(&path);
    first.next();
    assert_eq!(house.get(&path).0, 503);
}
