//! The parameters of `setoption`.

/// A name and, where one was given, a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetOption {
    /// The name, blanks collapsed.
    pub name: String,
    /// The value, trimmed; `<empty>` and a missing value are the empty text.
    pub value: String,
}

/// The words of `text` with their byte offsets.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace().map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

impl SetOption {
    /// Reads what follows the word `setoption`. `known` says whether an option has that name: a
    /// name may hold the word `value` itself, and what is known decides where it ends.
    pub fn parse(text: &str, known: impl Fn(&str) -> bool) -> Option<Self> {
        let text = text.trim();
        let text = match text.split_once(char::is_whitespace) {
            Some((word, rest)) if word.eq_ignore_ascii_case("name") => rest.trim_start(),
            _ if text.eq_ignore_ascii_case("name") => "",
            _ => text,
        };
        let splits: Vec<_> = words(text)
            .filter(|(_, word)| word.eq_ignore_ascii_case("value"))
            .map(|(offset, word)| (&text[..offset], &text[offset + word.len()..]))
            .chain(std::iter::once((text, "")))
            .map(|(name, value)| {
                (name.split_whitespace().collect::<Vec<_>>().join(" "), value.trim())
            })
            .filter(|(name, _)| !name.is_empty())
            .collect();
        let (name, value) =
            splits.iter().find(|(name, _)| known(name)).or_else(|| splits.first())?.clone();
        let value = if value == "<empty>" { "" } else { value };
        Some(Self { name, value: value.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<(String, String)> {
        let known = ["hash", "clear hash", "valued thing", "contempt value", "syzygypath"];
        SetOption::parse(text, |name| known.contains(&name.to_ascii_lowercase().as_str()))
            .map(|option| (option.name, option.value))
    }

    fn pair(name: &str, value: &str) -> Option<(String, String)> {
        Some((name.to_owned(), value.to_owned()))
    }

    #[test]
    fn names_and_values() {
        assert_eq!(parse("name Hash value 32"), pair("Hash", "32"));
        assert_eq!(parse("  NAME   clear   hash  "), pair("clear hash", ""));
        assert_eq!(parse("name Hash value"), pair("Hash", ""));
        assert_eq!(parse("name SyzygyPath value <empty>"), pair("SyzygyPath", ""));
        assert_eq!(
            parse("name SyzygyPath value /a  b/c value"),
            pair("SyzygyPath", "/a  b/c value")
        );
        assert_eq!(parse("Hash value 8"), pair("Hash", "8"));
    }

    #[test]
    fn a_name_may_hold_the_word_value() {
        assert_eq!(parse("name Valued Thing value 3"), pair("Valued Thing", "3"));
        assert_eq!(parse("name Contempt Value value 3"), pair("Contempt Value", "3"));
        assert_eq!(parse("name Unknown value 3 value 4"), pair("Unknown", "3 value 4"));
    }

    #[test]
    fn nothing_is_nothing() {
        for text in ["", "name", "name value", "value 3", "name value 3"] {
            let parsed = parse(text);
            assert!(
                parsed.is_none() || !parsed.clone().unwrap().0.is_empty(),
                "{text}: {parsed:?}"
            );
        }
    }
}
