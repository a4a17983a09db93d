//! Static exchange evaluation: what the captures on one square come to.

use super::attacks::{bishop_attacks, rook_attacks};
use super::{Bitboard, Move, MoveKind, PieceType, Position};

/// Values of the men in an exchange, in centipawns.
pub const SEE_VALUES: [i32; 6] = [100, 300, 300, 500, 900, 20_000];

impl Position {
    /// Whether the exchanges that a move starts on its square win at least `threshold`
    /// centipawns, if both sides always capture with the least man and may stop at any time.
    /// Pins are not seen, except that a king does not capture a guarded man.
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let value = |kind: PieceType| SEE_VALUES[kind.index()];
        let (from, to) = (mv.from(), mv.to());
        let mut occupied = self.occupied() & !from.bitboard();
        let mover = self.kind_on(from).unwrap_or(PieceType::Pawn);
        let (gain, at_risk) = match mv.kind() {
            MoveKind::Castling => return threshold <= 0,
            MoveKind::EnPassant => {
                occupied &= !super::Square::new(to.index() as u8 ^ 8).bitboard();
                (value(PieceType::Pawn), PieceType::Pawn)
            }
            MoveKind::Promotion(kind) => {
                let captured = self.kind_on(to).map_or(0, value);
                (captured + value(kind) - value(PieceType::Pawn), kind)
            }
            MoveKind::Normal => (self.kind_on(to).map_or(0, value), mover),
        };
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance -= value(at_risk);
        if balance >= 0 {
            return true;
        }

        occupied |= to.bitboard();
        let mut attackers = self.attackers_to(to, occupied) & occupied & !to.bitboard();
        let mut side = !self.side;
        // From here `balance` is what the side that has just captured keeps if it loses the
        // capturing man; the side to capture goes on while that is good for it.
        loop {
            let own = attackers & self.color(side);
            if own.is_empty() {
                break;
            }
            let Some(kind) = PieceType::ALL.into_iter().find(|&k| (own & self.kind(k)).any())
            else {
                break;
            };
            if kind == PieceType::King {
                // The king captures only where nobody can capture back.
                if (attackers & self.color(!side)).any() {
                    break;
                }
            }
            let man = own & self.kind(kind);
            occupied ^= Bitboard(man.0 & man.0.wrapping_neg());
            if matches!(kind, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
                attackers |= bishop_attacks(to, occupied) & self.diagonal;
            }
            if matches!(kind, PieceType::Rook | PieceType::Queen) {
                attackers |= rook_attacks(to, occupied) & self.orthogonal;
            }
            attackers &= occupied;
            side = !side;
            balance = -balance - 1 - value(kind);
            if balance >= 0 {
                break;
            }
        }
        side != self.side
    }
}
