//! The arguments of a request.
//!
//! Wrong types raise. What only the client can tell, such as an address that is none, is a refusal:
//! it often comes from a setting and not from the program.

use std::time::Duration;

use fen_transport::Error;
use fen_transport::http::{Limits, Method, Request};
use mlua::Value;

use super::super::answer::Refusal;
use super::super::arguments::{bytes, text, wrong};
use super::super::options::Options;
use crate::value::{ToJson, to_json};
use crate::vm::HostError;

/// How long a whole exchange, or the wait for a stream's first answer, may take.
const TIMEOUT: Duration = Duration::from_secs(600);

/// The longest that can be asked for.
const MAX_TIMEOUT: Duration = Duration::from_secs(3_600);

/// The largest body, or event of a stream, unless told otherwise.
const BODY: usize = 8 << 20;

/// The largest that can be asked for.
const MAX_BODY: usize = 64 << 20;

/// Which function is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `request(options)`
    Request,
    /// `get(url, options)`
    Get,
    /// `post(url, options)`
    Post,
    /// `stream(options)`
    Stream,
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Form::Request => "api.http.request",
            Form::Get => "api.http.get",
            Form::Post => "api.http.post",
            Form::Stream => "api.http.stream",
        }
    }

    fn options(self) -> &'static [&'static str] {
        match self {
            Form::Get => &["headers", "timeout-ms", "idle-timeout-ms", "max-bytes"],
            Form::Post => {
                &["headers", "body", "json", "timeout-ms", "idle-timeout-ms", "max-bytes"]
            }
            Form::Request | Form::Stream => &[
                "url",
                "method",
                "headers",
                "body",
                "json",
                "timeout-ms",
                "idle-timeout-ms",
                "max-bytes",
            ],
        }
    }
}

/// What a call asks for.
pub(super) struct Arguments {
    /// The request, unless the client refuses its form.
    pub(super) request: Result<Request, Refusal>,
    pub(super) limit: Duration,
    pub(super) most: usize,
}

impl Arguments {
    pub(super) fn read(form: Form, first: Value, second: Value) -> Result<Self, HostError> {
        let name = form.name();
        let (url, options) = match form {
            Form::Get | Form::Post => {
                let options = Options::read(name, &second, form.options())?;
                (text(&format!("{name}: the address"), &first)?, options)
            }
            Form::Request | Form::Stream => {
                if !first.is_table() {
                    return Err(wrong(
                        &format!("{name}: the argument"),
                        "a table with 'url'",
                        &first,
                    ));
                }
                let options = Options::read(name, &first, form.options())?;
                (text(&options.label("url"), &options.get("url")?)?, options)
            }
        };
        let body = Body::read(&options)?;
        let headers = options.optional("headers", headers)?.unwrap_or_default();
        let method = match options.optional("method", text)? {
            Some(method) => method.to_ascii_uppercase(),
            None if form == Form::Post => "POST".to_owned(),
            None if matches!(body, Body::None) => "GET".to_owned(),
            None => "POST".to_owned(),
        };
        let silence = options.time("idle-timeout-ms", MAX_TIMEOUT)?;
        let request = build(&method, &url, body, &headers, silence);
        Ok(Arguments {
            request: request.map_err(|error| super::refusal(&error)),
            limit: options.time("timeout-ms", MAX_TIMEOUT)?.unwrap_or(TIMEOUT),
            most: options.size("max-bytes", BODY, MAX_BODY)?,
        })
    }
}

enum Body {
    None,
    Bytes(Vec<u8>),
    Json(String),
}

impl Body {
    fn read(options: &Options) -> Result<Self, HostError> {
        let raw = options.optional("body", bytes)?;
        let json = options.optional("json", |what, value| {
            let json = to_json(value, &ToJson::default());
            json.map_err(|error| HostError::new(format!("{what}: {error}")))
        })?;
        match (raw, json) {
            (Some(_), Some(_)) => {
                let label = options.label("body");
                Err(HostError::new(format!("{label} and 'json' cannot both be given")))
            }
            (Some(raw), None) => Ok(Body::Bytes(raw)),
            (None, Some(json)) => Ok(Body::Json(json.to_string())),
            (None, None) => Ok(Body::None),
        }
    }
}

/// Names and values; a value that is `false` is left out.
fn headers(what: &str, value: &Value) -> Result<Vec<(String, String)>, HostError> {
    let Value::Table(table) = value else { return Err(wrong(what, "a table", value)) };
    let mut headers = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        let (name, value) = pair?;
        let name = text(&format!("{what}: a name"), &name)?;
        let value = match value {
            Value::Integer(number) => number.to_string(),
            Value::Boolean(false) => continue,
            value => text(&format!("{what}: {name}"), &value)?,
        };
        headers.push((name, value));
    }
    Ok(headers)
}

fn build(
    method: &str,
    url: &str,
    body: Body,
    headers: &[(String, String)],
    silence: Option<Duration>,
) -> Result<Request, Error> {
    let method = Method::from_bytes(method.as_bytes()).map_err(|_| {
        let reason = format!("{method:?} is not a method");
        Error::InvalidRequest { reason }
    })?;
    let mut request = Request::new(method, url)?;
    request = match body {
        Body::None => request,
        Body::Bytes(bytes) => request.body(bytes),
        Body::Json(text) => request.json(text),
    };
    for (name, value) in headers {
        request = request.header(name, value)?;
    }
    Ok(match silence {
        // The wait for the head is bounded by the limit of the whole.
        Some(silence) => {
            request.limits(Limits { bytes: silence, data: silence, response: MAX_TIMEOUT })
        }
        None => request,
    })
}
