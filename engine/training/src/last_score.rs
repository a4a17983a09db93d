//! What a search found.

use std::sync::{Mutex, PoisonError};

use engine::search::{Info, Reporter, Score};

/// A reporter that keeps the last score.
#[derive(Default)]
pub struct LastScore(Mutex<Option<Score>>);

impl LastScore {
    /// The score in shown centipawns; a mate counts as a decisive score.
    pub fn centipawns(&self) -> Option<i32> {
        let last = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.map(|score| match score {
            Score::Cp(cp) => cp,
            Score::Mate(moves) if moves > 0 => 30_000,
            Score::Mate(_) => -30_000,
        })
    }
}

impl Reporter for LastScore {
    fn info(&self, info: &Info) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(info.score);
    }
}
