//! Who meets whom.

use super::standing::Standing;

/// The format of a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// Everybody meets everybody.
    RoundRobin,
    /// Everybody meets everybody, and itself.
    Grid,
    /// The first meets all others.
    Gauntlet,
    /// So many rounds in which players with equal points meet, nobody twice as long as that is possible.
    Swiss {
        /// How many.
        rounds: u32,
    },
    /// Who loses a meeting is out. On equal points the player listed first goes on.
    KnockOut,
}

impl Schedule {
    /// The rounds that a Swiss tournament needs to find its winner.
    pub fn swiss_rounds(players: usize) -> u32 {
        players.max(2).next_power_of_two().ilog2()
    }

    /// How many meetings there will be.
    pub fn meetings(&self, players: usize) -> u64 {
        let n = players as u64;
        match *self {
            Schedule::RoundRobin => n * (n - 1) / 2,
            Schedule::Grid => n * (n + 1) / 2,
            Schedule::Gauntlet | Schedule::KnockOut => n - 1,
            Schedule::Swiss { rounds } => u64::from(rounds) * (n / 2),
        }
    }

    /// The meetings of the next round, given all so far; none when it is over.
    pub fn next_round(&self, standing: &Standing) -> Vec<(usize, usize)> {
        let players = standing.names.len();
        let begun = !standing.meetings.is_empty();
        match *self {
            Schedule::RoundRobin | Schedule::Grid | Schedule::Gauntlet if begun => Vec::new(),
            Schedule::RoundRobin => (0..players).flat_map(|a| (a + 1..players).map(move |b| (a, b))).collect(),
            Schedule::Grid => (0..players).flat_map(|a| (a..players).map(move |b| (a, b))).collect(),
            Schedule::Gauntlet => (1..players).map(|b| (0, b)).collect(),
            Schedule::Swiss { rounds } => swiss(standing, rounds),
            Schedule::KnockOut => knock_out(standing),
        }
    }
}

/// Winners of the meetings so far, in the order of the bracket, meet in pairs. With a number that is no power of two the
/// players listed first rest in the first round.
fn knock_out(standing: &Standing) -> Vec<(usize, usize)> {
    let players = standing.names.len();
    let mut alive: Vec<usize> = (0..players).collect();
    let mut meetings = standing.meetings.iter();
    loop {
        let size = alive.len().next_power_of_two();
        let resting = size - alive.len();
        if alive.len() < 2 {
            return Vec::new();
        }
        let fighting = &alive[resting..];
        // The strongest by the list meets the weakest.
        let pairs: Vec<(usize, usize)> =
            (0..fighting.len() / 2).map(|index| (fighting[index], fighting[fighting.len() - 1 - index])).collect();
        let played: Vec<_> = meetings.by_ref().take(pairs.len()).collect();
        if played.is_empty() {
            return pairs;
        }
        let winners = played.iter().map(|meeting| {
            let [a, b] = meeting.players;
            let points = meeting.points();
            if points[1] > points[0] || points[1] == points[0] && b < a { b } else { a }
        });
        alive = alive[..resting].iter().copied().chain(winners).collect();
        alive.sort_unstable();
    }
}

/// Players by points, the list breaking ties; each meets the next one it has not met. Who is left over rests for a round,
/// the last who has not rested yet.
fn swiss(standing: &Standing, rounds: u32) -> Vec<(usize, usize)> {
    let players = standing.names.len();
    let a_round = players / 2;
    if a_round == 0 || standing.meetings.len() >= rounds as usize * a_round {
        return Vec::new();
    }
    let met = |a: usize, b: usize| {
        standing.meetings.iter().any(|meeting| meeting.players == [a, b] || meeting.players == [b, a])
    };
    let played = |player: usize| standing.meetings.iter().filter(|meeting| meeting.players.contains(&player)).count();
    let mut points = standing.points();
    let most = standing.meetings.len() / a_round;
    // A rest counts as a meeting won.
    let a_win = standing.meetings.first().map_or(0.0, |meeting| meeting.points().iter().sum());
    for (player, points) in points.iter_mut().enumerate() {
        *points += (most - played(player).min(most)) as f64 * a_win;
    }
    let mut order: Vec<usize> = (0..players).collect();
    order.sort_by(|&a, &b| points[b].total_cmp(&points[a]).then(a.cmp(&b)));
    if players % 2 == 1 {
        let rests = order.iter().rposition(|&player| played(player) == most).unwrap_or(players - 1);
        order.remove(rests);
    }
    pair_up(&order, &met).unwrap_or_else(|| order.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
}

/// The first pairing without a second meeting; nothing if there is none.
fn pair_up(order: &[usize], met: &impl Fn(usize, usize) -> bool) -> Option<Vec<(usize, usize)>> {
    let Some((&first, rest)) = order.split_first() else { return Some(Vec::new()) };
    rest.iter().enumerate().filter(|&(_, &other)| !met(first, other)).find_map(|(index, &other)| {
        let mut left = rest.to_vec();
        left.remove(index);
        let mut pairs = pair_up(&left, met)?;
        pairs.insert(0, (first, other));
        Some(pairs)
    })
}
