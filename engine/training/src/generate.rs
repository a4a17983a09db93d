//! Self-play for the network: whole games in shards.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use anyhow::Context;
use arbiter_plugin::winnable::is_dead;
use engine::board::{Color, Position};
use engine::search::{Control, Limits, Options, Searcher, shown_pawn};

use crate::games::{EXTENSION, Game, Outcome, PAWN, is_storable};
use crate::last_score::LastScore;
use crate::random::{Random, chess960, random_moves};

#[derive(clap::Args)]
pub struct Args {
    /// Folder of the shards; what is there is kept, and the numbering goes on
    #[arg(long)]
    pub out: PathBuf,
    /// Shards to have in the end
    #[arg(long, default_value_t = 1000)]
    pub shards: u64,
    /// Games in a shard
    #[arg(long, default_value_t = 500)]
    pub games: u64,
    /// Nodes after which a search begins no other iteration; eight times as many end it
    #[arg(long, default_value_t = 1500)]
    pub nodes: u64,
    /// Games at a time
    #[arg(long, default_value_t = 2)]
    pub threads: usize,
    /// Of a hundred games, those that start from a random Chess960 array
    #[arg(long, default_value_t = 10)]
    pub chess960: usize,
    /// Network file that plays in place of the engine's own
    #[arg(long)]
    pub network: Option<PathBuf>,
    /// Seed; shards of the same seed and number are the same games
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Random moves from the start: at least so many, and up to so many more.
const RANDOM_PLIES: u32 = 8;
const MORE_RANDOM_PLIES: usize = 5;
/// Greatest score of an opening worth playing, in shown centipawns.
const OPENING_MARGIN: i32 = 300;
/// A game is won after this score, in shown centipawns,
const WON: i32 = 1500;
/// that many plies in a row,
const WON_PLIES: u32 = 5;
/// and drawn after scores of at most this,
const EVEN: i32 = 8;
/// that many plies in a row,
const DRAWN_PLIES: u32 = 12;
/// from this ply on.
const DRAWN_FROM: usize = 70;
/// The longest game; it is drawn.
const MAX_PLIES: usize = 400;
/// Scores beyond are written as this.
const MAX_SCORE: i32 = 30_000;

/// What all workers count.
struct Progress {
    next: AtomicU64,
    positions: AtomicU64,
    failed: AtomicBool,
    started: Instant,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    fs::create_dir_all(&args.out).with_context(|| format!("{}", args.out.display()))?;
    let network = match &args.network {
        Some(path) => Some(fs::read(path).with_context(|| format!("{}", path.display()))?),
        None => None,
    };
    let progress = Progress {
        next: AtomicU64::new(0),
        positions: AtomicU64::new(0),
        failed: AtomicBool::new(false),
        started: Instant::now(),
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..args.threads.max(1))
            .map(|_| scope.spawn(|| worker(args, network.as_deref(), &progress)))
            .collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(_) => anyhow::bail!("a worker has panicked"),
        })
    })
}

/// Writes shards until there are enough.
fn worker(args: &Args, network: Option<&[u8]>, progress: &Progress) -> anyhow::Result<()> {
    let mut searcher = Searcher::new();
    searcher.set_hash(4)?;
    if let Some(bytes) = network {
        searcher.set_network(Some(engine::eval::network::Network::from_bytes(bytes)?));
    }
    while !progress.failed.load(Ordering::Relaxed) {
        let number = progress.next.fetch_add(1, Ordering::Relaxed);
        if number >= args.shards {
            break;
        }
        let path = args.out.join(format!("{}-{number:06}.{EXTENSION}", args.seed));
        if path.exists() {
            continue;
        }
        let written = shard(args, number, &path, &mut searcher);
        if written.is_err() {
            progress.failed.store(true, Ordering::Relaxed);
        }
        let written = written.with_context(|| format!("cannot write {}", path.display()))?;
        let total = progress.positions.fetch_add(written, Ordering::Relaxed) + written;
        let hours = progress.started.elapsed().as_secs_f64() / 3600.0;
        eprintln!(
            "shard {} of {}: {total} positions, {:.2} million an hour",
            number + 1,
            args.shards,
            total as f64 / hours / 1e6
        );
    }
    Ok(())
}

/// Writes one shard under another name, and renames it when it is whole.
fn shard(args: &Args, number: u64, path: &Path, searcher: &mut Searcher) -> anyhow::Result<u64> {
    let unfinished = path.with_extension("part");
    let mut out = BufWriter::new(File::create(&unfinished)?);
    let mut random = Random::new(args.seed.wrapping_mul(1_000_003).wrapping_add(number));
    let mut positions = 0;
    for _ in 0..args.games {
        let game = play(args, &mut random, searcher);
        positions += game.moves.len() as u64;
        game.write(&mut out)?;
    }
    out.flush()?;
    out.get_ref().sync_all()?;
    fs::rename(&unfinished, path)?;
    Ok(positions)
}

/// Plays one game.
fn play(args: &Args, random: &mut Random, searcher: &mut Searcher) -> Game {
    let limits = Limits {
        soft_nodes: Some(args.nodes),
        nodes: Some(args.nodes.saturating_mul(8)),
        ..Limits::default()
    };
    loop {
        let array = match random.below(100) < args.chess960 {
            true => chess960(random.below(960)),
            false => Position::startpos(),
        };
        let plies = RANDOM_PLIES + random.below(MORE_RANDOM_PLIES) as u32;
        let Some(start) = random_moves(random, array, plies).filter(is_storable) else {
            continue;
        };
        let mut game = engine::search::Game::new(start);
        searcher.clear();
        let mut moves = Vec::new();
        let (mut won, mut even) = (0, 0);
        let outcome = loop {
            if let Some(outcome) = finished(&game) {
                break outcome;
            }
            let side = game.position().side_to_move();
            let last = LastScore::default();
            let best =
                searcher.search(&game, &limits, &Options::default(), &Control::new(), &last).best;
            // A position with moves has a best one with a score.
            let (Some(best), Some(score)) = (best, last.centipawns()) else { break Outcome::Drawn };
            if moves.is_empty() && score.abs() > OPENING_MARGIN {
                break Outcome::Drawn;
            }
            let for_white = if side == Color::White { score } else { -score };
            let stored = (f64::from(for_white) * shown_pawn() / PAWN).round() as i32;
            moves.push((best, stored.clamp(-MAX_SCORE, MAX_SCORE) as i16));
            won = if score.abs() >= WON { won + 1 } else { 0 };
            even = if moves.len() > DRAWN_FROM && score.abs() <= EVEN { even + 1 } else { 0 };
            if won >= WON_PLIES {
                break Outcome::win(if score > 0 { side } else { !side });
            }
            if even >= DRAWN_PLIES || moves.len() >= MAX_PLIES {
                break Outcome::Drawn;
            }
            game.play(best);
        };
        if !moves.is_empty() {
            return Game { start, moves, outcome };
        }
    }
}

/// The outcome where the game is over: mate, stalemate, a dead position, and the repetitions and
/// fifty moves that a player would claim.
fn finished(game: &engine::search::Game) -> Option<Outcome> {
    let position = game.position();
    if !position.has_legal_move() {
        return Some(match position.in_check() {
            true => Outcome::win(!position.side_to_move()),
            false => Outcome::Drawn,
        });
    }
    let earlier = game.previous_keys().iter().filter(|&&key| key == position.key()).count();
    let few = position.occupied().count() <= 8;
    (earlier >= 2 || position.halfmove_clock() >= 100 || few && is_dead(position))
        .then_some(Outcome::Drawn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{for_each, shards};

    #[test]
    fn a_shard_is_whole_repeatable_and_not_written_twice() {
        let folder = std::env::temp_dir().join(format!("themis-shards-{}", std::process::id()));
        let args = |name: &str| Args {
            out: folder.join(name),
            shards: 2,
            games: 3,
            nodes: 60,
            threads: 2,
            chess960: 50,
            network: None,
            seed: 9,
        };
        run(&args("a")).unwrap();
        run(&args("b")).unwrap();
        let bytes = |name: &str| {
            let files = shards(&[folder.join(name)]).unwrap();
            assert_eq!(files.len(), 2);
            files.iter().map(|file| fs::read(file).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(bytes("a"), bytes("b"));
        let first = shards(&[folder.join("a")]).unwrap()[0].clone();
        let mut games = 0;
        for_each(&first, |game| {
            games += 1;
            assert!(!game.moves.is_empty());
        })
        .unwrap();
        assert_eq!(games, 3);
        // What is there stays, what is missing comes again.
        let kept = fs::metadata(&first).unwrap().modified().unwrap();
        let other = shards(&[folder.join("a")]).unwrap()[1].clone();
        fs::remove_file(other).unwrap();
        run(&args("a")).unwrap();
        assert_eq!(bytes("a"), bytes("b"));
        assert_eq!(fs::metadata(&first).unwrap().modified().unwrap(), kept);
        fs::remove_dir_all(folder).unwrap();
    }
}
