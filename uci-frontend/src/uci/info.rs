//! The lines `info` and `bestmove`.

use std::fmt::Write;

use engine::board::{CastlingSide, Color, Move, Position};
use engine::search::{Bound, Info, Outcome, Reporter, Score};

use super::output::Output;

/// Writes what a search reports.
pub struct UciReporter {
    /// Where the lines go.
    pub output: Output,
    /// The position searched.
    pub root: Position,
    /// How moves are written.
    pub chess960: bool,
    /// Whether chances are added to scores.
    pub show_wdl: bool,
}

/// Whether castling must be written as king takes rook, because a right belongs to a king or a
/// rook away from its home in standard chess.
pub fn needs_chess960(position: &Position) -> bool {
    const HOMES: [(CastlingSide, u8); 2] = [(CastlingSide::King, 7), (CastlingSide::Queen, 0)];
    Color::ALL.into_iter().any(|color| {
        HOMES.into_iter().any(|(side, home)| {
            position
                .castling_rook(color, side)
                .is_some_and(|rook| rook.file() != home || position.king(color).file() != 4)
        })
    })
}

impl Reporter for UciReporter {
    fn info(&self, info: &Info) {
        self.output.line(info_line(info, &self.root, self.chess960, self.show_wdl));
    }

    fn current_move(&self, depth: u32, mv: Move, number: usize) {
        let mv = self.root.uci(mv, self.chess960);
        self.output.line(format_args!("info depth {depth} currmove {mv} currmovenumber {number}"));
    }
}

/// An `info` line with a score.
fn info_line(info: &Info, root: &Position, chess960: bool, show_wdl: bool) -> String {
    let Info { depth, seldepth, multipv, nodes, nps, hashfull, tbhits, time_ms, .. } = info;
    let mut line = format!("info depth {depth} seldepth {seldepth} multipv {multipv} score ");
    line += &match info.score {
        Score::Cp(cp) => format!("cp {cp}"),
        Score::Mate(moves) => format!("mate {moves}"),
    };
    line += match info.bound {
        None => "",
        Some(Bound::Lower) => " lowerbound",
        Some(Bound::Upper) => " upperbound",
    };
    // Writing to a String cannot fail.
    if show_wdl {
        let _ = write!(line, " wdl {} {} {}", info.wdl.win, info.wdl.draw, info.wdl.loss);
    }
    let _ =
        write!(line, " nodes {nodes} nps {nps} hashfull {hashfull} tbhits {tbhits} time {time_ms}");
    if !info.pv.is_empty() {
        line += " pv";
    }
    let mut position = *root;
    for &mv in &info.pv {
        let _ = write!(line, " {}", position.uci(mv, chess960));
        position = position.play(mv);
    }
    line
}

/// The line `bestmove`; `(none)` where no move is legal.
pub fn bestmove_line(outcome: &Outcome, root: &Position, chess960: bool) -> String {
    let Some(best) = outcome.best else {
        return "bestmove (none)".to_owned();
    };
    let mut line = format!("bestmove {}", root.uci(best, chess960));
    if let Some(ponder) = outcome.ponder {
        let _ = write!(line, " ponder {}", root.play(best).uci(ponder, chess960));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::search::Wdl;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    fn info_holds_all_in_integers() {
        let root = Position::startpos();
        let pv = vec![root.parse_uci("e2e4").unwrap()];
        let mut info = Info {
            depth: 300,
            seldepth: 301,
            multipv: 2,
            score: Score::Cp(-17),
            bound: Some(Bound::Upper),
            wdl: Wdl { win: 1, draw: 900, loss: 99 },
            nodes: 9_999_999_999_999,
            nps: 4_000_000,
            hashfull: 1000,
            tbhits: 5,
            time_ms: 12,
            pv,
        };
        assert_eq!(
            info_line(&info, &root, false, true),
            "info depth 300 seldepth 301 multipv 2 score cp -17 upperbound wdl 1 900 99 \
             nodes 9999999999999 nps 4000000 hashfull 1000 tbhits 5 time 12 pv e2e4"
        );
        info.bound = None;
        info.score = Score::Mate(-200);
        info.pv.clear();
        assert_eq!(
            info_line(&info, &root, false, false),
            "info depth 300 seldepth 301 multipv 2 score mate -200 \
             nodes 9999999999999 nps 4000000 hashfull 1000 tbhits 5 time 12"
        );
    }

    #[test]
    fn bestmove_follows_the_notation_asked_for() {
        let root = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        let best = root.parse_uci("e1h1").unwrap();
        let ponder = root.play(best).parse_uci("e8c8").ok();
        let outcome = Outcome { best: Some(best), ponder };
        assert_eq!(bestmove_line(&outcome, &root, false), "bestmove e1g1 ponder e8c8");
        assert_eq!(bestmove_line(&outcome, &root, true), "bestmove e1h1 ponder e8a8");
        let none = Outcome { best: None, ponder: None };
        assert_eq!(bestmove_line(&none, &root, false), "bestmove (none)");
    }

    #[test]
    fn only_unusual_homes_need_the_other_castling_notation() {
        assert!(!needs_chess960(&position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")));
        assert!(!needs_chess960(&position("4k3/8/8/8/8/8/8/1R1K2R1 w - - 0 1")));
        assert!(needs_chess960(&position("4k3/8/8/8/8/8/8/3K2R1 w G - 0 1")));
        assert!(needs_chess960(&position("1r2k3/8/8/8/8/8/8/4K3 w b - 0 1")));
    }
}
