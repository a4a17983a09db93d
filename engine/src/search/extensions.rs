//! Singular extensions: a table move that beats all others by far is searched deeper.

use super::negamax::{Extension, Node, is_ordinary};
use super::params;
use super::score::is_decisive;
use super::transposition::Limit;
use super::worker::Worker;
use crate::board::{Move, Position};

impl Worker<'_> {
    /// How far to extend a move (T. Anantharaman, M. Campbell and F. Hsu, "Singular extensions",
    /// 1988; multicut: Y. Björnsson and T. Marsland, 1998).
    pub(super) fn extension<const ROOT: bool, const PV: bool>(
        &mut self,
        position: &Position,
        node: &Node,
        mv: Move,
    ) -> Extension {
        let entry = &node.entry;
        let candidate = !ROOT
            && mv == entry.best
            && node.excluded.is_null()
            && node.depth >= params::singular_depth() + node.was_pv as i32
            && entry.depth >= node.depth - 3
            && matches!(entry.limit, Limit::Lower | Limit::Exact)
            && is_ordinary(entry.score)
            && node.ply < 2 * self.root_depth as usize;
        if !candidate {
            return Extension::Plies(0);
        }
        let margin = params::singular_margin() * node.depth / 16;
        let beta = entry.score - margin;
        let depth = (node.depth - 1) / 2;
        self.frame_mut(node.ply).excluded = mv;
        let score =
            self.negamax::<false, false>(position, node.ply, depth, beta - 1, beta, node.cut_node);
        self.frame_mut(node.ply).excluded = Move::NULL;
        if self.stopped {
            return Extension::Plies(0);
        }
        if score < beta {
            let quiet = !node.table_move_noisy;
            let double = !PV && score < beta - params::double_margin();
            let triple = double && quiet && score < beta - params::triple_margin();
            return Extension::Plies(1 + double as i32 + triple as i32);
        }
        // Multicut: without the table move the node fails high as well.
        if beta >= node.beta && !is_decisive(beta) {
            return Extension::Cutoff(beta);
        }
        // Negative extensions: the table move is one among several.
        if entry.score >= node.beta {
            Extension::Plies(-2 + PV as i32)
        } else if node.cut_node {
            Extension::Plies(-2)
        } else {
            Extension::Plies(0)
        }
    }
}
