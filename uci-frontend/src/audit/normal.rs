//! The text of a game made regular, so that the PGN reader sees every word of it.
//!
//! A PGN reader passes over what it does not know, and a move that it passes over changes the
//! game. Here each word of the main line becomes a move in standard notation or a mark: a comment
//! that starts with a byte which no comment of the file can hold.

use std::collections::HashSet;

use pgn_reader::SanPlus;
use shakmaty::san::San;

use super::split::{MAX_TAGS, first_tag, is_result, tag_name, word_end};

/// The byte that starts a mark.
pub const MARK: u8 = 1;

/// What a mark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A move in UCI notation.
    Uci = b'u' as isize,
    /// A null move.
    Null = b'n' as isize,
    /// A word that is no move in any notation.
    Unreadable = b'x' as isize,
    /// A sign of an annotator outside the standard.
    Glyph = b'g' as isize,
    /// A result.
    Result = b'r' as isize,
    /// The castling move before it was written `0-0`, as a result may be.
    Zeros = b'0' as isize,
    /// Something a person should know.
    Warning = b'w' as isize,
}

impl Mark {
    /// The mark and its text, if a comment is one.
    pub fn read(comment: &[u8]) -> Option<(Self, String)> {
        let [MARK, kind, text @ ..] = comment else { return None };
        let kinds = [
            Self::Uci,
            Self::Null,
            Self::Unreadable,
            Self::Glyph,
            Self::Result,
            Self::Zeros,
            Self::Warning,
        ];
        let kind = kinds.into_iter().find(|mark| *mark as u8 == *kind)?;
        Some((kind, String::from_utf8_lossy(text).into_owned()))
    }
}

/// The most bytes of a tag's value that are kept.
const MAX_VALUE: usize = 2000;
/// The most bytes of a tag's name that are kept.
const MAX_NAME: usize = 100;
/// The most warnings about the tags of a game.
const MAX_TAG_WARNINGS: usize = 20;

/// Makes regular text of a game's own text.
pub struct Normalizer {
    text: Vec<u8>,
}

impl Normalizer {
    /// The regular text of a game.
    pub fn normalize(raw: &[u8]) -> Vec<u8> {
        let mut normalizer = Self { text: Vec::with_capacity(raw.len() + 64) };
        let moves = normalizer.tags(raw);
        normalizer.text.push(b'\n');
        normalizer.moves(moves);
        normalizer.text.push(b'\n');
        normalizer.text
    }

    fn mark(&mut self, mark: Mark, text: &[u8]) {
        self.text.extend([b'{', MARK, mark as u8]);
        self.text
            .extend(text.iter().map(|&byte| if byte < b' ' || byte == b'}' { b' ' } else { byte }));
        self.text.extend(b"} ");
    }

    /// Copies the tags; returns what follows them. Warnings about tags come before the moves.
    fn tags<'a>(&mut self, raw: &'a [u8]) -> &'a [u8] {
        let mut at = 0;
        let mut end_of_line = line_end(raw, 0);
        let mut warnings = Vec::new();
        let mut seen = HashSet::new();
        let mut blank = false;
        while at < raw.len() {
            if at > end_of_line {
                end_of_line = line_end(raw, at);
            }
            let line = &raw[at..end_of_line];
            let mut next = end_of_line + 1;
            if let Some(name) = tag_name(line) {
                let tag = first_tag(line);
                if tag.len() < line.len() {
                    next = at + tag.len();
                }
                if blank && !seen.is_empty() {
                    warnings.push("blank line inside the tag section".to_owned());
                }
                blank = false;
                let shown = String::from_utf8_lossy(&name[..name.len().min(MAX_NAME)]);
                if seen.len() >= MAX_TAGS {
                    // What a game needs comes before.
                } else if !seen.insert(name) {
                    warnings.push(format!("tag {shown} comes twice"));
                } else if self.tag(name, tag.trim_ascii()) {
                    warnings.push(format!("unescaped quote in tag {shown}"));
                }
            } else if line.trim_ascii().is_empty() {
                blank = true;
            } else if line[0] == b'%' {
                // An escaped line is for other programs.
            } else if line.trim_ascii_start().starts_with(b"[") {
                warnings.push("a tag that cannot be read".to_owned());
            } else if let Some(skipped) = comments_before_tag(&raw[at..]) {
                next = at + skipped;
            } else {
                break;
            }
            at = next;
        }
        if seen.is_empty() {
            warnings.push("no tags".to_owned());
        }
        if seen.len() >= MAX_TAGS {
            warnings.push(format!("more than {MAX_TAGS} tags"));
        }
        self.text.push(b'\n');
        for warning in warnings.iter().take(MAX_TAG_WARNINGS) {
            self.mark(Mark::Warning, warning.as_bytes());
        }
        &raw[at.min(raw.len())..]
    }

    /// Copies a tag. The value runs from the first quote to the last; quotes between them that are
    /// not escaped are, and that is told.
    fn tag(&mut self, name: &[u8], line: &[u8]) -> bool {
        let first = memchr::memchr(b'"', line).unwrap_or(0);
        let last = memchr::memrchr(b'"', line).unwrap_or(line.len());
        let value = if last > first { &line[first + 1..last] } else { &line[first + 1..] };
        let mut unescaped = false;
        self.text.push(b'[');
        self.text.extend_from_slice(&name[..name.len().min(MAX_NAME)]);
        self.text.extend_from_slice(b" \"");
        let mut bytes = value[..value.len().min(MAX_VALUE)].iter().copied().peekable();
        while let Some(byte) = bytes.next() {
            match byte {
                b'\\' => {
                    // A backslash before anything else stands for itself; so does one at the end.
                    let escaped = bytes.next_if(|next| matches!(next, b'\\' | b'"'));
                    self.text.extend([b'\\', escaped.unwrap_or(b'\\')]);
                }
                b'"' => {
                    unescaped = true;
                    self.text.extend_from_slice(b"\\\"");
                }
                byte if byte < b' ' => self.text.push(b' '),
                byte => self.text.push(byte),
            }
        }
        self.text.extend_from_slice(b"\"]\n");
        unescaped
    }

    fn moves(&mut self, raw: &[u8]) {
        let mut at = 0;
        let mut depth = 0_usize;
        let mut at_line_start = true;
        while at < raw.len() {
            let byte = raw[at];
            let line_start = std::mem::replace(&mut at_line_start, byte == b'\n');
            match byte {
                b'%' if line_start => at = line_end(raw, at),
                b'{' => at = self.comment(raw, at, depth == 0),
                b';' => {
                    let end = line_end(raw, at);
                    if depth == 0 {
                        self.comment_text(&raw[at + 1..end]);
                    }
                    at = end;
                }
                b'(' => {
                    depth += 1;
                    at += 1;
                }
                b')' => {
                    depth = depth.saturating_sub(1);
                    at += 1;
                }
                b'$' => {
                    let digits = raw[at + 1..].iter().take_while(|byte| byte.is_ascii_digit());
                    at += 1 + digits.count();
                }
                b'}' => at += 1,
                byte if byte.is_ascii_whitespace() || byte < b' ' => at += 1,
                _ => {
                    let end = word_end(raw, at);
                    // `e8(Q)`: brackets around the piece of a promotion are no variation.
                    let promotion = match raw[end..] {
                        [b'(', piece @ (b'Q' | b'R' | b'B' | b'N'), b')', ..] => Some(piece),
                        _ => None,
                    };
                    if depth == 0 {
                        match promotion {
                            Some(piece) => self.words(&[&raw[at..end], b"=", &[piece]].concat()),
                            None => self.words(&raw[at..end]),
                        }
                    }
                    at = if promotion.is_some() { end + 3 } else { end };
                }
            }
        }
        if depth > 0 {
            self.mark(Mark::Warning, b"variation without end");
        }
    }

    /// Copies a comment in braces, if it is one of the main line; returns where it ends.
    fn comment(&mut self, raw: &[u8], at: usize, main_line: bool) -> usize {
        match memchr::memchr(b'}', &raw[at..]) {
            Some(length) => {
                if main_line {
                    self.comment_text(&raw[at + 1..at + length]);
                }
                at + length + 1
            }
            None => {
                self.mark(Mark::Warning, b"comment without end");
                raw.len()
            }
        }
    }

    fn comment_text(&mut self, text: &[u8]) {
        self.text.push(b'{');
        self.text
            .extend(text.iter().map(|&byte| if byte < b' ' || byte == b'}' { b' ' } else { byte }));
        self.text.extend_from_slice(b"} ");
    }

    /// Takes what stands between two blanks: a move with its number, a result, and the like.
    fn words(&mut self, word: &[u8]) {
        if word.contains(&0xe2) {
            let plain = String::from_utf8_lossy(word).replace(['–', '—'], "-");
            if plain.as_bytes() != word {
                return self.words(plain.as_bytes());
            }
        }
        if is_result(word) {
            return self.mark(Mark::Result, word);
        }
        // Annotations may be glued to a move, and the next move to them.
        let mut rest = word;
        while !rest.is_empty() {
            let end = memchr::memchr3(b'!', b'?', b'$', rest).unwrap_or(rest.len());
            let (word, annotation) = rest.split_at(end);
            let word = strip_number(word);
            if !word.is_empty() {
                self.word(word);
            }
            let is_sign = |byte: &&u8| matches!(byte, b'!' | b'?');
            let length = match annotation.first() {
                Some(b'$') => {
                    1 + annotation[1..].iter().take_while(|byte| byte.is_ascii_digit()).count()
                }
                _ => annotation.iter().take_while(is_sign).count(),
            };
            rest = &annotation[length..];
        }
    }

    fn word(&mut self, word: &[u8]) {
        if let Some(mended) = mended(word) {
            return self.word(&mended);
        }
        // Nearly every word is a plain move.
        let plain = matches!(word[0], b'K' | b'Q' | b'R' | b'B' | b'N' | b'O')
            || matches!(word[0], b'a'..=b'h') && word.len() > 1 && !is_uci(word) && word != b"ep";
        if plain && SanPlus::from_ascii(word).is_ok_and(|san| is_move(&san)) {
            self.text.extend_from_slice(word);
            self.text.push(b' ');
            return;
        }
        let lower = word.to_ascii_lowercase();
        match lower.as_slice() {
            b"e.p." | b"ep" | b"e.p" | b"n" | b"tn" | b"d" | b"+" | b"++" | b"#" => {}
            b"--" | b"z0" | b"0000" | b"@@@@" | b"null" | b"pass" => self.mark(Mark::Null, word),
            _ if is_result(word) => self.mark(Mark::Result, word),
            _ if !word.iter().any(u8::is_ascii_alphanumeric) => self.mark(Mark::Glyph, word),
            _ if is_uci(&lower) => self.mark(Mark::Uci, &lower),
            _ if evaluation(word) > 0 => {
                let (word, sign) = word.split_at(word.len() - evaluation(word));
                self.word(word);
                self.mark(Mark::Glyph, sign);
            }
            _ if word.contains(&b'-') && !matches!(word[0], b'O' | b'o' | b'0') => {
                // Long notation: `e7-e5`, `Ng1-f3`.
                let joined: Vec<u8> = word.iter().copied().filter(|&byte| byte != b'-').collect();
                self.word(&joined);
            }
            _ => self.san(word),
        }
    }

    fn san(&mut self, word: &[u8]) {
        let plain = word.strip_suffix(b"e.p.").or_else(|| word.strip_suffix(b"ep")).unwrap_or(word);
        let plain = plain.strip_suffix(b".").unwrap_or(plain);
        // Castling is also written with zeros or small letters; whether a last `0-0` is a result
        // is for the board to decide.
        let castling =
            plain.iter().map(|byte| if *byte == b'0' { b'O' } else { byte.to_ascii_uppercase() });
        let castling: Vec<u8> = castling.collect();
        let plain = if castling.starts_with(b"O-O") { &castling[..] } else { plain };
        if SanPlus::from_ascii(plain).is_ok_and(|san| is_move(&san)) {
            self.text.extend_from_slice(plain);
            self.text.push(b' ');
            if word == b"0-0" {
                self.mark(Mark::Zeros, b"");
            }
        } else {
            self.mark(Mark::Unreadable, word);
        }
    }
}

/// The length of the comments that `text` begins with, where another tag follows them.
fn comments_before_tag(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_ascii_start().len();
        match text.get(at)? {
            b'{' => at += memchr::memchr(b'}', &text[at..])? + 1,
            b';' | b'%' => at = line_end(text, at),
            b'[' if at > 0 => return Some(at),
            _ => return None,
        }
    }
}

/// Where the line that `at` stands in ends.
fn line_end(raw: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &raw[at..]).map_or(raw.len(), |length| at + length)
}

/// A word without the move number and dots before it.
fn strip_number(word: &[u8]) -> &[u8] {
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &word[digits..];
    let dots = rest.iter().take_while(|&&byte| byte == b'.').count();
    let ellipsis = "…".as_bytes();
    match rest[dots..].strip_prefix(ellipsis) {
        Some(rest) => rest,
        None if dots > 0 || rest.is_empty() && digits > 0 && word != b"0000" => &rest[dots..],
        None => word,
    }
}

/// The length of the evaluation at the end of a word: `Nf3+/-`, `e4=`.
fn evaluation(word: &[u8]) -> usize {
    const SIGNS: [&[u8]; 8] = [b"+/-", b"-/+", b"+/=", b"=/+", b"+-", b"-+", b"=+", b"="];
    let sign = SIGNS.iter().find(|&&sign| word.ends_with(sign) && word.len() > sign.len());
    sign.map_or(0, |sign| sign.len())
}

/// A pawn's move with the sign that its writer has left out: `ed5` is `exd5`, `a8Q` is `a8=Q`.
fn mended(word: &[u8]) -> Option<Vec<u8>> {
    let is_file = |byte: &u8| matches!(byte, b'a'..=b'h');
    let [from, to, rank, ..] = word else { return None };
    if !is_file(from) {
        return None;
    }
    let takes = is_file(to) && matches!(rank, b'1'..=b'8');
    let piece = word.iter().position(|byte| matches!(byte, b'Q' | b'R' | b'B' | b'N'));
    let piece = piece.filter(|&at| matches!(word[at - 1], b'1' | b'8'));
    if !takes && piece.is_none() {
        return None;
    }
    let mut mended = word.to_vec();
    if let Some(at) = piece {
        mended.insert(at, b'=');
    }
    if takes {
        mended.insert(1, b'x');
    }
    Some(mended)
}

/// Whether it is a move of chess: drops belong to another game.
fn is_move(san: &SanPlus) -> bool {
    matches!(san.san, San::Normal { .. } | San::Castle(_))
}

/// Whether a word in lower case is a move in UCI notation.
fn is_uci(word: &[u8]) -> bool {
    let square = |at: usize| matches!(word[at], b'a'..=b'h') && matches!(word[at + 1], b'1'..=b'8');
    match word.len() {
        4 => square(0) && square(2),
        5 => square(0) && square(2) && matches!(word[4], b'n' | b'b' | b'r' | b'q'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(text: &str) -> String {
        String::from_utf8(Normalizer::normalize(text.as_bytes())).unwrap().replace('\u{1}', "#")
    }

    #[test]
    fn words_of_the_main_line_are_kept() {
        let text = "[A \"b\"]\n\n1. e4 (1. d4 (1. c4) {x} d5) 1... e5$1 2.Nf3! {good} ; rest\n2... Nc6 *\n";
        assert_eq!(normal(text), "[A \"b\"]\n\n\ne4 e5 Nf3 {good} { rest} Nc6 {#r*} \n");
    }

    #[test]
    fn odd_words_are_marked() {
        let text = "[A \"b\"]\n\n1. e4 Z0 2. e7e5 -- 3. ± foo 4. exd6 e.p. 1... N exd6e.p. 0-1";
        assert_eq!(
            normal(text),
            "[A \"b\"]\n\n\ne4 {#nZ0} {#ue7e5} {#n--} {#g±} {#xfoo} exd6 exd6 {#r0-1} \n"
        );
    }

    #[test]
    fn tags_are_mended() {
        assert!(
            normal("[Event \"5th \"X\" Open\"]\n*").starts_with("[Event \"5th \\\"X\\\" Open\"]\n")
        );
        assert!(normal("[Event \"Let\\\\'s\"]\n*").starts_with("[Event \"Let\\\\'s\"]\n"));
        assert!(normal("[A \"end\\\"]\n*").starts_with("[A \"end\\\\\"]\n"));
        assert!(normal("[A \"[=0040.34h5a4]\"]\n*").starts_with("[A \"[=0040.34h5a4]\"]\n"));
        assert!(normal("1. e4").contains("{#wno tags}"));
        assert_eq!(
            normal("[A \"b\"] [C \"d\"] 1. e4 1–0"),
            "[A \"b\"]\n[C \"d\"]\n\n\ne4 {#r1-0} \n"
        );
    }

    #[test]
    fn castling_with_zeros_is_castling() {
        assert!(normal("5. 0-0 0-0-0+ o-o").contains("O-O {#0} O-O-O+ O-O "));
    }

    #[test]
    fn odd_lines_in_a_header_are_passed_over() {
        for odd in ["{a comment}", "; a comment", "%escaped", "{two\n lines}"] {
            let text = format!("[A \"b\"]\n{odd}\n[C \"d\"]\n\n{{first}} e4 *");
            assert_eq!(normal(&text), "[A \"b\"]\n[C \"d\"]\n\n\n{first} e4 {#r*} \n", "{odd}");
        }
        let unread = normal("[A \"b\"]\n[White Nobody]\n[C \"d\"]\n\ne4 *");
        assert!(unread.starts_with("[A \"b\"]\n[C \"d\"]\n\n{#wa tag that cannot be read}"));
        assert!(unread.ends_with("e4 {#r*} \n"));
    }

    #[test]
    fn endless_tags_are_bounded() {
        for end in [" ", "\n"] {
            let mut text = String::new();
            for number in 0..200_000 {
                text += &format!("[T{} \"x\"]{end}", number % 3000);
            }
            let normal = normal(&(text + "1. e4 *"));
            assert!(normal.len() < 20_000 && normal.ends_with("e4 {#r*} \n"));
            assert!(normal.contains("{#wmore than 1000 tags}"));
        }
    }

    #[test]
    fn moves_glued_to_annotations_are_kept() {
        let moves = |text: &str| normal(&format!("[A \"b\"]\n\n{text}"))[9..].to_owned();
        assert_eq!(moves("1.e4!e5 2.Nf3$14Nc6?!3.Bb5"), "\ne4 e5 Nf3 Nc6 Bb5 \n");
        assert_eq!(moves("1.e4!? 2... $3"), "\ne4 \n");
    }

    #[test]
    fn signs_that_are_left_out_are_added() {
        let moves = |text: &str| normal(&format!("[A \"b\"]\n\n{text}"))[9..].to_owned();
        assert_eq!(moves("ed5 ed5+ exd5"), "\nexd5 exd5+ exd5 \n");
        assert_eq!(moves("a8Q+ ab8N e8(Q) e1(R)+"), "\na8=Q+ axb8=N e8=Q e1=R \n");
        assert_eq!(moves("Nf3+/- e4= Qxf7+-"), "\nNf3 {#g+/-} e4 {#g=} Qxf7 {#g+-} \n");
        assert_eq!(moves("e8="), "\ne8 {#g=} \n");
    }

    #[test]
    fn numbers_are_stripped() {
        for (word, left) in [
            ("12.", ""),
            ("12...", ""),
            ("1.e4", "e4"),
            ("...", ""),
            ("3", ""),
            ("e4", "e4"),
            ("1...e5", "e5"),
        ] {
            assert_eq!(strip_number(word.as_bytes()), left.as_bytes(), "{word}");
        }
    }
}
