//! Article 6: the clock.

use super::hearing::admitted;
use crate::game::{LATEST_MS, Play};
use crate::mates;
use crate::plugin::{
    Authority, BothFlags, BothLate, ClaimBasis, Event, GameResult, MateHorizon, Reason, RulingKind,
    Side,
};

impl Play {
    pub(super) fn hear_clock(&mut self, event: &Event) {
        match event {
            Event::GameScheduledStart { t } => self.scheduled_start(*t),
            Event::PlayerArrived { by, t } => self.arrived(*by, *t),
            Event::FlagObserved { side, both, .. } => match both {
                true => self.both_flags_down(*side),
                false => self.flag_seen(*side, None),
            },
            Event::FlagClaimed { by, against, basis, .. } => {
                self.flag_claimed(*by, *against, *basis);
            }
            Event::ClockStopped { by, reason, valid, .. } => {
                self.clock_stopped(*by, reason.as_deref(), *valid);
            }
            Event::ClockRestarted { by, .. } => match by {
                Authority::Arbiter => {
                    self.clocks.resume();
                    self.no_action("6.11.3", "play resumes");
                }
                _ => {
                    self.no_action("6.11.3", "the arbiter decides when play resumes");
                }
            },
            Event::ClockDefect { side, ms, .. } => self.set_clock(*side, *ms, "6.10.1"),
            Event::ClockSet { side, ms, moves_completed, reason, .. } => {
                if let Some(moves) = moves_completed {
                    self.clocks.set_completed(*side, *moves);
                }
                let article = match reason.as_deref() {
                    Some(reason) if reason.contains("restor") => "7.1",
                    _ => "6.10.2",
                };
                self.set_clock(*side, *ms, article);
            }
            Event::ClockPlaced { side, .. } => {
                self.no_action("6.5", &format!("the clock stands to the {side} of the board"));
            }
            _ => {}
        }
    }

    /// 6.6.
    pub(super) fn scheduled_start(&mut self, t: u64) {
        // What was lost by an hour that was not the right one is given back.
        let arrival = self.scheduled.saturating_add(self.lost_before_arrival);
        let lost = arrival.saturating_sub(t).min(self.lost_before_arrival);
        let given_back = self.lost_before_arrival - lost;
        self.scheduled = t;
        if self.record.plies().is_empty() {
            self.lost_before_arrival = lost;
            if given_back > 0 {
                self.adjust_clock(self.record.turn(), given_back as i64, "6.7.2");
            }
            // Who was taken for late before the hour was known is not.
            self.outcome = None;
            self.provisional = false;
            let side = self.record.turn();
            self.clocks.clear_move(side);
            self.clocks.resume();
            self.clocks.start(side, t);
        }
        self.no_action("6.6", "the clock of the player on the move runs");
    }

    /// 6.7: late is after the default time, to the millisecond.
    fn arrived(&mut self, by: Side, t: u64) {
        if self.arrived[by.index()] || self.record.made_by(by) > 0 {
            self.no_action("6.7.1", "the player has already arrived");
            return;
        }
        let grace = self.regulations.default_time_ms.unwrap_or(0);
        let elapsed = t.min(LATEST_MS).saturating_sub(self.scheduled);
        let first = !self.arrived[by.opponent().index()];
        self.arrived[by.index()] = true;
        if elapsed > grace {
            let result = GameResult::win(by.opponent());
            self.end(result, Reason::ForfeitLate, "6.7.1", None);
            return self.overridable_end();
        }
        self.no_action("6.7.1", "in time");
        // White, unless the game starts from a position with Black on the move (6.6).
        let runs = by == self.record.turn();
        if grace > 0 && first && runs && elapsed > 0 && self.record.plies().is_empty() {
            // The clock ran; booked as a loss of time so that it can be overruled.
            self.clocks.clear_move(by);
            self.lost_before_arrival = elapsed;
            self.adjust_clock(by, -(elapsed as i64), "6.7.2");
            self.mark_overridable();
        }
    }

    /// The second player is late as well.
    pub(super) fn arrived_after_forfeit(&mut self, by: Side, t: u64) {
        let late = !self.arrived[by.index()]
            && t.min(LATEST_MS).saturating_sub(self.scheduled)
                > self.regulations.default_time_ms.unwrap_or(0);
        let winner = self
            .outcome
            .as_ref()
            .filter(|outcome| outcome.reason == Reason::ForfeitLate)
            .and_then(|outcome| outcome.result.winner());
        if !late || winner != Some(by) || !self.provisional {
            self.no_action("6.7.1", "the game is over");
            return;
        }
        match self.regulations.both_late {
            BothLate::BothLose => {
                self.end(GameResult::BothLose, Reason::ForfeitLate, "6.7.1", None);
                self.overridable_end();
            }
            BothLate::AskHost => {
                self.no_action("6.7.1", "both players are late: the arbiter decides");
                self.mark_overridable();
            }
        }
    }

    /// The player presses the clock.
    pub(super) fn on_press(&mut self, by: Side, same_hand: bool) {
        if self.clocks.stopped() {
            self.no_action("6.11.3", "a press while the clocks are stopped");
            return;
        }
        if !same_hand {
            self.warn(by, "6.2.3", "other_hand");
        }
        if self.finish_restoring(by) {
            return;
        }
        let late = self.press(by);
        if late {
            self.no_action("6.2.2", "pressed after the reply; the time between is the player's");
        } else if !self.ended() && self.delay_paid(by) {
            self.no_action("6.3.2", "main time unchanged");
        }
    }

    /// The press that belongs to one of `moves_played`.
    pub(super) fn press_quietly(&mut self, by: Side) {
        if !self.clocks.stopped() {
            self.press(by);
        }
    }

    /// Returns whether it was a late press (6.2.2).
    fn press(&mut self, by: Side) -> bool {
        if self.unnoticed.is_some() {
            self.clocks.hand_to(by.opponent());
            return false;
        }
        if self.pending[by.index()].is_some() {
            self.complete_illegal(by);
            return false;
        }
        if self.record.uncompleted(by).is_none() || self.reply_is_pressed(by) {
            self.press_without_move(by);
            return false;
        }
        if self.clocks.running() != Some(by) {
            self.no_action("6.2.2", "the player's clock is not running");
            return false;
        }
        let replied = self.record.turn() == by;
        self.complete_with_press(by);
        replied
    }

    /// Whether the opponent has replied and pressed: a press is for the next move then, and no
    /// longer a late one for the last (6.2.2, 7.5.3).
    fn reply_is_pressed(&self, by: Side) -> bool {
        self.record.plies().last().is_some_and(|last| last.by != by && last.completed)
    }

    pub(super) fn complete_with_press(&mut self, by: Side) {
        let press = self.clocks.complete(by, true);
        let used = self.clocks.used();
        let clock_ms = self.clocks.in_use().then(|| self.clocks.remaining(by));
        let made_after = self.record.plies().iter().rposition(|ply| ply.by == by);
        let mut hands = 1;
        if let Some(ply) = self.record.uncompleted(by) {
            ply.completed = true;
            ply.credit = press.credit;
            ply.used = used;
            ply.clock_ms = clock_ms;
            hands = ply.hands;
        }
        if press.new_period {
            self.announce_period(by, "6.3.2");
        }
        if let Some(plies) = made_after.filter(|_| hands > 1) {
            self.two_hands_pressed(by, plies);
        }
    }

    /// A move not pressed is completed when its player makes the next one (6.2.1.2).
    pub(super) fn complete_without_press(&mut self, by: Side) {
        if self.record.uncompleted(by).is_none() {
            return;
        }
        let press = self.clocks.complete(by, false);
        if let Some(ply) = self.record.uncompleted(by) {
            ply.completed = true;
        }
        if press.new_period {
            self.announce_period(by, "6.3.2");
        }
    }

    pub(super) fn announce_period(&mut self, side: Side, article: &str) {
        let clock_ms = self.clocks.remaining(side);
        self.rule(RulingKind::PeriodAdvanced { side, clock_ms }, article);
        self.new_period_for_scoresheet(side);
    }

    fn delay_paid(&self, by: Side) -> bool {
        self.clocks.control().mode == crate::plugin::ClockMode::Delay
            && self.record.plies().last().is_some_and(|ply| ply.by == by && ply.completed)
            && self.clocks.used_on_last_move(by) == 0
    }

    pub(super) fn delay_paid_for_all(&self, before: [i64; 2]) -> bool {
        self.clocks.control().mode == crate::plugin::ClockMode::Delay
            && Side::BOTH.map(|side| self.clocks.remaining(side)) == before
    }

    /// The flag of an electronic clock falls by itself; says whether that ended the game.
    pub(super) fn auto_flag(&mut self) -> bool {
        let Some(side) = self.clocks.running() else { return false };
        if self.clocks.fallen(side) {
            self.flag_falls(side);
        }
        self.ended()
    }

    /// 6.8: a fall exists once it is observed or validly claimed.
    fn flag_seen(&mut self, side: Side, claimant: Option<Side>) {
        if !self.clocks.in_use() || self.clocks.fallen(side) {
            return self.flag_falls(side);
        }
        // The prescribed moves were made in time, or there is time left (6.4).
        let later_period = self.clocks.period(side) > 0;
        let article = if later_period { "6.4" } else { "6.8" };
        match claimant {
            Some(by) => {
                self.rule(RulingKind::ClaimRejected { by }, article).why =
                    Some("the time is not used up".into());
            }
            None => {
                if later_period {
                    // The flag of an earlier period has fallen.
                    self.stop_for_scoresheets();
                }
                self.no_action(article, "the time is not used up");
            }
        }
    }

    fn flag_claimed(&mut self, by: Side, against: Side, basis: ClaimBasis) {
        if admitted(self, by, basis) {
            self.flag_seen(against, Some(by));
        }
    }

    /// 6.9.
    pub(super) fn flag_falls(&mut self, side: Side) {
        self.stop_for_scoresheets();
        let winner = side.opponent();
        let mut answer = self.can_mate(winner);
        if self.regulations.mate_horizon == MateHorizon::Respect && !answer.impossible {
            answer = mates::within_horizon(self.record.position(), winner, answer);
        }
        let (result, reason) = match answer.impossible {
            true => (GameResult::Draw, Reason::FlagFallOpponentCannotMate),
            false => (GameResult::win(winner), Reason::FlagFall),
        };
        self.end(result, reason, "6.9", Some(answer.evidence));
    }

    /// Both flags are down and nobody knows which was first (Guideline III).
    fn both_flags_down(&mut self, side: Side) {
        if self.clocks.in_use() && !Side::BOTH.iter().any(|&side| self.clocks.fallen(side)) {
            return self.flag_seen(side, None);
        }
        self.stop_for_scoresheets();
        match self.regulations.both_flags {
            BothFlags::AskHost => {
                self.no_action("6.9", "both flags are down: the arbiter decides");
                self.mark_overridable();
            }
            BothFlags::Guideline if self.clocks.in_last_period(side) => {
                self.end(GameResult::Draw, Reason::BothFlags, "6.9", None);
                self.overridable_end();
            }
            BothFlags::Guideline => {
                self.no_action("6.9", "both flags are down before the last period: play on");
            }
        }
    }

    /// 6.10.
    pub(super) fn set_clock(&mut self, side: Side, ms: i64, article: &str) {
        let delta_ms = self.clocks.set(side, ms);
        self.rule(RulingKind::TimeAdjusted { side, delta_ms, clock_ms: Some(ms) }, article);
    }

    /// 6.11.
    fn clock_stopped(&mut self, by: Authority, reason: Option<&str>, valid: Option<bool>) {
        let stopped_before = self.clocks.stopped();
        self.clocks.stop();
        let Some(player) = by.player() else {
            self.no_action("6.11.1", reason.unwrap_or("the arbiter stops the clocks"));
            return;
        };
        let reason = reason.unwrap_or_default().to_ascii_lowercase();
        if valid == Some(false) || valid.is_none() && obviously_idle(&reason) {
            if !stopped_before {
                self.clocks.resume();
            }
            self.misconduct(player, "6.11.4", "clock_stopped");
        } else if reason.contains("displace") {
            self.no_action("7.4.2", "a valid reason to stop the clock");
        } else {
            self.no_action("6.11.2", "a reason to call the arbiter").overridable = true;
        }
    }
}

/// Whether a reason for stopping the clock is obviously none (6.11.4): it says that, and nothing
/// else. A telephone that rings is a reason.
fn obviously_idle(reason: &str) -> bool {
    const IDLE: &[&str] = &[
        "rest", "resting", "break", "pause", "think", "thinking", "toilet", "drink", "smoke",
        "smoking", "phone", "none", "invalid", "reason",
    ];
    const FILLING: &[&str] = &[
        "a", "an", "any", "as", "for", "go", "going", "he", "her", "his", "i", "just", "little",
        "my", "need", "needs", "no", "of", "she", "short", "some", "take", "takes", "taking",
        "the", "to", "use", "using", "valid", "want", "wants", "was", "without",
    ];
    let mut words =
        reason.split(|letter: char| !letter.is_alphabetic()).filter(|it| !it.is_empty());
    words.clone().any(|word| IDLE.contains(&word))
        && words.all(|word| IDLE.contains(&word) || FILLING.contains(&word))
}
