//! Attack sets of every kind of man, and the lines between squares.
//!
//! All tables are computed at compile time: no look-up asks whether its table is there.

mod magics;
pub(super) mod sliders;

use super::{Bitboard, Color, Square};
use sliders::magic_attacks;

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
    magic_attacks::<{ sliders::BISHOP }>(square, occupied)
}

/// The squares that a rook on `square` attacks when `occupied` stand on the board.
#[inline(always)]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    magic_attacks::<{ sliders::ROOK }>(square, occupied)
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
