//! Runs a program of the corpus.

use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;

use fennel::{ModuleText, Modules, Options, Wanted, compile};
use mlua::{Lua, MultiValue, Table, Value};

use crate::format::{Ends, Program};

/// The files of a program.
struct Files(Vec<(String, String)>);

impl Modules for Files {
    fn find(&self, name: &str, wanted: Wanted) -> Result<Option<ModuleText>, String> {
        let path = name.replace('.', "/");
        Ok(wanted.endings().iter().find_map(|suffix| {
            let file = format!("{path}{suffix}");
            let (_, text) = self.0.iter().find(|(name, _)| *name == file)?;
            Some(ModuleText { file, text: Arc::from(text.as_str()) })
        }))
    }
}

const GLOBALS: &str = "_G _VERSION assert collectgarbage coroutine dofile error getmetatable ipairs \
    load loadfile math next pairs pcall print rawequal rawget rawlen rawset require select \
    setmetatable string table tonumber tostring type utf8 xpcall io os debug package warn arg";

/// What went wrong, if anything did.
pub fn problem(program: &Program) -> Option<String> {
    let files = Rc::new(Files(program.files.clone()));
    let written = Rc::new(RefCell::new(String::new()));
    let out = written.clone();
    let options = Options {
        globals: Some(GLOBALS.split_whitespace().map(str::to_owned).collect()),
        modules: files.clone(),
        print: Rc::new(move |line| writeln!(out.borrow_mut(), "{line}").unwrap()),
        ..Options::default()
    };
    let output = match compile("main.fnl", &program.source, &options) {
        Ok(output) => output,
        Err(found) => {
            let told: Vec<String> = found.iter().map(fennel::Diagnostic::rendered).collect();
            let told = told.join("\n");
            let Ends::Refused { file, line, phrases } = &program.ends else {
                return Some(format!("does not compile: {told}"));
            };
            let file = file.as_deref().unwrap_or("main.fnl");
            let right = found
                .iter()
                .any(|one| &*one.file == file && line.is_none_or(|line| one.line == line));
            if !right {
                return Some(format!("is refused elsewhere than at {file}:{line:?}: {told}"));
            }
            let lower = told.to_lowercase();
            let missing: Vec<_> =
                phrases.iter().filter(|phrase| !lower.contains(&phrase.to_lowercase())).collect();
            return (!missing.is_empty())
                .then(|| format!("the error says nothing of {missing:?}: {told}"));
        }
    };
    if let Ends::Refused { file: None, .. } = program.ends {
        return Some(format!("compiles:\n{}", output.lua));
    }
    ran(program, &output, files, written)
}

fn ran(
    program: &Program,
    output: &fennel::Output,
    files: Rc<Files>,
    written: Rc<RefCell<String>>,
) -> Option<String> {
    let lua = Lua::new();
    install(&lua, &written, files).unwrap();
    let outcome = lua
        .load(&output.lua)
        .set_name("=main.fnl")
        .set_mode(mlua::chunk::ChunkMode::Text)
        .into_function();
    let function = match outcome {
        Ok(function) => function,
        Err(error) => return Some(format!("Lua refuses: {error}\n{}", output.lua)),
    };
    let result: mlua::Result<MultiValue> = function.call(());
    let written = written.borrow().trim_end_matches('\n').to_owned();
    if let Some(prints) = &program.prints
        && *prints != written
    {
        return Some(format!("expected to print:\n{prints}\nprinted:\n{written}\n{}", output.lua));
    }
    match (&program.ends, result) {
        (Ends::Raises { line, phrases }, Err(error)) => {
            let told = error.to_string();
            let missing: Vec<_> = phrases.iter().filter(|phrase| !told.contains(*phrase)).collect();
            if !missing.is_empty() {
                return Some(format!(
                    "the error says nothing of {missing:?}: {told}\n{}",
                    output.lua
                ));
            }
            let at = told
                .split("main.fnl:")
                .nth(1)
                .and_then(|rest| rest.split(':').next()?.parse::<u32>().ok());
            let at = at.and_then(|at| output.map.origin(at)).map(|(_, line)| line);
            (line.is_some() && at != *line).then(|| {
                format!("expected an error at {line:?}, got {at:?}: {told}\n{}", output.lua)
            })
        }
        // A file that is first read when the program runs.
        (Ends::Refused { file: Some(file), line, phrases }, Err(error)) => {
            let told = error.to_string();
            let place = line.map_or(file.clone(), |line| format!("{file}:{line}:"));
            let right = told.contains(&place) && phrases.iter().all(|one| told.contains(one));
            (!right).then(|| format!("expected an error at {place} about {phrases:?}: {told}"))
        }
        (Ends::Raises { .. } | Ends::Refused { .. }, Ok(_)) => {
            Some(format!("raises nothing\n{}", output.lua))
        }
        (_, Err(error)) => Some(format!("raises {error}\n{}", output.lua)),
        (Ends::Gives(expected), Ok(values)) => {
            let got: Vec<String> = values.iter().map(|value| shown(&lua, value)).collect();
            (got != *expected).then(|| {
                format!(
                    "expected:\n{}\ngot:\n{}\n{}",
                    expected.join("\n"),
                    got.join("\n"),
                    output.lua
                )
            })
        }
        (_, Ok(_)) => None,
    }
}

fn install(lua: &Lua, written: &Rc<RefCell<String>>, files: Rc<Files>) -> mlua::Result<()> {
    let globals = lua.globals();
    let out = written.clone();
    let print = lua.create_function(move |lua, values: MultiValue| {
        let tostring: mlua::Function = lua.globals().get("tostring")?;
        let words = values
            .iter()
            .map(|value| tostring.call::<String>(value))
            .collect::<mlua::Result<Vec<_>>>()?;
        writeln!(out.borrow_mut(), "{}", words.join("\t")).map_err(mlua::Error::external)
    })?;
    globals.set("print", print)?;
    let out = written.clone();
    let write = lua.create_function(move |_, values: MultiValue| {
        for value in &values {
            out.borrow_mut().push_str(&value.to_string()?);
        }
        Ok(())
    })?;
    globals.get::<Table>("io")?.set("write", write)?;
    // Modules that the program embeds come from `package.preload`, all others from its files.
    let files_of_program = files.clone();
    let searchers: Table = globals.get::<Table>("package")?.get("searchers")?;
    for index in 2..=4 {
        searchers.set(index, Value::Nil)?;
    }
    let find = lua.create_function(move |lua, name: String| {
        let Ok(Some(module)) = files.find(&name, Wanted::Code) else {
            return Ok((None, format!("no file for {name}")));
        };
        let text = if module.file.ends_with(".lua") {
            module.text.to_string()
        } else {
            let options = Options {
                globals: Some(GLOBALS.split_whitespace().map(str::to_owned).collect()),
                modules: files.clone(),
                module_name: Some(name.clone()),
                ..Options::default()
            };
            match compile(&module.file, &module.text, &options) {
                Ok(output) => output.lua,
                Err(found) => return Ok((None, format!("!{}", found[0].rendered()))),
            }
        };
        let chunk = lua.load(text).set_name(format!("={}", module.file)).into_function()?;
        Ok((Some(chunk), module.file))
    })?;
    // A module that does not compile is an error in words.
    let raising = "local find = ... return function(name) local chunk, words = find(name) if chunk \
        then return chunk, words end if words:sub(1, 1) == '!' then error(words:sub(2), 0) end \
        return words end";
    let find: mlua::Function = lua.load(raising).call(find)?;
    searchers.set(2, find)?;
    let preload: Table = globals.get::<Table>("package")?.get("preload")?;
    let host = Rc::new(Host(files_of_program));
    let fennel = lua.create_function(move |lua, ()| fennel::runtime::module(lua, host.clone()))?;
    preload.set("fennel", fennel)
}

/// What the module `fennel` asks for.
struct Host(Rc<Files>);

impl fennel::runtime::RuntimeHost for Host {
    fn options(&self) -> Options {
        Options {
            globals: Some(GLOBALS.split_whitespace().map(str::to_owned).collect()),
            modules: self.0.clone(),
            ..Options::default()
        }
    }

    fn file(&self, path: &str) -> Result<Option<ModuleText>, String> {
        let found = self.0.0.iter().find(|(name, _)| name == path);
        Ok(found.map(|(file, text)| ModuleText { file: file.clone(), text: text.as_str().into() }))
    }

    fn load(
        &self,
        lua: &Lua,
        text: &str,
        _: Option<&fennel::LineMap>,
        name: &str,
        environment: Option<Table>,
    ) -> Result<mlua::Function, String> {
        let chunk = lua.load(text).set_name(format!("={name}"));
        let chunk = match environment {
            Some(environment) => chunk.set_environment(environment),
            None => chunk,
        };
        chunk.into_function().map_err(|error| error.to_string())
    }
}

/// A value as the corpus writes it.
fn shown(lua: &Lua, value: &Value) -> String {
    let mut out = String::new();
    show(lua, value, &mut Vec::new(), &mut out);
    out
}

fn show(lua: &Lua, value: &Value, path: &mut Vec<*const std::ffi::c_void>, out: &mut String) {
    match value {
        Value::Nil => out.push_str("nil"),
        Value::Boolean(value) => write!(out, "{value}").unwrap(),
        Value::Integer(number) => write!(out, "{number}").unwrap(),
        Value::Number(number) if number.is_nan() => out.push_str("nan"),
        Value::Number(_) => {
            let tostring: mlua::Function = lua.globals().get("tostring").unwrap();
            out.push_str(&tostring.call::<String>(value).unwrap());
        }
        Value::String(text) => quote(&text.as_bytes(), out),
        Value::Function(_) => out.push_str("#<function>"),
        Value::Thread(_) => out.push_str("#<thread>"),
        Value::Table(table) => {
            if path.len() >= 8 || path.contains(&table.to_pointer()) {
                out.push('…');
                return;
            }
            path.push(table.to_pointer());
            show_table(lua, table, path, out);
            path.pop();
        }
        _ => out.push_str("#<userdata>"),
    }
}

fn show_table(lua: &Lua, table: &Table, path: &mut Vec<*const std::ffi::c_void>, out: &mut String) {
    let mut entries: Vec<(Value, Value)> = Vec::new();
    table
        .for_each(|key: Value, value: Value| {
            entries.push((key, value));
            Ok(())
        })
        .unwrap();
    let sequence = !entries.is_empty()
        && (1..=entries.len()).all(|index| !table.raw_get::<Value>(index).unwrap().is_nil());
    if sequence {
        out.push('[');
        for index in 1..=entries.len() {
            if index > 1 {
                out.push(' ');
            }
            show(lua, &table.raw_get::<Value>(index).unwrap(), path, out);
        }
        out.push(']');
        return;
    }
    entries.sort_by(|(a, _), (b, _)| order(a).partial_cmp(&order(b)).unwrap());
    out.push('{');
    for (index, (key, value)) in entries.iter().enumerate() {
        if index > 0 {
            out.push(' ');
        }
        show(lua, key, path, out);
        out.push(' ');
        show(lua, value, path, out);
    }
    out.push('}');
}

/// Numbers, then strings, then booleans, then the rest.
fn order(key: &Value) -> (u8, f64, Vec<u8>) {
    match key {
        Value::Integer(number) => (0, *number as f64, Vec::new()),
        Value::Number(number) => (0, *number, Vec::new()),
        Value::String(text) => (1, 0.0, text.as_bytes().to_vec()),
        Value::Boolean(value) => (2, f64::from(u8::from(*value)), Vec::new()),
        _ => (3, 0.0, Vec::new()),
    }
}

fn quote(bytes: &[u8], out: &mut String) {
    out.push('"');
    let text = String::from_utf8_lossy(bytes);
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_ascii_control() => write!(out, "\\{:03}", c as u32).unwrap(),
            c => out.push(c),
        }
    }
    out.push('"');
}
