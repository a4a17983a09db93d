//! What an arbiter answers.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Edition, Side};

/// A ruling: what is decided, by which article, and a sentence that says so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ruling {
    /// What is decided.
    #[serde(flatten)]
    pub kind: RulingKind,
    /// The article it rests on, numbered as in the edition in force.
    pub article: Article,
    /// The edition whose number `article` is, where the edition in force has none that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbering: Option<Edition>,
    /// A sentence for people, in the language of the game's setup.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The ground in a few English words, where the kind alone does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The Laws leave this to the arbiter: an `arbiter_decision` may change it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overridable: bool,
}

/// The kinds of rulings. Times in milliseconds; `by` or `side` is the player concerned.
#[allow(missing_docs)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "ruling", rename_all = "snake_case")]
pub enum RulingKind {
    /// The game is over.
    GameOver {
        result: GameResult,
        reason: Reason,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        evidence: Option<Evidence>,
    },
    /// The game does not count; a new one is played.
    GameCancelled { new_game: bool },
    /// The event was heard; nothing follows from it.
    NoAction,
    /// A completed illegal move was counted.
    IllegalMoveRecorded { side: Side, count: u32 },
    /// The board, the clocks' counters and the repetition table are back at this ply.
    PositionRestored { to_ply: u32, fen: String },
    /// A clock was changed by this much; `clock_ms` is what it shows now.
    TimeAdjusted {
        side: Side,
        delta_ms: i64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock_ms: Option<i64>,
    },
    /// This player's clock runs again.
    ClockReturnedTo { side: Side },
    /// All clocks stand still.
    ClocksStopped,
    /// A pawn on the last rank became this piece.
    PromotionForced { square: String, piece: String },
    /// A player reached the next period; `clock_ms` is what he has now.
    PeriodAdvanced { side: Side, clock_ms: i64 },
    /// What a player must do. Of `must_move`, `must_capture` (squares), `must_play`,
    /// `must_castle` (moves), `promote_to` and `free`, those that hold are present.
    Obligation {
        side: Side,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        must_move: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        must_capture: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        must_play: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        must_castle: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        promote_to: Option<String>,
        /// Any legal move will do.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        free: Option<bool>,
        /// A duty other than a move: `restore_position`, `update_scoresheet`, `reconstruct`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        must: Option<String>,
        /// The moves that meet it, in alphabetical order.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        allowed: Option<Vec<String>>,
    },
    /// A draw offer stands until it is accepted, refused or lapses.
    OfferStanding { by: Side },
    /// The players may not agree a draw now.
    AgreementRefused,
    /// A claim was heard and found wrong.
    ClaimRejected { by: Side },
    /// A claim was not admitted.
    ClaimRefused { by: Side },
    /// A complaint was not admitted.
    ComplaintRefused { by: Side },
    /// A warning.
    Warning { side: Side, kind: String },
    /// A penalty of 12.9; `side` is the offender.
    Penalty { side: Side, kind: String },
    /// Somebody not playing must leave (12.7, 12.8).
    Expulsion { who: String },
    /// The points for the game.
    Score { white: f64, black: f64 },
    /// Proposed points are not allowed (10.2).
    ScoreRejected { white: f64, black: f64 },
    /// The signed result was taken down.
    ResultRecorded { result: GameResult },
    /// An appeal was taken down.
    AppealRecorded { by: Side },
    /// The position, clocks and counters before a reconstruction.
    Snapshot {
        fen: String,
        white_ms: i64,
        black_ms: i64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        running: Option<Side>,
        moves_completed: [u32; 2],
    },
    /// A player could claim a draw; only for hosts that ask, never for players.
    ClaimAvailable {
        by: Side,
        rule: super::DrawRule,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        intended: Option<String>,
    },
}

impl RulingKind {
    /// An obligation on `side` with nothing filled in yet.
    pub fn duty(side: Side) -> Self {
        Self::Obligation {
            side,
            must_move: None,
            must_capture: None,
            must_play: None,
            must_castle: None,
            promote_to: None,
            free: None,
            must: None,
            allowed: None,
        }
    }
}

/// The number of an article: in the edition in force, or in each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Article {
    /// In the edition in force.
    InForce(String),
    /// In each edition, where the setup asks for all.
    Each(BTreeMap<Edition, String>),
}

/// What a ruling can be checked with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Legal moves that end in the mate that is still possible, in UCI notation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line_uci: Vec<String>,
    /// The same line in standard algebraic notation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line_san: Vec<String>,
    /// How it is known that no mate is possible, or that it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofKind>,
    /// The plies after which the same position stood on the board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plies: Vec<u32>,
    /// Plies since the last capture or pawn move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub halfmove_clock: Option<u32>,
}

/// The kind of proof that a side cannot mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProofKind {
    /// The material cannot mate wherever it stands.
    Material,
    /// Every reachable position was visited.
    Exhausted,
    /// The squares the men can ever reach leave no room for a mate.
    Static,
    /// Not decided within the limits; this never makes a draw.
    Undecided,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum GameResult {
    /// White won.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Black won.
    #[serde(rename = "0-1")]
    BlackWins,
    /// Drawn.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// Lost by both.
    #[serde(rename = "0-0")]
    BothLose,
}

impl GameResult {
    /// The result when `side` wins.
    pub fn win(side: Side) -> Self {
        match side {
            Side::White => Self::WhiteWins,
            Side::Black => Self::BlackWins,
        }
    }

    /// The winner, if there is one.
    pub fn winner(self) -> Option<Side> {
        match self {
            Self::WhiteWins => Some(Side::White),
            Self::BlackWins => Some(Side::Black),
            Self::Draw | Self::BothLose => None,
        }
    }

    /// The text of the event language, such as `1-0`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::BothLose => "0-0",
        }
    }

    /// The result as PGN writes it; a game lost by both has no token there and is `*`.
    pub fn pgn(self) -> &'static str {
        match self {
            Self::BothLose => "*",
            other => other.as_str(),
        }
    }
}

/// Why a game is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// 5.1.1.
    Checkmate,
    /// 5.2.1.
    Stalemate,
    /// 5.2.2.
    DeadPosition,
    /// 5.2.3.
    Agreement,
    /// 5.1.2.
    Resignation,
    /// 5.1.2 of 2023.
    ResignationOpponentCannotMate,
    /// 9.2.
    ThreefoldClaim,
    /// 9.3.
    FiftyMovesClaim,
    /// 9.6.1.
    Fivefold,
    /// 9.6.2.
    SeventyFiveMoves,
    /// 6.9.
    FlagFall,
    /// 6.9.
    FlagFallOpponentCannotMate,
    /// Guideline III: both flags are down, and nobody knows which fell first.
    BothFlags,
    /// 7.5.5 (or the event's own rule that the first illegal move loses).
    SecondIllegalMove,
    /// 7.5.5.
    SecondIllegalMoveOpponentCannotMate,
    /// 6.7.1.
    ForfeitLate,
    /// 11.3.2.2.
    Device,
    /// 11.7.
    RefusalToComply,
    /// 11.8.
    BothLose,
    /// 12.9.6, 12.9.9.
    PenaltyLoss,
    /// 8.7: as the players signed.
    SignedResult,
    /// Where the Laws leave the result to the arbiter.
    ArbiterDecision,
    /// A word of another arbiter's own.
    #[serde(untagged)]
    Other(String),
}

impl Reason {
    /// The word of the event language, such as `flag_fall`.
    pub fn name(&self) -> String {
        match serde_json::to_value(self) {
            Ok(serde_json::Value::String(name)) => name,
            _ => String::new(),
        }
    }
}
