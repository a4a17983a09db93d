//! Static exchange evaluation: what the captures on one square come to.

use super::attacks::{king_attacks, knight_attacks, pawn_attacks};
use super::cpu::{self, Cpu, Task};
use super::position::code;
use super::{Bitboard, Color, Move, MoveKind, PieceType, Position, Square};

/// Values of the men in an exchange, in centipawns.
pub const SEE_VALUES: [i32; 6] = [100, 300, 300, 500, 900, 20_000];

/// Values by [code](super::position::code); none for an empty square.
const VALUE_OF_CODE: [i32; 16] = {
    let mut values = [0; 16];
    let mut i = 0;
    while i < 6 {
        values[code::of(PieceType::ALL[i])] = SEE_VALUES[i];
        i += 1;
    }
    values
};
/// The kinds, a bit each, that open a diagonal when they capture, and a rank or file.
const OPENS_DIAGONAL: u32 = 1 << PAWN | 1 << BISHOP | 1 << QUEEN;
const OPENS_LINE: u32 = 1 << ROOK | 1 << QUEEN;

const PAWN: usize = PieceType::Pawn.index();
const BISHOP: usize = PieceType::Bishop.index();
const ROOK: usize = PieceType::Rook.index();
const QUEEN: usize = PieceType::Queen.index();
const KING: usize = PieceType::King.index();

impl Position {
    /// Whether the exchanges that a move starts on its square win at least `threshold`
    /// centipawns, if both sides always capture with the least man and may stop at any time.
    /// Pins are not seen, except that a king does not capture a guarded man.
    #[inline]
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let mut gain = VALUE_OF_CODE[self.code_on(mv.to())];
        let mut at_risk = VALUE_OF_CODE[self.code_of_any(mv.from())];
        match mv.kind() {
            MoveKind::Normal => {}
            MoveKind::Castling => return threshold <= 0,
            MoveKind::EnPassant => gain = SEE_VALUES[PAWN],
            MoveKind::Promotion(kind) => {
                at_risk = SEE_VALUES[kind.index()];
                gain += at_risk - SEE_VALUES[PAWN];
            }
        }
        // What the side that has captured keeps, first for good, then if it loses its man.
        let kept = gain.saturating_sub(threshold);
        kept >= at_risk
            || kept >= 0 && cpu::run(Exchange { position: self, mv, balance: kept - at_risk })
    }

    /// The code of the man on a square; [`code::NONE`] only where there is none.
    #[inline(always)]
    fn code_of_any(&self, square: Square) -> usize {
        if self.kings.contains(&square) { code::KING } else { self.code_on(square) }
    }
}

/// Whether the side to move has the better end of the captures that `mv` starts, if the other
/// side's first one leaves it with `balance`.
struct Exchange<'a> {
    position: &'a Position,
    mv: Move,
    balance: i32,
}

impl Task for Exchange<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> bool {
        let Self { position, mv, balance } = self;
        let to = mv.to();
        let mut occupied = position.occupied() & !mv.from().bitboard() | to.bitboard();
        if mv.is_en_passant() {
            occupied &= !Square::new(to.index() as u8 ^ 8).bitboard();
        }
        answered(position, to, occupied, balance, cpu)
    }
}

/// The same with the men that stand after the first capture.
#[inline(always)]
fn answered<C: Cpu>(
    position: &Position,
    to: Square,
    mut occupied: Bitboard,
    mut balance: i32,
    cpu: C,
) -> bool {
    let kinds = PieceType::ALL.map(|kind| position.kind(kind));
    let pawns = pawn_attacks(Color::Black, to) & position.colors[0]
        | pawn_attacks(Color::White, to) & position.colors[1];
    let mut attackers = pawns & position.pawns
        | knight_attacks(to) & position.knights
        | king_attacks(to) & kinds[KING]
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
        let Some(kind) = kinds.iter().position(|&kind| (own & kind).any()) else { break };
        // The king captures only where nobody can capture back.
        if kind == KING && (attackers & position.color(!side)).any() {
            break;
        }
        side = !side;
        balance = -balance - 1 - SEE_VALUES[kind];
        if balance >= 0 {
            break;
        }
        let men = own & kinds[kind];
        occupied ^= Bitboard(men.0 & men.0.wrapping_neg());
        if OPENS_DIAGONAL >> kind & 1 != 0 {
            attackers |= cpu.bishop_attacks(to, occupied) & position.diagonal;
        }
        if OPENS_LINE >> kind & 1 != 0 {
            attackers |= cpu.rook_attacks(to, occupied) & position.orthogonal;
        }
        attackers &= occupied & !to.bitboard();
    }
    side != position.side
}
