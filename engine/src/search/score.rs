//! Scores inside the search: centipawns of the evaluation, with mates and tablebase results above.

use super::MAX_PLY;

/// Above every score.
pub const INFINITE: i32 = 32_000;
/// No score.
pub const NONE: i32 = 32_001;
/// A mate on the board, for the side that gave it.
pub const MATE: i32 = 31_000;
/// The least score of a proven mate.
pub const MATE_BOUND: i32 = MATE - MAX_PLY as i32;
/// A won tablebase position at the root.
pub const TABLEBASE_WIN: i32 = 30_000;
/// The least score of a tablebase win.
pub const TABLEBASE_BOUND: i32 = TABLEBASE_WIN - MAX_PLY as i32;
/// A drawn game.
pub const DRAW: i32 = 0;
/// The largest score that the evaluation may give.
pub const EVAL_LIMIT: i32 = 20_000;

/// The score of being mated `ply` plies from the root.
#[inline(always)]
pub const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// The score of giving mate `ply` plies from the root.
#[inline(always)]
pub const fn mate_in(ply: usize) -> i32 {
    MATE - ply as i32
}

/// Whether the score is a proven win or loss, by mate or tablebase.
#[inline(always)]
pub const fn is_decisive(score: i32) -> bool {
    score.abs() >= TABLEBASE_BOUND
}

/// Whether the score is a proven win.
#[inline(always)]
pub const fn is_win(score: i32) -> bool {
    score >= TABLEBASE_BOUND
}

/// Whether the score is a proven loss.
#[inline(always)]
pub const fn is_loss(score: i32) -> bool {
    score <= -TABLEBASE_BOUND
}

/// Whether the score is a mate for either side.
#[inline(always)]
pub const fn is_mate(score: i32) -> bool {
    score.abs() >= MATE_BOUND
}

/// A score counted from the root as the table stores it: counted from the node.
#[inline(always)]
pub const fn to_table(score: i32, ply: usize) -> i32 {
    if is_win(score) {
        score + ply as i32
    } else if is_loss(score) {
        score - ply as i32
    } else {
        score
    }
}

/// A score from the table, counted from the root again. A win that the fifty-move rule may
/// overtake is weakened to less than a proven one.
#[inline(always)]
pub const fn from_table(score: i32, ply: usize, halfmove_clock: u32) -> i32 {
    if score == NONE {
        return NONE;
    }
    let left = 100 - halfmove_clock as i32;
    if is_win(score) {
        let top = if score >= MATE_BOUND { MATE } else { TABLEBASE_WIN };
        if top - score > left { TABLEBASE_BOUND - 1 } else { score - ply as i32 }
    } else if is_loss(score) {
        let top = if score <= -MATE_BOUND { MATE } else { TABLEBASE_WIN };
        if top + score > left { 1 - TABLEBASE_BOUND } else { score + ply as i32 }
    } else {
        score
    }
}
