//! Syzygy endgame tablebases, probed with `shakmaty-syzygy`.

use std::path::Path;

use shakmaty::{Bitboard as Squares, ByColor, ByRole, CastlingMode, Chess, FromSetup, Setup};
use shakmaty_syzygy::{Dtz, Tablebase, Wdl};

use crate::board::{CastlingSide, Color, PieceType, Position};
use crate::search::Game;
use crate::search::tablebase_support::{DRAW, Limit, RootMove, TABLEBASE_WIN, Worker};

/// The tablebases cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    /// A directory of the path cannot be read.
    #[error("SyzygyPath: cannot read `{path}`: {reason}")]
    Unreadable {
        /// The directory.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// No table lies there.
    #[error("SyzygyPath: no tablebase files in `{0}`")]
    Empty(String),
}

/// Half-moves after which a draw can be claimed.
const FIFTY_MOVES: i32 = 100;
/// The rank of a sure win among the root moves.
const WON: i32 = 1000;
/// A win that the fifty-move rule spoils, or a loss it saves, scores this little.
const SPOILT: i32 = 1;

/// Open tablebases.
pub(crate) struct Tablebases {
    tables: Tablebase<Chess>,
    max_men: u32,
}

impl Tablebases {
    /// Opens all tables in the directories of `path`, and says how many there are.
    pub(crate) fn open(path: &str) -> Result<(Self, usize), TablebaseError> {
        let mut tables = Tablebase::new();
        let mut count = 0;
        for directory in std::env::split_paths(path).filter(|part| !part.as_os_str().is_empty()) {
            count += add(&mut tables, &directory)?;
        }
        if count == 0 {
            return Err(TablebaseError::Empty(path.to_owned()));
        }
        let max_men = tables.max_pieces() as u32;
        Ok((Self { tables, max_men }, count))
    }

    /// The most men on the board for which there is a table.
    pub(crate) fn max_men(&self) -> u32 {
        self.max_men
    }

    fn covers(&self, position: &Position) -> bool {
        position.occupied().count() <= self.max_men
            && Color::ALL.into_iter().all(|color| {
                CastlingSide::ALL
                    .into_iter()
                    .all(|side| position.castling_rook(color, side).is_none())
            })
    }

    /// The result with the fifty-move count at zero.
    fn wdl(&self, position: &Position) -> Option<Wdl> {
        self.tables.probe_wdl_after_zeroing(&to_shakmaty(position)?).ok()
    }

    /// Ranks and scores the root moves, where the tables know them all: by distance to zeroing,
    /// so that a win is kept within the fifty-move rule; or by result alone where the tables of
    /// distances are missing.
    pub(crate) fn rank(&self, game: &Game, moves: &mut [RootMove]) {
        if !self.covers(game.position()) {
            return;
        }
        let repeated = has_repeated(game);
        let ranks: Option<Vec<_>> = moves
            .iter()
            .map(|root_move| self.rank_by_distance(game.position(), root_move, repeated))
            .collect();
        let ranks = ranks.or_else(|| {
            moves.iter().map(|root_move| self.rank_by_result(game.position(), root_move)).collect()
        });
        let Some(ranks) = ranks else { return };
        for (root_move, rank) in moves.iter_mut().zip(ranks) {
            root_move.tablebase = Some((rank, score(rank)));
        }
        moves.sort_by_key(|root_move| std::cmp::Reverse(root_move.rank()));
    }

    fn rank_by_distance(
        &self,
        position: &Position,
        root_move: &RootMove,
        repeated: bool,
    ) -> Option<i32> {
        let child = position.play(root_move.mv);
        let clock = position.halfmove_clock() as i32;
        if child.in_check() && !child.has_legal_move() {
            return Some(WON);
        }
        let distance = if child.halfmove_clock() == 0 {
            // A move that resets the count: only the result behind it matters.
            Dtz::before_zeroing(-self.wdl(&child)?).0
        } else {
            let own = -self.tables.probe_dtz(&to_shakmaty(&child)?).ok()?.ignore_rounding().0;
            own + own.signum()
        };
        Some(match distance {
            0 => 0,
            1.. if distance + clock < FIFTY_MOVES && !repeated => WON,
            1.. => (WON - distance - clock).max(1),
            _ if clock - 2 * distance < FIFTY_MOVES => -WON,
            _ => (-WON - distance + clock).min(-1),
        })
    }

    fn rank_by_result(&self, position: &Position, root_move: &RootMove) -> Option<i32> {
        Some(match -self.wdl(&position.play(root_move.mv))? {
            Wdl::Win => WON,
            Wdl::CursedWin => 1,
            Wdl::Draw => 0,
            Wdl::BlessedLoss => -1,
            Wdl::Loss => -WON,
        })
    }
}

/// The score of a rank: won if the win comes within the fifty-move rule.
fn score(rank: i32) -> i32 {
    match rank {
        _ if rank > WON - FIFTY_MOVES => TABLEBASE_WIN,
        1.. => SPOILT,
        0 => DRAW,
        _ if rank < FIFTY_MOVES - WON => -TABLEBASE_WIN,
        _ => -SPOILT,
    }
}

fn add(tables: &mut Tablebase<Chess>, directory: &Path) -> Result<usize, TablebaseError> {
    tables.add_directory(directory).map_err(|error| TablebaseError::Unreadable {
        path: directory.display().to_string(),
        reason: error.to_string(),
    })
}

/// Whether a position since the last irreversible move has come twice.
fn has_repeated(game: &Game) -> bool {
    let mut keys = game.previous_keys().to_vec();
    keys.push(game.position().key());
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}

/// The same position in the form of the probing library.
fn to_shakmaty(position: &Position) -> Option<Chess> {
    let kind = |kind: PieceType| Squares(position.kind(kind).0);
    let roles = ByRole {
        pawn: kind(PieceType::Pawn),
        knight: kind(PieceType::Knight),
        bishop: kind(PieceType::Bishop),
        rook: kind(PieceType::Rook),
        queen: kind(PieceType::Queen),
        king: kind(PieceType::King),
    };
    let colors = ByColor {
        white: Squares(position.color(Color::White).0),
        black: Squares(position.color(Color::Black).0),
    };
    let mut setup = Setup::empty();
    setup.board = shakmaty::Board::try_from_bitboards(roles, colors).ok()?;
    setup.turn = match position.side_to_move() {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    };
    setup.ep_square =
        position.ep_square().map(|square| shakmaty::Square::new(square.index() as u32));
    Chess::from_setup(setup, CastlingMode::Chess960).ok()
}

impl Worker<'_> {
    /// What the tables say of a node below the root. They are asked where the fifty-move count
    /// is zero only, so that their results hold under the rule.
    #[inline]
    pub(crate) fn probe_tablebases(
        &mut self,
        position: &Position,
        ply: usize,
    ) -> Option<(i32, Limit)> {
        let men = self.shared.tablebase_men;
        if men == 0 || position.halfmove_clock() != 0 || position.occupied().count() > men {
            return None;
        }
        let tablebases = self.shared.tablebases?;
        if !tablebases.covers(position) {
            return None;
        }
        let result = tablebases.wdl(position)?;
        self.tbhits += 1;
        let win = TABLEBASE_WIN - ply as i32;
        Some(match result {
            Wdl::Win => (win, Limit::Lower),
            Wdl::CursedWin => (DRAW + SPOILT, Limit::Exact),
            Wdl::Draw => (DRAW, Limit::Exact),
            Wdl::BlessedLoss => (DRAW - SPOILT, Limit::Exact),
            Wdl::Loss => (-win, Limit::Upper),
        })
    }
}
