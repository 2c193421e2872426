//! What Lua bounds in one function: variables, registers, variables from around, levels of syntax,
//! the length of a loop.
//!
//! The compiler makes code that keeps to most of these by itself. What it cannot keep to is found
//! here, before Lua would refuse the whole text. The counts are those of Lua's own compiler, or a
//! little more.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Block, Call, Expr, ExprKind, Field, Function, Operator, Statement, StatementKind};
use crate::source::Place;

/// What a program has too much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Excess {
    /// Variables of one function at once.
    Locals,
    /// Values of one function at once.
    Registers,
    /// Variables of functions around, used in one function.
    Upvalues,
    /// Forms inside one another.
    Levels,
    /// Code in one `for` or `each`.
    Loop,
}

const MOST_LOCALS: u32 = 200;
const MOST_REGISTERS: u32 = 250;
const MOST_UPVALUES: usize = 255;
/// Lua takes 200, with those of what loads the text.
const MOST_LEVELS: u16 = 180;
/// Nodes of the tree. A `for` can jump over 131,071 instructions; most nodes are one.
const MOST_IN_LOOP: u32 = 100_000;

/// The first place where a chunk has too much for Lua.
pub(crate) fn excess(block: &Block) -> Option<(Place, Excess)> {
    let mut walk = Walk { functions: Vec::new(), names: FxHashMap::default(), found: None };
    if block.depth > MOST_LEVELS {
        let place = block.statements.first().map(|first| first.place).unwrap_or_default();
        return Some((place, Excess::Levels));
    }
    walk.function(&[], block);
    walk.found
}

/// A function on the way.
#[derive(Default)]
struct Level {
    locals: u32,
    size: u32,
    upvalues: FxHashSet<Rc<str>>,
}

struct Walk {
    functions: Vec<Level>,
    /// The functions, by level, that a name is declared in, the innermost last.
    names: FxHashMap<Rc<str>, Vec<usize>>,
    found: Option<(Place, Excess)>,
}

impl Walk {
    fn report(&mut self, place: Place, excess: Excess) {
        self.found.get_or_insert((place, excess));
    }

    fn here(&mut self) -> &mut Level {
        if self.functions.is_empty() {
            self.functions.push(Level::default());
        }
        let last = self.functions.len() - 1;
        &mut self.functions[last]
    }

    fn function(&mut self, parameters: &[Rc<str>], body: &Block) {
        self.functions.push(Level::default());
        let place = body.statements.first().map(|first| first.place).unwrap_or_default();
        self.block(parameters, 0, body, place);
        self.functions.pop();
    }

    fn declare(&mut self, name: &Rc<str>, place: Place, declared: &mut Vec<Rc<str>>) {
        let level = self.functions.len().saturating_sub(1);
        self.names.entry(name.clone()).or_default().push(level);
        declared.push(name.clone());
        self.here().locals += 1;
        if self.here().locals > MOST_LOCALS {
            self.report(place, Excess::Locals);
        }
    }

    /// A block with variables of its own, some of which Lua makes without a name.
    fn block(&mut self, names: &[Rc<str>], hidden: u32, block: &Block, place: Place) {
        let before = self.here().locals;
        self.here().locals += hidden;
        let mut declared = Vec::new();
        for name in names {
            self.declare(name, place, &mut declared);
        }
        for statement in &block.statements {
            if self.found.is_some() {
                break;
            }
            self.statement(statement, &mut declared);
        }
        for name in declared {
            if let Some(levels) = self.names.get_mut(&name) {
                levels.pop();
            }
        }
        self.here().locals = before;
    }

    fn statement(&mut self, statement: &Statement, declared: &mut Vec<Rc<str>>) {
        let place = statement.place;
        self.here().size += 1;
        match &statement.kind {
            StatementKind::Local(names, values) => {
                self.list(values, 0, place);
                self.registers(u32::try_from(names.len()).unwrap_or(u32::MAX), place);
                for name in names {
                    self.declare(name, place, declared);
                }
            }
            StatementKind::Assign(targets, values) => {
                let mut held = 0;
                for target in targets {
                    self.expr(target, held);
                    if matches!(target.kind, ExprKind::Index(_)) {
                        held += 2;
                    }
                }
                self.list(values, held, place);
                let count = u32::try_from(targets.len()).unwrap_or(u32::MAX);
                self.registers(held.saturating_add(count), place);
            }
            StatementKind::Call(call) => self.expr(call, 0),
            StatementKind::Do(block) => self.block(&[], 0, block, place),
            StatementKind::If(arms, otherwise) => {
                for (condition, block) in arms {
                    self.expr(condition, 0);
                    self.block(&[], 0, block, place);
                }
                if let Some(block) = otherwise {
                    self.block(&[], 0, block, place);
                }
            }
            StatementKind::While(condition, block) => {
                self.expr(condition, 0);
                self.block(&[], 0, block, place);
            }
            StatementKind::ForNumber(name, values, block) => {
                self.list(values, 0, place);
                self.counted_loop(std::slice::from_ref(name), 3, block, place);
            }
            StatementKind::ForEach(names, values, block) => {
                self.list(values, 0, place);
                // A call of the iterator takes three more registers.
                self.registers(8, place);
                self.counted_loop(names, 4, block, place);
            }
            StatementKind::LocalFunction(name, function) => {
                self.declare(name, place, declared);
                self.function(&function.parameters, &function.body);
            }
            StatementKind::Return(values) => self.list(values, 0, place),
            StatementKind::Break
            | StatementKind::Goto(_)
            | StatementKind::Label(_)
            | StatementKind::Raw(_)
            | StatementKind::File(_) => {}
        }
    }

    fn counted_loop(&mut self, names: &[Rc<str>], hidden: u32, block: &Block, place: Place) {
        let before = self.here().size;
        self.block(names, hidden, block, place);
        if self.here().size - before > MOST_IN_LOOP {
            self.report(place, Excess::Loop);
        }
    }

    /// Registers beside those of the variables.
    fn registers(&mut self, count: u32, place: Place) {
        if self.here().locals.saturating_add(count) > MOST_REGISTERS {
            self.report(place, Excess::Registers);
        }
    }

    fn list(&mut self, values: &[Expr], held: u32, place: Place) {
        for (at, value) in values.iter().enumerate() {
            self.expr(value, held.saturating_add(u32::try_from(at).unwrap_or(u32::MAX)));
            if self.found.is_some() {
                return;
            }
        }
        self.registers(held, place);
    }

    /// An expression that is computed while `held` registers are in use.
    fn expr(&mut self, expr: &Expr, held: u32) {
        if self.found.is_some() {
            return;
        }
        self.here().size += 1;
        self.registers(held.saturating_add(1), expr.place);
        match &expr.kind {
            ExprKind::Name(name) => self.name(&name.text, expr.place),
            ExprKind::Slot(slot) => self.name(&slot.table, expr.place),
            ExprKind::Index(pair) => {
                self.expr(&pair.0, held);
                self.expr(&pair.1, held + 1);
            }
            ExprKind::Call(call) => self.call(call, held),
            ExprKind::Function(function) => {
                let Function { parameters, body, .. } = &**function;
                self.function(parameters, body);
            }
            ExprKind::Operation(operator, operands) => {
                let all_held = matches!(operator, Operator::Concat | Operator::Power);
                for (at, operand) in operands.iter().enumerate() {
                    let before = if all_held { at } else { at.min(1) };
                    self.expr(operand, held + u32::try_from(before).unwrap_or(u32::MAX));
                }
            }
            ExprKind::Unary(_, operand) => self.expr(operand, held),
            ExprKind::First(inner) => self.expr(inner, held),
            ExprKind::Table(fields) => self.table(fields, held),
            ExprKind::Nil
            | ExprKind::True
            | ExprKind::False
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Str(_)
            | ExprKind::Vararg
            | ExprKind::Raw(_) => {}
        }
    }

    fn call(&mut self, call: &Call, held: u32) {
        self.expr(&call.callee, held);
        let before = held + 1 + u32::from(call.method.is_some());
        for (at, argument) in call.arguments.iter().enumerate() {
            self.expr(argument, before.saturating_add(u32::try_from(at).unwrap_or(u32::MAX)));
            if self.found.is_some() {
                return;
            }
        }
    }

    fn table(&mut self, fields: &[Field], held: u32) {
        let mut pending = 0;
        for field in fields {
            match field {
                Field::Next(value) => {
                    pending = pending % super::FIELDS_HELD as u32 + 1;
                    self.expr(value, held + pending);
                }
                Field::Keyed(key, value) => {
                    self.expr(key, held + pending + 1);
                    self.expr(value, held + pending + 2);
                }
            }
            if self.found.is_some() {
                return;
            }
        }
    }

    fn name(&mut self, name: &Rc<str>, place: Place) {
        let here = self.functions.len().saturating_sub(1);
        let declared = self.names.get(name).and_then(|levels| levels.last().copied());
        // A global is a field of the variable _ENV, which is from around everywhere.
        let (name, from) = match declared {
            Some(level) => (name.clone(), level + 1),
            None => ("_ENV".into(), 0),
        };
        for level in (from..=here).rev() {
            let upvalues = &mut self.functions[level].upvalues;
            if !upvalues.insert(name.clone()) {
                break;
            }
            if upvalues.len() > MOST_UPVALUES {
                self.report(place, Excess::Upvalues);
            }
        }
    }
}
