//! Cross-tables, ratings and sequential tests as pages show them.

use lanista_lab::experiment::Plan;
use lanista_lab::statistics::Verdict;
use lanista_lab::store::Store;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;

/// A row of a cross-table.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct StandingRowView {
    /// The player's place in `names`.
    pub player: usize,
    /// Its name.
    pub name: String,
    /// Its points.
    pub points: f64,
    /// Its games.
    pub games: u64,
    /// Its rating in Elo, the mean of all being 0.
    pub elo: f64,
    /// Half the 95 % interval of the rating.
    pub elo_error: Option<f64>,
    /// Points against each player of `names`; none where they did not meet.
    pub points_against: Vec<Option<f64>>,
    /// Games against each player of `names`.
    pub games_against: Vec<u64>,
}

/// Two players who meet.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct MeetingView {
    /// Their places in `names`.
    pub players: Vec<usize>,
    /// Wins of the first.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Losses of the first.
    pub losses: u64,
    /// Pairs of games by the points of the first: 0, ½, 1, 1½, 2.
    pub pairs: Vec<u64>,
    /// The share of points of the first.
    pub score: Option<f64>,
    /// Half its 95 % interval.
    pub score_error: Option<f64>,
    /// The difference in Elo.
    pub elo: Option<f64>,
    /// Half its 95 % interval.
    pub elo_error: Option<f64>,
    /// The likelihood that the first is stronger.
    pub superiority: Option<f64>,
}

/// A sequential test under way.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SprtView {
    /// The log-likelihood ratio so far.
    pub llr: f64,
    /// At or below this the first hypothesis is accepted.
    pub lower: f64,
    /// At or above this the second is.
    pub upper: f64,
    /// The first hypothesis, in Elo.
    pub elo0: f64,
    /// The second.
    pub elo1: f64,
    /// `undecided`, `accepted` (the second hypothesis) or `rejected`.
    pub verdict: &'static str,
}

/// The table of one trial of a contest.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct StandingView {
    /// The trial, from 0.
    pub trial: u32,
    /// The values of its sweep.
    pub setting: String,
    /// Who plays.
    pub names: Vec<String>,
    /// The table, the highest rating first.
    pub rows: Vec<StandingRowView>,
    /// The meetings in order.
    pub meetings: Vec<MeetingView>,
    /// The sequential test, if there is one.
    pub sprt: Option<SprtView>,
    /// Different games among those looked at.
    pub distinct: u64,
    /// Games looked at for that.
    pub sampled: u64,
}

/// Numbers that JSON can hold.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// The tables of a run, one for each trial that has begun; none if it is no contest.
pub fn standings(store: &Store, run: i64, plan: &Plan, file: &str, most: usize) -> Result<Vec<StandingView>, ApiError> {
    if !plan.experiment.is_contest() {
        return Ok(Vec::new());
    }
    let mut tables = Vec::new();
    for (number, start) in store.starts(run)?.into_iter().enumerate().take(most) {
        let (Some(state), Some(trial)) = (start.state, plan.trials.get(number)) else { continue };
        let contest = plan.contest(number, &state, file)?;
        let standing = contest.standing();
        let rows = standing.rows().into_iter().map(|row| StandingRowView {
            player: row.player,
            name: standing.names[row.player].clone(),
            points: row.points,
            games: row.games,
            elo: finite(row.rating.elo).unwrap_or_default(),
            elo_error: row.rating.error.and_then(finite),
            points_against: row.against.iter().map(|cell| cell.map(|(points, _)| points)).collect(),
            games_against: row.against.iter().map(|cell| cell.map_or(0, |(_, games)| games)).collect(),
        });
        let meetings = standing.meetings.iter().map(|meeting| {
            let (games, pairs) = (meeting.result.games, &meeting.result.pairs);
            let is_played = pairs.pairs() > 0;
            let played = |value: f64| finite(value).filter(|_| is_played);
            let elo = pairs.elo();
            MeetingView {
                players: meeting.players.to_vec(),
                wins: games.wins,
                draws: games.draws,
                losses: games.losses,
                pairs: pairs.0.to_vec(),
                score: pairs.score(),
                score_error: if is_played { finite(meeting.result.pairs.score_error()) } else { None },
                elo: played(elo.value),
                elo_error: played(elo.error),
                superiority: played(pairs.superiority()),
            }
        });
        let first = standing.meetings.first();
        let sprt = contest.plan().sprt.as_ref().zip(first).map(|(sprt, meeting)| {
            let status = sprt.status(&meeting.result.pairs);
            let verdict = match status.verdict {
                Verdict::Undecided => "undecided",
                Verdict::AcceptH1 => "accepted",
                Verdict::AcceptH0 => "rejected",
            };
            let (llr, lower, upper) = (status.llr, status.lower, status.upper);
            SprtView { llr, lower, upper, elo0: sprt.elo0(), elo1: sprt.elo1(), verdict }
        });
        let (distinct, sampled) = contest.distinct();
        tables.push(StandingView {
            trial: number as u32,
            setting: trial.setting.clone(),
            rows: rows.collect(),
            meetings: meetings.collect(),
            names: standing.names.clone(),
            sprt,
            distinct,
            sampled,
        });
    }
    Ok(tables)
}
