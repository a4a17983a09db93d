//! A small host: starts the program, talks to it line by line, and checks moves with shakmaty.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position, PositionError};

/// Long enough for any answer on a busy machine; a test that waits so long has failed.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The program under test, as a host sees it.
pub struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
}

impl Engine {
    /// Starts the program as a UCI engine; nothing is sent yet.
    pub fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_themis"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send((Instant::now(), line)).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, lines }
    }

    /// Starts the program and sends these lines.
    pub fn with(lines: &[&str]) -> Self {
        let mut engine = Self::start();
        engine.send_all(lines);
        engine
    }

    /// Sends bytes as they are. A closed pipe is for the test to notice otherwise.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input is still open");
        let _ = stdin.write_all(bytes).and_then(|()| stdin.flush());
    }

    /// Sends one line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends lines.
    pub fn send_all(&mut self, lines: &[&str]) {
        for line in lines {
            self.send(line);
        }
    }

    /// The next line and when it came, or `None` if none comes in time.
    pub fn line_within(&self, time: Duration) -> Option<(Instant, String)> {
        self.lines.recv_timeout(time).ok()
    }

    /// Reads up to a line that starts with `prefix`; that line is the last one returned.
    pub fn read_until(&self, prefix: &str) -> Vec<String> {
        self.read_until_timed(prefix).1
    }

    /// Like [`Engine::read_until`], with the moment at which the last line came.
    pub fn read_until_timed(&self, prefix: &str) -> (Instant, Vec<String>) {
        let deadline = Instant::now() + PATIENCE;
        let mut read = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok((at, line)) => {
                    let last = line.starts_with(prefix);
                    read.push(line);
                    if last {
                        return (at, read);
                    }
                }
                Err(error) => panic!("no line `{prefix}…` ({error}) after {read:#?}"),
            }
        }
    }

    /// Everything that comes in `time`.
    pub fn read_for(&self, time: Duration) -> Vec<String> {
        let deadline = Instant::now() + time;
        let mut read = Vec::new();
        while let Some((_, line)) =
            self.line_within(deadline.saturating_duration_since(Instant::now()))
        {
            read.push(line);
        }
        read
    }

    /// Sends a line and reads the search's answer to it.
    pub fn search(&mut self, go: &str) -> Answer {
        self.send(go);
        self.answer()
    }

    /// Reads the answer of the search that runs.
    pub fn answer(&self) -> Answer {
        Answer::new(self.read_until("bestmove"))
    }

    /// Asks `isready` and returns what comes before the answer, but for what the arbiter says:
    /// that comes in its own time.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.read_until("readyok");
        lines.pop();
        lines.retain(|line| !line.starts_with("info string arbiter: "));
        lines
    }

    /// Closes the input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for the end of the program and returns its status, how long it took, and what it
    /// still said.
    pub fn wait(mut self) -> (ExitStatus, Duration, Vec<String>) {
        let start = Instant::now();
        let mut said = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok((_, line)) => said.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the program does not end"),
            }
        }
        let status = self.child.wait().unwrap();
        (status, start.elapsed(), said)
    }

    /// Sends `quit` and expects a good end within a second.
    pub fn quit(mut self) -> Vec<String> {
        self.send("quit");
        let (status, time, said) = self.wait();
        assert!(status.success(), "{status}");
        assert!(time < Duration::from_secs(1), "quit took {time:?}");
        said
    }

    /// The process's number.
    #[cfg(target_os = "linux")]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a search said.
pub struct Answer {
    /// All lines, `bestmove` last.
    pub lines: Vec<String>,
}

impl Answer {
    fn new(lines: Vec<String>) -> Self {
        Self { lines }
    }

    /// The words of the line `bestmove`.
    fn words(&self) -> Vec<&str> {
        self.lines.last().unwrap().split(' ').collect()
    }

    /// The best move as it is written.
    pub fn best(&self) -> &str {
        self.words()[1]
    }

    /// The move to ponder on, if one is given.
    pub fn ponder(&self) -> Option<&str> {
        let words = self.words();
        (words.get(2) == Some(&"ponder")).then(|| words[3])
    }

    /// Whether it says that no move is legal.
    pub fn is_none(&self) -> bool {
        matches!(self.best(), "(none)" | "0000")
    }

    /// The lines with a score.
    pub fn scored(&self) -> Vec<&str> {
        let scored = |line: &&str| line.starts_with("info ") && line.contains(" score ");
        self.lines.iter().map(String::as_str).filter(scored).collect()
    }

    /// The last line with a score.
    pub fn last_info(&self) -> &str {
        self.scored().last().copied().unwrap_or_else(|| panic!("no score in {:#?}", self.lines))
    }

    /// The line of moves of the last line with a score.
    pub fn pv(&self) -> Vec<&str> {
        pv(self.last_info())
    }
}

/// The word after `name`.
pub fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut words = line.split(' ');
    words.find(|&word| word == name)?;
    words.next()
}

/// The moves after `pv`.
pub fn pv(line: &str) -> Vec<&str> {
    line.split_once(" pv ").map_or(Vec::new(), |(_, moves)| moves.split(' ').collect())
}

/// The standard array.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The position of a FEN, if shakmaty takes it.
pub fn try_board(fen: &str) -> Option<Chess> {
    fen.parse::<Fen>().ok()?.into_position(CastlingMode::Chess960).ok()
}

/// The position of a FEN, with what is wrong in its rights dropped and impossible checks allowed.
pub fn lenient_board(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    Chess::from_setup(fen.into_setup(), CastlingMode::Chess960)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .expect("a position")
}

/// Whether a move in UCI notation is legal.
pub fn is_legal(position: &Chess, text: &str) -> bool {
    text.parse::<UciMove>().is_ok_and(|mv| mv.to_move(position).is_ok())
}

/// The position after moves from a FEN, by shakmaty.
pub fn board(fen: &str, moves: &[&str]) -> Chess {
    let mut position = try_board(fen).expect("a legal position");
    for text in moves {
        let mv = text.parse::<UciMove>().unwrap().to_move(&position).expect("a legal move");
        position.play_unchecked(mv);
    }
    position
}

/// Asserts that a move is legal after moves from a FEN.
pub fn assert_legal(fen: &str, moves: &[&str], text: &str) {
    let position = board(fen, moves);
    assert!(is_legal(&position, text), "{text} is not legal in {}", fen_of(&position));
}

/// Asserts that the moves of a line can be played one after the other, none of them after the end
/// of the game.
pub fn assert_line(fen: &str, line: &[&str]) {
    let mut position = board(fen, &[]);
    for text in line {
        assert!(!position.is_game_over(), "{line:?} goes on after the end of the game from {fen}");
        let mv = text.parse::<UciMove>().ok().and_then(|mv| mv.to_move(&position).ok());
        position.play_unchecked(mv.unwrap_or_else(|| panic!("{text} of {line:?} is not legal")));
    }
}

/// The FEN of a position.
pub fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}
