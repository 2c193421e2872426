//! Every failure names the extension, the file and the line.

use fen_script::language::{
    Chunk, Diagnostic, Language, LineMap, Lua, Place, Severity, SourceMap, Surroundings,
};
use fen_script::vm::{CallErrorKind, Vm};

use crate::kit::{fails, ok, vm};

#[test]
fn a_syntax_error_has_its_place() {
    let error = vm().load_source(&Lua, "local x =\n= 1", "init.lua").unwrap_err();
    assert_eq!(error.kind, CallErrorKind::Syntax);
    assert_eq!(error.to_string(), "extension test: init.lua:2: unexpected symbol near '='");
}

#[test]
fn a_runtime_error_has_its_place_and_its_callers() {
    let error = fails(
        &vm(),
        "local function inner()\n  local t = nil\n  return t.x\nend\nlocal function outer()\n  inner()\n  return 1\nend\nouter()",
    );
    assert_eq!(
        error.to_string(),
        "extension test: test.lua:3: attempt to index a nil value (local 't')"
    );
    assert_eq!(error.traceback.len(), 3, "{:?}", error.traceback);
    assert!(error.traceback[0].starts_with("test.lua:3: in "), "{:?}", error.traceback);
    assert!(error.traceback[1].starts_with("test.lua:6: in "), "{:?}", error.traceback);
}

#[test]
fn whatever_is_thrown_has_words() {
    for (source, words) in [
        ("error('x', 0)", "x"),
        ("error('x')", "x"),
        ("error()", "nil was thrown"),
        ("error({message = 'inside', kind = 'auth'})", "inside"),
        ("error({})", "a table was thrown that has no `message`"),
        ("error(setmetatable({}, {__tostring = function() return 'own words' end}))", "own words"),
        ("error(12)", "12"),
        ("error(true)", "true"),
        ("error(print)", "a function was thrown"),
        ("error('\\xff\\0bin', 0)", "\u{fffd}\0bin"),
        ("local t = setmetatable({}, {__index = function() error('deep') end}) return t.x", "deep"),
    ] {
        let error = fails(&vm(), source);
        assert_eq!(error.message, words, "{source}");
        assert_eq!(error.kind, CallErrorKind::Runtime);
        assert_eq!(error.line, Some(1), "{source}: {:?}", error.traceback);
    }
    let long = fails(&vm(), "error(('x'):rep(1000000), 0)");
    assert!(long.message.len() <= 16 << 10);
}

/// A language in which each Lua line stands for the line ten times further down.
struct Tens;

impl Language for Tens {
    fn suffix(&self) -> &'static str {
        "tens"
    }

    fn compile<'s>(
        &self,
        source: &'s str,
        name: &str,
        _: &Surroundings,
    ) -> Result<Chunk<'s>, Vec<Diagnostic>> {
        if source.contains('!') {
            let at = |line| Diagnostic {
                severity: Severity::Error,
                file: name.into(),
                line,
                column: 3,
                width: 1,
                message: "a '!'".into(),
                help: None,
                source_line: "x !".into(),
                source_column: 1,
            };
            return Err(vec![at(4), at(5)]);
        }
        let lines = (1..=source.lines().count())
            .map(|n| Place { line: u32::try_from(n * 10).unwrap(), ..Place::default() });
        let map = LineMap { files: vec![name.into()], lines: lines.collect() };
        Ok(Chunk { lua: source.into(), map: SourceMap::Lines(map) })
    }
}

fn run_tens(vm: &Vm, source: &str) -> fen_script::vm::CallError {
    match vm.load_source(&Tens, source, "a.tens") {
        Ok(function) => {
            vm.call_sync::<()>(&function, (), std::time::Duration::from_millis(50)).unwrap_err()
        }
        Err(error) => error,
    }
}

#[test]
fn errors_of_a_compiled_language_point_to_its_source() {
    let error = run_tens(&vm(), "local x\n\nx()");
    assert_eq!((error.file.as_deref(), error.line), (Some("a.tens"), Some(30)));
    assert!(error.traceback[0].starts_with("a.tens:30: in "), "{:?}", error.traceback);
    let error = run_tens(&vm(), "x = = 1");
    assert_eq!((error.kind, error.line), (CallErrorKind::Syntax, Some(10)));
    let error = run_tens(&vm(), "\nwhile true do end");
    assert_eq!((error.kind, error.line), (CallErrorKind::Deadline, Some(20)));
    let error = run_tens(&vm(), "!");
    assert_eq!((error.file.as_deref(), error.line), (Some("a.tens"), Some(4)));
    assert_eq!(
        error.to_string(),
        "extension test: a.tens:4:3: a '!'\n    x !\n      ^\na.tens:5:3: a '!'\n    x !\n      ^"
    );
}

#[test]
fn deep_recursion_and_errors_in_handlers_end_as_errors() {
    for source in [
        "local function f() return 1 + f() end return f()",
        "local t = setmetatable({}, {}) getmetatable(t).__index = function(_, k) return t[k .. 'x'] end return t.x",
        "local function f() return (('x'):gsub('.', f)) end return f()",
        "local function f() table.sort({1, 2}, f) return true end return f()",
        "local function f() return tostring(setmetatable({}, {__tostring = f})) end return f()",
        "local function f() return coroutine.wrap(f)() end return f()",
        "local function f() return pcall(f) end assert(false, tostring(f()))",
        "return xpcall(error, function() error('again') end) and error('x') or error('y')",
        "local s = ('('):rep(100000) assert(load('return ' .. s))",
        "return string.find(('a'):rep(1000), ('(a'):rep(1000))",
    ] {
        let vm = vm();
        let error = fails(&vm, source);
        assert!(
            matches!(
                error.kind,
                CallErrorKind::Runtime | CallErrorKind::Memory | CallErrorKind::Deadline
            ),
            "{source}: {error}"
        );
        assert!(!error.message.is_empty(), "{source}");
        assert_eq!(ok::<i64>(&vm, "return 1"), 1, "{source}");
    }
}

struct TensModule;

impl fen_script::vm::Resolver for TensModule {
    fn resolve(&self, name: &str) -> Result<Option<fen_script::vm::Module>, String> {
        let lua = if name == "broken" { "\nx = = 1" } else { "\n\nerror('inside')" };
        let file = format!("{name}.tens");
        Ok(Some(fen_script::vm::Module { file, text: lua.into(), language: &Tens }))
    }
}

#[test]
fn errors_of_compiled_modules_are_translated_once() {
    let mut config = fen_script::vm::VmConfig::new("test");
    config.resolver = Box::new(TensModule);
    let vm = Vm::new(config).unwrap();
    let error = fails(&vm, "require('broken')");
    assert_eq!(error.message, "broken.tens:20: unexpected symbol near '='");
    let error = fails(&vm, "require('throws')");
    assert_eq!(error.to_string(), "extension test: throws.tens:30: inside");
}
