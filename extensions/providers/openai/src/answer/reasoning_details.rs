//! Reasoning as OpenRouter describes it: a list of parts that arrives in pieces and has to go back
//! as a whole, seals included.

use serde_json::{Map, Value};

/// The fields of a part that arrive in pieces.
const GROWING: [&str; 4] = ["text", "summary", "data", "signature"];

/// The parts of one answer.
#[derive(Debug, Default)]
pub(super) struct ReasoningDetails(Vec<Value>);

impl ReasoningDetails {
    /// Takes the pieces of one event.
    pub fn add(&mut self, pieces: Value) {
        let Value::Array(pieces) = pieces else { return };
        for piece in pieces {
            let Value::Object(piece) = piece else { continue };
            match self.0.last_mut() {
                Some(Value::Object(last)) if same_part(last, &piece) => grow(last, piece),
                _ => self.0.push(Value::Object(piece)),
            }
        }
    }

    /// All parts, if there are any.
    pub fn take(self) -> Option<Value> {
        (!self.0.is_empty()).then_some(Value::Array(self.0))
    }
}

fn same_part(last: &Map<String, Value>, piece: &Map<String, Value>) -> bool {
    let text = |fields: &Map<String, Value>| fields.get("type") == Some(&"reasoning.text".into());
    let same = |key| last.get(key) == piece.get(key);
    let new_id = piece.get("id").is_some_and(|id| !id.is_null() && last.get("id") != Some(id));
    same("type") && same("index") && !new_id && (last.contains_key("index") || text(last))
}

fn grow(part: &mut Map<String, Value>, piece: Map<String, Value>) {
    for (key, value) in piece {
        match (part.get_mut(&key), value) {
            (Some(Value::String(known)), Value::String(more)) if GROWING.contains(&&*key) => {
                known.push_str(&more);
            }
            (_, Value::Null) => {}
            (_, value) => {
                part.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pieces_of_a_part_are_joined_and_parts_stay_apart() {
        let mut details = ReasoningDetails::default();
        let pieces = [
            json!([{ "type": "reasoning.text", "text": "a", "index": 0, "format": "f" }]),
            json!([{ "type": "reasoning.text", "text": "b", "index": 0, "signature": null }]),
            json!([{ "type": "reasoning.text", "signature": "s", "index": 0 }]),
            json!([{ "type": "reasoning.encrypted", "data": "x", "id": "call_1", "index": 0 }]),
            json!([{ "type": "reasoning.encrypted", "data": "y", "id": "call_2", "index": 0 }]),
            json!(null),
        ];
        pieces.into_iter().for_each(|piece| details.add(piece));
        let want = json!([
            { "type": "reasoning.text", "text": "ab", "index": 0, "format": "f", "signature": "s" },
            { "type": "reasoning.encrypted", "data": "x", "id": "call_1", "index": 0 },
            { "type": "reasoning.encrypted", "data": "y", "id": "call_2", "index": 0 },
        ]);
        assert_eq!(details.take(), Some(want));
    }
}
