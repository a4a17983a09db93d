//! Where a helpmate is likely: distances of the kings to a mating corner and what White still needs.

use engine::board::attacks::{king_attacks, pawn_set_attacks};
use engine::board::{Bitboard, Color, Move, PieceType, Square};

use super::board::Board;

/// Scores of positions from several points of view: one queue of the search each.
pub(super) struct Guides {
    pawns: [Bitboard; 2],
    corners: [Corner; 2],
    novelty: Box<[[u64; 12]; 128]>,
}

impl Guides {
    /// Points of view.
    pub const COUNT: usize = 3;

    pub fn new() -> Self {
        Self {
            pawns: [Bitboard::ALL; 2],
            corners: [Corner::UNKNOWN; 2],
            novelty: Box::new([[0; 12]; 128]),
        }
    }

    /// The scores of a position that `mv` led to, lower is more promising.
    #[inline]
    pub fn scores(&mut self, board: &Board, mv: Option<Move>) -> [usize; Self::COUNT] {
        let pawns = Color::ALL.map(|color| board.pieces(color, PieceType::Pawn));
        if pawns != self.pawns {
            self.pawns = pawns;
            self.corners = [
                Corner::new(board, Square::from_coords(0, 7)),
                Corner::new(board, Square::from_coords(7, 7)),
            ];
        }
        let need = need(board);
        let [light, dark] = [0, 1].map(|i| {
            let corner = &self.corners[i];
            need + usize::from(corner.black[board.king(Color::Black).index()])
                + usize::from(corner.white[board.king(Color::White).index()])
        });
        let novelty = light.min(dark).min(127);
        let mut novel = light.min(dark);
        if let Some(mv) = mv {
            let to = mv.to();
            let kind = board.kind_on(to).unwrap_or(PieceType::King).index()
                + 6 * usize::from(board.turn == Color::White);
            let seen = &mut self.novelty[novelty][kind];
            if *seen >> to.index() & 1 == 0 {
                *seen |= 1 << to.index();
            } else {
                novel += 64;
            }
        }
        [light, dark, novel]
    }
}

/// Distances, in king moves, to a corner and to the squares from which White mates there.
struct Corner {
    black: [u8; 64],
    white: [u8; 64],
}

impl Corner {
    const UNKNOWN: Self = Self { black: [0; 64], white: [0; 64] };

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
