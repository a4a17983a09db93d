//! Best-first search for a helpmate over one closed set: each position is expanded at most once.
//! When the open positions run out, every reachable position was visited.

use engine::board::{Color, Move, MoveList, PieceType};
use rustc_hash::FxHashMap;

use super::Limits;
use super::board::Board;
use super::closed_set::{self, ClosedSet};
use super::fortress::{Fortress, Known};
use super::guide::Guides;
use super::material;
use super::moves::{has_legal_move, legal_moves};
use super::projection::{self, Tracked};
use super::walk;

/// What a search found.
pub(super) enum Outcome {
    /// A line to mate.
    Mate(Vec<Move>),
    /// So many positions are reachable, cut only where White provably cannot mate; none is mate.
    Closed {
        /// Positions visited.
        positions: u64,
        /// Nothing was cut, and Black mates nowhere either.
        for_both: bool,
    },
    /// The limits were reached.
    Limits,
}

/// Which captures and pawn moves are not followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pruning {
    /// Those to material that cannot mate.
    Material,
    /// Also those to positions from which a static argument shows that White cannot mate.
    Static,
}

impl Pruning {
    /// Classes of structure for the guides: few for the short search, which would spend more on the
    /// table than on the positions.
    fn structures(self) -> usize {
        match self {
            Self::Material => 256,
            Self::Static => 4096,
        }
    }
}

/// Searches for a mate of White.
pub(super) struct Search {
    closed: ClosedSet,
    queues: [BucketQueue; Guides::COUNT],
    guides: Guides,
    expanded: Vec<u64>,
    open_bytes: usize,
    nodes: u64,
    pruning: Pruning,
    /// Whether every position so far has all its moves, and White is mated in none.
    for_both: bool,
    projected: u64,
    /// Fortresses that the argument in stages may still look at, and those that it has looked at.
    stages: u32,
    known: Known,
    /// How often static arguments have failed in turn, by structure.
    failures: FxHashMap<u64, u32>,
    turn: usize,
}

impl Search {
    /// A search from `root`, which is not mate.
    pub fn new(root: &Board, pruning: Pruning) -> Self {
        let mut search = Self {
            closed: ClosedSet::new(),
            queues: Default::default(),
            guides: Guides::new(root, pruning.structures()),
            expanded: Vec::new(),
            open_bytes: 0,
            nodes: 0,
            pruning,
            for_both: true,
            projected: 0,
            stages: STAGES.0,
            known: Known::default(),
            failures: FxHashMap::default(),
            turn: 0,
        };
        search.insert(root, ClosedSet::NO_PARENT, None);
        search
    }

    /// Searches on, until `limits` are reached over all.
    pub fn run(&mut self, limits: Limits) -> Outcome {
        loop {
            if self.nodes >= limits.nodes || self.bytes() > limits.bytes {
                return Outcome::Limits;
            }
            let Some(index) = self.pop() else {
                break;
            };
            self.nodes += 1;
            if let Some(rest) = self.expand(index) {
                let mut line = self.line_to(index);
                line.extend(rest);
                return Outcome::Mate(line);
            }
        }
        Outcome::Closed { positions: u64::from(self.closed.len()), for_both: self.for_both }
    }

    /// Bytes in use, with what the next doubling of the table or of a queue would add.
    fn bytes(&self) -> usize {
        self.closed.bytes() + self.open_bytes
    }

    /// Takes the best open position of the next queue whose turn it is.
    fn pop(&mut self) -> Option<u32> {
        let mut empty = 0;
        while empty < TURNS.len() {
            self.turn = (self.turn + 1) % TURNS.len();
            match self.queues[TURNS[self.turn]].pop() {
                None => empty += 1,
                Some(index) => {
                    let (word, bit) = (index as usize / 64, index % 64);
                    if self.expanded[word] >> bit & 1 == 0 {
                        self.expanded[word] |= 1 << bit;
                        return Some(index);
                    }
                    empty = 0;
                }
            }
        }
        None
    }

    /// Opens the positions after `index`; moves that mate, where they are found.
    fn expand(&mut self, index: u32) -> Option<Vec<Move>> {
        let board = Board::unpack(self.closed.get(index));
        let every = WALK_EVERY[usize::from(self.nodes > EARLY)];
        if self.nodes.is_multiple_of(every) {
            let walk = walk::walk(&board, (self.nodes / every) as usize);
            if walk.mate {
                return Some(walk.line);
            }
        }
        let mut moves = MoveList::new();
        let in_check = legal_moves(&board, &mut moves);
        // A mated Black is found a move before.
        self.for_both &= !(in_check && moves.is_empty());
        for &mv in &moves {
            let child = board.play(mv);
            if child.turn == Color::Black && child.in_check() && !has_legal_move(&child) {
                return Some(vec![mv]);
            }
            let irreversible = (board.occupied() & mv.to().bitboard()).any()
                || board.kind(PieceType::Pawn).contains(mv.from());
            if irreversible
                && (material::cannot_mate(&child)
                    || self.pruning == Pruning::Static
                        && !self.closed.contains(&child.pack())
                        && self.is_dead(&child))
            {
                self.for_both = false;
                continue;
            }
            self.insert(&child, index, Some(mv));
        }
        None
    }

    /// Whether a static argument shows that White cannot mate from `board`. Not asked each time where
    /// it has failed with the same pawns and pieces before.
    fn is_dead(&mut self, board: &Board) -> bool {
        let structure = structure(board);
        let failures = self.failures.get(&structure).copied().unwrap_or(0);
        if failures >= PATIENCE && !failures.is_power_of_two() {
            self.failures.insert(structure, failures + 1);
            return false;
        }
        let dead = self.is_shown_dead(board);
        self.failures.insert(structure, if dead { 0 } else { failures + 1 });
        dead
    }

    fn is_shown_dead(&mut self, board: &Board) -> bool {
        if let Some(fortress) = Fortress::new(board) {
            let allowed = self.stages.min(STAGES.1);
            let mut left = allowed;
            let dead = fortress.holds_in_stages(&mut left, &mut self.known);
            self.stages -= allowed - left;
            if dead {
                return true;
            }
        }
        if self.projected * EXPANSIONS > self.nodes {
            return false;
        }
        let (dead, visited) = projection::holds(board, Tracked::Pawns, PROJECTIONS);
        self.projected += visited as u64;
        dead
    }

    fn insert(&mut self, board: &Board, parent: u32, mv: Option<Move>) {
        let Some(index) = self.closed.insert(board.pack(), parent) else {
            return;
        };
        if index % 64 == 0 {
            self.expanded.push(0);
        }
        for (queue, score) in self.queues.iter_mut().zip(self.guides.scores(board, mv)) {
            queue.push(score, index);
            self.open_bytes += size_of::<u32>();
        }
    }

    /// The moves from the root to a position.
    fn line_to(&self, index: u32) -> Vec<Move> {
        let mut line = Vec::new();
        let mut at = index;
        loop {
            let parent = self.closed.parent(at);
            if parent == ClosedSet::NO_PARENT {
                break;
            }
            let board = Board::unpack(self.closed.get(parent));
            let mut moves = MoveList::new();
            legal_moves(&board, &mut moves);
            line.extend(moves.iter().find(|&&mv| board.play(mv).pack() == *self.closed.get(at)));
            at = parent;
        }
        line.reverse();
        line
    }
}

/// The queues in turn: the one that knows best what White needs has every other turn.
const TURNS: [usize; 6] = [0, 1, 0, 2, 0, 3];

/// Expansions from one walk to the next, early in a search and later: a walk costs about as much as
/// 32 of them, but early on it is the likelier way to a mate.
const WALK_EVERY: [u64; 2] = [16, 128];
/// Expansions after which a search has lasted long.
const EARLY: u64 = 2000;

/// Expansions for each projection that may be visited, and projections for one position.
const EXPANSIONS: u64 = 2;
const PROJECTIONS: usize = 200;

/// Fortresses that the argument in stages may look at in a search, and for one position.
const STAGES: (u32, u32) = (10_000, 2000);

/// Failures of the static arguments with the same pawns and pieces before they are asked less often.
const PATIENCE: u32 = 16;

/// A hash of the pawns and of the number of each piece.
pub(super) fn structure(board: &Board) -> u64 {
    let [white, black] = Color::ALL.map(|color| board.pieces(color, PieceType::Pawn).0);
    let pieces = Color::ALL.map(|color| {
        PieceType::ALL
            .iter()
            .fold(0, |set, &kind| set << 4 | board.pieces(color, kind).count() as u64)
    });
    closed_set::hash(&[white, black, pieces[0], pieces[1]])
}

/// Numbers of positions by score; the lowest score first, the newest first among equals.
#[derive(Default)]
struct BucketQueue {
    buckets: Vec<Vec<u32>>,
    lowest: usize,
}

impl BucketQueue {
    #[inline]
    fn push(&mut self, score: usize, index: u32) {
        if score >= self.buckets.len() {
            self.buckets.resize_with(score + 1, Vec::new);
        }
        self.buckets[score].push(index);
        self.lowest = self.lowest.min(score);
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        while let Some(bucket) = self.buckets.get_mut(self.lowest) {
            if let Some(index) = bucket.pop() {
                return Some(index);
            }
            self.lowest += 1;
        }
        None
    }
}
