//! Articles 1 to 4.1: a move on the board, legal or not, and how it is made.

use shakmaty::Role;

use super::article7::{Fault, Pending, squares_of};
use crate::game::Play;
use crate::plugin::Side;

impl Play {
    /// A man was moved on the board.
    pub(super) fn on_move(
        &mut self,
        by: Side,
        uci: &str,
        hands: u8,
        replaced: bool,
        complete: bool,
    ) {
        if self.unnoticed.is_some() {
            return self.reply_on_illegal(by, uci);
        }
        if self.clocks.stopped() {
            self.no_action("6.11.3", "a move while the clocks are stopped");
        }
        if !complete {
            return self.half_made(by, uci);
        }
        if hands > 1 {
            self.warn(by, "4.1", "two_hands");
        }
        if by != self.record.turn() {
            match self.answers_illegal(by) {
                true => self.reply_on_illegal(by, uci),
                false => self.set_pending(by, Fault::WrongTurn, uci, hands),
            }
            return;
        }
        self.just_ruled = None;
        self.end_restoring(by);
        self.check_scoresheet(by);
        self.lapse_offer_to(by);
        self.bind_unpressed_replacement(by, uci);
        let with_queen = with_queen(uci);
        let missing_piece = uci.len() == 4
            || !replaced && self.record.legal(uci).is_some_and(|mv| mv.is_promotion());
        match self.record.legal(uci) {
            Some(_) if !missing_piece || uci.len() == 4 => self.make_legal(uci, hands),
            _ if missing_piece && self.record.legal(&with_queen).is_some() => {
                if !self.refused_by_duty(uci.get(..4).unwrap_or_default()) {
                    self.set_pending(by, Fault::PawnNotReplaced, &with_queen, hands);
                }
            }
            _ => self.set_pending(by, Fault::Illegal, uci, hands),
        }
    }

    /// Moves that were each made and pressed.
    pub(super) fn on_moves(&mut self, t0: u64, ms_per_move: u64, moves: &[String]) {
        let before = Side::BOTH.map(|side| self.clocks.remaining(side));
        for (index, uci) in moves.iter().enumerate() {
            let t = t0.saturating_add(ms_per_move.saturating_mul(index as u64));
            self.tick(t);
            if self.regulations.auto_flag && self.auto_flag() {
                return;
            }
            let by = self.record.turn();
            let plies = self.record.plies().len();
            self.on_move(by, uci, 1, true, true);
            if self.ended() {
                return;
            }
            self.press_quietly(by);
            if self.record.plies().len() != plies + 1 || self.ended() {
                return;
            }
        }
        if self.delay_paid_for_all(before) {
            self.no_action("6.3.2", "main time unchanged");
        }
    }

    fn set_pending(&mut self, by: Side, fault: Fault, uci: &str, hands: u8) {
        // Who has moved a man has touched it (9.4).
        self.touches.any |= by == self.record.turn() && squares_of(uci).is_some();
        self.pending[by.index()] = Some(Pending { fault, uci: uci.into(), hands });
    }

    /// Something of the move is still to be done (4.7); what was done binds.
    fn half_made(&mut self, by: Side, uci: &str) {
        let legal = self.record.legal(uci).or_else(|| self.record.legal(&with_queen(uci)));
        let article = match legal {
            Some(mv) if mv.is_castle() => "4.7.2",
            Some(mv) if mv.is_promotion() => "4.7.3",
            Some(mv) if mv.is_capture() => "4.7.1",
            _ => "4.7",
        };
        self.no_action(article, "the move is not yet made");
        if by != self.record.turn() {
            return;
        }
        self.lapse_offer_to(by);
        match legal {
            Some(mv) => self.bind_to_squares(mv, article),
            None => {
                self.touch_as_moved(uci);
            }
        }
    }

    fn make_legal(&mut self, uci: &str, hands: u8) {
        let Some(mv) = self.record.legal(uci) else { return };
        if self.refused_by_duty(&self.record.uci(mv)) {
            return;
        }
        self.complete_without_press(self.record.turn());
        self.clear_turn();
        self.record.push(mv, self.now, self.clocks.used(), hands);
        debug_assert!(mv.role() != Role::King || !mv.is_promotion());
        self.judge_position();
    }

    /// What was touched or announced concerned the move now made.
    pub(crate) fn clear_turn(&mut self) {
        self.touches.clear();
        self.duty = None;
        self.claimants = [false; 2];
        self.refused = None;
    }
}

/// The same squares, with a promotion to a queen.
fn with_queen(uci: &str) -> String {
    format!("{}q", uci.get(..4).unwrap_or_default())
}
