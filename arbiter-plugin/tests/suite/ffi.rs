//! The C interface: what it answers, and hosts in C and Python that use it.

use std::ffi::{CStr, CString, c_char};
use std::path::PathBuf;
use std::process::Command;
use std::ptr::{null, null_mut};

use arbiter_plugin::ffi;
use serde_json::{Value, json};

/// Takes a text, gives it back and reads it.
fn take(text: *mut c_char) -> Value {
    assert!(!text.is_null());
    // SAFETY: every function returns a text that ends with a zero byte and is ours to free once.
    let copy = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
    // SAFETY: as above.
    unsafe { ffi::arbiter_string_free(text) };
    serde_json::from_str(&copy).unwrap_or(Value::String(copy))
}

fn c(text: &str) -> CString {
    CString::new(text).expect("no zero byte")
}

#[test]
fn a_game() {
    let arbiter = ffi::arbiter_create();
    let tell = |event: Value| {
        let event = c(&event.to_string());
        // SAFETY: the handle is live and the text ends with a zero byte.
        take(unsafe { ffi::arbiter_observe(arbiter, event.as_ptr()) })
    };
    assert!(tell(json!({"type": "resigned", "by": "w"}))["error"].is_string());
    assert_eq!(tell(json!({"type": "game_started"})), json!({"rulings": []}));
    tell(json!({"type": "moves_played", "uci": ["f2f3", "e7e5", "g2g4", "d8h4"]}));
    // SAFETY: the handle is live.
    let state = take(unsafe { ffi::arbiter_state(arbiter) });
    assert_eq!(state["outcome"]["reason"], "checkmate");
    // SAFETY: the handle is live and not used again.
    unsafe { ffi::arbiter_free(arbiter) };
    assert!(take(ffi::arbiter_version()).as_str().is_some_and(|name| name.starts_with("Themis")));
}

#[test]
fn null_and_invalid_text_are_answered() {
    let arbiter = ffi::arbiter_create();
    let event = c("{}");
    let broken = c("x").into_bytes();
    let invalid = [0xff_u8, 0xfe, 0];
    // SAFETY: the handle is live; null and texts that end with a zero byte are allowed.
    unsafe {
        let error = |answer: *mut c_char| take(answer)["error"].is_string();
        assert!(error(ffi::arbiter_observe(null_mut(), event.as_ptr())));
        assert!(error(ffi::arbiter_observe(arbiter, null())));
        assert!(error(ffi::arbiter_observe(arbiter, invalid.as_ptr().cast())));
        assert!(error(ffi::arbiter_state(null_mut())));
        assert!(error(ffi::arbiter_state(arbiter)));
        assert!(error(ffi::arbiter_can_mate(null(), event.as_ptr())));
        assert!(error(ffi::arbiter_can_mate(event.as_ptr(), null())));
        assert!(error(ffi::arbiter_can_mate(event.as_ptr(), invalid.as_ptr().cast())));
        ffi::arbiter_string_free(null_mut());
        ffi::arbiter_free(null_mut());
        ffi::arbiter_free(arbiter);
    }
    assert_eq!(broken, b"x");
}

#[test]
fn can_mate() {
    let ask = |fen: &str, side: &str| {
        let (fen, side) = (c(fen), c(side));
        // SAFETY: texts that end with a zero byte.
        take(unsafe { ffi::arbiter_can_mate(fen.as_ptr(), side.as_ptr()) })
    };
    let rook = "4k3/8/8/8/8/8/8/4K2R w - - 0 1";
    assert_eq!(ask(rook, "w")["can_mate"], true);
    assert!(!ask(rook, "w")["evidence"]["line_uci"].as_array().expect("a line").is_empty());
    assert_eq!(ask(rook, "b")["can_mate"], false);
    assert_eq!(ask(rook, "b")["evidence"]["proof"], "material");
    let castling = "5r2/k7/8/8/8/7p/7P/6KR w H - 0 1";
    assert_eq!(ask(castling, "w")["evidence"]["line_uci"][0], "g1h1");
    assert!(ask(rook, "x")["error"].is_string());
    assert!(ask("x", "w")["error"].is_string());
}

/// The shared library that cargo built beside this test.
fn library() -> PathBuf {
    let deps = std::env::current_exe().expect("this test").with_file_name("");
    let name =
        format!("{}arbiter_plugin{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let path = deps.join(name);
    assert!(path.is_file(), "{} is not built", path.display());
    path
}

fn example(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples").join(name)
}

/// Runs a program; none, with a message, where it is not installed.
fn run(command: &mut Command) -> Option<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    match command.output() {
        Ok(output) => {
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{program}: {error}");
            Some(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        Err(_) => {
            eprintln!("skipped: {program} is not here");
            None
        }
    }
}

#[test]
fn a_host_in_c() {
    let folder = tempfile::tempdir().expect("a folder");
    let host = folder.path().join("host");
    let library = library();
    let built = run(Command::new("cc")
        .arg("-Wall")
        .arg("-Werror")
        .arg("-I")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/include"))
        .arg(example("host.c"))
        .arg(&library)
        .arg("-o")
        .arg(&host));
    if built.is_none() {
        return;
    }
    let folder = library.with_file_name("");
    let output =
        run(Command::new(&host).env("LD_LIBRARY_PATH", &folder).env("DYLD_LIBRARY_PATH", &folder))
            .expect("just built");
    assert!(output.contains("Black wins by checkmate"), "{output}");
    assert!(output.contains("\"can_mate\":false"), "{output}");
}

#[test]
fn a_host_in_python() {
    if let Some(output) = run(Command::new("python3").arg(example("host.py")).arg(library())) {
        assert!(output.contains("Black wins by checkmate (Article 5.1.1)."), "{output}");
        assert!(output.contains("Qh4#"), "{output}");
    }
}
