//! Experiment files: good ones are read, bad ones are explained in one line, and no text does harm.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lanista_core::{RandomStream, Seed};
use lanista_lab::blobs::Blobs;
use lanista_lab::experiment::{ExperimentError, FULL, Plan, reference, scale_changes, scale_names};
use lanista_lab::report::write_words;
use lanista_lab::studies::study_files;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn regenerate() -> bool {
    std::env::var_os("LANISTA_REGENERATE").is_some_and(|value| value == "1")
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn toml_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(toml_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn plan(bytes: &[u8], path: &Path) -> Result<Plan, ExperimentError> {
    let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
    Plan::read_bytes(bytes, name, Arc::new(Blobs::beside(path)))
}

/// The complete examples of the page.
fn examples() -> Vec<String> {
    let page = reference();
    let blocks = page.split("```toml\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap_or_default().to_string()).collect()
}

/// Every file is wrong in its own way. `expected.txt` holds the messages; `scripts/golden` writes it anew.
#[test]
fn what_is_wrong_is_told_in_one_line() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/experiments/malformed");
    let mut found = BTreeMap::new();
    for path in toml_files(&folder) {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_string();
        let began = Instant::now();
        let error = plan(&read(&path), &path).map(drop).expect_err(&name).to_string();
        assert!(began.elapsed() < Duration::from_secs(20), "{name} takes {:?}", began.elapsed());
        assert!(!error.contains(char::is_control), "{name}: {error:?}");
        let rest = error.strip_prefix(&format!("{name}:")).unwrap_or_else(|| panic!("{name}: {error}"));
        let (line, message) = rest.split_once(": ").unwrap_or_else(|| panic!("{name}: {error}"));
        let lines = String::from_utf8_lossy(&read(&path)).lines().count().max(1);
        assert!(line.parse().is_ok_and(|line| (1..=lines).contains(&line)), "{name}: {error}");
        assert!((10..=1000).contains(&message.chars().count()), "{name}: {error}");
        found.insert(name, error);
    }
    assert!(found.len() >= 100, "only {} files", found.len());
    let path = folder.join("expected.txt");
    let text = found.values().map(|error| format!("{error}\n")).collect::<String>();
    if regenerate() {
        fs::write(&path, &text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return;
    }
    let expected = String::from_utf8(read(&path)).expect("text");
    for (expected, found) in expected.lines().zip(text.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(expected, text);
}

#[test]
fn the_page_is_up_to_date() {
    let path = root().join("docs/experiments.md");
    if regenerate() {
        fs::write(&path, reference()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return;
    }
    let page = String::from_utf8(read(&path)).expect("text");
    assert!(page == reference(), "{}: scripts/golden writes it anew", path.display());
}

#[test]
fn examples_and_shipped_experiments_are_good() {
    let examples = examples();
    assert_eq!(examples.len(), 10);
    let mut kinds = Vec::new();
    for text in &examples {
        let plan = Plan::read(text, "example.toml", Arc::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        kinds.push((plan.kind(), plan.trials.len()));
    }
    let one =
        ["match", "tournament", "depths", "positions", "evolution", "td", "offline", "strategy"].map(|kind| (kind, 1));
    assert_eq!(kinds, [&one[..], &[("match", 18), ("match", 20)]].concat());
    for path in toml_files(&root().join("experiments")) {
        plan(&read(&path), &path).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// A smaller version of every shipped file runs in the gate.
#[test]
fn every_shipped_experiment_has_a_small_scale() {
    for path in toml_files(&root().join("experiments")) {
        let text = String::from_utf8(read(&path)).expect("text");
        assert!(scale_names(&text).contains(&"small".to_string()), "{}: expected [scale.small]", path.display());
    }
}

/// Words are written after a run, too, and `lanista studies --report-only` takes them over into its report.
#[test]
fn shipped_reports_have_the_words_of_their_files() {
    let mut compared = 0;
    for study in study_files(&root().join("experiments")).expect("the studies") {
        let bytes = read(&study.path);
        let page = root().join("docs/studies").join(&study.name).join("README.md");
        let Ok(page) = fs::read_to_string(page) else { continue };
        let scale = if page.contains("\n- scale: hour\n") { "hour" } else { FULL };
        let text = study.plan(&bytes, scale).expect("a good study").0.text;
        let changes = scale_changes(&String::from_utf8_lossy(&bytes), scale);
        let folder = std::env::temp_dir().join(format!("lanista-words-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("README.md"), page).expect("written");
        let changed = write_words(&text, &changes, &folder);
        fs::remove_dir_all(&folder).expect("removed");
        assert_eq!(changed.map_err(|error| error.to_string()), Ok(false), "{}", study.name);
        compared += 1;
    }
    assert!(compared >= 50, "only {compared} reports");
}

/// A scale is the experiment with its changes and nothing else, and its text says which it is.
#[test]
fn scales_change_what_they_say() {
    let text = "# A study.\ntitle = \"Study\"\ngame = \"connect-four\"\n[sweep]\ngrid.depth = [1, 2, 3]\n[match]\n\
        a = \"pvs:depth={depth}\"\nb = \"random\"\npairs = 100 # many\n[[published]]\nsource = \"x\"\nmeasurement = \"score\"\n\
        value = 0.5\n[scale.small]\n\"match.pairs\" = 2\n\"sweep.grid.depth\" = [1]\n[scale.hour]\n\"match.pairs\" = 50\n\
        \"openings.book\" = true\n\"published.0.value\" = 0.25\n";
    let full = Plan::read(text, "study.toml", Arc::default()).expect("a good experiment");
    assert_eq!((full.trials.len(), full.experiment.scaled.as_deref()), (3, None));
    assert_eq!(full.text, text);
    let small = Plan::read_scale(text, "small", "study.toml", Arc::default()).expect("a good scale");
    assert_eq!((small.trials.len(), small.experiment.scaled.as_deref()), (1, Some("small")));
    let fields = small.experiment.match_.as_ref().expect("a match");
    assert_eq!((*fields.pairs, &*fields.b), (2, &"random".to_string()));
    assert!(small.experiment.scale.is_empty() && small.text.starts_with("# A study."), "{}", small.text);
    assert_ne!(small.hash(), full.hash());
    // What is stored is an experiment of its own.
    let again = Plan::read(&small.text, "study.toml", Arc::default()).expect("a good experiment");
    assert_eq!(again.hash(), small.hash());
    let hour = Plan::read_scale(text, "hour", "study.toml", Arc::default()).expect("a good scale");
    assert!(hour.experiment.openings.book.as_ref().is_some_and(|book| **book));
    assert_eq!(*hour.experiment.published[0].value, 0.25);
    let unknown = Plan::read_scale(text, "smal", "study.toml", Arc::default()).expect_err("no such scale").to_string();
    assert!(unknown.contains("did you mean \"small\"?") && unknown.contains("hour"), "{unknown}");
    let none = Plan::read_scale(&text[..text.find("[scale").expect("scales")], "small", "study.toml", Arc::default());
    let none = none.expect_err("no scale").to_string();
    assert!(none.contains("the experiment has none"), "{none}");
    assert_eq!(scale_changes(text, "small")[1], ("sweep.grid.depth".to_string(), "[1]".to_string()));
}

/// What was wrong before a scale changed anything is told at its own line.
#[test]
fn scales_keep_the_lines_of_mistakes() {
    let text = "title = \"Study\"\ngame = \"connect-four\"\n[scale.small]\n\"match.pairs\" = 2\n[match]\na = \"random\"\n\
        b = \"nobody\"\npairs = 1\n";
    let error = Plan::read_scale(text, "small", "study.toml", Arc::default()).expect_err("nobody");
    assert_eq!(error.line, 7, "{error}");
    let error = Plan::read(&text.replace("nobody", "random").replace("= 2", "= 0"), "study.toml", Arc::default());
    assert_eq!(error.expect_err("no pairs").line, 4);
}

/// What would be too much work is refused before the work.
#[test]
fn nothing_enormous_is_begun() {
    let study = |head: &str, sweep: &str| {
        format!(
            "title = \"Study\"\ngame = \"connect-four\"\n{head}\n[match]\na = \"random\"\nb = \"random\"\npairs = 1\n{sweep}"
        )
    };
    let long = "x".repeat(100_000);
    let cases = [
        ("bytes, expected at most", study(&format!("about = \"{}\"", "x".repeat(2 << 20)), "")),
        (
            "expected fewer or shorter",
            study(&format!("about = \"{{n}} {long}\""), "[sweep]\nrandom.n = { from = 1, to = 9 }\ntrials = 9999\n"),
        ),
        ("trials in all", study("replicates = \"{n}\"", "[sweep]\ngrid.n = [1, 4000, 6000]\n")),
        ("expected 1 to 10000", study("replicates = 4000000000", "")),
    ];
    for (expected, text) in cases {
        let began = Instant::now();
        let error = Plan::read(&text, "study.toml", Arc::default()).expect_err(expected).to_string();
        assert!(
            error.contains(expected) && began.elapsed() < Duration::from_secs(10),
            "{error}: {:?}",
            began.elapsed()
        );
    }
}

/// Replicates may differ from setting to setting, and every setting is built once.
#[test]
fn trials_follow_settings_and_replicates() {
    let text = "title = \"Study\"\ngame = \"connect-four\"\nreplicates = \"{n}\"\n[match]\na = \"pvs:depth={d}\"\n\
        b = \"random\"\npairs = 1\n[sweep]\nlist = [{ n = 1, d = 1 }, { n = 3, d = 2 }, { n = 2, d = 3 }]\n";
    let plan = Plan::read(text, "study.toml", Arc::default()).expect("a good experiment");
    let trials: Vec<(&str, u32)> = plan.trials.iter().map(|trial| (trial.setting.as_str(), trial.replicate)).collect();
    let expected = [("n=1 d=1", 0), ("n=3 d=2", 0), ("n=3 d=2", 1), ("n=3 d=2", 2), ("n=2 d=3", 0), ("n=2 d=3", 1)];
    assert_eq!(trials, expected);
    let wrong = Plan::read(&text.replace("d = 3", "d = 0"), "study.toml", Arc::default()).expect_err("depth 0");
    assert!(wrong.message.ends_with("(in the trial n=2 d=0)"), "{wrong}");
}

/// Some bytes or lines taken out, doubled, exchanged, or replaced.
fn damaged(text: &[u8], other: &[u8], random: &mut RandomStream) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..=random.below(3) {
        let place = |length: usize, random: &mut RandomStream| random.below(length.max(1) as u32) as usize;
        let mut lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
        let line = place(lines.len(), random);
        text = match random.below(8) {
            0 if !lines.is_empty() => {
                lines.remove(line);
                lines.concat()
            }
            1 if !lines.is_empty() => {
                lines.insert(line, lines[line]);
                lines.concat()
            }
            2 if !lines.is_empty() => {
                let with = place(lines.len(), random);
                lines.swap(line, with);
                lines.concat()
            }
            3 => {
                let others: Vec<&[u8]> = other.split_inclusive(|&byte| byte == b'\n').collect();
                lines.insert(line, others[place(others.len(), random)]);
                lines.concat()
            }
            kind => {
                let bytes = b"{}[]\"'=,.#\n\\-_ 0129aez\xff\0";
                let (at, byte) = (place(text.len(), random), bytes[place(bytes.len(), random)]);
                let behind = (at + random.below(6) as usize).min(text.len());
                let at = at.min(behind);
                match kind {
                    4 => text.insert(at, byte),
                    5 => drop(text.drain(at..behind)),
                    6 => {
                        let copy = text[at..behind].to_vec();
                        text.splice(at..at, copy);
                    }
                    _ => drop(text.splice(at..behind, [byte])),
                }
                text
            }
        };
    }
    text
}

#[test]
fn damaged_files_are_refused_or_read_but_never_do_harm() {
    let shipped = toml_files(&root().join("experiments"));
    let mut good: Vec<Vec<u8>> = shipped.iter().map(|path| read(path)).collect();
    good.extend(examples().into_iter().map(String::into_bytes));
    let mut slowest = Duration::ZERO;
    let mut refused = 0;
    for round in 0..3000 {
        let mut random = Seed::new(31).child(round).stream();
        let [text, other] = [(); 2].map(|()| &good[random.below(good.len() as u32) as usize]);
        let text = damaged(text, other, &mut random);
        let began = Instant::now();
        if let Err(error) = Plan::read_bytes(&text, "damaged.toml", Arc::default()) {
            refused += 1;
            let error = error.to_string();
            assert!(error.starts_with("damaged.toml:") && !error.contains(char::is_control), "{round}: {error:?}");
        }
        slowest = slowest.max(began.elapsed());
        assert!(began.elapsed() < Duration::from_secs(30), "{round} takes {:?}", began.elapsed());
    }
    println!("{refused} of 3000 refused, the slowest took {slowest:?}");
    assert!((1000..2900).contains(&refused), "{refused} of 3000 refused");
}
