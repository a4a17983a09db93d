//! Playing at a given strength: fewer nodes, the same care.

/// Elo, and the nodes of a move that held their own against Stockfish 15.1 limited to it
/// (`EXPERIMENTS.md`).
const LEVELS: [(u32, f64); 6] =
    [(1400, 41.0), (1700, 82.0), (1850, 256.0), (2000, 2700.0), (2150, 22_000.0), (2300, 69_000.0)];

/// The lowest strength that [`Options::elo`](super::Options::elo) can ask for, in Elo.
pub const MIN_ELO: u32 = LEVELS[0].0;
/// The highest strength that [`Options::elo`](super::Options::elo) can ask for, in Elo.
pub const MAX_ELO: u32 = LEVELS[LEVELS.len() - 1].0;

/// The nodes that a move may take at this strength.
pub fn nodes(elo: u32) -> u64 {
    let elo = elo.clamp(MIN_ELO, MAX_ELO);
    // From one level to the next, each Elo multiplies the nodes by the same factor.
    let above = LEVELS.partition_point(|&(level, _)| level < elo).max(1);
    let [(low, few), (high, many)] = [LEVELS[above - 1], LEVELS[above]];
    let share = f64::from(elo - low) / f64::from(high - low);
    (few * (many / few).powf(share)).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_met_and_nodes_grow() {
        for (elo, count) in LEVELS {
            assert_eq!(nodes(elo), count as u64);
        }
        assert!((MIN_ELO..MAX_ELO).all(|elo| nodes(elo) <= nodes(elo + 1)));
        assert_eq!(nodes(0), nodes(MIN_ELO));
        assert_eq!(nodes(9999), nodes(MAX_ELO));
    }
}
