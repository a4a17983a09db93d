//! Syzygy endgame tablebases.

/// The tablebases cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    /// A directory of the path cannot be read.
    #[error("SyzygyPath: cannot read `{path}`: {reason}")]
    Unreadable {
        /// The directory.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// No table lies there.
    #[error("SyzygyPath: no tablebase files in `{0}`")]
    Empty(String),
}
