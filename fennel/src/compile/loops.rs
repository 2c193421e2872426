//! `while`, `for`, `each`.

use super::scope::Change;
use super::{Compiler, Got, Last, Want};
use crate::compile::destructure::Mode;
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};
use crate::lua::{Block, Expr, StatementKind};
use crate::source::Place;

impl Compiler {
    /// `(while condition body …)`
    pub(crate) fn while_form(&mut self, form: &Form, arguments: &[Form], _: Want) -> Compiled<Got> {
        let Some((condition, body)) = arguments.split_first() else {
            return Err(Fault::new(form.span, "while takes a condition and a body")
                .help("write (while condition …)"));
        };
        let place = form.span.place();
        let mut plain = None;
        // What the condition needs is computed each time around.
        let stepwise = self.in_block(|compiler| {
            let value = compiler.value(condition)?;
            if compiler.block.is_empty() {
                plain = Some(value);
                return Ok(());
            }
            compiler.break_if(Expr::not(value), place);
            compiler.body(body, super::Dest::Nothing, form.span);
            Ok(())
        })?;
        let (condition, block) = match plain {
            Some(value) => (value, self.loop_body(form, body)?),
            None => (Expr::bool(true, place), stepwise),
        };
        self.block.push(StatementKind::While(condition, block), place);
        Ok(Expr::nil(place).into())
    }

    fn loop_body(&mut self, form: &Form, body: &[Form]) -> Compiled<Block> {
        self.in_block(|compiler| {
            compiler.body(body, super::Dest::Nothing, form.span);
            Ok(())
        })
    }

    fn break_if(&mut self, condition: Expr, place: Place) {
        let mut block = Block::default();
        block.push(StatementKind::Break, place);
        self.block.push(StatementKind::If(vec![(condition, block)], None), place);
    }

    /// `(for [i from to step &until condition] body …)`
    pub(crate) fn for_form(&mut self, form: &Form, arguments: &[Form], _: Want) -> Compiled<Got> {
        let (bindings, body) = loop_parts(form, arguments, "for", "(for [i from to step] …)")?;
        let place = form.span.place();
        let (parts, until) = split_until(bindings)?;
        let Some((variable, range)) = parts.split_first() else {
            return Err(Fault::new(bindings.span, "for needs a name and a range")
                .help("write [i from to step]"));
        };
        if !(2..=3).contains(&range.len()) {
            return Err(Fault::new(bindings.span, "for needs a start, an end and perhaps a step")
                .help("write [i from to step]"));
        }
        let name = self.bindable(variable)?;
        let range = self.value_list(range, Vec::new(), Last::One)?;
        let mut lua_name = None;
        let block = self.in_block(|compiler| {
            let text = compiler.scopes.borrow_mut().take(&name);
            compiler.function().active += 4;
            lua_name = Some(text.clone());
            let target = Expr::constant(text, place);
            compiler.bind_local(name.clone(), target, Change::Constant, variable);
            compiler.until_and_body(form, until, body)
        })?;
        let lua_name = lua_name.unwrap_or_else(|| "_".into());
        self.block.push(StatementKind::ForNumber(lua_name, range, block), place);
        Ok(Expr::nil(place).into())
    }

    /// `(each [name … iterator &until condition] body …)`
    pub(crate) fn each_form(&mut self, form: &Form, arguments: &[Form], _: Want) -> Compiled<Got> {
        let (bindings, body) = loop_parts(form, arguments, "each", "(each [k v (pairs t)] …)")?;
        let place = form.span.place();
        let (parts, until) = split_until(bindings)?;
        let Some((iterator, patterns)) = parts.split_last().filter(|(_, names)| !names.is_empty())
        else {
            return Err(Fault::new(bindings.span, "each needs names and an iterator")
                .help("write [k v (pairs t)]"));
        };
        if matches!(iterator.kind, Kind::Sequence(_) | Kind::Table(_)) {
            let what = iterator.described();
            return Err(Fault::new(
                iterator.span,
                format!("{what} cannot be stepped through as it is"),
            )
            .help("write (ipairs sequence) or (pairs table)"));
        }
        // `(a b)` is several names at once, as where values are bound.
        let patterns = patterns.iter().flat_map(|pattern| match &pattern.kind {
            Kind::List(parts) => &parts[..],
            _ => std::slice::from_ref(pattern),
        });
        let values = self.values(iterator)?;
        let mut names = Vec::new();
        let block = self.in_block(|compiler| {
            compiler.function().active += 4;
            let mut nested = Vec::new();
            for pattern in patterns {
                let at = pattern.span.place();
                compiler.function().active += 1;
                match &pattern.kind {
                    Kind::Sequence(_) | Kind::Table(_) => {
                        let text = compiler.scopes.borrow_mut().take_made("");
                        nested.push((pattern, Expr::constant(text.clone(), at)));
                        names.push(text);
                    }
                    _ => {
                        let name = compiler.bindable(pattern)?;
                        let text = compiler.scopes.borrow_mut().take(&name);
                        names.push(text.clone());
                        let target = Expr::constant(text, at);
                        compiler.bind_local(name, target, Change::Constant, pattern);
                    }
                }
            }
            for (pattern, whole) in nested {
                compiler.take_apart(pattern, whole, Mode::Local(Change::Constant))?;
            }
            compiler.until_and_body(form, until, body)
        })?;
        self.block.push(StatementKind::ForEach(names, values, block), place);
        Ok(Expr::nil(place).into())
    }

    fn until_and_body(&mut self, form: &Form, until: Option<&Form>, body: &[Form]) -> Compiled<()> {
        if let Some(condition) = until {
            let value = self.value(condition)?;
            self.break_if(value, condition.span.place());
        }
        self.body(body, super::Dest::Nothing, form.span);
        Ok(())
    }
}

/// The bindings and the body of a loop.
fn loop_parts<'f>(
    form: &Form,
    arguments: &'f [Form],
    word: &str,
    usage: &str,
) -> Compiled<(&'f Form, &'f [Form])> {
    let Some((bindings, body)) = arguments.split_first() else {
        return Err(Fault::new(form.span, format!("{word} needs bindings and a body"))
            .help(format!("write {usage}")));
    };
    if bindings.as_sequence().is_none() {
        return Err(Fault::new(bindings.span, format!("{word} takes its bindings in brackets"))
            .help(format!("write {usage}")));
    }
    if body.is_empty() {
        return Err(
            Fault::new(form.span, format!("{word} has no body")).help(format!("write {usage}"))
        );
    }
    Ok((bindings, body))
}

/// Takes `&until condition` off the end of a loop's bindings.
fn split_until(bindings: &Form) -> Compiled<(&[Form], Option<&Form>)> {
    let parts = bindings.as_sequence().unwrap_or_default();
    let at = parts
        .iter()
        .position(|part| part.is_symbol("&until") || part.as_str_bytes() == Some(b"until"));
    let Some(at) = at else { return Ok((parts, None)) };
    match &parts[at + 1..] {
        [condition] => Ok((&parts[..at], Some(condition))),
        _ => Err(Fault::new(
            parts[at].span,
            "&until takes one condition, at the end of the bindings",
        )
        .help("write [… &until condition]")),
    }
}
