//! Statements one after the other: blocks, the functions around them, and their scopes.

use super::{Compiler, Dest, Got, MOST_FAULTS, Want, elsewhere, special};
use crate::diagnostic::{Compiled, Fault};
use crate::form::Form;
use crate::lua::{Block, Expr, StatementKind};
use crate::source::{Place, Span};
use std::rc::Rc;

/// The function whose code is being made.
#[derive(Debug)]
pub(super) struct FunctionState {
    /// Whether it takes `...`.
    pub(super) vararg: bool,
    /// Whether it is `#(…)`, whose `...` is called `$...`.
    pub(super) hash: bool,
    /// Whether it hands its `...` on to a function that was made inside it.
    pub(super) hands_on: bool,
    /// Locals that Lua holds at this point.
    pub(super) active: u32,
}

impl FunctionState {
    pub(super) fn new(vararg: bool) -> Self {
        FunctionState { vararg, hash: false, hands_on: false, active: 0 }
    }
}

/// The block whose code is being made.
#[derive(Debug)]
pub(super) struct BlockState {
    /// The table for locals that Lua has no room for, and how many it holds.
    pub(super) overflow: Option<(Rc<str>, i64)>,
    /// Locals of the function when the block began.
    pub(super) active: u32,
}

impl Compiler {
    /// Makes a block of its own, with its own scope.
    pub(crate) fn in_block(
        &mut self,
        make: impl FnOnce(&mut Self) -> Compiled<()>,
    ) -> Compiled<Block> {
        let mark = self.scopes.borrow().mark();
        let outer = std::mem::take(&mut self.block);
        let active = self.function().active;
        self.blocks.push(BlockState { overflow: None, active });
        self.enter_scope();
        let made = make(self);
        self.scope_ids.pop();
        if let Some(state) = self.blocks.pop() {
            self.function().active = state.active;
        }
        let mut block = std::mem::replace(&mut self.block, outer);
        block.open_last();
        self.scopes.borrow_mut().back_to(mark);
        made.map(|()| block)
    }

    pub(crate) fn enter_scope(&mut self) {
        self.scopes_made += 1;
        self.scope_ids.push(self.scopes_made);
    }

    /// Runs statements that end where `want` says, whatever they are part of.
    ///
    /// `many` tells whether they may give several values where as many as there are were wanted.
    pub(crate) fn in_statements(
        &mut self,
        want: Want,
        span: Span,
        many: bool,
        make: impl FnOnce(&mut Self, Dest) -> Compiled<()>,
    ) -> Compiled<Got> {
        match want {
            Want::Nothing => make(self, Dest::Nothing).map(|()| Got::Done),
            Want::Return => make(self, Dest::Return).map(|()| Got::Done),
            Want::Assign(targets) => make(self, Dest::Assign(targets)).map(|()| Got::Done),
            Want::Declare(declaration) => {
                if !declaration.written.replace(true) {
                    self.write_locals(&declaration.targets, Vec::new(), declaration.place);
                }
                make(self, Dest::Assign(&declaration.targets)).map(|()| Got::Done)
            }
            Want::Many if many => {
                let (vararg, hash) = (self.function().vararg, self.function().hash);
                self.functions.push(FunctionState { hash, ..FunctionState::new(vararg) });
                let body = self.in_block(|compiler| make(compiler, Dest::Return));
                self.functions.pop();
                Ok(self.called_function(body?, span.place()).into())
            }
            Want::One | Want::Many => {
                let target = self.made_local("", span.place());
                let targets = [target];
                self.write_locals(&targets, Vec::new(), span.place());
                make(self, Dest::Assign(&targets))?;
                let [target] = targets;
                Ok(target.into())
            }
        }
    }

    /// A call of a function that is made for it, with the `...` of the function at hand.
    pub(super) fn called_function(&mut self, body: Block, place: Place) -> Expr {
        let vararg = self.function().vararg;
        self.function().hands_on |= vararg;
        let function = crate::lua::Function { parameters: Vec::new(), vararg, body };
        let name = self.scopes.borrow_mut().take_made("");
        self.function().active += 1;
        self.block.push(StatementKind::LocalFunction(name.clone(), Box::new(function)), place);
        let arguments = if vararg { vec![Expr::vararg(place)] } else { Vec::new() };
        Expr::call(Expr::constant(name, place), None, arguments, place)
    }

    pub(super) fn function(&mut self) -> &mut FunctionState {
        if self.functions.is_empty() {
            self.functions.push(FunctionState::new(true));
        }
        let last = self.functions.len() - 1;
        &mut self.functions[last]
    }

    /// Statements of value at the end of a block: all but the last one for their effects.
    /// A fault in one of them does not hide those in the others.
    pub(crate) fn body(&mut self, forms: &[Form], dest: Dest, span: Span) {
        if forms.is_empty() {
            let nothing = Expr::nil(span.place());
            match self.finish(nothing.into(), dest.into(), span) {
                Ok(_) => return,
                Err(fault) => return self.fault(fault),
            }
        }
        let mut unread = None;
        for (at, form) in forms.iter().enumerate() {
            if unread == Some(form.span.place()) {
                self.bind_names_in_spite(form);
                continue;
            }
            unread = self.statement_without_parentheses(form, forms.get(at + 1));
            if unread.is_none() {
                let is_last = at + 1 == forms.len();
                self.statement(form, if is_last { dest } else { Dest::Nothing });
            }
        }
    }

    /// Refuses a word that can only stand at the beginning of a list, and gives its line: what is
    /// behind it was meant to be in that list.
    pub(super) fn statement_without_parentheses(
        &mut self,
        form: &Form,
        next: Option<&Form>,
    ) -> Option<Place> {
        let name = form.as_symbol()?;
        let place = form.span.place();
        if next.is_some_and(|next| next.is_symbol("=") && next.span.place() == place) {
            let message = format!("{name} = … is not Fennel");
            let help =
                format!("write (local {name} …) to bind a name, (set {name} …) to change it");
            self.fault(Fault::new(form.span, message).help(help));
            return Some(place);
        }
        let known = special::find(name).is_some() || crate::builtin::find(name).is_some();
        let bound = self.scopes.borrow().find(name).is_some();
        let checked = self.globals.as_ref().is_some_and(|globals| !globals.contains(name));
        let advice = elsewhere::advice(name).filter(|_| checked);
        if bound || !(known || advice.is_some()) {
            return None;
        }
        // Who could not bind a name is not told again where it is used.
        let hides = format!("the local {name} would hide");
        if self.faults.iter().any(|fault| fault.message().starts_with(&hides)) {
            return Some(place);
        }
        let message = format!("{name} stands outside of parentheses");
        let help = match advice {
            _ if name == "//" => "a comment begins with ;".to_owned(),
            Some(advice) if !known => advice.to_owned(),
            _ => format!("write ({name} …), with all that belongs to it before the )"),
        };
        self.fault(Fault::new(form.span, message).help(help));
        Some(place)
    }

    pub(super) fn statement(&mut self, form: &Form, dest: Dest) {
        if self.faults.len() >= MOST_FAULTS || self.is_silent {
            return;
        }
        if let Err(fault) = self.compile(form, dest.into()) {
            self.fault(fault);
            self.bind_in_spite(form);
        }
    }
}
