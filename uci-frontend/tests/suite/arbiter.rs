//! The command `themis arbiter`, and arbiters from shared libraries.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn arbiter(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_themis"))
        .arg("arbiter")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // Refused arguments end the program before it reads.
    let _ = child.stdin.take().expect("piped").write_all(input);
    child.wait_with_output().expect("the program ends")
}

/// The answers to some lines, one each.
fn answers(arguments: &[&str], lines: &[Value]) -> Vec<Value> {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let output = arbiter(arguments, input.as_bytes());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let answers: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), lines.len(), "one answer a line: {text}");
    answers
}

fn fools_mate() -> [Value; 3] {
    [
        json!({"type": "game_started"}),
        json!({"type": "moves_played", "t0": 1, "ms_per_move": 1,
            "uci": ["f2f3", "e7e5", "g2g4", "d8h4"]}),
        json!({"type": "state"}),
    ]
}

#[test]
fn one_answer_a_line_whatever_comes() {
    let input = b"{\"type\":\"game_started\"}\n\xff\xfe\n\nnonsense\n{\"type\":\"x\"}\n[]\n\
        {\"type\":\"resigned\",\"by\":\"w\",\"t\":1,\"extra\":0}\n\
        {\"type\":\"resigned\",\"by\":\"w\",\"t\":1}";
    let output = arbiter(&[], input);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 8, "{text}");
    assert!(lines[1..7].iter().all(|line| line["error"].is_string()), "{text}");
    assert!(lines[6]["error"].as_str().is_some_and(|error| error.contains("`extra`")));
    assert_eq!(lines[7]["rulings"][0]["ruling"], "game_over");
}

#[test]
fn edition_and_language() {
    let given = answers(&["--edition", "2014", "--language", "es"], &fools_mate());
    assert_eq!(given[1]["rulings"][0]["article"], "5.1.a");
    assert_eq!(given[1]["rulings"][0]["text"], "Gana el Negro por jaque mate (Artículo 5.1.a).");
    assert_eq!(given[2]["state"]["moves"][3]["san"], "Qh4#");
    let output = arbiter(&["--edition", "1997"], b"");
    assert_eq!(output.status.code(), Some(2));
}

/// The cases of the Laws, where they lie beside the project.
#[test]
fn the_cases_of_the_laws() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/laws/cases.jsonl");
    let Ok(text) = std::fs::read_to_string(path) else {
        eprintln!("skipped: {path} is not there");
        return;
    };
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).expect("a case");
        let edition = case["edition"].as_str().expect("an edition");
        let mut lines = vec![json!({
            "type": "game_started", "edition": edition, "start_fen": case["start_fen"],
            "time_control": case["time_control"], "regulations": case["regulations"],
        })];
        lines.extend(case["events"].as_array().into_iter().flatten().cloned());
        let given: Vec<Value> = answers(&["--edition", edition], &lines)
            .iter()
            .flat_map(|answer| answer["rulings"].as_array().cloned().unwrap_or_default())
            .collect();
        let mut rest = given.iter();
        for expected in case["expected"].as_array().into_iter().flatten() {
            let found = rest.any(|ruling| meets(expected, ruling, edition));
            assert!(found, "{}: no {expected} among {given:#?}", case["id"]);
        }
    }
}

/// Whether a ruling has all that is expected; remarks are not compared.
fn meets(expected: &Value, ruling: &Value, edition: &str) -> bool {
    expected.as_object().into_iter().flatten().all(|(name, value)| {
        let value = match value.get(edition).or(value.get("2018")) {
            Some(number) if name == "article" => number,
            _ => value,
        };
        ["why", "note", "confidence", "new_game"].contains(&name.as_str()) || &ruling[name] == value
    })
}

/// A shared library that cargo built beside this test.
fn library(name: &str) -> PathBuf {
    let deps = std::env::current_exe().expect("this test").with_file_name("");
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let path = deps.join(format!("{prefix}{name}{suffix}"));
    assert!(path.is_file(), "{} is not built", path.display());
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn the_arbiter_behind_its_own_c_interface() {
    let path = library("arbiter_plugin");
    let built_in = answers(&["--edition", "2023"], &fools_mate());
    let loaded = answers(&["--edition", "2023", "--arbiter", text(&path)], &fools_mate());
    assert_eq!(built_in, loaded);
}

#[test]
fn house_rules() {
    let path = library("house_rules");
    let mut lines = fools_mate().to_vec();
    lines.extend([
        json!({"type": "game_started", "start_fen": "8/8/4k3/3R4/2K5/8/8/8 w - - 0 50"}),
        json!({"type": "move_made", "by": "w", "t": 1, "uci": "d5d8"}),
        json!({"type": "flag_observed", "t": 2, "side": "w"}),
    ]);
    let given = answers(&["--arbiter", text(&path)], &lines);
    assert_eq!(given[1]["rulings"][0]["article"], "house rules");
    assert_eq!(given[2]["state"]["outcome"]["result"], "0-1");
    // Under the Laws this flag would be a draw.
    assert_eq!(given[5]["rulings"][0]["result"], "0-1");
}

fn refusal(path: &Path) -> String {
    let output = arbiter(&["--arbiter", text(path)], b"");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

#[test]
fn libraries_that_are_no_arbiters() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(refusal(&folder.path().join("absent")).contains("absent"));
    let no_library = folder.path().join("text");
    std::fs::write(&no_library, "not a library").expect("written");
    assert!(refusal(&no_library).contains("not a shared library"));
    let build = |name: &str, source: &str| {
        let (code, path) = (folder.path().join("code.c"), folder.path().join(name));
        std::fs::write(&code, source).expect("written");
        let status =
            Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&path).arg(&code).status();
        status.is_ok_and(|status| status.success()).then_some(path)
    };
    let version =
        |version: u32| format!("unsigned arbiter_abi_version(void) {{ return {version}; }}\n");
    let Some(newer) = build("newer", &version(999)) else {
        eprintln!("skipped: cc is not here");
        return;
    };
    assert!(refusal(&newer).contains("interface version 999; expected 1"));
    let partial = build("partial", &version(1)).expect("cc is here");
    assert!(refusal(&partial).contains("no function `arbiter_"));
    let empty = build("empty", "int nothing;\n").expect("cc is here");
    assert!(refusal(&empty).contains("no function `arbiter_abi_version`"));
}
