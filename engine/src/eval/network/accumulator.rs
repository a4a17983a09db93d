//! Sums that follow the search from position to position.
//!
//! A slot for each ply keeps the sums of the last position evaluated there, together with the men
//! that they are sums of. The next position takes the nearest of the slots of its own ply and the
//! one before, and adds and removes what differs: as a rule the men of one or two moves. Nothing
//! has to be told of moves made and taken back, and a slot that some other line has left behind
//! is as good as any. Where the king's file has changed the view, the sums last used in that view
//! take the place of a slot.

use super::vector::{self, Row};
use super::{Men, Network, input, is_mirrored, men_of};
use crate::board::{Bitboard, Color, PieceType, Position};

/// The men that differ from one position to another at most: all of both.
const MOST: usize = 64;

#[derive(Clone)]
struct Slot {
    men: Men,
    mirrored: [bool; 2],
    sums: [Row; 2],
}

/// The sums of a thread.
pub struct Accumulators {
    slots: Box<[Slot]>,
    /// By view and whether mirrored: the last sums.
    views: Box<[[(Men, Row); 2]; 2]>,
}

impl Accumulators {
    /// Sums for lines of up to `plies`, all of an empty board.
    pub fn new(network: &Network, plies: usize) -> Self {
        let men = [[Bitboard::EMPTY; 6]; 2];
        let bias = network.input_bias;
        let slot = Slot { men, mirrored: [false; 2], sums: [bias; 2] };
        Self {
            slots: vec![slot; plies + 1].into_boxed_slice(),
            views: Box::new([[(men, bias); 2]; 2]),
        }
    }

    /// The evaluation of the position `ply` plies from the root, in internal centipawns for the
    /// side to move. The network must be the one given to [`Self::new`].
    pub fn evaluate(&mut self, network: &Network, position: &Position, ply: usize) -> i32 {
        let men = men_of(position);
        let (before, rest) = self.slots.split_at_mut(ply);
        let slot = &mut rest[0];
        let parent = before.last();
        let own_distance = distance(&slot.men, &men);
        let nearer_parent = parent.filter(|parent| distance(&parent.men, &men) < own_distance);
        for view in Color::ALL {
            let index = view.index();
            let mirrored = is_mirrored(position, view);
            let fits = |slot: &Slot| slot.mirrored[index] == mirrored;
            if let Some(parent) = nearer_parent.filter(|parent| fits(parent)) {
                let sums = &mut slot.sums[index];
                update(network, view, mirrored, &parent.men, &men, &parent.sums[index], sums);
            } else if fits(slot) {
                let from = slot.sums[index];
                let sums = &mut slot.sums[index];
                update(network, view, mirrored, &slot.men, &men, &from, sums);
            } else {
                let (seen, last) = &mut self.views[index][usize::from(mirrored)];
                let sums = &mut slot.sums[index];
                update(network, view, mirrored, seen, &men, last, sums);
                (*seen, *last) = (men, *sums);
            }
            slot.mirrored[index] = mirrored;
        }
        slot.men = men;
        let side = position.side_to_move().index();
        network.output([&slot.sums[side], &slot.sums[1 - side]], position.occupied().count())
    }
}

/// How many men differ.
fn distance(one: &Men, other: &Men) -> u32 {
    let pairs = one.as_flattened().iter().zip(other.as_flattened());
    pairs.map(|(&one, &other)| (one ^ other).count()).sum()
}

/// The sums of `men` in a view, from those of other men.
fn update(
    network: &Network,
    view: Color,
    mirrored: bool,
    before: &Men,
    men: &Men,
    from: &Row,
    to: &mut Row,
) {
    let mut lists = [[0u16; MOST]; 2];
    let mut lengths = [0; 2];
    for color in Color::ALL {
        for kind in PieceType::ALL {
            let now = men[color.index()][kind.index()];
            let then = before[color.index()][kind.index()];
            for (list, set) in [now & !then, then & !now].into_iter().enumerate() {
                for square in set {
                    lists[list][lengths[list]] = input(view, mirrored, color, kind, square) as u16;
                    lengths[list] += 1;
                }
            }
        }
    }
    let [added, removed] = [0, 1].map(|list| &lists[list][..lengths[list]]);
    vector::change(from, &network.input_weights, added, removed, to);
}
