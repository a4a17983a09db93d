//! Swiss pairings.

use std::cmp::Ordering;

/// A player in a Swiss tournament; the index is the pairing number.
#[derive(Clone, Debug)]
pub struct Player {
    /// Index of the engine.
    pub index: usize,
    /// Half points: 2 for a won encounter, 1 for a drawn one.
    pub score: u32,
    /// Opponents so far.
    pub opponents: Vec<usize>,
    /// Colours of the first games so far, true for White.
    pub colours: Vec<bool>,
    /// Had a bye.
    pub bye: bool,
}

impl Player {
    /// A player before the first round.
    pub fn new(index: usize) -> Self {
        Self { index, score: 0, opponents: Vec::new(), colours: Vec::new(), bye: false }
    }
}

/// The pairings of a round, White first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// Encounters.
    pub pairs: Vec<(usize, usize)>,
    /// Who has no opponent.
    pub bye: Option<usize>,
}

/// Takes in an encounter, White of the first game named first.
pub fn record(players: &mut [Player], white: usize, black: usize, result: Ordering) {
    let half_points = match result {
        Ordering::Greater => [2, 0],
        Ordering::Equal => [1, 1],
        Ordering::Less => [0, 2],
    };
    for (me, other, points, colour) in
        [(white, black, half_points[0], true), (black, white, half_points[1], false)]
    {
        players[me].score += points;
        players[me].opponents.push(other);
        players[me].colours.push(colour);
    }
}

/// Takes in a bye.
pub fn record_bye(players: &mut [Player], player: usize) {
    players[player].score += 2;
    players[player].bye = true;
}

/// Pairs the next round.
pub fn pair(_players: &[Player], _rounds: u32) -> Option<Round> {
    None
}
