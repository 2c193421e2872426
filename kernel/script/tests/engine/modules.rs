//! `require` finds what the host gives and what the resolver finds, and nothing else.

use std::collections::HashMap;

use fen_script::language::Lua;
use fen_script::vm::{CallErrorKind, Module, Resolver, Vm, VmConfig};

use crate::kit::{block_on, fails, handle, ok, with_host};

struct Files(HashMap<&'static str, &'static str>);

impl Resolver for Files {
    fn resolve(&self, name: &str) -> Result<Option<Module>, String> {
        if name == "outside" {
            return Err("outside.lua leads out of the extension's folder".to_owned());
        }
        let found = self.0.get(name).map(|lua| Module {
            file: format!("{}.lua", name.replace('.', "/")),
            text: (*lua).into(),
            language: &Lua,
        });
        Ok(found)
    }
}

fn vm() -> Vm {
    let mut config = VmConfig::new("test");
    config.resolver = Box::new(Files(HashMap::from([
        ("util", "count = (count or 0) + 1 return {name = ..., file = select(2, ...)}"),
        ("lib.deep", "return {util = require('util')}"),
        ("nothing", "ran = true"),
        ("waits", "sleep(5) return 'waited'"),
        ("throws", "\nerror('inside')"),
        ("syntax", "local x = = 1"),
        ("a", "local x = require('b') return x"),
        ("b", "local x = require('c') return x"),
        ("c", "local x = require('a') return x"),
        ("endless", "while true do end"),
        ("own", "local x = require('own') return x"),
    ])));
    Vm::new(config).unwrap()
}

#[test]
fn a_module_runs_once_and_gets_its_name_and_file() {
    let vm = vm();
    let (name, file): (String, String) = ok(&vm, "local u = require('util') return u.name, u.file");
    assert_eq!((name.as_str(), file.as_str()), ("util", "util.lua"));
    assert!(ok::<bool>(&vm, "return require('lib.deep').util == require('util') and count == 1"));
    assert!(ok::<bool>(&vm, "return require('nothing') == true and package.loaded.nothing"));
    assert!(ok::<bool>(&vm, "return require('string') == string and require('_G') == _G"));
}

#[test]
fn the_hosts_modules_come_first() {
    let vm = vm();
    let table = vm.lua().create_table().unwrap();
    table.raw_set("answer", 42).unwrap();
    vm.host_module("util", table).unwrap();
    assert_eq!(ok::<i64>(&vm, "return require('util').answer"), 42);
}

#[test]
fn the_body_of_a_module_may_wait() {
    block_on(async {
        let vm = vm();
        with_host(&vm);
        let value: String = handle(&vm, "return require('waits')", 50).await.unwrap();
        assert_eq!(value, "waited");
    });
}

#[test]
fn each_failure_has_its_words() {
    for (source, words) in [
        (
            "require('absent')",
            "test.lua:1: module 'absent' not found: neither a file of this extension nor a module of the host",
        ),
        ("require('outside')", "test.lua:1: outside.lua leads out of the extension's folder"),
        (
            "require('../util')",
            "test.lua:1: '../util' is no module name: it is made of words between dots",
        ),
        (
            "require('/etc/passwd')",
            "test.lua:1: '/etc/passwd' is no module name: it is made of words between dots",
        ),
        (
            "require('c:\\\\x')",
            "test.lua:1: 'c:\\x' is no module name: it is made of words between dots",
        ),
        ("require(1)", "test.lua:1: bad argument #1 to 'require' (string expected, got number)"),
        ("require('a')", "c.lua:1: cyclic require: a -> b -> c -> a"),
        ("require('own')", "own.lua:1: cyclic require: own -> own"),
        ("require('throws')", "throws.lua:2: inside"),
        ("require('syntax')", "test.lua:1: syntax.lua:1: unexpected symbol near '='"),
    ] {
        let vm = vm();
        let error = fails(&vm, source);
        assert_eq!(error.to_string(), format!("extension test: {words}"));
        assert_eq!(error.kind, CallErrorKind::Runtime);
        // The failed module may be asked for again, with the same answer.
        assert_eq!(fails(&vm, source).to_string(), error.to_string());
    }
}

#[test]
fn a_module_that_is_ended_does_not_block_its_name() {
    let vm = vm();
    for _ in 0..2 {
        let error = fails(&vm, "require('endless')");
        assert_eq!(error.kind, CallErrorKind::Deadline, "{error}");
        assert_eq!(error.file.as_deref(), Some("endless.lua"));
    }
}

#[test]
fn a_module_that_waits_is_not_taken_for_a_cycle() {
    block_on(async {
        let vm = vm();
        with_host(&vm);
        let function = crate::kit::load(&vm, "return require('waits')");
        let token = fen_contract::cancel::CancelToken::new();
        let first = tokio::task::spawn_local(vm.call_async::<String, _>(
            &function,
            (),
            crate::kit::limits(50),
            token,
        ));
        tokio::task::yield_now().await;
        let error = handle::<()>(&vm, "require('waits')", 50).await.unwrap_err();
        assert!(error.message.contains("is being loaded by another call"), "{error}");
        assert_eq!(first.await.unwrap().unwrap(), "waited");
        assert_eq!(handle::<String>(&vm, "return require('waits')", 50).await.unwrap(), "waited");
    });
}
