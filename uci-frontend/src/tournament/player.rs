//! A UCI engine as a player: handshake, new game, one search at a time, pondering. Whatever it
//! prints before the `readyok` that answers us belongs to the past and is dropped.

use std::fmt;
use std::time::{Duration, Instant};

use super::config::{EngineConfig, Restart, Tournament};
use super::info::Info;
use super::log::has_engine_lines;
use super::process::{EngineProcess, Line, Silence};
use super::uci_option::{Kind, UciOption};

/// How long an engine may take to end a search after `stop`.
const STOP_GRACE: Duration = Duration::from_secs(2);
/// How long an engine may take to exit after `quit`.
const QUIT_GRACE: Duration = Duration::from_millis(1500);
/// Declared options that are kept.
const MAX_OPTIONS: usize = 2000;

/// Why an engine cannot go on with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It never became ready to play.
    CannotStart(String),
    /// Its process or its output ended.
    Exited,
    /// It does not answer.
    Stalled(&'static str),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CannotStart(why) => write!(f, "cannot be started: {why}"),
            Self::Exited => f.write_str("disconnects"),
            Self::Stalled(what) => write!(f, "stalls: {what}"),
        }
    }
}

/// A `bestmove` and what was known with it.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// First word after `bestmove`; empty if there was none.
    pub best: String,
    /// The move it would ponder on.
    pub ponder: Option<String>,
    /// The word `draw` stood behind the move.
    pub offers_draw: bool,
    /// The report before it.
    pub info: Info,
    /// From the `go` to the complete line.
    pub elapsed: Duration,
}

impl Answer {
    fn parse(line: &Line, since: Instant) -> Self {
        let mut words = line.text.split_whitespace().skip(1);
        let mut answer = Self {
            best: words.next().unwrap_or("").to_owned(),
            info: line.report.as_deref().map(Info::parse).unwrap_or_default(),
            elapsed: line.at.saturating_duration_since(since),
            ..Self::default()
        };
        while let Some(word) = words.next() {
            match word {
                "ponder" => answer.ponder = words.next().map(str::to_owned),
                "draw" => answer.offers_draw = true,
                _ => {}
            }
        }
        answer
    }
}

/// Patience with an engine, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    startup: u64,
    new_game: u64,
    ping: u64,
}

/// An engine that plays.
pub struct Player {
    /// What it is and how it plays.
    pub config: EngineConfig,
    /// `id author`.
    pub author: String,
    /// Things worth telling the user, of this game.
    pub warnings: Vec<String>,
    /// It has once said `uciok`.
    pub has_started: bool,
    process: Option<EngineProcess>,
    options: Vec<UciOption>,
    patience: Patience,
    cpu: Option<usize>,
    log: bool,
    /// A `go` is out that no `bestmove` has answered.
    searching: bool,
    since: Instant,
}

impl Player {
    /// A player that is not yet started.
    pub fn new(config: &EngineConfig, tournament: &Tournament, cpu: Option<usize>) -> Self {
        Self {
            config: config.clone(),
            author: String::new(),
            warnings: Vec::new(),
            has_started: false,
            process: None,
            options: Vec::new(),
            patience: Patience {
                startup: tournament.startup_ms,
                new_game: tournament.ucinewgame_ms,
                ping: tournament.ping_ms,
            },
            cpu,
            log: tournament.log.as_ref().is_some_and(has_engine_lines),
            searching: false,
            since: Instant::now(),
        }
    }

    /// Gets the engine ready for a new game; starts it, or starts it again, where needed.
    ///
    /// # Errors
    /// It cannot be started or does not answer even after a fresh start.
    pub fn new_game(&mut self, chess960: bool, opponent: &str) -> Result<(), Failure> {
        if self.config.restart == Restart::On {
            self.quit();
        }
        if self.process.is_some() {
            match self.greet(chess960, opponent) {
                Ok(()) => return Ok(()),
                Err(failure) => {
                    tracing::warn!("engine {} {failure}; it is started anew", self.config.name);
                }
            }
        }
        self.process = None;
        self.start()?;
        let greeted = self.greet(chess960, opponent);
        if greeted.is_err() {
            self.process = None;
        }
        greeted.map_err(|failure| Failure::CannotStart(failure.to_string()))
    }

    fn start(&mut self) -> Result<(), Failure> {
        let cannot = |error: &dyn fmt::Display| Failure::CannotStart(error.to_string());
        let process = EngineProcess::start(&self.config, self.cpu, self.log);
        self.process = Some(process.map_err(|error| cannot(&format!("{error:#}")))?);
        self.searching = false;
        self.options.clear();
        let mut hello: String =
            self.config.initstr.iter().map(|line| format!("{line}\n")).collect();
        hello.push_str("uci\n");
        let deadline = after(self.patience.startup);
        let shaken = self.write(&hello, deadline).and_then(|()| self.read_declarations(deadline));
        self.has_started |= shaken.is_ok();
        if shaken.is_err() {
            self.process = None;
        }
        shaken.map_err(|failure| match failure {
            Failure::Exited => cannot(&"exits before uciok"),
            _ => cannot(&"no uciok"),
        })
    }

    fn read_declarations(&mut self, deadline: Instant) -> Result<(), Failure> {
        loop {
            let line = self.read(deadline).map_err(|silence| failure(silence, "no uciok"))?;
            if let Some(author) = line.text.strip_prefix("id author ") {
                author.trim().clone_into(&mut self.author);
            } else if line.text.split_whitespace().next() == Some("uciok") {
                return Ok(());
            } else if line.text.starts_with("option") && self.options.len() < MAX_OPTIONS {
                match UciOption::parse(&line.text) {
                    Some(option) => self.options.push(option),
                    None => self.warn(format!("unreadable option line: {}", line.text)),
                }
            }
        }
    }

    /// Options and `ucinewgame`, then waits for `readyok`.
    fn greet(&mut self, chess960: bool, opponent: &str) -> Result<(), Failure> {
        self.end_search();
        let mut text = self.option_lines();
        let mut set = |name: &str, value: &str| {
            let declared = find(&self.options, name);
            if let Some(option) = declared {
                text.push_str(&format!("setoption name {} value {value}\n", option.name));
            }
            declared.is_some()
        };
        set("Ponder", if self.config.ponder { "true" } else { "false" });
        set("UCI_Opponent", &format!("none none computer {opponent}"));
        if !set("UCI_Chess960", if chess960 { "true" } else { "false" }) && chess960 {
            self.warn("does not declare UCI_Chess960".to_owned());
        }
        text.push_str("ucinewgame\n");
        self.write_and_sync(&text, self.patience.new_game)
    }

    fn option_lines(&mut self) -> String {
        let mut text = String::new();
        let mut warnings = Vec::new();
        // Threads first: some engines size their hash by them.
        let mut wanted: Vec<_> = self.config.options.iter().collect();
        wanted.sort_by_key(|(name, _)| !name.eq_ignore_ascii_case("Threads"));
        for (name, value) in wanted {
            let Some(option) = find(&self.options, name) else {
                let near = nearest(name, self.options.iter().map(|option| option.name.as_str()));
                let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
                warnings.push(format!("has no option {name}{hint}"));
                continue;
            };
            match option.check(value) {
                Err(refused) => warnings.push(format!("{} (not set)", refused.0)),
                Ok(()) if option.kind == Kind::Button => {
                    if value == "true" {
                        text.push_str(&format!("setoption name {}\n", option.name));
                    }
                }
                Ok(()) => text.push_str(&format!("setoption name {} value {value}\n", option.name)),
            }
        }
        for warning in warnings {
            self.warn(warning);
        }
        text
    }

    fn warn(&mut self, warning: String) {
        if !self.warnings.contains(&warning) && self.warnings.len() < 20 {
            self.warnings.push(warning);
        }
    }

    /// Gives the position and waits until the engine has taken it in.
    ///
    /// # Errors
    /// The engine is gone or does not answer.
    pub fn set_position(&mut self, position: &str) -> Result<(), Failure> {
        self.end_search();
        self.write_and_sync(&format!("{position}\n"), self.patience.ping)
    }

    /// Starts a search; the clock runs from before the command is written.
    ///
    /// # Errors
    /// The engine is gone or does not read.
    pub fn go(&mut self, go: &str) -> Result<(), Failure> {
        self.since = Instant::now();
        self.searching = true;
        self.write(&format!("{go}\n"), after(self.patience.ping))
    }

    /// Starts a search on the opponent's time.
    ///
    /// # Errors
    /// The engine is gone or does not answer.
    pub fn go_ponder(&mut self, position: &str, go: &str) -> Result<(), Failure> {
        self.set_position(position)?;
        self.go(go)
    }

    /// The opponent played the move pondered on: the clock runs from now.
    ///
    /// # Errors
    /// The engine is gone or does not read.
    pub fn ponder_hit(&mut self) -> Result<(), Failure> {
        self.since = Instant::now();
        self.write("ponderhit\n", after(self.patience.ping))
    }

    /// When the search began.
    pub fn since(&self) -> Instant {
        self.since
    }

    /// Waits for the `bestmove`.
    ///
    /// # Errors
    /// The deadline passed or the engine is gone.
    pub fn wait_move(&mut self, deadline: Instant) -> Result<Answer, Silence> {
        loop {
            let line = self.read(deadline)?;
            if line.text.split_whitespace().next() == Some("bestmove") {
                self.searching = false;
                return Ok(Answer::parse(&line, self.since));
            }
            if Instant::now() > deadline {
                return Err(Silence::Deadline);
            }
        }
    }

    /// Stops a search whose answer is no longer wanted; an engine that does not stop hangs and is
    /// ended. False for such a one.
    pub fn end_search(&mut self) -> bool {
        if !self.searching {
            return true;
        }
        let deadline = Instant::now() + STOP_GRACE;
        let stopped = self.write("stop\n", deadline).is_ok() && self.wait_move(deadline).is_ok();
        self.searching = false;
        if !stopped {
            self.process = None;
        }
        stopped
    }

    /// Ends the process at once.
    pub fn kill(&mut self) {
        self.process = None;
    }

    /// Ends the process politely.
    pub fn quit(&mut self) {
        if let Some(process) = self.process.take() {
            process.quit(Instant::now() + QUIT_GRACE);
        }
        self.searching = false;
    }

    fn write_and_sync(&mut self, text: &str, patience: u64) -> Result<(), Failure> {
        let deadline = after(patience);
        self.write(&format!("{text}isready\n"), deadline)?;
        loop {
            let line = self.read(deadline).map_err(|silence| failure(silence, "no readyok"))?;
            if line.text.split_whitespace().next() == Some("readyok") {
                return Ok(());
            }
            if Instant::now() > deadline {
                return Err(Failure::Stalled("no readyok"));
            }
        }
    }

    fn write(&mut self, text: &str, deadline: Instant) -> Result<(), Failure> {
        let process = self.process.as_mut().ok_or(Failure::Exited)?;
        process.write(text, deadline).map_err(|error| match error.kind() {
            std::io::ErrorKind::TimedOut => Failure::Stalled("does not read its input"),
            _ => Failure::Exited,
        })
    }

    fn read(&mut self, deadline: Instant) -> Result<Line, Silence> {
        self.process.as_mut().ok_or(Silence::Exited)?.read(deadline)
    }
}

fn after(milliseconds: u64) -> Instant {
    Instant::now() + Duration::from_millis(milliseconds)
}

fn failure(silence: Silence, what: &'static str) -> Failure {
    match silence {
        Silence::Deadline => Failure::Stalled(what),
        Silence::Exited => Failure::Exited,
    }
}

fn find<'a>(options: &'a [UciOption], name: &str) -> Option<&'a UciOption> {
    options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

/// The known name that is most like `name`, if any is like it.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |candidate: &str| {
        strsim::normalized_damerau_levenshtein(&name.to_lowercase(), &candidate.to_lowercase())
    };
    known
        .map(|candidate| (likeness(candidate), candidate))
        .filter(|(likeness, _)| *likeness >= 0.5)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}
