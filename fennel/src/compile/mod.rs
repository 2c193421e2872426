//! From forms to Lua.
//!
//! Code is made for where its value goes (see [`Want`]): a form that needs statements of its own
//! writes them into the block at hand, so that a value that is wanted for `return` or for a local
//! gets there without a detour. What a later part writes into the block must not overtake an earlier
//! part that waits to be used: [`Compiler::settle`] puts such a part aside first.

mod binding;
mod branch;
mod call;
mod destructure;
mod elsewhere;
mod expand;
mod function;
mod include;
mod loops;
mod macros;
mod operator;
mod quote;
mod scope;
mod session;
pub(crate) mod special;
mod symbol;
mod tables;

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::{Compiled, Diagnostic, Fault, Severity};
use crate::form::{Form, Kind};
use crate::lua::{Block, Excess, Expr, ExprKind, Statement, StatementKind, excess, print};
use crate::macro_world::World;
use crate::options::{Include, LineMap, Options, Output};
use crate::reader;
use crate::source::{FileId, Place, Sources, Span};

pub(crate) use expand::Expander;
pub(crate) use scope::Scopes;
pub use session::Session;

/// Compiles a program. `name` is how messages call its file.
///
/// # Errors
/// Every mistake that was found, in the order of the source; never an empty list.
pub fn compile(name: &str, source: &str, options: &Options) -> Result<Output, Vec<Diagnostic>> {
    with_room(|| compile_here(name, source, options))
}

/// Code is nested, and so is the work on it. Between the places that look after the stack
/// themselves this is enough for all that a program may nest.
fn with_room<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(2 << 20, 8 << 20, work)
}

fn compile_here(name: &str, source: &str, options: &Options) -> Result<Output, Vec<Diagnostic>> {
    let sources = Rc::new(RefCell::new(Sources::default()));
    let file = sources.borrow_mut().add(name, source);
    let reading = reader::read(&sources.borrow(), file);
    let mut compiler = Compiler::new(options, sources, Time::Run);
    compiler.faults = reading.faults;
    let block = match compiler.faults.is_empty() {
        true => compiler.chunk(&reading.forms, file),
        // What was not read right would be told to be wrong for that.
        false => Block::default(),
    };
    compiler.finished(block)
}

/// Compiles forms for the time of compiling: the code of macros.
///
/// # Errors
/// Every mistake that was found.
pub(crate) fn compile_for_macros(
    world: &Rc<World>,
    forms: &[Form],
    span: Span,
    module_name: Option<&str>,
) -> Result<(String, LineMap), Vec<Fault>> {
    let mut options = world.options.clone();
    options.module_name = module_name.map(str::to_owned);
    options.include = Include::Require;
    options.warnings = false;
    options.metadata = false;
    let mut compiler = Compiler::new(&options, world.sources.clone(), Time::Compile);
    compiler.globals = Some(world.globals());
    let _ = compiler.world.set(world.clone());
    let block = compiler.chunk(forms, span.file);
    if !compiler.faults.is_empty() {
        return Err(compiler.faults);
    }
    let printed = print(&block);
    let files = world.sources.borrow().names();
    Ok((printed.lua, LineMap { files, lines: printed.lines }))
}

/// Whether a name in a pattern stands for its key too: `{: name}`.
fn is_shorthand(sources: &Sources, name: Span) -> bool {
    let text = sources.file(name.file).text.get(..name.start as usize).unwrap_or_default();
    let before = text.trim_end().strip_suffix(':');
    before.is_some_and(|before| before.ends_with(|c: char| c == '{' || c.is_whitespace()))
}

/// Expansions of one form that `macrodebug` follows.
const MOST_EXPANSIONS: usize = 1_000;
/// Locals of one function that Lua keeps in registers; it takes 200, the rest stays for what the
/// compiler puts aside. Further ones live in a table.
const MOST_LOCALS: u32 = 150;
/// Levels of syntax of an expression before a part of it is put aside; Lua takes 200 in all.
const DEEPEST_EXPRESSION: u16 = 40;
/// Registers of an expression before a part of it is put aside; Lua has 255 a function.
const WIDEST_EXPRESSION: u16 = 60;
/// Levels of syntax in all.
const DEEPEST: u16 = 160;
/// Forms inside one another, also of those that macros make.
const DEEPEST_FORM: u32 = 1_000;
const TOO_DEEP: &str = "this is nested too deeply for Lua";
/// Faults after which a compilation gives up.
const MOST_FAULTS: usize = 50;

/// When the code runs that is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Time {
    /// As the program.
    Run,
    /// While a program is compiled: macros, which may quote.
    Compile,
}

/// Where a value goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Want<'w> {
    /// It is not needed.
    Nothing,
    /// Out of the function.
    Return,
    /// Into these variables, which exist.
    Assign(&'w [Expr]),
    /// Into locals that are made for it.
    Declare(&'w Declaration),
    /// One value, to be part of an expression.
    One,
    /// All values, at the end of a list.
    Many,
}

/// Where the values of a statement go.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Dest<'w> {
    Nothing,
    Return,
    Assign(&'w [Expr]),
}

impl<'w> From<Dest<'w>> for Want<'w> {
    fn from(dest: Dest<'w>) -> Self {
        match dest {
            Dest::Nothing => Want::Nothing,
            Dest::Return => Want::Return,
            Dest::Assign(targets) => Want::Assign(targets),
        }
    }
}

/// Locals whose names are taken and which are not written out yet.
#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) targets: Vec<Expr>,
    pub(crate) place: Place,
    written: Cell<bool>,
}

/// What compiling a form gave.
#[derive(Debug)]
pub(crate) enum Got {
    /// The statements in the block take the value where it was wanted.
    Done,
    /// Expressions, which are still to be used; the last one may give several values.
    Values(Vec<Expr>),
}

impl From<Expr> for Got {
    fn from(expr: Expr) -> Self {
        Got::Values(vec![expr])
    }
}

/// The function whose code is being made.
#[derive(Debug)]
struct FunctionState {
    /// Whether it takes `...`.
    vararg: bool,
    /// Whether it is `#(…)`, whose `...` is called `$...`.
    hash: bool,
    /// Whether it hands its `...` on to a function that was made inside it.
    hands_on: bool,
    /// Locals that Lua holds at this point.
    active: u32,
}

impl FunctionState {
    fn new(vararg: bool) -> Self {
        FunctionState { vararg, hash: false, hands_on: false, active: 0 }
    }
}

/// The block whose code is being made.
#[derive(Debug)]
struct BlockState {
    /// The table for locals that Lua has no room for, and how many it holds.
    overflow: Option<(Rc<str>, i64)>,
    /// Locals of the function when the block began.
    active: u32,
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

    /// The whole of a file.
    fn chunk(&mut self, forms: &[Form], file: FileId) -> Block {
        let start = Span { file, line: 1, start: 0, end: 0 };
        let mark = self.scopes.borrow().mark();
        if !forms.is_empty() {
            self.body(forms, Dest::Return, start);
        }
        if !self.keeps_locals {
            self.scopes.borrow_mut().back_to(mark);
        }
        let mut block = std::mem::take(&mut self.block);
        if self.keeps_locals {
            let kept = StatementKind::Raw(self.make_kept().into());
            block.statements.insert(0, Statement { kind: kept, place: Place::default() });
        }
        if self.takes_rest {
            let helper = StatementKind::Raw(destructure::REST_FUNCTION.into());
            block.statements.insert(0, Statement { kind: helper, place: Place::default() });
        }
        self.check_limits(&block);
        block
    }

    fn finished(mut self, block: Block) -> Result<Output, Vec<Diagnostic>> {
        if let Some(world) = self.world.get() {
            self.faults.extend(world.take_faults());
        }
        let sources = self.sources.borrow();
        if !self.faults.is_empty() {
            let mut faults = std::mem::take(&mut self.faults);
            faults.sort_by_key(|fault| (fault.span().file, fault.span().start));
            faults.dedup();
            faults.truncate(MOST_FAULTS);
            return Err(faults
                .into_iter()
                .map(|fault| fault.into_diagnostic(&sources, Severity::Error))
                .collect());
        }
        let printed = print(&block);
        let mut warnings = Vec::new();
        if self.options.warnings {
            let mut unused = std::mem::take(&mut self.scopes.borrow_mut().unused);
            unused.sort_by_key(|one| (one.span.file, one.span.start));
            warnings = unused
                .into_iter()
                .map(|one| {
                    let name = &one.name;
                    let help = match is_shorthand(&sources, one.span) {
                        true => format!("take it out, or write {{:{name} _{name}}}"),
                        false => format!("take it out, or call it _{name}"),
                    };
                    Fault::new(one.span, format!("the local {name} is never used"))
                        .help(help)
                        .into_diagnostic(&sources, Severity::Warning)
                })
                .collect();
        }
        let map = LineMap { files: sources.names(), lines: printed.lines };
        Ok(Output { lua: printed.lua, map, warnings })
    }

    fn fault(&mut self, fault: Fault) {
        if self.faults.len() < MOST_FAULTS && !self.is_silent {
            self.faults.push(fault);
        }
        self.is_silent = self.gives_up;
    }

    /// A fault for what is too much for Lua, if a chunk has it.
    fn check_limits(&mut self, block: &Block) {
        if !self.faults.is_empty() {
            return;
        }
        let Some((place, excess)) = excess(block) else { return };
        let span = self.sources.borrow().line_span(place);
        let (message, help) = match excess {
            Excess::Locals => (
                "there are too many locals in one function for Lua",
                "take a part out into a function of its own, or keep them in a table",
            ),
            Excess::Registers => {
                ("these are too many values at once for Lua", "put them into a table")
            }
            Excess::Upvalues => (
                "a function uses too many locals of the functions around it for Lua",
                "keep them in a table",
            ),
            Excess::Levels => (TOO_DEEP, "take a part out into a function of its own"),
            Excess::Loop => (
                "this loop has a body that is too long for Lua",
                "take a part out into a function of its own",
            ),
        };
        self.fault(Fault::new(span, message).help(help));
    }

    // Compiling a form.

    /// Compiles a form for where its value goes.
    pub(crate) fn compile(&mut self, form: &Form, want: Want) -> Compiled<Got> {
        if self.depth >= DEEPEST_FORM {
            self.gives_up = true;
            return Err(Fault::new(form.span, "forms are nested too deeply")
                .help("take a part out into a function of its own"));
        }
        self.depth += 1;
        // A parser's depth of recursion is the program's, which can be more than a thread's stack.
        let got = stacker::maybe_grow(128 << 10, 2 << 20, || self.form(form, want));
        self.depth -= 1;
        let got = got?;
        if self.block.depth > DEEPEST {
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
            ExprKind::Raw(text) => self.block.push(StatementKind::Raw(text), place),
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

    /// Statements of value at the end of a block: all but the last one for their effects.
    /// A fault in one of them does not hide those in the others.
    pub(crate) fn body(&mut self, forms: &[Form], dest: Dest, span: Span) {
        if forms.is_empty() {
            let nothing = Expr::nil(span.place());
            match self.finish(nothing.into(), dest.into(), span) {
                Ok(_) => return,
                Err(fault) => return self.fault(fault),
            }
        }
        let mut unread = None;
        for (at, form) in forms.iter().enumerate() {
            if unread == Some(form.span.place()) {
                self.bind_names_in_spite(form);
                continue;
            }
            unread = self.statement_without_parentheses(form, forms.get(at + 1));
            if unread.is_none() {
                let is_last = at + 1 == forms.len();
                self.statement(form, if is_last { dest } else { Dest::Nothing });
            }
        }
    }

    /// Refuses a word that can only stand at the beginning of a list, and gives its line: what is
    /// behind it was meant to be in that list.
    fn statement_without_parentheses(&mut self, form: &Form, next: Option<&Form>) -> Option<Place> {
        let name = form.as_symbol()?;
        let place = form.span.place();
        if next.is_some_and(|next| next.is_symbol("=") && next.span.place() == place) {
            let message = format!("{name} = … is not Fennel");
            let help =
                format!("write (local {name} …) to bind a name, (set {name} …) to change it");
            self.fault(Fault::new(form.span, message).help(help));
            return Some(place);
        }
        let known = special::find(name).is_some() || crate::builtin::find(name).is_some();
        let bound = self.scopes.borrow().find(name).is_some();
        let checked = self.globals.as_ref().is_some_and(|globals| !globals.contains(name));
        let advice = elsewhere::advice(name).filter(|_| checked);
        if bound || !(known || advice.is_some()) {
            return None;
        }
        // Who could not bind a name is not told again where it is used.
        let hides = format!("the local {name} would hide");
        if self.faults.iter().any(|fault| fault.message().starts_with(&hides)) {
            return Some(place);
        }
        let message = format!("{name} stands outside of parentheses");
        let help = match advice {
            _ if name == "//" => "a comment begins with ;".to_owned(),
            Some(advice) if !known => advice.to_owned(),
            _ => format!("write ({name} …), with all that belongs to it before the )"),
        };
        self.fault(Fault::new(form.span, message).help(help));
        Some(place)
    }

    fn statement(&mut self, form: &Form, dest: Dest) {
        if self.faults.len() >= MOST_FAULTS || self.is_silent {
            return;
        }
        if let Err(fault) = self.compile(form, dest.into()) {
            self.fault(fault);
            self.bind_in_spite(form);
        }
    }

    // Blocks and functions.

    /// Makes a block of its own, with its own scope.
    pub(crate) fn in_block(
        &mut self,
        make: impl FnOnce(&mut Self) -> Compiled<()>,
    ) -> Compiled<Block> {
        let mark = self.scopes.borrow().mark();
        let outer = std::mem::take(&mut self.block);
        let active = self.function().active;
        self.blocks.push(BlockState { overflow: None, active });
        self.enter_scope();
        let made = make(self);
        self.scope_ids.pop();
        if let Some(state) = self.blocks.pop() {
            self.function().active = state.active;
        }
        let mut block = std::mem::replace(&mut self.block, outer);
        block.open_last();
        self.scopes.borrow_mut().back_to(mark);
        made.map(|()| block)
    }

    pub(crate) fn enter_scope(&mut self) {
        self.scopes_made += 1;
        self.scope_ids.push(self.scopes_made);
    }

    /// Runs statements that end where `want` says, whatever they are part of.
    ///
    /// `many` tells whether they may give several values where as many as there are were wanted.
    pub(crate) fn in_statements(
        &mut self,
        want: Want,
        span: Span,
        many: bool,
        make: impl FnOnce(&mut Self, Dest) -> Compiled<()>,
    ) -> Compiled<Got> {
        match want {
            Want::Nothing => make(self, Dest::Nothing).map(|()| Got::Done),
            Want::Return => make(self, Dest::Return).map(|()| Got::Done),
            Want::Assign(targets) => make(self, Dest::Assign(targets)).map(|()| Got::Done),
            Want::Declare(declaration) => {
                if !declaration.written.replace(true) {
                    self.write_locals(&declaration.targets, Vec::new(), declaration.place);
                }
                make(self, Dest::Assign(&declaration.targets)).map(|()| Got::Done)
            }
            Want::Many if many => {
                let (vararg, hash) = (self.function().vararg, self.function().hash);
                self.functions.push(FunctionState { hash, ..FunctionState::new(vararg) });
                let body = self.in_block(|compiler| make(compiler, Dest::Return));
                self.functions.pop();
                Ok(self.called_function(body?, span.place()).into())
            }
            Want::One | Want::Many => {
                let target = self.made_local("", span.place());
                let targets = [target];
                self.write_locals(&targets, Vec::new(), span.place());
                make(self, Dest::Assign(&targets))?;
                let [target] = targets;
                Ok(target.into())
            }
        }
    }

    /// A call of a function that is made for it, with the `...` of the function at hand.
    fn called_function(&mut self, body: Block, place: Place) -> Expr {
        let vararg = self.function().vararg;
        self.function().hands_on |= vararg;
        let function = crate::lua::Function { parameters: Vec::new(), vararg, body };
        let name = self.scopes.borrow_mut().take_made("");
        self.function().active += 1;
        self.block.push(StatementKind::LocalFunction(name.clone(), Box::new(function)), place);
        let arguments = if vararg { vec![Expr::vararg(place)] } else { Vec::new() };
        Expr::call(Expr::constant(name, place), None, arguments, place)
    }

    fn function(&mut self) -> &mut FunctionState {
        if self.functions.is_empty() {
            self.functions.push(FunctionState::new(true));
        }
        let last = self.functions.len() - 1;
        &mut self.functions[last]
    }

    // Locals.

    /// A place for a new local: a Lua local, or a slot of a table if Lua has no room.
    pub(crate) fn new_target(&mut self, name: &str, constant: bool, place: Place) -> Expr {
        if self.keeps_locals && self.scope_ids.len() == 1 && !name.contains(scope::MADE) {
            return self.kept_target(name, place);
        }
        if self.function().active < MOST_LOCALS {
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

    fn kept_small(&mut self, value: Expr) -> Expr {
        let small = value.cost.depth <= DEEPEST_EXPRESSION && value.cost.width <= WIDEST_EXPRESSION;
        if small || matches!(value.kind, ExprKind::Function(_)) {
            value
        } else {
            self.put_aside(value)
        }
    }

    fn kept_small_many(&mut self, value: Expr) -> Expr {
        match value.cost.depth > DEEPEST_EXPRESSION && value.is_multiple() {
            true => self.as_function(value),
            false => self.kept_small(value),
        }
    }

    /// The same values, with the code for them out of the way.
    fn as_function(&mut self, value: Expr) -> Expr {
        let place = value.place;
        let mut body = Block::default();
        body.push(StatementKind::Return(vec![value]), place);
        self.called_function(body, place)
    }

    fn label(&mut self, base: &str) -> Rc<str> {
        self.labels += 1;
        format!("{base}_{}_", self.labels).into()
    }
}

/// What the last form of a list gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Last {
    One,
    Many,
}

fn local_name(target: &Expr) -> Option<Rc<str>> {
    match &target.kind {
        ExprKind::Name(name) => Some(name.text.clone()),
        _ => None,
    }
}
