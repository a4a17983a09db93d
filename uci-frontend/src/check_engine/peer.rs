//! The engine under test: every line it says, with the moment at which it came.

use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};

use crate::uci::line::{self, Input};

/// Lines that may wait; an engine that floods waits when they are full.
const WAITING: usize = 10_000;

/// A running engine. Dropped, it is ended.
pub struct Peer {
    child: Child,
    /// `None` once it is closed.
    stdin: Option<ChildStdin>,
    lines: Receiver<Line>,
    verbose: bool,
}

/// A line of the engine.
#[derive(Clone, Debug)]
pub struct Line {
    /// When it was complete.
    pub at: Instant,
    /// The text, trimmed.
    pub text: String,
}

/// Why an engine gave no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// It says nothing.
    Deadline,
    /// It has ended.
    Ended,
}

impl Peer {
    /// Starts the engine.
    ///
    /// # Errors
    /// The command cannot be started.
    pub fn start(command: &[String], verbose: bool) -> anyhow::Result<Self> {
        let (program, arguments) = command.split_first().context("no command")?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().with_context(|| format!("cannot start {program}"))?;
        let stdout = child.stdout.take().context("no pipe from the engine")?;
        let stdin = child.stdin.take();
        let (sender, lines) = bounded(WAITING);
        thread::Builder::new().name("engine reader".to_owned()).spawn(move || {
            let mut stdout = BufReader::new(stdout);
            while let Ok(Some(input)) = line::read(&mut stdout) {
                let text = match input {
                    Input::Line(text) => text,
                    Input::TooLong => String::new(),
                };
                if sender.send(Line { at: Instant::now(), text }).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self { child, stdin, lines, verbose })
    }

    /// Sends a line. An engine that is gone is noticed when it does not answer.
    pub fn send(&mut self, text: &str) {
        if self.verbose {
            crate::complain(format_args!("> {text}"));
        }
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(bytes).and_then(|()| stdin.flush());
        }
    }

    /// The next line, until the deadline.
    ///
    /// # Errors
    /// None came.
    pub fn line(&self, deadline: Instant) -> Result<Line, Silence> {
        let line = self.lines.recv_deadline(deadline).map_err(|error| match error {
            RecvTimeoutError::Timeout => Silence::Deadline,
            RecvTimeoutError::Disconnected => Silence::Ended,
        })?;
        if self.verbose {
            crate::complain(format_args!("< {}", line.text));
        }
        Ok(line)
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for the engine's end.
    pub fn wait(&mut self, time: Duration) -> io::Result<Option<ExitStatus>> {
        let deadline = Instant::now() + time;
        loop {
            // Read on, lest the engine wait for us.
            while self.lines.try_recv().is_ok() {}
            if let Some(status) = self.child.try_wait()? {
                return Ok(Some(status));
            }
            if Instant::now() >= deadline {
                return Ok(None);
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        #[cfg(unix)]
        if matches!(self.child.try_wait(), Ok(None)) {
            let group = self.child.id() as i32;
            debug_assert!(group > 1);
            // SAFETY: `kill` touches no memory; the child is not yet reaped, so the group's number
            // is still its own.
            unsafe { libc::kill(-group, libc::SIGKILL) };
        }
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
