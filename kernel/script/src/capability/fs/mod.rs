//! `api.fs`: files and folders, except fen's own.
//!
//! It owns the functions and their arguments; [`place`] decides what a path means and whether it
//! may be touched, [`work`] does it. All of that runs on the runtime's pool for blocking work.

mod place;
mod work;

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::rc::Rc;

use mlua::{Table, Value};

use self::place::Paths;
pub(super) use self::place::absolute;
use self::work::Found;
use super::Capability;
use super::answer::{Refusal, answer};
use super::arguments::{name, whole, wrong};
use super::group::{Answers, Context, Group};
use super::options::Options;
use super::remote::block;
use crate::value::aliased;
use crate::vm::{HostError, Vm};

/// What `read` reads unless it is told otherwise.
const READ: usize = 1 << 20;

/// The most that one `read` gives.
const MOST: usize = 16 << 20;

pub(super) const GROUP: Group = Group {
    name: "fs",
    capability: Some(Capability::Fs),
    functions: &[
        ("read", Answers::Table),
        ("write", Answers::Table),
        ("append", Answers::Table),
        ("list", Answers::Table),
        ("stat", Answers::Table),
        ("exists?", Answers::Value),
        ("mkdir", Answers::Table),
        ("remove", Answers::Table),
        ("rename", Answers::Table),
    ],
    make,
};

fn make(vm: &Vm, table: &Table, context: &Rc<Context>) -> mlua::Result<()> {
    table.raw_set("read", read(vm, context)?)?;
    table.raw_set("write", store(vm, context, "api.fs.write", work::write)?)?;
    table.raw_set("append", store(vm, context, "api.fs.append", work::append)?)?;
    table.raw_set("list", list(vm, context)?)?;
    table.raw_set("stat", stat(vm, context)?)?;
    table.raw_set("exists?", exists(vm, context)?)?;
    table.raw_set("mkdir", change(vm, context, "api.fs.mkdir", work::mkdir)?)?;
    table.raw_set("remove", change(vm, context, "api.fs.remove", work::remove)?)?;
    table.raw_set("rename", rename(vm, context)?)
}

fn path(function: &str, value: &Value) -> Result<OsString, HostError> {
    name(&format!("{function}: the path"), value)
}

fn read(vm: &Vm, context: &Rc<Context>) -> mlua::Result<mlua::Function> {
    const NAME: &str = "api.fs.read";
    let context = context.clone();
    vm.async_function(move |lua, (given, options): (Value, Value)| {
        let context = context.clone();
        let arguments = path(NAME, &given).and_then(|path| {
            let options = Options::read(NAME, &options, &["max-bytes", "offset"])?;
            let offset =
                options.optional("offset", |what, value| whole(what, value, 0, 1 << 53))?;
            Ok((path, options.size("max-bytes", READ, MOST)?, offset.unwrap_or(0)))
        });
        async move {
            let (path, most, offset) = arguments?;
            let paths = Paths::of(&context.around);
            let work = move || work::read(&paths, &path, offset, most);
            let outcome = block(&context.around.runtime, work).await;
            answer(&lua, outcome, |table, (content, truncated)| {
                table.raw_set("text", lua.create_string(&content)?)?;
                table.raw_set("truncated?", truncated)?;
                aliased(&lua, table.clone(), &context.fields).map(drop)
            })
        }
    })
}

/// `write` and `append`.
fn store(
    vm: &Vm,
    context: &Rc<Context>,
    function: &'static str,
    work: fn(&Paths, &OsString, &[u8]) -> Result<(), Refusal>,
) -> mlua::Result<mlua::Function> {
    let context = context.clone();
    vm.async_function(move |lua, (given, text): (Value, Value)| {
        let context = context.clone();
        let arguments = path(function, &given).and_then(|path| match &text {
            Value::String(text) => Ok((path, text.as_bytes().to_vec())),
            other => Err(wrong(&format!("{function}: the text"), "a string", other)),
        });
        async move {
            let (path, content) = arguments?;
            let paths = Paths::of(&context.around);
            let work = move || work(&paths, &path, &content);
            let outcome = block(&context.around.runtime, work).await;
            answer(&lua, outcome, |_, ()| Ok(()))
        }
    })
}

/// `mkdir` and `remove`.
fn change(
    vm: &Vm,
    context: &Rc<Context>,
    function: &'static str,
    work: fn(&Paths, &OsString) -> Result<(), Refusal>,
) -> mlua::Result<mlua::Function> {
    let context = context.clone();
    vm.async_function(move |lua, given: Value| {
        let context = context.clone();
        let path = path(function, &given);
        async move {
            let path = path?;
            let paths = Paths::of(&context.around);
            let outcome = block(&context.around.runtime, move || work(&paths, &path)).await;
            answer(&lua, outcome, |_, ()| Ok(()))
        }
    })
}

fn rename(vm: &Vm, context: &Rc<Context>) -> mlua::Result<mlua::Function> {
    const NAME: &str = "api.fs.rename";
    let context = context.clone();
    vm.async_function(move |lua, (from, to): (Value, Value)| {
        let context = context.clone();
        let arguments = path(NAME, &from).and_then(|from| Ok((from, path(NAME, &to)?)));
        async move {
            let (from, to) = arguments?;
            let paths = Paths::of(&context.around);
            let work = move || work::rename(&paths, &from, &to);
            let outcome = block(&context.around.runtime, work).await;
            answer(&lua, outcome, |_, ()| Ok(()))
        }
    })
}

fn list(vm: &Vm, context: &Rc<Context>) -> mlua::Result<mlua::Function> {
    let context = context.clone();
    vm.async_function(move |lua, given: Value| {
        let context = context.clone();
        let path = path("api.fs.list", &given);
        async move {
            let path = path?;
            let paths = Paths::of(&context.around);
            let outcome = block(&context.around.runtime, move || work::list(&paths, &path)).await;
            answer(&lua, outcome, |table, (entries, truncated)| {
                let list = lua.create_table_with_capacity(entries.len(), 0)?;
                for (index, (name, found)) in entries.iter().enumerate() {
                    let entry = lua.create_table_with_capacity(0, 3)?;
                    entry.raw_set("name", lua.create_string(name.as_bytes())?)?;
                    entry.raw_set("type", found.kind)?;
                    entry.raw_set("size", found.size)?;
                    list.raw_set(index + 1, entry)?;
                }
                table.raw_set("entries", list)?;
                table.raw_set("truncated?", truncated)?;
                aliased(&lua, table.clone(), &context.fields).map(drop)
            })
        }
    })
}

fn stat(vm: &Vm, context: &Rc<Context>) -> mlua::Result<mlua::Function> {
    let context = context.clone();
    vm.async_function(move |lua, given: Value| {
        let context = context.clone();
        let path = path("api.fs.stat", &given);
        async move {
            let outcome = look(&context, path?).await;
            answer(&lua, outcome, described)
        }
    })
}

fn described(table: &Table, found: Found) -> mlua::Result<()> {
    table.raw_set("type", found.kind)?;
    table.raw_set("size", found.size)?;
    table.raw_set("modified", found.modified)
}

fn exists(vm: &Vm, context: &Rc<Context>) -> mlua::Result<mlua::Function> {
    let context = context.clone();
    vm.async_function(move |_, given: Value| {
        let context = context.clone();
        let path = path("api.fs.exists?", &given);
        async move { Ok(look(&context, path?).await.is_ok()) }
    })
}

async fn look(context: &Context, path: OsString) -> Result<Found, Refusal> {
    let paths = Paths::of(&context.around);
    block(&context.around.runtime, move || work::stat(&paths, &path)).await
}
