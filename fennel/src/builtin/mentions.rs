//! Whether code names something: what macros leave out when nothing reads it.

use crate::form::{Form, Kind};

/// Whether a symbol with this name, or a field of it, is in the code.
pub(super) fn mentions_name(code: &Form, name: &str) -> bool {
    anywhere(code, &|form| {
        form.as_symbol()
            .and_then(|symbol| symbol.strip_prefix(name))
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ':']))
    })
}

/// Whether the code reads the values that its function was given beyond the named ones: by `...`,
/// or by `$...` in a hash function. Those of functions inside the code are their own.
pub(super) fn rest_values(code: &[Form]) -> Option<Form> {
    code.iter().find_map(|form| match &form.kind {
        Kind::Varg => Some(form.clone()),
        Kind::Symbol(symbol) if &*symbol.name == "$..." => Some(form.clone()),
        Kind::List(parts) if is_function(parts) => None,
        Kind::List(parts) | Kind::Sequence(parts) => rest_values(parts),
        Kind::Table(entries) => {
            entries.iter().find_map(|(key, value)| rest_values(&[key.clone(), value.clone()]))
        }
        _ => None,
    })
}

/// The names that stand in the code, each as often as it does.
pub(super) fn names_in<'a>(code: &'a Form, names: &mut Vec<&'a str>) {
    match &code.kind {
        Kind::Symbol(symbol) => names.push(&symbol.name),
        Kind::List(parts) | Kind::Sequence(parts) => {
            parts.iter().for_each(|part| names_in(part, names));
        }
        Kind::Table(entries) => entries.iter().for_each(|(key, value)| {
            names_in(key, names);
            names_in(value, names);
        }),
        _ => {}
    }
}

fn is_function(parts: &[Form]) -> bool {
    let head = parts.first().and_then(Form::as_symbol);
    matches!(head, Some("fn" | "lambda" | "λ" | "hashfn"))
}

fn anywhere(code: &Form, wanted: &dyn Fn(&Form) -> bool) -> bool {
    wanted(code)
        || match &code.kind {
            Kind::List(parts) | Kind::Sequence(parts) => {
                parts.iter().any(|part| anywhere(part, wanted))
            }
            Kind::Table(entries) => {
                entries.iter().any(|(key, value)| anywhere(key, wanted) || anywhere(value, wanted))
            }
            _ => false,
        }
}
