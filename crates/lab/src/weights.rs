//! What the weights of a player look like on the board.
//!
//! Nothing here knows which input of a network belongs to which square. It is found out by looking: an input that depends on
//! one square of the board, and on nothing else, in all positions of some random games, belongs to it.

use lanista_core::{Cell, Game, Inputs, MoveList, Seed, Side};
use lanista_nn::{GraphFile, NetworkFile};

use crate::drawing::Drawing;
use crate::registry::{self, GameVisitor, RegisteredGame};

/// Random games that are looked at.
const GAMES: u64 = 24;
/// The most plies of such a game.
const PLIES: usize = 120;
/// The most maps that are made of one player.
const MOST_MAPS: usize = 256;
/// What a square may hold, as a side sees it.
const CONTENTS: [&str; 5] = ["", "own men", "own kings", "other's men", "other's kings"];

/// Weights on the squares of the board.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightMap {
    /// What is shown: which inputs.
    pub title: String,
    /// The unit of the first layer that they lead to, from 0; none where there are no units.
    pub unit: Option<usize>,
    /// The weights, rows from the top; none where a square has none.
    pub values: Vec<Vec<Option<f64>>>,
}

/// The weights of a player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    /// How it is built, for people.
    pub shape: String,
    /// How many weights it has.
    pub count: usize,
    /// Weights on the board.
    pub maps: Vec<WeightMap>,
    /// What weights are called, where they have names, and the weights.
    pub named: Vec<(String, f64)>,
}

/// The weights in the file of a player; `evaluator` is the name in its text. An error says why they cannot be read.
pub fn weights_on_board(game: &str, evaluator: &str, file: &[u8]) -> Result<Weights, String> {
    let read = registry::visit(game, Look { evaluator, file }).map_err(|error| error.to_string())?;
    read.map_err(|error| format!("the weights cannot be read: {error}"))
}

struct Look<'a> {
    evaluator: &'a str,
    file: &'a [u8],
}

impl GameVisitor for Look<'_> {
    type Output = Result<Weights, String>;

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        match self.evaluator {
            "mlp" => network::<G>(self.file),
            "neat" => grown::<G>(self.file),
            name => linear::<G>(name, self.file),
        }
    }
}

fn network<G: RegisteredGame>(file: &[u8]) -> Result<Weights, String> {
    let file = NetworkFile::read(file).map_err(|error| error.to_string())?;
    let weights = file.network.weights();
    let shape = file.network.shape();
    let inputs = G::inputs(&file.groups)?;
    let planes = planes::<G>(inputs.as_ref());
    let first = shape.layers.first().ok_or("no layer")?;
    let stride = shape.inputs + usize::from(first.bias);
    let mut maps = Vec::new();
    for unit in 0..first.size {
        let own = &weights[unit * stride..unit * stride + shape.inputs];
        maps.extend(planes.iter().map(|plane| plane.map(Some(unit), own)));
        if maps.len() >= MOST_MAPS {
            break;
        }
    }
    Ok(Weights { shape: shape.to_string(), count: weights.len(), maps, named: Vec::new() })
}

fn grown<G: RegisteredGame>(file: &[u8]) -> Result<Weights, String> {
    let file = GraphFile::read(file).map_err(|error| error.to_string())?;
    let graph = file.network.graph();
    let inputs = G::inputs(&file.groups)?;
    // The direct ways from inputs to the first output.
    let mut direct = vec![0.0; graph.inputs];
    for edge in graph.edges.iter().filter(|edge| edge.from < graph.inputs && edge.to == graph.inputs) {
        direct[edge.from] = edge.weight;
    }
    let maps = planes::<G>(inputs.as_ref()).iter().map(|plane| plane.map(Some(0), &direct)).collect();
    let shape = format!("{} inputs, {} nodes, {} connections", graph.inputs, graph.nodes.len(), graph.edges.len());
    Ok(Weights { shape, count: graph.edges.len(), maps, named: Vec::new() })
}

fn linear<G: RegisteredGame>(name: &str, file: &[u8]) -> Result<Weights, String> {
    let linear = G::linear(name).ok_or_else(|| format!("{} has no evaluator {name:?} with weights", G::ID))?;
    let text = std::str::from_utf8(file).map_err(|_| "not a text".to_string())?;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let words = lines.flat_map(|line| line.split(|letter: char| letter.is_whitespace() || ",=".contains(letter)));
    let values: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
    let names = linear.names();
    if values.len() != names.len() {
        return Err(format!("{} weights, expected {}", values.len(), names.len()));
    }
    let drawing = Drawing::new(G::presets()[0].start.picture());
    let mut map = WeightMap { title: "squares".into(), unit: None, values: empty(&drawing) };
    let mut has_squares = false;
    for (name, &value) in names.iter().zip(&values) {
        let square = name.rsplit([' ', '-']).next().unwrap_or_default();
        if let Some((row, column)) = drawing.place(square) {
            map.values[row][column] = Some(value);
            has_squares = true;
        }
    }
    let named = names.into_iter().zip(values.iter().copied());
    let maps = if has_squares { vec![map] } else { Vec::new() };
    Ok(Weights { shape: format!("{} weights", values.len()), count: values.len(), maps, named: named.collect() })
}

fn empty(drawing: &Drawing) -> Vec<Vec<Option<f64>>> {
    drawing.picture.rows.iter().map(|row| vec![None; row.len()]).collect()
}

/// Inputs that cover the board once.
struct Plane {
    title: String,
    /// Inputs with their squares.
    inputs: Vec<(usize, (usize, usize))>,
    blank: Vec<Vec<Option<f64>>>,
}

impl Plane {
    fn map(&self, unit: Option<usize>, weights: &[f32]) -> WeightMap {
        let mut values = self.blank.clone();
        for &(input, (row, column)) in &self.inputs {
            values[row][column] = weights.get(input).map(|weight| f64::from(*weight));
        }
        WeightMap { title: self.title.clone(), unit, values }
    }
}

/// What an input was seen to be for each content of a square.
#[derive(Clone, Default)]
struct Seen([Option<f32>; CONTENTS.len()]);

impl Seen {
    /// Whether the input is still a function of the square.
    fn agrees(&mut self, content: usize, value: f32) -> bool {
        *self.0[content].get_or_insert(value) == value
    }

    /// The contents that differ from an empty square.
    fn contents(&self) -> Vec<usize> {
        let empty = self.0[0];
        (1..CONTENTS.len()).filter(|&content| self.0[content].is_some() && self.0[content] != empty).collect()
    }
}

fn planes<G: Game>(inputs: &dyn Inputs<G>) -> Vec<Plane> {
    // The second side sees the board as it is drawn, in all games that turn it.
    let side = Side::Second;
    let start = G::presets().swap_remove(0).start;
    let drawing = Drawing::new(start.picture());
    let places: Vec<(usize, usize)> =
        drawing.cells().filter(|(_, cell)| *cell != Cell::Unused).map(|(place, _)| place).collect();
    let mut candidates: Vec<Vec<(usize, Seen)>> =
        (0..inputs.size()).map(|_| (0..places.len()).map(|cell| (cell, Seen::default())).collect()).collect();
    let mut values = vec![0.0; inputs.size()];
    for game in 0..GAMES {
        let mut position = start;
        let mut random = Seed::new(game).stream();
        let mut room = MoveList::new();
        for _ in 0..PLIES {
            inputs.write(&position, side, &mut values);
            let rows = position.picture().rows;
            let contents: Vec<usize> = places.iter().map(|&(row, column)| content(rows[row][column], side)).collect();
            for (cells, &value) in candidates.iter_mut().zip(&values) {
                cells.retain_mut(|(cell, seen)| seen.agrees(contents[*cell], value));
            }
            if position.outcome().is_some() {
                break;
            }
            position.play(position.random_move(&mut random, &mut room));
        }
    }
    let mut planes: Vec<Plane> = Vec::new();
    let mut last: Option<Vec<usize>> = None;
    for (input, cells) in candidates.iter().enumerate() {
        let mut bound = cells.iter().filter(|(_, seen)| !seen.contents().is_empty());
        let (Some((cell, seen)), None) = (bound.next(), bound.next()) else {
            last = None;
            continue;
        };
        let (contents, place) = (seen.contents(), places[*cell]);
        let is_free = |plane: &Plane| plane.inputs.iter().all(|(_, other)| *other != place);
        let is_alike = last.as_ref().is_some_and(|last| contents.iter().any(|content| last.contains(content)));
        let goes_on = is_alike && planes.last().is_some_and(is_free);
        if !goes_on {
            planes.push(Plane { title: String::new(), inputs: Vec::new(), blank: empty(&drawing) });
        }
        // Some squares never hold everything; the plane shows what any of its squares holds.
        let mut all = last.filter(|_| goes_on).unwrap_or_default();
        all.extend(contents);
        all.sort_unstable();
        all.dedup();
        if let Some(plane) = planes.last_mut() {
            plane.inputs.push((input, place));
            plane.title = all.iter().map(|&content| CONTENTS[content]).collect::<Vec<_>>().join(", ");
        }
        last = Some(all);
    }
    planes
}

fn content(cell: Cell, side: Side) -> usize {
    match cell {
        Cell::Piece(owner, letter) => {
            let king = usize::from(letter.is_uppercase());
            if owner == side { 1 + king } else { 3 + king }
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use lanista_core::Evaluators;
    use lanista_games::connect_four::ConnectFour;
    use lanista_games::draughts::Draughts;
    use lanista_games::loa::Loa;

    use super::*;

    fn found<G: RegisteredGame>(groups: &[&str]) -> Vec<(String, usize)> {
        let groups: Vec<String> = groups.iter().map(ToString::to_string).collect();
        let inputs = <G as Evaluators>::inputs(&groups).unwrap();
        planes::<G>(inputs.as_ref()).into_iter().map(|plane| (plane.title, plane.inputs.len())).collect()
    }

    #[test]
    fn inputs_find_their_squares() {
        assert_eq!(found::<Loa<5>>(&["board"]), [("own men, other's men".to_string(), 25)]);
        assert_eq!(
            found::<Loa<8>>(&["quads", "boards"]),
            [("own men".to_string(), 64), ("other's men".to_string(), 64)]
        );
        let men = found::<Draughts>(&["men"]);
        assert!(men.len() == 2 && men.iter().all(|(_, inputs)| *inputs >= 24), "{men:?}");
        assert!(!ConnectFour::input_groups().is_empty());
    }
}
