//! The command `themis winnable`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, IsTerminal, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use arbiter_plugin::winnable::{Limits, Verdict, shorten, winnable};
use engine::board::{Color, Position};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use crate::stdout::{Stdout, WriteError};
use crate::uci::info::needs_chess960;

/// Options of the command.
#[derive(clap::Args)]
pub struct Args {
    /// The position
    #[arg(required_unless_present = "batch", conflicts_with = "batch", num_args = 1..)]
    fen: Vec<String>,
    /// Print the mating lines in UCI notation
    #[arg(long)]
    line: bool,
    /// Read one query a line, `FEN` or `FEN<TAB>w|b`, from a file or from standard input (`-`)
    #[arg(long, value_name = "FILE|-")]
    batch: Option<PathBuf>,
    /// Threads for a batch
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,
    /// Positions that may be expanded for one side
    #[arg(long, default_value_t = Limits::default().nodes)]
    nodes: u64,
    /// Mebibytes that the search for one side may hold
    #[arg(long, default_value_t = Limits::default().bytes >> 20)]
    megabytes: usize,
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let limits = Limits { nodes: args.nodes, bytes: args.megabytes.saturating_mul(1 << 20) };
    match &args.batch {
        Some(path) => batch(path, args.threads.get(), args.line, limits),
        None => single(&args.fen.join(" "), args.line, limits),
    }
}

fn single(fen: &str, with_line: bool, limits: Limits) -> anyhow::Result<ExitCode> {
    let position = Position::from_fen(fen).with_context(|| quoted(fen))?;
    let mut output = Stdout::lock();
    for winner in Color::ALL {
        let verdict = match winnable(&position, winner, limits) {
            Verdict::Winnable(line) => Verdict::Winnable(shorten(&position, winner, line)),
            verdict => verdict,
        };
        let name = if winner == Color::White { "white" } else { "black" };
        let text = match &verdict {
            Verdict::Winnable(line) => format!("winnable ({} plies)", line.len()),
            Verdict::Unwinnable(proof) => format!("unwinnable ({proof})"),
            Verdict::Undecided => "undecided".to_owned(),
        };
        output.line(format_args!("{name}: {text}"))?;
        if with_line && let Verdict::Winnable(line) = &verdict {
            output.line(uci_line(&position, line))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The moves in UCI notation, castling as the position's own form of the game writes it.
fn uci_line(position: &Position, line: &[engine::board::Move]) -> String {
    let chess960 = needs_chess960(position);
    let mut at = *position;
    let mut text = String::new();
    for &mv in line {
        if !text.is_empty() {
            text.push(' ');
        }
        text += &at.uci(mv, chess960);
        at = at.play(mv);
    }
    text
}

/// Counts of a batch.
#[derive(Default)]
struct Totals {
    winnable: u64,
    unwinnable: u64,
    undecided: u64,
    bad_lines: u64,
    spent: Duration,
}

fn batch(path: &Path, threads: usize, with_line: bool, limits: Limits) -> anyhow::Result<ExitCode> {
    let name =
        if path == Path::new("-") { "standard input".into() } else { path.display().to_string() };
    let (input, bytes): (Box<dyn Read>, Option<u64>) = if path == Path::new("-") {
        (Box::new(io::stdin().lock()), None)
    } else {
        let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
        let bytes = file.metadata().ok().map(|metadata| metadata.len());
        (Box::new(file), bytes)
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    // One thread answers line by line; more share out what fits in memory, in order.
    let chunk_lines = if threads == 1 { 1 } else { threads * 64 };
    let bar = progress_bar(bytes);
    let mut output = BufWriter::new(io::stdout().lock());
    let mut totals = Totals::default();
    let mut lines = Lines::new(input);
    loop {
        let chunk = lines.next_chunk(chunk_lines).with_context(|| format!("cannot read {name}"))?;
        if chunk.is_empty() {
            break;
        }
        let answer =
            |(number, text): &(u64, Vec<u8>)| (*number, answer(text, *number == 1, limits));
        let answers: Vec<_> = if threads == 1 {
            chunk.iter().map(answer).collect()
        } else {
            pool.install(|| chunk.par_iter().map(answer).collect())
        };
        for (number, answer) in answers {
            match answer {
                Ok(rows) => {
                    for row in rows {
                        row.count(&mut totals);
                        row.write(&mut output, with_line).map_err(WriteError::from)?;
                    }
                }
                Err(error) => {
                    totals.bad_lines += 1;
                    bar.suspend(|| {
                        crate::complain(format_args!("themis: {name}, line {number}: {error:#}"))
                    });
                }
            }
        }
        // Whoever waits for an answer before asking on gets it.
        if !lines.is_waiting() {
            output.flush().map_err(WriteError::from)?;
        }
        bar.set_position(if bytes.is_some() { lines.bytes } else { lines.number });
    }
    output.flush().map_err(WriteError::from)?;
    bar.finish_and_clear();
    totals.print();
    Ok(ExitCode::from(if totals.bad_lines > 0 { 2 } else { 0 }))
}

/// A bar on standard error, where a person sees it and it does not run into the answers.
fn progress_bar(bytes: Option<u64>) -> ProgressBar {
    if !io::stderr().is_terminal() || io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match bytes {
        Some(bytes) => {
            (ProgressBar::new(bytes), "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} eta {eta}")
        }
        None => (ProgressBar::new_spinner(), "{spinner} {human_pos} lines {per_sec} {elapsed}"),
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// The lines of the input, with their numbers.
struct Lines {
    input: BufReader<Box<dyn Read>>,
    number: u64,
    bytes: u64,
}

impl Lines {
    /// Longer than any query; the rest of a longer line is dropped, so that memory stays bounded.
    const MAX_BYTES: u64 = 4096;
    /// Bytes that are read at once where so many are there.
    const BUFFER: usize = 1 << 16;

    fn new(input: Box<dyn Read>) -> Self {
        Self { input: BufReader::with_capacity(Self::BUFFER, input), number: 0, bytes: 0 }
    }

    /// Whether the next line is there already.
    fn is_waiting(&self) -> bool {
        self.input.buffer().contains(&b'\n')
    }

    /// The next lines: as many as are there, up to `limit`, but at least one unless the input ends.
    fn next_chunk(&mut self, limit: usize) -> io::Result<Vec<(u64, Vec<u8>)>> {
        let mut chunk = Vec::with_capacity(limit);
        while chunk.len() < limit {
            let mut text = Vec::new();
            let read = Read::take(&mut self.input, Self::MAX_BYTES).read_until(b'\n', &mut text)?;
            if read == 0 {
                break;
            }
            self.bytes += read as u64;
            if text.last() != Some(&b'\n') && read as u64 == Self::MAX_BYTES {
                self.bytes += self.input.skip_until(b'\n')? as u64;
            }
            self.number += 1;
            chunk.push((self.number, text));
            if !self.is_waiting() {
                break;
            }
        }
        Ok(chunk)
    }
}

/// One query and its answer.
struct Row {
    fen: String,
    position: Position,
    side: Color,
    verdict: Verdict,
    spent: Duration,
}

impl Row {
    fn count(&self, totals: &mut Totals) {
        totals.spent += self.spent;
        match self.verdict {
            Verdict::Winnable(_) => totals.winnable += 1,
            Verdict::Unwinnable(_) => totals.unwinnable += 1,
            Verdict::Undecided => totals.undecided += 1,
        }
    }

    fn write(&self, output: &mut impl Write, with_line: bool) -> io::Result<()> {
        let side = if self.side == Color::White { 'w' } else { 'b' };
        let (verdict, proof) = match &self.verdict {
            Verdict::Winnable(line) if with_line => ("winnable", uci_line(&self.position, line)),
            Verdict::Winnable(line) => ("winnable", format!("{} plies", line.len())),
            Verdict::Unwinnable(proof) => ("unwinnable", proof.to_string()),
            Verdict::Undecided => ("undecided", "limits".to_string()),
        };
        let micros = self.spent.as_nanos() as f64 / 1000.0;
        writeln!(output, "{}\t{side}\t{verdict}\t{micros:.2}\t{proof}", self.fen)
    }
}

impl Totals {
    fn print(&self) {
        let queries = self.winnable + self.unwinnable + self.undecided;
        crate::complain(format_args!(
            "{queries} queries: {} winnable, {} unwinnable, {} undecided; {:.2} us per query{}",
            self.winnable,
            self.unwinnable,
            self.undecided,
            self.spent.as_secs_f64() * 1e6 / queries.max(1) as f64,
            if self.bad_lines > 0 {
                format!("; {} bad lines", self.bad_lines)
            } else {
                String::new()
            }
        ));
    }
}

/// A text that is not what it should be, for an error.
fn quoted(fen: &str) -> String {
    format!("`{}`", crate::excerpt(fen))
}

/// Answers one line; nothing for an empty line or the header, before which may stand a byte order
/// mark.
fn answer(text: &[u8], first: bool, limits: Limits) -> anyhow::Result<Vec<Row>> {
    let text = std::str::from_utf8(text).context("not UTF-8")?.trim_end_matches(['\r', '\n']);
    let text = if first { text.trim_start_matches('\u{feff}') } else { text };
    if text.trim().is_empty() || first && text.to_ascii_lowercase().starts_with("fen") {
        return Ok(Vec::new());
    }
    let mut cells = text.split('\t');
    let fen = cells.next().unwrap_or_default().trim();
    let sides = match cells.next().map(str::trim) {
        None | Some("") => &Color::ALL[..],
        Some("w") => &Color::ALL[..1],
        Some("b") => &Color::ALL[1..],
        Some(other) => {
            anyhow::bail!("expected the side `w` or `b` after the FEN, not {}", quoted(other))
        }
    };
    let position = Position::from_fen(fen).with_context(|| quoted(fen))?;
    let row = |&side: &Color| {
        let start = Instant::now();
        let verdict = winnable(&position, side, limits);
        Row { fen: fen.to_string(), position, side, verdict, spent: start.elapsed() }
    };
    Ok(sides.iter().map(row).collect())
}
