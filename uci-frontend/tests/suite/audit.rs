//! Finished games read and ruled on.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Runs the audit over text on standard input.
fn audit(pgn: &[u8], arguments: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_themis"))
        .args(["audit", "-"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().unwrap().write_all(pgn).expect("the program reads");
    child.wait_with_output().unwrap()
}

/// The reports on all games, without the summary.
fn reports(pgn: &[u8]) -> Vec<Value> {
    reports_with(pgn, &[])
}

fn reports_with(pgn: &[u8], arguments: &[&str]) -> Vec<Value> {
    let output = audit(pgn, &[&["--json"], arguments].concat());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let summary = lines.pop().expect("a summary");
    assert_eq!(summary["summary"]["games"].as_u64(), Some(lines.len() as u64));
    let differ = lines.iter().any(|line| line["class"] == "differs");
    assert_eq!(output.status.code(), Some(i32::from(differ)), "{text}");
    lines
}

fn report(pgn: &str) -> Value {
    let mut reports = reports(pgn.as_bytes());
    assert_eq!(reports.len(), 1, "{reports:#?}");
    reports.remove(0)
}

/// A game with the seven tags.
fn game(result: &str, moves: &str) -> String {
    format!(
        "[Event \"t\"]\n[Site \"?\"]\n[Date \"2024.01.01\"]\n[Round \"1\"]\n[White \"A\"]\n\
         [Black \"B\"]\n[Result \"{result}\"]\n\n{moves} {result}\n"
    )
}

/// A game that ends in a position, with the words of its end.
fn ended(fen: &str, result: &str, termination: &str) -> Value {
    report(&format!(
        "[FEN \"{fen}\"]\n[SetUp \"1\"]\n[Termination \"{termination}\"]\n[Result \"{result}\"]\n\n{result}\n"
    ))
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().map_or(Vec::new(), |list| list.iter().filter_map(Value::as_str).collect())
}

#[test]
fn games_are_read_as_they_are_found() {
    let cases = [
        // Comments with signs of all kinds, semicolons, percent signs at a line's start.
        (game("*", "1. e4 {50\n% of all games} e5"), 2),
        (game("*", "1. e4 ; best by test (1. d4) {x\n1... e5 2. Nf3"), 3),
        (game("*", "1. e4 (1. d4 d5 $13) 1... e5$1"), 2),
        (game("*", "1. e4 Nf6 2. e5 d5 3. exd6 e.p."), 5),
        (game("*", "1. e4 Nf6 2. e5 d5 3. exd6e.p."), 5),
        (game("*", "1.e2e4 e7-e5 2.Ng1-f3"), 3),
        (
            "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4p3/4K3 b - - 0 4\"]\n[Result \"*\"]\n\n\
             {before the first move} 4... Kd7 5. Kxe2 *\n"
                .to_owned(),
            2,
        ),
        (
            "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4p3/4K3 b - - 0 1\"]\n[Result \"*\"]\n\n1. ... Kd7 *\n"
                .to_owned(),
            1,
        ),
        (
            "[SetUp \"1\"]\n[FEN \"8/7Q/2r1p3/2rkr3/2rrr2Q/7K/8/8 w - - 0 1\"]\n[Result \"*\"]\n\n\
             1. Qd8+ Rd6 2. Qb7+ Rcc6 *\n"
                .to_owned(),
            4,
        ),
    ];
    for (pgn, plies) in cases {
        let report = report(&pgn);
        assert_eq!(report["plies"], plies, "{pgn}\n{report:#}");
        assert!(report.get("problem").is_none(), "{report:#}");
    }
    let mate = report(&game("1-0", "1. e4 f5 2. d4 g5 {a comment 1-0\n[%cal Ge7b7]} 3. Qh5#"));
    assert_eq!((&mate["plies"], &mate["ruled"]["reason"]), (&5.into(), &"checkmate".into()));
}

#[test]
fn tags_are_read_as_they_are_found() {
    let bom = [b"\xef\xbb\xbf", game("*", "1. e4").as_bytes()].concat();
    assert_eq!(reports(&bom)[0]["tags"]["Event"], "t");
    let brackets = report("[White \"A\"]\n[Black \"[=0040.34h5a4]\"]\n[Result \"*\"]\n\n1. e4 *\n");
    assert_eq!(brackets["tags"]["Black"], "[=0040.34h5a4]");
    let quotes =
        report("[Event \"5th \"X Y\" Open\"]\n[White \"A\"]\n[Result \"1-0\"]\n\n1. b4 e5 1-0\n");
    assert_eq!((&quotes["plies"], &quotes["tags"]["White"]), (&2.into(), &"A".into()));
    assert_eq!(quotes["tags"]["Event"], "5th \"X Y\" Open");
    assert_eq!(texts(&quotes["warnings"]), ["unescaped quote in tag Event"]);
    let escaped = report("[Event \"Let\\\\'s Play!\"]\n[Result \"*\"]\n\n1. e4 *\n");
    assert_eq!(escaped["tags"]["Event"], "Let\\'s Play!");
}

#[test]
fn games_are_told_apart() {
    let empty = game("*", "").replace("\n\n *", "\n *");
    let cases: [(Vec<u8>, Vec<u64>); 8] = [
        (format!("{empty}\n{empty}").into_bytes(), vec![0, 0]),
        (format!("{}\n\n\n{}", game("*", "").replace(" *\n", ""), game("1-0", "1. e4 e5")).into(), vec![0, 2]),
        (
            b"[Event \"t\"]\n\n[Date \"2017.12.04\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. e4 e5 0-1\n".to_vec(),
            vec![2],
        ),
        (format!("{}{}", game("*", "").trim_end().to_owned() + "\n", game("*", "")).into(), vec![0, 0]),
        (
            b"[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n".to_vec(),
            vec![0, 0],
        ),
        (b"1. e4 Nf6 2. e5 Nd5 3. d4 d6\n".to_vec(), vec![6]),
        (game("*", "1. e4 e5 2. Nf3").replace('\n', "\r").into(), vec![3]),
        (b"\n \n".to_vec(), vec![]),
    ];
    for (pgn, plies) in cases {
        let reports = reports(&pgn);
        let found: Vec<_> =
            reports.iter().map(|report| report["plies"].as_u64().unwrap()).collect();
        assert_eq!(found, plies, "{}", String::from_utf8_lossy(&pgn));
    }
    let bare = report("1. e4 Nf6 2. e5 Nd5 3. d4 d6\n");
    assert_eq!(texts(&bare["warnings"]), ["no tags", "no result marker"]);
    let blank = report("[Event \"t\"]\n\n[Result \"0-1\"]\n\n1. e4 e5 0-1\n");
    assert_eq!(texts(&blank["warnings"]), ["blank line inside the tag section"]);
}

#[test]
fn nested_variations_are_no_matter_of_depth() {
    for depth in [60, 10_000] {
        let moves = format!("1. e4 {}{} e5", "(1. d4 ".repeat(depth), ")".repeat(depth));
        assert_eq!(report(&game("*", &moves))["plies"], 2);
    }
}

#[test]
fn clocks_are_read() {
    let report = report(&game(
        "*",
        "1. e4 {[%clk 0:00:45.6]} e5 {[%clk 00:01:00]} 2. Nf3 {[%emt 0.01]} {[%clk 0:1:5]} Nc6 {[%clk 1:30:00]}",
    ));
    let clocks = &report["clk_s"];
    assert_eq!((&clocks["1"], &clocks["2"]), (&45.6.into(), &60.0.into()));
    assert_eq!((&clocks["3"], &clocks["4"]), (&65.0.into(), &5400.0.into()));
    assert_eq!(report["emt_s"]["3"], 0.01);
    let board = self::report(&game(
        "*",
        "1. e4 {[%clk 00:59:44]} {[%emt 00:00:16]} d6 {[%emt 00:00:35]} 2. d4 {[%clk\n00:59:26]}",
    ));
    assert_eq!((&board["clk_s"]["1"], &board["clk_s"]["3"]), (&3584.0.into(), &3566.0.into()));
    let ambiguous = self::report(&game("*", "1. e4 {[%clk 1:03]} e5 {[%clk 1:03.333]}"));
    assert_eq!(texts(&ambiguous["warnings"]).len(), 2);
    assert!(ambiguous.get("clk_s").is_none());
}

#[test]
fn moves_that_are_none_are_found() {
    let promotion =
        "[SetUp \"1\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n[Result \"*\"]\n\n1. a8 Kg7 *\n";
    for (pgn, plies, problem) in [
        (promotion.to_owned(), 0, "promotion piece missing in a8 at ply 1"),
        (game("*", "1. Nf3 d6 2. d3 Nd7 3. e3 Nf6"), 5, "ambiguous SAN Nf6 (Ndf6 / Ngf6) at ply 6"),
        (game("*", "1. e4 Z0 2. d4"), 1, "null move Z0 at ply 2"),
        (game("1/2-1/2", "1. e4 e5 2. Nf3 -- 3. Bc4"), 3, "null move -- at ply 4"),
        (game("1-0", "1. e4 e7e3 {illegal}"), 1, "illegal move e7e3 at ply 2"),
        (game("1-0", "1. e4 e5 2. Bishop"), 2, "unreadable move Bishop at ply 3"),
        (game("0-1", "1. f3 e5 2. g4 Qh4# 3. a3"), 4, "move a3 after the end of the game at ply 5"),
    ] {
        let report = report(&pgn);
        assert_eq!(report["class"], "differs");
        assert_eq!((&report["plies"], &report["problem"]), (&plies.into(), &problem.into()));
    }
}

#[test]
fn signs_are_checked_softly() {
    let over = report(
        "[SetUp \"1\"]\n[FEN \"1r5k/6p1/3p3p/8/8/4bQ2/2R3PP/2KRq3 w - - 6 44\"]\n[Result \"*\"]\n\n1. Rcd2 *\n",
    );
    assert_eq!(over["plies"], 1);
    assert_eq!(texts(&over["warnings"]), ["over-disambiguation at ply 1: Rcd2, enough is Rd2"]);
    let glyphs = report(&game("*", "1. e4 e5 2. Ke2? ± {MISTAKE} Nc6 ∓"));
    assert_eq!(glyphs["plies"], 4);
    assert_eq!(texts(&glyphs["warnings"]), ["unknown glyph x2"]);
}

#[test]
fn results_against_the_board_differ() {
    let zeros = report("[Result \"0-0\"]\n\n1. f3 e5 2. g4 Qh4# 0-0\n");
    assert_eq!((&zeros["class"], &zeros["ruled"]["result"]), (&"differs".into(), &"0-1".into()));
    assert_eq!(zeros["problem"], "0-0 is no PGN result");
    let wrong = report(&game("0-1", "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#"));
    assert_eq!((&wrong["class"], &wrong["ruled"]["result"]), (&"differs".into(), &"1-0".into()));
    assert_eq!(wrong["ruled"]["article"], "5.1.1");
    let open = report(&game("*", "1. f3 e5 2. g4 Qh4"));
    assert_eq!((&open["class"], &open["ruled"]["result"]), (&"differs".into(), &"0-1".into()));
    assert_eq!(texts(&open["warnings"]), ["missing # at ply 4"]);
}

#[test]
fn flag_falls_are_judged_by_the_power_to_mate() {
    for (fen, recorded, ruled, article) in [
        // The opponent can mate, with help: the flag loses.
        ("8/8/8/4k3/4p3/4N3/4K3/8 b - - 0 1", "1-0", "1-0", "6.9"),
        ("8/8/8/3k4/8/8/3NN3/4K3 b - - 0 1", "1-0", "1-0", "6.9"),
        // A bare king, a knight against a queen: a draw, whatever the runner wrote.
        ("8/8/3rk3/8/8/2K5/8/8 b - - 0 1", "1-0", "1/2-1/2", "6.9"),
        ("8/8/8/3k4/8/2q5/4K3/6N1 b - - 0 1", "1-0", "1/2-1/2", "6.9"),
        // A site that draws where the Laws do not.
        ("8/8/8/3k4/8/8/3NN3/4K3 b - - 0 1", "1/2-1/2", "1-0", "6.9"),
    ] {
        let report = ended(fen, recorded, "Time forfeit");
        assert_eq!(report["ruled"]["result"], ruled, "{fen} {report:#}");
        assert_eq!(report["ruled"]["article"], article, "{fen}");
        assert_eq!(report["class"] == "differs", recorded != ruled, "{fen}");
    }
    let gone = ended("8/8/3rk3/8/8/2K5/8/8 b - - 0 1", "1-0", "abandoned");
    assert_eq!(gone["ruled"]["result"], "1/2-1/2");
    let illegal = ended("8/8/3rk3/8/8/2K5/8/8 b - - 0 1", "1-0", "illegal move");
    assert_eq!(illegal["ruled"]["result"], "1/2-1/2", "{illegal:#}");
    let illegal = ended("8/8/3rk3/8/8/2K4Q/8/8 b - - 0 1", "1-0", "illegal move");
    assert_eq!(illegal["class"], "agrees", "{illegal:#}");
}

#[test]
fn play_after_the_end_is_found() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(4);
    let five = report(&game("1-0", &format!("{shuffle} e4 e5")));
    assert_eq!((&five["class"], &five["ruled"]["result"]), (&"differs".into(), &"1/2-1/2".into()));
    assert_eq!((&five["ruled"]["article"], &five["ruled"]["ply"]), (&"9.6.1".into(), &16.into()));
    let same = report(&game("1/2-1/2", &format!("{shuffle} e4 e5")));
    assert_eq!(same["class"], "agrees");
    assert_eq!(texts(&same["remarks"]), ["2 more plies were played"]);
    let quiet = report(
        "[FEN \"7k/5K2/8/8/8/8/8/6Q1 w - - 148 120\"]\n[Result \"1-0\"]\n\n1. Qg2 Kh7 2. Qg3 Kh8 3. Qg7# 1-0\n",
    );
    assert_eq!((&quiet["ruled"]["article"], &quiet["ruled"]["ply"]), (&"9.6.2".into(), &2.into()));
    assert_eq!(quiet["class"], "differs");
    let dead = report(
        "[FEN \"8/8/8/4k3/8/8/3pK3/8 w - - 0 1\"]\n[Result \"1-0\"]\n\n1. Kxd2 Kd5 2. Kd3 Ke5 1-0\n",
    );
    assert_eq!((&dead["ruled"]["article"], &dead["ruled"]["ply"]), (&"5.2.2".into(), &1.into()));
    let wall = report(
        "[FEN \"4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1\"]\n[Result \"1/2-1/2\"]\n\n1. Kd1 Kd8 1/2-1/2\n",
    );
    assert_eq!((&wall["class"], &wall["ruled"]["ply"]), (&"agrees".into(), &0.into()));
}

#[test]
fn mate_comes_before_seventy_five_moves() {
    let mate =
        report("[FEN \"7k/5K2/8/8/8/8/8/6Q1 w - - 149 120\"]\n[Result \"1-0\"]\n\n1. Qg7# 1-0\n");
    assert_eq!((&mate["class"], &mate["ruled"]["reason"]), (&"agrees".into(), &"checkmate".into()));
}

#[test]
fn claims_are_heard() {
    let twice = "1. Nf3 Nf6 2. Ng1 Ng8 ";
    let thrice = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 ";
    let claimed =
        |moves: &str, words: &str| report(&game("1/2-1/2", &format!("{moves} {{{words}}}")));
    let right = claimed(thrice, "Draw by 3-fold repetition");
    assert_eq!(
        (&right["class"], &right["ruled"]["reason"]),
        (&"agrees".into(), &"threefold_claim".into())
    );
    let intended =
        claimed("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1", "Draw by threefold repetition");
    assert_eq!(intended["class"], "agrees", "{intended:#}");
    let wrong = claimed(twice, "Draw by 3-fold repetition");
    assert_eq!(
        (&wrong["class"], &wrong["problem"]),
        (&"differs".into(), &"the claim is wrong".into())
    );
    assert_eq!(wrong["ruled"]["result"], "*");
    let fifty = ended("7k/5K2/8/8/8/8/8/6Q1 b - - 100 120", "1/2-1/2", "Draw by fifty moves rule");
    assert_eq!(
        (&fifty["class"], &fifty["ruled"]["reason"]),
        (&"agrees".into(), &"fifty_moves_claim".into())
    );
    let early = ended("7k/5K2/8/8/8/8/8/6Q1 b - - 50 120", "1/2-1/2", "Draw by fifty moves rule");
    assert_eq!(early["class"], "differs");
    let material = ended(
        "8/8/4K3/8/1n6/8/5k1N/8 w - - 0 50",
        "1/2-1/2",
        "Draw by insufficient mating material",
    );
    assert_eq!(
        (&material["class"], &material["problem"]),
        (&"differs".into(), &"a mate is still possible".into())
    );
}

#[test]
fn ordinary_ends_agree() {
    for (result, termination, reason) in [
        ("1-0", "Normal", Some("resignation")),
        ("0-1", "alice won by resignation", Some("resignation")),
        ("1/2-1/2", "Normal", Some("agreement")),
        ("1-0", "adjudication", None),
        ("*", "Unterminated", None),
    ] {
        let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        let report = ended(fen, result, termination);
        let class = if result == "*" { "unfinished" } else { "agrees" };
        assert_eq!(report["class"], class, "{report:#}");
        assert_eq!(report["ruled"]["reason"].as_str(), reason, "{report:#}");
    }
}

#[test]
fn editions_differ() {
    let pgn = "[FEN \"8/8/3rk3/8/8/2K5/8/8 b - - 0 1\"]\n[Result \"1-0\"]\n\n1-0\n";
    let report = |edition| reports_with(pgn.as_bytes(), &["--edition", edition]).remove(0);
    assert_eq!(report("2018")["class"], "agrees");
    // Since 2023 a player who resigns loses nothing to an opponent who cannot mate.
    let new = report("2023");
    assert_eq!((&new["class"], &new["ruled"]["result"]), (&"differs".into(), &"1/2-1/2".into()));
}

#[test]
fn what_is_not_chess_is_skipped() {
    let variant = report("[Variant \"Atomic\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n");
    assert_eq!(variant["class"], "skipped");
    for fen in ["8/8/8/8/8/8/8/8 w - - 0 1", "nonsense", "4k3/8/8/8/8/8/8/4K3 x - - 0 1"] {
        let report = report(&format!("[FEN \"{fen}\"]\n[Result \"1-0\"]\n\n1-0\n"));
        assert_eq!(report["class"], "skipped", "{report:#}");
    }
}

#[test]
fn compressed_files_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let text = game("0-1", "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#");
    let plain = folder.path().join("a.pgn");
    std::fs::write(&plain, &text).unwrap();
    let gz = folder.path().join("b.pgn.gz");
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    let whole = encoder.finish().unwrap();
    std::fs::write(&gz, &whole).unwrap();
    let zst = folder.path().join("c.pgn.zst");
    std::fs::write(&zst, zstd::encode_all(text.as_bytes(), 1).unwrap()).unwrap();
    let run = |files: &[&std::path::Path]| {
        Command::new(env!("CARGO_BIN_EXE_themis")).arg("audit").args(files).output().unwrap()
    };
    let output = run(&[&plain, &gz, &zst]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), text.matches("DIFFERS").count()), (Some(1), 3), "{text}");
    assert!(
        text.lines().last().unwrap().starts_with("3 games, 21 plies: 0 agree, 3 differ"),
        "{text}"
    );
    // A file that breaks off is an error that names it; what could be read, and the other files,
    // are reported.
    std::fs::write(&gz, &whole[..whole.len() - 9]).unwrap();
    let output = run(&[&gz, &plain]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(error.lines().count() == 1 && error.contains("b.pgn.gz"), "{error}");
    assert_eq!(String::from_utf8(output.stdout).unwrap().matches("a.pgn:1").count(), 1);
}

#[test]
fn a_missing_file_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("a.pgn");
    std::fs::write(&plain, game("0-1", "1. f3 e5 2. g4 Qh4#")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_themis"))
        .args(["audit", "/no/such/file.pgn"])
        .arg(&plain)
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 games, 4 plies: 1 agree"));
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(error.lines().count() == 1 && error.contains("/no/such/file.pgn"), "{error}");
}

/// Text of all kinds, cut and mixed at random: never a failure, always a summary.
#[test]
fn mangled_files_are_survived() {
    let seeds = [
        game("1-0", "1. e4 {[%clk 0:00:45.6]} e5 (1... c5 $1) 2. Nf3! Nc6 ; rest\n3. Bb5"),
        game("1/2-1/2", "1. d4 d5 2. c4 -- 3. Z0"),
        "[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. O-O-O Ke7 2. Rd1-d5 *".to_owned(),
    ];
    let mut state = 1_u64;
    let mut next = |bound: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let mut pgn = Vec::new();
    for _ in 0..1500 {
        let mut text = seeds[next(seeds.len())].clone().into_bytes();
        for _ in 0..next(6) {
            let at = next(text.len());
            match next(4) {
                0 => text.truncate(at.max(1)),
                1 => text[at] = next(256) as u8,
                2 => text.insert(at, b"{}()[]\";%$\n\r \0"[next(14)]),
                _ => {
                    text.remove(at);
                    text.push(b'x');
                }
            }
        }
        pgn.extend(text);
        pgn.extend([&b"\n\n"[..], b"\n", b""][next(3)]);
    }
    let output = audit(&pgn, &["--json"]);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{:?}", output.status);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("defect"), "{text}");
    assert!(text.lines().last().unwrap().contains("summary"));
}

#[test]
fn fivefold_in_a_row_comes_later_where_2014_asks_for_it() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ";
    let moves =
        [&shuffle.repeat(2), "Nc3 Nc6 Nf3 Nf6 Ng1 Ng8 Nb1 Nb8 ", &shuffle.repeat(5)].concat();
    for (edition, ply) in [("2014", 32), ("2018", 20)] {
        let report =
            reports_with(game("1-0", &moves).as_bytes(), &["--edition", edition]).remove(0);
        assert_eq!((&report["class"], &report["ruled"]["ply"]), (&"differs".into(), &ply.into()));
    }
}

#[test]
fn a_draw_that_could_not_be_agreed() {
    for moves in ["", "1. e4"] {
        let report = report(&game("1/2-1/2", moves));
        assert_eq!(report["class"], "differs", "{report:#}");
        let early = reports_with(game("1/2-1/2", moves).as_bytes(), &["--edition", "2014"]);
        assert_eq!(early[0]["class"], "agrees", "2014 has no such rule");
    }
}

#[test]
fn a_comment_before_the_last_move_ends_nothing() {
    let report = report(&game("1-0", "1. e4 e5 {a checkmate is far} 2. Nf3 Nc6"));
    assert_eq!(
        (&report["class"], &report["ruled"]["reason"]),
        (&"agrees".into(), &"resignation".into())
    );
}

#[test]
fn a_variation_without_end_is_told() {
    let report = report("[Result \"*\"]\n\n1. e4 e5 (1... c5 *\n");
    assert!(texts(&report["warnings"]).contains(&"variation without end"), "{report:#}");
}

#[test]
fn chess960_has_many_names() {
    for name in ["Fischer Random", "Chess960", "chess-960", "fischerandom"] {
        let report = report(&format!("[Variant \"{name}\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n"));
        assert_eq!(report["class"], "agrees", "{report:#}");
    }
}

#[test]
fn a_start_after_seventy_five_quiet_moves_is_a_draw() {
    let report =
        report("[FEN \"7k/5K2/8/8/8/8/8/6Q1 w - - 150 120\"]\n[Result \"1-0\"]\n\n1. Qg7# 1-0\n");
    assert_eq!(
        (&report["ruled"]["article"], &report["ruled"]["ply"]),
        (&"9.6.2".into(), &0.into())
    );
}

/// A text that names the loser is heard, against the result too; a name is no word of it.
#[test]
fn what_the_text_says_is_set_beside_the_result() {
    let game = |result: &str, tags: &str, end: &str| {
        format!("{tags}\n[Result \"{result}\"]\n\n1. e4 e5 2. Nf3 {end} {result}\n")
    };
    let players = "[White \"Timeout Tom\"]\n[Black \"bob\"]";
    for (pgn, class, said) in [
        (game("1-0", players, "{White resigns}"), "differs", "the text says that White lost"),
        (game("1/2-1/2", players, "{Black loses on time}"), "differs", "flag_fall"),
        (game("1-0", players, "{Black loses on time}"), "agrees", "flag_fall"),
        (
            game(
                "1-0",
                "[White \"Timeout Tom\"]\n[Termination \"Timeout Tom won by resignation\"]",
                "",
            ),
            "agrees",
            "resignation",
        ),
        (
            game("1/2-1/2", "[Termination \"rules infraction\"]", ""),
            "differs",
            "second_illegal_move",
        ),
        // Said of a move before the last, it ends nothing.
        (
            "[Result \"1-0\"]\n\n1. e4 {White loses on time} e5 1-0\n".into(),
            "agrees",
            "resignation",
        ),
    ] {
        let output = audit(pgn.as_bytes(), &["--json"]);
        let text = String::from_utf8(output.stdout).unwrap();
        let report: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(report["class"], class, "{pgn}{text}");
        assert!(text.contains(said), "{pgn}{text}");
    }
}
