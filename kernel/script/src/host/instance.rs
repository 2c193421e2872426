//! One generation of one extension on the script thread: its VM, its functions, its strikes.
//!
//! Host functions of the VM hold it weakly, so that it goes with its link. It calls the script;
//! what is called, and with what, is decided elsewhere.

use super::events::Mailbox;
use super::link::{Link, ScriptFailure, words};
use crate::vm::{CallError, CallLimits, HostError, Vm};
use fen_contract::api::{Api, RegistrationId};
use fen_contract::cancel::CancelToken;
use fen_contract::failure::{BoxFuture, Failure};
use fen_contract::names::Owner;
use fen_core::Kernel;
use mlua::{FromLuaMulti, Function, IntoLuaMulti, Lua, MultiValue, Table, Value};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::sync::Arc;
use std::time::Duration;

/// How often a script may take more than it was given before nothing of it is called any more.
const STRIKES: u8 = 3;

/// How much running time a call gets. Waits are never counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    /// It must answer at once: render, snapshot.
    Sync,
    /// A look that others wait for, which may ask the person: hook.
    Look,
    /// It reacts to something: an event, a command, a key, a timer.
    Handler,
    /// It does work that somebody asked for: a tool, a request to a service.
    Work,
    /// It lives as long as its extension: a presenter.
    Endless,
}

/// Running time for work.
const WORK: Duration = Duration::from_secs(60);

/// Something to do once the entry has run.
type Postponed = Pin<Box<dyn Future<Output = ()>>>;

/// See the module.
pub(crate) struct Instance {
    pub vm: Vm,
    pub owner: Owner,
    pub kernel: Kernel,
    /// The kernel's surface, bound to this generation.
    pub api: Arc<dyn Api>,
    pub link: std::sync::Weak<Link>,
    /// The table that outlives reloads.
    pub state: Table,
    /// What the manifest was granted.
    pub granted: super::Granted,
    pub around: super::Around,
    pub program: Arc<super::Program>,
    /// Tripped once it was replaced or unloaded; timers end then.
    pub retired: CancelToken,
    /// How many timers run.
    pub timers: Cell<usize>,
    /// How many events led, each to the next, to the one that it handles now.
    pub depth: Cell<usize>,
    pub(super) mailbox: RefCell<Mailbox>,
    functions: RefCell<HashMap<u64, Rc<Function>>>,
    /// For calls that nobody cancels: it is never tripped.
    pub(super) uncancelled: CancelToken,
    /// The functions of handlers, by their registrations.
    handlers: RefCell<HashMap<RegistrationId, u64>>,
    /// Values of the script's own that the kernel holds by their number.
    values: RefCell<HashMap<u64, Value>>,
    /// The session backends that its entry has contributed.
    pub staged_backends: RefCell<Vec<String>>,
    /// The session backend that its entry made the active one, before it was in force.
    pub active_backend: RefCell<Option<String>>,
    /// What waits until the entry has run; `None` from then on.
    once_loaded: RefCell<Option<Vec<Postponed>>>,
    next_number: Cell<u64>,
    strikes: Cell<u8>,
    quarantined: RefCell<Option<String>>,
}

/// What an instance is made of.
pub(crate) struct Parts {
    pub vm: Vm,
    pub kernel: Kernel,
    pub api: Arc<dyn Api>,
    pub link: std::sync::Weak<Link>,
    pub state: Table,
    pub granted: super::Granted,
    pub around: super::Around,
    pub program: Arc<super::Program>,
}

impl Instance {
    pub fn new(parts: Parts) -> Rc<Instance> {
        let Parts { vm, kernel, api, link, state, granted, around, program } = parts;
        Rc::new(Instance {
            vm,
            owner: api.owner(),
            kernel,
            api,
            link,
            state,
            granted,
            around,
            program,
            retired: CancelToken::new(),
            timers: Cell::new(0),
            depth: Cell::new(0),
            mailbox: RefCell::default(),
            functions: RefCell::default(),
            uncancelled: CancelToken::new(),
            handlers: RefCell::default(),
            values: RefCell::default(),
            staged_backends: RefCell::default(),
            active_backend: RefCell::default(),
            once_loaded: RefCell::new(Some(Vec::new())),
            next_number: Cell::new(0),
            strikes: Cell::new(0),
            quarantined: RefCell::default(),
        })
    }

    pub fn lua(&self) -> &Lua {
        self.vm.lua()
    }

    /// The link, for what is registered. Absent once everything of the extension is gone.
    pub fn link(&self) -> Result<Arc<Link>, HostError> {
        self.link.upgrade().ok_or_else(|| "the extension was unloaded".into())
    }

    /// Keeps a function for callbacks.
    pub fn keep(&self, function: Function) -> u64 {
        let number = self.number();
        self.functions.borrow_mut().insert(number, Rc::new(function));
        number
    }

    fn number(&self) -> u64 {
        let number = self.next_number.get();
        self.next_number.set(number + 1);
        number
    }

    /// Keeps a value of the script's for a later call.
    pub fn remember(&self, value: Value) -> u64 {
        let number = self.number();
        self.values.borrow_mut().insert(number, value);
        number
    }

    pub fn remembered(&self, number: u64) -> Value {
        self.values.borrow().get(&number).cloned().unwrap_or(Value::Nil)
    }

    pub fn forget(&self, number: u64) {
        self.values.borrow_mut().remove(&number);
    }

    pub fn has(&self, function: u64) -> bool {
        self.functions.borrow().contains_key(&function)
    }

    pub fn release(&self, function: u64) {
        self.functions.borrow_mut().remove(&function);
    }

    /// Does this once the entry has run, or beside the script if it has.
    pub fn once_loaded(&self, work: impl Future<Output = ()> + 'static) {
        match &mut *self.once_loaded.borrow_mut() {
            Some(waiting) => waiting.push(Box::pin(work)),
            None => drop(tokio::task::spawn_local(work)),
        }
    }

    /// Whether the entry has run.
    pub fn has_run(&self) -> bool {
        self.once_loaded.borrow().is_none()
    }

    /// Does what has waited for the entry.
    pub async fn entry_has_run(&self) {
        let waiting = self.once_loaded.borrow_mut().take();
        for work in waiting.unwrap_or_default() {
            work.await;
        }
    }

    /// Notes whose registration a handler's function is.
    pub fn handles(&self, registration: RegistrationId, function: u64) {
        self.handlers.borrow_mut().insert(registration, function);
    }

    /// Lets a handler hear nothing more, not even of events that wait for it already.
    pub fn deafen(&self, registration: RegistrationId) {
        let function = self.handlers.borrow_mut().remove(&registration);
        if let Some(function) = function {
            self.release(function);
        }
    }

    /// Ends what would go on by itself: timers and undelivered events.
    pub fn retire(&self) {
        self.retired.cancel();
        self.mailbox.borrow_mut().clear();
    }

    pub fn mailbox_is_empty(&self) -> bool {
        self.mailbox.borrow().is_empty()
    }

    fn limits(&self, limit: Limit) -> CallLimits {
        let budgets = self.vm.budgets();
        let running = match limit {
            Limit::Sync | Limit::Look => budgets.sync,
            Limit::Handler => budgets.handler,
            Limit::Work => WORK,
            Limit::Endless => Duration::MAX,
        };
        CallLimits { running, grace: budgets.grace }
    }

    /// Calls a kept function.
    pub async fn call(
        self: &Rc<Self>,
        function: u64,
        limit: Limit,
        arguments: MultiValue,
        token: CancelToken,
    ) -> Result<Value, ScriptFailure> {
        let function = self.functions.borrow().get(&function).cloned();
        let function = function.ok_or("its registration was taken back".to_owned())?;
        self.call_function(&function, limit, arguments, token).await
    }

    /// Calls a function of the script.
    pub async fn call_function(
        self: &Rc<Self>,
        function: &Function,
        limit: Limit,
        arguments: impl IntoLuaMulti,
        token: CancelToken,
    ) -> Result<Value, ScriptFailure> {
        if let Some(reason) = &*self.quarantined.borrow() {
            return Err(format!(
                "extension `{0}` is quarantined ({reason}); mend it and type /reload {0}",
                self.owner
            )
            .into());
        }
        let limits = self.limits(limit);
        let outcome = match limit {
            Limit::Sync => self.vm.call_sync(function, arguments, limits.running),
            _ => self.vm.call_async(function, arguments, limits, token).await,
        };
        outcome.map_err(|error| {
            let error = self.vm.placed(error, function);
            self.note(&error);
            error.into()
        })
    }

    /// Counts a call that took more than it was given. With the third one, or when the script
    /// keeps nearly all memory that it may have, nothing of it is called any more.
    pub fn note(&self, error: &CallError) {
        if error.is_strike() {
            self.strikes.set(self.strikes.get() + 1);
        }
        let reason = if self.vm.must_quarantine() {
            format!("it keeps nearly all the memory that it may have; last: {}", words(error))
        } else if self.strikes.get() >= STRIKES {
            format!("{STRIKES} of its calls took more than they were given; last: {}", words(error))
        } else {
            return;
        };
        if self.quarantined.borrow().is_some() {
            return;
        }
        *self.quarantined.borrow_mut() = Some(reason.clone());
        self.retire();
        if let Some(link) = self.link.upgrade() {
            // Set once, here.
            let _ = link.given_up.set(reason.clone());
            link.records.quarantine(&self.kernel, link.id, reason);
        }
    }

    /// Tells of a failed callback that nobody waits for.
    pub fn report(&self, callback: &str, message: &str) {
        fen_core::bus::following(self.depth.get(), || {
            self.kernel.report_callback(&self.owner, callback, message);
        });
    }

    /// A host function that works on this instance.
    pub fn function<A, R>(
        self: &Rc<Self>,
        work: impl Fn(&Rc<Instance>, A) -> Result<R, HostError> + 'static,
    ) -> mlua::Result<Function>
    where
        A: FromLuaMulti,
        R: IntoLuaMulti,
    {
        let weak = Rc::downgrade(self);
        self.vm.function(move |_, arguments: A| work(&upgraded(&weak)?, arguments))
    }

    /// A host function of this instance that may wait.
    pub fn async_function<A, R, Fut>(
        self: &Rc<Self>,
        work: impl Fn(Rc<Instance>, A) -> Fut + 'static,
    ) -> mlua::Result<Function>
    where
        A: FromLuaMulti + 'static,
        R: IntoLuaMulti + 'static,
        Fut: Future<Output = Result<R, HostError>> + 'static,
    {
        let weak = Rc::downgrade(self);
        let work = Rc::new(work);
        self.vm.async_function(move |_, arguments: A| {
            let (weak, work) = (weak.clone(), work.clone());
            async move { work(upgraded(&weak)?, arguments).await }
        })
    }

    /// Runs a future of the kernel's on its own runtime and waits for it; it is dropped there when
    /// the call is cancelled.
    pub async fn on_kernel<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Failure> {
        struct AbortOnDrop<T>(tokio::task::JoinHandle<T>);
        impl<T> Drop for AbortOnDrop<T> {
            fn drop(&mut self) {
                self.0.abort();
            }
        }
        // Boxed, so that the runtime's part of it exists once for each type of answer.
        let work: BoxFuture<'static, T> = Box::pin(work);
        let mut task = AbortOnDrop(self.around.runtime.spawn(work));
        (&mut task.0)
            .await
            .map_err(|error| Failure::new(format!("the kernel gave no answer: {error}")))
    }
}

fn upgraded(weak: &Weak<Instance>) -> Result<Rc<Instance>, HostError> {
    weak.upgrade().ok_or_else(|| "the extension was unloaded".into())
}
