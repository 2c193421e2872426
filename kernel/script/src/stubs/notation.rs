//! From the contract's notation for types to that of the annotations.

use fen_contract::doc::{Section, find};
use fen_contract::type_expr::TypeExpr;

/// The type of a field, callbacks included.
pub(super) fn translated(text: &str) -> String {
    match text.split_once("->") {
        Some((parameters, result)) => function(parameters, result),
        None => plain(&TypeExpr::parse(text)),
    }
}

/// How many arguments a callback gets.
#[cfg(test)]
pub(super) fn arity(text: &str) -> usize {
    text.split_once("->").map_or(0, |(parameters, _)| words(parameters).count())
}

fn words(parameters: &str) -> impl Iterator<Item = &str> {
    parameters.trim().trim_start_matches('(').trim_end_matches(')').split_whitespace()
}

/// Arguments are named or have a type; both count as words. Names become identifiers, and `-fn` at
/// the end of one says only that it is a function.
fn function(parameters: &str, result: &str) -> String {
    let parameters: Vec<String> = words(parameters)
        .enumerate()
        .map(|(position, word)| {
            let (name, mark) = match word.strip_prefix('?') {
                Some(name) => (name, "?"),
                None => (word, ""),
            };
            match TypeExpr::parse(name) {
                TypeExpr::Any => {
                    format!("{}{mark}: any", name.trim_end_matches("-fn").replace('-', "_"))
                }
                ty => format!("value{}{mark}: {}", position + 1, plain(&ty)),
            }
        })
        .collect();
    let parameters = parameters.join(", ");
    match TypeExpr::parse(result) {
        TypeExpr::Nil => format!("fun({parameters})"),
        ty => format!("fun({parameters}): {}", plain(&ty)),
    }
}

fn plain(ty: &TypeExpr) -> String {
    match ty {
        TypeExpr::Any => "any".to_owned(),
        TypeExpr::Nil => "nil".to_owned(),
        TypeExpr::String => "string".to_owned(),
        TypeExpr::Number => "number".to_owned(),
        TypeExpr::Boolean => "boolean".to_owned(),
        TypeExpr::Table => "table".to_owned(),
        TypeExpr::JsonSchema => "fen.JsonSchema".to_owned(),
        TypeExpr::Agent => "fen.Agent".to_owned(),
        TypeExpr::Function => "function".to_owned(),
        TypeExpr::Literal(text) => format!("\"{text}\""),
        TypeExpr::Named(name) => named(name),
        TypeExpr::List(inner) => match &**inner {
            TypeExpr::Union(_) => format!("({})[]", plain(inner)),
            one => format!("{}[]", plain(one)),
        },
        TypeExpr::Union(options) => {
            let mut names: Vec<String> = Vec::new();
            for name in options.iter().map(plain) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            names.join("|")
        }
    }
}

fn named(name: &str) -> String {
    find(Section::Types, name).map_or_else(|| "any".to_owned(), super::spell::class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contracts_notation_becomes_the_editors() {
        for (contract, editor) in [
            ("keyword|string", "string"),
            ("string|[TextContent]", "string|fen.TextContent[]"),
            ("[TextContent|ToolCall]", "(fen.TextContent|fen.ToolCall)[]"),
            (":tool-call", "\"tool-call\""),
            ("string|nil", "string|nil"),
            ("() -> string|nil", "fun(): string|nil"),
            ("(ctx) -> nil", "fun(ctx: any)"),
            (
                "(args ?yield-fn) -> AgentToolResult",
                "fun(args: any, yield?: any): fen.AgentToolResult",
            ),
            ("([Message]) -> [WireMessage]", "fun(value1: fen.Message[]): any[]"),
            ("(string) -> StopReason", "fun(value1: string): fen.StopReason"),
            ("(path opts) -> session", "fun(path: any, opts: any): any"),
        ] {
            assert_eq!(translated(contract), editor, "{contract}");
        }
        assert_eq!(arity("(args ?yield-fn) -> any"), 2);
        assert_eq!(arity("() -> any"), 0);
    }
}
