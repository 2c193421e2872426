//! Checking modules of macros, which are no programs: they run while something else is compiled.

use std::rc::Rc;

use ::fennel::{Diagnostic, ModuleText, Modules, Options, Wanted, compile};

/// Whether a file holds macros and nothing to run, by its name.
pub fn is_macros(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.ends_with(".fnlm") || name == "init-macros.fnl"
}

/// How the module is called while it is checked, and the program that uses it.
const MODULE: &str = "fen-checks-these-macros";
const USER: &str = "(import-macros _ :fen-checks-these-macros)";
const USER_NAME: &str = "the use of macros";

/// Everything that is found in a module of macros. The options are those of a program beside it.
pub fn macro_findings(module: ModuleText, options: Options) -> Vec<Diagnostic> {
    let file = module.file.clone();
    let modules = Rc::new(Only { module, others: options.modules });
    let compiled = compile(USER_NAME, USER, &Options { modules, ..options });
    let mut found = compiled.map_or_else(|found| found, |output| output.warnings);
    for one in found.iter_mut().filter(|one| &*one.file == USER_NAME) {
        // It is the module that does not do as a whole.
        one.file = file.as_str().into();
        (one.line, one.column, one.width) = (1, 1, 1);
        one.source_line.clear();
        one.source_column = 1;
    }
    found
}

/// One module beside others.
struct Only {
    module: ModuleText,
    others: Rc<dyn Modules>,
}

impl Modules for Only {
    fn find(&self, name: &str, wanted: Wanted) -> Result<Option<ModuleText>, String> {
        match name {
            MODULE => Ok(Some(self.module.clone())),
            _ => self.others.find(name, wanted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_are_known_by_the_name_of_their_file() {
        for file in ["a.fnlm", "lib/a.b.fnlm", "init-macros.fnl", "lib/init-macros.fnl"] {
            assert!(is_macros(file), "{file}");
        }
        for file in ["my-init-macros.fnl", "init-macros.fnl/a.fnl", "macros.fnl", "a.lua"] {
            assert!(!is_macros(file), "{file}");
        }
    }
}
