//! The same questions put to each generator, in the way its own documentation uses it.

use std::hint::black_box;
use std::str::FromStr;

use arrayvec::ArrayVec;
use chess::MoveGen;
use engine::board::{Bitboard, Position, attacks, perft};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Position as _};

use crate::exchange::{self, Exchange};

/// No legal position has more moves than 218.
type List<M> = ArrayVec<M, 256>;

/// A move generator.
pub trait Generator {
    const NAME: &'static str;
    type Board;
    type Move: Copy;

    fn board(fen: &str) -> Self::Board;

    /// Perft, counted in bulk at the last ply.
    fn perft(board: &Self::Board, depth: u32) -> u64;

    /// Lists the legal moves.
    fn list(board: &Self::Board) -> List<Self::Move>;

    /// Lists the legal moves in the generator's own list and says how many there are.
    fn count_list(board: &Self::Board) -> usize {
        black_box(Self::list(board)).len()
    }

    fn play(board: &Self::Board, mv: Self::Move) -> Self::Board;

    fn is_legal(board: &Self::Board, mv: Self::Move) -> bool;

    /// Whether the exchange that a capture starts wins at least `threshold` centipawns.
    fn see_ge(board: &Self::Board, mv: Self::Move, threshold: i32) -> bool;

    /// The captures that neither promote nor are en passant.
    fn plain_captures(board: &Self::Board) -> Vec<Self::Move>;

    fn bishop_attacks(square: u8, occupied: u64) -> u64;

    fn rook_attacks(square: u8, occupied: u64) -> u64;
}

pub struct Themis;

impl Generator for Themis {
    const NAME: &'static str = "themis";
    type Board = Position;
    type Move = engine::board::Move;

    fn board(fen: &str) -> Position {
        Position::from_fen(fen).expect("a FEN")
    }

    fn perft(board: &Position, depth: u32) -> u64 {
        perft::perft(board, depth)
    }

    fn list(board: &Position) -> List<Self::Move> {
        board.legal_moves().iter().copied().collect()
    }

    fn count_list(board: &Position) -> usize {
        black_box(board.legal_moves()).len()
    }

    fn play(board: &Position, mv: Self::Move) -> Position {
        board.play(mv)
    }

    fn is_legal(board: &Position, mv: Self::Move) -> bool {
        board.is_legal(mv)
    }

    fn see_ge(board: &Position, mv: Self::Move, threshold: i32) -> bool {
        board.see_ge(mv, threshold)
    }

    fn plain_captures(board: &Position) -> Vec<Self::Move> {
        let plain = |mv: &Self::Move| mv.promotion_type().is_none() && !mv.is_en_passant();
        board.legal_captures().iter().copied().filter(plain).collect()
    }

    fn bishop_attacks(square: u8, occupied: u64) -> u64 {
        attacks::bishop_attacks(engine::board::Square::new(square), Bitboard(occupied)).0
    }

    fn rook_attacks(square: u8, occupied: u64) -> u64 {
        attacks::rook_attacks(engine::board::Square::new(square), Bitboard(occupied)).0
    }
}

pub struct CozyChess;

impl Generator for CozyChess {
    const NAME: &'static str = "cozy-chess";
    type Board = cozy_chess::Board;
    type Move = cozy_chess::Move;

    fn board(fen: &str) -> Self::Board {
        cozy_chess::Board::from_fen(fen, false).expect("a FEN")
    }

    fn perft(board: &Self::Board, depth: u32) -> u64 {
        let mut nodes = 0;
        match depth {
            0 => nodes += 1,
            1 => {
                board.generate_moves(|moves| {
                    nodes += moves.len() as u64;
                    false
                });
            }
            _ => {
                board.generate_moves(|moves| {
                    for mv in moves {
                        let mut next = board.clone();
                        next.play_unchecked(mv);
                        nodes += Self::perft(&next, depth - 1);
                    }
                    false
                });
            }
        }
        nodes
    }

    fn list(board: &Self::Board) -> List<Self::Move> {
        let mut list = List::new();
        board.generate_moves(|moves| {
            list.extend(moves);
            false
        });
        list
    }

    #[inline(always)]
    fn play(board: &Self::Board, mv: Self::Move) -> Self::Board {
        let mut next = board.clone();
        next.play_unchecked(mv);
        next
    }

    fn is_legal(board: &Self::Board, mv: Self::Move) -> bool {
        board.is_legal(mv)
    }

    fn see_ge(board: &Self::Board, mv: Self::Move, threshold: i32) -> bool {
        exchange::see_ge(board, mv.from as u8, mv.to as u8, threshold)
    }

    fn plain_captures(board: &Self::Board) -> Vec<Self::Move> {
        let enemies = board.colors(!board.side_to_move());
        let plain = |mv: &Self::Move| enemies.has(mv.to) && mv.promotion.is_none();
        Self::list(board).into_iter().filter(plain).collect()
    }

    fn bishop_attacks(square: u8, occupied: u64) -> u64 {
        let square = cozy_chess::Square::index(square.into());
        cozy_chess::get_bishop_moves(square, cozy_chess::BitBoard(occupied)).0
    }

    fn rook_attacks(square: u8, occupied: u64) -> u64 {
        let square = cozy_chess::Square::index(square.into());
        cozy_chess::get_rook_moves(square, cozy_chess::BitBoard(occupied)).0
    }
}

impl Exchange for cozy_chess::Board {
    fn side_to_move(&self) -> usize {
        self.side_to_move() as usize
    }

    fn color(&self, color: usize) -> u64 {
        self.colors(cozy_chess::Color::index(color)).0
    }

    fn kind(&self, kind: usize) -> u64 {
        self.pieces(cozy_chess::Piece::index(kind)).0
    }

    fn pawn_attacks(color: usize, square: u8) -> u64 {
        let square = cozy_chess::Square::index(square.into());
        cozy_chess::get_pawn_attacks(square, cozy_chess::Color::index(color)).0
    }

    fn knight_attacks(square: u8) -> u64 {
        cozy_chess::get_knight_moves(cozy_chess::Square::index(square.into())).0
    }

    fn king_attacks(square: u8) -> u64 {
        cozy_chess::get_king_moves(cozy_chess::Square::index(square.into())).0
    }

    fn bishop_attacks(square: u8, occupied: u64) -> u64 {
        CozyChess::bishop_attacks(square, occupied)
    }

    fn rook_attacks(square: u8, occupied: u64) -> u64 {
        CozyChess::rook_attacks(square, occupied)
    }
}

pub struct ChessCrate;

const CHESS_COLORS: [chess::Color; 2] = [chess::Color::White, chess::Color::Black];

/// A square of the crate `chess`.
fn chess_square(square: u8) -> chess::Square {
    chess::ALL_SQUARES[usize::from(square)]
}

impl Generator for ChessCrate {
    const NAME: &'static str = "chess";
    type Board = chess::Board;
    type Move = chess::ChessMove;

    fn board(fen: &str) -> Self::Board {
        chess::Board::from_str(fen).expect("a FEN")
    }

    fn perft(board: &Self::Board, depth: u32) -> u64 {
        MoveGen::movegen_perft_test(board, depth as usize) as u64
    }

    fn list(board: &Self::Board) -> List<Self::Move> {
        MoveGen::new_legal(board).collect()
    }

    fn play(board: &Self::Board, mv: Self::Move) -> Self::Board {
        board.make_move_new(mv)
    }

    fn is_legal(board: &Self::Board, mv: Self::Move) -> bool {
        board.legal(mv)
    }

    fn see_ge(board: &Self::Board, mv: Self::Move, threshold: i32) -> bool {
        let [from, to] = [mv.get_source(), mv.get_dest()].map(|square| square.to_index() as u8);
        exchange::see_ge(board, from, to, threshold)
    }

    fn plain_captures(board: &Self::Board) -> Vec<Self::Move> {
        let plain = |mv: &Self::Move| {
            board.piece_on(mv.get_dest()).is_some() && mv.get_promotion().is_none()
        };
        MoveGen::new_legal(board).filter(plain).collect()
    }

    fn bishop_attacks(square: u8, occupied: u64) -> u64 {
        chess::get_bishop_moves(chess_square(square), chess::BitBoard(occupied)).0
    }

    fn rook_attacks(square: u8, occupied: u64) -> u64 {
        chess::get_rook_moves(chess_square(square), chess::BitBoard(occupied)).0
    }
}

impl Exchange for chess::Board {
    fn side_to_move(&self) -> usize {
        self.side_to_move().to_index()
    }

    fn color(&self, color: usize) -> u64 {
        self.color_combined(CHESS_COLORS[color]).0
    }

    fn kind(&self, kind: usize) -> u64 {
        self.pieces(chess::ALL_PIECES[kind]).0
    }

    fn pawn_attacks(color: usize, square: u8) -> u64 {
        chess::get_pawn_attacks(chess_square(square), CHESS_COLORS[color], !chess::EMPTY).0
    }

    fn knight_attacks(square: u8) -> u64 {
        chess::get_knight_moves(chess_square(square)).0
    }

    fn king_attacks(square: u8) -> u64 {
        chess::get_king_moves(chess_square(square)).0
    }

    fn bishop_attacks(square: u8, occupied: u64) -> u64 {
        ChessCrate::bishop_attacks(square, occupied)
    }

    fn rook_attacks(square: u8, occupied: u64) -> u64 {
        ChessCrate::rook_attacks(square, occupied)
    }
}

pub struct Shakmaty;

impl Generator for Shakmaty {
    const NAME: &'static str = "shakmaty";
    type Board = shakmaty::Chess;
    type Move = shakmaty::Move;

    fn board(fen: &str) -> Self::Board {
        let fen: Fen = fen.parse().expect("a FEN");
        fen.into_position(CastlingMode::Standard).expect("a position")
    }

    fn perft(board: &Self::Board, depth: u32) -> u64 {
        shakmaty::perft(board, depth)
    }

    fn list(board: &Self::Board) -> List<Self::Move> {
        board.legal_moves().into_iter().collect()
    }

    fn count_list(board: &Self::Board) -> usize {
        black_box(board.legal_moves()).len()
    }

    fn play(board: &Self::Board, mv: Self::Move) -> Self::Board {
        let mut next = board.clone();
        next.play_unchecked(mv);
        next
    }

    fn is_legal(board: &Self::Board, mv: Self::Move) -> bool {
        board.is_legal(mv)
    }

    fn see_ge(board: &Self::Board, mv: Self::Move, threshold: i32) -> bool {
        let from = mv.from().expect("no drops in chess");
        exchange::see_ge(board, u8::from(from), u8::from(mv.to()), threshold)
    }

    fn plain_captures(board: &Self::Board) -> Vec<Self::Move> {
        let plain = |mv: &Self::Move| mv.is_capture() && !mv.is_promotion() && !mv.is_en_passant();
        board.legal_moves().into_iter().filter(plain).collect()
    }

    fn bishop_attacks(square: u8, occupied: u64) -> u64 {
        let square = shakmaty::Square::new(square.into());
        shakmaty::attacks::bishop_attacks(square, shakmaty::Bitboard(occupied)).0
    }

    fn rook_attacks(square: u8, occupied: u64) -> u64 {
        let square = shakmaty::Square::new(square.into());
        shakmaty::attacks::rook_attacks(square, shakmaty::Bitboard(occupied)).0
    }
}

impl Exchange for shakmaty::Chess {
    fn side_to_move(&self) -> usize {
        usize::from(self.turn().is_black())
    }

    fn color(&self, color: usize) -> u64 {
        self.board().by_color(shakmaty::Color::from_white(color == 0)).0
    }

    fn kind(&self, kind: usize) -> u64 {
        self.board().by_role(shakmaty::Role::ALL[kind]).0
    }

    fn pawn_attacks(color: usize, square: u8) -> u64 {
        let color = shakmaty::Color::from_white(color == 0);
        shakmaty::attacks::pawn_attacks(color, shakmaty::Square::new(square.into())).0
    }

    fn knight_attacks(square: u8) -> u64 {
        shakmaty::attacks::knight_attacks(shakmaty::Square::new(square.into())).0
    }

    fn king_attacks(square: u8) -> u64 {
        shakmaty::attacks::king_attacks(shakmaty::Square::new(square.into())).0
    }

    fn bishop_attacks(square: u8, occupied: u64) -> u64 {
        Shakmaty::bishop_attacks(square, occupied)
    }

    fn rook_attacks(square: u8, occupied: u64) -> u64 {
        Shakmaty::rook_attacks(square, occupied)
    }
}
