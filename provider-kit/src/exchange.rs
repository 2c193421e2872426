//! A request that asks for a stream, and what comes instead or as well.
//!
//! It knows HTTP and server-sent events, and nothing of what the events say; the provider's reader
//! takes those one by one. It can be dropped at any wait, which is how calls are cancelled.

use crate::failure::{Begun, CallError, Service};
use crate::place::{ANSWER_LIMIT, Place};
use fen_contract::provider::StreamSink;
use fen_contract::types::ErrorKind;
use fen_transport::Error as TransportError;
use fen_transport::http::{Request, Response, SseStream};
use fen_transport::sse::SseEvent;
use std::time::{Duration, Instant};

/// How long the end of a body is waited for after the end of its answer, so that the connection can
/// serve the next request.
const LAST_BYTES: Duration = Duration::from_millis(50);

/// How long the rest of a stream is waited for once its answer has said that it stops: some services
/// tell the usage after that, and some never close.
const AFTERWORD: Duration = Duration::from_secs(5);

/// How many bytes one answer's stream may have in all. Events are many times larger than the text
/// that they carry.
const STREAM_LIMIT: usize = 256 << 20;

/// How far an answer has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// More of it is to come.
    Going,
    /// It has said that it stops; only accounts of it may follow.
    Stopping,
    /// Nothing that may still come can change it.
    Over,
}

/// What came in answer to a request.
pub enum Came {
    /// Events, all of which the reader has been given.
    Events {
        /// The media type, in lower case.
        media: String,
        /// How many bytes came.
        bytes: u64,
        /// What broke the connection before its end.
        broken: Option<CallError>,
    },
    /// One document, which is not empty.
    Document {
        /// The media type, in lower case.
        media: String,
        /// All of it.
        text: String,
    },
}

/// Sends a request and hands `take` each event of its answer; `take` says how far the answer has
/// come. `keep_alive` is the event that only shows that the service is there, if it has one.
///
/// # Errors
///
/// As [`Place::send`] and [`Place::text`], or that what came is neither events nor a document.
pub async fn exchange<C>(
    place: &Place<'_, C>,
    request: Request,
    keep_alive: Option<&str>,
    sink: &dyn StreamSink,
    take: impl FnMut(SseEvent<'_>) -> Progress,
) -> Result<Came, CallError> {
    let response = place.send(request).await?;
    let service = place.service();
    let media = media(&response);
    match form(&media, &service)? {
        Form::Document => {
            let text = place.text(response).await?;
            if text.is_empty() {
                return Err(service.no_events(&media, 0));
            }
            Ok(Came::Document { media, text })
        }
        Form::Events => {
            let mut stream = SseStream::new(response, ANSWER_LIMIT);
            if let Some(event) = keep_alive {
                stream = stream.with_keep_alive(event);
            }
            let read = read(&mut stream, sink, take).await;
            let broken = read.err().map(|error| service.transport_error(&error, Begun::Yes));
            Ok(Came::Events { media, bytes: stream.bytes_read(), broken })
        }
    }
}

fn media(response: &Response) -> String {
    response.content_type().unwrap_or("no stated type").to_ascii_lowercase()
}

/// How an answer is to be read.
#[derive(Debug, PartialEq, Eq)]
enum Form {
    Document,
    /// Also where the type says something else: many servers do not set it.
    Events,
}

fn form(media: &str, service: &Service<'_>) -> Result<Form, CallError> {
    if media.contains("json") && !media.contains("ndjson") {
        return Ok(Form::Document);
    }
    if media.contains("html") || media.contains("xml") {
        let what = format!("{media} in place of an answer; check the provider's base URL");
        return Err(service.not_an_answer(ErrorKind::InvalidRequest, &what));
    }
    Ok(Form::Events)
}

async fn read(
    stream: &mut SseStream,
    sink: &dyn StreamSink,
    mut take: impl FnMut(SseEvent<'_>) -> Progress,
) -> Result<(), TransportError> {
    let mut progress = Progress::Going;
    let mut stopped_at: Option<Instant> = None;
    loop {
        let batch = stream.next_batch(|event| {
            if progress != Progress::Over {
                progress = take(event);
            }
        });
        let more = match stopped_at {
            None => batch.await,
            Some(since) => {
                let left = AFTERWORD.saturating_sub(since.elapsed());
                match tokio::time::timeout(left, batch).await {
                    Ok(more) => more,
                    Err(_late) => return Ok(()),
                }
            }
        };
        sink.ready().await;
        if !more? {
            return Ok(());
        }
        if stream.bytes_read() > STREAM_LIMIT as u64 {
            let host = stream.response().host();
            return Err(TransportError::BodyTooLarge { host, limit: STREAM_LIMIT });
        }
        match progress {
            Progress::Going => {}
            Progress::Stopping => {
                stopped_at.get_or_insert_with(Instant::now);
            }
            Progress::Over => {
                let rest = async { while let Ok(true) = stream.next_batch(|_| ()).await {} };
                // Without them the next call makes a new connection, and nothing else.
                let _late = tokio::time::timeout(LAST_BYTES, rest).await;
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_media_type_tells_what_is_certainly_no_stream() {
        let service =
            Service { provider: "a", url: "", credentials: "", unreachable: "", key: None };
        for media in ["application/json", "application/problem+json"] {
            assert_eq!(form(media, &service), Ok(Form::Document));
        }
        for media in ["text/event-stream", "text/plain", "application/x-ndjson", "no stated type"] {
            assert_eq!(form(media, &service), Ok(Form::Events));
        }
        for media in ["text/html", "application/xml"] {
            let error = form(media, &service).unwrap_err();
            assert_eq!(error.kind, ErrorKind::InvalidRequest);
            assert!(error.message.contains(media), "{}", error.message);
        }
    }
}
