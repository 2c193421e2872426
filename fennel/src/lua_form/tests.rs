//! How code looks to a macro, and what becomes of what it returns.

use std::rc::Rc;

use mlua::{Lua, Value};

use super::{CompilerHost, Forms, Origin};
use crate::diagnostic::Fault;
use crate::form::{Form, Kind};
use crate::sandbox::{Limits, Sandbox};
use crate::source::{FileId, Sources, Span};

struct Host;

impl CompilerHost for Host {
    fn gensym(&self, base: Option<&str>) -> Result<String, String> {
        Ok(format!("{}_1_", base.unwrap_or_default()))
    }

    fn in_scope(&self, name: &str) -> bool {
        name == "known"
    }

    fn macroexpand(&self, _: &Lua, form: Value) -> Result<Value, String> {
        match form {
            Value::Table(_) => Ok(form),
            _ => Err("nothing to expand".to_owned()),
        }
    }

    fn scope(&self, lua: &Lua) -> Result<Value, String> {
        lua.create_table().map(Value::Table).map_err(|error| error.to_string())
    }
}

struct Bench {
    sandbox: Sandbox,
    forms: Forms,
    sources: Sources,
    file: FileId,
}

const SOURCE: &str = "(f x\n  [1 \"é\" y] {:b 1 :a 2})";

impl Bench {
    fn new() -> Self {
        let sandbox = Sandbox::new(Limits::default(), |_| {}).unwrap();
        let forms = Forms::install(&sandbox, &sandbox.globals(), Rc::new(Host)).unwrap();
        let mut sources = Sources::default();
        let file = sources.add("code.fnl", SOURCE);
        Bench { sandbox, forms, sources, file }
    }

    fn span(&self, line: u32, start: u32, end: u32) -> Span {
        Span { file: self.file, line, start, end }
    }

    /// What the code above reads as.
    fn code(&self) -> Form {
        let at = |line, start, end| self.span(line, start, end);
        let number = |number, span| Form::new(Kind::Integer(number), span);
        let sequence = Form::sequence(
            vec![
                number(1, at(2, 8, 9)),
                Form::string("é", at(2, 10, 14)),
                Form::symbol("y", at(2, 15, 16)),
            ],
            at(2, 7, 17),
        );
        let entries = vec![
            (Form::string("b", at(2, 19, 21)), number(1, at(2, 22, 23))),
            (Form::string("a", at(2, 24, 26)), number(2, at(2, 27, 28))),
        ];
        let table = Form::new(Kind::Table(entries.into()), at(2, 18, 29));
        Form::list(
            vec![Form::symbol("f", at(1, 1, 2)), Form::symbol("x", at(1, 3, 4)), sequence, table],
            at(1, 0, 30),
        )
    }

    /// Runs the body of a function of `x`, a form.
    fn expand(&self, body: &str, form: &Form) -> Result<Form, Fault> {
        let origin = Origin { sources: &self.sources, call: self.span(9, 90, 95) };
        let source = format!("local x = ... {body}");
        let function = self.sandbox.load(&source, "=macro", None).unwrap();
        let value = self.sandbox.making(|lua| self.forms.to_lua(lua, form, &self.sources)).unwrap();
        let values = self.sandbox.call(&function, value);
        let values = values.map_err(|halt| self.forms.fault(&halt, origin))?;
        self.forms.form_of(values.front().unwrap_or(&Value::Nil), origin)
    }

    fn shown(&self, body: &str) -> String {
        match self.expand(body, &self.code()) {
            Ok(form) => shown(&form),
            Err(fault) => format!("fault: {}", fault.message()),
        }
    }
}

fn shown(form: &Form) -> String {
    let all = |parts: &[Form]| parts.iter().map(shown).collect::<Vec<_>>().join(" ");
    match &form.kind {
        Kind::Str(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
        Kind::Symbol(symbol) => {
            format!("{}{}", if symbol.quoted.is_some() { "'" } else { "" }, symbol.name)
        }
        Kind::List(parts) => format!("({})", all(parts)),
        Kind::Sequence(parts) => format!("[{}]", all(parts)),
        Kind::Table(entries) => {
            let entries = entries.iter().map(|(k, v)| format!("{} {}", shown(k), shown(v)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(" "))
        }
        Kind::Float(number) => format!("{number:?}"),
        Kind::Integer(number) => number.to_string(),
        Kind::Nil => "nil".to_owned(),
        Kind::Varg => "...".to_owned(),
        Kind::Bool(value) => value.to_string(),
    }
}

#[test]
fn code_that_a_macro_hands_back_is_the_same_with_its_places() {
    let bench = Bench::new();
    let back = bench.expand("return x", &bench.code()).unwrap();
    assert_eq!(shown(&back), "(f x [1 \"é\" y] {\"b\" 1 \"a\" 2})");
    assert_eq!(back.span, bench.span(1, 0, 30));
    let parts = back.as_list().unwrap();
    assert_eq!(parts[1].span, bench.span(1, 3, 4));
    assert_eq!(parts[2].span, bench.span(2, 7, 17));
    assert_eq!(parts[2].as_sequence().unwrap()[2].span, bench.span(2, 15, 16));
    assert_eq!(parts[3].span, bench.span(2, 18, 29));
    // Numbers and strings have no place of their own; they get that of the call.
    assert_eq!(parts[2].as_sequence().unwrap()[0].span, bench.span(9, 90, 95));
}

#[test]
fn what_a_macro_makes_has_the_place_of_its_call() {
    let bench = Bench::new();
    let made = bench.expand("return list(sym('do'), x)", &bench.code()).unwrap();
    assert_eq!(made.span, bench.span(9, 90, 95));
    assert_eq!(made.as_list().unwrap()[1].span, bench.span(1, 0, 30));
    let named = bench.expand("return sym('g', x[1])", &bench.code()).unwrap();
    assert_eq!(named.span, bench.span(1, 1, 2));
}

#[test]
fn a_macro_can_read_places() {
    let bench = Bench::new();
    let cases = [
        ("return x.line", "1"),
        ("return x.filename", "\"code.fnl\""),
        ("return x[1].bytestart", "2"),
        ("return x[1].byteend", "2"),
        ("return x[2].col", "3"),
        ("return x[3][3].line", "2"),
        ("return x[3][3].col", "9"),
        ("return x[3][3].endcol", "9"),
        ("return ast_source(x[3]).line", "2"),
        ("return ast_source(x[4]).bytestart", "19"),
        ("return ast_source(x) == x", "true"),
        ("return next(ast_source(1)) == nil", "true"),
    ];
    for (body, expected) in cases {
        let body = format!("local ast_source = _G['ast-source'] {body}");
        assert_eq!(bench.shown(&body), expected, "{body}");
    }
}

#[test]
fn forms_are_known_by_their_marks() {
    let bench = Bench::new();
    let cases = [
        ("return _G['list?'](x) == x", "true"),
        ("return _G['list?'](x[3])", "false"),
        ("return _G['sequence?'](x[3]) == x[3]", "true"),
        ("return _G['sequence?'](x)", "false"),
        ("return _G['sequence?']({1})", "false"),
        ("return _G['table?'](x[3]) == x[3]", "true"),
        ("return _G['table?'](x[4]) == x[4]", "true"),
        ("return _G['table?']({1}) ~= false", "true"),
        ("return _G['table?'](x)", "false"),
        ("return _G['table?'](x[1])", "false"),
        ("return _G['sym?'](x[1]) == x[1]", "true"),
        ("return _G['sym?'](x[1], 'f') == x[1]", "true"),
        ("return _G['sym?'](x[1], 'g')", "false"),
        ("return _G['sym?']('f')", "false"),
        ("return _G['varg?'](varg()) == varg()", "true"),
        ("return _G['varg?'](sym('x'))", "false"),
        ("return _G['sym?'](varg())", "false"),
        ("return _G['comment?'](x)", "false"),
        ("return sym('a') == sym('a')", "true"),
        ("return sym('a') == sym('b')", "false"),
        ("return sym('a') == 'a'", "false"),
        ("return list(1) == list(1)", "false"),
        ("return sym('a') < sym('b')", "true"),
        ("return tostring(x[1])", "\"f\""),
        ("return tostring(varg())", "\"...\""),
        ("return #list(1, nil, 3)", "3"),
    ];
    for (body, expected) in cases {
        assert_eq!(bench.shown(body), expected, "{body}");
    }
}

#[test]
fn nil_as_a_form_is_a_symbol() {
    let bench = Bench::new();
    let nil = Form::new(Kind::Nil, Span::default());
    for body in
        ["return _G['sym?'](x, 'nil') == x", "return tostring(x) == 'nil'", "return x ~= nil"]
    {
        assert_eq!(shown(&bench.expand(body, &nil).unwrap()), "true", "{body}");
    }
    assert_eq!(shown(&bench.expand("return x", &nil).unwrap()), "nil");
    let varg = Form::new(Kind::Varg, Span::default());
    assert_eq!(shown(&bench.expand("return _G['varg?'](x) == x", &varg).unwrap()), "true");
}

#[test]
fn values_become_forms() {
    let bench = Bench::new();
    let cases = [
        ("return nil", "nil"),
        ("return true", "true"),
        ("return 1", "1"),
        ("return 1.0", "1.0"),
        ("return 1/0", "inf"),
        ("return math.mininteger", "-9223372036854775808"),
        ("return 'a\\0b'", "\"a\\0b\""),
        ("return list(sym('f'), nil, 2)", "(f nil 2)"),
        ("return list(sym('f'), 1, nil)", "(f 1)"),
        ("return list(nil, 1)", "(nil 1)"),
        ("return list()", "()"),
        ("return sequence(1, nil, 3)", "[1 nil 3]"),
        ("return sequence()", "[]"),
        ("return {}", "[]"),
        ("return {1, 2}", "[1 2]"),
        ("return {1, nil, 3}", "{1 1 3 3}"),
        ("return {[0] = 1, 2}", "{0 1 1 2}"),
        ("return {z = 1, a = 2, m = 3}", "{\"a\" 2 \"m\" 3 \"z\" 1}"),
        ("return {1, [2.5] = 2, [true] = 3, a = 4}", "{1 1 2.5 2 true 3 \"a\" 4}"),
        ("return {[sym('b')] = 1, [sym('a')] = 2}", "{a 2 b 1}"),
        ("return setmetatable({a = 1}, {})", "{\"a\" 1}"),
        ("return varg()", "..."),
        ("return sym('...')", "..."),
        ("return sym('nil')", "nil"),
        ("return sym('true')", "true"),
        ("return _quoted('a', 1)", "'a"),
        ("return gensym()", "_1_"),
        ("return gensym('k')", "k_1_"),
        ("return gensym(x[1])", "f_1_"),
        ("x[3][4] = 5 return x[3]", "[1 \"é\" y 5]"),
        ("x[3].k = 5 return x[3]", "{1 1 2 \"é\" 3 y \"k\" 5}"),
        ("x[4].c = 3 x[4].b = nil x[4].B = 4 return x[4]", "{\"a\" 2 \"B\" 4 \"c\" 3}"),
        ("table.insert(x, 2, sym('n')) return x", "(f n x [1 \"é\" y] {\"b\" 1 \"a\" 2})"),
        ("table.remove(x, 1) x[3] = nil return x", "(x [1 \"é\" y])"),
    ];
    for (body, expected) in cases {
        assert_eq!(bench.shown(body), expected, "{body}");
    }
}

#[test]
fn what_is_no_code_is_refused() {
    let bench = Bench::new();
    let cases = [
        ("return print", "the macro returned a function, which is no code"),
        ("return {{print}}", "the macro returned a function, which is no code"),
        ("return coroutine.create(print)", "the macro returned a coroutine, which is no code"),
        ("x[2] = x return x", "the macro returned code that nests deeper than 500"),
        ("local t = {} t[t] = t return t", "the macro returned code that nests deeper than 500"),
        (
            "local t = {} for i = 1, 30 do t = {t, t} end return t",
            "the macro returned more than 1000000 forms",
        ),
        (
            "local l = list() l[1 << 40] = 1 return l",
            "the macro returned a list with a gap too large to fill with nil",
        ),
        ("return sym('')", "the macro returned a symbol whose name is no text"),
        ("return sym('\\xff')", "the macro returned a symbol whose name is no text"),
        (
            "local s = sym('a') s[1] = 7 return s",
            "the macro returned a symbol whose name is no text",
        ),
        (
            "local s = sym(1)",
            "the macro failed: macro:1: sym expects a string as the first argument, received number",
        ),
        ("error('boo')", "the macro failed: macro:1: boo"),
        ("local e = macroexpand(1)", "the macro failed: macro:1: nothing to expand"),
    ];
    for (body, expected) in cases {
        assert_eq!(bench.shown(body), format!("fault: {expected}"), "{body}");
    }
}

#[test]
fn metamethods_of_what_is_returned_do_not_run() {
    let bench = Bench::new();
    let loops = "local function f() while true do end end
        return setmetatable({a = 1}, {__index = f, __pairs = f, __len = f, __eq = f})";
    assert_eq!(bench.shown(loops), "{\"a\" 1}");
}

#[test]
fn assert_compile_points_at_its_form() {
    let bench = Bench::new();
    let fault = |body: &str| bench.expand(body, &bench.code()).unwrap_err();
    let found = fault("_G['assert-compile'](false, 'boo', x[3])");
    assert_eq!((found.message(), found.span()), ("boo", bench.span(2, 7, 17)));
    let found = fault("_G['assert-compile'](nil, 'boo', x[1])");
    assert_eq!((found.message(), found.span()), ("boo", bench.span(1, 1, 2)));
    let found = fault("_G['assert-compile'](nil, nil, list(1))");
    assert_eq!((found.message(), found.span()), ("nil", bench.span(9, 90, 95)));
    let found = fault("pcall(_G['assert-compile'], nil, 'boo', x[1]) error('other')");
    assert_eq!(found.message(), "the macro failed: macro:1: other");
    assert_eq!(bench.shown("return _G['assert-compile'](7, 'boo', x)"), "7");
}

#[test]
fn names_of_several_parts_are_taken_apart() {
    let bench = Bench::new();
    let cases = [
        ("'a.b'", "[\"a\" \"b\"]"),
        ("'a:b'", "{1 \"a\" 2 \"b\" \"multi-sym-method-call\" true}"),
        ("sym('a.b:c')", "{1 \"a\" 2 \"b\" 3 \"c\" \"multi-sym-method-call\" true}"),
        ("'a.:b'", "[\"a\" \"b\"]"),
        ("'a'", "nil"),
        ("sym('a')", "nil"),
        ("1", "false"),
        ("x", "false"),
        ("'a..b'", "false"),
        ("'.a'", "false"),
        ("'a.'", "false"),
        ("':a'", "false"),
        ("'...'", "false"),
    ];
    for (given, expected) in cases {
        assert_eq!(bench.shown(&format!("return _G['multi-sym?']({given})")), expected, "{given}");
    }
}

#[test]
fn the_compiler_is_asked() {
    let bench = Bench::new();
    let cases = [
        ("return _G['in-scope?'](sym('known'))", "known"),
        ("return _G['in-scope?'](sym('other'))", "nil"),
        ("return macroexpand(x)", "(f x [1 \"é\" y] {\"b\" 1 \"a\" 2})"),
        ("return type(_G['get-scope']())", "\"table\""),
        ("return (unpack({1, 2})) + pack(1, nil).n", "3"),
    ];
    for (body, expected) in cases {
        assert_eq!(bench.shown(body), expected, "{body}");
    }
}

#[test]
fn code_is_shown_as_code() {
    let bench = Bench::new();
    let cases = [
        ("return tostring(x)", "(f x [1 \"é\" y] {:a 2 :b 1})"),
        ("return view(x)", "(f x [1 \"é\" y] {:a 2 :b 1})"),
        (
            "return view({x, x[1], sequence(), list(), varg()})",
            "[(f x [1 \"é\" y] {:a 2 :b 1}) f [] () ...]",
        ),
        ("return tostring(list(1, nil, 3))", "(1 nil 3)"),
        ("return tostring(list(list(1, nil), nil, 2))", "((1) nil 2)"),
        ("return view(sequence(1, nil, 3))", "{1 1 3 3}"),
        ("return view(list('kw'), {['prefer-colon?'] = true})", "(:kw)"),
        ("return view(list(), {depth = 0})", "{...}"),
        (
            "return view({{list(sym('f'), {aaaa = 1, bbbbbb = 2, cccccccc = 3})}}, {['line-length'] = 20})",
            "[[(f {:aaaa 1\n   :bbbbbb 2\n   :cccccccc 3})]]",
        ),
    ];
    for (body, expected) in cases {
        match bench.expand(body, &bench.code()).map(|form| form.kind) {
            Ok(Kind::Str(text)) => assert_eq!(String::from_utf8_lossy(&text), expected, "{body}"),
            other => panic!("{body}: {other:?}"),
        }
    }
}

#[test]
fn a_place_in_a_file_of_too_high_a_number_is_that_of_the_call() {
    let bench = Bench::new();
    let mut sources = Sources::default();
    for _ in 0..0x900 {
        sources.add("many.fnl", "some text");
    }
    let call = bench.span(9, 90, 95);
    let origin = super::Origin { sources: &sources, call };
    let place = |file| Span { file: FileId(file), line: 1, start: 0, end: 4 };
    assert_eq!(super::unpacked(super::packed(place(5)), 4, origin), place(5));
    assert_eq!(super::unpacked(super::packed(place(0x803)), 4, origin), call);
}
