//! What agreeing means.

use std::fmt::Debug;

use lanista_core::{Game, MoveList, Outcome, RandomStream, Side};

/// A game played the naive way. Positions, moves and sides are what people read.
pub trait Naive: Clone + Debug {
    /// Whose turn it is.
    fn side(&self) -> Side;
    /// The legal moves as text, in any order.
    fn moves(&self) -> Vec<String>;
    /// The position after one of [`Naive::moves`].
    fn after(&self, mv: &str) -> Self;
    /// The result, if the board ends the game.
    fn outcome(&self) -> Option<Outcome>;
    /// The position as text.
    fn text(&self) -> String;
}

/// Reads the position that the naive one describes.
pub fn read<G: Game>(naive: &impl Naive) -> G {
    let text = naive.text();
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Both tell the same of the position and of its moves. Returns the moves.
fn assert_agree<G: Game>(naive: &impl Naive, game: &G) -> Vec<String> {
    let text = naive.text();
    assert_same(naive, game, &text);
    let mut expected = naive.moves();
    expected.sort();
    let mut list = MoveList::new();
    game.legal_moves(&mut list);
    let mut found: Vec<String> = list.iter().map(ToString::to_string).collect();
    found.sort();
    assert_eq!(found, expected, "legal moves of {text}");
    expected
}

/// Both tell the same of the position, of its moves, and of every position one move further. Returns the moves.
pub fn assert_agree_one_further<G: Game>(naive: &impl Naive) -> Vec<String> {
    let game: G = read(naive);
    let moves = assert_agree(naive, &game);
    for text in &moves {
        let mv = game.parse_move(text).unwrap_or_else(|error| panic!("{text} in {game}: {error}"));
        let mut next = game;
        next.play(mv);
        assert_same(&naive.after(text), &next, &format!("{text} in {game}"));
    }
    moves
}

/// Text, side and outcome; and nothing that was carried along differs from what the board says.
fn assert_same<G: Game>(naive: &impl Naive, game: &G, place: &str) {
    assert_eq!(game.to_string(), naive.text(), "position: {place}");
    assert_eq!(game.side_to_move(), naive.side(), "side to move: {place}");
    assert_eq!(game.outcome(), naive.outcome(), "outcome: {place}");
    assert_eq!(*game, read::<G>(naive), "carried state: {place}");
}

/// Plays random moves from `start` to the end, or for `most_plies`, and compares all the way.
/// Returns how many positions were compared.
pub fn walk<G: Game, N: Naive>(start: &N, most_plies: usize, random: &mut RandomStream) -> usize {
    let mut naive = start.clone();
    let mut game: G = read(&naive);
    for ply in 0..most_plies {
        let moves = assert_agree(&naive, &game);
        if moves.is_empty() {
            return ply + 1;
        }
        let text = &moves[random.below(moves.len() as u32) as usize];
        let mv = game.parse_move(text).unwrap_or_else(|error| panic!("{text} in {game}: {error}"));
        game.play(mv);
        naive = naive.after(text);
    }
    most_plies
}

/// `parse_move` accepts exactly the legal ones of `candidates`, and reads them as what they say.
pub fn assert_reads_only_legal<G: Game>(naive: &impl Naive, candidates: impl Iterator<Item = String>) {
    let game: G = read(naive);
    let legal = naive.moves();
    for text in candidates {
        let read = game.parse_move(&text).ok().map(|mv| mv.to_string());
        let expected = legal.contains(&text).then(|| text.clone());
        assert_eq!(read, expected, "{text} in {game}");
    }
}

/// A number from `least` to `most`.
pub fn between(random: &mut RandomStream, least: usize, most: usize) -> usize {
    least + random.below((most - least + 1) as u32) as usize
}

/// Draws one of `items` and takes it out.
pub fn draw<T>(random: &mut RandomStream, items: &mut Vec<T>) -> T {
    items.swap_remove(random.below(items.len() as u32) as usize)
}
