//! The chess clock (Article 6), modelled as accounts: what was allotted, used and adjusted.
//!
//! What a player is allotted follows from the moves he has completed, so undoing a move takes
//! back exactly what its press had gained.

use crate::plugin::{ClockMode, Side, TimeControl};

/// Both displays of a clock. Milliseconds throughout.
#[derive(Clone, Debug)]
pub struct Clocks {
    control: TimeControl,
    accounts: [Account; 2],
    running: Option<Side>,
    /// The moment up to which time has been booked.
    booked: u64,
    /// Whether the arbiter or a player has stopped both clocks (6.11).
    stopped: bool,
    /// What the last completed move of each player cost.
    last_cost: [i64; 2],
}

#[derive(Clone, Copy, Debug, Default)]
struct Account {
    /// Moves completed.
    completed: u32,
    /// Time used for moves completed, without what a delay paid for.
    used: i64,
    /// Time the running move has taken so far.
    this_move: i64,
    /// Increments credited by presses.
    credit: i64,
    /// Penalties, bonuses and corrections.
    adjusted: i64,
    /// The period whose time he has, though his completed moves have not earned it (7.1, 8.6).
    reached: u32,
    /// A press came after the time of its period was used up, and nobody has noticed (6.8).
    overstepped: bool,
}

/// What a press changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Press {
    /// The increment credited.
    pub credit: i64,
    /// A new period began.
    pub new_period: bool,
}

/// What a clock shows, for leaving it as it is (7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    left: i64,
    period: u32,
}

/// What a player had used when a move was made, for turning the clocks back (7.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used([i64; 2]);

impl Clocks {
    /// Clocks set for `control`, standing still.
    ///
    /// # Errors
    /// What is wrong with the time control (6.3.1).
    pub fn new(control: TimeControl) -> Result<Self, String> {
        check_periods(&control)?;
        let up_front = control.mode == ClockMode::Increment && control.increment_up_front;
        let account = Account {
            credit: if up_front { control.increment_ms as i64 } else { 0 },
            ..Account::default()
        };
        Ok(Self {
            control,
            accounts: [account; 2],
            running: None,
            booked: 0,
            stopped: false,
            last_cost: [0; 2],
        })
    }

    /// Whether the game is played with clocks at all.
    pub fn in_use(&self) -> bool {
        !self.control.periods.is_empty()
    }

    /// The time control.
    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    /// Whose clock runs, or would run if it were not stopped.
    pub fn running(&self) -> Option<Side> {
        self.running
    }

    /// Whether the clocks are stopped (6.11).
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Lets time pass up to `now`.
    pub fn advance(&mut self, now: u64) {
        let elapsed = now.saturating_sub(self.booked) as i64;
        self.booked = self.booked.max(now);
        if let Some(side) = self.running.filter(|_| !self.stopped) {
            self.accounts[side.index()].this_move += elapsed;
        }
    }

    /// Starts the clock of `side`; time before is nobody's.
    pub fn start(&mut self, side: Side, now: u64) {
        self.running = Some(side);
        self.booked = self.booked.max(now);
    }

    /// Takes back the time that has run on `side`'s present move.
    pub fn clear_move(&mut self, side: Side) {
        self.accounts[side.index()].this_move = 0;
    }

    /// Stops both clocks.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// Lets the clock run on.
    pub fn resume(&mut self) {
        self.stopped = false;
    }

    /// The clock of `side` runs (again).
    pub fn hand_to(&mut self, side: Side) {
        self.running = Some(side);
    }

    /// Milliseconds `side` has left; zero or less is a fallen flag.
    pub fn remaining(&self, side: Side) -> i64 {
        let account = &self.accounts[side.index()];
        self.allotted(account) - account.used - self.charged(account.this_move)
    }

    /// Whether the time of `side` is used up, now or when an earlier press came too late.
    pub fn fallen(&self, side: Side) -> bool {
        self.in_use() && (self.remaining(side) <= 0 || self.accounts[side.index()].overstepped)
    }

    /// Moves completed by `side`.
    pub fn completed(&self, side: Side) -> u32 {
        self.accounts[side.index()].completed
    }

    /// The period `side` is in by his completed moves, counted from 0.
    pub fn period(&self, side: Side) -> u32 {
        self.period_of(self.accounts[side.index()].completed)
    }

    /// Whether `side` must make all remaining moves in the time he has.
    pub fn in_last_period(&self, side: Side) -> bool {
        let period = self.period_allotted(&self.accounts[side.index()]);
        !self.control.repeat_last && period as usize + 1 >= self.control.periods.len()
    }

    /// Completes a move of `side`: with a press that moves the clock, or without (6.2.1.2).
    pub fn complete(&mut self, side: Side, pressed: bool) -> Press {
        self.note_overstep(side);
        let before = self.period_allotted(&self.accounts[side.index()]);
        let mut press = Press::default();
        let charged = self.charged(self.accounts[side.index()].this_move);
        let account = &mut self.accounts[side.index()];
        account.completed = account.completed.saturating_add(1);
        if pressed {
            account.used += charged;
            self.last_cost[side.index()] = charged;
            account.this_move = 0;
            if self.control.mode == ClockMode::Increment {
                press.credit = self.control.increment_ms as i64;
                account.credit += press.credit;
            }
            self.running = Some(side.opponent());
        }
        let after = self.period_allotted(&self.accounts[side.index()]);
        press.new_period = self.in_use() && after > before;
        press
    }

    /// The press of an illegal move, as far as it is the player's gain.
    pub fn credit_increment(&mut self, side: Side) -> i64 {
        if self.control.mode != ClockMode::Increment {
            return 0;
        }
        self.note_overstep(side);
        let credit = self.control.increment_ms as i64;
        self.accounts[side.index()].credit += credit;
        credit
    }

    /// Takes back an increment.
    pub fn uncredit(&mut self, side: Side, credit: i64) {
        self.accounts[side.index()].credit -= credit;
    }

    /// What the last completed move of `side` cost him.
    pub fn used_on_last_move(&self, side: Side) -> i64 {
        self.last_cost[side.index()]
    }

    /// Takes back a completed move and what its press had gained (7.1).
    pub fn uncomplete(&mut self, side: Side, credit: i64) {
        let account = &mut self.accounts[side.index()];
        account.completed = account.completed.saturating_sub(1);
        account.credit -= credit;
    }

    /// What the players have used so far.
    pub fn used(&self) -> Used {
        Used(self.accounts.map(|account| account.used + self.charged(account.this_move)))
    }

    /// Turns the clocks back to what had been used then (7.1).
    pub fn rewind(&mut self, used: Used) {
        for (account, used) in self.accounts.iter_mut().zip(used.0) {
            account.used = used;
            account.this_move = 0;
            account.overstepped = false;
        }
    }

    /// What both clocks show.
    pub fn shown(&self) -> [Shown; 2] {
        Side::BOTH.map(|side| Shown {
            left: self.remaining(side),
            period: self.period_allotted(&self.accounts[side.index()]),
        })
    }

    /// Leaves the clock of `side` as it was before moves were taken back, where that has used up
    /// his time: no flag falls by it, and no period is given twice (7.1). Returns the change.
    pub fn settle(&mut self, side: Side, before: Shown) -> i64 {
        if self.remaining(side) <= 0 {
            self.accounts[side.index()].reached = before.period;
            self.adjust(side, before.left - self.remaining(side));
        }
        self.remaining(side) - before.left
    }

    /// Adds to (or takes from) the time of `side`.
    pub fn adjust(&mut self, side: Side, delta: i64) {
        self.accounts[side.index()].adjusted += delta;
    }

    /// Sets what `side` has left; returns the change.
    pub fn set(&mut self, side: Side, ms: i64) -> i64 {
        let delta = ms.saturating_sub(self.remaining(side));
        self.adjust(side, delta);
        self.accounts[side.index()].overstepped = false;
        delta
    }

    /// Sets the move counter of `side` without changing his time.
    pub fn set_completed(&mut self, side: Side, completed: u32) {
        let left = self.remaining(side);
        self.accounts[side.index()].completed = completed;
        self.accounts[side.index()].reached = 0;
        self.set(side, left);
    }

    /// Lets the next move that `side` makes be the first of his next period (8.6); `unpressed`
    /// is one made before, and still to be completed. Says whether there is a next period.
    pub fn grant_period(&mut self, side: Side, unpressed: bool) -> bool {
        if !self.in_use() || self.in_last_period(side) {
            return false;
        }
        let period = self.period_allotted(&self.accounts[side.index()]);
        let quota = self.quota(period);
        let account = &mut self.accounts[side.index()];
        account.completed = account.completed.max(quota.saturating_sub(u32::from(unpressed)));
        account.reached = period + 1;
        account.overstepped = false;
        true
    }

    /// A press after the time was used up does not undo that, whatever it credits.
    fn note_overstep(&mut self, side: Side) {
        self.accounts[side.index()].overstepped |= self.in_use() && self.remaining(side) <= 0;
    }

    fn charged(&self, spent: i64) -> i64 {
        match self.control.mode {
            ClockMode::Delay => (spent - self.control.delay_ms as i64).max(0),
            ClockMode::None | ClockMode::Increment => spent,
        }
    }

    fn allotted(&self, account: &Account) -> i64 {
        let periods = &self.control.periods;
        let last_base = periods.last().map_or(0, |period| period.base_ms as i64);
        let reached = i64::from(self.period_allotted(account));
        let listed: i64 =
            periods.iter().take(reached as usize + 1).map(|period| period.base_ms as i64).sum();
        let repeated = (reached + 1 - periods.len() as i64).max(0);
        listed + repeated * last_base + account.credit + account.adjusted
    }

    /// The last period whose time the player has.
    fn period_allotted(&self, account: &Account) -> u32 {
        self.period_of(account.completed).max(account.reached)
    }

    /// The moves to be completed by the end of a period that prescribes a number.
    fn quota(&self, period: u32) -> u32 {
        let periods = &self.control.periods;
        (0..=period as usize)
            .filter_map(|index| periods.get(index).or(periods.last())?.moves)
            .fold(0, u32::saturating_add)
    }

    fn period_of(&self, completed: u32) -> u32 {
        let mut left = completed;
        for (index, period) in self.control.periods.iter().enumerate() {
            match period.moves {
                Some(moves) if left >= moves => left -= moves,
                _ => return index as u32,
            }
        }
        // All listed periods are over: the last one repeats.
        match self.control.periods.last().and_then(|period| period.moves) {
            Some(moves) => self.control.periods.len() as u32 + left / moves,
            None => 0,
        }
    }
}

/// More than a year on one clock is a slip of the pen, and far from any overflow.
const LONGEST_MS: u64 = 400 * 24 * 3_600_000;

fn check_periods(control: &TimeControl) -> Result<(), String> {
    let Some((last, before)) = control.periods.split_last() else { return Ok(()) };
    if before.iter().any(|period| period.moves.is_none()) {
        return Err("only the last period may be for all remaining moves (6.3.1)".into());
    }
    if control.periods.iter().any(|period| period.moves == Some(0)) {
        return Err("a period of 0 moves (6.3.1)".into());
    }
    if control.repeat_last && last.moves.is_none() {
        return Err("a period for all remaining moves cannot repeat (6.3.1)".into());
    }
    if !control.repeat_last && last.moves.is_some() {
        return Err("the last period still has a number of moves; expected null or repeat_last \
                    (6.3.1)"
            .into());
    }
    if control.periods.iter().any(|period| period.base_ms > LONGEST_MS)
        || control.increment_ms > LONGEST_MS
        || control.delay_ms > LONGEST_MS
    {
        return Err(format!("more than {LONGEST_MS} ms"));
    }
    Ok(())
}
