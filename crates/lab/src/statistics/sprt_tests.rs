use super::*;

fn llr(counts: [u64; 5], bounds: &str, model: EloModel) -> f64 {
    let test: Sprt = bounds.parse().expect("bounds");
    test.with_model(model).status(&PairCounts(counts)).llr
}

/// The published values, and more digits of them from a few lines of Python after Fishtest's `LLRcalc.py` with
/// `scipy.optimize.brentq` as solver.
#[test]
fn golden_ratios() {
    use EloModel::{Logistic, Normalised};
    let cases = [
        ([39, 8843, 26675, 9240, 44], "0.5,2.5", Normalised, 2.94168, 2.9416752080),
        ([39, 8843, 26675, 9240, 44], "0.5,2.5", Logistic, 0.55552, 0.5555170687),
        ([365, 16618, 36229, 16974, 390], "0,2", Normalised, 2.25037, 2.2503677036),
        ([127, 4883, 10712, 5150, 104], "-1.75,0.25", Normalised, 3.01015, 3.0101541966),
        ([10, 20, 40, 30, 25], "0,10", Normalised, 1.2203, 1.2202556847),
        ([10, 20, 40, 30, 25], "0,10", Logistic, 1.3901, 1.3901264423),
        ([0, 0, 0, 0, 20], "0,50", Normalised, 3.637, 3.6370226798),
        ([0, 0, 0, 0, 20], "0,50", Logistic, 2.6721, 2.6720833972),
        ([5, 4, 3, 2, 30], "-150,200", Normalised, 31.1648, 31.1648000236),
        ([5, 4, 3, 2, 30], "-150,200", Logistic, 26.2169, 26.2169319031),
        ([0, 0, 7, 0, 0], "0,10", Normalised, -0.0091, -0.0090712636),
    ];
    for (counts, bounds, model, published, precise) in cases {
        let found = llr(counts, bounds, model);
        assert!((found - published).abs() < 5.1e-5, "{counts:?} {model}: {found}");
        assert!((found - precise).abs() < 2e-7, "{counts:?} {model}: {found}, not {precise}");
    }
}

#[test]
fn verdicts() {
    let test: Sprt = "0,50".parse().expect("bounds");
    let (lower, upper) = test.bounds();
    assert!((upper - 19f64.ln()).abs() < 1e-12 && (lower + upper).abs() < 1e-12);
    let verdict = |counts| test.status(&PairCounts(counts)).verdict;
    assert_eq!(verdict([0, 0, 0, 0, 20]), Verdict::AcceptH1);
    assert_eq!(verdict([20, 0, 0, 0, 0]), Verdict::AcceptH0);
    assert_eq!(verdict([3, 2, 5, 2, 3]), Verdict::Undecided);
    assert_eq!(verdict([0; 5]), Verdict::Undecided);
    let strict = test.with_errors(0.01, 0.02).expect("rates");
    let state = strict.status(&PairCounts([0, 0, 0, 0, 20]));
    assert_eq!(state.verdict, Verdict::Undecided);
    assert!((state.lower - (0.02f64 / 0.99).ln()).abs() < 1e-12 && (state.upper - 98f64.ln()).abs() < 1e-12);
}

#[test]
fn texts_and_errors() {
    let test: Sprt = " -1.75 , 0.25".parse().expect("bounds");
    assert_eq!((test.elo0(), test.elo1(), test.alpha(), test.beta()), (-1.75, 0.25, 0.05, 0.05));
    assert_eq!(test.model(), EloModel::Normalised);
    let error = |text: &str| text.parse::<Sprt>().expect_err("an error").to_string();
    for text in ["", "5", "0,10,20", "a,b", "0;10"] {
        let expected = format!("test {text:?}: expected two bounds in Elo with a comma between, like 0,10");
        assert_eq!(error(text), expected);
    }
    assert_eq!(error("0,300"), "bound 300 of the test: expected 200 Elo at most, up or down");
    assert_eq!(error("nan,3"), "bound NaN of the test: expected 200 Elo at most, up or down");
    assert_eq!(error("10,0"), "bounds 10,0 of the test: expected the second to be at least 0.01 above the first");
    let rate = test.with_errors(0.0, 0.05).expect_err("an error").to_string();
    assert_eq!(rate, "error rate 0 of the test: expected a number from 0.000001 to 0.49");
    assert!(test.with_errors(0.05, f64::NAN).is_err());
    assert!(Sprt::new(0.0, 5.0, 0.5, 0.5, EloModel::Logistic).is_err());
}

#[test]
fn states_are_finite() {
    let mut cases = vec![[0; 5], [u64::MAX / 8; 5], [1; 5], [1, 0, 0, 0, 1]];
    cases
        .extend((0..5).flat_map(|kind| [1, 1_000_000].map(|n| std::array::from_fn(|i| if i == kind { n } else { 0 }))));
    for bounds in ["0,0.01", "0,5", "-200,200", "199,200"] {
        for model in [EloModel::Logistic, EloModel::Normalised] {
            let test = bounds.parse::<Sprt>().expect("bounds").with_model(model);
            for counts in &cases {
                let state = test.status(&PairCounts(*counts));
                assert!(state.llr.is_finite() && state.games_left.is_finite(), "{counts:?} {bounds} {state:?}");
            }
        }
    }
}

#[test]
fn expected_games_by_the_rule_of_thumb() {
    let test: Sprt = "0,10".parse().expect("bounds");
    let unit = (NORMALISED_ELO / 10.0).powi(2);
    for (elo, factor) in [(0.0, 5.30), (10.0, 5.30), (5.0, 8.67), (5.0001, 8.67)] {
        let found = test.expected_games(elo, 0.08) / unit;
        assert!((found - factor).abs() < 0.005, "{elo}: {found}");
    }
    // Where a pair's variance is 1/8 and Elo small, both models mean the same.
    let logistic = test.with_model(EloModel::Logistic);
    assert!((logistic.expected_games(0.0, 0.125) / test.expected_games(0.0, 0.125) - 1.0).abs() < 0.01);
    assert_eq!(logistic.expected_games(0.0, 0.0), f64::INFINITY);
    assert_eq!(test.expected_games(f64::NAN, 0.1), f64::INFINITY);
    assert!(test.expected_games(200.0, 0.1) < test.expected_games(10.0, 0.1));
}

#[test]
fn games_left_shrink_as_the_ratio_grows() {
    let test: Sprt = "0,10".parse().expect("bounds");
    let left = |scale: u64| test.status(&PairCounts([10, 20, 40, 30, 25].map(|n| n * scale))).games_left;
    assert!(left(1) > left(2) && left(2) > 0.0);
    assert_eq!(left(3), 0.0);
    // 250 games brought a ratio of 1.22026; to 2.94444 it is 1.413 times as far, a little less for walks that turn back.
    let straight = 250.0 * (19f64.ln() / 1.2202556847 - 1.0);
    assert!((0.999 * straight..straight).contains(&left(1)), "{} {straight}", left(1));
}
