//! Pairs of values for the middlegame and the endgame.

use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// A middlegame and an endgame value in centipawns, packed into one number: the endgame's in the
/// high half, the middlegame's in the low half.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Score(i32);

impl Score {
    /// The pair of `middlegame` and `endgame`.
    pub const fn new(middlegame: i32, endgame: i32) -> Self {
        Self((endgame << 16).wrapping_add(middlegame))
    }

    /// The middlegame value.
    #[inline(always)]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame value.
    #[inline(always)]
    pub const fn endgame(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

impl Add for Score {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Sub for Score {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl AddAssign for Score {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Score {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Mul<i32> for Score {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: i32) -> Self {
        Self(self.0.wrapping_mul(factor))
    }
}

impl std::fmt::Debug for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.middlegame(), self.endgame())
    }
}

#[cfg(test)]
mod tests {
    use super::Score;

    #[test]
    fn halves_do_not_disturb_each_other() {
        for (middlegame, endgame) in [(0, 0), (5, -7), (-5, 7), (-3000, -3000), (3000, -1)] {
            let score = Score::new(middlegame, endgame) * 3 - Score::new(1, -1);
            assert_eq!(score.middlegame(), middlegame * 3 - 1);
            assert_eq!(score.endgame(), endgame * 3 + 1);
        }
    }
}
