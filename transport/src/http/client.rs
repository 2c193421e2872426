//! The client: picks the route, builds what the route needs, sends.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::Url;
use reqwest::redirect::Policy;

use super::failure::{self, Peer};
use super::{Config, Request, Response, tls};
use crate::{Error, Silence};

/// An HTTP client. Clones share one pool of connections, one configuration and one set of roots.
#[derive(Debug, Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

/// The two clients differ in nothing but the cost of building them.
#[derive(Debug)]
struct Shared {
    config: Config,
    /// For routes without TLS: holds no certificate.
    plain: OnceLock<reqwest::Client>,
    secure: OnceLock<reqwest::Client>,
}

impl Client {
    /// A client that has loaded and connected nothing yet.
    #[must_use]
    pub fn new(config: Config) -> Self {
        let shared = Shared { config, plain: OnceLock::new(), secure: OnceLock::new() };
        Self { shared: Arc::new(shared) }
    }

    /// Sends a request and waits for the status and headers of its answer, whatever they say.
    ///
    /// # Errors
    ///
    /// Each kind of [`Error`] that can come before the body: the request, the connection, TLS, a
    /// proxy, silence.
    pub async fn send(&self, request: Request) -> Result<Response, Error> {
        let config = &self.shared.config;
        let limits = request.limits.unwrap_or(config.limits);
        let proxy = config.proxies.route(&request.url).map_err(|variable| {
            let reason = format!("{variable} does not hold the address of a proxy");
            Error::InvalidRequest { reason }
        })?;
        let peer = Peer::new(&request.url, proxy);
        let secure = [Some(&request.url), proxy].iter().flatten().any(|u| u.scheme() == "https");
        let client = if secure { self.shared.secure() } else { self.shared.plain() }?;
        let sent = client
            .request(request.method, request.url)
            .headers(request.headers)
            .body(request.body)
            .send();
        match tokio::time::timeout(limits.response, sent).await {
            Ok(Ok(response)) => Ok(Response::new(response, peer, limits)),
            Ok(Err(error)) => Err(failure::sending(error, &peer, config.connect_timeout)),
            Err(_) => Err(peer.stall(Silence::Headers, limits.response)),
        }
    }

    /// Does now what the first `https://` request would do: loads the roots, some milliseconds of
    /// blocking work. Never needed; for a caller with time to spare on another thread.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidRequest`] if the roots cannot be used.
    pub fn prepare_tls(&self) -> Result<(), Error> {
        self.shared.secure().map(|_| ())
    }
}

impl Shared {
    fn plain(&self) -> Result<&reqwest::Client, Error> {
        self.built(&self.plain, |_| tls::without_roots())
    }

    fn secure(&self) -> Result<&reqwest::Client, Error> {
        self.built(&self.secure, |config| tls::trusting(&config.roots))
    }

    fn built<'a>(
        &self,
        slot: &'a OnceLock<reqwest::Client>,
        tls: fn(&Config) -> Result<rustls::ClientConfig, String>,
    ) -> Result<&'a reqwest::Client, Error> {
        if let Some(client) = slot.get() {
            return Ok(client);
        }
        let client = tls(&self.config).and_then(|tls| build(&self.config, tls));
        let client = client.map_err(|reason| Error::InvalidRequest { reason })?;
        Ok(slot.get_or_init(|| client))
    }
}

fn build(config: &Config, tls: rustls::ClientConfig) -> Result<reqwest::Client, String> {
    let mut builder = reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .user_agent(&config.user_agent)
        .connect_timeout(config.connect_timeout)
        // Both notice a peer that is gone long before the limits on silence would.
        .tcp_keepalive(Duration::from_secs(30))
        .http2_keep_alive_interval(Duration::from_secs(30))
        .http2_keep_alive_timeout(Duration::from_secs(20))
        .redirect(Policy::none())
        .referer(false)
        .no_proxy();
    if !config.proxies.is_empty() {
        let proxies = config.proxies.clone();
        // A variable that holds no proxy has failed the request before it comes here.
        let route = move |url: &Url| proxies.route(url).ok().flatten().cloned();
        builder = builder.proxy(reqwest::Proxy::custom(route));
    }
    builder.build().map_err(|error| format!("the client's settings: {}", failure::root(&error)))
}
