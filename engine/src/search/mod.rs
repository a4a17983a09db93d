//! The search.
//!
//! A front end builds a [`Game`] and [`Limits`], keeps a clone of the [`Control`] to stop the
//! search from another thread, and calls [`Searcher::search`], which blocks. What the search finds
//! on its way goes to a [`Reporter`].

mod control;
mod game;
mod limits;
mod report;
mod searcher;

pub use control::Control;
pub use game::Game;
pub use limits::{Clock, Limits, Options};
pub use report::{Bound, Info, Reporter, Score, Silent, Wdl};
pub use searcher::{Outcome, Searcher};

pub use crate::tablebase::TablebaseError;
pub use transposition::HashError;

mod transposition;

/// The deepest line, in plies from the root, that the search follows.
pub const MAX_PLY: usize = 246;

/// The lowest strength that [`Options::elo`] can ask for, in Elo.
pub const MIN_ELO: u32 = 1000;
/// The highest strength that [`Options::elo`] can ask for, in Elo.
pub const MAX_ELO: u32 = 2800;
