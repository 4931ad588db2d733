//! Text lines.

use lanista_core::{Ending, Game, Outcome, Reason, Side};
use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_games::files::{GameFiles, check};
use lanista_games::loa::Loa;

use super::{moves, played, read, read_one, tags, written};

#[test]
fn names_moves_results_and_comments() {
    let (games, errors) = read::<Loa<8>>("text", include_bytes!("../corpus/text/loa.txt"));
    assert!(errors.is_empty());
    assert_eq!(games.iter().map(|game| game.line).collect::<Vec<_>>(), [2, 3, 5, 6]);
    assert_eq!(games[0].ending.unwrap().outcome, Outcome::Win(Side::First));
    assert_eq!(tags(&games[0]), [("GN", "the shortest")]);
    assert_eq!((games[0].moves[0].column, games[0].moves[1].column), (14, 20));
    assert_eq!(played::<Loa<8>>(&games[3]).start.to_string(), "1b6/8/8/w7/8/8/8/6bw w");
}

#[test]
fn moves_of_one_character_may_be_joined() {
    let (games, errors) = read::<ConnectFour>("text", include_bytes!("../corpus/text/connect-four.txt"));
    assert_eq!(tags(&games[0]), [("Name", "name # 1")]);
    let expected = ["4 4 5 5", "4 4 4 4 4 4 5 5 5 5 5", "4 4 5 5", "", "6 6", "8", ""];
    assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), expected);
    assert_eq!(games[0].moves[2].column, 12);
    assert_eq!(
        errors,
        [
            "line 7, column 13: the line goes on after the result",
            "line 8, column 1: the start position is not closed by ]"
        ]
    );
    let entry = check(&games[5], &ConnectFour::presets()[0]).unwrap_err();
    assert_eq!((entry.ply, entry.mv.as_str(), entry.line, entry.column), (1, "8", 9, 1));
    let game = read_one::<ConnectFour>("text", "a\t[4455] 66 0-1");
    assert_eq!(
        written("text", &game.tags, &played::<ConnectFour>(&game)),
        "a\t[......./......./......./......./...oo../...xx..] 66 0-1\n"
    );
}

/// A full board is a draw by itself; a draw before that was agreed on.
#[test]
fn draws() {
    let full = "656173566152215676422337377473141445425321";
    for (moves, reason) in [("4455", Reason::Agreement), (full, Reason::Board)] {
        let record = played::<ConnectFour>(&read_one::<ConnectFour>("text", format!("{moves} 1/2-1/2")));
        assert_eq!(record.ending, Some(Ending { outcome: Outcome::Draw, reason }), "{moves}");
        assert_eq!(played::<ConnectFour>(&read_one::<ConnectFour>("text", written("text", &[], &record))), record);
    }
}

#[test]
fn names_cannot_break_a_line() {
    let record = played::<Draughts>(&read_one::<Draughts>("text", "9-13 22-18"));
    for (name, line) in
        [("\u{feff}# a\tb\nc", "a b c\t9-13 22-18 *\n"), (" \n", "9-13 22-18 *\n"), ("[x] y", "[x] y\t9-13 22-18 *\n")]
    {
        let file = written("text", &[("Event".into(), name.into())], &record);
        assert_eq!(file, line);
        assert_eq!(played::<Draughts>(&read_one::<Draughts>("text", file)), record);
    }
}

#[test]
fn formats_are_found_by_name() {
    let id = |name: &str| Draughts::format_of_file(name).id;
    assert_eq!([id("a.PDN"), id("b.txt"), id("c.text"), id("d.sgf"), id("-")], ["pdn", "text", "text", "pdn", "pdn"]);
    assert_eq!(ConnectFour::formats().iter().map(|format| format.id).collect::<Vec<_>>(), ["text"]);
    assert_eq!(Loa::<6>::formats().iter().map(|format| format.id).collect::<Vec<_>>(), ["sgf", "text"]);
    assert!(Draughts::format("sgf").is_none());
}
