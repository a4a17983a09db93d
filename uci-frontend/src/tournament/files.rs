//! Files that a tournament writes are different files, and none of them is one that it reads.

use std::path::{Path, PathBuf};

use anyhow::bail;

use super::config::Tournament;

/// Refuses a file that is given for two uses.
///
/// # Errors
/// Names the file and both options.
pub fn check(
    tournament: &Tournament,
    journal: &Path,
    config_out: Option<&Path>,
) -> anyhow::Result<()> {
    let read = [
        ("-openings", tournament.openings.as_ref().map(|openings| openings.file.as_path())),
        ("-arbiter", tournament.arbiter.plugin.as_deref()),
    ];
    let written = [
        ("-journal", Some(journal)),
        ("-pgnout", tournament.pgnout.as_ref().map(|pgn| pgn.file.as_path())),
        ("-epdout", tournament.epdout.as_ref().map(|epd| epd.file.as_path())),
        ("-jsonout", tournament.jsonout.as_deref()),
        ("-report", tournament.report.as_deref()),
        ("-log", tournament.log.as_ref().map(|log| log.file.as_path())),
        ("-config outname", config_out),
    ];
    let errors = tournament.engines.iter().map(|engine| ("stderr=", engine.stderr.as_deref()));
    let mut known: Vec<(&str, PathBuf)> = Vec::new();
    let identified = |(option, path): (&'static str, Option<&Path>)| {
        Some((option, identity(path.filter(|path| is_kept(path))?)))
    };
    // Engines may share a file for their errors, but not with games.
    known.extend(read.into_iter().chain(errors).filter_map(identified));
    for (option, identity) in written.into_iter().filter_map(identified) {
        if let Some((other, _)) = known.iter().find(|(_, path)| *path == identity) {
            bail!("{other} and {option} are the same file {}; give two", identity.display());
        }
        known.push((option, identity));
    }
    Ok(())
}

/// Whether what is written there stays: devices and pipes may be given twice.
fn is_kept(path: &Path) -> bool {
    path.is_file() || !path.exists()
}

/// The same for every spelling of a path.
fn identity(path: &Path) -> PathBuf {
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::config::{EpdOut, PgnOut};

    #[test]
    fn two_uses_of_a_file_are_refused_however_it_is_spelt() {
        let dir = tempfile::tempdir().expect("a folder");
        let of = |name: &str| dir.path().join(name);
        let tournament = |epd: PathBuf| Tournament {
            pgnout: Some(PgnOut { file: of("x"), ..PgnOut::default() }),
            epdout: Some(EpdOut { file: epd, ..EpdOut::default() }),
            ..Tournament::default()
        };
        assert!(check(&tournament(of("y")), &of("j"), None).is_ok());
        for (tournament, journal) in [
            (tournament(of("y")), of("./x")),
            (tournament(of("j")), of("j")),
            (
                tournament(
                    dir.path().join("../").join(dir.path().file_name().expect("it")).join("x"),
                ),
                of("j"),
            ),
        ] {
            let error = check(&tournament, &journal, None).expect_err("one file for two uses");
            assert!(error.to_string().contains("are the same file"), "{error}");
        }
        assert!(check(&tournament(of("y")), &of("j"), Some(&of("y"))).is_err());
        let device = PathBuf::from("/dev/null");
        let tournament = Tournament {
            pgnout: Some(PgnOut { file: device.clone(), ..PgnOut::default() }),
            jsonout: Some(device),
            ..Tournament::default()
        };
        assert!(check(&tournament, &of("j"), None).is_ok());
    }
}
