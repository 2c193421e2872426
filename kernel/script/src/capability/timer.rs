//! `api.timer`: waiting. Everyone may; what is called later by itself is set up elsewhere.

use std::rc::Rc;
use std::time::Duration;

use mlua::{Table, Value};

use super::arguments::milliseconds;
use super::group::{Answers, Context, Group};
use crate::vm::Vm;

/// The longest sleep.
const MOST: Duration = Duration::from_secs(24 * 3_600);

pub(super) const GROUP: Group =
    Group { name: "timer", capability: None, functions: &[("sleep", Answers::Table)], make };

fn make(vm: &Vm, table: &Table, _: &Rc<Context>) -> mlua::Result<()> {
    let sleep = vm.async_function(|lua, time: Value| {
        let time = milliseconds("api.timer.sleep: the milliseconds", &time, MOST);
        async move {
            tokio::time::sleep(time?).await;
            Ok(super::answer::done(&lua)?)
        }
    })?;
    table.raw_set("sleep", sleep)
}
