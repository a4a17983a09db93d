//! The question of 5.2.2, 6.9 and 7.5.5, asked of the solver and answered as evidence.

use std::cell::RefCell;
use std::collections::HashSet;

use engine::board;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position as _, Role};

use crate::plugin::{Evidence, ProofKind, Side};
use crate::winnable::{self, Limits, Proof, Verdict};

/// Whether a side can still mate, with what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Known to be impossible. Undecided counts as possible.
    pub impossible: bool,
    /// The line or the kind of proof.
    pub evidence: Evidence,
}

/// Whether `side` can mate by any series of legal moves; its line is written as `mode` writes
/// castling.
pub fn can_mate(position: &Chess, mode: CastlingMode, side: Side) -> Answer {
    let Some(board) = convert(position) else { return by_material(position, side) };
    match winnable::winnable(&board, color(side), Limits::default()) {
        Verdict::Winnable(line) => mate_shown(position, mode, board, side, line),
        Verdict::Unwinnable(proof) => Answer { impossible: true, ..unproved(proof_kind(proof)) },
        Verdict::Undecided => by_material(position, side),
    }
}

/// The solver's line as evidence.
fn mate_shown(
    position: &Chess,
    mode: CastlingMode,
    mut at: board::Position,
    side: Side,
    line: Vec<board::Move>,
) -> Answer {
    let line: Vec<String> = winnable::shorten(&at, color(side), line)
        .into_iter()
        .map(|mv| {
            let uci = at.uci(mv, true);
            at = at.play(mv);
            uci
        })
        .collect();
    match replay(position, mode, &line) {
        Some(evidence) => Answer { impossible: false, evidence },
        None => unproved(ProofKind::Undecided),
    }
}

/// Whether a position is dead (5.2.2).
#[derive(Clone, Debug)]
pub enum Life {
    /// Neither side can mate any more.
    Dead,
    /// A side can: the first that was asked about.
    Alive(Box<Possible>),
    /// The solver found neither, or a mate was found when the position was met before; never taken
    /// for dead.
    Undecided,
}

/// A mate that the look for a dead position has found; most flags that fall ask for it again.
#[derive(Clone, Debug)]
pub struct Possible {
    position: Chess,
    board: board::Position,
    side: Side,
    line: Vec<board::Move>,
}

impl Possible {
    /// The answer to [`can_mate`], if this is it.
    pub fn answer(&self, position: &Chess, mode: CastlingMode, side: Side) -> Option<Answer> {
        (self.side == side && self.position == *position)
            .then(|| mate_shown(position, mode, self.board, side, self.line.clone()))
    }
}

/// Whether neither side can mate any more (5.2.2). The side with more men is asked first: as a
/// rule its mate is found at once.
pub fn life(position: &Chess) -> Life {
    const LIMITS: Limits = Limits { nodes: 20_000, bytes: 16 << 20 };
    if position.is_insufficient_material() {
        return Life::Dead;
    }
    // Board, turn, castling and en passant, exactly: the answer depends on nothing else.
    let place = shakmaty::fen::Epd::from_position(position, EnPassantMode::Legal).to_string();
    if ALIVE.with_borrow(|alive| alive.contains(&place)) {
        return Life::Undecided;
    }
    let Some(board) = convert(position) else { return Life::Undecided };
    let mut dead = true;
    for side in stronger_first(position) {
        match winnable::winnable(&board, color(side), LIMITS) {
            Verdict::Winnable(line) => {
                remember(place);
                let position = position.clone();
                return Life::Alive(Box::new(Possible { position, board, side, line }));
            }
            Verdict::Unwinnable(_) => {}
            Verdict::Undecided => dead = false,
        }
    }
    if dead { Life::Dead } else { Life::Undecided }
}

/// Positions remembered by a thread; more are forgotten.
const MOST_ALIVE: usize = 1 << 14;

thread_local! {
    /// Positions known not to be dead: openings come again in game after game.
    static ALIVE: RefCell<HashSet<String>> = RefCell::default();
}

fn remember(place: String) {
    ALIVE.with_borrow_mut(|alive| {
        if alive.len() >= MOST_ALIVE {
            alive.clear();
        }
        alive.insert(place);
    });
}

fn stronger_first(position: &Chess) -> [Side; 2] {
    let strength = |side: Side| {
        let men = position.board().material_side(side.into());
        let pieces = men.queen as u32 * 9 + men.rook as u32 * 5;
        pieces + (men.bishop as u32 + men.knight as u32) * 3 + men.pawn as u32 * 2
    };
    match strength(Side::Black) > strength(Side::White) {
        true => [Side::Black, Side::White],
        false => Side::BOTH,
    }
}

fn color(side: Side) -> board::Color {
    match side {
        Side::White => board::Color::White,
        Side::Black => board::Color::Black,
    }
}

/// The same where the 75-move rule (9.6.2) sets a limit: looks through the quiet moves that are
/// left; a pawn move or capture starts the count anew. `free` is the answer without the limit.
pub fn within_horizon(position: &Chess, side: Side, free: Answer) -> Answer {
    let mut budget = HORIZON_NODES;
    let left = 150u32.saturating_sub(position.halfmoves());
    match mate_within(position, side, left, &mut budget) {
        Some(false) => Answer { impossible: true, ..unproved(ProofKind::Exhausted) },
        _ => free,
    }
}

/// Positions looked at under the 75-move limit; beyond them the answer is undecided.
const HORIZON_NODES: u32 = 20_000;

fn mate_within(position: &Chess, side: Side, left: u32, budget: &mut u32) -> Option<bool> {
    if position.is_checkmate() {
        return Some(Side::from(position.turn()) != side);
    }
    if left == 0 {
        return Some(false);
    }
    *budget = budget.checked_sub(1)?;
    let mut undecided = false;
    for mv in position.legal_moves() {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let found = match mv.is_zeroing() {
            true => Some(!is_impossible(&after, side)),
            false => mate_within(&after, side, left - 1, budget),
        };
        match found {
            Some(true) => return Some(true),
            Some(false) => {}
            None => undecided = true,
        }
    }
    (!undecided).then_some(false)
}

/// Whether neither side can mate any more (5.2.2).
pub fn is_dead(position: &Chess) -> bool {
    matches!(life(position), Life::Dead)
}

/// The same for a position that was not dead before its last move: most moves of a game can be taken
/// back, and then nothing needs to be looked for.
pub fn is_dead_after(before: &Chess, last: Move, after: &Chess) -> bool {
    !can_return(before, last, after) && is_dead(after)
}

/// Whether the position before the last move can come back, so that whatever mate was possible
/// there still is: the opponent makes a quiet move, then both take their moves back.
pub fn can_return(before: &Chess, last: Move, after: &Chess) -> bool {
    let rights = before.castles().castling_rights();
    let Some(back) = reversed(last).filter(|_| before.ep_square(EnPassantMode::Legal).is_none())
    else {
        return false;
    };
    after.castles().castling_rights() == rights
        && after.legal_moves().into_iter().any(|reply| {
            let Some(reply_back) = reversed(reply) else { return false };
            let mut position = after.clone();
            position.play_unchecked(reply);
            let kept = position.castles().castling_rights() == rights;
            kept && position.is_legal(back) && {
                position.play_unchecked(back);
                position.is_legal(reply_back)
            }
        })
}

/// The move that takes a move back, if one can.
fn reversed(mv: Move) -> Option<Move> {
    match mv {
        Move::Normal { role, from, to, capture: None, promotion: None } if role != Role::Pawn => {
            Some(Move::Normal { role, from: to, to: from, capture: None, promotion: None })
        }
        _ => None,
    }
}

/// Whether it is known that `side` can never mate.
fn is_impossible(position: &Chess, side: Side) -> bool {
    let verdict =
        convert(position).map(|board| winnable::winnable(&board, color(side), Limits::default()));
    match verdict {
        Some(Verdict::Winnable(_)) => false,
        Some(Verdict::Unwinnable(_)) => true,
        Some(Verdict::Undecided) | None => by_material(position, side).impossible,
    }
}

/// What the material alone says, where the solver says nothing.
fn by_material(position: &Chess, side: Side) -> Answer {
    match position.has_insufficient_material(side.into()) {
        true => Answer { impossible: true, ..unproved(ProofKind::Material) },
        false => unproved(ProofKind::Undecided),
    }
}

fn unproved(kind: ProofKind) -> Answer {
    Answer { impossible: false, evidence: Evidence { proof: Some(kind), ..Evidence::default() } }
}

fn proof_kind(proof: Proof) -> ProofKind {
    match proof {
        Proof::Material => ProofKind::Material,
        Proof::Exhausted { .. } => ProofKind::Exhausted,
        Proof::Static => ProofKind::Static,
    }
}

/// Replays a line with the referee's own rules; only a mate at its end makes it evidence.
fn replay(start: &Chess, mode: CastlingMode, line: &[String]) -> Option<Evidence> {
    let mut position = start.clone();
    let mut evidence = Evidence::default();
    for uci in line {
        let mv = uci.parse::<shakmaty::uci::UciMove>().ok()?.to_move(&position).ok()?;
        evidence.line_uci.push(mv.to_uci(mode).to_string());
        evidence
            .line_san
            .push(SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string());
    }
    position.is_checkmate().then_some(evidence)
}

fn convert(position: &Chess) -> Option<board::Position> {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    board::Position::from_fen(&fen).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::uci::UciMove;

    fn returns(fen: &str, uci: &str) -> bool {
        let fen: Fen = fen.parse().expect("a FEN");
        let before: Chess = fen.into_position(CastlingMode::Standard).expect("a position");
        let mv = uci.parse::<UciMove>().expect("a move").to_move(&before).expect("a legal move");
        let mut after = before.clone();
        after.play_unchecked(mv);
        can_return(&before, mv, &after)
    }

    #[test]
    fn castling_is_written_as_the_game_does() {
        let fen: Fen = "4rkr1/4p1p1/8/8/8/8/8/4K2R w K - 0 1".parse().expect("a FEN");
        let start: Chess = fen.into_position(CastlingMode::Chess960).expect("a position");
        for (mode, uci) in [(CastlingMode::Standard, "e1g1"), (CastlingMode::Chess960, "e1h1")] {
            let evidence = replay(&start, mode, &["e1h1".to_owned()]).expect("a mate");
            assert_eq!(
                (evidence.line_uci[0].as_str(), evidence.line_san[0].as_str()),
                (uci, "O-O#")
            );
        }
    }

    #[test]
    fn only_what_can_be_taken_back_returns() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!(returns(start, "g1f3"));
        assert!(!returns(start, "e2e4"));
        // A king's move loses the rights, a capture the man.
        assert!(!returns("4k3/8/8/8/8/8/4p3/4K2R w K - 0 1", "e1d2"));
        assert!(!returns("4k3/8/8/8/8/8/4p3/4K2R w K - 0 1", "e1e2"));
        // The right to capture in passing does not come back.
        assert!(!returns("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e1d1"));
    }
}
