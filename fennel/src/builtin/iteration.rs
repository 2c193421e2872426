//! What the comprehensions share: a loop's bindings, with the clauses that stand at their end.

use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};
use crate::source::Span;

/// Over what a comprehension goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Loop {
    /// The values of an iterator.
    Each,
    /// The numbers of a range.
    For,
}

impl Loop {
    fn form(self) -> &'static str {
        match self {
            Loop::Each => "each",
            Loop::For => "for",
        }
    }

    /// How bindings of it look.
    pub(super) fn shape(self) -> &'static str {
        match self {
            Loop::Each => "key value (pairs table)",
            Loop::For => "i first last",
        }
    }

    /// The fewest forms that bindings of it have.
    fn fewest(self) -> usize {
        match self {
            Loop::Each => 2,
            Loop::For => 3,
        }
    }

    /// `(each [bindings …] body …)`
    pub(super) fn over(self, iteration: Iteration, body: Vec<Form>, span: Span) -> Form {
        let mut bindings = iteration.bindings;
        bindings.extend(iteration.until.into_iter().flatten());
        let bindings = Form::sequence(bindings, iteration.span);
        Form::call(self.form(), std::iter::once(bindings).chain(body), span)
    }
}

/// A loop's bindings without their clauses.
pub(super) struct Iteration {
    bindings: Vec<Form>,
    /// `&until` and the condition.
    until: Option<[Form; 2]>,
    /// What is behind `&into`, and the place of `&into` itself.
    pub(super) into: Option<(Form, Span)>,
    span: Span,
}

impl Iteration {
    /// Reads `bindings`, a part of those at `span`. The names of the clauses used to be strings.
    pub(super) fn read(
        name: &str,
        kind: Loop,
        bindings: &[Form],
        span: Span,
    ) -> Compiled<Iteration> {
        let mut read = Iteration { bindings: Vec::new(), until: None, into: None, span };
        let mut rest = bindings.iter();
        while let Some(form) = rest.next() {
            let Some(clause) = clause_name(form) else {
                read.bindings.push(form.clone());
                continue;
            };
            let Some(value) = rest.next() else {
                return Err(Fault::new(form.span, format!("{clause} has nothing behind it"))
                    .help(format!("write ({name} [… {clause} value] …)")));
            };
            let twice = match clause {
                "&into" => read.into.replace((value.clone(), form.span)).is_some(),
                _ => {
                    let until = [Form::symbol(clause, form.span), value.clone()];
                    read.until.replace(until).is_some()
                }
            };
            if twice {
                return Err(Fault::new(form.span, format!("{name} has {clause} twice"))
                    .help("leave one of them"));
            }
        }
        if read.bindings.len() < kind.fewest() {
            return Err(Fault::new(span, format!("{name} has too few bindings"))
                .help(format!("write ({name} [{}] …)", kind.shape())));
        }
        Ok(read)
    }
}

fn clause_name(form: &Form) -> Option<&'static str> {
    match &form.kind {
        Kind::Symbol(symbol) if &*symbol.name == "&into" => Some("&into"),
        Kind::Symbol(symbol) if &*symbol.name == "&until" => Some("&until"),
        Kind::Str(text) if &**text == b"into" => Some("&into"),
        Kind::Str(text) if &**text == b"until" => Some("&until"),
        _ => None,
    }
}

/// The bindings and the body of a comprehension's call.
pub(super) fn split<'a>(
    name: &str,
    usage: &str,
    call: &Form,
    arguments: &'a [Form],
) -> Compiled<(&'a Form, &'a [Form], &'a [Form])> {
    let Some((bindings, body)) = arguments.split_first() else {
        return Err(Fault::new(call.span, format!("{name} has no bindings")).help(usage));
    };
    let Some(parts) = bindings.as_sequence() else {
        return Err(Fault::new(
            bindings.span,
            format!("{name}'s bindings are in [ ], and this is {}", bindings.described()),
        )
        .help(usage));
    };
    if body.is_empty() {
        return Err(Fault::new(call.span, format!("{name} has no body")).help(usage));
    }
    Ok((bindings, parts, body))
}

/// The one form that the body of most comprehensions is.
pub(super) fn only<'a>(name: &str, body: &'a [Form]) -> Compiled<&'a Form> {
    match body {
        [only] => Ok(only),
        _ => Err(Fault::new(
            body.get(1).map_or_else(Span::default, |second| second.span),
            format!("{name} takes one form as its body, and this is a second one"),
        )
        .help("put them into (do …)")),
    }
}
