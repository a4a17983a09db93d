//! Files that are generated from the code, and must not drift from it.

use arbiter_plugin::plugin::{Event, Ruling, State};

/// Compares a file of the crate with what it should be; with `UPDATE_GENERATED` set, writes it.
pub fn check(path: &str, wanted: &str) {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        std::fs::create_dir_all(file.parent().expect("in the crate")).expect("a folder");
        std::fs::write(&file, wanted).expect("a file that can be written");
    }
    let found = std::fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        found == wanted,
        "{path} is out of date; write it with UPDATE_GENERATED=1 cargo test -p arbiter-plugin"
    );
}

fn schema<T: schemars::JsonSchema>(path: &str) {
    let schema = schemars::schema_for!(T);
    let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON");
    check(path, &format!("{text}\n"));
}

#[test]
fn schema_of_events() {
    schema::<Event>("schema/event.json");
}

#[test]
fn schema_of_rulings() {
    schema::<Ruling>("schema/ruling.json");
}

#[test]
fn schema_of_states() {
    schema::<State>("schema/state.json");
}

#[test]
fn c_header() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("its settings");
    let bindings = cbindgen::Builder::new()
        .with_src(folder.join("src/ffi.rs"))
        .with_config(config)
        .generate()
        .expect("a header");
    let mut header = Vec::new();
    bindings.write(&mut header);
    check("include/arbiter.h", &String::from_utf8(header).expect("UTF-8"));
}

/// `EVENTS.md` names every type of event and every ruling.
#[test]
fn events_md_names_everything() {
    let text =
        std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("EVENTS.md"))
            .expect("EVENTS.md");
    for (schema, tag) in
        [(schemars::schema_for!(Event), "type"), (schemars::schema_for!(Ruling), "ruling")]
    {
        let schema = serde_json::to_value(schema).expect("a schema is JSON");
        let kinds = schema["oneOf"].as_array().expect("one of the kinds");
        assert!(kinds.len() > 20);
        for kind in kinds {
            let name = kind["properties"][tag]["const"].as_str().expect("its name");
            assert!(text.contains(&format!("`{name}`")), "EVENTS.md does not name {name}");
        }
    }
}
