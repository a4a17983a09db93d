//! The log: what happens in the games, each kind at its level, and, if wanted, every line between
//! the program and the engines.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Mutex;

use anyhow::Context;
use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use super::config::LogConfig;

/// Target of what is said to and by the engines.
pub const ENGINE: &str = "engine";

/// Starts the log of this program.
///
/// # Errors
/// The file cannot be opened.
pub fn start(log: &LogConfig) -> anyhow::Result<()> {
    let file = File::options()
        .create(true)
        .write(true)
        .append(log.append)
        .truncate(!log.append)
        .open(&log.file)
        .with_context(|| format!("{}", log.file.display()))?;
    let name = log.file.display().to_string();
    let layer = fmt::layer()
        .with_writer(Mutex::new(LogFile { file, name, is_broken: false }))
        .with_ansi(false)
        .log_internal_errors(false)
        .with_filter(filter(log));
    tracing_subscriber::registry()
        .with(layer)
        .try_init()
        .map_err(|error| anyhow::anyhow!("cannot start the log: {error}"))
}

/// Whether the lines between the program and the engines are written.
pub fn has_engine_lines(log: &LogConfig) -> bool {
    log.engine && log.level != "error"
}

fn filter(log: &LogConfig) -> Targets {
    let level = match log.level.as_str() {
        "trace" => Level::TRACE,
        "info" => Level::INFO,
        "error" => Level::ERROR,
        _ => Level::WARN,
    };
    let targets = Targets::new().with_default(level);
    if has_engine_lines(log) { targets.with_target(ENGINE, Level::INFO) } else { targets }
}

/// A file that may fill the disk: that is told once, and no reason to stop the games.
struct LogFile {
    file: File,
    name: String,
    is_broken: bool,
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(error) = self.file.write_all(bytes)
            && !std::mem::replace(&mut self.is_broken, true)
        {
            crate::complain(format_args!("warning: cannot write the log {}: {error}", self.name));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
