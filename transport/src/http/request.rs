//! One request, checked while it is put together so that sending it cannot fail on its form.

use std::fmt;

use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};

use super::Limits;
use crate::Error;

/// A request. Cheap to clone for another attempt: the body is shared.
#[derive(Clone)]
pub struct Request {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    pub(super) limits: Option<Limits>,
}

impl Request {
    /// A request without headers and body.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidRequest`] if `url` is not an absolute `http` or `https` URL with a host.
    pub fn new(method: Method, url: &str) -> Result<Self, Error> {
        let refuse = |reason: String| Error::InvalidRequest { reason };
        let url = Url::parse(url).map_err(|e| refuse(format!("the address is not a URL: {e}")))?;
        if !matches!(url.scheme(), "http" | "https") {
            let scheme = url.scheme();
            return Err(refuse(format!("the address begins with {scheme}: instead of https:")));
        }
        Ok(Self { method, url, headers: HeaderMap::new(), body: Bytes::new(), limits: None })
    }

    /// A `GET` request.
    ///
    /// # Errors
    ///
    /// As [`Request::new`].
    pub fn get(url: &str) -> Result<Self, Error> {
        Self::new(Method::GET, url)
    }

    /// A `POST` request.
    ///
    /// # Errors
    ///
    /// As [`Request::new`].
    pub fn post(url: &str) -> Result<Self, Error> {
        Self::new(Method::POST, url)
    }

    /// Sets a header, in place of one with the same name. A value whose header's name sounds like
    /// a credential is treated as in [`Request::secret_header`].
    ///
    /// # Errors
    ///
    /// [`Error::InvalidRequest`] if a header cannot hold the value, for example a line break; the
    /// message does not show the value.
    pub fn header(mut self, name: &str, value: &str) -> Result<Self, Error> {
        let (name, mut value) = parts(name, value)?;
        value.set_sensitive(is_credential(&name));
        self.headers.insert(name, value);
        Ok(self)
    }

    /// Sets a header whose value is never shown by `Debug` nor kept in HTTP/2's header table.
    ///
    /// # Errors
    ///
    /// As [`Request::header`].
    pub fn secret_header(mut self, name: &str, value: &str) -> Result<Self, Error> {
        let (name, mut value) = parts(name, value)?;
        value.set_sensitive(true);
        self.headers.insert(name, value);
        Ok(self)
    }

    /// Sets the body, without a content type.
    #[must_use]
    pub fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }

    /// Sets a body and `content-type: application/json`.
    #[must_use]
    pub fn json(mut self, body: impl Into<Bytes>) -> Self {
        let json = HeaderValue::from_static("application/json");
        self.headers.insert(reqwest::header::CONTENT_TYPE, json);
        self.body(body)
    }

    /// Sets limits on silence for this request in place of the client's.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// The headers set so far.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// The address.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.url
    }
}

impl fmt::Debug for Request {
    /// Without user, password, query, secret headers and the body's text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origin = self.url.origin().ascii_serialization();
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("url", &format_args!("{origin}{}", self.url.path()))
            .field("headers", &self.headers)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish_non_exhaustive()
    }
}

fn parts(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), Error> {
    let refuse = |reason| Error::InvalidRequest { reason };
    let Ok(key) = HeaderName::from_bytes(name.as_bytes()) else {
        return Err(refuse(format!("{name:?} is not a name for a header")));
    };
    let Ok(value) = HeaderValue::from_str(value) else {
        return Err(refuse(format!(
            "the value for header `{key}` holds a line break or another character that a header \
             cannot hold (the value is not shown)"
        )));
    };
    Ok((key, value))
}

fn is_credential(name: &HeaderName) -> bool {
    let marks = ["auth", "key", "token", "secret", "cookie", "password"];
    marks.iter().any(|mark| name.as_str().contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_http_urls_are_taken() {
        for url in ["", "x", "/v1", "ftp://a.dev", "file:///etc/passwd", "http://", "https://:80/"]
        {
            assert!(matches!(Request::get(url), Err(Error::InvalidRequest { .. })), "{url:?}");
        }
    }

    #[test]
    fn a_line_break_in_a_value_is_refused_without_showing_it() {
        let request = Request::get("http://a.dev").unwrap();
        let error = request.header("authorization", "Bearer sk-secret\n").unwrap_err();
        assert!(error.to_string().contains("`authorization`"));
        assert!(!format!("{error} {error:?}").contains("sk-secret"));
    }

    #[test]
    fn debug_shows_no_secret() {
        let request = Request::post("http://user:sesame@a.dev/v1?key=sesame")
            .and_then(|r| r.header("Authorization", "Bearer sesame"))
            .and_then(|r| r.header("x-api-key", "sesame"))
            .and_then(|r| r.secret_header("x-custom", "sesame"))
            .unwrap()
            .body("sesame");
        let text = format!("{request:?}");
        assert!(!text.contains("sesame"), "{text}");
        assert!(text.contains("http://a.dev/v1"), "{text}");
    }
}
