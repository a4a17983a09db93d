//! The moves of a record played on a board.

use std::fmt;

use shakmaty::fen::Fen;
use shakmaty::san::{San, SanError, Suffix};
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, FromSetup, Move, Position, PositionError, Rank, Role,
};

use super::record::{Record, Written};

/// Why the moves of a record go no further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No legal move is written so.
    Illegal(String),
    /// More than one legal move is written so: these.
    Ambiguous(String, Vec<String>),
    /// A pawn reaches the last rank and nothing says what it becomes.
    PromotionMissing(String),
    /// A move is passed.
    Null(String),
    /// The word is no move.
    Unreadable(String),
    /// The game was over: checkmate or stalemate.
    AfterEnd(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal(text) => write!(f, "illegal move {text}"),
            Self::Ambiguous(text, moves) => {
                write!(f, "ambiguous SAN {text} ({})", moves.join(" / "))
            }
            Self::PromotionMissing(text) => write!(f, "promotion piece missing in {text}"),
            Self::Null(text) => write!(f, "null move {text}"),
            Self::Unreadable(text) => write!(f, "unreadable move {text}"),
            Self::AfterEnd(text) => write!(f, "move {text} after the end of the game"),
        }
    }
}

/// Why a game cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// Another game than chess.
    #[error("the variant {0} is not chess")]
    Variant(String),
    /// The FEN tag is refused.
    #[error("the FEN is refused: {0}")]
    Fen(String),
}

/// A game on the board.
pub struct Replay {
    /// The position at the start.
    pub start: Chess,
    /// Castling as in Chess960.
    pub chess960: bool,
    /// The legal moves, up to the first fault.
    pub moves: Vec<Move>,
    /// The position after them.
    pub position: Chess,
    /// The first fault and the number of its ply.
    pub fault: Option<(usize, Fault)>,
    /// The ply after which the same position stood on the board for the fifth time.
    pub fivefold: Option<usize>,
    /// The first ply after which it stood there for the fifth time in a row, every fourth ply: so
    /// the edition of 2014 wants it.
    pub fivefold_in_a_row: Option<usize>,
    /// The ply after which 75 moves of each side were played without capture or pawn move.
    pub seventy_five: Option<usize>,
    /// What a person should know.
    pub warnings: Vec<String>,
    /// Keys of the positions since the last capture or pawn move.
    keys: Vec<Zobrist64>,
}

impl Replay {
    /// Plays a record. A castling move at its end that cannot be played is taken for the result
    /// `0-0`, which is written in the same way.
    ///
    /// # Errors
    /// The game is no chess, or its start is no position.
    pub fn new(record: &mut Record) -> Result<Self, SetupError> {
        let (start, chess960) = setup(record)?;
        let start_quiet = start.halfmoves();
        let mut replay = Self {
            position: start.clone(),
            start,
            chess960,
            moves: Vec::with_capacity(record.moves.len()),
            fault: None,
            fivefold: None,
            fivefold_in_a_row: None,
            seventy_five: (start_quiet >= 150).then_some(0),
            warnings: Vec::new(),
            keys: Vec::new(),
        };
        replay.keys.push(replay.key());
        for (index, written) in record.moves.iter().enumerate() {
            match replay.find(written, index + 1) {
                Ok(mv) => replay.play(mv),
                Err(fault) => {
                    replay.fault = Some((index + 1, fault));
                    break;
                }
            }
        }
        if replay.fault.as_ref().is_some_and(|(ply, _)| *ply == record.moves.len())
            && record.ends_with_zeros()
        {
            record.reclaim_marker();
            replay.fault = None;
        }
        replay.check_mate_sign(record);
        Ok(replay)
    }

    fn key(&self) -> Zobrist64 {
        self.position.zobrist_hash(EnPassantMode::Legal)
    }

    fn play(&mut self, mv: Move) {
        if mv.is_zeroing() {
            self.keys.clear();
        }
        self.position.play_unchecked(mv);
        self.moves.push(mv);
        self.keys.push(self.key());
        let ply = Some(self.moves.len());
        if self.fivefold.is_none() && self.occurrences() >= 5 {
            self.fivefold = ply;
        }
        if self.fivefold_in_a_row.is_none() && self.repeats_in_a_row() {
            self.fivefold_in_a_row = ply;
        }
        if self.seventy_five.is_none() && self.position.halfmoves() >= 150 {
            self.seventy_five = ply;
        }
    }

    /// How often the position on the board has occurred.
    pub fn occurrences(&self) -> usize {
        // A position can only come again after four plies, five times after sixteen.
        let Some((key, before)) = self.keys.split_last() else { return 1 };
        if before.len() < 4 {
            return 1;
        }
        1 + before.iter().filter(|&earlier| earlier == key).count()
    }

    /// Whether the position on the board stood there 4, 8, 12 and 16 plies ago as well.
    fn repeats_in_a_row(&self) -> bool {
        let mut every_fourth = self.keys.iter().rev().step_by(4).take(5);
        let now = every_fourth.next();
        every_fourth.len() == 4 && every_fourth.all(|key| Some(key) == now)
    }

    /// The move that is written, or why there is none.
    fn find(&mut self, written: &Written, ply: usize) -> Result<Move, Fault> {
        let (found, text) = match written {
            Written::San(san) => {
                // A single look serves most moves; text is only made of those that fail.
                match san.san.to_move(&self.position) {
                    Ok(mv) => {
                        self.check_disambiguation(san.san, mv, ply);
                        return Ok(mv);
                    }
                    Err(error) => match self.other_capture_sign(san.san) {
                        Some((mv, what)) => {
                            self.warnings.push(format!("{what} x at ply {ply}: {san}"));
                            return Ok(mv);
                        }
                        None => (self.explain(san.san, &error), san.to_string()),
                    },
                }
            }
            Written::Uci(text) => {
                let mv =
                    text.parse::<UciMove>().ok().and_then(|mv| mv.to_move(&self.position).ok());
                match mv {
                    Some(mv) => return Ok(mv),
                    None => (Fault::Illegal(text.clone()), text.clone()),
                }
            }
            Written::Null(text) => (Fault::Null(text.clone()), text.clone()),
            Written::Unreadable(text) => (Fault::Unreadable(text.clone()), text.clone()),
        };
        if matches!(found, Fault::Illegal(_)) && self.position.legal_moves().is_empty() {
            return Err(Fault::AfterEnd(text));
        }
        Err(found)
    }

    /// The move of a word whose `x` is missing or needless, and which of the two.
    fn other_capture_sign(&self, san: San) -> Option<(Move, &'static str)> {
        let San::Normal { role, file, rank, capture, to, promotion } = san else { return None };
        if role == Role::Pawn && file.is_none() {
            return None;
        }
        let other = San::Normal { role, file, rank, capture: !capture, to, promotion };
        let mv = other.to_move(&self.position).ok()?;
        Some((mv, if capture { "needless" } else { "missing" }))
    }

    fn explain(&self, san: San, error: &SanError) -> Fault {
        let text = san.to_string();
        let San::Normal { role, to, promotion, .. } = san else { return Fault::Illegal(text) };
        let last = Rank::Eighth.eq(&to.rank()) || Rank::First.eq(&to.rank());
        if role == Role::Pawn && promotion.is_none() && last {
            let queen = format!("{text}=Q").parse::<San>();
            if queen.is_ok_and(|san| san.to_move(&self.position).is_ok()) {
                return Fault::PromotionMissing(text);
            }
        }
        if *error == SanError::AmbiguousSan {
            let moves = self.position.san_candidates(role, to);
            let moves = moves.iter().filter(|&&mv| san.matches(mv));
            let mut moves: Vec<_> =
                moves.map(|&mv| San::from_move(&self.position, mv).to_string()).collect();
            moves.sort();
            return Fault::Ambiguous(text, moves);
        }
        Fault::Illegal(text)
    }

    /// Tells of a file or a rank that is not needed. Both together are long notation.
    fn check_disambiguation(&mut self, san: San, mv: Move, ply: usize) {
        let San::Normal { role, file, rank, .. } = san else { return };
        if role == Role::Pawn || file.is_some() == rank.is_some() {
            return;
        }
        let canonical = San::from_move(&self.position, mv);
        if !matches!(canonical, San::Normal { file: f, rank: r, .. } if (f, r) == (file, rank)) {
            let warning = format!("over-disambiguation at ply {ply}: {san}, enough is {canonical}");
            self.warnings.push(warning);
        }
    }

    fn check_mate_sign(&mut self, record: &Record) {
        let ply = self.moves.len();
        let Some(Written::San(san)) = ply.checked_sub(1).and_then(|last| record.moves.get(last))
        else {
            return;
        };
        let signed = san.suffix == Some(Suffix::Checkmate);
        if signed != self.position.is_checkmate() {
            let what = if signed { "needless" } else { "missing" };
            self.warnings.push(format!("{what} # at ply {ply}"));
        }
    }

    /// The last capture or pawn move up to `ply`: no position before it can come again.
    pub fn last_irreversible(&self, ply: usize) -> usize {
        self.moves[..ply].iter().rposition(|mv| mv.is_zeroing()).map_or(0, |index| index + 1)
    }

    /// The ply after which the position after `ply` stood on the board for the first time.
    pub fn first_occurrence(&self, ply: usize) -> usize {
        let target = self.position_after(ply);
        let from = self.last_irreversible(ply);
        let mut position = self.position_after(from);
        for (index, &mv) in (from..ply).zip(&self.moves[from..ply]) {
            if position == target {
                return index;
            }
            position.play_unchecked(mv);
        }
        ply
    }

    /// The position after `ply` plies.
    pub fn position_after(&self, ply: usize) -> Chess {
        let mut position = self.start.clone();
        for &mv in &self.moves[..ply] {
            position.play_unchecked(mv);
        }
        position
    }

    /// The FEN of a position of this game, with castling rights that every reader understands.
    pub fn fen(&self, position: &Chess) -> String {
        Fen::from_position(position, EnPassantMode::Legal).to_string()
    }

    /// A move of this game in UCI notation.
    pub fn uci(&self, mv: Move) -> String {
        let mode = if self.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        mv.to_uci(mode).to_string()
    }
}

/// The position at the start, and whether castling is as in Chess960.
fn setup(record: &Record) -> Result<(Chess, bool), SetupError> {
    let letters = record.tag("Variant").chars().filter(|letter| letter.is_alphanumeric());
    let variant = letters.collect::<String>().to_lowercase();
    let mut chess960 = match variant.as_str() {
        "" | "standard" | "chess" | "normal" | "fromposition" => false,
        "chess960" | "fischerandom" | "fischerrandom" | "freestyle" => true,
        _ => return Err(SetupError::Variant(record.tag("Variant").to_owned())),
    };
    let fen = record.tag("FEN").trim();
    if fen.is_empty() || fen.eq_ignore_ascii_case("startpos") {
        return Ok((Chess::default(), chess960));
    }
    let setup = Fen::from_ascii(fen.as_bytes())
        .map_err(|error| SetupError::Fen(error.to_string()))?
        .into_setup();
    #[allow(clippy::result_large_err)]
    let tolerant = |mode| {
        Chess::from_setup(setup.clone(), mode)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
    };
    let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let strict = Chess::from_setup(setup.clone(), mode);
    if strict.is_err()
        && !chess960
        && Chess::from_setup(setup.clone(), CastlingMode::Chess960).is_ok()
    {
        chess960 = true;
    }
    let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let position = tolerant(mode).map_err(|error| SetupError::Fen(error.to_string()))?;
    Ok((position, chess960))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replay(pgn: &str) -> (Record, Replay) {
        let mut record = Record::read(pgn.as_bytes()).unwrap();
        let replay = Replay::new(&mut record).unwrap();
        (record, replay)
    }

    fn fault(pgn: &str) -> (usize, String) {
        let (ply, fault) = replay(pgn).1.fault.unwrap();
        (ply, fault.to_string())
    }

    #[test]
    fn faults_are_named() {
        let fen = |fen: &str, moves: &str| {
            format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n[Result \"*\"]\n\n{moves} *")
        };
        assert_eq!(
            fault(&fen("7k/P7/8/8/8/8/8/K7 w - - 0 1", "1. a8 Kg7")),
            (1, "promotion piece missing in a8".into())
        );
        assert_eq!(
            fault("1. Nf3 d6 2. d3 Nd7 3. e3 Nf6 *"),
            (6, "ambiguous SAN Nf6 (Ndf6 / Ngf6)".into())
        );
        assert_eq!(fault("1. e4 Z0 2. d4 *"), (2, "null move Z0".into()));
        assert_eq!(fault("1. e4 e5 2. Nf3 -- 3. Bc4 *"), (4, "null move --".into()));
        assert_eq!(fault("1. e4 e7e3 {illegal} 1-0"), (2, "illegal move e7e3".into()));
        assert_eq!(
            fault("1. f3 e5 2. g4 Qh4# 3. a3 *"),
            (5, "move a3 after the end of the game".into())
        );
        assert_eq!(fault("1. e4 Nf6 2. e5 d5 3. exd6 e.p. Zz9 *").0, 6);
    }

    #[test]
    fn needless_files_are_told() {
        let (_, replay) = replay(
            "[SetUp \"1\"]\n[FEN \"1r5k/6p1/3p3p/8/8/4bQ2/2R3PP/2KRq3 w - - 6 44\"]\n[Result \"*\"]\n\n1. Rcd2 *",
        );
        assert_eq!(replay.moves.len(), 1);
        assert_eq!(replay.warnings, ["over-disambiguation at ply 1: Rcd2, enough is Rd2"]);
    }

    #[test]
    fn capture_signs_are_told() {
        let (_, missing) = replay("1. e4 d5 2. exd5 Qd5 3. Nxc3 Qa5 *");
        assert_eq!((missing.moves.len(), missing.fault), (6, None));
        assert_eq!(missing.warnings, ["missing x at ply 4: Qd5", "needless x at ply 5: Nxc3"]);
        assert_eq!(fault("1. e4 d5 2. d4 e5 3. d5 *"), (5, "illegal move d5".into()));
    }

    #[test]
    fn mates_without_sign_are_told() {
        assert_eq!(replay("1. f3 e5 2. g4 Qh4 *").1.warnings, ["missing # at ply 4"]);
        assert!(replay("1. f3 e5 2. g4 Qh4# 0-1").1.warnings.is_empty());
    }

    #[test]
    fn a_result_of_zeros_is_no_castling() {
        let (record, replay) = replay("[Result \"0-0\"]\n\n1. f3 e5 2. g4 Qh4# 0-0\n");
        assert_eq!((replay.moves.len(), replay.fault), (4, None));
        assert_eq!(record.marker.as_deref(), Some("0-0"));
        assert!(record.warnings.is_empty(), "{:?}", record.warnings);
        // Written with letters, or beside another result, it is castling.
        for pgn in ["1. e4 e5 2. O-O", "[Result \"1-0\"]\n\n1. e4 e5 2. 0-0", "1. e4 e5 2. 0-0+"] {
            assert_eq!(fault(pgn).0, 3, "{pgn}");
        }
    }

    #[test]
    fn repetitions_and_quiet_moves_are_counted() {
        let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(4);
        let (_, five) = replay(&format!("1. {shuffle} *"));
        assert_eq!((five.fivefold, five.occurrences()), (Some(16), 5));
        assert_eq!(five.fivefold_in_a_row, Some(16));
        let detour = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nf3 Nf6 Ng1 Ng8 Nb1 Nb8 ";
        let (_, late) = replay(&format!("1. {detour} {shuffle} *"));
        assert_eq!((late.fivefold, late.fivefold_in_a_row), (Some(20), Some(32)));
        let (_, quiet) = replay("[FEN \"7k/5K2/8/8/8/8/8/6Q1 w - - 149 120\"]\n\n1. Qg2 *");
        assert_eq!(quiet.seventy_five, Some(1));
    }

    #[test]
    fn chess960_is_seen_in_the_castling_rights() {
        let (_, replay) = replay("[FEN \"4k3/8/8/8/8/8/8/3K2R1 w G - 0 1\"]\n\n1. O-O *");
        assert!(replay.chess960 && replay.moves.len() == 1);
        assert_eq!(replay.uci(replay.moves[0]), "d1g1");
    }

    #[test]
    fn pins_decide_who_is_meant() {
        let fen = "4k2r/r3bppp/p1p5/3pR3/Pp1P1B2/7P/1PP2PP1/R5K1 w k - 0 37";
        let position: Chess =
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        for (uci, san) in [("a1e1", "Rae1"), ("e5e1", "Ree1")] {
            let mv = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            assert_eq!(San::from_move(&position, mv).to_string(), san);
        }
        let (_, replay) = replay(
            "[FEN \"8/7Q/2r1p3/2rkr3/2rrr2Q/7K/8/8 w - - 0 1\"]\n\n1. Qd8+ Rd6 2. Qb7+ Rcc6 *",
        );
        assert_eq!(replay.moves.len(), 4);
    }
}
