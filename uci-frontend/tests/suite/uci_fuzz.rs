//! Random input, the same in each run.

use std::time::Duration;

use crate::host::{Engine, START, assert_legal};

/// A small generator of numbers (xorshift64*), so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 32) as usize % bound
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

/// After anything, an engine that is not told to quit answers and plays legal moves.
fn assert_alive(engine: &mut Engine, seed: u64) {
    engine.send_bytes(
        b"\nstop\nsetoption name UCI_Chess960 value false\nposition startpos\nisready\n",
    );
    engine.read_until("readyok");
    while engine.line_within(Duration::from_millis(30)).is_some() {}
    let answer = engine.search("go depth 2");
    assert_legal(START, &[], answer.best());
    let _ = seed;
}

#[test]
fn random_bytes_are_survived() {
    for seed in 1..=20 {
        let mut random = Random(seed);
        let mut bytes: Vec<u8> = (0..4096).map(|_| random.next() as u8).collect();
        // A line break now and then, so that there are lines.
        for _ in 0..100 {
            let at = random.below(bytes.len());
            bytes[at] = b'\n';
        }
        let mut engine = Engine::start();
        engine.send_bytes(&bytes);
        assert_alive(&mut engine, seed);
        engine.quit();
    }
}

const WORDS: [&str; 57] = [
    "uci",
    "isready",
    "ucinewgame",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "depth",
    "1",
    "2",
    "3",
    "nodes",
    "movetime",
    "infinite",
    "ponder",
    "ponderhit",
    "stop",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "searchmoves",
    "mate",
    "perft",
    "setoption",
    "name",
    "value",
    "Hash",
    "Threads",
    "MultiPV",
    "UCI_Chess960",
    "true",
    "false",
    "<empty>",
    "debug",
    "on",
    "off",
    "register",
    "later",
    "e2e4",
    "e7e5",
    "e1g1",
    "0000",
    "a7a8q",
    "-1",
    "99999999999999999999",
    "0",
    "1.5",
    "d",
    "eval",
    "8/8/8/8/8/8/8/8",
    "4k3/8/8/8/8/8/4P3/4K3",
    "w",
    "-",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
];

#[test]
fn random_sentences_are_survived() {
    for seed in 1..=12 {
        let mut random = Random(seed);
        let mut engine = Engine::start();
        for _ in 0..150 {
            let first = random.pick(&[
                "position",
                "go",
                "setoption",
                "",
                "",
                "stop",
                "position startpos moves",
            ]);
            let count = random.below(8);
            let mut line = first.to_owned();
            for _ in 0..count {
                let mut word = random.pick(&WORDS);
                // A deep count or many threads would take long, not fail.
                if word.len() > 15 && !word.contains('/') && random.below(4) > 0 {
                    word = "7";
                }
                line += random.pick(&[" ", "  ", "\t", " "]);
                line += word;
            }
            if line.contains("Threads") || line.contains("Hash") {
                continue;
            }
            line += random.pick(&["", " ", "\r", "\t\r"]);
            engine.send(&line);
        }
        assert_alive(&mut engine, seed);
        engine.quit();
    }
}

#[test]
fn a_flood_without_line_ends_is_survived() {
    let mut engine = Engine::start();
    engine.send_bytes(&vec![b'x'; 6 << 20]);
    engine.send_bytes(b"\n");
    assert_eq!(engine.sync().len(), 1);
    assert_alive(&mut engine, 0);
    engine.quit();
}

#[test]
fn mangled_fens_are_survived() {
    let fens = [
        START,
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "8/8/8/3pP3/8/8/8/K6k w - d6 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    ];
    let letters = "pnbrqkPNBRQK12345678/ wb-KQkqAHahe36 0";
    let letters: Vec<&str> = letters.split_inclusive(|_: char| true).collect();
    let mut random = Random(7);
    let mut engine = Engine::start();
    for _ in 0..400 {
        let mut fen = random.pick(&fens).to_owned();
        for _ in 0..=random.below(4) {
            let at = random.below(fen.len());
            let end = at + random.below(2);
            fen.replace_range(at..end.min(fen.len()), random.pick(&letters));
        }
        engine.send(&format!("position fen {fen}"));
        let refused = !engine.sync().is_empty();
        let answer = engine.search("go depth 1");
        // What is taken must be played legally, where shakmaty takes it too.
        if !refused && !answer.is_none() && crate::host::try_board(&fen).is_some() {
            assert_legal(&fen, &[], answer.best());
        }
    }
    assert_alive(&mut engine, 7);
    engine.quit();
}
