//! What a search tells on its way.

use crate::board::Move;

/// A score for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Centipawns, scaled so that 100 wins half of the games at a middle phase.
    Cp(i32),
    /// Mate in this many moves; negative where the side to move is mated, 0 where it is already.
    Mate(i32),
}

/// On which side of the printed score the true one lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true score is this or higher.
    Lower,
    /// The true score is this or lower.
    Upper,
}

/// Chances in thousandths for the side to move; they add up to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// To win.
    pub win: u16,
    /// To draw.
    pub draw: u16,
    /// To lose.
    pub loss: u16,
}

/// The state of the search after a depth, or when the root's score leaves the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Depth of the iteration in plies.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub seldepth: u32,
    /// Rank of this line, from 1.
    pub multipv: usize,
    /// The score of the line.
    pub score: Score,
    /// Set where the score is only a bound.
    pub bound: Option<Bound>,
    /// Chances according to the score.
    pub wdl: Wdl,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// Tablebase probes that succeeded.
    pub tbhits: u64,
    /// Time since the search began, in milliseconds.
    pub time_ms: u64,
    /// The line: legal moves from the root, not past mate or draw. Empty only where no move is legal.
    pub pv: Vec<Move>,
}

/// Receives what a search finds, from one thread of the search. It should not block for long.
pub trait Reporter: Sync {
    /// A line, or the final word: the last call before the search returns is exact (no bound), of
    /// multipv 1, and its first move is the best move. Where a search is broken off, the final
    /// lines tell the depth that each was finished with.
    fn info(&self, info: &Info);

    /// The root move that is searched now and its number, from 1. Not called in the first seconds.
    fn current_move(&self, depth: u32, mv: Move, number: usize) {
        let _ = (depth, mv, number);
    }
}

/// A reporter that says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Reporter for Silent {
    fn info(&self, _info: &Info) {}
}
