//! An arbiter for chess games under the FIDE Laws of Chess, as a pure state machine:
//! timestamped events in, rulings out.
#![deny(missing_docs)]

pub mod plugin;
pub mod winnable;
