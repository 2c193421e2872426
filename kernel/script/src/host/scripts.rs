//! The script thread as the host has it: which instances live there, and the events on their way.
//!
//! It is started with the first extension and abandoned when nothing can stop what runs on it. The
//! host owns it; links reach it.

use super::events::EventQueue;
use super::instance::Instance;
use crate::thread::{ScriptThread, Shutdown, ThreadError};
use fen_contract::cancel::CancelToken;
use fen_contract::failure::Failure;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Names one generation of one extension for the life of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct InstanceId(pub u64);

thread_local! {
    static IS_SCRIPT_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// Whether this is a script thread, which must never wait for another job of its own.
pub(crate) fn is_script_thread() -> bool {
    IS_SCRIPT_THREAD.with(Cell::get)
}

/// What lives on the script thread.
#[derive(Default)]
pub(crate) struct World {
    instances: RefCell<HashMap<InstanceId, Rc<Instance>>>,
}

impl World {
    pub fn instance(&self, id: InstanceId) -> Option<Rc<Instance>> {
        self.instances.borrow().get(&id).cloned()
    }

    pub fn enter(&self, id: InstanceId, instance: Rc<Instance>) {
        self.instances.borrow_mut().insert(id, instance);
    }

    pub fn remove(&self, id: InstanceId) {
        let gone = self.instances.borrow_mut().remove(&id);
        if let Some(gone) = gone {
            gone.retire();
        }
    }

    /// How many instances there are.
    pub fn len(&self) -> usize {
        self.instances.borrow().len()
    }

    /// Whether no instance has an event left to handle.
    pub fn is_idle(&self) -> bool {
        self.instances.borrow().values().all(|instance| instance.mailbox_is_empty())
    }
}

/// The thread with its state.
pub(crate) struct Scripts {
    thread: Mutex<Option<ScriptThread<World>>>,
    /// Tripped when the thread was abandoned: nobody waits for its answers any more.
    pub lost: CancelToken,
    pub events: Arc<EventQueue>,
}

impl Scripts {
    /// Starts the thread.
    pub fn start() -> Result<Arc<Scripts>, Failure> {
        let thread = ScriptThread::start("fen-scripts", || {
            IS_SCRIPT_THREAD.with(|flag| flag.set(true));
            World::default()
        })
        .map_err(|error| Failure::new(format!("the script thread cannot start: {error}")))?;
        Ok(Arc::new(Scripts {
            thread: Mutex::new(Some(thread)),
            lost: CancelToken::new(),
            events: Arc::default(),
        }))
    }

    fn with_thread<T>(
        &self,
        use_it: impl FnOnce(&ScriptThread<World>) -> Result<T, ThreadError>,
    ) -> Result<T, ThreadError> {
        match &*self.thread.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(thread) => use_it(thread),
            None => Err(ThreadError::Gone),
        }
    }

    /// Runs a job beside the others, without an answer.
    pub fn spawn<F, Fut>(&self, job: F) -> Result<(), ThreadError>
    where
        F: FnOnce(Rc<World>) -> Fut + Send + 'static,
        Fut: Future<Output = ()> + 'static,
    {
        self.with_thread(|thread| thread.spawn(job))
    }

    /// Runs a job and gives its answer; an error once the thread is gone or abandoned.
    pub async fn run<F, Fut, T>(&self, job: F) -> Result<T, Failure>
    where
        F: FnOnce(Rc<World>) -> Fut + Send + 'static,
        Fut: Future<Output = T> + 'static,
        T: Send + 'static,
    {
        let answer = self
            .with_thread(|thread| Ok(thread.run(job)))
            .map_err(|error| Failure::new(error.to_string()))?;
        tokio::pin!(answer);
        tokio::select! {
            biased;
            answer = &mut answer => answer.map_err(|error| Failure::new(error.to_string())),
            () = self.lost.cancelled() => Err(Failure::new(
                "the script thread was stuck in code that nothing can interrupt, and was given up",
            )),
        }
    }

    /// Whether one thing has kept the thread busy for longer than this.
    pub fn is_stuck(&self, longer_than: Duration) -> bool {
        self.with_thread(|thread| Ok(thread.is_stuck(longer_than))).unwrap_or(false)
    }

    /// Waits while the thread has nothing to do, unless it is given up.
    pub async fn until_busy(&self) {
        let Ok(busy) = self.with_thread(|thread| Ok(thread.until_busy())) else { return };
        tokio::select! {
            () = busy => {}
            () = self.lost.cancelled() => {}
        }
    }

    /// The instance whose code runs now.
    pub fn running(&self) -> Option<InstanceId> {
        let number = self.with_thread(|thread| Ok(thread.running())).unwrap_or(0);
        (number != 0).then_some(InstanceId(number))
    }

    /// Ends the thread, or leaves it to itself after `bound`.
    pub fn shutdown(&self, bound: Duration) -> Shutdown {
        self.lost.cancel();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        thread.map_or(Shutdown::Ended, |thread| thread.shutdown(bound))
    }
}
