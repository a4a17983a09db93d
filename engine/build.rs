//! Computes the slider tables once, natively; as constants they would cost the compiler's
//! interpreter seconds at every build.

use std::path::Path;
use std::{env, fs};

#[path = "src/board/attacks/magics.rs"]
mod magics;

const ROOK_STEPS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP_STEPS: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// What a slider attacks; without `edges`, the last square of each ray is left out.
fn slide(square: usize, steps: &[(i32, i32); 4], occupied: u64, edges: bool) -> u64 {
    let on_board = |file: i32, rank: i32| (0..8).contains(&file) && (0..8).contains(&rank);
    let mut attacks = 0;
    for &(files, ranks) in steps {
        let (mut file, mut rank) = ((square % 8) as i32, (square / 8) as i32);
        loop {
            (file, rank) = (file + files, rank + ranks);
            if !on_board(file, rank) || !edges && !on_board(file + files, rank + ranks) {
                break;
            }
            let next = 1 << (rank * 8 + file);
            attacks |= next;
            if occupied & next != 0 {
                break;
            }
        }
    }
    attacks
}

/// The tables of `attacks::sliders`, filled square by square, rooks first.
#[derive(Default)]
struct Tables {
    /// Attack sets by square and the occupied bits of its mask, packed together.
    pext: Vec<u64>,
    /// By square and magic index: which of the square's sets it is.
    magic: Vec<u8>,
    /// The different attack sets of each square.
    sets: Vec<u64>,
}

impl Tables {
    fn add(&mut self, square: usize, steps: &[(i32, i32); 4], magic: u64) {
        let mask = slide(square, steps, 0, false);
        let bits = mask.count_ones();
        let mut numbers = vec![None; 1 << bits];
        let mut sets: Vec<u64> = Vec::new();
        // Counting within the mask visits the subsets in the order of their packed bits.
        let mut occupied = 0u64;
        loop {
            let attacks = slide(square, steps, occupied, true);
            self.pext.push(attacks);
            let number = sets.iter().position(|&set| set == attacks).unwrap_or_else(|| {
                sets.push(attacks);
                sets.len() - 1
            });
            let index = (occupied.wrapping_mul(magic) >> (64 - bits)) as usize;
            let before = numbers[index].replace(number);
            assert!(before.is_none_or(|b| b == number), "the magic of square {square} collides");
            occupied = occupied.wrapping_sub(mask) & mask;
            if occupied == 0 {
                break;
            }
        }
        self.magic.extend(numbers.iter().map(|number| number.unwrap_or(0) as u8));
        self.sets.extend(sets);
    }
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/board/attacks/magics.rs");
    let mut tables = Tables::default();
    for square in 0..64 {
        tables.add(square, &ROOK_STEPS, magics::ROOK_MAGICS[square]);
    }
    for square in 0..64 {
        tables.add(square, &BISHOP_STEPS, magics::BISHOP_MAGICS[square]);
    }
    let bytes = |words: &[u64]| words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    for (name, data) in [
        ("pext.bin", bytes(&tables.pext)),
        ("magic.bin", tables.magic),
        ("sets.bin", bytes(&tables.sets)),
    ] {
        fs::write(Path::new(&out).join(name), data).expect("OUT_DIR can be written");
    }
}
