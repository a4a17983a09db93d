//! The moves of the root and what the search thinks of them.

use super::deepening::Line;
use super::report::Bound;
use super::score::{INFINITE, is_mate};
use crate::board::Move;

/// A finished result of a root move.
#[derive(Clone, Debug)]
pub struct Exact {
    score: i32,
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
    /// The longest line searched after it.
    pub seldepth: usize,
    /// The line that starts with it.
    pub line: Vec<Move>,
    /// The last exact score, its line and the longest line searched then.
    pub exact: Option<Exact>,
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
            seldepth: 0,
            line: vec![mv],
            exact: None,
            nodes: 0,
            tablebase: None,
        }
    }

    /// Records a score with the line that follows the move.
    pub fn record(&mut self, score: i32, bound: Option<Bound>, seldepth: usize, follow: &[Move]) {
        self.score = score;
        self.bound = bound;
        self.seldepth = seldepth;
        self.average = Some(self.average.map_or(score, |average| (2 * score + average) / 3));
        self.line.truncate(1);
        self.line.extend_from_slice(follow);
        if bound.is_none() {
            self.exact = Some(Exact { score, line: self.line.clone(), seldepth });
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
                moves: &exact.line,
                seldepth: exact.seldepth,
            },
            None => Line {
                score: self.by_tablebase(self.score),
                bound: None,
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

/// Sorts the best move first; moves of equal scores keep their order.
pub fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|m| std::cmp::Reverse((m.score, m.previous_score)));
}
