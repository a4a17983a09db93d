//! Principal variations of the plies of the current line.

use super::MAX_PLY;
use crate::board::Move;

/// A triangular table: the best line found from each ply.
pub struct Lines {
    moves: Box<[[Move; MAX_PLY + 2]]>,
    lengths: [usize; MAX_PLY + 2],
}

impl Lines {
    /// No lines.
    pub fn new() -> Self {
        Self {
            moves: vec![[Move::NULL; MAX_PLY + 2]; MAX_PLY + 2].into_boxed_slice(),
            lengths: [0; MAX_PLY + 2],
        }
    }

    /// Empties the line of a ply.
    #[inline(always)]
    pub fn clear(&mut self, ply: usize) {
        self.lengths[ply] = 0;
    }

    /// Makes the line of a ply a move followed by the line of the next ply.
    #[inline]
    pub fn set(&mut self, ply: usize, mv: Move) {
        let length = self.lengths[ply + 1].min(MAX_PLY);
        let (above, below) = self.moves.split_at_mut(ply + 1);
        above[ply][0] = mv;
        above[ply][1..=length].copy_from_slice(&below[0][..length]);
        self.lengths[ply] = length + 1;
    }

    /// The line of a ply.
    #[inline(always)]
    pub fn get(&self, ply: usize) -> &[Move] {
        &self.moves[ply][..self.lengths[ply]]
    }
}
