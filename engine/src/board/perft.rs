//! Perft: the number of legal move sequences of a length, counted in bulk at the last ply.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use super::cpu::{self, Cpu, Task};
use super::movegen::{ALL, Count, Promotions, Sink, generate, origin};
use super::position::code;
use super::{Bitboard, Color, Position, Square};

/// Remembers what has been counted.
trait Memory: Copy {
    fn get(self, key: u64, depth: u32) -> Option<u64>;
    fn put(self, key: u64, depth: u32, nodes: u64);
}

/// Remembers nothing.
#[derive(Clone, Copy)]
struct NoMemory;

impl Memory for NoMemory {
    #[inline(always)]
    fn get(self, _: u64, _: u32) -> Option<u64> {
        None
    }

    #[inline(always)]
    fn put(self, _: u64, _: u32, _: u64) {}
}

/// A table of counts that threads share without locks.
///
/// An entry is two words, the second the key combined with the first: an entry that two threads
/// have torn fits no key (Hyatt and Mann, 2002).
pub struct PerftTable {
    entries: Box<[[AtomicU64; 2]]>,
}

impl PerftTable {
    /// Where the depth starts in the first word; below it are the nodes.
    const DEPTH: u32 = 56;

    /// A table of at most `mebibytes`; `None` if it does not fit into memory.
    pub fn new(mebibytes: usize) -> Option<Self> {
        let bytes = mebibytes.checked_mul(1 << 20)?;
        let wanted = (bytes / size_of::<[AtomicU64; 2]>()).max(1);
        let count = if wanted.is_power_of_two() { wanted } else { wanted.next_power_of_two() / 2 };
        let mut entries = Vec::new();
        entries.try_reserve_exact(count).ok()?;
        entries.resize_with(count, Default::default);
        Some(Self { entries: entries.into_boxed_slice() })
    }

    #[inline(always)]
    fn entry(&self, key: u64, depth: u32) -> &[AtomicU64; 2] {
        let mixed = key ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        &self.entries[mixed as usize & (self.entries.len() - 1)]
    }
}

impl Memory for &PerftTable {
    #[inline(always)]
    fn get(self, key: u64, depth: u32) -> Option<u64> {
        let [data, check] = self.entry(key, depth);
        let data = data.load(Ordering::Relaxed);
        let fits = check.load(Ordering::Relaxed) == key ^ data
            && data >> PerftTable::DEPTH == u64::from(depth);
        fits.then_some(data & ((1 << PerftTable::DEPTH) - 1))
    }

    #[inline(always)]
    fn put(self, key: u64, depth: u32, nodes: u64) {
        if nodes >> PerftTable::DEPTH != 0 {
            return;
        }
        let word = u64::from(depth) << PerftTable::DEPTH | nodes;
        let [data, check] = self.entry(key, depth);
        data.store(word, Ordering::Relaxed);
        check.store(key ^ word, Ordering::Relaxed);
    }
}

/// Plays each move it is handed and counts below it.
struct Visit<'a, const WHITE: bool, C, M> {
    position: &'a Position,
    depth: u32,
    cpu: C,
    memory: M,
    nodes: u64,
}

impl<const WHITE: bool, C: Cpu, M: Memory> Visit<'_, WHITE, C, M> {
    #[inline(always)]
    fn enter(&mut self, next: &Position) {
        let (depth, memory) = (self.depth - 1, self.memory);
        self.nodes += if WHITE {
            self.cpu.run(Walk::<false, M> { position: next, depth, memory })
        } else {
            self.cpu.run(Walk::<true, M> { position: next, depth, memory })
        };
    }
}

impl<const WHITE: bool, C: Cpu, M: Memory> Sink for Visit<'_, WHITE, C, M> {
    const QUEENS: bool = true;

    #[inline(always)]
    fn moves(&mut self, code: usize, from: Square, targets: Bitboard) {
        for to in targets & !self.position.occupied() {
            self.enter(&self.position.moved::<WHITE>(code, from, to, code::NONE));
        }
        for to in targets & self.position.occupied() {
            let victim = self.position.code_on(to);
            self.enter(&self.position.moved::<WHITE>(code, from, to, victim));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, offset: i8, targets: Bitboard, capture: bool) {
        for to in targets {
            let victim = if capture { self.position.code_on(to) } else { code::NONE };
            let from = origin(to, offset);
            self.enter(&self.position.moved::<WHITE>(code::PAWN, from, to, victim));
        }
    }

    #[inline(always)]
    fn double_steps(&mut self, offset: i8, targets: Bitboard) {
        for to in targets {
            self.enter(&self.position.pushed_twice::<WHITE>(origin(to, offset), to));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard, capture: bool, _: Promotions) {
        for to in targets {
            let victim = if capture { self.position.code_on(to) } else { code::NONE };
            let from = origin(to, offset);
            for code in [code::QUEEN, code::ROOK, code::BISHOP, code::KNIGHT] {
                self.enter(&self.position.promoted::<WHITE>(code, from, to, victim));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.enter(&self.position.captured_en_passant::<WHITE>(from, to));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.enter(&self.position.castled::<WHITE>(king, rook));
    }
}

/// Counts the moves of the side `WHITE`, which is to move, and what follows them.
struct Walk<'a, const WHITE: bool, M> {
    position: &'a Position,
    depth: u32,
    memory: M,
}

impl<const WHITE: bool, M: Memory> Task for Walk<'_, WHITE, M> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let Self { position, depth, memory } = self;
        if depth <= 1 {
            let mut count = Count::default();
            generate::<WHITE, ALL, C, _>(position, &mut count, cpu);
            return count.0;
        }
        if let Some(nodes) = memory.get(position.key(), depth) {
            return nodes;
        }
        let mut visit = Visit::<WHITE, C, M> { position, depth, cpu, memory, nodes: 0 };
        generate::<WHITE, ALL, C, _>(position, &mut visit, cpu);
        memory.put(position.key(), depth, visit.nodes);
        visit.nodes
    }
}

/// A walk of the side that is to move.
struct Root<'a, M> {
    position: &'a Position,
    depth: u32,
    memory: M,
}

impl<M: Memory> Task for Root<'_, M> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let Self { position, depth, memory } = self;
        match (depth, position.side_to_move()) {
            (0, _) => 1,
            (_, Color::White) => cpu.run(Walk::<true, M> { position, depth, memory }),
            (_, Color::Black) => cpu.run(Walk::<false, M> { position, depth, memory }),
        }
    }
}

/// [`perft`] with the instructions of `cpu`.
#[cfg(test)]
#[inline(always)]
pub(super) fn perft_on<C: Cpu>(position: &Position, depth: u32, cpu: C) -> u64 {
    cpu.run(Root { position, depth, memory: NoMemory })
}

/// The number of legal move sequences of `depth` plies; 1 for depth 0.
pub fn perft(position: &Position, depth: u32) -> u64 {
    cpu::run(Root { position, depth, memory: NoMemory })
}

/// [`perft`] that remembers what it has counted.
pub fn perft_hashed(position: &Position, depth: u32, table: &PerftTable) -> u64 {
    cpu::run(Root { position, depth, memory: table })
}

/// [`perft`] by several threads, which share the table if there is one.
pub fn perft_parallel(
    position: &Position,
    depth: u32,
    threads: NonZeroUsize,
    table: Option<&PerftTable>,
) -> u64 {
    let count = |position: &Position, depth| match table {
        Some(table) => perft_hashed(position, depth, table),
        None => perft(position, depth),
    };
    const SPLIT: u32 = 2;
    if threads.get() == 1 || depth <= SPLIT + 1 {
        return count(position, depth);
    }
    let mut tasks = vec![*position];
    for _ in 0..SPLIT {
        tasks = tasks
            .iter()
            .flat_map(|position| {
                let moves = position.legal_moves();
                moves.iter().map(|&mv| position.play(mv)).collect::<Vec<_>>()
            })
            .collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut nodes = 0;
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            nodes += count(task, depth - SPLIT);
        }
        nodes
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (1..threads.get())
            .filter_map(|_| thread::Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        let own = work();
        own + workers.into_iter().map(|w| w.join().expect("counting does not panic")).sum::<u64>()
    })
}
