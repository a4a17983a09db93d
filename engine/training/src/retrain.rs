//! From nothing to a network: generations of games, each played by the network before it.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use engine::board::{Color, PieceType, Square};
use engine::eval::network::{BUCKETS, HIDDEN, INPUTS, Network, QA, QB, SCALE, input};

use crate::{generate, train};

#[derive(clap::Args)]
pub struct Args {
    /// Folder of the games and networks; finished shards and networks in it are kept, whatever the
    /// other options were when they were made
    #[arg(long)]
    out: PathBuf,
    /// Generations of games
    #[arg(long, default_value_t = 3)]
    generations: u64,
    /// Games of the first generation; the n-th has n times as many, in shards of 250
    #[arg(long, default_value_t = 6000)]
    games: u64,
    /// Nodes after which a search of a game begins no other iteration
    #[arg(long, default_value_t = 400)]
    nodes: u64,
    /// Times that the training goes through the games
    #[arg(long, default_value_t = train::EPOCHS)]
    epochs: usize,
    /// Processors to use
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Games in a shard.
const SHARD: u64 = 250;

pub fn run(args: &Args) -> anyhow::Result<()> {
    ensure!(
        args.generations > 0 && args.games > 0 && args.epochs > 0,
        "--generations, --games and --epochs must be above 0"
    );
    fs::create_dir_all(&args.out).with_context(|| format!("{}", args.out.display()))?;
    let mut network = args.out.join("material.bin");
    fs::write(&network, material().to_bytes())
        .with_context(|| format!("cannot write {}", network.display()))?;
    // Games of a generation that knew less are left out once there are better ones.
    let mut data: Vec<PathBuf> = Vec::new();
    for generation in 1..=args.generations {
        let games = args.out.join(format!("games-{generation}"));
        let trained = args.out.join(format!("network-{generation}.bin"));
        data.push(games.clone());
        if data.len() > 2 {
            data.remove(0);
        }
        if trained.exists() {
            network = trained;
            continue;
        }
        println!("generation {generation} of {}: games", args.generations);
        generate::run(&generate::Args {
            out: games,
            shards: (generation * args.games).div_ceil(SHARD),
            games: SHARD,
            nodes: args.nodes,
            threads: args.threads,
            chess960: 10,
            network: Some(network),
            seed: args.seed.wrapping_mul(1000).wrapping_add(generation),
        })?;
        println!("generation {generation} of {}: training", args.generations);
        let unfinished = args.out.join(format!("training-{generation}.bin"));
        train::run(&train::Args {
            data: data.clone(),
            out: unfinished.clone(),
            epochs: args.epochs,
            batch: train::BATCH,
            rate: train::RATE,
            by_outcome: train::BY_OUTCOME,
            scale: train::SCALE,
            from: None,
            threads: args.threads,
            seed: args.seed,
        })?;
        fs::rename(&unfinished, &trained)
            .with_context(|| format!("cannot write {}", trained.display()))?;
        network = trained;
    }
    println!("the network: setoption name EvalFile value {}", network.display());
    Ok(())
}

/// The network that plays the first games: it counts the men of both sides.
///
/// The same sum of values, the own men's less the enemy's, stands in some of the hidden sums, with
/// one half added. The difference of the squares of (½ + d) and (½ − d), which the two views give,
/// is 2d: the network's output is linear in the material.
fn material() -> Network {
    /// Hidden sums in use: as many as an output weight below two needs for [`PAWN`].
    const USED: usize = 8;
    /// Internal centipawns of a pawn.
    const PAWN: f32 = 133.0;
    /// Units of 1/[`QA`] in a sum for a pawn. A side that is 31 pawns ahead reaches the end of the
    /// range.
    const UNITS: f32 = 4.0;
    const VALUES: [f32; 6] = [1.0, 3.25, 3.25, 5.0, 9.5, 0.0];
    let one = UNITS / QA as f32;
    let mut input_weights = vec![0.0; INPUTS * HIDDEN];
    for color in Color::ALL {
        for kind in PieceType::ALL {
            let value = one * VALUES[kind.index()] * if color == Color::White { 1.0 } else { -1.0 };
            for square in Square::all() {
                let at = input(Color::White, false, color, kind, square) * HIDDEN;
                input_weights[at..at + USED].fill(value);
            }
        }
    }
    let mut input_bias = [0.0; HIDDEN];
    input_bias[..USED].fill(0.5);
    let weight = PAWN / (SCALE as f32 * USED as f32 * 2.0 * one);
    debug_assert!(weight * (QB as f32) < 127.0);
    let mut output_weights = vec![0.0; BUCKETS * 2 * HIDDEN];
    for half in output_weights.chunks_exact_mut(2 * HIDDEN) {
        half[..USED].fill(weight);
        half[HIDDEN..HIDDEN + USED].fill(-weight);
    }
    Network::from_weights(&input_weights, &input_bias, &output_weights, &[0.0; BUCKETS])
        .unwrap_or_else(|error| panic!("small weights: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::board::Position;

    #[test]
    fn the_first_network_counts() {
        let network = material();
        for (fen, pawns) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0.0),
            ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 9.5),
            ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", -9.5),
            ("4k3/8/8/8/8/5n2/4PP2/R3K3 w - - 0 1", 3.75),
            ("4k3/8/8/8/8/8/8/QRR1K3 w - - 0 1", 19.5),
        ] {
            let value = network.evaluate(&Position::from_fen(fen).unwrap()) as f32;
            assert!((value - 133.0 * pawns).abs() < 25.0, "{fen}: {value}");
        }
    }
}
