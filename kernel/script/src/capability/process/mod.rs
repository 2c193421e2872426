//! `api.process`: other programs.
//!
//! It owns the functions and their arguments: a program and its arguments as a list, never a line
//! for a shell unless the list says so. [`start`], [`output`] and [`end`] hold what all programs
//! have in common, [`run`] and [`spawned`] the two ways of using one.

mod end;
mod output;
mod run;
mod spawned;
mod start;

use std::ffi::OsString;
use std::rc::Rc;
use std::time::Duration;

use mlua::{Function, Lua, MultiValue, Table, Value};

use self::end::{Exit, signal_name};
use self::spawned::Spawned;
use self::start::{Input, Request};
use super::Capability;
use super::answer::{answer, done};
use super::arguments::{bytes, name, without_nul, wrong};
use super::fs::absolute;
use super::group::{Answers, Context, Group};
use super::options::Options;
use super::remote::watch;
use crate::value::aliased;
use crate::vm::{HostError, Vm};

/// How long `run` waits unless it is told otherwise.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The longest that `run` can be told to wait.
const MAX_TIMEOUT: Duration = Duration::from_secs(3_600);

/// What is kept of each output, or taken for one line, unless told otherwise.
const OUTPUT: usize = 1 << 20;

/// The most that is kept of each output, or taken for one line.
const MAX_OUTPUT: usize = 16 << 20;

pub(super) const GROUP: Group = Group {
    name: "process",
    capability: Some(Capability::Process),
    functions: &[("run", Answers::Table), ("spawn", Answers::Table)],
    make,
};

fn make(vm: &Vm, table: &Table, context: &Rc<Context>) -> mlua::Result<()> {
    table.raw_set("run", run_function(vm, context)?)?;
    table.raw_set("spawn", spawn_function(vm, context)?)
}

/// The program and its arguments.
fn command(function: &str, value: &Value) -> Result<(OsString, Vec<OsString>), HostError> {
    let list = match value {
        Value::Table(list) => list,
        Value::String(_) => {
            return Err(HostError::new(format!(
                "{function} takes the program and its arguments as a table, such as \
                 {{ \"git\", \"status\" }}; for a shell say {{ \"sh\", \"-c\", \"git status | head\" }}"
            )));
        }
        other => return Err(wrong(&format!("{function}: the program"), "a table", other)),
    };
    let length = list.raw_len();
    let keys = list.pairs::<Value, Value>().count();
    if length == 0 || keys != length {
        return Err(HostError::new(format!(
            "{function}: the program must be a list without gaps, such as {{ \"git\", \"status\" }}"
        )));
    }
    let mut words = Vec::with_capacity(length);
    for index in 1..=length {
        let what = format!("{function}: element {index} of the program");
        words.push(match list.raw_get(index)? {
            Value::Integer(number) => number.to_string().into(),
            value if index == 1 => name(&what, &value)?,
            value => without_nul(&what, bytes(&what, &value)?)?,
        });
    }
    let arguments = words.split_off(1);
    Ok((words.pop().unwrap_or_default(), arguments))
}

fn request(
    function: &'static str,
    program: &Value,
    options: &Options,
    context: &Context,
    input: Input,
) -> Result<Request, HostError> {
    let (program, arguments) = command(function, program)?;
    let cwd = options.optional("cwd", name)?;
    let around = &context.around;
    Ok(Request {
        program,
        arguments,
        cwd: cwd.map_or_else(|| around.cwd.clone(), |cwd| absolute(&around.cwd, &cwd)),
        environment: options.optional("env", environment)?.unwrap_or_default(),
        withheld: around.credentials.names(),
        input,
    })
}

/// `{NAME = "value", OTHER = false}`.
fn environment(what: &str, value: &Value) -> Result<Vec<(OsString, Option<OsString>)>, HostError> {
    let Value::Table(table) = value else { return Err(wrong(what, "a table", value)) };
    let mut variables = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair?;
        let variable = name(&format!("{what}: a name"), &key)?;
        if variable.as_encoded_bytes().contains(&b'=') {
            return Err(HostError::new(format!("{what}: a name contains '='")));
        }
        let what = format!("{what}: {}", variable.to_string_lossy());
        let value = match value {
            Value::Boolean(false) => None,
            Value::String(_) => Some(without_nul(&what, bytes(&what, &value)?)?),
            other => return Err(wrong(&what, "a string, or false to take it away", &other)),
        };
        variables.push((variable, value));
    }
    Ok(variables)
}

fn run_function(vm: &Vm, context: &Rc<Context>) -> mlua::Result<Function> {
    const NAME: &str = "api.process.run";
    let context = context.clone();
    vm.async_function(move |lua, (program, options): (Value, Value)| {
        let context = context.clone();
        let arguments = (|| {
            let known = ["cwd", "env", "stdin", "timeout-ms", "max-bytes"];
            let options = Options::read(NAME, &options, &known)?;
            let stdin = options.optional("stdin", bytes)?;
            let input = if stdin.is_some() { Input::Pipe } else { Input::Nothing };
            let request = request(NAME, &program, &options, &context, input)?;
            let limit = options.time("timeout-ms", MAX_TIMEOUT)?.unwrap_or(TIMEOUT);
            let most = options.size("max-bytes", OUTPUT, MAX_OUTPUT)?;
            Ok::<_, HostError>((request, stdin.unwrap_or_default(), limit, most))
        })();
        async move {
            let (request, input, limit, most) = arguments?;
            let slot = match context.processes.take() {
                Ok(slot) => slot,
                Err(refusal) => return Ok(refusal.table(&lua)?),
            };
            let running = watch(&context.around.runtime, |stop| async move {
                let outcome = run::run(request, input, limit, most, stop).await;
                drop(slot);
                outcome
            });
            let outcome = match running.await {
                Ok(outcome) => outcome,
                Err(refusal) => return Ok(refusal.table(&lua)?),
            };
            let table = answer(&lua, outcome.exit, ended)?;
            table.raw_set("stdout", lua.create_string(&outcome.stdout)?)?;
            table.raw_set("stderr", lua.create_string(&outcome.stderr)?)?;
            table.raw_set("truncated?", outcome.truncated)?;
            Ok(aliased(&lua, table, &context.fields)?)
        }
    })
}

fn ended(table: &Table, exit: Exit) -> mlua::Result<()> {
    table.raw_set("code", exit.code)?;
    table.raw_set("signal", exit.signal.map(signal_name))
}

fn spawn_function(vm: &Vm, context: &Rc<Context>) -> mlua::Result<Function> {
    const NAME: &str = "api.process.spawn";
    let context = context.clone();
    vm.async_function(move |lua, (program, options): (Value, Value)| {
        let context = context.clone();
        let arguments =
            Options::read(NAME, &options, &["cwd", "env", "max-bytes"]).and_then(|options| {
                let longest = options.size("max-bytes", OUTPUT, MAX_OUTPUT)?;
                Ok((request(NAME, &program, &options, &context, Input::Pipe)?, longest))
            });
        async move {
            let (request, longest) = arguments?;
            let started = match context.processes.take() {
                Ok(slot) => Spawned::start(&context.around.runtime, request, longest, slot).await,
                Err(refusal) => Err(refusal),
            };
            let vm = context.vm.upgrade().ok_or("the extension is gone")?;
            answer(&lua, started, |table, spawned| {
                table.raw_set("process", object(&vm, &context, Rc::new(spawned))?)
            })
        }
    })
}

/// The table through which a script talks to a program. Its functions take no `self`, but do not
/// mind one.
fn object(vm: &Vm, context: &Rc<Context>, spawned: Rc<Spawned>) -> mlua::Result<Table> {
    let table = vm.lua().create_table_with_capacity(0, 5)?;
    let process = spawned.clone();
    let read_line = vm.async_function(move |lua, ()| {
        let process = process.clone();
        async move {
            let line = process.read_line().await.map_err(|refusal| refusal.thrown(&lua))?;
            Ok(line.map(|line| lua.create_string(&line)).transpose()?)
        }
    })?;
    table.raw_set("read-line", read_line)?;
    let process = spawned.clone();
    let write = vm.async_function(move |lua, mut given: MultiValue| {
        let process = process.clone();
        async move {
            if given.len() > 1 && matches!(given.front(), Some(Value::Table(_))) {
                given.pop_front();
            }
            let text = bytes("process.write: the text", &given.pop_front().unwrap_or_default())?;
            answer(&lua, process.write(text).await, |_, ()| Ok(()))
        }
    })?;
    table.raw_set("write", write)?;
    let process = spawned.clone();
    let close = vm.async_function(move |lua, ()| {
        let process = process.clone();
        async move { answer(&lua, process.close_stdin().await, |_, ()| Ok(())) }
    })?;
    table.raw_set("close-stdin", close)?;
    let process = spawned.clone();
    let fields = context.clone();
    let wait = vm.async_function(move |lua, ()| {
        let (process, context) = (process.clone(), fields.clone());
        async move {
            answer(&lua, process.wait().await, |table, waited| {
                ended(table, waited.exit)?;
                table.raw_set("stderr", lua.create_string(&waited.stderr)?)?;
                table.raw_set("truncated?", waited.truncated)?;
                aliased(&lua, table.clone(), &context.fields).map(drop)
            })
        }
    })?;
    table.raw_set("wait", wait)?;
    let kill = vm.function(move |lua: &Lua, ()| {
        spawned.kill();
        Ok(done(lua)?)
    })?;
    table.raw_set("kill", kill)?;
    aliased(vm.lua(), table, &context.process_methods)
}
