//! The quick way to a helpmate: both kings walk to the edge, a pawn promotes where White has no
//! heavy piece, and any mate on the way is taken. No tree; most positions of real games need none.

use engine::board::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, pawn_set_attacks, rook_attacks,
};
use engine::board::{Bitboard, Color, Move, MoveKind, MoveList, PieceType, Square};

use super::board::Board;
use super::closed_set;
use super::moves::{Constraints, has_legal_move, legal_moves, legal_moves_within};

/// Plies after which a walk has lost its way.
const MAX_PLIES: usize = 80;

/// How a walk ended.
pub(super) struct Walk {
    /// The moves made.
    pub line: Vec<Move>,
    /// Whether the last one mates.
    pub mate: bool,
}

/// Places to walk to, in the order of their distance from the kings.
pub(super) const CORNERS: usize = 4;

/// Walks from `root`, which has a legal move, to the place that is `choice`-th in distance.
pub(super) fn walk(root: &Board, choice: usize) -> Walk {
    let mut walk = Walk { line: Vec::with_capacity(MAX_PLIES), mate: false };
    let mut board = *root;
    let mut course = None;
    let mut seen = Seen::new();
    let mut plans = Plans::default();
    while walk.line.len() < MAX_PLIES {
        seen.note(&board);
        let constraints = Constraints::new(&board);
        if board.turn == Color::White {
            plans.clear();
            match Net::new(&board).pull(&board, &constraints, &seen, &mut plans) {
                Some(Pull::Mate(mv)) => {
                    walk.line.push(mv);
                    walk.mate = true;
                    return walk;
                }
                Some(Pull::Prepare(mv)) => {
                    walk.line.push(mv);
                    board = board.play(mv);
                    continue;
                }
                None => {}
            }
        } else if let Some(rest) = plans.fulfil(&board, &constraints) {
            walk.line.extend(rest);
            walk.mate = true;
            return walk;
        }
        let course = course.get_or_insert_with(|| Course::new(&board, choice));
        let Some((mv, next)) = course.step(&board, &constraints, &seen) else {
            return walk;
        };
        walk.line.push(mv);
        if matches!(mv.kind(), MoveKind::Promotion(_)) && !has_legal_move(&next) {
            walk.mate = next.turn == Color::Black && next.in_check();
            return walk;
        }
        board = next;
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

/// Mates that White hopes to give after Black's next move.
#[derive(Default)]
struct Plans {
    mates: [Option<Move>; 4],
    count: usize,
}

impl Plans {
    fn clear(&mut self) {
        self.count = 0;
    }

    fn push(&mut self, mate: Move) {
        if let Some(slot) = self.mates.get_mut(self.count) {
            *slot = Some(mate);
            self.count += 1;
        }
    }

    /// A move of Black and the mate that follows.
    fn fulfil(&self, board: &Board, constraints: &Constraints) -> Option<[Move; 2]> {
        self.mates[..self.count]
            .iter()
            .flatten()
            .find_map(|&mate| Some([reply_before(board, constraints, mate)?, mate]))
    }
}

/// A move of Black after which `mate` mates: any where nothing answers the mate, else one by the
/// only man that does, or one that fills the only flight.
fn reply_before(board: &Board, constraints: &Constraints, mate: Move) -> Option<Move> {
    let (from, to) = (mate.from(), mate.to());
    let kind = board.kind_on(from)?;
    if !board.colors[0].contains(from) || board.colors[0].contains(to) {
        return None;
    }
    let mated = Board { turn: Color::White, ..*board }.play(mate);
    let mut answers = MoveList::new();
    legal_moves(&mated, &mut answers);
    let fits = |mv: Move| match answers.first() {
        None => true,
        Some(answer) if answer.from() == constraints.king => mv.to() == answer.to(),
        Some(answer) => mv.from() == answer.from(),
    };
    if answers.iter().any(|&answer| !fits(answer)) {
        return None;
    }
    let mut moves = MoveList::new();
    legal_moves_within(board, constraints, &mut moves);
    // The king's own moves are listed first; they disturb most.
    moves.iter().rev().copied().filter(|&mv| fits(mv)).find(|&mv| {
        let next = board.play(mv);
        if !next.colors[0].contains(from) || !reach(kind, from, next.occupied()).contains(to) {
            return false;
        }
        let end = next.play(mate);
        let legal = end.attackers(Color::Black, end.king(Color::White), end.occupied()).is_empty();
        legal && end.in_check() && !has_legal_move(&end)
    })
}

/// What White can do about the black king where it stands.
enum Pull {
    /// Mates.
    Mate(Move),
    /// A quiet move.
    Prepare(Move),
}

/// A white piece other than the king, and what it guards, seen through the black king.
#[derive(Clone, Copy)]
struct Piece {
    at: Square,
    kind: PieceType,
    guards: Bitboard,
    /// Squares from which it would check and guard every flight that the others leave, and all but
    /// one.
    mates: Bitboard,
    almost: Bitboard,
}

/// The net of guarded squares around the black king.
struct Net {
    target: Square,
    occupied: Bitboard,
    /// The squares beside the king that no man of its own fills and neither the white king nor a
    /// pawn guards.
    open: Bitboard,
    /// What at least one piece guards, and what at least two do.
    once: Bitboard,
    twice: Bitboard,
    pieces: [Piece; 16],
    count: usize,
}

impl Net {
    /// More flights than this are not closed by a piece.
    const MOST: u32 = 5;

    fn new(board: &Board) -> Self {
        let target = board.king(Color::Black);
        let occupied = board.occupied();
        let through = occupied ^ target.bitboard();
        let base = pawn_set_attacks(Color::White, board.pieces(Color::White, PieceType::Pawn))
            | king_attacks(board.king(Color::White));
        let none = Piece {
            at: target,
            kind: PieceType::Pawn,
            guards: Bitboard::EMPTY,
            mates: Bitboard::EMPTY,
            almost: Bitboard::EMPTY,
        };
        let mut net = Self {
            target,
            occupied,
            open: king_attacks(target) & !board.colors[1] & !base,
            once: Bitboard::EMPTY,
            twice: Bitboard::EMPTY,
            pieces: [none; 16],
            count: 0,
        };
        for kind in [PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight] {
            for at in board.pieces(Color::White, kind) {
                let guards = reach(kind, at, through);
                net.twice |= net.once & guards;
                net.once |= guards;
                if let Some(piece) = net.pieces.get_mut(net.count) {
                    *piece = Piece { at, kind, guards, ..none };
                    net.count += 1;
                }
            }
        }
        net
    }

    fn pull(
        &mut self,
        board: &Board,
        constraints: &Constraints,
        seen: &Seen,
        plans: &mut Plans,
    ) -> Option<Pull> {
        let unguarded = self.open & !self.once;
        if unguarded.count() > Self::MOST {
            return None;
        }
        self.mate(board, constraints, plans)
            .map(Pull::Mate)
            .or_else(|| self.mate_in_two(board, constraints, seen, plans))
            .or_else(|| self.mate_with_help(board, constraints, seen, plans))
            .or_else(|| self.tighten(board, constraints, seen))
    }

    /// The flights that the pieces but one leave.
    #[inline(always)]
    fn left_by_others(&self, guards: Bitboard) -> Bitboard {
        self.open & !self.twice & (guards | !self.once)
    }

    /// The squares from which a piece of this kind would check.
    #[inline(always)]
    fn checks(&self, kind: PieceType) -> Bitboard {
        reach(kind, self.target, self.occupied)
    }

    /// A move that mates at once; discovered mates are left to the search.
    fn mate(
        &mut self,
        board: &Board,
        constraints: &Constraints,
        plans: &mut Plans,
    ) -> Option<Move> {
        let own = board.colors[0];
        let through = self.occupied ^ self.target.bitboard();
        for index in 0..self.count {
            let Piece { at, kind, guards, .. } = self.pieces[index];
            let mut mates = self.checks(kind) & !own;
            let mut almost = Bitboard::EMPTY;
            for flight in self.left_by_others(guards) {
                let hit = reach(kind, flight, through & !at.bitboard());
                almost = almost & hit | mates & !hit;
                mates &= hit;
                if (mates | almost).is_empty() {
                    break;
                }
            }
            self.pieces[index].mates = mates;
            self.pieces[index].almost = almost;
            for to in mates & guards & constraints.allowed(at) {
                let mv = Move::normal(at, to);
                if !has_legal_move(&board.play(mv)) {
                    return Some(mv);
                }
                plans.push(mv);
            }
        }
        self.mate_by_pawn(board, constraints)
    }

    fn mate_by_pawn(&self, board: &Board, constraints: &Constraints) -> Option<Move> {
        let pawns = board.pieces(Color::White, PieceType::Pawn);
        let flights = self.open & !self.once;
        let targets = pawn_attacks(Color::Black, self.target) & !board.colors[0];
        for to in targets & !Bitboard::rank(7) {
            if !flights.is_subset(pawn_attacks(Color::White, to)) {
                continue;
            }
            let sources = if self.occupied.contains(to) {
                pawn_attacks(Color::Black, to)
            } else {
                Bitboard(to.bitboard().0 >> 8)
            };
            for at in sources & pawns {
                let mv = Move::normal(at, to);
                if constraints.allowed(at).contains(to) && !has_legal_move(&board.play(mv)) {
                    return Some(mv);
                }
            }
        }
        None
    }

    /// A quiet move that prepares a mate by the same piece.
    fn mate_in_two(
        &self,
        board: &Board,
        constraints: &Constraints,
        seen: &Seen,
        plans: &mut Plans,
    ) -> Option<Pull> {
        for &Piece { at, kind, guards, mates, .. } in &self.pieces[..self.count] {
            let first = guards & !board.colors[0] & constraints.allowed(at) & !self.checks(kind);
            for to in mates & !guards {
                let way = first & reach(kind, to, self.occupied & !at.bitboard());
                if way.is_empty() || has_legal_move(&board.play(Move::normal(at, to))) {
                    continue;
                }
                if let Some((via, mv)) = quiet(board, at, way, seen) {
                    plans.clear();
                    plans.push(Move::normal(via, to));
                    return Some(Pull::Prepare(mv));
                }
            }
        }
        None
    }

    /// A quiet move by which another piece guards the one flight that a checking piece would leave.
    fn mate_with_help(
        &self,
        board: &Board,
        constraints: &Constraints,
        seen: &Seen,
        plans: &mut Plans,
    ) -> Option<Pull> {
        let through = self.occupied ^ self.target.bitboard();
        for (checker, piece) in self.pieces[..self.count].iter().enumerate() {
            let left = self.left_by_others(piece.guards);
            for to in piece.almost & piece.guards & constraints.allowed(piece.at) {
                let hit = reach(piece.kind, to, through & !piece.at.bitboard());
                let Some(flight) = (left & !hit).first() else { continue };
                let mate = Move::normal(piece.at, to);
                for (helper, &Piece { at, kind, guards, .. }) in
                    self.pieces[..self.count].iter().enumerate()
                {
                    let way = guards
                        & !board.colors[0]
                        & !self.checks(kind)
                        & constraints.allowed(at)
                        & reach(kind, flight, through);
                    if helper == checker || way.is_empty() {
                        continue;
                    }
                    for via in way & !to.bitboard() {
                        let mv = Move::normal(at, via);
                        let next = board.play(mv);
                        if !seen.holds(&next)
                            && has_legal_move(&next)
                            && !has_legal_move(&Board { turn: Color::White, ..next }.play(mate))
                        {
                            plans.clear();
                            plans.push(mate);
                            return Some(Pull::Prepare(mv));
                        }
                    }
                }
                plans.push(mate);
            }
        }
        None
    }

    /// A quiet move that leaves the king fewer squares, down to two.
    fn tighten(&self, board: &Board, constraints: &Constraints, seen: &Seen) -> Option<Pull> {
        let through = self.occupied ^ self.target.bitboard();
        let mut least = (self.open & !self.once).count().min(3);
        let mut best = None;
        for &Piece { at, kind, guards, .. } in &self.pieces[..self.count] {
            let mut squares =
                guards & !board.colors[0] & constraints.allowed(at) & !self.checks(kind);
            let flights = self.left_by_others(guards);
            if squares.is_empty() || flights.count() >= 3 + Self::MOST {
                continue;
            }
            // The squares by the number of flights that they leave, up to two.
            let mut leave = [squares, Bitboard::EMPTY, Bitboard::EMPTY];
            for flight in flights {
                let hit = reach(kind, flight, through & !at.bitboard());
                leave[2] = leave[2] & hit | leave[1] & !hit;
                leave[1] = leave[1] & hit | leave[0] & !hit;
                leave[0] &= hit;
            }
            for (left, &set) in leave.iter().enumerate().take(least as usize) {
                squares = set;
                for to in squares {
                    let mv = Move::normal(at, to);
                    let next = board.play(mv);
                    if !seen.holds(&next) && has_legal_move(&next) {
                        least = left as u32;
                        best = Some(Pull::Prepare(mv));
                        break;
                    }
                }
                if least as usize == left {
                    break;
                }
            }
        }
        best
    }
}

/// The first of the squares to which a piece can go so that the position is new and Black can move.
fn quiet(board: &Board, at: Square, squares: Bitboard, seen: &Seen) -> Option<(Square, Move)> {
    squares.into_iter().find_map(|to| {
        let mv = Move::normal(at, to);
        let next = board.play(mv);
        (!seen.holds(&next) && has_legal_move(&next)).then_some((to, mv))
    })
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

/// Where the kings go: the squares for White's and for Black's.
struct Course {
    goals: [Bitboard; 2],
}

const A_FILE: Bitboard = Bitboard::file(0);
const H_FILE: Bitboard = Bitboard::file(7);

/// The edges, where the kings face each other, then the corners.
const PLACES: usize = 8;
const EDGES: usize = 4;

/// The goals of both kings at a place that they reach within the given sets.
fn goals_at(place: usize, [white, black]: [Bitboard; 2]) -> Option<[Bitboard; 2]> {
    let first = |set: Bitboard| set.first().map(Square::bitboard);
    let (w, b) = (white.0, black.0);
    match place {
        0 => first(Bitboard(b & w << 16) & Bitboard::rank(7)).map(|m| [Bitboard(m.0 >> 16), m]),
        1 => first(Bitboard(b & w >> 16) & Bitboard::rank(0)).map(|m| [Bitboard(m.0 << 16), m]),
        2 => first(Bitboard(b & w >> 2) & A_FILE).map(|m| [Bitboard(m.0 << 2), m]),
        3 => first(Bitboard(b & w << 2) & H_FILE).map(|m| [Bitboard(m.0 >> 2), m]),
        _ => {
            let corner = corner(place);
            let ring = ring(corner);
            (black.contains(corner) && (white & ring).any()).then(|| [ring, corner.bitboard()])
        }
    }
}

fn corner(place: usize) -> Square {
    Square::new([0, 7, 56, 63][place & 3])
}

impl Course {
    fn new(board: &Board, choice: usize) -> Self {
        let kings = board.kind(PieceType::King);
        let hard = Color::ALL.map(|color| {
            let through = board.occupied() & !board.pieces(color, PieceType::King);
            !board.attacks(!color, through) & !(board.colors[color.index()] & !kings)
        });
        let soft = Color::ALL.map(|color| around_pawns(board, color));
        let heavy = board.orthogonal(Color::White) | board.pieces(Color::White, PieceType::Pawn);
        let bishops = board.pieces(Color::White, PieceType::Bishop);
        let fits = |place: usize| {
            let of_color = || bishops.is_empty() || (bishops & same_color(corner(place))).any();
            heavy.any() || place >= EDGES && of_color()
        };
        let mut wanted = (0..PLACES).filter(|&place| fits(place)).fold(0u32, |set, p| set | 1 << p);
        let mut left = choice as u32 % wanted.count_ones();
        let mut reached = Color::ALL.map(|color| board.pieces(color, PieceType::King));
        let mut open = hard;
        loop {
            for place in 0..PLACES {
                if wanted >> place & 1 != 0
                    && let Some(goals) = goals_at(place, reached)
                {
                    if left == 0 {
                        return Self { goals };
                    }
                    left -= 1;
                    wanted &= !(1 << place);
                }
            }
            let grown = [0, 1].map(|i| reached[i] | spread(reached[i]) & open[i]);
            if grown == reached {
                if open == soft {
                    break;
                }
                // The way is closed by men that may yet move: go on past them.
                open = soft;
            }
            reached = grown;
        }
        let place = EDGES + choice % CORNERS;
        Self { goals: [ring(corner(place)), corner(place).bitboard()] }
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
        let king = constraints.king;
        let open = !constraints.danger(board) & !board.colors[us.index()];
        let steps = king_attacks(king) & open;
        let nearer = self.toward(board, king, steps, open);
        let try_steps = |set: Bitboard| {
            set.into_iter().find_map(|to| {
                let mv = Move::normal(king, to);
                let next = board.play(mv);
                (!seen.holds(&next) && (us == Color::Black || has_legal_move(&next)))
                    .then_some((mv, next))
            })
        };
        try_steps(nearer)
            .or_else(|| self.wait(board, constraints, seen))
            .or_else(|| try_steps(steps & !nearer))
    }

    /// The `steps` of the king that bring it nearer to its goal.
    fn toward(&self, board: &Board, king: Square, steps: Bitboard, open: Bitboard) -> Bitboard {
        let mut goal = self.goals[board.turn.index()];
        if board.turn == Color::White && board.orthogonal(Color::White).is_empty() {
            // No pawn can go on: the king takes what blocks one.
            let blockers = blockers(board);
            if blockers.any() {
                goal = blockers;
            }
        }
        if goal.contains(king) || steps.is_empty() {
            return Bitboard::EMPTY;
        }
        for open in [open, around_pawns(board, board.turn)] {
            let mut reached = goal;
            loop {
                if (reached & steps).any() {
                    return reached & steps;
                }
                let grown = reached | spread(reached) & open;
                if grown == reached || grown.contains(king) {
                    break;
                }
                reached = grown;
            }
        }
        Bitboard::EMPTY
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
                .or_else(|| promote(board, constraints, seen))
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

/// The squares that a king of this colour may cross once all pieces are out of its way.
fn around_pawns(board: &Board, color: Color) -> Bitboard {
    !board.pieces(color, PieceType::Pawn)
        & !pawn_set_attacks(!color, board.pieces(!color, PieceType::Pawn))
}

/// The black pawns that stand in the way of a white one.
fn blockers(board: &Board) -> Bitboard {
    let mut ahead = board.pieces(Color::White, PieceType::Pawn).0 << 8;
    ahead |= ahead << 8;
    ahead |= ahead << 16;
    ahead |= ahead << 32;
    board.pieces(Color::Black, PieceType::Pawn) & Bitboard(ahead)
}

/// A step of the white pawn that is nearest to promotion and has only kings, or only pieces, before
/// it.
fn promote(board: &Board, constraints: &Constraints, seen: &Seen) -> Option<(Move, Board)> {
    let occupied = board.occupied();
    let kings = board.kind(PieceType::King);
    for obstacles in [occupied & !kings, board.kind(PieceType::Pawn)] {
        let mut pawns = board.pieces(Color::White, PieceType::Pawn);
        while let Some(pawn) = highest(pawns) {
            pawns ^= pawn.bitboard();
            let single = Bitboard(pawn.bitboard().0 << 8) & !occupied;
            let double = Bitboard((single & Bitboard::rank(2)).0 << 8) & !occupied;
            let captures = pawn_attacks(Color::White, pawn) & board.colors[1];
            for targets in [double, single, captures] {
                for to in targets & constraints.allowed(pawn) {
                    let ahead = 0x0101_0101_0101_0100u64.checked_shl(to.index() as u32);
                    if (obstacles & Bitboard(ahead.unwrap_or(0))).is_empty()
                        && let Some(found) = advance(board, pawn, to)
                        && !seen.holds(&found.1)
                    {
                        return Some(found);
                    }
                }
            }
        }
    }
    None
}

/// The pawn's move to `to`, with a promotion that leaves Black a move.
fn advance(board: &Board, pawn: Square, to: Square) -> Option<(Move, Board)> {
    let attempt = |mv: Move| {
        let next = board.play(mv);
        (next.in_check() || has_legal_move(&next)).then_some((mv, next))
    };
    if to.rank() < 7 {
        return attempt(Move::normal(pawn, to));
    }
    [PieceType::Queen, PieceType::Rook]
        .into_iter()
        .find_map(|kind| attempt(Move::promotion(pawn, to, kind)))
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

/// The squares and their neighbours.
fn spread(set: Bitboard) -> Bitboard {
    const NOT_A: u64 = !0x0101_0101_0101_0101;
    const NOT_H: u64 = !0x8080_8080_8080_8080;
    let row = set.0 | (set.0 << 1 & NOT_A) | (set.0 >> 1 & NOT_H);
    Bitboard(row | row << 8 | row >> 8)
}
