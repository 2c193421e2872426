//! One call: request out, answer in, until it ends, breaks or is cancelled.
//!
//! It puts the parts together; what the JSON means is known to `request` and `answer`.

use crate::answer::{Chunk, FinishReason, Reader};
use crate::config::{Config, address};
use crate::provider::API;
use crate::request;
use fen_contract::cancel::CancelToken;
use fen_contract::names::ModelId;
use fen_contract::provider::{CallOptions, StreamSink};
use fen_contract::types::{AgentContext, AssistantMessage, ErrorKind};
use fen_provider_kit::assembler::Assembler;
use fen_provider_kit::exchange::{Came, exchange};
use fen_provider_kit::failure::{CallError, ErrorText, Service};
use fen_provider_kit::json;
use fen_provider_kit::place::{ANSWER_LIMIT, KeyHeader, Place};
use fen_transport::http::Request;
use fen_transport::sse::SseReader;
use serde::Deserialize as _;
use serde_json::Value;

/// Runs one call. See the contract's `Provider::complete`.
pub(crate) async fn complete(
    config: &Config,
    model: &ModelId,
    context: &AgentContext,
    options: &CallOptions,
    sink: &dyn StreamSink,
    cancel: &CancelToken,
) -> AssistantMessage {
    let place = place(config, options);
    let service = place.service();
    let mut reader = Reader::new(Assembler::new(sink, config.origin(API, model)), service);
    let request = place.authorized(Request::post(place.url()), KeyHeader::Bearer);
    let request = request.and_then(|request| {
        let body = request::body(config, model, context, options).map_err(|error| {
            let message = format!("{}: the request cannot be written: {error}", config.name);
            CallError::new(ErrorKind::InvalidRequest, message)
        })?;
        Ok(request.json(String::from(Box::<str>::from(body))))
    });
    let request = match request {
        Ok(request) => request,
        Err(error) => return reader.refuse(error),
    };
    let work = exchange(&place, request, None, sink, |event| {
        reader.event(event);
        reader.progress()
    });
    let came = tokio::select! {
        biased;
        () = cancel.cancelled() => return reader.abort(),
        came = work => came,
    };
    let finish = if config.compat.requires_finish_reason {
        FinishReason::Required
    } else {
        FinishReason::Optional
    };
    match came {
        Err(error) => reader.refuse(error),
        Ok(Came::Document { media, text }) => document(service, reader, &text, &media),
        Ok(Came::Events { broken: Some(error), .. }) => reader.broken(error, finish),
        Ok(Came::Events { media, bytes, .. }) if !reader.has_begun() && !reader.is_over() => {
            reader.refuse(service.no_events(&media, bytes))
        }
        Ok(Came::Events { .. }) => reader.end(finish),
    }
}

/// Where answers are asked for.
pub(crate) fn place<'a>(config: &'a Config, options: &'a CallOptions) -> Place<'a, crate::Compat> {
    Place::new(config, address(config, "chat/completions"), config.key(options))
}

/// Reads an answer that came whole.
fn document(
    service: Service<'_>,
    mut reader: Reader<'_>,
    text: &str,
    media: &str,
) -> AssistantMessage {
    if let Ok(value) = json::parse::<Value>(text) {
        return whole(service, reader, &value, media);
    }
    // A stream under a wrong name.
    let mut events = SseReader::new(ANSWER_LIMIT);
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
