//! Static proofs: squares that the men can ever reach, without playing moves.
//!
//! A [`Fortress`] stands for many positions at once: pawns on their squares, each other man
//! somewhere in its region, either side to move. Regions over-approximate. Two arguments use it.
//!
//! *Saturation* lets captures and pawn moves happen in any order and number, and grows every region
//! to the least fixpoint. Soundness is by induction on a game: take its first move that leaves the
//! regions (or captures a man held to be safe, or moves one held to be fixed). Before it everything
//! held, so the rule that excluded it applied to a true position; hence the move was illegal.
//!
//! *Staging* looks at the quiet part of a game up to its first capture or pawn move: pawns stand
//! still and nobody vanishes, so the regions are small. Where no mate fits in them, each possible
//! first capture or pawn move leads to another fortress, which is proven in turn. The number of
//! captures and pawn moves is finite, so the recursion is sound by induction on it.

use std::hash::BuildHasher;

use arrayvec::ArrayVec;
use engine::board::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, pawn_set_attacks, rook_attacks,
};
use engine::board::{Bitboard, Color, PieceType, Square};
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::board::Board;

/// Men at most.
pub(super) const MEN: usize = 32;

/// Some of the men of a position.
pub(super) type Men = ArrayVec<Man, MEN>;

/// A man and where it may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Man {
    pub color: Color,
    pub kind: PieceType,
    /// Over-approximation of its squares.
    pub region: Bitboard,
}

/// A set of positions: every man somewhere in its region, either side to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Fortress {
    men: Men,
}

/// What was found out about fortresses that quiet moves do not leave.
#[derive(Default)]
pub(super) struct Known {
    hold: FxHashSet<Fortress>,
    /// Hashes of those for which nothing was shown. A proof may be missed where two share a hash, or
    /// where only part of the fortress holds; none is ever made up.
    fail: FxHashSet<u64>,
}

/// Hashes that are kept at most.
const FAILURES: usize = 200_000;

/// What holds in every position of a saturated fortress.
struct Facts {
    /// Under-approximation: squares whose man never moves and is never captured.
    steady: Bitboard,
    /// Under-approximation: squares that a colour always attacks.
    attacked: [Bitboard; 2],
}

/// Sets of squares that belong to all men of a colour, as far as the regions have grown.
struct Unions {
    /// Where a man that may be captured may stand.
    victims: [Bitboard; 2],
    /// Where a man that may be captured stands fast.
    standing: [Bitboard; 2],
}

impl Fortress {
    /// The fortress of one position; `None` where an en passant capture is possible, which the
    /// rules below do not know before a double step.
    pub fn new(board: &Board) -> Option<Self> {
        if board.ep.is_some() {
            return None;
        }
        let mut men = Men::new();
        for color in Color::ALL {
            for kind in PieceType::ALL {
                for square in board.pieces(color, kind) {
                    let mut region = square.bitboard();
                    if (board.castling & super::board::home_rank(color)).any() {
                        // Castling is a jump of the king and the rooks along their rank.
                        let rank = super::board::home_rank(color);
                        if kind == PieceType::King || board.castling.contains(square) {
                            region |= rank;
                        }
                    }
                    men.push(Man { color, kind, region });
                }
            }
        }
        Some(Self { men })
    }

    /// The fortress of a board's men, each on its square, and of a crew, each in its region.
    pub fn of_men(board: &Board, crew: &[Man]) -> Self {
        let mut men: Men = crew.iter().copied().collect();
        for color in Color::ALL {
            for kind in PieceType::ALL {
                for square in board.pieces(color, kind) {
                    men.push(Man { color, kind, region: square.bitboard() });
                }
            }
        }
        Self { men }
    }

    /// The men.
    pub fn men(&self) -> &[Man] {
        &self.men
    }

    /// Where each man may ever stand while White can still win; `None` where White may promote.
    pub fn regions(mut self) -> Option<Men> {
        self.saturate()?;
        Some(self.men)
    }

    /// Whether White can never mate, by saturation alone.
    pub fn holds(&self) -> bool {
        if self.cannot_mate() {
            return true;
        }
        let mut grown = self.clone();
        grown.saturate().is_some_and(|facts| !grown.mate_fits(&facts))
    }

    /// Whether White can never mate, by staging; `budget` counts fortresses looked at, `known` keeps
    /// what was found out about them.
    pub fn holds_in_stages(&self, budget: &mut u32, known: &mut Known) -> bool {
        if self.cannot_mate() {
            return true;
        }
        let mut quiet = self.clone();
        let facts = quiet.saturate_quietly();
        let fingerprint = FxBuildHasher.hash_one(&quiet);
        if known.fail.contains(&fingerprint) {
            return false;
        }
        if known.hold.contains(&quiet) {
            return true;
        }
        let exhausted = *budget == 0;
        *budget = budget.saturating_sub(1);
        // Most positions that are not proven fail at the first question.
        if !quiet.mate_fits(&facts) {
            if self.holds() {
                return true;
            }
            let mut holds = |next: Fortress| next.holds_in_stages(budget, known);
            if !exhausted && quiet.all_events(&facts, &mut holds) {
                known.hold.insert(quiet);
                return true;
            }
            if !exhausted && *budget == 0 {
                // With more to spend it might be shown another time.
                return false;
            }
        }
        if known.fail.len() < FAILURES {
            known.fail.insert(fingerprint);
        }
        false
    }

    /// The material rules, whose arguments need no squares.
    pub fn cannot_mate(&self) -> bool {
        let mut white = [0; 6];
        let mut others = [0; 6];
        let mut bishops = Bitboard::EMPTY;
        for man in &self.men {
            if man.color == Color::White {
                white[man.kind.index()] += 1
            } else {
                others[man.kind.index()] += 1
            }
            if man.kind == PieceType::Bishop {
                bishops |= man.region;
            }
        }
        let [pawns, knights, white_bishops, rooks, queens, _] = white;
        if pawns + rooks + queens > 0 {
            return false;
        }
        if white_bishops == 0 {
            let harmful = others[0] + others[1] + others[2] + others[3];
            return knights == 0 || knights == 1 && harmful == 0;
        }
        knights + others[0] + others[1] == 0
            && (bishops.is_subset(Bitboard::LIGHT) || bishops.is_subset(Bitboard::DARK))
    }

    /// Grows the regions until no quiet move of a piece leaves them. Pawns stand still, and nobody
    /// vanishes: whoever cannot move is steady.
    fn saturate_quietly(&mut self) -> Facts {
        let pawns = |color: Color| {
            let of_color =
                self.men.iter().filter(|man| man.color == color && man.kind == PieceType::Pawn);
            of_color.fold(Bitboard::EMPTY, |set, man| set | man.region)
        };
        let pawns = Color::ALL.map(pawns);
        let by_pawns = Color::ALL.map(|color| pawn_set_attacks(color, pawns[color.index()]));
        loop {
            let mut steady = pawns[0] | pawns[1];
            let mut entered = steady;
            for man in self.men.iter().filter(|man| man.kind != PieceType::Pawn) {
                entered |= man.region;
                if !man.region.more_than_one() {
                    steady |= man.region;
                }
            }
            let mut attacked = by_pawns;
            for man in self.men.iter().filter(|man| man.kind != PieceType::Pawn) {
                attacked[man.color.index()] |= always_attacked(man, entered);
            }
            let mut changed = false;
            for man in self.men.iter_mut().filter(|man| man.kind != PieceType::Pawn) {
                let mut closed = steady;
                if man.kind == PieceType::King {
                    closed |= attacked[1 - man.color.index()];
                }
                let grown = flood(man.kind, man.region, Bitboard::EMPTY, closed);
                changed |= grown != man.region;
                man.region = grown;
            }
            if !changed {
                return Facts { steady, attacked };
            }
        }
    }

    /// Grows the regions until no move leaves them. `None` where White may promote in the course of
    /// it: then nothing can be shown.
    fn saturate(&mut self) -> Option<Facts> {
        let start: ArrayVec<Bitboard, MEN> = self.men.iter().map(|man| man.region).collect();
        let count = self.men.len();
        let mut safe = [true; MEN];
        // The only white man besides the king is never captured in a game that White wins.
        let lone = self.lone_white_man();
        loop {
            let facts = self.facts(&start, &safe);
            let mut unions = self.unions(&facts, lone);
            let mut changed = false;
            for at in 0..count {
                let mut grown = self.grow(at, &start, &safe, &facts, &unions);
                let man = &mut self.men[at];
                if man.kind == PieceType::Pawn {
                    let last = Bitboard::rank(if man.color == Color::White { 7 } else { 0 });
                    if (grown & last).any() {
                        if man.color == Color::White {
                            return None;
                        }
                        // A promoted man may come to stand anywhere.
                        grown = Bitboard::ALL;
                    }
                }
                if grown != man.region {
                    man.region = grown;
                    if man.kind != PieceType::King && Some(at) != lone {
                        unions.victims[man.color.index()] |= grown;
                    }
                    changed = true;
                }
            }
            let takes = Color::ALL.map(|color| self.takes(color));
            for (at, man) in self.men.iter().enumerate() {
                if safe[at]
                    && Some(at) != lone
                    && man.kind != PieceType::King
                    && (takes[1 - man.color.index()] & man.region).any()
                {
                    safe[at] = false;
                    changed = true;
                }
            }
            if !changed {
                return Some(facts);
            }
        }
    }

    /// The white man besides the king, where there is only one.
    fn lone_white_man(&self) -> Option<usize> {
        let mut white = self
            .men
            .iter()
            .enumerate()
            .filter(|(_, man)| man.color == Color::White && man.kind != PieceType::King);
        match (white.next(), white.next()) {
            (Some((at, _)), None) => Some(at),
            _ => None,
        }
    }

    /// The squares on which a man of this colour may capture: those it can stand on, or a pawn attacks.
    /// Direction: over-approximates.
    fn takes(&self, color: Color) -> Bitboard {
        self.men.iter().filter(|man| man.color == color).fold(Bitboard::EMPTY, |set, man| {
            set | match man.kind {
                PieceType::Pawn if man.region != Bitboard::ALL => {
                    pawn_set_attacks(color, man.region)
                }
                _ => man.region,
            }
        })
    }

    /// What the men of each colour cover together.
    fn unions(&self, facts: &Facts, lone: Option<usize>) -> Unions {
        let mut unions = Unions { victims: [Bitboard::EMPTY; 2], standing: [Bitboard::EMPTY; 2] };
        for (at, man) in self.men.iter().enumerate() {
            if man.kind != PieceType::King && Some(at) != lone {
                unions.victims[man.color.index()] |= man.region;
                // Only where it stands fast itself: a roaming man's region holds steady squares too.
                if !man.region.more_than_one() {
                    unions.standing[man.color.index()] |= man.region & facts.steady;
                }
            }
        }
        unions
    }

    /// What the regions so far leave certain.
    ///
    /// `steady`: a safe man whose region is still its one square at the start. `attacked`: a safe
    /// man attacks, from every square of its region, at least the squares common to all its squares;
    /// a slider only along squares that no man ever enters. The enemy king can never step there.
    fn facts(&self, start: &[Bitboard], safe: &[bool; MEN]) -> Facts {
        let mut steady = Bitboard::EMPTY;
        let mut entered = Bitboard::EMPTY;
        for (at, man) in self.men.iter().enumerate() {
            entered |= man.region;
            if safe[at] && !man.region.more_than_one() && man.region == start[at] {
                steady |= man.region;
            }
        }
        let mut attacked = [Bitboard::EMPTY; 2];
        for (at, man) in self.men.iter().enumerate() {
            if safe[at] {
                attacked[man.color.index()] |= always_attacked(man, entered);
            }
        }
        Facts { steady, attacked }
    }

    /// The region of a man after one more round of its moves.
    ///
    /// Pieces go step by step through squares that are not steady: whatever stands there may have
    /// gone. They may end on a steady enemy that is not a king: that is its capture. Kings never
    /// step on squares that the enemy always attacks.
    fn grow(
        &self,
        at: usize,
        start: &[Bitboard],
        safe: &[bool; MEN],
        facts: &Facts,
        unions: &Unions,
    ) -> Bitboard {
        let man = self.men[at];
        if man.kind == PieceType::Pawn {
            return self.grow_pawn(at, start, safe, facts, unions);
        }
        let capturable = unions.standing[1 - man.color.index()];
        let mut closed = facts.steady & !capturable;
        if man.kind == PieceType::King {
            closed |= facts.attacked[1 - man.color.index()];
        }
        flood(man.kind, man.region, capturable, closed)
    }

    /// Pushes to squares that are not steady, captures where a capturable enemy may stand. Pawns
    /// that face each other on a file, neither of which ever leaves it or is captured, keep their
    /// order: a push goes through empty squares only.
    fn grow_pawn(
        &self,
        at: usize,
        start: &[Bitboard],
        safe: &[bool; MEN],
        facts: &Facts,
        unions: &Unions,
    ) -> Bitboard {
        let man = self.men[at];
        if man.region == Bitboard::ALL {
            return man.region;
        }
        let white = man.color == Color::White;
        let mut free = !facts.steady;
        let home = start[at];
        if let Some(square) = home.first() {
            let file = Bitboard::file(square.file());
            if man.region.is_subset(file) {
                for (other, enemy) in self.men.iter().enumerate() {
                    if enemy.color != man.color
                        && enemy.kind == PieceType::Pawn
                        && safe[other]
                        && enemy.region.is_subset(file)
                        && let Some(theirs) = start[other].first()
                    {
                        let ahead = if white { theirs > square } else { theirs < square };
                        if ahead {
                            let rank = theirs.rank();
                            free &= if white {
                                Bitboard((1u64 << (rank * 8)) - 1)
                            } else {
                                Bitboard(u64::MAX.checked_shl(u32::from(rank) * 8 + 8).unwrap_or(0))
                            };
                        }
                    }
                }
            }
        }
        let victims = unions.victims[1 - man.color.index()];
        let push = |set: Bitboard| Bitboard(if white { set.0 << 8 } else { set.0 >> 8 });
        let mut region = man.region;
        loop {
            let captures = pawn_set_attacks(man.color, region) & victims;
            let next = region | push(region) & free | captures;
            if next == region {
                return region;
            }
            region = next;
        }
    }

    /// Whether some placement of the men within their regions could be a mate of Black.
    /// Direction: over-approximates; `false` is proven.
    ///
    /// In a mate on `m` some white man checks from a square of its region, and every square beside
    /// `m` that the king can ever enter is covered by the checker, by another white man, by the white
    /// king from one square of its region not beside `m`, or filled by a black man of its own.
    /// Only steady men are sure to block a line.
    fn mate_fits(&self, facts: &Facts) -> bool {
        let king_region = |color: Color| {
            self.men
                .iter()
                .find(|man| man.color == color && man.kind == PieceType::King)
                .map_or(Bitboard::EMPTY, |man| man.region)
        };
        let (black_king, white_king) = (king_region(Color::Black), king_region(Color::White));
        // A line that checks goes on behind the king.
        let through = facts.steady & !black_king;
        let mut once = Bitboard::EMPTY;
        let mut twice = Bitboard::EMPTY;
        let mut attackers: ArrayVec<(&Man, Bitboard), MEN> = ArrayVec::new();
        for man in &self.men {
            if man.color == Color::White && man.kind != PieceType::King {
                let attacks = attacks_from(man, man.region, through);
                twice |= once & attacks;
                once |= attacks;
                attackers.push((man, attacks));
            }
        }
        let fillers: ArrayVec<Bitboard, MEN> = self
            .men
            .iter()
            .filter(|man| man.color == Color::Black && man.kind != PieceType::King)
            .map(|man| man.region)
            .collect();
        for mated in black_king & once {
            let beside = king_attacks(mated) & black_king;
            for &(checker, attacks) in &attackers {
                if !attacks.contains(mated) {
                    continue;
                }
                let left = beside & !twice & (attacks | !once);
                let sources = attacks_on(checker, mated, facts.steady) & checker.region;
                for from in sources & !mated.bitboard() {
                    let rest = left & !attacks_from(checker, from.bitboard(), through);
                    if rest_is_closed(rest, mated, white_king, &fillers) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Whether `test` holds for the fortresses after each possible first capture or pawn move, from the
    /// quiet regions.
    fn all_events(&self, facts: &Facts, test: &mut dyn FnMut(Fortress) -> bool) -> bool {
        (0..self.men.len()).all(|at| match self.men[at].kind {
            PieceType::Pawn => self.all_pawn_events(at, facts, test),
            _ => self.all_captures(at, facts, test),
        })
    }

    /// Captures by a piece: it lands, in one move from its region, where the victim may stand.
    fn all_captures(
        &self,
        at: usize,
        facts: &Facts,
        test: &mut dyn FnMut(Fortress) -> bool,
    ) -> bool {
        let man = self.men[at];
        let mut reach = match man.kind {
            PieceType::King => step(man.kind, man.region),
            _ => attacks_from(&man, man.region, facts.steady),
        };
        if man.kind == PieceType::King {
            reach &= !facts.attacked[1 - man.color.index()];
        }
        for (other, victim) in self.men.iter().enumerate() {
            let on = victim.region & reach;
            if victim.color != man.color && victim.kind != PieceType::King && on.any() {
                let mut next = self.clone();
                next.men[at].region = on;
                next.men.remove(other);
                if !test(next) {
                    return false;
                }
            }
        }
        true
    }

    /// Pushes, double steps (with the en passant capture that may follow), captures, promotions.
    fn all_pawn_events(
        &self,
        at: usize,
        facts: &Facts,
        test: &mut dyn FnMut(Fortress) -> bool,
    ) -> bool {
        let man = self.men[at];
        let Some(from) = man.region.first() else { return true };
        let white = man.color == Color::White;
        let push =
            |set: Bitboard| Bitboard(if white { set.0 << 8 } else { set.0 >> 8 }) & !facts.steady;
        let single = push(man.region);
        let double =
            if from.relative_rank(man.color) == 1 { push(single) } else { Bitboard::EMPTY };
        if !(single | double).into_iter().all(|to| self.all_arrivals(at, None, to, test)) {
            return false;
        }
        if double.any() {
            for (other, enemy) in self.men.iter().enumerate() {
                let capturer = enemy.color != man.color && enemy.kind == PieceType::Pawn;
                if capturer && (pawn_set_attacks(enemy.color, enemy.region) & single).any() {
                    let mut next = self.clone();
                    next.men[other].region = single;
                    next.men.remove(at);
                    if !test(next) {
                        return false;
                    }
                }
            }
        }
        for (other, victim) in self.men.iter().enumerate() {
            if victim.color != man.color && victim.kind != PieceType::King {
                for to in pawn_attacks(man.color, from) & victim.region {
                    if !self.all_arrivals(at, Some(other), to, test) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// A pawn arrives on `to`, and promotes there where that is the last rank.
    fn all_arrivals(
        &self,
        at: usize,
        victim: Option<usize>,
        to: Square,
        test: &mut dyn FnMut(Fortress) -> bool,
    ) -> bool {
        let kinds: &[PieceType] = if to.relative_rank(self.men[at].color) == 7 {
            &[PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight]
        } else {
            &[PieceType::Pawn]
        };
        kinds.iter().all(|&kind| {
            let mut next = self.clone();
            next.men[at].region = to.bitboard();
            next.men[at].kind = kind;
            if let Some(victim) = victim {
                next.men.remove(victim);
            }
            test(next)
        })
    }
}

/// The squares that a man surely attacks wherever in its region it stands, if no man stands outside
/// `entered`. Not looked for in large regions.
fn always_attacked(man: &Man, entered: Bitboard) -> Bitboard {
    if man.region.count() > 4 {
        return Bitboard::EMPTY;
    }
    man.region.into_iter().fold(Bitboard::ALL, |set, square| {
        set & match man.kind {
            PieceType::Pawn => pawn_attacks(man.color, square),
            PieceType::Knight => knight_attacks(square),
            PieceType::King => king_attacks(square),
            PieceType::Bishop => bishop_attacks(square, entered),
            PieceType::Rook => rook_attacks(square, entered),
            PieceType::Queen => bishop_attacks(square, entered) | rook_attacks(square, entered),
        }
    })
}

/// The squares that a piece reaches step by step from its region without entering `closed`; on a square
/// of `ends` it stays.
fn flood(kind: PieceType, mut region: Bitboard, ends: Bitboard, closed: Bitboard) -> Bitboard {
    loop {
        let next = region | step(kind, region & !ends) & !closed;
        if next == region {
            return region;
        }
        region = next;
    }
}

/// Whether the white king from one square of its region, and black men of their own for each other
/// square, can close `rest`.
fn rest_is_closed(
    rest: Bitboard,
    mated: Square,
    white_king: Bitboard,
    fillers: &[Bitboard],
) -> bool {
    if matches_all(rest, fillers) {
        return true;
    }
    let near = king_attacks(mated) | mated.bitboard();
    let mut tried = Bitboard::EMPTY;
    for square in white_king & !near {
        let covered = king_attacks(square) & rest;
        if covered.any() && covered != tried {
            tried = covered;
            if matches_all(rest & !covered, fillers) {
                return true;
            }
        }
    }
    false
}

/// The squares one step on: for a slider the neighbours on its lines.
pub(super) fn step(kind: PieceType, set: Bitboard) -> Bitboard {
    const NOT_A: u64 = !0x0101_0101_0101_0101;
    const NOT_H: u64 = !0x8080_8080_8080_8080;
    let east = |set: u64| set << 1 & NOT_A;
    let west = |set: u64| set >> 1 & NOT_H;
    let set = set.0;
    let straight = || set << 8 | set >> 8 | east(set) | west(set);
    let slanted = || {
        let sides = east(set) | west(set);
        sides << 8 | sides >> 8
    };
    Bitboard(match kind {
        PieceType::Pawn => 0,
        PieceType::Knight => {
            let near = east(set) | west(set);
            let far = east(east(set)) | west(west(set));
            near << 16 | near >> 16 | far << 8 | far >> 8
        }
        PieceType::Bishop => slanted(),
        PieceType::Rook => straight(),
        PieceType::Queen | PieceType::King => straight() | slanted(),
    })
}

/// The squares from which a man of this kind and colour attacks `target`; only `blockers` block.
pub(super) fn attacks_on(man: &Man, target: Square, blockers: Bitboard) -> Bitboard {
    let seen_from_there = Man { color: !man.color, ..*man };
    attacks_from(&seen_from_there, target.bitboard(), blockers)
}

/// Over-approximation of what a man attacks from squares of its region; only `blockers` block.
pub(super) fn attacks_from(man: &Man, region: Bitboard, blockers: Bitboard) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    match man.kind {
        PieceType::Pawn => return pawn_set_attacks(man.color, region),
        PieceType::Knight | PieceType::King => return step(man.kind, region),
        PieceType::Bishop => region.for_each(|square| set |= bishop_attacks(square, blockers)),
        PieceType::Rook => region.for_each(|square| set |= rook_attacks(square, blockers)),
        PieceType::Queen => {
            region.for_each(|square| {
                set |= bishop_attacks(square, blockers) | rook_attacks(square, blockers)
            });
        }
    }
    set
}

/// Whether every square can be given a filler of its own (augmenting paths).
pub(super) fn matches_all(squares: Bitboard, fillers: &[Bitboard]) -> bool {
    fn augment(
        square: Square,
        fillers: &[Bitboard],
        taken: &mut [Option<Square>],
        visited: &mut u64,
    ) -> bool {
        for (at, filler) in fillers.iter().enumerate() {
            if filler.contains(square) && *visited >> at & 1 == 0 {
                *visited |= 1 << at;
                if taken[at].is_none_or(|other| augment(other, fillers, taken, visited)) {
                    taken[at] = Some(square);
                    return true;
                }
            }
        }
        false
    }
    let mut taken = [None; MEN];
    squares.into_iter().all(|square| augment(square, fillers, &mut taken[..fillers.len()], &mut 0))
}
