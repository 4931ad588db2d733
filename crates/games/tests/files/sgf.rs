//! SGF.

use lanista_core::{Ending, Game, Outcome, Reason, Record, Side};
use lanista_games::files::{FileGame, check};
use lanista_games::loa::Loa;

use super::{moves, played, read, read_error, read_one, tags, written};

fn one(file: impl AsRef<[u8]>) -> FileGame {
    read_one::<Loa<8>>("sgf", file)
}

fn win(side: Side, reason: Reason) -> Option<Ending> {
    Some(Ending { outcome: Outcome::Win(side), reason })
}

#[test]
fn real_files() {
    let game = one(include_bytes!("../corpus/sgf/boardspace.sgf"));
    assert_eq!(moves(&game), "D1-B3 H5-G4 B1-B4 G4-G1");
    assert_eq!((game.tag("PB"), game.tag("su")), (Some("Player A"), Some("Standard")));
    assert_eq!((game.line, game.moves[1].line, game.moves[1].column), (1, 6, 13));
    let record = played::<Loa<8>>(&game);
    assert_eq!(record.ending, win(Side::Second, Reason::Resignation));
    assert!(record.moves[3].is_capture(), "the board knows");
    let (games, _) = read::<Loa<8>>("sgf", include_bytes!("../corpus/sgf/capture-marks.sgf"));
    assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), ["D1xB3 H5xG4 b1-b4 g4xG1", "d1-b3 h5-g4"]);
    assert!(games.iter().all(|game| check(game, &Loa::<8>::presets()[0]).is_ok()));
    let old = one(include_bytes!("../corpus/sgf/old.sgf"));
    assert_eq!((moves(&old).as_str(), old.tag("PB")), ("d1-b3 h5-g4", Some("Player A")));
    assert_eq!(one(include_bytes!("../corpus/sgf/latin1.sgf")).tag("PB"), Some("André"));
    assert_eq!(moves(&one(include_bytes!("../corpus/sgf/windows.sgf"))), "d1-b3 h5-g4");
}

#[test]
fn the_main_line_is_the_first_child() {
    let (games, errors) = read::<Loa<8>>("sgf", include_bytes!("../corpus/sgf/variations.sgf"));
    assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), ["d1-b3 h5-g4 b1-b4 g4-g1", "d1-b3"]);
    assert!(errors.is_empty());
    let (games, errors) = read::<Loa<8>>("sgf", include_bytes!("../corpus/sgf/nested.sgf"));
    assert_eq!((games.len(), errors.len()), (2, 0));
}

#[test]
fn escapes() {
    let game = one(include_bytes!("../corpus/sgf/escapes.sgf"));
    assert_eq!(tags(&game), [("GM", "9"), ("PB", "a]b\\cd:e f"), ("EV", "xy")]);
    let file = written("sgf", &game.tags, &played::<Loa<8>>(&game));
    assert_eq!(one(file).tag("PB"), Some("a]b\\cd:e f"));
}

#[test]
fn results() {
    let (games, errors) = read::<Loa<8>>("sgf", include_bytes!("../corpus/sgf/collection.sgf"));
    assert!(errors.is_empty(), "{errors:?}");
    let draw = Some(Ending { outcome: Outcome::Draw, reason: Reason::Agreement });
    let endings: Vec<Option<Ending>> = games.iter().map(|game| game.ending).collect();
    let expected = [
        draw,
        win(Side::First, Reason::Forfeit),
        win(Side::Second, Reason::Forfeit),
        None,
        win(Side::First, Reason::Resignation),
        None,
        None,
    ];
    assert_eq!(endings, expected);
    // What is written is read back with the same reason.
    for ending in [draw, win(Side::First, Reason::Resignation), win(Side::Second, Reason::Forfeit), None] {
        let record = Record { ending, ..played::<Loa<8>>(&one("(;B[d1-b3])")) };
        assert_eq!(played::<Loa<8>>(&one(written("sgf", &[], &record))), record);
    }
    for (claim, winner) in [("B+", Side::First), ("w+r", Side::Second), ("White won", Side::Second), ("B", Side::First)]
    {
        assert_eq!(one(format!("(;RE[{claim}])")).ending, win(winner, Reason::Resignation), "{claim}");
    }
    let names = |result: &str| one(format!("(;PB[Player A]PW[Player B]RE[{result}])")).ending;
    assert_eq!(names("Game won by player a"), win(Side::First, Reason::Resignation));
    assert_eq!(names("Won by Player C"), None);
    assert_eq!(names("?"), None);
}

#[test]
fn set_ups() {
    let (games, errors) = read::<Loa<8>>("sgf", include_bytes!("../corpus/sgf/custom.sgf"));
    assert!(errors.is_empty(), "{errors:?}");
    let starts: Vec<String> = games.iter().map(|game| played::<Loa<8>>(game).start.to_string()).collect();
    assert_eq!(starts, ["7b/8/8/7w/2w5/8/1b6/b7 w", "1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 w"]);
    let file = written("sgf", &[], &played::<Loa<8>>(&games[0]));
    assert!(file.contains("SU[Custom]AB[a1][b2][h8]AW[c4][h5]\nPL[W]\n;W[c4-c5])"), "{file}");
    assert_eq!(moves(&read_one::<Loa<5>>("sgf", include_bytes!("../corpus/sgf/size5.sgf"))), "b1-b3 a2-c2");
}

#[test]
fn what_is_not_understood_is_refused_by_name() {
    let (games, errors) = read::<Loa<8>>("sgf", include_bytes!("../corpus/sgf/refused.sgf"));
    assert_eq!(games, []);
    let expected = [
        "column 5: GM[1] is not supported; expected 9, Lines of Action",
        "column 24: SU[Scrambled-Eggs] is not supported; expected Standard or Custom",
        "column 59: SZ[9] is not supported; expected 8",
        "column 63: AB and AW without SU[Custom] are not supported",
        "column 86: W moves first; expected B",
        "column 121: B[d8-b6]: two moves of one side in a row",
        "column 148: AE[a2] is not supported; expected stones to be put before the first move only",
        "column 172: W[a7-d7]: the game has been given up before",
        "column 199: AB[z9] is not supported; expected a square of the board",
    ];
    assert_eq!(errors, expected.map(|error| format!("line 1, {error}")));
    assert!(read_error::<Loa<5>>("sgf", "(;GM[9])").contains("SZ is missing, so the board is 8×8; expected SZ[5]"));
}

#[test]
fn the_reader_goes_on_with_the_next_tree() {
    let (games, errors) = read::<Loa<8>>("sgf", include_bytes!("../corpus/sgf/broken.sgf"));
    let expected = [
        "line 1, column 1: expected a game tree in (, found 'j'",
        "line 1, column 33: expected [ after the property B",
        "line 1, column 56: expected a property, ;, ( or ), found '5'",
        "line 1, column 78: the game tree is not closed by )",
    ];
    assert_eq!(errors, expected);
    assert_eq!(games.len(), 1);
    let error = read_error::<Loa<8>>("sgf", include_bytes!("../corpus/sgf/open-value.sgf"));
    assert_eq!(error, "line 1, column 19: the value is not closed by ]");
}

#[test]
fn writing() {
    let plain = one(include_bytes!("../corpus/sgf/plain.sgf"));
    let file = written("sgf", &plain.tags, &played::<Loa<8>>(&plain));
    let expected = "(;FF[4]GM[9]CA[UTF-8]AP[Lanista]SZ[8]PB[Player A]PW[Player B]DT[2024-01-02]\n\
                    RE[B+]\n\
                    ;B[d1-b3];W[h5-g4];B[b1-b4];W[g4:g1];B[b4-e7];W[a3:c1];B[b3-e6];W[h3:f1]\n\
                    ;B[e1-e5])\n\n";
    assert_eq!(file, expected);
}

#[test]
fn published_games_replay_to_their_end_in_both_formats() {
    let (games, errors) = read::<Loa<8>>("text", include_bytes!("../../src/loa/data/published-games.txt"));
    assert_eq!((games.len(), errors.len()), (16, 0));
    let mut collection = String::new();
    for game in &games {
        let record = played::<Loa<8>>(game);
        let name = game.tag("GN").unwrap();
        let reason = record.ending.map(|ending| ending.reason);
        let expected = if name.ends_with("incomplete") { None } else { Some(Reason::Board) };
        assert_eq!(reason, expected, "{name}");
        collection += &written("sgf", &game.tags, &record);
    }
    let (again, _) = read::<Loa<8>>("sgf", collection);
    for (game, again) in games.iter().zip(&again) {
        assert_eq!(played::<Loa<8>>(game), played::<Loa<8>>(again));
        assert_eq!(game.tag("GN"), again.tag("GN"));
    }
}
