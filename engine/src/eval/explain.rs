//! The evaluation for a person: what each group of weights brings to each side.

use super::score::Score;
use super::terms::{self, Trace, phase, taper};
use super::weights::{SECTIONS, TEMPO, WEIGHTS};
use super::{FULL_PHASE, damp, evaluate, scale};
use crate::board::{Color, Position};

/// What a group of weights brings, as middlegame and endgame value.
#[derive(Clone, Debug)]
pub struct TermLine {
    /// What is weighed.
    pub about: &'static str,
    /// White's sum.
    pub white: Score,
    /// Black's sum.
    pub black: Score,
}

/// The evaluation of a position, taken apart. Values are internal centipawns.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The groups of weights that count for either side.
    pub lines: Vec<TermLine>,
    /// All groups, White's less Black's.
    pub total: Score,
    /// The phase: 24 with all men, 0 without pieces.
    pub phase: i32,
    /// The share of the endgame value that is kept, of 64.
    pub endgame_scale: i32,
    /// The blend, from White's side, without the right to move.
    pub tapered: i32,
    /// The bonus of the side to move.
    pub tempo: i32,
    /// The evaluation for the side to move.
    pub value: i32,
    /// The same, damped by the fifty-move count.
    pub damped: i32,
}

struct Sums(Vec<[Score; 2]>);

impl Trace for &mut Sums {
    fn note(&mut self, index: usize, color: Color, count: i32) {
        let section = SECTIONS.partition_point(|section| section.start <= index) - 1;
        self.0[section][color.index()] += WEIGHTS[index] * count;
    }
}

/// Takes the evaluation of a position apart.
pub fn explain(position: &Position) -> Explanation {
    let mut sums = Sums(vec![[Score::default(); 2]; SECTIONS.len()]);
    let (total, _) = terms::trace(position, &mut sums);
    let lines = SECTIONS
        .iter()
        .zip(&sums.0)
        .filter(|(_, sides)| sides.iter().any(|&score| score != Score::default()))
        .map(|(section, &[white, black])| TermLine { about: section.about, white, black })
        .collect();
    let value = evaluate(position);
    Explanation {
        lines,
        total,
        phase: phase(position).min(FULL_PHASE),
        endgame_scale: scale::factor(position, total.endgame()),
        tapered: taper(position, total),
        tempo: WEIGHTS[TEMPO].middlegame(),
        value,
        damped: damp(value, position.halfmove_clock()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let explanation = explain(&position);
            let sum = explanation
                .lines
                .iter()
                .fold(Score::default(), |sum, line| sum + line.white - line.black);
            assert!(sum == explanation.total);
            let own = match position.side_to_move() {
                Color::White => explanation.tapered,
                Color::Black => -explanation.tapered,
            };
            assert_eq!(own + explanation.tempo, explanation.value);
        }
    }

    #[test]
    fn colours_are_equal() {
        let white = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let black = "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1";
        let value = |fen: &str| evaluate(&Position::from_fen(fen).unwrap());
        assert_eq!(value(white), value(black));
    }
}
