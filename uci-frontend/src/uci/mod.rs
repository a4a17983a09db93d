//! The engine side of UCI, what a GUI talks to.

use std::process::ExitCode;

/// Speaks UCI on standard input and output until `quit` or the end of input.
pub fn run() -> anyhow::Result<ExitCode> {
    anyhow::bail!("not built yet")
}
