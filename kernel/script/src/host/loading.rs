//! Runs an extension's entry against its api, beside whatever is in force.
//!
//! It happens on the script thread. What the code registers is staged by the kernel; the host
//! decides whether it takes over.

use super::beside::Beside;
use super::instance::{Instance, Parts};
use super::link::{Link, words};
use super::program::{OwnFiles, Program};
use super::scripts::World;
use super::{Around, Granted};
use crate::language::language_of;
use crate::value::{ToJson, ToLua, to_json, to_lua};
use crate::vm::{CallError, Resolver, Vm, VmConfig};
use fen_contract::api::{Api, LogLevel};
use fen_contract::cancel::CancelToken;
use fen_contract::failure::Failure;
use fen_core::Kernel;
use mlua::{Function, Table, Value};
use serde_json::Value as Json;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// How long an extension may take to load, its waits included.
const PATIENCE: Duration = Duration::from_secs(10);

/// What extensions are written in, for messages.
pub(crate) const SPOKEN: &str = "Lua (.lua) or Fennel (.fnl)";

/// A key of `api.state`.
#[derive(Debug, Clone)]
pub(crate) enum Key {
    Name(String),
    Place(i64),
}

/// What `api.state` holds, as data.
pub(crate) type State = Vec<(Key, Json)>;

/// What a load is made with.
pub(crate) struct Load {
    pub program: Arc<Program>,
    pub kernel: Kernel,
    pub api: Arc<dyn Api>,
    pub link: Weak<Link>,
    pub around: Around,
    /// What the former generation kept in `api.state`.
    pub state: State,
    /// The folder whose files it may use too.
    pub beside: Option<PathBuf>,
}

/// What a load cost, and what is to be done once it is in force.
#[derive(Debug, Clone)]
pub(crate) struct Cost {
    pub time: Duration,
    /// Memory of the VM, in bytes.
    pub memory: usize,
    /// The session backend that is to be the active one.
    pub active_backend: Option<String>,
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
    let Load { program, kernel, api, link, around, state, beside } = load;
    let name = program.manifest.name.clone();
    let own = OwnFiles(program.clone());
    let resolver: Box<dyn Resolver> = match beside {
        Some(folder) => Box::new(Beside { own, folder }),
        None => Box::new(own),
    };
    let vm = Vm::new(VmConfig {
        print,
        resolver,
        number: link.upgrade().map_or(0, |link| link.id.0),
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
    let active_backend = instance.active_backend.take();
    if let Some(link) = link.upgrade() {
        world.enter(link.id, instance.clone());
    }
    instance.entry_has_run().await;
    Ok(Cost { time: began.elapsed(), memory: vm.used_memory(), active_backend })
}

async fn run_entry(instance: &Rc<Instance>, api: Table) -> Result<(), Failure> {
    let (vm, program) = (&instance.vm, &instance.program);
    let entry = program.entry.as_str();
    let shown = program.shown(entry);
    let text = program.entry_text()?;
    let language = language_of(entry)
        .ok_or_else(|| Failure::new(format!("{shown}: extensions are written in {SPOKEN}")))?;
    let limits = vm.budgets().for_load();
    let chunk = vm.load_source(language, text, &shown).map_err(|error| failed(&error))?;
    let value: Value = vm
        .call_async(&chunk, (), limits, CancelToken::new())
        .await
        .map_err(|error| failed(&vm.placed(error, &chunk)))?;
    let register = entry_function(&value).ok_or_else(|| {
        Failure::new(format!(
            "{shown} gives {}; an extension gives a function of `api`, or a table with the function \
             `register`",
            value.type_name()
        ))
    })?;
    vm.call_async::<(), _>(&register, api, limits, CancelToken::new())
        .await
        .map_err(|error| failed(&vm.placed(error, &register)))
}

fn entry_function(value: &Value) -> Option<Function> {
    match value {
        Value::Function(function) => Some(function.clone()),
        Value::Table(table) => table.raw_get::<Option<Function>>("register").ok().flatten(),
        _ => None,
    }
}

fn state_table(vm: &Vm, state: &State) -> Result<Table, Failure> {
    let fill = || -> Result<Table, String> {
        let table = vm.lua().create_table().map_err(|error| error.to_string())?;
        for (key, json) in state {
            let value = to_lua(vm.lua(), json, ToLua::default())?;
            let set = match key {
                Key::Name(name) => table.raw_set(name.as_str(), value),
                Key::Place(place) => table.raw_set(*place, value),
            };
            set.map_err(|error| error.to_string())?;
        }
        Ok(table)
    };
    fill().map_err(|error| Failure::new(format!("`api.state` cannot be restored: {error}")))
}

/// What an instance keeps in `api.state`, member by member: one that is no data is left out, and
/// named.
pub(crate) fn kept_state(instance: &Instance) -> (State, Vec<String>) {
    let mut kept = Vec::new();
    let mut lost = Vec::new();
    let visited = instance.state.for_each(|key: Value, value: Value| {
        let (key, shown) = match &key {
            Value::String(name) => {
                let name = name.to_string_lossy();
                (Key::Name(name.clone()), format!("api.state.{name}"))
            }
            Value::Integer(place) => (Key::Place(*place), format!("api.state[{place}]")),
            other => {
                lost.push(format!("api.state: a member whose key is a {}", other.type_name()));
                return Ok(());
            }
        };
        match to_json(&value, &ToJson::default()) {
            Ok(json) => kept.push((key, json)),
            Err(error) => lost.push(format!("{shown}: {error}")),
        }
        Ok(())
    });
    if let Err(error) = visited {
        lost.push(format!("api.state: {error}"));
    }
    (kept, lost)
}
