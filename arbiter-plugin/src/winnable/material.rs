//! What White's material can never do, wherever the men stand.

use engine::board::{Bitboard, Color, PieceType};

use super::board::Board;

/// Whether White can never mate again, whatever the squares, from a position that is not mate yet.
///
/// Direction: `true` is proven, `false` says nothing. Why it is sound, rule by rule; in each the
/// material can only shrink within the rule, since no pawn can promote to what the rule excludes.
///
/// 1. *Bare king.* A king gives no check.
/// 2. *King and knight against king and queens.* Let the knight check from a knight's jump `(1, 2)`
///    away. Of the neighbours `(0, 1)`, `(1, 1)` and `(1, 0)`, all on the board, the knight covers
///    none, and the white king, which may not touch the black one, never all three. One that it
///    leaves is a flight, or holds a queen that takes the knight: along `(1, 1)` from the first, from
///    beside it on the second, along the file from the third (or by the queen between). No queen is
///    pinned, as there is no white slider.
/// 3. *King and bishops of one square colour, the rest of the board without knights, pawns and
///    bishops of the other colour.* Let the check come along the diagonal through the neighbour
///    `(1, 1)`. Of `(0, 1)` and `(1, 0)` the white king never covers both without touching the black
///    king. The other is a flight, or holds a rook or queen that takes or interposes on `(1, 1)`; it
///    stands on the bishops' wrong colour, so it is never pinned. Two bishops of one colour cannot
///    give a double check: a bishop that leaves one diagonal through the king meets the other only
///    at the king.
pub(super) fn cannot_mate(board: &Board) -> bool {
    let white = board.colors[Color::White.index()];
    let kind = |kind: PieceType| board.kind(kind);
    if (white & (kind(PieceType::Pawn) | kind(PieceType::Rook) | kind(PieceType::Queen))).any() {
        return false;
    }
    let knights = white & kind(PieceType::Knight);
    let bishops = white & kind(PieceType::Bishop);
    if bishops.is_empty() {
        let black = board.colors[Color::Black.index()];
        let harmless = kind(PieceType::Queen) | kind(PieceType::King);
        return knights.is_empty() || !knights.more_than_one() && black.is_subset(harmless);
    }
    (kind(PieceType::Knight) | kind(PieceType::Pawn)).is_empty()
        && (kind(PieceType::Bishop).is_subset(Bitboard::LIGHT)
            || kind(PieceType::Bishop).is_subset(Bitboard::DARK))
}
