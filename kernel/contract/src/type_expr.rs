//! The contract's notation for types, parsed: `keyword|string`, `[Message]`, `(args) -> any`.

use crate::doc::{Section, find};

/// A parsed type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeExpr {
    /// Anything; also names that the contract leaves open, such as `WireMessage`.
    Any,
    /// Absence.
    Nil,
    /// Text; a keyword is text as well.
    String,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// A table with named fields.
    Table,
    /// A JSON Schema: an object.
    JsonSchema,
    /// Exactly this text, written `:text`.
    Literal(String),
    /// A list of values of one type.
    List(Box<TypeExpr>),
    /// One of several.
    Union(Vec<TypeExpr>),
    /// A callback.
    Function,
    /// A type of the contract.
    Named(&'static str),
    /// The agent handle.
    Agent,
}

impl TypeExpr {
    /// Parses a type as a field of the contract gives it.
    pub fn parse(text: &str) -> TypeExpr {
        let text = text.trim();
        if text.contains("->") {
            return TypeExpr::Function;
        }
        let parts = split_union(text);
        if parts.len() > 1 {
            return TypeExpr::Union(parts.into_iter().map(TypeExpr::parse).collect());
        }
        if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return TypeExpr::List(Box::new(TypeExpr::parse(inner)));
        }
        if let Some(literal) = text.strip_prefix(':') {
            return TypeExpr::Literal(literal.to_owned());
        }
        match text {
            "nil" => TypeExpr::Nil,
            "string" | "keyword" => TypeExpr::String,
            "number" => TypeExpr::Number,
            "boolean" => TypeExpr::Boolean,
            "table" => TypeExpr::Table,
            "JSONSchema" => TypeExpr::JsonSchema,
            "Agent" => TypeExpr::Agent,
            name => find(Section::Types, name)
                .map_or(TypeExpr::Any, |entry| TypeExpr::Named(entry.name)),
        }
    }
}

/// Splits at the bars that stand outside brackets.
fn split_union(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    for (position, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            b'|' if depth == 0 => {
                parts.push(&text[start..position]);
                start = position + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notation_of_the_contract_is_understood() {
        assert_eq!(
            TypeExpr::parse("string|[TextContent]"),
            TypeExpr::Union(vec![
                TypeExpr::String,
                TypeExpr::List(Box::new(TypeExpr::Named("TextContent"))),
            ])
        );
        assert_eq!(
            TypeExpr::parse("[TextContent|ToolCall]"),
            TypeExpr::List(Box::new(TypeExpr::Union(vec![
                TypeExpr::Named("TextContent"),
                TypeExpr::Named("ToolCall"),
            ])))
        );
        assert_eq!(TypeExpr::parse(":tool-call"), TypeExpr::Literal("tool-call".into()));
        assert_eq!(TypeExpr::parse("() -> string|nil"), TypeExpr::Function);
    }
}
