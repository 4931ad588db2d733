//! A player that is another program: it speaks the protocol of `docs/protocol.md` on its standard input and output.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use lanista_core::{Budget, Decision, Observer, Player, Position, RandomStream, Referee, Score};
use lanista_search::parameters::PlayerInfo;

use super::message::{Message, quoted};

/// Another program as a player.
pub const ENGINE: PlayerInfo = PlayerInfo {
    name: "engine",
    about: "another program that speaks the engine protocol: engine:COMMAND, the rest of the text is its command line",
    parameters: &[],
};

/// A program must greet and get ready within this time.
const PATIENCE_AT_START: Duration = Duration::from_secs(20);
/// A program must answer so long after the time it was given.
const GRACE: Duration = Duration::from_secs(5);
/// A program without a time limit must answer within this time.
const PATIENCE: Duration = Duration::from_secs(3600);
/// How often the wish to stop is looked at.
const TICK: Duration = Duration::from_millis(20);
/// A program that was told to quit has so long to do it.
const FAREWELL: Duration = Duration::from_millis(500);

/// The program, started when it is first asked for a move.
pub struct External<M> {
    command: String,
    running: Option<Running>,
    failure: Option<String>,
    observer: Option<Arc<dyn Observer<M>>>,
}

struct Running {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl<M> External<M> {
    /// A player that will start this command line.
    pub fn new(command: &str) -> External<M> {
        External { command: command.to_string(), running: None, failure: None, observer: None }
    }

    fn decide<P: Position<Move = M>>(
        &mut self,
        game: &Referee<P>,
        budget: &Budget,
    ) -> Result<Option<Decision<M>>, String>
    where
        M: Copy + std::fmt::Display,
    {
        let running = match &mut self.running {
            Some(running) => running,
            None => self.running.insert(Running::start(&self.command)?),
        };
        let record = game.record(None);
        let moves: Vec<String> = record.moves.iter().map(ToString::to_string).collect();
        running.say(&format!("pos pos={} moves={}", quoted(&record.start.to_string()), quoted(&moves.join(" "))))?;
        let depth = budget.depth.map_or(String::new(), |depth| format!(" depth={depth}"));
        let nodes = budget.nodes.map_or(String::new(), |nodes| format!(" nodes={nodes}"));
        let time = budget.time.map_or(String::new(), |time| format!(" move-time={:.3}", time.as_secs_f64()));
        running.say(&format!("level{depth}{nodes}{time}"))?;
        running.say("go")?;
        let patience = budget.time.map_or(PATIENCE, |time| time + GRACE);
        let observer = self.observer.as_deref();
        let answer = running.wait_for("done", patience, || observer.is_some_and(Observer::wants_decision))?;
        let text = answer.get("move").ok_or("done without a move")?;
        if text == "resign" {
            return Ok(None);
        }
        let mv = game.position().parse_move(text).map_err(|error| format!("move {text:?}: {error}"))?;
        let number = |name: &str| answer.get(name).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
        let score = answer.get("score").and_then(read_score);
        Ok(Some(Decision { mv, score, depth: number("depth") as u32, nodes: number("nodes"), line: vec![mv] }))
    }
}

/// `0.31`, `win:5` or `loss:4`.
fn read_score(text: &str) -> Option<Score> {
    match text.split_once(':') {
        Some(("win", plies)) => Some(Score::win_in(plies.parse().ok()?)),
        Some(("loss", plies)) => Some(Score::loss_in(plies.parse().ok()?)),
        Some(_) => None,
        None => {
            text.parse::<f64>().ok().filter(|score| score.abs() < 8000.0).map(|score| Score((score * 100.0) as i32))
        }
    }
}

impl<P: Position> Player<P> for External<P::Move> {
    fn choose(&mut self, game: &Referee<P>, budget: &Budget, _random: &mut RandomStream) -> Option<Decision<P::Move>> {
        match self.decide(game, budget) {
            Ok(decision) => decision,
            Err(reason) => {
                self.failure = Some(format!("engine {:?}: {reason}", self.command));
                self.running = None;
                None
            }
        }
    }

    fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    fn observe(&mut self, observer: Arc<dyn Observer<P::Move>>) {
        self.observer = Some(observer);
    }
}

impl Running {
    fn start(command: &str) -> Result<Running, String> {
        let words = shell_words::split(command).map_err(|error| error.to_string())?;
        let (program, arguments) = words.split_first().ok_or("no command")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot be started: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("has no standard input and output".into());
        };
        let (sender, lines) = channel();
        // Ends when the program closes its output.
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut running = Running { child, input, lines };
        running.say("hello")?;
        running.wait_for("wait", PATIENCE_AT_START, || false)?;
        running.say("init")?;
        running.wait_for("ready", PATIENCE_AT_START, || false)?;
        running.say("new-game")?;
        Ok(running)
    }

    fn say(&mut self, line: &str) -> Result<(), String> {
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).map_err(|_| self.gone())
    }

    /// Reads lines until one begins with `word`. Sends `stop` once when `hurry` says so.
    fn wait_for(&mut self, word: &str, patience: Duration, hurry: impl Fn() -> bool) -> Result<Message, String> {
        let began = Instant::now();
        let mut stopped = false;
        loop {
            match self.lines.recv_timeout(TICK) {
                Ok(line) => match Message::parse(&line)? {
                    Some(message) if message.command == word => return Ok(message),
                    Some(message) if message.command == "error" => {
                        return Err(message.get("message").unwrap_or("an error without a message").to_string());
                    }
                    _ => {}
                },
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if hurry() && !std::mem::replace(&mut stopped, true) {
                self.say("stop")?;
            }
            let patience = if stopped { GRACE } else { patience };
            if began.elapsed() > patience {
                return Err(format!("no {word:?} within {:.0} s", patience.as_secs_f64()));
            }
        }
    }

    /// Says how the program ended.
    fn gone(&mut self) -> String {
        match self.ended(FAREWELL) {
            Some(status) => format!("ended by itself ({status})"),
            None => "closed its output".into(),
        }
    }

    fn ended(&mut self, within: Duration) -> Option<std::process::ExitStatus> {
        let began = Instant::now();
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if began.elapsed() > within {
                return None;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A program that has gone cannot be told to; one that does not listen is stopped.
        let _ = self.say("quit");
        if self.ended(FAREWELL).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
