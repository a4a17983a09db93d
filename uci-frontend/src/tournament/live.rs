//! What the user sees while games are played: on a terminal a line per running game and a
//! summary that stay in place, otherwise plain lines.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::config::{OutputStyle, Tournament};
use super::record::{GameRecord, MoveRecord};
use super::schedule::{Pairing, Schedule};
use super::standings::Standings;
use super::stats::Sprt;

/// Redraws per second.
const FRAMES: u8 = 8;

/// The running report.
pub struct Display {
    names: Vec<String>,
    total: Option<usize>,
    live: Option<Live>,
    finished: AtomicU64,
}

struct Live {
    all: MultiProgress,
    boards: Vec<ProgressBar>,
    summary: ProgressBar,
}

impl Display {
    /// A display on standard output.
    pub fn new(tournament: &Tournament) -> Self {
        let total = Schedule::new(tournament, 0).total();
        let live =
            std::io::stdout().is_terminal().then(|| Live::new(tournament.concurrency, total));
        let names = tournament.engines.iter().map(|engine| engine.name.clone()).collect();
        Self { names, total, live, finished: AtomicU64::new(0) }
    }

    /// A game begins.
    pub fn started(&self, worker: usize, pairing: &Pairing) {
        let players = self.players(pairing);
        match &self.live {
            Some(live) => {
                live.boards[worker].set_message(format!("game {} {players}", pairing.number))
            }
            None => match self.total {
                Some(total) => {
                    say(&format!("Started game {} of {total} ({players})", pairing.number));
                }
                None => say(&format!("Started game {} ({players})", pairing.number)),
            },
        }
    }

    /// A move was made.
    pub fn moved(&self, worker: usize, pairing: &Pairing, plies: usize, played: &MoveRecord) {
        if let Some(live) = &self.live {
            let score = played.score.map(|score| score.to_string()).unwrap_or_default();
            live.boards[worker].set_message(format!(
                "game {} {}  move {}  {}  {score}/{}",
                pairing.number,
                self.players(pairing),
                plies.div_ceil(2),
                played.uci,
                played.depth.unwrap_or(0)
            ));
        }
    }

    /// A game is over and on disk.
    pub fn finished(&self, record: &GameRecord, standings: &Standings, tournament: &Tournament) {
        let ending = &record.ending;
        self.print(&format!(
            "Finished game {} ({}): {} {{{}}}",
            record.pairing.number,
            self.players(&record.pairing),
            ending.result.as_str(),
            ending.sentence()
        ));
        for note in &record.notes {
            self.print(&format!("  after ply {}: {}", note.ply, note.text));
        }
        let count = self.finished.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(live) = &self.live {
            live.summary.set_position(standings.games() as u64);
            live.summary.set_message(summary(standings, tournament));
        }
        let due = |interval: u32| interval > 0 && count.is_multiple_of(u64::from(interval));
        if tournament.output == OutputStyle::Cutechess
            && due(tournament.scoreinterval)
            && self.names.len() == 2
        {
            let report = standings.report(tournament);
            self.print(report.lines().next().unwrap_or(""));
        }
        if due(tournament.ratinginterval) {
            self.print(&framed(&standings.report(tournament)));
        }
    }

    /// The last word: nothing stays in place any more.
    pub fn finish(&self) {
        if let Some(live) = &self.live {
            for bar in live.boards.iter().chain([&live.summary]) {
                bar.finish_and_clear();
            }
        }
    }

    fn players(&self, pairing: &Pairing) -> String {
        format!("{} vs {}", self.names[pairing.white], self.names[pairing.black])
    }

    fn print(&self, text: &str) {
        match &self.live {
            // A terminal that went away is no reason to stop the games.
            Some(live) => drop(live.all.println(text)),
            None => say(text),
        }
    }
}

impl Live {
    fn new(boards: usize, total: Option<usize>) -> Self {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stdout_with_hz(FRAMES));
        let style = |template: &str| {
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
        };
        let board = |_| {
            let bar = all.add(ProgressBar::new_spinner());
            bar.set_style(style("  {msg}"));
            bar
        };
        let boards = (0..boards).map(board).collect();
        let summary = all.add(ProgressBar::new(total.unwrap_or(0) as u64));
        summary.set_style(style("[{elapsed_precise}] {pos}/{len} games, {msg}"));
        Self { all, boards, summary }
    }
}

/// The state in one line.
fn summary(standings: &Standings, tournament: &Tournament) -> String {
    if tournament.engines.len() > 2 {
        let leaders: Vec<String> = standings
            .ranking()
            .into_iter()
            .take(4)
            .map(|engine| {
                format!("{} {:.1}", standings.name(engine), standings.overall(engine).points())
            })
            .collect();
        return leaders.join(", ");
    }
    let tally = standings.between(0, 1);
    let mut text = format!("+{} ={} -{}", tally.wdl[0], tally.wdl[1], tally.wdl[2]);
    if let (Some(elo), Some(los)) = (tally.elo(), tally.los()) {
        text.push_str(&format!(
            ", Elo {:.1} ± {:.1}, LOS {:.1} %",
            elo.value,
            elo.error,
            los * 100.0
        ));
    }
    text.push_str(&format!(", pairs {:?}", tally.pairs));
    if let Some(ratio) = tally.draw_ratio() {
        text.push_str(&format!(", draws {:.0} %", ratio * 100.0));
    }
    if let Some(config) = tournament.sprt {
        let sprt = Sprt::new(config);
        let (lower, upper) = sprt.bounds();
        text.push_str(&format!(", LLR {:.2} ({lower:.2}, {upper:.2})", sprt.llr(tally)));
    }
    text
}

/// A line on standard output; a reader that went away is no reason to stop the games.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

/// A report between two lines.
pub fn framed(report: &str) -> String {
    const LINE: &str = "--------------------------------------------------";
    format!("{LINE}\n{report}{LINE}")
}
