//! Histories: how well moves did elsewhere in the tree.

use crate::board::{Bitboard, Color, Move, Piece, PieceType, Position, Square};

/// Entries of a (man, destination) pair; one more for "no move".
pub const PIECE_TO: usize = 12 * 64;
/// The pair of a null move or of no move.
pub const NO_PIECE_TO: usize = PIECE_TO;

const PAWN_KEYS: usize = 512;
const LIMIT: i32 = 16_384;

/// The index of a man that goes to a square.
#[inline(always)]
pub fn piece_to(piece: Piece, to: Square) -> usize {
    (piece.color.index() * 6 + piece.kind.index()) * 64 + to.index()
}

/// Moves an entry towards the bonus; the further out it is, the less.
#[inline(always)]
fn update(entry: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / LIMIT) as i16;
}

type Butterfly = [[[[i16; 64 * 64]; 2]; 2]; 2];

/// The histories of one thread.
pub struct Histories {
    /// Quiet moves by side, whether origin and destination are attacked, and squares.
    butterfly: Box<Butterfly>,
    /// Captures by man, destination and captured kind.
    capture: Box<[[i16; 6]; PIECE_TO]>,
    /// Moves after an earlier move, by both moves' man and destination.
    continuation: Box<[[i16; PIECE_TO]; PIECE_TO + 1]>,
    /// Quiet moves by pawn structure.
    pawn: Box<[[i16; PIECE_TO]; PAWN_KEYS]>,
}

/// A boxed array of zeros that never lies on the stack.
pub(super) fn zeroed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    vec![value; N].into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("the length is N"))
}

impl Histories {
    /// Empty histories.
    pub fn new() -> Self {
        Self {
            butterfly: Box::new([[[[0; 64 * 64]; 2]; 2]; 2]),
            capture: Box::new([[0; 6]; PIECE_TO]),
            continuation: zeroed([0; PIECE_TO]),
            pawn: zeroed([0; PIECE_TO]),
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        *self.butterfly = [[[[0; 64 * 64]; 2]; 2]; 2];
        self.capture.fill([0; 6]);
        self.continuation.fill([0; PIECE_TO]);
        self.pawn.fill([0; PIECE_TO]);
    }

    /// History of a capture or promotion.
    #[inline(always)]
    pub fn capture(&self, moved: usize, captured: PieceType) -> i32 {
        i32::from(self.capture[moved][captured.index()])
    }

    /// Rewards or punishes a capture or promotion.
    #[inline(always)]
    pub fn update_capture(&mut self, moved: usize, captured: PieceType, bonus: i32) {
        update(&mut self.capture[moved][captured.index()], bonus);
    }

    /// Butterfly history of a quiet move, given the squares that the enemy attacks.
    #[inline(always)]
    pub fn butterfly(&self, side: Color, threats: Bitboard, mv: Move) -> i32 {
        let from = threats.contains(mv.from()) as usize;
        let to = threats.contains(mv.to()) as usize;
        i32::from(self.butterfly[side.index()][from][to][squares(mv)])
    }

    /// Continuation history of a move after the move `before`.
    #[inline(always)]
    pub fn continuation(&self, before: usize, moved: usize) -> i32 {
        i32::from(self.continuation[before][moved])
    }

    /// Pawn history of a quiet move.
    #[inline(always)]
    pub fn pawn(&self, pawn_key: usize, moved: usize) -> i32 {
        i32::from(self.pawn[pawn_key % PAWN_KEYS][moved])
    }

    /// Rewards or punishes a quiet move in the butterfly history alone.
    #[inline(always)]
    pub fn update_butterfly(&mut self, side: Color, threats: Bitboard, mv: Move, bonus: i32) {
        let from = threats.contains(mv.from()) as usize;
        let to = threats.contains(mv.to()) as usize;
        update(&mut self.butterfly[side.index()][from][to][squares(mv)], bonus);
    }

    /// Rewards or punishes a quiet move in every history of quiet moves. `before` are the moves
    /// 1, 2 and 4 plies earlier.
    #[inline]
    pub fn update_quiet(&mut self, node: &QuietContext, mv: Move, moved: usize, bonus: i32) {
        self.update_butterfly(node.side, node.threats, mv, bonus);
        update(&mut self.pawn[node.pawn_key % PAWN_KEYS][moved], bonus);
        self.update_continuation(&node.before, moved, bonus);
    }

    /// Rewards or punishes a move as a follow-up of the moves before it.
    #[inline]
    pub fn update_continuation(&mut self, before: &[usize; 3], moved: usize, bonus: i32) {
        for &earlier in before {
            if earlier != NO_PIECE_TO {
                update(&mut self.continuation[earlier][moved], bonus);
            }
        }
    }
}

/// What the histories of quiet moves are indexed by at a node.
#[derive(Clone, Copy, Debug)]
pub struct QuietContext {
    /// The side to move.
    pub side: Color,
    /// Squares that the enemy attacks.
    pub threats: Bitboard,
    /// Hash of the pawns.
    pub pawn_key: usize,
    /// Man and destination of the moves 1, 2 and 4 plies earlier.
    pub before: [usize; 3],
}

fn squares(mv: Move) -> usize {
    mv.from().index() * 64 + mv.to().index()
}

/// The kind that a noisy move captures; a promotion without capture counts as taking a pawn.
#[inline(always)]
pub fn captured_kind(position: &Position, mv: Move) -> PieceType {
    if mv.is_en_passant() || mv.is_castling() {
        return PieceType::Pawn;
    }
    position.piece_on(mv.to()).map_or(PieceType::Pawn, |piece| piece.kind)
}
