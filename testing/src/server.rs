//! The server's handle: start, script, record, waits.
//!
//! The server runs on its own thread with its own runtime, so that a test may block, may be
//! asynchronous, or may drive a child process, all in the same way.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener as StdListener},
    panic,
    sync::Arc,
    thread::{self, JoinHandle},
};

use tokio::{net::TcpListener, runtime, sync::oneshot, task};

use crate::{
    connection,
    reply::Reply,
    request::RecordedRequest,
    server_state::{Inner, ServerState},
};

/// A scriptable HTTP/1.1 server on a free port of 127.0.0.1. Dropping it closes every connection
/// and ends its thread.
#[derive(Debug)]
pub struct ModelServer {
    address: SocketAddr,
    state: Arc<ServerState>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ModelServer {
    /// Starts a server with an empty script. It accepts connections when this returns.
    pub fn start() -> Self {
        let listener = StdListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free loopback port");
        listener.set_nonblocking(true).expect("a listener can be non-blocking");
        let address = listener.local_addr().expect("a bound listener has an address");
        let state = Arc::new(ServerState::default());
        let (stop, stopped) = oneshot::channel();
        let served = Arc::clone(&state);
        let thread = thread::Builder::new()
            .name("model-server".into())
            .spawn(move || run(listener, served, stopped))
            .expect("a thread can be started");
        Self { address, state, stop: Some(stop), thread: Some(thread) }
    }

    /// `http://127.0.0.1:PORT`, without a slash at the end.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The address for raw connections.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Appends replies to the script. Each request takes one, in order of arrival.
    pub fn script(&self, replies: Vec<Reply>) {
        self.state.lock().script.extend(replies);
    }

    /// Appends one reply to the script.
    pub fn push(&self, reply: Reply) {
        self.state.lock().script.push_back(reply);
    }

    /// Answers requests for exactly this path, which then take nothing from the script.
    pub fn on_path(&self, path: impl Into<String>, reply: Reply) {
        self.state.lock().by_path.push((path.into(), reply));
    }

    /// Answers every request past the end of the script with this reply.
    pub fn fallback(&self, reply: Reply) {
        self.respond_with(move |_| reply.clone());
    }

    /// Answers every request past the end of the script with what `answer` makes of it. If it
    /// panics, the client gets status 500 and [`ModelServer::unexpected`] says so.
    pub fn respond_with<F>(&self, answer: F)
    where
        F: Fn(&RecordedRequest) -> Reply + Send + Sync + 'static,
    {
        self.state.lock().fallback = Some(Arc::new(answer));
    }

    /// The requests so far, in order of arrival.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.state.lock().requests.clone()
    }

    /// The latest request.
    ///
    /// # Panics
    /// If there was none.
    pub fn last_request(&self) -> RecordedRequest {
        self.state.lock().requests.last().cloned().expect("the server has received a request")
    }

    /// How many connections were accepted.
    pub fn connections(&self) -> usize {
        self.state.lock().connections
    }

    /// How many clients closed, or shut down their sending side, while a reply was still playing.
    pub fn disconnects(&self) -> usize {
        self.state.lock().disconnects
    }

    /// How many scripted replies nobody has asked for yet.
    pub fn remaining(&self) -> usize {
        self.state.lock().script.len()
    }

    /// What went wrong on the side of the test: requests without a reply, or not HTTP at all.
    pub fn unexpected(&self) -> Vec<String> {
        self.state.lock().unexpected.clone()
    }

    /// Fails the test unless every scripted reply was taken and nothing unexpected happened.
    ///
    /// # Panics
    /// With the count of replies left and the list of what was unexpected.
    pub fn assert_script_played(&self) {
        let (remaining, unexpected) = (self.remaining(), self.unexpected());
        assert!(
            remaining == 0 && unexpected.is_empty(),
            "{remaining} scripted replies left, unexpected: {unexpected:?}"
        );
    }

    /// Waits until `count` requests have arrived in all, and returns them.
    ///
    /// # Panics
    /// After 20 s.
    pub async fn wait_for_requests(&self, count: usize) -> Vec<RecordedRequest> {
        self.wait("requests", count, |inner| inner.requests.len()).await;
        self.requests()
    }

    /// [`ModelServer::wait_for_requests`] for tests without a runtime.
    ///
    /// # Panics
    /// After 20 s.
    pub fn blocking_wait_for_requests(&self, count: usize) -> Vec<RecordedRequest> {
        self.state.wait("requests", count, |inner| inner.requests.len());
        self.requests()
    }

    /// Waits until `count` clients have left while a reply was still playing.
    ///
    /// # Panics
    /// After 20 s.
    pub async fn wait_for_disconnects(&self, count: usize) {
        self.wait("disconnects", count, |inner| inner.disconnects).await;
    }

    /// Waits until one client has left while a reply was still playing.
    ///
    /// # Panics
    /// After 20 s.
    pub async fn wait_for_disconnect(&self) {
        self.wait_for_disconnects(1).await;
    }

    /// [`ModelServer::wait_for_disconnects`] for tests without a runtime.
    ///
    /// # Panics
    /// After 20 s.
    pub fn blocking_wait_for_disconnects(&self, count: usize) {
        self.state.wait("disconnects", count, |inner| inner.disconnects);
    }

    /// [`ModelServer::wait_for_disconnect`] for tests without a runtime.
    ///
    /// # Panics
    /// After 20 s.
    pub fn blocking_wait_for_disconnect(&self) {
        self.blocking_wait_for_disconnects(1);
    }

    /// Waits on a thread of its own, so that the test's runtime keeps driving the client, and so
    /// that a test with paused time does not jump to the end of the wait.
    async fn wait(&self, what: &'static str, wanted: usize, count: fn(&Inner) -> usize) {
        let state = Arc::clone(&self.state);
        let waited = task::spawn_blocking(move || state.wait(what, wanted, count)).await;
        if let Err(failure) = waited {
            panic::resume_unwind(failure.into_panic());
        }
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        // The receiver is gone only if the thread has already ended.
        self.stop.take().map(|stop| stop.send(()));
        let ended = self.thread.take().map(JoinHandle::join);
        if !thread::panicking() {
            assert!(matches!(ended, Some(Ok(()))), "the model server's thread panicked");
        }
    }
}

fn run(listener: StdListener, state: Arc<ServerState>, stopped: oneshot::Receiver<()>) {
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime can be built");
    runtime.block_on(async {
        let listener = TcpListener::from_std(listener).expect("the listener fits the runtime");
        tokio::select! {
            () = accept(listener, state) => {}
            // An error means that the handle is gone, which also stops the server.
            _ = stopped => {}
        }
    });
}

async fn accept(listener: TcpListener, state: Arc<ServerState>) {
    loop {
        // A client may give up before it is accepted; the next one is served all the same.
        if let Ok((stream, _)) = listener.accept().await {
            let number = state.note_connection();
            task::spawn(connection::serve(stream, number, Arc::clone(&state)));
        }
    }
}
