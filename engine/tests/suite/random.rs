//! Random games for the property tests.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _};

/// SplitMix64: a game's seed makes the game.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// A start array of Chess960 in Shredder-FEN.
pub fn chess960_array(random: &mut Random) -> String {
    let mut row = ['.'; 8];
    row[random.below(4) * 2] = 'b';
    row[random.below(4) * 2 + 1] = 'b';
    for man in ['q', 'n', 'n'] {
        let free: Vec<usize> = (0..8).filter(|&file| row[file] == '.').collect();
        row[free[random.below(free.len())]] = man;
    }
    for man in ['r', 'k', 'r'] {
        let file = row.iter().position(|&c| c == '.').expect("three squares are left");
        row[file] = man;
    }
    let row: String = row.iter().collect();
    let rooks: String = (0..8u8)
        .filter(|&f| row.as_bytes()[f as usize] == b'r')
        .map(|f| (b'a' + f) as char)
        .collect();
    let white = row.to_uppercase();
    let rights = rooks.to_uppercase() + &rooks;
    format!("{row}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {rights} - 0 1")
}

/// Calls `visit` with each position of a random game and the move played there in UCI notation
/// (castling as king takes rook), until the game ends or `plies` are played.
pub fn walk(
    seed: u64,
    chess960: bool,
    plies: usize,
    mut visit: impl FnMut(&Chess, &shakmaty::Move),
) {
    let mut random = Random(seed);
    let mut game: Chess = if chess960 {
        let fen: Fen = chess960_array(&mut random).parse().expect("a FEN");
        fen.into_position(CastlingMode::Chess960).expect("a position")
    } else {
        Chess::default()
    };
    for _ in 0..plies {
        let moves = game.legal_moves();
        if moves.is_empty() {
            return;
        }
        // Lean towards castling, en passant and promotion, which random play seldom reaches.
        let special: Vec<_> = moves
            .iter()
            .filter(|m| m.is_castle() || m.is_en_passant() || m.is_promotion())
            .collect();
        let mv = if !special.is_empty() && random.below(3) == 0 {
            special[random.below(special.len())]
        } else {
            &moves[random.below(moves.len())]
        };
        visit(&game, mv);
        game.play_unchecked(*mv);
    }
}
