//! Lines fit to be shown: legal, and no longer than the game.

use super::Game;
use super::repetition::has_bare_material;
use crate::board::{Bitboard, Move, PieceType, Position};

/// The moves of a line as far as they are legal and the game goes on. The first move is kept even
/// where a draw could be claimed before it.
pub fn playable(game: &Game, line: &[Move]) -> Vec<Move> {
    let mut position = *game.position();
    let mut keys = game.previous_keys().to_vec();
    let mut moves = Vec::with_capacity(line.len());
    for &mv in line {
        if !position.is_legal(mv) {
            break;
        }
        keys.push(position.key());
        position = position.play(mv);
        moves.push(mv);
        let times_before = keys.iter().filter(|&&key| key == position.key()).count();
        if times_before >= 2
            || position.halfmove_clock() >= 100
            || is_dead_by_material(&position)
            || !position.has_legal_move()
        {
            break;
        }
    }
    moves
}

/// Whether no series of legal moves can mate, by the men alone (Article 5.2.2): bare material, or
/// only bishops on squares of one colour beside the kings. The search leaves the latter to the
/// evaluation.
fn is_dead_by_material(position: &Position) -> bool {
    let bishops = position.kind(PieceType::Bishop);
    let only_bishops = position.occupied() == bishops | position.kind(PieceType::King);
    has_bare_material(position)
        || only_bishops
            && ((bishops & Bitboard::DARK).is_empty() || (bishops & Bitboard::LIGHT).is_empty())
}

/// Whether the line's end finishes the game or lets a draw be claimed.
pub fn ends_game(game: &Game, line: &[Move]) -> bool {
    // A null move is legal nowhere, so that the line is cut before it if the game goes on.
    let mut longer = line.to_vec();
    let mut position = *game.position();
    for &mv in line {
        position = position.play(mv);
    }
    let Some(&next) = position.legal_moves().first() else { return true };
    longer.push(next);
    playable(game, &longer).len() <= line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_where_no_side_can_mate() {
        for (fen, line, length) in [
            // Bishops on one colour, on both, a lone bishop, bishop and knight, a pawn.
            ("6k1/8/8/4b3/8/8/1B6/K1b5 w - - 0 1", ["b2e5", "g8f7", "a1b1"], 1),
            ("6k1/8/8/8/4b3/8/1B6/K7 w - - 0 1", ["b2c1", "g8f7", "a1b2"], 3),
            ("6k1/8/8/4n3/8/8/1B6/K7 w - - 0 1", ["b2e5", "g8f7", "a1b1"], 1),
            ("6k1/8/8/4n3/8/8/1B6/K7 w - - 0 1", ["b2c1", "g8f7", "a1b1"], 3),
            ("6k1/8/8/8/8/7P/1n6/K7 w - - 0 1", ["a1b2", "g8f7", "b2b3"], 3),
        ] {
            let mut position = Position::from_fen(fen).unwrap();
            let game = Game::new(position);
            let moves = line.map(|text| {
                let mv = position.parse_uci(text).unwrap();
                position = position.play(mv);
                mv
            });
            assert_eq!(playable(&game, &moves).len(), length, "{fen} {line:?}");
            assert_eq!(ends_game(&game, &moves[..1]), length == 1, "{fen} {line:?}");
        }
    }
}
