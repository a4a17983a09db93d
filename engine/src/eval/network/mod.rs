//! The network: an efficiently updatable evaluation (Nasu, 2018) trained on our own games.
//!
//! Each side has its view of the board: 768 inputs (whose man, its kind, its square as that side
//! sees it, files mirrored so that its king stands on the files a to d) feed [`HIDDEN`] sums. The
//! sums of the side to move and of the other one are clipped and squared, and a weighted sum of
//! them, with weights by the number of men, is the evaluation.
//!
//! Weights are integers. Input weights and sums count 1/[`QA`]; no sum of 32 men's weights and a
//! bias leaves 16 bits, as the file is refused otherwise. Output weights count 1/[`QB`] and stay
//! within ±127, so that a clipped sum times its weight fits into 16 bits and those of a view together
//! into 32.

mod accumulator;
mod file;
mod vector;

pub use accumulator::Accumulators;
pub use file::NetworkError;

use once_cell::sync::Lazy;

use crate::board::{Bitboard, Color, PieceType, Position, Square};
use vector::Row;

/// Inputs of a view: own and enemy men of six kinds on 64 squares.
pub const INPUTS: usize = 768;
/// Inputs of the men of one side.
const OF_A_SIDE: usize = INPUTS / 2;
/// Sums of a view.
pub const HIDDEN: usize = 256;
/// Sets of output weights, by the number of men.
pub const BUCKETS: usize = 8;
/// One in the sums.
pub const QA: i32 = 255;
/// One in the output weights.
pub const QB: i32 = 64;
/// Internal centipawns of an output of one.
pub const SCALE: i32 = 400;
/// The largest output weight.
const MAX_OUTPUT_WEIGHT: i16 = 127;

/// The weights of a network.
pub struct Network {
    input_weights: Box<[Row]>,
    input_bias: Row,
    /// For each bucket those of the side to move, then those of the other side.
    output_weights: [[Row; 2]; BUCKETS],
    /// One counts 1/([`QA`] × [`QB`]).
    output_bias: [i32; BUCKETS],
}

impl Network {
    /// The network that is part of the program: `nets/themis.bin`, described in `nets/README.md`.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// The evaluation from sums, in internal centipawns for the side to move.
    #[inline(always)]
    fn output(&self, sums: [&Row; 2], men: u32) -> i32 {
        let bucket = bucket(men);
        let [own, other] = &self.output_weights[bucket];
        let squares = i64::from(sums[0].weigh(own)) + i64::from(sums[1].weigh(other));
        let output = squares / i64::from(QA) + i64::from(self.output_bias[bucket]);
        (output * i64::from(SCALE) / i64::from(QA * QB)) as i32
    }

    /// The evaluation without any memory of other positions.
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.evaluate_men(&men_of(position), position.side_to_move())
    }

    /// The evaluation of men, of which each side has a king, for `side`, which is to move.
    pub(super) fn evaluate_men(&self, men: &Men, side: Color) -> i32 {
        let sums = [side, !side].map(|view| {
            let mut row = self.input_bias;
            let mirrored = is_on_mirrored_side(men[view.index()][PieceType::King.index()]);
            for color in Color::ALL {
                for kind in PieceType::ALL {
                    for square in men[color.index()][kind.index()] {
                        let input = input(view, mirrored, color, kind, square);
                        row.add(&self.input_weights[input]);
                    }
                }
            }
            row
        });
        let count = men.as_flattened().iter().map(|set| set.count()).sum();
        self.output([&sums[0], &sums[1]], count)
    }
}

/// The men of a position by colour and kind.
pub(super) type Men = [[Bitboard; 6]; 2];

#[inline(always)]
pub(super) fn men_of(position: &Position) -> Men {
    Color::ALL.map(|color| PieceType::ALL.map(|kind| position.pieces(color, kind)))
}

/// The network that is part of the program.
static EMBEDDED: Lazy<Network> = Lazy::new(|| {
    Network::from_bytes(include_bytes!("../../../nets/themis.bin"))
        .expect("the file in the repository is a network")
});

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network({INPUTS} -> {HIDDEN} x 2 -> {BUCKETS})")
    }
}

/// The set of output weights for so many men on the board.
#[inline(always)]
pub fn bucket(men: u32) -> usize {
    (men.clamp(2, 32) as usize - 2) / (32usize.div_ceil(BUCKETS))
}

/// Whether a side sees the files mirrored: its king stands on the files e to h.
#[inline(always)]
pub fn is_mirrored(position: &Position, view: Color) -> bool {
    is_on_mirrored_side(position.pieces(view, PieceType::King))
}

#[inline(always)]
fn is_on_mirrored_side(king: Bitboard) -> bool {
    king.first().is_some_and(|square| square.file() >= 4)
}

/// The number of an input in a side's view.
#[inline(always)]
pub fn input(view: Color, mirrored: bool, color: Color, kind: PieceType, square: Square) -> usize {
    let for_white = color.index() * OF_A_SIDE + kind.index() * 64 + square.index();
    seen(for_white, view, mirrored)
}

/// The number in a side's view of an input that has this one in White's view, not mirrored.
#[inline(always)]
fn seen(input: usize, view: Color, mirrored: bool) -> usize {
    let turned = if view == Color::Black { 56 } else { 0 } ^ if mirrored { 7 } else { 0 };
    let swapped = if view == Color::Black { (input + OF_A_SIDE) % INPUTS } else { input };
    swapped ^ turned
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A network of small pseudo-random weights.
    fn network() -> Network {
        let mut state = 1u32;
        let mut weights = |count: usize, size: f32| -> Vec<f32> {
            let mut weight = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (f64::from(state) / f64::from(u32::MAX) - 0.5) as f32 * size
            };
            (0..count).map(|_| weight()).collect()
        };
        Network::from_weights(
            &weights(INPUTS * HIDDEN, 0.6),
            &weights(HIDDEN, 1.0),
            &weights(BUCKETS * 2 * HIDDEN, 2.0),
            &weights(BUCKETS, 1.0),
        )
        .expect("small weights")
    }

    #[test]
    fn following_equals_starting_anew() {
        let network = network();
        let mut accumulators = Accumulators::new(&network, 40);
        let mut state = 7u64;
        let mut compared = 0;
        for start in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "nqrnbkrb/pppppppp/8/8/8/8/PPPPPPPP/NQRNBKRB w GCgc - 0 1",
            "4k3/P7/8/8/8/8/7p/4K3 w - - 0 1",
        ] {
            for _ in 0..30 {
                let mut position = Position::from_fen(start).expect("a FEN");
                for ply in 0..120 {
                    // As in a search, some plies are never evaluated, and lines go back and forth.
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let random = (state >> 33) as usize;
                    if !random.is_multiple_of(3) {
                        let value = accumulators.evaluate(&network, &position, ply % 41);
                        assert_eq!(value, network.evaluate(&position), "{position:?}");
                        compared += 1;
                    }
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    position = position.play(moves[random / 3 % moves.len()]);
                }
            }
        }
        assert!(compared > 5000, "{compared}");
    }

    #[test]
    fn colours_and_wings_are_alike() {
        let network = network();
        let value = |fen: &str| network.evaluate(&Position::from_fen(fen).expect("a FEN"));
        let original = value("r4rk1/pp3p1p/2p5/8/3N4/2P5/PP3PPP/R4RK1 w - - 0 20");
        assert_eq!(original, value("r4rk1/pp3ppp/2p5/3n4/8/2P5/PP3P1P/R4RK1 b - - 0 20"));
        assert_eq!(original, value("1kr4r/p1p3pp/5p2/8/4N3/5P2/PPP3PP/1KR4R w - - 0 20"));
        assert_ne!(original, value("r4rk1/pp3p1p/2p5/8/4N3/2P5/PP3PPP/R4RK1 w - - 0 20"));
    }

    #[test]
    fn a_file_is_read_back_and_a_damaged_one_refused() {
        let bytes = network().to_bytes();
        let again = Network::from_bytes(&bytes).expect("a network");
        assert_eq!(again.to_bytes(), bytes);
        let weights = again.to_weights();
        let (inputs, rest) = weights.split_at(INPUTS * HIDDEN);
        let (input_bias, rest) = rest.split_at(HIDDEN);
        let (outputs, output_bias) = rest.split_at(BUCKETS * 2 * HIDDEN);
        let again = Network::from_weights(inputs, input_bias, outputs, output_bias);
        assert_eq!(again.expect("the same weights").to_bytes(), bytes);
        let refused = |bytes: &[u8]| Network::from_bytes(bytes).expect_err("no network");
        assert_eq!(refused(b""), NetworkError::Magic);
        assert_eq!(refused(b"%PDF-1.7 some other file"), NetworkError::Magic);
        for length in [8, 9, 20, 30, bytes.len() - 1] {
            let error = refused(&bytes[..length]);
            assert!(matches!(error, NetworkError::Length { .. }), "{length}: {error}");
        }
        let with = |index: usize, byte: u8| {
            let mut changed = bytes.clone();
            changed[index] ^= byte;
            refused(&changed)
        };
        assert!(matches!(with(12, 64), NetworkError::Kind { name: "hidden", .. }));
        for index in [25, 1000, bytes.len() - 1] {
            assert_eq!(with(index, 1), NetworkError::Checksum);
        }
        let large = vec![9.0; INPUTS * HIDDEN];
        let outputs = vec![0.0; BUCKETS * 2 * HIDDEN];
        let result = Network::from_weights(&large, &[0.0; HIDDEN], &outputs, &[0.0; BUCKETS]);
        assert_eq!(result.expect_err("would overflow"), NetworkError::Weights);
    }
}
