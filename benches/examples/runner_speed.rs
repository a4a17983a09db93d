//! Games per second of `themis tournament` beside fastchess: the same engines, the same number of
//! games and moves, run by turns, so that a busy machine is busy for both.
//!
//! `runner_speed [--themis PROGRAM] [--fastchess PROGRAM] [--engine PROGRAM]… [--games N]
//! [--moves N] [--runs N]`

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

struct Options {
    themis: PathBuf,
    fastchess: PathBuf,
    engines: Vec<PathBuf>,
    games: usize,
    moves: usize,
    runs: usize,
}

fn main() -> Result<(), String> {
    let options = options()?;
    let folder = std::env::temp_dir().join(format!("runner-speed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    println!(
        "{} games of at most {} moves, nodes=1, median of {} runs by turns",
        options.games, options.moves, options.runs
    );
    println!("engine                  at a time   themis games/s   fastchess games/s   ratio");
    let done = options.engines.iter().try_for_each(|engine| {
        [1, 2].into_iter().try_for_each(|concurrency| {
            let mut times = [Vec::new(), Vec::new()];
            for _ in 0..options.runs {
                for (runner, times) in times.iter_mut().enumerate() {
                    times.push(run(&options, runner == 1, engine, concurrency, &folder)?);
                }
            }
            let [themis, fastchess] =
                times.map(|mut times| options.games as f64 / median(&mut times).as_secs_f64());
            println!(
                "{:<24}{concurrency:<12}{themis:<17.1}{fastchess:<20.1}{:.2}",
                engine.file_name().unwrap_or_default().to_string_lossy(),
                themis / fastchess
            );
            Ok(())
        })
    });
    let _ = std::fs::remove_dir_all(&folder);
    done
}

fn options() -> Result<Options, String> {
    // Examples lie in a folder beside the programs.
    let here = std::env::current_exe().map_err(|error| error.to_string())?;
    let programs = here.parent().and_then(Path::parent).ok_or("no folder of programs")?;
    let mut options = Options {
        themis: programs.join("themis"),
        fastchess: "fastchess".into(),
        engines: Vec::new(),
        games: 400,
        moves: 20,
        runs: 5,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word}: a value is missing"))?;
        let number = || match value.parse::<usize>() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(format!("{word} {value}: expected a number from 1 on")),
        };
        match word.as_str() {
            "--themis" => options.themis = value.into(),
            "--fastchess" => options.fastchess = value.into(),
            "--engine" => options.engines.push(value.into()),
            "--games" => options.games = number()?.next_multiple_of(2),
            "--moves" => options.moves = number()?,
            "--runs" => options.runs = number()?,
            _ => {
                return Err(format!(
                    "{word}: expected --themis, --fastchess, --engine, --games, --moves or --runs"
                ));
            }
        }
    }
    if options.engines.is_empty() {
        options.engines = vec![programs.join("examples/scripted_engine"), options.themis.clone()];
    }
    let missing = options.engines.iter().chain([&options.themis]).find(|program| !program.exists());
    match missing {
        Some(program) => Err(format!(
            "{}: no such program (build with `cargo build --release -p uci-frontend --bins --examples`)",
            program.display()
        )),
        None => Ok(options),
    }
}

/// One tournament; the time from start to exit.
fn run(
    options: &Options,
    fastchess: bool,
    engine: &Path,
    concurrency: usize,
    folder: &Path,
) -> Result<Duration, String> {
    let program = if fastchess { &options.fastchess } else { &options.themis };
    let pgn = folder.join("games.pgn");
    let _ = std::fs::remove_file(&pgn);
    let mut command = Command::new(program);
    if !fastchess {
        command.arg("tournament");
    }
    for name in ["A", "B"] {
        command.args(["-engine", &format!("cmd={}", engine.display()), &format!("name={name}")]);
    }
    // fastchess wants a time control beside the nodes.
    command.args(["-each", "proto=uci", "nodes=1", "tc=100000"]);
    command.args(["-games", "2", "-rounds", &(options.games / 2).to_string(), "-repeat"]);
    command.args(["-concurrency", &concurrency.to_string()]);
    command.args(["-maxmoves", &options.moves.to_string()]);
    command.args(["-pgnout", &format!("file={}", pgn.display())]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir(folder);
    let shown = program.display();
    let began = Instant::now();
    let status = command.status().map_err(|error| format!("{shown}: {error}"))?;
    let elapsed = began.elapsed();
    let text = std::fs::read_to_string(&pgn).unwrap_or_default();
    let played = text.matches("[Result ").count();
    match status.success() && played == options.games {
        true => Ok(elapsed),
        false => Err(format!("{shown} ended with {status} and {played} games")),
    }
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}
