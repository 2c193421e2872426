//! What a client is told once: identity, limits, proxies, roots. Plain data.

use std::time::Duration;

use super::{ProxyConfig, Roots};

/// The settings of a [`Client`](super::Client).
#[derive(Debug, Clone)]
pub struct Config {
    /// The `user-agent` header of every request.
    pub user_agent: String,
    /// How long one connection may take to stand: name, TCP, proxy and TLS. 30 s by default.
    pub connect_timeout: Duration,
    /// How long a peer may be silent, unless the request says otherwise.
    pub limits: Limits,
    /// Which requests go through which proxy. None by default.
    pub proxies: ProxyConfig,
    /// Whom TLS trusts. The system's roots by default.
    pub roots: Roots,
}

impl Default for Config {
    /// Without proxies, with the system's roots; reads no environment variable.
    fn default() -> Self {
        Self {
            user_agent: concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")).into(),
            connect_timeout: Duration::from_secs(30),
            limits: Limits::default(),
            proxies: ProxyConfig::default(),
            roots: Roots::default(),
        }
    }
}

impl Config {
    /// The default settings with proxies and roots from the variables that `get` knows: see
    /// [`ProxyConfig::from_env_vars`] and [`Roots::from_env_vars`].
    #[must_use]
    pub fn from_env_vars(get: impl Fn(&str) -> Option<String>) -> Self {
        Self {
            proxies: ProxyConfig::from_env_vars(&get),
            roots: Roots::from_env_vars(&get),
            ..Self::default()
        }
    }

    /// [`Config::from_env_vars`] with the variables of this process.
    #[must_use]
    pub fn from_env() -> Self {
        Self::from_env_vars(|name| std::env::var(name).ok())
    }
}

/// How long a peer may be silent. Each limit ends in a retryable
/// [`Error::Stall`](crate::Error::Stall).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// From sending the request to the headers of the answer, connecting included. 10 min by
    /// default: a local server reads a long prompt before it answers at all.
    pub response: Duration,
    /// Between two reads of the body, keep-alive comments included. 60 s by default.
    pub bytes: Duration,
    /// Between two events with data, in a [`SseStream`](super::SseStream). 10 min by default.
    pub data: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            response: Duration::from_secs(600),
            bytes: Duration::from_secs(60),
            data: Duration::from_secs(600),
        }
    }
}
