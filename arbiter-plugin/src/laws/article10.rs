//! Article 10: the points.

use crate::game::Play;
use crate::plugin::{GameResult, RulingKind};

/// Checks the points for a win, a draw and a loss.
///
/// # Errors
/// Why these cannot be points of a game.
pub(crate) fn check_scoring([win, draw, loss]: [f64; 3]) -> Result<(), String> {
    let sound = [win, draw, loss].iter().all(|points| points.is_finite() && points.abs() < 1e6);
    match sound && win >= draw && draw >= loss {
        true => Ok(()),
        false => Err("expected [win, draw, loss] in falling order".into()),
    }
}

impl Play {
    /// The points of a result, White's and Black's (10.1).
    pub(crate) fn score_of(&self, result: GameResult) -> [f64; 2] {
        let [win, draw, loss] = self.regulations.scoring;
        match result {
            GameResult::WhiteWins => [win, loss],
            GameResult::BlackWins => [loss, win],
            GameResult::Draw => [draw, draw],
            GameResult::BothLose => [loss, loss],
        }
    }

    /// The most a player can get from a game.
    pub(super) fn best_score(&self) -> f64 {
        self.regulations.scoring[0]
    }

    /// Says how many points the players have.
    pub(crate) fn announce_score(&mut self, article: &str) {
        if let Some([white, black]) = self.outcome.as_ref().map(|outcome| outcome.score) {
            self.rule(RulingKind::Score { white, black }, article);
        }
    }

    /// Whether both scores are usual ones and their sum is that of a normal game (10.2).
    pub(super) fn score_allowed(&self, [white, black]: [f64; 2]) -> bool {
        let [win, draw, loss] = self.regulations.scoring;
        let usual = |points: f64| [win, draw, loss].contains(&points);
        usual(white) && usual(black) && white + black <= (win + loss).max(2.0 * draw)
    }

    /// Somebody proposes points. Those of another result only the arbiter can give.
    pub(super) fn score_proposed(&mut self, white: f64, black: f64) {
        use GameResult::{BlackWins, Draw, WhiteWins};
        let score = [white, black];
        let of_another = self.outcome.as_ref().is_some_and(|outcome| {
            score != self.score_of(outcome.result)
                && [WhiteWins, BlackWins, Draw].iter().any(|&other| score == self.score_of(other))
        });
        match self.score_allowed(score) {
            false => {
                self.rule(RulingKind::ScoreRejected { white, black }, "10.2");
            }
            true if of_another => {
                self.rule(RulingKind::ScoreRejected { white, black }, "10.1").why =
                    Some("the points of another result".into());
            }
            true => self.set_score(score, "10.2"),
        }
    }

    /// Changes the points of a game that is over, never its reason.
    pub(super) fn set_score(&mut self, score: [f64; 2], article: &str) {
        if let Some(outcome) = &mut self.outcome {
            outcome.score = score;
        }
        let [white, black] = score;
        self.rule(RulingKind::Score { white, black }, article);
    }
}
