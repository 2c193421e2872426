//! Code that does not end, in every place where code can run.

use std::time::{Duration, Instant};

use fen_contract::cancel::CancelToken;
use fen_script::vm::{CallErrorKind, Vm};

use crate::kit::{HANG, block_on, eval, limits, load, ok, vm, with_host};

const ENDLESS: &[(&str, &str)] = &[
    ("plain", "while true do end"),
    ("pcall", "while true do pcall(function() while true do end end) end"),
    ("recursive pcall", "local function f() pcall(f) while true do end end f()"),
    ("xpcall handler", "xpcall(error, function() while true do end end)"),
    (
        "xpcall handler after the end",
        "while true do xpcall(function() table.sort(setmetatable({1,2,3},{}), function() while true do end end) end,
           function() while true do end end) end",
    ),
    ("close", "local x <close> = setmetatable({}, {__close = function() while true do end end})"),
    (
        "close after the deadline",
        "local x <close> = setmetatable({}, {__close = function() while true do end end})
         while true do end",
    ),
    ("coroutine", "coroutine.wrap(function() while true do end end)()"),
    (
        "coroutine in pcall",
        "while true do pcall(coroutine.wrap(function() while true do end end)) end",
    ),
    (
        "coroutines three deep",
        "local w = coroutine.wrap
         w(function() w(function() w(function() while true do end end)() end)() end)()",
    ),
    (
        "close of a coroutine",
        "local co = coroutine.create(function()
           local x <close> = setmetatable({}, {__close = function() while true do end end})
           coroutine.yield()
         end)
         coroutine.resume(co) coroutine.close(co)",
    ),
    (
        "close of a failed coroutine",
        "local co = coroutine.wrap(function()
           local x <close> = setmetatable({}, {__close = function() while true do end end})
           error('x')
         end)
         pcall(co) while true do end",
    ),
    ("sort callback", "table.sort({3,2,1}, function() while true do end end)"),
    ("sort callback in pcall", "while true do pcall(table.sort, {3,2,1}, function() while true do end end) end"),
    ("sort metamethod", "local m = {__lt = function() while true do end end}
        table.sort({setmetatable({}, m), setmetatable({}, m)})"),
    ("gsub callback", "(('x'):rep(10)):gsub('.', function() while true do end end)"),
    ("gsub table", "(('x')):gsub('.', setmetatable({}, {__index = function() while true do end end}))"),
    ("tostring", "tostring(setmetatable({}, {__tostring = function() while true do end end}))"),
    ("tostring in pcall", "local t = setmetatable({}, {__tostring = function() while true do end end})
        while true do pcall(tostring, t) end"),
    ("coroutine in tostring", "local t = setmetatable({}, {__tostring = function()
          while true do pcall(coroutine.wrap(function() while true do end end)) end end})
        while true do pcall(tostring, t) end"),
    ("close in tostring", "local t = setmetatable({}, {__tostring = function()
          local x <close> = setmetatable({}, {__close = function() while true do end end})
          while true do end end})
        while true do pcall(tostring, t) end"),
    ("print", "print(setmetatable({}, {__tostring = function() while true do end end}))"),
    ("thrown tostring", "error(setmetatable({}, {__tostring = function() while true do end end}))"),
    ("index", "return setmetatable({}, {__index = function() while true do end end}).x"),
    ("iterator", "for _ in function() return 1 end do end"),
    ("load reader", "load(function() while true do end end)"),
    ("load reader of blanks", "load(function() return ' ' end)"),
    ("goto", "::again:: goto again"),
    ("yield", "while true do coroutine.yield() end"),
    ("strings", "local s = '' while true do s = ('x'):rep(1000000) end"),
    ("string methods", "local s = ('x'):rep(1000000) while true do s:upper() s:reverse() s:byte(1, 10) end"),
    ("concat", "local t = {} for i = 1, 100 do t[i] = ('x'):rep(10000) end while true do table.concat(t) end"),
    ("concat operator", "local s = ('x'):rep(1000000) while true do local t = s .. s end"),
    ("collectgarbage", "local t = {} for i = 1, 100000 do t[i] = {} end while true do collectgarbage() end"),
    ("table.insert with a length", "table.insert(setmetatable({}, {__len = function() return 1 << 50 end}), 1, 1)"),
    ("table.remove with a length", "table.remove(setmetatable({}, {__len = function() return 1 << 50 end}), 1)"),
    ("table.insert in front", "local t = {} for i = 1, 1e6 do t[i] = i end while true do table.insert(t, 1, 1) end"),
    ("table.move", "table.move({}, 1, 1e15, 2)"),
    ("table.move in pcall", "while true do pcall(table.move, {}, 1, 1e15, 2) end"),
    ("table.concat with a length", "table.concat(setmetatable({}, {__index = function() return '' end}), '', 1, 1e15)"),
    ("sort of long strings", "local t, s = {}, ('x'):rep(1000000)
        for i = 1, 20000 do t[i] = s end table.sort(t)"),
    ("pattern", "while true do pcall(string.find, ('a'):rep(3000), '.-.-.-.-b') end"),
    ("gsub pattern", "while true do pcall(string.gsub, ('a'):rep(3000), '.-.-.-.-b', '') end"),
    ("gmatch pattern", "while true do pcall(function() for _ in (('a'):rep(3000)):gmatch('.-.-.-.-b') do end end) end"),
    ("format", "while true do (('x'):rep(100000)):format() end"),
    ("load", "local s = ('local x = 1 '):rep(10000) while true do load(s) end"),
    ("tonumber", "local s = (' '):rep(1000000) while true do tonumber(s) end"),
    ("utf8", "local s = ('x'):rep(1000000) while true do utf8.len(s) end"),
];

fn still_works(vm: &Vm, name: &str) {
    let sum: Result<i64, _> = eval(vm, "local n = 0 for i = 1, 100 do n = n + i end return n");
    assert_eq!(sum.map_err(|e| e.to_string()), Ok(5050), "the VM is unusable after {name}");
}

#[test]
fn endless_synchronous_code_ends_at_the_deadline_and_the_vm_goes_on() {
    for (name, source) in ENDLESS {
        let vm = vm();
        let function = load(&vm, source);
        let began = Instant::now();
        let error = vm
            .call_sync::<()>(&function, (), Duration::from_millis(20))
            .expect_err(&format!("{name} ended"));
        assert!(began.elapsed() < HANG, "{name} took {:?}", began.elapsed());
        let wanted = match *name {
            "yield" => CallErrorKind::CannotWait,
            _ => CallErrorKind::Deadline,
        };
        assert_eq!(error.kind, wanted, "{name}: {error}");
        assert_eq!(error.is_strike(), wanted == CallErrorKind::Deadline, "{name}");
        still_works(&vm, name);
    }
}

#[test]
fn endless_handlers_end_when_their_running_time_is_used_up() {
    block_on(async {
        for (name, source) in ENDLESS {
            let vm = vm();
            let function = load(&vm, source);
            let began = Instant::now();
            let error = vm
                .call_async::<(), _>(&function, (), limits(20), CancelToken::new())
                .await
                .expect_err(&format!("{name} ended"));
            assert!(began.elapsed() < HANG, "{name} took {:?}", began.elapsed());
            assert_eq!(error.kind, CallErrorKind::Deadline, "{name}: {error}");
            still_works(&vm, name);
        }
    });
}

#[test]
fn an_endless_wait_loop_costs_only_its_running_time() {
    block_on(async {
        let vm = vm();
        with_host(&vm);
        let error = crate::kit::handle::<()>(&vm, "while true do pcall(sleep, 0) end", 30).await;
        assert_eq!(error.unwrap_err().kind, CallErrorKind::Deadline);
        still_works(&vm, "a wait loop");
    });
}

#[test]
fn an_ended_coroutine_is_never_resumed() {
    let vm = vm();
    let function = load(
        &vm,
        "co = coroutine.create(function() n = 0 while true do n = n + 1 end end)
        coroutine.resume(co)",
    );
    let error = vm.call_sync::<()>(&function, (), Duration::from_millis(20)).unwrap_err();
    assert_eq!(error.kind, CallErrorKind::Deadline);
    let before: i64 = ok(&vm, "return n");
    let (resumed, words): (bool, String) = ok(&vm, "return coroutine.resume(co)");
    assert!(!resumed, "{words}");
    assert!(words.contains("waiting"), "{words}");
    assert_eq!(ok::<String>(&vm, "return coroutine.status(co)"), "normal");
    assert_eq!(ok::<i64>(&vm, "return n"), before);
}

#[test]
fn the_error_says_where_the_script_was_ended() {
    let vm = vm();
    let function = load(&vm, "local x = 1\nwhile true do\n  x = x + 1\nend");
    let error = vm.call_sync::<()>(&function, (), Duration::from_millis(20)).unwrap_err();
    let words = error.to_string();
    assert!(words.starts_with("extension test: test.lua:"), "{words}");
    assert!(words.ends_with("ran longer than 20 ms and was stopped"), "{words}");
    assert!(matches!(error.line, Some(2 | 3)), "{words}");
}

#[test]
fn host_code_that_touches_metamethods_has_a_deadline_too() {
    let vm = vm();
    let table: fen_script::mlua::Table =
        ok(&vm, "return setmetatable({}, {__index = function() while true do end end})");
    let error = vm.with_deadline(Duration::from_millis(20), |_| table.get::<i64>("x")).unwrap_err();
    assert_eq!(error.kind, CallErrorKind::Deadline);
    // Even without one, a last guard ends it.
    assert!(table.get::<i64>("x").is_err());
    still_works(&vm, "a metamethod");
}

#[test]
fn other_handlers_get_their_turn_beside_one_that_burns() {
    block_on(async {
        let (burner, other) = (vm(), vm());
        with_host(&other);
        let function = load(&burner, "while true do end");
        let burn = tokio::task::spawn_local(burner.call_async::<(), _>(
            &function,
            (),
            limits(400),
            CancelToken::new(),
        ));
        for _ in 0..10 {
            crate::kit::handle::<()>(&other, "sleep(1)", 100).await.unwrap();
        }
        assert!(!burn.is_finished(), "the others waited until it was over");
        assert_eq!(burn.await.unwrap().unwrap_err().kind, CallErrorKind::Deadline);
    });
}
