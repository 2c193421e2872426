//! From forms to Lua.
//!
//! Code is made for where its value goes (see [`Want`]): a form that needs statements of its own
//! writes them into the block at hand, so that a value that is wanted for `return` or for a local
//! gets there without a detour. What a later part writes into the block must not overtake an earlier
//! part that waits to be used: [`Compiler::settle`] puts such a part aside first.

mod binding;
mod blocks;
mod branch;
mod call;
mod chunk;
mod destructure;
mod elsewhere;
mod expand;
mod function;
mod include;
mod locals;
mod loops;
mod macros;
mod operator;
mod quote;
mod scope;
mod session;
pub(crate) mod special;
mod symbol;
mod tables;
mod want;

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::{Compiled, Diagnostic, Fault, MOST_FAULTS};
use crate::form::{Form, Kind};
use crate::lua::{Block, Expr, ExprKind, StatementKind};
use crate::macro_world::World;
use crate::options::{Options, Output};
use crate::source::{Place, Sources, Span};

use blocks::{BlockState, FunctionState};
pub(crate) use chunk::compile_for_macros;
use chunk::{TOO_DEEP, compile_here, with_room};
pub(crate) use expand::{Expander, MOST_EXPANSIONS};
pub(crate) use scope::{Scopes, is_symbol_name};
pub use session::Session;
pub(crate) use want::{Declaration, Dest, Got, Last, Want};

/// Compiles a program. `name` is how messages call its file.
///
/// # Errors
/// Every mistake that was found, in the order of the source; never an empty list.
pub fn compile(name: &str, source: &str, options: &Options) -> Result<Output, Vec<Diagnostic>> {
    with_room(|| compile_here(name, source, options))
}

/// Locals of one function that Lua keeps in registers; it takes 200, the rest stays for what the
/// compiler puts aside. Further ones live in a table.
const LOCALS_IN_REGISTERS: u32 = 150;
/// Levels of syntax of an expression before a part of it is put aside; Lua takes 200 in all.
const DEEPEST_EXPRESSION: u16 = 40;
/// Registers of an expression before a part of it is put aside; Lua has 255 a function.
const WIDEST_EXPRESSION: u16 = 60;
/// Levels of syntax in all.
const DEEPEST_SYNTAX: u16 = 160;
/// Forms inside one another, also of those that macros make.
const DEEPEST_FORM: u32 = 1_000;
/// Forms of one compilation, also those that macros make. Code that macros repeat within what they
/// repeat grows beyond any memory.
const MOST_FORMS: u32 = 2_000_000;

/// When the code runs that is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Time {
    /// As the program.
    Run,
    /// While a program is compiled: macros, which may quote.
    Compile,
}

pub(crate) struct Compiler {
    options: Options,
    sources: Rc<RefCell<Sources>>,
    scopes: Rc<RefCell<Scopes>>,
    /// The globals that may be used, if they are checked.
    globals: Option<FxHashSet<Rc<str>>>,
    time: Time,
    block: Block,
    blocks: Vec<BlockState>,
    functions: Vec<FunctionState>,
    faults: Vec<Fault>,
    /// Whether something is too large: what follows would be told of for the same reason.
    gives_up: bool,
    /// Whether that was told.
    is_silent: bool,
    /// Forms inside one another at this point.
    depth: u32,
    /// Forms that may still be compiled, also by the compilers of included files.
    forms_left: Rc<Cell<u32>>,
    labels: u32,
    /// Whether the code takes the rest of a sequence, for which it needs a function.
    takes_rest: bool,
    /// The scopes at this point, by number, the innermost last.
    scope_ids: Vec<u32>,
    scopes_made: u32,
    /// What `x#` stands for, by scope.
    made_symbols: FxHashMap<(u32, Rc<str>), Expr>,
    /// Whether locals of the outermost level outlive the chunk, for the next one of a session.
    keeps_locals: bool,
    /// Where macros run, made when the first one is defined.
    world: Rc<OnceCell<Rc<World>>>,
    /// The modules that are part of the output.
    embedded: Rc<RefCell<FxHashSet<String>>>,
}

impl Compiler {
    fn new(options: &Options, sources: Rc<RefCell<Sources>>, time: Time) -> Self {
        let globals = options
            .globals
            .as_ref()
            .map(|names| names.iter().map(|name| name.as_str().into()).collect());
        Compiler {
            options: options.clone(),
            sources,
            scopes: Rc::default(),
            globals,
            time,
            block: Block::default(),
            blocks: vec![BlockState { overflow: None, active: 0 }],
            functions: vec![FunctionState::new(true)],
            faults: Vec::new(),
            gives_up: false,
            is_silent: false,
            depth: 0,
            forms_left: Rc::new(Cell::new(MOST_FORMS)),
            labels: 0,
            takes_rest: false,
            scope_ids: vec![0],
            scopes_made: 0,
            made_symbols: FxHashMap::default(),
            keeps_locals: false,
            world: Rc::default(),
            embedded: Rc::default(),
        }
    }

    fn fault(&mut self, fault: Fault) {
        if self.faults.len() < MOST_FAULTS && !self.is_silent {
            self.faults.push(fault);
        }
        self.is_silent = self.gives_up;
    }

    // Compiling a form.

    /// Compiles a form for where its value goes.
    pub(crate) fn compile(&mut self, form: &Form, want: Want) -> Compiled<Got> {
        if self.depth >= DEEPEST_FORM {
            self.gives_up = true;
            return Err(Fault::new(form.span, "forms are nested too deeply")
                .help("take a part out into a function of its own"));
        }
        let Some(left) = self.forms_left.get().checked_sub(1) else {
            self.gives_up = true;
            return Err(Fault::new(form.span, "there are too many forms in this program")
                .help("look for a macro that repeats its arguments, within itself"));
        };
        self.forms_left.set(left);
        self.depth += 1;
        // A parser's depth of recursion is the program's, which can be more than a thread's stack.
        let got = stacker::maybe_grow(128 << 10, 2 << 20, || self.form(form, want));
        self.depth -= 1;
        let got = got?;
        if self.block.depth > DEEPEST_SYNTAX {
            self.block.depth = 0;
            self.gives_up = true;
            return Err(
                Fault::new(form.span, TOO_DEEP).help("take a part out into a function of its own")
            );
        }
        Ok(got)
    }

    fn form(&mut self, form: &Form, want: Want) -> Compiled<Got> {
        let place = form.span.place();
        let expr = match &form.kind {
            Kind::Nil => Expr::nil(place),
            Kind::Bool(value) => Expr::bool(*value, place),
            Kind::Integer(number) => Expr::integer(*number, place),
            Kind::Float(number) => Expr::float(*number, place),
            Kind::Str(text) => Expr::string(text.clone(), place),
            Kind::Varg => self.vararg(form)?,
            Kind::Symbol(symbol) => self.symbol(form, &symbol.name)?,
            Kind::Sequence(parts) => self.sequence(form, parts)?,
            Kind::Table(entries) => self.table(form, entries)?,
            Kind::List(parts) => {
                let got = self.list(form, parts, want)?;
                return self.finish(got, want, form.span);
            }
        };
        self.finish(expr.into(), want, form.span)
    }

    /// A list: a special form, a macro or a call.
    fn list(&mut self, form: &Form, parts: &[Form], want: Want) -> Compiled<Got> {
        let Some((head, arguments)) = parts.split_first() else {
            return Err(Fault::new(form.span, "there is nothing to call in ()")
                .help("write [] or {} for an empty table"));
        };
        if let Some(name) = head.as_symbol() {
            if let Some(expanded) = self.expander().expanded(form)? {
                return self.compile(&expanded, want);
            }
            if !self.scopes.borrow().is_local(name)
                && let Some(special) = special::find(name)
            {
                return special(self, form, arguments, want);
            }
        }
        self.call(form, head, arguments).map(Got::from)
    }

    pub(crate) fn expander(&self) -> Expander {
        Expander {
            scopes: self.scopes.clone(),
            sources: self.sources.clone(),
            world: self.world.get().cloned(),
        }
    }

    /// Takes values that were not put where they are wanted there.
    fn finish(&mut self, got: Got, want: Want, span: Span) -> Compiled<Got> {
        let Got::Values(mut values) = got else { return Ok(Got::Done) };
        let place = values.first().map_or(span.place(), |value| value.place);
        match want {
            Want::Nothing => {
                for value in values {
                    self.discard(value);
                }
                Ok(Got::Done)
            }
            Want::Return => {
                if !self.block.is_closed() {
                    self.block.push(StatementKind::Return(values), place);
                }
                Ok(Got::Done)
            }
            Want::Assign(targets) => {
                self.assign(targets, values, place);
                Ok(Got::Done)
            }
            Want::Declare(declaration) => {
                declaration.written.set(true);
                let targets = declaration.targets.clone();
                self.write_locals(&targets, values, declaration.place);
                Ok(Got::Done)
            }
            Want::One => {
                let first = match values.len() {
                    0 => Expr::nil(place),
                    1 => values.remove(0),
                    // All of them are computed, the first one is kept.
                    _ => {
                        let rest = values.split_off(1);
                        let first = values.remove(0);
                        let kept = if rest.iter().all(Expr::is_stable) || first.is_stable() {
                            first
                        } else {
                            self.put_aside(first)
                        };
                        for value in rest {
                            self.discard(value);
                        }
                        kept.first()
                    }
                };
                Ok(Got::Values(vec![self.kept_small(first)]))
            }
            Want::Many => Ok(Got::Values(values)),
        }
    }

    /// Computes what nobody needs the value of.
    fn discard(&mut self, value: Expr) {
        let place = value.place;
        match value.kind {
            ExprKind::Call(_) => self.block.push(StatementKind::Call(value), place),
            ExprKind::Name(_) => {}
            ExprKind::First(inner) => self.discard(*inner),
            _ if value.is_stable() => {}
            _ => {
                let mut block = Block::default();
                block.push(StatementKind::Local(vec!["_".into()], vec![value]), place);
                self.block.push(StatementKind::Do(block), place);
            }
        }
    }

    fn assign(&mut self, targets: &[Expr], mut values: Vec<Expr>, place: Place) {
        // Nothing can follow what leaves the block, and nothing would run there.
        if self.block.is_closed() {
            return;
        }
        if values.is_empty() {
            values.push(Expr::nil(place));
        }
        self.block.push(StatementKind::Assign(targets.to_vec(), values), place);
    }

    /// Exactly one value. The expression may be a call, which gives one value wherever it does not
    /// stand at the end of a list.
    pub(crate) fn value(&mut self, form: &Form) -> Compiled<Expr> {
        match self.compile(form, Want::One)? {
            Got::Values(mut values) if values.len() == 1 => Ok(values.remove(0)),
            Got::Values(_) | Got::Done => Ok(Expr::nil(form.span.place())),
        }
    }

    /// Whatever the form gives, at the end of a list.
    pub(crate) fn values(&mut self, form: &Form) -> Compiled<Vec<Expr>> {
        match self.compile(form, Want::Many)? {
            Got::Values(values) => {
                Ok(values.into_iter().map(|one| self.kept_small_many(one)).collect())
            }
            Got::Done => Ok(vec![Expr::nil(form.span.place())]),
        }
    }

    /// A list of values, computed from left to right; the last form may give several.
    pub(crate) fn value_list(
        &mut self,
        forms: &[Form],
        mut out: Vec<Expr>,
        last: Last,
    ) -> Compiled<Vec<Expr>> {
        // All before is settled.
        let mut settled = 0;
        for (index, form) in forms.iter().enumerate() {
            let before = self.block.statements.len();
            let many = last == Last::Many && index + 1 == forms.len();
            let got = if many { self.values(form)? } else { vec![self.value(form)?] };
            if self.block.statements.len() > before {
                self.settle(&mut out[settled..], before);
                settled = out.len();
            }
            for (at, one) in got.into_iter().enumerate() {
                let pending = out.len() % usize::from(WIDEST_EXPRESSION) + at;
                let wide = pending + usize::from(one.cost.width) > usize::from(WIDEST_EXPRESSION);
                if wide && one.cost.width > 8 {
                    let before = self.block.statements.len();
                    self.settle(&mut out[settled..], before);
                    settled = out.len();
                    let one = if many { self.as_function(one) } else { self.put_aside(one) };
                    out.push(one);
                } else {
                    out.push(one);
                }
            }
        }
        Ok(out)
    }
}
