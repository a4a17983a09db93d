//! Cases distilled from public bug reports: flag falls, dead positions, repetition, counters.

use serde_json::{Value, json};
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, Position};

use crate::scene::{START, Scene};

/// The cases of some areas; none, with a message, where the file is not there.
fn cases(area: &str) -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/cases/reports.jsonl");
    let Ok(text) = std::fs::read_to_string(path) else {
        eprintln!("skipped: {path} is not there");
        return Vec::new();
    };
    let cases: Vec<Value> =
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    cases.into_iter().filter(|case| case["area"] == area).collect()
}

/// The start position and the moves of a case, in UCI notation.
fn start_and_moves(input: &Value) -> (String, Vec<String>) {
    let fen = match input["fen"].as_str() {
        None | Some("startpos") => START.to_owned(),
        Some(fen) => fen.to_owned(),
    };
    let uci = input["moves_uci"].as_str().or(input["move_uci"].as_str());
    let moves = match (input["moves_san"].as_str(), uci) {
        (Some(san), _) => from_san(&fen, san),
        (None, uci) => uci.unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
    };
    (fen, moves)
}

fn from_san(fen: &str, text: &str) -> Vec<String> {
    let fen: shakmaty::fen::Fen = fen.parse().expect("a FEN");
    let mut position: Chess = fen.into_position(CastlingMode::Standard).expect("a position");
    text.split_whitespace()
        .map(|san| {
            let mv = san.parse::<San>().expect("SAN").to_move(&position).expect("a legal move");
            position.play_unchecked(mv);
            mv.to_uci(CastlingMode::Standard).to_string()
        })
        .collect()
}

fn side(name: &Value) -> &'static str {
    if name == "white" { "w" } else { "b" }
}

#[test]
fn flag_falls() {
    for case in cases("flagfall") {
        let (fen, moves) = start_and_moves(&case["input"]);
        let mut scene = Scene::new(&fen);
        scene.moves(&moves.join(" "));
        let flagged = match &case["input"]["event"] {
            Value::Array(_) => {
                scene.tell(json!({"type": "draw_claimed", "by": "w", "t": 90_000, "rule": "9.2"}));
                "w"
            }
            _ => side(&case["input"]["flagged"]),
        };
        scene.tell(json!({"type": "flag_observed", "side": flagged, "t": 6_000_000}));
        let result = scene.state().outcome.map(|outcome| json!(outcome.result));
        assert_eq!(result.as_ref(), Some(&case["expected"]["result"]), "{case}");
    }
}

#[test]
fn dead_positions() {
    for case in cases("dead") {
        let (fen, moves) = start_and_moves(&case["input"]);
        let mut scene = Scene::new(&fen);
        scene.moves(&moves.join(" "));
        let outcome = scene.state().outcome;
        let expected = &case["expected"];
        match (expected["terminal"].as_str(), expected["dead"].as_bool()) {
            (Some(terminal), _) => {
                assert_eq!(outcome.map(|end| end.reason.name()).as_deref(), Some(terminal));
            }
            (None, Some(true)) => {
                let reason = outcome.map(|end| end.reason.name());
                assert_eq!(reason.as_deref(), Some("dead_position"), "{case}");
            }
            _ => assert_eq!(outcome, None, "{case}"),
        }
    }
}

#[test]
fn repetitions() {
    for case in cases("repetition") {
        let (fen, moves) = start_and_moves(&case["input"]);
        let mut scene = Scene::new(&fen);
        let (mut threefold, mut fivefold) = (Value::Null, Value::Null);
        for (index, uci) in moves.iter().enumerate() {
            scene.moves(uci);
            let state = scene.state();
            if state.occurrences >= 3 && threefold.is_null() {
                threefold = json!(index + 1);
            }
            if state.outcome.is_some_and(|end| end.reason.name() == "fivefold") {
                fivefold = json!(index + 1);
            }
        }
        let expected = &case["expected"];
        if expected.get("first_threefold_ply").is_some() {
            assert_eq!(expected["first_threefold_ply"], threefold, "{case}");
            assert_eq!(expected["first_fivefold_ply"], fivefold, "{case}");
            assert_eq!(expected["final_count"], scene.state().occurrences, "{case}");
        } else if case["input"]["event"] == "black_claims_threefold" {
            crate::article9::claim(&mut scene, "b", "9.2", None);
            scene.expect(json!([{"ruling": "claim_rejected"}])).expect_open();
        } else {
            // A claim that could be made does not end the game.
            scene.expect_open().moves("f6g8").expect_open();
        }
    }
}

#[test]
fn counters() {
    for case in cases("fifty75") {
        let input = &case["input"];
        if input.get("fen").is_none() {
            continue; // About tablebases: the runner's matter.
        }
        let (fen, moves) = start_and_moves(input);
        let mut scene = Scene::new(&fen);
        scene.moves(&moves.join(" "));
        let expected = &case["expected"];
        if let Some(announced) = input["event"].as_str() {
            let uci = announced.split_whitespace().nth(2);
            crate::article9::claim(&mut scene, "w", "9.3", uci);
        }
        if let Some(fen) = expected["fen_after"].as_str() {
            assert_eq!(scene.state().fen, fen, "{case}");
        }
        if let Some(result) = expected["result"].as_str() {
            let got = scene.state().outcome.map(|outcome| outcome.result.as_str());
            assert_eq!(got, Some(result), "{case}");
        }
        if expected["game_over"] == false {
            scene.expect_open();
        }
        let on_board =
            |scene: &Scene| scene.state().claims.iter().any(|claim| claim.intended.is_none());
        if expected.get("claim_available_to").is_some() {
            assert_eq!(expected["claim_available_to"], "black");
            assert!(on_board(&scene), "{case}");
        }
        if expected["claim_valid"] == false {
            assert!(!on_board(&scene), "{case}");
        }
    }
}
