//! Positions: the placement of the men, who has the move, and what may still be done.

use std::fmt;

use super::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, pawn_set_attacks,
    rook_attacks,
};
use super::cpu::{Baseline, Cpu};
use super::{Bitboard, CastlingSide, Color, Move, MoveKind, Piece, PieceType, Square, zobrist};

/// The codes of the men: one bit for each of the four sets of [`Position`] that hold the man,
/// and a number no other man has for the king, who is in none of them.
pub(super) mod code {
    pub const NONE: usize = 0;
    pub const PAWN: usize = 1;
    pub const KNIGHT: usize = 2;
    pub const KING: usize = 3;
    pub const BISHOP: usize = 4;
    pub const ROOK: usize = 8;
    pub const QUEEN: usize = BISHOP | ROOK;

    use crate::board::PieceType;

    /// The code of a kind of man.
    #[inline(always)]
    pub const fn of(kind: PieceType) -> usize {
        match kind {
            PieceType::Pawn => PAWN,
            PieceType::Knight => KNIGHT,
            PieceType::Bishop => BISHOP,
            PieceType::Rook => ROOK,
            PieceType::Queen => QUEEN,
            PieceType::King => KING,
        }
    }

    /// The kind of man of a code other than [`NONE`].
    #[inline(always)]
    pub const fn kind(code: usize) -> PieceType {
        const KINDS: [PieceType; 16] = {
            let mut kinds = [PieceType::King; 16];
            kinds[PAWN] = PieceType::Pawn;
            kinds[KNIGHT] = PieceType::Knight;
            kinds[BISHOP] = PieceType::Bishop;
            kinds[ROOK] = PieceType::Rook;
            kinds[QUEEN] = PieceType::Queen;
            kinds
        };
        KINDS[code & 15]
    }
}

/// A position. Copied, not unmade: a move gives a new position.
///
/// A queen is in both `diagonal` and `orthogonal`, and a king in neither: so the generator finds
/// the sliders of a line in one set, and a copy has few words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub(super) pawns: Bitboard,
    pub(super) knights: Bitboard,
    pub(super) diagonal: Bitboard,
    pub(super) orthogonal: Bitboard,
    pub(super) colors: [Bitboard; 2],
    pub(super) key: u64,
    /// Enemy men that attack the king of the side to move.
    pub(super) checkers: Bitboard,
    /// Men of the side to move that shield their king from a slider.
    pub(super) pinned: Bitboard,
    pub(super) kings: [Square; 2],
    /// The files of the rooks that may still castle, White's in the low byte.
    pub(super) castling: u16,
    /// The index of the en passant square, or 0.
    pub(super) ep: u8,
    pub(super) side: Color,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove_number: u16,
}

// A copy per move must stay small.
const _: () = assert!(size_of::<Position>() <= 96);

impl Position {
    /// The standard array.
    pub fn startpos() -> Self {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        Self::from_fen(START).expect("the standard array is a position")
    }

    /// The side that has the move.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The squares of all men.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The squares of the men of a colour.
    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The men of a kind, of both colours.
    #[inline(always)]
    pub fn kind(&self, kind: PieceType) -> Bitboard {
        match kind {
            PieceType::Pawn => self.pawns,
            PieceType::Knight => self.knights,
            PieceType::Bishop => self.diagonal & !self.orthogonal,
            PieceType::Rook => self.orthogonal & !self.diagonal,
            PieceType::Queen => self.diagonal & self.orthogonal,
            PieceType::King => self.kings[0].bitboard() | self.kings[1].bitboard(),
        }
    }

    /// The men of a kind and colour.
    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        match kind {
            PieceType::King => self.kings[color.index()].bitboard(),
            _ => self.kind(kind) & self.color(color),
        }
    }

    /// Where the king of a colour stands.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.kings[color.index()]
    }

    /// The code of the man on a square that is neither empty nor a king's; [`code::NONE`] there.
    #[inline(always)]
    pub(super) fn code_on(&self, square: Square) -> usize {
        let bit = |set: Bitboard| (set.0 >> square.index() & 1) as usize;
        bit(self.pawns)
            | bit(self.knights) << 1
            | bit(self.diagonal) << 2
            | bit(self.orthogonal) << 3
    }

    /// The kind of man on a square.
    #[inline(always)]
    pub fn kind_on(&self, square: Square) -> Option<PieceType> {
        self.occupied().contains(square).then(|| code::kind(self.code_on(square)))
    }

    /// The man on a square.
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let kind = self.kind_on(square)?;
        let color = if self.colors[0].contains(square) { Color::White } else { Color::Black };
        Some(Piece { color, kind })
    }

    /// The square passed over by a double step, kept only where an en passant capture is legal.
    #[inline(always)]
    pub fn ep_square(&self) -> Option<Square> {
        (self.ep != 0).then(|| Square::new(self.ep))
    }

    /// The rooks with which `color` may still castle, as a set of files.
    #[inline(always)]
    pub(super) fn castling_files(&self, color: Color) -> u8 {
        (self.castling >> (8 * color.index())) as u8
    }

    /// The square of the rook with which `color` may still castle to `side`.
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.king(color);
        let west = (1u8 << king.file()) - 1;
        let files = self.castling_files(color)
            & match side {
                CastlingSide::King => !west,
                CastlingSide::Queen => west,
            };
        let rank = king.rank();
        (files != 0).then(|| Square::from_coords(files.trailing_zeros() as u8, rank))
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u32 {
        u32::from(self.halfmove_clock)
    }

    /// The number of the move, 1 for the first; it grows after Black's move.
    #[inline(always)]
    pub fn fullmove_number(&self) -> u32 {
        u32::from(self.fullmove_number)
    }

    /// The key of the position: men, side to move, castling rights, legal en passant
    /// (Article 9.2.2.1 counts positions as the same by just these).
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The enemy men that give check to the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The men of the side to move that may leave the line to their king only at the cost of a
    /// check.
    #[inline(always)]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The men of both colours that attack `square` when `occupied` stand on the board.
    #[inline(always)]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let pawns = pawn_attacks(Color::Black, square) & self.colors[0]
            | pawn_attacks(Color::White, square) & self.colors[1];
        pawns & self.pawns
            | knight_attacks(square) & self.knights
            | bishop_attacks(square, occupied) & self.diagonal
            | rook_attacks(square, occupied) & self.orthogonal
            | king_attacks(square) & self.kind(PieceType::King)
    }

    /// All squares that the men of `color` attack.
    pub fn attacks_by(&self, color: Color) -> Bitboard {
        match color {
            Color::White => self.attacked::<true, _>(self.occupied(), Baseline),
            Color::Black => self.attacked::<false, _>(self.occupied(), Baseline),
        }
    }

    /// All squares that a side attacks when `occupied` stand on the board.
    #[inline(always)]
    pub(super) fn attacked<const WHITE: bool, C: Cpu>(
        &self,
        occupied: Bitboard,
        cpu: C,
    ) -> Bitboard {
        let color = color_of(WHITE);
        let men = self.color(color);
        let mut attacks =
            pawn_set_attacks(color, self.pawns & men) | king_attacks(self.king(color));
        for square in self.knights & men {
            attacks |= knight_attacks(square);
        }
        for square in self.diagonal & men {
            attacks |= cpu.bishop_attacks(square, occupied);
        }
        for square in self.orthogonal & men {
            attacks |= cpu.rook_attacks(square, occupied);
        }
        attacks
    }

    /// The key computed from nothing but the position.
    pub(super) fn fresh_key(&self) -> u64 {
        let mut key = 0;
        for square in self.occupied() {
            let color = if self.colors[0].contains(square) { Color::White } else { Color::Black };
            let code = if self.kings.contains(&square) { code::KING } else { self.code_on(square) };
            key ^= zobrist::man(color, code, square);
        }
        for color in Color::ALL {
            key ^= zobrist::castling(color, self.castling_files(color));
        }
        if let Some(square) = self.ep_square() {
            key ^= zobrist::en_passant(square);
        }
        if self.side == Color::Black {
            key ^= zobrist::SIDE;
        }
        key
    }

    /// Computes [`Self::pinned`] and adds the sliders among [`Self::checkers`] for the side
    /// `WHITE`, which is to move.
    #[inline(always)]
    pub(super) fn find_pins<const WHITE: bool>(&mut self) {
        let us = color_of(WHITE);
        let king = self.king(us);
        let enemy = self.color(!us);
        let occupied = self.occupied();
        let snipers = (super::attacks::rook_rays(king) & self.orthogonal
            | super::attacks::bishop_rays(king) & self.diagonal)
            & enemy;
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let shield = between(king, sniper) & occupied;
            if shield.is_empty() {
                self.checkers |= sniper.bitboard();
            } else if !shield.more_than_one() {
                pinned |= shield;
            }
        }
        self.pinned = pinned & self.color(us);
    }

    /// Computes [`Self::checkers`] and [`Self::pinned`] from nothing but the position.
    pub(super) fn find_checks(&mut self) {
        let us = self.side;
        let king = self.king(us);
        self.checkers = (pawn_attacks(us, king) & self.pawns | knight_attacks(king) & self.knights)
            & self.color(!us);
        match us {
            Color::White => self.find_pins::<true>(),
            Color::Black => self.find_pins::<false>(),
        }
    }

    /// Whether the pawn on `from`, of the side `us`, may capture en passant on `to` without
    /// leaving its king in check.
    #[cold]
    #[inline(never)]
    pub(super) fn ep_is_legal(&self, us: Color, from: Square, to: Square) -> bool {
        let captured = Square::new(to.index() as u8 ^ 8).bitboard();
        let occupied = self.occupied() ^ from.bitboard() ^ captured | to.bitboard();
        let attackers = self.attackers_to(self.king(us), occupied) & self.color(!us);
        (attackers & !captured).is_empty()
    }

    /// Whether `mv`, which is legal, captures a man; en passant included.
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        mv.is_en_passant() || !mv.is_castling() && self.occupied().contains(mv.to())
    }

    /// The kind of man that `mv`, which is legal, captures.
    #[inline(always)]
    pub fn captured(&self, mv: Move) -> Option<PieceType> {
        match mv.kind() {
            MoveKind::EnPassant => Some(PieceType::Pawn),
            MoveKind::Castling => None,
            _ => self.kind_on(mv.to()),
        }
    }
}

/// The colour that a generic parameter stands for.
#[inline(always)]
pub(super) const fn color_of(white: bool) -> Color {
    if white { Color::White } else { Color::Black }
}

/// Where king and rook land.
#[inline(always)]
pub(super) const fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let rank = king.rank();
    if rook.file() > king.file() {
        (Square::from_coords(6, rank), Square::from_coords(5, rank))
    } else {
        (Square::from_coords(2, rank), Square::from_coords(3, rank))
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::startpos()
    }
}

impl fmt::Display for Position {
    /// The position as FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen(false))
    }
}

impl fmt::Debug for Position {
    /// The position as Shredder-FEN, which says which rook may castle.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen(true))
    }
}
