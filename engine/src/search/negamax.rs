//! The main search: principal variation search of one node.

use super::history::captured_kind;
use super::params;
use super::picker::{Picker, is_noisy};
use super::reductions::reduction;
use super::report::Bound;
use super::score::{self, DRAW, INFINITE, MATE_BOUND, NONE, mate_in, mated_in};
use super::transposition::{Entry, Limit, table_key};
use super::worker::{Frame, Worker};
use super::{MAX_PLY, score::is_decisive};
use crate::board::{Move, Position};

/// What is known of a node before its moves are searched.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub ply: usize,
    pub depth: i32,
    pub alpha: i32,
    pub beta: i32,
    /// Whether a fail high is expected.
    pub cut_node: bool,
    pub key: u64,
    pub in_check: bool,
    /// What the transposition table says.
    pub entry: Entry,
    /// Whether the table move captures or makes a queen.
    pub table_move_noisy: bool,
    /// The evaluation as the evaluator gave it, or [`NONE`].
    pub raw_eval: i32,
    /// The corrected evaluation, or [`NONE`].
    pub static_eval: i32,
    /// The best estimate of the score: the evaluation, or the table's score where that is better.
    pub estimate: i32,
    /// How much the correction histories moved the evaluation.
    pub correction: i32,
    /// Whether the evaluation is better than at this side's earlier turns.
    pub improving: bool,
    /// Whether the node is or was in a principal variation.
    pub was_pv: bool,
    /// The move that a singular search leaves out.
    pub excluded: Move,
}

/// The moves searched so far at a node.
struct Tried {
    quiets: [Move; 64],
    quiet_count: usize,
    noisy: [Move; 32],
    noisy_count: usize,
}

impl Tried {
    fn add(&mut self, mv: Move, noisy: bool) {
        if noisy {
            if self.noisy_count < self.noisy.len() {
                self.noisy[self.noisy_count] = mv;
                self.noisy_count += 1;
            }
        } else if self.quiet_count < self.quiets.len() {
            self.quiets[self.quiet_count] = mv;
            self.quiet_count += 1;
        }
    }
}

/// The best found so far at a node.
struct Best {
    score: i32,
    mv: Move,
    alpha: i32,
    /// A score that the tablebases prove to be the least or the greatest.
    ceiling: i32,
}

impl Worker<'_> {
    /// Searches a node and returns its score for the side to move; void once `stopped` is set.
    pub(super) fn negamax<const ROOT: bool, const PV: bool>(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        mut alpha: i32,
        mut beta: i32,
        cut_node: bool,
    ) -> i32 {
        if !ROOT && alpha < DRAW && self.can_repeat(position, ply) {
            alpha = self.draw_score();
            if alpha >= beta {
                return alpha;
            }
        }
        if depth <= 0 {
            return self.quiescence::<PV>(position, ply, alpha, beta);
        }
        if PV {
            self.lines.clear(ply);
            self.seldepth = self.seldepth.max(ply);
        }
        if !ROOT {
            if !self.enter_node() {
                return 0;
            }
            if self.is_draw(position, ply) {
                return self.draw_score();
            }
            if ply >= MAX_PLY - 1 {
                return if position.in_check() { DRAW } else { self.evaluate(position, ply) };
            }
            // Mate distance pruning: no line from here can beat a mate already found.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let excluded = self.frame(ply).excluded;
        let key = table_key(position);
        let entry = self.probe_table::<ROOT>(position, key, ply, excluded);
        if !PV
            && excluded.is_null()
            && let Some(score) = self.table_cutoff(position, &entry, ply, depth, beta, cut_node)
        {
            return score;
        }

        let mut best = Best { score: -INFINITE, mv: Move::NULL, alpha, ceiling: INFINITE };
        if !ROOT
            && excluded.is_null()
            && let Some((score, limit)) = self.probe_tablebases(position, ply)
        {
            let decided = match limit {
                Limit::Exact => true,
                Limit::Lower => score >= beta,
                _ => score <= alpha,
            };
            if decided {
                let was_pv = PV || entry.was_pv;
                let depth = (depth + 6).min(MAX_PLY as i32 - 1);
                let found = Entry { score, limit, depth, best: Move::NULL, eval: NONE, was_pv };
                self.shared.table.store(key, ply, found);
                return score;
            }
            if PV && limit == Limit::Lower {
                best.score = score;
                best.alpha = best.alpha.max(score);
            } else if PV {
                best.ceiling = score;
            }
        }

        let mut node = self.assess::<PV>(position, ply, depth, beta, cut_node, key, entry);
        node.alpha = best.alpha;
        if let Some(score) = self.prune_node::<ROOT, PV>(position, &mut node) {
            return score;
        }
        if excluded.is_null() {
            self.note_threats(position, ply);
        }
        self.frame_mut(ply + 1).excluded = Move::NULL;
        self.frame_mut(ply + 2).cutoffs = 0;
        self.search_moves::<ROOT, PV>(position, node, best)
    }

    /// Looks the node up; the move of the answer is legal or null.
    fn probe_table<const ROOT: bool>(
        &mut self,
        position: &Position,
        key: u64,
        ply: usize,
        excluded: Move,
    ) -> Entry {
        let found = self.shared.table.probe(key, ply, position.halfmove_clock());
        let mut entry = found.unwrap_or(Entry::MISSING);
        if ROOT {
            entry.best = self.root_moves[self.pv_index].mv;
        } else if entry.best == excluded || !entry.best.is_null() && !position.is_legal(entry.best)
        {
            entry.best = Move::NULL;
        }
        entry
    }

    /// Transposition cut-off: an earlier search, at least as deep, settles the node.
    fn table_cutoff(
        &mut self,
        position: &Position,
        entry: &Entry,
        ply: usize,
        depth: i32,
        beta: i32,
        cut_node: bool,
    ) -> Option<i32> {
        let usable = entry.depth >= depth
            && entry.decides(beta)
            && (cut_node == (entry.score >= beta) || depth > 5)
            && position.halfmove_clock() < 90;
        if !usable {
            return None;
        }
        if entry.score >= beta && !entry.best.is_null() && !is_noisy(position, entry.best) {
            // What indexes the histories is not known yet.
            self.note_traits(position, ply);
            self.note_threats(position, ply);
            let bonus = history_bonus(depth);
            let context = self.quiet_context(position, ply);
            let moved = self.piece_to(position, entry.best);
            self.histories.update_quiet(&context, entry.best, moved, bonus);
        }
        Some(entry.score)
    }

    /// Fills the hashes that the correction and pawn histories are indexed by into the frame.
    #[inline]
    pub(super) fn note_traits(&mut self, position: &Position, ply: usize) {
        let traits = super::correction::Traits::of(position);
        self.corrections.prefetch(position.side_to_move(), &traits);
        self.frame_mut(ply).traits = traits;
    }

    /// Fills the threats that the histories of quiet moves are indexed by into the frame.
    #[inline]
    pub(super) fn note_threats(&mut self, position: &Position, ply: usize) {
        self.frame_mut(ply).threats = position.attacks_by(!position.side_to_move());
    }

    /// Evaluates the node and gathers what the pruning conditions ask for.
    #[allow(clippy::too_many_arguments)]
    fn assess<const PV: bool>(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        beta: i32,
        cut_node: bool,
        key: u64,
        entry: Entry,
    ) -> Node {
        let excluded = self.frame(ply).excluded;
        let in_check = position.in_check();
        let mut node = Node {
            ply,
            depth,
            alpha: -INFINITE,
            beta,
            cut_node,
            key,
            in_check,
            entry,
            table_move_noisy: !entry.best.is_null() && is_noisy(position, entry.best),
            raw_eval: NONE,
            static_eval: NONE,
            estimate: NONE,
            correction: 0,
            improving: false,
            was_pv: PV || entry.was_pv,
            excluded,
        };
        if excluded.is_null() {
            self.note_traits(position, ply);
        }
        if in_check {
            self.frame_mut(ply).eval = NONE;
            return node;
        }
        node.raw_eval =
            if entry.eval != NONE { entry.eval } else { self.evaluate_raw(position, ply) };
        node.correction = self.correction(position, ply);
        node.static_eval = self.corrected(position, node.raw_eval, node.correction);
        node.estimate = node.static_eval;
        if excluded.is_null() && entry.score != NONE {
            let better = match entry.limit {
                Limit::Exact => true,
                Limit::Lower => entry.score > node.estimate,
                Limit::Upper => entry.score < node.estimate,
                Limit::None => false,
            };
            if better {
                node.estimate = entry.score;
            }
        }
        self.frame_mut(ply).eval = node.static_eval;
        let before = [2, 4].map(|back| self.earlier(ply, back).eval);
        let compared = if before[0] != NONE { before[0] } else { before[1] };
        node.improving = compared != NONE && node.static_eval > compared;
        if excluded.is_null() {
            self.judge_last_move(position, &node);
        }
        if excluded.is_null() && entry.eval == NONE && entry.score == NONE {
            let found = Entry { eval: node.raw_eval, was_pv: node.was_pv, ..Entry::MISSING };
            self.shared.table.store(key, ply, found);
        }
        node
    }

    /// Rewards or punishes the quiet move that led here by what it did to the evaluation.
    #[inline]
    fn judge_last_move(&mut self, position: &Position, node: &Node) {
        let &Frame { mv, is_quiet, eval, threats, .. } = self.earlier(node.ply, 1);
        if !is_quiet || eval == NONE {
            return;
        }
        let gained = -(eval + node.static_eval);
        let most = params::eval_bonus_max();
        let bonus = (params::eval_bonus() * gained).clamp(-most, most);
        self.histories.update_butterfly(!position.side_to_move(), threats, mv, bonus);
    }

    /// Searches the moves of a node.
    fn search_moves<const ROOT: bool, const PV: bool>(
        &mut self,
        position: &Position,
        mut node: Node,
        mut best: Best,
    ) -> i32 {
        let ply = node.ply;
        let mut picker = Picker::all(node.entry.best);
        let mut tried = Tried {
            quiets: [Move::NULL; 64],
            quiet_count: 0,
            noisy: [Move::NULL; 32],
            noisy_count: 0,
        };
        let mut number = 0;
        let depth = node.depth;
        while let Some(mv) = picker.next(self, position, ply) {
            if mv == node.excluded || ROOT && !self.is_wanted_at_root(mv) {
                continue;
            }
            number += 1;
            let noisy = is_noisy(position, mv);
            if ROOT {
                self.report_current_move(mv, number);
            } else if self.prune_move(
                position,
                &node,
                &best_view(&best),
                mv,
                noisy,
                number,
                &mut picker,
            ) {
                continue;
            }
            self.shared.table.prefetch(position.likely_key(mv));
            let extension = match self.extension::<ROOT, PV>(position, &node, mv) {
                Extension::Plies(plies) => plies,
                Extension::Cutoff(score) => return score,
            };
            let nodes_before = self.nodes;
            let child_score = self
                .search_move::<ROOT, PV>(position, &node, best.alpha, mv, noisy, number, extension);
            if self.stopped {
                return 0;
            }
            if ROOT {
                self.note_root_move(mv, child_score, number, best.alpha, node.beta, nodes_before);
            }
            if child_score > best.score {
                best.score = child_score;
                if child_score > best.alpha {
                    best.mv = mv;
                    if PV {
                        self.lines.set(ply, mv);
                    }
                    if child_score >= node.beta {
                        break;
                    }
                    best.alpha = child_score;
                    // A move that is better still is less likely from here on.
                    if node.depth > 2
                        && node.depth < params::alpha_raise_depth()
                        && !is_decisive(child_score)
                    {
                        node.depth = (node.depth - params::alpha_raise()).max(1);
                    }
                }
            }
            if mv != best.mv {
                tried.add(mv, noisy);
            }
        }
        if number == 0 {
            if !node.excluded.is_null() {
                return node.alpha;
            }
            if !ROOT {
                return if node.in_check { mated_in(ply) } else { DRAW };
            }
        }
        node.depth = depth;
        if best.mv.is_null() && !ROOT && node.excluded.is_null() {
            self.reward_last_move(position, &node);
        }
        if best.score >= node.beta {
            self.frame_mut(ply).cutoffs += 1;
            // The cut-off score is a bound; blend it so that it does not swing the parent.
            if !is_decisive(best.score) && !is_decisive(node.beta) && !ROOT && node.depth > 1 {
                best.score = (best.score * node.depth + node.beta) / (node.depth + 1);
            }
        }
        if !best.mv.is_null() {
            self.update_histories(position, &node, best.mv, &tried);
        }
        best.score = best.score.min(best.ceiling);
        self.store_result::<ROOT>(position, &node, &best);
        best.score
    }

    /// Rewards the quiet move that led to a node where nothing helps.
    fn reward_last_move(&mut self, position: &Position, node: &Node) {
        let &Frame { mv, piece_to, is_quiet, .. } = self.earlier(node.ply, 1);
        if is_quiet {
            let context = self.last_quiet_context(position, node.ply);
            let bonus = history_bonus(node.depth) * params::prior_bonus() / 16;
            self.histories.update_quiet(&context, mv, piece_to, bonus);
        }
    }

    /// Principal variation search of one move: reduced with a null window first, and in full
    /// only where that surprises.
    #[allow(clippy::too_many_arguments)]
    fn search_move<const ROOT: bool, const PV: bool>(
        &mut self,
        position: &Position,
        node: &Node,
        alpha: i32,
        mv: Move,
        noisy: bool,
        number: usize,
        extension: i32,
    ) -> i32 {
        let ply = node.ply;
        let mut depth = node.depth - 1 + extension;
        let reduced_by = if node.depth >= 2 && number > 1 + ROOT as usize {
            Some(self.late_move_reduction::<PV>(position, node, mv, noisy, number))
        } else {
            None
        };
        let child = self.make(position, mv, ply);
        let mut child_score = -INFINITE;
        let mut full_null_window = !PV || number > 1;
        if let Some(plies) = reduced_by {
            let reduced = (depth - plies).clamp(1.min(depth), depth + 1);
            self.frame_mut(ply).reduction = depth - reduced;
            child_score =
                -self.negamax::<false, false>(&child, ply + 1, reduced, -alpha - 1, -alpha, true);
            self.frame_mut(ply).reduction = 0;
            full_null_window = child_score > alpha && reduced < depth;
            if full_null_window && !self.stopped {
                // The reduced search knows whether the move is far better or hardly good.
                if child_score > alpha + params::lmr_deeper() + 2 * depth && !ROOT {
                    depth += 1;
                } else if child_score < alpha + 8 && !ROOT && depth > 1 {
                    depth -= 1;
                }
                full_null_window = reduced < depth;
            }
        }
        if full_null_window && !self.stopped {
            let cut_node = !node.cut_node;
            child_score =
                -self.negamax::<false, false>(&child, ply + 1, depth, -alpha - 1, -alpha, cut_node);
            if reduced_by.is_some() && !noisy && !self.stopped {
                let bonus = params::reduced_bonus();
                let bonus = if child_score > alpha { bonus } else { -bonus };
                let before = [1, 2, 4].map(|back| self.earlier(ply, back).piece_to);
                let moved = self.frame(ply).piece_to;
                self.histories.update_continuation(&before, moved, bonus);
            }
        }
        if PV && (number == 1 || child_score > alpha) && !self.stopped {
            self.lines.clear(ply + 1);
            child_score =
                -self.negamax::<false, true>(&child, ply + 1, depth, -node.beta, -alpha, false);
        }
        self.unmake();
        child_score
    }

    /// How much to reduce a late move, in plies; may be negative.
    fn late_move_reduction<const PV: bool>(
        &self,
        position: &Position,
        node: &Node,
        mv: Move,
        noisy: bool,
        number: usize,
    ) -> i32 {
        let mut by = reduction(&self.reductions, noisy, node.depth, number);
        let moved = self.piece_to(position, mv);
        if noisy {
            let history = self.histories.capture(moved, captured_kind(position, mv));
            by -= history / params::lmr_noisy_history();
        } else {
            let context = self.quiet_context(position, node.ply);
            by -= self.quiet_history(&context, mv, moved) / (2 * params::lmr_history());
            if node.table_move_noisy {
                by += params::lmr_tt_noisy();
            }
        }
        if node.cut_node {
            by += params::lmr_cut_node();
        }
        if !node.improving {
            by += params::lmr_not_improving();
        }
        if node.was_pv {
            by -= params::lmr_was_pv();
        }
        if PV {
            let window = (node.beta - node.alpha).min(self.root_window);
            by -= 512 + 512 * window / self.root_window.max(1);
        }
        if self.frame(node.ply + 1).cutoffs > 3 {
            by += params::lmr_cutoffs();
        }
        if position.gives_check(mv) {
            by -= params::lmr_check();
        }
        by -= node.correction.abs() * 1024 / params::lmr_correction();
        by >> 10
    }

    /// Stores the node and teaches the correction histories.
    fn store_result<const ROOT: bool>(&mut self, position: &Position, node: &Node, best: &Best) {
        if !node.excluded.is_null() || ROOT && self.pv_index > 0 {
            return;
        }
        let limit = if best.score >= node.beta {
            Limit::Lower
        } else if best.mv.is_null() {
            Limit::Upper
        } else {
            Limit::Exact
        };
        let entry = Entry {
            best: best.mv,
            score: best.score,
            eval: node.raw_eval,
            depth: node.depth,
            limit,
            was_pv: node.was_pv,
        };
        self.shared.table.store(node.key, node.ply, entry);

        let teaches = !node.in_check
            && (best.mv.is_null() || !is_noisy(position, best.mv))
            && best.score.abs() < MATE_BOUND
            && !(limit == Limit::Lower && best.score <= node.static_eval)
            && !(limit == Limit::Upper && best.score >= node.static_eval);
        if teaches {
            let error = best.score - node.static_eval;
            self.learn_error(position, node.ply, node.depth, error);
        }
    }

    /// Rewards the best move and punishes those tried before it.
    fn update_histories(&mut self, position: &Position, node: &Node, best: Move, tried: &Tried) {
        let bonus = history_bonus(node.depth);
        let malus =
            -(params::malus_slope() * node.depth - params::history_base()).min(params::malus_max());
        let context = self.quiet_context(position, node.ply);
        let moved = self.piece_to(position, best);
        if is_noisy(position, best) {
            self.histories.update_capture(moved, captured_kind(position, best), bonus);
        } else {
            self.histories.update_quiet(&context, best, moved, bonus);
            for &mv in &tried.quiets[..tried.quiet_count] {
                let moved = self.piece_to(position, mv);
                self.histories.update_quiet(&context, mv, moved, malus);
            }
        }
        for &mv in &tried.noisy[..tried.noisy_count] {
            let moved = self.piece_to(position, mv);
            self.histories.update_capture(moved, captured_kind(position, mv), malus);
        }
    }

    /// Whether the root move is to be searched for the current line.
    fn is_wanted_at_root(&self, mv: Move) -> bool {
        let open = &self.root_moves[self.pv_index..];
        let rank = open[0].rank();
        open.iter().any(|m| m.mv == mv && m.rank() == rank)
    }

    /// Records what a root move's search gave.
    fn note_root_move(
        &mut self,
        mv: Move,
        score: i32,
        number: usize,
        alpha: i32,
        beta: i32,
        nodes_before: u64,
    ) {
        let nodes = self.nodes - nodes_before;
        let seldepth = self.seldepth;
        let line = self.lines.get(1);
        let Some(root_move) = self.root_moves.iter_mut().find(|m| m.mv == mv) else { return };
        root_move.nodes += nodes;
        if number > 1 && score <= alpha {
            root_move.record_worse(self.root_depth);
            return;
        }
        let bound = if score >= beta {
            Some(Bound::Lower)
        } else if score <= alpha {
            Some(Bound::Upper)
        } else {
            None
        };
        root_move.record(score, bound, self.root_depth, seldepth, line);
    }
}

/// What [`Worker::prune_move`] needs to know of the best so far.
fn best_view(best: &Best) -> (i32, i32) {
    (best.score, best.alpha)
}

/// How far to extend a move, or the score that makes searching it needless.
pub(super) enum Extension {
    Plies(i32),
    Cutoff(i32),
}

/// The history bonus of a best move found at this depth.
pub(super) fn history_bonus(depth: i32) -> i32 {
    (params::history_slope() * depth - params::history_base()).min(params::history_max())
}

/// Whether a score may serve in pruning against mates.
#[inline(always)]
pub(super) fn is_ordinary(score: i32) -> bool {
    score != NONE && !score::is_decisive(score)
}
