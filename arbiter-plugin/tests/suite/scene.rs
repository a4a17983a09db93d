//! A game played before the arbiter in the words of the event language.

use arbiter_plugin::Game;
use arbiter_plugin::plugin::{Arbiter, Event, State};
use serde_json::{Value, json};

/// The standard array.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A game in progress and all rulings on it so far.
pub struct Scene {
    game: Game,
    pub rulings: Vec<Value>,
}

impl Scene {
    /// A game under the 2018 edition with an hour and a half for each player.
    pub fn new(fen: &str) -> Self {
        Self::with("2018", fen, json!({}))
    }

    /// The same with an edition and regulations.
    pub fn with(edition: &str, fen: &str, regulations: Value) -> Self {
        Self::timed(edition, fen, sudden_death(5_400_000), regulations)
    }

    /// A game with everything stated.
    pub fn timed(edition: &str, fen: &str, time_control: Value, regulations: Value) -> Self {
        let mut scene = Self { game: Game::default(), rulings: Vec::new() };
        scene.tell(json!({
            "type": "game_started", "edition": edition, "start_fen": fen,
            "time_control": time_control, "regulations": regulations,
        }));
        scene
    }

    /// Tells an event and keeps the rulings.
    pub fn tell(&mut self, event: Value) -> &mut Self {
        let rulings = self.try_tell(&event).unwrap_or_else(|error| panic!("{event}: {error}"));
        self.rulings.extend(rulings);
        self
    }

    /// Tells an event that may be refused.
    pub fn try_tell(&mut self, event: &Value) -> Result<Vec<Value>, String> {
        let event = Event::from_json(&event.to_string()).map_err(|error| error.to_string())?;
        let rulings = self.game.observe(&event).map_err(|error| error.to_string())?;
        Ok(rulings.iter().map(|ruling| json!(ruling)).collect())
    }

    /// Moves made and pressed, a second each, from one second after the last moment.
    pub fn moves(&mut self, moves: &str) -> &mut Self {
        let moves: Vec<&str> = moves.split_whitespace().collect();
        self.tell(json!({"type": "moves_played", "t0": 1000, "ms_per_move": 1000, "uci": moves}))
    }

    /// A move made on the board.
    pub fn made(&mut self, by: &str, t: u64, uci: &str) -> &mut Self {
        self.tell(json!({"type": "move_made", "by": by, "t": t, "uci": uci}))
    }

    /// A press of the clock.
    pub fn pressed(&mut self, by: &str, t: u64) -> &mut Self {
        self.tell(json!({"type": "clock_pressed", "by": by, "t": t}))
    }

    /// A touch with intent to move.
    pub fn touched(&mut self, by: &str, squares: &[&str]) -> &mut Self {
        self.tell(json!({
            "type": "piece_touched", "by": by, "t": 1000, "squares": squares, "intent": "move",
        }))
    }

    /// How the game stands.
    pub fn state(&self) -> State {
        self.game.state().expect("a game was started")
    }

    /// Milliseconds that White and Black have left.
    pub fn clocks(&self) -> (i64, i64) {
        let clocks = self.state().clocks.expect("the game has clocks");
        (clocks.white_ms, clocks.black_ms)
    }

    /// Forgets the rulings so far.
    pub fn forget(&mut self) -> &mut Self {
        self.rulings.clear();
        self
    }

    /// Asserts that rulings with these fields were given, in this order.
    pub fn expect(&mut self, expected: Value) -> &mut Self {
        let mut rest = self.rulings.iter();
        for wanted in expected.as_array().expect("a list") {
            let found = rest.any(|ruling| matches(wanted, ruling));
            assert!(found, "no {wanted} in order among {:#?}", self.rulings);
        }
        self
    }

    /// Asserts that no ruling has these fields.
    pub fn expect_no(&mut self, unwanted: Value) -> &mut Self {
        let found = self.rulings.iter().any(|ruling| matches(&unwanted, ruling));
        assert!(!found, "{unwanted} among {:#?}", self.rulings);
        self
    }

    /// Asserts that the game is over like this.
    pub fn expect_over(&mut self, result: &str, reason: &str, article: &str) -> &mut Self {
        self.expect(json!([{
            "ruling": "game_over", "result": result, "reason": reason, "article": article,
        }]))
    }

    /// Asserts that play goes on.
    pub fn expect_open(&mut self) -> &mut Self {
        assert_eq!(self.state().outcome, None, "{:#?}", self.rulings);
        self
    }
}

/// All time for all moves.
pub fn sudden_death(base_ms: u64) -> Value {
    json!({"mode": "none", "periods": [{"moves": null, "base_ms": base_ms}]})
}

/// Three moves in a minute, then half a minute for the rest.
pub fn three_moves_a_minute() -> Value {
    json!({"mode": "none", "periods": [
        {"moves": 3, "base_ms": 60_000}, {"moves": null, "base_ms": 30_000},
    ]})
}

/// Whether a ruling has all fields that are wanted.
pub fn matches(wanted: &Value, ruling: &Value) -> bool {
    wanted.as_object().is_some_and(|fields| {
        fields.iter().all(|(name, value)| {
            let got = ruling.get(name).unwrap_or(&Value::Null);
            got == value || got.as_f64().is_some() && got.as_f64() == value.as_f64()
        })
    })
}

/// Asserts that a move is legal, and taken.
pub fn legal(fen: &str, uci: &str) -> Scene {
    let mut scene = Scene::new(fen);
    let by = scene.state().side_to_move.letter().to_string();
    scene.made(&by, 1000, uci);
    let state = scene.state();
    assert_eq!(state.moves.last().map(|ply| ply.uci.as_str()), Some(uci), "{fen}");
    assert_ne!(state.fen, scene_fen(fen), "{fen} {uci}");
    scene
}

/// Asserts that a move is illegal: nothing until the press (3.10.2), then 7.5.1.
pub fn illegal(fen: &str, uci: &str) {
    let mut scene = Scene::new(fen);
    let by = scene.state().side_to_move.letter().to_string();
    scene.made(&by, 1000, uci).expect_open();
    assert!(scene.state().moves.is_empty(), "{fen} {uci}");
    scene.expect_no(json!({"ruling": "illegal_move_recorded"}));
    scene
        .pressed(&by, 1500)
        .expect(json!([{"ruling": "illegal_move_recorded", "side": by, "count": 1}]));
}

fn scene_fen(fen: &str) -> String {
    Scene::new(fen).state().fen
}
