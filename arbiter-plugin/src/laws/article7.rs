//! Article 7: irregularities.

use shakmaty::{Chess, Position as _, Rank, Role, Square, attacks};

use super::article4::{castling_target, king_duty};
use crate::clock::Shown;
use crate::game::Play;
use crate::plugin::{
    Faults, GameResult, IllegalMovePolicy, IrregularityKind, Noticed, Reason, RestoreClocks,
    RulingKind, Side, TwoHandedMove,
};

/// What a player made that is no legal move, before his press.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) fault: Fault,
    pub(crate) uci: String,
    pub(crate) hands: u8,
}

/// What is wrong with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It breaks Article 3 (7.5.1).
    Illegal,
    /// The player does not have the move (1.2).
    WrongTurn,
    /// A pawn on the last rank was not exchanged (7.5.2); the move is that to a queen.
    PawnNotReplaced,
}

/// A completed illegal move that the arbiter has not been told of.
#[derive(Clone, Debug)]
pub(crate) struct Unnoticed {
    side: Side,
    pending: Pending,
    credit: i64,
}

/// The article of an irregularity, numbered as in 2018.
pub(super) fn article_of(kind: IrregularityKind) -> &'static str {
    match kind {
        IrregularityKind::WrongStart => "7.2.1",
        IrregularityKind::ColoursReversed => "7.3",
        IrregularityKind::BoardOrientation => "7.2.2",
        IrregularityKind::DisplacedPiece => "7.6",
        IrregularityKind::ClockSetting => "6.10.2",
    }
}

impl Play {
    /// The press completes what was made (7.5.1, 7.5.2).
    pub(super) fn complete_illegal(&mut self, by: Side) {
        let Some(pending) = self.pending[by.index()].take() else { return };
        if pending.fault == Fault::PawnNotReplaced {
            return self.force_queen(by, &pending);
        }
        if self.regulations.illegal_moves_noticed == Noticed::WhenReported {
            let credit = self.clocks.credit_increment(by);
            self.unnoticed = Some(Unnoticed { side: by, pending, credit });
            self.clocks.hand_to(by.opponent());
            return;
        }
        if !self.regulations.remove_illegal_increment {
            self.clocks.credit_increment(by);
        }
        self.rule_illegal(by, &pending, 0);
    }

    /// 7.5.1 and 7.5.5 for a move that broke Article 3; `gained` is the increment of a press that
    /// was not noticed.
    fn rule_illegal(&mut self, by: Side, pending: &Pending, gained: i64) {
        if self.record.uncompleted(by.opponent()).is_none() {
            self.clocks.hand_to(self.record.turn());
        }
        if self.count_illegal(by, "7.5.1", pending.hands > 1) {
            return;
        }
        if self.regulations.restore_cancels_offers {
            self.offers = [None; 2];
        }
        let shown = self.clocks.shown();
        if self.regulations.remove_illegal_increment {
            self.clocks.uncredit(by, gained);
        }
        self.rewind_clocks();
        let changes = self.settle_clocks(shown);
        self.announce_position("7.5.1");
        self.announce_times(changes);
        self.two_minutes_to(by.opponent());
        if pending.fault == Fault::Illegal {
            self.bind_replacement(&pending.uci);
        }
    }

    /// Counts an illegal move; says whether it ends the game (7.5.5).
    fn count_illegal(&mut self, by: Side, article: &str, second_fault: bool) -> bool {
        self.just_ruled = Some(by);
        let faults = match self.regulations.faults_in_one_action {
            Faults::Each if second_fault => 2,
            _ => 1,
        };
        for _ in 0..faults {
            self.illegal_count[by.index()] += 1;
            let count = self.illegal_count[by.index()];
            self.rule(RulingKind::IllegalMoveRecorded { side: by, count }, article);
        }
        let limit = match self.regulations.illegal_moves {
            IllegalMovePolicy::Laws => 2,
            IllegalMovePolicy::Forfeit => 1,
        };
        self.illegal_count[by.index()] >= limit && {
            self.lose_by_illegal(by);
            true
        }
    }

    fn lose_by_illegal(&mut self, by: Side) {
        let winner = by.opponent();
        let answer = self.can_mate(winner);
        let (result, reason) = match answer.impossible {
            true => (GameResult::Draw, Reason::SecondIllegalMoveOpponentCannotMate),
            false => (GameResult::win(winner), Reason::SecondIllegalMove),
        };
        self.end(result, reason, "7.5.5", Some(answer.evidence));
    }

    fn two_minutes_to(&mut self, side: Side) {
        self.penalize_time(side.opponent(), "7.5.5");
    }

    /// Time for the opponent of `offender`: two minutes, unless the regulations say otherwise.
    pub(super) fn penalize_time(&mut self, offender: Side, article: &str) {
        let ms = i64::from(self.regulations.time_penalty_ms);
        self.adjust_clock(offender.opponent(), ms, article);
    }

    /// 7.5.2: the pawn becomes a queen and the move stands.
    fn force_queen(&mut self, by: Side, pending: &Pending) {
        let Some(mv) = self.record.legal(&pending.uci) else { return };
        self.lapse_offer_to(by);
        self.complete_without_press(by);
        // A reply that came before the press is undone; its own press is no fault.
        let replied = self.refused.filter(|&side| side == by.opponent());
        self.clear_turn();
        self.refused = replied;
        self.record.push(mv, self.now, self.clocks.used(), 1);
        if self.count_illegal(by, "7.5.2", pending.hands > 1) {
            return;
        }
        let square = mv.to().to_string();
        self.rule(RulingKind::PromotionForced { square, piece: "Q".into() }, "7.5.2");
        self.two_minutes_to(by.opponent());
        let ends = self.record.position().legal_moves().is_empty();
        if ends && !self.regulations.forced_queen_ends_game {
            let plies = self.record.plies().len() - 1;
            return self.restore(plies, "7.5.1");
        }
        // Where the opponent has not pressed yet, his clock runs and the press moved nothing (6.2.2).
        if self.clocks.running() == Some(by) {
            self.complete_with_press(by);
        }
        self.judge_position();
    }

    /// 7.5.3: a press by the player on the move who has made none.
    pub(super) fn press_without_move(&mut self, by: Side) {
        if self.clocks.running() != Some(by) || self.record.turn() != by {
            self.no_action("6.2.1", "the player's clock is not running");
            return;
        }
        if self.refused.take() == Some(by) {
            // He has made a move, though not one that he was free to make.
            self.just_ruled = Some(by);
            let article = self.duty.as_ref().map_or("7.5.1", |duty| duty.article);
            self.rule(RulingKind::ClockReturnedTo { side: by }, article);
            return;
        }
        if !self.differences.empty_press_is_illegal {
            self.warn(by, "6.2.4", "press_without_move");
            self.rule(RulingKind::ClockReturnedTo { side: by }, "6.2.4");
            return;
        }
        if !self.regulations.remove_illegal_increment {
            self.clocks.credit_increment(by);
        }
        if self.count_illegal(by, "7.5.3", false) {
            return;
        }
        self.rule(RulingKind::ClockReturnedTo { side: by }, "7.5.3");
        self.two_minutes_to(by.opponent());
    }

    /// 7.5.4: a legal move made with two hands after so many plies, and pressed. A reply that
    /// came before the press is undone with it.
    pub(super) fn two_hands_pressed(&mut self, by: Side, plies: usize) {
        if !self.differences.two_hands_are_illegal || self.count_illegal(by, "7.5.4", false) {
            return;
        }
        if self.regulations.two_handed_move == TwoHandedMove::Restored {
            let changes = self.take_back(plies, true);
            self.announce_position("7.5.4");
            self.announce_times(changes);
        }
        self.two_minutes_to(by.opponent());
    }

    /// An illegal move is claimed by the opponent or seen by the arbiter.
    pub(super) fn illegal_reported(&mut self, side: Side, at_ply: Option<u32>, claimed: bool) {
        let plies = self.record.plies().len();
        if let Some(to) = at_ply.map(|ply| ply as usize).filter(|&to| to < plies) {
            if self.record.plies()[to].by != side {
                self.no_action("7.5.1", "the other player made that move");
                return;
            }
            return self.illegal_found_later(side, to);
        }
        if let Some(unnoticed) = self.unnoticed.take_if(|unnoticed| unnoticed.side == side) {
            return self.rule_illegal(side, &unnoticed.pending, unnoticed.credit);
        }
        if let Some(pending) = &self.pending[side.index()] {
            // Not completed: the player replaces it under touch-move, without a penalty. A pawn
            // may still be exchanged.
            let fault = pending.fault;
            self.no_action("7.5.1", "the move is not completed");
            if fault != Fault::PawnNotReplaced {
                self.bind_unpressed_replacement(side, "");
            }
        } else if self.just_ruled == Some(side) {
            self.no_action("7.5.1", "already ruled on");
        } else if claimed {
            self.rule(RulingKind::ClaimRejected { by: side.opponent() }, "7.5.1").why =
                Some("the record shows no illegal move".into());
        } else {
            self.no_action("7.5.1", "the record shows no illegal move");
        }
    }

    /// The host knows better than the record: something illegal happened after `to` plies.
    fn illegal_found_later(&mut self, side: Side, to: usize) {
        let changes = self.take_back(to, true);
        if self.count_illegal(side, "7.5.1", false) {
            return;
        }
        self.announce_position("7.5.1");
        self.announce_times(changes);
        self.two_minutes_to(side.opponent());
    }

    /// Whether a move out of turn answers an illegal one: made and not pressed, or just ruled on.
    pub(super) fn answers_illegal(&self, by: Side) -> bool {
        let opponent = by.opponent();
        let made = self.pending[opponent.index()].as_ref();
        self.just_ruled == Some(opponent)
            || self.refused == Some(opponent)
            || made.is_some_and(|pending| pending.fault != Fault::WrongTurn)
    }

    /// A player replaces by `uci` what he made and has not pressed: touch-move binds him to the
    /// man of an illegal move, and a pawn on the last rank stays there (4.3, 4.7).
    pub(super) fn bind_unpressed_replacement(&mut self, by: Side, uci: &str) {
        let Some(Pending { fault, uci: made, .. }) = self.pending[by.index()].take() else {
            return;
        };
        match fault {
            Fault::Illegal => self.bind_replacement(&made),
            Fault::PawnNotReplaced if squares_of(uci) != squares_of(&made) => {
                if let Some(mv) = self.record.legal(&made) {
                    self.bind_to_squares(mv, "4.7");
                }
            }
            Fault::PawnNotReplaced | Fault::WrongTurn => {}
        }
    }

    /// The opponent answered before the illegal move was noticed: the answer is undone with it,
    /// and costs nothing.
    pub(super) fn reply_on_illegal(&mut self, by: Side, uci: &str) {
        self.no_action("7.5.1", &format!("{} {uci} is undone with the illegal move", by.letter()));
        if by != self.record.turn() {
            self.refused = Some(by);
        }
    }

    /// What binds the move that replaces an illegal one (7.5.1: 4.3 and 4.7 apply).
    fn bind_replacement(&mut self, uci: &str) {
        if let Some(duty) = self.castling_replaced(uci) {
            self.touches.any = true;
            return self.impose(duty);
        }
        if self.touch_as_moved(uci) {
            self.impose_touched();
        }
    }

    /// An illegal castling obliges to another king move (4.4.3, 4.7.2).
    fn castling_replaced(&self, uci: &str) -> Option<super::article4::Duty> {
        let (from, to) = squares_of(uci)?;
        let position = self.record.position();
        let king = position.board().king_of(position.turn())?;
        (king == from && castling_target(position, from, to).is_some())
            .then(|| king_duty(&self.record, king, "4.4.3"))
    }

    /// Takes the men of a move that cannot stand as touched: the man moved, then the man taken.
    pub(super) fn touch_as_moved(&mut self, uci: &str) -> bool {
        let Some((from, to)) = squares_of(uci) else { return false };
        let position = self.record.position().clone();
        if !position.us().contains(from) {
            return false;
        }
        self.touches.replacing = true;
        self.touches.add(from);
        let takes =
            position.them().contains(to) && position.board().king_of(!position.turn()) != Some(to);
        if takes {
            self.touches.add(to);
        } else if let Some(victim) = passed_pawn(&position, from, to) {
            self.touches.add(victim);
        }
        true
    }

    /// Puts board, counters, repetition table and offers back (7.1) and says so.
    pub(super) fn restore(&mut self, to: usize, article: &str) {
        let changes = self.take_back(to, false);
        self.announce_position(article);
        self.announce_times(changes);
    }

    fn announce_position(&mut self, article: &str) {
        let (to_ply, fen) = (self.record.plies().len() as u32, self.record.fen());
        self.rule(RulingKind::PositionRestored { to_ply, fen }, article);
    }

    /// How the clocks changed with a position that was restored (7.1).
    fn announce_times(&mut self, changes: [i64; 2]) {
        for side in Side::BOTH {
            let delta_ms = changes[side.index()];
            if delta_ms != 0 && self.clocks.in_use() {
                let clock_ms = Some(self.clocks.remaining(side));
                self.rule(RulingKind::TimeAdjusted { side, delta_ms, clock_ms }, "7.1");
            }
        }
    }

    /// No flag falls by turning back the clocks (7.1). Returns how they changed.
    fn settle_clocks(&mut self, before: [Shown; 2]) -> [i64; 2] {
        Side::BOTH.map(|side| self.clocks.settle(side, before[side.index()]))
    }

    /// 7.1: what the clocks showed after the last move that stands, where the event wants that.
    fn rewind_clocks(&mut self) {
        if self.regulations.restore_clocks == RestoreClocks::Rewind {
            let used = self.record.plies().last().map(|ply| ply.used).unwrap_or_default();
            self.clocks.rewind(used);
        }
    }

    /// Takes back the moves after `to` plies, the first of them an illegal one or not. Returns
    /// how the clocks changed.
    fn take_back(&mut self, to: usize, illegal: bool) -> [i64; 2] {
        let shown = self.clocks.shown();
        let removes_increment = self.regulations.remove_illegal_increment;
        if let Some(unnoticed) = self.unnoticed.take().filter(|_| removes_increment) {
            self.clocks.uncredit(unnoticed.side, unnoticed.credit);
        }
        let undone = self.record.truncate(to);
        for (index, ply) in undone.iter().enumerate() {
            if ply.completed {
                let is_kept = illegal && index == 0 && !removes_increment;
                let credit = if is_kept { 0 } else { ply.credit };
                self.clocks.uncomplete(ply.by, credit);
            }
        }
        self.rewind_clocks();
        let changes = self.settle_clocks(shown);
        let cancels = self.regulations.restore_cancels_offers;
        for offer in &mut self.offers {
            *offer = offer.filter(|&ply| ply <= to && !cancels);
        }
        for offers in &mut self.offers_made {
            offers.retain(|&ply| ply as usize <= to);
        }
        self.pending = [None, None];
        self.restoring = None;
        if !undone.is_empty() {
            // On the same move what the player has touched or announced binds him still.
            self.clear_turn();
        }
        // Who has not pressed yet still has to (6.2.2).
        let unpressed = self.record.plies().last().filter(|ply| !ply.completed).map(|ply| ply.by);
        self.clocks.hand_to(unpressed.unwrap_or(self.record.turn()));
        changes
    }

    /// 7.2, 7.3, 7.6, 6.10.2.
    pub(super) fn irregularity(
        &mut self,
        kind: IrregularityKind,
        since_ply: Option<u32>,
        identifiable: bool,
    ) {
        let article = article_of(kind);
        match kind {
            IrregularityKind::WrongStart => self.cancel(article),
            IrregularityKind::ColoursReversed => self.colours_reversed(article),
            IrregularityKind::BoardOrientation => {
                self.no_action(article, "play goes on on a board turned the right way");
            }
            IrregularityKind::DisplacedPiece => {
                // Not known since when: the position on the board is the last identifiable one.
                let plies = self.record.plies().len();
                let to = since_ply.map_or(plies, |ply| ply as usize);
                let changes = self.take_back(to, false);
                self.announce_position(article);
                if !identifiable {
                    self.mark_why("the last position that can be identified");
                }
                self.announce_times(changes);
            }
            IrregularityKind::ClockSetting => {
                self.clocks.stop();
                self.rule(RulingKind::ClocksStopped, article);
                self.mark_overridable();
            }
        }
    }

    fn cancel(&mut self, article: &str) {
        self.cancelled = true;
        self.clocks.stop();
        self.rule(RulingKind::GameCancelled { new_game: true }, article);
    }

    fn colours_reversed(&mut self, article: &str) {
        if !self.differences.reversed_colours_cancel {
            self.no_action(article, "play goes on").overridable = true;
            return;
        }
        let made = Side::BOTH.map(|side| self.record.made_by(side));
        let cancel = match self.regulations.reversed_at_nine_cancels {
            true => made.iter().any(|&moves| moves < 10),
            false => made.iter().all(|&moves| moves < 10),
        };
        match cancel {
            true => self.cancel(article),
            false => {
                self.no_action(article, "ten moves were made: play goes on");
            }
        }
    }

    /// 7.4.1: he restores the position in his own time.
    pub(super) fn pieces_displaced(&mut self, by: Side) {
        self.displaced[by.index()] += 1;
        let running = self.clocks.running();
        if running != Some(by) {
            // Where the other player was restoring too, his clock did not run for a move.
            let before = self.restoring.map_or(running, |(_, before)| before);
            self.restoring = Some((by, before));
            self.clocks.hand_to(by);
            self.rule(RulingKind::ClockReturnedTo { side: by }, "7.4.1");
        }
        let mut kind = RulingKind::duty(by);
        if let RulingKind::Obligation { must, .. } = &mut kind {
            *must = Some("restore_position".into());
        }
        self.rule(kind, "7.4.1");
        if self.displaced[by.index()] > 1 {
            self.warn(by, "7.4.3", "displaced_pieces");
        }
    }

    /// Who goes on to move in his own time has restored the position: his next press is for the
    /// move.
    pub(super) fn end_restoring(&mut self, by: Side) {
        self.restoring = self.restoring.filter(|&(side, _)| side != by);
    }

    /// The press with which the displacer hands the clock back; says whether it was one.
    pub(super) fn finish_restoring(&mut self, by: Side) -> bool {
        let restoring = self.restoring.filter(|(side, _)| *side == by);
        let Some((_, before)) = restoring.filter(|_| self.pending[by.index()].is_none()) else {
            return false;
        };
        self.restoring = None;
        if let Some(side) = before {
            self.clocks.hand_to(side);
        }
        self.no_action("7.4.1", "the position is restored");
        true
    }
}

/// The pawn that a pawn's step onto the empty square `to` can only mean to take in passing,
/// whether it may or not (3.7.4).
fn passed_pawn(position: &Chess, from: Square, to: Square) -> Option<Square> {
    let turn = position.turn();
    let victim = Square::from_coords(to.file(), from.rank());
    let meant = from.rank() == turn.fold_wb(Rank::Fifth, Rank::Fourth)
        && attacks::pawn_attacks(turn, from).contains(to)
        && position.board().piece_at(to).is_none()
        && position.board().role_at(from) == Some(Role::Pawn)
        && position.board().piece_at(victim) == Some(Role::Pawn.of(!turn));
    meant.then_some(victim)
}

/// The squares of a move in UCI notation, legal or not.
pub(super) fn squares_of(uci: &str) -> Option<(Square, Square)> {
    Some((uci.get(..2)?.parse().ok()?, uci.get(2..4)?.parse().ok()?))
}
