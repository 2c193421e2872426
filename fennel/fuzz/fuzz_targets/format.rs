//! Whatever can be read is formatted: to the same forms, once and for all.

#![no_main]

use fennel::{Form, FormatOptions, format, parse};
use libfuzzer_sys::fuzz_target;

fn printed(text: &str) -> String {
    let parsed = parse("fuzz.fnl", text);
    assert!(parsed.diagnostics.is_empty(), "{text}");
    parsed.forms.iter().map(Form::to_string).collect::<Vec<_>>().join("\n")
}

fuzz_target!(|input: (u8, &str)| {
    let (columns, text) = input;
    let options = FormatOptions { columns: usize::from(columns) };
    let Ok(once) = format("fuzz.fnl", text, options) else { return };
    assert_eq!(printed(&once), printed(text));
    assert_eq!(format("fuzz.fnl", &once, options).as_ref(), Ok(&once));
});
