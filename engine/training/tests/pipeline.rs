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

#[test]
fn two_generations_from_nothing() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generations");
    let _ = fs::remove_dir_all(&folder);
    let out = folder.to_str().unwrap();
    let retrain = || {
        let sizes = ["--generations", "2", "--games", "250", "--nodes", "40", "--epochs", "1"];
        training(&[&["retrain", "--out", out], &sizes[..]].concat())
    };
    let file = |name: &str| fs::read(folder.join(name)).unwrap();
    let output = retrain();
    assert_eq!(output.matches("epoch 1 of 1").count(), 2, "{output}");
    for name in ["material.bin", "network-1.bin", "network-2.bin"] {
        engine::eval::network::Network::from_bytes(&file(name)).unwrap();
    }
    // The first network has played the second games.
    assert_eq!(fs::read_dir(folder.join("games-2")).unwrap().count(), 2);
    let (other, network) = (folder.join("other"), folder.join("network-1.bin"));
    let (other, network) = (other.to_str().unwrap(), network.to_str().unwrap());
    let sizes = ["--shards", "1", "--games", "250", "--nodes", "40", "--seed", "1002"];
    training(&[&["generate", "--out", other, "--network", network], &sizes[..]].concat());
    let shard = file("games-2/1002-000000.vf");
    assert_eq!(file("other/1002-000000.vf"), shard);

    // Where the second network is missing, only that is made again, and it is the same.
    let time = || fs::metadata(folder.join("games-2/1002-000000.vf")).unwrap().modified().unwrap();
    let written = time();
    let second = file("network-2.bin");
    fs::remove_file(folder.join("network-2.bin")).unwrap();
    let output = retrain();
    assert_eq!(output.matches("epoch 1 of 1").count(), 1, "{output}");
    assert_eq!((file("network-2.bin"), time()), (second, written));
    fs::remove_dir_all(folder).unwrap();
}
