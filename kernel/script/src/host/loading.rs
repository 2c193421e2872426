//! Runs an extension's entry against its api, beside whatever is in force.
//!
//! It happens on the script thread. What the code registers is staged by the kernel; the host
//! decides whether it takes over.

use super::instance::{Instance, Parts};
use super::link::{Link, words};
use super::program::{OwnFiles, Program, language_of};
use super::scripts::World;
use super::{Around, Granted};
use crate::value::{ToJson, ToLua, to_json, to_lua};
use crate::vm::{CallError, Vm, VmConfig};
use fen_contract::api::{Api, LogLevel};
use fen_contract::cancel::CancelToken;
use fen_contract::failure::Failure;
use fen_core::Kernel;
use mlua::{Function, Table, Value};
use serde_json::{Map, Value as Json};
use std::rc::Rc;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// How long an extension may take to load, its waits included.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a load is made with.
pub(crate) struct Load {
    pub program: Arc<Program>,
    pub kernel: Kernel,
    pub api: Arc<dyn Api>,
    pub link: Weak<Link>,
    pub around: Around,
    /// What the former generation kept in `api.state`.
    pub state: Json,
}

/// What a load cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    pub time: Duration,
    /// Memory of the VM, in bytes.
    pub memory: usize,
}

/// A failure of the code, with the calls that led to it.
pub(super) fn failed(error: &CallError) -> Failure {
    let mut text = words(error);
    // The innermost frame is the place that the words begin with; those of the host tell nothing.
    let frames = error.traceback.iter().filter(|frame| !frame.starts_with("[C]"));
    for frame in frames.skip(1).take(8) {
        text.push_str("\n  ");
        text.push_str(frame);
    }
    Failure::new(text)
}

/// Makes the VM with its api, and runs nothing yet.
pub(super) fn furnished(
    load: Load,
    print: Box<dyn Fn(&str)>,
) -> Result<(Rc<Instance>, Table), Failure> {
    let Load { program, kernel, api, link, around, state } = load;
    let name = program.manifest.name.clone();
    let vm = Vm::new(VmConfig {
        print,
        resolver: Box::new(OwnFiles(program.clone())),
        ..VmConfig::new(&name)
    })
    .map_err(|error| failed(&error))?;
    let state = state_table(&vm, &state)?;
    let granted: Granted = program.granted.clone();
    let instance = Instance::new(Parts { vm, kernel, api, link, state, granted, around, program });
    let table = crate::api::table(&instance).map_err(|error| Failure::new(error.to_string()))?;
    Ok((instance, table))
}

/// Makes the VM and runs the entry.
pub(crate) async fn load(world: Rc<World>, load: Load) -> Result<Cost, Failure> {
    let began = Instant::now();
    let (program, link, printing) = (load.program.clone(), load.link.clone(), load.api.clone());
    let print = Box::new(move |line: &str| printing.log(LogLevel::Info, line));
    let (instance, table) = furnished(load, print)?;
    let vm = instance.vm.clone();
    let outcome = tokio::time::timeout(PATIENCE, run_entry(&instance, table)).await;
    match outcome {
        Ok(Ok(())) => {}
        Ok(Err(failure)) => {
            instance.retire();
            return Err(failure);
        }
        Err(_) => {
            instance.retire();
            return Err(Failure::new(format!(
                "{} did not finish loading within {PATIENCE:?}",
                program.shown(&program.entry)
            )));
        }
    }
    if let Some(link) = link.upgrade() {
        world.enter(link.id, instance);
    }
    Ok(Cost { time: began.elapsed(), memory: vm.used_memory() })
}

async fn run_entry(instance: &Rc<Instance>, api: Table) -> Result<(), Failure> {
    let (vm, program) = (&instance.vm, &instance.program);
    let entry = program.entry.as_str();
    let shown = program.shown(entry);
    let text = program
        .files
        .get(entry)
        .ok_or_else(|| Failure::new(format!("the entry `{entry}` is not among its files")))?;
    let language = language_of(entry)
        .ok_or_else(|| Failure::new(format!("{shown}: extensions are written in Lua (.lua)")))?;
    let limits = vm.budgets().for_load();
    let chunk = vm.load_source(&*language, text, &shown).map_err(|error| failed(&error))?;
    let value: Value = vm
        .call_async(&chunk, (), limits, CancelToken::new())
        .await
        .map_err(|error| failed(&error))?;
    let register = entry_function(&value).ok_or_else(|| {
        Failure::new(format!(
            "{shown} gives {}; an extension gives a function of `api`, or a table with the function \
             `register`",
            value.type_name()
        ))
    })?;
    vm.call_async::<(), _>(&register, api, limits, CancelToken::new())
        .await
        .map_err(|error| failed(&error))
}

fn entry_function(value: &Value) -> Option<Function> {
    match value {
        Value::Function(function) => Some(function.clone()),
        Value::Table(table) => table.raw_get::<Option<Function>>("register").ok().flatten(),
        _ => None,
    }
}

fn state_table(vm: &Vm, state: &Json) -> Result<Table, Failure> {
    let made = match state {
        Json::Object(_) => to_lua(vm.lua(), state, ToLua::default()),
        _ => vm.lua().create_table().map(Value::Table).map_err(Into::into),
    };
    match made {
        Ok(Value::Table(table)) => Ok(table),
        Ok(_) => Err(Failure::new("`api.state` is no table")),
        Err(error) => Err(Failure::new(format!("`api.state` cannot be restored: {error}"))),
    }
}

/// What an instance keeps in `api.state`, member by member: one that is no data is left out, and
/// named.
pub(crate) fn kept_state(instance: &Instance) -> (Json, Vec<String>) {
    let mut kept = Map::new();
    let mut lost = Vec::new();
    let visited = instance.state.for_each(|key: Value, value: Value| {
        let Value::String(name) = &key else {
            lost.push(format!("api.state: a {} as a key", key.type_name()));
            return Ok(());
        };
        let name = name.to_string_lossy();
        match to_json(&value, &ToJson::default()) {
            Ok(json) => {
                kept.insert(name, json);
            }
            Err(error) => lost.push(format!("api.state.{name}: {error}")),
        }
        Ok(())
    });
    if let Err(error) = visited {
        lost.push(format!("api.state: {error}"));
    }
    (Json::Object(kept), lost)
}
