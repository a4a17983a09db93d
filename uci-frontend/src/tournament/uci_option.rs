//! The `option` lines by which an engine declares what can be set.

/// What kind of value an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Check,
    /// A whole number; a bound is absent where the engine gave none that can be read.
    Spin {
        /// Least value.
        min: Option<i64>,
        /// Greatest value.
        max: Option<i64>,
    },
    /// One of these.
    Combo(Vec<String>),
    /// No value.
    Button,
    /// Any text.
    Text,
}

/// One declared option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UciOption {
    /// Name.
    pub name: String,
    /// Kind and range.
    pub kind: Kind,
    /// Default, as written; `<empty>` is the empty text.
    pub default: Option<String>,
}

/// What an option's value is wrong with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub String);

impl UciOption {
    /// Reads an `option` line. The words `min`, `max`, `type`, `default` and `var` may stand in
    /// the name or in a value: a name ends where `type` and a known kind follow, and only a spin
    /// has bounds.
    pub fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [first, second, rest @ ..] = words.as_slice() else { return None };
        if *first != "option" || *second != "name" {
            return None;
        }
        let type_at = rest.windows(2).position(|pair| pair[0] == "type" && is_kind(pair[1]))?;
        let name = rest[..type_at].join(" ");
        let values = &rest[type_at + 2..];
        let (kind, default) = match rest[type_at + 1] {
            "check" => (Kind::Check, word_after(values, "default").map(str::to_owned)),
            "spin" => {
                let number = |keyword| word_after(values, keyword)?.parse().ok();
                let kind = Kind::Spin { min: number("min"), max: number("max") };
                (kind, word_after(values, "default").map(str::to_owned))
            }
            "combo" => combo(values),
            "button" => (Kind::Button, None),
            _ => (Kind::Text, text_default(line)),
        };
        (!name.is_empty()).then_some(Self { name, kind, default })
    }

    /// Says why `value` cannot be set.
    ///
    /// # Errors
    /// The value is of the wrong kind or out of range.
    pub fn check(&self, value: &str) -> Result<(), Refused> {
        let refuse = |why: String| Err(Refused(format!("option {}={value}: {why}", self.name)));
        match &self.kind {
            Kind::Check if !matches!(value, "true" | "false") => {
                refuse("expected true or false".to_owned())
            }
            Kind::Spin { min, max } => match value.parse::<i64>() {
                Err(_) => refuse("expected a whole number".to_owned()),
                Ok(number)
                    if min.is_some_and(|min| number < min)
                        || max.is_some_and(|max| number > max) =>
                {
                    refuse(format!(
                        "expected {} to {}",
                        min.unwrap_or(i64::MIN),
                        max.unwrap_or(i64::MAX)
                    ))
                }
                Ok(_) => Ok(()),
            },
            Kind::Combo(vars) if !vars.iter().any(|var| var.eq_ignore_ascii_case(value)) => {
                refuse(format!("expected one of {}", vars.join(", ")))
            }
            _ => Ok(()),
        }
    }
}

fn is_kind(word: &str) -> bool {
    matches!(word, "check" | "spin" | "combo" | "button" | "string" | "filename")
}

fn word_after<'a>(words: &[&'a str], keyword: &str) -> Option<&'a str> {
    let at = words.iter().position(|word| *word == keyword)?;
    words.get(at + 1).copied()
}

fn combo(words: &[&str]) -> (Kind, Option<String>) {
    let mut parts = words.split(|word| *word == "var");
    let head = parts.next().unwrap_or(&[]);
    let default = head.split_first().filter(|(word, _)| **word == "default");
    let vars = parts.map(|part| part.join(" ")).collect();
    (Kind::Combo(vars), default.map(|(_, value)| value.join(" ")))
}

/// A text's default is everything behind the word, blanks and keywords included.
fn text_default(line: &str) -> Option<String> {
    let kind = ["type string", "type filename"].iter().find_map(|kind| line.find(kind))?;
    let value = line[kind..].split_once("default")?.1.trim();
    Some(if value == "<empty>" { String::new() } else { value.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_inside_values_are_values() {
        let option = UciOption::parse(
            "option name UCI_Variant type combo default chess var chess var mini var minishogi",
        );
        let expected = UciOption {
            name: "UCI_Variant".to_owned(),
            kind: Kind::Combo(["chess", "mini", "minishogi"].map(str::to_owned).to_vec()),
            default: Some("chess".to_owned()),
        };
        assert_eq!(option, Some(expected));
    }

    #[test]
    fn keywords_inside_names_are_names() {
        for (line, name, kind) in [
            (
                "option name Allowed max nodes to visit type spin default 10 min 1 max 100",
                "Allowed max nodes to visit",
                Kind::Spin { min: Some(1), max: Some(100) },
            ),
            ("option name Piece type type check default true", "Piece type", Kind::Check),
            ("option name min type button", "min", Kind::Button),
            (
                "option name max type spin max 9 default 3 min -2",
                "max",
                Kind::Spin { min: Some(-2), max: Some(9) },
            ),
        ] {
            let option = UciOption::parse(line).expect(line);
            assert_eq!((option.name.as_str(), &option.kind), (name, &kind), "{line}");
        }
    }

    #[test]
    fn texts_keep_their_blanks() {
        let option =
            UciOption::parse("option name Book File type string default C:\\min max\\a b.bin");
        assert_eq!(
            option.and_then(|option| option.default).as_deref(),
            Some("C:\\min max\\a b.bin")
        );
        let option = UciOption::parse("option name Log type filename default <empty>");
        assert_eq!(option.and_then(|option| option.default).as_deref(), Some(""));
    }

    #[test]
    fn bad_lines_are_no_options_and_bad_numbers_no_bounds() {
        for line in [
            "option",
            "option name",
            "option name X",
            "option name X type banana",
            "option name type spin",
        ] {
            assert_eq!(UciOption::parse(line), None, "{line}");
        }
        let option = UciOption::parse(
            "option name Skill type spin default x min low max 99999999999999999999999",
        );
        let option = option.expect("a spin");
        assert_eq!(option.kind, Kind::Spin { min: None, max: None });
        assert_eq!(option.check("5"), Ok(()));
        assert!(option.check("five").is_err());
    }
}
