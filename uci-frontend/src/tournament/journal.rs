//! What survives a `kill -9`: a file of JSON lines, the tournament first and then every finished
//! game, each written whole before the next game begins. The game's line stands there before its
//! text goes to the PGN and EPD files: on resumption what is missing of that text is added, and
//! nothing that stands in those files is removed, as others may have written there meanwhile.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
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

/// How a journal begins.
const HEAD: &[u8] = b"{\"type\":\"start\"";

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
    /// Bytes of whole lines, and of the whole file with a line that was cut off.
    length: u64,
    size: u64,
    /// Lengths of the PGN and EPD files once the last game is in them.
    ends: [Option<u64>; 2],
}

/// A file that only ever grows by whole entries, and that one run at a time may use.
struct Appender {
    file: File,
    path: PathBuf,
    /// Of what is no regular file (a pipe, a device): bytes written.
    written: u64,
    regular: bool,
}

impl Appender {
    /// Opens and locks a file; nothing in it is changed.
    fn open(path: &Path, option: &str) -> anyhow::Result<Self> {
        let what = || format!("{}", path.display());
        let file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .with_context(what)?;
        let regular = file.metadata().with_context(what)?.is_file();
        // Elsewhere a lock would keep readers out too.
        if cfg!(unix)
            && regular
            && let Err(std::fs::TryLockError::WouldBlock) = file.try_lock()
        {
            bail!("{} is in use by another run; give this one its own {option} FILE", what());
        }
        Ok(Self { file, path: path.to_path_buf(), written: 0, regular })
    }

    fn length(&self) -> anyhow::Result<u64> {
        if !self.regular {
            return Ok(self.written);
        }
        let metadata = self.file.metadata();
        Ok(metadata.with_context(|| format!("{}", self.path.display()))?.len())
    }

    /// Cuts off what stands behind so many bytes.
    fn cut(&mut self, length: u64) -> anyhow::Result<()> {
        if !self.regular {
            return Ok(());
        }
        self.file.set_len(length).with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Writes all of `text` or, where that fails, leaves the file as it was.
    fn append(&mut self, text: &str) -> anyhow::Result<()> {
        let length = self.length()?;
        // A device cannot seek; writing will tell.
        let _ = self.file.seek(SeekFrom::Start(length));
        if let Err(error) = self.file.write_all(text.as_bytes()) {
            let _ = self.file.set_len(length);
            return Err(error).with_context(|| format!("cannot write {}", self.path.display()));
        }
        self.written += text.len() as u64;
        Ok(())
    }

    /// What stands behind so many bytes.
    fn behind(&mut self, start: u64) -> anyhow::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file
            .seek(SeekFrom::Start(start))
            .and_then(|_| self.file.read_to_end(&mut bytes))
            .with_context(|| format!("{}", self.path.display()))?;
        Ok(bytes)
    }

    /// Adds what is missing of `text`, which was to end at `end`.
    fn complete(&mut self, text: &str, end: u64, line_ends: usize) -> anyhow::Result<()> {
        if !self.regular {
            return Ok(());
        }
        let start = end.saturating_sub(text.len() as u64);
        ensure!(
            start <= self.length()?,
            "{} is shorter than the journal says; it cannot be continued",
            self.path.display()
        );
        let there = self.behind(start)?;
        if text.as_bytes().starts_with(&there) {
            return match text.get(there.len()..) {
                Some(missing) => self.append(missing),
                // Cut off within a character.
                None => self.cut(start).and_then(|()| self.append(text)),
            };
        }
        if memchr::memmem::find(&there, text.as_bytes()).is_some() {
            return Ok(());
        }
        // Someone wrote behind a part of it.
        self.separate(line_ends)?;
        self.append(text)
    }

    /// Ends the last line of others, with so many line ends, before something new begins.
    fn separate(&mut self, line_ends: usize) -> anyhow::Result<()> {
        let length = self.length()?;
        if !self.regular || length == 0 {
            return Ok(());
        }
        let last = self.behind(length.saturating_sub(2 * line_ends as u64))?;
        let there = last.iter().rev().filter(|byte| **byte != b'\r');
        let there = there.take_while(|byte| **byte == b'\n').count();
        self.append(&"\n".repeat(line_ends.saturating_sub(there)))
    }
}

/// Line ends behind a game of a PGN file, and behind a line of an EPD file.
const LINE_ENDS: [usize; 2] = [2, 1];

/// Writes finished games to every file that wants them.
pub struct Recorder {
    journal: Option<Appender>,
    /// PGN and EPD.
    outputs: [Option<Appender>; 2],
    tournament: Tournament,
    synced: Instant,
    /// Where the journal of an unfinished tournament went that stood in the way.
    pub moved: Option<PathBuf>,
}

impl Recorder {
    /// Opens the files of a new tournament, or goes on where `begun` stopped. Without `journal`
    /// nothing can be resumed. No file is changed before all are open.
    ///
    /// # Errors
    /// A file cannot be opened, is in use by another run, or is no journal.
    pub fn open(
        tournament: &Tournament,
        seed: u64,
        journal: Option<&Path>,
        begun: Option<&Begun>,
    ) -> anyhow::Result<Self> {
        let pgn = tournament.pgnout.as_ref().map(|pgn| (&pgn.file, pgn.append, "-pgnout"));
        let epd = tournament.epdout.as_ref().map(|epd| (&epd.file, epd.append, "-epdout"));
        let open = |of: Option<(&PathBuf, bool, &str)>| {
            of.map(|(path, _, option)| Appender::open(path, option)).transpose()
        };
        let outputs = [open(pgn)?, open(epd)?];
        let (journal, moved) = match journal {
            Some(path) => {
                let (journal, moved) = open_journal(path, begun)?;
                (Some(journal), moved)
            }
            None => (None, None),
        };
        let tournament = tournament.clone();
        let keep = [pgn, epd].map(|of| of.is_some_and(|(_, append, _)| append));
        let mut recorder = Self { journal, outputs, tournament, synced: Instant::now(), moved };
        match begun {
            Some(begun) => recorder.go_on(begun)?,
            None => recorder.begin(seed, keep)?,
        }
        Ok(recorder)
    }

    fn begin(&mut self, seed: u64, keep: [bool; 2]) -> anyhow::Result<()> {
        for (index, output) in self.outputs.iter_mut().enumerate() {
            let Some(output) = output else { continue };
            if keep[index] {
                output.separate(LINE_ENDS[index])?;
            } else {
                output.cut(0)?;
            }
        }
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let [pgn_end, epd_end] = self.ends([0, 0])?;
        let tournament = self.tournament.clone();
        self.enter(&Entry::Start { version, seed, pgn_end, epd_end, tournament })
    }

    fn go_on(&mut self, begun: &Begun) -> anyhow::Result<()> {
        let last = match begun.games.last() {
            Some(game) => self.texts(game),
            None => Default::default(),
        };
        for (index, output) in self.outputs.iter_mut().enumerate() {
            let Some(output) = output else { continue };
            if let Some(end) = begun.ends[index] {
                output.complete(&last[index], end, LINE_ENDS[index])?;
            }
            output.separate(LINE_ENDS[index])?;
        }
        Ok(())
    }

    /// Puts a finished game on disk.
    ///
    /// # Errors
    /// A file cannot be written; it is then as it was before.
    pub fn record(&mut self, game: &GameRecord) -> anyhow::Result<()> {
        let texts = self.texts(game);
        let [pgn_end, epd_end] = self.ends([texts[0].len(), texts[1].len()])?;
        self.enter(&Entry::Game { pgn_end, epd_end, game: game.clone() })?;
        for (output, text) in self.outputs.iter_mut().zip(&texts) {
            if let Some(output) = output {
                output.append(text)?;
            }
        }
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

    /// A game as it goes to the PGN and EPD files.
    fn texts(&self, game: &GameRecord) -> [String; 2] {
        let pgn = self.tournament.pgnout.as_ref();
        let epd = self.tournament.epdout.as_ref();
        [
            pgn.map(|options| pgn::write(game, &self.tournament, options)).unwrap_or_default(),
            epd.map(|_| format!("{}\n", epd_of(game))).unwrap_or_default(),
        ]
    }

    /// Lengths of the PGN and EPD files with so many bytes more.
    fn ends(&self, more: [usize; 2]) -> anyhow::Result<[Option<u64>; 2]> {
        let mut ends = [None, None];
        for (index, output) in self.outputs.iter().enumerate() {
            if let Some(output) = output {
                ends[index] = Some(output.length()? + more[index] as u64);
            }
        }
        Ok(ends)
    }

    fn enter(&mut self, entry: &Entry) -> anyhow::Result<()> {
        let Some(journal) = &mut self.journal else { return Ok(()) };
        journal.append(&(serde_json::to_string(entry)? + "\n"))
    }

    fn sync(&mut self) -> anyhow::Result<()> {
        self.synced = Instant::now();
        for file in self.outputs.iter().chain([&self.journal]).flatten() {
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

/// Opens the journal for what comes next. One of an unfinished tournament that nobody goes on
/// with is moved out of the way; the second value says where to.
fn open_journal(path: &Path, begun: Option<&Begun>) -> anyhow::Result<(Appender, Option<PathBuf>)> {
    let mut journal = Appender::open(path, "-journal")?;
    let Some(begun) = begun else {
        ensure!(
            !journal.regular || HEAD.starts_with(&journal.head()?),
            "{} is there and no journal of a tournament; give another -journal FILE",
            path.display()
        );
        if journal.length()? > 0 && !is_spent(path) {
            let moved = set_aside(path)?;
            // The lock on the old one is held until the new one is locked.
            return Ok((Appender::open(path, "-journal")?, Some(moved)));
        }
        journal.cut(0)?;
        return Ok((journal, None));
    };
    ensure!(
        !journal.regular || journal.length()? == begun.size,
        "{} was written to by another run; try again",
        path.display()
    );
    journal.cut(begun.length)?;
    Ok((journal, None))
}

impl Appender {
    /// Its first bytes, as many as say whether it is a journal.
    fn head(&mut self) -> anyhow::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file
            .seek(SeekFrom::Start(0))
            .and_then(|_| (&self.file).take(HEAD.len() as u64).read_to_end(&mut bytes))
            .with_context(|| format!("{}", self.path.display()))?;
        Ok(bytes)
    }
}

/// Whether nothing would be lost with the journal.
fn is_spent(path: &Path) -> bool {
    read(path).is_ok_and(|begun| begun.complete || begun.games.is_empty())
}

/// Moves a journal out of the way; says where it went.
fn set_aside(path: &Path) -> anyhow::Result<PathBuf> {
    let numbered = |number: u32| PathBuf::from(format!("{}.{number}", path.display()));
    let free = (1..).map(numbered).find(|path| !path.exists()).unwrap_or_else(|| numbered(0));
    std::fs::rename(path, &free).with_context(|| format!("cannot move {}", path.display()))?;
    Ok(free)
}

/// Where the journal of a tournament lies if the user did not say: beside the PGN file, but not
/// beside a device or a pipe.
pub fn default_path(tournament: &Tournament) -> PathBuf {
    match (&tournament.journal, &tournament.pgnout) {
        (Some(path), _) => path.clone(),
        (None, Some(pgn)) if pgn.file.is_file() || !pgn.file.exists() => {
            let mut name = pgn.file.clone().into_os_string();
            name.push(".journal");
            name.into()
        }
        (None, _) => "themis-tournament.journal".into(),
    }
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
            if let Some(begun) = &mut begun {
                begun.size = begun.length + count as u64;
            }
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
                    size: 0,
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
