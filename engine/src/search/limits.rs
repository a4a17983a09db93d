//! What a search may use, and how it is to behave.

use crate::board::Move;

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left in milliseconds; zero or less means that a move is due at once.
    pub remaining_ms: i64,
    /// Time added for each move, in milliseconds.
    pub increment_ms: i64,
    /// Moves until the next time control; `None` or `Some(0)`: no further control.
    pub moves_to_go: Option<u32>,
}

/// The bounds of a search. All that are given hold together; the first reached ends it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes; exact with one thread.
    pub nodes: Option<u64>,
    /// Nodes after which no other iteration is begun.
    pub soft_nodes: Option<u64>,
    /// Ends when a mate in this many moves or fewer is found.
    pub mate: Option<u32>,
    /// Time for this move in milliseconds, the overhead included.
    pub movetime_ms: Option<u64>,
    /// The clock to manage.
    pub clock: Option<Clock>,
    /// Do not return before a stop.
    pub infinite: bool,
    /// Do not return before a stop or a ponder hit; time counts from the latter.
    pub ponder: bool,
    /// The root moves to consider; illegal ones are dropped, and where none is left all count.
    pub searchmoves: Vec<Move>,
}

/// How the search behaves, from game to game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many best lines to report; more than there are moves is fine. At least 1.
    pub multi_pv: usize,
    /// Time in milliseconds that a move loses between engine and clock.
    pub move_overhead_ms: u64,
    /// Play at about this strength, from [`MIN_ELO`](super::MIN_ELO) to
    /// [`MAX_ELO`](super::MAX_ELO); `None` plays at full strength.
    pub elo: Option<u32>,
    /// The user analyses: no strength limit, and the score is not swayed by the side to move.
    pub analyse_mode: bool,
    /// The opponent's time will be used too, so that more of the clock may be spent.
    pub ponder: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { multi_pv: 1, move_overhead_ms: 10, elo: None, analyse_mode: false, ponder: false }
    }
}
