//! Where games come from: files, plain or compressed, and standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::Context;
use flate2::read::MultiGzDecoder;
use indicatif::ProgressBar;

/// Bytes read at once.
const CHUNK: usize = 1 << 17;

/// A file of games, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Standard input: the file name `-`.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Source {
    /// The source that an argument names.
    pub fn new(path: PathBuf) -> Self {
        if path.as_os_str() == "-" { Self::Stdin } else { Self::File(path) }
    }

    /// What it is called in the report.
    pub fn name(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// Its size in bytes as it lies on the disk, where that is known.
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::Stdin => None,
            Self::File(path) => match std::fs::metadata(path) {
                Ok(about) => about.is_file().then_some(about.len()),
                // What cannot be opened is not read.
                Err(_) => Some(0),
            },
        }
    }

    /// Opens it. What the first bytes show to be gzip or Zstandard is decompressed, whatever the
    /// name. `progress` counts the bytes taken from the disk.
    ///
    /// # Errors
    /// The file cannot be opened or its first bytes cannot be read.
    pub fn open(&self, progress: &ProgressBar) -> anyhow::Result<Box<dyn BufRead + Send>> {
        let raw: Box<dyn Read + Send> = match self {
            Self::Stdin => Box::new(io::stdin()),
            Self::File(path) => Box::new(open(path)?),
        };
        let mut raw = BufReader::with_capacity(CHUNK, progress.wrap_read(raw));
        let magic = raw.fill_buf().with_context(|| self.name())?;
        Ok(if magic.starts_with(&[0x1f, 0x8b]) {
            Box::new(BufReader::with_capacity(CHUNK, MultiGzDecoder::new(raw)))
        } else if magic.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
            let decoder = zstd::Decoder::with_buffer(raw).with_context(|| self.name())?;
            Box::new(BufReader::with_capacity(CHUNK, decoder))
        } else {
            Box::new(raw)
        })
    }
}

fn open(path: &Path) -> anyhow::Result<File> {
    anyhow::ensure!(!path.is_dir(), "{}: is a directory", path.display());
    File::open(path).with_context(|| path.display().to_string())
}
