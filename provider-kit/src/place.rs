//! One address of a service, and asking it there.
//!
//! It owns what every request has whatever it says: credentials, headers, limits, and what becomes
//! of an answer that is an error. It never reads what a good answer means.

use crate::config::{Config, HeaderText};
use crate::failure::{Begun, CallError, ERROR_BODY_LIMIT, ErrorAnswer, Service};
use crate::json;
use fen_contract::secret::Secret;
use fen_transport::Error as TransportError;
use fen_transport::http::{Limits, Request, Response};
use serde::de::DeserializeOwned;
use std::time::Duration;
use tokio::time::timeout;

/// How many bytes one event, or an answer that is not streamed, may have.
pub const ANSWER_LIMIT: usize = 32 << 20;

/// How long a service may take to begin a list of its models.
const LIST_PATIENCE: Duration = Duration::from_secs(20);

/// How long the body of an error is waited for; its status says what matters.
const ERROR_BODY_PATIENCE: Duration = Duration::from_secs(10);

/// How long a whole document may take.
const DOCUMENT_PATIENCE: Duration = Duration::from_secs(600);

/// The header that a key goes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyHeader {
    /// `authorization: Bearer KEY`.
    Bearer,
    /// The key alone, in a header of this name.
    Named(&'static str),
}

/// An address of a service, for the length of a call.
pub struct Place<'a, C> {
    config: &'a Config<C>,
    url: String,
    advice: String,
    key: Option<&'a Secret>,
}

impl<'a, C> Place<'a, C> {
    /// The address `url` of a provider's service, which is asked with `key`.
    pub fn new(config: &'a Config<C>, url: String, key: Option<&'a Secret>) -> Self {
        Place { advice: config.credentials_advice(), config, url, key }
    }

    /// The address itself.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The service as failures name it.
    pub fn service(&self) -> Service<'_> {
        Service {
            provider: &self.config.name,
            url: &self.url,
            credentials: &self.advice,
            unreachable: self.config.start.as_deref().unwrap_or_default(),
            key: self.key,
        }
    }

    /// A request with the credentials, and with the headers and limits of the settings.
    ///
    /// # Errors
    ///
    /// That credentials are wanted and missing, or that the request cannot be made.
    pub fn authorized(
        &self,
        request: Result<Request, TransportError>,
        header: KeyHeader,
    ) -> Result<Request, CallError> {
        if let Some(problem) = self.missing_credentials() {
            return Err(self.service().without_credentials(problem));
        }
        let request = request.and_then(|request| self.with_headers(request, header));
        let request = request.map_err(|error| self.service().transport_error(&error, Begun::No))?;
        Ok(match self.config.limits {
            Some(limits) => request.limits(limits),
            None => request,
        })
    }

    fn missing_credentials(&self) -> Option<&str> {
        let config = self.config;
        match &config.api_key_problem {
            _ if self.key.is_some() => None,
            Some(problem) => Some(problem),
            None if config.auth.is_some() && !config.has_own_credentials() => {
                Some("there is no API key")
            }
            None => None,
        }
    }

    fn with_headers(
        &self,
        mut request: Request,
        header: KeyHeader,
    ) -> Result<Request, TransportError> {
        if let Some(key) = self.key {
            request = match header {
                KeyHeader::Bearer => {
                    request.secret_header("authorization", &format!("Bearer {}", key.reveal()))?
                }
                KeyHeader::Named(name) => request.secret_header(name, key.reveal())?,
            };
        }
        for (name, text) in &self.config.headers {
            request = match text {
                HeaderText::Plain(text) => request.header(name, text)?,
                HeaderText::Secret(secret) => request.secret_header(name, secret.reveal())?,
            };
        }
        Ok(request)
    }

    /// Sends a request and waits for the head of its answer.
    ///
    /// # Errors
    ///
    /// That nothing came, or what an answer with an error status says.
    pub async fn send(&self, request: Request) -> Result<Response, CallError> {
        let service = self.service();
        let sent = self.config.client.send(request).await;
        let response = sent.map_err(|error| service.transport_error(&error, Begun::No))?;
        if response.status.is_success() {
            return Ok(response);
        }
        let (status, retry_after) = (response.status.as_u16(), response.retry_after());
        let content_type = response.content_type().map(str::to_owned);
        // The status is what counts; a body that breaks off takes nothing from it.
        let body = timeout(ERROR_BODY_PATIENCE, response.bounded_body(ERROR_BODY_LIMIT)).await;
        let body = body.ok().and_then(Result::ok).map(|body| body.content).unwrap_or_default();
        let content_type = content_type.as_deref();
        Err(service.error_status(ErrorAnswer { status, content_type, retry_after, body: &body }))
    }

    /// The whole text of an answer, without the space around it.
    ///
    /// # Errors
    ///
    /// That it broke off, or has more than [`ANSWER_LIMIT`] bytes.
    pub async fn text(&self, response: Response) -> Result<String, CallError> {
        self.text_within(response, DOCUMENT_PATIENCE).await
    }

    async fn text_within(
        &self,
        response: Response,
        patience: Duration,
    ) -> Result<String, CallError> {
        let host = response.host();
        let body = timeout(patience, response.whole_body(ANSWER_LIMIT)).await;
        let body = body.unwrap_or(Err(TransportError::Timeout { host, after: patience }));
        let body = body.map_err(|error| self.service().transport_error(&error, Begun::Yes))?;
        Ok(String::from_utf8_lossy(&body).trim().to_owned())
    }

    /// Asks for a list of models.
    ///
    /// # Errors
    ///
    /// As [`Place::send`] and [`Place::text`], or that the answer is no such list.
    pub async fn list<T: DeserializeOwned>(&self, request: Request) -> Result<T, CallError> {
        let request = request.limits(Limits { response: LIST_PATIENCE, ..Limits::default() });
        let response = self.send(request).await?;
        let text = self.text_within(response, LIST_PATIENCE).await?;
        json::parse(&text).map_err(|_| self.service().not_a_list())
    }
}
