//! The module `fennel`: a script compiles, runs and shows Fennel while it runs.
//!
//! It is made when a script first requires it. Code goes the way of the extension's own files: the
//! same bounds, the same modules, errors with their places. Files are those of the extension only.

use std::rc::Rc;
use std::time::Duration;

use mlua::{Function, Table, Value};

use super::Vm;
use super::host::HostError;
use crate::language::{
    Chunk, Diagnostic, Fennel, Language, Lua, SourceMap, compiled_lua, language_of,
};

/// The name under which it is required.
pub const FENNEL_MODULE: &str = "fennel";

/// The version of the language.
const VERSION: &str = "1.6.0";

/// How errors call a text that has no name.
const NAMELESS: &str = "(eval)";

const MODULE: &str = include_str!("fennel_module.lua");

/// How a text is compiled.
struct How {
    name: String,
    env: Option<Table>,
    /// The globals that it may name; `None` for any.
    globals: Option<Rc<[String]>>,
}

/// A function that gives the module.
pub(super) fn opener(vm: &Vm) -> Result<Function, HostError> {
    let native = vm.lua().create_table()?;
    native.raw_set("version", VERSION)?;
    native.raw_set(
        "view",
        vm.function(|lua, (value, options): (Value, Option<Table>)| {
            Ok(fennel::view::view(lua, &value, options.as_ref())?)
        })?,
    )?;
    let with_vm = |work: fn(&Vm, String, Option<Table>) -> Result<Value, HostError>| {
        let weak = vm.downgrade();
        vm.function(move |lua, (text, options): (String, Option<Table>)| {
            let vm = weak.upgrade().ok_or("the extension was unloaded")?;
            // Told rather than raised, since the error is to have no place but its own.
            Ok(match work(&vm, text, options) {
                Ok(value) => (value, Value::Nil),
                Err(problem) => (Value::Nil, problem.into_value(lua)),
            })
        })
    };
    native.raw_set("load", with_vm(load)?)?;
    native.raw_set("open", with_vm(open)?)?;
    native.raw_set("compile", with_vm(compile)?)?;
    let made = vm
        .load_source(&Lua, MODULE, FENNEL_MODULE)
        .and_then(|chunk| vm.call_sync::<Table>(&chunk, native, Duration::from_secs(1)));
    let module = made.map_err(|error| HostError::Message(error.words()))?;
    Ok(vm.lua().create_function(move |_, ()| Ok(module.clone()))?)
}

fn load(vm: &Vm, text: String, options: Option<Table>) -> Result<Value, HostError> {
    let how = how(vm, options, NAMELESS)?;
    let globals = how.globals.clone();
    loaded(vm, &how, translated(vm, &text, &how.name, globals)?)
}

fn open(vm: &Vm, file: String, options: Option<Table>) -> Result<Value, HostError> {
    let path = file.strip_prefix("./").unwrap_or(&file);
    let sibling = vm.inner.resolver.siblings().file(path);
    let sibling =
        sibling.ok_or_else(|| format!("dofile: there is no file `{file}` in this extension"))?;
    let how = how(vm, options, &sibling.name)?;
    if language_of(path).is_some_and(|language| language.suffix() == Lua.suffix()) {
        let chunk = Chunk { lua: (&*sibling.text).into(), map: SourceMap::Identity };
        return loaded(vm, &how, chunk);
    }
    let globals = how.globals.clone();
    loaded(vm, &how, translated(vm, &sibling.text, &how.name, globals)?)
}

/// The text of the Lua. Globals are free unless the options name some.
fn compile(vm: &Vm, text: String, options: Option<Table>) -> Result<Value, HostError> {
    let names = options.as_ref().map(|options| options.get::<Value>("allowedGlobals"));
    let is_free = !matches!(names.transpose()?, Some(Value::Table(_)));
    let how = how(vm, options, NAMELESS)?;
    let globals = how.globals.filter(|_| !is_free);
    let surroundings = vm.surroundings(None);
    let lua = compiled_lua(&text, &how.name, &surroundings, globals).map_err(words)?;
    Ok(Value::String(vm.lua().create_string(lua)?))
}

fn translated<'s>(
    vm: &Vm,
    text: &'s str,
    name: &str,
    globals: Option<Rc<[String]>>,
) -> Result<Chunk<'s>, HostError> {
    vm.check_size(text, name).map_err(|error| HostError::Message(error.words()))?;
    let surroundings = vm.surroundings(None);
    Fennel.compile_with(text, name, &surroundings, globals).map_err(words)
}

fn words(found: Vec<Diagnostic>) -> HostError {
    let all = found.iter().map(Diagnostic::rendered).collect::<Vec<_>>();
    HostError::Message(all.join("\n"))
}

fn loaded(vm: &Vm, how: &How, chunk: Chunk<'_>) -> Result<Value, HostError> {
    let function = vm.load(&chunk, &how.name).map_err(|error| HostError::Message(error.words()))?;
    if let Some(env) = &how.env {
        function.set_environment(env.clone())?;
    }
    Ok(Value::Function(function))
}

/// Reads the options, by Fennel's names for them. Without `allowedGlobals` the globals that are there
/// now may be used.
fn how(vm: &Vm, options: Option<Table>, nameless: &str) -> Result<How, HostError> {
    let mut how = How { name: nameless.to_owned(), env: None, globals: None };
    let mut allowed = Value::Nil;
    if let Some(options) = options {
        if let Some(name) = options.get::<Option<String>>("filename")? {
            how.name = name;
        }
        how.env = options.get("env")?;
        allowed = options.get("allowedGlobals")?;
    }
    how.globals = match allowed {
        Value::Boolean(false) => None,
        Value::Table(names) => Some(names.sequence_values().collect::<mlua::Result<_>>()?),
        _ => Some(names_in(&how.env.clone().unwrap_or_else(|| vm.lua().globals()))?),
    };
    Ok(how)
}

/// The names that a table has, and those of what it inherits from.
fn names_in(table: &Table) -> mlua::Result<Rc<[String]>> {
    /// How many tables are looked at.
    const MOST_PARENTS: usize = 10;
    let mut names = Vec::new();
    let mut next = Some(table.clone());
    for _ in 0..MOST_PARENTS {
        let Some(table) = next.take() else { break };
        table.for_each(|key: Value, _: Value| {
            if let Value::String(name) = key {
                names.push(name.to_string_lossy());
            }
            Ok(())
        })?;
        if let Some(metatable) = table.metatable()
            && let Value::Table(parent) = metatable.raw_get("__index")?
        {
            next = Some(parent);
        }
    }
    Ok(names.into())
}
