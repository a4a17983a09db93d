//! The game that led to the position to search.

use crate::board::{Move, Position};

/// A position with the keys of those before it, so that repetitions are seen.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    /// Keys of the positions before the current one, oldest first, since the last irreversible move.
    previous: Vec<u64>,
}

impl Game {
    /// A game that starts from `position`.
    pub fn new(position: Position) -> Self {
        Self { position, previous: Vec::new() }
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.previous.push(self.position.key());
        self.position = self.position.play(mv);
        if self.position.halfmove_clock() == 0 {
            self.previous.clear();
        }
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Keys of the earlier positions that may come again, oldest first.
    pub fn previous_keys(&self) -> &[u64] {
        &self.previous
    }
}
