//! Can this side still checkmate by any series of legal moves? (Articles 5.2.2, 6.9, 7.5.5)
//!
//! Three-valued: winnable with a line, unwinnable with a proof, or undecided. A line is replayed
//! with shakmaty before it is returned; each kind of proof can be verified again without trusting
//! the solver.

mod board;
mod closed_set;
mod guide;
mod material;
mod moves;
mod replay;
mod search;

use std::fmt;

use engine::board::{Color, Move, MoveList, Position};

use board::Board;
use search::{Outcome, Search};

/// What the search may spend. Counts, never time: the same limits give the same answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Positions that may be expanded for one side.
    pub nodes: u64,
    /// Bytes that the search may hold.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { nodes: 20_000_000, bytes: 256 << 20 }
    }
}

/// How it is known that a side can never mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The material cannot mate wherever it stands.
    Material,
    /// Every reachable position was visited and none is mate.
    Exhausted {
        /// Positions visited.
        positions: u64,
    },
    /// The squares that the men can ever reach leave no room for a mate.
    Static,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Material => "material",
            Self::Exhausted { .. } => "exhausted",
            Self::Static => "static",
        })
    }
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
    let board = Board::new(position, winner);
    match decide(&board, limits) {
        Verdict::Winnable(mut line) => {
            if winner == Color::Black {
                line.iter_mut().for_each(|mv| *mv = board::mirror(*mv));
            }
            let replayed = replay::mates(position, winner, &line);
            debug_assert!(replayed, "{line:?}");
            if replayed { Verdict::Winnable(line) } else { Verdict::Undecided }
        }
        verdict => verdict,
    }
}

/// Whether each side can still mate, White first.
pub fn winnable_both(position: &Position, limits: Limits) -> [Verdict; 2] {
    Color::ALL.map(|winner| winnable(position, winner, limits))
}

/// Whether neither side can still mate (Article 5.2.2); cheap on ordinary positions.
/// `false` also where it is undecided.
pub fn is_dead(position: &Position) -> bool {
    const LIMITS: Limits = Limits { nodes: 20_000, bytes: 16 << 20 };
    Color::ALL
        .into_iter()
        .all(|winner| matches!(winnable(position, winner, LIMITS), Verdict::Unwinnable(_)))
}

/// The verdict for White.
fn decide(board: &Board, limits: Limits) -> Verdict {
    let mut moves = MoveList::new();
    let in_check = moves::legal_moves(board, &mut moves);
    if moves.is_empty() {
        return if in_check && board.turn == Color::Black {
            Verdict::Winnable(Vec::new())
        } else {
            Verdict::Unwinnable(Proof::Exhausted { positions: 1 })
        };
    }
    if material::cannot_mate(board) {
        return Verdict::Unwinnable(Proof::Material);
    }
    match Search::new().run(board, limits) {
        Outcome::Mate(line) => Verdict::Winnable(line),
        Outcome::Closed(positions) => Verdict::Unwinnable(Proof::Exhausted { positions }),
        Outcome::Limits => Verdict::Undecided,
    }
}
