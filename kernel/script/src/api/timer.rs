//! `timer`: `after(ms, fn)` and `every(ms, fn)`. Timers end with their extension's generation.

use crate::host::{Instance, Limit};
use crate::vm::HostError;
use fen_contract::cancel::CancelToken;
use mlua::{Function, Table};
use std::rc::Rc;
use std::time::Duration;

/// The shortest period of a repeated timer.
const SHORTEST: Duration = Duration::from_millis(10);
/// The longest wait.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 3600);
/// How many timers an extension may have at once.
const MAX_TIMERS: usize = 256;

#[derive(Clone, Copy)]
enum Kind {
    Once,
    Repeated,
}

fn duration(ms: f64) -> Result<Duration, HostError> {
    if !ms.is_finite() || ms < 0.0 {
        return Err(HostError::new(format!("a timer takes milliseconds, got {ms}")));
    }
    Ok(Duration::from_secs_f64(ms / 1000.0).min(LONGEST))
}

fn start(
    instance: &Rc<Instance>,
    ms: f64,
    function: Function,
    kind: Kind,
) -> Result<Table, HostError> {
    let wait = duration(ms)?;
    let wait = match kind {
        Kind::Once => wait,
        Kind::Repeated => wait.max(SHORTEST),
    };
    if instance.timers.get() >= MAX_TIMERS {
        return Err(HostError::new(format!(
            "this extension has {MAX_TIMERS} timers already; cancel some"
        )));
    }
    instance.timers.set(instance.timers.get() + 1);
    let stop = CancelToken::new();
    let (weak, stopped, retired) =
        (Rc::downgrade(instance), stop.clone(), instance.retired.clone());
    tokio::task::spawn_local(async move {
        loop {
            tokio::select! {
                biased;
                () = retired.cancelled() => break,
                () = stopped.cancelled() => break,
                () = tokio::time::sleep(wait) => {}
            }
            let Some(instance) = weak.upgrade() else { return };
            // Not `stopped`: a function that cancels its own timer still runs to its end.
            let called =
                instance.call_function(&function, Limit::Handler, (), CancelToken::new()).await;
            if let Err(failure) = called {
                instance.report("timer", &failure.message);
            }
            if matches!(kind, Kind::Once) {
                break;
            }
        }
        if let Some(instance) = weak.upgrade() {
            instance.timers.set(instance.timers.get().saturating_sub(1));
        }
    });
    let handle = instance.lua().create_table_with_capacity(0, 1)?;
    handle.raw_set(
        "cancel",
        instance.function(move |_, _: mlua::MultiValue| {
            stop.cancel();
            Ok(())
        })?,
    )?;
    Ok(handle)
}

/// Adds what needs the instance to the table.
pub(super) fn add(instance: &Rc<Instance>, timer: &Table) -> mlua::Result<()> {
    timer.raw_set(
        "after",
        instance.function(|instance, (ms, function): (f64, Function)| {
            start(instance, ms, function, Kind::Once)
        })?,
    )?;
    timer.raw_set(
        "every",
        instance.function(|instance, (ms, function): (f64, Function)| {
            start(instance, ms, function, Kind::Repeated)
        })?,
    )
}
