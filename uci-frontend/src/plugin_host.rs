//! Arbiters from shared libraries, behind the C interface of `arbiter-plugin/include/arbiter.h`.

use std::ffi::{CStr, CString, c_char, c_void};
use std::path::Path;

use arbiter_plugin::Game;
use arbiter_plugin::ffi::ARBITER_ABI_VERSION;
use arbiter_plugin::plugin::{Arbiter, ArbiterError, Edition, Event, Language, Ruling, State};
use libloading::Library;
use serde_json::{Value, json};

/// The arbiter of the library at `path`, or the built-in one.
///
/// # Errors
/// The library cannot be loaded, lacks a function, or has another version of the interface.
pub fn open(
    path: Option<&Path>,
    edition: Edition,
    language: Language,
) -> anyhow::Result<Box<dyn Arbiter>> {
    Ok(match path {
        None => Box::new(Game::new(edition, language)),
        Some(path) => Box::new(LoadedArbiter::load(path, edition, language)?),
    })
}

/// An arbiter behind the C interface.
struct LoadedArbiter {
    api: Api,
    handle: *mut c_void,
    name: String,
    edition: Edition,
    language: Language,
    /// Last, so that the code outlives the handle.
    _library: Library,
}

/// The functions of the interface.
struct Api {
    observe: unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_char,
    state: unsafe extern "C" fn(*mut c_void) -> *mut c_char,
    free: unsafe extern "C" fn(*mut c_void),
    string_free: unsafe extern "C" fn(*mut c_char),
}

// SAFETY: the interface lets a handle be used from any thread, one at a time; `&mut self` and
// the lack of `Sync` see to that.
unsafe impl Send for LoadedArbiter {}

impl LoadedArbiter {
    fn load(path: &Path, edition: Edition, language: Language) -> anyhow::Result<Self> {
        let shown = path.display();
        // A name without a folder would be searched for in the system's folders.
        let file = std::fs::canonicalize(path)
            .map_err(|error| anyhow::anyhow!("arbiter plugin {shown}: {error}"))?;
        // SAFETY: loading runs the library's initialisers; the user named it as an arbiter.
        let library = unsafe { Library::new(&file) }
            .map_err(|_| anyhow::anyhow!("arbiter plugin {shown}: not a shared library"))?;
        let missing =
            |name: &str| anyhow::anyhow!("arbiter plugin {shown}: it has no function `{name}`");
        macro_rules! function {
            ($name:literal: $kind:ty) => {{
                // SAFETY: the version check below stands for the type of each function.
                let symbol = unsafe { library.get::<$kind>($name.as_bytes()) };
                *symbol.map_err(|_| missing($name))?
            }};
        }
        let abi_version = function!("arbiter_abi_version": unsafe extern "C" fn() -> u32);
        // SAFETY: every version of the interface has this function, of this type.
        let version = unsafe { abi_version() };
        anyhow::ensure!(
            version == ARBITER_ABI_VERSION,
            "arbiter plugin {shown}: interface version {version}; expected {ARBITER_ABI_VERSION}"
        );
        let name = function!("arbiter_version": unsafe extern "C" fn() -> *mut c_char);
        let create = function!("arbiter_create": unsafe extern "C" fn() -> *mut c_void);
        let api = Api {
            observe: function!(
                "arbiter_observe":
                unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_char
            ),
            state: function!("arbiter_state": unsafe extern "C" fn(*mut c_void) -> *mut c_char),
            free: function!("arbiter_free": unsafe extern "C" fn(*mut c_void)),
            string_free: function!("arbiter_string_free": unsafe extern "C" fn(*mut c_char)),
        };
        // SAFETY: as declared in the header.
        let name =
            api.take(unsafe { name() }).map_err(|error| anyhow::anyhow!("{shown}: {error}"))?;
        // SAFETY: as declared in the header.
        let handle = unsafe { create() };
        anyhow::ensure!(!handle.is_null(), "arbiter plugin {shown}: it made no arbiter");
        Ok(Self { api, handle, name, edition, language, _library: library })
    }
}

impl Api {
    /// Copies a text and gives it back.
    fn take(&self, text: *mut c_char) -> Result<String, ArbiterError> {
        if text.is_null() {
            return Err(ArbiterError::Plugin("no answer".into()));
        }
        // SAFETY: not null, and by the interface a text that ends with a zero byte.
        let copy = unsafe { CStr::from_ptr(text) }.to_str().map(str::to_owned);
        // SAFETY: the interface gives us the text to free with this function, once.
        unsafe { (self.string_free)(text) };
        copy.map_err(|_| ArbiterError::Plugin("the answer is not UTF-8".into()))
    }

    fn answer(&self, text: *mut c_char) -> Result<Value, ArbiterError> {
        let text = self.take(text)?;
        let value: Value = serde_json::from_str(&text)
            .map_err(|error| ArbiterError::Plugin(format!("the answer is not JSON: {error}")))?;
        match value.get("error").and_then(Value::as_str) {
            Some(error) => Err(ArbiterError::Event(error.into())),
            None => Ok(value),
        }
    }
}

impl Arbiter for LoadedArbiter {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn observe(&mut self, event: &Event) -> Result<Vec<Ruling>, ArbiterError> {
        let mut event = event.clone();
        if let Event::GameStarted(setup) = &mut event {
            setup.edition.get_or_insert(self.edition);
            setup.language.get_or_insert(self.language);
        }
        let text = CString::new(json!(event).to_string())
            .map_err(|_| ArbiterError::Event("a text with a zero byte".into()))?;
        debug_assert!(!self.handle.is_null());
        // SAFETY: the handle is live until drop, and the text outlives the call.
        let answer = self.api.answer(unsafe { (self.api.observe)(self.handle, text.as_ptr()) })?;
        parse(answer["rulings"].clone(), "rulings")
    }

    fn state(&self) -> Result<State, ArbiterError> {
        debug_assert!(!self.handle.is_null());
        // SAFETY: the handle is live until drop.
        let answer = self.api.answer(unsafe { (self.api.state)(self.handle) })?;
        parse(answer, "state")
    }
}

fn parse<T: serde::de::DeserializeOwned>(value: Value, what: &str) -> Result<T, ArbiterError> {
    serde_json::from_value(value)
        .map_err(|error| ArbiterError::Plugin(format!("its {what} cannot be read: {error}")))
}

impl Drop for LoadedArbiter {
    fn drop(&mut self) {
        debug_assert!(!self.handle.is_null());
        // SAFETY: made by the library's create function, and not used again.
        unsafe { (self.api.free)(self.handle) };
    }
}
