//! The contract between a host and an arbiter: events in, rulings out.
//!
//! A host (a tournament runner, a GUI front, an auditor of finished games) tells an [`Arbiter`]
//! what happened, one [`Event`] at a time, and gets the [`Ruling`]s it must carry out. The first
//! event of a game is [`Event::GameStarted`]. An arbiter is a pure state machine: it has no clock
//! of its own and does no input or output, so the same events always give the same rulings.

mod event;
mod ruling;
mod setup;
mod state;

pub use event::{
    AffectedSide, Authority, ClaimBasis, DrawRule, Event, IrregularityKind, PenaltyKind,
    PromotionStep, ScoreReportKind, TouchIntent,
};
pub use ruling::{Article, Evidence, GameResult, ProofKind, Reason, Ruling, RulingKind};
pub use setup::{
    AdjustingBetween, BothFlags, BothLate, ClaimOffMove, ClaimPolicy, ClockMode, DevicePenalty,
    DrawOffers, Edition, Faults, GameSetup, IllegalMovePolicy, Language, MateHorizon, Noticed,
    Numbering, Period, Regulations, RestoreClocks, TimeControl, TwoHandedMove, UpsideDownRook,
};
pub use state::{ClaimAvailable, ClockState, Outcome, PlyRecord, State};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the event language; a host and a plugin must agree on it.
pub const LANGUAGE_VERSION: u32 = 1;

/// A player, by the colour of his men.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Side {
    /// The player with the light men.
    #[serde(rename = "w")]
    White,
    /// The player with the dark men.
    #[serde(rename = "b")]
    Black,
}

impl Side {
    /// Both players, White first.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// The opponent.
    pub fn opponent(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// 0 for White, 1 for Black.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The letter used in FEN and in the event language.
    pub fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }
}

impl From<shakmaty::Color> for Side {
    fn from(color: shakmaty::Color) -> Self {
        match color {
            shakmaty::Color::White => Self::White,
            shakmaty::Color::Black => Self::Black,
        }
    }
}

impl From<Side> for shakmaty::Color {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

/// Why an event was not taken. The game stays as it was before the event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArbiterError {
    /// The first event of a game is `game_started`.
    #[error("no game yet: the first event must be `game_started`")]
    NotStarted,
    /// The game cannot start like this.
    #[error("game_started: {field}: {problem}")]
    Setup {
        /// The field of the event.
        field: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// The event is not JSON of the event language, or a field of it makes no sense.
    #[error("{0}")]
    Event(String),
    /// A loaded arbiter does not answer as agreed.
    #[error("arbiter plugin: {0}")]
    Plugin(String),
}

/// One who rules on a game.
pub trait Arbiter: Send {
    /// What this arbiter calls itself.
    fn name(&self) -> String;

    /// Hears one event and rules on it.
    ///
    /// # Errors
    /// The event cannot be understood; the game is as before.
    fn observe(&mut self, event: &Event) -> Result<Vec<Ruling>, ArbiterError>;

    /// How the game stands.
    ///
    /// # Errors
    /// No game was started, or a loaded arbiter does not answer.
    fn state(&self) -> Result<State, ArbiterError>;
}
