//! The command `themis check-engine`: does an engine speak UCI as hosts need it?

mod answer;
mod bench;
mod checks;
mod load;
mod peer;

use std::process::ExitCode;
use std::time::Instant;

use serde::Serialize;

use bench::{Bench, Fail};
use checks::{CHECKS, Check};

use crate::stdout::Stdout;

/// Options of the command.
#[derive(clap::Args)]
pub struct Args {
    /// The engine's command and its arguments
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "CMD"
    )]
    command: Vec<String>,
    /// A JSON object for each check, and one with the summary
    #[arg(long)]
    json: bool,
    /// Show the conversation on standard error
    #[arg(long, short)]
    verbose: bool,
}

/// What came of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Mark {
    Pass,
    Fail,
    Warn,
    Skip,
}

/// The report on a check.
#[derive(Serialize)]
struct Report {
    check: &'static str,
    result: Mark,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    milliseconds: u128,
}

impl Report {
    fn text(&self) -> String {
        let mark = match self.result {
            Mark::Pass => "pass",
            Mark::Fail => "FAIL",
            Mark::Warn => "warn",
            Mark::Skip => "skip",
        };
        match &self.why {
            None => format!("{mark}  {}", self.check),
            // What an engine says may hold anything; a report is one line.
            Some(why) => format!("{mark}  {}: {}", self.check, why.replace(char::is_control, " ")),
        }
    }
}

/// Makes all checks. The exit code is 1 where one failed.
///
/// # Errors
/// The engine cannot be started.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut bench = Bench::new(args.command, args.verbose);
    let mut output = Stdout::lock();
    let mut counts = [0; 4];
    if let Err(Fail::Lost(why)) = bench.ensure_running()
        && why.starts_with("cannot start")
    {
        anyhow::bail!(why);
    }
    let mut dumb = false;
    for check in &CHECKS {
        let report = if dumb { skip(check) } else { make(check, &mut bench) };
        // Without a conversation there is nothing more to learn, and much to wait for.
        dumb |= counts == [0; 4] && report.result == Mark::Fail;
        counts[report.result as usize] += 1;
        let line = if args.json { serde_json::to_string(&report)? } else { report.text() };
        output.line(line)?;
    }
    let [passed, failed, warned, skipped] = counts;
    let name = bench.engine_name().unwrap_or("the engine");
    if args.json {
        let summary = serde_json::json!({
            "engine": name, "passed": passed, "failed": failed, "warned": warned, "skipped": skipped
        });
        output.line(summary)?;
    } else {
        let verdict = if failed == 0 { "is fit for hosts" } else { "has faults" };
        output.line(format_args!("{name} {verdict} ({warned} warnings)"))?;
        let skipped = skipped + warned;
        output.line(format_args!("{passed} passed, {failed} failed, {skipped} skipped"))?;
    }
    Ok(ExitCode::from(u8::from(failed > 0)))
}

/// The report on a check that is not made.
fn skip(check: &Check) -> Report {
    let why = Some("the engine does not answer uci".to_owned());
    Report { check: check.name, result: Mark::Skip, why, milliseconds: 0 }
}

/// Makes a check; an engine that is lost in it is started anew for the next.
fn make(check: &Check, bench: &mut Bench) -> Report {
    let start = Instant::now();
    let outcome = bench.ensure_running().and_then(|()| (check.run)(bench));
    let (result, why) = match outcome {
        Ok(()) => (Mark::Pass, None),
        Err(Fail::Skip(why)) => (Mark::Skip, Some(why)),
        Err(Fail::Wrong(why) | Fail::Lost(why)) => {
            // Whatever it does now, the next check shall not suffer from it.
            bench.give_up();
            (if check.advice { Mark::Warn } else { Mark::Fail }, Some(why))
        }
    };
    Report { check: check.name, result, why, milliseconds: start.elapsed().as_millis() }
}
