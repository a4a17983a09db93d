//! What an engine reports about its search: the `info` line before a `bestmove`.

use serde::{Deserialize, Serialize};

/// A score from the reporting engine's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Centipawns.
    Cp(i64),
    /// Moves to mate; negative when being mated.
    Mate(i64),
}

impl Score {
    /// Centipawns, mates beyond any evaluation.
    pub fn centipawns(self) -> i64 {
        match self {
            Self::Cp(centipawns) => centipawns,
            Self::Mate(moves) if moves > 0 => 100_000 - moves.min(1000),
            Self::Mate(moves) => -100_000 - moves.max(-1000),
        }
    }

    /// The same score from the other side.
    pub fn reversed(self) -> Self {
        match self {
            Self::Cp(centipawns) => Self::Cp(centipawns.saturating_neg()),
            Self::Mate(moves) => Self::Mate(moves.saturating_neg()),
        }
    }
}

/// `+0.31`, `-M4`.
impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cp(0) => f.write_str("0.00"),
            Self::Cp(centipawns) => write!(f, "{:+.2}", *centipawns as f64 / 100.0),
            // Plies to mate, as both peers write it: a mate in 1 is one ply away.
            Self::Mate(moves) if *moves > 0 => write!(f, "+M{}", moves.saturating_mul(2) - 1),
            Self::Mate(moves) => write!(f, "-M{}", moves.saturating_mul(-2)),
        }
    }
}

/// The numbers of an `info` line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Plies.
    pub depth: Option<u64>,
    /// Plies, selective.
    pub seldepth: Option<u64>,
    /// Score.
    pub score: Option<Score>,
    /// Milliseconds.
    pub time: Option<u64>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Permille.
    pub hashfull: Option<u64>,
    /// Tablebase hits.
    pub tbhits: Option<u64>,
    /// Principal variation, in UCI notation as given.
    pub pv: Vec<String>,
}

impl Info {
    /// Reads the line; words that are unknown or not numbers are passed over.
    pub fn parse(line: &str) -> Self {
        let mut info = Self::default();
        let mut words = line.split_whitespace().skip(1);
        while let Some(word) = words.next() {
            let mut number = || words.next().and_then(|word| word.parse().ok());
            match word {
                "depth" => info.depth = number(),
                "seldepth" => info.seldepth = number(),
                "time" => info.time = number(),
                "nodes" => info.nodes = number(),
                "nps" => info.nps = number(),
                "hashfull" => info.hashfull = number(),
                "tbhits" => info.tbhits = number(),
                "score" => {
                    let kind = words.next();
                    let value = words.next().and_then(|word| word.parse::<i64>().ok());
                    info.score = match (kind, value) {
                        (Some("cp"), Some(value)) => Some(Score::Cp(value)),
                        (Some("mate"), Some(value)) => Some(Score::Mate(value)),
                        _ => info.score,
                    };
                }
                "pv" => {
                    info.pv = words.map(str::to_owned).collect();
                    break;
                }
                "string" => break,
                _ => {}
            }
        }
        info
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_any_order() {
        let info = Info::parse("info nodes 12 score cp -31 wdl 1 2 3 depth 4 time 5 pv e2e4 e7e5");
        assert_eq!((info.nodes, info.depth, info.time), (Some(12), Some(4), Some(5)));
        assert_eq!(info.score, Some(Score::Cp(-31)));
        assert_eq!(info.pv, ["e2e4", "e7e5"]);
    }

    #[test]
    fn nonsense_is_passed_over() {
        let info = Info::parse("info depth x score cp nodes time 99999999999999999999999 pv");
        assert_eq!(info, Info::default());
        assert_eq!(
            Info::parse("info depth 1 score mate -2 lowerbound").score,
            Some(Score::Mate(-2))
        );
    }

    #[test]
    fn scores_are_written_as_the_peers_write_them() {
        let written = [Score::Cp(31), Score::Cp(-5), Score::Cp(0), Score::Mate(1), Score::Mate(-2)];
        assert_eq!(
            written.map(|score| score.to_string()),
            ["+0.31", "-0.05", "0.00", "+M1", "-M4"]
        );
        assert!(Score::Mate(1).centipawns() > Score::Mate(9).centipawns());
        assert!(Score::Mate(-1).centipawns() < Score::Mate(-9).centipawns());
    }
}
