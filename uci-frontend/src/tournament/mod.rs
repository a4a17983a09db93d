//! The command `themis tournament`: engines against each other, ruled by the arbiter.

use std::ffi::OsString;
use std::process::ExitCode;

/// Options of the command, in the syntax of cutechess-cli and fastchess.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    /// `-engine cmd=… -each tc=… -rounds N …`; see `themis tournament -help`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Runs the command.
pub fn run(_args: Args) -> anyhow::Result<ExitCode> {
    anyhow::bail!("not built yet")
}
