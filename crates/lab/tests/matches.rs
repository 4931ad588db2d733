//! Contests: the same result on any number of threads, after any interruption, and the arithmetic of swapped colours.

use std::sync::Arc;

use lanista_core::{Game, Reason};
use lanista_games::loa::Loa;
use lanista_lab::blobs::Blobs;
use lanista_lab::contest::Contest;
use lanista_lab::executor::{Executor, Threads};
use lanista_lab::experiment::Plan;
use lanista_lab::jobs::{Cancel, JobResult, PairsResult, decode, reason_from_code};
use lanista_lab::run::{Ask, Event, Finished, Recorder, RunError, Runner, Start, Study};

fn experiment(game: &str, players: [&str; 2], pairs: u64) -> String {
    let [a, b] = players;
    format!("title = \"Test\"\ngame = \"{game}\"\nseed = 3\n[match]\na = \"{a}\"\nb = \"{b}\"\npairs = {pairs}\n")
}

fn plan(text: &str) -> Plan {
    Plan::read(text, "test.toml", Arc::new(Blobs::default())).expect("a good experiment")
}

fn run(plan: &Plan, threads: usize) -> Finished {
    let mut executor = Threads::new(threads, &plan.blobs, &Cancel::default()).expect("threads start");
    let starts = vec![Start::default(); plan.trials.len()];
    let mut listen = |_: &_| {};
    let runner = Runner::new(plan, "test.toml", &mut executor, Recorder::none(), starts, &mut listen);
    runner.keep_states().run().expect("it runs")
}

fn contest(text: &str, threads: usize) -> Contest {
    let plan = plan(text);
    let finished = run(&plan, threads);
    plan.contest(0, &finished.states[0], "test.toml").expect("a contest")
}

#[test]
fn threads_do_not_change_a_match() {
    let text = experiment("draughts", ["pvs:depth=3", "random"], 12);
    let plan = plan(&text);
    let one = run(&plan, 1);
    for threads in [2, 3, 8] {
        let more = run(&plan, threads);
        assert_eq!((&more.fingerprint, &more.states), (&one.fingerprint, &one.states), "{threads} threads");
    }
    let result = contest(&text, 2).standing().meetings[0].result.clone();
    assert_eq!((result.pairs.pairs(), result.games.games()), (12, 24));
    assert!(result.pairs.elo().value > 200.0, "three plies beat chance: {result:?}");
}

#[test]
fn a_player_against_itself_is_even_and_changing_seats_mirrors_the_result() {
    // Deterministic players repeat the first game of a pair with the seats changed: each pair is even.
    let even = contest(&experiment("connect-four", ["pvs:depth=4", "pvs:depth=4"], 20), 2);
    assert_eq!(even.standing().meetings[0].result.pairs.0, [0, 0, 20, 0, 0]);
    assert_eq!(even.distinct(), (20, 40));
    let result = |players| contest(&experiment("connect-four", players, 20), 2).standing().meetings[0].result.clone();
    let there = result(["pvs:depth=5", "pvs:depth=2"]);
    let back = result(["pvs:depth=2", "pvs:depth=5"]);
    assert_eq!((there.games.wins, there.games.losses), (back.games.losses, back.games.wins));
    let mut mirrored = back.pairs.0;
    mirrored.reverse();
    assert_eq!(there.pairs.0, mirrored);
}

/// The same games come out whether they are counted at full speed or played before a referee.
#[test]
fn counted_random_games_are_the_kept_ones() {
    for game in ["connect-four", "loa5", "draughts"] {
        let kept =
            experiment(game, ["random", "random"], 100).replace("[match]", "[openings]\nrandom-plies = 0\n[match]");
        let counted = kept.replace("[openings]", "record = \"counts\"\n[openings]");
        assert_eq!(run(&plan(&kept), 2).fingerprint, run(&plan(&counted), 2).fingerprint, "{game}");
    }
}

/// A study that is saved and restored after every generation goes on as if nothing had happened.
#[test]
fn saved_and_restored_at_every_step() {
    let tournament = "title = \"T\"\ngame = \"connect-four\"\n[tournament]\nformat = \"FORMAT\"\npairs = 3\n\
        [[tournament.players]]\nplayer = \"random\"\n[[tournament.players]]\nplayer = \"greedy\"\n\
        [[tournament.players]]\nplayer = \"win-block\"\n[[tournament.players]]\nplayer = \"pvs:depth=2\"\n\
        [[tournament.players]]\nplayer = \"random\"\n";
    let formats = ["round-robin", "gauntlet", "swiss", "knock-out"].map(|format| tournament.replace("FORMAT", format));
    let fast = experiment("connect-four", ["random", "win-block"], 9) + "match-scores = true\n";
    for text in formats.into_iter().chain([fast]) {
        let plan = plan(&text);
        let whole = run(&plan, 3);
        let mut state: Option<Vec<u8>> = None;
        loop {
            let mut study = plan.study(0, "test.toml").expect("a study");
            if let Some(state) = &state {
                study.restore(state).expect("a good state");
            }
            let Ask::Jobs(jobs) = study.ask(2) else { break };
            let done =
                jobs.iter().map(|job| (job.run(&plan.blobs, &Cancel::default()).expect("it plays"), 0.1)).collect();
            study.tell(done);
            state = Some(study.save());
        }
        assert_eq!(state.as_ref(), Some(&whole.states[0]), "{text}");
    }
}

/// How fast games are won is told whether games are kept or not, and changes nothing of the match.
#[test]
fn match_scores_of_a_match() {
    let plain = experiment("connect-four", ["win-block", "random"], 30);
    let scored = format!("{plain}match-scores = true\n");
    let counted = scored.replace("[match]", "record = \"counts\"\n[match]");
    assert_eq!(run(&plan(&plain), 2).fingerprint, run(&plan(&scored), 2).fingerprint);
    let figures = |text: &str| contest(text, 2).summary();
    assert!(figures(&plain).iter().all(|figure| figure.name != "decided"));
    let found = figures(&scored);
    assert_eq!(found, figures(&counted));
    let value = |name: &str, of: &str| {
        let of = format!("row=win-block column=random{of}");
        found.iter().find(|figure| figure.name == name && figure.of == of).map(|figure| figure.value)
    };
    let result = contest(&scored, 2).standing().meetings[0].result.clone();
    let share = |won: u64, lost: u64| Some(won as f64 / (won + lost) as f64);
    assert_eq!(value("decided", ""), share(result.games.wins, result.games.losses));
    assert_eq!(value("decided", " seat=first"), share(result.opened.wins, result.opened.losses));
    // Pairs that stand level by points may be decided by the faster win.
    let [lost, half_lost, level, half_won, won] = result.pairs.0;
    let matches = found.iter().find(|figure| figure.name == "matches").expect("matches");
    let wins = (matches.value * matches.count as f64).round() as u64;
    assert!((won + half_won..=won + half_won + level).contains(&wins), "{wins} of {:?}", result.pairs);
    assert!((lost + half_lost..=lost + half_lost + level).contains(&(matches.count - wins)), "{matches:?}");
    let means = [" seat=first statistic=mean", " seat=second statistic=mean"]
        .map(|of| value("game-score", of).expect("a mean"));
    let both = value("match-score", " statistic=mean").expect("a mean");
    assert!((means[0] + means[1] - both).abs() < 1e-9, "{means:?} {both}");
}

/// A longer contest is the same as one that was long from the beginning.
#[test]
fn extended_contests_come_to_the_same() {
    let short = plan(&experiment("connect-four", ["random", "win-block"], 10));
    let long = plan(&experiment("connect-four", ["random", "win-block"], 25));
    let begun = run(&short, 2);
    let mut executor = Threads::new(2, &long.blobs, &Cancel::default()).expect("threads start");
    let starts = vec![Start { state: Some(begun.states[0].clone()), generation: 4, done: true }];
    let mut listen = |_: &_| {};
    let runner = Runner::new(&long, "test.toml", &mut executor, Recorder::none(), starts, &mut listen);
    let extended = runner.run().expect("it goes on");
    assert_eq!(extended.fingerprint, run(&long, 2).fingerprint);
    assert_eq!((extended.games, extended.played), (50, 30));
}

/// One finished pair of a match, with its games.
fn pair(text: &str) -> PairsResult {
    let plan = plan(text);
    let Ask::Jobs(jobs) = plan.study(0, "test.toml").expect("a study").ask(1) else { panic!("nothing to do") };
    match jobs[0].run(&plan.blobs, &Cancel::default()) {
        Ok(JobResult::Pairs(result)) => result,
        other => panic!("{other:?}"),
    }
}

fn reasons(result: &PairsResult) -> Vec<Reason> {
    result.rows.iter().filter_map(|row| reason_from_code(row.reason)).collect()
}

#[test]
fn hopeless_games_are_resigned_and_even_ones_drawn_only_if_asked() {
    let text = experiment("draughts", ["pvs:depth=4", "greedy"], 1);
    let off = pair(&text);
    assert_eq!(reasons(&off), [Reason::Board; 2], "off by default");
    let resigned = pair(&format!("{text}[adjudication]\nresign-score = 1.5\nresign-moves = 2\n"));
    assert_eq!(reasons(&resigned), [Reason::Resignation; 2]);
    assert_eq!((resigned.games.wins, off.games.wins), (2, 2));
    assert!(resigned.plies < off.plies);
    let drawn = pair(&format!("{text}[adjudication]\ndraw-score = 1000\ndraw-moves = 1\ndraw-from-ply = 10\n"));
    assert_eq!(reasons(&drawn), [Reason::Agreement; 2]);
    assert!(drawn.rows.iter().all(|row| row.codes.len() == 10), "{drawn:?}");
}

#[test]
fn who_oversteps_the_clock_forfeits_and_is_named() {
    let text = experiment("loa", ["minimax:depth=4", "random"], 1) + "limit-a = \"clock=0.000001\"\n";
    let result = pair(&text);
    assert_eq!(reasons(&result), [Reason::Forfeit; 2]);
    assert_eq!((result.games.losses, result.failures.len()), (2, 2));
    assert!(result.failures[0].1.contains("the clock ran out"), "{:?}", result.failures);
    let fair = pair(
        &(experiment("connect-four", ["pvs", "random"], 1) + "limit-a = \"clock=60+1\"\nlimit-b = \"movetime=50\"\n"),
    );
    assert_eq!(reasons(&fair), [Reason::Board; 2]);
}

#[test]
fn games_under_way_are_shown_and_watching_changes_nothing() {
    let plan = plan(&experiment("loa5", ["pvs:depth=3", "greedy"], 6));
    let unwatched = run(&plan, 2);
    let mut executor = Threads::new(2, &plan.blobs, &Cancel::default()).expect("threads start");
    let demonstration = Arc::clone(executor.demonstration().expect("threads show their games"));
    demonstration.watch(true);
    let mut seen = Vec::new();
    let mut listen = |_: &Event| seen.extend(demonstration.games().into_iter().flatten());
    let starts = vec![Start::default()];
    let runner = Runner::new(&plan, "test.toml", &mut executor, Recorder::none(), starts, &mut listen);
    assert_eq!(runner.run().expect("it runs").fingerprint, unwatched.fingerprint);
    let rules = <Loa<5> as Game>::rules("").expect("the usual rules");
    assert!(!seen.is_empty(), "the boards stayed empty");
    for shown in &seen {
        assert!(shown.players.contains(&"greedy".to_string()) && shown.game == "loa5", "{shown:?}");
        let game = decode(&rules, &shown.codes).expect("what is shown is a game");
        assert!(game.moves().len() >= shown.opening);
    }
    // The last games stay on their boards, whole, until nobody watches any more.
    for shown in demonstration.games().into_iter().flatten() {
        assert!(decode(&rules, &shown.codes).expect("a game").ending().is_some(), "{shown:?}");
    }
    demonstration.watch(false);
    assert!(demonstration.games().iter().all(Option::is_none));
}

/// A search that would take years is broken off; without that this test would never end.
#[test]
fn jobs_under_way_are_cancelled_at_once() {
    let plan = plan(&experiment("loa", ["pvs:depth=60", "minimax:depth=30"], 5));
    let cancel = Cancel::default();
    let mut executor = Threads::new(2, &plan.blobs, &cancel).expect("threads start");
    let starts = vec![Start::default()];
    let mut listen = |event: &Event| {
        if matches!(event, Event::Progress { .. }) {
            cancel.cancel();
        }
    };
    let runner = Runner::new(&plan, "test.toml", &mut executor, Recorder::none(), starts, &mut listen);
    assert!(matches!(runner.run(), Err(RunError::Stopped)));
}
