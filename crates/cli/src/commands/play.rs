//! `lanista play`: a game in the terminal.

use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use lanista_core::{Budget, MoveList, Player, RandomStream, Referee, Seed, Side};
use lanista_games::files::GameFiles;
use lanista_lab::players::PlayerSpec;
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};

use crate::game_file;
use crate::output::Output;
use crate::request::PositionRequest;

/// Play in the terminal.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista play loa                          two people at one keyboard
  lanista play draughts --against random --side second
  lanista play connect-four --position 4455

At the prompt type a move, or: moves, undo, board, position, help, quit.")]
pub struct PlayCommand {
    #[command(flatten)]
    request: PositionRequest,
    /// Who plays the other side: `human`, or a player such as `random` or `pvs:movetime=500`.
    #[arg(long, value_name = "PLAYER", default_value = "human")]
    against: String,
    /// Your side, when you do not play both.
    #[arg(long, value_enum, default_value_t = Seat::First)]
    side: Seat,
    /// Keep the game in this file, written anew after every move. The end of its name tells the format.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// The seed of the player's random choices; a new one each time if not given.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Seat {
    /// Moves first.
    First,
    /// Moves second.
    Second,
}

struct Run<'a>(PlayCommand, &'a mut Output);

/// A game at the terminal.
struct Table<'a, G: GameFiles> {
    output: &'a mut Output,
    game: Referee<G>,
    opponent: Option<(Side, Box<dyn Player<G>>, RandomStream)>,
    save: Option<PathBuf>,
}

/// What the person at the keyboard decided.
enum Answer {
    Go,
    Quit,
}

impl GameVisitor for Run<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: RegisteredGame>(self) -> anyhow::Result<()> {
        let Run(command, output) = self;
        anyhow::ensure!(!output.is_json(), "play is for people: it has no --json");
        let rules = command.request.rules::<G>()?;
        let opponent = match command.against.as_str() {
            "human" => None,
            spec => {
                let player = PlayerSpec::parse(spec)?.build::<G>()?;
                let side = match command.side {
                    Seat::First => Side::Second,
                    Seat::Second => Side::First,
                };
                let seed = command.seed.unwrap_or_else(fresh_seed);
                Some((side, player, Seed::new(seed).stream()))
            }
        };
        Table { output, game: Referee::new(&rules), opponent, save: command.save }.play(&mut std::io::stdin().lock())
    }
}

/// A seed that is new each time: the time in nanoseconds. Games for people need not repeat.
fn fresh_seed() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |time| time.as_nanos() as u64)
}

impl<G: GameFiles> Table<'_, G> {
    fn play(&mut self, input: &mut dyn BufRead) -> anyhow::Result<()> {
        self.output.line(format!("{}. Type a move, or help.", G::NAME))?;
        let mut before = None;
        while self.game.ending().is_none() {
            let picture = self.game.position().picture();
            self.output.board(&picture, before.as_ref())?;
            before = Some(picture);
            let side = self.game.position().side_to_move();
            match &mut self.opponent {
                Some((seat, player, random)) if *seat == side => {
                    let decision =
                        player.choose(&self.game, &Budget::default(), random).context("the opponent resigned")?;
                    self.output.line(format!("{} plays {}.", G::SIDES[side.index()], decision.mv))?;
                    self.game.play(decision.mv)?;
                }
                _ => {
                    if let Answer::Quit = self.ask(input)? {
                        break;
                    }
                }
            }
            self.save()?;
        }
        if self.game.ending().is_some() {
            self.output.board(&self.game.position().picture(), before.as_ref())?;
        }
        self.say_result()
    }

    fn save(&self) -> anyhow::Result<()> {
        let Some(path) = &self.save else { return Ok(()) };
        let format = G::format_of_file(&path.to_string_lossy());
        game_file::replace(path, |out| Ok(format.write_game(out, &[], &self.game.record(None))?))
    }

    /// Asks until a move is played or the person gives up.
    fn ask(&mut self, input: &mut dyn BufRead) -> anyhow::Result<Answer> {
        loop {
            let side = self.game.position().side_to_move();
            self.output.text(format!("{}> ", G::SIDES[side.index()]))?;
            let mut line = String::new();
            if input.read_line(&mut line).context("standard input")? == 0 {
                self.output.line("")?;
                return Ok(Answer::Quit);
            }
            if !std::io::stdin().is_terminal() {
                // Nobody saw the line being typed.
                self.output.line(line.trim())?;
            }
            match line.trim() {
                "" => {}
                "quit" | "q" | "exit" => return Ok(Answer::Quit),
                "help" | "?" => self.help()?,
                "moves" => self.list_moves()?,
                "board" => self.output.board(&self.game.position().picture(), None)?,
                "position" => self.output.line(self.game.position())?,
                "undo" => {
                    if self.undo() {
                        return Ok(Answer::Go);
                    }
                    self.output.line("There is nothing to take back.")?;
                }
                text => match self.game.play_text(text) {
                    Ok(()) => return Ok(Answer::Go),
                    Err(error) => self.output.line(error)?,
                },
            }
        }
    }

    /// Takes back one move, or two against a player, so that it is the person's turn again.
    fn undo(&mut self) -> bool {
        let side = self.game.position().side_to_move();
        let plies = if self.opponent.is_some() { 2 } else { 1 };
        if self.game.moves().len() < plies {
            return false;
        }
        for _ in 0..plies {
            self.game.undo();
        }
        debug_assert!(plies == 1 || self.game.position().side_to_move() == side);
        true
    }

    fn help(&mut self) -> anyhow::Result<()> {
        self.output.line(
            "  a move     play it: `moves` shows how they are written\n  \
             moves      list the legal moves\n  \
             undo       take back\n  \
             board      draw the board\n  \
             position   print the position as text\n  \
             quit       stop and print the moves",
        )?;
        Ok(())
    }

    fn list_moves(&mut self) -> anyhow::Result<()> {
        let mut moves = MoveList::new();
        self.game.position().legal_moves(&mut moves);
        let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
        self.output.line(texts.join(" "))?;
        Ok(())
    }

    fn say_result(&mut self) -> anyhow::Result<()> {
        let moves: Vec<String> = self.game.moves().iter().map(ToString::to_string).collect();
        match self.game.ending() {
            Some(ending) => {
                let winner = match ending.outcome {
                    lanista_core::Outcome::Win(side) => format!("{} wins", G::SIDES[side.index()]),
                    lanista_core::Outcome::Draw => "Draw".into(),
                };
                self.output.line(format!("{winner} ({}, {}).", ending.outcome, ending.reason))?;
            }
            None => self.output.line("Stopped.")?,
        }
        if !moves.is_empty() {
            self.output.line(format!("Moves: {}", moves.join(" ")))?;
        }
        std::io::stdout().flush()?;
        Ok(())
    }
}

impl PlayCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let game = self.request.game.game.clone();
        registry::visit(&game, Run(self, output))?
    }
}
