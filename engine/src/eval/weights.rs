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
        (85, 110), (330, 310), (345, 325), (470, 560), (980, 1030),
    ];
    "Men on squares: pawn, knight, bishop, rook, queen, king; a1 to h8 as the side looks.",
    SQUARES = [
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (0, 0), (-10, 0), (-10, 0), (0, 0), (0, 0), (0, 0),
        (2, 2), (4, 2), (5, 2), (6, 2), (6, 2), (5, 2), (4, 2), (2, 2),
        (4, 9), (7, 9), (10, 9), (13, 9), (13, 9), (10, 9), (7, 9), (4, 9),
        (6, 20), (10, 20), (15, 20), (19, 20), (19, 20), (15, 20), (10, 20), (6, 20),
        (8, 35), (14, 35), (20, 35), (26, 35), (26, 35), (20, 35), (14, 35), (8, 35),
        (10, 55), (18, 55), (25, 55), (32, 55), (32, 55), (25, 55), (18, 55), (10, 55),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (-28, -22), (-20, -16), (-12, -10), (-4, -4), (-4, -4), (-12, -10), (-20, -16), (-28, -22),
        (-20, -16), (-12, -10), (-4, -4), (4, 2), (4, 2), (-4, -4), (-12, -10), (-20, -16),
        (-12, -10), (-4, -4), (4, 2), (12, 8), (12, 8), (4, 2), (-4, -4), (-12, -10),
        (-4, -4), (4, 2), (12, 8), (20, 14), (20, 14), (12, 8), (4, 2), (-4, -4),
        (-1, -4), (7, 2), (15, 8), (23, 14), (23, 14), (15, 8), (7, 2), (-1, -4),
        (-6, -10), (2, -4), (10, 2), (18, 8), (18, 8), (10, 2), (2, -4), (-6, -10),
        (-11, -16), (-3, -10), (5, -4), (13, 2), (13, 2), (5, -4), (-3, -10), (-11, -16),
        (-16, -22), (-8, -16), (0, -10), (8, -4), (8, -4), (0, -10), (-8, -16), (-16, -22),
        (-18, -8), (-14, -6), (-10, -3), (-6, 0), (-6, 0), (-10, -3), (-14, -6), (-18, -8),
        (-6, -6), (-2, -3), (2, 0), (6, 2), (6, 2), (2, 0), (-2, -3), (-6, -6),
        (-2, -3), (2, 0), (6, 2), (10, 4), (10, 4), (6, 2), (2, 0), (-2, -3),
        (2, 0), (6, 2), (10, 4), (14, 7), (14, 7), (10, 4), (6, 2), (2, 0),
        (2, 0), (6, 2), (10, 4), (14, 7), (14, 7), (10, 4), (6, 2), (2, 0),
        (-2, -3), (2, 0), (6, 2), (10, 4), (10, 4), (6, 2), (2, 0), (-2, -3),
        (-6, -6), (-2, -3), (2, 0), (6, 2), (6, 2), (2, 0), (-2, -3), (-6, -6),
        (-10, -8), (-6, -6), (-2, -3), (2, 0), (2, 0), (-2, -3), (-6, -6), (-10, -8),
        (-4, 0), (-1, 0), (2, 0), (5, 0), (5, 0), (2, 0), (-1, 0), (-4, 0),
        (-4, 0), (-1, 0), (2, 0), (5, 0), (5, 0), (2, 0), (-1, 0), (-4, 0),
        (-4, 0), (-1, 0), (2, 0), (5, 0), (5, 0), (2, 0), (-1, 0), (-4, 0),
        (-4, 0), (-1, 0), (2, 0), (5, 0), (5, 0), (2, 0), (-1, 0), (-4, 0),
        (-4, 0), (-1, 0), (2, 0), (5, 0), (5, 0), (2, 0), (-1, 0), (-4, 0),
        (-4, 0), (-1, 0), (2, 0), (5, 0), (5, 0), (2, 0), (-1, 0), (-4, 0),
        (10, 10), (13, 10), (16, 10), (19, 10), (19, 10), (16, 10), (13, 10), (10, 10),
        (-4, 0), (-1, 0), (2, 0), (5, 0), (5, 0), (2, 0), (-1, 0), (-4, 0),
        (-4, -16), (-3, -10), (-2, -4), (-1, 2), (-1, 2), (-2, -4), (-3, -10), (-4, -16),
        (-3, -10), (-2, -4), (-1, 2), (0, 8), (0, 8), (-1, 2), (-2, -4), (-3, -10),
        (-2, -4), (-1, 2), (0, 8), (1, 14), (1, 14), (0, 8), (-1, 2), (-2, -4),
        (-1, 2), (0, 8), (1, 14), (2, 20), (2, 20), (1, 14), (0, 8), (-1, 2),
        (-1, 2), (0, 8), (1, 14), (2, 20), (2, 20), (1, 14), (0, 8), (-1, 2),
        (-4, -4), (-3, 2), (-2, 8), (-1, 14), (-1, 14), (-2, 8), (-3, 2), (-4, -4),
        (-5, -10), (-4, -4), (-3, 2), (-2, 8), (-2, 8), (-3, 2), (-4, -4), (-5, -10),
        (-6, -16), (-5, -10), (-4, -4), (-3, 2), (-3, 2), (-4, -4), (-5, -10), (-6, -16),
        (22, -36), (12, -25), (2, -14), (-8, -3), (-8, -3), (2, -14), (12, -25), (22, -36),
        (8, -25), (-2, -14), (-12, -3), (-22, 8), (-22, 8), (-12, -3), (-2, -14), (8, -25),
        (-6, -14), (-16, -3), (-26, 8), (-36, 19), (-36, 19), (-26, 8), (-16, -3), (-6, -14),
        (-20, -3), (-30, 8), (-40, 19), (-50, 30), (-50, 30), (-40, 19), (-30, 8), (-20, -3),
        (-42, -3), (-48, 8), (-54, 19), (-60, 30), (-60, 30), (-54, 19), (-48, 8), (-42, -3),
        (-42, -14), (-48, -3), (-54, 8), (-60, 19), (-60, 19), (-54, 8), (-48, -3), (-42, -14),
        (-42, -25), (-48, -14), (-54, -3), (-60, 8), (-60, 8), (-54, -3), (-48, -14), (-42, -25),
        (-42, -36), (-48, -25), (-54, -14), (-60, -3), (-60, -3), (-54, -14), (-48, -25), (-42, -36),
    ];
    "Knight mobility by squares.",
    KNIGHT_MOBILITY = [
        (-36, -32), (-18, -16), (-11, -10), (-5, -4), (0, 0), (4, 4), (8, 7), (11, 10),
        (15, 13),
    ];
    "Bishop mobility by squares.",
    BISHOP_MOBILITY = [
        (-43, -45), (-26, -27), (-19, -20), (-13, -14), (-9, -9), (-5, -5), (-1, -1), (2, 2),
        (5, 6), (8, 9), (11, 12), (14, 15), (16, 17), (19, 20),
    ];
    "Rook mobility by squares.",
    ROOK_MOBILITY = [
        (-29, -57), (-18, -35), (-13, -26), (-10, -19), (-7, -13), (-4, -8), (-2, -3), (1, 1),
        (3, 5), (4, 9), (6, 12), (8, 16), (10, 19), (11, 22), (13, 25),
    ];
    "Queen mobility by squares.",
    QUEEN_MOBILITY = [
        (-32, -57), (-23, -41), (-19, -34), (-16, -29), (-14, -25), (-12, -21), (-10, -18), (-8, -14),
        (-6, -12), (-5, -9), (-3, -6), (-2, -4), (-1, -1), (1, 1), (2, 3), (3, 5),
        (4, 7), (5, 9), (6, 11), (7, 13), (8, 15), (9, 17), (10, 18), (11, 20),
        (12, 22), (13, 23), (14, 25), (15, 26),
    ];
    "Two bishops.",
    BISHOP_PAIR = [
        (25, 50),
    ];
    "Rook on an open file, on a half-open file.",
    ROOK_FILE = [
        (30, 10), (14, 8),
    ];
    "Knight, bishop on an outpost.",
    OUTPOST = [
        (28, 16), (24, 6),
    ];
    "Pawn without pawns on the files beside.",
    ISOLATED = [
        (-9, -12),
    ];
    "Pawn behind another.",
    DOUBLED = [
        (-7, -20),
    ];
    "Pawn that cannot be supported and is stopped.",
    BACKWARD = [
        (-8, -10),
    ];
    "Pawn defended by a pawn, by rank.",
    SUPPORTED = [
        (0, 0), (0, 0), (10, 6), (10, 8), (16, 14), (40, 30), (80, 60), (0, 0),
    ];
    "Pawn beside a pawn, by rank.",
    PHALANX = [
        (0, 0), (3, 0), (8, 4), (14, 12), (30, 28), (60, 60), (80, 100), (0, 0),
    ];
    "Passed pawn by rank.",
    PASSED = [
        (0, 0), (-4, 8), (-6, 14), (0, 30), (20, 52), (50, 90), (90, 120), (0, 0),
    ];
    "Passed pawn with a man before it, by rank.",
    PASSED_BLOCKED = [
        (0, 0), (0, 0), (0, 0), (-4, -10), (-6, -20), (-10, -36), (-16, -60), (0, 0),
    ];
    "Passed pawn with a free path, by rank.",
    PASSED_FREE = [
        (0, 0), (0, 0), (0, 0), (2, 10), (6, 24), (16, 50), (30, 90), (0, 0),
    ];
    "Passed pawn whose next square is covered, by rank.",
    PASSED_DEFENDED = [
        (0, 0), (0, 0), (0, 0), (4, 6), (8, 12), (14, 18), (20, 20), (0, 0),
    ];
    "Own king's distance to the square before a passed pawn.",
    PASSED_OWN_KING = [
        (0, 24), (0, 20), (0, 10), (0, 2), (0, -4), (0, -8), (0, -10), (0, -10),
    ];
    "Enemy king's distance to the square before a passed pawn.",
    PASSED_ENEMY_KING = [
        (0, -36), (0, -28), (0, -10), (0, 10), (0, 24), (0, 34), (0, 40), (0, 42),
    ];
    "Piece attacked by a pawn: pawn (unused), knight, bishop, rook, queen.",
    PAWN_THREAT = [
        (0, 0), (55, 40), (55, 45), (75, 35), (65, 40),
    ];
    "Man attacked by a minor piece.",
    MINOR_THREAT = [
        (4, 10), (22, 24), (24, 24), (46, 28), (40, 30),
    ];
    "Man attacked by a rook.",
    ROOK_THREAT = [
        (0, 14), (20, 24), (22, 26), (4, 10), (50, 30),
    ];
    "Man that hangs.",
    HANGING = [
        (24, 18),
    ];
    "Man that hangs to the king.",
    KING_THREAT = [
        (10, 30),
    ];
    "Piece that a safe pawn step would attack.",
    PUSH_THREAT = [
        (18, 14),
    ];
    "Shelter: nearest own pawn on the king's file by rank (0: none), then on the files beside.",
    SHELTER = [
        (-22, 0), (0, 0), (22, 0), (12, 0), (4, 0), (0, 0), (-4, 0), (0, 0),
        (-18, 0), (0, 0), (18, 0), (10, 0), (3, 0), (0, 0), (-3, 0), (0, 0),
    ];
    "Nearest enemy pawn on these files by rank (0: none), free, then blocked by the shelter.",
    STORM = [
        (0, 0), (-10, 0), (-36, 0), (-26, 0), (-10, 0), (-2, 0), (2, 0), (2, 0),
        (0, 0), (0, 0), (0, 0), (-8, 0), (-4, 0), (0, 0), (0, 0), (0, 0),
    ];
    "Attacked squares around the enemy king: by knight, bishop, rook, queen.",
    ZONE_ATTACK = [
        (4, 0), (4, 0), (5, 0), (3, 2),
    ];
    "Safe checks by knight, bishop, rook, queen.",
    SAFE_CHECK = [
        (22, 0), (10, 4), (24, 4), (12, 8),
    ];
    "Danger of the king by attack units, without the enemy's queen, then with it.",
    DANGER = [
        (0, 0), (0, 0), (1, 0), (1, 0), (3, 0), (4, 0), (6, 0), (8, 0),
        (10, 0), (13, 0), (16, 0), (19, 0), (23, 0), (27, 0), (31, 0), (36, 0),
        (41, 0), (46, 0), (52, 0), (58, 0), (0, 0), (1, 0), (3, 0), (7, 1),
        (12, 2), (19, 2), (27, 4), (37, 5), (48, 6), (61, 8), (75, 10), (91, 12),
        (108, 14), (127, 17), (147, 20), (169, 22), (192, 26), (217, 29), (243, 32), (271, 36),
    ];
    "The right to move (middlegame value only).",
    TEMPO = [
        (18, 18),
    ];
}
}
pub use values::*;
