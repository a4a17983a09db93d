//! The command `themis tournament`: engines against each other, ruled by the arbiter.

mod adjudication;
mod clock;
mod config;
mod demonstration;
mod eco;
mod engine_file;
mod files;
mod game;
mod info;
mod journal;
mod live;
mod log;
mod matching;
mod opening;
mod options;
mod pgn;
mod player;
mod process;
mod record;
mod report;
mod runner;
mod schedule;
mod standings;
mod stats;
mod swiss;
pub(crate) mod uci_option;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use anyhow::ensure;

use config::Tournament;
use journal::Begun;
use live::say;
use opening::Book;
use runner::Outcome;
use serde_json::json;

/// Options of the command, in the syntax of cutechess-cli and fastchess.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    /// `-engine cmd=… -each tc=… -rounds N …`; see `themis tournament -help`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Ended by the user.
const EXIT_INTERRUPTED: u8 = 130;

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let words = args
        .arguments
        .into_iter()
        .map(|word| word.into_string().map_err(|word| anyhow::anyhow!("{word:?} is not UTF-8")))
        .collect::<anyhow::Result<Vec<String>>>()?;
    if words.is_empty() {
        return demonstration::run();
    }
    let mut invocation = options::parse(&words)?;
    if invocation.help {
        say(include_str!("help.txt").trim_end());
        return Ok(ExitCode::SUCCESS);
    }
    if invocation.version {
        say(concat!("themis ", env!("CARGO_PKG_VERSION")));
        return Ok(ExitCode::SUCCESS);
    }
    let tournament = &mut invocation.tournament;
    let begun = invocation.begun.as_ref().map(|(path, begun)| {
        tournament.journal = Some(path.clone());
        begun
    });
    tournament.check()?;
    if let Some(begun) = begun {
        let other = tournament.differences(&begun.tournament);
        ensure!(
            other.is_empty(),
            "-resume: {} holds another tournament; these differ: {}",
            journal::default_path(tournament).display(),
            other.join(", ")
        );
    }
    let seed =
        begun.map(|begun| begun.seed).or(tournament.srand).unwrap_or_else(|| fastrand::u64(..));
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    if tournament.concurrency > processors && !invocation.force_concurrency {
        crate::complain(format_args!(
            "warning: {} games at a time on {processors} processors",
            tournament.concurrency
        ));
    }
    let path = journal::default_path(tournament);
    files::check(tournament, &path, invocation.config_out.as_deref())?;
    // What is written after the last game would be too late to complain about.
    for path in [&tournament.jsonout, &tournament.report].into_iter().flatten() {
        runner::ensure_writable(path)?;
    }
    let needed = schedule::Schedule::new(tournament, seed).total().unwrap_or(usize::MAX);
    let book = Book::load(tournament, seed, needed)?;
    if let Some(log) = &tournament.log {
        log::start(log)?;
    }
    if let Some(path) = &invocation.config_out {
        runner::write_config(tournament, path)?;
    }
    let outcome = conduct(tournament, seed, &book, Some(&path), begun)?;
    if !outcome.complete {
        say(&format!("Stopped; continue with: themis tournament -resume {}", path.display()));
    }
    Ok(match outcome.complete {
        _ if runner::interrupted() => ExitCode::from(EXIT_INTERRUPTED),
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// Plays and reports.
fn conduct(
    tournament: &Tournament,
    seed: u64,
    book: &Book,
    journal: Option<&Path>,
    begun: Option<&Begun>,
) -> anyhow::Result<Outcome> {
    runner::handle_interrupts()?;
    let outcome = runner::run(tournament, seed, book, journal, begun)?;
    say(&live::framed(&outcome.standings.report(tournament)));
    outcome.remarks.iter().for_each(|remark| say(remark));
    let endings: Vec<String> = outcome
        .standings
        .endings()
        .iter()
        .map(|(reason, count)| format!("{reason} {count}"))
        .collect();
    if !endings.is_empty() {
        say(&format!("Rulings: {}", endings.join(", ")));
    }
    if let Some(path) = &tournament.jsonout {
        runner::write_whole(path, &results_json(tournament, seed, &outcome)?)?;
    }
    if let Some(path) = &tournament.report {
        runner::write_whole(path, &report::html(tournament, &outcome))?;
    }
    Ok(outcome)
}

/// Standings and games, for other programs.
fn results_json(tournament: &Tournament, seed: u64, outcome: &Outcome) -> anyhow::Result<String> {
    let standings = &outcome.standings;
    let engine = |engine: usize| {
        let tally = standings.overall(engine);
        let estimate = |estimate: Option<stats::Estimate>| {
            estimate.map(|of| json!({"value": of.value, "error": of.error}))
        };
        json!({
            "name": standings.name(engine),
            "points": tally.points(),
            "games": tally.games(),
            "wins": tally.wdl[0],
            "draws": tally.wdl[1],
            "losses": tally.wdl[2],
            "pentanomial": tally.pairs,
            "elo": estimate(tally.elo()),
            "normalized_elo": estimate(tally.normalized_elo()),
            "los": tally.los(),
        })
    };
    let value = json!({
        "complete": outcome.complete,
        "seed": seed,
        "winner": outcome.winner.map(|winner| standings.name(winner)),
        "remarks": outcome.remarks,
        "standings": standings.ranking().into_iter().map(engine).collect::<Vec<_>>(),
        "sprt": tournament.sprt.map(|config| {
            let sprt = stats::Sprt::new(config);
            let (lower, upper) = sprt.bounds();
            let tally = standings.between(0, 1);
            json!({
                "llr": sprt.llr(tally),
                "lower": lower,
                "upper": upper,
                "accepted": match sprt.verdict(tally) {
                    stats::Verdict::Open => None,
                    stats::Verdict::H0 => Some("H0"),
                    stats::Verdict::H1 => Some("H1"),
                },
            })
        }),
        "tournament": tournament,
        "games": outcome.games,
    });
    Ok(serde_json::to_string_pretty(&value)? + "\n")
}
