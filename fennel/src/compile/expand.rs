//! From a call of a macro to the code that it stands for.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Table, Value};

use super::scope::{Binding, Scopes};
use super::symbol::MultiSymbol;
use crate::builtin::{self, Expanding};
use crate::diagnostic::{Compiled, Fault};
use crate::form::Form;
use crate::macro_world::World;
use crate::source::{Sources, Span};

/// Expansions of one form until it is taken for one that never ends.
pub(crate) const MOST_EXPANSIONS: usize = 1_000;

/// What it takes to expand a macro.
pub(crate) struct Expander {
    pub(crate) scopes: Rc<RefCell<Scopes>>,
    pub(crate) sources: Rc<RefCell<Sources>>,
    /// Where the program's own macros run, if it has any.
    pub(crate) world: Option<Rc<World>>,
}

impl Expanding for Expander {
    fn gensym(&mut self, base: &str) -> Rc<str> {
        self.scopes.borrow_mut().gensym(base)
    }

    fn is_local(&self, name: &str) -> bool {
        self.scopes.borrow().is_local(name)
    }

    fn note_used(&self, span: Span) {
        self.scopes.borrow_mut().note_used(span);
    }

    fn file_name(&self, span: Span) -> Arc<str> {
        self.sources.borrow().file(span.file).name.clone()
    }
}

impl Expander {
    /// What a form stands for, if it calls a macro; one step.
    pub(crate) fn expanded(&mut self, form: &Form) -> Compiled<Option<Form>> {
        let Some((head, arguments)) = form.as_list().and_then(<[Form]>::split_first) else {
            return Ok(None);
        };
        let Some(name) = head.as_symbol() else { return Ok(None) };
        if let Some(function) = self.own_macro(name, head.span)? {
            let Some(world) = &self.world else { return Ok(None) };
            return world.expand(&self.scopes, &function, form, arguments).map(Some);
        }
        if self.scopes.borrow().is_local(name) {
            return Ok(None);
        }
        match builtin::find(name) {
            Some(expand) => expand(self, form, arguments).map(Some),
            None => Ok(None),
        }
    }

    /// The program's macro of this name.
    fn own_macro(&self, name: &str, span: Span) -> Compiled<Option<Function>> {
        let scopes = self.scopes.borrow();
        match scopes.find(name) {
            Some(Binding::Macro(function)) => return Ok(Some(function.clone())),
            Some(_) => return Ok(None),
            None => {}
        }
        let Some(multi) = MultiSymbol::parse(name) else { return Ok(None) };
        let Some(Binding::Macros(table)) = scopes.find(multi.base) else { return Ok(None) };
        let found = macro_of(table, multi.fields());
        match (found, multi.method) {
            (Some(function), None) => Ok(Some(function)),
            _ => Err(Fault::new(span, format!("there is no macro {name}"))),
        }
    }
}

/// The macro at a path of fields of a table.
pub(super) fn macro_of<'n>(
    table: &Table,
    path: impl IntoIterator<Item = &'n str>,
) -> Option<Function> {
    let mut value = Value::Table(table.clone());
    for field in path {
        let Value::Table(table) = value else { return None };
        value = table.raw_get(field).ok()?;
    }
    match value {
        Value::Function(function) => Some(function),
        _ => None,
    }
}
