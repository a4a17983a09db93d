//! Perft suites: the project's own, and the larger ones where they are at hand.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use engine::board::Position;
use engine::board::perft::{PerftTable, perft, perft_hashed, perft_parallel};

/// Checks every count up to `max_nodes`; returns how many positions the file has.
fn check(path: &Path, max_nodes: u64) -> usize {
    let text = fs::read_to_string(path).unwrap();
    let lines: Vec<&str> =
        text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).collect();
    for line in &lines {
        let (fen, counts) = line.split_once(';').expect("counts");
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        for count in counts.split(';') {
            let (depth, nodes) = count.trim().strip_prefix('D').unwrap().split_once(' ').unwrap();
            let nodes: u64 = nodes.trim().parse().unwrap();
            if nodes <= max_nodes {
                assert_eq!(perft(&position, depth.parse().unwrap()), nodes, "{fen} depth {depth}");
            }
        }
    }
    lines.len()
}

#[test]
fn own_suite() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/perft/themis.epd");
    assert!(check(Path::new(path), 5_000_000) > 40);
}

#[test]
fn shared_suites() {
    for name in ["standard.epd", "edge.epd"] {
        let path = format!("{}/../../shared/perft/{name}", env!("CARGO_MANIFEST_DIR"));
        if Path::new(&path).exists() {
            assert!(check(Path::new(&path), u64::MAX) > 60);
        } else {
            println!("skipped: {path} is not there");
        }
    }
}

#[test]
fn depth_nought_is_the_position_itself() {
    assert_eq!(perft(&Position::startpos(), 0), 1);
}

#[test]
fn tables_and_threads_count_the_same() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let position = Position::from_fen(fen).unwrap();
    let threads = |count| NonZeroUsize::new(count).unwrap();
    // One table for all of it: later counts must not be misled by earlier ones.
    let table = PerftTable::new(1).unwrap();
    for depth in 0..=4 {
        let nodes = perft(&position, depth);
        assert_eq!(perft_hashed(&position, depth, &table), nodes);
        assert_eq!(perft_parallel(&position, depth, threads(3), None), nodes);
        assert_eq!(perft_parallel(&position, depth, threads(3), Some(&table)), nodes);
    }
    assert!(PerftTable::new(usize::MAX).is_none());
}
