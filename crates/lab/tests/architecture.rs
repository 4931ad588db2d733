//! The order of the house: who may know whom, and what no source file may contain.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates from the ground up. A crate may depend on those of lower floors only.
const FLOORS: [&[&str]; 6] =
    [&["core"], &["games", "search", "nn"], &["learn"], &["lab"], &["cluster"], &["web", "cli", "python", "fuzz"]];

/// The one exception: the binary starts the server.
const ALSO_ALLOWED: [(&str, &str); 1] = [("cli", "web")];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the root of the project")
}

fn floor(name: &str) -> usize {
    let found = FLOORS.iter().position(|floor| floor.contains(&name));
    found.unwrap_or_else(|| panic!("crate {name} has no floor: give it one in this test and in docs/architecture.md"))
}

/// The files below `folder`, without what tools make and fetch.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !name.starts_with('.') && !["target", "node_modules"].contains(&name) {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The crates of this project that a manifest names, in dependencies of any kind: by name or by path.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut section = "";
    let mut found = Vec::new();
    for line in manifest.lines().map(|line| line.split('#').next().unwrap_or_default().trim()) {
        if line.starts_with('[') {
            section = line;
        }
        if !section.contains("dependencies") {
            continue;
        }
        for mark in ["lanista-", "lanista_", "path = \"../"] {
            for (at, _) in line.match_indices(mark) {
                let rest = line[at + mark.len()..].trim_start_matches("../").trim_start_matches("crates/");
                found.push(rest.chars().take_while(char::is_ascii_alphabetic).collect());
            }
        }
    }
    found
}

#[test]
fn manifests_are_read() {
    let manifest = r#"
        [package]
        name = "lanista-lab"
        [dependencies]
        lanista-core.workspace = true # not lanista-web
        games = { package = "lanista-games", version = "1" }
        thing = { path = "../search" }
        [target.'cfg(unix)'.dev-dependencies.lanista-nn]
        workspace = true
        [lints]
        workspace = true
    "#;
    assert_eq!(dependencies(manifest), ["core", "games", "search", "nn"]);
}

#[test]
fn dependencies_point_one_way() {
    let mut edges = 0;
    let manifests = files(&root(), "toml").into_iter().filter(|path| path.ends_with("Cargo.toml"));
    for manifest in manifests.filter(|path| path.parent() != Some(&root())) {
        let folder = manifest.parent().and_then(|folder| folder.file_name());
        let name = folder.and_then(|name| name.to_str()).expect("a folder with a name");
        for other in dependencies(&read(&manifest)) {
            let allowed = floor(&other) < floor(name) || ALSO_ALLOWED.contains(&(name, &other));
            assert!(allowed, "{name} may not depend on {other}");
            edges += 1;
        }
    }
    assert!(edges >= 5, "found only {edges} edges: are the manifests read?");
}

#[test]
fn no_game_knows_another() {
    let games = root().join("crates/games/src");
    let folders: Vec<PathBuf> = fs::read_dir(&games)
        .expect("the games")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("data/perft.txt").exists())
        .collect();
    assert!(folders.len() >= 3, "{folders:?}");
    let name = |folder: &Path| folder.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_string();
    for folder in &folders {
        for file in files(folder, "rs") {
            let text = read(&file);
            for other in folders.iter().filter(|other| *other != folder).map(|other| name(other)) {
                let path = format!("{other}::");
                assert!(!text.contains(&path), "{}: a game may not know {other}", file.display());
            }
        }
    }
}

/// Words are put together here so that this file does not contain what it forbids.
#[test]
fn sources_are_tidy() {
    let root = root();
    let sources = files(&root, "rs");
    assert!(sources.len() > 40, "found only {} sources", sources.len());
    let unsafe_word = concat!("un", "safe");
    let unfinished = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("to", "do!("), concat!("unimple", "mented!(")];
    let vague = ["util", "utils", "misc", "common", "helper", "helpers", "manager"];
    for path in sources {
        let place = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        let text = read(&path);
        for (index, line) in text.lines().enumerate() {
            let place = format!("{place}:{}", index + 1);
            let code = line.split("//").next().unwrap_or_default();
            // What stands in quotes is no code.
            let mut words = code
                .split('"')
                .step_by(2)
                .flat_map(|code| code.split(|letter: char| !letter.is_alphanumeric() && letter != '_'));
            assert!(words.all(|word| word != unsafe_word), "{place}: {unsafe_word} code");
            for mark in unfinished {
                assert!(!line.contains(mark), "{place}: {mark}");
            }
            let module = code.trim().trim_start_matches("pub ").strip_prefix("mod ");
            let module = module.map(|rest| rest.trim_end_matches([' ', ';', '{']));
            assert!(!module.is_some_and(|name| vague.contains(&name)), "{place}: a name that says nothing");
        }
        let mut names = Path::new(&place).components().filter_map(|part| part.as_os_str().to_str());
        assert!(names.all(|name| !vague.contains(&name.trim_end_matches(".rs"))), "{place}: a name that says nothing");
        let lines = text.lines().count();
        let is_program = place.starts_with("crates/") && place.contains("/src/");
        assert!(!is_program || lines <= 800, "{place}: {lines} lines are too many");
    }
}
