//! The search as a front end sees it.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use engine::board::{Move, Position};
use engine::search::{
    Clock, Control, Game, Info, Limits, MAX_PLY, Options, Outcome, Reporter, Score, Searcher, Wdl,
};

use crate::random::Random;

/// Keeps every report.
#[derive(Default)]
struct Reports(Mutex<Vec<Info>>);

impl Reporter for Reports {
    fn info(&self, info: &Info) {
        self.0.lock().unwrap().push(info.clone());
    }
}

impl Reports {
    fn all(self) -> Vec<Info> {
        self.0.into_inner().unwrap()
    }
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn small_searcher() -> Searcher {
    let mut searcher = Searcher::new();
    searcher.set_hash(2).unwrap();
    searcher
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn search(searcher: &mut Searcher, game: &Game, limits: &Limits) -> (Outcome, Vec<Info>) {
    let reports = Reports::default();
    let control = Control::new();
    let outcome = searcher.search(game, limits, &Options::default(), &control, &reports);
    let reports = reports.all();
    check_reports(game, &outcome, &reports);
    (outcome, reports)
}

/// What holds for every search: legal lines that end with the game, and a last report that is
/// exact and starts with the best move.
fn check_reports(game: &Game, outcome: &Outcome, reports: &[Info]) {
    let last = reports.last().expect("at least one report");
    assert_eq!(last.bound, None);
    assert_eq!(last.pv.first(), outcome.best.as_ref());
    for info in reports {
        check_line(game, &info.pv);
        assert_eq!(info.wdl.win + info.wdl.draw + info.wdl.loss, 1000);
        assert!(info.depth <= MAX_PLY as u32);
    }
    if let (Some(best), Some(reply)) = (outcome.best, outcome.ponder) {
        let child = game.position().play(best);
        assert!(child.is_legal(reply));
        assert!(child.play(reply).has_legal_move());
    }
}

fn check_line(game: &Game, line: &[Move]) {
    let mut game = game.clone();
    for (ply, &mv) in line.iter().enumerate() {
        assert!(game.position().is_legal(mv), "{mv:?} of {line:?}");
        if ply > 0 {
            let key = game.position().key();
            let earlier = game.previous_keys().iter().filter(|&&other| other == key).count();
            assert!(earlier < 2, "the line runs past a threefold repetition");
            assert!(game.position().halfmove_clock() < 100, "the line runs past fifty moves");
        }
        game.play(mv);
    }
}

#[test]
fn finds_mates() {
    // Position, moves to mate.
    let mates = [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", 2),
        ("1rb4r/pkPp3p/1b1P3n/1Q6/N3Pp2/8/P1P3PP/7K w - - 1 1", 3),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 1", 2),
        ("7k/8/5KP1/8/8/8/8/6R1 w - - 0 1", 3),
    ];
    let mut searcher = small_searcher();
    for (fen, moves) in mates {
        let game = Game::new(position(fen));
        let limits = Limits { mate: Some(moves), depth: Some(20), ..Limits::default() };
        let (_, reports) = search(&mut searcher, &game, &limits);
        let last = reports.last().unwrap();
        assert!(
            matches!(last.score, Score::Mate(n) if n > 0 && n as u32 <= moves),
            "{fen}: {:?}",
            last.score
        );
    }
}

#[test]
fn sees_that_it_is_mated() {
    let game = Game::new(position("k7/8/1K6/8/8/8/8/7R b - - 0 1"));
    let (_, reports) = search(&mut small_searcher(), &game, &depth(6));
    assert_eq!(reports.last().unwrap().score, Score::Mate(-1));
}

#[test]
fn roots_without_moves_have_no_best_move() {
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    for (fen, score, draw) in [(mate, Score::Mate(0), 0), (stalemate, Score::Cp(0), 1000)] {
        let game = Game::new(position(fen));
        let (outcome, reports) = search(&mut small_searcher(), &game, &depth(5));
        assert_eq!(outcome, Outcome::default());
        let last = reports.last().unwrap();
        assert_eq!(last.score, score);
        assert_eq!(last.wdl, Wdl { win: 0, draw, loss: 1000 - draw });
    }
}

#[test]
fn node_limits_are_exact() {
    let game = Game::new(Position::startpos());
    for limit in [1, 2, 17, 1000, 12_345] {
        let (outcome, reports) = search(&mut small_searcher(), &game, &nodes(limit));
        assert!(outcome.best.is_some());
        assert_eq!(reports.last().unwrap().nodes, limit);
    }
}

#[test]
fn depth_limits_hold_up_to_the_last_ply() {
    let mut searcher = small_searcher();
    let game = Game::new(Position::startpos());
    let (_, reports) = search(&mut searcher, &game, &depth(3));
    assert_eq!(reports.last().unwrap().depth, 3);
    // A blocked position runs to the greatest depth in no time.
    let blocked = Game::new(position("8/8/8/1k1p1p1p/1P1P1P1P/1K6/8/8 w - - 0 1"));
    let limits = Limits { nodes: Some(300_000), ..depth(10_000) };
    let (_, reports) = search(&mut searcher, &blocked, &limits);
    assert!(reports.iter().all(|info| info.seldepth <= MAX_PLY as u32 + 1));
}

#[test]
fn a_repetition_saves_a_lost_game() {
    // White is about to be mated but checks for ever on e8 and h5.
    let game = Game::new(position("6k1/6p1/8/7Q/8/2q5/rr6/7K w - - 0 1"));
    let (_, reports) = search(&mut small_searcher(), &game, &depth(10));
    assert!(matches!(reports.last().unwrap().score, Score::Cp(cp) if cp.abs() <= 2));
}

#[test]
fn the_third_repetition_is_a_draw() {
    // White, a rook up, must not go back a third time.
    let mut game = Game::new(position("7k/8/8/8/8/8/R7/K7 w - - 0 1"));
    for mv in ["a2b2", "h8g8", "b2a2", "g8h8", "a2b2", "h8g8", "b2a2"] {
        let mv = game.position().parse_uci(mv).unwrap();
        game.play(mv);
    }
    let (outcome, reports) = search(&mut small_searcher(), &game, &depth(6));
    // Black repeats and draws at once.
    let best = outcome.best.map(|mv| game.position().uci(mv, false));
    assert_eq!(best.as_deref(), Some("g8h8"));
    assert!(matches!(reports.last().unwrap().score, Score::Cp(cp) if cp.abs() <= 2));
}

#[test]
fn mate_on_the_hundredth_half_move_is_mate() {
    let game = Game::new(position("7k/8/6K1/8/8/8/8/R7 w - - 99 80"));
    let (_, reports) = search(&mut small_searcher(), &game, &depth(4));
    assert_eq!(reports.last().unwrap().score, Score::Mate(1));
    // A move too far: drawn, however large the advantage.
    let game = Game::new(position("8/8/8/6k1/8/8/8/QQ5K w - - 98 80"));
    let (_, reports) = search(&mut small_searcher(), &game, &depth(6));
    assert!(matches!(reports.last().unwrap().score, Score::Cp(cp) if cp.abs() <= 2));
}

#[test]
fn fifty_moves_without_progress_are_kept_in_sight() {
    // Only the pawn move resets the count in time.
    let game = Game::new(position("8/8/8/8/5k2/8/P7/Q6K w - - 99 80"));
    let (outcome, _) = search(&mut small_searcher(), &game, &depth(6));
    let from = outcome.best.unwrap().from();
    assert_eq!(from.to_string(), "a2");
}

#[test]
fn searchmoves_restrict_the_root() {
    let game = Game::new(Position::startpos());
    let wanted = game.position().parse_uci("a2a3").unwrap();
    let limits = Limits { searchmoves: vec![wanted], ..depth(5) };
    let (outcome, _) = search(&mut small_searcher(), &game, &limits);
    assert_eq!(outcome.best, Some(wanted));
    // Illegal ones are dropped, and without any all count.
    let limits = Limits { searchmoves: vec![Move::NULL], ..depth(5) };
    let (outcome, _) = search(&mut small_searcher(), &game, &limits);
    assert!(outcome.best.is_some());
}

#[test]
fn more_lines_than_moves_are_fine() {
    let options = Options { multi_pv: 10, ..Options::default() };
    for fen in ["7k/8/8/8/8/8/4q3/7K w - - 0 1", "8/8/8/8/8/2k5/p7/K1N5 w - - 0 1"] {
        let game = Game::new(position(fen));
        let moves = game.position().legal_moves().len();
        let reports = Reports::default();
        let outcome =
            small_searcher().search(&game, &depth(5), &options, &Control::new(), &reports);
        let reports = reports.all();
        check_reports(&game, &outcome, &reports);
        assert_eq!(reports.iter().map(|info| info.multipv).max(), Some(moves));
        let deepest = reports.iter().map(|info| info.depth).max().unwrap();
        let mut firsts: Vec<_> = reports
            .iter()
            .filter(|info| info.depth == deepest)
            .map(|info| (info.multipv, info.pv[0]))
            .collect();
        firsts.sort_by_key(|&(rank, _)| rank);
        firsts.dedup();
        assert_eq!(firsts.len(), moves, "each line starts with its own move: {firsts:?}");
    }
}

#[test]
fn lines_of_a_search_broken_off_tell_their_depth() {
    let options = Options { multi_pv: 4, ..Options::default() };
    let game = Game::new(Position::startpos());
    for limit in [1, 3, 10, 60, 300, 900, 1500, 2250, 2251, 4000, 7777, 10_000] {
        let reports = Reports::default();
        let control = Control::new();
        let mut searcher = small_searcher();
        let outcome = searcher.search(&game, &nodes(limit), &options, &control, &reports);
        let reports = reports.all();
        check_reports(&game, &outcome, &reports);
        let (earlier, last) = reports.split_at(first_of_last_lines(&reports));
        let last: Vec<_> = last.iter().rev().collect();
        assert_eq!(last[0].multipv, 1);
        let mut firsts: Vec<_> = last.iter().map(|info| info.pv[0].to_bits()).collect();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), last.len(), "each line starts with its own move");
        for pair in last[1..].windows(2) {
            let key = |info: &Info| (info.depth, centipawns(info));
            assert!(key(pair[0]) >= key(pair[1]), "{limit} nodes: {pair:#?}");
        }
        if last.len() > 1 && last[0].depth == last[1].depth {
            assert!(centipawns(last[0]) >= centipawns(last[1]), "{limit} nodes: {last:#?}");
        }
        // A line that the search had finished is said again as it was.
        for line in &last {
            let same = |info: &&Info| (info.depth, info.pv[0]) == (line.depth, line.pv[0]);
            let before = earlier.iter().rfind(same);
            assert!(before.is_none_or(|info| info.score == line.score), "{limit}: {line:#?}");
        }
    }
}

/// Where the last report begins: its lines count down to the best one.
fn first_of_last_lines(reports: &[Info]) -> usize {
    let follows = |pair: &[Info]| pair[0].multipv == pair[1].multipv + 1;
    reports.len() - 1 - reports.windows(2).rev().take_while(|&pair| follows(pair)).count()
}

fn centipawns(info: &Info) -> i32 {
    match info.score {
        Score::Cp(cp) => cp,
        Score::Mate(moves) => panic!("mate in {moves} from the start"),
    }
}

#[test]
fn stop_is_obeyed_at_once() {
    let game = Game::new(Position::startpos());
    let mut searcher = small_searcher();
    for wait in [0, 5, 60, 200] {
        let control = Control::new();
        let limits = Limits { infinite: true, ..Limits::default() };
        let stopper = control.clone();
        let handle = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(wait));
            stopper.stop();
            Instant::now()
        });
        let reports = Reports::default();
        let outcome = searcher.search(&game, &limits, &Options::default(), &control, &reports);
        let stopped = handle.join().unwrap();
        assert!(stopped.elapsed() < Duration::from_secs(5), "{:?}", stopped.elapsed());
        check_reports(&game, &outcome, &reports.all());
    }
}

/// Fails at the first line.
struct Failing;

impl Reporter for Failing {
    fn info(&self, _info: &Info) {
        panic!("this failure is part of a test");
    }
}

#[test]
fn a_panic_ends_all_threads_and_reaches_the_caller() {
    for threads in [1, 3] {
        let (sender, ended) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let mut searcher = small_searcher();
            searcher.set_threads(threads);
            let game = Game::new(Position::startpos());
            let limits = Limits { infinite: true, ..Limits::default() };
            let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                searcher.search(&game, &limits, &Options::default(), &Control::new(), &Failing)
            }));
            sender.send(caught.is_err()).unwrap();
        });
        let failed = ended.recv_timeout(Duration::from_secs(30));
        assert_eq!(failed, Ok(true), "{threads} threads");
    }
}

#[test]
fn infinite_and_ponder_searches_wait() {
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    for fen in [mated, "7k/8/8/8/8/8/8/K7 w - - 0 1"] {
        for ponder in [false, true] {
            let game = Game::new(position(fen));
            let limits = Limits { infinite: !ponder, ponder, ..depth(2) };
            let control = Control::new();
            let other = control.clone();
            let start = Instant::now();
            let handle = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(150));
                if ponder { other.ponderhit() } else { other.stop() }
            });
            let reports = Reports::default();
            small_searcher().search(&game, &limits, &Options::default(), &control, &reports);
            assert!(start.elapsed() >= Duration::from_millis(150));
            handle.join().unwrap();
        }
    }
}

#[test]
fn bad_clocks_get_a_move_at_once() {
    let game = Game::new(Position::startpos());
    for remaining_ms in [0, -500, 1, 5] {
        for moves_to_go in [None, Some(0), Some(1), Some(500)] {
            let clock = Clock { remaining_ms, increment_ms: 0, moves_to_go };
            let limits = Limits { clock: Some(clock), ..Limits::default() };
            let start = Instant::now();
            let (outcome, _) = search(&mut small_searcher(), &game, &limits);
            assert!(outcome.best.is_some());
            assert!(start.elapsed() < Duration::from_secs(5));
        }
    }
    let limits = Limits { movetime_ms: Some(0), ..Limits::default() };
    let start = Instant::now();
    search(&mut small_searcher(), &game, &limits);
    assert!(start.elapsed() < Duration::from_secs(5));
}

/// Captures without end: not even the first depth is ever finished.
const MANY_QUEENS: &str = "qqqqkqqq/8/qqqqqqqq/8/8/QQQQQQQQ/8/QQQQKQQQ w - - 0 1";

#[test]
fn time_and_nodes_end_the_first_depth_too() {
    let game = Game::new(position(MANY_QUEENS));
    let clock = Clock { remaining_ms: 50, increment_ms: 0, moves_to_go: None };
    for (threads, limits) in [
        (1, Limits { movetime_ms: Some(100), ..Limits::default() }),
        (1, Limits { movetime_ms: Some(0), ..Limits::default() }),
        (1, Limits { clock: Some(clock), ..Limits::default() }),
        (2, Limits { movetime_ms: Some(100), ..Limits::default() }),
        (1, nodes(5000)),
        (2, nodes(5000)),
    ] {
        let mut searcher = small_searcher();
        searcher.set_threads(threads);
        let start = Instant::now();
        let (outcome, reports) = search(&mut searcher, &game, &limits);
        assert!(outcome.best.is_some());
        assert!(start.elapsed() < Duration::from_secs(5), "{limits:?}: {:?}", start.elapsed());
        if limits.nodes.is_some() {
            let searched = reports.last().unwrap().nodes;
            assert!(searched < 1_000_000, "{threads} threads: {searched} nodes of 5000");
        }
    }
}

#[test]
fn a_move_at_first_sight_is_no_blunder() {
    // One node finishes no move. Mate is seen, and a queen that is taken for nothing.
    for (fen, best) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8"),
        ("3q3k/8/8/8/8/8/6PP/3Q2K1 w - - 0 1", "d1d8"),
    ] {
        let game = Game::new(position(fen));
        let (outcome, reports) = search(&mut small_searcher(), &game, &nodes(0));
        assert_eq!(outcome.best, game.position().parse_uci(best).ok(), "{fen}");
        assert_eq!(reports.last().unwrap().depth, 1);
    }
}

#[test]
fn one_thread_is_deterministic() {
    let game =
        Game::new(position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"));
    let mut counts = Vec::new();
    let mut searcher = small_searcher();
    for _ in 0..2 {
        searcher.clear();
        let (_, reports) = search(&mut searcher, &game, &depth(9));
        counts.push(reports.last().unwrap().nodes);
    }
    assert_eq!(counts[0], counts[1]);
}

#[test]
fn many_threads_agree_on_a_mate() {
    let mut searcher = small_searcher();
    searcher.set_threads(5);
    let game = Game::new(position("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"));
    let (_, reports) = search(&mut searcher, &game, &depth(12));
    assert!(matches!(reports.last().unwrap().score, Score::Mate(n) if n > 0));
    let limits = Limits { movetime_ms: Some(100), ..Limits::default() };
    search(&mut searcher, &Game::new(Position::startpos()), &limits);
    searcher.clear();
    searcher.set_threads(1);
    search(&mut searcher, &Game::new(Position::startpos()), &depth(4));
}

#[test]
fn too_large_a_table_is_refused_and_the_old_one_stays() {
    let mut searcher = small_searcher();
    assert!(searcher.set_hash(usize::MAX).is_err());
    assert!(searcher.set_hash(1 << 40).is_err());
    search(&mut searcher, &Game::new(Position::startpos()), &depth(5));
}

#[test]
fn reports_are_sound_in_random_games() {
    let mut random = Random(2024);
    let mut searcher = small_searcher();
    for _ in 0..25 {
        let mut game = Game::new(Position::startpos());
        for ply in 0..160 {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            if ply % 8 == 7 {
                search(&mut searcher, &game, &nodes(400));
            }
            let mv = moves[random.below(moves.len())];
            game.play(mv);
        }
    }
}

#[test]
fn reports_are_sound_in_games_against_itself() {
    let mut searcher = small_searcher();
    for fen in [
        "8/8/4k3/8/8/3QK3/8/8 w - - 80 1",
        "8/5k2/8/8/8/2R5/8/K2r4 w - - 90 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        let mut game = Game::new(position(fen));
        for _ in 0..60 {
            let (outcome, _) = search(&mut searcher, &game, &nodes(3000));
            let Some(best) = outcome.best else { break };
            game.play(best);
        }
    }
}

#[test]
fn limited_strength_still_plays_legally() {
    let game = Game::new(Position::startpos());
    for elo in [0, engine::search::MIN_ELO, 2000, engine::search::MAX_ELO, 9999] {
        let options = Options { elo: Some(elo), ..Options::default() };
        let reports = Reports::default();
        let limits = depth(12);
        let outcome = small_searcher().search(&game, &limits, &options, &Control::new(), &reports);
        check_reports(&game, &outcome, &reports.all());
    }
}

#[test]
fn a_wrong_tablebase_path_is_an_error() {
    let mut searcher = small_searcher();
    assert!(searcher.set_syzygy_path("/nowhere/at/all").is_err());
    assert!(searcher.set_syzygy_path(env!("CARGO_MANIFEST_DIR")).is_err());
    assert_eq!(searcher.set_syzygy_path("").unwrap(), 0);
    search(&mut searcher, &Game::new(position("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")), &depth(4));
}
