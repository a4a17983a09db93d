//! Numbers, languages and what else a ruling carries.

use serde_json::json;

use crate::scene::{START, Scene};

#[test]
fn numbers_of_the_edition_in_force() {
    for (edition, article) in [("2014", "5.1.b"), ("2018", "5.1.2"), ("2023", "5.1.2")] {
        let mut scene = Scene::with(edition, START, json!({}));
        scene.tell(json!({"type": "resigned", "by": "w", "t": 1}));
        scene.expect_over("0-1", "resignation", article);
        let text = scene.rulings[0]["text"].as_str().unwrap_or_default().to_owned();
        assert_eq!(text, format!("Black wins by resignation (Article {article})."));
    }
}

#[test]
fn an_unknown_number_is_that_of_2018_and_says_so() {
    let mut scene = Scene::with("2014", START, json!({}));
    scene.moves("e2e4 e7e5");
    scene.tell(json!({"type": "irregularity", "kind": "displaced_piece", "t": 9, "since_ply": 1}));
    scene.expect(json!([{"ruling": "position_restored", "article": "7.6", "numbering": "2018"}]));
    // In 2018 itself there is nothing to say.
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "irregularity", "kind": "displaced_piece", "t": 9}));
    assert!(scene.rulings[0].get("numbering").is_none());
}

#[test]
fn numbers_of_all_editions_on_request() {
    let mut scene = Scene::with("2018", START, json!({"article_numbers": "all"}));
    scene.tell(json!({"type": "resigned", "by": "w", "t": 1}));
    let article = json!({"2014": "5.1.b", "2018": "5.1.2", "2023": "5.1.2"});
    scene.expect(json!([{"ruling": "game_over", "article": article}]));
}

#[test]
fn sentences_in_spanish() {
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "game_started", "language": "es", "start_fen": START}));
    scene.forget().moves("f2f3 e7e5 g2g4 d8h4");
    let text = scene.rulings[0]["text"].as_str().unwrap_or_default().to_owned();
    assert_eq!(text, "Gana el Negro por jaque mate (Artículo 5.1.1).");
}

#[test]
fn unknown_fields_and_types_are_refused() {
    let mut scene = Scene::new(START);
    for (event, names) in [
        (json!({"type": "resigned", "by": "w", "t": 1, "why": "tired"}), "`why`"),
        (json!({"type": "resigned", "by": "x", "t": 1}), "`x`"),
        (json!({"type": "resigned", "t": 1}), "`by`"),
        (json!({"type": "castled"}), "`castled`"),
        (json!({"type": "game_started", "regulations": {"blitz": true}}), "`blitz`"),
        (json!({"type": "piece_touched", "by": "w", "t": 1, "squares": ["z9"]}), "`z9`"),
    ] {
        let error = scene.try_tell(&event).expect_err("not of the language");
        assert!(error.contains(names), "{error}");
    }
    scene.moves("e2e4").expect_open();
    assert_eq!(scene.state().moves.len(), 1, "the game went on as before");
}

#[test]
fn extreme_moments_do_no_harm() {
    let mut scene = Scene::new(START);
    scene.made("w", u64::MAX, "e2e4").pressed("w", 3);
    scene.tell(json!({"type": "moves_played", "t0": u64::MAX, "ms_per_move": u64::MAX,
        "uci": ["e7e5", "g1f3"]}));
    assert_eq!(scene.state().moves.len(), 3);
    let far = json!({"type": "clock_set", "side": "w", "ms": i64::MIN, "t": 0});
    assert!(scene.try_tell(&far).is_err());
}
