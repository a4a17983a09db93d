//! A finished game as PGN, in the words that fastchess and cutechess use, with the arbiter's
//! article and evidence in the last comment.

use std::fmt::Write;

use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position};

use super::config::{Notation, PgnOut, Tournament};
use super::eco;
use super::opening::position_of;
use super::record::{GameRecord, MoveRecord};

/// Columns of the movetext.
const WIDTH: usize = 80;

/// The game as text, with an empty line at its end.
pub fn write(record: &GameRecord, tournament: &Tournament, options: &PgnOut) -> String {
    let mode = CastlingMode::from_chess960(record.chess960);
    let start = position_of(record.fen.as_deref(), mode).unwrap_or_default();
    let mut text = String::new();
    tags(&mut text, record, tournament, options, &start);
    text.push('\n');
    let mut movetext = Movetext::new(&mut text);
    moves(&mut movetext, record, options, start, mode);
    movetext.word(record.ending.result.pgn());
    text.push_str("\n\n");
    text
}

fn tags(
    text: &mut String,
    record: &GameRecord,
    tournament: &Tournament,
    options: &PgnOut,
    start: &Chess,
) {
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    let ending = &record.ending;
    tag("Event", &tournament.event);
    tag("Site", &tournament.site);
    tag("Date", &record.start.get(..10).unwrap_or("????.??.??").replace('-', "."));
    tag("Round", &record.pairing.round.to_string());
    tag("White", &record.white);
    tag("Black", &record.black);
    tag("Result", ending.result.pgn());
    if let Some(fen) = &record.fen {
        tag("SetUp", "1");
        tag("FEN", fen);
    }
    if record.chess960 {
        tag("Variant", "Chess960");
    }
    if options.min {
        return;
    }
    let seconds = record.duration_s as u64;
    tag(
        "GameDuration",
        &format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    );
    tag("GameStartTime", &record.start);
    tag("GameEndTime", &record.end);
    tag("PlyCount", &record.moves.len().to_string());
    tag("Termination", &ending.termination);
    let [white, black] = &record.time_controls;
    if white == black {
        tag("TimeControl", white);
    } else {
        tag("WhiteTimeControl", white);
        tag("BlackTimeControl", black);
    }
    if let Some(opening) =
        eco::classify(start, record.moves.iter().map(|played| played.uci.as_str()))
    {
        tag("ECO", opening.code);
        tag("Opening", opening.name);
    }
    tag("Article", &ending.article);
}

fn moves(
    movetext: &mut Movetext,
    record: &GameRecord,
    options: &PgnOut,
    start: Chess,
    mode: CastlingMode,
) {
    let mut position = start;
    let mut notes = record.notes.iter().peekable();
    let mut number_needed = true;
    for ply in 0..=record.moves.len() {
        while let Some(note) = notes.next_if(|note| note.ply <= ply) {
            if !options.min {
                movetext.comment(&note.text);
                number_needed = true;
            }
        }
        let Some(played) = record.moves.get(ply) else { break };
        let Some(chosen) = legal(&position, &played.uci) else { break };
        let number = position.fullmoves();
        if position.turn().is_white() {
            movetext.word(&format!("{number}."));
        } else if number_needed {
            movetext.word(&format!("{number}..."));
        }
        movetext.word(&notation(&position, chosen, options.notation, mode));
        position.play_unchecked(chosen);
        number_needed = false;
        let last = ply + 1 == record.moves.len();
        let silent = last && notes.peek().is_none();
        if !options.min {
            let mut comment = comment(played, options, &position);
            if silent {
                let _ = write!(comment, ", {}", record.ending.sentence());
            }
            movetext.comment(&comment);
            number_needed = true;
        }
    }
    if !options.min
        && (record.moves.is_empty()
            || record.notes.iter().any(|note| note.ply >= record.moves.len()))
    {
        movetext.comment(&record.ending.sentence());
    }
}

fn legal(position: &Chess, uci: &str) -> Option<Move> {
    uci.parse::<UciMove>().ok()?.to_move(position).ok()
}

fn notation(position: &Chess, chosen: Move, notation: Notation, mode: CastlingMode) -> String {
    let san = SanPlus::from_move(position.clone(), chosen);
    match notation {
        Notation::Uci => UciMove::from_move(chosen, mode).to_string(),
        Notation::Lan => long_algebraic(chosen, &san),
        Notation::San => san.to_string(),
    }
}

fn long_algebraic(chosen: Move, san: &SanPlus) -> String {
    let (Some(from), false) = (chosen.from(), chosen.is_castle()) else { return san.to_string() };
    let piece = match chosen.role() {
        shakmaty::Role::Pawn => String::new(),
        role => role.upper_char().to_string(),
    };
    let dash = if chosen.is_capture() { 'x' } else { '-' };
    let promotion =
        chosen.promotion().map(|role| format!("={}", role.upper_char())).unwrap_or_default();
    let suffix = san.suffix.map(|suffix| suffix.to_string()).unwrap_or_default();
    format!("{piece}{from}{dash}{}{promotion}{suffix}", chosen.to())
}

/// `+0.31/14 0.192s, tl=1.000s, …`; for moves of the opening `book`.
fn comment(played: &MoveRecord, options: &PgnOut, after: &Chess) -> String {
    if played.book {
        return "book".to_owned();
    }
    let score = played.score.map_or_else(|| "0.00".to_owned(), |score| score.to_string());
    let mut text =
        format!("{score}/{} {:.3}s", played.depth.unwrap_or(0), played.time_us as f64 / 1e6);
    let mut add = |wanted: bool, name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|_| wanted) {
            let _ = write!(text, ", {name}={value}");
        }
    };
    let number = |value: Option<u64>| value.map(|value| value.to_string());
    let seconds = |ms: u64| format!("{:.3}s", ms as f64 / 1000.0);
    let latency = played
        .reported_ms
        .map(|ms| format!("{:.3}s", (played.time_us as f64 / 1000.0 - ms as f64) / 1000.0));
    add(options.timeleft, "tl", played.left_ms.map(seconds));
    add(options.latency, "latency", latency);
    add(options.nodes, "n", number(played.nodes));
    add(options.seldepth, "sd", number(played.seldepth));
    add(options.nps, "nps", number(played.nps));
    add(options.hashfull, "hashfull", number(played.hashfull));
    add(options.tbhits, "tbhits", number(played.tbhits));
    add(
        options.pv && !played.pv.is_empty(),
        "pv",
        Some(format!("\"{}\"", variation(&played.pv, after))),
    );
    text
}

/// The rest of the principal variation, as far as it is legal.
fn variation(pv: &[String], after: &Chess) -> String {
    let mut position = after.clone();
    let mut words = Vec::new();
    for uci in pv.iter().skip(1) {
        let Some(chosen) = legal(&position, uci) else { break };
        words.push(SanPlus::from_move_and_play_unchecked(&mut position, chosen).to_string());
    }
    words.join(" ")
}

/// Movetext broken into lines.
struct Movetext<'a> {
    text: &'a mut String,
    column: usize,
}

impl<'a> Movetext<'a> {
    fn new(text: &'a mut String) -> Self {
        Self { text, column: 0 }
    }

    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 && self.column + 1 + length > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += length;
    }

    fn comment(&mut self, comment: &str) {
        let mut words =
            comment.split_whitespace().map(|word| word.replace(['{', '}'], "")).peekable();
        let mut first = true;
        while let Some(word) = words.next() {
            let open = if first { "{" } else { "" };
            let close = if words.peek().is_none() { "}" } else { "" };
            first = false;
            self.word(&format!("{open}{word}{close}"));
        }
    }
}
