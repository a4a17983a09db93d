//! The legal move generator: one generator, whose sink decides whether moves are counted,
//! listed or played.

use super::attacks::{
    FILE_A, FILE_H, between, bishop_attacks, king_attacks, knight_attacks, line, pawn_attacks,
    rook_attacks,
};
use super::position::{castling_targets, code, color_of};
use super::{Bitboard, Color, Move, MoveList, PieceType, Position, Square};

/// All legal moves.
pub(super) const ALL: u8 = 0;
/// Captures and queen promotions.
pub(super) const NOISY: u8 = 1;
/// What [`NOISY`] leaves out.
pub(super) const QUIET: u8 = 2;

/// What is done with the moves found. Sets of moves are handed over whole, so that a count needs
/// no loop over them.
pub(super) trait Sink {
    /// Whether queens are handed over as queens; else once as bishop and once as rook.
    const QUEENS: bool;

    /// Whether the sink needs no further moves.
    #[inline(always)]
    fn is_done(&self) -> bool {
        false
    }

    /// The man of `code` on `from` moves to each of `targets`.
    fn moves(&mut self, code: usize, from: Square, targets: Bitboard);

    /// Pawns move by `offset` to each of `targets`, where they do not promote.
    fn pawns(&mut self, offset: i8, targets: Bitboard, capture: bool);

    /// Pawns step twice to each of `targets`.
    fn double_steps(&mut self, offset: i8, targets: Bitboard);

    /// Pawns move by `offset` to each of `targets` and become a queen, or another man.
    fn promotions(&mut self, offset: i8, targets: Bitboard, capture: bool, which: Promotions);

    /// A pawn captures en passant.
    fn en_passant(&mut self, from: Square, to: Square);

    /// The king castles with a rook.
    fn castling(&mut self, king: Square, rook: Square);
}

/// Which promotions are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Promotions {
    All,
    Queen,
    Under,
}

/// Hands the legal moves of the side `WHITE`, which is to move, to `sink`.
#[inline(always)]
pub(super) fn generate<const WHITE: bool, const KIND: u8, S: Sink>(
    position: &Position,
    sink: &mut S,
) {
    if position.checkers.is_empty() {
        moves::<WHITE, KIND, false, S>(position, sink, Bitboard::ALL);
    } else {
        evasions::<WHITE, KIND, S>(position, sink);
    }
}

#[inline(always)]
fn evasions<const WHITE: bool, const KIND: u8, S: Sink>(position: &Position, sink: &mut S) {
    let us = color_of(WHITE);
    let king = position.king(us);
    let wanted = wanted::<KIND>(position, us);
    let escapes = king_attacks(king) & wanted;
    if escapes.any() {
        let occupied = position.occupied() ^ king.bitboard();
        sink.moves(code::KING, king, escapes & !attacked_by_other::<WHITE>(position, occupied));
    }
    if position.checkers.more_than_one() {
        return;
    }
    if let Some(checker) = position.checkers.first() {
        let answers = between(king, checker) | position.checkers;
        moves::<WHITE, KIND, true, S>(position, sink, answers);
    }
}

#[inline(always)]
fn attacked_by_other<const WHITE: bool>(position: &Position, occupied: Bitboard) -> Bitboard {
    if WHITE { position.attacked::<false>(occupied) } else { position.attacked::<true>(occupied) }
}

/// The squares that men other than pawns may go to.
#[inline(always)]
fn wanted<const KIND: u8>(position: &Position, us: Color) -> Bitboard {
    match KIND {
        NOISY => position.color(!us),
        QUIET => !position.occupied(),
        _ => !position.color(us),
    }
}

/// All moves outside check; in check those of other men than the king that end on `answers`.
#[inline(always)]
fn moves<const WHITE: bool, const KIND: u8, const IN_CHECK: bool, S: Sink>(
    position: &Position,
    sink: &mut S,
    answers: Bitboard,
) {
    let us = color_of(WHITE);
    let men = position.color(us);
    let occupied = position.occupied();
    let king = position.king(us);
    let targets = wanted::<KIND>(position, us) & answers;

    if !IN_CHECK {
        king_moves::<WHITE, KIND, S>(position, sink);
    }
    if sink.is_done() {
        return;
    }

    let free = men & !position.pinned;
    pawn_moves::<WHITE, KIND, S>(
        sink,
        position.pawns & free,
        !occupied,
        answers,
        position.color(!us) & answers,
    );
    if KIND != QUIET && position.ep != 0 {
        en_passant(position, sink, us);
    }
    if sink.is_done() {
        return;
    }

    for from in position.knights & free {
        sink.moves(code::KNIGHT, from, knight_attacks(from) & targets);
    }
    if S::QUEENS {
        for from in position.diagonal & free & !position.orthogonal {
            sink.moves(code::BISHOP, from, bishop_attacks(from, occupied) & targets);
        }
        for from in position.orthogonal & free & !position.diagonal {
            sink.moves(code::ROOK, from, rook_attacks(from, occupied) & targets);
        }
        for from in position.orthogonal & position.diagonal & free {
            let attacks = bishop_attacks(from, occupied) | rook_attacks(from, occupied);
            sink.moves(code::QUEEN, from, attacks & targets);
        }
    } else {
        for from in position.diagonal & free {
            sink.moves(code::BISHOP, from, bishop_attacks(from, occupied) & targets);
        }
        for from in position.orthogonal & free {
            sink.moves(code::ROOK, from, rook_attacks(from, occupied) & targets);
        }
    }

    // In check a pinned man has no move: its line and the checker's meet in the king only.
    if !IN_CHECK && position.pinned.any() {
        for from in position.pinned & position.diagonal {
            let ray = bishop_attacks(from, occupied) & line(king, from) & targets;
            let code = if position.orthogonal.contains(from) { code::QUEEN } else { code::BISHOP };
            sink.moves(code, from, ray);
        }
        for from in position.pinned & position.orthogonal {
            let ray = rook_attacks(from, occupied) & line(king, from) & targets;
            let code = if position.diagonal.contains(from) { code::QUEEN } else { code::ROOK };
            sink.moves(code, from, ray);
        }
        for from in position.pinned & position.pawns {
            let ray = line(king, from);
            let captures = position.color(!us) & ray;
            pawn_moves::<WHITE, KIND, S>(sink, from.bitboard(), !occupied, ray, captures);
        }
    }
}

/// The king's moves and castling, outside check.
#[inline(always)]
fn king_moves<const WHITE: bool, const KIND: u8, S: Sink>(position: &Position, sink: &mut S) {
    let us = color_of(WHITE);
    let king = position.king(us);
    let occupied = position.occupied();
    let steps = king_attacks(king) & wanted::<KIND>(position, us);
    let files = if KIND == NOISY { 0 } else { position.castling_files(us) };
    if steps.is_empty() && files == 0 {
        return;
    }
    let attacked = attacked_by_other::<WHITE>(position, occupied);
    sink.moves(code::KING, king, steps & !attacked);
    if files != 0 {
        castling(position, sink, us, attacked);
    }
}

#[inline(always)]
fn castling<S: Sink>(position: &Position, sink: &mut S, us: Color, attacked: Bitboard) {
    let king = position.king(us);
    let rank = king.rank() * 8;
    for rook in Bitboard(u64::from(position.castling_files(us)) << rank) {
        if can_castle(position, king, rook, attacked) {
            sink.castling(king, rook);
        }
    }
}

/// Whether a king that is not in check may castle with the rook, which has the right to.
/// (In Chess960 a rook may shield the king from a slider behind it; then it is pinned.)
#[inline(always)]
pub(super) fn can_castle(
    position: &Position,
    king: Square,
    rook: Square,
    attacked: Bitboard,
) -> bool {
    let (king_to, rook_to) = castling_targets(king, rook);
    let king_path = between(king, king_to) | king_to.bitboard();
    let rook_path = between(rook, rook_to) | rook_to.bitboard();
    let others = position.occupied() & !king.bitboard() & !rook.bitboard();
    ((king_path | rook_path) & others).is_empty()
        && (king_path & attacked).is_empty()
        && !position.pinned.contains(rook)
}

#[inline(always)]
fn en_passant<S: Sink>(position: &Position, sink: &mut S, us: Color) {
    let to = Square::new(position.ep);
    let capturers = pawn_attacks(!us, to) & position.pawns & position.color(us);
    // The square is kept only where a capture is legal: one candidate needs no test.
    let several = capturers.more_than_one();
    for from in capturers {
        if !several || position.ep_is_legal(us, from, to) {
            sink.en_passant(from, to);
        }
    }
}

/// The moves of a set of pawns to `empty` squares among `answers`, and to `captures`.
#[inline(always)]
fn pawn_moves<const WHITE: bool, const KIND: u8, S: Sink>(
    sink: &mut S,
    pawns: Bitboard,
    empty: Bitboard,
    answers: Bitboard,
    captures: Bitboard,
) {
    let last_rank = if WHITE { Bitboard::rank(7) } else { Bitboard::rank(0) };
    let third_rank = if WHITE { Bitboard::rank(2) } else { Bitboard::rank(5) };
    let seventh_rank = if WHITE { Bitboard::rank(6) } else { Bitboard::rank(1) };
    let (up, up_west, up_east): (i8, i8, i8) = if WHITE { (8, 7, 9) } else { (-8, -9, -7) };
    let west_pawns = Bitboard(pawns.0 & !FILE_A);
    let east_pawns = Bitboard(pawns.0 & !FILE_H);

    let pushes = shift(pawns, up) & empty;
    let double = shift(pushes & third_rank, up) & empty & answers;
    let single = pushes & answers;
    let west = shift(west_pawns, up_west) & captures;
    let east = shift(east_pawns, up_east) & captures;
    if KIND != NOISY {
        sink.pawns(up, single & !last_rank, false);
        sink.double_steps(2 * up, double);
    }
    if KIND != QUIET {
        sink.pawns(up_west, west & !last_rank, true);
        sink.pawns(up_east, east & !last_rank, true);
    }
    if (pawns & seventh_rank).any() {
        let which = match KIND {
            NOISY => Promotions::Queen,
            QUIET => Promotions::Under,
            _ => Promotions::All,
        };
        sink.promotions(up, single & last_rank, false, which);
        sink.promotions(up_west, west & last_rank, true, which);
        sink.promotions(up_east, east & last_rank, true, which);
    }
}

#[inline(always)]
fn shift(set: Bitboard, offset: i8) -> Bitboard {
    Bitboard(if offset > 0 { set.0 << offset } else { set.0 >> -offset })
}

/// The square that a pawn comes from.
#[inline(always)]
pub(super) fn origin(to: Square, offset: i8) -> Square {
    Square::new((to.index() as u8).wrapping_sub(offset as u8))
}

/// Counts moves.
#[derive(Default)]
pub(super) struct Count(pub u64);

impl Sink for Count {
    const QUEENS: bool = false;

    #[inline(always)]
    fn moves(&mut self, _: usize, _: Square, targets: Bitboard) {
        self.0 += u64::from(targets.count());
    }

    #[inline(always)]
    fn pawns(&mut self, _: i8, targets: Bitboard, _: bool) {
        self.0 += u64::from(targets.count());
    }

    #[inline(always)]
    fn double_steps(&mut self, _: i8, targets: Bitboard) {
        self.0 += u64::from(targets.count());
    }

    #[inline(always)]
    fn promotions(&mut self, _: i8, targets: Bitboard, _: bool, which: Promotions) {
        let each = match which {
            Promotions::All => 4,
            Promotions::Queen => 1,
            Promotions::Under => 3,
        };
        self.0 += each * u64::from(targets.count());
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }

    #[inline(always)]
    fn castling(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
}

/// Stops at the first move.
#[derive(Default)]
struct Any(Count);

impl Sink for Any {
    const QUEENS: bool = false;

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.0.0 != 0
    }

    #[inline(always)]
    fn moves(&mut self, code: usize, from: Square, targets: Bitboard) {
        self.0.moves(code, from, targets);
    }

    #[inline(always)]
    fn pawns(&mut self, offset: i8, targets: Bitboard, capture: bool) {
        self.0.pawns(offset, targets, capture);
    }

    #[inline(always)]
    fn double_steps(&mut self, offset: i8, targets: Bitboard) {
        self.0.double_steps(offset, targets);
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard, capture: bool, which: Promotions) {
        self.0.promotions(offset, targets, capture, which);
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.0.en_passant(from, to);
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.0.castling(king, rook);
    }
}

impl Sink for MoveList {
    const QUEENS: bool = true;

    #[inline(always)]
    fn moves(&mut self, _: usize, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::normal(from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, offset: i8, targets: Bitboard, _: bool) {
        for to in targets {
            self.push(Move::normal(origin(to, offset), to));
        }
    }

    #[inline(always)]
    fn double_steps(&mut self, offset: i8, targets: Bitboard) {
        self.pawns(offset, targets, false);
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard, _: bool, which: Promotions) {
        for to in targets {
            let from = origin(to, offset);
            if which != Promotions::Under {
                self.push(Move::promotion(from, to, PieceType::Queen));
            }
            if which != Promotions::Queen {
                self.push(Move::promotion(from, to, PieceType::Rook));
                self.push(Move::promotion(from, to, PieceType::Bishop));
                self.push(Move::promotion(from, to, PieceType::Knight));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.push(Move::en_passant(from, to));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.push(Move::castling(king, rook));
    }
}

impl Position {
    #[inline(always)]
    fn collect<const KIND: u8, S: Sink>(&self, sink: &mut S) {
        match self.side {
            Color::White => generate::<true, KIND, S>(self, sink),
            Color::Black => generate::<false, KIND, S>(self, sink),
        }
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.collect::<ALL, _>(&mut list);
        list
    }

    /// The legal captures and queen promotions, for quiescence. Captures that promote to
    /// another man than a queen are left to [`Self::legal_quiets`].
    pub fn legal_captures(&self) -> MoveList {
        let mut list = MoveList::new();
        self.collect::<NOISY, _>(&mut list);
        list
    }

    /// The legal moves that [`Self::legal_captures`] leaves out.
    pub fn legal_quiets(&self) -> MoveList {
        let mut list = MoveList::new();
        self.collect::<QUIET, _>(&mut list);
        list
    }

    /// How many moves are legal.
    pub fn count_legal_moves(&self) -> usize {
        let mut count = Count::default();
        self.collect::<ALL, _>(&mut count);
        count.0 as usize
    }

    /// Whether there is a legal move: if not, the game is over by checkmate or stalemate.
    pub fn has_legal_move(&self) -> bool {
        let mut any = Any::default();
        self.collect::<ALL, _>(&mut any);
        any.is_done()
    }
}
