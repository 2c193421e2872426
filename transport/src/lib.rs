//! An HTTP client, an SSE reader, retry and stall timers for programs that talk to model servers.
//!
//! The crate stands alone: it knows bytes, headers, events and clocks, never what a model, a
//! message or a session is. It keeps no global state and reads no environment variable unless
//! asked to.
//!
//! * [`sse`] turns bytes into events; pure.
//! * [`retry`] decides whether and how long to wait, and runs an operation by that decision.
//! * `http` (feature `http`, on by default) sends requests and reads answers, with proxies, private
//!   certificate authorities and limits on silence.
//! * [`Error`] is what all of them report.
//!
//! ```no_run
//! # #[cfg(feature = "http")]
//! # async fn ask(key: &str) -> Result<(), fen_transport::Error> {
//! use fen_transport::http::{Client, Config, Request, SseStream};
//!
//! let client = Client::new(Config::from_env());
//! let request = Request::post("https://model.example/v1/chat/completions")?
//!     .secret_header("authorization", &format!("Bearer {key}"))?
//!     .json(r#"{"stream":true}"#);
//! let response = client.send(request).await?;
//! if response.status.is_success() {
//!     let mut stream = SseStream::new(response, 16 << 20);
//!     while stream.next_batch(|event| println!("{}", event.data)).await? {}
//! } else {
//!     println!("{}", response.bounded_text(4096).await?.content);
//! }
//! # Ok(())
//! # }
//! ```

mod error;
#[cfg(feature = "http")]
pub mod http;
pub mod retry;
pub mod sse;

pub use error::{Error, Silence};
