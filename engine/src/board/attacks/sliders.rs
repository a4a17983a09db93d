//! Attack sets of sliders: by magic multiplication, or by PEXT where that is fast.
//!
//! The PEXT table holds the sets themselves (841 KiB). The magic table holds one byte for each
//! occupancy, the number of the set among the square's sets (155 KiB with the sets). Together
//! they stay below 1 MiB; a run touches only one of them.

use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
use super::{BISHOP_STEPS, ROOK_STEPS, ray, step};
use crate::board::{Bitboard, Square};

/// Aligned with the cache lines.
#[repr(align(64))]
struct Aligned<const N: usize>([u8; N]);

/// Relevant occupancies of all rook squares and of all bishop squares.
const ROOK_ENTRIES: usize = 102_400;
const BISHOP_ENTRIES: usize = 5_248;
/// Different attack sets of all rook squares and of all bishop squares.
const ROOK_SETS: usize = 4_900;
const BISHOP_SETS: usize = 1_428;

#[cfg(target_arch = "x86_64")]
static PEXT: Aligned<{ 8 * (ROOK_ENTRIES + BISHOP_ENTRIES) }> =
    Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/pext.bin")));
static MAGIC: Aligned<{ ROOK_ENTRIES + BISHOP_ENTRIES }> =
    Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/magic.bin")));
static SETS: Aligned<{ 8 * (ROOK_SETS + BISHOP_SETS) }> =
    Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/sets.bin")));

/// The word at `index` of a table of little-endian words.
#[inline(always)]
fn word<const N: usize>(table: &Aligned<N>, index: usize) -> u64 {
    let (words, _) = table.0.as_chunks::<8>();
    debug_assert!(index < words.len());
    // SAFETY: the callers add to a square's offset what selects one of that square's entries;
    // `every_entry_is_right` in this file visits all of them.
    u64::from_le_bytes(*unsafe { words.get_unchecked(index) })
}

/// How the magic look-up finds the sets of a square.
#[derive(Clone, Copy)]
struct MagicSquare {
    mask: u64,
    magic: u64,
    entries: u32,
    sets: u16,
    shift: u16,
}

/// How the PEXT look-up finds the sets of a square.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct PextSquare {
    mask: u64,
    entries: usize,
}

static MAGIC_SQUARES: [[MagicSquare; 64]; 2] = [
    magic_squares(&ROOK_STEPS, &ROOK_MAGICS, 0, 0),
    magic_squares(&BISHOP_STEPS, &BISHOP_MAGICS, ROOK_ENTRIES, ROOK_SETS),
];
#[cfg(target_arch = "x86_64")]
static PEXT_SQUARES: [[PextSquare; 64]; 2] = {
    let none = PextSquare { mask: 0, entries: 0 };
    let mut squares = [[none; 64]; 2];
    let mut i = 0;
    while i < 128 {
        let MagicSquare { mask, entries, .. } = MAGIC_SQUARES[i / 64][i % 64];
        squares[i / 64][i % 64] = PextSquare { mask, entries: entries as usize };
        i += 1;
    }
    squares
};

/// The rows of the tables of squares.
pub(in crate::board) const ROOK: usize = 0;
pub(in crate::board) const BISHOP: usize = 1;

/// The attacks of a slider by magic multiplication.
#[inline(always)]
pub(in crate::board) fn magic_attacks<const PIECE: usize>(
    square: Square,
    occupied: Bitboard,
) -> Bitboard {
    let MagicSquare { mask, magic, entries, sets, shift } = MAGIC_SQUARES[PIECE][square.index()];
    let index = (occupied.0 & mask).wrapping_mul(magic) >> (shift & 63);
    let number = MAGIC.0[entries as usize + index as usize];
    Bitboard(word(&SETS, usize::from(sets) + usize::from(number)))
}

/// The attacks of a slider by PEXT.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
#[inline]
pub(in crate::board) fn pext_attacks<const PIECE: usize>(
    square: Square,
    occupied: Bitboard,
) -> Bitboard {
    let PextSquare { mask, entries } = PEXT_SQUARES[PIECE][square.index()];
    let index = std::arch::x86_64::_pext_u64(occupied.0, mask);
    Bitboard(word(&PEXT, entries + index as usize))
}

/// The occupied squares that change what a slider on `square` attacks: its rays without the
/// last square of each.
const fn relevant_mask(square: usize, directions: &[(i32, i32); 4]) -> u64 {
    let mut mask = 0;
    let mut i = 0;
    while i < 4 {
        let mut rest = ray(square, directions[i], 0);
        while rest != 0 {
            let next = rest.trailing_zeros() as usize;
            if step(next, directions[i]) != 0 {
                mask |= 1 << next;
            }
            rest &= rest - 1;
        }
        i += 1;
    }
    mask
}

/// How many different sets a slider on `square` has: the product over its rays of their lengths.
const fn set_count(square: usize, directions: &[(i32, i32); 4]) -> usize {
    let mut count = 1;
    let mut i = 0;
    while i < 4 {
        let length = ray(square, directions[i], 0).count_ones() as usize;
        if length > 0 {
            count *= length;
        }
        i += 1;
    }
    count
}

const fn magic_squares(
    directions: &[(i32, i32); 4],
    magics: &[u64; 64],
    mut entries: usize,
    mut sets: usize,
) -> [MagicSquare; 64] {
    let none = MagicSquare { mask: 0, magic: 0, entries: 0, sets: 0, shift: 0 };
    let mut table = [none; 64];
    let mut square = 0;
    while square < 64 {
        let mask = relevant_mask(square, directions);
        let bits = mask.count_ones();
        table[square] = MagicSquare {
            mask,
            magic: magics[square],
            entries: entries as u32,
            sets: sets as u16,
            shift: 64 - bits as u16,
        };
        entries += 1 << bits;
        sets += set_count(square, directions);
        square += 1;
    }
    table
}

/// What a slider attacks, found by walking.
#[cfg(test)]
fn walked<const PIECE: usize>(square: Square, occupied: Bitboard) -> Bitboard {
    let directions = if PIECE == ROOK { &ROOK_STEPS } else { &BISHOP_STEPS };
    Bitboard(crate::board::attacks::slide(square.index(), directions, occupied.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const PIECE: usize>() -> usize {
        let mut entries = 0;
        for square in Square::all() {
            let mask = MAGIC_SQUARES[PIECE][square.index()].mask;
            let mut occupied = 0u64;
            loop {
                // Bits outside the mask must not matter.
                for noise in [0, !mask, 0xA5A5_5A5A_C3C3_3C3C & !mask] {
                    let set = Bitboard(occupied | noise);
                    let expected = walked::<PIECE>(square, set);
                    assert_eq!(magic_attacks::<PIECE>(square, set), expected);
                    #[cfg(target_arch = "x86_64")]
                    if std::arch::is_x86_feature_detected!("bmi2") {
                        // SAFETY: the processor has BMI2.
                        let set = unsafe { pext_attacks::<PIECE>(square, set) };
                        assert_eq!(set, expected);
                    }
                }
                entries += 1;
                occupied = occupied.wrapping_sub(mask) & mask;
                if occupied == 0 {
                    break;
                }
            }
        }
        entries
    }

    #[test]
    fn every_entry_is_right() {
        assert_eq!(check::<ROOK>(), ROOK_ENTRIES);
        assert_eq!(check::<BISHOP>(), BISHOP_ENTRIES);
    }

    #[test]
    fn the_tables_stay_below_a_mebibyte() {
        let bytes = size_of_val(&PEXT) + size_of_val(&MAGIC) + size_of_val(&SETS);
        assert!(bytes <= 1 << 20, "{bytes}");
    }
}
