//! The engine on the test bench: what the checks do with it.

use std::time::{Duration, Instant};

use super::answer::Answer;
use super::peer::{Peer, Silence};
use crate::tournament::uci_option::{Kind, UciOption};

/// How long the engine may take to start.
const TO_START: Duration = Duration::from_secs(10);
/// How long it may take to be ready.
const TO_BE_READY: Duration = Duration::from_secs(10);
/// How long a search may take that is bounded by little.
const TO_ANSWER: Duration = Duration::from_secs(5);

/// Why a check did not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fail {
    /// The engine is wrong.
    Wrong(String),
    /// The engine does not answer, or is gone: it is started anew.
    Lost(String),
    /// There is nothing to check.
    Skip(String),
}

impl Fail {
    /// Adds what was asked.
    pub fn because(self, what: &str) -> Self {
        match self {
            Self::Wrong(why) => Self::Wrong(format!("{what}: {why}")),
            Self::Lost(why) => Self::Lost(format!("{what}: {why}")),
            Self::Skip(why) => Self::Skip(why),
        }
    }
}

impl From<String> for Fail {
    fn from(why: String) -> Self {
        Self::Wrong(why)
    }
}

impl From<Silence> for Fail {
    fn from(silence: Silence) -> Self {
        Self::Lost(match silence {
            Silence::Deadline => "no answer".to_owned(),
            Silence::Ended => "the engine has ended".to_owned(),
        })
    }
}

/// The engine and what is known of it.
pub struct Bench {
    command: Vec<String>,
    verbose: bool,
    peer: Option<Peer>,
    /// What it said before it was asked.
    unasked: Vec<String>,
    /// Its answer to `uci`.
    introduction: Vec<String>,
    /// Whether it keeps to `searchmoves`, once that is known.
    searchmoves: Option<bool>,
    since: Instant,
}

impl Bench {
    /// A bench for the engine that this command starts.
    pub fn new(command: Vec<String>, verbose: bool) -> Self {
        Self {
            command,
            verbose,
            peer: None,
            unasked: Vec::new(),
            introduction: Vec::new(),
            searchmoves: None,
            since: Instant::now(),
        }
    }

    /// Starts the engine if it does not run.
    ///
    /// # Errors
    /// It cannot be started, or does not answer `uci`.
    pub fn ensure_running(&mut self) -> Result<(), Fail> {
        if self.peer.is_some() {
            return Ok(());
        }
        let peer = Peer::start(&self.command, self.verbose);
        self.peer = Some(peer.map_err(|error| Fail::Lost(format!("{error:#}")))?);
        let introduced = self.introduce();
        if introduced.is_err() {
            self.peer = None;
        }
        introduced
    }

    fn introduce(&mut self) -> Result<(), Fail> {
        self.unasked = self.said_within(Duration::from_millis(100))?;
        self.send("uci");
        let introduction = self.wait_for("uciok", TO_START);
        self.introduction = introduction.map_err(|fail| fail.because("no uciok"))?;
        Ok(())
    }

    /// Gives the engine up; the next check starts it anew.
    pub fn give_up(&mut self) {
        self.peer = None;
    }

    /// The engine's own name.
    pub fn engine_name(&self) -> Option<&str> {
        self.introduction.iter().find_map(|line| line.strip_prefix("id name "))
    }

    /// What it said before it was asked.
    pub fn unasked(&self) -> &[String] {
        &self.unasked
    }

    /// Sends a line.
    pub fn send(&mut self, text: &str) {
        if let Some(peer) = &mut self.peer {
            peer.send(text);
        }
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        if let Some(peer) = &mut self.peer {
            peer.send_bytes(bytes);
        }
    }

    /// The lines up to one that starts with `word`, without it.
    ///
    /// # Errors
    /// It does not come in time.
    pub fn wait_for(&mut self, word: &str, time: Duration) -> Result<Vec<String>, Fail> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            let line = self.line(deadline)?;
            if line.split_whitespace().next() == Some(word) {
                return Ok(lines);
            }
            lines.push(line);
        }
    }

    fn line(&self, deadline: Instant) -> Result<String, Silence> {
        self.peer.as_ref().ok_or(Silence::Ended)?.line(deadline).map(|line| line.text)
    }

    /// All that is said in `time`.
    ///
    /// # Errors
    /// The engine ended.
    pub fn said_within(&mut self, time: Duration) -> Result<Vec<String>, Fail> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            match self.line(deadline) {
                Ok(line) => lines.push(line),
                Err(Silence::Deadline) => return Ok(lines),
                Err(Silence::Ended) => return Err(Silence::Ended.into()),
            }
        }
    }

    /// Waits for `time` and makes sure that no answer comes.
    ///
    /// # Errors
    /// One came, or the engine ended.
    pub fn hold(&mut self, time: Duration) -> Result<(), Fail> {
        let said = self.said_within(time)?;
        match said.iter().find(|line| line.starts_with("bestmove")) {
            Some(line) => Err(Fail::Wrong(format!("`{line}` before it was asked for"))),
            None => Ok(()),
        }
    }

    /// Asks `isready`.
    ///
    /// # Errors
    /// There is no `readyok` in time.
    pub fn sync(&mut self) -> Result<(), Fail> {
        self.send("isready");
        let waited = self.wait_for("readyok", TO_BE_READY);
        waited.map(|_| ()).map_err(|fail| fail.because("no readyok"))
    }

    /// Sends a position and makes sure that the engine lives.
    ///
    /// # Errors
    /// It does not.
    pub fn position(&mut self, position: &str) -> Result<(), Fail> {
        self.send(position);
        self.sync()
    }

    /// Starts a search.
    pub fn start_search(&mut self, position: &str, go: &str) {
        self.send(position);
        self.since = Instant::now();
        self.send(go);
    }

    /// Searches and reads the answer.
    ///
    /// # Errors
    /// None comes in time.
    pub fn search(&mut self, position: &str, go: &str) -> Result<Answer, Fail> {
        self.sync()?;
        self.start_search(position, go);
        self.answer(TO_ANSWER).map_err(|fail| fail.because(go))
    }

    /// Sends a `go` as bytes and reads the answer.
    ///
    /// # Errors
    /// None comes in time.
    pub fn search_bytes(&mut self, go: &[u8]) -> Result<Answer, Fail> {
        self.since = Instant::now();
        self.send_bytes(go);
        self.answer(TO_ANSWER)
    }

    /// Reads the answer of the search that runs.
    ///
    /// # Errors
    /// None comes in time.
    pub fn answer(&mut self, time: Duration) -> Result<Answer, Fail> {
        let deadline = Instant::now() + time;
        let mut infos = Vec::new();
        loop {
            let peer = self.peer.as_ref().ok_or(Silence::Ended)?;
            let line = peer.line(deadline).map_err(|silence| match silence {
                Silence::Deadline => {
                    Fail::Lost(format!("no bestmove within {} ms", time.as_millis()))
                }
                Silence::Ended => silence.into(),
            })?;
            if line.text.split_whitespace().next() == Some("bestmove") {
                let time = line.at.saturating_duration_since(self.since);
                return Ok(Answer { infos, bestmove: line.text, time });
            }
            infos.push(line.text);
        }
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        if let Some(peer) = &mut self.peer {
            peer.close_input();
        }
    }

    /// Makes sure that the engine ends.
    ///
    /// # Errors
    /// It does not end in time, or ends with a failure.
    pub fn has_ended(&mut self, time: Duration) -> Result<(), Fail> {
        let Some(mut peer) = self.peer.take() else { return Ok(()) };
        match peer.wait(time).map_err(|error| Fail::Wrong(error.to_string()))? {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(Fail::Wrong(format!("it ends with {status}"))),
            None => Err(Fail::Wrong(format!("it still runs after {} ms", time.as_millis()))),
        }
    }

    /// Makes sure of an `id` line.
    ///
    /// # Errors
    /// There is none.
    pub fn has_id(&mut self, what: &str) -> Result<(), Fail> {
        let prefix = format!("id {what} ");
        let given = self
            .introduction
            .iter()
            .any(|line| line.strip_prefix(&prefix).is_some_and(|value| !value.trim().is_empty()));
        if given { Ok(()) } else { Err(Fail::Wrong(format!("no `id {what}`"))) }
    }

    fn options(&self) -> impl Iterator<Item = (&str, Option<UciOption>)> {
        let lines = self.introduction.iter().map(String::as_str);
        lines.filter(|line| line.starts_with("option")).map(|line| (line, UciOption::parse(line)))
    }

    /// Skips a check that needs an option which the engine does not have.
    ///
    /// # Errors
    /// It does not have it.
    pub fn needs_option(&mut self, name: &str) -> Result<(), Fail> {
        let has = self
            .options()
            .any(|(_, option)| option.is_some_and(|option| option.name.eq_ignore_ascii_case(name)));
        if has { Ok(()) } else { Err(Fail::Skip(format!("no option {name}"))) }
    }

    /// Makes sure that hosts can read the options.
    ///
    /// # Errors
    /// A line is not of the protocol, a default is out of range, or a name comes twice.
    pub fn check_options(&mut self) -> Result<(), Fail> {
        let mut names: Vec<String> = Vec::new();
        for (line, option) in self.options() {
            let wrong = |why: &str| Fail::Wrong(format!("{why}: {line}"));
            let option = option.ok_or_else(|| wrong("not an option line"))?;
            let name = option.name.to_ascii_lowercase();
            if names.contains(&name) {
                return Err(wrong("the name comes twice"));
            }
            names.push(name);
            let default = option.default.as_deref();
            match option.kind {
                Kind::Spin { min, max } => {
                    let default = default.and_then(|text| text.parse::<i64>().ok());
                    let (Some(min), Some(default), Some(max)) = (min, default, max) else {
                        return Err(wrong("a spin needs default, min and max"));
                    };
                    if min > default || default > max {
                        return Err(wrong("the default is out of range"));
                    }
                    if i32::try_from(min).is_err() || i32::try_from(max).is_err() {
                        return Err(wrong("fastchess reads numbers of 32 bits only"));
                    }
                }
                Kind::Check if !matches!(default, Some("true" | "false")) => {
                    return Err(wrong("a check needs default true or false"));
                }
                Kind::Combo(vars)
                    if !default.is_some_and(|text| vars.iter().any(|var| var == text)) =>
                {
                    return Err(wrong("the default is none of the values"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Makes sure, once, that `searchmoves` restricts the root.
    ///
    /// # Errors
    /// It does not; checks that rely on it are skipped.
    pub fn keeps_searchmoves(&mut self) -> Result<(), Fail> {
        match self.searchmoves {
            Some(true) => return Ok(()),
            Some(false) => return Err(Fail::Skip("needs searchmoves".to_owned())),
            None => {}
        }
        for mv in ["a2a3", "h2h4"] {
            let answer =
                self.search("position startpos", &format!("go depth 3 searchmoves {mv}"))?;
            if answer.best() != mv {
                self.searchmoves = Some(false);
                return Err(Fail::Wrong(format!(
                    "searchmoves {mv}, but bestmove {}",
                    answer.best()
                )));
            }
        }
        self.searchmoves = Some(true);
        Ok(())
    }
}
