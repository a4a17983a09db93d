//! What an organiser may decide before the Laws do: draws and losses by the engines' own scores,
//! tablebases, a limit of moves. Each is reported to the arbiter as the organiser's decision.

use anyhow::Context;
use arbiter_plugin::plugin::{GameResult, Side};
use shakmaty::{Chess, Position};
use shakmaty_syzygy::{Tablebase, Wdl};

use super::config::{TbAdjudicate, Tournament};
use super::info::Score;

/// Syzygy tables, shared by all games.
pub struct Tables {
    tables: Tablebase<Chess>,
    pieces: usize,
}

impl Tables {
    /// Opens the tables of the tournament, if it has any.
    ///
    /// # Errors
    /// A folder cannot be read or holds no table.
    pub fn open(tournament: &Tournament) -> anyhow::Result<Option<Self>> {
        if tournament.tb.paths.is_empty() {
            return Ok(None);
        }
        let mut tables = Tablebase::new();
        for path in &tournament.tb.paths {
            let found =
                tables.add_directory(path).with_context(|| format!("-tb {}", path.display()))?;
            anyhow::ensure!(found > 0, "-tb {}: no Syzygy tables there", path.display());
        }
        let pieces = tournament.tb.pieces.unwrap_or(usize::MAX).min(tables.max_pieces());
        Ok(Some(Self { tables, pieces }))
    }

    /// The verdict for the side to move, where the tables are sure of it: after some quiet moves
    /// a win may come too late for the fifty-move rule, unless that is left out of account.
    fn probe(&self, position: &Chess, ignore50: bool) -> Option<Wdl> {
        if position.board().occupied().count() > self.pieces || position.castles().any() {
            return None;
        }
        let fresh = self.tables.probe_wdl_after_zeroing(position).ok()?;
        let surely_drawn = !matches!(fresh, Wdl::Win | Wdl::Loss);
        if ignore50 || surely_drawn || position.halfmoves() == 0 {
            return Some(fresh);
        }
        self.tables.probe_wdl(position).ok()?.unambiguous()
    }
}

/// The scores of one game so far.
#[derive(Default)]
pub struct Adjudicator {
    quiet_plies: u32,
    lost: [u32; 2],
    won: [u32; 2],
    plies: u32,
}

impl Adjudicator {
    /// Takes in a move; says how the organiser's rules end the game, if they do, and why.
    pub fn after_move(
        &mut self,
        tournament: &Tournament,
        tables: Option<&Tables>,
        by: Side,
        score: Option<Score>,
        position: &Chess,
    ) -> Option<(GameResult, String)> {
        self.plies += 1;
        self.count(tournament, by, score, position);
        if let Some(decided) = tables.and_then(|tables| by_tables(tournament, tables, position)) {
            return Some(decided);
        }
        if let Some(resign) = tournament.resign
            && self.lost[by.index()] >= resign.movecount
            && (!resign.twosided || self.won[by.opponent().index()] >= resign.movecount)
        {
            let whose = if resign.twosided { "both engines' scores" } else { "the loser's scores" };
            return Some((GameResult::win(by.opponent()), format!("resign rule: {whose}")));
        }
        if let Some(draw) = tournament.draw
            && position.fullmoves().get() > draw.movenumber
            && self.quiet_plies >= draw.movecount.saturating_mul(2)
        {
            return Some((GameResult::Draw, "draw rule: both engines' scores".to_owned()));
        }
        (tournament.maxmoves > 0 && self.plies >= tournament.maxmoves.saturating_mul(2))
            .then(|| (GameResult::Draw, format!("limit of {} moves", tournament.maxmoves)))
    }

    fn count(&mut self, tournament: &Tournament, by: Side, score: Option<Score>, position: &Chess) {
        let centipawns = score.map(Score::centipawns);
        if let Some(draw) = tournament.draw {
            let quiet =
                matches!(score, Some(Score::Cp(value)) if value.abs() <= i64::from(draw.score));
            // A capture or a pawn move is progress: the count begins anew.
            let kept = if position.halfmoves() == 0 { 0 } else { self.quiet_plies };
            self.quiet_plies = if quiet { kept + 1 } else { 0 };
        }
        if let Some(resign) = tournament.resign {
            let bound = i64::from(resign.score);
            let side = by.index();
            let lost = centipawns.is_some_and(|value| value <= -bound);
            let won = centipawns.is_some_and(|value| value >= bound);
            self.lost[side] = if lost { self.lost[side] + 1 } else { 0 };
            self.won[side] = if won { self.won[side] + 1 } else { 0 };
        }
    }
}

fn by_tables(
    tournament: &Tournament,
    tables: &Tables,
    position: &Chess,
) -> Option<(GameResult, String)> {
    let mover = Side::from(position.turn());
    let ignore50 = tournament.tb.ignore50;
    let winner = match (tables.probe(position, ignore50)?, ignore50) {
        (Wdl::Win, _) | (Wdl::CursedWin, true) => Some(mover),
        (Wdl::Loss, _) | (Wdl::BlessedLoss, true) => Some(mover.opponent()),
        _ => None,
    };
    let wanted = match tournament.tb.adjudicate {
        TbAdjudicate::Both => true,
        TbAdjudicate::WinLoss => winner.is_some(),
        TbAdjudicate::Draw => winner.is_none(),
    };
    let result = winner.map_or(GameResult::Draw, GameResult::win);
    wanted.then(|| (result, "tablebase".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::config::{DrawAdjudication, ResignAdjudication};

    fn run(tournament: &Tournament, scores: &[(Side, Score)]) -> Option<GameResult> {
        let fen = "4k3/8/8/8/8/8/3R4/4K3 w - - 10 60".parse::<shakmaty::fen::Fen>().expect("a FEN");
        let position: Chess =
            fen.into_position(shakmaty::CastlingMode::Standard).expect("a position");
        let mut adjudicator = Adjudicator::default();
        scores.iter().find_map(|(side, score)| {
            adjudicator
                .after_move(tournament, None, *side, Some(*score), &position)
                .map(|(result, _)| result)
        })
    }

    #[test]
    fn rules_count_consecutive_moves() {
        use Side::{Black as B, White as W};
        let cp = Score::Cp;
        let draw = DrawAdjudication { movenumber: 40, movecount: 2, score: 10 };
        let draw = Tournament { draw: Some(draw), ..Tournament::default() };
        assert_eq!(
            run(&draw, &[(W, cp(5)), (B, cp(-9)), (W, cp(0)), (B, cp(10))]),
            Some(GameResult::Draw)
        );
        assert_eq!(run(&draw, &[(W, cp(5)), (B, cp(-11)), (W, cp(0)), (B, cp(10))]), None);
        assert_eq!(run(&draw, &[(W, cp(5)), (B, cp(0)), (W, cp(0)), (B, Score::Mate(3))]), None);
        let late = DrawAdjudication { movenumber: 80, ..draw.draw.expect("set above") };
        let late = Tournament { draw: Some(late), ..Tournament::default() };
        assert_eq!(run(&late, &[(W, cp(0)), (B, cp(0)), (W, cp(0)), (B, cp(0))]), None);

        let resign = |twosided| Tournament {
            resign: Some(ResignAdjudication { movecount: 2, score: 500, twosided }),
            ..Tournament::default()
        };
        let lost = [
            (W, cp(-600)),
            (B, cp(100)),
            (W, Score::Mate(-3)),
            (B, cp(700)),
            (W, cp(-700)),
            (B, cp(900)),
        ];
        assert_eq!(run(&resign(false), &lost[..3]), Some(GameResult::BlackWins));
        assert_eq!(run(&resign(true), &lost[..4]), None);
        assert_eq!(run(&resign(false), &[(W, cp(-600)), (B, cp(0)), (W, cp(-400))]), None);

        let short = Tournament { maxmoves: 1, ..Tournament::default() };
        assert_eq!(run(&short, &[(W, cp(1)), (B, cp(1))]), Some(GameResult::Draw));
    }
}
