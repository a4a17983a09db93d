//! A move at first sight, where no search had the time to finish one.

use std::cmp::Reverse;

use super::Game;
use super::repetition::has_bare_material;
use super::root::RootMove;
use super::score::{DRAW, mate_in};
use super::shared::Shared;
use crate::board::{Move, Position};

/// Puts the move first that looks best on the board behind it, and gives it that score. A move
/// that loses material at once comes after those that do not.
pub(super) fn put_first(shared: &Shared, game: &Game, root_moves: &mut [RootMove]) {
    let position = game.position();
    let judged = root_moves.iter().enumerate().map(|(index, root_move)| {
        let mv = root_move.mv;
        let score = score(shared, position, mv);
        (root_move.rank(), score == mate_in(1) || position.see_ge(mv, 0), score, Reverse(index))
    });
    let Some((_, _, score, Reverse(index))) = judged.max() else { return };
    root_moves[..=index].rotate_right(1);
    root_moves[0].record(score, None, 1, 0, &[]);
}

/// What a move leads to, without a search.
fn score(shared: &Shared, position: &Position, mv: Move) -> i32 {
    let child = position.play(mv);
    match child.has_legal_move() {
        false if child.in_check() => mate_in(1),
        false => DRAW,
        true if has_bare_material(&child) => DRAW,
        true => -shared.evaluate(&child),
    }
}
