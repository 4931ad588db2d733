//! Network inputs as lists of groups: the one implementation of [`Inputs`] for all games.
//!
//! A game says what each of its groups is; a list of groups, read from text, makes the inputs. Groups stand one behind
//! the other in the order in which they are asked for.

use std::marker::PhantomData;

use lanista_core::{Evaluators, Inputs, Position, Side, Switches};

/// Stands for no inputs at all, in every game: what a sweep over groups compares with.
const NONE: &str = "none";

/// A group of network inputs of a game.
pub trait Group<P: Position>: Copy + Send + Sync + 'static {
    /// How many switches the game has, whichever groups are asked for.
    const SWITCHES: usize;

    /// The group that a text stands for, `name` or `name=values`; `None` if there is none of that name. An error tells
    /// what is wrong with the values.
    fn named(text: &str) -> Result<Option<Self>, String>;

    /// How many numbers it has.
    fn size(self) -> usize;

    /// Writes the numbers as `side` sees them. `out` has [`Group::size`] places.
    fn write(self, position: &P, side: Side, out: &mut [f32]);

    /// What each of the numbers is when all switches are off.
    fn base(self) -> f32 {
        0.0
    }

    /// What a switch adds: numbers of this group with amounts.
    fn effects(self, switch: usize) -> Vec<(usize, f32)>;

    /// Whether the numbers are no sums of switches.
    fn is_free(self) -> bool {
        false
    }

    /// The switches that are on as `side` sees the position. Those that are not wanted may be on or off.
    fn on(position: &P, side: Side, wanted: &Switches) -> Switches;
}

/// The inputs that groups make together.
#[derive(Clone, Debug)]
pub struct GroupedInputs<P, G> {
    groups: Vec<G>,
    size: usize,
    /// The switches that have an effect; all others stay off, so that nobody follows them.
    wanted: Switches,
    free: Vec<usize>,
    /// What each switch adds.
    effects: Vec<Vec<(usize, f32)>>,
    game: PhantomData<fn(&P)>,
}

impl<P: Position, G: Group<P>> GroupedInputs<P, G> {
    /// The inputs of these groups, in this order.
    pub fn new(groups: &[G]) -> Self {
        let size = groups.iter().map(|group| group.size()).sum();
        let mut inputs = GroupedInputs {
            groups: groups.to_vec(),
            size,
            wanted: [0; 4],
            free: Vec::new(),
            effects: Vec::new(),
            game: PhantomData,
        };
        let places = inputs.placed().filter(|(group, _)| group.is_free());
        inputs.free = places.flat_map(|(group, start)| start..start + group.size()).collect();
        inputs.effects = (0..G::SWITCHES).map(|switch| inputs.effects_of(switch)).collect();
        for (switch, _) in inputs.effects.iter().enumerate().filter(|(_, effects)| !effects.is_empty()) {
            inputs.wanted[switch / 64] |= 1 << (switch % 64);
        }
        inputs
    }

    fn effects_of(&self, switch: usize) -> Vec<(usize, f32)> {
        let sums = self.placed().filter(|(group, _)| !group.is_free());
        let effects = sums.flat_map(|(group, start)| {
            group.effects(switch).into_iter().map(move |(input, amount)| (start + input, amount))
        });
        effects.filter(|&(_, amount)| amount != 0.0).collect()
    }

    /// The inputs of groups given as texts. An error names the text that is wrong, and what could stand there.
    pub fn read(texts: &[String]) -> Result<Self, String>
    where
        P: Evaluators,
    {
        if texts.is_empty() {
            return Err(format!("no inputs: expected some of: {}", names::<P>()));
        }
        let mut groups = Vec::with_capacity(texts.len());
        for (index, text) in texts.iter().enumerate().filter(|(_, text)| *text != NONE) {
            let group = G::named(text)?
                .ok_or_else(|| format!("{} has no inputs {text:?}, expected one of: {}", P::ID, names::<P>()))?;
            // With other values a group would still say the same twice.
            if texts[..index].iter().any(|earlier| name(earlier) == name(text)) {
                return Err(format!("{text:?}: the inputs {:?} are asked for twice", name(text)));
            }
            groups.push(group);
        }
        Ok(Self::new(&groups))
    }

    /// The groups, each with the number of its first input.
    fn placed(&self) -> impl Iterator<Item = (G, usize)> {
        self.groups.iter().scan(0, |next, &group| {
            let start = *next;
            *next += group.size();
            Some((group, start))
        })
    }
}

/// The name in a group's text, without its values.
fn name(text: &str) -> &str {
    text.split('=').next().unwrap_or_default()
}

/// All groups that a game has, for messages.
fn names<P: Evaluators>() -> String {
    let names: Vec<&str> = P::input_groups().iter().map(|info| info.name).collect();
    names.join(", ")
}

impl<P: Position, G: Group<P>> Inputs<P> for GroupedInputs<P, G> {
    fn size(&self) -> usize {
        self.size
    }

    fn write(&self, position: &P, side: Side, out: &mut [f32]) {
        for (group, start) in self.placed() {
            group.write(position, side, &mut out[start..start + group.size()]);
        }
    }

    fn switches(&self) -> usize {
        G::SWITCHES
    }

    fn base(&self, out: &mut [f32]) {
        for (group, start) in self.placed() {
            out[start..start + group.size()].fill(group.base());
        }
    }

    fn effects(&self, switch: usize) -> Vec<(usize, f32)> {
        self.effects[switch].clone()
    }

    #[inline]
    fn on(&self, position: &P, side: Side) -> Switches {
        let [a, b, c, d] = G::on(position, side, &self.wanted);
        let [e, f, g, h] = self.wanted;
        [a & e, b & f, c & g, d & h]
    }

    fn free(&self) -> &[usize] {
        &self.free
    }

    fn write_free(&self, position: &P, side: Side, out: &mut [f32]) {
        let mut rest = out;
        for group in self.groups.iter().filter(|group| group.is_free()) {
            let (inputs, behind) = rest.split_at_mut(group.size());
            group.write(position, side, inputs);
            rest = behind;
        }
    }
}
