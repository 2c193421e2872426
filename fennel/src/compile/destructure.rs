//! Taking values apart: what may stand where a name is bound.

use std::rc::Rc;

use super::scope::Change;
use super::{Compiler, Got, Last, Want};
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};
use crate::lua::{Expr, ExprKind, Field, StatementKind};
use crate::source::Place;

/// What happens to the names of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// They become locals.
    Local(Change),
    /// They are changed.
    Set,
    /// They become globals.
    Global,
}

/// The name of the function that gives the rest of a sequence.
pub(crate) const REST: &str = "_rest";

/// That function. A table may say itself what its rest is.
pub(crate) const REST_FUNCTION: &str = "local function _rest(t, k) local m = getmetatable(t); if \
     type(m) == \"table\" and m.__fennelrest then return m.__fennelrest(t, k) end return \
     {table.unpack(t, k)} end";

/// A name of a pattern, taken and not yet in scope.
struct Taken<'f> {
    name: Option<Rc<str>>,
    target: Expr,
    form: &'f Form,
}

impl Compiler {
    /// Binds a pattern to the value of a form.
    pub(crate) fn bind(&mut self, pattern: &Form, value: &Form, mode: Mode) -> Compiled<()> {
        let place = pattern.span.place();
        match &pattern.kind {
            Kind::List(parts) if !(mode == Mode::Set && pattern.is_call_of(".")) => {
                self.bind_values(pattern, parts, value, mode)
            }
            Kind::Sequence(_) | Kind::Table(_) if value.is_literal() => Err(Fault::new(
                pattern.span,
                format!("could not destructure literal: {} has no parts", value.described()),
            )
            .help("bind it to one name")),
            Kind::Sequence(parts) => {
                if let Some(values) = value.as_sequence()
                    && parts.len() == values.len()
                    && parts.iter().all(is_plain_name)
                    && !values.last().is_some_and(|last| self.may_be_many(last))
                {
                    return self.bind_each(parts, values, mode, place);
                }
                let whole = self.subject(value)?;
                self.take_apart(pattern, whole, mode)
            }
            Kind::Table(_) => {
                let whole = self.subject(value)?;
                self.take_apart(pattern, whole, mode)
            }
            _ if mode == Mode::Set => {
                let before = self.block.statements.len();
                let mut target = [self.settable(pattern)?];
                if self.block.statements.len() == before && is_plain_target(&target[0]) {
                    self.compile(value, Want::Assign(&target))?;
                    return Ok(());
                }
                // The table and the key are computed before the value.
                let before = self.block.statements.len();
                let value = self.value(value)?;
                if self.block.statements.len() > before {
                    self.settle_target(&mut target[0], before);
                }
                self.block.push(StatementKind::Assign(target.to_vec(), vec![value]), place);
                Ok(())
            }
            _ => {
                let taken = self.take(pattern, mode)?;
                self.compile_into(value, std::slice::from_ref(&taken.target), mode, place)?;
                self.enter(taken, mode);
                Ok(())
            }
        }
    }

    /// A table that is taken apart: computed once.
    fn subject(&mut self, value: &Form) -> Compiled<Expr> {
        let whole = self.value(value)?;
        Ok(self.atom(whole))
    }

    /// Computes a value into variables.
    fn compile_into(
        &mut self,
        value: &Form,
        targets: &[Expr],
        mode: Mode,
        place: Place,
    ) -> Compiled<()> {
        if matches!(mode, Mode::Local(_)) {
            let declaration = self.declaration(targets.to_vec(), place);
            if let Got::Values(_) = self.compile(value, Want::Declare(&declaration))? {
                self.write_locals(targets, Vec::new(), place);
            }
            return Ok(());
        }
        self.compile(value, Want::Assign(targets))?;
        Ok(())
    }

    /// `(a b)`: one name a value.
    fn bind_values(
        &mut self,
        pattern: &Form,
        parts: &[Form],
        value: &Form,
        mode: Mode,
    ) -> Compiled<()> {
        let place = pattern.span.place();
        if parts.is_empty() {
            return Err(Fault::new(pattern.span, "there is no name to bind in ()"));
        }
        let mut taken = Vec::with_capacity(parts.len());
        for part in parts {
            let before = self.block.statements.len();
            let one = match &part.kind {
                Kind::Sequence(_) | Kind::Table(_) => {
                    let target = self.made_local("", part.span.place());
                    if !matches!(mode, Mode::Local(_)) {
                        self.write_locals(std::slice::from_ref(&target), Vec::new(), place);
                    }
                    Taken { name: None, target, form: part }
                }
                _ => self.take(part, mode)?,
            };
            self.settle_targets(&mut taken, mode, before);
            taken.push(one);
        }
        let targets: Vec<Expr> = taken.iter().map(|one| one.target.clone()).collect();
        if mode == Mode::Set && !targets.iter().all(is_plain_target) {
            // The tables and the keys are computed before the values.
            let before = self.block.statements.len();
            let values = self.values(value)?;
            self.settle_targets(&mut taken, mode, before);
            let targets: Vec<Expr> = taken.iter().map(|one| one.target.clone()).collect();
            self.assign(&targets, values, place);
        } else {
            self.compile_into(value, &targets, mode, place)?;
        }
        for one in taken {
            match one.name {
                Some(_) => self.enter(one, mode),
                None if matches!(one.form.kind, Kind::Sequence(_) | Kind::Table(_)) => {
                    self.take_apart(one.form, one.target, mode)?;
                }
                None => {}
            }
        }
        Ok(())
    }

    /// `[a b]` from `[x y]`: no table is made.
    fn bind_each(
        &mut self,
        parts: &[Form],
        values: &[Form],
        mode: Mode,
        place: Place,
    ) -> Compiled<()> {
        let mut taken = Vec::with_capacity(parts.len());
        for part in parts {
            let before = self.block.statements.len();
            let one = self.take(part, mode)?;
            self.settle_targets(&mut taken, mode, before);
            taken.push(one);
        }
        let before = self.block.statements.len();
        let values = self.value_list(values, Vec::new(), Last::One)?;
        self.settle_targets(&mut taken, mode, before);
        let targets: Vec<Expr> = taken.iter().map(|one| one.target.clone()).collect();
        match mode {
            Mode::Local(_) if targets.is_empty() => {}
            Mode::Local(_) => self.write_locals(&targets, values, place),
            _ if targets.is_empty() => {}
            _ => self.assign(&targets, values, place),
        }
        for one in taken {
            self.enter(one, mode);
        }
        Ok(())
    }

    /// Finds a variable for a name, which is not in scope yet.
    fn take<'f>(&mut self, form: &'f Form, mode: Mode) -> Compiled<Taken<'f>> {
        let place = form.span.place();
        match mode {
            Mode::Local(change) => {
                let name = self.bindable(form)?;
                let target = self.new_target(&name, change == Change::Constant, place);
                Ok(Taken { name: Some(name), target, form })
            }
            Mode::Set => Ok(Taken { name: None, target: self.settable(form)?, form }),
            Mode::Global => {
                let name = self.bindable(form)?;
                if self.scopes.borrow().is_local(&name) {
                    return Err(Fault::new(
                        form.span,
                        format!("the global {name} is hidden by a local"),
                    )
                    .help(format!("write (set _G.{name} …)")));
                }
                if let Some(globals) = &mut self.globals {
                    globals.insert(name.clone());
                }
                let target = self.global_target(&name, place);
                Ok(Taken { name: Some(name), target, form })
            }
        }
    }

    /// Puts a name in scope.
    fn enter(&mut self, taken: Taken, mode: Mode) {
        if let (Mode::Local(change), Some(name)) = (mode, taken.name) {
            self.bind_local(name, taken.target, change, taken.form);
        }
    }

    /// Binds one name to a computed value.
    fn bind_name(&mut self, form: &Form, value: Expr, mode: Mode) -> Compiled<()> {
        let place = form.span.place();
        let taken = self.take(form, mode)?;
        match mode {
            Mode::Local(_) => {
                self.write_locals(std::slice::from_ref(&taken.target), vec![value], place);
            }
            _ => self.assign(std::slice::from_ref(&taken.target), vec![value], place),
        }
        self.enter(taken, mode);
        Ok(())
    }

    /// Binds a pattern to a value that can be repeated.
    pub(crate) fn take_apart(&mut self, pattern: &Form, whole: Expr, mode: Mode) -> Compiled<()> {
        match &pattern.kind {
            Kind::Sequence(parts) => self.take_sequence(pattern, parts, whole, mode),
            Kind::Table(entries) => self.take_table(entries, whole, mode),
            Kind::List(_) if !(mode == Mode::Set && pattern.is_call_of(".")) => Err(Fault::new(
                pattern.span,
                "several values can be bound at the outermost level only",
            )
            .help("write [ ] for the parts of a sequence")),
            _ => self.bind_name(pattern, whole, mode),
        }
    }

    /// Binds one part of a value.
    fn take_part(&mut self, pattern: &Form, part: Expr, mode: Mode) -> Compiled<()> {
        match &pattern.kind {
            Kind::Sequence(_) | Kind::Table(_) => {
                let part = self.put_aside(part);
                self.take_apart(pattern, part, mode)
            }
            _ => self.take_apart(pattern, part, mode),
        }
    }

    fn take_sequence(
        &mut self,
        pattern: &Form,
        parts: &[Form],
        whole: Expr,
        mode: Mode,
    ) -> Compiled<()> {
        let mut index = 0;
        let mut number = 1;
        while let Some(part) = parts.get(index) {
            let place = part.span.place();
            if part.is_symbol("&") {
                let (Some(rest), true) = (
                    parts.get(index + 1),
                    parts.get(index + 2).is_none_or(|next| next.is_symbol("&as")),
                ) else {
                    return Err(Fault::new(
                        part.span,
                        "expected rest argument before last parameter",
                    )
                    .help("write one name behind &, as the last one: [a & rest]"));
                };
                self.takes_rest = true;
                let arguments = vec![whole.clone(), Expr::integer(number, place)];
                let value = Expr::call(Expr::constant(REST, place), None, arguments, place);
                self.take_part(rest, value, mode)?;
                index += 2;
                continue;
            }
            if part.is_symbol("&as") {
                let (Some(all), true) = (parts.get(index + 1), index + 2 == parts.len()) else {
                    return Err(Fault::new(part.span, "&as takes one name, as the last one")
                        .help("write [a b &as all]"));
                };
                self.take_part(all, whole.clone(), mode)?;
                index += 2;
                continue;
            }
            let value =
                Expr::index(whole.clone(), Expr::integer(number, place), pattern.span.place());
            self.take_part(part, value, mode)?;
            index += 1;
            number += 1;
        }
        Ok(())
    }

    fn take_table(&mut self, entries: &[(Form, Form)], whole: Expr, mode: Mode) -> Compiled<()> {
        let mut taken: Vec<Expr> = Vec::new();
        for (key, part) in entries {
            let place = part.span.place();
            if key.is_symbol("&as") {
                self.take_part(part, whole.clone(), mode)?;
                continue;
            }
            if key.is_symbol("&") {
                let rest = self.rest_of_table(&whole, &taken, place);
                self.take_part(part, rest, mode)?;
                continue;
            }
            if !matches!(key.kind, Kind::Str(_) | Kind::Integer(_) | Kind::Float(_) | Kind::Bool(_))
            {
                return Err(Fault::new(
                    key.span,
                    format!("expected a literal as the key of a pattern, got {}", key.described()),
                )
                .help("write {:key name}; look computed keys up with (. table key)"));
            }
            let key = self.value(key)?;
            taken.push(key.clone());
            self.take_part(part, Expr::index(whole.clone(), key, place), mode)?;
        }
        Ok(())
    }

    /// A table of all entries but those with these keys.
    fn rest_of_table(&mut self, whole: &Expr, keys: &[Expr], place: Place) -> Expr {
        let rest = self.put_aside(Expr::table(Vec::new(), place));
        let known =
            keys.iter().map(|key| Field::Keyed(key.clone(), Expr::bool(true, place))).collect();
        let known = self.put_aside(Expr::table(known, place));
        let (key, value) = {
            let mut scopes = self.scopes.borrow_mut();
            (scopes.take_made("k"), scopes.take_made("v"))
        };
        let named = |name: &Rc<str>| Expr::constant(name.clone(), place);
        let mut keep = crate::lua::Block::default();
        let target = Expr::index(rest.clone(), named(&key), place);
        keep.push(StatementKind::Assign(vec![target], vec![named(&value)]), place);
        let condition = Expr::not(Expr::index(known, named(&key), place));
        let mut body = crate::lua::Block::default();
        body.push(StatementKind::If(vec![(condition, keep)], None), place);
        let pairs =
            Expr::call(self.global_target("pairs", place), None, vec![whole.clone()], place);
        self.block.push(StatementKind::ForEach(vec![key, value], vec![pairs], body), place);
        rest
    }

    /// Computes the parts of targets that are set before the statements that follow `at` run.
    fn settle_targets(&mut self, taken: &mut [Taken], mode: Mode, at: usize) {
        if mode != Mode::Set || self.block.statements.len() == at {
            return;
        }
        let mut parts = Vec::new();
        for one in &*taken {
            if let ExprKind::Index(pair) = &one.target.kind {
                parts.extend([pair.0.clone(), pair.1.clone()]);
            }
        }
        self.settle(&mut parts, at);
        let mut parts = parts.into_iter();
        for one in taken.iter_mut().filter(|one| matches!(one.target.kind, ExprKind::Index(_))) {
            if let (Some(table), Some(key)) = (parts.next(), parts.next()) {
                one.target = Expr::index(table, key, one.target.place);
            }
        }
    }

    /// Computes the parts of a target before the statements that follow `at` run.
    fn settle_target(&mut self, target: &mut Expr, at: usize) {
        let place = target.place;
        if let ExprKind::Index(pair) = &target.kind {
            let mut parts = [pair.0.clone(), pair.1.clone()];
            self.settle(&mut parts, at);
            let [table, key] = parts;
            *target = Expr::index(table, key, place);
        }
    }
}

/// A symbol that is bound as it stands.
fn is_plain_name(form: &Form) -> bool {
    form.as_symbol().is_some_and(|name| !name.starts_with('&'))
}

/// Whether a target's parts can be computed when it is assigned.
fn is_plain_target(target: &Expr) -> bool {
    match &target.kind {
        ExprKind::Name(_) | ExprKind::Slot(_) => true,
        ExprKind::Index(pair) => pair.0.is_stable() && pair.1.is_stable(),
        _ => false,
    }
}
