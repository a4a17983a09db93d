//! Article 8: the recording of the moves.

use serde_json::{Value, json};

use crate::scene::{START, Scene, sudden_death, three_moves_a_minute};

fn report(scene: &mut Scene, by: &str, kind: &str) {
    scene.tell(json!({"type": "score_report", "by": by, "kind": kind, "t": 5000}));
}

fn warned(kind: &str, article: &str) {
    let mut scene = Scene::new(START);
    report(&mut scene, "w", kind);
    scene.expect(json!([{"ruling": "warning", "side": "w", "article": article}]));
}

#[test]
pub fn both_record() {
    warned("missing", "8.1.1");
}

#[test]
pub fn not_in_advance() {
    warned("in_advance", "8.1.2");
    // Save for a claim.
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "draw_claimed", "by": "w", "t": 10, "rule": "9.2",
        "intended": "e2e4"}));
    report(&mut scene, "w", "in_advance");
    scene.expect(json!([{"ruling": "no_action", "article": "8.1.2"}]));
}

#[test]
pub fn no_notes() {
    warned("notes", "8.1.3");
    let mut scene = Scene::with("2023", START, json!({}));
    report(&mut scene, "w", "notes");
    scene.expect(json!([{"ruling": "warning", "article": "8.1.4"}]));
}

#[test]
pub fn record_before_the_next_move() {
    warned("two_unrecorded", "8.1.4");
}

#[test]
pub fn offers_are_noted() {
    let mut scene = Scene::new(START);
    scene.made("w", 1000, "e2e4");
    scene.tell(json!({"type": "draw_offered", "by": "w", "t": 1100}));
    scene.pressed("w", 1200);
    assert!(scene.state().moves[0].draw_offer);
}

#[test]
pub fn a_scoring_assistant() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "assistant_appointed", "by": "w", "reason": "scoresheet", "t": 0,
        "reduction_ms": 300_000}));
    scene.expect(json!([{"ruling": "time_adjusted", "side": "w", "delta_ms": -300_000,
        "article": "8.1.6"}]));
}

#[test]
pub fn visible_to_the_arbiter() {
    warned("hidden", "8.2");
}

#[test]
pub fn sheets_belong_to_the_organiser() {
    warned("not_handed_in", "8.3");
    // The record is there for the host.
    let mut scene = Scene::new(START);
    scene.moves("f2f3 e7e5 g2g4 d8h4");
    assert_eq!(
        scene.state().moves.iter().map(|ply| ply.san.as_str()).collect::<Vec<_>>(),
        ["f3", "e5", "g4", "Qh4#"]
    );
}

fn stops_at(remaining_ms: u64, control: Value, regulations: Value) -> Scene {
    let mut scene = Scene::timed("2018", START, control, regulations);
    scene.tell(json!({"type": "clock_set", "side": "w", "ms": remaining_ms, "t": 5000}));
    report(&mut scene, "w", "stopped");
    scene
}

#[test]
pub fn under_five_minutes() {
    let allowed = json!([{"ruling": "no_action", "article": "8.4"}]);
    let warned = json!([{"ruling": "warning", "side": "w", "article": "8.4"}]);
    let plain = sudden_death(5_400_000);
    stops_at(299_000, plain.clone(), json!({})).expect(allowed.clone());
    stops_at(300_000, plain, json!({})).expect(warned.clone());
    let with = |mode: &str, ms: u64| {
        json!({"mode": mode, "increment_ms": ms, "delay_ms": ms,
            "periods": [{"moves": null, "base_ms": 5_400_000}]})
    };
    stops_at(299_000, with("increment", 30_000), json!({})).expect(warned.clone());
    stops_at(299_000, with("increment", 29_000), json!({})).expect(allowed.clone());
    stops_at(299_000, with("delay", 30_000), json!({})).expect(warned);
    let delay_is_none = json!({"delay_counts_as_addition": false});
    stops_at(299_000, with("delay", 30_000), delay_is_none).expect(allowed);
}

#[test]
pub fn nobody_recorded() {
    let mut scene = Scene::timed("2018", START, three_moves_a_minute(), json!({}));
    report(&mut scene, "both", "stopped");
    scene.tell(json!({"type": "flag_observed", "side": "w", "t": 60_001}));
    scene.expect(json!([
        {"ruling": "clocks_stopped", "article": "8.5.1"},
        {"ruling": "obligation", "side": "w", "must": "update_scoresheet", "article": "8.5.1"},
        {"ruling": "obligation", "side": "b", "must": "update_scoresheet", "article": "8.5.1"},
        {"ruling": "game_over", "result": "0-1", "reason": "flag_fall"},
    ]));
}

#[test]
pub fn one_stopped_recording() {
    let mut scene = Scene::timed("2018", START, three_moves_a_minute(), json!({}));
    report(&mut scene, "b", "stopped");
    scene.moves("e2e4 e7e5 g1f3 b8c6 f1b5");
    scene.tell(json!({"type": "flag_observed", "side": "w", "t": 6_000}));
    scene.expect(json!([{"ruling": "obligation", "side": "b", "must": "update_scoresheet",
        "article": "8.5.2"}]));
    scene.made("b", 7_000, "a7a6");
    scene.expect(json!([{"ruling": "warning", "side": "b", "article": "8.5.2"}]));
    let mut scene = Scene::timed("2018", START, three_moves_a_minute(), json!({}));
    report(&mut scene, "b", "stopped");
    scene.moves("e2e4 e7e5 g1f3 b8c6 f1b5");
    scene.tell(json!({"type": "flag_observed", "side": "w", "t": 6_000}));
    report(&mut scene, "b", "updated");
    scene.made("b", 7_000, "a7a6").expect_no(json!({"ruling": "warning"}));
}

#[test]
pub fn reconstruction() {
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5");
    scene.tell(json!({"type": "reconstruction_started", "t": 3000}));
    scene.expect(json!([
        {"ruling": "snapshot", "white_ms": 5_398_000, "black_ms": 5_399_000, "running": "w",
            "moves_completed": [1, 1], "article": "8.5.3"},
        {"ruling": "obligation", "side": "w", "must": "reconstruct", "article": "11.11"},
        {"ruling": "obligation", "side": "b", "must": "reconstruct", "article": "11.11"},
    ]));
}

#[test]
pub fn an_overstep_that_cannot_be_shown() {
    let mut scene = Scene::timed("2018", START, three_moves_a_minute(), json!({}));
    scene.moves("e2e4 e7e5");
    scene.tell(json!({"type": "reconstruction_failed", "side": "w", "t": 62_000}));
    scene.expect(json!([{
        "ruling": "period_advanced", "side": "w", "clock_ms": 29_000, "article": "8.6",
    }]));
    scene.tell(json!({"type": "flag_observed", "side": "w", "t": 62_100})).expect_open();
}

#[test]
pub fn the_signed_result_stands() {
    let signed = json!({"type": "result_signed", "result": "0-1", "t": 9000});
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "resigned", "by": "b", "t": 1000})).tell(signed.clone());
    scene.expect(json!([{"ruling": "result_recorded", "result": "0-1", "article": "8.7",
        "overridable": true}]));
    let mut scene = Scene::new(START);
    scene.tell(signed);
    assert_eq!(scene.state().outcome.map(|outcome| outcome.result.as_str()), Some("0-1"));
}

/// 8.6: the next move is the first of the next period, and that period comes once.
#[test]
fn a_period_is_granted_once() {
    let mut scene = Scene::timed("2018", START, three_moves_a_minute(), json!({}));
    scene.moves("e2e4 e7e5");
    scene.tell(json!({"type": "reconstruction_failed", "side": "w", "t": 62_000}));
    let clocks = scene.state().clocks.expect("the game has clocks");
    assert_eq!((clocks.moves_completed, clocks.period), ([3, 1], [1, 0]));
    scene.forget();
    for (by, uci) in [("w", "g1f3"), ("b", "b8c6"), ("w", "f1b5"), ("b", "a7a6"), ("w", "b5a4")] {
        scene.made(by, 63_000, uci).pressed(by, 63_000);
    }
    scene.expect_no(json!({"ruling": "period_advanced", "side": "w"}));
    assert_eq!(scene.clocks().0, 28_000);
    // There is none after the last, and none without clocks.
    scene.tell(json!({"type": "reconstruction_failed", "side": "w", "t": 63_000}));
    scene.expect(json!([{"ruling": "no_action", "article": "8.6"}]));
    assert_eq!(scene.clocks().0, 28_000);
    let mut scene = Scene::timed("2018", START, json!({"periods": []}), json!({}));
    scene.tell(json!({"type": "reconstruction_failed", "t": 5}));
    scene.expect(json!([{"ruling": "no_action", "article": "8.6"}]));
}

#[test]
fn a_granted_period_has_all_its_moves() {
    let two_each = json!({"mode": "none", "repeat_last": true,
        "periods": [{"moves": 2, "base_ms": 60_000}]});
    for unpressed in [false, true] {
        let mut scene = Scene::timed("2018", START, two_each.clone(), json!({}));
        scene.made("w", 1000, "e2e4");
        if !unpressed {
            scene.pressed("w", 1000);
        }
        scene.tell(json!({"type": "reconstruction_failed", "side": "w", "t": 2000}));
        scene.expect(json!([{"ruling": "period_advanced", "side": "w"}])).forget();
        if unpressed {
            scene.pressed("w", 2000);
        }
        scene.expect_no(json!({"ruling": "period_advanced"}));
        for (by, uci) in [("b", "e7e5"), ("w", "g1f3"), ("b", "b8c6")] {
            scene.made(by, 2000, uci).pressed(by, 2000);
        }
        scene.expect_no(json!({"ruling": "period_advanced", "side": "w"}));
        scene.made("w", 2000, "f1b5").pressed("w", 2000);
        scene.expect(json!([{"ruling": "period_advanced", "side": "w"}]));
    }
}

/// 8.4 frees from all duties to record, for the rest of the period.
#[test]
fn who_need_not_record() {
    let free = json!([{"ruling": "no_action", "article": "8.4"}]);
    for kind in ["missing", "two_unrecorded"] {
        let mut scene = stops_at(299_000, sudden_death(5_400_000), json!({}));
        report(scene.forget(), "w", kind);
        scene.expect(free.clone()).expect_no(json!({"ruling": "warning"}));
        // The opponent has time.
        report(&mut scene, "b", kind);
        scene.expect(json!([{"ruling": "warning", "side": "b"}]));
    }
    // Notes are forbidden still.
    let mut scene = stops_at(299_000, sudden_death(5_400_000), json!({}));
    report(&mut scene, "w", "notes");
    scene.expect(json!([{"ruling": "warning", "side": "w", "article": "8.1.3"}]));
    // More time in the same period changes nothing.
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "clock_set", "side": "w", "ms": 299_000, "t": 5000}));
    scene.tell(json!({"type": "clock_set", "side": "w", "ms": 600_000, "t": 5000}));
    report(&mut scene, "w", "stopped");
    scene.expect(free);
}

/// 8.5.2 wants a fall; a claim that is wrong shows none.
#[test]
fn a_false_claim_of_a_fall_updates_nothing() {
    let mut scene = Scene::timed("2018", START, three_moves_a_minute(), json!({}));
    report(&mut scene, "b", "stopped");
    for event in [
        json!({"type": "flag_claimed", "by": "w", "against": "b", "t": 6_000}),
        json!({"type": "flag_claimed", "by": "b", "against": "w", "t": 6_000}),
        json!({"type": "flag_observed", "side": "w", "t": 6_000}),
    ] {
        scene.tell(event);
    }
    scene.expect(json!([{"ruling": "claim_rejected", "by": "w"},
        {"ruling": "claim_rejected", "by": "b"}]));
    scene.expect_no(json!({"ruling": "obligation"})).expect_open();
    let mut scene = Scene::timed("2018", START, three_moves_a_minute(), json!({}));
    report(&mut scene, "b", "stopped");
    scene.moves("e2e4 e7e5 g1f3 b8c6 f1b5").forget();
    scene.tell(json!({"type": "flag_claimed", "by": "b", "against": "w", "t": 6_000}));
    scene.expect(json!([{"ruling": "claim_rejected", "by": "b", "article": "6.4"}]));
    scene.expect_no(json!({"ruling": "obligation"}));
}

/// 8.5.1: nobody recorded and the moves were made in time: the clocks stop, both bring their
/// sheets up to date, and play goes on.
#[test]
fn nobody_recorded_and_the_moves_were_made() {
    let mut scene = Scene::timed("2018", START, three_moves_a_minute(), json!({}));
    report(&mut scene, "both", "stopped");
    scene.moves("e2e4 e7e5 g1f3 b8c6 f1b5").forget();
    scene.tell(json!({"type": "flag_observed", "side": "w", "t": 60_001}));
    scene.expect(json!([
        {"ruling": "clocks_stopped", "article": "8.5.1"},
        {"ruling": "obligation", "side": "w", "must": "update_scoresheet", "article": "8.5.1"},
        {"ruling": "obligation", "side": "b", "must": "update_scoresheet", "article": "8.5.1"},
        {"ruling": "no_action", "article": "6.4"},
    ]));
    scene.expect_open();
    assert_eq!(scene.state().clocks.expect("clocks").running, None);
    report(&mut scene, "both", "updated");
    scene.tell(json!({"type": "clock_restarted", "by": "arbiter", "t": 90_000})).forget();
    scene.made("b", 91_000, "a7a6").expect_no(json!({"ruling": "warning"}));
}
