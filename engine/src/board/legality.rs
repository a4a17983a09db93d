//! Questions about one move: is it legal, does it give check, how is it written.

use super::attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, line, pawn_attacks,
    rook_attacks, rook_rays,
};
use super::movegen::can_castle;
use super::position::{castling_targets, code};
use super::{Bitboard, Color, Move, MoveKind, PieceType, Position, Square};

/// Why a move in UCI notation is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveParseError {
    /// The text has not the form of a move.
    #[error("`{0}` is not a move in UCI notation")]
    Syntax(String),
    /// No legal move of the position is written so.
    #[error("`{0}` is not a legal move in this position")]
    Illegal(String),
}

impl Position {
    /// Whether a move from anywhere (a table, a user) is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        if !mv.is_canonical() || !self.color(self.side).contains(mv.from()) {
            return false;
        }
        match mv.kind() {
            MoveKind::Castling => self.is_legal_castling(mv.from(), mv.to()),
            MoveKind::EnPassant => self.is_legal_en_passant(mv.from(), mv.to()),
            kind => {
                let promotes = matches!(kind, MoveKind::Promotion(_));
                self.is_legal_step(mv.from(), mv.to(), promotes)
            }
        }
    }

    fn is_legal_castling(&self, king: Square, rook: Square) -> bool {
        let us = self.side;
        king == self.king(us)
            && self.checkers.is_empty()
            && self.castling_files(us) >> rook.file() & 1 != 0
            && rook.rank() == king.rank()
            && can_castle(self, king, rook, self.attacks_by(!us))
    }

    fn is_legal_en_passant(&self, from: Square, to: Square) -> bool {
        let us = self.side;
        self.ep_square() == Some(to)
            && (pawn_attacks(!us, to) & self.pawns & self.color(us)).contains(from)
            && self.ep_is_legal(us, from, to)
    }

    fn is_legal_step(&self, from: Square, to: Square, promotes: bool) -> bool {
        let us = self.side;
        let king = self.king(us);
        let occupied = self.occupied();
        if self.color(us).contains(to) {
            return false;
        }
        if from == king {
            let occupied = occupied ^ king.bitboard();
            return !promotes
                && king_attacks(king).contains(to)
                && (self.attackers_to(to, occupied) & self.color(!us)).is_empty();
        }
        let code = self.code_on(from);
        let is_pawn = code == code::PAWN;
        if promotes != (is_pawn && to.relative_rank(us) == 7) {
            return false;
        }
        let reaches = match code {
            code::PAWN => self.pawn_targets(us, from).contains(to),
            code::KNIGHT => knight_attacks(from).contains(to),
            _ => {
                let mut rays = Bitboard::EMPTY;
                if code & code::BISHOP != 0 {
                    rays |= bishop_rays(from);
                }
                if code & code::ROOK != 0 {
                    rays |= rook_rays(from);
                }
                rays.contains(to) && (between(from, to) & occupied).is_empty()
            }
        };
        reaches && self.keeps_king_safe(king, from, to)
    }

    /// Whether a man that is not the king leaves no check when it goes from `from` to `to`.
    fn keeps_king_safe(&self, king: Square, from: Square, to: Square) -> bool {
        if self.pinned.contains(from) && !line(king, from).contains(to) {
            return false;
        }
        match self.checkers.first() {
            None => true,
            Some(_) if self.checkers.more_than_one() => false,
            Some(checker) => (between(king, checker) | self.checkers).contains(to),
        }
    }

    /// The squares a pawn may go to, en passant and the safety of its king aside.
    fn pawn_targets(&self, us: Color, from: Square) -> Bitboard {
        let empty = !self.occupied();
        let captures = pawn_attacks(us, from) & self.color(!us);
        let (one, two) = match us {
            Color::White => (from.bitboard().0 << 8, 8),
            Color::Black => (from.bitboard().0 >> 8, -8i32),
        };
        let single = Bitboard(one) & empty;
        let double = if from.relative_rank(us) == 1 {
            Bitboard(if two > 0 { single.0 << 8 } else { single.0 >> 8 }) & empty
        } else {
            Bitboard::EMPTY
        };
        captures | single | double
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side;
        let enemy_king = self.king(!us);
        let (from, to) = (mv.from(), mv.to());
        let (mut occupied, mut diagonal, mut orthogonal) =
            (self.occupied(), self.diagonal & self.color(us), self.orthogonal & self.color(us));
        let code = match mv.kind() {
            MoveKind::Castling => {
                let (king_to, rook_to) = castling_targets(from, to);
                let gone = from.bitboard() | to.bitboard();
                occupied = occupied & !gone | king_to.bitboard() | rook_to.bitboard();
                orthogonal = orthogonal & !to.bitboard() | rook_to.bitboard();
                code::KING
            }
            kind => {
                occupied = occupied & !from.bitboard() | to.bitboard();
                diagonal &= !from.bitboard();
                orthogonal &= !from.bitboard();
                match kind {
                    MoveKind::Promotion(kind) => code::of(kind),
                    MoveKind::EnPassant => {
                        occupied ^= Square::new(to.index() as u8 ^ 8).bitboard();
                        code::PAWN
                    }
                    _ => self.code_on(from),
                }
            }
        };
        match code {
            code::PAWN if pawn_attacks(us, to).contains(enemy_king) => return true,
            code::KNIGHT if knight_attacks(to).contains(enemy_king) => return true,
            code::PAWN | code::KNIGHT | code::KING | code::NONE => {}
            _ => {
                if code & code::BISHOP != 0 {
                    diagonal |= to.bitboard();
                }
                if code & code::ROOK != 0 {
                    orthogonal |= to.bitboard();
                }
            }
        }
        // Most moves leave no slider of ours on any line with the king.
        diagonal &= bishop_rays(enemy_king);
        orthogonal &= rook_rays(enemy_king);
        diagonal.any() && (bishop_attacks(enemy_king, occupied) & diagonal).any()
            || orthogonal.any() && (rook_attacks(enemy_king, occupied) & orthogonal).any()
    }

    /// A legal move in UCI notation: `e1g1` for castling, or `e1h1` where `chess960` is set.
    pub fn uci(&self, mv: Move, chess960: bool) -> String {
        if mv.is_null() {
            return "0000".to_owned();
        }
        match mv.kind() {
            MoveKind::Castling if !chess960 => {
                format!("{}{}", mv.from(), castling_targets(mv.from(), mv.to()).0)
            }
            MoveKind::Promotion(kind) => format!("{}{}{}", mv.from(), mv.to(), kind.letter()),
            _ => format!("{}{}", mv.from(), mv.to()),
        }
    }

    /// Reads UCI notation: castling as king to rook, or as king to its target square
    /// where that is unambiguous.
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveParseError> {
        let (from, to, promotion) =
            split_uci(text).ok_or_else(|| MoveParseError::Syntax(text.to_owned()))?;
        let castling = if from == self.king(self.side) && promotion.is_none() {
            self.castling_meant(from, to)
        } else {
            None
        };
        let plain = match promotion {
            Some(kind) => Move::promotion(from, to, kind),
            None if self.ep_square() == Some(to)
                && self.code_on(from) == code::PAWN
                && from.file() != to.file() =>
            {
                Move::en_passant(from, to)
            }
            None => Move::normal(from, to),
        };
        [Some(plain), castling]
            .into_iter()
            .flatten()
            .find(|&mv| self.is_legal(mv))
            .ok_or_else(|| MoveParseError::Illegal(text.to_owned()))
    }

    /// The castling that a king's move from `from` to `to` may stand for.
    fn castling_meant(&self, from: Square, to: Square) -> Option<Move> {
        let files = self.castling_files(self.side);
        if to.rank() != from.rank() {
            return None;
        }
        if files >> to.file() & 1 != 0 {
            return Some(Move::castling(from, to));
        }
        (0..8)
            .filter(|&file| files >> file & 1 != 0)
            .map(|file| Square::from_coords(file, from.rank()))
            .find(|&rook| castling_targets(from, rook).0 == to && from != to)
            .map(|rook| Move::castling(from, rook))
    }
}

/// Origin, destination and promotion of a move such as `e7e8q`.
fn split_uci(text: &str) -> Option<(Square, Square, Option<PieceType>)> {
    let from = text.get(0..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let promotion = match text.get(4..)? {
        "" => None,
        "n" | "N" => Some(PieceType::Knight),
        "b" | "B" => Some(PieceType::Bishop),
        "r" | "R" => Some(PieceType::Rook),
        "q" | "Q" => Some(PieceType::Queen),
        _ => return None,
    };
    Some((from, to, promotion))
}
