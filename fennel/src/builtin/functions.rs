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
