//! Quiescence: captures until the position is quiet.

use super::MAX_PLY;
use super::history::captured_kind;
use super::params;
use super::picker::{Picker, is_noisy};
use super::score::{DRAW, INFINITE, NONE, is_decisive, is_loss, mated_in};
use super::transposition::{Entry, Limit, table_key};
use super::worker::Worker;
use crate::board::{Move, Position, SEE_VALUES};

/// Evasions without a capture that are looked at.
const QUIET_EVASIONS: usize = 3;

impl Worker<'_> {
    /// Searches captures, or evasions when in check, and returns the score for the side to move.
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        position: &Position,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        if PV {
            self.lines.clear(ply);
            self.seldepth = self.seldepth.max(ply);
        }
        if !self.enter_node() {
            return 0;
        }
        if self.is_draw(position, ply) {
            return self.draw_score();
        }
        let in_check = position.in_check();
        if ply >= MAX_PLY - 1 {
            return if in_check { DRAW } else { self.evaluate(position, ply) };
        }

        let key = table_key(position);
        let mut entry =
            self.shared.table.probe(key, ply, position.halfmove_clock()).unwrap_or(Entry::MISSING);
        if !PV && entry.decides(beta) && position.halfmove_clock() < 90 {
            return entry.score;
        }
        if !entry.best.is_null() && !position.is_legal(entry.best) {
            entry.best = Move::NULL;
        }

        self.note_traits(position, ply);
        let mut raw_eval = NONE;
        let mut best = -INFINITE;
        if in_check {
            self.note_threats(position, ply);
        } else {
            raw_eval =
                if entry.eval != NONE { entry.eval } else { self.evaluate_raw(position, ply) };
            let correction = self.correction(position, ply);
            best = self.corrected(position, raw_eval, correction);
            if entry.score != NONE && entry.decides(best) && entry.limit != Limit::None {
                best = entry.score;
            }
            if best >= beta {
                if entry.limit == Limit::None {
                    let found = Entry { eval: raw_eval, was_pv: PV, ..Entry::MISSING };
                    self.shared.table.store(key, ply, found);
                }
                return if is_decisive(best) { best } else { (best + beta) / 2 };
            }
            alpha = alpha.max(best);
        }
        let futility = best + params::quiescence_futility();

        let mut picker = if in_check {
            Picker::all(entry.best)
        } else {
            let noisy = !entry.best.is_null()
                && is_noisy(position, entry.best)
                && position.see_ge(entry.best, params::quiescence_see());
            let table_move = if noisy { entry.best } else { Move::NULL };
            Picker::noisy(table_move, params::quiescence_see())
        };
        let mut best_move = Move::NULL;
        let mut number = 0;
        let mut quiets = 0;
        while let Some(mv) = picker.next(self, position, ply) {
            number += 1;
            if !is_loss(best) {
                if in_check {
                    // A non-losing evasion is known: few of the quiet ones need be tried.
                    quiets += !is_noisy(position, mv) as usize;
                    if quiets > QUIET_EVASIONS {
                        picker.skip_quiets();
                        continue;
                    }
                    if picker.is_in_bad_noisy() {
                        break;
                    }
                } else if mv.promotion_type().is_none() && !position.gives_check(mv) {
                    // Futility: even with the man won, alpha is out of reach.
                    let reach = futility + SEE_VALUES[captured_kind(position, mv).index()];
                    if reach <= alpha {
                        best = best.max(reach);
                        continue;
                    }
                    if futility <= alpha && !position.see_ge(mv, 1) {
                        best = best.max(futility);
                        continue;
                    }
                }
            }
            let child = self.make(position, mv, ply);
            let score = -self.quiescence::<PV>(&child, ply + 1, -beta, -alpha);
            self.unmake();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = mv;
                    alpha = score;
                    if PV {
                        self.lines.set(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        if in_check && number == 0 {
            return mated_in(ply);
        }
        if best >= beta && !is_decisive(best) {
            best = (best + beta) / 2;
        }
        let limit = if best >= beta { Limit::Lower } else { Limit::Upper };
        let found = Entry {
            best: best_move,
            score: best,
            eval: raw_eval,
            depth: 0,
            limit,
            was_pv: PV || entry.was_pv,
        };
        self.shared.table.store(key, ply, found);
        best
    }
}
