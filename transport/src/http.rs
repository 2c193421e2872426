//! Requests out, answers in: one connection pool over reqwest, with limits on silence.
//!
//! It owns connections, proxies, TLS roots and the timers; it must never interpret a status or a
//! body, log, or follow a redirect. Providers, sign-in flows and downloads call it.
//!
//! Rules that hold for every request:
//!
//! * **Redirects are never followed**, so a credential goes only where the caller sends it; a 3xx
//!   is an answer like any other, with [`Response::location`].
//! * **Loopback goes direct**: `localhost`, `*.localhost`, `127.0.0.0/8` and `::1` never use a
//!   proxy, whatever the environment says.
//! * **TLS is built on the first use**: a client that sees only `http://` loads no certificate.
//!   `SSL_CERT_FILE` and `SSL_CERT_DIR`, where set, replace the system's roots.
//! * **Dropping a future cancels it**, and closes the connection unless HTTP/2 shares it.
//! * HTTP/1.1 and HTTP/2 (by ALPN), gzip; the system's certificate verifier; ring.

mod certificate_name;
mod client;
mod config;
mod failure;
mod proxy;
mod request;
mod response;
mod sse_stream;
mod tls;

pub use client::Client;
pub use config::{Config, Limits};
pub use proxy::ProxyConfig;
pub use request::Request;
pub use reqwest::header::HeaderMap;
pub use reqwest::{Method, StatusCode, Url};
pub use response::{Bounded, Response};
pub use sse_stream::SseStream;
pub use tls::Roots;
