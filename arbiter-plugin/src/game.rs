//! The arbiter of one game: hears events, keeps the record, the clocks and what the players owe.

use shakmaty::Position as _;

use crate::clock::Clocks;
use crate::editions::{self, Differences};
use crate::laws::article4::{Duty, Touches};
use crate::laws::article7::{Pending, Unnoticed};
use crate::laws::article8::Scoresheet;
use crate::mates::Possible;
use crate::plugin::{
    Arbiter, ArbiterError, Article, ClaimAvailable, ClockState, Edition, Event, Evidence,
    GameResult, GameSetup, Language, Numbering, Outcome, PlyRecord, Reason, Regulations, Ruling,
    RulingKind, Side, State,
};
use crate::record::Record;
use crate::text;

/// The arbiter that knows the Laws.
#[derive(Clone, Debug, Default)]
pub struct Game {
    edition: Edition,
    language: Language,
    play: Option<Play>,
}

impl Game {
    /// An arbiter that uses this edition and language where a game's setup names none.
    pub fn new(edition: Edition, language: Language) -> Self {
        Self { edition, language, play: None }
    }
}

impl Arbiter for Game {
    fn name(&self) -> String {
        concat!("Themis ", env!("CARGO_PKG_VERSION")).into()
    }

    fn observe(&mut self, event: &Event) -> Result<Vec<Ruling>, ArbiterError> {
        if let Event::GameStarted(setup) = event {
            let mut setup = setup.clone();
            setup.edition.get_or_insert(self.edition);
            setup.language.get_or_insert(self.language);
            let play = self.play.insert(Play::new(setup)?);
            play.on_start();
            return Ok(play.take_rulings());
        }
        let play = self.play.as_mut().ok_or(ArbiterError::NotStarted)?;
        play.check(event)?;
        play.hear(event);
        Ok(play.take_rulings())
    }

    fn state(&self) -> Result<State, ArbiterError> {
        self.play.as_ref().map(Play::state).ok_or(ArbiterError::NotStarted)
    }
}

/// A game in progress.
#[derive(Clone, Debug)]
pub(crate) struct Play {
    pub(crate) edition: Edition,
    pub(crate) language: Language,
    pub(crate) differences: &'static Differences,
    pub(crate) regulations: Regulations,
    pub(crate) record: Record,
    pub(crate) clocks: Clocks,
    /// The latest moment heard.
    pub(crate) now: u64,
    /// What each player made and has not completed, where it is not a legal move.
    pub(crate) pending: [Option<Pending>; 2],
    /// A completed illegal move that nobody has noticed.
    pub(crate) unnoticed: Option<Unnoticed>,
    pub(crate) illegal_count: [u32; 2],
    /// Whose illegal move was ruled on last, until play went on.
    pub(crate) just_ruled: Option<Side>,
    pub(crate) touches: Touches,
    pub(crate) duty: Option<Duty>,
    /// Whose last move was refused because it did not meet his duty, or undone because it
    /// answered an illegal one.
    pub(crate) refused: Option<Side>,
    /// The plies after which each player made the draw offer that stands.
    pub(crate) offers: [Option<usize>; 2],
    /// Plies at which each player offered a draw.
    pub(crate) offers_made: [Vec<u32>; 2],
    /// Who has claimed a draw since the last move (8.1.2).
    pub(crate) claimants: [bool; 2],
    pub(crate) scoresheets: [Scoresheet; 2],
    pub(crate) displaced: [u32; 2],
    /// A player who restores displaced men in his own time, and whose clock ran before.
    pub(crate) restoring: Option<(Side, Option<Side>)>,
    pub(crate) arrived: [bool; 2],
    pub(crate) scheduled: u64,
    /// Milliseconds booked on the clock of the player to begin, who came after the hour (6.7.2).
    pub(crate) lost_before_arrival: u64,
    pub(crate) outcome: Option<Outcome>,
    /// The result stands only until the arbiter closes the incident (6.7.1, 11.8).
    pub(crate) provisional: bool,
    pub(crate) cancelled: bool,
    /// Whether special measures were taken for a player (12.2.6).
    pub(crate) special_measure: [bool; 2],
    /// The start position was dead already.
    pub(crate) dead_start: bool,
    /// Players went on from a position that was dead.
    pub(crate) was_dead: bool,
    /// The mate that the last look for a dead position has found.
    pub(crate) possible: Option<Box<Possible>>,
    rulings: Vec<Ruling>,
}

/// No game lasts ten years; later moments count as this one.
pub(crate) const LATEST_MS: u64 = 4_000 * 24 * 3_600_000;

impl Play {
    fn new(setup: GameSetup) -> Result<Self, ArbiterError> {
        let problem = |field, problem| ArbiterError::Setup { field, problem };
        let GameSetup { edition, language, start_fen, chess960, time_control, regulations } = setup;
        let edition = edition.unwrap_or_default();
        crate::laws::article10::check_scoring(regulations.scoring)
            .map_err(|text| problem("regulations.scoring", text))?;
        let record = Record::new(start_fen.as_deref(), chess960)
            .map_err(|text| problem("start_fen", text))?;
        let mut clocks =
            Clocks::new(time_control).map_err(|text| problem("time_control.periods", text))?;
        clocks.start(record.turn(), 0);
        Ok(Self {
            edition,
            language: language.unwrap_or_default(),
            differences: editions::differences(edition),
            regulations,
            record,
            clocks,
            now: 0,
            pending: [None, None],
            unnoticed: None,
            illegal_count: [0; 2],
            just_ruled: None,
            touches: Touches::default(),
            duty: None,
            refused: None,
            offers: [None; 2],
            offers_made: [Vec::new(), Vec::new()],
            claimants: [false; 2],
            scoresheets: [Scoresheet::default(); 2],
            displaced: [0; 2],
            restoring: None,
            arrived: [false; 2],
            scheduled: 0,
            lost_before_arrival: 0,
            outcome: None,
            provisional: false,
            cancelled: false,
            special_measure: [false; 2],
            dead_start: false,
            was_dead: false,
            possible: None,
            rulings: Vec::new(),
        })
    }

    /// The ruling given last on this event.
    pub(crate) fn last_ruling(&mut self) -> Option<&mut Ruling> {
        self.rulings.last_mut()
    }

    fn take_rulings(&mut self) -> Vec<Ruling> {
        std::mem::take(&mut self.rulings)
    }

    /// Whether nothing that players do can change the result any more.
    pub(crate) fn ended(&self) -> bool {
        self.outcome.is_some() || self.cancelled
    }

    /// Lets time pass up to `t`.
    pub(crate) fn tick(&mut self, t: u64) {
        self.now = self.now.max(t.min(LATEST_MS));
        if !self.ended() {
            self.clocks.advance(self.now);
            self.note_short_of_time();
        }
    }

    /// Gives a ruling by the article that 2018 numbers `article`.
    pub(crate) fn rule(&mut self, kind: RulingKind, article: &str) -> &mut Ruling {
        let (number, of) = editions::number(self.edition, article);
        let ruling = Ruling {
            text: text::sentence(&kind, number, self.language),
            kind,
            article: match self.regulations.article_numbers {
                Numbering::InForce => Article::InForce(number.into()),
                Numbering::All => Article::Each(
                    Edition::ALL
                        .into_iter()
                        .map(|edition| (edition, editions::number(edition, article).0.into()))
                        .collect(),
                ),
            },
            numbering: (of != self.edition).then_some(of),
            why: None,
            overridable: false,
        };
        self.rulings.push(ruling);
        self.rulings.last_mut().expect("just pushed")
    }

    /// Lets `give` rule by an article that the host has named as the edition in force numbers it,
    /// or as 2018 does where that is all it knows: the rulings keep the host's number.
    pub(crate) fn by_host_number(&mut self, named: &str, give: impl FnOnce(&mut Self, &str)) {
        let first = self.rulings.len();
        let of_2018 = editions::of_2018(self.edition, named);
        give(self, of_2018);
        let number = editions::number(self.edition, of_2018).0;
        for ruling in &mut self.rulings[first..] {
            let in_force = match &mut ruling.article {
                Article::InForce(article) => Some(article),
                Article::Each(articles) => articles.get_mut(&self.edition),
            };
            if let Some(article) = in_force.filter(|article| *article == number) {
                named.clone_into(article);
                ruling.numbering = None;
                ruling.text = text::sentence(&ruling.kind, named, self.language);
            }
        }
    }

    /// Says that an event was heard and that nothing follows from it.
    pub(crate) fn no_action(&mut self, article: &str, why: &str) -> &mut Ruling {
        let ruling = self.rule(RulingKind::NoAction, article);
        ruling.why = Some(why.into());
        ruling
    }

    /// Warns a player.
    pub(crate) fn warn(&mut self, side: Side, article: &str, kind: &str) -> &mut Ruling {
        let ruling = self.rule(RulingKind::Warning { side, kind: kind.into() }, article);
        ruling.overridable = true;
        ruling
    }

    /// Changes a clock and says so.
    pub(crate) fn adjust_clock(&mut self, side: Side, delta_ms: i64, article: &str) {
        self.clocks.adjust(side, delta_ms);
        let clock_ms = self.clocks.in_use().then(|| self.clocks.remaining(side));
        self.rule(RulingKind::TimeAdjusted { side, delta_ms, clock_ms }, article);
    }

    /// Ends the game.
    pub(crate) fn end(
        &mut self,
        result: GameResult,
        reason: Reason,
        article: &str,
        evidence: Option<Evidence>,
    ) {
        self.close(result, reason, self.score_of(result), article, evidence);
        self.announce_score("10.1");
    }

    /// Ends the game with points that the arbiter sets.
    pub(crate) fn end_with_score(
        &mut self,
        result: GameResult,
        reason: Reason,
        score: [f64; 2],
        article: &str,
    ) {
        let usual = score == self.score_of(result);
        self.close(result, reason, score, article, None);
        self.announce_score(if usual { "10.1" } else { article });
    }

    fn close(
        &mut self,
        result: GameResult,
        reason: Reason,
        score: [f64; 2],
        article: &str,
        evidence: Option<Evidence>,
    ) {
        self.complete_last_move(&reason);
        self.clocks.stop();
        let kind = RulingKind::GameOver { result, reason: reason.clone(), evidence };
        let ruling = self.rule(kind, article);
        let (article, text) = (ruling.article.clone(), ruling.text.clone());
        self.outcome = Some(Outcome { result, reason, article, text, score });
        self.provisional = false;
    }

    /// A move that ends the game is completed without a press (6.2.1.1).
    fn complete_last_move(&mut self, reason: &Reason) {
        let by_the_move = match reason {
            Reason::Checkmate
            | Reason::Stalemate
            | Reason::DeadPosition
            | Reason::Fivefold
            | Reason::SeventyFiveMoves => true,
            Reason::Agreement => self.differences.agreement_completes,
            _ => false,
        };
        if let Some(ply) = self.record.last_mut().filter(|ply| by_the_move && !ply.completed) {
            ply.completed = true;
            let by = ply.by;
            self.clocks.complete(by, false);
        }
    }

    /// Marks the ruling that ended the game as one the arbiter may change.
    pub(crate) fn overridable_end(&mut self) {
        self.provisional = true;
        for ruling in self.rulings.iter_mut().rev().take(2) {
            ruling.overridable = true;
        }
    }

    fn state(&self) -> State {
        let position = self.record.position();
        State {
            edition: self.edition,
            start_fen: self.record.start_fen(),
            fen: self.record.fen(),
            side_to_move: self.record.turn(),
            check: position.is_check(),
            moves: self
                .record
                .plies()
                .iter()
                .map(|ply| PlyRecord {
                    by: ply.by,
                    uci: self.record.uci(ply.mv),
                    san: ply.san.to_string(),
                    t: ply.t,
                    clock_ms: ply.clock_ms,
                    draw_offer: ply.draw_offer,
                })
                .collect(),
            clocks: self.clocks.in_use().then(|| ClockState {
                white_ms: self.clocks.remaining(Side::White),
                black_ms: self.clocks.remaining(Side::Black),
                running: self.clocks.running().filter(|_| !self.clocks.stopped()),
                moves_completed: Side::BOTH.map(|side| self.clocks.completed(side)),
                period: Side::BOTH.map(|side| self.clocks.period(side)),
            }),
            outcome: self.outcome.clone(),
            offer: self.standing_offer().filter(|_| !self.ended()),
            illegal_moves: self.illegal_count,
            allowed: self.duty.as_ref().filter(|_| !self.ended()).map(|duty| duty.allowed.clone()),
            occurrences: self.record.repetitions().len() as u32,
            halfmove_clock: position.halfmoves(),
            claims: self.claims(),
        }
    }

    /// The draws that the player on the move could claim: none once he has touched a man (9.4) or
    /// must play what he announced (9.5.3).
    pub(crate) fn claims(&self) -> Vec<ClaimAvailable> {
        match self.ended() || self.touches.any || self.duty.is_some() {
            true => Vec::new(),
            false => self.possible_claims(),
        }
    }
}
