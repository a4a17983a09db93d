//! Standard output of the commands.

use std::fmt::Display;
use std::io::{self, StdoutLock, Write};

/// Standard output, for one command alone. Every line goes out at once.
pub struct Stdout(StdoutLock<'static>);

/// Standard output takes no more.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to standard output")]
pub struct WriteError(#[from] io::Error);

impl Stdout {
    /// Takes standard output until this is dropped.
    pub fn lock() -> Self {
        Self(io::stdout().lock())
    }

    /// Writes a line.
    ///
    /// # Errors
    /// The reader is gone, or the disk is full.
    pub fn line(&mut self, text: impl Display) -> Result<(), WriteError> {
        writeln!(self.0, "{text}")?;
        Ok(self.0.flush()?)
    }
}

/// Whether a command failed only because the reader of its output went away, as `head` does: it
/// has heard enough.
pub fn is_reader_gone(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<WriteError>()
        .is_some_and(|WriteError(cause)| cause.kind() == io::ErrorKind::BrokenPipe)
}
