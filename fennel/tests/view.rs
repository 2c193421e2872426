//! Values as `fennel.view` of Fennel 1.6 shows them; the expected texts were taken from there.

#![allow(clippy::unwrap_used, clippy::panic)]

use mlua::{Lua, Table, Value};

fn shown(lua: &Lua, source: &str) -> Result<String, String> {
    let (value, options): (Value, Option<Table>) =
        lua.load(format!("return {source}")).eval().unwrap();
    let text =
        fennel::view::view(lua, &value, options.as_ref()).map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&text.as_bytes()).into_owned())
}

fn all(cases: &[(&str, &str)]) {
    let lua = Lua::new();
    for (source, expected) in cases {
        assert_eq!(shown(&lua, source).as_deref(), Ok(*expected), "{source}");
    }
}

#[test]
fn plain_values() {
    all(&[
        ("nil", "nil"),
        ("true", "true"),
        ("1/0", ".inf"),
        ("-1/0", "-.inf"),
        ("-(0/0)", ".nan"),
        ("0/0", "-.nan"),
        ("-0.0", "-0.0"),
        ("1.0", "1.0"),
        ("1/3", "0.33333333333333"),
        ("1e14", "1e+14"),
        ("1e15", "1e+15"),
        ("1e23", "1e+23"),
        ("2^49", "5.6294995342131e+14"),
        ("2^53", "9.007199254740992e+15"),
        ("2^63", "9.223372036854776e+18"),
        ("5e-324", "4.9406564584125e-324"),
        ("1e-7", "1e-07"),
        ("3.0e10", "30000000000.0"),
        ("math.mininteger", "-9223372036854775808"),
        ("123456789012345678", "123456789012345678"),
    ]);
}

#[test]
fn strings() {
    all(&[
        ("'a\\nb'", "\"a\nb\""),
        ("'a\\nb', {['escape-newlines?'] = true}", "\"a\\nb\""),
        (
            "'\\n' .. ('x'):rep(79), {['escape-newlines?'] = true}",
            &format!("\"\n{}\"", "x".repeat(79)),
        ),
        ("'\\0\\1\\a\\b\\t\\v\\f\\r\\27\\127'", "\"\\000\\001\\a\\b\\t\\v\\f\\r\\027\\127\""),
        ("'a\"b\\\\c'", "\"a\\\"b\\\\c\""),
        ("'é ✓ \\xe9\\xed\\xa0\\x80'", "\"é ✓ \\233\\237\\160\\128\""),
        ("'é\\27', {['utf8?'] = false}", "\"é\\027\""),
        ("'abc', {['prefer-colon?'] = true}", ":abc"),
        ("'a b', {['prefer-colon?'] = true}", "\"a b\""),
        ("'', {['prefer-colon?'] = true}", "\"\""),
        ("'a|$!&*+-./<=>?^_', {['prefer-colon?'] = true}", ":a|$!&*+-./<=>?^_"),
        ("'a~', {['prefer-colon?'] = true}", "\"a~\""),
        (
            "'a\\27\\xff', {['byte-escape'] = function(b) return '<' .. b .. '>' end}",
            "\"a<27><255>\"",
        ),
        ("'a\\1', {['byte-escape'] = function() end}", "\"a\u{1}\""),
    ]);
}

#[test]
fn tables() {
    all(&[
        ("{}", "{}"),
        ("{{}}", "[{}]"),
        ("{a = {}}, {['empty-as-sequence?'] = true}", "{:a []}"),
        ("{1, 2, 3}", "[1 2 3]"),
        ("{1, nil, 3}", "{1 1 3 3}"),
        ("{1, nil, 3}, {['max-sparse-gap'] = 2}", "[1 nil 3]"),
        ("{1, 2, [5] = 5}, {['max-sparse-gap'] = 2}", "{1 1 2 2 5 5}"),
        ("{1, 2}, {['max-sparse-gap'] = 0}", "{1 1 2 2}"),
        ("{[0] = 1, 2}", "{0 1 1 2}"),
        ("{[1.5] = 1, 2, a = 3}", "{1 2 1.5 1 :a 3}"),
        (
            "{[''] = 4, a = 2, ['a b'] = 1, ['1'] = 3, [-1] = 0}",
            "{-1 0 \"\" 4 :1 3 :a 2 \"a b\" 1}",
        ),
        ("{{1}, k = 2, [{3}] = 4, [true] = 5}", "{1 [1] true 5 :k 2 [3] 4}"),
        ("{'a', {x = 'b'}}, {['prefer-colon?'] = true}", "[:a {:x :b}]"),
        ("setmetatable({1, 2}, {__pairs = function() return next, {a = 1} end})", "{:a 1}"),
    ]);
}

#[test]
fn lines() {
    let long = "x".repeat(76);
    all(&[
        ("{1, 2, 3}, {['line-length'] = 3}", "[1\n 2\n 3]"),
        (
            "{a = 1, b = {1, 2}, c = {x = 1}}, {['line-length'] = 3}",
            "{:a\n 1\n :b\n [1\n  2]\n :c\n {:x\n  1}}",
        ),
        ("{[{1, 2}] = {3, 4}}, {['line-length'] = 3}", "{[1\n   2]\n [3\n  4]}"),
        ("{a = 1, b = {1, 2}}, {['line-length'] = 3, ['one-line?'] = true}", "{:a 1 :b [1 2]}"),
        ("{a = 'x\\ny', b = 1}", "{:a\n \"x\ny\"\n :b\n 1}"),
        ("{('x'):rep(73), 1}", &format!("[\"{}\" 1]", "x".repeat(73))),
        ("{('x'):rep(74), 1}", &format!("[\"{}\"\n 1]", "x".repeat(74))),
        ("{a = ('x'):rep(75), b = 1}", &format!("{{:a \"{}\"\n :b 1}}", "x".repeat(75))),
        ("{a = ('x'):rep(76), b = 1}", &format!("{{:a\n \"{long}\"\n :b\n 1}}")),
        ("{1, {2, {3, 4}}}, {['line-length'] = {once = 1, after = 3}}", "[1\n [2\n  [3\n   4]]]"),
        (
            "{{a = {b = 1}}}, {['one-line?'] = {once = true}, ['line-length'] = 1}",
            "[{:a\n  {:b\n   1}}]",
        ),
    ]);
}

#[test]
fn depth_and_cycles() {
    all(&[
        ("{{{{}}}}, {depth = 2}", "[[...]]"),
        ("{a = 1}, {depth = 0}", "{...}"),
        ("{}, {depth = 0}", "{}"),
        ("(function() local t = {} t.a = t return t end)()", "@1{:a @1{...}}"),
        ("(function() local t = {1} t[2] = t return t end)()", "@1[1 @1[...]]"),
        (
            "(function() local t = {} t.t = t return {{t}, {t}} end)()",
            "[[@3{:t @3{...}}] [@3{...}]]",
        ),
        ("(function() local t = {} t[t] = 1 return {[t] = t} end)()", "{@2{@2{...} 1} @2{...}}"),
        ("(function() local x = {1} return {x, x} end)()", "[[1] [1]]"),
        ("(function() local e = {} local b = {e, e} return {b, b} end)()", "[@2[{} {}] @2[...]]"),
        (
            "(function() local t = {1, 'a\\nb'} t[3] = t return t end)()",
            "@1[1\n   \"a\nb\"\n   @1[...]]",
        ),
        (
            "(function() local t = {} t.a = t return t, {['detect-cycles?'] = false, depth = 3} end)()",
            "{:a {:a {...}}}",
        ),
        ("(function() local t = {} t[1] = t return t, {depth = 2} end)()", "@1[[...]]"),
    ]);
}

#[test]
fn callbacks() {
    let lua = Lua::new();
    lua.load(
        "function own(f) return setmetatable({1, 2}, {__fennelview = f}) end
        function lines() return {'FV', '  b'} end
        function forced() return {'FV', '  b'}, true end",
    )
    .exec()
    .unwrap();
    let cases = [
        ("own(function(t, v, o, i) return 'I' .. i .. 'L' .. o.level end)", "I0L1"),
        ("{k = own(function(t, v, o, i) return 'I' .. i .. 'L' .. o.level end)}", "{:k I1L2}"),
        ("{x = own(lines)}", "{:x FV b}"),
        ("{x = own(forced), y = 2}", "{:x\n FV\n   b\n :y\n 2}"),
        ("{own(forced)}, {['one-line?'] = true}", "[FV b]"),
        ("own(lines), {['metamethod?'] = false}", "[1 2]"),
        ("{own(lines)}, {depth = 2}", "[{...}]"),
        ("{{own(lines)}}, {depth = 2}", "[[...]]"),
        ("own(function(t, v, o, i) return v('s', o, i, true) .. v('s', o, i) end)", ":s\"s\""),
        ("own(function(t, v) return v(1) .. v({'x'}) end)", "1[\"x\"]"),
        ("own(function(t, v, o, i) return v({1, 2, 'a\\nb'}, o, i + 5) end)", "[1\n      2\n      \"a\nb\"]"),
        (
            "(function() local c = own(function(t, v, o, i) return '<' .. v(rawget(t, 'c'), o, i) .. '>' end)
            c.c = {c} return {c} end)()",
            "[<[<@2[...]>]>]",
        ),
        ("{1, {2}}, {preprocess = function(x) return x == 2 and 'two' or x end}", "[1 [\"two\"]]"),
        ("{x = 1}, {preprocess = function(x) return x == 'x' and 'z' or x end}", "{:z 1}"),
    ];
    for (source, expected) in cases {
        assert_eq!(shown(&lua, source).as_deref(), Ok(expected), "{source}");
    }
    for (source, expected) in [
        ("own(function() error('boo') end)", "boo"),
        ("own(function() return 5 end)", "__fennelview metamethod must return a table of lines"),
        ("{1}, {preprocess = function() error('boo') end}", "boo"),
        (
            "'\\1', {['byte-escape'] = function() return {} end}",
            "invalid replacement value (a table)",
        ),
        ("{1}, {['max-sparse-gap'] = 1.5}", "max-sparse-gap must be an integer: got '1.5'"),
        ("own(function(t, v, o, i) return v(t, o, i) end), {depth = 1e9}", "stack overflow"),
    ] {
        let error = shown(&lua, source).unwrap_err();
        assert!(error.contains(expected), "{source}: {error}");
    }
}

#[test]
fn what_would_never_end_is_refused() {
    let lua = Lua::new();
    for source in [
        "(function() local t = {} t[1] = t t[2] = t return t, {['detect-cycles?'] = false} end)()",
        "{1, [1 << 40] = 2}, {['max-sparse-gap'] = 1 << 41}",
        "(function() local t = {} for i = 1, 60 do t = {t, t} end return t, {['detect-cycles?'] = false} end)()",
    ] {
        let error = shown(&lua, source).unwrap_err();
        assert!(error.contains("the value is too large to be shown"), "{source}: {error}");
    }
    let deep = "(function() local t = {} for i = 1, 20000 do t = {t} end return t, {depth = 1e9, ['one-line?'] = true} end)()";
    let _ = shown(&lua, deep);
}

#[test]
fn what_has_no_text_is_named() {
    let lua = Lua::new();
    for (source, expected) in [("print", "#<function: "), ("coroutine.create(print)", "#<thread: ")]
    {
        assert!(shown(&lua, source).unwrap().starts_with(expected), "{source}");
    }
}
