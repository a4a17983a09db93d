//! The command `themis arbiter`: JSON lines in, JSON lines out.

use std::io::BufRead;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use arbiter_plugin::plugin::{Arbiter, ArbiterError, Edition, Event, Language};
use serde_json::{Value, json};

use crate::plugin_host;
use crate::stdout::Stdout;

/// Options of the command.
#[derive(clap::Args)]
pub struct Args {
    /// The edition of the Laws where `game_started` names none: 2014, 2018 or 2023
    #[arg(long, default_value = "2018")]
    edition: Edition,
    /// The language of the sentences where `game_started` names none: en or es
    #[arg(long, default_value = "en")]
    language: Language,
    /// Another arbiter: a shared library with the C interface of include/arbiter.h
    #[arg(long, value_name = "PATH")]
    arbiter: Option<PathBuf>,
}

/// Answers every line of standard input with one line, until the input ends.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut arbiter = plugin_host::open(args.arbiter.as_deref(), args.edition, args.language)?;
    let mut output = Stdout::lock();
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line.context("standard input")?;
        let answer = answer(arbiter.as_mut(), &line)
            .unwrap_or_else(|error| json!({ "error": error.to_string() }));
        output.line(answer)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn answer(arbiter: &mut dyn Arbiter, line: &[u8]) -> Result<Value, ArbiterError> {
    let text = std::str::from_utf8(line)
        .map_err(|error| ArbiterError::Event(format!("not UTF-8: {error}")))?;
    if is_state_query(text) {
        return Ok(json!({ "state": arbiter.state()? }));
    }
    let event = Event::from_json(text)?;
    Ok(json!({ "rulings": arbiter.observe(&event)? }))
}

/// The one line that is no event: `{"type":"state"}`.
fn is_state_query(text: &str) -> bool {
    text.contains("state")
        && serde_json::from_str::<Value>(text).is_ok_and(|value| value == json!({"type": "state"}))
}
