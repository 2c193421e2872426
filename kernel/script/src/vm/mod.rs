//! One VM per extension.
//!
//! A VM owns a Lua state with a memory limit, the names of its source files, and the calls that run
//! in it. It must not know what an extension registers; the layers above call its functions. All
//! VMs of a process live on one thread.

mod budget;
mod call;
mod call_error;
mod clock;
mod failure;
mod fennel_module;
mod hook;
mod host;
mod lazy;
mod modules;
mod relay;
mod sandbox;
mod sources;
mod strings;
mod thrown;
mod wait;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashSet;
use std::future::Future;
use std::rc::{Rc, Weak};
use std::time::Duration;

use mlua::chunk::ChunkMode;
use mlua::{FromLuaMulti, Function, IntoLua, IntoLuaMulti, Lua, Table};

pub use self::budget::{Budgets, CallLimits};
pub use self::call_error::{CallError, CallErrorKind, CallFailure};
pub use self::fennel_module::FENNEL_MODULE;
pub use self::host::HostError;
pub use self::modules::{Module, NoModules, Resolver};
pub use self::sandbox::GLOBALS;
use self::sandbox::Originals;
use self::sources::Sources;
use crate::language::{Chunk, Language, MacroLimits, Surroundings};
use crate::thread::{Running, beat};

/// What macros get of memory at least, in bytes.
const LEAST_MEMORY: usize = 4 << 20;

/// The memory limit of a VM unless its configuration says otherwise, in bytes.
pub const DEFAULT_MEMORY: usize = 32 << 20;

/// How a VM is made.
pub struct VmConfig {
    /// The extension's name, for errors.
    pub name: String,
    /// A number under which the thread notes that code of it runs; 0 for none.
    pub number: u64,
    /// The most memory that its Lua state may hold, in bytes.
    pub memory_limit: usize,
    /// The running time after which another call of the thread gets its turn.
    pub slice: Duration,
    /// Running time of its calls.
    pub budgets: Budgets,
    /// Where the lines of `print` go, without a line end.
    pub print: Box<dyn Fn(&str)>,
    /// What `require` finds.
    pub resolver: Box<dyn Resolver>,
}

impl VmConfig {
    /// The usual limits; `print` goes nowhere and there are no modules.
    pub fn new(name: impl Into<String>) -> Self {
        VmConfig {
            name: name.into(),
            number: 0,
            memory_limit: DEFAULT_MEMORY,
            slice: Duration::from_millis(5),
            budgets: Budgets::default(),
            print: Box::new(|_| {}),
            resolver: Box::new(NoModules),
        }
    }
}

/// A VM. Clones are handles of the same one; it goes with the last handle and the last call.
///
/// A host function that keeps a handle keeps the VM alive for ever: it takes a [`WeakVm`].
#[derive(Clone)]
pub struct Vm {
    pub(crate) inner: Rc<Inner>,
}

/// A handle that does not keep the VM.
#[derive(Clone)]
pub struct WeakVm(Weak<Inner>);

impl WeakVm {
    /// The VM, if it is still there.
    pub fn upgrade(&self) -> Option<Vm> {
        self.0.upgrade().map(|inner| Vm { inner })
    }
}

pub(crate) struct Inner {
    lua: Lua,
    name: String,
    number: u64,
    memory_limit: usize,
    slice: Duration,
    budgets: Budgets,
    resolver: Box<dyn Resolver>,
    print: Rc<dyn Fn(&str)>,
    /// The names of its globals: those of every VM, and those that the host gave to this one.
    globals: RefCell<Rc<[String]>>,
    sources: RefCell<Sources>,
    originals: Originals,
    /// Writes down what was thrown, with its traceback, before the stack is gone.
    catcher: Function,
    /// Coroutines of calls that ended well, for the next ones.
    idle: RefCell<Vec<mlua::Thread>>,
    /// The calls that have begun and not ended.
    running: RefCell<HashSet<u64>>,
    /// Too much was in use after the last collection that a memory error made necessary.
    crowded: Cell<bool>,
}

impl Vm {
    /// Makes a VM with nothing loaded.
    ///
    /// # Errors
    /// The memory limit is too low for an empty VM.
    pub fn new(config: VmConfig) -> Result<Vm, CallError> {
        let VmConfig { name, number, memory_limit, slice, budgets, print, resolver } = config;
        let home = Rc::new(OnceCell::new());
        let print: Rc<dyn Fn(&str)> = Rc::from(print);
        let printing = print.clone();
        let make = || {
            let lua = sandbox::new_state()?;
            lua.set_memory_limit(memory_limit)?;
            let catcher = thrown::catcher(&lua)?;
            let originals =
                sandbox::furnish(&lua, &home, budgets.source, move |line| printing(line))?;
            hook::install(&lua)?;
            Ok((lua, catcher, originals))
        };
        let (lua, catcher, originals) = make().map_err(|error: mlua::Error| {
            CallError::new(CallErrorKind::Memory, &name, host::plain_message(&error))
        })?;
        let inner = Rc::new(Inner {
            lua,
            name,
            number,
            memory_limit,
            slice,
            budgets,
            resolver,
            print,
            globals: RefCell::new(Rc::new(GLOBALS.map(str::to_owned))),
            sources: RefCell::default(),
            originals,
            catcher,
            idle: RefCell::default(),
            running: RefCell::default(),
            crowded: Cell::new(false),
        });
        // Set once, here.
        let _ = home.set(WeakVm(Rc::downgrade(&inner)));
        Ok(Vm { inner })
    }

    /// The extension's name.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// The Lua state, for making values. Code of the script may only run through the calls of this
    /// type: elsewhere nothing limits it but a coarse last guard.
    pub fn lua(&self) -> &Lua {
        &self.inner.lua
    }

    /// Makes values of the host's for the script. The memory limit does not hold meanwhile, so that
    /// Lua need not guard each allocation, which is most of the cost of a small table; it holds again
    /// for whatever the script does next. What is made must be bounded, and no code of the script
    /// may run.
    pub fn making<T>(&self, make: impl FnOnce(&Lua) -> T) -> T {
        struct Limit<'vm>(&'vm Inner);
        impl Drop for Limit<'_> {
            fn drop(&mut self) {
                // It could be lifted, so it can be set.
                let _ = self.0.lua.set_memory_limit(self.0.memory_limit);
            }
        }
        let lifted = self.inner.lua.set_memory_limit(0);
        let _limit = lifted.is_ok().then(|| Limit(&self.inner));
        make(&self.inner.lua)
    }

    /// The limits that it was made with.
    pub fn budgets(&self) -> &Budgets {
        &self.inner.budgets
    }

    /// A handle for host functions.
    pub fn downgrade(&self) -> WeakVm {
        WeakVm(Rc::downgrade(&self.inner))
    }

    /// Compiles one file; nothing of it runs but macros.
    ///
    /// # Errors
    /// [`CallErrorKind::Syntax`] with all mistakes and their places; [`CallErrorKind::Memory`].
    pub fn load_source(
        &self,
        language: &dyn Language,
        source: &str,
        file: &str,
    ) -> Result<Function, CallError> {
        self.load_module(language, source, file, None)
    }

    /// The same for a file that is a module of this name.
    pub(crate) fn load_module(
        &self,
        language: &dyn Language,
        source: &str,
        file: &str,
        module: Option<&str>,
    ) -> Result<Function, CallError> {
        self.check_size(source, file)?;
        beat();
        let _running = Running::begin(self.inner.number);
        let surroundings = self.surroundings(module);
        let chunk = language
            .compile(source, file, &surroundings)
            .map_err(|found| CallError::of_diagnostics(self.name(), file, found))?;
        self.load(&chunk, file)
    }

    /// Loads a compiled file, as text; nothing runs.
    ///
    /// # Errors
    /// [`CallErrorKind::Syntax`] with the mistake's place; [`CallErrorKind::Memory`].
    pub fn load(&self, chunk: &Chunk<'_>, file: &str) -> Result<Function, CallError> {
        self.check_size(&chunk.lua, file)?;
        let name = self.inner.sources.borrow_mut().enter(file, chunk.map.clone());
        let text = chunk.lua.as_bytes();
        let loading = self.inner.lua.load(text).set_name(&name).set_mode(ChunkMode::Text);
        loading.into_function().map_err(|error| {
            let failure = self.load_failure(&error, file);
            // Its place is one of the source by now; nothing may translate it again.
            self.inner.sources.borrow_mut().forget(&name);
            failure
        })
    }

    /// What a file of this VM's is compiled in.
    fn surroundings(&self, module: Option<&str>) -> Surroundings {
        Surroundings {
            module: module.map(str::to_owned),
            globals: self.inner.globals.borrow().clone(),
            siblings: self.inner.resolver.siblings(),
            print: self.inner.print.clone(),
            limits: self.macro_limits(),
        }
    }

    /// What macros may use: no more than what is left to the call in which they are compiled.
    fn macro_limits(&self) -> MacroLimits {
        let MacroLimits { memory, running } = MacroLimits::default();
        let left = clock::left().unwrap_or(running);
        // What is in use may be garbage; so there is always some.
        let free = self.inner.memory_limit.saturating_sub(self.used_memory()).max(LEAST_MEMORY);
        // Whole milliseconds can be read in the words of who is stopped.
        let left = Duration::from_millis(u64::try_from(left.as_millis()).unwrap_or(u64::MAX));
        MacroLimits { memory: memory.min(free), running: running.min(left) }
    }

    fn check_size(&self, source: &str, file: &str) -> Result<(), CallError> {
        let (size, limit) = (source.len(), self.inner.budgets.source);
        if size <= limit {
            return Ok(());
        }
        let mut error = CallError::new(
            CallErrorKind::Syntax,
            self.name(),
            format!("the source has {size} bytes; at most {limit} can be loaded"),
        );
        error.file = Some(file.to_owned());
        Err(error)
    }

    /// Gives the table to every `require` of this name, before any file.
    ///
    /// # Errors
    /// The VM's memory is used up.
    pub fn host_module(&self, name: &str, module: Table) -> mlua::Result<()> {
        self.inner.originals.loaded.raw_set(name, module)
    }

    /// A function of the host. Its failures and panics are errors at the caller's position.
    ///
    /// # Errors
    /// The VM's memory is used up.
    pub fn function<A, R>(
        &self,
        work: impl Fn(&Lua, A) -> Result<R, HostError> + 'static,
    ) -> mlua::Result<Function>
    where
        A: FromLuaMulti,
        R: IntoLuaMulti,
    {
        self.inner.originals.wrap.call(host::native(&self.inner.lua, work)?)
    }

    /// A function of the host that may wait. A call that is cancelled drops its future at once.
    ///
    /// # Errors
    /// The VM's memory is used up.
    pub fn async_function<A, R, Fut>(
        &self,
        work: impl Fn(Lua, A) -> Fut + 'static,
    ) -> mlua::Result<Function>
    where
        A: FromLuaMulti + 'static,
        R: IntoLuaMulti + 'static,
        Fut: Future<Output = Result<R, HostError>> + 'static,
    {
        self.inner.originals.wrap_async.call(host::native_async(&self.inner.lua, work)?)
    }

    /// A table that is filled when a script first looks into it.
    ///
    /// # Errors
    /// The VM's memory is used up.
    pub fn lazy_table(
        &self,
        fill: impl FnOnce(&Vm, &Table) -> mlua::Result<()> + 'static,
    ) -> mlua::Result<Table> {
        let weak = self.downgrade();
        lazy::table(&self.inner.lua, move |_, table| match weak.upgrade() {
            Some(vm) => fill(&vm, table),
            None => Ok(()),
        })
    }

    /// Sets a global variable of the script.
    ///
    /// # Errors
    /// The VM's memory is used up.
    pub fn set_global(&self, name: &str, value: impl IntoLua) -> mlua::Result<()> {
        self.inner.lua.globals().raw_set(name, value)?;
        let mut globals = self.inner.globals.borrow_mut();
        if !globals.iter().any(|known| known == name) {
            *globals = globals.iter().cloned().chain([name.to_owned()]).collect();
        }
        Ok(())
    }

    /// Memory in use, in bytes.
    pub fn used_memory(&self) -> usize {
        self.inner.lua.used_memory()
    }

    /// Whether the script keeps so much that every further call would fail: after the last memory
    /// error, more than nine tenths of the limit were still in use.
    pub fn must_quarantine(&self) -> bool {
        self.inner.crowded.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_get_what_is_left_to_their_call_and_to_the_vm() {
        let limit = LEAST_MEMORY * 2;
        let vm = Vm::new(VmConfig { memory_limit: limit, ..VmConfig::new("x") }).unwrap();
        let weak = vm.downgrade();
        let ask = vm.function(move |_, ()| {
            let running = weak.upgrade().map(|vm| vm.surroundings(None).limits.running);
            Ok(running.map(|running| running.as_secs_f64()))
        });
        let ask = ask.unwrap();
        let allowed = Duration::from_millis(50);
        let left: f64 = vm.call_sync(&ask, (), allowed).unwrap();
        assert!(left <= allowed.as_secs_f64(), "{left}");
        let alone = vm.surroundings(None).limits;
        assert_eq!(alone.running, MacroLimits::default().running);
        assert!((LEAST_MEMORY..limit).contains(&alone.memory), "{alone:?}");
    }
}
