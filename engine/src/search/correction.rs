//! Correction histories: how far the evaluation was off in positions with a common trait.

use super::history::{NO_PIECE_TO, PIECE_TO, zeroed};
use super::params;
use super::prefetch::prefetch;
use crate::board::{Color, PieceType, Position};

const SIZE: usize = 1 << 14;
const LIMIT: i32 = 1024;

/// Hashes of the parts of a position that the correction histories look at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Traits {
    /// Hash of the pawns.
    pub pawns: usize,
    minors: usize,
    majors: usize,
    non_pawns: [usize; 2],
}

impl Traits {
    /// All hashes zero.
    pub const ZERO: Self = Self { pawns: 0, minors: 0, majors: 0, non_pawns: [0; 2] };

    /// The hashes of a position.
    #[inline]
    pub fn of(position: &Position) -> Self {
        let of = |color, kind| position.pieces(color, kind).0;
        let pair = |kind| mix(of(Color::White, kind), of(Color::Black, kind));
        let kings = pair(PieceType::King);
        let minors = pair(PieceType::Knight) ^ pair(PieceType::Bishop).rotate_left(17) ^ kings;
        let majors = pair(PieceType::Rook) ^ pair(PieceType::Queen).rotate_left(17) ^ kings;
        let side = |color: Color| {
            let knights_and_bishops =
                mix(of(color, PieceType::Knight), of(color, PieceType::Bishop));
            let rooks_and_queens = mix(of(color, PieceType::Rook), of(color, PieceType::Queen));
            knights_and_bishops
                ^ rooks_and_queens.rotate_left(17)
                ^ mix(of(color, PieceType::King), 0)
        };
        Self {
            pawns: index(pair(PieceType::Pawn)),
            minors: index(minors),
            majors: index(majors),
            non_pawns: [index(side(Color::White)), index(side(Color::Black))],
        }
    }
}

/// Two multiplications by odd constants, high bits well mixed.
#[inline(always)]
fn mix(a: u64, b: u64) -> u64 {
    let a = a.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let b = b.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    a ^ b.rotate_left(31)
}

#[inline(always)]
fn index(hash: u64) -> usize {
    (hash.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 50) as usize
}

#[inline(always)]
fn update(entry: &mut i16, bonus: i32) {
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / LIMIT) as i16;
}

/// The correction histories of one thread, by side to move.
pub struct Corrections {
    pawns: Box<[[i16; SIZE]; 2]>,
    minors: Box<[[i16; SIZE]; 2]>,
    majors: Box<[[i16; SIZE]; 2]>,
    non_pawns: Box<[[[i16; SIZE]; 2]; 2]>,
    /// By the man and destination of the two last moves.
    continuation: Box<[[i16; PIECE_TO + 1]; PIECE_TO + 1]>,
}

impl Corrections {
    /// Empty histories.
    pub fn new() -> Self {
        Self {
            pawns: zeroed([0; SIZE]),
            minors: zeroed([0; SIZE]),
            majors: zeroed([0; SIZE]),
            non_pawns: Box::new([[[0; SIZE]; 2]; 2]),
            continuation: zeroed([0; PIECE_TO + 1]),
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        for table in [&mut self.pawns, &mut self.minors, &mut self.majors] {
            table.fill([0; SIZE]);
        }
        *self.non_pawns = [[[0; SIZE]; 2]; 2];
        self.continuation.fill([0; PIECE_TO + 1]);
    }

    /// What to add to the evaluation, in centipawns. `before` are the moves 2 and 1 plies earlier.
    #[inline]
    pub fn correction(&self, side: Color, traits: &Traits, before: [usize; 2]) -> i32 {
        let side = side.index();
        let value = |entry: i16, weight: i32| i32::from(entry) * weight;
        let sum = value(self.pawns[side][traits.pawns], params::correction_pawn())
            + value(self.minors[side][traits.minors], params::correction_minor())
            + value(self.majors[side][traits.majors], params::correction_major())
            + value(self.non_pawns[0][side][traits.non_pawns[0]], params::correction_non_pawn())
            + value(self.non_pawns[1][side][traits.non_pawns[1]], params::correction_non_pawn())
            + value(self.continuation[before[0]][before[1]], params::correction_continuation());
        sum / (512 * 8)
    }

    /// Asks the processor to fetch what [`Self::correction`] will read.
    #[inline]
    pub fn prefetch(&self, side: Color, traits: &Traits) {
        let side = side.index();
        prefetch(&self.pawns[side][traits.pawns]);
        prefetch(&self.minors[side][traits.minors]);
        prefetch(&self.majors[side][traits.majors]);
        prefetch(&self.non_pawns[0][side][traits.non_pawns[0]]);
        prefetch(&self.non_pawns[1][side][traits.non_pawns[1]]);
    }

    /// Learns that a search of `depth` gave a score `error` centipawns above the evaluation.
    #[inline]
    pub fn update(
        &mut self,
        side: Color,
        traits: &Traits,
        before: [usize; 2],
        depth: i32,
        error: i32,
    ) {
        let bonus = (error * depth / 8).clamp(-LIMIT / 4, LIMIT / 4);
        let side = side.index();
        update(&mut self.pawns[side][traits.pawns], bonus);
        update(&mut self.minors[side][traits.minors], bonus);
        update(&mut self.majors[side][traits.majors], bonus);
        update(&mut self.non_pawns[0][side][traits.non_pawns[0]], bonus);
        update(&mut self.non_pawns[1][side][traits.non_pawns[1]], bonus);
        if before[1] != NO_PIECE_TO {
            update(&mut self.continuation[before[0]][before[1]], bonus);
        }
    }
}
