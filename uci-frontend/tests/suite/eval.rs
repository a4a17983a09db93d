//! The static evaluation for a person.

use std::process::{Command, Output};

fn eval(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_themis"));
    command.arg("eval").args(arguments).output().expect("the program starts")
}

#[test]
fn each_man_is_shown_and_the_sum() {
    let output = eval(&["4k3/8/8/3q4/8/8/P7/4K3 w - - 12 40"]);
    assert!(output.status.success() && output.stderr.is_empty());
    let text = String::from_utf8(output.stdout).unwrap();
    let line = |start: &str| {
        let found = text.lines().find(|line| line.starts_with(start));
        found.unwrap_or_else(|| panic!("no `{start}` in {text}"))
    };
    let number = |line: &str| line.rsplit(' ').next().unwrap().parse::<i32>().unwrap();
    let queen = text.lines().skip_while(|line| !line.starts_with("5 |")).nth(1).unwrap();
    assert!(queen.split('|').nth(4).unwrap().trim().parse::<i32>().unwrap() < -200, "{queen}");
    assert!(number(line("network, for White")) < -200);
    assert!(number(line("damped by 12 ")) > number(line("network, for White")));
}

#[test]
fn what_is_no_position_or_no_network_is_one_error() {
    let startpos = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for arguments in [&["nonsense"][..], &["--network", "no/such/file", startpos][..]] {
        let output = eval(arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(arguments[arguments.len() / 2]), "{error}");
        assert!(!error.contains("panicked"), "{error}");
    }
}
