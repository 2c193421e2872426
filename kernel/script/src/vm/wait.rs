//! The host future that a call waits for, kept where the driver can drop it.
//!
//! A script waits for one future at a time, however deep its coroutines are nested. The future
//! lives beside the call and not in the coroutine, so that cancelling frees it at once instead of
//! at the next garbage collection.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use mlua::MultiValue;

use super::host::HostError;

/// What a host function works on.
pub(crate) type HostFuture = Pin<Box<dyn Future<Output = Result<MultiValue, HostError>>>>;

/// The place of the one future.
pub(crate) struct Slot {
    future: RefCell<Option<HostFuture>>,
    waker: RefCell<Waker>,
    /// Set while the future itself is being polled and therefore out of its place.
    polling: Cell<bool>,
    /// The future that is being polled must not come back.
    revoked: Cell<bool>,
    /// A future was polled in this turn.
    polled: Cell<bool>,
}

/// Holds the flag up, through a panic of the future too.
struct Polling<'s>(&'s Cell<bool>);

impl<'s> Polling<'s> {
    fn begin(flag: &'s Cell<bool>) -> Self {
        flag.set(true);
        Polling(flag)
    }
}

impl Drop for Polling<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

impl Default for Slot {
    fn default() -> Self {
        Slot {
            future: RefCell::new(None),
            waker: RefCell::new(Waker::noop().clone()),
            polling: Cell::new(false),
            revoked: Cell::new(false),
            polled: Cell::new(false),
        }
    }
}

impl Slot {
    /// The waker of the turn that begins.
    pub(crate) fn begin_turn(&self, waker: &Waker) {
        self.waker.borrow_mut().clone_from(waker);
        self.polled.set(false);
    }

    /// Whether there is a future that was found not ready in this turn. One that was not looked at
    /// (the script was preempted between starting it and waiting) may have become ready long ago:
    /// its wake was spent on a turn that did not reach it.
    pub(crate) fn is_waited_for(&self) -> bool {
        self.polled.get() && self.future.borrow().is_some()
    }

    /// Drops the future, if there is one.
    pub(crate) fn clear(&self) {
        self.revoked.set(self.polling.get());
        let future = self.future.borrow_mut().take();
        // Dropped outside of the borrow: its destructors may do anything.
        drop(future);
    }

    /// Takes the future out to poll it.
    pub(crate) fn take(&self) -> Option<HostFuture> {
        self.future.borrow_mut().take()
    }

    /// Polls a future and keeps it here if it is not ready.
    pub(crate) fn poll(&self, mut future: HostFuture) -> Poll<Result<MultiValue, HostError>> {
        let waker = self.waker.borrow().clone();
        self.polled.set(true);
        let polled = {
            let _polling = Polling::begin(&self.polling);
            future.as_mut().poll(&mut Context::from_waker(&waker))
        };
        if polled.is_pending() && !self.revoked.replace(false) {
            let before = self.future.borrow_mut().replace(future);
            drop(before);
        }
        polled
    }
}
