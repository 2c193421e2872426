//! Calls: results, waits, cancellation, deadlines.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use fen_contract::cancel::CancelToken;
use fen_script::vm::{CallErrorKind, HostError};

use crate::kit::{block_on, eval, fails, handle, handle_with, limits, load, ok, vm, with_host};

#[test]
fn arguments_and_results_pass() {
    let vm = vm();
    let function = load(&vm, "local a, b = ... return b, a, select('#', ...)");
    let back: (String, i64, i64) =
        vm.call_sync(&function, (1, "x"), Duration::from_millis(50)).unwrap();
    assert_eq!(back, ("x".to_owned(), 1, 2));
    block_on(async {
        let back: (i64, i64) = handle_with(&vm, "return ...", (3, 4), 50).await.unwrap();
        assert_eq!(back, (3, 4));
    });
}

#[test]
fn a_wrong_result_is_an_error_with_words() {
    let error = eval::<i64>(&vm(), "return {}").unwrap_err();
    assert_eq!(error.kind, CallErrorKind::Runtime);
    assert!(error.message.contains("something else than expected"), "{error}");
}

#[test]
fn a_handler_waits_without_using_up_its_running_time() {
    block_on(async {
        let vm = vm();
        with_host(&vm);
        let slept: u64 = handle(&vm, "return sleep(60) + sleep(60)", 20).await.unwrap();
        assert_eq!(slept, 120);
    });
}

#[test]
fn handlers_of_one_vm_wait_side_by_side() {
    block_on(async {
        let vm = vm();
        with_host(&vm);
        let began = Instant::now();
        let function = load(&vm, "sleep(200) n = (n or 0) + 1 return n");
        let calls: Vec<_> = (0..10)
            .map(|_| {
                let call = vm.call_async::<i64, _>(&function, (), limits(50), CancelToken::new());
                tokio::task::spawn_local(call)
            })
            .collect();
        for call in calls {
            call.await.unwrap().unwrap();
        }
        assert!(began.elapsed() < Duration::from_millis(2_000), "{:?}", began.elapsed());
        assert_eq!(ok::<i64>(&vm, "return n"), 10);
    });
}

#[test]
fn a_synchronous_callback_cannot_wait_but_may_call_what_is_ready() {
    let vm = vm();
    let sleep = vm.async_function(|_, _: i64| std::future::pending::<Result<(), HostError>>());
    vm.set_global("sleep", sleep.unwrap()).unwrap();
    let error = fails(&vm, "local x = 1\nsleep(1)");
    assert_eq!(error.kind, CallErrorKind::CannotWait);
    assert_eq!(error.to_string(), "extension test: test.lua:2: cannot wait here");
    assert!(!error.is_strike());
    let caught: (bool, String) = ok(&vm, "return pcall(sleep, 1)");
    assert_eq!(caught, (false, "cannot wait here".to_owned()));
    let at_once = vm.async_function(|_, n: i64| async move { Ok(n + 1) }).unwrap();
    vm.set_global("at_once", at_once).unwrap();
    assert_eq!(ok::<i64>(&vm, "return at_once(4)"), 5);
}

#[test]
fn waiting_where_lua_cannot_yield_is_an_error_that_can_be_caught() {
    block_on(async {
        let vm = vm();
        with_host(&vm);
        let (fine, words): (bool, String) = handle(
            &vm,
            "return pcall(tostring, setmetatable({}, {__tostring = function() sleep(1) return '' end}))",
            50,
        )
        .await
        .unwrap();
        assert!(!fine && words.ends_with("cannot wait here"), "{words}");
        let (fine, words): (bool, String) = handle(
            &vm,
            "local ok, words
             tostring(setmetatable({}, {__tostring = function()
               ok, words = coroutine.resume(coroutine.create(function() sleep(1) end))
               return ''
             end}))
             return ok, words",
            50,
        )
        .await
        .unwrap();
        assert!(!fine && words.ends_with("cannot wait here"), "{words}");
        assert_eq!(handle::<u64>(&vm, "return sleep(1)", 50).await.unwrap(), 1);
    });
}

#[test]
fn sort_and_gsub_callbacks_may_wait() {
    block_on(async {
        let vm = vm();
        with_host(&vm);
        let sorted: String = handle(
            &vm,
            "local t = {3, 1, 2}
             table.sort(t, function(a, b) sleep(1) return a < b end)
             return table.concat(t) .. ('abc'):gsub('.', function(c) sleep(1) return c:upper() end)",
            100,
        )
        .await
        .unwrap();
        assert_eq!(sorted, "123ABC");
    });
}

/// A future that tells when it is dropped.
struct Held(Rc<Cell<i32>>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

fn with_hold(vm: &fen_script::vm::Vm) -> Rc<Cell<i32>> {
    let held = Rc::new(Cell::new(0));
    let inside = held.clone();
    let hold = vm.async_function(move |_, ()| {
        inside.set(inside.get() + 1);
        let held = Held(inside.clone());
        async move {
            std::future::pending::<()>().await;
            drop(held);
            Ok(())
        }
    });
    vm.set_global("hold", hold.unwrap()).unwrap();
    held
}

#[test]
fn cancelling_drops_the_host_future_and_the_script_may_tidy_up() {
    block_on(async {
        let vm = vm();
        let held = with_hold(&vm);
        let token = CancelToken::new();
        let function = load(
            &vm,
            "local x <close> = setmetatable({}, {__close = function() closed = true end})
             local w = coroutine.wrap(function() local ok, words = pcall(hold) seen = words error(words, 0) end)
             w()",
        );
        let call = tokio::task::spawn_local(vm.call_async::<(), _>(
            &function,
            (),
            limits(100),
            token.clone(),
        ));
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
        assert_eq!(held.get(), 1);
        token.cancel();
        let error = call.await.unwrap().unwrap_err();
        assert_eq!(held.get(), 0);
        assert_eq!(error.kind, CallErrorKind::Cancelled, "{error}");
        assert!(!error.is_strike());
        assert_eq!(
            ok::<(bool, String)>(&vm, "return closed, seen"),
            (true, "cancelled".to_owned())
        );
    });
}

#[test]
fn a_script_that_ignores_its_cancellation_cannot_wait_again_and_is_ended() {
    block_on(async {
        let vm = vm();
        let held = with_hold(&vm);
        for source in [
            "while true do pcall(hold) end",
            "pcall(hold) while true do end",
            "while true do pcall(function() while true do end end) end",
        ] {
            let token = CancelToken::new();
            let function = load(&vm, source);
            let later = token.clone();
            tokio::task::spawn_local(async move {
                tokio::time::sleep(Duration::from_millis(20)).await;
                later.cancel();
            });
            let call = vm.call_async::<(), _>(&function, (), limits(10_000), token);
            let error = call.await.unwrap_err();
            assert_eq!(error.kind, CallErrorKind::Killed, "{source}: {error}");
            assert!(error.is_strike());
            assert_eq!(held.get(), 0);
        }
    });
}

#[test]
fn busy_code_hears_of_its_cancellation_too() {
    block_on(async {
        let vm = vm();
        let token = CancelToken::new();
        let function =
            load(&vm, "local ok, words = pcall(function() while true do end end) return words");
        let later = token.clone();
        tokio::task::spawn_local(async move { later.cancel() });
        let words: String = vm.call_async(&function, (), limits(5_000), token).await.unwrap();
        assert_eq!(words, "cancelled");
        let token = CancelToken::new();
        token.cancel();
        let unused = vm.call_async::<(), _>(&function, (), limits(50), token).await.unwrap_err();
        assert_eq!(unused.kind, CallErrorKind::Cancelled);
    });
}

#[test]
fn dropping_a_call_drops_what_it_waits_for_and_ends_it() {
    block_on(async {
        let vm = vm();
        let held = with_hold(&vm);
        let function = load(&vm, "coroutine.wrap(function() hold() end)() after = true");
        let call = vm.call_async::<(), _>(&function, (), limits(50), CancelToken::new());
        assert!(tokio::time::timeout(Duration::from_millis(10), call).await.is_err());
        assert_eq!(held.get(), 0);
        assert!(ok::<bool>(&vm, "collectgarbage() return after == nil"));
    });
}

#[test]
fn failures_and_panics_of_the_host_are_errors_at_the_callers_line() {
    let vm = vm();
    with_host(&vm);
    let error = fails(&vm, "\n\nfail('no such thing')");
    assert_eq!(error.to_string(), "extension test: test.lua:3: no such thing");
    let error = fails(&vm, "crash()");
    assert_eq!(error.kind, CallErrorKind::Panic);
    assert!(error.message.contains("deliberate"), "{error}");
    let caught: (bool, String) = ok(&vm, "return pcall(function() crash() end)");
    assert_eq!(caught, (false, "test.lua:1: the host failed: deliberate".to_owned()));
    let error = fails(&vm, "fail()");
    assert!(error.message.contains("expected, got nil"), "{error}");
}

#[test]
fn a_panic_while_a_host_future_is_polled_ends_only_its_call() {
    block_on(async {
        let vm = vm();
        let crash = vm.async_function(|_, ()| async move {
            tokio::time::sleep(Duration::from_millis(1)).await;
            if true {
                panic!("deliberate");
            }
            Ok(())
        });
        vm.set_global("crash_later", crash.unwrap()).unwrap();
        let error = handle::<()>(&vm, "crash_later()", 50).await.unwrap_err();
        assert_eq!(error.kind, CallErrorKind::Panic, "{error}");
        assert_eq!(ok::<i64>(&vm, "return 1"), 1);
    });
}

#[test]
fn the_host_may_throw_a_table_and_gets_tables_back() {
    let vm = vm();
    let throw = vm.function(|lua, ()| {
        let table = lua.create_table()?;
        table.raw_set("kind", "rate-limit")?;
        table.raw_set("message", "slow down")?;
        Err::<(), _>(HostError::Value(fen_script::mlua::Value::Table(table)))
    });
    vm.set_global("throw", throw.unwrap()).unwrap();
    let error = fails(&vm, "local x = 1\nthrow()");
    assert_eq!(error.message, "slow down");
    assert_eq!(error.value.as_ref().unwrap()["kind"], "rate-limit");
    assert_eq!((error.file.as_deref(), error.line), (Some("test.lua"), Some(2)));
}

#[test]
fn groups_of_host_functions_are_filled_on_the_first_look() {
    let vm = vm();
    let filled = Rc::new(Cell::new(0));
    let count = filled.clone();
    let group = vm.lazy_table(move |vm, table| {
        count.set(count.get() + 1);
        table.raw_set("one", vm.function(|_, ()| Ok(1))?)?;
        table.raw_set("two", 2)
    });
    vm.set_global("group", group.unwrap()).unwrap();
    assert_eq!(filled.get(), 0);
    assert_eq!(ok::<i64>(&vm, "local n = 0 for _ in pairs(group) do n = n + 1 end return n"), 2);
    assert_eq!(ok::<i64>(&vm, "return group.one() + group.two"), 3);
    assert_eq!(filled.get(), 1);
    assert!(ok::<bool>(&vm, "return group.three == nil"));
}

#[test]
fn a_host_function_may_call_back_into_its_own_vm() {
    let vm = vm();
    let weak = vm.downgrade();
    let nested = vm.function(move |_, f: fen_script::mlua::Function| {
        let vm = weak.upgrade().ok_or("gone")?;
        vm.call_sync::<i64>(&f, (), Duration::from_millis(20))
            .map_err(|error| HostError::new(error.to_string()))
    });
    vm.set_global("nested", nested.unwrap()).unwrap();
    assert_eq!(ok::<i64>(&vm, "return nested(function() return 3 end)"), 3);
    let (_, words): (bool, String) =
        ok(&vm, "return pcall(nested, function() while true do end end)");
    assert!(words.contains("ran longer than 20 ms"), "{words}");
}
