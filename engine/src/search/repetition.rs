//! Draws by repetition and by the fifty-move rule, and repetitions that are one move away.

use std::sync::LazyLock;

use super::worker::Worker;
use crate::board::attacks::{self, between};
use crate::board::{Bitboard, Color, PieceType, Position, Square};

impl Worker<'_> {
    /// Whether the game is drawn at this node below the root.
    #[inline]
    pub(super) fn is_draw(&self, position: &Position, ply: usize) -> bool {
        // Mate on the hundredth half-move is mate (Article 9.3 ends the game only on a claim).
        let fifty =
            position.halfmove_clock() >= 100 && (!position.in_check() || position.has_legal_move());
        fifty || self.is_repetition(ply) || has_bare_material(position)
    }

    /// Whether the position came before in the line below the root, or twice in the game.
    fn is_repetition(&self, ply: usize) -> bool {
        let last = self.keys.len() - 1;
        let reach = self.frame(ply).reversible.min(last);
        let mut seen_before_root = false;
        for back in (4..=reach).step_by(2) {
            if self.keys[last - back] == self.keys[last] {
                if back < ply || seen_before_root {
                    return true;
                }
                seen_before_root = true;
            }
        }
        false
    }

    /// Whether the side to move can repeat an earlier position of the line with one move
    /// (M. Breuker, "Marcel van Kervinck's cuckoo tables", 2013).
    #[inline]
    pub(super) fn can_repeat(&self, position: &Position, ply: usize) -> bool {
        let last = self.keys.len() - 1;
        let reach = self.frame(ply).reversible.min(last).min(ply.saturating_sub(1));
        if reach < 3 {
            return false;
        }
        let cuckoo = self.cuckoo;
        (3..=reach).step_by(2).any(|back| {
            let difference = self.keys[last] ^ self.keys[last - back];
            cuckoo
                .squares(difference)
                .is_some_and(|(a, b)| (between(a, b) & position.occupied()).is_empty())
        })
    }
}

/// Whether neither side has the men to mate with: no pawns, and at most one minor piece.
#[inline]
pub fn has_bare_material(position: &Position) -> bool {
    let occupied = position.occupied();
    if occupied.count() > 3 {
        return false;
    }
    let minors = position.kind(PieceType::Knight) | position.kind(PieceType::Bishop);
    (occupied & !minors & !position.kind(PieceType::King)).is_empty()
}

/// A hash table of all reversible moves by the change they make to a position's key.
pub struct Cuckoo {
    keys: Vec<u64>,
    squares: Vec<(Square, Square)>,
}

const CUCKOO_SIZE: usize = 8192;

static CUCKOO: LazyLock<Cuckoo> = LazyLock::new(Cuckoo::new);

/// The table, made at the first call.
pub fn cuckoo() -> &'static Cuckoo {
    &CUCKOO
}

#[inline(always)]
fn slots(key: u64) -> [usize; 2] {
    [key as usize % CUCKOO_SIZE, (key >> 16) as usize % CUCKOO_SIZE]
}

impl Cuckoo {
    fn new() -> Self {
        let mut table = Self {
            keys: vec![0; CUCKOO_SIZE],
            squares: vec![(Square::new(0), Square::new(0)); CUCKOO_SIZE],
        };
        for color in Color::ALL {
            for &kind in &PieceType::ALL[1..] {
                for a in Square::all() {
                    for b in empty_board_moves(kind, a).filter(|b| b.index() > a.index()) {
                        table.insert(Position::move_key(color, kind, a, b), (a, b));
                    }
                }
            }
        }
        table
    }

    fn insert(&mut self, mut key: u64, mut squares: (Square, Square)) {
        let mut slot = slots(key)[0];
        loop {
            std::mem::swap(&mut self.keys[slot], &mut key);
            std::mem::swap(&mut self.squares[slot], &mut squares);
            if key == 0 {
                return;
            }
            let [first, second] = slots(key);
            slot = if slot == first { second } else { first };
        }
    }

    /// The squares between which a man went, if one reversible move makes this change of key.
    #[inline(always)]
    fn squares(&self, key: u64) -> Option<(Square, Square)> {
        slots(key).into_iter().find(|&slot| self.keys[slot] == key).map(|slot| self.squares[slot])
    }
}

fn empty_board_moves(kind: PieceType, from: Square) -> Bitboard {
    match kind {
        PieceType::Pawn => Bitboard::EMPTY,
        PieceType::Knight => attacks::knight_attacks(from),
        PieceType::Bishop => attacks::bishop_attacks(from, Bitboard::EMPTY),
        PieceType::Rook => attacks::rook_attacks(from, Bitboard::EMPTY),
        PieceType::Queen => attacks::queen_attacks(from, Bitboard::EMPTY),
        PieceType::King => attacks::king_attacks(from),
    }
}
