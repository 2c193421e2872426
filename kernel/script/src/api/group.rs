//! A table of host functions under the contract's spellings, with their underscore aliases.

use crate::host::Instance;
use crate::value::{Aliases, aliased};
use crate::vm::HostError;
use mlua::{FromLuaMulti, IntoLua, IntoLuaMulti, Table};
use std::rc::Rc;

/// A group that is being filled.
pub(crate) struct Group<'i> {
    instance: &'i Rc<Instance>,
    table: Table,
    names: Vec<&'static str>,
}

impl<'i> Group<'i> {
    pub fn new(instance: &'i Rc<Instance>) -> mlua::Result<Self> {
        let table = instance.lua().create_table()?;
        Ok(Group { instance, table, names: Vec::new() })
    }

    /// A function that answers at once.
    pub fn now<A, R>(
        mut self,
        name: &'static str,
        work: impl Fn(&Rc<Instance>, A) -> Result<R, HostError> + 'static,
    ) -> mlua::Result<Self>
    where
        A: FromLuaMulti,
        R: IntoLuaMulti,
    {
        self.table.raw_set(name, self.instance.function(work)?)?;
        self.names.push(name);
        Ok(self)
    }

    /// A function that may wait.
    pub fn waits<A, R, Fut>(
        mut self,
        name: &'static str,
        work: impl Fn(Rc<Instance>, A) -> Fut + 'static,
    ) -> mlua::Result<Self>
    where
        A: FromLuaMulti + 'static,
        R: IntoLuaMulti + 'static,
        Fut: Future<Output = Result<R, HostError>> + 'static,
    {
        self.table.raw_set(name, self.instance.async_function(work)?)?;
        self.names.push(name);
        Ok(self)
    }

    /// A value.
    pub fn value(mut self, name: &'static str, value: impl IntoLua) -> mlua::Result<Self> {
        self.table.raw_set(name, value)?;
        self.names.push(name);
        Ok(self)
    }

    pub fn finish(self) -> mlua::Result<Table> {
        aliased(self.instance.lua(), self.table, &Aliases::new(self.names))
    }
}
