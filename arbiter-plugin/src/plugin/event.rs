//! What an arbiter can be told.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GameResult, GameSetup, Side};

/// One thing that happened. `t` is its moment in milliseconds on the host's clock, counted from
/// the start of the game; one that is missing or runs back counts as the latest moment heard.
/// Squares and moves are in UCI notation; `by` is who did it, `side` whom it concerns.
#[allow(missing_docs)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// Opens a game (and drops the one before).
    GameStarted(GameSetup),
    /// The appointed hour: White's clock runs (6.6).
    GameScheduledStart {
        #[serde(default)]
        t: u64,
    },
    /// A player comes to the board (6.7).
    PlayerArrived {
        by: Side,
        #[serde(default)]
        t: u64,
    },
    /// A move was made on the board; the clock is not yet pressed.
    MoveMade {
        by: Side,
        #[serde(default)]
        t: u64,
        uci: String,
        /// Hands used (4.1).
        #[serde(default = "one")]
        hands: u8,
        /// Whether a pawn on the last rank was exchanged for a new piece (7.5.2).
        #[serde(default = "yes")]
        promotion_replaced: bool,
        /// Whether all parts of the move were carried out: the captured man taken off, the pawn
        /// removed, the rook released (4.7). A move with a part missing is not yet made.
        #[serde(default = "yes")]
        complete: bool,
    },
    /// A player pressed the clock: completes his move, or is a press without a move.
    ClockPressed {
        by: Side,
        #[serde(default)]
        t: u64,
        /// Whether it was the hand that moved (6.2.3).
        #[serde(default = "yes")]
        same_hand: bool,
    },
    /// Shorthand: the first move is made and pressed at `t0`, each other one `ms_per_move`
    /// after the press before it.
    MovesPlayed {
        #[serde(default)]
        t0: u64,
        #[serde(default)]
        ms_per_move: u64,
        uci: Vec<String>,
    },
    /// The arbiter, an assistant (12.4) or an electronic clock saw the flag fall (6.8).
    FlagObserved {
        side: Side,
        #[serde(default)]
        t: u64,
        /// Both flags are down and nobody knows which fell first.
        #[serde(default)]
        both: bool,
    },
    /// A player claims that a flag has fallen (6.8).
    FlagClaimed {
        by: Side,
        against: Side,
        #[serde(default)]
        t: u64,
        #[serde(default)]
        basis: ClaimBasis,
    },
    /// A draw is offered (9.1).
    DrawOffered {
        by: Side,
        #[serde(default)]
        t: u64,
        /// A condition was attached (9.1.2.1).
        #[serde(default)]
        conditional: bool,
    },
    /// The standing offer is accepted.
    DrawAccepted {
        by: Side,
        #[serde(default)]
        t: u64,
    },
    /// The standing offer is refused.
    DrawDeclined {
        by: Side,
        #[serde(default)]
        t: u64,
    },
    /// A player claims a draw (9.2, 9.3), on the board or with an intended move.
    DrawClaimed {
        by: Side,
        #[serde(default)]
        t: u64,
        rule: DrawRule,
        #[serde(default)]
        intended: Option<String>,
        #[serde(default)]
        basis: ClaimBasis,
    },
    /// A player wants to withdraw his claim (9.5.1).
    ClaimWithdrawn {
        by: Side,
        #[serde(default)]
        t: u64,
    },
    /// A player resigns (5.1.2).
    Resigned {
        by: Side,
        #[serde(default)]
        t: u64,
    },
    /// The opponent claims that an illegal move was completed (7.5).
    IllegalMoveClaimed {
        by: Side,
        #[serde(default)]
        t: u64,
        /// The ply before which the irregularity happened, where it is not the last one.
        #[serde(default)]
        at_ply: Option<u32>,
    },
    /// The arbiter saw that `side` completed an illegal move (7.5).
    IllegalMoveObserved {
        side: Side,
        #[serde(default)]
        t: u64,
        /// The ply before which the irregularity happened, where it is not the last one.
        #[serde(default)]
        at_ply: Option<u32>,
    },
    /// The opponent answered before the illegal move was noticed.
    ReplyOnIllegalPosition {
        by: Side,
        #[serde(default)]
        t: u64,
        uci: String,
    },
    /// A player touched men on these squares, in this order (4.2 to 4.5).
    PieceTouched {
        by: Side,
        #[serde(default)]
        t: u64,
        squares: Vec<String>,
        #[serde(default)]
        intent: TouchIntent,
        /// For `adjust`: he said so first (4.2.1).
        #[serde(default = "yes")]
        announced: bool,
        /// Whether the order of `squares` is known (4.3.3).
        #[serde(default = "yes")]
        order_known: bool,
    },
    /// A player released a man on a square (4.7).
    PieceReleased {
        by: Side,
        #[serde(default)]
        t: u64,
        square: String,
        /// Where the man came from; else the square touched last.
        #[serde(default)]
        from: Option<String>,
    },
    /// A new piece touched the square of promotion (4.4.4).
    PromotionPiecePlaced {
        by: Side,
        #[serde(default)]
        t: u64,
        square: String,
        /// `q`, `r`, `b` or `n`, in either case, or the word.
        piece: String,
        /// A rook put down upside down.
        #[serde(default)]
        upside_down: bool,
    },
    /// How a promotion was carried out (4.6).
    PromotionSteps {
        by: Side,
        #[serde(default)]
        t: u64,
        steps: Vec<PromotionStep>,
    },
    /// A player knocked men over or off their squares (7.4).
    PiecesDisplaced {
        by: Side,
        #[serde(default)]
        t: u64,
        #[serde(default)]
        squares: Vec<String>,
    },
    /// Something was wrong since a ply (7.2, 7.3, 7.6, 6.10.2).
    Irregularity {
        kind: IrregularityKind,
        #[serde(default)]
        t: u64,
        /// Plies played when it happened; missing: not known, and the position on the board stands.
        #[serde(default)]
        since_ply: Option<u32>,
        /// Whether the position before it can be identified (7.5.1, 7.6).
        #[serde(default = "yes")]
        identifiable: bool,
    },
    /// The clocks were stopped (6.11).
    ClockStopped {
        by: Authority,
        #[serde(default)]
        t: u64,
        #[serde(default)]
        reason: Option<String>,
        /// The arbiter's judgement of the reason (6.11.4), where he has one.
        #[serde(default)]
        valid: Option<bool>,
    },
    /// The clocks were started again (6.11.3).
    ClockRestarted {
        by: Authority,
        #[serde(default)]
        t: u64,
        #[serde(default)]
        reason: Option<String>,
    },
    /// A clock was defective; the replacement shows this time (6.10.1).
    ClockDefect {
        side: Side,
        /// Milliseconds left.
        ms: i64,
        #[serde(default)]
        t: u64,
    },
    /// The arbiter set a clock (6.10.2, 7.1).
    ClockSet {
        side: Side,
        /// Milliseconds left.
        ms: i64,
        #[serde(default)]
        t: u64,
        /// The move counter, where it is set too.
        #[serde(default)]
        moves_completed: Option<u32>,
        #[serde(default)]
        reason: Option<String>,
    },
    /// On which side of the board, seen from White, the clock stands (6.5).
    ClockPlaced {
        side: String,
        #[serde(default)]
        t: u64,
    },
    /// Score-keeping (8.1 to 8.6).
    ScoreReport {
        by: AffectedSide,
        kind: ScoreReportKind,
        #[serde(default)]
        t: u64,
    },
    /// The game must be reconstructed (8.5.3).
    ReconstructionStarted {
        #[serde(default)]
        t: u64,
    },
    /// The scoresheets cannot show an overstep (8.6).
    ReconstructionFailed {
        #[serde(default)]
        t: u64,
        /// Whose flag it was; missing: the player on the move.
        #[serde(default)]
        side: Option<Side>,
    },
    /// The players signed a result (8.7).
    ResultSigned {
        result: GameResult,
        #[serde(default)]
        t: u64,
    },
    /// Somebody proposes these scores (10.2).
    ScoreProposed {
        white: f64,
        black: f64,
        #[serde(default)]
        t: u64,
    },
    /// An electronic device was found (11.3.2).
    DeviceFound {
        by: Side,
        /// He carried it; absent: unless it lay in the bag.
        #[serde(default)]
        on_person: Option<bool>,
        #[serde(default)]
        t: u64,
        /// It lay in the bag at the place the arbiter named.
        #[serde(default)]
        in_bag: bool,
        /// It was completely switched off.
        #[serde(default)]
        off: bool,
    },
    /// Somebody used a telephone or the like in the venue (12.8).
    DeviceUsed {
        /// `w`, `b`, `spectator`, `player`, …
        by: String,
        #[serde(default)]
        permitted: bool,
        #[serde(default)]
        t: u64,
    },
    /// A player refuses to comply with the Laws (11.7, 11.8).
    RefusesToComply {
        by: Side,
        #[serde(default)]
        persistent: bool,
        #[serde(default)]
        t: u64,
    },
    /// A breach of an article (6.2.3, 6.2.4, 4.1, 11.1 to 11.5).
    Misconduct {
        by: Side,
        article: String,
        #[serde(default)]
        t: u64,
        #[serde(default)]
        kind: Option<String>,
    },
    /// A player left the playing venue (11.2.3.1).
    LeftVenue {
        by: Side,
        #[serde(default)]
        permitted: bool,
        #[serde(default)]
        t: u64,
    },
    /// A player left the playing area (11.2.3.2, 11.2.4).
    LeftArea {
        by: Side,
        #[serde(default)]
        permitted: bool,
        /// He told the arbiter (11.2.4).
        #[serde(default)]
        reported: bool,
        #[serde(default)]
        t: u64,
    },
    /// Somebody who is neither player nor arbiter entered the playing area (11.2.3.3).
    Intruder {
        #[serde(default)]
        t: u64,
        #[serde(default)]
        permitted: bool,
    },
    /// The arbiter asks a player to allow an inspection (11.3.3, 12.2.7).
    InspectionOrdered {
        by: Side,
        #[serde(default)]
        t: u64,
    },
    /// A player refuses the inspection (11.3.3).
    SearchRefused {
        by: Side,
        #[serde(default)]
        t: u64,
    },
    /// A disturbance from outside the game (12.2.4, 12.5).
    Disturbance {
        #[serde(default)]
        t: u64,
        /// Milliseconds granted.
        #[serde(default)]
        extra_ms: u64,
        /// To whom; missing: to both.
        #[serde(default)]
        side: Option<Side>,
    },
    /// A player brings an assistant (4.9, 6.2.6, 8.1.6).
    AssistantAppointed {
        by: Side,
        /// `moves`, `clock` or `scoresheet`; anything else is recorded.
        #[serde(default)]
        reason: Option<String>,
        #[serde(default)]
        t: u64,
        /// The player has a disability: his clock is not adjusted.
        #[serde(default)]
        disability: bool,
        /// Milliseconds the arbiter takes off his clock.
        #[serde(default)]
        reduction_ms: u64,
    },
    /// The arbiter appoints an assistant to observe (12.4).
    AssistantArbiterAppointed {
        #[serde(default)]
        t: u64,
    },
    /// Special measures for a player (12.2.6).
    SpecialMeasure {
        by: Side,
        #[serde(default)]
        reason: Option<String>,
        #[serde(default)]
        t: u64,
    },
    /// The arbiter writes something down (12.2).
    ArbiterNote {
        #[serde(default)]
        article: Option<String>,
        #[serde(default)]
        text: Option<String>,
        #[serde(default)]
        t: u64,
    },
    /// A player's connection failed.
    ConnectionLost {
        by: Side,
        #[serde(default)]
        t: u64,
    },
    /// A player's connection is back.
    ConnectionRestored {
        by: Side,
        #[serde(default)]
        t: u64,
    },
    /// A player asks what the Laws say (11.9).
    QuestionAsked {
        by: Side,
        #[serde(default)]
        article: Option<String>,
        #[serde(default)]
        t: u64,
    },
    /// Somebody asks the arbiter for the number of moves and the like (12.6).
    QueryMoveCount {
        by: Authority,
        #[serde(default)]
        t: u64,
    },
    /// Somebody not playing this game reports an irregularity (12.7).
    ThirdPartyReport {
        /// `spectator`, `player`, …
        #[serde(default)]
        by: Option<String>,
        /// What it is about, such as `flag_fall`.
        #[serde(default)]
        about: Option<String>,
        /// Whether he told only the arbiter.
        #[serde(default = "yes")]
        to_arbiter: bool,
        #[serde(default)]
        t: u64,
    },
    /// A player complains that his opponent broke an article (4.8).
    Complaint {
        by: Side,
        article: String,
        #[serde(default)]
        t: u64,
    },
    /// The arbiter chooses from the penalties of 12.9.
    PenaltyChosen {
        /// The offender.
        side: Side,
        kind: PenaltyKind,
        #[serde(default)]
        t: u64,
        /// Milliseconds, for the penalties of time.
        #[serde(default)]
        ms: Option<u64>,
        /// The new score of the player concerned, for the penalties of points, and the
        /// opponent's score where the game is declared lost.
        #[serde(default)]
        points: Option<f64>,
        /// Rounds of an exclusion.
        #[serde(default)]
        rounds: Option<u32>,
    },
    /// The arbiter answers an overridable ruling, or decides what the Laws leave to him.
    ArbiterDecision {
        #[serde(default)]
        t: u64,
        /// The `reason` or the article of the ruling it answers, such as `forfeit_late`.
        #[serde(default)]
        about: String,
        /// `confirm`, `overrule`, `play_on`, `restore`, `set_clock`, `result`, `score`, `close`.
        decision: String,
        #[serde(default)]
        side: Option<Side>,
        #[serde(default)]
        result: Option<GameResult>,
        #[serde(default)]
        ms: Option<i64>,
        #[serde(default)]
        to_ply: Option<u32>,
        #[serde(default)]
        white: Option<f64>,
        #[serde(default)]
        black: Option<f64>,
    },
    /// A player appeals against a decision (11.10).
    Appeal {
        by: Side,
        #[serde(default)]
        t: u64,
    },
}

fn one() -> u8 {
    1
}

fn yes() -> bool {
    true
}

impl Event {
    /// Reads an event from one line of JSON.
    ///
    /// # Errors
    /// The text is not JSON, the type is unknown, or a field is unknown, missing or of the wrong
    /// kind; the message names it.
    pub fn from_json(text: &str) -> Result<Self, super::ArbiterError> {
        serde_json::from_str(text).map_err(|error| super::ArbiterError::Event(error.to_string()))
    }
}

/// Which draw rule is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum DrawRule {
    /// The same position three times.
    #[serde(rename = "9.2")]
    Threefold,
    /// Fifty moves without a pawn move or capture.
    #[serde(rename = "9.3")]
    FiftyMoves,
}

/// What a claim rests on (6.12.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimBasis {
    /// The scoresheet or the record of the game.
    #[default]
    Record,
    /// Only a screen or a counter in the hall.
    Display,
}

/// Why a man was touched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TouchIntent {
    /// To move it (or whatever is not clearly something else, 4.2.2).
    #[default]
    Move,
    /// To capture it.
    Capture,
    /// To castle.
    Castle,
    /// To adjust it on its square.
    Adjust,
    /// Clearly by accident.
    Accidental,
}

/// A part of a promotion (4.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PromotionStep {
    /// The pawn was put on the last rank.
    PawnAdvanced,
    /// The pawn was taken off the board.
    PawnRemoved,
    /// The new piece was put on the square of promotion.
    PiecePlaced,
    /// The opponent's man on that square was taken off.
    VictimRemoved,
}

/// What was found to be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IrregularityKind {
    /// The men were set up wrongly (7.2.1).
    WrongStart,
    /// The colours are reversed (7.3).
    ColoursReversed,
    /// The board is turned (7.2.2).
    BoardOrientation,
    /// A man had been displaced (7.6).
    DisplacedPiece,
    /// A clock was set wrongly (6.10.2).
    ClockSetting,
}

/// What is said about the keeping of the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScoreReportKind {
    /// Moves are missing (8.1.1, 8.1.4).
    Missing,
    /// A player moves again with his last move unrecorded (8.1.4).
    TwoUnrecorded,
    /// A move was written before it was played (8.1.2).
    InAdvance,
    /// Notes were written (8.1.3).
    Notes,
    /// The sheet is hidden (8.2).
    Hidden,
    /// The player stopped recording (8.4).
    Stopped,
    /// The player brought his sheet up to date (8.5).
    Updated,
    /// The sheet was not handed over (8.3).
    NotHandedIn,
}

/// One player or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum AffectedSide {
    /// White.
    #[serde(rename = "w")]
    White,
    /// Black.
    #[serde(rename = "b")]
    Black,
    /// Both players.
    #[serde(rename = "both")]
    Both,
}

impl AffectedSide {
    /// The players meant.
    pub fn sides(self) -> &'static [Side] {
        match self {
            Self::White => &[Side::White],
            Self::Black => &[Side::Black],
            Self::Both => &Side::BOTH,
        }
    }
}

/// A player or the arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Authority {
    /// White.
    #[serde(rename = "w")]
    White,
    /// Black.
    #[serde(rename = "b")]
    Black,
    /// The arbiter.
    #[serde(rename = "arbiter")]
    Arbiter,
}

impl Authority {
    /// The player, unless it is the arbiter.
    pub fn player(self) -> Option<Side> {
        match self {
            Self::White => Some(Side::White),
            Self::Black => Some(Side::Black),
            Self::Arbiter => None,
        }
    }
}

/// The penalties of 12.9, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PenaltyKind {
    /// 12.9.1.
    Warning,
    /// 12.9.2: more time for the opponent.
    OpponentTime,
    /// 12.9.3: less time for the offender.
    LessTime,
    /// 12.9.4: a better score for the opponent.
    OpponentScore,
    /// 12.9.5: a worse score for the offender.
    LessScore,
    /// 12.9.6: the game is lost.
    Loss,
    /// 12.9.7: a fine announced before.
    Fine,
    /// 12.9.8: exclusion from rounds.
    Exclusion,
    /// 12.9.9: expulsion from the event.
    Expulsion,
}
