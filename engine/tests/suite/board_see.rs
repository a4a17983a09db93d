//! The exchange evaluation beside a plain one that tries the captures on a board.

use engine::board::{Bitboard, Color, Move, MoveKind, PieceType, Position, SEE_VALUES, Square};

use crate::random::{Random, chess960_array};

/// Men on a board, by square.
type Board = [Option<(Color, PieceType)>; 64];

fn board(position: &Position) -> Board {
    let mut board = [None; 64];
    for square in Square::all() {
        board[square.index()] = position.piece_on(square).map(|piece| (piece.color, piece.kind));
    }
    board
}

/// Whether the man on `from` attacks `to`, found by walking.
fn attacks(board: &Board, from: Square, to: Square) -> bool {
    let Some((color, kind)) = board[from.index()] else { return false };
    let df = to.file() as i32 - from.file() as i32;
    let dr = to.rank() as i32 - from.rank() as i32;
    let forward = if color == Color::White { 1 } else { -1 };
    let straight = (df == 0) != (dr == 0);
    let slanted = df.abs() == dr.abs() && df != 0;
    let open = || {
        let (sf, sr) = (df.signum(), dr.signum());
        let (mut f, mut r) = (from.file() as i32 + sf, from.rank() as i32 + sr);
        while (f, r) != (to.file() as i32, to.rank() as i32) {
            if board[(r * 8 + f) as usize].is_some() {
                return false;
            }
            (f, r) = (f + sf, r + sr);
        }
        true
    };
    match kind {
        PieceType::Pawn => dr == forward && df.abs() == 1,
        PieceType::Knight => df.abs() * dr.abs() == 2,
        PieceType::Bishop => slanted && open(),
        PieceType::Rook => straight && open(),
        PieceType::Queen => (straight || slanted) && open(),
        PieceType::King => df.abs().max(dr.abs()) == 1,
    }
}

/// What `side` wins at best by capturing on `to` with its least man, or stopping.
fn exchange(board: &mut Board, to: Square, side: Color) -> i32 {
    let attacker = Square::all()
        .filter(|&from| from != to && board[from.index()].is_some_and(|(c, _)| c == side))
        .filter(|&from| attacks(board, from, to))
        .min_by_key(|&from| (board[from.index()].unwrap().1, from));
    let Some(from) = attacker else { return 0 };
    let (_, victim) = board[to.index()].unwrap();
    let man = board[from.index()].take();
    board[to.index()] = man;
    let answered = Square::all().any(|square| {
        square != to
            && board[square.index()].is_some_and(|(c, _)| c != side)
            && attacks(board, square, to)
    });
    if man.unwrap().1 == PieceType::King && answered {
        return 0;
    }
    (SEE_VALUES[victim.index()] - exchange(board, to, !side)).max(0)
}

fn reference(position: &Position, mv: Move) -> i32 {
    let mut board = board(position);
    let mut gain = position.captured(mv).map_or(0, |kind| SEE_VALUES[kind.index()]);
    match mv.kind() {
        MoveKind::Castling => return 0,
        MoveKind::EnPassant => board[mv.to().index() ^ 8] = None,
        _ => {}
    }
    board[mv.to().index()] = board[mv.from().index()].take();
    if let Some(kind) = mv.promotion_type() {
        gain += SEE_VALUES[kind.index()] - SEE_VALUES[0];
        board[mv.to().index()] = Some((position.side_to_move(), kind));
    }
    gain - exchange(&mut board, mv.to(), !position.side_to_move())
}

#[test]
fn agrees_with_the_plain_exchange() {
    let mut random = Random(3);
    let mut seen = 0;
    for game in 0..60 {
        let fen = chess960_array(&mut random);
        let mut position =
            if game % 2 == 0 { Position::startpos() } else { Position::from_fen(&fen).unwrap() };
        for _ in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            for &mv in &moves {
                let value = reference(&position, mv);
                for (threshold, expected) in [(value, true), (value + 1, false)] {
                    assert_eq!(
                        position.see_ge(mv, threshold),
                        expected,
                        "{position:?}: {mv:?} is worth {value}, asked for {threshold}"
                    );
                }
                seen += 1;
            }
            position = position.play(moves[random.below(moves.len())]);
        }
    }
    assert!(seen > 10_000);
}

#[test]
fn well_known_exchanges() {
    let cases = [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -200),
    ];
    for (fen, text, value) in cases {
        let position = Position::from_fen(fen).unwrap();
        let mv = position.parse_uci(text).unwrap();
        assert!(position.see_ge(mv, value) && !position.see_ge(mv, value + 1), "{fen} {text}");
    }
}

#[test]
fn any_move_bits_are_answered() {
    let position = Position::startpos();
    for bits in 0..=u16::MAX {
        let _ = position.see_ge(Move::from_bits(bits), 0);
    }
    assert_eq!(Bitboard::ALL.count(), 64);
}
