//! Games that players lost by breaking down, as matches and tournaments tell them.

use lanista_lab::contest::{Contest, Forfeits};

use crate::output::Output;

/// Games that a player lost by breaking down.
pub fn forfeits_of(contest: &Contest, player: usize) -> u64 {
    contest.forfeits().iter().filter(|forfeits| forfeits.player == player).map(|forfeits| forfeits.games).sum()
}

/// Who lost games by breaking down, and why.
pub fn print_forfeits(contest: &Contest, output: &mut Output) -> anyhow::Result<()> {
    let standing = contest.standing();
    for Forfeits { meeting, player, games, reason } in contest.forfeits() {
        let meeting = &standing.meetings[meeting];
        let other = meeting.players.into_iter().find(|&place| place != player).unwrap_or(player);
        let (name, against, of) = (&standing.names[player], &standing.names[other], meeting.games());
        output.line(format!("{name} forfeited {games} of {of} games against {against}: {reason}"))?;
    }
    Ok(())
}

/// Says no if a meeting was nothing but breakdowns: then its result means nothing.
pub fn all_played(contest: &Contest) -> anyhow::Result<()> {
    let (standing, forfeits) = (contest.standing(), contest.forfeits());
    for (number, meeting) in standing.meetings.iter().enumerate() {
        let of_meeting: Vec<&Forfeits> = forfeits.iter().filter(|forfeits| forfeits.meeting == number).collect();
        let Some(first) = of_meeting.first() else { continue };
        let games = of_meeting.iter().map(|forfeits| forfeits.games).sum::<u64>();
        anyhow::ensure!(
            games < meeting.games(),
            "{}: all {games} games were forfeited by players that broke down, the first by {}: {}",
            meeting.players.map(|place| standing.names[place].as_str()).join(" against "),
            standing.names[first.player],
            first.reason
        );
    }
    Ok(())
}
