//! The same where there are no process groups: a tree of processes is ended by its root, and a
//! thread writes, so that an engine that does not read holds up nobody else.

use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Instant;

use crossbeam_channel::{SendTimeoutError, Sender};

/// Texts that wait for the engine to read.
const MAX_WAITING: usize = 64;

/// Nothing to prepare; binding to a processor is not supported here.
pub fn prepare(_command: &mut Command, _cpu: Option<usize>) {}

/// Processors that this program may use; `None` as engines cannot be bound to one.
pub fn processors() -> Option<Vec<usize>> {
    None
}

/// Ends a process and everything it started.
pub fn kill_group(process: u32) {
    let _ = Command::new("taskkill")
        .args(["/T", "/F", "/PID", &process.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
}

/// Whether the process ended by itself.
pub fn has_exited(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// The engine's input.
pub struct Input(Sender<String>);

impl Input {
    /// Takes the pipe over.
    ///
    /// # Errors
    /// The thread that writes cannot be started.
    pub fn new(mut stdin: ChildStdin) -> io::Result<Self> {
        let (sender, texts) = crossbeam_channel::bounded::<String>(MAX_WAITING);
        std::thread::Builder::new().name("engine writer".to_owned()).spawn(move || {
            for text in texts {
                if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self(sender))
    }

    /// Hands everything to the writing thread; gives up at the deadline.
    ///
    /// # Errors
    /// The engine does not read, or is gone.
    pub fn write(&mut self, text: &str, deadline: Instant) -> io::Result<()> {
        self.0.send_deadline(text.to_owned(), deadline).map_err(|error| match error {
            SendTimeoutError::Timeout(_) => io::ErrorKind::TimedOut.into(),
            SendTimeoutError::Disconnected(_) => io::ErrorKind::BrokenPipe.into(),
        })
    }
}
