//! Lua as the compiler makes it, before it is text.
//!
//! Lua bounds what one function may hold: levels of syntax, registers, locals. Each node therefore
//! knows its cost, so that the compiler can put a part aside in a local before a bound is met.

mod limits;
pub(crate) mod names;
mod print;

use std::rc::Rc;

use crate::source::Place;

pub(crate) use limits::{Excess, excess};
pub(crate) use print::print;

/// An expression.
#[derive(Debug, Clone)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    /// The line that an error raised here is told to be on.
    pub(crate) place: Place,
    pub(crate) cost: Cost,
}

/// What it takes Lua to compile an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cost {
    /// Levels of syntax inside one another.
    pub(crate) depth: u16,
    /// Registers while it is computed.
    pub(crate) width: u16,
}

#[derive(Debug, Clone)]
pub(crate) enum ExprKind {
    Nil,
    True,
    False,
    Integer(i64),
    Float(f64),
    Str(Rc<[u8]>),
    Vararg,
    Name(Name),
    Slot(Slot),
    Index(Box<(Expr, Expr)>),
    Call(Box<Call>),
    Function(Box<Function>),
    /// An operator between its operands, from left to right.
    Operation(Operator, Vec<Expr>),
    Unary(UnaryOperator, Box<Expr>),
    Table(Vec<Field>),
    /// The first value only.
    First(Box<Expr>),
    /// Lua that the program spells out.
    Raw(Rc<str>),
}

/// A variable of Lua.
#[derive(Debug, Clone)]
pub(crate) struct Name {
    pub(crate) text: Rc<str>,
    /// Whether it keeps its value as long as it is in scope.
    pub(crate) constant: bool,
}

/// A variable that Lua has no room for: an entry of a table.
#[derive(Debug, Clone)]
pub(crate) struct Slot {
    pub(crate) table: Rc<str>,
    pub(crate) number: i64,
    /// Whether it keeps its value as long as it is in scope.
    pub(crate) constant: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) callee: Expr,
    /// For `callee:method(…)`.
    pub(crate) method: Option<Rc<str>>,
    pub(crate) arguments: Vec<Expr>,
}

#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub(crate) parameters: Vec<Rc<str>>,
    pub(crate) vararg: bool,
    pub(crate) body: Block,
}

#[derive(Debug, Clone)]
pub(crate) enum Field {
    /// The next one of the sequence.
    Next(Expr),
    /// `[key] = value`
    Keyed(Expr, Expr),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Or,
    And,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    BitOr,
    BitXor,
    BitAnd,
    ShiftLeft,
    ShiftRight,
    Concat,
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Modulo,
    Power,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnaryOperator {
    Not,
    Negate,
    Length,
    BitNot,
}

/// Statements one after the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Block {
    pub(crate) statements: Vec<Statement>,
    /// Levels of syntax inside one another.
    pub(crate) depth: u16,
}

#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    pub(crate) place: Place,
}

#[derive(Debug, Clone)]
pub(crate) enum StatementKind {
    /// `local names = values`
    Local(Vec<Rc<str>>, Vec<Expr>),
    /// `targets = values`
    Assign(Vec<Expr>, Vec<Expr>),
    Call(Expr),
    Do(Block),
    If(Vec<(Expr, Block)>, Option<Block>),
    While(Expr, Block),
    /// `for name = from, to, step`
    ForNumber(Rc<str>, Vec<Expr>, Block),
    /// `for names in values`
    ForEach(Vec<Rc<str>>, Vec<Expr>, Block),
    LocalFunction(Rc<str>, Box<Function>),
    Return(Vec<Expr>),
    Break,
    Goto(Rc<str>),
    Label(Rc<str>),
    Raw(Rc<str>),
    /// Lua of a file, whose lines are from the statement's place on.
    File(Rc<str>),
}

const LEAF: Cost = Cost { depth: 1, width: 1 };

impl Cost {
    /// Of what is computed while `before` registers are held.
    fn after(self, before: usize) -> u16 {
        self.width.saturating_add(u16::try_from(before).unwrap_or(u16::MAX))
    }
}

impl Expr {
    fn leaf(kind: ExprKind, place: Place) -> Self {
        Expr { kind, place, cost: LEAF }
    }

    pub(crate) fn nil(place: Place) -> Self {
        Expr::leaf(ExprKind::Nil, place)
    }

    pub(crate) fn bool(value: bool, place: Place) -> Self {
        Expr::leaf(if value { ExprKind::True } else { ExprKind::False }, place)
    }

    pub(crate) fn integer(number: i64, place: Place) -> Self {
        Expr::leaf(ExprKind::Integer(number), place)
    }

    pub(crate) fn float(number: f64, place: Place) -> Self {
        Expr::leaf(ExprKind::Float(number), place)
    }

    pub(crate) fn string(text: impl Into<Rc<[u8]>>, place: Place) -> Self {
        Expr::leaf(ExprKind::Str(text.into()), place)
    }

    pub(crate) fn vararg(place: Place) -> Self {
        Expr::leaf(ExprKind::Vararg, place)
    }

    /// A local that keeps its value.
    pub(crate) fn constant(text: impl Into<Rc<str>>, place: Place) -> Self {
        Expr::leaf(ExprKind::Name(Name { text: text.into(), constant: true }), place)
    }

    /// A local or global whose value may change.
    pub(crate) fn variable(text: impl Into<Rc<str>>, place: Place) -> Self {
        Expr::leaf(ExprKind::Name(Name { text: text.into(), constant: false }), place)
    }

    /// A local that is kept in a table.
    pub(crate) fn slot(table: Rc<str>, number: i64, constant: bool, place: Place) -> Self {
        Expr::leaf(ExprKind::Slot(Slot { table, number, constant }), place)
    }

    pub(crate) fn raw(text: impl Into<Rc<str>>, place: Place) -> Self {
        Expr::leaf(ExprKind::Raw(text.into()), place)
    }

    pub(crate) fn index(table: Expr, key: Expr, place: Place) -> Self {
        let cost = Cost {
            // Lua takes as many fields of fields as there are; what walks over the tree does not.
            depth: table.cost.depth.max(key.cost.depth).saturating_add(1),
            width: table.cost.width.max(key.cost.after(1)),
        };
        Expr { kind: ExprKind::Index(Box::new((table, key))), place, cost }
    }

    pub(crate) fn field(table: Expr, key: &str, place: Place) -> Self {
        Expr::index(table, Expr::string(key.as_bytes(), place), place)
    }

    pub(crate) fn call(
        callee: Expr,
        method: Option<Rc<str>>,
        arguments: Vec<Expr>,
        place: Place,
    ) -> Self {
        let held = 1 + usize::from(method.is_some());
        let inner = arguments.iter().map(|argument| argument.cost.depth).max().unwrap_or(0);
        let width =
            arguments.iter().enumerate().map(|(at, argument)| argument.cost.after(at + held));
        let cost = Cost {
            depth: callee.cost.depth.max(inner).saturating_add(1),
            width: width.max().unwrap_or(2).max(callee.cost.width),
        };
        Expr { kind: ExprKind::Call(Box::new(Call { callee, method, arguments })), place, cost }
    }

    pub(crate) fn function(function: Function, place: Place) -> Self {
        let cost = Cost { depth: function.body.depth.saturating_add(1), width: 1 };
        Expr { kind: ExprKind::Function(Box::new(function)), place, cost }
    }

    /// An operator between at least two operands.
    pub(crate) fn operation(operator: Operator, operands: Vec<Expr>, place: Place) -> Self {
        let inner = operands.iter().map(|operand| operand.cost.depth).max().unwrap_or(0);
        // Lua nests what leans to the right, and holds a concatenation's operands all at once.
        let (nested, held) = match operator {
            Operator::Concat => (operands.len(), operands.len()),
            Operator::Power => (operands.len(), operands.len()),
            _ => (1, 1),
        };
        let width = operands.iter().map(|operand| operand.cost.after(held)).max().unwrap_or(1);
        let depth = inner.saturating_add(u16::try_from(nested).unwrap_or(u16::MAX));
        let kind = ExprKind::Operation(operator, operands);
        Expr { kind, place, cost: Cost { depth, width } }
    }

    pub(crate) fn unary(operator: UnaryOperator, operand: Expr, place: Place) -> Self {
        let cost = Cost { depth: operand.cost.depth.saturating_add(1), width: operand.cost.width };
        Expr { kind: ExprKind::Unary(operator, Box::new(operand)), place, cost }
    }

    pub(crate) fn not(operand: Expr) -> Self {
        let place = operand.place;
        Expr::unary(UnaryOperator::Not, operand, place)
    }

    pub(crate) fn table(fields: Vec<Field>, place: Place) -> Self {
        let mut cost = Cost { depth: 1, width: 2 };
        let mut pending = 0;
        for field in &fields {
            let (depth, width) = match field {
                Field::Next(value) => {
                    pending = pending % FIELDS_HELD + 1;
                    (value.cost.depth, value.cost.after(pending))
                }
                Field::Keyed(key, value) => (
                    key.cost.depth.max(value.cost.depth),
                    key.cost.after(pending + 1).max(value.cost.after(pending + 2)),
                ),
            };
            cost.depth = cost.depth.max(depth.saturating_add(1));
            cost.width = cost.width.max(width);
        }
        Expr { kind: ExprKind::Table(fields), place, cost }
    }

    /// Takes it for code of another place.
    pub(crate) fn move_to(&mut self, place: Place) {
        self.place = place;
        if let ExprKind::Index(pair) = &mut self.kind {
            pair.0.move_to(place);
            pair.1.move_to(place);
        }
    }

    /// Exactly one value, where the expression could give another number of them.
    pub(crate) fn first(self) -> Self {
        match self.kind {
            ExprKind::Call(_) | ExprKind::Vararg | ExprKind::Raw(_) => {
                let (place, cost) = (self.place, self.cost);
                Expr { kind: ExprKind::First(Box::new(self)), place, cost }
            }
            _ => self,
        }
    }

    /// Whether it can give another number of values than one.
    pub(crate) fn is_multiple(&self) -> bool {
        matches!(self.kind, ExprKind::Call(_) | ExprKind::Vararg | ExprKind::Raw(_))
    }

    /// Whether computing it later, after other code, makes no difference.
    pub(crate) fn is_stable(&self) -> bool {
        match &self.kind {
            ExprKind::Nil
            | ExprKind::True
            | ExprKind::False
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Str(_)
            | ExprKind::Function(_)
            | ExprKind::Vararg => true,
            ExprKind::Name(name) => name.constant,
            ExprKind::Slot(slot) => slot.constant,
            ExprKind::First(inner) => inner.is_stable(),
            ExprKind::Unary(UnaryOperator::Not, operand) => operand.is_stable(),
            ExprKind::Operation(Operator::And | Operator::Or, operands) => {
                operands.iter().all(Expr::is_stable)
            }
            ExprKind::Table(fields) => fields.iter().all(|field| match field {
                Field::Next(value) => value.is_stable(),
                Field::Keyed(key, value) => key.is_stable() && value.is_stable(),
            }),
            ExprKind::Index(_)
            | ExprKind::Call(_)
            | ExprKind::Operation(..)
            | ExprKind::Unary(..)
            | ExprKind::Raw(_) => false,
        }
    }

    /// Whether it is a name or constant, which is repeated at no cost.
    pub(crate) fn is_atom(&self) -> bool {
        matches!(
            self.kind,
            ExprKind::Nil
                | ExprKind::True
                | ExprKind::False
                | ExprKind::Integer(_)
                | ExprKind::Float(_)
                | ExprKind::Str(_)
                | ExprKind::Name(_)
                | ExprKind::Slot(_)
        )
    }
}

/// How many positional fields of a table constructor Lua holds in registers at once.
pub(crate) const FIELDS_HELD: usize = 50;

impl Block {
    pub(crate) fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    pub(crate) fn push(&mut self, kind: StatementKind, place: Place) {
        self.depth = self.depth.max(kind.depth());
        self.statements.push(Statement { kind, place });
    }

    /// Appends what another block holds.
    pub(crate) fn append(&mut self, mut other: Block) {
        self.depth = self.depth.max(other.depth);
        self.statements.append(&mut other.statements);
    }

    /// Takes the statements of a last block of its own for those of this one: nothing follows that
    /// could see its locals.
    pub(crate) fn open_last(&mut self) {
        let is_block =
            |last: &Statement| matches!(&last.kind, StatementKind::Do(block) if !block.is_empty());
        if self.statements.last().is_some_and(is_block)
            && let Some(StatementKind::Do(inner)) = self.statements.pop().map(|last| last.kind)
        {
            self.append(inner);
        }
    }

    /// Whether nothing can follow its last statement.
    pub(crate) fn is_closed(&self) -> bool {
        self.statements.last().is_some_and(|last| match &last.kind {
            StatementKind::Return(_) | StatementKind::Break | StatementKind::Goto(_) => true,
            // Only these can end a block in the middle of what is written out.
            StatementKind::Raw(text) => {
                let text = text.trim_start();
                ["return", "break", "goto"].iter().any(|word| names::begins_with_word(text, word))
            }
            _ => false,
        })
    }
}

impl StatementKind {
    /// Levels of syntax inside one another.
    fn depth(&self) -> u16 {
        let expressions = |list: &[Expr]| list.iter().map(|one| one.cost.depth).max().unwrap_or(0);
        let inner = match self {
            StatementKind::Local(_, values) | StatementKind::Return(values) => expressions(values),
            // Lua goes a level deeper for each further target.
            StatementKind::Assign(targets, values) => {
                let further = u16::try_from(targets.len().saturating_sub(1)).unwrap_or(u16::MAX);
                expressions(targets).max(expressions(values)).saturating_add(further)
            }
            StatementKind::Call(call) => call.cost.depth,
            StatementKind::Do(block) => block.depth,
            StatementKind::If(arms, otherwise) => arms
                .iter()
                .map(|(condition, block)| condition.cost.depth.max(block.depth))
                .chain(otherwise.iter().map(|block| block.depth))
                .max()
                .unwrap_or(0),
            StatementKind::While(condition, block) => condition.cost.depth.max(block.depth),
            StatementKind::ForNumber(_, values, block)
            | StatementKind::ForEach(_, values, block) => expressions(values).max(block.depth),
            StatementKind::LocalFunction(_, function) => function.body.depth,
            StatementKind::Break
            | StatementKind::Goto(_)
            | StatementKind::Label(_)
            | StatementKind::Raw(_)
            | StatementKind::File(_) => 0,
        };
        inner.saturating_add(1)
    }
}
