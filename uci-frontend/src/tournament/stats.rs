//! What results say about strength: Elo with error, likelihood of superiority, and the
//! sequential test, on single games or on pairs of games that share an opening.

use std::f64::consts::{LN_10, SQRT_2};

use super::config::{SprtConfig, SprtModel};

/// 95 % of a normal distribution lies within this many deviations.
const Z95: f64 = 1.959_963_984_540_054;

/// Results from one side's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Wins, draws, losses.
    pub wdl: [u64; 3],
    /// Pairs of games by half points won: 0 to 4.
    pub pairs: [u64; 5],
    /// Pairs of two half points that were a win and a loss.
    pub win_loss_pairs: u64,
}

/// An estimate with its 95 % margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Half the width of the interval.
    pub error: f64,
}

impl Tally {
    /// Takes in a game worth this many half points.
    pub fn add_game(&mut self, half_points: u8) {
        debug_assert!(half_points <= 2);
        self.wdl[usize::from(2 - half_points.min(2))] += 1;
    }

    /// Takes in a pair whose games were worth these half points.
    pub fn add_pair(&mut self, first: u8, second: u8) {
        self.pairs[usize::from(first + second).min(4)] += 1;
        self.win_loss_pairs += u64::from(first + second == 2 && first != second);
    }

    /// The same results from the other side.
    #[cfg(test)]
    fn reversed(&self) -> Self {
        let mut other = *self;
        other.wdl.reverse();
        other.pairs.reverse();
        other
    }

    /// Games.
    pub fn games(&self) -> u64 {
        self.wdl.iter().sum()
    }

    /// Pairs.
    pub fn pair_count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Points won.
    pub fn points(&self) -> f64 {
        self.wdl[0] as f64 + self.wdl[1] as f64 / 2.0
    }

    /// Wins, draws and losses of games that are in no pair.
    fn singles(&self) -> [u64; 3] {
        let [lost, behind, level, ahead, won] = self.pairs;
        let level_draws = level.saturating_sub(self.win_loss_pairs);
        let paired = [
            2 * won + ahead + self.win_loss_pairs,
            ahead + behind + 2 * level_draws,
            2 * lost + behind + self.win_loss_pairs,
        ];
        [0, 1, 2].map(|index| self.wdl[index].saturating_sub(paired[index]))
    }

    /// Mean score of a game, the standard error of it, and the games it rests on. A pair is one
    /// observation with the weight of two games.
    fn mean_and_error(&self) -> Option<(f64, f64, f64)> {
        let [wins, draws, losses] = self.singles();
        let pairs =
            self.pairs.iter().zip(0u8..).map(|(count, half)| (2.0, *count, half as f64 / 4.0));
        let singles = [(1.0, losses, 0.0), (1.0, draws, 0.5), (1.0, wins, 1.0)];
        let observed: Vec<(f64, f64, f64)> = pairs
            .chain(singles)
            .map(|(weight, count, score)| (weight, count as f64, score))
            .collect();
        let games: f64 = observed.iter().map(|(weight, count, _)| weight * count).sum();
        if games < 1.0 {
            return None;
        }
        let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
            observed.iter().map(|(weight, count, score)| count * of(*weight, *score)).sum()
        };
        let mean = sum(&|weight, score| weight * score) / games;
        let error = sum(&|weight, score| (weight * (score - mean)).powi(2)).sqrt() / games;
        Some((mean, error, games))
    }

    /// Logistic Elo.
    pub fn elo(&self) -> Option<Estimate> {
        let (mean, deviation, _) = self.mean_and_error()?;
        let (low, high) =
            (elo_of_score(mean - Z95 * deviation), elo_of_score(mean + Z95 * deviation));
        Some(Estimate { value: elo_of_score(mean), error: (high - low) / 2.0 })
    }

    /// Normalized Elo.
    pub fn normalized_elo(&self) -> Option<Estimate> {
        let (mean, error, games) = self.mean_and_error()?;
        // The deviation of one game, as if the games of a pair were independent.
        let deviation = error * games.sqrt();
        let scale = 800.0 / LN_10 / deviation;
        (deviation > 0.0)
            .then_some(Estimate { value: (mean - 0.5) * scale, error: Z95 * error * scale })
    }

    /// Likelihood that this side is the stronger one, 0 to 1.
    pub fn los(&self) -> Option<f64> {
        let (mean, error, _) = self.mean_and_error()?;
        if error == 0.0 {
            return Some(if mean > 0.5 {
                1.0
            } else if mean < 0.5 {
                0.0
            } else {
                0.5
            });
        }
        Some(normal_cdf((mean - 0.5) / error))
    }

    /// Share of drawn games, or of pairs worth two half points.
    pub fn draw_ratio(&self) -> Option<f64> {
        let (draws, total) = match self.pair_count() {
            0 => (self.wdl[1], self.games()),
            pairs => (self.pairs[2], pairs),
        };
        (total > 0).then(|| draws as f64 / total as f64)
    }
}

/// Frequencies of equally spaced scores from 0 to 1.
#[derive(Clone, Debug)]
struct Distribution {
    total: f64,
    scores: Vec<f64>,
    probabilities: Vec<f64>,
}

impl Distribution {
    /// Empty cells get a small weight, so that every likelihood exists.
    fn regularized(counts: &[u64]) -> Self {
        let counts: Vec<f64> = counts.iter().map(|count| (*count as f64).max(1e-3)).collect();
        Self::of(&counts)
    }

    fn of(counts: &[f64]) -> Self {
        let total: f64 = counts.iter().sum();
        let steps = (counts.len() - 1) as f64;
        Self {
            total,
            scores: (0..counts.len()).map(|index| index as f64 / steps).collect(),
            probabilities: counts.iter().map(|count| count / total).collect(),
        }
    }

    fn mean_and_variance(&self, probabilities: &[f64]) -> (f64, f64) {
        let weighted = |value: &dyn Fn(f64) -> f64| -> f64 {
            self.scores.iter().zip(probabilities).map(|(score, p)| p * value(*score)).sum()
        };
        let mean = weighted(&|score| score);
        (mean, weighted(&|score| (score - mean).powi(2)))
    }

    /// Log likelihood ratio of two distributions.
    fn llr(&self, p0: &[f64], p1: &[f64]) -> f64 {
        let terms = self.probabilities.iter().zip(p0.iter().zip(p1));
        self.total * terms.map(|(p, (p0, p1))| p * (p1 / p0).ln()).sum::<f64>()
    }

    /// The distribution nearest to this one in which the values have mean zero: each probability
    /// divided by 1 + theta * value (Van den Bergh, Comparing the approximations for the
    /// generalized log likelihood ratio of a multinomial distribution, proposition 1.1).
    fn tilted(&self, values: &[f64]) -> Vec<f64> {
        let most = values.iter().copied().fold(f64::MIN, f64::max);
        let least = values.iter().copied().fold(f64::MAX, f64::min);
        if !(least < 0.0 && most > 0.0) {
            return self.probabilities.clone();
        }
        let slope = |theta: f64| -> f64 {
            self.probabilities
                .iter()
                .zip(values)
                .map(|(p, value)| p * value / (1.0 + theta * value))
                .sum()
        };
        // The sum falls from plus to minus infinity between the poles.
        let (mut low, mut high) = (-1.0 / most, -1.0 / least);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if slope(middle) > 0.0 { low = middle } else { high = middle }
        }
        let theta = f64::midpoint(low, high);
        self.probabilities.iter().zip(values).map(|(p, value)| p / (1.0 + theta * value)).collect()
    }

    /// The likeliest distribution with this mean.
    fn with_mean(&self, mean: f64) -> Vec<f64> {
        let values: Vec<f64> = self.scores.iter().map(|score| score - mean).collect();
        self.tilted(&values)
    }

    /// The likeliest distribution whose mean lies `t` deviations above one half (Van den Bergh,
    /// Comments on normalized Elo, section 4.1), found by iteration from the uniform one.
    fn with_normalized_mean(&self, t: f64) -> Vec<f64> {
        let mut p = vec![1.0 / self.scores.len() as f64; self.scores.len()];
        for _ in 0..20 {
            let (mean, variance) = self.mean_and_variance(&p);
            let deviation = variance.sqrt();
            let values: Vec<f64> = self
                .scores
                .iter()
                .map(|score| {
                    let distance = (score - mean) / deviation;
                    score - 0.5 - 0.5 * t * deviation * (1.0 + distance * distance)
                })
                .collect();
            let next = self.tilted(&values);
            let change = next.iter().zip(&p).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            p = next;
            if change < 1e-9 {
                break;
            }
        }
        p
    }
}

/// Where a sequential test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Not yet decided.
    Open,
    /// The null hypothesis is accepted.
    H0,
    /// The alternative is accepted.
    H1,
}

/// A sequential probability ratio test.
#[derive(Clone, Copy, Debug)]
pub struct Sprt {
    config: SprtConfig,
}

impl Sprt {
    /// A test with these bounds and error rates.
    pub fn new(config: SprtConfig) -> Self {
        Self { config }
    }

    /// Log likelihood ratios at which the test stops: lower, upper (Wald).
    pub fn bounds(&self) -> (f64, f64) {
        let SprtConfig { alpha, beta, .. } = self.config;
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// The log likelihood ratio, from pairs where there are any and the model knows them.
    pub fn llr(&self, tally: &Tally) -> f64 {
        let [wins, draws, losses] = tally.wdl;
        let SprtConfig { elo0, elo1, model, .. } = self.config;
        let paired = tally.pair_count() > 0 && model != SprtModel::Bayesian;
        if !paired && tally.games() == 0 {
            return 0.0;
        }
        let outcomes = if paired {
            Distribution::regularized(&tally.pairs)
        } else {
            Distribution::regularized(&[losses, draws, wins])
        };
        let (p0, p1) = match model {
            SprtModel::Normalized => {
                let scale = if paired { SQRT_2 } else { 1.0 } * LN_10 / 800.0;
                (
                    outcomes.with_normalized_mean(elo0 * scale),
                    outcomes.with_normalized_mean(elo1 * scale),
                )
            }
            SprtModel::Logistic => {
                (outcomes.with_mean(score_of_elo(elo0)), outcomes.with_mean(score_of_elo(elo1)))
            }
            SprtModel::Bayesian => {
                if wins == 0 || losses == 0 {
                    return 0.0;
                }
                let [lost, _, won] = outcomes.probabilities[..] else { return 0.0 };
                let draw_elo = 200.0 * ((1.0 - lost) / lost * (1.0 - won) / won).log10();
                let score = |elo: f64| {
                    let won = 1.0 / (1.0 + 10f64.powf((draw_elo - elo) / 400.0));
                    let lost = 1.0 / (1.0 + 10f64.powf((draw_elo + elo) / 400.0));
                    0.5 + (won - lost) / 2.0
                };
                (outcomes.with_mean(score(elo0)), outcomes.with_mean(score(elo1)))
            }
        };
        outcomes.llr(&p0, &p1)
    }

    /// Where the test stands.
    pub fn verdict(&self, tally: &Tally) -> Verdict {
        let (lower, upper) = self.bounds();
        match self.llr(tally) {
            llr if llr >= upper => Verdict::H1,
            llr if llr <= lower => Verdict::H0,
            _ => Verdict::Open,
        }
    }
}

/// Logistic Elo of an expected score, within what can be printed.
fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(1e-6, 1.0 - 1e-6);
    let elo = -400.0 * (1.0 / score - 1.0).log10();
    // Level is 0, not what rounding makes of it, nor -0.
    if elo.abs() < 1e-9 { 0.0 } else { elo }
}

fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The normal distribution function, by the series of Marsaglia (2004) within ±8 deviations.
fn normal_cdf(x: f64) -> f64 {
    if x.abs() > 8.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut term, mut n) = (x, x, 3.0);
    while term.abs() > 1e-17 {
        term *= x * x / n;
        sum += term;
        n += 2.0;
    }
    0.5 + sum * (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(elo0: f64, elo1: f64, model: SprtModel) -> Sprt {
        Sprt::new(SprtConfig { elo0, elo1, model, ..SprtConfig::default() })
    }

    fn games(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally { wdl: [wins, draws, losses], ..Tally::default() }
    }

    fn pairs(pairs: [u64; 5]) -> Tally {
        Tally { pairs, ..Tally::default() }
    }

    /// Published tests of fishtest and the values that other programs agree on.
    #[test]
    fn llr_equals_published_values() {
        use SprtModel::{Bayesian, Logistic, Normalized};
        for (tally, elo0, elo1, model, expected) in [
            (games(36433, 68692, 36027), 0.0, 2.0, Normalized, 0.92),
            (games(10871, 20431, 10650), -1.75, 0.25, Normalized, 2.30),
            (games(4250, 0, 0), 0.0, 10.0, Normalized, 120.56),
            (games(21404, 40708, 21184), 0.5, 2.5, Logistic, -1.57),
            (games(57433, 106_593, 57030), 0.0, 2.0, Logistic, -2.59),
            (games(68965, 128_429, 68526), 0.0, 2.0, Bayesian, -1.26),
            (games(21629, 41111, 21484), 0.5, 2.5, Bayesian, -1.13),
            (pairs([365, 16618, 36229, 16974, 390]), 0.0, 2.0, Normalized, 2.25),
            (pairs([127, 4883, 10712, 5150, 104]), -1.75, 0.25, Normalized, 3.01),
            (pairs([0, 0, 0, 0, 5550]), 0.0, 5.0, Normalized, 111.82),
            (pairs([223, 9863, 21279, 10037, 246]), 0.5, 2.5, Logistic, -3.07),
            (pairs([871, 26175, 55983, 26678, 821]), 0.0, 2.0, Logistic, -4.98),
        ] {
            let llr = sprt(elo0, elo1, model).llr(&tally);
            let near = (llr - expected).abs() <= 0.01 * expected.abs().max(1.0);
            assert!(near, "{tally:?} {model:?} [{elo0}, {elo1}]: {llr:.3}, published {expected}");
        }
    }

    #[test]
    fn nothing_played_says_nothing() {
        let tally = Tally::default();
        assert_eq!((tally.elo(), tally.los(), tally.draw_ratio()), (None, None, None));
        assert_eq!(sprt(0.0, 5.0, SprtModel::Normalized).verdict(&tally), Verdict::Open);
    }

    #[test]
    fn elo_is_what_the_score_says() {
        let elo = games(3, 0, 1).elo().expect("games");
        assert!((elo.value - 190.85).abs() < 0.01, "{elo:?}");
        let even = games(10, 20, 10).elo().expect("games");
        assert!(even.value.abs() < 1e-9 && (even.error - 77.23).abs() < 1.0, "{even:?}");
        let los = games(60, 0, 40).los().expect("games");
        assert!((los - 0.979).abs() < 0.002, "{los}");
    }

    #[test]
    fn games_outside_pairs_count() {
        // A pair of a win and a loss, and a third game that was won.
        let tally = Tally { wdl: [2, 0, 1], pairs: [0, 0, 1, 0, 0], win_loss_pairs: 1 };
        assert_eq!(tally.singles(), [1, 0, 0]);
        let elo = tally.elo().expect("games");
        assert!((elo.value - 120.41).abs() < 0.01, "{elo:?}");
        assert!((tally.los().expect("games") - 0.856).abs() < 0.001, "{:?}", tally.los());
        // Two draws as a pair say less than three draws, and both say nothing of strength.
        let drawn = Tally { wdl: [0, 3, 0], pairs: [0, 0, 1, 0, 0], win_loss_pairs: 0 };
        assert_eq!((drawn.singles(), drawn.los()), ([0, 1, 0], Some(0.5)));
        let even = games(5, 0, 5).elo().expect("games").value;
        assert!(even == 0.0 && even.is_sign_positive(), "{even}");
    }

    #[test]
    fn the_other_side_sees_the_opposite() {
        let tally = Tally { wdl: [7, 4, 3], pairs: [1, 1, 2, 2, 1], win_loss_pairs: 1 };
        let (ours, theirs) = (tally.elo().expect("games"), tally.reversed().elo().expect("games"));
        assert!((ours.value + theirs.value).abs() < 1e-9);
        assert!(
            (tally.los().expect("games") + tally.reversed().los().expect("games") - 1.0).abs()
                < 1e-9
        );
        let normalized = tally.normalized_elo().expect("games").value;
        assert!(
            (normalized + tally.reversed().normalized_elo().expect("games").value).abs() < 1e-9
        );
    }

    /// Plays tests with known truth and returns the share that accepts the alternative.
    fn accepted(truth: [f64; 5], runs: u64, sprt: &Sprt) -> f64 {
        let mut accepted = 0;
        for seed in 0..runs {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut tally = Tally::default();
            let verdict = loop {
                for _ in 0..10 {
                    let mut draw = rng.f64();
                    let cell = truth.iter().position(|p| {
                        draw -= p;
                        draw < 0.0
                    });
                    tally.pairs[cell.unwrap_or(4)] += 1;
                }
                match sprt.verdict(&tally) {
                    Verdict::Open => {}
                    verdict => break verdict,
                }
            };
            accepted += u64::from(verdict == Verdict::H1);
        }
        accepted as f64 / runs as f64
    }

    /// Truths exactly at the two hypotheses: the error rates are those stated (with room for
    /// chance in 400 runs).
    #[test]
    fn the_test_errs_as_often_as_stated() {
        let elo1 = 60.0;
        let sprt = sprt(0.0, elo1, SprtModel::Normalized);
        let even = [0.08, 0.22, 0.40, 0.22, 0.08];
        let shape = Distribution {
            total: 1.0,
            scores: vec![0.0, 0.25, 0.5, 0.75, 1.0],
            probabilities: even.to_vec(),
        };
        let better = shape.with_normalized_mean(elo1 * SQRT_2 * LN_10 / 800.0);
        let better = [better[0], better[1], better[2], better[3], better[4]];
        let false_positive = accepted(even, 400, &sprt);
        let false_negative = 1.0 - accepted(better, 400, &sprt);
        assert!((0.01..=0.08).contains(&false_positive), "{false_positive}");
        assert!((0.01..=0.08).contains(&false_negative), "{false_negative}");
    }
}
