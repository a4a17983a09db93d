//! The results as one HTML page that needs nothing else: cross table, Elo plot, and every game
//! with its ruling and its final board.

use std::fmt::Write;

use shakmaty::fen::Fen;
use shakmaty::{Board, Role, Square};

use super::config::{Format, Tournament};
use super::record::GameRecord;
use super::runner::Outcome;
use super::standings::Standings;
use super::stats::Tally;

/// Width of the plots.
const WIDTH: f64 = 720.0;

const STYLE: &str = "\
body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}\
table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.25rem .5rem;text-align:right}\
th:first-child,td.l{text-align:left}td.x{background:#ddd}\
details{border-top:1px solid #ddd;padding:.35rem 0}summary{cursor:pointer}\
.g{display:flex;gap:1rem;flex-wrap:wrap;margin:.5rem 0}.g svg{width:14rem;height:14rem;flex:none}\
.g div{flex:1;min-width:18rem}.r{color:#555}ul{margin:.3rem 0;padding-left:1.2rem}p{margin:.3rem 0}\
code{overflow-wrap:anywhere}svg text{font:12px system-ui,sans-serif}";

/// The six men, drawn on a square of 45 units.
const MEN: [(Role, &str, &str); 6] = [
    (Role::Pawn, "p", "M22.5 10a6 6 0 1 1 0 12a6 6 0 1 1 0-12zM18 21h9l5 16H13z"),
    (Role::Knight, "n", "M13 37h20c0-11-1-21-11-26l-1-4-4 5c-4 3-7 8-8 13l3 3 7-4c1 4-5 6-6 13z"),
    (
        Role::Bishop,
        "b",
        "M22.5 6a3 3 0 0 1 2 5c6 4 8 10 5 16l3 10h-20l3-10c-3-6-1-12 5-16a3 3 0 0 1 2-5z",
    ),
    (Role::Rook, "r", "M11 9h6v4h3V9h5v4h3V9h6v9l-4 3v11l3 5H12l3-5V21l-4-3z"),
    (Role::Queen, "q", "M7 13l7 11 3-15 5.5 14L28 9l3 15 7-11-4 20v4H11v-4z"),
    (
        Role::King,
        "k",
        "M21 5h3v4h4v3h-4v6c10-4 15 2 11 9l-4 6v4H14v-4l-4-6c-4-7 1-13 11-9v-6h-4V9h4z",
    ),
];

/// The page.
pub fn html(tournament: &Tournament, outcome: &Outcome) -> String {
    let standings = &outcome.standings;
    let title = escape(&tournament.event);
    let mut page = String::with_capacity(4096 + 2048 * outcome.games.len());
    let _ = write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    );
    let state = if outcome.complete { "complete" } else { "stopped before its end" };
    let _ = writeln!(
        page,
        "<p>{}, {} games, {state}.</p>",
        format_name(tournament.format),
        outcome.games.len()
    );
    for remark in &outcome.remarks {
        let _ = writeln!(page, "<p>{}.</p>", escape(remark));
    }
    page.push_str("<h2>Standings</h2>\n");
    cross_table(&mut page, standings, tournament.engines.len());
    page.push_str("<h2>Elo with 95 % intervals</h2>\n");
    elo_plot(&mut page, standings);
    if tournament.engines.len() == 2 {
        page.push_str("<h2>Elo after each game</h2>\n");
        running_plot(&mut page, &outcome.games);
    }
    let _ = write!(
        page,
        "<h2>Report</h2>\n<pre>{}</pre>\n<h2>Rulings</h2>\n<ul>",
        escape(&standings.report(tournament))
    );
    for (reason, count) in standings.endings() {
        let _ = write!(page, "<li>{} {count}</li>", escape(reason));
    }
    page.push_str(
        "</ul>\n<h2>Games</h2>\n<svg width=\"0\" height=\"0\" style=\"position:absolute\"><defs>",
    );
    for (_, id, path) in MEN {
        let _ = write!(
            page,
            "<path id=\"{id}\" d=\"{path}\" stroke-width=\"1.5\" stroke-linejoin=\"round\"/>"
        );
    }
    page.push_str(
        "<pattern id=\"s\" width=\"90\" height=\"90\" patternUnits=\"userSpaceOnUse\"><path fill=\"#e9e2d0\" d=\"M0 0h90v90H0z\"/>\
         <path fill=\"#9fb08f\" d=\"M45 0h45v45H45zM0 45h45v45H0z\"/></pattern></defs></svg>\n",
    );
    for game in &outcome.games {
        game_entry(&mut page, game);
    }
    page.push_str("</body></html>\n");
    page
}

/// A mark of an axis: zero has no sign.
fn signed(mark: f64) -> String {
    if mark == 0.0 { "0".to_owned() } else { format!("{mark:+.0}") }
}

fn format_name(format: Format) -> &'static str {
    match format {
        Format::RoundRobin => "Round-robin",
        Format::Gauntlet => "Gauntlet",
        Format::Knockout => "Knockout",
        Format::Swiss => "Swiss",
    }
}

fn cross_table(page: &mut String, standings: &Standings, engines: usize) {
    let order = standings.ranking();
    page.push_str("<table><tr><th>Engine</th><th>Points</th><th>Games</th><th>Elo</th>");
    for place in 1..=engines {
        let _ = write!(page, "<th>{place}</th>");
    }
    page.push_str("</tr>\n");
    for (place, &engine) in order.iter().enumerate() {
        let tally = standings.overall(engine);
        let elo = tally
            .elo()
            .map_or_else(|| "-".to_owned(), |elo| format!("{:+.0} ± {:.0}", elo.value, elo.error));
        let _ = write!(
            page,
            "<tr><td class=\"l\">{}. {}</td><td>{:.1}</td><td>{}</td><td>{elo}</td>",
            place + 1,
            escape(standings.name(engine)),
            tally.points(),
            tally.games()
        );
        for &other in &order {
            let tally = standings.between(engine, other);
            if other == engine {
                page.push_str("<td class=\"x\"></td>");
            } else if tally.games() == 0 {
                page.push_str("<td></td>");
            } else {
                let [wins, draws, losses] = tally.wdl;
                let _ = write!(
                    page,
                    "<td title=\"+{wins} ={draws} -{losses}\">{:.1} / {}</td>",
                    tally.points(),
                    tally.games()
                );
            }
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table>\n");
}

/// A point and an interval per engine.
fn elo_plot(page: &mut String, standings: &Standings) {
    const ROW: f64 = 26.0;
    const LEFT: f64 = 170.0;
    let order = standings.ranking();
    let estimates: Vec<_> = order.iter().map(|engine| standings.overall(*engine).elo()).collect();
    // A score of nothing or all has no finite Elo: the plot ends somewhere.
    let reach = estimates
        .iter()
        .flatten()
        .map(|elo| elo.value.abs() + elo.error)
        .fold(50.0, f64::max)
        .min(1000.0);
    let x = |elo: f64| {
        LEFT + (elo.clamp(-reach, reach) + reach) / (2.0 * reach) * (WIDTH - LEFT - 20.0)
    };
    let height = ROW * order.len() as f64 + 30.0;
    let _ = write!(
        page,
        "<svg viewBox=\"0 0 {WIDTH} {height}\" width=\"100%\" role=\"img\" aria-label=\"Elo plot\">"
    );
    for mark in [-reach, -reach / 2.0, 0.0, reach / 2.0, reach] {
        let (at, end) = (x(mark), height - 22.0);
        let _ = write!(
            page,
            "<path d=\"M{at:.1} 0V{end:.1}\" stroke=\"#ddd\"/><text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            height - 6.0,
            signed(mark)
        );
    }
    for (row, (engine, elo)) in order.iter().zip(&estimates).enumerate() {
        let y = ROW * row as f64 + ROW / 2.0;
        let _ = write!(
            page,
            "<text x=\"0\" y=\"{:.1}\">{}</text>",
            y + 4.0,
            escape(standings.name(*engine))
        );
        if let Some(elo) = elo {
            let (low, high) = (x(elo.value - elo.error), x(elo.value + elo.error));
            let _ = write!(
                page,
                "<path d=\"M{low:.1} {y:.1}H{high:.1}\" stroke=\"#4a6fa5\" stroke-width=\"3\"/><circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"#1f3d66\"/>",
                x(elo.value)
            );
        }
    }
    page.push_str("</svg>\n");
}

/// The first engine's Elo after each game of a match.
fn running_plot(page: &mut String, games: &[GameRecord]) {
    const HEIGHT: f64 = 220.0;
    const LEFT: f64 = 45.0;
    let mut tally = Tally::default();
    let curve: Vec<f64> = games
        .iter()
        .filter_map(|game| {
            let side = usize::from(game.pairing.white != 0);
            tally.add_game(game.ending.half_points()[side]);
            tally.elo().map(|elo| elo.value.clamp(-600.0, 600.0))
        })
        .collect();
    let reach = curve.iter().map(|elo| elo.abs()).fold(25.0, f64::max);
    let y = |elo: f64| 10.0 + (reach - elo) / (2.0 * reach) * (HEIGHT - 20.0);
    let step = (WIDTH - LEFT - 10.0) / curve.len().max(2).saturating_sub(1) as f64;
    let points: Vec<String> = curve
        .iter()
        .enumerate()
        .map(|(index, elo)| format!("{:.1},{:.1}", LEFT + step * index as f64, y(*elo)))
        .collect();
    let _ = write!(
        page,
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"100%\" role=\"img\" aria-label=\"Elo after each game\">"
    );
    for mark in [reach, 0.0, -reach] {
        let at = y(mark);
        let _ = write!(
            page,
            "<path d=\"M{LEFT} {at:.1}H{WIDTH}\" stroke=\"#ddd\"/><text x=\"0\" y=\"{:.1}\">{}</text>",
            at + 4.0,
            signed(mark)
        );
    }
    let _ = writeln!(
        page,
        "<polyline fill=\"none\" stroke=\"#1f3d66\" stroke-width=\"2\" points=\"{}\"/></svg>",
        points.join(" ")
    );
}

fn game_entry(page: &mut String, game: &GameRecord) {
    let ending = &game.ending;
    let _ = write!(
        page,
        "<details><summary>{}. {} – {} <b>{}</b> <span class=\"r\">{}</span></summary><div class=\"g\">",
        game.pairing.number,
        escape(&game.white),
        escape(&game.black),
        ending.result.as_str(),
        escape(&ending.sentence())
    );
    page.push_str(&board(&game.final_fen));
    let _ = write!(
        page,
        "<div><p>Article {}. Termination: {}. {} plies, {:.1} s.</p><p><code>{}</code></p>",
        escape(&ending.article),
        escape(&ending.termination),
        game.moves.len(),
        game.duration_s,
        escape(&game.final_fen)
    );
    if !game.notes.is_empty() {
        page.push_str("<ul>");
        for note in &game.notes {
            let _ = write!(page, "<li>after ply {}: {}</li>", note.ply, escape(&note.text));
        }
        page.push_str("</ul>");
    }
    page.push_str("</div></div></details>\n");
}

/// The position as an SVG drawing.
fn board(fen: &str) -> String {
    let board =
        fen.parse::<Fen>().map_or_else(|_| Board::empty(), |fen| fen.as_setup().board.clone());
    let mut svg = "<svg viewBox=\"0 0 360 360\" role=\"img\" aria-label=\"final position\"><path fill=\"url(#s)\" d=\"M0 0h360v360H0z\"/>".to_owned();
    for square in Square::ALL {
        let Some(piece) = board.piece_at(square) else { continue };
        let id = MEN.iter().find(|(role, ..)| *role == piece.role).map_or("p", |(_, id, _)| id);
        let (x, y) = (45 * u32::from(square.file()), 45 * (7 - u32::from(square.rank())));
        let (fill, stroke) =
            if piece.color.is_white() { ("#fff", "#222") } else { ("#222", "#eee") };
        let _ = write!(
            svg,
            "<use href=\"#{id}\" x=\"{x}\" y=\"{y}\" fill=\"{fill}\" stroke=\"{stroke}\"/>"
        );
    }
    svg.push_str("</svg>");
    svg
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_shows_every_man() {
        let svg = board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        assert_eq!(svg.matches("<use").count(), 3);
        assert!(svg.contains("<use href=\"#k\" x=\"180\" y=\"0\" fill=\"#222\""));
        assert_eq!(board("nonsense").matches("<use").count(), 0);
    }

    #[test]
    fn text_cannot_break_the_page() {
        assert_eq!(escape("<b a=\"1\">&"), "&lt;b a=&quot;1&quot;&gt;&amp;");
    }
}
