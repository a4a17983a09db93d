//! Inputs on which engines have failed in public, with the right outcome.

use std::time::{Duration, Instant};

use crate::host::{Engine, START, assert_legal, fen_of, try_board};

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

#[test]
fn movetime_zero_ends() {
    let mut engine = Engine::with(&["position startpos"]);
    engine.sync();
    let start = Instant::now();
    let answer = engine.search("go movetime 0");
    assert_legal(START, &[], answer.best());
    assert!(start.elapsed() < ms(5000), "{:?}", start.elapsed());
}

#[test]
fn the_opponents_negative_clock_is_no_matter() {
    let mut engine = Engine::with(&["position startpos"]);
    let start = Instant::now();
    let answer = engine.search("go wtime 3000 btime -120 movestogo 1");
    assert_legal(START, &[], answer.best());
    let time = start.elapsed();
    assert!(ms(50) < time && time < ms(3000), "{time:?}");
}

/// Many moves to go with an increment: a share of the increment is used, and no more than there
/// is on the clock.
#[test]
fn many_moves_to_go_leave_the_increment() {
    let mut engine = Engine::with(&["position startpos"]);
    let start = Instant::now();
    let go = "go wtime 6000 btime 6000 winc 1000 binc 1000 movestogo 500";
    let answer = engine.search(go);
    assert_legal(START, &[], answer.best());
    let time = start.elapsed();
    assert!(ms(100) < time && time < ms(6000), "{time:?}");
}

#[test]
fn illegal_searchmoves_are_dropped() {
    let mut engine = Engine::with(&["position startpos"]);
    assert_legal(START, &[], engine.search("go depth 3 searchmoves e2e5").best());
    assert_eq!(engine.search("go depth 3 searchmoves e2e5 a2a4").best(), "a2a4");
}

#[test]
fn a_mated_root_is_answered_and_survived() {
    for (position, go) in [
        ("position fen 5k2/5r2/1p3QBp/2b4P/5P2/5K2/P5P1/8 w - - 6 54 moves f6f7", "go depth 12"),
        ("position fen 8/8/kQ6/3P4/8/8/1K3B2/3R4 b - - 5 54", "go nodes 100"),
    ] {
        let mut engine = Engine::with(&[position]);
        assert!(engine.search(go).is_none());
        engine.sync();
        engine.quit();
    }
}

#[test]
fn a_mated_root_waits_idly() {
    let mut engine = Engine::with(&["position startpos moves f2f3 e7e5 g2g4 d8h4", "go infinite"]);
    let said = engine.read_for(ms(600));
    assert!(!said.iter().any(|line| line.starts_with("bestmove")), "{said:?}");
    #[cfg(target_os = "linux")]
    assert!(cpu_ticks(engine.pid()) < 20, "the wait takes time of the processor");
    engine.send("stop");
    assert!(engine.answer().is_none());
}

/// Hundredths of a second of processor time used by a process.
#[cfg(target_os = "linux")]
fn cpu_ticks(pid: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<_> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

#[test]
fn a_position_during_a_search_waits() {
    let mut engine =
        Engine::with(&["position startpos", "go infinite", "position startpos moves e2e4"]);
    engine.send("stop");
    assert_legal(START, &[], engine.answer().best());
    assert!(engine.sync().is_empty());
    assert_legal(START, &["e2e4"], engine.search("go depth 1").best());
}

#[test]
fn the_end_of_input_ends_a_search() {
    for (go, wait) in [("go movetime 2000", 0), ("go infinite", 500)] {
        let mut engine = Engine::with(&["position startpos", go]);
        engine.read_for(ms(wait));
        engine.close_input();
        let (status, time, _) = engine.wait();
        assert_eq!(status.code(), Some(0), "{go}");
        assert!(time < ms(1000), "{go}: {time:?}");
    }
}

#[test]
fn a_tiny_tree_does_not_end_an_infinite_search() {
    let mut engine =
        Engine::with(&["position fen 8/5kR1/8/3K4/8/8/8/8 b - - 0 143", "go infinite"]);
    let said = engine.read_for(ms(1000));
    assert!(!said.iter().any(|line| line.starts_with("bestmove")), "{:?}", said.last());
    engine.send("stop");
    assert_legal("8/5kR1/8/3K4/8/8/8/8 b - - 0 1", &[], engine.answer().best());
}

#[test]
fn a_stray_stop_says_nothing() {
    let mut engine = Engine::with(&["uci", "stop"]);
    engine.read_until("uciok");
    assert!(engine.sync().is_empty());
    assert!(engine.quit().is_empty());
}

#[test]
fn positions_may_be_repeated_and_moves_empty() {
    for position in ["position startpos moves", "position startpos"] {
        let mut engine = Engine::with(&[position]);
        assert_legal(START, &[], engine.search("go depth 1").best());
        engine.send("position startpos");
        assert_legal(START, &[], engine.search("go depth 1").best());
    }
}

#[test]
fn an_answer_is_not_played_on_the_board() {
    let mut engine = Engine::with(&["position startpos moves d2d4 e7e5"]);
    for _ in 0..2 {
        assert_legal(START, &["d2d4", "e7e5"], engine.search("go depth 2").best());
    }
}

#[test]
fn many_threads_are_a_number_like_any_other() {
    let mut engine = Engine::with(&["setoption name Threads value 256"]);
    engine.sync();
    engine.send("position startpos");
    assert_legal(START, &[], engine.search("go depth 3").best());
    engine.quit();
}

#[test]
fn a_table_that_cannot_be_had_does_no_harm() {
    let mut engine = Engine::with(&["setoption name Hash value 999999999"]);
    engine.sync();
    engine.send("setoption name Hash value 32");
    engine.sync();
    engine.send("position startpos");
    assert_legal(START, &[], engine.search("go depth 3").best());
}

#[test]
fn tables_and_threads_change_between_searches() {
    let mut engine = Engine::with(&[
        "setoption name Threads value 3",
        "setoption name Hash value 1",
        "position startpos",
        "go infinite",
    ]);
    engine.read_for(ms(300));
    engine.send("stop");
    assert_legal(START, &[], engine.answer().best());
    engine.send_all(&["setoption name Hash value 64", "setoption name Threads value 1"]);
    assert_legal(START, &[], engine.search("go depth 4").best());
}

#[test]
fn time_counts_from_go() {
    let mut engine = Engine::with(&["position startpos", "go infinite", "stop"]);
    engine.answer();
    engine.read_for(ms(500));
    let start = Instant::now();
    engine.search("go movetime 1000");
    let time = start.elapsed();
    assert!(ms(800) < time && time < ms(1300), "{time:?}");
}

#[test]
fn any_white_space_will_do() {
    let engine = Engine::with(&["  position\tstartpos   moves  e2e4 \t e7e5  ", "go   depth\t1\r"]);
    assert_legal(START, &["e2e4", "e7e5"], engine.answer().best());
}

#[test]
fn unknown_words_are_skipped() {
    let mut engine = Engine::with(&["joho debug on", "joho isready"]);
    assert_eq!(engine.read_until("readyok"), ["readyok"]);
    engine.send("xyzzy");
    assert_eq!(engine.sync().len(), 1, "debug is on");
}

#[test]
fn a_very_long_game_is_followed() {
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(150);
    let mut engine = Engine::with(&[&format!("position startpos moves{shuffle}")]);
    assert_legal(START, &[], engine.search("go depth 1").best());
}

#[test]
fn every_line_is_of_the_protocol() {
    let mut engine = Engine::with(&["position startpos"]);
    let mut lines = engine.search("go depth 1").lines;
    lines.extend(engine.quit());
    for line in lines {
        assert!(line.starts_with("info ") || line.starts_with("bestmove "), "{line:?}");
    }
}

/// FENs that must be refused: the position before them stays.
#[test]
fn broken_fens_are_refused() {
    for fen in [
        "8/pp5p/kqp5/2P1Br2/5Pb1/P1NQ4/1P4PP/2K2BbR w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
        "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR r KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQXq - 0 1",
    ] {
        let mut engine = Engine::with(&[&format!("position fen {fen}")]);
        let said = engine.sync();
        assert!(said.len() == 1 && said[0].starts_with("info string "), "{fen}: {said:?}");
        assert_legal(START, &[], engine.search("go depth 2").best());
    }
}

/// FENs that may be refused or taken with what is wrong in them dropped; moves must be legal in
/// the position as it is then.
#[test]
fn doubtful_fens_are_survived() {
    for (fen, sane) in [
        (
            "3qk1nb/1p3p2/p1r1p1p1/3p4/3P4/2N1BP2/PPPQ1P2/R3K3 w Qk - 0 15",
            "3qk1nb/1p3p2/p1r1p1p1/3p4/3P4/2N1BP2/PPPQ1P2/R3K3 w Q - 0 15",
        ),
        (
            "2r5/5p1k/p4b2/2Rp1pr1/1Pn1q3/2P3PP/P4P2/2RQ2K1 b KQkq - 0 1",
            "2r5/5p1k/p4b2/2Rp1pr1/1Pn1q3/2P3PP/P4P2/2RQ2K1 b - - 0 1",
        ),
        (
            "rnk2bnr/p3p2p/5p2/1BQP2pP/3PP3/5PB1/PP5P/RN2K1NR w",
            "rnk2bnr/p3p2p/5p2/1BQP2pP/3PP3/5PB1/PP5P/RN2K1NR w - - 0 1",
        ),
        (
            "rnk2bnr/p3p2p/5p2/1BQP2pP/3PP3/5PB1/PP5P/RN2K1NR b",
            "rnk2bnr/p3p2p/5p2/1BQP2pP/3PP3/5PB1/PP5P/RN2K1NR b - - 0 1",
        ),
        (
            "rnbqkb1r/ppp3pp/3p1n2/3P4/8/2P5/PP3PPP/RNBQKB1R w KQkq e6",
            "rnbqkb1r/ppp3pp/3p1n2/3P4/8/2P5/PP3PPP/RNBQKB1R w KQkq - 0 1",
        ),
        (
            "rnbqkbnr/pppp2pp/5p2/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e5 0 1",
            "rnbqkbnr/pppp2pp/5p2/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "1q2B2q/2q1B1q1/3qkq2/qrr1rRRQ/3QKQ2/2Q3Q1/1Q2n2Q/Q3n3 w - - 10",
            "1q2B2q/2q1B1q1/3qkq2/qrr1rRRQ/3QKQ2/2Q3Q1/1Q2n2Q/Q3n3 w - - 10 1",
        ),
        (
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        ),
    ] {
        let mut engine = Engine::with(&[&format!("position fen {fen}")]);
        let refused = !engine.sync().is_empty();
        let answer = engine.search("go nodes 1000");
        let on_board = if refused { START } else { sane };
        assert_legal(on_board, &[], answer.best());
        assert!(!answer.pv().is_empty());
        if !refused {
            engine.send("d");
            let shown = engine.read_until("Checkers");
            let shown = shown.iter().find_map(|line| line.strip_prefix("Fen: ")).unwrap();
            assert_eq!(shown, fen_of(&try_board(sane).unwrap()));
        }
        engine.quit();
    }
}

/// Checks that no game can lead to: if they are taken, moves out of them must still be legal.
#[test]
fn impossible_checks_are_survived() {
    for fen in [
        "2Nq4/2K5/1b6/8/7R/3k4/7P/8 w - - 0 1",
        "5R2/2P5/8/4k3/8/3rK2r/8/8 w - - 0 1",
        "2N5/8/1B1R4/q7/1K6/8/3b4/5k2 w - - 0 1",
        "rnbqk1nr/bb3p1p/1q2r3/2pPp3/3P4/7P/1PP1NpPP/R1BQKBNR w KQkq c6 0 1",
    ] {
        let mut engine = Engine::with(&[&format!("position fen {fen}")]);
        let refused = !engine.sync().is_empty();
        let best = engine.search("go depth 4").best().to_owned();
        if refused {
            assert_legal(START, &[], &best);
        } else {
            let position = crate::host::lenient_board(fen);
            assert!(crate::host::is_legal(&position, &best), "{best} in {fen}");
        }
        engine.sync();
        engine.quit();
    }
}

/// Positions and moves after which the board must be as given.
#[test]
fn boards_after_moves() {
    for (fen, mv, after) in [
        (
            "b3k2r/5p2/4p3/1p5p/6p1/2PR2P1/BP3qNP/6QK b k - 2 28",
            "a8g2",
            "4k2r/5p2/4p3/1p5p/6p1/2PR2P1/BP3qbP/6QK w k - 0 29",
        ),
        (
            "rnbqk1nr/ppp1ppb1/6p1/3p4/8/2N5/PPPPPPP1/R1BQKBNR w KQkq - 0 5",
            "h1h8",
            "rnbqk1nR/ppp1ppb1/6p1/3p4/8/2N5/PPPPPPP1/R1BQKBN1 b Qq - 0 5",
        ),
        ("rn2k3/1P6/8/8/8/8/8/4K3 w q - 0 1", "b7a8q", "Qn2k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 40 60",
            "a1b1",
            "r3k2r/8/8/8/8/8/8/1R2K2R b Kkq - 41 60",
        ),
    ] {
        let engine = Engine::with(&[&format!("position fen {fen} moves {mv}"), "d"]);
        let shown = engine.read_until("Checkers");
        assert!(shown.contains(&format!("Fen: {after}")), "{shown:#?}");
    }
}

/// Captures en passant that are not legal, and moves that are the only ones.
#[test]
fn illegal_captures_en_passant_are_refused() {
    for (fen, illegal) in [
        ("q6k/8/8/3pP3/8/8/8/7K w - d6 0 1", "e5d6"),
        ("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", "d5e6"),
        ("2r5/1K6/P1B5/8/4pPpp/8/3R2kP/8 b - f3 0 1", "e4f3"),
    ] {
        let mut engine = Engine::with(&[&format!("position fen {fen} moves {illegal}")]);
        assert_eq!(engine.sync().len(), 1, "{fen}");
    }
}
