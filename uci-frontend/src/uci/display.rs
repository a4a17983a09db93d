//! The position drawn for a person.

use engine::board::{Color, Position, Square};

use super::output::Output;

/// Prints the board, the FEN, the key and the men that give check.
pub fn display(position: &Position, output: &Output) {
    for rank in (0..8).rev() {
        let men = (0..8).map(|file| {
            let piece = position.piece_on(Square::from_coords(file, rank));
            piece.map_or('.', |piece| match piece.color {
                Color::White => piece.kind.letter().to_ascii_uppercase(),
                Color::Black => piece.kind.letter(),
            })
        });
        let men: Vec<_> = men.map(String::from).collect();
        output.line(format_args!("{}  {}", rank + 1, men.join(" ")));
    }
    output.line("   a b c d e f g h");
    output.line(format_args!("Fen: {}", position.fen(false)));
    output.line(format_args!("Key: {:016X}", position.key()));
    let checkers: Vec<_> =
        position.checkers().into_iter().map(|square| square.to_string()).collect();
    output.line(format_args!("Checkers: {}", checkers.join(" ")));
}
