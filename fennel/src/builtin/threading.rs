//! `->`, `->>`, `-?>`, `-?>>` and `doto`: a value put into one call after the other.

use crate::builtin::{Expanding, make};
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};

/// Where in a call the value goes.
#[derive(Clone, Copy)]
enum Position {
    First,
    Last,
}

/// `(-> x (f 1) g)` is `(g (f x 1))`.
pub(super) fn thread_first(
    _: &mut dyn Expanding,
    call: &Form,
    arguments: &[Form],
) -> Compiled<Form> {
    thread("->", Position::First, call, arguments)
}

/// `(->> x (f 1) g)` is `(g (f 1 x))`.
pub(super) fn thread_last(
    _: &mut dyn Expanding,
    call: &Form,
    arguments: &[Form],
) -> Compiled<Form> {
    thread("->>", Position::Last, call, arguments)
}

/// Like `->`, and stops with nil at the first nil.
pub(super) fn thread_maybe_first(
    cx: &mut dyn Expanding,
    call: &Form,
    arguments: &[Form],
) -> Compiled<Form> {
    thread_maybe("-?>", cx, Position::First, call, arguments)
}

/// Like `->>`, and stops with nil at the first nil.
pub(super) fn thread_maybe_last(
    cx: &mut dyn Expanding,
    call: &Form,
    arguments: &[Form],
) -> Compiled<Form> {
    thread_maybe("-?>>", cx, Position::Last, call, arguments)
}

/// `(doto x (f 1) g)` is `(f x 1)`, `(g x)`, and gives x.
pub(super) fn doto(cx: &mut dyn Expanding, call: &Form, arguments: &[Form]) -> Compiled<Form> {
    let (value, steps) = split("doto", call, arguments)?;
    let mut bindings = Vec::new();
    let subject = if make::is_plain_symbol(value) || make::is_constant(value) {
        value.clone()
    } else {
        let name = Form::symbol(cx.gensym("value"), value.span);
        bindings.extend([name.clone(), value.clone()]);
        name
    };
    let mut body = steps
        .iter()
        .map(|step| step_of("doto", Position::First, step, subject.clone()))
        .collect::<Compiled<Vec<_>>>()?;
    body.push(subject);
    Ok(make::bind(bindings, body, call.span))
}

fn thread(name: &str, at: Position, call: &Form, arguments: &[Form]) -> Compiled<Form> {
    let (value, steps) = split(name, call, arguments)?;
    steps.iter().try_fold(value.clone(), |value, step| step_of(name, at, step, value))
}

fn thread_maybe(
    name: &str,
    cx: &mut dyn Expanding,
    at: Position,
    call: &Form,
    arguments: &[Form],
) -> Compiled<Form> {
    let (value, steps) = split(name, call, arguments)?;
    let mut value = value.clone();
    // Each value but the last one has a name, and what follows stands inside its test.
    let mut tested = Vec::new();
    for step in steps {
        let span = value.span;
        let known = make::is_plain_symbol(&value);
        let subject = if known { value.clone() } else { Form::symbol(cx.gensym("value"), span) };
        let next = step_of(name, at, step, subject.clone())?;
        tested.push((subject, (!known).then_some(value)));
        value = next;
    }
    Ok(tested.into_iter().rev().fold(value, |rest, (subject, value)| {
        let span = subject.span;
        let test = make::is_not_nil(subject.clone(), span);
        let checked = Form::call("if", [test, rest], span);
        let bindings = value.map_or_else(Vec::new, |value| vec![subject, value]);
        make::bind(bindings, vec![checked], span)
    }))
}

/// Steps of one call, which are nested in one another.
const MOST_STEPS: usize = 900;

fn split<'a>(name: &str, call: &Form, arguments: &'a [Form]) -> Compiled<(&'a Form, &'a [Form])> {
    if let Some(step) = arguments.get(MOST_STEPS).filter(|_| name != "doto") {
        return Err(Fault::new(step.span, format!("these steps of {name} nest too deeply"))
            .help("give a value in the middle a name"));
    }
    arguments.split_first().ok_or_else(|| {
        Fault::new(call.span, format!("{name} has no value to begin with"))
            .help(format!("write ({name} value step …)"))
    })
}

/// The call that a step stands for.
fn step_of(name: &str, at: Position, step: &Form, value: Form) -> Compiled<Form> {
    let wrong = |what: String| {
        Fault::new(step.span, what)
            .help(format!("a step of {name} is a function's name, or a call without the value"))
    };
    match &step.kind {
        Kind::Symbol(_) => Ok(Form::list(vec![step.clone(), value], step.span)),
        Kind::List(parts) => {
            let Some((head, rest)) = parts.split_first() else {
                return Err(wrong(format!("a step of {name} is an empty list")));
            };
            if head.is_symbol("hashfn") {
                return Err(Fault::new(
                    step.span,
                    format!("{name} cannot put a value into a #function"),
                )
                .help("call it: put another pair of parentheses around it"));
            }
            let head = std::iter::once(head.clone());
            let rest = rest.iter().cloned();
            let parts: Vec<_> = match at {
                Position::First => head.chain([value]).chain(rest).collect(),
                Position::Last => head.chain(rest).chain([value]).collect(),
            };
            Ok(Form::list(parts, step.span))
        }
        _ => Err(wrong(format!("a step of {name} cannot be {}", step.described()))),
    }
}

#[cfg(test)]
mod tests {
    use crate::builtin::testing::{expanded, lines_of, refusal};

    #[test]
    fn the_value_goes_first_or_last_into_each_step() {
        assert_eq!(expanded("(-> x)"), "x");
        assert_eq!(expanded("(-> x f (g 1) (h))"), "(h (g (f x) 1))");
        assert_eq!(expanded("(->> x f (g 1) (h))"), "(h (g 1 (f x)))");
        assert_eq!(expanded("(-> x a.b a:c (: :d))"), "(: (a:c (a.b x)) :d)");
    }

    #[test]
    fn each_step_keeps_its_line() {
        assert_eq!(lines_of("g", "(-> x\n  f\n  (g 1))"), [3]);
        assert_eq!(lines_of("f", "(-> x\n  f\n  (g 1))"), [2]);
    }

    #[test]
    fn the_maybe_forms_test_each_value_but_the_last() {
        assert_eq!(expanded("(-?> x)"), "x");
        assert_eq!(
            expanded("(-?> x f (g 1))"),
            "(if (not= nil x) (let [value1 (f x)] (if (not= nil value1) (g value1 1))))"
        );
        assert_eq!(
            expanded("(-?>> (f) (g 1))"),
            "(let [value1 (f)] (if (not= nil value1) (g 1 value1)))"
        );
    }

    #[test]
    fn doto_names_what_is_not_a_name() {
        assert_eq!(expanded("(doto x (f 1) g)"), "(do (f x 1) (g x) x)");
        assert_eq!(expanded("(doto (make) (: :y))"), "(let [value1 (make)] (: value1 :y) value1)");
        assert_eq!(expanded("(doto a.b f)"), "(let [value1 a.b] (f value1) value1)");
    }

    #[test]
    fn what_cannot_take_a_value_is_refused() {
        assert_eq!(refusal("(->)"), "(->) | -> has no value to begin with");
        assert_eq!(refusal("(->> x (f) :a)"), ":a | a step of ->> cannot be a string");
        assert_eq!(refusal("(-?> x ())"), "() | a step of -?> is an empty list");
        assert_eq!(refusal("(-> x #(f $))"), "#(f $) | -> cannot put a value into a #function");
        assert_eq!(refusal("(doto x {})"), "{} | a step of doto cannot be a table");
    }
}
