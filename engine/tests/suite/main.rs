//! The tests of the engine crate, in one binary so that they link once.

mod board_cases;
mod board_fen;
mod board_perft;
mod board_properties;
mod board_see;
mod random;
mod search;
