//! What a name stands for where a value is wanted.

use std::rc::Rc;

use super::scope::Binding;
use super::{Compiler, destructure, elsewhere, special};
use crate::builtin;
use crate::diagnostic::{Compiled, Fault};
use crate::form::Form;
use crate::lua::{Expr, ExprKind, names};
use crate::source::{Place, Span};

/// How the message about a name begins that nothing binds.
pub(super) const UNKNOWN: &str = "unknown identifier";

/// A name that holds several ones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MultiSymbol<'n> {
    /// The variable.
    pub(crate) base: &'n str,
    /// The fields behind it, joined by dots.
    fields: &'n str,
    /// The method at the end, in `a.b:m`.
    pub(crate) method: Option<&'n str>,
}

impl<'n> MultiSymbol<'n> {
    /// Takes a name apart; `None` if it is a single one.
    pub(crate) fn parse(name: &'n str) -> Option<Self> {
        let bytes = name.as_bytes();
        let at = bytes.iter().position(|b| matches!(b, b'.' | b':'))?;
        // `.`, `..`, `?.`, `:` and the like are names of their own.
        if at == 0 || at + 1 == name.len() || name == "?." || bytes[0] == b'?' && at == 1 {
            return None;
        }
        if name.starts_with('$') && name[1..].starts_with("...") {
            return None;
        }
        let (path, method) = match name.rsplit_once(':') {
            Some((path, method)) => (path, Some(method)),
            None => (name, None),
        };
        let (base, fields) = path.split_once('.').unwrap_or((path, ""));
        Some(MultiSymbol { base, fields, method })
    }

    /// The fields from left to right.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &'n str> + use<'n> {
        self.fields.split('.').filter(|field| !field.is_empty())
    }
}

impl Compiler {
    /// The value of a symbol.
    pub(crate) fn symbol(&mut self, form: &Form, name: &str) -> Compiled<Expr> {
        let Some(multi) = MultiSymbol::parse(name) else { return self.variable(name, form.span) };
        if multi.base == builtin::GLOBALS {
            return self.own_global(&multi, form.span);
        }
        if multi.method.is_some() {
            return Err(Fault::new(
                form.span,
                format!("{name} is a method call and needs parentheses"),
            )
            .help(format!("write ({name} …) to call it")));
        }
        let base = self.variable(multi.base, form.span)?;
        self.fields_of(base, &multi, form.span)
    }

    /// A global that a macro of the language itself means, whatever the program calls `_G`.
    fn own_global(&mut self, multi: &MultiSymbol<'_>, span: Span) -> Compiled<Expr> {
        let (name, fields) = multi.fields.split_once('.').unwrap_or((multi.fields, ""));
        let base = self.global_target(name, span.place());
        self.fields_of(base, &MultiSymbol { fields, ..*multi }, span)
    }

    /// What a path of names leads to.
    pub(crate) fn fields_of(
        &mut self,
        base: Expr,
        multi: &MultiSymbol<'_>,
        span: Span,
    ) -> Compiled<Expr> {
        let name = |field: &str| Expr::string(field.as_bytes(), span.place());
        let keys: Vec<Expr> = multi.fields().map(name).collect();
        self.path(base, keys.into_iter(), span)
    }

    /// The value of a name without dots.
    pub(crate) fn variable(&mut self, name: &str, span: Span) -> Compiled<Expr> {
        let place = span.place();
        let local = self.scopes.borrow_mut().find_local(name).map(|local| {
            local.used = true;
            local.target.clone()
        });
        if let Some(mut target) = local {
            if matches!(target.kind, ExprKind::Vararg) && !self.function().vararg {
                return Err(Fault::new(
                    span,
                    format!("{name} belongs to the function around this one"),
                )
                .help("put the values into a table outside: [$...]"));
            }
            target.move_to(place);
            return Ok(target);
        }
        match self.scopes.borrow().find(name) {
            Some(Binding::Macro(_)) => return Err(no_value("macro", name, span)),
            Some(Binding::Macros(_)) => {
                return Err(Fault::new(span, format!("{name} holds macros and is no value"))
                    .help(format!("call one of them: ({name}.macro …)")));
            }
            Some(Binding::Local(_)) | None => {}
        }
        if special::find(name).is_some() {
            return Err(no_value("special form", name, span));
        }
        if builtin::find(name).is_some() {
            return Err(no_value("macro", name, span));
        }
        self.global(name, span)
    }

    fn global(&mut self, name: &str, span: Span) -> Compiled<Expr> {
        if name.contains('&') {
            return Err(Fault::new(span, format!("& cannot be part of a variable's name: {name}")));
        }
        let allowed = self.globals.as_ref().is_none_or(|globals| globals.contains(name));
        if !allowed {
            let fault = Fault::new(span, format!("{UNKNOWN}: {name}"));
            if let Some(advice) = (self.options.advice)(name).or_else(|| elsewhere::advice(name)) {
                return Err(fault.help(advice));
            }
            return Err(match self.nearest(name, []) {
                Some(near) => fault.help(format!("did you mean {near}?")),
                None => fault.help(format!(
                    "bind it with let or local, write \"{name}\" for a string, or _G.{name} for a \
                     global that is set elsewhere"
                )),
            });
        }
        Ok(self.global_target(name, span.place()))
    }

    /// The Lua for a global variable.
    pub(crate) fn global_target(&self, name: &str, place: Place) -> Expr {
        let is_free = name != destructure::REST && !self.scopes.borrow().is_taken(name);
        if is_free && names::is_name(name.as_bytes()) {
            return Expr::variable(name, place);
        }
        Expr::field(Expr::constant("_ENV", place), name, place)
    }

    /// Advice on an unknown name that is called: a form could be meant as well.
    pub(super) fn advise_on_call(&self, name: &str, fault: Fault) -> Fault {
        let is_unknown = fault.message().starts_with(UNKNOWN) && elsewhere::advice(name).is_none();
        let forms = special::WORDS.names().chain(builtin::WORDS.names());
        match self.nearest(name, forms).filter(|_| is_unknown) {
            Some(near) => fault.help(format!("did you mean {near}?")),
            None => fault,
        }
    }

    /// The name in scope, or among these, that is most like an unknown one. Of short names hardly
    /// any is unlike another one: there it is one whose characters are swapped.
    pub(crate) fn nearest(
        &self,
        name: &str,
        forms: impl IntoIterator<Item = &'static str>,
    ) -> Option<String> {
        let scopes = self.scopes.borrow();
        let globals = self.globals.iter().flatten().map(|name| &**name);
        let length = name.chars().count();
        let most = (length / 3).max(1);
        scopes
            .names()
            .chain(globals)
            .chain(forms.into_iter().map(|form| -> &str { form }))
            .filter(|known| length > 2 || name.chars().rev().eq(known.chars()))
            .map(|known| (distance(name, known), known))
            .filter(|(distance, known)| *distance <= most && *distance < known.chars().count())
            .min()
            .map(|(_, known)| known.to_owned())
    }

    /// `...`
    pub(crate) fn vararg(&mut self, form: &Form) -> Compiled<Expr> {
        if self.function().hash {
            return Err(Fault::new(form.span, "a hash function calls its arguments $...")
                .help("write $... for ..."));
        }
        if !self.function().vararg {
            return Err(Fault::new(
                form.span,
                "unexpected ... in a function that does not take it",
            )
            .help("add ... to the function's parameters"));
        }
        Ok(Expr::vararg(form.span.place()))
    }

    /// The name that a form binds, if it may be bound.
    pub(crate) fn bindable(&self, form: &Form) -> Compiled<Rc<str>> {
        let crate::form::Kind::Symbol(symbol) = &form.kind else {
            return Err(Fault::new(
                form.span,
                format!("expected a name, got {}", form.described()),
            ));
        };
        let name = &symbol.name;
        let refuse = |message: String| Err(Fault::new(form.span, message));
        if MultiSymbol::parse(name).is_some() {
            return refuse(format!("a local's name has no dots or colons: {name}"));
        }
        if name.contains('&') {
            return refuse(format!("& cannot be part of a variable's name: {name}"));
        }
        if let Some(quotation) = symbol.quoted {
            return Err(Fault::new(
                quotation,
                format!("macro tried to bind {name} without gensym"),
            )
            .help(format!("write {name}# in the quotation")));
        }
        // `unless` is younger than the programs that use it as a name.
        let own =
            matches!(self.scopes.borrow().find(name), Some(Binding::Macro(_) | Binding::Macros(_)));
        let reserved = own
            || special::find(name).is_some()
            || (builtin::find(name).is_some() && &**name != "unless");
        if reserved {
            return Err(Fault::new(
                form.span,
                format!("the local {name} would hide a special form or macro"),
            )
            .help(format!("call it something else than {name}")));
        }
        Ok(name.clone())
    }
}

fn no_value(what: &str, name: &str, span: Span) -> Fault {
    let fault = Fault::new(span, format!("the {what} {name} is no value"));
    if !name.contains(char::is_alphabetic) || matches!(name, "and" | "or") {
        return fault.help(format!(
            "an operator stands first: ({name} a b); as a function it is #({name} $1 $2)"
        ));
    }
    fault.help(format!("call it: ({name} …), or wrap it in a function: #({name} $...)"))
}

/// How many characters must be put in, taken out, changed or swapped with the next one to get from
/// one word to the other.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    if from.len().abs_diff(to.len()) > 3 || from.len() > 64 {
        return usize::MAX;
    }
    let mut above: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let mut cost = (row[j] + usize::from(a != b)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && from[i - 1] == *b && *a == to[j - 1] {
                cost = cost.min(above[j - 1] + 1);
            }
            next.push(cost);
        }
        above = std::mem::replace(&mut row, next);
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_dots_is_a_path() {
        let parse = |name| {
            MultiSymbol::parse(name)
                .map(|multi| (multi.base, multi.fields().collect::<Vec<_>>(), multi.method))
        };
        assert_eq!(parse("a.b.c"), Some(("a", vec!["b", "c"], None)));
        assert_eq!(parse("a.b:c"), Some(("a", vec!["b"], Some("c"))));
        assert_eq!(parse("f:close"), Some(("f", vec![], Some("close"))));
        assert_eq!(parse("$.x"), Some(("$", vec!["x"], None)));
        for single in ["a", ".", "..", "?.", ":", "$...", "..."] {
            assert_eq!(parse(single), None, "{single}");
        }
    }

    #[test]
    fn words_are_as_far_apart_as_their_changes() {
        assert_eq!(distance("print", "pritn"), 1);
        assert_eq!(distance("lenght", "length"), 1);
        assert_eq!(distance("a", "abc"), 2);
        assert_eq!(distance("same", "same"), 0);
    }
}
