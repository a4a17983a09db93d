//! The editions of the Laws as data: what they rule differently, and under which number.

use crate::plugin::Edition;

/// Where an edition rules otherwise than the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Differences {
    /// Fivefold repetition counts only in consecutive alternate moves by each player.
    pub fivefold_consecutive: bool,
    /// A draw can be agreed only when both players have made a move.
    pub agreement_after_moves: bool,
    /// An agreement completes the move that was not pressed.
    pub agreement_completes: bool,
    /// Resignation is a draw when the opponent cannot mate.
    pub resignation_can_draw: bool,
    /// Pressing the clock without a move is penalised as an illegal move.
    pub empty_press_is_illegal: bool,
    /// Two hands on one move and a press are penalised as an illegal move.
    pub two_hands_are_illegal: bool,
    /// Contact that is not clearly accidental counts as intended, adjusting unannounced too.
    pub contact_is_intent: bool,
    /// Under ten moves with reversed colours a new game is played.
    pub reversed_colours_cancel: bool,
}

const Y2018: Differences = Differences {
    fivefold_consecutive: false,
    agreement_after_moves: true,
    agreement_completes: false,
    resignation_can_draw: false,
    empty_press_is_illegal: true,
    two_hands_are_illegal: true,
    contact_is_intent: true,
    reversed_colours_cancel: true,
};

const Y2014: Differences = Differences {
    fivefold_consecutive: true,
    agreement_after_moves: false,
    agreement_completes: true,
    resignation_can_draw: false,
    empty_press_is_illegal: false,
    two_hands_are_illegal: false,
    contact_is_intent: false,
    reversed_colours_cancel: false,
};

const Y2023: Differences = Differences { resignation_can_draw: true, ..Y2018 };

/// What `edition` rules differently.
pub fn differences(edition: Edition) -> &'static Differences {
    match edition {
        Edition::Y2014 => &Y2014,
        Edition::Y2018 => &Y2018,
        Edition::Y2023 => &Y2023,
    }
}

/// Numbers of 2018 and what 2014 calls them, as far as that has been checked.
const NUMBERS_2014: &[(&str, &str)] = &[
    ("4.2.1", "4.2"),
    ("4.2.2", "4.2"),
    ("4.3.1", "4.3.a"),
    ("4.3.2", "4.3.b"),
    ("4.3.3", "4.3.c"),
    ("5.1.1", "5.1.a"),
    ("5.1.2", "5.1.b"),
    ("5.2.1", "5.2.a"),
    ("5.2.2", "5.2.b"),
    ("5.2.3", "5.2.c"),
    ("6.1", "6.1"),
    ("6.2.1", "6.2.a"),
    ("6.2.1.1", "6.2.a(1)"),
    ("6.2.1.2", "6.2.a(2)"),
    ("6.2.2", "6.2.a"),
    ("6.2.3", "6.2.b"),
    ("6.2.4", "6.2.c"),
    ("6.2.5", "6.2.d"),
    ("6.2.6", "6.2.e"),
    ("6.7.1", "6.7.a"),
    ("6.9", "6.9"),
    ("7.3", "7.3"),
    ("7.5.5", "7.5.b"),
    ("9.2.1", "9.2"),
    ("9.2.1.1", "9.2.a"),
    ("9.2.1.2", "9.2.b"),
    ("9.3", "9.3"),
    ("9.3.1", "9.3.a"),
    ("9.3.2", "9.3.b"),
    ("9.5.1", "9.5"),
    ("9.5.3", "9.5.b"),
    ("9.6", "9.6"),
    ("9.6.1", "9.6.a"),
    ("9.6.2", "9.6.b"),
    ("11.8", "11.8"),
    ("12.9", "12.9"),
    ("12.9.1", "12.9"),
    ("12.9.2", "12.9"),
    ("12.9.3", "12.9"),
    ("12.9.4", "12.9"),
    ("12.9.5", "12.9"),
    ("12.9.6", "12.9"),
    ("12.9.7", "12.9"),
    ("12.9.8", "12.9"),
    ("12.9.9", "12.9"),
];

/// Numbers of 2018 that 2023 changed; all others are the same there.
const NUMBERS_2023: &[(&str, &str)] = &[
    ("3.7.4.1", "3.7.3.1"),
    ("3.7.4.2", "3.7.3.2"),
    ("3.7.5.1", "3.7.3.3"),
    ("3.7.5.2", "3.7.3.4"),
    ("3.7.5.3", "3.7.3.5"),
    ("8.1.3", "8.1.4"),
    ("8.1.4", "8.1.3"),
    ("9.2.1", "9.2"),
    ("9.2.1.1", "9.2.1"),
    ("9.2.1.2", "9.2.2"),
    ("9.2.2", "9.2.3"),
    ("9.2.2.1", "9.2.3.1"),
    ("9.2.2.2", "9.2.3.2"),
];

/// The 2018 number of the article that `edition` calls `named`; `named` itself where that is not
/// known.
pub fn of_2018(edition: Edition, named: &str) -> &str {
    let table = match edition {
        Edition::Y2014 => NUMBERS_2014,
        Edition::Y2018 => &[],
        Edition::Y2023 => NUMBERS_2023,
    };
    table.iter().find(|(_, number)| *number == named).map_or(named, |&(of_2018, _)| of_2018)
}

/// What `edition` calls the article that 2018 numbers `article`, and the edition whose number
/// it is: where the 2014 number has not been checked, that of 2018 is given.
pub fn number(edition: Edition, article: &str) -> (&str, Edition) {
    let look_up = |table: &'static [(&str, &'static str)]| {
        table.iter().find(|(of_2018, _)| *of_2018 == article).map(|&(_, number)| number)
    };
    match edition {
        Edition::Y2014 => match look_up(NUMBERS_2014) {
            Some(number) => (number, Edition::Y2014),
            None => (article, Edition::Y2018),
        },
        Edition::Y2018 => (article, Edition::Y2018),
        Edition::Y2023 => (look_up(NUMBERS_2023).unwrap_or(article), Edition::Y2023),
    }
}
