//! Article 12: the arbiter, his decisions and his penalties.

use crate::game::Play;
use crate::plugin::{Authority, Event, GameResult, PenaltyKind, Reason, RulingKind, Side};

impl Play {
    pub(super) fn hear_arbiter(&mut self, event: &Event) {
        match event {
            Event::DeviceUsed { by, permitted, .. } => self.device_used(by, *permitted),
            Event::InspectionOrdered { .. } => {
                self.no_action("12.2.7", "an inspection is ordered");
            }
            Event::Disturbance { extra_ms, side, .. } => self.disturbance(*extra_ms, *side),
            Event::AssistantAppointed { by, reason, disability, reduction_ms, .. } => {
                self.assistant(*by, reason.as_deref(), *disability, *reduction_ms);
            }
            Event::AssistantArbiterAppointed { .. } => {
                self.no_action("12.4", "an assistant observes for the arbiter");
            }
            Event::SpecialMeasure { by, .. } => {
                self.special_measure[by.index()] = true;
                self.no_action("12.2.6", "a special measure is taken");
            }
            Event::ArbiterNote { article, .. } => {
                self.by_host_number(article.as_deref().unwrap_or("12.2"), |play, article| {
                    play.no_action(article, "noted");
                });
            }
            Event::ConnectionLost { .. } => {
                // Not in the Laws: the clock runs, unless the arbiter stops it.
                self.no_action("6.11.1", "the connection is lost; the clock runs").overridable =
                    true;
            }
            Event::ConnectionRestored { .. } => {
                self.no_action("6.11.1", "the connection is restored");
            }
            Event::QueryMoveCount { by, .. } => match by {
                Authority::Arbiter => {
                    self.no_action("12.2.5", "the host finds it in the state");
                }
                _ => {
                    self.no_action("12.6", "the arbiter does not tell");
                }
            },
            Event::ThirdPartyReport { by, to_arbiter, .. } => match to_arbiter {
                true => {
                    self.no_action("12.7", "for the arbiter only");
                }
                false => {
                    let who = by.clone().unwrap_or_else(|| "spectator".into());
                    self.rule(RulingKind::Expulsion { who }, "12.7").overridable = true;
                }
            },
            Event::PenaltyChosen { side, kind, ms, points, .. } => {
                self.penalty(*side, *kind, ms.unwrap_or(0) as i64, points.unwrap_or(0.0));
            }
            Event::ArbiterDecision { .. } => self.decided(event),
            _ => {}
        }
    }

    /// 12.8.
    fn device_used(&mut self, by: &str, permitted: bool) {
        let player = match by {
            "w" => Some(Side::White),
            "b" => Some(Side::Black),
            _ => None,
        };
        match player {
            _ if permitted => {
                self.no_action("12.8", "with the arbiter's permission");
            }
            Some(side) => self.misconduct(side, "12.8", "device"),
            None => {
                self.rule(RulingKind::Expulsion { who: by.into() }, "12.8");
            }
        }
    }

    /// 12.5.
    fn disturbance(&mut self, extra_ms: u64, side: Option<Side>) {
        if extra_ms == 0 {
            self.no_action("12.2.4", "a disturbance is reported");
            return;
        }
        for player in Side::BOTH {
            if side.is_none_or(|side| side == player) {
                self.adjust_clock(player, extra_ms as i64, "12.5");
            }
        }
    }

    /// 4.9, 6.2.6, 8.1.6.
    fn assistant(&mut self, by: Side, reason: Option<&str>, disability: bool, reduction_ms: u64) {
        let reason = reason.unwrap_or("moves").to_ascii_lowercase();
        let disability = disability || reason.contains("disab") || self.special_measure[by.index()];
        let article = match () {
            () if reason.contains("clock") => "6.2.6",
            () if reason.contains("score") || reason.contains("record") => "8.1.6",
            () => "4.9",
        };
        if reduction_ms > 0 && article != "4.9" && !disability {
            self.adjust_clock(by, -(reduction_ms as i64), article);
        } else {
            self.no_action(article, "the assistant is accepted").overridable = true;
        }
    }

    /// 12.9.
    fn penalty(&mut self, side: Side, kind: PenaltyKind, ms: i64, points: f64) {
        let opponent = side.opponent();
        match kind {
            PenaltyKind::Warning => {
                self.warn(side, "12.9.1", "warning");
            }
            PenaltyKind::OpponentTime | PenaltyKind::LessTime if self.ended() => {
                self.no_action("12.9", "the game is over");
            }
            PenaltyKind::OpponentTime => self.adjust_clock(opponent, ms, "12.9.2"),
            PenaltyKind::LessTime => {
                self.adjust_clock(side, -ms, "12.9.3");
                if self.clocks.fallen(side) {
                    self.flag_falls(side);
                }
            }
            PenaltyKind::OpponentScore => {
                let points = points.min(self.best_score());
                self.penalty_score(opponent, points, "12.9.4", |new, old| new > old);
            }
            PenaltyKind::LessScore => {
                self.penalty_score(side, points, "12.9.5", |new, old| new < old);
            }
            PenaltyKind::Loss => self.declare_lost(side, points, "12.9.6"),
            PenaltyKind::Fine if !self.regulations.fines_announced => {
                self.no_action("12.9.7", "no fine was announced beforehand");
            }
            PenaltyKind::Fine => self.name_penalty(side, "fine", "12.9.7"),
            PenaltyKind::Exclusion => self.name_penalty(side, "exclusion", "12.9.8"),
            PenaltyKind::Expulsion => {
                self.name_penalty(side, "expulsion", "12.9.9");
                if !self.ended() {
                    let win = self.best_score();
                    self.declare_lost(side, win, "12.9.6");
                }
            }
        }
    }

    fn name_penalty(&mut self, side: Side, kind: &str, article: &str) {
        self.rule(RulingKind::Penalty { side, kind: kind.into() }, article);
    }

    /// A penalty of points: only in a game that is over, within 10.2, and only for the worse.
    fn penalty_score(
        &mut self,
        side: Side,
        points: f64,
        article: &str,
        is_penalty: fn(f64, f64) -> bool,
    ) {
        let Some(outcome) = &self.outcome else {
            self.no_action(article, "points are changed when the game is over");
            return;
        };
        let mut score = outcome.score;
        let before = std::mem::replace(&mut score[side.index()], points);
        let [white, black] = score;
        if !self.score_allowed(score) {
            self.rule(RulingKind::ScoreRejected { white, black }, "10.2");
        } else if !is_penalty(points, before) {
            self.rule(RulingKind::ScoreRejected { white, black }, article).why =
                Some(format!("the player has {before} points: this is no penalty"));
        } else {
            self.set_score(score, article);
        }
    }

    /// 12.9.6: the game is lost, and the arbiter says what the opponent gets.
    fn declare_lost(&mut self, side: Side, opponent_points: f64, article: &str) {
        let mut score = [self.regulations.scoring[2]; 2];
        score[side.opponent().index()] = opponent_points;
        if !self.score_allowed(score) {
            let [white, black] = score;
            self.rule(RulingKind::ScoreRejected { white, black }, "10.2");
            return;
        }
        if self.ended() {
            return self.set_score(score, article);
        }
        // Only the offender has lost; that the opponent gets nothing either is a loss of both.
        let result = match opponent_points > self.regulations.scoring[2] {
            true => GameResult::win(side.opponent()),
            false => GameResult::BothLose,
        };
        self.end_with_score(result, Reason::PenaltyLoss, score, article);
    }

    /// The arbiter answers an overridable ruling, or decides what the Laws leave to him.
    fn decided(&mut self, event: &Event) {
        let Event::ArbiterDecision { about, .. } = event else { return };
        match about.starts_with(|letter: char| letter.is_ascii_digit()) {
            true => self.by_host_number(about, |play, article| play.carry_out(event, article)),
            false => self.carry_out(event, article_about(about)),
        }
    }

    fn carry_out(&mut self, event: &Event, article: &str) {
        let Event::ArbiterDecision { decision, side, result, ms, to_ply, white, black, .. } = event
        else {
            return;
        };
        let score = white.zip(*black).map(|(white, black)| [white, black]);
        if let Some([white, black]) = score.filter(|&score| !self.score_allowed(score)) {
            self.rule(RulingKind::ScoreRejected { white, black }, "10.2");
            return;
        }
        if let Some(result) = result.or_else(|| parse_result(decision)) {
            return self.decide_result(result, score, article);
        }
        if let Some(score) = score {
            return self.set_score(score, "10.2");
        }
        match decision.to_ascii_lowercase().as_str() {
            "overrule" | "overruled" | "override" | "overridden" | "play_on" | "continue"
            | "play" | "annul" | "revoke" | "reverse" | "game_goes_on" | "no_forfeit" => {
                self.play_on(article);
            }
            "close" | "closed" | "confirm" | "confirmed" | "uphold" | "upheld" => {
                self.provisional = false;
                self.no_action(article, "the ruling stands");
            }
            "restore" => {
                let plies = self.record.plies().len();
                let to = to_ply.map_or(plies, |ply| (ply as usize).min(plies));
                match self.ended() {
                    true => {
                        self.no_action(article, "the game is over");
                    }
                    false => self.restore(to, "7.1"),
                }
            }
            _ => match (side, ms) {
                (Some(side), Some(ms)) if !self.ended() => match decision.contains("set") {
                    true => self.set_clock(*side, *ms, article),
                    false => self.adjust_clock(*side, *ms, article),
                },
                _ => {
                    self.no_action(article, "the decision is recorded");
                }
            },
        }
    }

    /// The arbiter overrules the end of the game: it goes on.
    fn play_on(&mut self, article: &str) {
        let cancelled = std::mem::take(&mut self.cancelled);
        if self.outcome.take().is_some() || cancelled {
            self.provisional = false;
            // The time since the end is nobody's.
            let side = self.clocks.running().unwrap_or_else(|| self.record.turn());
            self.clocks.start(side, self.now);
        }
        self.clocks.resume();
        self.no_action(article, "the arbiter decides that the game goes on");
    }

    /// The result is as the arbiter says; where he only confirms it, its reason stays.
    fn decide_result(&mut self, result: GameResult, score: Option<[f64; 2]>, article: &str) {
        let reason = match &self.outcome {
            Some(former) if former.result == result => former.reason.clone(),
            _ => Reason::ArbiterDecision,
        };
        let score = score.unwrap_or_else(|| self.score_of(result));
        self.end_with_score(result, reason, score, article);
    }

    /// Marks the last ruling as one the arbiter may change.
    pub(super) fn mark_overridable(&mut self) {
        if let Some(ruling) = self.last_ruling() {
            ruling.overridable = true;
        }
    }

    /// Gives the last ruling its ground.
    pub(super) fn mark_why(&mut self, why: &str) {
        if let Some(ruling) = self.last_ruling() {
            ruling.why = Some(why.into());
        }
    }
}

fn article_about(reason: &str) -> &'static str {
    match reason {
        "forfeit_late" => "6.7.1",
        "flag_fall" | "flag_fall_opponent_cannot_mate" => "6.9",
        "refusal_to_comply" => "11.7",
        "both_lose" => "11.8",
        "device" => "11.3.2.2",
        "signed_result" => "8.7",
        _ => "12.2.2",
    }
}

fn parse_result(text: &str) -> Option<GameResult> {
    serde_json::from_value(serde_json::Value::String(text.into())).ok()
}
