//! The running time of calls: who is running, how long it may, and what the hook is to do about it.
//!
//! It owns the notion of the current call of this thread. It never touches Lua; the count hook asks
//! it every hundred instructions, the driver in `call.rs` tells it when a poll begins and ends.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::CallLimits;
use super::wait::Slot;

/// What the count hook must do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Go on.
    Go,
    /// Yield, so that others run; the call is resumed later.
    Pause,
    /// Raise the error that says that the call was cancelled.
    Cancel,
    /// End it for good.
    Kill,
}

/// Whether a call may wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// It must answer within one poll.
    Sync,
    /// It may wait for host futures and is preempted.
    Async,
}

/// How far the cancellation of a call has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cancel {
    /// Nobody asked.
    No,
    /// Asked for; the script does not know yet.
    Asked,
    /// The script was told by an error.
    Raised,
}

/// The error value of a script, kept as it was thrown.
pub(crate) struct Thrown {
    pub(crate) message: String,
    pub(crate) value: Option<serde_json::Value>,
    pub(crate) traceback: String,
}

/// One call of a script function, from its start to its end.
pub(crate) struct Run {
    pub(crate) id: u64,
    pub(crate) mode: Mode,
    slice: Duration,
    budget: Cell<Duration>,
    grace: Duration,
    /// Memory in use, in KiB, from which on the hook comes more often.
    crowded_at: i32,
    spent: Cell<Duration>,
    poll_began: Cell<Instant>,
    pause_at: Cell<Instant>,
    stop_at: Cell<Instant>,
    cpu_base: Cell<Option<Duration>>,
    dead: Cell<bool>,
    cancel: Cell<Cancel>,
    /// A host function panicked in this call.
    pub(crate) panicked: Cell<bool>,
    /// A wait was refused in this call.
    pub(crate) wait_refused: Cell<bool>,
    /// The host future that the call waits for.
    pub(crate) slot: Slot,
    /// The error that ended it, as the message handler saw it.
    pub(crate) thrown: RefCell<Option<Thrown>>,
    /// Where it was ended for good, as `name:line:`.
    pub(crate) place: RefCell<Option<String>>,
}

thread_local! {
    static CURRENT: RefCell<Option<Rc<Run>>> = const { RefCell::new(None) };
    /// Hook events outside of any call since the last call, see `stray`.
    static STRAY: Cell<u32> = const { Cell::new(0) };
    static NEXT_ID: Cell<u64> = const { Cell::new(1) };
}

/// Code that runs outside of a call (a metamethod that the host touches) gets about a million
/// instructions between two calls.
const STRAY_EVENTS: u32 = 10_000;

/// The moment `time` after `now`; a day stands for a time that has no end.
fn after(now: Instant, time: Duration) -> Instant {
    now + time.min(Duration::from_secs(86_400))
}

/// The processor time of this thread.
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

impl Run {
    /// A call with its limits; `memory` is that of the VM, in bytes, 0 for none.
    pub(crate) fn new(
        mode: Mode,
        slice: Duration,
        CallLimits { running: budget, grace }: CallLimits,
        memory: usize,
    ) -> Rc<Self> {
        let now = Instant::now();
        Rc::new(Run {
            id: NEXT_ID.with(|next| next.replace(next.get() + 1)),
            mode,
            slice,
            budget: Cell::new(budget),
            grace,
            crowded_at: match memory {
                0 => i32::MAX,
                limit => i32::try_from(limit / 1024 / 4 * 3).unwrap_or(i32::MAX),
            },
            spent: Cell::new(Duration::ZERO),
            poll_began: Cell::new(now),
            pause_at: Cell::new(now),
            stop_at: Cell::new(now),
            cpu_base: Cell::new(None),
            dead: Cell::new(false),
            cancel: Cell::new(Cancel::No),
            panicked: Cell::new(false),
            wait_refused: Cell::new(false),
            slot: Slot::default(),
            thrown: RefCell::new(None),
            place: RefCell::new(None),
        })
    }

    /// Makes this the current call until the guard is dropped, and starts its clock.
    pub(crate) fn enter(self: &Rc<Self>) -> Entered {
        let now = Instant::now();
        self.poll_began.set(now);
        self.pause_at.set(after(now, self.slice));
        self.stop_at.set(after(now, self.left()));
        self.cpu_base.set(None);
        STRAY.with(|stray| stray.set(0));
        let outer = CURRENT.with(|current| current.replace(Some(self.clone())));
        Entered { run: self.clone(), outer }
    }

    fn left(&self) -> Duration {
        self.budget.get().saturating_sub(self.spent.get())
    }

    /// The running time of the poll that goes on. Wall time is the first guess; as it counts the
    /// time in which another process had the processor, a guess that matters is checked against
    /// the thread's own clock.
    fn poll_time(&self, now: Instant) -> Duration {
        let wall = now.saturating_duration_since(self.poll_began.get());
        match self.cpu_base.get() {
            Some(base) => wall.min(thread_time().saturating_sub(base)),
            None => wall,
        }
    }

    fn leave(&self) {
        let now = Instant::now();
        let wall = now.saturating_duration_since(self.poll_began.get());
        let poll = if wall > Duration::from_millis(1) { self.poll_time(now) } else { wall };
        self.spent.set(self.spent.get() + poll);
    }

    fn on_count(&self, yieldable: bool) -> Verdict {
        if self.dead.get() {
            return Verdict::Kill;
        }
        let now = Instant::now();
        if self.cpu_base.get().is_none() {
            let wall = now.saturating_duration_since(self.poll_began.get());
            self.cpu_base.set(Some(thread_time().saturating_sub(wall)));
        }
        if now >= self.stop_at.get() {
            let (poll, left) = (self.poll_time(now), self.left());
            if poll >= left {
                self.dead.set(true);
                return Verdict::Kill;
            }
            self.stop_at.set(after(now, left - poll));
        }
        if self.mode == Mode::Sync || now < self.pause_at.get() {
            return Verdict::Go;
        }
        if self.cancel.get() == Cancel::Asked {
            self.told_of_cancel();
            self.stop_at.set(self.stop_at.get().min(after(now, self.grace)));
            return Verdict::Cancel;
        }
        if yieldable { Verdict::Pause } else { Verdict::Go }
    }

    /// Whether the call was ended for good.
    pub(crate) fn is_dead(&self) -> bool {
        self.dead.get()
    }

    /// The running time that it was given.
    pub(crate) fn allowed(&self) -> Duration {
        self.budget.get()
    }

    /// How far its cancellation has got.
    pub(crate) fn cancel_state(&self) -> Cancel {
        self.cancel.get()
    }

    /// Asks for the end of the call: the next wait, or the end of the slice, raises the error.
    pub(crate) fn ask_to_cancel(&self) {
        if self.cancel.get() == Cancel::No {
            self.cancel.set(Cancel::Asked);
        }
    }

    /// The script is about to see the error; from here on it has its grace and no more.
    pub(crate) fn told_of_cancel(&self) {
        if self.cancel.replace(Cancel::Raised) != Cancel::Raised {
            let so_far = self.spent.get() + self.poll_time(Instant::now());
            self.budget.set(self.budget.get().min(so_far.saturating_add(self.grace)));
        }
    }
}

/// Keeps a call the current one; dropping it stops its clock and brings the outer call back.
pub(crate) struct Entered {
    run: Rc<Run>,
    outer: Option<Rc<Run>>,
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.run.leave();
        STRAY.with(|stray| stray.set(0));
        CURRENT.with(|current| current.replace(self.outer.take()));
    }
}

/// The call that runs on this thread now.
pub(crate) fn current() -> Option<Rc<Run>> {
    CURRENT.with(|current| current.borrow().clone())
}

/// The running time that is left to the call that runs on this thread now, if one does.
pub(crate) fn left() -> Option<Duration> {
    current().map(|run| run.left().saturating_sub(run.poll_time(Instant::now())))
}

/// What the count hook must do now.
pub(crate) fn on_count(yieldable: bool) -> Verdict {
    CURRENT.with(|current| match &*current.borrow() {
        Some(run) => run.on_count(yieldable),
        None => stray(),
    })
}

/// Whether a VM that has this many KiB in use is short of memory.
pub(crate) fn is_crowded(used: i32) -> bool {
    CURRENT.with(|current| current.borrow().as_ref().is_some_and(|run| used >= run.crowded_at))
}

/// Keeps the place at which the current call is ended, the first time.
pub(crate) fn note_place(name: &str, line: i32) {
    if let Some(run) = current() {
        run.place.borrow_mut().get_or_insert_with(|| format!("{name}:{line}:"));
    }
}

/// Script code that runs although no call is going on.
fn stray() -> Verdict {
    STRAY.with(|stray| {
        stray.set(stray.get().saturating_add(1));
        if stray.get() > STRAY_EVENTS { Verdict::Kill } else { Verdict::Go }
    })
}

/// Whether the hook has something to do; asked after host work that took long.
pub(crate) fn is_due() -> bool {
    CURRENT.with(|current| match &*current.borrow() {
        Some(run) => {
            let now = Instant::now();
            run.dead.get()
                || now >= run.stop_at.get()
                || (run.mode == Mode::Async && now >= run.pause_at.get())
        }
        None => false,
    })
}

/// Whether the current call was ended for good.
pub(crate) fn is_doomed() -> bool {
    CURRENT.with(|current| {
        current.borrow().as_ref().is_some_and(|run| run.on_count(false) == Verdict::Kill)
    })
}
