//! Modules of macros: found, compiled and run once in a compilation.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use mlua::{Function, LuaString, MultiValue, Value};

use super::World;
use crate::compile::{Scopes, compile_for_macros};
use crate::diagnostic::{Compiled, Fault};
use crate::options::{LineMap, Wanted};
use crate::reader;
use crate::source::{FileId, Span};

impl World {
    /// A module, loaded once: what its code gives.
    pub(crate) fn module(&self, name: &str, wanted: Wanted, span: Span) -> Compiled<MultiValue> {
        if let Some(known) = self.modules.borrow().get(name) {
            return Ok(known.clone());
        }
        if self.loading.borrow().iter().any(|one| one == name) {
            let chain = self.loading.borrow().join(" → ");
            return Err(Fault::new(
                span,
                format!("macro modules load one another in a circle: {chain} → {name}"),
            ));
        }
        let found =
            self.options.modules.find(name, wanted).map_err(|words| Fault::new(span, words))?;
        let Some(module) = found else {
            return Err(wanted.missing(name, span));
        };
        self.loading.borrow_mut().push(name.to_owned());
        let given = self.run_module(name, &module.file, &module.text, span);
        self.loading.borrow_mut().pop();
        let given = given?;
        self.modules.borrow_mut().insert(name.to_owned(), given.clone());
        Ok(given)
    }

    /// The part of the module of Fennel that works while compiling.
    fn fennel(&self, span: Span) -> Compiled<MultiValue> {
        if let Some(known) = self.modules.borrow().get(FENNEL) {
            return Ok(known.clone());
        }
        let made = self.sandbox.making(|lua| {
            let module = lua.create_table()?;
            let environment = self.sandbox.globals();
            for name in SHARED {
                module.raw_set(name, environment.raw_get::<Value>(name)?)?;
            }
            module.raw_set("version", crate::runtime::VERSION)?;
            Ok(module)
        });
        let module =
            made.map_err(|error| Fault::new(span, self.sandbox.halt_of(&error).to_string()))?;
        let given: MultiValue = [Value::Table(module)].into_iter().collect();
        self.modules.borrow_mut().insert(FENNEL.to_owned(), given.clone());
        Ok(given)
    }

    fn run_module(&self, name: &str, file: &str, text: &str, span: Span) -> Compiled<MultiValue> {
        let id = self.sources.borrow_mut().add(file, text);
        let start = Span { file: id, line: 1, start: 0, end: 0 };
        let function = if file.ends_with(".lua") {
            self.load(text, LineMap::of_lua(file, text), start)?
        } else {
            self.compiled(id, Some(name))?
        };
        let lua = self.sandbox.lua();
        let arguments =
            [name, file].into_iter().map(|text| lua.create_string(text).map(Value::String));
        let arguments: MultiValue = arguments
            .collect::<mlua::Result<_>>()
            .map_err(|error| Fault::new(span, self.sandbox.halt_of(&error).to_string()))?;
        let scopes: Rc<RefCell<Scopes>> = Rc::default();
        self.run(&scopes, &function, arguments, span)
    }

    /// A file's code, compiled to run here.
    fn compiled(&self, file: FileId, module_name: Option<&str>) -> Compiled<Function> {
        let reading = reader::read(&self.sources.borrow(), file);
        let start = Span { file, line: 1, start: 0, end: 0 };
        self.one(reading.faults)?;
        let world = self.shared()?;
        match compile_for_macros(&world, &reading.forms, start, module_name) {
            Ok((lua, map)) => self.load(&lua, map, start),
            Err(faults) => {
                self.one(faults)?;
                Err(Fault::new(start, "this does not compile"))
            }
        }
    }
}

/// `require` in the code of macros.
pub(super) fn required(world: &Weak<World>, name: &LuaString) -> Compiled<MultiValue> {
    let here = Span::default();
    let world = world.upgrade().ok_or_else(|| Fault::new(here, "the compilation is over"))?;
    let name = name.to_string_lossy();
    let call = world.current.borrow().as_ref().map_or(here, |current| current.call);
    if name == FENNEL {
        return world.fennel(call);
    }
    world.module(&name, Wanted::Code, call)
}

/// The module of Fennel itself.
const FENNEL: &str = "fennel";

/// What the module of Fennel has in common with what macros find without it.
const SHARED: [&str; 11] = [
    "view",
    "list",
    "list?",
    "sym",
    "sym?",
    "sequence",
    "sequence?",
    "varg",
    "varg?",
    "comment?",
    "multi-sym?",
];
