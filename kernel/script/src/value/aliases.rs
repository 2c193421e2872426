//! Underscore spellings of the contract's names: `is_error` for `is-error?`.
//!
//! They hold for the names they were made for and for nothing else; data of a script's own keeps
//! its keys as they are.

use std::collections::HashMap;
use std::rc::Rc;

use fen_contract::names::underscored;
use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, Table, Value};

use super::{Problem, ValueError};

/// Alias to canonical name, for one set of names.
#[derive(Debug, Clone, Default)]
pub struct Aliases(Rc<HashMap<String, String>>);

impl Aliases {
    /// The aliases of these names. A name that is itself in the set is never an alias of another.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        let aliases = names
            .iter()
            .filter_map(|name| Some((underscored(name)?, (*name).to_owned())))
            .filter(|(alias, _)| !names.contains(&alias.as_str()))
            .collect();
        Aliases(Rc::new(aliases))
    }

    /// The canonical name behind this alias.
    pub fn canonical(&self, alias: &str) -> Option<&str> {
        self.0.get(alias).map(String::as_str)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One metatable for each set and VM.
    fn metatable(&self, lua: &Lua) -> mlua::Result<Table> {
        struct Known(HashMap<*const HashMap<String, String>, (Aliases, Table)>);
        let key = Rc::as_ptr(&self.0);
        if let Some(known) = lua.app_data_ref::<Known>()
            && let Some((_, metatable)) = known.0.get(&key)
        {
            return Ok(metatable.clone());
        }
        let names = lua.create_table_with_capacity(0, self.0.len())?;
        for (alias, canonical) in self.0.iter() {
            names.raw_set(alias.as_str(), canonical.as_str())?;
        }
        let code = "local names, rawget, rawset = ...
            return {
              __index = function(t, k) local name = names[k]; if name then return rawget(t, name) end end,
              __newindex = function(t, k, v) rawset(t, names[k] or k, v) end,
              __metatable = false,
            }";
        let (rawget, rawset): (Function, Function) = {
            let globals = lua.globals();
            (globals.raw_get("rawget")?, globals.raw_get("rawset")?)
        };
        let made = lua.load(code).set_name("=(fen)").set_mode(ChunkMode::Text);
        let metatable: Table = made.call((names, rawget, rawset))?;
        if lua.app_data_ref::<Known>().is_none() {
            lua.set_app_data(Known(HashMap::new()));
        }
        if let Some(mut known) = lua.app_data_mut::<Known>() {
            // The set is kept as well, so that its address is never another's.
            known.0.insert(key, (self.clone(), metatable.clone()));
        }
        Ok(metatable)
    }
}

/// Gives a table with canonical keys its aliases, for reading and for writing. `pairs` shows the
/// canonical names.
///
/// # Errors
/// The VM's memory is used up.
pub fn aliased(lua: &Lua, table: Table, aliases: &Aliases) -> mlua::Result<Table> {
    if !aliases.is_empty() {
        table.set_metatable(Some(aliases.metatable(lua)?))?;
    }
    Ok(table)
}

/// Renames the aliases among the keys of a table that a script wrote. Its values are left as they
/// are.
///
/// # Errors
/// [`Problem::TwoSpellings`] where both spellings are there with different values.
pub fn normalise(table: &Table, aliases: &Aliases) -> Result<(), ValueError> {
    let mut found = Vec::new();
    table.for_each(|key: Value, value: Value| {
        if let Value::String(key) = &key
            && let Ok(alias) = key.to_str()
            && let Some(canonical) = aliases.canonical(&alias)
        {
            found.push((alias.to_owned(), canonical.to_owned(), value));
        }
        Ok(())
    })?;
    for (alias, canonical, value) in found {
        let there: Value = table.raw_get(canonical.as_str())?;
        if !there.is_nil() && there != value {
            return Err(ValueError::here(Problem::TwoSpellings(canonical, alias)));
        }
        table.raw_set(alias.as_str(), Value::Nil)?;
        table.raw_set(canonical.as_str(), value)?;
    }
    Ok(())
}
