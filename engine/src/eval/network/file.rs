//! The network file.
//!
//! Little-endian: the magic, version, sizes and scales (16 bits each), a checksum of the rest
//! (FNV-1a, 64 bits); then 16-bit input weights by input, input bias, output weights by bucket
//! (those of the side to move first), and 32-bit output bias.

use super::vector::Row;
use super::{BUCKETS, HIDDEN, INPUTS, MAX_OUTPUT_WEIGHT, Network, QA, QB, SCALE};

const MAGIC: &[u8; 8] = b"THEMISNN";
const VERSION: u16 = 1;
const HEADER: [u16; 7] =
    [VERSION, INPUTS as u16, HIDDEN as u16, BUCKETS as u16, QA as u16, QB as u16, SCALE as u16];
const HEADER_BYTES: usize = MAGIC.len() + 2 * HEADER.len() + 8;
const BODY_BYTES: usize = 2 * (INPUTS * HIDDEN + HIDDEN + BUCKETS * 2 * HIDDEN) + 4 * BUCKETS;

/// Why a network file is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// Some other file.
    #[error("not a network file of Themis")]
    Magic,
    /// A network of another version, size or scale.
    #[error("a network of another kind: {name} is {found}, not {expected}")]
    Kind {
        /// What differs.
        name: &'static str,
        /// The number in the file.
        found: u16,
        /// The number that this program needs.
        expected: u16,
    },
    /// Cut off, or with something behind.
    #[error("{found} bytes, not {expected}")]
    Length {
        /// Bytes of the file.
        found: usize,
        /// Bytes that it should have.
        expected: usize,
    },
    /// A byte has changed.
    #[error("the checksum does not match: the file is damaged")]
    Checksum,
    /// Weights that could overflow.
    #[error("weights too large")]
    Weights,
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

impl Network {
    /// Reads a network file.
    ///
    /// # Errors
    /// The file is no network, one of another kind, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let after_magic = bytes.strip_prefix(MAGIC).ok_or(NetworkError::Magic)?;
        const NAMES: [&str; 7] = ["version", "inputs", "hidden", "buckets", "QA", "QB", "scale"];
        for ((pair, name), expected) in after_magic.chunks_exact(2).zip(NAMES).zip(HEADER) {
            let found = u16::from_le_bytes([pair[0], pair[1]]);
            if found != expected {
                return Err(NetworkError::Kind { name, found, expected });
            }
        }
        if bytes.len() != HEADER_BYTES + BODY_BYTES {
            let expected = HEADER_BYTES + BODY_BYTES;
            return Err(NetworkError::Length { found: bytes.len(), expected });
        }
        let (header, body) = bytes.split_at(HEADER_BYTES);
        let (_, stated) = header.split_at(HEADER_BYTES - 8);
        if stated != checksum(body).to_le_bytes() {
            return Err(NetworkError::Checksum);
        }
        let (words, biases) = body.split_at(BODY_BYTES - 4 * BUCKETS);
        let mut words = words.as_chunks::<2>().0.iter().map(|&word| i16::from_le_bytes(word));
        let mut row = || Row(std::array::from_fn(|_| words.next().unwrap_or(0)));
        let input_weights: Box<[Row]> = (0..INPUTS).map(|_| row()).collect();
        let input_bias = row();
        let output_weights = std::array::from_fn(|_| [row(), row()]);
        let mut biases = biases.as_chunks::<4>().0.iter().map(|&word| i32::from_le_bytes(word));
        let output_bias = std::array::from_fn(|_| biases.next().unwrap_or(0));
        let network = Self { input_weights, input_bias, output_weights, output_bias };
        if network.is_safe() { Ok(network) } else { Err(NetworkError::Weights) }
    }

    /// The network as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let outputs = self.output_weights.as_flattened();
        let rows = self.input_weights.iter().chain([&self.input_bias]).chain(outputs);
        let mut body: Vec<u8> = rows.flat_map(|row| row.0).flat_map(i16::to_le_bytes).collect();
        body.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        let mut bytes = MAGIC.to_vec();
        bytes.extend(HEADER.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// Builds a network from trained weights: `input_weights` by input, `output_weights` by bucket
    /// with those of the side to move first, all in units of one. They are rounded, and clipped to
    /// what the evaluation can hold.
    ///
    /// # Errors
    /// The input weights are too large together.
    ///
    /// # Panics
    /// The slices have not the lengths of the network.
    pub fn from_weights(
        input_weights: &[f32],
        input_bias: &[f32],
        output_weights: &[f32],
        output_bias: &[f32],
    ) -> Result<Self, NetworkError> {
        assert_eq!(input_weights.len(), INPUTS * HIDDEN);
        assert_eq!(input_bias.len(), HIDDEN);
        assert_eq!(output_weights.len(), BUCKETS * 2 * HIDDEN);
        assert_eq!(output_bias.len(), BUCKETS);
        let rounded = |value: f32, one: i32| (value * one as f32).round();
        let row = |values: &[f32], one: i32, most: i16| {
            let most = f32::from(most);
            Row(std::array::from_fn(|i| rounded(values[i], one).clamp(-most, most) as i16))
        };
        let inputs = |values: &[f32]| row(values, QA, i16::MAX);
        let outputs = |values: &[f32]| row(values, QB, MAX_OUTPUT_WEIGHT);
        let network = Self {
            input_weights: input_weights.chunks_exact(HIDDEN).map(inputs).collect(),
            input_bias: inputs(input_bias),
            output_weights: std::array::from_fn(|bucket| {
                let at = 2 * bucket * HIDDEN;
                let (own, other) = output_weights[at..at + 2 * HIDDEN].split_at(HIDDEN);
                [outputs(own), outputs(other)]
            }),
            output_bias: std::array::from_fn(|i| rounded(output_bias[i], QA * QB) as i32),
        };
        if network.is_safe() { Ok(network) } else { Err(NetworkError::Weights) }
    }

    /// The weights in units of one, in the order of the arguments of [`Self::from_weights`]: what a
    /// training goes on from.
    pub fn to_weights(&self) -> Vec<f32> {
        let in_units = |one: i32| move |&value: &i16| f32::from(value) / one as f32;
        let inputs = self.input_weights.iter().chain([&self.input_bias]);
        let outputs = self.output_weights.as_flattened().iter();
        inputs
            .flat_map(|row| row.0.iter().map(in_units(QA)))
            .chain(outputs.flat_map(|row| row.0.iter().map(in_units(QB))))
            .chain(self.output_bias.iter().map(|&bias| bias as f32 / (QA * QB) as f32))
            .collect()
    }

    /// Whether no sum of 32 men can leave 16 bits, and no output 32.
    fn is_safe(&self) -> bool {
        let sums = (0..HIDDEN).all(|i| {
            let mut weights: Vec<i32> =
                self.input_weights.iter().map(|row| i32::from(row.0[i]).abs()).collect();
            weights.sort_unstable_by(|a, b| b.cmp(a));
            let most: i32 = weights[..32].iter().sum();
            most + i32::from(self.input_bias.0[i]).abs() <= i32::from(i16::MAX)
        });
        let mut outputs = self.output_weights.as_flattened().iter().flat_map(|row| row.0);
        let biases = self.output_bias.iter().all(|bias| bias.abs() < 1 << 24);
        sums && biases && outputs.all(|weight| weight.abs() <= MAX_OUTPUT_WEIGHT)
    }
}
