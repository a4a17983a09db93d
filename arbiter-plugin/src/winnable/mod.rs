//! Can this side still checkmate by any series of legal moves? (Articles 5.2.2, 6.9, 7.5.5)
//!
//! Three-valued: winnable with a line, unwinnable with a proof, or undecided.

use engine::board::{Color, Move, Position};

/// What the search may spend. Counts, never time: the same limits give the same answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Positions that may be expanded for one side.
    pub nodes: u64,
    /// Bytes that the closed set may hold.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { nodes: 20_000_000, bytes: 256 << 20 }
    }
}

/// How it is known that a side can never mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The material cannot mate wherever it stands.
    Material,
    /// Every reachable position was visited and none is mate.
    Exhausted,
    /// The squares that the men can ever reach leave no room for a mate.
    Static,
}

/// Whether a side can still mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It can: this line of legal moves ends in its mate.
    Winnable(Vec<Move>),
    /// It never can.
    Unwinnable(Proof),
    /// The limits were reached first. Never to be taken for a draw.
    Undecided,
}

/// Whether `winner` can still mate from `position`, with the side that really has the move.
pub fn winnable(position: &Position, winner: Color, limits: Limits) -> Verdict {
    let _ = (position, winner, limits);
    Verdict::Undecided
}

/// Whether neither side can still mate (Article 5.2.2); cheap on ordinary positions.
/// `false` also where it is undecided.
pub fn is_dead(position: &Position) -> bool {
    let _ = position;
    false
}
