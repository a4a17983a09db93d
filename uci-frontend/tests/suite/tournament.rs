//! The tournament runner against engines that misbehave, crash, hang and flood; resumption after
//! a kill; files that cannot be written.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// The scripted engine, an example that `cargo test` builds beside the program.
pub(crate) fn scripted() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_themis"));
    let path = program.with_file_name("examples").join("scripted_engine");
    assert!(path.is_file(), "build the example first: cargo build --example scripted_engine");
    path
}

pub(crate) fn themis(dir: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_themis"));
    command.arg("tournament").args(words).current_dir(dir).stdin(Stdio::null());
    command
}

/// `-engine` words for a scripted engine.
pub(crate) fn engine(name: &str, kind: &str) -> Vec<String> {
    let program = scripted();
    [
        "-engine".into(),
        format!("cmd={}", program.display()),
        format!("name={name}"),
        format!("args={kind}"),
    ]
    .to_vec()
}

pub(crate) struct Played {
    json: Value,
    pub(crate) pgn: String,
    output: Output,
}

/// Plays `white` against `black` with these further options.
pub(crate) fn play_in(dir: &Path, white: &str, black: &str, options: &str) -> Played {
    let mut words = [engine("White", white), engine("Black", black)].concat();
    words.extend(options.split_whitespace().map(str::to_owned));
    words.extend(["-jsonout", "out.json", "-pgnout", "out.pgn"].map(str::to_owned));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // What an earlier run left there is not what this one played.
    let _ = std::fs::remove_file(dir.join("out.json"));
    let output = themis(dir, &words).output().expect("the program runs");
    let text = std::fs::read_to_string(dir.join("out.json")).unwrap_or_else(|error| {
        panic!("{white} v {black}: {error}: {}", String::from_utf8_lossy(&output.stderr))
    });
    let pgn = std::fs::read_to_string(dir.join("out.pgn")).expect("a PGN file");
    Played { json: serde_json::from_str(&text).expect("JSON"), pgn, output }
}

fn play(white: &str, black: &str, options: &str) -> Played {
    let dir = tempfile::tempdir().expect("a folder");
    play_in(dir.path(), white, black, options)
}

impl Played {
    pub(crate) fn games(&self) -> &Vec<Value> {
        self.json["games"].as_array().expect("games")
    }

    /// Result, reason and termination of a game.
    pub(crate) fn ending(&self, game: usize) -> [&str; 3] {
        let ending = &self.games()[game]["ending"];
        ["result", "reason", "termination"].map(|key| ending[key].as_str().unwrap_or(""))
    }

    fn notes(&self, game: usize) -> String {
        self.games()[game]["notes"].to_string()
    }
}

/// Short waits, two moves each, colours as given.
const QUICK: &str =
    "-games 1 -rounds 1 -maxmoves 2 -startup-ms 3000 -ucinewgame-ms 800 -ping-ms 800 -stall-ms 400";
const CLOCK: &str = "-each tc=0.4";
const NODES: &str = "-each nodes=1";

/// Kind of White, limits, then result, reason and termination.
const MISBEHAVIOUR: &[(&str, &str, [&str; 3])] = &[
    ("crash", CLOCK, ["0-1", "flag_fall", "abandoned"]),
    ("crash", NODES, ["0-1", "flag_fall", "abandoned"]),
    ("exit-after-move", NODES, ["0-1", "flag_fall", "abandoned"]),
    ("hang", CLOCK, ["0-1", "flag_fall", "time forfeit"]),
    ("hang", NODES, ["0-1", "flag_fall", "stalled connection"]),
    ("hang", "-each depth=3", ["0-1", "flag_fall", "stalled connection"]),
    ("mute-when-ready", CLOCK, ["0-1", "forfeit_late", "abandoned"]),
    ("flood-info", CLOCK, ["0-1", "flag_fall", "time forfeit"]),
    ("flood-info", NODES, ["0-1", "flag_fall", "stalled connection"]),
    ("flood-garbage", CLOCK, ["0-1", "flag_fall", "time forfeit"]),
    ("flood-one-line", CLOCK, ["0-1", "flag_fall", "time forfeit"]),
    ("flood-bestmove", NODES, ["1/2-1/2", "arbiter_decision", "adjudication"]),
    ("illegal", NODES, ["0-1", "second_illegal_move", "illegal move"]),
    ("illegal-once", NODES, ["1/2-1/2", "arbiter_decision", "adjudication"]),
    ("none", NODES, ["0-1", "second_illegal_move", "illegal move"]),
    ("null", NODES, ["0-1", "second_illegal_move", "illegal move"]),
    ("empty", NODES, ["0-1", "second_illegal_move", "illegal move"]),
    ("resign", NODES, ["0-1", "second_illegal_move", "illegal move"]),
    ("braces", NODES, ["0-1", "second_illegal_move", "illegal move"]),
    ("not-at-line-start", CLOCK, ["0-1", "flag_fall", "time forfeit"]),
    ("unfinished-line", CLOCK, ["0-1", "flag_fall", "time forfeit"]),
    ("split-line", NODES, ["1/2-1/2", "arbiter_decision", "adjudication"]),
    ("crlf", NODES, ["1/2-1/2", "arbiter_decision", "adjudication"]),
    ("blanks", NODES, ["1/2-1/2", "arbiter_decision", "adjudication"]),
    ("twice", NODES, ["1/2-1/2", "arbiter_decision", "adjudication"]),
    ("bad-utf8", NODES, ["1/2-1/2", "arbiter_decision", "adjudication"]),
    ("bad-info", NODES, ["1/2-1/2", "arbiter_decision", "adjudication"]),
    (
        "bad-options",
        "-each nodes=1 option.Hash=5 option.Hush=1",
        ["1/2-1/2", "arbiter_decision", "adjudication"],
    ),
    ("ponder-illegal", "-each tc=5 ponder", ["1/2-1/2", "arbiter_decision", "adjudication"]),
    ("early-ponder", "-each tc=5 ponder", ["1/2-1/2", "arbiter_decision", "adjudication"]),
    ("ponder", "-each tc=5 ponder", ["1/2-1/2", "arbiter_decision", "adjudication"]),
    ("deaf-to-quit", NODES, ["1/2-1/2", "arbiter_decision", "adjudication"]),
    ("late", CLOCK, ["0-1", "flag_fall", "time forfeit"]),
    // A fixed time per move is enforced (256 of 250 ms), and a margin forgives.
    ("overstep", "-each st=0.25", ["0-1", "flag_fall", "time forfeit"]),
    ("overstep", "-each st=0.25 timemargin=500", ["1/2-1/2", "arbiter_decision", "adjudication"]),
    ("resign", "-each nodes=1 -claims engine", ["0-1", "resignation", "normal"]),
    ("illegal", "-each nodes=1 -illegal forfeit", ["0-1", "second_illegal_move", "illegal move"]),
];

#[test]
fn misbehaviour_gets_the_right_result_and_reason() {
    std::thread::scope(|scope| {
        for chunk in MISBEHAVIOUR.chunks(MISBEHAVIOUR.len().div_ceil(6)) {
            scope.spawn(move || {
                for (kind, limits, expected) in chunk {
                    let played = play(kind, "good", &format!("{QUICK} {limits}"));
                    assert!(played.output.status.success(), "{kind}");
                    assert_eq!(played.games().len(), 1, "{kind}");
                    assert_eq!(played.ending(0), *expected, "{kind} {limits}: {}", played.notes(0));
                }
            });
        }
    });
}

#[test]
fn an_engine_that_does_not_exist_forfeits_and_the_rest_goes_on() {
    let dir = tempfile::tempdir().expect("a folder");
    let words = ["-engine", "cmd=./no-such-engine", "name=Missing"].map(str::to_owned).to_vec();
    let words = [words, engine("A", "good"), engine("B", "good")].concat();
    let options = "-each nodes=1 -games 1 -rounds 1 -maxmoves 1 -jsonout out.json";
    let words: Vec<&str> = words.iter().map(String::as_str).chain(options.split(' ')).collect();
    let output = themis(dir.path(), &words).output().expect("the program runs");
    let warned = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{warned}");
    assert!(warned.starts_with("warning: engine Missing cannot be started: "), "{warned}");
    assert_eq!(warned.lines().count(), 1, "{warned}");
    let json: Value =
        serde_json::from_slice(&std::fs::read(dir.path().join("out.json")).expect("JSON"))
            .expect("JSON");
    let reasons: Vec<&str> = json["games"]
        .as_array()
        .expect("games")
        .iter()
        .map(|game| game["ending"]["reason"].as_str().unwrap_or(""))
        .collect();
    assert_eq!(
        reasons.iter().filter(|reason| **reason == "forfeit_late").count(),
        2,
        "{reasons:?}"
    );
    assert_eq!(reasons.len(), 3);
}

#[test]
fn a_crash_stops_the_tournament_if_it_is_to() {
    let options = "-games 2 -rounds 2 -maxmoves 2 -each nodes=1";
    let played = play("crash", "good", options);
    assert_eq!((played.games().len(), played.output.status.code()), (4, Some(0)));
    let played = play("crash", "good", &format!("{options} -recover off"));
    assert_eq!((played.games().len(), played.output.status.code()), (1, Some(1)));
    assert_eq!(played.json["complete"], false);
    // So does an engine that hangs under a clock, but not one that only thinks too long.
    let options = "-games 2 -rounds 1 -each tc=0.3 -recover off";
    let played = play("hang", "good", options);
    assert_eq!((played.games().len(), played.output.status.code()), (1, Some(1)));
    assert!(played.notes(0).contains("White does not answer stop"), "{}", played.notes(0));
    let played = play("late", "good", options);
    assert_eq!((played.games().len(), played.output.status.code()), (2, Some(0)));
}

#[test]
fn a_forgiven_overstep_is_told_as_it_was() {
    let played =
        play("overstep", "good", "-games 1 -rounds 1 -maxmoves 2 -each tc=0.1 timemargin=2000");
    let played = &played.games()[0]["moves"];
    assert!(played[0]["time_us"].as_u64().is_some_and(|time| time >= 250_000), "{played}");
    assert_eq!(played[0]["left_ms"], 0);
}

#[test]
fn a_late_answer_does_not_reach_the_next_game() {
    // Black answers 700 ms late with a move that would be legal in the next game.
    let played = play("good", "late 2", "-games 1 -rounds 2 -noswap -maxmoves 2 -each tc=0.3");
    assert_eq!(played.ending(0), ["1-0", "flag_fall", "time forfeit"]);
    assert_eq!(played.ending(1), ["1-0", "flag_fall", "time forfeit"]);
    let plies = |game: usize| played.games()[game]["moves"].as_array().expect("moves").len();
    assert_eq!((plies(0), plies(1)), (3, 3));
    assert!(!played.games()[1]["moves"].to_string().contains("h7h6"));
}

#[test]
fn a_mate_followed_by_an_exit_is_a_mate() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("mate.epd"), "7k/5Q2/6K1/8/8/8/8/8 w - -\n").expect("a file");
    let played = play_in(
        dir.path(),
        "exit-after-move",
        "good",
        "-games 1 -rounds 1 -each nodes=1 -openings file=mate.epd",
    );
    assert_eq!(played.ending(0), ["1-0", "checkmate", "normal"]);
    assert!(played.pgn.contains("[SetUp \"1\"]"));
    assert!(played.pgn.contains("[FEN \"7k/5Q2/6K1/8/8/8/8/8 w - - 0 1\"]"), "{}", played.pgn);
}

#[test]
fn a_start_that_is_already_over_is_ruled_before_anyone_is_asked() {
    let dir = tempfile::tempdir().expect("a folder");
    let over = "7k/5Q2/6K1/8/8/8/8/8 b - -\n7k/6Q1/6K1/8/8/8/8/8 b - -\n7k/8/6K1/8/8/8/8/8 w - -\n";
    std::fs::write(dir.path().join("over.epd"), over).expect("a file");
    let played = play_in(
        dir.path(),
        "mute-at-start",
        "mute-at-start",
        "-games 1 -rounds 3 -noswap -each nodes=1 -openings file=over.epd",
    );
    let endings: Vec<_> = (0..3).map(|game| played.ending(game)).collect();
    let expected = [
        ["1/2-1/2", "stalemate", "normal"],
        ["1-0", "checkmate", "normal"],
        ["1/2-1/2", "dead_position", "normal"],
    ];
    assert_eq!(endings, expected);
}

#[test]
fn who_cannot_be_mated_does_not_lose_by_absence_or_flag() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("bare.epd"), "8/8/3rk3/8/8/2K5/8/8 b - -\n").expect("a file");
    for (kind, limits, expected) in [
        ("crash", CLOCK, ["1/2-1/2", "flag_fall_opponent_cannot_mate", "abandoned"]),
        ("hang", CLOCK, ["1/2-1/2", "flag_fall_opponent_cannot_mate", "time forfeit"]),
        ("illegal", NODES, ["1/2-1/2", "second_illegal_move_opponent_cannot_mate", "illegal move"]),
    ] {
        let played = play_in(
            dir.path(),
            "good",
            kind,
            &format!("-games 1 -rounds 1 {limits} -openings file=bare.epd"),
        );
        assert_eq!(played.ending(0), expected, "{kind}");
        assert!(played.pgn.contains("no mate with this material"), "{}", played.pgn);
    }
}

#[test]
fn the_first_illegal_move_gives_the_opponent_time() {
    for (tc, bonus, increment) in [("5400+30", 120_000, 30_000), ("180+2", 60_000, 2_000)] {
        let played =
            play("illegal-once", "good", &format!("-games 1 -rounds 1 -maxmoves 2 -each tc={tc}"));
        let base: i64 = tc.split('+').next().and_then(|base| base.parse().ok()).unwrap_or(0) * 1000;
        let left = played.games()[0]["moves"][1]["left_ms"].as_i64().expect("a clock");
        let expected = base + bonus + increment;
        assert!(
            (expected - 1500..=expected).contains(&left),
            "{tc}: {left}, expected {expected}: {}",
            played.notes(0)
        );
        assert!(played.notes(0).contains("illegal move: e2e5"), "{}", played.notes(0));
        assert!(played.pgn.contains("[PlyCount \"4\"]"), "{}", played.pgn);
    }
}

#[test]
fn an_illegal_move_stays_out_of_the_movetext() {
    let played = play("good", "illegal", "-games 1 -rounds 1 -noswap -each nodes=1");
    assert_eq!(played.ending(0), ["1-0", "second_illegal_move", "illegal move"]);
    assert!(
        played.pgn.contains("[PlyCount \"1\"]")
            && played.pgn.contains("[Termination \"illegal move\"]")
    );
    let mut outside = String::new();
    let mut depth = 0;
    for c in played.pgn.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ if depth == 0 => outside.push(c),
            _ => {}
        }
    }
    assert!(!outside.contains("e2e5") && played.pgn.contains("e2e5"), "{}", played.pgn);
}

#[test]
fn an_illegal_move_that_loses_ends_one_game_only() {
    let played =
        play("illegal", "good", "-games 2 -rounds 1 -maxmoves 2 -each nodes=1 -illegal forfeit");
    assert_eq!(played.games().len(), 2);
    assert_eq!(played.ending(0), ["0-1", "second_illegal_move", "illegal move"]);
    assert_eq!(played.ending(1), ["1-0", "second_illegal_move", "illegal move"]);
}

#[test]
fn an_answer_that_does_not_come_is_no_illegal_move() {
    let played = play("late", "good", "-games 1 -rounds 1 -each tc=0.3+0.01");
    assert_eq!(played.ending(0), ["0-1", "flag_fall", "time forfeit"]);
    assert!(!played.pgn.to_lowercase().contains("illegal"), "{}", played.pgn);
}

#[test]
fn a_mate_may_end_with_a_carriage_return() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("mate.epd"), "7k/5Q2/6K1/8/8/8/8/8 w - -\n").expect("a file");
    let options = "-games 1 -rounds 1 -each nodes=1 -openings file=mate.epd";
    let played = play_in(dir.path(), "crlf", "good", options);
    assert_eq!(played.ending(0), ["1-0", "checkmate", "normal"]);
}

#[test]
fn an_illegal_ponder_move_is_told_and_not_sent() {
    let options = "-games 1 -rounds 1 -maxmoves 2 -each tc=5 ponder -log file=log engine=true";
    let dir = tempfile::tempdir().expect("a folder");
    let played = play_in(dir.path(), "ponder-illegal", "good", options);
    assert!(played.notes(0).contains("White would ponder on an illegal move"));
    let log = std::fs::read_to_string(dir.path().join("log")).expect("a log");
    assert!(log.contains("go wtime") && !log.contains("go ponder"), "{log}");
}

#[test]
fn the_log_has_what_its_level_says() {
    for (level, present, absent) in [
        ("info", vec!["INFO", "game 1 starts: White v Black", "game 2 ends: 1-0"], vec!["->"]),
        ("warn", vec!["ERROR", "WARN", "has no option Hush"], vec!["INFO", "starts"]),
        ("warn engine=true", vec!["ERROR", "WARN", "<- ucinewgame"], vec!["starts"]),
        ("error", vec!["ERROR", "game 1: White disconnects"], vec!["WARN", "INFO"]),
        ("error engine=true", vec!["ERROR"], vec!["WARN", "INFO", "ucinewgame"]),
        ("trace", vec!["DEBUG", "game 1 starts", "has no option Hush"], vec!["ucinewgame"]),
    ] {
        let dir = tempfile::tempdir().expect("a folder");
        let options =
            format!("-games 2 -rounds 1 -each nodes=1 option.Hush=1 -log file=log level={level}");
        let played = play_in(dir.path(), "crash", "good", &options);
        let log = std::fs::read_to_string(dir.path().join("log")).expect("a log");
        for word in present {
            assert!(log.contains(word), "{level}: no {word}: {log}");
        }
        for word in absent {
            assert!(!log.contains(word), "{level}: {word}: {log}");
        }
        // A warning is said once, before everything else.
        let notes = [played.notes(0), played.notes(1)];
        assert_eq!(notes[0].matches("White has no option Hush").count(), 1, "{notes:?}");
        assert!(notes[0].starts_with("[{\"ply\":0,\"text\":\"White has no option"), "{notes:?}");
        assert!(!notes[1].contains("option Hush"), "{notes:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_on_a_full_disk_is_one_line_of_warning() {
    let options = "-games 2 -rounds 1 -maxmoves 2 -each nodes=1 -log file=/dev/full engine=true";
    let played = play("good", "good", options);
    let said = String::from_utf8_lossy(&played.output.stderr);
    assert!(played.output.status.success(), "{said}");
    assert!(said.starts_with("warning: cannot write the log /dev/full"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn rounds_are_numbered() {
    let played = play("good", "good", "-games 2 -rounds 3 -maxmoves 1 -each nodes=1");
    let rounds: Vec<&str> = played
        .pgn
        .lines()
        .filter_map(|line| line.strip_prefix("[Round \""))
        .map(|rest| &rest[..1])
        .collect();
    assert_eq!(rounds, ["1", "1", "2", "2", "3", "3"]);
}

#[test]
fn repetitions_do_not_change_the_number_of_games() {
    for options in ["-games 4 -repeat", "-repeat -games 4", "-repeat 4 -rounds 2"] {
        let rounds = if options.contains("-rounds") { "" } else { "-rounds 1" };
        let played = play("good", "good", &format!("{options} {rounds} -maxmoves 1 -each nodes=1"));
        assert_eq!(played.games().len(), 4, "{options}");
        let openings: Vec<u64> = played
            .games()
            .iter()
            .map(|game| game["pairing"]["opening"].as_u64().expect("a number"))
            .collect();
        let expected = if options.contains("4 -rounds") { [0; 4] } else { [0, 0, 1, 1] };
        assert_eq!(openings, expected, "{options}");
    }
}

#[test]
fn the_winner_of_a_knockout_is_named() {
    let options = "-tournament knockout -maxmoves 1 -each nodes=1 -games 1 -report r.html";
    let dir = tempfile::tempdir().expect("a folder");
    let played = play_in(dir.path(), "good", "good", options);
    assert_eq!(played.json["winner"], "White");
    let said = String::from_utf8_lossy(&played.output.stdout);
    let expected = "Winner of the knockout: White; the last match was drawn, the higher place won";
    assert!(said.contains(expected), "{said}");
    let page = std::fs::read_to_string(dir.path().join("r.html")).expect("a page");
    assert!(page.contains(expected), "{page}");
    let played = play("illegal", "good", &format!("{options} -illegal forfeit"));
    assert_eq!(played.json["winner"], "Black");
    assert_eq!(played.json["remarks"], serde_json::json!(["Winner of the knockout: Black"]));
    let played = play("good", "good", "-tournament swiss -rounds 3 -maxmoves 1 -each nodes=1");
    assert_eq!((played.games().len(), &played.json["winner"]), (2, &Value::Null));
    assert!(played.json["remarks"][0].as_str().is_some_and(|text| text.contains("ended early")));
}

#[test]
fn draws_are_agreed_by_engines_that_may_claim() {
    let played = play("drawish", "drawish", "-games 1 -rounds 1 -each nodes=1 -claims engine");
    assert_eq!(played.ending(0), ["1/2-1/2", "agreement", "normal"]);
}

/// The running processes whose command line has this word.
#[cfg(target_os = "linux")]
fn processes(word: &str) -> usize {
    let Ok(folders) = std::fs::read_dir("/proc") else { return 0 };
    folders
        .flatten()
        .filter_map(|folder| std::fs::read(folder.path().join("cmdline")).ok())
        .filter(|line| String::from_utf8_lossy(line).contains(word))
        .count()
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_running() {
    let started = Instant::now();
    let played = play("grandchild", "good", "-games 1 -rounds 1 -maxmoves 1 -each nodes=1");
    assert_eq!(played.games().len(), 1);
    assert!(started.elapsed() < Duration::from_secs(15));
    assert_eq!(processes("sleep\x00347"), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_all_engines_and_can_be_resumed() {
    let dir = tempfile::tempdir().expect("a folder");
    let marker = dir.path().display().to_string();
    let hang = format!("dir={marker}");
    let words =
        [engine("A", "hang"), vec![hang.clone(), format!("initstr={marker}")], engine("B", "good")]
            .concat();
    let words: Vec<&str> =
        words.iter().map(String::as_str).chain("-each tc=600 -rounds 1".split(' ')).collect();
    let mut child =
        themis(dir.path(), &words).stdout(Stdio::null()).spawn().expect("the program runs");
    std::thread::sleep(Duration::from_millis(700));
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupted.expect("kill runs").success());
    let started = Instant::now();
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(130));
    assert!(started.elapsed() < Duration::from_secs(10));
    let in_folder = std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter(|folder| {
            std::fs::read_link(folder.path().join("cwd")).is_ok_and(|cwd| cwd == dir.path())
        })
        .count();
    assert_eq!(in_folder, 0, "processes are left in {marker}");
}

/// The games of a PGN file without what differs from run to run.
pub(crate) fn games_of(pgn: &str) -> Vec<String> {
    let mut games: Vec<String> = Vec::new();
    for line in pgn.lines() {
        if line.starts_with("[Event ") {
            games.push(String::new());
        }
        let varies = ["[Game", "[Date"].iter().any(|tag| line.starts_with(tag));
        if let Some(game) = games.last_mut().filter(|_| !varies) {
            game.push_str(line);
            game.push(' ');
        }
    }
    // Times differ, and which game was the first one that an engine started for.
    games.iter_mut().for_each(|game| {
        for warning in ["{A does not declare UCI_Chess960}", "{B does not declare UCI_Chess960}"] {
            *game = game.replace(warning, "");
        }
        *game = game
            .split_whitespace()
            .filter(|word| !word.contains("s}") && !word.contains("s,"))
            .collect::<Vec<_>>()
            .join(" ");
    });
    games.sort();
    games
}

/// Finished games in a journal.
pub(crate) fn recorded(journal: &Path) -> usize {
    let text = std::fs::read_to_string(journal).unwrap_or_default();
    text.matches("{\"type\":\"game\"").count()
}

#[test]
fn killed_ten_times_and_resumed_nothing_is_lost_or_repeated() {
    const GAMES: usize = 140;
    // The pause between games bounds what is played until a kill.
    let options = "-each nodes=1 -games 2 -rounds 70 -maxmoves 6 -concurrency 2 -wait 10 -srand 5 \
         -variant fischerandom -pgnout out.pgn -epdout out.epd";
    let words = [engine("A", "good"), engine("B", "good")].concat();
    let words: Vec<&str> =
        words.iter().map(String::as_str).chain(options.split_whitespace()).collect();
    let whole = tempfile::tempdir().expect("a folder");
    assert!(themis(whole.path(), &words).output().expect("it runs").status.success());

    let dir = tempfile::tempdir().expect("a folder");
    let journal = dir.path().join("out.pgn.journal");
    let mut rng = fastrand::Rng::with_seed(11);
    for kill in 0..10 {
        let words: &[&str] = if kill == 0 { &words } else { &["-resume", "out.pgn.journal"] };
        let mut child = themis(dir.path(), words)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs");
        // Somewhere in the games that follow, at any moment of a game or of its writing.
        let until = recorded(&journal) + rng.usize(1..=6);
        while recorded(&journal) < until {
            assert!(child.try_wait().expect("it can be waited for").is_none(), "kill {kill}");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(rng.u64(0..20_000)));
        child.kill().expect("it can be killed");
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), None, "kill {kill} came too late");
    }
    assert!(recorded(&journal) < GAMES, "nothing was left to be resumed");
    let last = themis(dir.path(), &["-resume", "out.pgn.journal"]).output().expect("it runs");
    assert!(last.status.success(), "{}", String::from_utf8_lossy(&last.stderr));
    let read = |dir: &Path, name: &str| std::fs::read_to_string(dir.join(name)).expect("a file");
    let games = games_of(&read(dir.path(), "out.pgn"));
    assert_eq!(games.len(), GAMES);
    for (resumed, played) in games.iter().zip(games_of(&read(whole.path(), "out.pgn"))) {
        assert_eq!(*resumed, played);
    }
    assert_eq!(recorded(&journal), GAMES);
    assert_eq!(read(dir.path(), "out.epd").lines().count(), GAMES);
}

#[test]
fn what_is_resumed_stays_the_same_tournament() {
    let dir = tempfile::tempdir().expect("a folder");
    let engines = [engine("A", "good"), engine("B", "good")].concat();
    let run = |options: &str| {
        let words = engines.iter().map(String::as_str).chain(options.split_whitespace());
        themis(dir.path(), &words.collect::<Vec<_>>()).output().expect("it runs")
    };
    let tournament = "-each nodes=1 -rounds 2 -maxmoves 2 -pgnout out.pgn";
    assert!(run(tournament).status.success());
    // A run that was stopped after its second game.
    let journal = dir.path().join("out.pgn.journal");
    let text = std::fs::read_to_string(&journal).expect("a journal");
    let begun: String = text.lines().take(3).map(|line| format!("{line}\n")).collect();
    for (options, differs) in [
        ("-each nodes=1 -rounds 3 -maxmoves 2 -pgnout out.pgn", "rounds"),
        ("-each nodes=2 -rounds 2 -maxmoves 2 -pgnout out.pgn", "engines"),
        ("-each nodes=1 -rounds 2 -maxmoves 3 -pgnout out.pgn", "maxmoves"),
    ] {
        let output = run(&format!("{options} -resume"));
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{options}: {error}");
        assert!(error.trim_end().ends_with(&format!("differ: {differs}")), "{options}: {error}");
    }
    // The same words, or only what changes no game.
    let others = [
        format!("{tournament} -concurrency 2 -ratinginterval 1 -resume"),
        "-concurrency 2 -jsonout all.json -resume out.pgn.journal".to_owned(),
    ];
    for (index, options) in others.iter().enumerate() {
        std::fs::write(&journal, &begun).expect("a journal");
        let words: Vec<&str> = options.split_whitespace().collect();
        let output = match index {
            0 => run(options),
            _ => themis(dir.path(), &words).output().expect("it runs"),
        };
        assert!(output.status.success(), "{options}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(recorded(&journal), 4, "{options}");
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(said.matches("Started game").count(), 2, "{options}: {said}");
    }
    let json = std::fs::read(dir.path().join("all.json")).expect("JSON");
    let json: Value = serde_json::from_slice(&json).expect("JSON");
    assert_eq!(json["games"].as_array().map(Vec::len), Some(4));
}

/// A limit on the size of files is a disk that fills up in the middle of a game's text.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_leaves_whole_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let words = [engine("A", "good"), engine("B", "good")].concat();
    let options = "-each nodes=1 -rounds 20 -maxmoves 6 -pgnout out.pgn";
    let line: Vec<String> = words
        .iter()
        .map(String::as_str)
        .chain(options.split(' '))
        .map(|word| format!("'{word}'"))
        .collect();
    // The shell's unit is 512 or 1024 bytes; the signal would end the program unheard.
    let script = format!(
        "trap '' XFSZ; ulimit -f 12; exec '{}' tournament {}",
        env!("CARGO_BIN_EXE_themis"),
        line.join(" ")
    );
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(dir.path())
        .output()
        .expect("the shell runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("cannot write") && error.lines().count() == 1, "{error}");
    let pgn = std::fs::read_to_string(dir.path().join("out.pgn")).expect("a file");
    assert!(pgn.ends_with("1/2-1/2\n\n"), "{pgn}");
    let journal = std::fs::read_to_string(dir.path().join("out.pgn.journal")).expect("a file");
    assert!(journal.ends_with("}\n"), "{journal}");
    let games = recorded(&dir.path().join("out.pgn.journal"));
    assert!(games > 0 && [games, games - 1].contains(&games_of(&pgn).len()), "{games}");
    // With room again, it goes on.
    let resumed = themis(dir.path(), &["-resume", "out.pgn.journal"]).output().expect("it runs");
    assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
    let pgn = std::fs::read_to_string(dir.path().join("out.pgn")).expect("a file");
    assert_eq!(games_of(&pgn).len(), 40);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let dir = tempfile::tempdir().expect("a folder");
    let words = [engine("A", "good"), engine("B", "good")].concat();
    let options = "-each nodes=1 -rounds 1 -maxmoves 1 -pgnout /dev/full -journal j";
    let words: Vec<&str> = words.iter().map(String::as_str).chain(options.split(' ')).collect();
    let output = themis(dir.path(), &words).output().expect("the program runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("/dev/full") && error.lines().count() == 1, "{error}");
}

/// What is wrong may not be sayable either: the exit code still tells.
#[cfg(target_os = "linux")]
#[test]
fn an_error_that_cannot_be_written_is_no_panic() {
    let dir = tempfile::tempdir().expect("a folder");
    let full = std::fs::File::options().write(true).open("/dev/full").expect("the device");
    let status = themis(dir.path(), &["-rounds", "x"]).stderr(full).status().expect("it runs");
    assert_eq!(status.code(), Some(2));
}

#[test]
fn a_reader_that_goes_away_stops_no_game() {
    let dir = tempfile::tempdir().expect("a folder");
    let words = [engine("A", "good"), engine("B", "good")].concat();
    let options = "-each nodes=1 -rounds 5 -maxmoves 2 -pgnout out.pgn";
    let words: Vec<&str> = words.iter().map(String::as_str).chain(options.split(' ')).collect();
    let mut child =
        themis(dir.path(), &words).stdout(Stdio::piped()).spawn().expect("the program runs");
    drop(child.stdout.take());
    assert!(child.wait().expect("it ends").success());
    let pgn = std::fs::read_to_string(dir.path().join("out.pgn")).expect("a file");
    assert_eq!(games_of(&pgn).len(), 10);
}

#[test]
fn bad_command_lines_are_one_line_of_error() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("bad.epd"), "8/8/8/8/8/8/8/8 w - -\n").expect("a file");
    std::fs::write(dir.path().join("bad.toml"), "games = 2\nronds = 3\n").expect("a file");
    let third = "4k3/8/8/8/8/8/4P3/4K3 w - -\n".repeat(2) + "8/8/8/8/8/8/8/8 w - -\n";
    std::fs::write(dir.path().join("third.epd"), third).expect("a file");
    for (line, hint) in [
        ("-engin cmd=a", "-engine"),
        ("-engine cmd=a", "two engines"),
        ("-engine cmd=a -engine cmd=b", "no limit"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -openings file=missing.epd", "missing.epd"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -openings file=bad.epd", "bad.epd:1"),
        ("-engine cmd=a dir=/no/dir -engine cmd=b -each tc=1", "dir=/no/dir: there is no such"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -repeat 0", "-repeat must"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -config bad.toml", "bad.toml:2: unknown field"),
        (
            "-tournament knockout -engine cmd=a -engine cmd=b -each tc=1 -openings file=third.epd",
            "third.epd:3",
        ),
        ("-resume nothing.journal", "nothing.journal"),
        ("-engine conf=a -engine cmd=b", "engines.json"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -arbiter ./none.so", "none.so"),
        ("-engine cmd=a -engine cmd=b -each st=0", "st= must"),
        ("-engine cmd=a -engine cmd=b -each nodes=0", "nodes= must"),
        ("-engine cmd=a -engine cmd=b -each depth=0", "depth= must"),
        ("-engine cmd=a -engine cmd=b -each nodes=x", "-each nodes=x"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -draw", "score="),
        ("-engine cmd=a -engine cmd=b -each tc=1 -draw score=-1", "-draw: score"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -draw score=1 movecount=0", "movecount"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -draw score=x", "score=x"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -resign movecount=3", "score="),
        ("-engine cmd=a -engine cmd=b -each tc=1 -resign score=0", "-resign: score"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -tbpieces 5", "-tb PATHS"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -tbignore50", "-tb PATHS"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -tb . -tbpieces 2", "-tbpieces"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -tb .", "no Syzygy tables"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -seeds 1", "-seeds"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -tournament knockout -seeds 3", "1 to 2"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -sprt elo1=inf", "elo1"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -concurrency 9999", "-concurrency"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -force-concurrency 5", "-force-concurrency"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -stall-ms 0", "-stall-ms"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -event", "-event"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -config", "-config"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -config missing.json", "missing.json"),
        // Files of the end are tried at the beginning.
        ("-engine cmd=a -engine cmd=b -each tc=1 -jsonout no/where.json", "no/where.json"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -report no/where.html", "no/where.html"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -report .", "a folder"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -pgnout no/where.pgn", "no/where.pgn"),
        ("-engine cmd=a -engine cmd=b -each tc=1 -pgnout x.pgn pvs=true", "pv="),
        ("-engine cmd=a -engine cmd=b -each tc=1 -pgnout x.pgn pv=perhaps", "pv=perhaps"),
    ] {
        let output = themis(dir.path(), &line.split(' ').collect::<Vec<_>>())
            .output()
            .expect("the program runs");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {error}");
        assert!(error.contains(hint) && error.trim_end().lines().count() == 1, "{line}: {error}");
        assert!(output.stdout.is_empty(), "{line}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn engines_are_bound_to_processors_that_are_there() {
    let allowed = std::fs::read_to_string("/proc/self/status").expect("the kernel tells");
    let allowed = allowed.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let allowed = allowed.expect("a list").trim();
    let first = allowed.split([',', '-']).next().expect("a number");
    for (list, hint) in [
        ("900", "there is no processor 900"),
        ("900-18446744073709551615", "there is no processor 900"),
        ("5-3", "expected processors like"),
        ("on", "expected processors like"),
        ("", "expected processors like"),
    ] {
        let words = [engine("A", "good"), engine("B", "good")].concat();
        let options = ["-each", "nodes=1", "-affinity", list];
        let words: Vec<&str> = words.iter().map(String::as_str).chain(options).collect();
        let dir = tempfile::tempdir().expect("a folder");
        let output = themis(dir.path(), &words).output().expect("the program runs");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{list}: {error}");
        assert!(error.contains(hint) && error.lines().count() == 1, "{list}: {error}");
        assert!(output.stdout.is_empty(), "a game began");
    }
    for list in [allowed.to_owned(), format!("[{first}]"), String::new()] {
        let options = format!("-games 1 -rounds 1 -maxmoves 1 -each nodes=1 -affinity {list}");
        let played = play("tells-processors", "good", &options);
        assert!(played.output.status.success(), "{list}");
        let depth = &played.games()[0]["moves"][0]["depth"];
        assert_eq!(*depth, 1, "{list}: the engine may use {depth} processors");
    }
}

#[test]
fn every_format_ends_and_reports() {
    for (format, engines, games) in
        [("roundrobin", 4, 12), ("gauntlet", 4, 6), ("knockout", 4, 0), ("swiss", 5, 12)]
    {
        let dir = tempfile::tempdir().expect("a folder");
        let words: Vec<String> =
            (0..engines).flat_map(|index| engine(&format!("E{index}"), "good")).collect();
        let rounds = if format == "swiss" { 3 } else { 1 };
        let options = format!(
            "-each nodes=1 -rounds {rounds} -maxmoves 2 -tournament {format} -jsonout o.json -report o.html"
        );
        let words: Vec<&str> = words.iter().map(String::as_str).chain(options.split(' ')).collect();
        let output = themis(dir.path(), &words).output().expect("the program runs");
        assert!(output.status.success(), "{format}: {}", String::from_utf8_lossy(&output.stderr));
        let text = std::fs::read(dir.path().join("o.json")).expect("JSON");
        let json: Value = serde_json::from_slice(&text).expect("JSON");
        let played = json["games"].as_array().expect("games").len();
        assert!(played == games || games == 0 && played >= 6, "{format}: {played} games");
        assert_eq!(json["complete"], true);
        let page = std::fs::read_to_string(dir.path().join("o.html")).expect("a page");
        assert!(page.matches("<details>").count() == played && !page.contains("http"), "{format}");
    }
}
