//! Perft: the number of legal move sequences of a length, counted in bulk at the last ply.

use super::movegen::{ALL, Count, Promotions, Sink, generate, origin};
use super::position::code;
use super::{Bitboard, Color, Position, Square};

/// Plays each move it is handed and counts below it.
struct Visit<'a, const WHITE: bool> {
    position: &'a Position,
    depth: u32,
    nodes: u64,
}

impl<const WHITE: bool> Visit<'_, WHITE> {
    #[inline(always)]
    fn enter(&mut self, next: &Position) {
        self.nodes += if WHITE {
            walk::<false>(next, self.depth - 1)
        } else {
            walk::<true>(next, self.depth - 1)
        };
    }
}

impl<const WHITE: bool> Sink for Visit<'_, WHITE> {
    const QUEENS: bool = true;

    #[inline(always)]
    fn moves(&mut self, code: usize, from: Square, targets: Bitboard) {
        for to in targets & !self.position.occupied() {
            self.enter(&self.position.moved::<WHITE>(code, from, to, code::NONE));
        }
        for to in targets & self.position.occupied() {
            let victim = self.position.code_on(to);
            self.enter(&self.position.moved::<WHITE>(code, from, to, victim));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, offset: i8, targets: Bitboard, capture: bool) {
        for to in targets {
            let victim = if capture { self.position.code_on(to) } else { code::NONE };
            let from = origin(to, offset);
            self.enter(&self.position.moved::<WHITE>(code::PAWN, from, to, victim));
        }
    }

    #[inline(always)]
    fn double_steps(&mut self, offset: i8, targets: Bitboard) {
        for to in targets {
            self.enter(&self.position.pushed_twice::<WHITE>(origin(to, offset), to));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard, capture: bool, _: Promotions) {
        for to in targets {
            let victim = if capture { self.position.code_on(to) } else { code::NONE };
            let from = origin(to, offset);
            for code in [code::QUEEN, code::ROOK, code::BISHOP, code::KNIGHT] {
                self.enter(&self.position.promoted::<WHITE>(code, from, to, victim));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.enter(&self.position.captured_en_passant::<WHITE>(from, to));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.enter(&self.position.castled::<WHITE>(king, rook));
    }
}

fn walk<const WHITE: bool>(position: &Position, depth: u32) -> u64 {
    if depth <= 1 {
        let mut count = Count::default();
        generate::<WHITE, ALL, _>(position, &mut count);
        return count.0;
    }
    let mut visit = Visit::<WHITE> { position, depth, nodes: 0 };
    generate::<WHITE, ALL, _>(position, &mut visit);
    visit.nodes
}

/// The number of legal move sequences of `depth` plies; 1 for depth 0.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match (depth, position.side_to_move()) {
        (0, _) => 1,
        (_, Color::White) => walk::<true>(position, depth),
        (_, Color::Black) => walk::<false>(position, depth),
    }
}
