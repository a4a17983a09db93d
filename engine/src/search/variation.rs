//! Lines fit to be shown: legal, and no longer than the game.

use super::Game;
use super::repetition::has_bare_material;
use crate::board::Move;

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
            || has_bare_material(&position)
            || !position.has_legal_move()
        {
            break;
        }
    }
    moves
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
