//! The world of a program's macros: the VM in which they run, what they find there, and the modules
//! that they are loaded from. It is made when a program has its first macro.

mod modules;
mod places;

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::{Rc, Weak};
use std::time::{Duration, Instant};

use mlua::{Function, Lua, LuaString, MultiValue, Table, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use modules::required;
use places::Places;

use crate::compile::{Expander, MOST_EXPANSIONS, Scopes};
use crate::diagnostic::{Compiled, Fault};
use crate::form::Form;
use crate::lua_form::{CompilerHost, Forms, Origin};
use crate::options::{LineMap, Options};
use crate::sandbox::{Halt, Limits, Refusal, Sandbox};
use crate::source::{Sources, Span};

pub(crate) struct World {
    pub(crate) options: Options,
    pub(crate) sources: Rc<RefCell<Sources>>,
    sandbox: Sandbox,
    forms: OnceCell<Forms>,
    /// What the code of macros may name.
    globals: FxHashSet<Rc<str>>,
    /// Where the chunks are from that were loaded.
    places: Places,
    modules: RefCell<FxHashMap<String, MultiValue>>,
    /// The modules that are being loaded, the innermost last.
    loading: RefCell<Vec<String>>,
    /// The call that is being expanded.
    current: RefCell<Option<Current>>,
    printed: Rc<RefCell<Printed>>,
    /// How long macros have run.
    spent: Cell<Duration>,
    timing: Cell<bool>,
    /// Mistakes beside the one that was returned.
    faults: RefCell<Vec<Fault>>,
    this: Weak<World>,
}

#[derive(Clone)]
struct Current {
    scopes: Rc<RefCell<Scopes>>,
    call: Span,
}

/// Bytes that macros print until the outermost call ends and they are handed on. They are held
/// outside of the memory that is bounded.
const MOST_PRINTED: usize = 64 << 10;

/// Lines that macros printed and nobody has yet.
#[derive(Default)]
struct Printed {
    lines: Vec<String>,
    bytes: usize,
}

impl Printed {
    fn push(&mut self, line: &str) {
        if self.bytes > MOST_PRINTED {
            return;
        }
        self.bytes += line.len() + 1;
        let fits = self.bytes <= MOST_PRINTED;
        self.lines.push(if fits { line } else { "… more was printed" }.to_owned());
    }
}

/// Forms that one macro is given. They are made while the limit on memory does not hold.
const MOST_GIVEN: usize = 250_000;

/// How the compiler answers a macro that runs.
struct Host(Weak<World>);

impl Host {
    fn with<T>(
        &self,
        ask: impl FnOnce(Rc<World>, Current) -> Result<T, String>,
    ) -> Result<T, String> {
        let world = self.0.upgrade().ok_or("the compilation is over")?;
        let current = world.current.borrow().clone();
        ask(world, current.ok_or("this can be asked while a macro is expanded only")?)
    }
}

impl CompilerHost for Host {
    fn gensym(&self, base: Option<&str>) -> Result<String, String> {
        self.with(|_, current| {
            Ok(current.scopes.borrow_mut().gensym(base.unwrap_or_default()).to_string())
        })
    }

    fn in_scope(&self, name: &str) -> bool {
        let base = name.split(['.', ':']).next().unwrap_or(name);
        self.with(|_, current| Ok(current.scopes.borrow().is_local(base))).unwrap_or(false)
    }

    fn macroexpand(&self, _: &Lua, form: Value) -> Result<Value, String> {
        self.with(|world, current| {
            let expanded =
                world.expand_all(&form, &current).map_err(|fault| fault.message().to_owned())?;
            world.to_lua(&expanded).map_err(|halt| halt.to_string())
        })
    }

    fn scope(&self, lua: &Lua) -> Result<Value, String> {
        self.with(|_, current| {
            let told = |error: mlua::Error| error.to_string();
            let manglings = lua.create_table().map_err(told)?;
            let symbols = lua.create_table().map_err(told)?;
            let macros = lua.create_table().map_err(told)?;
            for (name, lua_name) in current.scopes.borrow().manglings() {
                match lua_name {
                    Some(text) => {
                        let about = lua.create_table().map_err(told)?;
                        symbols.raw_set(name.as_str(), about).map_err(told)?;
                        manglings.raw_set(name, text).map_err(told)?;
                    }
                    None => macros.raw_set(name, true).map_err(told)?,
                }
            }
            let scope = lua.create_table().map_err(told)?;
            scope.raw_set("manglings", manglings).map_err(told)?;
            scope.raw_set("symmeta", symbols).map_err(told)?;
            scope.raw_set("macros", macros).map_err(told)?;
            Ok(Value::Table(scope))
        })
    }
}

impl World {
    pub(crate) fn new(options: &Options, sources: Rc<RefCell<Sources>>) -> Result<Rc<Self>, Halt> {
        let printed = Rc::new(RefCell::new(Printed::default()));
        let lines = printed.clone();
        let limits = Limits { memory: options.limits.memory, running: options.limits.running };
        let sandbox = Sandbox::new(limits, move |line| lines.borrow_mut().push(line))?;
        let mut failed = None;
        let world = Rc::new_cyclic(|this: &Weak<World>| {
            let mut globals = FxHashSet::default();
            let forms = OnceCell::new();
            match furnish(&sandbox, this.clone()) {
                Ok((made, names)) => {
                    globals = names;
                    let _ = forms.set(made);
                }
                Err(halt) => failed = Some(halt),
            }
            World {
                options: options.clone(),
                sources,
                sandbox,
                forms,
                globals,
                places: Places::default(),
                modules: RefCell::default(),
                loading: RefCell::default(),
                current: RefCell::default(),
                printed,
                spent: Cell::default(),
                timing: Cell::default(),
                faults: RefCell::default(),
                this: this.clone(),
            }
        });
        match failed {
            Some(halt) => Err(halt),
            None => Ok(world),
        }
    }

    /// The names that the code of macros may use.
    pub(crate) fn globals(&self) -> FxHashSet<Rc<str>> {
        self.globals.clone()
    }

    /// Gives the macros their whole time again, for another text of a session.
    pub(crate) fn begin_text(&self) {
        self.spent.set(Duration::ZERO);
    }

    /// Mistakes beside the one that was returned.
    pub(crate) fn take_faults(&self) -> Vec<Fault> {
        self.faults.take()
    }

    fn forms(&self) -> Compiled<&Forms> {
        self.forms.get().ok_or_else(|| Fault::new(Span::default(), "macros cannot run here"))
    }

    fn shared(&self) -> Compiled<Rc<World>> {
        self.this.upgrade().ok_or_else(|| Fault::new(Span::default(), "the compilation is over"))
    }

    /// Runs something that counts for the time of macros.
    fn timed<T>(&self, call: Span, run: impl FnOnce() -> Compiled<T>) -> Compiled<T> {
        let (spent, limit) = (self.spent.get(), self.options.limits.running);
        if spent > limit {
            return Err(Fault::new(
                call,
                format!(
                    "the macros of this program have run for {:.1} s, longer than the {} s that \
                     they may",
                    spent.as_secs_f64(),
                    limit.as_secs_f64()
                ),
            )
            .help("look for one that works for long, or that expands into ever more code"));
        }
        if self.timing.replace(true) {
            return run();
        }
        let start = Instant::now();
        let outcome = run();
        self.spent.set(self.spent.get() + start.elapsed());
        self.timing.set(false);
        for line in self.printed.take().lines {
            (self.options.print)(&line);
        }
        outcome
    }

    /// Makes a function of Lua that was compiled for macros.
    pub(crate) fn load(&self, lua: &str, map: LineMap, span: Span) -> Compiled<Function> {
        let name = { self.places.enter(map) };
        self.sandbox.load(lua, &name, None).map_err(|halt| {
            Fault::new(
                span,
                format!("Lua does not take this code: {}", self.places.told(&halt.to_string())),
            )
        })
    }

    /// Runs code that is not a macro: definitions and modules.
    pub(crate) fn run(
        &self,
        scopes: &Rc<RefCell<Scopes>>,
        function: &Function,
        arguments: MultiValue,
        span: Span,
    ) -> Compiled<MultiValue> {
        self.timed(span, || self.call_in(scopes, function, arguments, span))
    }

    fn call_in(
        &self,
        scopes: &Rc<RefCell<Scopes>>,
        function: &Function,
        arguments: MultiValue,
        span: Span,
    ) -> Compiled<MultiValue> {
        let current = Current { scopes: scopes.clone(), call: span };
        let before = self.current.replace(Some(current));
        let outcome = self.sandbox.call(function, arguments);
        self.current.replace(before);
        outcome.map_err(|halt| self.fault(&halt, span))
    }

    fn fault(&self, halt: &Halt, call: Span) -> Fault {
        let halt = match halt {
            Halt::Failed { message, traceback } => {
                Halt::Failed { message: self.places.told(message), traceback: traceback.clone() }
            }
            Halt::Stopped { limit, place } => Halt::Stopped {
                limit: *limit,
                place: place.as_ref().map(|(chunk, line)| self.places.origin(chunk, *line)),
            },
        };
        let sources = self.sources.borrow();
        match self.forms.get() {
            Some(forms) => forms.fault(&halt, Origin { sources: &sources, call }),
            None => Fault::new(call, halt.to_string()),
        }
    }

    fn to_lua(&self, form: &Form) -> Result<Value, Halt> {
        let Some(forms) = self.forms.get() else { return Ok(Value::Nil) };
        let sources = self.sources.borrow();
        self.sandbox
            .making(|lua| forms.to_lua(lua, form, &sources))
            .map_err(|error| self.sandbox.halt_of(&error))
    }

    /// The form that a value stands for, which code of macros gave.
    pub(crate) fn form_of(&self, value: &Value, call: Span) -> Compiled<Form> {
        let sources = self.sources.borrow();
        self.forms()?.form_of(value, Origin { sources: &sources, call })
    }

    /// What a macro makes of its arguments.
    pub(crate) fn expand(
        &self,
        scopes: &Rc<RefCell<Scopes>>,
        function: &Function,
        call: &Form,
        arguments: &[Form],
    ) -> Compiled<Form> {
        let mut left = MOST_GIVEN;
        if !arguments.iter().all(|argument| argument.fits(&mut left)) {
            return Err(Fault::new(
                call.span,
                format!("a macro is given more than {MOST_GIVEN} forms, which are too many"),
            )
            .help("give it a part of them"));
        }
        self.timed(call.span, || {
            let values = arguments.iter().map(|argument| self.to_lua(argument));
            let values = values.collect::<Result<MultiValue, Halt>>();
            let values = values.map_err(|halt| Fault::new(call.span, halt.to_string()))?;
            let given = self.call_in(scopes, function, values, call.span)?;
            self.form_of(given.front().unwrap_or(&Value::Nil), call.span)
        })
    }

    /// Expands the macros at the head of a form until there is none.
    fn expand_all(&self, form: &Value, current: &Current) -> Compiled<Form> {
        let mut form = self.form_of(form, current.call)?;
        let mut expander = Expander {
            scopes: current.scopes.clone(),
            sources: self.sources.clone(),
            world: Some(self.shared()?),
        };
        for _ in 0..MOST_EXPANSIONS {
            match expander.expanded(&form)? {
                Some(expanded) => form = expanded,
                None => return Ok(form),
            }
        }
        Err(Fault::new(current.call, "this macro expands without an end"))
    }

    /// The first of several mistakes; the others are kept beside.
    pub(crate) fn one(&self, faults: Vec<Fault>) -> Compiled<()> {
        let mut faults = faults.into_iter();
        let Some(first) = faults.next() else { return Ok(()) };
        self.faults.borrow_mut().extend(faults);
        Err(first)
    }

    pub(crate) fn string(&self, text: &str) -> Compiled<Value> {
        let made = self.sandbox.lua().create_string(text);
        made.map(Value::String).map_err(|error| Fault::new(Span::default(), error.to_string()))
    }
}

/// Puts what macros may call into a sandbox.
fn furnish(sandbox: &Sandbox, world: Weak<World>) -> Result<(Forms, FxHashSet<Rc<str>>), Halt> {
    let environment = sandbox.globals();
    let forms = Forms::install(sandbox, &environment, Rc::new(Host(world.clone())))?;
    let names = sandbox.making(|lua| {
        let require = sandbox.natives().function(lua, move |_, name: LuaString| {
            required(&world, &name).map_err(|fault| Refusal::from(fault.message()))
        })?;
        environment.raw_set("require", require)?;
        globals_of(&environment)
    });
    Ok((forms, names.map_err(|error| sandbox.halt_of(&error))?))
}

fn globals_of(environment: &Table) -> mlua::Result<FxHashSet<Rc<str>>> {
    let mut names = FxHashSet::default();
    environment.for_each(|name: Value, _: Value| {
        if let Value::String(name) = name {
            names.insert(Rc::from(&*name.to_string_lossy()));
        }
        Ok(())
    })?;
    Ok(names)
}
