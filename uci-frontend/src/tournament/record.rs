//! A finished game: everything that the PGN file, the report and the statistics need.

use arbiter_plugin::plugin::{
    Article, Evidence, GameResult, ProofKind, Reason, Ruling, RulingKind,
};
use serde::{Deserialize, Serialize};

use super::info::{Info, Score};
use super::schedule::Pairing;

/// One move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MoveRecord {
    /// UCI notation.
    pub uci: String,
    /// It belongs to the opening; nobody was asked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub book: bool,
    /// From the mover's side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// Measured, microseconds.
    pub time_us: u64,
    /// Left on the mover's clock afterwards, milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_ms: Option<u64>,
    /// What the engine reported, as it reported it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[allow(missing_docs)]
    pub seldepth: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[allow(missing_docs)]
    pub nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[allow(missing_docs)]
    pub nps: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[allow(missing_docs)]
    pub hashfull: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[allow(missing_docs)]
    pub tbhits: Option<u64>,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reported_ms: Option<u64>,
    /// Principal variation, UCI notation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<String>,
}

impl MoveRecord {
    /// Takes over an engine's report.
    pub fn report(&mut self, info: Info, keep_pv: bool) {
        self.score = info.score;
        self.depth = info.depth;
        self.seldepth = info.seldepth;
        self.nodes = info.nodes;
        self.nps = info.nps;
        self.hashfull = info.hashfull;
        self.tbhits = info.tbhits;
        self.reported_ms = info.time;
        if keep_pv {
            self.pv = info.pv;
        }
    }
}

/// Something said about the game after a number of plies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Plies on the board.
    pub ply: usize,
    /// Text.
    pub text: String,
}

/// How the game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ending {
    /// Result.
    pub result: GameResult,
    /// The arbiter's reason.
    pub reason: Reason,
    /// Article of the edition in force.
    pub article: String,
    /// The arbiter's sentence, or what happened to the engine.
    pub text: String,
    /// What the ruling rests on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// PGN's Termination tag.
    pub termination: String,
}

impl Ending {
    /// Half points of White and Black.
    pub fn half_points(&self) -> [u8; 2] {
        match self.result {
            GameResult::WhiteWins => [2, 0],
            GameResult::BlackWins => [0, 2],
            GameResult::Draw => [1, 1],
            GameResult::BothLose => [0, 0],
        }
    }

    /// What happened, the article and what the ruling rests on, in one sentence.
    pub fn sentence(&self) -> String {
        let mut text = self.text.trim_end_matches('.').to_owned();
        if text.is_empty() {
            text = self.reason.name().replace('_', " ");
        } else if !text.contains("Article") {
            text = format!("{text}; {}", self.reason.name().replace('_', " "));
        }
        if !text.contains("Article") {
            text.push_str(&format!(" (Article {})", self.article));
        }
        if let Some(evidence) = self.evidence.as_ref().and_then(describe) {
            text.push_str("; ");
            text.push_str(&evidence);
        }
        text
    }
}

/// Evidence in words.
fn describe(evidence: &Evidence) -> Option<String> {
    let line = if evidence.line_san.is_empty() { &evidence.line_uci } else { &evidence.line_san };
    let mut parts = Vec::new();
    if !line.is_empty() {
        parts.push(format!("mate is possible: {}", line.join(" ")));
    }
    parts.extend(evidence.proof.map(|proof| {
        match proof {
            ProofKind::Material => "no mate with this material",
            ProofKind::Exhausted => "no mate in any reachable position",
            ProofKind::Static => "no mate in this structure",
            ProofKind::Undecided => "it is not known that mate is impossible",
        }
        .to_owned()
    }));
    if !evidence.plies.is_empty() {
        let plies: Vec<String> = evidence.plies.iter().map(u32::to_string).collect();
        parts.push(format!("same position after plies {}", plies.join(", ")));
    }
    parts.extend(
        evidence.halfmove_clock.map(|plies| format!("{plies} plies without capture or pawn move")),
    );
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its place in the schedule.
    pub pairing: Pairing,
    /// Names.
    pub white: String,
    #[allow(missing_docs)]
    pub black: String,
    /// White's and Black's clock, as PGN's TimeControl tag has it.
    pub time_controls: [String; 2],
    /// Chess960.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub chess960: bool,
    /// Position at the start; `None` is the standard array.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Moves.
    pub moves: Vec<MoveRecord>,
    /// Illegal moves, warnings and the rulings before the last one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// How it ended.
    pub ending: Ending,
    /// An engine crashed or hung.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub disrupted: bool,
    /// Position at the end.
    pub final_fen: String,
    /// UTC, RFC 3339.
    pub start: String,
    #[allow(missing_docs)]
    pub end: String,
    /// Seconds.
    pub duration_s: f64,
}

/// The number in the edition in force.
pub fn article_number(article: &Article) -> String {
    match article {
        Article::InForce(number) => number.clone(),
        Article::Each(numbers) => numbers.values().next_back().cloned().unwrap_or_default(),
    }
}

/// Whether a ruling deserves a comment in the score.
pub fn is_notable(ruling: &Ruling) -> bool {
    !matches!(
        ruling.kind,
        RulingKind::NoAction
            | RulingKind::Score { .. }
            | RulingKind::PeriodAdvanced { .. }
            | RulingKind::ClaimAvailable { .. }
            | RulingKind::ClockReturnedTo { .. }
            | RulingKind::GameOver { .. }
    )
}
