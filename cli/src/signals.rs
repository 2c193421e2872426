//! Signals: the first one asks the run to end, a second one ends the program at once.
//!
//! They are waited for by a thread of their own, so that they are heeded while the run's thread is
//! held up by a reader that does not read.

use fen_core::Kernel;
use fen_presenter_kit::output;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc;
use std::time::Duration;
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
    quit: Signal,
    /// Kept so that a file at its size limit is an error of the write, not the end of fen.
    _file_size: Signal,
}

/// `SIGXFSZ` has this number on Linux, macOS and the BSDs.
const FILE_SIZE: i32 = 25;

impl Signals {
    fn listen() -> io::Result<Self> {
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            quit: signal(SignalKind::quit())?,
            _file_size: signal(SignalKind::from_raw(FILE_SIZE))?,
        })
    }

    async fn next(&mut self) -> SignalKind {
        tokio::select! {
            _ = self.interrupt.recv() => SignalKind::interrupt(),
            _ = self.terminate.recv() => SignalKind::terminate(),
            _ = self.hang_up.recv() => SignalKind::hangup(),
            _ = self.quit.recv() => SignalKind::quit(),
        }
    }
}

/// Heeds signals from now on until the program ends.
pub fn heed(kernel: &Kernel, interrupt: Interrupt) -> io::Result<Ended> {
    let ended = Ended::default();
    let (kernel, seen) = (kernel.clone(), ended.clone());
    let (report, listening) = mpsc::sync_channel(1);
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        // The caller waits for the report, so it is always taken.
        let outcome = tokio::runtime::Builder::new_current_thread().enable_io().build();
        let outcome = outcome.and_then(|runtime| {
            let signals = {
                let _entered = runtime.enter();
                Signals::listen()?
            };
            Ok((runtime, signals))
        });
        match outcome {
            Ok((runtime, signals)) => {
                let _ = report.send(Ok(()));
                runtime.block_on(attend(signals, &kernel, interrupt, &seen));
            }
            Err(error) => {
                let _ = report.send(Err(error));
            }
        }
    })?;
    listening.recv().unwrap_or_else(|_| Err(io::Error::other("their thread ended")))?;
    Ok(ended)
}

async fn attend(mut signals: Signals, kernel: &Kernel, interrupt: Interrupt, ended: &Ended) {
    loop {
        let kind = signals.next().await;
        let is_key = kind == SignalKind::interrupt() || kind == SignalKind::quit();
        if is_key && fen_presenter_tui::is_terminal_lent() {
            continue;
        }
        let conversation = kernel.api().conversation();
        let cancelled = kind == SignalKind::interrupt()
            && interrupt == Interrupt::Cancels
            && conversation.is_some_and(|chat| chat.is_busy() && chat.cancel());
        if cancelled {
            continue;
        }
        let number = u8::try_from(kind.as_raw_value()).unwrap_or(1);
        if ended.0.swap(number, Ordering::Relaxed) != 0 {
            // Asked twice: the orderly end takes too long for the person.
            fen_presenter_tui::restore_now();
            std::process::exit(i32::from(128 + number));
        }
        kernel.quit();
        output::stop_waiting();
        end_for_certain(number);
    }
}

/// How long an orderly end may take. Tools are ended within a few seconds; what takes longer waits for a
/// terminal that nobody reads.
const ORDERLY: Duration = Duration::from_secs(20);

/// Ends the program although its orderly end does not come.
fn end_for_certain(number: u8) {
    let wait = move || {
        std::thread::sleep(ORDERLY);
        std::process::exit(i32::from(128 + number));
    };
    // Without the thread a second signal ends it all the same.
    let _ = std::thread::Builder::new().name("ending".to_owned()).spawn(wait);
}
