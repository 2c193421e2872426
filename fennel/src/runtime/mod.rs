//! The module `fennel` for programs at run time: `view`, `eval`, `parser` and their like, as
//! Fennel's own module offers them.
//!
//! It is made in the program's Lua state. What it needs of the world around, files and the loading
//! of code, it asks its [`RuntimeHost`] for.

mod code;
mod forms;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use mlua::{FromLuaMulti, Function, IntoLuaMulti, Lua, LuaString, MultiValue, Table, Value};

use crate::builtin;
use crate::compile::special;
use crate::options::{LineMap, ModuleText, Options};
use crate::sandbox::Prelude;
use crate::view;
use crate::words::Trait;

/// The language that this module speaks.
pub const VERSION: &str = "1.6.0";

static MODULE: Prelude = Prelude::new("=fennel", include_str!("fennel.lua"));

/// What the module asks of where it runs.
pub trait RuntimeHost {
    /// How code is compiled that the program hands to `eval` and its like: the globals that it may
    /// use, and where its modules are.
    fn options(&self) -> Options;

    /// The file of this path, for `dofile`.
    ///
    /// # Errors
    /// Words for one that is there and cannot be read.
    fn file(&self, path: &str) -> Result<Option<ModuleText>, String>;

    /// Makes a function of Lua code. `map` leads from its lines to those of the Fennel that it was
    /// compiled from, if it was. `name` is how its errors call it, `environment` where it finds its
    /// globals, if not where all code does.
    ///
    /// # Errors
    /// Lua's words.
    fn load(
        &self,
        lua: &Lua,
        text: &str,
        map: Option<&LineMap>,
        name: &str,
        environment: Option<Table>,
    ) -> Result<Function, String>;
}

/// Makes the module.
///
/// # Errors
/// The state has no memory left.
pub fn module(lua: &Lua, host: Rc<dyn RuntimeHost>) -> mlua::Result<Table> {
    let natives = lua.create_table()?;
    let show = |lua: &Lua, (value, options): (Value, Option<Table>)| {
        view::view(lua, &value, options.as_ref()).map_err(words)
    };
    natives.raw_set("view", native(lua, show)?)?;
    code::install(lua, &natives, &host)?;
    forms::install(lua, &natives)?;
    natives.raw_set("syntax", native(lua, |lua, ()| syntax(lua).map_err(words))?)?;
    MODULE.call(lua, (natives, VERSION))
}

/// The special forms and macros, by name.
fn syntax(lua: &Lua) -> mlua::Result<Table> {
    let all = lua.create_table()?;
    let about = |name: &str, kind: &str, traits: &[Trait]| {
        let about = lua.create_table()?;
        about.raw_set(kind, true)?;
        for one in traits {
            let field = match one {
                Trait::Binds => "binding-form?",
                Trait::Defines => "define?",
                Trait::HasBody => "body-form?",
            };
            about.raw_set(field, true)?;
        }
        all.raw_set(name, about)
    };
    let mut specials = special::WORDS.all().iter();
    let mut macros = builtin::WORDS.all().iter();
    specials.try_for_each(|word| about(word.name, "special?", word.traits))?;
    macros.try_for_each(|word| about(word.name, "macro?", word.traits))?;
    Ok(all)
}

/// What an error of Lua says.
fn words(error: mlua::Error) -> String {
    match error {
        mlua::Error::RuntimeError(words) => words,
        mlua::Error::CallbackError { cause, .. } => words((*cause).clone()),
        other => other.to_string(),
    }
}

type Work = Box<dyn Fn(&Lua, MultiValue) -> Result<MultiValue, String>>;

/// A function of ours for the module's code: it answers `true` and the results, or `false` and the
/// words of an error, which the code raises. An error of Rust's would be no string for `pcall`.
fn native<A: FromLuaMulti, R: IntoLuaMulti>(
    lua: &Lua,
    work: impl Fn(&Lua, A) -> Result<R, String> + 'static,
) -> mlua::Result<Function> {
    let work: Work = Box::new(move |lua, all| {
        let arguments = A::from_lua_multi(all, lua).map_err(words)?;
        work(lua, arguments)?.into_lua_multi(lua).map_err(words)
    });
    erased(lua, work)
}

fn erased(lua: &Lua, work: Work) -> mlua::Result<Function> {
    lua.create_function(move |lua, all: MultiValue| {
        let answer = catch_unwind(AssertUnwindSafe(|| work(lua, all)))
            .unwrap_or_else(|_| Err("the host failed".to_owned()));
        Ok(match answer {
            Ok(mut values) => {
                values.push_front(Value::Boolean(true));
                values
            }
            Err(words) => {
                let words: LuaString = lua.create_string(words)?;
                [Value::Boolean(false), Value::String(words)].into_iter().collect()
            }
        })
    })
}
