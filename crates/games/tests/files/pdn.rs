//! PDN.

use lanista_core::{Ending, Game, Outcome, Reason, Side};
use lanista_games::draughts::Draughts;
use lanista_games::files::{FileGame, FileMove, check};

use super::{moves, played, read, read_error, read_one, tags, written};

fn one(file: impl AsRef<[u8]>) -> FileGame {
    read_one::<Draughts>("pdn", file)
}

fn claimed(game: &FileGame) -> Option<Outcome> {
    game.ending.map(|ending| ending.outcome)
}

#[test]
fn everything_that_is_not_a_move_is_skipped() {
    let game = one(include_bytes!("../corpus/pdn/comments.pdn"));
    assert_eq!(tags(&game), [("Event", "Annotated"), ("Annotator", "Player \"C\" of C:\\games")]);
    assert_eq!(moves(&game), "11-15 23-19 8-11 22-17 11-16 24-20 16x23 27x11 7x16 20x11");
    assert_eq!((game.line, claimed(&game)), (2, None));
    assert_eq!(game.moves[3], FileMove { text: "22-17".into(), line: 7, column: 1 });
    assert_eq!(played::<Draughts>(&game).moves.len(), 10);
}

#[test]
fn archives_write_steps_with_x_and_results_twice() {
    let game = one(include_bytes!("../corpus/pdn/archive.pdn"));
    assert_eq!(played::<Draughts>(&game).moves.len(), 19);
    assert_eq!(claimed(&game), Some(Outcome::Draw));
}

#[test]
fn line_ends_and_encodings() {
    for file in [&include_bytes!("../corpus/pdn/windows.pdn")[..], include_bytes!("../corpus/pdn/macintosh.pdn")] {
        assert_eq!(moves(&one(file)), "9-13 22-18 6-9");
    }
    let windows = one(include_bytes!("../corpus/pdn/windows.pdn"));
    assert_eq!((windows.line, windows.moves[2].line, windows.moves[2].column), (1, 12, 4));
    assert_eq!(one(include_bytes!("../corpus/pdn/latin1.pdn")).tag("event"), Some("Café ß"));
    // Columns count characters.
    let error = read_error::<Draughts>("pdn", include_bytes!("../corpus/pdn/utf8.pdn"));
    assert!(error.starts_with("line 3, column 15: expected a tag, a move or a result"), "{error}");
}

#[test]
fn results_belong_to_the_side_that_begins() {
    let (games, errors) = read::<Draughts>("pdn", include_bytes!("../corpus/pdn/results.pdn"));
    let (black, white) = (Some(Outcome::Win(Side::First)), Some(Outcome::Win(Side::Second)));
    let draw = Some(Outcome::Draw);
    let results: Vec<Option<Outcome>> = games.iter().map(claimed).collect();
    assert_eq!(results, [black, white, black, white, draw, None, None, black, white, None]);
    assert!(errors.is_empty());
}

#[test]
fn the_board_goes_before_the_claim() {
    let game = one("[FEN \"B:W14:B9,10\"]\n[Result \"0-1\"]\n1. 9x18 0-1");
    let board = Ending { outcome: Outcome::Win(Side::First), reason: Reason::Board };
    assert_eq!(played::<Draughts>(&game).ending, Some(board));
    let game = one("[Result \"0-1\"]\n1. 9-13 0-1");
    let claim = Ending { outcome: Outcome::Win(Side::Second), reason: Reason::Resignation };
    assert_eq!(played::<Draughts>(&game).ending, Some(claim));
    let agreed = Some(Ending { outcome: Outcome::Draw, reason: Reason::Agreement });
    for file in ["[Result \"1/2-1/2\"]\n1. 9-13 *", "1. 9-13 1-1"] {
        let record = played::<Draughts>(&one(file));
        assert_eq!(record.ending, agreed, "{file}");
        assert_eq!(played::<Draughts>(&one(written("pdn", &[], &record))), record);
    }
}

#[test]
fn set_ups() {
    let (games, errors) = read::<Draughts>("pdn", include_bytes!("../corpus/pdn/setup.pdn"));
    assert_eq!((games.len(), errors.len()), (4, 0), "{errors:?}");
    let records: Vec<_> = games.iter().map(played::<Draughts>).collect();
    assert_eq!(records[0].moves.last().unwrap().jumps(), 9, "the longest capture there is");
    assert_eq!(records[1].start.to_string(), "B:WK10,K15,18,24,27,28:B12,16,20,K22,K25,K29");
    assert_eq!(records[2].start, Draughts::default());
    assert!(written("pdn", &[], &records[3]).ends_with("\n1... 22-18 2. 11-15 18x11 *\n\n"));

    let game = one("[Event \"x\"]\n\n[FEN \"B:W1:B33\"]\n1. 9-13 *");
    let entry = check(&game, &Draughts::presets()[0]).unwrap_err();
    assert_eq!((entry.ply, entry.mv.as_str(), entry.line), (0, "", 1));
    assert!(entry.reason.starts_with("start position \"B:W1:B33\": column "), "{entry}");
}

#[test]
fn games_without_tags() {
    let (games, errors) = read::<Draughts>("pdn", include_bytes!("../corpus/pdn/no-tags.pdn"));
    let found: Vec<(u64, String)> = games.iter().map(|game| (game.line, moves(game))).collect();
    let expected = [(1, "11-15 23-19"), (2, "9-13"), (2, "9-14 22-18"), (4, "12-16")];
    assert_eq!(found, expected.map(|(line, moves)| (line, moves.to_owned())));
    assert!(errors.is_empty());
    let (games, _) = read::<Draughts>("pdn", include_bytes!("../corpus/pdn/several.pdn"));
    assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [4, 2, 0, 0]);
    assert!(read::<Draughts>("pdn", "").0.is_empty());
    assert_eq!(one("1-0\n9-13 (\n% )\n) 22-18 *").ending, None, "a result before any game belongs to none");
}

#[test]
fn what_is_not_understood_is_refused_by_name() {
    let (games, errors) = read::<Draughts>("pdn", include_bytes!("../corpus/pdn/other-games.pdn"));
    let expected = [
        "line 1, column 1: GameType \"20\": expected English draughts, 21",
        "line 5, column 4: \"c3-d4\": expected squares as numbers, as in 11-15, not letters",
        "line 8, column 4: \"a3-b4\": expected squares as numbers, as in 11-15, not letters",
        "line 11, column 9: a set-up inside a game (/FEN …/) is not supported",
    ];
    assert_eq!(errors, expected);
    assert_eq!(games.len(), 1);
}

#[test]
fn the_reader_goes_on_at_the_next_tag_section() {
    let (games, errors) = read::<Draughts>("pdn", include_bytes!("../corpus/pdn/broken-tags.pdn"));
    let expected = [
        "line 1, column 8: expected a tag like [Event \"name\"]",
        "line 5, column 9: the value of the tag is not closed by \"",
        "line 9, column 2: expected a tag like [Event \"name\"]",
        "line 16, column 1: the tag Event is not closed by ]",
        "line 17, column 2: expected a tag like [Event \"name\"]",
    ];
    assert_eq!(errors, expected);
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].tag("Event"), Some("fine"));

    let (games, errors) = read::<Draughts>("pdn", include_bytes!("../corpus/pdn/open-variation.pdn"));
    assert_eq!(
        errors,
        [
            "line 2, column 9: the variation is not closed by )",
            "line 5, column 9: expected a tag, a move or a result, found ')'",
        ]
    );
    assert_eq!(games.len(), 1);
    let (games, errors) = read::<Draughts>("pdn", include_bytes!("../corpus/pdn/open-comment.pdn"));
    assert_eq!((games.len(), errors), (0, vec!["line 2, column 9: the comment is not closed by }".to_owned()]));
}

#[test]
fn an_illegal_move_is_named_with_its_place() {
    let game = one("[Event \"x\"]\n1. 11-15 23-19\n2. 8-12 *");
    let entry = check(&game, &Draughts::presets()[0]).unwrap_err();
    assert_eq!((entry.ply, entry.mv.as_str(), entry.line, entry.column), (3, "8-12", 3, 4));
    assert!(entry.reason.starts_with("8-12: not a legal move"), "{entry}");
    let game = one("[FEN \"B:W14:B9,10\"]\n1. 9x18 14-9 *");
    let entry = check(&game, &Draughts::presets()[0]).unwrap_err();
    assert_eq!((entry.ply, entry.reason.as_str()), (2, "the game is over (1-0, board)"));
}

#[test]
fn rules_that_look_back_do_not_apply() {
    let there_and_back = "1-6 32-27 6-1 27-32 ".repeat(30);
    let game = one(format!("[FEN \"B:WK32:BK1\"]\n{there_and_back} 1/2-1/2"));
    let record = played::<Draughts>(&game);
    assert_eq!(record.moves.len(), 120);
    assert_eq!(record.rules, "english,repetition=none,no-progress=none");
    assert!(Draughts::rules(&record.rules).is_ok());
}

#[test]
fn writing() {
    let game = one(include_bytes!("../corpus/pdn/plain.pdn"));
    let record = played::<Draughts>(&game);
    let file = written("pdn", &game.tags, &record);
    assert_eq!(file.trim_end(), include_str!("../corpus/pdn/plain.pdn").trim_end());
    assert!(file.lines().all(|line| line.len() < 80));

    let tags = [("Date".into(), "\"\\\n".into()), ("Not a tag".into(), String::new()), ("Note".into(), "kept".into())];
    let file = written("pdn", &tags, &played::<Draughts>(&one("1. 9-13 *")));
    let expected = r#"[Event "?"]
[Site "?"]
[Date "\"\\ "]
[Round "?"]
[Black "?"]
[White "?"]
[Result "*"]
[GameType "21,B,8,8,N1,0"]
[Note "kept"]

1. 9-13 *

"#;
    assert_eq!(file, expected);
    assert_eq!(one(&file).tag("Date"), Some("\"\\ "));
}
