//! One conversation with a host.

use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, select};
use engine::board::Position;
use engine::search::{Control, Searcher};
use vampirc_uci::UciMessage;

use super::command::Command;
use super::display::display;
use super::go::{Go, PerftError};
use super::info::{UciReporter, bestmove_line, needs_chess960};
use super::line::Input;
use super::network;
use super::options::{Effect, OptionError, Settings};
use super::output::Output;
use super::position::{Line, PositionError};
use super::setoption::SetOption;
use super::watch::{Shown, Watch};
use super::worker::{Done, Job, Search};

/// How long a stopped search may take to answer before the program ends without it.
const LAST_ANSWER: Duration = Duration::from_millis(500);

/// The state of the conversation.
pub struct Session {
    output: Output,
    settings: Settings,
    line: Line,
    /// The tables; away while a search runs.
    searcher: Option<Box<Searcher>>,
    /// What the searcher has read.
    files: Files,
    running: Option<Running>,
    /// What came during a search and takes effect after it.
    deferred: Vec<Deferred>,
    jobs: Sender<Job>,
    done: Receiver<Done>,
    watch: Watch,
    debug: bool,
}

/// Files that a searcher has read, to be read again by the next one; empty where there are none.
#[derive(Default)]
struct Files {
    /// The folders of the tablebases, as in `SyzygyPath`.
    tablebases: String,
    /// The network in place of the embedded one.
    network: String,
}

/// A search that runs.
struct Running {
    control: Control,
    root: Position,
    chess960: bool,
}

enum Deferred {
    Set(SetOption),
    NewGame,
}

/// Whether the conversation goes on.
#[derive(PartialEq, Eq)]
enum Next {
    Listen,
    Quit,
}

impl Session {
    /// A session that sends searches to `jobs`, hears of their end from `done`, and shows games
    /// to `watch`.
    pub fn new(output: Output, jobs: Sender<Job>, done: Receiver<Done>, watch: Watch) -> Self {
        Self {
            output,
            settings: Settings::default(),
            line: Line::startpos(),
            searcher: Some(Box::new(Searcher::new())),
            files: Files::default(),
            running: None,
            deferred: Vec::new(),
            jobs,
            done,
            watch,
            debug: false,
        }
    }

    /// Answers until `quit` or the end of the input.
    pub fn run(mut self, lines: &Receiver<Input>) {
        let done = self.done.clone();
        let mut next = Next::Listen;
        while next == Next::Listen && !self.output.is_closed() {
            select! {
                recv(lines) -> input => next = match input {
                    Ok(Input::Line(line)) => self.obey(&line),
                    Ok(Input::TooLong) => self.note("the line is too long, it is ignored"),
                    Err(_) => Next::Quit,
                },
                recv(done) -> done => match done {
                    Ok(done) => self.finish(done),
                    Err(_) => next = Next::Quit,
                },
            }
        }
        self.close();
    }

    fn note(&self, text: &str) -> Next {
        self.output.info_string(text);
        Next::Listen
    }

    fn obey(&mut self, line: &str) -> Next {
        match Command::parse(line) {
            Command::Message(message) => return self.obey_message(&message),
            Command::Position(line) => self.set_position(*line),
            Command::Go(go) => self.go(&go),
            Command::SetOption(Some(option)) if self.running.is_some() => {
                self.deferred.push(Deferred::Set(option));
            }
            Command::SetOption(Some(option)) => self.set_option(&option),
            Command::SetOption(None) => self.output.info_string("setoption without a name"),
            Command::Display => display(self.line.game.position(), &self.output),
            Command::Perft(depth) => self.perft(depth, Control::new()),
            Command::Unknown => {
                if self.debug && !line.is_empty() {
                    let line: String = line.chars().take(60).collect();
                    self.output.info_string(format_args!("not understood: `{line}`"));
                }
            }
        }
        Next::Listen
    }

    fn obey_message(&mut self, message: &UciMessage) -> Next {
        match message {
            UciMessage::Uci => self.introduce(),
            UciMessage::IsReady => self.output.line(UciMessage::ReadyOk),
            UciMessage::Debug(on) => self.debug = *on,
            UciMessage::UciNewGame if self.running.is_some() => {
                self.deferred.push(Deferred::NewGame);
            }
            UciMessage::UciNewGame => self.new_game(),
            UciMessage::Stop => {
                if let Some(running) = &self.running {
                    running.control.stop();
                }
            }
            UciMessage::PonderHit => {
                if let Some(running) = &self.running {
                    running.control.ponderhit();
                }
            }
            UciMessage::Quit => return Next::Quit,
            // `register` has nothing to register.
            _ => {}
        }
        Next::Listen
    }

    fn introduce(&self) {
        self.output.line(UciMessage::id_name(concat!("Themis ", env!("CARGO_PKG_VERSION"))));
        self.output.line(UciMessage::id_author("the Themis developers"));
        for option in Settings::advertised() {
            self.output.line(UciMessage::Option(option));
        }
        self.output.line(UciMessage::UciOk);
    }

    fn set_position(&mut self, line: Result<Line, PositionError>) {
        match line {
            Ok(line) => {
                self.line = line;
                self.watch.show(self.shown());
            }
            Err(error) => {
                self.output
                    .info_string(format_args!("position refused, the last one stays: {error}"));
            }
        }
    }

    /// The game for the arbiter, its castling written as the form of the game wants it.
    fn shown(&self) -> Shown {
        let start = &self.line.start;
        let chess960 = self.settings.chess960 || needs_chess960(start);
        Shown { start_fen: start.fen(false), moves: self.line.uci_moves(chess960), chess960 }
    }

    fn set_option(&mut self, option: &SetOption) {
        let previous_hash = self.settings.hash_mib;
        match self.settings.set(option) {
            Ok((effect, note)) => {
                if let Some(note) = note {
                    self.output.info_string(note);
                }
                self.apply(effect, previous_hash);
            }
            Err(error @ OptionError::Unknown(_)) if self.debug => self.output.info_string(error),
            Err(OptionError::Unknown(_)) => {}
            Err(error) => self.output.info_string(error),
        }
    }

    fn apply(&mut self, effect: Effect, previous_hash: usize) {
        let searcher = self.searcher.get_or_insert_default();
        match effect {
            Effect::None => {}
            Effect::ConfigureArbiter => {
                let Settings { arbiter, opponent, .. } = &self.settings;
                self.watch.configure(arbiter.clone(), opponent.clone());
            }
            Effect::ResizeHash => {
                if let Err(error) = searcher.set_hash(self.settings.hash_mib) {
                    self.output.info_string(error);
                    self.settings.hash_mib = previous_hash;
                }
            }
            Effect::ClearHash => searcher.clear(),
            Effect::ResizeThreads => searcher.set_threads(self.settings.threads),
            Effect::OpenTablebases(path) => self.open_tablebases(path),
            Effect::LoadNetwork(path) => self.load_network(path),
        }
    }

    /// Opens the tablebases in the folders of `path` in place of those open; none where it is
    /// empty or wrong.
    fn open_tablebases(&mut self, path: String) {
        let opened = self.searcher.get_or_insert_default().set_syzygy_path(&path);
        self.files.tablebases = if opened.is_ok() { path } else { String::new() };
        match opened {
            Ok(0) => {}
            Ok(tables) => self.output.info_string(format_args!("SyzygyPath: {tables} tables")),
            Err(error) => self.output.info_string(error),
        }
    }

    /// Evaluates with the network at `path`, or with the embedded one where it is empty. What is
    /// no network changes nothing.
    fn load_network(&mut self, path: String) {
        let network = match path.as_str() {
            "" => None,
            path => match network::load(path) {
                Ok(network) => {
                    self.output.info_string(format_args!("EvalFile: {path} evaluates"));
                    Some(network)
                }
                Err(error) => {
                    return self.output.info_string(format_args!("EvalFile {path}: {error}"));
                }
            },
        };
        self.searcher.get_or_insert_default().set_network(network);
        self.files.network = path;
    }

    fn new_game(&mut self) {
        self.watch.new_game();
        self.searcher.get_or_insert_default().clear();
    }

    fn go(&mut self, go: &Go) {
        let control = Control::new();
        self.finish_running();
        if self.debug && !go.unknown.is_empty() {
            self.output.info_string(format_args!("go: not understood: {}", go.unknown.join(" ")));
        }
        if let Some(depth) = &go.perft {
            return self.perft(depth.clone(), control);
        }
        self.watch.clocks(go.time_ms);
        let game = self.line.game.clone();
        let root = *game.position();
        let (limits, illegal) = go.limits(&root);
        if !illegal.is_empty() {
            let illegal = illegal.join(" ");
            self.output.info_string(format_args!("searchmoves not legal here: {illegal}"));
        }
        let chess960 = self.settings.chess960 || needs_chess960(&root);
        let reporter = UciReporter {
            output: self.output.clone(),
            root,
            chess960,
            show_wdl: self.settings.show_wdl,
        };
        self.running = Some(Running { control: control.clone(), root, chess960 });
        let searcher = self.searcher.take().unwrap_or_default();
        let options = self.settings.search.clone();
        let job = Search { searcher, game, limits, options, control, reporter };
        // The thread lives as long as this sender.
        let _ = self.jobs.send(Job::Search(Box::new(job)));
    }

    /// Ends the search that runs, if one does, with its answer.
    fn finish_running(&mut self) {
        if let Some(running) = &self.running {
            running.control.stop();
            if let Ok(done) = self.done.recv() {
                self.finish(done);
            }
        }
    }

    /// Says the answer of a search, then does what waited for its end.
    fn finish(&mut self, done: Done) {
        let running = self.running.take();
        if let (Some(running), Done::Search { searcher, outcome }) = (running, done) {
            self.output.line(bestmove_line(&outcome, &running.root, running.chess960));
            self.searcher = searcher;
            if self.searcher.is_none() {
                self.renew_searcher();
            }
        }
        for deferred in std::mem::take(&mut self.deferred) {
            match deferred {
                Deferred::Set(option) => self.set_option(&option),
                Deferred::NewGame => self.new_game(),
            }
        }
    }

    /// Builds new tables in place of those that a failed search has lost, and reads again what it
    /// had read.
    fn renew_searcher(&mut self) {
        self.apply(Effect::ResizeThreads, 0);
        self.apply(Effect::ResizeHash, Searcher::DEFAULT_HASH_MIB);
        let Files { tablebases, network } = std::mem::take(&mut self.files);
        if !tablebases.is_empty() {
            self.open_tablebases(tablebases);
        }
        if !network.is_empty() {
            self.load_network(network);
        }
    }

    /// Counts the legal move tree on the search's thread, so that `stop` and `quit` are heard.
    fn perft(&mut self, depth: Result<u32, PerftError>, control: Control) {
        self.finish_running();
        let depth = match depth {
            Ok(depth) => depth,
            Err(error) => return self.output.info_string(error),
        };
        let root = *self.line.game.position();
        let chess960 = self.settings.chess960 || needs_chess960(&root);
        self.running = Some(Running { control: control.clone(), root, chess960 });
        let output = self.output.clone();
        let _ = self.jobs.send(Job::Perft { root, depth, chess960, control, output });
    }

    /// Ends the search, with its answer if it comes in time, and the arbiter's work.
    fn close(&mut self) {
        if let Some(running) = &self.running {
            running.control.stop();
            self.deferred.clear();
            if let Ok(done) = self.done.recv_timeout(LAST_ANSWER) {
                self.finish(done);
            }
        }
        self.watch.flush();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use crossbeam_channel::unbounded;
    use engine::eval::network::{BUCKETS, HIDDEN, INPUTS, Network};
    use engine::search::{Info, Limits, Options, Outcome, Reporter, Score};

    use super::*;

    #[derive(Default)]
    struct LastScore(Mutex<Option<Score>>);

    impl Reporter for LastScore {
        fn info(&self, info: &Info) {
            *self.0.lock().unwrap() = Some(info.score);
        }
    }

    fn session() -> Session {
        let (jobs, done) = (unbounded().0, unbounded().1);
        let output = Output::silent();
        let arbiter = Settings::default().arbiter;
        let watch = Watch::spawn(output.clone(), arbiter, |_| anyhow::bail!("none")).unwrap();
        Session::new(output, jobs, done, watch)
    }

    fn score(session: &mut Session) -> Option<Score> {
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let (game, last) = (Line::startpos().game, LastScore::default());
        let searcher = session.searcher.as_mut().unwrap();
        searcher.search(&game, &limits, &Options::default(), &Control::new(), &last);
        last.0.into_inner().unwrap()
    }

    #[test]
    fn a_searcher_in_place_of_a_lost_one_has_its_network() {
        let weights = |count| vec![0.0; count];
        let network = Network::from_weights(
            &weights(INPUTS * HIDDEN),
            &[0.0; HIDDEN],
            &weights(BUCKETS * 2 * HIDDEN),
            &[1.0; BUCKETS],
        );
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), network.unwrap().to_bytes()).unwrap();
        let mut session = session();
        let embedded = score(&mut session);
        session.obey(&format!("setoption name EvalFile value {}", file.path().display()));
        let loaded = score(&mut session);
        assert_ne!(loaded, embedded);

        let root = Position::startpos();
        session.running = Some(Running { control: Control::new(), root, chess960: false });
        session.finish(Done::Search { searcher: None, outcome: Outcome::default() });
        assert_eq!(score(&mut session), loaded);
        session.obey("setoption name EvalFile value <empty>");
        assert_eq!(score(&mut session), embedded);
    }
}
