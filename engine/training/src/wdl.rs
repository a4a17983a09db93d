//! Fits the model of win, draw and loss to scores and results.

use std::path::PathBuf;

use anyhow::ensure;
use engine::board::{PieceType, Position};
use rayon::prelude::*;

use crate::games::{for_each, shards};
use crate::sample::for_each_quiet;

#[derive(clap::Args)]
pub struct Args {
    /// Files of games, or folders of shards
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// Shown centipawns to internal ones: what 100 shown centipawns were when the data were made
    #[arg(long, default_value_t = 132.7)]
    shown: f64,
}

/// Material of both sides in pawns, as in the engine's model.
fn material(position: &Position) -> f64 {
    let count = |kind| position.kind(kind).count();
    let sum = count(PieceType::Pawn)
        + 3 * (count(PieceType::Knight) + count(PieceType::Bishop))
        + 5 * count(PieceType::Rook)
        + 9 * count(PieceType::Queen);
    f64::from(sum.clamp(16, 78))
}

struct Sample {
    material: f64,
    score: f64,
    /// 1 for a win of the side to move, 0 for a loss.
    result: f64,
}

/// Middle and width at no and at full material.
type Model = [f64; 4];

fn likelihood(sample: &Sample, model: &Model) -> f64 {
    let share = sample.material / 78.0;
    let middle = model[0] + model[1] * share;
    let width = (model[2] + model[3] * share).max(5.0);
    let chance = |score: f64| 1.0 / (1.0 + ((middle - score) / width).exp());
    let (win, loss) = (chance(sample.score), chance(-sample.score));
    let p = match sample.result {
        r if r > 0.75 => win,
        r if r < 0.25 => loss,
        _ => 1.0 - win - loss,
    };
    p.max(1e-6).ln()
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut samples = Vec::new();
    for path in shards(&args.data)? {
        for_each(&path, |game| {
            for_each_quiet(&game, |position, score, points| {
                samples.push(Sample {
                    material: material(position),
                    score: f64::from(score) * args.shown / 100.0,
                    result: f64::from(points),
                });
            });
        })?;
    }
    ensure!(!samples.is_empty(), "no quiet positions in the games");
    let total =
        |model: &Model| -> f64 { samples.par_iter().map(|sample| likelihood(sample, model)).sum() };
    // Coordinate search: four numbers need no more.
    let mut model: Model = [100.0, 0.0, 60.0, 0.0];
    let mut best = total(&model);
    let mut step = 32.0;
    while step > 0.5 {
        let mut moved = false;
        for index in 0..4 {
            for sign in [-1.0, 1.0] {
                let mut other = model;
                other[index] += sign * step;
                let value = total(&other);
                if value > best {
                    (model, best, moved) = (other, value, true);
                }
            }
        }
        if !moved {
            step /= 2.0;
        }
    }
    println!("{} positions, mean log likelihood {:.5}", samples.len(), best / samples.len() as f64);
    println!("const MIDDLE: [f64; 2] = [{:.1}, {:.1}];", model[0], model[1]);
    println!("const WIDTH: [f64; 2] = [{:.1}, {:.1}];", model[2], model[3]);
    Ok(())
}
