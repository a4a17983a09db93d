//! Static evaluation: small, hand-crafted, with weights fitted on self-play games.

mod explain;
pub mod network;
mod scale;
mod score;
mod terms;
mod weights;

pub use explain::{Explanation, TermLine, explain};
pub use score::Score;
pub use terms::{Trace, phase, trace};
pub use weights::{SECTIONS, Section, WEIGHTS};

use crate::board::Position;

/// The phase of the full set of men; 0 is the bare endgame.
pub const FULL_PHASE: i32 = 24;

/// The evaluation in internal centipawns for the side to move, without regard to the fifty-move
/// count (see [`damp`]). Positions in check are evaluated too, but mean little.
#[inline]
pub fn evaluate(position: &Position) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if has_bit_instructions() {
        // SAFETY: the processor has these instructions, as just checked.
        return unsafe { evaluate_with_bit_instructions(position) };
    }
    terms::evaluate(position)
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn has_bit_instructions() -> bool {
    is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

/// The same with counts and scans of bits in one instruction.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1,bmi2")]
fn evaluate_with_bit_instructions(position: &Position) -> i32 {
    terms::evaluate(position)
}

/// The share, from 0 to 1, of the endgame value that a position with this sum of terms keeps.
pub fn endgame_scale(position: &Position, total: Score) -> f32 {
    scale::factor(position, total.endgame()) as f32 / scale::FULL as f32
}

/// The evaluation drawn towards zero as the fifty-move count grows.
#[inline(always)]
pub fn damp(value: i32, halfmove_clock: u32) -> i32 {
    value * (220 - halfmove_clock.min(100) as i32) / 220
}
