//! Where `require` finds modules: the host's own tables, then what the resolver gives.
//!
//! The resolver decides which files belong to the extension; this file only refuses names that
//! could mean a path out of it.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Lua, Table, Value};

use super::fennel_module::{self, FENNEL_MODULE};
use super::host::{HostError, native};
use super::{Vm, WeakVm, clock};
use crate::language::{Language, NoSiblings, Siblings};

/// A module that a resolver found.
pub struct Module {
    /// How errors call its file, relative to the extension.
    pub file: String,
    /// Its text.
    pub text: Arc<str>,
    /// What it is written in.
    pub language: &'static dyn Language,
}

/// Finds the modules of one extension.
pub trait Resolver {
    /// The module of this name, `None` if there is none.
    ///
    /// The name is made of parts between dots or slashes, none of them empty, `.` or `..`.
    ///
    /// # Errors
    /// Words for a module that is there and cannot be used: unreadable, or outside of the
    /// extension's folder.
    fn resolve(&self, name: &str) -> Result<Option<Module>, String>;

    /// The files that code of the extension may read while it is compiled.
    fn siblings(&self) -> Rc<dyn Siblings> {
        Rc::new(NoSiblings)
    }
}

/// A resolver that finds nothing, for extensions of one file.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoModules;

impl Resolver for NoModules {
    fn resolve(&self, _: &str) -> Result<Option<Module>, String> {
        Ok(None)
    }
}

const LONGEST_NAME: usize = 200;

fn is_module_name(name: &str) -> bool {
    name.len() <= LONGEST_NAME
        && !name.contains(['\\', '\0', ':'])
        && name.split(['.', '/']).all(|part| !part.is_empty())
}

fn find(vm: &Vm, name: &str) -> Result<(Function, String), HostError> {
    if !is_module_name(name) {
        return Err(HostError::new(format!(
            "'{name}' is no module name: it is made of words between dots"
        )));
    }
    if name == FENNEL_MODULE {
        return Ok((fennel_module::opener(vm)?, FENNEL_MODULE.to_owned()));
    }
    let resolved = vm.inner.resolver.resolve(name);
    let Some(module) = resolved.map_err(HostError::Message)? else {
        return Err(HostError::new(format!(
            "module '{name}' not found: neither a file of this extension nor a module of the host"
        )));
    };
    match vm.load_module(module.language, &module.text, &module.file, Some(name)) {
        Ok(function) => Ok((function, module.file)),
        Err(error) => Err(HostError::Message(error.words())),
    }
}

/// Puts the functions for `require` into the table for the prelude.
pub(crate) fn install(
    lua: &Lua,
    natives: &Table,
    loaded: &Table,
    home: &Rc<OnceCell<WeakVm>>,
) -> mlua::Result<()> {
    natives.raw_set("loaded", loaded)?;
    let held = home.clone();
    natives.raw_set(
        "find_module",
        native(lua, move |_, name: String| {
            let vm = held.get().and_then(WeakVm::upgrade);
            find(&vm.ok_or("the extension was unloaded")?, &name)
        })?,
    )?;
    natives.raw_set(
        "run_id",
        lua.create_function(|_, ()| {
            let id = clock::current().map_or(0, |run| run.id);
            Ok(Value::Integer(i64::try_from(id).unwrap_or(i64::MAX)))
        })?,
    )?;
    let held = home.clone();
    natives.raw_set(
        "is_running",
        lua.create_function(move |_, id: u64| {
            let vm = held.get().and_then(WeakVm::upgrade);
            Ok(vm.is_some_and(|vm| vm.inner.running.borrow().contains(&id)))
        })?,
    )
}
