//! Article 11: the conduct of the players.

use crate::game::Play;
use crate::plugin::{DevicePenalty, Event, GameResult, Reason, RulingKind, Side};

impl Play {
    pub(super) fn hear_conduct(&mut self, event: &Event) {
        match event {
            Event::DeviceFound { by, on_person, in_bag, off, .. } => {
                self.device_found(*by, on_person.unwrap_or(!in_bag), *in_bag, *off);
            }
            Event::RefusesToComply { by, persistent, .. } => self.refuses(*by, *persistent),
            Event::Misconduct { by, article, kind, .. } => {
                self.by_host_number(article, |play, article| {
                    play.misconduct(*by, article, kind.as_deref().unwrap_or("misconduct"));
                });
            }
            Event::LeftVenue { by, permitted, .. } => match permitted {
                true => {
                    self.no_action("11.2.3.1", "with the arbiter's permission");
                }
                false => self.misconduct(*by, "11.2.3.1", "left_venue"),
            },
            Event::LeftArea { by, permitted, reported, .. } => {
                self.left_area(*by, *permitted, *reported);
            }
            Event::Intruder { permitted, .. } => match permitted {
                true => {
                    self.no_action("11.2.3.3", "with the arbiter's permission");
                }
                false => {
                    self.rule(RulingKind::Expulsion { who: "intruder".into() }, "11.2.3.3");
                }
            },
            Event::SearchRefused { by, .. } => self.misconduct(*by, "11.3.3", "search_refused"),
            Event::QuestionAsked { article, .. } => {
                self.by_host_number(article.as_deref().unwrap_or("11.9"), |play, article| {
                    play.no_action(article, "the arbiter explains the Laws (11.9)");
                });
            }
            Event::Appeal { by, .. } => match self.regulations.appeals {
                true => {
                    self.rule(RulingKind::AppealRecorded { by: *by }, "11.10");
                }
                false => {
                    self.no_action("11.10", "the regulations exclude appeals");
                }
            },
            _ => {}
        }
    }

    /// A breach: the arbiter may choose another penalty of 12.9 than the warning (11.6).
    pub(super) fn misconduct(&mut self, by: Side, article: &str, kind: &str) {
        self.warn(by, article, kind);
        let penalty = RulingKind::Penalty { side: by, kind: "warning".into() };
        let ruling = self.rule(penalty, article);
        ruling.overridable = true;
        ruling.why = Some(match article.starts_with("11.") {
            true => "11.6: penalties of 12.9".into(),
            false => "penalties of 12.9".into(),
        });
    }

    fn left_area(&mut self, by: Side, permitted: bool, reported: bool) {
        if by == self.record.turn() {
            match permitted {
                true => {
                    self.no_action("11.2.3.2", "with the arbiter's permission");
                }
                false => self.misconduct(by, "11.2.3.2", "left_area"),
            }
        } else if self.regulations.report_leaving_area && !reported {
            self.warn(by, "11.2.4", "left_area");
        } else {
            self.no_action("11.2.4", "the opponent has the move");
        }
    }

    fn device_found(&mut self, by: Side, on_person: bool, in_bag: bool, off: bool) {
        if !on_person {
            match self.regulations.devices_in_bag && in_bag && off {
                true => {
                    self.no_action("11.3.2.1", "switched off in the bag");
                }
                false => self.misconduct(by, "11.3.2.1", "device"),
            }
            return;
        }
        match self.regulations.device_penalty {
            DevicePenalty::Warning => {
                self.warn(by, "11.3.2.2", "device");
            }
            DevicePenalty::Loss => {
                self.end(GameResult::win(by.opponent()), Reason::Device, "11.3.2.2", None);
            }
        }
    }

    /// 11.7, and 11.8 when the opponent does the same before the incident is closed.
    fn refuses(&mut self, by: Side, persistent: bool) {
        if !persistent {
            if self.ended() {
                self.no_action("11.7", "the game is over");
            } else {
                self.warn(by, "11.7", "refusal_to_comply");
            }
            return;
        }
        let refused_before = |outcome: &crate::plugin::Outcome| {
            outcome.reason == Reason::RefusalToComply && outcome.result.winner() == Some(by)
        };
        if self.provisional && self.outcome.as_ref().is_some_and(refused_before) {
            self.end(GameResult::BothLose, Reason::BothLose, "11.8", None);
        } else if self.ended() {
            self.no_action("11.7", "the game is over");
        } else {
            // The arbiter may still decide the opponent's score.
            self.end(GameResult::win(by.opponent()), Reason::RefusalToComply, "11.7", None);
            self.overridable_end();
        }
    }
}
