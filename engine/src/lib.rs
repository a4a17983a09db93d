//! Themis, the chess engine: position, move generation, evaluation and search.
//!
//! The crate does no input or output of its own: a front end hands it positions and limits and
//! receives reports through a trait. It knows nothing of an arbiter.
#![deny(missing_docs)]

pub mod board;
pub mod eval;
pub mod search;
pub mod tablebase;
