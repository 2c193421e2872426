//! `when`, `unless` and `assert-repl`.

use crate::builtin::{Expanding, make};
use crate::diagnostic::{Compiled, Fault};
use crate::form::Form;

/// `(when condition body …)`
pub(super) fn when(_: &mut dyn Expanding, call: &Form, arguments: &[Form]) -> Compiled<Form> {
    let (condition, body) = split("when", call, arguments)?;
    Ok(Form::call("if", [condition, body], call.span))
}

/// `(unless condition body …)`
pub(super) fn unless(_: &mut dyn Expanding, call: &Form, arguments: &[Form]) -> Compiled<Form> {
    let (condition, body) = split("unless", call, arguments)?;
    let span = condition.span;
    Ok(Form::call("if", [Form::call("not", [condition], span), body], call.span))
}

/// Without a person at a prompt it can only do what `assert` does.
pub(super) fn assert_repl(
    _: &mut dyn Expanding,
    call: &Form,
    arguments: &[Form],
) -> Compiled<Form> {
    if arguments.is_empty() {
        return Err(Fault::new(call.span, "assert-repl has no condition")
            .help("write (assert-repl condition message)"));
    }
    Ok(make::global_call("assert", arguments.iter().cloned(), call.span))
}

fn split(name: &str, call: &Form, arguments: &[Form]) -> Compiled<(Form, Form)> {
    match arguments {
        [condition, body @ ..] if !body.is_empty() => {
            Ok((condition.clone(), Form::call("do", body.iter().cloned(), call.span)))
        }
        _ => {
            let what = if arguments.is_empty() { "condition and no body" } else { "body" };
            Err(Fault::new(call.span, format!("{name} has no {what}"))
                .help(format!("write ({name} condition body …)")))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::builtin::testing::{expanded, refusal};

    #[test]
    fn when_and_unless_are_an_if_around_a_body() {
        assert_eq!(expanded("(when a b c)"), "(if a (do b c))");
        assert_eq!(expanded("(unless a b)"), "(if (not a) (do b))");
        assert_eq!(refusal("(when a)"), "(when a) | when has no body");
        assert_eq!(refusal("(unless)"), "(unless) | unless has no condition and no body");
    }

    #[test]
    fn assert_repl_asserts() {
        assert_eq!(expanded("(assert-repl a :b)"), "(_G~0.assert a :b)");
        assert_eq!(refusal("(assert-repl)"), "(assert-repl) | assert-repl has no condition");
    }
}
