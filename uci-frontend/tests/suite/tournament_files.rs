//! The files that the tournament runner reads and writes: openings, engines, tablebases, whole
//! configurations, reports.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::tournament::{engine, games_of, play_in, scripted, themis};

/// Plays two scripted engines with these options in `dir`; the program must succeed.
fn play_two(dir: &Path, options: &str) -> String {
    let output = run_two(dir, &format!("-each nodes=1 -maxmoves 1 {options}"));
    assert!(output.status.success(), "{options}: {}", String::from_utf8_lossy(&output.stderr));
    std::fs::read_to_string(dir.join("out.pgn")).expect("a PGN file")
}

fn run_two(dir: &Path, options: &str) -> Output {
    let words = [engine("A", "good"), engine("B", "good")].concat();
    let files = "-pgnout file=out.pgn append=false notation=uci min -journal j";
    let words: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .chain(options.split_whitespace())
        .chain(files.split(' '))
        .collect();
    themis(dir, &words).output().expect("the program runs")
}

/// The movetexts of a PGN file, one for each pair of games.
fn movetexts(pgn: &str) -> Vec<&str> {
    pgn.lines().filter(|line| line.starts_with("1. ")).step_by(2).collect()
}

/// A polyglot book of these entries: key of the position, move, weight.
fn polyglot(entries: &[(u64, &str, u16)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (key, uci, weight) in entries {
        let at = |index: usize, base: u8| u16::from(uci.as_bytes()[index] - base);
        let code = at(2, b'a') | at(3, b'1') << 3 | at(0, b'a') << 6 | at(1, b'1') << 9;
        bytes.extend(key.to_be_bytes());
        bytes.extend(code.to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
    }
    bytes
}

/// The keys are those that the format publishes for these positions.
#[test]
fn polyglot_books_give_lines_heaviest_first() {
    const START: u64 = 0x463b_9618_1691_fc9c;
    let book = polyglot(&[
        (START, "g1f3", 1),
        (START, "e2e4", 5),
        (0x823c_9b50_fd11_4196, "a7a6", 1),
        (0x50cb_6aa3_1a31_b94a, "e4e5", 1),
        // The pawn can be captured en passant: it counts in the next key.
        (0x31b2_7c5e_1e2f_9f2e, "d7d5", 1),
        (0xa841_8099_be43_41a9, "e5d6", 1),
        (0x9d5f_7aee_7e77_9da1, "g8f6", 1),
        (0xc6b1_4e1b_d38d_dc37, "g2g3", 1),
        (0xea57_f55a_335a_040f, "g7g6", 1),
        (0x03e3_a601_48d5_9644, "f1g2", 1),
        (0xb613_857c_0538_4e3d, "f8g7", 1),
        // Castling is king takes rook.
        (0x06af_b8ca_fe7f_8597, "e1h1", 1),
    ]);
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("book.bin"), book).expect("a book");
    let played = play_two(dir.path(), "-rounds 2 -openings file=book.bin plies=7");
    let texts = movetexts(&played);
    assert!(texts[0].starts_with("1. e2e4 a7a6 2. e4e5 d7d5 3. e5d6 "), "{texts:?}");
    assert!(texts[1].starts_with("1. g1f3 g8f6 2. g2g3 g7g6 3. f1g2 f8g7 4. e1g1 "), "{texts:?}");
    let chess960 =
        play_two(dir.path(), "-rounds 2 -openings file=book.bin plies=7 -variant fischerandom");
    assert!(movetexts(&chess960)[1].contains(" 4. e1h1 "), "{chess960}");
    let output = run_two(dir.path(), "-each nodes=1 -openings file=book.bin plies=20000");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("plies=20000: at most 100"), "{error}");
    // In random order both lines come, and the seed decides which comes first.
    let first = |seed: u32| {
        let options =
            format!("-rounds 2 -openings file=book.bin plies=1 order=random -srand {seed}");
        let played = play_two(dir.path(), &options);
        let texts: Vec<String> = movetexts(&played).into_iter().map(str::to_owned).collect();
        assert_ne!(texts[0], texts[1]);
        texts[0].clone()
    };
    let firsts: Vec<String> = (0..6).map(first).collect();
    assert!(firsts.iter().any(|text| *text != firsts[0]), "{firsts:?}");
    assert_eq!(first(0), firsts[0]);
}

#[test]
fn bad_opening_files_are_one_clear_error() {
    let dir = tempfile::tempdir().expect("a folder");
    // An array that castles only in Chess960; words that are no PGN; bytes that are no book.
    for (name, text) in [
        ("array.epd", "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1\n"),
        ("words.pgn", "hello\n"),
        ("empty.pgn", ""),
        ("empty.bin", ""),
        ("sixteen.bin", "0123456789abcdef"),
        ("short.bin", "0123456789abcde"),
        ("illegal.pgn", "[Event \"?\"]\n\n1. e4 e5 2. Nf6 *\n"),
        ("one.epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\n"),
    ] {
        std::fs::write(dir.path().join(name), text).expect("a file");
    }
    for (openings, hint) in [
        ("array.epd", "array.epd:1: \"nrbkqbrn/"),
        ("array.epd", "-variant fischerandom"),
        ("words.pgn", "words.pgn: neither tags nor moves"),
        ("one.epd format=pgn", "one.epd: neither tags nor moves"),
        ("empty.pgn", "empty.pgn: no openings"),
        ("empty.bin", "empty.bin: no openings"),
        ("sixteen.bin", "sixteen.bin: no openings"),
        ("short.bin", "short.bin: not a polyglot book"),
        ("illegal.pgn", "illegal.pgn: game 1: move 3 (Nf6)"),
        ("one.epd start=2", "start=2, but there are 1 openings"),
        ("one.epd start=0", "start=0"),
        (".", ".: "),
    ] {
        let output = run_two(dir.path(), &format!("-each nodes=1 -openings file={openings}"));
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{openings}: {error}");
        assert!(error.contains(hint) && error.lines().count() == 1, "{openings}: {error}");
    }
    play_two(dir.path(), "-rounds 1 -openings file=array.epd -variant fischerandom");
}

/// A Syzygy table of win, draw and loss for a king and one man against a king, that has the same
/// value for every position of a side to move: the stronger one's, then the other's.
fn constant_table(man: u8, values: [u8; 2]) -> Vec<u8> {
    let mut bytes = vec![0x71, 0xe8, 0x23, 0x5d, 0x31, 0x00, 0xee, 0x66, man << 4 | man, 0];
    for value in values {
        bytes.extend([0x80, value]);
    }
    bytes.resize(80, 0);
    bytes
}

const LOSS: u8 = 0;
const BLESSED_LOSS: u8 = 1;
const CURSED_WIN: u8 = 3;
const WIN: u8 = 4;
const ROOK: u8 = 4;
const QUEEN: u8 = 5;

#[test]
fn tablebases_end_games_as_the_options_say() {
    let dir = tempfile::tempdir().expect("a folder");
    // A rook wins here, a queen only without the fifty-move rule.
    std::fs::write(dir.path().join("KRvK.rtbw"), constant_table(ROOK, [WIN, LOSS])).expect("table");
    let cursed = constant_table(QUEEN, [CURSED_WIN, BLESSED_LOSS]);
    std::fs::write(dir.path().join("KQvK.rtbw"), cursed).expect("table");
    for (name, fen) in [
        // Black takes a pawn first: the count begins anew.
        ("zeroed", "8/8/4k3/3P4/8/8/R7/4K3 b - - 20 60"),
        ("rook", "8/8/4k3/8/8/8/R7/4K3 w - - 20 60"),
        ("queen", "8/8/4k3/8/8/8/1Q6/4K3 w - - 20 60"),
        ("four", "8/8/4k3/4p3/8/8/R7/4K3 w - - 0 60"),
    ] {
        std::fs::write(dir.path().join(format!("{name}.epd")), fen).expect("a file");
    }
    const NONE: [&str; 3] = ["1/2-1/2", "arbiter_decision", "limit of 2 moves"];
    const WON: [&str; 3] = ["1-0", "arbiter_decision", "tablebase"];
    const DRAWN: [&str; 3] = ["1/2-1/2", "arbiter_decision", "tablebase"];
    for (position, options, expected) in [
        ("zeroed", "", WON),
        ("zeroed", "-tbpieces 3", WON),
        ("zeroed", "-tbadjudicate DRAW", NONE),
        ("zeroed", "-tbadjudicate WIN_LOSS", WON),
        // Without tables of distance it is not known whether the rook wins in time.
        ("rook", "", NONE),
        ("rook", "-tbignore50", WON),
        ("queen", "", DRAWN),
        ("queen", "-tbadjudicate WIN_LOSS", NONE),
        ("queen", "-tbignore50", WON),
        ("four", "", NONE),
    ] {
        let played = play_in(
            dir.path(),
            "good",
            "good",
            &format!(
                "-games 1 -rounds 1 -maxmoves 2 -each nodes=1 -tb . {options} \
                 -openings file={position}.epd"
            ),
        );
        let [result, reason, _] = played.ending(0);
        let text = played.games()[0]["ending"]["text"].as_str().unwrap_or("");
        assert_eq!([result, reason, text], expected, "{position} {options}: {}", played.pgn);
        assert!(played.pgn.contains("[Termination \"adjudication\"]"), "{}", played.pgn);
    }
}

#[test]
fn engines_come_from_files_of_cutechess_and_ours() {
    let program = scripted().display().to_string();
    let list = json!([
        {
            "name": "Cute", "command": program, "protocol": "uci", "workingDirectory": "",
            "stderrFile": "", "initStrings": ["debug off"], "whitepov": true, "restart": "on",
            "variants": ["standard"], "timeoutScaleFactor": 2,
            "options": [
                {"name": "Hash", "type": "spin", "value": 32, "default": 16, "min": 1, "max": 64},
                {"name": "Clear Hash", "type": "button"},
                {"name": "OwnBook", "type": "check", "value": false},
            ],
        },
        {"name": "Ours", "cmd": program, "st_ms": 500, "restart": "auto", "options": {"Hash": 8}},
        {"name": "Old", "command": program, "protocol": "xboard"},
        {"name": "Odd", "cmd": program, "options": {"Hash": [1]}},
    ]);
    let ours = format!(
        "[[engines]]\nname = \"Ours\"\ncmd = {program:?}\nst_ms = 500\n[engines.options]\nHash = 8\n\
         [[engines]]\nname = \"Cute\"\ncmd = {program:?}\n"
    );
    for (file, text) in [("engines.json", list.to_string()), ("engines.toml", ours)] {
        let dir = tempfile::tempdir().expect("a folder");
        std::fs::write(dir.path().join(file), text).expect("a file");
        let run = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            themis(dir.path(), &words).output().expect("the program runs")
        };
        let line = "-engine conf=Cute -engine name=Mine conf=Ours option.Threads=2 \
             -each tc=5 option.Hash=4 timemargin=7 -rounds 1 -maxmoves 1 -config outname=c.json";
        let output = run(line);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = std::fs::read(dir.path().join("c.json")).expect("a configuration");
        let config: Value = serde_json::from_slice(&text).expect("JSON");
        let [first, second] = [&config["engines"][0], &config["engines"][1]];
        // What the file says goes before -each, what -engine says before both.
        assert_eq!([&second["name"], &second["cmd"]], ["Mine", &program], "{file}");
        assert_eq!(second["options"], json!({"Hash": "8", "Threads": "2"}), "{file}");
        assert_eq!([&second["tc"], &second["st_ms"]], [&Value::Null, &json!(500)], "{file}");
        assert_eq!([&first["timemargin_ms"], &first["tc"]], [&json!(7), &json!("5")], "{file}");
        if file == "engines.json" {
            assert_eq!(first["options"], json!({"Hash": "32", "OwnBook": "false"}));
            assert_eq!(first["initstr"], json!(["debug off"]));
            assert_eq!([&first["whitepov"], &first["restart"]], [&json!(true), &json!("on")]);
            for (name, hint) in [
                ("Old", "engines.json: protocol \"xboard\""),
                ("Odd", "option Hash"),
                ("New", "no engine \"New\"; there are Cute, Ours, Old, Odd"),
            ] {
                let output = run(&format!("-engine conf={name} -engine conf=Ours"));
                let error = String::from_utf8_lossy(&output.stderr);
                assert_eq!(output.status.code(), Some(2), "{name}: {error}");
                assert!(error.contains(hint) && error.lines().count() == 1, "{name}: {error}");
            }
        }
    }
}

#[test]
fn a_configuration_that_was_written_plays_the_same_games() {
    for (written, key) in [("c.json", "\"rounds\""), ("c.toml", "rounds =")] {
        let dir = tempfile::tempdir().expect("a folder");
        std::fs::write(dir.path().join("book.epd"), "4k3/4p3/8/8/8/8/4P3/4K3 w - -\n")
            .expect("a file");
        let played = play_two(
            dir.path(),
            &format!(
                "-rounds 2 -srand 9 -openings file=book.epd -draw score=5 movecount=90 \
                 -sprt elo1=9 -tournament roundrobin -event The Event -config outname={written}"
            ),
        );
        let text = std::fs::read_to_string(dir.path().join(written)).expect("a configuration");
        assert!(text.contains(key), "{text}");
        let again = themis(dir.path(), &["-config", &format!("file={written}")]).output();
        let again = again.expect("the program runs");
        assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
        let pgn = std::fs::read_to_string(dir.path().join("out.pgn")).expect("a PGN file");
        assert_eq!(games_of(&pgn), games_of(&played));
        // An option stands on the ground of the file.
        let words = ["-config", written, "-rounds", "1", "-each", "depth=1"];
        assert!(themis(dir.path(), &words).output().expect("it runs").status.success());
        let pgn = std::fs::read_to_string(dir.path().join("out.pgn")).expect("a PGN file");
        assert_eq!(games_of(&pgn).len(), 2);
        // A key that does not exist, and a file that ends too early, are told.
        std::fs::write(dir.path().join(written), text.replacen("rounds", "ronds", 1)).expect("it");
        let error = themis(dir.path(), &["-config", written]).output().expect("it runs");
        let error = String::from_utf8_lossy(&error.stderr).into_owned();
        assert!(error.contains(written) && error.contains("ronds"), "{error}");
        std::fs::write(dir.path().join(written), &text[..text.len() / 2]).expect("it");
        let output = themis(dir.path(), &["-config", written]).output().expect("it runs");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(written), "{error}");
    }
}

/// A browser without a window, if there is one.
fn browser() -> Option<&'static str> {
    ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok())
}

/// Counts what is drawn and what was asked of the network, and says so in the title.
const PROBE: &str = "<script>\
document.querySelectorAll('details').forEach(d => d.open = true);\
const drawn = [...document.querySelectorAll('details use')]\
.filter(u => u.getBoundingClientRect().width > 5).length;\
document.title = ['drawn', drawn, 'games', document.querySelectorAll('details').length,\
'asked', performance.getEntriesByType('resource').length,\
'wide', document.documentElement.scrollWidth > innerWidth].join(' ');</script>";

#[test]
fn the_report_opens_in_a_browser_without_a_network() {
    let Some(browser) = browser() else {
        eprintln!("skipped: no Chromium is here");
        return;
    };
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("book.epd"), "4k3/4p3/8/8/8/8/4P3/4K3 w - -\n").expect("it");
    play_two(
        dir.path(),
        "-rounds 1 -openings file=book.epd -report r.html -event <script>alert(1)</script>",
    );
    let page = std::fs::read_to_string(dir.path().join("r.html")).expect("a page");
    assert!(page.contains("<title>&lt;script&gt;"), "{page}");
    std::fs::write(
        dir.path().join("probed.html"),
        page.replace("</body>", &format!("{PROBE}</body>")),
    )
    .expect("a page");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000"])
        .args(["--window-size=1000,1600", "--host-resolver-rules=MAP * ~NOTFOUND", "--dump-dom"])
        .arg(format!("--user-data-dir={}", dir.path().join("profile").display()))
        .arg(format!("file://{}", dir.path().join("probed.html").display()))
        .output()
        .expect("the browser runs");
    let seen = String::from_utf8_lossy(&output.stdout);
    // Two games with four men each on the last board.
    let title = "<title>drawn 8 games 2 asked 0 wide false</title>";
    assert!(seen.contains(title), "{seen}{}", String::from_utf8_lossy(&output.stderr));
}
