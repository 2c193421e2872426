//! How a call in a sandbox ends other than with values.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::time::Duration;

use mlua::{Function, Lua, LuaString, Value};

use super::Limits;
use super::deadline::Stop;

/// The longest message that is kept, in bytes.
const LONGEST: usize = 16 << 10;
/// Lines of a traceback that are kept.
const TRACED: usize = 30;
/// Lua's own words when its allocator gives nothing.
const NO_MEMORY: &str = "not enough memory";

/// Why a call gave no values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Halt {
    /// It reached a limit and was ended.
    Stopped {
        /// Which one.
        limit: Limit,
        /// Where it was, if that is known: the chunk's name and the line.
        place: Stop,
    },
    /// It raised an error.
    Failed {
        /// The words, with the position that Lua put before them.
        message: String,
        /// The calls that it was in, the innermost first: lines such as `name:3: in function 'f'`.
        traceback: Vec<String>,
    },
}

/// The limits of a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    /// It ran for longer than this.
    Time(Duration),
    /// It needed more memory than this, in bytes.
    Memory(usize),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Time(time) => {
                write!(f, "ran longer than {} s and was stopped", time.as_secs_f64())
            }
            Limit::Memory(bytes) if *bytes < 1 << 20 => {
                write!(f, "needed more than {} KiB of memory and was stopped", bytes >> 10)
            }
            Limit::Memory(bytes) => {
                write!(f, "needed more than {} MiB of memory and was stopped", bytes >> 20)
            }
        }
    }
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Halt::Stopped { limit, .. } => limit.fmt(f),
            Halt::Failed { message, .. } => f.write_str(message),
        }
    }
}

impl Halt {
    /// For an error of Lua outside of the code that was called.
    pub(super) fn of_host(error: &mlua::Error, limits: &Limits) -> Self {
        let message = match error {
            mlua::Error::SyntaxError { message, .. } => message.clone(),
            other => plain_message(other),
        };
        match is_memory(error) {
            true => Halt::Stopped { limit: Limit::Memory(limits.memory), place: None },
            false => Halt::Failed { message, traceback: Vec::new() },
        }
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
        // Lua adds its traceback to the message of a nested call; only what is before is ours.
        mlua::Error::RuntimeError(message) => {
            message.split("\nstack traceback:").next().unwrap_or_default().to_owned()
        }
        mlua::Error::MemoryError(_) => NO_MEMORY.to_owned(),
        other => other.to_string(),
    }
}

/// Whether it is the want of memory, in whatever frames of mlua.
fn is_memory(error: &mlua::Error) -> bool {
    match error {
        mlua::Error::MemoryError(_) => true,
        mlua::Error::CallbackError { cause, .. } | mlua::Error::BadArgument { cause, .. } => {
            is_memory(cause)
        }
        _ => false,
    }
}

struct Caught {
    message: String,
    /// Bytes that were in use.
    memory: usize,
    traceback: Vec<String>,
}

/// The message handler of every call: it writes down what was raised while the stack is there.
pub(super) struct Catcher {
    caught: Rc<RefCell<Option<Caught>>>,
    function: Function,
}

impl Catcher {
    pub(super) fn new(lua: &Lua) -> mlua::Result<Self> {
        let caught = Rc::new(RefCell::new(None));
        let seen = caught.clone();
        let function = lua.create_function(move |lua, value: Value| {
            let traceback = lua.traceback(None, 1).map(|text| text.to_string_lossy());
            let traceback = traceback.unwrap_or_default();
            let lines = traceback.lines().skip(1).map(|line| line.trim().to_owned());
            // Frames of the preludes have no name; the last two are the one that calls.
            let mut lines: Vec<String> = lines.filter(|line| !line.starts_with("?:")).collect();
            if lines.last().is_some_and(|line| line.starts_with("[C]")) {
                lines.pop();
            }
            lines.truncate(TRACED);
            let memory = lua.used_memory();
            seen.replace(Some(Caught { message: words(&value), memory, traceback: lines }));
            Ok(())
        })?;
        Ok(Catcher { caught, function })
    }

    pub(super) fn function(&self) -> &Function {
        &self.function
    }

    pub(super) fn clear(&self) {
        self.caught.replace(None);
    }

    /// For a call that failed; `value` is the error where no handler could run.
    pub(super) fn halt(&self, value: Option<&Value>, limits: &Limits) -> Halt {
        let caught = self.caught.take().unwrap_or_else(|| Caught {
            message: words(value.unwrap_or(&Value::Nil)),
            // Lua itself found none left: it calls no handler then.
            memory: limits.memory,
            traceback: Vec::new(),
        });
        // Code can raise the same words, and then has most of its memory left.
        if caught.message.ends_with(NO_MEMORY) && caught.memory > limits.memory / 4 {
            return Halt::Stopped { limit: Limit::Memory(limits.memory), place: None };
        }
        Halt::Failed { message: caught.message, traceback: caught.traceback }
    }
}

fn bounded(text: &LuaString) -> String {
    let bytes = text.as_bytes();
    // The place of an error in a prelude, which has none.
    let bytes = bytes.strip_prefix(b"?:-1: ").unwrap_or(&bytes);
    String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]).into_owned()
}

/// The words of a value that was raised. No code of it runs: `__tostring` is not asked.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => bounded(text),
        Value::Error(error) => plain_message(error),
        Value::Table(table) => match (table.raw_get("message"), table.raw_get(1)) {
            (Ok(Value::String(text)), _) | (_, Ok(Value::String(text))) => bounded(&text),
            _ => "a table was raised that has no `message`".to_owned(),
        },
        Value::Nil => "nil was raised".to_owned(),
        Value::Boolean(value) => value.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Number(number) => number.to_string(),
        other => format!("a {} was raised", other.type_name()),
    }
}
