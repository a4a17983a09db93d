//! Pruning: nodes whose outcome is clear without a full search, and moves not worth one.

use super::history::captured_kind;
use super::negamax::{Node, is_ordinary};
use super::params;
use super::picker::Picker;
use super::reductions::reduction;
use super::score::{INFINITE, NONE, is_decisive, is_loss, is_win};
use super::transposition::{Entry, Limit};
use super::worker::Worker;
use crate::board::{Move, Position, SEE_VALUES};

impl Worker<'_> {
    /// Whether nothing is pruned: a mate asked for must not be missed, be it by zugzwang or a
    /// sacrifice.
    #[inline(always)]
    fn looks_for_mate(&self) -> bool {
        self.shared.limits.mate.is_some()
    }

    /// The early exits of a node, and the reductions of its depth.
    pub(super) fn prune_node<const ROOT: bool, const PV: bool>(
        &mut self,
        position: &Position,
        node: &mut Node,
    ) -> Option<i32> {
        if self.looks_for_mate() {
            return None;
        }
        self.adjust_by_hindsight::<ROOT>(node);
        if !PV && !node.in_check && node.excluded.is_null() {
            let exit = self
                .razor(position, node)
                .or_else(|| self.reverse_futility(node))
                .or_else(|| self.null_move(position, node));
            if exit.is_some() {
                return exit;
            }
        }
        // Internal iterative reduction: without a table move the order is poor and the node is
        // not worth its depth yet.
        if !ROOT
            && (PV || node.cut_node)
            && node.entry.best.is_null()
            && node.excluded.is_null()
            && node.depth >= params::iir_depth()
        {
            node.depth -= 1;
        }
        if !PV && !node.in_check && node.excluded.is_null() {
            return self.probcut(position, node);
        }
        None
    }

    /// Hindsight: the parent reduced the move that led here; the evaluations now tell whether
    /// that was too much or too little.
    fn adjust_by_hindsight<const ROOT: bool>(&self, node: &mut Node) {
        if ROOT || node.in_check || !node.excluded.is_null() {
            return;
        }
        let parent = self.earlier(node.ply, 1);
        if parent.eval == NONE {
            return;
        }
        let sum = node.static_eval + parent.eval;
        if parent.reduction >= 3 && sum < 0 {
            node.depth += 1;
        } else if parent.reduction >= 1 && node.depth >= 2 && sum > 150 {
            node.depth -= 1;
        }
    }

    /// Razoring: far below alpha, only captures could help; ask quiescence.
    fn razor(&mut self, position: &Position, node: &Node) -> Option<i32> {
        let margin = params::razor_base() + params::razor_slope() * node.depth;
        let hopeless = node.depth <= params::razor_depth()
            && node.estimate + margin <= node.alpha
            && node.alpha.abs() < 2000;
        if !hopeless {
            return None;
        }
        let score = self.quiescence::<false>(position, node.ply, node.alpha, node.alpha + 1);
        (self.stopped || score <= node.alpha).then_some(score)
    }

    /// Reverse futility: so far above beta that a margin for each ply left does not matter.
    fn reverse_futility(&self, node: &Node) -> Option<i32> {
        let margin = params::rfp_margin() * node.depth
            - params::rfp_improving() * node.improving as i32
            + node.correction.abs() / 2;
        let safe = node.depth <= params::rfp_depth()
            && node.estimate - margin.max(20) >= node.beta
            && !is_loss(node.beta)
            && !is_win(node.estimate)
            && (node.entry.best.is_null() || node.table_move_noisy || !node.was_pv);
        safe.then(|| node.beta + (node.estimate - node.beta) / 3)
    }

    /// Null move: if passing still fails high, a move will (C. Donninger, 1993). At great
    /// depth a search without null moves verifies it, against zugzwang.
    fn null_move(&mut self, position: &Position, node: &Node) -> Option<i32> {
        let margin = params::null_eval_base() - params::null_eval_slope() * node.depth;
        let promising = node.depth >= params::null_depth()
            && node.cut_node
            && !self.earlier(node.ply, 1).mv.is_null()
            && node.estimate >= node.beta
            && node.static_eval >= node.beta + margin
            && !is_loss(node.beta)
            && node.ply >= self.null_from_ply
            && Self::has_pieces(position)
            && !(node.entry.limit == Limit::Upper && node.entry.score < node.beta);
        if !promising {
            return None;
        }
        let by_eval = ((node.estimate - node.beta) / params::null_eval_divisor()).min(3);
        let reduction = params::null_base() + node.depth / params::null_divisor() + by_eval;
        let child = self.make(position, Move::NULL, node.ply);
        let depth = node.depth - reduction;
        let score = -self.negamax::<false, false>(
            &child,
            node.ply + 1,
            depth,
            -node.beta,
            -node.beta + 1,
            false,
        );
        self.unmake();
        if self.stopped {
            return Some(0);
        }
        if score < node.beta {
            return None;
        }
        let score = if is_win(score) { node.beta } else { score };
        if self.null_from_ply > 0 || node.depth < params::null_verify_depth() {
            return Some(score);
        }
        self.null_from_ply = node.ply + (3 * depth.max(1) / 4) as usize;
        let verified = self.negamax::<false, false>(
            position,
            node.ply,
            depth,
            node.beta - 1,
            node.beta,
            false,
        );
        self.null_from_ply = 0;
        (self.stopped || verified >= node.beta).then_some(score)
    }

    /// Probcut: a capture that beats a raised beta in a shallow search will beat beta
    /// (M. Buro, 1995).
    fn probcut(&mut self, position: &Position, node: &Node) -> Option<i32> {
        let beta = node.beta + params::probcut_margin() - 50 * node.improving as i32;
        let entry = &node.entry;
        let possible = node.depth >= params::probcut_depth()
            && !is_decisive(node.beta)
            && !(entry.score != NONE && entry.depth >= node.depth - 3 && entry.score < beta);
        if !possible {
            return None;
        }
        let depth = node.depth - 4;
        let table_move =
            if node.table_move_noisy && position.see_ge(entry.best, beta - node.static_eval) {
                entry.best
            } else {
                Move::NULL
            };
        let mut picker = Picker::noisy(table_move, beta - node.static_eval);
        while let Some(mv) = picker.next(self, position, node.ply) {
            let child = self.make(position, mv, node.ply);
            let mut score = -self.quiescence::<false>(&child, node.ply + 1, -beta, -beta + 1);
            if score >= beta && depth > 0 && !self.stopped {
                score = -self.negamax::<false, false>(
                    &child,
                    node.ply + 1,
                    depth,
                    -beta,
                    -beta + 1,
                    !node.cut_node,
                );
            }
            self.unmake();
            if self.stopped {
                return Some(0);
            }
            if score >= beta {
                let found = Entry {
                    best: mv,
                    score,
                    eval: node.raw_eval,
                    depth: depth + 1,
                    limit: Limit::Lower,
                    was_pv: node.was_pv,
                };
                self.shared.table.store(node.key, node.ply, found);
                return Some(if is_decisive(score) { score } else { score - (beta - node.beta) });
            }
        }
        None
    }

    /// Whether a move is not worth a search. `best` are the best score and alpha so far.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn prune_move(
        &self,
        position: &Position,
        node: &Node,
        best: &(i32, i32),
        mv: Move,
        noisy: bool,
        number: usize,
        picker: &mut Picker,
    ) -> bool {
        let &(best_score, alpha) = best;
        let loses = best_score == -INFINITE || is_loss(best_score);
        if loses || !Self::has_pieces(position) || self.looks_for_mate() {
            return false;
        }
        let reduced = {
            let mut by = reduction(&self.reductions, noisy, node.depth, number);
            if !node.improving {
                by += params::lmr_not_improving();
            }
            (node.depth - 1 - (by >> 10)).max(0)
        };
        if noisy {
            return self.prune_noisy(position, node, alpha, mv, reduced);
        }

        // Late move pruning: the order is good enough that late quiets rarely matter.
        let enough =
            (params::lmp_base() + node.depth * node.depth) as usize >> (!node.improving) as usize;
        if node.depth <= params::lmp_depth() && number > enough.max(1) {
            picker.skip_quiets();
        }

        let moved = self.piece_to(position, mv);
        let context = self.quiet_context(position, node.ply);
        let history = self.quiet_history(&context, mv, moved);

        // History pruning: moves that failed elsewhere fail here.
        if reduced <= params::history_prune_depth()
            && history < -params::history_prune_slope() * node.depth
        {
            return true;
        }

        // Futility: the evaluation is so low that a quiet move does not reach alpha.
        let futility = node.static_eval
            + params::futility_base()
            + params::futility_slope() * reduced
            + history / params::futility_history();
        if !node.in_check
            && reduced <= params::futility_depth()
            && futility <= alpha
            && !is_decisive(alpha)
            && !position.gives_check(mv)
        {
            picker.skip_quiets();
            return true;
        }

        // SEE pruning: the move loses the man.
        let margin = -params::see_quiet_slope() * reduced * reduced;
        !position.see_ge(mv, margin)
    }

    fn prune_noisy(
        &self,
        position: &Position,
        node: &Node,
        alpha: i32,
        mv: Move,
        reduced: i32,
    ) -> bool {
        let captured = captured_kind(position, mv);
        let history = self.histories.capture(self.piece_to(position, mv), captured);

        // Capture futility: even with the man won, alpha is out of reach.
        let futility = node.static_eval
            + params::capture_futility_base()
            + params::capture_futility_slope() * reduced
            + SEE_VALUES[captured.index()]
            + history / 64;
        if !node.in_check
            && reduced <= params::capture_futility_depth()
            && mv.promotion_type().is_none()
            && futility <= alpha
            && is_ordinary(alpha)
            && !position.gives_check(mv)
        {
            return true;
        }

        // SEE pruning: the exchange loses more than the depth could win back.
        let margin = params::see_noisy_slope() * node.depth + history / 32;
        !position.see_ge(mv, -margin.max(0))
    }
}
