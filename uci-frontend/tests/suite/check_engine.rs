//! The check of engines: ours passes, scripted ones with faults are found out.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

fn check(command: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_themis")).arg("check-engine").args(command).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn our_engine_passes() {
    let output = check(&[env!("CARGO_BIN_EXE_themis")]);
    let text = text(&output);
    // The clock under load may suffer from the other tests; all else must pass.
    let faults: Vec<_> = text
        .lines()
        .filter(|line| !line.starts_with("pass"))
        .filter(|line| line.starts_with("FAIL") || line.starts_with("warn"))
        .filter(|line| !line.contains("while the machine is busy"))
        .collect();
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(text.lines().last().unwrap().contains(" passed, "), "{text}");
}

/// A shell script that answers the handshake, and every search with the same illegal move at once.
const SCRIPT: &str = r#"
while read -r word rest; do
  case "$word" in
    uci) echo "id name Faulty"; echo "option name Hash type spin default 9 min 1 max 8"; echo uciok ;;
    isready) echo readyok ;;
    go) echo "info depth 1 score cp 0.5 pv e2e5"; echo "bestmove e2e5"; echo "bestmove e2e5" ;;
    quit) exit 3 ;;
  esac
done
sleep 1000
"#;

#[cfg(unix)]
#[test]
fn faults_are_found() {
    let start = Instant::now();
    let output = check(&["sh", "-c", SCRIPT]);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for fault in [
        "FAIL  id author is given",
        "FAIL  options are well-formed: the default is out of range",
        "FAIL  go wtime without btime is answered legally: score `0.5` is no whole number",
        "FAIL  moves after startpos are played: bestmove e2e5 is not legal",
        "FAIL  a go has one bestmove: a second bestmove",
        "FAIL  an infinite search holds its answer: `bestmove e2e5` before it was asked for",
        "FAIL  a mated root is answered: `bestmove e2e5` where no move is legal",
        "FAIL  searchmoves are kept to",
        "FAIL  the end of input ends the engine during a search",
        "skip  ponderhit and stop end pondering: no option Ponder",
    ] {
        assert!(text.contains(fault), "{fault}\n{text}");
    }
    assert!(text.contains("pass  isready is answered"), "{text}");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[cfg(unix)]
#[test]
fn an_engine_that_ends_at_once_is_told() {
    let output = check(&["true"]);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(1));
    assert!(text.starts_with("FAIL  uci is answered with uciok: "), "{text}");
    assert!(text.lines().nth(1).unwrap().starts_with("skip"), "{text}");
}

#[test]
fn an_engine_that_is_not_there_is_one_line() {
    let output = check(&["/no/such/engine"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(error.lines().count() == 1 && error.contains("/no/such/engine"), "{error}");
}
