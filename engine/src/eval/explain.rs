//! The evaluation for a person: what each man is worth to it.

use super::network::{Network, bucket, men_of};
use super::{damp, drawn, scale};
use crate::board::{Color, PieceType, Position, Square};

/// The evaluation of a position, taken apart. Values are internal centipawns.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// What each man but the kings adds to White's evaluation: the network's word with it, less
    /// the word without it. Negative as a rule for Black's men.
    pub men: Vec<(Square, i32)>,
    /// The set of output weights in use, from 0 for few men.
    pub bucket: usize,
    /// The network's word for the side to move.
    pub network: i32,
    /// The share of it that the material leaves, of 64.
    pub kept: i32,
    /// The evaluation for the side to move.
    pub value: i32,
    /// The same, damped by the fifty-move count.
    pub damped: i32,
}

/// Takes the evaluation of a position apart.
pub fn explain(network: &Network, position: &Position) -> Explanation {
    let side = position.side_to_move();
    let all = men_of(position);
    let word = network.evaluate_men(&all, side);
    let value = scale(position, word);
    let mut men = Vec::new();
    for color in Color::ALL {
        for kind in PieceType::ALL {
            if kind == PieceType::King {
                continue;
            }
            for square in position.pieces(color, kind) {
                let mut rest = all;
                rest[color.index()][kind.index()] &= !square.bitboard();
                let added = word - network.evaluate_men(&rest, side);
                men.push((square, if side == Color::White { added } else { -added }));
            }
        }
    }
    Explanation {
        men,
        bucket: bucket(position.occupied().count()),
        network: word,
        kept: drawn::factor(position, word),
        value,
        damped: damp(value, position.halfmove_clock()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_have_their_worth() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 30 1";
        let position = Position::from_fen(fen).expect("a FEN");
        let explanation = explain(Network::embedded(), &position);
        assert_eq!(explanation.men.len(), 30);
        let worth = |name: &str| {
            let found = explanation.men.iter().find(|(square, _)| square.to_string() == name);
            found.unwrap_or_else(|| panic!("no man on {name}")).1
        };
        assert!(worth("f3") > 300 && worth("f3") > worth("c3"));
        assert!(worth("e7") < -300 && worth("e7") < worth("b6"));
        assert_eq!((explanation.kept, explanation.value), (drawn::FULL, explanation.network));
        assert_eq!(explanation.damped, damp(explanation.value, 30));
    }
}
