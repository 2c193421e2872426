//! Everything that is wrong with the text of an extension, at once: for `fen ext check`.
//!
//! Each file is compiled by itself and none is run, but for the macros of Fennel, in their sandbox
//! and within their bounds. Whether the extension works is another question, which loading answers.

use crate::host::{OwnFiles, Program};
use crate::language::{
    Diagnostic, Language, Lua, MacroLimits, Severity, Surroundings, findings, is_macros,
    language_of,
};
use crate::package::field::Format;
use crate::vm::{CallError, GLOBALS, Vm, VmConfig};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long the files in Fennel of one extension are looked at, their macros included.
const PATIENCE: Duration = Duration::from_secs(5);

/// Finds all mistakes, and what likely is one, in all files in Lua and Fennel. They are sorted by
/// file and place; files are called as the host calls them when they run. Lua's own compiler stops at
/// its first mistake, so that a file in Lua has at most one.
///
/// It blocks for as long as macros run, which is about five seconds at most.
pub fn check(program: &Arc<Program>) -> Vec<Diagnostic> {
    check_within(program, PATIENCE)
}

fn check_within(program: &Arc<Program>, patience: Duration) -> Vec<Diagnostic> {
    let began = Instant::now();
    let siblings = Rc::new(OwnFiles(program.clone()));
    let mut found = Vec::new();
    let mut macros = BTreeSet::new();
    let mut fennel = Vec::new();
    let mut is_over = false;
    for (file, text) in program.files.iter().filter(|(file, _)| !is_manifest(file)) {
        let shown = program.shown(file);
        match language_of(file).map(Language::suffix) {
            Some("lua") => {
                found.extend(lua(text, &shown));
                continue;
            }
            Some("fnl") => {}
            _ if is_macros(file) => {}
            _ => continue,
        }
        let left = patience.saturating_sub(began.elapsed());
        if left.is_zero() {
            if !std::mem::replace(&mut is_over, true) {
                found.push(unchecked(&shown, patience));
            }
            continue;
        }
        let limits = MacroLimits::default();
        let surroundings = Surroundings {
            globals: Rc::new(GLOBALS.map(str::to_owned)),
            siblings: siblings.clone(),
            limits: MacroLimits { running: limits.running.min(left), ..limits },
            ..Surroundings::default()
        };
        let seen = findings(text, &shown, &surroundings);
        macros.extend(seen.macros);
        fennel.push((file, seen.diagnostics));
    }
    // What is imported was compiled as macros with the file that imports it.
    let code = fennel.into_iter().filter(|(file, _)| !macros.contains(*file));
    found.extend(code.flat_map(|(_, diagnostics)| diagnostics));
    let place = |one: &Diagnostic| (one.file.clone(), one.line, one.column);
    found.sort_by(|a, b| (place(a), &a.message).cmp(&(place(b), &b.message)));
    found.dedup();
    found
}

/// A manifest is data, whatever its suffix says.
fn is_manifest(file: &str) -> bool {
    Format::FILES.iter().any(|(name, _)| *name == file)
}

/// Says that this file and those in Fennel after it were not looked at.
fn unchecked(shown: &str, patience: Duration) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: shown.into(),
        line: 1,
        column: 1,
        width: 1,
        message: format!(
            "not checked, nor is other Fennel after it: what is before it took {} s",
            patience.as_secs_f64()
        ),
        help: Some("look for macros that run long".to_owned()),
        source_line: String::new(),
        source_column: 1,
    }
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
        check(&program(files)).iter().map(Diagnostic::rendered).collect()
    }

    fn program(files: &[(&str, &str)]) -> Arc<Program> {
        Arc::new(Program {
            manifest: Manifest { name: "x".to_owned(), ..Manifest::default() },
            source: Source::User,
            place: "/x".into(),
            entry: "init.fnl".to_owned(),
            files: files.iter().map(|(file, text)| ((*file).to_owned(), (*text).into())).collect(),
            granted: Granted::default(),
            has_hooks: false,
        })
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
    #[test]
    fn files_of_macros_are_checked_wherever_they_are_and_others_as_programs() {
        let bad = "(fn twice [x] `(do ,x ,y))\n{: twice}";
        for file in ["init-macros.fnl", "a/init-macros.fnl", "a.b.fnlm", "lib/a.b.fnlm"] {
            let found = checked(&[(file, bad), ("init.fnl", "nil")]);
            let place = format!("x/{file}:1:24: unknown identifier: y");
            assert!(found.len() == 1 && found[0].starts_with(&place), "{file}: {found:#?}");
        }
        let found = checked(&[("my-init-macros.fnl", "(prnt 1)"), ("init.fnl", "nil")]);
        assert!(found[0].starts_with("x/my-init-macros.fnl:1:2: unknown"), "{found:#?}");
    }

    #[test]
    fn macros_of_all_files_share_one_time() {
        let endless = "(macro m [] (while true nil))\n(m)";
        let files = [("a.fnl", endless), ("b.fnl", endless), ("c.fnl", "(prnt 1)"), ("d.lua", "=")];
        let found = check_within(&program(&files), Duration::from_millis(200));
        let words: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert!(words[0].starts_with("x/a.fnl:2:1: the macro ran longer than 0."), "{words:#?}");
        assert!(words[1].starts_with("x/b.fnl:1:1: not checked"), "{words:#?}");
        assert!(words[2].starts_with("x/d.lua:1:"), "{words:#?}");
        assert_eq!(words.len(), 3, "{words:#?}");
    }
}
