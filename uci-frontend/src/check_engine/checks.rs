//! The checks, in the order in which they are made.

use std::time::{Duration, Instant};

use super::answer::{Answer, board, field, pv};
use super::bench::{Bench, Fail};
use super::load::Load;

/// What a check found.
pub type Outcome = Result<(), Fail>;

/// A check.
pub struct Check {
    /// What it makes sure of.
    pub name: &'static str,
    /// Hosts work without it, as a rule: a fault is a warning.
    pub advice: bool,
    /// How it is made.
    pub run: fn(&mut Bench) -> Outcome,
}

const fn must(name: &'static str, run: fn(&mut Bench) -> Outcome) -> Check {
    Check { name, advice: false, run }
}

const fn should(name: &'static str, run: fn(&mut Bench) -> Outcome) -> Check {
    Check { name, advice: true, run }
}

/// All checks.
pub const CHECKS: [Check; 48] = [
    must("uci is answered with uciok", handshake),
    must("id name is given", |bench| bench.has_id("name")),
    must("id author is given", |bench| bench.has_id("author")),
    should("nothing is said before uci but a banner", silent_start),
    must("options are well-formed", |bench| bench.check_options()),
    must("isready is answered", Bench::sync),
    must("ucinewgame is accepted", new_game),
    must("position startpos is accepted", |bench| bench.position("position startpos")),
    must("position fen is accepted", |bench| bench.position(&format!("position fen {MIDDLE}"))),
    must("go wtime without btime is answered legally", |bench| {
        search_well(bench, MIDDLE, "go wtime 100")
    }),
    must("go btime without wtime is answered legally", |bench| {
        search_well(bench, BLACK, "go btime 100")
    }),
    must("go with clocks and increments", |bench| {
        search_well(bench, BLACK, "go wtime 100 winc 100 btime 100 binc 100")
    }),
    must("go with parameters in another order", |bench| {
        search_well(bench, BLACK, "go btime 100 binc 100 wtime 100 winc 100")
    }),
    must("go with movestogo", |bench| {
        search_well(bench, START, "go wtime 200 btime 200 movestogo 1")
    }),
    must("moves after startpos are played", moves_are_played),
    must("moves after fen are played", moves_after_fen),
    must("go depth is answered", |bench| search_well(bench, START, "go depth 2")),
    must("go nodes is answered", |bench| search_well(bench, START, "go nodes 500")),
    must("go movetime is answered in time", movetime),
    must("a go has one bestmove", one_bestmove),
    must("the engine goes on after bestmove", goes_on),
    must("stop with nothing to stop says nothing", stray_stop),
    must("the last line with a score starts with bestmove", final_info),
    should("the last score is exact", exact_score),
    must("lines of moves are legal and end with the game", legal_lines),
    must("the ponder move is legal", legal_ponder),
    must("stop ends an infinite search", stop),
    must("isready is answered during a search", ready_while_searching),
    must("an infinite search holds its answer", holds),
    must("a mated root is answered", |bench| no_moves(bench, MATED)),
    must("a stalemated root is answered", |bench| no_moves(bench, STALEMATED)),
    must("searchmoves are kept to", searchmoves),
    must("castling is written e1g1", castling),
    must("Chess960 castling is understood and written king takes rook", chess960),
    must("promotions are written in small letters", promotion),
    must("MultiPV gives as many lines", multipv),
    must("ponderhit and stop end pondering", ponder),
    must("the same position may come again, and takebacks", repeated),
    must("a game of 600 moves is followed", long_game),
    must("the last millisecond gets a move at once", last_millisecond),
    must("a game's clock is kept while the machine is busy", under_load),
    must("unknown commands and options are passed over", unknown),
    must("quit ends the engine during a search", quit),
    must("the end of input ends the engine during a search", end_of_input),
    should("used-up and negative clocks get a move at once", no_time),
    should("blanks, tabs and CR LF are no matter", white_space),
    should("a FEN of four fields is understood", four_fields),
    should("a broken position does not end the engine", broken_position),
];

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MIDDLE: &str = "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27";
const BLACK: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
const CASTLE: &str = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 8";
const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

/// How long an answer that is due at once may take: the machine may be busy.
const AT_ONCE: Duration = Duration::from_millis(1000);

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn ensure(holds: bool, why: impl FnOnce() -> String) -> Outcome {
    if holds { Ok(()) } else { Err(Fail::Wrong(why())) }
}

fn handshake(bench: &mut Bench) -> Outcome {
    bench.ensure_running()
}

fn silent_start(bench: &mut Bench) -> Outcome {
    let said = bench.unasked().to_vec();
    ensure(said.len() <= 1, || format!("{} lines, the last: {}", said.len(), said[said.len() - 1]))
}

fn new_game(bench: &mut Bench) -> Outcome {
    bench.send("ucinewgame");
    bench.sync()
}

/// Searches a position and makes sure of what fastchess's compliance run asks, and of legality.
fn search_well(bench: &mut Bench, fen: &str, go: &str) -> Outcome {
    let answer = bench.search(&format!("position fen {fen}"), go)?;
    let root = board(fen, &[])?;
    answer.check_info()?;
    answer.check_legal(&root)?;
    Ok(())
}

fn moves_are_played(bench: &mut Bench) -> Outcome {
    let answer = bench.search("position startpos moves e2e4 e7e5", "go wtime 100 btime 100")?;
    Ok(answer.check_legal(&board(START, &["e2e4", "e7e5"])?)?)
}

fn moves_after_fen(bench: &mut Bench) -> Outcome {
    let answer = bench.search(&format!("position fen {BLACK} moves g8f6 e1g1"), "go depth 2")?;
    Ok(answer.check_legal(&board(BLACK, &["g8f6", "e1g1"])?)?)
}

fn movetime(bench: &mut Bench) -> Outcome {
    for time in [50, 200] {
        let answer = bench.search("position startpos", &format!("go movetime {time}"))?;
        answer.check_legal(&board(START, &[])?)?;
        ensure(answer.time < ms(time) + ms(300), || {
            format!("go movetime {time} took {} ms", answer.time.as_millis())
        })?;
    }
    Ok(())
}

fn one_bestmove(bench: &mut Bench) -> Outcome {
    bench.search("position startpos", "go depth 1")?;
    let more = bench.said_within(ms(200))?;
    ensure(!more.iter().any(|line| line.starts_with("bestmove")), || "a second bestmove".to_owned())
}

fn goes_on(bench: &mut Bench) -> Outcome {
    bench.search("position startpos", "go depth 1")?;
    bench.said_within(ms(100))?;
    bench.sync()
}

fn stray_stop(bench: &mut Bench) -> Outcome {
    bench.send("stop");
    let said = bench.said_within(ms(200))?;
    ensure(!said.iter().any(|line| line.starts_with("bestmove")), || "a bestmove".to_owned())
}

/// Answers to searches of several kinds and positions.
fn samples(bench: &mut Bench) -> Result<Vec<(&'static str, Answer)>, Fail> {
    let mut answers = Vec::new();
    for fen in [START, CASTLE, BLACK, "8/8/8/8/8/5k2/7q/5K2 b - - 0 1"] {
        for go in ["go depth 5", "go nodes 3000", "go movetime 60"] {
            answers.push((fen, bench.search(&format!("position fen {fen}"), go)?));
        }
    }
    Ok(answers)
}

fn final_info(bench: &mut Bench) -> Outcome {
    for (_, answer) in samples(bench)? {
        answer.check_final()?;
    }
    Ok(())
}

fn exact_score(bench: &mut Bench) -> Outcome {
    for (_, answer) in samples(bench)? {
        answer.check_exact()?;
    }
    Ok(())
}

fn legal_lines(bench: &mut Bench) -> Outcome {
    for (fen, answer) in samples(bench)? {
        answer.check_lines(&board(fen, &[])?)?;
    }
    Ok(())
}

fn legal_ponder(bench: &mut Bench) -> Outcome {
    for (fen, answer) in samples(bench)? {
        answer.check_ponder(&board(fen, &[])?)?;
    }
    Ok(())
}

fn stop(bench: &mut Bench) -> Outcome {
    for wait in [0, 20, 300] {
        bench.start_search("position startpos", "go infinite");
        bench.hold(ms(wait))?;
        bench.send("stop");
        let answer = bench.answer(AT_ONCE)?;
        answer.check_legal(&board(START, &[])?)?;
    }
    Ok(())
}

fn ready_while_searching(bench: &mut Bench) -> Outcome {
    bench.start_search("position startpos", "go infinite");
    bench.hold(ms(50))?;
    let start = Instant::now();
    bench.send("isready");
    bench.wait_for("readyok", AT_ONCE).map_err(|fail| fail.because("no readyok"))?;
    let time = start.elapsed();
    bench.send("stop");
    bench.answer(AT_ONCE)?;
    ensure(time < ms(500), || format!("readyok took {} ms", time.as_millis()))
}

/// A tree so small that every depth is reached at once.
fn holds(bench: &mut Bench) -> Outcome {
    let fen = "8/5kR1/8/3K4/8/8/8/8 b - - 0 1";
    bench.start_search(&format!("position fen {fen}"), "go infinite");
    bench.hold(ms(700))?;
    bench.send("stop");
    Ok(bench.answer(AT_ONCE)?.check_legal(&board(fen, &[])?)?)
}

fn no_moves(bench: &mut Bench, fen: &str) -> Outcome {
    let answer = bench.search(&format!("position fen {fen}"), "go depth 5")?;
    ensure(answer.is_none(), || format!("`{}` where no move is legal", answer.bestmove))?;
    bench.sync()
}

fn castling(bench: &mut Bench) -> Outcome {
    bench.keeps_searchmoves()?;
    let answer = bench.search(&format!("position fen {CASTLE}"), "go depth 2 searchmoves e1g1")?;
    ensure(answer.best() == "e1g1", || format!("castling is written {}", answer.best()))
}

fn chess960(bench: &mut Bench) -> Outcome {
    bench.needs_option("UCI_Chess960")?;
    bench.send("setoption name UCI_Chess960 value true");
    let fen = "1r2k2r/pppppppp/8/8/8/8/PPPPPPPP/1R2K2R w HBhb - 0 1";
    let checked = (|| {
        let position = format!("position fen {fen} moves e1h1 e8b8");
        let answer = bench.search(&position, "go depth 2")?;
        answer.check_legal(&board(fen, &["e1h1", "e8b8"])?)?;
        if bench.keeps_searchmoves().is_ok() {
            let position = format!("position fen {fen}");
            let answer = bench.search(&position, "go depth 2 searchmoves e1h1")?;
            ensure(answer.best() == "e1h1", || format!("castling is written {}", answer.best()))?;
        }
        Ok(())
    })();
    bench.send("setoption name UCI_Chess960 value false");
    checked
}

fn promotion(bench: &mut Bench) -> Outcome {
    // Every legal move promotes.
    let fen = "8/P7/8/8/8/1r6/7r/K6k w - - 0 1";
    let answer = bench.search(&format!("position fen {fen}"), "go depth 3")?;
    let best = answer.best();
    answer.check_legal(&board(fen, &[])?)?;
    ensure(best == best.to_lowercase(), || format!("the promotion is written {best}"))
}

fn searchmoves(bench: &mut Bench) -> Outcome {
    bench.keeps_searchmoves()
}

fn multipv(bench: &mut Bench) -> Outcome {
    bench.needs_option("MultiPV")?;
    bench.send("setoption name MultiPV value 3");
    let answer = bench.search(&format!("position fen {BLACK}"), "go depth 5");
    bench.send("setoption name MultiPV value 1");
    let answer = answer?;
    let root = board(BLACK, &[])?;
    answer.check_lines(&root)?;
    let mut heads = Vec::new();
    for rank in ["1", "2", "3"] {
        let line = answer.scored().rfind(|line| field(line, "multipv") == Some(rank));
        let head = line.and_then(|line| pv(line).first().map(ToString::to_string));
        heads.push(head.ok_or_else(|| format!("no line with multipv {rank}"))?);
    }
    ensure(heads[0] == answer.best(), || {
        format!("bestmove is {} but line 1 starts with {}", answer.best(), heads[0])
    })?;
    ensure(heads[0] != heads[1] && heads[1] != heads[2] && heads[0] != heads[2], || {
        format!("lines start alike: {}", heads.join(" "))
    })
}

fn ponder(bench: &mut Bench) -> Outcome {
    bench.needs_option("Ponder")?;
    bench.send("setoption name Ponder value true");
    let go = "go ponder wtime 300 btime 300";
    let root = board(START, &["e2e4", "e7e5"])?;
    for end in ["ponderhit", "stop"] {
        bench.start_search("position startpos moves e2e4 e7e5", go);
        bench.hold(ms(300))?;
        bench.send(end);
        let answer = bench.answer(AT_ONCE).map_err(|fail| fail.because(end))?;
        answer.check_legal(&root)?;
    }
    bench.send("setoption name Ponder value false");
    Ok(())
}

fn repeated(bench: &mut Bench) -> Outcome {
    for moves in [&["e2e4", "e7e5"][..], &["e2e4", "e7e5"], &["e2e4"], &[]] {
        let position = format!("position startpos moves {}", moves.join(" "));
        let position = position.trim_end_matches(" moves ").to_owned();
        let answer = bench.search(&position, "go depth 1")?;
        answer.check_legal(&board(START, moves)?)?;
    }
    let answer = bench.search("position startpos moves", "go depth 1")?;
    Ok(answer.check_legal(&board(START, &[])?)?)
}

fn long_game(bench: &mut Bench) -> Outcome {
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(150);
    let answer = bench.search(&format!("position startpos moves{shuffle}"), "go movetime 50")?;
    Ok(answer.check_legal(&board(START, &[])?)?)
}

fn last_millisecond(bench: &mut Bench) -> Outcome {
    move_at_once(bench, &["go wtime 1 btime 1", "go movetime 1"])
}

fn no_time(bench: &mut Bench) -> Outcome {
    move_at_once(bench, &["go wtime 0 btime 0", "go wtime -100 btime -100", "go movetime 0"])
}

fn move_at_once(bench: &mut Bench, searches: &[&str]) -> Outcome {
    for go in searches {
        let answer = bench.search("position startpos", go)?;
        answer.check_legal(&board(START, &[])?)?;
        ensure(answer.time < AT_ONCE, || format!("{go} took {} ms", answer.time.as_millis()))?;
    }
    Ok(())
}

/// The engine plays itself by a clock while every processor is kept busy.
fn under_load(bench: &mut Bench) -> Outcome {
    /// What may be lost between the engine and this clock on a busy machine.
    const MARGIN: Duration = Duration::from_millis(100);
    let increment = ms(20);
    let mut clocks = [ms(1000), ms(1000)];
    let mut moves: Vec<String> = Vec::new();
    let load = Load::start();
    let result = (|| {
        for ply in 0..40 {
            let side = ply % 2;
            let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
            let root = board(START, &texts)?;
            if shakmaty::Position::is_game_over(&root) {
                break;
            }
            let position = match moves.len() {
                0 => "position startpos".to_owned(),
                _ => format!("position startpos moves {}", moves.join(" ")),
            };
            let [white, black] = clocks.map(|clock| clock.as_millis());
            let go = format!("go wtime {white} btime {black} winc 20 binc 20");
            let answer = bench.search(&position, &go)?;
            answer.check_legal(&root)?;
            ensure(answer.time <= clocks[side] + MARGIN, || {
                format!(
                    "move {} took {} ms of {} ms",
                    ply / 2 + 1,
                    answer.time.as_millis(),
                    clocks[side].as_millis()
                )
            })?;
            clocks[side] = clocks[side].saturating_sub(answer.time) + increment;
            moves.push(answer.best().to_owned());
        }
        Ok(())
    })();
    drop(load);
    result
}

fn unknown(bench: &mut Bench) -> Outcome {
    for line in ["xboard", "", "   ", "joho", "setoption name NoSuchOption value 7", "ponderhit"] {
        bench.send(line);
    }
    bench.sync()?;
    search_well(bench, START, "go depth 2")
}

/// How long an engine may take to end.
const TO_END: Duration = Duration::from_secs(2);

fn quit(bench: &mut Bench) -> Outcome {
    bench.start_search("position startpos", "go infinite");
    bench.hold(ms(100))?;
    bench.send("quit");
    bench.has_ended(TO_END)
}

fn end_of_input(bench: &mut Bench) -> Outcome {
    bench.start_search("position startpos", "go infinite");
    bench.hold(ms(100))?;
    bench.close_input();
    bench.has_ended(TO_END)
}

fn white_space(bench: &mut Bench) -> Outcome {
    bench.send_bytes(b"  position\tstartpos   moves  e2e4 \t e7e5  \r\n");
    let answer = bench.search_bytes(b"go   depth\t2\r\n")?;
    Ok(answer.check_legal(&board(START, &["e2e4", "e7e5"])?)?)
}

fn four_fields(bench: &mut Bench) -> Outcome {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    let answer = bench.search(&format!("position fen {fen} moves e2e4"), "go depth 2")?;
    Ok(answer.check_legal(&board(&format!("{fen} 0 1"), &["e2e4"])?)?)
}

fn broken_position(bench: &mut Bench) -> Outcome {
    for fen in ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "nonsense"] {
        bench.send(&format!("position fen {fen}"));
        bench.sync()?;
    }
    search_well(bench, START, "go depth 2")
}
