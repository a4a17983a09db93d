//! The tuner: fits the weights so that the evaluation predicts the results (P. Österlund,
//! "Texel's tuning method", 2014), by gradient descent with Adam (Kingma and Ba, 2014).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use engine::board::{Color, Position};
use engine::eval::{self, FULL_PHASE, SECTIONS, Trace, WEIGHTS};
use rayon::prelude::*;

#[derive(clap::Args)]
pub struct Args {
    /// Files written by `selfplay`
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// Passes over the data
    #[arg(long, default_value_t = 400)]
    epochs: usize,
    /// Share of the game's result in the target; the search's score has the rest
    #[arg(long, default_value_t = 0.6)]
    result_share: f32,
    /// The step of each weight in the first epoch, in centipawns
    #[arg(long, default_value_t = 1.0)]
    rate: f32,
    /// Pull of each weight towards its first value
    #[arg(long, default_value_t = 2e-7)]
    decay: f32,
    /// Rewrite the weights in this source file; else print them
    #[arg(long)]
    write: Option<PathBuf>,
}

/// How often a weight counts: index and White's count less Black's.
#[derive(Default)]
struct Counts(Vec<(u16, i16)>);

impl Trace for &mut Counts {
    fn note(&mut self, index: usize, color: Color, count: i32) {
        let count = if color == Color::White { count } else { -count } as i16;
        match self.0.iter_mut().find(|(other, _)| *other == index as u16) {
            Some((_, sum)) => *sum += count,
            None => self.0.push((index as u16, count)),
        }
    }
}

/// A position as the tuner sees it.
struct Sample {
    counts: Box<[(u16, i16)]>,
    /// What one centipawn of middlegame and endgame value brings.
    middlegame: f32,
    endgame: f32,
    /// The search's score for White, in shown centipawns.
    score: f32,
    /// The result for White.
    result: f32,
    /// What is to be predicted.
    target: f32,
}

/// A line of the data: position, score and result for White.
pub fn parse(line: &str) -> Option<(Position, i32, f32)> {
    let mut fields = line.split(';');
    let position = Position::from_fen(fields.next()?).ok()?;
    Some((position, fields.next()?.parse().ok()?, fields.next()?.trim().parse().ok()?))
}

/// All lines of files of positions.
pub fn read(files: &[PathBuf]) -> anyhow::Result<Vec<String>> {
    let mut lines = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        lines.extend(text.lines().map(str::to_owned));
    }
    Ok(lines)
}

fn sample(line: &str) -> Option<Sample> {
    let (position, score, result) = parse(line)?;
    let mut counts = Counts::default();
    let (total, _) = eval::trace(&position, &mut counts);
    let phase = eval::phase(&position) as f32 / FULL_PHASE as f32;
    let scale = eval::endgame_scale(&position, total);
    if position.side_to_move() == Color::White {
        counts.0.push((tempo() as u16, 1));
    } else {
        counts.0.push((tempo() as u16, -1));
    }
    counts.0.retain(|&(_, count)| count != 0);
    Some(Sample {
        counts: counts.0.into_boxed_slice(),
        middlegame: phase,
        endgame: (1.0 - phase) * scale,
        score: score as f32,
        result,
        target: 0.0,
    })
}

fn tempo() -> usize {
    SECTIONS.iter().find(|section| section.name == "TEMPO").map_or(0, |section| section.start)
}

type Weights = Vec<[f32; 2]>;

impl Sample {
    fn evaluate(&self, weights: &Weights) -> f32 {
        let mut sum = 0.0;
        for &(index, count) in &self.counts {
            let [middlegame, endgame] = weights[index as usize];
            // The tempo is the same in every phase.
            sum += f32::from(count)
                * if index as usize == tempo() {
                    middlegame
                } else {
                    middlegame * self.middlegame + endgame * self.endgame
                };
        }
        sum
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The scale at which a logistic curve of `value` predicts the results best.
fn fit_scale(samples: &[Sample], value: impl Fn(&Sample) -> f32 + Sync) -> f32 {
    let error = |scale: f32| -> f64 {
        samples
            .par_iter()
            .map(|sample| f64::from((sigmoid(value(sample) / scale) - sample.result).powi(2)))
            .sum()
    };
    let (mut low, mut high) = (40.0f32, 800.0f32);
    for _ in 0..24 {
        let (a, b) = (low + (high - low) * 0.382, low + (high - low) * 0.618);
        if error(a) < error(b) { high = b } else { low = a }
    }
    (low + high) / 2.0
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let lines = read(&args.data)?;
    let mut samples: Vec<Sample> = lines.par_iter().filter_map(|line| sample(line)).collect();
    if samples.is_empty() {
        bail!("no positions in the data");
    }
    let initial: Weights = WEIGHTS
        .iter()
        .map(|weight| [weight.middlegame() as f32, weight.endgame() as f32])
        .collect();
    let scale = fit_scale(&samples, |sample| sample.evaluate(&initial));
    let score_scale = fit_scale(&samples, |sample| sample.score);
    eprintln!(
        "{} positions; scale of the evaluation {scale:.1}, of the scores {score_scale:.1}",
        samples.len()
    );
    for sample in &mut samples {
        sample.target = args.result_share * sample.result
            + (1.0 - args.result_share) * sigmoid(sample.score / score_scale);
    }
    // One position of 16 is kept aside, to see that the fit carries over.
    let (mut train, mut held) = (Vec::new(), Vec::new());
    for (index, sample) in samples.into_iter().enumerate() {
        if index / 512 % 16 == 0 { held.push(sample) } else { train.push(sample) }
    }
    let weights = descend(args, &train, &held, initial, scale);
    let text = print(&weights);
    match &args.write {
        Some(path) => rewrite(path, &text),
        None => {
            print!("{text}");
            Ok(())
        }
    }
}

fn loss(samples: &[Sample], weights: &Weights, scale: f32) -> f64 {
    let sum: f64 = samples
        .par_iter()
        .map(|s| f64::from((sigmoid(s.evaluate(weights) / scale) - s.target).powi(2)))
        .sum();
    sum / samples.len().max(1) as f64
}

/// The gradient of the loss.
fn gradient(samples: &[Sample], weights: &Weights, scale: f32) -> Weights {
    let tempo = tempo();
    let zero = || vec![[0.0f32; 2]; weights.len()];
    let add = |mut sum: Weights, other: Weights| {
        for (a, b) in sum.iter_mut().zip(other) {
            a[0] += b[0];
            a[1] += b[1];
        }
        sum
    };
    let chunk = |chunk: &[Sample]| {
        let mut sum = zero();
        for sample in chunk {
            let chance = sigmoid(sample.evaluate(weights) / scale);
            let slope = 2.0 * (chance - sample.target) * chance * (1.0 - chance) / scale;
            for &(index, count) in &sample.counts {
                let entry = &mut sum[index as usize];
                if index as usize == tempo {
                    entry[0] += slope * f32::from(count);
                } else {
                    entry[0] += slope * f32::from(count) * sample.middlegame;
                    entry[1] += slope * f32::from(count) * sample.endgame;
                }
            }
        }
        sum
    };
    let mut sum = samples.par_chunks(16_384).map(chunk).reduce(zero, add);
    for entry in sum.iter_mut().flatten() {
        *entry /= samples.len() as f32;
    }
    sum
}

fn descend(
    args: &Args,
    train: &[Sample],
    held: &[Sample],
    initial: Weights,
    scale: f32,
) -> Weights {
    let mut weights = initial.clone();
    let mut mean = vec![[0.0f32; 2]; weights.len()];
    let mut square = vec![[0.0f32; 2]; weights.len()];
    for epoch in 0..=args.epochs {
        if epoch % 50 == 0 {
            let (a, b) = (loss(train, &weights, scale), loss(held, &weights, scale));
            eprintln!("epoch {epoch}: loss {a:.6}, on positions kept aside {b:.6}");
        }
        let gradient = gradient(train, &weights, scale);
        let rate = args.rate * (1.0 - 0.9 * epoch as f32 / args.epochs.max(1) as f32);
        let step = epoch as i32 + 1;
        for index in 0..weights.len() {
            for half in 0..2 {
                let pull = args.decay * (weights[index][half] - initial[index][half]);
                let slope = gradient[index][half] + pull;
                let (m, v) = (&mut mean[index][half], &mut square[index][half]);
                *m = 0.9 * *m + 0.1 * slope;
                *v = 0.999 * *v + 0.001 * slope * slope;
                let (m, v) = (*m / (1.0 - 0.9f32.powi(step)), *v / (1.0 - 0.999f32.powi(step)));
                weights[index][half] -= rate * m / (v.sqrt() + 1e-10);
            }
        }
    }
    weights
}

/// The weights in the form of the source file.
fn print(weights: &Weights) -> String {
    let mut text = String::new();
    let tempo = tempo();
    for section in SECTIONS {
        let _ = writeln!(text, "    \"{}\",\n    {} = [", section.about, section.name);
        let own = &weights[section.start..section.start + section.len];
        for row in own.chunks(8) {
            let pairs: Vec<String> = row
                .iter()
                .map(|&[middlegame, endgame]| {
                    let endgame = if section.start == tempo { middlegame } else { endgame };
                    format!("({}, {})", middlegame.round() as i32, endgame.round() as i32)
                })
                .collect();
            let _ = writeln!(text, "        {},", pairs.join(", "));
        }
        text.push_str("    ];\n");
    }
    text
}

/// Puts the weights in the place of those in the source file.
fn rewrite(path: &Path, text: &str) -> anyhow::Result<()> {
    let source =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let head = "\nweights! {\n";
    let start = source.find(head).context("the file has no `weights!`")? + head.len();
    let end = source[start..].find("\n}\n").context("`weights!` has no end")? + start + 1;
    let new = format!("{}{text}{}", &source[..start], &source[end..]);
    std::fs::write(path, new).with_context(|| format!("cannot write {}", path.display()))
}
