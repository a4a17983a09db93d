//! Positions from bug reports of other programs: castling, repetition, counters.

use engine::board::Position;
use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position as _};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// All positions of a game, its moves in UCI notation or SAN.
fn game(fen: &str, moves: &str) -> Vec<Position> {
    let mut referee: Chess =
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
    let mut positions = vec![Position::from_fen(fen).unwrap()];
    for text in moves.split_whitespace() {
        let mv = match UciMove::from_ascii(text.as_bytes())
            .ok()
            .and_then(|m| m.to_move(&referee).ok())
        {
            Some(mv) => mv,
            None => text.parse::<San>().unwrap().to_move(&referee).unwrap(),
        };
        let last = positions.last().unwrap();
        let uci = UciMove::from_move(mv, CastlingMode::Chess960).to_string();
        positions.push(last.play(last.parse_uci(&uci).unwrap()));
        referee.play_unchecked(mv);
    }
    positions
}

/// The first ply at which a key occurs for the `times`-th time, and how often the last occurs.
fn repetition(positions: &[Position], times: usize) -> (Option<usize>, usize) {
    let count =
        |ply: usize| positions[..=ply].iter().filter(|p| p.key() == positions[ply].key()).count();
    ((0..positions.len()).find(|&ply| count(ply) >= times), count(positions.len() - 1))
}

#[test]
fn keys_repeat_as_article_9_2_2_says() {
    let cases = [
        (START, "e4 e5 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", 10),
        (START, "e4 c5 e5 Qb6 Nf3 Qe6 Ng1 d5 Nf3 Nc6 Ng1 Nb8 Nf3 Nc6 Ng1 Nb8", 16),
        (
            "5kbq/3Q2n1/6p1/r3PpKn/2n5/8/8/q7 w - f6 7 4",
            "d7c8 f8f7 c8d7 f7f8 d7d8 f8f7 d8d7 f7f8",
            8,
        ),
        ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "Kd2 Kd7 Ke1 Ke8 Kf2 Kf7 Ke1 Ke8", 8),
        (START, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", 8),
        (START, "h3 h6 Rh2 Rh7 Rh1 Rh8 Rh2 Rh7 Rh1 Rh8 Rh2 Rh7 Rh1 Rh8", 12),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "a1b1 a8b8 b1a1 b8a8 a1b1 a8b8 b1a1 b8a8 a1b1 a8b8 b1a1 b8a8",
            10,
        ),
        (
            "r4rk1/1q3pp1/p1R1p3/3nP1BQ/P7/7P/6PK/2R5 b - - 0 27",
            "Rac8 R6c4 Rxc4 Rxc4 Qb8 Bd2 Rc8 Rh4 f5 Qh8+ Kf7 Qh5+ Kg8 Qh7+ Kf7 Qh5+ Kg8 Qh7+ Kf7 \
             Qh5+",
            17,
        ),
        (
            "5R2/3P4/8/8/7r/7r/7k/K7 w - - 0 1",
            "d7d8r h2g1 f8f7 g1h2 f7d7 h2g1 d8f8 g1h2 d7d8 h2g1 f8f7 g1h2 f7d7 h2g1 d8f8 g1h2 \
             d7d8",
            17,
        ),
        (
            "4k2r/8/8/8/8/8/4R3/K7 b k - 0 1",
            "e8d8 e2d2 d8e8 d2e2 e8d8 e2d2 d8e8 d2e2 e8d8 e2d2 d8e8 d2e2",
            9,
        ),
    ];
    for (fen, moves, ply) in cases {
        assert_eq!(repetition(&game(fen, moves), 3).0, Some(ply), "{fen} {moves}");
    }
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(4);
    assert_eq!(repetition(&game(START, &moves), 5), (Some(16), 5));
}

#[test]
fn castling_moves_of_chess960() {
    let seven = "d4 d5 c4 dxc4 e4 b5 Ne3 c5 dxc5 e5 b4 a5 bxa5 Bxc5 a4 bxa4 Nac2 Nc7 Bb4 Bxb4 Nxb4 \
                 Qb5 Rxc4 Qxa5 Nbd5 Nxd5 Rxc8 Nxe3 fxe3";
    let eight = "g2g3 d7d5 d2d4 c8b6 c1b3 f8d7 b3c5 g7g6 c5d7 d8d7 f1e3 f7f5 f2f4 e7e6 g3g4 g8f7 \
                 g4f5 e6f5 d1d3 d7a4 b2b3 a4d4";
    let cases: [(&str, &str, &[&str]); 9] = [
        ("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", "", &[]),
        ("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", "g1g5 e8d7", &["e1h1"]),
        ("4k3/pppppppp/8/8/8/8/8/rR2K3 w Q - 0 1", "", &[]),
        ("rkbnrqnb/8/8/pppppppp/PPPPP3/B7/5PPP/1KRNRQNB b Kkq - 1 9", "", &[]),
        ("4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/1PPNP3/PBBP2P1/4RRK1 w Ff - 10 18", "", &[]),
        ("nqrnbbkr/pppppppp/8/8/8/8/PPPPPPPP/NQRNBBKR w KQkq - 0 1", seven, &["g8h8"]),
        ("rknqrnbb/pppppppp/8/8/8/8/PPPPPPPP/RKNQRNBB w KQkq - 0 1", eight, &["b1a1"]),
        ("4k2r/8/8/6R1/6r1/2K5/8/8 b k - 0 1", "g4g2 g5g8 g2g8 c3d3 g8g5 d3e3", &["e8h8"]),
        ("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "", &["e1a1"]),
    ];
    for (fen, moves, expected) in cases {
        let position = *game(fen, moves).last().unwrap();
        let castling: Vec<String> = position
            .legal_moves()
            .iter()
            .filter(|mv| mv.is_castling())
            .map(|&mv| position.uci(mv, true))
            .collect();
        assert_eq!(castling, expected, "{fen} {moves}");
    }
}

#[test]
fn positions_after_moves() {
    for (fen, moves, after) in [
        (
            "b3k2r/5p2/4p3/1p5p/6p1/2PR2P1/BP3qNP/6QK b k - 2 28",
            "a8g2",
            "4k2r/5p2/4p3/1p5p/6p1/2PR2P1/BP3qbP/6QK w k - 0 29",
        ),
        (
            "rnbqk1nr/ppp1ppb1/6p1/3p4/8/2N5/PPPPPPP1/R1BQKBNR w KQkq - 0 5",
            "h1h8",
            "rnbqk1nR/ppp1ppb1/6p1/3p4/8/2N5/PPPPPPP1/R1BQKBN1 b Qq - 0 5",
        ),
        ("rn2k3/1P6/8/8/8/8/8/4K3 w q - 0 1", "b7a8q", "Qn2k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 40 60",
            "a1b1",
            "r3k2r/8/8/8/8/8/8/1R2K2R b Kkq - 41 60",
        ),
        (
            START,
            "e3 e5 Nf3 Nf6 Nc3 Nc6 d3 Be7 Be2 O-O",
            "r1bq1rk1/ppppbppp/2n2n2/4p3/8/2NPPN2/PPP1BPPP/R1BQK2R w KQ - 3 6",
        ),
        (
            "r1bq1rk1/pp1pbppp/2n2n2/2p1p3/2B1P3/2NP1N1P/PPP2PP1/R1BQK2R w KQ - 1 7",
            "O-O",
            "r1bq1rk1/pp1pbppp/2n2n2/2p1p3/2B1P3/2NP1N1P/PPP2PP1/R1BQ1RK1 b - - 2 7",
        ),
        ("8/P7/8/8/8/8/k7/7K w - - 99 80", "a7a8q", "Q7/8/8/8/8/8/k7/7K b - - 0 80"),
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 50", "d5c6", "4k3/8/2P5/8/8/8/8/4K3 b - - 0 50"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 149 200", "e2e4", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 200"),
    ] {
        assert_eq!(game(fen, moves).last().unwrap().fen(false), after, "{fen} {moves}");
    }
}

#[test]
fn en_passant_does_not_meet_a_double_check() {
    // fn-029
    let position = *game("2r5/1K6/P1B5/8/4p1pp/8/3R1PkP/8 w - - 0 1", "f2f4").last().unwrap();
    let mut moves: Vec<String> =
        position.legal_moves().iter().map(|&mv| position.uci(mv, false)).collect();
    moves.sort();
    assert_eq!(moves, ["g2f1", "g2f3", "g2g1", "g2h1", "g2h3"]);
}
