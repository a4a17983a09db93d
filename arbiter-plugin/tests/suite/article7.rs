//! Article 7: irregularities.

use arbiter_plugin::plugin::{ClockState, Side};
use serde_json::{Value, json};

use crate::scene::{START, Scene, sudden_death, three_moves_a_minute};

fn irregularity(scene: &mut Scene, kind: &str, since_ply: Option<u32>) {
    scene.tell(json!({"type": "irregularity", "kind": kind, "t": 90_000, "since_ply": since_ply}));
}

const TEN_MOVES: &str = "b1c3 b8c6 c3b1 c6b8 g1f3 g8f6 f3g1 f6g8 e2e4 e7e5 b1c3 b8c6 c3b1 c6b8 \
                         g1f3 g8f6 f3g1 f6g8 d2d4 d7d5";

/// The first plies of a game of ten moves each.
fn plies(count: usize) -> String {
    TEN_MOVES.split_whitespace().take(count).collect::<Vec<_>>().join(" ")
}

#[test]
pub fn restoring_sets_the_counters_back() {
    let control = json!({"mode": "increment", "increment_ms": 10_000,
        "periods": [{"moves": 3, "base_ms": 60_000}, {"moves": null, "base_ms": 30_000}]});
    let game = |regulations: Value| {
        let mut scene = Scene::timed("2018", START, control.clone(), regulations);
        scene.moves(&plies(8));
        assert_eq!(scene.clocks(), (60_000 + 30_000 + 40_000 - 4_000, 126_000));
        irregularity(&mut scene, "displaced_piece", Some(4));
        scene.expect(json!([{"ruling": "position_restored", "to_ply": 4, "article": "7.6"}]));
        let state = scene.state();
        assert_eq!(state.moves.len(), 4);
        assert_eq!(state.occurrences, 2, "the repetition table is back too");
        assert_eq!(state.clocks.as_ref().map(|clocks| clocks.moves_completed), Some([2, 2]));
        assert_eq!(state.clocks.map(|clocks| clocks.period), Some([0, 0]));
        scene
    };
    // Time used stays used; increments and the new period are taken back.
    let kept = game(json!({})).clocks();
    assert!(kept.0 < 60_000 + 20_000 - 4_000 && kept.1 == 60_000 + 20_000 - 4_000, "{kept:?}");
    // Or everything as it stood.
    let rewound = game(json!({"restore_clocks": "rewind"})).clocks();
    assert_eq!(rewound, (60_000 + 20_000 - 2_000, 60_000 + 20_000 - 2_000));
}

#[test]
pub fn a_wrong_start_cancels() {
    let mut scene = Scene::new(START);
    scene.moves(TEN_MOVES);
    irregularity(&mut scene, "wrong_start", None);
    scene.expect(json!([{"ruling": "game_cancelled", "article": "7.2.1", "new_game": true}]));
    scene.forget().made("w", 95_000, "e4d5");
    scene.expect(json!([{"ruling": "no_action"}]));
    assert_eq!(scene.state().moves.len(), 20);
    // After the end the result stands.
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "resigned", "by": "w", "t": 10}));
    irregularity(&mut scene, "wrong_start", None);
    scene.expect(json!([{"ruling": "no_action", "article": "7.2.1"}]));
    assert!(scene.state().outcome.is_some());
}

#[test]
pub fn a_turned_board_is_no_matter() {
    let mut scene = Scene::new(START);
    scene.moves(TEN_MOVES);
    let fen = scene.state().fen;
    irregularity(&mut scene, "board_orientation", None);
    scene.expect(json!([{"ruling": "no_action", "article": "7.2.2"}])).expect_open();
    assert_eq!(scene.state().fen, fen);
}

fn reversed(edition: &str, count: usize, regulations: Value) -> Scene {
    let mut scene = Scene::with(edition, START, regulations);
    scene.moves(&plies(count));
    irregularity(&mut scene, "colours_reversed", None);
    scene
}

#[test]
pub fn colours_reversed() {
    let cancelled = json!([{"ruling": "game_cancelled", "article": "7.3"}]);
    let goes_on = json!([{"ruling": "no_action", "article": "7.3"}]);
    reversed("2018", 4, json!({})).expect(cancelled.clone());
    reversed("2018", 18, json!({})).expect(cancelled.clone());
    reversed("2018", 19, json!({})).expect(cancelled);
    reversed("2018", 19, json!({"reversed_at_nine_cancels": false})).expect(goes_on.clone());
    reversed("2018", 20, json!({})).expect(goes_on.clone()).expect_open();
    reversed("2014", 4, json!({})).expect(goes_on).expect_open();
}

fn displaced(scene: &mut Scene, by: &str, t: u64) {
    scene.tell(json!({"type": "pieces_displaced", "by": by, "t": t, "squares": ["g8"]}));
}

#[test]
pub fn the_displacer_restores_in_his_time() {
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5");
    displaced(&mut scene, "b", 3000);
    scene.expect(json!([
        {"ruling": "clock_returned_to", "side": "b", "article": "7.4.1"},
        {"ruling": "obligation", "side": "b", "must": "restore_position", "article": "7.4.1"},
    ]));
    scene.pressed("b", 8000).expect_no(json!({"ruling": "illegal_move_recorded"}));
    scene.made("w", 9000, "g1f3").pressed("w", 9000);
    assert_eq!(scene.clocks(), (5_400_000 - 1000 - 2000, 5_400_000 - 1000 - 5000));
}

#[test]
pub fn either_may_call_for_displaced_men() {
    let mut scene = Scene::new(START);
    displaced(&mut scene, "w", 1000);
    scene.tell(json!({"type": "clock_stopped", "by": "b", "reason": "displaced", "t": 1100}));
    scene.expect(json!([{"ruling": "no_action", "article": "7.4.2"}]));
    scene.expect_no(json!({"ruling": "warning"}));
}

#[test]
pub fn displacing_may_be_penalised() {
    let mut scene = Scene::new(START);
    displaced(&mut scene, "w", 1000);
    displaced(&mut scene, "w", 2000);
    scene.expect(json!([{"ruling": "warning", "side": "w", "article": "7.4.3",
        "overridable": true}]));
    scene.tell(json!({"type": "penalty_chosen", "side": "w", "kind": "opponent_time", "t": 3000,
        "ms": 60_000}));
    scene.expect(json!([{"ruling": "time_adjusted", "side": "b", "delta_ms": 60_000}]));
}

const PINNED: &str = "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1";

#[test]
pub fn a_completed_illegal_move() {
    let mut scene = Scene::new(PINNED);
    scene.made("w", 1000, "e2c3").pressed("w", 1500);
    scene.tell(json!({"type": "illegal_move_claimed", "by": "b", "t": 2500}));
    scene.expect(json!([
        {"ruling": "illegal_move_recorded", "side": "w", "count": 1, "article": "7.5.1"},
        {"ruling": "position_restored", "to_ply": 0, "article": "7.5.1"},
        {"ruling": "time_adjusted", "side": "b", "delta_ms": 120_000, "article": "7.5.5"},
        {"ruling": "obligation", "free": true, "article": "4.5"},
    ]));
    assert_eq!(scene.state().illegal_moves, [1, 0]);
    // White's clock ran on; Black has his bonus.
    assert_eq!(scene.clocks(), (5_397_500, 5_520_000));
}

#[test]
pub fn the_replacement_is_bound() {
    // An illegal capture: the man moved, then the man taken.
    let mut scene = Scene::new("4k3/8/8/3p4/2N1P3/8/8/4K3 w - - 0 1");
    scene.made("w", 1000, "c4d5").pressed("w", 1500);
    scene.expect(json!([{"ruling": "obligation", "must_move": "c4", "article": "4.3.1"}]));
    // Taking the king is no capture.
    let mut scene = Scene::new("4k3/4p3/8/8/8/8/4R3/4K3 w - - 0 1");
    scene.made("w", 1000, "e2e8").pressed("w", 1500);
    scene.expect(json!([{"ruling": "obligation", "must_move": "e2", "article": "4.3.1"}]));
    // Illegal castling: another king move.
    let mut scene = Scene::new("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    scene.made("w", 1000, "e1g1").pressed("w", 1500);
    scene.expect(json!([{"ruling": "obligation", "must_move": "e1", "article": "4.4.3"}]));
    scene.made("w", 2000, "e1c1").pressed("w", 2100);
    assert_eq!(scene.state().moves.len(), 1);
    // What was touched before comes first.
    let mut scene = Scene::new(START);
    scene.touched("w", &["b1"]).made("w", 1000, "g1g3").pressed("w", 1500);
    scene.expect(json!([
        {"ruling": "illegal_move_recorded", "side": "w"},
        {"ruling": "obligation", "must_move": "b1"},
    ]));
}

#[test]
pub fn an_illegal_move_found_later() {
    let regulations = json!({"illegal_moves_noticed": "when_reported"});
    let mut scene = Scene::with("2018", START, regulations);
    scene.moves("e2e4 e7e5");
    scene.tell(json!({"type": "draw_offered", "by": "w", "t": 3000}));
    scene.made("w", 3000, "g1g3").pressed("w", 3500).expect_open();
    scene.expect_no(json!({"ruling": "illegal_move_recorded"}));
    scene.tell(json!({"type": "reply_on_illegal_position", "by": "b", "t": 5000, "uci": "b8c6"}));
    scene.pressed("b", 5500);
    scene.tell(json!({"type": "illegal_move_observed", "side": "w", "t": 9000}));
    scene.expect(json!([
        {"ruling": "illegal_move_recorded", "side": "w", "count": 1},
        {"ruling": "position_restored", "to_ply": 2},
        {"ruling": "time_adjusted", "side": "b", "delta_ms": 120_000},
        {"ruling": "obligation", "must_move": "g1"},
    ]));
    let state = scene.state();
    assert_eq!(state.illegal_moves, [1, 0], "the undone reply costs nothing");
    assert_eq!(state.offer, Some(Side::White), "the offer made before it stands");
    assert_eq!(state.clocks.map(|clocks| clocks.running), Some(Some(Side::White)));
}

#[test]
pub fn a_reply_before_it_was_noticed() {
    let mut scene = Scene::new(PINNED);
    scene.made("w", 1000, "e2c3").pressed("w", 1500);
    scene.tell(json!({"type": "reply_on_illegal_position", "by": "b", "t": 2000, "uci": "e7e1"}));
    scene.tell(json!({"type": "illegal_move_claimed", "by": "b", "t": 2500}));
    scene.expect(json!([
        {"ruling": "illegal_move_recorded", "side": "w", "count": 1},
        {"ruling": "position_restored", "to_ply": 0},
    ]));
    assert_eq!(scene.state().illegal_moves, [1, 0]);
}

/// The reply may arrive as an ordinary move, before or after the ruling, and pressed.
#[test]
pub fn a_reply_is_no_offence() {
    for pressed in [true, false] {
        let mut scene = Scene::new(START);
        scene.made("w", 1000, "e2e5");
        if pressed {
            scene.pressed("w", 1500);
        }
        scene.made("b", 2000, "e7e6").pressed("b", 2500);
        scene.tell(json!({"type": "illegal_move_claimed", "by": "b", "t": 3000}));
        assert_eq!(scene.state().illegal_moves, [u32::from(pressed), 0]);
        scene.expect(json!([{"ruling": "obligation", "must_move": "e2", "article": "4.3.1"}]));
        assert!(scene.state().moves.is_empty());
        scene.made("w", 4000, "e2e4").pressed("w", 4500).made("b", 5000, "e7e6");
        assert_eq!(scene.state().moves.len(), 2);
    }
}

/// Before the press an illegal move is replaced without a penalty, with the man that was touched.
#[test]
pub fn replaced_before_the_press() {
    let fen = "4r2k/6pp/8/8/4R3/8/8/4K2Q w - - 0 1";
    let mut scene = Scene::new(fen);
    scene.made("w", 1000, "e4a4").made("w", 2000, "h1h5").pressed("w", 2500);
    scene.expect(json!([
        {"ruling": "obligation", "must_move": "e4", "article": "4.3.1"},
        {"ruling": "clock_returned_to", "side": "w", "article": "4.3.1"},
    ]));
    scene.made("w", 3000, "e4e8");
    assert_eq!((scene.state().moves.len(), scene.state().illegal_moves), (1, [0, 0]));
}

#[test]
pub fn an_irregularity_at_an_earlier_ply() {
    let mut scene = Scene::new(START);
    scene.moves(&plies(8));
    scene.tell(json!({"type": "illegal_move_observed", "side": "b", "t": 9000, "at_ply": 3}));
    scene.expect(json!([
        {"ruling": "illegal_move_recorded", "side": "b", "count": 1, "article": "7.5.1"},
        {"ruling": "position_restored", "to_ply": 3, "article": "7.5.1"},
        {"ruling": "time_adjusted", "side": "w", "delta_ms": 120_000, "article": "7.5.5"},
    ]));
    assert_eq!(scene.state().moves.len(), 3);
    assert_eq!(scene.state().side_to_move, Side::Black);
}

#[test]
pub fn the_increment_of_an_illegal_press() {
    let control = json!({"mode": "increment", "increment_ms": 30_000,
        "periods": [{"moves": null, "base_ms": 60_000}]});
    let white = |regulations: Value| {
        let mut scene = Scene::timed("2018", START, control.clone(), regulations);
        scene.made("w", 1000, "e2e5").pressed("w", 1000);
        scene.clocks().0
    };
    assert_eq!(white(json!({})), 59_000);
    assert_eq!(white(json!({"remove_illegal_increment": false})), 89_000);
}

/// The queen of 7.5.2 stands, and so does the increment of its press: once.
#[test]
pub fn the_increment_of_a_forced_queen() {
    let control = json!({"mode": "increment", "increment_ms": 30_000,
        "periods": [{"moves": null, "base_ms": 60_000}]});
    for remove in [true, false] {
        let regulations = json!({"remove_illegal_increment": remove});
        let mut scene = Scene::timed("2018", RUNNER, control.clone(), regulations);
        scene.tell(json!({"type": "move_made", "by": "w", "t": 1000, "uci": "a7a8",
            "promotion_replaced": false}));
        scene.pressed("w", 1000);
        assert_eq!(scene.clocks().0, 89_000, "{remove}");
    }
}

const RUNNER: &str = "8/P3k3/8/8/8/8/8/4K3 w - - 0 1";

fn unpromoted(fen: &str, from_to: &str, regulations: Value) -> Scene {
    let mut scene = Scene::with("2018", fen, regulations);
    scene.tell(json!({"type": "move_made", "by": "w", "t": 1000, "uci": from_to,
        "promotion_replaced": false}));
    scene.pressed("w", 1500);
    scene
}

#[test]
pub fn a_pawn_not_exchanged_becomes_a_queen() {
    let mut scene = unpromoted(RUNNER, "a7a8", json!({}));
    scene.expect(json!([
        {"ruling": "illegal_move_recorded", "side": "w", "count": 1, "article": "7.5.2"},
        {"ruling": "promotion_forced", "square": "a8", "piece": "Q", "article": "7.5.2"},
        {"ruling": "time_adjusted", "side": "b", "delta_ms": 120_000, "article": "7.5.5"},
    ]));
    scene.expect_no(json!({"ruling": "position_restored"}));
    assert!(scene.state().fen.starts_with("Q7/4k3/8/8/8/8/8/4K3 b"));
    // A blocked pawn was illegal anyway.
    unpromoted("n3k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", json!({}))
        .expect(json!([{"ruling": "position_restored", "to_ply": 0, "article": "7.5.1"}]));
}

#[test]
pub fn a_forced_queen_that_mates() {
    let mates = "k7/7P/1K6/8/8/8/8/8 w - - 0 1";
    unpromoted(mates, "h7h8", json!({})).expect(json!([
        {"ruling": "illegal_move_recorded", "side": "w", "article": "7.5.2"},
        {"ruling": "game_over", "result": "1-0", "reason": "checkmate"},
    ]));
    unpromoted(mates, "h7h8", json!({"forced_queen_ends_game": false}))
        .expect(json!([{"ruling": "position_restored", "to_ply": 0}]))
        .expect_open();
    // The second offence loses first.
    let mut scene = Scene::new(mates);
    scene.made("w", 500, "b6b8").pressed("w", 600);
    scene.tell(json!({"type": "illegal_move_observed", "side": "w", "t": 700}));
    scene
        .forget()
        .made("w", 800, "b6c7")
        .pressed("w", 900)
        .made("b", 950, "a8a7")
        .pressed("b", 990);
    scene.made("w", 1000, "h7h8").pressed("w", 1100);
    let reason = "second_illegal_move_opponent_cannot_mate";
    scene.expect_over("1/2-1/2", reason, "7.5.5");
}

#[test]
pub fn a_press_without_a_move() {
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5").pressed("w", 3000);
    scene.expect(json!([
        {"ruling": "illegal_move_recorded", "side": "w", "count": 1, "article": "7.5.3"},
        {"ruling": "clock_returned_to", "side": "w", "article": "7.5.3"},
        {"ruling": "time_adjusted", "side": "b", "delta_ms": 120_000, "article": "7.5.5"},
    ]));
    // By the player whose clock stands it is nothing.
    scene.forget().pressed("b", 4000);
    scene.expect(json!([{"ruling": "no_action"}]));
    assert_eq!(scene.state().illegal_moves, [1, 0]);
    // 2014 knew only bad handling of the clock.
    let mut scene = Scene::with("2014", START, json!({}));
    scene.pressed("w", 500).expect(json!([{"ruling": "warning", "article": "6.2.c"}]));
    assert_eq!(scene.state().illegal_moves, [0, 0]);
}

fn two_hands(edition: &str, uci: &str, regulations: Value) -> Scene {
    let mut scene = Scene::with(edition, START, regulations);
    scene.tell(json!({"type": "move_made", "by": "w", "t": 1000, "uci": uci, "hands": 2}));
    scene.pressed("w", 1500);
    scene
}

#[test]
pub fn two_hands_and_a_press() {
    two_hands("2018", "e2e4", json!({})).expect(json!([
        {"ruling": "illegal_move_recorded", "side": "w", "count": 1, "article": "7.5.4"},
        {"ruling": "time_adjusted", "side": "b", "delta_ms": 120_000, "article": "7.5.5"},
    ]));
    two_hands("2018", "e2e4", json!({"two_handed_move": "restored"}))
        .expect(json!([{"ruling": "position_restored", "to_ply": 0, "article": "7.5.4"}]));
    let scene = two_hands("2014", "e2e4", json!({}));
    assert_eq!(scene.state().illegal_moves, [0, 0]);
}

#[test]
pub fn two_faults_in_one_action() {
    let scene = two_hands("2018", "e2e5", json!({}));
    assert_eq!(scene.state().illegal_moves, [1, 0]);
    two_hands("2018", "e2e5", json!({"faults_in_one_action": "each"})).expect_over(
        "0-1",
        "second_illegal_move",
        "7.5.5",
    );
}

#[test]
pub fn the_second_illegal_move_loses() {
    let mut scene = Scene::new(START);
    scene.made("w", 1000, "g1g3").pressed("w", 1500);
    scene.made("w", 9000, "g1f3").pressed("w", 9500).made("b", 12_000, "e7e5").pressed("b", 12_500);
    // Faults of another kind count with it.
    scene.pressed("w", 20_000);
    scene.expect_over("0-1", "second_illegal_move", "7.5.5");
    // The opponent has a bare king.
    let mut scene = Scene::new("4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1");
    scene.made("w", 1000, "d2e4").pressed("w", 1500).made("w", 3000, "d2b3").pressed("w", 3500);
    scene.expect_over("1/2-1/2", "second_illegal_move_opponent_cannot_mate", "7.5.5");
    // Each player has his own count.
    let mut scene = Scene::new(START);
    scene.made("w", 1000, "g1g3").pressed("w", 1500).made("w", 2000, "g1f3").pressed("w", 2500);
    scene.made("b", 3000, "g8g6").pressed("b", 3500).expect_open();
    // Between engines the first may lose.
    let mut scene = Scene::with("2018", START, json!({"illegal_moves": "forfeit"}));
    scene.made("w", 1000, "garbage").pressed("w", 1500);
    scene.expect_over("0-1", "second_illegal_move", "7.5.5");
}

#[test]
pub fn a_claim_without_a_ground() {
    let mut scene = Scene::new(START);
    scene.moves("e2e4");
    scene.tell(json!({"type": "illegal_move_claimed", "by": "b", "t": 2500}));
    scene.expect(json!([{"ruling": "claim_rejected", "by": "b", "article": "7.5.1"}]));
    // Not completed: replaced under touch-move, without a penalty.
    let mut scene = Scene::new(START);
    scene.made("w", 1000, "g1g3");
    scene.tell(json!({"type": "illegal_move_claimed", "by": "b", "t": 1200}));
    scene.expect(json!([
        {"ruling": "no_action", "article": "7.5.1"},
        {"ruling": "obligation", "must_move": "g1"},
    ]));
    assert_eq!(scene.state().illegal_moves, [0, 0]);
}

#[test]
pub fn a_displaced_man_found_later() {
    let mut scene = Scene::new(START);
    scene.moves(TEN_MOVES);
    irregularity(&mut scene, "displaced_piece", Some(6));
    scene.expect(json!([{"ruling": "position_restored", "to_ply": 6, "article": "7.6"}]));
    scene.expect_no(json!({"ruling": "illegal_move_recorded"}));
    assert_eq!(scene.state().moves.len(), 6);
}

/// 6.2.2: while White has not pressed, Black's press moves nothing; the queen stands all the same.
#[test]
fn a_forced_queen_before_the_opponents_press() {
    let mut scene = Scene::new("8/4k3/8/8/8/4K3/p7/7R w - - 0 1");
    scene.made("w", 1000, "h1h2").made("b", 2000, "a2a1").pressed("b", 2500);
    scene.expect(json!([{"ruling": "illegal_move_recorded", "side": "b", "count": 1},
        {"ruling": "promotion_forced", "square": "a1"}]));
    scene.pressed("w", 3000).forget().pressed("b", 3500);
    scene.expect_no(json!({"ruling": "illegal_move_recorded"})).expect_open();
    assert_eq!(scene.state().clocks.unwrap().running, Some(Side::White));
    assert_eq!(scene.clocks(), (5_400_000 - 3000 + 120_000, 5_400_000 - 500));
}

#[test]
fn the_clocks_are_turned_back_where_the_event_wants_it() {
    let rewind = json!({"restore_clocks": "rewind"});
    let mut scene = Scene::timed("2018", START, sudden_death(60_000), rewind);
    scene.moves("e2e4 e7e5").made("w", 5000, "g1g3").pressed("w", 6000);
    scene.expect(json!([{"ruling": "position_restored", "to_ply": 2}]));
    assert_eq!(scene.clocks(), (59_000, 59_000 + 120_000));
}

#[test]
fn the_record_knows_whose_move_it_was() {
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5");
    scene.tell(json!({"type": "illegal_move_observed", "side": "b", "t": 9000, "at_ply": 0}));
    assert_eq!(scene.state().illegal_moves, [0, 0]);
    assert_eq!(scene.state().moves.len(), 2);
}

fn restored(scene: &mut Scene, since_ply: u32, t: u64) {
    scene.forget().tell(json!({"type": "irregularity", "kind": "displaced_piece", "t": t,
        "since_ply": since_ply}));
}

fn clock_state(scene: &Scene) -> ClockState {
    scene.state().clocks.expect("the game has clocks")
}

/// 7.1: what undone presses had gained is taken back, but nobody's flag falls by it.
#[test]
fn restoring_drops_no_flag() {
    let mut scene = Scene::timed("2018", START, three_moves_a_minute(), json!({}));
    scene.moves("e2e4 e7e5 g1f3 b8c6");
    scene.made("w", 50_000, "f1b5").pressed("w", 50_000);
    scene.made("b", 51_000, "a7a6").pressed("b", 51_000);
    restored(&mut scene, 4, 80_000);
    scene.expect(json!([
        {"ruling": "position_restored", "to_ply": 4, "article": "7.6"},
        {"ruling": "time_adjusted", "side": "b", "delta_ms": -30_000, "clock_ms": 57_000,
            "article": "7.1"},
    ]));
    scene.expect_no(json!({"ruling": "time_adjusted", "side": "w"}));
    assert_eq!(scene.clocks(), (13_000, 57_000), "White's stays as it was");
    assert_eq!(clock_state(&scene).moves_completed, [2, 2]);
    scene.tell(json!({"type": "flag_observed", "side": "w", "t": 80_000})).expect_open();
    // The time of the period is given once.
    scene.made("w", 81_000, "f1c4").pressed("w", 81_000);
    scene.made("b", 82_000, "a7a6").pressed("b", 82_000);
    assert_eq!(scene.clocks(), (12_000, 86_000));
    // Nor do increments that are taken back drop it.
    let control = json!({"mode": "increment", "increment_ms": 10_000,
        "periods": [{"moves": null, "base_ms": 10_000}]});
    let mut scene = Scene::timed("2018", START, control, json!({"auto_flag": true}));
    for (by, t, uci) in [("w", 9, "e2e4"), ("b", 10, "e7e5"), ("w", 20, "g1f3"), ("b", 21, "b8c6")]
    {
        scene.made(by, t * 1000, uci).pressed(by, t * 1000);
    }
    restored(&mut scene, 0, 31_000);
    scene.expect(json!([{"ruling": "time_adjusted", "side": "b", "delta_ms": -20_000}]));
    scene.expect_no(json!({"ruling": "time_adjusted", "side": "w"}));
    assert_eq!(scene.clocks(), (1_000, 8_000));
    scene.made("w", 31_500, "e2e4").expect_open();
    // Nor does turning back the clocks, where a penalty has cost more than was left then.
    let rewind = json!({"restore_clocks": "rewind"});
    let mut scene = Scene::timed("2018", START, three_moves_a_minute(), rewind);
    scene.moves(&plies(5));
    scene.tell(json!({"type": "penalty_chosen", "side": "w", "kind": "less_time", "t": 5000,
        "ms": 70_000}));
    restored(&mut scene, 4, 5000);
    assert_eq!(scene.clocks(), (17_000, 58_000));
}

/// The arbiter's own restoring, and that after an illegal move found later, go the same way.
#[test]
fn every_restoring_announces_the_times() {
    for event in [
        json!({"type": "arbiter_decision", "t": 8000, "decision": "restore", "to_ply": 4}),
        json!({"type": "illegal_move_observed", "side": "w", "t": 8000, "at_ply": 4}),
    ] {
        let mut scene = Scene::timed("2018", START, three_moves_a_minute(), json!({}));
        scene.moves(&plies(6)).forget().tell(event);
        scene.expect(json!([
            {"ruling": "position_restored", "to_ply": 4},
            {"ruling": "time_adjusted", "side": "w", "delta_ms": -30_000, "article": "7.1"},
            {"ruling": "time_adjusted", "side": "b", "delta_ms": -30_000, "article": "7.1"},
        ]));
    }
}

/// Who has not pressed yet may still do so after the board was put right (6.2.2).
#[test]
fn an_unpressed_move_stays_unpressed() {
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5").made("w", 3000, "g1f3");
    restored(&mut scene, 3, 4000);
    scene.pressed("w", 5000);
    assert_eq!(clock_state(&scene).moves_completed, [2, 1]);
    assert_eq!(clock_state(&scene).running, Some(Side::Black));
}

#[test]
fn since_when_is_not_known() {
    let mut scene = Scene::new(START);
    scene.moves(TEN_MOVES);
    scene.tell(json!({"type": "irregularity", "kind": "displaced_piece", "t": 90_000,
        "identifiable": false}));
    scene.expect(json!([{"ruling": "position_restored", "to_ply": 20, "article": "7.6",
        "why": "the last position that can be identified"}]));
    // Beyond the last move nothing is taken back.
    let mut scene = Scene::new(START);
    scene.moves(TEN_MOVES);
    restored(&mut scene, u32::MAX, 90_000);
    scene.expect(json!([{"ruling": "position_restored", "to_ply": 20}]));
}

/// 7.4.1 is over when the position is restored from the record, and when its player moves.
#[test]
fn restoring_displaced_men_ends() {
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5");
    displaced(&mut scene, "b", 3000);
    restored(&mut scene, 2, 4000);
    scene.made("w", 5000, "g1f3").pressed("w", 5000);
    scene.made("b", 6000, "b8c6").pressed("b", 6000);
    assert_eq!(clock_state(&scene).moves_completed, [2, 2]);
    assert_eq!(clock_state(&scene).running, Some(Side::White));

    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5");
    displaced(&mut scene, "b", 3000);
    scene.made("w", 3500, "g1f3").made("b", 4000, "b8c6").pressed("b", 4500);
    assert_eq!(clock_state(&scene).moves_completed, [1, 2]);
    assert_eq!(clock_state(&scene).running, Some(Side::White));
    // An illegal one too is completed by the press.
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5");
    displaced(&mut scene, "b", 3000);
    scene.made("w", 3500, "g1f3").made("b", 4000, "b8b6").pressed("b", 4500);
    scene.expect(json!([{"ruling": "illegal_move_recorded", "side": "b", "count": 1}]));
    // One out of turn as well; dismissed, it does not keep the clock.
    for pressed in [true, false] {
        let mut scene = Scene::new(START);
        scene.moves("e2e4 e7e5");
        displaced(&mut scene, "b", 3000);
        scene.made("b", 4000, "b8c6");
        if pressed {
            scene.pressed("b", 4500);
        } else {
            scene.tell(json!({"type": "illegal_move_observed", "side": "b", "t": 4500}));
        }
        assert_eq!(scene.state().illegal_moves, [0, u32::from(pressed)]);
        scene.pressed("b", 5000);
        assert_eq!(scene.state().illegal_moves, [0, u32::from(pressed)]);
        assert_eq!(clock_state(&scene).running, Some(Side::White));
    }

    // Of two who displaced men, the one on the move just goes on.
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5");
    displaced(&mut scene, "b", 3000);
    displaced(&mut scene, "w", 3500);
    scene.made("w", 4000, "g1f3").pressed("w", 4500);
    assert_eq!(clock_state(&scene).moves_completed, [2, 1]);
    assert_eq!(clock_state(&scene).running, Some(Side::Black));
}

/// 7.5.4 concerns the move made with two hands, not the reply that came before its press.
#[test]
fn two_hands_and_a_late_press() {
    let regulations = json!({"two_handed_move": "restored"});
    let mut scene = Scene::with("2018", START, regulations);
    scene.tell(json!({"type": "move_made", "by": "w", "t": 1000, "uci": "e2e4", "hands": 2}));
    scene.made("b", 2000, "e7e5").pressed("w", 3000);
    scene.expect(json!([
        {"ruling": "illegal_move_recorded", "side": "w", "count": 1, "article": "7.5.4"},
        {"ruling": "position_restored", "to_ply": 0, "article": "7.5.4"},
    ]));
    assert!(scene.state().moves.is_empty());
    assert_eq!(clock_state(&scene).running, Some(Side::White));
}

/// An illegal press has gained its increment until somebody notices; then the regulations decide.
#[test]
fn the_increment_of_an_illegal_press_found_later() {
    let control = json!({"mode": "increment", "increment_ms": 30_000,
        "periods": [{"moves": null, "base_ms": 60_000}]});
    for (remove, left) in [(true, 59_000), (false, 89_000)] {
        let regulations = json!({"remove_illegal_increment": remove,
            "illegal_moves_noticed": "when_reported"});
        let mut scene = Scene::timed("2018", START, control.clone(), regulations.clone());
        scene.made("w", 1000, "e2e5").pressed("w", 1000);
        assert_eq!(scene.clocks().0, 89_000);
        scene.tell(json!({"type": "illegal_move_claimed", "by": "b", "t": 1000}));
        scene.expect(json!([{"ruling": "illegal_move_recorded", "side": "w", "count": 1}]));
        assert_eq!(scene.clocks().0, left, "{remove}");
        // The same where the host knows the ply.
        let mut scene = Scene::timed("2018", START, control.clone(), regulations);
        scene.moves("e2e4 e7e5");
        scene.tell(json!({"type": "illegal_move_claimed", "by": "b", "t": 2000, "at_ply": 0}));
        assert_eq!(scene.clocks(), (left, 59_000 + 120_000), "{remove}");
    }
    // A flag that had fallen before the press stays fallen.
    let keeps = json!({"remove_illegal_increment": false});
    let mut scene = Scene::timed("2018", START, control, keeps);
    scene.made("w", 60_500, "e2e5").pressed("w", 60_500).expect_open();
    scene.tell(json!({"type": "flag_claimed", "by": "b", "against": "w", "t": 61_000}));
    scene.expect_over("0-1", "flag_fall", "6.9");
}

/// Putting displaced men right on the same move frees nobody from touch-move or a claim.
#[test]
fn restoring_on_the_same_move_frees_nobody() {
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5").touched("w", &["b1"]);
    restored(&mut scene, 2, 4000);
    scene.made("w", 5000, "g1f3");
    assert_eq!(scene.state().moves.len(), 2);
    scene.made("w", 6000, "b1c3");
    assert_eq!(scene.state().moves.len(), 3);
    // An earlier move is another one.
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5").touched("w", &["b1"]);
    restored(&mut scene, 0, 4000);
    scene.made("w", 5000, "g1f3");
    assert_eq!(scene.state().moves.len(), 1);
}

/// Where the host names an earlier ply, that counts, whatever else is still unnoticed.
#[test]
fn an_earlier_illegal_move_before_one_that_is_unnoticed() {
    let regulations = json!({"illegal_moves_noticed": "when_reported"});
    let mut scene = Scene::with("2018", START, regulations);
    scene.moves("e2e4 e7e5").made("w", 3000, "g1g3").pressed("w", 3500);
    scene.tell(json!({"type": "illegal_move_observed", "side": "w", "t": 4000, "at_ply": 0}));
    scene.expect(json!([{"ruling": "position_restored", "to_ply": 0, "article": "7.5.1"}]));
    assert!(scene.state().moves.is_empty());
    scene.made("w", 5000, "d2d4").pressed("w", 5500);
    assert_eq!(scene.state().moves.len(), 1, "play goes on");
}

/// 7.5.2 waits for the press, whoever speaks or replies before.
#[test]
fn a_pawn_not_exchanged_before_the_press() {
    let claim = json!({"type": "illegal_move_claimed", "by": "b", "t": 1200});
    let mut scene = Scene::new(RUNNER);
    scene.made("w", 1000, "a7a8").tell(claim.clone());
    scene.expect(json!([{"ruling": "no_action", "article": "7.5.1"}]));
    scene.pressed("w", 1500).expect(json!([{"ruling": "promotion_forced", "square": "a8"}]));
    let mut scene = Scene::new(RUNNER);
    scene.made("w", 1000, "a7a8").tell(claim).forget().made("w", 1300, "a7a8r");
    scene.pressed("w", 1500).expect_no(json!({"ruling": "illegal_move_recorded"}));
    assert_eq!(scene.state().moves.len(), 1);
    // A reply is no offence of its own.
    let mut scene = Scene::new(RUNNER);
    scene.made("w", 1000, "a7a8").made("b", 1200, "e7e6").pressed("w", 1500).pressed("b", 1600);
    scene.expect(json!([{"ruling": "clock_returned_to", "side": "b", "article": "7.5.1"}]));
    assert_eq!((scene.state().moves.len(), scene.state().illegal_moves), (1, [1, 0]));
    scene.made("b", 2000, "e7e6").pressed("b", 2500);
    assert_eq!((scene.state().moves.len(), scene.state().illegal_moves), (2, [1, 0]));
    // The pawn was released there: the player may still choose the piece, and nothing else.
    let mut scene = Scene::new(RUNNER);
    scene.made("w", 1000, "a7a8").made("w", 1200, "e1e2");
    scene.expect(json!([{"ruling": "obligation", "side": "w", "must_move": "a7"}]));
    assert!(scene.state().moves.is_empty());
    scene.made("w", 1400, "a7a8n");
    assert_eq!(scene.state().moves.len(), 1);
}
