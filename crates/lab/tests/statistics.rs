//! Statistics against simulated matches: error rates and intervals hold what they promise.

use lanista_core::{RandomStream, Seed};
use lanista_lab::statistics::{
    EloModel, NORMALISED_ELO, PairCounts, Sprt, SprtState, Summary, Verdict, elo, expected_score, rate,
};

/// The shares of the five kinds of pairs of a player of some strength.
type Shares = [f64; 5];

const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

fn mean_and_variance(shares: &Shares) -> (f64, f64) {
    let mean: f64 = shares.iter().zip(SCORES).map(|(share, score)| share * score).sum();
    (mean, shares.iter().zip(SCORES).map(|(share, score)| share * (score - mean).powi(2)).sum())
}

fn strength(shares: &Shares, model: EloModel) -> f64 {
    let (mean, variance) = mean_and_variance(shares);
    match model {
        EloModel::Logistic => elo(mean),
        EloModel::Normalised => (mean - 0.5) / (2.0 * variance).sqrt() * NORMALISED_ELO,
    }
}

/// Shares of exactly that strength: balanced ones with weight shifted up, by bisection.
fn shares_of(target: f64, model: EloModel) -> Shares {
    let tilted = |tilt: f64| {
        let weights: Shares = std::array::from_fn(|kind| [0.1, 0.2, 0.4, 0.2, 0.1][kind] * (tilt * SCORES[kind]).exp());
        let total: f64 = weights.iter().sum();
        weights.map(|weight| weight / total)
    };
    let (mut low, mut high) = (-5.0, 5.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if strength(&tilted(middle), model) < target { low = middle } else { high = middle }
    }
    tilted(low)
}

fn draw(shares: &Shares, random: &mut RandomStream) -> usize {
    let mut left = random.unit();
    for (kind, share) in shares.iter().enumerate() {
        left -= share;
        if left < 0.0 {
            return kind;
        }
    }
    4
}

/// Plays one test to its end.
fn run(test: &Sprt, shares: &Shares, seed: Seed) -> (SprtState, u64) {
    let mut random = seed.stream();
    let mut counts = PairCounts::default();
    loop {
        counts.0[draw(shares, &mut random)] += 1;
        let state = test.status(&counts);
        if state.verdict != Verdict::Undecided {
            return (state, counts.games());
        }
    }
}

/// The share of tests that accept H1, and the games they take.
fn simulate(test: &Sprt, truth: f64, runs: u64, seed: Seed) -> (f64, Summary) {
    let shares = shares_of(truth, test.model());
    let ends: Vec<(SprtState, u64)> = (0..runs).map(|index| run(test, &shares, seed.child(index))).collect();
    let accepted = ends.iter().filter(|(state, _)| state.verdict == Verdict::AcceptH1).count();
    let games: Vec<f64> = ends.iter().map(|(_, games)| *games as f64).collect();
    (accepted as f64 / runs as f64, Summary::of(&games).expect("runs"))
}

#[test]
fn sequential_tests_keep_their_error_rates() {
    let cases = [("0,40", EloModel::Normalised, 0.05, 0.05), ("-10,30", EloModel::Logistic, 0.1, 0.05)];
    for (index, (bounds, model, alpha, beta)) in cases.into_iter().enumerate() {
        let test = bounds.parse::<Sprt>().and_then(|test| test.with_errors(alpha, beta)).expect("a test");
        let test = test.with_model(model);
        let seed = Seed::new(index as u64);
        let runs = 1500;
        // Jumps over the bounds make tests a little better than they promise; luck is four standard deviations.
        let holds = |found: f64, rate: f64| {
            let luck = 4.0 * (rate * (1.0 - rate) / runs as f64).sqrt();
            found < rate + luck && found > 0.7 * rate - luck
        };
        let (wrong, _) = simulate(&test, test.elo0(), runs, seed.child(0));
        assert!(holds(wrong, alpha), "{bounds} {model}: type I {wrong}");
        let (right, _) = simulate(&test, test.elo1(), runs, seed.child(1));
        assert!(holds(1.0 - right, beta), "{bounds} {model}: type II {}", 1.0 - right);
        eprintln!("{bounds} {model}: type I {wrong:.4}, type II {:.4}", 1.0 - right);
    }
}

#[test]
fn tests_take_the_games_expected() {
    for (index, model) in [EloModel::Normalised, EloModel::Logistic].into_iter().enumerate() {
        let test = "0,40".parse::<Sprt>().expect("a test").with_model(model);
        for truth in [-20.0, 0.0, 20.0, 40.0, 80.0] {
            let (_, games) = simulate(&test, truth, 400, Seed::new(7).child(index as u64).child(truth as i64 as u64));
            let variance = mean_and_variance(&shares_of(truth, model)).1;
            let ratio = games.mean / test.expected_games(truth, variance);
            eprintln!("{model} {truth}: {:.0} games, {ratio:.3} of what was expected", games.mean);
            assert!((0.9..1.25).contains(&ratio), "{model} {truth}: {} games, ratio {ratio}", games.mean);
        }
    }
}

/// What is foretold in the midst of a test, against many ways to go on from there.
#[test]
fn games_left_are_those_that_come() {
    let test: Sprt = "0,40".parse().expect("a test");
    for (index, start) in [[8, 17, 40, 24, 12], [6, 12, 24, 12, 6], [10, 21, 40, 20, 9]].into_iter().enumerate() {
        let counts = PairCounts(start);
        let shares = start.map(|count| count as f64 / counts.pairs() as f64);
        let left: Vec<f64> = (0..400)
            .map(|run| {
                let mut random = Seed::new(8).child(index as u64).child(run).stream();
                let mut counts = counts;
                let before = counts.games();
                while test.status(&counts).verdict == Verdict::Undecided {
                    counts.0[draw(&shares, &mut random)] += 1;
                }
                (counts.games() - before) as f64
            })
            .collect();
        let mean = Summary::of(&left).expect("runs").mean;
        let foretold = test.status(&counts).games_left;
        eprintln!("{start:?}: {foretold:.0} foretold, {mean:.0} came");
        assert!((0.85..1.25).contains(&(mean / foretold)), "{start:?}: {foretold} foretold, {mean} came");
    }
}

#[test]
fn intervals_of_matches_cover_the_truth() {
    let runs = 2000;
    for (index, truth) in [0.0, 60.0, 150.0].into_iter().enumerate() {
        let shares = shares_of(truth, EloModel::Logistic);
        let normalised = strength(&shares, EloModel::Normalised);
        let mut covered = [0; 2];
        for run in 0..runs {
            let mut random = Seed::new(9).child(index as u64).child(run).stream();
            let mut counts = PairCounts::default();
            for _ in 0..200 {
                counts.0[draw(&shares, &mut random)] += 1;
            }
            covered[0] += u32::from(counts.elo().interval().contains(truth));
            covered[1] += u32::from(counts.normalised_elo().interval().contains(normalised));
        }
        let rates = covered.map(|count| f64::from(count) / runs as f64);
        eprintln!("Elo {truth}: covered {rates:?}");
        assert!(rates.iter().all(|rate| (0.93..0.97).contains(rate)), "{truth}: {rates:?}");
    }
}

#[test]
fn intervals_of_ratings_cover_the_truth() {
    let truth = [-150.0, -50.0, 0.0, 70.0, 130.0];
    let (runs, mut covered) = (400, 0);
    for run in 0..runs {
        let mut random = Seed::new(10).child(run).stream();
        let mut points = vec![vec![0.0; 5]; 5];
        for i in 0..5 {
            for j in 0..i {
                for _ in 0..60 {
                    let won = random.unit() < expected_score(truth[i] - truth[j]);
                    if won { points[i][j] += 1.0 } else { points[j][i] += 1.0 }
                }
            }
        }
        for (rating, truth) in rate(&points).iter().zip(truth) {
            covered += u32::from((rating.elo - truth).abs() <= rating.error.expect("games"));
        }
    }
    let share = f64::from(covered) / (5 * runs) as f64;
    eprintln!("covered {share}");
    assert!((0.93..0.97).contains(&share), "{share}");
}

#[test]
fn texts_of_results_are_read_again() {
    let counts = PairCounts([1, 2, 3, 4, 5]);
    let text = serde_json::to_string(&counts).expect("text");
    assert_eq!(text, "[1,2,3,4,5]");
    assert_eq!(serde_json::from_str::<PairCounts>(&text).expect("counts"), counts);
    let test: Sprt = "0,10".parse().expect("a test");
    let text = serde_json::to_string(&test).expect("text");
    assert_eq!(text, r#"{"elo0":0.0,"elo1":10.0,"alpha":0.05,"beta":0.05,"model":"normalised"}"#);
    assert_eq!(serde_json::from_str::<Sprt>(&text).expect("a test"), test);
    let error = serde_json::from_str::<Sprt>(&text.replace("10.0", "-10.0")).expect_err("bounds in the wrong order");
    assert!(error.to_string().contains("bounds 0,-10 of the test"), "{error}");
    let state = serde_json::to_value(test.status(&counts)).expect("a value");
    assert_eq!(state["verdict"], "undecided");
}
