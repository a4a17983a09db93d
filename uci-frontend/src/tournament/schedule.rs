//! Who meets whom, when, with which colours and from which opening.

use std::cmp::Ordering;
use std::collections::{HashMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::config::{Format, Policy, Tournament};
use super::swiss;

/// Extra pairs of games that a drawn knockout match gets before the higher place decides.
const MAX_TIEBREAKS: u32 = 8;

/// One game to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// Counted from 1 in the order of the schedule.
    pub number: usize,
    /// Counted from 1.
    pub round: u32,
    /// Within the encounter, counted from 1.
    pub game: u32,
    /// Index of the engine.
    pub white: usize,
    /// Index of the engine.
    pub black: usize,
    /// Index of the opening.
    pub opening: usize,
    /// Number of the pair of games that share an opening, counted from 0.
    pub pair: usize,
}

/// What to do now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Play this game.
    Game(Pairing),
    /// The next round needs results that are still missing.
    Wait,
    /// The tournament is over.
    Done,
}

/// Half points of one encounter, by the engine named first and second.
#[derive(Clone, Debug)]
struct Encounter {
    first: usize,
    second: usize,
    half_points: [u32; 2],
}

/// The schedule: hands out games, takes in results.
pub struct Schedule {
    format: Format,
    rounds: u32,
    games: u32,
    repeat: Option<u32>,
    noswap: bool,
    reverse: bool,
    policy: Policy,
    seeds: usize,
    engines: usize,
    round: u32,
    queue: VecDeque<Pairing>,
    open: usize,
    issued: usize,
    pairs: usize,
    openings: usize,
    /// What two opponents, the lower index first, are at.
    series: HashMap<(usize, usize), Series>,
    current: Vec<Encounter>,
    swiss: Vec<swiss::Player>,
    /// Swiss: no pairing was left for the round after this one.
    unpaired: bool,
    /// Knockout: who is still in, in bracket order; `None` is a bye.
    bracket: Vec<Option<usize>>,
    tiebreaks: u32,
    /// Knockout: places by engine, the best is 0.
    places: Vec<usize>,
    /// Knockout: the round in which an engine went out, by engine.
    out: Vec<Option<u32>>,
    /// Knockout: the last match was drawn.
    by_place: bool,
}

/// Games of two opponents with the same opening.
#[derive(Clone, Copy, Debug, Default)]
struct Series {
    games: u32,
    opening: usize,
    pair: usize,
}

impl Schedule {
    /// The schedule of a tournament; `seed` decides whatever is drawn by lot.
    pub fn new(tournament: &Tournament, seed: u64) -> Self {
        let engines = tournament.engines.len();
        let mut order: Vec<usize> = (0..engines).collect();
        if tournament.format == Format::Knockout && tournament.seeds > 0 {
            let fixed = tournament.seeds.min(engines);
            fastrand::Rng::with_seed(seed).shuffle(&mut order[fixed..]);
        }
        Self {
            format: tournament.format,
            rounds: tournament.rounds,
            games: tournament.games,
            repeat: tournament.repeat,
            noswap: tournament.noswap,
            reverse: tournament.reverse,
            policy: tournament
                .openings
                .as_ref()
                .map(|openings| openings.policy)
                .unwrap_or_default(),
            seeds: tournament.seeds.max(1),
            engines,
            round: 0,
            queue: VecDeque::new(),
            open: 0,
            issued: 0,
            pairs: 0,
            openings: 0,
            series: HashMap::new(),
            current: Vec::new(),
            swiss: vec![swiss::Player::default(); engines],
            unpaired: false,
            bracket: bracket(&order),
            tiebreaks: 0,
            places: places(&order),
            out: vec![None; engines],
            by_place: false,
        }
    }

    /// Games of the whole tournament, where that is known beforehand.
    pub fn total(&self) -> Option<usize> {
        let n = self.engines;
        let encounters = match self.format {
            Format::RoundRobin => n * (n - 1) / 2,
            Format::Gauntlet => self.seeds * (n - self.seeds),
            Format::Swiss => n / 2,
            Format::Knockout => return None,
        };
        Some(encounters * self.rounds as usize * self.games as usize)
    }

    /// Who won the knockout, once it is over.
    pub fn winner(&self) -> Option<usize> {
        let left = self.bracket.first().copied().flatten();
        left.filter(|_| self.format == Format::Knockout && self.bracket.len() == 1)
    }

    /// How far the engines came in the knockout: rounds by engine, those still in the highest;
    /// nothing in other formats.
    pub fn stages(&self) -> Vec<u32> {
        if self.format != Format::Knockout {
            return Vec::new();
        }
        self.out.iter().map(|out| out.unwrap_or(u32::MAX)).collect()
    }

    /// What the results alone do not tell; engines by these names.
    pub fn remarks(&self, name: impl Fn(usize) -> String) -> Vec<String> {
        let mut remarks = Vec::new();
        if let Some(winner) = self.winner() {
            let how =
                if self.by_place { "; the last match was drawn, the higher place won" } else { "" };
            remarks.push(format!("Winner of the knockout: {}{how}", name(winner)));
        }
        if self.unpaired {
            let (next, rounds) = (self.round + 1, self.rounds);
            remarks.push(format!(
                "The Swiss ended early: the rules leave no pairing for round {next} of {rounds}"
            ));
        }
        remarks
    }

    /// Hands out the next game.
    pub fn next(&mut self) -> Next {
        loop {
            if let Some(pairing) = self.queue.pop_front() {
                self.open += 1;
                return Next::Game(pairing);
            }
            let dynamic = matches!(self.format, Format::Knockout | Format::Swiss);
            if dynamic && self.open > 0 {
                return Next::Wait;
            }
            if !self.start_round() {
                return Next::Done;
            }
        }
    }

    /// Takes in the result of a game that [`Schedule::next`] handed out, in half points.
    pub fn record(&mut self, pairing: &Pairing, white: u8, black: u8) {
        debug_assert!(self.open > 0);
        self.open -= 1;
        let met = |encounter: &&mut Encounter| {
            let pair = (encounter.first, encounter.second);
            pair == (pairing.white, pairing.black) || pair == (pairing.black, pairing.white)
        };
        if let Some(encounter) = self.current.iter_mut().find(met) {
            let swapped = usize::from(encounter.first != pairing.white);
            encounter.half_points[swapped] += u32::from(white);
            encounter.half_points[1 - swapped] += u32::from(black);
        }
    }

    /// Prepares the next round; false if there is none.
    fn start_round(&mut self) -> bool {
        match self.format {
            Format::RoundRobin if self.round < self.rounds => {
                self.round += 1;
                self.queue_encounters(&round_robin(self.engines));
            }
            Format::Gauntlet if self.round < self.rounds => {
                self.round += 1;
                let (seeds, engines) = (self.seeds, self.engines);
                let pairs: Vec<_> = (seeds..engines)
                    .flat_map(|other| (0..seeds).map(move |seed| (seed, other)))
                    .collect();
                self.queue_encounters(&pairs);
            }
            Format::Swiss => return self.start_swiss_round(),
            Format::Knockout => return self.start_knockout_round(),
            _ => return false,
        }
        true
    }

    fn start_swiss_round(&mut self) -> bool {
        for encounter in std::mem::take(&mut self.current) {
            let [first, second] = encounter.half_points;
            swiss::record(&mut self.swiss, encounter.first, encounter.second, first.cmp(&second));
        }
        if self.round >= self.rounds {
            return false;
        }
        let Some(round) = swiss::pair(&self.swiss, self.rounds) else {
            self.unpaired = true;
            return false;
        };
        if let Some(player) = round.bye {
            swiss::record_bye(&mut self.swiss, player);
        }
        self.round += 1;
        self.current = round.pairs.iter().map(|pair| encounter(*pair)).collect();
        self.queue_encounters(&round.pairs);
        true
    }

    fn start_knockout_round(&mut self) -> bool {
        let mut drawn = Vec::new();
        for match_ in std::mem::take(&mut self.current) {
            let [first, second] = match_.half_points;
            if first == second && self.tiebreaks < MAX_TIEBREAKS {
                drawn.push(match_);
                continue;
            }
            let decided = match first.cmp(&second) {
                Ordering::Equal => {
                    self.places[match_.first].cmp(&self.places[match_.second]).reverse()
                }
                decided => decided,
            };
            let loser = if decided.is_gt() { match_.second } else { match_.first };
            self.by_place = first == second;
            self.out[loser] = Some(self.round);
            if let Some(place) = self.bracket.iter_mut().find(|place| **place == Some(loser)) {
                *place = None;
            }
        }
        if !drawn.is_empty() {
            self.tiebreaks += 1;
            let pairs: Vec<_> = drawn.iter().map(|match_| (match_.first, match_.second)).collect();
            self.current = drawn;
            self.queue_games(&pairs, 2);
            return true;
        }
        self.tiebreaks = 0;
        if self.round > 0 {
            self.bracket = self
                .bracket
                .chunks(2)
                .map(|pair| pair[0].or(pair.get(1).copied().flatten()))
                .collect();
        }
        if self.bracket.len() < 2 {
            return false;
        }
        let pairs: Vec<_> =
            self.bracket.chunks(2).filter_map(|pair| Some((pair[0]?, (*pair.get(1)?)?))).collect();
        self.round += 1;
        self.current = pairs.iter().map(|pair| encounter(*pair)).collect();
        self.queue_encounters(&pairs);
        true
    }

    fn queue_encounters(&mut self, encounters: &[(usize, usize)]) {
        self.queue_games(encounters, self.games);
    }

    fn queue_games(&mut self, encounters: &[(usize, usize)], games: u32) {
        if self.policy == Policy::Round && !encounters.is_empty() {
            self.openings += 1;
        }
        for &(first, second) in encounters {
            if self.policy == Policy::Encounter {
                self.openings += 1;
            }
            for game in 0..games {
                let Series { opening, pair, .. } = self.series(first, second, game);
                let swapped = self.swapped(game, games);
                self.issued += 1;
                self.queue.push_back(Pairing {
                    number: self.issued,
                    round: self.round,
                    game: game + 1,
                    white: if swapped { second } else { first },
                    black: if swapped { first } else { second },
                    opening,
                    pair,
                });
            }
        }
    }

    /// The opening and the pair of the next game of two opponents, in their encounter counted from
    /// 0. Where `-repeat` is given it counts through all their encounters.
    fn series(&mut self, first: usize, second: usize, game: u32) -> Series {
        let by_count = self.policy == Policy::Default;
        let series = self.series.entry((first.min(second), first.max(second))).or_default();
        if game == 0 && !(by_count && self.repeat.is_some()) {
            series.games = 0;
        }
        let played = series.games % self.repeat.unwrap_or(2).max(1);
        if played == 0 && by_count {
            self.openings += 1;
        }
        if played == 0 || !by_count {
            series.opening = self.openings - 1;
        }
        if played.is_multiple_of(2) {
            self.pairs += 1;
            series.pair = self.pairs - 1;
        }
        series.games = played + 1;
        *series
    }

    /// Whether the engine named second has White. An odd number of games per encounter evens
    /// out over the rounds; the Swiss gives colours itself.
    fn swapped(&self, game: u32, games: u32) -> bool {
        if self.noswap {
            return self.reverse;
        }
        let alternate =
            games % 2 == 1 && self.format != Format::Swiss && self.round.is_multiple_of(2);
        ((game % 2 == 1) != alternate) != self.reverse
    }
}

fn encounter((first, second): (usize, usize)) -> Encounter {
    Encounter { first, second, half_points: [0, 0] }
}

/// All pairs, round by round of the circle method, colours balanced: an odd number of players
/// has a seat that nobody sits on.
fn round_robin(players: usize) -> Vec<(usize, usize)> {
    let seats = players + players % 2;
    let mut pairs = Vec::new();
    for round in 0..seats - 1 {
        for board in 0..seats / 2 {
            let (left, right) = match board {
                0 => (round, seats - 1),
                _ => ((round + board) % (seats - 1), (round + seats - 1 - board) % (seats - 1)),
            };
            if left < players && right < players {
                let flip = if board == 0 { round % 2 == 1 } else { board % 2 == 1 };
                pairs.push(if flip && players > 2 { (right, left) } else { (left, right) });
            }
        }
    }
    pairs
}

/// Places by engine, from the engines by place.
fn places(order: &[usize]) -> Vec<usize> {
    let mut places = vec![0; order.len()];
    for (place, engine) in order.iter().enumerate() {
        places[*engine] = place;
    }
    places
}

/// Places of a knockout: the best meet as late as possible, byes go to the best.
fn bracket(order: &[usize]) -> Vec<Option<usize>> {
    let size = order.len().next_power_of_two();
    let mut places = vec![0];
    while places.len() < size {
        let sum = 2 * places.len() - 1;
        places = places.into_iter().flat_map(|place| [place, sum - place]).collect();
    }
    places.into_iter().map(|place| order.get(place).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::config::{EngineConfig, Openings};
    use std::collections::{HashMap, HashSet};

    fn tournament(engines: usize, format: Format, rounds: u32, games: u32) -> Tournament {
        let engines = vec![EngineConfig::default(); engines];
        Tournament { engines, format, rounds, games, ..Tournament::default() }
    }

    /// Plays everything; White scores what `result` says.
    fn play(tournament: &Tournament, result: impl Fn(&Pairing) -> u8) -> Vec<Pairing> {
        let mut schedule = Schedule::new(tournament, 1);
        let mut played = Vec::new();
        let mut waiting: Vec<Pairing> = Vec::new();
        loop {
            match schedule.next() {
                Next::Game(pairing) => waiting.push(pairing),
                Next::Wait => assert!(!waiting.is_empty(), "waits for nothing"),
                Next::Done if waiting.is_empty() => return played,
                Next::Done => {}
            }
            if waiting.len() > 3 || schedule.queue.is_empty() && !waiting.is_empty() {
                let pairing = waiting.remove(0);
                let white = result(&pairing);
                schedule.record(&pairing, white, 2 - white);
                played.push(pairing);
            }
        }
    }

    #[test]
    fn round_robin_is_complete_and_balanced() {
        for engines in 2..12 {
            for games in 1..4 {
                let played = play(&tournament(engines, Format::RoundRobin, 2, games), |_| 1);
                assert_eq!(played.len(), engines * (engines - 1) * games as usize);
                let mut met: HashMap<(usize, usize), i32> = HashMap::new();
                let mut numbers = HashSet::new();
                for pairing in &played {
                    assert_ne!(pairing.white, pairing.black);
                    assert!(numbers.insert(pairing.number));
                    *met.entry((pairing.white, pairing.black)).or_default() += 1;
                }
                for ((white, black), count) in &met {
                    assert_eq!(met.get(&(*black, *white)), Some(count), "{engines} engines");
                }
            }
        }
    }

    #[test]
    fn one_cycle_gives_everyone_both_colours() {
        for engines in [3, 4, 5, 6, 9, 10] {
            let played = play(&tournament(engines, Format::RoundRobin, 1, 1), |_| 1);
            for engine in 0..engines {
                let whites = played.iter().filter(|pairing| pairing.white == engine).count() as i32;
                let games = engines as i32 - 1;
                assert!(
                    (2 * whites - games).abs() <= 1,
                    "{engine} of {engines}: {whites} of {games}"
                );
            }
        }
    }

    #[test]
    fn gauntlet_seeds_meet_all_others_and_not_each_other() {
        let tournament = Tournament { seeds: 2, ..tournament(5, Format::Gauntlet, 3, 2) };
        let played = play(&tournament, |_| 1);
        assert_eq!(played.len(), 2 * 3 * 3 * 2);
        assert_eq!(Some(played.len()), Schedule::new(&tournament, 1).total());
        assert!(played.iter().all(|pairing| (pairing.white < 2) != (pairing.black < 2)));
    }

    #[test]
    fn colours_and_openings_follow_the_options() {
        let base = tournament(2, Format::RoundRobin, 2, 2);
        let whites = |tournament: &Tournament| -> Vec<usize> {
            play(tournament, |_| 1).iter().map(|pairing| pairing.white).collect()
        };
        assert_eq!(whites(&base), [0, 1, 0, 1]);
        assert_eq!(whites(&Tournament { reverse: true, ..base.clone() }), [1, 0, 1, 0]);
        assert_eq!(whites(&Tournament { noswap: true, ..base.clone() }), [0, 0, 0, 0]);
        assert_eq!(
            whites(&Tournament { noswap: true, reverse: true, ..base.clone() }),
            [1, 1, 1, 1]
        );
        let openings = |tournament: &Tournament| -> Vec<usize> {
            play(tournament, |_| 1).iter().map(|pairing| pairing.opening).collect()
        };
        assert_eq!(openings(&base), [0, 0, 1, 1]);
        assert_eq!(openings(&Tournament { repeat: Some(1), ..base.clone() }), [0, 1, 2, 3]);
        let repeat = |games, repeat| {
            let tournament = tournament(2, Format::RoundRobin, 2, games);
            let played = play(&Tournament { repeat, ..tournament }, |_| 1);
            let of = |what: &dyn Fn(&Pairing) -> usize| played.iter().map(what).collect::<Vec<_>>();
            [of(&|game| game.opening), of(&|game| game.pair), of(&|game| game.white)]
        };
        assert_eq!(repeat(2, Some(4)), [vec![0; 4], vec![0, 0, 1, 1], vec![0, 1, 0, 1]]);
        assert_eq!(repeat(1, Some(2)), [vec![0, 0], vec![0, 0], vec![0, 1]]);
        assert_eq!(repeat(1, None), [vec![0, 1], vec![0, 1], vec![0, 1]]);
        assert_eq!(repeat(3, None)[..2], [vec![0, 0, 1, 2, 2, 3], vec![0, 0, 1, 2, 2, 3]]);
        assert_eq!(repeat(3, Some(2))[..2], [vec![0, 0, 1, 1, 2, 2], vec![0, 0, 1, 1, 2, 2]]);
        assert_eq!(repeat(3, Some(3))[..2], [vec![0, 0, 0, 1, 1, 1], vec![0, 0, 1, 2, 2, 3]]);
        let policy = |policy| {
            let openings = Some(Openings { policy, ..Openings::default() });
            Tournament { openings, ..tournament(3, Format::RoundRobin, 2, 4) }
        };
        let of_round: Vec<_> = [vec![0; 12], vec![1; 12]].concat();
        assert_eq!(openings(&policy(Policy::Round)), of_round);
        assert_eq!(openings(&policy(Policy::Encounter))[..8], [0, 0, 0, 0, 1, 1, 1, 1]);
        assert_eq!(openings(&policy(Policy::Default))[..8], [0, 0, 1, 1, 2, 2, 3, 3]);
    }

    #[test]
    fn the_best_wins_the_knockout() {
        for engines in 2..18 {
            // The lower index always wins: the two best meet last.
            let played = play(&tournament(engines, Format::Knockout, 1, 2), |pairing| {
                if pairing.white < pairing.black { 2 } else { 0 }
            });
            assert_eq!(played.len(), 2 * (engines - 1));
            let last = played.last().expect("games");
            assert_eq!((last.white.min(last.black), last.white.max(last.black)), (0, 1));
        }
    }

    /// Plays everything; White scores what `result` says.
    fn finished(tournament: &Tournament, result: impl Fn(&Pairing) -> u8) -> Schedule {
        let mut schedule = Schedule::new(tournament, 1);
        while let Next::Game(pairing) = schedule.next() {
            let white = result(&pairing);
            schedule.record(&pairing, white, 2 - white);
        }
        schedule
    }

    #[test]
    fn the_winner_of_a_knockout_is_known() {
        // The higher index always wins.
        let schedule = finished(&tournament(4, Format::Knockout, 1, 2), |pairing| {
            if pairing.white > pairing.black { 2 } else { 0 }
        });
        assert_eq!((schedule.winner(), schedule.stages()), (Some(3), vec![1, 1, 2, u32::MAX]));
        let remarks = schedule.remarks(|engine| format!("E{engine}"));
        assert_eq!(remarks, ["Winner of the knockout: E3"]);
        // The last of four beats the first; then everything is drawn, and the better place wins.
        let schedule = finished(&tournament(4, Format::Knockout, 1, 2), |pairing| {
            match (pairing.white, pairing.black) {
                (3, 0) => 2,
                (0, 3) => 0,
                _ => 1,
            }
        });
        assert_eq!(schedule.winner(), Some(1));
        let remarks = schedule.remarks(|engine| format!("E{engine}"));
        assert_eq!(
            remarks,
            ["Winner of the knockout: E1; the last match was drawn, the higher place won"]
        );
        let others = finished(&tournament(4, Format::RoundRobin, 1, 2), |_| 1);
        assert_eq!((others.winner(), others.stages()), (None, vec![]));
        assert!(others.remarks(|_| String::new()).is_empty());
    }

    #[test]
    fn a_swiss_that_ends_early_says_so() {
        let schedule = finished(&tournament(2, Format::Swiss, 3, 1), |_| 2);
        let remarks = schedule.remarks(|_| String::new());
        assert_eq!(remarks, ["The Swiss ended early: the rules leave no pairing for round 2 of 3"]);
        let schedule = finished(&tournament(4, Format::Swiss, 3, 1), |_| 2);
        assert!(schedule.remarks(|_| String::new()).is_empty());
    }

    #[test]
    fn a_drawn_knockout_match_goes_on_and_ends() {
        let played = play(&tournament(2, Format::Knockout, 1, 2), |_| 1);
        assert_eq!(played.len(), 2 + 2 * MAX_TIEBREAKS as usize);
        let decided = play(&tournament(2, Format::Knockout, 1, 2), |pairing| {
            u8::from(pairing.number <= 2) + 2 * u8::from(pairing.number > 2 && pairing.white == 1)
        });
        assert_eq!(decided.len(), 4);
    }
}
