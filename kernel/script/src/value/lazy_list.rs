//! Long lists that are converted element by element, when a script looks at them.

use std::rc::Rc;

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, MetaMethod, UserData, UserDataFields, UserDataMethods, Value};

/// Where the elements come from. Elements are counted from 1, as in Lua.
pub trait ListSource {
    /// How many there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at this place, which is within the list.
    ///
    /// # Errors
    /// The VM's memory is used up, or the element cannot be converted.
    fn get(&self, lua: &Lua, index: usize) -> mlua::Result<Value>;
}

/// A list in the hands of a script: `#list`, `list[i]`, `ipairs(list)`, `pairs(list)`.
pub(super) struct LazyList {
    lua: mlua::WeakLua,
    source: Rc<dyn ListSource>,
}

impl LazyList {
    pub(super) fn len(&self) -> usize {
        self.source.len()
    }

    pub(super) fn element(&self, index: usize) -> mlua::Result<Value> {
        match self.lua.try_upgrade() {
            Some(lua) if (1..=self.len()).contains(&index) => self.source.get(&lua, index),
            _ => Ok(Value::Nil),
        }
    }

    fn at(&self, key: &Value) -> mlua::Result<Value> {
        let index = match key {
            Value::Integer(index) => usize::try_from(*index).ok(),
            _ => None,
        };
        index.map_or(Ok(Value::Nil), |index| self.element(index))
    }
}

/// In Lua, so that its error is a plain string with the caller's line.
const READ_ONLY: &str = "local error = error
    return function() error('this list is read-only', 2) end";

impl UserData for LazyList {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field_with(MetaMethod::NewIndex.name(), |lua| {
            let made = lua.load(READ_ONLY).set_name("=(fen)").set_mode(ChunkMode::Text);
            made.eval::<Function>()
        });
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::Len, |_, list, ()| Ok(list.len()));
        methods.add_meta_method(MetaMethod::Index, |_, list, key: Value| list.at(&key));
        methods.add_meta_method(MetaMethod::Pairs, |lua, list, ()| {
            let (source, mut index) = (list.source.clone(), 0);
            let next = lua.create_function_mut(move |lua, ()| {
                index += 1;
                if index > source.len() {
                    return Ok((Value::Nil, Value::Nil));
                }
                let place = i64::try_from(index).unwrap_or(i64::MAX);
                Ok((Value::Integer(place), source.get(lua, index)?))
            })?;
            Ok((next, Value::Nil, Value::Nil))
        });
    }
}

/// A list over a source of the host's.
///
/// # Errors
/// The VM's memory is used up.
pub fn lazy_list(lua: &Lua, source: Rc<dyn ListSource>) -> mlua::Result<Value> {
    let list = LazyList { lua: lua.weak(), source };
    Ok(Value::UserData(lua.create_userdata(list)?))
}
