//! Any bytes are read or refused, and what is read prints as text that reads the same.

#![no_main]

use fennel::{Form, decode, parse};
use libfuzzer_sys::fuzz_target;

fn printed(forms: &[Form]) -> String {
    forms.iter().map(Form::to_string).collect::<Vec<_>>().join("\n")
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = decode("fuzz.fnl", bytes) else { return };
    let parsed = parse("fuzz.fnl", text);
    assert!(parsed.diagnostics.len() <= 50);
    assert!(!parsed.incomplete || !parsed.diagnostics.is_empty());
    for form in &parsed.forms {
        assert!(form.span.start <= form.span.end && form.span.end as usize <= text.len());
    }
    if parsed.diagnostics.is_empty() {
        let once = printed(&parsed.forms);
        let again = parse("fuzz.fnl", &once);
        assert!(again.diagnostics.is_empty(), "{once}");
        assert_eq!(printed(&again.forms), once);
    }
});
