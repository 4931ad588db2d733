//! `lanista play`: a game in the terminal.

use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use lanista_core::{Budget, Ending, MoveList, Outcome, Player, RandomStream, Reason, Referee, Seed, Side};
use lanista_games::files::GameFiles;
use lanista_lab::players::PlayerSpec;
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};

use crate::game_file;
use crate::output::{Output, remark};
use crate::output_file::{ForceRequest, replace, try_out};
use crate::request::PositionRequest;

/// Play in the terminal.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista play loa                          two people at one keyboard
  lanista play draughts --against random --side second
  lanista play connect-four --position 4455

At the prompt type a move, or: moves, undo, resign, board, position, help, quit.")]
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
    #[command(flatten)]
    force: ForceRequest,
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
        if let Some(path) = &command.save {
            let format = G::format_of_file(&path.to_string_lossy());
            // It takes one game: a file with several is a collection of somebody.
            let is_alike = || Ok(game_file::holds_games(path, &format, &rules, true));
            command.force.allow(path, &[], &format!("single {} game of {}", format.id, G::NAME), is_alike)?;
            // Better to know now than after the first move.
            try_out(path)?;
        }
        let opponent = match command.against.as_str() {
            "human" => None,
            spec => {
                let player = PlayerSpec::parse(spec)?.build::<G>(&Default::default())?;
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
                    match player.choose(&self.game, &Budget::default(), random) {
                        Some(decision) => {
                            self.output.line(format!("{} plays {}.", G::SIDES[side.index()], decision.mv))?;
                            self.game.play(decision.mv)?;
                        }
                        None => match player.failure().map(str::to_owned) {
                            None => self.resign(side)?,
                            Some(failure) => {
                                self.output.line(format!("{} breaks down: {failure}.", G::SIDES[side.index()]))?;
                                self.lose(side, Reason::Forfeit);
                            }
                        },
                    }
                }
                _ => {
                    if let Answer::Quit = self.ask(input)? {
                        break;
                    }
                }
            }
            // Nobody wants to lose the game because the disk is full.
            if let Err(error) = self.save() {
                remark(format!("lanista: warning: the game is not saved: {error:#}"));
            }
        }
        let picture = self.game.position().picture();
        if self.game.ending().is_some() && before.as_ref() != Some(&picture) {
            self.output.board(&picture, before.as_ref())?;
        }
        self.say_result()
    }

    fn resign(&mut self, side: Side) -> anyhow::Result<()> {
        self.output.line(format!("{} resigns.", G::SIDES[side.index()]))?;
        self.lose(side, Reason::Resignation);
        Ok(())
    }

    fn lose(&mut self, side: Side, reason: Reason) {
        self.game.end(Ending { outcome: Outcome::Win(!side), reason });
    }

    fn save(&self) -> anyhow::Result<()> {
        let Some(path) = &self.save else { return Ok(()) };
        let format = G::format_of_file(&path.to_string_lossy());
        replace(path, |out| Ok(format.write_game(out, &[], &self.game.record(None))?))
    }

    /// Asks until a move is played or the person gives up.
    fn ask(&mut self, input: &mut dyn BufRead) -> anyhow::Result<Answer> {
        loop {
            let side = self.game.position().side_to_move();
            self.output.text(format!("{}> ", G::SIDES[side.index()]))?;
            let mut line = Vec::new();
            if input.read_until(b'\n', &mut line).context("standard input")? == 0 {
                self.output.line("")?;
                return Ok(Answer::Quit);
            }
            // What is not UTF-8 is no move, and is answered like anything else that is none.
            let line = String::from_utf8_lossy(&line);
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
                "resign" => {
                    self.resign(side)?;
                    return Ok(Answer::Go);
                }
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
             resign     give the game up\n  \
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
                    Outcome::Win(side) => format!("{} wins", G::SIDES[side.index()]),
                    Outcome::Draw => "Draw".into(),
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

#[cfg(test)]
mod tests {
    use lanista_core::{Decision, Game, Position};
    use lanista_games::loa::{Loa, LoaMove};

    use super::*;

    /// Plays one move, then gives up or breaks down.
    struct Quitter {
        failure: Option<&'static str>,
        moved: bool,
    }

    impl Player<Loa<8>> for Quitter {
        fn choose(
            &mut self,
            game: &Referee<Loa<8>>,
            _budget: &Budget,
            _random: &mut RandomStream,
        ) -> Option<Decision<LoaMove>> {
            if std::mem::replace(&mut self.moved, true) {
                return None;
            }
            let mut moves = MoveList::new();
            game.position().legal_moves(&mut moves);
            Some(Decision::blind(moves[0]))
        }

        fn failure(&self) -> Option<&str> {
            self.failure
        }
    }

    /// The ending, and the result in the saved file.
    fn played_against(name: &str, failure: Option<&'static str>) -> (Option<Ending>, String) {
        let path = std::env::temp_dir().join(format!("lanista-play-{}-{name}.sgf", std::process::id()));
        let mut output = Output::silent();
        let mut table = Table {
            output: &mut output,
            game: Referee::new(&Loa::<8>::presets()[0]),
            opponent: Some((Side::First, Box::new(Quitter { failure, moved: false }), Seed::new(0).stream())),
            save: Some(path.clone()),
        };
        table.play(&mut "a5-c5\n".as_bytes()).expect("the game ends without an error");
        let saved = std::fs::read_to_string(&path).expect("saved");
        std::fs::remove_file(&path).expect("the file can be removed");
        let result = saved.split("RE[").nth(1).and_then(|rest| rest.split(']').next()).unwrap_or_default();
        (table.game.ending(), result.to_owned())
    }

    #[test]
    fn a_player_that_gives_up_or_breaks_down_ends_the_game() {
        let lost = |reason| Some(Ending { outcome: Outcome::Win(Side::Second), reason });
        assert_eq!(played_against("resigns", None), (lost(Reason::Resignation), "W+Resign".into()));
        assert_eq!(played_against("breaks", Some("broken")), (lost(Reason::Forfeit), "W+Forfeit".into()));
    }
}
