//! The set of positions already met, each with the one it came from.

use super::board::Packed;

/// Positions a chunk of the arena holds; the arena grows without moving what it holds.
const CHUNK: usize = 1 << 12;
const EMPTY: u64 = u64::MAX;

/// A set of packed positions with exact comparison: no two positions are ever taken for one.
pub(super) struct ClosedSet {
    chunks: Vec<Vec<Node>>,
    /// Open addressing: the upper half of the hash, then the number of the position.
    table: Vec<u64>,
    len: u32,
}

#[derive(Clone, Copy)]
struct Node {
    packed: Packed,
    parent: u32,
}

impl ClosedSet {
    /// The parent of the first position.
    pub const NO_PARENT: u32 = u32::MAX;

    pub fn new() -> Self {
        Self { chunks: Vec::new(), table: vec![EMPTY; 1 << 10], len: 0 }
    }

    pub fn len(&self) -> u32 {
        self.len
    }

    /// Bytes of memory that one more position may need, all included.
    pub fn bytes(&self) -> usize {
        self.chunks.len() * CHUNK * size_of::<Node>() + self.table.len() * size_of::<u64>()
    }

    #[inline]
    pub fn get(&self, index: u32) -> &Packed {
        &self.chunks[index as usize / CHUNK][index as usize % CHUNK].packed
    }

    #[inline]
    pub fn parent(&self, index: u32) -> u32 {
        self.chunks[index as usize / CHUNK][index as usize % CHUNK].parent
    }

    /// Whether the position is here.
    #[inline]
    pub fn contains(&self, packed: &Packed) -> bool {
        self.table[self.slot(packed, hash(packed))] != EMPTY
    }

    /// Adds a position; its number, or `None` where it is already here.
    #[inline]
    pub fn insert(&mut self, packed: Packed, parent: u32) -> Option<u32> {
        if (self.len as usize + 1) * 4 > self.table.len() * 3 {
            self.grow();
        }
        let hash = hash(&packed);
        let slot = self.slot(&packed, hash);
        if self.table[slot] != EMPTY {
            return None;
        }
        let index = self.len;
        self.table[slot] = hash >> 32 << 32 | u64::from(index);
        if (index as usize).is_multiple_of(CHUNK) {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.push(Node { packed, parent });
        }
        self.len += 1;
        Some(index)
    }

    /// The slot of a position, or the empty one where it belongs.
    #[inline]
    fn slot(&self, packed: &Packed, hash: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let entry = self.table[slot];
            if entry == EMPTY || entry >> 32 == hash >> 32 && self.get(entry as u32) == packed {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let size = self.table.len() * 2;
        self.table = Vec::new();
        self.table.resize(size, EMPTY);
        for index in 0..self.len {
            let hash = hash(self.get(index));
            let mut slot = hash as usize & (size - 1);
            while self.table[slot] != EMPTY {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = hash >> 32 << 32 | u64::from(index);
        }
    }
}

/// Multiply and fold, word by word.
#[inline]
pub(super) fn hash(packed: &Packed) -> u64 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let a = fold(packed[0] ^ 0x9E37_79B9_7F4A_7C15, packed[1] ^ 0xD1B5_4A32_D192_ED03);
    let b = fold(packed[2] ^ 0x8CB9_2BA7_2F3D_8DD7, packed[3] ^ 0xAAAA_AAAA_5555_5557);
    fold(a ^ 0x2545_F491_4F6C_DD1D, b ^ 0xDA94_2042_E4DD_58B5)
}
