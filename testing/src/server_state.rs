//! What the server's thread and the test share: the script, the record, and waiting for it.

use std::{
    collections::VecDeque,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use crate::{reply::Reply, request::RecordedRequest};

/// How long any wait lasts before it fails the test.
const PATIENCE: Duration = Duration::from_secs(20);

type Answer = Arc<dyn Fn(&RecordedRequest) -> Reply + Send + Sync>;

/// The shared state. Its lock is never held while a closure of the test runs.
#[derive(Default)]
pub(crate) struct ServerState {
    inner: Mutex<Inner>,
    changed: Condvar,
}

#[derive(Default)]
pub(crate) struct Inner {
    pub(crate) script: VecDeque<Reply>,
    pub(crate) by_path: Vec<(String, Reply)>,
    pub(crate) fallback: Option<Answer>,
    pub(crate) requests: Vec<RecordedRequest>,
    pub(crate) unexpected: Vec<String>,
    pub(crate) connections: usize,
    pub(crate) disconnects: usize,
}

impl ServerState {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().expect("nothing panics while it holds this lock")
    }

    pub(crate) fn note_connection(&self) -> usize {
        let mut inner = self.lock();
        inner.connections += 1;
        self.changed.notify_all();
        inner.connections
    }

    pub(crate) fn note_disconnect(&self) {
        self.lock().disconnects += 1;
        self.changed.notify_all();
    }

    pub(crate) fn note_unexpected(&self, message: String) {
        self.lock().unexpected.push(message);
        self.changed.notify_all();
    }

    /// Records the request and chooses its reply: by path, else the next of the script, else the
    /// fallback, else status 500.
    pub(crate) fn answer(&self, request: RecordedRequest) -> Reply {
        let fallback = {
            let mut inner = self.lock();
            inner.requests.push(request.clone());
            self.changed.notify_all();
            if let Some((_, reply)) = inner.by_path.iter().find(|(path, _)| *path == request.path) {
                return reply.clone();
            }
            if let Some(reply) = inner.script.pop_front() {
                return reply;
            }
            inner.fallback.clone()
        };
        let problem = match fallback {
            None => "no reply was scripted for",
            Some(answer) => match catch_unwind(AssertUnwindSafe(|| answer(&request))) {
                Ok(reply) => return reply,
                Err(_) => "the closure of the test panicked at",
            },
        };
        let count = self.lock().requests.len();
        let message = format!("{problem} request {count}: {} {}", request.method, request.path);
        self.note_unexpected(message.clone());
        Reply::status(500).content_type("text/plain").body(format!("fen-testing: {message}"))
    }

    /// Blocks until `count` of the record reaches `wanted`.
    pub(crate) fn wait(&self, what: &str, wanted: usize, count: fn(&Inner) -> usize) {
        let deadline = Instant::now() + PATIENCE;
        let mut inner = self.lock();
        while count(&inner) < wanted {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let report = format!(
                    "waited {PATIENCE:?} for {wanted} {what}, saw {}; {} requests, unexpected: {:?}",
                    count(&inner),
                    inner.requests.len(),
                    inner.unexpected,
                );
                drop(inner);
                panic!("{report}");
            }
            (inner, _) = self
                .changed
                .wait_timeout(inner, left)
                .expect("nothing panics while it holds this lock");
        }
    }
}

impl fmt::Debug for ServerState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = self.lock();
        f.debug_struct("ServerState")
            .field("script", &inner.script.len())
            .field("requests", &inner.requests.len())
            .field("unexpected", &inner.unexpected)
            .field("connections", &inner.connections)
            .field("disconnects", &inner.disconnects)
            .finish_non_exhaustive()
    }
}
