//! What the Laws make of a recorded game.
//!
//! The board is replayed here, fast; the arbiter is asked for every ruling. Where a game ended on
//! the board, it hears the game (or, for mate and stalemate, which need no history, the last move);
//! where it ended by what a player did, it hears that.

use arbiter_plugin::is_dead;
use arbiter_plugin::plugin::{
    Arbiter, ArbiterError, Article, DrawRule, Edition, Event, GameSetup, IllegalMovePolicy,
    Language, Reason, Regulations, Ruling, RulingKind, Side,
};
use serde::Serialize;
use shakmaty::Position;

use super::ending::Ending;
use super::record::Record;
use super::replay::Replay;

/// How a record stands beside the Laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The result is what the Laws give.
    Agrees,
    /// It is not, or the game is not a legal one.
    Differs,
    /// The game has no result, and the board gives none.
    Unfinished,
    /// The game is not chess, or its start is no position.
    Skipped,
    /// The arbiter could not rule.
    Failed,
}

/// A ruling on a recorded game.
#[derive(Clone, Debug, Serialize)]
pub struct Ruled {
    /// The result; `*` where the game goes on.
    pub result: String,
    /// Why, in the words of the event language.
    pub reason: String,
    /// The article's number.
    pub article: String,
    /// The ply after which it holds.
    pub ply: usize,
    /// The arbiter's sentence.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Moves that prove a mate to be possible, in standard notation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
}

/// What the audit finds of a game.
#[derive(Clone, Debug)]
pub struct Finding {
    /// How the record stands.
    pub class: Class,
    /// The ruling, where there is one.
    pub ruled: Option<Ruled>,
    /// What is wrong, in a few words.
    pub problem: Option<String>,
    /// What a person should know, though the result stands.
    pub remarks: Vec<String>,
}

/// One who rules on records.
pub struct Auditor {
    arbiter: Box<dyn Arbiter>,
    edition: Edition,
    language: Language,
    /// The rulings on resignation (White's, Black's) and agreement, where they are the same in
    /// every position.
    usual: Option<[Option<Ruled>; 3]>,
    /// The arbiter sits before the last position of the game.
    seated: bool,
}

/// The end of a game, or none, in the arbiter's eyes.
type End = Result<Option<Ruled>, ArbiterError>;

impl Auditor {
    /// An auditor who asks this arbiter. The `built_in` one is known to rule on resignation and
    /// agreement without a look at the board, but for the edition of 2023, and is asked once.
    ///
    /// # Errors
    /// The arbiter does not understand.
    pub fn new(
        arbiter: Box<dyn Arbiter>,
        built_in: bool,
        edition: Edition,
        language: Language,
    ) -> Result<Self, ArbiterError> {
        let mut auditor = Self { arbiter, edition, language, usual: None, seated: false };
        if built_in && edition != Edition::Y2023 {
            let resigned = |by| vec![Event::Resigned { by, t: 0 }];
            auditor.usual = Some([
                auditor.ask_once(&resigned(Side::White))?,
                auditor.ask_once(&resigned(Side::Black))?,
                auditor.ask_once(&agreement(Side::White))?,
            ]);
        }
        Ok(auditor)
    }

    /// The ruling on events in an ordinary position in which both players have moved.
    fn ask_once(&mut self, events: &[Event]) -> End {
        const OPENING: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        self.arbiter.observe(&Event::GameStarted(GameSetup {
            edition: Some(self.edition),
            language: Some(self.language),
            start_fen: Some(OPENING.to_owned()),
            ..GameSetup::default()
        }))?;
        let mut rulings = Vec::new();
        for event in events {
            rulings = self.arbiter.observe(event)?;
        }
        Ok(self.game_over(&rulings, 0))
    }

    /// One of the usual rulings, after the last ply.
    fn usual(&self, index: usize, replay: &Replay) -> Option<Ruled> {
        let usual = self.usual.as_ref()?[index].clone()?;
        let both_moved = replay.moves.len() >= 2;
        both_moved.then_some(Ruled { ply: replay.moves.len(), ..usual })
    }

    /// Rules on a game.
    ///
    /// # Errors
    /// The arbiter does not understand; a built-in one always does.
    pub fn judge(&mut self, record: &Record, replay: &Replay) -> Result<Finding, ArbiterError> {
        let mut finding =
            Finding { class: Class::Agrees, ruled: None, problem: None, remarks: Vec::new() };
        let end = self.end_on_board(replay)?;
        if let Some((ply, fault)) = &replay.fault {
            finding.class = Class::Differs;
            finding.problem = Some(format!("{fault} at ply {ply}"));
            finding.ruled = end;
            return Ok(finding);
        }
        let recorded = record.result();
        match end {
            Some(ruled) => {
                let late = replay.moves.len() - ruled.ply;
                if late > 0 {
                    finding.remarks.push(format!("{late} more plies were played"));
                }
                finding.ruled = Some(ruled);
            }
            None => self.end_by_players(record, replay, &recorded, &mut finding)?,
        }
        compare(&recorded, &mut finding);
        Ok(finding)
    }

    /// The ruling that ends the game on the board, at the earliest ply. Where there is none, the
    /// arbiter sits before the last position.
    fn end_on_board(&mut self, replay: &Replay) -> End {
        self.seated = false;
        let last = replay.moves.len();
        let fivefold = match self.edition {
            Edition::Y2014 => replay.fivefold_in_a_row,
            _ => replay.fivefold,
        };
        let counted = fivefold.is_some() || replay.seventy_five.is_some();
        // As the built-in arbiter would, without setting it up.
        let goes_on = || !replay.position.legal_moves().is_empty() && !is_dead(&replay.position);
        if self.usual.is_some() && !counted && goes_on() {
            return Ok(None);
        }
        let rulings = self.start_at(replay, last, Regulations::default())?;
        let at_last = self.game_over(&rulings, last);
        let mut ply = [fivefold, replay.seventy_five].into_iter().flatten().min();
        match &at_last {
            // Mate was still possible a ply before.
            Some(ruled) if ruled.reason == Reason::Checkmate.name() => {}
            // Nobody can mate any more: so it stays, and the first such ply is found by halving.
            Some(_) => {
                let first = first_dead(replay);
                ply = Some(ply.map_or(first, |ply| ply.min(first)));
            }
            None => {}
        }
        let Some(ply) = ply.filter(|&ply| ply < last || fivefold == Some(ply)) else {
            return Ok(at_last);
        };
        let from = match fivefold == Some(ply) {
            true => replay.first_occurrence(ply),
            false => ply.saturating_sub(1),
        };
        let rulings = self.replay_moves(replay, from, ply)?;
        Ok(self.game_over(&rulings, ply).or(at_last))
    }

    /// Sets the arbiter before the position after `ply` plies, with no moves behind it.
    fn start_at(
        &mut self,
        replay: &Replay,
        ply: usize,
        regulations: Regulations,
    ) -> Result<Vec<Ruling>, ArbiterError> {
        self.seated = ply == replay.moves.len();
        let fen = if self.seated {
            replay.fen(&replay.position)
        } else {
            replay.fen(&replay.position_after(ply))
        };
        self.arbiter.observe(&Event::GameStarted(GameSetup {
            edition: Some(self.edition),
            language: Some(self.language),
            start_fen: Some(fen),
            chess960: replay.chess960,
            regulations,
            ..GameSetup::default()
        }))
    }

    /// Tells the arbiter the moves from one ply to another; returns the rulings on the last.
    fn replay_moves(
        &mut self,
        replay: &Replay,
        from: usize,
        to: usize,
    ) -> Result<Vec<Ruling>, ArbiterError> {
        let rulings = self.start_at(replay, from, Regulations::default())?;
        if from == to {
            return Ok(rulings);
        }
        let uci = replay.moves[from..to].iter().map(|&mv| replay.uci(mv)).collect();
        self.arbiter.observe(&Event::MovesPlayed { t0: 0, ms_per_move: 0, uci })
    }

    /// The end of the game among rulings.
    fn game_over(&self, rulings: &[Ruling], ply: usize) -> Option<Ruled> {
        rulings.iter().find_map(|ruling| {
            let RulingKind::GameOver { result, reason, evidence } = &ruling.kind else {
                return None;
            };
            let evidence =
                evidence.as_ref().map_or(Vec::new(), |evidence| evidence.line_san.clone());
            Some(Ruled {
                result: result.as_str().to_owned(),
                reason: reason.name(),
                article: number(&ruling.article, self.edition),
                ply,
                text: ruling.text.clone(),
                evidence,
            })
        })
    }

    /// What the arbiter, who sits before the last position, says when this happens.
    fn hear(&mut self, replay: &Replay, events: &[Event]) -> End {
        if !self.seated {
            self.start_at(replay, replay.moves.len(), Regulations::default())?;
        }
        let mut rulings = Vec::new();
        for event in events {
            rulings = self.arbiter.observe(event)?;
        }
        Ok(self.game_over(&rulings, replay.moves.len()))
    }

    /// Rules on a game that the board did not end.
    fn end_by_players(
        &mut self,
        record: &Record,
        replay: &Replay,
        recorded: &str,
        finding: &mut Finding,
    ) -> Result<(), ArbiterError> {
        let players = [record.tag("White"), record.tag("Black")];
        let (ending, named) =
            Ending::read(record.tag("Termination"), &record.last_comment, players);
        let to_move = Side::from(replay.position.turn());
        let loser = match recorded {
            "1-0" => Some(Side::Black),
            "0-1" => Some(Side::White),
            "1/2-1/2" => None,
            _ => return Ok(()),
        };
        if let (Some(side), Some(named)) = (loser, named)
            && side != named
        {
            finding.class = Class::Differs;
            finding.problem = Some(format!("the text says that {} lost", colour(named)));
        }
        // Whom the text names, against the result as well; of a draw, the player on the move.
        let to_blame = named.or(loser);
        finding.ruled = match (ending, loser) {
            (Ending::TimeForfeit, _)
            | (Ending::Abandoned, Some(_))
            | (Ending::TimeoutDraw, None) => self.flag(replay, to_blame.unwrap_or(to_move))?,
            (Ending::IllegalMove, _) => self.illegal_move(replay, to_blame.unwrap_or(to_move))?,
            (Ending::Resignation, _) if named.is_some() => self.resigned(replay, named)?,
            (Ending::Adjudication, _) => {
                finding.remarks.push("adjudicated by a rule outside the Laws".to_owned());
                None
            }
            (Ending::Checkmate, _) => return refuse(finding, "no checkmate on the board"),
            (Ending::Stalemate, _) => return refuse(finding, "no stalemate on the board"),
            (Ending::Dead, _) => return refuse(finding, "a mate is still possible"),
            (Ending::Threefold | Ending::Fivefold, None) => {
                self.claim(replay, to_move, DrawRule::Threefold, finding)?
            }
            (Ending::FiftyMoves | Ending::SeventyFiveMoves, None) => {
                self.claim(replay, to_move, DrawRule::FiftyMoves, finding)?
            }
            (_, Some(_)) => self.resigned(replay, loser)?,
            (_, None) => match self.usual(2, replay) {
                None => self.agreed(replay, to_move, finding)?,
                usual => usual,
            },
        };
        Ok(())
    }

    /// A draw by agreement, which the arbiter may refuse (5.2.3).
    fn agreed(&mut self, replay: &Replay, by: Side, finding: &mut Finding) -> End {
        let ruled = self.hear(replay, &agreement(by))?;
        if ruled.is_none() {
            finding.class = Class::Differs;
            finding.problem = Some("a draw could not be agreed here".to_owned());
        }
        Ok(ruled)
    }

    /// A resignation, if somebody is said to have resigned.
    fn resigned(&mut self, replay: &Replay, by: Option<Side>) -> End {
        let Some(by) = by else { return Ok(None) };
        match self.usual(by.index(), replay) {
            None => self.hear(replay, &[Event::Resigned { by, t: 0 }]),
            usual => Ok(usual),
        }
    }

    fn flag(&mut self, replay: &Replay, side: Side) -> End {
        let flag = Event::FlagObserved { side, t: 0, both: false };
        self.hear(replay, &[flag])
    }

    /// An illegal move that lost by the rule of the event: the opponent must be able to mate.
    fn illegal_move(&mut self, replay: &Replay, side: Side) -> End {
        let board = replay.position.board();
        let king = |color| board.king_of(color).map_or(String::new(), |square| square.to_string());
        let own = shakmaty::Color::from(side);
        // A king never goes where the other one stands.
        let uci = format!("{}{}", king(own), king(!own));
        let forfeit =
            Regulations { illegal_moves: IllegalMovePolicy::Forfeit, ..Regulations::default() };
        let made = Event::MoveMade {
            by: side,
            t: 0,
            uci,
            hands: 1,
            promotion_replaced: true,
            complete: true,
        };
        let pressed = Event::ClockPressed { by: side, t: 0, same_hand: true };
        self.start_at(replay, replay.moves.len(), forfeit)?;
        self.hear(replay, &[made, pressed])
    }

    /// A draw that was claimed: on the board, or with a move that would bring it about. Either
    /// player may have claimed, the last mover with the move that was still written down.
    fn claim(&mut self, replay: &Replay, by: Side, rule: DrawRule, finding: &mut Finding) -> End {
        let last = replay.moves.len();
        self.seated = false;
        // The position at the start brings its count of quiet moves along, not its repetitions.
        let from = match rule {
            DrawRule::FiftyMoves => last,
            DrawRule::Threefold if replay.occurrences() >= 3 => replay.first_occurrence(last),
            DrawRule::Threefold => replay.last_irreversible(last),
        };
        self.replay_moves(replay, from, last)?;
        let open = self.arbiter.state()?.claims;
        let intended =
            open.into_iter().find(|claim| claim.rule == rule).map(|claim| claim.intended);
        let claim = Event::DrawClaimed {
            by,
            t: 0,
            rule,
            intended: intended.clone().flatten(),
            basis: Default::default(),
        };
        let rulings = self.arbiter.observe(&claim)?;
        if let Some(ruled) = self.game_over(&rulings, last) {
            return Ok(Some(ruled));
        }
        let rejected =
            rulings.iter().find(|ruling| matches!(ruling.kind, RulingKind::ClaimRejected { .. }));
        finding.problem = Some("the claim is wrong".to_owned());
        Ok(Some(Ruled {
            result: "*".to_owned(),
            reason: "claim_rejected".to_owned(),
            article: rejected.map_or(String::new(), |ruling| number(&ruling.article, self.edition)),
            ply: last,
            text: rejected.map_or(String::new(), |ruling| ruling.text.clone()),
            evidence: Vec::new(),
        }))
    }
}

fn colour(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

/// A draw offered and accepted.
fn agreement(by: Side) -> Vec<Event> {
    vec![
        Event::DrawOffered { by, t: 0, conditional: false },
        Event::DrawAccepted { by: by.opponent(), t: 0 },
    ]
}

/// The record says that the board ended the game, and the board does not.
fn refuse(finding: &mut Finding, why: &str) -> Result<(), ArbiterError> {
    finding.class = Class::Differs;
    finding.problem = Some(why.to_owned());
    Ok(())
}

/// Sets the recorded result beside the ruled one.
fn compare(recorded: &str, finding: &mut Finding) {
    let known = matches!(recorded, "1-0" | "0-1" | "1/2-1/2" | "*");
    if !known {
        finding.class = Class::Differs;
        finding.problem.get_or_insert_with(|| format!("{recorded} is no PGN result"));
    }
    match &finding.ruled {
        Some(ruled) if ruled.result != recorded => finding.class = Class::Differs,
        None if recorded == "*" && finding.class == Class::Agrees => {
            finding.class = Class::Unfinished;
        }
        _ => {}
    }
}

/// An article's number in an edition.
fn number(article: &Article, edition: Edition) -> String {
    match article {
        Article::InForce(number) => number.clone(),
        Article::Each(numbers) => numbers.get(&edition).cloned().unwrap_or_default(),
    }
}

/// The first ply of a game after which its last position's death was settled. As a rule that was
/// the last one or a few before it, so the steps back from there grow.
fn first_dead(replay: &Replay) -> usize {
    let mut dead = replay.moves.len();
    let mut step = 1;
    let mut alive = loop {
        let Some(ply) = dead.checked_sub(step) else {
            if dead == 0 || is_dead(&replay.start) {
                return 0;
            }
            break 0;
        };
        if !is_dead(&replay.position_after(ply)) {
            break ply;
        }
        dead = ply;
        step *= 2;
    };
    while dead - alive > 1 {
        let middle = alive.midpoint(dead);
        if is_dead(&replay.position_after(middle)) {
            dead = middle;
        } else {
            alive = middle;
        }
    }
    dead
}
