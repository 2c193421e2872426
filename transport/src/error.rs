//! What can go wrong between a request and the end of its answer, by what the caller does next.
//!
//! Messages name the host and the next step. They never hold a header value, a body, the user part
//! or the query of a URL.

use std::time::Duration;

use crate::sse::SseError;

/// A failed request or answer. An HTTP error status is not one: it is an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request or the configuration cannot be used; nothing was sent.
    #[error("invalid request: {reason}")]
    InvalidRequest {
        /// What is wrong, without the offending value.
        reason: String,
    },
    /// No connection was made.
    #[error("cannot connect to {host}: {reason}; check the address and the network")]
    Connect {
        /// Host and port, with the proxy if there is one.
        host: String,
        /// What the system said.
        reason: String,
    },
    /// A proxy refused to pass the request on.
    #[error("{host} cannot be reached: {reason}; check HTTPS_PROXY, HTTP_PROXY and NO_PROXY")]
    Proxy {
        /// Host and port, with the proxy.
        host: String,
        /// What the proxy said.
        reason: String,
    },
    /// The TLS handshake failed, most often because the certificate was refused.
    #[error("no secure connection to {host}: {reason}")]
    Tls {
        /// Host and port, with the proxy if there is one.
        host: String,
        /// Which certificate was refused and why, or what else failed.
        reason: String,
    },
    /// A connection was not made in time.
    #[error("no connection to {host} within {}; check the address and the network", seconds(.after))]
    Timeout {
        /// Host and port, with the proxy if there is one.
        host: String,
        /// The limit that passed.
        after: Duration,
    },
    /// The connection stands but nothing came for too long.
    #[error("{host} sent no {what} for {}", seconds(.after))]
    Stall {
        /// Host and port, with the proxy if there is one.
        host: String,
        /// What was waited for.
        what: Silence,
        /// The limit that passed.
        after: Duration,
    },
    /// The connection ended before the answer did.
    #[error("{host} closed the connection before the end of its answer: {reason}")]
    Closed {
        /// Host and port, with the proxy if there is one.
        host: String,
        /// What the connection reported.
        reason: String,
    },
    /// What came is not HTTP as it should be.
    #[error("{host} did not answer in valid HTTP: {reason}; check scheme and port of the address")]
    Protocol {
        /// Host and port, with the proxy if there is one.
        host: String,
        /// What the parser reported.
        reason: String,
    },
    /// The body's compression is broken.
    #[error("the compressed answer of {host} is broken: {reason}")]
    Decode {
        /// Host and port, with the proxy if there is one.
        host: String,
        /// What the decoder reported.
        reason: String,
    },
    /// A body is larger than the caller allowed.
    #[error("the answer of {host} is larger than {limit} bytes")]
    BodyTooLarge {
        /// Host and port, with the proxy if there is one.
        host: String,
        /// The bound that the caller gave.
        limit: usize,
    },
    /// The body is not a usable event stream.
    #[error("the event stream of {host} cannot be read: {source}")]
    Sse {
        /// Host and port, with the proxy if there is one.
        host: String,
        /// What the reader reported.
        source: SseError,
    },
}

/// What a [`Error::Stall`] waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Silence {
    /// Status line and headers of the answer.
    Headers,
    /// Any byte of the body, keep-alive comments included.
    Bytes,
    /// An event with data, while keep-alives came.
    Data,
}

impl std::fmt::Display for Silence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Headers => "answer",
            Self::Bytes => "byte",
            Self::Data => "data (keep-alives only)",
        })
    }
}

impl Error {
    /// Whether the same request may succeed when it is sent again.
    ///
    /// True for what the network or the server's load can cause; false for what only a change of
    /// the request, the configuration or the server can mend.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Connect { .. }
            | Self::Timeout { .. }
            | Self::Stall { .. }
            | Self::Closed { .. }
            | Self::Decode { .. } => true,
            Self::InvalidRequest { .. }
            | Self::Proxy { .. }
            | Self::Tls { .. }
            | Self::Protocol { .. }
            | Self::BodyTooLarge { .. }
            | Self::Sse { .. } => false,
        }
    }
}

fn seconds(time: &Duration) -> String {
    if time.subsec_nanos() == 0 {
        format!("{} s", time.as_secs())
    } else {
        format!("{} ms", time.as_millis())
    }
}
