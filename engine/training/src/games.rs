//! Games in viriformat: 32 bytes of start position, then move and score in 4 bytes a ply.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use engine::board::{Color, Move, MoveKind, PieceType, Position};
use viriformat::chess::board::{Board, DrawType, GameOutcome, WinType};
use viriformat::chess::chessmove::{self, MoveFlags};
use viriformat::chess::piece;
use viriformat::chess::types::Square;
use viriformat::dataformat::{self, WDL};

/// Internal centipawns of the search that are 100 in a shard: fixed, so that games of all times go
/// together.
pub const PAWN: f64 = 132.7;

/// The ending of the names of finished shards.
pub const EXTENSION: &str = "vf";

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Black won.
    BlackWon,
    /// Drawn.
    Drawn,
    /// White won.
    WhiteWon,
}

impl Outcome {
    /// The win of a side.
    pub fn win(winner: Color) -> Self {
        if winner == Color::White { Self::WhiteWon } else { Self::BlackWon }
    }

    /// The points of a side: 1, 0.5 or 0.
    pub fn points(self, side: Color) -> f32 {
        match self {
            Self::Drawn => 0.5,
            won => f32::from(u8::from(won == Self::win(side))),
        }
    }
}

/// A game with the score of each move, in centipawns for White (see [`PAWN`]).
#[derive(Clone, Debug)]
pub struct Game {
    pub start: Position,
    pub moves: Vec<(Move, i16)>,
    pub outcome: Outcome,
}

impl Game {
    /// Writes the game.
    pub fn write(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let board = board(&self.start)?;
        let mut game = dataformat::Game::new(&board);
        for &(mv, score) in &self.moves {
            game.add_move(packed(mv)?, score);
        }
        game.set_outcome(match self.outcome {
            Outcome::WhiteWon => GameOutcome::WhiteWin(WinType::Adjudication),
            Outcome::BlackWon => GameOutcome::BlackWin(WinType::Adjudication),
            Outcome::Drawn => GameOutcome::Draw(DrawType::Adjudication),
        });
        Ok(game.serialise_into(out)?)
    }

    /// Reads the next game; `None` at the end.
    pub fn read(input: &mut impl BufRead) -> anyhow::Result<Option<Self>> {
        if input.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let game = dataformat::Game::deserialise_from(input, Vec::new())?;
        let outcome = match game.outcome() {
            WDL::Win => Outcome::WhiteWon,
            WDL::Draw => Outcome::Drawn,
            WDL::Loss => Outcome::BlackWon,
        };
        let start = Position::from_fen(&game.initial_position().to_string())?;
        let mut position = start;
        let mut moves = Vec::with_capacity(game.len());
        for (mv, score) in &game.moves {
            let raw = mv.inner();
            let legal = position.legal_moves();
            let same = |mv: &&Move| packed(**mv).is_ok_and(|packed| packed.inner() == raw);
            let Some(&mv) = legal.iter().find(same) else {
                bail!("illegal move {mv:?} in {}", position.fen(true));
            };
            moves.push((mv, score.get()));
            position = position.play(mv);
        }
        Ok(Some(Self { start, moves, outcome }))
    }
}

/// A position of the format's own.
fn board(position: &Position) -> anyhow::Result<Board> {
    let mut board = Board::new();
    board.set_from_fen(&position.fen(true), true)?;
    Ok(board)
}

/// Whether a start position comes back from a file as it is: the format's own text for it names
/// castling rooks only where they are the outermost.
pub fn is_storable(position: &Position) -> bool {
    let again = board(position).ok().and_then(|board| Position::from_fen(&board.to_string()).ok());
    again.is_some_and(|again| again.fen(true) == position.fen(true))
}

/// A move in viriformat.
fn packed(mv: Move) -> anyhow::Result<chessmove::Move> {
    let square = |square: engine::board::Square| {
        Square::new(square.index() as u8).context("a square has a number below 64")
    };
    let (from, to) = (square(mv.from())?, square(mv.to())?);
    Ok(match mv.kind() {
        MoveKind::Normal => chessmove::Move::new(from, to),
        MoveKind::EnPassant => chessmove::Move::new_with_flags(from, to, MoveFlags::EnPassant),
        MoveKind::Castling => chessmove::Move::new_with_flags(from, to, MoveFlags::Castle),
        MoveKind::Promotion(kind) => {
            let kind = match kind {
                PieceType::Knight => piece::PieceType::Knight,
                PieceType::Bishop => piece::PieceType::Bishop,
                PieceType::Rook => piece::PieceType::Rook,
                _ => piece::PieceType::Queen,
            };
            chessmove::Move::new_with_promo(from, to, kind)
        }
    })
}

/// The finished shards among files and folders, in the order of their names.
pub fn shards(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let entries: io::Result<Vec<_>> =
                path.read_dir().with_context(|| format!("{}", path.display()))?.collect();
            let files = entries?.into_iter().map(|entry| entry.path());
            found.extend(files.filter(|file| file.extension().is_some_and(|e| e == EXTENSION)));
        } else {
            found.push(path.clone());
        }
    }
    ensure!(!found.is_empty(), "no files of games (*.{EXTENSION})");
    found.sort();
    Ok(found)
}

/// Calls a function with each game of a file.
pub fn for_each(path: &Path, mut visit: impl FnMut(Game)) -> anyhow::Result<()> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let mut input = BufReader::new(file);
    while let Some(game) =
        Game::read(&mut input).with_context(|| format!("cannot read {}", path.display()))?
    {
        visit(game);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn games_are_read_back() {
        let mut random = Random::new(5);
        let mut bytes = Vec::new();
        let mut games = Vec::new();
        for start in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "nqrnbkrb/pppppppp/8/8/8/8/PPPPPPPP/NQRNBKRB w GCgc - 0 1",
            "4k3/P6P/8/2pP4/8/8/p6p/4K3 w - c6 0 9",
        ] {
            for number in 0..20 {
                let start = Position::from_fen(start).unwrap();
                let mut position = start;
                let mut moves = Vec::new();
                while moves.len() < 150 && position.has_legal_move() {
                    let legal = position.legal_moves();
                    let mv = legal[random.below(legal.len())];
                    moves.push((mv, random.below(6000) as i16 - 3000));
                    position = position.play(mv);
                }
                let outcome = [Outcome::BlackWon, Outcome::Drawn, Outcome::WhiteWon][number % 3];
                games.push(Game { start, moves, outcome });
                games.last().unwrap().write(&mut bytes).unwrap();
            }
        }
        let mut input = &bytes[..];
        for game in &games {
            let again = Game::read(&mut input).unwrap().unwrap();
            assert_eq!(again.start.fen(true), game.start.fen(true));
            assert_eq!((again.moves, again.outcome), (game.moves.clone(), game.outcome));
        }
        assert!(Game::read(&mut input).unwrap().is_none());
        assert!(Game::read(&mut &bytes[..40]).is_err());
    }
}
