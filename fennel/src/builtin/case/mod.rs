//! `case`, `match`, `case-try` and `match-try`: patterns, and what to do where they fit.
//!
//! [`pattern`] turns a pattern into tests and bindings, [`clauses`] turns several of them into one
//! `if`, and [`steps`] chains matches, each on what the one before gave.

mod clauses;
mod paths;
mod pattern;
mod steps;
#[cfg(test)]
mod tests;

use crate::builtin::{Expanding, make};
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};

use clauses::{Chain, Clause, Shape};
use pattern::Flavor;

/// `(case subject pattern body …)`
pub(super) fn case(cx: &mut dyn Expanding, call: &Form, arguments: &[Form]) -> Compiled<Form> {
    expand(cx, Flavor::Case, call, arguments)
}

/// `(match subject pattern body …)`: names in scope stand for their values.
pub(super) fn match_(cx: &mut dyn Expanding, call: &Form, arguments: &[Form]) -> Compiled<Form> {
    expand(cx, Flavor::Match, call, arguments)
}

/// `(case-try value pattern next-value … (catch pattern body …))`
pub(super) fn case_try(cx: &mut dyn Expanding, call: &Form, arguments: &[Form]) -> Compiled<Form> {
    steps::expand(cx, Flavor::Case, call, arguments)
}

/// Like `case-try`; names in scope stand for their values.
pub(super) fn match_try(cx: &mut dyn Expanding, call: &Form, arguments: &[Form]) -> Compiled<Form> {
    steps::expand(cx, Flavor::Match, call, arguments)
}

fn expand(
    cx: &mut dyn Expanding,
    flavor: Flavor,
    call: &Form,
    arguments: &[Form],
) -> Compiled<Form> {
    let name = flavor.name();
    let usage = || format!("write ({name} value pattern body …)");
    let Some((subject, pairs)) = arguments.split_first() else {
        return Err(Fault::new(call.span, format!("{name} has no value to match")).help(usage()));
    };
    if pairs.is_empty() {
        return Err(Fault::new(call.span, format!("{name} has no pattern and body")).help(usage()));
    }
    let pairs = pairs_of(pairs)?;
    let shapes = pairs
        .iter()
        .map(|(pattern, _)| Shape::read(flavor, pattern))
        .collect::<Compiled<Vec<_>>>()?;
    let width = shapes.iter().map(Shape::width).max().unwrap_or(1);

    if width == 1 && is_settled_local(cx, subject) {
        let clauses = read_all(&*cx, &shapes, std::slice::from_ref(subject))?;
        let captured = |clause: &Clause| subject.as_symbol().is_some_and(|name| clause.binds(name));
        if !clauses.iter().any(captured) {
            return Ok(chain(clauses, &pairs).render(cx, Vec::new(), None, call.span));
        }
    }
    let values: Vec<_> = (0..width).map(|_| cx.gensym("case")).collect();
    let names = make::symbols(&values, subject.span);
    let clauses = read_all(&*cx, &shapes, &names)?;
    let mut chain = chain(clauses, &pairs);
    if matches!(subject.kind, Kind::Sequence(_) | Kind::Table(_)) {
        chain.first_value_is_table(&names[0]);
    }
    let bindings = vec![make::names(&values, subject.span), subject.clone()];
    Ok(chain.render(cx, bindings, None, call.span))
}

/// Whether the subject can be read again and again, instead of a copy of it.
fn is_settled_local(cx: &dyn Expanding, subject: &Form) -> bool {
    make::is_plain_symbol(subject) && subject.as_symbol().is_some_and(|name| cx.is_local(name))
}

fn read_all(cx: &dyn Expanding, shapes: &[Shape<'_>], values: &[Form]) -> Compiled<Vec<Clause>> {
    shapes.iter().map(|shape| shape.clause(cx, values)).collect()
}

fn chain(clauses: Vec<Clause>, pairs: &[(&Form, &Form)]) -> Chain {
    let bodies = pairs.iter().map(|(_, body)| (*body).clone());
    Chain::new(clauses.into_iter().zip(bodies).collect())
}

/// Patterns and bodies in turn.
fn pairs_of(forms: &[Form]) -> Compiled<Vec<(&Form, &Form)>> {
    forms
        .chunks(2)
        .map(|pair| match pair {
            [pattern, body] => Ok((pattern, body)),
            _ => Err(Fault::new(pair[0].span, "this pattern has no body")
                .help("each pattern has one body behind it; write _ before a body for the rest")),
        })
        .collect()
}
