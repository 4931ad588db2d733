//! Players as text: `pvs:depth=6,eval=mia4`. The same text works on the command line and in files.

use std::sync::Arc;

use lanista_core::{Evaluator, Evaluators, ParseError, Player, Tactics};
use lanista_games::loa::{COM_ABOUT, COM_NAME};
use lanista_search::ants::{ANTS, Ants};
use lanista_search::best_three::{BEST_THREE, BestThree};
use lanista_search::evaluators::{HashRandom, Zero};
use lanista_search::greedy::{GREEDY, Greedy};
use lanista_search::lookahead::{LOOKAHEAD, Lookahead};
use lanista_search::mcts::{MCTS, Mcts};
use lanista_search::parameters::{Kind, PlayerInfo, Settings};
use lanista_search::plain::{self, Order, Plain};
use lanista_search::pvs::{PVS, Pvs};
use lanista_search::stochastic::{STOCHASTIC, Stochastic};
use lanista_search::win_block::{WIN_BLOCK, WinBlock};
use lanista_search::{RANDOM, RandomPlayer};

use crate::blobs::Blobs;
use crate::engine::client::{ENGINE, External};
use crate::jobs::Bounds;
use crate::learning::{GENOME, Mind, grown, network};

/// The longest text of a player, of rules, of a name of a file.
pub const LONGEST_TEXT: usize = 4096;
/// How deep players may stand inside each other.
const DEEPEST: usize = 4;

/// Why a text makes no player.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// The text is wrong.
    #[error("player {text:?}: {error}")]
    Text {
        /// The whole text.
        text: String,
        /// Where and why.
        error: ParseError,
    },
    /// A file that the text names cannot be read or used.
    #[error("player {text:?}: {file}: {reason}")]
    File {
        /// The whole text.
        text: String,
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// All players, in the order in which people should meet them.
pub const PLAYERS: &[PlayerInfo] = &[
    RANDOM,
    WIN_BLOCK,
    COM,
    GREEDY,
    BEST_THREE,
    LOOKAHEAD,
    STOCHASTIC,
    plain::MINIMAX,
    plain::ALPHABETA,
    plain::ALPHABETA_RANDOM,
    plain::ALPHABETA_HEURISTIC,
    plain::ALPHABETA_QUICK,
    PVS,
    MCTS,
    ANTS,
    ENGINE,
];

/// The player that only Lines of Action has.
const COM: PlayerInfo = PlayerInfo { name: COM_NAME, about: COM_ABOUT, parameters: &[] };

/// A player as data: checked, and ready to be built as often as needed.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    text: String,
    info: &'static PlayerInfo,
    settings: Settings,
    /// The player inside it, if its text has one.
    inner: Option<Box<PlayerSpec>>,
}

impl PlayerSpec {
    /// Reads `NAME` or `NAME:parameter=value,…`.
    pub fn parse(text: &str) -> Result<PlayerSpec, SpecError> {
        if text.len() > LONGEST_TEXT {
            let start: String = text.chars().take(40).collect();
            let message = format!("{} bytes, expected at most {LONGEST_TEXT}", text.len());
            return Err(SpecError::Text { text: format!("{start}…"), error: ParseError::new(1, message) });
        }
        PlayerSpec::parse_at(text, 0)
    }

    /// Reads a player that stands inside `depth` others.
    fn parse_at(text: &str, depth: usize) -> Result<PlayerSpec, SpecError> {
        let fail = |error| SpecError::Text { text: text.to_string(), error };
        let (name, values) = text.split_once(':').unwrap_or((text, ""));
        let info = PLAYERS.iter().find(|info| info.name == name).ok_or_else(|| {
            let names: Vec<&str> = PLAYERS.iter().map(|info| info.name).collect();
            fail(ParseError::new(1, format!("unknown player {name:?}, expected one of: {}", names.join(", "))))
        })?;
        // What follows `engine:` is a command, not a list of parameters.
        let is_engine = info.name == ENGINE.name;
        if is_engine {
            shell_words::split(values).ok().filter(|words| !words.is_empty()).ok_or_else(|| {
                fail(ParseError::new(8, "expected engine:COMMAND, as in engine:lanista engine loa".to_string()))
            })?;
        }
        let values = if is_engine { "" } else { values };
        let settings = Settings::parse(info, values, name.chars().count() + 2).map_err(fail)?;
        let parameter = info.parameters.iter().find(|parameter| parameter.kind == Kind::Player);
        let inner = match parameter.map_or("", |parameter| settings.text(parameter.name)) {
            "" => None,
            _ if depth == DEEPEST => {
                let message = format!("players inside players, expected at most {DEEPEST} deep");
                return Err(fail(ParseError::new(1, message)));
            }
            inner => Some(Box::new(PlayerSpec::parse_at(without_brackets(inner), depth + 1)?)),
        };
        Ok(PlayerSpec { text: text.to_string(), info, settings, inner })
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it plays any legal move, all equally likely.
    pub fn is_random(&self) -> bool {
        self.info.name == RANDOM.name
    }

    /// Whether it is another program.
    pub fn is_engine(&self) -> bool {
        self.info.name == ENGINE.name
    }

    /// It, the player inside it, the one inside that, and so on.
    pub fn with_inner(&self) -> impl Iterator<Item = &PlayerSpec> {
        std::iter::successors(Some(self), |spec| spec.inner.as_deref())
    }

    /// The megabytes of its own table or tree: what its text asks for, or else the default.
    pub fn megabytes(&self) -> u64 {
        self.own("table").unwrap_or(0) + self.own("memory").unwrap_or(0)
    }

    /// Its own threads: what its text asks for, or else the default.
    pub fn threads(&self) -> u64 {
        self.own("threads").unwrap_or(1)
    }

    /// The value of a parameter that not all players have.
    fn own(&self, name: &str) -> Option<u64> {
        let is_known = self.info.parameters.iter().any(|parameter| parameter.name == name);
        is_known.then(|| self.settings.whole(name)).flatten()
    }

    /// Whether it asks for no more than is built for others.
    fn is_modest(&self) -> Result<(), SpecError> {
        let Bounds { megabytes, threads, .. } = Bounds::default();
        for (asked, most, unit) in [(self.megabytes(), megabytes, "MB"), (self.threads(), threads, "threads")] {
            if asked > most {
                let error = ParseError::new(1, format!("{asked} {unit}, expected at most {most} here"));
                return Err(SpecError::Text { text: self.text.clone(), error });
            }
        }
        Ok(())
    }

    /// The same player with every file in its text replaced by a reference to its content, which is put into `blobs`:
    /// it plays the same wherever and whenever it is built.
    pub fn pinned(&self, blobs: &Blobs) -> Result<PlayerSpec, SpecError> {
        let mut text = self.text.clone();
        while let Some((at, file)) = file_in(&text) {
            let (reference, _) = blobs.load(&file).map_err(|reason| SpecError::File {
                text: self.text.clone(),
                file: file.clone(),
                reason,
            })?;
            text.replace_range(at..at + file.len(), &reference);
        }
        PlayerSpec::parse(&text)
    }

    /// A fresh player. Files are read from the disk, references to content from `blobs`.
    pub fn build<G: Tactics + Evaluators>(&self, blobs: &Blobs) -> Result<Box<dyn Player<G>>, SpecError> {
        self.build_with(blobs, None)
    }

    /// A fresh player whose evaluator [`GENOME`] is what a learner made. Where `blobs` are sealed, the player works for others: then
    /// it gets no more memory and threads than a worker gives ([`Bounds`]).
    pub fn build_with<G: Tactics + Evaluators>(
        &self,
        blobs: &Blobs,
        genome: Option<&Mind<G>>,
    ) -> Result<Box<dyn Player<G>>, SpecError> {
        if blobs.is_sealed() {
            self.is_modest()?;
        }
        let settings = &self.settings;
        let plain = |order| -> Result<Box<dyn Player<G>>, SpecError> {
            Ok(Box::new(Plain::new(order, settings, self.evaluator(blobs, genome)?)))
        };
        match self.info.name {
            "random" => Ok(Box::new(RandomPlayer)),
            "minimax" => plain(None),
            "alphabeta" => plain(Some(Order::Natural)),
            "alphabeta-random-order" => plain(Some(Order::Random)),
            "alphabeta-heuristic-order" => plain(Some(Order::Heuristic)),
            "alphabeta-quick" => plain(Some(Order::Quick)),
            "pvs" => {
                self.check_memory(settings.whole("table").unwrap_or(0))?;
                let mut evaluators = (0..settings.whole("threads").unwrap_or(1))
                    .map(|_| self.evaluator(blobs, genome))
                    .collect::<Result<Vec<_>, SpecError>>()?;
                Ok(Box::new(Pvs::new(settings, || evaluators.pop().unwrap_or_else(|| Box::new(Zero)))))
            }
            "mcts" => Ok(Box::new(Mcts::new(settings, self.evaluator(blobs, genome)?))),
            "ants" => Ok(Box::new(Ants::new(settings, self.evaluator(blobs, genome)?))),
            "win-block" => Ok(Box::new(WinBlock)),
            "greedy" => Ok(Box::new(Greedy::new(settings, self.evaluator(blobs, genome)?))),
            "best-three" => match &self.inner {
                None => Ok(Box::new(BestThree::new(settings, self.evaluator(blobs, genome)?))),
                Some(of) => Ok(Box::new(BestThree::of(settings, of.build_with(blobs, genome)?))),
            },
            "lookahead" => Ok(Box::new(Lookahead::new(settings, self.evaluator(blobs, genome)?))),
            "stochastic" => Ok(Box::new(Stochastic::new(settings))),
            COM_NAME => G::own_player(COM_NAME).ok_or_else(|| SpecError::Text {
                text: self.text.clone(),
                error: ParseError::new(1, format!("{COM_NAME} plays Lines of Action only, not {}", G::ID)),
            }),
            "engine" if blobs.is_sealed() => Err(SpecError::Text {
                text: self.text.clone(),
                error: ParseError::new(1, "players that start other programs are out of reach here"),
            }),
            "engine" => Ok(Box::new(External::new(self.command()))),
            name => unreachable!("{name} is listed in PLAYERS but not built"),
        }
    }

    /// Whether this machine can have a table of so many megabytes.
    fn check_memory(&self, megabytes: u64) -> Result<(), SpecError> {
        if has_room(megabytes) {
            return Ok(());
        }
        let column = self.text.find("table=").map_or(1, |at| self.text[..at].chars().count() + 1);
        let message = format!("this machine has no room for a table of {megabytes} MB");
        Err(SpecError::Text { text: self.text.clone(), error: ParseError::new(column, message) })
    }

    /// The evaluator that the text asks for, or the game's first.
    fn evaluator<G: Tactics + Evaluators>(
        &self,
        blobs: &Blobs,
        genome: Option<&Mind<G>>,
    ) -> Result<Box<dyn Evaluator<G>>, SpecError> {
        let parameter = self.info.parameters.iter().find(|parameter| parameter.kind == Kind::Evaluator);
        let text = parameter.map_or("", |parameter| self.settings.text(parameter.name));
        let (name, file) = match text.split_once('@') {
            Some((name, file)) => (name, Some(file)),
            None if text.is_empty() => (G::evaluators().first().map_or("zero", |info| info.name), None),
            None => (text, None),
        };
        let data = file.map(|file| self.read(file, blobs)).transpose()?;
        let wrong_data =
            |reason| SpecError::File { text: self.text.clone(), file: file.unwrap_or("(no file)").to_string(), reason };
        match (name, genome) {
            ("zero", _) => return Ok(Box::new(Zero)),
            ("hash-random", _) => return Ok(Box::new(HashRandom::default())),
            (GENOME, Some(mind)) => return mind.evaluator().map_err(wrong_data),
            ("mlp", _) => return network::<G>(data.as_deref()).and_then(|mind| mind.evaluator()).map_err(wrong_data),
            ("neat", _) => return grown::<G>(data.as_deref()).and_then(|mind| mind.evaluator()).map_err(wrong_data),
            _ => {}
        }
        G::evaluator(name, data.as_deref()).map_err(wrong_data)?.ok_or_else(|| {
            let mut known: Vec<&str> = G::evaluators().iter().map(|info| info.name).collect();
            known.extend(["zero", "hash-random", "mlp@FILE", "neat@FILE"]);
            let message = format!("{} has no evaluator {name:?}, expected one of: {}", G::ID, known.join(", "));
            let column = self.text.find("eval=").map_or(1, |at| self.text[..at].chars().count() + 6);
            SpecError::Text { text: self.text.clone(), error: ParseError::new(column, message) }
        })
    }

    fn read(&self, file: &str, blobs: &Blobs) -> Result<Arc<[u8]>, SpecError> {
        let found = match Blobs::is_reference(file) {
            true => blobs.get(file).ok_or_else(|| "its content is not here".to_string()),
            false => blobs.load(file).map(|(_, content)| content),
        };
        found.map_err(|reason| SpecError::File { text: self.text.clone(), file: file.to_string(), reason })
    }

    /// What an `engine:` text starts.
    fn command(&self) -> &str {
        self.text.split_once(':').map_or("", |(_, command)| command)
    }
}

/// The first file that a player's text names (`eval=NAME@FILE`), and where.
fn file_in(text: &str) -> Option<(usize, String)> {
    if text.starts_with("engine:") {
        return None;
    }
    text.match_indices('@').find_map(|(at, _)| {
        let file: String = text[at + 1..].chars().take_while(|letter| !",()".contains(*letter)).collect();
        (!Blobs::is_reference(&file)).then_some((at + 1, file))
    })
}

/// A player inside another one's text stands in round brackets, which keep its commas together.
/// Whether this machine gives out so many megabytes at once.
pub fn has_room(megabytes: u64) -> bool {
    usize::try_from(megabytes << 20).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

fn without_brackets(text: &str) -> &str {
    text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use lanista_games::connect_four::ConnectFour;

    use super::*;

    /// `random` inside so many other players.
    fn nested(depth: usize, open: &str, close: &str) -> String {
        format!("{}random{}", format!("best-three:of={open}").repeat(depth), close.repeat(depth))
    }

    #[test]
    fn players_stand_inside_each_other_four_deep() {
        for (open, close) in [("(", ")"), ("", "")] {
            let spec = PlayerSpec::parse(&nested(4, open, close)).expect("four deep");
            assert_eq!(spec.with_inner().count(), 5);
            assert!(spec.build::<ConnectFour>(&Blobs::sealed()).is_ok());
            for depth in [5, 200] {
                let error = PlayerSpec::parse(&nested(depth, open, close)).expect_err("too deep").to_string();
                assert!(error.contains("at most 4 deep") && !error.contains('\n'), "{error}");
            }
        }
    }

    #[test]
    fn long_texts_are_refused_with_a_short_line() {
        let error = PlayerSpec::parse(&nested(3000, "(", ")")).expect_err("too long").to_string();
        assert!(error.contains("expected at most 4096") && error.len() < 200, "{error}");
        assert!(PlayerSpec::parse(&format!("greedy:eval={}", "x".repeat(4000))).is_ok());
    }

    #[test]
    fn players_for_others_are_modest() {
        for (text, what) in [
            ("pvs:table=65536", "65536 MB"),
            ("mcts:memory=2000", "2000 MB"),
            ("best-three:of=(pvs:threads=200)", "200 threads"),
        ] {
            let spec = PlayerSpec::parse(text).expect("a good text");
            let error = spec.build::<ConnectFour>(&Blobs::shipped()).err().expect("too much").to_string();
            assert!(error.contains(what), "{error}");
        }
        let own = PlayerSpec::parse("pvs:threads=2,table=1").expect("a good text");
        assert!(own.build::<ConnectFour>(&Blobs::default()).is_ok(), "whoever owns the machine may");
    }

    #[test]
    fn memory_is_what_is_said_or_the_default() {
        let megabytes = |text: &str| {
            PlayerSpec::parse(text).expect("a good text").with_inner().map(|spec| spec.megabytes()).sum::<u64>()
        };
        assert_eq!([megabytes("random"), megabytes("pvs:table=3"), megabytes("best-three:of=(mcts)")], [0, 3, 64]);
    }
}
