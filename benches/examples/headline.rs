//! Bulk perft of Themis, cozy-chess, chess and shakmaty on the six usual positions, one thread,
//! no table, in turns: `cargo run --release -p benches --example headline -- [ROUNDS]`.
//! Prints the median million nodes a second of each, and the ratio to cozy-chess.

#[allow(dead_code)]
#[path = "../benches/board/exchange.rs"]
mod exchange;
#[allow(dead_code)]
#[path = "../benches/board/generators.rs"]
mod generators;

use std::fs;

use benches::{CASES, Case};
use generators::{ChessCrate, CozyChess, Generator, Shakmaty, Themis};

/// The name of a generator and how it counts.
type Entrant = (&'static str, fn(&Case) -> f64);

const ENTRANTS: [Entrant; 4] =
    [entrant::<Themis>(), entrant::<CozyChess>(), entrant::<ChessCrate>(), entrant::<Shakmaty>()];

const fn entrant<G: Generator>() -> Entrant {
    (G::NAME, mnps::<G>)
}

/// Million nodes a second of one count, by the time of the thread.
fn mnps<G: Generator>(case: &Case) -> f64 {
    let board = G::board(case.fen);
    let (depth, expected) = case.full;
    let start = seconds();
    let nodes = G::perft(&board, depth);
    let elapsed = seconds() - start;
    assert_eq!(nodes, expected, "{} on {}", G::NAME, case.fen);
    nodes as f64 / elapsed / 1e6
}

/// The processor time of this thread.
#[cfg(unix)]
fn seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The time of day, where there is no time of the thread.
#[cfg(not(unix))]
fn seconds() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

fn geometric_mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    (values.map(f64::ln).sum::<f64>() / count).exp()
}

/// The processor and what the compiler was allowed to use of it.
fn describe_machine() -> String {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map_or(std::env::consts::ARCH, |(_, model)| model);
    let mut build = Vec::new();
    for (name, enabled) in [
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("avx512f", cfg!(target_feature = "avx512f")),
    ] {
        if enabled {
            build.push(name);
        }
    }
    let features = if build.is_empty() { "baseline".to_owned() } else { build.join(" ") };
    let pext = if cfg!(feature = "cozy-pext") { ", cozy-chess with its feature pext" } else { "" };
    format!("{model}; compiled for {} ({features}){pext}", std::env::consts::ARCH)
}

fn main() {
    let rounds = match std::env::args().nth(1).map(|text| text.parse::<usize>()) {
        None => 5,
        Some(Ok(rounds)) if rounds > 0 => rounds,
        Some(_) => {
            eprintln!("headline: expected a number of rounds");
            std::process::exit(2);
        }
    };
    let mut speeds = [const { [const { Vec::new() }; ENTRANTS.len()] }; CASES.len()];
    for _ in 0..rounds {
        for (case, speeds) in CASES.iter().zip(&mut speeds) {
            for ((_, run), speeds) in ENTRANTS.iter().zip(speeds) {
                speeds.push(run(case));
            }
        }
    }
    let medians = speeds.map(|row| row.map(|speeds| median(&speeds)));
    print_table(&medians, rounds);
}

fn print_table(medians: &[[f64; ENTRANTS.len()]], rounds: usize) {
    println!("{}", describe_machine());
    println!("million nodes a second, medians of {rounds} rounds\n");
    print!("| position |");
    for (name, _) in ENTRANTS {
        print!(" {name} |");
    }
    println!(" themis / cozy-chess |");
    println!("|---|{}---:|", "---:|".repeat(ENTRANTS.len()));
    for (case, row) in CASES.iter().zip(medians) {
        print_row(&format!("{}, depth {}", case.name, case.full.0), row);
    }
    let means: [f64; ENTRANTS.len()] =
        std::array::from_fn(|i| geometric_mean(medians.iter().map(|row| row[i])));
    print_row("geometric mean", &means);
}

fn print_row(name: &str, row: &[f64; ENTRANTS.len()]) {
    print!("| {name} |");
    for speed in row {
        print!(" {speed:.0} |");
    }
    println!(" {:.2} |", row[0] / row[1]);
}
