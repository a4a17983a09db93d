//! An arbiter plugin with house rules: a game ends by mate, by stalemate, or when a flag is
//! reported. No draws by repetition or agreement, and a fallen flag always loses.
//!
//! It implements the C interface of `arbiter-plugin/include/arbiter.h` and nothing else.

use std::ffi::{CStr, CString, c_char};

use serde_json::{Value, json};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position};

/// A game under house rules.
pub struct HouseRules {
    position: Chess,
    start_fen: String,
    moves: Vec<Value>,
    outcome: Option<Value>,
}

impl HouseRules {
    fn new() -> Self {
        let position = Chess::default();
        let start_fen = fen(&position);
        Self { position, start_fen, moves: Vec::new(), outcome: None }
    }

    fn observe(&mut self, text: &str) -> Result<Vec<Value>, String> {
        let event: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match event["type"].as_str() {
            Some("game_started") => {
                *self = Self::new();
                if let Some(text) = event["start_fen"].as_str() {
                    self.position = text
                        .parse::<Fen>()
                        .map_err(|error| error.to_string())?
                        .into_position(CastlingMode::Standard)
                        .map_err(|error| error.to_string())?;
                    self.start_fen = fen(&self.position);
                }
                Ok(self.judge())
            }
            Some("move_made") => self.play(event["uci"].as_str().unwrap_or_default(), &event["t"]),
            Some("moves_played") => {
                let moves = event["uci"].as_array().cloned().unwrap_or_default();
                let mut rulings = Vec::new();
                for uci in moves {
                    rulings.extend(self.play(uci.as_str().unwrap_or_default(), &event["t0"])?);
                }
                Ok(rulings)
            }
            Some("flag_observed") => Ok(self.flag(&event["side"])),
            Some("flag_claimed") => Ok(self.flag(&event["against"])),
            Some(_) => Ok(Vec::new()),
            None => Err("an event needs a type".into()),
        }
    }

    fn play(&mut self, uci: &str, t: &Value) -> Result<Vec<Value>, String> {
        if self.outcome.is_some() {
            return Ok(Vec::new());
        }
        let mv = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&self.position).ok());
        let Some(mv) = mv else { return Err(format!("`{uci}` is not legal; move again")) };
        let by = letter(self.position.turn());
        let san = SanPlus::from_move_and_play_unchecked(&mut self.position, mv).to_string();
        let t = t.as_u64().unwrap_or(0);
        self.moves.push(json!({ "by": by, "uci": uci, "san": san, "t": t }));
        Ok(self.judge())
    }

    fn judge(&mut self) -> Vec<Value> {
        if !self.position.legal_moves().is_empty() {
            return Vec::new();
        }
        match self.position.is_check() {
            true => self.end(!self.position.turn(), "checkmate"),
            false => self.over("1/2-1/2", "stalemate"),
        }
    }

    fn flag(&mut self, side: &Value) -> Vec<Value> {
        match (self.outcome.is_some(), side.as_str()) {
            (false, Some("w")) => self.end(Color::Black, "flag_fall"),
            (false, Some("b")) => self.end(Color::White, "flag_fall"),
            _ => Vec::new(),
        }
    }

    fn end(&mut self, winner: Color, reason: &str) -> Vec<Value> {
        self.over(winner.fold_wb("1-0", "0-1"), reason)
    }

    fn over(&mut self, result: &str, reason: &str) -> Vec<Value> {
        let score = match result {
            "1-0" => [1.0, 0.0],
            "0-1" => [0.0, 1.0],
            _ => [0.5, 0.5],
        };
        self.outcome = Some(json!({
            "result": result, "reason": reason, "article": "house rules", "score": score,
        }));
        vec![json!({
            "ruling": "game_over", "result": result, "reason": reason, "article": "house rules",
        })]
    }

    fn state(&self) -> Value {
        json!({
            "edition": "2018",
            "start_fen": self.start_fen,
            "fen": fen(&self.position),
            "side_to_move": letter(self.position.turn()),
            "check": self.position.is_check(),
            "moves": self.moves,
            "outcome": self.outcome,
            "illegal_moves": [0, 0],
            "occurrences": 1,
            "halfmove_clock": self.position.halfmoves(),
            "claims": [],
        })
    }
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

fn letter(color: Color) -> &'static str {
    color.fold_wb("w", "b")
}

/// The version of the C interface.
#[unsafe(no_mangle)]
pub extern "C" fn arbiter_abi_version() -> u32 {
    1
}

/// The name of this arbiter.
#[unsafe(no_mangle)]
pub extern "C" fn arbiter_version() -> *mut c_char {
    give("House rules 1")
}

/// A new game under house rules.
#[unsafe(no_mangle)]
pub extern "C" fn arbiter_create() -> *mut HouseRules {
    Box::into_raw(Box::new(HouseRules::new()))
}

/// Hears an event.
///
/// # Safety
/// As in `arbiter.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arbiter_observe(
    arbiter: *mut HouseRules,
    event: *const c_char,
) -> *mut c_char {
    debug_assert!(arbiter.is_aligned());
    // SAFETY: the host passes the pointer that `arbiter_create` gave it, or null.
    let Some(arbiter) = (unsafe { arbiter.as_mut() }) else { return give_error("no arbiter") };
    if event.is_null() {
        return give_error("no event");
    }
    // SAFETY: not null, and the host's texts end with a zero byte.
    let Ok(text) = (unsafe { CStr::from_ptr(event) }).to_str() else {
        return give_error("not UTF-8");
    };
    match arbiter.observe(text) {
        Ok(rulings) => give(json!({ "rulings": rulings })),
        Err(error) => give_error(&error),
    }
}

/// How the game stands.
///
/// # Safety
/// As in `arbiter.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arbiter_state(arbiter: *mut HouseRules) -> *mut c_char {
    debug_assert!(arbiter.is_aligned());
    // SAFETY: the host passes the pointer that `arbiter_create` gave it, or null.
    match unsafe { arbiter.as_ref() } {
        Some(arbiter) => give(arbiter.state()),
        None => give_error("no arbiter"),
    }
}

/// Frees a game.
///
/// # Safety
/// As in `arbiter.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arbiter_free(arbiter: *mut HouseRules) {
    debug_assert!(arbiter.is_aligned());
    if !arbiter.is_null() {
        // SAFETY: made by `Box::into_raw`; the host gives it up.
        drop(unsafe { Box::from_raw(arbiter) });
    }
}

/// House rules do not ask this question.
#[unsafe(no_mangle)]
pub extern "C" fn arbiter_can_mate(_fen: *const c_char, _side: *const c_char) -> *mut c_char {
    give(json!({ "can_mate": true, "decided": false }))
}

/// Frees a text.
///
/// # Safety
/// As in `arbiter.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arbiter_string_free(string: *mut c_char) {
    if !string.is_null() {
        // SAFETY: made by `CString::into_raw`; the host gives it up.
        drop(unsafe { CString::from_raw(string) });
    }
}

fn give(text: impl ToString) -> *mut c_char {
    CString::new(text.to_string()).unwrap_or_default().into_raw()
}

fn give_error(error: &str) -> *mut c_char {
    give(json!({ "error": error }))
}
