//! Where a helpmate is likely: distances of the kings to a mating corner and what White still needs.

use engine::board::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_set_attacks, rook_attacks,
};
use engine::board::{Bitboard, Color, Move, PieceType, Square};
use rustc_hash::FxHashMap;

use super::board::Board;
use super::closed_set;
use super::moves::has_legal_move;
use super::search::structure;

/// Scores of positions from several points of view: one queue of the search each.
pub(super) struct Guides {
    /// Distances by pawn structure, each in the slot of its hash.
    ways: Vec<Option<Ways>>,
    mates: Vec<CornerMate>,
    novelty: Novelty,
    novelty_in_structure: Novelty,
}

impl Guides {
    /// Points of view.
    pub const COUNT: usize = 4;

    /// `structures`: classes of pawn structure and pieces that are told apart where novelty is looked
    /// for.
    pub fn new(root: &Board, structures: usize) -> Self {
        Self {
            mates: corner_mates(root),
            ways: vec![None; WAYS],
            novelty: Novelty::new(128),
            novelty_in_structure: Novelty::new(structures),
        }
    }

    /// The scores of a position that `mv` led to, lower is more promising.
    #[inline]
    pub fn scores(&mut self, board: &Board, mv: Option<Move>) -> [usize; Self::COUNT] {
        let pawns = Color::ALL.map(|color| board.pieces(color, PieceType::Pawn));
        let slot = closed_set::hash(&[pawns[0].0, pawns[1].0, 0, 0]) as usize % WAYS;
        let ways = match &mut self.ways[slot] {
            Some(ways) if ways.pawns == pawns => ways,
            other => other.insert(Ways::new(board, pawns)),
        };
        let need = need(board);
        let [light, dark] = [0, 1].map(|i| {
            let corner = &ways.corners[i];
            need + usize::from(corner.black[board.king(Color::Black).index()])
                + usize::from(corner.white[board.king(Color::White).index()])
        });
        let nearer = light.min(dark);
        let (light, dark) = match self.mates.iter().map(|mate| mate.distance(board)).min() {
            None => (light, dark),
            Some(mate) => (mate, nearer),
        };
        let best = light.min(dark);
        let [novel, novel_in_structure] = match mv {
            None => [best; 2],
            Some(mv) => {
                let structure = structure(board) as usize % self.novelty_in_structure.0.len();
                [
                    best + self.novelty.penalty(best.min(127), board, mv),
                    best + self.novelty_in_structure.penalty(structure, board, mv),
                ]
            }
        };
        [light, dark, novel, novel_in_structure]
    }
}

/// Which man came to which square before, in each class of positions.
struct Novelty(Vec<[u64; 12]>);

impl Novelty {
    fn new(classes: usize) -> Self {
        Self(vec![[0; 12]; classes])
    }

    /// What to add to the score of a position that `mv` led to: nothing for the first of its class
    /// with this man on this square.
    fn penalty(&mut self, class: usize, board: &Board, mv: Move) -> usize {
        let kind = board.kind_on(mv.to()).unwrap_or(PieceType::King).index();
        let seen = &mut self.0[class][kind + 6 * usize::from(board.turn == Color::White)];
        let is_new = *seen >> mv.to().index() & 1 == 0;
        *seen |= mv.to().bitboard().0;
        if is_new { 0 } else { 64 }
    }
}

/// A mate in a corner by a white piece, where another man sees to the flight that the white king
/// leaves: a black one fills it, or the other white one guards it.
struct CornerMate {
    black_king: Square,
    white_king: Square,
    piece: PieceType,
    helper: (Color, PieceType),
    /// Moves of the white piece, and of the helper, to their squares on an empty board.
    piece_moves: [u8; 64],
    helper_moves: [u8; 64],
}

impl CornerMate {
    /// How many of them guide a search for each kind of helper.
    const EACH: usize = 2;

    /// About as many plies as are missing.
    fn distance(&self, board: &Board) -> usize {
        const PROMOTION: u32 = 6;
        const MISSING: u32 = 30;
        let nearest = |men: Bitboard, moves: &[u8; 64]| {
            men.into_iter().map(|man| u32::from(moves[man.index()])).min()
        };
        let kings = board.king(Color::Black).distance(self.black_king)
            + board.king(Color::White).distance(self.white_king);
        let pieces = board.pieces(Color::White, self.piece);
        let (color, kind) = self.helper;
        let helpers = board.pieces(color, kind);
        let men = if color == Color::White {
            // Two of a kind share the squares between them.
            let shares = pieces.into_iter().filter_map(|piece| {
                let helper = nearest(helpers & !piece.bitboard(), &self.helper_moves)?;
                Some(u32::from(self.piece_moves[piece.index()]) + helper)
            });
            shares.min().unwrap_or(MISSING)
        } else {
            let pawns = board.pieces(Color::Black, PieceType::Pawn);
            let promotes =
                || Some(PROMOTION + pawns.into_iter().map(|at| u32::from(at.rank())).min()?);
            nearest(pieces, &self.piece_moves).unwrap_or(0)
                + nearest(helpers, &self.helper_moves).or_else(promotes).unwrap_or(MISSING)
        };
        (u32::from(kings) + men) as usize
    }
}

/// The corner mates that are nearest where White has only one knight or bishop, or two against a
/// bare king.
fn corner_mates(root: &Board) -> Vec<CornerMate> {
    let men = root.colors[0] & !root.kind(PieceType::King);
    let minors = root.kind(PieceType::Knight) | root.kind(PieceType::Bishop);
    if !men.is_subset(minors) {
        return Vec::new();
    }
    let men: Vec<(PieceType, Square)> =
        men.into_iter().filter_map(|at| Some((root.kind_on(at)?, at))).collect();
    let bare = root.colors[1].is_subset(root.kind(PieceType::King));
    let mates = match men[..] {
        [man] => corner_mates_by(man, &blockers(root)),
        [one, other] if bare => {
            let mut mates = corner_mates_by(one, &[(Color::White, other.0)]);
            mates.extend(corner_mates_by(other, &[(Color::White, one.0)]));
            mates
        }
        _ => Vec::new(),
    };
    let mut tables = FxHashMap::default();
    let mut moves = |kind: PieceType, goal: Square| {
        *tables.entry((kind, goal)).or_insert_with(|| moves_to(kind, goal))
    };
    let mut mates: Vec<(usize, CornerMate)> = mates
        .into_iter()
        .map(|Pattern { black_king, white_king, piece, helper }| {
            let mate = CornerMate {
                black_king,
                white_king,
                piece: piece.0,
                helper: (helper.0, helper.1),
                piece_moves: moves(piece.0, piece.1),
                helper_moves: moves(helper.1, helper.2),
            };
            (mate.distance(root), mate)
        })
        .collect();
    mates.sort_by_key(|(distance, _)| *distance);
    let mut of_kind = [0; 6];
    mates.retain(|(_, mate)| {
        let count = &mut of_kind[mate.helper.1.index()];
        *count += 1;
        *count <= CornerMate::EACH
    });
    mates.into_iter().map(|(_, mate)| mate).collect()
}

/// The kinds of black men that may fill a flight.
fn blockers(root: &Board) -> Vec<(Color, PieceType)> {
    let promotes = root.pieces(Color::Black, PieceType::Pawn).any();
    PieceType::ALL
        .into_iter()
        .filter(|&kind| kind != PieceType::King)
        .filter(|&kind| {
            root.pieces(Color::Black, kind).any() || promotes && kind != PieceType::Queen
        })
        .map(|kind| (Color::Black, kind))
        .collect()
}

/// Where the men of a corner mate stand.
struct Pattern {
    black_king: Square,
    white_king: Square,
    piece: (PieceType, Square),
    helper: (Color, PieceType, Square),
}

/// The corner mates by a white piece with a helper of one of these kinds.
fn corner_mates_by(
    (piece, at): (PieceType, Square),
    helpers: &[(Color, PieceType)],
) -> Vec<Pattern> {
    let from_piece = moves_to(piece, at);
    let mut mates = Vec::new();
    for black_king in [0, 7, 56, 63].map(Square::new) {
        let near = king_attacks(black_king);
        for check in reach(piece, black_king) {
            if from_piece[check.index()] == FAR_AWAY {
                continue;
            }
            for white_king in spread(near) & !near & !black_king.bitboard() {
                let flights = near & !king_attacks(white_king) & !reach(piece, check);
                let Some(flight) = flights.first().filter(|_| !flights.more_than_one()) else {
                    continue;
                };
                for &(color, kind) in helpers {
                    let squares = match color {
                        Color::White => reach(kind, flight) & !black_king.bitboard(),
                        Color::Black => flight.bitboard(),
                    };
                    for square in squares {
                        let pattern = Pattern {
                            black_king,
                            white_king,
                            piece: (piece, check),
                            helper: (color, kind, square),
                        };
                        if pattern.is_mate() {
                            mates.push(pattern);
                        }
                    }
                }
            }
        }
    }
    mates
}

impl Pattern {
    /// Whether the four men are a mate that White can have given.
    fn is_mate(&self) -> bool {
        let Self { black_king, white_king, piece: (piece, check), helper: (color, kind, helper) } =
            *self;
        if [black_king, white_king, helper].contains(&check) || white_king == helper {
            return false;
        }
        if kind == PieceType::Pawn && matches!(helper.rank(), 0 | 7) {
            return false;
        }
        let mut board = Board {
            kinds: [Bitboard::EMPTY; 6],
            colors: [white_king.bitboard() | check.bitboard(), black_king.bitboard()],
            castling: Bitboard::EMPTY,
            ep: None,
            turn: Color::Black,
        };
        board.colors[color.index()] |= helper.bitboard();
        for (kind, square) in [
            (PieceType::King, white_king),
            (PieceType::King, black_king),
            (piece, check),
            (kind, helper),
        ] {
            board.kinds[kind.index()] |= square.bitboard();
        }
        board.in_check()
            && board.attackers(Color::Black, white_king, board.occupied()).is_empty()
            && !has_legal_move(&board)
    }
}

/// More moves than any man needs on an empty board.
const FAR_AWAY: u8 = 20;

/// How many moves a man of this kind needs to a square on an empty board; a black pawn pushes.
fn moves_to(kind: PieceType, goal: Square) -> [u8; 64] {
    let mut table = [FAR_AWAY; 64];
    let mut frontier = goal.bitboard();
    let mut moves = 0;
    while frontier.any() {
        let mut next = Bitboard::EMPTY;
        for square in frontier {
            table[square.index()] = moves;
            next |= match kind {
                PieceType::Pawn => Bitboard(square.bitboard().0 << 8),
                _ => reach(kind, square),
            };
        }
        moves += 1;
        frontier = next.into_iter().filter(|at| table[at.index()] == FAR_AWAY).collect();
    }
    table
}

/// The squares that a piece attacks on an empty board.
fn reach(kind: PieceType, square: Square) -> Bitboard {
    let none = Bitboard::EMPTY;
    match kind {
        PieceType::Knight => knight_attacks(square),
        PieceType::Bishop => bishop_attacks(square, none),
        PieceType::Rook => rook_attacks(square, none),
        PieceType::Queen => bishop_attacks(square, none) | rook_attacks(square, none),
        PieceType::King => king_attacks(square),
        PieceType::Pawn => none,
    }
}

/// Pawn structures whose distances are kept.
const WAYS: usize = 64;

/// Distances, in king moves, past a pawn structure to the corners of Black's home rank.
#[derive(Clone)]
struct Ways {
    pawns: [Bitboard; 2],
    corners: [Corner; 2],
}

impl Ways {
    fn new(board: &Board, pawns: [Bitboard; 2]) -> Self {
        let corners = [0, 7].map(|file| Corner::new(board, Square::from_coords(file, 7)));
        Self { pawns, corners }
    }
}

/// Distances to a corner and to the squares from which White mates there.
#[derive(Clone)]
struct Corner {
    black: [u8; 64],
    white: [u8; 64],
}

impl Corner {
    fn new(board: &Board, corner: Square) -> Self {
        let near = king_attacks(corner);
        let ring = near.into_iter().fold(Bitboard::EMPTY, |set, square| set | king_attacks(square))
            & !near
            & !corner.bitboard();
        Self {
            black: distances(board, Color::Black, corner.bitboard()),
            white: distances(board, Color::White, ring),
        }
    }
}

/// King moves to `goal` past the pawns as they stand.
fn distances(board: &Board, color: Color, goal: Bitboard) -> [u8; 64] {
    const FAR: u8 = 12;
    let mut table = [FAR; 64];
    let open = !board.pieces(color, PieceType::Pawn)
        & !pawn_set_attacks(!color, board.pieces(!color, PieceType::Pawn));
    let mut frontier = goal;
    let mut seen = goal;
    let mut distance = 0;
    while frontier.any() && distance < FAR {
        for square in frontier {
            table[square.index()] = distance;
        }
        let next = spread(frontier) & open & !seen;
        seen |= next;
        frontier = next;
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

/// What White still needs to have mating material, in about plies.
#[inline]
fn need(board: &Board) -> usize {
    let heavy = board.kind(PieceType::Queen) | board.kind(PieceType::Rook);
    if (heavy & board.colors[0]).any() {
        return 0;
    }
    let pawns = board.pieces(Color::White, PieceType::Pawn);
    let all_pawns = board.kind(PieceType::Pawn).0;
    let mut best = 12;
    for pawn in pawns {
        let ahead = 0x0101_0101_0101_0100u64.checked_shl(pawn.index() as u32).unwrap_or(0);
        let obstacles = (ahead & all_pawns).count_ones() as usize;
        best = best.min(7 - usize::from(pawn.rank()) + 2 * obstacles);
    }
    let minors = (board.colors[0] & (board.kind(PieceType::Bishop) | board.kind(PieceType::Knight)))
        .count() as usize;
    if pawns.is_empty() { 14 - 2 * minors.min(3) } else { 2 + 2 * best }
}
