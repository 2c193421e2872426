//! What code in a sandbox finds, and how its errors come out.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{MultiValue, Value};

use super::*;

fn run(source: &str) -> Result<MultiValue, Halt> {
    let sandbox = Sandbox::new(Limits::default(), |_| {})?;
    let function = sandbox.load(source, "=macro", None)?;
    let values = sandbox.call(&function, ());
    // The sandbox goes away; what is compared holds no reference into it.
    values.map(|values| {
        values
            .into_iter()
            .map(|value| match value {
                Value::String(text) => Value::Boolean(text.to_string_lossy() == "yes"),
                other => other,
            })
            .collect()
    })
}

fn holds(source: &str) {
    let values = run(source).unwrap_or_else(|halt| panic!("{source}: {halt:?}"));
    assert_eq!(values.front(), Some(&Value::Boolean(true)), "{source}");
}

fn failure(source: &str) -> (String, Vec<String>) {
    match run(source) {
        Err(Halt::Failed { message, traceback }) => (message, traceback),
        other => panic!("{source}: {other:?}"),
    }
}

#[test]
fn nothing_reaches_outside() {
    for name in [
        "io",
        "os",
        "debug",
        "package",
        "require",
        "load",
        "loadfile",
        "dofile",
        "collectgarbage",
        "warn",
        "string.dump",
    ] {
        holds(&format!("return {name} == nil"));
    }
    holds("return _G.string == string and _G._G == _G");
}

#[test]
fn the_safe_libraries_are_there() {
    holds("return ('a'):rep(3) == 'aaa' and ('x,y'):find(',', 1, true) == 2");
    holds("return table.concat({1, 2, 3}, '-') == '1-2-3' and math.type(1) == 'integer'");
    holds("return utf8.len('åä') == 2");
    holds("local t = {3, 1, 2} table.sort(t, function(a, b) return a > b end) return t[1] == 3");
    holds("return coroutine.wrap(function(a) coroutine.yield(a) end)(true)");
    holds(
        "local c = coroutine.create(function() coroutine.yield() end) coroutine.resume(c) return coroutine.close(c)",
    );
    holds("return ('hello'):gsub('l', {l = 'L'}) == 'heLLo'");
    holds("return ('hello'):gsub('(h)(e)', '%2%1') == 'ehllo'");
    holds("local n = 0 for k, v in ('a=1,b=2'):gmatch('(%w)=(%w)') do n = n + v end return n == 3");
    holds("local ok, e = xpcall(error, function(m) return m .. '!' end, 'x') return e == 'x!'");
    holds("return select('#', xpcall(function() return nil, nil end, print)) == 3");
}

#[test]
fn lines_of_print_go_to_the_callback() {
    let lines = Rc::new(RefCell::new(Vec::new()));
    let seen = lines.clone();
    let print = move |line: &str| seen.borrow_mut().push(line.to_owned());
    let sandbox = Sandbox::new(Limits::default(), print).unwrap();
    let function = sandbox.load("print('a', 1, nil) print()", "=macro", None).unwrap();
    sandbox.call(&function, ()).unwrap();
    assert_eq!(*lines.borrow(), ["a\t1\tnil", ""]);
}

#[test]
fn an_error_has_its_place_and_its_callers() {
    let (message, traceback) = failure("local function f()\n error('boo')\nend\nf()");
    assert_eq!(message, "macro:2: boo");
    assert!(traceback.iter().any(|line| line.starts_with("macro:4:")), "{traceback:?}");
    assert!(traceback.iter().all(|line| !line.starts_with('?')), "{traceback:?}");
}

#[test]
fn an_error_of_a_host_function_names_the_line_of_its_caller() {
    assert_eq!(
        failure("\nlocal s = ('x'):rep(1e9)").0,
        "macro:2: resulting string too large (string.rep makes at most 1048576 bytes)"
    );
    assert_eq!(failure("\n\n('x'):find('[')").0, "macro:3: malformed pattern (missing ']')");
    assert_eq!(
        failure("table.insert(nil, 1)").0,
        "macro:1: bad argument #1 to 'insert' (table expected, got no value)"
    );
}

#[test]
fn any_value_can_be_raised() {
    assert_eq!(failure("error({message = 'm'})").0, "m");
    assert_eq!(failure("error(nil)").0, "nil was raised");
    assert_eq!(
        failure("error(setmetatable({}, {__tostring = function() while true do end end}))").0,
        "a table was raised that has no `message`"
    );
    assert_eq!(failure("error(print)").0, "a function was raised");
}

#[test]
fn a_syntax_error_is_a_failure() {
    assert!(failure("x =").0.contains("macro:1:"));
}

#[test]
fn an_own_environment_hides_the_globals() {
    let sandbox = Sandbox::new(Limits::default(), |_| {}).unwrap();
    let environment = sandbox.lua().create_table().unwrap();
    environment.raw_set("x", 7).unwrap();
    let function = sandbox.load("return x, print", "=m", Some(environment)).unwrap();
    let values = sandbox.call(&function, ()).unwrap();
    assert_eq!(values.into_vec(), [Value::Integer(7), Value::Nil]);
}

#[test]
fn a_panic_of_the_host_is_an_error_of_the_call() {
    let sandbox = Sandbox::new(Limits::default(), |_| panic!("print broke")).unwrap();
    let function = sandbox.load("print('x')", "=m", None).unwrap();
    assert!(matches!(sandbox.call(&function, ()), Err(Halt::Failed { .. })));
    let function = sandbox.load("return pcall(print, 'x')", "=m", None).unwrap();
    assert_eq!(sandbox.call(&function, ()).unwrap().front(), Some(&Value::Boolean(false)));
}

#[test]
fn a_call_within_a_call_shares_its_time() {
    let limits = Limits { running: Duration::from_millis(100), ..Limits::default() };
    let sandbox = Rc::new(Sandbox::new(limits, |_| {}).unwrap());
    let endless = sandbox.load("while true do end", "=inner", None).unwrap();
    let inner = Rc::downgrade(&sandbox);
    let nested = move |_: &Lua, ()| {
        let sandbox = inner.upgrade().ok_or("gone")?;
        sandbox.call(&endless, ()).map(|_| ()).map_err(|halt| Refusal(halt.to_string()))
    };
    let nested = sandbox.natives().function(sandbox.lua(), nested).unwrap();
    let outer = sandbox.load("local f = ... while true do pcall(f) end", "=outer", None).unwrap();
    let halt = sandbox.call(&outer, nested).unwrap_err();
    assert!(matches!(halt, Halt::Stopped { limit: Limit::Time(_), .. }), "{halt:?}");
    let fine = sandbox.load("local n = 0 for i = 1, 10000 do n = n + 1 end return n", "=m", None);
    assert_eq!(sandbox.call(&fine.unwrap(), ()).unwrap().front(), Some(&Value::Integer(10000)));
}

#[test]
fn words_about_memory_are_no_want_of_it() {
    // Without a place before them they are what Lua itself raises.
    for source in ["error('not enough memory')", "error('there is not enough memory', 0)"] {
        assert!(failure(source).0.ends_with("not enough memory"), "{source}");
    }
    assert!(failure("x = 'not enough memory").0.contains("unfinished string"));
}
