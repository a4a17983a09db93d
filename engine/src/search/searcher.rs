//! The searcher: tables, threads and the entry point.

use super::{Control, Game, HashError, Limits, Options, Reporter, TablebaseError};
use crate::board::Move;

/// What a search decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play; `None` where no move is legal.
    pub best: Option<Move>,
    /// The reply to ponder on, if the line goes on; never a reply to a finished game.
    pub ponder: Option<Move>,
}

/// The engine: transposition table, histories and threads, kept from move to move.
#[derive(Debug, Default)]
pub struct Searcher {}

impl Searcher {
    /// The size of the transposition table at the start, in MiB.
    pub const DEFAULT_HASH_MIB: usize = 16;
    /// The largest size of the transposition table, in MiB.
    pub const MAX_HASH_MIB: usize = 1 << 20;
    /// The most threads.
    pub const MAX_THREADS: usize = 1024;

    /// A searcher with one thread and a table of [`Self::DEFAULT_HASH_MIB`].
    pub fn new() -> Self {
        Self {}
    }

    /// Sets the size of the transposition table in MiB, from 1. Its contents are lost.
    /// Where the memory is not to be had, the old table stays.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), HashError> {
        let _ = mib;
        Ok(())
    }

    /// Forgets all: transposition table and histories. All threads share the work.
    pub fn clear(&mut self) {}

    /// Sets the number of threads, from 1 to [`Self::MAX_THREADS`].
    pub fn set_threads(&mut self, threads: usize) {
        let _ = threads;
    }

    /// Opens the Syzygy tables in the directories of `path`, separated as in `PATH`, and returns
    /// how many tables there are. An empty path closes them.
    pub fn set_syzygy_path(&mut self, path: &str) -> Result<usize, TablebaseError> {
        let _ = path;
        Ok(0)
    }

    /// Searches until a limit is reached or `control` stops it.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        options: &Options,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> Outcome {
        let _ = (options, reporter);
        if limits.infinite || limits.ponder {
            control.wait(!limits.infinite);
        }
        Outcome { best: game.position().legal_moves().first().copied(), ponder: None }
    }
}
