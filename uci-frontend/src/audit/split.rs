//! A stream of bytes cut into games.
//!
//! Files in the wild have a byte order mark, any kind of line end, blank lines where none belong,
//! and games that follow one another with no line between them. What cannot be told apart by
//! blank lines is told apart here: by tags after movetext, by tags that come a second time, and by
//! moves after a result.

use std::collections::HashSet;
use std::io::{self, BufRead};

use memchr::memchr2;

/// The largest game that is read, in bytes; what goes beyond is dropped.
const MAX_GAME: usize = 8 << 20;

/// The most tags of a game that are read.
pub const MAX_TAGS: usize = 1000;

/// The text of one game as it stands in the file, its lines ended by line feeds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawGame {
    /// The bytes.
    pub text: Vec<u8>,
    /// The line of the file on which it starts, from 1.
    pub line: u64,
    /// It was larger than what is read.
    pub cut: bool,
}

/// Cuts games out of a reader.
pub struct Splitter<R> {
    input: R,
    game: RawGame,
    state: State,
    line: Vec<u8>,
    line_number: u64,
    /// The last line ended with a carriage return: a line feed that follows is part of its end.
    after_return: bool,
    /// The end of the last line, where another game begins within it.
    rest: Option<Vec<u8>>,
    /// Why the input has failed, until that is told.
    failed: Option<io::Error>,
}

/// Where in a game the reader is.
#[derive(Clone, Debug, Default)]
struct State {
    section: Section,
    /// The names of the tags so far.
    tags: HashSet<Vec<u8>>,
    /// Words of the main line that may be moves.
    moves: usize,
    /// A blank line came after the last line with something on it.
    after_blank: bool,
    /// Inside a comment in braces.
    in_comment: bool,
    /// Variations that are open.
    depth: usize,
    /// The result was read.
    ended: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Section {
    #[default]
    Nothing,
    Tags,
    Moves,
}

impl<R: BufRead> Splitter<R> {
    /// A splitter of what `input` holds.
    pub fn new(input: R) -> Self {
        Self {
            input,
            game: RawGame::default(),
            state: State::default(),
            line: Vec::new(),
            line_number: 0,
            after_return: false,
            rest: None,
            failed: None,
        }
    }

    /// The next game, or `None` at the end.
    ///
    /// # Errors
    /// The input cannot be read. All games that reached their result before that were given; one
    /// that did not is lost.
    pub fn next_game(&mut self) -> io::Result<Option<RawGame>> {
        while self.failed.is_none() {
            match self.next_line() {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) if self.line.trim_ascii().is_empty() => {
                    self.failed = Some(error);
                    break;
                }
                // What came of a line may end a game.
                Err(error) => self.failed = Some(error),
            }
            if let Some(game) = self.take_line() {
                return Ok(Some(game));
            }
        }
        let state = std::mem::take(&mut self.state);
        let game = std::mem::take(&mut self.game);
        let is_whole = match self.failed {
            None => state.section != Section::Nothing,
            Some(_) => state.ended,
        };
        match is_whole {
            true => Ok(Some(game)),
            false => self.failed.take().map_or(Ok(None), Err),
        }
    }

    /// Gets the next line, or what is left of the last, into `self.line`. `false`: there is none.
    fn next_line(&mut self) -> io::Result<bool> {
        match self.rest.take() {
            Some(rest) => {
                self.line = rest;
                Ok(true)
            }
            None => self.read_line(),
        }
    }

    /// Reads a line of any end into `self.line`, without its end. `false`: there is none.
    fn read_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        let mut any = false;
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                break;
            }
            if std::mem::take(&mut self.after_return) && buffer[0] == b'\n' {
                self.input.consume(1);
                continue;
            }
            any = true;
            let end = memchr2(b'\n', b'\r', buffer);
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let room = MAX_GAME.saturating_sub(self.line.len());
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            self.game.cut |= part.len() > room;
            let used = part.len() + usize::from(end.is_some());
            self.after_return = end.is_some_and(|end| buffer[end] == b'\r');
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        self.line_number += 1;
        // Files that were put together have the mark within.
        if self.line.starts_with(b"\xef\xbb\xbf") {
            self.line.drain(..3);
        }
        Ok(any)
    }

    /// Adds the line to the game, or gives the game that it ends.
    fn take_line(&mut self) -> Option<RawGame> {
        let mut line = std::mem::take(&mut self.line);
        let mut done = None;
        let blank = line.trim_ascii().is_empty();
        if blank {
            self.state.after_blank = true;
        } else {
            let tag = tag_name(&line);
            if self.state.starts_game(&line, tag) {
                let game = std::mem::take(&mut self.game);
                done = (self.state.section != Section::Nothing).then_some(game);
                self.state = State::default();
            }
            if self.state.section == Section::Nothing {
                self.game.line = self.line_number;
            }
            if let Some(cut) = self.state.take(&line) {
                self.rest = Some(line.split_off(cut));
            }
        }
        if !blank || self.state.section != Section::Nothing {
            let room = MAX_GAME.saturating_sub(self.game.text.len());
            self.game.text.extend_from_slice(&line[..line.len().min(room)]);
            self.game.text.push(b'\n');
            self.game.cut |= line.len() > room;
        }
        self.line = line;
        done
    }
}

impl State {
    /// Whether a line is the first of the next game.
    fn starts_game(&self, line: &[u8], tag: Option<&[u8]>) -> bool {
        match (self.section, tag) {
            // An open comment hides everything, but never the start of a whole new game.
            (Section::Moves, Some(tag)) if self.in_comment => tag == b"Event" && self.after_blank,
            (Section::Moves, Some(_)) => true,
            (Section::Tags, Some(tag)) => {
                self.after_blank && self.tags.iter().any(|name| name == tag)
            }
            (Section::Moves, None) if self.in_comment => false,
            (Section::Moves, None) if self.ended => starts_with_move(line),
            // The first move again: the game before it had no result.
            (Section::Moves, None) => {
                let most = if self.after_blank { 1 } else { 2 };
                self.depth == 0 && self.moves >= most && starts_with_first_move(line)
            }
            _ => false,
        }
    }

    /// Follows a line that belongs to this game; returns where on it the next game begins.
    fn take(&mut self, line: &[u8]) -> Option<usize> {
        if line[0] == b'%' && !self.in_comment {
            return None;
        }
        self.after_blank = false;
        let mut at = 0;
        if self.section != Section::Moves && !self.in_comment {
            self.section = Section::Tags;
            while let Some(name) = tag_name(&line[at..]) {
                if self.tags.len() < MAX_TAGS {
                    self.tags.insert(name.to_owned());
                }
                at += first_tag(&line[at..]).len();
            }
            if line[at..].trim_ascii_start().starts_with(b"[") {
                // A tag that cannot be read.
                return None;
            }
        }
        let cut = self.scan_moves(line, at);
        if self.moves > 0 || self.ended {
            self.section = Section::Moves;
        }
        cut
    }

    /// Follows comments, variations and results through a line of movetext; returns where on it
    /// the next game begins.
    fn scan_moves(&mut self, line: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        while at < line.len() {
            if self.in_comment {
                at += memchr::memchr(b'}', &line[at..])? + 1;
                self.in_comment = false;
                continue;
            }
            match line[at] {
                b'{' => self.in_comment = true,
                b';' => return None,
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                byte if byte.is_ascii_whitespace() => {}
                _ => {
                    let rest = &line[at..];
                    if self.ended && (starts_with_first_move(rest) || tag_name(rest).is_some()) {
                        return Some(at);
                    }
                    let end = word_end(line, at);
                    if self.depth == 0 {
                        let word = &line[at..end];
                        self.ended |= is_result(word);
                        self.moves += usize::from(word.iter().any(u8::is_ascii_alphabetic));
                    }
                    at = end;
                    continue;
                }
            }
            at += 1;
        }
        None
    }
}

/// Where the word that starts at `at` ends.
pub fn word_end(line: &[u8], at: usize) -> usize {
    let ends = |byte: &u8| {
        byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}' | b'(' | b')' | b'[' | b';')
    };
    line[at..].iter().skip(1).position(ends).map_or(line.len(), |length| at + 1 + length)
}

/// Whether a word says how the game ended, beyond doubt (`0-0` may also be castling).
pub fn is_result(word: &[u8]) -> bool {
    const OTHERS: [&str; 6] = ["½-½", "½", "1–0", "0–1", "½–½", "1/2–1/2"];
    matches!(word, b"1-0" | b"0-1" | b"1/2-1/2" | b"*" | b"1/2")
        || OTHERS.iter().any(|other| other.as_bytes() == word)
}

/// Whether a text begins with the number of White's first move.
fn starts_with_first_move(text: &[u8]) -> bool {
    let rest = text.trim_ascii_start().strip_prefix(b"1.");
    rest.is_some_and(|rest| !rest.trim_ascii_start().starts_with(b"."))
}

/// Whether a line of movetext begins with something other than a comment or another result.
fn starts_with_move(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let word = &line[..word_end(line, 0).min(line.len())];
    !matches!(line[0], b'{' | b'(' | b')' | b';' | b'%' | b'$') && !is_result(word)
}

/// A line that begins with a tag, only as far as that where another tag, a move or a result follows.
pub fn first_tag(line: &[u8]) -> &[u8] {
    let ends = memchr::memmem::find_iter(line, b"\"]").map(|at| at + 2);
    ends.map(|end| line.split_at(end))
        .find(|(_, rest)| {
            let rest = rest.trim_ascii_start();
            tag_name(rest).is_some()
                || rest.first().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'*')
        })
        .map_or(line, |(tag, _)| tag)
}

/// The name of the tag on a line such as `[Name "value"]`.
pub fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let rest = line.trim_ascii_start().strip_prefix(b"[")?.trim_ascii_start();
    let end = rest.iter().position(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_'))?;
    let (name, rest) = rest.split_at(end);
    (!name.is_empty() && rest.trim_ascii_start().starts_with(b"\"")).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &[u8]) -> Vec<String> {
        // A tiny buffer puts its borders everywhere.
        let mut splitter = Splitter::new(io::BufReader::with_capacity(3, text));
        let mut games = Vec::new();
        while let Some(game) = splitter.next_game().unwrap() {
            games.push(String::from_utf8(game.text).unwrap().trim_end().to_owned());
        }
        games
    }

    #[test]
    fn games_end_where_the_next_begins() {
        let games = split(b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n");
        assert_eq!(games, ["[Event \"a\"]\n\n1. e4 *", "[Event \"b\"]\n\n1. d4 *"]);
        assert_eq!(split(b"1. e4 *\n[Event \"b\"]\n1. d4 *").len(), 2);
        assert_eq!(split(b"1. e4 e5 1-0\n\n1. d4 d5 0-1\n").len(), 2);
        assert_eq!(split(b"1. e4 e5 1-0 {resigns}\n{good game} 1-0\n").len(), 1);
        assert!(split(b"\n \n\t\n").is_empty());
    }

    #[test]
    fn line_ends_of_all_kinds() {
        for end in ["\n", "\r\n", "\r"] {
            let text =
                ["\u{feff}[Event \"a\"]", "", "1. e4 e5", "2. Nf3 *", "", "[Event \"b\"]", "*"];
            let games = split(text.join(end).as_bytes());
            assert_eq!(games, ["[Event \"a\"]\n\n1. e4 e5\n2. Nf3 *", "[Event \"b\"]\n*"]);
        }
    }

    #[test]
    fn repeated_tags_begin_a_game() {
        assert_eq!(split(b"[FEN \"a\"]\n\n[FEN \"b\"]\n").len(), 2);
        assert_eq!(split(b"[Event \"a\"]\n\n[Date \"b\"]\n\n1. e4 *\n").len(), 1);
        assert_eq!(split(b"[Event \"a\"]\n[Event \"a\"]\n\n1. e4 *\n").len(), 1);
        assert_eq!(split(b"[Event \"a\"]\n\n\n\n[Event \"b\"]\n\n1. e4 *\n").len(), 2);
    }

    #[test]
    fn games_without_tags_and_results_are_told_apart() {
        assert_eq!(split(b"1. e4 e5\n2. Nf3\n\n1. d4 d5\n\n1. c4\n").len(), 3);
        assert_eq!(split(b"1. e4 e5 2. Nf3 Nc6\n1. d4 d5 *\n").len(), 2);
        assert_eq!(split(b"1. e4\n1... e5 2. d4 *\n").len(), 1);
        assert_eq!(split(b"1. e4\n\n1. ... e5 2. d4 *\n").len(), 1);
        assert_eq!(split(b"1. e4 e5 (1... c5 2. Nf3\n1. d4) 2. Nc3 *\n").len(), 1);
    }

    #[test]
    fn games_on_one_line_are_told_apart() {
        assert_eq!(
            split(b"1. e4 e5 1-0 1. d4 d5 0-1 {well} 1.c4 *\n"),
            ["1. e4 e5 1-0", "1. d4 d5 0-1 {well}", "1.c4 *"]
        );
        let one_line = b"[A \"b\"] [C \"d\"] 1. e4 1-0\n[A \"c\"] 1. d4 * [A \"e\"] 1. c4 *";
        assert_eq!(
            split(one_line),
            ["[A \"b\"] [C \"d\"] 1. e4 1-0", "[A \"c\"] 1. d4 *", "[A \"e\"] 1. c4 *"]
        );
        assert_eq!(split(b"1. e4 1-0[A \"b\"]\n\n1. d4 *").len(), 2);
        assert_eq!(split("1. e4 1–0\n2. d4 *".as_bytes()).len(), 2);
        assert_eq!(split(b"1. e4 {1-0 1. d4} (1. c4 1-0 1. d4) e5 *\n").len(), 1);
    }

    #[test]
    fn odd_lines_do_not_end_a_header() {
        for odd in ["{a comment}", "; a comment", "%escaped", "[White Nobody]", "{two\n lines}"] {
            let game = format!("[Event \"a\"]\n{odd}\n[Event2 \"b\"]\n\n1. e4 *");
            assert_eq!(split(game.as_bytes()), [game.as_str()], "{odd}");
            let two = format!("{odd}\n{game}\n\n{odd}\n[Event \"c\"]\n\n1. d4 *");
            assert_eq!(split(two.as_bytes()).len(), 2, "{odd}");
        }
        assert_eq!(split(b"[A \"a\"]\n\n%x\n[A \"b\"]\n*").len(), 2);
    }

    #[test]
    fn byte_order_marks_stand_within_files_too() {
        let text = "\u{feff}[A \"b\"]\n\n1. e4 *\n\u{feff}[A \"c\"]\n\n1. d4 *\n";
        assert_eq!(split(text.as_bytes()), ["[A \"b\"]\n\n1. e4 *", "[A \"c\"]\n\n1. d4 *"]);
    }

    /// Text, and then an error.
    struct Broken<'a>(&'a [u8]);

    impl io::Read for Broken<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            match self.0.is_empty() {
                true => Err(io::Error::other("broken")),
                false => self.0.read(into),
            }
        }
    }

    #[test]
    fn what_is_whole_before_an_error_is_given() {
        for (text, games) in [
            (&b"1. e4 *\n\n1. d4 1-0"[..], 2),
            (b"1. e4 *\n\n1. d4 d5\n", 1),
            (b"1. e4 *\n\n1. d4 d5 0-1\n\n", 2),
            (b"1. e4 d5", 0),
        ] {
            let mut splitter = Splitter::new(io::BufReader::new(Broken(text)));
            for _ in 0..games {
                assert!(splitter.next_game().unwrap().is_some(), "{text:?}");
            }
            assert!(splitter.next_game().is_err(), "{text:?}");
        }
    }

    #[test]
    fn comments_hide_tags_and_results() {
        assert_eq!(split(b"1. e4 {1-0\n[%cal Ge7b7]\n\n[Round \"1\"]} e5 2. d4 *\n").len(), 1);
        assert_eq!(split(b"1. e4 ; 1-0 {\n1... e5 2. d4 *\n").len(), 1);
        assert_eq!(split(b"1. e4 (1. d4 1-0)\n1... e5 *\n").len(), 1);
        // A comment that is never closed does not swallow the rest of the file.
        assert_eq!(split(b"1. e4 {oops\n\n[Event \"b\"]\n\n1. d4 *\n").len(), 2);
    }

    #[test]
    fn a_game_without_end_is_cut() {
        let mut text = b"[Event \"a\"]\n\n".to_vec();
        text.extend(std::iter::repeat_n(b"1. e4 ".as_slice(), MAX_GAME / 6 + 100).flatten());
        let mut splitter = Splitter::new(&text[..]);
        let game = splitter.next_game().unwrap().unwrap();
        assert!(game.cut && game.text.len() <= MAX_GAME + 100);
    }
}
