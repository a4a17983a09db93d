//! Games of matches in PGN, with the score that each player gave its move in a comment:
//! `{+0.34/12 0.2s}`, in pawns for the side that moved.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;
use std::str::FromStr;

use anyhow::Context;
use engine::board::{Color, Position};
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _};

use crate::games::{Game, Outcome};

/// The score of a move that has none; beyond all that are looked at, like mates.
const NO_SCORE: i16 = i16::MAX;

/// Calls a function with each finished game of a file.
///
/// # Errors
/// The file cannot be read, or a move in it is illegal.
pub fn for_each(path: &Path, mut visit: impl FnMut(Game)) -> anyhow::Result<()> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let mut reader = Reader::new(file);
    let mut number = 0;
    while let Some(game) = reader.read_game(&mut Import)? {
        number += 1;
        let unreadable = || format!("cannot read game {number} of {}", path.display());
        if let Some(game) = game.with_context(unreadable)? {
            visit(game);
        }
    }
    Ok(())
}

#[derive(Default)]
struct Tags {
    fen: Option<String>,
    outcome: Option<Outcome>,
}

/// A game as far as it is read.
struct Movetext {
    board: Chess,
    game: Game,
    position: Position,
    is_finished: bool,
}

impl Movetext {
    fn new(tags: Tags) -> anyhow::Result<Self> {
        let (start, board) = match tags.fen {
            None => (Position::startpos(), Chess::default()),
            Some(fen) => {
                let setup = Fen::from_str(&fen)?.into_setup();
                let mode = CastlingMode::detect(&setup);
                (Position::from_fen(&fen)?, setup.position(mode)?)
            }
        };
        let outcome = tags.outcome.unwrap_or(Outcome::Drawn);
        let game = Game { start, moves: Vec::new(), outcome };
        Ok(Self { board, game, position: start, is_finished: tags.outcome.is_some() })
    }

    fn play(&mut self, san: SanPlus) -> anyhow::Result<()> {
        let mv = san.san.to_move(&self.board).with_context(|| format!("{san}"))?;
        // Castling is written as the king's move onto its rook, which is unambiguous.
        let own = self.position.parse_uci(&mv.to_uci(CastlingMode::Chess960).to_string())?;
        self.board.play_unchecked(mv);
        self.position = self.position.play(own);
        self.game.moves.push((own, NO_SCORE));
        Ok(())
    }

    /// The score of the last move.
    fn note(&mut self, comment: &str) {
        let mover = !self.position.side_to_move();
        let score = comment.split_once('/').and_then(|(score, _)| pawns(score.trim()));
        if let (Some(score), Some(last)) = (score, self.game.moves.last_mut()) {
            let for_white = if mover == Color::White { score } else { -score };
            last.1 = (for_white * 100.0).round() as i16;
        }
    }
}

/// A score such as `+0.34`; a result such as `1/2-1/2` is none, nor is a word that means a number.
fn pawns(text: &str) -> Option<f64> {
    let is_decimal = text.contains('.') && !text.contains(char::is_alphabetic);
    text.parse().ok().filter(|_| is_decimal)
}

/// Makes games of what the reader finds; `None` where a game has no result.
struct Import;

impl Visitor for Import {
    type Tags = Tags;
    type Movetext = anyhow::Result<Movetext>;
    type Output = anyhow::Result<Option<Game>>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(
        &mut self,
        tags: &mut Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        match (name, value.as_bytes()) {
            (b"FEN", _) => tags.fen = Some(value.decode_utf8_lossy().into_owned()),
            (b"Result", b"1-0") => tags.outcome = Some(Outcome::WhiteWon),
            (b"Result", b"0-1") => tags.outcome = Some(Outcome::BlackWon),
            (b"Result", b"1/2-1/2") => tags.outcome = Some(Outcome::Drawn),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue(Movetext::new(tags))
    }

    fn san(&mut self, text: &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        let played = match text {
            Ok(text) => text.play(san),
            Err(_) => Ok(()),
        };
        if let Err(error) = played {
            *text = Err(error);
        }
        ControlFlow::Continue(())
    }

    fn comment(
        &mut self,
        text: &mut Self::Movetext,
        comment: RawComment<'_>,
    ) -> ControlFlow<Self::Output> {
        if let Ok(text) = text {
            text.note(&String::from_utf8_lossy(comment.as_bytes()));
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, text: Self::Movetext) -> Self::Output {
        text.map(|text| text.is_finished.then_some(text.game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> anyhow::Result<Vec<Game>> {
        let name = format!("themis-pgn-{}-{}.pgn", std::process::id(), text.len());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text)?;
        let mut games = Vec::new();
        let read = for_each(&path, |game| games.push(game));
        std::fs::remove_file(&path)?;
        read.map(|()| games)
    }

    #[test]
    fn scores_are_told_for_white() {
        let games = read(
            "[Result \"0-1\"]\n\n1. e4 {+0.25/10 0.1s} (1. d4 {+0.9/3 0s}) 1... e5 {+0.10/9 0.2s} \
             2. Nf3 {book} Nc6 {-M12/20 0.1s} 3. Bb5 {nan/1} a6 {1/2 agreed?} 0-1\n\n[Result \"*\"]\n\n1. e4 *\n",
        )
        .unwrap();
        let [game] = &games[..] else { panic!("{} games", games.len()) };
        assert_eq!(game.outcome, Outcome::BlackWon);
        let scores: Vec<i16> = game.moves.iter().map(|&(_, score)| score).collect();
        assert_eq!(scores, [25, -10, NO_SCORE, NO_SCORE, NO_SCORE, NO_SCORE]);
    }

    #[test]
    fn castling_is_read_in_both_kinds_of_chess() {
        for fen in
            ["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w GBgb - 0 1"]
        {
            let games = read(&format!(
                "[FEN \"{fen}\"]\n[SetUp \"1\"]\n[Result \"1/2-1/2\"]\n\n1. O-O O-O-O 1/2-1/2\n"
            ))
            .unwrap();
            assert!(games[0].moves.iter().all(|(mv, _)| mv.is_castling()), "{fen}");
            assert_eq!(games[0].moves.len(), 2);
        }
    }

    #[test]
    fn illegal_moves_are_errors() {
        assert!(read("[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n").is_err());
    }
}
