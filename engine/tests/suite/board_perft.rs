//! Perft suites: the project's own, and the larger ones where they are at hand.

use std::fs;
use std::path::Path;

use engine::board::Position;
use engine::board::perft::perft;

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
