//! The solver's own position: the intended winner is always White, no counters, and a packed form
//! of 32 bytes that tells two positions apart exactly.

use engine::board::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, pawn_set_attacks, rook_attacks,
};
use engine::board::{Bitboard, CastlingSide, Color, Move, MoveKind, PieceType, Position, Square};

/// A position with the intended winner as White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    pub kinds: [Bitboard; 6],
    pub colors: [Bitboard; 2],
    /// The rooks that may still castle.
    pub castling: Bitboard,
    /// The square passed over by a double step, where an enemy pawn stands beside the stepper.
    pub ep: Option<Square>,
    pub turn: Color,
}

/// A [`Board`] in four bit planes: one code of four bits a square.
pub(super) type Packed = [u64; 4];

impl Board {
    /// The position as the solver sees it: mirrored when `winner` is Black.
    pub fn new(position: &Position, winner: Color) -> Self {
        let mirrored = winner == Color::Black;
        let flip = |set: Bitboard| if mirrored { set.flip_ranks() } else { set };
        let mut castling = Bitboard::EMPTY;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = position.castling_rook(color, side) {
                    castling |= rook.bitboard();
                }
            }
        }
        let ours = flip(position.color(winner));
        let theirs = flip(position.color(!winner));
        let board = Self {
            kinds: PieceType::ALL.map(|kind| flip(position.kind(kind))),
            colors: [ours, theirs],
            castling: flip(castling),
            ep: position
                .ep_square()
                .map(|square| if mirrored { square.flip_rank() } else { square }),
            turn: if mirrored { !position.side_to_move() } else { position.side_to_move() },
        };
        debug_assert_eq!(Self::unpack(&board.pack()), board);
        board
    }

    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    #[inline(always)]
    pub fn kind(&self, kind: PieceType) -> Bitboard {
        self.kinds[kind.index()]
    }

    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.colors[color.index()] & self.kinds[kind.index()]
    }

    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        Square::new(self.pieces(color, PieceType::King).0.trailing_zeros() as u8)
    }

    #[inline(always)]
    pub fn kind_on(&self, square: Square) -> Option<PieceType> {
        let bit = square.bitboard();
        PieceType::ALL.into_iter().find(|kind| (self.kinds[kind.index()] & bit).any())
    }

    /// The men of `color` that move along diagonals.
    #[inline(always)]
    pub fn diagonal(&self, color: Color) -> Bitboard {
        (self.kind(PieceType::Bishop) | self.kind(PieceType::Queen)) & self.colors[color.index()]
    }

    /// The men of `color` that move along ranks and files.
    #[inline(always)]
    pub fn orthogonal(&self, color: Color) -> Bitboard {
        (self.kind(PieceType::Rook) | self.kind(PieceType::Queen)) & self.colors[color.index()]
    }

    /// The men of `by` that attack `square` when `occupied` stand on the board.
    #[inline]
    pub fn attackers(&self, by: Color, square: Square, occupied: Bitboard) -> Bitboard {
        pawn_attacks(!by, square) & self.pieces(by, PieceType::Pawn)
            | knight_attacks(square) & self.pieces(by, PieceType::Knight)
            | king_attacks(square) & self.pieces(by, PieceType::King)
            | bishop_attacks(square, occupied) & self.diagonal(by)
            | rook_attacks(square, occupied) & self.orthogonal(by)
    }

    /// All squares that the men of `by` attack when `occupied` stand on the board.
    #[inline]
    pub fn attacks(&self, by: Color, occupied: Bitboard) -> Bitboard {
        let mut set = pawn_set_attacks(by, self.pieces(by, PieceType::Pawn));
        for square in self.pieces(by, PieceType::Knight) {
            set |= knight_attacks(square);
        }
        for square in self.diagonal(by) {
            set |= bishop_attacks(square, occupied);
        }
        for square in self.orthogonal(by) {
            set |= rook_attacks(square, occupied);
        }
        set | king_attacks(self.king(by))
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.attackers(!self.turn, self.king(self.turn), self.occupied()).any()
    }

    /// The position after a legal move.
    #[inline]
    pub fn play(&self, mv: Move) -> Self {
        let mut next = *self;
        let (us, them) = (self.turn.index(), 1 - self.turn.index());
        let (from, to) = (mv.from().bitboard(), mv.to().bitboard());
        next.turn = !self.turn;
        next.ep = None;
        if mv.is_castling() {
            let (king_to, rook_to) = castling_targets(mv);
            next.kinds[PieceType::King.index()] ^= from;
            next.kinds[PieceType::Rook.index()] ^= to;
            next.kinds[PieceType::King.index()] |= king_to.bitboard();
            next.kinds[PieceType::Rook.index()] |= rook_to.bitboard();
            next.colors[us] ^= from | to;
            next.colors[us] |= king_to.bitboard() | rook_to.bitboard();
            next.castling &= !home_rank(self.turn);
            return next;
        }
        let kind = self.kind_on(mv.from()).unwrap_or(PieceType::Pawn);
        if (self.colors[them] & to).any() {
            next.colors[them] ^= to;
            for set in &mut next.kinds {
                *set &= !to;
            }
        }
        next.kinds[kind.index()] ^= from | to;
        next.colors[us] ^= from | to;
        next.castling &= !(from | to);
        match kind {
            PieceType::King => next.castling &= !home_rank(self.turn),
            PieceType::Pawn => match mv.kind() {
                MoveKind::Promotion(promoted) => {
                    next.kinds[PieceType::Pawn.index()] ^= to;
                    next.kinds[promoted.index()] |= to;
                }
                MoveKind::EnPassant => {
                    let victim = Square::new(mv.to().index() as u8 ^ 8).bitboard();
                    next.colors[them] ^= victim;
                    next.kinds[PieceType::Pawn.index()] ^= victim;
                }
                _ if from.0 << 16 == to.0 || from.0 >> 16 == to.0 => {
                    let passed = Square::new((mv.from().index() + mv.to().index()) as u8 / 2);
                    let capturers =
                        pawn_attacks(self.turn, passed) & self.pieces(!self.turn, PieceType::Pawn);
                    next.ep = capturers.any().then_some(passed);
                }
                _ => {}
            },
            _ => {}
        }
        next
    }

    /// The packed form. Codes: pawn 1, knight 2, bishop 3, rook 4, queen 5, king 6, plus 8 for White;
    /// 7 is a rook that may castle (its rank tells the colour), 8 a pawn that may be taken en passant
    /// (likewise), 15 the black king with Black to move.
    #[inline]
    pub fn pack(&self) -> Packed {
        let [pawns, knights, bishops, rooks, queens, kings] = self.kinds.map(|set| set.0);
        let castling = self.castling.0;
        let ep = self.ep_victim().0;
        let black_king = if self.turn == Color::Black { kings & self.colors[1].0 } else { 0 };
        [
            (pawns & !ep) | bishops | queens | castling | black_king,
            knights | bishops | kings | castling,
            rooks | queens | kings | castling,
            (self.colors[0].0 & !castling) | ep | black_king,
        ]
    }

    /// The position of a packed form.
    #[inline]
    pub fn unpack(&[p0, p1, p2, p3]: &Packed) -> Self {
        let castling = p0 & p1 & p2 & !p3;
        let black_king = p0 & p1 & p2 & p3;
        let ep = !p0 & !p1 & !p2 & p3;
        let turn = if black_king != 0 { Color::Black } else { Color::White };
        let kinds = [
            p0 & !p1 & !p2 | ep,
            !p0 & p1 & !p2,
            p0 & p1 & !p2,
            !p0 & !p1 & p2 | castling,
            p0 & !p1 & p2,
            !p0 & p1 & p2 | black_king,
        ];
        const LOWER_HALF: u64 = 0xFFFF_FFFF;
        let white = p3 & !black_king & !(ep & !LOWER_HALF) | castling & LOWER_HALF;
        let occupied = p0 | p1 | p2 | ep;
        let passed = if ep & LOWER_HALF != 0 { ep >> 8 } else { ep << 8 };
        Self {
            kinds: kinds.map(Bitboard),
            colors: [Bitboard(white), Bitboard(occupied & !white)],
            castling: Bitboard(castling),
            ep: Bitboard(passed).first(),
            turn,
        }
    }

    /// The pawn that may be taken en passant.
    #[inline(always)]
    fn ep_victim(&self) -> Bitboard {
        self.ep.map_or(Bitboard::EMPTY, |square| Square::new(square.index() as u8 ^ 8).bitboard())
    }
}

/// The same move on the mirrored board.
pub(super) fn mirror(mv: Move) -> Move {
    Move::from_bits(mv.to_bits() ^ (56 | 56 << 6))
}

/// Where the king and the rook of a castling move go.
#[inline]
pub(super) fn castling_targets(mv: Move) -> (Square, Square) {
    let rank = mv.from().rank();
    let (king_file, rook_file) = if mv.to().file() > mv.from().file() { (6, 5) } else { (2, 3) };
    (Square::from_coords(king_file, rank), Square::from_coords(rook_file, rank))
}

/// The rank on which `color` castles.
#[inline(always)]
pub(super) fn home_rank(color: Color) -> Bitboard {
    Bitboard::rank(if color == Color::White { 0 } else { 7 })
}
