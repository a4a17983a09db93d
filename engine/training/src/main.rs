//! Self-play games, balanced openings and the tuner of the evaluation.
//!
//! `generate` writes whole games, `train` trains the network on them. `selfplay` writes positions with the score of a search and the result of their game, `tune`
//! fits the evaluation's weights to them, `wdl` fits the model that turns scores into chances.

mod games;
mod generate;
mod model;
mod openings;
mod plot;
mod random;
mod sample;
mod selfplay;
mod train;
mod tune;
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
    /// Print balanced openings, one FEN a line
    Openings(openings::Args),
    /// Play games against itself and append their quiet positions to a file
    Selfplay(selfplay::Args),
    /// Fit the weights of the evaluation to a file of positions
    Tune(tune::Args),
    /// Fit the model of win, draw and loss to a file of positions
    Wdl(wdl::Args),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Generate(args) => generate::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Openings(args) => openings::run(&args),
        Command::Selfplay(args) => selfplay::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Wdl(args) => wdl::run(&args),
    }
}
