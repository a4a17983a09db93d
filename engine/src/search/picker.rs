//! Move ordering: yields the moves of a node, the most promising first, in stages.

use super::history::{self, NO_PIECE_TO, captured_kind};
use super::worker::Worker;
use crate::board::{Bitboard, MAX_MOVES, Move, MoveList, PieceType, Position};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Table,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiets,
    Quiets,
    BadNoisy,
    Done,
}

/// Values of the men for ordering, in centipawns.
const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 0];

/// Yields moves one by one.
pub struct Picker {
    stage: Stage,
    table_move: Move,
    see_threshold: Option<i32>,
    noisy_only: bool,
    skip_quiets: bool,
    moves: MoveList,
    scores: [i32; MAX_MOVES],
    next: usize,
    bad: usize,
    bad_noisy: [Move; 64],
}

/// Whether a move captures or makes a queen; underpromotions count as quiet, as in the generator.
#[inline(always)]
pub fn is_noisy(position: &Position, mv: Move) -> bool {
    match mv.promotion_type() {
        Some(kind) => kind == PieceType::Queen,
        None => position.is_capture(mv),
    }
}

impl Picker {
    /// All moves of a node; the table move, where there is one, must be legal.
    pub fn all(table_move: Move) -> Self {
        Self::new(table_move, None, false)
    }

    /// The captures and queen promotions of a node whose exchange wins at least `threshold`
    /// centipawns. The table move must be legal and such a move, or null.
    pub fn noisy(table_move: Move, threshold: i32) -> Self {
        Self::new(table_move, Some(threshold), true)
    }

    fn new(table_move: Move, see_threshold: Option<i32>, noisy_only: bool) -> Self {
        let stage = if table_move.is_null() { Stage::GenerateNoisy } else { Stage::Table };
        Self {
            stage,
            table_move,
            see_threshold,
            noisy_only,
            skip_quiets: false,
            moves: MoveList::new(),
            scores: [0; MAX_MOVES],
            next: 0,
            bad: 0,
            bad_noisy: [Move::NULL; 64],
        }
    }

    /// Yields no more quiet moves.
    #[inline(always)]
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Whether the moves that come now are captures that lose material.
    #[inline(always)]
    pub fn is_in_bad_noisy(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// The next move.
    pub fn next(&mut self, worker: &Worker, position: &Position, ply: usize) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::GenerateNoisy;
                    return Some(self.table_move);
                }
                Stage::GenerateNoisy => {
                    self.moves = position.legal_captures();
                    self.next = 0;
                    self.score_noisy(worker, position);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.pick_good_noisy(position) {
                    None if self.noisy_only => self.stage = Stage::Done,
                    None => self.stage = Stage::GenerateQuiets,
                    found => return found,
                },
                Stage::GenerateQuiets => {
                    if !self.skip_quiets {
                        self.moves = position.legal_quiets();
                        self.next = 0;
                        self.score_quiets(worker, position, ply);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match if self.skip_quiets { None } else { self.pick_best() } {
                    None => {
                        self.stage = Stage::BadNoisy;
                        self.next = 0;
                    }
                    Some((mv, _)) if mv == self.table_move => {}
                    Some((mv, _)) => return Some(mv),
                },
                Stage::BadNoisy if self.next < self.bad => {
                    self.next += 1;
                    return Some(self.bad_noisy[self.next - 1]);
                }
                Stage::BadNoisy | Stage::Done => return None,
            }
        }
    }

    /// The best of the captures left that does not lose material; losing ones are put by.
    fn pick_good_noisy(&mut self, position: &Position) -> Option<Move> {
        while let Some((mv, score)) = self.pick_best() {
            if mv == self.table_move {
                continue;
            }
            let threshold = self.see_threshold.unwrap_or(-score / 48);
            if position.see_ge(mv, threshold) {
                return Some(mv);
            }
            if self.bad < self.bad_noisy.len() {
                self.bad_noisy[self.bad] = mv;
                self.bad += 1;
            }
        }
        None
    }

    /// Selection sort, one step at a time: most nodes end before the list is sorted.
    #[inline]
    fn pick_best(&mut self) -> Option<(Move, i32)> {
        let left = &self.scores[self.next..self.moves.len()];
        let mut best = 0;
        let mut best_score = *left.first()?;
        for (index, &score) in left.iter().enumerate().skip(1) {
            if score > best_score {
                (best, best_score) = (index, score);
            }
        }
        let best = self.next + best;
        self.moves.swap(self.next, best);
        self.scores.swap(self.next, best);
        self.next += 1;
        Some((self.moves[self.next - 1], best_score))
    }

    fn score_noisy(&mut self, worker: &Worker, position: &Position) {
        for (score, &mv) in self.scores.iter_mut().zip(self.moves.iter()) {
            let captured = captured_kind(position, mv);
            let moved = worker.piece_to(position, mv);
            let mut value = VALUES[captured.index()] * 20;
            if mv.promotion_type().is_some() {
                value += 9_000;
            }
            *score = value + worker.histories.capture(moved, captured) / 2;
        }
    }

    fn score_quiets(&mut self, worker: &Worker, position: &Position, ply: usize) {
        let node = worker.quiet_context(position, ply);
        let lesser = LesserThreats::of(position);
        for (score, &mv) in self.scores.iter_mut().zip(self.moves.iter()) {
            let moved = worker.piece_to(position, mv);
            let kind = PieceType::ALL[moved / 64 % 6];
            let mut value = worker.quiet_history(&node, mv, moved);
            value += lesser.bonus(kind, mv);
            if position.gives_check(mv) && position.see_ge(mv, -75) {
                value += 8_000;
            }
            *score = value;
        }
    }
}

/// Squares where a man stands in danger from a lesser one.
struct LesserThreats([Bitboard; 6]);

impl LesserThreats {
    fn of(position: &Position) -> Self {
        use crate::board::attacks::{
            bishop_attacks, knight_attacks, pawn_set_attacks, rook_attacks,
        };
        let enemy = !position.side_to_move();
        let occupied = position.occupied();
        let pawns = pawn_set_attacks(enemy, position.pieces(enemy, PieceType::Pawn));
        let mut minors = pawns;
        for square in position.pieces(enemy, PieceType::Knight) {
            minors |= knight_attacks(square);
        }
        for square in position.pieces(enemy, PieceType::Bishop) {
            minors |= bishop_attacks(square, occupied);
        }
        let mut rooks = minors;
        for square in position.pieces(enemy, PieceType::Rook) {
            rooks |= rook_attacks(square, occupied);
        }
        let none = Bitboard::EMPTY;
        Self([none, pawns, pawns, minors, rooks, none])
    }

    /// Rewards leaving such a square and punishes entering one.
    #[inline(always)]
    fn bonus(&self, kind: PieceType, mv: Move) -> i32 {
        let danger = self.0[kind.index()];
        let stake = VALUES[kind.index()] * 16;
        (danger.contains(mv.from()) as i32 - danger.contains(mv.to()) as i32) * stake
    }
}

impl Worker<'_> {
    /// The history of a quiet move, summed over the tables.
    #[inline(always)]
    pub(super) fn quiet_history(
        &self,
        node: &history::QuietContext,
        mv: Move,
        moved: usize,
    ) -> i32 {
        let histories = &self.histories;
        let continuation = |before: usize| {
            if before == NO_PIECE_TO { 0 } else { histories.continuation(before, moved) }
        };
        histories.butterfly(node.side, node.threats, mv)
            + histories.pawn(node.pawn_key, moved)
            + continuation(node.before[0])
            + continuation(node.before[1])
            + continuation(node.before[2]) / 2
    }
}
