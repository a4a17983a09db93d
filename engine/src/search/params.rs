//! The tunable numbers of the search.
//!
//! Each has a name, a unit, a value and the range in which tuning may move it. In plain builds
//! they are constants; the feature `tuning` makes them variables that [`set_tunable`] changes.
//! Scores are in internal centipawns, reductions in 1024ths of a ply.

macro_rules! params {
    ($($name:ident, $unit:literal, $value:literal, $min:literal..=$max:literal, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[inline(always)]
            pub fn $name() -> i32 {
                #[cfg(feature = "tuning")]
                {
                    variables::$name.load(std::sync::atomic::Ordering::Relaxed)
                }
                #[cfg(not(feature = "tuning"))]
                {
                    const { assert!($min <= $value && $value <= $max) };
                    $value
                }
            }
        )*

        #[cfg(feature = "tuning")]
        #[allow(non_upper_case_globals)]
        mod variables {
            $(pub static $name: std::sync::atomic::AtomicI32 =
                std::sync::atomic::AtomicI32::new($value);)*
        }

        /// All tunable numbers; none in builds without the feature `tuning`.
        #[cfg(feature = "tuning")]
        pub const TUNABLES: &[Tunable] = &[
            $(Tunable {
                name: stringify!($name),
                unit: $unit,
                value: $value,
                min: $min,
                max: $max,
                about: $doc,
            },)*
        ];

        /// Sets a tunable number, for the searches that begin later; `false` where there is none of
        /// this name or the value is out of its range.
        #[cfg(feature = "tuning")]
        pub fn set_tunable(name: &str, value: i32) -> bool {
            match name {
                $(stringify!($name) if ($min..=$max).contains(&value) => {
                    variables::$name.store(value, std::sync::atomic::Ordering::Relaxed);
                    true
                })*
                _ => false,
            }
        }
    };
}

/// All tunable numbers; none in builds without the feature `tuning`.
#[cfg(not(feature = "tuning"))]
pub const TUNABLES: &[Tunable] = &[];

/// Sets a tunable number; there is none in builds without the feature `tuning`.
#[cfg(not(feature = "tuning"))]
pub fn set_tunable(_: &str, _: i32) -> bool {
    false
}

/// A tunable number and its range.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// Its name.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Its value in plain builds.
    pub value: i32,
    /// The least value to try.
    pub min: i32,
    /// The greatest value to try.
    pub max: i32,
    /// What it does.
    pub about: &'static str,
}

params! {
    aspiration_delta, "cp", 14, 5..=60, "Half width of the first aspiration window.";
    aspiration_depth, "plies", 4, 2..=10, "First depth with an aspiration window.";
    aspiration_growth, "%", 50, 10..=200, "Growth of the window each time it fails.";

    rfp_depth, "plies", 9, 4..=14, "Greatest depth of reverse futility pruning.";
    rfp_margin, "cp", 72, 30..=150, "Reverse futility margin for each ply of depth.";
    rfp_improving, "cp", 58, 0..=150, "Reverse futility margin taken off when improving.";

    razor_depth, "plies", 4, 1..=8, "Greatest depth of razoring.";
    razor_base, "cp", 180, 50..=600, "Razoring margin at depth 0.";
    razor_slope, "cp", 190, 50..=600, "Razoring margin for each ply of depth.";

    null_depth, "plies", 3, 1..=6, "Least depth of the null move.";
    null_base, "plies", 4, 2..=6, "Null move reduction at depth 0.";
    null_divisor, "plies", 4, 2..=8, "Depth for one more ply of null move reduction.";
    null_eval_divisor, "cp", 190, 80..=400, "Evaluation above beta for one more ply of reduction.";
    null_eval_base, "cp", 100, 0..=400, "Evaluation margin above beta at depth 0.";
    null_eval_slope, "cp", 13, 0..=40, "What each ply of depth takes off that margin.";
    null_verify_depth, "plies", 14, 8..=24, "Least depth at which a null move is verified.";

    probcut_depth, "plies", 5, 3..=8, "Least depth of probcut.";
    probcut_margin, "cp", 190, 80..=400, "Distance of the probcut bound above beta.";

    iir_depth, "plies", 4, 2..=8, "Least depth of the internal iterative reduction.";

    lmp_base, "moves", 3, 1..=8, "Late move pruning: moves at depth 0.";
    lmp_depth, "plies", 9, 4..=14, "Greatest depth of late move pruning.";

    futility_depth, "plies", 9, 4..=14, "Greatest reduced depth of futility pruning.";
    futility_base, "cp", 90, 20..=300, "Futility margin at reduced depth 0.";
    futility_slope, "cp", 88, 30..=200, "Futility margin for each ply of reduced depth.";
    futility_history, "history", 160, 60..=500, "History for one centipawn of futility margin.";

    history_prune_depth, "plies", 4, 1..=8, "Greatest reduced depth of history pruning.";
    history_prune_slope, "history", 3400, 1000..=8000, "History pruning margin for each ply.";

    see_quiet_slope, "cp", 22, 8..=60, "SEE margin of quiet moves, times reduced depth squared.";
    see_noisy_slope, "cp", 95, 40..=200, "SEE margin of captures for each ply of depth.";
    capture_futility_depth, "plies", 6, 2..=10, "Greatest reduced depth of capture futility.";
    capture_futility_base, "cp", 220, 50..=500, "Capture futility margin at depth 0.";
    capture_futility_slope, "cp", 190, 50..=400, "Capture futility margin for each ply.";

    singular_depth, "plies", 6, 4..=10, "Least depth of the singular search.";
    singular_margin, "1/16 cp", 20, 4..=64, "Singular margin for each ply of depth.";
    double_margin, "cp", 14, 0..=60, "Failing this low extends by two plies.";
    triple_margin, "cp", 90, 30..=300, "Failing this low extends a quiet move by three plies.";

    lmr_base, "1/1024", 760, 0..=2000, "Late move reduction at the first move.";
    lmr_slope, "1/1024", 440, 200..=800, "Late move reduction for ln(depth) ln(move).";
    lmr_noisy_base, "1/1024", 200, 0..=1500, "Reduction of captures at the first move.";
    lmr_noisy_slope, "1/1024", 330, 100..=800, "Reduction of captures for ln(depth) ln(move).";
    lmr_cut_node, "1/1024", 1700, 0..=3000, "More reduction in expected cut nodes.";
    lmr_not_improving, "1/1024", 800, 0..=2000, "More reduction when not improving.";
    lmr_was_pv, "1/1024", 1000, 0..=2500, "Less reduction where the position was once in a PV.";
    lmr_tt_noisy, "1/1024", 900, 0..=2000, "More reduction of quiets when the table move captures.";
    lmr_cutoffs, "1/1024", 900, 0..=2000, "More reduction when replies keep cutting off.";
    lmr_check, "1/1024", 900, 0..=2000, "Less reduction of checks.";
    lmr_history, "history", 8, 4..=20, "History (times 1024) for one ply less reduction: in 1024ths.";
    lmr_noisy_history, "history", 8, 4..=20, "The same for capture history.";
    lmr_correction, "cp", 60, 20..=200, "Correction that takes one ply off the reduction.";
    lmr_deeper, "cp", 45, 10..=120, "Margin above the best to search deeper after a reduction.";

    alpha_raise, "plies", 1, 0..=3, "Less depth for the moves after one that raised alpha.";
    alpha_raise_depth, "plies", 13, 6..=20, "First depth at which that does not happen.";

    history_slope, "history", 160, 50..=400, "History bonus for each ply of depth.";
    history_base, "history", 60, 0..=400, "Taken off the history bonus.";
    history_max, "history", 1800, 800..=4000, "Greatest history bonus.";
    malus_slope, "history", 170, 50..=500, "History malus for each ply of depth.";
    malus_max, "history", 1500, 600..=4000, "Greatest history malus.";

    prior_bonus, "1/16", 8, 0..=32, "Part of the bonus for the move before a node that fails low.";
    eval_bonus, "history", 4, 0..=16, "Bonus of a move for each centipawn that it gained.";
    eval_bonus_max, "history", 1000, 200..=3000, "Greatest bonus or malus of that kind.";
    reduced_bonus, "history", 600, 0..=2000, "Bonus where a reduced move holds in full depth.";

    correction_pawn, "1/512", 130, 0..=300, "Weight of the pawn correction history.";
    correction_minor, "1/512", 80, 0..=300, "Weight of the minor piece correction history.";
    correction_major, "1/512", 60, 0..=300, "Weight of the major piece correction history.";
    correction_non_pawn, "1/512", 110, 0..=300, "Weight of the non-pawn correction histories.";
    correction_continuation, "1/512", 90, 0..=300, "Weight of the continuation correction history.";

    quiescence_futility, "cp", 150, 50..=400, "Futility margin of captures in quiescence.";
    quiescence_see, "cp", -20, -200..=100, "Least SEE of captures in quiescence.";
}
