//! The rules of each game a second time: arrays, loops and characters, slow and obviously right, written from the
//! rules and not from the bitboards. Both must agree on every position, along random games and on set-ups that
//! random games do not reach.

mod agreement;
mod bounds;
mod connect_four;
mod draughts;
mod loa;
