//! Any text compiles or is refused, and what compiles is Lua.

#![no_main]

use std::time::Duration;

use fennel::{MacroLimits, Options, compile, decode};
use libfuzzer_sys::fuzz_target;
use mlua::Lua;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = decode("fuzz.fnl", bytes) else { return };
    let limits = MacroLimits { memory: 4 << 20, running: Duration::from_millis(50) };
    match compile("fuzz.fnl", text, &Options { limits, ..Options::default() }) {
        // A program may spell out Lua of its own.
        Ok(output) if !text.contains("lua") => {
            let loaded = Lua::new().load(&output.lua).into_function();
            assert!(loaded.is_ok(), "{loaded:?}\n{}", output.lua);
            assert_eq!(output.map.lines.len(), output.lua.lines().count().max(1));
        }
        Ok(_) => {}
        Err(found) => assert!(!found.is_empty() && found.len() <= 50),
    }
});
