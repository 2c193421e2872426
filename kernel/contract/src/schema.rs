//! JSON Schemas of the contract's types and events, made from their declarations.

use crate::doc::{Entry, MemberKind, Section, entries, find};
use crate::type_expr::TypeExpr;
use serde_json::{Map, Value, json};

/// The JSON Schema (draft 2020-12) of one entry, self-contained. Callbacks have no place in JSON:
/// a register kind's schema covers its data fields.
pub fn schema(section: Section, name: &str) -> Option<Value> {
    let entry = find(section, name)?;
    let mut root = Map::new();
    root.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
    root.insert("title".into(), name.into());
    if let Value::Object(body) = entry_schema(entry) {
        root.extend(body);
    }
    let definitions: Map<String, Value> = entries()
        .filter(|entry| entry.section == Section::Types)
        .map(|entry| (entry.name.to_owned(), entry_schema(entry)))
        .collect();
    root.insert("$defs".into(), Value::Object(definitions));
    Some(Value::Object(root))
}

fn entry_schema(entry: &Entry) -> Value {
    let variants: Vec<Value> = entry
        .members
        .iter()
        .filter(|member| member.kind == MemberKind::Variant)
        .map(|member| reference(member.name))
        .collect();
    if !variants.is_empty() {
        return json!({"description": entry.summary, "oneOf": variants});
    }
    let values: Vec<&str> = entry
        .members
        .iter()
        .filter(|member| member.kind == MemberKind::Enum)
        .map(|member| member.name)
        .collect();
    if !values.is_empty() {
        return json!({"description": entry.summary, "enum": values});
    }
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in entry.fields {
        let ty = TypeExpr::parse(field.ty);
        if ty == TypeExpr::Function {
            continue;
        }
        let mut body = type_schema(&ty);
        if let Value::Object(body) = &mut body {
            body.insert("description".into(), field.summary.into());
        }
        properties.insert(field.name.to_owned(), body);
        if field.required {
            required.push(field.name);
        }
    }
    json!({
        "description": entry.summary,
        "type": "object",
        "properties": properties,
        "required": required,
    })
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/$defs/{name}")})
}

fn type_schema(ty: &TypeExpr) -> Value {
    match ty {
        TypeExpr::Any | TypeExpr::Function => json!({}),
        TypeExpr::Nil => json!({"type": "null"}),
        TypeExpr::String => json!({"type": "string"}),
        TypeExpr::Number => json!({"type": "number"}),
        TypeExpr::Boolean => json!({"type": "boolean"}),
        TypeExpr::Table | TypeExpr::JsonSchema | TypeExpr::Agent => json!({"type": "object"}),
        TypeExpr::Literal(text) => json!({"const": text}),
        TypeExpr::List(inner) => json!({"type": "array", "items": type_schema(inner)}),
        TypeExpr::Union(options) => {
            json!({"anyOf": options.iter().map(type_schema).collect::<Vec<_>>()})
        }
        TypeExpr::Named(name) => reference(name),
    }
}
