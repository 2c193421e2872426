//! What a tool was called with, in a few words.

use fen_cells::{Look, Printable, Role, Span};
use serde_json::Value;

/// How wide one argument beside the first may be.
const VALUE_CELLS: usize = 24;
/// How much of the first argument is looked at, in bytes.
const FIRST_BYTES: usize = 2_000;

/// Arguments that say best what a call is about, whatever the tool; of others the first short text does.
const TELLING: [&str; 7] = ["command", "path", "file", "pattern", "query", "url", "name"];

/// The most telling text among the arguments as it stands, the others as `key=value`. What hides or
/// reorders characters is shown: a command must read as it runs.
pub(crate) fn words(arguments: &Value) -> Vec<Span> {
    let Some(arguments) = arguments.as_object() else { return Vec::new() };
    let text = |key: &str| arguments.get(key).and_then(Value::as_str);
    let telling = TELLING.into_iter().find(|key| text(key).is_some());
    let first_text = || arguments.iter().find(|(_, value)| value.is_string());
    let telling = telling.or_else(|| first_text().map(|(key, _)| key.as_str()));
    let mut spans = Vec::new();
    if let Some(told) = telling.and_then(text) {
        let cut = told.floor_char_boundary(FIRST_BYTES.min(told.len()));
        let line = told[..cut].replace('\n', "⏎");
        spans.push(Span::printable(Printable::strict(&line), Role::Text));
    }
    let mut rest = String::new();
    for (key, value) in arguments.iter().filter(|(key, _)| Some(key.as_str()) != telling) {
        let shown = match value {
            Value::String(text) => short(text),
            Value::Array(items) => format!("[{}]", items.len()),
            Value::Object(_) => "{…}".to_owned(),
            other => short(&other.to_string()),
        };
        rest.push_str(&format!(" {key}={shown}"));
    }
    if !rest.is_empty() {
        spans.push(Span::printable(Printable::strict(&rest), Look::of(Role::Dim)));
    }
    spans
}

fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let (end, _) = fen_cells::cut(line, VALUE_CELLS);
    match end < text.len() {
        true => format!("{}…", &line[..end]),
        false => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn text(arguments: Value) -> String {
        words(&arguments).iter().map(Span::text).collect()
    }

    #[test]
    fn a_path_comes_before_what_is_written_there() {
        let arguments = json!({"content": "import os\n\nprint(1)", "path": "new.py"});
        assert_eq!(text(arguments), "new.py content=import os…");
    }

    #[test]
    fn the_first_text_is_shown_in_full_and_the_others_by_name() {
        let arguments = json!({"path": "src/a.rs", "offset": 3, "edits": [1, 2], "why": "because it is a long story\nx"});
        assert_eq!(text(arguments), "src/a.rs offset=3 edits=[2] why=because it is a long sto…");
        assert_eq!(text(json!([1])), "");
    }

    #[test]
    fn a_command_reads_as_it_runs() {
        assert_eq!(text(json!({"command": "rm \u{202e}x\nls\u{1b}"})), "rm <U+202E>x⏎ls␛");
    }
}
