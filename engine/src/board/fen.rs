//! FEN, X-FEN and Shredder-FEN in and out: the one door to a position.

use std::fmt::Write;

use super::attacks::pawn_attacks;
use super::position::code;
use super::{Bitboard, CastlingSide, Color, Piece, PieceType, Position, Square};

/// Why a FEN is refused: the field and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// There is no text.
    #[error("empty FEN")]
    Empty,
    /// More than six fields.
    #[error("FEN has more than six fields, at `{0}`")]
    TooManyFields(String),
    /// Not eight ranks.
    #[error("board: expected 8 ranks, found {0}")]
    RankCount(usize),
    /// A rank has not eight squares.
    #[error("board: rank {rank} has {width} squares, not 8")]
    RankWidth {
        /// The rank, 1 to 8.
        rank: u8,
        /// How many squares are described.
        width: u32,
    },
    /// A character that is neither a man nor a number of empty squares.
    #[error("board: expected a man (PNBRQK, pnbrqk) or a digit from 1 to 8, found `{0}`")]
    Letter(char),
    /// Two digits in a row.
    #[error("board: two digits in a row in rank {0}")]
    AdjacentDigits(u8),
    /// A side has no king, or several.
    #[error("board: {color:?} has {count} kings, not 1")]
    Kings {
        /// The side.
        color: Color,
        /// Its kings.
        count: u32,
    },
    /// A pawn stands where none can.
    #[error("board: a pawn on {0}, a back rank")]
    PawnOnBackRank(Square),
    /// A side has more than sixteen men.
    #[error("board: {color:?} has {count} men, more than 16")]
    TooManyMen {
        /// The side.
        color: Color,
        /// Its men.
        count: u32,
    },
    /// A side has more than eight pawns.
    #[error("board: {color:?} has {count} pawns, more than 8")]
    TooManyPawns {
        /// The side.
        color: Color,
        /// Its pawns.
        count: u32,
    },
    /// The side to move could capture the king.
    #[error("board: the king of the side that is not to move is in check on {0}")]
    OpponentInCheck(Square),
    /// The second field is no side, or missing.
    #[error("side to move: expected `w` or `b`, found `{0}`")]
    SideToMove(String),
    /// The third field has a letter that stands for no right.
    #[error("castling: expected `-` or letters of KQkq, A-H, a-h, found `{0}`")]
    Castling(String),
    /// The fourth field is no square.
    #[error("en passant: expected `-` or a square, found `{0}`")]
    EnPassant(String),
    /// The en passant square is on no rank a pawn passes over.
    #[error("en passant: {0} is not on the rank a pawn has just passed over")]
    EnPassantRank(Square),
    /// The fifth field is no number.
    #[error("halfmove clock: expected a number, found `{0}`")]
    HalfmoveClock(String),
    /// The sixth field is no number.
    #[error("fullmove number: expected a number, found `{0}`")]
    FullmoveNumber(String),
}

/// The largest counter kept; FENs with larger ones are read as this.
pub(super) const MAX_COUNTER: u16 = 9999;

impl Position {
    /// Reads FEN, X-FEN or Shredder-FEN of two to six fields (missing ones: `- - 0 1`).
    ///
    /// Castling rights and en passant squares that cannot be used are dropped; counters above
    /// 9999 are read as 9999. The letters K, Q, k and q name the outermost rook, as X-FEN says;
    /// where they cannot all be meant in Chess960, only those for a king on the e-file and a rook
    /// in the corner count.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let board = fields.next().ok_or(FenError::Empty)?;
        let side = fields.next().unwrap_or("");
        let castling = fields.next().unwrap_or("-");
        let ep = fields.next().unwrap_or("-");
        let halfmove_clock = fields.next().unwrap_or("0");
        let fullmove_number = fields.next().unwrap_or("1");
        if let Some(extra) = fields.next() {
            return Err(FenError::TooManyFields(clip(extra)));
        }

        let men = read_board(board)?;
        let side = match side {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(FenError::SideToMove(clip(other))),
        };
        let mut position = place(&men, side)?;
        position.read_castling(castling)?;
        position.halfmove_clock = read_counter(halfmove_clock)
            .ok_or_else(|| FenError::HalfmoveClock(clip(halfmove_clock)))?;
        position.fullmove_number = read_counter(fullmove_number)
            .ok_or_else(|| FenError::FullmoveNumber(clip(fullmove_number)))?
            .max(1);
        position.find_checks();
        position.read_ep(ep)?;
        position.key = position.fresh_key();
        Ok(position)
    }

    fn read_castling(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let mut rights = Vec::new();
        let mut all_usable = true;
        for letter in text.chars() {
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let rook = match letter.to_ascii_lowercase() {
                'k' => self.outermost_rook(color, CastlingSide::King),
                'q' => self.outermost_rook(color, CastlingSide::Queen),
                file @ 'a'..='h' => self.castling_rook_on(color, file as u8 - b'a'),
                _ => return Err(FenError::Castling(clip(text))),
            };
            let by_side = matches!(letter.to_ascii_lowercase(), 'k' | 'q');
            all_usable &= rook.is_some();
            if let Some(rook) = rook {
                rights.push((color, rook, by_side));
            }
        }
        let of = |color| rights.iter().any(|&(c, _, _)| c == color);
        let kings_agree = self.king(Color::White).file() == self.king(Color::Black).file();
        let chess960 = all_usable && (kings_agree || !(of(Color::White) && of(Color::Black)));
        for (color, rook, by_side) in rights {
            let king = self.king(color);
            let corner = rook.file() == 0 || rook.file() == 7;
            let usable = !by_side || chess960 || king.file() == 4 && corner;
            let side =
                if rook.file() > king.file() { CastlingSide::King } else { CastlingSide::Queen };
            if usable && self.castling_rook(color, side).is_none() {
                self.castling |= 1 << (u32::from(rook.file()) + 8 * color.index() as u32);
            }
        }
        Ok(())
    }

    /// The rooks of a colour on its back rank, if its king is there too.
    fn rooks_beside_king(&self, color: Color) -> Bitboard {
        let king = self.king(color);
        if king.relative_rank(color) != 0 {
            return Bitboard::EMPTY;
        }
        self.pieces(color, PieceType::Rook) & Bitboard::rank(king.rank())
    }

    fn castling_rook_on(&self, color: Color, file: u8) -> Option<Square> {
        self.rooks_beside_king(color).find(|rook| rook.file() == file)
    }

    fn outermost_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.king(color).file();
        let rooks = self.rooks_beside_king(color);
        match side {
            CastlingSide::King => rooks.filter(|rook| rook.file() > king).last(),
            CastlingSide::Queen => rooks.into_iter().find(|rook| rook.file() < king),
        }
    }

    /// Keeps the en passant square if a pawn can just have passed over it and a capture is legal.
    fn read_ep(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let square: Square = text.parse().map_err(|_| FenError::EnPassant(clip(text)))?;
        let us = self.side;
        if square.relative_rank(us) != 5 {
            return Err(FenError::EnPassantRank(square));
        }
        let pushed = Square::new(square.index() as u8 ^ 8);
        let start = Square::new(if us == Color::White {
            square.index() as u8 + 8
        } else {
            square.index() as u8 - 8
        });
        let enemy_pawn = (self.pawns & self.color(!us)).contains(pushed);
        let passed = square.bitboard() | start.bitboard();
        if !enemy_pawn || (passed & self.occupied()).any() {
            return Ok(());
        }
        // Before the step the side now to move cannot have been in check from anything else.
        let before = self.occupied() ^ pushed.bitboard() ^ start.bitboard();
        let earlier = self.attackers_to(self.king(us), before) & self.color(!us);
        if !earlier.is_subset(pushed.bitboard()) {
            return Ok(());
        }
        let capturers = pawn_attacks(!us, square) & self.pawns & self.color(us);
        if capturers.any() {
            self.keep_ep(us, square, capturers);
        }
        Ok(())
    }

    /// The position as FEN: X-FEN castling letters, or Shredder-FEN's rook files.
    pub fn fen(&self, shredder: bool) -> String {
        let mut text = String::with_capacity(90);
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                match self.piece_on(Square::from_coords(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        push_gap(&mut text, empty);
                        empty = 0;
                        text.push(piece.letter());
                    }
                }
            }
            push_gap(&mut text, empty);
            if rank > 0 {
                text.push('/');
            }
        }
        text.push_str(if self.side == Color::White { " w " } else { " b " });
        self.push_castling(&mut text, shredder);
        match self.ep_square() {
            Some(square) => {
                let _ = write!(text, " {square}");
            }
            None => text.push_str(" -"),
        }
        let _ = write!(text, " {} {}", self.halfmove_clock, self.fullmove_number);
        text
    }

    fn push_castling(&self, text: &mut String, shredder: bool) {
        if self.castling == 0 {
            text.push('-');
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let Some(rook) = self.castling_rook(color, side) else { continue };
                let letter = if shredder || self.outermost_rook(color, side) != Some(rook) {
                    (b'a' + rook.file()) as char
                } else {
                    match side {
                        CastlingSide::King => 'k',
                        CastlingSide::Queen => 'q',
                    }
                };
                text.push(in_case_of(color, letter));
            }
        }
    }
}

fn push_gap(text: &mut String, empty: u8) {
    if empty > 0 {
        text.push((b'0' + empty) as char);
    }
}

fn in_case_of(color: Color, letter: char) -> char {
    if color == Color::White { letter.to_ascii_uppercase() } else { letter }
}

impl Piece {
    /// The FEN letter of a man: upper case for White.
    pub fn letter(self) -> char {
        in_case_of(self.color, self.kind.letter())
    }
}

/// The first characters of a text, so that an error stays one short line.
fn clip(text: &str) -> String {
    text.chars().take(24).collect()
}

fn read_counter(text: &str) -> Option<u16> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Digits only: what does not fit is too large.
    Some(text.parse().unwrap_or(MAX_COUNTER).min(MAX_COUNTER))
}

fn read_board(text: &str) -> Result<Vec<(Square, Piece)>, FenError> {
    let count = text.split('/').count();
    if count != 8 {
        return Err(FenError::RankCount(count));
    }
    let mut men = Vec::with_capacity(32);
    for (rank, row) in (0..8u8).rev().zip(text.split('/')) {
        let mut file = 0u32;
        let mut after_digit = false;
        for letter in row.chars() {
            if let Some(kind) = PieceType::from_letter(letter) {
                let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                if file < 8 {
                    men.push((Square::from_coords(file as u8, rank), Piece { color, kind }));
                }
                file += 1;
                after_digit = false;
            } else {
                let gap = letter.to_digit(10).filter(|digit| (1..=8).contains(digit));
                file += gap.ok_or(FenError::Letter(letter))?;
                if after_digit {
                    return Err(FenError::AdjacentDigits(rank + 1));
                }
                after_digit = true;
            }
        }
        if file != 8 {
            return Err(FenError::RankWidth { rank: rank + 1, width: file });
        }
    }
    Ok(men)
}

/// Puts the men on the board and checks that such a position can be played on.
fn place(men: &[(Square, Piece)], side: Color) -> Result<Position, FenError> {
    let mut position = Position {
        pawns: Bitboard::EMPTY,
        knights: Bitboard::EMPTY,
        diagonal: Bitboard::EMPTY,
        orthogonal: Bitboard::EMPTY,
        colors: [Bitboard::EMPTY; 2],
        key: 0,
        checkers: Bitboard::EMPTY,
        pinned: Bitboard::EMPTY,
        kings: [Square::new(0); 2],
        castling: 0,
        ep: 0,
        side,
        halfmove_clock: 0,
        fullmove_number: 1,
    };
    let mut kings = [0; 2];
    for &(square, piece) in men {
        let color = piece.color.index();
        position.colors[color] |= square.bitboard();
        if piece.kind == PieceType::King {
            kings[color] += 1;
            position.kings[color] = square;
        } else {
            position.toggle(code::of(piece.kind), square.bitboard());
        }
    }
    for color in Color::ALL {
        let count = kings[color.index()];
        if count != 1 {
            return Err(FenError::Kings { color, count });
        }
        let count = position.color(color).count();
        if count > 16 {
            return Err(FenError::TooManyMen { color, count });
        }
        let count = position.pieces(color, PieceType::Pawn).count();
        if count > 8 {
            return Err(FenError::TooManyPawns { color, count });
        }
    }
    let back_ranks = Bitboard::rank(0) | Bitboard::rank(7);
    if let Some(square) = (position.pawns & back_ranks).first() {
        return Err(FenError::PawnOnBackRank(square));
    }
    let enemy_king = position.king(!side);
    let attackers = position.attackers_to(enemy_king, position.occupied());
    if (attackers & position.color(side)).any() {
        return Err(FenError::OpponentInCheck(enemy_king));
    }
    Ok(position)
}
