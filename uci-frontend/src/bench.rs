//! The command `themis bench`: a fixed search whose node count is the engine's signature.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use engine::board::Position;
use engine::search::{Control, Game, Info, Limits, Options, Reporter, Searcher};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::stdout::Stdout;

/// Options of the command.
#[derive(clap::Args)]
pub struct Args {
    /// Depth of each search in plies
    #[arg(default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Searching threads; only one thread gives the same count each time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Size of the transposition table in MiB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
}

/// Openings, middlegames, endgames, mates, draws, underpromotions and a late fifty-move count.
const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 1 5",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 2 6",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8",
    "2rq1rk1/pb1nbppp/1p2pn2/8/2BP4/2N1BN2/PP2QPPP/3R1RK1 w - - 4 14",
    "r1b2rk1/2q1bppp/p2ppn2/1p6/3BPP2/2N2B2/PPP1Q1PP/R4R1K w - - 2 14",
    "r2q1rk1/1b1nbppp/pp1ppn2/8/2PNP3/2N1BP2/PP1QB1PP/R4RK1 w - - 2 12",
    "3r1rk1/p1q2ppp/1pp1bn2/4p3/4P3/P1N1QP2/1PP3PP/3RRBK1 b - - 3 20",
    "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    "r3r1k1/2p2ppp/p1p1bn2/8/1q2P3/2NPQN2/PPP3PP/R4RK1 b - - 2 15",
    "1r3k2/4q3/2Pp3b/3Bp3/2Q2p2/1p1P2P1/1P2KP2/3N4 w - - 0 1",
    "6k1/4pp1p/3p2p1/P1pPb3/R7/1r2P1PP/3B1P2/6K1 w - - 0 1",
    "8/3p3B/5p2/5P2/p7/PP5b/k7/6K1 w - - 0 1",
    "5rk1/q6p/2p3bR/1pPp1rP1/1P1Pp3/P3B1Q1/1K3P2/R7 w - - 93 90",
    "8/8/8/5N2/8/p7/8/2NK3k w - - 0 1",
    "8/3k4/8/8/8/4B3/4KB2/2B5 w - - 0 1",
    "8/8/1P6/5pr1/8/4R3/7k/2K5 w - - 0 1",
    "8/2p4P/8/kr6/6R1/8/8/1K6 w - - 0 1",
    "8/8/3P3k/8/1p6/8/1P6/1K3n2 b - - 0 1",
    "8/6pk/1p6/8/PP3p1p/5P2/4KP1q/3Q4 w - - 0 1",
    "3k4/3pp3/8/8/8/8/3PP3/3K4 w - - 0 1",
    "r1b1k2r/ppppnppp/2n2q2/2b5/3NP3/2P1B3/PP3PPP/RN1QKB1R w KQkq - 0 1",
    "2k4r/1pp2pp1/p1nqbn1p/3p4/3P4/2NBPN1P/PPQ2PP1/R4RK1 w - - 0 16",
];

/// Keeps the node count of the last report.
#[derive(Default)]
struct Nodes(AtomicU64);

impl Reporter for Nodes {
    fn info(&self, info: &Info) {
        self.0.store(info.nodes, Ordering::Relaxed);
    }
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut searcher = Searcher::new();
    searcher.set_hash(args.hash as usize)?;
    searcher.set_threads(args.threads as usize);
    let limits = Limits { depth: Some(args.depth), ..Limits::default() };
    let mut output = Stdout::lock();
    let start = Instant::now();
    let mut total = 0;
    for fen in POSITIONS {
        let position = Position::from_fen(fen).with_context(|| format!("built-in `{fen}`"))?;
        searcher.clear();
        let nodes = Nodes::default();
        let game = Game::new(position);
        let outcome = searcher.search(&game, &limits, &Options::default(), &Control::new(), &nodes);
        let count = nodes.0.into_inner();
        let best = outcome.best.map_or_else(|| "(none)".to_owned(), |mv| position.uci(mv, false));
        output.line(format_args!("{count:>10} {best:<6} {fen}"))?;
        total += count;
    }
    let nps = total as f64 / start.elapsed().as_secs_f64().max(1e-9);
    output.line(format_args!("{total} nodes {nps:.0} nps"))?;
    Ok(ExitCode::SUCCESS)
}
