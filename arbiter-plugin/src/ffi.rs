//! The C interface of an arbiter: JSON in, JSON out.
//!
//! Texts are UTF-8 and end with a zero byte. Every text that a function returns is the caller's,
//! who gives it back with `arbiter_string_free`. No function ends the process or lets a panic
//! through: what cannot be done is answered as `{"error": "…"}`.

use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

use crate::game::Game;
use crate::mates;
use crate::plugin::{Arbiter, Event, LANGUAGE_VERSION, Side};
use crate::record::needs_chess960;

/// The version of this interface and of the event language; both sides must have the same.
pub const ARBITER_ABI_VERSION: u32 = 1;

const _: () = assert!(ARBITER_ABI_VERSION == LANGUAGE_VERSION);

/// One arbiter. Used by one thread at a time.
pub struct ArbiterHandle {
    /// Absent after a panic: the game can no longer be trusted.
    game: Option<Game>,
}

/// The version of the interface that this library speaks.
#[unsafe(no_mangle)]
pub extern "C" fn arbiter_abi_version() -> u32 {
    ARBITER_ABI_VERSION
}

/// The name and version of the arbiter.
#[unsafe(no_mangle)]
pub extern "C" fn arbiter_version() -> *mut c_char {
    to_c(Game::default().name())
}

/// A new arbiter without a game; the first event it hears is `game_started`.
#[unsafe(no_mangle)]
pub extern "C" fn arbiter_create() -> *mut ArbiterHandle {
    Box::into_raw(Box::new(ArbiterHandle { game: Some(Game::default()) }))
}

/// Tells an event; the answer is `{"rulings": […]}` or `{"error": "…"}`.
///
/// # Safety
/// `arbiter` is null or comes from `arbiter_create` and is not yet freed; `event` is null or a
/// text that ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arbiter_observe(
    arbiter: *mut ArbiterHandle,
    event: *const c_char,
) -> *mut c_char {
    debug_assert!(arbiter.is_aligned());
    // SAFETY: the caller vouches for the handle, and only one thread uses it at a time.
    let handle = unsafe { arbiter.as_mut() };
    // SAFETY: the caller vouches for the text.
    let event = unsafe { text(event, "event") };
    answer(handle, |game| {
        let event = Event::from_json(event?).map_err(|error| error.to_string())?;
        let rulings = game.observe(&event).map_err(|error| error.to_string())?;
        Ok(json!({ "rulings": rulings }))
    })
}

/// How the game stands, as JSON, or `{"error": "…"}`.
///
/// # Safety
/// `arbiter` is null or comes from `arbiter_create` and is not yet freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arbiter_state(arbiter: *mut ArbiterHandle) -> *mut c_char {
    debug_assert!(arbiter.is_aligned());
    // SAFETY: the caller vouches for the handle, and only one thread uses it at a time.
    let handle = unsafe { arbiter.as_mut() };
    answer(handle, |game| game.state().map(|state| json!(state)).map_err(|error| error.to_string()))
}

/// Frees an arbiter; null is allowed.
///
/// # Safety
/// `arbiter` is null or comes from `arbiter_create` and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arbiter_free(arbiter: *mut ArbiterHandle) {
    debug_assert!(arbiter.is_aligned());
    if !arbiter.is_null() {
        // SAFETY: the pointer was made by `Box::into_raw` and the caller gives it up.
        drop(unsafe { Box::from_raw(arbiter) });
    }
}

/// Whether `side` (`"w"` or `"b"`) can mate by any series of legal moves from the position:
/// `{"can_mate": true, "decided": true, "evidence": {…}}` or `{"error": "…"}`. What is not
/// decided counts as possible. The line writes castling as king takes rook only where a right to
/// castle in the position asks for it.
///
/// # Safety
/// `fen` and `side` are null or texts that end with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arbiter_can_mate(fen: *const c_char, side: *const c_char) -> *mut c_char {
    // SAFETY: the caller vouches for the texts.
    let (fen, side) = unsafe { (text(fen, "fen"), text(side, "side")) };
    guarded(|| can_mate(fen?, side?))
}

/// Frees a text that one of these functions returned; null is allowed.
///
/// # Safety
/// `string` is null or was returned by a function of this library and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arbiter_string_free(string: *mut c_char) {
    if !string.is_null() {
        // SAFETY: the pointer was made by `CString::into_raw` and the caller gives it up.
        drop(unsafe { CString::from_raw(string) });
    }
}

fn can_mate(fen: &str, side: &str) -> Result<Value, String> {
    let side: Side = serde_json::from_value(Value::String(side.into()))
        .map_err(|_| format!("side: `{side}`: expected w or b"))?;
    let fen: Fen = fen.parse().map_err(|error| format!("fen: {error}"))?;
    let mode = CastlingMode::from_chess960(needs_chess960(fen.as_setup()));
    let position: Chess =
        fen.into_position(CastlingMode::Chess960).map_err(|error| format!("fen: {error}"))?;
    let answer = mates::can_mate(&position, mode, side);
    let undecided = answer.evidence.proof == Some(crate::plugin::ProofKind::Undecided);
    Ok(json!({
        "can_mate": !answer.impossible,
        "decided": !undecided,
        "evidence": answer.evidence,
    }))
}

/// Asks the game; a panic leaves the handle without one.
fn answer(
    handle: Option<&mut ArbiterHandle>,
    ask: impl FnOnce(&mut Game) -> Result<Value, String>,
) -> *mut c_char {
    let Some(handle) = handle else { return to_c(json!({ "error": "arbiter is null" })) };
    let mut game = handle.game.take();
    let (answer, game) = match catch_unwind(AssertUnwindSafe(|| {
        let answer = match &mut game {
            Some(game) => ask(game),
            None => Err("this arbiter failed before; create a new one".into()),
        };
        (answer, game)
    })) {
        Ok(answered) => answered,
        Err(_) => (Err("the arbiter failed; create a new one".into()), None),
    };
    handle.game = game;
    to_c(answer.unwrap_or_else(|error| json!({ "error": error })))
}

fn guarded(ask: impl FnOnce() -> Result<Value, String>) -> *mut c_char {
    let answer = catch_unwind(AssertUnwindSafe(ask))
        .unwrap_or_else(|_| Err("the arbiter failed on this input".into()));
    to_c(answer.unwrap_or_else(|error| json!({ "error": error })))
}

/// # Safety
/// `pointer` is null or a text that ends with a zero byte and outlives the call.
unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, String> {
    if pointer.is_null() {
        return Err(format!("{name} is null"));
    }
    // SAFETY: not null, and the caller vouches for the zero byte at its end.
    unsafe { CStr::from_ptr(pointer) }
        .to_str()
        .map_err(|error| format!("{name} is not UTF-8: {error}"))
}

fn to_c(answer: impl ToString) -> *mut c_char {
    // JSON escapes the zero byte, so there is none to stumble over.
    CString::new(answer.to_string()).unwrap_or_default().into_raw()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(text: *mut c_char) -> String {
        // SAFETY: a text that `to_c` made and nobody has freed.
        unsafe { CString::from_raw(text) }.to_string_lossy().into_owned()
    }

    #[test]
    fn a_panic_is_answered_and_ends_the_game() {
        let mut handle = ArbiterHandle { game: Some(Game::default()) };
        let first = take(answer(Some(&mut handle), |_| panic!("on purpose")));
        assert!(first.contains("the arbiter failed"), "{first}");
        let second = take(answer(Some(&mut handle), |_| Ok(json!({}))));
        assert!(second.contains("create a new one"), "{second}");
        assert!(take(guarded(|| panic!("on purpose"))).contains("error"));
    }
}
