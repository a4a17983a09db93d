//! The board beside cozy-chess, chess and shakmaty: `cargo bench -p benches`, or one group with
//! `cargo bench -p benches -- perft` (also `list`, `make`, `is_legal`, `see`, `sliders`, `winnable`,
//! `is_dead`).
//! Criterion prints time and throughput of each; the groups say what an element is.

mod exchange;
mod generators;
mod winnable;

use std::hint::black_box;
use std::time::Duration;

use benches::CASES;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group};
use generators::{ChessCrate, CozyChess, Generator, Shakmaty, Themis};

/// Runs a function for each generator.
macro_rules! for_each_generator {
    ($function:ident($($argument:expr),*)) => {
        $function::<Themis>($($argument),*);
        $function::<CozyChess>($($argument),*);
        $function::<ChessCrate>($($argument),*);
        $function::<Shakmaty>($($argument),*);
    };
}

type Group<'a> = BenchmarkGroup<'a, WallTime>;

/// An element is a node of the last ply.
fn perft(criterion: &mut Criterion) {
    fn bench<G: Generator>(group: &mut Group<'_>, case: &benches::Case) {
        let board = G::board(case.fen);
        let (depth, nodes) = case.short;
        assert_eq!(G::perft(&board, depth), nodes, "{} {}", G::NAME, case.fen);
        group.bench_function(G::NAME, |bencher| bencher.iter(|| G::perft(&board, depth)));
    }
    for case in &CASES {
        let mut group = criterion.benchmark_group(format!("perft {}", case.name));
        group.throughput(Throughput::Elements(case.short.1));
        for_each_generator!(bench(&mut group, case));
        group.finish();
    }
}

fn boards<G: Generator>() -> Vec<G::Board> {
    CASES.iter().map(|case| G::board(case.fen)).collect()
}

/// An element is a move listed.
fn list(criterion: &mut Criterion) {
    fn bench<G: Generator>(group: &mut Group<'_>) {
        let boards = boards::<G>();
        let count = || boards.iter().map(|board| G::count_list(black_box(board))).sum::<usize>();
        group.throughput(Throughput::Elements(count() as u64));
        group.bench_function(G::NAME, |bencher| bencher.iter(count));
    }
    let mut group = criterion.benchmark_group("list");
    for_each_generator!(bench(&mut group));
    group.finish();
}

/// An element is a move made on a copy of the position.
fn make(criterion: &mut Criterion) {
    fn bench<G: Generator>(group: &mut Group<'_>) {
        let pairs: Vec<_> =
            boards::<G>().into_iter().map(|board| (G::list(&board), board)).collect();
        let moves: usize = pairs.iter().map(|(list, _)| list.len()).sum();
        group.throughput(Throughput::Elements(moves as u64));
        group.bench_function(G::NAME, |bencher| {
            bencher.iter(|| {
                for (list, board) in &pairs {
                    for &mv in list {
                        black_box(G::play(board, mv));
                    }
                }
            });
        });
    }
    let mut group = criterion.benchmark_group("make");
    for_each_generator!(bench(&mut group));
    group.finish();
}

/// An element is a question: whether a move of any of the positions is legal in one of them.
fn is_legal(criterion: &mut Criterion) {
    fn bench<G: Generator>(group: &mut Group<'_>) {
        let boards = boards::<G>();
        let moves: Vec<_> = boards.iter().flat_map(G::list).collect();
        group.throughput(Throughput::Elements((boards.len() * moves.len()) as u64));
        group.bench_function(G::NAME, |bencher| {
            bencher.iter(|| {
                let legal = |board| moves.iter().filter(|&&mv| G::is_legal(board, mv)).count();
                boards.iter().map(legal).sum::<usize>()
            });
        });
    }
    let mut group = criterion.benchmark_group("is_legal");
    for_each_generator!(bench(&mut group));
    group.finish();
}

/// An element is a capture judged at five thresholds. The peers offer no exchange evaluation;
/// theirs is the one of `exchange.rs`, over their look-ups.
fn see(criterion: &mut Criterion) {
    const THRESHOLDS: [i32; 5] = [-300, -100, 0, 100, 300];
    fn good<G: Generator>(captures: &[(G::Board, Vec<G::Move>)]) -> usize {
        // As in a search, nothing is known of a question from the one before it.
        let of_move = |board, mv| {
            let good = |&&threshold: &&i32| G::see_ge(black_box(board), black_box(mv), threshold);
            THRESHOLDS.iter().filter(good).count()
        };
        captures
            .iter()
            .flat_map(|(board, moves)| moves.iter().map(move |&mv| of_move(board, mv)))
            .sum()
    }
    fn captures<G: Generator>() -> Vec<(G::Board, Vec<G::Move>)> {
        // One ply deeper there are captures of every kind.
        boards::<G>()
            .iter()
            .flat_map(|board| G::list(board).into_iter().map(|mv| G::play(board, mv)))
            .map(|board| (G::plain_captures(&board), board))
            .map(|(captures, board)| (board, captures))
            .collect()
    }
    fn bench<G: Generator>(group: &mut Group<'_>, expected: usize) {
        let captures = captures::<G>();
        assert_eq!(good::<G>(&captures), expected, "{}", G::NAME);
        let count: usize = captures.iter().map(|(_, moves)| moves.len()).sum();
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(G::NAME, |bencher| bencher.iter(|| good::<G>(&captures)));
    }
    let expected = good::<Themis>(&captures::<Themis>());
    let mut group = criterion.benchmark_group("see");
    for_each_generator!(bench(&mut group, expected));
    group.finish();
}

/// An element is a look-up of a bishop and of a rook. Each look-up depends on the one before,
/// so that this is the time until the attacks are there.
fn sliders(criterion: &mut Criterion) {
    const LOOKUPS: usize = 4096;
    fn look_up<G: Generator>(occupancies: &[u64]) -> u64 {
        occupancies.iter().enumerate().fold(0, |last, (i, occupied)| {
            // The last attacks move one man, which leaves the occupancy as random as before.
            let occupied = occupied ^ (last & last.wrapping_neg());
            let square = (i % 64) as u8;
            G::bishop_attacks(square, occupied) ^ G::rook_attacks(square, occupied)
        })
    }
    fn bench<G: Generator>(group: &mut Group<'_>, occupancies: &[u64]) {
        assert_eq!(look_up::<G>(occupancies), look_up::<Themis>(occupancies), "{}", G::NAME);
        let id = BenchmarkId::from_parameter(G::NAME);
        group.bench_with_input(id, occupancies, |bencher, occupancies| {
            bencher.iter(|| look_up::<G>(occupancies));
        });
    }
    let mut random = fastrand::Rng::with_seed(1);
    let occupancies: Vec<u64> = (0..LOOKUPS).map(|_| random.u64(..) & random.u64(..)).collect();
    let mut group = criterion.benchmark_group("sliders");
    group.throughput(Throughput::Elements(LOOKUPS as u64));
    for_each_generator!(bench(&mut group, &occupancies));
    group.finish();
}

criterion_group! {
    name = board;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .without_plots();
    targets = perft, list, make, is_legal, see, sliders, winnable::winnable, winnable::is_dead
}
fn main() {
    board();
    Criterion::default().configure_from_args().final_summary();
}
