//! Article 6: the chess clock.

use arbiter_plugin::plugin::Side;
use serde_json::{Value, json};

use crate::scene::{START, Scene, sudden_death, three_moves_a_minute};

fn timed(time_control: Value) -> Scene {
    Scene::timed("2018", START, time_control, json!({}))
}

fn flag(scene: &mut Scene, side: &str, t: u64) {
    scene.tell(json!({"type": "flag_observed", "side": side, "t": t}));
}

#[test]
pub fn one_clock_runs() {
    let mut scene = timed(sudden_death(60_000));
    scene.moves("e2e4 e7e5");
    assert_eq!(scene.state().clocks.map(|clocks| clocks.running), Some(Some(Side::White)));
    assert_eq!(scene.clocks(), (59_000, 59_000));
    flag(&mut scene, "w", 2_000 + 59_000);
    scene.expect_over("0-1", "flag_fall", "6.9");
}

#[test]
pub fn the_press_completes_the_move() {
    let mut scene = Scene::new(START);
    let completed = |scene: &Scene| scene.state().clocks.map(|clocks| clocks.moves_completed);
    scene.made("w", 1000, "e2e4");
    assert_eq!(completed(&scene), Some([0, 0]));
    scene.pressed("w", 1500);
    assert_eq!(completed(&scene), Some([1, 0]));
    // The control move was made, not completed.
    let mut scene = timed(three_moves_a_minute());
    scene.moves("e2e4 e7e5 g1f3 b8c6").made("w", 59_000, "f1b5");
    flag(&mut scene, "w", 62_100);
    scene.expect_over("0-1", "flag_fall", "6.9");
}

#[test]
pub fn the_last_move_needs_no_press() {
    let mut scene = Scene::new(START);
    scene.moves("f2f3 e7e5 g2g4").made("b", 4000, "d8h4").pressed("b", 4100);
    scene.expect(json!([
        {"ruling": "game_over", "reason": "checkmate"},
        {"ruling": "no_action", "article": "6.2.1.1"},
    ]));
}

#[test]
pub fn the_next_move_completes_the_last() {
    let mut scene = Scene::new(START);
    scene.made("w", 1000, "e2e4").made("b", 2000, "e7e5").made("w", 3000, "g1f3");
    assert_eq!(scene.state().clocks.map(|clocks| clocks.moves_completed), Some([1, 0]));
    assert_eq!(scene.state().moves.len(), 3);
}

#[test]
pub fn a_late_press() {
    let mut scene = Scene::new(START);
    scene.made("w", 1000, "e2e4").made("b", 2000, "e7e5").pressed("b", 2500);
    scene.expect(json!([{"ruling": "no_action", "article": "6.2.2"}])).forget();
    scene.pressed("w", 3000);
    scene.expect(json!([{"ruling": "no_action", "article": "6.2.2"}]));
    scene.expect_no(json!({"ruling": "illegal_move_recorded"}));
    assert_eq!(scene.clocks(), (5_397_000, 5_400_000), "the time is White's");
    scene.pressed("b", 3200);
    assert_eq!(scene.state().clocks.map(|clocks| clocks.running), Some(Some(Side::White)));
}

#[test]
pub fn the_same_hand() {
    let mut scene = Scene::new(START);
    scene.made("w", 1000, "e2e4");
    scene.tell(json!({"type": "clock_pressed", "by": "w", "t": 1100, "same_hand": false}));
    scene.expect(json!([{"ruling": "warning", "side": "w", "article": "6.2.3"}]));
    scene.tell(json!({"type": "misconduct", "by": "b", "article": "6.2.3", "t": 1200}));
    scene.expect(json!([{"ruling": "warning", "side": "b", "article": "6.2.3"}]));
}

#[test]
pub fn handling_the_clock() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "misconduct", "by": "b", "article": "6.2.4", "t": 5}));
    scene.expect(json!([
        {"ruling": "warning", "side": "b", "article": "6.2.4"},
        {"ruling": "penalty", "side": "b", "article": "6.2.4", "overridable": true},
    ]));
}

fn adjusts(by: &str, regulations: Value) -> Scene {
    let mut scene = Scene::with("2018", START, regulations);
    scene.made("w", 1000, "e2e4");
    scene.tell(json!({"type": "piece_touched", "by": by, "t": 1100, "squares": ["d2"],
        "intent": "adjust"}));
    scene
}

#[test]
pub fn who_adjusts_between_move_and_press() {
    adjusts("w", json!({})).expect(json!([{"ruling": "warning", "side": "w"}]));
    adjusts("b", json!({})).expect(json!([{"ruling": "warning", "side": "b",
        "article": "6.2.5"}]));
    let no_warning = json!({"ruling": "warning"});
    adjusts("b", json!({"adjusting_between": "has_the_move"})).expect_no(no_warning.clone());
    adjusts("w", json!({"adjusting_between": "clock_runs"})).expect_no(no_warning);
}

#[test]
pub fn a_clock_assistant() {
    let assistant = |disability: bool| {
        let mut scene = Scene::new(START);
        scene.tell(json!({"type": "assistant_appointed", "by": "b", "reason": "clock", "t": 0,
            "disability": disability, "reduction_ms": 600_000}));
        scene
    };
    assistant(false).expect(json!([{
        "ruling": "time_adjusted", "side": "b", "delta_ms": -600_000, "article": "6.2.6",
    }]));
    assistant(true).expect_no(json!({"ruling": "time_adjusted"}));
}

#[test]
pub fn the_schedule_is_fixed_beforehand() {
    let mut scene = Scene::new(START);
    let mut refused = |periods: Value| {
        let start = json!({"type": "game_started", "time_control": {"periods": periods}});
        scene.try_tell(&start).expect_err("an unsound schedule")
    };
    assert!(refused(json!([{"moves": 40, "base_ms": 1000}])).contains("6.3.1"));
    assert!(
        refused(json!([{"moves": null, "base_ms": 1}, {"moves": null, "base_ms": 1}]))
            .contains("6.3.1")
    );
    assert!(
        refused(json!([{"moves": 0, "base_ms": 1}, {"moves": null, "base_ms": 1}]))
            .contains("6.3.1")
    );
    // The last period of a repeating schedule comes again.
    let mut scene = timed(json!({"mode": "none", "repeat_last": true,
        "periods": [{"moves": 1, "base_ms": 10_000}]}));
    scene.moves("e2e4 e7e5 g1f3 b8c6");
    assert_eq!(scene.clocks(), (30_000 - 2_000, 30_000 - 2_000));
}

#[test]
pub fn time_carries_over() {
    let mut scene = timed(three_moves_a_minute());
    scene.moves("e2e4 e7e5 g1f3 b8c6").made("w", 59_000, "f1b5").pressed("w", 60_000);
    scene.expect(json!([{
        "ruling": "period_advanced", "side": "w", "clock_ms": 32_000, "article": "6.3.2",
    }]));
    assert_eq!(scene.clocks(), (32_000, 58_000));
}

#[test]
pub fn increment_adds_up() {
    let mut scene = timed(json!({"mode": "increment", "increment_ms": 30_000,
        "periods": [{"moves": null, "base_ms": 60_000}]}));
    scene.moves("e2e4 e7e5 g1f3");
    assert_eq!(scene.clocks(), (60_000 + 60_000 - 2_000, 60_000 + 30_000 - 1_000));
    // Not for a flag that had fallen before the press.
    let mut scene = timed(json!({"mode": "increment", "increment_ms": 30_000,
        "periods": [{"moves": null, "base_ms": 60_000}]}));
    scene.made("w", 59_000, "e2e4").pressed("w", 60_100).expect_open();
    scene.tell(json!({"type": "flag_claimed", "by": "b", "against": "w", "t": 61_000}));
    scene.expect_over("0-1", "flag_fall", "6.9");
    // An increment that is on the clock from the first move.
    let scene = timed(json!({"mode": "increment", "increment_ms": 5_000,
        "increment_up_front": true, "periods": [{"moves": null, "base_ms": 60_000}]}));
    assert_eq!(scene.clocks(), (65_000, 65_000));
}

#[test]
pub fn delay_never_adds() {
    let mut scene = timed(json!({"mode": "delay", "delay_ms": 5_000,
        "periods": [{"moves": null, "base_ms": 3_600_000}]}));
    let moves = json!(["e2e4", "e7e5", "g1f3", "b8c6"]);
    scene.tell(json!({"type": "moves_played", "t0": 4000, "ms_per_move": 4000, "uci": moves}));
    scene.expect(json!([{"ruling": "no_action", "article": "6.3.2"}]));
    assert_eq!(scene.clocks(), (3_600_000, 3_600_000));
    scene.made("w", 16_000 + 7_000, "f1b5").pressed("w", 16_000 + 8_000);
    assert_eq!(scene.clocks(), (3_597_000, 3_600_000), "eight seconds less the five of the delay");
}

#[test]
pub fn a_fall_is_checked_at_once() {
    let mut scene = timed(three_moves_a_minute());
    // White has used 59.9 s when he completes his third move.
    scene.moves("e2e4 e7e5 g1f3 b8c6").made("w", 61_000, "f1b5").pressed("w", 61_900);
    flag(&mut scene, "w", 62_000);
    scene.expect(json!([
        {"ruling": "period_advanced", "side": "w", "clock_ms": 30_100},
        {"ruling": "no_action", "article": "6.4"},
    ]));
    scene.expect_open();
}

#[test]
pub fn an_overstep_is_found_by_the_record() {
    // The clock adds the second period although the third move came too late.
    let mut scene = timed(three_moves_a_minute());
    scene.moves("e2e4 e7e5 g1f3 b8c6").made("w", 61_000, "f1b5").pressed("w", 62_500);
    scene.expect_open();
    scene.tell(json!({"type": "flag_claimed", "by": "b", "against": "w", "t": 63_000}));
    scene.expect_over("0-1", "flag_fall", "6.9");
}

#[test]
pub fn where_the_clock_stands() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "clock_placed", "side": "left", "t": 0}));
    scene.expect(json!([{"ruling": "no_action", "article": "6.5"}]));
}

#[test]
pub fn whites_clock_starts_at_the_hour() {
    let mut scene = timed(sudden_death(60_000));
    scene.tell(json!({"type": "game_scheduled_start", "t": 10_000}));
    scene.expect(json!([{"ruling": "no_action", "article": "6.6"}]));
    scene.made("w", 15_000, "e2e4").pressed("w", 16_000);
    assert_eq!(scene.clocks(), (54_000, 60_000));
}

fn arrivals(regulations: Value, arrivals: &[(&str, u64)]) -> Scene {
    let mut scene = Scene::with("2018", START, regulations);
    scene.tell(json!({"type": "game_scheduled_start", "t": 0}));
    for (by, t) in arrivals {
        scene.tell(json!({"type": "player_arrived", "by": by, "t": t}));
    }
    scene
}

#[test]
pub fn default_time() {
    arrivals(json!({"default_time_ms": null}), &[("b", 1000)])
        .expect_over("1-0", "forfeit_late", "6.7.1")
        .expect(json!([{"ruling": "game_over", "overridable": true}]));
    let half_hour = json!({"default_time_ms": 1_800_000});
    arrivals(half_hour.clone(), &[("b", 1_799_000)]).expect_open();
    arrivals(half_hour.clone(), &[("b", 1_800_000)]).expect_open();
    arrivals(half_hour, &[("b", 1_800_001)]).expect_over("1-0", "forfeit_late", "6.7.1");
    // Both late.
    let both = [("w", 1000), ("b", 2000)];
    arrivals(json!({}), &both).expect(json!([
        {"ruling": "game_over", "result": "0-1", "reason": "forfeit_late"},
        {"ruling": "game_over", "result": "0-0", "reason": "forfeit_late"},
    ]));
    arrivals(json!({"both_late": "ask_host"}), &both)
        .expect(json!([{"ruling": "no_action", "article": "6.7.1", "overridable": true}]));
}

#[test]
pub fn who_came_in_time_is_not_late_when_he_comes_again() {
    let mut scene = arrivals(json!({}), &[("w", 0), ("b", 1000), ("w", 2000)]);
    scene.expect_over("1-0", "forfeit_late", "6.7.1").expect_no(json!({"result": "0-0"}));
}

#[test]
pub fn the_arbiter_may_let_the_late_player_play() {
    let mut scene = arrivals(json!({}), &[("b", 1000)]);
    scene.tell(json!({"type": "arbiter_decision", "t": 5000, "about": "forfeit_late",
        "decision": "play_on"}));
    scene.expect(json!([{"ruling": "no_action", "article": "6.7.1"}])).expect_open();
    scene.made("w", 6000, "e2e4").pressed("w", 6100);
    assert_eq!(scene.state().moves.len(), 1);
    assert_eq!(scene.clocks().0, 5_400_000 - 2100, "the time between is nobody's");
}

#[test]
pub fn white_loses_the_time_before_he_arrives() {
    let mut scene = arrivals(json!({"default_time_ms": 1_800_000}), &[("w", 600_000)]);
    scene.expect(json!([{
        "ruling": "time_adjusted", "side": "w", "delta_ms": -600_000, "article": "6.7.2",
    }]));
    assert_eq!(scene.clocks(), (4_800_000, 5_400_000));
}

#[test]
pub fn a_fall_exists_once_observed_or_claimed() {
    let mut scene = timed(sudden_death(60_000));
    scene.made("w", 61_000, "e2e4").pressed("w", 61_500).expect_open();
    scene.made("b", 62_000, "e7e5").expect_open();
    scene.tell(json!({"type": "flag_claimed", "by": "b", "against": "w", "t": 63_000}));
    scene.expect_over("0-1", "flag_fall", "6.9");
    // A claim with time left is wrong.
    let mut scene = timed(sudden_death(60_000));
    scene.tell(json!({"type": "flag_claimed", "by": "b", "against": "w", "t": 59_999}));
    scene.expect(json!([{"ruling": "claim_rejected", "by": "b", "article": "6.8"}]));
    // With the switch for electronic hosts the moment itself counts.
    let mut scene = Scene::timed("2018", START, sudden_death(60_000), json!({"auto_flag": true}));
    scene.made("w", 60_000, "e2e4").expect_over("0-1", "flag_fall", "6.9");
}

#[test]
pub fn a_flag_loses_unless_the_opponent_cannot_mate() {
    let mut scene = Scene::new("8/8/4k3/3R4/2K5/8/8/8 w - - 0 50");
    flag(&mut scene, "w", 5_400_001);
    scene.expect_over("1/2-1/2", "flag_fall_opponent_cannot_mate", "6.9");
    // The loser's own under-promotion helps.
    let mut scene = Scene::new("8/8/8/4k3/4p3/4N3/3K4/8 b - - 0 1");
    scene.tell(json!({"type": "flag_claimed", "by": "w", "against": "b", "t": 5_400_001}));
    scene.expect_over("1-0", "flag_fall", "6.9");
    let line = scene.rulings[0]["evidence"]["line_san"].as_array().cloned().unwrap_or_default();
    let last = line.last().and_then(Value::as_str).unwrap_or_default().to_owned();
    assert!(last.ends_with('#'), "the line that mates is shown: {line:?}");
}

#[test]
fn the_line_that_mates_writes_castling_as_the_game_does() {
    // Castling is the only move, and the king is not at home.
    let mut scene = Scene::new("5r2/k7/8/8/8/7p/7P/6KR w H - 0 1");
    flag(&mut scene, "w", 5_400_001);
    assert_eq!(scene.rulings[0]["evidence"]["line_uci"][0], "g1h1");
}

#[test]
pub fn made_but_illegal_at_the_fall() {
    // The illegal capture of the last man is not on the board yet: White's rook still can mate.
    let mut scene = Scene::new("4k3/8/8/8/8/8/R7/4K3 b - - 0 1");
    scene.made("b", 1000, "e8a2");
    flag(&mut scene, "b", 5_400_001);
    scene.expect_over("1-0", "flag_fall", "6.9");
}

#[test]
pub fn the_75_move_horizon() {
    // White is to take 150 quiet half-moves to one: no mate in one is there.
    let fen = "7k/8/5K2/8/8/8/8/6R1 b - - 148 120";
    let mut scene = Scene::new(fen);
    flag(&mut scene, "b", 5_400_001);
    scene.expect_over("1-0", "flag_fall", "6.9");
    let mut scene = Scene::with("2018", fen, json!({"mate_horizon": "respect"}));
    flag(&mut scene, "b", 5_400_001);
    scene.expect_over("1/2-1/2", "flag_fall_opponent_cannot_mate", "6.9");
}

#[test]
pub fn both_flags() {
    let both = json!({"type": "flag_observed", "side": "w", "t": 70_000, "both": true});
    let game = |regulations: Value| {
        let mut scene = Scene::timed("2018", START, sudden_death(60_000), regulations);
        scene.tell(both.clone());
        scene
    };
    game(json!({})).expect(json!([{"ruling": "no_action", "overridable": true}])).expect_open();
    game(json!({"both_flags": "guideline"})).expect_over("1/2-1/2", "both_flags", "6.9");
}

#[test]
pub fn a_defective_clock_is_replaced() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "clock_defect", "side": "w", "ms": 720_000, "t": 0}));
    scene.tell(json!({"type": "clock_defect", "side": "b", "ms": 570_000, "t": 0}));
    scene.expect(json!([
        {"ruling": "time_adjusted", "side": "w", "delta_ms": -4_680_000, "article": "6.10.1"},
        {"ruling": "time_adjusted", "side": "b", "delta_ms": -4_830_000, "article": "6.10.1"},
    ]));
    assert_eq!(scene.clocks(), (720_000, 570_000));
    flag(&mut scene, "w", 720_000);
    scene.expect_over("0-1", "flag_fall", "6.9");
}

#[test]
pub fn a_wrong_setting_is_corrected() {
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5");
    scene.tell(json!({"type": "irregularity", "kind": "clock_setting", "t": 3000}));
    scene.expect(json!([{"ruling": "clocks_stopped", "article": "6.10.2"}]));
    let (white, black) = scene.clocks();
    scene.tell(json!({"type": "clock_set", "side": "w", "ms": white + 300_000, "t": 9000}));
    scene.tell(json!({"type": "clock_set", "side": "b", "ms": black + 300_000, "t": 9000,
        "moves_completed": 1}));
    scene.expect(json!([
        {"ruling": "time_adjusted", "side": "w", "delta_ms": 300_000, "article": "6.10.2"},
        {"ruling": "time_adjusted", "side": "b", "delta_ms": 300_000, "article": "6.10.2"},
    ]));
    scene.tell(json!({"type": "clock_restarted", "by": "arbiter", "t": 10_000}));
    scene.made("w", 11_000, "g1f3").pressed("w", 11_000);
    assert_eq!(scene.clocks().0, white + 300_000 - 1000);
}

fn stopped(by: &str, reason: &str) -> Scene {
    let mut scene = timed(sudden_death(60_000));
    scene.tell(json!({"type": "clock_stopped", "by": by, "reason": reason, "t": 5_000}));
    scene
}

#[test]
pub fn the_arbiter_stops_the_clock() {
    let mut scene = stopped("arbiter", "fire alarm");
    scene.expect(json!([{"ruling": "no_action", "article": "6.11.1"}]));
    scene.tell(json!({"type": "clock_restarted", "by": "arbiter", "t": 500_000}));
    scene.made("w", 501_000, "e2e4").pressed("w", 502_000);
    assert_eq!(scene.clocks().0, 60_000 - 5_000 - 2_000);
}

#[test]
pub fn a_player_calls_the_arbiter() {
    for reason in ["no spare queen for the promotion", "to restore the position"] {
        stopped("w", reason)
            .expect(json!([{"ruling": "no_action", "article": "6.11.2"}]))
            .expect_no(json!({"ruling": "warning"}));
    }
}

#[test]
pub fn the_arbiter_decides_when_play_resumes() {
    let mut scene = stopped("w", "arbiter");
    scene.tell(json!({"type": "clock_restarted", "by": "w", "t": 6_000}));
    scene.pressed("w", 7_000);
    scene.expect(json!([
        {"ruling": "no_action", "article": "6.11.3"},
        {"ruling": "no_action", "article": "6.11.3"},
    ]));
    assert_eq!(scene.clocks().0, 55_000);
    scene.tell(json!({"type": "clock_restarted", "by": "arbiter", "t": 8_000}));
    scene.expect_no(json!({"ruling": "illegal_move_recorded"}));
}

#[test]
pub fn stopping_without_a_reason() {
    let mut scene = stopped("w", "to rest");
    scene.expect(json!([{"ruling": "warning", "side": "w", "article": "6.11.4"}]));
    let mut scene = timed(sudden_death(60_000));
    scene.tell(json!({"type": "clock_stopped", "by": "b", "reason": "unclear", "t": 5_000,
        "valid": false}));
    scene.expect(json!([{"ruling": "warning", "side": "b", "article": "6.11.4"}]));
}

/// Only a reason that obviously is none is penalised; what happened to the player is one.
#[test]
fn reasons_that_are_none() {
    let article = |reason: &str| {
        let mut scene = stopped("w", reason);
        scene.expect_no(json!({"ruling": "game_over"}));
        scene.rulings[0]["article"].as_str().expect("its number").to_owned()
    };
    for reason in ["to rest", "Resting", "wants a break", "no reason", "without any reason", "none"]
    {
        assert_eq!(article(reason), "6.11.4", "{reason}");
    }
    for reason in [
        "the opponent's phone rings",
        "a queen is needed and none is there",
        "smoke in the hall",
        "the rest of the men fell over",
        "",
    ] {
        assert_eq!(article(reason), "6.11.2", "{reason}");
    }
}

#[test]
pub fn screens_are_allowed() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "arbiter_note", "article": "6.12.1", "t": 0,
        "text": "a screen shows the games"}));
    scene.expect(json!([{"ruling": "no_action", "article": "6.12.1"}])).expect_open();
}

#[test]
pub fn no_claim_from_a_screen() {
    let mut scene = Scene::new(START);
    scene.moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    scene.tell(json!({"type": "draw_claimed", "by": "w", "t": 9000, "rule": "9.2",
        "basis": "display"}));
    scene.expect(json!([{"ruling": "claim_refused", "by": "w", "article": "6.12.2"}]));
    scene.expect_open();
}

#[test]
fn an_arrival_before_the_hour_is_known() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "player_arrived", "by": "w", "t": 5000}));
    scene.tell(json!({"type": "game_scheduled_start", "t": 10_000})).expect_open();
    // The hour was earlier: late he is.
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "player_arrived", "by": "w", "t": 5000}));
    scene.tell(json!({"type": "game_scheduled_start", "t": 4000}));
    scene.expect_over("0-1", "forfeit_late", "6.7.1");
    assert!(scene.state().outcome.is_some());
}

/// 6.7.2 counts from the hour, whenever that becomes known.
#[test]
fn time_lost_before_the_arrival_counts_from_the_hour() {
    for (hour, lost) in [(10_000, 0), (4_000, 1_000), (0, 5_000)] {
        let mut scene = Scene::with("2018", START, json!({"default_time_ms": 1_800_000}));
        scene.tell(json!({"type": "player_arrived", "by": "w", "t": 5000}));
        scene.tell(json!({"type": "game_scheduled_start", "t": hour}));
        assert_eq!(scene.clocks().0, 5_400_000 - lost, "{hour}");
    }
    // With Black to begin it is his clock that runs, and his alone.
    for first in ["w", "b"] {
        let fen = "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1";
        let mut scene = Scene::with("2018", fen, json!({"default_time_ms": 1_800_000}));
        scene.tell(json!({"type": "player_arrived", "by": first, "t": 5000}));
        assert_eq!(scene.clocks(), (5_400_000, 5_395_000), "{first}");
    }
}

#[test]
fn who_has_moved_is_there() {
    for before in [true, false] {
        let mut scene = Scene::new(START);
        if before {
            scene.tell(json!({"type": "player_arrived", "by": "w", "t": 0}));
        }
        scene.made("w", 1000, "e2e4").pressed("w", 2000);
        scene.tell(json!({"type": "player_arrived", "by": "w", "t": 5000})).expect_open();
    }
}

#[test]
fn no_flag_falls_before_the_hour() {
    let mut scene = Scene::timed("2018", START, sudden_death(60_000), json!({"auto_flag": true}));
    scene.tell(json!({"type": "game_scheduled_start", "t": 120_000})).expect_open();
    scene.made("w", 130_000, "e2e4").pressed("w", 130_000);
    assert_eq!(scene.clocks(), (50_000, 60_000));
}

#[test]
fn both_flags_down_with_time_left() {
    let mut scene =
        Scene::timed("2018", START, sudden_death(60_000), json!({"both_flags": "guideline"}));
    scene.tell(json!({"type": "flag_observed", "side": "w", "both": true, "t": 1000}));
    scene.expect(json!([{"ruling": "no_action", "article": "6.8"}])).expect_open();
    scene.tell(json!({"type": "flag_observed", "side": "w", "both": true, "t": 61_000}));
    scene.expect_over("1/2-1/2", "both_flags", "6.9");
}

/// 7.5.3: once the reply is pressed, a press is for the next move, and no late one for the last.
#[test]
fn a_press_after_the_reply_was_pressed() {
    let mut scene = Scene::new(START);
    scene.made("w", 1000, "e2e4").made("b", 2000, "e7e5").made("w", 3000, "g1f3");
    scene.pressed("w", 4000).expect_no(json!({"ruling": "illegal_move_recorded"}));
    scene.pressed("b", 5000).expect(json!([
        {"ruling": "illegal_move_recorded", "side": "b", "count": 1, "article": "7.5.3"},
        {"ruling": "clock_returned_to", "side": "b", "article": "7.5.3"},
    ]));
    assert_eq!(running(&scene), Some(Side::Black));
    scene.made("b", 6000, "b8c6").pressed("b", 6500);
    assert_eq!(running(&scene), Some(Side::White));
    assert_eq!(completed(&scene), [2, 2]);
}

fn running(scene: &Scene) -> Option<Side> {
    scene.state().clocks.expect("the game has clocks").running
}

fn completed(scene: &Scene) -> [u32; 2] {
    scene.state().clocks.expect("the game has clocks").moves_completed
}

#[test]
fn an_idle_stop_starts_no_clock_that_the_arbiter_stopped() {
    let mut scene = stopped("arbiter", "fire alarm");
    scene.tell(json!({"type": "clock_stopped", "by": "w", "reason": "to rest", "t": 6_000}));
    scene.expect(json!([{"ruling": "warning", "side": "w", "article": "6.11.4"}]));
    assert_eq!(running(&scene), None);
    scene.tell(json!({"type": "clock_restarted", "by": "arbiter", "t": 9_000}));
    assert_eq!((running(&scene), scene.clocks().0), (Some(Side::White), 55_000));
}

/// 6.2.1.2 speaks of the next move: one that is illegal, or refused, is none.
#[test]
fn only_a_legal_move_completes_the_last() {
    let mut scene = Scene::new(START);
    scene.made("w", 1000, "e2e4").made("b", 2000, "e7e5");
    scene.made("w", 3000, "g1g3");
    assert_eq!(completed(&scene), [0, 0], "illegal");
    scene.made("w", 4000, "h2h3");
    assert_eq!(completed(&scene), [0, 0], "refused: the knight was touched");
    scene.made("w", 5000, "g1f3");
    assert_eq!(completed(&scene), [1, 0]);
    // The late press is still to come.
    let mut scene = Scene::new(START);
    scene.made("w", 1000, "e2e4").made("b", 2000, "e7e5");
    scene.made("w", 3000, "g1g3").pressed("w", 3500);
    scene.expect(json!([{"ruling": "illegal_move_recorded", "side": "w", "count": 1}])).forget();
    scene.pressed("w", 4000).expect(json!([{"ruling": "no_action", "article": "6.2.2"}]));
    assert_eq!((completed(&scene), running(&scene)), ([1, 0], Some(Side::Black)));
    // A pawn that is not exchanged makes its move on the press (7.5.2).
    let mut scene = Scene::new("8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
    scene.made("w", 1000, "e1e2").made("b", 2000, "e7e6").made("w", 3000, "a7a8");
    assert_eq!(completed(&scene), [0, 0]);
    scene.pressed("w", 3500);
    assert_eq!(completed(&scene), [2, 0]);
}

#[test]
fn the_move_that_ends_the_game_is_completed() {
    let mut scene = Scene::new(START);
    scene.moves("f2f3 e7e5 g2g4").made("b", 4000, "d8h4");
    assert_eq!(completed(&scene), [2, 2], "mate");
    let mut scene = Scene::new("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1");
    scene.made("w", 1000, "f1f7");
    assert_eq!(completed(&scene), [1, 0], "stalemate");
    let mut scene = Scene::new("7k/5K2/8/8/8/8/8/6R1 w - - 149 120");
    scene.made("w", 1000, "g1a1");
    assert_eq!(completed(&scene), [1, 0], "75 moves");
    // What ends the game without a move completes none; agreement did in 2014 (6.2.a(1)).
    for (edition, expected) in [("2014", [1, 1]), ("2018", [1, 0]), ("2023", [1, 0])] {
        let mut scene = Scene::with(edition, START, json!({}));
        scene.moves("e2e4").made("b", 2000, "e7e5");
        scene.tell(json!({"type": "draw_offered", "by": "b", "t": 2100}));
        scene.tell(json!({"type": "draw_accepted", "by": "w", "t": 2200}));
        scene.expect(json!([{"ruling": "game_over", "reason": "agreement"}]));
        assert_eq!(completed(&scene), expected, "{edition}");
        let mut scene = Scene::with(edition, START, json!({}));
        scene.made("w", 1000, "e2e4").tell(json!({"type": "resigned", "by": "b", "t": 2000}));
        assert_eq!(completed(&scene), [0, 0], "{edition}");
    }
}

/// Without clocks nobody's runs: who has the move may adjust (4.2.1).
#[test]
fn adjusting_without_clocks() {
    let adjusts = |by: &str| {
        let mut scene = Scene::timed("2018", START, json!({"periods": []}), json!({}));
        scene.made("w", 1000, "e2e4");
        scene.tell(json!({"type": "piece_touched", "by": by, "t": 1100, "squares": ["d2"],
            "intent": "adjust"}));
        scene
    };
    adjusts("b").expect(json!([{"ruling": "no_action", "article": "4.2.1"}]));
    adjusts("w").expect(json!([{"ruling": "warning", "side": "w", "article": "11.5"}]));
}

/// The shorthand presses as a player does: in vain while the clocks are stopped (6.11.3).
#[test]
fn moves_in_shorthand_while_the_clocks_are_stopped() {
    let mut scene = stopped("arbiter", "fire alarm");
    scene.moves("e2e4 e7e5");
    assert_eq!((scene.state().moves.len(), completed(&scene)), (2, [0, 0]));
    scene.tell(json!({"type": "clock_restarted", "by": "arbiter", "t": 9_000}));
    scene.pressed("w", 9_000).pressed("b", 9_000);
    assert_eq!((running(&scene), completed(&scene)), (Some(Side::White), [1, 1]));
}
