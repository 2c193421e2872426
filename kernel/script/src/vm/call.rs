//! Calls of script functions: each runs in a coroutine of its own, so that it can be preempted,
//! cancelled, or ended by never being resumed.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Poll, Waker};
use std::time::Duration;

use fen_contract::cancel::CancelToken;
use mlua::{FromLuaMulti, Function, IntoLuaMulti, Lua, MultiValue, Thread, Value};

use super::clock::{Mode, Run};
use super::relay::Relay;
use super::{CallError, CallErrorKind, CallLimits, Vm, hook};
use crate::thread::{Running, beat};

/// How many coroutines of calls that ended well are kept for the next ones: making one costs more
/// than most handlers do.
const MOST_IDLE: usize = 4;

/// One call from its first to its last poll.
struct Call {
    vm: Vm,
    thread: Thread,
    run: Rc<Run>,
    arguments: Option<MultiValue>,
}

/// How far one poll got.
enum Progress {
    /// The function returned.
    Done(MultiValue),
    /// It waits for the host future in its slot.
    Waits,
    /// It was preempted, or yielded on its own: it can go on at any time.
    Yielded,
}

impl Drop for Call {
    fn drop(&mut self) {
        self.run.slot.clear();
        self.vm.inner.running.borrow_mut().remove(&self.run.id);
    }
}

impl Call {
    fn begin(
        vm: &Vm,
        function: &Function,
        arguments: MultiValue,
        mode: Mode,
        limits: CallLimits,
    ) -> Result<Call, CallError> {
        let inner = &vm.inner;
        let entry = inner.originals.xpcall.clone();
        let idle = inner.idle.borrow_mut().pop();
        let thread = match idle {
            Some(thread) => thread.reset(entry).map(|()| thread),
            None => inner.lua.create_thread(entry),
        };
        let thread = thread.map_err(|error| vm.host_failure(&error))?;
        let mut arguments = arguments;
        arguments.push_front(Value::Function(inner.catcher.clone()));
        arguments.push_front(Value::Function(function.clone()));
        let run = Run::new(mode, inner.slice, limits, inner.memory_limit);
        inner.running.borrow_mut().insert(run.id);
        Ok(Call { vm: vm.clone(), thread, run, arguments: Some(arguments) })
    }

    /// Lets it run until it ends, waits or is preempted.
    fn poll(&mut self, waker: &Waker) -> Result<Progress, CallError> {
        beat();
        let _running = Running::begin(self.vm.inner.number);
        let arguments = self.arguments.take().unwrap_or_default();
        let entered = self.run.enter();
        self.run.slot.begin_turn(waker);
        let resumed =
            catch_unwind(AssertUnwindSafe(|| self.thread.resume::<MultiValue>(arguments)));
        drop(entered);
        if self.run.is_dead() {
            return Err(self.vm.ended(&self.run));
        }
        match resumed {
            Err(_) => Err(self.vm.panicked()),
            Ok(Err(error)) => Err(self.vm.host_failure(&error)),
            Ok(Ok(mut values)) if self.thread.is_finished() => match values.pop_front() {
                Some(Value::Boolean(true)) => {
                    let mut idle = self.vm.inner.idle.borrow_mut();
                    if idle.len() < MOST_IDLE {
                        idle.push(self.thread.clone());
                    }
                    Ok(Progress::Done(values))
                }
                _ => Err(self.vm.thrown(&self.run, &values)),
            },
            Ok(Ok(values)) => {
                let waits = values.front() == Some(&Value::LightUserData(hook::pending()));
                if waits && self.run.slot.is_waited_for() {
                    return Ok(Progress::Waits);
                }
                Ok(Progress::Yielded)
            }
        }
    }
}

fn converted<R: FromLuaMulti>(vm: &Vm, values: MultiValue) -> Result<R, CallError> {
    R::from_lua_multi(values, vm.lua()).map_err(|error| {
        let words = super::host::plain_message(&error);
        CallError::new(
            CallErrorKind::Runtime,
            vm.name(),
            format!("the function returned something else than expected: {words}"),
        )
    })
}

impl Vm {
    /// Calls a function that must answer at once: render, snapshot, hook.
    ///
    /// # Errors
    /// All kinds but `Cancelled` and `Killed`. A function that waits gets the error "cannot wait
    /// here"; one that runs longer than `deadline` is ended.
    pub fn call_sync<R: FromLuaMulti>(
        &self,
        function: &Function,
        arguments: impl IntoLuaMulti,
        deadline: Duration,
    ) -> Result<R, CallError> {
        let arguments = self.arguments(arguments)?;
        let limits = CallLimits { running: deadline, grace: Duration::ZERO };
        let mut call = Call::begin(self, function, arguments, Mode::Sync, limits)?;
        match call.poll(Waker::noop())? {
            Progress::Done(values) => converted(self, values),
            Progress::Waits | Progress::Yielded => Err(CallError::new(
                CallErrorKind::CannotWait,
                self.name(),
                "the function yielded, but it must answer at once",
            )),
        }
    }

    /// Calls a function that may wait. The future must be polled on the thread of the VM; it gives
    /// way to others after each slice of running time. Dropping it ends the call for good.
    ///
    /// When the token trips, the host future that the script waits for is dropped and the script
    /// gets the error "cancelled"; from then on it has `limits.grace` of running time.
    ///
    /// # Errors
    /// All kinds but `CannotWait` (a script can still run into that one within a sort or a metamethod).
    pub fn call_async<R, A>(
        &self,
        function: &Function,
        arguments: A,
        limits: CallLimits,
        token: CancelToken,
    ) -> impl Future<Output = Result<R, CallError>> + use<R, A>
    where
        R: FromLuaMulti,
        A: IntoLuaMulti,
    {
        let call = self
            .arguments(arguments)
            .and_then(|arguments| Call::begin(self, function, arguments, Mode::Async, limits));
        let vm = self.clone();
        async move { converted(&vm, drive(call?, token).await?) }
    }

    /// Runs host code that may touch metamethods of the script, under a deadline.
    ///
    /// # Errors
    /// The code's own error, or [`CallErrorKind::Deadline`].
    pub fn with_deadline<T>(
        &self,
        deadline: Duration,
        work: impl FnOnce(&Lua) -> mlua::Result<T>,
    ) -> Result<T, CallError> {
        let limits = CallLimits { running: deadline, grace: Duration::ZERO };
        let run = Run::new(Mode::Sync, deadline, limits, self.inner.memory_limit);
        let _running = Running::begin(self.inner.number);
        let entered = run.enter();
        let result = work(&self.inner.lua);
        drop(entered);
        if run.is_dead() {
            return Err(self.ended(&run));
        }
        result.map_err(|error| self.host_failure(&error))
    }

    fn arguments(&self, arguments: impl IntoLuaMulti) -> Result<MultiValue, CallError> {
        arguments.into_lua_multi(&self.inner.lua).map_err(|error| self.host_failure(&error))
    }
}

/// What one turn of an asynchronous call came to.
enum Turn {
    Done(Result<MultiValue, CallError>),
    /// It could go on: others first.
    Others,
}

async fn drive(mut call: Call, token: CancelToken) -> Result<MultiValue, CallError> {
    if token.is_cancelled() {
        return Err(call.vm.cancelled());
    }
    // Most calls end with their first poll, for which the task's own waker does.
    if let Progress::Done(values) = poll_fn(|cx| Poll::Ready(call.poll(cx.waker()))).await? {
        return Ok(values);
    }
    // What it waits for is looked at once more, with the waker that the call has from here on.
    let relay = Relay::new();
    let waker = Waker::from(relay.clone());
    let mut cancelled = token.cancelled();
    tokio::task::yield_now().await;
    loop {
        let turn = poll_fn(|cx| {
            if token.is_cancelled() {
                call.run.ask_to_cancel();
                call.run.slot.clear();
            }
            relay.begin(cx.waker());
            let polled = call.poll(&waker);
            let woken = relay.end();
            match polled {
                Err(error) => Poll::Ready(Turn::Done(Err(error))),
                Ok(Progress::Done(values)) => Poll::Ready(Turn::Done(Ok(values))),
                // It waits; a token that trips meanwhile wakes this task as well.
                Ok(Progress::Waits) if !woken => {
                    Pin::new(&mut cancelled).poll(cx).map(|()| Turn::Others)
                }
                Ok(Progress::Waits | Progress::Yielded) => Poll::Ready(Turn::Others),
            }
        });
        match turn.await {
            Turn::Done(result) => return result,
            Turn::Others => tokio::task::yield_now().await,
        }
    }
}
