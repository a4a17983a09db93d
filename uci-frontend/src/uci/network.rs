//! Network files.

use std::fs::{self, File};
use std::io::{self, Read};

use engine::eval::network::{Network, NetworkError};

/// No network is larger.
const MOST_BYTES: u64 = 8 << 20;

/// Why a network is not loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// It is no network for this program.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// Reads a network file.
///
/// # Errors
/// It cannot be read, or is no network for this program.
pub fn load(path: &str) -> Result<Network, LoadError> {
    // A device may have no end, and a pipe nothing to say.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file").into());
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(Network::from_bytes(&bytes)?)
}
