//! The rules that hosts rely on, one test each, in the order in which a host meets them.

use std::time::{Duration, Instant};

use crate::host::{Engine, START, assert_legal, assert_line, field, pv};

const MATED: &str = "position startpos moves f2f3 e7e5 g2g4 d8h4";
const STALEMATED: &str = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const CASTLE: &str = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 8";

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Rule 1: every line is flushed: answers come while the input stays open.
#[test]
fn lines_are_flushed() {
    let mut engine = Engine::with(&["uci"]);
    engine.read_until("uciok");
    engine.sync();
    engine.search("go depth 3");
    engine.quit();
}

/// Rule 2: `isready` is answered at once while a search runs.
#[test]
fn isready_is_answered_during_a_search() {
    let mut engine = Engine::with(&["position startpos", "go infinite"]);
    for _ in 0..5 {
        let start = Instant::now();
        let said = engine.sync();
        assert!(start.elapsed() < ms(5000), "readyok took {:?}", start.elapsed());
        assert!(!said.iter().any(|line| line.starts_with("bestmove")));
    }
    engine.send("stop");
    engine.answer();
    engine.quit();
}

/// Rules 3 and 16: one `bestmove` for each `go`, none for a `stop` with nothing to stop.
#[test]
fn each_go_has_one_bestmove() {
    let mut engine = Engine::with(&["stop", "position startpos", "stop"]);
    engine.search("go depth 2");
    engine.send_all(&["stop", "stop", "ponderhit"]);
    engine.search("go infinite\nstop\nstop");
    let rest = engine.sync();
    assert!(rest.is_empty(), "{rest:?}");
    // A second `go` ends the first one, and both are answered.
    engine.send_all(&["go infinite", "go depth 2", "go depth 1"]);
    for _ in 0..3 {
        engine.answer();
    }
    assert!(engine.sync().is_empty());
    assert!(engine.quit().is_empty());
}

/// Rule 4: the last scored line before `bestmove` is exact, and all numbers are integers.
#[test]
fn the_last_info_is_exact() {
    for go in
        ["go depth 6", "go nodes 3000", "go movetime 50", "go wtime 100 btime 100", "go nodes 1"]
    {
        let mut engine =
            Engine::with(&["setoption name UCI_ShowWDL value true", "position startpos"]);
        let answer = engine.search(go);
        let last = answer.last_info();
        assert!(!last.contains("bound"), "{go}: {last}");
        for name in ["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time"] {
            let number = field(last, name).unwrap_or_else(|| panic!("{go}: no {name} in {last}"));
            assert!(number.parse::<u64>().is_ok(), "{go}: {name} in {last}");
        }
        let words: Vec<_> = last.split(' ').collect();
        let wdl = words.iter().position(|&word| word == "wdl").unwrap();
        let sum: u32 =
            words[wdl + 1..wdl + 4].iter().map(|word| word.parse::<u32>().unwrap()).sum();
        assert_eq!(sum, 1000, "{last}");
        for line in &answer.lines {
            assert!(!line.starts_with("info string") || !line.contains(" score "), "{line}");
            assert!(!line.contains('.') || line.starts_with("info string"), "{line}");
        }
    }
}

/// Rule 5: the best move starts the last line, and lines are legal to their end.
#[test]
fn the_bestmove_heads_a_legal_line() {
    let positions = [
        START,
        CASTLE,
        "8/8/8/8/8/5k2/7q/5K2 b - - 0 1",
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
        "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    ];
    for fen in positions {
        let mut engine = Engine::with(&[&format!("position fen {fen}")]);
        let answer = engine.search("go nodes 20000");
        assert_eq!(answer.pv()[0], answer.best(), "{:#?}", answer.lines);
        for line in answer.scored() {
            assert_line(fen, &pv(line));
        }
        if let Some(ponder) = answer.ponder() {
            assert_legal(fen, &[answer.best()], ponder);
        }
    }
}

/// Rule 6: at mate and stalemate there is an answer that says so, and the engine lives on.
#[test]
fn no_legal_move_is_answered() {
    for (position, score) in [(MATED, "score mate 0"), (STALEMATED, "score cp 0")] {
        let mut engine = Engine::with(&[position]);
        for go in
            ["go depth 5", "go movetime 10", "go nodes 100", "go wtime 10 btime 10", "go mate 2"]
        {
            let answer = engine.search(go);
            assert!(answer.is_none(), "{go}: {:#?}", answer.lines);
            assert!(answer.last_info().contains(score), "{:#?}", answer.lines);
        }
        engine.sync();
        engine.quit();
    }
}

/// Rule 7: `infinite` holds the answer until `stop`, `ponder` until `stop` or `ponderhit`.
#[test]
fn the_answer_is_held() {
    let tiny = "position fen 8/5kR1/8/3K4/8/8/8/8 b - - 0 143";
    let mut engine = Engine::with(&[tiny]);
    let silent = |engine: &Engine| {
        let said = engine.read_for(ms(250));
        assert!(!said.iter().any(|line| line.starts_with("bestmove")), "{said:#?}");
    };
    for (go, end) in [
        ("go infinite", "stop"),
        ("go infinite depth 1", "stop"),
        ("go depth 1 ponder", "ponderhit"),
        ("go ponder wtime 100 btime 100", "ponderhit"),
        ("go ponder movetime 1", "stop"),
        ("go ponder nodes 1", "stop"),
        ("go searchmoves f7g7 infinite mate 1", "stop"),
    ] {
        engine.send(go);
        silent(&engine);
        engine.send(end);
        let answer = engine.answer();
        assert_legal("8/5kR1/8/3K4/8/8/8/8 b - - 0 1", &[], answer.best());
    }
    engine.send_all(&[MATED, "go infinite"]);
    silent(&engine);
    engine.send("stop");
    assert!(engine.answer().is_none());
}

/// Rule 7: after `ponderhit` the clock is managed as after `go`.
#[test]
fn a_ponderhit_starts_the_clock() {
    let mut engine =
        Engine::with(&["setoption name Ponder value true", "position startpos moves e2e4 e7e5"]);
    engine.send("go ponder wtime 2000 btime 2000");
    engine.read_for(ms(150));
    let start = Instant::now();
    engine.send("ponderhit");
    let answer = engine.answer();
    assert!(start.elapsed() < ms(1900), "{:?} after ponderhit", start.elapsed());
    assert_legal(START, &["e2e4", "e7e5"], answer.best());
}

/// Rule 8: parameters in any order and any number of them.
#[test]
fn any_go_is_answered() {
    let mut engine = Engine::with(&["position startpos"]);
    for go in [
        "go wtime 100",
        "go btime 100",
        "go winc 50 binc 50 wtime 50 btime 50",
        "go movestogo 0 wtime 100 btime 100",
        "go movestogo 1 btime 100 wtime 100",
        "go wtime 0 btime 0",
        "go wtime -500 btime -500",
        "go wtime 1 btime 1 winc 100000 binc 0",
        "go winc 100",
        "go depth 0",
        "go depth -3",
        "go nodes 0",
        "go movetime 0",
        "go movetime -1",
        "go mate 1 depth 3",
        "go mate 0 depth 2",
        "go depth 2 searchmoves e2e4 d2d4",
        "go searchmoves e2e4 d2d4 depth 2",
        "go depth 2 searchmoves",
        "go depth 2 searchmoves 0000",
        "go depth 2 foo 7 bar",
        "go depth 300 movetime 20",
        "go wtime 99999999999999999999 btime 1 depth 2",
        "go wtime 1000.5 btime 1000 depth 2",
        "go nodes 18446744073709551616 depth 2",
        "go depth 99999999999 nodes 50",
        "go movestogo 4294967296 wtime 60 btime 60",
    ] {
        let start = Instant::now();
        let answer = engine.search(go);
        assert_legal(START, &[], answer.best());
        assert!(start.elapsed() < ms(3000), "{go} took {:?}", start.elapsed());
    }
    engine.quit();
}

/// `searchmoves` restricts the root.
#[test]
fn searchmoves_are_kept_to() {
    let mut engine = Engine::with(&["position startpos"]);
    for _ in 0..2 {
        let answer = engine.search("go depth 4 searchmoves a2a3 h2h4");
        assert!(["a2a3", "h2h4"].contains(&answer.best()), "{}", answer.best());
    }
    let answer = engine.search("go searchmoves h2h4 nodes 2000");
    assert_eq!(answer.best(), "h2h4");
}

/// Rule 9: what is not understood is passed over; white space is no matter.
#[test]
fn noise_is_passed_over() {
    let mut engine = Engine::start();
    engine.send_bytes(b"\xef\xbb\xbfuci\r\n");
    engine.read_until("uciok");
    engine.send_bytes(b"xboard\n\n   \n\t\nfeature done=1\n\xff\xfe\x80\n\0\0\n");
    assert!(engine.sync().is_empty());
    engine.send_bytes(b"\tposition \t startpos  moves   e2e4\te7e5 \r\n go\tdepth 2\r\n");
    assert_legal(START, &["e2e4", "e7e5"], engine.answer().best());
    engine.send("position startpos moves");
    assert_legal(START, &[], engine.search("go depth 1").best());
    let four = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    engine.send(&format!("position fen {four} moves g1f3"));
    assert_legal(&format!("{four} 0 1"), &["g1f3"], engine.search("go depth 1").best());
    engine.quit();
}

/// Rule 10: `quit` and the end of the input end a search and the program.
#[test]
fn the_end_of_input_ends_the_program() {
    for go in ["go infinite", "go movetime 60000", "go ponder wtime 60000 btime 60000", "isready"] {
        for quit in [true, false] {
            let mut engine = Engine::with(&["position startpos", go]);
            engine.read_for(ms(100));
            if quit {
                engine.send("quit");
            } else {
                engine.close_input();
            }
            let (status, time, _) = engine.wait();
            assert!(status.success(), "{go}: {status}");
            assert!(time < Duration::from_secs(1), "{go}: the end took {time:?}");
        }
    }
}

/// Rule 10: a last line without a line feed is still a line.
#[test]
fn a_last_line_needs_no_end() {
    let mut engine = Engine::start();
    engine.send_bytes(b"isready");
    engine.close_input();
    assert_eq!(engine.wait().2, ["readyok"]);
}

/// Rule 13: a refused position leaves the one before it and says why, in one line.
#[test]
fn a_bad_position_keeps_the_last() {
    let mut engine = Engine::with(&["position startpos moves e2e4"]);
    for bad in [
        "position",
        "position foo",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K2R x K - 0 1",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e7e5 0000 d2d4",
        "position startpos moves e2e4 xyzzy",
        "position startpos e2e4",
    ] {
        engine.send(bad);
        let said = engine.sync();
        assert_eq!(said.len(), 1, "{bad}: {said:?}");
        assert!(said[0].starts_with("info string "), "{bad}: {said:?}");
        assert_legal(START, &["e2e4"], engine.search("go depth 1").best());
    }
    engine.quit();
}

/// Rule 14: nothing is said before it is asked.
#[test]
fn nothing_is_said_unasked() {
    let mut engine = Engine::start();
    assert!(engine.read_for(ms(200)).is_empty());
    engine.send("uci");
    assert!(engine.read_until("uciok")[0].starts_with("id name Themis"));
    assert!(engine.quit().is_empty());
}

/// Rule 15: castling is written as the host wants it, and read either way.
#[test]
fn castling_notation_follows_the_option() {
    let position = format!("position fen {CASTLE}");
    let mut engine = Engine::with(&[&position]);
    let castle = "go depth 1 searchmoves e1g1";
    assert_eq!(engine.search(castle).best(), "e1g1");
    engine.send_all(&["setoption name UCI_Chess960 value true", &position]);
    assert_eq!(engine.search(castle).best(), "e1h1");
    assert_eq!(engine.search("go depth 1 searchmoves e1h1").best(), "e1h1");
    engine.send_all(&[
        "setoption name UCI_Chess960 value false",
        &format!("{position} moves e1g1 e8c8"),
    ]);
    let moves = &["e1g1", "e8c8"];
    assert_legal(CASTLE, moves, engine.search("go depth 1").best());
    engine.send("position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1");
    assert_eq!(engine.search("go depth 1 searchmoves a7a8q").best(), "a7a8q");
}

/// Rule 17: the engine does not end after an answer.
#[test]
fn the_engine_outlives_its_answers() {
    let mut engine = Engine::with(&["position startpos"]);
    engine.search("go depth 1");
    assert!(engine.read_for(ms(100)).is_empty());
    engine.search("go depth 1");
    engine.quit();
}

/// `stop` is answered within 20 ms at any depth. The median of many is taken, since the machine
/// may be busy with other tests.
#[test]
fn stop_is_answered_at_once() {
    let mut engine = Engine::with(&[&format!("position fen {CASTLE}")]);
    let mut median = Duration::MAX;
    for _ in 0..3 {
        let mut times: Vec<_> = (0..15)
            .map(|index| {
                engine.send("go infinite");
                engine.read_for(ms(7 * index));
                let start = Instant::now();
                engine.send("stop");
                engine.read_until_timed("bestmove").0 - start
            })
            .collect();
        times.sort();
        median = median.min(times[times.len() / 2]);
        if median <= ms(20) {
            return;
        }
    }
    panic!("stop takes {median:?}");
}

/// The time of a move is kept, and used.
#[test]
fn movetime_is_kept() {
    let mut engine = Engine::with(&["position startpos"]);
    let start = Instant::now();
    engine.search("go movetime 300");
    let time = start.elapsed();
    assert!(ms(200) < time && time < ms(600), "{time:?}");
}

/// `debug on` says what is not understood.
#[test]
fn debug_explains() {
    let mut engine = Engine::with(&["debug on", "xyzzy"]);
    let said = engine.sync();
    assert!(said.len() == 1 && said[0].contains("xyzzy"), "{said:?}");
    engine.send_all(&["debug off", "xyzzy"]);
    assert!(engine.sync().is_empty());
}

/// A pipe closed by the host is no reason to fail.
#[test]
fn a_deaf_host_is_no_error() {
    let output = std::process::Command::new("sh")
        .args(["-c", r#"printf 'uci\nuci\nuci\nposition startpos\ngo depth 4\nisready\n' | "$0" | head -n 1"#])
        .arg(env!("CARGO_BIN_EXE_themis"))
        .output();
    // Where there is no shell there is nothing to test.
    let Ok(output) = output else { return };
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The move tree is counted on request, and the count can be stopped.
#[test]
fn perft_is_counted() {
    let mut engine = Engine::with(&["position startpos", "go perft 4"]);
    let lines = engine.read_until("Nodes searched");
    assert_eq!(lines.len(), 21);
    assert!(lines[20].starts_with("Nodes searched: 197281 "), "{}", lines[20]);
    engine.send_all(&["perft 30", "stop"]);
    engine.sync();
    engine.search("go depth 1");
    engine.send("perft 30");
    engine.quit();
}

/// A depth that cannot be counted is said, and nothing is searched.
#[test]
fn a_perft_without_a_depth_is_refused() {
    let mut engine = Engine::with(&["position startpos"]);
    for line in ["go perft", "perft", "go perft 4294967295", "perft 1000000", "perft -1"] {
        engine.send(line);
        let said = engine.sync();
        assert_eq!(said.len(), 1, "{line}: {said:?}");
        assert!(said[0].starts_with("info string perft expects a depth"), "{line}: {said:?}");
    }
    assert!(engine.read_for(ms(100)).is_empty());
    engine.send("go perft 0");
    assert!(engine.read_until("Nodes searched")[0].starts_with("Nodes searched: 1 "));
    engine.send_all(&["go perft 64", "stop"]);
    engine.sync();
    engine.search("go depth 1");
    engine.quit();
}
