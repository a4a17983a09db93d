//! Fits the model of win, draw and loss to scores and results.

use std::path::PathBuf;

use anyhow::ensure;
use engine::search::{material, shown_pawn};
use rayon::prelude::*;

use crate::games::{self, PAWN, shards};
use crate::pgn;
use crate::sample::for_each_quiet;

#[derive(clap::Args)]
pub struct Args {
    /// Files of games, PGN (`.pgn`) with scores in comments or viriformat, or folders of shards
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// Internal centipawns that one pawn in a PGN comment was; those of this build, unless given
    #[arg(long)]
    pawn: Option<f64>,
}

struct Sample {
    material: f64,
    score: f64,
    /// 1 for a win of the side to move, 0 for a loss.
    result: f64,
}

/// Middle and width, each at the least and at the greatest material: where the coordinates hardly
/// depend on each other, a search along them does not stop too soon.
type Model = [f64; 4];

/// The material at both ends, as the engine counts it.
const ENDS: [f64; 2] = [16.0, 78.0];

fn likelihood(sample: &Sample, model: &Model) -> f64 {
    let share = (sample.material - ENDS[0]) / (ENDS[1] - ENDS[0]);
    let middle = model[0] + (model[1] - model[0]) * share;
    let width = (model[2] + (model[3] - model[2]) * share).max(5.0);
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
        let is_pgn = path.extension().is_some_and(|extension| extension == "pgn");
        let pawn = if is_pgn { args.pawn.unwrap_or(shown_pawn()) } else { PAWN };
        let add = |game: games::Game| {
            for_each_quiet(&game, |position, score, points| {
                samples.push(Sample {
                    material: material(position),
                    score: f64::from(score) * pawn / 100.0,
                    result: f64::from(points),
                });
            });
        };
        if is_pgn { pgn::for_each(&path, add)? } else { games::for_each(&path, add)? }
    }
    ensure!(!samples.is_empty(), "no quiet positions in the games");
    let total =
        |model: &Model| -> f64 { samples.par_iter().map(|sample| likelihood(sample, model)).sum() };
    // Coordinate search: four numbers need no more.
    let mut model: Model = [100.0, 100.0, 60.0, 60.0];
    let mut best = total(&model);
    let mut step = 32.0;
    while step > 0.1 {
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
    for (name, [least, greatest]) in
        [("MIDDLE", [model[0], model[1]]), ("WIDTH", [model[2], model[3]])]
    {
        // The engine's form: the value at no material, and what full material adds.
        let slope = (greatest - least) / (ENDS[1] - ENDS[0]);
        let at_zero = least - slope * ENDS[0];
        println!("const {name}: [f64; 2] = [{at_zero:.1}, {:.1}];", slope * ENDS[1]);
    }
    Ok(())
}
