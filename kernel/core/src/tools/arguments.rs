//! A call's arguments against the tool's schema, with repairs where only one meaning is possible.
//!
//! Pure but for the schemas that it keeps compiled. It never guesses, and never runs anything; the
//! runner calls it before the hooks, so that they see what will run.

use fen_contract::api::RegistrationId;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How many complaints one error result lists.
const COMPLAINTS: usize = 5;
/// How many compiled schemas are kept.
const SCHEMAS: usize = 1024;

/// Compiled schemas by registration, made when a tool is first called.
#[derive(Default)]
pub struct SchemaCache(Mutex<HashMap<RegistrationId, Arc<jsonschema::Validator>>>);

impl SchemaCache {
    fn compiled(
        &self,
        id: RegistrationId,
        schema: &Value,
    ) -> Result<Arc<jsonschema::Validator>, String> {
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = cache.get(&id) {
            return Ok(found.clone());
        }
        let made = jsonschema::validator_for(schema)
            .map_err(|error| format!("the tool's own schema is not valid: {error}"))?;
        let made = Arc::new(made);
        if cache.len() >= SCHEMAS {
            // Reloads leave schemas of old registrations behind; what is in use comes back.
            cache.clear();
        }
        cache.insert(id, made.clone());
        Ok(made)
    }
}

/// The arguments in the form that the schema asks for, or what is wrong with them.
pub fn fit(
    cache: &SchemaCache,
    id: RegistrationId,
    schema: &Value,
    arguments: Value,
) -> Result<Value, String> {
    let arguments = repair(schema, arguments);
    let validator = cache.compiled(id, schema)?;
    let complaints: Vec<String> = validator
        .iter_errors(&arguments)
        .take(COMPLAINTS)
        .map(|error| {
            let place = error.instance_path().to_string();
            let place = place.trim_start_matches('/').replace('/', ".");
            let text = shorten(&error.to_string());
            if place.is_empty() { text } else { format!("`{place}`: {text}") }
        })
        .collect();
    if complaints.is_empty() { Ok(arguments) } else { Err(complaints.join("; ")) }
}

/// Complaints quote the offending value, which may be a whole file.
fn shorten(text: &str) -> String {
    const LIMIT: usize = 300;
    if text.len() <= LIMIT {
        return text.to_owned();
    }
    let tail = text.len() - 100;
    let head = &text[..text.floor_char_boundary(LIMIT - 100)];
    format!("{head} … {}", &text[text.ceil_char_boundary(tail)..])
}

/// Models sometimes send JSON inside a string, `null` for a field that they leave out, or a number
/// in quotes. Each is put right only where the schema admits nothing else.
fn repair(schema: &Value, value: Value) -> Value {
    match value {
        Value::String(text) => repair_text(schema, text),
        Value::Array(items) => match schema.get("items") {
            Some(inner) => items.into_iter().map(|item| repair(inner, item)).collect(),
            None => Value::Array(items),
        },
        Value::Object(fields) => repair_fields(schema, fields),
        other => other,
    }
}

fn repair_text(schema: &Value, text: String) -> Value {
    let parsed =
        |wanted: fn(&Value) -> bool| serde_json::from_str::<Value>(text.trim()).ok().filter(wanted);
    let repaired = match schema.get("type").and_then(Value::as_str) {
        Some("object") => parsed(Value::is_object),
        Some("array") => parsed(Value::is_array),
        Some("integer") => parsed(|value| value.is_i64() || value.is_u64()),
        Some("number") => parsed(Value::is_number),
        Some("boolean") => parsed(Value::is_boolean),
        _ => None,
    };
    match repaired {
        Some(value) if value.is_object() || value.is_array() => repair(schema, value),
        Some(value) => value,
        None => Value::String(text),
    }
}

fn repair_fields(schema: &Value, fields: Map<String, Value>) -> Value {
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    let is_required =
        |name: &str| required.is_some_and(|list| list.iter().any(|entry| entry == name));
    fields
        .into_iter()
        .filter_map(|(name, value)| match properties.and_then(|known| known.get(&name)) {
            Some(inner) if value.is_null() && !is_required(&name) && !admits_null(inner) => None,
            Some(inner) => {
                let value = repair(inner, value);
                Some((name, value))
            }
            None => Some((name, value)),
        })
        .collect()
}

fn admits_null(schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::String(name)) => name == "null",
        Some(Value::Array(names)) => names.iter().any(|name| name == "null"),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn edit_schema() -> Value {
        json!({"type": "object", "required": ["path"], "properties": {
            "path": {"type": "string"},
            "content": {"type": "string"},
            "limit": {"type": "integer"},
            "edits": {"type": "array", "items": {"type": "object", "properties": {
                "old": {"type": "string"}}}},
        }})
    }

    fn fitted(arguments: Value) -> Result<Value, String> {
        fit(&SchemaCache::default(), RegistrationId(1), &edit_schema(), arguments)
    }

    #[test]
    fn json_inside_a_string_is_unwrapped_only_where_the_schema_wants_a_table_or_a_list() {
        assert_eq!(fitted(json!("{\"path\":\"a\"}")), Ok(json!({"path": "a"})));
        assert_eq!(
            fitted(json!({"path": "a", "edits": "[{\"old\":\"x\"}]"})),
            Ok(json!({"path": "a", "edits": [{"old": "x"}]}))
        );
        for text in ["[1,2]", "42", "{\"a\":1}"] {
            let arguments = json!({"path": "a", "content": text});
            assert_eq!(fitted(arguments.clone()), Ok(arguments));
        }
    }

    #[test]
    fn a_number_in_quotes_and_a_null_for_nothing_are_put_right() {
        assert_eq!(
            fitted(json!({"path": "a", "limit": "10"})),
            Ok(json!({"path": "a", "limit": 10}))
        );
        assert_eq!(fitted(json!({"path": "a", "limit": null})), Ok(json!({"path": "a"})));
        assert!(fitted(json!({"path": null})).is_err());
        assert!(fitted(json!({"path": "a", "limit": "ten"})).is_err());
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place_and_in_few_words() {
        let error = fitted(json!({"path": "a", "edits": [{"old": "x".repeat(9000).len()}]}));
        let error = error.unwrap_err();
        assert!(error.contains("`edits.0.old`"), "{error}");
        let error = fitted(json!({"limit": "x".repeat(100_000)})).unwrap_err();
        assert!(error.len() < 1500, "{}", error.len());
    }

    #[test]
    fn a_schema_that_is_not_one_is_an_error_of_the_call() {
        let schema = json!({"type": "nonsense"});
        let error =
            fit(&SchemaCache::default(), RegistrationId(1), &schema, json!({})).unwrap_err();
        assert!(error.contains("own schema"), "{error}");
    }
}
