//! From scores to what a user sees: centipawns that mean the same everywhere, and chances.

use super::report::{Score, Wdl};
use super::score::{MATE, TABLEBASE_BOUND, TABLEBASE_WIN, is_mate};
use crate::board::{PieceType, Position};

/// The centipawns shown for a tablebase win.
const SHOWN_WIN: i32 = 20_000;

/// The model: the chance to win is a logistic curve of the score, whose middle and width depend
/// on the material. Fitted to 19567 quiet positions of 200 games at 8+0.08 against the network
/// before this one, adjudicated as `engine/nets/README.md` says.
const MIDDLE: [f64; 2] = [179.7, -126.4];
const WIDTH: [f64; 2] = [34.7, 23.3];

/// The material at which 100 shown centipawns win half of the games.
const MIDDLE_PHASE: f64 = 40.0;

/// Material of both sides in pawns (1, 3, 3, 5, 9), within the range of the fit: what the model
/// goes by.
pub fn material(position: &Position) -> f64 {
    let count = |kind| position.kind(kind).count();
    let sum = count(PieceType::Pawn)
        + 3 * (count(PieceType::Knight) + count(PieceType::Bishop))
        + 5 * count(PieceType::Rook)
        + 9 * count(PieceType::Queen);
    f64::from(sum.clamp(16, 78))
}

fn curve(material: f64) -> (f64, f64) {
    let line = |[at_zero, at_full]: [f64; 2]| at_zero + at_full * material / 78.0;
    (line(MIDDLE), line(WIDTH))
}

/// The chances that a score gives.
pub fn wdl(position: &Position, score: i32) -> Wdl {
    if score.abs() >= TABLEBASE_BOUND {
        let won = score > 0;
        return Wdl { win: 1000 * won as u16, draw: 0, loss: 1000 * !won as u16 };
    }
    let (middle, width) = curve(material(position));
    let chance = |score: f64| (1000.0 / (1.0 + ((middle - score) / width).exp())).round() as u16;
    let win = chance(f64::from(score));
    let loss = chance(-f64::from(score)).min(1000 - win);
    Wdl { win, draw: 1000 - win - loss, loss }
}

/// Internal centipawns that are shown as 100.
pub fn shown_pawn() -> f64 {
    curve(MIDDLE_PHASE).0
}

/// The score as shown to a user.
pub fn shown(score: i32) -> Score {
    if is_mate(score) {
        let moves = (MATE - score.abs() + 1) / 2;
        return Score::Mate(if score > 0 { moves } else { -moves });
    }
    if score.abs() >= TABLEBASE_BOUND {
        let plies = TABLEBASE_WIN - score.abs();
        return Score::Cp(score.signum() * (SHOWN_WIN - plies));
    }
    Score::Cp((f64::from(score) * 100.0 / shown_pawn()).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(shown(MATE - 1), Score::Mate(1));
        assert_eq!(shown(MATE - 3), Score::Mate(2));
        assert_eq!(shown(-MATE), Score::Mate(0));
        assert_eq!(shown(2 - MATE), Score::Mate(-1));
    }

    #[test]
    fn chances_add_up_and_rise() {
        let position = Position::startpos();
        let mut last = 0;
        for score in (-3000..3000).step_by(37) {
            let wdl = wdl(&position, score);
            assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
            assert!(wdl.win >= last);
            last = wdl.win;
        }
    }
}
