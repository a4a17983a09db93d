//! Can this side still checkmate by any series of legal moves? (Articles 5.2.2, 6.9, 7.5.5)
//!
//! Three-valued: winnable with a line, unwinnable with a proof, or undecided. A line is replayed
//! with shakmaty before it is returned; each kind of proof can be verified again without trusting
//! the solver.

mod board;
mod closed_set;
mod fortress;
mod guide;
mod material;
mod moves;
mod projection;
mod replay;
mod search;
mod shorten;
mod walk;

use std::fmt;

use engine::board::{Bitboard, Color, Move, MoveList, PieceType, Position, Square};

use board::Board;
use fortress::Fortress;
use projection::Tracked;
use search::{Outcome, Pruning, Search};

pub use shorten::shorten;

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
    judge(position, winner, limits).verdict
}

fn judge(position: &Position, winner: Color, limits: Limits) -> Decision {
    let mut decision = decide(&Board::new(position, winner), limits);
    if let Verdict::Winnable(line) = decision.verdict {
        decision.verdict = replayed(position, winner, line);
    }
    decision
}

/// What was found out about one side, and perhaps about the other.
struct Decision {
    verdict: Verdict,
    /// The same proof shows that the other side cannot mate either.
    for_both: bool,
}

impl From<Verdict> for Decision {
    fn from(verdict: Verdict) -> Self {
        Self { verdict, for_both: false }
    }
}

/// A line of the solver's own board as a verdict, if shakmaty agrees that it mates.
fn replayed(position: &Position, winner: Color, mut line: Vec<Move>) -> Verdict {
    if winner == Color::Black {
        line.iter_mut().for_each(|mv| *mv = board::mirror(*mv));
    }
    let mates = replay::mates(position, winner, &line);
    debug_assert!(mates, "{line:?}");
    if mates { Verdict::Winnable(line) } else { Verdict::Undecided }
}

/// Whether each side can still mate, White first. All positions that can be reached are visited once
/// for both sides where that decides.
pub fn winnable_both(position: &Position, limits: Limits) -> [Verdict; 2] {
    let Decision { verdict, for_both } = judge(position, Color::White, limits);
    let of_black =
        if for_both { verdict.clone() } else { winnable(position, Color::Black, limits) };
    [verdict, of_black]
}

/// Whether neither side can still mate (Article 5.2.2); cheap on ordinary positions.
/// `false` also where it is undecided.
pub fn is_dead(position: &Position) -> bool {
    const LIMITS: Limits = Limits { nodes: 20_000, bytes: 16 << 20 };
    // One mate is enough: the cheap ways to find it go first, for either side.
    let boards = Color::ALL.map(|winner| Board::new(position, winner));
    !boards.iter().any(walks_to_mate)
        && winnable_both(position, LIMITS)
            .iter()
            .all(|verdict| matches!(verdict, Verdict::Unwinnable(_)))
}

/// Whether White's mate is found without a search.
fn walks_to_mate(board: &Board) -> bool {
    let mut moves = MoveList::new();
    moves::legal_moves(board, &mut moves);
    !moves.is_empty() && !material::cannot_mate(board) && walk::walk(board, 0).mate
}

/// Positions expanded before the staged static argument is tried.
const SHORT_SEARCH: u64 = 2000;
/// Fortresses that the staged static argument may look at, before a search and after it.
const FIRST_STAGES: u32 = 8;
const STAGES: u32 = 2000;
/// Projections that the argument by projection may visit, and positions that are searched after it.
const EFFORTS: [(usize, u64); 2] = [(5_000, 130_000), (400_000, u64::MAX)];
/// Bytes that a projection may need, with what is kept of the men that roam.
const PROJECTION_BYTES: usize = 512;
/// Only moves that are made before anything else is tried.
const FORCED: usize = 16;

/// Whether a static proof is likely enough to be tried before a mate is looked for: White has no
/// queen, and every white pawn has a man in front of it.
fn looks_closed(board: &Board) -> bool {
    let heavy = board.pieces(Color::White, PieceType::Queen);
    let pawns = board.pieces(Color::White, PieceType::Pawn);
    heavy.is_empty()
        && Bitboard(pawns.0 << 8).is_subset(
            board.kind(PieceType::Pawn)
                | board.kind(PieceType::King)
                | board.kind(PieceType::Bishop),
        )
}

/// The arguments one by one, for tests that compare them with each other.
#[doc(hidden)]
pub mod inspect {
    use super::*;
    pub use projection::Tracked;

    /// Whether the static argument alone, with stages, shows that `winner` can never mate.
    pub fn holds_statically(position: &Position, winner: Color) -> bool {
        Fortress::new(&Board::new(position, winner)).is_some_and(|fortress| {
            fortress.holds_in_stages(&mut STAGES.clone(), &mut Default::default())
        })
    }

    /// For each man where it stands and where it may ever stand while `winner` can still win;
    /// `None` where nothing is known, as `winner` may promote or en passant is possible.
    pub fn regions(position: &Position, winner: Color) -> Option<Vec<(Square, Bitboard)>> {
        let board = Board::new(position, winner);
        let men = Fortress::new(&board)?;
        let homes = men.men().to_vec();
        let turned = |set: Bitboard| match winner {
            Color::White => set,
            Color::Black => set.flip_ranks(),
        };
        let home =
            |man: &fortress::Man| turned(man.region).first().expect("a man stands somewhere");
        let grown = men.regions()?;
        Some(homes.iter().map(home).zip(grown.iter().map(|man| turned(man.region))).collect())
    }

    /// Whether the argument by projection alone shows that `winner` can never mate.
    pub fn holds_by_projection(position: &Position, winner: Color, tracked: Tracked) -> bool {
        projection::holds(&Board::new(position, winner), tracked, EFFORTS[1].0).0
    }

    /// The search alone, without any static argument but material.
    pub fn search_alone(position: &Position, winner: Color, limits: Limits) -> Verdict {
        let board = Board::new(position, winner);
        match Search::new(&board, Pruning::Material).run(limits) {
            Outcome::Mate(line) => replayed(position, winner, line),
            Outcome::Closed { positions, .. } => {
                Verdict::Unwinnable(Proof::Exhausted { positions })
            }
            Outcome::Limits => Verdict::Undecided,
        }
    }
}

/// The verdict for White.
fn decide(root: &Board, limits: Limits) -> Decision {
    let mut forced = Vec::new();
    let mut board = *root;
    let mut moves = MoveList::new();
    loop {
        let in_check = moves::legal_moves(&board, &mut moves);
        let exhausted =
            || Verdict::Unwinnable(Proof::Exhausted { positions: forced.len() as u64 + 1 });
        if moves.is_empty() {
            return if in_check && board.turn == Color::Black {
                Verdict::Winnable(forced).into()
            } else {
                Decision { verdict: exhausted(), for_both: !in_check }
            };
        }
        if material::cannot_mate(&board) {
            return Verdict::Unwinnable(Proof::Material).into();
        }
        // Often all moves take the last man that could mate.
        if moves.iter().all(|&mv| ends_all_hope(&board.play(mv))) {
            return exhausted().into();
        }
        // Only moves are made at once; a few, as they may go round in a circle.
        if moves.len() > 1 || forced.len() >= FORCED {
            break;
        }
        forced.push(moves[0]);
        board = board.play(moves[0]);
        moves.clear();
    }
    let mut decision = decide_choice(&board, limits);
    if let Verdict::Winnable(line) = &mut decision.verdict {
        line.splice(..0, forced);
    }
    decision
}

/// Whether White cannot mate any more after a move that led to `board`.
fn ends_all_hope(board: &Board) -> bool {
    let mated = || board.turn == Color::Black && board.in_check() && !moves::has_legal_move(board);
    material::cannot_mate(board) && !mated()
}

/// The verdict for White where the side to move has a choice.
fn decide_choice(board: &Board, limits: Limits) -> Decision {
    let fortress = || Fortress::new(board);
    let in_stages = |fortress: Fortress, mut stages: u32| {
        fortress.holds_in_stages(&mut stages, &mut Default::default())
    };
    let closed = looks_closed(board);
    for corner in 0..walk::CORNERS {
        // Walls of pawns are often proven at once: where they are in sight before the first walk,
        // else where it fails.
        if corner == usize::from(!closed)
            && fortress().is_some_and(|men| in_stages(men, FIRST_STAGES))
        {
            return Verdict::Unwinnable(Proof::Static).into();
        }
        let walk = walk::walk(board, corner);
        if walk.mate {
            return Verdict::Winnable(walk.line).into();
        }
    }
    // A short search first, then the dearer static arguments, then a search that uses them too.
    let short = Limits { nodes: limits.nodes.min(SHORT_SEARCH), ..limits };
    let mut outcome = Search::new(board, Pruning::Material).run(short);
    if matches!(outcome, Outcome::Limits) {
        if fortress().is_some_and(|men| in_stages(men, STAGES)) {
            return Verdict::Unwinnable(Proof::Static).into();
        }
        let mut search = Search::new(board, Pruning::Static);
        for (projections, nodes) in EFFORTS {
            let most = usize::try_from(limits.nodes)
                .unwrap_or(usize::MAX)
                .min(projections)
                .min(limits.bytes / PROJECTION_BYTES);
            if Tracked::EACH.iter().any(|&tracked| projection::holds(board, tracked, most).0) {
                return Verdict::Unwinnable(Proof::Static).into();
            }
            outcome = search.run(Limits { nodes: limits.nodes.min(nodes), ..limits });
            if !matches!(outcome, Outcome::Limits) || limits.nodes <= nodes {
                break;
            }
        }
    }
    match outcome {
        Outcome::Mate(line) => Verdict::Winnable(line).into(),
        Outcome::Closed { positions, for_both } => {
            Decision { verdict: Verdict::Unwinnable(Proof::Exhausted { positions }), for_both }
        }
        Outcome::Limits => Verdict::Undecided.into(),
    }
}
