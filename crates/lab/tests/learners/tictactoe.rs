//! Noughts and crosses, a toy that no crate knows: small enough to look at every game there is.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use lanista_core::{
    Budget, DrawRules, Evaluator, EvaluatorInfo, Evaluators, Game, Inputs, MoveList, Outcome, ParseError, Picture,
    Player, Position, Progress, RandomStream, Referee, Rules, SIDE_KEY, Seed, Side, Switches, Tactics, mix64, play_on,
};
use lanista_lab::blobs::Blobs;
use lanista_lab::learning::Mind;
use lanista_lab::players::PlayerSpec;
use lanista_learn::OptimiserName;
use lanista_learn::td::{Chain, States, Student, TdSettings};
use lanista_nn::{Activation, Folded, Network, Shape, Start, View};

/// A position: each side's stones, square by square from the left above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    pub stones: [u16; 2],
}

/// A move: the square where a stone goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Put(pub u8);

const FULL: u16 = 0o777;
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Position for Board {
    type Move = Put;
    const SYMMETRIES: usize = 1;

    fn side_to_move(&self) -> Side {
        Side::BOTH[usize::from(self.stones[0].count_ones() > self.stones[1].count_ones())]
    }

    fn legal_moves(&self, moves: &mut MoveList<Put>) {
        moves.clear();
        if self.outcome().is_none() {
            let taken = self.stones[0] | self.stones[1];
            (0..9).filter(|square| taken >> square & 1 == 0).for_each(|square| moves.push(Put(square)));
        }
    }

    fn play(&mut self, mv: Put) {
        self.stones[self.side_to_move().index()] |= 1 << mv.0;
    }

    fn outcome(&self) -> Option<Outcome> {
        let won = |side: &Side| LINES.iter().any(|line| self.stones[side.index()] & line == *line);
        let full = self.stones[0] | self.stones[1] == FULL;
        Side::BOTH.into_iter().find(won).map(Outcome::Win).or(full.then_some(Outcome::Draw))
    }

    fn key(&self) -> u64 {
        let side = if self.side_to_move() == Side::Second { SIDE_KEY } else { 0 };
        mix64(u64::from(self.stones[0]) << 9 | u64::from(self.stones[1])) ^ side
    }

    fn progress(&self, _mv: Put) -> Progress {
        Progress::Conversion
    }

    fn material(&self, side: Side) -> u32 {
        self.stones[side.index()].count_ones()
    }

    fn symmetric(&self, _index: usize) -> Board {
        *self
    }

    fn symmetric_move(mv: Put, _index: usize) -> Put {
        mv
    }

    fn parse_move(&self, text: &str) -> Result<Put, ParseError> {
        text.parse()
    }

    fn picture(&self) -> Picture {
        Picture { rows: Vec::new(), row_labels: Vec::new(), column_labels: Vec::new(), square_names: Vec::new() }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.stones[0], self.stones[1])
    }
}

impl FromStr for Board {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Board, ParseError> {
        let numbers: Vec<u16> = text.split(' ').map_while(|number| number.parse().ok()).collect();
        let stones = numbers.try_into().map_err(|_| ParseError::new(1, "expected two numbers"))?;
        Ok(Board { stones })
    }
}

impl fmt::Display for Put {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Put {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Put, ParseError> {
        text.parse().map(Put).map_err(|_| ParseError::new(1, "expected a square"))
    }
}

impl Game for Board {
    const ID: &'static str = "noughts-and-crosses";
    const NAME: &'static str = "Noughts and crosses";
    const SIDES: [&'static str; 2] = ["Cross", "Nought"];

    fn presets() -> Vec<Rules<Board>> {
        vec![rules(Board::default())]
    }
}

pub fn rules(start: Board) -> Rules<Board> {
    Rules { name: "usual".into(), about: "three in a row win", start, draws: DrawRules::default() }
}

impl Tactics for Board {}

impl Evaluators for Board {
    fn evaluators() -> &'static [EvaluatorInfo] {
        &[]
    }

    fn evaluator(_name: &str, _data: Option<&[u8]>) -> Result<Option<Box<dyn Evaluator<Board>>>, String> {
        Ok(None)
    }

    fn inputs(_groups: &[String]) -> Result<Box<dyn Inputs<Board>>, String> {
        Ok(Box::new(Sight))
    }
}

/// How many numbers networks see.
pub const INPUTS: usize = 50;

/// 1 for an own stone on each square, then for each of the other's. Then four numbers for each line: 1 where it has one own
/// stone and none of the other's, where it has two, and the same for the other side.
pub struct Sight;

impl Inputs<Board> for Sight {
    fn size(&self) -> usize {
        INPUTS
    }

    fn write(&self, position: &Board, side: Side, out: &mut [f32]) {
        let stones = self.on(position, side)[0];
        out.iter_mut().enumerate().for_each(|(input, out)| *out = (stones >> input & 1) as f32);
    }

    fn switches(&self) -> usize {
        INPUTS
    }

    fn base(&self, out: &mut [f32]) {
        out.fill(0.0);
    }

    fn effects(&self, switch: usize) -> Vec<(usize, f32)> {
        vec![(switch, 1.0)]
    }

    fn on(&self, position: &Board, side: Side) -> Switches {
        let [own, other] = [side, !side].map(|side| position.stones[side.index()]);
        let mut on = u64::from(own) | u64::from(other) << 9;
        for (number, line) in LINES.iter().enumerate() {
            let place = match [own, other].map(|stones| (stones & line).count_ones()) {
                [count @ 1..=2, 0] => count - 1,
                [0, count @ 1..=2] => count + 1,
                _ => continue,
            };
            on |= 1 << (18 + 4 * number + place as usize);
        }
        [on, 0, 0, 0]
    }

    fn free(&self) -> &[usize] {
        &[]
    }

    fn write_free(&self, _position: &Board, _side: Side, _out: &mut [f32]) {}
}

/// A player who moves to the position that its evaluator likes best, of equal ones to the first.
pub fn greedy(mind: &Mind<Board>) -> Box<dyn Player<Board>> {
    let spec = PlayerSpec::parse("greedy:eval=genome,ties=first").expect("a player");
    spec.build_with(&Blobs::default(), Some(mind)).expect("it can be built")
}

fn mind(network: &Network) -> Mind<Board> {
    let folded = Folded::new(network.clone(), Arc::new(Sight), View::Waiting).expect("it fits");
    Mind::Network(Arc::new(folded))
}

fn settings(games: u64) -> TdSettings {
    TdSettings {
        games,
        batch: 50,
        passes: 2,
        start: None,
        optimiser: OptimiserName::Sgd,
        rate: 0.01,
        rate_to: None,
        momentum: 0.9,
        discount: 1.0,
        lambda: 0.5,
        states: States::Afterstates,
        explore_from: 0.3,
        explore_to: 0.3,
        explore_until: 1.0,
        opponent: None,
        predict: Vec::new(),
    }
}

/// Plays greedily, but sometimes at random.
struct Exploring {
    player: Box<dyn Player<Board>>,
    share: f64,
}

impl Player<Board> for Exploring {
    fn choose(
        &mut self,
        game: &Referee<Board>,
        budget: &Budget,
        random: &mut RandomStream,
    ) -> Option<lanista_core::Decision<Put>> {
        if random.unit() < self.share {
            let mv = game.position().random_move(random, &mut MoveList::new());
            return Some(lanista_core::Decision::blind(mv));
        }
        self.player.choose(game, budget, random)
    }
}

/// The positions behind the moves of each side, but the last one.
fn chains(mind: &Mind<Board>, share: f64, seed: Seed) -> [Chain; 2] {
    let mut players = [(); 2].map(|()| Exploring { player: greedy(mind), share });
    let [first, second] = &mut players;
    let budget = Budget::default();
    let record = play_on(Referee::new(&rules(Board::default())), [first, second], [&budget; 2], seed, &mut ());
    let mut both = [Chain::default(), Chain::default()];
    let mut position = Board::default();
    for &mv in &record.moves[..record.moves.len() - 1] {
        let side = position.side_to_move();
        position.play(mv);
        let chain = &mut both[side.index()];
        let from = chain.inputs.len();
        chain.inputs.resize(from + INPUTS, 0.0);
        Sight.write(&position, side, &mut chain.inputs[from..]);
        chain.signs.push(1.0);
    }
    for (side, chain) in Side::BOTH.into_iter().zip(&mut both) {
        chain.result = match record.ending.expect("games end").outcome {
            Outcome::Draw => 0.0,
            Outcome::Win(winner) => {
                if winner == side {
                    1.0
                } else {
                    -1.0
                }
            }
        };
    }
    both
}

/// How many games the player of `side` loses of all those that there are against it: the other side tries everything.
fn losses(game: &mut Referee<Board>, player: &mut dyn Player<Board>, side: Side) -> u32 {
    if let Some(ending) = game.ending() {
        return u32::from(ending.outcome == Outcome::Win(!side));
    }
    let mut moves = MoveList::new();
    if game.position().side_to_move() == side {
        let decision = player.choose(game, &Budget::default(), &mut Seed::new(0).stream());
        moves.push(decision.expect("a move").mv);
    } else {
        game.position().legal_moves(&mut moves);
    }
    let mut lost = 0;
    for &mv in moves.iter() {
        game.play(mv).expect("legal");
        lost += losses(game, player, side);
        game.undo();
    }
    lost
}

fn all_losses(mind: &Mind<Board>) -> [u32; 2] {
    Side::BOTH.map(|side| losses(&mut Referee::new(&rules(Board::default())), greedy(mind).as_mut(), side))
}

/// Learns until no game is lost any more; after how many games that is, if it is within those of the settings.
fn learn(settings: &TdSettings, hidden: usize) -> Option<u64> {
    let shape = Shape::uniform(INPUTS, &[hidden, 1], Activation::Tanh);
    let network = Network::random(shape, Start::Xavier, &mut Seed::new(1).stream()).expect("a network");
    let [first, second] = all_losses(&mind(&network));
    assert!(first > 10 && second > 10, "it has something to learn: {first} and {second} games lost");
    let mut student = Student::new(network, settings.method(0));
    for batch in 0..settings.games / settings.batch {
        let mind = mind(student.network());
        if batch % 10 == 0 && all_losses(&mind) == [0, 0] {
            return Some(batch * settings.batch);
        }
        let games = batch * settings.batch..(batch + 1) * settings.batch;
        let lessons: Vec<Chain> =
            games.flat_map(|game| chains(&mind, settings.exploration(game), Seed::new(2).child(game))).collect();
        student.study(&lessons, settings, 0, Seed::new(3).child(batch));
    }
    None
}

/// Noughts and crosses is a draw. A network that began with random weights and played itself comes to lose not a single one of
/// all games that can be played against it, whichever side it has; so nobody can beat it, however deep they look.
#[test]
fn temporal_differences_learn_perfect_play() {
    let needed = learn(&settings(10_000), 20);
    assert!(needed.is_some(), "10,000 games were not enough");
}
