//! Games read on one thread, judged on many, reported in order; memory stays bounded.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use anyhow::anyhow;
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use indicatif::ProgressBar;

use super::record::Record;
use super::replay::Replay;
use super::report::GameReport;
use super::source::Source;
use super::split::{RawGame, Splitter};
use super::verdict::{Auditor, Class, Finding};

/// Bytes of games that a worker takes at once.
const BATCH_BYTES: usize = 1 << 18;

/// Games that follow one another in a file.
#[derive(Default)]
struct Batch {
    number: u64,
    file: String,
    /// The number of the first game in its file, from 1.
    first: u64,
    games: Vec<RawGame>,
}

/// Makes the auditor of one worker.
pub type MakeAuditor<'a> = dyn Fn() -> anyhow::Result<Auditor> + Sync + 'a;

/// Reads all games of the sources and gives the reports, in order, to `report`. Returns why
/// sources could not be read to their end; what was read of them is reported, and so are the others.
///
/// # Errors
/// There is no arbiter, or `report` fails.
pub fn run(
    sources: &[Source],
    threads: usize,
    make: &MakeAuditor<'_>,
    progress: &ProgressBar,
    mut report: impl FnMut(GameReport) -> anyhow::Result<()>,
) -> anyhow::Result<Vec<anyhow::Error>> {
    // Built here first, so that an arbiter that cannot be had is said once, before anything else.
    let auditors = (0..threads).map(|_| make()).collect::<anyhow::Result<Vec<_>>>()?;
    // A batch under way holds a token: a slow one cannot make the others pile up behind it.
    let tokens = threads * 4;
    let (token_back, token) = bounded(tokens);
    for _ in 0..tokens {
        token_back.send(())?;
    }
    let (batches_in, batches) = bounded(tokens);
    let (reports_in, reports) = unbounded();
    // Moved in, so that an early end closes the channels and with them ends the threads.
    thread::scope(move |scope| {
        let reader = scope.spawn(move || read(sources, progress, &token, &batches_in));
        for auditor in auditors {
            let (batches, reports_in) = (batches.clone(), reports_in.clone());
            scope.spawn(move || work(auditor, &batches, &reports_in));
        }
        drop((batches, reports_in));
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (number, games) in reports {
            waiting.insert(number, games);
            while let Some(games) = waiting.remove(&next) {
                next += 1;
                // The reader may have gone already.
                let _ = token_back.try_send(());
                for game in games {
                    report(game)?;
                }
            }
        }
        reader.join().map_err(|_| anyhow!("the reader of the games failed"))
    })
}

/// Reads the sources one after the other; returns what failed.
fn read(
    sources: &[Source],
    progress: &ProgressBar,
    token: &Receiver<()>,
    batches: &Sender<Batch>,
) -> Vec<anyhow::Error> {
    let mut failed = Vec::new();
    let mut number = 0;
    for source in sources {
        let mut splitter = match source.open(progress) {
            Ok(input) => Splitter::new(input),
            Err(error) => {
                failed.push(error);
                continue;
            }
        };
        let mut first = 1;
        loop {
            let (games, end) = take_batch(&mut splitter);
            let count = games.len() as u64;
            if count > 0 {
                // The report has failed when nobody gives tokens or takes batches any more.
                if token.recv().is_err() {
                    return failed;
                }
                let batch = Batch { number, file: source.name(), first, games };
                if batches.send(batch).is_err() {
                    return failed;
                }
                number += 1;
                first += count;
            }
            match end {
                End::More => {}
                End::Reached => break,
                End::Failed(error) => {
                    failed.push(anyhow::Error::new(error).context(source.name()));
                    break;
                }
            }
        }
    }
    failed
}

enum End {
    More,
    Reached,
    Failed(std::io::Error),
}

fn take_batch(splitter: &mut Splitter<impl std::io::BufRead>) -> (Vec<RawGame>, End) {
    let mut games = Vec::new();
    let mut bytes = 0;
    while bytes < BATCH_BYTES {
        match splitter.next_game() {
            Ok(Some(game)) => {
                bytes += game.text.len() + 64;
                games.push(game);
            }
            Ok(None) => return (games, End::Reached),
            Err(error) => return (games, End::Failed(error)),
        }
    }
    (games, End::More)
}

fn work(mut auditor: Auditor, batches: &Receiver<Batch>, reports: &Sender<(u64, Vec<GameReport>)>) {
    for batch in batches {
        let games = batch.games.into_iter().zip(batch.first..);
        let games = games.map(|(raw, number)| audit_safely(&mut auditor, &batch.file, number, raw));
        if reports.send((batch.number, games.collect())).is_err() {
            break;
        }
    }
}

/// Audits a game; a defect that it brings to light must not lose the others.
fn audit_safely(auditor: &mut Auditor, file: &str, number: u64, raw: RawGame) -> GameReport {
    let line = raw.line;
    catch_unwind(AssertUnwindSafe(|| audit(auditor, file, number, raw))).unwrap_or_else(|_| {
        let finding = failed("the audit failed on this game; this is a defect, please report it");
        GameReport::new(file, number, line, Record::default(), 0, finding)
    })
}

fn skipped(problem: impl Into<String>) -> Finding {
    without_ruling(Class::Skipped, problem)
}

fn failed(problem: impl Into<String>) -> Finding {
    without_ruling(Class::Failed, problem)
}

fn without_ruling(class: Class, problem: impl Into<String>) -> Finding {
    Finding { class, ruled: None, problem: Some(problem.into()), remarks: Vec::new() }
}

fn audit(auditor: &mut Auditor, file: &str, number: u64, raw: RawGame) -> GameReport {
    let mut record = match Record::read(&raw.text) {
        Ok(record) => record,
        Err(error) => {
            let finding = skipped(error.to_string());
            return GameReport::new(file, number, raw.line, Record::default(), 0, finding);
        }
    };
    if raw.cut {
        record.warnings.push("the game is too long, its end is not read".to_owned());
    }
    let replay = match Replay::new(&mut record) {
        Ok(replay) => replay,
        Err(error) => {
            let finding = skipped(error.to_string());
            return GameReport::new(file, number, raw.line, record, 0, finding);
        }
    };
    record.warnings.extend(replay.warnings.iter().cloned());
    let finding = auditor.judge(&record, &replay).unwrap_or_else(|error| failed(error.to_string()));
    GameReport::new(file, number, raw.line, record, replay.moves.len(), finding)
}

#[cfg(test)]
mod tests {
    use arbiter_plugin::plugin::{Arbiter, ArbiterError, Edition, Event, Language, Ruling, State};

    use super::*;

    /// An arbiter that understands nothing.
    struct Mute;

    impl Arbiter for Mute {
        fn name(&self) -> String {
            "mute".to_owned()
        }

        fn observe(&mut self, _: &Event) -> Result<Vec<Ruling>, ArbiterError> {
            Err(ArbiterError::Event("not understood".to_owned()))
        }

        fn state(&self) -> Result<State, ArbiterError> {
            Err(ArbiterError::NotStarted)
        }
    }

    #[test]
    fn a_game_without_a_ruling_has_failed() {
        let mut auditor =
            Auditor::new(Box::new(Mute), false, Edition::Y2018, Language::English).unwrap();
        let raw = RawGame { text: b"1. e4 e5 1-0\n".to_vec(), line: 1, cut: false };
        let report = audit_safely(&mut auditor, "a.pgn", 1, raw);
        assert_eq!(report.class, Class::Failed);
        assert!(report.problem.is_some_and(|problem| problem.contains("not understood")));
    }
}
