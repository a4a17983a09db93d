//! Commands from lines.

use vampirc_uci::{UciMessage, parse_one};

use super::go::{Go, PerftError, perft_depth};
use super::options;
use super::position::{Line, PositionError};
use super::setoption::SetOption;

/// What a host, or a person at the keyboard, asks for.
#[derive(Debug)]
pub enum Command {
    /// A message without parameters of its own.
    Message(UciMessage),
    /// `position`
    Position(Box<Result<Line, PositionError>>),
    /// `go`
    Go(Box<Go>),
    /// `setoption`; `None` where no name is given.
    SetOption(Option<SetOption>),
    /// Print the position: `d`.
    Display,
    /// Count the legal move tree: `perft N`.
    Perft(Result<u32, PerftError>),
    /// Nothing that is understood.
    Unknown,
}

impl Command {
    /// Reads a cleaned line. Unknown words before a command of the protocol are skipped.
    pub fn parse(line: &str) -> Self {
        let mut words = line.split_whitespace();
        let mut first = true;
        while let Some(word) = words.next() {
            let word = word.to_ascii_lowercase();
            match word.as_str() {
                "position" => return Self::Position(Box::new(Line::parse(words))),
                "go" => return Self::Go(Box::new(Go::parse(words))),
                "setoption" => return Self::set_option(line, words.next()),
                "debug" => {
                    if let Some(word) = words.next().map(str::to_ascii_lowercase)
                        && (word == "on" || word == "off")
                    {
                        return Self::Message(UciMessage::Debug(word == "on"));
                    }
                    return Self::Unknown;
                }
                "register" => return Self::Message(UciMessage::register_later()),
                // Only these bare words reach the library's parser, which is sound on them.
                "uci" | "isready" | "ucinewgame" | "stop" | "ponderhit" | "quit" => {
                    return Self::Message(parse_one(&word));
                }
                _ if first => {
                    if let Some(helper) = Self::helper(&word, words.clone().next()) {
                        return helper;
                    }
                }
                _ => {}
            }
            first = false;
        }
        Self::Unknown
    }

    /// Reads `setoption`, whose first parameter is `next`, from the line itself: a value keeps
    /// its blanks.
    fn set_option(line: &str, next: Option<&str>) -> Self {
        let rest = next.map_or("", |next| &line[next.as_ptr() as usize - line.as_ptr() as usize..]);
        Self::SetOption(SetOption::parse(rest, options::is_known))
    }

    fn helper(word: &str, next: Option<&str>) -> Option<Self> {
        match word {
            "d" => Some(Self::Display),
            "perft" => Some(Self::Perft(perft_depth(next))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(line: &str) -> Option<UciMessage> {
        match Command::parse(line) {
            Command::Message(message) => Some(message),
            _ => None,
        }
    }

    #[test]
    fn bare_words_are_messages() {
        assert_eq!(message("uci"), Some(UciMessage::Uci));
        assert_eq!(message("  IsReady  now"), Some(UciMessage::IsReady));
        assert_eq!(message("ucinewgame"), Some(UciMessage::UciNewGame));
        assert_eq!(message("stop"), Some(UciMessage::Stop));
        assert_eq!(message("ponderhit"), Some(UciMessage::PonderHit));
        assert_eq!(message("quit"), Some(UciMessage::Quit));
        assert_eq!(message("debug off"), Some(UciMessage::Debug(false)));
        assert_eq!(message("register name A code B"), Some(UciMessage::register_later()));
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped() {
        assert_eq!(message("joho debug on"), Some(UciMessage::Debug(true)));
        assert_eq!(message("xyzzy"), None);
        assert_eq!(message("isreadyx"), None);
        assert_eq!(message(""), None);
        assert!(matches!(Command::parse("foo go depth 3"), Command::Go(go) if go.depth == Some(3)));
        assert!(matches!(Command::parse("foo d"), Command::Unknown));
    }

    #[test]
    fn option_values_keep_their_blanks() {
        let Command::SetOption(Some(option)) =
            Command::parse("setoption  name SyzygyPath value /a  b")
        else {
            panic!("not understood");
        };
        assert_eq!((option.name.as_str(), option.value.as_str()), ("SyzygyPath", "/a  b"));
        assert!(matches!(Command::parse("setoption"), Command::SetOption(None)));
    }
}
