//! Everything that is wrong with the text of an extension, at once: for `fen ext check`.
//!
//! Each file is compiled by itself and none is run, but for the macros of Fennel, in their sandbox
//! and within their bounds. Whether the extension works is another question, which loading answers.

use crate::host::{OwnFiles, Program};
use crate::language::{Diagnostic, Language, Lua, Severity, Surroundings, findings, language_of};
use crate::package::field::Format;
use crate::vm::{CallError, GLOBALS, Vm, VmConfig};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Finds all mistakes, and what likely is one, in all files in Lua and Fennel. They are sorted by
/// file and place; files are called as the host calls them when they run. Lua's own compiler stops at
/// its first mistake, so that a file in Lua has at most one.
///
/// It blocks for as long as macros run, which is two seconds a file at most.
pub fn check(program: &Arc<Program>) -> Vec<Diagnostic> {
    let own = OwnFiles(program.clone());
    let surroundings = Surroundings {
        globals: Rc::new(GLOBALS.map(str::to_owned)),
        siblings: Rc::new(own),
        ..Surroundings::default()
    };
    let mut found = Vec::new();
    let mut macros = BTreeSet::new();
    let mut fennel = Vec::new();
    for (file, text) in program.files.iter().filter(|(file, _)| !is_manifest(file)) {
        let shown = program.shown(file);
        let is_macros = file.ends_with(".fnlm") || file.ends_with("init-macros.fnl");
        match language_of(file).map(Language::suffix) {
            _ if is_macros => {}
            Some("lua") => found.extend(lua(text, &shown)),
            Some("fnl") => {
                let seen = findings(text, &shown, &surroundings);
                macros.extend(seen.macros);
                fennel.push((file, seen.diagnostics));
            }
            _ => {}
        }
    }
    // What is imported was compiled as macros with the file that imports it.
    let code = fennel.into_iter().filter(|(file, _)| !macros.contains(*file));
    found.extend(code.flat_map(|(_, diagnostics)| diagnostics));
    for file in program.files.keys().filter(|file| !macros.contains(*file)) {
        found.extend(imported(file, &program.shown(file), &surroundings));
    }
    let place = |one: &Diagnostic| (one.file.clone(), one.line, one.column);
    found.sort_by(|a, b| (place(a), &a.message).cmp(&(place(b), &b.message)));
    found.dedup();
    found
}

/// A manifest is data, whatever its suffix says.
fn is_manifest(file: &str) -> bool {
    Format::FILES.iter().any(|(name, _)| *name == file)
}

/// What is wrong with a file of macros that nothing imports.
fn imported(file: &str, shown: &str, surroundings: &Surroundings) -> Vec<Diagnostic> {
    let module = file.strip_suffix(".fnlm").map(|name| name.strip_suffix("/init").unwrap_or(name));
    let Some(module) = module.or_else(|| file.strip_suffix("/init-macros.fnl")) else {
        return Vec::new();
    };
    let program = format!("(import-macros _ {:?})", module.replace('/', "."));
    let mut found = findings(&program, shown, surroundings).diagnostics;
    for one in found.iter_mut().filter(|one| one.source_line == program) {
        // It is no line of any file.
        one.source_line.clear();
        (one.column, one.width) = (1, 1);
    }
    found
}

/// The first mistake of a file in Lua.
fn lua(text: &str, shown: &str) -> Option<Diagnostic> {
    let loaded = Vm::new(VmConfig::new(shown)).and_then(|vm| vm.load_source(&Lua, text, shown));
    loaded.err().map(|error| diagnostic(&error, text, shown))
}

fn diagnostic(error: &CallError, text: &str, shown: &str) -> Diagnostic {
    let line = error.line.unwrap_or(1);
    let source_line = text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
    let (start, mark) = marked(&error.message, source_line);
    let characters = |text: &str| u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    Diagnostic {
        severity: Severity::Error,
        file: error.file.as_deref().unwrap_or(shown).into(),
        line,
        column: characters(&source_line[..start]) + 1,
        width: characters(mark).max(1),
        message: error.message.clone(),
        help: None,
        source_line: source_line.to_owned(),
        source_column: 1,
    }
}

/// Where in a line a mistake is, as far as Lua's words tell: the one place of what stands after
/// `near`, else the whole line.
fn marked<'l>(message: &str, line: &'l str) -> (usize, &'l str) {
    let near = message.rsplit_once("near '").and_then(|(_, word)| word.strip_suffix('\''));
    let mut places = near.into_iter().flat_map(|word| line.match_indices(word));
    match (places.next(), places.next()) {
        (Some(only), None) => only,
        _ => {
            let trimmed = line.trim();
            (line.find(trimmed).unwrap_or(0), trimmed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Granted;
    use fen_contract::api::{Manifest, Source};

    fn checked(files: &[(&str, &str)]) -> Vec<String> {
        let program = Program {
            manifest: Manifest { name: "x".to_owned(), ..Manifest::default() },
            source: Source::User,
            place: "/x".into(),
            entry: "init.fnl".to_owned(),
            files: files.iter().map(|(file, text)| ((*file).to_owned(), (*text).into())).collect(),
            granted: Granted::default(),
            has_hooks: false,
        };
        check(&Arc::new(program)).iter().map(Diagnostic::rendered).collect()
    }

    #[test]
    fn every_file_and_every_mistake_is_told_at_once() {
        let found = checked(&[
            ("a.lua", "local x = 1\nlocal y = = 2\n"),
            ("b.fnl", "(local x 1)\n(prnt x)\n(let [y] y)\n"),
            ("good.lua", "return 1"),
            ("init.fnl", "(fn [api]\n  (let [unused 1]\n    (api.log :info :x)))\n"),
            ("manifest.lua", "{ name = 'x' }"),
            ("notes.json", "{"),
        ]);
        assert_eq!(found.len(), 4, "{found:#?}");
        assert_eq!(
            found[0],
            "x/a.lua:2:1: unexpected symbol near '='\n    local y = = 2\n    ^^^^^^^^^^^^^"
        );
        assert!(found[1].starts_with("x/b.fnl:2:2: "), "{}", found[1]);
        assert!(found[1].ends_with("\n    (prnt x)\n     ^^^^\n  help: did you mean print?"));
        assert!(found[2].starts_with("x/b.fnl:3:"), "{}", found[2]);
        assert!(found[3].starts_with("x/init.fnl:2:9: the local unused is never used"));
    }

    #[test]
    fn lua_that_ends_too_early_is_marked_where_it_ends() {
        let found = checked(&[("a.lua", "  local function f(\n"), ("b.lua", "return 1")]);
        assert!(found[0].starts_with("x/a.lua:"), "{found:?}");
        assert!(checked(&[("a.lua", ""), ("b.fnl", "")]).is_empty());
        let found = checked(&[("a.lua", "local x = (1 ? 2)"), ("b.lua", "")]);
        assert!(found[0].ends_with("local x = (1 ? 2)\n                 ^"), "{}", found[0]);
    }

    #[test]
    fn files_of_macros_are_compiled_as_such() {
        let good = "(fn twice [x] `(do ,x ,x))\n{: twice}";
        let user = "(import-macros {: twice} :lib.m)\n(twice (print 1))";
        assert_eq!(checked(&[("lib/m.fnl", good), ("init.fnl", user)]), [""; 0]);
        assert_eq!(checked(&[("lib/m.fnlm", good), ("init.fnl", "(print 1)")]), [""; 0]);
        assert_eq!(checked(&[("lib/init-macros.fnl", good), ("init.fnl", "nil")]), [""; 0]);
        let bad = "(fn twice [x] `(do ,x ,y))\n{: twice}";
        for (file, user) in [("lib/m.fnl", user), ("lib/m.fnlm", user), ("lib/m.fnlm", "nil")] {
            let found = checked(&[(file, bad), ("init.fnl", user)]);
            let place = format!("x/{file}:1:");
            assert!(found.len() == 1 && found[0].starts_with(&place), "{file} {user}: {found:#?}");
        }
        let found = checked(&[("m.fnlm", "7"), ("init.fnl", "nil")]);
        assert!(found.len() == 1 && found[0].starts_with("x/m.fnlm:1:1: "), "{found:#?}");
        assert!(!found[0].contains("import-macros _"), "{found:#?}");
    }
}
