//! Texts of a session see what the earlier ones bound.

#![allow(clippy::unwrap_used, reason = "a panic is the failure report of a test")]

use fennel::{Options, Session};
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
    assert_eq!(
        repl.say("(local x 1) (let)"),
        "let needs bindings and a body: (let [name value] …)"
    );
    assert_eq!(repl.say("x"), "unknown identifier: x");
    assert_eq!(repl.say("(global g 7)"), "nil");
    assert_eq!(repl.say("g"), "7");
}
