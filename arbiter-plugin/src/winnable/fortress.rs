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

use engine::board::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, pawn_set_attacks, rook_attacks,
};
use engine::board::{Bitboard, Color, PieceType, Square};

use super::board::Board;

/// Men at most.
const MEN: usize = 32;

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
    men: Vec<Man>,
}

/// What holds in every position of a saturated fortress.
struct Facts {
    /// Under-approximation: squares whose man never moves and is never captured.
    steady: Bitboard,
    /// Under-approximation: squares that a colour always attacks.
    attacked: [Bitboard; 2],
}

/// Which moves a saturation allows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moves {
    /// Neither captures nor pawn moves.
    Quiet,
    All,
}

impl Fortress {
    /// The fortress of one position; `None` where an en passant capture is possible, which the
    /// rules below do not know before a double step.
    pub fn new(board: &Board) -> Option<Self> {
        if board.ep.is_some() {
            return None;
        }
        let mut men = Vec::with_capacity(MEN);
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
        let mut men = crew.to_vec();
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
    pub fn regions(mut self) -> Option<Vec<Man>> {
        self.saturate(Moves::All)?;
        Some(self.men)
    }

    /// Whether White can never mate, by saturation alone.
    pub fn holds(&self) -> bool {
        if self.cannot_mate() {
            return true;
        }
        let mut grown = self.clone();
        grown.saturate(Moves::All).is_some_and(|facts| !grown.mate_fits(&facts))
    }

    /// Whether White can never mate, by staging; `budget` counts fortresses looked at.
    pub fn holds_in_stages(
        &self,
        budget: &mut u32,
        proven: &mut rustc_hash::FxHashSet<Fortress>,
    ) -> bool {
        if self.holds() || proven.contains(self) {
            return true;
        }
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        let mut quiet = self.clone();
        let Some(facts) = quiet.saturate(Moves::Quiet) else {
            return false;
        };
        if quiet.mate_fits(&facts) {
            return false;
        }
        let events = quiet.events(&facts);
        // The most harmful events first would fail soonest; captures by White open most.
        if events.iter().all(|next| next.holds_in_stages(budget, proven)) {
            proven.insert(self.clone());
            return true;
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

    /// Grows the regions until no move of the kind leaves them. `None` where White may promote
    /// in the course of it: then nothing can be shown.
    fn saturate(&mut self, moves: Moves) -> Option<Facts> {
        let start = self.clone();
        let count = self.men.len();
        let mut safe = [true; MEN];
        // The only white man besides the king is never captured in a game that White wins.
        let lone = self.lone_white_man();
        loop {
            let facts = self.facts(&start, &safe);
            let mut changed = false;
            for at in 0..count {
                let grown = self.grow(at, &start, &safe, &facts, moves, lone);
                let man = &mut self.men[at];
                if grown != man.region {
                    man.region = grown;
                    changed = true;
                }
                if man.kind == PieceType::Pawn && moves == Moves::All {
                    let last = Bitboard::rank(if man.color == Color::White { 7 } else { 0 });
                    if (man.region & last).any() {
                        if man.color == Color::White {
                            return None;
                        }
                        // A promoted man may come to stand anywhere.
                        if man.region != Bitboard::ALL {
                            man.region = Bitboard::ALL;
                            changed = true;
                        }
                    }
                }
            }
            if moves == Moves::All {
                for (at, safe) in safe.iter_mut().enumerate().take(count) {
                    if *safe && Some(at) != lone && self.may_be_captured(at) {
                        *safe = false;
                        changed = true;
                    }
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

    /// Whether an enemy may capture the man: it can stand where the man can, or a pawn attacks there.
    /// Direction: over-approximates.
    fn may_be_captured(&self, at: usize) -> bool {
        let man = self.men[at];
        if man.kind == PieceType::King {
            return false;
        }
        self.men.iter().any(|enemy| {
            enemy.color != man.color
                && match enemy.kind {
                    PieceType::Pawn if enemy.region != Bitboard::ALL => {
                        (pawn_set_attacks(enemy.color, enemy.region) & man.region).any()
                    }
                    _ => (enemy.region & man.region).any(),
                }
        })
    }

    /// What the regions so far leave certain.
    ///
    /// `steady`: a safe man whose region is still its one square at the start. `attacked`: a safe
    /// man attacks, from every square of its region, at least the squares common to all its squares;
    /// a slider only along squares that no man ever enters. The enemy king can never step there.
    fn facts(&self, start: &Fortress, safe: &[bool; MEN]) -> Facts {
        let mut steady = Bitboard::EMPTY;
        let mut entered = Bitboard::EMPTY;
        for (at, man) in self.men.iter().enumerate() {
            entered |= man.region;
            if safe[at] && !man.region.more_than_one() && man.region == start.men[at].region {
                steady |= man.region;
            }
        }
        let mut attacked = [Bitboard::EMPTY; 2];
        for (at, man) in self.men.iter().enumerate() {
            if !safe[at]
                || man.region.count() > 4
                || man.kind == PieceType::Pawn && man.region == Bitboard::ALL
            {
                continue;
            }
            let mut always = Bitboard::ALL;
            for square in man.region {
                always &= match man.kind {
                    PieceType::Pawn => pawn_attacks(man.color, square),
                    PieceType::Knight => knight_attacks(square),
                    PieceType::King => king_attacks(square),
                    PieceType::Bishop => bishop_attacks(square, entered),
                    PieceType::Rook => rook_attacks(square, entered),
                    PieceType::Queen => {
                        bishop_attacks(square, entered) | rook_attacks(square, entered)
                    }
                };
            }
            attacked[man.color.index()] |= always;
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
        start: &Fortress,
        safe: &[bool; MEN],
        facts: &Facts,
        moves: Moves,
        lone: Option<usize>,
    ) -> Bitboard {
        let man = self.men[at];
        if man.kind == PieceType::Pawn {
            return if moves == Moves::Quiet {
                man.region
            } else {
                self.grow_pawn(at, start, safe, facts, lone)
            };
        }
        let mut closed = facts.steady;
        let mut capturable = Bitboard::EMPTY;
        if moves == Moves::All {
            for (other, enemy) in self.men.iter().enumerate() {
                // Only where it stands fast itself: a roaming enemy's region holds steady squares too.
                let stands = !enemy.region.more_than_one();
                if enemy.color != man.color
                    && enemy.kind != PieceType::King
                    && Some(other) != lone
                    && stands
                {
                    capturable |= enemy.region & facts.steady;
                }
            }
        }
        closed &= !capturable;
        if man.kind == PieceType::King {
            closed |= facts.attacked[1 - man.color.index()];
        }
        let mut region = man.region;
        loop {
            // Nobody goes on through a steady man; it ends there.
            let next = region | step(man.kind, region & !capturable) & !closed;
            if next == region {
                return region;
            }
            region = next;
        }
    }

    /// Pushes to squares that are not steady, captures where a capturable enemy may stand. Pawns
    /// that face each other on a file, neither of which ever leaves it or is captured, keep their
    /// order: a push goes through empty squares only.
    fn grow_pawn(
        &self,
        at: usize,
        start: &Fortress,
        safe: &[bool; MEN],
        facts: &Facts,
        lone: Option<usize>,
    ) -> Bitboard {
        let man = self.men[at];
        if man.region == Bitboard::ALL {
            return man.region;
        }
        let white = man.color == Color::White;
        let mut free = !facts.steady;
        let home = start.men[at].region;
        if let Some(square) = home.first() {
            let file = Bitboard::file(square.file());
            if man.region.is_subset(file) {
                for (other, enemy) in self.men.iter().enumerate() {
                    if enemy.color != man.color
                        && enemy.kind == PieceType::Pawn
                        && safe[other]
                        && enemy.region.is_subset(file)
                        && let Some(theirs) = start.men[other].region.first()
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
        let mut victims = Bitboard::EMPTY;
        for (other, enemy) in self.men.iter().enumerate() {
            if enemy.color != man.color && enemy.kind != PieceType::King && Some(other) != lone {
                victims |= enemy.region;
            }
        }
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
        let mut checks = Bitboard::EMPTY;
        let mut attackers = Vec::with_capacity(16);
        for man in &self.men {
            if man.color == Color::White && man.kind != PieceType::King {
                let attacks = attacks_from(man, man.region, facts.steady & !black_king);
                checks |= attacks;
                attackers.push((man, attacks));
            }
        }
        for mated in black_king & checks {
            let beside = king_attacks(mated) & black_king;
            for (at, &(checker, attacks)) in attackers.iter().enumerate() {
                if !attacks.contains(mated) {
                    continue;
                }
                let others = attackers
                    .iter()
                    .enumerate()
                    .filter(|&(other, _)| other != at)
                    .fold(Bitboard::EMPTY, |set, (_, other)| set | other.1);
                for from in checker.region {
                    let single = Man { region: from.bitboard(), ..*checker };
                    if from == mated
                        || !attacks_from(&single, single.region, facts.steady).contains(mated)
                    {
                        continue;
                    }
                    let through = facts.steady & !black_king;
                    let rest = beside & !others & !attacks_from(&single, single.region, through);
                    if self.rest_is_closed(rest, mated, white_king) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Whether the white king from one square, and black men of their own for each other square,
    /// can close `rest`.
    fn rest_is_closed(&self, rest: Bitboard, mated: Square, white_king: Bitboard) -> bool {
        let fillers: Vec<Bitboard> = self
            .men
            .iter()
            .filter(|man| man.color == Color::Black && man.kind != PieceType::King)
            .map(|man| man.region)
            .collect();
        if matches_all(rest, &fillers) {
            return true;
        }
        let near = king_attacks(mated) | mated.bitboard();
        let mut tried = Bitboard::EMPTY;
        for square in white_king & !near {
            let covered = king_attacks(square) & rest;
            if covered.any() && covered != tried {
                tried = covered;
                if matches_all(rest & !covered, &fillers) {
                    return true;
                }
            }
        }
        false
    }

    /// The fortresses after each possible first capture or pawn move, from the quiet regions.
    fn events(&self, facts: &Facts) -> Vec<Fortress> {
        let mut events = Vec::new();
        for (at, man) in self.men.iter().enumerate() {
            if man.kind == PieceType::Pawn {
                self.pawn_events(at, facts, &mut events);
            } else {
                self.captures(at, facts, &mut events);
            }
        }
        events
    }

    /// Captures by a piece: it lands, in one move from its region, where the victim may stand.
    fn captures(&self, at: usize, facts: &Facts, events: &mut Vec<Fortress>) {
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
                events.push(next);
            }
        }
    }

    /// Pushes, double steps (with the en passant capture that may follow), captures, promotions.
    fn pawn_events(&self, at: usize, facts: &Facts, events: &mut Vec<Fortress>) {
        let man = self.men[at];
        let Some(from) = man.region.first() else { return };
        let white = man.color == Color::White;
        let push =
            |set: Bitboard| Bitboard(if white { set.0 << 8 } else { set.0 >> 8 }) & !facts.steady;
        let single = push(man.region);
        let double =
            if from.relative_rank(man.color) == 1 { push(single) } else { Bitboard::EMPTY };
        for to in single | double {
            self.pawn_arrives(at, None, to, events);
        }
        if double.any() {
            for (other, enemy) in self.men.iter().enumerate() {
                let capturer = enemy.color != man.color && enemy.kind == PieceType::Pawn;
                if capturer && (pawn_set_attacks(enemy.color, enemy.region) & single).any() {
                    let mut next = self.clone();
                    next.men[other].region = single;
                    next.men.remove(at);
                    events.push(next);
                }
            }
        }
        for (other, victim) in self.men.iter().enumerate() {
            if victim.color != man.color && victim.kind != PieceType::King {
                for to in pawn_attacks(man.color, from) & victim.region {
                    self.pawn_arrives(at, Some(other), to, events);
                }
            }
        }
    }

    fn pawn_arrives(
        &self,
        at: usize,
        victim: Option<usize>,
        to: Square,
        events: &mut Vec<Fortress>,
    ) {
        let kinds: &[PieceType] = if to.relative_rank(self.men[at].color) == 7 {
            &[PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight]
        } else {
            &[PieceType::Pawn]
        };
        for &kind in kinds {
            let mut next = self.clone();
            next.men[at].region = to.bitboard();
            next.men[at].kind = kind;
            if let Some(victim) = victim {
                next.men.remove(victim);
            }
            events.push(next);
        }
    }
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
