//! Attack sets of every kind of man, and the lines between squares.
//!
//! All tables are computed at compile time, so that a look-up is a load and nothing more.

mod magics;

use super::{Bitboard, Color, Square};
use magics::{BISHOP_MAGICS, ROOK_MAGICS};

/// The squares that a knight on `square` attacks.
#[inline(always)]
pub fn knight_attacks(square: Square) -> Bitboard {
    Bitboard(KNIGHT[square.index()])
}

/// The squares that a king on `square` attacks.
#[inline(always)]
pub fn king_attacks(square: Square) -> Bitboard {
    Bitboard(KING[square.index()])
}

/// The squares that a pawn of `color` on `square` attacks.
#[inline(always)]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    Bitboard(PAWN[color.index()][square.index()])
}

/// The squares that the pawns of `color` on `pawns` attack.
#[inline(always)]
pub const fn pawn_set_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    let west = pawns.0 & !FILE_A;
    let east = pawns.0 & !FILE_H;
    Bitboard(match color {
        Color::White => west << 7 | east << 9,
        Color::Black => west >> 9 | east >> 7,
    })
}

/// The squares that a bishop on `square` attacks when `occupied` stand on the board.
#[inline(always)]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOP[square.index()].attacks(occupied)
}

/// The squares that a rook on `square` attacks when `occupied` stand on the board.
#[inline(always)]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    ROOK[square.index()].attacks(occupied)
}

/// The squares that a queen on `square` attacks when `occupied` stand on the board.
#[inline(always)]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    bishop_attacks(square, occupied) | rook_attacks(square, occupied)
}

/// The squares that a bishop on `square` attacks on an empty board.
#[inline(always)]
pub fn bishop_rays(square: Square) -> Bitboard {
    Bitboard(BISHOP_RAYS[square.index()])
}

/// The squares that a rook on `square` attacks on an empty board.
#[inline(always)]
pub fn rook_rays(square: Square) -> Bitboard {
    Bitboard(ROOK_RAYS[square.index()])
}

/// The squares strictly between two squares of one rank, file or diagonal; empty otherwise.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(BETWEEN[a.index()][b.index()])
}

/// The whole rank, file or diagonal through two different squares, both included; empty if
/// there is none.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    Bitboard(LINE[a.index()][b.index()])
}

pub(super) const FILE_A: u64 = 0x0101_0101_0101_0101;
pub(super) const FILE_H: u64 = FILE_A << 7;

const KNIGHT_STEPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i32, i32); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const ROOK_STEPS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP_STEPS: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

static KNIGHT: [u64; 64] = step_table(&KNIGHT_STEPS);
static KING: [u64; 64] = step_table(&KING_STEPS);
static PAWN: [[u64; 64]; 2] = [step_table(&[(-1, 1), (1, 1)]), step_table(&[(-1, -1), (1, -1)])];
static BISHOP_RAYS: [u64; 64] = ray_table(&BISHOP_STEPS);
static ROOK_RAYS: [u64; 64] = ray_table(&ROOK_STEPS);
static BETWEEN: [[u64; 64]; 64] = between_table();
static LINE: [[u64; 64]; 64] = line_table();

/// The square `(files, ranks)` away, as a set of at most one.
const fn step(square: usize, (files, ranks): (i32, i32)) -> u64 {
    let file = (square & 7) as i32 + files;
    let rank = (square >> 3) as i32 + ranks;
    if file < 0 || file > 7 || rank < 0 || rank > 7 { 0 } else { 1 << (rank * 8 + file) }
}

const fn step_table(steps: &[(i32, i32)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < steps.len() {
            table[square] |= step(square, steps[i]);
            i += 1;
        }
        square += 1;
    }
    table
}

/// The squares from `square` in one direction up to and including the first occupied one.
const fn ray(square: usize, direction: (i32, i32), occupied: u64) -> u64 {
    let mut attacks = 0;
    let mut next = step(square, direction);
    while next != 0 {
        attacks |= next;
        if next & occupied != 0 {
            break;
        }
        next = step(next.trailing_zeros() as usize, direction);
    }
    attacks
}

const fn slide(square: usize, directions: &[(i32, i32); 4], occupied: u64) -> u64 {
    ray(square, directions[0], occupied)
        | ray(square, directions[1], occupied)
        | ray(square, directions[2], occupied)
        | ray(square, directions[3], occupied)
}

const fn ray_table(directions: &[(i32, i32); 4]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = slide(square, directions, 0);
        square += 1;
    }
    table
}

const fn between_table() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut i = 0;
        while i < 8 {
            let mut rest = ray(a, KING_STEPS[i], 0);
            while rest != 0 {
                let b = rest.trailing_zeros() as usize;
                table[a][b] = ray(a, KING_STEPS[i], 1 << b) & !(1 << b);
                rest &= rest - 1;
            }
            i += 1;
        }
        a += 1;
    }
    table
}

const fn line_table() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut i = 0;
        while i < 8 {
            let forth = ray(a, KING_STEPS[i], 0);
            let back = ray(a, KING_STEPS[(i + 4) % 8], 0);
            let mut rest = forth;
            while rest != 0 {
                table[a][rest.trailing_zeros() as usize] = forth | back | 1 << a;
                rest &= rest - 1;
            }
            i += 1;
        }
        a += 1;
    }
    table
}

/// What a look-up needs to know of a square.
#[derive(Clone, Copy)]
struct Magic {
    mask: u64,
    magic: u64,
    offset: u32,
    shift: u32,
}

impl Magic {
    #[inline(always)]
    fn attacks(&self, occupied: Bitboard) -> Bitboard {
        let hash = (occupied.0 & self.mask).wrapping_mul(self.magic) >> self.shift;
        Bitboard(SLIDERS[self.offset as usize + hash as usize])
    }
}

/// Entries of all rook squares and all bishop squares together.
const SLIDER_ENTRIES: usize = 102_400 + 5_248;

static ROOK: [Magic; 64] = magic_table(&ROOK_STEPS, &ROOK_MAGICS, 0);
static BISHOP: [Magic; 64] = magic_table(&BISHOP_STEPS, &BISHOP_MAGICS, 102_400);
#[allow(long_running_const_eval)]
static SLIDERS: [u64; SLIDER_ENTRIES] = slider_table();

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

const fn magic_table(
    directions: &[(i32, i32); 4],
    magics: &[u64; 64],
    first: usize,
) -> [Magic; 64] {
    let mut table = [Magic { mask: 0, magic: 0, offset: 0, shift: 0 }; 64];
    let mut offset = first;
    let mut square = 0;
    while square < 64 {
        let mask = relevant_mask(square, directions);
        let bits = mask.count_ones();
        table[square] =
            Magic { mask, magic: magics[square], offset: offset as u32, shift: 64 - bits };
        offset += 1 << bits;
        square += 1;
    }
    table
}

const fn slider_table() -> [u64; SLIDER_ENTRIES] {
    let table = [0; SLIDER_ENTRIES];
    let table = fill(table, &magic_table(&ROOK_STEPS, &ROOK_MAGICS, 0), &ROOK_STEPS);
    fill(table, &magic_table(&BISHOP_STEPS, &BISHOP_MAGICS, 102_400), &BISHOP_STEPS)
}

/// What a slider on `square` attacks along one line, by subtraction ("o minus 2r"): some tens
/// of operations less than a walk, which matters to the compiler's interpreter.
const fn along(square: usize, line: u64, occupied: u64) -> u64 {
    let blockers = occupied & line;
    let slider = 1u64 << square;
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers.reverse_bits().wrapping_sub(slider.reverse_bits() << 1).reverse_bits();
    (up ^ down) & line
}

/// Enters every relevant occupancy of every square, and proves the magics on the way: two
/// attack sets in one place fail the compilation.
const fn fill(
    mut table: [u64; SLIDER_ENTRIES],
    squares: &[Magic; 64],
    directions: &[(i32, i32); 4],
) -> [u64; SLIDER_ENTRIES] {
    let mut square = 0;
    while square < 64 {
        let Magic { mask, magic, offset, shift } = squares[square];
        let line1 = ray(square, directions[0], 0) | ray(square, directions[2], 0);
        let line2 = ray(square, directions[1], 0) | ray(square, directions[3], 0);
        let mut occupied = 0u64;
        loop {
            let index = offset as usize + (occupied.wrapping_mul(magic) >> shift) as usize;
            let attacks = along(square, line1, occupied) | along(square, line2, occupied);
            assert!(table[index] == 0 || table[index] == attacks, "magic collision");
            table[index] = attacks;
            occupied = occupied.wrapping_sub(mask) & mask;
            if occupied == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}
