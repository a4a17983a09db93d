//! Article 5: the completion of the game.

use serde_json::json;

use crate::scene::{START, Scene, legal};

#[test]
pub fn mate_ends_the_game() {
    let mut scene = Scene::new(START);
    scene.moves("f2f3 e7e5 g2g4").made("b", 5_401_500, "d8h4");
    scene.tell(json!({"type": "flag_claimed", "t": 5_404_000, "by": "w", "against": "b"}));
    scene.expect(json!([
        {"ruling": "game_over", "result": "0-1", "reason": "checkmate", "article": "5.1.1"},
        {"ruling": "no_action", "article": "6.9"},
    ]));
    // Mate by a pinned man is no mate.
    let mut scene = Scene::new("4r2k/6pp/8/8/4R3/8/8/4K2Q w - - 0 1");
    scene.made("w", 2000, "e4a4").pressed("w", 3000).expect_open();
    scene.expect(json!([
        {"ruling": "illegal_move_recorded", "side": "w", "article": "7.5.1"},
        {"ruling": "obligation", "must_move": "e4", "article": "4.3.1"},
    ]));
}

/// A player resigns to a bare king, in an edition.
fn resigned_to_a_bare_king(edition: &str) -> Scene {
    let mut scene = Scene::with(edition, "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", json!({}));
    scene.tell(json!({"type": "resigned", "by": "w", "t": 1000}));
    scene
}

#[test]
pub fn resignation() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "resigned", "by": "b", "t": 1000}));
    scene.expect_over("1-0", "resignation", "5.1.2");
    resigned_to_a_bare_king("2014").expect_over("0-1", "resignation", "5.1.b");
    resigned_to_a_bare_king("2018").expect_over("0-1", "resignation", "5.1.2");
    let reason = "resignation_opponent_cannot_mate";
    resigned_to_a_bare_king("2023").expect_over("1/2-1/2", reason, "5.1.2");
}

#[test]
pub fn stalemate() {
    let mut scene = legal("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7");
    scene.tell(json!({"type": "flag_observed", "t": 5_400_500, "side": "w"}));
    scene.expect_over("1/2-1/2", "stalemate", "5.2.1");
}

#[test]
pub fn dead_position() {
    // The only move takes the last man that could mate.
    legal("7k/8/7K/8/8/8/8/6R1 w - - 0 1", "g1g8").expect_over("1/2-1/2", "dead_position", "5.2.2");
    // A wall of pawns that nobody can pass.
    legal("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", "e1e2").expect_over(
        "1/2-1/2",
        "dead_position",
        "5.2.2",
    );
    // An illegal capture that would leave nothing does not end the game.
    let mut scene = Scene::new("4k3/3b4/8/8/8/8/3K2p1/8 w - - 0 1");
    scene.made("w", 2000, "d2g2").pressed("w", 2500).expect_open();
}

fn agreed_after(edition: &str, moves: &str, by: &str, to: &str) -> Scene {
    let mut scene = Scene::with(edition, START, json!({}));
    scene.moves(moves);
    scene.tell(json!({"type": "draw_offered", "by": by, "t": 60_000}));
    scene.tell(json!({"type": "draw_accepted", "by": to, "t": 61_000}));
    scene
}

#[test]
pub fn agreement() {
    agreed_after("2018", "e2e4 e7e5 g1f3", "w", "b").expect_over("1/2-1/2", "agreement", "5.2.3");
    agreed_after("2018", "e2e4", "w", "b")
        .expect(json!([{"ruling": "agreement_refused", "article": "5.2.3"}]))
        .expect_open();
    agreed_after("2014", "e2e4", "w", "b").expect_over("1/2-1/2", "agreement", "5.2.c");
}

#[test]
pub fn a_start_that_is_over() {
    Scene::new("8/8/8/8/8/2b1k1b1/8/3RKR2 w - - 0 1").expect_over("0-1", "checkmate", "5.1.1");
    Scene::new("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").expect_over("1/2-1/2", "stalemate", "5.2.1");
    Scene::new("4k3/8/8/8/8/8/8/4K3 w - - 0 1").expect_over("1/2-1/2", "dead_position", "5.2.2");
}

#[test]
fn the_first_move_from_a_dead_start_ends_the_game() {
    let dead = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let mut scene = Scene::new(dead);
    scene.forget().made("w", 1000, "e1e2").expect_over("1/2-1/2", "dead_position", "5.2.2");
    // Nobody resigns a game that is over.
    let mut scene = Scene::new(dead);
    scene.forget().tell(json!({"type": "resigned", "by": "w", "t": 1000}));
    scene.expect_no(json!({"ruling": "game_over"}));
    assert_eq!(scene.state().outcome.unwrap().reason.name(), "dead_position");
}
