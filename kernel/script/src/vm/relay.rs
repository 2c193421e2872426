//! The waker of a call: it forwards wakes, but swallows those that come while the call is polled.
//!
//! A preempted call is ready again at once. Waking its task from within its own poll puts it before
//! everybody else; the driver therefore swallows the wake and goes to the end of the queue.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Wake, Waker};

const IDLE: u8 = 0;
const POLLING: u8 = 1;
const WOKEN: u8 = 2;

pub(crate) struct Relay {
    state: AtomicU8,
    task: Mutex<Waker>,
}

impl Relay {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Relay { state: AtomicU8::new(IDLE), task: Mutex::new(Waker::noop().clone()) })
    }

    /// A poll begins: wakes go nowhere until [`Relay::end`].
    pub(crate) fn begin(&self, task: &Waker) {
        self.task.lock().unwrap_or_else(PoisonError::into_inner).clone_from(task);
        self.state.store(POLLING, Ordering::Release);
    }

    /// The poll is over; gives whether somebody woke the call meanwhile.
    pub(crate) fn end(&self) -> bool {
        self.state.swap(IDLE, Ordering::AcqRel) == WOKEN
    }
}

impl Wake for Relay {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        match self.state.compare_exchange(POLLING, WOKEN, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) | Err(WOKEN) => {}
            Err(_) => {
                let task = self.task.lock().unwrap_or_else(PoisonError::into_inner).clone();
                task.wake();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn wakes_go_through_between_polls_and_are_reported_within_one() {
        let count = Arc::new(Count(AtomicUsize::new(0)));
        let task = Waker::from(count.clone());
        let relay = Relay::new();
        let waker = Waker::from(relay.clone());
        relay.begin(&task);
        assert!(!relay.end());
        waker.wake_by_ref();
        assert_eq!(count.0.load(Ordering::Relaxed), 1);
        relay.begin(&task);
        waker.wake_by_ref();
        waker.wake_by_ref();
        assert!(relay.end());
        assert_eq!(count.0.load(Ordering::Relaxed), 1);
    }
}
