//! The searcher: tables, threads and the entry point.

use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

use super::deepening::{Line, Main};
use super::root::{self, RootMove};
use super::score::{self, INFINITE};
use super::shared::Shared;
use super::time::Budget;
use super::transposition::{Table, table_key};
use super::worker::{Memory, Worker};
use super::{
    Control, Game, HashError, Limits, Options, Reporter, TablebaseError, Wdl, first_sight,
    strength, variation, vote,
};
use crate::board::Move;
use crate::eval::network::Network;
use crate::tablebase::Tablebases;

/// Stack of a searching thread: some kilobytes for each ply.
const STACK_BYTES: usize = 16 << 20;

/// What a search decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play; `None` where no move is legal.
    pub best: Option<Move>,
    /// The reply to ponder on, if the line goes on; never a reply that ends the game.
    pub ponder: Option<Move>,
}

/// The engine: transposition table, histories and threads, kept from move to move.
pub struct Searcher {
    table: Table,
    /// One for each thread.
    memories: Vec<Memory>,
    tablebases: Option<Tablebases>,
    /// The network that takes the place of the embedded one.
    network: Option<Network>,
}

impl Searcher {
    /// The size of the transposition table at the start, in MiB.
    pub const DEFAULT_HASH_MIB: usize = 16;
    /// The largest size of the transposition table, in MiB.
    pub const MAX_HASH_MIB: usize = 1 << 20;
    /// The most threads.
    pub const MAX_THREADS: usize = 1024;

    /// A searcher with one thread and a table of [`Self::DEFAULT_HASH_MIB`], or of less where
    /// memory is short.
    pub fn new() -> Self {
        let table = Table::new(Self::DEFAULT_HASH_MIB)
            .or_else(|_| Table::new(1))
            .unwrap_or_else(|error| panic!("{error}"));
        Self { table, memories: vec![Memory::new()], tablebases: None, network: None }
    }

    /// Sets the size of the transposition table in MiB, from 1. Its contents are lost.
    /// Where the memory is not to be had, the old table stays.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), HashError> {
        self.table = Table::new(mib.max(1))?;
        Ok(())
    }

    /// Forgets all: transposition table and histories. All threads share the work.
    pub fn clear(&mut self) {
        self.table.clear(self.memories.len());
        thread::scope(|scope| {
            for memory in &mut self.memories {
                scope.spawn(|| memory.clear());
            }
        });
    }

    /// Sets the number of threads, from 1 to [`Self::MAX_THREADS`].
    pub fn set_threads(&mut self, threads: usize) {
        self.memories.resize_with(threads.clamp(1, Self::MAX_THREADS), Memory::new);
    }

    /// Opens the Syzygy tables in the directories of `path`, separated as in `PATH`, and returns
    /// how many tables there are. An empty path closes them.
    pub fn set_syzygy_path(&mut self, path: &str) -> Result<usize, TablebaseError> {
        self.tablebases = None;
        if path.is_empty() {
            return Ok(0);
        }
        let (tablebases, count) = Tablebases::open(path)?;
        self.tablebases = Some(tablebases);
        Ok(count)
    }

    /// Evaluates with this network from now on, or with the embedded one. What was
    /// learnt with the old one is forgotten.
    pub fn set_network(&mut self, network: Option<Network>) {
        self.network = network;
        self.memories.iter_mut().for_each(Memory::forget_network);
        self.clear();
    }

    /// Searches until a limit is reached or `control` stops it.
    ///
    /// # Panics
    /// A thread of the search or `reporter` panicked: the other threads are ended, then the panic
    /// goes on here.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        options: &Options,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> Outcome {
        let root_moves = self.root_moves(game, limits);
        let budget = Budget::new(limits, options);
        let mut limits = limits.clone();
        if budget.is_nothing() && !limits.infinite && !limits.ponder {
            limits.depth = Some(1);
        }
        let weakened = options.elo.filter(|_| !options.analyse_mode).map(strength::nodes);
        let node_limit = match (limits.nodes, weakened) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let threads = if weakened.is_some() { 1 } else { self.memories.len() };
        self.table.new_search();
        let shared = Shared::new(
            &self.table,
            self.tablebases.as_ref(),
            self.network.as_ref().unwrap_or(Network::embedded()),
            &limits,
            options,
            control,
            budget,
            node_limit,
            root_moves,
            threads,
        );
        if shared.root_moves.is_empty() {
            wait_until_due(&shared);
            report_finished_game(&shared, game, reporter);
            return Outcome::default();
        }
        run(&shared, &mut self.memories[..threads], game, reporter)
    }

    /// The legal moves that are asked for, ranked by the tablebases.
    fn root_moves(&self, game: &Game, limits: &Limits) -> Vec<RootMove> {
        let legal = game.position().legal_moves();
        let mut moves: Vec<RootMove> = legal
            .iter()
            .filter(|mv| limits.searchmoves.contains(mv))
            .map(|&mv| RootMove::new(mv))
            .collect();
        if moves.is_empty() {
            moves = legal.iter().map(|&mv| RootMove::new(mv)).collect();
        }
        if let Some(tablebases) = &self.tablebases {
            tablebases.rank(game, &mut moves);
        }
        moves
    }
}

impl Default for Searcher {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Searcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Searcher")
            .field("table", &self.table)
            .field("threads", &self.memories.len())
            .finish_non_exhaustive()
    }
}

/// Runs the threads and gives the last report.
fn run(shared: &Shared, memories: &mut [Memory], game: &Game, reporter: &dyn Reporter) -> Outcome {
    let results = thread::scope(|scope| {
        let mut handles = Vec::new();
        for (id, memory) in memories.iter_mut().enumerate() {
            let main = (id == 0).then_some(Main { reporter, game });
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            let body = move || {
                let _guard = StopOnPanic(shared);
                let is_main = main.is_some();
                let mut worker = Worker::new(id, shared, memory, game, main);
                worker.deepen(game);
                worker.poll();
                let result = worker.result();
                if is_main {
                    shared.stop();
                    if !shared.has_failed() {
                        wait_until_due(shared);
                    }
                }
                result
            };
            // Where the system gives no more threads, those it gave must do.
            match thread.spawn_scoped(scope, body) {
                Ok(handle) => handles.push(handle),
                Err(_) => break,
            }
        }
        // All are waited for, also where one has panicked.
        let joined: Vec<_> = handles.into_iter().map(ScopedJoinHandle::join).collect();
        joined.into_iter().collect::<thread::Result<Vec<_>>>()
    });
    let results = results.unwrap_or_else(|panic| resume_unwind(panic));
    let alone = shared.options.multi_pv > 1;
    let mut root_moves = match results.first() {
        None => {
            wait_until_due(shared);
            shared.root_moves.clone()
        }
        Some(main) if alone => main.root_moves.clone(),
        Some(_) => vote::best(&results).root_moves.clone(),
    };
    if root_moves.iter().all(|root_move| root_move.score == -INFINITE) {
        first_sight::put_first(shared, game, &mut root_moves);
    }
    report_last(shared, game, reporter, &root_moves)
}

/// A thread that panics must not leave the others without an end: the thread that dies may be the
/// one that keeps the time.
struct StopOnPanic<'a>(&'a Shared<'a>);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.fail();
        }
    }
}

/// What a thread has found.
pub(super) struct Found {
    /// The root moves, best first.
    pub root_moves: Vec<RootMove>,
    /// The last depth finished.
    pub completed_depth: i32,
}

impl Worker<'_> {
    fn result(&mut self) -> Found {
        Found {
            root_moves: std::mem::take(&mut self.root_moves),
            completed_depth: self.completed_depth,
        }
    }
}

/// Sleeps as long as the protocol forbids an answer.
fn wait_until_due(shared: &Shared) {
    if shared.limits.infinite {
        shared.control.wait(false);
    } else if shared.limits.ponder {
        shared.control.wait(true);
    }
}

/// The last report, exact, of the best line last.
fn report_last(
    shared: &Shared,
    game: &Game,
    reporter: &dyn Reporter,
    root_moves: &[RootMove],
) -> Outcome {
    let lines = root::last_lines(root_moves, shared.options.multi_pv.max(1));
    let mut best_line = Vec::new();
    for (rank, root_move) in lines.into_iter().enumerate().rev() {
        let info = shared.info(game, rank, &root_move.exact_line());
        reporter.info(&info);
        best_line = info.pv;
    }
    let best = root_moves[0].mv;
    let ponder = best_line.get(1).copied().or_else(|| {
        let child = game.position().play(best);
        let entry = shared.table.probe(table_key(&child), 1, child.halfmove_clock())?;
        child.is_legal(entry.best).then_some(entry.best)
    });
    let ponder = ponder.filter(|&reply| {
        !variation::ends_game(game, &[best]) && !variation::ends_game(game, &[best, reply])
    });
    Outcome { best: Some(best), ponder }
}

/// The report on a position without legal moves: mate or stalemate.
fn report_finished_game(shared: &Shared, game: &Game, reporter: &dyn Reporter) {
    let score = if game.position().in_check() { score::mated_in(0) } else { score::DRAW };
    let line = Line { score, bound: None, depth: 0, moves: &[], seldepth: 0 };
    let mut info = shared.info(game, 0, &line);
    (info.depth, info.seldepth) = (0, 0);
    // The result is known, whatever the material promises.
    if score == score::DRAW {
        info.wdl = Wdl { win: 0, draw: 1000, loss: 0 };
    }
    reporter.info(&info);
}
