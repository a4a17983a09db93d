//! Themis and chasolver on the same queries, alternately, one thread:
//! `cargo run --release -p benches --example compare_winnable -- FILE.tsv…`
//! (columns: fen, intended winner `w|b`, verdict). Prints microseconds per query and what each got wrong.

use std::str::FromStr;
use std::time::{Duration, Instant};

use arbiter_plugin::winnable::{Limits, Verdict, winnable};
use chasolver::Winnability;
use engine::board::{Color, Position};

/// Times and mistakes of one solver on one file.
#[derive(Default)]
struct Score {
    times: Vec<Duration>,
    wrong: usize,
    undecided: usize,
}

impl Score {
    fn add(&mut self, time: Duration, answer: Option<bool>, truth: bool) {
        self.times.push(time);
        match answer {
            None => self.undecided += 1,
            Some(answer) if answer != truth => self.wrong += 1,
            Some(_) => {}
        }
    }

    fn mean(&self) -> f64 {
        micros(self.times.iter().sum()) / self.times.len().max(1) as f64
    }

    fn print(&mut self, name: &str) {
        self.times.sort_unstable();
        let at = |share: f64| {
            self.times
                .get(((self.times.len().max(1) - 1) as f64 * share) as usize)
                .map_or(0.0, |&time| micros(time))
        };
        println!(
            "  {name:<10} mean {:>9.2}  median {:>7.2}  p99 {:>9.1}  max {:>10.0}  wrong {}  undecided {}",
            self.mean(),
            at(0.5),
            at(0.99),
            at(1.0),
            self.wrong,
            self.undecided
        );
    }
}

fn micros(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1000.0
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path)?;
        let (mut ours, mut theirs) = (Score::default(), Score::default());
        let mut skipped = 0;
        for line in text.lines() {
            let cells: Vec<&str> = line.split('\t').collect();
            let &[fen, side, verdict, ..] = cells.as_slice() else { continue };
            let truth = match verdict {
                "winnable" => true,
                "unwinnable" => false,
                _ => continue,
            };
            let (Ok(position), Ok(board)) = (Position::from_fen(fen), chess::Board::from_str(fen))
            else {
                skipped += 1;
                continue;
            };
            let white = side == "w";

            let start = Instant::now();
            let verdict = winnable(
                &position,
                if white { Color::White } else { Color::Black },
                Limits::default(),
            );
            let time = start.elapsed();
            let answer = match verdict {
                Verdict::Winnable(_) => Some(true),
                Verdict::Unwinnable(_) => Some(false),
                Verdict::Undecided => None,
            };
            if answer != Some(truth) {
                println!("  themis: {answer:?} against {truth}: {fen} {side}");
            }
            ours.add(time, answer, truth);

            let start = Instant::now();
            let verdict = chasolver::winnability(
                &board,
                if white { chess::Color::White } else { chess::Color::Black },
            );
            let time = start.elapsed();
            let answer = verdict.map(|verdict| matches!(verdict, Winnability::Winnable { .. }));
            theirs.add(time, answer, truth);
        }
        println!(
            "{path}: {} queries{}, us per query",
            ours.times.len(),
            if skipped > 0 {
                format!(" ({skipped} positions only one side accepts)")
            } else {
                String::new()
            }
        );
        ours.print("themis");
        theirs.print("chasolver");
        println!("  ratio of means {:.3}", ours.mean() / theirs.mean().max(f64::MIN_POSITIVE));
    }
    Ok(())
}
