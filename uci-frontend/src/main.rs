//! Themis: a UCI chess engine with an arbiter, and a tournament runner.

mod arbiter;
mod audit;
mod bench;
mod check_engine;
mod eval;
mod perft;
mod plugin_host;
mod stdout;
mod tournament;
mod uci;
mod winnable;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A UCI chess engine with an arbiter for the FIDE Laws of Chess, and a tournament runner.
///
/// Without a command it speaks UCI on standard input and output.
#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Search a built-in set of positions to a fixed depth and print the node count
    Bench(bench::Args),
    /// Count the leaf nodes of the legal move tree
    Perft(perft::Args),
    /// Print the static evaluation, and what each man adds to it
    Eval(eval::Args),
    /// Say whether each side can still mate by any series of legal moves
    Winnable(winnable::Args),
    /// Rule on a game: JSON events on standard input, JSON rulings on standard output
    Arbiter(arbiter::Args),
    /// Replay PGN files under the Laws and list wrong results
    Audit(audit::Args),
    /// Run engines against each other; cutechess-cli and fastchess option syntax
    Tournament(tournament::Args),
    /// Check that an engine speaks UCI as hosts need it
    CheckEngine(check_engine::Args),
}

fn main() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => run(cli).unwrap_or_else(fail),
        Err(answer) => answer_arguments(&answer),
    }
}

fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        None => uci::run(),
        Some(Command::Bench(args)) => bench::run(args),
        Some(Command::Perft(args)) => perft::run(args),
        Some(Command::Eval(args)) => eval::run(args),
        Some(Command::Winnable(args)) => winnable::run(args),
        Some(Command::Arbiter(args)) => arbiter::run(args),
        Some(Command::Audit(args)) => audit::run(args),
        Some(Command::Tournament(args)) => tournament::run(args),
        Some(Command::CheckEngine(args)) => check_engine::run(args),
    }
}

/// Says in one line why a command failed, and gives its exit code; a reader that went away is no
/// failure.
fn fail(error: anyhow::Error) -> ExitCode {
    if stdout::is_reader_gone(&error) {
        return ExitCode::SUCCESS;
    }
    complain(format_args!("themis: {error:#}"));
    ExitCode::from(2)
}

/// Prints the help or the version that was asked for; says in one line what is wrong with the
/// arguments otherwise.
fn answer_arguments(answer: &clap::Error) -> ExitCode {
    if answer.use_stderr() {
        return fail(anyhow::Error::msg(argument_error(answer)));
    }
    let printed = answer.print().map_err(|error| stdout::WriteError::from(error).into());
    printed.map_or_else(fail, |()| ExitCode::SUCCESS)
}

/// What is wrong with the arguments, in one line: the first paragraph of clap's explanation,
/// which may have the names or values that are meant below its first line.
fn argument_error(error: &clap::Error) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let paragraph = text.lines().map(str::trim).take_while(|line| !line.is_empty());
    paragraph.collect::<Vec<_>>().join(" ")
}

/// Writes a line to standard error. Nothing can be said to a reader that is gone, or on a disk
/// that is full.
fn complain(line: std::fmt::Arguments) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// A text of the user's as an error quotes it: any position in full, the start of what is longer.
fn excerpt(text: &str) -> String {
    const MOST: usize = 120;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
