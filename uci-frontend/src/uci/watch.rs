//! The arbiter at the board: it follows the game that a host shows, on a thread of its own, so
//! that it costs no thinking time.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

use arbiter_plugin::plugin::{
    Arbiter, ArbiterError, Article, DrawRule, Edition, Event, GameSetup, Regulations, Ruling,
    RulingKind, Side, State,
};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use serde_json::json;

use super::options::ArbiterSettings;
use super::output::Output;

/// How long the end of the program waits for the last rulings to be written.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// A game as a host shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The FEN of the start.
    pub start_fen: String,
    /// The moves since then in UCI notation.
    pub moves: Vec<String>,
    /// Castling as in Chess960.
    pub chess960: bool,
}

impl Shown {
    /// Whether `other` is this game after a takeback rather than another game: at least half of
    /// the moves stand.
    fn taken_back_to(&self, other: &Self) -> bool {
        let same = self.moves.iter().zip(&other.moves).take_while(|(a, b)| a == b).count();
        self.start_fen == other.start_fen
            && self.chess960 == other.chess960
            && same > 0
            && 2 * same >= self.moves.len()
    }
}

/// What the session tells.
enum Message {
    Configure { settings: ArbiterSettings, opponent: String },
    NewGame,
    Show(Shown),
    Clocks([Option<i64>; 2]),
    Flush(Sender<()>),
}

/// Makes an arbiter: the one in the library at this path, or the built-in one for an empty path.
pub type Open = fn(&str) -> anyhow::Result<Box<dyn Arbiter>>;

/// The session's side of the arbiter's thread.
pub struct Watch {
    messages: Sender<Message>,
}

impl Watch {
    /// Starts the thread.
    pub fn spawn(output: Output, settings: ArbiterSettings, open: Open) -> io::Result<Self> {
        let (messages, received) = unbounded();
        let watcher = Watcher::new(output, settings, open);
        thread::Builder::new().name("arbiter".to_owned()).spawn(move || watcher.run(&received))?;
        Ok(Self { messages })
    }

    /// The thread ends only with the session: a message that cannot be sent has no reader left.
    fn tell(&self, message: Message) {
        let _ = self.messages.send(message);
    }

    /// Changes how the arbiter works. The game on the board is ruled on afresh.
    pub fn configure(&self, settings: ArbiterSettings, opponent: String) {
        self.tell(Message::Configure { settings, opponent });
    }

    /// The host says that the next game is another.
    pub fn new_game(&self) {
        self.tell(Message::NewGame);
    }

    /// The host shows a game.
    pub fn show(&self, shown: Shown) {
        self.tell(Message::Show(shown));
    }

    /// The host tells the clocks, in milliseconds, White's first.
    pub fn clocks(&self, clocks: [Option<i64>; 2]) {
        self.tell(Message::Clocks(clocks));
    }

    /// Waits a little until what was told is dealt with.
    pub fn flush(&self) {
        let (done, wait) = bounded(1);
        self.tell(Message::Flush(done));
        let _ = wait.recv_timeout(LAST_WORDS);
    }
}

/// The state of the arbiter's thread.
struct Watcher {
    output: Output,
    open: Open,
    settings: ArbiterSettings,
    opponent: String,
    arbiter: Option<Box<dyn Arbiter>>,
    /// The path of the arbiter that could not be opened; it is said only once.
    broken: Option<String>,
    /// The game as the arbiter knows it.
    known: Option<Shown>,
    /// Games so far, for the log.
    games: u32,
    clocks: [Option<i64>; 2],
    log: Option<File>,
    /// What was said last, so that it is not said twice of one game.
    said: Vec<String>,
}

impl Watcher {
    fn new(output: Output, settings: ArbiterSettings, open: Open) -> Self {
        Self {
            output,
            open,
            settings,
            opponent: String::new(),
            arbiter: None,
            broken: None,
            known: None,
            games: 0,
            clocks: [None; 2],
            log: None,
            said: Vec::new(),
        }
    }

    fn run(mut self, messages: &Receiver<Message>) {
        for message in messages {
            match message {
                Message::Configure { settings, opponent } => self.configure(settings, opponent),
                Message::NewGame => {
                    self.known = None;
                    self.clocks = [None; 2];
                }
                Message::Clocks(clocks) => self.clocks = clocks,
                Message::Show(shown) if self.settings.enabled => self.show_safely(shown),
                Message::Show(_) => self.known = None,
                Message::Flush(done) => {
                    let _ = done.send(());
                }
            }
        }
    }

    fn configure(&mut self, settings: ArbiterSettings, opponent: String) {
        if settings.log != self.settings.log {
            self.log = self.open_log(&settings.log);
        }
        if settings.plugin != self.settings.plugin {
            self.arbiter = None;
            self.broken = None;
        }
        if settings != self.settings {
            self.known = None;
        }
        self.settings = settings;
        self.opponent = opponent;
    }

    fn open_log(&self, path: &str) -> Option<File> {
        if path.is_empty() {
            return None;
        }
        match OpenOptions::new().create(true).append(true).open(path) {
            Ok(file) => Some(file),
            Err(error) => {
                self.say(&format!("cannot write the log `{path}`: {error}"));
                None
            }
        }
    }

    fn say(&self, text: &str) {
        self.output.info_string(format_args!("arbiter: {text}"));
    }

    /// Follows the game. A defect in an arbiter must not silence the engine.
    fn show_safely(&mut self, shown: Shown) {
        if catch_unwind(AssertUnwindSafe(|| self.show(shown))).is_err() {
            self.say("failed on this game; this is a defect, please report it");
            self.arbiter = None;
            self.known = None;
        }
    }

    fn show(&mut self, shown: Shown) {
        if self.known.as_ref() == Some(&shown) || !self.ready() {
            return;
        }
        let Some(mut arbiter) = self.arbiter.take() else { return };
        match self.follow(arbiter.as_mut(), &shown) {
            Ok(rulings) => self.report(arbiter.as_ref(), &shown, &rulings),
            Err(error) => self.say(&error.to_string()),
        }
        self.known = Some(shown);
        self.arbiter = Some(arbiter);
    }

    /// Sees to it that there is an arbiter.
    fn ready(&mut self) -> bool {
        if self.arbiter.is_none() && self.broken.as_ref() != Some(&self.settings.plugin) {
            match (self.open)(&self.settings.plugin) {
                Ok(arbiter) => self.arbiter = Some(arbiter),
                Err(error) => {
                    self.say(&error.to_string());
                    self.broken = Some(self.settings.plugin.clone());
                }
            }
        }
        self.arbiter.is_some()
    }

    /// Brings the arbiter's record up to what is shown: by the new moves alone where the game goes
    /// on, from the start after a takeback or a jump. Returns the rulings on the last move.
    fn follow(
        &mut self,
        arbiter: &mut dyn Arbiter,
        shown: &Shown,
    ) -> Result<Vec<Ruling>, ArbiterError> {
        let continued = self.known.as_ref().filter(|known| {
            known.start_fen == shown.start_fen
                && known.chess960 == shown.chess960
                && shown.moves.starts_with(&known.moves)
        });
        let played = match continued {
            Some(known) => known.moves.len(),
            None => 0,
        };
        let mut rulings = Vec::new();
        if continued.is_none() {
            self.games +=
                u32::from(!self.known.as_ref().is_some_and(|known| known.taken_back_to(shown)));
            self.said.clear();
            rulings = arbiter.observe(&self.opening(shown))?;
        }
        let (last, before) = match shown.moves[played..].split_last() {
            Some((last, before)) => (std::slice::from_ref(last), before),
            None => (&[][..], &[][..]),
        };
        for moves in [before, last].into_iter().filter(|moves| !moves.is_empty()) {
            rulings = arbiter.observe(&Event::MovesPlayed {
                t0: 0,
                ms_per_move: 0,
                uci: moves.to_vec(),
            })?;
        }
        Ok(rulings)
    }

    fn opening(&self, shown: &Shown) -> Event {
        Event::GameStarted(GameSetup {
            edition: self.settings.edition.parse::<Edition>().ok(),
            start_fen: Some(shown.start_fen.clone()),
            chess960: shown.chess960,
            regulations: Regulations { report_claims: true, ..Regulations::default() },
            ..GameSetup::default()
        })
    }

    /// Says what holds now, and logs the rulings on the last move.
    fn report(&mut self, arbiter: &dyn Arbiter, shown: &Shown, rulings: &[Ruling]) {
        let state = match arbiter.state() {
            Ok(state) => state,
            Err(error) => return self.say(&error.to_string()),
        };
        for ruling in rulings {
            self.write_log(&state, shown, ruling);
        }
        let sentences = sentences(&state, rulings);
        for sentence in &sentences {
            if !self.said.contains(sentence) {
                self.say(sentence);
            }
        }
        self.said = sentences;
    }

    fn write_log(&mut self, state: &State, shown: &Shown, ruling: &Ruling) {
        if matches!(ruling.kind, RulingKind::NoAction) {
            return;
        }
        let Some(file) = &mut self.log else { return };
        let Ok(serde_json::Value::Object(mut line)) = serde_json::to_value(ruling) else { return };
        line.insert("game".to_owned(), json!(self.games));
        line.insert("ply".to_owned(), json!(shown.moves.len()));
        line.insert("fen".to_owned(), json!(state.fen));
        line.insert("edition".to_owned(), json!(self.settings.edition));
        line.insert("opponent".to_owned(), json!(self.opponent));
        let [white, black] = self.clocks;
        line.insert("clocks_ms".to_owned(), json!({"w": white, "b": black}));
        // One write for a line, so that engines that share a log do not mix theirs.
        let text = format!("{}\n", serde_json::Value::Object(line));
        if let Err(error) = file.write_all(text.as_bytes()) {
            self.log = None;
            self.say(&format!("cannot write the log: {error}"));
        }
    }
}

/// What a person should know of the game: its end, or the draws that can be claimed.
fn sentences(state: &State, rulings: &[Ruling]) -> Vec<String> {
    if let Some(outcome) = &state.outcome {
        let mut sentence = format!(
            "game over, {} by {}, article {}",
            outcome.result.as_str(),
            outcome.reason.name().replace('_', " "),
            number(&outcome.article)
        );
        if !outcome.text.is_empty() {
            // Writing to a String cannot fail.
            let _ = write!(sentence, ": {}", outcome.text);
        }
        return vec![sentence];
    }
    let claim = |by: Side, rule: DrawRule, intended: &Option<String>| {
        let by = match by {
            Side::White => "White",
            Side::Black => "Black",
        };
        let (article, ground) = match rule {
            DrawRule::Threefold => ("9.2", "threefold repetition"),
            DrawRule::FiftyMoves => ("9.3", "fifty moves"),
        };
        let with = intended.as_ref().map_or(String::new(), |mv| format!(" with {mv}"));
        format!("{by} may claim a draw{with} by {ground}, article {article}")
    };
    let announced = rulings.iter().filter_map(|ruling| match &ruling.kind {
        RulingKind::ClaimAvailable { by, rule, intended } => Some((*by, *rule, intended)),
        _ => None,
    });
    let known = state.claims.iter().map(|open| (open.by, open.rule, &open.intended));
    let open: Vec<_> = known.chain(announced).collect();
    let mut sentences = Vec::new();
    for &(by, rule, intended) in &open {
        // A claim on the board needs no move; one move is enough where one is needed.
        let on_board = open.contains(&(by, rule, &None));
        let first = open.iter().find(|other| (other.0, other.1) == (by, rule));
        if intended.is_none() || !on_board && first == Some(&(by, rule, intended)) {
            let sentence = claim(by, rule, intended);
            if !sentences.contains(&sentence) {
                sentences.push(sentence);
            }
        }
    }
    sentences
}

/// An article's number as people write it.
fn number(article: &Article) -> String {
    match article {
        Article::InForce(number) => number.clone(),
        Article::Each(numbers) => {
            let each =
                numbers.iter().map(|(edition, number)| format!("{number} ({})", edition.as_str()));
            each.collect::<Vec<_>>().join(", ")
        }
    }
}
