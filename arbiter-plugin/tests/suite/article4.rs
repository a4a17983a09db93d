//! Article 4: the act of moving the men.

use serde_json::json;

use crate::scene::{START, Scene};

#[test]
pub fn one_hand() {
    let castles = json!({"type": "move_made", "by": "w", "t": 1000, "uci": "e1g1", "hands": 2});
    let mut scene = Scene::new("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    scene.tell(castles.clone());
    scene.expect(json!([{"ruling": "warning", "side": "w", "article": "4.1"}]));
    scene.expect_no(json!({"ruling": "illegal_move_recorded"}));
    scene.pressed("w", 1500).expect(json!([
        {"ruling": "illegal_move_recorded", "side": "w", "count": 1, "article": "7.5.4"},
        {"ruling": "time_adjusted", "side": "b", "delta_ms": 120_000, "article": "7.5.5"},
    ]));
    assert_eq!(scene.state().moves.len(), 1, "the move stands");
    // Reported as conduct.
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "misconduct", "by": "b", "article": "4.1", "t": 5}));
    scene.expect(json!([{"ruling": "warning", "side": "b", "article": "4.1"}]));
}

fn adjust(by: &str, announced: bool) -> serde_json::Value {
    json!({
        "type": "piece_touched", "by": by, "t": 500, "squares": ["e2"], "intent": "adjust",
        "announced": announced,
    })
}

#[test]
pub fn adjusting() {
    let mut scene = Scene::new(START);
    scene.tell(adjust("w", true)).expect(json!([{"ruling": "no_action", "article": "4.2.1"}]));
    scene.made("w", 1000, "d2d4");
    assert_eq!(scene.state().moves.len(), 1, "adjusting binds to nothing");
    // Black says j'adoube while White thinks.
    let mut scene = Scene::new(START);
    scene.tell(adjust("b", true)).expect(json!([{"ruling": "warning", "side": "b",
        "article": "11.5"}]));
}

#[test]
pub fn contact_is_intent() {
    let accidental = json!({"type": "piece_touched", "by": "w", "t": 500, "squares": ["a2"],
        "intent": "accidental"});
    let mut scene = Scene::new(START);
    scene.tell(accidental).expect(json!([{"ruling": "no_action", "article": "4.2.2"}]));
    scene.expect_no(json!({"ruling": "obligation"}));
    // The wrong man picked up by mistake, or adjusted without a word, was touched.
    scene.touched("w", &["a2"]).expect(json!([{"ruling": "obligation", "must_move": "a2"}]));
    let mut scene = Scene::new(START);
    scene.tell(adjust("w", false));
    scene.expect(json!([{"ruling": "obligation", "must_move": "e2", "article": "4.3.1"}]));
}

#[test]
pub fn touching_binds_the_player_on_move() {
    let mut scene = Scene::new(START);
    scene.touched("b", &["b8"]).expect(json!([{"ruling": "no_action", "article": "4.3"}]));
    scene.expect_no(json!({"ruling": "obligation"}));
    scene.touched("w", &["b1"]).expect(json!([{"ruling": "obligation", "must_move": "b1"}]));
    scene.made("w", 2000, "e2e4");
    assert!(scene.state().moves.is_empty(), "another move is refused");
    scene.made("w", 3000, "b1c3");
    assert_eq!(scene.state().moves.len(), 1);
}

#[test]
pub fn first_own_man_that_can_move() {
    let mut scene = Scene::new("4k3/8/8/b7/8/2N5/P7/4K3 w - - 0 1");
    scene.touched("w", &["c3", "a2"]).expect(json!([{
        "ruling": "obligation", "must_move": "a2", "article": "4.3.1", "allowed": ["a2a3", "a2a4"],
    }]));
}

#[test]
pub fn first_enemy_man_that_can_be_captured() {
    let mut scene = Scene::new("4k3/7p/8/3p4/4P3/8/8/4K3 w - - 0 1");
    scene.tell(json!({"type": "piece_touched", "by": "w", "t": 1000, "squares": ["h7", "d5"],
        "intent": "capture"}));
    scene.expect(json!([{
        "ruling": "obligation", "must_capture": "d5", "must_play": "e4d5", "article": "4.3.2",
    }]));
}

const BOTH: &str = "4k3/8/8/3p4/2N1P3/1p6/8/4K3 w - - 0 1";

#[test]
pub fn men_of_both_colours() {
    // The first enemy with the first own.
    let mut scene = Scene::new(BOTH);
    scene.touched("w", &["e4", "d5"]).expect(json!([{
        "ruling": "obligation", "must_move": "e4", "must_capture": "d5", "must_play": "e4d5",
        "article": "4.3.3",
    }]));
    // The knight cannot take d5: the first touched that can move or be captured.
    let mut scene = Scene::new(BOTH);
    scene.touched("w", &["c4", "d5"]).expect(json!([{
        "ruling": "obligation", "must_move": "c4", "article": "4.3.3",
    }]));
    let mut scene = Scene::new(BOTH);
    scene.touched("w", &["d5", "c4"]).expect(json!([{
        "ruling": "obligation", "must_capture": "d5", "article": "4.3.3",
    }]));
    // Order unknown: the own man counts as touched first.
    let mut scene = Scene::new(BOTH);
    scene.tell(json!({"type": "piece_touched", "by": "w", "t": 1000, "squares": ["d5", "c4"],
        "intent": "move", "order_known": false}));
    scene.expect(json!([{"ruling": "obligation", "must_move": "c4", "article": "4.3.3"}]));
}

const CASTLES: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";

fn castle(scene: &mut Scene, squares: &[&str]) {
    scene.tell(json!({"type": "piece_touched", "by": "w", "t": 1000, "squares": squares,
        "intent": "castle"}));
}

#[test]
pub fn king_and_rook_must_castle() {
    let mut scene = Scene::new(CASTLES);
    castle(&mut scene, &["e1", "h1"]);
    scene.expect(json!([{
        "ruling": "obligation", "must_play": "e1g1", "must_castle": "e1g1", "article": "4.4.1",
    }]));
    scene.made("w", 2000, "h1g1");
    assert!(scene.state().moves.is_empty());
    scene.made("w", 3000, "e1g1");
    assert_eq!(scene.state().moves.len(), 1);
}

#[test]
pub fn rook_first_may_not_castle() {
    let mut scene = Scene::new(CASTLES);
    castle(&mut scene, &["h1", "e1"]);
    scene.expect(json!([{"ruling": "obligation", "must_move": "h1", "article": "4.4.2"}]));
    scene.made("w", 2000, "e1g1");
    assert!(scene.state().moves.is_empty(), "castling is refused");
    scene.made("w", 3000, "h1g1");
    assert_eq!(scene.state().moves.len(), 1);
}

#[test]
pub fn illegal_castling_needs_a_king_move() {
    // Through an attacked square: another king move, the other side included.
    let mut scene = Scene::new("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    castle(&mut scene, &["e1", "h1"]);
    scene.expect(json!([{"ruling": "obligation", "must_move": "e1", "article": "4.4.3",
        "allowed": ["e1c1", "e1d1", "e1d2", "e1e2"]}]));
    // No king move: free.
    let mut scene = Scene::new("3r1rk1/8/8/8/8/8/4P3/4K2R w K - 0 1");
    castle(&mut scene, &["e1", "h1"]);
    scene.expect(json!([{"ruling": "obligation", "free": true, "article": "4.4.3"}]));
    scene.made("w", 2000, "e2e4");
    assert_eq!(scene.state().moves.len(), 1);
}

#[test]
pub fn promotion_choice_is_final_on_contact() {
    let mut scene = Scene::new("8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
    scene.tell(json!({"type": "promotion_piece_placed", "by": "w", "t": 1000, "square": "a8",
        "piece": "n"}));
    scene.expect(json!([{"ruling": "obligation", "promote_to": "N", "article": "4.4.4"}]));
    scene.made("w", 2000, "a7a8q");
    assert!(scene.state().moves.is_empty());
    scene.made("w", 3000, "a7a8n");
    assert_eq!(scene.state().moves.len(), 1);
}

#[test]
pub fn a_rook_upside_down() {
    let placed = json!({"type": "promotion_piece_placed", "by": "w", "t": 1000, "square": "a8",
        "piece": "rook", "upside_down": true});
    let fen = "8/P3k3/8/8/8/8/8/4K3 w - - 0 1";
    let mut scene = Scene::new(fen);
    scene.tell(placed.clone()).expect(json!([{"ruling": "obligation", "promote_to": "R"}]));
    let mut scene = Scene::with("2018", fen, json!({"upside_down_rook": "queen"}));
    scene.tell(placed).expect(json!([{"ruling": "obligation", "promote_to": "Q"}]));
}

#[test]
pub fn nothing_touched_can_move() {
    let mut scene = Scene::new("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1");
    scene.touched("w", &["e2"]).expect(json!([{
        "ruling": "obligation", "free": true, "article": "4.5",
    }]));
    scene.made("w", 2000, "e1d1");
    assert_eq!(scene.state().moves.len(), 1);
}

fn steps(steps: &[&str]) -> Scene {
    let mut scene = Scene::new("8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
    scene.tell(json!({"type": "promotion_steps", "by": "w", "t": 900, "steps": steps}));
    scene
}

#[test]
pub fn the_pawn_need_not_reach_the_square() {
    let mut scene = steps(&["pawn_removed", "piece_placed"]);
    scene.expect(json!([{"ruling": "no_action", "article": "4.6.1"}]));
    scene.made("w", 1000, "a7a8q").pressed("w", 1100);
    scene.expect_no(json!({"ruling": "illegal_move_recorded"}));
}

#[test]
pub fn promotion_in_either_order() {
    let mut scene = steps(&["pawn_advanced", "piece_placed", "pawn_removed"]);
    scene.expect(json!([{"ruling": "no_action", "article": "4.6.2"}]));
    scene.made("w", 1000, "a7a8q").pressed("w", 1100);
    scene.expect_no(json!({"ruling": "illegal_move_recorded"}));
}

#[test]
pub fn promotion_captures_what_stands_there() {
    crate::scene::legal("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q");
    crate::scene::illegal("n3k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q");
}

fn release(scene: &mut Scene, from: &str, to: &str) {
    scene.tell(json!({"type": "piece_released", "by": "w", "t": 1200, "square": to, "from": from}));
}

#[test]
pub fn a_released_man_stays() {
    let mut scene = Scene::new(START);
    release(&mut scene, "g1", "f3");
    scene.expect(json!([{"ruling": "obligation", "must_play": "g1f3", "article": "4.7"}]));
    scene.made("w", 2000, "g1h3");
    assert!(scene.state().moves.is_empty());
    // Not released as a legal move: it may go on.
    let mut scene = Scene::new(START);
    scene.touched("w", &["g1"]);
    scene.tell(json!({"type": "piece_released", "by": "w", "t": 1200, "square": "g3"}));
    scene.made("w", 2000, "g1h3");
    assert_eq!(scene.state().moves.len(), 1);
}

fn half_made(fen: &str, uci: &str, article: &str) {
    let mut scene = Scene::new(fen);
    scene.tell(json!({"type": "move_made", "by": "w", "t": 1000, "uci": uci, "complete": false}));
    scene.expect(json!([{"ruling": "no_action", "article": article}]));
    assert!(scene.state().moves.is_empty(), "{uci} is not yet made");
}

#[test]
pub fn a_capture_needs_the_victim_gone() {
    half_made("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "4.7.1");
}

#[test]
pub fn a_king_released_in_castling() {
    half_made(CASTLES, "e1g1", "4.7.2");
    let mut scene = Scene::new(CASTLES);
    release(&mut scene, "e1", "g1");
    scene.expect(json!([{"ruling": "obligation", "must_play": "e1g1", "article": "4.7.2"}]));
    let mut scene = Scene::new("4kr2/8/8/8/8/8/8/4K2R w K - 0 1");
    release(&mut scene, "e1", "g1");
    scene.expect(json!([{"ruling": "obligation", "must_move": "e1", "article": "4.7.2"}]));
    let mut scene = Scene::new("3r1rk1/8/8/8/8/8/4P3/4K2R w K - 0 1");
    release(&mut scene, "e1", "g1");
    scene.expect(json!([{"ruling": "obligation", "free": true, "article": "4.7.2"}]));
}

#[test]
pub fn a_promotion_needs_the_pawn_gone() {
    half_made("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "4.7.3");
}

#[test]
pub fn who_touches_complains_no_more() {
    let complaint = json!({"type": "complaint", "by": "b", "article": "4.3", "t": 1500});
    let mut scene = Scene::new(START);
    scene.made("w", 900, "e2e4").tell(complaint.clone());
    scene.expect_no(json!({"ruling": "complaint_refused"}));
    scene.touched("b", &["e7"]).tell(complaint);
    scene.expect(json!([{"ruling": "complaint_refused", "by": "b", "article": "4.8"}]));
}

#[test]
pub fn an_assistant_for_the_moves() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "assistant_appointed", "by": "w", "reason": "moves", "t": 0}));
    scene.expect(json!([{"ruling": "no_action", "article": "4.9"}]));
    scene.made("w", 1000, "e2e4");
    assert_eq!(scene.state().moves.len(), 1, "his moves arrive as the player's");
}

/// With nothing touched before, a release where the king castles to is the king's.
#[test]
pub fn a_release_where_the_king_castles_to() {
    let mut scene = Scene::new("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    scene.tell(json!({"type": "piece_released", "by": "w", "t": 1000, "square": "g1"}));
    scene.expect(json!([{"ruling": "obligation", "must_play": "e1g1", "article": "4.7.2"}]));
}

/// A move that touch-move forbids is not accepted; its press is no press without a move (7.5.3).
#[test]
pub fn a_refused_move_is_not_an_illegal_one() {
    let mut scene = Scene::new(START);
    scene.touched("w", &["b1"]).made("w", 2000, "g1f3").pressed("w", 2500);
    scene.expect(json!([{"ruling": "clock_returned_to", "side": "w", "article": "4.3.1"}]));
    scene.expect_no(json!({"ruling": "illegal_move_recorded"}));
    scene.made("w", 3000, "b1c3").pressed("w", 3500);
    assert_eq!(scene.state().moves.len(), 1);
}

/// What bound a player first binds him still: later touches only narrow his choice.
#[test]
fn the_first_touch_decides() {
    let released = json!({"type": "piece_released", "by": "w", "t": 1000, "square": "f3",
        "from": "g1"});
    let mut scene = Scene::new(START);
    scene.tell(released.clone()).touched("w", &["b1"]).made("w", 2000, "g1h3");
    assert!(scene.state().moves.is_empty(), "4.7");
    let mut scene = Scene::new(START);
    scene.touched("w", &["b1"]).tell(released).made("w", 2000, "g1f3");
    assert!(scene.state().moves.is_empty(), "4.3.1");
    scene.made("w", 3000, "b1c3");
    assert_eq!(scene.state().moves.len(), 1);

    let mut scene = Scene::new("8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
    scene.tell(json!({"type": "promotion_piece_placed", "by": "w", "t": 1000, "square": "a8",
        "piece": "n"}));
    scene.touched("w", &["e1"]).made("w", 2000, "e1e2");
    assert!(scene.state().moves.is_empty(), "4.4.4");

    let mut scene = Scene::new("4k3/8/8/8/8/8/P7/4K2R w K - 0 1");
    scene.touched("w", &["a2"]);
    scene.tell(json!({"type": "piece_touched", "by": "w", "t": 1500, "squares": ["e1", "h1"],
        "intent": "castle"}));
    scene.expect_no(json!({"must_castle": "e1g1"})).made("w", 2000, "e1g1");
    assert!(scene.state().moves.is_empty(), "4.3.1");
    let mut scene = Scene::new("4k3/8/8/8/8/8/P7/4K2R w K - 0 1");
    scene.touched("w", &["a2", "e1", "h1"]);
    scene.expect(json!([{"ruling": "obligation", "must_move": "a2", "article": "4.3.1"}]));

    // A man that cannot move binds to nothing.
    let mut scene = Scene::new("4k3/8/8/8/8/p7/P7/4K2R w K - 0 1");
    scene.touched("w", &["a2", "e1", "h1"]).expect(json!([{"must_castle": "e1g1"}]));
}

#[test]
fn a_wrong_claim_with_a_move_binds_through_a_release() {
    let mut scene = Scene::new(START);
    scene.moves("g1f3 g8f6");
    scene.tell(json!({"type": "draw_claimed", "by": "w", "t": 3000, "rule": "9.2",
        "intended": "f3g1"}));
    scene.tell(json!({"type": "piece_released", "by": "w", "t": 3500, "square": "d4",
        "from": "f3"}));
    scene.made("w", 4000, "f3d4");
    assert_eq!(scene.state().moves.len(), 2);
    scene.made("w", 5000, "f3g1");
    assert_eq!(scene.state().moves.len(), 3);
}

#[test]
fn a_forced_queen_does_not_evade_touch_move() {
    let mut scene = Scene::new("8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
    scene.touched("w", &["e1"]).made("w", 2000, "a7a8").pressed("w", 3000);
    assert!(scene.state().moves.is_empty());
    scene.expect_no(json!({"ruling": "promotion_forced"}));
    scene.expect(json!([{"ruling": "obligation", "must_move": "e1"},
        {"ruling": "obligation", "must_move": "e1"}]));
}

/// What was done of a move binds, though something is still to be done.
#[test]
fn half_a_move_binds() {
    let half = |by: &str, uci: &str| json!({"type": "move_made", "by": by, "t": 1000, "uci": uci, "complete": false});
    let mut scene = Scene::new("4k3/8/8/8/8/8/P7/4K2R w K - 0 1");
    scene.tell(half("w", "e1g1")).made("w", 2000, "a2a3");
    assert!(scene.state().moves.is_empty());
    scene.expect(json!([{"ruling": "no_action", "article": "4.7.2"},
        {"ruling": "obligation", "must_play": "e1g1", "article": "4.7.2"}]));
    scene.made("w", 3000, "e1g1");
    assert_eq!(scene.state().moves.len(), 1);

    let mut scene = Scene::new("8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
    scene.tell(half("w", "a7a8")).made("w", 2000, "e1e2");
    assert!(scene.state().moves.is_empty());
    scene.made("w", 3000, "a7a8r");
    assert_eq!(scene.state().moves.len(), 1, "the piece is still to be chosen");

    // The offer has lapsed (9.1.2.1).
    let mut scene = Scene::new("4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 1");
    scene.made("b", 1000, "e8e7");
    scene.tell(json!({"type": "draw_offered", "by": "b", "t": 1100})).pressed("b", 1200);
    scene.tell(half("w", "e4d5"));
    scene.tell(json!({"type": "draw_accepted", "by": "w", "t": 1500})).expect_open();
}

#[test]
fn an_empty_square_is_no_man() {
    for squares in [&["e4"][..], &[]] {
        let mut scene = Scene::new(START);
        scene.moves("e2e3 e7e5");
        scene.made("w", 3000, "g1f3");
        scene.tell(json!({"type": "draw_offered", "by": "w", "t": 3100})).pressed("w", 3200);
        scene.forget().touched("b", squares);
        scene.expect(json!([{"ruling": "no_action", "article": "4.3"}]));
        scene.expect_no(json!({"ruling": "obligation"}));
        assert!(scene.state().offer.is_some());
    }
}

#[test]
fn a_reply_to_a_refused_move_costs_nothing() {
    let mut scene = Scene::new(START);
    scene.touched("w", &["b1"]).made("w", 2000, "g1f3");
    scene.made("b", 3000, "e7e5").pressed("b", 4000).expect_open();
    assert_eq!(scene.state().illegal_moves, [0, 0]);
}

fn released(by: &str, from: &str, square: &str) -> serde_json::Value {
    json!({"type": "piece_released", "by": by, "t": 1200, "square": square, "from": from})
}

#[test]
fn a_man_released_on_an_illegal_square_was_touched() {
    let mut scene = Scene::new(START);
    scene.tell(released("w", "g1", "g3"));
    scene.expect(json!([{"ruling": "obligation", "must_move": "g1", "article": "4.3.1",
        "allowed": ["g1f3", "g1h3"]}]));
    scene.made("w", 2000, "e2e4");
    assert!(scene.state().moves.is_empty());
    // One that cannot move at all binds to nothing.
    let mut scene = Scene::new(START);
    scene.tell(released("w", "a1", "a5"));
    scene.expect(json!([{"ruling": "obligation", "free": true, "article": "4.5"}]));
    scene.made("w", 2000, "e2e4");
    assert_eq!(scene.state().moves.len(), 1);
    // No man of his stands there.
    for from in ["e4", "e7"] {
        let mut scene = Scene::new(START);
        scene.tell(released("w", from, "e5"));
        scene.expect(json!([{"ruling": "no_action", "article": "4.7"}]));
        scene.expect_no(json!({"ruling": "obligation"}));
    }
}

#[test]
fn a_pawn_released_on_the_last_rank_stays_there() {
    let mut scene = Scene::new("8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
    scene.made("w", 1000, "a7a8").made("w", 2000, "e1e2");
    assert!(scene.state().moves.is_empty());
    scene.expect(json!([{"ruling": "obligation", "must_move": "a7", "article": "4.7",
        "allowed": ["a7a8b", "a7a8n", "a7a8q", "a7a8r"]}]));
    scene.made("w", 3000, "a7a8n");
    assert_eq!(scene.state().moves.len(), 1);
}

#[test]
fn an_illegal_capture_in_passing_touches_its_victim() {
    // The d-pawn advanced a move ago; the e-pawn is blocked, so the other man touched decides.
    let mut scene = Scene::new("4k3/8/4p3/3pP3/8/2B5/6B1/4K3 w - - 0 1");
    scene.made("w", 1000, "e5d6").pressed("w", 1500);
    scene.expect(json!([{"ruling": "illegal_move_recorded", "side": "w", "count": 1},
        {"ruling": "obligation", "must_capture": "d5", "allowed": ["g2d5"]}]));
    // A pawn beside which nothing was taken touches itself alone.
    let mut scene = Scene::new("4k3/8/4p3/4P3/8/8/6B1/4K3 w - - 0 1");
    scene.made("w", 1000, "e5d6").pressed("w", 1500);
    scene.expect(json!([{"ruling": "obligation", "free": true}]));
}

#[test]
fn who_has_moved_complains_no_more() {
    let complaint =
        |by: &str, t: u64| json!({"type": "complaint", "by": by, "article": "4.3", "t": t});
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5").tell(complaint("b", 4000));
    scene.expect(json!([{"ruling": "complaint_refused", "by": "b", "article": "4.8"}]));
    // About what White has done since, Black may complain.
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5").touched("w", &["g1"]).tell(complaint("b", 4000));
    scene.expect_no(json!({"ruling": "complaint_refused"}));
    scene.expect(json!([{"ruling": "no_action", "article": "4.3", "overridable": true}]));
    // Who has not moved at all has touched nothing.
    let mut scene = Scene::new(START);
    scene.tell(complaint("b", 100)).expect_no(json!({"ruling": "complaint_refused"}));
}

#[test]
fn without_clocks_the_player_on_the_move_adjusts() {
    let mut scene = Scene::timed("2018", START, json!({"mode": "none", "periods": []}), json!({}));
    scene.made("w", 100, "d2d4").forget().tell(adjust("b", true));
    scene.expect(json!([{"ruling": "no_action", "article": "4.2.1"}]));
    scene.tell(adjust("w", true)).expect(json!([{"ruling": "warning", "side": "w",
        "article": "11.5"}]));
}
