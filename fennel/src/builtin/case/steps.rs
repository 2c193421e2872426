//! `case-try` and `match-try`: match after match, each on what the one before gave.

use std::rc::Rc;

use crate::builtin::{Expanding, make, mentions};
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};
use crate::source::Span;

use super::clauses::{Chain, Shape};
use super::pairs_of;
use super::pattern::Flavor;

pub(super) fn expand(
    cx: &mut dyn Expanding,
    flavor: Flavor,
    call: &Form,
    arguments: &[Form],
) -> Compiled<Form> {
    let name = flavor.name();
    let usage = format!("write ({name}-try value pattern next-value … (catch pattern body …))");
    let Some((value, rest)) = arguments.split_first() else {
        return Err(Fault::new(call.span, format!("{name}-try has no value to match")).help(usage));
    };
    let (steps, catch) = match rest.split_last() {
        Some((last, steps)) if last.is_call_of("catch") => {
            (steps, last.as_list().and_then(|parts| parts.get(1..)))
        }
        _ => (rest, None),
    };
    if let Some(early) = steps.iter().find(|step| step.is_call_of("catch")) {
        return Err(Fault::new(early.span, "catch is not last").help(usage));
    }
    let steps = pairs_of(steps)?;
    if let Some((pattern, _)) = steps.get(MOST_STEPS) {
        return Err(Fault::new(pattern.span, format!("{name}-try has too many steps"))
            .help("take a part out into a function of its own"));
    }
    let catch = catch.map(pairs_of).transpose()?;
    let span = call.span;
    if let Some(catch) = catch.as_deref()
        && steps.len() > 1
        && is_long(catch)
        && stands_alone(catch, &steps)
    {
        let name = cx.gensym("catch");
        let (function, width) = handler(cx, flavor, catch, span)?;
        let otherwise = Otherwise::Call { name: name.clone(), width };
        let matched = Try { flavor, otherwise, span }.expand(cx, value, &steps)?;
        return Ok(make::bind(vec![Form::symbol(name, span), function], vec![matched], span));
    }
    let otherwise = catch.map_or(Otherwise::Keep, Otherwise::Clauses);
    Try { flavor, otherwise, span }.expand(cx, value, &steps)
}

/// Forms that are repeated in each step rather than called as a function.
const SHORT: usize = 40;

/// Whether repeating the clauses in each step would make the code a lot longer. Where such clauses
/// hold others, it would grow with the power of their levels.
fn is_long(catch: &[(&Form, &Form)]) -> bool {
    let mut left = SHORT;
    !catch.iter().all(|(pattern, body)| pattern.fits(&mut left) && body.fits(&mut left))
}

/// Whether the clauses mean the same outside of the steps and in a function of their own: they
/// neither name what a step binds, nor read `...`, nor hold Lua that could leave the function.
fn stands_alone(catch: &[(&Form, &Form)], steps: &[(&Form, &Form)]) -> bool {
    let mut names = vec!["lua"];
    steps.iter().for_each(|(pattern, _)| mentions::names_in(pattern, &mut names));
    catch.iter().flat_map(|(pattern, body)| [*pattern, *body]).all(|code| {
        mentions::rest_values(std::slice::from_ref(code)).is_none()
            && !names.iter().any(|name| !is_mark(name) && mentions::mentions_name(code, name))
    })
}

/// Whether a name in a pattern binds nothing.
fn is_mark(name: &str) -> bool {
    matches!(name, "_" | "&" | "&as" | "where" | "or" | "=" | "?" | ".")
}

/// The clauses of `catch` as a function of the values that no step took, and how many it takes.
fn handler(
    cx: &mut dyn Expanding,
    flavor: Flavor,
    catch: &[(&Form, &Form)],
    span: Span,
) -> Compiled<(Form, usize)> {
    let shapes = catch.iter().map(|(pattern, _)| Shape::read(flavor, pattern));
    let shapes = shapes.collect::<Compiled<Vec<_>>>()?;
    let width = shapes.iter().map(Shape::width).max().unwrap_or(1);
    let names: Vec<_> = (0..width).map(|_| cx.gensym("case")).collect();
    let values = make::symbols(&names, span);
    let mut clauses = Vec::with_capacity(shapes.len());
    for (shape, (_, body)) in shapes.iter().zip(catch) {
        clauses.push((shape.clause(&*cx, &values)?, (*body).clone()));
    }
    let body = Chain::new(clauses).render(cx, Vec::new(), None, span);
    Ok((Form::call("fn", [Form::sequence(values, span), body], span), width))
}

/// Steps of one call: each is nested in the one before.
const MOST_STEPS: usize = 100;

/// What becomes of values that a step does not take.
enum Otherwise<'a> {
    /// They are given back.
    Keep,
    /// These clauses are tried on them.
    Clauses(Vec<(&'a Form, &'a Form)>),
    /// So many of them are handed to the function of this name.
    Call { name: Rc<str>, width: usize },
}

struct Try<'a> {
    flavor: Flavor,
    otherwise: Otherwise<'a>,
    span: Span,
}

impl Try<'_> {
    fn expand(
        &self,
        cx: &mut dyn Expanding,
        value: &Form,
        steps: &[(&Form, &Form)],
    ) -> Compiled<Form> {
        let Some(((pattern, next), steps)) = steps.split_first() else {
            return Ok(value.clone());
        };
        let shape = Shape::read(self.flavor, pattern)?;
        let (catch, least) = match &self.otherwise {
            Otherwise::Keep => (&[][..], 1),
            Otherwise::Clauses(clauses) => (&clauses[..], 1),
            Otherwise::Call { width, .. } => (&[][..], *width),
        };
        let catching = catch
            .iter()
            .map(|(pattern, _)| Shape::read(self.flavor, pattern))
            .collect::<Compiled<Vec<_>>>()?;
        let width = catching.iter().map(Shape::width).chain([shape.width(), least]).max();
        let width = width.unwrap_or(1);
        let names: Vec<_> = (0..width).map(|_| cx.gensym("case")).collect();
        let values = make::symbols(&names, value.span);

        let clause = shape.clause(&*cx, &values)?;
        let mut clauses = Vec::with_capacity(1 + catching.len());
        for (shape, (_, body)) in catching.iter().zip(catch) {
            clauses.push((shape.clause(&*cx, &values)?, (*body).clone()));
        }
        let inner = {
            let names = clause.common_names();
            self.expand(&mut Inside { cx: &mut *cx, names }, next, steps)?
        };
        clauses.insert(0, (clause, inner));

        let bound = || vec![make::names(&names, value.span), value.clone()];
        let (bindings, otherwise) = match &self.otherwise {
            Otherwise::Keep => self.keeping_all(cx, value, &names),
            Otherwise::Clauses(_) => (bound(), None),
            Otherwise::Call { name, width } => {
                let call = Form::call(name, values.into_iter().take(*width), self.span);
                (bound(), Some(call))
            }
        };
        Ok(Chain::new(clauses).render(cx, bindings, otherwise, self.span))
    }

    /// Binds the values and gives them all back where nothing catches them.
    fn keeping_all(
        &self,
        cx: &mut dyn Expanding,
        value: &Form,
        names: &[Rc<str>],
    ) -> (Vec<Form>, Option<Form>) {
        let span = value.span;
        if !can_be_several(value) {
            let bindings = vec![make::names(names, span), value.clone()];
            return (bindings, Some(Form::symbol(names[0].clone(), span)));
        }
        let all = cx.gensym("values");
        let whole = Form::symbol(all.clone(), span);
        let pack = make::global_call("table.pack", [value.clone()], span);
        let mut bindings = vec![whole.clone(), pack];
        for (at, name) in names.iter().enumerate() {
            let field = Form::call(".", [whole.clone(), make::integer(at + 1, span)], span);
            bindings.extend([Form::symbol(name.clone(), span), field]);
        }
        let count = Form::call(".", [whole.clone(), Form::string("n", span)], span);
        let parts = [whole, make::integer(1, span), count];
        (bindings, Some(make::global_call("table.unpack", parts, span)))
    }
}

/// Whether it can give more values than one.
fn can_be_several(value: &Form) -> bool {
    matches!(value.kind, Kind::List(_) | Kind::Varg) || value.is_symbol("$...")
}

/// The compiler, with the names of the steps before in scope too.
struct Inside<'a> {
    cx: &'a mut dyn Expanding,
    names: Vec<Rc<str>>,
}

impl Expanding for Inside<'_> {
    fn gensym(&mut self, base: &str) -> Rc<str> {
        self.cx.gensym(base)
    }

    fn is_local(&self, name: &str) -> bool {
        self.names.iter().any(|known| &**known == name) || self.cx.is_local(name)
    }

    fn note_used(&self, span: Span) {
        self.cx.note_used(span);
    }

    fn file_name(&self, span: Span) -> std::sync::Arc<str> {
        self.cx.file_name(span)
    }
}
