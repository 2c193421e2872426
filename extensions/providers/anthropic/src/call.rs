//! One call over HTTP: request out, answer in, until it ends, breaks or is cancelled.

use crate::answer::{End, Reader, Seen};
use crate::config::HeaderText;
use crate::provider::{Messages, whole_answer};
use fen_contract::cancel::CancelToken;
use fen_contract::names::ModelId;
use fen_contract::provider::{CallOptions, Provider as _, StreamSink};
use fen_contract::secret::Secret;
use fen_contract::types::{AgentContext, AssistantMessage, ErrorKind};
use fen_provider_kit::assembler::Assembler;
use fen_provider_kit::failure::{Begun, CallError, ERROR_BODY_LIMIT, ErrorAnswer, Service};
use fen_provider_kit::json;
use fen_transport::http::{Request, Response, SseStream};
use serde_json::Value;
use std::time::Duration;

/// The version of the protocol that this crate speaks.
const VERSION: &str = "2023-06-01";
/// How large one event, or an answer that is not streamed, may be.
const ANSWER_LIMIT: usize = 32 << 20;

/// How long the end of a stream is waited for after the end of its answer.
const LAST_BYTES: Duration = Duration::from_millis(50);

/// What came in answer to a request.
enum Came {
    /// Events; the reader has seen them all, and knows how it ended unless the connection broke.
    Stream { media: String, broken: Option<CallError> },
    /// One document.
    Document(Value),
}

impl Messages {
    pub(crate) async fn call(
        &self,
        model: &ModelId,
        context: &AgentContext,
        options: &CallOptions,
        sink: &dyn StreamSink,
        cancel: &CancelToken,
    ) -> AssistantMessage {
        let mut assembler = Assembler::new(sink, self.origin(model));
        let mut reader = Reader::default();
        let url = self.config.address("messages");
        let key = self.key(options);
        let advice = self.config.credentials_advice();
        let service = self.service(&url, &advice, key);
        let request = self.prepare(Request::post(&url), &service, key).and_then(|request| {
            let body = self.build_body(model, context, options).map_err(|failure| {
                let message = format!("{}: {failure}", self.config.name);
                CallError::new(ErrorKind::InvalidRequest, message)
            })?;
            Ok(request.json(String::from(Box::<str>::from(body))))
        });
        let request = match request {
            Ok(request) => request,
            Err(error) => return assembler.fail(error),
        };
        let work = self.exchange(request, &service, &mut assembler, &mut reader, sink);
        let came = tokio::select! {
            biased;
            () = cancel.cancelled() => return assembler.abort(),
            came = work => came,
        };
        match came {
            Err(error) => assembler.fail(error),
            Ok(Came::Document(document)) => whole_answer(assembler, &service, &document),
            Ok(Came::Stream { media, broken }) => {
                let requires_reason = self.config.compat.requires_finish_reason;
                let end = End { service: &service, media: &media, broken, requires_reason };
                reader.finish(assembler, end)
            }
        }
    }

    /// The key of a call: its own before the configured one.
    pub(crate) fn key<'a>(&'a self, options: &'a CallOptions) -> Option<&'a Secret> {
        options.api_key.as_ref().or(self.config.api_key.as_ref())
    }

    /// The request with its headers; an error where credentials are needed and missing.
    pub(crate) fn prepare(
        &self,
        request: Result<Request, fen_transport::Error>,
        service: &Service<'_>,
        key: Option<&Secret>,
    ) -> Result<Request, CallError> {
        let config = &self.config;
        match (key, &config.api_key_problem) {
            (Some(_), _) => {}
            (None, Some(problem)) => return Err(service.without_credentials(problem)),
            (None, None) if config.auth.is_some() && !config.has_own_credentials() => {
                return Err(service.without_credentials("there is no API key"));
            }
            (None, None) => {}
        }
        let request = request.and_then(|request| {
            let mut request = request.header("anthropic-version", VERSION)?;
            if let Some(key) = key {
                request = request.secret_header("x-api-key", key.reveal())?;
            }
            for (name, value) in &config.headers {
                request = match value {
                    HeaderText::Plain(value) => request.header(name, value)?,
                    HeaderText::Secret(secret) => request.secret_header(name, secret.reveal())?,
                };
            }
            Ok(request)
        });
        request.map_err(|error| service.transport_error(&error, Begun::No))
    }

    async fn exchange(
        &self,
        request: Request,
        service: &Service<'_>,
        assembler: &mut Assembler<'_>,
        reader: &mut Reader,
        sink: &dyn StreamSink,
    ) -> Result<Came, CallError> {
        let response = self.send(request, service).await?;
        let media = response.content_type().unwrap_or("no stated type").to_ascii_lowercase();
        if media.contains("json") {
            return self.document(response, service).await.map(Came::Document);
        }
        if media.contains("html") || media.contains("xml") {
            let what = format!("{media} in place of an event stream; check the base URL");
            return Err(service.not_an_answer(ErrorKind::InvalidRequest, &what));
        }
        let mut stream = SseStream::new(response, ANSWER_LIMIT).with_keep_alive("ping");
        let mut noise = 0u32;
        let broken = loop {
            let read = stream.next_batch(|event| {
                let seen = reader.read(assembler, event.event, event.data, event.complete);
                noise = noise.saturating_add(u32::from(seen == Seen::Noise));
            });
            let read = read.await;
            sink.ready().await;
            match read {
                Err(error) => break Some(service.transport_error(&error, Begun::Yes)),
                Ok(more) if !more || reader.is_over() => break None,
                Ok(_) => {}
            }
        };
        if broken.is_none() && reader.is_over() {
            // Its last bytes make the connection fit for the next call; they are due by now.
            let rest = async { while let Ok(true) = stream.next_batch(|_| {}).await {} };
            let _late = tokio::time::timeout(LAST_BYTES, rest).await;
        }
        if noise > 0 {
            self.debug(&format!("{noise} events of the stream are unknown; they were skipped"));
        }
        Ok(Came::Stream { media, broken })
    }

    /// Sends a request; an answer with an error status is an error.
    pub(crate) async fn send(
        &self,
        request: Request,
        service: &Service<'_>,
    ) -> Result<Response, CallError> {
        let sent = self.config.client.send(request).await;
        let response = sent.map_err(|error| service.transport_error(&error, Begun::No))?;
        if response.status.is_success() {
            return Ok(response);
        }
        let (status, retry_after) = (response.status.as_u16(), response.retry_after());
        let content_type = response.content_type().map(str::to_owned);
        // The status tells enough where the body cannot be had.
        let body = response.bounded_body(ERROR_BODY_LIMIT).await;
        let body = body.map(|body| body.content).unwrap_or_default();
        let content_type = content_type.as_deref();
        Err(service.error_status(ErrorAnswer { status, content_type, retry_after, body: &body }))
    }

    /// The JSON document of an answer.
    pub(crate) async fn document(
        &self,
        response: Response,
        service: &Service<'_>,
    ) -> Result<Value, CallError> {
        let body = response.whole_body(ANSWER_LIMIT).await;
        let body = body.map_err(|error| service.transport_error(&error, Begun::Yes))?;
        if body.is_empty() {
            let what = "an empty application/json";
            return Err(service.not_an_answer(ErrorKind::TruncatedStream, what));
        }
        json::parse(&String::from_utf8_lossy(&body)).map_err(|error| {
            let what = format!("application/json that is not valid JSON: {error}");
            service.not_an_answer(ErrorKind::TruncatedStream, &what)
        })
    }
}
