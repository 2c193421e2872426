//! Memory is bounded, and a VM that cannot go on says so.

use std::time::{Duration, Instant};

use fen_script::vm::{CallErrorKind, Vm, VmConfig};

use crate::kit::{HANG, fails, load, ok, vm};

const GREEDY: &[&str] = &[
    "local t = {} while true do t[#t + 1] = {} end",
    "local t = {} while true do t[#t + 1] = ('x'):rep(100000) .. #t end",
    "local s = 'x' while true do s = s .. s end",
    "local t = {} while true do pcall(function() while true do t[#t + 1] = {} end end) end",
    "local t = {} while true do t[#t + 1] = coroutine.create(function() end) end",
    "local t = {} for i = 1, 1000 do t[i] = ('x'):rep(100000) .. i end return table.concat(t)",
    "return string.pack('c30000000', '') .. string.pack('c30000000', '')",
    "return table.unpack({}, 1, 1e6)",
    "return ('x'):rep(1000000):gsub('.', ('y'):rep(1000))",
    "local t = {} for i = 1, 3e6 do t[i] = i end",
];

#[test]
fn endless_allocation_ends_as_an_error_and_the_vm_goes_on() {
    for source in GREEDY {
        let vm = vm();
        let function = load(&vm, source);
        let began = Instant::now();
        let error = vm.call_sync::<()>(&function, (), Duration::from_millis(500));
        let Err(error) = error else { continue };
        assert!(began.elapsed() < HANG);
        assert!(
            matches!(
                error.kind,
                CallErrorKind::Memory | CallErrorKind::Deadline | CallErrorKind::Runtime
            ),
            "{source}: {error}"
        );
        if error.kind == CallErrorKind::Memory {
            assert!(error.is_strike());
            assert!(!vm.must_quarantine(), "{source}");
        }
        assert!(vm.used_memory() <= 32 << 20);
        assert_eq!(ok::<i64>(&vm, "return #('x'):rep(1000)"), 1000, "{source}");
    }
    let error = fails(&vm(), GREEDY[0]);
    assert_eq!(error.kind, CallErrorKind::Memory, "{error}");
}

#[test]
fn a_script_that_keeps_everything_is_to_be_quarantined() {
    let vm = vm();
    assert!(!vm.must_quarantine());
    let function = load(
        &vm,
        "kept = {} local n = 0 while true do n = n + 1 kept[n] = ('x'):rep(4000) .. n end",
    );
    let error = vm.call_sync::<()>(&function, (), Duration::from_secs(5)).unwrap_err();
    assert_eq!(error.kind, CallErrorKind::Memory, "{error}");
    assert!(vm.must_quarantine());
}

#[test]
fn an_empty_vm_is_small() {
    let used = vm().used_memory();
    assert!(used < 100_000, "{used} bytes");
}

#[test]
fn a_limit_below_what_an_empty_vm_needs_is_an_error() {
    let mut config = VmConfig::new("tiny");
    config.memory_limit = 10_000;
    let error = Vm::new(config).err().unwrap();
    assert_eq!(error.kind, CallErrorKind::Memory);
}

#[test]
fn a_source_of_ten_megabytes_is_refused_with_its_size() {
    let vm = vm();
    let source = "-- x\n".repeat(2 << 20);
    let error = vm.load_source(&fen_script::language::Lua, &source, "big.lua").unwrap_err();
    assert_eq!(error.kind, CallErrorKind::Syntax);
    let words = error.to_string();
    assert!(words.starts_with("extension test: big.lua: the source has 10485760 bytes"), "{words}");
}

#[test]
fn a_dropped_vm_gives_everything_back() {
    let vm = vm();
    let weak = vm.downgrade();
    ok::<()>(&vm, "x = function() return x end");
    drop(vm);
    assert!(weak.upgrade().is_none());
}

/// Uses coroutines, host functions, waits, patterns, errors and conversions, and grows.
const BROAD: &str = "
  local kept = {}
  local function grow(n) for i = 1, n do kept[#kept + 1] = {i, tostring(i) .. 'x'} end end
  for round = 1, 200 do
    grow(20)
    local co = coroutine.wrap(function(a) local b = coroutine.yield(a .. round) sleep(0) return b end)
    kept[#kept + 1] = co('a')
    pcall(co, 'b')
    pcall(fail, ('words '):rep(50) .. round)
    kept[#kept + 1] = (('k=v '):rep(20)):gsub('(%w)=(%w)', function(k, v) return v .. round .. k end)
    xpcall(function() local x <close> = setmetatable({}, {__close = function() grow(1) end}) error({round}) end,
      function(e) kept[#kept + 1] = e return e end)
    kept[#kept + 1] = json.decode(json.encode({round, list = {round}, x = ('y'):rep(100)}) or 'null')
    table.sort(kept, function(a, b) return tostring(a) < tostring(b) end)
  end";

#[test]
fn any_memory_limit_ends_in_a_result_or_an_error() {
    crate::kit::block_on(async {
        let broad = BROAD.replace("{round, list = {round}, x", "{list = {round}, x");
        let mut failed = 0;
        for step in 0..40 {
            let mut config = VmConfig::new("tight");
            config.memory_limit = 40_000 + step * 9_001;
            config.slice = Duration::from_micros(100);
            let Ok(vm) = Vm::new(config) else { continue };
            crate::kit::with_host(&vm);
            let json =
                fen_script::value::json_table(&vm).and_then(|json| vm.set_global("json", json));
            if json.is_err() {
                continue;
            }
            for _ in 0..2 {
                let outcome = crate::kit::handle::<()>(&vm, &broad, 50).await;
                if let Err(error) = outcome {
                    failed += 1;
                    assert!(
                        matches!(
                            error.kind,
                            CallErrorKind::Memory
                                | CallErrorKind::Deadline
                                | CallErrorKind::Runtime
                        ),
                        "{step}: {error}"
                    );
                }
            }
        }
        assert!(failed > 20, "the limits were never reached: {failed}");
    });
}
