//! Positions to learn from, 32 bytes each, and which of a game are worth it.

use engine::board::{Bitboard, Color, PieceType, Position, Square};
use engine::eval::network::{bucket, input};

use crate::games::Game;

/// A position with its score and the outcome of its game, seen by the side to move: its own men
/// are White's here.
#[derive(Clone, Copy)]
pub struct Sample {
    occupied: u64,
    /// A nibble for each man in the order of squares: kind, and 8 for the other side's.
    men: [u8; 16],
    /// Shown centipawns.
    score: i16,
    /// Half points.
    outcome: u8,
}

/// The inputs of both views of a position, as many in each as there are men.
#[derive(Default)]
pub struct Inputs {
    pub own: Vec<usize>,
    pub other: Vec<usize>,
}

/// Plies from the start of the game in which openings are random or nearly so.
const FIRST_PLIES: u32 = 12;
/// Scores beyond tell little but that the game is won; mates are among them.
const MAX_SCORE: i16 = 2500;

impl Sample {
    /// A position with its score for the side to move, and the points of that side.
    pub fn new(position: &Position, score: i16, points: f32) -> Self {
        let side = position.side_to_move();
        let turn = |set: Bitboard| if side == Color::White { set } else { set.flip_ranks() };
        let occupied = turn(position.occupied());
        let mut men = [0; 16];
        for (number, square) in occupied.enumerate() {
            let original =
                Square::new(square.index() as u8 ^ if side == Color::White { 0 } else { 56 });
            if let Some(piece) = position.piece_on(original) {
                let code = piece.kind.index() as u8 | u8::from(piece.color != side) << 3;
                men[number / 2] |= code << (4 * (number % 2));
            }
        }
        Self { occupied: occupied.0, men, score, outcome: (points * 2.0) as u8 }
    }

    /// The set of output weights.
    pub fn bucket(&self) -> usize {
        bucket(self.occupied.count_ones())
    }

    /// The share of points to be expected: between the outcome (`by_outcome` 1) and what the score
    /// tells (0), where a score of `scale` is one in a logistic curve.
    pub fn target(&self, by_outcome: f32, scale: f32) -> f32 {
        let by_score = 1.0 / (1.0 + (-f32::from(self.score) / scale).exp());
        by_outcome * f32::from(self.outcome) / 2.0 + (1.0 - by_outcome) * by_score
    }

    /// The inputs that are one.
    pub fn inputs(&self, inputs: &mut Inputs) {
        inputs.own.clear();
        inputs.other.clear();
        let man = |number: usize| self.men[number / 2] >> (4 * (number % 2)) & 15;
        let king = PieceType::King.index() as u8;
        let mirrored = |code: u8| {
            let squares = Bitboard(self.occupied).enumerate();
            let mut kings = squares.filter(|&(number, _)| man(number) == code);
            kings.next().is_some_and(|(_, square)| square.file() >= 4)
        };
        let (own_mirrored, other_mirrored) = (mirrored(king), mirrored(king | 8));
        for (number, square) in Bitboard(self.occupied).enumerate() {
            let code = man(number);
            let kind = PieceType::ALL[usize::from(code & 7)];
            let color = if code & 8 == 0 { Color::White } else { Color::Black };
            inputs.own.push(input(Color::White, own_mirrored, color, kind, square));
            inputs.other.push(input(Color::Black, other_mirrored, color, kind, square));
        }
    }
}

/// The positions of a game that are worth learning: not the first, not in check, with a score
/// that is no mate, and a best move that neither captures nor promotes. Each with its score and
/// the points of the game, both for the side to move.
pub fn for_each_quiet(game: &Game, mut visit: impl FnMut(&Position, i16, f32)) {
    let mut position = game.start;
    for &(mv, score) in &game.moves {
        let side = position.side_to_move();
        let ply = 2 * (position.fullmove_number() - 1) + u32::from(side == Color::Black);
        let quiet =
            !position.in_check() && !position.is_capture(mv) && mv.promotion_type().is_none();
        if quiet && ply >= FIRST_PLIES && score.abs() <= MAX_SCORE {
            let score = if side == Color::White { score } else { -score };
            visit(&position, score, game.outcome.points(side));
        }
        position = position.play(mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Outcome;

    /// The inputs as the engine's own evaluation numbers them.
    fn inputs_of(position: &Position, view: Color) -> Vec<usize> {
        let mirrored = engine::eval::network::is_mirrored(position, view);
        let mut found = Vec::new();
        for color in Color::ALL {
            for kind in PieceType::ALL {
                for square in position.pieces(color, kind) {
                    found.push(input(view, mirrored, color, kind, square));
                }
            }
        }
        found.sort_unstable();
        found
    }

    #[test]
    fn trainer_and_engine_number_inputs_alike() {
        let mut inputs = Inputs::default();
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/1k6/8/3p4/8/2Q5/6K1/8 b - - 3 60",
            "8/1k6/8/3p4/8/2Q5/6K1/8 w - - 3 60",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let side = position.side_to_move();
            let sample = Sample::new(&position, 12, 1.0);
            sample.inputs(&mut inputs);
            inputs.own.sort_unstable();
            inputs.other.sort_unstable();
            assert_eq!(inputs.own, inputs_of(&position, side), "{fen}");
            assert_eq!(inputs.other, inputs_of(&position, !side), "{fen}");
            assert_eq!(sample.bucket(), bucket(position.occupied().count()));
        }
    }

    #[test]
    fn only_quiet_positions_are_kept() {
        let start = Position::from_fen("4k3/8/8/3p4/4P3/8/P7/4K3 w - - 0 20").unwrap();
        let mv = |position: &Position, uci: &str| position.parse_uci(uci).unwrap();
        let capture = mv(&start, "e4d5");
        let quiet = mv(&start, "a2a3");
        let game = |mv, score| Game { start, moves: vec![(mv, score)], outcome: Outcome::WhiteWon };
        let count = |game: &Game| {
            let mut samples = 0;
            for_each_quiet(game, |_, _, _| samples += 1);
            samples
        };
        assert_eq!(count(&game(quiet, 90)), 1);
        assert_eq!(count(&game(capture, 90)), 0);
        assert_eq!(count(&game(quiet, 30_000)), 0);
        let early = Position::from_fen("4k3/8/8/3p4/4P3/8/P7/4K3 w - - 0 3").unwrap();
        assert_eq!(count(&Game { start: early, ..game(quiet, 90) }), 0);
    }

    #[test]
    fn targets_lie_between_outcome_and_score() {
        let sample = Sample::new(&Position::startpos(), 0, 1.0);
        assert_eq!(sample.target(1.0, 300.0), 1.0);
        assert_eq!(sample.target(0.0, 300.0), 0.5);
        assert_eq!(sample.target(0.5, 300.0), 0.75);
    }
}
