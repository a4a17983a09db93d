//! What survives a `kill -9`: a file of JSON lines, the tournament first and then every finished
//! game, each written whole before the next game begins. The PGN and EPD files are written just
//! before it; what they hold beyond the last line of the journal is cut off on resumption.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use super::config::Tournament;
use super::game::epd_of;
use super::pgn;
use super::record::GameRecord;

/// A power cut costs at most the games of this long.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// A line of the journal.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
#[allow(clippy::large_enum_variant)]
enum Entry {
    Start {
        version: String,
        seed: u64,
        pgn_end: Option<u64>,
        epd_end: Option<u64>,
        tournament: Tournament,
    },
    Game {
        pgn_end: Option<u64>,
        epd_end: Option<u64>,
        game: GameRecord,
    },
    End,
}

/// A tournament that was begun.
#[derive(Debug)]
pub struct Begun {
    /// As it was begun.
    pub tournament: Tournament,
    /// Seed of everything random.
    pub seed: u64,
    /// Finished games.
    pub games: Vec<GameRecord>,
    /// Whether nothing is left to be played.
    pub complete: bool,
    length: u64,
    ends: [Option<u64>; 2],
}

/// A file that only ever grows by whole entries.
struct Appender {
    file: File,
    path: PathBuf,
    length: u64,
}

impl Appender {
    fn open(path: &Path, keep: Option<u64>) -> anyhow::Result<Self> {
        let what = || format!("{}", path.display());
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .with_context(what)?;
        let mut length = file.metadata().with_context(what)?.len();
        if let Some(keep) = keep {
            ensure!(
                keep <= length,
                "{} is shorter than the journal says; it cannot be continued",
                path.display()
            );
            if keep < length {
                file.set_len(keep).with_context(what)?;
            }
            length = keep;
        }
        // A device such as /dev/full cannot seek; writing will tell.
        let _ = file.seek(SeekFrom::Start(length));
        Ok(Self { file, path: path.to_path_buf(), length })
    }

    /// Writes all of `text` or, where that fails, leaves the file as it was.
    fn append(&mut self, text: &str) -> anyhow::Result<()> {
        if let Err(error) = self.file.write_all(text.as_bytes()) {
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            return Err(error).with_context(|| format!("cannot write {}", self.path.display()));
        }
        self.length += text.len() as u64;
        Ok(())
    }
}

/// Writes finished games to every file that wants them.
pub struct Recorder {
    journal: Option<Appender>,
    pgn: Option<Appender>,
    epd: Option<Appender>,
    tournament: Tournament,
    synced: Instant,
}

impl Recorder {
    /// Opens the files of a new tournament, or goes on where `begun` stopped. Without `journal`
    /// nothing can be resumed.
    ///
    /// # Errors
    /// A file cannot be opened, or another run uses the journal.
    pub fn open(
        tournament: &Tournament,
        seed: u64,
        journal: Option<&Path>,
        begun: Option<&Begun>,
    ) -> anyhow::Result<Self> {
        let kept = |append: bool, index: usize| match begun {
            Some(begun) => begun.ends[index].or_else(|| (!append).then_some(0)),
            None => (!append).then_some(0),
        };
        let journal = journal.map(|path| open_journal(path, begun)).transpose()?;
        let pgn = tournament
            .pgnout
            .as_ref()
            .map(|pgn| Appender::open(&pgn.file, kept(pgn.append, 0)))
            .transpose()?;
        let epd = tournament
            .epdout
            .as_ref()
            .map(|epd| Appender::open(&epd.file, kept(epd.append, 1)))
            .transpose()?;
        let mut recorder =
            Self { journal, pgn, epd, tournament: tournament.clone(), synced: Instant::now() };
        if begun.is_none() {
            let version = env!("CARGO_PKG_VERSION").to_owned();
            let [pgn_end, epd_end] = recorder.ends();
            let tournament = tournament.clone();
            recorder.enter(&Entry::Start { version, seed, pgn_end, epd_end, tournament })?;
        }
        Ok(recorder)
    }

    /// Puts a finished game on disk.
    ///
    /// # Errors
    /// A file cannot be written; it is then as it was before.
    pub fn record(&mut self, game: &GameRecord) -> anyhow::Result<()> {
        if let (Some(file), Some(options)) = (&mut self.pgn, &self.tournament.pgnout) {
            file.append(&pgn::write(game, &self.tournament, options))?;
        }
        if let Some(file) = &mut self.epd {
            file.append(&format!("{}\n", epd_of(game)))?;
        }
        let [pgn_end, epd_end] = self.ends();
        self.enter(&Entry::Game { pgn_end, epd_end, game: game.clone() })?;
        if self.synced.elapsed() > SYNC_INTERVAL {
            self.sync()?;
        }
        Ok(())
    }

    /// Marks the tournament as complete.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn finish(&mut self) -> anyhow::Result<()> {
        self.enter(&Entry::End)?;
        self.sync()
    }

    fn ends(&self) -> [Option<u64>; 2] {
        [&self.pgn, &self.epd].map(|file| file.as_ref().map(|file| file.length))
    }

    fn enter(&mut self, entry: &Entry) -> anyhow::Result<()> {
        let Some(journal) = &mut self.journal else { return Ok(()) };
        journal.append(&(serde_json::to_string(entry)? + "\n"))
    }

    fn sync(&mut self) -> anyhow::Result<()> {
        self.synced = Instant::now();
        for file in [&self.pgn, &self.epd, &self.journal].into_iter().flatten() {
            match file.file.sync_data() {
                // Pipes and devices have nothing to sync.
                Err(error) if error.kind() != std::io::ErrorKind::InvalidInput => {
                    return Err(error)
                        .with_context(|| format!("cannot write {}", file.path.display()));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn open_journal(path: &Path, begun: Option<&Begun>) -> anyhow::Result<Appender> {
    let mut journal = Appender::open(path, None)?;
    if let Err(std::fs::TryLockError::WouldBlock) = journal.file.try_lock() {
        bail!("{} is in use by another run; give this one its own -journal FILE", path.display());
    }
    let keep = begun.map_or(0, |begun| begun.length);
    if journal.length > keep {
        journal.file.set_len(keep).with_context(|| format!("{}", path.display()))?;
        journal.file.seek(SeekFrom::Start(keep))?;
        journal.length = keep;
    }
    Ok(journal)
}

/// Where the journal of a tournament lies if the user did not say.
pub fn default_path(tournament: &Tournament) -> PathBuf {
    match (&tournament.journal, &tournament.pgnout) {
        (Some(path), _) => path.clone(),
        (None, Some(pgn)) => {
            let mut name = pgn.file.clone().into_os_string();
            name.push(".journal");
            name.into()
        }
        (None, None) => "themis-tournament.journal".into(),
    }
}

/// Moves the journal of an unfinished tournament out of the way; says where it went.
///
/// # Errors
/// It cannot be moved.
pub fn set_aside(path: &Path) -> anyhow::Result<Option<PathBuf>> {
    let unfinished =
        path.is_file() && read(path).is_ok_and(|begun| !begun.complete && !begun.games.is_empty());
    if !unfinished {
        return Ok(None);
    }
    let numbered = |number: u32| PathBuf::from(format!("{}.{number}", path.display()));
    let free = (1..).map(numbered).find(|path| !path.exists()).unwrap_or_else(|| numbered(0));
    std::fs::rename(path, &free).with_context(|| format!("cannot move {}", path.display()))?;
    Ok(Some(free))
}

/// Reads a journal; a line that a crash cut off at its end is left out.
///
/// # Errors
/// It cannot be read, or does not begin as a journal.
pub fn read(path: &Path) -> anyhow::Result<Begun> {
    let file = File::open(path).with_context(|| format!("{}", path.display()))?;
    let mut reader = BufReader::new(file);
    let mut begun: Option<Begun> = None;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let count =
            reader.read_until(b'\n', &mut line).with_context(|| format!("{}", path.display()))?;
        if !line.ends_with(b"\n") {
            break;
        }
        let entry = serde_json::from_slice(&line)
            .with_context(|| format!("{}:{number}", path.display()))?;
        match (&mut begun, entry) {
            (None, Entry::Start { seed, tournament, pgn_end, epd_end, .. }) => {
                let ends = [pgn_end, epd_end];
                begun = Some(Begun {
                    tournament,
                    seed,
                    games: Vec::new(),
                    complete: false,
                    length: 0,
                    ends,
                });
            }
            (Some(begun), Entry::Game { pgn_end, epd_end, game }) => {
                begun.ends = [pgn_end, epd_end];
                begun.games.push(game);
            }
            (Some(begun), Entry::End) => begun.complete = true,
            _ => bail!("{}:{number}: not a journal of a tournament", path.display()),
        }
        if let Some(begun) = &mut begun {
            begun.length += count as u64;
        }
    }
    begun.with_context(|| format!("{}: no tournament was begun there", path.display()))
}
