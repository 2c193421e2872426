//! The forms that the macros make most often.

use std::rc::Rc;

use crate::form::{Form, Kind};
use crate::source::Span;

/// `nil`
pub(super) fn nil(span: Span) -> Form {
    Form::new(Kind::Nil, span)
}

/// A whole number.
pub(super) fn integer(number: usize, span: Span) -> Form {
    Form::new(Kind::Integer(i64::try_from(number).unwrap_or(i64::MAX)), span)
}

/// A global of Lua, with fields of it behind dots, whatever the program binds.
pub(super) fn global(path: &str, span: Span) -> Form {
    Form::symbol(format!("{}.{path}", super::GLOBALS), span)
}

/// A call of a function among the globals of Lua.
pub(super) fn global_call(
    path: &str,
    arguments: impl IntoIterator<Item = Form>,
    span: Span,
) -> Form {
    Form::list(std::iter::once(global(path, span)).chain(arguments).collect::<Vec<_>>(), span)
}

/// `(not= nil value)`
pub(super) fn is_not_nil(value: Form, span: Span) -> Form {
    Form::call("not=", [nil(span), value], span)
}

/// `(let [name value …] body …)`, or the body alone where nothing is bound.
pub(super) fn bind(bindings: Vec<Form>, mut body: Vec<Form>, span: Span) -> Form {
    if bindings.is_empty() {
        return match body.len() {
            1 => body.remove(0),
            _ => Form::call("do", body, span),
        };
    }
    Form::call("let", std::iter::once(Form::sequence(bindings, span)).chain(body), span)
}

/// `(and a b …)`, or the one part alone; `true` for none.
pub(super) fn all(mut parts: Vec<Form>, span: Span) -> Form {
    match parts.len() {
        0 => Form::new(Kind::Bool(true), span),
        1 => parts.remove(0),
        _ => Form::call("and", parts, span),
    }
}

/// `(or a b …)`, or the one part alone.
pub(super) fn any(mut parts: Vec<Form>, span: Span) -> Form {
    match parts.len() {
        1 => parts.remove(0),
        _ => Form::call("or", parts, span),
    }
}

/// The list `(a b …)` to bind several values to, or the one name alone.
pub(super) fn names(names: &[Rc<str>], span: Span) -> Form {
    match names {
        [name] => Form::symbol(name.clone(), span),
        _ => Form::list(symbols(names, span), span),
    }
}

/// These names as symbols.
pub(super) fn symbols(names: &[Rc<str>], span: Span) -> Vec<Form> {
    names.iter().map(|name| Form::symbol(name.clone(), span)).collect()
}

/// Whether it is one name, without dots or a colon.
pub(super) fn is_plain_symbol(form: &Form) -> bool {
    form.as_symbol().is_some_and(|name| !name.contains(['.', ':']))
}

/// Whether it is a number, a string, a boolean or nil.
pub(super) fn is_constant(form: &Form) -> bool {
    matches!(
        form.kind,
        Kind::Nil | Kind::Bool(_) | Kind::Integer(_) | Kind::Float(_) | Kind::Str(_)
    )
}
