//! From the text of a call's arguments to a table, or to the reason why there is none.

use crate::json;
use fen_contract::record::Extra;
use serde_json::Value;

/// The extra field of a call that keeps the text of arguments which could not be read.
pub const RAW_ARGUMENTS: &str = "raw-arguments";

/// How many bytes of such a text are kept.
const RAW_LIMIT: usize = 4096;

/// The arguments as an object, with the reason where they are unusable; then they are empty.
///
/// Nothing, white space and `null` are no arguments. An object that was packed into a JSON string
/// is unpacked, since arguments are an object for every tool.
pub fn read_arguments(text: &str) -> (Value, Option<String>) {
    let empty = || Value::Object(Extra::new());
    if text.trim().is_empty() {
        return (empty(), None);
    }
    let value = match json::parse(text) {
        Ok(Value::String(inner)) => match json::parse(&inner) {
            Ok(Value::Object(fields)) => Value::Object(fields),
            _ if inner.trim().is_empty() => empty(),
            _ => Value::String(inner),
        },
        Ok(value) => value,
        Err(error) => {
            let reason = format!("the arguments are not valid JSON: {error}");
            return (empty(), Some(reason));
        }
    };
    match value {
        Value::Object(_) => (value, None),
        Value::Null => (empty(), None),
        _ => (empty(), Some("the arguments are not a JSON object".to_owned())),
    }
}

/// The beginning of a text that could not be read, for those who look for the fault.
pub(super) fn bounded_raw(text: &str) -> String {
    let cut = text.floor_char_boundary(RAW_LIMIT);
    if cut == text.len() { text.to_owned() } else { format!("{}…", &text[..cut]) }
}
