//! The players that are not plain searches: Monte-Carlo, ants, and the small ones. What holds for all of them on every
//! game, and what each must see.

mod cast;
mod proofs;
mod small;
mod under_way;
mod whole_games;
