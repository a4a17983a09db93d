//! Static proofs by projection: some men are *tracked*, that is, they stand on their squares and make
//! their own moves; every other man *roams*: it may at any time be on any square of its region, so it
//! neither blocks nor is blocked, and its side may always pass.
//!
//! Direction: over-approximates. Why it is sound: map each position of a game to its projection,
//! and the men that roam to their regions. Every legal move is then one of the moves below:
//!
//! - A move of a tracked man is possible on the projected board as well. What forbids it there is own
//!   tracked men in the way, any tracked man in front of a pawn, and an enemy tracked man that
//!   attacks the king afterwards along squares on which no man that roams can stand: outside all
//!   regions, or left by a tracked man with this move or the one before it. None of these can be
//!   blocked or removed by roaming men. Where the move takes a man that roams, that man's region
//!   holds the square.
//! - A move of a man that roams leaves the projection alone, or takes a tracked man that stands in its
//!   region, or takes a man that roams in a region that meets its own. It never leaves the own king
//!   attacked as above, but that it may itself come between.
//! - A pawn that promotes becomes a man that roams, or stays tracked.
//!
//! Hence the projections reached here cover all positions of the game. A mate needs a check by a
//! tracked man, by the man that moved, or by one on a line that it opened; where no such check fits the
//! regions with every square beside the king closed and no sure answer, no position of the game is
//! mate. The regions come from saturation, which holds for the whole game; where White may promote,
//! they are all squares of the kind. Where all white men are tracked, black men that roam start with
//! their own square, and go from there wherever pawns do not stand in the way; when a pawn moves or
//! vanishes they go on.

use std::rc::Rc;

use arrayvec::ArrayVec;
use engine::board::attacks::{between, king_attacks, pawn_attacks};
use engine::board::{Bitboard, Color, Move, MoveKind, MoveList, PieceType, Square};
use rustc_hash::{FxHashMap, FxHashSet};

use super::board::{Board, Packed};
use super::fortress::{Fortress, MEN, Man, Men, attacks_from, attacks_on, matches_all, step};
use super::moves::{Constraints, has_legal_move, legal_moves, legal_moves_within};

/// Whether White can never mate, shown by visiting at most `limit` projections; and how many were
/// visited.
pub(super) fn holds(board: &Board, tracked: Tracked, limit: usize) -> (bool, usize) {
    let Some(mut projection) = Projection::new(board, tracked) else {
        return (false, 0);
    };
    (projection.closes(limit), projection.seen.len())
}

/// Which men stand on their squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracked {
    /// Kings and pawns.
    Pawns,
    /// Knights too.
    Knights,
    /// All white men, and Black's king and pawns.
    White,
    /// Those of [`Self::White`], and the black men that at first are within two steps of their king
    /// or have no square to go to.
    Near,
}

impl Tracked {
    /// All, the cheapest first.
    pub const EACH: [Self; 4] = [Self::Pawns, Self::Knights, Self::White, Self::Near];

    fn tracks(self, color: Color, kind: PieceType, near: bool) -> bool {
        match self {
            _ if matches!(kind, PieceType::Pawn | PieceType::King) => true,
            Self::Pawns => false,
            Self::Knights => kind == PieceType::Knight,
            Self::White => color == Color::White,
            Self::Near => color == Color::White || near,
        }
    }

    /// Whether all white men stay tracked, those that pawns promote to as well.
    fn tracks_white(self) -> bool {
        matches!(self, Self::White | Self::Near)
    }
}

/// For each projection that may be visited, so many may be met again, those with men that roam
/// counted by these too.
const WORK: usize = 20;

/// The men that roam, as a number.
type Crew = u32;

/// Some of the men that roam, by their places in a crew.
type Indices = ArrayVec<usize, MEN>;

/// A projected game.
struct Projection {
    tracked: Tracked,
    work: usize,
    /// The pawns of the projection that is opened now.
    pawns: Bitboard,
    /// Where black men of each kind may ever stand.
    bounds: [Bitboard; 6],
    crews: Vec<Rc<[Man]>>,
    numbers: FxHashMap<Rc<[Man]>, Crew>,
    seen: FxHashSet<(Packed, Crew, Bitboard)>,
    open: Vec<(Board, Crew, Bitboard)>,
}

/// What gave the check, if there is one.
enum Cause {
    /// A man that roams moved: any of them may check.
    Roaming,
    /// A tracked man moved: it checks, or a man that roams does, either the one that it was promoted
    /// to or one through the squares `opened`.
    Tracked { promoted: Option<Man>, opened: Bitboard },
}

impl Projection {
    fn new(board: &Board, wanted: Tracked) -> Option<Self> {
        if board.castling.any() || board.turn == Color::Black && !has_legal_move(board) {
            return None;
        }
        let regions = Fortress::new(board).and_then(|fortress| fortress.regions());
        let king = board.king(Color::Black);
        let mut tracked = *board;
        let mut crew = Men::new();
        // Without a man near the black king this would be `Tracked::White` again.
        let mut differs = wanted != Tracked::Near;
        let mut at = 0;
        for color in Color::ALL {
            for kind in PieceType::ALL {
                for square in board.pieces(color, kind) {
                    let single = Man { color, kind, region: square.bitboard() };
                    let near = square.distance(king) <= 2
                        || attacks_from(&single, single.region, board.occupied())
                            .is_subset(board.colors[color.index()]);
                    differs |= near && !Tracked::White.tracks(color, kind, near);
                    if !wanted.tracks(color, kind, near) {
                        let everywhere = everywhere(kind, square);
                        let region = match &regions {
                            _ if wanted.tracks_white() => square.bitboard(),
                            None => everywhere,
                            Some(men) => men[at].region & everywhere,
                        };
                        crew.push(Man { color, kind, region });
                        remove(&mut tracked, square);
                    }
                    at += 1;
                }
            }
        }
        if !differs {
            return None;
        }
        let mut bounds = [Bitboard::ALL; 6];
        if let Some(men) = &regions {
            let black = |man: &&Man| man.color == Color::Black;
            let may_promote =
                |man: &&Man| man.kind == PieceType::Pawn && man.region == Bitboard::ALL;
            if !men.iter().filter(black).any(|man| may_promote(&man)) {
                bounds = PieceType::ALL.map(|kind| {
                    let of_kind = men.iter().filter(black).filter(|man| man.kind == kind);
                    of_kind.fold(Bitboard::EMPTY, |set, man| set | man.region)
                });
            }
        }
        let mut projection = Self {
            tracked: wanted,
            work: 0,
            pawns: Bitboard::EMPTY,
            bounds,
            crews: Vec::new(),
            numbers: FxHashMap::default(),
            seen: FxHashSet::default(),
            open: Vec::new(),
        };
        if wanted.tracks_white() {
            projection.spread(&tracked, &mut crew);
        }
        let crew = projection.number(crew);
        projection.seen.insert((tracked.pack(), crew, Bitboard::EMPTY));
        projection.open.push((tracked, crew, Bitboard::EMPTY));
        Some(projection)
    }

    /// Whether every projection is visited without a mate that fits.
    fn closes(&mut self, limit: usize) -> bool {
        while let Some((board, crew, vacated)) = self.open.pop() {
            if self.seen.len() > limit
                || self.work > WORK * limit
                || !self.expand(&board, crew, vacated)
            {
                return false;
            }
        }
        true
    }

    /// Opens what follows; `false` where a mate may follow. Nobody stands on `vacated`.
    fn expand(&mut self, board: &Board, crew: Crew, vacated: Bitboard) -> bool {
        let us = board.turn;
        self.pawns = board.kind(PieceType::Pawn);
        let men: Men = self.crews[crew as usize].iter().copied().collect();
        let (ours, theirs): (Indices, Indices) =
            (0..men.len()).partition(|&at| men[at].color == us);
        let union =
            |which: &[usize]| which.iter().fold(Bitboard::EMPTY, |set, &at| set | men[at].region);
        let mine = union(&ours);
        // Where a man that roams may stand now, but for what a move of this side changes.
        let filled = (mine | union(&theirs)) & !vacated;
        let in_check = is_attacked(board, us, filled | mine);

        let mut moves = MoveList::new();
        relaxed_moves(board, &mut moves);
        for &mv in &moves {
            // A king that seems to be attacked has a man that roams before it.
            if mv.to() == board.king(!us) {
                continue;
            }
            let next = board.play(mv);
            if is_attacked(&next, us, filled & !mv.from().bitboard()) {
                continue;
            }
            if !self.tracked_move(board, mv, next, &men, None) {
                return false;
            }
            if board.occupied().contains(mv.to()) || mv.kind() == MoveKind::EnPassant {
                continue;
            }
            if !board.kind(PieceType::Pawn).contains(mv.from()) {
                for victim in distinct(&men, &theirs, mv.to().bitboard()) {
                    if !self.tracked_move(board, mv, next, &men, Some(victim)) {
                        return false;
                    }
                }
            }
        }
        // Pawns that take men that roam.
        for from in board.pieces(us, PieceType::Pawn) {
            for to in pawn_attacks(us, from) & !board.occupied() {
                for victim in distinct(&men, &theirs, to.bitboard()) {
                    let kinds: &[PieceType] = if to.relative_rank(us) == 7 {
                        &[PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight]
                    } else {
                        &[PieceType::Pawn]
                    };
                    for &kind in kinds {
                        let mv = if kind == PieceType::Pawn {
                            Move::normal(from, to)
                        } else {
                            Move::promotion(from, to, kind)
                        };
                        let next = board.play(mv);
                        if !is_attacked(&next, us, filled & !from.bitboard())
                            && !self.tracked_move(board, mv, next, &men, Some(victim))
                        {
                            return false;
                        }
                    }
                }
            }
        }
        if ours.is_empty() {
            return true;
        }
        // Men that roam: a quiet move, or a capture.
        let mut pass = *board;
        pass.turn = !us;
        pass.ep = None;
        if !in_check {
            if ours.iter().any(|&at| men[at].region.more_than_one())
                && !self.arrive(pass, men.clone(), Cause::Roaming, Bitboard::EMPTY)
            {
                return false;
            }
            for victim in distinct(&men, &theirs, mine) {
                let mut left = men.clone();
                left.remove(victim);
                if !self.arrive(pass, left, Cause::Roaming, Bitboard::EMPTY) {
                    return false;
                }
            }
        }
        for square in board.colors[1 - us.index()] & !board.kind(PieceType::King) {
            let mut next = pass;
            remove(&mut next, square);
            if is_attacked(&next, us, filled | mine | square.bitboard()) {
                continue;
            }
            if !self.tracked.tracks_white() {
                let taken = mine.contains(square);
                if taken && !self.arrive(next, men.clone(), Cause::Roaming, Bitboard::EMPTY) {
                    return false;
                }
                continue;
            }
            for &at in &ours {
                let Man { kind, region, .. } = men[at];
                if (region | step(kind, region)).contains(square) {
                    let mut men = men.clone();
                    men[at].region |= square.bitboard();
                    if !self.arrive(next, men, Cause::Roaming, Bitboard::EMPTY) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// A move of a tracked man, after which the projected board is `next` but for what it promotes to.
    fn tracked_move(
        &mut self,
        board: &Board,
        mv: Move,
        mut next: Board,
        men: &[Man],
        victim: Option<usize>,
    ) -> bool {
        let us = board.turn;
        let mut crew: Men = men.iter().copied().collect();
        if let Some(victim) = victim {
            crew.remove(victim);
        }
        let mut opened = mv.from().bitboard();
        if mv.kind() == MoveKind::EnPassant {
            opened |= Square::new(mv.to().index() as u8 ^ 8).bitboard();
        }
        let mut promoted = None;
        if let MoveKind::Promotion(kind) = mv.kind()
            && !(self.tracked.tracks_white() && us == Color::White)
        {
            let man = Man { color: us, kind, region: mv.to().bitboard() };
            remove(&mut next, mv.to());
            let region = match self.tracked.tracks_white() {
                true => man.region,
                false => everywhere(kind, mv.to()),
            };
            crew.push(Man { region, ..man });
            promoted = Some(man);
        }
        self.arrive(next, crew, Cause::Tracked { promoted, opened }, mv.from().bitboard())
    }

    /// Opens a projection that is new; `false` where it may be mate. Nobody stands on `vacated`.
    fn arrive(&mut self, board: Board, mut crew: Men, cause: Cause, vacated: Bitboard) -> bool {
        if self.tracked.tracks_white() && board.kind(PieceType::Pawn) != self.pawns {
            self.spread(&board, &mut crew);
        }
        let number = self.number(crew);
        let crew = &self.crews[number as usize];
        self.work += 1 + crew.len();
        if board.turn == Color::Black && mate_fits(&board, crew, &cause, vacated) {
            return false;
        }
        // It matters only on a line to the king that has to move out of it.
        let king = board.king(board.turn);
        let matters = !crew.is_empty()
            && !board
                .attackers(!board.turn, king, board.occupied())
                .into_iter()
                .all(|at| (between(king, at) & vacated).is_empty());
        let vacated = if matters { vacated } else { Bitboard::EMPTY };
        let key = (board.pack(), number, vacated);
        if self.seen.insert(key) && !Fortress::of_men(&board, crew).cannot_mate() {
            self.open.push((board, number, vacated));
        }
        true
    }

    /// Lets the men that roam go wherever the pawns as they stand let them through. One that comes
    /// nearly everywhere is let everywhere: fewer projections differ then.
    fn spread(&self, board: &Board, crew: &mut [Man]) {
        let open = !board.kind(PieceType::Pawn);
        for man in crew {
            let most = self.bounds[man.kind.index()];
            loop {
                let grown = man.region | step(man.kind, man.region) & open & most;
                if grown == man.region {
                    break;
                }
                man.region = grown;
            }
            if let Some(square) = man.region.first() {
                let most = everywhere(man.kind, square) & most;
                if 4 * man.region.count() >= 3 * most.count() {
                    man.region |= most;
                }
            }
        }
    }

    fn number(&mut self, mut crew: Men) -> Crew {
        crew.sort_unstable_by_key(|man| (man.color.index(), man.kind.index(), man.region.0));
        if let Some(&number) = self.numbers.get(crew.as_slice()) {
            return number;
        }
        let number = self.crews.len() as Crew;
        let crew: Rc<[Man]> = Rc::from(crew.as_slice());
        self.crews.push(Rc::clone(&crew));
        self.numbers.insert(crew, number);
        number
    }
}

/// Whether a mate of the black king on `board` fits: checked by a tracked man or as `cause` says, every
/// square beside it attacked by a white man, or filled by a black man of its own. No man stands on
/// `vacated`.
fn mate_fits(board: &Board, crew: &[Man], cause: &Cause, vacated: Bitboard) -> bool {
    let mated = board.king(Color::Black);
    let occupied = board.occupied();
    let through = occupied ^ mated.bitboard();
    let exact = board.attacks(Color::White, through);
    let rest = king_attacks(mated) & !exact;
    let fixed = board.colors[1] & rest;
    let rest = rest & !fixed;
    let empty = !(occupied | vacated);
    let fillers: ArrayVec<Bitboard, MEN> =
        crew.iter().filter(|man| man.color == Color::Black).map(|man| man.region & empty).collect();
    // What at least one man that roams attacks, and what at least two do.
    let mut once = Bitboard::EMPTY;
    let mut twice = Bitboard::EMPTY;
    let mut attackers: ArrayVec<(&Man, Bitboard), MEN> = ArrayVec::new();
    for man in crew.iter().filter(|man| man.color == Color::White) {
        let attacks = attacks_from(man, man.region, through);
        twice |= once & attacks;
        once |= attacks;
        attackers.push((man, attacks));
    }
    let closes = |attacks: Bitboard| matches_all(rest & !attacks, &fillers);
    if board.in_check() && closes(once) && !is_answered(board, crew, vacated) {
        return true;
    }
    // A line opened through one of these squares, or any line.
    let opened = match cause {
        Cause::Roaming => None,
        Cause::Tracked { promoted, opened } => {
            if let Some(promoted) = promoted
                && attacks_from(promoted, promoted.region, occupied).contains(mated)
                && closes(once | attacks_from(promoted, promoted.region, through))
            {
                return true;
            }
            Some(*opened)
        }
    };
    for (man, attacks) in attackers {
        let by_others = twice | once & !attacks;
        let sources = attacks_on(man, mated, occupied) & man.region & !mated.bitboard();
        for from in sources {
            let single = from.bitboard();
            if opened.is_none_or(|opened| (between(from, mated) & opened).any())
                && closes(by_others | attacks_from(man, single, through & !single))
            {
                return true;
            }
        }
    }
    false
}

/// The first of each kind of man among `which` that may stand on one of `squares`.
fn distinct(men: &[Man], which: &[usize], squares: Bitboard) -> Indices {
    let mut found = Indices::new();
    for &at in which {
        if (men[at].region & squares).any() && !found.iter().any(|&other| men[other] == men[at]) {
            found.push(at);
        }
    }
    found
}

/// Whether a tracked man surely attacks the king of `us`, where men that roam may stand on `filled`.
fn is_attacked(board: &Board, us: Color, filled: Bitboard) -> bool {
    let king = board.king(us);
    !board
        .attackers(!us, king, board.occupied())
        .into_iter()
        .all(|at| (between(king, at) & filled).any())
}

/// The moves of tracked men, whether or not they leave the king attacked; some twice.
fn relaxed_moves(board: &Board, list: &mut MoveList) {
    legal_moves_within(board, &Constraints::none(board), list);
    let us = board.turn;
    let king = board.king(us);
    for to in king_attacks(king) & !board.colors[us.index()] {
        list.push(Move::normal(king, to));
    }
    if let Some(to) = board.ep {
        for from in pawn_attacks(!us, to) & board.pieces(us, PieceType::Pawn) {
            list.push(Move::en_passant(from, to));
        }
    }
}

/// Whether Black, in check by tracked men alone, surely has a legal move: a tracked man's, over squares
/// that are surely empty. Direction: under-approximates. Black's men that roam only take attackers off
/// the king; White's could attack it, so nothing is sure where there are some.
fn is_answered(board: &Board, crew: &[Man], vacated: Bitboard) -> bool {
    if crew.iter().any(|man| man.color == Color::White) {
        return false;
    }
    let filled = crew.iter().fold(Bitboard::EMPTY, |set, man| set | man.region) & !vacated;
    let mut moves = MoveList::new();
    legal_moves(board, &mut moves);
    moves.iter().any(|mv| {
        let clear = (between(mv.from(), mv.to()) & filled).is_empty();
        let free = board.colors[0].contains(mv.to()) || !filled.contains(mv.to());
        mv.kind() != MoveKind::EnPassant && clear && free
    })
}

/// The squares that a man of this kind may ever come to.
fn everywhere(kind: PieceType, square: Square) -> Bitboard {
    match kind {
        PieceType::Bishop if square.is_light() => Bitboard::LIGHT,
        PieceType::Bishop => Bitboard::DARK,
        _ => Bitboard::ALL,
    }
}

fn remove(board: &mut Board, square: Square) {
    let left = !square.bitboard();
    board.kinds.iter_mut().for_each(|set| *set &= left);
    board.colors.iter_mut().for_each(|set| *set &= left);
}
