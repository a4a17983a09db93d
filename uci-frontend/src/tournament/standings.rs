//! Results as they add up: per engine, per pair of engines, per pair of games.

use std::collections::HashMap;
use std::fmt::Write;

use super::config::{OutputStyle, Tournament};
use super::record::GameRecord;
use super::stats::{Estimate, Sprt, Tally, Verdict};

/// The state of the tournament.
pub struct Standings {
    names: Vec<String>,
    /// `[a][b]`: results of `a` against `b`.
    cross: Vec<Vec<Tally>>,
    /// First games of pairs whose second is missing: half points of the lower and the higher index.
    half_pairs: HashMap<usize, [u8; 2]>,
    /// Measured minus reported time, milliseconds, by engine.
    latencies: Vec<Vec<f32>>,
    endings: HashMap<String, usize>,
    games: usize,
    /// How far the engines of a knockout came, by engine; empty in other formats.
    pub stages: Vec<u32>,
}

/// Latencies kept per engine.
const MAX_LATENCIES: usize = 200_000;

impl Standings {
    /// Nothing played.
    pub fn new(tournament: &Tournament) -> Self {
        let count = tournament.engines.len();
        Self {
            names: tournament.engines.iter().map(|engine| engine.name.clone()).collect(),
            cross: vec![vec![Tally::default(); count]; count],
            half_pairs: HashMap::new(),
            latencies: vec![Vec::new(); count],
            endings: HashMap::new(),
            games: 0,
            stages: Vec::new(),
        }
    }

    /// Takes a game in.
    pub fn add(&mut self, game: &GameRecord) {
        let (white, black) = (game.pairing.white, game.pairing.black);
        let [white_points, black_points] = game.ending.half_points();
        self.games += 1;
        *self.endings.entry(game.ending.reason.name().replace('_', " ")).or_default() += 1;
        self.cross[white][black].add_game(white_points);
        self.cross[black][white].add_game(black_points);
        let (low, high) = (white.min(black), white.max(black));
        let points =
            if white < black { [white_points, black_points] } else { [black_points, white_points] };
        match self.half_pairs.remove(&game.pairing.pair) {
            // What one side lost the other need not have won.
            Some(first) => {
                self.cross[low][high].add_pair(first[0], points[0]);
                self.cross[high][low].add_pair(first[1], points[1]);
            }
            None => {
                self.half_pairs.insert(game.pairing.pair, points);
            }
        }
        for (ply, played) in game.moves.iter().enumerate() {
            let engine = if black_started(game) == (ply % 2 == 1) { white } else { black };
            if let Some(reported) = played.reported_ms
                && self.latencies[engine].len() < MAX_LATENCIES
            {
                self.latencies[engine].push(played.time_us as f32 / 1000.0 - reported as f32);
            }
        }
    }

    /// Games taken in.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Results of `a` against `b`.
    pub fn between(&self, a: usize, b: usize) -> &Tally {
        &self.cross[a][b]
    }

    /// Results of one engine against all others.
    pub fn overall(&self, engine: usize) -> Tally {
        let mut sum = Tally::default();
        for tally in &self.cross[engine] {
            (0..3).for_each(|index| sum.wdl[index] += tally.wdl[index]);
            (0..5).for_each(|index| sum.pairs[index] += tally.pairs[index]);
            sum.win_loss_pairs += tally.win_loss_pairs;
        }
        sum
    }

    /// Engines, the best first; in a knockout who came further.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        let share = |engine: usize| {
            let tally = self.overall(engine);
            (tally.points(), tally.points() / tally.games().max(1) as f64)
        };
        let even = order
            .iter()
            .all(|engine| self.overall(*engine).games() == self.overall(order[0]).games());
        let stage = |engine: usize| self.stages.get(engine).copied();
        order.sort_by(|a, b| {
            let further = stage(*b).cmp(&stage(*a));
            let (a, b) = (share(*a), share(*b));
            further.then(if even { b.0.total_cmp(&a.0) } else { b.1.total_cmp(&a.1) })
        });
        order
    }

    /// Name of an engine.
    pub fn name(&self, engine: usize) -> &str {
        &self.names[engine]
    }

    /// Endings by reason, the most frequent first.
    pub fn endings(&self) -> Vec<(&str, usize)> {
        let mut endings: Vec<_> =
            self.endings.iter().map(|(reason, count)| (reason.as_str(), *count)).collect();
        endings.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        endings
    }

    /// Where the sequential test stands, if there is one.
    pub fn verdict(&self, tournament: &Tournament) -> Verdict {
        tournament.sprt.map_or(Verdict::Open, |config| Sprt::new(config).verdict(&self.cross[0][1]))
    }

    /// The report in words.
    pub fn report(&self, tournament: &Tournament) -> String {
        let mut text = match (self.names.len(), tournament.output) {
            (2, OutputStyle::Fastchess) => self.match_report(tournament),
            (2, OutputStyle::Cutechess) => self.cutechess_report(),
            _ => self.ranking_report(),
        };
        if let Some(config) = tournament.sprt {
            let sprt = Sprt::new(config);
            let (lower, upper) = sprt.bounds();
            let tally = &self.cross[0][1];
            let verdict = match sprt.verdict(tally) {
                Verdict::Open => "",
                Verdict::H0 => " - H0 was accepted",
                Verdict::H1 => " - H1 was accepted",
            };
            let _ = writeln!(
                text,
                "LLR: {:.2} ({lower:.2}, {upper:.2}) [{:.2}, {:.2}]{verdict}",
                sprt.llr(tally),
                config.elo0,
                config.elo1
            );
        }
        if tournament.show_latency {
            text.push_str(&self.latency_report());
        }
        text
    }

    fn match_report(&self, tournament: &Tournament) -> String {
        let tally = &self.cross[0][1];
        let [wins, draws, losses] = tally.wdl;
        let games = tally.games();
        let points = tally.points();
        let mut text = String::new();
        let _ = writeln!(
            text,
            "Results of {} vs {} ({}):",
            self.names[0],
            self.names[1],
            conditions(tournament)
        );
        let _ = writeln!(
            text,
            "Elo: {}, nElo: {}",
            estimate(tally.elo()),
            estimate(tally.normalized_elo())
        );
        let los = tally.los().map_or_else(|| "-".to_owned(), |los| format!("{:.2} %", los * 100.0));
        let drawn = tally
            .draw_ratio()
            .map_or_else(|| "-".to_owned(), |ratio| format!("{:.2} %", ratio * 100.0));
        let pairs = tally.pairs;
        let ratio = quotient(pairs[3] + pairs[4], pairs[0] + pairs[1]);
        let _ = writeln!(text, "LOS: {los}, DrawRatio: {drawn}, PairsRatio: {ratio}");
        let share = 100.0 * points / games.max(1) as f64;
        let _ = writeln!(
            text,
            "Games: {games}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {points:.1} ({share:.2} %)"
        );
        if tournament.penta && tally.pair_count() > 0 {
            let quiet = pairs[2] - tally.win_loss_pairs;
            let ratio = quotient(tally.win_loss_pairs, quiet);
            let _ = writeln!(text, "Ptnml(0-2): {pairs:?}, WL/DD Ratio: {ratio}");
        }
        text
    }

    fn cutechess_report(&self) -> String {
        let tally = &self.cross[0][1];
        let [wins, draws, losses] = tally.wdl;
        let share = tally.points() / tally.games().max(1) as f64;
        let mut text = format!(
            "Score of {} vs {}: {wins} - {losses} - {draws}  [{share:.3}] {}\n",
            self.names[0],
            self.names[1],
            tally.games()
        );
        let percent = |value: Option<f64>| {
            value.map_or_else(|| "nan".to_owned(), |value| format!("{:.1} %", value * 100.0))
        };
        let drawn = (tally.games() > 0).then(|| draws as f64 / tally.games() as f64);
        let _ = writeln!(
            text,
            "Elo difference: {}, LOS: {}, DrawRatio: {}",
            estimate(tally.elo()),
            percent(tally.los()),
            percent(drawn)
        );
        text
    }

    fn ranking_report(&self) -> String {
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(4).max(4);
        let mut text = format!(
            "{:>4} {:<width$} {:>8} {:>8} {:>7} {:>7} {:>8} {:>7} {:>8}\n",
            "Rank", "Name", "Elo", "+/-", "LOS", "Games", "Points", "Score", "Draws"
        );
        for (place, engine) in self.ranking().into_iter().enumerate() {
            let tally = self.overall(engine);
            let games = tally.games();
            let of = |value: f64| format!("{:.1} %", 100.0 * value / games.max(1) as f64);
            let (elo, error) = match tally.elo() {
                Some(elo) => (format!("{:.1}", elo.value), format!("{:.1}", elo.error)),
                None => ("-".to_owned(), "-".to_owned()),
            };
            let los =
                tally.los().map_or_else(|| "-".to_owned(), |los| format!("{:.1} %", los * 100.0));
            let _ = writeln!(
                text,
                "{:>4} {:<width$} {elo:>8} {error:>8} {los:>7} {games:>7} {:>8.1} {:>7} {:>8}",
                place + 1,
                self.names[engine],
                tally.points(),
                of(tally.points()),
                of(tally.wdl[1] as f64)
            );
        }
        text
    }

    fn latency_report(&self) -> String {
        let mut text = String::new();
        for (name, latencies) in self.names.iter().zip(&self.latencies) {
            let mut sorted = latencies.clone();
            sorted.sort_by(f32::total_cmp);
            if let Some(median) = sorted.get(sorted.len() / 2) {
                let high = sorted[(sorted.len() * 99 / 100).min(sorted.len() - 1)];
                let _ = writeln!(
                    text,
                    "Latency of {name} over {} moves: median {median:.3} ms, 99 % below {high:.3} ms",
                    sorted.len()
                );
            }
        }
        text
    }
}

fn black_started(game: &GameRecord) -> bool {
    game.fen.as_deref().is_some_and(|fen| fen.split_whitespace().nth(1) == Some("b"))
}

/// A ratio, or a dash where it has no meaning.
fn quotient(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.2}", part as f64 / whole as f64) }
}

fn estimate(estimate: Option<Estimate>) -> String {
    match estimate {
        Some(Estimate { value, error }) => {
            let value = format!("{value:.2}");
            let value = if value == "-0.00" { "0.00" } else { &value };
            format!("{value} +/- {error:.2}")
        }
        None => "- +/- -".to_owned(),
    }
}

/// The conditions in a few words: control, threads, hash, openings.
fn conditions(tournament: &Tournament) -> String {
    let each = |what: &dyn Fn(usize) -> String| {
        let (first, second) = (what(0), what(1));
        if first == second { first } else { format!("{first} - {second}") }
    };
    let engines = &tournament.engines;
    let option = |index: usize, name: &str| {
        let options = &engines[index].options;
        options
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map_or("-", |(_, value)| value)
            .to_owned()
    };
    let mut parts = vec![each(&|index| engines[index].time_control_tag())];
    parts.push(each(&|index| format!("{}t", option(index, "Threads"))));
    parts.push(each(&|index| format!("{}MB", option(index, "Hash"))));
    let book = tournament.openings.as_ref().and_then(|openings| openings.file.file_name());
    parts.extend(book.map(|name| name.to_string_lossy().into_owned()));
    parts.join(", ").replace(", -t", "").replace(", -MB", "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::config::EngineConfig;
    use arbiter_plugin::plugin::{GameResult, Reason};
    use serde_json::json;

    fn tournament() -> Tournament {
        let engine = |name: &str| EngineConfig { name: name.to_owned(), ..EngineConfig::default() };
        Tournament { engines: vec![engine("A"), engine("B")], ..Tournament::default() }
    }

    /// A game of the pair with this number, without moves.
    fn game(pair: usize, white: usize, result: GameResult) -> GameRecord {
        let value = json!({
            "pairing": {"number": 1, "round": 1, "game": 1, "white": white, "black": 1 - white,
                "opening": 0, "pair": pair},
            "white": "A", "black": "B", "time_controls": ["-", "-"], "moves": [], "final_fen": "",
            "ending": {"result": result, "reason": Reason::BothLose, "article": "", "text": "",
                "termination": ""},
            "start": "", "end": "", "duration_s": 0.0,
        });
        serde_json::from_value(value).expect("a game")
    }

    #[test]
    fn both_may_lose() {
        let mut standings = Standings::new(&tournament());
        standings.add(&game(0, 0, GameResult::BothLose));
        standings.add(&game(0, 1, GameResult::BothLose));
        for (a, b) in [(0, 1), (1, 0)] {
            let tally = standings.between(a, b);
            assert_eq!((tally.wdl, tally.pairs), ([0, 0, 2], [1, 0, 0, 0, 0]));
            assert!(tally.elo().is_some_and(|elo| elo.value < -1000.0));
        }
    }

    #[test]
    fn who_came_further_in_a_knockout_ranks_higher() {
        let mut standings = Standings::new(&tournament());
        standings.add(&game(0, 0, GameResult::WhiteWins));
        assert_eq!(standings.ranking(), [0, 1]);
        standings.stages = vec![1, u32::MAX];
        assert_eq!(standings.ranking(), [1, 0]);
    }

    #[test]
    fn every_game_counts_in_the_report() {
        let mut standings = Standings::new(&tournament());
        for (pair, white) in [(0, 0), (0, 1), (1, 0)] {
            standings.add(&game(pair, white, GameResult::WhiteWins));
        }
        let report = standings.report(&tournament());
        assert!(report.contains("(66.67 %)") && report.contains("Elo: 120.41 +/-"), "{report}");
        standings.add(&game(1, 1, GameResult::WhiteWins));
        let report = standings.report(&tournament());
        assert!(report.contains("Elo: 0.00 +/- 0.00"), "{report}");
    }
}
