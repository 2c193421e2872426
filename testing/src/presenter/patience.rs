//! How long a test waits for what does not come.
//!
//! A thread measures it, because the clock of a tokio runtime may be paused by the test.

use std::sync::mpsc;
use std::time::Duration;
use tokio::sync::oneshot;

/// Far beyond what anything here takes, on any machine. It only ends tests that hang.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

pub(crate) struct Patience {
    over: oneshot::Receiver<()>,
    /// Ends the thread when it is dropped.
    _waiting: mpsc::Sender<()>,
}

impl Patience {
    pub fn begin() -> Self {
        let (waiting, waited_for) = mpsc::channel();
        let (tell, over) = oneshot::channel();
        std::thread::spawn(move || {
            if waited_for.recv_timeout(LIMIT) == Err(mpsc::RecvTimeoutError::Timeout) {
                let _ = tell.send(());
            }
        });
        Patience { over, _waiting: waiting }
    }

    /// Completes once it is over.
    pub async fn over(&mut self) {
        let _ = (&mut self.over).await;
    }
}
