//! An arbiter for chess games under the FIDE Laws of Chess, as a pure state machine:
//! timestamped events in, rulings out.
#![deny(missing_docs)]

mod clock;
mod editions;
pub mod ffi;
mod game;
mod laws;
mod mates;
pub mod plugin;
mod record;
mod text;
pub mod winnable;

pub use game::Game;
pub use mates::{is_dead, is_dead_after};
