//! Time for a move: a soft limit, after which no new iteration begins, and a hard one.

use std::time::Duration;

use super::{Control, Limits, Options};

/// The share of the remaining time that no move may exceed.
const HARD_SHARE: f64 = 0.5;
/// What a busy machine may take a process off the processor for, in milliseconds: kept back from
/// every budget, as far as [`RESERVE_SHARE`] allows.
const RESERVE_MS: f64 = 200.0;
/// The greatest share of the remaining time that is kept back.
const RESERVE_SHARE: f64 = 0.4;
/// Spent even where there is no time: a first look at the moves hardly takes it.
const FIRST_LOOK: Duration = Duration::from_millis(2);

/// The time that a move may take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budget {
    /// Aim for this much, scaled by what the search sees.
    soft: Option<Duration>,
    /// Never more than this, counted from the start or the ponder hit.
    hard: Option<Duration>,
    /// Whether a ponder hit is awaited; to another search it says nothing.
    ponder: bool,
}

/// What the search saw that makes a move worth more or less time.
#[derive(Clone, Copy, Debug)]
pub struct Signs {
    /// Share of the nodes spent on the best move, from 0 to 1.
    pub best_move_share: f64,
    /// Iterations since the best move last changed.
    pub stability: u32,
    /// How far the score fell since earlier iterations, in centipawns.
    pub score_drop: i32,
}

impl Budget {
    /// The time for a move under these limits.
    pub fn new(limits: &Limits, options: &Options) -> Self {
        let overhead = options.move_overhead_ms as f64;
        let movetime = limits.movetime_ms.map(|ms| milliseconds(ms as f64 - overhead));
        let Some(clock) = limits.clock else {
            return Self { soft: None, hard: movetime, ponder: limits.ponder };
        };
        let remaining = (clock.remaining_ms.clamp(0, 1 << 40) as f64 - overhead).max(0.0);
        let usable = remaining - RESERVE_MS.min(remaining * RESERVE_SHARE);
        let increment = clock.increment_ms.clamp(0, 1 << 40) as f64;
        let moves_to_go = clock.moves_to_go.filter(|&moves| moves > 0);
        let (soft, hard) = match moves_to_go {
            Some(moves) => {
                let moves = f64::from(moves.min(50));
                // Every further move before the control loses its overhead too.
                let usable = (usable - overhead * (moves - 1.0)).max(usable * 0.1);
                let soft = usable / (moves + 1.5) + 0.75 * increment;
                (soft, (soft * 4.0).min(usable * HARD_SHARE))
            }
            None => {
                // A gain of time that the overhead eats is none.
                let gain = (increment - overhead).max(0.0);
                let soft = usable / 24.0 + 0.7 * gain;
                (soft, (soft * 5.0).min(usable * HARD_SHARE))
            }
        };
        let soft = if options.ponder { soft * 1.2 } else { soft };
        let hard = milliseconds(hard.min(remaining));
        Self {
            soft: Some(milliseconds(soft).min(hard)),
            hard: Some(movetime.map_or(hard, |time| time.min(hard))),
            ponder: limits.ponder,
        }
    }

    /// Whether there is no time to think at all.
    pub fn is_nothing(&self) -> bool {
        self.hard.is_some_and(|hard| hard < Duration::from_millis(1))
    }

    /// Whether the search must end now.
    pub fn is_hard_limit_reached(&self, control: &Control) -> bool {
        let pondered = control.ponder_time().filter(|_| self.ponder).unwrap_or_default();
        self.hard
            .is_some_and(|hard| control.elapsed().saturating_sub(pondered) >= hard.max(FIRST_LOOK))
    }

    /// Whether another iteration is not worth its time. Time spent pondering counts.
    pub fn is_soft_limit_reached(&self, control: &Control, signs: &Signs) -> bool {
        let Some(soft) = self.soft else { return false };
        let by_share = 2.15 - 1.6 * signs.best_move_share;
        let by_stability = 1.25 - 0.05 * f64::from(signs.stability.min(9));
        let by_score = 1.0 + 0.01 * f64::from(signs.score_drop.clamp(-20, 60));
        control.elapsed() >= soft.mul_f64(by_share * by_stability * by_score)
    }
}

fn milliseconds(ms: f64) -> Duration {
    Duration::from_secs_f64(ms.max(0.0) / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_search_that_ponders_counts_from_the_ponder_hit() {
        let limits = |ponder, ms| Limits { movetime_ms: Some(ms), ponder, ..Limits::default() };
        let budget = |ponder, ms| Budget::new(&limits(ponder, ms), &Options::default());
        let control = Control::new();
        std::thread::sleep(Duration::from_millis(60));
        control.ponderhit();
        assert!(budget(false, 60).is_hard_limit_reached(&control));
        assert!(!budget(true, 600_000).is_hard_limit_reached(&control));
        std::thread::sleep(Duration::from_millis(60));
        assert!(budget(true, 60).is_hard_limit_reached(&control));
    }
}
