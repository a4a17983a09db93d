//! Lines from bytes: what a host sends, made fit to be read.

use std::io::{self, BufRead};

/// The longest line that is kept, in bytes; the longest game possible takes a fiftieth of it.
const MAX_LINE: usize = 1 << 22;

/// What the input holds next.
#[derive(Debug, PartialEq, Eq)]
pub enum Input {
    /// A line, cleaned.
    Line(String),
    /// A line of more than [`MAX_LINE`] bytes, which was skipped.
    TooLong,
}

/// Reads the next line; `None` at the end of the input.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Input>> {
    let mut bytes = Vec::new();
    let mut too_long = false;
    let mut any = false;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            break;
        }
        any = true;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        if bytes.len() + part.len() > MAX_LINE {
            too_long = true;
            bytes.clear();
        } else if !too_long {
            bytes.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    Ok(match (any, too_long) {
        (false, _) => None,
        (true, true) => Some(Input::TooLong),
        (true, false) => Some(Input::Line(clean(&bytes))),
    })
}

/// Text from bytes: no byte order mark, no NUL, other control characters as blanks, trimmed.
pub fn clean(bytes: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(bytes)
        .chars()
        .filter(|&c| c != '\u{feff}' && c != '\0')
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_control_characters_are_removed() {
        assert_eq!(clean(b"\xef\xbb\xbfuci\r"), "uci");
        assert_eq!(clean(b"u\0c\0i\0\r"), "uci");
        assert_eq!(clean(b"\tgo\tdepth 5 \r"), "go depth 5");
        assert_eq!(clean(b"\xff\xfe go"), "\u{fffd}\u{fffd} go");
        assert_eq!(clean(b""), "");
    }

    #[test]
    fn lines_end_at_a_line_feed_or_at_the_end() {
        let mut input = &b"uci\r\n\nisready"[..];
        assert_eq!(read(&mut input).unwrap(), Some(Input::Line("uci".into())));
        assert_eq!(read(&mut input).unwrap(), Some(Input::Line(String::new())));
        assert_eq!(read(&mut input).unwrap(), Some(Input::Line("isready".into())));
        assert_eq!(read(&mut input).unwrap(), None);
    }

    #[test]
    fn a_line_without_end_is_skipped_in_bounded_memory() {
        let mut long = vec![b'x'; MAX_LINE + 1];
        long.extend_from_slice(b"\nuci\n");
        let mut input = io::BufReader::with_capacity(1000, &long[..]);
        assert_eq!(read(&mut input).unwrap(), Some(Input::TooLong));
        assert_eq!(read(&mut input).unwrap(), Some(Input::Line("uci".into())));
    }
}
