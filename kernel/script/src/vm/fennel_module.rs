//! The module `fennel`: a script compiles, runs and shows Fennel while it runs.
//!
//! It is made when a script first requires it. Code goes the way of the extension's own files: the
//! same bounds, the same modules, errors with their places. Files are those of the extension only.

use std::rc::Rc;

use fennel::runtime::RuntimeHost;
use fennel::{LineMap, ModuleText, Options};
use mlua::{Function, Lua, Table, Value};

use super::host::HostError;
use super::{Vm, WeakVm};
use crate::language::{Chunk, SourceMap, chunk_of, compiler_options};

/// The name under which it is required.
pub const FENNEL_MODULE: &str = "fennel";

/// A function that gives the module.
pub(super) fn opener(vm: &Vm) -> Result<Function, HostError> {
    let module = fennel::runtime::module(vm.lua(), Rc::new(Around(vm.downgrade())))?;
    Ok(vm.lua().create_function(move |_, ()| Ok(module.clone()))?)
}

/// What the module finds around it.
struct Around(WeakVm);

impl Around {
    fn vm(&self) -> Result<Vm, String> {
        self.0.upgrade().ok_or_else(|| "the extension was unloaded".to_owned())
    }
}

impl RuntimeHost for Around {
    /// Code that is handed over may name the globals that are there by now.
    fn options(&self) -> Options {
        let Ok(vm) = self.vm() else { return Options::default() };
        let mut options = compiler_options(&vm.surroundings(None));
        if let Ok(names) = names_of(&vm.lua().globals()) {
            options.globals = Some(names);
        }
        options
    }

    fn file(&self, path: &str) -> Result<Option<ModuleText>, String> {
        let siblings = self.vm()?.inner.resolver.siblings();
        let path = path.strip_prefix("./").unwrap_or(path);
        let mut found = siblings.file(path)?;
        // A path that a search gave begins with the extension's name.
        if let (None, Some((_, below))) = (&found, path.split_once('/')) {
            found = siblings.file(below)?.filter(|sibling| sibling.name == path);
        }
        Ok(found.map(|sibling| ModuleText { file: sibling.name, text: sibling.text }))
    }

    fn load(
        &self,
        _: &Lua,
        text: &str,
        map: Option<&LineMap>,
        name: &str,
        environment: Option<Table>,
    ) -> Result<Function, String> {
        let vm = self.vm()?;
        let chunk = match map {
            Some(map) => chunk_of(text.to_owned(), map.clone()),
            None => Chunk { lua: text.into(), map: SourceMap::Identity },
        };
        let function = vm.load(&chunk, name).map_err(|error| error.words())?;
        if let Some(environment) = environment {
            function.set_environment(environment).map_err(|error| error.to_string())?;
        }
        Ok(function)
    }
}

fn names_of(globals: &Table) -> mlua::Result<Rc<[String]>> {
    let mut names = Vec::new();
    globals.for_each(|name: Value, _: Value| {
        if let Value::String(name) = name {
            names.push(name.to_string_lossy());
        }
        Ok(())
    })?;
    Ok(names.into())
}
