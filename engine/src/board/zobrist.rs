//! The random numbers that make up a position's key (Zobrist, 1970).

use super::position::code;
use super::{Color, PieceType, Position, Square};

/// Keys of the men by colour, [code](super::position::code) and square. Row 0 (no man) is zero.
static MEN: [[[u64; 64]; 16]; 2] = men_table();
/// Keys of the castling rights by colour and set of rook files.
static CASTLING: [[u64; 256]; 2] = castling_table();
/// Keys of the file of a legal en passant capture.
static EN_PASSANT: [u64; 8] = random_numbers(0x0A1B_2C3D_4E5F_6071);
/// Key of Black to move.
pub(super) const SIDE: u64 = random(0x7F4A_7C15_9E37_79B9);

/// The key of a man of `code` on a square.
#[inline(always)]
pub(super) fn man(color: Color, code: usize, square: Square) -> u64 {
    MEN[color.index()][code & 15][square.index()]
}

/// The key of castling rights with the rooks on `files`.
#[inline(always)]
pub(super) fn castling(color: Color, files: u8) -> u64 {
    CASTLING[color.index()][files as usize]
}

/// The key of an en passant capture on the file of `square`.
#[inline(always)]
pub(super) fn en_passant(square: Square) -> u64 {
    EN_PASSANT[square.file() as usize]
}

impl Position {
    /// What a quiet move of a man changes in the key, castling rights and en passant apart.
    pub(crate) fn move_key(color: Color, kind: PieceType, from: Square, to: Square) -> u64 {
        let code = code::of(kind);
        man(color, code, from) ^ man(color, code, to) ^ SIDE
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
const fn random(state: u64) -> u64 {
    let z = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

const fn random_numbers<const N: usize>(seed: u64) -> [u64; N] {
    let mut numbers = [0; N];
    let mut i = 0;
    while i < N {
        numbers[i] = random(seed.wrapping_add(0x9E37_79B9_7F4A_7C15u64.wrapping_mul(i as u64)));
        i += 1;
    }
    numbers
}

const fn men_table() -> [[[u64; 64]; 16]; 2] {
    let mut table = [[[0; 64]; 16]; 2];
    let mut color = 0;
    while color < 2 {
        let mut code = 1;
        while code < 16 {
            table[color][code] = random_numbers(random((color * 16 + code) as u64));
            code += 1;
        }
        color += 1;
    }
    table
}

/// One number for each rook file, combined for each set of files, so that rights can be
/// lost one by one.
const fn castling_table() -> [[u64; 256]; 2] {
    let mut table = [[0; 256]; 2];
    let mut color = 0;
    while color < 2 {
        let files: [u64; 8] = random_numbers(random(1000 + color as u64));
        let mut set = 0;
        while set < 256 {
            let mut file = 0;
            while file < 8 {
                if set >> file & 1 != 0 {
                    table[color][set] ^= files[file];
                }
                file += 1;
            }
            set += 1;
        }
        color += 1;
    }
    table
}
