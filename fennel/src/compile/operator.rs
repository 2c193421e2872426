//! Operators: arithmetic, comparison, logic.

use std::borrow::Cow;

use super::{Compiler, Got, Last};
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};
use crate::lua::{Expr, Operator, StatementKind, UnaryOperator};
use crate::source::Place;

/// Operands that Lua takes at once where it holds all of them in registers.
const OPERANDS_HELD: usize = 16;

impl Compiler {
    pub(crate) fn unary(
        &mut self,
        form: &Form,
        arguments: &[Form],
        operator: UnaryOperator,
    ) -> Compiled<Got> {
        let [operand] = arguments else {
            let name = name_of(form);
            return Err(Fault::new(form.span, format!("{name} takes exactly one operand"))
                .help(format!("write ({name} value)")));
        };
        let operand = self.value(operand)?;
        Ok(Expr::unary(operator, operand, form.span.place()).into())
    }

    pub(crate) fn arithmetic(
        &mut self,
        form: &Form,
        arguments: &[Form],
        operator: Operator,
    ) -> Compiled<Got> {
        let place = form.span.place();
        if let [Form { kind: Kind::Varg, .. }] = arguments {
            return Err(Fault::new(
                form.span,
                format!("{} does not take ... as its operands", name_of(form)),
            )
            .help("how many there are must be known while compiling; write a loop"));
        }
        let arguments = &*operands_of(arguments);
        if arguments.is_empty() {
            return match neutral(operator, place) {
                Some(value) => Ok(value.into()),
                None => {
                    let name = name_of(form);
                    Err(Fault::new(form.span, format!("{name} needs at least one operand"))
                        .help(format!("write ({name} a b …)")))
                }
            };
        }
        let mut operands = self.value_list(arguments, Vec::new(), Last::One)?;
        if operands.len() == 1 {
            let operand = operands.remove(0);
            return Ok(alone(operator, operand, place).into());
        }
        if matches!(operator, Operator::Concat | Operator::Power) {
            while operands.len() > OPERANDS_HELD {
                operands = self.grouped(operator, operands, place);
            }
        }
        let made = Expr::operation(operator, operands, place);
        Ok(made.into())
    }

    /// Operands with the last ones taken together.
    fn grouped(&mut self, operator: Operator, operands: Vec<Expr>, place: Place) -> Vec<Expr> {
        if operator == Operator::Power {
            // It leans to the right: the last ones come first.
            let mut operands = operands;
            let last = operands.split_off(operands.len() - OPERANDS_HELD);
            operands.push(Expr::operation(operator, last, place));
            return operands;
        }
        let mut groups = Vec::with_capacity(operands.len() / OPERANDS_HELD + 1);
        let mut operands = operands.into_iter().peekable();
        while operands.peek().is_some() {
            let mut group: Vec<Expr> = operands.by_ref().take(OPERANDS_HELD).collect();
            groups.push(match group.len() {
                1 => group.remove(0),
                _ => Expr::operation(operator, group, place),
            });
        }
        groups
    }

    /// `(< a b c)`: each operand is computed once and all of them are, but for the last one: that
    /// only where it still matters.
    pub(crate) fn comparison(
        &mut self,
        form: &Form,
        arguments: &[Form],
        operator: Operator,
    ) -> Compiled<Got> {
        let place = form.span.place();
        if arguments.len() < 2 {
            let name = name_of(form);
            return Err(Fault::new(form.span, format!("{name} takes at least two operands"))
                .help(format!("write ({name} a b …)")));
        }
        let mut operands = self.value_list(arguments, Vec::new(), Last::One)?;
        if operands.len() == 2 {
            return Ok(Expr::operation(operator, operands, place).into());
        }
        let last = operands.len() - 1;
        // Those in the middle are used twice.
        let aside =
            operands[1..last].iter().any(|operand| !(operand.is_atom() && operand.is_stable()));
        if aside {
            for operand in &mut operands[..last] {
                if !(operand.is_atom() && operand.is_stable()) {
                    let value = std::mem::replace(operand, Expr::nil(place));
                    *operand = self.put_aside(value);
                }
            }
        }
        let joint = match operator {
            Operator::NotEqual => Operator::Or,
            _ => Operator::And,
        };
        let pairs = operands.windows(2).map(|pair| Expr::operation(operator, pair.to_vec(), place));
        Ok(Expr::operation(joint, pairs.collect(), place).into())
    }

    /// `(and a b …)`, `(or a b …)`: an operand with statements of its own is computed in an `if`.
    pub(crate) fn logic(
        &mut self,
        form: &Form,
        arguments: &[Form],
        operator: Operator,
    ) -> Compiled<Got> {
        let place = form.span.place();
        let arguments = operands_of(arguments);
        let Some((first, others)) = arguments.split_first() else {
            return Ok(Expr::bool(operator == Operator::And, place).into());
        };
        let mut operands = vec![self.value(first)?];
        // Where the value is once statements were needed.
        let mut target: Option<Expr> = None;
        for form in others {
            let mut value = None;
            let mut block = self.in_block(|compiler| {
                value = Some(compiler.value(form)?);
                Ok(())
            })?;
            let value = value.unwrap_or_else(|| Expr::nil(place));
            if block.is_empty() {
                operands.push(value);
                continue;
            }
            let so_far = joined(operator, std::mem::take(&mut operands), place);
            let target = match target.clone() {
                Some(target) => {
                    self.assign(std::slice::from_ref(&target), vec![so_far], place);
                    target
                }
                None => {
                    let made = self.put_aside(so_far);
                    target = Some(made.clone());
                    made
                }
            };
            if !block.is_closed() {
                block.push(StatementKind::Assign(vec![target.clone()], vec![value]), place);
            }
            let condition = match operator {
                Operator::And => target.clone(),
                _ => Expr::not(target.clone()),
            };
            self.block.push(StatementKind::If(vec![(condition, block)], None), place);
            operands.push(target);
        }
        Ok(joined(operator, operands, place).first().into())
    }
}

/// What is spelled out as several values at the end is several operands.
fn operands_of(arguments: &[Form]) -> Cow<'_, [Form]> {
    let mut operands = Cow::Borrowed(arguments);
    while let Some(last) = operands.last().filter(|last| last.is_call_of("values")) {
        let spread = last.as_list().unwrap_or_default()[1..].to_vec();
        let operands = operands.to_mut();
        operands.pop();
        operands.extend(spread);
    }
    operands
}

/// How the program calls the operator.
fn name_of(form: &Form) -> &str {
    form.as_list().and_then(<[Form]>::first).and_then(Form::as_symbol).unwrap_or("an operator")
}

fn joined(operator: Operator, mut operands: Vec<Expr>, place: Place) -> Expr {
    match operands.len() {
        1 => operands.remove(0),
        _ => Expr::operation(operator, operands, place),
    }
}

/// What an operator without operands gives.
fn neutral(operator: Operator, place: Place) -> Option<Expr> {
    match operator {
        Operator::Add | Operator::BitOr | Operator::BitXor => Some(Expr::integer(0, place)),
        Operator::Multiply => Some(Expr::integer(1, place)),
        Operator::BitAnd => Some(Expr::integer(-1, place)),
        Operator::Concat => Some(Expr::string(*b"", place)),
        _ => None,
    }
}

/// What an operator with a single operand gives.
fn alone(operator: Operator, operand: Expr, place: Place) -> Expr {
    match operator {
        Operator::Subtract => Expr::unary(UnaryOperator::Negate, operand, place),
        Operator::Divide
        | Operator::FloorDivide
        | Operator::Multiply
        | Operator::ShiftLeft
        | Operator::ShiftRight => {
            Expr::operation(operator, vec![Expr::integer(1, place), operand], place)
        }
        Operator::Add | Operator::BitOr | Operator::BitXor => {
            Expr::operation(operator, vec![Expr::integer(0, place), operand], place)
        }
        Operator::BitAnd => {
            Expr::operation(operator, vec![Expr::integer(-1, place), operand], place)
        }
        _ => operand.first(),
    }
}
