//! How drawish an endgame is.

use crate::board::{Bitboard, Color, PieceType, Position, Square};

/// The factor of an endgame without drawing features.
pub const FULL: i32 = 64;

/// The share, of [`FULL`], of the endgame value that the better side can hope for.
#[inline(always)]
pub fn factor(position: &Position, endgame: i32) -> i32 {
    let strong = if endgame >= 0 { Color::White } else { Color::Black };
    let pawns = position.pieces(strong, PieceType::Pawn);
    let pieces = PieceCount::of(position, strong);
    let enemy = PieceCount::of(position, !strong);
    if pawns.is_empty() {
        return without_pawns(&pieces, &enemy);
    }
    if pieces.is_lone_bishop() && is_wrong_corner(position, strong, pawns) {
        return 0;
    }
    if are_opposite_bishops(position) {
        let only_bishops = pieces.is_lone_bishop() && enemy.is_lone_bishop();
        let base = if only_bishops { 20 } else { 44 };
        return (base + 4 * pawns.count() as i32).min(FULL);
    }
    (40 + 6 * pawns.count() as i32).min(FULL)
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

    #[inline(always)]
    fn is_lone_bishop(&self) -> bool {
        self.bishops == 1 && self.knights + self.rooks + self.queens == 0
    }
}

/// Without pawns a win needs clearly more than a minor piece ahead.
#[inline(always)]
fn without_pawns(strong: &PieceCount, weak: &PieceCount) -> i32 {
    let (own, other) = (strong.weight(), weak.weight());
    if own <= 1 || own == 2 && strong.knights == 2 {
        return 0;
    }
    if own <= other + 1 {
        return 8;
    }
    FULL
}

/// One bishop each, on squares of different colours.
#[inline(always)]
fn are_opposite_bishops(position: &Position) -> bool {
    let bishops = position.kind(PieceType::Bishop);
    let one_each =
        Color::ALL.into_iter().all(|color| position.pieces(color, PieceType::Bishop).count() == 1);
    one_each && (bishops & Bitboard::LIGHT).count() == 1
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
