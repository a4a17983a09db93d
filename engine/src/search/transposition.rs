//! The transposition table.

/// The memory for the transposition table is not to be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot allocate {0} MiB for the hash table; the old table stays")]
pub struct HashError(pub usize);
