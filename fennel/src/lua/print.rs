//! Lua as text, and which source line each of its lines is from.
//!
//! A line of Lua never mixes code of two source lines that could raise an error: where the source
//! line changes, a new line begins. The map from lines to lines is then exact.

use super::names;
use super::{
    Block, Call, Expr, ExprKind, Field, Function, Operator, Statement, StatementKind, UnaryOperator,
};
use crate::source::Place;

/// Lua text with the origin of its lines.
#[derive(Debug, Default)]
pub(crate) struct Printed {
    pub(crate) lua: String,
    /// The origin of each line; line 0 where nothing on it can raise an error.
    pub(crate) lines: Vec<Place>,
    /// Whether Lua of the program's own takes several lines or may hold a comment.
    pub(crate) has_raw_lines: bool,
}

/// Writes a chunk out.
pub(crate) fn print(block: &Block) -> Printed {
    let mut printer = Printer { out: Printed::default(), indent: 0 };
    printer.out.lines.push(Place::default());
    printer.block(block);
    if !printer.out.lua.is_empty() {
        printer.out.lua.push('\n');
    }
    printer.out
}

struct Printer {
    out: Printed,
    indent: usize,
}

/// How tightly an expression holds together, as Lua's manual orders operators.
type Tightness = u8;

const UNARY: Tightness = 12;
const ATOM: Tightness = 20;

impl Operator {
    fn text(self) -> &'static str {
        match self {
            Operator::Or => "or",
            Operator::And => "and",
            Operator::Less => "<",
            Operator::LessEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterEqual => ">=",
            Operator::Equal => "==",
            Operator::NotEqual => "~=",
            Operator::BitOr => "|",
            Operator::BitXor => "~",
            Operator::BitAnd => "&",
            Operator::ShiftLeft => "<<",
            Operator::ShiftRight => ">>",
            Operator::Concat => "..",
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::FloorDivide => "//",
            Operator::Modulo => "%",
            Operator::Power => "^",
        }
    }

    fn tightness(self) -> Tightness {
        match self {
            Operator::Or => 1,
            Operator::And => 2,
            Operator::Less
            | Operator::LessEqual
            | Operator::Greater
            | Operator::GreaterEqual
            | Operator::Equal
            | Operator::NotEqual => 3,
            Operator::BitOr => 4,
            Operator::BitXor => 5,
            Operator::BitAnd => 6,
            Operator::ShiftLeft | Operator::ShiftRight => 7,
            Operator::Concat => 9,
            Operator::Add | Operator::Subtract => 10,
            Operator::Multiply | Operator::Divide | Operator::FloorDivide | Operator::Modulo => 11,
            Operator::Power => 14,
        }
    }

    fn leans_right(self) -> bool {
        matches!(self, Operator::Concat | Operator::Power)
    }

    fn compares(self) -> bool {
        self.tightness() == 3
    }
}

fn tightness(expr: &Expr) -> Tightness {
    match &expr.kind {
        ExprKind::Operation(operator, _) => operator.tightness(),
        ExprKind::Unary(..) => UNARY,
        ExprKind::Integer(number) if *number < 0 && *number != i64::MIN => UNARY,
        ExprKind::Float(number) if number.is_finite() && number.is_sign_negative() => UNARY,
        ExprKind::Raw(_) => 0,
        _ => ATOM,
    }
}

/// Whether Lua takes the expression before a dot, a bracket or a call as it stands.
fn is_prefix(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Name(_)
            | ExprKind::Slot(_)
            | ExprKind::Index(_)
            | ExprKind::Call(_)
            | ExprKind::First(_)
    )
}

impl Printer {
    fn text(&mut self, text: &str) {
        self.out.lua.push_str(text);
    }

    fn new_line(&mut self, place: Place) {
        let lua = &mut self.out.lua;
        while lua.ends_with(' ') {
            lua.pop();
        }
        lua.push('\n');
        self.out.lines.push(place);
        for _ in 0..self.indent {
            self.out.lua.push_str("  ");
        }
    }

    /// What follows can raise an error that is told to be here.
    fn at(&mut self, place: Place) {
        if place.line == 0 {
            return;
        }
        let current = self.out.lines.last_mut();
        match current {
            Some(current) if current.line == 0 => *current = place,
            Some(current) if *current != place => {
                self.indent += 1;
                self.new_line(place);
                self.indent -= 1;
            }
            _ => {}
        }
    }

    fn block(&mut self, block: &Block) {
        for (index, statement) in block.statements.iter().enumerate() {
            let at_start = self.out.lua.is_empty();
            if !at_start {
                self.new_line(statement.place);
            } else if let Some(line) = self.out.lines.last_mut() {
                *line = statement.place;
            }
            let start = self.out.lua.len();
            self.statement(statement);
            // Lua would take the parenthesis for a call of what the line before ends with.
            if index > 0 && self.out.lua[start..].starts_with('(') {
                self.out.lua.insert(start, ';');
            }
        }
    }

    /// A block on lines of its own, indented; the next text begins a new line.
    fn inner(&mut self, block: &Block) {
        self.indent += 1;
        self.block(block);
        self.indent -= 1;
        self.new_line(Place::default());
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Local(names, values) => {
                self.text("local ");
                self.text(&names.join(", "));
                if !values.is_empty() {
                    self.text(" = ");
                    self.list(values);
                }
            }
            StatementKind::Assign(targets, values) => {
                self.list(targets);
                self.text(" = ");
                self.list(values);
            }
            StatementKind::Call(call) => self.expr(call),
            StatementKind::Do(block) => {
                self.text("do");
                self.inner(block);
                self.text("end");
            }
            StatementKind::If(arms, otherwise) => {
                for (index, (condition, block)) in arms.iter().enumerate() {
                    self.text(if index == 0 { "if " } else { "elseif " });
                    self.expr(condition);
                    self.text(" then");
                    self.inner(block);
                }
                if let Some(block) = otherwise {
                    self.text("else");
                    self.inner(block);
                }
                self.text("end");
            }
            StatementKind::While(condition, block) => {
                self.text("while ");
                self.expr(condition);
                self.text(" do");
                self.inner(block);
                self.text("end");
            }
            StatementKind::ForNumber(name, values, block) => {
                self.text("for ");
                self.text(name);
                self.text(" = ");
                self.list(values);
                self.text(" do");
                self.inner(block);
                self.text("end");
            }
            StatementKind::ForEach(names, values, block) => {
                self.text("for ");
                self.text(&names.join(", "));
                self.text(" in ");
                self.list(values);
                self.text(" do");
                self.inner(block);
                self.text("end");
            }
            StatementKind::LocalFunction(name, function) => {
                self.text("local function ");
                self.text(name);
                self.function(function);
            }
            StatementKind::Return(values) => {
                self.text("return");
                if !values.is_empty() {
                    self.text(" ");
                    self.list(values);
                }
            }
            StatementKind::Break => self.text("break"),
            StatementKind::Goto(label) => {
                self.text("goto ");
                self.text(label);
            }
            StatementKind::Label(label) => {
                self.text("::");
                self.text(label);
                self.text("::");
            }
            StatementKind::Raw(text) => self.raw(text, statement.place),
            StatementKind::File(text) => self.file(text, statement.place),
        }
    }

    /// Lua of the program's own, which can hold several lines.
    fn raw(&mut self, text: &str, place: Place) {
        self.out.has_raw_lines |= text.contains('\n') || text.contains("--");
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                self.out.lua.push('\n');
                self.out.lines.push(place);
            }
            self.text(line);
        }
    }

    /// Lua of a file, each line with its own place.
    fn file(&mut self, text: &str, start: Place) {
        self.out.has_raw_lines = true;
        for (line, code) in (start.line..).zip(text.split('\n')) {
            if line > start.line {
                self.out.lua.push('\n');
                self.out.lines.push(Place { line, ..start });
            }
            self.text(code);
        }
    }

    /// The parameters and the body of a function.
    fn function(&mut self, function: &Function) {
        self.text("(");
        for (index, parameter) in function.parameters.iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            self.text(parameter);
        }
        if function.vararg {
            self.text(if function.parameters.is_empty() { "..." } else { ", ..." });
        }
        self.text(")");
        if function.body.is_empty() {
            self.text(" end");
        } else {
            self.inner(&function.body);
            self.text("end");
        }
    }

    fn list(&mut self, exprs: &[Expr]) {
        for (index, expr) in exprs.iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            self.expr(expr);
        }
    }

    fn parenthesised(&mut self, expr: &Expr) {
        self.text("(");
        self.expr(expr);
        self.text(")");
    }

    /// An operand beside an operator that holds this tight.
    fn operand(&mut self, expr: &Expr, least: Tightness) {
        if tightness(expr) < least {
            self.parenthesised(expr);
        } else {
            self.expr(expr);
        }
    }

    fn prefix(&mut self, expr: &Expr) {
        if is_prefix(expr) {
            self.expr(expr);
        } else {
            self.parenthesised(expr);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Nil => self.text("nil"),
            ExprKind::True => self.text("true"),
            ExprKind::False => self.text("false"),
            ExprKind::Integer(number) => self.integer(*number),
            ExprKind::Float(number) => self.float(*number),
            ExprKind::Str(bytes) => quote(bytes, &mut self.out.lua),
            ExprKind::Vararg => self.text("..."),
            ExprKind::Name(name) => self.text(&name.text),
            ExprKind::Slot(slot) => {
                self.text(&slot.table);
                self.text("[");
                self.integer(slot.number);
                self.text("]");
            }
            ExprKind::Raw(text) => self.raw(text, expr.place),
            ExprKind::First(inner) => self.parenthesised(inner),
            ExprKind::Index(pair) => {
                self.at(expr.place);
                self.prefix(&pair.0);
                match &pair.1.kind {
                    ExprKind::Str(key) if names::is_name(key) => {
                        self.text(".");
                        self.text(&String::from_utf8_lossy(key));
                    }
                    _ => {
                        self.text("[");
                        self.expr(&pair.1);
                        self.text("]");
                    }
                }
            }
            ExprKind::Call(call) => self.call(call, expr.place),
            ExprKind::Function(function) => {
                self.text("function");
                self.function(function);
            }
            ExprKind::Operation(operator, operands) => {
                self.operation(*operator, operands, expr.place);
            }
            ExprKind::Unary(operator, operand) => {
                self.at(expr.place);
                let (text, least) = match operator {
                    UnaryOperator::Not => ("not ", UNARY),
                    // Two dashes would begin a comment.
                    UnaryOperator::Negate => ("-", UNARY + 1),
                    UnaryOperator::Length => ("#", UNARY),
                    UnaryOperator::BitNot => ("~", UNARY),
                };
                self.text(text);
                self.operand(operand, least);
            }
            ExprKind::Table(fields) => self.table(fields),
        }
    }

    fn call(&mut self, call: &Call, place: Place) {
        self.at(place);
        self.prefix(&call.callee);
        // Lua takes the line of either the callee or the parenthesis for the call's.
        self.at(place);
        if let Some(method) = &call.method {
            self.text(":");
            self.text(method);
        }
        self.text("(");
        self.list(&call.arguments);
        self.text(")");
    }

    fn operation(&mut self, operator: Operator, operands: &[Expr], place: Place) {
        let own = operator.tightness();
        let last = operands.len().saturating_sub(1);
        if operands.first().is_some_and(Expr::is_atom) {
            self.at(place);
        }
        for (index, operand) in operands.iter().enumerate() {
            if index > 0 {
                self.text(" ");
                self.at(place);
                self.text(operator.text());
                self.text(" ");
            }
            let leaning = if operator.leans_right() { index == last } else { index == 0 };
            // Lua looks a field up when it has read the operator behind it, which may be on another
            // line, or the parenthesis.
            if index < last && operand.place != place && matches!(operand.kind, ExprKind::Index(_))
            {
                self.at(operand.place);
                self.parenthesised(operand);
                continue;
            }
            self.operand(operand, if leaning && !operator.compares() { own } else { own + 1 });
        }
    }

    fn table(&mut self, fields: &[Field]) {
        self.text("{");
        for (index, field) in fields.iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            match field {
                Field::Next(value) => {
                    self.at(value.place);
                    self.expr(value);
                }
                Field::Keyed(key, value) => {
                    self.at(key.place);
                    match &key.kind {
                        ExprKind::Str(text) if names::is_name(text) => {
                            self.text(&String::from_utf8_lossy(text));
                        }
                        _ => {
                            self.text("[");
                            self.expr(key);
                            self.text("]");
                        }
                    }
                    self.text(" = ");
                    self.expr(value);
                }
            }
        }
        self.text("}");
    }

    fn integer(&mut self, number: i64) {
        // Lua reads the digits first and the sign later, and these digits are no integer.
        if number == i64::MIN {
            self.text("0x8000000000000000");
        } else {
            self.text(&number.to_string());
        }
    }

    fn float(&mut self, number: f64) {
        let text = match number {
            // Where the processor makes one of these, its sign is set.
            _ if number.is_nan() && number.is_sign_negative() => "(0/0)".to_owned(),
            _ if number.is_nan() => "(-(0/0))".to_owned(),
            f64::INFINITY => "(1/0)".to_owned(),
            f64::NEG_INFINITY => "(-1/0)".to_owned(),
            // Rust writes the shortest text that reads back as the same number.
            _ => format!("{number:?}"),
        };
        self.text(&text);
    }
}

/// Writes a string literal that gives these bytes.
fn quote(bytes: &[u8], out: &mut String) {
    out.push('"');
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '\r' => out.push_str("\\r"),
                c if c.is_ascii_control() => out.push_str(&format!("\\{:03}", c as u32)),
                c => out.push(c),
            }
        }
        for byte in chunk.invalid() {
            out.push_str(&format!("\\{byte:03}"));
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    fn line(line: u32) -> Place {
        Place { file: FileId(0), line }
    }

    fn returned(expr: Expr) -> String {
        let mut block = Block::default();
        let place = expr.place;
        block.push(StatementKind::Return(vec![expr]), place);
        print(&block).lua
    }

    #[test]
    fn parentheses_stand_where_lua_needs_them() {
        let at = line(1);
        let name = |text: &str| Expr::variable(text, at);
        let sum = Expr::operation(Operator::Add, vec![name("a"), name("b")], at);
        let product = Expr::operation(Operator::Multiply, vec![sum.clone(), name("c")], at);
        assert_eq!(returned(product), "return (a + b) * c\n");
        let nested = Expr::operation(Operator::Subtract, vec![name("x"), sum.clone()], at);
        assert_eq!(returned(nested), "return x - (a + b)\n");
        let left = Expr::operation(Operator::Subtract, vec![sum, name("x")], at);
        assert_eq!(returned(left), "return a + b - x\n");
        let negative = Expr::unary(UnaryOperator::Negate, Expr::integer(-5, at), at);
        assert_eq!(returned(negative), "return -(-5)\n");
        let text = Expr::call(Expr::string(*b"x", at), Some("rep".into()), vec![], at);
        assert_eq!(returned(text), "return (\"x\"):rep()\n");
    }

    #[test]
    fn a_new_source_line_is_a_new_line() {
        let call =
            |name: &str, at, arguments| Expr::call(Expr::variable(name, at), None, arguments, at);
        let inner = call("g", line(2), vec![]);
        let outer = call("f", line(1), vec![inner, call("h", line(2), vec![])]);
        let mut block = Block::default();
        block.push(StatementKind::Return(vec![outer]), line(1));
        let printed = print(&block);
        assert_eq!(printed.lua, "return f(\n  g(), h())\n");
        assert_eq!(printed.lines, [line(1), line(2)]);
    }

    #[test]
    fn strings_keep_every_byte() {
        assert_eq!(
            returned(Expr::string(*b"a\0\xff\"\\\n1", line(1))),
            "return \"a\\000\\255\\\"\\\\\\n1\"\n"
        );
    }
}
