//! The mating-possibility solver beside chasolver.

use std::hint::black_box;
use std::str::FromStr;

use arbiter_plugin::winnable::{self, Limits, Verdict};
use chasolver::Winnability;
use criterion::{Criterion, Throughput};
use engine::board::{Color, Position};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Move, Position as _};

/// Ordinary middlegame positions.
const MIDDLEGAMES: [&str; 8] = [
    "3r4/p5kp/1b2Q1p1/2p2p2/4pP2/1PPqB3/P5PP/R5K1 w - - 6 35",
    "5kr1/r1q2B2/p1n1QB2/1p6/8/1PNP2p1/P1PK2Pb/R4R2 b - - 0 27",
    "2rq1r2/pb5k/1b5p/4ppp1/1P1p4/PB1Q1PN1/2P3PP/R3R2K b - - 1 24",
    "1r2r1k1/2R1nppp/b6b/8/5P2/P2P1BPQ/1P3R1P/6K1 w - - 15 34",
    "4qrkb/pp1R3p/2p2pp1/4p3/4P3/2N1B2P/PPP2QP1/3R2K1 w - - 5 28",
    "2r2rk1/3nq2p/p1p1bp2/1P1pp1p1/1P1P4/2N1PNP1/5PBP/R1BQ1RK1 b - - 0 15",
    "rnb1kb1r/pp3qpp/2p2n2/8/8/3P4/PPP1NPPP/R1B1K2R w KQkq - 0 13",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
];

/// Locked positions, few men, and forced captures.
const ENDINGS: [&str; 4] = [
    "8/5bk1/4p1p1/2Kn4/3P1P2/5Q2/8/8 b - - 14 56",
    "8/4k3/2p2p1p/1pP2PpP/pP1K2P1/P7/8/8 b - - 1 43",
    "8/7p/6Rk/2r4b/8/8/8/5K2 b - - 0 51",
    "7k/7p/8/8/8/8/8/K6N w - - 0 1",
];

/// Both solvers' boards.
fn boards(fens: &[&str]) -> Vec<(Position, chess::Board)> {
    fens.iter()
        .map(|fen| {
            let position = Position::from_fen(fen).expect("a position");
            (position, chess::Board::from_str(fen).expect("a position"))
        })
        .collect()
}

/// An element is a query: whether one side can still mate.
pub fn winnable(criterion: &mut Criterion) {
    for (name, fens) in [("middlegames", &MIDDLEGAMES[..]), ("endings", &ENDINGS[..])] {
        let boards = boards(fens);
        let ours = || {
            let of = |position: &Position, color| {
                let verdict = winnable::winnable(black_box(position), color, Limits::default());
                matches!(verdict, Verdict::Winnable(_))
            };
            boards
                .iter()
                .map(|(position, _)| Color::ALL.map(|color| of(position, color)))
                .collect::<Vec<_>>()
        };
        let theirs = || {
            let of = |board: &chess::Board, color| {
                let verdict = chasolver::winnability(black_box(board), color);
                matches!(verdict, Some(Winnability::Winnable { .. }))
            };
            boards
                .iter()
                .map(|(_, board)| chess::ALL_COLORS.map(|color| of(board, color)))
                .collect::<Vec<_>>()
        };
        assert_eq!(ours(), theirs());
        let mut group = criterion.benchmark_group(format!("winnable {name}"));
        group.throughput(Throughput::Elements(2 * boards.len() as u64));
        group.bench_function("themis", |bencher| bencher.iter(ours));
        group.bench_function("chasolver", |bencher| bencher.iter(theirs));
        group.finish();
    }
}

/// An element is a position: whether neither side can still mate. chasolver's is its fast mode.
/// Then an element is a quiet move of a piece on them: the look after it in a live game.
pub fn is_dead(criterion: &mut Criterion) {
    let boards = boards(&MIDDLEGAMES);
    let mut group = criterion.benchmark_group("is_dead");
    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function("themis", |bencher| {
        bencher.iter(|| {
            boards.iter().filter(|(position, _)| winnable::is_dead(black_box(position))).count()
        });
    });
    group.bench_function("chasolver", |bencher| {
        let dead = |board: &chess::Board| {
            chess::ALL_COLORS
                .into_iter()
                .all(|color| chasolver::is_unwinnable_fast(black_box(board), color))
        };
        bencher.iter(|| boards.iter().filter(|(_, board)| dead(board)).count());
    });
    let moves = quiet_moves();
    group.throughput(Throughput::Elements(moves.len() as u64));
    group.bench_function("themis, after a quiet move", |bencher| {
        let dead = |(before, mv, after): &&(Chess, Move, Chess)| {
            arbiter_plugin::is_dead_after(black_box(before), *mv, after)
        };
        bencher.iter(|| moves.iter().filter(dead).count());
    });
    group.finish();
}

/// The quiet moves of pieces on the middlegames that keep the castling rights, with the positions
/// before and after.
fn quiet_moves() -> Vec<(Chess, Move, Chess)> {
    let mut made = Vec::new();
    for fen in MIDDLEGAMES {
        let fen: Fen = fen.parse().expect("a FEN");
        let before: Chess = fen.into_position(CastlingMode::Standard).expect("a position");
        for mv in before.legal_moves() {
            let mut after = before.clone();
            after.play_unchecked(mv);
            let same_rights =
                after.castles().castling_rights() == before.castles().castling_rights();
            if !mv.is_zeroing() && same_rights && !after.legal_moves().is_empty() {
                made.push((before.clone(), mv, after));
            }
        }
    }
    made
}
