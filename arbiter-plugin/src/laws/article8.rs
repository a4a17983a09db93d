//! Article 8: the recording of the moves.

use crate::game::Play;
use crate::plugin::{
    AffectedSide, ClockMode, Event, GameResult, Outcome, Reason, RulingKind, ScoreReportKind, Side,
};

/// How a player keeps his score.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scoresheet {
    /// He was short of time in this period: 8.4 allows him to stop recording.
    short: bool,
    /// He stopped recording as 8.4 allows.
    stopped: bool,
    /// A flag has fallen, or the period has ended: he must bring it up to date (8.5).
    must_update: bool,
}

const FIVE_MINUTES_MS: i64 = 300_000;
const HALF_MINUTE_MS: u64 = 30_000;

impl Play {
    pub(super) fn hear_recording(&mut self, event: &Event) {
        match event {
            Event::ScoreReport { by, kind, .. } => self.score_report(*by, *kind),
            Event::ReconstructionStarted { .. } => self.reconstruct(),
            Event::ReconstructionFailed { side, .. } => {
                self.overstep_not_shown(side.unwrap_or_else(|| self.record.turn()));
            }
            Event::ResultSigned { result, .. } => self.signed(*result),
            _ => {}
        }
    }

    fn score_report(&mut self, by: AffectedSide, kind: ScoreReportKind) {
        for &side in by.sides() {
            match kind {
                ScoreReportKind::Missing | ScoreReportKind::TwoUnrecorded
                    if self.need_not_record(side)
                        && !self.scoresheets[side.index()].must_update =>
                {
                    self.scoresheets[side.index()].stopped = true;
                    self.no_action("8.4", "the player need not record now");
                }
                ScoreReportKind::Missing => {
                    self.warn(side, "8.1.1", "scoresheet");
                }
                ScoreReportKind::TwoUnrecorded => {
                    self.warn(side, "8.1.4", "scoresheet");
                }
                ScoreReportKind::InAdvance if self.claimants[side.index()] => {
                    self.no_action("8.1.2", "the move belongs to a claim");
                }
                ScoreReportKind::InAdvance => {
                    self.warn(side, "8.1.2", "scoresheet");
                }
                ScoreReportKind::Notes => {
                    self.warn(side, "8.1.3", "scoresheet");
                }
                ScoreReportKind::Hidden => {
                    self.warn(side, "8.2", "scoresheet");
                }
                ScoreReportKind::NotHandedIn => {
                    self.warn(side, "8.3", "scoresheet");
                }
                ScoreReportKind::Stopped => self.stopped_recording(side),
                ScoreReportKind::Updated => {
                    let sheet = &mut self.scoresheets[side.index()];
                    (sheet.stopped, sheet.must_update) = (false, false);
                    self.no_action("8.5.2", "the scoresheet is up to date");
                }
            }
        }
    }

    /// 8.4: strictly under five minutes, and no addition of 30 seconds or more.
    fn is_short_of_time(&self, side: Side) -> bool {
        let control = self.clocks.control();
        let addition = match control.mode {
            ClockMode::Increment => control.increment_ms,
            ClockMode::Delay if self.regulations.delay_counts_as_addition => control.delay_ms,
            ClockMode::Delay | ClockMode::None => 0,
        };
        self.clocks.in_use()
            && self.clocks.remaining(side) < FIVE_MINUTES_MS
            && addition < HALF_MINUTE_MS
    }

    /// Who was short of time once in a period need not record until it ends, whatever time he
    /// is given (8.4).
    pub(crate) fn note_short_of_time(&mut self) {
        for side in Side::BOTH {
            self.scoresheets[side.index()].short |= self.is_short_of_time(side);
        }
    }

    fn need_not_record(&self, side: Side) -> bool {
        let sheet = self.scoresheets[side.index()];
        sheet.short || sheet.stopped
    }

    fn stopped_recording(&mut self, side: Side) {
        if self.need_not_record(side) {
            self.scoresheets[side.index()].stopped = true;
            self.no_action("8.4", "the player need not record until the period ends");
        } else {
            self.warn(side, "8.4", "scoresheet");
        }
    }

    fn must_update(&mut self, side: Side, article: &str) {
        self.scoresheets[side.index()] = Scoresheet { must_update: true, ..Scoresheet::default() };
        self.other_duty(side, "update_scoresheet", article);
    }

    fn other_duty(&mut self, side: Side, what: &str, article: &str) {
        let mut kind = RulingKind::duty(side);
        if let RulingKind::Obligation { must, .. } = &mut kind {
            *must = Some(what.into());
        }
        self.rule(kind, article);
    }

    /// 8.5.1: nobody recorded; the clocks stop before the verdict.
    pub(super) fn stop_for_scoresheets(&mut self) {
        if self.scoresheets.iter().all(|sheet| sheet.stopped || sheet.must_update) {
            self.clocks.stop();
            self.rule(RulingKind::ClocksStopped, "8.5.1");
            for side in Side::BOTH {
                self.must_update(side, "8.5.1");
            }
        } else {
            self.update_after_fall();
        }
    }

    /// 8.5.2: after a fall, who had stopped brings his sheet up to date before he moves.
    fn update_after_fall(&mut self) {
        for side in Side::BOTH {
            if self.scoresheets[side.index()].stopped {
                self.must_update(side, "8.5.2");
            }
        }
    }

    /// 8.4 ends with the period.
    pub(super) fn new_period_for_scoresheet(&mut self, side: Side) {
        self.scoresheets[side.index()].short = false;
        if self.scoresheets[side.index()].stopped {
            self.must_update(side, "8.5.2");
        }
    }

    /// Warns who moves before he has brought his sheet up to date (8.5.2).
    pub(super) fn check_scoresheet(&mut self, by: Side) {
        if std::mem::take(&mut self.scoresheets[by.index()].must_update) {
            self.warn(by, "8.5.2", "scoresheet");
        }
    }

    /// 8.6: the next move is the first of the next period.
    fn overstep_not_shown(&mut self, side: Side) {
        let unpressed = self.record.uncompleted(side).is_some();
        match self.clocks.grant_period(side, unpressed) {
            true => self.announce_period(side, "8.6"),
            false => {
                self.no_action("8.6", "there is no next period");
            }
        }
    }

    /// 8.5.3 and 11.11.
    fn reconstruct(&mut self) {
        self.clocks.stop();
        let kind = RulingKind::Snapshot {
            fen: self.record.fen(),
            white_ms: self.clocks.remaining(Side::White),
            black_ms: self.clocks.remaining(Side::Black),
            running: self.clocks.running(),
            moves_completed: Side::BOTH.map(|side| self.clocks.completed(side)),
        };
        self.rule(kind, "8.5.3");
        for side in Side::BOTH {
            self.other_duty(side, "reconstruct", "11.11");
        }
    }

    /// 8.7: the signed result stands, unless the arbiter decides otherwise.
    fn signed(&mut self, result: GameResult) {
        let differs = self.outcome.as_ref().is_some_and(|outcome| outcome.result != result);
        let open = self.outcome.is_none();
        let score = self.score_of(result);
        let ruling = self.rule(RulingKind::ResultRecorded { result }, "8.7");
        if differs {
            ruling.why = Some("the signed result is not the one on the board".into());
        }
        ruling.overridable = differs || open;
        let (article, text) = (ruling.article.clone(), ruling.text.clone());
        if open && !self.cancelled {
            let reason = Reason::SignedResult;
            self.clocks.stop();
            self.outcome = Some(Outcome { result, reason, article, text, score });
        }
    }
}
