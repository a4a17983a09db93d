//! Which thread's move to play.

use super::score::{INFINITE, is_mate, is_win};
use super::searcher::Found;

/// Every thread votes for its move with its depth and score; the strongest thread of the winning
/// move is chosen. A proven win is taken at once, the shortest mate first.
pub(super) fn best(results: &[Found]) -> &Found {
    let score = |found: &Found| match found.root_moves[0].exact_line().score {
        score if score == -INFINITE => 0,
        score => score,
    };
    let main = &results[0];
    let finished = || results.iter().filter(|found| found.completed_depth > 0);
    let worst = finished().map(score).min().unwrap_or(0);
    let weight =
        |found: &Found| i64::from(score(found) - worst + 15) * i64::from(found.completed_depth);
    let votes = |candidate: &Found| -> i64 {
        let mv = candidate.root_moves[0].mv;
        finished().filter(|found| found.root_moves[0].mv == mv).map(weight).sum()
    };
    let rank = |found: &Found| {
        let decided = if is_win(score(found)) || is_mate(score(found)) { score(found) } else { 0 };
        (decided, votes(found), weight(found))
    };
    // The main thread keeps its move on a tie.
    finished().fold(main, |best, found| if rank(found) > rank(best) { found } else { best })
}
