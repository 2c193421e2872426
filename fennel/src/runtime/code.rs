//! Compiling and finding code.

use std::rc::Rc;

use mlua::{Function, Lua, LuaString, Table, Value};

use super::{RuntimeHost, native, words};
use crate::compile::compile;
use crate::diagnostic::Diagnostic;
use crate::options::{ModuleText, Options, Output, Wanted};

pub(super) fn install(lua: &Lua, natives: &Table, host: &Rc<dyn RuntimeHost>) -> mlua::Result<()> {
    let asked = host.clone();
    let text = move |_: &Lua, (source, given): (LuaString, Given)| {
        Ok(compiled(&asked.options(), &source, &given)?.lua)
    };
    natives.raw_set("compile", native(lua, text)?)?;

    let asked = host.clone();
    let function = move |lua: &Lua, (source, given): (LuaString, Given)| {
        let output = compiled(&asked.options(), &source, &given)?;
        asked.load(lua, &output.lua, Some(&output.map), given.name(), given.environment.clone())
    };
    natives.raw_set("load_fennel", native(lua, function)?)?;

    let asked = host.clone();
    let plain = move |lua: &Lua, (source, given): (LuaString, Given)| {
        let text = source.to_str().map_err(words)?;
        asked.load(lua, &text, None, given.name(), given.environment.clone())
    };
    natives.raw_set("load_lua", native(lua, plain)?)?;

    let asked = host.clone();
    let find = move |_: &Lua, name: LuaString| {
        let found = asked.options().modules.find(&name.to_string_lossy(), Wanted::Code)?;
        Ok(found.map(|module| module.file))
    };
    natives.raw_set("find", native(lua, find)?)?;

    let asked = host.clone();
    let module = move |lua: &Lua, (name, given): (LuaString, Given)| {
        let name = name.to_string_lossy();
        let Some(module) = asked.options().modules.find(&name, Wanted::Code)? else {
            return Ok((None, None));
        };
        let function = loaded(lua, &*asked, &module, Some(name), &given)?;
        Ok((Some(function), Some(module.file)))
    };
    natives.raw_set("load_module", native(lua, module)?)?;

    let asked = host.clone();
    let file = move |lua: &Lua, (path, given): (LuaString, Given)| {
        let path = path.to_string_lossy();
        let Some(module) = asked.file(&path)? else {
            return Err(format!("cannot open {path}: there is no such file"));
        };
        loaded(lua, &*asked, &module, None, &given)
    };
    natives.raw_set("load_file", native(lua, file)?)
}

/// What a program says of code that it hands over.
struct Given {
    name: Option<String>,
    environment: Option<Table>,
    /// The globals that the code may use: `Some(None)` for any.
    globals: Option<Option<Rc<[String]>>>,
    metadata: bool,
}

impl Given {
    fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("(eval)")
    }
}

impl mlua::FromLua for Given {
    /// Reads the fields `filename`, `env`, `allowedGlobals` and `useMetadata`.
    fn from_lua(value: Value, _: &Lua) -> mlua::Result<Self> {
        let none = Given { name: None, environment: None, globals: None, metadata: false };
        let Value::Table(options) = value else { return Ok(none) };
        let name = match options.get::<Value>("filename")? {
            Value::String(name) => Some(name.to_string_lossy()),
            _ => None,
        };
        let environment = match options.get::<Value>("env")? {
            Value::Table(table) => Some(table),
            _ => None,
        };
        let globals = match options.get::<Value>("allowedGlobals")? {
            Value::Boolean(false) => Some(None),
            Value::Table(names) => {
                let names = names.sequence_values::<LuaString>();
                let names = names.map(|name| Ok(name?.to_string_lossy()));
                Some(Some(names.collect::<mlua::Result<Vec<_>>>()?.into()))
            }
            // The names of an environment of its own.
            _ => match &environment {
                Some(table) if table.metatable().is_none() => Some(Some(names_of(table)?)),
                Some(_) => Some(None),
                None => None,
            },
        };
        let metadata = matches!(options.get::<Value>("useMetadata")?, Value::Boolean(true));
        Ok(Given { name, environment, globals, metadata })
    }
}

fn names_of(table: &Table) -> mlua::Result<Rc<[String]>> {
    let mut names = Vec::new();
    table.for_each(|name: Value, _: Value| {
        if let Value::String(name) = name {
            names.push(name.to_string_lossy());
        }
        Ok(())
    })?;
    Ok(names.into())
}

fn compiled(options: &Options, source: &LuaString, given: &Given) -> Result<Output, String> {
    let bytes = source.as_bytes();
    let text = crate::reader::decode(given.name(), &bytes).map_err(|found| found.rendered())?;
    compiled_text(options, text, given.name(), given)
}

fn compiled_text(
    options: &Options,
    text: &str,
    name: &str,
    given: &Given,
) -> Result<Output, String> {
    let mut options = options.clone();
    if let Some(globals) = &given.globals {
        options.globals.clone_from(globals);
    }
    options.metadata = given.metadata;
    compile(name, text, &options).map_err(|found| told(&found))
}

fn told(found: &[Diagnostic]) -> String {
    found.iter().map(Diagnostic::rendered).collect::<Vec<_>>().join("\n")
}

/// The function of a file, in Lua or Fennel.
fn loaded(
    lua: &Lua,
    host: &dyn RuntimeHost,
    module: &ModuleText,
    name: Option<String>,
    given: &Given,
) -> Result<Function, String> {
    let environment = given.environment.clone();
    if module.file.ends_with(".lua") {
        return host.load(lua, &module.text, None, &module.file, environment);
    }
    let mut options = host.options();
    options.module_name = name;
    let output = compiled_text(&options, &module.text, &module.file, given)?;
    host.load(lua, &output.lua, Some(&output.map), &module.file, environment)
}
