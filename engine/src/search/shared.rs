//! What the threads of one search share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::deepening::Line;
use super::report::Info;
use super::root::RootMove;
use super::time::Budget;
use super::transposition::Table;
use super::{Control, Game, Limits, Options, variation, wdl};
use crate::board::Position;
use crate::eval::{self, network::Network};
use crate::tablebase::Tablebases;

/// Counters of a thread, on a cache line of their own.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Counters {
    nodes: AtomicU64,
    tbhits: AtomicU64,
}

/// The common state of the threads of one search.
pub struct Shared<'a> {
    pub table: &'a Table,
    pub control: &'a Control,
    pub limits: &'a Limits,
    pub options: &'a Options,
    pub tablebases: Option<&'a Tablebases>,
    /// The network that evaluates.
    pub network: &'a Network,
    /// The greatest number of men at which the tablebases are asked below the root.
    pub tablebase_men: u32,
    pub budget: Budget,
    /// Nodes that one thread may search; with several threads their sum is watched instead.
    pub node_limit: u64,
    /// Where every thread starts from.
    pub root_moves: Vec<RootMove>,
    stop: AtomicBool,
    /// A thread has panicked.
    failed: AtomicBool,
    /// The time is used up: end at the ponder hit.
    stop_at_ponderhit: AtomicBool,
    counters: Vec<Counters>,
}

impl<'a> Shared<'a> {
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        table: &'a Table,
        tablebases: Option<&'a Tablebases>,
        network: &'a Network,
        limits: &'a Limits,
        options: &'a Options,
        control: &'a Control,
        budget: Budget,
        node_limit: Option<u64>,
        root_moves: Vec<RootMove>,
        threads: usize,
    ) -> Self {
        let known = root_moves.iter().all(|m| m.tablebase.is_some());
        let men = tablebases.map_or(0, Tablebases::max_men);
        Self {
            table,
            control,
            limits,
            options,
            tablebases,
            network,
            tablebase_men: if known { 0 } else { men },
            budget,
            node_limit: if threads == 1 { node_limit.unwrap_or(u64::MAX) } else { u64::MAX },
            root_moves,
            stop: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            stop_at_ponderhit: AtomicBool::new(false),
            counters: (0..threads).map(|_| Counters::default()).collect(),
        }
    }

    /// The evaluation of a position by itself, for the side to move.
    pub fn evaluate(&self, position: &Position) -> i32 {
        eval::evaluate(self.network, position)
    }

    /// Ends the search in all threads.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Ends the search in all threads because this one cannot go on.
    pub fn fail(&self) {
        self.failed.store(true, Relaxed);
        self.stop();
    }

    /// Whether a thread could not go on.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Relaxed)
    }

    /// Whether the search must end.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed) || self.control.is_stopped()
    }

    /// Whether the opponent's move is still awaited.
    pub fn is_pondering(&self) -> bool {
        self.limits.ponder && !self.control.is_ponderhit()
    }

    /// Ends the search when the ponder hit comes: enough time has been spent.
    pub fn stop_at_ponderhit(&self) {
        self.stop_at_ponderhit.store(true, Relaxed);
    }

    /// Makes a thread's counters known to the others.
    pub fn publish(&self, id: usize, nodes: u64, tbhits: u64) {
        self.counters[id].nodes.store(nodes, Relaxed);
        self.counters[id].tbhits.store(tbhits, Relaxed);
    }

    /// Nodes of all threads, as last published.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(|c| c.nodes.load(Relaxed)).sum()
    }

    /// Tablebase hits of all threads, as last published.
    pub fn tbhits(&self) -> u64 {
        self.counters.iter().map(|c| c.tbhits.load(Relaxed)).sum()
    }

    /// Whether the time that may be used at most, or the nodes of all threads, are used up.
    pub fn is_out_of_time(&self) -> bool {
        let nodes_out =
            self.counters.len() > 1 && self.limits.nodes.is_some_and(|limit| self.nodes() >= limit);
        if self.is_pondering() {
            return false;
        }
        nodes_out
            || self.stop_at_ponderhit.load(Relaxed)
            || self.budget.is_hard_limit_reached(self.control)
    }

    /// The report of a line, of the given rank from 0.
    pub fn info(&self, game: &Game, rank: usize, line: &Line) -> Info {
        let elapsed = self.control.elapsed();
        let nodes = self.nodes();
        let depth = line.depth.max(1) as u32;
        Info {
            depth,
            seldepth: (line.seldepth as u32 + 1).max(depth),
            multipv: rank + 1,
            score: wdl::shown(line.score),
            bound: line.bound,
            wdl: wdl::wdl(game.position(), line.score),
            nodes,
            nps: (nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64,
            hashfull: self.table.hashfull(),
            tbhits: self.tbhits(),
            time_ms: elapsed.as_millis() as u64,
            pv: variation::playable(game, line.moves),
        }
    }
}
