//! From reqwest's errors to kinds that a caller acts on.
//!
//! It looks through the chain of causes by type, never by text, and lets nothing of the request
//! but its host through.

use std::error::Error as StdError;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;

use super::tls::RefusedCertificate;
use crate::{Error, Silence};

/// Whom a request talks to, as messages name it.
#[derive(Debug, Clone)]
pub(super) struct Peer {
    host: Arc<str>,
    by_proxy: bool,
}

impl Peer {
    pub(super) fn new(url: &Url, proxy: Option<&Url>) -> Self {
        let host = authority(url);
        let host = match proxy {
            Some(proxy) => format!("{host} (through the proxy {})", authority(proxy)),
            None => host,
        };
        Self { host: host.into(), by_proxy: proxy.is_some() }
    }

    pub(super) fn host(&self) -> String {
        self.host.to_string()
    }

    pub(super) fn stall(&self, what: Silence, after: Duration) -> Error {
        Error::Stall { host: self.host(), what, after }
    }
}

fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port_or_known_default().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// What ended a request before its answer began.
pub(super) fn sending(error: reqwest::Error, peer: &Peer, connect_timeout: Duration) -> Error {
    let (host, reason) = (peer.host(), root(&error));
    if error.is_builder() || find::<hyper::Error>(&error).is_some_and(hyper::Error::is_user) {
        return Error::InvalidRequest { reason };
    }
    if let Some(reason) = tls_fault(&error) {
        return Error::Tls { host, reason };
    }
    if !error.is_connect() {
        return broken(&error, peer);
    }
    let system = find::<io::Error>(&error);
    if error.is_timeout() && system.is_none() {
        return Error::Timeout { host, after: connect_timeout };
    }
    if peer.by_proxy && system.is_none() && !error.is_dns() {
        return Error::Proxy { host, reason };
    }
    Error::Connect { host, reason }
}

/// What ended an answer before its end.
pub(super) fn receiving(error: &reqwest::Error, peer: &Peer) -> Error {
    if find::<hyper::Error>(error).is_some() {
        return broken(error, peer);
    }
    // The connection is fine, so it is the decoder that complains.
    Error::Decode { host: peer.host(), reason: root(error) }
}

fn broken(error: &reqwest::Error, peer: &Peer) -> Error {
    let (host, reason) = (peer.host(), root(error));
    let malformed = |io: &io::Error| {
        matches!(io.kind(), io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput)
    };
    let parse = find::<hyper::Error>(error).is_some_and(hyper::Error::is_parse);
    if parse || find::<io::Error>(error).is_some_and(malformed) {
        return Error::Protocol { host, reason };
    }
    Error::Closed { host, reason }
}

/// The words for a failed handshake, if that is the cause.
fn tls_fault(error: &reqwest::Error) -> Option<String> {
    let fault = find::<rustls::Error>(error)?;
    if let rustls::Error::InvalidCertificate(rustls::CertificateError::Other(other)) = fault {
        let refused: &(dyn StdError + 'static) = &*other.0;
        if let Some(refused) = refused.downcast_ref::<RefusedCertificate>() {
            return Some(refused.to_string());
        }
    }
    Some(format!("{fault}; check that the address and port speak TLS"))
}

/// The first cause of a type.
fn find<'a, E: StdError + 'static>(error: &'a (dyn StdError + 'static)) -> Option<&'a E> {
    causes(error).find_map(|cause| cause.downcast_ref())
}

/// The text of the last cause, which is what the system or the parser said.
pub(super) fn root(error: &reqwest::Error) -> String {
    // The first is reqwest's own, whose text holds the URL.
    let last = causes(error).skip(1).last();
    last.map_or_else(|| "the request failed".to_owned(), ToString::to_string)
}

/// The error and its causes. `io::Error` passes over the error that it wraps; this does not.
fn causes<'a>(
    error: &'a (dyn StdError + 'static),
) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&error| {
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        wrapped.map(|inner| inner as &(dyn StdError + 'static)).or_else(|| error.source())
    })
}
