//! Self-play games, balanced openings and the tuner of the evaluation.
//!
//! `selfplay` writes positions with the score of a search and the result of their game, `tune`
//! fits the evaluation's weights to them, `wdl` fits the model that turns scores into chances.

mod openings;
mod random;
mod selfplay;
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
        Command::Openings(args) => openings::run(&args),
        Command::Selfplay(args) => selfplay::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Wdl(args) => wdl::run(&args),
    }
}
