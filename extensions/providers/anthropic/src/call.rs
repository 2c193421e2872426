//! One call: request out, answer in, until it ends, breaks or is cancelled.
//!
//! It puts the parts together; what the JSON means is known to `request` and `answer`.

use crate::API;
use crate::answer::{End, Reader, Seen};
use crate::compat::Compat;
use crate::event::Document;
use crate::provider::Messages;
use fen_contract::cancel::CancelToken;
use fen_contract::names::ModelId;
use fen_contract::provider::{CallOptions, Provider as _, StreamSink};
use fen_contract::types::{AgentContext, AssistantMessage, ErrorKind};
use fen_provider_kit::assembler::Assembler;
use fen_provider_kit::exchange::{Came, exchange};
use fen_provider_kit::failure::{CallError, ErrorText, Service};
use fen_provider_kit::json;
use fen_provider_kit::place::{KeyHeader, Place};
use fen_transport::http::Request;
use serde_json::Value;

/// The version of the protocol that this crate speaks.
const VERSION: &str = "2023-06-01";

impl Messages {
    /// Runs one call. See the contract's `Provider::complete`.
    pub(crate) async fn call(
        &self,
        model: &ModelId,
        context: &AgentContext,
        options: &CallOptions,
        sink: &dyn StreamSink,
        cancel: &CancelToken,
    ) -> AssistantMessage {
        let mut assembler = Assembler::new(sink, self.config.origin(API, model));
        let mut reader = Reader::default();
        let place = self.place(self.address("messages"), options);
        let service = place.service();
        let request = authorized(&place, Request::post(place.url())).and_then(|request| {
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
        let mut noise = 0u32;
        let work = exchange(&place, request, Some("ping"), sink, |event| {
            let seen = reader.read(&mut assembler, event.event, event.data, event.complete);
            noise = noise.saturating_add(u32::from(seen == Seen::Noise));
            reader.progress()
        });
        let came = tokio::select! {
            biased;
            () = cancel.cancelled() => return assembler.abort(),
            came = work => came,
        };
        if noise > 0 {
            self.debug(&format!("{noise} events of the stream are unknown; they were skipped"));
        }
        match came {
            Err(error) => assembler.fail(error),
            Ok(Came::Document { media, text }) => match json::parse(&text) {
                Ok(document) => whole_answer(assembler, &service, &document),
                Err(error) => {
                    let what = format!("{media} that is not valid JSON: {error}");
                    assembler.fail(service.not_an_answer(ErrorKind::TruncatedStream, &what))
                }
            },
            Ok(Came::Events { media, bytes, broken }) => {
                let nothing = service.no_events(&media, bytes);
                let requires_reason = self.config.compat.requires_finish_reason;
                reader
                    .finish(assembler, End { service: &service, nothing, broken, requires_reason })
            }
        }
    }
}

/// A request with what the protocol wants in each.
pub(crate) fn authorized(
    place: &Place<'_, Compat>,
    request: Result<Request, fen_transport::Error>,
) -> Result<Request, CallError> {
    let request = request.and_then(|request| request.header("anthropic-version", VERSION));
    place.authorized(request, KeyHeader::Named("x-api-key"))
}

/// An answer that came as one document, or what that document is instead.
pub(crate) fn whole_answer(
    mut assembler: Assembler<'_>,
    service: &Service<'_>,
    document: &Value,
) -> AssistantMessage {
    if let Some(text) = ErrorText::of_json(document) {
        return assembler.fail(service.reported_error(&text, ErrorKind::InvalidRequest));
    }
    let read: Option<Document> = serde_json::from_value(document.clone()).ok();
    let what = "application/json that is no message";
    let nothing = service.not_an_answer(ErrorKind::InvalidRequest, what);
    match read {
        Some(read) if read.content.is_some() => {
            let mut reader = Reader::default();
            reader.read_document(&mut assembler, read);
            reader.finish(assembler, End { service, nothing, broken: None, requires_reason: false })
        }
        _ => assembler.fail(nothing),
    }
}
