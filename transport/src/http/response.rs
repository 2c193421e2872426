//! An answer: its head, and its body piece by piece with a limit on silence.

use std::fmt;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use reqwest::StatusCode;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER};
use tokio::time::{Instant, timeout};

use super::Limits;
use super::failure::{self, Peer};
use crate::{Error, Silence, retry};

/// The answer to a request, whatever its status. Dropping it gives up the rest of the body.
pub struct Response {
    /// The status of the answer.
    pub status: StatusCode,
    inner: reqwest::Response,
    peer: Peer,
    limits: Limits,
    /// Since when the next bytes are waited for, across calls that were cancelled.
    waiting_since: Option<Instant>,
}

/// The beginning of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounded<T> {
    /// What was read.
    pub content: T,
    /// Whether the body goes on after it.
    pub cut: bool,
}

impl Response {
    pub(super) fn new(inner: reqwest::Response, peer: Peer, limits: Limits) -> Self {
        Self { status: inner.status(), inner, peer, limits, waiting_since: None }
    }

    /// The headers of the answer.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        self.inner.headers()
    }

    /// The header `name` as text, if it is there and is text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        text(self.headers().get(name))
    }

    /// The media type of the body without its parameters, such as `text/event-stream`.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        let value = text(self.headers().get(CONTENT_TYPE))?;
        value.split(';').next().map(str::trim).filter(|media| !media.is_empty())
    }

    /// Where a redirect points, as the server wrote it. It is not followed.
    #[must_use]
    pub fn location(&self) -> Option<&str> {
        text(self.headers().get(LOCATION))
    }

    /// How long the server asks to wait: `retry-after-ms`, which some model servers send, else
    /// `Retry-After` as [`retry::parse_retry_after`] reads it.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        let exact = self.header("retry-after-ms").and_then(|value| value.trim().parse().ok());
        exact.map(Duration::from_millis).or_else(|| {
            let value = text(self.headers().get(RETRY_AFTER))?;
            retry::parse_retry_after(value, SystemTime::now())
        })
    }

    /// The host that answers, as error messages name it.
    #[must_use]
    pub fn host(&self) -> String {
        self.peer.host()
    }

    /// The next bytes of the body, decompressed, as they come; `None` at its proper end.
    ///
    /// A call may be cancelled and repeated: no bytes are lost, and the silence is measured from
    /// the first call.
    ///
    /// # Errors
    ///
    /// [`Error::Stall`] after [`Limits::bytes`] without a byte; [`Error::Closed`] where the body
    /// ends too early; [`Error::Protocol`] or [`Error::Decode`] where it is malformed.
    pub async fn next_chunk(&mut self) -> Result<Option<Bytes>, Error> {
        let (chunk, _) = self.chunk_within(self.limits.bytes, Silence::Bytes).await?;
        Ok(chunk)
    }

    /// Reads the body up to `max` bytes, and says whether there is more. For error bodies and
    /// whatever else may be shown in part.
    ///
    /// # Errors
    ///
    /// As [`Response::next_chunk`].
    pub async fn bounded_body(mut self, max: usize) -> Result<Bounded<Vec<u8>>, Error> {
        let expected = self.inner.content_length().and_then(|n| usize::try_from(n).ok());
        let mut content = Vec::with_capacity(expected.unwrap_or(0).min(max).min(1 << 20));
        while let Some(chunk) = self.next_chunk().await? {
            let room = max - content.len();
            if chunk.len() > room {
                content.extend_from_slice(&chunk[..room]);
                return Ok(Bounded { content, cut: true });
            }
            content.extend_from_slice(&chunk);
        }
        Ok(Bounded { content, cut: false })
    }

    /// [`Response::bounded_body`] as text: bytes that are not UTF-8 become U+FFFD, a character
    /// that the bound cuts is left out.
    ///
    /// # Errors
    ///
    /// As [`Response::next_chunk`].
    pub async fn bounded_text(self, max: usize) -> Result<Bounded<String>, Error> {
        let Bounded { content, cut } = self.bounded_body(max).await?;
        let whole = match std::str::from_utf8(&content) {
            Err(error) if cut && error.error_len().is_none() => error.valid_up_to(),
            _ => content.len(),
        };
        let content = String::from_utf8_lossy(&content[..whole]).into_owned();
        Ok(Bounded { content, cut })
    }

    /// Reads a body of which a part is of no use, such as a JSON document.
    ///
    /// # Errors
    ///
    /// [`Error::BodyTooLarge`] if it is larger than `max` bytes; else as [`Response::next_chunk`].
    pub async fn whole_body(self, max: usize) -> Result<Vec<u8>, Error> {
        let host = self.host();
        match self.bounded_body(max).await? {
            Bounded { content, cut: false } => Ok(content),
            Bounded { cut: true, .. } => Err(Error::BodyTooLarge { host, limit: max }),
        }
    }

    /// The next bytes, and for how long they were waited for.
    pub(super) async fn chunk_within(
        &mut self,
        limit: Duration,
        what: Silence,
    ) -> Result<(Option<Bytes>, Duration), Error> {
        let since = *self.waiting_since.get_or_insert_with(Instant::now);
        // With no time left this still takes what has already come.
        let left = limit.saturating_sub(since.elapsed());
        match timeout(left, self.inner.chunk()).await {
            Ok(Ok(chunk)) => {
                self.waiting_since = None;
                Ok((chunk, since.elapsed()))
            }
            Ok(Err(error)) => Err(failure::receiving(&error, &self.peer)),
            Err(_) => Err(self.peer.stall(what, limit)),
        }
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    pub(super) fn stall(&self, what: Silence, after: Duration) -> Error {
        self.peer.stall(what, after)
    }
}

impl fmt::Debug for Response {
    /// Without the URL and the headers' values, which may hold secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("status", &self.status)
            .field("host", &self.peer.host())
            .finish_non_exhaustive()
    }
}

fn text(value: Option<&HeaderValue>) -> Option<&str> {
    value?.to_str().ok()
}
