//! Forms that bind names and change what they hold.

use std::rc::Rc;

use super::destructure::Mode;
use super::scope::{Binding, Change, Local};
use super::symbol::MultiSymbol;
use super::{Compiler, Dest, Got, Last, Want};
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};
use crate::lua::{Expr, StatementKind};

/// A local that is bound where a value is expected would be out of scope at once.
fn refuse_as_value(form: &Form, want: Want, word: &str) -> Compiled<()> {
    if matches!(want, Want::Nothing | Want::Return) {
        return Ok(());
    }
    Err(Fault::new(form.span, format!("can't introduce a {word} where a value is expected"))
        .help("bind it with let around the code that uses it"))
}

impl Compiler {
    /// `(let [name value …] body …)`
    pub(crate) fn let_form(
        &mut self,
        form: &Form,
        arguments: &[Form],
        want: Want,
    ) -> Compiled<Got> {
        let Some((bindings, body)) = arguments.split_first() else {
            return Err(Fault::new(form.span, "let needs bindings and a body")
                .help("write (let [name value] …)"));
        };
        let Some(pairs) = bindings.as_sequence() else {
            return Err(Fault::new(bindings.span, "let takes its bindings in brackets")
                .help("write [name value …]"));
        };
        if pairs.len() % 2 == 1 {
            return Err(Fault::new(bindings.span, "expected even number of name/value bindings")
                .help("find where a name or a value is missing"));
        }
        if body.is_empty() {
            return Err(
                Fault::new(form.span, "let has no body").help("put code behind the bindings")
            );
        }
        let many =
            matches!(want, Want::Many) && body.last().is_some_and(|last| self.may_be_many(last));
        self.in_statements(want, form.span, many, |compiler, dest| {
            compiler.scoped(dest, form, |compiler| {
                for pair in pairs.chunks_exact(2) {
                    let bound = compiler.bind(&pair[0], &pair[1], Mode::Local(Change::Constant));
                    if let Err(fault) = bound {
                        compiler.fault(fault);
                        compiler.bind_names_in_spite(&pair[0]);
                    }
                }
                compiler.body(body, dest, form.span);
            })
        })
    }

    /// Statements with a scope of their own. Where they are the last ones of a function, no block
    /// is needed for it.
    pub(crate) fn scoped(
        &mut self,
        dest: Dest,
        form: &Form,
        make: impl FnOnce(&mut Self),
    ) -> Compiled<()> {
        if matches!(dest, Dest::Return) {
            let mark = self.scopes.borrow().mark();
            self.enter_scope();
            make(self);
            self.scope_ids.pop();
            self.scopes.borrow_mut().back_to(mark);
            return Ok(());
        }
        let block = self.in_block(|compiler| {
            make(compiler);
            Ok(())
        })?;
        let has_locals = block.statements.iter().any(|statement| {
            matches!(
                statement.kind,
                StatementKind::Local(..)
                    | StatementKind::LocalFunction(..)
                    | StatementKind::Raw(_)
                    | StatementKind::Label(_)
            )
        });
        // Nothing can follow what ends a block, so that needs one of its own.
        if has_locals || block.is_closed() {
            self.block.push(StatementKind::Do(block), form.span.place());
        } else {
            self.block.append(block);
        }
        Ok(())
    }

    pub(crate) fn local_form(
        &mut self,
        form: &Form,
        arguments: &[Form],
        want: Want,
    ) -> Compiled<Got> {
        refuse_as_value(form, want, "local")?;
        self.binding_form(form, arguments, "local", Mode::Local(Change::Constant))
    }

    pub(crate) fn var_form(
        &mut self,
        form: &Form,
        arguments: &[Form],
        want: Want,
    ) -> Compiled<Got> {
        refuse_as_value(form, want, "var")?;
        self.binding_form(form, arguments, "var", Mode::Local(Change::Variable))
    }

    pub(crate) fn global_form(
        &mut self,
        form: &Form,
        arguments: &[Form],
        _: Want,
    ) -> Compiled<Got> {
        self.binding_form(form, arguments, "global", Mode::Global)
    }

    pub(crate) fn set_form(&mut self, form: &Form, arguments: &[Form], _: Want) -> Compiled<Got> {
        self.binding_form(form, arguments, "set", Mode::Set)
    }

    fn binding_form(
        &mut self,
        form: &Form,
        arguments: &[Form],
        word: &str,
        mode: Mode,
    ) -> Compiled<Got> {
        let [name, value] = arguments else {
            return Err(Fault::new(form.span, format!("{word} takes a name and a value"))
                .help(format!("write ({word} name value)")));
        };
        self.bind(name, value, mode)?;
        Ok(Expr::nil(form.span.place()).into())
    }

    /// `(tset table key … value)`
    pub(crate) fn tset_form(&mut self, form: &Form, arguments: &[Form], _: Want) -> Compiled<Got> {
        if arguments.len() < 3 {
            return Err(Fault::new(form.span, "tset takes a table, its keys and a value")
                .help("write (tset table key value)"));
        }
        if arguments[0].is_literal() {
            return Err(Fault::new(
                form.span,
                format!("cannot set a field of {}", arguments[0].described()),
            )
            .help("tset takes a table: (tset table key value)"));
        }
        let place = form.span.place();
        let mut parts = self.value_list(arguments, Vec::new(), Last::One)?;
        let value = parts.pop().unwrap_or_else(|| Expr::nil(place));
        let mut parts = parts.into_iter();
        let table = parts.next().unwrap_or_else(|| Expr::nil(place));
        let target = self.path(table, parts, form.span)?;
        self.block.push(StatementKind::Assign(vec![target], vec![value]), place);
        Ok(Expr::nil(place).into())
    }

    /// Makes a name stand for a local.
    pub(crate) fn bind_local(&mut self, name: Rc<str>, target: Expr, change: Change, form: &Form) {
        let local = Local {
            target,
            mutable: change == Change::Variable,
            used: false,
            span: form.span,
            written: form.span.end > form.span.start && !name.contains(super::scope::MADE),
        };
        self.scopes.borrow_mut().bind(name, Binding::Local(local));
    }

    /// The variable that `set` changes.
    pub(crate) fn settable(&mut self, form: &Form) -> Compiled<Expr> {
        if let Some(parts) = form.as_list()
            && form.is_call_of(".")
        {
            if parts.len() < 3 {
                return Err(Fault::new(form.span, "set needs a table and a key")
                    .help("write (set (. table key) value)"));
            }
            if parts[1].is_literal() {
                return Err(Fault::new(
                    form.span,
                    format!("cannot set a field of {}", parts[1].described()),
                )
                .help("set takes a table: (set (. table key) value)"));
            }
            let Got::Values(mut values) = self.lookup(form, &parts[1..])? else {
                return Ok(Expr::nil(form.span.place()));
            };
            return Ok(values.remove(0));
        }
        let Kind::Symbol(symbol) = &form.kind else {
            return Err(Fault::new(form.span, format!("cannot set {}", form.described()))
                .help("set takes a var, a field such as t.x, (. t key), or a pattern of those"));
        };
        let name = &*symbol.name;
        if let Some(multi) = MultiSymbol::parse(name) {
            if multi.method.is_some() {
                return Err(Fault::new(form.span, format!("cannot set the method call {name}"))
                    .help("write a dot for a field"));
            }
            return self.symbol(form, name);
        }
        let local = self
            .scopes
            .borrow_mut()
            .find_local(name)
            .map(|local| (local.mutable, local.target.clone()));
        match local {
            Some((true, mut target)) => {
                target.move_to(form.span.place());
                Ok(target)
            }
            Some((false, _)) => {
                Err(Fault::new(form.span, format!("{name} is not a var and cannot be set")).help(
                    format!("bind it with (var {name} …) instead of let, local or a parameter"),
                ))
            }
            None => self.variable(name, form.span).map_err(|fault| {
                let unknown = fault.message().starts_with(super::symbol::UNKNOWN);
                match unknown && self.nearest(name, []).is_none() {
                    true => fault.help(format!(
                        "bind it before: (var {name} …), or set the global: (set _G.{name} …)"
                    )),
                    false => fault,
                }
            }),
        }
    }

    /// Binds the names of a form that did not compile, so that it is not told again wherever they
    /// are used.
    pub(crate) fn bind_in_spite(&mut self, form: &Form) {
        let Some([head, name, ..]) = form.as_list() else { return };
        match head.as_symbol() {
            Some("local" | "var" | "global" | "fn" | "lambda" | "λ" | "macro") => {
                self.bind_names_in_spite(name);
            }
            Some("import-macros") => {
                let parts = form.as_list().unwrap_or_default();
                parts.iter().skip(1).step_by(2).for_each(|name| self.bind_names_in_spite(name));
            }
            _ => {}
        }
    }

    pub(crate) fn bind_names_in_spite(&mut self, pattern: &Form) {
        match &pattern.kind {
            Kind::Symbol(symbol) => {
                let name = &symbol.name;
                let is_name = MultiSymbol::parse(name).is_none() && !name.starts_with('&');
                if is_name && super::special::find(name).is_none() {
                    let target = Expr::variable("_", pattern.span.place());
                    self.bind_local(name.clone(), target, Change::Variable, pattern);
                    if let Some(local) = self.scopes.borrow_mut().find_local(name) {
                        local.used = true;
                    }
                }
            }
            Kind::Sequence(parts) | Kind::List(parts) => {
                parts.iter().for_each(|part| self.bind_names_in_spite(part));
            }
            Kind::Table(entries) => {
                entries.iter().for_each(|(_, part)| self.bind_names_in_spite(part));
            }
            _ => {}
        }
    }
}
