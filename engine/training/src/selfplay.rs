//! Games of the engine against itself.

use std::fs::OpenOptions;
use std::io::{BufWriter, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context;
use engine::board::{Color, Move, PieceType, Position};
use engine::search::{Control, Game, Info, Limits, Options, Reporter, Score, Searcher};

use crate::random::{Random, opening};

#[derive(clap::Args)]
pub struct Args {
    /// File to append to: lines `FEN;score;result`, both for White
    #[arg(long)]
    out: std::path::PathBuf,
    /// Games to play
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Nodes for each move
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// Random moves from the start
    #[arg(long, default_value_t = 8)]
    plies: u32,
    /// Games at a time
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Greatest score of an opening worth playing, in shown centipawns.
const OPENING_MARGIN: i32 = 250;
/// A game is won after this score,
const WON: i32 = 1200;
/// that many plies in a row.
const WON_PLIES: u32 = 6;
/// A game is drawn after this many plies of scores near zero, late in the game.
const DRAWN_PLIES: u32 = 16;
/// The longest game.
const MAX_PLIES: u32 = 400;

/// A reporter that keeps the last score.
#[derive(Default)]
pub struct LastScore(Mutex<Option<Score>>);

impl LastScore {
    /// The score in shown centipawns; a mate counts as a decisive score.
    pub fn centipawns(&self) -> Option<i32> {
        let last = *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        last.map(|score| match score {
            Score::Cp(cp) => cp,
            Score::Mate(moves) if moves > 0 => 30_000,
            Score::Mate(_) => -30_000,
        })
    }
}

impl Reporter for LastScore {
    fn info(&self, info: &Info) {
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(info.score);
    }
}

struct Sample {
    fen: String,
    score: i32,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&args.out)
        .with_context(|| format!("cannot write {}", args.out.display()))?;
    let out = Mutex::new(BufWriter::new(file));
    let started = AtomicU64::new(0);
    let written = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..args.threads.max(1))
            .map(|id| {
                let (out, started, written) = (&out, &started, &written);
                scope.spawn(move || worker(args, id as u64, out, started, written))
            })
            .collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(_) => anyhow::bail!("a worker has panicked"),
        })
    })?;
    eprintln!("{} positions", written.load(Ordering::Relaxed));
    Ok(())
}

fn worker(
    args: &Args,
    id: u64,
    out: &Mutex<BufWriter<std::fs::File>>,
    started: &AtomicU64,
    written: &AtomicU64,
) -> anyhow::Result<()> {
    let mut random = Random::new(args.seed.wrapping_mul(1_000_003).wrapping_add(id));
    let mut searcher = Searcher::new();
    searcher.set_hash(4)?;
    while started.fetch_add(1, Ordering::Relaxed) < args.games {
        let (samples, result) = play(args, &mut random, &mut searcher);
        let mut out = out.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for sample in &samples {
            writeln!(out, "{};{};{result}", sample.fen, sample.score)?;
        }
        let total = written.fetch_add(samples.len() as u64, Ordering::Relaxed);
        if total / 10_000 != (total + samples.len() as u64) / 10_000 {
            out.flush()?;
            eprintln!("{} games, {total} positions", started.load(Ordering::Relaxed));
        }
    }
    Ok(())
}

/// Plays one game; the result is 1, 0.5 or 0 for White.
fn play(args: &Args, random: &mut Random, searcher: &mut Searcher) -> (Vec<Sample>, f32) {
    let limits = Limits { nodes: Some(args.nodes), ..Limits::default() };
    loop {
        // One ply more or less, so that both sides get to move first.
        let plies = args.plies + random.below(2) as u32;
        let mut game = Game::new(opening(random, plies));
        searcher.clear();
        let mut samples = Vec::new();
        let (mut won, mut drawn) = (0, 0);
        for ply in 0..MAX_PLIES {
            let position = *game.position();
            if let Some(result) = finished(&game) {
                return (samples, result);
            }
            let last = LastScore::default();
            let outcome =
                searcher.search(&game, &limits, &Options::default(), &Control::new(), &last);
            let (Some(best), Some(score)) = (outcome.best, last.centipawns()) else { break };
            if ply == 0 && score.abs() > OPENING_MARGIN {
                break;
            }
            let white = if position.side_to_move() == Color::White { score } else { -score };
            won = if score.abs() >= WON { won + 1 } else { 0 };
            drawn = if ply > 80 && score.abs() <= 8 { drawn + 1 } else { 0 };
            if won >= WON_PLIES {
                return (samples, if white > 0 { 1.0 } else { 0.0 });
            }
            if drawn >= DRAWN_PLIES || ply + 1 == MAX_PLIES {
                return (samples, 0.5);
            }
            if !position.in_check() && is_quiet(&position, best) && score.abs() < WON {
                samples.push(Sample { fen: position.fen(false), score: white });
            }
            game.play(best);
        }
    }
}

fn is_quiet(position: &Position, mv: Move) -> bool {
    !position.is_capture(mv) && mv.promotion_type() != Some(PieceType::Queen)
}

/// The result for White, where the game is over.
fn finished(game: &Game) -> Option<f32> {
    let position = game.position();
    if !position.has_legal_move() {
        return Some(match (position.in_check(), position.side_to_move()) {
            (false, _) => 0.5,
            (true, Color::White) => 0.0,
            (true, Color::Black) => 1.0,
        });
    }
    let earlier = game.previous_keys().iter().filter(|&&key| key == position.key()).count();
    let bare = position.occupied().count() <= 2;
    (earlier >= 2 || position.halfmove_clock() >= 100 || bare).then_some(0.5)
}
