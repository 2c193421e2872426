//! Functions of the host for code in a sandbox: their failures and panics are Lua errors at the
//! caller's line, and none begins once the time is over.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use mlua::{FromLuaMulti, Function, IntoLuaMulti, Lua, LuaString, MultiValue, Table, Value};

use super::deadline::Clock;
use super::halt::plain_message;
use super::strings;

/// Why a function of the host gives nothing: words for the code that called it.
#[derive(Debug)]
pub(crate) struct Refusal(pub(crate) String);

impl From<mlua::Error> for Refusal {
    fn from(error: mlua::Error) -> Self {
        Refusal(plain_message(&error))
    }
}

impl From<String> for Refusal {
    fn from(words: String) -> Self {
        Refusal(words)
    }
}

impl From<&str> for Refusal {
    fn from(words: &str) -> Self {
        Refusal(words.to_owned())
    }
}

/// What makes functions of the host.
pub(crate) struct Natives {
    clock: Rc<Clock>,
    /// Turns the raw answer of one into results or an error.
    wrap: Function,
}

impl Natives {
    pub(super) fn new(natives: &Table, clock: Rc<Clock>) -> mlua::Result<Self> {
        Ok(Natives { clock, wrap: natives.raw_get("wrap")? })
    }

    /// A function.
    ///
    /// # Errors
    /// The memory of the state is used up.
    pub(crate) fn function<A: FromLuaMulti, R: IntoLuaMulti>(
        &self,
        lua: &Lua,
        work: impl Fn(&Lua, A) -> Result<R, Refusal> + 'static,
    ) -> mlua::Result<Function> {
        self.wrap.call(raw(lua, &self.clock, work)?)
    }
}

type Work = Box<dyn Fn(&Lua, MultiValue) -> Result<MultiValue, Refusal>>;

/// The half of a function in Rust: it answers `true` and the results, or `false` and the words.
pub(super) fn raw<A: FromLuaMulti, R: IntoLuaMulti>(
    lua: &Lua,
    clock: &Rc<Clock>,
    work: impl Fn(&Lua, A) -> Result<R, Refusal> + 'static,
) -> mlua::Result<Function> {
    let work: Work = Box::new(move |lua, all| {
        let arguments = A::from_lua_multi(all, lua)?;
        Ok(work(lua, arguments)?.into_lua_multi(lua)?)
    });
    erased(lua, clock.clone(), work)
}

fn erased(lua: &Lua, clock: Rc<Clock>, work: Work) -> mlua::Result<Function> {
    lua.create_function(move |lua, all: MultiValue| {
        let answer = match clock.is_over() {
            true => Err(Refusal::from("the time is over")),
            false => catch_unwind(AssertUnwindSafe(|| work(lua, all)))
                .unwrap_or_else(|_| Err(Refusal::from("the host failed"))),
        };
        Ok(match answer {
            Ok(mut values) => {
                values.push_front(Value::Boolean(true));
                values
            }
            Err(Refusal(words)) => {
                let words = Value::String(lua.create_string(words)?);
                [Value::Boolean(false), words].into_iter().collect()
            }
        })
    })
}

/// Puts what the preludes need into their table.
pub(super) fn install(
    lua: &Lua,
    natives: &Table,
    clock: &Rc<Clock>,
    print: impl Fn(&str) + 'static,
) -> mlua::Result<()> {
    let asked = clock.clone();
    natives.raw_set("expired", lua.create_function(move |_, ()| Ok(asked.is_over()))?)?;
    let print = raw(lua, clock, move |_, line: LuaString| {
        print(&String::from_utf8_lossy(&line.as_bytes()));
        Ok(())
    })?;
    natives.raw_set("print", print)?;
    strings::install(lua, natives, clock)
}
