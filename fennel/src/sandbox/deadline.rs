//! The limit on running time: a hook that looks at the clock every hundred instructions.
//!
//! Once the time is over the hook raises an error at every single instruction. Code can catch one of
//! them, and fails again with the next instruction, so everything unwinds. What remains are the
//! places where Lua runs no hooks; the preludes keep code out of them.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Instant;

use mlua::{HookTriggers, Lua, VmState};

use super::Limits;

/// Instructions between two looks at the clock.
const COUNT: u32 = 100;
/// The same while memory runs short: an instruction that gets none costs a full collection.
const CROWDED_COUNT: u32 = 5;

/// Where a call was when its time was over: the chunk's name and the line.
pub(crate) type Stop = Option<(String, u32)>;

/// The running time of the current call.
pub(crate) struct Clock {
    limits: Limits,
    /// When the current call ends; nothing while there is none.
    deadline: Cell<Option<Instant>>,
    expired: Cell<bool>,
    count: Cell<u32>,
    place: RefCell<Stop>,
}

/// The words of the errors that end a call; no one but the code that is ended sees them.
const OVER: &str = "the time is over";

impl Clock {
    pub(super) fn new(limits: Limits) -> Self {
        Clock {
            limits,
            deadline: Cell::new(None),
            expired: Cell::new(false),
            count: Cell::new(COUNT),
            place: RefCell::new(None),
        }
    }

    /// Sets the hook of a state, which coroutines made by its code inherit.
    pub(super) fn install(self: &Rc<Self>, lua: &Lua) -> mlua::Result<()> {
        self.set_hook(lua, COUNT)
    }

    fn set_hook(self: &Rc<Self>, lua: &Lua, count: u32) -> mlua::Result<()> {
        let clock = self.clone();
        self.count.set(count);
        lua.set_global_hook(HookTriggers::new().every_nth_instruction(count), move |lua, _| {
            clock.on_count(lua)
        })
    }

    fn on_count(self: &Rc<Self>, lua: &Lua) -> mlua::Result<VmState> {
        if !self.expired.get() && self.is_over() {
            self.expired.set(true);
            self.place.replace(place(lua));
        }
        if self.expired.get() {
            // Each coroutine that still runs comes here and gets its own count.
            self.set_hook(lua, 1)?;
            return Err(mlua::Error::runtime(OVER));
        }
        let crowded = lua.used_memory() > self.limits.memory / 4 * 3;
        let wanted = if crowded { CROWDED_COUNT } else { COUNT };
        if self.count.get() != wanted {
            self.set_hook(lua, wanted)?;
        }
        Ok(VmState::Continue)
    }

    /// Whether the time of the current call is over, or there is none.
    pub(super) fn is_over(&self) -> bool {
        self.expired.get() || self.deadline.get().is_none_or(|deadline| Instant::now() >= deadline)
    }

    /// Starts the time of a call; one within another call shares the time of that one.
    pub(super) fn start(self: &Rc<Self>, lua: &Lua) -> Running {
        let outermost = self.deadline.get().is_none();
        if outermost {
            self.expired.set(false);
            self.place.replace(None);
            self.deadline.set(Instant::now().checked_add(self.limits.running).or_else(far));
            // The state has had a hook before, so it can get another one.
            let _ = self.set_hook(lua, COUNT);
        }
        Running { clock: self.clone(), outermost }
    }

    /// Where the current call was when its time was over, if it was.
    pub(super) fn stopped(&self) -> Option<Stop> {
        self.is_over().then(|| self.expired.set(true));
        self.expired.get().then(|| self.place.borrow().clone())
    }
}

/// The innermost line of code that is not of the preludes.
fn place(lua: &Lua) -> Stop {
    const LEVELS: usize = 10;
    (0..LEVELS).find_map(|level| {
        lua.inspect_stack(level, |debug| {
            let line = debug.current_line().and_then(|line| u32::try_from(line).ok())?;
            Some((debug.source().short_src?.into_owned(), line))
        })?
    })
}

/// A moment for a time that has no end.
fn far() -> Option<Instant> {
    Instant::now().checked_add(std::time::Duration::from_secs(86_400))
}

/// A call that runs.
pub(super) struct Running {
    clock: Rc<Clock>,
    outermost: bool,
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.outermost {
            self.clock.deadline.set(None);
        }
    }
}
