//! The thread that searches, so that the session can always listen.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender};
use engine::search::{Control, Game, Limits, Options, Outcome, Searcher};

use super::info::UciReporter;

/// Bytes of stack for the thread; only what is used is taken from memory.
const STACK: usize = 64 << 20;

/// A search to be done.
pub struct Job {
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

/// The end of a search.
pub struct Done {
    /// The tables, unless the search failed.
    pub searcher: Option<Box<Searcher>>,
    /// The decision.
    pub outcome: Outcome,
}

/// Starts the thread. It ends when the senders of jobs are gone.
pub fn spawn(jobs: Receiver<Job>, done: Sender<Done>) -> io::Result<()> {
    thread::Builder::new().name("search".to_owned()).stack_size(STACK).spawn(move || {
        for job in jobs {
            if done.send(search(job)).is_err() {
                break;
            }
        }
    })?;
    Ok(())
}

/// Searches. A defect in the search must not lose the game: any legal move is better than none.
fn search(job: Job) -> Done {
    let Job { mut searcher, game, limits, options, control, reporter } = job;
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        searcher.search(&game, &limits, &options, &control, &reporter)
    }));
    match outcome {
        Ok(outcome) => Done { searcher: Some(searcher), outcome },
        Err(_) => {
            reporter.output.info_string("the search failed; this is a defect, please report it");
            hold(&limits, &control);
            let best = game.position().legal_moves().first().copied();
            Done { searcher: None, outcome: Outcome { best, ponder: None } }
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
