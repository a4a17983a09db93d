//! A quick look that spares the solver's long one on ordinary positions.

use shakmaty::{Board, Chess, Color, Position, attacks};

/// Fewer men than these, and the material or a short forced line may decide.
const MEN: usize = 7;
/// Fewer moves than these, and a forced line may.
const MOVES: usize = 6;
/// With fewer moves the opponent may be stalemated by all of them.
const REPLIES: usize = 3;
/// Squares that are enough to say that a piece is not shut in.
const FREE: u32 = 24;

/// Whether a position surely goes on: both sides are free to choose, and a heavy piece, or a
/// pawn that walks to become one, can come up to the enemy king past the men of its own side.
/// `false` says nothing. It is no proof, but no position is known that it would take wrongly; the
/// tests ask the solver.
pub fn surely_goes_on(position: &Chess) -> bool {
    let board = position.board();
    board.occupied().count() >= MEN
        && Color::ALL.into_iter().any(|color| comes_to_the_king(board, color))
        && !position.is_check()
        && position.legal_moves().len() >= MOVES
        && position.clone().swap_turn().is_ok_and(|other| other.legal_moves().len() >= REPLIES)
}

fn comes_to_the_king(board: &Board, color: Color) -> bool {
    let Some(king) = board.king_of(!color) else { return false };
    let own = board.by_color(color);
    let own_pawns = u64::from(board.pawns() & own);
    let heavy = u64::from(board.rooks_and_queens() & own);
    let occupied = u64::from(board.occupied());
    let mut reached = heavy | promotions(own_pawns, u64::from(board.pawns()), occupied, color);
    // Enemy men can be captured, own ones other than heavy pieces may never step aside.
    let room = !(u64::from(own) & !heavy) & !(1 << king as u64);
    let goal = u64::from(attacks::king_attacks(king)) & room;
    loop {
        let wider = reached | neighbours(reached) & room;
        if wider == reached {
            return reached & goal != 0 && reached.count_ones() >= FREE;
        }
        reached = wider;
    }
}

/// Where pawns promote that can step ahead and have no pawn before them on their file.
fn promotions(own_pawns: u64, pawns: u64, occupied: u64, color: Color) -> u64 {
    let mut walking = own_pawns & !color.fold_wb(occupied >> 8, occupied << 8);
    for _ in 0..7 {
        let ahead = color.fold_wb(walking << 8, walking >> 8) & !pawns;
        let last = ahead & color.fold_wb(0xff << 56, 0xff);
        walking = if last == 0 { ahead } else { return last };
        if walking == 0 {
            break;
        }
    }
    0
}

/// The squares beside these, along ranks and files.
fn neighbours(set: u64) -> u64 {
    const NOT_A: u64 = !0x0101_0101_0101_0101;
    const NOT_H: u64 = !0x8080_8080_8080_8080;
    set << 8 | set >> 8 | set << 1 & NOT_A | set >> 1 & NOT_H
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    fn position(fen: &str) -> Option<Chess> {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).ok()
    }

    #[test]
    fn walls_and_few_men_are_left_to_the_solver() {
        for fen in [
            "8/8/4k3/8/8/8/4P3/4K3 w - - 0 1",
            "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1",
            // The gap on the a-file gives both sides pawn moves, and still nobody comes through.
            "4k3/8/p7/1p1p1p1p/1P1P1P1P/P7/8/2B1K3 w - - 0 1",
            // The rook stays behind its own wall.
            "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/R3K3 w - - 0 1",
        ] {
            assert!(!surely_goes_on(&position(fen).unwrap()), "{fen}");
        }
        for fen in [
            "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPP2PPP/R1BQKBNR w KQkq - 0 4",
            "8/5pk1/6p1/7p/P6P/6P1/5PK1/8 w - - 0 40",
            "r4rk1/pp3ppp/2p5/8/8/2P5/PP3PPP/R4RK1 w - - 0 20",
        ] {
            assert!(surely_goes_on(&position(fen).unwrap()), "{fen}");
        }
    }

    #[test]
    fn nothing_dead_goes_on() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/winnable");
        let mut asked = 0;
        for file in ["compositions", "hard", "unfair", "lichess"] {
            let Ok(text) = std::fs::read_to_string(format!("{folder}/{file}.dev.tsv")) else {
                eprintln!("skipped: {folder} is not there");
                return;
            };
            for line in text.lines().skip(1) {
                let fields: Vec<&str> = line.split('\t').collect();
                let [fen, _, "unwinnable", ..] = fields[..] else { continue };
                let Some(position) = position(fen) else { continue };
                if surely_goes_on(&position) {
                    asked += 1;
                    assert!(!crate::is_dead(&position), "{fen}");
                }
            }
        }
        assert!(asked > 0);
    }
}
