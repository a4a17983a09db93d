//! The record of a game: every position and move since the start, so that any of it can be
//! taken back (7.1) or counted (9.2, 9.3).

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, FromSetup as _, Move, Position, PositionError, Setup,
};

use crate::clock::Used;
use crate::plugin::Side;

/// No game has more half-moves without capture or pawn move: a larger count is a slip.
const MOST_HALFMOVES: u32 = 100_000;

/// The moves of a game in order.
#[derive(Clone, Debug)]
pub struct Record {
    start: Chess,
    mode: CastlingMode,
    plies: Vec<Ply>,
}

/// One move that was made.
#[derive(Clone, Debug)]
pub struct Ply {
    /// Who made it.
    pub by: Side,
    /// The move.
    pub mv: Move,
    /// In standard algebraic notation.
    pub san: SanPlus,
    /// The position after it.
    pub after: Chess,
    /// When it was made.
    pub t: u64,
    /// What both players had used by then.
    pub used: Used,
    /// Whether it is completed (6.2.1).
    pub completed: bool,
    /// The increment its press gained.
    pub credit: i64,
    /// What the player's clock showed after the press.
    pub clock_ms: Option<i64>,
    /// Hands used to make it.
    pub hands: u8,
    /// A draw offer came with it (8.1.5).
    pub draw_offer: bool,
}

impl Record {
    /// A game from a position in FEN (X-FEN, Shredder-FEN).
    ///
    /// # Errors
    /// What is wrong with the position.
    pub fn new(fen: Option<&str>, chess960: bool) -> Result<Self, String> {
        let setup = match fen {
            None | Some("startpos") => Setup::initial(),
            Some(text) => {
                text.parse::<Fen>().map_err(|error| format!("`{text}`: {error}"))?.into_setup()
            }
        };
        if setup.halfmoves > MOST_HALFMOVES {
            return Err(format!("a halfmove clock of {}", setup.halfmoves));
        }
        let mode = CastlingMode::from_chess960(chess960 || needs_chess960(&setup));
        let start = position(setup, mode)
            .map_err(|problem| format!("`{}`: {problem}", fen.unwrap_or_default()))?;
        Ok(Self { start, mode, plies: Vec::new() })
    }

    /// How castling is written.
    pub fn mode(&self) -> CastlingMode {
        self.mode
    }

    /// The position on the board.
    pub fn position(&self) -> &Chess {
        self.plies.last().map_or(&self.start, |ply| &ply.after)
    }

    /// The position after so many plies.
    pub fn position_at(&self, plies: usize) -> &Chess {
        match plies.checked_sub(1).and_then(|index| self.plies.get(index)) {
            Some(ply) => &ply.after,
            None => &self.start,
        }
    }

    /// Who has the move (1.3).
    pub fn turn(&self) -> Side {
        self.position().turn().into()
    }

    /// The plies made.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The last move of `side`, if it is not completed.
    pub fn uncompleted(&mut self, side: Side) -> Option<&mut Ply> {
        self.plies.iter_mut().rev().find(|ply| ply.by == side).filter(|ply| !ply.completed)
    }

    /// The moves made by `side`.
    pub fn made_by(&self, side: Side) -> u32 {
        self.plies.iter().filter(|ply| ply.by == side).count() as u32
    }

    /// Plays a legal move.
    pub fn push(&mut self, mv: Move, t: u64, used: Used, hands: u8) {
        let by = self.turn();
        let mut after = self.position().clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut after, mv);
        self.plies.push(Ply {
            by,
            mv,
            san,
            after,
            t,
            used,
            completed: false,
            credit: 0,
            clock_ms: None,
            hands,
            draw_offer: false,
        });
    }

    /// The last ply.
    pub fn last_mut(&mut self) -> Option<&mut Ply> {
        self.plies.last_mut()
    }

    /// Takes back everything after `plies` and returns it, oldest first.
    pub fn truncate(&mut self, plies: usize) -> Vec<Ply> {
        self.plies.split_off(plies.min(self.plies.len()))
    }

    /// The legal move that `uci` writes, if there is one.
    pub fn legal(&self, uci: &str) -> Option<Move> {
        parse_legal(self.position(), self.mode, uci)
    }

    /// A move in UCI notation.
    pub fn uci(&self, mv: Move) -> String {
        mv.to_uci(self.mode).to_string()
    }

    /// A position of this game as FEN; en passant only where it is legal.
    pub fn fen_of(&self, position: &Chess) -> String {
        Fen::from_position(position, EnPassantMode::Legal).to_string()
    }

    /// The position on the board as FEN.
    pub fn fen(&self) -> String {
        self.fen_of(self.position())
    }

    /// The position at the start as FEN.
    pub fn start_fen(&self) -> String {
        self.fen_of(&self.start)
    }

    /// The plies after which `position` stood on the board, oldest first (9.2.2). Nothing from
    /// before the last capture or pawn move can be the same.
    pub fn occurrences(&self, position: &Chess, plies: usize) -> Vec<u32> {
        let reach = (position.halfmoves() as usize).min(plies);
        let mut found: Vec<u32> = (0..=reach)
            .step_by(2)
            .map(|back| plies - back)
            .filter(|&ply| ply > self.plies.len() || self.position_at(ply) == position)
            .map(|ply| ply as u32)
            .collect();
        found.reverse();
        found
    }

    /// The plies after which the position on the board has stood, the present one included.
    pub fn repetitions(&self) -> Vec<u32> {
        self.occurrences(self.position(), self.plies.len())
    }

    /// The same, for the position that `mv` would give.
    pub fn repetitions_after(&self, mv: Move) -> Vec<u32> {
        let mut after = self.position().clone();
        after.play_unchecked(mv);
        self.occurrences(&after, self.plies.len() + 1)
    }
}

fn position(setup: Setup, mode: CastlingMode) -> Result<Chess, String> {
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| error.to_string())
}

/// Whether all castling rights of the setup hold in Chess960, and not all of them in standard
/// chess.
pub fn needs_chess960(setup: &Setup) -> bool {
    let rights =
        |mode| position(setup.clone(), mode).map(|found| found.castles().castling_rights());
    rights(CastlingMode::Chess960) == Ok(setup.castling_rights)
        && rights(CastlingMode::Standard) != Ok(setup.castling_rights)
}

fn parse_legal(position: &Chess, mode: CastlingMode, uci: &str) -> Option<Move> {
    let text: UciMove = uci.parse().ok()?;
    let mv = text.to_move(position).ok()?;
    // King onto rook is how Chess960 writes castling; elsewhere it breaks 3.1.
    let onto_rook =
        matches!((text, mv), (UciMove::Normal { to, .. }, Move::Castle { rook, .. }) if to == rook);
    (!onto_rook || mode == CastlingMode::Chess960).then_some(mv)
}
