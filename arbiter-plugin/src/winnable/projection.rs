//! Static proofs by projection: kings, pawns and (where wanted) knights stand on their squares and
//! make their own moves; every other man *roams*, that is, it may at any time be on any square of its
//! region, so it neither blocks nor is blocked, and its side may always pass.
//!
//! Direction: over-approximates. Why it is sound: map each position of a game to its projection,
//! and the men that roam to their regions. Every legal move is then one of the moves below:
//!
//! - A move of a tracked man is legal on the projected board as well. What forbids it there is own
//!   tracked men in the way, an enemy king, pawn or knight that would attack the king, and for a
//!   pawn's push any tracked man in front; none of these can be blocked or removed by roaming men.
//!   Where it takes a man that roams, that man's region holds the square.
//! - A move of a man that roams leaves the projection alone, or takes a tracked man that stands in its
//!   region, or takes a man that roams in a region that meets its own. It never leaves the own king
//!   attacked by an enemy king, pawn or knight.
//! - A pawn that promotes becomes a man that roams everywhere (a bishop: on its colour).
//!
//! Hence the projections reached here cover all positions of the game. A mate needs a check by the
//! man that moved or by one on a line that it opened; where no such check fits the regions with every
//! square beside the king closed, no position of the game is mate. The regions come from saturation,
//! which holds for the whole game; where White may promote, they are all squares of the kind.

use engine::board::attacks::{between, king_attacks, knight_attacks, pawn_attacks};
use engine::board::{Bitboard, Color, Move, MoveKind, MoveList, PieceType, Square};
use rustc_hash::{FxHashMap, FxHashSet};

use super::board::{Board, Packed};
use super::fortress::{Fortress, Man, attacks_from, matches_all};
use super::moves::legal_moves;

/// Whether White can never mate, shown by visiting at most `limit` projections; and how many were
/// visited.
pub(super) fn holds(board: &Board, track_knights: bool, limit: usize) -> (bool, usize) {
    let Some(mut projection) = Projection::new(board, track_knights) else {
        return (false, 0);
    };
    (projection.closes(limit), projection.seen.len())
}

/// The men that roam, as a number.
type Crew = u32;

/// A projected game.
struct Projection {
    crews: Vec<Vec<Man>>,
    numbers: FxHashMap<Vec<Man>, Crew>,
    seen: FxHashSet<(Packed, Crew)>,
    open: Vec<(Board, Crew)>,
}

/// What gave the check, if there is one.
enum Cause {
    /// A man that roams moved: any of them may check.
    Roaming,
    /// A tracked man moved: it checks from `to`, unless it is the king or became a man that roams,
    /// or it opened a line through one of `opened`.
    Tracked { checker: Option<Man>, opened: Bitboard },
}

impl Projection {
    fn new(board: &Board, track_knights: bool) -> Option<Self> {
        if board.castling.any() {
            return None;
        }
        let regions = Fortress::new(board).and_then(|fortress| fortress.regions());
        let tracks = |kind: PieceType| match kind {
            PieceType::Pawn | PieceType::King => true,
            PieceType::Knight => track_knights,
            _ => false,
        };
        let mut tracked = *board;
        let mut crew = Vec::new();
        let mut at = 0;
        for color in Color::ALL {
            for kind in PieceType::ALL {
                for square in board.pieces(color, kind) {
                    if !tracks(kind) {
                        let everywhere = everywhere(kind, square);
                        let region =
                            regions.as_ref().map_or(everywhere, |men| men[at].region & everywhere);
                        crew.push(Man { color, kind, region });
                        remove(&mut tracked, square);
                    }
                    at += 1;
                }
            }
        }
        let mut projection = Self {
            crews: Vec::new(),
            numbers: FxHashMap::default(),
            seen: FxHashSet::default(),
            open: Vec::new(),
        };
        let crew = projection.number(crew);
        projection.seen.insert((tracked.pack(), crew));
        projection.open.push((tracked, crew));
        Some(projection)
    }

    /// Whether every projection is visited without a mate that fits.
    fn closes(&mut self, limit: usize) -> bool {
        while let Some((board, crew)) = self.open.pop() {
            if self.seen.len() > limit || !self.expand(&board, crew) {
                return false;
            }
        }
        true
    }

    /// Opens what follows; `false` where a mate may follow.
    fn expand(&mut self, board: &Board, crew: Crew) -> bool {
        let us = board.turn;
        let men = self.crews[crew as usize].clone();
        let (ours, theirs): (Vec<usize>, Vec<usize>) =
            (0..men.len()).partition(|&at| men[at].color == us);
        let in_check = board.in_check();
        let mut mine = Bitboard::EMPTY;
        for &at in &ours {
            mine |= men[at].region;
        }

        let mut moves = MoveList::new();
        legal_moves(board, &mut moves);
        for &mv in &moves {
            let next = board.play(mv);
            if !self.tracked_move(board, mv, next, &men, None) {
                return false;
            }
            if board.occupied().contains(mv.to()) || mv.kind() == MoveKind::EnPassant {
                continue;
            }
            let by_king = board.king(us) == mv.from();
            if by_king || board.kind(PieceType::Knight).contains(mv.from()) {
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
                        if !exposed(&next)
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
                && !self.arrive(pass, men.clone(), Cause::Roaming)
            {
                return false;
            }
            for victim in distinct(&men, &theirs, mine) {
                let mut left = men.clone();
                left.remove(victim);
                if !self.arrive(pass, left, Cause::Roaming) {
                    return false;
                }
            }
        }
        let targets = board.colors[1 - us.index()] & !board.kind(PieceType::King) & mine;
        for square in targets {
            let mut next = pass;
            remove(&mut next, square);
            if !exposed(&next) && !self.arrive(next, men.clone(), Cause::Roaming) {
                return false;
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
        let mut crew = men.to_vec();
        if let Some(victim) = victim {
            crew.remove(victim);
        }
        let mut opened = mv.from().bitboard();
        if mv.kind() == MoveKind::EnPassant {
            opened |= Square::new(mv.to().index() as u8 ^ 8).bitboard();
        }
        let kind = match mv.kind() {
            MoveKind::Promotion(kind) => kind,
            _ => board.kind_on(mv.from()).unwrap_or(PieceType::King),
        };
        let checker = Man { color: us, kind, region: mv.to().bitboard() };
        if matches!(mv.kind(), MoveKind::Promotion(_)) {
            remove(&mut next, mv.to());
            crew.push(Man { region: everywhere(kind, mv.to()), ..checker });
        }
        let checker = (kind != PieceType::King).then_some(checker);
        self.arrive(next, crew, Cause::Tracked { checker, opened })
    }

    /// Opens a projection that is new; `false` where it may be mate.
    fn arrive(&mut self, board: Board, crew: Vec<Man>, cause: Cause) -> bool {
        let number = self.number(crew);
        let crew = &self.crews[number as usize];
        if board.turn == Color::Black && mate_fits(&board, crew, &cause) {
            return false;
        }
        let key = (board.pack(), number);
        if !self.seen.contains(&key) {
            self.seen.insert(key);
            if !Fortress::of_men(&board, crew).cannot_mate() {
                self.open.push((board, number));
            }
        }
        true
    }

    fn number(&mut self, mut crew: Vec<Man>) -> Crew {
        crew.sort_unstable_by_key(|man| (man.color.index(), man.kind.index(), man.region.0));
        if let Some(&number) = self.numbers.get(&crew) {
            return number;
        }
        let number = self.crews.len() as Crew;
        self.crews.push(crew.clone());
        self.numbers.insert(crew, number);
        number
    }
}

/// Whether a mate of the black king on `board` fits: checked as `cause` says, every square beside it
/// attacked by a white man, or filled by a black man of its own.
fn mate_fits(board: &Board, crew: &[Man], cause: &Cause) -> bool {
    let mated = board.king(Color::Black);
    let occupied = board.occupied();
    let through = occupied ^ mated.bitboard();
    let knights = board.pieces(Color::White, PieceType::Knight);
    let exact = {
        let mut set = king_attacks(board.king(Color::White));
        for square in board.pieces(Color::White, PieceType::Pawn) {
            set |= pawn_attacks(Color::White, square);
        }
        for square in knights {
            set |= knight_attacks(square);
        }
        set
    };
    let rest = king_attacks(mated) & !exact;
    let fixed = board.colors[1] & rest;
    let rest = rest & !fixed;
    let fillers: Vec<Bitboard> =
        crew.iter().filter(|man| man.color == Color::Black).map(|man| man.region).collect();
    let white = |man: &&Man| man.color == Color::White;
    let closes = |attacks: Bitboard, except: Option<usize>| {
        let others = crew
            .iter()
            .enumerate()
            .filter(|&(at, man)| white(&man) && Some(at) != except)
            .fold(attacks, |set, (_, man)| set | attacks_from(man, man.region, through));
        matches_all(rest & !others, &fillers)
    };
    // A line opened through one of these squares, or any line.
    let opened = match cause {
        Cause::Roaming => None,
        Cause::Tracked { checker, opened } => {
            if let Some(checker) = checker
                && attacks_from(checker, checker.region, occupied).contains(mated)
                && closes(attacks_from(checker, checker.region, through), None)
            {
                return true;
            }
            Some(*opened)
        }
    };
    for (at, man) in crew.iter().enumerate().filter(|(_, man)| white(man)) {
        for from in man.region {
            if from == mated
                || opened.is_some_and(|opened| (between(from, mated) & opened).is_empty())
            {
                continue;
            }
            let single = from.bitboard();
            if attacks_from(man, single, occupied & !single).contains(mated)
                && closes(attacks_from(man, single, through & !single), Some(at))
            {
                return true;
            }
        }
    }
    false
}

/// The first of each kind of man among `which` that may stand on one of `squares`.
fn distinct(men: &[Man], which: &[usize], squares: Bitboard) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    for &at in which {
        if (men[at].region & squares).any() && !found.iter().any(|&other| men[other] == men[at]) {
            found.push(at);
        }
    }
    found
}

/// Whether the side that has just moved left its king to a tracked man.
fn exposed(board: &Board) -> bool {
    let us = !board.turn;
    board.attackers(board.turn, board.king(us), board.occupied()).any()
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
