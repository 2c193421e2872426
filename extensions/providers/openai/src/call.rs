//! One call: request out, answer in, cancellation at every wait.
//!
//! It knows HTTP and nothing of what the JSON means; that is `request` and `answer`.

use crate::answer::{Chunk, FinishReason, Reader};
use crate::config::{Config, HeaderText};
use crate::provider::API;
use crate::request;
use fen_contract::cancel::{CancelToken, Cancelled};
use fen_contract::names::{ModelId, ProviderName};
use fen_contract::provider::{CallOptions, StreamSink};
use fen_contract::secret::Secret;
use fen_contract::types::{AgentContext, AssistantMessage, ErrorKind};
use fen_provider_kit::assembler::{Assembler, Origin};
use fen_provider_kit::failure::{
    Begun, CallError, ERROR_BODY_LIMIT, ErrorAnswer, ErrorText, Service,
};
use fen_provider_kit::json;
use fen_transport::http::{Bounded, Request, Response, SseStream};
use fen_transport::sse::SseReader;
use serde::Deserialize as _;
use serde_json::Value;
use std::pin::{Pin, pin};
use std::time::Duration;

/// How large one event may be.
const EVENT_LIMIT: usize = 16 << 20;
/// How large an answer in one document may be.
const DOCUMENT_LIMIT: usize = 32 << 20;
/// How long the end of a body is waited for after the stream's own end mark, so that the connection
/// can serve the next request.
const LAST_BYTES: Duration = Duration::from_millis(20);

/// What messages say of the service, kept for the length of a call.
pub(crate) struct Place {
    pub url: String,
    credentials: String,
    unreachable: String,
    key: Option<Secret>,
}

impl Place {
    pub fn new(config: &Config, path: &str, key: Option<Secret>) -> Self {
        Place {
            url: config.address(path),
            credentials: config.credentials_advice(),
            unreachable: config.start.clone().unwrap_or_default(),
            key,
        }
    }

    pub fn service<'a>(&'a self, config: &'a Config) -> Service<'a> {
        Service {
            provider: &config.name,
            url: &self.url,
            credentials: &self.credentials,
            unreachable: &self.unreachable,
            key: self.key.as_ref(),
        }
    }

    /// The request with the credentials and the settings' headers.
    pub fn authorized(
        &self,
        request: Request,
        config: &Config,
    ) -> Result<Request, fen_transport::Error> {
        let mut request = request;
        if let Some(key) = &self.key {
            request =
                request.secret_header("authorization", &format!("Bearer {}", key.reveal()))?;
        }
        for (name, text) in &config.headers {
            request = match text {
                HeaderText::Plain(text) => request.header(name, text)?,
                HeaderText::Secret(secret) => request.secret_header(name, secret.reveal())?,
            };
        }
        Ok(request)
    }
}

/// The key to send, or why there is none though one is wanted.
pub(crate) fn key(config: &Config, options: &CallOptions) -> Result<Option<Secret>, String> {
    if let Some(key) = options.api_key.as_ref().or(config.api_key.as_ref()) {
        return Ok(Some(key.clone()));
    }
    if let Some(problem) = &config.api_key_problem {
        return Err(problem.clone());
    }
    if config.auth.is_some() && !config.has_own_credentials() {
        return Err("there is no API key".to_owned());
    }
    Ok(None)
}

/// Runs one call. See the contract's `Provider::complete`.
pub(crate) async fn complete(
    config: &Config,
    model: &ModelId,
    context: &AgentContext,
    options: &CallOptions,
    sink: &dyn StreamSink,
    cancel: &CancelToken,
) -> AssistantMessage {
    let origin = Origin {
        api: API.to_owned(),
        provider: ProviderName::from(config.name.as_str()),
        model: model.clone(),
    };
    let answer = Assembler::new(sink, origin);
    let (place, problem) = match key(config, options) {
        Ok(key) => (Place::new(config, "chat/completions", key), None),
        Err(problem) => (Place::new(config, "chat/completions", None), Some(problem)),
    };
    let service = place.service(config);
    if let Some(problem) = problem {
        return answer.fail(service.without_credentials(&problem));
    }
    let request = match make_request(config, &place, model, context, options) {
        Ok(request) => request,
        Err(error) => return answer.fail(error),
    };
    let mut cancelled = pin!(cancel.cancelled());
    let response = tokio::select! {
        biased;
        () = cancelled.as_mut() => return answer.abort(),
        sent = config.client.send(request) => match sent {
            Ok(response) => response,
            Err(error) => return answer.fail(service.transport_error(&error, Begun::No)),
        },
    };
    if !response.status.is_success() {
        return tokio::select! {
            biased;
            () = cancelled.as_mut() => answer.abort(),
            error = error_status(&service, response) => answer.fail(error),
        };
    }
    let reader = Reader::new(answer, service);
    let media = response.content_type().unwrap_or_default().to_ascii_lowercase();
    if media.contains("json") && !media.contains("ndjson") {
        return document(service, reader, response, &media, cancelled.as_mut()).await;
    }
    if media.contains("html") {
        let what = format!("{media} in place of an answer; check the provider's base URL");
        return reader.refuse(service.not_an_answer(ErrorKind::InvalidRequest, &what));
    }
    let finish = if config.compat.requires_finish_reason {
        FinishReason::Required
    } else {
        FinishReason::Optional
    };
    stream(service, reader, response, finish, sink, cancelled.as_mut()).await
}

fn make_request(
    config: &Config,
    place: &Place,
    model: &ModelId,
    context: &AgentContext,
    options: &CallOptions,
) -> Result<Request, CallError> {
    let body = request::body(config, model, context, options).map_err(|error| {
        let message = format!("{}: the request cannot be written: {error}", config.name);
        CallError::new(ErrorKind::InvalidRequest, message)
    })?;
    let body = String::from(Box::<str>::from(body));
    let request = Request::post(&place.url)
        .and_then(|request| place.authorized(request, config))
        .map_err(|error| place.service(config).transport_error(&error, Begun::No))?;
    let request = request.json(body);
    Ok(match config.limits {
        Some(limits) => request.limits(limits),
        None => request,
    })
}

/// Reads what an error status came with.
pub(crate) async fn error_status(service: &Service<'_>, response: Response) -> CallError {
    let status = response.status.as_u16();
    let content_type = response.content_type().map(str::to_owned);
    let retry_after = response.retry_after();
    // The status is what counts; a body that breaks off takes nothing from it.
    let empty = Bounded { content: Vec::new(), cut: false };
    let body = response.bounded_body(ERROR_BODY_LIMIT).await.unwrap_or(empty).content;
    let content_type = content_type.as_deref();
    service.error_status(ErrorAnswer { status, content_type, retry_after, body: &body })
}

/// Reads an answer that comes in events.
async fn stream(
    service: Service<'_>,
    mut reader: Reader<'_>,
    response: Response,
    finish: FinishReason,
    sink: &dyn StreamSink,
    mut cancelled: Pin<&mut Cancelled>,
) -> AssistantMessage {
    let media = response.content_type().unwrap_or("no stated type").to_owned();
    let mut stream = SseStream::new(response, EVENT_LIMIT);
    loop {
        let more = tokio::select! {
            biased;
            () = cancelled.as_mut() => return reader.abort(),
            more = stream.next_batch(|event| reader.event(event)) => more,
        };
        let more = match more {
            Ok(more) => more,
            Err(error) => {
                return reader.broken(service.transport_error(&error, Begun::Yes), finish);
            }
        };
        tokio::select! {
            biased;
            () = cancelled.as_mut() => return reader.abort(),
            () = sink.ready() => {}
        }
        if !more {
            break;
        }
        if reader.is_over() {
            let rest = async { while let Ok(true) = stream.next_batch(|_| ()).await {} };
            // Without it the next call makes a new connection, and nothing else.
            let _ = tokio::time::timeout(LAST_BYTES, rest).await;
            break;
        }
    }
    if !reader.has_begun() && !reader.is_over() {
        let (kind, what) = match (stream.bytes_read(), media.as_str()) {
            (0, _) => (ErrorKind::TruncatedStream, format!("an empty body ({media})")),
            (_, "text/event-stream") => {
                (ErrorKind::TruncatedStream, format!("{media} without a single event"))
            }
            _ => (ErrorKind::InvalidRequest, format!("{media} in place of an event stream")),
        };
        return reader.refuse(service.not_an_answer(kind, &what));
    }
    reader.end(finish)
}

/// Reads an answer that comes whole.
async fn document(
    service: Service<'_>,
    mut reader: Reader<'_>,
    response: Response,
    media: &str,
    cancelled: Pin<&mut Cancelled>,
) -> AssistantMessage {
    let body = tokio::select! {
        biased;
        () = cancelled => return reader.abort(),
        body = response.whole_body(DOCUMENT_LIMIT) => body,
    };
    let body = match body {
        Ok(body) => body,
        Err(error) => return reader.refuse(service.transport_error(&error, Begun::Yes)),
    };
    let text = String::from_utf8_lossy(&body);
    let text = text.trim();
    if text.is_empty() {
        let what = format!("an empty body ({media})");
        return reader.refuse(service.not_an_answer(ErrorKind::TruncatedStream, &what));
    }
    if let Ok(value) = json::parse::<Value>(text) {
        return whole(service, reader, &value, media);
    }
    // A stream under a wrong name.
    let mut events = SseReader::new(DOCUMENT_LIMIT);
    let read = events.push(text.as_bytes(), |event| reader.event(event));
    let read = read.and_then(|()| events.finish(|event| reader.event(event)));
    if read.is_ok() && (reader.has_begun() || reader.is_over()) {
        return reader.end(FinishReason::Required);
    }
    let what = format!("{media} that cannot be read");
    reader.refuse(service.not_an_answer(ErrorKind::InvalidRequest, &what))
}

/// Reads a document that is JSON.
pub(crate) fn whole(
    service: Service<'_>,
    mut reader: Reader<'_>,
    value: &Value,
    media: &str,
) -> AssistantMessage {
    match Chunk::deserialize(value) {
        Ok(chunk) if !chunk.choices.is_empty() => {
            reader.document(chunk);
            reader.end(FinishReason::Optional)
        }
        _ => {
            let error = match ErrorText::of_json(value) {
                Some(text) => service.reported_error(&text, ErrorKind::InvalidRequest),
                None => {
                    let what = format!("{media} that holds no answer");
                    service.not_an_answer(ErrorKind::InvalidRequest, &what)
                }
            };
            reader.refuse(error)
        }
    }
}
