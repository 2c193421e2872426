//! `lambda` and `λ`: a function that refuses nil for the arguments that it names.

use crate::builtin::{Expanding, make};
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};

/// `(lambda name? [a ?b] body …)`
pub(super) fn lambda(cx: &mut dyn Expanding, call: &Form, arguments: &[Form]) -> Compiled<Form> {
    let usage = "write (lambda [x ?y] body …), with a name before the arguments if you like";
    let named = usize::from(arguments.first().is_some_and(|form| form.as_symbol().is_some()));
    let Some(parameters) = arguments.get(named) else {
        return Err(Fault::new(call.span, "lambda has no list of arguments").help(usage));
    };
    let Some(sequence) = parameters.as_sequence() else {
        return Err(Fault::new(
            parameters.span,
            format!("lambda's arguments are in [ ], and this is {}", parameters.described()),
        )
        .help(usage));
    };
    let (documentation, body) = split_documentation(&arguments[named + 1..]);

    let mut checked = Vec::new();
    names_in_sequence(sequence, &mut checked);
    let mut parts = arguments[..=named].to_vec();
    parts.extend_from_slice(documentation);
    // The last argument is checked first: then the message is the same as Fennel's own.
    parts.extend(checked.into_iter().rev().map(|name| check(cx, name)));
    match body {
        [] => parts.push(make::nil(call.span)),
        _ => parts.extend_from_slice(body),
    }
    Ok(Form::call("fn", parts, call.span))
}

/// The string and the table of metadata before a body. What stands last is the body itself.
fn split_documentation(body: &[Form]) -> (&[Form], &[Form]) {
    let is_string = |at: usize| body.get(at).is_some_and(|form| form.as_str_bytes().is_some());
    let is_table = |at: usize| body.get(at).is_some_and(|form| form.as_table().is_some());
    let mut count = usize::from(is_string(0));
    count += usize::from(is_table(count));
    while count >= body.len() && count > 0 {
        count -= 1;
    }
    body.split_at(count)
}

/// The names in an argument list or a sequence pattern that must not be nil.
fn names_in_sequence<'a>(patterns: &'a [Form], names: &mut Vec<&'a Form>) {
    let mut behind_rest = false;
    for pattern in patterns {
        // What `&` binds is a new table, never nil; what is inside of it can be.
        if !(behind_rest && pattern.as_symbol().is_some()) {
            names_in(pattern, names);
        }
        behind_rest = pattern.is_symbol("&");
    }
}

fn names_in<'a>(pattern: &'a Form, names: &mut Vec<&'a Form>) {
    match &pattern.kind {
        Kind::Symbol(symbol)
            if make::is_plain_symbol(pattern) && !symbol.name.starts_with(['?', '_', '&']) =>
        {
            names.push(pattern);
        }
        Kind::Sequence(parts) => names_in_sequence(parts, names),
        Kind::Table(entries) => entries.iter().for_each(|(_, value)| names_in(value, names)),
        _ => {}
    }
}

/// `(if (= nil x) (_G~0.error "Missing argument x on file.fnl:3" 2))`
fn check(cx: &dyn Expanding, name: &Form) -> Form {
    let span = name.span;
    let message = format!(
        "Missing argument {} on {}:{}",
        name.as_symbol().unwrap_or_default(),
        cx.file_name(span),
        span.line
    );
    let raise =
        make::global_call("error", [Form::string(&message, span), make::integer(2, span)], span);
    Form::call("if", [Form::call("=", [make::nil(span), name.clone()], span), raise], span)
}

#[cfg(test)]
mod tests {
    use crate::builtin::testing::{expanded, refusal};

    fn check(name: &str, line: u32) -> String {
        format!("(if (= nil {name}) (_G~0.error \"Missing argument {name} on main.fnl:{line}\" 2))")
    }

    #[test]
    fn each_name_without_a_mark_is_checked_at_its_own_line() {
        assert_eq!(
            expanded("(lambda f [a ?b\n _c [d {:x e} & rest] ...] (g) 1)"),
            format!(
                "(fn f [a ?b _c [d {{:x e}} & rest] ...] {} {} {} (g) 1)",
                check("e", 2),
                check("d", 2),
                check("a", 1)
            )
        );
    }

    #[test]
    fn documentation_stays_in_front_of_the_checks() {
        let check = check("a", 1);
        assert_eq!(expanded("(λ [a] :doc {:x 1} a)"), format!("(fn [a] :doc {{:x 1}} {check} a)"));
        assert_eq!(expanded("(λ [a] :doc)"), format!("(fn [a] {check} :doc)"));
        assert_eq!(expanded("(λ [a] :doc {})"), format!("(fn [a] :doc {check} {{}})"));
        assert_eq!(expanded("(λ [a])"), format!("(fn [a] {check} nil)"));
    }

    #[test]
    fn a_lambda_without_arguments_in_brackets_is_refused() {
        assert_eq!(refusal("(lambda f)"), "(lambda f) | lambda has no list of arguments");
        assert_eq!(
            refusal("(lambda f (a) 1)"),
            "(a) | lambda's arguments are in [ ], and this is a list"
        );
    }
}
