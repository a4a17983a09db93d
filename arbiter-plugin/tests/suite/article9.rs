//! Article 9: the drawn game.

use arbiter_plugin::plugin::Side;
use serde_json::{Value, json};

use crate::scene::{START, Scene};

fn offer(scene: &mut Scene, by: &str, t: u64) {
    scene.tell(json!({"type": "draw_offered", "by": by, "t": t}));
}

fn accept(scene: &mut Scene, by: &str, t: u64) {
    scene.tell(json!({"type": "draw_accepted", "by": by, "t": t}));
}

pub fn claim(scene: &mut Scene, by: &str, rule: &str, intended: Option<&str>) {
    scene.tell(json!({"type": "draw_claimed", "by": by, "t": 30_000, "rule": rule,
        "intended": intended}));
}

#[test]
pub fn offers_may_be_forbidden() {
    for rule in [json!("forbidden"), json!({"min_moves_each": 30})] {
        let mut scene = Scene::with("2018", START, json!({"draw_offers": rule}));
        scene.moves("e2e4 e7e5 g1f3 b8c6");
        offer(&mut scene, "b", 4500);
        accept(&mut scene, "w", 5000);
        scene.expect(json!([
            {"ruling": "agreement_refused", "article": "9.1.1"},
            {"ruling": "warning", "side": "b", "article": "11.5"},
            {"ruling": "agreement_refused", "article": "9.1.1"},
        ]));
        scene.expect_open();
    }
    let enough = json!({"draw_offers": {"min_moves_each": 2}});
    let mut scene = Scene::with("2018", START, enough);
    scene.moves("e2e4 e7e5 g1f3 b8c6").made("w", 5000, "f1b5");
    offer(&mut scene, "w", 5100);
    accept(&mut scene, "b", 5200);
    scene.expect_over("1/2-1/2", "agreement", "5.2.3");
    // Claims are no agreements; the offer that comes with them is not acceptable.
    let mut scene = Scene::with("2018", START, json!({"draw_offers": "forbidden"}));
    scene.moves("e2e4 e7e5");
    claim(&mut scene, "w", "9.2", None);
    scene.expect(json!([{"ruling": "claim_rejected", "article": "9.5.3"}]));
    scene.expect_no(json!({"ruling": "offer_standing"}));
    accept(&mut scene, "b", 31_000);
    scene.expect_open();
}

/// White has offered a draw with his second move and pressed.
fn offered() -> Scene {
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5").made("w", 3000, "g1f3");
    offer(&mut scene, "w", 3100);
    scene.pressed("w", 3200);
    scene
}

#[test]
pub fn an_offer_stands_until_it_is_answered() {
    let mut scene = offered();
    scene.expect(json!([{"ruling": "offer_standing", "by": "w", "article": "9.1.2.1"}]));
    scene.expect_no(json!({"ruling": "warning"}));
    accept(&mut scene, "b", 5000);
    scene.expect_over("1/2-1/2", "agreement", "5.2.3");
    // Refused in words.
    let mut scene = offered();
    scene.tell(json!({"type": "draw_declined", "by": "b", "t": 4000}));
    accept(&mut scene, "b", 5000);
    scene.expect(json!([{"ruling": "no_action", "article": "9.1.2.1"}])).expect_open();
    // Refused by a touch with intent; not by one without.
    let mut scene = offered();
    scene.tell(json!({"type": "piece_touched", "by": "b", "t": 4000, "squares": ["b8"],
        "intent": "accidental"}));
    assert_eq!(scene.state().offer, Some(Side::White));
    scene.touched("b", &["b8"]);
    accept(&mut scene, "b", 6000);
    scene.expect(json!([
        {"ruling": "obligation", "must_move": "b8", "article": "4.3.1"},
        {"ruling": "no_action", "article": "9.1.2.1"},
    ]));
    // Refused by a move.
    let mut scene = offered();
    scene.made("b", 4000, "b8c6");
    assert_eq!(scene.state().offer, None);
    // Nobody accepts his own offer.
    let mut scene = offered();
    accept(&mut scene, "w", 4000);
    scene.expect_open();
}

#[test]
pub fn offers_at_other_times() {
    // While the opponent thinks: valid, with a warning.
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5");
    offer(&mut scene, "b", 2500);
    scene.expect(json!([
        {"ruling": "offer_standing", "by": "b"},
        {"ruling": "warning", "side": "b", "article": "11.5"},
    ]));
    accept(&mut scene, "w", 2600);
    scene.expect_over("1/2-1/2", "agreement", "5.2.3");
    // A condition makes it no offer.
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5").made("w", 3000, "g1f3");
    scene.tell(json!({"type": "draw_offered", "by": "w", "t": 3100, "conditional": true}));
    accept(&mut scene, "b", 3200);
    scene.expect(json!([
        {"ruling": "no_action", "article": "9.1.2.1"},
        {"ruling": "warning", "side": "w", "article": "11.5"},
    ]));
    scene.expect_open();
}

#[test]
pub fn a_flag_before_the_acceptance_wins() {
    let mut scene = offered();
    scene.tell(json!({"type": "flag_observed", "side": "b", "t": 5_500_000}));
    accept(&mut scene, "b", 5_500_100);
    scene.expect_over("1-0", "flag_fall", "6.9");
}

#[test]
pub fn an_offer_survives_an_illegal_move() {
    let game = |regulations: Value| {
        let mut scene = Scene::with("2018", START, regulations);
        scene.moves("e2e4 e7e5");
        offer(&mut scene, "w", 2500);
        scene.made("w", 3000, "g1g3").pressed("w", 3100);
        scene.state().offer
    };
    assert_eq!(game(json!({})), Some(Side::White));
    assert_eq!(game(json!({"restore_cancels_offers": true})), None);
}

#[test]
pub fn offers_are_marked_in_the_record() {
    assert!(offered().state().moves[2].draw_offer);
}

#[test]
pub fn a_claim_is_an_offer() {
    let mut scene = Scene::new(START);
    scene.moves("g1f3 g8f6 f3g1 f6g8");
    claim(&mut scene, "w", "9.2", None);
    scene.expect(json!([
        {"ruling": "claim_rejected", "article": "9.5.3"},
        {"ruling": "time_adjusted", "side": "b", "delta_ms": 120_000, "article": "9.5.3"},
        {"ruling": "offer_standing", "by": "w", "article": "9.1.2.3"},
    ]));
    accept(&mut scene, "b", 31_000);
    scene.expect_over("1/2-1/2", "agreement", "5.2.3");
}

const KNIGHTS: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";

#[test]
pub fn the_claimant_must_have_the_move() {
    let mut scene = Scene::new(START);
    scene.moves(KNIGHTS);
    claim(&mut scene, "b", "9.2", None);
    scene.expect(json!([
        {"ruling": "claim_rejected", "article": "9.2.1"},
        {"ruling": "offer_standing", "by": "b", "article": "9.1.2.3"},
        {"ruling": "time_adjusted", "side": "w", "delta_ms": 120_000, "article": "9.5.3"},
    ]));
    let mut scene = Scene::with("2018", START, json!({"claim_off_move": "offer_only"}));
    scene.moves(KNIGHTS);
    claim(&mut scene, "b", "9.2", None);
    scene.expect(json!([{"ruling": "offer_standing", "by": "b"}]));
    scene.expect_no(json!({"ruling": "time_adjusted"}));
    // Gone once the position has changed.
    let mut scene = Scene::new(START);
    scene.moves(KNIGHTS).moves("e2e4");
    claim(&mut scene, "b", "9.2", None);
    scene.expect(json!([{"ruling": "claim_rejected"}])).expect_open();
}

#[test]
pub fn a_claim_with_an_intended_move() {
    let mut scene = Scene::new(START);
    scene.moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    claim(&mut scene, "b", "9.2", Some("f6g8"));
    scene.expect_over("1/2-1/2", "threefold_claim", "9.2.1.1");
    assert_eq!(scene.state().moves.len(), 7, "the move is not played");
    let mut scene = Scene::with("2023", START, json!({}));
    scene.moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    claim(&mut scene, "b", "9.2", Some("f6g8"));
    scene.expect_over("1/2-1/2", "threefold_claim", "9.2.1");
}

#[test]
pub fn a_claim_on_the_board() {
    for (edition, article) in [("2014", "9.2.b"), ("2018", "9.2.1.2"), ("2023", "9.2.2")] {
        let mut scene = Scene::with(edition, START, json!({}));
        scene.moves(KNIGHTS);
        claim(&mut scene, "w", "9.2", None);
        scene.expect_over("1/2-1/2", "threefold_claim", article);
        scene.expect(json!([{"ruling": "game_over", "evidence": {"plies": [0, 4, 8]}}]));
    }
}

#[test]
pub fn what_makes_positions_the_same() {
    // The capturer is pinned: no en passant was possible.
    let mut scene = Scene::new("8/8/8/8/4p3/8/R2P3k/K7 w - - 0 37");
    scene.moves("d2d4 h2h3 a2a3 h3h2 a3a2 h2h1 a2a3 h1h2 a3a2");
    claim(&mut scene, "b", "9.2", None);
    scene.expect_over("1/2-1/2", "threefold_claim", "9.2.1.2");
}

#[test]
pub fn en_passant_made_a_difference() {
    let mut scene = Scene::new("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1");
    scene.moves("d2d4 e8e7 e1e2 e7e8 e2e1 e8e7 e1e2 e7e8 e2e1");
    claim(&mut scene, "b", "9.2", None);
    scene.expect(json!([{"ruling": "claim_rejected", "article": "9.5.3"}])).expect_open();
}

#[test]
pub fn castling_rights_make_a_difference() {
    let mut scene = Scene::new("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1");
    scene.moves("a1b1 a8b8 b1a1 b8a8 a1b1 a8b8 b1a1 b8a8");
    claim(&mut scene, "w", "9.2", None);
    scene.expect(json!([{"ruling": "claim_rejected", "article": "9.5.3"}])).expect_open();
    // Only prevented for now: the same.
    let mut scene = Scene::new("4kr2/8/8/8/8/8/8/N3K2R w K - 0 1");
    scene.moves("a1b3 f8g8 b3a1 g8f8 a1b3 f8g8 b3a1 g8f8");
    claim(&mut scene, "w", "9.2", None);
    scene.expect_over("1/2-1/2", "threefold_claim", "9.2.1.2");
}

#[test]
pub fn fifty_moves_with_an_intended_move() {
    let mut scene = Scene::new("7k/8/5K2/8/8/8/8/6R1 w - - 99 100");
    claim(&mut scene, "w", "9.3", Some("g1a1"));
    scene.expect_over("1/2-1/2", "fifty_moves_claim", "9.3.1");
    // A pawn move never supports it, and must then be played.
    let mut scene = Scene::new("7k/8/5K2/8/8/8/4P3/6R1 w - - 99 100");
    claim(&mut scene, "w", "9.3", Some("e2e3"));
    scene.expect(json!([
        {"ruling": "claim_rejected", "article": "9.5.3"},
        {"ruling": "time_adjusted", "side": "b", "delta_ms": 120_000, "article": "9.5.3"},
        {"ruling": "obligation", "must_play": "e2e3", "article": "9.5.3"},
    ]));
    // A move that would mate or stalemate: the claim is judged as filed.
    let mut scene = Scene::new("5rkr/5p1p/8/8/5p2/7p/6K1/6R1 w - - 99 80");
    claim(&mut scene, "w", "9.3", Some("g2h1"));
    scene.expect_over("1/2-1/2", "fifty_moves_claim", "9.3.1");
}

#[test]
pub fn fifty_moves_on_the_board() {
    let mut scene = Scene::new("7k/8/5K2/8/8/8/8/6R1 w - - 100 101");
    claim(&mut scene, "w", "9.3", None);
    scene.expect_over("1/2-1/2", "fifty_moves_claim", "9.3.2");
    let mut scene = Scene::new("7k/8/5K2/8/8/8/8/6R1 w - - 99 101");
    claim(&mut scene, "w", "9.3", None);
    scene.expect(json!([{"ruling": "claim_rejected", "article": "9.5.3"}]));
    // The opponent's fiftieth is made but not pressed.
    let claimed = |regulations: Value| {
        let mut scene = Scene::with("2018", "7k/8/5K2/8/8/8/8/6R1 w - - 99 101", regulations);
        scene.made("w", 1000, "g1a1");
        claim(&mut scene, "b", "9.3", None);
        scene
    };
    claimed(json!({})).expect_over("1/2-1/2", "fifty_moves_claim", "9.3.2");
    claimed(json!({"fifty_counts_unpressed": false}))
        .expect(json!([{"ruling": "claim_rejected", "article": "9.5.3"}]));
}

#[test]
pub fn a_touch_forfeits_the_claim() {
    let mut scene = Scene::new(START);
    scene.moves(KNIGHTS).touched("w", &["b1"]);
    claim(&mut scene, "w", "9.2", None);
    scene.expect(json!([
        {"ruling": "obligation", "must_move": "b1", "article": "4.3.1"},
        {"ruling": "claim_refused", "by": "w", "article": "9.4"},
    ]));
    scene.expect_no(json!({"ruling": "time_adjusted"})).expect_open();
    // Without intent it does not count.
    let mut scene = Scene::new(START);
    scene.moves(KNIGHTS);
    scene.tell(json!({"type": "piece_touched", "by": "w", "t": 20_000, "squares": ["b1"],
        "intent": "accidental"}));
    claim(&mut scene, "w", "9.2", None);
    scene.expect_over("1/2-1/2", "threefold_claim", "9.2.1.2");
}

#[test]
pub fn a_claim_cannot_be_withdrawn() {
    let mut scene = Scene::new(START);
    scene.moves("g1f3 g8f6");
    claim(&mut scene, "w", "9.2", Some("f3g1"));
    scene.tell(json!({"type": "claim_withdrawn", "by": "w", "t": 31_000}));
    scene.expect(json!([
        {"ruling": "claim_rejected"},
        {"ruling": "no_action", "article": "9.5.1"},
    ]));
}

#[test]
pub fn a_correct_claim_draws_at_once() {
    let mut scene = Scene::new(START);
    scene.moves(KNIGHTS);
    claim(&mut scene, "w", "9.2", None);
    scene.tell(json!({"type": "flag_observed", "side": "w", "t": 6_000_000}));
    scene.expect_over("1/2-1/2", "threefold_claim", "9.2.1.2");
    scene.expect_no(json!({"reason": "flag_fall"}));
}

#[test]
pub fn a_wrong_claim() {
    let mut scene = Scene::new(START);
    scene.moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6");
    claim(&mut scene, "w", "9.2", Some("f3g1"));
    scene.expect(json!([
        {"ruling": "claim_rejected", "article": "9.5.3"},
        {"ruling": "time_adjusted", "side": "b", "delta_ms": 120_000, "article": "9.5.3"},
        {"ruling": "obligation", "must_play": "f3g1", "article": "9.5.3"},
        {"ruling": "offer_standing", "by": "w", "article": "9.1.2.3"},
    ]));
    scene.made("w", 32_000, "e2e4");
    assert_eq!(scene.state().moves.len(), 6, "another move is refused");
    scene.made("w", 33_000, "f3g1");
    assert_eq!(scene.state().moves.len(), 7);
    // An intended move that is illegal: the claim is wrong, and touch-move binds the man.
    let mut scene = Scene::new(START);
    scene.moves(KNIGHTS);
    claim(&mut scene, "w", "9.2", Some("b1b3"));
    scene.expect(json!([
        {"ruling": "claim_rejected", "article": "9.5.3"},
        {"ruling": "obligation", "must_move": "b1", "article": "4.3.1"},
    ]));
    assert_eq!(scene.state().illegal_moves, [0, 0]);
}

const UNEVEN: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 g1f3 g8f6 f3g1 f6g8 c3b1 \
                      c6b8 g1f3 g8f6 f3g1 f6g8";

#[test]
pub fn fivefold() {
    let mut scene = Scene::new(START);
    scene.moves(UNEVEN).expect_over("1/2-1/2", "fivefold", "9.6.1");
    let mut scene = Scene::with("2014", START, json!({}));
    scene.moves(UNEVEN).expect(json!([{"ruling": "no_action", "article": "9.6.a"}])).expect_open();
    let mut scene = Scene::with("2014", START, json!({}));
    scene.moves(&[KNIGHTS, KNIGHTS].join(" ")).expect_over("1/2-1/2", "fivefold", "9.6.a");
}

#[test]
pub fn seventy_five_moves() {
    let fen = "7k/5K2/8/8/8/8/8/6R1 w - - 149 120";
    let mut scene = Scene::new(fen);
    scene.made("w", 2000, "g1a1").expect_over("1/2-1/2", "seventy_five_moves", "9.6.2");
    let mut scene = Scene::new(fen);
    scene.made("w", 2000, "g1h1").expect_over("1-0", "checkmate", "5.1.1");
    // Made, not claimed: a flag that falls later is void.
    let mut scene = Scene::new(fen);
    scene.made("w", 5_399_999, "g1a1");
    scene.tell(json!({"type": "flag_observed", "side": "w", "t": 5_400_001}));
    scene.expect_no(json!({"reason": "flag_fall"}));
}

#[test]
pub fn hosts_that_claim_for_the_players() {
    let mut scene = Scene::with("2018", START, json!({"claims": "auto"}));
    scene.moves(KNIGHTS).expect_over("1/2-1/2", "threefold_claim", "9.2.1.2");
    let mut scene =
        Scene::with("2018", "7k/8/5K2/8/8/8/8/6R1 w - - 99 101", json!({"claims": "auto"}));
    scene.made("w", 1000, "g1a1").expect_over("1/2-1/2", "fifty_moves_claim", "9.3.2");
    // Told only to hosts that ask.
    let mut scene = Scene::new(START);
    scene.moves(KNIGHTS).expect_no(json!({"ruling": "claim_available"}));
    let claims: Vec<_> = scene.state().claims.into_iter().map(|claim| claim.intended).collect();
    assert_eq!(claims, [None, Some("g1f3".to_owned())], "on the board, or with the next move");
    let mut scene = Scene::with("2018", START, json!({"report_claims": true}));
    scene.moves(KNIGHTS).expect(json!([{"ruling": "claim_available", "by": "b", "rule": "9.2",
        "intended": "f6g8", "article": "9.2.1.1"}, {"ruling": "claim_available", "by": "w",
        "rule": "9.2", "article": "9.2.1.2"}]));
}

/// Whoever makes an illegal move has touched a man, and with that refused the opponent's offer;
/// his own offer stands.
#[test]
pub fn an_offer_and_an_illegal_move() {
    for (offers, open) in [("w", false), ("b", true)] {
        let mut scene = Scene::new(START);
        scene.moves("e2e4 e7e5");
        scene.made("w", 3000, "g1f3").pressed("w", 3200);
        scene.tell(json!({"type": "draw_offered", "by": offers, "t": 3300}));
        scene.made("b", 4000, "b8b6").pressed("b", 4100);
        scene.expect(json!([{"ruling": "position_restored", "to_ply": 3}]));
        assert_eq!(scene.state().offer.is_some(), open, "{offers}");
    }
}

#[test]
fn who_has_moved_a_man_claims_no_more() {
    let claim = json!({"type": "draw_claimed", "by": "w", "t": 20_000, "rule": "9.2"});
    let mut scene = Scene::new(START);
    scene.moves(KNIGHTS).made("w", 15_000, "e2e5").tell(claim.clone());
    scene.expect(json!([{"ruling": "claim_refused", "article": "9.4"}])).expect_open();
    for illegal in ["e1g1", "e1f1"] {
        let mut scene = Scene::new("4kr2/8/8/8/8/8/8/N3K2R w K - 0 1");
        scene.moves("a1b3 f8g8 b3a1 g8f8 a1b3 f8g8 b3a1 g8f8");
        scene.made("w", 15_000, illegal).pressed("w", 16_000).tell(claim.clone());
        scene.expect(json!([{"ruling": "claim_refused", "article": "9.4"}])).expect_open();
    }
}

/// Each player's offer stands for itself.
#[test]
fn offers_of_both_players() {
    let offer = |by: &str| json!({"type": "draw_offered", "by": by, "t": 5000});
    let claim = |by: &str| json!({"type": "draw_claimed", "by": by, "t": 5000, "rule": "9.2"});
    for (first, second, by) in [
        (offer("b"), offer("w"), "b"),
        (offer("b"), offer("w"), "w"),
        (offer("b"), claim("w"), "w"),
        (claim("w"), offer("b"), "w"),
    ] {
        let mut scene = Scene::new(START);
        scene.moves("e2e4 e7e5").tell(first).tell(second);
        scene.tell(json!({"type": "draw_accepted", "by": by, "t": 6000}));
        scene.expect_over("1/2-1/2", "agreement", "5.2.3");
    }
    let mut scene = Scene::new(START);
    scene.moves("e2e4 e7e5").tell(offer("w")).tell(offer("b"));
    scene.tell(json!({"type": "draw_declined", "by": "w", "t": 6000}));
    assert_eq!(scene.state().offer, Some(Side::White), "his own offer stands");
}

/// 9.5.3: a move announced with a wrong claim cannot be exchanged for another by a new claim.
#[test]
fn a_second_claim_does_not_change_the_announced_move() {
    let mut scene = Scene::new(START);
    scene.moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    claim(&mut scene, "b", "9.2", Some("h7h6"));
    scene.expect(json!([{"ruling": "obligation", "must_play": "h7h6", "article": "9.5.3"}]));
    for another in ["f6g8", "h7h9", "b8c6"] {
        scene.forget();
        claim(&mut scene, "b", "9.2", Some(another));
        scene.expect(json!([{"ruling": "claim_refused", "by": "b", "article": "9.5.3"}]));
        scene.expect_no(json!({"ruling": "time_adjusted"})).expect_open();
    }
    assert_eq!(scene.state().allowed, Some(vec!["h7h6".to_owned()]));
    // The same move under the other rule is heard.
    let mut scene = Scene::new("7k/8/5K2/8/8/8/8/6R1 w - - 99 100");
    claim(&mut scene, "w", "9.2", Some("g1a1"));
    claim(&mut scene, "w", "9.3", Some("g1a1"));
    scene.expect_over("1/2-1/2", "fifty_moves_claim", "9.3.1");
}

/// 8.1.2: only the claimant may have written a move that was not played.
#[test]
fn a_claim_excuses_only_the_claimant() {
    let mut scene = Scene::new(START);
    claim(&mut scene, "w", "9.2", Some("e2e4"));
    let written =
        |by: &str| json!({"type": "score_report", "by": by, "kind": "in_advance", "t": 31_000});
    scene.forget().tell(written("b"));
    scene.expect(json!([{"ruling": "warning", "side": "b", "article": "8.1.2"}]));
    scene.forget().tell(written("w"));
    scene.expect(json!([{"ruling": "no_action", "article": "8.1.2"}]));
    // Nor for longer than the move.
    scene.made("w", 32_000, "e2e4").pressed("w", 32_000).forget().tell(written("w"));
    scene.expect(json!([{"ruling": "warning", "side": "w", "article": "8.1.2"}]));
}
