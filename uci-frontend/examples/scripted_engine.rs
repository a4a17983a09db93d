//! A UCI engine that misbehaves on command, for the tests of the tournament runner.
//!
//! `scripted_engine KIND [PLY]`: it plays the first legal move in alphabetical order, and from its
//! move number PLY (1 if absent) on it does what KIND says.

use std::io::{BufRead, Write};
use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

const FOREVER: Duration = Duration::from_secs(600);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let kind = arguments.first().map_or("good", String::as_str);
    let from = arguments.get(1).and_then(|ply| ply.parse().ok()).unwrap_or(1);
    match kind {
        "exit-at-start" => return,
        "mute-at-start" => std::thread::sleep(FOREVER),
        "grandchild" => {
            let child =
                std::process::Command::new("sleep").arg("347").spawn().expect("sleep starts");
            drop(child);
        }
        _ => {}
    }
    let mut engine = Engine {
        kind: kind.to_owned(),
        from,
        position: Chess::default(),
        asked: 0,
        games: 0,
        fooled: false,
        pondering: false,
    };
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        if !engine.hear(&line) {
            return;
        }
    }
    if kind == "deaf-to-quit" || kind == "grandchild" {
        std::thread::sleep(FOREVER);
    }
}

struct Engine {
    kind: String,
    from: u32,
    position: Chess,
    asked: u32,
    games: u32,
    fooled: bool,
    pondering: bool,
}

/// Writes bytes at once.
fn raw(bytes: &[u8]) {
    let mut output = std::io::stdout().lock();
    if output.write_all(bytes).and_then(|()| output.flush()).is_err() {
        std::process::exit(0);
    }
}

fn say(line: &str) {
    raw(format!("{line}\n").as_bytes());
}

impl Engine {
    /// Answers a line; false to exit.
    fn hear(&mut self, line: &str) -> bool {
        let kind = self.kind.clone();
        match line.split_whitespace().next().unwrap_or("") {
            "uci" => {
                say("id name Scripted");
                say("id author Nobody");
                if kind == "bad-options" {
                    say("option name Hash type spin default 5 min 10 max 1");
                    say("option name X type spin default a min b max c");
                    say("option name max type min type banana");
                    say("option");
                }
                if kind == "bad-utf8" {
                    raw(b"id name \xff\xfe\x80\n");
                }
                if kind.contains("ponder") {
                    say("option name Ponder type check default false");
                }
                say("uciok");
            }
            "isready" => {
                if kind == "mute-when-ready" || kind == "mute-in-second-game" && self.games == 2 {
                    std::thread::sleep(FOREVER);
                }
                say("readyok");
            }
            "position" => self.position = position(line),
            "go" => {
                self.pondering = line.contains("ponder");
                if !self.pondering {
                    self.asked += 1;
                }
                return self.go(&kind, line);
            }
            "ponderhit" | "stop"
                if std::mem::take(&mut self.pondering) && kind != "early-ponder" =>
            {
                self.answer(&first_move(&self.position));
            }
            "ucinewgame" => {
                (self.asked, self.fooled) = (0, false);
                self.games += 1;
            }
            "quit" if kind == "deaf-to-quit" || kind == "grandchild" => {}
            "quit" => return false,
            _ => {}
        }
        true
    }

    fn go(&mut self, kind: &str, line: &str) -> bool {
        let best = first_move(&self.position);
        if self.pondering {
            if kind == "early-ponder" {
                self.answer(&best);
            }
            return true;
        }
        if self.asked < self.from || std::mem::replace(&mut self.fooled, kind == "illegal-once") {
            // Touch-move: the runner says what may be played.
            let allowed =
                line.split_once("searchmoves ").and_then(|(_, moves)| moves.split(' ').next());
            self.answer(allowed.unwrap_or(&best));
            return true;
        }
        match kind {
            "crash" => return false,
            "hang" => std::thread::sleep(FOREVER),
            "flood-info" => loop {
                say("info depth 1 score cp 1 pv e2e4");
            },
            "flood-garbage" => loop {
                say("the quick brown fox");
            },
            "flood-one-line" => loop {
                raw(&[b'x'; 4096]);
            },
            "flood-bestmove" => {
                (0..20_000).for_each(|_| say(&format!("bestmove {best}")));
            }
            "illegal" | "illegal-once" => say("bestmove e2e5"),
            "none" => say("bestmove (none)"),
            "null" => say("bestmove 0000"),
            "empty" => say("bestmove"),
            "resign" => say("bestmove resign"),
            "braces" => say("bestmove {}\"\\"),
            "not-at-line-start" => say(&format!("foo bestmove {best}")),
            "late" => {
                std::thread::sleep(Duration::from_millis(700));
                say("bestmove h7h6");
            }
            "split-line" => {
                raw(b"bestmove ");
                std::thread::sleep(Duration::from_millis(20));
                raw(format!("{best}\n").as_bytes());
            }
            "unfinished-line" => {
                raw(format!("bestmove {best}").as_bytes());
                std::thread::sleep(FOREVER);
            }
            "crlf" => {
                raw(format!("info depth 1 score cp 7 pv {best}\r\nbestmove {best}\r\n").as_bytes())
            }
            "blanks" => raw(format!("  bestmove \t {best}  \t\n").as_bytes()),
            "twice" => {
                self.answer(&best);
                self.answer(&best);
            }
            "bad-utf8" => {
                raw(b"info string \xff\xfe\x80 \xc3\n");
                self.answer(&best);
            }
            "bad-info" => {
                say("info depth 99999999999999999999 score cp x nodes -1 pv");
                self.answer(&best);
            }
            "ponder-illegal" => say(&format!("bestmove {best} ponder {best}")),
            "early-ponder" | "ponder" => {
                let mut after = self.position.clone();
                if let Some(chosen) =
                    best.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&after).ok())
                {
                    after.play_unchecked(chosen);
                }
                say(&format!("bestmove {best} ponder {}", first_move(&after)));
            }
            "exit-after-move" => {
                self.answer(&best);
                return false;
            }
            "resign-late" => say("bestmove a1a1"),
            "overstep" => {
                std::thread::sleep(Duration::from_millis(256));
                self.answer(&best);
            }
            "tells-processors" => {
                let count = std::thread::available_parallelism().map_or(0, usize::from);
                say(&format!("info depth {count} score cp 0 pv {best}"));
                say(&format!("bestmove {best}"));
            }
            "drawish" => say(&format!("bestmove {best} draw")),
            _ => self.answer(&best),
        }
        true
    }

    fn answer(&self, best: &str) {
        say(&format!("info depth 1 score cp 0 nodes 1 time 0 pv {best}"));
        say(&format!("bestmove {best}"));
    }
}

/// A mate if there is one, else the first legal move in alphabetical order.
fn first_move(position: &Chess) -> String {
    let mut moves: Vec<(bool, String)> = position
        .legal_moves()
        .into_iter()
        .map(|chosen| {
            let mut next = position.clone();
            next.play_unchecked(chosen);
            (!next.is_checkmate(), UciMove::from_standard(chosen).to_string())
        })
        .collect();
    moves.sort();
    moves.into_iter().next().map_or_else(|| "0000".to_owned(), |(_, uci)| uci)
}

fn position(line: &str) -> Chess {
    let (setup, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let fen = setup.strip_prefix("position fen ").and_then(|fen| fen.parse::<Fen>().ok());
    let mut position = fen
        .and_then(|fen| fen.into_position::<Chess>(CastlingMode::Standard).ok())
        .unwrap_or_default();
    for uci in moves.split_whitespace() {
        let Some(chosen) = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&position).ok())
        else {
            break;
        };
        position.play_unchecked(chosen);
    }
    position
}
