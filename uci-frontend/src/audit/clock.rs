//! Times in comments: `[%clk 1:30:00]`, `[%emt 0:00:05]`, and what engine runners write.

/// What a comment says about time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClockComment {
    /// What the mover's clock shows after the move.
    pub clock: Option<Reading>,
    /// The time taken for the move.
    pub elapsed: Option<Reading>,
}

/// A time as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Milliseconds.
    Time(i64),
    /// Two fields: hours and minutes, or minutes and seconds; nobody can tell.
    Ambiguous(String),
}

impl ClockComment {
    /// Reads a comment.
    pub fn parse(comment: &str) -> Self {
        let mut found = Self::default();
        let mut rest = comment;
        while let Some(at) = memchr::memchr(b'[', rest.as_bytes()) {
            rest = &rest[at + 1..];
            let reading = |name| argument(rest, name).and_then(Reading::parse);
            found.clock = found.clock.or_else(|| reading("%clk"));
            found.elapsed = found.elapsed.or_else(|| reading("%emt"));
        }
        if !comment.starts_with('[') {
            found.elapsed = found.elapsed.or_else(|| runner_elapsed(comment).map(Reading::Time));
            found.clock = found.clock.or_else(|| runner_clock(comment).map(Reading::Time));
        }
        found
    }
}

fn words(comment: &str) -> impl Iterator<Item = &str> {
    comment.split([' ', ',', ';']).filter(|word| !word.is_empty())
}

/// The argument of a command such as `%clk …]`.
fn argument<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let argument = text.strip_prefix(name)?;
    let argument = argument.split(']').next()?;
    argument.starts_with(char::is_whitespace).then(|| argument.trim())
}

impl Reading {
    /// Reads `h:mm:ss`, `h:mm:ss.f` or seconds alone.
    fn parse(text: &str) -> Option<Self> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text),
        };
        let mut fields = digits.split(':').map(str::trim);
        let ms = match [(); 4].map(|()| fields.next()) {
            [Some(seconds), None, ..] => milliseconds(seconds)?,
            [Some(_), Some(seconds), None, _] => {
                milliseconds(seconds)?;
                return Some(Self::Ambiguous(text.to_owned()));
            }
            [Some(hours), Some(minutes), Some(seconds), None] => {
                let whole = |field: &str| field.parse::<u32>().ok().map(i64::from);
                (whole(hours)? * 60 + whole(minutes)?) * 60_000 + milliseconds(seconds)?
            }
            _ => return None,
        };
        Some(Self::Time(sign * ms))
    }
}

/// Seconds with or without decimals, as milliseconds.
fn milliseconds(text: &str) -> Option<i64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let value = text.parse::<f64>().ok().filter(|_| plain)?;
    (value < 1e9).then(|| (value * 1000.0).round() as i64)
}

/// `1.25s` as milliseconds.
fn seconds(word: &str) -> Option<i64> {
    let digits = word.strip_suffix('s')?;
    match digits.strip_prefix('-') {
        Some(digits) => milliseconds(digits).map(|ms| -ms),
        None => milliseconds(digits),
    }
}

/// The time in a runner's comment such as `+0.31/12 1.2s`.
fn runner_elapsed(comment: &str) -> Option<i64> {
    let mut words = words(comment);
    let score = words.next()?;
    if score == "book" {
        return None;
    }
    let (value, depth) = score.split_once('/')?;
    let is_score =
        value.starts_with(['+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'M']);
    (is_score && depth.bytes().all(|byte| byte.is_ascii_digit()) && !depth.is_empty())
        .then(|| words.next().and_then(seconds))
        .flatten()
}

/// The time left in a runner's comment such as `+0.31/12 1.2s, tl=7.25s`.
fn runner_clock(comment: &str) -> Option<i64> {
    comment
        .contains('=')
        .then(|| words(comment).find_map(|word| word.strip_prefix("tl=")))?
        .and_then(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(comment: &str) -> Option<Reading> {
        ClockComment::parse(comment).clock
    }

    fn elapsed(comment: &str) -> Option<Reading> {
        ClockComment::parse(comment).elapsed
    }

    #[test]
    fn clocks_of_all_forms() {
        for (text, ms) in [
            ("0:00:45.6", 45_600),
            ("00:01:00", 60_000),
            ("0:1:5", 65_000),
            ("1:30:00", 5_400_000),
            ("-0:00:05", -5_000),
            ("12.5", 12_500),
        ] {
            assert_eq!(
                clock(&format!("[%eval 0.3] [%clk {text}] ok")),
                Some(Reading::Time(ms)),
                "{text}"
            );
        }
        assert_eq!(clock("[%clk\u{20}\u{20}00:59:26]"), Some(Reading::Time(3_566_000)));
        for text in ["1:03", "1:03.333"] {
            assert_eq!(clock(&format!("[%clk {text}]")), Some(Reading::Ambiguous(text.to_owned())));
        }
        for text in ["", "x", "1:2:3:4", "1e3", "nan", "::", "99999999999999999999"] {
            assert_eq!(clock(&format!("[%clk {text}]")), None, "{text}");
        }
    }

    #[test]
    fn runners_say_how_long_a_move_took() {
        assert_eq!(elapsed("+0.31/12 1.2s"), Some(Reading::Time(1200)));
        assert_eq!(elapsed("-M4/7 0.001s, Black loses on time"), Some(Reading::Time(1)));
        assert_eq!(elapsed("0.00/1 0.5s, tl=7.25s, n=12"), Some(Reading::Time(500)));
        assert_eq!(clock("0.00/1 0.5s, tl=7.25s, n=12"), Some(Reading::Time(7250)));
        for text in ["book", "good move", "a/b 3s", ""] {
            assert_eq!(elapsed(text), None, "{text}");
        }
    }
}
