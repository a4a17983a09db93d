//! One game: the runner asks the engines, measures, and reports to the arbiter; the arbiter rules.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use arbiter_plugin::plugin::{
    Arbiter, ClaimPolicy, ClockMode, DrawRule, Edition, Event, GameResult, GameSetup,
    IllegalMovePolicy, Period, Reason, Regulations, Ruling, RulingKind, Side, TimeControl,
};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, Role};

use super::adjudication::{Adjudicator, Tables};
use super::clock::Clock;
use super::config::{Claims, EngineConfig, Illegal, Tournament};
use super::opening::{Opening, fen_of, position_of};
use super::player::{Answer, Failure, Player};
use super::process::Silence;
use super::record::{Ending, GameRecord, MoveRecord, Note, article_number, is_notable};
use super::schedule::Pairing;

/// A complete line may be read in time and yet reach us a little later.
const DELIVERY: Duration = Duration::from_millis(30);
/// An arbiter that is told of a lost game and does not end it is asked no more after this.
const MAX_ATTEMPTS: u32 = 10;

/// What is known of an engine from all its games.
#[derive(Debug, Default)]
pub struct Known {
    /// It has once started.
    pub started: AtomicBool,
    /// What was told of it.
    warnings: Mutex<HashSet<String>>,
}

impl Known {
    /// An engine that has started in an earlier run, or has not yet.
    pub fn new(started: bool) -> Self {
        Self { started: started.into(), ..Self::default() }
    }

    /// Whether this was not yet told.
    fn is_new(&self, warning: &str) -> bool {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        warnings.insert(warning.to_owned())
    }
}

/// What all games of a tournament share.
pub struct Shared<'a> {
    /// The tournament.
    pub tournament: &'a Tournament,
    /// Syzygy tables.
    pub tables: Option<&'a Tables>,
    /// Makes a new arbiter.
    pub arbiter: &'a (dyn Fn() -> anyhow::Result<Box<dyn Arbiter>> + Sync),
    /// Engines by index.
    pub engines: &'a [Known],
    /// Hears of every move, for the live display.
    pub watch: &'a (dyn Fn(&Pairing, usize, &MoveRecord) + Sync),
}

/// Plays one game to its end.
///
/// # Errors
/// The game cannot be set up, or the arbiter does not answer. An engine's fault is no error, but
/// for that of one of two engines which has never started: there is nobody else to play.
pub fn play(
    shared: &Shared,
    pairing: &Pairing,
    opening: &Opening,
    players: [&mut Player; 2],
) -> anyhow::Result<GameRecord> {
    let start = chrono::Utc::now();
    let began = Instant::now();
    let mut table = Table::set_up(shared, pairing, opening, players)?;
    while table.ending.is_none() {
        table.ply()?;
    }
    for side in Side::BOTH {
        table.stop(side);
    }
    let end = chrono::Utc::now();
    table.into_record(opening, start, end, began.elapsed())
}

/// A board with two players, a clock each and an arbiter.
struct Table<'a, 'p> {
    shared: &'a Shared<'a>,
    pairing: &'a Pairing,
    players: [&'p mut Player; 2],
    arbiter: Box<dyn Arbiter>,
    /// The arbiter holds the clocks; else it takes flags as reported.
    arbiter_clocks: bool,
    clocks: [Clock; 2],
    /// Thinking time since the start of the game.
    now: Duration,
    mode: CastlingMode,
    start: Chess,
    position: Chess,
    /// `position …` with all moves so far.
    command: String,
    moves: Vec<MoveRecord>,
    notes: Vec<Note>,
    /// Moves that a touched man leaves to the side to move.
    allowed: Vec<String>,
    offer: Option<Side>,
    claims: Vec<(Side, DrawRule, Option<String>)>,
    pondering: [Option<String>; 2],
    adjudicator: Adjudicator,
    attempts: u32,
    /// Said in place of the arbiter's sentence when an engine failed.
    failure: Option<(String, &'static str)>,
    ending: Option<Ending>,
    /// An engine crashed or hung.
    disrupted: bool,
}

impl<'a, 'p> Table<'a, 'p> {
    fn set_up(
        shared: &'a Shared,
        pairing: &'a Pairing,
        opening: &Opening,
        players: [&'p mut Player; 2],
    ) -> anyhow::Result<Self> {
        let tournament = shared.tournament;
        let mode = CastlingMode::from_chess960(tournament.chess960);
        let start = position_of(opening.fen.as_deref(), mode)?;
        let clocks = [Clock::new(&players[0].config), Clock::new(&players[1].config)];
        let command = match &opening.fen {
            Some(fen) => format!("position fen {fen}"),
            None => "position startpos".to_owned(),
        };
        let setup = setup(tournament, opening, [&players[0].config, &players[1].config])?;
        let mut table = Self {
            shared,
            pairing,
            players,
            arbiter: (shared.arbiter)()?,
            arbiter_clocks: !setup.time_control.periods.is_empty(),
            clocks,
            now: Duration::ZERO,
            mode,
            position: start.clone(),
            start,
            command,
            moves: Vec::new(),
            notes: Vec::new(),
            allowed: Vec::new(),
            offer: None,
            claims: Vec::new(),
            pondering: [None, None],
            adjudicator: Adjudicator::default(),
            attempts: 0,
            failure: None,
            ending: None,
            disrupted: false,
        };
        let late = setup.regulations.default_time_ms.unwrap_or(0) + 1;
        table.report(&Event::GameStarted(setup))?;
        table.play_opening(opening)?;
        if table.ending.is_none() {
            table.seat_players(late)?;
        }
        Ok(table)
    }

    /// The opening's moves take no time and count for no period.
    fn play_opening(&mut self, opening: &Opening) -> anyhow::Result<()> {
        for uci in &opening.moves {
            let chosen =
                uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&self.position).ok());
            let chosen = chosen.with_context(|| format!("opening move {uci} is not legal"))?;
            self.push(chosen, MoveRecord { uci: uci.clone(), book: true, ..MoveRecord::default() });
        }
        if opening.moves.is_empty() {
            return Ok(());
        }
        self.report(&Event::MovesPlayed { t0: 0, ms_per_move: 0, uci: opening.moves.clone() })?;
        if self.arbiter_clocks && self.ending.is_none() {
            for side in Side::BOTH {
                let ms = self.clocks[side.index()].left_ms().unwrap_or(0) as i64;
                self.observe(&Event::ClockSet {
                    side,
                    ms,
                    t: 0,
                    moves_completed: Some(0),
                    reason: Some("after the opening".to_owned()),
                })?;
            }
        }
        Ok(())
    }

    /// Gets both engines ready. One that cannot be started is a player who does not come.
    fn seat_players(&mut self, late: u64) -> anyhow::Result<()> {
        let chess960 = self.shared.tournament.chess960;
        let names = [self.players[0].config.name.clone(), self.players[1].config.name.clone()];
        let seated = [
            self.players[0].new_game(chess960, &names[1]),
            self.players[1].new_game(chess960, &names[0]),
        ];
        self.note_who_started(&seated)?;
        if seated.iter().all(Result::is_ok) {
            return Ok(());
        }
        self.report(&Event::GameScheduledStart { t: 0 })?;
        for side in Side::BOTH {
            if seated[side.index()].is_ok() {
                self.report(&Event::PlayerArrived { by: side, t: 0 })?;
            }
        }
        for side in Side::BOTH {
            if let Err(failure) = &seated[side.index()] {
                let what = format!("{} {failure}", colour(side));
                self.note_fault(what.clone());
                self.failure.get_or_insert((what, "abandoned"));
                // The arbiter may hear of the second late player after he ended the game.
                let absent = Event::PlayerArrived { by: side, t: late };
                let rulings = self.arbiter.observe(&absent).map_err(|error| anyhow!("{error}"))?;
                self.take(rulings);
            }
        }
        if self.ending.is_none() {
            let loser = if seated[0].is_err() { Side::White } else { Side::Black };
            self.decide("forfeit_late", GameResult::win(loser.opponent()))?;
        }
        Ok(())
    }

    /// Refuses a match with an engine that never started: its games would all be forfeits. Where
    /// others play on, the user hears of it once.
    fn note_who_started(&self, seated: &[Result<(), Failure>; 2]) -> anyhow::Result<()> {
        let indices = [self.pairing.white, self.pairing.black];
        for ((player, index), seated) in self.players.iter().zip(indices).zip(seated) {
            let known = &self.shared.engines[index];
            let started = &known.started;
            if player.has_started {
                started.store(true, Ordering::Relaxed);
            }
            let Some(failure) = seated.as_ref().err().filter(|_| !started.load(Ordering::Relaxed))
            else {
                continue;
            };
            let what = format!("engine {} {failure}", player.config.name);
            if self.shared.tournament.engines.len() == 2 {
                bail!(what);
            }
            if known.is_new(&what) && !super::runner::interrupted() {
                crate::complain(format_args!("warning: {what}"));
            }
        }
        Ok(())
    }

    /// Asks the side to move for a move and reports what comes.
    fn ply(&mut self) -> anyhow::Result<()> {
        let side = Side::from(self.position.turn());
        if self.attempts > MAX_ATTEMPTS {
            return self.decide("second_illegal_move", GameResult::win(side.opponent()));
        }
        match self.ask(side) {
            Ok(answer) => self.answered(side, answer),
            Err(Lapse::Overstep(elapsed)) => self.overstepped(side, elapsed),
            Err(Lapse::Failed(failure)) => self.failed(side, &failure),
        }
    }

    /// Gets an answer from the engine, or says how it failed to give one.
    fn ask(&mut self, side: Side) -> Result<Answer, Lapse> {
        let pondered = self.pondering[side.index()].take();
        let last = self.moves.last().map(|played| played.uci.as_str());
        let hit = pondered.is_some() && pondered.as_deref() == last && self.allowed.is_empty();
        let limits = go_limits(&self.clocks, side, &self.players[side.index()].config);
        let go = format!("go{limits}{}", search_moves(&self.allowed));
        let clock = self.clocks[side.index()];
        let player = &mut *self.players[side.index()];
        let started = if hit {
            player.ponder_hit()
        } else {
            player.set_position(&self.command).and_then(|()| player.go(&go))
        };
        started.map_err(Lapse::Failed)?;
        let margin = Duration::from_millis(player.config.timemargin_ms);
        let stall = Duration::from_millis(self.shared.tournament.stall_ms);
        let limit = clock.left().map_or(stall, |left| left + margin);
        match player.wait_move(player.since() + limit + DELIVERY) {
            // What was reported while pondering may have come before our clock began.
            Ok(answer) if answer.elapsed > limit => Err(Lapse::Overstep(answer.elapsed)),
            Ok(answer) => Ok(answer),
            Err(Silence::Deadline) if clock.is_limited() => {
                Err(Lapse::Overstep(player.since().elapsed()))
            }
            Err(Silence::Deadline) => Err(Lapse::Failed(Failure::Stalled("no bestmove"))),
            Err(Silence::Exited) => Err(Lapse::Failed(Failure::Exited)),
        }
    }

    /// The engine said something in time.
    fn answered(&mut self, side: Side, answer: Answer) -> anyhow::Result<()> {
        // A forgiven overstep uses up the clock and no more.
        let left = self.clocks[side.index()].left();
        let charged = left.map_or(answer.elapsed, |left| answer.elapsed.min(left));
        self.now += charged;
        self.clocks[side.index()].use_up(charged);
        let by_claim = self.shared.tournament.arbiter.claims == Claims::Engine;
        if by_claim && answer.best == "resign" {
            return self.report(&Event::Resigned { by: side, t: self.t() });
        }
        let uci = answer.best.to_ascii_lowercase();
        let parsed =
            uci.parse::<UciMove>().ok().filter(|uci| matches!(uci, UciMove::Normal { .. }));
        let legal = parsed.and_then(|uci| uci.to_move(&self.position).ok());
        let Some(chosen) = legal else { return self.illegal(side, &answer.best, parsed) };
        let uci = UciMove::from_move(chosen, self.mode).to_string();
        let wants_draw = by_claim && answer.offers_draw;
        if wants_draw && self.draw_taken(side, &uci)? {
            return Ok(());
        }
        let mut rulings = self.observe(&Event::MoveMade {
            by: side,
            t: self.t(),
            uci: uci.clone(),
            hands: 1,
            promotion_replaced: true,
            complete: true,
        })?;
        if wants_draw && !rulings.iter().any(ends) {
            rulings.extend(self.observe(&Event::DrawOffered {
                by: side,
                t: self.t(),
                conditional: false,
            })?);
        }
        if !rulings.iter().any(ends) {
            rulings.extend(self.observe(&self.press(side))?);
        }
        // A legal move that a touched man did not allow is no move either.
        if rulings.iter().any(is_restored) {
            self.note(format!("{} plays {uci}", colour(side)));
            self.take(rulings);
            return self.resynchronize();
        }
        self.attempts = 0;
        self.allowed.clear();
        self.claims.clear();
        self.offer = None;
        let clock = &mut self.clocks[side.index()];
        clock.complete_move();
        let mut played = MoveRecord {
            uci,
            time_us: answer.elapsed.as_micros() as u64,
            left_ms: clock.left_ms(),
            ..MoveRecord::default()
        };
        let whitepov = self.players[side.index()].config.whitepov && side == Side::Black;
        let keep_pv = self.shared.tournament.pgnout.as_ref().is_some_and(|pgn| pgn.pv);
        played.report(answer.info, keep_pv);
        if whitepov {
            played.score = played.score.map(super::info::Score::reversed);
        }
        let score = played.score;
        self.push(chosen, played);
        self.take(rulings);
        if let Some(played) = self.moves.last() {
            (self.shared.watch)(self.pairing, self.moves.len(), played);
        }
        if self.ending.is_none() {
            self.adjudicate(side, score)?;
        }
        if self.ending.is_none() {
            self.start_pondering(side, answer.ponder.as_deref());
        }
        Ok(())
    }

    /// What was said is no legal move. A text that is no move at all is a press without a move.
    fn illegal(&mut self, side: Side, text: &str, parsed: Option<UciMove>) -> anyhow::Result<()> {
        self.attempts += 1;
        let shown: String =
            text.chars().filter(|c| !c.is_control() && !"{}".contains(*c)).take(20).collect();
        self.note(format!(
            "{} makes an illegal move: {}",
            colour(side),
            if shown.is_empty() { "none" } else { &shown }
        ));
        let mut rulings = Vec::new();
        if let Some(uci) = parsed {
            rulings = self.observe(&Event::MoveMade {
                by: side,
                t: self.t(),
                uci: uci.to_string(),
                hands: 1,
                promotion_replaced: !self.lacks_promotion(uci),
                complete: true,
            })?;
        }
        if !rulings.iter().any(ends) {
            rulings.extend(self.observe(&self.press(side))?);
        }
        self.take(rulings);
        self.resynchronize()
    }

    /// A pawn was put on the last rank and no piece was named.
    fn lacks_promotion(&self, uci: UciMove) -> bool {
        let UciMove::Normal { from, to, promotion: None } = uci else { return false };
        let pawn = self.position.board().role_at(from) == Some(Role::Pawn);
        pawn && to.rank() == self.position.turn().relative_rank(shakmaty::Rank::Eighth)
    }

    /// `bestmove MOVE draw`: accepts a standing offer or claims what can be claimed; says whether
    /// that ended the game.
    fn draw_taken(&mut self, side: Side, intended: &str) -> anyhow::Result<bool> {
        let t = self.t();
        let claim = self
            .claims
            .iter()
            .find(|(by, _, with)| {
                *by == side && with.as_deref().is_none_or(|with| with == intended)
            })
            .cloned();
        if self.offer == Some(side.opponent()) {
            self.report(&Event::DrawAccepted { by: side, t })?;
        } else if let Some((_, rule, intended)) = claim {
            self.report(&Event::DrawClaimed {
                by: side,
                t,
                rule,
                intended,
                basis: Default::default(),
            })?;
        }
        Ok(self.ending.is_some())
    }

    /// The flag fell.
    fn overstepped(&mut self, side: Side, elapsed: Duration) -> anyhow::Result<()> {
        self.now += elapsed;
        self.clocks[side.index()].use_up(elapsed);
        self.stop(side);
        self.flag(side)
    }

    /// Ends a search whose answer came too late or is not wanted.
    fn stop(&mut self, side: Side) {
        if !self.players[side.index()].end_search() {
            self.note_fault(format!("{} does not answer stop", colour(side)));
        }
    }

    /// The engine is gone or mute: its time runs out while it is away (no Article knows more).
    fn failed(&mut self, side: Side, failure: &Failure) -> anyhow::Result<()> {
        let termination = match failure {
            Failure::Stalled(_) => "stalled connection",
            Failure::Exited | Failure::CannotStart(_) => "abandoned",
        };
        let what = format!("{} {failure}", colour(side));
        self.note_fault(what.clone());
        self.failure = Some((what, termination));
        self.players[side.index()].kill();
        self.report(&Event::ConnectionLost { by: side, t: self.t() })?;
        if self.ending.is_some() {
            return Ok(());
        }
        if let Some(left) = self.clocks[side.index()].left() {
            self.now += left + Duration::from_millis(2);
        }
        self.flag(side)
    }

    fn flag(&mut self, side: Side) -> anyhow::Result<()> {
        // The arbiter counts whole milliseconds: let its clock run out as ours did.
        self.now += Duration::from_millis(2);
        self.report(&Event::FlagObserved { side, t: self.t(), both: false })?;
        if self.ending.is_none() {
            self.decide("flag_fall", GameResult::win(side.opponent()))?;
        }
        Ok(())
    }

    fn adjudicate(&mut self, side: Side, score: Option<super::info::Score>) -> anyhow::Result<()> {
        let Shared { tournament, tables, .. } = *self.shared;
        let decided = self.adjudicator.after_move(tournament, tables, side, score, &self.position);
        if let Some((result, why)) = decided {
            self.failure = Some((why.clone(), "adjudication"));
            self.decide(&why, result)?;
        }
        Ok(())
    }

    /// The organiser decides, through the arbiter; one that refuses has the game taken from it.
    fn decide(&mut self, about: &str, result: GameResult) -> anyhow::Result<()> {
        self.report(&Event::ArbiterDecision {
            t: self.t(),
            about: about.to_owned(),
            decision: "result".to_owned(),
            side: None,
            result: Some(result),
            ms: None,
            to_ply: None,
            white: None,
            black: None,
        })?;
        if self.ending.is_none() {
            let article = "-".to_owned();
            let text = "decided by the organiser; the arbiter did not end the game".to_owned();
            self.end(result, Reason::ArbiterDecision, article, text, None);
        }
        Ok(())
    }

    /// Lets the engine think on the opponent's time about the move it expects.
    fn start_pondering(&mut self, side: Side, expected: Option<&str>) {
        let Some(expected) = expected.filter(|_| self.players[side.index()].config.ponder) else {
            return;
        };
        let legal =
            expected.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&self.position).ok());
        let Some(chosen) = legal else {
            if !matches!(expected, "(none)" | "0000") {
                self.note(format!("{} would ponder on an illegal move", colour(side)));
            }
            return;
        };
        let expected = UciMove::from_move(chosen, self.mode).to_string();
        let glue = if self.moves.is_empty() { " moves" } else { "" };
        let position = format!("{}{glue} {expected}", self.command);
        let limits = go_limits(&self.clocks, side, &self.players[side.index()].config);
        // A failure shows when the engine is asked next.
        if self.players[side.index()].go_ponder(&position, &format!("go ponder{limits}")).is_ok() {
            self.pondering[side.index()] = Some(expected);
        }
    }

    fn push(&mut self, chosen: shakmaty::Move, played: MoveRecord) {
        if self.moves.is_empty() {
            self.command.push_str(" moves");
        }
        self.command.push(' ');
        self.command.push_str(&played.uci);
        self.position.play_unchecked(chosen);
        self.moves.push(played);
    }

    /// After a ruling that changed the board or the clocks: takes both from the arbiter.
    fn resynchronize(&mut self) -> anyhow::Result<()> {
        let state = self.arbiter.state().map_err(|error| anyhow!("{error}"))?;
        let kept = self
            .moves
            .iter()
            .zip(&state.moves)
            .take_while(|(ours, theirs)| same_move(&ours.uci, &theirs.uci, self.mode))
            .count();
        let records: Vec<MoveRecord> = self.moves.drain(..).take(kept).collect();
        self.position = self.start.clone();
        self.command.truncate(self.command.find(" moves").unwrap_or(self.command.len()));
        let added = state
            .moves
            .iter()
            .skip(kept)
            .map(|ply| MoveRecord { uci: ply.uci.clone(), ..MoveRecord::default() });
        for record in records.into_iter().chain(added.collect::<Vec<_>>()) {
            let chosen =
                record.uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&self.position).ok());
            let chosen = chosen.with_context(|| {
                format!("the arbiter's record has the illegal move {}", record.uci)
            })?;
            let uci = UciMove::from_move(chosen, self.mode).to_string();
            self.push(chosen, MoveRecord { uci, ..record });
        }
        if let Some(clocks) = state.clocks.filter(|_| self.arbiter_clocks) {
            self.clocks[0].follow(clocks.white_ms, clocks.moves_completed[0]);
            self.clocks[1].follow(clocks.black_ms, clocks.moves_completed[1]);
        }
        self.pondering = [None, None];
        Ok(())
    }

    fn press(&self, by: Side) -> Event {
        Event::ClockPressed { by, t: self.t(), same_hand: true }
    }

    fn t(&self) -> u64 {
        self.now.as_millis() as u64
    }

    fn observe(&mut self, event: &Event) -> anyhow::Result<Vec<Ruling>> {
        self.arbiter.observe(event).map_err(|error| anyhow!("{error}"))
    }

    fn report(&mut self, event: &Event) -> anyhow::Result<()> {
        let rulings = self.observe(event)?;
        self.take(rulings);
        Ok(())
    }

    /// Obeys rulings.
    fn take(&mut self, rulings: Vec<Ruling>) {
        for ruling in rulings {
            let article = article_number(&ruling.article);
            if is_notable(&ruling) {
                let named = ruling.text.contains("Article");
                let suffix = if named { String::new() } else { format!(" (Article {article})") };
                self.note(format!("{}{suffix}", ruling.text.trim_end_matches('.')));
            }
            match ruling.kind {
                RulingKind::GameOver { result, reason, evidence } => {
                    self.end(result, reason, article, ruling.text, evidence);
                }
                RulingKind::TimeAdjusted { side, delta_ms, .. } if !self.arbiter_clocks => {
                    self.clocks[side.index()].adjust(delta_ms);
                }
                RulingKind::TimeAdjusted { side, clock_ms: Some(clock_ms), .. } => {
                    let moves = self.clocks[side.index()].moves_made();
                    self.clocks[side.index()].follow(clock_ms, moves);
                }
                RulingKind::Obligation { allowed, free, .. } => {
                    self.allowed = allowed.filter(|_| free != Some(true)).unwrap_or_default();
                }
                RulingKind::OfferStanding { by } => self.offer = Some(by),
                RulingKind::ClaimAvailable { by, rule, intended } => {
                    self.claims.push((by, rule, intended))
                }
                _ => {}
            }
        }
    }

    fn end(
        &mut self,
        result: GameResult,
        reason: Reason,
        article: String,
        text: String,
        evidence: Option<arbiter_plugin::plugin::Evidence>,
    ) {
        let (text, termination) = match (&self.failure, &reason) {
            (Some((what, termination)), _) => (what.clone(), *termination),
            (None, Reason::FlagFall | Reason::FlagFallOpponentCannotMate) => (text, "time forfeit"),
            (None, Reason::SecondIllegalMove | Reason::SecondIllegalMoveOpponentCannotMate) => {
                (text, "illegal move")
            }
            (None, Reason::ForfeitLate | Reason::BothLose) => (text, "abandoned"),
            (None, Reason::ArbiterDecision) => (text, "adjudication"),
            _ => (text, "normal"),
        };
        let termination = termination.to_owned();
        self.ending = Some(Ending { result, reason, article, text, evidence, termination });
    }

    /// Something that the user should know.
    fn note(&mut self, text: String) {
        tracing::warn!("game {}: {text}", self.pairing.number);
        self.push_note(text);
    }

    /// An engine crashed, hangs or cannot be started.
    fn note_fault(&mut self, text: String) {
        tracing::error!("game {}: {text}", self.pairing.number);
        self.disrupted = true;
        self.push_note(text);
    }

    fn push_note(&mut self, text: String) {
        self.notes.push(Note { ply: self.moves.len(), text: printable(&text) });
    }

    /// What there is to be said of the engines and was not said in an earlier game.
    fn warnings(&mut self) -> Vec<Note> {
        let mut notes = Vec::new();
        for (player, index) in self.players.iter_mut().zip([self.pairing.white, self.pairing.black])
        {
            let known = &self.shared.engines[index];
            for warning in std::mem::take(&mut player.warnings) {
                if known.is_new(&warning) {
                    let text = format!("{} {warning}", player.config.name);
                    tracing::warn!("game {}: {text}", self.pairing.number);
                    notes.push(Note { ply: 0, text: printable(&text) });
                }
            }
        }
        notes
    }

    fn into_record(
        mut self,
        opening: &Opening,
        start: chrono::DateTime<chrono::Utc>,
        end: chrono::DateTime<chrono::Utc>,
        duration: Duration,
    ) -> anyhow::Result<GameRecord> {
        let mut notes = self.warnings();
        notes.append(&mut self.notes);
        // A ruling may have taken moves back.
        notes.iter_mut().for_each(|note| note.ply = note.ply.min(self.moves.len()));
        notes.sort_by_key(|note| note.ply);
        let [white, black] = &self.players;
        Ok(GameRecord {
            pairing: self.pairing.clone(),
            white: white.config.name.clone(),
            black: black.config.name.clone(),
            time_controls: [white.config.time_control_tag(), black.config.time_control_tag()],
            chess960: self.shared.tournament.chess960,
            fen: opening.fen.clone(),
            disrupted: self.disrupted,
            final_fen: fen_of(&self.position),
            moves: self.moves,
            notes,
            ending: self.ending.context("the game has no end")?,
            start: start.to_rfc3339_opts(chrono::SecondsFormat::Millis, true),
            end: end.to_rfc3339_opts(chrono::SecondsFormat::Millis, true),
            duration_s: duration.as_secs_f64(),
        })
    }
}

/// The text without what cannot stand in a PGN comment.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || "{}".contains(c) { ' ' } else { c }).collect()
}

/// Why there is no move.
enum Lapse {
    Overstep(Duration),
    Failed(Failure),
}

fn colour(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

fn ends(ruling: &Ruling) -> bool {
    matches!(ruling.kind, RulingKind::GameOver { .. })
}

fn is_restored(ruling: &Ruling) -> bool {
    matches!(ruling.kind, RulingKind::PositionRestored { .. })
}

/// Castling may be written as king to rook or as king by two.
fn same_move(ours: &str, theirs: &str, mode: CastlingMode) -> bool {
    ours == theirs
        || mode == CastlingMode::Standard
            && ours.get(..2) == theirs.get(..2)
            && ours.len() == theirs.len()
}

/// The arbiter's view of the game's conditions.
fn setup(
    tournament: &Tournament,
    opening: &Opening,
    engines: [&EngineConfig; 2],
) -> anyhow::Result<GameSetup> {
    let config = &tournament.arbiter;
    let edition = match config.edition.as_str() {
        "" => None,
        year => Some(year.parse::<Edition>().map_err(|error| anyhow!("-{error}"))?),
    };
    let regulations = Regulations {
        default_time_ms: Some(tournament.startup_ms),
        illegal_moves: match config.illegal {
            Illegal::Laws => IllegalMovePolicy::Laws,
            Illegal::Forfeit => IllegalMovePolicy::Forfeit,
        },
        time_penalty_ms: if is_blitz(engines) { 60_000 } else { 120_000 },
        claims: match config.claims {
            Claims::Auto => ClaimPolicy::Auto,
            Claims::None | Claims::Engine => ClaimPolicy::Players,
        },
        report_claims: config.claims == Claims::Engine,
        ..Regulations::default()
    };
    Ok(GameSetup {
        edition,
        language: None,
        start_fen: opening.fen.clone(),
        chess960: tournament.chess960,
        time_control: shared_control(engines),
        regulations,
    })
}

/// Ten minutes or less for each player, counting sixty increments (Appendix B.1).
fn is_blitz(engines: [&EngineConfig; 2]) -> bool {
    const TEN_MINUTES_MS: u64 = 600_000;
    engines.iter().all(|engine| {
        engine.tc.is_some_and(|control| {
            let whole_game = control.moves.is_none() && !control.infinite;
            whole_game && control.base_ms + 60 * control.increment_ms <= TEN_MINUTES_MS
        })
    })
}

/// The control for the arbiter's clocks, if both sides play under the same one.
fn shared_control([white, black]: [&EngineConfig; 2]) -> TimeControl {
    let shared = white.tc.filter(|control| white.tc == black.tc && !control.infinite);
    let Some(control) = shared else { return TimeControl::default() };
    TimeControl {
        name: Some(control.to_string()),
        mode: if control.increment_ms > 0 { ClockMode::Increment } else { ClockMode::None },
        increment_ms: control.increment_ms,
        increment_up_front: control.base_ms == 0,
        periods: vec![Period { moves: control.moves, base_ms: control.base_ms }],
        repeat_last: control.moves.is_some(),
        ..TimeControl::default()
    }
}

/// Everything behind `go`.
fn go_limits(clocks: &[Clock; 2], side: Side, engine: &EngineConfig) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    let mut add = |name: &str, value: Option<u64>| {
        if let Some(value) = value {
            // Writing to a String cannot fail.
            let _ = write!(text, " {name} {value}");
        }
    };
    if engine.tc.is_some_and(|control| !control.infinite) {
        add("wtime", clocks[0].shown_ms().or(clocks[1].shown_ms()));
        add("btime", clocks[1].shown_ms().or(clocks[0].shown_ms()));
        add("winc", Some(clocks[0].increment_ms()).filter(|increment| *increment > 0));
        add("binc", Some(clocks[1].increment_ms()).filter(|increment| *increment > 0));
        add("movestogo", clocks[side.index()].moves_to_go().map(u64::from));
    } else {
        add("movetime", engine.st_ms);
    }
    add("nodes", engine.nodes);
    add("depth", engine.depth.map(u64::from));
    text
}

fn search_moves(allowed: &[String]) -> String {
    if allowed.is_empty() { String::new() } else { format!(" searchmoves {}", allowed.join(" ")) }
}

/// The final position as an EPD line with counters.
pub fn epd_of(record: &GameRecord) -> String {
    let mode = CastlingMode::from_chess960(record.chess960);
    match position_of(Some(&record.final_fen), mode) {
        Ok(position) => format!(
            "{} hmvc {}; fmvn {};",
            shakmaty::fen::Epd::from_position(&position, EnPassantMode::Legal),
            position.halfmoves(),
            position.fullmoves()
        ),
        Err(_) => record.final_fen.clone(),
    }
}
