//! `pick-values` and `pick-args`: so many values, so many arguments.

use std::rc::Rc;

use crate::builtin::{Expanding, make};
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};

/// More names than this do not fit into a Lua function beside others.
const MOST: i64 = 150;

/// `(pick-values 2 (f))`: exactly two values.
pub(super) fn pick_values(
    cx: &mut dyn Expanding,
    call: &Form,
    arguments: &[Form],
) -> Compiled<Form> {
    let usage = "write (pick-values 2 (f)), with the number as a literal";
    let (count, values) = split("pick-values", usage, call, arguments)?;
    let span = call.span;
    let nothing = Form::call("values", [], span);
    if count == 0 {
        let body = values.iter().cloned().chain([nothing]);
        return Ok(Form::call("do", body, span));
    }
    if values.is_empty() {
        return Ok(Form::call("values", (0..count).map(|_| make::nil(span)), span));
    }
    let picked = gensyms(cx, count);
    let given = match values {
        [one] => one.clone(),
        _ => Form::call("values", values.iter().cloned(), span),
    };
    let result = match make::symbols(&picked, span) {
        names if names.len() == 1 => names,
        names => vec![Form::call("values", names, span)],
    };
    Ok(make::bind(vec![make::names(&picked, span), given], result, span))
}

/// `(pick-args 2 f)`: a function of exactly two arguments that calls `f` with them.
pub(super) fn pick_args(cx: &mut dyn Expanding, call: &Form, arguments: &[Form]) -> Compiled<Form> {
    let usage = "write (pick-args 2 f), with the number as a literal";
    let (count, functions) = split("pick-args", usage, call, arguments)?;
    let [function] = functions else {
        return Err(Fault::new(call.span, "pick-args takes a number and one function").help(usage));
    };
    let span = call.span;
    let picked = make::symbols(&gensyms(cx, count), span);
    let parts: Vec<_> = std::iter::once(function.clone()).chain(picked.iter().cloned()).collect();
    Ok(Form::call("fn", [Form::sequence(picked, span), Form::list(parts, span)], span))
}

fn gensyms(cx: &mut dyn Expanding, count: usize) -> Vec<Rc<str>> {
    (0..count).map(|_| cx.gensym("picked")).collect()
}

fn split<'a>(
    name: &str,
    usage: &str,
    call: &Form,
    arguments: &'a [Form],
) -> Compiled<(usize, &'a [Form])> {
    let Some((number, rest)) = arguments.split_first() else {
        return Err(Fault::new(call.span, format!("{name} has no number")).help(usage));
    };
    match number.kind {
        Kind::Integer(count @ 0..=MOST) => Ok((usize::try_from(count).unwrap_or(0), rest)),
        Kind::Integer(count) if count > MOST => Err(Fault::new(
            number.span,
            format!("{name} takes at most {MOST}, and this is {count}"),
        )
        .help("keep more of them in a table")),
        _ => Err(Fault::new(
            number.span,
            format!("{name} takes a whole number from 0, and this is {}", number.described()),
        )
        .help(usage)),
    }
}

#[cfg(test)]
mod tests {
    use crate::builtin::testing::{expanded, refusal};

    #[test]
    fn values_are_cut_or_filled_up() {
        assert_eq!(
            expanded("(pick-values 2 (f))"),
            "(let [(picked1 picked2) (f)] (values picked1 picked2))"
        );
        assert_eq!(expanded("(pick-values 1 (f))"), "(let [picked1 (f)] picked1)");
        assert_eq!(expanded("(pick-values 0 (f))"), "(do (f) (values))");
        assert_eq!(expanded("(pick-values 2)"), "(values nil nil)");
        assert_eq!(expanded("(pick-values 1 a b)"), "(let [picked1 (values a b)] picked1)");
    }

    #[test]
    fn arguments_are_counted() {
        assert_eq!(expanded("(pick-args 2 +)"), "(fn [picked1 picked2] (+ picked1 picked2))");
        assert_eq!(expanded("(pick-args 0 (f))"), "(fn [] ((f)))");
    }

    #[test]
    fn the_count_is_a_literal_from_zero() {
        let takes = "takes a whole number from 0, and this is";
        assert_eq!(refusal("(pick-values n 1)"), format!("n | pick-values {takes} the symbol n"));
        assert_eq!(refusal("(pick-args -1 f)"), format!("-1 | pick-args {takes} the number -1"));
        assert_eq!(refusal("(pick-values)"), "(pick-values) | pick-values has no number");
        assert_eq!(
            refusal("(pick-args 1)"),
            "(pick-args 1) | pick-args takes a number and one function"
        );
        assert_eq!(
            refusal("(pick-values 151 x)"),
            "151 | pick-values takes at most 150, and this is 151"
        );
    }
}
