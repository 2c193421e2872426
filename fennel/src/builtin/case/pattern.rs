//! One pattern: what it demands of a value, and what it binds.

use crate::builtin::{Expanding, make};
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};
use crate::source::Span;

use super::paths::{Path, Source};

/// How the names in a pattern are understood.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flavor {
    /// Each name is a new one; `(= name)` stands for the value of one in scope.
    Case,
    /// A name in scope stands for its value.
    Match,
}

impl Flavor {
    /// The macro's name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Flavor::Case => "case",
            Flavor::Match => "match",
        }
    }
}

/// Where a pattern stands, which decides what is allowed in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is the clause's pattern itself.
    Bare,
    /// It is inside of `(where …)`.
    InWhere,
}

/// A demand of a pattern.
pub(super) enum Test {
    /// There must be a table.
    IsTable(Path, Span),
    /// This code must give true.
    Holds(Form),
}

/// A name that a pattern binds.
pub(super) struct Binding {
    /// The symbol.
    pub(super) name: Form,
    /// What it is bound to.
    pub(super) source: Source,
}

impl Binding {
    /// The name as text.
    pub(super) fn text(&self) -> &str {
        self.name.as_symbol().unwrap_or_default()
    }
}

/// A pattern as tests in order, and bindings.
#[derive(Default)]
pub(super) struct Matched {
    /// What must be so.
    pub(super) tests: Vec<Test>,
    /// What is bound then.
    pub(super) bindings: Vec<Binding>,
}

/// Reads a pattern for these values: as many as the widest pattern beside it names.
pub(super) fn read(
    cx: &dyn Expanding,
    flavor: Flavor,
    standing: Standing,
    pattern: &Form,
    values: &[Form],
) -> Compiled<Matched> {
    let mut reader = Reader { cx, flavor, standing, matched: Matched::default() };
    match pattern.as_list() {
        Some(parts) if !pattern.is_call_of("=") => reader.values(pattern, parts, values)?,
        _ => reader.one(pattern, &Path::whole(&values[0]))?,
    }
    Ok(reader.matched)
}

struct Reader<'a> {
    cx: &'a dyn Expanding,
    flavor: Flavor,
    standing: Standing,
    matched: Matched,
}

impl Reader<'_> {
    fn values(&mut self, pattern: &Form, parts: &[Form], values: &[Form]) -> Compiled<()> {
        if parts.is_empty() {
            return Err(Fault::new(pattern.span, "an empty list is no pattern")
                .help("(a b) matches two values, [] a table, _ anything"));
        }
        self.refuse_heads(pattern)?;
        if let Some(mark) = parts.iter().find(|part| part.is_symbol("?")) {
            return Err(Fault::new(mark.span, "? is not a pattern")
                .help("write (where pattern condition …)"));
        }
        if let Some(mark) = parts.iter().find(|part| part.is_symbol("&")) {
            return Err(Fault::new(mark.span, "& cannot take the rest of several values")
                .help("put the values into a table first: (case [(f)] [a & rest] …)"));
        }
        parts.iter().zip(values).try_for_each(|(part, value)| self.one(part, &Path::whole(value)))
    }

    fn one(&mut self, pattern: &Form, path: &Path) -> Compiled<()> {
        match &pattern.kind {
            Kind::Symbol(symbol) => self.name(pattern, &symbol.name, path),
            Kind::Sequence(parts) => {
                self.matched.tests.push(Test::IsTable(path.clone(), pattern.span));
                self.elements(parts, path, 0)
            }
            Kind::Table(entries) => {
                self.matched.tests.push(Test::IsTable(path.clone(), pattern.span));
                entries.iter().try_for_each(|(key, value)| match key.as_symbol() {
                    Some("&as") => self.whole(value, path),
                    Some("&") => Err(Fault::new(key.span, "a table pattern has no rest")
                        .help("& stands in [ ] only; &as binds the whole table")),
                    _ => self.one(value, &path.field(key.clone())),
                })
            }
            Kind::List(parts) => self.pin(pattern, parts, path),
            Kind::Varg => Err(Fault::new(pattern.span, "... is not a pattern")
                .help("in [ ], & rest binds what follows")),
            Kind::Nil | Kind::Bool(_) | Kind::Integer(_) | Kind::Float(_) | Kind::Str(_) => {
                self.demand_equal(path.read(pattern.span), pattern);
                Ok(())
            }
        }
    }

    fn name(&mut self, pattern: &Form, name: &str, path: &Path) -> Compiled<()> {
        if name.starts_with('&') || name == "?" {
            return Err(misplaced(pattern, name));
        }
        if let Some((owner, _)) = name.split_once(['.', ':']).filter(|(owner, _)| !owner.is_empty())
        {
            if self.flavor == Flavor::Match && self.cx.is_local(owner) && !name.contains(':') {
                self.demand_equal(path.read(pattern.span), pattern);
                return Ok(());
            }
            return Err(Fault::new(pattern.span, format!("a pattern cannot bind {name}")).help(
                match self.flavor {
                    Flavor::Case => format!("to compare with its value, write (where (= {name}))"),
                    Flavor::Match => {
                        format!("{owner} is not a local here; use case with (where (= {name}))")
                    }
                },
            ));
        }
        if self.flavor == Flavor::Match && name != "_" && self.cx.is_local(name) {
            self.demand_equal(path.read(pattern.span), pattern);
            return Ok(());
        }
        let source = Source::at(path.clone());
        let known = self.matched.bindings.iter_mut().find(|binding| binding.text() == name);
        if let Some(known) = &known {
            // That both are equal is what the name is for.
            self.cx.note_used(known.name.span);
        }
        match known {
            // Any value fits each place; the name is that of the last one.
            Some(known) if name.starts_with('_') => known.source = source,
            Some(known) if known.source.is_rest() => return Err(rest_again(pattern, name)),
            Some(known) => {
                let first = known.source.read(pattern.span);
                let test = Form::call("=", [first, path.read(pattern.span)], pattern.span);
                self.matched.tests.push(Test::Holds(test));
            }
            None => {
                if !name.starts_with(['_', '?']) {
                    let test = make::is_not_nil(path.read(pattern.span), pattern.span);
                    self.matched.tests.push(Test::Holds(test));
                }
                self.matched.bindings.push(Binding { name: pattern.clone(), source });
            }
        }
        Ok(())
    }

    /// `(= name)`, the only list that stands inside of a pattern.
    fn pin(&mut self, pattern: &Form, parts: &[Form], path: &Path) -> Compiled<()> {
        self.refuse_heads(pattern)?;
        if !pattern.is_call_of("=") {
            return Err(Fault::new(pattern.span, "a list cannot stand inside of a pattern").help(
                "(a b) matches several values; a table inside of a pattern is in [ ] or { }",
            ));
        }
        if self.flavor == Flavor::Match {
            return Err(Fault::new(pattern.span, "(= name) has no place in match")
                .help("match compares with each name in scope by itself: write the name alone"));
        }
        let [_, name] = parts else {
            return Err(Fault::new(pattern.span, "(= name) takes one name").help(
                "it compares with the value of that name; write other conditions behind the \
                 pattern of where",
            ));
        };
        if name.as_symbol().is_none() {
            return Err(Fault::new(
                name.span,
                format!("(= name) takes a name, and this is {}", name.described()),
            )
            .help("bind the value to a name first, or write it as a condition of where"));
        }
        if self.standing == Standing::Bare {
            return Err(Fault::new(pattern.span, "(= name) stands inside of (where …) only")
                .help("write (where pattern), with the (= name) in the pattern"));
        }
        self.demand_equal(path.read(pattern.span), name);
        Ok(())
    }

    /// The elements of a sequence pattern, of which `before` have gone before in one around it.
    fn elements(&mut self, parts: &[Form], path: &Path, before: usize) -> Compiled<()> {
        let mut parts = parts.iter().enumerate();
        while let Some((at, part)) = parts.next() {
            match part.as_symbol() {
                Some("&") => {
                    let rest = parts.next().ok_or_else(|| missing(part, "&", "rest"))?.1;
                    self.rest(rest, path, before + at)?;
                    if let Some((_, more)) = parts.next() {
                        return Err(Fault::new(more.span, "& takes one name, the last one")
                            .help("write [a b & rest]"));
                    }
                }
                Some("&as") => {
                    let whole = parts.next().ok_or_else(|| missing(part, "&as", "whole"))?.1;
                    match before {
                        0 => self.whole(whole, path)?,
                        _ => self.bind_rest(whole, path, before)?,
                    }
                    if let Some((_, more)) = parts.next() {
                        return Err(Fault::new(more.span, "&as takes one name, the last one")
                            .help("write [a b &as whole]"));
                    }
                }
                _ => {
                    let index = make::integer(before + at + 1, part.span);
                    self.one(part, &path.field(index))?;
                }
            }
        }
        Ok(())
    }

    /// What stands behind `&`.
    fn rest(&mut self, rest: &Form, path: &Path, before: usize) -> Compiled<()> {
        match &rest.kind {
            Kind::Sequence(parts) => self.elements(parts, path, before),
            _ => self.bind_rest(rest, path, before),
        }
    }

    fn bind_rest(&mut self, rest: &Form, path: &Path, before: usize) -> Compiled<()> {
        let name = match rest.as_symbol() {
            Some(name) if make::is_plain_symbol(rest) && !name.starts_with('&') => name,
            _ => {
                return Err(Fault::new(
                    rest.span,
                    format!("& takes a name for the rest, and this is {}", rest.described()),
                )
                .help("write [a b & rest]"));
            }
        };
        if self.matched.bindings.iter().any(|binding| binding.text() == name) {
            return Err(rest_again(rest, name));
        }
        let source = Source::rest(path.clone(), before + 1);
        self.matched.bindings.push(Binding { name: rest.clone(), source });
        Ok(())
    }

    /// What stands behind `&as`: a name for the table, or one more pattern for it.
    fn whole(&mut self, whole: &Form, path: &Path) -> Compiled<()> {
        let fresh = whole.as_symbol().is_some_and(|name| {
            let pinned = self.flavor == Flavor::Match && self.cx.is_local(name);
            let known = self.matched.bindings.iter().any(|binding| binding.text() == name);
            make::is_plain_symbol(whole) && !name.starts_with('&') && !pinned && !known
        });
        if !fresh {
            return self.one(whole, path);
        }
        // A table is never nil: nothing to test.
        let source = Source::at(path.clone());
        self.matched.bindings.push(Binding { name: whole.clone(), source });
        Ok(())
    }

    fn demand_equal(&mut self, value: Form, wanted: &Form) {
        let test = Form::call("=", [value, wanted.clone()], wanted.span);
        self.matched.tests.push(Test::Holds(test));
    }

    fn refuse_heads(&self, pattern: &Form) -> Compiled<()> {
        if pattern.is_call_of("where") {
            return Err(Fault::new(pattern.span, "where cannot stand inside of a pattern")
                .help("write one (where pattern condition …) around the whole pattern"));
        }
        if pattern.is_call_of("or") {
            return Err(Fault::new(pattern.span, "or stands directly inside of (where …) only")
                .help("write (where (or pattern pattern) condition …)"));
        }
        Ok(())
    }
}

fn misplaced(pattern: &Form, name: &str) -> Fault {
    let help = match name {
        "?" => "write (where pattern condition …)",
        _ => "in [ ], & rest is last and binds what follows; &as whole binds the table itself",
    };
    Fault::new(pattern.span, format!("{name} is not a pattern here")).help(help)
}

fn missing(mark: &Form, name: &str, example: &str) -> Fault {
    Fault::new(mark.span, format!("{name} has no name behind it"))
        .help(format!("write [a b {name} {example}]"))
}

fn rest_again(pattern: &Form, name: &str) -> Fault {
    Fault::new(pattern.span, format!("{name} is bound twice, once to the rest of a table"))
        .help("the rest is a new table, equal to nothing else: give it a name of its own")
}
