//! Static exchange evaluation: what the captures on one square come to.

use super::attacks::{king_attacks, knight_attacks, pawn_attacks};
use super::cpu::{self, Cpu, Task};
use super::{Bitboard, Color, Move, MoveKind, PieceType, Position, Square};

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
                occupied &= !Square::new(to.index() as u8 ^ 8).bitboard();
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

        cpu::run(Exchange { position: self, to, occupied: occupied | to.bitboard(), balance })
    }
}

/// The captures that may answer the first one.
struct Exchange<'a> {
    position: &'a Position,
    to: Square,
    /// The men after the first capture.
    occupied: Bitboard,
    /// What the side that has captured keeps if it loses the capturing man.
    balance: i32,
}

impl Task for Exchange<'_> {
    /// Whether the side that began has the better end.
    type Output = bool;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> bool {
        let Self { position, to, mut occupied, mut balance } = self;
        let kinds = PieceType::ALL.map(|kind| position.kind(kind));
        let pawns = pawn_attacks(Color::Black, to) & position.colors[0]
            | pawn_attacks(Color::White, to) & position.colors[1];
        let mut attackers = pawns & position.pawns
            | knight_attacks(to) & position.knights
            | king_attacks(to) & kinds[PieceType::King.index()]
            | cpu.bishop_attacks(to, occupied) & position.diagonal
            | cpu.rook_attacks(to, occupied) & position.orthogonal;
        attackers &= occupied & !to.bitboard();
        let mut side = !position.side;
        // The side to capture goes on while that is good for it.
        loop {
            let own = attackers & position.color(side);
            if own.is_empty() {
                break;
            }
            let Some(index) = kinds.iter().position(|&kind| (own & kind).any()) else { break };
            let kind = PieceType::ALL[index];
            // The king captures only where nobody can capture back.
            if kind == PieceType::King && (attackers & position.color(!side)).any() {
                break;
            }
            let man = own & kinds[index];
            occupied ^= Bitboard(man.0 & man.0.wrapping_neg());
            if matches!(kind, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
                attackers |= cpu.bishop_attacks(to, occupied) & position.diagonal;
            }
            if matches!(kind, PieceType::Rook | PieceType::Queen) {
                attackers |= cpu.rook_attacks(to, occupied) & position.orthogonal;
            }
            attackers &= occupied & !to.bitboard();
            side = !side;
            balance = -balance - 1 - SEE_VALUES[index];
            if balance >= 0 {
                break;
            }
        }
        side != position.side
    }
}
