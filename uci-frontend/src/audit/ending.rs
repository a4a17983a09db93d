//! How a game ended, in the words of the record.

use arbiter_plugin::plugin::Side;

/// What the `Termination` tag and the last comment say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing: resignation or agreement, as a rule.
    Unsaid,
    /// A flag fell.
    TimeForfeit,
    /// A flag fell against a side that was held unable to mate.
    TimeoutDraw,
    /// An illegal move.
    IllegalMove,
    /// A runner's own rule.
    Adjudication,
    /// A player or engine went away.
    Abandoned,
    /// The same position three times.
    Threefold,
    /// The same position five times.
    Fivefold,
    /// Fifty moves.
    FiftyMoves,
    /// Seventy-five moves.
    SeventyFiveMoves,
    /// Stalemate.
    Stalemate,
    /// Nobody can mate.
    Dead,
    /// Checkmate.
    Checkmate,
    /// Agreement.
    Agreement,
    /// Resignation.
    Resignation,
    /// It did not end.
    Unterminated,
}

/// The words of sites and runners, in the order in which they are looked for.
const WORDS: [(&str, Ending); 47] = [
    ("timeout vs insufficient", Ending::TimeoutDraw),
    ("time forfeit", Ending::TimeForfeit),
    ("on time", Ending::TimeForfeit),
    ("timeout", Ending::TimeForfeit),
    ("time out", Ending::TimeForfeit),
    ("flag fall", Ending::TimeForfeit),
    ("flag_fall", Ending::TimeForfeit),
    ("flag fell", Ending::TimeForfeit),
    ("flag has fallen", Ending::TimeForfeit),
    ("illegal move", Ending::IllegalMove),
    ("illegal_move", Ending::IllegalMove),
    ("rules infraction", Ending::IllegalMove),
    ("adjudicat", Ending::Adjudication),
    ("syzygy", Ending::Adjudication),
    ("tablebase", Ending::Adjudication),
    ("maximum move", Ending::Adjudication),
    ("max moves", Ending::Adjudication),
    ("abandon", Ending::Abandoned),
    ("disconnect", Ending::Abandoned),
    ("stalls", Ending::Abandoned),
    ("stalled", Ending::Abandoned),
    ("crash", Ending::Abandoned),
    ("unterminated", Ending::Unterminated),
    ("fivefold", Ending::Fivefold),
    ("5-fold", Ending::Fivefold),
    ("3-fold", Ending::Threefold),
    ("threefold", Ending::Threefold),
    ("repetition", Ending::Threefold),
    ("seventy-five", Ending::SeventyFiveMoves),
    ("seventy_five", Ending::SeventyFiveMoves),
    ("75-move", Ending::SeventyFiveMoves),
    ("75 move", Ending::SeventyFiveMoves),
    ("fifty", Ending::FiftyMoves),
    ("50-move", Ending::FiftyMoves),
    ("50 move", Ending::FiftyMoves),
    ("stalemate", Ending::Stalemate),
    ("insufficient", Ending::Dead),
    ("dead position", Ending::Dead),
    ("dead_position", Ending::Dead),
    ("checkmate", Ending::Checkmate),
    ("white mates", Ending::Checkmate),
    ("black mates", Ending::Checkmate),
    ("agree", Ending::Agreement),
    ("resign", Ending::Resignation),
    ("mutual consent", Ending::Agreement),
    ("gives up", Ending::Resignation),
    ("no result", Ending::Unterminated),
];

impl Ending {
    /// Reads the tag and the last comment. The comment says more, but a person may have written
    /// it about something else: it is only heard where the tag says nothing definite.
    pub fn read(tag: &str, comment: &str) -> Self {
        let of = |text: &str| {
            let text = text.to_lowercase();
            WORDS.iter().find(|(words, _)| text.contains(words)).map(|&(_, ending)| ending)
        };
        let from_tag = of(tag);
        from_tag.or_else(|| of(comment)).unwrap_or(Self::Unsaid)
    }
}

/// The side that a text says has lost on time, if it names one.
pub fn flagged_side(text: &str) -> Option<Side> {
    let text = text.to_lowercase();
    let named = |color: &str| {
        [" loses on time", " lost on time", "'s flag", " forfeits on time", " ran out of time"]
            .iter()
            .any(|words| text.contains(&format!("{color}{words}")))
    };
    match (named("white"), named("black")) {
        (true, false) => Some(Side::White),
        (false, true) => Some(Side::Black),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_sites_and_runners() {
        for (tag, comment, ending) in [
            ("Normal", "", Ending::Unsaid),
            ("Time forfeit", "", Ending::TimeForfeit),
            ("time forfeit", "0.00/1 1s, Black loses on time (12ms overrun)", Ending::TimeForfeit),
            ("alice won on time", "", Ending::TimeForfeit),
            ("Game drawn by timeout vs insufficient material", "", Ending::TimeoutDraw),
            ("alice won by resignation", "", Ending::Resignation),
            ("Game drawn by repetition", "", Ending::Threefold),
            ("Game drawn by 50-move rule", "", Ending::FiftyMoves),
            ("normal", "+0.00/20 0.1s, Draw by 3-fold repetition", Ending::Threefold),
            ("", "Draw by insufficient mating material", Ending::Dead),
            ("adjudication", "White wins by adjudication: SyzygyTB", Ending::Adjudication),
            ("abandoned", "Black disconnects", Ending::Abandoned),
            ("stalled connection", "White's connection stalls", Ending::Abandoned),
            ("", "White mates", Ending::Checkmate),
            ("Unterminated", "", Ending::Unterminated),
            ("", "", Ending::Unsaid),
        ] {
            assert_eq!(Ending::read(tag, comment), ending, "{tag} {comment}");
        }
    }

    #[test]
    fn the_flagged_side_is_named_or_not() {
        assert_eq!(flagged_side("Black loses on time"), Some(Side::Black));
        assert_eq!(flagged_side("White's flag fell"), Some(Side::White));
        assert_eq!(flagged_side("time forfeit"), None);
    }
}
