//! What `themis tournament` does without arguments: a short match of the built-in engine with
//! itself, so that a newcomer sees rulings, a table and a PGN file within two minutes.

use std::process::ExitCode;

use anyhow::Context;

use super::config::{EngineConfig, Openings, PgnOut, Tournament};
use super::live::say;
use super::opening::{Book, Opening};

/// Moves that lead to sharp, short games.
const OPENINGS: &[&str] = &[
    "e2e4 e7e5 f2f4 e5f4 g1f3 g7g5",
    "e2e4 c7c5 d2d4 c5d4 c2c3 d4c3",
    "d2d4 g8f6 c2c4 e7e5 d4e5 f6g4",
    "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 b2b4 c5b4",
];

/// Plays the match.
pub fn run() -> anyhow::Result<ExitCode> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let engine = |name: &str| EngineConfig {
        cmd: program.to_string_lossy().into_owned(),
        name: name.to_owned(),
        options: [("Hash".to_owned(), "16".to_owned())].into(),
        tc: "2+0.02".parse().ok(),
        ..EngineConfig::default()
    };
    let tournament = Tournament {
        engines: vec![engine("Themis"), engine("Themis' twin")],
        rounds: OPENINGS.len() as u32,
        concurrency: std::thread::available_parallelism().map_or(1, usize::from).min(2),
        event: "Demonstration".to_owned(),
        openings: Some(Openings::default()),
        pgnout: Some(PgnOut {
            file: "themis-demonstration.pgn".into(),
            timeleft: true,
            ..PgnOut::default()
        }),
        ..Tournament::default()
    };
    say(&format!("The built-in engine plays itself: {} games at 2+0.02.", 2 * OPENINGS.len()));
    say("`themis tournament -help` tells how to let other engines play.\n");
    let openings = OPENINGS
        .iter()
        .map(|line| Opening { fen: None, moves: line.split(' ').map(str::to_owned).collect() });
    let book = Book::of(openings.collect());
    super::conduct(&tournament, 0, &book, None, None)?;
    say("The games are in themis-demonstration.pgn.");
    Ok(if super::runner::interrupted() {
        ExitCode::from(super::EXIT_INTERRUPTED)
    } else {
        ExitCode::SUCCESS
    })
}
