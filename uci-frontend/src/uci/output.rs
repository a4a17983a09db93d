//! Standard output: whole lines, flushed one by one.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The way to the host, shared by threads. Lines never mix.
#[derive(Clone, Debug, Default)]
pub struct Output {
    closed: Arc<AtomicBool>,
}

impl Output {
    /// Writes one line. Where the host has closed the pipe, nothing more is written.
    pub fn line(&self, text: impl Display) {
        if self.is_closed() {
            return;
        }
        let text = format!("{text}\n");
        let mut stdout = io::stdout().lock();
        if stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).is_err() {
            self.closed.store(true, Ordering::Relaxed);
        }
    }

    /// The way to nobody.
    #[cfg(test)]
    pub fn silent() -> Self {
        let output = Self::default();
        output.closed.store(true, Ordering::Relaxed);
        output
    }

    /// Writes `info string`, on one line whatever the text holds.
    pub fn info_string(&self, text: impl Display) {
        self.line(format_args!("info string {}", one_line(&text.to_string())));
    }

    /// Whether the host reads no longer.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}

/// Text for an `info string`: no line breaks, and never the bare word `score`, which hosts look
/// for in any `info` line.
fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_control() || c == ' ').filter(|word| !word.is_empty());
    let words: Vec<_> = words.map(|word| if word == "score" { "`score`" } else { word }).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_break_out_of_its_line() {
        assert_eq!(one_line("a\nbestmove e2e4\r\tb"), "a bestmove e2e4 b");
        assert_eq!(one_line("bad score cp"), "bad `score` cp");
    }
}
