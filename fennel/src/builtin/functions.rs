//! `partial`: a function with its first arguments given.

use crate::builtin::{Expanding, make};
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};

/// `(partial f a b)` is `(fn [...] (f a b ...))`, with the arguments evaluated once, before.
pub(super) fn partial(cx: &mut dyn Expanding, call: &Form, arguments: &[Form]) -> Compiled<Form> {
    let Some((function, given)) = arguments.split_first() else {
        return Err(Fault::new(call.span, "partial has no function")
            .help("write (partial function argument …)"));
    };
    let span = call.span;
    let rest = Form::new(Kind::Varg, span);
    let mut bindings = Vec::new();
    let mut parts = vec![function.clone()];
    for argument in given {
        if make::is_plain_symbol(argument) || make::is_constant(argument) {
            parts.push(argument.clone());
        } else {
            let name = Form::symbol(cx.gensym("given"), argument.span);
            bindings.extend([name.clone(), argument.clone()]);
            parts.push(name);
        }
    }
    parts.push(rest.clone());
    let body = Form::list(parts, span);
    let function = Form::call("fn", [Form::sequence(vec![rest], span), body], span);
    Ok(make::bind(bindings, vec![function], span))
}

#[cfg(test)]
mod tests {
    use crate::builtin::testing::{expanded, refusal};

    #[test]
    fn partial_evaluates_before_what_is_neither_a_name_nor_a_constant() {
        assert_eq!(
            expanded("(partial f 1 :x nil a a.b (g) [])"),
            "(let [given1 a.b given2 (g) given3 []] \
             (fn [...] (f 1 :x nil a given1 given2 given3 ...)))"
        );
        assert_eq!(expanded("(partial t.f:m)"), "(fn [...] (t.f:m ...))");
        assert_eq!(refusal("(partial)"), "(partial) | partial has no function");
    }
}
