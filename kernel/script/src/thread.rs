//! The one thread on which all VMs live.
//!
//! It owns a current-thread runtime; jobs come in through a channel and run side by side. A script
//! that cannot be stopped would stop the thread with it, so the thread shows a heartbeat and is
//! never waited for longer than a bound: whoever owns it may abandon it and start another.

use std::cell::RefCell;
use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, mpsc as std_mpsc};
use std::task::{Context, Poll};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::LocalSet;

/// Room for the nested C calls that Lua allows (200), with frames of the host between them.
const STACK: usize = 8 << 20;

type LocalFuture = Pin<Box<dyn Future<Output = ()>>>;
type Job<S> = Box<dyn FnOnce(Rc<S>) -> LocalFuture + Send>;

/// When the thread last showed that it goes on: milliseconds after the process began to count,
/// plus one; 0 while it is idle.
#[derive(Default)]
struct Heartbeat {
    last: AtomicU64,
    /// The number of what runs now, 0 for nothing that has one.
    running: AtomicU64,
    /// Whether somebody looks at it, or has been told to; otherwise the next work tells.
    is_watched: AtomicBool,
    /// Tells that the thread has something to do.
    begun: Notify,
}

static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

impl Heartbeat {
    fn now() -> u64 {
        u64::try_from(ORIGIN.elapsed().as_millis()).unwrap_or(u64::MAX - 1) + 1
    }

    fn beat(&self) {
        self.last.store(Self::now(), Ordering::Relaxed);
    }

    fn rest(&self) {
        self.last.store(0, Ordering::SeqCst);
    }

    /// The thread goes on after a rest.
    fn wake(&self) {
        // Before the look at who watches, as the one who stops watching looks here after saying so:
        // one of the two sees the other.
        self.last.store(Self::now(), Ordering::SeqCst);
        if !self.is_watched.swap(true, Ordering::SeqCst) {
            self.begun.notify_one();
        }
    }

    async fn until_busy(&self) {
        self.is_watched.store(false, Ordering::SeqCst);
        if self.last.load(Ordering::SeqCst) == 0 {
            self.begun.notified().await;
        }
        self.is_watched.store(true, Ordering::SeqCst);
    }

    fn busy_for(&self) -> Duration {
        match self.last.load(Ordering::Relaxed) {
            0 => Duration::ZERO,
            last => Duration::from_millis(Self::now().saturating_sub(last)),
        }
    }
}

thread_local! {
    static HEARTBEAT: RefCell<Option<Arc<Heartbeat>>> = const { RefCell::new(None) };
}

/// Shows that this thread goes on; VMs do so at each poll. Does nothing on other threads.
pub fn beat() {
    HEARTBEAT.with(|own| {
        if let Some(heartbeat) = &*own.borrow() {
            heartbeat.beat();
        }
    });
}

/// Notes, until it is dropped, what runs on this thread, so that whoever watches it knows whose code
/// it is stuck in. Does nothing on other threads.
pub struct Running {
    outer: u64,
}

impl Running {
    /// Begins to run what goes by this number.
    pub fn begin(number: u64) -> Running {
        Running { outer: swap_running(number) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        swap_running(self.outer);
    }
}

fn swap_running(number: u64) -> u64 {
    HEARTBEAT.with(|own| match &*own.borrow() {
        Some(heartbeat) => heartbeat.running.swap(number, Ordering::Relaxed),
        None => 0,
    })
}

/// The thread does not take jobs any more, or a job ended without its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ThreadError {
    /// It was shut down, or could not be started.
    #[error("the script thread is gone")]
    Gone,
    /// The job panicked, or was dropped because the thread was shut down.
    #[error("the job on the script thread ended without an answer")]
    NoAnswer,
}

/// How a shutdown went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shutdown {
    /// The thread has ended.
    Ended,
    /// It did not end in time and was left to itself.
    Abandoned,
}

/// A handle of the script thread. `S` is the state that lives there and nowhere else: the VMs and
/// what belongs to them. Dropping the handle ends the thread without waiting for it.
pub struct ScriptThread<S: 'static = ()> {
    jobs: mpsc::UnboundedSender<Job<S>>,
    heartbeat: Arc<Heartbeat>,
    ended: std_mpsc::Receiver<()>,
    thread: JoinHandle<()>,
}

impl<S: 'static> ScriptThread<S> {
    /// Starts the thread and makes its state there.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(
        name: &str,
        state: impl FnOnce() -> S + Send + 'static,
    ) -> std::io::Result<ScriptThread<S>> {
        let (jobs, queue) = mpsc::unbounded_channel();
        let (end, ended) = std_mpsc::channel();
        let heartbeat = Arc::new(Heartbeat::default());
        heartbeat.beat();
        let own = heartbeat.clone();
        let body = move || {
            // Sent or dropped, it tells that the thread is over.
            let _end: std_mpsc::Sender<()> = end;
            HEARTBEAT.with(|here| here.replace(Some(own.clone())));
            serve(queue, state, &own);
        };
        let thread =
            std::thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(body)?;
        Ok(ScriptThread { jobs, heartbeat, ended, thread })
    }

    /// Runs a job beside the others, without an answer.
    ///
    /// # Errors
    /// [`ThreadError::Gone`].
    pub fn spawn<F, Fut>(&self, job: F) -> Result<(), ThreadError>
    where
        F: FnOnce(Rc<S>) -> Fut + Send + 'static,
        Fut: Future<Output = ()> + 'static,
    {
        let job: Job<S> = Box::new(move |state| Box::pin(job(state)));
        self.jobs.send(job).map_err(|_| ThreadError::Gone)
    }

    /// Runs a job beside the others and gives its answer. The job begins at once, whether or not
    /// the future is polled; dropping the future lets it go on without an audience.
    pub fn run<F, Fut, T>(
        &self,
        job: F,
    ) -> impl Future<Output = Result<T, ThreadError>> + Send + use<S, F, Fut, T>
    where
        F: FnOnce(Rc<S>) -> Fut + Send + 'static,
        Fut: Future<Output = T> + 'static,
        T: Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let sent = self.spawn(move |state| {
            let work = job(state);
            async move {
                // Nobody may be waiting any more.
                let _ = answer.send(work.await);
            }
        });
        async move {
            sent?;
            answered.await.map_err(|_| ThreadError::NoAnswer)
        }
    }

    /// Whether the thread has been busy with one thing for longer than this: a script is in code
    /// that nothing can interrupt, since every slice of a script shows a heartbeat.
    pub fn is_stuck(&self, longer_than: Duration) -> bool {
        self.heartbeat.busy_for() > longer_than
    }

    /// Waits while the thread rests. One watcher at a time is told.
    pub fn until_busy(&self) -> impl Future<Output = ()> + Send + use<S> {
        let heartbeat = self.heartbeat.clone();
        async move { heartbeat.until_busy().await }
    }

    /// The number of what runs there now, 0 for nothing that has one.
    pub fn running(&self) -> u64 {
        self.heartbeat.running.load(Ordering::Relaxed)
    }

    /// Ends the thread: no new jobs, running ones are dropped. Blocks for at most `bound`.
    pub fn shutdown(self, bound: Duration) -> Shutdown {
        drop(self.jobs);
        match self.ended.recv_timeout(bound) {
            Err(std_mpsc::RecvTimeoutError::Timeout) => Shutdown::Abandoned,
            // The sender is gone, so nothing of the thread is left but its exit.
            _ => {
                // Jobs that panic end by themselves; a panic of the thread was printed by it.
                let _ = self.thread.join();
                Shutdown::Ended
            }
        }
    }
}

fn serve<S: 'static>(
    mut queue: mpsc::UnboundedReceiver<Job<S>>,
    state: impl FnOnce() -> S,
    heartbeat: &Arc<Heartbeat>,
) {
    let (rest, wake) = (heartbeat.clone(), heartbeat.clone());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .on_thread_park(move || rest.rest())
        .on_thread_unpark(move || wake.wake())
        .build();
    // Without a runtime the queue is dropped, and every job is answered with `Gone`.
    let Ok(runtime) = runtime else { return };
    let local = LocalSet::new();
    let state = Rc::new(state());
    local.block_on(&runtime, async {
        while let Some(job) = queue.recv().await {
            let state = state.clone();
            // A panic ends this task alone; the one who waits for its answer gets `NoAnswer`.
            tokio::task::spawn_local(async move {
                let mut work = pin!(async move { job(state).await });
                std::future::poll_fn(move |cx| beating(work.as_mut(), cx)).await;
            });
        }
    });
}

fn beating<F: Future>(work: Pin<&mut F>, cx: &mut Context<'_>) -> Poll<F::Output> {
    beat();
    let polled = work.poll(cx);
    beat();
    polled
}
