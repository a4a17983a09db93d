//! How a game stands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Article, DrawRule, Edition, GameResult, Reason, Side};

/// A snapshot of a game for its host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct State {
    /// The edition in force.
    pub edition: Edition,
    /// The position at the start, as FEN.
    pub start_fen: String,
    /// The position on the board after the last legal move made, as FEN.
    pub fen: String,
    /// Who has the move (1.3).
    pub side_to_move: Side,
    /// Whether the side to move is in check.
    pub check: bool,
    /// The moves made, in order.
    pub moves: Vec<PlyRecord>,
    /// The clocks; absent in a game without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<ClockState>,
    /// The result, once the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Whose draw offer stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<Side>,
    /// Completed illegal moves, White's and Black's.
    pub illegal_moves: [u32; 2],
    /// The moves that an obligation (touched man, wrong claim) leaves, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed: Option<Vec<String>>,
    /// How often the position on the board has occurred.
    pub occurrences: u32,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The draws that the player on the move could claim; for the host, never for players (12.6).
    pub claims: Vec<ClaimAvailable>,
}

/// One move of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlyRecord {
    /// Who made it.
    pub by: Side,
    /// In UCI notation.
    pub uci: String,
    /// In standard algebraic notation.
    pub san: String,
    /// When it was made, in milliseconds from the start.
    pub t: u64,
    /// What the player's clock showed after the press, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<i64>,
    /// The player offered a draw with it: `(=)` (8.1.5).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub draw_offer: bool,
}

/// What the clocks show at the latest moment heard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClockState {
    /// Milliseconds left for White; negative when overstepped.
    pub white_ms: i64,
    /// Milliseconds left for Black.
    pub black_ms: i64,
    /// Whose clock runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub running: Option<Side>,
    /// Moves completed, White's and Black's.
    pub moves_completed: [u32; 2],
    /// The period each player is in, counted from 0.
    pub period: [u32; 2],
}

/// How the game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// The result.
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
    /// The article.
    pub article: Article,
    /// A sentence for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The points, White's and Black's.
    pub score: [f64; 2],
}

/// A draw that could be claimed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClaimAvailable {
    /// By whom.
    pub by: Side,
    /// By which rule.
    pub rule: DrawRule,
    /// With which intended move; absent: on the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intended: Option<String>,
}
