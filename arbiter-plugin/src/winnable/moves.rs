//! Legal moves of a [`Board`].

use engine::board::attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, line, pawn_attacks,
    pawn_set_attacks, rook_attacks, rook_rays,
};
use engine::board::{Bitboard, Color, Move, MoveList, PieceType, Square};

use super::board::{Board, castling_targets, home_rank};

/// What the king of the side to move allows its men.
pub(super) struct Constraints {
    pub king: Square,
    pub checkers: Bitboard,
    pinned: Bitboard,
    /// Squares that answer a single check; all where there is none.
    answers: Bitboard,
}

impl Constraints {
    pub fn new(board: &Board) -> Self {
        let (us, them) = (board.turn, !board.turn);
        let king = board.king(us);
        let occupied = board.occupied();
        let checkers = board.attackers(them, king, occupied);
        let mut pinned = Bitboard::EMPTY;
        let snipers =
            bishop_rays(king) & board.diagonal(them) | rook_rays(king) & board.orthogonal(them);
        for sniper in snipers {
            let shield = between(king, sniper) & occupied;
            if !shield.more_than_one() {
                pinned |= shield & board.colors[us.index()];
            }
        }
        let answers = match checkers.first() {
            None => Bitboard::ALL,
            Some(_) if checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => between(king, checker) | checkers,
        };
        Self { king, checkers, pinned, answers }
    }

    /// No constraint at all, as if the king could be left in check.
    pub fn none(board: &Board) -> Self {
        Self {
            king: board.king(board.turn),
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            answers: Bitboard::ALL,
        }
    }

    /// Squares that the enemy attacks, seen through our king.
    #[inline]
    pub fn danger(&self, board: &Board) -> Bitboard {
        board.attacks(!board.turn, board.occupied() ^ self.king.bitboard())
    }

    /// The squares that a man on `from` may go to without exposing its king.
    #[inline(always)]
    pub fn allowed(&self, from: Square) -> Bitboard {
        if self.pinned.contains(from) { self.answers & line(self.king, from) } else { self.answers }
    }
}

/// Appends all legal moves of `board`; returns whether the side to move is in check.
pub(super) fn legal_moves(board: &Board, list: &mut MoveList) -> bool {
    let constraints = Constraints::new(board);
    legal_moves_within(board, &constraints, list);
    constraints.checkers.any()
}

/// The same with the constraints at hand.
pub(super) fn legal_moves_within(board: &Board, constraints: &Constraints, list: &mut MoveList) {
    let us = board.turn;
    let own = board.colors[us.index()];
    let occupied = board.occupied();
    let mut push = |from: Square, targets: Bitboard| {
        for to in targets {
            list.push(Move::normal(from, to));
        }
    };
    let danger = constraints.danger(board);
    push(constraints.king, king_attacks(constraints.king) & !own & !danger);
    if constraints.answers.any() {
        for from in board.pieces(us, PieceType::Knight) & !constraints.pinned {
            push(from, knight_attacks(from) & !own & constraints.answers);
        }
        for from in board.diagonal(us) {
            push(from, bishop_attacks(from, occupied) & !own & constraints.allowed(from));
        }
        for from in board.orthogonal(us) {
            push(from, rook_attacks(from, occupied) & !own & constraints.allowed(from));
        }
        pawn_moves(board, constraints, list);
        if constraints.checkers.is_empty() && (board.castling & home_rank(us)).any() {
            castling_moves(board, constraints.king, danger, list);
        }
    }
}

/// Whether the side to move has a legal move.
pub(super) fn has_legal_move(board: &Board) -> bool {
    // The king first: in nearly every position that is no mate it can step.
    let us = board.turn;
    let king = board.king(us);
    let without_king = board.occupied() ^ king.bitboard();
    let steps = king_attacks(king) & !board.colors[us.index()];
    for to in steps {
        if board.attackers(!us, to, without_king).is_empty() {
            return true;
        }
    }
    let constraints = Constraints::new(board);
    if constraints.answers.is_empty() {
        return false;
    }
    let own = board.colors[us.index()];
    let occupied = board.occupied();
    let pawns = board.pieces(us, PieceType::Pawn) & !constraints.pinned;
    let pushes = Bitboard(if us == Color::White { pawns.0 << 8 } else { pawns.0 >> 8 });
    if (pushes & !occupied & constraints.answers).any()
        || (pawn_set_attacks(us, pawns) & board.colors[1 - us.index()] & constraints.answers).any()
    {
        return true;
    }
    let goes = |from: Square, targets: Bitboard| (targets & !own & constraints.allowed(from)).any();
    for from in board.pieces(us, PieceType::Knight) & !constraints.pinned {
        if goes(from, knight_attacks(from)) {
            return true;
        }
    }
    for from in board.orthogonal(us) {
        if goes(from, rook_attacks(from, occupied)) {
            return true;
        }
    }
    for from in board.diagonal(us) {
        if goes(from, bishop_attacks(from, occupied)) {
            return true;
        }
    }
    // What is left: double steps, captures in passing and moves of pinned pawns.
    let mut list = MoveList::new();
    pawn_moves(board, &constraints, &mut list);
    !list.is_empty()
}

fn pawn_moves(board: &Board, constraints: &Constraints, list: &mut MoveList) {
    let (us, them) = (board.turn, !board.turn);
    let occupied = board.occupied();
    let enemies = board.colors[them.index()];
    for from in board.pieces(us, PieceType::Pawn) {
        let allowed = constraints.allowed(from);
        let bit = from.bitboard().0;
        let ahead =
            |bit: u64| Bitboard(if us == Color::White { bit << 8 } else { bit >> 8 }) & !occupied;
        let single = ahead(bit);
        let double = if from.relative_rank(us) == 1 { ahead(single.0) } else { Bitboard::EMPTY };
        for to in (single | double | pawn_attacks(us, from) & enemies) & allowed {
            if to.relative_rank(us) == 7 {
                for kind in
                    [PieceType::Queen, PieceType::Knight, PieceType::Rook, PieceType::Bishop]
                {
                    list.push(Move::promotion(from, to, kind));
                }
            } else {
                list.push(Move::normal(from, to));
            }
        }
        if let Some(to) = board.ep
            && pawn_attacks(us, from).contains(to)
            && ep_is_legal(board, constraints, from, to)
        {
            list.push(Move::en_passant(from, to));
        }
    }
}

fn ep_is_legal(board: &Board, constraints: &Constraints, from: Square, to: Square) -> bool {
    let them = !board.turn;
    let victim = Square::new(to.index() as u8 ^ 8).bitboard();
    let after = (board.occupied() ^ from.bitboard() ^ victim) | to.bitboard();
    let sliders = bishop_attacks(constraints.king, after) & board.diagonal(them)
        | rook_attacks(constraints.king, after) & board.orthogonal(them);
    let leapers = constraints.checkers & !board.diagonal(them) & !board.orthogonal(them) & !victim;
    (sliders | leapers).is_empty()
}

fn castling_moves(board: &Board, king: Square, danger: Bitboard, list: &mut MoveList) {
    let us = board.turn;
    for rook in board.castling & home_rank(us) {
        let mv = Move::castling(king, rook);
        let (king_to, rook_to) = castling_targets(mv);
        let others = board.occupied() & !king.bitboard() & !rook.bitboard();
        let king_path = between(king, king_to) | king_to.bitboard();
        let rook_path = between(rook, rook_to) | rook_to.bitboard();
        let after = others | king_to.bitboard() | rook_to.bitboard();
        if ((king_path | rook_path) & others).is_empty()
            && (king_path & danger).is_empty()
            && (rook_attacks(king_to, after) & board.orthogonal(!us)).is_empty()
        {
            list.push(mv);
        }
    }
}
