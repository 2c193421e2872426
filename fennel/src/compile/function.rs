//! `fn` and `#(…)`.

use std::rc::Rc;

use super::destructure::Mode;
use super::scope::{Binding, Change, Local};
use super::symbol::MultiSymbol;
use super::{Compiler, Dest, FunctionState, Got, Want};
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind};
use crate::lua::{Expr, ExprKind, Field, Function, StatementKind};
use crate::source::Place;

/// Parameters of one function; Lua takes 200 locals.
const MOST_PARAMETERS: usize = 150;
/// Arguments that `#(…)` names: `$1` to `$9`.
const HASH_ARGUMENTS: usize = 9;

impl Compiler {
    /// `(fn name [parameters] "docstring" {metadata} body …)`
    pub(crate) fn fn_form(&mut self, form: &Form, arguments: &[Form], want: Want) -> Compiled<Got> {
        let place = form.span.place();
        let (name, arguments) = match arguments.split_first() {
            Some((first, rest)) if first.as_symbol().is_some() => (Some(first), rest),
            _ => (None, arguments),
        };
        let Some((parameters, body)) =
            arguments.split_first().filter(|(first, _)| first.as_sequence().is_some())
        else {
            let place = arguments.first().map_or(form.span, |first| first.span);
            return Err(Fault::new(place, "expected parameters table")
                .help("write (fn name [parameters] …), the brackets also if there are none"));
        };
        let (about, body) = split_about(body);
        let Some(name) = name else {
            let function = self.function_of(form, parameters, body)?;
            let function = Expr::function(function, place);
            if self.options.metadata && !about.is_empty() {
                let function = self.put_aside(function);
                self.keep_about(&function, parameters, &about, place);
                return Ok(function.into());
            }
            return Ok(function.into());
        };
        let text = name.as_symbol().unwrap_or_default();
        let value = if MultiSymbol::parse(text).is_some() {
            let target = self.settable(name)?;
            let function = self.function_of(form, parameters, body)?;
            let function = Expr::function(function, place);
            self.block.push(StatementKind::Assign(vec![target.clone()], vec![function]), place);
            target
        } else {
            let text = self.bindable(name)?;
            let target = self.new_target(&text, true, place);
            self.bind_local(text, target.clone(), Change::Constant, name);
            let function = self.function_of(form, parameters, body)?;
            let statement = match &target.kind {
                ExprKind::Name(name) => {
                    StatementKind::LocalFunction(name.text.clone(), Box::new(function))
                }
                _ => StatementKind::Assign(
                    vec![target.clone()],
                    vec![Expr::function(function, place)],
                ),
            };
            self.block.push(statement, place);
            target
        };
        if self.options.metadata {
            self.keep_about(&value, parameters, &about, place);
        }
        // As a statement of its own it is nothing more.
        if matches!(want, Want::Nothing) { Ok(Got::Done) } else { Ok(value.into()) }
    }

    /// The parameters and the body of a function.
    fn function_of(&mut self, form: &Form, parameters: &Form, body: &[Form]) -> Compiled<Function> {
        let list = parameters.as_sequence().unwrap_or_default();
        if list.len() > MOST_PARAMETERS {
            return Err(Fault::new(parameters.span, "these are too many parameters for Lua")
                .help("take a table"));
        }
        let mut names: Vec<Rc<str>> = Vec::new();
        self.functions.push(FunctionState::new(false));
        let block = self.in_block(|compiler| {
            let mut nested = Vec::new();
            let mut rest = None;
            let mut index = 0;
            while let Some(parameter) = list.get(index) {
                let place = parameter.span.place();
                index += 1;
                match &parameter.kind {
                    Kind::Varg => {
                        if index != list.len() {
                            return Err(Fault::new(
                                parameter.span,
                                "expected vararg as last parameter",
                            )
                            .help("write ... behind all other parameters: [a b ...]"));
                        }
                        compiler.function().vararg = true;
                    }
                    Kind::Symbol(symbol) if &*symbol.name == "&" => {
                        let [pattern] = &list[index..] else {
                            return Err(Fault::new(
                                parameter.span,
                                "expected rest argument before last parameter",
                            )
                            .help("write one name behind &, as the last one: [a & rest]"));
                        };
                        compiler.function().vararg = true;
                        rest = Some(pattern);
                        break;
                    }
                    Kind::Sequence(_) | Kind::Table(_) => {
                        let text = compiler.scopes.borrow_mut().take_made("");
                        compiler.function().active += 1;
                        nested.push((parameter, Expr::constant(text.clone(), place)));
                        names.push(text);
                    }
                    _ => {
                        let name = compiler.bindable(parameter)?;
                        let text = compiler.scopes.borrow_mut().take(&name);
                        compiler.function().active += 1;
                        names.push(text.clone());
                        let target = Expr::constant(text, place);
                        compiler.bind_local(name, target, Change::Constant, parameter);
                    }
                }
            }
            let mode = Mode::Local(Change::Constant);
            for (pattern, whole) in nested {
                compiler.take_apart(pattern, whole, mode)?;
            }
            if let Some(pattern) = rest {
                let place = pattern.span.place();
                let all = Expr::table(vec![Field::Next(Expr::vararg(place))], place);
                let all = match pattern.kind {
                    Kind::Symbol(_) => all,
                    _ => compiler.put_aside(all),
                };
                compiler.take_apart(pattern, all, mode)?;
            }
            if !body.is_empty() {
                compiler.body(body, Dest::Return, form.span);
            }
            Ok(())
        });
        let vararg = self.function().vararg;
        self.functions.pop();
        Ok(Function { parameters: names, vararg, body: block? })
    }

    /// `#(f $1 $2)`
    pub(crate) fn hashfn_form(
        &mut self,
        form: &Form,
        arguments: &[Form],
        _: Want,
    ) -> Compiled<Got> {
        let [body] = arguments else {
            return Err(Fault::new(form.span, "a hash function holds exactly one form")
                .help("put several into do: #(do (f $1) (g $1))"));
        };
        let place = form.span.place();
        self.functions.push(FunctionState { hash: true, ..FunctionState::new(true) });
        let mut names: Vec<Rc<str>> = Vec::new();
        let mut used = 0;
        let mut vararg = false;
        let block = self.in_block(|compiler| {
            for index in 1..=HASH_ARGUMENTS {
                let text = compiler.scopes.borrow_mut().take_made("");
                compiler.function().active += 1;
                let target = Expr::constant(text.clone(), place);
                names.push(text);
                compiler.bind_argument(format!("${index}").into(), target.clone(), form);
                if index == 1 {
                    compiler.bind_argument("$".into(), target, form);
                }
            }
            compiler.bind_argument("$...".into(), Expr::vararg(place), form);
            compiler.body(std::slice::from_ref(body), Dest::Return, body.span);
            let mut scopes = compiler.scopes.borrow_mut();
            let mut is_used = |name: &str| scopes.find_local(name).is_some_and(|local| local.used);
            vararg = is_used("$...");
            used =
                (1..=HASH_ARGUMENTS).rev().find(|index| is_used(&format!("${index}"))).unwrap_or(0);
            if used == 0 && is_used("$") {
                used = 1;
            }
            Ok(())
        });
        let hands_on = self.functions.pop().is_some_and(|state| state.hands_on);
        if vararg && used > 0 {
            return Err(Fault::new(
                form.span,
                "$... and $1 cannot be used together in a hash function",
            )
            .help("write it with fn: (fn [a ...] …)"));
        }
        names.truncate(used);
        let function = Function { parameters: names, vararg: vararg || hands_on, body: block? };
        Ok(Expr::function(function, place).into())
    }

    fn bind_argument(&mut self, name: Rc<str>, target: Expr, form: &Form) {
        let local = Local { target, mutable: false, used: false, span: form.span, written: false };
        self.scopes.borrow_mut().bind(name, Binding::Local(local));
    }

    /// Keeps a function's description where `fennel.metadata` finds it.
    fn keep_about(
        &mut self,
        function: &Expr,
        parameters: &Form,
        about: &[(Expr, Expr)],
        place: Place,
    ) {
        let fennel = Expr::call(
            self.global_target("require", place),
            None,
            vec![Expr::string(*b"fennel", place)],
            place,
        );
        let mut arguments = vec![function.clone()];
        let has_list = about
            .iter()
            .any(|(key, _)| matches!(&key.kind, ExprKind::Str(text) if &**text == b"fnl/arglist"));
        if !has_list {
            let names = parameters
                .as_sequence()
                .unwrap_or_default()
                .iter()
                .map(|one| Field::Next(Expr::string(one.to_string().into_bytes(), place)));
            arguments.push(Expr::string(*b"fnl/arglist", place));
            arguments.push(Expr::table(names.collect(), place));
        }
        for (key, value) in about {
            arguments.push(key.clone());
            arguments.push(value.clone());
        }
        let metadata = Expr::field(fennel, "metadata", place);
        let call = Expr::call(metadata, Some("setall".into()), arguments, place);
        self.block.push(StatementKind::Call(call), place);
    }
}

/// Splits a function's docstring and table of metadata from its code. Both count only if code
/// follows.
fn split_about(mut body: &[Form]) -> (Vec<(Expr, Expr)>, &[Form]) {
    let mut about = Vec::new();
    if let [first, _, ..] = body
        && let Some(text) = first.as_str_bytes()
    {
        let place = first.span.place();
        about.push((Expr::string(*b"fnl/docstring", place), Expr::string(text, place)));
        body = &body[1..];
    }
    if let [first, _, ..] = body
        && let Some(entries) = first.as_table()
    {
        about.extend(entries.iter().map(|(key, value)| (literal(key), literal(value))));
        body = &body[1..];
    }
    (about, body)
}

/// A form as data: its names are strings.
fn literal(form: &Form) -> Expr {
    let place = form.span.place();
    match &form.kind {
        Kind::Bool(value) => Expr::bool(*value, place),
        Kind::Integer(number) => Expr::integer(*number, place),
        Kind::Float(number) => Expr::float(*number, place),
        Kind::Str(text) => Expr::string(text.clone(), place),
        Kind::Sequence(parts) | Kind::List(parts) => {
            Expr::table(parts.iter().map(|part| Field::Next(literal(part))).collect(), place)
        }
        Kind::Table(entries) => {
            let fields =
                entries.iter().map(|(key, value)| Field::Keyed(literal(key), literal(value)));
            Expr::table(fields.collect(), place)
        }
        Kind::Symbol(symbol) => Expr::string(symbol.name.as_bytes(), place),
        Kind::Nil => Expr::nil(place),
        Kind::Varg => Expr::string(*b"...", place),
    }
}
