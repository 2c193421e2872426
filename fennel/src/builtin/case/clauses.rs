//! Several clauses as one `if`.

use std::rc::Rc;

use crate::builtin::{Expanding, make, mentions};
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};
use crate::source::Span;

use super::paths::Path;
use super::pattern::{self, Binding, Flavor, Matched, Standing, Test};

/// A clause's pattern, taken apart into its alternatives and its conditions.
pub(super) struct Shape<'a> {
    flavor: Flavor,
    standing: Standing,
    alternatives: &'a [Form],
    guards: &'a [Form],
    span: Span,
}

impl<'a> Shape<'a> {
    /// Reads `pattern`, `(where pattern guard …)`, `(where (or pattern …) guard …)`, and in match
    /// the old `(pattern ? guard …)`.
    pub(super) fn read(flavor: Flavor, pattern: &'a Form) -> Compiled<Shape<'a>> {
        let span = pattern.span;
        let shape = |standing, alternatives, guards| {
            Ok(Shape { flavor, standing, alternatives, guards, span })
        };
        match pattern.as_list() {
            Some([head, rest @ ..]) if head.is_symbol("where") => {
                let Some((inner, guards)) = rest.split_first() else {
                    return Err(Fault::new(span, "where has no pattern")
                        .help("write (where pattern condition …)"));
                };
                if !inner.is_call_of("or") {
                    return shape(Standing::InWhere, std::slice::from_ref(inner), guards);
                }
                match inner.as_list() {
                    Some([_, alternatives @ ..]) if !alternatives.is_empty() => {
                        shape(Standing::InWhere, alternatives, guards)
                    }
                    _ => Err(Fault::new(inner.span, "or has no patterns")
                        .help("write (where (or pattern pattern) condition …)")),
                }
            }
            Some([inner, mark, guards @ ..]) if mark.is_symbol("?") => match flavor {
                Flavor::Match => shape(Standing::Bare, std::slice::from_ref(inner), guards),
                Flavor::Case => Err(Fault::new(mark.span, "case does not know ? as a guard")
                    .help("write (where pattern condition …)")),
            },
            _ => shape(Standing::Bare, std::slice::from_ref(pattern), &[]),
        }
    }

    /// How many values the pattern is about.
    pub(super) fn width(&self) -> usize {
        let width = |pattern: &Form| match pattern.as_list() {
            Some(parts) if !pattern.is_call_of("=") => parts.len(),
            _ => 1,
        };
        self.alternatives.iter().map(width).max().unwrap_or(1).max(1)
    }

    /// The clause for these values, at least as many as its width.
    pub(super) fn clause(&self, cx: &dyn Expanding, values: &[Form]) -> Compiled<Clause> {
        let alternatives = self
            .alternatives
            .iter()
            .map(|one| pattern::read(cx, self.flavor, self.standing, one, values))
            .collect::<Compiled<Vec<_>>>()?;
        Ok(Clause { alternatives, guards: self.guards.to_vec(), span: self.span })
    }
}

/// A pattern with its conditions.
pub(super) struct Clause {
    alternatives: Vec<Matched>,
    guards: Vec<Form>,
    span: Span,
}

impl Clause {
    /// Whether a name is bound in the body.
    pub(super) fn binds(&self, name: &str) -> bool {
        self.alternatives
            .iter()
            .any(|one| one.bindings.iter().any(|binding| binding.text() == name))
    }

    /// The names that every alternative binds: those that guards and body may read.
    pub(super) fn common_names(&self) -> Vec<Rc<str>> {
        let Some((first, others)) = self.alternatives.split_first() else {
            return Vec::new();
        };
        let in_all = |name: &str| {
            others.iter().all(|one| one.bindings.iter().any(|binding| binding.text() == name))
        };
        first.bindings.iter().map(Binding::text).filter(|name| in_all(name)).map(Rc::from).collect()
    }
}

/// Clauses with their bodies.
pub(super) struct Chain {
    clauses: Vec<(Clause, Form)>,
}

impl Chain {
    pub(super) fn new(clauses: Vec<(Clause, Form)>) -> Chain {
        Chain { clauses }
    }

    fn alternatives(&mut self) -> impl Iterator<Item = &mut Matched> {
        self.clauses.iter_mut().flat_map(|(clause, _)| &mut clause.alternatives)
    }

    /// This value is known to be a table: not to be tested.
    pub(super) fn first_value_is_table(&mut self, value: &Form) {
        for one in self.alternatives() {
            one.tests
                .retain(|test| !matches!(test, Test::IsTable(path, _) if path.is_whole(value)));
        }
    }

    /// `(let [bindings …] (if test body …))`, with `otherwise` where no clause fits.
    pub(super) fn render(
        mut self,
        cx: &mut dyn Expanding,
        mut bindings: Vec<Form>,
        otherwise: Option<Form>,
        span: Span,
    ) -> Form {
        if let Some((name, test)) = self.shared_table_test(cx) {
            bindings.extend([name, test]);
        }
        let mut body = Vec::new();
        let mut branches = Vec::new();
        let count = self.clauses.len();
        let mut exhausted = false;
        for (at, (clause, result)) in self.clauses.into_iter().enumerate() {
            let (condition, result) = clause.render(cx, result, &mut body);
            let always = matches!(condition.kind, Kind::Bool(true));
            exhausted |= always;
            if !always || at + 1 < count {
                branches.push(condition);
            }
            branches.push(result);
        }
        branches.extend(otherwise.filter(|_| !exhausted));
        body.push(match branches.len() {
            1 => branches.remove(0),
            _ => Form::call("if", branches, span),
        });
        make::bind(bindings, body, span)
    }

    /// Where the first test of all asks whether a value is a table and another clause asks it
    /// again: a name for the answer. It replaces the test.
    fn shared_table_test(&mut self, cx: &mut dyn Expanding) -> Option<(Form, Form)> {
        let first = self.alternatives().next()?;
        let Some(Test::IsTable(path, span)) = first.tests.first() else { return None };
        let (value, span) = (path.as_whole()?.clone(), *span);
        let asks = |test: &Test| matches!(test, Test::IsTable(path, _) if path.is_whole(&value));
        if self.alternatives().filter(|one| one.tests.iter().any(asks)).count() < 2 {
            return None;
        }
        let name = Form::symbol(cx.gensym("table"), span);
        for test in self.alternatives().flat_map(|one| &mut one.tests).filter(|test| asks(test)) {
            *test = Test::Holds(name.clone());
        }
        Some((name, is_table(&Path::whole(&value), span)))
    }
}

impl Clause {
    /// Its condition, and its body with the names bound. What it declares goes before the `if`.
    fn render(
        mut self,
        cx: &mut dyn Expanding,
        body: Form,
        declarations: &mut Vec<Form>,
    ) -> (Form, Form) {
        let span = self.span;
        let common = self.common_names();
        for one in &mut self.alternatives {
            one.bindings.retain(|binding| common.iter().any(|name| &**name == binding.text()));
        }
        if self.alternatives.len() > 1 && !self.reads_alike() {
            return self.render_apart(cx, body, declarations);
        }
        let mut alternatives = self.alternatives.into_iter();
        let first = alternatives.next().unwrap_or_default();
        let bindings = first.bindings;
        let mut tests = all_of(first.tests);
        if alternatives.len() > 0 {
            let each = std::iter::once(tests).chain(alternatives.map(|one| all_of(one.tests)));
            let each = each.map(|tests| make::all(tests, span)).collect::<Vec<_>>();
            tests = match each.iter().any(|test| matches!(test.kind, Kind::Bool(true))) {
                true => Vec::new(),
                false => vec![make::any(each, span)],
            };
        }
        if !self.guards.is_empty() {
            tests.push(bound(&bindings, make::all(self.guards, span), span));
        }
        (make::all(tests, span), bound(&bindings, body, span))
    }

    /// Whether all alternatives find each name at the same place.
    fn reads_alike(&self) -> bool {
        let Some((first, others)) = self.alternatives.split_first() else { return true };
        first.bindings.iter().all(|one| {
            others
                .iter()
                .flat_map(|other| &other.bindings)
                .all(|another| another.text() != one.text() || another.source.is_same(&one.source))
        })
    }

    /// For alternatives that find a name at different places: the one that fits writes what it
    /// found into variables.
    fn render_apart(
        self,
        cx: &mut dyn Expanding,
        body: Form,
        declarations: &mut Vec<Form>,
    ) -> (Form, Form) {
        let span = self.span;
        let mut found = Vec::new();
        for binding in self.alternatives.first().map_or(&[][..], |first| &first.bindings) {
            let variable = Form::symbol(cx.gensym("found"), span);
            declarations.push(Form::call("var", [variable.clone(), make::nil(span)], span));
            found.push((binding.name.clone(), variable));
        }
        let mut each = Vec::new();
        for one in self.alternatives {
            let mut keep = Vec::new();
            for (name, variable) in &found {
                let same = |binding: &&Binding| Some(binding.text()) == name.as_symbol();
                let Some(binding) = one.bindings.iter().find(same) else { continue };
                let value = match self.guards.is_empty() {
                    true => binding.source.read(binding.name.span),
                    false => name.clone(),
                };
                keep.push(Form::call("set", [variable.clone(), value], span));
            }
            keep.push(Form::new(Kind::Bool(true), span));
            let keep = Form::call("do", keep, span);
            let mut tests = all_of(one.tests);
            match self.guards.is_empty() {
                true => tests.push(keep),
                false => {
                    let parts = self.guards.iter().cloned().chain([keep]).collect();
                    tests.push(bind_all(one.bindings.iter(), make::all(parts, span), span));
                }
            }
            each.push(make::all(tests, span));
        }
        let bindings = found.into_iter().flat_map(|(name, variable)| [name, variable]).collect();
        (make::any(each, span), make::bind(bindings, vec![body], span))
    }
}

fn all_of(tests: Vec<Test>) -> Vec<Form> {
    tests
        .into_iter()
        .map(|test| match test {
            Test::IsTable(path, span) => is_table(&path, span),
            Test::Holds(form) => form,
        })
        .collect()
}

/// `(= (_G~0.type value) "table")`
fn is_table(path: &Path, span: Span) -> Form {
    let kind = make::global_call("type", [path.read(span)], span);
    Form::call("=", [kind, Form::string("table", span)], span)
}

/// The code with the names bound around it. The name `_` is left out where the code does not read
/// it, since hardly any does.
fn bound(bindings: &[Binding], code: Form, span: Span) -> Form {
    let wanted = |binding: &&Binding| binding.text() != "_" || mentions::mentions_name(&code, "_");
    bind_all(bindings.iter().filter(wanted).collect::<Vec<_>>().into_iter(), code.clone(), span)
}

fn bind_all<'a>(
    bindings: impl ExactSizeIterator<Item = &'a Binding>,
    code: Form,
    span: Span,
) -> Form {
    let bindings: Vec<_> = bindings.collect();
    let read = |binding: &&Binding| binding.source.read(binding.name.span);
    // One after the other, but all at once where a name could change what another's key means.
    let together =
        bindings.len() > 1 && bindings.iter().any(|binding| binding.source.has_computed_key());
    let parts = if together {
        let names = bindings.iter().map(|binding| binding.name.clone()).collect::<Vec<_>>();
        let values = Form::call("values", bindings.iter().map(read), span);
        vec![Form::list(names, span), values]
    } else {
        bindings.iter().flat_map(|binding| [binding.name.clone(), read(binding)]).collect()
    };
    make::bind(parts, vec![code], span)
}
