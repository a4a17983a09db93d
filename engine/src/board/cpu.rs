//! The instructions of the processor, chosen once at the root of a task.
//!
//! A [`Task`] is compiled once for each [`Cpu`], with everything below it inlined. So a build
//! for any x86-64 counts bits and looks up sliders with the instructions that the machine has.

use super::attacks::sliders::{BISHOP, ROOK, magic_attacks};
use super::{Bitboard, Square};

/// A set of instructions. A value of it is the proof that the processor has them.
pub(super) trait Cpu: Copy {
    /// The squares that a bishop attacks.
    fn bishop_attacks(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares that a rook attacks.
    fn rook_attacks(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// Runs a task compiled for these instructions.
    fn run<T: Task>(self, task: T) -> T::Output;
}

/// Something to do with the instructions of any processor. `run` must be inlined always.
pub(super) trait Task {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// The instructions that the program is compiled for.
#[derive(Clone, Copy)]
pub(super) struct Baseline;

impl Cpu for Baseline {
    #[inline(always)]
    fn bishop_attacks(self, square: Square, occupied: Bitboard) -> Bitboard {
        magic_attacks::<BISHOP>(square, occupied)
    }

    #[inline(always)]
    fn rook_attacks(self, square: Square, occupied: Bitboard) -> Bitboard {
        magic_attacks::<ROOK>(square, occupied)
    }

    #[inline]
    fn run<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod choice {
    use super::{Baseline, Cpu, Task};

    /// Runs a task with the best instructions there are.
    #[inline(always)]
    pub fn run<T: Task>(task: T) -> T::Output {
        Baseline.run(task)
    }
}

#[cfg(target_arch = "x86_64")]
mod choice {
    use std::arch::{is_x86_feature_detected, x86_64::__cpuid};
    use std::sync::atomic::{AtomicU8, Ordering};

    use super::super::attacks::sliders::{BISHOP, ROOK, magic_attacks, pext_attacks};
    use super::super::{Bitboard, Square};
    use super::{Baseline, Cpu, Task};

    /// POPCNT, LZCNT, BMI1 and BMI2, with PEXT too slow to use (AMD before Zen 3).
    #[derive(Clone, Copy)]
    pub struct Bmi2(());

    /// POPCNT, LZCNT, BMI1 and BMI2, with a fast PEXT.
    #[derive(Clone, Copy)]
    pub struct Pext(());

    impl Bmi2 {
        pub fn detect() -> Option<Self> {
            let all = is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2");
            all.then_some(Self(()))
        }
    }

    impl Pext {
        pub fn detect() -> Option<Self> {
            let Bmi2(()) = Bmi2::detect()?;
            pext_is_fast().then_some(Self(()))
        }
    }

    /// Whether PEXT is one instruction to the processor: AMD's families before 19h (Zen 3)
    /// emulate it bit by bit.
    fn pext_is_fast() -> bool {
        let vendor = __cpuid(0);
        let amd = vendor.ebx == u32::from_le_bytes(*b"Auth");
        let hygon = vendor.ebx == u32::from_le_bytes(*b"Hygo");
        let version = __cpuid(1).eax;
        let base = version >> 8 & 0xF;
        let family = if base == 0xF { base + (version >> 20 & 0xFF) } else { base };
        !(hygon || amd && family < 0x19)
    }

    impl Cpu for Bmi2 {
        #[inline(always)]
        fn bishop_attacks(self, square: Square, occupied: Bitboard) -> Bitboard {
            magic_attacks::<BISHOP>(square, occupied)
        }

        #[inline(always)]
        fn rook_attacks(self, square: Square, occupied: Bitboard) -> Bitboard {
            magic_attacks::<ROOK>(square, occupied)
        }

        #[inline(always)]
        fn run<T: Task>(self, task: T) -> T::Output {
            // SAFETY: `self` exists only where `detect` has found the features.
            unsafe { run_bmi2(self, task) }
        }
    }

    impl Cpu for Pext {
        #[inline(always)]
        fn bishop_attacks(self, square: Square, occupied: Bitboard) -> Bitboard {
            // SAFETY: `self` exists only where `detect` has found BMI2.
            unsafe { pext_attacks::<BISHOP>(square, occupied) }
        }

        #[inline(always)]
        fn rook_attacks(self, square: Square, occupied: Bitboard) -> Bitboard {
            // SAFETY: as above.
            unsafe { pext_attacks::<ROOK>(square, occupied) }
        }

        #[inline(always)]
        fn run<T: Task>(self, task: T) -> T::Output {
            // SAFETY: `self` exists only where `detect` has found the features.
            unsafe { run_pext(self, task) }
        }
    }

    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    fn run_bmi2<T: Task>(cpu: Bmi2, task: T) -> T::Output {
        task.run(cpu)
    }

    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    fn run_pext<T: Task>(cpu: Pext, task: T) -> T::Output {
        task.run(cpu)
    }

    const UNKNOWN: u8 = 0;
    const BASELINE: u8 = 1;
    const BMI2: u8 = 2;
    const PEXT: u8 = 3;

    /// What the processor has, found at the first question.
    static LEVEL: AtomicU8 = AtomicU8::new(UNKNOWN);

    #[cold]
    #[inline(never)]
    fn find_level() -> u8 {
        let level = match (Pext::detect(), Bmi2::detect()) {
            (Some(_), _) => PEXT,
            (None, Some(_)) => BMI2,
            (None, None) => BASELINE,
        };
        LEVEL.store(level, Ordering::Relaxed);
        level
    }

    /// Runs a task with the best instructions there are. The choice is one load and a branch
    /// that goes the same way each time.
    #[inline(always)]
    pub fn run<T: Task>(task: T) -> T::Output {
        let mut level = LEVEL.load(Ordering::Relaxed);
        if level == UNKNOWN {
            level = find_level();
        }
        match level {
            PEXT => Pext(()).run(task),
            BMI2 => Bmi2(()).run(task),
            _ => Baseline.run(task),
        }
    }
}

pub(super) use choice::run;
#[cfg(all(test, target_arch = "x86_64"))]
pub(super) use choice::{Bmi2, Pext};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    struct Perft(&'static str, u32);

    impl Task for Perft {
        type Output = u64;

        #[inline(always)]
        fn run<C: Cpu>(self, cpu: C) -> u64 {
            let position = Position::from_fen(self.0).expect("a FEN");
            crate::board::perft::perft_on(&position, self.1, cpu)
        }
    }

    #[test]
    fn all_instruction_sets_count_alike() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let expected = 4_085_603;
        assert_eq!(Baseline.run(Perft(fen, 4)), expected);
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(cpu) = Bmi2::detect() {
                assert_eq!(cpu.run(Perft(fen, 4)), expected);
            }
            if let Some(cpu) = Pext::detect() {
                assert_eq!(cpu.run(Perft(fen, 4)), expected);
            }
        }
    }
}
