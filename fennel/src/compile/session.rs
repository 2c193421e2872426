//! Several texts compiled one after the other that see each other's locals and macros: a REPL.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::{Compiler, Scopes, Time};
use crate::diagnostic::Diagnostic;
use crate::lua::{Block, Expr};
use crate::macro_world::World;
use crate::options::{Options, Output};
use crate::reader;
use crate::source::{Place, Sources};

/// The name of the global table that keeps the locals of a session.
const KEPT: &str = "fennel session";

/// What one text of a session leaves for the next one.
///
/// It keeps each text, and for code of macros the places of its lines, as long as it lives: a later
/// message can be about any of them. It thus grows with what a person types.
pub struct Session {
    options: Options,
    sources: Rc<RefCell<Sources>>,
    scopes: Rc<RefCell<Scopes>>,
    world: Rc<OnceCell<Rc<World>>>,
    globals: Option<FxHashSet<Rc<str>>>,
}

impl Session {
    /// Begins one.
    pub fn new(options: Options) -> Self {
        let globals = options.globals.as_ref();
        let globals = globals.map(|names| names.iter().map(|name| name.as_str().into()).collect());
        Session {
            options,
            sources: Rc::default(),
            scopes: Rc::default(),
            world: Rc::default(),
            globals,
        }
    }

    /// Compiles the next text. All texts are to run in one Lua state with the same globals: there
    /// the locals of the outermost level live on in a table.
    ///
    /// # Errors
    /// Every mistake that was found. What the text bound is forgotten then.
    pub fn compile(&mut self, name: &str, source: &str) -> Result<Output, Vec<Diagnostic>> {
        super::with_room(|| self.compile_here(name, source))
    }

    fn compile_here(&mut self, name: &str, source: &str) -> Result<Output, Vec<Diagnostic>> {
        let file = self.sources.borrow_mut().add(name, source);
        let reading = reader::read(&self.sources.borrow(), file);
        let mut compiler = Compiler::new(&self.options, self.sources.clone(), Time::Run);
        compiler.scopes = self.scopes.clone();
        compiler.world = self.world.clone();
        compiler.globals = self.globals.clone();
        compiler.keeps_locals = true;
        compiler.faults = reading.faults;
        if let Some(world) = self.world.get() {
            world.begin_text();
        }
        let mark = self.scopes.borrow().mark();
        let block = match compiler.faults.is_empty() {
            true => compiler.chunk(&reading.forms, file),
            false => Block::default(),
        };
        let globals = compiler.globals.clone();
        let outcome = compiler.finished(block, file);
        match outcome {
            Ok(_) => self.globals = globals,
            Err(_) => self.scopes.borrow_mut().back_to(mark),
        }
        outcome
    }
}

impl Compiler {
    /// Where a session keeps a local of the outermost level.
    pub(super) fn kept_target(&self, name: &str, place: Place) -> Expr {
        let number = self.scopes.borrow_mut().gensym("");
        let table = Expr::field(Expr::constant("_ENV", place), KEPT, place);
        Expr::field(table, &format!("{name}{number}"), place)
    }

    /// The statement that makes the table of a session's locals.
    pub(super) fn make_kept(&self) -> String {
        format!("_ENV[\"{KEPT}\"] = _ENV[\"{KEPT}\"] or {{}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vm_is_made_only_when_a_program_has_macros_of_its_own() {
        let mut session = Session::new(Options::default());
        let without =
            "(fn f [x] (when x (case x [a & b] (-> a (f b)) _ (icollect [_ v (ipairs x)] v))))";
        assert!(session.compile("a.fnl", without).is_ok());
        assert!(session.world.get().is_none());
        assert!(session.compile("a.fnl", "(macro m [] 1) (m)").is_ok());
        assert!(session.world.get().is_some());
    }
}
