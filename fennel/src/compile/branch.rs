//! `do`, `if`, and what gives values as it stands.

use super::{Compiler, Dest, Got, Last, Want, special};
use crate::builtin;
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};
use crate::lua::{Block, Expr, StatementKind};
use crate::words::Gives;

/// Branches after which an `if` whose conditions need statements is written one after the other
/// instead of one in the other, since Lua bounds the levels.
const NESTED_BRANCHES: usize = 16;

/// Levels of a form that are looked through for what it gives.
const DEEPEST_LOOK: usize = 32;

impl Compiler {
    /// `(do …)`
    pub(crate) fn do_form(&mut self, form: &Form, arguments: &[Form], want: Want) -> Compiled<Got> {
        if arguments.is_empty() {
            return Ok(Got::Values(Vec::new()));
        }
        let many = || arguments.last().is_some_and(|last| self.may_be_many(last));
        let many = matches!(want, Want::Many) && many();
        self.in_statements(want, form.span, many, |compiler, dest| {
            compiler.scoped(dest, form, |compiler| compiler.body(arguments, dest, form.span))
        })
    }

    /// `(values a b …)`
    pub(crate) fn values_form(
        &mut self,
        form: &Form,
        arguments: &[Form],
        _: Want,
    ) -> Compiled<Got> {
        let values = self.value_list(arguments, Vec::new(), Last::Many)?;
        self.check_width(form, &values)?;
        Ok(Got::Values(values))
    }

    /// `(if condition body … else)`
    pub(crate) fn if_form(&mut self, form: &Form, arguments: &[Form], want: Want) -> Compiled<Got> {
        if arguments.len() < 2 {
            return Err(Fault::new(form.span, "expected condition and body")
                .help("write (if condition body else)"));
        }
        let mut bodies = arguments.chunks(2).filter_map(<[Form]>::last);
        let many = matches!(want, Want::Many) && bodies.any(|body| self.may_be_many(body));
        self.in_statements(want, form.span, many, |compiler, dest| {
            let first = compiler.value(&arguments[0])?;
            compiler.branches(form, first, arguments, dest, 0)
        })
    }

    /// Conditions, the first of which is compiled, with their bodies, and what comes where none of
    /// them holds.
    fn branches(
        &mut self,
        form: &Form,
        first: Expr,
        parts: &[Form],
        dest: Dest,
        level: usize,
    ) -> Compiled<()> {
        let place = form.span.place();
        let mut arms = Vec::new();
        let mut rest = parts;
        let mut otherwise = None;
        let mut next = Some(first);
        while let [_, body, behind @ ..] = rest {
            let value = next.take().unwrap_or_else(|| Expr::nil(place));
            arms.push((value, self.arm(body, dest)?));
            rest = behind;
            let [condition, _, ..] = rest else { break };
            // Where a condition needs statements, all that follows stands behind them in the block.
            let block = self.in_block(|compiler| {
                let value = compiler.value(condition)?;
                if compiler.block.is_empty() {
                    next = Some(value);
                    return Ok(());
                }
                if level + 1 >= NESTED_BRANCHES {
                    return compiler.flat_branches(form, value, rest, dest);
                }
                compiler.branches(form, value, rest, dest, level + 1)
            })?;
            if next.is_none() {
                otherwise = Some(block);
                break;
            }
        }
        if otherwise.is_none() {
            otherwise = self.otherwise(form, rest, dest)?;
        }
        self.block.push(StatementKind::If(arms, otherwise), place);
        Ok(())
    }

    fn arm(&mut self, body: &Form, dest: Dest) -> Compiled<Block> {
        self.in_block(|compiler| {
            compiler.body(std::slice::from_ref(body), dest, body.span);
            Ok(())
        })
    }

    /// The block behind `else`.
    fn otherwise(&mut self, form: &Form, rest: &[Form], dest: Dest) -> Compiled<Option<Block>> {
        match (rest.first(), dest) {
            (Some(body), _) => self.arm(body, dest).map(Some),
            (None, Dest::Nothing) => Ok(None),
            (None, _) => self
                .in_block(|compiler| {
                    compiler.body(&[], dest, form.span);
                    Ok(())
                })
                .map(Some),
        }
    }

    /// The same, each branch on a level of its own: what holds jumps over the others.
    fn flat_branches(
        &mut self,
        form: &Form,
        first: Expr,
        parts: &[Form],
        dest: Dest,
    ) -> Compiled<()> {
        let place = form.span.place();
        let done = self.label("done");
        let mut first = Some(first);
        let block = self.in_block(|compiler| {
            let mut rest = parts;
            while let [condition, body, behind @ ..] = rest {
                let branch = compiler.in_block(|compiler| {
                    let value = match first.take() {
                        Some(value) => value,
                        None => compiler.value(condition)?,
                    };
                    let mut arm = compiler.arm(body, dest)?;
                    if !arm.is_closed() {
                        arm.push(StatementKind::Goto(done.clone()), place);
                    }
                    compiler.block.push(StatementKind::If(vec![(value, arm)], None), place);
                    Ok(())
                })?;
                compiler.block.push(StatementKind::Do(branch), place);
                rest = behind;
            }
            if let Some(last) = compiler.otherwise(form, rest, dest)? {
                compiler.block.push(StatementKind::Do(last), place);
            }
            compiler.block.push(StatementKind::Label(done.clone()), place);
            Ok(())
        })?;
        self.block.push(StatementKind::Do(block), place);
        Ok(())
    }

    /// Whether a form may give another number of values than one, as far as its shape tells.
    pub(crate) fn may_be_many(&self, form: &Form) -> bool {
        self.may_be_many_within(form, DEEPEST_LOOK)
    }

    fn may_be_many_within(&self, form: &Form, levels: usize) -> bool {
        let Some(levels) = levels.checked_sub(1) else { return true };
        match &form.kind {
            Kind::Varg => true,
            Kind::Symbol(symbol) => &*symbol.name == "$...",
            Kind::List(parts) => {
                let Some((head, arguments)) = parts.split_first() else { return false };
                let Some(name) = head.as_symbol() else { return true };
                // A macro of the program's own hides one of the language.
                let hidden = self.scopes.borrow().find(name).is_some();
                let form = special::WORDS.find(name).map(|word| word.gives);
                let form = form.or_else(|| builtin::WORDS.find(name).map(|word| word.gives));
                let within = |form: &Form| self.may_be_many_within(form, levels);
                match form.filter(|_| !hidden).unwrap_or(Gives::Any) {
                    Gives::One => false,
                    Gives::Last => arguments.last().is_some_and(within),
                    Gives::Branch => arguments.chunks(2).filter_map(<[Form]>::last).any(within),
                    Gives::All => match arguments {
                        [only] => within(only),
                        _ => true,
                    },
                    Gives::Any => true,
                }
            }
            _ => false,
        }
    }

    /// `(lua "statements" "expression")`
    pub(crate) fn lua_form(&mut self, form: &Form, arguments: &[Form], _: Want) -> Compiled<Got> {
        let place = form.span.place();
        let text = |form: &Form| match &form.kind {
            Kind::Nil => Ok(None),
            Kind::Str(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => Ok(Some(text.to_owned())),
                Err(_) => Err(Fault::new(form.span, "Lua code must be UTF-8")),
            },
            _ => Err(Fault::new(form.span, format!("lua takes strings, got {}", form.described()))),
        };
        let (statements, expression) = match arguments {
            [statements] => (text(statements)?, None),
            [statements, expression] => (text(statements)?, text(expression)?),
            _ => {
                return Err(Fault::new(form.span, "lua takes statements and an expression")
                    .help("write (lua \"…\" \"…\")"));
            }
        };
        if let Some(statements) = statements {
            self.block.push(StatementKind::Raw(statements.into()), place);
        }
        Ok(match expression {
            Some(expression) => Expr::raw(expression, place).into(),
            None => Expr::nil(place).into(),
        })
    }

    /// `(tail! (f …))`: a call that must be the last thing its function does.
    pub(crate) fn tail_form(
        &mut self,
        form: &Form,
        arguments: &[Form],
        want: Want,
    ) -> Compiled<Got> {
        let [call] = arguments else {
            return Err(Fault::new(form.span, "tail! takes one call").help("write (tail! (f …))"));
        };
        if call.as_list().is_none() {
            return Err(Fault::new(
                call.span,
                format!("tail! takes a call, got {}", call.described()),
            ));
        }
        if !matches!(want, Want::Return) {
            return Err(Fault::new(form.span, "tail! must be in tail position")
                .help("make it the last form of its function, or take tail! out"));
        }
        // A special form is no call, whatever it ends with; a macro may stand for one.
        let mut call = call.clone();
        for _ in 0..super::MOST_EXPANSIONS {
            match self.expander().expanded(&call)? {
                Some(next) => call = next,
                None => break,
            }
        }
        if let Some(name) = call.as_list().and_then(<[Form]>::first).and_then(Form::as_symbol)
            && super::special::find(name).is_some()
        {
            return Err(Fault::new(
                form.span,
                format!("tail! takes a call of a function, and {name} is a special form"),
            )
            .help("put tail! around the call inside"));
        }
        self.compile(&call, want)
    }

    /// `(comment …)`: nothing.
    pub(crate) fn comment_form(&mut self, form: &Form, _: &[Form], _: Want) -> Compiled<Got> {
        Ok(Expr::nil(form.span.place()).into())
    }
}
