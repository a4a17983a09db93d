//! The board: squares, bitboards, moves, positions and the legal move generator.

pub mod attacks;
mod bitboard;
mod cpu;
mod fen;
mod legality;
mod movegen;
mod moves;
pub mod perft;
mod piece;
mod play;
mod position;
mod see;
mod square;
mod zobrist;

pub use bitboard::Bitboard;
pub use fen::FenError;
pub use legality::MoveParseError;
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use piece::{CastlingSide, Color, Piece, PieceType};
pub use position::Position;
pub use see::SEE_VALUES;
pub use square::Square;
