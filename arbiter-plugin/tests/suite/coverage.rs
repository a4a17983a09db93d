//! Every numbered item of the 2018 edition, and the test that exercises it.
//!
//! The tests are function pointers: a number cannot point to a test that is not there.
//! `LAWS.md` is written from this table; `UPDATE_GENERATED=1 cargo test -p arbiter-plugin`
//! writes it anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::{article1_3, article4, article5, article6, article7, article8, article9, article10_12};

/// One numbered item.
struct Item {
    number: &'static str,
    demands: &'static str,
    met_by: MetBy,
}

/// What shows that an item is met.
enum MetBy {
    /// This test.
    Test { name: &'static str, run: fn() },
    /// A bare heading: the items under it, this one first.
    Item(&'static str),
}

macro_rules! met_by {
    (test $path:path) => {
        MetBy::Test { name: stringify!($path), run: $path }
    };
    (see $number:literal) => {
        MetBy::Item($number)
    };
}

macro_rules! items {
    ($($number:literal $demands:literal => $kind:ident $($target:tt)::+;)*) => {
        &[$(Item {
            number: $number,
            demands: $demands,
            met_by: met_by!($kind $($target)::+),
        }),*]
    };
}

const ITEMS: &[Item] = items! {
    "1.1" "two opponents move their own men" => test article1_3::own_men_only;
    "1.2" "White begins, then they alternate" => test article1_3::white_begins_and_moves_alternate;
    "1.3" "the move passes when a move is made" => test article1_3::the_move_passes_when_made;
    "1.4" "the aim is mate" => test article1_3::the_aim_is_mate;
    "1.4.1" "mate wins; the king is not left in attack nor taken" => test article1_3::the_king_may_not_be_left_in_attack_nor_captured;
    "1.4.2" "the mated player has lost" => test article1_3::the_mated_player_has_lost;
    "1.5" "drawn when neither can mate" => test article1_3::neither_can_mate;
    "2.1" "the board, a light corner at the right" => test article1_3::the_corner_square_is_light;
    "2.2" "sixteen men for each player" => test article1_3::sixteen_men_each;
    "2.3" "the standard array" => test article1_3::the_standard_array;
    "2.4" "files, ranks, diagonals" => test article1_3::files_ranks_and_diagonals;
    "3.1" "not onto an own man" => test article1_3::not_onto_an_own_man;
    "3.1.1" "a capture takes the man off" => test article1_3::captures_take_the_man_off;
    "3.1.2" "attack is a possible capture" => test article1_3::attacks_are_possible_captures;
    "3.1.3" "pinned men attack too" => test article1_3::pinned_men_attack;
    "3.2" "the bishop" => test article1_3::bishop;
    "3.3" "the rook" => test article1_3::rook;
    "3.4" "the queen" => test article1_3::queen;
    "3.5" "no jumping" => test article1_3::no_jumping;
    "3.6" "the knight" => test article1_3::knight;
    "3.7.1" "the pawn, one step" => test article1_3::pawn_one_step;
    "3.7.2" "the pawn, two steps" => test article1_3::pawn_two_steps;
    "3.7.3" "the pawn captures" => test article1_3::pawn_captures;
    "3.7.4.1" "en passant" => test article1_3::en_passant;
    "3.7.4.2" "en passant only at once" => test article1_3::en_passant_only_at_once;
    "3.7.5.1" "promotion is part of the move" => test article1_3::promotion_is_part_of_the_move;
    "3.7.5.2" "promotion to any piece" => test article1_3::promotion_to_any_piece;
    "3.7.5.3" "the new piece acts at once" => test article1_3::the_new_piece_acts_at_once;
    "3.8" "the king's two ways" => see "3.8.1";
    "3.8.1" "the king, one step" => test article1_3::king_one_step;
    "3.8.2" "castling" => test article1_3::castling;
    "3.8.2.1" "the right is lost" => see "3.8.2.1.1";
    "3.8.2.1.1" "once the king has moved" => test article1_3::no_castling_once_the_king_moved;
    "3.8.2.1.2" "with a rook that has moved" => test article1_3::no_castling_with_a_rook_that_moved;
    "3.8.2.2" "castling is prevented for now" => test article9::castling_rights_make_a_difference;
    "3.8.2.2.1" "by an attack" => test article1_3::no_castling_through_attack;
    "3.8.2.2.2" "by a man between" => test article1_3::no_castling_over_men;
    "3.9.1" "check, by pinned men too" => test article1_3::pinned_men_give_check;
    "3.9.2" "no move into check" => test article1_3::no_move_into_check;
    "3.10.1" "legal moves" => test article1_3::legal_moves_of_the_array;
    "3.10.2" "illegal moves" => test article1_3::illegal_moves_count_when_completed;
    "3.10.3" "illegal positions" => test article1_3::impossible_positions_are_refused;
    "4.1" "one hand" => test article4::one_hand;
    "4.2.1" "adjusting, announced, by the player on the move" => test article4::adjusting;
    "4.2.2" "other contact is intent" => test article4::contact_is_intent;
    "4.3" "touching with intent" => test article4::touching_binds_the_player_on_move;
    "4.3.1" "own men" => test article4::first_own_man_that_can_move;
    "4.3.2" "the opponent's men" => test article4::first_enemy_man_that_can_be_captured;
    "4.3.3" "men of both colours" => test article4::men_of_both_colours;
    "4.4" "castling and promotion" => see "4.4.1";
    "4.4.1" "king and rook" => test article4::king_and_rook_must_castle;
    "4.4.2" "rook, then king" => test article4::rook_first_may_not_castle;
    "4.4.3" "castling that is illegal" => test article4::illegal_castling_needs_a_king_move;
    "4.4.4" "the choice of the promotion piece" => test article4::promotion_choice_is_final_on_contact;
    "4.5" "nothing touched can move" => test article4::nothing_touched_can_move;
    "4.6" "how to promote" => see "4.6.1";
    "4.6.1" "the pawn need not reach the square" => test article4::the_pawn_need_not_reach_the_square;
    "4.6.2" "in either order" => test article4::promotion_in_either_order;
    "4.6.3" "a man on the square is captured" => test article4::promotion_captures_what_stands_there;
    "4.7" "a released man stays" => test article4::a_released_man_stays;
    "4.7.1" "a capture is made" => test article4::a_capture_needs_the_victim_gone;
    "4.7.2" "castling is made" => test article4::a_king_released_in_castling;
    "4.7.3" "a promotion is made" => test article4::a_promotion_needs_the_pawn_gone;
    "4.8" "who touches complains no more" => test article4::who_touches_complains_no_more;
    "4.9" "an assistant for the moves" => test article4::an_assistant_for_the_moves;
    "5.1.1" "mate" => test article5::mate_ends_the_game;
    "5.1.2" "resignation" => test article5::resignation;
    "5.2.1" "stalemate" => test article5::stalemate;
    "5.2.2" "dead position" => test article5::dead_position;
    "5.2.3" "agreement" => test article5::agreement;
    "6.1" "the clock and the flag" => test article6::one_clock_runs;
    "6.2.1" "the press completes the move" => test article6::the_press_completes_the_move;
    "6.2.1.1" "a move that ends the game" => test article6::the_last_move_needs_no_press;
    "6.2.1.2" "completed by the next move" => test article6::the_next_move_completes_the_last;
    "6.2.2" "a late press" => test article6::a_late_press;
    "6.2.3" "the same hand" => test article6::the_same_hand;
    "6.2.4" "handling the clock" => test article6::handling_the_clock;
    "6.2.5" "only he whose clock runs adjusts" => test article6::who_adjusts_between_move_and_press;
    "6.2.6" "a clock assistant" => test article6::a_clock_assistant;
    "6.3.1" "moves in a time fixed beforehand" => test article6::the_schedule_is_fixed_beforehand;
    "6.3.2" "unused time; delay" => test article6::time_carries_over;
    "6.4" "check at once after a fall" => test article6::a_fall_is_checked_at_once;
    "6.5" "where the clock stands" => test article6::where_the_clock_stands;
    "6.6" "White's clock starts" => test article6::whites_clock_starts_at_the_hour;
    "6.7.1" "default time" => test article6::default_time;
    "6.7.2" "White loses the time before he arrives" => test article6::white_loses_the_time_before_he_arrives;
    "6.8" "when a flag has fallen" => test article6::a_fall_exists_once_observed_or_claimed;
    "6.9" "a flag loses, or draws" => test article6::a_flag_loses_unless_the_opponent_cannot_mate;
    "6.10.1" "a defective clock" => test article6::a_defective_clock_is_replaced;
    "6.10.2" "a wrong setting" => test article6::a_wrong_setting_is_corrected;
    "6.11.1" "the arbiter stops the clock" => test article6::the_arbiter_stops_the_clock;
    "6.11.2" "a player stops the clock" => test article6::a_player_calls_the_arbiter;
    "6.11.3" "when play resumes" => test article6::the_arbiter_decides_when_play_resumes;
    "6.11.4" "no valid reason" => test article6::stopping_without_a_reason;
    "6.12.1" "screens" => test article6::screens_are_allowed;
    "6.12.2" "no claim from a screen" => test article6::no_claim_from_a_screen;
    "7.1" "times and counters after restoring" => test article7::restoring_sets_the_counters_back;
    "7.2.1" "a wrong start" => test article7::a_wrong_start_cancels;
    "7.2.2" "a turned board" => test article7::a_turned_board_is_no_matter;
    "7.3" "colours reversed" => test article7::colours_reversed;
    "7.4.1" "the displacer restores" => test article7::the_displacer_restores_in_his_time;
    "7.4.2" "either may call" => test article7::either_may_call_for_displaced_men;
    "7.4.3" "displacing may be penalised" => test article7::displacing_may_be_penalised;
    "7.5.1" "a completed illegal move" => test article7::a_completed_illegal_move;
    "7.5.2" "a pawn not exchanged" => test article7::a_pawn_not_exchanged_becomes_a_queen;
    "7.5.3" "a press without a move" => test article7::a_press_without_a_move;
    "7.5.4" "two hands" => test article7::two_hands_and_a_press;
    "7.5.5" "two minutes, then the game" => test article7::the_second_illegal_move_loses;
    "7.6" "displaced men found later" => test article7::a_displaced_man_found_later;
    "8.1.1" "both record" => test article8::both_record;
    "8.1.2" "not in advance" => test article8::not_in_advance;
    "8.1.3" "no notes" => test article8::no_notes;
    "8.1.4" "reply first, record before the next" => test article8::record_before_the_next_move;
    "8.1.5" "offers are noted" => test article8::offers_are_noted;
    "8.1.6" "a scoring assistant" => test article8::a_scoring_assistant;
    "8.2" "visible to the arbiter" => test article8::visible_to_the_arbiter;
    "8.3" "sheets are the organiser's" => test article8::sheets_belong_to_the_organiser;
    "8.4" "under five minutes" => test article8::under_five_minutes;
    "8.5.1" "nobody recorded" => test article8::nobody_recorded;
    "8.5.2" "one stopped" => test article8::one_stopped_recording;
    "8.5.3" "reconstruction" => test article8::reconstruction;
    "8.6" "an overstep that cannot be shown" => test article8::an_overstep_that_cannot_be_shown;
    "8.7" "the signed result" => test article8::the_signed_result_stands;
    "9.1.1" "offers may be forbidden" => test article9::offers_may_be_forbidden;
    "9.1.2" "where they are allowed" => see "9.1.2.1";
    "9.1.2.1" "when to offer, and for how long" => test article9::an_offer_stands_until_it_is_answered;
    "9.1.2.2" "offers are noted" => test article9::offers_are_marked_in_the_record;
    "9.1.2.3" "a claim is an offer" => test article9::a_claim_is_an_offer;
    "9.2.1" "threefold, by the player on the move" => test article9::the_claimant_must_have_the_move;
    "9.2.1.1" "about to appear" => test article9::a_claim_with_an_intended_move;
    "9.2.1.2" "has just appeared" => test article9::a_claim_on_the_board;
    "9.2.2" "the same position" => test article9::what_makes_positions_the_same;
    "9.2.2.1" "en passant" => test article9::en_passant_made_a_difference;
    "9.2.2.2" "castling rights" => test article9::castling_rights_make_a_difference;
    "9.3" "fifty moves" => see "9.3.1";
    "9.3.1" "with the intended move" => test article9::fifty_moves_with_an_intended_move;
    "9.3.2" "on the board" => test article9::fifty_moves_on_the_board;
    "9.4" "a touch forfeits the claim" => test article9::a_touch_forfeits_the_claim;
    "9.5.1" "the claim stops the clock, and stays" => test article9::a_claim_cannot_be_withdrawn;
    "9.5.2" "correct" => test article9::a_correct_claim_draws_at_once;
    "9.5.3" "incorrect" => test article9::a_wrong_claim;
    "9.6" "draws by themselves" => see "9.6.1";
    "9.6.1" "five times" => test article9::fivefold;
    "9.6.2" "seventy-five moves" => test article9::seventy_five_moves;
    "10.1" "points" => test article10_12::points;
    "10.2" "the sum is limited" => test article10_12::the_sum_is_limited;
    "11.1" "no disrepute" => test article10_12::disrepute;
    "11.2.1" "the playing venue" => test article10_12::the_playing_venue;
    "11.2.2" "the playing area" => test article10_12::the_playing_area;
    "11.2.3" "by permission only" => see "11.2.3.1";
    "11.2.3.1" "leaving the venue" => test article10_12::leaving_the_venue;
    "11.2.3.2" "leaving the area on the move" => test article10_12::leaving_the_area;
    "11.2.3.3" "strangers in the area" => test article10_12::strangers_in_the_area;
    "11.2.4" "reporting before leaving" => test article10_12::reporting_before_leaving;
    "11.3.1" "notes, advice, analysis" => test article10_12::outside_help;
    "11.3.2.1" "devices" => test article10_12::devices_in_the_bag;
    "11.3.2.2" "devices on the person" => test article10_12::devices_on_the_person;
    "11.3.3" "inspection" => test article10_12::inspection_refused;
    "11.3.4" "smoking" => test article10_12::smoking;
    "11.4" "finished players are spectators" => test article10_12::finished_players_are_spectators;
    "11.5" "no distracting" => test article10_12::no_distracting;
    "11.6" "breaches are penalised" => test article10_12::breaches_are_penalised;
    "11.7" "refusing to comply" => test article10_12::refusing_to_comply;
    "11.8" "both refuse" => test article10_12::both_refuse;
    "11.9" "questions" => test article10_12::questions;
    "11.10" "appeals" => test article10_12::appeals;
    "11.11" "both reconstruct" => test article8::reconstruction;
    "11.12" "claims are checked together" => test article10_12::claims_are_checked_together;
    "12.1" "the Laws are kept" => test article10_12::the_laws_are_kept;
    "12.2" "duties of the arbiter" => see "12.2.1";
    "12.2.1" "fair play" => test article10_12::fair_play;
    "12.2.2" "the interest of the event" => test article10_12::the_interest_of_the_event;
    "12.2.3" "a good environment" => test article10_12::a_good_environment;
    "12.2.4" "players are not disturbed" => test article10_12::players_are_not_disturbed;
    "12.2.5" "progress is supervised" => test article10_12::progress_is_supervised;
    "12.2.6" "special measures" => test article10_12::special_measures;
    "12.2.7" "anti-cheating" => test article10_12::anti_cheating;
    "12.3" "decisions are enforced" => test article10_12::the_same_log_gives_the_same_rulings;
    "12.4" "assistants observe" => test article10_12::assistants_observe;
    "12.5" "extra time after a disturbance" => test article10_12::extra_time_after_a_disturbance;
    "12.6" "no intervention" => test article10_12::the_arbiter_keeps_silent;
    "12.7" "observers tell only the arbiter" => test article10_12::observers_tell_only_the_arbiter;
    "12.8" "telephones" => test article10_12::telephones;
    "12.9" "penalties" => see "12.9.1";
    "12.9.1" "a warning" => test article10_12::a_warning;
    "12.9.2" "more time for the opponent" => test article10_12::more_time_for_the_opponent;
    "12.9.3" "less time for the offender" => test article10_12::less_time_for_the_offender;
    "12.9.4" "a better score for the opponent" => test article10_12::a_better_score_for_the_opponent;
    "12.9.5" "a worse score for the offender" => test article10_12::a_worse_score_for_the_offender;
    "12.9.6" "declared lost" => test article10_12::declared_lost;
    "12.9.7" "a fine" => test article10_12::a_fine;
    "12.9.8" "exclusion" => test article10_12::exclusion;
    "12.9.9" "expulsion" => test article10_12::expulsion;
};

/// Articles of the 2018 edition that are numbered one after another: how many items stand under
/// each number that has any. `3.7` and its like have no text and no row of their own.
const SHAPE: &[(&str, u32)] = &[
    ("1", 5),
    ("1.4", 2),
    ("2", 4),
    ("3", 10),
    ("3.1", 3),
    ("3.7", 5),
    ("3.7.4", 2),
    ("3.7.5", 3),
    ("3.8", 2),
    ("3.8.2", 2),
    ("3.8.2.1", 2),
    ("3.8.2.2", 2),
    ("3.9", 2),
    ("3.10", 3),
    ("4", 9),
    ("4.2", 2),
    ("4.3", 3),
    ("4.4", 4),
    ("4.6", 3),
    ("4.7", 3),
    ("5", 2),
    ("5.1", 2),
    ("5.2", 3),
    ("6", 12),
    ("6.2", 6),
    ("6.2.1", 2),
    ("6.3", 2),
    ("6.7", 2),
    ("6.10", 2),
    ("6.11", 4),
    ("6.12", 2),
    ("7", 6),
    ("7.2", 2),
    ("7.4", 3),
    ("7.5", 5),
    ("8", 7),
    ("8.1", 6),
    ("8.5", 3),
    ("9", 6),
    ("9.1", 2),
    ("9.1.2", 3),
    ("9.2", 2),
    ("9.2.1", 2),
    ("9.2.2", 2),
    ("9.3", 2),
    ("9.5", 3),
    ("9.6", 2),
    ("10", 2),
    ("11", 12),
    ("11.2", 4),
    ("11.2.3", 3),
    ("11.3", 4),
    ("11.3.2", 2),
    ("12", 9),
    ("12.2", 7),
    ("12.9", 9),
];

/// Numbers without a text of their own in the 2018 edition.
const WITHOUT_TEXT: &[&str] = &[
    "3.7", "3.7.4", "3.7.5", "3.9", "3.10", "4.2", "5.1", "5.2", "6.2", "6.3", "6.7", "6.10",
    "6.11", "6.12", "7.2", "7.4", "7.5", "8.1", "8.5", "9.1", "9.2", "9.5", "11.2", "11.3",
    "11.3.2",
];

#[test]
fn every_number_has_its_test() {
    let numbers: Vec<String> = SHAPE
        .iter()
        .flat_map(|(above, count)| (1..=*count).map(move |last| format!("{above}.{last}")))
        .filter(|number| !WITHOUT_TEXT.contains(&number.as_str()))
        .collect();
    let expected: BTreeSet<&str> = numbers.iter().map(String::as_str).collect();
    let listed: BTreeSet<&str> = ITEMS.iter().map(|item| item.number).collect();
    let missing: Vec<_> = expected.difference(&listed).collect();
    let unknown: Vec<_> = listed.difference(&expected).collect();
    assert!(missing.is_empty(), "no test for {missing:?}");
    assert!(unknown.is_empty(), "no such number: {unknown:?}");
    assert_eq!(ITEMS.len(), listed.len(), "a number stands twice");
    assert_eq!(listed.len(), 193);
}

#[test]
fn headings_are_carried_by_tested_items() {
    let by_number: BTreeMap<&str, &Item> = ITEMS.iter().map(|item| (item.number, item)).collect();
    for item in ITEMS {
        if let MetBy::Item(number) = item.met_by {
            let carrier = by_number.get(number).map(|item| &item.met_by);
            assert!(
                matches!(carrier, Some(MetBy::Test { .. })),
                "{} is carried by nothing",
                item.number
            );
            assert!(number.starts_with(&format!("{}.", item.number)), "{number}");
        }
    }
}

/// The tests run in their own right as well; here each is run because its number says so.
#[test]
fn the_tests_pass() {
    let mut done = BTreeSet::new();
    for item in ITEMS {
        if let MetBy::Test { name, run } = item.met_by
            && done.insert(name)
        {
            run();
        }
    }
    assert!(done.len() > 170, "{}", done.len());
}

#[test]
fn laws_md_is_up_to_date() {
    let mut text = String::from(
        "# The Laws, number by number\n\n\
         Every numbered item of the 2018 edition, what it is about, and the test of this crate \
         that exercises it.\nWritten from the table in `tests/suite/coverage.rs`; \
         do not edit by hand.\n\n\
         | article | about | test |\n|---|---|---|\n",
    );
    for Item { number, demands, met_by } in ITEMS {
        let shown = match met_by {
            MetBy::Test { name, .. } => format!("`{name}`"),
            MetBy::Item(number) => format!("heading: see {number}"),
        };
        writeln!(text, "| {number} | {demands} | {shown} |").expect("memory");
    }
    crate::generated::check("LAWS.md", &text);
}
