//! `load(name)`: the value of another file of the extension.

use crate::host::Instance;
use crate::language::{language_of, languages};
use crate::value::{ToLua, to_lua};
use crate::vm::HostError;
use mlua::{Function, Value};
use serde_json::Value as Json;
use std::rc::Rc;
use std::time::Duration;

/// Runs what was found in the caller's own coroutine, so that it may wait.
const LOAD: &str = "local find = ...
return function(name)
  local chunk, value, problem = find(name)
  if problem then error(problem, 2) end
  if chunk then return chunk() end
  return value
end";

/// `load(name)`: the value of a sibling file: what a file of Lua or Fennel gives, what a JSON file says.
pub(super) fn load(instance: &Rc<Instance>) -> mlua::Result<Function> {
    let find = instance.function(|instance, name: String| {
        // Told rather than raised, since only the caller's caller is the script.
        Ok(match find(instance, &name) {
            Ok((chunk, value)) => (chunk, value, None),
            Err(problem) => (None, Value::Nil, Some(problem.to_string())),
        })
    })?;
    let made = instance
        .vm
        .load_source(&crate::language::Lua, LOAD, "fen")
        .and_then(|chunk| instance.vm.call_sync(&chunk, find, Duration::from_secs(1)));
    made.map_err(|error| mlua::Error::runtime(error.to_string()))
}

fn find(instance: &Rc<Instance>, name: &str) -> Result<(Option<Function>, Value), HostError> {
    let program = &instance.program;
    let bare = name.trim_start_matches("./");
    let suffixes = languages().map(|language| language.suffix()).into_iter().chain(["json"]);
    let with_suffix = suffixes.map(|suffix| format!("{bare}.{suffix}"));
    let found = std::iter::once(bare.to_owned())
        .chain(with_suffix)
        .find_map(|file| program.files.get_key_value(&file));
    let Some((file, text)) = found else {
        let names: Vec<&str> = program.files.keys().take(20).map(String::as_str).collect();
        return Err(HostError::new(format!(
            "load: there is no file `{name}` in this extension; there are {}",
            names.join(", ")
        )));
    };
    let shown = program.shown(file);
    if file.ends_with(".json") {
        let json: Json = serde_json::from_str(text)
            .map_err(|error| HostError::new(format!("load: {shown}: {error}")))?;
        let value = to_lua(instance.lua(), &json, ToLua::default())
            .map_err(|error| HostError::new(format!("load: {shown}: {error}")))?;
        return Ok((None, value));
    }
    let language = language_of(file)
        .ok_or_else(|| HostError::new(format!("load: {shown} is neither Lua, Fennel nor JSON")))?;
    let chunk = instance
        .vm
        .load_source(language, text, &shown)
        .map_err(|error| HostError::new(crate::host::words(&error)))?;
    Ok((Some(chunk), Value::Nil))
}
