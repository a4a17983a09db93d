//! What a tournament is: engines, games, time controls, regulations and outputs, as one value
//! that the command line, JSON and TOML files build and the journal stores.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};

use super::process::processors;

/// Games at a time, at most.
const MOST_BOARDS: usize = 1000;

/// How long one side may think, in the terms of the UCI `go` command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// Moves per period; `None` means the whole game.
    pub moves: Option<u32>,
    /// Milliseconds per period.
    pub base_ms: u64,
    /// Milliseconds added per move.
    pub increment_ms: u64,
    /// No clock at all (`tc=inf`).
    pub infinite: bool,
}

/// Reads `[moves/][minutes:]seconds[+increment]` or `inf`.
impl FromStr for TimeControl {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let expected =
            || format!("tc={text}: expected [moves/][minutes:]seconds[+increment] or inf");
        if matches!(text, "inf" | "infinite") {
            return Ok(Self { infinite: true, ..Self::default() });
        }
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.parse::<u32>().with_context(expected)?), rest),
            None => (None, text),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let base_ms = match time.split_once(':') {
            Some((minutes, seconds)) => {
                60 * milliseconds(minutes).with_context(expected)?
                    + milliseconds(seconds).with_context(expected)?
            }
            None => milliseconds(time).with_context(expected)?,
        };
        let increment_ms = milliseconds(increment).with_context(expected)?;
        ensure!(base_ms + increment_ms > 0, "tc={text}: no time at all");
        Ok(Self { moves: moves.filter(|moves| *moves > 0), base_ms, increment_ms, infinite: false })
    }
}

/// Writes what [`TimeControl::from_str`] reads, in seconds.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.infinite {
            return f.write_str("inf");
        }
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base_ms as f64 / 1000.0)?;
        if self.increment_ms > 0 {
            write!(f, "+{}", self.increment_ms as f64 / 1000.0)?;
        }
        Ok(())
    }
}

impl Serialize for TimeControl {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeControl {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Seconds with a fraction, as milliseconds.
pub fn milliseconds(seconds: &str) -> anyhow::Result<u64> {
    let value: f64 =
        seconds.parse().with_context(|| format!("{seconds:?} is not a number of seconds"))?;
    ensure!((0.0..=1e9).contains(&value), "{seconds} seconds are out of range");
    Ok((value * 1000.0).round() as u64)
}

/// When an engine process is started anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Restart {
    /// Before every game.
    On,
    /// Only after it crashed or hung.
    #[default]
    #[serde(alias = "auto")]
    Off,
}

/// One engine and the conditions it plays under.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EngineConfig {
    /// Program, looked up in `dir` and then in `PATH`.
    pub cmd: String,
    /// Arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Working directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// Name in the tables; the engine's own name where empty.
    pub name: String,
    /// Lines sent before `uci`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub initstr: Vec<String>,
    /// File for its standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<PathBuf>,
    /// UCI options by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "option_values")]
    pub options: BTreeMap<String, String>,
    /// Clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tc: Option<TimeControl>,
    /// Fixed time per move, milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub st_ms: Option<u64>,
    /// Nodes per move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies per move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Overstepping that is forgiven, milliseconds.
    pub timemargin_ms: u64,
    /// Think on the opponent's time.
    pub ponder: bool,
    /// When the process is started anew.
    pub restart: Restart,
    /// Scores are reported from White's point of view.
    pub whitepov: bool,
}

/// A number or, as older files have it, whether the games of an encounter share their opening.
fn repetitions<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "repeat: expected a number")]
    enum Written {
        Number(u32),
        Shared(bool),
    }
    let written = Option::<Written>::deserialize(deserializer)?;
    Ok(match written {
        Some(Written::Number(number)) => Some(number),
        Some(Written::Shared(false)) => Some(1),
        Some(Written::Shared(true)) | None => None,
    })
}

/// Values of UCI options as texts, though a file may have numbers and truth values.
fn option_values<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, String>, D::Error> {
    let values = BTreeMap::<String, serde_json::Value>::deserialize(deserializer)?;
    values
        .into_iter()
        .map(|(name, value)| match value {
            serde_json::Value::String(text) => Ok((name, text)),
            serde_json::Value::Number(_) | serde_json::Value::Bool(_) => {
                Ok((name, value.to_string()))
            }
            _ => Err(serde::de::Error::custom(format!(
                "option {name}: expected a text, a number, true or false"
            ))),
        })
        .collect()
}

impl EngineConfig {
    /// The clock, or an error where the engine has no limit of any kind.
    pub fn check(&self) -> anyhow::Result<()> {
        ensure!(!self.cmd.is_empty(), "engine {:?} has no cmd=", self.name);
        ensure!(
            !(self.tc.is_some() && self.st_ms.is_some()),
            "engine {:?}: tc= and st= exclude each other",
            self.name
        );
        let limited = self.tc.is_some_and(|tc| !tc.infinite)
            || self.st_ms.is_some()
            || self.nodes.is_some()
            || self.depth.is_some();
        ensure!(limited, "engine {:?} has no limit: give tc=, st=, nodes= or depth=", self.name);
        for (name, nothing) in [
            ("st", self.st_ms == Some(0)),
            ("nodes", self.nodes == Some(0)),
            ("depth", self.depth == Some(0)),
        ] {
            ensure!(!nothing, "engine {:?}: {name}= must be more than nothing", self.name);
        }
        self.check_dir().with_context(|| format!("engine {:?}", self.name))
    }

    /// Its folder is there.
    pub fn check_dir(&self) -> anyhow::Result<()> {
        let Some(dir) = self.dir.as_ref().filter(|dir| !dir.is_dir()) else { return Ok(()) };
        bail!("dir={}: there is no such folder", dir.display())
    }

    /// The clock as PGN's TimeControl tag writes it.
    pub fn time_control_tag(&self) -> String {
        match (self.tc, self.st_ms) {
            (Some(tc), _) if !tc.infinite => tc.to_string(),
            (_, Some(ms)) => format!("{}/move", ms as f64 / 1000.0),
            _ => "-".to_owned(),
        }
    }
}

/// The schedule's kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Everyone meets everyone.
    #[default]
    RoundRobin,
    /// The seeds meet everyone else.
    Gauntlet,
    /// The winner of each pair goes on.
    Knockout,
    /// Players of equal score meet, by the Dutch rules.
    Swiss,
}

impl FromStr for Format {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        Ok(match text.to_ascii_lowercase().as_str() {
            "roundrobin" | "round-robin" | "match" => Self::RoundRobin,
            "gauntlet" => Self::Gauntlet,
            "knockout" => Self::Knockout,
            "swiss" => Self::Swiss,
            _ => bail!("{text}: expected roundrobin, gauntlet, knockout or swiss"),
        })
    }
}

/// The order in which openings are taken from the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As they stand in the file.
    #[default]
    Sequential,
    /// Shuffled with the seed.
    Random,
}

/// Who gets the same opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// A new opening for each pair of games.
    #[default]
    Default,
    /// One opening for all games of two opponents in a round.
    Encounter,
    /// One opening for all games of a round.
    Round,
}

/// Where games start from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Openings {
    /// EPD, PGN or polyglot `.bin` file.
    pub file: PathBuf,
    /// `epd`, `pgn` or `bin`; guessed from the extension where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Order.
    pub order: Order,
    /// Plies taken from a PGN game or the polyglot book.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// One-based index of the first opening.
    pub start: usize,
    /// Who gets the same opening.
    pub policy: Policy,
}

/// `-draw`: adjudicate a draw when both sides see nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DrawAdjudication {
    /// First full move at which it may happen.
    pub movenumber: u32,
    /// Consecutive moves of each side.
    pub movecount: u32,
    /// Centipawns.
    pub score: i32,
}

/// `-resign`: adjudicate a loss when a side sees no hope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ResignAdjudication {
    /// Consecutive moves of the losing side.
    pub movecount: u32,
    /// Centipawns below zero.
    pub score: i32,
    /// The winner must agree.
    pub twosided: bool,
}

/// Which tablebase verdicts end a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum TbAdjudicate {
    /// Wins, losses and draws.
    #[default]
    Both,
    /// Only wins and losses.
    #[serde(rename = "WIN_LOSS")]
    WinLoss,
    /// Only draws.
    Draw,
}

/// `-tb`: adjudicate by Syzygy tables.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tablebases {
    /// Folders.
    pub paths: Vec<PathBuf>,
    /// Largest number of men looked up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pieces: Option<usize>,
    /// Treat cursed wins as wins.
    pub ignore50: bool,
    /// Which verdicts end a game.
    pub adjudicate: TbAdjudicate,
}

/// Who claims threefold repetition and the fifty-move draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Claims {
    /// Nobody: draws come by fivefold repetition and 75 moves.
    #[default]
    None,
    /// The runner, for the side to move, as soon as it may.
    Auto,
    /// The engine, by `bestmove MOVE draw`.
    Engine,
}

/// What an illegal move costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Illegal {
    /// Article 7.5: two minutes the first time, the game the second time.
    #[default]
    Laws,
    /// The game.
    Forfeit,
}

/// What the arbiter is told.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ArbiterConfig {
    /// Library of another arbiter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plugin: Option<PathBuf>,
    /// Edition of the Laws, by year; the newest known where empty.
    pub edition: String,
    /// Who claims draws.
    pub claims: Claims,
    /// What an illegal move costs.
    pub illegal: Illegal,
}

/// The statistical model of the sequential test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtModel {
    /// Normalized Elo, pentanomial.
    #[default]
    Normalized,
    /// Logistic Elo, pentanomial.
    Logistic,
    /// BayesElo, trinomial.
    Bayesian,
}

/// `-sprt`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SprtConfig {
    /// Elo of the null hypothesis.
    pub elo0: f64,
    /// Elo of the alternative.
    pub elo1: f64,
    /// Probability of accepting a change that is none.
    pub alpha: f64,
    /// Probability of refusing a change that is one.
    pub beta: f64,
    /// Model.
    pub model: SprtModel,
}

impl Default for SprtConfig {
    fn default() -> Self {
        Self { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: SprtModel::Normalized }
    }
}

/// How moves are written in the PGN file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Notation {
    /// Standard algebraic.
    #[default]
    San,
    /// Long algebraic.
    Lan,
    /// UCI.
    Uci,
}

/// `-pgnout`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PgnOut {
    /// File; a name with date and time where empty.
    pub file: PathBuf,
    /// Keep what the file holds; otherwise it is emptied first.
    pub append: bool,
    /// Notation.
    pub notation: Notation,
    /// No comments and only the seven tags.
    pub min: bool,
    /// Write node counts.
    pub nodes: bool,
    /// Write selective depth.
    pub seldepth: bool,
    /// Write nodes per second.
    pub nps: bool,
    /// Write hash occupancy.
    pub hashfull: bool,
    /// Write tablebase hits.
    pub tbhits: bool,
    /// Write the principal variation.
    pub pv: bool,
    /// Write the clock left.
    pub timeleft: bool,
    /// Write measured minus reported time.
    pub latency: bool,
}

/// `-epdout`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EpdOut {
    /// File.
    pub file: PathBuf,
    /// Keep what the file holds; otherwise it is emptied first.
    pub append: bool,
}

/// The texts of the running report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputStyle {
    /// As fastchess words it.
    #[default]
    Fastchess,
    /// As cutechess-cli words it.
    Cutechess,
}

/// `-log`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LogConfig {
    /// File.
    pub file: PathBuf,
    /// `trace`, `info`, `warn` or `error`.
    pub level: String,
    /// Keep what the file holds.
    pub append: bool,
    /// Write what is said to and by the engines.
    pub engine: bool,
}

/// Everything about a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tournament {
    /// The players.
    pub engines: Vec<EngineConfig>,
    /// Schedule.
    pub format: Format,
    /// Rounds (of the whole schedule; of the Swiss).
    pub rounds: u32,
    /// Games per encounter and round.
    pub games: u32,
    /// How often two opponents play each opening, in as many encounters as that takes; where it is
    /// not said, twice, if an encounter has so many games.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "repetitions")]
    pub repeat: Option<u32>,
    /// Keep colours in every game of an encounter.
    pub noswap: bool,
    /// Start with colours reversed.
    pub reverse: bool,
    /// Gauntlet: engines that meet everyone else; knockout: engines that keep their place in the
    /// bracket while the others are drawn by lot. 0: one; all.
    pub seeds: usize,
    /// Openings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<Openings>,
    /// Seed of everything random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub srand: Option<u64>,
    /// Chess960.
    pub chess960: bool,
    /// Games at a time.
    pub concurrency: usize,
    /// Processors that engines are bound to; empty: not bound.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub affinity: Vec<usize>,
    /// Go on after a crash.
    pub recover: bool,
    /// Milliseconds between games.
    pub wait_ms: u64,
    /// `-draw`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawAdjudication>,
    /// `-resign`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignAdjudication>,
    /// `-maxmoves`, full moves; 0: none.
    pub maxmoves: u32,
    /// `-tb`.
    pub tb: Tablebases,
    /// Arbiter.
    pub arbiter: ArbiterConfig,
    /// `-sprt`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtConfig>,
    /// `-pgnout`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pgnout: Option<PgnOut>,
    /// `-epdout`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epdout: Option<EpdOut>,
    /// `-jsonout`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jsonout: Option<PathBuf>,
    /// `-report FILE.html`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<PathBuf>,
    /// Pentanomial statistics in the running report.
    pub penta: bool,
    /// `-output`.
    pub output: OutputStyle,
    /// PGN tag.
    pub event: String,
    /// PGN tag.
    pub site: String,
    /// Games between two tables; 0: only at the end.
    pub ratinginterval: u32,
    /// Games between two score lines (cutechess style); 0: none.
    pub scoreinterval: u32,
    /// Show measured minus reported time.
    pub show_latency: bool,
    /// Milliseconds for `uciok`.
    pub startup_ms: u64,
    /// Milliseconds for `readyok` after `ucinewgame`.
    pub ucinewgame_ms: u64,
    /// Milliseconds for any other `readyok`.
    pub ping_ms: u64,
    /// Milliseconds for a move that no clock limits.
    pub stall_ms: u64,
    /// `-log`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<LogConfig>,
    /// Journal of finished games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<PathBuf>,
}

impl Default for Tournament {
    fn default() -> Self {
        Self {
            engines: Vec::new(),
            format: Format::default(),
            rounds: 2,
            games: 2,
            repeat: None,
            noswap: false,
            reverse: false,
            seeds: 0,
            openings: None,
            srand: None,
            chess960: false,
            concurrency: 1,
            affinity: Vec::new(),
            recover: true,
            wait_ms: 0,
            draw: None,
            resign: None,
            maxmoves: 0,
            tb: Tablebases::default(),
            arbiter: ArbiterConfig::default(),
            sprt: None,
            pgnout: None,
            epdout: None,
            jsonout: None,
            report: None,
            penta: true,
            output: OutputStyle::default(),
            event: "Themis Tournament".to_owned(),
            site: "?".to_owned(),
            ratinginterval: 10,
            scoreinterval: 1,
            show_latency: false,
            startup_ms: 10_000,
            ucinewgame_ms: 60_000,
            ping_ms: 15_000,
            stall_ms: 60_000,
            log: None,
            journal: None,
        }
    }
}

impl Tournament {
    /// Reads a JSON or (by its extension) TOML file.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        read_value(path)
    }

    /// What tells this tournament from another one, so that neither goes on with the games of the
    /// other: keys of the configuration, but for those that change no game.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        const FREE: &[&str] = &[
            "concurrency",
            "affinity",
            "recover",
            "wait_ms",
            "jsonout",
            "report",
            "penta",
            "output",
            "ratinginterval",
            "scoreinterval",
            "show_latency",
            "log",
            "journal",
        ];
        let table = |tournament: &Self| match serde_json::to_value(tournament) {
            Ok(serde_json::Value::Object(table)) => table,
            _ => serde_json::Map::new(),
        };
        let (ours, theirs) = (table(self), table(other));
        let keys: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
        keys.into_iter()
            .filter(|key| !FREE.contains(&key.as_str()) && ours.get(*key) != theirs.get(*key))
            .cloned()
            .collect()
    }

    /// Refuses what cannot be played.
    pub fn check(&self) -> anyhow::Result<()> {
        ensure!(
            self.engines.len() >= 2,
            "at least two engines are needed; got {}",
            self.engines.len()
        );
        for engine in &self.engines {
            engine.check()?;
        }
        for (index, engine) in self.engines.iter().enumerate() {
            let twin = self.engines[..index].iter().any(|other| other.name == engine.name);
            ensure!(!twin, "two engines are named {:?}; give them name=", engine.name);
        }
        ensure!(self.rounds > 0, "-rounds must be at least 1");
        ensure!(self.games > 0, "-games must be at least 1");
        ensure!(self.repeat != Some(0), "-repeat must be at least 1");
        ensure!(
            (1..=MOST_BOARDS).contains(&self.concurrency),
            "-concurrency must be 1 to {MOST_BOARDS}"
        );
        for (name, patience) in [
            ("startup", self.startup_ms),
            ("ucinewgame", self.ucinewgame_ms),
            ("ping", self.ping_ms),
            ("stall", self.stall_ms),
        ] {
            ensure!(patience > 0, "-{name}-ms must be at least 1");
        }
        self.check_format()?;
        self.check_adjudication()?;
        self.check_processors()
    }

    fn check_format(&self) -> anyhow::Result<()> {
        let most = match self.format {
            Format::Gauntlet => self.engines.len() - 1,
            Format::Knockout => self.engines.len(),
            Format::RoundRobin | Format::Swiss => 0,
        };
        ensure!(most > 0 || self.seeds == 0, "-seeds is for gauntlets and knockouts");
        ensure!(self.seeds <= most, "-seeds must be 1 to {most}");
        let Some(sprt) = &self.sprt else { return Ok(()) };
        ensure!(self.engines.len() == 2, "-sprt compares two engines; got {}", self.engines.len());
        for (name, value) in [("elo0", sprt.elo0), ("elo1", sprt.elo1)] {
            ensure!(value.is_finite(), "-sprt: {name} must be a number");
        }
        ensure!(sprt.elo0 < sprt.elo1, "-sprt: elo0 must be less than elo1");
        for (name, value) in [("alpha", sprt.alpha), ("beta", sprt.beta)] {
            ensure!(value > 0.0 && value < 1.0, "-sprt: {name} must lie between 0 and 1");
        }
        ensure!(sprt.alpha + sprt.beta < 1.0, "-sprt: alpha + beta must be less than 1");
        Ok(())
    }

    fn check_adjudication(&self) -> anyhow::Result<()> {
        if let Some(draw) = &self.draw {
            ensure!(draw.movecount > 0, "-draw: movecount must be at least 1");
            ensure!(draw.score >= 0, "-draw: score must be at least 0");
        }
        if let Some(resign) = &self.resign {
            ensure!(resign.movecount > 0, "-resign: movecount must be at least 1");
            ensure!(resign.score > 0, "-resign: score must be at least 1");
        }
        let tb = &self.tb;
        let idle = tb.paths.is_empty() && *tb != Tablebases::default();
        ensure!(!idle, "-tbpieces, -tbignore50 and -tbadjudicate need -tb PATHS");
        ensure!(tb.pieces.is_none_or(|pieces| pieces >= 3), "-tbpieces must be at least 3");
        Ok(())
    }

    /// A processor that is not there would leave its engines unbound.
    fn check_processors(&self) -> anyhow::Result<()> {
        if self.affinity.is_empty() {
            return Ok(());
        }
        let there =
            processors().context("-affinity: engines cannot be bound to processors here")?;
        for cpu in &self.affinity {
            ensure!(
                there.contains(cpu),
                "-affinity: there is no processor {cpu}; there are {}",
                there.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
            );
        }
        Ok(())
    }
}

/// Reads a JSON or (by its extension) TOML file into any configuration type.
pub fn read_value<T: serde::de::DeserializeOwned>(path: &Path) -> anyhow::Result<T> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
    if path.extension().is_some_and(|extension| extension == "toml") {
        toml::from_str(&text).map_err(|error| {
            // The library draws the place in several lines.
            let lines = error.span().and_then(|span| text.get(..span.start));
            let line = lines.map_or(1, |lines| 1 + lines.matches('\n').count());
            let message = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
            anyhow!("{}:{line}: {message}", path.display())
        })
    } else {
        serde_json::from_str(&text).with_context(|| format!("{}", path.display()))
    }
}
