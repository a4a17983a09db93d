//! Iterative deepening with aspiration windows.

use std::time::Duration;

use super::params;
use super::report::{Bound, Reporter};
use super::root::{self, RootMove};
use super::score::{INFINITE, MATE, is_mate};
use super::time::Signs;
use super::worker::Worker;
use super::{Game, MAX_PLY};
use crate::board::Move;

/// Root moves are announced only in searches longer than this.
const QUIET_TIME: Duration = Duration::from_secs(3);

/// What the main thread needs to report and to keep the time.
pub struct Main<'a> {
    /// Where the reports go.
    pub reporter: &'a dyn Reporter,
    /// The game, for the length of the lines.
    pub game: &'a Game,
}

/// What the iterations showed so far, for the use of time.
#[derive(Default)]
struct Progress {
    best: Option<Move>,
    stability: u32,
    scores: Vec<i32>,
}

impl Worker<'_> {
    /// Searches deeper and deeper until a limit is reached.
    pub fn deepen(&mut self, game: &Game) {
        let limits = self.shared.limits;
        let last = limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32 - 1) as i32;
        let mut progress = Progress::default();
        for depth in 1..=last {
            self.root_depth = depth;
            self.root_moves.iter_mut().for_each(RootMove::begin_iteration);
            let lines = self.shared.options.multi_pv.clamp(1, self.root_moves.len());
            for index in 0..lines {
                self.pv_index = index;
                self.seldepth = 0;
                self.aspire(game, depth);
                if self.stopped {
                    // The lines before this one are in order, and deeper than what is left.
                    return;
                }
                root::sort(&mut self.root_moves[..=index]);
            }
            self.completed_depth = depth;
            self.report_lines(lines);
            if self.main.is_some() && self.is_enough(depth, &mut progress) {
                self.shared.stop();
                return;
            }
            if self.shared.is_stopped() {
                return;
            }
        }
    }

    /// One line of one iteration: a narrow window around the expected score, widened on the side
    /// where it fails.
    fn aspire(&mut self, game: &Game, depth: i32) {
        let position = *game.position();
        let expected = self.root_moves[self.pv_index].average;
        let mut delta = params::aspiration_delta();
        let (mut alpha, mut beta) = match expected {
            Some(score) if depth >= params::aspiration_depth() => {
                delta += (score.abs() / 100).min(40);
                ((score - delta).max(-INFINITE), (score + delta).min(INFINITE))
            }
            _ => (-INFINITE, INFINITE),
        };
        let mut fewer = 0;
        loop {
            self.root_window = beta - alpha;
            let searched = (depth - fewer).max(1);
            let score = self.negamax::<true, true>(&position, 0, searched, alpha, beta, false);
            root::sort(&mut self.root_moves[self.pv_index..]);
            if self.stopped {
                return;
            }
            if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (score - delta).max(-INFINITE);
                fewer = 0;
            } else if score >= beta {
                beta = (score + delta).min(INFINITE);
                fewer = (fewer + 1).min(3);
            } else {
                return;
            }
            if self.main.is_some() && self.shared.control.elapsed() > QUIET_TIME {
                self.report_line(self.pv_index);
            }
            delta += delta * params::aspiration_growth() / 100;
            if delta > 1200 {
                (alpha, beta) = if score <= alpha { (-INFINITE, beta) } else { (alpha, INFINITE) };
            }
        }
    }

    /// Whether another iteration is not needed or not worth its time.
    fn is_enough(&self, depth: i32, progress: &mut Progress) -> bool {
        let best = &self.root_moves[0];
        progress.stability =
            if progress.best == Some(best.mv) { progress.stability + 1 } else { 0 };
        progress.best = Some(best.mv);
        progress.scores.push(best.score);

        let limits = self.shared.limits;
        if let Some(moves) = limits.mate
            && best.score > MATE - 2 * moves.min(MAX_PLY as u32) as i32
        {
            return true;
        }
        if limits.infinite {
            return false;
        }
        let enough = limits.soft_nodes.is_some_and(|soft| self.nodes >= soft)
            || self.is_enough_for_clock(depth, progress);
        if enough && self.shared.is_pondering() {
            self.shared.stop_at_ponderhit();
            return false;
        }
        enough
    }

    fn is_enough_for_clock(&self, depth: i32, progress: &Progress) -> bool {
        let best = &self.root_moves[0];
        let timed = self.shared.limits.clock.is_some();
        if timed && self.root_moves.len() == 1 && depth >= 4 {
            return true;
        }
        if timed && is_mate(best.score) && depth > 2 * (MATE - best.score.abs()) + 8 {
            return true;
        }
        let nodes: u64 = self.root_moves.iter().map(|m| m.nodes).sum();
        let earlier = progress.scores[progress.scores.len().saturating_sub(4)];
        let signs = Signs {
            best_move_share: best.nodes as f64 / nodes.max(1) as f64,
            stability: progress.stability,
            score_drop: earlier - best.score,
        };
        self.shared.budget.is_soft_limit_reached(self.shared.control, &signs)
    }

    /// Announces the root move that is searched now, in long searches.
    pub(super) fn report_current_move(&self, mv: Move, number: usize) {
        if let Some(main) = &self.main
            && self.shared.control.elapsed() > QUIET_TIME
        {
            main.reporter.current_move(self.root_depth as u32, mv, number + self.pv_index);
        }
    }

    /// Reports the best lines of a finished iteration.
    fn report_lines(&self, lines: usize) {
        for index in 0..lines {
            self.report_line(index);
        }
    }

    fn report_line(&self, index: usize) {
        let Some(main) = &self.main else { return };
        self.shared.publish(self.id, self.nodes, self.tbhits);
        let line = self.root_moves[index].line();
        main.reporter.info(&self.shared.info(main.game, index, &line));
    }
}

/// A line to be reported.
pub struct Line<'a> {
    /// Its score inside the search.
    pub score: i32,
    /// Whether that is only a bound.
    pub bound: Option<Bound>,
    /// The iteration that gave it, a depth in plies.
    pub depth: i32,
    /// Its moves.
    pub moves: &'a [Move],
    /// The longest line looked at.
    pub seldepth: usize,
}
