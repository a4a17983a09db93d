//! Plays a tournament: worker threads take games from the schedule; every finished game is on
//! disk before its worker takes the next.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use arbiter_plugin::plugin::{Arbiter, Edition, Language};

use super::adjudication::Tables;
use super::config::Tournament;
use super::game::{Known, Shared, play};
use super::journal::{Begun, Recorder};
use super::live::{Display, say};
use super::opening::Book;
use super::player::Player;
use super::process::kill_all;
use super::record::GameRecord;
use super::schedule::{Next, Pairing, Schedule};
use super::standings::Standings;
use super::stats::Verdict;

/// How often who waits looks whether there is anything to wait for.
const GLANCE: Duration = Duration::from_millis(200);

/// The user asked to stop.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// How a tournament came out.
pub struct Outcome {
    /// Results.
    pub standings: Standings,
    /// Finished games in the order of the schedule.
    pub games: Vec<GameRecord>,
    /// Everything was played (or the sequential test decided).
    pub complete: bool,
    /// Who won, where the format says so.
    pub winner: Option<usize>,
    /// What the results alone do not tell.
    pub remarks: Vec<String>,
}

/// Ends all engines on Ctrl-C and the like; their games are abandoned, not recorded.
///
/// # Errors
/// The handler cannot be installed.
pub fn handle_interrupts() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::SeqCst);
        kill_all();
    })
    .context("cannot watch for interrupts")
}

/// Whether the user asked to stop.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Plays the tournament, or what `begun` left of it.
///
/// # Errors
/// An opening is bad, a file cannot be written, the arbiter does not answer. Finished games are
/// on disk.
pub fn run(
    tournament: &Tournament,
    seed: u64,
    book: &Book,
    journal: Option<&Path>,
    begun: Option<&Begun>,
) -> anyhow::Result<Outcome> {
    let tables = Tables::open(tournament)?;
    let edition = match tournament.arbiter.edition.as_str() {
        "" => Edition::default(),
        year => year.parse().map_err(anyhow::Error::msg)?,
    };
    let plugin = tournament.arbiter.plugin.clone();
    let arbiter = move || -> anyhow::Result<Box<dyn Arbiter>> {
        crate::plugin_host::open(plugin.as_deref(), edition, Language::English)
    };
    // A bad plugin shows before the first game.
    arbiter()?;
    let recorder = Recorder::open(tournament, seed, journal, begun)?;
    if let (Some(moved), Some(journal)) = (&recorder.moved, journal) {
        say(&format!(
            "An unfinished tournament was in {}; continue it with -resume {}",
            journal.display(),
            moved.display()
        ));
    }
    let display = Display::new(tournament);
    let mut standings = Standings::new(tournament);
    let finished: HashMap<usize, GameRecord> = begun
        .into_iter()
        .flat_map(|begun| &begun.games)
        .map(|game| (game.pairing.number, game.clone()))
        .collect();
    for game in finished.values() {
        standings.add(game);
    }
    // A sequential test that is decided stays so, whatever games at other boards came after.
    let ended = begun.is_some_and(|begun| begun.complete);
    let decided =
        standings.verdict(tournament) != Verdict::Open || ended && tournament.sprt.is_some();
    let hall = Hall {
        tournament,
        book,
        tables: tables.as_ref(),
        arbiter: &arbiter,
        engines: engines(tournament, &finished),
        display: &display,
        turn: Condvar::new(),
        desk: Mutex::new(Desk {
            schedule: Schedule::new(tournament, seed),
            recorder,
            standings,
            games: finished.values().cloned().collect(),
            finished,
            stop: decided,
            complete: decided,
            error: None,
        }),
    };
    std::thread::scope(|scope| {
        for index in 0..tournament.concurrency {
            let hall = &hall;
            scope.spawn(move || hall.work(index));
        }
    });
    display.finish();
    let mut desk = hall.desk.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = desk.error {
        return Err(error);
    }
    if desk.complete && !ended {
        desk.recorder.finish()?;
    }
    desk.games.sort_by_key(|game| game.pairing.number);
    let schedule = &desk.schedule;
    desk.standings.stages = schedule.stages();
    Ok(Outcome {
        complete: desk.complete,
        winner: schedule.winner().filter(|_| desk.complete),
        remarks: schedule.remarks(|engine| tournament.engines[engine].name.clone()),
        games: desk.games,
        standings: desk.standings,
    })
}

/// What is known of the engines from these games: who made a move was started.
fn engines(tournament: &Tournament, games: &HashMap<usize, GameRecord>) -> Vec<Known> {
    let played = |engine: usize| {
        games.values().any(|game| {
            [game.pairing.white, game.pairing.black].contains(&engine)
                && game.moves.iter().any(|played| !played.book)
        })
    };
    (0..tournament.engines.len()).map(|engine| Known::new(played(engine))).collect()
}

/// What the workers share.
struct Hall<'a> {
    tournament: &'a Tournament,
    book: &'a Book,
    tables: Option<&'a Tables>,
    arbiter: &'a (dyn Fn() -> anyhow::Result<Box<dyn Arbiter>> + Sync),
    display: &'a Display,
    engines: Vec<Known>,
    turn: Condvar,
    desk: Mutex<Desk>,
}

/// What only one worker at a time may touch.
struct Desk {
    schedule: Schedule,
    recorder: Recorder,
    standings: Standings,
    games: Vec<GameRecord>,
    /// Games of the run before, by number, until the schedule comes to them.
    finished: HashMap<usize, GameRecord>,
    stop: bool,
    complete: bool,
    error: Option<anyhow::Error>,
}

impl Hall<'_> {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One worker: plays games until there are no more.
    fn work(&self, index: usize) {
        let _guard = StopOnPanic(self);
        let affinity = &self.tournament.affinity;
        let cpu = (!affinity.is_empty()).then(|| affinity[index % affinity.len()]);
        let mut players: HashMap<usize, Player> = HashMap::new();
        let mut pause = Duration::ZERO;
        while let Some(pairing) = self.next_game().filter(|_| self.rest(pause)) {
            pause = Duration::from_millis(self.tournament.wait_ms);
            players.retain(|engine, player| {
                let needed = [pairing.white, pairing.black].contains(engine);
                if !needed {
                    player.quit();
                }
                needed
            });
            for engine in [pairing.white, pairing.black] {
                let config = &self.tournament.engines[engine];
                players.entry(engine).or_insert_with(|| Player::new(config, self.tournament, cpu));
            }
            let [Some(white), Some(black)] =
                players.get_disjoint_mut([&pairing.white, &pairing.black])
            else {
                unreachable!("both were put there")
            };
            let record = self.play(index, &pairing, [white, black]);
            if !self.take(&pairing, record) {
                break;
            }
        }
        for player in players.values_mut() {
            player.quit();
        }
        self.turn.notify_all();
    }

    /// Waits between two games; false if there is to be no other one.
    fn rest(&self, pause: Duration) -> bool {
        let began = Instant::now();
        let mut desk = self.desk();
        while !desk.stop && !interrupted() {
            let left = pause.saturating_sub(began.elapsed());
            if left.is_zero() {
                return true;
            }
            let waited = self.turn.wait_timeout(desk, left.min(GLANCE));
            desk = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        false
    }

    fn next_game(&self) -> Option<Pairing> {
        let mut desk = self.desk();
        loop {
            if desk.stop || interrupted() {
                return None;
            }
            match desk.schedule.next() {
                Next::Game(pairing) => match desk.finished.remove(&pairing.number) {
                    Some(game) => {
                        let [white, black] = game.ending.half_points();
                        desk.schedule.record(&pairing, white, black);
                    }
                    None => return Some(pairing),
                },
                Next::Wait => {
                    let waited = self.turn.wait_timeout(desk, GLANCE);
                    desk = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                Next::Done => {
                    desk.complete = true;
                    return None;
                }
            }
        }
    }

    fn play(
        &self,
        worker: usize,
        pairing: &Pairing,
        players: [&mut Player; 2],
    ) -> anyhow::Result<GameRecord> {
        let opening = self.book.get(pairing.opening)?;
        self.display.started(worker, pairing);
        let [white, black] =
            [pairing.white, pairing.black].map(|engine| &self.tournament.engines[engine].name);
        tracing::info!("game {} starts: {white} v {black}", pairing.number);
        let shared = Shared {
            tournament: self.tournament,
            tables: self.tables,
            arbiter: self.arbiter,
            engines: &self.engines,
            watch: &|pairing, plies, played| self.display.moved(worker, pairing, plies, played),
        };
        play(&shared, pairing, &opening, players).with_context(|| {
            format!("game {} ({})", pairing.number, opening.fen.as_deref().unwrap_or("startpos"))
        })
    }

    /// Takes a finished game in; false if this was the last.
    fn take(&self, pairing: &Pairing, record: anyhow::Result<GameRecord>) -> bool {
        let mut desk = self.desk();
        // Engines that an interrupt ended did not lose.
        if interrupted() || desk.error.is_some() {
            return false;
        }
        let written = record.and_then(|record| desk.recorder.record(&record).map(|()| record));
        let record = match written {
            Ok(record) => record,
            Err(error) => {
                desk.error = Some(error);
                desk.stop = true;
                drop(desk);
                kill_all();
                return false;
            }
        };
        let [white, black] = record.ending.half_points();
        desk.schedule.record(pairing, white, black);
        desk.standings.add(&record);
        desk.standings.stages = desk.schedule.stages();
        if desk.standings.verdict(self.tournament) != Verdict::Open {
            desk.stop = true;
            desk.complete = true;
        }
        desk.stop |= record.disrupted && !self.tournament.recover;
        let (result, number) = (record.ending.result.as_str(), record.pairing.number);
        tracing::info!("game {number} ends: {result} {}", record.ending.sentence());
        self.display.finished(&record, &desk.standings, self.tournament);
        desk.games.push(record);
        self.turn.notify_all();
        !desk.stop
    }
}

/// A worker that panics takes the others and all engines with it instead of leaving them waiting.
struct StopOnPanic<'a, 'b>(&'a Hall<'b>);

impl Drop for StopOnPanic<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let mut desk = self.0.desk();
            desk.stop = true;
            desk.error.get_or_insert_with(|| {
                anyhow::anyhow!("a worker failed; finished games are saved")
            });
            drop(desk);
            kill_all();
        }
    }
}

/// Where the configuration goes.
///
/// # Errors
/// The file cannot be written.
pub fn write_config(tournament: &Tournament, path: &Path) -> anyhow::Result<()> {
    let text = if path.extension().is_some_and(|extension| extension == "toml") {
        toml::to_string_pretty(tournament)?
    } else {
        serde_json::to_string_pretty(tournament)?
    };
    write_whole(path, &text)
}

/// Puts a file in place in one step: a reader sees the old one or the new one.
///
/// # Errors
/// It cannot be written.
pub fn write_whole(path: &Path, text: &str) -> anyhow::Result<()> {
    use std::io::Write;
    let what = || format!("cannot write {}", path.display());
    if path.exists() && !path.is_file() {
        return std::fs::write(path, text).with_context(what);
    }
    let mut file = beside(path)?;
    file.write_all(text.as_bytes()).with_context(what)?;
    file.as_file().sync_data().with_context(what)?;
    file.persist(path).map_err(|error| error.error).with_context(what)?;
    Ok(())
}

/// Finds out before the games whether [`write_whole`] can put a file there.
///
/// # Errors
/// It cannot.
pub fn ensure_writable(path: &Path) -> anyhow::Result<()> {
    let what = || format!("cannot write {}", path.display());
    anyhow::ensure!(!path.is_dir(), "cannot write {}: it is a folder", path.display());
    if path.exists() && !path.is_file() {
        return std::fs::File::options().write(true).open(path).map(drop).with_context(what);
    }
    beside(path).map(drop)
}

/// A new file in the folder of `path`, which vanishes unless it is put in its place.
fn beside(path: &Path) -> anyhow::Result<tempfile::NamedTempFile> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let what = || format!("cannot write {}", path.display());
    std::fs::metadata(dir).with_context(what)?;
    let mut builder = tempfile::Builder::new();
    // Readable for all whom the user's mask lets read, as any other file that is written.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(dir).with_context(what)
}
