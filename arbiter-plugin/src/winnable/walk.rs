//! The quick way to a helpmate: both kings walk to a corner, a pawn promotes where White has no
//! heavy piece, and any mate on the way is taken. No tree; most positions of real games need none.

use engine::board::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, pawn_set_attacks, rook_attacks,
};
use engine::board::{Bitboard, Color, Move, MoveList, PieceType, Square};

use super::board::Board;
use super::closed_set;
use super::moves::{Constraints, has_legal_move, legal_moves_within};

/// Plies after which a walk has lost its way.
const MAX_PLIES: usize = 80;

/// How a walk ended.
pub(super) struct Walk {
    /// The moves made.
    pub line: Vec<Move>,
    /// Whether the last one mates.
    pub mate: bool,
    /// The position reached.
    pub end: Board,
}

/// Corners to walk to, in the order of their distance from the kings.
pub(super) const CORNERS: usize = 4;

/// Walks from `root`, which has a legal move, to the corner that is `choice`-th in distance.
pub(super) fn walk(root: &Board, choice: usize) -> Walk {
    let mut walk = Walk { line: Vec::with_capacity(MAX_PLIES), mate: false, end: *root };
    let mut course = None;
    let mut seen = Seen::new();
    while walk.line.len() < MAX_PLIES {
        let board = walk.end;
        let constraints = Constraints::new(&board);
        seen.note(&board);
        if board.turn == Color::White {
            if let Some(mv) = mate_in_one(&board, &constraints) {
                walk.line.push(mv);
                walk.mate = true;
                return walk;
            }
            if let Some(mv) = Net::new(&board).tighten(&board, &constraints, &seen) {
                walk.line.push(mv);
                walk.end = board.play(mv);
                continue;
            }
        }
        let course = course.get_or_insert_with(|| Course::new(&board, choice));
        let Some((mv, next)) = course.step(&board, &constraints, &seen) else {
            return walk;
        };
        walk.line.push(mv);
        walk.end = next;
    }
    walk
}

/// The positions of the walk, by a hash: a false hit only turns the walk aside.
struct Seen {
    hashes: [u32; 256],
}

impl Seen {
    fn new() -> Self {
        Self { hashes: [0; 256] }
    }

    fn slot(board: &Board) -> (usize, u32) {
        let hash = closed_set::hash(&board.pack());
        (hash as usize & 255, (hash >> 32) as u32 | 1)
    }

    fn note(&mut self, board: &Board) {
        let (slot, tag) = Self::slot(board);
        self.hashes[slot] = tag;
    }

    fn holds(&self, board: &Board) -> bool {
        let (slot, tag) = Self::slot(board);
        self.hashes[slot] == tag
    }
}

/// A move that mates at once; discovered mates are left to the search.
fn mate_in_one(board: &Board, constraints: &Constraints) -> Option<Move> {
    let target = board.king(Color::Black);
    let occupied = board.occupied();
    let own = board.colors[0];
    let diagonals = bishop_attacks(target, occupied);
    let lines = rook_attacks(target, occupied);
    let try_all = |from: Square, targets: Bitboard| {
        (targets & !own & constraints.allowed(from)).into_iter().find_map(|to| {
            let mv = Move::normal(from, to);
            (!has_legal_move(&board.play(mv))).then_some(mv)
        })
    };
    let kinds = [
        (PieceType::Queen, lines | diagonals),
        (PieceType::Rook, lines),
        (PieceType::Bishop, diagonals),
        (PieceType::Knight, knight_attacks(target)),
    ];
    for (kind, checks) in kinds {
        for from in board.pieces(Color::White, kind) {
            if let Some(mv) = try_all(from, checks & reach(kind, from, occupied)) {
                return Some(mv);
            }
        }
    }
    let pawns = board.pieces(Color::White, PieceType::Pawn);
    for to in pawn_attacks(Color::Black, target) & !own & !Bitboard::rank(7) {
        let sources = if occupied.contains(to) {
            pawn_attacks(Color::Black, to)
        } else {
            Bitboard(to.bitboard().0 >> 8)
        };
        for pawn in sources & pawns {
            if let Some(mv) = try_all(pawn, to.bitboard()) {
                return Some(mv);
            }
        }
    }
    None
}

/// The net of guarded squares around the black king.
struct Net {
    target: Square,
    /// White pieces other than the king, and what each guards, seen through the black king.
    pieces: [(Square, PieceType, Bitboard); 16],
    count: usize,
    /// What the white king and pawns guard.
    base: Bitboard,
    flights: Bitboard,
}

impl Net {
    fn new(board: &Board) -> Self {
        let target = board.king(Color::Black);
        let through = board.occupied() ^ target.bitboard();
        let base = pawn_set_attacks(Color::White, board.pieces(Color::White, PieceType::Pawn))
            | king_attacks(board.king(Color::White));
        let mut net = Self {
            target,
            pieces: [(target, PieceType::Pawn, Bitboard::EMPTY); 16],
            count: 0,
            base,
            flights: Bitboard::EMPTY,
        };
        let mut guarded = base;
        for kind in [PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight] {
            for square in board.pieces(Color::White, kind) {
                let guards = reach(kind, square, through);
                guarded |= guards;
                if net.count < net.pieces.len() {
                    net.pieces[net.count] = (square, kind, guards);
                    net.count += 1;
                }
            }
        }
        net.flights = king_attacks(target) & !board.colors[1] & !guarded;
        net
    }

    /// A quiet move that prepares a mate of the king where it stands, or that leaves it fewer
    /// squares, down to two.
    fn tighten(&self, board: &Board, constraints: &Constraints, seen: &Seen) -> Option<Move> {
        let occupied = board.occupied();
        let through = occupied ^ self.target.bitboard();
        let own = board.colors[0];
        let diagonals = bishop_attacks(self.target, occupied);
        let lines = rook_attacks(self.target, occupied);
        let zone = king_attacks(self.target) & !board.colors[1];
        let mut least = self.flights.count().min(3);
        let mut best = None;
        for (at, &(from, kind, _)) in self.pieces[..self.count].iter().enumerate() {
            let others = self.pieces[..self.count]
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != at)
                .fold(self.base, |set, (_, piece)| set | piece.2);
            let flights = zone & !others;
            let without = occupied ^ from.bitboard();
            let checks = match kind {
                PieceType::Queen => lines | diagonals,
                PieceType::Rook => lines,
                PieceType::Bishop => diagonals,
                _ => knight_attacks(self.target),
            };
            let first = reach(kind, from, occupied) & !own & constraints.allowed(from);
            if flights.count() <= 5 {
                for to in checks & !own {
                    if (flights & !reach(kind, to, through & !from.bitboard()) & !to.bitboard())
                        .any()
                    {
                        continue;
                    }
                    let way = first & reach(kind, to, without) & !checks;
                    if way.is_empty() || has_legal_move(&board.play(Move::normal(from, to))) {
                        continue;
                    }
                    for via in way {
                        let mv = Move::normal(from, via);
                        let next = board.play(mv);
                        if !seen.holds(&next) && has_legal_move(&next) {
                            return Some(mv);
                        }
                    }
                }
            }
            for to in first & !checks {
                let left = flights & !reach(kind, to, through & !from.bitboard());
                if left.count() < least {
                    let mv = Move::normal(from, to);
                    let next = board.play(mv);
                    if !seen.holds(&next) && has_legal_move(&next) {
                        least = left.count();
                        best = Some(mv);
                    }
                }
            }
        }
        best
    }
}

/// The squares that a piece attacks.
#[inline(always)]
fn reach(kind: PieceType, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceType::Queen => bishop_attacks(square, occupied) | rook_attacks(square, occupied),
        PieceType::Rook => rook_attacks(square, occupied),
        PieceType::Bishop => bishop_attacks(square, occupied),
        _ => knight_attacks(square),
    }
}

/// Where the kings go.
struct Course {
    black: [u8; 64],
    white: [u8; 64],
}

impl Course {
    fn new(board: &Board, choice: usize) -> Self {
        let occupied = board.occupied();
        let kings = board.kind(PieceType::King);
        let walls = |color: Color| {
            let enemies = board.colors[1 - color.index()] & !kings;
            let mut guarded = pawn_set_attacks(!color, board.pieces(!color, PieceType::Pawn));
            for square in board.pieces(!color, PieceType::Knight) {
                guarded |= knight_attacks(square);
            }
            for square in board.diagonal(!color) {
                guarded |= bishop_attacks(square, occupied);
            }
            for square in board.orthogonal(!color) {
                guarded |= rook_attacks(square, occupied);
            }
            let _ = enemies;
            guarded | board.colors[color.index()] & !kings
        };
        let pawns = |color: Color| {
            pawn_set_attacks(!color, board.pieces(!color, PieceType::Pawn))
                | board.pieces(color, PieceType::Pawn)
        };
        let hard = [walls(Color::White), walls(Color::Black)];
        let soft = [pawns(Color::White), pawns(Color::Black)];
        let from = |color: Color| {
            distances(board.king(color).bitboard(), hard[color.index()], soft[color.index()])
        };
        let (black, white) = (from(Color::Black), from(Color::White));
        let bishops = board.pieces(Color::White, PieceType::Bishop);
        let heavy = board.orthogonal(Color::White) | board.pieces(Color::White, PieceType::Pawn);
        let cost = |&(corner, _): &(Square, Bitboard)| {
            let ring =
                ring(corner).into_iter().map(|square| white[square.index()]).min().unwrap_or(64);
            let wrong =
                heavy.is_empty() && bishops.any() && (bishops & same_color(corner)).is_empty();
            let b = black[corner.index()];
            u32::from(b.max(ring)) * 4 + u32::from(b) + u32::from(ring) + 100 * u32::from(wrong)
        };
        let mut corners = [(0, 0), (7, 0), (0, 7), (7, 7)].map(|(file, rank)| {
            let corner = Square::from_coords(file, rank);
            (corner, ring(corner))
        });
        corners.sort_by_key(cost);
        let (corner, ring) = corners[choice % CORNERS];
        Self {
            black: distances(corner.bitboard(), hard[1], soft[1]),
            white: distances(ring, hard[0], soft[0]),
        }
    }

    /// The next move of the side to move, and the position after it.
    fn step(&self, board: &Board, constraints: &Constraints, seen: &Seen) -> Option<(Move, Board)> {
        let us = board.turn;
        if us == Color::White
            && board.orthogonal(us).is_empty()
            && let Some(found) = promote(board, constraints, seen)
        {
            return Some(found);
        }
        let field = if us == Color::White { &self.white } else { &self.black };
        let king = constraints.king;
        let here = field[king.index()];
        let steps = king_attacks(king) & !board.colors[us.index()] & !constraints.danger;
        let mut closer = [(u8::MAX, king); 8];
        let mut count = 0;
        for to in steps {
            closer[count] = (field[to.index()], to);
            count += 1;
        }
        let closer = &mut closer[..count];
        closer.sort_unstable_by_key(|&(distance, _)| distance);
        let try_step = |&&(_, to): &&(u8, Square)| {
            let mv = Move::normal(king, to);
            let next = board.play(mv);
            (!seen.holds(&next) && (us == Color::Black || has_legal_move(&next)))
                .then_some((mv, next))
        };
        let nearer = closer.iter().filter(|(distance, _)| *distance < here);
        let farther = closer.iter().filter(|(distance, _)| *distance >= here);
        nearer
            .clone()
            .find_map(|step| try_step(&step))
            .or_else(|| self.wait(board, constraints, seen))
            .or_else(|| farther.clone().find_map(|step| try_step(&step)))
    }

    /// A quiet move of another man than the king that gives no check; failing that, any.
    fn wait(&self, board: &Board, constraints: &Constraints, seen: &Seen) -> Option<(Move, Board)> {
        let us = board.turn;
        let occupied = board.occupied();
        let enemy_king = board.king(!us);
        let diagonals = bishop_attacks(enemy_king, occupied);
        let lines = rook_attacks(enemy_king, occupied);
        let pieces = [
            (PieceType::Bishop, diagonals),
            (PieceType::Knight, knight_attacks(enemy_king)),
            (PieceType::Rook, lines),
            (PieceType::Queen, lines | diagonals),
        ];
        let attempt = |from: Square, targets: Bitboard| {
            for to in targets & constraints.allowed(from) {
                let mv = Move::normal(from, to);
                let next = board.play(mv);
                if !seen.holds(&next) && has_legal_move(&next) {
                    return Some((mv, next));
                }
            }
            None
        };
        let men = board.colors[us.index()];
        let beside = king_attacks(constraints.king);
        // Black's men that fill the squares beside their king stay there.
        let staying = if us == Color::Black { beside } else { Bitboard::EMPTY };
        let try_pieces = |wanted: Bitboard| {
            pieces.into_iter().find_map(|(kind, checks)| {
                let targets = wanted & !checks;
                (men & board.kind(kind) & !staying)
                    .into_iter()
                    .find_map(|from| attempt(from, reach(kind, from, occupied) & targets))
            })
        };
        let found = if us == Color::White {
            // White clears away what may guard.
            try_pieces(board.colors[1] & !board.kind(PieceType::Pawn))
        } else {
            let push = |from: Square| Bitboard(from.bitboard().0 >> 8) & !occupied;
            let pawns = men & board.kind(PieceType::Pawn) & !Bitboard::rank(1);
            try_pieces(beside & !occupied).or_else(|| {
                pawns.into_iter().find_map(|from| {
                    attempt(from, push(from) & !pawn_attacks(Color::White, enemy_king))
                })
            })
        };
        found.or_else(|| try_pieces(!occupied)).or_else(|| {
            let mut moves = MoveList::new();
            legal_moves_within(board, constraints, &mut moves);
            moves.iter().find_map(|&mv| {
                if mv.from() == constraints.king {
                    return None;
                }
                let next = board.play(mv);
                (!seen.holds(&next) && has_legal_move(&next)).then_some((mv, next))
            })
        })
    }
}

/// A step of the white pawn that is nearest to promotion and free to go.
fn promote(board: &Board, constraints: &Constraints, seen: &Seen) -> Option<(Move, Board)> {
    let occupied = board.occupied();
    let mut pawns = board.pieces(Color::White, PieceType::Pawn);
    while let Some(pawn) = highest(pawns) {
        pawns ^= pawn.bitboard();
        let ahead = 0x0101_0101_0101_0100u64.checked_shl(pawn.index() as u32).unwrap_or(0);
        if ahead
            & (occupied.0
                & !board.pieces(Color::White, PieceType::King).0
                & !board.pieces(Color::Black, PieceType::King).0)
            != 0
        {
            continue;
        }
        let mut to = Square::new(pawn.index() as u8 + 8);
        if occupied.contains(to) {
            continue;
        }
        let double = Square::new(to.index() as u8 + 8);
        if pawn.rank() == 1 && !occupied.contains(double) {
            to = double;
        }
        if !constraints.allowed(pawn).contains(to) {
            continue;
        }
        let mv = if to.rank() == 7 {
            Move::promotion(pawn, to, PieceType::Queen)
        } else {
            Move::normal(pawn, to)
        };
        let mut next = board.play(mv);
        if to.rank() == 7 && !has_legal_move(&next) && !next.in_check() {
            let mv = Move::promotion(pawn, to, PieceType::Rook);
            next = board.play(mv);
            if has_legal_move(&next) {
                return Some((mv, next));
            }
            continue;
        }
        if !seen.holds(&next) {
            return Some((mv, next));
        }
    }
    None
}

fn highest(set: Bitboard) -> Option<Square> {
    (set.any()).then(|| Square::new(63 - set.0.leading_zeros() as u8))
}

/// Squares from which the white king helps to mate in a corner: on the edge two away, and a
/// knight's jump or two diagonal steps away.
fn ring(corner: Square) -> Bitboard {
    let near = king_attacks(corner);
    let mut set = Bitboard::EMPTY;
    for square in near {
        set |= king_attacks(square);
    }
    let far = bishop_attacks(corner, Bitboard::EMPTY);
    set & !near & !corner.bitboard() & !far
}

fn same_color(square: Square) -> Bitboard {
    if square.is_light() { Bitboard::LIGHT } else { Bitboard::DARK }
}

/// King moves to `goal`; squares behind `soft` walls count as far, those behind `hard` ones as
/// farther.
fn distances(goal: Bitboard, hard: Bitboard, soft: Bitboard) -> [u8; 64] {
    let mut table = [60u8; 64];
    let mut seen = Bitboard::EMPTY;
    let mut frontier = goal;
    let mut distance = 0u8;
    let mut open = !hard | goal;
    loop {
        let fresh = frontier & !seen;
        if fresh.is_empty() {
            if open == !soft | goal || distance >= 40 {
                break;
            }
            // The way is closed by men that may yet move: go on past them.
            open = !soft | goal;
            frontier = spread(seen) & open;
            distance += 4;
            continue;
        }
        for square in fresh {
            table[square.index()] = distance;
        }
        seen |= fresh;
        frontier = spread(fresh) & open;
        distance += 1;
    }
    table
}

/// The squares and their neighbours.
fn spread(set: Bitboard) -> Bitboard {
    const NOT_A: u64 = !0x0101_0101_0101_0101;
    const NOT_H: u64 = !0x8080_8080_8080_8080;
    let row = set.0 | (set.0 << 1 & NOT_A) | (set.0 >> 1 & NOT_H);
    Bitboard(row | row << 8 | row >> 8)
}
