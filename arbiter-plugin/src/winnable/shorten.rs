//! Lines for people to read: without most detours of the search that found them.

use std::collections::{HashMap, HashSet};

use engine::board::{Color, Move, Position};

use super::replay;

/// Plies that a line may have without being shortened.
const SHORT_ENOUGH: usize = 60;
/// Positions looked at from one position of the line to the next.
const WIDTH: usize = 4096;

/// A mating line from `position` that cuts across the detours of `line`: from each of its
/// positions all that is near is looked at, breadth first, and the way goes on from the position
/// of the line that saves most. The result mates too and is not longer; often it is not the
/// shortest. A line of up to 60 plies is returned as it is.
pub fn shorten(position: &Position, winner: Color, line: Vec<Move>) -> Vec<Move> {
    if line.len() <= SHORT_ENOUGH {
        return line;
    }
    let mut at = *position;
    let mut ply_of = HashMap::from([(at.key(), 0)]);
    for (before, &mv) in line.iter().enumerate() {
        at = at.play(mv);
        ply_of.insert(at.key(), before + 1);
    }
    let mut short = Vec::new();
    let mut at = *position;
    let mut ply = 0;
    while ply < line.len() {
        let (way, reached) = best_cut(&at, ply, &ply_of);
        for mv in way {
            short.push(mv);
            at = at.play(mv);
        }
        if reached == ply {
            return line;
        }
        ply = reached;
    }
    if replay::mates(position, winner, &short) { short } else { line }
}

/// The moves from the position at `ply` to the later one that saves most plies, and its ply.
fn best_cut(from: &Position, ply: usize, ply_of: &HashMap<u64, usize>) -> (Vec<Move>, usize) {
    struct Seen {
        position: Position,
        parent: usize,
        mv: Option<Move>,
        depth: usize,
    }
    let mut seen = vec![Seen { position: *from, parent: 0, mv: None, depth: 0 }];
    let mut known = HashSet::from([from.key()]);
    let mut best = (0, ply, 0);
    let mut next = 0;
    while next < seen.len() && seen.len() < WIDTH {
        let Seen { position, depth, .. } = seen[next];
        for &mv in position.legal_moves().iter() {
            let after = position.play(mv);
            if !known.insert(after.key()) {
                continue;
            }
            seen.push(Seen { position: after, parent: next, mv: Some(mv), depth: depth + 1 });
            // Saved by this way; a step along the line itself saves nothing, but is a way on.
            if let Some(&reached) = ply_of.get(&after.key())
                && let Some(saved) = reached.checked_sub(ply + depth)
                && saved > best.2
            {
                best = (seen.len() - 1, reached, saved);
            }
        }
        next += 1;
    }
    let mut way = Vec::new();
    let mut index = best.0;
    while let Some(mv) = seen[index].mv {
        way.push(mv);
        index = seen[index].parent;
    }
    way.reverse();
    (way, best.1)
}
