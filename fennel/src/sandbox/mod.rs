//! The Lua VM in which macros run.
//!
//! It owns a Lua state with a limit on memory and one on the running time of each call, and what
//! code finds in its globals: nothing that reaches files, processes or the host. It knows nothing
//! of Fennel. What runs outside of [`Sandbox::call`] is ended at once.

mod deadline;
mod halt;
#[cfg(test)]
mod hostile_tests;
mod natives;
mod prelude;
mod strings;
#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::Duration;

use mlua::chunk::ChunkMode;
use mlua::{Function, IntoLuaMulti, Lua, LuaOptions, MultiValue, StdLib, Table, Value};

use deadline::Clock;
use halt::Catcher;

pub(crate) use halt::{Halt, Limit};
pub(crate) use natives::{Natives, Refusal};
pub(crate) use prelude::Prelude;

/// What code in a sandbox may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// The most memory of the Lua state, in bytes.
    pub(crate) memory: usize,
    /// The longest running time of one call.
    pub(crate) running: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { memory: 32 << 20, running: Duration::from_secs(2) }
    }
}

/// A Lua state with limits.
pub(crate) struct Sandbox {
    lua: Lua,
    limits: Limits,
    clock: Rc<Clock>,
    catcher: Catcher,
    /// Calls a function and lets the catcher see its error.
    run: Function,
    natives: Natives,
}

static PRELUDES: [Prelude; 3] = [
    Prelude::new("=(sandbox)", include_str!("base.lua")),
    Prelude::new("=(sandbox)", include_str!("strings.lua")),
    Prelude::new("=(sandbox)", include_str!("tables.lua")),
];

static RUN: Prelude = Prelude::new(
    "=(sandbox)",
    "local xpcall, catcher = ... return function(f, ...) return xpcall(f, catcher, ...) end",
);

impl Sandbox {
    /// Makes one; each line that code prints goes to `print`.
    ///
    /// # Errors
    /// The limit on memory is too low for an empty state.
    pub(crate) fn new(limits: Limits, print: impl Fn(&str) + 'static) -> Result<Self, Halt> {
        let make = || {
            let libraries =
                StdLib::COROUTINE | StdLib::TABLE | StdLib::STRING | StdLib::UTF8 | StdLib::MATH;
            let lua = Lua::new_with(libraries, LuaOptions::new())?;
            let clock = Rc::new(Clock::new(limits));
            let catcher = Catcher::new(&lua)?;
            let xpcall: Function = lua.globals().raw_get("xpcall")?;
            let run = RUN.call(&lua, (xpcall, catcher.function()))?;
            let table = lua.create_table()?;
            natives::install(&lua, &table, &clock, print)?;
            for prelude in &PRELUDES {
                prelude.call::<()>(&lua, &table)?;
            }
            let natives = Natives::new(&table, clock.clone())?;
            clock.install(&lua)?;
            lua.set_memory_limit(limits.memory)?;
            Ok(Sandbox { lua, limits, clock, catcher, run, natives })
        };
        make().map_err(|error: mlua::Error| Halt::of_host(&error, &limits))
    }

    /// The Lua state, for making and reading values. Nothing may be called through it.
    pub(crate) fn lua(&self) -> &Lua {
        &self.lua
    }

    /// What makes functions of the host for code in it.
    pub(crate) fn natives(&self) -> &Natives {
        &self.natives
    }

    /// The globals.
    pub(crate) fn globals(&self) -> Table {
        self.lua.globals()
    }

    /// Compiles Lua source; nothing runs. Its globals are those of `environment`, or of the sandbox.
    ///
    /// # Errors
    /// The source is no Lua, or memory is used up.
    pub(crate) fn load(
        &self,
        source: &str,
        name: &str,
        environment: Option<Table>,
    ) -> Result<Function, Halt> {
        let mut chunk = self.lua.load(source).set_name(name).set_mode(ChunkMode::Text);
        if let Some(environment) = environment {
            chunk = chunk.set_environment(environment);
        }
        chunk.into_function().map_err(|error| Halt::of_host(&error, &self.limits))
    }

    /// Makes values for code in the sandbox. The limit on memory does not hold meanwhile, which
    /// makes it cheap; it holds again for whatever runs next. No code of the sandbox may run.
    pub(crate) fn making<T>(&self, make: impl FnOnce(&Lua) -> T) -> T {
        struct Limited<'a>(&'a Sandbox);
        impl Drop for Limited<'_> {
            fn drop(&mut self) {
                // It could be lifted, so it can be set.
                let _ = self.0.lua.set_memory_limit(self.0.limits.memory);
            }
        }
        // Our own preludes may run.
        let _running = self.clock.start(&self.lua);
        let lifted = self.lua.set_memory_limit(0);
        let _limited = lifted.is_ok().then(|| Limited(self));
        make(&self.lua)
    }

    /// Calls a function. A call within a call shares the time of the outer one.
    ///
    /// # Errors
    /// [`Halt::Stopped`] if a limit was reached, [`Halt::Failed`] if it raised an error.
    pub(crate) fn call(
        &self,
        function: &Function,
        arguments: impl IntoLuaMulti,
    ) -> Result<MultiValue, Halt> {
        let work = || self.run_limited(function, arguments);
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
            Err(Halt::Failed { message: "the host failed".to_owned(), traceback: Vec::new() })
        })
    }

    fn run_limited(
        &self,
        function: &Function,
        arguments: impl IntoLuaMulti,
    ) -> Result<MultiValue, Halt> {
        let running = self.clock.start(&self.lua);
        self.catcher.clear();
        let mut all = match arguments.into_lua_multi(&self.lua) {
            Ok(all) => all,
            Err(error) => return Err(self.tidied(Halt::of_host(&error, &self.limits))),
        };
        all.push_front(Value::Function(function.clone()));
        let outcome = self.run.call::<MultiValue>(all);
        let stopped = self.clock.stopped();
        drop(running);
        if let Some(place) = stopped {
            return Err(Halt::Stopped { limit: Limit::Time(self.limits.running), place });
        }
        match outcome {
            Ok(mut values) => match values.pop_front() {
                Some(Value::Boolean(true)) => Ok(values),
                _ => Err(self.tidied(self.catcher.halt(values.front(), &self.limits))),
            },
            Err(error) => Err(self.tidied(Halt::of_host(&error, &self.limits))),
        }
    }

    /// After a want of memory, collects what the call left.
    fn tidied(&self, halt: Halt) -> Halt {
        if matches!(halt, Halt::Stopped { limit: Limit::Memory(_), .. }) {
            let _ = self.lua.gc_collect();
            let _ = self.lua.gc_collect();
        }
        halt
    }

    /// What an error of Lua outside of the code that was called comes to.
    pub(crate) fn halt_of(&self, error: &mlua::Error) -> Halt {
        Halt::of_host(error, &self.limits)
    }

    /// Memory in use, in bytes.
    #[cfg(test)]
    pub(crate) fn used_memory(&self) -> usize {
        self.lua.used_memory()
    }
}
