//! Texts of a session see what the earlier ones bound.

#![allow(clippy::unwrap_used, reason = "a panic is the failure report of a test")]

use std::time::Duration;

use fennel::{MacroLimits, Options, Session, compile};
use mlua::{Lua, Value};

struct Repl {
    session: Session,
    lua: Lua,
}

impl Repl {
    fn new() -> Self {
        let globals = ["print", "pairs", "tostring", "table", "error"].map(str::to_owned).to_vec();
        let options = Options { globals: Some(globals.into()), ..Options::default() };
        Repl { session: Session::new(options), lua: Lua::new() }
    }

    fn say(&mut self, text: &str) -> String {
        match self.session.compile("repl", text) {
            Ok(output) => match self.lua.load(&output.lua).eval::<Value>() {
                Ok(value) => value.to_string().unwrap(),
                Err(error) => error.to_string().lines().next().unwrap().to_owned(),
            },
            Err(found) => found[0].message.clone(),
        }
    }
}

#[test]
fn locals_functions_vars_and_macros_live_on() {
    let mut repl = Repl::new();
    repl.say("(local x 20) (var n 1)");
    repl.say("(fn twice [a] (set n (+ n 1)) (* a 2))");
    assert_eq!(repl.say("(+ (twice x) n)"), "42");
    repl.say("(macro inc [a] `(+ ,a 1))");
    assert_eq!(repl.say("(inc x)"), "21");
    repl.say("(local {:a [y z]} {:a [3 4]})");
    assert_eq!(repl.say("(.. y z)"), "34");
}

#[test]
fn a_name_can_be_bound_again_and_closures_keep_theirs() {
    let mut repl = Repl::new();
    repl.say("(local x 1) (fn old [] x)");
    repl.say("(local x 2)");
    assert_eq!(repl.say("(.. (old) x)"), "12");
}

#[test]
fn locals_of_inner_scopes_do_not_live_on() {
    let mut repl = Repl::new();
    assert_eq!(repl.say("(let [inner 5] inner)"), "5");
    assert_eq!(repl.say("inner"), "unknown identifier: inner");
    assert_eq!(repl.say("(do (local inner 6) inner)"), "6");
    assert_eq!(repl.say("inner"), "unknown identifier: inner");
}

#[test]
fn a_text_that_does_not_compile_leaves_nothing() {
    let mut repl = Repl::new();
    assert_eq!(repl.say("(local x 1) (let)"), "let needs bindings and a body");
    assert_eq!(repl.say("x"), "unknown identifier: x");
    assert_eq!(repl.say("(global g 7)"), "nil");
    assert_eq!(repl.say("g"), "7");
}

#[test]
fn the_time_of_macros_is_that_of_one_text() {
    let limits = MacroLimits { running: Duration::from_millis(100), ..MacroLimits::default() };
    let mut session = Session::new(Options { limits, ..Options::default() });
    assert!(session.compile("repl", "(macro f [] (while true nil)) (f)").is_err());
    assert!(session.compile("repl", "(macro f [] 1) (f)").is_ok());
}

#[test]
fn a_map_names_the_files_of_its_own_lines_only() {
    let mut session = Session::new(Options::default());
    session.compile("first", "(local a 1)").unwrap();
    let map = session.compile("second", "(local b\n (print a))").unwrap().map;
    assert_eq!(map.files.iter().map(|name| &**name).collect::<Vec<_>>(), ["second"]);
    let walked: Vec<_> = map.origins().collect();
    let asked: Vec<_> = (1..=map.lines.len()).map(|line| map.origin(line as u32)).collect();
    assert_eq!(walked, asked);
    assert!(walked.contains(&Some(("second", 2))));
}

#[test]
fn the_output_tells_of_lua_that_may_go_over_lines() {
    let has_raw_lines =
        |text: &str| compile("main", text, &Options::default()).unwrap().has_raw_lines;
    assert!(has_raw_lines("(lua \"local x = [[\\n]]\")"));
    assert!(has_raw_lines("(print (lua nil \"1 -- one\"))"));
    assert!(!has_raw_lines("(let [[a & b] [\"[[\" \"--\"]] (lua \"print(1)\") (.. a \"\\n\"))"));
}
