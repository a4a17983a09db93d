//! The transposition table: shared by all threads, without locks.
//!
//! A cluster of three entries fills half a cache line. An entry is one 64-bit word and sixteen
//! bits of key mixed with a fold of the word, so that an entry torn between two writers does not
//! match (R. Hyatt and T. Mann, "A lockless transposition-table implementation", 2002).

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};

use super::score::{self, NONE};
use crate::board::{Move, Position};

/// The memory for the transposition table is not to be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot allocate {0} MiB for the hash table; the old table stays")]
pub struct HashError(pub usize);

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Limit {
    /// No score stored.
    None,
    /// The true score is this or lower.
    Upper,
    /// The true score is this or higher.
    Lower,
    /// The score is exact.
    Exact,
}

/// What the table knows of a position; scores count from the root of the probing search.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The best move, unchecked; [`Move::NULL`] where none is known.
    pub best: Move,
    /// The score, or [`NONE`].
    pub score: i32,
    /// The raw evaluation, or [`NONE`].
    pub eval: i32,
    /// Depth of the search that stored it.
    pub depth: i32,
    /// How `score` is meant.
    pub limit: Limit,
    /// Whether the position was ever in a principal variation.
    pub was_pv: bool,
}

impl Entry {
    /// The entry of an unknown position.
    pub const MISSING: Self = Self {
        best: Move::NULL,
        score: NONE,
        eval: NONE,
        depth: -8,
        limit: Limit::None,
        was_pv: false,
    };

    /// Whether the score proves a result outside the window that ends at `bound`.
    #[inline(always)]
    pub fn decides(&self, bound: i32) -> bool {
        self.score != NONE
            && match self.limit {
                Limit::None => false,
                Limit::Exact => true,
                Limit::Lower => self.score >= bound,
                Limit::Upper => self.score < bound,
            }
    }
}

const ENTRIES: usize = 3;
const AGES: u8 = 32;
/// Depths are stored with this offset so that quiescence depths fit.
const DEPTH_OFFSET: i32 = 8;

#[derive(Default)]
#[repr(C, align(32))]
struct Cluster {
    words: [AtomicU64; ENTRIES],
    keys: [AtomicU16; ENTRIES],
}

/// The 64 bits of an entry: move, score, evaluation, depth, and age with flags.
#[derive(Clone, Copy)]
struct Word(u64);

impl Word {
    fn pack(entry: &Entry, age: u8) -> Self {
        let flags = age << 3 | (entry.was_pv as u8) << 2 | entry.limit as u8;
        Self(
            entry.best.to_bits() as u64
                | (entry.score as i16 as u16 as u64) << 16
                | (entry.eval as i16 as u16 as u64) << 32
                | ((entry.depth + DEPTH_OFFSET) as u8 as u64) << 48
                | (flags as u64) << 56,
        )
    }

    fn best(self) -> Move {
        Move::from_bits(self.0 as u16)
    }

    fn score(self) -> i32 {
        (self.0 >> 16) as u16 as i16 as i32
    }

    fn eval(self) -> i32 {
        (self.0 >> 32) as u16 as i16 as i32
    }

    fn depth(self) -> i32 {
        (self.0 >> 48) as u8 as i32 - DEPTH_OFFSET
    }

    fn age(self) -> u8 {
        (self.0 >> 59) as u8
    }

    fn was_pv(self) -> bool {
        self.0 >> 58 & 1 != 0
    }

    fn limit(self) -> Limit {
        match self.0 >> 56 & 3 {
            0 => Limit::None,
            1 => Limit::Upper,
            2 => Limit::Lower,
            _ => Limit::Exact,
        }
    }

    /// How much the entry is worth keeping: depth, less what it has aged.
    fn worth(self, age: u8) -> i32 {
        self.depth() - 4 * (age.wrapping_sub(self.age()) % AGES) as i32
    }

    fn fold(self) -> u16 {
        let half = self.0 ^ self.0 >> 32;
        (half ^ half >> 16) as u16
    }
}

/// The table.
pub struct Table {
    memory: Memory,
    age: AtomicU8,
}

impl Table {
    /// A table of `mib` MiB, all empty.
    pub fn new(mib: usize) -> Result<Self, HashError> {
        let clusters = mib
            .checked_mul(1 << 20)
            .map(|bytes| bytes / size_of::<Cluster>())
            .filter(|&clusters| clusters > 0);
        let memory = clusters.and_then(Memory::new).ok_or(HashError(mib))?;
        Ok(Self { memory, age: AtomicU8::new(0) })
    }

    /// Empties the table; `threads` threads share the work.
    pub fn clear(&mut self, threads: usize) {
        let clusters = self.memory.clusters_mut();
        let share = clusters.len().div_ceil(threads.max(1)).max(1 << 14);
        std::thread::scope(|scope| {
            for chunk in clusters.chunks_mut(share) {
                scope.spawn(|| chunk.fill_with(Cluster::default));
            }
        });
        self.age = AtomicU8::new(0);
    }

    /// Begins a new search: older entries become cheaper to replace.
    pub fn new_search(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        let clusters = self.memory.clusters();
        &clusters[((key as u128 * clusters.len() as u128) >> 64) as usize]
    }

    /// Asks the processor to fetch the entries of `key`.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        super::prefetch::prefetch(self.cluster(key));
    }

    /// What is known of the position with `key`.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize, halfmove_clock: u32) -> Option<Entry> {
        let cluster = self.cluster(key);
        for (word, stored) in cluster.words.iter().zip(&cluster.keys) {
            let word = Word(word.load(Relaxed));
            if stored.load(Relaxed) ^ word.fold() == key as u16 && word.0 != 0 {
                return Some(Entry {
                    best: word.best(),
                    score: score::from_table(word.score(), ply, halfmove_clock),
                    eval: word.eval(),
                    depth: word.depth(),
                    limit: word.limit(),
                    was_pv: word.was_pv(),
                });
            }
        }
        None
    }

    /// Stores what a search found; the score counts from the root, `ply` plies above.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let cluster = self.cluster(key);
        let age = self.age.load(Relaxed);
        let mut slot = 0;
        let mut least = i32::MAX;
        for index in 0..ENTRIES {
            let word = Word(cluster.words[index].load(Relaxed));
            let same = cluster.keys[index].load(Relaxed) ^ word.fold() == key as u16;
            if same && word.0 != 0 {
                let keep_deeper = entry.limit != Limit::Exact
                    && word.age() == age
                    && word.depth() > entry.depth + 4 + 2 * entry.was_pv as i32;
                if keep_deeper {
                    return;
                }
                if entry.best.is_null() {
                    entry.best = word.best();
                }
                slot = index;
                break;
            }
            let worth = if word.0 == 0 { i32::MIN } else { word.worth(age) };
            if worth < least {
                (slot, least) = (index, worth);
            }
        }
        if entry.score != NONE {
            entry.score = score::to_table(entry.score, ply);
        }
        let word = Word::pack(&entry, age);
        cluster.words[slot].store(word.0, Relaxed);
        cluster.keys[slot].store(key as u16 ^ word.fold(), Relaxed);
    }

    /// How full the table is with entries of this search, in thousandths, by a sample.
    pub fn hashfull(&self) -> u32 {
        let clusters = self.memory.clusters();
        let sample = &clusters[..clusters.len().min(1000)];
        let age = self.age.load(Relaxed);
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.words)
            .map(|word| Word(word.load(Relaxed)))
            .filter(|word| word.0 != 0 && word.age() == age)
            .count();
        (used * 1000 / (sample.len() * ENTRIES)) as u32
    }
}

/// The key under which a position is stored: late in the fifty-move count, the count is part of
/// it, so that scores of fresh positions do not hide the coming draw.
#[inline(always)]
pub fn table_key(position: &Position) -> u64 {
    let clock = position.halfmove_clock();
    if clock < 16 {
        return position.key();
    }
    let bucket = (u64::from(clock) - 16) / 8 + 1;
    position.key() ^ bucket.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Zeroed memory for the clusters, aligned to huge pages.
struct Memory {
    block: NonNull<u8>,
    layout: Layout,
    first: NonNull<Cluster>,
    count: usize,
}

const HUGE_PAGE: usize = 2 << 20;

impl Memory {
    fn new(count: usize) -> Option<Self> {
        // Zeroed blocks of small alignment come from the system without being touched; the
        // alignment is made by hand so that this stays so.
        let bytes = count.checked_mul(size_of::<Cluster>())?;
        let layout = Layout::from_size_align(bytes.checked_add(HUGE_PAGE)?, 16).ok()?;
        // SAFETY: the layout is not of size zero.
        let block = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let offset = block.as_ptr().align_offset(HUGE_PAGE);
        debug_assert!(offset < HUGE_PAGE);
        // SAFETY: the block is larger than the clusters by a huge page, and the offset is less.
        let first = unsafe { block.add(offset) }.cast::<Cluster>();
        advise_huge_pages(first.cast(), bytes);
        Some(Self { block, layout, first, count })
    }

    #[inline(always)]
    fn clusters(&self) -> &[Cluster] {
        debug_assert!(self.first.is_aligned());
        // SAFETY: `first` points to `count` clusters, aligned, and zero is a valid cluster.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.count) }
    }

    fn clusters_mut(&mut self) -> &mut [Cluster] {
        debug_assert!(self.first.is_aligned());
        // SAFETY: as in `clusters`; the exclusive borrow of `self` makes this the only reference.
        unsafe { std::slice::from_raw_parts_mut(self.first.as_ptr(), self.count) }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the block was allocated with this layout.
        unsafe { dealloc(self.block.as_ptr(), self.layout) }
    }
}

// SAFETY: the memory is owned, and its cells are atomics.
unsafe impl Send for Memory {}
// SAFETY: shared access goes through atomics only.
unsafe impl Sync for Memory {}

#[cfg(target_os = "linux")]
fn advise_huge_pages(start: NonNull<u8>, bytes: usize) {
    // SAFETY: the range lies inside our own allocation, and the advice does not change its contents.
    unsafe { libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_start: NonNull<u8>, _bytes: usize) {}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("clusters", &self.memory.count).finish()
    }
}
