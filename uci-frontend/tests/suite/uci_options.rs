//! The options as a host sees and sets them.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::host::{Engine, START, assert_legal, field, pv};

/// Rule 12: each option line can be read by every host, and each option of the protocol is there.
#[test]
fn options_are_listed() {
    let mut engine = Engine::with(&["uci"]);
    let lines = engine.read_until("uciok");
    assert!(lines[1].starts_with("id author "));
    let options: Vec<_> =
        lines.iter().filter_map(|line| line.strip_prefix("option name ")).collect();
    let names: HashSet<_> =
        options.iter().map(|line| line.split_once(" type ").unwrap().0).collect();
    assert_eq!(names.len(), options.len(), "an option is listed twice");
    for name in [
        "Hash",
        "Clear Hash",
        "Threads",
        "MultiPV",
        "Ponder",
        "Move Overhead",
        "UCI_Chess960",
        "UCI_AnalyseMode",
        "UCI_ShowWDL",
        "UCI_Opponent",
        "UCI_EngineAbout",
        "UCI_LimitStrength",
        "UCI_Elo",
        "SyzygyPath",
        "EvalFile",
        "Arbiter",
        "ArbiterPlugin",
        "ArbiterEdition",
        "ArbiterLog",
    ] {
        assert!(names.contains(name), "no option {name}");
    }
    for line in &options {
        let (_, kind) = line.split_once(" type ").unwrap();
        match kind.split(' ').next().unwrap() {
            "spin" => {
                let number = |name| field(kind, name).unwrap().parse::<i32>().unwrap();
                assert!(number("min") <= number("default") && number("default") <= number("max"));
            }
            "check" => assert!(["true", "false"].contains(&field(kind, "default").unwrap())),
            "string" => assert!(kind.len() > "string default ".len(), "{line}"),
            "combo" => assert!(kind.contains(&format!(" var {}", field(kind, "default").unwrap()))),
            "button" => assert_eq!(kind, "button"),
            other => panic!("no such type: {other}"),
        }
    }
    // Asking twice gives the same answer.
    engine.send("uci");
    assert_eq!(engine.read_until("uciok"), lines);
}

/// Rule 11: options may be set at any time, in any case, with any value.
#[test]
fn hostile_values_are_survived() {
    let names = [
        "Hash",
        "hash",
        "Clear Hash",
        "CLEAR HASH",
        "Threads",
        "MultiPV",
        "Ponder",
        "Move Overhead",
        "UCI_Chess960",
        "UCI_AnalyseMode",
        "UCI_ShowWDL",
        "UCI_Opponent",
        "UCI_EngineAbout",
        "UCI_LimitStrength",
        "UCI_Elo",
        "SyzygyPath",
        "EvalFile",
        "Arbiter",
        "ArbiterPlugin",
        "ArbiterEdition",
        "NoSuchOption",
        "name",
        "value",
    ];
    let values = [
        "",
        " value",
        " value <empty>",
        " value -1",
        " value 99999999999999999999999",
        " value 1e308",
        " value nan",
        " value true false",
        " value \u{0}\u{1}\u{fffd}",
        " value /no/such/path",
        " value value value",
        " value 4294967297",
        " value 0x10",
        " value é",
    ];
    let mut engine = Engine::start();
    for name in names {
        for value in values {
            // Threads and a table as large as can be are tried elsewhere.
            let large =
                value.contains("99999") || value.contains("1e308") || value.contains("42949");
            if large && (name == "Threads" || name.eq_ignore_ascii_case("hash")) {
                continue;
            }
            engine.send(&format!("setoption name {name}{value}"));
        }
        for line in engine.sync() {
            assert!(line.starts_with("info string "), "{name}: {line}");
        }
    }
    engine.send_all(&[
        "setoption",
        "setoption name",
        "setoption name Hash value 4",
        "position startpos",
    ]);
    engine.send_all(&["setoption name UCI_Chess960 value false", "setoption name Threads value 1"]);
    engine.sync();
    assert_legal(START, &[], engine.search("go depth 3").best());
    engine.quit();
}

/// Values out of range become the nearest in range, and the engine says so.
#[test]
fn numbers_out_of_range_are_clamped() {
    let mut engine = Engine::with(&["setoption name MultiPV value 0"]);
    let said = engine.sync();
    assert!(said.len() == 1 && said[0].contains("set to 1"), "{said:?}");
    engine.send("setoption name Move Overhead value 60000");
    assert!(engine.sync()[0].contains("set to 5000"));
    engine.send("setoption name Hash value many");
    assert!(engine.sync()[0].contains("expects a number"));
}

/// Options set during a search take effect after it.
#[test]
fn options_wait_for_the_end_of_a_search() {
    let mut engine = Engine::with(&["position startpos", "go infinite"]);
    engine.send_all(&[
        "setoption name Hash value 2",
        "setoption name MultiPV value 2",
        "ucinewgame",
    ]);
    engine.send("setoption name Threads value 2");
    let said = engine.sync();
    assert!(!said.iter().any(|line| line.starts_with("bestmove") || line.contains("multipv 2")));
    engine.send("stop");
    engine.answer();
    let answer = engine.search("go depth 4");
    assert!(answer.lines.iter().any(|line| line.contains(" multipv 2 ")), "{:#?}", answer.lines);
}

/// More lines than there are moves gives as many lines as there are moves, each its own.
#[test]
fn multipv_is_bounded_by_the_moves() {
    let mut engine = Engine::with(&["setoption name MultiPV value 256", "position startpos"]);
    let answer = engine.search("go depth 3");
    let depth = field(answer.last_info(), "depth").unwrap();
    let last: Vec<_> =
        answer.scored().into_iter().filter(|line| field(line, "depth") == Some(depth)).collect();
    let firsts: HashSet<_> = last.iter().map(|line| pv(line)[0]).collect();
    assert_eq!(firsts.len(), 20);
    let best = last.iter().rfind(|line| line.contains(" multipv 1 ")).unwrap();
    assert_eq!(pv(best)[0], answer.best());
    engine.send("setoption name MultiPV value 3");
    let answer = engine.search("go depth 3 searchmoves e2e4 d2d4");
    assert!(!answer.lines.iter().any(|line| line.contains(" multipv 3 ")));
}

/// Chances are shown only where they are asked for.
#[test]
fn wdl_is_shown_on_demand() {
    let mut engine = Engine::with(&["position startpos"]);
    assert!(!engine.search("go depth 2").last_info().contains(" wdl "));
    engine.send("setoption name UCI_ShowWDL value true");
    assert!(engine.search("go depth 2").last_info().contains(" wdl "));
}

/// A table that cannot be had is said, and the old one stays in use.
#[test]
fn a_table_too_large_is_refused() {
    let mut engine = Engine::with(&["setoption name Hash value 1048576"]);
    let said = engine.sync();
    // A machine may have that much; then nothing is said.
    assert!(said.iter().all(|line| line.starts_with("info string ")), "{said:?}");
    engine.send_all(&["setoption name Hash value 1", "position startpos"]);
    assert_legal(START, &[], engine.search("go depth 5").best());
    engine.quit();
}

/// A path without tables is an `info string`, and the engine plays on.
#[test]
fn a_broken_tablebase_path_is_said() {
    let mut engine = Engine::with(&["setoption name SyzygyPath value /no/such/directory"]);
    let said = engine.sync();
    assert!(said.len() == 1 && said[0].starts_with("info string "), "{said:?}");
    engine.send_all(&["setoption name SyzygyPath value <empty>", "position startpos"]);
    assert!(engine.sync().is_empty());
    assert_legal(START, &[], engine.search("go depth 2").best());
}

/// A network evaluates when it is one; what is none is an `info string`, and the old evaluation
/// stays.
#[test]
fn a_network_is_loaded_or_refused() {
    use engine::eval::network::{BUCKETS, HIDDEN, INPUTS, Network};
    // Whoever has the move stands better by an output of one.
    let network = Network::from_weights(
        &vec![0.0; INPUTS * HIDDEN],
        &[0.0; HIDDEN],
        &vec![0.0; BUCKETS * 2 * HIDDEN],
        &[1.0; BUCKETS],
    )
    .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let bytes = network.to_bytes();
    std::fs::write(path("good.bin"), &bytes).unwrap();
    std::fs::write(path("short.bin"), &bytes[..1000]).unwrap();
    std::fs::write(path("other.bin"), "some other file").unwrap();

    let mut engine = Engine::with(&["position startpos"]);
    let score = |engine: &mut Engine| {
        let search = engine.search("go depth 1");
        assert_legal(START, &[], search.best());
        field(search.last_info(), "cp").unwrap().parse::<i32>().unwrap()
    };
    let own = score(&mut engine);
    for name in ["short.bin", "other.bin", "missing.bin", "."] {
        engine.send(&format!("setoption name EvalFile value {}", path(name)));
        let said = engine.sync();
        assert!(said.len() == 1 && said[0].starts_with("info string EvalFile"), "{said:?}");
        assert_eq!(score(&mut engine), own);
    }
    engine.send(&format!("setoption name EvalFile value {}", path("good.bin")));
    assert_eq!(engine.sync().len(), 1);
    assert!(score(&mut engine) < -200);
    engine.send("setoption name EvalFile value <empty>");
    assert!(engine.sync().is_empty());
    assert_eq!(score(&mut engine), own);
    engine.quit();
}

/// Move Overhead is kept back from the clock.
#[test]
fn the_overhead_is_kept_back() {
    let mut engine =
        Engine::with(&["setoption name Move Overhead value 4000", "position startpos"]);
    let start = Instant::now();
    engine.search("go movetime 4200");
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

/// A limited engine still plays legal moves and keeps its time.
#[test]
fn limited_strength_plays_on() {
    let mut engine = Engine::with(&[
        "setoption name UCI_LimitStrength value true",
        "setoption name UCI_Elo value 1",
        "position startpos",
    ]);
    let start = Instant::now();
    let answer = engine.search("go movetime 200");
    assert_legal(START, &[], answer.best());
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}
