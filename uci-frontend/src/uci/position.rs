//! The parameters of `position`.

use std::str::SplitWhitespace;

use engine::board::{FenError, Move, MoveParseError, Position};
use engine::search::Game;

/// Why a `position` line is refused.
#[derive(Debug, thiserror::Error)]
pub enum PositionError {
    /// Neither `startpos` nor `fen` follows.
    #[error("expected `startpos` or `fen` after `position`")]
    Start,
    /// Something else stands where only `moves` may.
    #[error("expected `moves`, found `{0}`")]
    Moves(String),
    /// The FEN is refused.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is refused; the first one has number 1.
    #[error("move {number}: {error}")]
    Move {
        /// The number of the move in the line.
        number: usize,
        /// What is wrong with it.
        error: MoveParseError,
    },
}

/// The game that a `position` line tells.
#[derive(Clone, Debug)]
pub struct Line {
    /// The position on the board, and the keys of those before it.
    pub game: Game,
    /// Where the game started.
    pub start: Position,
    /// The moves since then.
    pub moves: Vec<Move>,
}

impl Line {
    /// The standard array, no move played.
    pub fn startpos() -> Self {
        let start = Position::startpos();
        Self { game: Game::new(start), start, moves: Vec::new() }
    }

    /// The moves in UCI notation; castling as king takes rook where `chess960` is set.
    pub fn uci_moves(&self, chess960: bool) -> Vec<String> {
        let mut position = self.start;
        let mut moves = Vec::with_capacity(self.moves.len());
        for &mv in &self.moves {
            moves.push(position.uci(mv, chess960));
            position = position.play(mv);
        }
        moves
    }

    /// Reads what follows the word `position`.
    pub fn parse(tokens: SplitWhitespace<'_>) -> Result<Self, PositionError> {
        let mut tokens = tokens.peekable();
        let is_moves = |token: &&str| token.eq_ignore_ascii_case("moves");
        let start = match tokens.next() {
            Some(token) if token.eq_ignore_ascii_case("startpos") => {
                if let Some(token) = tokens.peek().filter(|token| !is_moves(token)) {
                    return Err(PositionError::Moves((*token).to_owned()));
                }
                Position::startpos()
            }
            Some(token) if token.eq_ignore_ascii_case("fen") || token.contains('/') => {
                let mut fields = Vec::new();
                fields.extend(token.contains('/').then_some(token));
                while let Some(field) = tokens.next_if(|token| !is_moves(token)) {
                    fields.push(field);
                }
                Position::from_fen(&fields.join(" "))?
            }
            _ => return Err(PositionError::Start),
        };
        tokens.next();
        let mut line = Self { game: Game::new(start), start, moves: Vec::new() };
        for (index, text) in tokens.enumerate() {
            line.play(text).map_err(|error| PositionError::Move { number: index + 1, error })?;
        }
        Ok(line)
    }

    fn play(&mut self, text: &str) -> Result<(), MoveParseError> {
        let position = *self.game.position();
        // Some hosts write squares or promotion letters in capitals.
        let mv = position
            .parse_uci(text)
            .or_else(|error| position.parse_uci(&text.to_ascii_lowercase()).map_err(|_| error))?;
        self.moves.push(mv);
        self.game.play(mv);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Line, String> {
        Line::parse(text.split_whitespace()).map_err(|error| error.to_string())
    }

    fn moves(text: &str) -> Vec<String> {
        parse(text).unwrap().uci_moves(false)
    }

    #[test]
    fn moves_may_be_absent_or_empty() {
        let start = Position::startpos();
        for text in ["startpos", "startpos moves", "STARTPOS  moves  "] {
            assert_eq!(*parse(text).unwrap().game.position(), start);
        }
    }

    #[test]
    fn fields_end_at_moves() {
        let line = moves("fen 4k3/8/8/8/8/8/4P3/4K3 w - - moves e2e4 e8e7");
        assert_eq!(line, ["e2e4", "e8e7"]);
        assert_eq!(moves("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4"), ["e2e4"]);
    }

    #[test]
    fn a_bad_move_is_named_with_its_number() {
        let error = parse("startpos moves e2e4 0000 e7e5").unwrap_err();
        assert!(error.starts_with("move 2:") && error.contains("0000"), "{error}");
        for text in ["e2e9", "O-O", "xyzzy", "e2e4e7e5", "e2e4k", "e7e5", "é2é4", ""] {
            assert_eq!(
                parse(&format!("startpos moves {text}")).is_err(),
                !text.is_empty(),
                "{text}"
            );
        }
    }

    #[test]
    fn capitals_are_read() {
        assert_eq!(moves("startpos moves E2E4"), ["e2e4"]);
        assert_eq!(moves("fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8Q"), ["a7a8q"]);
    }

    #[test]
    fn castling_is_read_and_written_in_both_forms() {
        let fen = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves";
        for castle in ["e1g1", "e1h1"] {
            let line = parse(&format!("{fen} {castle} e8c8")).unwrap();
            assert_eq!(line.uci_moves(true), ["e1h1", "e8a8"]);
            assert_eq!(line.uci_moves(false), ["e1g1", "e8c8"]);
        }
    }

    #[test]
    fn rubbish_is_refused() {
        for text in
            ["", "foo", "moves e2e4", "startpos e2e4", "startpos fen 8/8", "fen", "fen moves e2e4"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
