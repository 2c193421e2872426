//! The state of the one terminal that this process may own.
//!
//! Owns whether the modes are on, and each change of that. Everything here can be called from any
//! thread, and twice. It must never panic, and never wait without a bound where it gives the
//! terminal back, since a panic may be what calls it. [`Terminal`](crate::terminal::Terminal),
//! [`restore`](crate::restore) and [`suspend`](crate::suspend) are its callers.

use crate::device::Device;
use crate::error::TtyError;
use crate::modes::Modes;
use rustix::termios::{OptionalActions, QueueSelector, Termios, tcflush, tcsetattr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// How long giving the terminal back waits for a frame that is being written, and for room.
const PATIENCE: Duration = Duration::from_millis(300);

/// How often a writer that waits for room looks whether the terminal was given back.
const LOOK: Duration = Duration::from_millis(100);

/// The session that [`restore_now`](crate::restore::restore_now) gives back.
static CURRENT: Mutex<Option<Arc<Session>>> = Mutex::new(None);

/// A terminal with modes.
#[derive(Debug)]
pub(crate) struct Session {
    device: Arc<Device>,
    state: Mutex<State>,
    /// Whether frames may be written; as [`State::on`], but to be read between two writes.
    active: AtomicBool,
    /// Held for one frame.
    frame: Mutex<()>,
}

#[derive(Debug)]
struct State {
    on: bool,
    modes: Modes,
    /// The terminal's own settings, from before the modes.
    cooked: Option<Termios>,
}

impl Session {
    /// Takes the terminal, and turns the modes on.
    pub(crate) fn begin(device: Arc<Device>, modes: Modes) -> Result<Arc<Session>, TtyError> {
        let state = Mutex::new(State { on: false, modes, cooked: None });
        let (active, frame) = (AtomicBool::new(false), Mutex::new(()));
        let session = Arc::new(Session { device, state, active, frame });
        {
            let mut current = lock(&CURRENT);
            if current.is_some() {
                return Err(TtyError::AlreadyEntered);
            }
            *current = Some(session.clone());
        }
        if let Err(error) = session.enter() {
            session.end();
            return Err(error);
        }
        Ok(session)
    }

    /// The session that there is.
    pub(crate) fn current() -> Option<Arc<Session>> {
        lock(&CURRENT).clone()
    }

    /// Gives up the terminal; another session may begin.
    pub(crate) fn end(self: &Arc<Self>) {
        let mut current = lock(&CURRENT);
        if current.as_ref().is_some_and(|session| Arc::ptr_eq(session, self)) {
            *current = None;
        }
    }

    pub(crate) fn device(&self) -> &Arc<Device> {
        &self.device
    }

    pub(crate) fn is_active(&self) -> bool {
        self.active.load(Ordering::Acquire)
    }

    /// Turns the modes on, unless they are.
    pub(crate) fn enter(&self) -> Result<(), TtyError> {
        let mut state = lock(&self.state);
        if state.on {
            drop(state);
            // Held since somebody else may have changed what is on.
            return if self.is_active() { Ok(()) } else { self.renew() };
        }
        if !self.device.in_foreground()? {
            return Err(TtyError::InBackground);
        }
        let cooked = self.device.attributes()?;
        let mut raw = cooked.clone();
        raw.make_raw();
        state.cooked = Some(cooked);
        state.on = true;
        let entered = self
            .set(OptionalActions::Now, &raw)
            .and_then(|()| self.device.write_promptly(state.modes.enter().as_bytes(), PATIENCE));
        if let Err(error) = entered {
            let _ = self.turn_off(&mut state);
            return Err(error);
        }
        self.active.store(true, Ordering::Release);
        Ok(())
    }

    /// Turns the modes off, if they are on. In the background the terminal is somebody else's, so
    /// nothing is done to it there.
    pub(crate) fn leave(&self) -> Result<(), TtyError> {
        // Before the lock: whoever writes a frame stops after the write that it is at.
        self.active.store(false, Ordering::Release);
        let mut state = lock(&self.state);
        if !state.on {
            return Ok(());
        }
        let _frame = self.frame_within(PATIENCE);
        self.turn_off(&mut state)
    }

    fn turn_off(&self, state: &mut State) -> Result<(), TtyError> {
        state.on = false;
        if !self.device.in_foreground()? {
            return Ok(());
        }
        let written = self.device.write_promptly(state.modes.leave().as_bytes(), PATIENCE);
        if state.modes.reports() {
            // What the terminal reported and nobody read would be typed into the shell.
            let _ = tcflush(self.device.input(), QueueSelector::IFlush);
        }
        if let Some(cooked) = &state.cooked {
            self.set(OptionalActions::Now, cooked)?;
        }
        written
    }

    /// No frames until [`renew`](Session::renew) or [`enter`](Session::enter).
    pub(crate) fn hold(&self) {
        self.active.store(false, Ordering::Release);
    }

    /// Turns the modes off and on again after somebody else had the terminal, so that each is on
    /// once. Does nothing to a terminal that was left.
    pub(crate) fn renew(&self) -> Result<(), TtyError> {
        let state = lock(&self.state);
        if !state.on {
            return Ok(());
        }
        if !self.device.in_foreground()? {
            return Err(TtyError::InBackground);
        }
        if let Some(cooked) = &state.cooked {
            let mut raw = cooked.clone();
            raw.make_raw();
            self.set(OptionalActions::Now, &raw)?;
        }
        let bytes = state.modes.leave() + &state.modes.enter();
        self.device.write_promptly(bytes.as_bytes(), PATIENCE)?;
        self.active.store(true, Ordering::Release);
        Ok(())
    }

    /// Other modes from now on.
    pub(crate) fn change(&self, to: Modes) -> Result<(), TtyError> {
        let mut state = lock(&self.state);
        let before = std::mem::replace(&mut state.modes, to);
        if state.on && self.is_active() {
            let _frame = self.frame_within(PATIENCE);
            self.device.write_promptly(before.change(to).as_bytes(), PATIENCE)?;
        }
        Ok(())
    }

    pub(crate) fn modes(&self) -> Modes {
        lock(&self.state).modes
    }

    /// Writes one frame: one write, where the terminal takes it whole.
    pub(crate) fn write_frame(&self, bytes: &[u8]) -> Result<(), TtyError> {
        let _frame = lock(&self.frame);
        let mut rest = bytes;
        while !rest.is_empty() {
            if !self.is_active() {
                return Err(TtyError::Left);
            }
            let count = self.device.write_some(rest, LOOK)?;
            rest = rest.get(count..).unwrap_or_default();
        }
        Ok(())
    }

    fn set(&self, when: OptionalActions, to: &Termios) -> Result<(), TtyError> {
        loop {
            match tcsetattr(self.device.input(), when, to) {
                Err(rustix::io::Errno::INTR) => {}
                done => {
                    let doing = "setting the terminal's state";
                    return done.map_err(|errno| TtyError::of(doing, errno));
                }
            }
        }
    }

    /// The right to write, or none when whoever has it is stuck, or is this very thread.
    fn frame_within(&self, patience: Duration) -> Option<MutexGuard<'_, ()>> {
        let began = Instant::now();
        loop {
            match self.frame.try_lock() {
                Ok(guard) => return Some(guard),
                Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) if began.elapsed() < patience => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err(TryLockError::WouldBlock) => return None,
            }
        }
    }
}

/// A lock whose holder may have panicked; what it guards is right at each moment.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
