//! Articles 1 to 3: the aim of the game, the board, the moves of the men.

use arbiter_plugin::plugin::Side;
use serde_json::json;

use crate::scene::{START, Scene, illegal, legal};

#[test]
pub fn own_men_only() {
    legal(START, "e2e4");
    illegal(START, "e7e5");
}

#[test]
pub fn white_begins_and_moves_alternate() {
    let mut scene = Scene::new(START);
    scene.made("b", 500, "e7e5").pressed("b", 600);
    assert!(scene.state().moves.is_empty());
    scene.made("w", 1000, "e2e4").pressed("w", 1100).made("w", 1200, "d2d4");
    assert_eq!(scene.state().moves.len(), 1);
    scene.made("b", 2000, "e7e5");
    assert_eq!(scene.state().moves.len(), 2);
}

#[test]
pub fn the_move_passes_when_made() {
    let mut scene = Scene::new(START);
    scene.made("w", 1000, "e2e4");
    assert_eq!(scene.state().side_to_move, Side::Black);
    scene.made("b", 2000, "e7e5");
    assert_eq!(scene.state().moves.len(), 2);
}

const SCHOLAR: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1";

#[test]
pub fn the_aim_is_mate() {
    legal(SCHOLAR, "f3f7").expect_over("1-0", "checkmate", "5.1.1");
}

#[test]
pub fn the_king_may_not_be_left_in_attack_nor_captured() {
    legal("4k3/4R3/8/8/8/8/8/4K3 b - - 0 1", "e8e7");
    illegal("4k3/8/8/8/8/8/4r3/7K w - - 0 1", "h1h2");
    // White's rook could take the king if Black left him in check.
    illegal("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", "e8e7");
    illegal("4k3/8/8/8/8/8/8/r3K3 w - - 0 1", "e1e8");
}

#[test]
pub fn the_mated_player_has_lost() {
    let mut scene = Scene::new(START);
    scene.moves("f2f3 e7e5 g2g4 d8h4").expect_over("0-1", "checkmate", "5.1.1");
    scene.expect(json!([{"ruling": "score", "white": 0, "black": 1, "article": "10.1"}]));
}

#[test]
pub fn neither_can_mate() {
    legal("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", "e1d2").expect_over(
        "1/2-1/2",
        "dead_position",
        "5.2.2",
    );
}

#[test]
pub fn the_corner_square_is_light() {
    let h1 = shakmaty::Square::H1;
    assert!(h1.is_light());
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "irregularity", "kind": "board_orientation", "t": 5}));
    scene.expect(json!([{"ruling": "no_action", "article": "7.2.2"}])).expect_open();
}

#[test]
pub fn sixteen_men_each() {
    let men = |scene: &Scene| {
        let state = scene.state();
        let board = state.fen.split(' ').next().unwrap_or_default().to_owned();
        let count = |white: bool| {
            board.chars().filter(|man| man.is_alphabetic() && man.is_uppercase() == white).count()
        };
        (count(true), count(false))
    };
    assert_eq!(men(&Scene::new(START)), (16, 16));
    let no_king = "rnbqqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
    refused_start(no_king);
}

#[test]
pub fn the_standard_array() {
    assert_eq!(Scene::new("startpos").state().fen, START);
    let mut scene = Scene::new(START);
    scene.tell(json!({"type": "irregularity", "kind": "wrong_start", "t": 5}));
    scene.expect(json!([{"ruling": "game_cancelled", "article": "7.2.1", "new_game": true}]));
}

#[test]
pub fn files_ranks_and_diagonals() {
    use shakmaty::{Bitboard, File, Square};
    assert_eq!(Bitboard::from_file(File::E).count(), 8);
    assert!(shakmaty::attacks::aligned(Square::A1, Square::H8, Square::D4));
    // A bishop's line is such a diagonal.
    legal("4k3/8/8/8/8/8/8/B3K3 w - - 0 1", "a1h8");
}

#[test]
pub fn not_onto_an_own_man() {
    illegal(START, "a1a2");
    // King onto rook writes castling in Chess960 only.
    illegal("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1");
}

#[test]
pub fn captures_take_the_man_off() {
    let scene = legal("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5");
    assert!(scene.state().fen.starts_with("4k3/8/8/3P4/8/8/8/4K3 b"));
}

#[test]
pub fn attacks_are_possible_captures() {
    // A pawn on e4 attacks d5, not e5.
    illegal("8/8/8/8/4P3/8/3k4/K7 b - - 0 1", "d2d6");
    illegal("8/8/3k4/8/4P3/8/8/K7 b - - 0 1", "d6d5");
    legal("8/8/4k3/8/4P3/8/8/K7 b - - 0 1", "e6e5");
}

#[test]
pub fn pinned_men_attack() {
    illegal("4k3/8/8/4n3/8/8/2K5/4R3 w - - 0 1", "c2d3");
}

#[test]
pub fn bishop() {
    legal("4k3/8/8/8/8/8/4B3/4K3 w - - 0 1", "e2a6");
    illegal("4k3/8/8/8/8/8/4B3/4K3 w - - 0 1", "e2e5");
}

#[test]
pub fn rook() {
    legal("4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", "d2d8");
    illegal("4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", "d2e3");
}

#[test]
pub fn queen() {
    legal("4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1", "d2h6");
    illegal("4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1", "d2e4");
}

#[test]
pub fn no_jumping() {
    illegal(START, "a1a3");
    illegal(START, "c1g5");
    illegal(START, "d1d3");
}

#[test]
pub fn knight() {
    legal(START, "g1f3");
    illegal(START, "g1g3");
}

#[test]
pub fn pawn_one_step() {
    legal(START, "e2e3");
    illegal("4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1", "e3e4");
}

#[test]
pub fn pawn_two_steps() {
    legal(START, "e2e4");
    illegal("4k3/8/8/8/8/4n3/4P3/K7 w - - 0 1", "e2e4");
    illegal("4k3/8/8/8/8/4P3/8/K7 w - - 0 1", "e3e5");
}

#[test]
pub fn pawn_captures() {
    legal("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5");
    illegal("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4f5");
}

#[test]
pub fn en_passant() {
    let scene = legal("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3");
    assert!(scene.state().fen.starts_with("4k3/8/8/8/8/4p3/8/4K3 w"));
}

#[test]
pub fn en_passant_only_at_once() {
    illegal("8/4k3/8/8/3pP3/8/4K3/8 b - - 0 1", "d4e3");
    let mut scene = Scene::new("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1");
    scene.moves("e2e4 e8e7 e1e2").made("b", 9000, "d4e3").pressed("b", 9100);
    scene.expect(json!([{"ruling": "illegal_move_recorded", "side": "b"}]));
}

const RUNNER: &str = "8/P3k3/8/8/8/8/8/4K3 w - - 0 1";

#[test]
pub fn promotion_is_part_of_the_move() {
    for piece in ["q", "r", "b", "n"] {
        legal(RUNNER, &format!("a7a8{piece}"));
    }
    illegal(RUNNER, "a7a8");
    illegal(RUNNER, "a7a8k");
}

#[test]
pub fn promotion_to_any_piece() {
    legal("Q7/1P2k3/8/8/8/8/8/4K3 w - - 0 1", "b7b8q");
}

#[test]
pub fn the_new_piece_acts_at_once() {
    legal("k7/7P/1K6/8/8/8/8/8 w - - 0 1", "h7h8q").expect_over("1-0", "checkmate", "5.1.1");
}

#[test]
pub fn king_one_step() {
    legal("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1d2");
    illegal("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e3");
}

const CORNERS: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

#[test]
pub fn castling() {
    let scene = legal(CORNERS, "e1g1");
    assert!(scene.state().fen.starts_with("r3k2r/8/8/8/8/8/8/R4RK1 b kq"));
    let scene = legal(CORNERS, "e1c1");
    assert!(scene.state().fen.starts_with("r3k2r/8/8/8/8/8/8/2KR3R b kq"));
    // In Chess960 it is written king onto rook.
    let mut scene = Scene::new("startpos");
    scene.tell(json!({"type": "game_started", "chess960": true, "start_fen": CORNERS}));
    scene.made("w", 1000, "e1h1");
    assert_eq!(scene.state().moves[0].san, "O-O");
    assert_eq!(scene.state().moves[0].uci, "e1h1");
}

#[test]
pub fn no_castling_once_the_king_moved() {
    let mut scene = Scene::new(CORNERS);
    scene.moves("e1f1 e8f8 f1e1 f8e8").made("w", 9000, "e1g1").pressed("w", 9100);
    scene.expect(json!([{"ruling": "illegal_move_recorded", "side": "w"}]));
}

#[test]
pub fn no_castling_with_a_rook_that_moved() {
    illegal("r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 5", "e1g1");
    legal("r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 5", "e1c1");
    let mut scene = Scene::new(CORNERS);
    scene.moves("h1g1 a8b8 g1h1 b8a8").made("w", 9000, "e1g1").pressed("w", 9100);
    scene.expect(json!([{"ruling": "illegal_move_recorded", "side": "w"}]));
}

#[test]
pub fn no_castling_through_attack() {
    illegal("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1");
    illegal("4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1");
    illegal("k3r3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1");
    legal("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1");
}

#[test]
pub fn no_castling_over_men() {
    illegal("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1");
}

const PINNED_CHECKER: &str = "3k4/8/8/8/8/3n4/8/3RK3 w - - 0 1";

#[test]
pub fn pinned_men_give_check() {
    illegal(PINNED_CHECKER, "d1a1");
    legal(PINNED_CHECKER, "d1d3");
    assert!(Scene::new(PINNED_CHECKER).state().check);
}

#[test]
pub fn no_move_into_check() {
    illegal("4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1", "e2d2");
}

#[test]
pub fn legal_moves_of_the_array() {
    let mut found = 0;
    for from in shakmaty::Square::ALL {
        // A man that was touched for an illegal move binds: each has a game of its own.
        let mut scene = Scene::new(START);
        for to in shakmaty::Square::ALL {
            scene.made("w", 1000, &format!("{from}{to}"));
            if !scene.state().moves.is_empty() {
                found += 1;
                scene = Scene::new(START);
            }
        }
    }
    assert_eq!(found, 20);
}

#[test]
pub fn illegal_moves_count_when_completed() {
    illegal(START, "e2e5");
    // Replaced before the press it costs nothing.
    let mut scene = Scene::new(START);
    scene.made("w", 1000, "e2e5").made("w", 1500, "e2e4").pressed("w", 1600);
    scene.expect_no(json!({"ruling": "illegal_move_recorded"}));
    assert_eq!(scene.state().moves.len(), 1);
}

#[test]
pub fn impossible_positions_are_refused() {
    refused_start("8/8/8/3kK3/8/8/8/8 w - - 0 1");
    refused_start("4k2P/8/8/8/8/8/8/4K3 w - - 0 1");
    refused_start("not a position");
}

fn refused_start(fen: &str) {
    let mut scene = Scene::new(START);
    let answer = scene.try_tell(&json!({"type": "game_started", "start_fen": fen}));
    let error = answer.expect_err("the position is refused");
    assert!(error.starts_with("game_started: start_fen: "), "{error}");
}

#[test]
fn castling_rights_of_chess960_in_letters_of_either_kind() {
    for rights in ["KQ", "GB"] {
        let mut scene = Scene::new(&format!("4k3/8/8/8/8/8/8/1R1K2R1 w {rights} - 0 1"));
        scene.made("w", 1000, "d1g1");
        assert_eq!(scene.state().moves[0].san, "O-O", "{rights}");
    }
    // Rights that nobody can have are dropped; the rest is standard chess.
    let mut scene = Scene::new("4k3/8/8/8/8/8/8/R3K3 w KQkq - 0 1");
    scene.made("w", 1000, "e1c1");
    assert_eq!(scene.state().moves[0].san, "O-O-O");
}

#[test]
fn a_count_of_quiet_moves_beyond_any_game() {
    let setup = |clock: &str| {
        let fen = format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 90");
        let event = json!({"type": "game_started", "start_fen": fen});
        Scene::new(START).try_tell(&event)
    };
    assert!(setup("149").is_ok());
    assert!(setup("99999999999").unwrap_err().contains("halfmove clock"));
}
