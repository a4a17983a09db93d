//! The answer of a search, and what must hold of any.

use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

/// What a search said.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The lines before `bestmove`.
    pub infos: Vec<String>,
    /// The line `bestmove`.
    pub bestmove: String,
    /// From `go` to that line.
    pub time: Duration,
}

/// The position of a FEN after moves, by a referee that is not the engine.
pub fn board(fen: &str, moves: &[&str]) -> Result<Chess, String> {
    let fen: Fen = fen.parse().map_err(|error| format!("{fen}: {error}"))?;
    let mut position: Chess =
        fen.into_position(CastlingMode::Chess960).map_err(|error| error.to_string())?;
    for text in moves {
        position = play(&position, text).ok_or_else(|| format!("{text} is not legal"))?;
    }
    Ok(position)
}

/// The position after a move in UCI notation, if it is legal.
pub fn play(position: &Chess, text: &str) -> Option<Chess> {
    let mv = text.parse::<UciMove>().ok()?.to_move(position).ok()?;
    let mut position = position.clone();
    position.play_unchecked(mv);
    Some(position)
}

impl Answer {
    /// The word after `bestmove`.
    pub fn best(&self) -> &str {
        self.bestmove.split_whitespace().nth(1).unwrap_or("")
    }

    /// The move to ponder on.
    pub fn ponder(&self) -> Option<&str> {
        let mut words = self.bestmove.split_whitespace().skip(2);
        (words.next() == Some("ponder")).then(|| words.next()).flatten()
    }

    /// Whether it says that there is no move.
    pub fn is_none(&self) -> bool {
        matches!(self.best(), "(none)" | "0000" | "NULL" | "none")
    }

    /// The lines with a score.
    pub fn scored(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.infos.iter().map(String::as_str).filter(|line| {
            line.starts_with("info ") && !is_string(line) && line.contains(" score ")
        })
    }

    /// The best move must be legal.
    pub fn check_legal(&self, position: &Chess) -> Result<(), String> {
        match play(position, self.best()) {
            Some(_) => Ok(()),
            None => Err(format!("bestmove {} is not legal", self.best())),
        }
    }

    /// The last line before the answer must have a score and whole numbers, as fastchess checks.
    pub fn check_info(&self) -> Result<(), String> {
        let last = self.infos.iter().rfind(|line| line.starts_with("info ") && !is_string(line));
        let last = last.ok_or("no info line before bestmove")?;
        if !last.contains(" score ") {
            return Err(format!("the last info line has no score: {last}"));
        }
        for name in ["depth", "seldepth", "multipv", "time", "nps", "nodes", "score"] {
            let Some(value) = field(last, name) else { continue };
            let value = if name == "score" { field(last, value).unwrap_or("") } else { value };
            if value.parse::<i64>().is_err() {
                return Err(format!("{name} `{value}` is no whole number: {last}"));
            }
        }
        Ok(())
    }

    /// The last line with a score that is not of a lesser rank.
    fn last_scored(&self) -> Result<&str, String> {
        let first = |line: &&str| field(line, "multipv").is_none_or(|rank| rank == "1");
        self.scored().rfind(first).ok_or_else(|| "no info line with a score".to_owned())
    }

    /// The last line must start with the best move.
    pub fn check_final(&self) -> Result<(), String> {
        let last = self.last_scored()?;
        match pv(last).first() {
            Some(&head) if head != self.best() => {
                Err(format!("bestmove is {} but the last line starts with {head}", self.best()))
            }
            None => Err(format!("the last line has no pv: {last}")),
            Some(_) => Ok(()),
        }
    }

    /// The last score must be exact: some hosts discard bounds.
    pub fn check_exact(&self) -> Result<(), String> {
        let last = self.last_scored()?;
        if last.contains(" lowerbound") || last.contains(" upperbound") {
            return Err(format!("it is a bound: {last}"));
        }
        Ok(())
    }

    /// Every line of moves must be legal to its end and stop at the end of the game.
    pub fn check_lines(&self, root: &Chess) -> Result<(), String> {
        for line in self.scored() {
            let mut position = root.clone();
            for text in pv(line) {
                if position.legal_moves().is_empty() {
                    return Err(format!("the line goes on after the end of the game: {line}"));
                }
                position = play(&position, text)
                    .ok_or_else(|| format!("{text} is not legal in its line: {line}"))?;
            }
        }
        Ok(())
    }

    /// The move to ponder on must be a legal reply.
    pub fn check_ponder(&self, root: &Chess) -> Result<(), String> {
        let Some(ponder) = self.ponder() else { return Ok(()) };
        if matches!(ponder, "(none)" | "0000") {
            return Ok(());
        }
        let after = play(root, self.best()).ok_or("bestmove is not legal")?;
        match play(&after, ponder) {
            Some(_) => Ok(()),
            None => Err(format!("ponder {ponder} is not legal after {}", self.best())),
        }
    }
}

fn is_string(line: &str) -> bool {
    line.starts_with("info string")
}

/// The word after `name`.
pub fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut words = line.split_whitespace().take_while(|&word| word != "pv");
    words.find(|&word| word == name)?;
    words.next()
}

/// The moves after `pv`.
pub fn pv(line: &str) -> Vec<&str> {
    line.split_whitespace().skip_while(|&word| word != "pv").skip(1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn answer(infos: &[&str], bestmove: &str) -> Answer {
        Answer {
            infos: infos.iter().map(ToString::to_string).collect(),
            bestmove: bestmove.to_owned(),
            time: Duration::ZERO,
        }
    }

    #[test]
    fn a_good_answer_passes() {
        let root = board(START, &[]).unwrap();
        let good =
            answer(&["info depth 1 score cp 3 time 1 pv e2e4 e7e5"], "bestmove e2e4 ponder e7e5");
        for checked in [
            good.check_legal(&root),
            good.check_info(),
            good.check_final(),
            good.check_lines(&root),
            good.check_ponder(&root),
        ] {
            assert_eq!(checked, Ok(()));
        }
    }

    #[test]
    fn each_fault_is_found() {
        let root = board(START, &[]).unwrap();
        assert!(answer(&[], "bestmove e2e5").check_legal(&root).is_err());
        assert!(answer(&[], "bestmove").check_legal(&root).is_err());
        assert!(answer(&["info string score 3"], "").check_info().is_err());
        assert!(answer(&["info depth 1 score cp 0.5 pv e2e4"], "").check_info().is_err());
        assert!(answer(&["info depth 1 time 1.5 score cp 5"], "").check_info().is_err());
        assert!(
            answer(&["info depth 1 score cp 5 lowerbound pv e2e4"], "bestmove e2e4")
                .check_exact()
                .is_err()
        );
        assert!(
            answer(&["info depth 1 score cp 5 pv d2d4"], "bestmove e2e4").check_final().is_err()
        );
        assert!(answer(&["info depth 1 score cp 5 pv e2e4 e2e4"], "").check_lines(&root).is_err());
        assert!(
            answer(&["info depth 9 score mate 2 pv f2f3 e7e5 g2g4 d8h4 a2a3"], "")
                .check_lines(&root)
                .is_err()
        );
        assert!(answer(&[], "bestmove e2e4 ponder e2e4").check_ponder(&root).is_err());
    }
}
