//! Article 5: how a game ends on the board, by resignation, or by agreement.

use shakmaty::Position as _;

use crate::game::Play;
use crate::mates::{self, Answer, Life};
use crate::plugin::{
    ClaimPolicy, DrawRule, Evidence, GameResult, ProofKind, Reason, RulingKind, Side,
};

impl Play {
    /// Rules on the position the game starts from.
    pub(crate) fn on_start(&mut self) {
        self.judge_position();
        let reason = self.outcome.as_ref().map(|outcome| &outcome.reason);
        if reason == Some(&Reason::DeadPosition) {
            // No move produced it, as 5.2.2 asks: players who play on are still refereed.
            self.dead_start = true;
            self.overridable_end();
        }
    }

    /// The players go on from a position that was dead when it was set up.
    pub(super) fn play_from_dead_start(&mut self) {
        self.dead_start = false;
        self.was_dead = true;
        self.outcome = None;
        self.provisional = false;
        self.clocks.resume();
    }

    /// Rules on the position a legal move has brought about, strongest rule first:
    /// mate, stalemate, dead position, fivefold repetition, 75 moves.
    pub(crate) fn judge_position(&mut self) {
        let position = self.record.position();
        if position.legal_moves().is_empty() {
            return match position.is_check() {
                true => {
                    let winner = self.record.turn().opponent();
                    self.end(GameResult::win(winner), Reason::Checkmate, "5.1.1", None);
                }
                false => self.end(GameResult::Draw, Reason::Stalemate, "5.2.1", None),
            };
        }
        let life = match self.position_can_return() {
            true => Life::Undecided,
            false => mates::life(position),
        };
        if let Life::Dead = life {
            let proof = match position.is_insufficient_material() {
                true => ProofKind::Material,
                false => mates::can_mate(position, self.record.mode(), Side::White)
                    .evidence
                    .proof
                    .unwrap_or(ProofKind::Exhausted),
            };
            let evidence = Evidence { proof: Some(proof), ..Evidence::default() };
            return self.end(GameResult::Draw, Reason::DeadPosition, "5.2.2", Some(evidence));
        }
        if let Life::Alive(possible) = life {
            self.possible = Some(possible);
        }
        self.automatic_draws();
        if !self.ended() {
            self.offer_claims();
        }
    }

    /// Whether a side can mate from the position on the board by any series of legal moves.
    pub(super) fn can_mate(&self, side: Side) -> Answer {
        let position = self.record.position();
        let mode = self.record.mode();
        let known =
            self.possible.as_ref().and_then(|possible| possible.answer(position, mode, side));
        known.unwrap_or_else(|| mates::can_mate(position, mode, side))
    }

    /// The last position was not dead, and it can come back: this one is not dead either.
    fn position_can_return(&self) -> bool {
        if self.was_dead {
            return false;
        }
        let plies = self.record.plies();
        plies.last().is_some_and(|last| {
            let before = self.record.position_at(plies.len() - 1);
            mates::can_return(before, last.mv, &last.after)
        })
    }

    /// Hosts that claim for the players, or ask what can be claimed (9.2, 9.3).
    fn offer_claims(&mut self) {
        let automatic = self.regulations.claims == ClaimPolicy::Auto;
        if !automatic && !self.regulations.report_claims {
            return;
        }
        for claim in self.claims() {
            let article = match (claim.rule, &claim.intended) {
                (DrawRule::Threefold, None) => "9.2.1.2",
                (DrawRule::Threefold, Some(_)) => "9.2.1.1",
                (DrawRule::FiftyMoves, None) => "9.3.2",
                (DrawRule::FiftyMoves, Some(_)) => "9.3.1",
            };
            if automatic {
                if claim.intended.is_none() {
                    return self.claim_upheld(claim.rule, article, self.record.repetitions());
                }
                continue;
            }
            self.rule(
                RulingKind::ClaimAvailable {
                    by: claim.by,
                    rule: claim.rule,
                    intended: claim.intended,
                },
                article,
            );
        }
    }

    /// 5.1.2.
    pub(super) fn resigned(&mut self, by: Side) {
        let winner = by.opponent();
        if self.differences.resignation_can_draw {
            let answer = self.can_mate(winner);
            if answer.impossible {
                let reason = Reason::ResignationOpponentCannotMate;
                return self.end(GameResult::Draw, reason, "5.1.2", Some(answer.evidence));
            }
        }
        self.end(GameResult::win(winner), Reason::Resignation, "5.1.2", None);
    }
}
