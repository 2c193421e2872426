//! The script host: what a VM, a call, the count hook and the whole host cost.

#[path = "script/host.rs"]
mod host;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use fen_contract::cancel::CancelToken;
use fen_script::language::Lua;
use fen_script::mlua::{self, Function, LuaString, Table};
use fen_script::thread::ScriptThread;
use fen_script::value::{ToJson, ToLua, to_json, to_lua};
use fen_script::vm::{CallLimits, Vm, VmConfig};

const MINUTE: Duration = Duration::from_secs(60);
const LIMITS: CallLimits = CallLimits { running: MINUTE, grace: Duration::ZERO };

fn vm() -> Vm {
    match Vm::new(VmConfig::new("bench")) {
        Ok(vm) => vm,
        Err(error) => unreachable!("{error}"),
    }
}

fn function(vm: &Vm, source: &str) -> Function {
    match vm.load_source(&Lua, source, "bench.lua") {
        Ok(function) => function,
        Err(error) => unreachable!("{error}"),
    }
}

/// An event with interned keys, as the layer above makes them.
fn event(vm: &Vm, keys: &[LuaString; 8], text: &str) -> mlua::Result<Table> {
    let table = vm.lua().create_table_with_capacity(0, 8)?;
    table.raw_set(&keys[0], text)?;
    for (place, key) in keys.iter().enumerate().skip(1) {
        table.raw_set(key, place)?;
    }
    Ok(table)
}

fn creation(criterion: &mut Criterion) {
    let began = Instant::now();
    let first = vm();
    let entry = function(&first, "return function(api) end");
    assert!(first.call_sync::<Function>(&entry, (), MINUTE).is_ok(), "it loads");
    println!("script/the first VM of a process with an empty extension took {:?}", began.elapsed());
    criterion.bench_function("script/create an empty VM", |bench| bench.iter(vm));
    criterion.bench_function("script/create a VM and load an empty extension", |bench| {
        bench.iter(|| {
            let vm = vm();
            let entry = function(&vm, "return function(api) end");
            black_box(vm.call_sync::<Function>(&entry, (), MINUTE).is_ok())
        });
    });
    println!("script/an empty VM holds {} bytes", vm().used_memory());
}

fn calls(criterion: &mut Criterion) {
    let vm = vm();
    let nothing = function(&vm, "return ...");
    criterion.bench_function("script/sync call", |bench| {
        bench.iter(|| black_box(vm.call_sync::<i64>(&nothing, 1, MINUTE).is_ok()));
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let Ok(runtime) = runtime else { return };
    criterion.bench_function("script/async call", |bench| {
        bench.iter(|| {
            let call = vm.call_async::<i64, _>(&nothing, 1, LIMITS, CancelToken::new());
            black_box(runtime.block_on(call).is_ok())
        });
    });
    let wait = vm.async_function(|_, ()| async {
        tokio::task::yield_now().await;
        Ok(())
    });
    if let Ok(wait) = wait {
        assert!(vm.set_global("wait", wait).is_ok(), "the VM has memory");
    }
    let waits = function(&vm, "for _ = 1, 100 do wait() end");
    criterion.bench_function("script/async call that waits 100 times", |bench| {
        bench.iter(|| {
            let call = vm.call_async::<(), _>(&waits, (), LIMITS, CancelToken::new());
            black_box(runtime.block_on(call).is_ok())
        });
    });
}

fn events(criterion: &mut Criterion) {
    let vm = vm();
    let handler = function(&vm, "local e = ... return e.type, e.n1");
    let names = ["type", "n1", "n2", "n3", "n4", "n5", "n6", "n7"];
    let keys: Vec<LuaString> =
        names.iter().filter_map(|name| vm.lua().create_string(name).ok()).collect();
    let Ok(keys) = <[LuaString; 8]>::try_from(keys) else { return };
    let text = "x".repeat(2_000);
    criterion.bench_function("script/event of 8 fields to one handler", |bench| {
        bench.iter(|| {
            let event = vm.making(|_| event(&vm, &keys, &text));
            let event = event.map(|event| vm.call_sync::<()>(&handler, event, MINUTE).is_ok());
            black_box(event.is_ok())
        });
    });
    let json = serde_json::json!({
        "type": text, "n1": 1, "n2": 2, "n3": 3, "n4": 4, "n5": 5, "n6": 6, "n7": [1, 2, {"a": "b"}],
    });
    criterion.bench_function("script/JSON of 8 fields to Lua and back", |bench| {
        bench.iter(|| {
            let value = to_lua(vm.lua(), &json, ToLua::default());
            black_box(value.map(|value| to_json(&value, &ToJson::default()).is_ok()).is_ok())
        });
    });
}

fn hook(criterion: &mut Criterion) {
    let loops = [
        ("arithmetic", "local n = 0 for i = 1, 1000000 do n = n + i end return n"),
        ("tables", "local t = {} for i = 1, 1000000 do t[i % 100] = i end return 1"),
        (
            "calls",
            "local function f(a) return a end local n = 0 for i = 1, 1000000 do n = f(i) end return n",
        ),
    ];
    let vm = vm();
    let bare = mlua::Lua::new();
    for (name, source) in loops {
        let ours = function(&vm, source);
        criterion.bench_function(&format!("script/1,000,000 rounds of {name}"), |bench| {
            bench.iter(|| black_box(vm.call_sync::<i64>(&ours, (), MINUTE).is_ok()));
        });
        let Ok(theirs) = bare.load(source).into_function() else { return };
        criterion.bench_function(
            &format!("script/1,000,000 rounds of {name}, without a hook"),
            |bench| bench.iter(|| black_box(theirs.call::<i64>(()).is_ok())),
        );
    }
    let finds = "local n = 0 for i = 1, 10000 do
        if ('the quick brown fox jumps over the lazy dog'):find('(%w+) (%w+)$') then n = n + 1 end
      end return n";
    let ours = function(&vm, finds);
    criterion.bench_function("script/10,000 finds", |bench| {
        bench.iter(|| black_box(vm.call_sync::<i64>(&ours, (), MINUTE).is_ok()));
    });
    let Ok(theirs) = bare.load(finds).into_function() else { return };
    criterion.bench_function("script/10,000 finds by Lua's own matcher", |bench| {
        bench.iter(|| black_box(theirs.call::<i64>(()).is_ok()));
    });
}

fn threads(criterion: &mut Criterion) {
    let Ok(thread) = ScriptThread::start("bench", vm) else { return };
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().build() else { return };
    criterion.bench_function("script/kernel to script thread and back", |bench| {
        bench.iter(|| {
            let answer = thread.run(|vm| async move { vm.used_memory() });
            black_box(runtime.block_on(answer).is_ok())
        });
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = creation, calls, events, hook, threads, host::loading, host::events, host::calls,
        host::streaming
}
criterion_main!(benches);
