//! Calls, results and events in a few words, safe for a terminal.
//!
//! Pure, and without a tool's name in it: a presenter decides where the words go.

use fen_contract::events::{self, OwnEvent};
use fen_contract::types::{ToolCall, ToolResultMessage};
use fen_core::printable::{printable, printable_line, printable_strict};
use serde_json::Value;
use unicode_width::UnicodeWidthChar as _;

/// How wide the words for a call's arguments may be, in cells.
const ARGUMENT_CELLS: usize = 100;
/// How wide one argument beside the first may be.
const VALUE_CELLS: usize = 24;

/// The text cut to so many cells, with a mark where something is missing.
pub fn clip(text: &str, cells: usize) -> String {
    let width = |c: char| c.width().unwrap_or(0);
    if text.chars().map(width).sum::<usize>() <= cells {
        return text.to_owned();
    }
    let mut used = 0;
    let mut clipped: String = text
        .chars()
        .take_while(|c| {
            used += width(*c);
            used < cells
        })
        .collect();
    clipped.push('…');
    clipped
}

/// How wide the words for a tool's name may be.
const NAME_CELLS: usize = 64;

fn name(text: &str) -> String {
    clip(&printable_line(text), NAME_CELLS)
}

/// A call as `name arguments`: the first text in full, the others as `key=value`.
pub fn call(call: &ToolCall) -> String {
    let mut words = name(&call.name);
    let Some(arguments) = call.arguments.as_object() else { return words };
    let mut rest = String::new();
    let mut first = None;
    for (key, value) in arguments {
        match value {
            Value::String(text) if first.is_none() => first = Some(text.as_str()),
            value => {
                let value = match value {
                    Value::String(text) => text.clone(),
                    Value::Array(items) => format!("[{}]", items.len()),
                    Value::Object(_) => "{…}".to_owned(),
                    other => other.to_string(),
                };
                rest.push_str(&format!(" {key}={}", clip(&printable_line(&value), VALUE_CELLS)));
            }
        }
    }
    if let Some(first) = first {
        words.push(' ');
        // A command must read as it runs: what hides or reorders characters is shown.
        words.push_str(&printable_line(&printable_strict(first)));
    }
    words.push_str(&rest);
    clip(&words, ARGUMENT_CELLS)
}

/// A result in a few words: the tool, and how much there is, or the first line of what went wrong.
pub fn result(result: &ToolResultMessage) -> String {
    format!("{}: {}", name(&result.tool_name), outcome(result))
}

fn outcome(result: &ToolResultMessage) -> String {
    let text = result.text();
    if result.is_error {
        let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("failed");
        return clip(&printable_line(line), ARGUMENT_CELLS);
    }
    let lines = text.lines().count();
    let plural = if lines == 1 { "" } else { "s" };
    format!("{lines} line{plural}, {}", bytes(text.len()))
}

/// A size as people write it.
pub fn bytes(count: usize) -> String {
    match count {
        0..1024 => format!("{count} B"),
        1024..1_048_576 => format!("{:.1} KiB", count as f64 / 1024.0),
        _ => format!("{:.1} MiB", count as f64 / 1_048_576.0),
    }
}

/// The words for `error`.
pub fn error(event: &events::Error) -> String {
    format!("fen: {}", printable(&event.error))
}

/// The words for `extension-error`.
pub fn extension_error(event: &events::ExtensionError) -> String {
    let owner = event.owner.as_ref().map_or("?", |owner| owner.as_str());
    format!("fen: extension {owner}: {}", printable(&event.error))
}

/// The words for `fen/retry`.
pub fn retry(event: &OwnEvent) -> String {
    let number = |name: &str| event.fields().get(name).and_then(Value::as_u64).unwrap_or_default();
    let text = |name: &str| event.fields().get(name).and_then(Value::as_str).unwrap_or_default();
    let seconds = number("delay-ms") as f64 / 1000.0;
    let error = clip(&printable_line(text("error")), 200);
    format!("{}: {error}; trying again in {seconds:.1} s", text("error-kind"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fen_contract::types::AgentToolResult;
    use serde_json::json;

    #[test]
    fn a_call_is_one_printable_line() {
        let arguments = json!({"path": "a\u{1b}[2J\nb", "offset": 3, "edits": [1, 2]});
        assert_eq!(call(&ToolCall::new("1", "read", arguments)), "read a␛[2J b offset=3 edits=[2]");
        let hidden = ToolCall::new("1", "bash", json!({"command": "rm \u{202e}x"}));
        assert_eq!(call(&hidden), "bash rm <U+202E>x");
        let long = ToolCall::new("1", "bash", json!({"command": "字".repeat(200)}));
        assert!(call(&long).ends_with('…'));
    }

    #[test]
    fn a_result_tells_its_size_or_its_first_complaint() {
        let tool_call = ToolCall::new("1", "read", json!({}));
        let good = ToolResultMessage::new(&tool_call, AgentToolResult::text("a\nb"));
        assert_eq!(result(&good), "read: 2 lines, 3 B");
        let bad = ToolResultMessage::new(&tool_call, AgentToolResult::error("\nno such file\nx"));
        assert_eq!(result(&bad), "read: no such file");
    }
}
