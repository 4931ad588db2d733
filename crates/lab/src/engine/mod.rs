//! A player behind a line protocol, for other programs' boards and match managers. `docs/protocol.md` describes it.

pub mod client;
mod clock;
mod message;

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use lanista_core::{Decision, Observer, Player, RandomStream, Referee, Rules, Seed};

use crate::blobs::Blobs;
use crate::players::{PlayerSpec, SpecError};
use crate::registry::RegisteredGame;
use clock::Level;
use message::{Message, quoted};

/// Longer lines are refused.
const LONGEST_LINE: u64 = 1 << 16;

/// Serves a game with a player until `quit`, or until the input ends and a search under way has answered.
pub fn serve<G: RegisteredGame, W: Write + Send + 'static>(
    rules: &Rules<G>,
    spec: &PlayerSpec,
    mut input: impl BufRead,
    output: W,
) -> Result<(), ServeError> {
    let mut session = Session {
        rules,
        spec,
        game: Referee::new(rules),
        level: Level::default(),
        output: Arc::new(Mutex::new(output)),
        state: State::Idle(spec.build::<G>(&Blobs::default())?, Seed::new(0).stream()),
        stop: Arc::new(AtomicBool::new(false)),
    };
    loop {
        let line = match read_line(&mut input)? {
            Line::End => break,
            Line::Text(line) => line,
            Line::TooLong => {
                session.error(&format!("a line longer than {LONGEST_LINE} bytes"))?;
                continue;
            }
        };
        match Message::parse(&line) {
            Ok(None) => {}
            Ok(Some(message)) if message.command == "quit" => {
                session.stop.store(true, Ordering::Relaxed);
                break;
            }
            Ok(Some(message)) => session.handle(&message)?,
            Err(reason) => session.error(&reason)?,
        }
    }
    if let State::Thinking(thread, _) = session.state {
        // A player that broke down has said so on standard error.
        let _ = thread.join();
    }
    Ok(())
}

/// Why serving ended early.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The other program cannot be read from or written to.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The player cannot be built.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

enum Line {
    Text(String),
    TooLong,
    End,
}

/// One line, never more than the limit in memory. Bytes that are not UTF-8 become question marks.
fn read_line(input: &mut impl BufRead) -> io::Result<Line> {
    let mut bytes = Vec::new();
    if io::Read::take(&mut *input, LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(Line::End);
    }
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 == LONGEST_LINE {
        input.skip_until(b'\n')?;
        return Ok(Line::TooLong);
    }
    Ok(Line::Text(String::from_utf8_lossy(&bytes).into_owned()))
}

struct Session<'a, G: RegisteredGame, W> {
    rules: &'a Rules<G>,
    spec: &'a PlayerSpec,
    game: Referee<G>,
    level: Level,
    output: Arc<Mutex<W>>,
    state: State<G>,
    stop: Arc<AtomicBool>,
}

type Seat<G> = (Box<dyn Player<G>>, RandomStream);

enum State<G: RegisteredGame> {
    Idle(Box<dyn Player<G>>, RandomStream),
    /// With whether the answer is out: the other program may speak again before the thread is gone.
    Thinking(JoinHandle<Seat<G>>, Arc<AtomicBool>),
    /// Only while the state changes, or after the player broke down.
    Gone,
}

impl<G: RegisteredGame, W: Write + Send + 'static> Session<'_, G, W> {
    fn handle(&mut self, message: &Message) -> Result<(), ServeError> {
        match message.command.as_str() {
            "ping" => self.say("pong")?,
            "stop" => self.stop.store(true, Ordering::Relaxed),
            "hello" | "hub" => {
                let (version, game) = (env!("CARGO_PKG_VERSION"), G::ID);
                self.say(&format!(
                    "id name=Lanista version={version} game={game} player={}",
                    quoted(self.spec.text())
                ))?;
                self.say("wait")?;
            }
            "init" => self.say("ready")?,
            "new-game" | "pos" | "level" | "go" => match self.settle() {
                Err(reason) => self.error(&reason)?,
                Ok(()) => match self.change(message)? {
                    Ok(()) => {}
                    Err(reason) => self.error(&reason)?,
                },
            },
            other => {
                let other: String = other.chars().take(40).collect();
                let known = "hello, init, new-game, pos, level, go, stop, ping, quit";
                self.error(&format!("unknown command {other}, expected one of: {known}"))?;
            }
        }
        Ok(())
    }

    /// Takes the player back from a search that has ended; refuses while one is under way.
    fn settle(&mut self) -> Result<(), String> {
        match std::mem::replace(&mut self.state, State::Gone) {
            State::Thinking(thread, answered) if answered.load(Ordering::Acquire) || thread.is_finished() => {
                if let Ok((player, random)) = thread.join() {
                    self.state = State::Idle(player, random);
                }
            }
            thinking @ State::Thinking(..) => {
                self.state = thinking;
                return Err("a search is under way; send stop and wait for done".into());
            }
            idle => self.state = idle,
        }
        Ok(())
    }

    fn change(&mut self, message: &Message) -> Result<Result<(), String>, ServeError> {
        Ok(match message.command.as_str() {
            "new-game" => {
                self.state = State::Idle(self.spec.build::<G>(&Blobs::default())?, Seed::new(0).stream());
                self.game = Referee::new(self.rules);
                Ok(())
            }
            "pos" => self.set_position(message),
            "level" => Level::parse(&message.arguments).map(|level| self.level = level),
            _ => self.go(),
        })
    }

    fn set_position(&mut self, message: &Message) -> Result<(), String> {
        let known = ["pos", "moves"];
        if let Some((name, _)) = message.arguments.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            return Err(format!("pos has no argument {name}, expected pos=POSITION and moves=\"…\""));
        }
        let mut rules = self.rules.clone();
        match message.get("pos") {
            None | Some("start") => {}
            Some(text) => rules.start = G::position(text, &rules).map_err(|error| format!("pos={text}: {error}"))?,
        }
        let mut game = Referee::new(&rules);
        for (ply, text) in (1..).zip(message.get("moves").unwrap_or_default().split_whitespace()) {
            game.play_text(text).map_err(|error| format!("move {ply}, {text}: {error}"))?;
        }
        self.game = game;
        Ok(())
    }

    fn go(&mut self) -> Result<(), String> {
        if let Some(ending) = self.game.ending() {
            return Err(format!("the game is over ({}, {})", ending.outcome, ending.reason));
        }
        let State::Idle(mut player, mut random) = std::mem::replace(&mut self.state, State::Gone) else {
            return Err("the player broke down; send new-game".into());
        };
        self.stop = Arc::new(AtomicBool::new(false));
        let began = Instant::now();
        let (stop, output) = (Arc::clone(&self.stop), Arc::clone(&self.output));
        player.observe(Arc::new(Listener { stop, began, output: Arc::clone(&self.output) }));
        let (game, budget) = (self.game.clone(), self.level.budget());
        let answered = Arc::new(AtomicBool::new(false));
        let has_answered = Arc::clone(&answered);
        let thread = std::thread::spawn(move || {
            let done = match player.choose(&game, &budget, &mut random) {
                Some(decision) => {
                    format!("done move={} {}", quoted(&decision.mv.to_string()), describe(&decision, began))
                }
                None => "done move=resign".into(),
            };
            has_answered.store(true, Ordering::Release);
            // A reader that has gone away is noticed by the main loop.
            let _ = say(&output, &done);
            (player, random)
        });
        self.state = State::Thinking(thread, answered);
        Ok(())
    }

    fn say(&self, line: &str) -> io::Result<()> {
        say(&self.output, line)
    }

    fn error(&self, message: &str) -> io::Result<()> {
        self.say(&format!("error message={}", quoted(message)))
    }
}

/// Writes one line and sends it off.
fn say(output: &Mutex<impl Write>, line: &str) -> io::Result<()> {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    writeln!(output, "{line}")?;
    output.flush()
}

/// Passes on what the player reports while it thinks, and the other program's wish that it stop.
struct Listener<W> {
    stop: Arc<AtomicBool>,
    began: Instant,
    output: Arc<Mutex<W>>,
}

impl<M: std::fmt::Display, W: Write + Send> Observer<M> for Listener<W> {
    fn wants_decision(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn progress(&self, decision: &Decision<M>) {
        // A reader that has gone away is noticed by the main loop.
        let _ = say(&self.output, &format!("info {}", describe(decision, self.began)));
    }
}

fn describe<M: std::fmt::Display>(decision: &Decision<M>, began: Instant) -> String {
    let seconds = began.elapsed().as_secs_f64();
    let score = decision.score.map_or(String::new(), |score| match score.plies_to_end() {
        Some(plies) => format!("score={} ", if score.0 > 0 { format!("win:{plies}") } else { format!("loss:{plies}") }),
        None => format!("score={:.2} ", f64::from(score.0) / 100.0),
    });
    let line: Vec<String> = decision.line.iter().map(ToString::to_string).collect();
    format!("{score}depth={} nodes={} time={seconds:.3} pv={}", decision.depth, decision.nodes, quoted(&line.join(" ")))
}
