//! Counts the start position to depth 5 with one generator, for instruction counts:
//! see `benches/REFERENCE.md`.

#[allow(dead_code)]
#[path = "../benches/board/exchange.rs"]
mod exchange;
#[allow(dead_code)]
#[path = "../benches/board/generators.rs"]
mod generators;

use benches::{CASES, Case};
use generators::{ChessCrate, CozyChess, Generator, Shakmaty, Themis};

fn count<G: Generator>(case: &Case) -> u64 {
    G::perft(&G::board(case.fen), case.short.0)
}

fn main() {
    let case = &CASES[0];
    let name = std::env::args().nth(1).unwrap_or_default();
    let nodes = match name.as_str() {
        Themis::NAME => count::<Themis>(case),
        CozyChess::NAME => count::<CozyChess>(case),
        ChessCrate::NAME => count::<ChessCrate>(case),
        Shakmaty::NAME => count::<Shakmaty>(case),
        _ => {
            eprintln!("count_start: expected themis, cozy-chess, chess or shakmaty");
            std::process::exit(2);
        }
    };
    println!("{nodes}");
}
