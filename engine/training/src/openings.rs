//! Balanced openings: random moves, kept where a search finds the position even.

use std::collections::HashSet;

use engine::eval::network::Network;
use engine::search::{Control, Game, Limits, Options, Searcher};

use crate::last_score::LastScore;
use crate::random::{Random, opening};

#[derive(clap::Args)]
pub struct Args {
    /// How many to print
    #[arg(long, default_value_t = 500)]
    count: usize,
    /// Random moves from the start
    #[arg(long, default_value_t = 8)]
    plies: u32,
    /// Greatest score of the search, in shown centipawns
    #[arg(long, default_value_t = 40)]
    margin: i32,
    /// Depth of the search
    #[arg(long, default_value_t = 9)]
    depth: u32,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut random = Random::new(args.seed);
    let mut searcher = Searcher::new();
    let mut seen = HashSet::new();
    let limits = Limits { depth: Some(args.depth), ..Limits::default() };
    while seen.len() < args.count {
        let position = opening(&mut random, args.plies);
        let value = engine::eval::evaluate(Network::embedded(), &position);
        if position.in_check() || value.abs() > 3 * args.margin {
            continue;
        }
        let last = LastScore::default();
        let game = Game::new(position);
        searcher.search(&game, &limits, &Options::default(), &Control::new(), &last);
        let even = last.centipawns().is_some_and(|score| score.abs() <= args.margin);
        if even && seen.insert(position.key()) {
            println!("{}", position.fen(false));
        }
    }
    Ok(())
}
