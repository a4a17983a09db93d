//! The late move reduction table.

use std::sync::{Arc, LazyLock};

use super::params;

const SIZE: usize = 64;

/// Reductions by kind of move, depth and move number, in 1024ths of a ply.
pub type Reductions = [[[i32; SIZE]; SIZE]; 2];

/// The reductions, found once for a search and not at every node.
pub fn table() -> Arc<Reductions> {
    static TABLE: LazyLock<Arc<Reductions>> = LazyLock::new(|| Arc::new(fresh_table()));
    // A tuner may have set other numbers since the last search.
    if params::TUNABLES.is_empty() { TABLE.clone() } else { Arc::new(fresh_table()) }
}

fn fresh_table() -> Reductions {
    let mut table = [[[0; SIZE]; SIZE]; 2];
    let kinds = [
        (params::lmr_base(), params::lmr_slope()),
        (params::lmr_noisy_base(), params::lmr_noisy_slope()),
    ];
    for (rows, (base, slope)) in table.iter_mut().zip(kinds) {
        for depth in 1..SIZE {
            for number in 1..SIZE {
                let product = i64::from(LN[depth]) * i64::from(LN[number]) / 1024;
                rows[depth][number] = base + (product * i64::from(slope) / 1024) as i32;
            }
        }
    }
    table
}

/// How much to reduce the move of this number, from 1, in 1024ths of a ply.
#[inline(always)]
pub fn reduction(table: &Reductions, noisy: bool, depth: i32, number: usize) -> i32 {
    table[noisy as usize][depth.clamp(0, SIZE as i32 - 1) as usize][number.min(SIZE - 1)]
}

/// Natural logarithms in 1024ths, by integers alone so that every build has the same.
const LN: [i32; SIZE] = {
    let mut table = [0; SIZE];
    let mut n = 1;
    while n < SIZE {
        table[n] = (log2_1024ths(n as u64) * 710 / 1024) as i32;
        n += 1;
    }
    table
};

const fn log2_1024ths(n: u64) -> u64 {
    let whole = n.ilog2() as u64;
    let mut mantissa = (n << 32) >> whole;
    let mut result = whole;
    let mut bit = 0;
    while bit < 10 {
        mantissa = ((mantissa as u128 * mantissa as u128) >> 32) as u64;
        let carry = mantissa >> 33;
        mantissa >>= carry;
        result = result << 1 | carry;
        bit += 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_close() {
        for (n, ln) in LN.iter().enumerate().skip(1) {
            assert!((f64::from(*ln) / 1024.0 - (n as f64).ln()).abs() < 0.003, "ln {n}");
        }
    }
}
