//! One thread of the search: its stack, its tables and its nodes.

use std::sync::Arc;

use super::correction::{Corrections, Traits};
use super::deepening::Main;
use super::history::{Histories, NO_PIECE_TO, QuietContext, piece_to};
use super::line::Lines;
use super::picker::is_noisy;
use super::reductions::{self, Reductions};
use super::repetition::{self, Cuckoo};
use super::root::RootMove;
use super::score::{DRAW, NONE};
use super::shared::Shared;
use super::{Game, MAX_PLY};
use crate::board::{Bitboard, Color, Move, PieceType, Position};
use crate::eval::network::Accumulators;

/// Frames before the root, so that earlier plies can be asked for without a check.
const BEFORE: usize = 6;

/// How often the clock and the shared counters are looked at, in nodes.
const POLL_INTERVAL: u64 = 512;

/// What a ply of the current line remembers.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The static evaluation, corrected; [`NONE`] in check.
    pub eval: i32,
    /// The move that leads to the next ply.
    pub mv: Move,
    /// Its man and destination, the index of the continuation histories.
    pub piece_to: usize,
    /// Whether it is a quiet move.
    pub is_quiet: bool,
    /// The move left out by a singular search.
    pub excluded: Move,
    /// Squares that the side not to move attacks.
    pub threats: Bitboard,
    /// Hashes of the position's parts.
    pub traits: Traits,
    /// How much the move was reduced, in plies.
    pub reduction: i32,
    /// How often children of this ply have failed high.
    pub cutoffs: u32,
    /// Plies since the last irreversible or null move.
    pub reversible: usize,
}

impl Frame {
    const EMPTY: Self = Self {
        eval: NONE,
        mv: Move::NULL,
        piece_to: NO_PIECE_TO,
        is_quiet: false,
        excluded: Move::NULL,
        threats: Bitboard::EMPTY,
        traits: Traits::ZERO,
        reduction: 0,
        cutoffs: 0,
        reversible: 0,
    };
}

/// What a thread keeps from search to search.
pub struct Memory {
    pub histories: Histories,
    pub corrections: Corrections,
    /// The sums of the network that evaluated last.
    accumulators: Option<Accumulators>,
}

impl Memory {
    pub fn new() -> Self {
        let (histories, corrections) = (Histories::new(), Corrections::new());
        Self { histories, corrections, accumulators: None }
    }

    pub fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }

    /// To be called where another network evaluates from now on.
    pub fn forget_network(&mut self) {
        self.accumulators = None;
    }
}

/// A searching thread.
pub struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    pub histories: &'a mut Histories,
    pub corrections: &'a mut Corrections,
    pub reductions: Arc<Reductions>,
    pub cuckoo: &'static Cuckoo,
    /// Set in the thread that reports and keeps the time.
    pub main: Option<Main<'a>>,
    /// Number of the thread, from 0.
    pub id: usize,
    /// Nodes of this thread.
    pub nodes: u64,
    /// Tablebase hits of this thread.
    pub tbhits: u64,
    /// The longest line of the current iteration, in plies.
    pub seldepth: usize,
    /// Set when the search must unwind; scores are void from then on.
    pub stopped: bool,
    pub root_moves: Vec<RootMove>,
    /// Index of the line that is searched with MultiPV.
    pub pv_index: usize,
    pub root_depth: i32,
    pub completed_depth: i32,
    /// No null move above this ply while one is verified.
    pub null_from_ply: usize,
    /// Width of the window at the root.
    pub root_window: i32,
    pub lines: Lines,
    /// The network's sums.
    pub accumulators: &'a mut Accumulators,
    frames: Box<[Frame]>,
    /// Keys of the game's and the line's positions, the current one last.
    pub keys: Vec<u64>,
}

impl<'a> Worker<'a> {
    pub fn new(
        id: usize,
        shared: &'a Shared<'a>,
        memory: &'a mut Memory,
        game: &Game,
        main: Option<Main<'a>>,
    ) -> Self {
        let mut keys = Vec::with_capacity(game.previous_keys().len() + MAX_PLY + 2);
        keys.extend_from_slice(game.previous_keys());
        keys.push(game.position().key());
        let mut frames = vec![Frame::EMPTY; MAX_PLY + BEFORE + 4].into_boxed_slice();
        frames[BEFORE].reversible = game.previous_keys().len();
        Self {
            shared,
            histories: &mut memory.histories,
            corrections: &mut memory.corrections,
            reductions: reductions::table(),
            cuckoo: repetition::cuckoo(),
            main,
            id,
            nodes: 0,
            tbhits: 0,
            seldepth: 0,
            stopped: false,
            root_moves: shared.root_moves.clone(),
            pv_index: 0,
            root_depth: 0,
            completed_depth: 0,
            null_from_ply: 0,
            root_window: 0,
            lines: Lines::new(),
            accumulators: memory
                .accumulators
                .get_or_insert_with(|| Accumulators::new(shared.network, MAX_PLY)),
            frames,
            keys,
        }
    }

    /// The frame of a ply.
    #[inline(always)]
    pub fn frame(&self, ply: usize) -> &Frame {
        &self.frames[ply + BEFORE]
    }

    /// The frame of a ply, to be changed.
    #[inline(always)]
    pub fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + BEFORE]
    }

    /// The frame `back` plies before `ply`; empty before the root.
    #[inline(always)]
    pub fn earlier(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[ply + BEFORE - back]
    }

    /// The continuation index of a move.
    #[inline(always)]
    pub fn piece_to(&self, position: &Position, mv: Move) -> usize {
        match position.piece_on(mv.from()) {
            Some(piece) => piece_to(piece, mv.to()),
            None => NO_PIECE_TO - 1,
        }
    }

    /// What the histories of quiet moves are indexed by here.
    #[inline(always)]
    pub fn quiet_context(&self, position: &Position, ply: usize) -> QuietContext {
        self.context_before(position.side_to_move(), ply, 0)
    }

    /// What they were indexed by one ply earlier, where the last move was made.
    #[inline(always)]
    pub fn last_quiet_context(&self, position: &Position, ply: usize) -> QuietContext {
        self.context_before(!position.side_to_move(), ply, 1)
    }

    #[inline(always)]
    fn context_before(&self, side: Color, ply: usize, plies: usize) -> QuietContext {
        let frame = self.earlier(ply, plies);
        QuietContext {
            side,
            threats: frame.threats,
            pawn_key: frame.traits.pawns,
            before: [1, 2, 4].map(|back| self.earlier(ply, plies + back).piece_to),
        }
    }

    /// Plays a move (or [`Move::NULL`], a pass) on the line; pair with [`Worker::unmake`].
    #[inline]
    pub fn make(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        let child = if mv.is_null() { position.play_null() } else { position.play(mv) };
        self.shared.table.prefetch(super::transposition::table_key(&child));
        let piece_to = if mv.is_null() { NO_PIECE_TO } else { self.piece_to(position, mv) };
        let is_quiet = !mv.is_null() && !is_noisy(position, mv);
        let frame = self.frame_mut(ply);
        frame.mv = mv;
        frame.piece_to = piece_to;
        frame.is_quiet = is_quiet;
        let reversible =
            if mv.is_null() || child.halfmove_clock() == 0 { 0 } else { frame.reversible + 1 };
        self.frame_mut(ply + 1).reversible = reversible;
        self.keys.push(child.key());
        child
    }

    /// Takes the last move back.
    #[inline(always)]
    pub fn unmake(&mut self) {
        self.keys.pop();
    }

    /// Counts a node. `false`: the search is over and the node must not be looked at.
    #[inline(always)]
    pub fn enter_node(&mut self) -> bool {
        if self.stopped || self.nodes >= self.shared.node_limit {
            self.stopped = true;
            return false;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL_INTERVAL) {
            self.poll();
        }
        !self.stopped
    }

    /// Publishes the counters and looks at the clock and the order to stop.
    #[cold]
    pub fn poll(&mut self) {
        self.shared.publish(self.id, self.nodes, self.tbhits);
        if self.main.is_some() && self.shared.is_out_of_time() {
            self.shared.stop();
        }
        if self.shared.is_stopped() {
            self.stopped = true;
        }
    }

    /// The score of a drawn position: near zero, so that the search does not take all draws for
    /// the same and looks for ways out.
    #[inline(always)]
    pub fn draw_score(&self) -> i32 {
        DRAW - 1 + (self.nodes & 2) as i32
    }

    /// Whether the side to move has more than pawns.
    #[inline(always)]
    pub fn has_pieces(position: &Position) -> bool {
        let own = position.color(position.side_to_move());
        (own & !(position.kind(PieceType::Pawn) | position.kind(PieceType::King))).any()
    }
}
