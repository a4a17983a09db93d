//! Article 9: draws by agreement, by claim, and by themselves.

use shakmaty::{Move, Position as _};

use super::article4::Duty;
use super::hearing::admitted;
use crate::game::Play;
use crate::plugin::{
    ClaimAvailable, ClaimBasis, ClaimOffMove, DrawOffers, DrawRule, Event, Evidence, GameResult,
    Reason, RulingKind, Side,
};
const FIFTY_MOVES: u32 = 100;
const SEVENTY_FIVE_MOVES: u32 = 150;

impl Play {
    pub(super) fn hear_draw(&mut self, event: &Event) {
        match event {
            Event::DrawOffered { by, conditional, .. } => self.offered(*by, *conditional),
            Event::DrawAccepted { by, .. } => self.accepted(*by),
            Event::DrawDeclined { by, .. } => {
                if self.offers[by.opponent().index()].take().is_some() {
                    self.no_action("9.1.2.1", "the offer is refused");
                } else {
                    self.no_action("9.1.2.1", "no offer stands");
                }
            }
            Event::DrawClaimed { by, rule, intended, basis, .. } => {
                self.claimed(*by, *rule, intended.as_deref(), *basis);
            }
            Event::ClaimWithdrawn { .. } => {
                self.no_action("9.5.1", "a claim cannot be withdrawn");
            }
            _ => {}
        }
    }

    /// Moves made by both players, those before the start position included as its FEN counts.
    fn moves_made_by_both(&self) -> u32 {
        let first = self.record.position_at(0);
        let before = first.fullmoves().get() - 1;
        let white_before = before + u32::from(first.turn().is_black());
        (white_before + self.record.made_by(Side::White))
            .min(before + self.record.made_by(Side::Black))
    }

    /// Whether the regulations forbid to agree a draw now (9.1.1).
    fn agreement_forbidden(&self) -> bool {
        match self.regulations.draw_offers {
            DrawOffers::Allowed => false,
            DrawOffers::Forbidden => true,
            DrawOffers::After { min_moves_each } => self.moves_made_by_both() < min_moves_each,
        }
    }

    fn offered(&mut self, by: Side, conditional: bool) {
        let ply = self.record.plies().len();
        if let Some(last) = self.record.last_mut().filter(|last| last.by == by) {
            last.draw_offer = true;
        }
        if self.agreement_forbidden() {
            self.rule(RulingKind::AgreementRefused, "9.1.1");
            self.warn(by, "11.5", "draw_offer");
            return;
        }
        if conditional {
            self.no_action("9.1.2.1", "an offer with a condition is no offer");
            self.warn(by, "11.5", "draw_offer");
            return;
        }
        self.offers[by.index()].get_or_insert(ply);
        self.rule(RulingKind::OfferStanding { by }, "9.1.2.1");
        let made = &mut self.offers_made[by.index()];
        made.retain(|&at| at + 6 > ply as u32);
        made.push(ply as u32);
        let repeated = made.len() >= 3;
        let opponent_thinks = by != self.record.turn() && self.record.uncompleted(by).is_none();
        if opponent_thinks || repeated {
            self.warn(by, "11.5", "draw_offer");
        }
    }

    fn accepted(&mut self, by: Side) {
        if self.agreement_forbidden() {
            self.rule(RulingKind::AgreementRefused, "9.1.1");
            self.warn(by.opponent(), "11.5", "draw_offer");
            return;
        }
        if self.offers[by.opponent().index()].is_none() {
            self.no_action("9.1.2.1", "no offer of the opponent stands");
            return;
        }
        if self.differences.agreement_after_moves && self.moves_made_by_both() == 0 {
            self.rule(RulingKind::AgreementRefused, "5.2.3");
            return;
        }
        self.end(GameResult::Draw, Reason::Agreement, "5.2.3", None);
    }

    /// An offer lapses when the opponent touches a man or moves (9.1.2.1).
    pub(crate) fn lapse_offer_to(&mut self, by: Side) {
        self.offers[by.opponent().index()] = None;
    }

    /// Whose offer stands: where both have made one, that which the player on the move can accept.
    pub(crate) fn standing_offer(&self) -> Option<Side> {
        let turn = self.record.turn();
        [turn.opponent(), turn].into_iter().find(|side| self.offers[side.index()].is_some())
    }

    fn claimed(&mut self, by: Side, rule: DrawRule, intended: Option<&str>, basis: ClaimBasis) {
        if !admitted(self, by, basis) {
            return;
        }
        self.claimants[by.index()] = true;
        if by != self.record.turn() {
            return self.claimed_off_move(by, rule);
        }
        if self.touches.any {
            self.rule(RulingKind::ClaimRefused { by }, "9.4");
            return;
        }
        if intended.is_some_and(|uci| self.announced_another(uci)) {
            self.rule(RulingKind::ClaimRefused { by }, "9.5.3").why =
                Some("another move was announced, and must be played".into());
            return;
        }
        let legal = intended.and_then(|uci| self.record.legal(uci));
        let article = match (rule, intended) {
            (DrawRule::Threefold, Some(_)) => "9.2.1.1",
            (DrawRule::Threefold, None) => "9.2.1.2",
            (DrawRule::FiftyMoves, Some(_)) => "9.3.1",
            (DrawRule::FiftyMoves, None) => "9.3.2",
        };
        let plies = match (intended, legal) {
            (None, _) => self.record.repetitions(),
            (Some(_), Some(mv)) => self.record.repetitions_after(mv),
            (Some(_), None) => Vec::new(),
        };
        let correct = match (rule, intended, legal) {
            (_, Some(_), None) => false,
            (DrawRule::Threefold, ..) => plies.len() >= 3,
            (DrawRule::FiftyMoves, Some(_), Some(mv)) => self.fifty_after(mv),
            (DrawRule::FiftyMoves, None, _) => self.fifty_on_board(),
        };
        match correct {
            true => self.claim_upheld(rule, article, plies),
            false => self.claim_wrong(by, intended, legal),
        }
    }

    /// Whether an earlier claim of the player on the move was wrong and named another move: that
    /// one cannot be changed any more (9.2.1.1, 9.3.1, 9.5.3).
    fn announced_another(&self, intended: &str) -> bool {
        let duty = self.duty.as_ref().filter(|duty| duty.article == "9.5.3");
        let uci = self.record.legal(intended).map(|mv| self.record.uci(mv));
        duty.is_some_and(|duty| uci.is_none_or(|uci| !duty.allowed.contains(&uci)))
    }

    /// 9.5.2.
    pub(crate) fn claim_upheld(&mut self, rule: DrawRule, article: &str, plies: Vec<u32>) {
        let (reason, evidence) = match rule {
            DrawRule::Threefold => {
                (Reason::ThreefoldClaim, Evidence { plies, ..Evidence::default() })
            }
            DrawRule::FiftyMoves => (Reason::FiftyMovesClaim, self.counter_evidence()),
        };
        self.end(GameResult::Draw, reason, article, Some(evidence));
    }

    fn counter_evidence(&self) -> Evidence {
        let halfmove_clock = Some(self.record.position().halfmoves());
        Evidence { halfmove_clock, ..Evidence::default() }
    }

    /// 9.5.3: two minutes for the opponent; an announced move must be played; the claim stays
    /// an offer (9.1.2.3).
    fn claim_wrong(&mut self, by: Side, intended: Option<&str>, legal: Option<Move>) {
        self.rule(RulingKind::ClaimRejected { by }, "9.5.3");
        self.penalize_time(by, "9.5.3");
        if let Some(mv) = legal {
            let uci = self.record.uci(mv);
            let mut kind = RulingKind::duty(by);
            if let RulingKind::Obligation { must_play, allowed, .. } = &mut kind {
                *must_play = Some(uci.clone());
                *allowed = Some(vec![uci.clone()]);
            }
            self.impose(Duty { kind, article: "9.5.3", allowed: vec![uci] });
        } else if let Some(uci) = intended {
            // It cannot be played: touch-move binds the man it names (9.5.3, 4.3).
            self.touch_as_moved(uci);
            self.impose_touched();
        }
        self.claim_is_offer(by);
    }

    fn claimed_off_move(&mut self, by: Side, rule: DrawRule) {
        let article = match rule {
            DrawRule::Threefold => "9.2.1",
            DrawRule::FiftyMoves => "9.3",
        };
        let why = Some("the claimant does not have the move".into());
        match self.regulations.claim_off_move {
            ClaimOffMove::OfferOnly => {
                self.rule(RulingKind::ClaimRefused { by }, article).why = why;
                self.claim_is_offer(by);
            }
            ClaimOffMove::Rejected => {
                self.rule(RulingKind::ClaimRejected { by }, article).why = why;
                self.claim_is_offer(by);
                self.penalize_time(by, "9.5.3");
            }
        }
    }

    /// 9.1.2.3; where draws may not be agreed there is nothing to accept.
    fn claim_is_offer(&mut self, by: Side) {
        if self.agreement_forbidden() {
            return;
        }
        self.offers[by.index()] = Some(self.record.plies().len());
        self.rule(RulingKind::OfferStanding { by }, "9.1.2.3");
    }

    fn fifty_after(&self, mv: Move) -> bool {
        !mv.is_zeroing() && self.record.position().halfmoves() + 1 >= FIFTY_MOVES
    }

    fn fifty_on_board(&self) -> bool {
        let unpressed = self.record.plies().last().is_some_and(|ply| !ply.completed);
        let uncounted = u32::from(unpressed && !self.regulations.fifty_counts_unpressed);
        self.record.position().halfmoves() >= FIFTY_MOVES + uncounted
    }

    /// What the player on the move could claim now.
    pub(crate) fn possible_claims(&self) -> Vec<ClaimAvailable> {
        let by = self.record.turn();
        let claim = |rule, intended| ClaimAvailable { by, rule, intended };
        let mut claims = Vec::new();
        if self.record.repetitions().len() >= 3 {
            claims.push(claim(DrawRule::Threefold, None));
        }
        if self.fifty_on_board() {
            claims.push(claim(DrawRule::FiftyMoves, None));
        }
        for mv in self.record.position().legal_moves() {
            // A position needs two earlier occurrences: nothing recent, nothing to look for.
            let quiet = !mv.is_zeroing() && self.record.plies().len() >= 7;
            if quiet && self.record.repetitions_after(mv).len() >= 3 {
                claims.push(claim(DrawRule::Threefold, Some(self.record.uci(mv))));
            }
            if self.fifty_after(mv) {
                claims.push(claim(DrawRule::FiftyMoves, Some(self.record.uci(mv))));
            }
        }
        claims
    }

    /// 9.6: made, not claimed.
    pub(super) fn automatic_draws(&mut self) {
        let plies = self.record.repetitions();
        if plies.len() >= 5 {
            let consecutive = plies.windows(2).rev().take(4).all(|pair| pair[1] - pair[0] == 4);
            if !self.differences.fivefold_consecutive || consecutive {
                let evidence = Evidence { plies, ..Evidence::default() };
                return self.end(GameResult::Draw, Reason::Fivefold, "9.6.1", Some(evidence));
            }
            let why = "five times, but not in consecutive alternate moves: only a claim (9.2)";
            self.no_action("9.6.1", why);
        }
        if self.record.position().halfmoves() >= SEVENTY_FIVE_MOVES {
            let evidence = Some(self.counter_evidence());
            self.end(GameResult::Draw, Reason::SeventyFiveMoves, "9.6.2", evidence);
        }
    }
}
