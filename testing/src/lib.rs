//! Test support: a model server that plays scripted answers, faults included, a virtual screen, and
//! fixtures.
//!
//! [`ModelServer`] is a hand-written HTTP/1.1 server on a loopback port. It answers each request
//! with the next [`Reply`] of its script and records what it was sent. A `Reply` controls what no
//! ordinary server lets a test control: where the bytes of a body are cut into separate writes,
//! pauses, resets, false lengths, answers that never end. [`chat`], [`messages`] and [`responses`]
//! write the event streams of the three model protocols; [`sse`] writes any other.
//!
//! [`presenter`] is a presenter without a terminal, which a test types on and looks at.
//!
//! The crate knows the contract and no other crate of fen, so all but that one can test against it,
//! and it never contacts anything: it only listens on 127.0.0.1.
//!
//! ```
//! use fen_testing::{ModelServer, Reply, chat};
//!
//! let server = ModelServer::start();
//! server.script(vec![
//!     Reply::status(429).header("retry-after", "3").body("slow down"),
//!     chat().text("Hello ").text("world").reply().split_every(1),
//! ]);
//! assert!(server.base_url().starts_with("http://127.0.0.1:"));
//! ```

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "this crate only runs inside tests, where a panic is the failure report"
)]

mod borders;
mod chat;
mod chat_message;
mod connection;
mod event_stream;
mod messages;
mod play;
mod reply;
mod request;
mod request_reader;
mod responses;
mod responses_writer;
mod server;
mod server_state;
mod stream_script;
mod temp_project;
mod wire;

pub mod presenter;

pub use chat::{ChatScript, chat};
pub use event_stream::{EventStream, LineEnd, StreamItem, sse};
pub use messages::{MessagesScript, messages};
pub use reply::{Framing, Reply, Step};
pub use request::RecordedRequest;
pub use responses::{ResponsesScript, responses};
pub use server::ModelServer;
pub use stream_script::StreamScript;
pub use temp_project::TempProject;
