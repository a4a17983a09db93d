//! Rows of sixteen-bit numbers. Plain loops, compiled once for each set of vector instructions
//! and chosen at run time; whole numbers, so all give the same to the last bit.

use super::{HIDDEN, QA};

/// The sums of a view, or the weights of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Row(pub [i16; HIDDEN]);

impl Row {
    #[cfg(test)]
    pub const ZERO: Self = Self([0; HIDDEN]);

    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        for (sum, weight) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.wrapping_add(*weight);
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx2")
}

/// Compiles a function for the vector instructions of newer processors too.
macro_rules! for_each_processor {
    (
        $(#[$meta:meta])*
        pub fn $name:ident as $module:ident($($arg:ident: $type:ty),*) $(-> $out:ty)? $body:block
    ) => {
        $(#[$meta])*
        pub fn $name($($arg: $type),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            {
                if has_avx512() {
                    // SAFETY: the processor has these instructions, as just checked.
                    return unsafe { $module::avx512($($arg),*) };
                }
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: as above.
                    return unsafe { $module::avx2($($arg),*) };
                }
            }
            $module::plain($($arg),*)
        }

        mod $module {
            use super::*;

            #[inline(always)]
            pub fn plain($($arg: $type),*) $(-> $out)? $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
            pub fn avx512($($arg: $type),*) $(-> $out)? {
                plain($($arg),*)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            pub fn avx2($($arg: $type),*) $(-> $out)? {
                plain($($arg),*)
            }
        }
    };
}

for_each_processor! {
    /// `from` with the weights of some inputs added and of others taken off.
    pub fn change as changes(from: &Row, weights: &[Row], added: &[u16], removed: &[u16], to: &mut Row) {
        let mut row = *from;
        let pairs = added.len().min(removed.len());
        for (&add, &remove) in added.iter().zip(removed) {
            let (add, remove) = (&weights[usize::from(add)], &weights[usize::from(remove)]);
            for i in 0..HIDDEN {
                row.0[i] = row.0[i].wrapping_add(add.0[i]).wrapping_sub(remove.0[i]);
            }
        }
        for &add in &added[pairs..] {
            row.add(&weights[usize::from(add)]);
        }
        for &remove in &removed[pairs..] {
            let remove = &weights[usize::from(remove)];
            for i in 0..HIDDEN {
                row.0[i] = row.0[i].wrapping_sub(remove.0[i]);
            }
        }
        *to = row;
    }
}

for_each_processor! {
    /// The sum of clipped sums, squared, times their weights.
    pub fn weigh as weighing(sums: &Row, weights: &Row) -> i32 {
        let mut total = 0i32;
        for i in 0..HIDDEN {
            let clipped = sums.0[i].clamp(0, QA as i16);
            // Fits: 255 times 127 is below 32768.
            let weighted = clipped.wrapping_mul(weights.0[i]);
            total = total.wrapping_add(i32::from(weighted) * i32::from(clipped));
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of a linear congruential generator, in the range of the weights or of the sums.
    fn row(seed: u32, most: i16) -> Row {
        let mut state = seed;
        Row(std::array::from_fn(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 16) as i16) % (most + 1)
        }))
    }

    #[test]
    fn all_instruction_sets_agree() {
        let weights: Vec<Row> = (0..8).map(|seed| row(seed, 900)).collect();
        for seed in 0..200 {
            let from = row(1000 + seed, 20_000);
            let output = row(2000 + seed, 127);
            let (added, removed) = ([1, 5, 7], [2, (seed % 8) as u16]);
            let mut plain = Row::ZERO;
            changes::plain(&from, &weights, &added, &removed, &mut plain);
            let total = weighing::plain(&from, &output);
            let expected: i64 = std::iter::zip(from.0, output.0)
                .map(|(sum, weight)| i64::from(sum.clamp(0, 255)).pow(2) * i64::from(weight))
                .sum();
            assert_eq!(i64::from(total), expected);
            let mut chosen = Row::ZERO;
            change(&from, &weights, &added, &removed, &mut chosen);
            assert_eq!((chosen, weigh(&from, &output)), (plain, total));
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                let mut other = Row::ZERO;
                // SAFETY: the processor has AVX2.
                unsafe { changes::avx2(&from, &weights, &added, &removed, &mut other) };
                // SAFETY: as above.
                assert_eq!((other, unsafe { weighing::avx2(&from, &output) }), (plain, total));
            }
            #[cfg(target_arch = "x86_64")]
            if has_avx512() {
                let mut other = Row::ZERO;
                // SAFETY: the processor has AVX-512.
                unsafe { changes::avx512(&from, &weights, &added, &removed, &mut other) };
                // SAFETY: as above.
                assert_eq!((other, unsafe { weighing::avx512(&from, &output) }), (plain, total));
            }
        }
    }
}
