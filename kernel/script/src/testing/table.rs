//! `t`: what a test can do and look at.
//!
//! What reaches the extension goes to the bench, on the bench's own runtime; the checks are made
//! here. A check that fails raises an error at the line of the test that made it.

use super::Bench;
use super::compare::{difference, named};
use crate::answers::taken;
use crate::value::{Aliases, ToJson, aliased, to_json};
use crate::vm::{HostError, Vm};
use crate::wire::table_of;
use fen_contract::failure::Failure;
use mlua::{Function, IntoLuaMulti, Lua, MultiValue, Table, Value};
use serde_json::Value as Json;
use std::path::{Component, Path};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;

/// The members that Lua itself is the best language for.
const CHECKS: &str = include_str!("checks.lua");
/// How errors call it.
pub(super) const CHECKS_FILE: &str = "fen";

/// Where `t` reaches the bench.
#[derive(Clone)]
struct Reach {
    bench: Arc<dyn Bench>,
    runtime: Handle,
}

impl Reach {
    /// Lets the bench do something, and waits for it.
    async fn ask<T, F, Fut>(&self, work: F) -> Result<T, HostError>
    where
        F: FnOnce(Arc<dyn Bench>) -> Fut,
        Fut: Future<Output = T> + Send + 'static,
        T: Send + 'static,
    {
        let task = self.runtime.spawn(work(self.bench.clone()));
        task.await.map_err(|error| HostError::new(format!("the bench failed: {error}")))
    }
}

fn lua_value(lua: &Lua, json: &Json) -> Result<Value, HostError> {
    table_of(lua, json).map_err(HostError::from)
}

fn json_value(what: &str, value: &Value) -> Result<Json, HostError> {
    to_json(value, &ToJson::default()).map_err(|error| HostError::new(format!("{what}: {error}")))
}

/// What a tool is called with: a table without members is an object.
fn arguments(value: &Value) -> Result<Json, HostError> {
    match value {
        Value::Nil => Ok(Json::Object(serde_json::Map::new())),
        Value::Table(table) if table.is_empty() => Ok(Json::Object(serde_json::Map::new())),
        Value::Table(_) => json_value("the arguments", value),
        other => Err(HostError::new(format!(
            "the arguments of a tool are a table, got {}",
            other.type_name()
        ))),
    }
}

pub(super) fn table(
    vm: &Vm,
    file: &str,
    bench: Arc<dyn Bench>,
    runtime: Handle,
) -> mlua::Result<Table> {
    let t = vm.lua().create_table()?;
    let reach = Reach { bench, runtime };
    t.raw_set("cwd", reach.bench.cwd().to_string_lossy().as_ref())?;
    requests(vm, &t, &reach)?;
    looks(vm, &t, &reach)?;
    files(vm, &t, &reach)?;
    checks(vm, &t)?;
    let (weak, file) = (vm.downgrade(), file.to_owned());
    let own = reach.clone();
    t.raw_set(
        "mock",
        vm.function(move |_, answers: Value| {
            let vm = weak.upgrade().ok_or("the test is over")?;
            let answers = taken(&vm, &file, answers)?;
            Ok(own.bench.mock(answers)?)
        })?,
    )?;
    aliased(vm.lua(), t, &Aliases::new(["call-tool"]))
}

/// A member that waits for the bench.
fn waits<A, T, Fut>(
    vm: &Vm,
    t: &Table,
    reach: &Reach,
    name: &str,
    ask: impl Fn(Arc<dyn Bench>, A) -> Result<Fut, HostError> + 'static,
    give: impl Fn(&Lua, T) -> Result<MultiValue, HostError> + 'static,
) -> mlua::Result<()>
where
    A: mlua::FromLuaMulti + 'static,
    T: Send + 'static,
    Fut: Future<Output = Result<T, Failure>> + Send + 'static,
{
    let (reach, ask, give) = (reach.clone(), std::rc::Rc::new(ask), std::rc::Rc::new(give));
    let function = vm.async_function(move |lua: Lua, arguments: A| {
        let (reach, ask, give) = (reach.clone(), ask.clone(), give.clone());
        async move {
            let asked = ask(reach.bench.clone(), arguments)?;
            give(&lua, reach.ask(move |_| asked).await??)
        }
    })?;
    t.raw_set(name, function)
}

fn one(lua: &Lua, value: impl mlua::IntoLua) -> Result<MultiValue, HostError> {
    Ok(value.into_lua(lua)?.into_lua_multi(lua)?)
}

fn requests(vm: &Vm, t: &Table, reach: &Reach) -> mlua::Result<()> {
    let json = |lua: &Lua, json: Json| one(lua, lua_value(lua, &json)?);
    waits(
        vm,
        t,
        reach,
        "call-tool",
        |bench, (name, given): (String, Value)| {
            let given = arguments(&given)?;
            Ok(async move { bench.call_tool(name, given).await })
        },
        json,
    )?;
    waits(
        vm,
        t,
        reach,
        "command",
        |bench, line: String| Ok(async move { bench.command(line).await }),
        one,
    )?;
    waits(
        vm,
        t,
        reach,
        "prompt",
        |bench, text: String| Ok(async move { bench.prompt(text).await }),
        json,
    )?;
    waits(
        vm,
        t,
        reach,
        "press",
        |bench, key: String| Ok(async move { bench.press(key).await }),
        |_, ()| Ok(MultiValue::new()),
    )?;
    waits(
        vm,
        t,
        reach,
        "reload",
        |bench, ()| Ok(async move { bench.reload().await }),
        |_, ()| Ok(MultiValue::new()),
    )
}

fn looks(vm: &Vm, t: &Table, reach: &Reach) -> mlua::Result<()> {
    waits(
        vm,
        t,
        reach,
        "status",
        |bench, name: String| Ok(async move { bench.status(name).await }),
        |lua, said: Option<super::Said>| match said {
            None => one(lua, Value::Nil),
            Some(said) => Ok((said.text, said.style).into_lua_multi(lua)?),
        },
    )?;
    waits(
        vm,
        t,
        reach,
        "panel",
        |bench, name: String| Ok(async move { bench.panel(name).await }),
        one,
    )?;
    waits(
        vm,
        t,
        reach,
        "events",
        |bench, name: Option<String>| {
            Ok(async move {
                let mut events = bench.events().await;
                events.retain(|event| name.as_ref().is_none_or(|name| event["type"] == *name));
                Ok(Json::Array(events))
            })
        },
        |lua, events: Json| one(lua, lua_value(lua, &events)?),
    )?;
    let own = reach.clone();
    t.raw_set("notices", vm.function(move |_, ()| Ok(own.bench.notices()))?)?;
    let own = reach.clone();
    t.raw_set(
        "answer",
        vm.function(move |_, answers: MultiValue| {
            for answer in &answers {
                own.bench.answer(json_value("the answer", answer)?);
            }
            Ok(())
        })?,
    )
}

/// A path below the working directory; nothing else is a test's business.
fn below(cwd: &Path, path: &str) -> Result<std::path::PathBuf, HostError> {
    let is_plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    if is_plain && !path.is_empty() {
        return Ok(cwd.join(path));
    }
    Err(HostError::new(format!("`{path}` is no path below the working directory")))
}

fn files(vm: &Vm, t: &Table, reach: &Reach) -> mlua::Result<()> {
    let failed =
        |path: String| move |error: std::io::Error| HostError::new(format!("{path}: {error}"));
    let cwd = reach.bench.cwd();
    let place = cwd.clone();
    t.raw_set(
        "write",
        vm.function(move |_, (path, text): (String, mlua::LuaString)| {
            let file = below(&place, &path)?;
            if let Some(folder) = file.parent() {
                std::fs::create_dir_all(folder).map_err(failed(path.clone()))?;
            }
            std::fs::write(&file, text.as_bytes()).map_err(failed(path))
        })?,
    )?;
    t.raw_set(
        "read",
        vm.function(move |lua, path: String| match std::fs::read(below(&cwd, &path)?) {
            Ok(bytes) => Ok(Some(lua.create_string(bytes)?)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(path)(error)),
        })?,
    )
}

fn checks(vm: &Vm, t: &Table) -> mlua::Result<()> {
    let native = vm.lua().create_table()?;
    native.raw_set(
        "difference",
        vm.function(|_, (got, expected): (Value, Value)| Ok(difference(&got, &expected)))?,
    )?;
    native.raw_set("named", vm.function(|_, value: Value| Ok(named(&value)))?)?;
    let made: Result<(), _> =
        vm.load_source(&crate::language::Lua, CHECKS, CHECKS_FILE).and_then(|chunk: Function| {
            vm.call_sync(&chunk, (t.clone(), native), Duration::from_secs(1))
        });
    made.map_err(|error| mlua::Error::runtime(error.to_string()))
}
