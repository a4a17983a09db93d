//! Positions: the placement of the men, who has the move, and what may still be done.

use super::{Bitboard, CastlingSide, Color, Move, MoveList, Piece, PieceType, Square};

/// A position. Copied, not unmade: a move gives a new position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {}

/// Why a FEN is refused: the field and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// To be replaced by one variant for each field and fault.
    #[error("invalid FEN")]
    Invalid,
}

/// Why a move in UCI notation is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveParseError {
    /// The text has not the form of a move.
    #[error("`{0}` is not a move in UCI notation")]
    Syntax(String),
    /// No legal move of the position is written so.
    #[error("`{0}` is not a legal move in this position")]
    Illegal(String),
}

#[allow(unused_variables, missing_docs)]
impl Position {
    /// The standard array.
    pub fn startpos() -> Self {
        todo!()
    }

    /// Reads FEN, X-FEN or Shredder-FEN of four to six fields (missing ones: `- - 0 1`).
    /// Castling rights and en passant squares that cannot be used are dropped.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        todo!()
    }

    /// The position as FEN: X-FEN castling letters, or Shredder-FEN's rook files.
    pub fn fen(&self, shredder: bool) -> String {
        todo!()
    }

    pub fn side_to_move(&self) -> Color {
        todo!()
    }
    pub fn occupied(&self) -> Bitboard {
        todo!()
    }
    pub fn color(&self, color: Color) -> Bitboard {
        todo!()
    }
    /// The men of a kind, of both colours.
    pub fn kind(&self, kind: PieceType) -> Bitboard {
        todo!()
    }
    pub fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        todo!()
    }
    pub fn king(&self, color: Color) -> Square {
        todo!()
    }
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        todo!()
    }
    /// The square passed over by a double step, kept only where an en passant capture is legal.
    pub fn ep_square(&self) -> Option<Square> {
        todo!()
    }
    /// The square of the rook with which `color` may still castle to `side`.
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        todo!()
    }
    /// Plies since the last capture or pawn move.
    pub fn halfmove_clock(&self) -> u32 {
        todo!()
    }
    pub fn fullmove_number(&self) -> u32 {
        todo!()
    }
    /// The key of the position: men, side to move, castling rights, legal en passant.
    pub fn key(&self) -> u64 {
        todo!()
    }
    /// The enemy men that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        todo!()
    }
    pub fn in_check(&self) -> bool {
        self.checkers().any()
    }
    /// The men of both colours that attack `square` when `occupied` stand on the board.
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        todo!()
    }
    /// All squares that the men of `color` attack.
    pub fn attacks_by(&self, color: Color) -> Bitboard {
        todo!()
    }
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        todo!()
    }
    /// The legal captures and queen promotions, for quiescence.
    pub fn legal_captures(&self) -> MoveList {
        todo!()
    }
    pub fn has_legal_move(&self) -> bool {
        todo!()
    }
    /// Whether a move from anywhere (a table, a user) is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        todo!()
    }
    /// Whether a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        todo!()
    }
    pub fn is_capture(&self, mv: Move) -> bool {
        todo!()
    }
    /// The position after a legal move.
    pub fn play(&self, mv: Move) -> Self {
        todo!()
    }
    /// The position after passing the move; the side to move must not be in check.
    pub fn play_null(&self) -> Self {
        todo!()
    }
    /// Whether the exchanges that a move starts on its square win at least `threshold` centipawns.
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        todo!()
    }
    /// A legal move in UCI notation: `e1g1` for castling, or `e1h1` where `chess960` is set.
    pub fn uci(&self, mv: Move, chess960: bool) -> String {
        todo!()
    }
    /// Reads UCI notation: castling as king to rook, or as king to its target square
    /// where that is unambiguous.
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveParseError> {
        todo!()
    }
}
