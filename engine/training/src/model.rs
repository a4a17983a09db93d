//! The network in floating point: what it says, and how it learns.

use engine::eval::network::{BUCKETS, HIDDEN, INPUTS, Network, NetworkError};
use rayon::prelude::*;

use crate::random::Random;
use crate::sample::{Inputs, Sample};

/// Where the parts lie among the parameters.
const INPUT_BIAS: usize = INPUTS * HIDDEN;
const OUTPUT: usize = INPUT_BIAS + HIDDEN;
const OUTPUT_BIAS: usize = OUTPUT + BUCKETS * 2 * HIDDEN;
/// How many parameters there are.
pub const PARAMETERS: usize = OUTPUT_BIAS + BUCKETS;

/// No weight grows beyond this: the integers of the evaluation hold no more.
const MAX_WEIGHT: f32 = 1.98;
/// Decay of the averages of gradients and of their squares (Adam; Kingma and Ba, 2014).
const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// Decay of the weights (AdamW; Loshchilov and Hutter, 2017).
const WEIGHT_DECAY: f32 = 0.03;

/// How scores and outcomes make a target.
#[derive(Clone, Copy)]
pub struct Targets {
    /// The share of the outcome, from 0 to 1.
    pub by_outcome: f32,
    /// Shown centipawns that are one in the logistic curve.
    pub scale: f32,
}

/// The parameters, and what the optimiser remembers of them.
pub struct Model {
    pub parameters: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
    /// One for each thread, all zero between steps.
    gradients: Vec<Vec<f32>>,
}

type Row = [f32; HIDDEN];

fn row(values: &[f32], start: usize) -> &Row {
    values[start..].first_chunk().expect("within the parameters")
}

fn row_mut(values: &mut [f32], start: usize) -> &mut Row {
    values[start..].first_chunk_mut().expect("within the parameters")
}

#[inline(always)]
fn add(to: &mut Row, from: &Row) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += from;
    }
}

impl Model {
    /// A model of small random weights.
    pub fn new(seed: u64, threads: usize) -> Self {
        let mut random = Random::new(seed);
        let mut uniform =
            |most: f32| (random.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0) * most;
        let mut parameters = vec![0.0; PARAMETERS];
        // About 32 inputs are one; sums begin in the middle of their range.
        parameters[..INPUT_BIAS].iter_mut().for_each(|weight| *weight = uniform(0.1));
        parameters[INPUT_BIAS..OUTPUT].fill(0.3);
        parameters[OUTPUT..OUTPUT_BIAS].iter_mut().for_each(|weight| *weight = uniform(0.1));
        Self::from_parameters(parameters, threads)
    }

    /// A model with these parameters, and nothing learnt about them.
    pub fn from_parameters(parameters: Vec<f32>, threads: usize) -> Self {
        let zeros = || vec![0.0; PARAMETERS];
        Self {
            parameters,
            means: zeros(),
            squares: zeros(),
            steps: 0,
            gradients: (0..threads.max(1)).map(|_| zeros()).collect(),
        }
    }

    /// The network for the engine.
    pub fn network(&self) -> Result<Network, NetworkError> {
        let all = &self.parameters;
        Network::from_weights(
            &all[..INPUT_BIAS],
            &all[INPUT_BIAS..OUTPUT],
            &all[OUTPUT..OUTPUT_BIAS],
            &all[OUTPUT_BIAS..],
        )
    }

    /// One step down the gradient of a batch; returns its mean loss before the step.
    pub fn learn(&mut self, batch: &[Sample], targets: Targets, rate: f32) -> f64 {
        let parameters = &self.parameters;
        let share = batch.len().div_ceil(self.gradients.len()).max(1);
        let loss: f64 = self
            .gradients
            .par_iter_mut()
            .zip(batch.par_chunks(share))
            .map(|(gradient, samples)| gradient_of(parameters, samples, targets, gradient))
            .sum();
        self.step(batch.len(), rate);
        loss / batch.len() as f64
    }

    /// The mean loss of samples.
    pub fn loss(&self, samples: &[Sample], targets: Targets) -> f64 {
        let parts = samples.par_chunks(4096).map(|part| loss_of(&self.parameters, part, targets));
        parts.sum::<f64>() / samples.len().max(1) as f64
    }

    /// Moves the parameters by the gradients of all threads, which become zero.
    fn step(&mut self, samples: usize, rate: f32) {
        const PART: usize = 8192;
        self.steps += 1;
        let unbiased = |decay: f32| 1.0 / (1.0 - decay.powi(self.steps));
        let (mean_scale, square_scale) = (unbiased(MEAN_DECAY), unbiased(SQUARE_DECAY));
        let share = 1.0 / samples as f32;
        let mut gradients: Vec<Vec<&mut [f32]>> = Vec::new();
        for gradient in &mut self.gradients {
            for (index, part) in gradient.chunks_mut(PART).enumerate() {
                if gradients.len() <= index {
                    gradients.push(Vec::new());
                }
                gradients[index].push(part);
            }
        }
        let moments = self.means.par_chunks_mut(PART).zip(self.squares.par_chunks_mut(PART));
        let parts = self.parameters.par_chunks_mut(PART).zip(moments).zip(gradients);
        parts.for_each(|((parameters, (means, squares)), mut gradients)| {
            for i in 0..parameters.len() {
                let mut slope = 0.0;
                for gradient in &mut gradients {
                    slope += std::mem::take(&mut gradient[i]);
                }
                slope *= share;
                means[i] = MEAN_DECAY * means[i] + (1.0 - MEAN_DECAY) * slope;
                squares[i] = SQUARE_DECAY * squares[i] + (1.0 - SQUARE_DECAY) * slope * slope;
                let moved = means[i] * mean_scale / ((squares[i] * square_scale).sqrt() + EPSILON);
                let parameter = parameters[i] - rate * (moved + WEIGHT_DECAY * parameters[i]);
                parameters[i] = parameter.clamp(-MAX_WEIGHT, MAX_WEIGHT);
            }
        });
    }
}

/// The sums of both views and the output.
struct Forward {
    own: Row,
    other: Row,
    output: f32,
}

#[inline(always)]
fn forward(parameters: &[f32], inputs: &Inputs, bucket: usize) -> Forward {
    let sums = |list: &[usize]| {
        let mut sums = *row(parameters, INPUT_BIAS);
        for &input in list {
            add(&mut sums, row(parameters, input * HIDDEN));
        }
        sums
    };
    let (own, other) = (sums(&inputs.own), sums(&inputs.other));
    let weights = OUTPUT + bucket * 2 * HIDDEN;
    let weigh = |sums: &Row, weights: &Row| {
        let mut lanes = [0.0f32; 16];
        for (sums, weights) in sums.chunks_exact(16).zip(weights.chunks_exact(16)) {
            for lane in 0..16 {
                let clipped = sums[lane].clamp(0.0, 1.0);
                lanes[lane] += clipped * clipped * weights[lane];
            }
        }
        lanes.iter().sum::<f32>()
    };
    let output = weigh(&own, row(parameters, weights))
        + weigh(&other, row(parameters, weights + HIDDEN))
        + parameters[OUTPUT_BIAS + bucket];
    Forward { own, other, output }
}

fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// Adds the gradient of the samples' squared errors; returns their sum.
fn gradient_of(
    parameters: &[f32],
    samples: &[Sample],
    targets: Targets,
    gradient: &mut [f32],
) -> f64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        #[target_feature(enable = "avx2,fma")]
        fn with_avx2(
            parameters: &[f32],
            samples: &[Sample],
            targets: Targets,
            gradient: &mut [f32],
        ) -> f64 {
            gradient_plain(parameters, samples, targets, gradient)
        }
        // SAFETY: the processor has these instructions, as just checked.
        return unsafe { with_avx2(parameters, samples, targets, gradient) };
    }
    gradient_plain(parameters, samples, targets, gradient)
}

#[inline(always)]
fn gradient_plain(
    parameters: &[f32],
    samples: &[Sample],
    targets: Targets,
    gradient: &mut [f32],
) -> f64 {
    let mut inputs = Inputs::default();
    let mut loss = 0.0;
    for sample in samples {
        sample.inputs(&mut inputs);
        let bucket = sample.bucket();
        let Forward { own, other, output } = forward(parameters, &inputs, bucket);
        let expected = sigmoid(output);
        let error = expected - sample.target(targets.by_outcome, targets.scale);
        loss += f64::from(error * error);
        let slope = 2.0 * error * expected * (1.0 - expected);
        gradient[OUTPUT_BIAS + bucket] += slope;
        for (half, (sums, list)) in [(own, &inputs.own), (other, &inputs.other)].iter().enumerate()
        {
            let at = OUTPUT + (2 * bucket + half) * HIDDEN;
            let weights = row(parameters, at);
            let mut slopes = [0.0; HIDDEN];
            let output_slopes = row_mut(gradient, at);
            for i in 0..HIDDEN {
                let clipped = sums[i].clamp(0.0, 1.0);
                output_slopes[i] += slope * clipped * clipped;
                let inside = if clipped == sums[i] { 2.0 * clipped } else { 0.0 };
                slopes[i] = slope * weights[i] * inside;
            }
            add(row_mut(gradient, INPUT_BIAS), &slopes);
            for &input in *list {
                add(row_mut(gradient, input * HIDDEN), &slopes);
            }
        }
    }
    loss
}

/// The sum of the samples' squared errors.
fn loss_of(parameters: &[f32], samples: &[Sample], targets: Targets) -> f64 {
    let mut inputs = Inputs::default();
    let errors = samples.iter().map(|sample| {
        sample.inputs(&mut inputs);
        let output = forward(parameters, &inputs, sample.bucket()).output;
        let error = sigmoid(output) - sample.target(targets.by_outcome, targets.scale);
        f64::from(error * error)
    });
    errors.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random_moves;
    use engine::board::{Color, PieceType, Position};

    const TARGETS: Targets = Targets { by_outcome: 0.3, scale: 300.0 };

    fn positions(count: usize) -> Vec<Position> {
        let mut random = Random::new(3);
        let mut found = Vec::new();
        while found.len() < count {
            let plies = 10 + random.below(60) as u32;
            found.extend(random_moves(&mut random, Position::startpos(), plies));
        }
        found
    }

    /// The material of the side to move, less that of the other, in centipawns.
    fn material(position: &Position) -> i32 {
        const VALUES: [i32; 6] = [100, 300, 320, 500, 900, 0];
        let side = position.side_to_move();
        let count = |color: Color, kind| position.pieces(color, kind).count() as i32;
        PieceType::ALL
            .iter()
            .map(|&kind| VALUES[kind.index()] * (count(side, kind) - count(!side, kind)))
            .sum()
    }

    fn samples(count: usize) -> Vec<(Position, Sample)> {
        let sample = |position: Position| {
            let score = material(&position);
            let points =
                f32::from((score > 150) as u8) / 2.0 + f32::from((score > -150) as u8) / 2.0;
            (position, Sample::new(&position, score as i16, points))
        };
        positions(count).into_iter().map(sample).collect()
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let model = Model::new(11, 1);
        let batch: Vec<Sample> = samples(40).into_iter().map(|(_, sample)| sample).collect();
        let mut gradient = vec![0.0; PARAMETERS];
        gradient_of(&model.parameters, &batch, TARGETS, &mut gradient);
        let mut largest: Vec<usize> = (0..PARAMETERS).collect();
        largest.sort_by(|&a, &b| gradient[b].abs().total_cmp(&gradient[a].abs()));
        let bias = (INPUT_BIAS..INPUT_BIAS + 3).chain(OUTPUT_BIAS..PARAMETERS);
        for index in largest[..60].iter().copied().step_by(3).chain(bias) {
            let shifted = |by: f32| {
                let mut parameters = model.parameters.clone();
                parameters[index] += by;
                loss_of(&parameters, &batch, TARGETS)
            };
            const BY: f32 = 2e-3;
            let measured = (shifted(BY) - shifted(-BY)) / f64::from(2.0 * BY);
            let given = f64::from(gradient[index]);
            let near = (measured - given).abs() <= 0.02 * given.abs() + 2e-3;
            assert!(near, "parameter {index}: {measured} measured, {given} given");
        }
    }

    #[test]
    fn a_network_learns_material() {
        let data = samples(6000);
        let (known, fresh) = data.split_at(5500);
        let batch: Vec<Sample> = known.iter().map(|&(_, sample)| sample).collect();
        let aside: Vec<Sample> = fresh.iter().map(|&(_, sample)| sample).collect();
        let mut model = Model::new(5, 2);
        let before = model.loss(&aside, TARGETS);
        for _ in 0..20 {
            for part in batch.chunks(250) {
                model.learn(part, TARGETS, 2e-3);
            }
        }
        let after = model.loss(&aside, TARGETS);
        assert!(after < before / 3.0, "{before} -> {after}");
        // The engine's integers say the same as the trainer's numbers, and know who is ahead.
        let network = model.network().unwrap();
        let (mut right, mut clear, mut errors) = (0, 0, 0.0);
        for (position, sample) in fresh {
            let mut inputs = Inputs::default();
            sample.inputs(&mut inputs);
            let output = forward(&model.parameters, &inputs, sample.bucket()).output;
            let value = network.evaluate(position);
            let expected = output * engine::eval::network::SCALE as f32;
            errors += (value as f32 - expected).abs();
            if material(position).abs() >= 400 {
                clear += 1;
                right += usize::from((value > 0) == (material(position) > 0));
            }
        }
        let mean_error = errors / fresh.len() as f32;
        assert!(mean_error < 25.0, "{mean_error}");
        assert!(clear > 50 && right * 20 >= clear * 19, "{right} of {clear}");
    }
}
