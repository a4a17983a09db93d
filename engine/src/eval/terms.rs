//! The terms of the evaluation.

use super::score::Score;
use super::weights::{self as w, WEIGHTS};
use super::{FULL_PHASE, scale};
use crate::board::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_set_attacks, queen_attacks, rook_attacks,
};
use crate::board::{Bitboard, Color, PieceType, Position, Square};

/// Hears of every weight that is used, for the tuner and for the explanation.
pub trait Trace {
    /// The weight at `index` of [`WEIGHTS`] counts `count` times for `color`.
    fn note(&mut self, index: usize, color: Color, count: i32);
}

/// Hears nothing.
impl Trace for () {
    #[inline(always)]
    fn note(&mut self, _: usize, _: Color, _: i32) {}
}

/// What the parts of the evaluation share.
struct Evaluation<'a, T> {
    position: &'a Position,
    occupied: Bitboard,
    /// Squares attacked by each side's men of each kind.
    attacks: [[Bitboard; 6]; 2],
    /// Squares attacked by each side at all, and twice or more.
    all: [Bitboard; 2],
    twice: [Bitboard; 2],
    /// Where mobility counts.
    mobility_area: [Bitboard; 2],
    /// The squares around each king, one rank further forward.
    king_zone: [Bitboard; 2],
    total: [Score; 2],
    trace: T,
}

/// The evaluation for the side to move.
#[inline(always)]
pub fn evaluate(position: &Position) -> i32 {
    let (total, _) = run(position, ());
    let white = taper(position, total);
    let tempo = WEIGHTS[w::TEMPO];
    let own = if position.side_to_move() == Color::White { white } else { -white };
    own + tempo.middlegame()
}

/// Evaluates with a trace, and returns the sum of all terms but the tempo, White's less Black's.
pub fn trace<T: Trace>(position: &Position, trace: T) -> (Score, T) {
    run(position, trace)
}

/// Blends middlegame and endgame by the men left, with the endgame scaled by its drawishness.
#[inline(always)]
pub(super) fn taper(position: &Position, total: Score) -> i32 {
    let phase = phase(position);
    let factor = scale::factor(position, total.endgame());
    let endgame = total.endgame() * factor / scale::FULL;
    (total.middlegame() * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE
}

/// The phase: [`FULL_PHASE`] at the start, 0 without pieces.
#[inline(always)]
pub fn phase(position: &Position) -> i32 {
    let count = |kind| position.kind(kind).count() as i32;
    let phase = count(PieceType::Knight)
        + count(PieceType::Bishop)
        + 2 * count(PieceType::Rook)
        + 4 * count(PieceType::Queen);
    phase.min(FULL_PHASE)
}

#[inline(always)]
fn run<T: Trace>(position: &Position, trace: T) -> (Score, T) {
    let empty = Bitboard::EMPTY;
    let mut evaluation = Evaluation {
        position,
        occupied: position.occupied(),
        attacks: [[empty; 6]; 2],
        all: [empty; 2],
        twice: [empty; 2],
        mobility_area: [empty; 2],
        king_zone: [empty; 2],
        total: [Score::default(); 2],
        trace,
    };
    for us in Color::ALL {
        evaluation.prepare(us);
    }
    for us in Color::ALL {
        evaluation.pieces(us);
    }
    for us in Color::ALL {
        evaluation.pawns(us);
        evaluation.threats(us);
        evaluation.king(us);
    }
    let [white, black] = evaluation.total;
    (white - black, evaluation.trace)
}

/// All squares ahead of a set, as `us` looks.
#[inline(always)]
fn ahead(us: Color, set: Bitboard) -> Bitboard {
    let mut s = set.0;
    match us {
        Color::White => {
            s |= s << 8;
            s |= s << 16;
            s |= s << 32;
            Bitboard(s << 8)
        }
        Color::Black => {
            s |= s >> 8;
            s |= s >> 16;
            s |= s >> 32;
            Bitboard(s >> 8)
        }
    }
}

/// A set and its neighbours on the files beside it.
#[inline(always)]
fn with_neighbours(set: Bitboard) -> Bitboard {
    Bitboard(set.0 | beside(set).0)
}

#[inline(always)]
fn beside(set: Bitboard) -> Bitboard {
    let not_a = !Bitboard::file(0).0;
    let not_h = !Bitboard::file(7).0;
    Bitboard((set.0 & not_h) << 1 | (set.0 & not_a) >> 1)
}

#[inline(always)]
fn step(us: Color, set: Bitboard) -> Bitboard {
    match us {
        Color::White => Bitboard(set.0 << 8),
        Color::Black => Bitboard(set.0 >> 8),
    }
}

impl<T: Trace> Evaluation<'_, T> {
    #[inline(always)]
    fn add(&mut self, us: Color, index: usize) {
        self.total[us.index()] += WEIGHTS[index];
        self.trace.note(index, us, 1);
    }

    #[inline(always)]
    fn add_times(&mut self, us: Color, index: usize, count: u32) {
        self.total[us.index()] += WEIGHTS[index] * count as i32;
        self.trace.note(index, us, count as i32);
    }

    #[inline(always)]
    fn own(&self, us: Color, kind: PieceType) -> Bitboard {
        self.position.pieces(us, kind)
    }

    #[inline(always)]
    fn note_attacks(&mut self, us: Color, kind: PieceType, squares: Bitboard) {
        let side = us.index();
        self.attacks[side][kind.index()] |= squares;
        self.twice[side] |= self.all[side] & squares;
        self.all[side] |= squares;
    }

    /// Men and squares of pawns and king, and what the pieces' terms need of both sides.
    #[inline(always)]
    fn prepare(&mut self, us: Color) {
        let pawns = self.own(us, PieceType::Pawn);
        let king = self.position.king(us);
        self.place(us, PieceType::King, king);
        for square in pawns {
            self.place(us, PieceType::Pawn, square);
        }
        let steps = king_attacks(king);
        self.note_attacks(us, PieceType::Pawn, pawn_set_attacks(us, pawns));
        self.note_attacks(us, PieceType::King, steps);
        let zone = steps | king.bitboard();
        self.king_zone[us.index()] = zone | step(us, zone);
        let enemy_pawns = self.own(!us, PieceType::Pawn);
        let blocked = pawns & step(!us, self.occupied);
        self.mobility_area[us.index()] =
            !(blocked | king.bitboard() | pawn_set_attacks(!us, enemy_pawns));
    }

    /// Material and square of a man.
    #[inline(always)]
    fn place(&mut self, us: Color, kind: PieceType, square: Square) {
        if kind != PieceType::King {
            self.add(us, w::MATERIAL + kind.index());
        }
        let square = if us == Color::White { square } else { square.flip_rank() };
        self.add(us, w::SQUARES + kind.index() * 64 + square.index());
    }

    /// Knights, bishops, rooks and queens: squares, mobility, attacks on the enemy king.
    #[inline(always)]
    fn pieces(&mut self, us: Color) {
        let them = !us;
        let occupied = self.occupied;
        // Sliders see through the own queen or rook behind or before which they stand.
        let queens = self.position.kind(PieceType::Queen);
        let for_bishops = occupied ^ queens;
        let for_rooks = for_bishops ^ self.own(us, PieceType::Rook);
        for square in self.own(us, PieceType::Knight) {
            self.piece(us, PieceType::Knight, square, knight_attacks(square), w::KNIGHT_MOBILITY);
        }
        for square in self.own(us, PieceType::Bishop) {
            let attacks = bishop_attacks(square, for_bishops);
            self.piece(us, PieceType::Bishop, square, attacks, w::BISHOP_MOBILITY);
        }
        for square in self.own(us, PieceType::Rook) {
            let attacks = rook_attacks(square, for_rooks);
            self.piece(us, PieceType::Rook, square, attacks, w::ROOK_MOBILITY);
            let file = Bitboard::file(square.file());
            if (file & self.own(us, PieceType::Pawn)).is_empty() {
                let half_open = (file & self.own(them, PieceType::Pawn)).any();
                self.add(us, w::ROOK_FILE + half_open as usize);
            }
        }
        for square in self.own(us, PieceType::Queen) {
            let attacks = queen_attacks(square, occupied);
            self.piece(us, PieceType::Queen, square, attacks, w::QUEEN_MOBILITY);
        }
        if self.own(us, PieceType::Bishop).more_than_one() {
            self.add(us, w::BISHOP_PAIR);
        }
        // Outposts: defended by a pawn, out of reach of the enemy's.
        let enemy_reach = beside(ahead(them, self.own(them, PieceType::Pawn)));
        let holes = self.attacks[us.index()][0] & !enemy_reach & far_half(us);
        self.add_times(us, w::OUTPOST, (holes & self.own(us, PieceType::Knight)).count());
        self.add_times(us, w::OUTPOST + 1, (holes & self.own(us, PieceType::Bishop)).count());
    }

    #[inline(always)]
    fn piece(
        &mut self,
        us: Color,
        kind: PieceType,
        square: Square,
        attacks: Bitboard,
        mobility: usize,
    ) {
        self.place(us, kind, square);
        self.note_attacks(us, kind, attacks);
        let count = (attacks & self.mobility_area[us.index()]).count() as usize;
        self.add(us, mobility + count);
    }

    /// Structure and passed pawns.
    #[inline(always)]
    fn pawns(&mut self, us: Color) {
        let them = !us;
        let pawns = self.own(us, PieceType::Pawn);
        let enemy = self.own(them, PieceType::Pawn);
        let files = with_files(pawns);
        self.add_times(us, w::ISOLATED, (pawns & !beside(files)).count());
        self.add_times(us, w::DOUBLED, (pawns & ahead(us, pawns)).count());
        let supported = pawns & self.attacks[us.index()][0];
        let phalanx = pawns & beside(pawns);
        let unsupportable = pawns & !with_neighbours_behind(us, pawns) & beside(files);
        let stopped = step(them, self.attacks[them.index()][0]);
        self.add_times(us, w::BACKWARD, (unsupportable & stopped & !supported).count());
        for square in supported {
            self.add(us, w::SUPPORTED + square.relative_rank(us) as usize);
        }
        for square in phalanx {
            self.add(us, w::PHALANX + square.relative_rank(us) as usize);
        }
        let reach = ahead(them, enemy);
        let passed = pawns & !(with_neighbours(reach)) & !ahead(them, pawns);
        for square in passed {
            self.passed(us, square);
        }
    }

    #[inline(always)]
    fn passed(&mut self, us: Color, square: Square) {
        let them = !us;
        let rank = square.relative_rank(us) as usize;
        self.add(us, w::PASSED + rank);
        if rank < 3 {
            return;
        }
        let path = ahead(us, square.bitboard());
        let stop = step(us, square.bitboard());
        if (stop & self.occupied).any() {
            self.add(us, w::PASSED_BLOCKED + rank);
        }
        if (path & (self.all[them.index()] | self.occupied)).is_empty() {
            self.add(us, w::PASSED_FREE + rank);
        }
        if (stop & self.all[us.index()]).any() {
            self.add(us, w::PASSED_DEFENDED + rank);
        }
        if let Some(stop) = stop.first() {
            let own = self.position.king(us).distance(stop) as usize;
            let enemy = self.position.king(them).distance(stop) as usize;
            self.add(us, w::PASSED_OWN_KING + own);
            self.add(us, w::PASSED_ENEMY_KING + enemy);
        }
    }

    /// Attacks on men that are worth more, or hang.
    #[inline(always)]
    fn threats(&mut self, us: Color) {
        let them = !us;
        let attacks = self.attacks[us.index()];
        let minors = attacks[PieceType::Knight.index()] | attacks[PieceType::Bishop.index()];
        for (index, &kind) in PieceType::ALL[..5].iter().enumerate() {
            let men = self.own(them, kind);
            if index > 0 {
                self.add_times(us, w::PAWN_THREAT + index, (men & attacks[0]).count());
            }
            let by_rook = men & attacks[PieceType::Rook.index()];
            self.add_times(us, w::MINOR_THREAT + index, (men & minors).count());
            self.add_times(us, w::ROOK_THREAT + index, by_rook.count());
        }
        let men = self.position.color(them) & !self.own(them, PieceType::King);
        let hanging = men & self.all[us.index()] & !self.all[them.index()];
        self.add_times(us, w::HANGING, hanging.count());
        let king = men & attacks[PieceType::King.index()] & !self.all[them.index()];
        self.add_times(us, w::KING_THREAT, king.count());
        // A pawn step that attacks a piece next.
        let safe = !self.occupied & (!self.all[them.index()] | self.all[us.index()]);
        let pushes = step(us, self.own(us, PieceType::Pawn)) & safe;
        let pieces = men & !self.own(them, PieceType::Pawn);
        self.add_times(us, w::PUSH_THREAT, (pawn_set_attacks(us, pushes) & pieces).count());
    }

    /// Shelter of the own king, and the enemy's attack on it (counted for the attacker).
    #[inline(always)]
    fn king(&mut self, us: Color) {
        let them = !us;
        let king = self.position.king(us);
        let forward = !ahead(them, Bitboard::rank(king.rank()));
        let pawns = self.own(us, PieceType::Pawn) & forward;
        let storm = self.own(them, PieceType::Pawn) & forward;
        let centre = king.file().clamp(1, 6);
        for file in centre - 1..=centre + 1 {
            let mask = Bitboard::file(file);
            let beside_king = (file != king.file()) as usize;
            let shield = nearest_rank(us, pawns & mask);
            self.add(us, w::SHELTER + beside_king * 8 + shield);
            let attacker = nearest_rank(us, storm & mask);
            let blocked = (step(us, pawns & mask) & storm).any() as usize;
            self.add(us, w::STORM + blocked * 8 + attacker);
        }
        self.king_attack(them, us);
    }

    #[inline(always)]
    fn king_attack(&mut self, us: Color, them: Color) {
        let king = self.position.king(them);
        let zone = self.king_zone[them.index()];
        let attacks = self.attacks[us.index()];
        let weak = !self.twice[them.index()]
            & (!self.all[them.index()]
                | self.attacks[them.index()][PieceType::King.index()]
                | self.attacks[them.index()][PieceType::Queen.index()]);
        let safe =
            !self.position.color(us) & (!self.all[them.index()] | weak & self.twice[us.index()]);
        let diagonal = bishop_attacks(king, self.occupied);
        let straight = rook_attacks(king, self.occupied);
        let check_squares = [knight_attacks(king), diagonal, straight, diagonal | straight];
        let mut units = 0;
        const UNITS: [u32; 4] = [3, 2, 3, 3];
        const CHECK_UNITS: [u32; 4] = [6, 4, 7, 5];
        for (index, checks) in check_squares.into_iter().enumerate() {
            let hits = (attacks[index + 1] & zone).count();
            self.add_times(us, w::ZONE_ATTACK + index, hits);
            let safe_checks = attacks[index + 1] & checks & safe;
            self.add_times(us, w::SAFE_CHECK + index, safe_checks.count().min(2));
            units += UNITS[index] * hits.min(4) + CHECK_UNITS[index] * safe_checks.any() as u32;
        }
        let weak_zone = zone & weak & self.all[us.index()];
        units += 3 * weak_zone.count();
        // Danger grows faster than the number of attacks, and less without the queen.
        let queen = self.own(us, PieceType::Queen).any() as usize;
        let index = (units as usize / 3).min(w::DANGER_STEPS - 1);
        self.add(us, w::DANGER + queen * w::DANGER_STEPS + index);
    }
}

/// Every square of the files of a set.
#[inline(always)]
fn with_files(set: Bitboard) -> Bitboard {
    Bitboard(set.0 | ahead(Color::White, set).0 | ahead(Color::Black, set).0)
}

/// Squares with a pawn beside or behind on a neighbouring file, as `us` looks.
#[inline(always)]
fn with_neighbours_behind(us: Color, pawns: Bitboard) -> Bitboard {
    beside(pawns | ahead(us, pawns))
}

#[inline(always)]
fn far_half(us: Color) -> Bitboard {
    match us {
        Color::White => Bitboard(0x00FF_FFFF_0000_0000 | 0xFF00_0000),
        Color::Black => Bitboard(0x0000_0000_FFFF_FF00 | 0xFF_0000_0000),
    }
}

/// The rank, as `us` counts, of the pawn nearest to the own back rank; 0 without one.
#[inline(always)]
fn nearest_rank(us: Color, pawns: Bitboard) -> usize {
    if pawns.is_empty() {
        return 0;
    }
    let lowest = match us {
        Color::White => pawns.0.trailing_zeros() / 8,
        Color::Black => pawns.0.leading_zeros() / 8,
    };
    lowest as usize
}
