//! The static evaluation as the search uses it: damped and corrected by experience.

use super::score::{EVAL_LIMIT, NONE, TABLEBASE_BOUND};
use super::worker::Worker;
use crate::board::Position;
use crate::eval;

impl Worker<'_> {
    /// The evaluator's word, for the side to move.
    #[inline]
    pub(super) fn evaluate_raw(&mut self, position: &Position, ply: usize) -> i32 {
        let value = self.accumulators.evaluate(self.shared.network, position, ply);
        eval::scale(position, value).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// The evaluation where no correction is at hand.
    #[cold]
    pub(super) fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let raw = self.evaluate_raw(position, ply);
        self.corrected(position, raw, 0)
    }

    /// What the correction histories say of the node.
    #[inline]
    pub(super) fn correction(&self, position: &Position, ply: usize) -> i32 {
        let before = [2, 1].map(|back| self.earlier(ply, back).piece_to);
        let traits = &self.frame(ply).traits;
        self.corrections.correction(position.side_to_move(), traits, before)
    }

    /// The evaluation damped by the fifty-move count, with the correction.
    #[inline]
    pub(super) fn corrected(&self, position: &Position, raw: i32, correction: i32) -> i32 {
        debug_assert_ne!(raw, NONE);
        let damped = eval::damp(raw, position.halfmove_clock());
        (damped + correction).clamp(1 - TABLEBASE_BOUND, TABLEBASE_BOUND - 1)
    }

    /// Teaches the correction histories the error of the evaluation.
    pub(super) fn learn_error(&mut self, position: &Position, ply: usize, depth: i32, error: i32) {
        let before = [2, 1].map(|back| self.earlier(ply, back).piece_to);
        let traits = self.frame(ply).traits;
        self.corrections.update(position.side_to_move(), &traits, before, depth, error);
    }
}
