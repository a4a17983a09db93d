//! The command `themis eval`: the static evaluation, man by man.

use std::process::ExitCode;

use anyhow::Context;
use engine::board::{Color, Piece, Position, Square};
use engine::eval::explain;
use engine::eval::network::{BUCKETS, Network};

use crate::stdout::Stdout;
use crate::uci::network;

/// Options of the command.
#[derive(clap::Args)]
pub struct Args {
    /// A network file in place of the embedded network
    #[arg(long)]
    network: Option<String>,
    /// The position
    #[arg(required = true, num_args = 1.., allow_hyphen_values = true)]
    fen: Vec<String>,
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let fen = args.fen.join(" ");
    let position = Position::from_fen(&fen).with_context(|| format!("FEN `{fen}`"))?;
    let loaded = match &args.network {
        Some(path) => Some(network::load(path).with_context(|| path.clone())?),
        None => None,
    };
    let explanation = explain(loaded.as_ref().unwrap_or(Network::embedded()), &position);
    let mut output = Stdout::lock();
    output.line(
        "internal centipawns, of which 133 are a pawn; first what each man adds for White\n",
    )?;
    let line = format!("  +{}", "-------+".repeat(8));
    output.line(&line)?;
    for rank in (0..8).rev() {
        let squares = (0..8).map(|file| Square::from_coords(file, rank));
        let letter = |at| position.piece_on(at).map_or(' ', Piece::letter);
        let men: String = squares.clone().map(|at| format!(" {:^5} |", letter(at))).collect();
        let worth = |at: Square| explanation.men.iter().find(|&&(square, _)| square == at);
        let values: String = squares
            .map(|at| worth(at).map_or("       |".into(), |(_, value)| format!(" {value:>+5} |")))
            .collect();
        output.line(format_args!("{} |{men}\n  |{values}\n{line}", rank + 1))?;
    }
    let files: String = ('a'..='h').map(|file| format!("    {file}   ")).collect();
    output.line(format_args!("  {files}\n"))?;
    let set = explanation.bucket + 1;
    output.line(format_args!("output weights: set {set} of {BUCKETS}, by the number of men"))?;
    let side = match position.side_to_move() {
        Color::White => "White",
        Color::Black => "Black",
    };
    output.line(format_args!("network, for {side}, who is to move: {}", explanation.network))?;
    let (kept, value) = (explanation.kept, explanation.value);
    output.line(format_args!("left by the material: {kept} of 64, {value}"))?;
    output.line(format_args!(
        "damped by {} half-moves without progress: {}",
        position.halfmove_clock(),
        explanation.damped
    ))?;
    Ok(ExitCode::SUCCESS)
}
