//! The board: squares, bitboards, moves, positions and the legal move generator.

mod bitboard;
mod moves;
mod piece;
mod position;
mod square;

pub use bitboard::Bitboard;
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use piece::{CastlingSide, Color, Piece, PieceType};
pub use position::{FenError, MoveParseError, Position};
pub use square::Square;
