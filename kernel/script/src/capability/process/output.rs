//! What a program writes: kept up to a bound, or passed on as it is asked for.
//!
//! A pipe is followed until it ends, or until a moment after the program's exit: a child of it that
//! still holds the pipe keeps nobody waiting. It is read to the end even where nothing is kept, so
//! that a program never stands still for a full pipe.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::net::unix::pipe::Receiver;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};

/// How long output may stay open after the program's end.
pub(super) const GRACE: Duration = Duration::from_millis(150);

/// What a pipe can hold at the most where its size was not changed by a privileged process.
const PIPE: usize = 1 << 20;

/// One read.
const PIECE: usize = 64 << 10;

/// The moment from which on output is no longer waited for; nothing while the program runs.
pub(super) type Over = watch::Receiver<Option<Instant>>;

/// Output that is kept.
#[derive(Debug, Clone)]
pub(super) struct Kept(Arc<Mutex<Part>>);

/// Which part is kept where not all of it can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    Beginning,
    End,
}

#[derive(Debug)]
struct Part {
    keep: Keep,
    most: usize,
    bytes: Vec<u8>,
    cut: bool,
}

impl Kept {
    pub(super) fn new(keep: Keep, most: usize) -> Self {
        Kept(Arc::new(Mutex::new(Part { keep, most, bytes: Vec::new(), cut: false })))
    }

    fn push(&self, bytes: &[u8]) {
        let part = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match part.keep {
            Keep::Beginning => {
                let room = part.most - part.bytes.len();
                part.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
                part.cut |= bytes.len() > room;
            }
            Keep::End => {
                part.bytes.extend_from_slice(bytes);
                if part.bytes.len() > part.most * 2 {
                    part.shorten();
                }
            }
        }
    }

    /// A copy of what is kept, and whether there was more.
    pub(super) fn take(&self) -> (Vec<u8>, bool) {
        let part = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        part.shorten();
        (part.bytes.clone(), part.cut)
    }
}

impl Part {
    fn shorten(&mut self) {
        let spare = self.bytes.len().saturating_sub(self.most);
        self.bytes.drain(..spare);
        self.cut |= spare > 0;
    }
}

/// Where output goes.
pub(super) enum Sink {
    Keep(Kept),
    Pass(Passing),
}

/// Output that is passed on as the script reads it; the buffer between them is bounded, and a
/// program that fills it waits.
pub(super) struct Passing {
    buffer: DuplexStream,
    /// Set while the script waits for the exit: without room the two would wait for each other.
    waited_for: watch::Receiver<bool>,
    /// Set when something was thrown away; nothing is passed on after that.
    cut: Arc<AtomicBool>,
}

impl Passing {
    /// What takes output, and what gives it to the script.
    pub(super) fn new(
        room: usize,
        waited_for: watch::Receiver<bool>,
        cut: Arc<AtomicBool>,
    ) -> (Self, DuplexStream) {
        let (buffer, reader) = tokio::io::duplex(room);
        (Passing { buffer, waited_for, cut }, reader)
    }

    async fn pass(&mut self, mut piece: &[u8]) {
        while !piece.is_empty() && !self.cut.load(Ordering::Relaxed) {
            let written = tokio::select! {
                biased;
                written = self.buffer.write(piece) => written.unwrap_or(0),
                _ = self.waited_for.wait_for(|waited| *waited) => 0,
            };
            piece = &piece[written..];
            if written == 0 {
                self.cut.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl Sink {
    async fn take(&mut self, bytes: &[u8]) {
        match self {
            Sink::Keep(kept) => kept.push(bytes),
            Sink::Pass(passing) => passing.pass(bytes).await,
        }
    }
}

/// Follows a pipe to its end.
pub(super) async fn follow(mut pipe: Receiver, mut sink: Sink, mut over: Over) {
    let mut buffer = vec![0; PIECE];
    loop {
        let read = tokio::select! {
            biased;
            () = passed(&mut over) => break,
            read = pipe.read(&mut buffer) => read,
        };
        match read {
            Ok(0) | Err(_) => return,
            Ok(length) => sink.take(&buffer[..length]).await,
        }
    }
    // What the program left in the pipe. Who goes on writing cannot prolong this.
    let mut taken = 0;
    while taken < PIPE {
        match pipe.try_read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Ok(0) | Err(_) => return,
            Ok(length) => {
                taken += length;
                sink.take(&buffer[..length]).await;
            }
        }
    }
    tokio::spawn(discard(pipe));
}

async fn passed(over: &mut Over) {
    let at = match over.wait_for(Option::is_some).await {
        Ok(at) => *at,
        Err(_) => None,
    };
    if let Some(at) = at {
        sleep_until(at).await;
    }
}

/// Reads on for the sake of the background children: a closed pipe would kill them, a full one
/// would stop them. A flood is slowed down rather than followed.
async fn discard(mut pipe: Receiver) {
    let mut buffer = vec![0; 16 << 10];
    while let Ok(1..) = pipe.read(&mut buffer).await {
        sleep(Duration::from_millis(10)).await;
    }
}
