//! The script thread: jobs, panics, a stuck script, a bounded end.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use fen_contract::cancel::CancelToken;
use fen_script::language::Lua;
use fen_script::thread::{ScriptThread, Shutdown, ThreadError};
use fen_script::vm::{Vm, VmConfig};

use crate::kit::{block_on, limits};

const BOUND: Duration = Duration::from_secs(10);

#[test]
fn jobs_share_the_state_of_the_thread_and_answer() {
    let thread = ScriptThread::start("fen-script", || Cell::new(1)).unwrap();
    block_on(async {
        let sum = thread.run(|state: Rc<Cell<i32>>| async move {
            state.set(state.get() + 1);
            tokio::time::sleep(Duration::from_millis(1)).await;
            state.get()
        });
        assert_eq!(sum.await, Ok(2));
        let name = thread.run(|_| async { std::thread::current().name().map(str::to_owned) }).await;
        assert_eq!(name, Ok(Some("fen-script".to_owned())));
    });
    assert_eq!(thread.shutdown(BOUND), Shutdown::Ended);
}

#[test]
fn a_job_that_panics_ends_alone() {
    let thread = ScriptThread::start("fen-script", || ()).unwrap();
    block_on(async {
        let crashed = thread.run(|_| async {
            assert!(std::hint::black_box(false), "deliberate");
        });
        assert_eq!(crashed.await, Err(ThreadError::NoAnswer));
        assert_eq!(thread.run(|_| async { 1 }).await, Ok(1));
    });
    assert_eq!(thread.shutdown(BOUND), Shutdown::Ended);
}

#[test]
fn a_burning_script_is_not_a_stuck_thread() {
    let thread = ScriptThread::start("fen-script", || ()).unwrap();
    thread
        .spawn(|_| async {
            let vm = Vm::new(VmConfig::new("burner")).unwrap();
            let function = vm.load_source(&Lua, "while true do end", "burn.lua").unwrap();
            let _ = vm.call_async::<(), _>(&function, (), limits(60_000), CancelToken::new()).await;
        })
        .unwrap();
    block_on(async {
        for _ in 0..20 {
            assert!(!thread.is_stuck(Duration::from_secs(2)));
            assert_eq!(thread.run(|_| async { 1 }).await, Ok(1));
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    let began = Instant::now();
    assert_eq!(thread.shutdown(BOUND), Shutdown::Ended);
    assert!(began.elapsed() < BOUND);
}

#[test]
fn a_stuck_thread_shows_and_is_abandoned() {
    let thread = ScriptThread::start("fen-script", || ()).unwrap();
    let (release, held) = std::sync::mpsc::channel::<()>();
    thread
        .spawn(move |_| async move {
            let _ = held.recv();
        })
        .unwrap();
    let began = Instant::now();
    while !thread.is_stuck(Duration::from_millis(30)) {
        assert!(began.elapsed() < BOUND);
        std::thread::sleep(Duration::from_millis(5));
    }
    let waiting = thread.run(|_| async { 1 });
    assert_eq!(thread.shutdown(Duration::from_millis(20)), Shutdown::Abandoned);
    drop(release);
    // The job that was queued behind it is answered when the thread is free at last.
    assert!(matches!(block_on(waiting), Ok(1) | Err(ThreadError::NoAnswer)));
}

#[test]
fn an_idle_thread_is_never_stuck() {
    let thread = ScriptThread::start("fen-script", || ()).unwrap();
    block_on(async { thread.run(|_| async {}).await.unwrap() });
    std::thread::sleep(Duration::from_millis(60));
    assert!(!thread.is_stuck(Duration::from_millis(40)));
    assert_eq!(thread.shutdown(BOUND), Shutdown::Ended);
}
