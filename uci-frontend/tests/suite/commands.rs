//! The commands as a shell uses them: pipes that close, disks that fill, words that are wrong.

use std::fs::OpenOptions;
use std::process::{Command, Output, Stdio};

use crate::host::START;

/// Commands that print, each in little time.
const PRINTING: [&[&str]; 8] = [
    &["--help"],
    &["bench", "1"],
    &["perft", "2"],
    &["perft", "--divide", "2"],
    &["eval", START],
    &["winnable", START],
    &["winnable", "--line", START],
    &["winnable", "--batch", "-"],
];

fn themis(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_themis"));
    command.args(arguments);
    command
}

/// Runs the program with a query on its standard input.
fn run(command: &mut Command) -> Output {
    use std::io::Write;
    let child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the program starts");
    // Most commands do not read it.
    let _ = writeln!(child.stdin.take().expect("piped"), "{START}");
    child.wait_with_output().expect("the program ends")
}

#[test]
fn a_reader_that_is_gone_ends_a_command_quietly() {
    for arguments in PRINTING {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = run(themis(arguments).stdout(writer));
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {} {error}", output.status);
        assert!(!error.contains("panicked") && !error.contains("ipe"), "{arguments:?}: {error}");
    }
}

#[test]
fn a_full_disk_is_one_error() {
    // Where there is no such device there is nothing to test.
    let Ok(full) = OpenOptions::new().write(true).open("/dev/full") else { return };
    for arguments in PRINTING {
        let output = run(themis(arguments).stdout(full.try_clone().expect("a second handle")));
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.starts_with("themis: cannot write to standard output"), "{error}");
        assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    }
}

#[test]
fn castling_from_other_homes_is_written_as_king_takes_rook() {
    let stdout = |arguments: &[&str]| {
        let output = run(themis(arguments).stdout(Stdio::piped()));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let fen = "5r2/k7/8/8/8/7p/7P/6KR w H - 0 1";
    let lines = stdout(&["winnable", "--line", fen]);
    assert!(lines.contains("g1h1") && !lines.contains("g1g1"), "{lines}");
    let counts = stdout(&["perft", "--divide", "1", "--fen", fen]);
    assert!(counts.contains("g1h1: 1\n") && !counts.contains("g1g1"), "{counts}");
    let home = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert!(stdout(&["perft", "--divide", "1", "--fen", home]).contains("e1g1: 1\n"));
}

#[test]
fn each_query_of_a_batch_is_answered_before_the_next() {
    use std::io::{BufRead, BufReader, Write};
    for threads in ["1", "2"] {
        let mut child = themis(&["winnable", "--threads", threads, "--batch", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut queries = child.stdin.take().expect("piped");
        let mut answers = BufReader::new(child.stdout.take().expect("piped")).lines();
        for side in ["w", "b"] {
            writeln!(queries, "{START}\t{side}").expect("the program reads");
            let answer = answers.next().expect("an answer").expect("UTF-8");
            assert!(answer.starts_with(&format!("{START}\t{side}\twinnable\t")), "{answer}");
        }
        drop(queries);
        assert!(answers.next().is_none());
        assert!(child.wait().expect("the program ends").success());
    }
}

#[test]
fn files_of_positions_may_begin_with_a_mark_and_bad_lines_are_quoted_in_part() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("positions");
    let path = file.to_str().expect("UTF-8");
    let long = "8/".repeat(1000);
    let write = |lines: String| std::fs::write(&file, lines).expect("the disk has room");

    write(format!("\u{feff}fen\tside\n{START}\tw\n{long}\n{START}\t{long}\n"));
    let output = run(themis(&["winnable", "--batch", path]).stdout(Stdio::piped()));
    let (answers, errors) = (String::from_utf8(output.stdout), String::from_utf8(output.stderr));
    assert_eq!(answers.expect("UTF-8").lines().count(), 1);
    let errors = errors.expect("UTF-8");
    assert!(errors.contains(", line 3: ") && errors.contains(", line 4: "), "{errors}");
    assert!(errors.lines().all(|line| line.len() < 400), "{errors}");
    assert!(errors.contains("; 2 bad lines"), "{errors}");

    write(format!("\u{feff}{START} ;D1 20\n{long} ;D1 20\n"));
    let output = run(themis(&["perft", "--suite", path]).stdout(Stdio::piped()));
    let counted = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(counted.ends_with("1 passed, 1 failed\n"), "{counted}");
    assert!(counted.lines().all(|line| line.len() < 400), "{counted}");

    write(format!("{START} ;{long}\n"));
    let output = run(themis(&["perft", "--suite", path]).stdout(Stdio::piped()));
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(error.contains("positions:1: ") && error.len() < 400, "{error}");
}

#[test]
fn wrong_arguments_are_one_line() {
    for (arguments, named) in [
        (&["bench", "abc"][..], "'abc'"),
        (&["perft", "65"], "65"),
        (&["perft"], "<DEPTH>"),
        (&["perft", "3", "--max-nodes", "7"], "--max-nodes"),
        (&["arbiter", "--edition", "2019"], "2019"),
        (&["winnable"], "<FEN>"),
        (&["bench", "--nonsense"], "--nonsense"),
        (&["nonsense"], "nonsense"),
    ] {
        let output = run(themis(arguments).stdout(Stdio::piped()));
        let error = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(output.stdout.is_empty());
        assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
        assert!(error.starts_with("themis: ") && error.contains(named), "{error}");
    }
    for arguments in [&["--help"][..], &["--version"], &["perft", "--help"]] {
        let output = run(themis(arguments).stdout(Stdio::piped()));
        assert!(output.status.success() && output.stderr.is_empty());
        assert!(!output.stdout.is_empty());
    }
}
