//! A response read as an event stream, with a limit on silence of bytes and one of data.

use std::time::Duration;

use bytes::Bytes;

use super::Response;
use crate::sse::{SseError, SseEvent, SseReader};
use crate::{Error, Silence};

/// The events of a [`Response`]. Dropping it gives up the rest of the stream.
#[derive(Debug)]
pub struct SseStream {
    response: Response,
    reader: SseReader,
    keep_alive: Option<String>,
    /// Time spent in waiting since the last event with data; the caller's own time does not count.
    waited: Duration,
    bytes: u64,
    ended: bool,
}

impl SseStream {
    /// Reads `response` as events of at most `max_event_bytes` each. Status and content type are
    /// the caller's to check.
    #[must_use]
    pub fn new(response: Response, max_event_bytes: usize) -> Self {
        Self {
            response,
            reader: SseReader::new(max_event_bytes),
            keep_alive: None,
            waited: Duration::ZERO,
            bytes: 0,
            ended: false,
        }
    }

    /// Names an event that only keeps the connection alive: it is delivered like any other, but
    /// for [`Limits::data`](super::Limits::data) it counts as little as a comment.
    #[must_use]
    pub fn with_keep_alive(mut self, event: &str) -> Self {
        self.keep_alive = Some(event.to_owned());
        self
    }

    /// Waits for the next bytes and delivers the events that they complete, none perhaps. `false`
    /// means that the stream has ended, by itself or by an error before; a last event may come
    /// with it: see [`SseEvent::complete`].
    ///
    /// A call may be cancelled and repeated: nothing is lost, and silence goes on counting.
    ///
    /// ```no_run
    /// # async fn read(mut stream: fen_transport::http::SseStream) -> Result<(), fen_transport::Error> {
    /// while stream.next_batch(|event| println!("{}", event.data)).await? {}
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Response::next_chunk`]; also [`Error::Stall`] with [`Silence::Data`] where only
    /// keep-alives come, and [`Error::Sse`]. Events before the error have been delivered; an
    /// unfinished one is forgotten.
    pub async fn next_batch(
        &mut self,
        mut on_event: impl FnMut(SseEvent<'_>),
    ) -> Result<bool, Error> {
        if self.ended {
            return Ok(false);
        }
        let chunk = match self.next_chunk().await {
            Err(error) => {
                self.ended = true;
                return Err(error);
            }
            Ok(Some(chunk)) => chunk,
            Ok(None) => {
                self.ended = true;
                self.reader.finish(on_event).map_err(|source| self.unreadable(source))?;
                return Ok(false);
            }
        };
        self.bytes += chunk.len() as u64;
        let (mut data, keep_alive) = (false, self.keep_alive.as_deref());
        let read = self.reader.push(&chunk, |event| {
            data |= keep_alive != Some(event.event);
            on_event(event);
        });
        if data {
            self.waited = Duration::ZERO;
        }
        let limit = self.response.limits().data;
        let result = match read {
            Err(source) => Err(self.unreadable(source)),
            Ok(()) if self.waited >= limit => Err(self.response.stall(Silence::Data, limit)),
            Ok(()) => Ok(true),
        };
        self.ended = result.is_err();
        result
    }

    /// The next bytes, within what is left of either limit.
    async fn next_chunk(&mut self) -> Result<Option<Bytes>, Error> {
        let limits = self.response.limits();
        let left = limits.data.saturating_sub(self.waited);
        let (limit, what) = if left < limits.bytes {
            (left, Silence::Data)
        } else {
            (limits.bytes, Silence::Bytes)
        };
        match self.response.chunk_within(limit, what).await {
            Ok((chunk, waited)) => {
                self.waited += waited;
                Ok(chunk)
            }
            // The whole silence is what is told, not the last part of it.
            Err(Error::Stall { what: Silence::Data, .. }) => {
                Err(self.response.stall(Silence::Data, limits.data))
            }
            Err(error) => Err(error),
        }
    }

    fn unreadable(&self, source: SseError) -> Error {
        Error::Sse { host: self.response.host(), source }
    }

    /// Bytes of the body so far, decompressed.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.bytes
    }

    /// The answer's head.
    #[must_use]
    pub fn response(&self) -> &Response {
        &self.response
    }
}
