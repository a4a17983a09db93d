//! The thread that searches, so that the session can always listen.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use engine::board::perft::perft;
use engine::board::{MoveList, Position};
use engine::search::{Control, Game, Limits, Options, Outcome, Searcher};

use super::info::UciReporter;
use super::output::Output;

/// Bytes of stack for the thread; only what is used is taken from memory.
const STACK: usize = 64 << 20;

/// Work for the thread.
pub enum Job {
    /// Search a position.
    Search(Box<Search>),
    /// Count the leaves of the legal move tree.
    Perft {
        /// The root of the tree.
        root: Position,
        /// Its depth in plies.
        depth: u32,
        /// How moves are written.
        chess960: bool,
        /// How the session ends it.
        control: Control,
        /// Where the counts go.
        output: Output,
    },
}

/// A search to be done.
pub struct Search {
    /// The tables; they come back in [`Done`].
    pub searcher: Box<Searcher>,
    /// The game up to the position to search.
    pub game: Game,
    /// When to end.
    pub limits: Limits,
    /// How to behave.
    pub options: Options,
    /// How the session ends it.
    pub control: Control,
    /// Where the lines go.
    pub reporter: UciReporter,
}

/// The end of a job.
pub enum Done {
    /// A search ended.
    Search {
        /// The tables, unless the search failed.
        searcher: Option<Box<Searcher>>,
        /// The decision.
        outcome: Outcome,
    },
    /// A count ended.
    Perft,
}

/// Starts the thread. It ends when the senders of jobs are gone.
pub fn spawn(jobs: Receiver<Job>, done: Sender<Done>) -> io::Result<()> {
    thread::Builder::new().name("search".to_owned()).stack_size(STACK).spawn(move || {
        for job in jobs {
            if done.send(work(job)).is_err() {
                break;
            }
        }
    })?;
    Ok(())
}

fn work(job: Job) -> Done {
    match job {
        Job::Search(job) => search(*job),
        Job::Perft { root, depth, chess960, control, output } => {
            divide(&root, depth, chess960, &control, &output);
            Done::Perft
        }
    }
}

/// Prints the leaves below each move and their sum, unless stopped before.
fn divide(root: &Position, depth: u32, chess960: bool, control: &Control, output: &Output) {
    let start = Instant::now();
    let mut total = u64::from(depth == 0);
    let moves = if depth == 0 { MoveList::new() } else { root.legal_moves() };
    for &mv in &moves {
        let Some(nodes) = count(&root.play(mv), depth - 1, control) else { return };
        total += nodes;
        output.line(format_args!("{}: {nodes}", root.uci(mv, chess960)));
    }
    let time = start.elapsed().as_millis();
    output.line(format_args!("Nodes searched: {total} in {time} ms"));
}

/// The leaves below a position; `None` when stopped.
fn count(position: &Position, depth: u32, control: &Control) -> Option<u64> {
    /// A tree so deep is counted faster than a host waits.
    const AT_ONCE: u32 = 3;
    if control.is_stopped() {
        return None;
    }
    if depth <= AT_ONCE {
        return Some(perft(position, depth));
    }
    let moves = position.legal_moves();
    moves.iter().map(|&mv| count(&position.play(mv), depth - 1, control)).sum()
}

/// Searches. A defect in the search must not lose the game: any legal move is better than none.
fn search(job: Search) -> Done {
    let Search { mut searcher, game, limits, options, control, reporter } = job;
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        searcher.search(&game, &limits, &options, &control, &reporter)
    }));
    match outcome {
        Ok(outcome) => Done::Search { searcher: Some(searcher), outcome },
        Err(_) => {
            reporter.output.info_string("the search failed; this is a defect, please report it");
            hold(&limits, &control);
            let best = game.position().legal_moves().first().copied();
            Done::Search { searcher: None, outcome: Outcome { best, ponder: None } }
        }
    }
}

/// Waits until an answer is allowed.
fn hold(limits: &Limits, control: &Control) {
    let held = || {
        (limits.infinite || limits.ponder)
            && !control.is_stopped()
            && (limits.infinite || !control.is_ponderhit())
    };
    while held() {
        thread::sleep(Duration::from_millis(2));
    }
}
