//! Random numbers and random openings.

use engine::board::Position;

/// SplitMix64 (Steele, Lea and Flood, 2014).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// The position after `plies` random legal moves from the start, with moves to go on.
pub fn opening(random: &mut Random, plies: u32) -> Position {
    loop {
        if let Some(position) = random_moves(random, Position::startpos(), plies) {
            return position;
        }
    }
}

/// The position after `plies` random legal moves, unless the game is over by then.
pub fn random_moves(random: &mut Random, mut position: Position, plies: u32) -> Option<Position> {
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        position = position.play(moves[random.below(moves.len())]);
    }
    position.has_legal_move().then_some(position)
}

/// The start of Chess960 with this number, from 0 to 959 (Scharnagl's numbering).
pub fn chess960(number: usize) -> Position {
    let mut men = [None; 8];
    let (rest, light) = (number / 4, number % 4);
    let (rest, dark) = (rest / 4, rest % 4);
    let (knights, queen) = (rest / 6, rest % 6);
    men[2 * light + 1] = Some('b');
    men[2 * dark] = Some('b');
    let mut place = |nth: usize, man: char| {
        let free: Vec<usize> = (0..8).filter(|&file| men[file].is_none()).collect();
        men[free[nth]] = Some(man);
    };
    place(queen, 'q');
    // The knights on two of the five files left, the second counted without the first.
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)];
    place(KNIGHTS[knights].0, 'n');
    place(KNIGHTS[knights].1, 'n');
    for man in ['r', 'k', 'r'] {
        place(0, man);
    }
    let rank: String = men.into_iter().flatten().collect();
    let upper = rank.to_ascii_uppercase();
    let fen = format!("{rank}/pppppppp/8/8/8/8/PPPPPPPP/{upper} w KQkq - 0 1");
    Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_chess960() {
        let rank = |number| chess960(number).fen(false)[..8].to_owned();
        assert_eq!(rank(518), "rnbqkbnr");
        assert_eq!(rank(0), "bbqnnrkr");
        assert_eq!(rank(959), "rkrnnqbb");
        let all: std::collections::HashSet<String> = (0..960).map(rank).collect();
        assert_eq!(all.len(), 960);
    }
}
