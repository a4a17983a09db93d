//! The command `themis eval`: the static evaluation, term by term.

use std::process::ExitCode;

use anyhow::Context;
use engine::board::{Color, Position};
use engine::eval::{FULL_PHASE, Score, explain};

/// Options of the command.
#[derive(clap::Args)]
pub struct Args {
    /// The position
    #[arg(required = true, num_args = 1.., allow_hyphen_values = true)]
    fen: Vec<String>,
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let fen = args.fen.join(" ");
    let position = Position::from_fen(&fen).with_context(|| format!("FEN `{fen}`"))?;
    let explanation = explain(&position);
    let pair = |score: Score| format!("{:>5} {:>5}", score.middlegame(), score.endgame());
    println!("centipawns: middlegame and endgame\n");
    println!("{:^11} | {:^11} | {:^11} | term", "White", "Black", "difference");
    println!("{}", "-".repeat(72));
    for line in &explanation.lines {
        println!(
            "{} | {} | {} | {}",
            pair(line.white),
            pair(line.black),
            pair(line.white - line.black),
            line.about
        );
    }
    println!("{}", "-".repeat(72));
    println!("{:11} | {:11} | {} | sum\n", "", "", pair(explanation.total));
    println!("phase {} of {FULL_PHASE}: the blend of middlegame and endgame", explanation.phase);
    println!("endgame kept: {} of 64", explanation.endgame_scale);
    println!("blended, for White: {}", explanation.tapered);
    println!("right to move: {}", explanation.tempo);
    let side = match position.side_to_move() {
        Color::White => "White",
        Color::Black => "Black",
    };
    println!("for {side}, who is to move: {}", explanation.value);
    println!(
        "damped by {} half-moves without progress: {}",
        position.halfmove_clock(),
        explanation.damped
    );
    Ok(ExitCode::SUCCESS)
}
