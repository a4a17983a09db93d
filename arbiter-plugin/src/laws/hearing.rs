//! Who hears what: each event goes to the Article that deals with it.

use crate::game::{LATEST_MS, Play};
use crate::plugin::{ArbiterError, ClaimBasis, Event, Outcome, PenaltyKind, Reason, Side};

impl Play {
    /// Whether the event makes sense at all, before anything of it is done.
    pub(crate) fn check(&self, event: &Event) -> Result<(), ArbiterError> {
        let square = |text: &String| {
            text.parse::<shakmaty::Square>()
                .map(drop)
                .map_err(|_| ArbiterError::Event(format!("`{text}` is not a square")))
        };
        match event {
            Event::PieceTouched { squares, .. } | Event::PiecesDisplaced { squares, .. } => {
                squares.iter().try_for_each(square)
            }
            Event::PieceReleased { square: to, from, .. } => {
                square(to)?;
                from.iter().try_for_each(square)
            }
            Event::PromotionPiecePlaced { square: at, piece, .. } => {
                square(at)?;
                match super::article4::promotion_role(piece) {
                    Some(_) => Ok(()),
                    None => Err(ArbiterError::Event(format!(
                        "piece: `{piece}` is not a queen, rook, bishop or knight"
                    ))),
                }
            }
            Event::PenaltyChosen { kind, ms, points, rounds, .. } => {
                check_penalty(*kind, *ms, *points, *rounds)
            }
            Event::ClockSet { moves_completed: Some(moves), .. } if *moves > MOST_MOVES => {
                Err(ArbiterError::Event(format!("moves_completed: {moves} is beyond any game")))
            }
            Event::ClockSet { ms, .. } | Event::ClockDefect { ms, .. } => check_time(*ms),
            Event::ArbiterDecision { ms: Some(ms), .. } => check_time(*ms),
            Event::Disturbance { extra_ms: ms, .. }
            | Event::AssistantAppointed { reduction_ms: ms, .. } => {
                check_time(i64::try_from(*ms).unwrap_or(i64::MAX))
            }
            _ => Ok(()),
        }
    }

    /// Rules on an event.
    pub(crate) fn hear(&mut self, event: &Event) {
        if self.dead_start && by_a_player(event) {
            self.play_from_dead_start();
        }
        if let Event::GameScheduledStart { t } = event
            && self.is_before_start(*t)
        {
            // The time until the appointed hour is nobody's.
            self.now = self.now.max((*t).min(LATEST_MS));
            return self.scheduled_start(*t);
        }
        self.tick(moment(event));
        if self.ended() {
            return self.hear_after_end(event);
        }
        if self.regulations.auto_flag && self.auto_flag() {
            return self.hear_after_end(event);
        }
        match event {
            Event::GameStarted(_) => {}
            Event::MoveMade { by, uci, hands, promotion_replaced, complete, .. } => {
                self.on_move(*by, uci, *hands, *promotion_replaced, *complete);
            }
            Event::ClockPressed { by, same_hand, .. } => self.on_press(*by, *same_hand),
            Event::MovesPlayed { t0, ms_per_move, uci } => {
                self.on_moves(*t0, *ms_per_move, uci);
            }
            Event::GameScheduledStart { .. }
            | Event::PlayerArrived { .. }
            | Event::FlagObserved { .. }
            | Event::FlagClaimed { .. }
            | Event::ClockStopped { .. }
            | Event::ClockRestarted { .. }
            | Event::ClockDefect { .. }
            | Event::ClockSet { .. }
            | Event::ClockPlaced { .. } => self.hear_clock(event),
            Event::PieceTouched { .. }
            | Event::PieceReleased { .. }
            | Event::PromotionPiecePlaced { .. }
            | Event::PromotionSteps { .. }
            | Event::Complaint { .. } => self.hear_touch(event),
            Event::Resigned { by, .. } => self.resigned(*by),
            Event::IllegalMoveClaimed { by, at_ply, .. } => {
                self.illegal_reported(by.opponent(), *at_ply, true);
            }
            Event::IllegalMoveObserved { side, at_ply, .. } => {
                self.illegal_reported(*side, *at_ply, false);
            }
            Event::ReplyOnIllegalPosition { by, uci, .. } => self.reply_on_illegal(*by, uci),
            Event::PiecesDisplaced { by, .. } => self.pieces_displaced(*by),
            Event::Irregularity { kind, since_ply, identifiable, .. } => {
                self.irregularity(*kind, *since_ply, *identifiable);
            }
            Event::DrawOffered { .. }
            | Event::DrawAccepted { .. }
            | Event::DrawDeclined { .. }
            | Event::DrawClaimed { .. }
            | Event::ClaimWithdrawn { .. } => self.hear_draw(event),
            Event::ScoreReport { .. }
            | Event::ReconstructionStarted { .. }
            | Event::ReconstructionFailed { .. }
            | Event::ResultSigned { .. } => self.hear_recording(event),
            Event::ScoreProposed { white, black, .. } => self.score_proposed(*white, *black),
            Event::DeviceFound { .. }
            | Event::RefusesToComply { .. }
            | Event::Misconduct { .. }
            | Event::LeftVenue { .. }
            | Event::LeftArea { .. }
            | Event::Intruder { .. }
            | Event::SearchRefused { .. }
            | Event::QuestionAsked { .. }
            | Event::Appeal { .. } => self.hear_conduct(event),
            _ => self.hear_arbiter(event),
        }
    }

    /// Whether the game is still to begin at `t`, though a player may have been taken for late.
    fn is_before_start(&self, t: u64) -> bool {
        let early = |outcome: &Outcome| {
            outcome.reason == Reason::ForfeitLate && self.provisional && self.now <= t
        };
        self.record.plies().is_empty() && !self.cancelled && self.outcome.as_ref().is_none_or(early)
    }

    /// After the end only the arbiter, appeals and the paperwork are heard (8.7, 11.10).
    fn hear_after_end(&mut self, event: &Event) {
        match event {
            Event::ArbiterDecision { .. } | Event::PenaltyChosen { .. } => self.hear_arbiter(event),
            Event::Appeal { .. } | Event::QuestionAsked { .. } | Event::RefusesToComply { .. } => {
                self.hear_conduct(event);
            }
            Event::ResultSigned { .. } => self.hear_recording(event),
            Event::ScoreProposed { white, black, .. } => self.score_proposed(*white, *black),
            Event::PlayerArrived { by, t } => self.arrived_after_forfeit(*by, *t),
            _ => {
                self.no_action(subject(event), "the game is over");
            }
        }
    }
}

/// Whether players go on with the game.
fn by_a_player(event: &Event) -> bool {
    matches!(event, Event::MovesPlayed { uci, .. } if !uci.is_empty())
        || matches!(
            event,
            Event::MoveMade { .. }
                | Event::ClockPressed { .. }
                | Event::FlagObserved { .. }
                | Event::FlagClaimed { .. }
                | Event::PieceTouched { .. }
                | Event::PieceReleased { .. }
                | Event::PromotionPiecePlaced { .. }
                | Event::DrawOffered { .. }
                | Event::DrawClaimed { .. }
        )
}

/// The moment of an event.
fn moment(event: &Event) -> u64 {
    match event {
        Event::GameStarted(_) => 0,
        // The moves pass the time themselves.
        Event::MovesPlayed { .. } => 0,
        Event::GameScheduledStart { t }
        | Event::PlayerArrived { t, .. }
        | Event::MoveMade { t, .. }
        | Event::ClockPressed { t, .. }
        | Event::FlagObserved { t, .. }
        | Event::FlagClaimed { t, .. }
        | Event::DrawOffered { t, .. }
        | Event::DrawAccepted { t, .. }
        | Event::DrawDeclined { t, .. }
        | Event::DrawClaimed { t, .. }
        | Event::ClaimWithdrawn { t, .. }
        | Event::Resigned { t, .. }
        | Event::IllegalMoveClaimed { t, .. }
        | Event::IllegalMoveObserved { t, .. }
        | Event::ReplyOnIllegalPosition { t, .. }
        | Event::PieceTouched { t, .. }
        | Event::PieceReleased { t, .. }
        | Event::PromotionPiecePlaced { t, .. }
        | Event::PromotionSteps { t, .. }
        | Event::PiecesDisplaced { t, .. }
        | Event::Irregularity { t, .. }
        | Event::ClockStopped { t, .. }
        | Event::ClockRestarted { t, .. }
        | Event::ClockDefect { t, .. }
        | Event::ClockSet { t, .. }
        | Event::ClockPlaced { t, .. }
        | Event::ScoreReport { t, .. }
        | Event::ReconstructionStarted { t }
        | Event::ReconstructionFailed { t, .. }
        | Event::ResultSigned { t, .. }
        | Event::ScoreProposed { t, .. }
        | Event::DeviceFound { t, .. }
        | Event::DeviceUsed { t, .. }
        | Event::RefusesToComply { t, .. }
        | Event::Misconduct { t, .. }
        | Event::LeftVenue { t, .. }
        | Event::LeftArea { t, .. }
        | Event::Intruder { t, .. }
        | Event::InspectionOrdered { t, .. }
        | Event::SearchRefused { t, .. }
        | Event::Disturbance { t, .. }
        | Event::AssistantAppointed { t, .. }
        | Event::AssistantArbiterAppointed { t }
        | Event::SpecialMeasure { t, .. }
        | Event::ArbiterNote { t, .. }
        | Event::ConnectionLost { t, .. }
        | Event::ConnectionRestored { t, .. }
        | Event::QuestionAsked { t, .. }
        | Event::QueryMoveCount { t, .. }
        | Event::ThirdPartyReport { t, .. }
        | Event::Complaint { t, .. }
        | Event::PenaltyChosen { t, .. }
        | Event::ArbiterDecision { t, .. }
        | Event::Appeal { t, .. } => *t,
    }
}

/// The article that an event which comes too late is about.
fn subject(event: &Event) -> &'static str {
    match event {
        Event::FlagObserved { .. } | Event::FlagClaimed { .. } => "6.9",
        Event::ClockPressed { .. } => "6.2.1.1",
        Event::DrawOffered { .. } | Event::DrawAccepted { .. } | Event::DrawDeclined { .. } => {
            "9.1.2.1"
        }
        Event::DrawClaimed { rule: crate::plugin::DrawRule::Threefold, .. } => "9.2.1",
        Event::DrawClaimed { .. } => "9.3",
        Event::Resigned { .. } => "5.1.2",
        Event::IllegalMoveClaimed { .. } | Event::IllegalMoveObserved { .. } => "7.5.1",
        Event::Irregularity { kind, .. } => super::article7::article_of(*kind),
        Event::PieceTouched { .. } => "4.3",
        Event::PiecesDisplaced { .. } => "7.4.1",
        _ => "8.7",
    }
}

fn check_penalty(
    kind: PenaltyKind,
    ms: Option<u64>,
    points: Option<f64>,
    rounds: Option<u32>,
) -> Result<(), ArbiterError> {
    let needs = match kind {
        PenaltyKind::OpponentTime | PenaltyKind::LessTime if ms.is_none() => "ms",
        PenaltyKind::OpponentScore | PenaltyKind::LessScore | PenaltyKind::Loss
            if points.is_none() =>
        {
            "points"
        }
        PenaltyKind::Exclusion if rounds.unwrap_or(0) == 0 => "rounds (1 or more)",
        _ => return check_time(i64::try_from(ms.unwrap_or(0)).unwrap_or(i64::MAX)),
    };
    Err(ArbiterError::Event(format!("penalty_chosen: this kind of penalty needs {needs}")))
}

/// No game has more moves.
const MOST_MOVES: u32 = 100_000;

/// More than ten years is a slip, and far from any overflow.
fn check_time(ms: i64) -> Result<(), ArbiterError> {
    const LIMIT: i64 = 4_000 * 24 * 3_600_000;
    match ms.unsigned_abs() > LIMIT as u64 {
        true => Err(ArbiterError::Event(format!("ms: {ms} is not a time on a chess clock"))),
        false => Ok(()),
    }
}

/// Whether a claim may be heard at all (6.12.2).
pub(super) fn admitted(play: &mut Play, by: Side, basis: ClaimBasis) -> bool {
    if basis == ClaimBasis::Display {
        play.rule(crate::plugin::RulingKind::ClaimRefused { by }, "6.12.2").why =
            Some("based only on a display".into());
    }
    basis == ClaimBasis::Record
}
