//! The parameters of `go`.

use std::str::SplitWhitespace;

use engine::board::{Color, Move, Position};
use engine::search::{Clock, Limits};

use crate::perft::MAX_DEPTH;

/// Why a tree is not counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PerftError {
    /// No depth follows.
    #[error("perft expects a depth from 0 to {MAX_DEPTH}")]
    Missing,
    /// What follows is no depth.
    #[error("perft expects a depth from 0 to {MAX_DEPTH}, not `{0}`")]
    Depth(String),
}

/// Reads the depth in plies that follows `perft`.
pub fn perft_depth(token: Option<&str>) -> Result<u32, PerftError> {
    let token = token.ok_or(PerftError::Missing)?;
    let depth = token.parse().ok().filter(|&depth| depth <= MAX_DEPTH);
    depth.ok_or_else(|| PerftError::Depth(token.chars().take(60).collect()))
}

/// `go` as it was sent: in any order, the last word on a subject counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Time left in milliseconds: `wtime`, `btime`.
    pub time_ms: [Option<i64>; 2],
    /// Time added for each move in milliseconds: `winc`, `binc`.
    pub increment_ms: [Option<i64>; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Mate in this many moves.
    pub mate: Option<u32>,
    /// Time for the move in milliseconds.
    pub movetime_ms: Option<u64>,
    /// Search until told to stop.
    pub infinite: bool,
    /// Search in the opponent's time.
    pub ponder: bool,
    /// The root moves to search, as they were written.
    pub searchmoves: Vec<String>,
    /// Count the legal move tree instead, to this depth.
    pub perft: Option<Result<u32, PerftError>>,
    /// Words that mean nothing here.
    pub unknown: Vec<String>,
}

const KEYWORDS: [&str; 13] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

fn keyword(token: &str) -> Option<&'static str> {
    KEYWORDS.into_iter().find(|keyword| keyword.eq_ignore_ascii_case(token))
}

/// A number of any size and sign, with or without decimals, as an integer.
pub fn number(token: &str) -> Option<i64> {
    token.parse::<i64>().ok().or_else(|| {
        let value = token.parse::<f64>().ok()?;
        // Words such as "nan" and "infinity" are floats to the standard library.
        (value.is_finite() && token.contains(|c: char| c.is_ascii_digit())).then_some(value as i64)
    })
}

impl Go {
    /// Reads what follows the word `go`.
    pub fn parse(tokens: SplitWhitespace<'_>) -> Self {
        let mut go = Self::default();
        let mut tokens = tokens.peekable();
        while let Some(token) = tokens.next() {
            match keyword(token) {
                None => go.unknown.push(token.to_owned()),
                Some("infinite") => go.infinite = true,
                Some("ponder") => go.ponder = true,
                Some("perft") => {
                    go.perft = Some(perft_depth(tokens.next_if(|token| keyword(token).is_none())));
                }
                Some("searchmoves") => {
                    while let Some(mv) = tokens.next_if(|token| keyword(token).is_none()) {
                        go.searchmoves.push(mv.to_owned());
                    }
                }
                Some(name) => match tokens.peek().and_then(|token| number(token)) {
                    Some(value) => {
                        tokens.next();
                        go.set(name, value);
                    }
                    None => go.unknown.push(token.to_owned()),
                },
            }
        }
        go
    }

    fn set(&mut self, name: &str, value: i64) {
        let count = u64::try_from(value).unwrap_or(0);
        let small = u32::try_from(count).unwrap_or(u32::MAX);
        match name {
            "wtime" => self.time_ms[Color::White.index()] = Some(value),
            "btime" => self.time_ms[Color::Black.index()] = Some(value),
            "winc" => self.increment_ms[Color::White.index()] = Some(value.max(0)),
            "binc" => self.increment_ms[Color::Black.index()] = Some(value.max(0)),
            "movestogo" => self.moves_to_go = Some(small),
            "depth" => self.depth = Some(small.max(1)),
            "nodes" => self.nodes = Some(count),
            "mate" => self.mate = Some(small.max(1)),
            "movetime" => self.movetime_ms = Some(count),
            _ => unreachable!("{name} takes no number"),
        }
    }

    /// Whether nothing says how long to search, so that only `stop` ends it.
    fn is_unbounded(&self) -> bool {
        self.depth.is_none()
            && self.nodes.is_none()
            && self.mate.is_none()
            && self.movetime_ms.is_none()
    }

    /// The clock of `side`. Where only the opponent's time was sent, or only increments,
    /// no time is known to be left: a move is due at once.
    fn clock(&self, side: Color) -> Option<Clock> {
        let increments = self.increment_ms.iter().flatten().any(|&ms| ms > 0);
        let timed = self.time_ms.iter().any(Option::is_some)
            || self.is_unbounded() && !self.infinite && (increments || self.moves_to_go.is_some());
        timed.then(|| Clock {
            remaining_ms: self.time_ms[side.index()].unwrap_or(0),
            increment_ms: self.increment_ms[side.index()].unwrap_or(0),
            moves_to_go: self.moves_to_go,
        })
    }

    /// The limits for a search of `position`, and the `searchmoves` that are not legal there.
    pub fn limits(&self, position: &Position) -> (Limits, Vec<String>) {
        let mut searchmoves: Vec<Move> = Vec::new();
        let mut illegal = Vec::new();
        for text in &self.searchmoves {
            match position.parse_uci(&text.to_lowercase()) {
                Ok(mv) if searchmoves.contains(&mv) => {}
                Ok(mv) => searchmoves.push(mv),
                Err(_) => illegal.push(text.clone()),
            }
        }
        let clock = self.clock(position.side_to_move());
        let limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            soft_nodes: None,
            mate: self.mate,
            movetime_ms: self.movetime_ms,
            clock,
            infinite: self.infinite || self.is_unbounded() && clock.is_none() && !self.ponder,
            ponder: self.ponder,
            searchmoves,
        };
        (limits, illegal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> Go {
        Go::parse(text.split_whitespace())
    }

    fn limits(text: &str) -> Limits {
        go(text).limits(&Position::startpos()).0
    }

    #[test]
    fn any_order_keeps_every_word() {
        let one = go(
            "ponder wtime 1000 btime 2000 winc 3 binc 4 movestogo 5 depth 6 searchmoves e2e4 d2d4",
        );
        let two = go(
            "searchmoves e2e4 d2d4 depth 6 movestogo 5 binc 4 winc 3 btime 2000 ponder wtime 1000",
        );
        assert_eq!(one, two);
        assert!(one.ponder && !one.infinite);
        assert_eq!(one.time_ms, [Some(1000), Some(2000)]);
        assert_eq!(one.increment_ms, [Some(3), Some(4)]);
        assert_eq!((one.moves_to_go, one.depth), (Some(5), Some(6)));
        assert_eq!(one.searchmoves, ["e2e4", "d2d4"]);
        let all = go("infinite movetime 7 mate 2 nodes 9 DEPTH 3");
        assert!(all.infinite);
        assert_eq!(
            (all.movetime_ms, all.mate, all.nodes, all.depth),
            (Some(7), Some(2), Some(9), Some(3))
        );
    }

    #[test]
    fn numbers_of_any_size_are_clamped() {
        assert_eq!(go("depth 300").depth, Some(300));
        assert_eq!(go("depth -1").depth, Some(1));
        assert_eq!(go("depth 99999999999").depth, Some(u32::MAX));
        assert_eq!(go("nodes 9999999999999").nodes, Some(9_999_999_999_999));
        assert_eq!(go("nodes 99999999999999999999999").nodes, Some(i64::MAX as u64));
        assert_eq!(go("wtime 1000.5 btime -50").time_ms, [Some(1000), Some(-50)]);
        assert_eq!(go("mate 300 movestogo 1000").moves_to_go, Some(1000));
        assert_eq!(go("movetime -5").movetime_ms, Some(0));
    }

    #[test]
    fn a_word_without_its_number_does_not_swallow_the_next() {
        let go = go("depth nodes 5 wtime nan foo btime infinity infinite");
        assert_eq!((go.depth, go.nodes), (None, Some(5)));
        assert_eq!(go.time_ms, [None, None]);
        assert!(go.infinite);
        assert_eq!(go.unknown, ["depth", "wtime", "nan", "foo", "btime", "infinity"]);
    }

    #[test]
    fn perft_takes_a_depth_that_can_be_counted() {
        assert_eq!(go("perft 0").perft, Some(Ok(0)));
        assert_eq!(go("perft 64").perft, Some(Ok(64)));
        assert_eq!(go("perft").perft, Some(Err(PerftError::Missing)));
        assert_eq!(go("perft depth 3").perft, Some(Err(PerftError::Missing)));
        for text in ["65", "4294967295", "99999999999999999999", "-1", "many"] {
            let error = PerftError::Depth(text.to_owned());
            assert_eq!(go(&format!("perft {text}")).perft, Some(Err(error)));
        }
    }

    #[test]
    fn the_movers_clock_counts() {
        assert_eq!(limits("wtime 100").clock.unwrap().remaining_ms, 100);
        assert_eq!(limits("btime 100").clock.unwrap().remaining_ms, 0);
        assert_eq!(limits("wtime 100 winc 7 movestogo 0").clock.unwrap().increment_ms, 7);
        assert_eq!(limits("winc 100").clock.unwrap().remaining_ms, 0);
        assert_eq!(limits("depth 5 winc 0 binc 0").clock, None);
        assert_eq!(limits("depth 5").clock, None);
    }

    #[test]
    fn nothing_said_is_infinite() {
        assert!(limits("").infinite);
        assert!(limits("searchmoves e2e4").infinite);
        assert!(!limits("ponder").infinite);
        assert!(!limits("movetime 0").infinite);
        assert!(limits("depth 5 infinite").infinite);
    }

    #[test]
    fn illegal_searchmoves_are_told_apart() {
        let (limits, illegal) =
            go("searchmoves e2e4 e2e5 0000 E2E4 d2d4").limits(&Position::startpos());
        assert_eq!(limits.searchmoves.len(), 2);
        assert_eq!(illegal, ["e2e5", "0000"]);
    }
}
