//! Host functions: Rust that scripts call.
//!
//! Every one runs behind a panic guard, and its failures reach the script as Lua strings with the
//! caller's position, as those of Lua's own functions do. Asynchronous ones suspend the script's
//! coroutine; they work wherever Lua can yield, in coroutines of the script's own too.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;

use mlua::{FromLuaMulti, Function, IntoLua, IntoLuaMulti, Lua, MultiValue, Table, Value};

use super::clock::{self, Cancel, Mode};
use super::hook;

/// What a script sees that waits where it cannot.
pub(crate) const CANNOT_WAIT: &str = "cannot wait here";

/// How a host function fails.
#[derive(Debug)]
pub enum HostError {
    /// With words; the script gets a string that begins with its own position.
    Message(String),
    /// With a value of the host's choice, such as `{kind = …, message = …}`.
    Value(Value),
    /// It was cancelled while it waited.
    Cancelled,
}

impl HostError {
    /// A failure in words.
    pub fn new(message: impl Into<String>) -> Self {
        HostError::Message(message.into())
    }

    pub(crate) fn into_value(self, lua: &Lua) -> Value {
        let text = match &self {
            HostError::Value(value) => return value.clone(),
            HostError::Message(message) => message.as_str(),
            HostError::Cancelled => hook::CANCELLED,
        };
        lua.create_string(text).map_or(Value::Nil, Value::String)
    }
}

impl From<String> for HostError {
    fn from(message: String) -> Self {
        HostError::Message(message)
    }
}

impl From<&str> for HostError {
    fn from(message: &str) -> Self {
        HostError::Message(message.to_owned())
    }
}

impl From<fen_contract::failure::Failure> for HostError {
    fn from(failure: fen_contract::failure::Failure) -> Self {
        HostError::Message(failure.message)
    }
}

impl From<mlua::Error> for HostError {
    fn from(error: mlua::Error) -> Self {
        HostError::Message(plain_message(&error))
    }
}

/// The words of an error without mlua's frame around them.
pub(crate) fn plain_message(error: &mlua::Error) -> String {
    match error {
        mlua::Error::CallbackError { cause, .. } => plain_message(cause),
        mlua::Error::BadArgument { pos, cause, .. } => {
            format!("bad argument #{pos} ({})", plain_message(cause))
        }
        mlua::Error::FromLuaConversionError { from, to, message } => match message {
            Some(message) => format!("{to} expected, got {from}: {message}"),
            None => format!("{to} expected, got {from}"),
        },
        // Lua adds its traceback to the message of a nested call; only the first line is ours.
        mlua::Error::RuntimeError(message) => {
            message.split("\nstack traceback:").next().unwrap_or_default().to_owned()
        }
        mlua::Error::MemoryError(_) => "not enough memory".to_owned(),
        other => other.to_string(),
    }
}

fn panic_words(panic: &(dyn std::any::Any + Send)) -> String {
    let words = panic
        .downcast_ref::<&str>()
        .map(|words| (*words).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    format!("the host failed: {words}")
}

/// Runs host code; a panic becomes an error of the call.
fn guarded<T>(work: impl FnOnce() -> Result<T, HostError>) -> Result<T, HostError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        if let Some(run) = clock::current() {
            run.panicked.set(true);
        }
        Err(HostError::Message(panic_words(&*panic)))
    })
}

/// The answer of a native function to the prelude: whether it went well, then values or the error.
/// `nil` in the place of the flag means that the script has to wait.
fn answer(lua: &Lua, result: Result<MultiValue, HostError>) -> MultiValue {
    match result {
        Ok(mut values) => {
            values.push_front(Value::Boolean(true));
            values
        }
        Err(error) => MultiValue::from_vec(vec![Value::Boolean(false), error.into_value(lua)]),
    }
}

fn answer_poll(lua: &Lua, poll: Poll<Result<MultiValue, HostError>>) -> MultiValue {
    match poll {
        Poll::Ready(result) => answer(lua, result),
        Poll::Pending => MultiValue::from_vec(vec![Value::Nil]),
    }
}

/// A synchronous host function without its types: each of them is small, and what runs around
/// them exists once in the program.
type Erased = Box<dyn Fn(&Lua, MultiValue) -> Result<MultiValue, HostError>>;

/// The same of one that may wait.
type ErasedAsync = Box<dyn Fn(&Lua, MultiValue) -> Result<Waiting, HostError>>;

/// What an asynchronous host function does once it has its arguments.
type Waiting = Pin<Box<dyn Future<Output = Result<MultiValue, HostError>>>>;

/// The raw half of a synchronous host function, for the prelude to wrap.
pub(crate) fn native<A, R>(
    lua: &Lua,
    work: impl Fn(&Lua, A) -> Result<R, HostError> + 'static,
) -> mlua::Result<Function>
where
    A: FromLuaMulti,
    R: IntoLuaMulti,
{
    erased_native(
        lua,
        Box::new(move |lua, arguments| {
            let arguments = A::from_lua_multi(arguments, lua)?;
            Ok(work(lua, arguments)?.into_lua_multi(lua)?)
        }),
    )
}

fn erased_native(lua: &Lua, work: Erased) -> mlua::Result<Function> {
    lua.create_function(move |lua, arguments: MultiValue| {
        let result = guarded(|| work(lua, arguments));
        // The count hook sees no time pass in here.
        hook::hurry(lua);
        Ok(answer(lua, result))
    })
}

/// The raw half of an asynchronous host function: it starts the work and polls it once.
pub(crate) fn native_async<A, R, F, Fut>(lua: &Lua, work: F) -> mlua::Result<Function>
where
    A: FromLuaMulti + 'static,
    R: IntoLuaMulti + 'static,
    F: Fn(Lua, A) -> Fut + 'static,
    Fut: Future<Output = Result<R, HostError>> + 'static,
{
    erased_native_async(
        lua,
        Box::new(move |lua, arguments| {
            let arguments = A::from_lua_multi(arguments, lua)?;
            let (future, held) = (work(lua.clone(), arguments), lua.clone());
            Ok(Box::pin(async move { Ok(future.await?.into_lua_multi(&held)?) }))
        }),
    )
}

fn erased_native_async(lua: &Lua, work: ErasedAsync) -> mlua::Result<Function> {
    lua.create_function(move |lua, arguments: MultiValue| {
        let Some(run) = clock::current() else {
            return Ok(answer(lua, Err(CANNOT_WAIT.into())));
        };
        if run.cancel_state() != Cancel::No {
            run.told_of_cancel();
            return Ok(answer(lua, Err(HostError::Cancelled)));
        }
        let polled = match guarded(|| work(lua, arguments)) {
            Ok(future) => poll_guarded(|| run.slot.poll(future)),
            Err(error) => Poll::Ready(Err(error)),
        };
        if polled.is_pending() && run.mode == Mode::Sync {
            run.slot.clear();
            run.wait_refused.set(true);
            return Ok(answer(lua, Err(CANNOT_WAIT.into())));
        }
        Ok(answer_poll(lua, polled))
    })
}

fn poll_guarded(
    poll: impl FnOnce() -> Poll<Result<MultiValue, HostError>>,
) -> Poll<Result<MultiValue, HostError>> {
    match guarded(|| Ok(poll())) {
        Ok(polled) => polled,
        Err(error) => Poll::Ready(Err(error)),
    }
}

/// Polls what the call waits for; the prelude calls it after each wait.
fn poll_wait(lua: &Lua) -> MultiValue {
    let Some(run) = clock::current() else {
        return answer(lua, Err(CANNOT_WAIT.into()));
    };
    match run.slot.take() {
        Some(future) => answer_poll(lua, poll_guarded(|| run.slot.poll(future))),
        // The driver dropped it.
        None => {
            run.told_of_cancel();
            answer(lua, Err(HostError::Cancelled))
        }
    }
}

/// Drops what the call waits for, because it waits where it cannot.
fn forget_wait() {
    if let Some(run) = clock::current() {
        run.wait_refused.set(true);
        run.slot.clear();
    }
}

/// The functions with which the prelude drives waits.
pub(crate) fn wait_functions(lua: &Lua, natives: &Table) -> mlua::Result<()> {
    natives.raw_set("poll", lua.create_function(|lua, ()| Ok(poll_wait(lua)))?)?;
    natives.raw_set(
        "forget",
        lua.create_function(|_, ()| {
            forget_wait();
            Ok(())
        })?,
    )?;
    natives.raw_set("doomed", lua.create_function(|_, ()| Ok(clock::is_doomed()))?)?;
    natives.raw_set("pending", hook::pending().into_lua(lua)?)?;
    natives.raw_set("paused", hook::paused().into_lua(lua)?)?;
    natives.raw_set("sentinel", hook::sentinel().into_lua(lua)?)
}

impl std::fmt::Display for HostError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            HostError::Message(message) => f.write_str(message),
            HostError::Value(value) => f.write_str(&super::thrown::words(value)),
            HostError::Cancelled => f.write_str(hook::CANCELLED),
        }
    }
}
