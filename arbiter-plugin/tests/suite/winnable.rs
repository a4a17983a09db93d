//! The mating possibility: lines replayed, proofs verified again with shakmaty's moves alone.

use std::collections::{HashMap, HashSet};

use arbiter_plugin::winnable::inspect::{Tracked, holds_by_projection, holds_statically, regions};
use arbiter_plugin::winnable::{Limits, Proof, Verdict, is_dead, shorten, winnable, winnable_both};
use engine::board::{Color, Move, MoveKind, Position};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position as _, Square};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn chess(fen: &str) -> Chess {
    fen.parse::<Fen>()
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
        .into_position(CastlingMode::Chess960)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn side(color: Color) -> shakmaty::Color {
    if color == Color::White { shakmaty::Color::White } else { shakmaty::Color::Black }
}

/// The verdict with limits that a test can afford.
fn decide(fen: &str, winner: Color) -> Verdict {
    winnable(&position(fen), winner, Limits { nodes: 300_000, ..Limits::default() })
}

/// Replays a line by its UCI text; the game must end in mate by `winner`.
fn assert_mates(fen: &str, winner: Color, line: &[Move]) {
    let mut game = chess(fen);
    for &mv in line {
        let mut text = format!("{}{}", mv.from(), mv.to());
        if let MoveKind::Promotion(kind) = mv.kind() {
            text.push(["p", "n", "b", "r", "q", "k"][kind.index()].chars().next().unwrap());
        }
        let uci: UciMove = text.parse().unwrap();
        let mv = uci.to_move(&game).unwrap_or_else(|error| panic!("{fen}: {text}: {error}"));
        game.play_unchecked(mv);
    }
    assert!(game.is_checkmate() && game.turn() == side(!winner), "{fen}: {line:?}");
}

/// Whether a mate by `winner` can be reached, by visiting everything; `None` beyond `limit`.
fn closure(fen: &str, winner: Color, limit: usize) -> Option<bool> {
    let root = chess(fen);
    let mut seen = HashSet::from([root.clone()]);
    let mut open = vec![root];
    while let Some(game) = open.pop() {
        let moves = game.legal_moves();
        if moves.is_empty() && game.is_check() && game.turn() == side(!winner) {
            return Some(true);
        }
        for mv in moves {
            let mut next = game.clone();
            next.play_unchecked(mv);
            if seen.len() > limit {
                return None;
            }
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    Some(false)
}

/// The same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

const WINNABLE: [(&str, Color); 14] = [
    // Positions that other solvers have called unwinnable.
    ("4kb2/8/2pp4/3p2p1/1p1K1pP1/1P1P1P2/8/1B6 w - - 0 1", Color::White),
    ("1b2kb2/8/2pp4/3p2p1/1p1K1pP1/1P1P1P2/8/1B1B1B2 b - - 0 1", Color::White),
    ("8/8/8/5p1p/5P1k/4pP1P/4P2K/6N1 w - - 0 1", Color::White),
    ("8/1p2p1p1/1P2P1P1/Bp2pBp1/1P2P1P1/7k/1P2P3/7K b - - 0 1", Color::White),
    ("k7/1pK3p1/6Pb/1p4pB/bP4P1/Bp6/1P4P1/8 b - - 0 1", Color::White),
    ("k7/1pK3p1/6Pb/1p4pB/bP4P1/Bp6/1P4P1/8 b - - 0 1", Color::Black),
    // Positions on which a solver gave up.
    ("1Bb5/1p6/pPp3k1/2Pp3p/P2PpBpP/4P1P1/5K2/8 w - - 0 1", Color::White),
    ("8/5p1r/8/6P1/6pp/6pk/p3p1pr/rn4K1 b - - 0 1", Color::White),
    ("b7/8/8/p2k4/B1B1B1B1/1B1B1B1B/B1B1B1B1/1B1K1B1B b - - 0 1", Color::White),
    // Few men: the side to be mated blocks its own king.
    ("8/8/8/8/8/3N4/k2K4/r7 b - - 0 1", Color::White),
    ("8/8/8/8/8/3B4/k2K4/n7 b - - 0 1", Color::White),
    ("7k/7p/8/8/8/8/8/K6N w - - 0 1", Color::White),
    // The king in the corner is shut in until the other one leaves.
    ("7k/7P/6PK/r7/8/8/8/8 b - - 0 1", Color::Black),
    // En passant is one way on.
    ("8/8/8/k7/1pPp4/1P1P4/8/K7 b - c3 0 1", Color::Black),
];

const UNWINNABLE: [(&str, Color); 20] = [
    ("8/8/8/4k3/8/8/8/K7 w - - 0 1", Color::White),
    ("8/8/8/4k3/8/8/8/KN6 w - - 0 1", Color::White),
    ("8/8/8/4k2q/8/8/8/KN6 w - - 0 1", Color::White),
    ("8/8/8/4k2r/8/8/8/KB6 w - - 0 1", Color::White),
    ("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1", Color::White),
    ("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1", Color::Black),
    ("8/7p/6Rk/2r4b/8/8/8/5K2 b - - 0 51", Color::White),
    ("8/8/1pk5/1P1p1p1p/K2PpP1P/4P3/8/8 b - - 0 47", Color::White),
    // White's king has two squares, Black's bishops as many as they like.
    ("8/b1b5/k6p/2b2p1P/1b3p2/5PpK/6P1/8 w - - 0 1", Color::White),
    ("8/b1b5/k6p/2b2p1P/1b3p2/5PpK/6P1/8 w - - 0 1", Color::Black),
    ("8/1p2B1B1/1PpB1B2/k1P1B3/p1P2B2/P7/5K2/8 w - - 0 1", Color::White),
    ("8/1p2B1B1/1PpB1B2/k1P1B3/p1P2B2/P7/5K2/8 w - - 0 1", Color::Black),
    // The only move takes the queen; then all is closed.
    ("8/1Q6/2kb1p1p/p1p1pP1P/P1PpP1B1/3P4/6K1/8 b - - 4 61", Color::White),
    ("7b/3B2Q1/4Bk2/p1p1p1p1/P1P1P1P1/8/8/4K3 b - - 0 1", Color::Black),
    // After the forced exchange the argument in stages knows both positions.
    ("1bB4b/k7/R5r1/8/1pBp1p1p/1PpP1P1P/K1P4b/RB6 b - - 0 1", Color::Black),
    // The queen never gets in, whatever Black promotes to.
    ("8/6pp/8/8/ppp5/bkp4Q/qnp2p2/n1K5 b - - 0 1", Color::White),
    ("8/6pp/8/8/ppp5/bkp4Q/qnp5/n1K5 b - - 0 1", Color::White),
    ("6Q1/8/4b3/8/ppp5/qkp3r1/rnp5/n1K5 b - - 0 1", Color::White),
    // White's bishops on their colour, Black's anywhere on theirs.
    ("3b1b2/3k4/2ppp3/3p4/1p1K1p1p/bP1P1P1P/8/1B3B2 w - - 0 1", Color::White),
    ("1b2kb2/8/2ppp3/3p2p1/1p1K1pP1/1P1P1P2/8/1B1B1B2 b - - 0 1", Color::White),
];

#[test]
fn winnable_positions_come_with_a_line_that_mates() {
    for (fen, winner) in WINNABLE {
        match decide(fen, winner) {
            Verdict::Winnable(line) => assert_mates(fen, winner, &line),
            verdict => panic!("{fen} {winner:?}: {verdict:?}"),
        }
    }
}

#[test]
fn unwinnable_positions_are_proven() {
    for (fen, winner) in UNWINNABLE {
        let verdict = decide(fen, winner);
        assert!(matches!(verdict, Verdict::Unwinnable(_)), "{fen} {winner:?}: {verdict:?}");
    }
}

#[test]
fn both_sides_at_once_are_each_side_alone() {
    for (fen, _) in WINNABLE.iter().chain(&UNWINNABLE).take(20) {
        let limits = Limits { nodes: 20_000, ..Limits::default() };
        let both = winnable_both(&position(fen), limits);
        let each = Color::ALL.map(|winner| winnable(&position(fen), winner, limits));
        for (both, each) in both.iter().zip(&each) {
            assert_eq!(
                std::mem::discriminant(both),
                std::mem::discriminant(each),
                "{fen}: {both:?} {each:?}"
            );
        }
    }
    // One closure shows it for both sides; stalemate too, but not a mate.
    for (fen, impossible) in [
        ("k7/P7/K7/8/8/8/8/8 b - - 0 1", [true, true]),
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", [false, true]),
    ] {
        let both = winnable_both(&position(fen), Limits { nodes: 10, ..Limits::default() });
        assert_eq!(
            both.map(|verdict| matches!(verdict, Verdict::Unwinnable(_))),
            impossible,
            "{fen}"
        );
    }
}

#[test]
fn the_same_limits_give_the_same_answer() {
    for (fen, winner) in WINNABLE.into_iter().chain(UNWINNABLE) {
        let limits = Limits { nodes: 5_000, bytes: 8 << 20 };
        assert_eq!(
            winnable(&position(fen), winner, limits),
            winnable(&position(fen), winner, limits),
            "{fen}"
        );
    }
}

#[test]
fn tiny_limits_leave_it_undecided() {
    let fen = "1Bb5/1p6/pPp3k1/2Pp3p/P2PpBpP/4P1P1/5K2/8 w - - 0 1";
    let verdict = winnable(&position(fen), Color::Black, Limits { nodes: 1, bytes: 1 << 20 });
    assert_eq!(verdict, Verdict::Undecided);
}

#[test]
fn common_endings_need_few_positions() {
    let few = |nodes| Limits { nodes, ..Limits::default() };
    // Two knights against a bare king, either way round: a guide knows where they mate.
    for (fen, winner) in [
        ("8/8/8/3k4/3nn3/3K4/8/8 b - - 41 79", Color::Black),
        ("8/8/8/8/2N1k3/8/5K2/6N1 w - - 0 1", Color::White),
    ] {
        match winnable(&position(fen), winner, few(2_000)) {
            Verdict::Winnable(line) => assert_mates(fen, winner, &line),
            verdict => panic!("{fen}: {verdict:?}"),
        }
    }
    // Walls of pawns with moves behind them: the argument in stages needs no search.
    for fen in [
        "8/5p2/3k4/2p2p2/p1P2P1p/P2K3P/8/8 w - - 18 62",
        "8/p7/1b1k4/p1p1p1p1/P1P1P1P1/8/2B1K3/8 w - - 58 77",
    ] {
        let verdict = winnable(&position(fen), Color::Black, few(1));
        assert_eq!(verdict, Verdict::Unwinnable(Proof::Static), "{fen}");
    }
}

#[test]
fn dead_positions_are_dead_for_both() {
    for (fen, dead) in [
        ("8/8/8/4k3/8/8/8/KB6 w - - 0 1", true),
        ("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1", true),
        ("8/8/8/4k3/8/8/8/KR6 w - - 0 1", false),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
        ("8/8/8/4kb2/8/8/8/KB6 w - - 0 1", true),
        ("8/8/8/4k1b1/8/8/8/KB6 w - - 0 1", false),
        // Full of pieces, but the pinned queen must take, and then it is stalemate.
        ("8/7p/7Q/3P2P1/2P3k1/1P4q1/P5R1/5R1K b - - 1 55", true),
    ] {
        assert_eq!(is_dead(&position(fen)), dead, "{fen}");
    }
}

/// A position near one of those above: a man or two moved, taken off or put on, or the other side to
/// move.
fn neighbour(fen: &str, random: &mut Random) -> String {
    let mut squares: Vec<char> = Vec::new();
    let (board, turn) = fen.split_once(' ').unwrap();
    for letter in board.chars().filter(|&letter| letter != '/') {
        match letter.to_digit(10) {
            Some(empty) => squares.extend(std::iter::repeat_n('.', empty as usize)),
            None => squares.push(letter),
        }
    }
    let mut turn = turn.chars().next().unwrap();
    for _ in 0..1 + random.below(2) {
        let (from, to) = (random.below(64), random.below(64));
        let king = |square: usize| matches!(squares[square], 'k' | 'K');
        match random.below(4) {
            0 if !king(to) => {
                let man = std::mem::replace(&mut squares[from], '.');
                squares[to] = man;
            }
            1 if !king(from) => squares[from] = '.',
            2 if squares[to] == '.' => squares[to] = b"pPbBnNrRqQ"[random.below(10)] as char,
            _ => turn = if turn == 'w' { 'b' } else { 'w' },
        }
    }
    let rows: Vec<String> = squares.chunks(8).map(|row| row.iter().collect()).collect();
    let mut text = rows.join("/");
    for empty in (1..=8).rev() {
        text = text.replace(&".".repeat(empty), &empty.to_string());
    }
    format!("{text} {turn} - - 0 1")
}

#[test]
fn answers_agree_with_everything_that_can_be_reached() {
    let mut random = Random(0x5EED_CAFE);
    let (mut small, mut dead) = (0, 0);
    for _ in 0..600 {
        let cases: &[(&str, Color)] = [&WINNABLE[..], &UNWINNABLE[..]][random.below(2)];
        let fen = neighbour(cases[random.below(cases.len())].0, &mut random);
        let Ok(position) = Position::from_fen(&fen) else { continue };
        let verdicts = winnable_both(&position, Limits { nodes: 100_000, ..Limits::default() });
        for (winner, verdict) in Color::ALL.into_iter().zip(verdicts) {
            let Some(truth) = closure(&fen, winner, 2000) else { continue };
            small += 1;
            dead += usize::from(!truth);
            match verdict {
                Verdict::Winnable(line) => {
                    assert!(truth, "{fen} {winner:?}: {line:?}");
                    assert_mates(&fen, winner, &line);
                }
                Verdict::Unwinnable(proof) => assert!(!truth, "{fen} {winner:?}: {proof}"),
                Verdict::Undecided => panic!("{fen} {winner:?}: undecided"),
            }
            // Each argument by itself claims no more than is true.
            let projections =
                Tracked::EACH.map(|tracked| holds_by_projection(&position, winner, tracked));
            let claims = (holds_statically(&position, winner), projections);
            assert!(!truth || claims == (false, [false; 4]), "{fen} {winner:?}: {claims:?}");
        }
    }
    assert!(small > 60 && dead > 20 && small > dead, "{small} small positions, {dead} unwinnable");
}

#[test]
fn exhausted_positions_close_without_a_mate() {
    let mut checked = 0;
    for (fen, winner) in UNWINNABLE {
        if let Verdict::Unwinnable(Proof::Exhausted { .. }) = decide(fen, winner) {
            checked += usize::from(closure(fen, winner, 20_000) == Some(false));
        }
    }
    assert!(checked >= 1, "{checked}");
}

/// Random games never take a man out of the squares that the static argument gives it, as long as
/// White or Black, whoever is to win, has more than the king.
#[test]
fn no_game_leaves_the_static_regions() {
    let mut random = Random(0xF0_47_2E_55);
    let mut followed = 0;
    for (fen, winner) in UNWINNABLE {
        let Some(men) = regions(&position(fen), winner) else { continue };
        let regions: HashMap<Square, u64> = men
            .iter()
            .map(|&(home, region)| (Square::new(home.index() as u32), region.0))
            .collect();
        let winning_men = chess(fen).board().by_color(side(winner)).count();
        for _ in 0..40 {
            let mut game = chess(fen);
            let mut homes: HashMap<Square, Square> =
                game.board().occupied().into_iter().map(|square| (square, square)).collect();
            for _ in 0..200 {
                let moves = game.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random.below(moves.len())];
                // The last man besides the king is not taken in a game that its side wins.
                if winning_men == 2 && game.turn() != side(winner) && mv.is_capture() {
                    break;
                }
                let from = mv.from().unwrap();
                if mv.is_en_passant() {
                    homes.remove(&Square::from_coords(mv.to().file(), from.rank()));
                }
                let home = homes.remove(&from).unwrap();
                homes.insert(mv.to(), home);
                game.play_unchecked(mv);
                followed += 1;
                assert!(
                    regions[&home] >> u32::from(mv.to()) & 1 == 1,
                    "{fen}: the man from {home} came to {}",
                    mv.to()
                );
            }
        }
    }
    assert!(followed > 5_000, "{followed}");
}

#[test]
fn a_shortened_line_still_mates() {
    // Rook and knight go to and fro before the mate that was there from the start.
    let fen = "6k1/5ppp/8/8/8/8/1n6/R5K1 w - - 0 1";
    let mut at = position(fen);
    let mut line = Vec::new();
    for uci in ["a1e1", "b2c4", "e1a1", "c4b2"].repeat(16).into_iter().chain(["a1a8"]) {
        line.push(at.parse_uci(uci).unwrap());
        at = at.play(*line.last().unwrap());
    }
    assert_mates(fen, Color::White, &line);
    let short = shorten(&position(fen), Color::White, line.clone());
    assert_eq!(short, line[64..]);
    // A long line of the solver's own still mates.
    let fen = "4k3/8/8/8/8/5n2/4P3/4K3 w - - 0 1";
    let Verdict::Winnable(line) = decide(fen, Color::Black) else { panic!("{fen} is winnable") };
    let short = shorten(&position(fen), Color::Black, line.clone());
    assert_mates(fen, Color::Black, &short);
    assert!(short.len() <= line.len());
    // What is already a mate in one stays.
    let fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let line = vec![position(fen).parse_uci("a1a8").unwrap()];
    assert_eq!(shorten(&position(fen), Color::White, line.clone()), line);
}
