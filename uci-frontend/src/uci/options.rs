//! The options that a host can set.

use engine::search::{
    MAX_ELO, MIN_ELO, Options as SearchOptions, Searcher, TUNABLES, Tunable, set_tunable,
};
use vampirc_uci::UciOptionConfig;

use super::go::number;
use super::setoption::SetOption;

/// Every option, in the order in which hosts see them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Id {
    Hash,
    ClearHash,
    Threads,
    MultiPv,
    Ponder,
    MoveOverhead,
    Chess960,
    AnalyseMode,
    ShowWdl,
    LimitStrength,
    Elo,
    Opponent,
    EngineAbout,
    SyzygyPath,
    EvalFile,
    Arbiter,
    ArbiterPlugin,
    ArbiterEdition,
    ArbiterLog,
}

impl Id {
    const ALL: [Self; 19] = [
        Self::Hash,
        Self::ClearHash,
        Self::Threads,
        Self::MultiPv,
        Self::Ponder,
        Self::MoveOverhead,
        Self::Chess960,
        Self::AnalyseMode,
        Self::ShowWdl,
        Self::LimitStrength,
        Self::Elo,
        Self::Opponent,
        Self::EngineAbout,
        Self::SyzygyPath,
        Self::EvalFile,
        Self::Arbiter,
        Self::ArbiterPlugin,
        Self::ArbiterEdition,
        Self::ArbiterLog,
    ];

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|id| id.name().eq_ignore_ascii_case(name))
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Hash => "Hash",
            Self::ClearHash => "Clear Hash",
            Self::Threads => "Threads",
            Self::MultiPv => "MultiPV",
            Self::Ponder => "Ponder",
            Self::MoveOverhead => "Move Overhead",
            Self::Chess960 => "UCI_Chess960",
            Self::AnalyseMode => "UCI_AnalyseMode",
            Self::ShowWdl => "UCI_ShowWDL",
            Self::LimitStrength => "UCI_LimitStrength",
            Self::Elo => "UCI_Elo",
            Self::Opponent => "UCI_Opponent",
            Self::EngineAbout => "UCI_EngineAbout",
            Self::SyzygyPath => "SyzygyPath",
            Self::EvalFile => "EvalFile",
            Self::Arbiter => "Arbiter",
            Self::ArbiterPlugin => "ArbiterPlugin",
            Self::ArbiterEdition => "ArbiterEdition",
            Self::ArbiterLog => "ArbiterLog",
        }
    }

    /// The least and the greatest value of a number.
    const fn range(self) -> (i64, i64) {
        match self {
            Self::Hash => (1, Searcher::MAX_HASH_MIB as i64),
            Self::Threads => (1, Searcher::MAX_THREADS as i64),
            Self::MultiPv => (1, 256),
            Self::MoveOverhead => (0, 5000),
            Self::Elo => (MIN_ELO as i64, MAX_ELO as i64),
            _ => (0, 0),
        }
    }

    fn config(self, settings: &Settings) -> UciOptionConfig {
        let name = self.name().to_owned();
        let check = |default| UciOptionConfig::Check { name: name.clone(), default: Some(default) };
        let text = |default: &str| UciOptionConfig::String {
            name: name.clone(),
            default: Some(if default.is_empty() { "<empty>" } else { default }.to_owned()),
        };
        let spin = |default: i64| {
            let (min, max) = self.range();
            UciOptionConfig::Spin {
                name: name.clone(),
                default: Some(default),
                min: Some(min),
                max: Some(max),
            }
        };
        match self {
            Self::Hash => spin(settings.hash_mib as i64),
            Self::ClearHash => UciOptionConfig::Button { name },
            Self::Threads => spin(settings.threads as i64),
            Self::MultiPv => spin(settings.search.multi_pv as i64),
            Self::Ponder => check(settings.search.ponder),
            Self::MoveOverhead => spin(settings.search.move_overhead_ms as i64),
            Self::Chess960 => check(settings.chess960),
            Self::AnalyseMode => check(settings.search.analyse_mode),
            Self::ShowWdl => check(settings.show_wdl),
            Self::LimitStrength => check(settings.limit_strength),
            Self::Elo => spin(settings.elo.into()),
            Self::Opponent => text(&settings.opponent),
            Self::EngineAbout => text(ABOUT),
            Self::SyzygyPath | Self::EvalFile => text(""),
            Self::Arbiter => check(settings.arbiter.enabled),
            Self::ArbiterPlugin => text(&settings.arbiter.plugin),
            Self::ArbiterEdition => UciOptionConfig::Combo {
                name,
                default: Some(settings.arbiter.edition.to_owned()),
                var: EDITIONS.map(str::to_owned).to_vec(),
            },
            Self::ArbiterLog => text(&settings.arbiter.log),
        }
    }
}

/// The editions of the Laws that can be chosen.
const EDITIONS: [&str; 3] = ["2014", "2018", "2023"];

const ABOUT: &str = concat!(
    "Themis ",
    env!("CARGO_PKG_VERSION"),
    ", an engine with an arbiter for the FIDE Laws of Chess, GPL-3.0-or-later"
);

/// How the arbiter watches the games on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArbiterSettings {
    /// Whether it watches at all.
    pub enabled: bool,
    /// The library of another arbiter; empty for the built-in one.
    pub plugin: String,
    /// The edition of the Laws.
    pub edition: &'static str,
    /// The file to which rulings are appended; empty for none.
    pub log: String,
}

/// The values of the options.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Size of the transposition table in MiB, as last asked for.
    pub hash_mib: usize,
    /// Number of threads, as last asked for.
    pub threads: usize,
    /// Moves are written as Chess960 wants them.
    pub chess960: bool,
    /// Chances are added to scores.
    pub show_wdl: bool,
    /// Whether strength is limited to `elo`.
    pub limit_strength: bool,
    /// The strength to limit to.
    pub elo: u32,
    /// Who plays against us: title, rating, `computer` or `human`, name.
    pub opponent: String,
    /// What the search is told.
    pub search: SearchOptions,
    /// What the arbiter is told.
    pub arbiter: ArbiterSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash_mib: Searcher::DEFAULT_HASH_MIB,
            threads: 1,
            chess960: false,
            show_wdl: false,
            limit_strength: false,
            elo: MAX_ELO,
            opponent: String::new(),
            search: SearchOptions::default(),
            arbiter: ArbiterSettings {
                enabled: true,
                plugin: String::new(),
                edition: "2018",
                log: String::new(),
            },
        }
    }
}

/// What is left to do after a value is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// Give the transposition table its new size.
    ResizeHash,
    /// Forget everything learned.
    ClearHash,
    /// Start or end threads.
    ResizeThreads,
    /// Open the tablebases in these directories.
    OpenTablebases(String),
    /// Evaluate with the network in this file, or with none.
    LoadNetwork(String),
    /// Tell the arbiter's watcher.
    ConfigureArbiter,
}

/// Why an option is not set.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("no option `{0}`")]
    Unknown(String),
    /// The value is of the wrong kind.
    #[error("option {name} expects {expected}, not `{value}`")]
    Value {
        /// The option.
        name: &'static str,
        /// What it takes.
        expected: String,
        /// What was given.
        value: String,
    },
}

/// Whether an option has this name.
pub fn is_known(name: &str) -> bool {
    Id::from_name(name).is_some() || tunable(name).is_some()
}

/// The number of the search of this name, in a build for tuning.
fn tunable(name: &str) -> Option<&'static Tunable> {
    TUNABLES.iter().find(|tunable| tunable.name.eq_ignore_ascii_case(name))
}

impl Settings {
    /// The options with their defaults, for the answer to `uci`.
    pub fn advertised() -> Vec<UciOptionConfig> {
        let defaults = Self::default();
        let tunables = TUNABLES.iter().map(|tunable| UciOptionConfig::Spin {
            name: tunable.name.to_owned(),
            default: Some(tunable.value.into()),
            min: Some(tunable.min.into()),
            max: Some(tunable.max.into()),
        });
        Id::ALL.into_iter().map(|id| id.config(&defaults)).chain(tunables).collect()
    }

    /// Stores a value. Numbers out of range become the nearest in range; the note says so.
    pub fn set(&mut self, option: &SetOption) -> Result<(Effect, Option<String>), OptionError> {
        let mut note = None;
        if let Some(&Tunable { name, min, max, .. }) = tunable(&option.name) {
            let range = (min.into(), max.into());
            let value = Value { name, text: &option.value }.spin(range, &mut note)?;
            let set = set_tunable(name, value as i32);
            debug_assert!(set, "{name} {value}");
            return Ok((Effect::None, note));
        }
        let id =
            Id::from_name(&option.name).ok_or_else(|| OptionError::Unknown(option.name.clone()))?;
        let value = Value { name: id.name(), text: &option.value };
        let mut spin = || value.spin(id.range(), &mut note);
        let mut effect = Effect::None;
        match id {
            Id::Hash => {
                self.hash_mib = spin()? as usize;
                effect = Effect::ResizeHash;
            }
            Id::ClearHash => effect = Effect::ClearHash,
            Id::Threads => {
                self.threads = spin()? as usize;
                effect = Effect::ResizeThreads;
            }
            Id::MultiPv => self.search.multi_pv = spin()? as usize,
            Id::MoveOverhead => self.search.move_overhead_ms = spin()? as u64,
            Id::Elo => self.elo = spin()? as u32,
            Id::Ponder => self.search.ponder = value.check()?,
            Id::Chess960 => self.chess960 = value.check()?,
            Id::AnalyseMode => self.search.analyse_mode = value.check()?,
            Id::ShowWdl => self.show_wdl = value.check()?,
            Id::LimitStrength => self.limit_strength = value.check()?,
            Id::Opponent => {
                self.opponent = option.value.clone();
                effect = Effect::ConfigureArbiter;
            }
            // The engine tells this; hosts have no business to change it.
            Id::EngineAbout => {}
            Id::SyzygyPath => effect = Effect::OpenTablebases(option.value.clone()),
            Id::EvalFile => effect = Effect::LoadNetwork(option.value.clone()),
            Id::Arbiter => {
                self.arbiter.enabled = value.check()?;
                effect = Effect::ConfigureArbiter;
            }
            Id::ArbiterPlugin => {
                self.arbiter.plugin = option.value.clone();
                effect = Effect::ConfigureArbiter;
            }
            Id::ArbiterEdition => {
                self.arbiter.edition = value.edition()?;
                effect = Effect::ConfigureArbiter;
            }
            Id::ArbiterLog => {
                self.arbiter.log = option.value.clone();
                effect = Effect::ConfigureArbiter;
            }
        }
        self.search.elo = self.limit_strength.then_some(self.elo);
        Ok((effect, note))
    }
}

/// A value on its way to an option.
struct Value<'a> {
    name: &'static str,
    text: &'a str,
}

impl Value<'_> {
    fn error(&self, expected: impl Into<String>) -> OptionError {
        OptionError::Value {
            name: self.name,
            expected: expected.into(),
            value: self.text.chars().take(60).collect(),
        }
    }

    fn check(&self) -> Result<bool, OptionError> {
        match self.text.to_ascii_lowercase().as_str() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(self.error("true or false")),
        }
    }

    fn spin(&self, (min, max): (i64, i64), note: &mut Option<String>) -> Result<i64, OptionError> {
        let asked =
            number(self.text).ok_or_else(|| self.error(format!("a number from {min} to {max}")))?;
        let value = asked.clamp(min, max);
        if value != asked {
            let name = self.name;
            *note = Some(format!("option {name} takes {min} to {max}: set to {value}"));
        }
        Ok(value)
    }

    fn edition(&self) -> Result<&'static str, OptionError> {
        let known = EDITIONS.into_iter().find(|&edition| edition == self.text);
        known.ok_or_else(|| self.error(EDITIONS.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(
        settings: &mut Settings,
        name: &str,
        value: &str,
    ) -> Result<(Effect, Option<String>), OptionError> {
        settings.set(&SetOption { name: name.to_owned(), value: value.to_owned() })
    }

    #[test]
    fn every_option_is_written_so_that_hosts_can_read_it() {
        let reserved = ["name", "type", "default", "min", "max", "var", "value"];
        for (id, config) in Id::ALL.into_iter().zip(Settings::advertised()) {
            let line = config.to_string();
            assert!(line.starts_with(&format!("option name {} type ", id.name())), "{line}");
            let (_, rest) = line.split_once(" type ").unwrap();
            assert!(id.name().split(' ').all(|word| !reserved.contains(&word)), "{line}");
            match config {
                UciOptionConfig::Spin { default, min, max, .. } => {
                    assert!(min <= default && default <= max, "{line}");
                    assert!(max.unwrap() <= i64::from(i32::MAX), "{line}");
                }
                UciOptionConfig::Check { .. } => {
                    assert!(rest.starts_with("check default "), "{line}")
                }
                UciOptionConfig::String { .. } => {
                    let default = rest.strip_prefix("string default ").unwrap();
                    assert!(!default.split(' ').any(|word| reserved.contains(&word)), "{line}");
                }
                UciOptionConfig::Button { .. } => assert_eq!(rest, "button"),
                UciOptionConfig::Combo { default, var, .. } => {
                    assert!(var.contains(&default.unwrap()))
                }
            }
        }
    }

    #[test]
    fn numbers_are_clamped_and_said() {
        let mut settings = Settings::default();
        assert_eq!(set(&mut settings, "threads", "3"), Ok((Effect::ResizeThreads, None)));
        assert_eq!(settings.threads, 3);
        let (_, note) = set(&mut settings, "MultiPV", "0").unwrap();
        assert_eq!((settings.search.multi_pv, note.is_some()), (1, true));
        let (_, note) = set(&mut settings, "Hash", "99999999999999999999999").unwrap();
        assert_eq!((settings.hash_mib, note.is_some()), (Searcher::MAX_HASH_MIB, true));
        assert!(set(&mut settings, "Hash", "").is_err());
        assert!(set(&mut settings, "Hash", "many").is_err());
        assert_eq!(settings.hash_mib, Searcher::MAX_HASH_MIB);
    }

    #[test]
    fn words_are_checked() {
        let mut settings = Settings::default();
        assert!(set(&mut settings, "uci_chess960", "TRUE").is_ok() && settings.chess960);
        assert!(set(&mut settings, "UCI_Chess960", "yes").is_err() && settings.chess960);
        assert!(set(&mut settings, "ArbiterEdition", "1997").is_err());
        assert!(set(&mut settings, "ArbiterEdition", "2023").is_ok());
        assert_eq!(settings.arbiter.edition, "2023");
        assert_eq!(set(&mut settings, "Foo", "1"), Err(OptionError::Unknown("Foo".into())));
    }

    #[test]
    #[cfg(feature = "tuning")]
    fn numbers_of_the_search_are_options() {
        let mut settings = Settings::default();
        let advertised = Settings::advertised();
        assert!(TUNABLES.len() > 50);
        for &Tunable { name, min, max, value, .. } in TUNABLES {
            let line = format!("option name {name} type spin default {value} min {min} max {max}");
            assert!(advertised.iter().any(|option| option.to_string() == line), "{line}");
            assert!(is_known(name) && Id::from_name(name).is_none());
            assert_eq!(set(&mut settings, name, &max.to_string()), Ok((Effect::None, None)));
            assert!(set(&mut settings, name, &(max + 1).to_string()).unwrap().1.is_some());
            assert!(set(&mut settings, name, "many").is_err());
            assert!(set_tunable(name, value) && !set_tunable(name, min - 1));
        }
    }

    #[test]
    fn strength_counts_only_while_limited() {
        let mut settings = Settings::default();
        set(&mut settings, "UCI_Elo", "1500").unwrap();
        assert_eq!(settings.search.elo, None);
        set(&mut settings, "UCI_LimitStrength", "true").unwrap();
        assert_eq!(settings.search.elo, Some(1500));
        set(&mut settings, "UCI_LimitStrength", "false").unwrap();
        assert_eq!(settings.search.elo, None);
    }
}
