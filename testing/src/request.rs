//! A request as the server received it, for assertions.

use std::time::Instant;

use bytes::Bytes;
use serde_json::Value;

/// One complete request, in the order of arrival.
#[derive(Debug, Clone)]
pub struct RecordedRequest {
    /// The method, as sent.
    pub method: String,
    /// The request target up to the query, as sent.
    pub path: String,
    /// What follows the `?` of the target.
    pub query: Option<String>,
    /// Header names as sent, with their values, in order.
    pub headers: Vec<(String, String)>,
    /// The body, with chunked framing removed.
    pub body: Bytes,
    /// When the last byte was read.
    pub received_at: Instant,
    /// Which connection carried it; the first that the server accepted is 1.
    pub connection: usize,
}

impl RecordedRequest {
    /// The first header of this name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(candidate, _)| candidate.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    ///
    /// # Panics
    /// If it is not JSON; the message shows the body.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| {
            panic!(
                "the body of {} {} is not JSON: {error}\n{}",
                self.method,
                self.path,
                self.text()
            )
        })
    }

    /// The body as text, with U+FFFD where it is not UTF-8.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}
