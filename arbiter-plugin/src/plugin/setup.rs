//! How a game is set up: edition, position, time control, and what the organiser may choose.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An edition of the Laws of Chess.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
pub enum Edition {
    /// In force from 1 July 2014.
    #[serde(rename = "2014")]
    Y2014,
    /// In force from 1 January 2018.
    #[default]
    #[serde(rename = "2018")]
    Y2018,
    /// In force from 1 January 2023.
    #[serde(rename = "2023")]
    Y2023,
}

impl Edition {
    /// All editions, oldest first.
    pub const ALL: [Self; 3] = [Self::Y2014, Self::Y2018, Self::Y2023];

    /// The year, as written in the event language.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Y2014 => "2014",
            Self::Y2018 => "2018",
            Self::Y2023 => "2023",
        }
    }
}

impl std::str::FromStr for Edition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|edition| edition.as_str() == text)
            .ok_or_else(|| format!("edition `{text}`: expected 2014, 2018 or 2023"))
    }
}

/// The language of the sentences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// Spanish.
    #[serde(rename = "es")]
    Spanish,
}

impl std::str::FromStr for Language {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "en" => Ok(Self::English),
            "es" => Ok(Self::Spanish),
            _ => Err(format!("language `{text}`: expected en or es")),
        }
    }
}

/// What opens a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GameSetup {
    /// The edition in force; missing: the arbiter's default, 2018.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edition: Option<Edition>,
    /// The language of the sentences; missing: the arbiter's default, English.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// The position at the start as FEN; missing: the standard array.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_fen: Option<String>,
    /// Castling as in Chess960; implied where the FEN's castling rights need it.
    #[serde(default)]
    pub chess960: bool,
    /// The clocks.
    #[serde(default)]
    pub time_control: TimeControl,
    /// What the organiser chose.
    #[serde(default)]
    pub regulations: Regulations,
}

/// How the clocks run. Milliseconds. No periods: no clocks; flags are then taken as reported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TimeControl {
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What is given for each move.
    pub mode: ClockMode,
    /// Added on each press (mode `increment`).
    pub increment_ms: u64,
    /// Time for each move before the main time runs (mode `delay`).
    pub delay_ms: u64,
    /// Whether the first increment is on the clock from the start.
    pub increment_up_front: bool,
    /// The periods in order.
    pub periods: Vec<Period>,
    /// The last period comes again and again, each with its number of moves.
    pub repeat_last: bool,
}

/// What is given for each move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClockMode {
    /// Nothing.
    #[default]
    None,
    /// Time that adds up.
    Increment,
    /// Time that does not add up.
    Delay,
}

/// One period of a time control.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Period {
    /// Moves to be completed; `null`: all the rest.
    #[serde(default)]
    pub moves: Option<u32>,
    /// The time added when it begins.
    pub base_ms: u64,
}

/// What the Laws let the organiser choose, and the readings on which arbiters differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Regulations {
    /// Grace for late arrival (6.7.1); `null` means none.
    pub default_time_ms: Option<u64>,
    /// Whether draws may be agreed (9.1.1).
    pub draw_offers: DrawOffers,
    /// Points for a win, a draw and a loss (10.1).
    pub scoring: [f64; 3],
    /// A flag falls by itself when a moment is heard at which the time is used up: for
    /// electronic hosts that do not report `flag_observed`.
    pub auto_flag: bool,
    /// How many illegal moves lose.
    pub illegal_moves: IllegalMovePolicy,
    /// What an illegal move or a wrong claim gives the opponent (7.5.5, 9.5.3), in milliseconds:
    /// two minutes, or one minute in blitz (Appendix B.2 of 2018).
    pub time_penalty_ms: u32,
    /// Who claims draws by 9.2 and 9.3.
    pub claims: ClaimPolicy,
    /// Send `claim_available` to this host.
    pub report_claims: bool,
    /// Which numbers a ruling's `article` gives.
    pub article_numbers: Numbering,
    /// When a completed illegal move comes to the arbiter's notice.
    pub illegal_moves_noticed: Noticed,
    /// What the clocks show after a position is restored (7.1).
    pub restore_clocks: RestoreClocks,
    /// A switched-off device may lie in the player's bag (11.3.2.1).
    pub devices_in_bag: bool,
    /// The penalty for a device on the person (11.3.2.2).
    pub device_penalty: DevicePenalty,
    /// Fines were announced beforehand (12.9.7).
    pub fines_announced: bool,
    /// A player not on the move must report leaving the area (11.2.4).
    pub report_leaving_area: bool,
    /// Decisions may be appealed (11.10).
    pub appeals: bool,
    /// The places of the playing venue (11.2.1).
    pub playing_venue: Vec<String>,
    /// The places of the playing area (11.2.2).
    pub playing_area: Vec<String>,

    /// Whether "any series of legal moves" may run past 9.6 (6.9, 7.5.5).
    pub mate_horizon: MateHorizon,
    /// Take back the increment that an illegal press gained (7.1).
    pub remove_illegal_increment: bool,
    /// How two faults in one action count (7.5).
    pub faults_in_one_action: Faults,
    /// A queen put in place by 7.5.2 that mates or stalemates ends the game.
    pub forced_queen_ends_game: bool,
    /// What becomes of a legal move made with two hands (7.5.4).
    pub two_handed_move: TwoHandedMove,
    /// Who may adjust between a move and its press (4.2.1, 6.2.5).
    pub adjusting_between: AdjustingBetween,
    /// What a rook upside down on the square of promotion is.
    pub upside_down_rook: UpsideDownRook,
    /// A claim by the player who does not have the move (9.2.1).
    pub claim_off_move: ClaimOffMove,
    /// The opponent's fiftieth move counts for 9.3.2 before it is pressed.
    pub fifty_counts_unpressed: bool,
    /// Restoring a position after an illegal move cancels a draw offer made before it.
    pub restore_cancels_offers: bool,
    /// Colours reversed, one player has made ten moves and the other nine: cancel (7.3).
    pub reversed_at_nine_cancels: bool,
    /// Both players late (6.7.1).
    pub both_late: BothLate,
    /// Both flags down, first unknown.
    pub both_flags: BothFlags,
    /// A delay of 30 seconds counts as additional time (8.4).
    pub delay_counts_as_addition: bool,
}

impl Default for Regulations {
    fn default() -> Self {
        Self {
            default_time_ms: None,
            draw_offers: DrawOffers::default(),
            scoring: [1.0, 0.5, 0.0],
            auto_flag: false,
            illegal_moves: IllegalMovePolicy::default(),
            time_penalty_ms: 120_000,
            claims: ClaimPolicy::default(),
            report_claims: false,
            article_numbers: Numbering::default(),
            illegal_moves_noticed: Noticed::default(),
            restore_clocks: RestoreClocks::default(),
            devices_in_bag: false,
            device_penalty: DevicePenalty::default(),
            fines_announced: false,
            report_leaving_area: false,
            appeals: true,
            playing_venue: Vec::new(),
            playing_area: Vec::new(),
            mate_horizon: MateHorizon::default(),
            remove_illegal_increment: true,
            faults_in_one_action: Faults::default(),
            forced_queen_ends_game: true,
            two_handed_move: TwoHandedMove::default(),
            adjusting_between: AdjustingBetween::default(),
            upside_down_rook: UpsideDownRook::default(),
            claim_off_move: ClaimOffMove::default(),
            fifty_counts_unpressed: true,
            restore_cancels_offers: false,
            reversed_at_nine_cancels: true,
            both_late: BothLate::default(),
            both_flags: BothFlags::default(),
            delay_counts_as_addition: true,
        }
    }
}

/// Whether draws may be agreed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DrawOffers {
    /// At any time the Laws allow.
    #[default]
    Allowed,
    /// Never.
    Forbidden,
    /// After so many moves by each player.
    #[serde(untagged)]
    After {
        /// Moves that each player must have made.
        min_moves_each: u32,
    },
}

macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident),+ $(,)? })+) => {
        $(
            $(#[$doc])*
            #[derive(
                Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema,
            )]
            #[serde(rename_all = "snake_case")]
            pub enum $name { $($(#[$variant_doc])* $variant),+ }
        )+
    };
}

choices! {
    /// How many completed illegal moves lose.
    IllegalMovePolicy {
        /// The second (7.5.5).
        #[default]
        Laws,
        /// The first, as between engines.
        Forfeit,
    }
    /// Who claims draws by 9.2 and 9.3.
    ClaimPolicy {
        /// The players.
        #[default]
        Players,
        /// The arbiter ends the game as soon as the position on the board would support a claim.
        Auto,
    }
    /// Which article numbers a ruling carries.
    Numbering {
        /// Of the edition in force.
        #[default]
        InForce,
        /// Of all editions.
        All,
    }
    /// When a completed illegal move is noticed.
    Noticed {
        /// On the press.
        #[default]
        AtOnce,
        /// When it is claimed or reported.
        WhenReported,
    }
    /// The clocks after a position is restored.
    RestoreClocks {
        /// Time used stays used; what undone presses gained is taken back.
        #[default]
        Keep,
        /// As they stood in the restored position.
        Rewind,
    }
    /// The penalty for a device on the person.
    DevicePenalty {
        /// The game is lost.
        #[default]
        Loss,
        /// A warning.
        Warning,
    }
    /// Whether the automatic draws limit "any series of legal moves".
    MateHorizon {
        /// They do not: the article speaks of the position.
        #[default]
        Ignore,
        /// A mate must come before the 75-move rule ends the game.
        Respect,
    }
    /// How two faults in one action count.
    Faults {
        /// As one illegal move.
        #[default]
        One,
        /// As one each.
        Each,
    }
    /// A legal move made with two hands and pressed.
    TwoHandedMove {
        /// It stands.
        #[default]
        Stands,
        /// It is taken back.
        Restored,
    }
    /// Who may adjust after a move is made and before its press.
    AdjustingBetween {
        /// Nobody.
        #[default]
        Nobody,
        /// The player who has the move.
        HasTheMove,
        /// The player whose clock runs.
        ClockRuns,
    }
    /// A rook upside down.
    UpsideDownRook {
        /// Is a rook.
        #[default]
        Rook,
        /// Is a queen.
        Queen,
    }
    /// A draw claim by the player who does not have the move.
    ClaimOffMove {
        /// Is a wrong claim (9.5.3).
        #[default]
        Rejected,
        /// Is only an offer.
        OfferOnly,
    }
    /// Both players late.
    BothLate {
        /// Both lose.
        #[default]
        BothLose,
        /// The host decides.
        AskHost,
    }
    /// Both flags down and the first unknown.
    BothFlags {
        /// The host decides.
        #[default]
        AskHost,
        /// Play on, unless all moves had to be made in this period: then a draw.
        Guideline,
    }
}
