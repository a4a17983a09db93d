//! The command `themis perft`.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use engine::board::Position;
use engine::board::perft::{PerftTable, perft_parallel};

use crate::stdout::{Stdout, WriteError};
use crate::uci::info::needs_chess960;

/// The most threads that can be asked for.
const MAX_THREADS: u64 = 1024;
/// The deepest tree that is counted, in plies.
pub const MAX_DEPTH: u32 = 64;

/// Options of the command.
#[derive(clap::Args)]
pub struct Args {
    /// Plies to count
    #[arg(required_unless_present = "suite", value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// Position in FEN, X-FEN or Shredder-FEN; the standard array if left out
    #[arg(long, conflicts_with = "suite")]
    fen: Option<String>,
    /// Write castling as the king taking its rook, as is done anyway where a king or a rook that
    /// may castle stands away from its home
    #[arg(long)]
    chess960: bool,
    /// Print the count below each legal move
    #[arg(long, conflicts_with = "suite")]
    divide: bool,
    /// Check a file of lines `FEN ;D1 n ;D2 n`
    #[arg(long, value_name = "FILE.epd", conflicts_with = "depth")]
    suite: Option<PathBuf>,
    /// Skip the counts of a suite that are larger than this
    #[arg(long, value_name = "N", requires = "suite", conflicts_with = "depth")]
    max_nodes: Option<u64>,
    /// Threads that count
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: u64,
    /// Remember counts in a table of this size, shared by the threads; without it every move is
    /// played
    #[arg(long, value_name = "MiB", value_parser = clap::value_parser!(u64).range(1..))]
    hash: Option<u64>,
}

/// How to count.
struct Counter {
    threads: NonZeroUsize,
    table: Option<PerftTable>,
}

impl Counter {
    fn new(args: &Args) -> anyhow::Result<Self> {
        let table = match args.hash {
            None => None,
            Some(size) => Some(
                usize::try_from(size)
                    .ok()
                    .and_then(PerftTable::new)
                    .with_context(|| format!("no memory for a table of {size} MiB"))?,
            ),
        };
        let threads = NonZeroUsize::new(args.threads as usize).unwrap_or(NonZeroUsize::MIN);
        Ok(Self { threads, table })
    }

    fn count(&self, position: &Position, depth: u32) -> u64 {
        perft_parallel(position, depth, self.threads, self.table.as_ref())
    }
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let counter = Counter::new(&args)?;
    if let Some(path) = &args.suite {
        return run_suite(path, args.max_nodes.unwrap_or(u64::MAX), &counter);
    }
    let position = match &args.fen {
        Some(fen) => Position::from_fen(fen)?,
        None => Position::startpos(),
    };
    let depth = args.depth.unwrap_or(1);
    let mut output = Stdout::lock();
    let start = Instant::now();
    let nodes = if args.divide && depth > 0 {
        let chess960 = args.chess960 || needs_chess960(&position);
        divide(&position, depth, chess960, &counter, &mut output)?
    } else {
        counter.count(&position, depth)
    };
    print_speed(nodes, start.elapsed(), &mut output)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the count below each move; returns the sum.
fn divide(
    position: &Position,
    depth: u32,
    chess960: bool,
    counter: &Counter,
    output: &mut Stdout,
) -> Result<u64, WriteError> {
    let mut lines: Vec<(String, u64)> = position
        .legal_moves()
        .iter()
        .map(|&mv| (position.uci(mv, chess960), counter.count(&position.play(mv), depth - 1)))
        .collect();
    lines.sort();
    for (mv, nodes) in &lines {
        output.line(format_args!("{mv}: {nodes}"))?;
    }
    Ok(lines.iter().map(|(_, nodes)| nodes).sum())
}

fn print_speed(nodes: u64, elapsed: Duration, output: &mut Stdout) -> Result<(), WriteError> {
    let seconds = elapsed.as_secs_f64();
    let mnps = nodes as f64 / seconds.max(1e-9) / 1e6;
    output.line(format_args!("{nodes} nodes {seconds:.3} seconds {mnps:.1} Mnps"))
}

/// One line of a suite: a position and the counts it must have.
struct Line {
    fen: String,
    counts: Vec<(u32, u64)>,
}

/// Reads a line of a suite; none where it is blank or a comment.
fn parse_line(text: &str) -> anyhow::Result<Option<Line>> {
    let text = text.trim();
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let mut parts = text.split(';').map(str::trim);
    let fen = parts.next().unwrap_or("").to_owned();
    let mut counts = Vec::new();
    for part in parts {
        let count = part.strip_prefix('D').and_then(|rest| {
            let (depth, nodes) = rest.split_once(char::is_whitespace)?;
            let depth = depth.parse().ok().filter(|depth| *depth <= MAX_DEPTH)?;
            Some((depth, nodes.trim().parse().ok()?))
        });
        counts.push(count.with_context(|| {
            format!("expected `D<depth> <nodes>`, found `{}`", crate::excerpt(part))
        })?);
    }
    if counts.is_empty() {
        bail!("expected `FEN ;D1 <nodes> …`, found no count");
    }
    Ok(Some(Line { fen, counts }))
}

fn run_suite(path: &Path, max_nodes: u64, counter: &Counter) -> anyhow::Result<ExitCode> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut output = Stdout::lock();
    let (mut passed, mut failed) = (0, 0);
    let mut total = 0;
    let start = Instant::now();
    for (index, text) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let place = || format!("{}:{}", path.display(), index + 1);
        let Some(line) = parse_line(text).with_context(place)? else { continue };
        match check_line(&line, max_nodes, counter, &mut total) {
            Ok(()) => passed += 1,
            Err(error) => {
                failed += 1;
                let fen = crate::excerpt(&line.fen);
                output.line(format_args!("{}: {fen}: {error:#}", place()))?;
            }
        }
    }
    print_speed(total, start.elapsed(), &mut output)?;
    output.line(format_args!("{passed} passed, {failed} failed"))?;
    Ok(ExitCode::from(u8::from(failed > 0)))
}

fn check_line(
    line: &Line,
    max_nodes: u64,
    counter: &Counter,
    total: &mut u64,
) -> anyhow::Result<()> {
    let position = Position::from_fen(&line.fen)?;
    for &(depth, expected) in line.counts.iter().filter(|(_, nodes)| *nodes <= max_nodes) {
        let nodes = counter.count(&position, depth);
        *total += nodes;
        if nodes != expected {
            bail!("depth {depth}: expected {expected}, counted {nodes}");
        }
    }
    Ok(())
}
