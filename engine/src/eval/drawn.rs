//! Material that is drawn, or nearly so, whatever the network says of it.

use crate::board::{Bitboard, Color, PieceType, Position, Square};

/// The factor of material that is not drawn.
pub const FULL: i32 = 64;

/// The share, of [`FULL`], of the side to move's evaluation `value` that the better side can hope
/// for.
#[inline(always)]
pub fn factor(position: &Position, value: i32) -> i32 {
    let side = position.side_to_move();
    let strong = if value >= 0 { side } else { !side };
    let pawns = position.pieces(strong, PieceType::Pawn);
    if pawns.is_empty() {
        return without_pawns(position, strong);
    }
    let bishop = position.pieces(strong, PieceType::Bishop);
    let others = pawns | bishop | position.pieces(strong, PieceType::King);
    let lone_bishop = bishop.count() == 1 && others == position.color(strong);
    if lone_bishop && is_wrong_corner(position, strong, pawns) {
        return 0;
    }
    FULL
}

struct PieceCount {
    knights: u32,
    bishops: u32,
    rooks: u32,
    queens: u32,
}

impl PieceCount {
    #[inline(always)]
    fn of(position: &Position, color: Color) -> Self {
        let count = |kind| position.pieces(color, kind).count();
        Self {
            knights: count(PieceType::Knight),
            bishops: count(PieceType::Bishop),
            rooks: count(PieceType::Rook),
            queens: count(PieceType::Queen),
        }
    }

    /// Minor pieces count one, rooks two, queens four.
    #[inline(always)]
    fn weight(&self) -> u32 {
        self.knights + self.bishops + 2 * self.rooks + 4 * self.queens
    }
}

/// With few pieces and no pawns a win needs clearly more than a minor piece ahead.
#[inline(always)]
fn without_pawns(position: &Position, strong: Color) -> i32 {
    /// As much as a queen; with more, the network decides.
    const FEW: u32 = 4;
    let pieces = PieceCount::of(position, strong);
    let own = pieces.weight();
    if own > FEW {
        return FULL;
    }
    let against_pawns = position.pieces(!strong, PieceType::Pawn).any();
    if own <= 1 || own == 2 && pieces.knights == 2 && !against_pawns {
        return 0;
    }
    if own <= PieceCount::of(position, !strong).weight() + 1 { 8 } else { FULL }
}

/// Only pawns of one rook's file, whose corner the bishop does not command and the enemy king
/// reaches.
#[inline(always)]
fn is_wrong_corner(position: &Position, strong: Color, pawns: Bitboard) -> bool {
    let file = if pawns.is_subset(Bitboard::file(0)) {
        0
    } else if pawns.is_subset(Bitboard::file(7)) {
        7
    } else {
        return false;
    };
    let corner = Square::from_coords(file, if strong == Color::White { 7 } else { 0 });
    let bishop = position.pieces(strong, PieceType::Bishop);
    let commanded = (bishop & Bitboard::LIGHT).any() == corner.is_light();
    !commanded && position.king(!strong).distance(corner) <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_and_what_not() {
        for (fen, value, expected) in [
            ("8/8/4k3/8/8/3NN3/4K3/8 w - - 0 1", 300, 0),
            ("8/8/4k3/7p/8/3B4/4K3/8 b - - 0 1", -300, 0),
            // A pawn may leave the other side no stalemate.
            ("8/8/4k3/7p/8/3NN3/4K3/8 w - - 0 1", 300, FULL),
            ("qrr1k3/8/8/8/8/8/P7/QRR1KN2 b - - 0 1", 300, FULL),
            // The side with the pawn may still win.
            ("8/8/4k3/7p/8/3B4/4K3/8 b - - 0 1", 50, FULL),
            ("8/8/3k4/5r2/8/3BR3/4K3/8 w - - 0 1", 300, 8),
            ("8/8/4k3/8/8/3NB3/4K3/8 w - - 0 1", 300, FULL),
            // The corner a8 is light: a bishop on dark squares does not command it.
            ("k7/8/P7/8/8/4B3/4K3/8 w - - 0 1", 300, 0),
            ("k7/8/P7/8/8/3B4/4K3/8 w - - 0 1", 300, FULL),
            ("k7/8/P7/8/8/4B3/1P2K3/8 w - - 0 1", 300, FULL),
            ("k7/8/P7/8/8/4BN2/4K3/8 w - - 0 1", 300, FULL),
            // The enemy king is too far away.
            ("8/8/P4k2/8/8/4B3/4K3/8 w - - 0 1", 300, FULL),
        ] {
            let position = Position::from_fen(fen).expect("a FEN");
            assert_eq!(factor(&position, value), expected, "{fen}");
        }
    }
}
