//! Static evaluation: a network trained on our own games, and what a network does not know.

mod drawn;
mod explain;
pub mod network;

pub use explain::{Explanation, explain};

use crate::board::Position;
use network::Network;

/// The evaluation in internal centipawns for the side to move, without regard to the fifty-move
/// count (see [`damp`]). Positions in check are evaluated too, but mean little.
pub fn evaluate(network: &Network, position: &Position) -> i32 {
    scale(position, network.evaluate(position))
}

/// The network's word, drawn towards zero where the material is drawn.
#[inline(always)]
pub(crate) fn scale(position: &Position, value: i32) -> i32 {
    value * drawn::factor(position, value) / drawn::FULL
}

/// The evaluation drawn towards zero as the fifty-move count grows.
#[inline(always)]
pub fn damp(value: i32, halfmove_clock: u32) -> i32 {
    value * (220 - halfmove_clock.min(100) as i32) / 220
}
