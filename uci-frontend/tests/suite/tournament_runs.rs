//! Runs of the tournament runner that share files, that are stopped, and that are gone on with.

use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use crate::tournament::{engine, games_of, recorded, themis};

/// Runs two scripted engines with these options in `dir`.
fn run(dir: &Path, options: &str) -> Output {
    run_kinds(dir, ["good", "good"], options)
}

fn run_kinds(dir: &Path, [a, b]: [&str; 2], options: &str) -> Output {
    let words = [engine("A", a), engine("B", b)].concat();
    let words: Vec<&str> =
        words.iter().map(String::as_str).chain(options.split_whitespace()).collect();
    themis(dir, &words).output().expect("the program runs")
}

fn resume(dir: &Path, journal: &str) -> Output {
    themis(dir, &["-resume", journal]).output().expect("the program runs")
}

#[track_caller]
fn succeeds(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

/// The error is one line with this in it, and the exit code is 2.
#[track_caller]
fn fails(output: &Output, hint: &str) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains(hint) && error.trim_end().lines().count() == 1, "{hint}: {error}");
}

fn read(dir: &Path, name: &str) -> String {
    std::fs::read_to_string(dir.join(name)).expect(name)
}

fn write(dir: &Path, name: &str, text: &str) {
    std::fs::write(dir.join(name), text).expect(name);
}

/// Leaves the tournament in `out.pgn` as if it had been killed after `games` games, `missing` bytes
/// before the end of the last one.
fn interrupt(dir: &Path, games: usize, missing: usize) {
    let lines = read(dir, "out.pgn.journal");
    let kept: String = lines.lines().take(1 + games).map(|line| format!("{line}\n")).collect();
    let last: serde_json::Value =
        serde_json::from_str(kept.lines().last().expect("a line")).expect("JSON");
    let end = last["pgn_end"].as_u64().expect("a length") as usize;
    write(dir, "out.pgn", &read(dir, "out.pgn")[..end - missing]);
    write(dir, "out.pgn.journal", &kept);
}

const QUICK: &str = "-each nodes=1 -maxmoves 2 -pgnout out.pgn";

/// A finished tournament in a folder of its own, and its games.
fn finished() -> (tempfile::TempDir, Vec<String>) {
    let dir = tempfile::tempdir().expect("a folder");
    succeeds(&run(dir.path(), QUICK));
    let games = games_of(&read(dir.path(), "out.pgn"));
    (dir, games)
}

#[test]
fn going_on_keeps_what_another_run_wrote() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    succeeds(&run(dir, &format!("{QUICK} -event First -epdout out.epd")));
    interrupt(dir, 2, 0);
    write(
        dir,
        "out.epd",
        &read(dir, "out.epd").lines().take(2).map(|line| format!("{line}\n")).collect::<String>(),
    );
    let said = succeeds(&run(dir, &format!("{QUICK} -event Second -epdout out.epd")));
    assert!(said.contains("continue it with -resume out.pgn.journal.1"), "{said}");
    succeeds(&resume(dir, "out.pgn.journal.1"));
    let pgn = read(dir, "out.pgn");
    let of = |event: &str| pgn.matches(&format!("[Event \"{event}\"]")).count();
    assert_eq!((of("First"), of("Second")), (4, 4), "{pgn}");
    assert_eq!(games_of(&pgn).len(), 8);
    assert_eq!(read(dir, "out.epd").lines().count(), 8);
}

#[test]
fn a_game_that_was_cut_off_is_completed() {
    let (dir, whole) = finished();
    let dir = dir.path();
    for missing in [1, 40, 200] {
        interrupt(dir, 2, missing);
        let said = succeeds(&resume(dir, "out.pgn.journal"));
        assert_eq!(said.matches("Started game").count(), 2, "{said}");
        assert_eq!(games_of(&read(dir, "out.pgn")), whole, "{missing}");
    }
}

#[test]
fn a_game_that_was_cut_off_and_written_behind_is_written_anew() {
    let (dir, whole) = finished();
    let dir = dir.path();
    interrupt(dir, 2, 40);
    let foreign = "\n\n[Event \"Foreign\"]\n\n1. e4 *";
    let fragment = read(dir, "out.pgn");
    write(dir, "out.pgn", &format!("{fragment}{foreign}"));
    succeeds(&resume(dir, "out.pgn.journal"));
    let pgn = read(dir, "out.pgn");
    let added = pgn.strip_prefix(&format!("{fragment}{foreign}\n\n")).expect("what was there");
    let games = games_of(added);
    assert_eq!(games.len(), 3, "{added}");
    assert!(games.iter().all(|game| whole.contains(game)), "{added}");
}

#[test]
fn two_runs_do_not_write_to_one_file() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let options = "-each tc=600 -rounds 1 -maxmoves 2 -pgnout out.pgn";
    let words = [engine("A", "good"), engine("B", "hang 2")].concat();
    let words: Vec<&str> =
        words.iter().map(String::as_str).chain(options.split_whitespace()).collect();
    let mut first = themis(dir, &words).stdout(Stdio::null()).spawn().expect("the program runs");
    let until = Instant::now() + Duration::from_secs(20);
    while !dir.join("out.pgn.journal").exists() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(300));
    let same = themis(dir, &words).output().expect("the program runs");
    let other = run(dir, &format!("{options} -journal other.journal"));
    let going_on = resume(dir, "out.pgn.journal");
    let journal = run(dir, "-each tc=600 -rounds 1 -journal out.pgn.journal");
    first.kill().expect("it can be ended");
    first.wait().expect("it ends");
    fails(&same, "out.pgn is in use by another run; give this one its own -pgnout");
    fails(&other, "out.pgn is in use by another run");
    fails(&going_on, "out.pgn is in use by another run");
    fails(&journal, "out.pgn.journal is in use by another run; give this one its own -journal");
    assert!(!dir.join("out.pgn.journal.1").exists(), "the journal in use was moved");
}

#[test]
fn a_file_of_others_is_not_taken_for_a_journal() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let pgn = "[Event \"?\"]\n\n1. e4 *\n\n";
    write(dir, "foreign.pgn", pgn);
    fails(
        &run(dir, &format!("{QUICK} -journal foreign.pgn")),
        "foreign.pgn is there and no journal",
    );
    fails(&run(dir, &format!("{QUICK} -journal out.pgn")), "are the same file");
    fails(
        &run(dir, &format!("{QUICK} -epdout file=./out.pgn")),
        "-pgnout and -epdout are the same",
    );
    fails(&run(dir, "-each nodes=1 -pgnout foreign.pgn -jsonout foreign.pgn"), "are the same file");
    fails(
        &run(dir, "-each nodes=1 -pgnout foreign.pgn -openings file=foreign.pgn"),
        "-openings and -pgnout are the same file",
    );
    assert_eq!(read(dir, "foreign.pgn"), pgn);
}

#[test]
fn a_command_that_fails_leaves_the_journal_where_it_is() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    succeeds(&run(dir, QUICK));
    interrupt(dir, 2, 0);
    let before = read(dir, "out.pgn.journal");
    for bad in ["-openings file=none.epd", "-arbiter ./none.so", "-epdout no/where.epd"] {
        assert_eq!(run(dir, &format!("{QUICK} {bad}")).status.code(), Some(2), "{bad}");
        assert_eq!(read(dir, "out.pgn.journal"), before, "{bad}");
        assert!(!dir.join("out.pgn.journal.1").exists(), "{bad}");
    }
}

#[test]
fn games_begin_on_a_line_of_their_own() {
    for end in ["", "\n", "\n\n", "\r\n", "\r\n\r\n"] {
        let dir = tempfile::tempdir().expect("a folder");
        let dir = dir.path();
        write(dir, "out.pgn", &format!("[Event \"Old\"]\n\n1. e4 *{end}"));
        write(dir, "out.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 0;");
        succeeds(&run(dir, &format!("{QUICK} -rounds 1 -epdout out.epd")));
        let pgn = read(dir, "out.pgn").replace('\r', "");
        assert!(pgn.contains("1. e4 *\n\n[Event \"Themis"), "{end:?}: {pgn}");
        assert_eq!(read(dir, "out.epd").lines().count(), 3);
    }
}

#[test]
fn a_decided_test_is_not_played_on() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let options = "-each nodes=1 -illegal forfeit -rounds 40 -sprt elo0=0 elo1=200 -pgnout out.pgn";
    let said = succeeds(&run_kinds(dir, ["good", "illegal"], options));
    assert!(said.contains("H1 was accepted"), "{said}");
    let games = recorded(&dir.join("out.pgn.journal"));
    assert!(games < 80, "{games}");
    for _ in 0..2 {
        let said = succeeds(&resume(dir, "out.pgn.journal"));
        assert!(said.contains("H1 was accepted") && !said.contains("Started game"), "{said}");
        assert_eq!(recorded(&dir.join("out.pgn.journal")), games);
        assert_eq!(games_of(&read(dir, "out.pgn")).len(), games);
    }
    // Killed before it could be marked as complete.
    interrupt(dir, games, 0);
    let said = succeeds(&resume(dir, "out.pgn.journal"));
    assert!(!said.contains("Started game"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_device_has_no_journal_beside_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    succeeds(&run(dir, "-each nodes=1 -maxmoves 1 -rounds 1 -pgnout /dev/null"));
    assert!(!Path::new("/dev/null.journal").exists());
    assert_eq!(recorded(&dir.join("themis-tournament.journal")), 2);
}

#[test]
fn a_match_with_an_engine_that_never_starts_is_an_error() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    for options in ["-each nodes=1", "-each nodes=1 -sprt -rounds 100"] {
        let good = engine("A", "good");
        let words: Vec<&str> = ["-engine", "cmd=./no-such-engine", "name=Missing"]
            .into_iter()
            .chain(good.iter().map(String::as_str))
            .chain(options.split(' '))
            .collect();
        let output = themis(dir, &words).output().expect("the program runs");
        fails(&output, "engine Missing cannot be started: cannot start ./no-such-engine");
    }
    let mute = run_kinds(dir, ["good", "mute-at-start"], "-each nodes=1 -startup-ms 300");
    fails(&mute, "engine B cannot be started: no uciok");
    fails(&run_kinds(dir, ["exit-at-start", "good"], "-each tc=1"), "exits before uciok");
    assert_eq!(recorded(&dir.join("themis-tournament.journal")), 0);
}

#[cfg(unix)]
#[test]
fn an_engine_that_starts_only_once_forfeits() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let script = format!("mkdir started && exec '{}'", crate::tournament::scripted().display());
    write(dir, "once.sh", &script);
    let good = engine("A", "good");
    let words: Vec<&str> = ["-engine", "cmd=sh", "args=once.sh", "name=Once", "restart=on"]
        .into_iter()
        .chain(good.iter().map(String::as_str))
        .chain("-each nodes=1 -maxmoves 1 -rounds 1".split(' '))
        .collect();
    let said = succeeds(&themis(dir, &words).output().expect("the program runs"));
    assert!(said.contains("arbiter decision 1, forfeit late 1"), "{said}");
}

#[cfg(unix)]
fn interrupt_process(child: &std::process::Child) {
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
}

/// Starts two scripted engines with these options and waits until `games` games are recorded.
#[cfg(unix)]
fn start_until(dir: &Path, kinds: [&str; 2], options: &str, games: usize) -> std::process::Child {
    let words = [engine("A", kinds[0]), engine("B", kinds[1])].concat();
    let words: Vec<&str> =
        words.iter().map(String::as_str).chain(options.split_whitespace()).collect();
    let child = themis(dir, &words).stdout(Stdio::null()).spawn().expect("the program runs");
    let until = Instant::now() + Duration::from_secs(30);
    while recorded(&dir.join("themis-tournament.journal")) < games {
        assert!(Instant::now() < until, "no game was finished");
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(300));
    child
}

#[cfg(unix)]
#[test]
fn an_interrupt_starts_no_engine_again() {
    for restart in ["off", "on"] {
        let dir = tempfile::tempdir().expect("a folder");
        let kind = if restart == "on" { "deaf-to-quit" } else { "mute-in-second-game" };
        let options = format!(
            "-each nodes=1 restart={restart} -maxmoves 1 -log file=log level=info engine=true"
        );
        let mut child = start_until(dir.path(), [kind, "good"], &options, 1);
        interrupt_process(&child);
        let since = Instant::now();
        assert_eq!(child.wait().expect("it ends").code(), Some(130), "{restart}");
        assert!(since.elapsed() < Duration::from_secs(5), "{restart}: {:?}", since.elapsed());
        let log = read(dir.path(), "log");
        let starts = log.lines().filter(|line| line.ends_with("A <- uci")).count();
        assert_eq!(starts, 1, "{restart}: {log}");
    }
}

#[cfg(unix)]
#[test]
fn the_pause_between_games_can_be_interrupted_and_none_is_at_the_end() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let since = Instant::now();
    succeeds(&run(dir, "-each nodes=1 -maxmoves 1 -rounds 1 -games 1 -wait 60000"));
    assert!(since.elapsed() < Duration::from_secs(20));
    let options = "-each nodes=1 -maxmoves 1 -rounds 1 -wait 18446744073709551615 -srand 1";
    let mut child = start_until(dir, ["good", "good"], options, 1);
    interrupt_process(&child);
    let since = Instant::now();
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
}
