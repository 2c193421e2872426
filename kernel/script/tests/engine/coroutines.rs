//! Coroutines of the script's own behave as in Lua, with waits and preemption passing through.

use fen_script::mlua::MultiValue;

use crate::kit::{block_on, handle, ok, vm, with_host};

#[test]
fn waits_pass_outward_through_three_levels_and_yields_stay_inside() {
    block_on(async {
        let vm = vm();
        with_host(&vm);
        let trace: String = handle(
            &vm,
            "local log = {}
             local function add(x) log[#log + 1] = tostring(x) end
             local inner = coroutine.wrap(function(a)
               add(a) add(sleep(1)) add(coroutine.yield('i1')) add(sleep(2)) return 'i2'
             end)
             local middle = coroutine.wrap(function()
               add(inner('start')) add(sleep(3)) coroutine.yield('m1') add(inner('again')) return 'm2'
             end)
             local outer = coroutine.create(function() add(middle()) sleep(1) coroutine.yield('o1') add(middle()) end)
             add(select(2, coroutine.resume(outer)))
             add(coroutine.status(outer))
             coroutine.resume(outer)
             add(coroutine.status(outer))
             return table.concat(log, ' ')",
            200,
        )
        .await
        .unwrap();
        assert_eq!(trace, "start 1 i1 3 m1 o1 suspended again 2 i2 m2 dead");
    });
}

/// Work in coroutines whose result does not depend on where it is preempted.
const BUSY: &str = "
  local function range(n)
    return coroutine.wrap(function() for i = 1, n do coroutine.yield(i, i * 2) end end)
  end
  local function map(source, f)
    return coroutine.wrap(function() for a, b in source do coroutine.yield(f(a, b)) end end)
  end
  local sum, count = 0, 0
  for x in map(map(range(20000), function(a, b) return a + b end), function(c) return c % 1000 end) do
    sum, count = sum + x, count + 1
  end
  local empty = 0
  local co = coroutine.create(function() for _ = 1, 20000 do coroutine.yield() end return 1, nil, 3 end)
  while true do
    local r = table.pack(coroutine.resume(co))
    if r.n == 1 then empty = empty + 1 else return sum, count, empty, r.n, r[4] end
  end";

#[test]
fn preemption_is_invisible_to_coroutines() {
    let vm = vm();
    let alone: Vec<i64> =
        ok::<MultiValue>(&vm, BUSY).iter().filter_map(fen_script::mlua::Value::as_i64).collect();
    assert_eq!(alone, [9_990_000, 20_000, 20_000, 4, 3]);
    block_on(async {
        let mut config = fen_script::vm::VmConfig::new("test");
        config.slice = std::time::Duration::from_micros(20);
        let vm = fen_script::vm::Vm::new(config).unwrap();
        let sliced: MultiValue = handle(&vm, BUSY, 20_000).await.unwrap();
        let sliced: Vec<i64> = sliced.iter().filter_map(fen_script::mlua::Value::as_i64).collect();
        assert_eq!(sliced, alone);
    });
}

#[test]
fn a_coroutine_that_waits_belongs_to_its_resumer() {
    block_on(async {
        let vm = vm();
        with_host(&vm);
        let function = crate::kit::load(
            &vm,
            "co = coroutine.create(function() sleep(30) return 'done' end)
            return select(2, coroutine.resume(co))",
        );
        let token = fen_contract::cancel::CancelToken::new();
        let first = tokio::task::spawn_local(vm.call_async::<String, _>(
            &function,
            (),
            crate::kit::limits(50),
            token,
        ));
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
        let (fine, words, status): (bool, String, String) = handle(
            &vm,
            "local ok, words = coroutine.resume(co) return ok, words, coroutine.status(co)",
            50,
        )
        .await
        .unwrap();
        assert_eq!(
            (fine, words.as_str(), status.as_str()),
            (false, "cannot resume a coroutine that is waiting", "normal")
        );
        assert_eq!(first.await.unwrap().unwrap(), "done");
    });
}

#[test]
fn errors_and_close_work_as_in_lua() {
    let vm = vm();
    let all: (bool, String, String, bool, bool, String) = ok(
        &vm,
        "local co = coroutine.create(function() error('x', 0) end)
         local a, b = coroutine.resume(co)
         local closed = false
         local other = coroutine.create(function()
           local y <close> = setmetatable({}, {__close = function() closed = true end})
           coroutine.yield()
         end)
         coroutine.resume(other)
         local c = coroutine.close(other)
         local _, words = pcall(coroutine.wrap(function() error('w', 0) end))
         return a, b, coroutine.status(co), closed, c, words",
    );
    assert_eq!(all, (false, "x".into(), "dead".into(), true, true, "w".into()));
    let (_, words): (bool, String) =
        ok(&vm, "local w = coroutine.wrap(function() end) w() return pcall(w)");
    assert_eq!(words, "cannot resume dead coroutine");
}

#[test]
fn a_script_cannot_go_on_with_the_coroutine_of_another_call() {
    block_on(async {
        let vm = vm();
        with_host(&vm);
        for source in [
            "mine = coroutine.running() sleep(30) return 7",
            "mine = coroutine.running() for _ = 1, 3e6 do end return 7",
        ] {
            let function = crate::kit::load(&vm, source);
            let token = fen_contract::cancel::CancelToken::new();
            let first = tokio::task::spawn_local(vm.call_async::<i64, _>(
                &function,
                (),
                crate::kit::limits(5_000),
                token,
            ));
            tokio::task::yield_now().await;
            let (resumed, closed): (bool, bool) = handle(
                &vm,
                "local resumed = coroutine.resume(mine) return resumed, (pcall(coroutine.close, mine))",
                50,
            )
            .await
            .unwrap();
            assert_eq!((resumed, closed), (false, false), "{source}");
            assert_eq!(first.await.unwrap().unwrap(), 7, "{source}");
        }
    });
}

#[test]
fn a_wake_that_comes_between_the_start_of_a_wait_and_the_wait_is_not_lost() {
    block_on(async {
        let mut config = fen_script::vm::VmConfig::new("test");
        config.slice = std::time::Duration::ZERO;
        let vm = fen_script::vm::Vm::new(config).unwrap();
        // Ready soon after its first poll, woken from another thread.
        let soon = vm.async_function(|_, ()| async {
            let (send, receive) = tokio::sync::oneshot::channel();
            std::thread::spawn(move || send.send(1_i64));
            receive.await.map_err(|_| fen_script::vm::HostError::new("gone"))
        });
        vm.set_global("soon", soon.unwrap()).unwrap();
        let sum: i64 = handle(
            &vm,
            "local n = 0
             local function one() return soon() end
             for i = 1, 600 do
               for _ = 1, i % 60 do end
               n = n + (i % 2 == 0 and soon() or coroutine.wrap(one)())
             end
             return n",
            10_000,
        )
        .await
        .unwrap();
        assert_eq!(sum, 600);
    });
}
