//! The vocabulary of Lanista, on one page.
//!
//! A *game* is a set of rules, a *position* is a point in it, a *record* is one finished game.
//! A *side* is a seat at the board, a *player* is who decides there.
//!
//! This crate does no input or output, starts no threads and reads no clock.

mod evaluator;
mod game;
mod history;
mod inputs;
mod mix;
mod move_list;
mod outcome;
mod parse_error;
mod perft;
mod picture;
mod play;
mod player;
mod position;
mod record;
mod referee;
mod rules;

mod score;
mod seed;
mod side;
mod stream_lanes;
mod tactics;
mod ways;

pub use evaluator::{Evaluator, EvaluatorInfo, Evaluators, InputGroupInfo, Truth};
pub use game::{Game, RuleParameter, Rules};
pub use history::History;
pub use inputs::{Inputs, Linear, Switches};
pub use mix::{SIDE_KEY, folded_multiply, mix64};
pub use move_list::{MAX_MOVES, MoveList, MoveWriter};
pub use outcome::{Ending, Outcome, Reason};
pub use parse_error::ParseError;
pub use perft::{PerftCount, perft};
pub use picture::{Cell, Picture};
pub use play::{RandomGame, Umpire, play_game, play_on};
pub use player::{Budget, Decision, Observer, Player};
pub use position::{Position, Progress, random_from_list};
pub use record::Record;
pub use referee::{IllegalMove, Referee};
pub use rules::{DrawRules, NoProgress, Repetition, Verdict, one_of};
pub use score::Score;
pub use seed::{RandomStream, Seed};
pub use side::Side;
pub use stream_lanes::StreamLanes;
pub use tactics::Tactics;
pub use ways::{ClosedWay, Obstacle};
