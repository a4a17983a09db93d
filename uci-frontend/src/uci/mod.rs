//! The engine side of UCI, what a GUI talks to.
//!
//! One thread reads standard input, one searches, and the session between them listens to both, so
//! that it answers `isready` and `stop` at any time. Only the session decides what a search is
//! given and says `bestmove`.

mod command;
mod display;
mod go;
pub(crate) mod info;
pub(crate) mod line;
pub(crate) mod network;
mod options;
mod output;
mod position;
mod session;
mod setoption;
mod watch;
mod worker;

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;
use std::thread;

use anyhow::Context;
use arbiter_plugin::plugin::{Arbiter, Edition, Language};
use crossbeam_channel::{Sender, bounded, unbounded};

use crate::plugin_host;
use line::Input;
use options::Settings;
use output::Output;
use session::Session;
use watch::Watch;

/// Lines that may wait to be obeyed before the reader waits too.
const BACKLOG: usize = 1024;

/// Speaks UCI on standard input and output until `quit` or the end of input.
pub fn run() -> anyhow::Result<ExitCode> {
    if io::stdin().is_terminal() {
        crate::complain(format_args!(
            "Themis speaks UCI here: try `uci`, `go movetime 1000`, `quit`; see `themis --help`"
        ));
    }
    let (lines_in, lines) = bounded(BACKLOG);
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || read(&lines_in))
        .context("cannot start a thread")?;
    let (jobs, jobs_out) = unbounded();
    let (done_in, done) = unbounded();
    worker::spawn(jobs_out, done_in).context("cannot start a thread")?;
    let output = Output::default();
    let watch = Watch::spawn(output.clone(), Settings::default().arbiter, open_arbiter)
        .context("cannot start a thread")?;
    Session::new(output, jobs, done, watch).run(&lines);
    Ok(ExitCode::SUCCESS)
}

/// Sends on every line until the end of the input, which closes the channel.
fn read(lines: &Sender<Input>) {
    let mut stdin = io::stdin().lock();
    while let Ok(Some(input)) = line::read(&mut stdin) {
        if lines.send(input).is_err() {
            break;
        }
    }
}

/// The arbiter in the library at `path`, or the built-in one for an empty path.
fn open_arbiter(path: &str) -> anyhow::Result<Box<dyn Arbiter>> {
    let path = (!path.is_empty()).then_some(Path::new(path));
    plugin_host::open(path, Edition::default(), Language::default())
}
