//! What a script finds in its globals, and that it behaves as Lua's manual says.

use std::cell::RefCell;
use std::rc::Rc;

use fen_script::vm::{Vm, VmConfig};

use crate::kit::{fails, ok, vm};

#[test]
fn nothing_reaches_the_machine() {
    let vm = vm();
    for name in [
        "io",
        "debug",
        "dofile",
        "loadfile",
        "loadstring",
        "warn",
        "string.dump",
        "os.exit",
        "os.execute",
        "os.remove",
        "os.rename",
        "os.tmpname",
        "os.getenv",
        "os.setlocale",
        "package.loadlib",
        "package.cpath",
        "package.path",
        "package.searchers",
        "package.preload",
        "package.config",
        "package.loaded.io",
        "package.loaded.debug",
    ] {
        assert!(ok::<bool>(&vm, &format!("return {name} == nil")), "{name} is there");
    }
    for name in [
        "os.time",
        "os.date",
        "os.clock",
        "os.difftime",
        "string.pack",
        "utf8.char",
        "math.pi",
        "_G",
        "_VERSION",
    ] {
        assert!(ok::<bool>(&vm, &format!("return {name} ~= nil")), "{name} is missing");
    }
}

#[test]
fn the_globals_are_these_and_no_others() {
    let names: String = ok(
        &vm(),
        "local names = {} for name in pairs(_G) do names[#names + 1] = name end
         table.sort(names) return table.concat(names, ' ')",
    );
    assert_eq!(
        names,
        "_G _VERSION assert collectgarbage coroutine error getmetatable ipairs load math next os \
         package pairs pcall print rawequal rawget rawlen rawset require select setmetatable string \
         table tonumber tostring type utf8 xpcall"
    );
    assert_eq!(names, fen_script::vm::GLOBALS.join(" "), "the names that compilers know");
}

#[test]
fn bytecode_never_loads() {
    let (chunk, words): (Option<bool>, String) = ok(
        &vm(),
        "local f, w = load('\\27Lua' .. ('x'):rep(100)) return f ~= nil and true or nil, w",
    );
    assert!(chunk.is_none() && words.contains("attempt to load a binary chunk"), "{words}");
    let words: String = ok(&vm(), "return select(2, load('return 1', 'x', 'b'))");
    assert!(words.contains("mode is 'b'"), "{words}");
    let words: String = ok(&vm(), "return select(2, load(function() return '\\27Lua' end))");
    assert!(!words.is_empty());
    let error = vm().load_source(&fen_script::language::Lua, "\u{1b}Lua", "b.lua").unwrap_err();
    assert!(error.message.contains("binary chunk"), "{error}");
}

#[test]
fn load_loads_text() {
    let vm = vm();
    assert_eq!(ok::<i64>(&vm, "return load('return 1 + 1')()"), 2);
    assert_eq!(ok::<i64>(&vm, "return load('return x', 'c', 't', {x = 7})()"), 7);
    assert_eq!(
        ok::<i64>(
            &vm,
            "local p = {'return ', '4', '2'} local i = 0
        return load(function() i = i + 1 return p[i] end)()"
        ),
        42
    );
    assert!(ok::<bool>(&vm, "return pcall(load('return print', 'c', 't', nil)) == false"));
    let words: String = ok(&vm, "return select(2, load('= =', '=c'))");
    assert_eq!(words, "c:1: unexpected symbol near '='");
}

#[test]
fn finalizers_are_refused_and_the_collector_keeps_running() {
    let error = fails(&vm(), "setmetatable({}, {__gc = function() end})");
    assert_eq!(
        error.to_string(),
        "extension test: test.lua:1: a metatable with '__gc' is not available here"
    );
    for option in ["stop", "restart", "incremental", "generational", "setpause", "setstepmul"] {
        let error = fails(&vm(), &format!("collectgarbage('{option}')"));
        assert!(error.message.contains("not available here"), "{error}");
    }
    assert!(ok::<bool>(
        &vm(),
        "collectgarbage() collectgarbage('step') return collectgarbage('count') > 0 and collectgarbage('isrunning')"
    ));
}

#[test]
fn print_goes_to_the_sink() {
    let lines = Rc::new(RefCell::new(Vec::new()));
    let mut config = VmConfig::new("test");
    let sink = lines.clone();
    config.print = Box::new(move |line| sink.borrow_mut().push(line.to_owned()));
    let vm = Vm::new(config).unwrap();
    ok::<()>(&vm, "print('a', 1, nil, true) print() print('\\xff')");
    assert_eq!(*lines.borrow(), ["a\t1\tnil\ttrue", "", "\u{fffd}"]);
}

#[test]
fn large_repetitions_are_refused_at_once() {
    let vm = vm();
    for source in [
        "('x'):rep(1 << 40)",
        "('xy'):rep(math.maxinteger)",
        "('x'):rep(2, ('y'):rep(1000000):rep(2))",
        "('x'):rep(2000000)",
    ] {
        let error = fails(&vm, &format!("return {source}"));
        assert!(error.message.contains("too large"), "{source}: {error}");
    }
    assert_eq!(
        ok::<String>(
            &vm,
            "return ('ab'):rep(3, ',') .. ('x'):rep(0) .. ('x'):rep(-1) .. (''):rep(math.maxinteger)"
        ),
        "ab,ab,ab"
    );
}

#[test]
fn formats_with_large_widths_end_at_once() {
    let error = fails(&vm(), "return string.format('%99999d', 1)");
    assert!(error.message.contains("invalid"), "{error}");
    assert_eq!(error.line, Some(1));
    let error = fails(&vm(), "return os.date(('%c'):rep(100000))");
    assert!(error.message.contains("longer than 1000 bytes"), "{error}");
    assert_eq!(ok::<String>(&vm(), "return os.date('!%Y-%m-%d', 0)"), "1970-01-01");
    let error = fails(&vm(), "return string.format('%d', 'x')");
    assert_eq!(error.message, "bad argument #2 to 'format' (number expected, got string)");
}

/// Each gives `true`; all of them hold in the reference implementation too.
const AS_IN_LUA: &[&str] = &[
    "local t = {3, 1, 2} table.sort(t) return table.concat(t) == '123'",
    "local t = {'b', 'a'} table.sort(t, function(a, b) return a > b end) return t[1] == 'b'",
    "local t = {} for i = 1, 500 do t[i] = (i * 7919) % 503 end
     table.sort(t, function(a, b) return a < b end)
     for i = 2, #t do if t[i] < t[i - 1] then return false end end return #t == 500",
    "local ok, words = pcall(table.sort, {1, 'x'}) return not ok and words:find('attempt to compare', 1, true) ~= nil",
    "local t = {} table.insert(t, 'a') table.insert(t, 1, 'b') return t[1] == 'b' and t[2] == 'a'",
    "return not pcall(table.insert, {}, 5, 1) and not pcall(table.insert, {}) and not pcall(table.insert, nil, 1)",
    "local t = {1, 2, 3} return table.remove(t) == 3 and table.remove(t, 1) == 1 and #t == 1",
    "return table.remove({}) == nil and table.remove({}, 0) == nil",
    "local p = setmetatable({}, {}) table.insert(p, 1) table.insert(p, 1, 0) return p[1] == 0 and p[2] == 1 and table.remove(p, 1) == 0 and p[1] == 1 and table.remove(p) == 1 and #p == 0",
    "local t = table.move({1, 2, 3}, 1, 3, 2) return table.concat(t) == '1123'",
    "local t = table.move({1, 2, 3}, 2, 3, 1, {}) return #t == 2 and t[1] == 2",
    "local big = {} for i = 1, 20000 do big[i] = i end
     table.move(big, 1, 20000, 2) return big[1] == 1 and big[2] == 1 and big[20001] == 20000",
    "local m = setmetatable({1, 2, 3}, {}) return table.concat(m, '-') == '1-2-3' and table.concat(m, ',', 2, 3) == '2,3'",
    "return not pcall(table.concat, {1, {}, 3}) and not pcall(table.concat, setmetatable({1, {}}, {}))",
    "return select('#', table.unpack({}, 1, 3)) == 3 and not pcall(table.unpack, {}, 1, 1e8)",
    "local ok, a, b = xpcall(function(x) return x, 2 end, print, 1) return ok and a == 1 and b == 2",
    "local ok, w = xpcall(error, function(m) return m .. '!' end, 'x') return not ok and w == 'x!'",
    "return not pcall(xpcall, print)",
    "local t = {} return setmetatable(t, {__index = {x = 1}}) == t and t.x == 1 and getmetatable(t) ~= nil",
    "return not pcall(setmetatable, setmetatable({}, {__metatable = 1}), {})",
    "local s = 0 for w in ('a1 b2'):gmatch('%a(%d)') do s = s + w end return s == 3",
    "local n = 0 for _ in ('abc'):gmatch('') do n = n + 1 end return n == 4",
    "local s, n = ('hello world'):gsub('o', '0') return s == 'hell0 w0rld' and n == 2",
    "local s = ('hello'):gsub('l', {l = 'L'}) return s == 'heLLo'",
    "local s, n = ('abc'):gsub('%w', '%0%0', 2) return s == 'aabbc' and n == 2",
    "local s = ('abc'):gsub('', '-') return s == '-a-b-c-'",
    "local s, n = ('aaa'):gsub('^a', 'b') return s == 'baa' and n == 1",
    "local s, n = ('aaa'):gsub('^a', function() return 'b' end) return s == 'baa' and n == 1",
    "local s = ('x y'):gsub('%a', function(c) if c == 'x' then return nil end return false end) return s == 'x y'",
    "return not pcall(string.gsub, 'x', 'x', function() return {} end) and not pcall(string.gsub, 'x', 'x', true)",
    "local s = ('abc'):gsub('()b', function(p) return p end) return s == 'a2c'",
    "return ('x'):find('x', 1, true) == 1 and ('a.b'):find('.', 2, true) == 2 and ('abc'):find('z') == nil",
    "return ('abc'):find('b', -2) == 2 and ('abc'):find('', 10) == nil and ('abc'):find('', 4) == 4",
    "return string.find(123, 2) == 2 and string.rep(1, 2) == '11'",
    "local co = coroutine.running() return type(co) == 'thread'",
    "local co = coroutine.wrap(function(...) local a = coroutine.yield(select('#', ...)) return a end)
     return co(nil, nil) == 2 and co('z') == 'z'",
    "return utf8.len('äö') == 2 and utf8.char(228) == 'ä' and #utf8.charpattern > 0",
    "return tonumber('0x10') == 16 and tonumber('z', 36) == 35 and tonumber('x') == nil",
    "local n = 0 for p, c in utf8.codes('äb') do n = n + c end return n == 228 + 98",
];

#[test]
fn the_replaced_functions_behave_as_luas_own() {
    let reference = fen_script::mlua::Lua::new();
    let vm = vm();
    for source in AS_IN_LUA {
        assert_eq!(reference.load(*source).eval::<bool>().ok(), Some(true), "in Lua: {source}");
        assert!(ok::<bool>(&vm, source), "{source}");
    }
}

#[test]
fn errors_of_the_replaced_functions_are_at_the_callers_line() {
    for (source, words) in [
        (
            "\nlocal t = table.concat({{}})",
            "invalid value (table) at index 1 in table for 'concat'",
        ),
        (
            "\nlocal t = table.concat(setmetatable({{}}, {}))",
            "invalid value (table) at index 1 in table for 'concat'",
        ),
        ("\nlocal x = ('x'):find('[')", "malformed pattern (missing ']')"),
        ("\nfor _ in ('x'):gmatch('%') do end", "malformed pattern (ends with '%')"),
        ("\nlocal x = ('x'):gsub('(', function() end)", "unfinished capture"),
        ("\nlocal x = ('x'):gsub('x', '%9')", "invalid capture index %9"),
        ("\ntable.insert({}, 3, 4)", "bad argument #2 to 'insert' (position out of bounds)"),
        (
            "\nlocal x = coroutine.resume(1)",
            "bad argument #1 to 'resume' (thread expected, got number)",
        ),
        (
            "\nlocal x = coroutine.status()",
            "bad argument #1 to 'status' (thread expected, got no value)",
        ),
        (
            "\nlocal x = coroutine.close(coroutine.running())",
            "cannot close a coroutine that is running or waiting",
        ),
        (
            "\nlocal x = setmetatable(1, {})",
            "bad argument #1 to 'setmetatable' (table expected, got number)",
        ),
        (
            "\nlocal x = load(1)",
            "bad argument #1 to 'load' (string or function expected, got number)",
        ),
        ("\ntable.move({}, 1, 'x', 1)", "bad argument #3 to 'move' (number expected, got string)"),
        (
            "\nlocal x = ('x'):gmatch()",
            "bad argument #2 to 'gmatch' (string expected, got no value)",
        ),
        (
            "\nlocal x = ('x'):gsub('x')",
            "bad argument #3 to 'gsub' (string/function/table expected, got no value)",
        ),
        ("\ntable.sort({1, 'x'})", "attempt to compare number with string"),
        (
            "\nlocal x = string.rep('x', 1e9)",
            "resulting string too large (string.rep makes at most 1048576 bytes)",
        ),
        ("\ncoroutine.wrap(1)", "bad argument #1 to 'wrap' (function expected, got number)"),
        (
            "\nlocal x = require('a..b')",
            "'a..b' is no module name: it is made of words between dots",
        ),
    ] {
        let error = fails(&vm(), source);
        assert_eq!((error.message.as_str(), error.line), (words, Some(2)), "{source}");
    }
}
