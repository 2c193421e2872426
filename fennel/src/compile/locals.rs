//! Where values wait: locals that a program binds, and those for values in between.

use super::{
    Compiler, DEEPEST_EXPRESSION, Declaration, LOCALS_IN_REGISTERS, WIDEST_EXPRESSION, scope,
};
use crate::lua::{Block, Expr, ExprKind, Statement, StatementKind};
use crate::source::Place;
use std::cell::Cell;
use std::rc::Rc;

impl Compiler {
    /// A place for a new local: a Lua local, or a slot of a table if Lua has no room.
    pub(crate) fn new_target(&mut self, name: &str, constant: bool, place: Place) -> Expr {
        if self.keeps_locals && self.scope_ids.len() == 1 && !name.contains(scope::MADE) {
            return self.kept_target(name, place);
        }
        if self.function().active < LOCALS_IN_REGISTERS {
            self.function().active += 1;
            let text = self.scopes.borrow_mut().take(name);
            return if constant {
                Expr::constant(text, place)
            } else {
                Expr::variable(text, place)
            };
        }
        let known = self.blocks.last_mut().and_then(|block| {
            let (table, count) = block.overflow.as_mut()?;
            *count += 1;
            Some((table.clone(), *count))
        });
        let (table, slot) = known.unwrap_or_else(|| {
            let table = self.scopes.borrow_mut().take_made("more");
            self.function().active += 1;
            let empty = Expr::table(Vec::new(), place);
            self.block.push(StatementKind::Local(vec![table.clone()], vec![empty]), place);
            if let Some(block) = self.blocks.last_mut() {
                block.overflow = Some((table.clone(), 1));
            }
            (table, 1)
        });
        Expr::slot(table, slot, constant, place)
    }

    /// A new local for a value in between.
    pub(crate) fn made_local(&mut self, base: &str, place: Place) -> Expr {
        let name = self.scopes.borrow_mut().gensym(base);
        self.new_target(&name, true, place)
    }

    /// Writes out locals whose places are made.
    pub(crate) fn write_locals(&mut self, targets: &[Expr], values: Vec<Expr>, place: Place) {
        let names: Vec<Rc<str>> = targets.iter().filter_map(local_name).collect();
        if names.len() == targets.len() {
            self.block.push(StatementKind::Local(names, values), place);
            return;
        }
        if !names.is_empty() {
            self.block.push(StatementKind::Local(names, Vec::new()), place);
        }
        if !values.is_empty() {
            self.block.push(StatementKind::Assign(targets.to_vec(), values), place);
        }
    }

    /// Names for locals that the next value goes to.
    pub(crate) fn declaration(&mut self, targets: Vec<Expr>, place: Place) -> Declaration {
        Declaration { targets, place, written: Cell::new(false) }
    }

    /// Computes an expression now.
    pub(crate) fn put_aside(&mut self, value: Expr) -> Expr {
        let place = value.place;
        let target = self.made_local("", place);
        self.write_locals(std::slice::from_ref(&target), vec![value], place);
        target
    }

    /// An expression that can be repeated.
    pub(crate) fn atom(&mut self, value: Expr) -> Expr {
        if value.is_atom() && value.is_stable() { value } else { self.put_aside(value) }
    }

    /// Computes what waits to be used before the statements that follow `at` run, unless that makes
    /// no difference.
    pub(crate) fn settle(&mut self, waiting: &mut [Expr], at: usize) {
        if waiting.iter().all(Expr::is_stable) {
            return;
        }
        let mut later = self.block.statements.split_off(at);
        // What is put aside now may go to the table that the later statements make.
        let table = self.blocks.last().and_then(|block| Some(block.overflow.as_ref()?.0.clone()));
        if let Some(table) = table {
            let makes = |one: &Statement| match &one.kind {
                StatementKind::Local(names, _) => names.first() == Some(&table),
                _ => false,
            };
            if let Some(made) = later.iter().position(makes) {
                self.block.statements.push(later.remove(made));
            }
        }
        for expr in waiting.iter_mut() {
            if !expr.is_stable() {
                let place = expr.place;
                let value = std::mem::replace(expr, Expr::nil(place));
                *expr = self.put_aside(value);
            }
        }
        self.block.statements.extend(later);
    }

    pub(super) fn kept_small(&mut self, value: Expr) -> Expr {
        let small = value.cost.depth <= DEEPEST_EXPRESSION && value.cost.width <= WIDEST_EXPRESSION;
        if small || matches!(value.kind, ExprKind::Function(_)) {
            value
        } else {
            self.put_aside(value)
        }
    }

    pub(super) fn kept_small_many(&mut self, value: Expr) -> Expr {
        match value.cost.depth > DEEPEST_EXPRESSION && value.is_multiple() {
            true => self.as_function(value),
            false => self.kept_small(value),
        }
    }

    /// The same values, with the code for them out of the way.
    pub(super) fn as_function(&mut self, value: Expr) -> Expr {
        let place = value.place;
        let mut body = Block::default();
        body.push(StatementKind::Return(vec![value]), place);
        self.called_function(body, place)
    }

    pub(super) fn label(&mut self, base: &str) -> Rc<str> {
        self.labels += 1;
        format!("{base}_{}_", self.labels).into()
    }
}

fn local_name(target: &Expr) -> Option<Rc<str>> {
    match &target.kind {
        ExprKind::Name(name) => Some(name.text.clone()),
        _ => None,
    }
}
