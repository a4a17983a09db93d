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
    ("agree", Ending::Agreement),
    ("resign", Ending::Resignation),
    ("stalemate", Ending::Stalemate),
    ("insufficient", Ending::Dead),
    ("dead position", Ending::Dead),
    ("dead_position", Ending::Dead),
    ("checkmate", Ending::Checkmate),
    ("white mates", Ending::Checkmate),
    ("black mates", Ending::Checkmate),
    ("mutual consent", Ending::Agreement),
    ("gives up", Ending::Resignation),
    ("no result", Ending::Unterminated),
];

impl Ending {
    /// Reads the tag and the last comment: how the game ended, and which side that text says has
    /// lost, if it names one. The comment says more, but a person may have written it about
    /// something else: it is only heard where the tag says nothing definite. `players` are the
    /// names of White and Black, with which some sites begin.
    pub fn read(tag: &str, comment: &str, players: [&str; 2]) -> (Self, Option<Side>) {
        let of = |text: &str| {
            let text = colours_for_names(text, players);
            let (_, ending) = WORDS.iter().find(|(words, _)| text.contains(words))?;
            Some((*ending, loser(&text)))
        };
        let (from_tag, from_comment) = (of(tag), of(comment));
        let (ending, named) = from_tag.or(from_comment).unwrap_or((Self::Unsaid, None));
        // The runner's comment names the side where its tag does not.
        let same = from_comment.filter(|(other, _)| *other == ending);
        (ending, named.or(same.and_then(|(_, named)| named)))
    }
}

/// The text in small letters, the name of a player at its head replaced by his colour.
fn colours_for_names(text: &str, players: [&str; 2]) -> String {
    let text = text.trim().to_lowercase();
    let mut names = [(players[0].to_lowercase(), "white"), (players[1].to_lowercase(), "black")];
    names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let named = names.iter().filter(|(name, _)| !name.is_empty()).find_map(|(name, colour)| {
        let rest = text.strip_prefix(name.as_str())?;
        rest.starts_with([' ', '\'']).then(|| format!("{colour}{rest}"))
    });
    named.unwrap_or(text)
}

/// The side that a text in small letters says has lost, if it names one beyond doubt.
fn loser(text: &str) -> Option<Side> {
    const LOSES: [&str; 16] = [
        " loses on",
        " loses by",
        " loses the game",
        " lost on",
        " lost by",
        " lost the game",
        "'s flag",
        " forfeits",
        " ran out of time",
        " resigns",
        " resigned",
        " gives up",
        " disconnect",
        "'s connection stalls",
        " makes an illegal move",
        " made an illegal move",
    ];
    const WINS: [&str; 6] =
        [" wins by", " wins on", " won by", " won on", " wins the game", " won the game"];
    let says = |colour: &str, words: &[&str]| {
        words.iter().any(|words| text.contains(&format!("{colour}{words}")))
    };
    let lost = |colour, other| says(colour, &LOSES) || says(other, &WINS);
    match (lost("white", "black"), lost("black", "white")) {
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
            ("", "White resigns before the checkmate", Ending::Resignation),
            ("", "A draw was agreed: stalemate is near", Ending::Agreement),
            ("Unterminated", "", Ending::Unterminated),
            ("", "", Ending::Unsaid),
        ] {
            assert_eq!(Ending::read(tag, comment, ["", ""]).0, ending, "{tag} {comment}");
        }
    }

    #[test]
    fn the_loser_is_named_or_not() {
        let players = ["Timeout Tom", "Mate_Man"];
        for (tag, comment, ending, loser) in [
            ("", "Black loses on time", Ending::TimeForfeit, Some(Side::Black)),
            ("", "White's flag fell", Ending::TimeForfeit, Some(Side::White)),
            ("time forfeit", "", Ending::TimeForfeit, None),
            ("time forfeit", "0.0/1, White loses on time", Ending::TimeForfeit, Some(Side::White)),
            ("", "White resigns", Ending::Resignation, Some(Side::White)),
            ("", "White wins by adjudication", Ending::Adjudication, Some(Side::Black)),
            // Names are no words.
            ("Timeout Tom won by resignation", "", Ending::Resignation, Some(Side::Black)),
            ("Mate_Man won on time", "", Ending::TimeForfeit, Some(Side::White)),
            ("Time forfeit", "White wins a pawn", Ending::TimeForfeit, None),
        ] {
            assert_eq!(Ending::read(tag, comment, players), (ending, loser), "{tag} {comment}");
        }
    }
}
