//! The moves of the root and what the search thinks of them.

use std::cmp::Reverse;

use super::deepening::Line;
use super::report::Bound;
use super::score::{INFINITE, is_mate};
use crate::board::Move;

/// A finished result of a root move.
#[derive(Clone, Debug)]
pub struct Exact {
    score: i32,
    depth: i32,
    line: Vec<Move>,
    seldepth: usize,
}

/// A move of the root.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Its score in this iteration; `-INFINITE` where it is known only to be worse.
    pub score: i32,
    /// Its score in the last iteration that gave one.
    pub previous_score: i32,
    /// Its scores over the iterations, averaged; sets the aspiration window.
    pub average: Option<i32>,
    /// Set where `score` is a bound.
    pub bound: Option<Bound>,
    /// The iteration that gave `score`, a depth in plies.
    pub depth: i32,
    /// The longest line searched after it.
    pub seldepth: usize,
    /// The line that starts with it.
    pub line: Vec<Move>,
    /// The last exact score that still stands, its line and the longest line searched then.
    pub exact: Option<Exact>,
    /// The same before this iteration.
    previous_exact: Option<Exact>,
    /// Nodes searched below it.
    pub nodes: u64,
    /// Rank and score by the tablebases, where they know the root.
    pub tablebase: Option<(i32, i32)>,
}

impl RootMove {
    /// A move not yet searched.
    pub fn new(mv: Move) -> Self {
        Self {
            mv,
            score: -INFINITE,
            previous_score: -INFINITE,
            average: None,
            bound: None,
            depth: 0,
            seldepth: 0,
            line: vec![mv],
            exact: None,
            previous_exact: None,
            nodes: 0,
            tablebase: None,
        }
    }

    /// Keeps what is known for the next iteration to begin.
    pub fn begin_iteration(&mut self) {
        self.previous_score = self.score;
        self.previous_exact = self.exact.clone();
    }

    /// Records a score of the iteration `depth` with the line that follows the move.
    pub fn record(
        &mut self,
        score: i32,
        bound: Option<Bound>,
        depth: i32,
        seldepth: usize,
        follow: &[Move],
    ) {
        self.score = score;
        self.bound = bound;
        self.depth = depth;
        self.seldepth = seldepth;
        self.average = Some(self.average.map_or(score, |average| (2 * score + average) / 3));
        self.line.truncate(1);
        self.line.extend_from_slice(follow);
        if bound.is_none() {
            self.exact = Some(Exact { score, depth, line: self.line.clone(), seldepth });
        }
    }

    /// Records that in the iteration `depth` the move is only known to be worse than the best: it
    /// sorts behind, in its old order. An exact score of the same iteration stands no longer.
    pub fn record_worse(&mut self, depth: i32) {
        self.score = -INFINITE;
        if self.exact.as_ref().is_some_and(|exact| exact.depth == depth) {
            self.exact = self.previous_exact.clone();
        }
    }

    /// What to report now: the last result, be it a bound.
    pub fn line(&self) -> Line<'_> {
        if self.score == -INFINITE {
            return self.exact_line();
        }
        Line {
            score: self.by_tablebase(self.score),
            bound: self.bound,
            depth: self.depth,
            moves: &self.line,
            seldepth: self.seldepth,
        }
    }

    /// What to report last: the last exact result where there is one.
    pub fn exact_line(&self) -> Line<'_> {
        match &self.exact {
            Some(exact) => Line {
                score: self.by_tablebase(exact.score),
                bound: None,
                depth: exact.depth,
                moves: &exact.line,
                seldepth: exact.seldepth,
            },
            None => Line {
                score: self.by_tablebase(self.score),
                bound: None,
                depth: self.depth,
                moves: &self.line,
                seldepth: self.seldepth,
            },
        }
    }

    /// The tablebases know better, unless the search saw a mate.
    fn by_tablebase(&self, score: i32) -> i32 {
        match self.tablebase {
            Some((_, known)) if !is_mate(score) => known,
            _ => score,
        }
    }

    /// The rank by the tablebases; equal for all moves where they know nothing.
    pub fn rank(&self) -> i32 {
        self.tablebase.map_or(0, |(rank, _)| rank)
    }
}

/// Sorts the best move first, by the tablebases before the score; equal moves keep their order.
pub fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|m| Reverse((m.rank(), m.score, m.previous_score)));
}

/// The moves whose lines are reported last: the best move, then the deepest exact results in
/// falling order of their scores, at most `count` in all. A move without one has no line to show.
pub fn last_lines(moves: &[RootMove], count: usize) -> Vec<&RootMove> {
    let Some((best, others)) = moves.split_first() else { return Vec::new() };
    let exact = |m: &RootMove| m.exact.as_ref().map(|exact| (m.rank(), exact.depth, exact.score));
    let mut others: Vec<_> = others.iter().filter(|m| m.exact.is_some()).collect();
    others.sort_by_key(|&m| Reverse(exact(m)));
    std::iter::once(best).chain(others).take(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    fn root_move(to: u8, rank: i32, score: i32) -> RootMove {
        let mv = Move::normal(Square::new(0), Square::new(to));
        let tablebase = (rank != 0).then_some((rank, rank));
        RootMove { score, tablebase, ..RootMove::new(mv) }
    }

    fn targets<'a>(moves: impl IntoIterator<Item = &'a RootMove>) -> Vec<usize> {
        moves.into_iter().map(|m| m.mv.to().index()).collect()
    }

    #[test]
    fn a_won_move_comes_before_a_high_score() {
        let mut moves =
            [root_move(1, 0, 500), root_move(2, 1000, -INFINITE), root_move(3, 1000, 7)];
        sort(&mut moves);
        assert_eq!(targets(&moves), [3, 2, 1]);
    }

    #[test]
    fn last_lines_fall_in_depth_then_in_score() {
        let mut moves: Vec<_> = (1..=6).map(|to| root_move(to, 0, -INFINITE)).collect();
        for (index, depth, score) in [(0, 7, 4), (1, 6, 3), (2, 6, 11), (3, 7, 2), (4, 5, 90)] {
            moves[index].record(score, None, depth, 0, &[]);
        }
        assert_eq!(targets(last_lines(&moves, 4)), [1, 4, 3, 2]);
        // The last move was never searched.
        assert_eq!(targets(last_lines(&moves, 9)), [1, 4, 3, 2, 5]);
    }

    #[test]
    fn a_score_that_a_later_line_contradicts_stands_no_longer() {
        let mut root_move = root_move(1, 0, 0);
        root_move.record(5, None, 6, 0, &[]);
        root_move.begin_iteration();
        root_move.record(11, None, 7, 0, &[]);
        assert_eq!((root_move.exact_line().depth, root_move.exact_line().score), (7, 11));
        root_move.record_worse(7);
        assert_eq!((root_move.exact_line().depth, root_move.exact_line().score), (6, 5));
        root_move.record_worse(8);
        assert_eq!(root_move.exact_line().depth, 6);
    }
}
