//! What a script gives, read by its declared type: aliases become the contract's names, and an
//! empty table becomes a list where a list is declared.

use super::table::is_opaque;
use crate::value::{ToJson, to_json};
use fen_contract::doc::{Entry, MemberKind, Section, entries, find};
use fen_contract::events::Event;
use fen_contract::names::Millis;
use fen_contract::type_expr::TypeExpr;
use fen_contract::validate::{ContractError, check_event, check_type, did_you_mean};
use mlua::Value;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

/// The name without `?`, `!` and with underscores.
fn is_alias(written: &str, name: &str) -> bool {
    let plain = name.trim_end_matches(['?', '!']);
    written.len() == plain.len()
        && written != name
        && written.bytes().zip(plain.bytes()).all(|(a, b)| a == b || (a == b'_' && b == b'-'))
}

/// Puts a value into the form of its type, as far as it has one. What does not fit stays as it is,
/// for the validation to name.
pub(crate) fn canonical(json: &mut Json, ty: &TypeExpr) {
    match ty {
        TypeExpr::List(inner) => {
            if json.as_object().is_some_and(serde_json::Map::is_empty) {
                *json = Json::Array(Vec::new());
            }
            for element in json.as_array_mut().into_iter().flatten() {
                canonical(element, inner);
            }
        }
        TypeExpr::Named(name) => {
            if let Some(entry) = find(Section::Types, name) {
                canonical_entry(json, entry);
            }
        }
        TypeExpr::Union(options) => {
            if let Some(fitting) = options.iter().find(|option| fits(json, option)) {
                canonical(json, fitting);
            }
        }
        _ => {}
    }
}

/// Whether a member of a union is the one that a value means.
fn fits(json: &Json, option: &TypeExpr) -> bool {
    match option {
        TypeExpr::List(_) => {
            json.is_array() || json.as_object().is_some_and(serde_json::Map::is_empty)
        }
        TypeExpr::Named(name) => find(Section::Types, name).is_some_and(|entry| {
            entry.fields.iter().any(|field| match TypeExpr::parse(field.ty) {
                TypeExpr::Literal(tag) => json.get(field.name).and_then(Json::as_str) == Some(&tag),
                _ => false,
            })
        }),
        _ => false,
    }
}

fn canonical_entry(json: &mut Json, entry: &Entry) {
    let variants: Vec<TypeExpr> = entry
        .members
        .iter()
        .filter(|member| member.kind == MemberKind::Variant)
        .map(|member| TypeExpr::parse(member.name))
        .collect();
    if !variants.is_empty() {
        return canonical(json, &TypeExpr::Union(variants));
    }
    let Some(object) = json.as_object_mut() else { return };
    let aliases: Vec<(String, &str)> = object
        .keys()
        .filter(|key| entry.field(key).is_none())
        .filter_map(|key| {
            let field = entry.fields.iter().find(|field| is_alias(key, field.name))?;
            Some((key.clone(), field.name))
        })
        .collect();
    for (alias, name) in aliases {
        if let Some(value) = object.shift_remove(&alias) {
            object.entry(name).or_insert(value);
        }
    }
    for field in entry.fields {
        if !is_opaque(field.name)
            && let Some(value) = object.get_mut(field.name)
        {
            canonical(value, &TypeExpr::parse(field.ty));
        }
    }
}

/// Reads a script's value as a type of the contract. The error says what was expected, and where.
pub(crate) fn read_as<T: DeserializeOwned>(value: &Value, name: &str) -> Result<T, String> {
    let mut json = to_json(value, &ToJson::default())?;
    canonical(&mut json, &TypeExpr::parse(name));
    let listed = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let checked = match (listed, &json) {
        (Some(element), Json::Array(elements)) => {
            elements.iter().enumerate().try_for_each(|(place, json)| {
                check_type(element, json).map_err(|error| at(place, error))
            })
        }
        _ => check_type(name, &json),
    };
    checked.map_err(in_lua)?;
    serde_json::from_value(json).map_err(|error| error.to_string())
}

/// Reads an event that a script emits.
pub(crate) fn read_event(value: &Value) -> Result<Event, String> {
    event_of(event_json(value)?)
}

/// Reads an event of a provider's stream. The answer that comes with `done` may leave out what an
/// answer may leave out that is given back.
pub(crate) fn read_stream_event(value: &Value) -> Result<Event, String> {
    let mut json = event_json(value)?;
    if let Some(answer) = json.get_mut("message").and_then(Json::as_object_mut) {
        answer.entry("role").or_insert_with(|| "assistant".into());
        answer.entry("timestamp").or_insert_with(|| serde_json::json!(Millis::now()));
    }
    event_of(json)
}

fn event_json(value: &Value) -> Result<Json, String> {
    to_json(value, &ToJson::default()).map_err(|error| format!("event: {error}"))
}

fn event_of(mut json: Json) -> Result<Event, String> {
    let name = json.get("type").and_then(Json::as_str).unwrap_or_default().to_owned();
    match find(Section::Events, &name) {
        Some(entry) => {
            canonical_entry(&mut json, entry);
            check_event(&json).map_err(in_lua)?;
        }
        None if name.contains('/') => {}
        None => return Err(no_event(&json)),
    }
    serde_json::from_value(json).map_err(|error| error.to_string())
}

/// An error of the element at this place of a list.
fn at(place: usize, mut error: ContractError) -> ContractError {
    let dot = if error.field.is_empty() || error.field.starts_with('[') { "" } else { "." };
    error.field = format!("[{place}]{dot}{}", error.field);
    error
}

/// The words of a broken contract, with places in lists counted as scripts count them: from 1.
pub(crate) fn in_lua(mut error: ContractError) -> String {
    let mut field = String::with_capacity(error.field.len());
    let mut rest = error.field.as_str();
    while let Some((before, after)) = rest.split_once('[') {
        let Some((place, behind)) = after.split_once(']') else { break };
        let place = place.parse::<usize>().map_or(place.to_owned(), |at| (at + 1).to_string());
        field.push_str(&format!("{before}[{place}]"));
        rest = behind;
    }
    field.push_str(rest);
    error.field = field;
    error.to_string()
}

/// Why a value is no event at all.
fn no_event(json: &Json) -> String {
    let expected = "the name of an event, or `owner/what`";
    let wrong = |field: &str, expected: &str, got: String| {
        let kind = "event".to_owned();
        let (field, expected) = (field.to_owned(), expected.to_owned());
        ContractError { kind, owner: None, field, expected, got }.to_string()
    };
    let name = match json.as_object().map(|fields| fields.get("type")) {
        None => return wrong("", "a table with `type`", json.to_string()),
        Some(None) => return wrong("type", expected, "nothing".to_owned()),
        Some(Some(Json::String(name))) => name,
        Some(Some(other)) => return wrong("type", expected, other.to_string()),
    };
    let names = entries().filter(|entry| entry.section == Section::Events).map(|entry| entry.name);
    let hint = did_you_mean(name, names);
    wrong("type", expected, format!("\"{name}\"{hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn canonical_as(mut json: Json, name: &str) -> Json {
        canonical(&mut json, &TypeExpr::parse(name));
        json
    }

    #[test]
    fn aliases_become_names_in_the_contracts_own_fields_only() {
        let result = json!({"is_error": true, "content": [], "details": {"is_error": 1}});
        assert_eq!(
            canonical_as(result, "AgentToolResult"),
            json!({"content": [], "details": {"is_error": 1}, "is-error?": true})
        );
        let message = json!({"role": "tool-result", "tool_call_id": "1", "content": {}});
        assert_eq!(
            canonical_as(message, "Message"),
            json!({"role": "tool-result", "content": [], "tool-call-id": "1"})
        );
    }

    #[test]
    fn places_in_lists_are_counted_from_one() {
        let message = json!({"role": "user", "timestamp": 1, "content": [
            {"type": "text", "text": "a"}, {"type": "text", "text": 7}]});
        let error = check_type("Message", &message).unwrap_err();
        assert_eq!(in_lua(error), "Message: field `content[2].text`: expected string, got number");
    }

    #[test]
    fn an_empty_table_is_a_list_where_one_is_declared() {
        let answer = json!({"role": "assistant", "content": {}, "usage": {}});
        let read = canonical_as(answer, "AssistantMessage");
        assert_eq!(read, json!({"role": "assistant", "content": [], "usage": {}}));
        let call = json!({"type": "tool-call", "id": "1", "name": "x", "arguments": {}});
        let answer = json!({"role": "assistant", "content": [call]});
        assert_eq!(canonical_as(answer.clone(), "AssistantMessage"), answer);
    }
}
