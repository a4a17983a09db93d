//! A game as it was recorded: tags, moves as they were written, clocks, result.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};

use super::clock::{ClockComment, Reading};
use super::normal::{Mark, Normalizer};

/// A move as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// In standard notation.
    San(SanPlus),
    /// In UCI notation.
    Uci(String),
    /// A null move, which is no move of the game.
    Null(String),
    /// A word that is no move.
    Unreadable(String),
}

/// A recorded game.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The tags in the order of their names.
    pub tags: BTreeMap<String, String>,
    /// The moves of the main line.
    pub moves: Vec<Written>,
    /// Clock of the mover after the ply with this number (from 1), in milliseconds.
    pub clocks: BTreeMap<usize, i64>,
    /// Time taken for the ply with this number, in milliseconds.
    pub elapsed: BTreeMap<usize, i64>,
    /// The result at the end of the moves.
    pub marker: Option<String>,
    /// The number of the last ply that was written `0-0`: castling, or a result.
    pub zeros: Option<usize>,
    /// The comment after the last move, in which runners say how the game ended.
    pub last_comment: String,
    /// What a person should know.
    pub warnings: Vec<String>,
}

impl Record {
    /// Reads the text of one game.
    ///
    /// # Errors
    /// The PGN reader gives up.
    pub fn read(raw: &[u8]) -> io::Result<Self> {
        let text = Normalizer::normalize(raw);
        let mut reader = Reader::build(&text[..])
            .set_supported_tag_line_length(1 << 13)
            .set_supported_comment_length(1 << 10)
            .finish();
        let mut record = reader.read_game(&mut Recorder::default())?.unwrap_or_default();
        record.finish();
        Ok(record)
    }

    /// A tag's value; missing and unknown ones are empty.
    pub fn tag(&self, name: &str) -> &str {
        match self.tags.get(name).map(String::as_str) {
            None | Some("?" | "-") => "",
            Some(value) => value,
        }
    }

    /// The result that the record claims, in the words of the standard where it can be put so: the
    /// tag's, or the marker's where the tag says nothing definite.
    pub fn result(&self) -> String {
        let definite = |text: &&String| !matches!(text.as_str(), "" | "*" | "?");
        let tag = self.tags.get("Result").map(|tag| result(tag));
        let marker = self.marker.clone();
        tag.as_ref()
            .filter(definite)
            .or(marker.as_ref())
            .or(tag.as_ref().filter(|tag| !tag.is_empty()))
            .map_or_else(|| "*".to_owned(), String::clone)
    }

    fn finish(&mut self) {
        // A castling move that ends a record and is followed by no marker may be a result.
        match (&self.marker, self.tags.get("Result")) {
            (None, _) => self.warnings.push("no result marker".to_owned()),
            (Some(marker), Some(tag)) if *marker != result(tag) => {
                self.warnings.push(format!("result tag {tag} but marker {marker}"));
            }
            _ => {}
        }
    }

    /// Whether the last move was written `0-0` and the record has no other result: it may be one.
    pub fn ends_with_zeros(&self) -> bool {
        let open = matches!(
            self.tags.get("Result").map(|tag| result(tag)).as_deref(),
            None | Some("" | "*" | "?" | "0-0")
        );
        open && self.marker.is_none() && self.zeros == Some(self.moves.len())
    }

    /// The marker `0-0` looks like castling: where it cannot be that, it is taken off the moves.
    pub fn reclaim_marker(&mut self) {
        if self.ends_with_zeros() {
            self.moves.pop();
            self.marker = Some("0-0".to_owned());
            self.warnings.retain(|warning| warning != "no result marker");
        }
    }
}

/// Builds a record from what the PGN reader sees.
#[derive(Default)]
struct Recorder {
    record: Record,
    /// The part so far of a comment that the reader gives in parts.
    partial: Vec<u8>,
    glyphs: usize,
}

/// The most bytes of a comment that are looked at.
const MAX_COMMENT: usize = 1 << 16;

impl Recorder {
    fn comment(&mut self, comment: &[u8]) {
        match Mark::read(comment) {
            Some((Mark::Uci, text)) => self.written(Written::Uci(text)),
            Some((Mark::Null, text)) => self.written(Written::Null(text)),
            Some((Mark::Unreadable, text)) => self.written(Written::Unreadable(text)),
            Some((Mark::Glyph, _)) => self.glyphs += 1,
            Some((Mark::Result, text)) => self.record.marker = Some(result(&text)),
            Some((Mark::Zeros, _)) => self.record.zeros = Some(self.record.moves.len()),
            Some((Mark::Warning, text)) => self.record.warnings.push(text),
            None => self.person_comment(comment),
        }
    }

    /// Adds a move. A comment before it says nothing about the end of the game.
    fn written(&mut self, written: Written) {
        self.record.moves.push(written);
        self.record.last_comment.clear();
    }

    fn person_comment(&mut self, comment: &[u8]) {
        let ply = self.record.moves.len();
        let text = String::from_utf8_lossy(comment);
        let found = ClockComment::parse(&text);
        if ply > 0 {
            for (reading, times) in
                [(found.clock, &mut self.record.clocks), (found.elapsed, &mut self.record.elapsed)]
            {
                match reading {
                    Some(Reading::Time(ms)) => {
                        times.insert(ply, ms);
                    }
                    Some(Reading::Ambiguous(text)) => {
                        self.record.warnings.push(format!("ambiguous time {text} at ply {ply}"));
                    }
                    None => {}
                }
            }
        }
        self.record.last_comment.clear();
        self.record.last_comment.push_str(text.trim());
    }
}

/// A result in the words of the standard, where it can be put so.
fn result(text: &str) -> String {
    let plain: String = text
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .map(|letter| if matches!(letter, '–' | '—' | '−' | '‐' | '‑') { '-' } else { letter })
        .collect();
    match plain.replace('½', "1/2").as_str() {
        "1/2-1/2" | "1/2" | "0.5-0.5" => "1/2-1/2".to_owned(),
        _ => plain,
    }
}

impl Visitor for Recorder {
    type Tags = ();
    type Movetext = ();
    type Output = Record;

    fn begin_tags(&mut self) -> ControlFlow<Record> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<Record> {
        let name = String::from_utf8_lossy(name).into_owned();
        self.record.tags.insert(name, value.decode_utf8_lossy().into_owned());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Record> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<Record> {
        self.written(Written::San(san));
        ControlFlow::Continue(())
    }

    fn partial_comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<Record> {
        let room = MAX_COMMENT.saturating_sub(self.partial.len());
        let part = comment.as_bytes();
        self.partial.extend_from_slice(&part[..part.len().min(room)]);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<Record> {
        if self.partial.is_empty() {
            Self::comment(self, comment.as_bytes());
        } else {
            let mut whole = std::mem::take(&mut self.partial);
            whole.extend_from_slice(comment.as_bytes());
            Self::comment(self, &whole);
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) -> Record {
        let mut record = std::mem::take(&mut self.record);
        if self.glyphs > 0 {
            record.warnings.push(format!("unknown glyph x{}", self.glyphs));
        }
        record
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Record {
        Record::read(text.as_bytes()).unwrap()
    }

    #[test]
    fn clocks_belong_to_the_move_before() {
        let record = read(
            "[Result \"*\"]\n\n1. e4 {[%clk 0:00:45.6]} e5 {[%clk 00:01:00]} \
             2. Nf3 {[%emt 0.01]} {[%clk 0:1:5]} Nc6 {[%clk 1:30:00]} *\n",
        );
        assert_eq!(
            record.clocks,
            BTreeMap::from([(1, 45_600), (2, 60_000), (3, 65_000), (4, 5_400_000)])
        );
        assert_eq!(record.elapsed, BTreeMap::from([(3, 10)]));
        assert!(record.warnings.is_empty(), "{:?}", record.warnings);
    }

    #[test]
    fn long_comments_are_read_whole() {
        let long = "x".repeat(5000);
        let record = read(&format!("[A \"b\"]\n\n1. e4 {{{long} [%clk 0:00:07]}} *"));
        assert_eq!(record.clocks, BTreeMap::from([(1, 7000)]));
        assert_eq!(record.moves.len(), 1);
    }

    #[test]
    fn results_are_compared() {
        assert_eq!(
            read("[Result \"1-0\"]\n\n1. e4 0-1").warnings,
            ["result tag 1-0 but marker 0-1"]
        );
        assert_eq!(read("1. e4").warnings, ["no tags", "no result marker"]);
        assert_eq!(read("[A \"b\"]\n1. e4 ½-½").result(), "1/2-1/2");
        for (tag, result) in
            [("1/2", "1/2-1/2"), ("½-½", "1/2-1/2"), ("1–0", "1-0"), (" 0 - 1 ", "0-1"), ("", "*")]
        {
            assert_eq!(read(&format!("[Result \"{tag}\"]\n\n1. e4")).result(), result, "{tag}");
        }
        // A definite marker says more than an open tag.
        let open = read("[Result \"*\"]\n\n1. e4 1-0");
        assert_eq!((open.result().as_str(), open.warnings.len()), ("1-0", 1));
        assert!(read("[Result \"½–½\"]\n\n1. e4 1/2-1/2").warnings.is_empty());
    }
}
