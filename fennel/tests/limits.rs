//! What Lua cannot hold is refused at its place; all else loads.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "a panic is the failure report of a test"
)]

mod shapes;

use fennel::{Options, compile};
use mlua::Lua;
use shapes::{DEEP, Shape, WIDE};

/// A stack as small as threads of other runtimes have it.
const SMALL_STACK: usize = 512 << 10;

/// What is wrong with how a program compiles, if anything is.
fn problem(source: &str) -> Option<String> {
    match compile("shape.fnl", source, &Options::default()) {
        Ok(output) => {
            let loaded = Lua::new().load(&output.lua).into_function();
            loaded.err().map(|error| format!("Lua refuses it: {error}"))
        }
        Err(found) => {
            let told = &found[0];
            let says = ["too many", "too deeply", "deep", "too large", "too long"]
                .iter()
                .any(|words| told.message.contains(words));
            (!says || told.help.is_none() || found.len() > 1).then(|| {
                format!(
                    "{} faults: {}",
                    found.len(),
                    told.rendered().chars().take(300).collect::<String>()
                )
            })
        }
    }
}

fn check(shapes: &'static [Shape], sizes: &'static [usize]) {
    let run = move || {
        let mut wrong = Vec::new();
        for (name, write) in shapes {
            for &size in sizes {
                if let Some(problem) = problem(&write(size)) {
                    wrong.push(format!("{name} × {size}: {problem}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    };
    let thread = std::thread::Builder::new().stack_size(SMALL_STACK).spawn(run).unwrap();
    if let Err(cause) = thread.join() {
        std::panic::resume_unwind(cause);
    }
}

#[test]
fn deep_programs_load_or_are_refused() {
    check(DEEP, &[1, 12, 40, 90, 160, 450]);
}

#[test]
fn wide_programs_load_or_are_refused() {
    check(WIDE, &[1, 50, 149, 201, 600]);
}

#[test]
fn locals_beyond_what_lua_holds_keep_their_values() {
    let locals = shapes::row(300, |i| format!("(var a{i} (f {i}))"));
    let changes = shapes::row(300, |i| format!("(set a{i} (+ a{i} 1))"));
    let uses = shapes::row(300, |i| format!("(f a{i}) (if (f true) a{i} 0) #a{i}"));
    let program = format!(
        "(fn f [x] x) {locals} {changes} (var sum 0)
         (each [_ x (ipairs [{uses}])] (set sum (+ sum (if (= (type x) :function) (x) x))))
         sum"
    );
    let output = compile("locals.fnl", &program, &Options::default()).unwrap();
    let sum: i64 = Lua::new().load(&output.lua).eval().unwrap();
    assert_eq!(sum, 3 * (1..=300).map(|i| i + 1).sum::<i64>());
}
