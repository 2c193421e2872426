//! What the tests share.

use std::future::Future;
use std::time::{Duration, Instant};

use fen_contract::cancel::CancelToken;
use fen_script::language::Lua as LuaLanguage;
use fen_script::mlua::{FromLuaMulti, Function, IntoLuaMulti};
use fen_script::vm::{CallError, CallLimits, Vm, VmConfig};

/// Far beyond every limit: reaching it means that something hangs.
pub const HANG: Duration = Duration::from_secs(60);

pub fn vm() -> Vm {
    Vm::new(VmConfig::new("test")).unwrap()
}

pub fn load(vm: &Vm, source: &str) -> Function {
    vm.load_source(&LuaLanguage, source, "test.lua").unwrap()
}

/// Runs a source as a synchronous callback.
pub fn eval<R: FromLuaMulti>(vm: &Vm, source: &str) -> Result<R, CallError> {
    let function = vm.load_source(&LuaLanguage, source, "test.lua")?;
    vm.call_sync(&function, (), Duration::from_secs(1))
}

pub fn ok<R: FromLuaMulti>(vm: &Vm, source: &str) -> R {
    eval(vm, source).unwrap_or_else(|error| panic!("{error}\n{:?}\n{source}", error.traceback))
}

pub fn fails(vm: &Vm, source: &str) -> CallError {
    let result: Result<fen_script::mlua::MultiValue, _> = eval(vm, source);
    result.err().unwrap_or_else(|| panic!("no error: {source}"))
}

pub fn limits(running: u64) -> CallLimits {
    CallLimits { running: Duration::from_millis(running), grace: Duration::from_millis(50) }
}

/// Runs a source as an asynchronous handler.
pub async fn handle<R: FromLuaMulti>(vm: &Vm, source: &str, running: u64) -> Result<R, CallError> {
    handle_with(vm, source, (), running).await
}

pub async fn handle_with<R: FromLuaMulti>(
    vm: &Vm,
    source: &str,
    arguments: impl IntoLuaMulti,
    running: u64,
) -> Result<R, CallError> {
    let function = vm.load_source(&LuaLanguage, source, "test.lua")?;
    vm.call_async(&function, arguments, limits(running), CancelToken::new()).await
}

/// Runs a future as the script thread would.
pub fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let began = Instant::now();
    let result = tokio::task::LocalSet::new().block_on(&runtime, work);
    assert!(began.elapsed() < HANG, "took {:?}", began.elapsed());
    result
}

/// `sleep(ms)`, `fail(words)` and `crash()` for scripts.
pub fn with_host(vm: &Vm) {
    let sleep = vm.async_function(|_, ms: u64| async move {
        tokio::time::sleep(Duration::from_millis(ms)).await;
        Ok(ms)
    });
    set(vm, "sleep", sleep);
    let fail = vm.function(|_, words: String| Err::<(), _>(words.into()));
    set(vm, "fail", fail);
    let crash = vm.function(|_, ()| -> Result<(), _> { panic!("deliberate") });
    set(vm, "crash", crash);
}

/// A VM that is short of memory goes without.
fn set(vm: &Vm, name: &str, function: fen_script::mlua::Result<Function>) {
    let _ = function.and_then(|function| vm.set_global(name, function));
}
