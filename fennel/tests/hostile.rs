//! No text makes the compiler crash, hang or swell.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "a panic is the failure report of a test"
)]

mod writer;

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use fennel::{
    Diagnostic, FormatOptions, Include, MacroLimits, ModuleText, Modules, Options, Session, Wanted,
    compile, decode, format, parse,
};
use mlua::Lua;
use proptest::prelude::*;
use writer::{Order, Writer};

/// Modules by name.
struct Files(&'static [(&'static str, &'static str)]);

impl Modules for Files {
    fn find(&self, name: &str, _: Wanted) -> Result<Option<ModuleText>, String> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        Ok(found
            .map(|(name, text)| ModuleText { file: format!("{name}.fnl"), text: Arc::from(*text) }))
    }
}

fn options() -> Options {
    let limits = MacroLimits { memory: 16 << 20, running: Duration::from_millis(300) };
    Options { limits, ..Options::default() }
}

/// What every list of findings keeps to.
fn check(found: &[Diagnostic], text: &str) {
    assert!(!found.is_empty() && found.len() <= 50, "{} faults", found.len());
    for one in found {
        let lines = text.lines().count() + 1;
        assert!(!one.message.is_empty() && one.line >= 1, "{one}");
        assert!(one.line as usize <= lines || text.is_empty(), "{one}");
        let room = one.message.len() + one.source_line.len() + one.rendered().len();
        assert!(room < 20_000, "{room} bytes for one fault");
    }
}

/// Everything that takes a text takes this one.
fn take(text: &str) {
    let parsed = parse("any.fnl", text);
    if !parsed.diagnostics.is_empty() {
        check(&parsed.diagnostics, text);
    }
    let _ = format("any.fnl", text, FormatOptions { columns: 80 });
    match compile("any.fnl", text, &options()) {
        Ok(output) => {
            // The program may hold Lua of its own.
            if !text.contains("lua") {
                let loaded = Lua::new().load(&output.lua).into_function();
                assert!(loaded.is_ok(), "{loaded:?}\n{text}\n{}", output.lua);
                assert_eq!(output.map.lines.len(), output.lua.lines().count().max(1));
            }
        }
        Err(found) => check(&found, text),
    }
    let mut session = Session::new(options());
    for _ in 0..2 {
        if let Err(found) = session.compile("any.fnl", text) {
            check(&found, text);
        }
    }
}

/// What a program is refused for.
fn refused(text: &str, options: &Options) -> Diagnostic {
    match compile("main.fnl", text, options) {
        Ok(output) => panic!("compiles: {}", output.lua.chars().take(500).collect::<String>()),
        Err(found) => {
            check(&found, "");
            found[0].clone()
        }
    }
}

const PIECES: [&str; 84] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "(",
    ")",
    "[",
    "]",
    " ",
    " ",
    " ",
    "\n",
    "\"",
    "`",
    ",",
    "#",
    "'",
    ":",
    ".",
    "...",
    "&",
    "&as",
    "&until",
    "&into",
    "$",
    "$1",
    "$...",
    "x",
    "y",
    "x.y",
    "x:y",
    "?x",
    "_",
    "nil",
    "true",
    "1",
    "-0x1f",
    "1e400",
    ":a",
    "\\",
    "\u{7f}",
    "é",
    "\u{202e}",
    "~",
    "fn",
    "let",
    "local",
    "var",
    "set",
    "tset",
    "global",
    "if",
    "when",
    "do",
    "case",
    "match",
    "where",
    "or",
    "case-try",
    "catch",
    "->",
    "-?>",
    "doto",
    "for",
    "each",
    "while",
    "icollect",
    "accumulate",
    "values",
    "lambda",
    "hashfn",
    "partial",
    "macro",
    "macros",
    "quote",
    "unquote",
    "eval-compiler",
    "import-macros",
    "with-open",
    "pick-values",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_taken(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(text) = decode("any.fnl", &bytes) {
            take(text);
        }
        take(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_pieces_of_programs_are_taken(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..80),
        spaces in any::<bool>(),
    ) {
        take(&pieces.join(if spaces { " " } else { "" }));
    }

    #[test]
    fn programs_with_a_mistake_are_taken(
        bytes in prop::collection::vec(any::<u8>(), 0..150),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(&PIECES[..]), 0_usize..6), 1..4),
    ) {
        let mut text = Writer::program(&bytes, Order::Any).plain;
        for (at, piece, gone) in cuts {
            let start = text.ceil_char_boundary(at.index(text.len()));
            let end = text.ceil_char_boundary((start + gone).min(text.len()));
            text.replace_range(start..end, piece);
        }
        take(&text);
    }
}

#[test]
fn many_faults_in_one_huge_line_cost_little() {
    check(&compile("x", &"(local) ".repeat(200_000), &options()).unwrap_err(), "");
    check(&parse("x", &") ".repeat(500_000)).diagnostics, "");
    check(&parse("x", &"(} é".repeat(200_000)).diagnostics, "");
    let late = format!("{} (local) (let)", "é".repeat(1_000_000));
    let found = compile("x", &late, &options()).unwrap_err();
    check(&found, "");
    assert!(found.iter().any(|one| one.column == 1_000_002 && one.rendered().contains('^')));
}

#[test]
fn huge_texts_compile() {
    for text in [
        "(print 1)\n".repeat(100_000),
        format!("(print \"{}\")", "x".repeat(8 << 20)),
        format!("(-> 1 {})", "(+ 1) ".repeat(20)),
        "; comment\n".repeat(100_000),
    ] {
        assert!(compile("x", &text, &options()).is_ok());
    }
    let steps = format!("(-> 1 {})", "(+ 1) ".repeat(100_000));
    let told = refused(&steps, &options());
    assert!(told.message.contains("deep"), "{told}");
}

#[test]
fn macros_without_an_end_are_stopped() {
    for (program, line, word) in [
        ("(macro f []\n (while true nil))\n(f)", 3, "longer"),
        ("(macro f [] `(f))\n\n(f)", 3, ""),
        ("(macro f [] `(do (f) (f)))\n(f)", 2, ""),
        ("(macro f [x] `(f (f ,x)))\n(f 1)", 2, ""),
        ("(macro f [x] (macroexpand `(f ,x)))\n(f 1)", 2, ""),
        ("(macro f [] (var t []) (while true (set t [t t])))\n(f)", 2, ""),
        ("(macro f [] (var s :x) (while true (set s (.. s s))))\n(f)", 2, ""),
        ("(macro f [] (string.rep :x 1000000000))\n(f)", 2, ""),
        ("(macro f [] (let [t [1]] (tset t 1 t) t))\n(f)", 2, "deep"),
        ("(macro f [] (let [t (list)] (tset t 1 t) t))\n(f)", 2, "deep"),
        ("(macro f [] (let [t []] (for [i 1 2000000] (tset t i i)) t))\n(f)", 2, ""),
        ("(macro f [] (var t 1) (for [i 1 2000] (set t (list t))) t)\n(f)", 2, "deep"),
        ("(macro f [] (fn []))\n(f)", 2, "function"),
        ("(macro f [] (error {:a 1}))\n(f)", 2, ""),
        ("(macro f [] (setmetatable {} {:__index #(error :x)}))\n(f.x)", 2, ""),
        ("(eval-compiler (while true nil))", 1, "longer"),
        ("(macros {:f (fn [] (f))})\n(f)", 1, "f"),
    ] {
        let told = refused(program, &options());
        assert_eq!(told.line, line, "{told}\n{program}");
        assert!(told.message.contains(word), "{told}\n{program}");
    }
}

#[test]
fn macros_may_change_what_they_are_given() {
    let program = "(macro f [t] (tset t 1 (sym :print)) (table.insert t 5) t)\n(f (nothing 1 2))";
    assert_eq!(compile("x", program, &Options::default()).unwrap().lua, "return print(1, 2, 5)\n");
    let shared = "(macro f [x] `[,x ,x])\n(f (f (f (f [1]))))";
    assert!(compile("x", shared, &Options::default()).is_ok());
}

#[test]
fn macro_modules_are_refused_where_they_are_wrong() {
    let files = Files(&[
        ("circle", "(import-macros {: a} :circle2)\n{:a (fn [] 1)}"),
        ("circle2", "(import-macros {: a} :circle)\n{:a (fn [] 1)}"),
        ("myself", "(require :myself)"),
        ("wrong", "{:a\n (fn [x]\n  (unknown-name x))}"),
        ("open", "{:a\n (fn [x] x"),
        ("fails", "\n\n(error :deliberate)"),
        ("number", "5"),
        ("numbers", "{:a 5}"),
        ("endless", "(while true nil)"),
        ("included", "(include :included)\n(print 1)"),
        ("includes-wrong", "(let [x 1])"),
    ]);
    let options = Options { modules: Rc::new(files), include: Include::Embed, ..options() };
    for (program, file, line, word) in [
        ("(import-macros {: a} :circle)", "circle2.fnl", 1, "circle"),
        ("\n(import-macros {: a} :myself)", "main.fnl", 2, "circle"),
        ("(import-macros {: a} :wrong)", "wrong.fnl", 3, "unknown-name"),
        ("(import-macros {: a} :open)", "open.fnl", 2, "never closed"),
        ("\n(import-macros {: a} :fails)", "", 0, "deliberate"),
        ("\n(import-macros {: a} :number)", "main.fnl", 2, "number"),
        ("\n(import-macros {: a} :numbers)", "main.fnl", 2, "a"),
        ("\n(require-macros :numbers)", "main.fnl", 2, "a"),
        ("\n(import-macros {: a} :endless)", "", 0, "longer"),
        ("\n(import-macros {: a} :none)", "main.fnl", 2, "none"),
        ("(include :includes-wrong)", "includes-wrong.fnl", 1, "body"),
    ] {
        let told = refused(program, &options);
        assert!(file.is_empty() || &*told.file == file, "{told}\n{program}");
        assert!(line == 0 || told.line == line, "{told}\n{program}");
        assert!(told.message.contains(word), "{told}\n{program}");
    }
    assert!(compile("main.fnl", "(include :included)", &options).is_ok());
}
