//! Tries to break the solver: mutates positions and compares the static argument, the search, the
//! whole answer, the closure of all reachable positions where it is small (with shakmaty's moves),
//! and chasolver as a second opinion.
//!
//! `cargo run --release -p benches --example breaker -- MINUTES SEED FILE.tsv…`
//!
//! Prints each contradiction, and counts at the end; exit code 1 where the solver was wrong.

use std::collections::HashSet;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::{Duration, Instant};

use arbiter_plugin::winnable::inspect::{
    Tracked, holds_by_projection, holds_statically, search_alone,
};
use arbiter_plugin::winnable::{Limits, Verdict, winnable};
use chasolver::Winnability;
use engine::board::{Color, Position};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _};

/// Positions of a closure that still counts as small.
const SMALL: usize = 2_000;
/// What the whole answer may spend.
const LIMITS: Limits = Limits { nodes: 100_000, bytes: 128 << 20 };
/// What the search may spend to refute a static claim.
const REFUTE: Limits = Limits { nodes: 30_000, bytes: 128 << 20 };

/// Xorshift: the same seed makes the same run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }
}

#[derive(Default)]
struct Counts {
    queries: u64,
    winnable: u64,
    unwinnable: u64,
    undecided: u64,
    static_claims: u64,
    closures: u64,
    second_opinions: u64,
    chasolver_wrong: u64,
    chasolver_undecided: u64,
    wrong: u64,
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let minutes: u64 = args.next().and_then(|text| text.parse().ok()).unwrap_or(1);
    let seed: u64 = args.next().and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut seeds = Vec::new();
    for path in args {
        match std::fs::read_to_string(&path) {
            Ok(text) => seeds.extend(
                text.lines()
                    .filter_map(|line| line.split('\t').next())
                    .filter(|fen| fen.contains('/'))
                    .map(str::to_string),
            ),
            Err(error) => {
                eprintln!("breaker: {path}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    if seeds.is_empty() {
        eprintln!("breaker: expected MINUTES SEED FILE.tsv…");
        return ExitCode::from(2);
    }
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut counts = Counts::default();
    let end = Instant::now() + Duration::from_secs(60 * minutes);
    let mut next_report = Instant::now() + Duration::from_secs(300);
    while Instant::now() < end {
        let fen = mutate(&seeds[random.below(seeds.len())], &mut random);
        if let Ok(position) = Position::from_fen(&fen) {
            for winner in Color::ALL {
                examine(&fen, &position, winner, &mut counts);
            }
        }
        if Instant::now() > next_report {
            report(&counts);
            next_report += Duration::from_secs(300);
        }
    }
    report(&counts);
    ExitCode::from(u8::from(counts.wrong > 0))
}

fn report(counts: &Counts) {
    println!(
        "{} queries: {} winnable, {} unwinnable, {} undecided; {} static claims searched, {} closures, \
         {} second opinions (chasolver: {} wrong, {} undecided); {} contradictions",
        counts.queries,
        counts.winnable,
        counts.unwinnable,
        counts.undecided,
        counts.static_claims,
        counts.closures,
        counts.second_opinions,
        counts.chasolver_wrong,
        counts.chasolver_undecided,
        counts.wrong
    );
}

fn examine(fen: &str, position: &Position, winner: Color, counts: &mut Counts) {
    counts.queries += 1;
    let side = if winner == Color::White { 'w' } else { 'b' };
    let verdict = winnable(position, winner, LIMITS);
    let answer = match verdict {
        Verdict::Winnable(_) => Some(true),
        Verdict::Unwinnable(_) => Some(false),
        Verdict::Undecided => None,
    };
    match answer {
        Some(true) => counts.winnable += 1,
        Some(false) => counts.unwinnable += 1,
        None => {
            counts.undecided += 1;
            println!("UNDECIDED {fen} {side}");
        }
    }
    if holds_statically(position, winner)
        || Tracked::EACH.iter().any(|&tracked| holds_by_projection(position, winner, tracked))
    {
        counts.static_claims += 1;
        if let Verdict::Winnable(line) = search_alone(position, winner, REFUTE) {
            counts.wrong += 1;
            println!("STATIC WRONG {fen} {side}: mate in {} plies", line.len());
        }
    }
    if let Some(truth) = closure(fen, winner) {
        counts.closures += 1;
        if answer.is_some_and(|answer| answer != truth) {
            counts.wrong += 1;
            println!("CLOSURE SAYS {truth}, WE {answer:?} {fen} {side}");
        }
    }
    // A claim that a side can never mate is what a second opinion can refute.
    if answer == Some(false) {
        let Ok(board) = chess::Board::from_str(fen) else { return };
        counts.second_opinions += 1;
        let color = if winner == Color::White { chess::Color::White } else { chess::Color::Black };
        match chasolver::winnability(&board, color) {
            Some(Winnability::Winnable { helpmate }) => {
                counts.wrong += 1;
                println!("CHASOLVER MATES {fen} {side}: {} plies", helpmate.len());
            }
            Some(Winnability::Unwinnable) => {}
            None => counts.chasolver_undecided += 1,
        }
    } else if answer == Some(true) && counts.queries.is_multiple_of(4) {
        let Ok(board) = chess::Board::from_str(fen) else { return };
        counts.second_opinions += 1;
        let color = if winner == Color::White { chess::Color::White } else { chess::Color::Black };
        match chasolver::winnability(&board, color) {
            Some(Winnability::Unwinnable) => {
                counts.chasolver_wrong += 1;
                println!("chasolver wrong {fen} {side}");
            }
            Some(Winnability::Winnable { .. }) => {}
            None => counts.chasolver_undecided += 1,
        }
    }
}

/// Whether any reachable position is a mate by `winner`; `None` where there are too many.
fn closure(fen: &str, winner: Color) -> Option<bool> {
    let root: Chess = fen.parse::<Fen>().ok()?.into_position(CastlingMode::Chess960).ok()?;
    let loser =
        if winner == Color::White { shakmaty::Color::Black } else { shakmaty::Color::White };
    let mut seen = HashSet::from([root.clone()]);
    let mut open = vec![root];
    while let Some(position) = open.pop() {
        let moves = position.legal_moves();
        if moves.is_empty() && position.is_check() && position.turn() == loser {
            return Some(true);
        }
        for mv in moves {
            let mut next = position.clone();
            next.play_unchecked(mv);
            if seen.len() > SMALL {
                return None;
            }
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    Some(false)
}

/// A position with one to three small changes: a man moved, added, removed or recoloured, the move
/// passed, files mirrored.
fn mutate(fen: &str, random: &mut Random) -> String {
    let mut squares = ['.'; 64];
    let fields: Vec<&str> = fen.split_whitespace().collect();
    for (row, text) in fields.first().unwrap_or(&"").split('/').enumerate().take(8) {
        let mut file = 0;
        for letter in text.chars() {
            match letter.to_digit(10) {
                Some(empty) => file += empty as usize,
                None => {
                    if file < 8 {
                        squares[row * 8 + file] = letter;
                    }
                    file += 1;
                }
            }
        }
    }
    let mut turn = if fields.get(1) == Some(&"b") { 'b' } else { 'w' };
    for _ in 0..1 + random.below(3) {
        let (from, to) = (random.below(64), random.below(64));
        match random.below(8) {
            0..=2 => {
                if squares[from] != '.' && !matches!(squares[to], 'k' | 'K') && from != to {
                    squares[to] = std::mem::replace(&mut squares[from], '.');
                }
            }
            3 | 4 => {
                if squares[to] == '.' {
                    squares[to] = b"ppPPbBnNrRqQ"[random.below(12)] as char;
                }
            }
            5 => {
                if !matches!(squares[from], 'k' | 'K') {
                    squares[from] = '.';
                }
            }
            6 => turn = if turn == 'w' { 'b' } else { 'w' },
            _ => {
                if squares[from].is_ascii_alphabetic() && !matches!(squares[from], 'k' | 'K') {
                    squares[from] = b"pPbBnN"[random.below(6)] as char;
                }
            }
        }
    }
    let rows: Vec<String> = squares.chunks(8).map(row).collect();
    format!("{} {turn} - - 0 1", rows.join("/"))
}

fn row(squares: &[char]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for &square in squares {
        if square == '.' {
            empty += 1;
        } else {
            if empty > 0 {
                text += &empty.to_string();
            }
            empty = 0;
            text.push(square);
        }
    }
    if empty > 0 {
        text += &empty.to_string();
    }
    text
}
