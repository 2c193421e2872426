//! `spawn`: a program that a script talks to while it runs.
//!
//! The program belongs to its handle: it ends with all of its session when the handle goes, which
//! is when the script, or its VM, has no use for it any more.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::net::unix::pipe::Sender;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, OwnedSemaphorePermit, oneshot, watch};
use tokio::time::{Instant, sleep};

use super::super::answer::{Kind, Refusal};
use super::super::lines::Lines;
use super::super::remote;
use super::end::{Exit, terminate};
use super::output::{GRACE, Keep, Kept, Passing, Sink, follow};
use super::start::{Request, Started};

/// How much unread output there may be before the program has to wait.
const UNREAD: usize = 1 << 20;

/// How much of the end of its error output is kept.
const ERRORS: usize = 64 << 10;

type Ended = Option<Result<Exit, Refusal>>;

/// The script's side of a program.
pub(super) struct Spawned {
    runtime: Handle,
    /// Dropped to end it.
    stop: RefCell<Option<oneshot::Sender<()>>>,
    stdin: Arc<Mutex<Option<Sender>>>,
    output: Mutex<Output>,
    errors: Kept,
    ended: watch::Receiver<Ended>,
    waited_for: watch::Sender<bool>,
    cut: Arc<AtomicBool>,
}

struct Output {
    pipe: DuplexStream,
    lines: Lines,
    buffer: Vec<u8>,
}

/// How it ended, as far as `wait` tells.
pub(super) struct Waited {
    pub(super) exit: Exit,
    /// The end of what it wrote to stderr.
    pub(super) stderr: Vec<u8>,
    /// Output was thrown away.
    pub(super) truncated: bool,
}

impl Spawned {
    /// Starts a program whose lines have at most `longest` bytes.
    pub(super) async fn start(
        runtime: &Handle,
        request: Request,
        longest: usize,
        slot: OwnedSemaphorePermit,
    ) -> Result<Self, Refusal> {
        let (stop, stopped) = oneshot::channel::<()>();
        let (waited_for, waiting) = watch::channel(false);
        let (end, ended) = watch::channel(None);
        let cut = Arc::new(AtomicBool::new(false));
        let errors = Kept::new(Keep::End, ERRORS);
        let (passing, pipe) = Passing::new(UNREAD, waiting, cut.clone());
        let tail = errors.clone();
        let started = remote::run(runtime, async move {
            let mut started = request.start()?;
            let stdin = started.stdin.take();
            tokio::spawn(live(started, passing, tail, stopped, end, slot));
            Ok(stdin)
        });
        let stdin = started.await?;
        Ok(Spawned {
            runtime: runtime.clone(),
            stop: RefCell::new(Some(stop)),
            stdin: Arc::new(Mutex::new(stdin)),
            output: Mutex::new(Output {
                pipe,
                lines: Lines::new(longest),
                buffer: vec![0; 16 << 10],
            }),
            errors,
            ended,
            waited_for,
            cut,
        })
    }

    /// The next line of its output, `None` at the end.
    pub(super) async fn read_line(&self) -> Result<Option<Vec<u8>>, Refusal> {
        let output = &mut *self.output.lock().await;
        loop {
            if let Some(line) = output.lines.next()? {
                return Ok(Some(line));
            }
            let read = output.pipe.read(&mut output.buffer).await;
            match read.map_err(|error| Refusal::io("read from the process", &error))? {
                0 => return Ok(output.lines.rest()),
                length => output.lines.push(&output.buffer[..length]),
            }
        }
    }

    /// Writes to its input.
    pub(super) async fn write(&self, bytes: Vec<u8>) -> Result<(), Refusal> {
        let stdin = self.stdin.clone();
        let written = remote::run(&self.runtime, async move {
            let stdin = &mut *stdin.lock().await;
            let Some(pipe) = stdin else {
                return Err(Refusal::new(Kind::Invalid, "the input of the process is closed"));
            };
            let written = pipe.write_all(&bytes).await;
            written.map_err(|error| Refusal::io("write to the process", &error))
        });
        written.await
    }

    /// Ends its input, after what is being written.
    pub(super) async fn close_stdin(&self) -> Result<(), Refusal> {
        let stdin = self.stdin.clone();
        let closed = remote::run(&self.runtime, async move {
            stdin.lock().await.take();
            Ok(())
        });
        closed.await
    }

    /// Waits for its exit. Output beyond what fits unread is thrown away meanwhile.
    pub(super) async fn wait(&self) -> Result<Waited, Refusal> {
        self.waited_for.send_replace(true);
        let mut ended = self.ended.clone();
        let exit = match ended.wait_for(Option::is_some).await {
            Ok(ended) => ended.clone(),
            Err(_) => None,
        };
        let gone = || Err(Refusal::new(Kind::Cancelled, "fen is ending"));
        let exit = exit.unwrap_or_else(gone)?;
        let (stderr, _) = self.errors.take();
        Ok(Waited { exit, stderr, truncated: self.cut.load(Ordering::Relaxed) })
    }

    /// Ends it. `wait` tells when it is over.
    pub(super) fn kill(&self) {
        self.stop.borrow_mut().take();
    }
}

/// Lives as long as the program.
async fn live(
    started: Started,
    passing: Passing,
    errors: Kept,
    stop: remote::Stop,
    end: watch::Sender<Ended>,
    slot: OwnedSemaphorePermit,
) {
    let Started { mut child, mut group, stdout, stderr, .. } = started;
    let (over, output_over) = watch::channel(None);
    let (errors_read, mut read) = watch::channel(false);
    let output = follow(stdout, Sink::Pass(passing), output_over.clone());
    let errors = async {
        follow(stderr, Sink::Keep(errors), output_over.clone()).await;
        errors_read.send_replace(true);
    };
    let life = async {
        let mut exit = child.wait();
        let exit = tokio::select! {
            status = &mut exit => Exit::of(status),
            _ = stop => terminate(&group, &mut exit).await,
        };
        group.release();
        over.send_replace(Some(Instant::now() + GRACE));
        // Its last words on stderr are part of the answer.
        tokio::select! {
            _ = read.wait_for(|read| *read) => {}
            () = sleep(GRACE * 2) => {}
        }
        end.send_replace(Some(exit));
        drop(slot);
    };
    tokio::join!(life, output, errors);
}
