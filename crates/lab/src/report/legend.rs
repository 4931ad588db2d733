//! What the names of figures mean, for those who read a report first.

use super::document::Block;
use super::figures::Group;

/// Names of figures.
const NAMES: [(&str, &str); 33] = [
    ("score", "the share of points: a game won counts 1, a draw one half"),
    ("closing-score", "the mean score over the last generations or batches"),
    ("decided", "the share of games won, draws left out"),
    ("matches", "the share of matches of two games won, ties left out; with one win each the faster one decides"),
    (
        "game-score",
        "how fast games are won: 200 less the plies to the winner, the plies to the loser, 100 to both if nobody wins",
    ),
    ("match-score", "the sum of the two game scores of a match"),
    ("plies", "moves of both sides in a game"),
    ("best", "the most points a game that one individual has in the contests of its generation"),
    ("mean", "the mean points a game over a generation"),
    ("spread", "the standard deviation of the points a game in a generation"),
    ("as-knock-out", "the share of groups in which a knock-out has the winner of the round robin"),
    ("error", "the mean squared difference between what the network says and what it is taught"),
    ("exploration", "the share of random moves in the games that are learnt from"),
    ("diverged", "numbers grew beyond all bounds, which ended the learning; in batches, the one in which they did"),
    ("mse", "the mean squared error on the samples, on those that are learnt from or on others"),
    ("states", "different positions among the samples"),
    ("optimal", "the share of decisions that are best moves by exact solution"),
    ("result-kept", "the share of decisions that keep the result that the position has by exact solution"),
    ("points-lost", "the points of the solver that a decision throws away on average"),
    ("agreement", "the share of positions in which a player finds the same value as the one that it is compared with"),
    ("nodes", "positions that a search looks at for one decision"),
    ("seconds", "the time of one decision"),
    ("nodes-ratio", "nodes of one player for a node of the other, over all positions"),
    ("node-time-ratio", "time of a node for the time of a node of the other player"),
    ("opener", "the score of who moves first"),
    ("score-opening", "the score in the games in which the player moves first"),
    ("score-answering", "the score in the games in which the player moves second"),
    ("points", "the points won: a game won counts 1, a draw one half"),
    ("draws", "the share of drawn games"),
    ("elo", "the difference in strength that the score tells"),
    ("rating", "the strength in Elo by all results together, the mean of all players being 0"),
    ("llr", "the logarithm of the likelihood ratio of the sequential test"),
    ("distinct", "different games for one game: 1 if no two are the same"),
];

/// Words that say what a figure is of.
const WORDS: [(&str, &str); 7] = [
    ("player=champion", "the best of the last generation, or what was learnt in the end, in fresh games"),
    ("player=top-throughout", "the best at all times at which the learner was measured, taken together"),
    ("player=top", "the best at the end, in the games that measure the course"),
    ("seat=first", "as the side that moves first"),
    ("seat=second", "as the side that moves second"),
    ("contest", "in the games by which evolution chooses"),
    ("lesson", "in the latest batch of lessons"),
];

/// The list of those that occur, behind its heading; nothing if none does.
pub fn blocks(groups: &[Group]) -> Vec<Block> {
    let figures = || groups.iter().flat_map(|group| &group.figures);
    let names = NAMES.iter().filter(|(name, _)| figures().any(|figure| figure.name == *name));
    let has_word = |word: &str| figures().any(|figure| figure.of.split_whitespace().any(|part| part == word));
    let words = WORDS.iter().filter(|(word, _)| has_word(word));
    let shown = |name: &str| name.strip_prefix("player=").unwrap_or(name).to_string();
    let lines: Vec<String> =
        names.chain(words).map(|(name, meaning)| format!("`{}`: {meaning}", shown(name))).collect();
    if lines.is_empty() {
        return Vec::new();
    }
    vec![Block::Heading(2, "What the figures mean".into()), Block::List(lines)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figures::Figure;

    #[test]
    fn only_what_occurs_is_explained() {
        let figure = |name: &str, of: &str| Figure {
            name: name.into(),
            of: of.into(),
            value: 0.5,
            error: None,
            count: 2,
            values: vec![0.5],
        };
        let figures = vec![figure("score", "player=top-throughout against=B"), figure("new", "x")];
        let found = blocks(&[Group { setting: String::new(), trials: vec![0], figures }]);
        let [Block::Heading(2, _), Block::List(lines)] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].starts_with("`score`: ") && lines[1].starts_with("`top-throughout`: "), "{lines:?}");
        assert!(blocks(&[]).is_empty());
    }
}
