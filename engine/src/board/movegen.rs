//! The legal move generator: one generator, whose sink decides whether moves are counted,
//! listed or played.

use super::attacks::{FILE_A, FILE_H, between, king_attacks, knight_attacks, line, pawn_attacks};
use super::cpu::{self, Cpu, Task};
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
pub(super) fn generate<const WHITE: bool, const KIND: u8, C: Cpu, S: Sink>(
    position: &Position,
    sink: &mut S,
    cpu: C,
) {
    if position.checkers.is_empty() {
        moves::<WHITE, KIND, false, C, S>(position, sink, cpu, Bitboard::ALL);
    } else {
        evasions::<WHITE, KIND, C, S>(position, sink, cpu);
    }
}

#[inline(always)]
fn evasions<const WHITE: bool, const KIND: u8, C: Cpu, S: Sink>(
    position: &Position,
    sink: &mut S,
    cpu: C,
) {
    let us = color_of(WHITE);
    let king = position.king(us);
    let wanted = wanted::<KIND>(position, us);
    let escapes = king_attacks(king) & wanted;
    if escapes.any() {
        let occupied = position.occupied() ^ king.bitboard();
        sink.moves(
            code::KING,
            king,
            escapes & !attacked_by_other::<WHITE, C>(position, occupied, cpu),
        );
    }
    if position.checkers.more_than_one() {
        return;
    }
    if let Some(checker) = position.checkers.first() {
        let answers = between(king, checker) | position.checkers;
        moves::<WHITE, KIND, true, C, S>(position, sink, cpu, answers);
    }
}

#[inline(always)]
fn attacked_by_other<const WHITE: bool, C: Cpu>(
    position: &Position,
    occupied: Bitboard,
    cpu: C,
) -> Bitboard {
    if WHITE {
        position.attacked::<false, C>(occupied, cpu)
    } else {
        position.attacked::<true, C>(occupied, cpu)
    }
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
fn moves<const WHITE: bool, const KIND: u8, const IN_CHECK: bool, C: Cpu, S: Sink>(
    position: &Position,
    sink: &mut S,
    cpu: C,
    answers: Bitboard,
) {
    let us = color_of(WHITE);
    let men = position.color(us);
    let occupied = position.occupied();
    let king = position.king(us);
    let targets = wanted::<KIND>(position, us) & answers;

    if !IN_CHECK {
        king_moves::<WHITE, KIND, C, S>(position, sink, cpu);
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
            sink.moves(code::BISHOP, from, cpu.bishop_attacks(from, occupied) & targets);
        }
        for from in position.orthogonal & free & !position.diagonal {
            sink.moves(code::ROOK, from, cpu.rook_attacks(from, occupied) & targets);
        }
        for from in position.orthogonal & position.diagonal & free {
            let attacks = cpu.bishop_attacks(from, occupied) | cpu.rook_attacks(from, occupied);
            sink.moves(code::QUEEN, from, attacks & targets);
        }
    } else {
        for from in position.diagonal & free {
            sink.moves(code::BISHOP, from, cpu.bishop_attacks(from, occupied) & targets);
        }
        for from in position.orthogonal & free {
            sink.moves(code::ROOK, from, cpu.rook_attacks(from, occupied) & targets);
        }
    }

    // In check a pinned man has no move: its line and the checker's meet in the king only.
    if !IN_CHECK && position.pinned.any() {
        for from in position.pinned & position.diagonal {
            let ray = cpu.bishop_attacks(from, occupied) & line(king, from) & targets;
            let code = if position.orthogonal.contains(from) { code::QUEEN } else { code::BISHOP };
            sink.moves(code, from, ray);
        }
        for from in position.pinned & position.orthogonal {
            let ray = cpu.rook_attacks(from, occupied) & line(king, from) & targets;
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
fn king_moves<const WHITE: bool, const KIND: u8, C: Cpu, S: Sink>(
    position: &Position,
    sink: &mut S,
    cpu: C,
) {
    let us = color_of(WHITE);
    let king = position.king(us);
    let occupied = position.occupied();
    let steps = king_attacks(king) & wanted::<KIND>(position, us);
    let rooks = if KIND == NOISY { Bitboard::EMPTY } else { castling_rooks(position, us) };
    if steps.is_empty() && rooks.is_empty() {
        return;
    }
    let attacked = attacked_by_other::<WHITE, C>(position, occupied, cpu);
    sink.moves(code::KING, king, steps & !attacked);
    for rook in rooks {
        if can_castle(position, king, rook, attacked) {
            sink.castling(king, rook);
        }
    }
}

/// The rooks that may castle and have nobody between them and the king.
#[inline(always)]
fn castling_rooks(position: &Position, us: Color) -> Bitboard {
    let mut rooks = Bitboard::EMPTY;
    let files = position.castling_files(us);
    if files != 0 {
        let king = position.king(us);
        let occupied = position.occupied();
        for rook in Bitboard(u64::from(files) << (8 * king.rank())) {
            if (between(king, rook) & occupied).is_empty() {
                rooks |= rook.bitboard();
            }
        }
    }
    rooks
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

/// Hands the legal moves of a position to a sink.
struct Collect<'a, const KIND: u8, S> {
    position: &'a Position,
    sink: S,
}

impl<const KIND: u8, S: Sink> Task for Collect<'_, KIND, S> {
    type Output = S;

    #[inline(always)]
    fn run<C: Cpu>(mut self, cpu: C) -> S {
        match self.position.side {
            Color::White => generate::<true, KIND, C, S>(self.position, &mut self.sink, cpu),
            Color::Black => generate::<false, KIND, C, S>(self.position, &mut self.sink, cpu),
        }
        self.sink
    }
}

/// Lists the legal moves of a position. The list comes by reference: it is too large to return.
struct List<'a, const KIND: u8> {
    position: &'a Position,
    list: &'a mut MoveList,
}

impl<const KIND: u8> Task for List<'_, KIND> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        match self.position.side {
            Color::White => generate::<true, KIND, C, _>(self.position, self.list, cpu),
            Color::Black => generate::<false, KIND, C, _>(self.position, self.list, cpu),
        }
    }
}

impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.add_legal_moves(&mut list);
        list
    }

    /// The legal captures and queen promotions, for quiescence. Captures that promote to
    /// another man than a queen are left to [`Self::legal_quiets`].
    pub fn legal_captures(&self) -> MoveList {
        let mut list = MoveList::new();
        cpu::run(List::<NOISY> { position: self, list: &mut list });
        list
    }

    /// The legal moves that [`Self::legal_captures`] leaves out.
    pub fn legal_quiets(&self) -> MoveList {
        let mut list = MoveList::new();
        cpu::run(List::<QUIET> { position: self, list: &mut list });
        list
    }

    /// Appends all legal moves to a list.
    pub fn add_legal_moves(&self, list: &mut MoveList) {
        cpu::run(List::<ALL> { position: self, list });
    }

    /// How many moves are legal.
    pub fn count_legal_moves(&self) -> usize {
        cpu::run(Collect::<ALL, _> { position: self, sink: Count::default() }).0 as usize
    }

    /// Whether there is a legal move: if not, the game is over by checkmate or stalemate.
    pub fn has_legal_move(&self) -> bool {
        cpu::run(Collect::<ALL, _> { position: self, sink: Any::default() }).is_done()
    }
}
