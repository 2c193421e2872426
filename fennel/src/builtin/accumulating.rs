//! `accumulate` and `faccumulate`: loops that carry a value from step to step.

use crate::builtin::Expanding;
use crate::builtin::iteration::{self, Iteration, Loop};
use crate::diagnostic::{Compiled, Fault};
use crate::form::Form;

/// `(accumulate [sum 0 _ n (ipairs t)] (+ sum n))`
pub(super) fn accumulate(_: &mut dyn Expanding, call: &Form, arguments: &[Form]) -> Compiled<Form> {
    carry("accumulate", Loop::Each, call, arguments)
}

/// `(faccumulate [sum 0 i 1 9] (+ sum i))`
pub(super) fn faccumulate(
    _: &mut dyn Expanding,
    call: &Form,
    arguments: &[Form],
) -> Compiled<Form> {
    carry("faccumulate", Loop::For, call, arguments)
}

fn carry(name: &str, kind: Loop, call: &Form, arguments: &[Form]) -> Compiled<Form> {
    let usage = format!("write ({name} [result start {}] next-result)", kind.shape());
    let (bindings, parts, body) = iteration::split(name, &usage, call, arguments)?;
    let [carried, start, parts @ ..] = parts else {
        return Err(
            Fault::new(bindings.span, format!("{name} has no result and its start")).help(usage)
        );
    };
    let body = iteration::only(name, body)?;
    let iteration = Iteration::read(name, kind, parts, bindings.span)?;
    if let Some((_, into)) = iteration.into {
        return Err(Fault::new(into, format!("{name} does not collect into a table"))
            .help("leave &into out: the second form is the start"));
    }

    let step = Form::call("set", [carried.clone(), body.clone()], body.span);
    // Several values are bound as (a b), and given back as (values a b).
    let result = match carried.as_list() {
        Some(names) => Form::call("values", names.iter().cloned(), carried.span),
        None => carried.clone(),
    };
    let start = Form::call("var", [carried.clone(), start.clone()], carried.span);
    let steps = kind.over(iteration, vec![step], call.span);
    Ok(Form::call("do", [start, steps, result], call.span))
}

#[cfg(test)]
mod tests {
    use crate::builtin::testing::{expanded, refusal};

    #[test]
    fn the_result_is_carried_from_step_to_step() {
        assert_eq!(
            expanded("(accumulate [sum 0 _ n (ipairs t) &until z] (+ sum n))"),
            "(do (var sum 0) (each [_ n (ipairs t) &until z] (set sum (+ sum n))) sum)"
        );
        assert_eq!(
            expanded("(faccumulate [(a b) (values 0 1) i 1 9 2] (f a b))"),
            "(do (var (a b) (values 0 1)) (for [i 1 9 2] (set (a b) (f a b))) (values a b))"
        );
    }

    #[test]
    fn misuse_is_refused_where_it_is() {
        for (call, refused) in [
            ("(accumulate [a] 1)", "[a] | accumulate has no result and its start"),
            ("(accumulate [a 1] 1)", "[a 1] | accumulate has too few bindings"),
            (
                "(accumulate [a 1 v (f)] 1 2)",
                "2 | accumulate takes one form as its body, and this is a second one",
            ),
            (
                "(faccumulate [a 1 i 1 9 &into t] 1)",
                "&into | faccumulate does not collect into a table",
            ),
        ] {
            assert_eq!(refusal(call), refused);
        }
    }
}
