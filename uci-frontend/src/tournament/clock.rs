//! The clock of one side as the runner shows it to the engine. Where both sides play under the
//! same control the arbiter's clock is the master, and this one only follows it.

use std::time::Duration;

use super::config::{EngineConfig, TimeControl};

/// What one side has left.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    control: Option<TimeControl>,
    move_time_us: Option<u64>,
    left_us: i64,
    moves: u32,
}

impl Clock {
    /// A clock as it stands before the first move.
    pub fn new(engine: &EngineConfig) -> Self {
        let control = engine.tc.filter(|control| !control.infinite);
        let mut clock =
            Self { control, move_time_us: engine.st_ms.map(|ms| ms * 1000), left_us: 0, moves: 0 };
        if let Some(control) = control {
            // With an increment only, the first one is there from the start.
            let first = if control.base_ms == 0 { control.increment_ms } else { control.base_ms };
            clock.left_us = micros(first);
        }
        clock
    }

    /// Whether time is limited at all.
    pub fn is_limited(&self) -> bool {
        self.control.is_some() || self.move_time_us.is_some()
    }

    /// Time for the next move; `None` is without limit.
    pub fn left(&self) -> Option<Duration> {
        match (self.control, self.move_time_us) {
            (Some(_), _) => Some(Duration::from_micros(self.left_us.max(0) as u64)),
            (None, move_time) => move_time.map(Duration::from_micros),
        }
    }

    /// Milliseconds for the `go` command: never negative, and never the zero that some engines
    /// take for no limit.
    pub fn shown_ms(&self) -> Option<u64> {
        self.control.map(|_| (self.left_us.max(0) as u64 / 1000).max(1))
    }

    /// Milliseconds left, for the score.
    pub fn left_ms(&self) -> Option<u64> {
        self.control.map(|_| self.left_us.max(0) as u64 / 1000)
    }

    /// Milliseconds added per move.
    pub fn increment_ms(&self) -> u64 {
        self.control.map_or(0, |control| control.increment_ms)
    }

    /// Moves to the next period.
    pub fn moves_to_go(&self) -> Option<u32> {
        let period = self.control?.moves?;
        Some(period - self.moves % period)
    }

    /// Takes time off without completing a move.
    pub fn use_up(&mut self, time: Duration) {
        if self.control.is_some() {
            self.left_us -= time.as_micros() as i64;
        }
    }

    /// Moves completed under this control.
    pub fn moves_made(&self) -> u32 {
        self.moves
    }

    /// Completes a move: the increment, and at the end of a period its time.
    pub fn complete_move(&mut self) {
        let Some(control) = self.control else { return };
        self.left_us += micros(control.increment_ms);
        self.moves += 1;
        if control.moves.is_some_and(|period| self.moves.is_multiple_of(period)) {
            self.left_us += micros(control.base_ms);
        }
    }

    /// Adds a bonus or a penalty.
    pub fn adjust(&mut self, delta_ms: i64) {
        if self.control.is_some() {
            self.left_us += delta_ms.saturating_mul(1000);
        }
    }

    /// Follows the arbiter's clock, keeping our finer reading where they agree.
    pub fn follow(&mut self, arbiter_ms: i64, moves: u32) {
        if (self.left_us - arbiter_ms.saturating_mul(1000)).abs() > 2000 {
            self.left_us = arbiter_ms.saturating_mul(1000);
        }
        self.moves = moves;
    }
}

fn micros(milliseconds: u64) -> i64 {
    i64::try_from(milliseconds.saturating_mul(1000)).unwrap_or(i64::MAX / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(tc: &str) -> Clock {
        let tc = Some(tc.parse().expect(tc));
        Clock::new(&EngineConfig { tc, ..EngineConfig::default() })
    }

    #[test]
    fn periods_come_after_their_moves() {
        let mut clock = clock("2/10+1");
        assert_eq!((clock.left_ms(), clock.moves_to_go()), (Some(10_000), Some(2)));
        clock.use_up(Duration::from_secs(4));
        clock.complete_move();
        assert_eq!((clock.left_ms(), clock.moves_to_go()), (Some(7_000), Some(1)));
        clock.use_up(Duration::from_secs(7));
        assert_eq!(clock.left_ms(), Some(0));
        clock.complete_move();
        assert_eq!((clock.left_ms(), clock.moves_to_go()), (Some(11_000), Some(2)));
    }

    #[test]
    fn nothing_negative_is_shown() {
        let mut clock = clock("1");
        clock.use_up(Duration::from_millis(1500));
        assert_eq!((clock.shown_ms(), clock.left()), (Some(1), Some(Duration::ZERO)));
    }

    #[test]
    fn an_increment_alone_is_a_control() {
        let clock = clock("0+1");
        assert_eq!(clock.shown_ms(), Some(1000));
    }
}
