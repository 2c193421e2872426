//! From what was found to a bounded text. Entries behind the bound are never made.

use super::Found;
use super::evaluate::Selection;
use crate::bounds::{NOTE_BYTES, bounded};
use serde_json::Value;
use std::fmt::Write as _;

const ADVICE: &str = "narrow it with [a:b], {a,b} or a filter";

/// The text, no more than `limit` bytes. A single text stands as it is, anything else as JSON; of a
/// list each entry is a line.
pub(crate) fn render(found: &Found, limit: usize) -> String {
    match found {
        Found::One(Value::String(text)) => bounded(text.clone(), limit, ADVICE),
        Found::One(value) => bounded(format!("{value:#}"), limit, ADVICE),
        Found::Many(selection) => lines(selection, limit),
        Found::Parts(parts) => {
            let mut text = String::new();
            for (at, (name, found)) in parts.iter().enumerate() {
                let rest = limit.saturating_sub(text.len() + name.len() + 2);
                if rest < 2 * NOTE_BYTES {
                    let _ = write!(text, "[cut: {} more parts; ask for fewer]", parts.len() - at);
                    break;
                }
                let _ = writeln!(text, "{name}: {}", render(found, rest - NOTE_BYTES));
            }
            text
        }
    }
}

fn lines(selection: &Selection, limit: usize) -> String {
    let length = selection.len();
    let mut text = String::from("[");
    for at in 0..length {
        let entry = selection.get(at).unwrap_or_default().to_string();
        if text.len() + entry.len() + NOTE_BYTES > limit {
            if at == 0 {
                let shown = bounded(entry, limit.saturating_sub(NOTE_BYTES), ADVICE);
                return format!("{text}{shown}\n[the first of {length} entries]");
            }
            let _ = write!(text, "\n[cut: {at} of {length} entries; {ADVICE}]");
            return text;
        }
        text.push_str(if at == 0 { "" } else { ",\n" });
        text.push_str(&entry);
    }
    text.push(']');
    text
}
