//! Work on the program's runtime on behalf of a script, and how much of it there may be.
//!
//! The script thread has no I/O driver and must not block. Its calls wait here for work elsewhere;
//! dropping the wait gives the work up.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::task::{JoinError, JoinHandle};

use super::answer::{Kind, Refusal};

/// Work that is given up when nobody waits for it any more.
struct Task<T>(JoinHandle<T>);

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl<T> Future for Task<T> {
    type Output = Result<T, Refusal>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(cx).map_err(|error| lost(&error))
    }
}

/// Why work ended without its answer.
fn lost(error: &JoinError) -> Refusal {
    if error.is_panic() {
        Refusal::new(Kind::Io, "fen's own code failed")
    } else {
        Refusal::new(Kind::Cancelled, "fen is ending")
    }
}

/// Runs a future on the runtime. Dropping the answer drops the future there.
pub(super) async fn run<T: Send + 'static>(
    runtime: &Handle,
    work: impl Future<Output = Result<T, Refusal>> + Send + 'static,
) -> Result<T, Refusal> {
    Task(runtime.spawn(work)).await?
}

/// Runs short blocking work, such as a few system calls on files. Once begun it goes to its end.
pub(super) async fn block<T: Send + 'static>(
    runtime: &Handle,
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    Task(runtime.spawn_blocking(work)).await?
}

/// Told to the work that a script no longer waits: by a message or, as a rule, by its sender's end.
pub(super) type Stop = oneshot::Receiver<()>;

/// Runs work that has an end of its own to make, such as ending processes. Dropping the answer
/// tells it so; it goes on until it is through with that.
pub(super) async fn watch<T: Send + 'static, F>(
    runtime: &Handle,
    work: impl FnOnce(Stop) -> F,
) -> Result<T, Refusal>
where
    F: Future<Output = Result<T, Refusal>> + Send + 'static,
{
    let (_held, stop) = oneshot::channel::<()>();
    runtime.spawn(work(stop)).await.map_err(|error| lost(&error))?
}

/// How many of one thing an extension may have at once.
#[derive(Debug, Clone)]
pub(super) struct Slots {
    what: &'static str,
    free: Arc<Semaphore>,
}

impl Slots {
    const MOST: usize = 64;

    pub(super) fn new(what: &'static str) -> Self {
        Slots { what, free: Arc::new(Semaphore::new(Self::MOST)) }
    }

    /// A place, until what is given is dropped.
    pub(super) fn take(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        self.free.clone().try_acquire_owned().map_err(|_| {
            let (most, what) = (Self::MOST, self.what);
            Refusal::new(
                Kind::Denied,
                format!("this extension has {most} {what} open; end or close one of them first"),
            )
        })
    }
}
