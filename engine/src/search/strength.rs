//! Playing at a given strength: fewer nodes, the same care.

use super::{MAX_ELO, MIN_ELO};

/// Nodes at the weakest level, as a power of two, and Elo for each doubling.
const FIRST_DOUBLINGS: f64 = 4.0;
const ELO_PER_DOUBLING: f64 = 120.0;

/// The nodes that a move may take at this strength.
pub fn nodes(elo: u32) -> u64 {
    let above = f64::from(elo.clamp(MIN_ELO, MAX_ELO) - MIN_ELO);
    (FIRST_DOUBLINGS + above / ELO_PER_DOUBLING).exp2() as u64
}
