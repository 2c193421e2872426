//! Runs code once, as a program of the person's own: with an `api`, without a budget of running
//! time, and with what it gives handed back.
//!
//! The code speaks as a scratch extension that is in force while it runs; what it registers goes
//! with it. Memory stays bounded, and whoever waits may stop waiting at any time, which ends it.

use super::Host;
use super::instance::Instance;
use super::link::{CancelOnDrop, Link};
use super::loading::{Load, SPOKEN, failed, furnished};
use super::program::Program;
use crate::language::language_of;
use crate::value::{ToJson, to_json};
use crate::vm::CallLimits;
use fen_contract::cancel::CancelToken;
use fen_contract::failure::Failure;
use fen_contract::names::Owner;
use fen_core::Kernel;
use mlua::{Function, MultiValue, Table, Value};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// Code that runs once.
pub struct Once {
    /// The code; its entry is run as it stands, with `api` and `arg` as globals.
    pub program: Program,
    /// The folder whose files it may require and take macros from, if there is one.
    pub beside: Option<PathBuf>,
    /// What it gets as `...`, and as `arg` from 1 on.
    pub arguments: Vec<String>,
    /// Where the lines of `print` go.
    pub print: Arc<dyn Fn(&str) + Send + Sync>,
}

impl Host {
    /// Runs code once and gives the values that it returns, in words: text as it is, tables as
    /// JSON. Code that is an expression gives its values.
    ///
    /// # Errors
    /// The code is no program, or raises an error; the words begin with file and line.
    pub async fn run_once(&self, once: Once) -> Result<Vec<String>, Failure> {
        let arguments = once.arguments.clone();
        let (_in_force, link) = self.furnished(once).await?;
        let (id, token) = (link.id, CancelToken::new());
        let _guard = CancelOnDrop(token.clone());
        let outcome = link.scripts.run(move |world| async move {
            let instance = world.instance(id);
            let instance = instance.ok_or_else(|| Failure::new("the code was unloaded"))?;
            run(&instance, arguments, token).await
        });
        outcome.await?
    }

    /// The VM for code of a person's own, where nothing has run.
    pub(super) async fn furnished(&self, once: Once) -> Result<(InForce, Arc<Link>), Failure> {
        let Once { program, beside, arguments, print } = once;
        let program = Arc::new(program);
        let staging = self.0.kernel.stage(program.manifest.clone(), program.source)?;
        let api = staging.api();
        // It has nothing yet; from here on what it registers is in force at once.
        staging.commit()?;
        let in_force = InForce {
            kernel: self.0.kernel.clone(),
            owner: Owner::from(program.manifest.name.as_str()),
        };
        let scripts = self.scripts()?;
        let link = self.link(&program, &scripts);
        let load = Load {
            program,
            kernel: self.0.kernel.clone(),
            api,
            link: Arc::downgrade(&link),
            around: self.0.around.clone(),
            state: Vec::new(),
            beside,
        };
        let id = link.id;
        let outcome = scripts.run(move |world| async move {
            let (instance, api) = furnished(load, Box::new(move |line| print(line)))?;
            world.enter(id, instance.clone());
            furnish(&instance, api, &arguments)
        });
        outcome.await??;
        Ok((in_force, link))
    }
}

/// The scratch extension, which goes when nobody waits for the code any more.
pub(super) struct InForce {
    kernel: Kernel,
    owner: Owner,
}

impl Drop for InForce {
    fn drop(&mut self) {
        self.kernel.unload(&self.owner);
    }
}

/// No bound but memory and the person's patience.
pub(super) fn unlimited(instance: &Instance) -> CallLimits {
    CallLimits { running: Duration::MAX, grace: instance.vm.budgets().grace }
}

/// The globals `arg` and `api`.
fn furnish(instance: &Instance, api: Table, arguments: &[String]) -> Result<(), Failure> {
    let internal = |error: mlua::Error| Failure::new(error.to_string());
    let (vm, program) = (&instance.vm, &instance.program);
    let arg = vm.lua().create_table().map_err(internal)?;
    arg.raw_set(0, program.entry.as_str()).map_err(internal)?;
    for (index, argument) in arguments.iter().enumerate() {
        arg.raw_set(index + 1, argument.as_str()).map_err(internal)?;
    }
    vm.set_global("arg", arg).map_err(internal)?;
    vm.set_global("api", api).map_err(internal)
}

async fn run(
    instance: &Rc<Instance>,
    arguments: Vec<String>,
    token: CancelToken,
) -> Result<Vec<String>, Failure> {
    let internal = |error: mlua::Error| Failure::new(error.to_string());
    let vm = &instance.vm;
    let chunk = chunk(instance)?;
    let mut values = MultiValue::new();
    for argument in &arguments {
        let text = vm.lua().create_string(argument).map_err(internal)?;
        values.push_back(Value::String(text));
    }
    let given: MultiValue = vm
        .call_async(&chunk, values, unlimited(instance), token)
        .await
        .map_err(|error| failed(&error))?;
    Ok(given.iter().map(shown).collect())
}

/// The entry, as an expression if it is one.
fn chunk(instance: &Instance) -> Result<Function, Failure> {
    let (vm, program) = (&instance.vm, &instance.program);
    let entry = program.entry.as_str();
    let text = program.entry_text()?;
    let language = language_of(entry)
        .ok_or_else(|| Failure::caller(format!("{entry}: only {SPOKEN} can be run")))?;
    let expression = language.returning(text);
    let expression = expression.map(|program| vm.load_source(language, &program, entry));
    if let Some(Ok(expression)) = expression {
        return Ok(expression);
    }
    vm.load_source(language, text, entry).map_err(|error| failed(&error))
}

/// A value as a person reads it.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string_lossy(),
        Value::Table(_) => match to_json(value, &ToJson::default()) {
            Ok(json) => format!("{json:#}"),
            Err(_) => plain(value),
        },
        other => plain(other),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::Nil => "nil".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Boolean(_) | Value::Number(_) => {
            value.to_string().unwrap_or_else(|_| value.type_name().to_owned())
        }
        other => format!("({})", other.type_name()),
    }
}
