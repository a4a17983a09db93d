//! Moves and lists of moves.

use std::fmt;
use std::ops::{Deref, DerefMut};

use super::{PieceType, Square};

/// The most moves a legal position is known to have is 218; lists leave room to spare.
pub const MAX_MOVES: usize = 256;

/// What a move does beyond taking a man from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// A move or capture of no special kind (a double pawn step included).
    Normal,
    /// Castling; the move goes from the king's square to the *rook's* square.
    Castling,
    /// A pawn captures en passant.
    EnPassant,
    /// A pawn reaches the last rank and becomes this man.
    Promotion(PieceType),
}

/// A move in 16 bits: six for the origin, six for the destination, four for the kind.
///
/// Castling is stored as "king takes own rook", in standard chess too; see
/// [`Position::uci`](super::Position::uci) for the form that UCI wants.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(u16);

impl Move {
    /// The null move, which no legal move equals.
    pub const NULL: Self = Self(0);

    const CASTLING: u16 = 1 << 12;
    const EN_PASSANT: u16 = 2 << 12;
    const PROMOTION: u16 = 4 << 12;

    /// A move from `from` to `to` of no special kind.
    #[inline(always)]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self((from.index() | to.index() << 6) as u16)
    }

    /// Castling of the king on `king` with the rook on `rook`.
    #[inline(always)]
    pub const fn castling(king: Square, rook: Square) -> Self {
        Self(Self::normal(king, rook).0 | Self::CASTLING)
    }

    /// An en passant capture; `to` is the square passed over.
    #[inline(always)]
    pub const fn en_passant(from: Square, to: Square) -> Self {
        Self(Self::normal(from, to).0 | Self::EN_PASSANT)
    }

    /// A promotion to `kind`, which must be a knight, bishop, rook or queen.
    #[inline(always)]
    pub const fn promotion(from: Square, to: Square, kind: PieceType) -> Self {
        Self(Self::normal(from, to).0 | Self::PROMOTION | ((kind as u16 - 1) & 3) << 12)
    }

    /// Where the man starts.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::new((self.0 & 63) as u8)
    }

    /// Where the man lands; for castling, the rook's square.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6 & 63) as u8)
    }

    /// What kind of move it is.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        match self.promotion_type() {
            Some(kind) => MoveKind::Promotion(kind),
            None if self.is_castling() => MoveKind::Castling,
            None if self.is_en_passant() => MoveKind::EnPassant,
            None => MoveKind::Normal,
        }
    }

    /// Whether it castles.
    #[inline(always)]
    pub const fn is_castling(self) -> bool {
        self.0 >> 12 == Self::CASTLING >> 12
    }

    /// Whether it captures en passant.
    #[inline(always)]
    pub const fn is_en_passant(self) -> bool {
        self.0 >> 12 == Self::EN_PASSANT >> 12
    }

    /// What the pawn becomes, if it promotes.
    #[inline(always)]
    pub const fn promotion_type(self) -> Option<PieceType> {
        if self.0 & Self::PROMOTION == 0 {
            return None;
        }
        Some(match self.0 >> 12 & 3 {
            0 => PieceType::Knight,
            1 => PieceType::Bishop,
            2 => PieceType::Rook,
            _ => PieceType::Queen,
        })
    }

    /// Whether the bits are those of some move of the generator.
    #[inline(always)]
    pub(super) const fn is_canonical(self) -> bool {
        const KINDS: u16 = 0b1111_0111;
        KINDS >> (self.0 >> 12) & 1 != 0
    }

    /// Whether it is [`Move::NULL`].
    #[inline(always)]
    pub const fn is_null(self) -> bool {
        self.0 == 0
    }

    /// The sixteen bits, for storage in a table.
    #[inline(always)]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// A move from stored bits. It may be legal nowhere: check it before it is played.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.kind() {
            MoveKind::Promotion(kind) => write!(f, "{}", kind.letter()),
            MoveKind::Castling => f.write_str("(castling)"),
            MoveKind::EnPassant => f.write_str("(e.p.)"),
            MoveKind::Normal => Ok(()),
        }
    }
}

/// A list of moves on the stack.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MAX_MOVES],
    len: usize,
}

impl MoveList {
    /// An empty list.
    #[inline(always)]
    pub const fn new() -> Self {
        Self { moves: [Move::NULL; MAX_MOVES], len: 0 }
    }

    /// Appends a move. Panics past [`MAX_MOVES`], which no position reaches.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len] = mv;
        self.len += 1;
    }

    /// Empties the list.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];
    #[inline(always)]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl DerefMut for MoveList {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.len]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
