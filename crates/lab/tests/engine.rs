//! The engine protocol, as another program speaks it, and as garbage speaks it.

use std::io::{BufReader, Read, Write};
use std::sync::{Arc, Mutex};

use lanista_core::{Rules, Seed};
use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_lab::engine::serve;
use lanista_lab::players::PlayerSpec;
use lanista_lab::registry::RegisteredGame;

/// An output that can be read afterwards.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("not poisoned").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn rules<G: RegisteredGame>() -> Rules<G> {
    G::presets().remove(0)
}

fn talk<G: RegisteredGame>(input: &[u8]) -> Vec<String> {
    let output = Shared::default();
    let spec = PlayerSpec::parse("pvs:depth=3").expect("a good player");
    serve(&rules::<G>(), &spec, BufReader::new(input), output.clone()).expect("nothing breaks");
    let bytes = output.0.lock().expect("not poisoned").clone();
    String::from_utf8(bytes).expect("UTF-8").lines().map(String::from).collect()
}

#[test]
fn a_conversation() {
    let lines = talk::<ConnectFour>(b"hello\ninit\npos moves=\"4 1 4 1 4 1\"\nlevel depth=2\ngo\n");
    assert_eq!(
        lines[0],
        format!("id name=Lanista version={} game=connect-four player=pvs:depth=3", env!("CARGO_PKG_VERSION"))
    );
    assert_eq!(lines[1..3], ["wait", "ready"]);
    assert!(lines[3].starts_with("info score=win:1 depth=1 nodes="), "{lines:?}");
    let done = lines.last().expect("an answer");
    assert!(done.starts_with("done move=4 score=win:1 depth=1 "), "{done}");
}

/// A program that speaks again as soon as it has the answer.
struct Eager {
    answers: Shared,
    asked: usize,
    turns: usize,
}

impl Read for Eager {
    fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
        let answered = || {
            let bytes = self.answers.0.lock().expect("not poisoned").clone();
            String::from_utf8_lossy(&bytes).lines().filter(|line| line.starts_with("done")).count()
        };
        while answered() < self.asked {
            std::thread::yield_now();
        }
        if self.asked == self.turns {
            return Ok(0);
        }
        self.asked += 1;
        let line = b"go\n";
        room[..line.len()].copy_from_slice(line);
        Ok(line.len())
    }
}

/// An output that takes a while to send off what it has.
struct Slow(Shared);

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::thread::sleep(std::time::Duration::from_millis(5));
        Ok(())
    }
}

#[test]
fn after_the_answer_the_next_question() {
    let output = Shared::default();
    let spec = PlayerSpec::parse("pvs:depth=1").expect("a good player");
    let eager = Eager { answers: output.clone(), asked: 0, turns: 10 };
    let rules = rules::<ConnectFour>();
    serve(&rules, &spec, BufReader::new(eager), Slow(output.clone())).expect("nothing breaks");
    let bytes = output.0.lock().expect("not poisoned").clone();
    let text = String::from_utf8(bytes).expect("UTF-8");
    assert_eq!(text.lines().filter(|line| line.starts_with("done")).count(), 10, "{text}");
    assert!(!text.contains("error"), "{text}");
}

#[test]
fn mistakes_are_named_and_change_nothing() {
    let lines = talk::<Draughts>(
        b"pos moves=\"11-15\"\npos pos=nonsense\npos moves=\"11-15 11-15\"\nlevel depth=no\nfoo\npos \"\ngo\n",
    );
    assert!(lines[0].contains("pos=nonsense"), "{lines:?}");
    assert!(lines[1].contains("move 2, 11-15"), "{lines:?}");
    assert!(lines[2].contains("depth=no"), "{lines:?}");
    assert!(lines[3].contains("unknown command foo"), "{lines:?}");
    assert!(lines[4].contains("quote"), "{lines:?}");
    assert!(lines.last().is_some_and(|line| line.starts_with("done move=2")), "White moves: {lines:?}");
}

#[test]
fn the_end_of_the_game_is_an_error_and_ping_is_always_answered() {
    let lines = talk::<ConnectFour>(b"pos moves=\"4 1 4 1 4 1 4\"\ngo\nping\n");
    assert_eq!(lines, ["error message=\"the game is over (1-0, board)\"", "pong"]);
}

#[test]
fn stop_ends_a_search_without_limits() {
    let lines = talk::<Draughts>(b"level\ngo\nstop\nping\nquit\n");
    assert!(lines.iter().any(|line| line == "pong"));
    assert!(lines.last().is_some_and(|line| line.starts_with("done move=") || line == "pong"), "{lines:?}");
}

#[test]
fn garbage_does_no_harm() {
    let mut random = Seed::new(5).stream();
    let words: [&[u8]; 12] = [
        b"hello",
        b"init",
        b"pos",
        b"moves=",
        b"\"",
        b"level",
        b"go",
        b"stop",
        b"=",
        b"\xff\xfe",
        b"depth=1",
        b"11-15",
    ];
    for _ in 0..200 {
        let mut input = Vec::new();
        for _ in 0..random.below(60) {
            input.extend_from_slice(words[random.below(words.len() as u32) as usize]);
            input.push(if random.below(3) == 0 { b'\n' } else { b' ' });
        }
        talk::<Draughts>(&input);
    }
    let long = [b"pos moves=\"".as_slice(), &vec![b'1'; 200_000], b"\"\nping\n"].concat();
    let lines = talk::<Draughts>(&long);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("error") && lines[1] == "pong", "{lines:?}");
}
