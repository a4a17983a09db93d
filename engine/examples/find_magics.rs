//! Finds the multipliers of `src/board/attacks/magics.rs` by random search and prints that file:
//! `cargo run --release -p engine --example find_magics > engine/src/board/attacks/magics.rs`
//! The search is seeded, so that it finds the same ones every time.

/// The squares a rook or a bishop moves by, as steps of files and ranks.
const ROOK_STEPS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP_STEPS: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number with few bits set: a multiplier should spread each square to one place only.
    fn sparse(&mut self) -> u64 {
        self.next() & self.next() & self.next()
    }
}

/// What a slider attacks; without `edges`, the last square of each ray is left out.
fn slide(square: i32, steps: &[(i32, i32); 4], occupied: u64, edges: bool) -> u64 {
    let on_board = |file: i32, rank: i32| (0..8).contains(&file) && (0..8).contains(&rank);
    let mut attacks = 0;
    for &(files, ranks) in steps {
        let (mut file, mut rank) = (square % 8 + files, square / 8 + ranks);
        while on_board(file, rank) && (edges || on_board(file + files, rank + ranks)) {
            attacks |= 1 << (rank * 8 + file);
            if occupied >> (rank * 8 + file) & 1 != 0 {
                break;
            }
            (file, rank) = (file + files, rank + ranks);
        }
    }
    attacks
}

/// A multiplier whose products tell all relevant occupancies with different attacks apart.
fn find(square: i32, steps: &[(i32, i32); 4], random: &mut Random) -> u64 {
    let mask = slide(square, steps, 0, false);
    let shift = 64 - mask.count_ones();
    let mut cases = vec![(0, slide(square, steps, 0, true))];
    let mut occupied = 0u64.wrapping_sub(mask) & mask;
    while occupied != 0 {
        cases.push((occupied, slide(square, steps, occupied, true)));
        occupied = occupied.wrapping_sub(mask) & mask;
    }
    // A slot is as good as empty while its attempt is an older one.
    let mut slots = vec![(0u32, 0u64); cases.len()];
    for attempt in 1.. {
        let magic = random.sparse();
        let fits = cases.iter().all(|&(occupied, attacks)| {
            let slot = &mut slots[(occupied.wrapping_mul(magic) >> shift) as usize];
            if slot.0 != attempt {
                *slot = (attempt, attacks);
            }
            slot.1 == attacks
        });
        if fits {
            return magic;
        }
    }
    unreachable!("every square has such a multiplier")
}

fn print_table(comment: &str, name: &str, steps: &[(i32, i32); 4], random: &mut Random) {
    println!("/// {comment}\npub const {name}: [u64; 64] = [");
    for square in 0..64 {
        let digits = format!("{:016X}", find(square, steps, random));
        let parts: Vec<&str> = (0..4).map(|i| &digits[4 * i..4 * i + 4]).collect();
        println!("    0x{},", parts.join("_"));
    }
    println!("];");
}

fn main() {
    let mut random = Random(2026);
    println!(
        "//! Magic multipliers, found by the random search of `examples/find_magics.rs`, which"
    );
    println!("//! prints this file. A collision would stop the build script.\n");
    let rooks =
        "For rooks: `(occupied & mask) * magic >> shift` tells all relevant occupancies apart.";
    print_table(rooks, "ROOK_MAGICS", &ROOK_STEPS, &mut random);
    print_table("The same for bishops.", "BISHOP_MAGICS", &BISHOP_STEPS, &mut random);
}
