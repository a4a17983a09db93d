//! Articles 10 to 12: points, conduct, the arbiter.

use serde_json::{Value, json};

use crate::scene::{START, Scene};

#[test]
pub fn points() {
    let result = |scoring: Value| {
        let mut scene = Scene::with("2018", START, json!({"scoring": scoring}));
        scene.tell(json!({"type": "resigned", "by": "w", "t": 1}));
        scene
    };
    result(json!([1, 0.5, 0])).expect(json!([
        {"ruling": "score", "white": 0, "black": 1, "article": "10.1"},
    ]));
    result(json!([3, 1, 0])).expect(json!([{"ruling": "score", "white": 0, "black": 3}]));
    let mut scene = Scene::new("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1");
    scene.made("w", 1, "e1d2").expect(json!([{"ruling": "score", "white": 0.5, "black": 0.5}]));
    let mut scene = Scene::new(START);
    let unsound = json!({"type": "game_started", "regulations": {"scoring": [0, 1, 2]}});
    assert!(scene.try_tell(&unsound).is_err());
}

#[test]
pub fn the_sum_is_limited() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "resigned", "by": "w", "t": 1}));
    let mut proposed = |white: f64, black: f64, ruling: &str| {
        scene.forget().tell(json!({"type": "score_proposed", "white": white, "black": black,
            "t": 2}));
        scene.expect(json!([{"ruling": ruling, "white": white, "black": black,
            "article": "10.2"}]));
    };
    proposed(0.75, 0.25, "score_rejected");
    proposed(1.0, 0.5, "score_rejected");
    proposed(0.0, 0.0, "score");
    proposed(0.5, 0.0, "score");
}

fn misconduct(article: &str) {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "misconduct", "by": "w", "article": article, "t": 5}));
    scene.expect(json!([
        {"ruling": "warning", "side": "w", "article": article, "overridable": true},
        {"ruling": "penalty", "side": "w", "article": article, "kind": "warning",
            "why": "11.6: penalties of 12.9", "overridable": true},
    ]));
    scene.expect_open();
}

#[test]
pub fn disrepute() {
    misconduct("11.1");
}

#[test]
pub fn the_playing_venue() {
    let venue = json!({"playing_venue": ["hall", "rest room", "smoking area"]});
    let mut scene = Scene::with("2018", START, venue);
    scene.tell(json!({"type": "left_venue", "by": "b", "permitted": true, "t": 5}));
    scene.expect(json!([{"ruling": "no_action", "article": "11.2.3.1"}]));
}

#[test]
pub fn the_playing_area() {
    let mut scene = Scene::with("2018", START, json!({"playing_area": ["hall"]}));
    scene.tell(json!({"type": "left_area", "by": "w", "permitted": true, "t": 5}));
    scene.expect(json!([{"ruling": "no_action", "article": "11.2.3.2"}]));
}

#[test]
pub fn leaving_the_venue() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "left_venue", "by": "b", "t": 5}));
    scene.expect(json!([{"ruling": "warning", "side": "b", "article": "11.2.3.1"}]));
}

#[test]
pub fn leaving_the_area() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "left_area", "by": "w", "t": 5}));
    scene.expect(json!([{"ruling": "warning", "side": "w", "article": "11.2.3.2"}]));
    scene.forget().tell(json!({"type": "left_area", "by": "b", "t": 6}));
    scene.expect(json!([{"ruling": "no_action", "article": "11.2.4"}]));
}

#[test]
pub fn strangers_in_the_area() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "intruder", "t": 5}));
    scene.expect(json!([{"ruling": "expulsion", "article": "11.2.3.3"}]));
}

#[test]
pub fn reporting_before_leaving() {
    let mut scene = Scene::with("2018", START, json!({"report_leaving_area": true}));
    scene.tell(json!({"type": "left_area", "by": "b", "t": 5}));
    scene.expect(json!([{"ruling": "warning", "side": "b", "article": "11.2.4"}]));
    scene.forget().tell(json!({"type": "left_area", "by": "b", "t": 5, "reported": true}));
    scene.expect(json!([{"ruling": "no_action", "article": "11.2.4"}]));
}

#[test]
pub fn outside_help() {
    misconduct("11.3.1");
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "misconduct", "by": "w", "article": "11.3.1", "t": 5}));
    penalty(&mut scene, json!({"kind": "loss", "points": 1}));
    scene.expect_over("0-1", "penalty_loss", "12.9.6");
}

fn device(regulations: Value, found: Value) -> Scene {
    let mut scene = Scene::with("2018", START, regulations);
    let mut event = json!({"type": "device_found", "by": "w", "t": 5});
    for (name, value) in found.as_object().into_iter().flatten() {
        event[name] = value.clone();
    }
    scene.tell(event);
    scene
}

#[test]
pub fn devices_in_the_bag() {
    let in_bag = json!({"on_person": false, "in_bag": true, "off": true});
    device(json!({"devices_in_bag": true}), in_bag.clone())
        .expect(json!([{"ruling": "no_action", "article": "11.3.2.1"}]));
    device(json!({}), in_bag)
        .expect(json!([{"ruling": "warning", "side": "w", "article": "11.3.2.1"}]))
        .expect_open();
}

#[test]
pub fn devices_on_the_person() {
    device(json!({}), json!({"on_person": true})).expect_over("0-1", "device", "11.3.2.2");
    device(json!({"device_penalty": "warning"}), json!({"on_person": true}))
        .expect(json!([{"ruling": "warning", "side": "w", "article": "11.3.2.2"}]))
        .expect_open();
}

#[test]
pub fn inspection_refused() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "search_refused", "by": "b", "t": 5}));
    scene.expect(json!([{"ruling": "warning", "side": "b", "article": "11.3.3"},
        {"ruling": "penalty", "side": "b", "overridable": true}]));
}

#[test]
pub fn smoking() {
    misconduct("11.3.4");
}

#[test]
pub fn finished_players_are_spectators() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "resigned", "by": "w", "t": 1}));
    scene.made("w", 2, "e2e4").expect(json!([{"ruling": "no_action"}]));
    assert!(scene.state().moves.is_empty());
}

#[test]
pub fn no_distracting() {
    misconduct("11.5");
    let mut scene = Scene::new(START);
    for (by, uci, t) in [
        ("w", "e2e4", 10),
        ("b", "e7e5", 20),
        ("w", "g1f3", 30),
        ("b", "b8c6", 40),
        ("w", "f1b5", 50),
    ] {
        scene.made(by, t, uci);
        if by == "w" {
            scene.tell(json!({"type": "draw_offered", "by": "w", "t": t + 1}));
        }
        scene.pressed(by, t + 2);
    }
    scene.expect(json!([
        {"ruling": "offer_standing", "by": "w"}, {"ruling": "offer_standing", "by": "w"},
        {"ruling": "offer_standing", "by": "w"}, {"ruling": "warning", "side": "w",
            "article": "11.5"},
    ]));
}

#[test]
pub fn breaches_are_penalised() {
    misconduct("11.2.3.1");
}

fn refuses(scene: &mut Scene, by: &str, persistent: bool, t: u64) {
    scene.tell(json!({"type": "refuses_to_comply", "by": by, "persistent": persistent, "t": t}));
}

#[test]
pub fn refusing_to_comply() {
    let mut scene = Scene::new(START);
    refuses(&mut scene, "w", false, 5);
    scene.expect(json!([{"ruling": "warning", "side": "w", "article": "11.7"}])).expect_open();
    refuses(&mut scene, "w", true, 6);
    scene.expect_over("0-1", "refusal_to_comply", "11.7");
    // The arbiter decides the opponent's points.
    scene.tell(json!({"type": "arbiter_decision", "t": 7, "about": "11.7", "decision": "score",
        "white": 0, "black": 0.5}));
    scene.expect(json!([{"ruling": "score", "white": 0, "black": 0.5, "article": "10.2"}]));
}

#[test]
pub fn both_refuse() {
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5");
    refuses(&mut scene, "w", true, 5000);
    refuses(&mut scene, "b", true, 5001);
    scene.expect_over("0-0", "both_lose", "11.8");
    scene.expect(json!([{"ruling": "score", "white": 0, "black": 0}]));
    // Not after the incident was closed.
    let mut scene = Scene::new(START);
    refuses(&mut scene, "w", true, 5000);
    scene.tell(json!({"type": "arbiter_decision", "t": 5000, "about": "refusal_to_comply",
        "decision": "close"}));
    refuses(&mut scene, "b", true, 5001);
    scene.expect_no(json!({"reason": "both_lose"}));
}

#[test]
pub fn questions() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "question_asked", "by": "w", "article": "9.2.1", "t": 5}));
    scene.expect(json!([{"ruling": "no_action", "article": "9.2.1"}]));
}

#[test]
pub fn appeals() {
    let appeal = json!({"type": "appeal", "by": "w", "t": 9});
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "resigned", "by": "w", "t": 1})).tell(appeal.clone());
    scene.expect(json!([{"ruling": "appeal_recorded", "by": "w", "article": "11.10"}]));
    let mut scene = Scene::with("2018", START, json!({"appeals": false}));
    scene.tell(appeal).expect(json!([{"ruling": "no_action", "article": "11.10"}]));
}

#[test]
pub fn claims_are_checked_together() {
    let mut scene = Scene::new(START);
    scene.moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    crate::article9::claim(&mut scene, "w", "9.2", None);
    scene.expect(json!([{"ruling": "game_over", "evidence": {"plies": [0, 4, 8]}}]));
}

#[test]
pub fn the_laws_are_kept() {
    let mut scene = Scene::new(START);
    scene.moves("f2f3 e7e5 g2g4 d8h4").pressed("w", 1);
    assert!(!scene.rulings.is_empty());
    for ruling in &scene.rulings {
        let article = ruling["article"].as_str().unwrap_or_default();
        assert!(article.starts_with(|letter: char| letter.is_ascii_digit()), "{ruling}");
    }
}

/// Notes leave everything as it is.
fn noted(article: &str) {
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5");
    let before = scene.state();
    scene.tell(json!({"type": "arbiter_note", "article": article, "text": "seen", "t": 2000}));
    scene.expect(json!([{"ruling": "no_action", "article": article}]));
    assert_eq!(scene.state(), before);
}

#[test]
pub fn fair_play() {
    noted("12.2.1");
}

#[test]
pub fn the_interest_of_the_event() {
    let mut scene = Scene::with("2018", START, json!({"default_time_ms": 0}));
    scene.tell(json!({"type": "player_arrived", "by": "b", "t": 1000}));
    scene.tell(json!({"type": "arbiter_decision", "about": "forfeit_late", "decision": "overrule",
        "t": 2000}));
    scene.expect(json!([{"ruling": "game_over"}, {"ruling": "no_action"}])).expect_open();
    scene.tell(json!({"type": "arbiter_decision", "about": "12.2.2", "decision": "1/2-1/2",
        "t": 3000}));
    scene.expect_over("1/2-1/2", "arbiter_decision", "12.2.2");
}

#[test]
pub fn a_good_environment() {
    noted("12.2.3");
}

#[test]
pub fn players_are_not_disturbed() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "disturbance", "t": 5}));
    scene.expect(json!([{"ruling": "no_action", "article": "12.2.4"}]));
}

#[test]
pub fn progress_is_supervised() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "query_move_count", "by": "arbiter", "t": 5}));
    scene.expect(json!([{"ruling": "no_action", "article": "12.2.5"}]));
}

#[test]
pub fn special_measures() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "special_measure", "by": "w", "reason": "disability", "t": 5}));
    scene.tell(json!({"type": "assistant_appointed", "by": "w", "t": 6, "disability": true,
        "reason": "clock", "reduction_ms": 60_000}));
    scene.expect(json!([{"ruling": "no_action", "article": "12.2.6"}]));
    scene.expect_no(json!({"ruling": "time_adjusted"}));
}

#[test]
pub fn anti_cheating() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "inspection_ordered", "by": "w", "t": 5}));
    scene.expect(json!([{"ruling": "no_action", "article": "12.2.7"}])).expect_open();
}

#[test]
pub fn the_same_log_gives_the_same_rulings() {
    let play = || {
        let mut scene = Scene::new(START);
        scene.moves("e2e4 e7e5");
        penalty(&mut scene, json!({"kind": "less_time", "ms": 60_000}));
        scene.made("w", 9000, "g1g3").pressed("w", 9100);
        scene.tell(json!({"type": "flag_observed", "side": "w", "t": 6_000_000}));
        (scene.rulings.clone(), scene.state())
    };
    assert_eq!(play(), play());
}

#[test]
pub fn assistants_observe() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "assistant_arbiter_appointed", "t": 5}));
    scene.tell(json!({"type": "flag_observed", "side": "w", "t": 5_400_000}));
    scene.expect(json!([{"ruling": "no_action", "article": "12.4"}]));
    scene.expect_over("0-1", "flag_fall", "6.9");
}

#[test]
pub fn extra_time_after_a_disturbance() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "disturbance", "t": 5, "extra_ms": 60_000}));
    scene.expect(json!([
        {"ruling": "time_adjusted", "side": "w", "delta_ms": 60_000, "article": "12.5"},
        {"ruling": "time_adjusted", "side": "b", "delta_ms": 60_000, "article": "12.5"},
    ]));
    scene.forget().tell(json!({"type": "disturbance", "t": 5, "extra_ms": 1000, "side": "b"}));
    scene.expect_no(json!({"ruling": "time_adjusted", "side": "w"}));
}

#[test]
pub fn the_arbiter_keeps_silent() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "query_move_count", "by": "w", "t": 5}));
    scene.expect(json!([{"ruling": "no_action", "article": "12.6"}]));
    // An unpressed clock, a repetition: nothing is said.
    scene.forget().made("w", 1000, "e2e4").made("b", 1_000_000, "e7e5");
    assert!(scene.rulings.is_empty(), "{:?}", scene.rulings);
    // The connection is not in the Laws: the clock runs.
    scene.tell(json!({"type": "connection_lost", "by": "b", "t": 1_000_001}));
    scene.tell(json!({"type": "connection_restored", "by": "b", "t": 1_000_002})).expect_open();
}

#[test]
pub fn observers_tell_only_the_arbiter() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "third_party_report", "by": "spectator", "about": "flag_fall",
        "t": 5}));
    scene.expect(json!([{"ruling": "no_action", "article": "12.7"}])).expect_open();
    scene.tell(json!({"type": "third_party_report", "by": "spectator", "about": "flag_fall",
        "to_arbiter": false, "t": 5_500_000}));
    scene.expect(json!([{"ruling": "expulsion", "who": "spectator", "article": "12.7"}]));
    scene.tell(json!({"type": "flag_claimed", "by": "b", "against": "w", "t": 5_500_001}));
    scene.expect_over("0-1", "flag_fall", "6.9");
}

#[test]
pub fn telephones() {
    let used = |by: &str| {
        let mut scene = Scene::new(START);
        scene.tell(json!({"type": "device_used", "by": by, "t": 5}));
        scene
    };
    used("spectator").expect(json!([{"ruling": "expulsion", "article": "12.8"}]));
    used("w").expect(json!([{"ruling": "warning", "side": "w", "article": "12.8"}]));
}

fn penalty(scene: &mut Scene, fields: Value) {
    let mut event = json!({"type": "penalty_chosen", "side": "w", "t": 5000});
    for (name, value) in fields.as_object().into_iter().flatten() {
        event[name] = value.clone();
    }
    scene.tell(event);
}

fn penalised(fields: Value) -> Scene {
    let mut scene = Scene::new(START);
    penalty(&mut scene, fields);
    scene
}

#[test]
pub fn a_warning() {
    let mut scene = penalised(json!({"kind": "warning"}));
    scene.expect(json!([{"ruling": "warning", "side": "w", "article": "12.9.1"}]));
    assert_eq!(scene.clocks(), (5_395_000, 5_400_000));
}

#[test]
pub fn more_time_for_the_opponent() {
    penalised(json!({"kind": "opponent_time", "ms": 120_000})).expect(json!([
        {"ruling": "time_adjusted", "side": "b", "delta_ms": 120_000, "article": "12.9.2"},
    ]));
}

#[test]
pub fn less_time_for_the_offender() {
    penalised(json!({"kind": "less_time", "ms": 120_000})).expect(json!([
        {"ruling": "time_adjusted", "side": "w", "delta_ms": -120_000, "article": "12.9.3"},
    ]));
    // Not below zero without a flag check.
    penalised(json!({"kind": "less_time", "ms": 6_000_000})).expect_over("0-1", "flag_fall", "6.9");
}

fn after_loss(scoring: Value, fields: Value) -> Scene {
    let mut scene = Scene::with("2018", START, json!({"scoring": scoring}));
    scene.tell(json!({"type": "resigned", "by": "b", "t": 1}));
    penalty(&mut scene, fields);
    scene
}

#[test]
pub fn a_better_score_for_the_opponent() {
    let raised = json!({"kind": "opponent_score", "points": 7});
    // The sum of a normal game is not exceeded (10.2): the offender's points go first.
    let mut scene = after_loss(json!([3, 1, 0]), raised.clone());
    scene.expect(json!([{"ruling": "score_rejected", "white": 3, "black": 3, "article": "10.2"}]));
    penalty(&mut scene, json!({"kind": "less_score", "points": 0}));
    penalty(&mut scene, raised);
    scene.expect(json!([
        {"ruling": "score", "white": 0, "black": 0, "article": "12.9.5"},
        {"ruling": "score", "white": 0, "black": 3, "article": "12.9.4"},
    ]));
}

#[test]
pub fn a_worse_score_for_the_offender() {
    let mut scene = after_loss(json!([1, 0.5, 0]), json!({"kind": "less_score", "points": 0.5}));
    scene.expect(json!([{"ruling": "score", "white": 0.5, "black": 0, "article": "12.9.5"}]));
    let outcome = scene.state().outcome.map(|outcome| (outcome.reason.name(), outcome.score));
    assert_eq!(outcome, Some(("resignation".into(), [0.5, 0.0])));
    after_loss(json!([1, 0.5, 0]), json!({"kind": "less_score", "points": 0.3}))
        .expect(json!([{"ruling": "score_rejected", "article": "10.2"}]));
}

#[test]
pub fn declared_lost() {
    penalised(json!({"kind": "loss", "points": 1})).expect_over("0-1", "penalty_loss", "12.9.6");
    penalised(json!({"kind": "loss", "points": 0.5}))
        .expect(json!([{"ruling": "game_over", "result": "0-1"},
            {"ruling": "score", "white": 0, "black": 0.5, "article": "12.9.6"}]));
    let mut scene = Scene::new(START);
    let unsaid = json!({"type": "penalty_chosen", "side": "w", "kind": "loss", "t": 5});
    assert!(scene.try_tell(&unsaid).is_err_and(|error| error.contains("points")));
}

#[test]
pub fn a_fine() {
    penalised(json!({"kind": "fine"})).expect(json!([{"ruling": "no_action",
        "article": "12.9.7"}]));
    let mut scene = Scene::with("2018", START, json!({"fines_announced": true}));
    penalty(&mut scene, json!({"kind": "fine"}));
    scene.expect(json!([{"ruling": "penalty", "kind": "fine", "article": "12.9.7"}]));
}

#[test]
pub fn exclusion() {
    penalised(json!({"kind": "exclusion", "rounds": 1}))
        .expect(json!([{"ruling": "penalty", "kind": "exclusion", "article": "12.9.8"}]));
    let mut scene = Scene::new(START);
    let none = json!({"type": "penalty_chosen", "side": "w", "kind": "exclusion", "t": 5});
    assert!(scene.try_tell(&none).is_err_and(|error| error.contains("rounds")));
}

#[test]
pub fn expulsion() {
    penalised(json!({"kind": "expulsion"})).expect(json!([
        {"ruling": "penalty", "kind": "expulsion", "article": "12.9.9"},
        {"ruling": "game_over", "result": "0-1", "reason": "penalty_loss", "article": "12.9.6"},
    ]));
}

#[test]
fn a_loss_with_half_a_point_for_the_opponent() {
    let lost = |points: f64| json!({"type": "penalty_chosen", "side": "w", "kind": "loss", "points": points, "t": 1});
    for (points, result) in [(0.5, "0-1"), (1.0, "0-1"), (0.0, "0-0")] {
        let mut scene = Scene::new(START);
        scene.tell(lost(points)).expect_over(result, "penalty_loss", "12.9.6");
        let scores: Vec<_> =
            scene.rulings.iter().filter(|ruling| ruling["ruling"] == "score").collect();
        assert_eq!(scores.len(), 1, "{scores:?}");
        assert_eq!((&scores[0]["white"], scores[0]["black"].as_f64()), (&json!(0.0), Some(points)));
    }
}

/// A penalty takes from the offender or gives to his opponent, never the other way.
#[test]
fn a_penalty_of_points_is_one() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "resigned", "by": "w", "t": 1000})).forget();
    scene.tell(json!({"type": "penalty_chosen", "side": "w", "kind": "opponent_score",
        "points": 0, "t": 2000}));
    scene.expect(json!([{"ruling": "score_rejected", "article": "12.9.4"}]));
    scene.tell(json!({"type": "penalty_chosen", "side": "w", "kind": "less_score", "points": 1,
        "t": 2000}));
    scene.expect_no(json!({"ruling": "score"}));
    assert_eq!(scene.state().outcome.unwrap().score, [0.0, 1.0]);
}

#[test]
fn numbers_beyond_any_game() {
    let mut scene = Scene::new(START);
    let set = json!({"type": "clock_set", "side": "w", "ms": 1000, "t": 1,
        "moves_completed": u32::MAX});
    assert!(scene.try_tell(&set).unwrap_err().contains("moves_completed"));
    let mut scene = Scene::with("2018", START, json!({"default_time_ms": u64::MAX}));
    scene.tell(json!({"type": "player_arrived", "by": "w", "t": u64::MAX})).expect_open();
    scene.expect_no(json!({"ruling": "time_adjusted", "delta_ms": 1}));
}

#[test]
fn a_decision_with_result_and_points_ends_the_game() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "arbiter_decision", "t": 7, "about": "12.2.2", "decision": "1-0",
        "white": 0.5, "black": 0}));
    scene.expect(json!([{"ruling": "game_over", "result": "1-0", "reason": "arbiter_decision"},
        {"ruling": "score", "white": 0.5, "black": 0}]));
    assert_eq!(scene.state().outcome.map(|outcome| outcome.score), Some([0.5, 0.0]));
    // Points beyond a game's are refused with all of the decision (10.2).
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "arbiter_decision", "t": 7, "about": "12.2.2", "decision": "1-0",
        "white": 1, "black": 0.5}));
    scene.expect(json!([{"ruling": "score_rejected", "article": "10.2"}])).expect_open();
}

#[test]
fn another_result_has_another_reason() {
    let mut scene = Scene::with("2018", START, json!({"default_time_ms": 0}));
    scene.tell(json!({"type": "player_arrived", "by": "b", "t": 1000}));
    scene.expect_over("1-0", "forfeit_late", "6.7.1");
    scene.tell(json!({"type": "arbiter_decision", "about": "forfeit_late", "t": 2000,
        "decision": "1/2-1/2"}));
    scene.expect_over("1/2-1/2", "arbiter_decision", "6.7.1");
    let outcome = scene.state().outcome.expect("decided");
    assert!(outcome.text.contains("by decision of the arbiter"), "{}", outcome.text);
}

#[test]
fn proposed_points_are_not_those_of_another_result() {
    let mated = || {
        let mut scene = Scene::new(START);
        scene.moves("f2f3 e7e5 g2g4 d8h4");
        scene.expect_over("0-1", "checkmate", "5.1.1");
        scene
    };
    for [white, black] in [[1.0, 0.0], [0.5, 0.5]] {
        let mut scene = mated();
        scene.tell(json!({"type": "score_proposed", "white": white, "black": black, "t": 9000}));
        scene.expect(json!([{"ruling": "score_rejected", "article": "10.1"}]));
        assert_eq!(scene.state().outcome.map(|outcome| outcome.score), Some([0.0, 1.0]));
    }
    let mut scene = mated();
    scene.tell(json!({"type": "score_proposed", "white": 0, "black": 0.5, "t": 9000}));
    scene.expect(json!([{"ruling": "score", "white": 0, "black": 0.5, "article": "10.2"}]));
}

#[test]
fn an_overruled_end_leaves_the_clock_where_it_was() {
    let clocks = json!({"mode": "none", "periods": [{"moves": null, "base_ms": 60_000}]});
    let mut scene = Scene::timed("2018", START, clocks, json!({}));
    // White has moved and not pressed: his clock runs.
    scene.made("w", 1000, "e2e4");
    scene.tell(json!({"type": "resigned", "by": "b", "t": 2000}));
    scene.tell(json!({"type": "arbiter_decision", "t": 9000, "about": "5.1.2",
        "decision": "play_on"}));
    scene.expect_open();
    let running = |scene: &Scene| scene.state().clocks.and_then(|clocks| clocks.running);
    assert_eq!(running(&scene).map(|side| side.letter()), Some('w'));
    scene.pressed("w", 10_000);
    assert_eq!(scene.clocks(), (57_000, 60_000));
}

#[test]
fn a_cancelled_game_may_go_on() {
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5");
    scene.tell(json!({"type": "irregularity", "kind": "wrong_start", "t": 4000}));
    scene.expect(json!([{"ruling": "game_cancelled"}]));
    scene.tell(json!({"type": "arbiter_decision", "t": 5000, "about": "7.2.1",
        "decision": "overrule"}));
    scene.made("w", 6000, "g1f3");
    assert_eq!(scene.state().moves.len(), 3);
}

#[test]
fn special_measures_spare_the_clock() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "special_measure", "by": "w", "t": 0}));
    scene.expect(json!([{"ruling": "no_action", "article": "12.2.6"}]));
    for (by, white) in [("w", 5_400_000), ("b", 5_400_000)] {
        scene.tell(json!({"type": "assistant_appointed", "by": by, "reason": "clock", "t": 0,
            "reduction_ms": 600_000}));
        assert_eq!(scene.clocks().0, white);
    }
    scene.expect(json!([{"ruling": "no_action", "article": "6.2.6"},
        {"ruling": "time_adjusted", "side": "b", "delta_ms": -600_000, "article": "6.2.6"}]));
}

#[test]
fn a_device_in_the_bag_was_not_on_the_person() {
    let mut scene = Scene::with("2018", START, json!({"devices_in_bag": true}));
    scene.tell(json!({"type": "device_found", "by": "w", "in_bag": true, "off": true, "t": 5}));
    scene.expect(json!([{"ruling": "no_action", "article": "11.3.2.1"}])).expect_open();
    scene.tell(json!({"type": "device_found", "by": "w", "t": 6}));
    scene.expect_over("0-1", "device", "11.3.2.2");
}

#[test]
fn articles_that_the_host_names_keep_their_number() {
    for (edition, article) in [
        ("2023", "8.1.3"),
        ("2023", "9.2.1"),
        ("2014", "9.2.a"),
        ("2014", "11.3.a"),
        ("2018", "9.2.1"),
    ] {
        for event in [
            json!({"type": "question_asked", "by": "w", "article": article, "t": 5}),
            json!({"type": "misconduct", "by": "w", "article": article, "t": 5}),
            json!({"type": "complaint", "by": "w", "article": article, "t": 5}),
            json!({"type": "arbiter_note", "article": article, "t": 5}),
            json!({"type": "arbiter_decision", "about": article, "decision": "noted", "t": 5}),
        ] {
            let mut scene = Scene::with(edition, START, json!({}));
            scene.tell(event);
            scene.expect(json!([{"article": article, "numbering": null}]));
            let text = scene.rulings[0]["text"].as_str().unwrap_or_default();
            assert!(text.contains(&format!("Article {article})")), "{text}");
        }
    }
}

#[test]
fn after_the_end_nothing_stands() {
    let mut scene = Scene::new(START);
    scene.made("w", 1000, "e2e4");
    scene.tell(json!({"type": "draw_offered", "by": "w", "t": 1100})).pressed("w", 1200);
    scene.tell(json!({"type": "resigned", "by": "b", "t": 2000}));
    assert_eq!(scene.state().offer, None);
    let mut scene = Scene::new(START);
    scene.touched("w", &["g1"]).tell(json!({"type": "resigned", "by": "w", "t": 2000}));
    assert_eq!(scene.state().allowed, None);
}

#[test]
fn a_touched_man_leaves_no_claim() {
    let mut scene = Scene::new(START);
    scene.moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    assert!(!scene.state().claims.is_empty());
    scene.touched("w", &["g1"]);
    assert!(scene.state().claims.is_empty(), "9.4");
}

#[test]
fn spanish_prepositions_contract() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "game_started", "language": "es"}));
    scene.made("w", 1000, "e2e5").pressed("w", 1100);
    scene.tell(json!({"type": "draw_claimed", "by": "w", "rule": "9.2", "t": 1200}));
    scene.tell(json!({"type": "misconduct", "by": "b", "article": "11.5", "t": 1300}));
    let texts: Vec<&str> =
        scene.rulings.iter().filter_map(|ruling| ruling["text"].as_str()).collect();
    for wanted in ["Se anota al Blanco", "La reclamación del Blanco", "Se advierte al Negro"] {
        assert!(texts.iter().any(|text| text.starts_with(wanted)), "{wanted}: {texts:#?}");
    }
    assert!(!texts.iter().any(|text| text.contains(" de el ") || text.contains(" a el ")));
}

/// A reason that names more than rest or private business is for the arbiter to hear (6.11.4).
#[test]
fn reasons_to_stop_the_clock() {
    let stop = |reason: &str| {
        let mut scene = Scene::new(START);
        scene.tell(json!({"type": "clock_stopped", "by": "w", "reason": reason, "t": 500}));
        scene
    };
    for idle in ["to rest", "needs a short break", "thinking", "no reason", "none", "his phone"] {
        stop(idle).expect(json!([{"ruling": "warning", "side": "w", "article": "6.11.4"}]));
    }
    for valid in
        ["the opponent's phone rang", "no queen: none available", "to call the arbiter", ""]
    {
        stop(valid).expect(json!([{"ruling": "no_action", "article": "6.11.2"}]));
    }
}
