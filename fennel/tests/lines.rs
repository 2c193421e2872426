//! An error that a program raises is told on the line of the form that raises it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "a panic is the failure report of a test"
)]

use fennel::{Options, compile};
use mlua::Lua;
use proptest::prelude::*;

/// Forms of one line that fail.
const FAILING: [&str; 12] = [
    "(error :boom)",
    "(. nothing :x)",
    "(nothing)",
    "(+ 1 nothing)",
    "(nothing.x.y)",
    "(t:missing 1)",
    "(.. :a nothing)",
    "(< 1 nothing)",
    "(length nothing)",
    "(- nothing)",
    "(let [[a] nothing] a)",
    "(tset nothing :a 1)",
];

/// What a failing form can stand in, at `@`, on a line of its own.
const AROUND: [&str; 48] = [
    "(do\n@\n1)",
    "(do 1\n@)",
    "(let [x\n@\ny 2]\n(f x y))",
    "(let [x 1]\n@)",
    "(let [x 1]\n@\nx)",
    "(if\n@\n1\n2)",
    "(if true\n@\n2)",
    "(if false 1\n@)",
    "(if false 1\n@\n2\n3)",
    "(when true\n@\n(f 1))",
    "(print 1\n@\n2)",
    "(print 1 2\n@)",
    "(f\n@)",
    "(+ 1\n@\n2)",
    "(+ (f 1)\n(f 2)\n@)",
    "(.. :a\n@\n:b)",
    "(and true\n@\ntrue)",
    "(or false\n@)",
    "(not\n@)",
    "(= 1\n@)",
    "[1\n@\n2]",
    "[1 2\n@]",
    "{:a 1\n:b\n@\n:c 3}",
    "{:a\n{:b\n@}}",
    "(values\n@)",
    "(case\n@\n1 2\nx 3)",
    "(case 1\n1\n@)",
    "(case 1\n(where x\n@)\n1)",
    "(case [1]\n[x]\n(f\n@))",
    "(match 1\nx\n@)",
    "((fn []\n@))",
    "((fn [x]\n(f x)\n@\nx) 1)",
    "(#(f\n@))",
    "(each [_ x (ipairs [1])]\n@)",
    "(each [_ x\n(ipairs\n@)]\n(f 1))",
    "(for [i 1\n@]\n(f i))",
    "(for [i 1 2]\n(f i)\n@)",
    "(while\n@\n(f 1))",
    "(while true\n@\n(f 1))",
    "(icollect [_ x (ipairs [1])]\n@)",
    "(accumulate [s 1 _ x (ipairs [1])]\n@)",
    "(-> 1\n(f)\n(+\n@))",
    "(local x\n@)",
    "(var x\n@)",
    "(set v\n@)",
    "(tset t :a\n@)",
    "(set t.a\n@)",
    "(doto t\n(tset :a\n@))",
];

/// A program with a failing form inside of others, and the line of that form.
fn program(failing: &str, around: &[&str], before: usize) -> (String, usize) {
    let mut code = failing.to_owned();
    for shape in around {
        code = shape.replace('@', &code);
    }
    let prelude = "(local nothing nil)\n(local t {})\n(var v 1)\n(fn f [x ...] x)\n";
    let program = format!("{prelude}{}{code}\n(f 1)\n", "(f 1)\n".repeat(before));
    let mark = program.rfind(failing).unwrap();
    let line = program[..mark].matches('\n').count() + 1;
    (program, line)
}

/// Whether the form binds a name, which it may do as a statement only.
fn is_statement(shape: &str) -> bool {
    shape.starts_with("(local") || shape.starts_with("(var")
}

/// The line where a program is told to fail.
fn failed_at(source: &str) -> Option<usize> {
    let output = match compile("lines.fnl", source, &Options::default()) {
        Ok(output) => output,
        Err(found) => panic!("{}\n{source}", found[0].rendered()),
    };
    let outcome = Lua::new().load(&output.lua).set_name("=lines").exec();
    let message = outcome.expect_err(source).to_string();
    let at = message.split("lines:").nth(1).and_then(|rest| rest.split(':').next()?.parse().ok());
    let (_, line) = output.map.origin(at?)?;
    Some(line as usize)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_error_is_told_on_the_line_of_its_form(
        failing in prop::sample::select(&FAILING[..]),
        around in prop::collection::vec(prop::sample::select(&AROUND[..]), 1..4),
        before in 0_usize..3,
    ) {
        let last = around.len() - 1;
        let around: Vec<&str> = around.iter().enumerate()
            .map(|(at, shape)| if at < last && is_statement(shape) { AROUND[0] } else { shape })
            .collect();
        let (program, line) = program(failing, &around, before);
        let found = failed_at(&program);
        prop_assert_eq!(found, Some(line), "\n{}", program);
    }
}
