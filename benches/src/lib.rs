//! The positions on which Themis and its peers are compared.
#![deny(missing_docs)]

/// A position with a known count of move sequences.
pub struct Case {
    /// What the position is called.
    pub name: &'static str,
    /// The position in FEN.
    pub fen: &'static str,
    /// The depth in plies and the count of the headline table.
    pub full: (u32, u64),
    /// The same for a bench that repeats the count many times.
    pub short: (u32, u64),
}

/// The six positions that move generators are usually compared on.
pub const CASES: [Case; 6] = [
    Case {
        name: "start",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        full: (6, 119_060_324),
        short: (5, 4_865_609),
    },
    Case {
        name: "kiwipete",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        full: (5, 193_690_690),
        short: (4, 4_085_603),
    },
    Case {
        name: "position 3",
        fen: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        full: (7, 178_633_661),
        short: (6, 11_030_083),
    },
    Case {
        name: "position 4",
        fen: "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        full: (5, 15_833_292),
        short: (4, 422_333),
    },
    Case {
        name: "position 5",
        fen: "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        full: (5, 89_941_194),
        short: (4, 2_103_487),
    },
    Case {
        name: "position 6",
        fen: "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        full: (5, 164_075_551),
        short: (4, 3_894_594),
    },
];
