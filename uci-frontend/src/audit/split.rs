//! A stream of bytes cut into games.
//!
//! Files in the wild have a byte order mark, any kind of line end, blank lines where none belong,
//! and games that follow one another with no line between them. What cannot be told apart by
//! blank lines is told apart here: by tags after movetext, by tags that come a second time, and by
//! moves after a result.

use std::io::{self, BufRead};

use memchr::memchr2;

/// The largest game that is read, in bytes; what goes beyond is dropped.
const MAX_GAME: usize = 8 << 20;

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
}

/// Where in a game the reader is.
#[derive(Clone, Debug, Default)]
struct State {
    section: Section,
    /// The names of the tags so far.
    tags: Vec<Vec<u8>>,
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
        }
    }

    /// The next game, or `None` at the end.
    ///
    /// # Errors
    /// The input cannot be read; what came before the error is lost with it.
    pub fn next_game(&mut self) -> io::Result<Option<RawGame>> {
        while self.read_line()? {
            if let Some(game) = self.take_line() {
                return Ok(Some(game));
            }
        }
        let state = std::mem::take(&mut self.state);
        let game = std::mem::take(&mut self.game);
        Ok((state.section != Section::Nothing).then_some(game))
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
        if self.line_number == 1 && self.line.starts_with(b"\xef\xbb\xbf") {
            self.line.drain(..3);
        }
        Ok(any)
    }

    /// Adds the line to the game, or gives the game that it ends.
    fn take_line(&mut self) -> Option<RawGame> {
        let line = std::mem::take(&mut self.line);
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
            self.state.take(&line, tag);
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
            (Section::Moves, None) if self.ended && !self.in_comment => starts_with_move(line),
            _ => false,
        }
    }

    fn take(&mut self, line: &[u8], tag: Option<&[u8]>) {
        match tag {
            Some(tag) if !self.in_comment && self.section != Section::Moves => {
                self.section = Section::Tags;
                self.tags.push(tag.to_owned());
            }
            _ if line[0] == b'%' && !self.in_comment => {}
            _ => {
                self.section = Section::Moves;
                self.scan_moves(line);
            }
        }
        self.after_blank = false;
    }

    /// Follows comments, variations and results through a line of movetext.
    fn scan_moves(&mut self, line: &[u8]) {
        let mut at = 0;
        while at < line.len() {
            if self.in_comment {
                match memchr::memchr(b'}', &line[at..]) {
                    Some(end) => at += end + 1,
                    None => return,
                }
                self.in_comment = false;
                continue;
            }
            match line[at] {
                b'{' => self.in_comment = true,
                b';' => return,
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                byte if byte.is_ascii_whitespace() => {}
                _ => {
                    let end = word_end(line, at);
                    self.ended |= self.depth == 0 && is_result(&line[at..end]);
                    at = end;
                    continue;
                }
            }
            at += 1;
        }
    }
}

/// Where the word that starts at `at` ends.
pub fn word_end(line: &[u8], at: usize) -> usize {
    let ends =
        |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}' | b'(' | b')' | b';');
    line[at..].iter().skip(1).position(ends).map_or(line.len(), |length| at + 1 + length)
}

/// Whether a word says how the game ended, beyond doubt (`0-0` may also be castling).
pub fn is_result(word: &[u8]) -> bool {
    matches!(word, b"1-0" | b"0-1" | b"1/2-1/2" | b"*" | b"1/2")
        || word == "½-½".as_bytes()
        || word == "½".as_bytes()
}

/// Whether a line of movetext begins with something other than a comment or another result.
fn starts_with_move(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let word = &line[..word_end(line, 0).min(line.len())];
    !matches!(line[0], b'{' | b'(' | b')' | b';' | b'%' | b'$') && !is_result(word)
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
