//! Fennel, through the compiler of its own crate: which files its modules are, and its lines kept.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use fennel::{Include, LineMap, ModuleText, Modules, Options, Output, Wanted};

use super::{
    Chunk, Diagnostic, Language, Sibling, Siblings, Surroundings, is_macros, layout, macro_findings,
};

/// See the module.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fennel;

impl Language for Fennel {
    fn suffix(&self) -> &'static str {
        "fnl"
    }

    fn compile<'s>(
        &self,
        source: &'s str,
        name: &str,
        surroundings: &Surroundings,
    ) -> Result<Chunk<'s>, Vec<Diagnostic>> {
        let Output { lua, map, .. } =
            fennel::compile(name, source, &compiler_options(surroundings))?;
        Ok(chunk_of(lua, map))
    }
}

/// How the compiler is told of what is around a file.
pub(crate) fn compiler_options(surroundings: &Surroundings) -> Options {
    options(surroundings, Rc::new(Beside::new(surroundings)))
}

/// Compiled Lua as it is run.
pub(crate) fn chunk_of(lua: String, map: LineMap) -> Chunk<'static> {
    let (lua, map) = layout::on_own_lines(lua, map);
    Chunk { lua: Cow::Owned(lua), map }
}

/// What looking at a file gives.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// All mistakes; where there is none, what likely is one.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that macros were imported from, by their path.
    pub macros: Vec<String>,
}

/// Everything that is found in a file of Fennel, a program or a module of macros, warnings too.
pub(crate) fn findings(source: &Arc<str>, name: &str, surroundings: &Surroundings) -> Findings {
    let beside = Rc::new(Beside::new(surroundings));
    let options = Options { warnings: true, ..options(surroundings, beside.clone()) };
    let diagnostics = match is_macros(name) {
        true => macro_findings(ModuleText { file: name.to_owned(), text: source.clone() }, options),
        false => fennel::compile(name, source, &options)
            .map_or_else(|found| found, |output| output.warnings),
    };
    Findings { diagnostics, macros: beside.macros.take() }
}

fn options(surroundings: &Surroundings, modules: Rc<Beside>) -> Options {
    Options {
        globals: Some(surroundings.globals.clone()),
        modules,
        // `require` finds the extension's files when the code runs.
        include: Include::Require,
        print: surroundings.print.clone(),
        module_name: surroundings.module.clone(),
        limits: surroundings.limits,
        advice: instead_of,
        ..Options::default()
    }
}

/// What takes the place of a part of Lua that scripts do not have.
fn instead_of(name: &str) -> Option<&'static str> {
    match name {
        "io" => Some("files are in api.fs, programs in api.process; each is a capability"),
        "os" => {
            Some("programs are in api.process, the environment in api.env; each is a capability")
        }
        "debug" | "package" | "dofile" | "loadfile" | "collectgarbage" => {
            Some("scripts do not have this part of Lua")
        }
        _ => None,
    }
}

/// The files that belong together as modules.
struct Beside {
    siblings: Rc<dyn Siblings>,
    /// The paths of those that were taken for macros.
    macros: RefCell<Vec<String>>,
}

impl Beside {
    fn new(surroundings: &Surroundings) -> Self {
        Beside { siblings: surroundings.siblings.clone(), macros: RefCell::default() }
    }
}

impl Modules for Beside {
    fn find(&self, name: &str, wanted: Wanted) -> Result<Option<ModuleText>, String> {
        // `a/b` would be a second name of the same module.
        if name.contains('/') || name.split('.').any(str::is_empty) {
            return Ok(None);
        }
        for path in files_of(&name.replace('.', "/"), wanted) {
            let Some(Sibling { name: file, text }) = self.siblings.file(&path)? else { continue };
            if wanted == Wanted::Macros {
                self.macros.borrow_mut().push(path);
            }
            return Ok(Some(ModuleText { file, text }));
        }
        Ok(None)
    }
}

/// The files that a module may be, the first one that is there wins: the order of Fennel's own
/// search paths.
fn files_of(path: &str, wanted: Wanted) -> Vec<String> {
    wanted.endings().iter().map(|ending| format!("{path}{ending}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::SourceMap;

    struct Folder(Vec<&'static str>);

    impl Siblings for Folder {
        fn file(&self, path: &str) -> Result<Option<Sibling>, String> {
            let is_there = self.0.contains(&path);
            Ok(is_there.then(|| Sibling { name: format!("x/{path}"), text: "".into() }))
        }
    }

    fn found(files: &[&'static str], name: &str, wanted: Wanted) -> Option<String> {
        let siblings = Rc::new(Folder(files.to_vec()));
        let surroundings = Surroundings { siblings, ..Surroundings::default() };
        Beside::new(&surroundings).find(name, wanted).unwrap().map(|module| module.file)
    }

    #[test]
    fn modules_are_files_of_the_folder() {
        let files = ["a/b.fnl", "c/init.fnl", "c/init-macros.fnl", "d.fnlm", "d.fnl", "e.lua"];
        for (name, code, macros) in [
            ("a.b", Some("x/a/b.fnl"), Some("x/a/b.fnl")),
            ("c", Some("x/c/init.fnl"), Some("x/c/init-macros.fnl")),
            ("d", Some("x/d.fnl"), Some("x/d.fnlm")),
            ("e", Some("x/e.lua"), None),
            ("a/b", None, None),
            ("..d", None, None),
            ("f", None, None),
        ] {
            assert_eq!(found(&files, name, Wanted::Code).as_deref(), code, "{name}");
            assert_eq!(found(&files, name, Wanted::Macros).as_deref(), macros, "{name}");
        }
    }

    #[test]
    fn all_mistakes_are_told_and_a_name_that_is_none_is_one() {
        let globals = Rc::new(["print".to_owned()]);
        let surroundings = Surroundings { globals, ..Surroundings::default() };
        let source = "(print 1)\n(prin 2)\n(let [x] x)\n";
        let found = Fennel.compile(source, "a.fnl", &surroundings).unwrap_err();
        let lines: Vec<u32> = found.iter().map(|one| one.line).collect();
        assert_eq!(lines, [2, 3], "{found:?}");
        let first = found[0].rendered();
        assert!(
            first.starts_with("a.fnl:2:2: ") && first.contains("did you mean print?"),
            "{first}"
        );
        let chunk = Fennel.compile("#!/usr/bin/fennel\n(print\n  1)", "a.fnl", &surroundings);
        let chunk = chunk.unwrap();
        assert_eq!(chunk.lua.lines().nth(1), Some("return print(1)"));
        assert_eq!(chunk.map, SourceMap::Identity);
    }
}
