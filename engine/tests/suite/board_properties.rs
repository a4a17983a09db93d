//! The board beside shakmaty on random games, and its short cuts beside the long way round.

use engine::board::{CastlingSide, Color, Move, MoveKind, Position};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

use crate::random::{Random, walk};

fn fen(game: &Chess) -> String {
    Fen::from_position(game, EnPassantMode::Legal).to_string()
}

/// Runs `check` on the positions of random games of both kinds, with the move played in each.
fn on_random_games(games: u64, mut check: impl FnMut(&Chess, &Position, Move)) {
    for seed in 0..games {
        let chess960 = seed % 2 == 1;
        let mut position: Option<Position> = None;
        walk(seed, chess960, 160, |game, mv| {
            let here = position.unwrap_or_else(|| Position::from_fen(&fen(game)).unwrap());
            let text = UciMove::from_move(*mv, CastlingMode::Chess960).to_string();
            let mv = here.parse_uci(&text).unwrap_or_else(|error| panic!("{here}: {error}"));
            check(game, &here, mv);
            position = Some(here.play(mv));
        });
    }
}

#[test]
fn the_same_moves_and_positions_as_shakmaty() {
    on_random_games(400, |game, position, _| {
        assert_eq!(position.fen(false), fen(game));
        let mut ours: Vec<String> =
            position.legal_moves().iter().map(|&mv| position.uci(mv, true)).collect();
        let mut theirs: Vec<String> = game
            .legal_moves()
            .iter()
            .map(|&mv| UciMove::from_move(mv, CastlingMode::Chess960).to_string())
            .collect();
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "{position:?}");
        assert_eq!(position.checkers().0, game.checkers().0);
    });
}

#[test]
fn every_move_leads_where_shakmaty_says() {
    on_random_games(40, |game, position, _| {
        for mv in game.legal_moves() {
            let text = UciMove::from_move(mv, CastlingMode::Chess960).to_string();
            let mut after = game.clone();
            after.play_unchecked(mv);
            let next = position.play(position.parse_uci(&text).unwrap());
            assert_eq!(next.fen(false), fen(&after), "{position:?} {text}");
        }
    });
}

#[test]
fn what_is_kept_is_what_a_fresh_look_finds() {
    on_random_games(400, |_, position, _| {
        // Key, checkers, pins: all of it is compared.
        for shredder in [false, true] {
            let text = position.fen(shredder);
            let fresh = Position::from_fen(&text).unwrap();
            assert_eq!(fresh.key(), position.key(), "{text}");
            assert!(fresh == *position, "{text}");
        }
    });
}

#[test]
fn a_null_move_only_changes_the_side() {
    on_random_games(100, |_, position, _| {
        if position.in_check() {
            return;
        }
        let passed = position.play_null();
        let fresh = Position::from_fen(&passed.fen(true)).unwrap();
        assert!(fresh == passed, "{passed:?}");
        assert_eq!(passed.side_to_move(), !position.side_to_move());
        assert_ne!(passed.key(), position.key());
    });
}

#[test]
fn is_legal_is_membership_for_every_bit_pattern() {
    on_random_games(24, |_, position, _| {
        let mut legal = vec![false; 1 << 16];
        for mv in &position.legal_moves() {
            legal[usize::from(mv.to_bits())] = true;
        }
        for bits in 0..=u16::MAX {
            let mv = Move::from_bits(bits);
            assert_eq!(
                position.is_legal(mv),
                legal[usize::from(bits)],
                "{position:?}: {mv:?} ({bits:#x})"
            );
        }
    });
}

#[test]
fn gives_check_is_check_on_the_board() {
    on_random_games(200, |_, position, _| {
        for &mv in &position.legal_moves() {
            let check = position.play(mv).in_check();
            assert_eq!(position.gives_check(mv), check, "{position:?}: {mv:?}");
        }
    });
}

#[test]
fn the_likely_key_is_that_of_ordinary_moves() {
    on_random_games(100, |_, position, _| {
        let rights = |position: &Position| {
            Color::ALL
                .map(|color| CastlingSide::ALL.map(|side| position.castling_rook(color, side)))
        };
        for &mv in &position.legal_moves() {
            let next = position.play(mv);
            let ordinary = mv.kind() == MoveKind::Normal
                && position.ep_square().or(next.ep_square()).is_none()
                && rights(position) == rights(&next);
            assert!(!ordinary || position.likely_key(mv) == next.key(), "{position:?}: {mv:?}");
        }
    });
}

#[test]
fn the_parts_make_up_the_whole() {
    on_random_games(200, |game, position, _| {
        let mut all = position.legal_moves().to_vec();
        let noisy = position.legal_captures();
        let quiet = position.legal_quiets();
        for &mv in &noisy {
            let queens = mv.promotion_type().is_none_or(|kind| kind.letter() == 'q');
            let promotes = mv.promotion_type().is_some();
            assert!(queens && (promotes || position.is_capture(mv)), "{position:?}: {mv:?}");
        }
        let mut parts: Vec<Move> = noisy.iter().chain(quiet.iter()).copied().collect();
        all.sort_by_key(|mv| mv.to_bits());
        parts.sort_by_key(|mv| mv.to_bits());
        assert_eq!(all, parts, "{position:?}");
        assert_eq!(position.count_legal_moves(), all.len());
        assert_eq!(position.has_legal_move(), !all.is_empty());
        for &mv in &all {
            let text = UciMove::from_ascii(position.uci(mv, true).as_bytes()).unwrap();
            assert_eq!(position.is_capture(mv), text.to_move(game).unwrap().is_capture());
        }
    });
}

#[test]
fn mate_and_stalemate_are_seen() {
    let mut ends = 0;
    for seed in 0..200 {
        let mut last = None;
        walk(seed, false, 400, |game, mv| {
            let mut after = game.clone();
            after.play_unchecked(*mv);
            last = Some(after);
        });
        let game = last.unwrap();
        let position = Position::from_fen(&fen(&game)).unwrap();
        assert_eq!(position.has_legal_move(), !game.legal_moves().is_empty());
        ends += u32::from(!position.has_legal_move());
    }
    assert!(ends > 10, "only {ends} games ended");
}

#[test]
fn both_uci_castling_forms_are_read() {
    on_random_games(100, |_, position, _| {
        for &mv in &position.legal_moves() {
            assert_eq!(position.parse_uci(&position.uci(mv, true)), Ok(mv));
            if !mv.is_castling() {
                assert_eq!(position.parse_uci(&position.uci(mv, false)), Ok(mv));
            }
        }
    });
}

#[test]
fn no_text_makes_the_readers_panic() {
    let mut random = Random(7);
    let alphabet: Vec<char> = "pnbrqkPNBRQK12345678//  wb-KQkqabcdefgh0é\u{0}x".chars().collect();
    let start = "r3k2r/pppppppp/8/8/4P3/8/PPPP1PPP/R3K2R b KQkq e3 0 1";
    for round in 0..20_000 {
        let mut text: Vec<char> = start.chars().collect();
        for _ in 0..=random.below(4) {
            let letter = alphabet[random.below(alphabet.len())];
            let at = random.below(text.len());
            match round % 3 {
                0 => text[at] = letter,
                1 => text.insert(at, letter),
                _ => drop(text.remove(at)),
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(position) = Position::from_fen(&text) {
            // Whatever is let in can be played on, and counted without an overrun.
            for &mv in &position.legal_moves() {
                let next = position.play(mv);
                assert!(Position::from_fen(&next.fen(true)).unwrap() == next);
            }
        }
        let _ = Position::startpos().parse_uci(&text);
    }
}
