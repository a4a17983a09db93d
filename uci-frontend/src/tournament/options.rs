//! The command line, in the syntax of cutechess-cli and fastchess.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};

use super::config::{
    Claims, DrawAdjudication, EngineConfig, EpdOut, Illegal, LogConfig, Notation, Openings, Order,
    OutputStyle, PgnOut, Policy, ResignAdjudication, Restart, SprtConfig, SprtModel, TbAdjudicate,
    Tournament, milliseconds,
};
use super::engine_file::known_engine;
use super::journal::{self, Begun};
use super::player::nearest;
use super::process::processors;

/// Everything the command can be asked.
#[derive(Debug, Default)]
pub struct Invocation {
    /// The tournament.
    pub tournament: Tournament,
    /// Go on with the tournament of this journal; the options stand on what it holds.
    pub begun: Option<(PathBuf, Begun)>,
    /// Write the configuration to this file.
    pub config_out: Option<PathBuf>,
    /// More games at a time than processors are wanted.
    pub force_concurrency: bool,
    /// Print the help.
    pub help: bool,
    /// Print the version.
    pub version: bool,
}

/// One option: its name as written and the words behind it.
struct Group {
    name: String,
    values: Vec<String>,
}

/// Every option, for the search for the nearest name.
const NAMES: &[&str] = &[
    "engine",
    "each",
    "openings",
    "concurrency",
    "force-concurrency",
    "affinity",
    "use-affinity",
    "draw",
    "resign",
    "maxmoves",
    "tb",
    "tbpieces",
    "tbignore50",
    "tbadjudicate",
    "recover",
    "wait",
    "ratinginterval",
    "scoreinterval",
    "pgnout",
    "epdout",
    "jsonout",
    "autosaveinterval",
    "log",
    "event",
    "site",
    "variant",
    "rounds",
    "games",
    "repeat",
    "noswap",
    "reverse",
    "seeds",
    "tournament",
    "sprt",
    "srand",
    "config",
    "resume",
    "journal",
    "arbiter",
    "edition",
    "claims",
    "illegal",
    "report",
    "output",
    "show-latency",
    "startup-ms",
    "ucinewgame-ms",
    "ping-ms",
    "stall-ms",
    "help",
    "version",
];

/// Reads the arguments.
///
/// # Errors
/// An option or a value is not known; the message names it and, for names, the nearest known one.
pub fn parse(arguments: &[String]) -> anyhow::Result<Invocation> {
    let groups = group(arguments)?;
    let mut invocation = assemble(&groups, Tournament::default())?;
    if let Some(resume) = groups.iter().rfind(|group| group.name == "resume") {
        let path = match optional(&resume.values).context("-resume")? {
            Some(path) => path.into(),
            None => journal::default_path(&invocation.tournament),
        };
        let begun = journal::read(&path).context("-resume")?;
        invocation = assemble(&groups, begun.tournament.clone())?;
        invocation.begun = Some((path, begun));
    }
    Ok(invocation)
}

/// Puts the options on the ground of a configuration file or, where there is none, of `ground`.
fn assemble(groups: &[Group], ground: Tournament) -> anyhow::Result<Invocation> {
    let mut invocation = Invocation { tournament: ground, ..Invocation::default() };
    for group in groups.iter().filter(|group| group.name == "config") {
        configuration(&mut invocation, &group.values).context("-config")?;
    }
    let mut each = Vec::new();
    let mut engines: Vec<&[String]> = Vec::new();
    for group in groups {
        match group.name.as_str() {
            "config" | "resume" => {}
            "each" => each.extend(&group.values),
            "engine" => engines.push(&group.values),
            name => {
                option(&mut invocation, name, &group.values).with_context(|| format!("-{name}"))?
            }
        }
    }
    let tournament = &mut invocation.tournament;
    if !engines.is_empty() {
        tournament.engines = vec![EngineConfig::default(); engines.len()];
    }
    for engine in &mut tournament.engines {
        for word in &each {
            engine_word(engine, word).with_context(|| format!("-each {word}"))?;
        }
    }
    for (engine, words) in tournament.engines.iter_mut().zip(engines) {
        // What stands in a file is the ground of what is said here, wherever conf= stands.
        let (files, others): (Vec<_>, Vec<_>) =
            words.iter().partition(|word| word.starts_with("conf="));
        for word in files.into_iter().chain(others) {
            engine_word(engine, word).with_context(|| format!("-engine {word}"))?;
        }
    }
    name_engines(&mut tournament.engines);
    Ok(invocation)
}

fn group(arguments: &[String]) -> anyhow::Result<Vec<Group>> {
    let mut groups: Vec<Group> = Vec::new();
    for argument in arguments {
        let name = argument.strip_prefix("--").or_else(|| argument.strip_prefix('-'));
        match name.filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic())) {
            Some(name) if NAMES.contains(&name) => {
                groups.push(Group { name: name.to_owned(), values: Vec::new() });
            }
            Some(name) => {
                let hint = nearest(name, NAMES.iter().copied());
                match hint {
                    Some(near) => bail!("unknown option {argument}; did you mean -{near}?"),
                    None => {
                        bail!("unknown option {argument}; `themis tournament -help` lists them")
                    }
                }
            }
            None => match groups.last_mut() {
                Some(group) => group.values.push(argument.clone()),
                None => bail!("{argument:?} stands before any option"),
            },
        }
    }
    Ok(groups)
}

fn configuration(invocation: &mut Invocation, values: &[String]) -> anyhow::Result<()> {
    ensure!(!values.is_empty(), "expected file=FILE or outname=FILE");
    let mut discard = false;
    let mut file = None;
    pairs(values, "file", |key, value| {
        match key {
            "file" => file = Some(PathBuf::from(value)),
            "outname" => invocation.config_out = Some(value.into()),
            "discard" => discard = boolean(value)?,
            _ => return Err(unknown_key(key, &["file", "outname", "discard"])),
        }
        Ok(())
    })?;
    if let Some(file) = file.filter(|_| !discard) {
        invocation.tournament = Tournament::read(&file)?;
    }
    Ok(())
}

fn option(invocation: &mut Invocation, name: &str, values: &[String]) -> anyhow::Result<()> {
    let tournament = &mut invocation.tournament;
    match name {
        "help" => invocation.help = true,
        "version" => invocation.version = true,
        "force-concurrency" => invocation.force_concurrency = flag(values)?,
        "journal" => tournament.journal = Some(one(values)?.into()),
        "openings" => tournament.openings = Some(openings(values, &mut tournament.srand)?),
        "concurrency" => tournament.concurrency = number(values)?,
        "affinity" | "use-affinity" => tournament.affinity = affinity(optional(values)?)?,
        "draw" => tournament.draw = Some(draw(values)?),
        "resign" => tournament.resign = Some(resign(values)?),
        "maxmoves" => tournament.maxmoves = number(values)?,
        "tb" => tournament.tb.paths = std::env::split_paths(one(values)?).collect(),
        "tbpieces" => tournament.tb.pieces = Some(number(values)?),
        "tbignore50" => tournament.tb.ignore50 = flag(values)?,
        "tbadjudicate" => {
            tournament.tb.adjudicate = match one(values)?.to_ascii_uppercase().as_str() {
                "BOTH" => TbAdjudicate::Both,
                "WIN_LOSS" => TbAdjudicate::WinLoss,
                "DRAW" => TbAdjudicate::Draw,
                other => bail!("{other}: expected BOTH, WIN_LOSS or DRAW"),
            }
        }
        "recover" => tournament.recover = flag(values)?,
        "wait" => tournament.wait_ms = number(values)?,
        "ratinginterval" => tournament.ratinginterval = number(values)?,
        "scoreinterval" => tournament.scoreinterval = number(values)?,
        "pgnout" => tournament.pgnout = Some(pgnout(values)?),
        "epdout" => tournament.epdout = Some(epdout(values)?),
        "jsonout" => tournament.jsonout = Some(file_of(one(values)?)),
        // Every game is saved as it ends, which keeps any interval.
        "autosaveinterval" => drop(number::<u32>(values)?),
        "log" => tournament.log = Some(log(values)?),
        "event" => tournament.event = text(values)?,
        "site" => tournament.site = text(values)?,
        "variant" => {
            tournament.chess960 = match one(values)?.to_ascii_lowercase().as_str() {
                "standard" => false,
                "fischerandom" | "chess960" => true,
                other => bail!("{other}: expected standard or fischerandom"),
            }
        }
        "rounds" => tournament.rounds = number(values)?,
        "games" => tournament.games = number(values)?,
        "repeat" => tournament.repeat = Some(optional(values)?.map_or(Ok(2), parsed)?),
        "noswap" => tournament.noswap = flag(values)?,
        "reverse" => tournament.reverse = flag(values)?,
        "seeds" => tournament.seeds = number(values)?,
        "tournament" => tournament.format = one(values)?.parse()?,
        "sprt" => tournament.sprt = Some(sprt(values)?),
        "srand" => tournament.srand = Some(number(values)?),
        "arbiter" => tournament.arbiter.plugin = Some(one(values)?.into()),
        "edition" => {
            let edition: arbiter_plugin::plugin::Edition =
                one(values)?.parse().map_err(anyhow::Error::msg)?;
            tournament.arbiter.edition = edition.as_str().to_owned();
        }
        "claims" => {
            tournament.arbiter.claims = match one(values)? {
                "auto" => Claims::Auto,
                "none" => Claims::None,
                "engine" => Claims::Engine,
                other => bail!("{other}: expected auto, none or engine"),
            }
        }
        "illegal" => {
            tournament.arbiter.illegal = match one(values)? {
                "laws" => Illegal::Laws,
                "forfeit" => Illegal::Forfeit,
                other => bail!("{other}: expected laws or forfeit"),
            }
        }
        "report" => match one(values)?.split_once('=') {
            Some(("penta", value)) => tournament.penta = boolean(value)?,
            _ => tournament.report = Some(file_of(one(values)?)),
        },
        "output" => {
            tournament.output = match one(values)?.strip_prefix("format=").unwrap_or(one(values)?) {
                "fastchess" => OutputStyle::Fastchess,
                "cutechess" => OutputStyle::Cutechess,
                other => bail!("{other}: expected fastchess or cutechess"),
            }
        }
        "show-latency" => tournament.show_latency = flag(values)?,
        "startup-ms" => tournament.startup_ms = number(values)?,
        "ucinewgame-ms" => tournament.ucinewgame_ms = number(values)?,
        "ping-ms" => tournament.ping_ms = number(values)?,
        "stall-ms" => tournament.stall_ms = number(values)?,
        _ => unreachable!("every name of NAMES is handled"),
    }
    Ok(())
}

/// Takes one `key=value` of `-engine` or `-each` in.
fn engine_word(engine: &mut EngineConfig, word: &str) -> anyhow::Result<()> {
    const KEYS: &[&str] = &[
        "cmd",
        "dir",
        "arg",
        "args",
        "name",
        "conf",
        "proto",
        "tc",
        "st",
        "nodes",
        "depth",
        "plies",
        "ponder",
        "restart",
        "timemargin",
        "whitepov",
        "initstr",
        "stderr",
        "option.",
    ];
    let (key, value) = match word.split_once('=') {
        Some(pair) => pair,
        None if matches!(word, "ponder" | "whitepov") => (word, "true"),
        None => bail!("expected key=value"),
    };
    match key {
        "cmd" => value.clone_into(&mut engine.cmd),
        "dir" => engine.dir = Some(value.into()),
        "arg" => engine.args.push(value.to_owned()),
        "args" => {
            let words =
                shlex::split(value).with_context(|| format!("{value:?}: a quote is not closed"))?;
            engine.args.extend(words);
        }
        "name" => value.clone_into(&mut engine.name),
        "conf" => *engine = known_engine(value, engine)?,
        "proto" => ensure!(value == "uci", "only uci is spoken"),
        "tc" => {
            engine.tc = Some(value.parse()?);
            engine.st_ms = None;
        }
        "st" => {
            engine.st_ms = Some(milliseconds(value)?);
            engine.tc = None;
        }
        "nodes" => engine.nodes = Some(parsed(value)?),
        "depth" | "plies" => engine.depth = Some(parsed(value)?),
        "ponder" => engine.ponder = boolean(value)?,
        "restart" => {
            engine.restart = match value {
                "on" => Restart::On,
                "off" | "auto" => Restart::Off,
                _ => bail!("expected on, off or auto"),
            }
        }
        "timemargin" => engine.timemargin_ms = parsed(value)?,
        "whitepov" => engine.whitepov = boolean(value)?,
        "initstr" => engine.initstr.extend(value.split("\\n").map(str::to_owned)),
        "stderr" => engine.stderr = Some(value.into()),
        _ => match key.strip_prefix("option.") {
            Some(name) if !name.is_empty() => {
                engine.options.insert(name.to_owned(), value.to_owned());
            }
            _ => return Err(unknown_key(key, KEYS)),
        },
    }
    Ok(())
}

/// Names engines after their programs where they have none, and numbers twins.
fn name_engines(engines: &mut [EngineConfig]) {
    for index in 0..engines.len() {
        if !engines[index].name.is_empty() {
            continue;
        }
        let stem = std::path::Path::new(&engines[index].cmd).file_stem();
        let base =
            stem.map_or_else(|| "engine".to_owned(), |stem| stem.to_string_lossy().into_owned());
        let taken = |name: &String| engines.iter().any(|engine| engine.name == *name);
        let name = std::iter::once(base.clone())
            .chain((2..).map(|number| format!("{base} {number}")))
            .find(|name| !taken(name));
        engines[index].name = name.unwrap_or(base);
    }
}

fn openings(values: &[String], seed: &mut Option<u64>) -> anyhow::Result<Openings> {
    let mut openings = Openings { start: 1, ..Openings::default() };
    pairs(values, "file", |key, value| {
        match key {
            "file" => openings.file = value.into(),
            "format" => openings.format = Some(value.to_ascii_lowercase()),
            "order" => {
                openings.order = match value {
                    "random" => Order::Random,
                    "sequential" => Order::Sequential,
                    _ => bail!("expected random or sequential"),
                }
            }
            "plies" => openings.plies = Some(parsed(value)?),
            "start" => openings.start = parsed::<NonZeroUsize>(value)?.get(),
            "policy" => {
                openings.policy = match value {
                    "default" => Policy::Default,
                    "encounter" => Policy::Encounter,
                    "round" => Policy::Round,
                    _ => bail!("expected default, encounter or round"),
                }
            }
            "seed" | "srand" => *seed = Some(parsed(value)?),
            _ => {
                let keys = ["file", "format", "order", "plies", "start", "policy", "seed"];
                return Err(unknown_key(key, &keys));
            }
        }
        Ok(())
    })?;
    ensure!(!openings.file.as_os_str().is_empty(), "no file=");
    Ok(openings)
}

fn draw(values: &[String]) -> anyhow::Result<DrawAdjudication> {
    let mut draw = DrawAdjudication { movecount: 1, ..DrawAdjudication::default() };
    let mut score = None;
    pairs(values, "", |key, value| {
        match key {
            "movenumber" => draw.movenumber = parsed(value)?,
            "movecount" => draw.movecount = parsed(value)?,
            "score" => score = Some(parsed(value)?),
            _ => return Err(unknown_key(key, &["movenumber", "movecount", "score"])),
        }
        Ok(())
    })?;
    draw.score = score.context("no score=")?;
    Ok(draw)
}

fn resign(values: &[String]) -> anyhow::Result<ResignAdjudication> {
    let mut resign = ResignAdjudication { movecount: 1, ..ResignAdjudication::default() };
    let mut score = None;
    pairs(values, "", |key, value| {
        match key {
            "movecount" => resign.movecount = parsed(value)?,
            "score" => score = Some(parsed(value)?),
            "twosided" => resign.twosided = boolean(value)?,
            _ => return Err(unknown_key(key, &["movecount", "score", "twosided"])),
        }
        Ok(())
    })?;
    resign.score = score.context("no score=")?;
    Ok(resign)
}

fn sprt(values: &[String]) -> anyhow::Result<SprtConfig> {
    let mut sprt = SprtConfig::default();
    pairs(values, "", |key, value| {
        match key {
            "elo0" => sprt.elo0 = parsed(value)?,
            "elo1" => sprt.elo1 = parsed(value)?,
            "alpha" => sprt.alpha = parsed(value)?,
            "beta" => sprt.beta = parsed(value)?,
            "model" => {
                sprt.model = match value {
                    "normalized" => SprtModel::Normalized,
                    "logistic" => SprtModel::Logistic,
                    "bayesian" => SprtModel::Bayesian,
                    _ => bail!("expected normalized, logistic or bayesian"),
                }
            }
            _ => return Err(unknown_key(key, &["elo0", "elo1", "alpha", "beta", "model"])),
        }
        Ok(())
    })?;
    Ok(sprt)
}

fn pgnout(values: &[String]) -> anyhow::Result<PgnOut> {
    let mut pgn = PgnOut { append: true, ..PgnOut::default() };
    let values: Vec<String> = values
        .iter()
        // Only finished games are written, as `fi` asks.
        .filter(|value| *value != "fi")
        .map(|value| if value == "min" { "min=true".to_owned() } else { value.clone() })
        .collect();
    pairs(&values, "file", |key, value| {
        let target = match key {
            "file" => {
                pgn.file = value.into();
                return Ok(());
            }
            "notation" => {
                pgn.notation = match value {
                    "san" => Notation::San,
                    "lan" => Notation::Lan,
                    "uci" => Notation::Uci,
                    _ => bail!("expected san, lan or uci"),
                };
                return Ok(());
            }
            "append" => &mut pgn.append,
            "min" => &mut pgn.min,
            "nodes" => &mut pgn.nodes,
            "seldepth" => &mut pgn.seldepth,
            "nps" => &mut pgn.nps,
            "hashfull" => &mut pgn.hashfull,
            "tbhits" => &mut pgn.tbhits,
            "pv" => &mut pgn.pv,
            "timeleft" => &mut pgn.timeleft,
            "latency" => &mut pgn.latency,
            _ => {
                let keys = [
                    "file", "notation", "append", "min", "nodes", "seldepth", "nps", "hashfull",
                    "tbhits", "pv", "timeleft", "latency",
                ];
                return Err(unknown_key(key, &keys));
            }
        };
        *target = boolean(value)?;
        Ok(())
    })?;
    if pgn.file.as_os_str().is_empty() {
        pgn.file = format!("themis_{}.pgn", chrono::Local::now().format("%Y%m%d_%H%M%S")).into();
    }
    Ok(pgn)
}

fn epdout(values: &[String]) -> anyhow::Result<EpdOut> {
    let mut epd = EpdOut { append: true, ..EpdOut::default() };
    pairs(values, "file", |key, value| {
        match key {
            "file" => epd.file = value.into(),
            "append" => epd.append = boolean(value)?,
            _ => return Err(unknown_key(key, &["file", "append"])),
        }
        Ok(())
    })?;
    ensure!(!epd.file.as_os_str().is_empty(), "no file=");
    Ok(epd)
}

fn log(values: &[String]) -> anyhow::Result<LogConfig> {
    let mut log = LogConfig { level: "warn".to_owned(), append: true, ..LogConfig::default() };
    pairs(values, "file", |key, value| {
        match key {
            "file" => log.file = value.into(),
            "level" => {
                log.level = match value {
                    "trace" | "info" | "warn" => value.to_owned(),
                    "err" | "error" | "fatal" => "error".to_owned(),
                    _ => bail!("expected trace, info, warn or error"),
                }
            }
            "append" => log.append = boolean(value)?,
            "engine" => log.engine = boolean(value)?,
            _ => return Err(unknown_key(key, &["file", "level", "append", "engine"])),
        }
        Ok(())
    })?;
    ensure!(!log.file.as_os_str().is_empty(), "no file=");
    Ok(log)
}

/// Takes `key=value` words in, one after the other; a bare word is the value of `bare`, if that
/// is a key. Errors name the word.
fn pairs(
    values: &[String],
    bare: &str,
    mut take: impl FnMut(&str, &str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    for word in values {
        match word.split_once('=') {
            Some((key, value)) => take(key, value).with_context(|| word.clone())?,
            None if !bare.is_empty() => take(bare, word)?,
            None => bail!("{word:?}: expected key=value"),
        }
    }
    Ok(())
}

fn unknown_key(key: &str, known: &[&str]) -> anyhow::Error {
    match nearest(key, known.iter().copied()) {
        Some(near) => anyhow::anyhow!("there is no {key}=; did you mean {near}=?"),
        None => anyhow::anyhow!("there is no {key}=; there are {}", known.join(", ")),
    }
}

fn one(values: &[String]) -> anyhow::Result<&str> {
    match values {
        [value] => Ok(value),
        [] => bail!("a value is missing"),
        _ => bail!("one value is expected, got {}", values.join(" ")),
    }
}

fn optional(values: &[String]) -> anyhow::Result<Option<&str>> {
    if values.is_empty() { Ok(None) } else { one(values).map(Some) }
}

/// Words that make one text.
fn text(values: &[String]) -> anyhow::Result<String> {
    ensure!(!values.is_empty(), "a value is missing");
    Ok(values.join(" "))
}

fn number<T: std::str::FromStr>(values: &[String]) -> anyhow::Result<T> {
    parsed(one(values)?)
}

fn parsed<T: std::str::FromStr>(text: &str) -> anyhow::Result<T> {
    text.parse().map_err(|_| anyhow::anyhow!("{text:?} is not a number in range"))
}

fn boolean(text: &str) -> anyhow::Result<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "on" | "yes" | "1" => Ok(true),
        "false" | "off" | "no" | "0" => Ok(false),
        _ => bail!("{text:?}: expected true or false"),
    }
}

fn flag(values: &[String]) -> anyhow::Result<bool> {
    optional(values)?.map_or(Ok(true), boolean)
}

fn file_of(text: &str) -> PathBuf {
    text.strip_prefix("file=").unwrap_or(text).into()
}

/// `3,5,7-11`, in brackets or not; nothing means all processors.
fn affinity(list: Option<&str>) -> anyhow::Result<Vec<usize>> {
    let there = processors().context("engines cannot be bound to processors on this system")?;
    let Some(list) = list else { return Ok(there) };
    let inner = list.strip_prefix('[').and_then(|list| list.strip_suffix(']')).unwrap_or(list);
    let mut wanted = Vec::new();
    for part in inner.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let range = first.trim().parse::<usize>().ok().zip(last.trim().parse::<usize>().ok());
        let range = range.filter(|(first, last)| first <= last);
        let (first, last) =
            range.with_context(|| format!("{list:?}: expected processors like 3,5,7-11"))?;
        // A range that is too long ends with the first processor that is not there.
        let end =
            (first..=last).position(|cpu| !there.contains(&cpu)).map_or(last, |at| first + at);
        wanted.extend(first..=end);
    }
    Ok(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> anyhow::Result<Invocation> {
        parse(&shlex::split(line).expect("quotes are closed"))
    }

    #[test]
    fn a_fastchess_command_line_is_understood() {
        let line = "-engine cmd=./new name=New option.Threads=1 nodes=2000000 -engine cmd=./old name=Old \
            -openings file=uho.epd format=epd order=random -each tc=300+5 option.Hash=64 proto=uci \
            -resign movecount=3 score=600 -draw movenumber=34 movecount=8 score=20 \
            -sprt elo0=0 elo1=2 alpha=0.05 beta=0.05 -rounds 100000 -concurrency 3 \
            -pgnout notation=san nodes=true file=games/sprt.pgn -srand 42 -recover -repeat";
        let tournament = parsed(line).expect(line).tournament;
        assert_eq!(tournament.engines.len(), 2);
        let new = &tournament.engines[0];
        assert_eq!((new.nodes, new.tc.map(|tc| tc.base_ms)), (Some(2_000_000), Some(300_000)));
        assert_eq!(new.options["Hash"], "64");
        assert_eq!(tournament.srand, Some(42));
        assert_eq!(tournament.sprt.map(|sprt| sprt.elo1), Some(2.0));
        assert!(tournament.pgnout.as_ref().is_some_and(|pgn| pgn.nodes && pgn.append));
        tournament.check().expect("can be played");
    }

    #[test]
    fn a_cutechess_command_line_is_understood() {
        let line = "-engine cmd=a args='-x \"y z\"' -engine cmd=a -each tc=40/1:30+0.5 timemargin=20 restart=auto ponder \
            -variant fischerandom -tb /a:/b -tbpieces 5 -tbignore50 -pgnout out.pgn min -event 'My Event' -games 2 -rounds 3";
        let tournament = parsed(line).expect(line).tournament;
        let engine = &tournament.engines[0];
        assert_eq!(engine.args, ["-x", "y z"]);
        let tc = engine.tc.expect("a control");
        assert_eq!((tc.moves, tc.base_ms, tc.increment_ms), (Some(40), 90_000, 500));
        assert_eq!([&tournament.engines[0].name, &tournament.engines[1].name], ["a", "a 2"]);
        assert!(tournament.chess960 && engine.ponder && tournament.tb.ignore50);
        assert_eq!(tournament.event, "My Event");
    }

    #[test]
    fn an_argument_is_one_word_and_arguments_are_split() {
        let line = "-engine cmd=a 'arg=/a path/net' args='-x \"y z\" w' 'arg=\"'";
        let tournament = parsed(line).expect(line).tournament;
        assert_eq!(tournament.engines[0].args, ["/a path/net", "-x", "y z", "w", "\""]);
    }

    #[test]
    fn games_and_repetitions_are_two_numbers_in_any_order() {
        for (line, games, repeat) in [
            ("-games 20 -repeat", 20, Some(2)),
            ("-repeat -games 4", 4, Some(2)),
            ("-games 4 -repeat", 4, Some(2)),
            ("-repeat 4", 2, Some(4)),
            ("-games 4", 4, None),
        ] {
            let tournament = parsed(line).expect(line).tournament;
            assert_eq!((tournament.games, tournament.repeat), (games, repeat), "{line}");
        }
        // As it was written before it was a number.
        for (text, repeat) in [("true", None), ("false", Some(1)), ("3", Some(3)), ("null", None)] {
            let text = format!("{{\"repeat\": {text}}}");
            let tournament: Tournament = serde_json::from_str(&text).expect(&text);
            assert_eq!(tournament.repeat, repeat, "{text}");
        }
        assert!(serde_json::from_str::<Tournament>("{\"repeat\": -1}").is_err());
    }

    #[test]
    fn unknown_names_get_the_nearest_known_one() {
        for (line, hint) in [
            ("-concurency 2", "did you mean -concurrency?"),
            ("-engine cmd=a naem=b", "did you mean name=?"),
            ("-openings flie=x", "did you mean file=?"),
            ("-draw movnumber=3", "did you mean movenumber=?"),
            ("-xyzzyplugh", "-help"),
        ] {
            let error = format!("{:#}", parsed(line).expect_err(line));
            assert!(error.contains(hint), "{line}: {error}");
        }
    }

    #[test]
    fn bad_values_are_refused() {
        for line in [
            "-rounds x",
            "-rounds",
            "-rounds 1 2",
            "-each tc=x -engine cmd=a",
            "-engine cmd=a tc=1/",
            "-engine cmd=a st=-1",
            "-each ponder=maybe -engine cmd=a",
            "-tournament pyramid",
            "-edition 1999",
            "-engine cmd=a proto=xboard",
            "-affinity 5-3",
            "-sprt elo0=x",
            "stray",
            "-variant atomic",
        ] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }

    #[test]
    fn a_tournament_survives_json_and_toml() {
        let line = "-engine cmd=a option.Hash=1 tc=40/60+0.5 -engine cmd=b st=0.25 -sprt elo1=3 -openings file=x.pgn plies=8 policy=round -draw score=5 -tbadjudicate WIN_LOSS -repeat 3";
        let tournament = parsed(line).expect(line).tournament;
        let json = serde_json::to_string(&tournament).expect("JSON");
        assert_eq!(serde_json::from_str::<Tournament>(&json).expect("JSON"), tournament);
        let text = toml::to_string(&tournament).expect("TOML");
        assert_eq!(toml::from_str::<Tournament>(&text).expect("TOML"), tournament);
    }
}
