//! The search.
//!
//! A front end builds a [`Game`] and [`Limits`], keeps a clone of the [`Control`] to stop the
//! search from another thread, and calls [`Searcher::search`], which blocks. What the search finds
//! on its way goes to a [`Reporter`].

mod control;
mod correction;
mod deepening;
mod extensions;
mod first_sight;
mod game;
mod history;
mod limits;
mod line;
mod negamax;
mod params;
mod picker;
mod prefetch;
mod pruning;
mod quiescence;
mod reductions;
mod repetition;
mod report;
mod root;
mod score;
mod searcher;
mod shared;
mod static_eval;
mod strength;
mod time;
mod transposition;
mod variation;
mod vote;
mod wdl;
mod worker;

pub use control::Control;
pub use game::Game;
pub use limits::{Clock, Limits, Options};
pub use params::{TUNABLES, Tunable, set_tunable};
pub use report::{Bound, Info, Reporter, Score, Silent, Wdl};
pub use searcher::{Outcome, Searcher};
pub use strength::{MAX_ELO, MIN_ELO};
pub use transposition::HashError;
pub use wdl::{material, shown_pawn};

pub use crate::tablebase::TablebaseError;

/// What the tablebase module needs of the search.
pub(crate) mod tablebase_support {
    pub(crate) use super::root::RootMove;
    pub(crate) use super::score::{DRAW, TABLEBASE_WIN};
    pub(crate) use super::transposition::Limit;
    pub(crate) use super::worker::Worker;
}

/// The deepest line, in plies from the root, that the search follows.
pub const MAX_PLY: usize = 246;
