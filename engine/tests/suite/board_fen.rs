//! The door to a position: what it lets in, what it mends, what it refuses and why.

use engine::board::{CastlingSide, Color, FenError, Position, Square};

fn read(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[track_caller]
fn refused(fen: &str) -> FenError {
    Position::from_fen(fen).expect_err(fen)
}

#[test]
fn each_fault_is_named() {
    use FenError::*;
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let with = |rest: &str| format!("{start} {rest}");
    assert_eq!(refused(""), Empty);
    assert_eq!(refused("  \t"), Empty);
    assert_eq!(refused(&with("w KQkq - 0 1 moves")), TooManyFields("moves".into()));
    assert_eq!(refused("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1"), RankCount(7));
    let wide = "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(refused(wide), RankWidth { rank: 7, width: 9 });
    assert_eq!(
        refused("rnbqkbnr/pppppppp/7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        RankWidth { rank: 6, width: 7 }
    );
    assert_eq!(refused("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"), Letter('9'));
    assert_eq!(refused("rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"), Letter('x'));
    assert_eq!(
        refused("rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"),
        AdjacentDigits(6)
    );
    assert_eq!(refused(start), SideToMove("".into()));
    assert_eq!(refused(&with("r KQkq - 0 1")), SideToMove("r".into()));
    assert_eq!(refused(&with("w KQXq - 0 1")), Castling("KQXq".into()));
    assert_eq!(refused(&with("w KQkq e9 0 1")), EnPassant("e9".into()));
    assert_eq!(refused(&with("w KQkq - x 1")), HalfmoveClock("x".into()));
    assert_eq!(refused(&with("w KQkq - -1 1")), HalfmoveClock("-1".into()));
    assert_eq!(refused(&with("w KQkq - 0 1.5")), FullmoveNumber("1.5".into()));
    assert_eq!(refused("8/8/8/8/8/8/8/K7 w - - 0 1"), Kings { color: Color::Black, count: 0 });
    assert_eq!(refused("k6k/8/8/8/8/8/8/K7 w - - 0 1"), Kings { color: Color::Black, count: 2 });
    let on_last_rank = "k6P/8/8/8/8/8/8/K7 w - - 0 1";
    assert_eq!(refused(on_last_rank), PawnOnBackRank(Square::from_coords(7, 7)));
    assert_eq!(
        refused("k7/8/8/8/8/RRRRRRRR/RRRRRRRR/K7 b - - 0 1"),
        TooManyMen { color: Color::White, count: 17 }
    );
    assert_eq!(
        refused("k7/8/8/8/8/P7/PPPPPPPP/K7 b - - 0 1"),
        TooManyPawns { color: Color::White, count: 9 }
    );
    let next_to_each_other = "8/8/8/3kK3/8/8/8/8 w - - 0 1";
    assert_eq!(refused(next_to_each_other), OpponentInCheck(Square::from_coords(3, 4)));
    // fn-007: the king of the side that is not to move can be taken.
    let fen = "8/pp5p/kqp5/2P1Br2/5Pb1/P1NQ4/1P4PP/2K2BbR w - - 0 1";
    assert!(matches!(refused(fen), OpponentInCheck(_)));
    // fn-024: the pawn's own square.
    let fen = "rnbqkbnr/pppp2pp/5p2/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e5 0 1";
    assert_eq!(refused(fen), EnPassantRank(Square::from_coords(4, 4)));
}

#[test]
fn error_messages_are_short_lines() {
    let text = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {} - - 0 1", "ü".repeat(5000));
    let message = refused(&text).to_string();
    assert!(message.chars().count() < 120 && !message.contains('\n'), "{message}");
}

#[test]
fn unusable_castling_rights_are_dropped() {
    for (fen, mended) in [
        // fn-001
        (
            "3qk1nb/1p3p2/p1r1p1p1/3p4/3P4/2N1BP2/PPPQ1P2/R3K3 w Qk - 0 15",
            "3qk1nb/1p3p2/p1r1p1p1/3p4/3P4/2N1BP2/PPPQ1P2/R3K3 w Q - 0 15",
        ),
        // fn-003
        (
            "2r5/5p1k/p4b2/2Rp1pr1/1Pn1q3/2P3PP/P4P2/2RQ2K1 b KQkq - 0 1",
            "2r5/5p1k/p4b2/2Rp1pr1/1Pn1q3/2P3PP/P4P2/2RQ2K1 b - - 0 1",
        ),
        ("4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", "4k3/8/8/8/8/8/4K3/R6R w - - 0 1"),
        ("4k3/8/8/8/8/8/8/n3K2r w KQ - 0 1", "4k3/8/8/8/8/8/8/n3K2r w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R w KKA - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
    ] {
        assert_eq!(read(fen).fen(false), mended);
        assert_eq!(read(fen).key(), read(mended).key());
    }
}

#[test]
fn the_outermost_rook_is_meant() {
    let at = |name: &str| Some(name.parse::<Square>().unwrap());
    let rook = |fen: &str, color, side| read(fen).castling_rook(color, side);
    let (white, king_side, queen_side) = (Color::White, CastlingSide::King, CastlingSide::Queen);
    assert_eq!(rook("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", white, king_side), at("h1"));
    assert_eq!(rook("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", white, king_side), at("g1"));
    assert_eq!(rook("4k3/pppppppp/8/8/8/8/8/rR2K3 w Q - 0 1", white, queen_side), at("b1"));
    let fen = "rkbnrqnb/8/8/pppppppp/PPPPP3/B7/5PPP/1KRNRQNB b Kkq - 1 9";
    assert_eq!(rook(fen, white, king_side), at("e1"));
    assert_eq!(rook(fen, white, queen_side), None);
    assert_eq!(rook(fen, Color::Black, queen_side), at("a8"));
}

#[test]
fn both_kinds_of_castling_letters_are_written() {
    let inner = read("4k3/8/8/8/8/8/8/4K1RR w G - 0 1");
    assert_eq!(inner.fen(false), "4k3/8/8/8/8/8/8/4K1RR w G - 0 1");
    let outer = read("4k3/8/8/8/8/8/8/4K1RR w H - 0 1");
    assert_eq!(outer.fen(false), "4k3/8/8/8/8/8/8/4K1RR w K - 0 1");
    assert_eq!(outer.fen(true), "4k3/8/8/8/8/8/8/4K1RR w H - 0 1");
    assert_ne!(inner.key(), outer.key());
    // cs-016
    let array = "nqrnbkrb/pppppppp/8/8/8/8/PPPPPPPP/NQRNBKRB w";
    let (x_fen, shredder) = (format!("{array} KQkq - 0 1"), format!("{array} GCgc - 0 1"));
    assert!(read(&x_fen) == read(&shredder));
    assert_eq!(read(&shredder).fen(false), x_fen);
    assert_eq!(read(&x_fen).fen(true), shredder);
}

#[test]
fn missing_fields_and_large_counters() {
    for side in ["w", "b"] {
        let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        assert_eq!(read(&format!("{board} {side}")).fen(false), format!("{board} {side} - - 0 1"));
    }
    let four = read("4k3/8/8/8/8/8/8/4K2R w K -");
    assert_eq!(four.fen(false), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let five = read("4k3/8/8/8/8/8/8/4K2R w K - 10");
    assert_eq!((five.halfmove_clock(), five.fullmove_number()), (10, 1));
    let huge = read("4k3/8/8/8/8/8/8/4K2R w K - 99999999999999999999 70000");
    assert_eq!((huge.halfmove_clock(), huge.fullmove_number()), (9999, 9999));
    assert_eq!(read("4k3/8/8/8/8/8/8/4K2R w K - 0 0").fullmove_number(), 1);
}

#[test]
fn en_passant_is_kept_only_where_legal() {
    for (fen, legal) in [
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", false),
        ("rnbqkb1r/ppp3pp/3p1n2/3P4/8/2P5/PP3PPP/RNBQKB1R w KQkq e6", false), // fn-023
        ("rnbqk1nr/bb3p1p/1q2r3/2pPp3/3P4/7P/1PP1NpPP/R1BQKBNR w KQkq c6 0 1", false), // fn-025
        ("q6k/8/8/3pP3/8/8/8/7K w - d6 0 1", false),                          // fn-026
        ("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", false),                         // fn-027
        ("8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1", true),
        ("8/8/8/8/1k1Pp2R/8/8/4K3 b - d3 0 1", false),
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 50", true),
    ] {
        let position = read(fen);
        assert_eq!(position.ep_square().is_some(), legal, "{fen}");
        let captures = position.legal_moves().iter().filter(|mv| mv.is_en_passant()).count();
        assert_eq!(captures > 0, legal, "{fen}");
    }
    assert_eq!(read("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1").count_legal_moves(), 6);
}

#[test]
fn impossible_checks_are_harmless() {
    for fen in [
        "2Nq4/2K5/1b6/8/7R/3k4/7P/8 w - - 0 1",
        "5R2/2P5/8/4k3/8/3rK2r/8/8 w - - 0 1",
        "2N5/8/1B1R4/q7/1K6/8/3b4/5k2 w - - 0 1",
        "4k3/8/8/8/3q1q2/8/4r3/q3K2q w - - 0 1",
    ] {
        let position = read(fen);
        for &mv in &position.legal_moves() {
            let next = position.play(mv);
            assert!(read(&next.fen(true)) == next, "{fen} {mv:?}");
        }
    }
}

#[test]
fn the_longest_move_list_fits() {
    let fen = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    assert_eq!(read(fen).legal_moves().len(), 218);
    let fen = "1q2B2q/2q1B1q1/3qkq2/qrr1rRRQ/3QKQ2/2Q3Q1/1Q2n2Q/Q3n3 w - - 10";
    assert!(read(fen).legal_moves().len() > 1);
}
