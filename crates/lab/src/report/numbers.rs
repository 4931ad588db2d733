//! Numbers as people read them.

/// How figures of a name are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    /// As they are.
    Plain,
    /// Shares of 1, as per cent.
    Share,
    /// Differences in strength, with their sign.
    Elo,
    /// Seconds, milliseconds or microseconds.
    Seconds,
}

fn scale(name: &str) -> Scale {
    match name {
        "score" | "score-opening" | "score-answering" | "closing-score" | "opener" | "draws" | "decided"
        | "matches" | "agreement" | "optimal" | "result-kept" | "distinct" | "as-knock-out" => Scale::Share,
        "elo" | "rating" => Scale::Elo,
        "seconds" => Scale::Seconds,
        _ => Scale::Plain,
    }
}

/// Whether figures of that name are shares of 1.
pub fn is_share(name: &str) -> bool {
    scale(name) == Scale::Share
}

/// A figure of a name.
pub fn figure(name: &str, value: f64) -> String {
    written(name, value, None)
}

/// A figure of a name that others printed: shares with all their digits.
pub fn printed(name: &str, value: f64) -> String {
    let percent = 100.0 * value;
    let is_whole = |digits: &usize| {
        let scaled = percent * 10f64.powi(*digits as i32);
        (scaled - scaled.round()).abs() < 1e-6
    };
    match (1..=3).find(is_whole) {
        Some(digits) if is_share(name) => fixed(percent, digits, false) + " %",
        _ => figure(name, value),
    }
}

/// A figure with half its interval: `85.0 ± 2.1 %`. Where a share's interval would leave its scale, the interval is
/// written out: `84.4 (39.1 … 100.0) %`.
pub fn estimate(name: &str, value: f64, error: Option<f64>) -> String {
    let Some(error) = error.map(|error| beyond_rounding(value, error)) else { return figure(name, value) };
    if error == 0.0 && scale(name) == Scale::Plain {
        return figure(name, value) + " ± 0";
    }
    let (factor, unit) = unit(name, value);
    let decimals = decimals(name, value * factor, Some(error * factor));
    let text = |value: f64| fixed(value * factor, decimals, scale(name) == Scale::Elo);
    let ends = [value - error, value + error];
    let inside = ends.map(|end| text(on_scale(name, end)));
    if inside != ends.map(text) {
        return format!("{} ({} … {}){unit}", text(value), inside[0], inside[1]);
    }
    format!("{} ± {}{unit}", text(value), fixed(error * factor, decimals, false))
}

/// The interval: `82.9 … 87.1 %`.
pub fn interval(name: &str, value: f64, error: f64) -> String {
    let error = beyond_rounding(value, error);
    let (factor, unit) = unit(name, value);
    let decimals = decimals(name, value * factor, Some(error * factor));
    let end = |end: f64| fixed(on_scale(name, end) * factor, decimals, scale(name) == Scale::Elo);
    format!("{} … {}{unit}", end(value - error), end(value + error))
}

/// The error, or none where it is only what rounding left in sums of equal numbers.
fn beyond_rounding(value: f64, error: f64) -> f64 {
    if error < 1e-12 * value.abs() { 0.0 } else { error }
}

/// The end of an interval. Shares end at 0 and 1, wherever the normal distribution would go on to.
fn on_scale(name: &str, end: f64) -> f64 {
    if is_share(name) { end.clamp(0.0, 1.0) } else { end }
}

/// How far two figures of a name are apart, with its sign; shares in percentage points.
pub fn difference(name: &str, difference: f64) -> String {
    let (factor, unit) = unit(name, difference);
    let unit = if unit == " %" { " pp" } else { unit };
    let scaled = difference * factor;
    let text = match scale(name) {
        Scale::Plain => trimmed(&fixed(scaled, significant(scaled, 3), true)),
        _ => fixed(scaled, decimals(name, scaled, None), true),
    };
    text + unit
}

/// A count, its digits in threes.
pub fn count(number: i64) -> String {
    fixed(number as f64, 0, false)
}

/// A number without a name, for axes.
pub fn short(value: f64) -> String {
    let size = value.abs();
    let (scaled, unit) = match size {
        _ if size >= 1e9 => (value / 1e9, "G"),
        _ if size >= 1e6 => (value / 1e6, "M"),
        _ if size >= 1e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    if size != 0.0 && size < 1e-3 {
        return format!("{value:.0e}");
    }
    trimmed(&fixed(scaled, significant(scaled, 3), false)) + unit
}

/// Seconds of a run.
pub fn duration(seconds: f64) -> String {
    match seconds {
        _ if seconds < 120.0 => format!("{seconds:.1} s"),
        _ if seconds < 7200.0 => format!("{:.0} min {:02.0} s", (seconds / 60.0).floor(), (seconds % 60.0).floor()),
        _ => format!("{:.0} h {:02.0} min", (seconds / 3600.0).floor(), (seconds % 3600.0 / 60.0).floor()),
    }
}

/// A coefficient of correlation.
pub fn correlation(r: f64) -> String {
    fixed(r, 2, true)
}

/// How likely something is by chance.
pub fn probability(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_string() } else { format!("{p:.4}") }
}

/// What something cost, from seconds on one core.
pub fn core_hours(seconds: f64) -> String {
    let hours = seconds / 3600.0;
    match seconds {
        _ if seconds < 36.0 => format!("{} core-seconds", trimmed(&fixed(seconds, significant(seconds, 2), false))),
        _ => format!("{} core-hours", trimmed(&fixed(hours, significant(hours, 3), false))),
    }
}

fn written(name: &str, value: f64, error: Option<f64>) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    let (factor, unit) = unit(name, value);
    let scaled = value * factor;
    let text = fixed(scaled, decimals(name, scaled, error), scale(name) == Scale::Elo);
    let text = if scale(name) == Scale::Plain { trimmed(&text) } else { text };
    text + unit
}

fn unit(name: &str, value: f64) -> (f64, &'static str) {
    match (scale(name), value.abs()) {
        (Scale::Share, _) => (100.0, " %"),
        (Scale::Seconds, size) if size < 1e-3 => (1e6, " µs"),
        (Scale::Seconds, size) if size < 1.0 => (1e3, " ms"),
        (Scale::Seconds, _) => (1.0, " s"),
        _ => (1.0, ""),
    }
}

/// Digits behind the point: two of the error count, or four of the value.
fn decimals(name: &str, value: f64, error: Option<f64>) -> usize {
    match (scale(name), error) {
        (Scale::Share, _) => share_decimals(value),
        (Scale::Elo, _) => 0,
        (_, Some(error)) if error > 0.0 && error.is_finite() => significant(error, 2),
        (Scale::Seconds, _) => significant(value, 3),
        _ => significant(value, 4),
    }
}

/// Digits behind the point of per cents: one, and more where that would make none or all of what is not.
fn share_decimals(value: f64) -> usize {
    let to_end = value.abs().min((100.0 - value.abs()).abs());
    if (1e-4..0.05).contains(&to_end) { significant(to_end, 2) } else { 1 }
}

/// Digits behind the point that make so many digits in all.
fn significant(value: f64, digits: i32) -> usize {
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    (digits - 1 - value.abs().log10().floor() as i32).clamp(0, 9) as usize
}

fn trimmed(text: &str) -> String {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text.to_string(),
    }
}

/// A number with so many decimals and its thousands apart; a real minus sign; a plus if wanted.
fn fixed(value: f64, decimals: usize, sign: bool) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let is_zero = text.chars().all(|letter| matches!(letter, '0' | '.'));
    let mark = match (value < 0.0 && !is_zero, sign && !is_zero) {
        (true, _) => "−",
        (_, true) => "+",
        _ => "",
    };
    format!("{mark}{grouped}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures() {
        assert_eq!(figure("score", 0.8512), "85.1 %");
        assert_eq!(
            [0.0, 1.45e-4, 5e-4, 0.9999, 1.0].map(|share| figure("score", share)),
            ["0.0 %", "0.015 %", "0.1 %", "99.990 %", "100.0 %"]
        );
        assert_eq!(figure("elo", -123.4), "−123");
        assert_eq!(figure("rating", 0.2), "0");
        assert_eq!(figure("nodes", 1_234_567.8), "1,234,568");
        assert_eq!(figure("points", 12.5), "12.5");
        assert_eq!(figure("plies", 33.333_333), "33.33");
        assert_eq!(figure("seconds", 0.001_234), "1.23 ms");
        assert_eq!(figure("seconds", 0.000_012_34), "12.3 µs");
        assert_eq!(figure("seconds", 12.345), "12.3 s");
    }

    #[test]
    fn printed_shares_have_all_their_digits() {
        let printed = [0.499, 0.5, 0.7515, 0.928, 9.0 / 62_000.0].map(|share| printed("score", share));
        assert_eq!(printed, ["49.9 %", "50.0 %", "75.15 %", "92.8 %", "0.015 %"]);
        assert_eq!(super::printed("match-score", 61.95), "61.95");
    }

    #[test]
    fn errors_tell_how_many_digits_count() {
        assert_eq!(estimate("nodes", 1234.567, Some(12.34)), "1,235 ± 12");
        assert_eq!(estimate("fitness", 0.123_456, Some(0.001_2)), "0.1235 ± 0.0012");
        assert_eq!(estimate("score", 0.85, Some(0.021)), "85.0 ± 2.1 %");
        assert_eq!(estimate("score", 0.844, Some(0.453)), "84.4 (39.1 … 100.0) %");
        assert_eq!(estimate("score", 0.9999, Some(0.0003)), "99.990 (99.960 … 100.000) %");
        assert_eq!(estimate("elo", 100.0, Some(20.4)), "+100 ± 20");
        assert_eq!(interval("score", 0.85, 0.021), "82.9 … 87.1 %");
        assert_eq!(estimate("plies", 20.0, None), "20");
        assert_eq!(estimate("plies", 20.0, Some(0.0)), "20 ± 0");
        assert_eq!(estimate("mean", 0.1 + 0.2, Some(4e-17)), "0.3 ± 0");
        assert_eq!(interval("score", 0.999, 0.01), "98.9 … 100.0 %");
    }

    #[test]
    fn differences_and_others() {
        assert_eq!(difference("score", 0.032), "+3.2 pp");
        assert_eq!(difference("nodes", -1500.0), "−1,500");
        assert_eq!(difference("points", 0.0), "0");
        assert_eq!(difference("plies", -0.25), "−0.25");
        assert_eq!((count(1_000_000), count(999)), ("1,000,000".into(), "999".into()));
        assert_eq!((short(20_000.0), short(0.5), short(1000.0)), ("20k".into(), "0.5".into(), "1,000".into()));
        assert_eq!(
            (duration(3.21), duration(125.9), duration(7384.0)),
            ("3.2 s".into(), "2 min 05 s".into(), "2 h 03 min".into())
        );
        assert_eq!((probability(0.04), probability(1e-9)), ("0.0400".into(), "< 0.0001".into()));
        assert_eq!(
            (core_hours(0.0), core_hours(1.26), core_hours(1000.0), core_hours(360_000.0)),
            ("0 core-seconds".into(), "1.3 core-seconds".into(), "0.278 core-hours".into(), "100 core-hours".into())
        );
    }
}
