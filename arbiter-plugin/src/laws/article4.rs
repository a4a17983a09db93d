//! Article 4: what touching and releasing men binds a player to.

use shakmaty::{Chess, Color, Move, Position as _, Role, Square};

use crate::game::Play;
use crate::plugin::{AdjustingBetween, Event, RulingKind, Side, TouchIntent, UpsideDownRook};
use crate::record::Record;

/// Men touched with intent by the player on the move, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touches {
    squares: Vec<Square>,
    order_unknown: bool,
    castling: bool,
    /// Touched by an illegal move that must be replaced (7.5.1).
    pub(crate) replacing: bool,
    /// Whether the opponent of the last mover has touched anything since (4.8, 9.4).
    pub(crate) any: bool,
}

impl Touches {
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn add(&mut self, square: Square) {
        self.any = true;
        if !self.squares.contains(&square) {
            self.squares.push(square);
        }
    }
}

/// What a player must do with his move.
#[derive(Clone, Debug)]
pub(crate) struct Duty {
    /// The obligation as it is announced.
    pub(crate) kind: RulingKind,
    /// Its article, numbered as in 2018.
    pub(crate) article: &'static str,
    /// The legal moves that meet it, in alphabetical order; all where nothing binds.
    pub(crate) allowed: Vec<String>,
}

impl Duty {
    /// What is left of this duty when another follows: the moves that meet both, or this duty
    /// alone where there are none.
    fn narrowed_by(self, mut later: Self) -> Self {
        let both: Vec<String> =
            later.allowed.iter().filter(|uci| self.allowed.contains(uci)).cloned().collect();
        let is_announced = self.article == "9.5.3";
        if both.len() == later.allowed.len() && !is_announced {
            return later;
        }
        if both.is_empty() || both.len() == self.allowed.len() {
            return self;
        }
        if let RulingKind::Obligation { allowed, must_play, .. } = &mut later.kind {
            *must_play = (both.len() == 1).then(|| both[0].clone());
            *allowed = Some(both.clone());
        }
        later.allowed = both;
        later
    }
}

/// Which man a promotion gives, from a letter in either case or the English word.
pub(crate) fn promotion_role(piece: &str) -> Option<Role> {
    match piece.to_ascii_lowercase().as_str() {
        "q" | "queen" => Some(Role::Queen),
        "r" | "rook" => Some(Role::Rook),
        "b" | "bishop" => Some(Role::Bishop),
        "n" | "knight" => Some(Role::Knight),
        _ => None,
    }
}

impl Play {
    pub(super) fn hear_touch(&mut self, event: &Event) {
        match event {
            Event::PieceTouched { by, squares, intent, announced, order_known, .. } => {
                let squares: Vec<Square> =
                    squares.iter().filter_map(|text| text.parse().ok()).collect();
                self.touched(*by, &squares, *intent, *announced, *order_known);
            }
            Event::PieceReleased { by, square, from, .. } => {
                let from = from.as_ref().and_then(|text| text.parse().ok());
                if let Ok(square) = square.parse() {
                    self.released(*by, square, from);
                }
            }
            Event::PromotionPiecePlaced { by, square, piece, upside_down, .. } => {
                if let (Ok(square), Some(role)) = (square.parse(), promotion_role(piece)) {
                    self.promotion_placed(*by, square, role, *upside_down);
                }
            }
            Event::PromotionSteps { steps, .. } => {
                use crate::plugin::PromotionStep::PawnAdvanced;
                let article = if steps.contains(&PawnAdvanced) { "4.6.2" } else { "4.6.1" };
                self.no_action(article, "a promotion may be carried out like this");
            }
            Event::Complaint { by, article, .. } => self.complaint(*by, article),
            _ => {}
        }
    }

    fn touched(
        &mut self,
        by: Side,
        squares: &[Square],
        intent: TouchIntent,
        announced: bool,
        order_known: bool,
    ) {
        match intent {
            TouchIntent::Accidental => {
                self.no_action("4.2.2", "clearly accidental");
                return;
            }
            TouchIntent::Adjust if !self.may_adjust(by) => return,
            TouchIntent::Adjust if announced || !self.differences.contact_is_intent => {
                self.no_action("4.2.1", "adjusting");
                return;
            }
            _ => {}
        }
        if by != self.record.turn() {
            self.no_action("4.3", "the player does not have the move");
            return;
        }
        let men = self.record.position().board().occupied();
        if !squares.iter().any(|&square| men.contains(square)) {
            self.no_action("4.3", "no man stands there");
            return;
        }
        for &square in squares.iter().filter(|&&square| men.contains(square)) {
            self.touches.add(square);
        }
        self.touches.order_unknown |= !order_known;
        self.touches.castling |= intent == TouchIntent::Castle;
        self.lapse_offer_to(by);
        self.impose_touched();
    }

    /// Announces what the men touched so far bind the player on the move to.
    pub(crate) fn impose_touched(&mut self) {
        let duty = resolve(&self.record, &self.touches);
        self.impose(duty);
    }

    /// Announces a duty. What bound the player before binds him still: another touch may narrow
    /// his choice, and never widens it (4.3.1, 4.4.4, 4.7, 9.5.3).
    pub(crate) fn impose(&mut self, duty: Duty) {
        let duty = match self.duty.take() {
            Some(former) => former.narrowed_by(duty),
            None => duty,
        };
        self.rule(duty.kind.clone(), duty.article);
        self.duty = Some(duty);
    }

    /// 4.7: the squares of a move are settled, though not all of it is done.
    pub(super) fn bind_to_squares(&mut self, mv: Move, article: &'static str) {
        let moves: Vec<Move> = self
            .record
            .position()
            .legal_moves()
            .into_iter()
            .filter(|other| other.from() == mv.from() && other.to() == mv.to())
            .collect();
        if let Some(from) = mv.from() {
            self.touches.add(from);
        }
        let duty = duty(&self.record, self.record.turn(), article, mv.from(), None, &moves);
        self.impose(duty);
    }

    /// 4.2.1 and 6.2.5; says so where the player may not.
    fn may_adjust(&mut self, by: Side) -> bool {
        let has_move = by == self.record.turn();
        // Without clocks only 4.2.1 applies.
        let clock_runs = match self.clocks.in_use() {
            true => self.clocks.running() == Some(by),
            false => has_move,
        };
        let between = match self.regulations.adjusting_between {
            AdjustingBetween::Nobody => false,
            AdjustingBetween::HasTheMove => has_move,
            AdjustingBetween::ClockRuns => clock_runs,
        };
        if has_move && clock_runs || has_move != clock_runs && between {
            return true;
        }
        let article = match (has_move, clock_runs) {
            (true, _) => "6.2.5",
            (false, true) => "4.2.1",
            (false, false) => "11.5",
        };
        self.warn(by, article, "adjusting").why =
            Some("only the player having the move, whose clock runs, may adjust".into());
        false
    }

    /// 4.7: a man released on a square, as a legal move or part of one, stays there.
    fn released(&mut self, by: Side, to: Square, from: Option<Square>) {
        if by != self.record.turn() {
            self.no_action("4.7", "the player does not have the move");
            return;
        }
        let position = self.record.position().clone();
        let own = position.us();
        let from = from.or_else(|| {
            self.touches.squares.iter().rev().copied().find(|&square| own.contains(square))
        });
        let origin = || castling_king(&position, to).or_else(|| only_origin(&position, to));
        let Some(from) = from.or_else(origin) else {
            self.no_action("4.7", "it is not known which man");
            return;
        };
        if own.contains(from) {
            self.touches.add(from);
        }
        self.lapse_offer_to(by);
        let king_castles = position.board().role_at(from) == Some(Role::King)
            && castling_target(&position, from, to).is_some();
        let ends_there = |mv: &Move| match *mv {
            Move::Castle { king, rook } => {
                king == from && king_castles && castling_target(&position, from, to) == Some(rook)
            }
            _ => mv.from() == Some(from) && mv.to() == to,
        };
        let moves: Vec<Move> =
            position.legal_moves().into_iter().filter(|mv| ends_there(mv)).collect();
        let article = if king_castles { "4.7.2" } else { "4.7" };
        let allowed = list(&self.record, &moves);
        if let [first, rest @ ..] = allowed.as_slice() {
            let must_play = rest.is_empty().then(|| first.clone());
            let mut kind = RulingKind::duty(by);
            if let RulingKind::Obligation {
                must_play: play,
                must_move,
                must_castle,
                allowed: all,
                ..
            } = &mut kind
            {
                *must_castle = must_play.clone().filter(|_| king_castles);
                *play = must_play;
                *must_move = Some(from.to_string());
                *all = Some(allowed.clone());
            }
            return self.impose(Duty { kind, article, allowed });
        }
        if king_castles {
            let duty = king_duty(&self.record, from, "4.7.2");
            return self.impose(duty);
        }
        match own.contains(from) {
            // No legal move, so the square binds him to nothing, but he has touched the man (4.3).
            true => self.impose_touched(),
            false => {
                self.no_action("4.7", "not released as a legal move");
            }
        }
    }

    /// 4.4.4: the choice is final when the piece touches the square.
    fn promotion_placed(&mut self, by: Side, to: Square, role: Role, upside_down: bool) {
        let role = match (role, self.regulations.upside_down_rook) {
            (Role::Rook, UpsideDownRook::Queen) if upside_down => Role::Queen,
            _ => role,
        };
        let moves: Vec<Move> = self
            .record
            .position()
            .legal_moves()
            .into_iter()
            .filter(|mv| mv.to() == to && mv.promotion() == Some(role))
            .collect();
        if by != self.record.turn() || moves.is_empty() {
            self.no_action("4.4.4", "no legal promotion to this piece there");
            return;
        }
        self.touches.any = true;
        self.lapse_offer_to(by);
        let allowed = list(&self.record, &moves);
        let mut kind = RulingKind::duty(by);
        if let RulingKind::Obligation { promote_to, must_play, allowed: all, .. } = &mut kind {
            *promote_to = Some(role.upper_char().to_string());
            *must_play = (allowed.len() == 1).then(|| allowed[0].clone());
            *all = Some(allowed.clone());
        }
        self.impose(Duty { kind, article: "4.4.4", allowed });
    }

    /// 4.8: who has touched a man himself complains no more about 4.1 to 4.7.
    fn complaint(&mut self, by: Side, article: &str) {
        let about_touching = ["4.1", "4.2", "4.3", "4.4", "4.5", "4.6", "4.7"]
            .iter()
            .any(|number| article == *number || article.starts_with(&format!("{number}.")));
        // Who has moved has touched a man as well; what the opponent has done since, he may still
        // complain about.
        let has_touched = match by == self.record.turn() {
            true => self.touches.any,
            false => {
                let opponent = by.opponent().index();
                let done_since = self.touches.any || self.pending[opponent].is_some();
                self.record.made_by(by) > 0 && !done_since
            }
        };
        if about_touching && has_touched {
            self.rule(RulingKind::ComplaintRefused { by }, "4.8");
        } else {
            self.by_host_number(article, |play, article| {
                play.no_action(article, "a complaint for the arbiter to look into").overridable =
                    true;
            });
        }
    }

    /// Whether the move breaks what its player is bound to; says so. Of a promotion the squares
    /// alone may be known.
    pub(super) fn refused_by_duty(&mut self, uci: &str) -> bool {
        let Some(duty) = &self.duty else { return false };
        if duty.allowed.iter().any(|allowed| allowed.starts_with(uci)) {
            return false;
        }
        let (kind, article) = (duty.kind.clone(), duty.article);
        self.refused = Some(self.record.turn());
        self.rule(kind, article).why = Some(format!("{uci} does not meet the obligation"));
        true
    }
}

/// What the touched men bind the player on the move to (4.3, 4.4, 4.5).
fn resolve(record: &Record, touches: &Touches) -> Duty {
    let position = record.position();
    let side = Side::from(position.turn());
    let enemy_men = position.them();
    let own = first_where(touches, |square| position.us().contains(square));
    let enemy = first_where(touches, |square| enemy_men.contains(square));
    if let Some(duty) = castling_duty(record, touches) {
        return duty;
    }
    if let (Some(&own), Some(&enemy)) = (own.first(), enemy.first()) {
        let both: Vec<Move> = position
            .legal_moves()
            .into_iter()
            .filter(|mv| mv.from() == Some(own) && captured(*mv) == Some(enemy))
            .collect();
        if !both.is_empty() {
            return duty(record, side, "4.3.3", Some(own), Some(enemy), &both);
        }
    }
    let article = match (own.is_empty(), enemy.is_empty()) {
        (false, false) => "4.3.3",
        (true, false) => "4.3.2",
        _ => "4.3.1",
    };
    let mut order = touches.squares.clone();
    if touches.order_unknown {
        order = own.iter().chain(&enemy).copied().collect();
    }
    for square in order {
        let is_own = position.us().contains(square);
        let moves = moves_with(position, square);
        if !moves.is_empty() {
            let article = if is_own && touches.replacing { "4.3.1" } else { article };
            let (own, enemy) = if is_own { (Some(square), None) } else { (None, Some(square)) };
            return duty(record, side, article, own, enemy, &moves);
        }
    }
    free(record, side, "4.5")
}

/// The legal moves of the own man on a square, or those that capture the enemy's there.
fn moves_with(position: &Chess, square: Square) -> Vec<Move> {
    let is_own = position.us().contains(square);
    let concerns = |mv: &Move| match is_own {
        true => mv.from() == Some(square),
        false => captured(*mv) == Some(square),
    };
    position.legal_moves().into_iter().filter(concerns).collect()
}

fn first_where(touches: &Touches, wanted: impl Fn(Square) -> bool) -> Vec<Square> {
    touches.squares.iter().copied().filter(|&square| wanted(square)).collect()
}

/// 4.4.1 to 4.4.3, when the king and one of his rooks were touched.
fn castling_duty(record: &Record, touches: &Touches) -> Option<Duty> {
    let position = record.position();
    let side = Side::from(position.turn());
    let index_of = |wanted: Role| {
        touches.squares.iter().position(|&square| {
            position.us().contains(square) && position.board().role_at(square) == Some(wanted)
        })
    };
    let (king_at, rook_at) = (index_of(Role::King)?, index_of(Role::Rook)?);
    let bound = |square: &Square| !moves_with(position, *square).is_empty();
    if !touches.order_unknown && touches.squares[..king_at.min(rook_at)].iter().any(bound) {
        // Another man was touched before, and that one decides (4.3.1).
        return None;
    }
    let (king, rook) = (touches.squares[king_at], touches.squares[rook_at]);
    let castles = Move::Castle { king, rook };
    let legal = position.is_legal(castles);
    if rook_at < king_at && !touches.order_unknown {
        let moves: Vec<Move> = position
            .legal_moves()
            .into_iter()
            .filter(|mv| *mv != castles && mv.from() == Some(rook))
            .collect();
        if !moves.is_empty() {
            return Some(duty(record, side, "4.4.2", Some(rook), None, &moves));
        }
        // The rook cannot move: the king was touched next (4.3.1).
        let moves: Vec<Move> = position
            .legal_moves()
            .into_iter()
            .filter(|mv| *mv != castles && mv.from() == Some(king))
            .collect();
        return Some(match moves.is_empty() {
            true => free(record, side, "4.5"),
            false => duty(record, side, "4.4.2", Some(king), None, &moves),
        });
    }
    if legal {
        let mut duty = duty(record, side, "4.4.1", None, None, &[castles]);
        if let RulingKind::Obligation { must_castle, must_play, .. } = &mut duty.kind {
            *must_castle = must_play.clone();
        }
        return Some(duty);
    }
    touches.castling.then(|| king_duty(record, king, "4.4.3"))
}

/// Another legal move with the king, castling to the other side included; else any move.
pub(crate) fn king_duty(record: &Record, king: Square, article: &'static str) -> Duty {
    let position = record.position();
    let side = Side::from(position.turn());
    let moves: Vec<Move> =
        position.legal_moves().into_iter().filter(|mv| mv.from() == Some(king)).collect();
    match moves.is_empty() {
        true => free(record, side, article),
        false => duty(record, side, article, Some(king), None, &moves),
    }
}

fn duty(
    record: &Record,
    side: Side,
    article: &'static str,
    own: Option<Square>,
    enemy: Option<Square>,
    moves: &[Move],
) -> Duty {
    let allowed = list(record, moves);
    let mut kind = RulingKind::duty(side);
    if let RulingKind::Obligation { must_move, must_capture, must_play, allowed: all, .. } =
        &mut kind
    {
        *must_move = own.map(|square| square.to_string());
        *must_capture = enemy.map(|square| square.to_string());
        *must_play = match allowed.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        };
        *all = Some(allowed.clone());
    }
    Duty { kind, article, allowed }
}

/// Any legal move will do.
fn free(record: &Record, side: Side, article: &'static str) -> Duty {
    let moves: Vec<Move> = record.position().legal_moves().into_iter().collect();
    let allowed = list(record, &moves);
    let mut kind = RulingKind::duty(side);
    if let RulingKind::Obligation { free, allowed: all, .. } = &mut kind {
        *free = Some(true);
        *all = Some(allowed.clone());
    }
    Duty { kind, article, allowed }
}

/// The king who castles to `to`: with nothing touched before, that is what a release there means.
fn castling_king(position: &Chess, to: Square) -> Option<Square> {
    position.legal_moves().into_iter().find_map(|mv| match mv {
        Move::Castle { king, rook } => {
            (castling_target(position, king, to) == Some(rook)).then_some(king)
        }
        _ => None,
    })
}

/// The square from which alone a legal move leads to `to`.
fn only_origin(position: &Chess, to: Square) -> Option<Square> {
    let moves = position.legal_moves();
    let mut origins = moves.iter().filter(|mv| !mv.is_castle() && mv.to() == to);
    let from = origins.next()?.from()?;
    origins.all(|mv| mv.from() == Some(from)).then_some(from)
}

fn list(record: &Record, moves: &[Move]) -> Vec<String> {
    let mut texts: Vec<String> = moves.iter().map(|&mv| record.uci(mv)).collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}

/// Where the man stood that a move captures.
fn captured(mv: Move) -> Option<Square> {
    match mv {
        Move::EnPassant { from, to } => Some(Square::from_coords(to.file(), from.rank())),
        Move::Normal { capture: Some(_), to, .. } => Some(to),
        _ => None,
    }
}

/// The rook with which a king released on `to` can only mean to castle.
pub(crate) fn castling_target(position: &Chess, king: Square, to: Square) -> Option<Square> {
    let home = position.turn().fold_wb(Square::E1, Square::E8);
    let color: Color = position.turn();
    let rank = color.fold_wb(shakmaty::Rank::First, shakmaty::Rank::Eighth);
    if king.rank() != rank || to.rank() != rank || king.distance(to) < 2 && king == home {
        return None;
    }
    let king_side = king.file() < to.file();
    let side = shakmaty::CastlingSide::from_king_side(king_side);
    if to.file() != side.king_to_file() || king.distance(to) < 2 {
        return None;
    }
    // Without the right the corner of the standard array is meant.
    position.castles().rook(color, side).or_else(|| {
        let corner = Square::from_coords(
            if king_side { shakmaty::File::H } else { shakmaty::File::A },
            rank,
        );
        let rook = position.board().piece_at(corner)?;
        (rook.color == color && rook.role == Role::Rook && king == home).then_some(corner)
    })
}
