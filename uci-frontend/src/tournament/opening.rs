//! Where games start from: EPD and PGN files, polyglot books, the array, Chess960.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, anyhow, bail, ensure};
use pgn_reader::{RawTag, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{
    Board, Castles, CastlingMode, Chess, EnPassantMode, FromSetup, Move, Position, PositionError,
    Setup,
};

use super::config::{Openings, Order, Tournament};

/// Lines taken from a polyglot book, at most.
const MAX_BOOK_LINES: usize = 20_000;
/// Lines of a polyglot book among which those taken at random are chosen, at most.
const MAX_LINES_MET: usize = 2_000_000;
/// Plies taken from a polyglot book where the user gave no number.
const BOOK_PLIES: usize = 8;
/// Plies taken from a polyglot book, at most: it may lead back to where it began.
const MOST_BOOK_PLIES: usize = 100;
/// Openings that are checked before the first game; others when their turn comes.
const CHECKED_AHEAD: usize = 20_000;

/// One start of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Position before `moves`, all six fields; `None` is the standard array.
    pub fen: Option<String>,
    /// Moves played before the engines are asked, in UCI notation.
    pub moves: Vec<String>,
}

/// All openings of a tournament, in the order in which they are used.
pub struct Book {
    source: Source,
    order: Vec<u32>,
    mode: CastlingMode,
    seed: u64,
}

enum Source {
    /// The array, or a random array in Chess960.
    Array,
    Epd {
        path: String,
        lines: Vec<(usize, String)>,
    },
    Games(Vec<Opening>),
}

impl Book {
    /// Loads the openings and checks those of the first `needed` games.
    ///
    /// # Errors
    /// The file cannot be read, or a line of it is no position; the message names it.
    pub fn load(tournament: &Tournament, seed: u64, needed: usize) -> anyhow::Result<Self> {
        let mode = CastlingMode::from_chess960(tournament.chess960);
        let Some(openings) = &tournament.openings else {
            return Ok(Self { source: Source::Array, order: Vec::new(), mode, seed });
        };
        let source = load(openings, mode)?;
        let count = match &source {
            Source::Array => 0,
            Source::Epd { lines, .. } => lines.len(),
            Source::Games(games) => games.len(),
        };
        ensure!(count > 0, "{}: no openings", openings.file.display());
        let mut order: Vec<u32> = (0..count as u32).collect();
        if openings.order == Order::Random {
            fastrand::Rng::with_seed(seed).shuffle(&mut order);
        }
        let start = openings.start.max(1);
        ensure!(
            start <= count,
            "{}: start={start}, but there are {count} openings",
            openings.file.display()
        );
        order.rotate_left(start - 1);
        let book = Self { source, order, mode, seed };
        for index in 0..needed.min(count).min(CHECKED_AHEAD) {
            book.get(index)?;
        }
        Ok(book)
    }

    /// A book of these openings, in this order.
    pub fn of(openings: Vec<Opening>) -> Self {
        let order = (0..openings.len() as u32).collect();
        Self { source: Source::Games(openings), order, mode: CastlingMode::Standard, seed: 0 }
    }

    /// The opening with this number; the book begins anew at its end.
    ///
    /// # Errors
    /// The line is no position.
    pub fn get(&self, index: usize) -> anyhow::Result<Opening> {
        let pick = || self.order[index % self.order.len()] as usize;
        match &self.source {
            Source::Array if self.mode == CastlingMode::Standard => {
                Ok(Opening { fen: None, moves: Vec::new() })
            }
            Source::Array => self.random_array(index),
            Source::Games(games) => Ok(games[pick()].clone()),
            Source::Epd { path, lines } => {
                let (number, line) = &lines[pick()];
                epd_position(line, self.mode).with_context(|| format!("{path}:{number}"))
            }
        }
    }

    fn random_array(&self, index: usize) -> anyhow::Result<Opening> {
        let mut rng = fastrand::Rng::with_seed(self.seed.wrapping_add(index as u64));
        let mut setup = Setup::initial();
        setup.board = Board::chess960(rng.u32(0..960));
        setup.castling_rights = setup.board.rooks();
        let position = Chess::from_setup(setup, self.mode)
            .map_err(|error| anyhow!("Chess960 array: {error}"))?;
        Ok(Opening { fen: Some(fen_of(&position)), moves: Vec::new() })
    }
}

/// The position as a FEN of six fields.
pub fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// A position that an opening starts from; material and checks may be odd, the rest must be sound.
///
/// # Errors
/// What is wrong with the FEN.
pub fn position_of(fen: Option<&str>, mode: CastlingMode) -> anyhow::Result<Chess> {
    let Some(fen) = fen else { return Ok(Chess::default()) };
    let quoted = crate::excerpt(fen);
    let setup: Fen = fen.parse().map_err(|error| anyhow!("{quoted:?}: {error}"))?;
    ensure!(
        mode == CastlingMode::Chess960 || !castles_only_in_chess960(setup.as_setup()),
        "{quoted:?}: castling as in Chess960; give -variant fischerandom"
    );
    setup
        .into_position::<Chess>(mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .map_err(|error| anyhow!("{quoted:?}: {error}"))
}

/// Whether the rights to castle fit the kings and rooks on the board, but not those of chess.
fn castles_only_in_chess960(setup: &Setup) -> bool {
    Castles::from_setup(setup, CastlingMode::Standard).is_err()
        && Castles::from_setup(setup, CastlingMode::Chess960).is_ok()
}

fn load(openings: &Openings, mode: CastlingMode) -> anyhow::Result<Source> {
    let path = &openings.file;
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let format = openings.format.as_deref().unwrap_or(match extension {
        "pgn" => "pgn",
        "bin" => "bin",
        _ => "epd",
    });
    let file = File::open(path).with_context(|| format!("{}", path.display()))?;
    match format {
        "epd" | "fen" => read_epd(path, file),
        "pgn" => read_pgn(path, file, openings.plies, mode),
        "bin" => read_polyglot(path, file, openings, mode),
        _ => bail!("-openings format={format}: expected epd, pgn or bin"),
    }
}

fn read_epd(path: &Path, mut file: File) -> anyhow::Result<Source> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).with_context(|| format!("{}", path.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim_start_matches('\u{feff}').trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with(['#', '%']))
        .map(|(number, line)| (number, line.to_owned()))
        .collect();
    Ok(Source::Epd { path: path.display().to_string(), lines })
}

/// Reads four or six FEN fields, or four and the operations `hmvc` and `fmvn`.
fn epd_position(line: &str, mode: CastlingMode) -> anyhow::Result<Opening> {
    let words: Vec<&str> = line.split_whitespace().collect();
    ensure!(
        words.len() >= 4,
        "{:?}: expected at least four fields of a position",
        crate::excerpt(line)
    );
    let number =
        |word: Option<&&str>| word.and_then(|word| word.trim_end_matches(';').parse::<u32>().ok());
    let operation = |name: &str| {
        let at = words.iter().position(|word| *word == name)?;
        number(words.get(at + 1))
    };
    let halfmoves = number(words.get(4)).or_else(|| operation("hmvc")).unwrap_or(0);
    let fullmoves = number(words.get(4))
        .and_then(|_| number(words.get(5)))
        .or_else(|| operation("fmvn"))
        .unwrap_or(1);
    let fen = format!("{} {halfmoves} {}", words[..4].join(" "), fullmoves.max(1));
    let position = position_of(Some(&fen), mode)?;
    Ok(Opening { fen: Some(fen_of(&position)), moves: Vec::new() })
}

fn read_pgn(
    path: &Path,
    file: File,
    plies: Option<usize>,
    mode: CastlingMode,
) -> anyhow::Result<Source> {
    let mut reader = pgn_reader::Reader::new(BufReader::new(file));
    let mut collector = Collector { plies: plies.unwrap_or(usize::MAX), mode, seen: false };
    let mut games = Vec::new();
    while let Some(game) = reader
        .read_game(&mut collector)
        .with_context(|| format!("{}: game {}", path.display(), games.len() + 1))?
    {
        games.push(game.with_context(|| format!("{}: game {}", path.display(), games.len() + 1))?);
    }
    ensure!(
        games.is_empty() || collector.seen,
        "{}: neither tags nor moves are there; is it PGN?",
        path.display()
    );
    Ok(Source::Games(games))
}

/// Takes the first plies of each game.
struct Collector {
    plies: usize,
    mode: CastlingMode,
    /// There was a tag or a move.
    seen: bool,
}

struct Collected {
    fen: Option<String>,
    position: Chess,
    moves: Vec<String>,
}

impl Visitor for Collector {
    type Tags = Option<String>;
    type Movetext = Collected;
    type Output = anyhow::Result<Opening>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(None)
    }

    fn tag(
        &mut self,
        fen: &mut Self::Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        self.seen = true;
        if name.eq_ignore_ascii_case(b"FEN") {
            *fen = Some(value.decode_utf8_lossy().into_owned());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, fen: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        match position_of(fen.as_deref(), self.mode) {
            Ok(position) => {
                let fen = fen.map(|_| fen_of(&position));
                ControlFlow::Continue(Collected { fen, position, moves: Vec::new() })
            }
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }

    fn san(&mut self, game: &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        self.seen = true;
        if game.moves.len() >= self.plies {
            return ControlFlow::Continue(());
        }
        match san.san.to_move(&game.position) {
            Ok(chosen) => {
                game.moves.push(UciMove::from_move(chosen, self.mode).to_string());
                game.position.play_unchecked(chosen);
                ControlFlow::Continue(())
            }
            Err(error) => {
                ControlFlow::Break(Err(anyhow!("move {} ({san}): {error}", game.moves.len() + 1)))
            }
        }
    }

    fn end_game(&mut self, game: Self::Movetext) -> Self::Output {
        Ok(Opening { fen: game.fen, moves: game.moves })
    }
}

/// Moves of a polyglot book by position key, best weight first.
type PolyglotBook = HashMap<u64, Vec<(u16, u16)>>;

/// Lines of the book to `plies`: the heaviest moves first or, in random order, any of them.
fn read_polyglot(
    path: &Path,
    mut file: File,
    openings: &Openings,
    mode: CastlingMode,
) -> anyhow::Result<Source> {
    let plies = openings.plies.unwrap_or(BOOK_PLIES);
    ensure!(
        plies <= MOST_BOOK_PLIES,
        "-openings plies={plies}: at most {MOST_BOOK_PLIES} are taken from a polyglot book"
    );
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).with_context(|| format!("{}", path.display()))?;
    ensure!(
        bytes.len() % 16 == 0,
        "{}: not a polyglot book (length is no multiple of 16)",
        path.display()
    );
    let mut book = PolyglotBook::new();
    for entry in bytes.chunks_exact(16) {
        let key = u64::from_be_bytes(entry[..8].try_into()?);
        let code = u16::from_be_bytes(entry[8..10].try_into()?);
        let weight = u16::from_be_bytes(entry[10..12].try_into()?);
        book.entry(key).or_default().push((weight, code));
    }
    for moves in book.values_mut() {
        moves.sort_unstable_by(|a, b| b.cmp(a));
    }
    let random = openings.order == Order::Random;
    let mut walk = BookWalk {
        book,
        mode,
        plies,
        lot: random.then(|| fastrand::Rng::with_seed(0)),
        line: Vec::new(),
        lines: Vec::new(),
        met: 0,
    };
    walk.visit(&Chess::default());
    Ok(Source::Games(walk.lines))
}

/// A walk through all lines of a polyglot book, of which a limited number is kept.
struct BookWalk {
    book: PolyglotBook,
    mode: CastlingMode,
    plies: usize,
    /// Decides which lines are kept where there are too many; without it the first ones are.
    lot: Option<fastrand::Rng>,
    line: Vec<String>,
    lines: Vec<Opening>,
    met: usize,
}

impl BookWalk {
    fn visit(&mut self, position: &Chess) {
        let most = if self.lot.is_some() { MAX_LINES_MET } else { MAX_BOOK_LINES };
        if self.met >= most {
            return;
        }
        let Zobrist64(key) = position.zobrist_hash(EnPassantMode::PseudoLegal);
        let entries = self.book.get(&key).filter(|_| self.line.len() < self.plies);
        let moves: Vec<Move> = entries
            .into_iter()
            .flatten()
            .filter_map(|(_, code)| polyglot_move(position, *code))
            .collect();
        for chosen in &moves {
            let mut next = position.clone();
            next.play_unchecked(*chosen);
            self.line.push(UciMove::from_move(*chosen, self.mode).to_string());
            self.visit(&next);
            self.line.pop();
        }
        if moves.is_empty() && !self.line.is_empty() {
            self.keep();
        }
    }

    /// Keeps the line; every line met is kept with the same chance.
    fn keep(&mut self) {
        let opening = Opening { fen: None, moves: self.line.clone() };
        let place = match &mut self.lot {
            Some(lot) => lot.usize(0..=self.met),
            None => self.met,
        };
        self.met += 1;
        if self.lines.len() < MAX_BOOK_LINES {
            self.lines.push(opening);
        } else if let Some(kept) = self.lines.get_mut(place) {
            *kept = opening;
        }
    }
}

/// The legal move of a polyglot code: three bits each for the file and rank of the target and of
/// the origin, then the promotion; castling is king takes rook.
fn polyglot_move(position: &Chess, code: u16) -> Option<Move> {
    let square = |shift: u16| shakmaty::Square::new(u32::from(code >> shift & 63));
    let promotion = match code >> 12 & 7 {
        0 => None,
        piece => Some(
            *[
                shakmaty::Role::Knight,
                shakmaty::Role::Bishop,
                shakmaty::Role::Rook,
                shakmaty::Role::Queen,
            ]
            .get(usize::from(piece) - 1)?,
        ),
    };
    UciMove::Normal { from: square(6), to: square(0), promotion }.to_move(position).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epd(line: &str) -> anyhow::Result<Opening> {
        epd_position(line, CastlingMode::Standard)
    }

    #[test]
    fn positions_get_all_six_fields() {
        for (line, fen) in [
            ("4k3/8/8/8/8/8/4P3/4K3 w - -", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 7; fmvn 30;", "4k3/8/8/8/8/8/4P3/4K3 w - - 7 30"),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 9 40", "4k3/8/8/8/8/8/4P3/4K3 w - - 9 40"),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - id \"x 3\";", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        ] {
            assert_eq!(epd(line).expect(line).fen.as_deref(), Some(fen), "{line}");
        }
        for line in ["", "4k3/8 w - -", "8/8/8/8/8/8/8/8 w - -", "4k3/8/8/8/8/8/4P3/4K3 x - -"] {
            assert!(epd(line).is_err(), "{line}");
        }
    }

    #[test]
    fn polyglot_codes_are_moves() {
        let start = Chess::default();
        let e2e4 = polyglot_move(&start, 4 | 3 << 3 | 4 << 6 | 1 << 9);
        assert_eq!(e2e4.map(|m| UciMove::from_standard(m).to_string()).as_deref(), Some("e2e4"));
        assert_eq!(polyglot_move(&start, 0), None);
    }

    #[test]
    fn chess960_arrays_differ_and_repeat_with_the_seed() {
        let tournament = Tournament { chess960: true, ..Tournament::default() };
        let book = Book::load(&tournament, 7, 0).expect("no file");
        let arrays: Vec<_> = (0..8).map(|index| book.get(index).expect("an array")).collect();
        assert!(arrays.windows(2).any(|pair| pair[0] != pair[1]));
        assert_eq!(book.get(3).expect("an array"), arrays[3]);
    }
}
