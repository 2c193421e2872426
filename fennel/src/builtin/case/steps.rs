//! `case-try` and `match-try`: match after match, each on what the one before gave.

use std::rc::Rc;

use crate::builtin::{Expanding, make};
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
    Try { flavor, catch, span: call.span }.expand(cx, value, &steps)
}

/// Steps of one call: each is nested in the one before.
const MOST_STEPS: usize = 100;

struct Try<'a> {
    flavor: Flavor,
    catch: Option<Vec<(&'a Form, &'a Form)>>,
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
        let catching = self
            .catch
            .iter()
            .flatten()
            .map(|(pattern, _)| Shape::read(self.flavor, pattern))
            .collect::<Compiled<Vec<_>>>()?;
        let width = catching.iter().map(Shape::width).chain([shape.width()]).max().unwrap_or(1);
        let names: Vec<_> = (0..width).map(|_| cx.gensym("case")).collect();
        let values = make::symbols(&names, value.span);

        let clause = shape.clause(&*cx, &values)?;
        let mut clauses = Vec::with_capacity(1 + catching.len());
        for (shape, (_, body)) in catching.iter().zip(self.catch.iter().flatten()) {
            clauses.push((shape.clause(&*cx, &values)?, (*body).clone()));
        }
        let inner = {
            let names = clause.common_names();
            self.expand(&mut Inside { cx: &mut *cx, names }, next, steps)?
        };
        clauses.insert(0, (clause, inner));

        let (bindings, otherwise) = match self.catch {
            Some(_) => (vec![make::names(&names, value.span), value.clone()], None),
            None => self.keeping_all(cx, value, &names),
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
        let pack = Form::call("_G.table.pack", [value.clone()], span);
        let mut bindings = vec![whole.clone(), pack];
        for (at, name) in names.iter().enumerate() {
            let field = Form::call(".", [whole.clone(), make::integer(at + 1, span)], span);
            bindings.extend([Form::symbol(name.clone(), span), field]);
        }
        let count = Form::call(".", [whole.clone(), Form::string("n", span)], span);
        let parts = [whole, make::integer(1, span), count];
        (bindings, Some(Form::call("_G.table.unpack", parts, span)))
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

    fn file_name(&self, span: Span) -> std::sync::Arc<str> {
        self.cx.file_name(span)
    }
}
