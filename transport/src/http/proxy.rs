//! Which proxy a request goes through. Pure: variables in, a route out.

use std::fmt;
use std::net::IpAddr;

use reqwest::Url;

/// Proxies by scheme, and the hosts that go direct.
///
/// Loopback hosts go direct always: a model server on this machine is not the proxy's business.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ProxyConfig {
    http: Option<Setting>,
    https: Option<Setting>,
    direct: Vec<Rule>,
}

/// A proxy, or the name of the variable whose value is not one.
type Setting = Result<Url, &'static str>;

/// One entry of `NO_PROXY`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    hosts: Hosts,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Hosts {
    All,
    /// A domain and all below it.
    Domain(String),
    /// Addresses that share the first bits.
    Net(IpAddr, u8),
}

impl ProxyConfig {
    /// Reads the usual variables, lower case before upper case, empty as unset:
    ///
    /// * `HTTP_PROXY` for `http://`, `HTTPS_PROXY` for `https://`, `ALL_PROXY` for what is left.
    ///   Upper-case `HTTP_PROXY` is ignored where `REQUEST_METHOD` is set: in a CGI process it is
    ///   a header of the visitor's. Schemes are `http` (assumed if there is none), `https`,
    ///   `socks4`, `socks4a`, `socks5` and `socks5h`; user and password may be given.
    /// * `NO_PROXY`: entries between commas or spaces. `*` is every host; `example.com` and
    ///   `.example.com` are that domain and all below it; an IP address or a block
    ///   (`10.0.0.0/8`) is itself; `:port` after any of them restricts it.
    ///
    /// A value that is not a proxy address fails the requests that would use it, not this call.
    #[must_use]
    pub fn from_env_vars(get: impl Fn(&str) -> Option<String>) -> Self {
        let read = |name: &str| get(name).filter(|value| !value.trim().is_empty());
        let proxy = |lower: &str, upper: &'static str| {
            let cgi = upper == "HTTP_PROXY" && read("REQUEST_METHOD").is_some();
            let value = read(lower).or_else(|| read(upper).filter(|_| !cgi))?;
            Some(parse_proxy(value.trim()).ok_or(upper))
        };
        let all = proxy("all_proxy", "ALL_PROXY");
        let direct = read("no_proxy").or_else(|| read("NO_PROXY")).unwrap_or_default();
        Self {
            http: proxy("http_proxy", "HTTP_PROXY").or_else(|| all.clone()),
            https: proxy("https_proxy", "HTTPS_PROXY").or(all),
            direct: direct
                .split([',', ' ', '\t', '\n'])
                .filter_map(|entry| Rule::parse(entry.trim()))
                .collect(),
        }
    }

    /// Whether every request goes direct.
    pub(super) fn is_empty(&self) -> bool {
        self.http.is_none() && self.https.is_none()
    }

    /// The proxy for `url`, `None` for direct, or the variable that does not hold a proxy.
    pub(super) fn route(&self, url: &Url) -> Result<Option<&Url>, &'static str> {
        let setting = if url.scheme() == "https" { &self.https } else { &self.http };
        let (Some(setting), Some(host)) = (setting, url.host_str()) else { return Ok(None) };
        let host = host.trim_matches(['[', ']']).trim_end_matches('.').to_ascii_lowercase();
        let address = host.parse().ok();
        let port = url.port_or_known_default();
        if is_loopback(&host, address) || self.direct.iter().any(|r| r.holds(&host, address, port))
        {
            return Ok(None);
        }
        setting.as_ref().map(Some).map_err(|name| *name)
    }
}

impl fmt::Debug for ProxyConfig {
    /// Hosts only: a proxy address may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = |setting: &Option<Setting>| {
            setting.as_ref().map(|s| s.as_ref().map(|url| url.host_str().map(str::to_owned)).ok())
        };
        f.debug_struct("ProxyConfig")
            .field("http", &host(&self.http))
            .field("https", &host(&self.https))
            .field("direct", &self.direct)
            .finish()
    }
}

fn is_loopback(host: &str, address: Option<IpAddr>) -> bool {
    match address {
        Some(address) => address.to_canonical().is_loopback(),
        None => host == "localhost" || host.ends_with(".localhost"),
    }
}

fn parse_proxy(value: &str) -> Option<Url> {
    let with_scheme = format!("http://{value}");
    let mut url = Url::parse(if value.contains("://") { value } else { &with_scheme }).ok()?;
    match url.scheme() {
        "http" | "https" => {}
        "socks4" | "socks4a" | "socks5" | "socks5h" => {
            let port = url.port().unwrap_or(1080);
            url.set_port(Some(port)).ok()?;
        }
        _ => return None,
    }
    url.has_host().then_some(url)
}

impl Rule {
    fn parse(entry: &str) -> Option<Self> {
        let whole = |text: &str| Hosts::parse(text).map(|hosts| Self { hosts, port: None });
        // An IPv6 address has colons of its own; with a port it stands in brackets.
        if entry.parse::<IpAddr>().is_ok() || entry.contains('/') {
            return whole(entry);
        }
        match entry.rsplit_once(':').map(|(host, port)| (host, port.parse())) {
            Some((host, Ok(port))) => Some(Self { hosts: Hosts::parse(host)?, port: Some(port) }),
            _ => whole(entry),
        }
    }

    fn holds(&self, host: &str, address: Option<IpAddr>, port: Option<u16>) -> bool {
        if self.port.is_some() && self.port != port {
            return false;
        }
        match &self.hosts {
            Hosts::All => true,
            Hosts::Domain(domain) => {
                let rest = host.strip_suffix(domain.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            }
            Hosts::Net(net, bits) => address.is_some_and(|address| in_net(address, *net, *bits)),
        }
    }
}

impl Hosts {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim_start_matches('[').trim_end_matches(']');
        if text == "*" {
            return Some(Self::All);
        }
        if let Ok(address) = text.parse() {
            return Some(Self::Net(address, 128));
        }
        if let Some((net, bits)) = text.split_once('/') {
            return Some(Self::Net(net.parse().ok()?, bits.parse().ok()?));
        }
        let domain = text.trim_start_matches("*.").trim_matches('.').to_ascii_lowercase();
        (!domain.is_empty()).then_some(Self::Domain(domain))
    }
}

/// Whether the first `bits` bits agree; more bits than the address has are all of them.
fn in_net(address: IpAddr, net: IpAddr, bits: u8) -> bool {
    let differ = match (address, net) {
        (IpAddr::V4(a), IpAddr::V4(b)) => (a.to_bits() ^ b.to_bits()).leading_zeros().min(32),
        (IpAddr::V6(a), IpAddr::V6(b)) => (a.to_bits() ^ b.to_bits()).leading_zeros(),
        _ => return false,
    };
    let width = if address.is_ipv4() { 32 } else { 128 };
    differ >= u32::from(bits).min(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(vars: &[(&str, &str)]) -> ProxyConfig {
        let find = |name: &str| vars.iter().find(|v| v.0 == name).map(|v| v.1.to_owned());
        ProxyConfig::from_env_vars(find)
    }

    fn route(vars: &[(&str, &str)], url: &str) -> Option<String> {
        let url = Url::parse(url).unwrap();
        config(vars).route(&url).unwrap().map(|proxy| proxy.to_string())
    }

    const PROXY: (&str, &str) = ("ALL_PROXY", "http://proxy:1");

    #[test]
    fn each_scheme_has_its_variable_and_lower_case_wins() {
        let vars = [("HTTP_PROXY", "a:1"), ("https_proxy", "b:1"), ("HTTPS_PROXY", "c:1"), PROXY];
        assert_eq!(route(&vars, "http://x.dev").as_deref(), Some("http://a:1/"));
        assert_eq!(route(&vars, "https://x.dev").as_deref(), Some("http://b:1/"));
        assert_eq!(route(&[PROXY], "https://x.dev").as_deref(), Some("http://proxy:1/"));
        assert_eq!(route(&[("HTTPS_PROXY", "c:1")], "http://x.dev"), None);
        assert_eq!(route(&[("HTTPS_PROXY", " ")], "https://x.dev"), None);
    }

    #[test]
    fn upper_case_http_proxy_is_ignored_in_a_cgi_process() {
        let vars = [("HTTP_PROXY", "a:1"), ("REQUEST_METHOD", "GET")];
        assert_eq!(route(&vars, "http://x.dev"), None);
    }

    #[test]
    fn loopback_goes_direct() {
        let urls =
            ["localhost", "a.localhost", "127.0.0.1:8080", "127.9.9.9", "[::1]:80", "LOCALHOST"];
        for host in urls {
            assert_eq!(route(&[PROXY], &format!("http://{host}/v1")), None, "{host}");
        }
        for host in ["localhost.dev", "128.0.0.1", "[::2]", "0.0.0.0"] {
            assert!(route(&[PROXY], &format!("http://{host}/v1")).is_some(), "{host}");
        }
    }

    #[test]
    fn no_proxy_entries_hold_for_their_hosts_only() {
        let cases = [
            ("*", "a.dev", true),
            ("a.dev", "a.dev", true),
            ("a.dev", "b.a.dev", true),
            (".a.dev", "b.a.dev", true),
            (".a.dev", "a.dev", true),
            ("*.a.dev", "b.a.dev", true),
            ("A.dev", "a.DEV", true),
            ("a.dev", "ba.dev", false),
            ("a.dev", "a.dev.org", false),
            ("x, a.dev y", "a.dev", true),
            ("a.dev:8080", "a.dev:8080", true),
            ("a.dev:8080", "a.dev", false),
            ("a.dev:80", "a.dev", true),
            ("*:8080", "a.dev:8080", true),
            ("10.0.0.0/8", "10.9.8.7", true),
            ("10.0.0.0/8", "11.9.8.7", false),
            ("10.1.2.3", "10.1.2.3", true),
            ("10.1.2.3", "10.1.2.4", false),
            ("fe80::/10", "[fe80::7]", true),
            ("[fe80::7]:81", "[fe80::7]:81", true),
            ("fe80::7", "[fe80::8]", false),
            ("0.0.0.0/0", "9.9.9.9", true),
            (",", "a.dev", false),
            ("10.0.0.0/x", "10.9.8.7", false),
        ];
        for (entry, host, direct) in cases {
            let found = route(&[PROXY, ("NO_PROXY", entry)], &format!("http://{host}/"));
            assert_eq!(found.is_none(), direct, "NO_PROXY={entry} for {host}");
        }
    }

    #[test]
    fn a_value_that_is_no_proxy_fails_only_what_would_use_it() {
        for value in ["ftp://x", "http://", "::"] {
            let config = config(&[("HTTPS_PROXY", value)]);
            let route = |url| config.route(&Url::parse(url).unwrap()).map(|p| p.is_some());
            assert_eq!(route("https://x.dev"), Err("HTTPS_PROXY"), "{value}");
            assert_eq!(route("https://localhost"), Ok(false));
            assert_eq!(route("http://x.dev"), Ok(false));
        }
    }

    #[test]
    fn socks_gets_its_port_and_debug_hides_the_password() {
        let vars = [("ALL_PROXY", "socks5h://user:hunter2@proxy")];
        let found = route(&vars, "https://x.dev");
        assert_eq!(found.as_deref(), Some("socks5h://user:hunter2@proxy:1080"));
        assert!(!format!("{:?}", config(&vars)).contains("hunter2"));
    }
}
