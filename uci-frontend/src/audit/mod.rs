//! The command `themis audit`: finished games replayed under the Laws.

mod clock;
mod ending;
mod normal;
mod pipeline;
mod record;
mod replay;
mod report;
mod source;
mod split;
mod verdict;

use std::io::{self, BufWriter, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use arbiter_plugin::plugin::{Edition, Language};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::plugin_host;
use report::Summary;
use source::Source;
use verdict::{Auditor, Class};

/// Options of the command.
#[derive(clap::Args)]
pub struct Args {
    /// PGN files, plain, .gz or .zst; `-` for standard input
    #[arg(required = true, value_name = "FILE.pgn")]
    files: Vec<PathBuf>,
    /// Edition of the Laws: 2014, 2018 or 2023
    #[arg(long, default_value = "2018")]
    edition: Edition,
    /// Language of the sentences in JSON: en or es
    #[arg(long, default_value = "en")]
    language: Language,
    /// A library with another arbiter
    #[arg(long, value_name = "PATH")]
    arbiter: Option<PathBuf>,
    /// A JSON object for each game, and one with the summary
    #[arg(long)]
    json: bool,
    /// Print only the games that differ, and the summary
    #[arg(long, short)]
    quiet: bool,
    /// Threads that judge games; all processors if left out
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Audits the files. The exit code is 1 where a record differs from the Laws, and 2 where a file
/// could not be read to its end or the arbiter could not rule on a game.
///
/// # Errors
/// The arbiter cannot be loaded, or the report cannot be written.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let sources: Vec<_> = args.files.iter().cloned().map(Source::new).collect();
    let progress = progress_bar(sources.iter().map(Source::size).sum());
    let threads = args
        .threads
        .or_else(|| std::thread::available_parallelism().ok())
        .map_or(1, NonZeroUsize::get);
    let make = || {
        let arbiter = plugin_host::open(args.arbiter.as_deref(), args.edition, args.language)?;
        Ok(Auditor::new(arbiter, args.arbiter.is_none(), args.edition, args.language)?)
    };
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut summary = Summary::default();
    let done = pipeline::run(&sources, threads, &make, &progress, |game| {
        summary.count(&game);
        if !args.quiet || matches!(game.class, Class::Differs | Class::Failed) {
            let line = if args.json { game.json() } else { game.text() };
            writeln!(output, "{line}")?;
        }
        Ok(())
    });
    progress.finish_and_clear();
    let time = start.elapsed();
    let sums = if args.json { summary.json(time) } else { summary.text(time) };
    let written = writeln!(output, "{sums}").and_then(|()| output.flush());
    let failed = done.or_else(|error| ignore_closed_pipe(error).map(|()| Vec::new()))?;
    written.map_err(Into::into).or_else(ignore_closed_pipe)?;
    for error in &failed {
        crate::complain(format_args!("themis: {error:#}"));
    }
    if summary.failed > 0 {
        crate::complain(format_args!(
            "themis: no ruling on {} of {} games",
            summary.failed, summary.games
        ));
    }
    if !failed.is_empty() || summary.failed > 0 {
        return Ok(ExitCode::from(2));
    }
    Ok(ExitCode::from(u8::from(summary.differ > 0)))
}

/// A reader that has read enough (`| head`) is no error.
fn ignore_closed_pipe(error: anyhow::Error) -> anyhow::Result<()> {
    let closed = error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
    if closed { Ok(()) } else { Err(error) }
}

/// A bar on a terminal: of bytes where the size of all files is known.
fn progress_bar(bytes: Option<u64>) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match bytes {
        Some(bytes) => (ProgressBar::new(bytes), "{wide_bar} {bytes}/{total_bytes} {eta}"),
        None => (ProgressBar::new_spinner(), "{spinner} {bytes} {elapsed}"),
    };
    bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
