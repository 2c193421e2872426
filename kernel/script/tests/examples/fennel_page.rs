//! What `docs/fennel.md` shows: its files compile, to the Lua that stands there.

use crate::kit::repository;
use fen_script::vm::GLOBALS;
use fennel::{FormatOptions, Options, compile, format};
use std::rc::Rc;

/// The first block of a language, and the page after it.
fn block<'p>(page: &'p str, fence: &str) -> (&'p str, &'p str) {
    let (_, rest) = page.split_once(&format!("\n```{fence}\n")).expect("there is a block");
    rest.split_once("```\n").expect("a block has an end")
}

#[test]
fn the_sample_compiles_to_what_is_shown() {
    let page = std::fs::read_to_string(repository().join("docs/fennel.md")).unwrap();
    let (code, rest) = block(&page, "fennel");
    let (lua, _) = block(rest, "lua");
    let globals: Rc<[String]> = GLOBALS.map(str::to_owned).into();
    let options = Options { globals: Some(globals), warnings: true, ..Options::default() };
    let output = compile("swap.fnl", code, &options).unwrap();
    assert_eq!((output.lua.as_str(), output.warnings.len()), (lua, 0));
    assert_eq!(format("swap.fnl", code, FormatOptions::default()).unwrap(), code);
}

#[test]
fn what_is_shown_of_mistakes_is_what_is_told() {
    let page = std::fs::read_to_string(repository().join("docs/fennel.md")).unwrap();
    let (_, rest) = page.split_once("$ cat shapes.fnl\n").unwrap();
    let (code, rest) = rest.split_once("$ fen fennel check shapes.fnl\n").unwrap();
    let (told, _) = rest.split_once("1 file: ").unwrap();
    let globals: Rc<[String]> = GLOBALS.map(str::to_owned).into();
    let options = Options { globals: Some(globals), ..Options::default() };
    let found = compile("shapes.fnl", code, &options).unwrap_err();
    let found: String = found.iter().map(|one| format!("{}\n", one.rendered())).collect();
    assert_eq!(found, told);
}
