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
        return Err(Fault::new(bindings.span, format!("{name} has no result and its start"))
            .help(usage));
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
