//! Handles: records whose fields are looked up when a script looks at them.

use std::rc::Rc;

use mlua::{Lua, MetaMethod, UserData, UserDataMethods, Value};
use serde_json::Value as Json;

use super::Aliases;

/// What stands behind a handle.
pub trait RecordSource {
    /// The names of its fields.
    fn names(&self) -> &'static [&'static str];

    /// The present value of one of these fields; nil where it is absent.
    ///
    /// # Errors
    /// The VM's memory is used up, or the value cannot be converted.
    fn get(&self, lua: &Lua, name: &str) -> mlua::Result<Value>;

    /// What JSON shows of it.
    fn json(&self) -> Json;
}

/// A handle in the hands of a script: `handle.name`, also by its alias, and `pairs(handle)`.
pub(super) struct LazyRecord {
    source: Rc<dyn RecordSource>,
    aliases: Aliases,
}

impl LazyRecord {
    pub(super) fn json(&self) -> Json {
        self.source.json()
    }

    fn field(&self, lua: &Lua, key: &Value) -> mlua::Result<Value> {
        let Value::String(key) = key else { return Ok(Value::Nil) };
        let key = key.to_string_lossy();
        let name = self.aliases.canonical(&key).unwrap_or(&key);
        match self.source.names().contains(&name) {
            true => self.source.get(lua, name),
            false => Ok(Value::Nil),
        }
    }
}

impl UserData for LazyRecord {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods
            .add_meta_method(MetaMethod::Index, |lua, record, key: Value| record.field(lua, &key));
        methods.add_meta_method(MetaMethod::NewIndex, |_, _, _: (Value, Value)| {
            Err::<(), _>(mlua::Error::runtime("this handle is read-only"))
        });
        methods.add_meta_method(MetaMethod::Pairs, |lua, record, ()| {
            let source = record.source.clone();
            let mut names = source.names().iter();
            let next = lua.create_function_mut(move |lua, ()| {
                for name in names.by_ref() {
                    let value = source.get(lua, name)?;
                    if !value.is_nil() {
                        return Ok((Value::String(lua.create_string(name)?), value));
                    }
                }
                Ok((Value::Nil, Value::Nil))
            })?;
            Ok((next, Value::Nil, Value::Nil))
        });
    }
}

/// A handle on a source of the host's.
///
/// # Errors
/// The VM's memory is used up.
pub fn lazy_record(
    lua: &Lua,
    source: Rc<dyn RecordSource>,
    aliases: &Aliases,
) -> mlua::Result<Value> {
    let record = LazyRecord { source, aliases: aliases.clone() };
    Ok(Value::UserData(lua.create_userdata(record)?))
}
