//! Training of the network.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, ensure};
use engine::eval::network::Network;

use crate::games::{for_each, shards};
use crate::model::{Model, PARAMETERS, Targets};
use crate::plot;
use crate::random::Random;
use crate::sample::{Sample, for_each_quiet};

/// Positions to a step, where nothing else is asked for.
pub const BATCH: usize = 2048;
/// Times to go through the data.
pub const EPOCHS: usize = 12;
/// The first learning rate.
pub const RATE: f32 = 1e-3;
/// The share of the outcome in the target: none, as long as the games are few.
pub const BY_OUTCOME: f32 = 0.0;
/// The score of a game that is one in the logistic curve of scores.
pub const SCALE: f32 = 301.0;

#[derive(clap::Args)]
pub struct Args {
    /// Files of games, or folders of shards
    #[arg(required = true)]
    pub data: Vec<PathBuf>,
    /// Network file to write after each epoch; beside it the weights (`.weights`, to go on from),
    /// the losses (`.csv`) and their curve (`.svg`)
    #[arg(long)]
    pub out: PathBuf,
    /// Times to go through the data
    #[arg(long, default_value_t = EPOCHS)]
    pub epochs: usize,
    /// Positions to a step
    #[arg(long, default_value_t = BATCH)]
    pub batch: usize,
    /// The first learning rate; it falls along half a cosine to a hundredth
    #[arg(long, default_value_t = RATE)]
    pub rate: f32,
    /// The share of the game's outcome in what is to be learnt, the rest is the search's score
    #[arg(long, default_value_t = BY_OUTCOME)]
    pub by_outcome: f32,
    /// Shown centipawns that are one in the logistic curve of scores. 301 makes the network's
    /// units internal centipawns of the search
    #[arg(long, default_value_t = SCALE)]
    pub scale: f32,
    /// Weights or a network file to start from
    #[arg(long)]
    pub from: Option<PathBuf>,
    /// Processors to use
    #[arg(long, default_value_t = 2)]
    pub threads: usize,
    /// Seed of the first weights and of the order of the data
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Of so many games one is kept aside.
const ASIDE: usize = 40;
/// Batches over which the learning rate rises at the start.
const WARM_UP: usize = 200;

pub fn run(args: &Args) -> anyhow::Result<()> {
    ensure!(args.batch > 0 && args.epochs > 0, "--batch and --epochs must be above 0");
    rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?.install(|| train(args))
}

fn train(args: &Args) -> anyhow::Result<()> {
    let (mut data, aside) = load(args)?;
    let targets = Targets { by_outcome: args.by_outcome, scale: args.scale };
    let mut model = match &args.from {
        Some(path) => Model::from_parameters(read_weights(path)?, args.threads),
        None => Model::new(args.seed, args.threads),
    };
    let mut random = Random::new(args.seed ^ 0x5851_F42D_4C95_7F2D);
    let steps = args.epochs * data.len().div_ceil(args.batch);
    println!("before: aside {:.6}", model.loss(&aside, targets));
    let mut step = 0;
    let mut losses = Vec::new();
    for epoch in 1..=args.epochs {
        let started = Instant::now();
        shuffle(&mut data, &mut random);
        let mut sum = 0.0;
        let mut rate = 0.0;
        for batch in data.chunks(args.batch) {
            rate = args.rate * schedule(step, steps);
            sum += model.learn(batch, targets, rate) * batch.len() as f64;
            step += 1;
        }
        let seconds = started.elapsed().as_secs_f64();
        let trained = sum / data.len() as f64;
        let kept = model.loss(&aside, targets);
        losses.push([trained, kept]);
        println!(
            "epoch {epoch} of {}: loss {trained:.6}, aside {kept:.6}, rate {rate:.2e}, \
             {:.2} million positions a second",
            args.epochs,
            data.len() as f64 / seconds / 1e6
        );
        write(args, &model, &losses)?;
    }
    Ok(())
}

/// The positions to learn from, and those kept aside, of games of their own.
fn load(args: &Args) -> anyhow::Result<(Vec<Sample>, Vec<Sample>)> {
    let (mut data, mut aside) = (Vec::new(), Vec::new());
    let (mut games, mut positions) = (0usize, 0);
    for path in shards(&args.data)? {
        for_each(&path, |game| {
            let to = if games.is_multiple_of(ASIDE) { &mut aside } else { &mut data };
            for_each_quiet(&game, |position, score, points| {
                to.push(Sample::new(position, score, points));
            });
            games += 1;
            positions += game.moves.len();
        })?;
    }
    println!(
        "{games} games, {positions} positions, {} to learn from, {} kept aside",
        data.len(),
        aside.len()
    );
    ensure!(!data.is_empty() && !aside.is_empty(), "too few positions");
    Ok((data, aside))
}

/// The share of the first learning rate.
fn schedule(step: usize, steps: usize) -> f32 {
    let warm = ((step + 1) as f32 / WARM_UP.min(steps.div_ceil(10)) as f32).min(1.0);
    let done = step as f32 / steps as f32;
    let fallen = 0.01 + 0.99 * (1.0 + (std::f32::consts::PI * done).cos()) / 2.0;
    warm * fallen
}

/// Fisher and Yates.
fn shuffle(data: &mut [Sample], random: &mut Random) {
    for i in (1..data.len()).rev() {
        data.swap(i, random.below(i + 1));
    }
}

/// Writes the network, the weights and the losses, each under another name first.
fn write(args: &Args, model: &Model, losses: &[[f64; 2]]) -> anyhow::Result<()> {
    let network = model.network().context("the network cannot be written in integers")?;
    let weights: Vec<u8> = model.parameters.iter().flat_map(|w| w.to_le_bytes()).collect();
    let table: String = losses
        .iter()
        .enumerate()
        .map(|(epoch, [trained, kept])| format!("{},{trained:.6},{kept:.6}\n", epoch + 1))
        .collect();
    let names = ["training", "kept aside"];
    for (path, bytes) in [
        (args.out.clone(), network.to_bytes()),
        (args.out.with_extension("weights"), weights),
        (args.out.with_extension("csv"), format!("epoch,training,aside\n{table}").into_bytes()),
        (args.out.with_extension("svg"), plot::curves("loss", &names, losses).into_bytes()),
    ] {
        let unfinished = path.with_added_extension("part");
        fs::write(&unfinished, bytes)
            .and_then(|()| fs::rename(&unfinished, &path))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn read_weights(path: &std::path::Path) -> anyhow::Result<Vec<f32>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    if let Ok(network) = Network::from_bytes(&bytes) {
        return Ok(network.to_weights());
    }
    let (words, rest) = bytes.as_chunks::<4>();
    let fits = words.len() == PARAMETERS && rest.is_empty();
    ensure!(fits, "{}: {} bytes are no network and no weights of one", path.display(), bytes.len());
    Ok(words.iter().map(|&word| f32::from_le_bytes(word)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_and_falls() {
        assert!(schedule(0, 10_000) < 0.01);
        assert!(schedule(250, 10_000) > 0.95);
        assert!((schedule(5000, 10_000) - 0.505).abs() < 0.01);
        assert!(schedule(9999, 10_000) < 0.011);
    }
}
