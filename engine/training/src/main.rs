//! Self-play games, the network trained on them, balanced openings and the model of chances.
//!
//! `generate` writes whole games, `train` trains the network on them, `retrain` does both from
//! nothing. `wdl` fits the model that turns scores into chances.

mod games;
mod generate;
mod last_score;
mod model;
mod openings;
mod pgn;
mod plot;
mod random;
mod retrain;
mod sample;
mod train;
mod wdl;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play games against itself and write them whole, in shards
    Generate(generate::Args),
    /// Train the network on games
    Train(train::Args),
    /// Make a network from nothing: games, training, games of the network, training...
    Retrain(retrain::Args),
    /// Print balanced openings, one FEN a line
    Openings(openings::Args),
    /// Fit the model of win, draw and loss to games
    Wdl(wdl::Args),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Generate(args) => generate::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Openings(args) => openings::run(&args),
        Command::Retrain(args) => retrain::run(&args),
        Command::Wdl(args) => wdl::run(&args),
    }
}
