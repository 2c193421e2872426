//! What went wrong in a call: a kind that callers act on, and one line for people.
//!
//! Pure. It must never let a credential, a page of HTML or an unbounded text into a message. A
//! provider calls it with what the transport or the service reported; the rules that only one
//! service needs stay with that provider, which may correct the kind.

mod classify;
mod error_text;
#[cfg(test)]
mod tests;

pub use error_text::{ErrorText, clean, is_nothing};

use classify::{kind_of_code, kind_of_status};
use fen_contract::failure::Failure;
use fen_contract::names::Millis;
use fen_contract::secret::Secret;
use fen_contract::types::{AssistantBlock, AssistantMessage, ErrorKind};
use fen_transport::Error as TransportError;
use fen_transport::http::Url;
use std::time::Duration;

/// How many bytes of an error body are worth reading.
pub const ERROR_BODY_LIMIT: usize = 64 * 1024;

/// A call that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallError {
    /// What callers act on.
    pub kind: ErrorKind,
    /// What happened, to what, and what to do next.
    pub message: String,
    /// How long the server asked to wait.
    pub retry_after: Option<Duration>,
}

impl CallError {
    /// A failure of this kind, without a wish of the server's.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        CallError { kind, message: message.into(), retry_after: None }
    }

    /// The message of the failed call, with what had arrived of the answer.
    pub fn into_message(self, partial: Vec<AssistantBlock>) -> AssistantMessage {
        let retry_after_ms = self
            .retry_after
            .map(|wait| Millis(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)));
        AssistantMessage {
            retry_after_ms,
            ..AssistantMessage::failed(self.kind, self.message, partial)
        }
    }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        Failure::new(error.message)
    }
}

/// The service that is called, as messages name it.
#[derive(Debug, Clone, Copy)]
pub struct Service<'a> {
    /// The provider's registered name.
    pub provider: &'a str,
    /// The address that is called; of it only host and path are shown.
    pub url: &'a str,
    /// What to do where the credentials are missing or refused.
    pub credentials: &'a str,
    /// What to do where nothing answers at this address; empty if there is nothing to say.
    pub unreachable: &'a str,
    /// The key that is sent, so that a service that repeats it does not give it away.
    pub key: Option<&'a Secret>,
}

/// An answer that is an error, as far as it was read.
#[derive(Debug, Clone, Copy)]
pub struct ErrorAnswer<'a> {
    /// The HTTP status.
    pub status: u16,
    /// The media type of the body, without parameters.
    pub content_type: Option<&'a str>,
    /// How long the server asks to wait.
    pub retry_after: Option<Duration>,
    /// The body, or its beginning.
    pub body: &'a [u8],
}

impl Service<'_> {
    /// Host, port if it is unusual, and path; never user, password or query.
    pub fn place(&self) -> String {
        let Ok(url) = Url::parse(self.url) else { return "an address that is no URL".to_owned() };
        let host = url.host_str().unwrap_or_default();
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        format!("{host}{port}{}", url.path())
    }

    /// No credentials are there, so nothing is sent. `problem` says why.
    pub fn without_credentials(&self, problem: &str) -> CallError {
        let message = format!("{}: {problem}; {}", self.provider, self.credentials);
        CallError::new(ErrorKind::Auth, message.trim_end_matches("; "))
    }

    /// The request could not be sent, or its answer broke off. `begun` says whether the answer had.
    pub fn transport_error(&self, error: &TransportError, begun: Begun) -> CallError {
        use TransportError as E;
        let kind = match (error, begun) {
            (E::Stall { .. }, _) => ErrorKind::Stall,
            (E::Closed { .. } | E::Decode { .. }, Begun::Yes) => ErrorKind::TruncatedStream,
            _ if error.is_retryable() => ErrorKind::Network,
            // Refused certificates and proxies: nothing that a repetition mends.
            _ => ErrorKind::InvalidRequest,
        };
        let mut message = format!("{}: {error}", self.provider);
        if matches!(error, E::Connect { .. } | E::Timeout { .. }) && !self.unreachable.is_empty() {
            message = format!("{message}; {}", self.unreachable);
        }
        CallError::new(kind, message)
    }

    /// The service answered with an error status.
    pub fn error_status(&self, answer: ErrorAnswer<'_>) -> CallError {
        let text = ErrorText::of_body(answer.body, answer.content_type);
        let kind = kind_of_status(answer.status, &text);
        let mut message =
            format!("{} ({}) answered {}", self.provider, self.place(), answer.status);
        match self.said(&text) {
            Some(said) => message = format!("{message}: {said}"),
            None if !answer.body.is_empty() => {
                let what = answer.content_type.unwrap_or("a body of no stated type");
                message = format!("{message} with {what}");
            }
            None => {}
        }
        CallError {
            kind,
            message: self.advised(kind, answer.status, message),
            retry_after: answer.retry_after,
        }
    }

    /// The service reported an error inside an answer that had begun well. `unknown` is the kind of
    /// an error that carries no code which tells.
    pub fn reported_error(&self, text: &ErrorText, unknown: ErrorKind) -> CallError {
        let kind = kind_of_code(text).unwrap_or(unknown);
        let said = self.said(text).unwrap_or_else(|| "no reason was given".to_owned());
        let message = format!("{} ({}) reported an error: {said}", self.provider, self.place());
        CallError { kind, message: self.advised(kind, 200, message), retry_after: text.retry_after }
    }

    /// The stream ended before the answer did.
    pub fn cut_short(&self) -> CallError {
        let message = format!(
            "{}: the answer of {} is incomplete, the stream ended before it did",
            self.provider,
            self.place()
        );
        CallError::new(ErrorKind::TruncatedStream, message)
    }

    /// What came in place of an answer is none. `what` continues "answered with".
    pub fn not_an_answer(&self, kind: ErrorKind, what: &str) -> CallError {
        let message = format!("{} ({}) answered with {what}", self.provider, self.place());
        CallError::new(kind, self.advised(kind, 200, message))
    }

    /// A stream was asked for, and `bytes` of the type `media` came without an event of an answer.
    pub fn no_events(&self, media: &str, bytes: u64) -> CallError {
        let (kind, what) = match (bytes, media) {
            (0, _) => (ErrorKind::TruncatedStream, format!("an empty body ({media})")),
            (_, "text/event-stream") => {
                (ErrorKind::TruncatedStream, format!("{media} without a single event"))
            }
            _ => (ErrorKind::InvalidRequest, format!("{media} in place of an event stream")),
        };
        self.not_an_answer(kind, &what)
    }

    /// A list of models was asked for, and something else came.
    pub fn not_a_list(&self) -> CallError {
        let message = format!(
            "{} ({}) did not answer with a list of models; check the provider's base URL",
            self.provider,
            self.place()
        );
        CallError::new(ErrorKind::InvalidRequest, message)
    }

    fn said(&self, text: &ErrorText) -> Option<String> {
        let said = clean(&text.message, self.key);
        (!said.is_empty()).then_some(said)
    }

    fn advised(&self, kind: ErrorKind, status: u16, message: String) -> String {
        let advice = match kind {
            ErrorKind::Auth => self.credentials.to_owned(),
            ErrorKind::InvalidRequest if matches!(status, 301..=308 | 404 | 405) => {
                let check = "check the provider's base URL and the model's name";
                let advice = [check, self.unreachable].map(str::to_owned);
                advice.join("; ").trim_end_matches("; ").to_owned()
            }
            _ => String::new(),
        };
        if advice.is_empty() {
            message
        } else {
            format!("{}; {advice}", message.trim_end_matches('.'))
        }
    }
}

/// Whether an answer had begun when its connection failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begun {
    /// Its head had come.
    Yes,
    /// Nothing had come.
    No,
}
