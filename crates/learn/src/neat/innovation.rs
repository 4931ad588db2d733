//! Innovation numbers: which genes of different genomes are the same invention.
//!
//! As in the paper, the same change in the same generation gets the same number. Offspring is made in the order of its
//! index, so the numbers do not depend on who was faster.

use std::collections::HashMap;

/// A connection that was split in two: the new node and the connections before and behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// The node in between.
    pub node: u32,
    /// The innovation number of the connection into it.
    pub into: u32,
    /// The innovation number of the connection out of it.
    pub out: u32,
}

/// The inventions of one generation.
#[derive(Clone, Debug, Default)]
pub struct Innovations {
    /// The next free number of a connection.
    pub next_connection: u32,
    /// The next free number of a node.
    pub next_node: u32,
    connections: HashMap<(u32, u32), u32>,
    splits: HashMap<u32, Split>,
}

impl Innovations {
    /// A generation that begins with these free numbers.
    pub fn new(next_connection: u32, next_node: u32) -> Innovations {
        Innovations { next_connection, next_node, ..Innovations::default() }
    }

    /// The number of a connection between two nodes.
    pub fn connection(&mut self, from: u32, to: u32) -> u32 {
        let next = &mut self.next_connection;
        *self.connections.entry((from, to)).or_insert_with(|| {
            *next += 1;
            *next - 1
        })
    }

    /// The numbers of what splits the connection with this number.
    pub fn split(&mut self, connection: u32) -> Split {
        let (next, node) = (&mut self.next_connection, &mut self.next_node);
        *self.splits.entry(connection).or_insert_with(|| {
            *next += 2;
            *node += 1;
            Split { node: *node - 1, into: *next - 2, out: *next - 1 }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_invention_has_the_same_number() {
        let mut innovations = Innovations::new(10, 5);
        assert_eq!((innovations.connection(1, 2), innovations.connection(2, 1)), (10, 11));
        assert_eq!(innovations.connection(1, 2), 10);
        let split = innovations.split(3);
        assert_eq!(split, Split { node: 5, into: 12, out: 13 });
        assert_eq!((innovations.split(3), innovations.split(4).node), (split, 6));
        let mut next = Innovations::new(innovations.next_connection, innovations.next_node);
        assert_eq!(next.connection(1, 2), 16, "another generation invents it anew");
    }
}
