//! Signals: the first one asks the run to end, a second one ends the program at once.

use fen_core::Kernel;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Which signal ended the run.
#[derive(Clone, Default)]
pub struct Ended(Arc<AtomicU8>);

impl Ended {
    /// 128 and the signal's number; `None` if no signal ended the run.
    pub fn exit_code(&self) -> Option<u8> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            number => Some(128 + number),
        }
    }
}

/// What an interrupt from the keyboard does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interrupt {
    /// It ends the run.
    Ends,
    /// It cancels the turn under way; without one it ends the run.
    Cancels,
}

struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
    /// Kept so that a file at its size limit is an error of the write, not the end of fen.
    _file_size: Signal,
}

/// `SIGXFSZ` has this number on Linux, macOS and the BSDs.
const FILE_SIZE: i32 = 25;

impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            _file_size: signal(SignalKind::from_raw(FILE_SIZE))?,
        })
    }

    async fn next(&mut self) -> SignalKind {
        tokio::select! {
            _ = self.interrupt.recv() => SignalKind::interrupt(),
            _ = self.terminate.recv() => SignalKind::terminate(),
            _ = self.hang_up.recv() => SignalKind::hangup(),
        }
    }
}

/// Heeds signals until the run is over. Must be called on the runtime.
pub fn heed(kernel: &Kernel, interrupt: Interrupt) -> std::io::Result<Ended> {
    let ended = Ended::default();
    let mut signals = Signals::listen()?;
    let kernel = kernel.clone();
    let seen = ended.clone();
    tokio::spawn(async move {
        loop {
            let kind = signals.next().await;
            let conversation = kernel.api().conversation();
            let cancelled = kind == SignalKind::interrupt()
                && interrupt == Interrupt::Cancels
                && conversation.is_some_and(|chat| chat.is_busy() && chat.cancel());
            if cancelled {
                continue;
            }
            let number = u8::try_from(kind.as_raw_value()).unwrap_or(1);
            if seen.0.swap(number, Ordering::Relaxed) != 0 {
                // Asked twice: the orderly end takes too long for the person.
                std::process::exit(i32::from(128 + number));
            }
            kernel.quit();
        }
    });
    Ok(ended)
}
