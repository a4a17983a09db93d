//! Static exchange evaluation for peers that have none: the same rule over their own look-ups.

use engine::board::SEE_VALUES;

/// What an exchange needs to know of a board. Colours count from White, kinds from the pawn,
/// squares from a1.
pub trait Exchange {
    fn side_to_move(&self) -> usize;
    fn color(&self, color: usize) -> u64;
    fn kind(&self, kind: usize) -> u64;
    fn pawn_attacks(color: usize, square: u8) -> u64;
    fn knight_attacks(square: u8) -> u64;
    fn king_attacks(square: u8) -> u64;
    fn bishop_attacks(square: u8, occupied: u64) -> u64;
    fn rook_attacks(square: u8, occupied: u64) -> u64;
}

const PAWN: usize = 0;
const KNIGHT: usize = 1;
const BISHOP: usize = 2;
const ROOK: usize = 3;
const QUEEN: usize = 4;
const KING: usize = 5;

/// Whether the exchange that a capture without promotion starts on `to` wins at least
/// `threshold` centipawns.
pub fn see_ge<B: Exchange>(board: &B, from: u8, to: u8, threshold: i32) -> bool {
    let kind_on = |square: u8| (0..6).find(|&kind| board.kind(kind) >> square & 1 != 0);
    let value_on = |square: u8| kind_on(square).map_or(0, |kind| SEE_VALUES[kind]);
    let mut balance = value_on(to) - threshold;
    if balance < 0 {
        return false;
    }
    balance -= value_on(from);
    if balance >= 0 {
        return true;
    }
    let diagonal = board.kind(BISHOP) | board.kind(QUEEN);
    let orthogonal = board.kind(ROOK) | board.kind(QUEEN);
    let colors = [board.color(0), board.color(1)];
    let mut occupied = (colors[0] | colors[1]) & !(1 << from) & !(1 << to);
    let pawns = B::pawn_attacks(1, to) & colors[0] | B::pawn_attacks(0, to) & colors[1];
    let mut attackers = pawns & board.kind(PAWN)
        | B::knight_attacks(to) & board.kind(KNIGHT)
        | B::king_attacks(to) & board.kind(KING)
        | B::bishop_attacks(to, occupied) & diagonal
        | B::rook_attacks(to, occupied) & orthogonal;
    attackers &= occupied;
    let mover = board.side_to_move();
    let mut side = 1 - mover;
    while attackers & colors[side] != 0 {
        let own = attackers & colors[side];
        let Some(kind) = (0..6).find(|&kind| own & board.kind(kind) != 0) else { break };
        if kind == KING && attackers & colors[1 - side] != 0 {
            break;
        }
        let man = own & board.kind(kind);
        occupied ^= man & man.wrapping_neg();
        if matches!(kind, PAWN | BISHOP | QUEEN) {
            attackers |= B::bishop_attacks(to, occupied) & diagonal;
        }
        if matches!(kind, ROOK | QUEEN) {
            attackers |= B::rook_attacks(to, occupied) & orthogonal;
        }
        attackers &= occupied;
        side = 1 - side;
        balance = -balance - 1 - SEE_VALUES[kind];
        if balance >= 0 {
            break;
        }
    }
    side != mover
}
