//! Rows of sixteen-bit numbers, and the choice of instructions.
//!
//! The loops are plain. Work on them is compiled once for each set of vector instructions, and one
//! of these is chosen at run time for a whole evaluation; whole numbers, so all give the same to
//! the last bit.

use super::{HIDDEN, QA};

/// The sums of a view, or the weights of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Row(pub [i16; HIDDEN]);

impl Row {
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        for (sum, weight) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.wrapping_add(*weight);
        }
    }

    #[inline(always)]
    fn subtract(&mut self, other: &Self) {
        for (sum, weight) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.wrapping_sub(*weight);
        }
    }

    /// The row with the weights of some inputs added and of others taken off.
    #[inline(always)]
    pub fn changed<'a>(
        &self,
        mut added: impl Iterator<Item = &'a Self>,
        mut removed: impl Iterator<Item = &'a Self>,
    ) -> Self {
        let mut row = *self;
        loop {
            match (added.next(), removed.next()) {
                (Some(add), Some(remove)) => {
                    for i in 0..HIDDEN {
                        row.0[i] = row.0[i].wrapping_add(add.0[i]).wrapping_sub(remove.0[i]);
                    }
                }
                (Some(add), None) => row.add(add),
                (None, Some(remove)) => row.subtract(remove),
                (None, None) => return row,
            }
        }
    }

    /// The sum of the sums here, clipped and squared, times their weights.
    #[inline(always)]
    pub fn weigh(&self, weights: &Self) -> i32 {
        let mut total = 0i32;
        for i in 0..HIDDEN {
            let clipped = self.0[i].clamp(0, QA as i16);
            // Fits: 255 times 127 is below 32768.
            let weighted = clipped.wrapping_mul(weights.0[i]);
            total = total.wrapping_add(i32::from(weighted) * i32::from(clipped));
        }
        total
    }
}

/// What is compiled for each set of instructions. What `run` calls without inlining it stays right,
/// but is compiled for the oldest processor.
pub trait Work {
    /// What comes out of it.
    type Output;

    /// Does the work.
    fn run(self) -> Self::Output;
}

/// Does the work.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub fn run<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
pub use x86::run;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::sync::atomic::{AtomicU8, Ordering};

    use super::Work;

    const UNKNOWN: u8 = 0;
    pub const PLAIN: u8 = 1;
    pub const AVX2: u8 = 2;
    pub const AVX512: u8 = 3;

    /// What the processor has, found at the first question.
    static LEVEL: AtomicU8 = AtomicU8::new(UNKNOWN);

    /// The best set of instructions that the processor has.
    #[cold]
    pub fn find_level() -> u8 {
        let avx2 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        let avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl");
        match (avx2, avx512) {
            (true, true) => AVX512,
            (true, false) => AVX2,
            (false, _) => PLAIN,
        }
    }

    /// Does the work with the best instructions there are.
    #[inline(always)]
    pub fn run<W: Work>(work: W) -> W::Output {
        let mut level = LEVEL.load(Ordering::Relaxed);
        if level == UNKNOWN {
            level = find_level();
            LEVEL.store(level, Ordering::Relaxed);
        }
        // SAFETY: `find_level` has found these instructions.
        unsafe { run_at(level, work) }
    }

    /// Does the work with the instructions of a level.
    ///
    /// # Safety
    /// The level is not above that of [`find_level`].
    #[inline(always)]
    pub unsafe fn run_at<W: Work>(level: u8, work: W) -> W::Output {
        match level {
            // SAFETY: the processor has these instructions, as the caller promises.
            AVX512 => unsafe { run_avx512(work) },
            // SAFETY: as above.
            AVX2 => unsafe { run_avx2(work) },
            _ => work.run(),
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2,popcnt,lzcnt,bmi1,bmi2")]
    fn run_avx512<W: Work>(work: W) -> W::Output {
        work.run()
    }

    #[target_feature(enable = "avx2,popcnt,lzcnt,bmi1,bmi2")]
    fn run_avx2<W: Work>(work: W) -> W::Output {
        work.run()
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

    /// A changed row, and what a row weighs.
    #[derive(Clone, Copy)]
    struct Sample<'a> {
        from: &'a Row,
        added: &'a [Row],
        removed: &'a [Row],
        output: &'a Row,
    }

    impl Work for Sample<'_> {
        type Output = (Row, i32);

        #[inline(always)]
        fn run(self) -> Self::Output {
            let row = self.from.changed(self.added.iter(), self.removed.iter());
            (row, self.from.weigh(self.output))
        }
    }

    #[test]
    fn all_instruction_sets_agree() {
        for seed in 0..200 {
            let weights: Vec<Row> = (0..5).map(|number| row(8 * seed + number, 900)).collect();
            let (added, removed) = weights.split_at(if seed % 2 == 0 { 3 } else { 2 });
            let (from, output) = (&row(1000 + seed, 20_000), &row(2000 + seed, 127));
            let sample = Sample { from, added, removed, output };
            let (row, total) = sample.run();
            for i in 0..HIDDEN {
                let sum = |rows: &[Row]| rows.iter().map(|row| i32::from(row.0[i])).sum::<i32>();
                let expected = i32::from(from.0[i]) + sum(added) - sum(removed);
                assert_eq!(i32::from(row.0[i]), expected);
            }
            let expected: i64 = std::iter::zip(from.0, output.0)
                .map(|(sum, weight)| i64::from(sum.clamp(0, 255)).pow(2) * i64::from(weight))
                .sum();
            assert_eq!(i64::from(total), expected);
            assert_eq!(run(sample), (row, total));
            #[cfg(target_arch = "x86_64")]
            for level in x86::PLAIN..=x86::find_level() {
                // SAFETY: the processor has the instructions of these levels.
                assert_eq!(unsafe { x86::run_at(level, sample) }, (row, total), "level {level}");
            }
        }
    }
}
