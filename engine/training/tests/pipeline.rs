//! From nothing to a network: games, an epoch of training, a file that the engine reads.

use std::fs;
use std::path::Path;
use std::process::Command;

fn training(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_training")).args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The number behind a word of the output.
fn number_after(output: &str, word: &str) -> f64 {
    let (_, rest) = output.split_once(word).unwrap_or_else(|| panic!("no `{word}` in {output}"));
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    rest[..end].parse().unwrap_or_else(|_| panic!("no number after `{word}` in {output}"))
}

#[test]
fn a_thousand_games_and_an_epoch() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pipeline");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let (games, network) = (folder.join("games"), folder.join("network.bin"));
    let (games, network) = (games.to_str().unwrap(), network.to_str().unwrap());
    training(&["generate", "--out", games, "--shards", "4", "--games", "250", "--nodes", "40"]);
    // So few positions want larger steps.
    let steps = ["--epochs", "1", "--batch", "128", "--rate", "3e-3"];
    let output = training(&[&["train", games, "--out", network], &steps[..]].concat());
    let before = number_after(&output, "before: aside ");
    let after = number_after(&output, "epoch 1 of 1: loss ");
    let aside = number_after(&output, ", aside ");
    assert!(after < before && aside < 0.9 * before, "{output}");

    let network = engine::eval::network::Network::from_bytes(&fs::read(network).unwrap()).unwrap();
    let value = |fen: &str| network.evaluate(&engine::board::Position::from_fen(fen).unwrap());
    let queen_up = value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let queen_down = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1");
    assert!(queen_up > queen_down + 20, "{queen_up}, {queen_down}");
    assert!(folder.join("network.svg").exists() && folder.join("network.csv").exists());

    // Damaged games are one clear error.
    let shard = fs::read_dir(games).unwrap().next().unwrap().unwrap().path();
    let bytes = fs::read(&shard).unwrap();
    fs::write(&shard, &bytes[..bytes.len() - 3]).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_training"))
        .args(["train", games, "--out", "unused.bin"])
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.contains("cannot read"), "{error}");
    assert!(!error.contains("panicked"), "{error}");
    fs::remove_dir_all(folder).unwrap();
}
