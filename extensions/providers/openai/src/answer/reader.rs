//! Reads the events of one answer, and decides how it ended.

use super::call_keys::CallKeys;
use super::finish::{Finish, meaning};
use super::reasoning_details::ReasoningDetails;
use super::text::{Content, Whole, Words};
use super::wire::{CallDelta, Choice, Chunk, Delta, WireUsage};
use crate::request::{EXTRA_CONTENT, REASONING_DETAILS};
use fen_contract::names::Count;
use fen_contract::types::{AssistantMessage, ErrorKind, StopReason};
use fen_provider_kit::assembler::Assembler;
use fen_provider_kit::exchange::Progress;
use fen_provider_kit::failure::{CallError, ErrorText, Service, clean, is_nothing};
use fen_provider_kit::json;
use fen_transport::sse::SseEvent;
use serde_json::Value;
use std::borrow::Cow;

/// The state of one answer while it arrives.
pub(crate) struct Reader<'a> {
    answer: Assembler<'a>,
    service: Service<'a>,
    keys: CallKeys,
    details: ReasoningDetails,
    finish: Option<String>,
    error: Option<CallError>,
    /// Whether the mark of the stream's end has come.
    done: bool,
    /// Whether anything has come that belongs to this protocol.
    begun: bool,
}

impl<'a> Reader<'a> {
    pub fn new(answer: Assembler<'a>, service: Service<'a>) -> Self {
        Reader {
            answer,
            service,
            keys: CallKeys::default(),
            details: ReasoningDetails::default(),
            finish: None,
            error: None,
            done: false,
            begun: false,
        }
    }

    /// How far the answer has come.
    pub fn progress(&self) -> Progress {
        match (self.is_over(), &self.finish) {
            (true, _) => Progress::Over,
            (false, Some(_)) => Progress::Stopping,
            (false, None) => Progress::Going,
        }
    }

    /// Whether nothing more is to be read.
    pub fn is_over(&self) -> bool {
        self.done || self.error.is_some()
    }

    /// Whether anything has come that belongs to this protocol.
    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// Takes an event of the stream.
    pub fn event(&mut self, event: SseEvent<'_>) {
        let data = event.data.trim();
        if self.is_over() || data.is_empty() {
            return;
        }
        if data == "[DONE]" {
            self.done = true;
            self.begun = true;
            return;
        }
        // Some gateways send their keep-alive comments as data.
        if data.starts_with(':') {
            return;
        }
        if event.event == "error" {
            let text = ErrorText::of_body(data.as_bytes(), None);
            self.report(&text);
            return;
        }
        let mended;
        let read = match serde_json::from_str::<Chunk<'_>>(data) {
            Err(error) => match json::mend(data) {
                Cow::Owned(text) => {
                    mended = text;
                    serde_json::from_str(&mended)
                }
                Cow::Borrowed(_) => Err(error),
            },
            read => read,
        };
        match read {
            Ok(chunk) if chunk.choices.is_empty() && chunk.usage.is_none() => {
                self.bare(chunk, data)
            }
            Ok(chunk) => self.chunk(chunk),
            // The stream broke off within it, which its end will tell.
            Err(_) if !event.complete => {}
            Err(_) => {
                let what =
                    format!("an event that cannot be read: {}", clean(data, self.service.key));
                self.error = Some(self.service.not_an_answer(ErrorKind::TruncatedStream, &what));
            }
        }
    }

    /// An event without choices: an error in one of its forms, or nothing of interest.
    fn bare(&mut self, chunk: Chunk<'_>, data: &str) {
        let text = match chunk.error.filter(|error| !is_nothing(error)) {
            Some(error) => Some(ErrorText::of_error(&error)),
            None => json::parse::<Value>(data).ok().as_ref().and_then(ErrorText::of_json),
        };
        match text {
            Some(text) => self.report(&text),
            None => self.begin(),
        }
    }

    /// Takes the choices, usage and error of an event.
    fn chunk(&mut self, chunk: Chunk<'_>) {
        self.begin();
        self.usage(chunk.usage);
        for choice in chunk.choices {
            self.choice(choice);
        }
        if let Some(error) = chunk.error.filter(|error| !is_nothing(error)) {
            self.report(&ErrorText::of_error(&error));
        }
    }

    /// Takes an answer that came whole.
    pub fn document(&mut self, mut chunk: Chunk<'_>) {
        for choice in &mut chunk.choices {
            choice.delta = choice.message.take().or(choice.delta.take());
        }
        self.chunk(chunk);
    }

    fn begin(&mut self) {
        if !self.begun {
            self.begun = true;
            self.answer.start();
        }
    }

    fn report(&mut self, text: &ErrorText) {
        // An answer that had begun well is broken by the service; one that had not was refused.
        let unknown =
            if self.answer.is_empty() { ErrorKind::InvalidRequest } else { ErrorKind::Overloaded };
        self.error.get_or_insert_with(|| self.service.reported_error(text, unknown));
    }

    fn choice(&mut self, choice: Choice<'_>) {
        if choice.index.and_then(|index| index.0).is_some_and(|index| index > 0) {
            return;
        }
        self.usage(choice.usage);
        if let Some(delta) = choice.delta {
            self.delta(delta);
        }
        if let Some(reason) = choice.finish_reason.filter(|reason| !reason.as_str().is_empty()) {
            self.finish = Some(reason.0.into_owned());
        }
        if let Some(error) = choice.error.filter(|error| !is_nothing(error)) {
            self.report(&ErrorText::of_error(&error));
        }
    }

    fn delta(&mut self, delta: Delta<'_>) {
        // Some services send the same reasoning under both names.
        let reasoning = delta.reasoning_content.filter(|content| !content.is_empty());
        if let Some(reasoning) = reasoning.or(delta.reasoning) {
            reasoning.each(&mut |piece, _| self.answer.thinking(piece));
        }
        if let Some(details) = delta.reasoning_details {
            self.details.add(details);
        }
        for content in [delta.content, delta.refusal].into_iter().flatten() {
            content.each(&mut |piece, kind| match kind {
                Kind::Text => self.answer.text(piece),
                Kind::Thinking => self.answer.thinking(piece),
            });
        }
        for call in delta.tool_calls {
            self.call(call);
        }
    }

    fn call(&mut self, call: CallDelta<'_>) {
        let text = |words: Option<Words<'_>>| words.map(|words| words.0.into_owned());
        let (mut name, mut arguments) = (None, None);
        if let Some(function) = call.function {
            name = text(function.name);
            arguments = function.arguments;
        }
        let id = text(call.id).filter(|id| !id.is_empty());
        let index = call.index.and_then(|index| index.0);
        let key = self.keys.of(index, id.as_deref().unwrap_or(""), name.as_deref().unwrap_or(""));
        let fragment = arguments.as_ref().map_or("", |arguments| &*arguments.0);
        self.answer.tool_delta(key, id.as_deref(), name.as_deref(), fragment);
        if let Some(extra) = call.extra_content {
            self.answer.tool_field(key, EXTRA_CONTENT, extra);
        }
    }

    fn usage(&mut self, usage: Option<WireUsage>) {
        let Some(wire) = usage else { return };
        let count = |value: Option<Whole>| value.and_then(|value| value.0);
        let Some(prompt) = count(wire.prompt_tokens) else { return };
        let details = wire.prompt_tokens_details.unwrap_or_default();
        let cached = count(details.cached_tokens).or(count(wire.prompt_cache_hit_tokens));
        let written = count(details.cache_write_tokens).filter(|written| *written > 0);
        let total = count(wire.total_tokens);
        let mut output = count(wire.completion_tokens);
        // Some services count reasoning beside the output, which the total shows.
        let reasoning =
            wire.completion_tokens_details.and_then(|details| count(details.reasoning_tokens));
        if let (Some(output), Some(reasoning), Some(total)) = (&mut output, reasoning, total)
            && reasoning > 0
            && total >= prompt.saturating_add(*output).saturating_add(reasoning)
        {
            *output = output.saturating_add(reasoning);
        }
        let apart = cached.unwrap_or(0).saturating_add(written.unwrap_or(0));
        let told = self.answer.usage_mut();
        told.input = Some(Count(prompt.saturating_sub(apart)));
        told.cache_read = cached.map(Count);
        told.cache_write = written.map(Count);
        told.output = output.map(Count);
        told.total_tokens =
            total.map(Count).or(output.map(|output| Count(prompt.saturating_add(output))));
    }

    /// Ends an answer that the person cancelled.
    pub fn abort(self) -> AssistantMessage {
        self.answer.abort()
    }

    /// Ends an answer of which nothing usable came.
    pub fn refuse(self, error: CallError) -> AssistantMessage {
        self.answer.fail(error)
    }

    /// Ends an answer whose stream broke. If all had come but the stream's end, it is whole.
    pub fn broken(self, error: CallError, requires_finish: FinishReason) -> AssistantMessage {
        if self.error.is_none() && !self.done && self.finish.is_none() {
            return self.answer.fail(error);
        }
        self.end(requires_finish)
    }

    /// Ends an answer whose stream ended.
    pub fn end(mut self, finish_reason: FinishReason) -> AssistantMessage {
        if let Some(error) = self.error {
            return self.answer.fail(error);
        }
        let Some(reason) = self.finish else {
            // Without a reason required, an end in order is one that the service meant.
            let whole = finish_reason == FinishReason::Optional && !self.answer.is_empty();
            if !whole {
                let error = self.service.cut_short();
                return self.answer.fail(error);
            }
            return self.answer.finish(StopReason::Stop);
        };
        let stop_reason = match meaning(&reason) {
            Finish::Ended(reason) => reason,
            Finish::Unknown => {
                let reason = clean(&reason, None);
                self.answer.notice(format!("the answer ended for an unknown reason: {reason}"));
                StopReason::Stop
            }
            Finish::Failed(kind, why) => {
                let Service { provider, .. } = self.service;
                let place = self.service.place();
                let message = format!("{provider} ({place}): the answer ended early: {why}");
                return self.answer.fail(CallError::new(kind, message));
            }
        };
        if self.answer.is_empty() {
            self.answer.notice("the model's answer is empty");
        }
        if let Some(details) = self.details.take() {
            self.answer.field(REASONING_DETAILS, details);
        }
        self.answer.finish(stop_reason)
    }
}

/// Whether a stream without a finish reason is one that broke off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FinishReason {
    /// It is.
    Required,
    /// The service never sends one.
    Optional,
}

/// What a piece of a content is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Thinking,
}

impl Content<'_> {
    fn is_empty(&self) -> bool {
        match self {
            Content::Text(text) => text.is_empty(),
            Content::Parts(parts) => parts.is_empty(),
        }
    }

    /// Hands out the pieces in order.
    fn each(&self, take: &mut dyn FnMut(&str, Kind)) {
        match self {
            Content::Text(text) => take(text, Kind::Text),
            Content::Parts(parts) => {
                for part in parts {
                    if let Some(thinking) = &part.thinking {
                        thinking.each(&mut |piece, _| take(piece, Kind::Thinking));
                    }
                    if let Some(text) = &part.text {
                        text.each(take);
                    }
                }
            }
        }
    }
}
