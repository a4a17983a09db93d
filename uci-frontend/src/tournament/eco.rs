//! Names of openings by the codes of the Encyclopaedia of Chess Openings: the codes' main lines,
//! found by position, so that transpositions count.

use std::collections::HashMap;

use once_cell::sync::Lazy;
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position};

/// A code and its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Letter and two digits.
    pub code: &'static str,
    /// Name in English.
    pub name: &'static str,
}

static BY_POSITION: Lazy<HashMap<Zobrist64, Opening>> = Lazy::new(|| {
    table()
        .filter_map(|(opening, line)| {
            let mut position = Chess::default();
            for san in line.split_whitespace() {
                let chosen = San::from_ascii(san.as_bytes()).ok()?.to_move(&position).ok()?;
                position.play_unchecked(chosen);
            }
            Some((key(&position), opening))
        })
        .collect()
});

fn key(position: &Chess) -> Zobrist64 {
    position.zobrist_hash(EnPassantMode::Legal)
}

fn table() -> impl Iterator<Item = (Opening, &'static str)> {
    LINES.lines().filter_map(|line| {
        let mut fields = line.split('|');
        let opening = Opening { code: fields.next()?, name: fields.next()? };
        Some((opening, fields.next()?))
    })
}

/// The last named position that the game went through.
pub fn classify<'a>(start: &Chess, moves: impl Iterator<Item = &'a str>) -> Option<Opening> {
    const DEEPEST: usize = 20;
    let mut position = start.clone();
    let mut found = BY_POSITION.get(&key(&position)).copied();
    for uci in moves.take(DEEPEST) {
        let chosen = uci.parse::<UciMove>().ok()?.to_move(&position).ok()?;
        position.play_unchecked(chosen);
        found = BY_POSITION.get(&key(&position)).copied().or(found);
    }
    found
}

const LINES: &str = "\
A00|Polish Opening|b4
A00|Grob Opening|g4
A00|Van Geet Opening|Nc3
A00|Hungarian Opening|g3
A00|Van 't Kruijs Opening|e3
A00|Mieses Opening|d3
A01|Nimzo-Larsen Attack|b3
A02|Bird Opening|f4
A03|Bird Opening: Dutch Variation|f4 d5
A04|Zukertort Opening|Nf3
A05|Zukertort Opening|Nf3 Nf6
A06|Zukertort Opening|Nf3 d5
A07|King's Indian Attack|Nf3 d5 g3
A09|Réti Opening|Nf3 d5 c4
A10|English Opening|c4
A13|English Opening: Agincourt Defense|c4 e6
A15|English Opening: Anglo-Indian Defense|c4 Nf6
A16|English Opening: Anglo-Indian Defense|c4 Nf6 Nc3
A20|English Opening: King's English Variation|c4 e5
A21|English Opening: King's English Variation|c4 e5 Nc3
A22|English Opening: King's English Variation, Two Knights|c4 e5 Nc3 Nf6
A25|English Opening: King's English Variation, Closed|c4 e5 Nc3 Nc6
A28|English Opening: Four Knights|c4 e5 Nc3 Nf6 Nf3 Nc6
A30|English Opening: Symmetrical Variation|c4 c5
A34|English Opening: Symmetrical Variation|c4 c5 Nc3
A40|Queen's Pawn Game|d4
A40|Englund Gambit|d4 e5
A41|Queen's Pawn Game: Rat Defense|d4 d6
A43|Benoni Defense: Old Benoni|d4 c5
A45|Indian Defense|d4 Nf6
A45|Trompowsky Attack|d4 Nf6 Bg5
A46|Indian Defense|d4 Nf6 Nf3
A48|London System|d4 Nf6 Nf3 g6 Bf4
A50|Indian Defense|d4 Nf6 c4
A51|Budapest Defense|d4 Nf6 c4 e5
A53|Old Indian Defense|d4 Nf6 c4 d6
A56|Benoni Defense|d4 Nf6 c4 c5
A57|Benko Gambit|d4 Nf6 c4 c5 d5 b5
A60|Benoni Defense: Modern Variation|d4 Nf6 c4 c5 d5 e6
A80|Dutch Defense|d4 f5
A81|Dutch Defense|d4 f5 g3
A82|Dutch Defense: Staunton Gambit|d4 f5 e4
A84|Dutch Defense|d4 f5 c4
A87|Dutch Defense: Leningrad Variation|d4 f5 c4 Nf6 g3 g6 Bg2 Bg7 Nf3
A90|Dutch Defense: Classical Variation|d4 f5 c4 Nf6 g3 e6 Bg2
B00|King's Pawn Game|e4
B00|Nimzowitsch Defense|e4 Nc6
B00|Owen Defense|e4 b6
B01|Scandinavian Defense|e4 d5
B01|Scandinavian Defense: Mieses-Kotrč Variation|e4 d5 exd5 Qxd5
B01|Scandinavian Defense: Modern Variation|e4 d5 exd5 Nf6
B02|Alekhine Defense|e4 Nf6
B03|Alekhine Defense|e4 Nf6 e5 Nd5 d4
B04|Alekhine Defense: Modern Variation|e4 Nf6 e5 Nd5 d4 d6 Nf3
B06|Modern Defense|e4 g6
B07|Pirc Defense|e4 d6 d4 Nf6
B08|Pirc Defense: Classical Variation|e4 d6 d4 Nf6 Nc3 g6 Nf3
B09|Pirc Defense: Austrian Attack|e4 d6 d4 Nf6 Nc3 g6 f4
B10|Caro-Kann Defense|e4 c6
B12|Caro-Kann Defense|e4 c6 d4
B12|Caro-Kann Defense: Advance Variation|e4 c6 d4 d5 e5
B13|Caro-Kann Defense: Exchange Variation|e4 c6 d4 d5 exd5
B13|Caro-Kann Defense: Panov Attack|e4 c6 d4 d5 exd5 cxd5 c4
B15|Caro-Kann Defense|e4 c6 d4 d5 Nc3
B17|Caro-Kann Defense: Karpov Variation|e4 c6 d4 d5 Nc3 dxe4 Nxe4 Nd7
B18|Caro-Kann Defense: Classical Variation|e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5
B20|Sicilian Defense|e4 c5
B21|Sicilian Defense: Smith-Morra Gambit|e4 c5 d4 cxd4 c3
B22|Sicilian Defense: Alapin Variation|e4 c5 c3
B23|Sicilian Defense: Closed|e4 c5 Nc3
B27|Sicilian Defense|e4 c5 Nf3
B30|Sicilian Defense: Old Sicilian|e4 c5 Nf3 Nc6
B30|Sicilian Defense: Rossolimo Variation|e4 c5 Nf3 Nc6 Bb5
B33|Sicilian Defense: Sveshnikov Variation|e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 e5
B34|Sicilian Defense: Accelerated Dragon|e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 g6
B40|Sicilian Defense: French Variation|e4 c5 Nf3 e6
B41|Sicilian Defense: Kan Variation|e4 c5 Nf3 e6 d4 cxd4 Nxd4 a6
B44|Sicilian Defense: Taimanov Variation|e4 c5 Nf3 e6 d4 cxd4 Nxd4 Nc6
B50|Sicilian Defense|e4 c5 Nf3 d6
B51|Sicilian Defense: Moscow Variation|e4 c5 Nf3 d6 Bb5+
B54|Sicilian Defense: Open|e4 c5 Nf3 d6 d4 cxd4 Nxd4
B56|Sicilian Defense: Classical Variation|e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 Nc6
B70|Sicilian Defense: Dragon Variation|e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6
B80|Sicilian Defense: Scheveningen Variation|e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 e6
B90|Sicilian Defense: Najdorf Variation|e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6
B94|Sicilian Defense: Najdorf Variation|e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Bg5
C00|French Defense|e4 e6
C01|French Defense: Exchange Variation|e4 e6 d4 d5 exd5
C02|French Defense: Advance Variation|e4 e6 d4 d5 e5
C03|French Defense: Tarrasch Variation|e4 e6 d4 d5 Nd2
C10|French Defense|e4 e6 d4 d5 Nc3
C10|French Defense: Rubinstein Variation|e4 e6 d4 d5 Nc3 dxe4
C11|French Defense: Classical Variation|e4 e6 d4 d5 Nc3 Nf6
C15|French Defense: Winawer Variation|e4 e6 d4 d5 Nc3 Bb4
C20|King's Pawn Game|e4 e5
C21|Center Game|e4 e5 d4 exd4
C21|Danish Gambit|e4 e5 d4 exd4 c3
C23|Bishop's Opening|e4 e5 Bc4
C25|Vienna Game|e4 e5 Nc3
C26|Vienna Game: Falkbeer Variation|e4 e5 Nc3 Nf6
C30|King's Gambit|e4 e5 f4
C31|King's Gambit Declined: Falkbeer Countergambit|e4 e5 f4 d5
C33|King's Gambit Accepted|e4 e5 f4 exf4
C34|King's Gambit Accepted: King's Knight Gambit|e4 e5 f4 exf4 Nf3
C40|King's Knight Opening|e4 e5 Nf3
C40|Latvian Gambit|e4 e5 Nf3 f5
C41|Philidor Defense|e4 e5 Nf3 d6
C42|Petrov's Defense|e4 e5 Nf3 Nf6
C43|Petrov's Defense: Modern Attack|e4 e5 Nf3 Nf6 d4
C44|King's Knight Opening: Normal Variation|e4 e5 Nf3 Nc6
C44|Scotch Game|e4 e5 Nf3 Nc6 d4
C45|Scotch Game|e4 e5 Nf3 Nc6 d4 exd4 Nxd4
C46|Three Knights Opening|e4 e5 Nf3 Nc6 Nc3
C47|Four Knights Game|e4 e5 Nf3 Nc6 Nc3 Nf6
C48|Four Knights Game: Spanish Variation|e4 e5 Nf3 Nc6 Nc3 Nf6 Bb5
C50|Italian Game|e4 e5 Nf3 Nc6 Bc4
C50|Italian Game: Giuoco Piano|e4 e5 Nf3 Nc6 Bc4 Bc5
C51|Italian Game: Evans Gambit|e4 e5 Nf3 Nc6 Bc4 Bc5 b4
C53|Italian Game: Classical Variation|e4 e5 Nf3 Nc6 Bc4 Bc5 c3
C55|Italian Game: Two Knights Defense|e4 e5 Nf3 Nc6 Bc4 Nf6
C57|Italian Game: Two Knights Defense, Knight Attack|e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5
C60|Ruy Lopez|e4 e5 Nf3 Nc6 Bb5
C62|Ruy Lopez: Steinitz Defense|e4 e5 Nf3 Nc6 Bb5 d6
C63|Ruy Lopez: Schliemann Defense|e4 e5 Nf3 Nc6 Bb5 f5
C64|Ruy Lopez: Classical Variation|e4 e5 Nf3 Nc6 Bb5 Bc5
C65|Ruy Lopez: Berlin Defense|e4 e5 Nf3 Nc6 Bb5 Nf6
C68|Ruy Lopez: Exchange Variation|e4 e5 Nf3 Nc6 Bb5 a6 Bxc6
C70|Ruy Lopez: Morphy Defense|e4 e5 Nf3 Nc6 Bb5 a6 Ba4
C78|Ruy Lopez: Morphy Defense|e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O
C80|Ruy Lopez: Open|e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Nxe4
C84|Ruy Lopez: Closed|e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7
C89|Ruy Lopez: Marshall Attack|e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 O-O c3 d5
D00|Queen's Pawn Game|d4 d5
D00|Blackmar-Diemer Gambit|d4 d5 e4
D00|Queen's Pawn Game: Accelerated London System|d4 d5 Bf4
D02|Queen's Pawn Game: Zukertort Variation|d4 d5 Nf3
D04|Queen's Pawn Game: Colle System|d4 d5 Nf3 Nf6 e3
D06|Queen's Gambit|d4 d5 c4
D07|Queen's Gambit: Chigorin Defense|d4 d5 c4 Nc6
D08|Queen's Gambit: Albin Countergambit|d4 d5 c4 e5
D10|Slav Defense|d4 d5 c4 c6
D11|Slav Defense|d4 d5 c4 c6 Nf3
D15|Slav Defense|d4 d5 c4 c6 Nf3 Nf6 Nc3
D17|Slav Defense: Czech Variation|d4 d5 c4 c6 Nf3 Nf6 Nc3 dxc4 a4 Bf5
D20|Queen's Gambit Accepted|d4 d5 c4 dxc4
D30|Queen's Gambit Declined|d4 d5 c4 e6
D31|Queen's Gambit Declined|d4 d5 c4 e6 Nc3
D32|Tarrasch Defense|d4 d5 c4 e6 Nc3 c5
D35|Queen's Gambit Declined|d4 d5 c4 e6 Nc3 Nf6
D35|Queen's Gambit Declined: Exchange Variation|d4 d5 c4 e6 Nc3 Nf6 cxd5
D37|Queen's Gambit Declined: Three Knights Variation|d4 d5 c4 e6 Nc3 Nf6 Nf3
D43|Semi-Slav Defense|d4 d5 c4 e6 Nc3 Nf6 Nf3 c6
D45|Semi-Slav Defense|d4 d5 c4 e6 Nc3 Nf6 Nf3 c6 e3
D50|Queen's Gambit Declined: Modern Variation|d4 d5 c4 e6 Nc3 Nf6 Bg5
D53|Queen's Gambit Declined|d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7
D70|Neo-Grünfeld Defense|d4 Nf6 c4 g6 g3 d5
D80|Grünfeld Defense|d4 Nf6 c4 g6 Nc3 d5
D85|Grünfeld Defense: Exchange Variation|d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5 e4
E00|Indian Defense|d4 Nf6 c4 e6
E01|Catalan Opening|d4 Nf6 c4 e6 g3 d5 Bg2
E10|Indian Defense|d4 Nf6 c4 e6 Nf3
E11|Bogo-Indian Defense|d4 Nf6 c4 e6 Nf3 Bb4+
E12|Queen's Indian Defense|d4 Nf6 c4 e6 Nf3 b6
E15|Queen's Indian Defense: Fianchetto Variation|d4 Nf6 c4 e6 Nf3 b6 g3
E20|Nimzo-Indian Defense|d4 Nf6 c4 e6 Nc3 Bb4
E32|Nimzo-Indian Defense: Classical Variation|d4 Nf6 c4 e6 Nc3 Bb4 Qc2
E40|Nimzo-Indian Defense: Normal Variation|d4 Nf6 c4 e6 Nc3 Bb4 e3
E60|King's Indian Defense|d4 Nf6 c4 g6
E61|King's Indian Defense|d4 Nf6 c4 g6 Nc3
E62|King's Indian Defense: Fianchetto Variation|d4 Nf6 c4 g6 Nc3 Bg7 Nf3 d6 g3
E70|King's Indian Defense: Normal Variation|d4 Nf6 c4 g6 Nc3 Bg7 e4
E73|King's Indian Defense: Averbakh System|d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Be2
E76|King's Indian Defense: Four Pawns Attack|d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 f4
E80|King's Indian Defense: Sämisch Variation|d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 f3
E90|King's Indian Defense|d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3
E97|King's Indian Defense: Mar del Plata Variation|d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O Be2 e5 O-O Nc6";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_legal() {
        for (opening, line) in table() {
            let mut position = Chess::default();
            for san in line.split_whitespace() {
                let chosen = san.parse::<San>().expect(line).to_move(&position).expect(line);
                position.play_unchecked(chosen);
            }
            assert!(BY_POSITION.contains_key(&key(&position)), "{opening:?}");
        }
        assert_eq!(LINES.lines().count(), table().count());
    }

    #[test]
    fn transpositions_are_found() {
        let start = Chess::default();
        let moves = ["g1f3", "d7d5", "d2d4", "g8f6", "c2c4", "e7e6", "b1c3", "h7h6"];
        let opening = classify(&start, moves.into_iter()).expect("a name");
        assert_eq!(opening.code, "D37");
        assert_eq!(classify(&start, ["h2h3"].into_iter()), None);
    }
}
