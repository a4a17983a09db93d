//! The file of known engines, `engines.json` or `engines.toml`, from which `conf=NAME` takes one:
//! a list, or a table with the list in it, of engines as ours or as cutechess writes them.

use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use serde_json::{Map, Value, json};

use super::config::{EngineConfig, read_value};

/// The engine of this name in the file; what the file does not say is as in `ground`.
///
/// # Errors
/// There is no file, it cannot be read, or it has no such engine.
pub fn known_engine(name: &str, ground: &EngineConfig) -> anyhow::Result<EngineConfig> {
    let path =
        ["engines.json", "engines.toml"].map(PathBuf::from).into_iter().find(|path| path.is_file());
    let path = path.context("neither engines.json nor engines.toml is here")?;
    find(read_value(&path)?, name)
        .and_then(|entry| over(ground, &entry))
        .with_context(|| format!("{}", path.display()))
}

fn find(file: Value, name: &str) -> anyhow::Result<Map<String, Value>> {
    let list = match file {
        Value::Array(list) => list,
        Value::Object(mut table) => match table.remove("engines") {
            Some(Value::Array(list)) => list,
            _ => bail!("expected a list of engines or a table with the list \"engines\""),
        },
        _ => bail!("expected a list of engines"),
    };
    let name_of = |entry: &Value| entry["name"].as_str().unwrap_or("").to_owned();
    let names: Vec<String> = list.iter().map(name_of).collect();
    let known = names.join(", ");
    match list.into_iter().find(|entry| name_of(entry) == name) {
        Some(Value::Object(entry)) if entry.contains_key("command") => from_cutechess(entry),
        Some(Value::Object(entry)) => Ok(entry),
        _ => bail!("no engine {name:?}; there are {known}"),
    }
}

/// The keys of cutechess in our words; what its program keeps for itself is left out.
fn from_cutechess(entry: Map<String, Value>) -> anyhow::Result<Map<String, Value>> {
    let mut ours = Map::new();
    for (key, value) in entry {
        let (key, value) = match (key.as_str(), value) {
            ("protocol", value) => {
                ensure!(value == "uci", "protocol {value}: only uci is spoken");
                continue;
            }
            ("options", Value::Array(options)) => ("options", option_values(options)),
            ("workingDirectory" | "stderrFile", Value::String(path)) if path.is_empty() => continue,
            ("restart", Value::String(when)) if when == "auto" => continue,
            ("command", value) => ("cmd", value),
            ("workingDirectory", value) => ("dir", value),
            ("stderrFile", value) => ("stderr", value),
            ("initStrings", value) => ("initstr", value),
            ("arguments", value) => ("args", value),
            (key @ ("name" | "whitepov" | "ponder" | "restart"), value) => (key, value),
            _ => continue,
        };
        ours.insert(key.to_owned(), value);
    }
    Ok(ours)
}

/// Options that have a value; buttons have none.
fn option_values(options: Vec<Value>) -> Value {
    let named = |option: &Value| {
        let value = option.get("value").filter(|value| !value.is_null())?;
        Some((option["name"].as_str()?.to_owned(), value.clone()))
    };
    Value::Object(options.iter().filter_map(named).collect())
}

/// Puts an entry of the file over `ground`: options add up, and one clock displaces the other.
fn over(ground: &EngineConfig, entry: &Map<String, Value>) -> anyhow::Result<EngineConfig> {
    let mut merged = serde_json::to_value(ground)?;
    if entry.contains_key("tc") || entry.contains_key("st_ms") {
        merged["tc"] = Value::Null;
        merged["st_ms"] = Value::Null;
    }
    for (key, value) in entry {
        match (key.as_str(), value) {
            ("options", Value::Object(options)) => {
                let mut all = merged.get("options").cloned().unwrap_or_else(|| json!({}));
                for (name, value) in options {
                    all[name] = value.clone();
                }
                merged["options"] = all;
            }
            _ => merged[key] = value.clone(),
        }
    }
    Ok(serde_json::from_value(merged)?)
}
