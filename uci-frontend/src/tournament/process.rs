//! An engine process: started in its own process group, read by its own thread, never waited
//! for without a deadline, and ended with everything it started.

use std::collections::HashSet;
#[cfg(unix)]
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError};

use super::config::EngineConfig;
use super::log::ENGINE;
pub use system::processors;
use system::{Input, has_exited, kill_group, prepare};

#[cfg_attr(unix, path = "process/unix.rs")]
#[cfg_attr(not(unix), path = "process/other.rs")]
mod system;

/// Longest line that is kept; the rest of a longer one is dropped.
const MAX_LINE: usize = 1 << 16;
/// Lines that wait for the runner; a flood beyond that is dropped.
const MAX_WAITING: usize = 4096;
/// Bytes read at a time.
const BUFFER: usize = 1 << 16;
/// Bytes after which the reader slows down an engine that floods.
const FLOOD: usize = 32 << 20;

/// A complete line that the runner has to see.
#[derive(Debug)]
pub struct Line {
    /// The text, without line end.
    pub text: String,
    /// When its last byte was read.
    pub at: Instant,
    /// With a `bestmove`: the last `info` line with an exact score before it, or else the last
    /// one with a bound.
    pub report: Option<String>,
}

/// Why nothing was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// The deadline passed.
    Deadline,
    /// The process closed its output.
    Exited,
}

/// A running engine process; ended with its whole process group when dropped.
pub struct EngineProcess {
    child: Child,
    stdin: Input,
    lines: Source,
    name: String,
    log: bool,
}

/// Where lines come from.
enum Source {
    /// A thread reads: an engine that ponders has to be listened to all the time.
    Thread(Receiver<Line>),
    /// Whoever waits reads: one hand-over less for every line.
    #[cfg(unix)]
    Direct(Box<Direct>),
}

#[cfg(unix)]
struct Direct {
    output: system::Output,
    buffer: Vec<u8>,
    reader: Reader,
    waiting: VecDeque<Line>,
}

#[cfg(unix)]
impl Direct {
    fn read(&mut self, deadline: Instant) -> Result<Line, Silence> {
        loop {
            if let Some(line) = self.waiting.pop_front() {
                return Ok(line);
            }
            let count =
                self.output.read(&mut self.buffer, deadline).map_err(|error| {
                    match error.kind() {
                        io::ErrorKind::TimedOut => Silence::Deadline,
                        _ => Silence::Exited,
                    }
                })?;
            if count == 0 {
                return Err(Silence::Exited);
            }
            let at = Instant::now();
            let waiting = &mut self.waiting;
            self.reader.take(&self.buffer[..count], at, |line| waiting.push_back(line));
            // Output that keeps coming does not move the deadline.
            if self.waiting.is_empty() && at > deadline {
                return Err(Silence::Deadline);
            }
        }
    }
}

/// Process groups that still run, so that an interrupt can end them.
static GROUPS: LazyLock<Mutex<HashSet<u32>>> = LazyLock::new(Mutex::default);

/// No engine may be started any more.
static ENDED: AtomicBool = AtomicBool::new(false);

/// Ends every engine of this program, for good; their readers see the end of their output.
pub fn kill_all() {
    ENDED.store(true, Ordering::SeqCst);
    if let Ok(groups) = GROUPS.lock() {
        for group in groups.iter() {
            kill_group(*group);
        }
    }
}

impl Source {
    fn new(stdout: ChildStdout, reader: Reader, always: bool) -> anyhow::Result<Self> {
        #[cfg(unix)]
        if !always {
            return Ok(Self::Direct(Box::new(Direct {
                output: system::Output::new(stdout),
                buffer: vec![0; BUFFER],
                reader,
                waiting: VecDeque::new(),
            })));
        }
        #[cfg(not(unix))]
        let _ = always;
        let (sender, lines) = crossbeam_channel::bounded(MAX_WAITING);
        std::thread::Builder::new()
            .name("engine reader".to_owned())
            .stack_size(256 << 10)
            .spawn(move || read_lines(stdout, &sender, reader))
            .context("cannot start a reader thread")?;
        Ok(Self::Thread(lines))
    }
}

impl EngineProcess {
    /// Starts the program of `config` under `name`, bound to `cpu` if one is given.
    ///
    /// # Errors
    /// The program cannot be started, or all engines were ended.
    pub fn start(config: &EngineConfig, cpu: Option<usize>, log: bool) -> anyhow::Result<Self> {
        ensure!(!ENDED.load(Ordering::SeqCst), "the run is being stopped");
        config.check_dir()?;
        let mut command = Command::new(program(config));
        command.args(&config.args).stdin(Stdio::piped()).stdout(Stdio::piped());
        if let Some(dir) = &config.dir {
            command.current_dir(dir);
        }
        command.stderr(match &config.stderr {
            Some(path) => File::options()
                .create(true)
                .append(true)
                .open(path)
                .with_context(|| format!("{}", path.display()))?
                .into(),
            None => Stdio::null(),
        });
        prepare(&mut command, cpu);
        let mut child = command.spawn().with_context(|| format!("cannot start {}", config.cmd))?;
        let group = child.id();
        tracing::debug!("engine {}: process {group} started", config.name);
        if let Ok(mut groups) = GROUPS.lock() {
            groups.insert(group);
        }
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            unreachable!("both were asked for as pipes")
        };
        let stdin = Input::new(stdin).context("cannot write to the engine")?;
        let name = config.name.clone();
        let reader = Reader::new(&name, log);
        let lines = Source::new(stdout, reader, config.ponder)?;
        let process = Self { child, stdin, lines, name, log };
        // Whoever ends all engines finds this one in the list, or it ends here.
        ensure!(!ENDED.load(Ordering::SeqCst), "the run is being stopped");
        Ok(process)
    }

    /// Writes whole lines; gives up at the deadline.
    ///
    /// # Errors
    /// The engine does not read, or is gone.
    pub fn write(&mut self, text: &str, deadline: Instant) -> io::Result<()> {
        debug_assert!(text.ends_with('\n'));
        if self.log {
            for line in text.lines() {
                tracing::info!(target: ENGINE, "{} <- {line}", self.name);
            }
        }
        self.stdin.write(text, deadline)
    }

    /// The next line; output that keeps coming does not move the deadline.
    ///
    /// # Errors
    /// The deadline passed or the output ended.
    pub fn read(&mut self, deadline: Instant) -> Result<Line, Silence> {
        match &mut self.lines {
            Source::Thread(lines) => lines.recv_deadline(deadline).map_err(|error| match error {
                RecvTimeoutError::Timeout => Silence::Deadline,
                RecvTimeoutError::Disconnected => Silence::Exited,
            }),
            #[cfg(unix)]
            Source::Direct(direct) => direct.read(deadline),
        }
    }

    /// Asks the engine to quit, waits until `deadline`, and ends its process group.
    pub fn quit(mut self, deadline: Instant) {
        if self.write("quit\n", deadline).is_ok() {
            while self.read(deadline) != Err(Silence::Exited) && Instant::now() < deadline {}
            while !has_exited(&mut self.child) && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

impl PartialEq for Line {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        let group = self.child.id();
        kill_group(group);
        if let Ok(mut groups) = GROUPS.lock() {
            groups.remove(&group);
        }
        let _ = self.child.wait();
    }
}

/// The program to run: a name with a slash is relative to the engine's folder, if it is there.
fn program(config: &EngineConfig) -> std::path::PathBuf {
    let cmd = Path::new(&config.cmd);
    match &config.dir {
        Some(dir) if cmd.is_relative() && dir.join(cmd).is_file() => {
            let joined = dir.join(cmd);
            joined.canonicalize().unwrap_or(joined)
        }
        _ if config.cmd.contains('/') => cmd.canonicalize().unwrap_or_else(|_| cmd.to_path_buf()),
        _ => cmd.to_path_buf(),
    }
}

/// Hands on the lines that matter, until the output ends.
fn read_lines(mut output: impl Read, lines: &Sender<Line>, mut reader: Reader) {
    let mut buffer = vec![0; BUFFER];
    let mut since_answer = 0;
    loop {
        let count = match output.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        since_answer += count;
        reader.take(&buffer[..count], Instant::now(), |line| {
            since_answer = 0;
            // A runner that is gone, or thousands of lines behind, needs no more of them.
            match lines.try_send(line) {
                Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {}
            }
        });
        if since_answer > FLOOD {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Picks the lines that matter out of the output.
struct Reader {
    cutter: LineCutter,
    reports: Reports,
    name: String,
    log: bool,
}

impl Reader {
    fn new(name: &str, log: bool) -> Self {
        let (cutter, reports) = (LineCutter::default(), Reports::default());
        Self { cutter, reports, name: name.to_owned(), log }
    }

    /// Takes in what was read at one time.
    fn take(&mut self, bytes: &[u8], at: Instant, mut each: impl FnMut(Line)) {
        let Self { cutter, reports, name, log } = self;
        cutter.feed(bytes, |bytes| {
            let text = String::from_utf8_lossy(bytes);
            let text = text.trim();
            if *log {
                tracing::info!(target: ENGINE, "{name} -> {text}");
            }
            if reports.keep(text) || !matters(text) {
                return;
            }
            let report = text.starts_with("bestmove").then(|| reports.take()).flatten();
            each(Line { text: text.to_owned(), at, report });
        });
    }
}

/// Whether a line other than `info` is one the runner waits for.
fn matters(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or("");
    matches!(
        word,
        "uciok" | "readyok" | "bestmove" | "id" | "option" | "registration" | "copyprotection"
    )
}

/// The scores reported since the last `bestmove`.
#[derive(Default)]
struct Reports {
    exact: String,
    bound: String,
}

impl Reports {
    /// Takes an `info` line in; false for any other.
    fn keep(&mut self, line: &str) -> bool {
        let Some(rest) = line.strip_prefix("info") else { return false };
        if !rest.starts_with([' ', '\t']) {
            return false;
        }
        let mut words = rest.split_whitespace();
        let (mut scored, mut bounded, mut first) = (false, false, true);
        while let Some(word) = words.next() {
            match word {
                "string" | "pv" => break,
                "score" => scored = true,
                "lowerbound" | "upperbound" => bounded = true,
                "multipv" => first = words.next() == Some("1"),
                _ => {}
            }
        }
        if scored && first {
            let slot = if bounded { &mut self.bound } else { &mut self.exact };
            slot.clear();
            slot.push_str(line);
        }
        true
    }

    fn take(&mut self) -> Option<String> {
        let bound = std::mem::take(&mut self.bound);
        let exact = std::mem::take(&mut self.exact);
        [exact, bound].into_iter().find(|line| !line.is_empty())
    }
}

/// Cuts a stream of bytes into complete lines of bounded length.
#[derive(Default)]
struct LineCutter {
    partial: Vec<u8>,
}

impl LineCutter {
    fn feed(&mut self, mut bytes: &[u8], mut each: impl FnMut(&[u8])) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            let (line, rest) = (&bytes[..end], &bytes[end + 1..]);
            if self.partial.is_empty() {
                each(&line[..line.len().min(MAX_LINE)]);
            } else {
                self.append(line);
                each(&self.partial);
                self.partial.clear();
            }
            bytes = rest;
        }
        self.append(bytes);
    }

    fn append(&mut self, bytes: &[u8]) {
        let room = MAX_LINE - self.partial.len();
        self.partial.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(chunks: &[&[u8]]) -> Vec<String> {
        let mut cutter = LineCutter::default();
        let mut lines = Vec::new();
        for chunk in chunks {
            cutter.feed(chunk, |line| lines.push(String::from_utf8_lossy(line).into_owned()));
        }
        lines
    }

    #[test]
    fn lines_are_complete_and_bounded() {
        assert_eq!(lines_of(&[b"a\nb", b"c\n\n", b"d"]), ["a", "bc", ""]);
        let long = vec![b'x'; 3 * MAX_LINE];
        let lines = lines_of(&[&long, b"\nbestmove e2e4\n"]);
        assert_eq!(lines[0].len(), MAX_LINE);
        assert_eq!(lines[1], "bestmove e2e4");
    }

    #[test]
    fn the_last_exact_first_line_is_the_report() {
        let mut reports = Reports::default();
        for line in [
            "info depth 1 score cp 10 pv e2e4",
            "info depth 2 multipv 2 score cp -5 pv d2d4",
            "info depth 2 multipv 1 score cp 20 pv e2e4",
            "info depth 3 score cp 50 lowerbound pv e2e4",
            "info string score cp 99",
            "info depth 3 currmove e2e4",
        ] {
            assert!(reports.keep(line));
        }
        assert!(!reports.keep("information"));
        let report = reports.take();
        assert_eq!(report.as_deref(), Some("info depth 2 multipv 1 score cp 20 pv e2e4"));
        assert_eq!(reports.take(), None);
    }
}
