//! The weights of the evaluation: pairs of middlegame and endgame values in internal centipawns.
//! Written by the tuner; see `EXPERIMENTS.md`.

use super::score::Score;

/// A group of weights.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Its name.
    pub name: &'static str,
    /// What it weighs.
    pub about: &'static str,
    /// Index of its first weight in [`WEIGHTS`].
    pub start: usize,
    /// How many weights it has.
    pub len: usize,
}

macro_rules! weights {
    ($($about:literal, $name:ident = [$(($middlegame:literal, $endgame:literal)),* $(,)?];)*) => {
        #[derive(Clone, Copy)]
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Order { $($name),* }

        pub(super) const LENGTHS: &[usize] = &[$([$($middlegame),*].len()),*];

        const fn start(section: Order) -> usize {
            let mut start = 0;
            let mut index = 0;
            while index < section as usize {
                start += LENGTHS[index];
                index += 1;
            }
            start
        }

        $(#[doc = $about] pub const $name: usize = start(Order::$name);)*

        /// All weights, section by section.
        pub static WEIGHTS: [Score; COUNT] = [$($(Score::new($middlegame, $endgame)),*),*];

        /// The groups of weights.
        pub const SECTIONS: &[Section] = &[$(Section {
            name: stringify!($name),
            about: $about,
            start: $name,
            len: LENGTHS[Order::$name as usize],
        }),*];
    };
}

const COUNT: usize = {
    let mut sum = 0;
    let mut index = 0;
    while index < LENGTHS.len() {
        sum += LENGTHS[index];
        index += 1;
    }
    sum
};

/// Steps of the danger of a king.
pub const DANGER_STEPS: usize = 20;

#[rustfmt::skip]
mod values {
    use super::*;

weights! {
    "Material of pawn, knight, bishop, rook, queen.",
    MATERIAL = [
        (72, 116), (312, 326), (328, 345), (458, 580), (985, 1036),
    ];
    "Men on squares: pawn, knight, bishop, rook, queen, king; a1 to h8 as the side looks.",
    SQUARES = [
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (3, -8), (8, -5), (2, 0), (3, 13), (-17, -11), (12, -6), (9, 8), (0, -2),
        (-8, 8), (14, 1), (4, 2), (7, -6), (10, -1), (13, 28), (12, -8), (7, 25),
        (20, 6), (-13, 15), (8, -1), (20, 11), (5, 11), (28, 10), (-14, -2), (5, 13),
        (2, 31), (6, 38), (7, 21), (13, -4), (5, 9), (17, 11), (-4, 18), (1, 22),
        (2, 33), (15, 35), (21, 34), (21, 37), (23, 28), (28, 32), (14, 42), (3, 38),
        (10, 65), (21, 65), (20, 48), (28, 47), (30, 52), (25, 57), (20, 64), (9, 51),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (-30, -23), (-32, -12), (-17, -11), (-12, -2), (13, 6), (-22, -18), (-12, -20), (-22, -19),
        (-27, -18), (-23, -13), (5, -2), (-16, -6), (-4, 2), (-1, -9), (-7, -6), (-1, -15),
        (-25, -16), (-1, 0), (6, 6), (9, 7), (-1, 12), (9, -1), (6, 5), (1, -7),
        (-18, -7), (-1, 1), (9, 4), (25, 27), (8, 16), (18, 4), (7, 3), (10, -1),
        (0, -7), (5, 4), (4, 6), (27, 19), (20, 13), (14, 10), (13, 12), (10, -1),
        (-4, -12), (-7, -6), (11, -2), (14, 11), (13, 1), (8, -2), (10, 1), (-4, -8),
        (-9, -14), (-2, -10), (10, -2), (11, -3), (13, 3), (9, -3), (-7, -10), (-12, -19),
        (-18, -22), (-8, -16), (1, -9), (6, -8), (8, -4), (-2, -12), (-7, -14), (-18, -24),
        (-20, -7), (-17, -7), (-10, -9), (4, -1), (-9, -3), (-9, -4), (-13, -7), (-21, -9),
        (-14, -2), (11, 0), (9, 4), (0, 4), (4, 5), (12, -1), (5, -2), (-6, -4),
        (12, -3), (7, -1), (0, 14), (-2, 18), (-7, 4), (20, 2), (-4, 2), (10, 3),
        (6, 2), (-3, -4), (3, -2), (5, -4), (13, 12), (13, 13), (13, -1), (3, -4),
        (-5, -3), (17, -1), (6, -3), (-5, 3), (17, 15), (3, -2), (4, -8), (12, -1),
        (1, 5), (-1, 3), (3, 1), (14, 8), (12, 8), (8, 5), (-6, -1), (7, -3),
        (-11, -11), (-2, -1), (-2, 0), (8, 5), (6, 2), (-2, 3), (1, -5), (-13, -8),
        (-11, -6), (-6, -5), (-2, -1), (1, 0), (2, 1), (-3, -4), (-12, -8), (-8, -5),
        (-7, 16), (7, -10), (7, 4), (19, 4), (-2, -1), (10, -4), (0, -2), (5, -14),
        (-12, 5), (1, -8), (1, -4), (3, 1), (-8, -8), (7, -9), (-23, -2), (-15, 1),
        (-20, -4), (-2, -3), (5, -4), (13, 7), (8, 0), (1, 0), (-12, -5), (1, 1),
        (-9, 0), (-3, 2), (0, 0), (6, 3), (3, 1), (7, 0), (0, 2), (-2, -5),
        (-4, -3), (1, -1), (-1, -2), (11, 10), (9, 1), (3, 6), (-1, 5), (-3, 6),
        (-5, 6), (1, 2), (4, -1), (7, -1), (3, 1), (2, 0), (-2, -1), (-1, 2),
        (6, 9), (9, 9), (20, 13), (19, 15), (24, 20), (18, 12), (11, 11), (12, 11),
        (-6, -4), (-2, 2), (4, 2), (5, 2), (4, 3), (3, 2), (1, 1), (-5, 0),
        (-7, -16), (-9, -10), (9, -4), (-5, -4), (1, 3), (-8, -6), (-13, -13), (0, -16),
        (-14, -12), (-4, -4), (-4, -3), (-11, 5), (-3, 9), (-18, 0), (3, -4), (3, -10),
        (1, -3), (-4, 3), (-17, 2), (2, 15), (7, 21), (11, 13), (-4, 0), (6, -4),
        (9, 1), (3, 8), (-7, 13), (-9, 25), (8, 22), (13, 15), (-1, 7), (7, 4),
        (1, 3), (4, 8), (3, 15), (3, 20), (8, 23), (5, 16), (0, 10), (5, 4),
        (-11, -5), (-2, 3), (-3, 7), (3, 14), (-1, 12), (3, 10), (-4, 3), (-3, -4),
        (-13, -12), (-7, -6), (-7, 2), (3, 10), (3, 10), (-8, 1), (0, -3), (1, -7),
        (-3, -18), (-5, -9), (-5, -5), (-3, 3), (-3, 3), (-5, -4), (-4, -9), (-7, -16),
        (22, -41), (14, -17), (10, -1), (-26, -9), (7, -11), (10, -20), (17, -26), (22, -33),
        (18, -23), (2, -8), (-28, -5), (-28, 3), (0, 0), (-25, 1), (-9, 0), (0, -27),
        (-7, -18), (-17, -2), (-27, 1), (-37, 13), (-33, 26), (-26, 11), (-14, -1), (-10, -18),
        (-21, -7), (-30, 7), (-40, 15), (-52, 22), (-51, 19), (-41, 18), (-29, 16), (-24, -4),
        (-42, -4), (-48, 6), (-52, 27), (-61, 23), (-61, 26), (-53, 20), (-46, 11), (-42, 0),
        (-42, -13), (-47, -1), (-54, 7), (-61, 17), (-59, 22), (-53, 12), (-48, 2), (-42, -14),
        (-42, -24), (-48, -15), (-54, -3), (-60, 8), (-60, 8), (-53, 0), (-48, -12), (-42, -23),
        (-42, -36), (-48, -25), (-55, -15), (-60, -4), (-60, -3), (-54, -14), (-48, -24), (-42, -36),
    ];
    "Knight mobility by squares.",
    KNIGHT_MOBILITY = [
        (-41, -31), (-29, -29), (-15, -6), (-6, -3), (5, 0), (3, 6), (2, 24), (16, 15),
        (14, 14),
    ];
    "Bishop mobility by squares.",
    BISHOP_MOBILITY = [
        (-39, -48), (-23, -34), (-18, -25), (-19, -5), (-12, -14), (-8, 1), (-4, 1), (4, 3),
        (6, 19), (1, 17), (6, 13), (11, 13), (18, 20), (19, 19),
    ];
    "Rook mobility by squares.",
    ROOK_MOBILITY = [
        (-33, -58), (-17, -37), (-14, -31), (-16, -40), (-13, -18), (-5, -11), (-5, 4), (-4, 17),
        (8, 12), (6, 21), (7, 10), (7, 24), (12, 19), (14, 28), (14, 26),
    ];
    "Queen mobility by squares.",
    QUEEN_MOBILITY = [
        (-32, -57), (-23, -41), (-18, -34), (-8, -28), (-19, -26), (-11, -23), (-16, -18), (-11, -15),
        (-7, -15), (-2, -10), (-10, -6), (-6, 0), (0, 0), (2, 1), (8, 7), (7, 8),
        (5, 11), (10, 9), (4, 11), (6, 11), (8, 14), (10, 17), (11, 18), (10, 19),
        (13, 23), (13, 22), (14, 25), (16, 27),
    ];
    "Two bishops.",
    BISHOP_PAIR = [
        (41, 68),
    ];
    "Rook on an open file, on a half-open file.",
    ROOK_FILE = [
        (35, 9), (4, 17),
    ];
    "Knight, bishop on an outpost.",
    OUTPOST = [
        (16, 11), (27, 13),
    ];
    "Pawn without pawns on the files beside.",
    ISOLATED = [
        (-20, -13),
    ];
    "Pawn behind another.",
    DOUBLED = [
        (-1, -22),
    ];
    "Pawn that cannot be supported and is stopped.",
    BACKWARD = [
        (-3, -18),
    ];
    "Pawn defended by a pawn, by rank.",
    SUPPORTED = [
        (0, 0), (0, 0), (5, 9), (5, 4), (6, 7), (39, 28), (77, 59), (0, 0),
    ];
    "Pawn beside a pawn, by rank.",
    PHALANX = [
        (0, 0), (0, -9), (7, -7), (4, 12), (26, 16), (59, 60), (81, 102), (0, 0),
    ];
    "Passed pawn by rank.",
    PASSED = [
        (0, 0), (8, 2), (4, 13), (-2, 35), (9, 61), (42, 101), (84, 129), (0, 0),
    ];
    "Passed pawn with a man before it, by rank.",
    PASSED_BLOCKED = [
        (0, 0), (0, 0), (0, 0), (-10, -7), (-1, -19), (-21, -41), (-27, -71), (0, 0),
    ];
    "Passed pawn with a free path, by rank.",
    PASSED_FREE = [
        (0, 0), (0, 0), (0, 0), (0, 9), (8, 34), (20, 67), (35, 109), (0, 0),
    ];
    "Passed pawn whose next square is covered, by rank.",
    PASSED_DEFENDED = [
        (0, 0), (0, 0), (0, 0), (9, 16), (4, 21), (18, 31), (25, 36), (0, 0),
    ];
    "Own king's distance to the square before a passed pawn.",
    PASSED_OWN_KING = [
        (2, 33), (3, 37), (-1, 12), (-12, 6), (1, -7), (-6, -12), (-9, -3), (-4, -9),
    ];
    "Enemy king's distance to the square before a passed pawn.",
    PASSED_ENEMY_KING = [
        (2, -40), (-2, -30), (-2, -8), (-38, 8), (8, 25), (-5, 42), (4, 57), (5, 56),
    ];
    "Piece attacked by a pawn: pawn (unused), knight, bishop, rook, queen.",
    PAWN_THREAT = [
        (0, 0), (60, 35), (60, 48), (70, 34), (58, 39),
    ];
    "Man attacked by a minor piece.",
    MINOR_THREAT = [
        (0, 13), (18, 24), (29, 26), (51, 30), (40, 27),
    ];
    "Man attacked by a rook.",
    ROOK_THREAT = [
        (-1, 25), (15, 24), (16, 26), (4, 10), (48, 29),
    ];
    "Man that hangs.",
    HANGING = [
        (14, 31),
    ];
    "Man that hangs to the king.",
    KING_THREAT = [
        (19, 39),
    ];
    "Piece that a safe pawn step would attack.",
    PUSH_THREAT = [
        (18, 14),
    ];
    "Shelter: nearest own pawn on the king's file by rank (0: none), then on the files beside.",
    SHELTER = [
        (-19, 9), (18, -6), (9, -2), (2, -2), (9, -1), (-6, -3), (-2, 5), (0, 0),
        (-10, -4), (4, 5), (11, -2), (-4, -10), (4, 0), (5, 1), (0, 10), (0, 0),
    ];
    "Nearest enemy pawn on these files by rank (0: none), free, then blocked by the shelter.",
    STORM = [
        (-21, -1), (-6, 6), (-24, 18), (-13, -11), (-19, -3), (-2, -9), (-8, -6), (2, 0),
        (0, 0), (0, 0), (-4, -4), (-3, -1), (-3, 6), (12, 5), (-2, 1), (0, 0),
    ];
    "Attacked squares around the enemy king: by knight, bishop, rook, queen.",
    ZONE_ATTACK = [
        (5, -2), (-3, 8), (8, -3), (3, 15),
    ];
    "Safe checks by knight, bishop, rook, queen.",
    SAFE_CHECK = [
        (32, 4), (6, 26), (40, 20), (13, 31),
    ];
    "Danger of the king by attack units, without the enemy's queen, then with it.",
    DANGER = [
        (-8, 1), (-1, -2), (-7, -3), (-1, -5), (5, 0), (7, -1), (2, -4), (6, -4),
        (14, 2), (15, 2), (17, 1), (21, 0), (23, -1), (28, 1), (32, 2), (38, 2),
        (42, 1), (46, 1), (52, 0), (58, 0), (9, -15), (7, -3), (-1, 8), (1, 7),
        (6, 3), (19, 7), (21, 7), (39, 8), (48, 4), (62, 7), (77, 9), (95, 13),
        (111, 16), (128, 17), (148, 20), (169, 22), (191, 26), (217, 29), (243, 32), (271, 36),
    ];
    "The right to move (middlegame value only).",
    TEMPO = [
        (23, 23),
    ];
}
}
pub use values::*;
