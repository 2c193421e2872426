//! Comparing two values of a script, and showing where they differ.

use crate::line_diff::LineDiff;
use crate::value::{ToJson, to_json};
use mlua::Value;
use serde_json::{Map, Value as Json};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// How long the shortest difference is looked for.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long two values may be to stand on one line each, in characters.
const SHORT: usize = 60;

/// Nothing if the values are alike; else words that show both, or the lines in which they differ.
/// Tables are compared by their content, and an empty one has no kind.
pub(super) fn difference(got: &Value, expected: &Value) -> Option<String> {
    let (got, expected) = match (plain(got), plain(expected)) {
        (Some(got), Some(expected)) => (got, expected),
        // Functions and the like are alike if they are the same.
        _ if got == expected => return None,
        _ => return Some(format!("expected {}, got {}", named(expected), named(got))),
    };
    if got == expected {
        return None;
    }
    let (got, expected) = (shown(&got), shown(&expected));
    let is_short = |text: &str| !text.contains('\n') && text.chars().count() <= SHORT;
    if is_short(&got) && is_short(&expected) {
        return Some(format!("expected {expected}, got {got}"));
    }
    let mut words = "the values differ (- expected, + got):".to_owned();
    let diff = LineDiff::new(&expected, &got, Instant::now() + PATIENCE);
    for (mark, line) in diff.lines() {
        let _ = write!(words, "\n  {} {}", mark.sign(), line.trim_end_matches('\n'));
    }
    Some(words)
}

/// A value in words, for messages.
pub(super) fn named(value: &Value) -> String {
    plain(value).map_or_else(|| format!("a {}", value.type_name()), |json| shown(&json))
}

fn plain(value: &Value) -> Option<Json> {
    to_json(value, &ToJson::default()).ok().map(evened)
}

/// Whole numbers are the same in both spellings, and empty tables too.
fn evened(json: Json) -> Json {
    match json {
        Json::Number(number) => match number.as_f64() {
            Some(float) if !number.is_f64() || float.fract() != 0.0 || float.abs() >= 9e15 => {
                Json::Number(number)
            }
            #[expect(clippy::cast_possible_truncation, reason = "it is whole and not too large")]
            Some(float) => Json::from(float as i64),
            None => Json::Number(number),
        },
        Json::Array(list) if list.is_empty() => Json::Object(Map::new()),
        Json::Array(list) => list.into_iter().map(evened).collect(),
        Json::Object(fields) => {
            fields.into_iter().map(|(name, value)| (name, evened(value))).collect()
        }
        other => other,
    }
}

fn shown(json: &Json) -> String {
    let mut text = String::new();
    write(&mut text, json, 0);
    text
}

/// Writes a value as Lua spells it, names in order.
fn write(text: &mut String, json: &Json, depth: usize) {
    let lines = |text: &mut String, items: Vec<(Option<&String>, &Json)>| {
        text.push_str("{\n");
        for (name, item) in items {
            text.push_str(&"  ".repeat(depth + 1));
            if let Some(name) = name {
                let _ = match is_word(name) {
                    true => write!(text, "{name} = "),
                    false => write!(text, "[{name:?}] = "),
                };
            }
            write(text, item, depth + 1);
            text.push_str(",\n");
        }
        text.push_str(&"  ".repeat(depth));
        text.push('}');
    };
    match json {
        Json::Null => text.push_str("nil"),
        Json::Object(fields) if fields.is_empty() => text.push_str("{}"),
        Json::Array(list) => lines(text, list.iter().map(|item| (None, item)).collect()),
        Json::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().map(|(name, item)| (Some(name), item)).collect();
            fields.sort_by_key(|(name, _)| *name);
            lines(text, fields);
        }
        Json::String(words) if words.contains('\n') => {
            let _ = write!(text, "[[\n{words}\n]]");
        }
        scalar => {
            let _ = write!(text, "{scalar}");
        }
    }
}

fn is_word(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.chars().next().is_some_and(|first| !first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mlua::Lua;

    fn difference_of(got: &str, expected: &str) -> Option<String> {
        let lua = Lua::new();
        let value = |code: &str| lua.load(code).eval::<Value>().unwrap();
        difference(&value(got), &value(expected))
    }

    #[test]
    fn values_are_compared_by_content() {
        for (got, expected) in [
            ("1", "1.0"),
            ("{}", "{}"),
            ("{a = {1, 2}}", "{a = {1, 2}}"),
            ("print", "print"),
            ("nil", "nil"),
        ] {
            assert_eq!(difference_of(got, expected), None, "{got}");
        }
        assert!(difference_of("{1}", "{'1'}").is_some());
        assert!(difference_of("print", "type").is_some());
    }

    #[test]
    fn a_difference_is_shown_where_it_is() {
        assert_eq!(difference_of("2", "'2'").unwrap(), "expected \"2\", got 2");
        let words = difference_of("{b = 1, a = {'x'}}", "{a = {'y'}, b = 1}").unwrap();
        assert_eq!(
            words,
            "the values differ (- expected, + got):\n    {\n      a = {\n  -     \"y\",\n  +     \
             \"x\",\n      },\n      b = 1,\n    }"
        );
    }
}
