//! Playing moves: each gives a new position.

use super::attacks::{knight_attacks, pawn_attacks};
use super::position::{castling_targets, code, color_of};
use super::{Bitboard, Color, Move, MoveKind, Position, Square, zobrist};

impl Position {
    /// The position after a legal move.
    #[inline]
    pub fn play(&self, mv: Move) -> Self {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal in {self:?}");
        match self.side {
            Color::White => self.play_as::<true>(mv),
            Color::Black => self.play_as::<false>(mv),
        }
    }

    /// What the key will be after a legal move: exactly so for ordinary moves that change no right,
    /// else that of some other position. For prefetching only.
    #[inline(always)]
    pub fn likely_key(&self, mv: Move) -> u64 {
        let (us, from, to) = (self.side, mv.from(), mv.to());
        let code = self.code_on(from);
        let code = if code == code::NONE { code::KING } else { code };
        self.key
            ^ zobrist::SIDE
            ^ zobrist::man(!us, self.code_on(to), to)
            ^ zobrist::man(us, code, from)
            ^ zobrist::man(us, code, to)
    }

    /// The position after passing the move; the side to move must not be in check.
    pub fn play_null(&self) -> Self {
        debug_assert!(!self.in_check());
        let mut next = self.passed(self.side == Color::Black);
        next.find_checks();
        next
    }

    #[inline(always)]
    fn play_as<const WHITE: bool>(&self, mv: Move) -> Self {
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            MoveKind::Normal => {
                let code = self.code_on(from);
                if code == code::PAWN && from.index().abs_diff(to.index()) == 16 {
                    self.pushed_twice::<WHITE>(from, to)
                } else {
                    self.moved_any::<WHITE>(code, from, to)
                }
            }
            MoveKind::Promotion(kind) => {
                self.promoted::<WHITE>(code::of(kind), from, to, self.code_on(to))
            }
            MoveKind::EnPassant => self.captured_en_passant::<WHITE>(from, to),
            MoveKind::Castling => self.castled::<WHITE>(from, to),
        }
    }

    /// The position with the other side to move, and nothing else done.
    #[inline(always)]
    fn passed(&self, black_moved: bool) -> Self {
        let mut next = *self;
        if self.ep != 0 {
            next.key ^= zobrist::en_passant(Square::new(self.ep));
            next.ep = 0;
        }
        next.key ^= zobrist::SIDE;
        next.side = color_of(black_moved);
        next.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if black_moved {
            next.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        next.checkers = Bitboard::EMPTY;
        next
    }

    /// Adds or removes the man of `code`, other than a king, on `squares`.
    #[inline(always)]
    pub(super) fn toggle(&mut self, code: usize, squares: Bitboard) {
        let part = |bit: usize| Bitboard(squares.0 & 0u64.wrapping_sub((code >> bit & 1) as u64));
        self.pawns ^= part(0);
        self.knights ^= part(1);
        self.diagonal ^= part(2);
        self.orthogonal ^= part(3);
    }

    /// Takes the captured man of `code` from the board.
    #[inline(always)]
    fn take(&mut self, color: Color, code: usize, square: Square) {
        self.toggle(code, square.bitboard());
        self.colors[color.index()] ^= square.bitboard();
        self.key ^= zobrist::man(color, code, square);
        self.halfmove_clock = 0;
    }

    /// Ends the castling rights of the rooks on `squares`.
    #[inline(always)]
    fn drop_rights(&mut self, squares: Bitboard) {
        let lost = self.castling & (squares.0 as u16 & 0xFF | (squares.0 >> 48) as u16 & 0xFF00);
        if lost != 0 {
            self.castling ^= lost;
            self.key ^= zobrist::castling(Color::White, lost as u8);
            self.key ^= zobrist::castling(Color::Black, (lost >> 8) as u8);
        }
    }

    /// The men of the side that just moved and did not slide there, if they give check from `to`.
    #[inline(always)]
    fn direct_check<const WHITE: bool>(&self, code: usize, to: Square) -> Bitboard {
        let us = color_of(WHITE);
        let king = self.king(!us);
        match code {
            code::PAWN => pawn_attacks(!us, king) & to.bitboard(),
            code::KNIGHT => knight_attacks(king) & to.bitboard(),
            _ => Bitboard::EMPTY,
        }
    }

    /// The position after a man of `code` goes from one square to another, where the man of
    /// code `victim` stands; not for double steps, promotions, en passant and castling.
    #[inline(always)]
    pub(super) fn moved<const WHITE: bool>(
        &self,
        code: usize,
        from: Square,
        to: Square,
        victim: usize,
    ) -> Self {
        let us = color_of(WHITE);
        let mut next = self.passed(!WHITE);
        let squares = from.bitboard() | to.bitboard();
        if victim != code::NONE {
            next.take(!us, victim, to);
        }
        next.colors[us.index()] ^= squares;
        next.key ^= zobrist::man(us, code, from) ^ zobrist::man(us, code, to);
        if code == code::KING {
            next.kings[us.index()] = to;
            let back_rank = if WHITE { Bitboard::rank(0) } else { Bitboard::rank(7) };
            next.drop_rights(back_rank | squares);
        } else {
            next.toggle(code, squares);
            if code == code::PAWN {
                next.halfmove_clock = 0;
            }
            next.drop_rights(squares);
        }
        next.checkers = self.direct_check::<WHITE>(code, to);
        next.find_pins_of_other::<WHITE>();
        next
    }

    /// [`Self::moved`] of a man, or a king of [`code::NONE`], that is not known beforehand: without
    /// branches, since the processor could not guess them.
    #[inline(always)]
    fn moved_any<const WHITE: bool>(&self, code: usize, from: Square, to: Square) -> Self {
        let us = color_of(WHITE);
        let mut next = self.passed(!WHITE);
        let squares = from.bitboard() | to.bitboard();
        let is_king = code == code::NONE;
        let victim = self.code_on(to);

        next.toggle(victim, to.bitboard());
        next.colors[(!us).index()] &= !to.bitboard();
        next.toggle(code, squares);
        next.colors[us.index()] ^= squares;
        next.kings[us.index()] = if is_king { to } else { self.king(us) };

        let code_of_key = if is_king { code::KING } else { code };
        next.key ^= zobrist::man(!us, victim, to)
            ^ zobrist::man(us, code_of_key, from)
            ^ zobrist::man(us, code_of_key, to);
        if victim != code::NONE || code == code::PAWN {
            next.halfmove_clock = 0;
        }
        let back_rank = if WHITE { Bitboard::rank(0) } else { Bitboard::rank(7) };
        next.drop_rights(if is_king { back_rank | squares } else { squares });

        let king = self.king(!us);
        let only = |kind: usize, set: Bitboard| if code == kind { set } else { Bitboard::EMPTY };
        next.checkers = to.bitboard()
            & (only(code::PAWN, pawn_attacks(!us, king))
                | only(code::KNIGHT, knight_attacks(king)));
        next.find_pins_of_other::<WHITE>();
        next
    }

    #[inline(always)]
    fn find_pins_of_other<const WHITE: bool>(&mut self) {
        if WHITE { self.find_pins::<false>() } else { self.find_pins::<true>() }
    }

    /// The position after a pawn's double step.
    #[inline(always)]
    pub(super) fn pushed_twice<const WHITE: bool>(&self, from: Square, to: Square) -> Self {
        let us = color_of(WHITE);
        let mut next = self.passed(!WHITE);
        let squares = from.bitboard() | to.bitboard();
        next.halfmove_clock = 0;
        next.colors[us.index()] ^= squares;
        next.pawns ^= squares;
        next.key ^= zobrist::man(us, code::PAWN, from) ^ zobrist::man(us, code::PAWN, to);
        next.checkers = self.direct_check::<WHITE>(code::PAWN, to);
        next.find_pins_of_other::<WHITE>();
        let passed_over = Square::new(((from.index() + to.index()) / 2) as u8);
        let capturers = pawn_attacks(us, passed_over) & next.pawns & next.color(!us);
        if capturers.any() {
            next.keep_ep(!us, passed_over, capturers);
        }
        next
    }

    /// Keeps the en passant square if one of `capturers` may legally capture there.
    #[cold]
    #[inline(never)]
    pub(super) fn keep_ep(&mut self, us: Color, square: Square, mut capturers: Bitboard) {
        if Iterator::any(&mut capturers, |from| self.ep_is_legal(us, from, square)) {
            self.ep = square.index() as u8;
            self.key ^= zobrist::en_passant(square);
        }
    }

    /// The position after a pawn becomes the man of `code`.
    #[inline(always)]
    pub(super) fn promoted<const WHITE: bool>(
        &self,
        code: usize,
        from: Square,
        to: Square,
        victim: usize,
    ) -> Self {
        let us = color_of(WHITE);
        let mut next = self.passed(!WHITE);
        if victim != code::NONE {
            next.take(!us, victim, to);
            next.drop_rights(to.bitboard());
        }
        next.halfmove_clock = 0;
        next.colors[us.index()] ^= from.bitboard() | to.bitboard();
        next.pawns ^= from.bitboard();
        next.toggle(code, to.bitboard());
        next.key ^= zobrist::man(us, code::PAWN, from) ^ zobrist::man(us, code, to);
        next.checkers = self.direct_check::<WHITE>(code, to);
        next.find_pins_of_other::<WHITE>();
        next
    }

    /// The position after an en passant capture.
    #[inline(always)]
    pub(super) fn captured_en_passant<const WHITE: bool>(&self, from: Square, to: Square) -> Self {
        let us = color_of(WHITE);
        let mut next = self.passed(!WHITE);
        next.take(!us, code::PAWN, Square::new(to.index() as u8 ^ 8));
        let squares = from.bitboard() | to.bitboard();
        next.colors[us.index()] ^= squares;
        next.pawns ^= squares;
        next.key ^= zobrist::man(us, code::PAWN, from) ^ zobrist::man(us, code::PAWN, to);
        next.checkers = self.direct_check::<WHITE>(code::PAWN, to);
        next.find_pins_of_other::<WHITE>();
        next
    }

    /// The position after castling.
    #[inline(always)]
    pub(super) fn castled<const WHITE: bool>(&self, king: Square, rook: Square) -> Self {
        let us = color_of(WHITE);
        let mut next = self.passed(!WHITE);
        let (king_to, rook_to) = castling_targets(king, rook);
        // King and rook may land on each other's square: take both away, then put both down.
        let away = king.bitboard() | rook.bitboard();
        let down = king_to.bitboard() | rook_to.bitboard();
        next.colors[us.index()] = next.colors[us.index()] & !away | down;
        next.orthogonal = next.orthogonal & !rook.bitboard() | rook_to.bitboard();
        next.kings[us.index()] = king_to;
        next.key ^= zobrist::man(us, code::KING, king)
            ^ zobrist::man(us, code::KING, king_to)
            ^ zobrist::man(us, code::ROOK, rook)
            ^ zobrist::man(us, code::ROOK, rook_to);
        next.drop_rights(if WHITE { Bitboard::rank(0) } else { Bitboard::rank(7) });
        next.find_pins_of_other::<WHITE>();
        next
    }
}
