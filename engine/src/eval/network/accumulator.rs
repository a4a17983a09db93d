//! Sums that follow the search from position to position.
//!
//! A slot for each ply keeps the sums of the last position evaluated there, together with the men
//! that they are sums of. The next position takes the nearest of the slots of its own ply and the
//! one before, and adds and removes what differs: as a rule the men of one or two moves. Nothing
//! has to be told of moves made and taken back, and a slot that some other line has left behind
//! is as good as any. Where that one shows another view, as the king has crossed the middle, the
//! sums last used in the view take its place.

use super::vector::{self, Row, Work};
use super::{Men, Network, input, is_mirrored, men_of, seen};
use crate::board::{Bitboard, Color, PieceType, Position};

/// The men that come, or go, at most: all of one position.
const MOST: usize = 32;

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
    ///
    /// # Panics
    /// `ply` is beyond the plies given to [`Self::new`].
    #[inline]
    pub fn evaluate(&mut self, network: &Network, position: &Position, ply: usize) -> i32 {
        vector::run(Evaluation { accumulators: self, network, position, ply })
    }
}

/// One evaluation, as work for the vectors.
struct Evaluation<'a> {
    accumulators: &'a mut Accumulators,
    network: &'a Network,
    position: &'a Position,
    ply: usize,
}

impl Work for Evaluation<'_> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Self { accumulators: Accumulators { slots, views }, network, position, ply } = self;
        let men = men_of(position);
        let (before, rest) = slots.split_at_mut(ply);
        let slot = &mut rest[0];
        let own_distance = distance(&slot.men, &men);
        let parent = before.last().filter(|parent| distance(&parent.men, &men) < own_distance);
        let old;
        let nearest = match parent {
            Some(parent) => parent,
            None => {
                old = slot.clone();
                &old
            }
        };
        let change = Change::between(&nearest.men, &men);
        for view in Color::ALL {
            let index = view.index();
            let mirrored = is_mirrored(position, view);
            slot.sums[index] = if nearest.mirrored[index] == mirrored {
                change.apply(network, view, mirrored, &nearest.sums[index])
            } else {
                let (known, last) = &mut views[index][usize::from(mirrored)];
                *last = Change::between(known, &men).apply(network, view, mirrored, last);
                *known = men;
                *last
            };
            slot.mirrored[index] = mirrored;
        }
        slot.men = men;
        let side = position.side_to_move().index();
        network.output([&slot.sums[side], &slot.sums[1 - side]], position.occupied().count())
    }
}

/// How many men differ.
#[inline(always)]
fn distance(one: &Men, other: &Men) -> u32 {
    let pairs = one.as_flattened().iter().zip(other.as_flattened());
    pairs.map(|(&one, &other)| (one ^ other).count()).sum()
}

/// The men that come and go, by their inputs in White's view, not mirrored.
struct Change {
    added: List,
    removed: List,
}

struct List {
    inputs: [u16; MOST],
    length: usize,
}

impl List {
    const EMPTY: Self = Self { inputs: [0; MOST], length: 0 };

    #[inline(always)]
    fn push(&mut self, input: usize) {
        self.inputs[self.length] = input as u16;
        self.length += 1;
    }
}

impl Change {
    /// From some men to others.
    #[inline(always)]
    fn between(before: &Men, after: &Men) -> Self {
        let mut change = Self { added: List::EMPTY, removed: List::EMPTY };
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let now = after[color.index()][kind.index()];
                let then = before[color.index()][kind.index()];
                for square in now & !then {
                    change.added.push(input(Color::White, false, color, kind, square));
                }
                for square in then & !now {
                    change.removed.push(input(Color::White, false, color, kind, square));
                }
            }
        }
        change
    }

    /// The sums of a view after the change.
    #[inline(always)]
    fn apply<'a>(&'a self, network: &'a Network, view: Color, mirrored: bool, sums: &Row) -> Row {
        let row = |&input: &u16| &network.input_weights[seen(usize::from(input), view, mirrored)];
        let of = |list: &'a List| list.inputs[..list.length].iter().map(row);
        sums.changed(of(&self.added), of(&self.removed))
    }
}
