//! What a service says went wrong, taken out of the forms in which services say it.

use crate::json;
use fen_contract::secret::Secret;
use serde_json::Value;
use std::time::Duration;

/// How many characters of a service's words a message repeats.
const SAID_LIMIT: usize = 400;

/// The words and codes of an error.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorText {
    /// The words; empty where there are none that can be shown.
    pub message: String,
    /// The code in lower case, where it is text.
    pub code: String,
    /// The type in lower case.
    pub kind: String,
    /// The code, where it is an HTTP status.
    pub status: Option<u16>,
    /// How long the server asks to wait, where the error itself says so.
    pub retry_after: Option<Duration>,
}

impl ErrorText {
    /// From the body of an error answer: JSON, or a short plain text; never HTML.
    pub fn of_body(body: &[u8], content_type: Option<&str>) -> Self {
        let text = String::from_utf8_lossy(body);
        let text = text.trim();
        if let Ok(value) = json::parse::<Value>(text)
            && let Some(found) = Self::of_json(&value)
        {
            return found;
        }
        let markup =
            text.starts_with('<') || content_type.is_some_and(|media| media.contains("html"));
        let message = if markup || text.starts_with(['{', '[']) { "" } else { text };
        ErrorText { message: message.to_owned(), ..Self::default() }
    }

    /// From a document or an event that holds an error; `None` if it holds none.
    pub fn of_json(value: &Value) -> Option<Self> {
        if let Value::Array(items) = value {
            return items.iter().find_map(Self::of_json);
        }
        match value.get("error") {
            None => {}
            Some(error) if is_nothing(error) => {}
            Some(error) => {
                let mut found = Self::of_error(error);
                if found.message.is_empty() {
                    found.message = words(value).unwrap_or_default();
                }
                return Some(found);
            }
        }
        let fields = value.as_object()?;
        if fields.contains_key("choices") || fields.contains_key("content") {
            return None;
        }
        words(value).map(|_| Self::of_error(value))
    }

    /// From the error itself: a text, or an object with message, type and code.
    pub fn of_error(error: &Value) -> Self {
        let text_at = |key: &str| error.get(key).and_then(Value::as_str).unwrap_or_default();
        let status = ["code", "status", "http_code"].iter().find_map(|key| status_at(error, key));
        let mut message = words(error).unwrap_or_default();
        // Gateways put what the service behind them said beside their own words.
        if let Some(raw) = error.pointer("/metadata/raw").and_then(Value::as_str) {
            let inner = Self::of_body(raw.as_bytes(), None).message;
            if !inner.is_empty() && inner != message {
                message = format!("{message}: {inner}");
            }
        }
        let wait = error.get("retry_after").or_else(|| error.pointer("/metadata/retry_after"));
        ErrorText {
            message,
            code: text_at("code").to_lowercase(),
            kind: text_at("type").to_lowercase(),
            status,
            retry_after: wait
                .and_then(Value::as_f64)
                .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
        }
    }
}

/// Whether the value of a field `error` says that there is none.
pub fn is_nothing(error: &Value) -> bool {
    matches!(error, Value::Null | Value::Bool(false)) || error == ""
}

/// The words of an error, under the names that services give them.
fn words(error: &Value) -> Option<String> {
    if let Some(text) = error.as_str() {
        return Some(text.to_owned());
    }
    ["message", "detail", "msg", "error_description"].iter().find_map(|key| {
        match error.get(key)? {
            Value::String(text) => Some(text.clone()),
            Value::Array(items) => {
                let complaints: Vec<String> = items.iter().filter_map(complaint).collect();
                (!complaints.is_empty()).then(|| complaints.join("; "))
            }
            inner @ Value::Object(_) => words(inner),
            _ => None,
        }
    })
}

/// What is wrong with which field, as FastAPI lists it.
fn complaint(item: &Value) -> Option<String> {
    let said = item.get("msg")?.as_str()?;
    let field = item.get("loc").and_then(Value::as_array).and_then(|path| path.last());
    Some(match field.and_then(Value::as_str) {
        Some(field) => format!("{field}: {said}"),
        None => said.to_owned(),
    })
}

fn status_at(error: &Value, key: &str) -> Option<u16> {
    let code = match error.get(key)? {
        Value::String(text) => text.parse().ok()?,
        number => u16::try_from(number.as_u64()?).ok()?,
    };
    (400..600).contains(&code).then_some(code)
}

/// A service's words on one line, of bounded length, without control characters and keys.
pub fn clean(text: &str, key: Option<&Secret>) -> String {
    let mut text = text.to_owned();
    if let Some(key) = key {
        text = text.replace(key.reveal(), "…");
    }
    let mut line = String::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        if word.is_empty() {
            continue;
        }
        if line.len() > SAID_LIMIT {
            line.push_str(" …");
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&masked(word));
    }
    match line.char_indices().nth(SAID_LIMIT + 2) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line,
    }
}

/// The word without what looks like a key: services repeat parts of the one they were sent.
fn masked(word: &str) -> String {
    let marks = ["sk-", "gsk_", "xai-", "AIza", "csk-", "sk_"];
    let mut starts = marks.iter().filter_map(|mark| word.find(mark));
    let Some(start) = starts.by_ref().min() else { return word.to_owned() };
    let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '*' | '.' | '…');
    let before = word[..start].chars().next_back();
    if before.is_some_and(char::is_alphanumeric) {
        return word.to_owned();
    }
    let end = word[start..].find(|c| !is_key(c)).map_or(word.len(), |length| start + length);
    if end - start < 8 {
        return word.to_owned();
    }
    format!("{}…{}", &word[..start], &word[end..])
}
