//! The arbiter at the board of a GUI.

use std::path::PathBuf;
use std::time::Duration;

use crate::host::{Engine, START, assert_legal};

const PREFIX: &str = "info string arbiter: ";

/// What the arbiter says after these lines.
fn said(engine: &mut Engine, lines: &[&str]) -> String {
    engine.send_all(lines);
    engine.read_until(PREFIX).last().unwrap()[PREFIX.len()..].to_owned()
}

const REPEATED: &str = "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";

#[test]
fn the_end_of_a_game_is_said_with_its_article() {
    let mut engine = Engine::start();
    for (position, result, article) in [
        ("position startpos moves f2f3 e7e5 g2g4 d8h4", "0-1", "5.1.1"),
        ("position fen 7k/8/6K1/8/8/8/8/5Q2 w - - 0 1 moves f1f7", "1/2-1/2", "5.2.1"),
        ("position fen 8/8/8/3k4/8/8/3K4/8 w - - 0 1", "1/2-1/2", "5.2.2"),
        ("position fen 4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", "1/2-1/2", "5.2.2"),
        ("position fen 7k/5K2/8/8/8/8/8/6Q1 w - - 149 120 moves g1g2", "1/2-1/2", "9.6.2"),
        (&format!("{REPEATED} g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"), "1/2-1/2", "9.6.1"),
    ] {
        let said = said(&mut engine, &[position]);
        assert!(said.starts_with("game over, "), "{position}: {said}");
        assert!(said.contains(result) && said.contains(article), "{position}: {said}");
    }
    engine.quit();
}

#[test]
fn open_claims_are_said() {
    let mut engine = Engine::start();
    let said = said(&mut engine, &[REPEATED]);
    assert!(said.starts_with("White may claim a draw") && said.contains("9.2"), "{said}");
    let text = "position fen 7k/5K2/8/8/8/8/8/6Q1 w - - 99 120 moves g1g2";
    let said = self::said(&mut engine, &[text]);
    assert!(said.starts_with("Black may claim a draw") && said.contains("9.3"), "{said}");
}

/// Castling is legal however the host writes it, in standard chess and in Chess960, and where the
/// option comes after the position.
#[test]
fn castling_is_no_illegal_move() {
    let mut engine = Engine::start();
    let opening = "position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1";
    let game = format!("{opening} g8f6 d2d3 e8g8");
    let free = "position fen 1r2k2r/8/8/8/8/8/8/1R2K2R w BHbh - 0 1 moves e1h1";
    let free_game = format!("{free} e8b8");
    let chess960 = "setoption name UCI_Chess960 value true";
    let standard = "setoption name UCI_Chess960 value false";
    engine.send_all(&[opening, &game, free, &free_game]);
    // The same games after the option, then after it is taken back.
    engine.send_all(&[opening, chess960, &game, &game.replace("e8g8", "e8h8"), standard, &game]);
    // The rulings come in the order of the games: this mate is the first to be spoken of.
    let said = said(&mut engine, &["position startpos moves f2f3 e7e5 g2g4 d8h4"]);
    assert!(said.contains("checkmate"), "{said}");
    engine.send("quit");
    let (_, _, rest) = engine.wait();
    assert!(!rest.iter().any(|line| line.starts_with(PREFIX)), "{rest:?}");
}

/// Not even a game that is over keeps the engine from answering with a legal move.
#[test]
fn the_engine_answers_all_the_same() {
    let five = format!("{REPEATED} g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    let mut engine = Engine::with(&[&five]);
    assert_legal(START, &[], engine.search("go depth 2").best());
}

/// The same game shown again, as hosts do, is not ruled on again; takebacks and jumps without
/// `ucinewgame` are followed.
#[test]
fn repeated_lines_takebacks_and_jumps_are_followed() {
    let mate = "position startpos moves f2f3 e7e5 g2g4 d8h4";
    let mut engine = Engine::start();
    assert!(said(&mut engine, &[mate]).contains("checkmate"));
    engine.send_all(&[mate, mate]);
    engine.search("go depth 1");
    let again = engine.read_for(Duration::from_millis(300));
    assert!(!again.iter().any(|line| line.starts_with(PREFIX)), "{again:?}");
    // Taken back and played again, it is mate again.
    engine.send("position startpos moves f2f3 e7e5 g2g4");
    assert!(said(&mut engine, &[mate]).contains("checkmate"));
    // Another game, with no word of it.
    engine.send("position startpos moves e2e4");
    let dead = said(&mut engine, &["position fen 8/8/8/3k4/8/8/3K4/8 w - - 0 1"]);
    assert!(dead.contains("dead position"), "{dead}");
    assert!(said(&mut engine, &[mate]).contains("checkmate"));
}

#[test]
fn the_arbiter_can_be_switched_off() {
    let mut engine = Engine::with(&["setoption name Arbiter value false"]);
    engine.send("position startpos moves f2f3 e7e5 g2g4 d8h4");
    engine.sync();
    let said = engine.read_for(Duration::from_millis(300));
    assert!(said.is_empty(), "{said:?}");
    engine.send("setoption name Arbiter value true");
    assert!(
        self::said(&mut engine, &["position startpos moves f2f3 e7e5 g2g4 d8h4"]).contains("0-1")
    );
}

/// The edition decides the article's number.
#[test]
fn the_edition_is_the_one_chosen() {
    let mut engine = Engine::with(&["setoption name ArbiterEdition value 2014"]);
    let said = said(&mut engine, &["position fen 7k/8/6K1/8/8/8/8/5Q2 w - - 0 1 moves f1f7"]);
    assert!(said.contains("5.2.a") || said.contains("5.2a"), "{said}");
}

/// A file that is no arbiter is said once, and the engine plays on.
#[test]
fn a_plugin_that_is_none_is_said() {
    let mut engine = Engine::with(&["setoption name ArbiterPlugin value /no/such/arbiter.so"]);
    assert!(said(&mut engine, &["position startpos"]).contains("/no/such/arbiter.so"));
    engine.send("position startpos moves e2e4");
    assert_legal(START, &["e2e4"], engine.search("go depth 2").best());
    let rest = engine.read_for(Duration::from_millis(200));
    assert!(!rest.iter().any(|line| line.starts_with(PREFIX)), "{rest:?}");
    engine.quit();
}

struct Log(PathBuf);

impl Log {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("themis-{name}-{}.jsonl", std::process::id())))
    }

    fn lines(&self) -> Vec<serde_json::Value> {
        let text = std::fs::read_to_string(&self.0).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        // It may never have been made.
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn rulings_are_logged() {
    let log = Log::new("rulings");
    for round in 1..=2 {
        let mut engine = Engine::with(&[
            &format!("setoption name ArbiterLog value {}", log.0.display()),
            "setoption name UCI_Opponent value GM 2800 human A. Person",
            "position startpos moves f2f3 e7e5 g2g4",
            "go depth 1 wtime 7000 btime 8000",
        ]);
        engine.answer();
        said(&mut engine, &["position startpos moves f2f3 e7e5 g2g4 d8h4"]);
        engine.quit();
        let mut lines = log.lines();
        lines.retain(|line| line["ruling"] == "game_over");
        assert_eq!(lines.len(), round, "the log is appended to: {lines:#?}");
        let last = lines.last().unwrap();
        assert_eq!(last["result"], "0-1");
        assert_eq!(last["article"], "5.1.1");
        assert_eq!((last["game"].as_u64(), last["ply"].as_u64()), (Some(1), Some(4)));
        assert_eq!(last["opponent"], "GM 2800 human A. Person");
        assert_eq!(last["clocks_ms"]["b"], 8000);
    }
}

/// A takeback goes on with the same game; another line, another start or `ucinewgame` is a new one.
#[test]
fn the_log_numbers_games_not_takebacks() {
    let log = Log::new("takebacks");
    let mut engine =
        Engine::with(&[&format!("setoption name ArbiterLog value {}", log.0.display())]);
    let mate = "position startpos moves f2f3 e7e5 g2g4 d8h4";
    said(&mut engine, &[mate]);
    said(&mut engine, &["position startpos moves f2f3 e7e5 g2g4", mate]);
    said(&mut engine, &["position startpos moves e2e4", "position startpos moves e2e4 e7e5", mate]);
    said(&mut engine, &["position fen 8/8/8/3k4/8/8/3p4/3K4 w - - 0 1 moves d1d2"]);
    said(&mut engine, &["ucinewgame", mate]);
    engine.quit();
    let mut lines = log.lines();
    lines.retain(|line| line["ruling"] == "game_over");
    let games: Vec<_> = lines.iter().map(|line| line["game"].as_u64().unwrap()).collect();
    assert_eq!(games, [1, 1, 3, 4, 5], "{lines:#?}");
}

#[test]
fn a_log_that_cannot_be_written_is_said() {
    let mut engine = Engine::start();
    let said = said(&mut engine, &["setoption name ArbiterLog value /no/such/directory/log"]);
    assert!(said.contains("/no/such/directory/log"), "{said}");
    engine.search("go depth 1");
}

/// The arbiter works while the engine thinks: one that is held up, here by a log that nobody
/// reads, holds up no search.
#[cfg(unix)]
#[test]
fn the_arbiter_costs_no_thinking_time() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("log");
    if !std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|made| made.success()) {
        return eprintln!("skipped: no mkfifo here");
    }
    let mut engine = Engine::start();
    engine.send(&format!("setoption name ArbiterLog value {}", pipe.display()));
    engine.send("position startpos moves f2f3 e7e5 g2g4 d8h4");
    engine.send("go depth 1");
    let answer = engine.read_until("bestmove");
    assert!(!answer.iter().any(|line| line.starts_with(PREFIX)), "{answer:?}");
    let _reader = std::fs::File::open(&pipe).unwrap();
    engine.read_until(PREFIX);
}

/// The library of the built-in arbiter, loaded through its C interface, rules alike.
#[test]
fn a_plugin_rules_in_place_of_the_built_in_arbiter() {
    let name =
        format!("{}arbiter_plugin{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_themis"));
    let folder = binary.parent().unwrap();
    let places = [folder.join(&name), folder.join("deps").join(&name)];
    let Some(library) = places.iter().find(|place| place.exists()) else {
        eprintln!("skipped: {name} is not built");
        return;
    };
    let option = format!("setoption name ArbiterPlugin value {}", library.display());
    let mut engine = Engine::with(&[&option]);
    let said = said(&mut engine, &["position startpos moves f2f3 e7e5 g2g4 d8h4"]);
    assert!(said.contains("0-1") && said.contains("5.1.1"), "{said}");
    engine.quit();
}
