//! How a client reaches a server: proxies, private certificate authorities, HTTP/2.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use crate::server::Server;
use fen_transport::Error;
use fen_transport::http::{Client, Config, Request, Response, SseStream};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::io::{AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

const OK: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/// A client that sees these variables and no other.
fn client(vars: &[(&str, &str)]) -> Client {
    let find = |name: &str| vars.iter().find(|v| v.0 == name).map(|v| v.1.to_owned());
    Client::new(Config::from_env_vars(find))
}

async fn get(client: &Client, url: &str) -> Result<Response, Error> {
    client.send(Request::get(url).unwrap()).await
}

async fn body(client: &Client, url: &str) -> Result<Vec<u8>, Error> {
    get(client, url).await?.whole_body(100).await
}

struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new(name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    fn write(&self, folder: &Path) -> String {
        let file = folder.join("ca.pem");
        std::fs::write(&file, self.0.pem()).unwrap();
        file.display().to_string()
    }

    fn acceptor(&self, host: &str, protocols: &[&[u8]]) -> TlsAcceptor {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec![host.to_owned()]).unwrap();
        params.distinguished_name.push(DnType::CommonName, format!("leaf of {host}"));
        let leaf = params.signed_by(&key, &self.0).unwrap();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![leaf.der().clone()], key)
            .unwrap();
        config.alpn_protocols = protocols.iter().map(|p| p.to_vec()).collect();
        Arc::new(config).into()
    }

    /// A server for `host` that answers `ok`, over HTTP/2 if the client takes it.
    async fn serve(&self, host: &str, protocols: &[&[u8]]) -> SocketAddr {
        let acceptor = self.acceptor(host, protocols);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            loop {
                let (tcp, _) = listener.accept().await.unwrap();
                let Ok(mut tls) = acceptor.accept(tcp).await else { continue };
                if tls.get_ref().1.alpn_protocol() == Some(b"h2") {
                    tokio::spawn(answer_h2(tls));
                    continue;
                }
                crate::server::read_request(&mut tls).await;
                tls.write_all(OK).await.unwrap();
                tls.shutdown().await.ok();
            }
        });
        address
    }
}

async fn answer_h2(tls: tokio_rustls::server::TlsStream<TcpStream>) {
    let mut connection = h2::server::handshake(tls).await.unwrap();
    while let Some(Ok((request, mut respond))) = connection.accept().await {
        let mut body = respond.send_response(Default::default(), false).unwrap();
        match request.uri().path() {
            "/reset" => body.send_reset(h2::Reason::INTERNAL_ERROR),
            _ => body.send_data("ok2".into(), true).unwrap(),
        }
    }
}

#[tokio::test]
async fn a_private_authority_is_accepted_by_file_and_by_folder() {
    let (folder, authority) = (tempfile::tempdir().unwrap(), Authority::new("Test CA"));
    let file = authority.write(folder.path());
    let address = authority.serve("127.0.0.1", &[b"http/1.1"]).await;
    let folder = folder.path().display().to_string();
    for vars in [[("SSL_CERT_FILE", &*file)], [("SSL_CERT_DIR", &*folder)]] {
        let url = format!("https://{address}/");
        assert_eq!(body(&client(&vars), &url).await.unwrap(), b"ok");
    }
}

#[tokio::test]
async fn a_refused_certificate_is_named() {
    let (folder, authority) = (tempfile::tempdir().unwrap(), Authority::new("Test CA"));
    let file = authority.write(folder.path());
    let address = authority.serve("127.0.0.1", &[]).await;
    let other = tempfile::tempdir().unwrap();
    let stranger = Authority::new("Another CA").write(other.path());

    let url = format!("https://{address}/?key=sesame");
    let error = get(&client(&[("SSL_CERT_FILE", &stranger)]), &url).await.unwrap_err();
    let want = format!(
        "no secure connection to {address}: the certificate `leaf of 127.0.0.1`, issued by \
         `Test CA`, was refused: its issuer is not trusted here; if that issuer is yours, set \
         SSL_CERT_FILE to its certificate"
    );
    assert_eq!(error.to_string(), want);
    assert!(matches!(error, Error::Tls { .. }) && !error.is_retryable());

    let url = format!("https://localhost:{}/", address.port());
    let error = get(&client(&[("SSL_CERT_FILE", &file)]), &url).await.unwrap_err();
    assert!(error.to_string().contains("it is for another host"), "{error}");
}

#[tokio::test]
async fn a_certificate_file_that_cannot_be_read_fails_https_only() {
    let server = Server::saying(vec![OK.to_vec()]).await;
    let client = client(&[("SSL_CERT_FILE", "/nowhere/ca.pem")]);
    assert_eq!(body(&client, &server.url()).await.unwrap(), b"ok");
    let error = get(&client, "https://127.0.0.1:9/").await.unwrap_err();
    assert!(matches!(error, Error::InvalidRequest { .. }), "{error:?}");
    assert!(error.to_string().contains("/nowhere/ca.pem"), "{error}");
}

#[tokio::test]
async fn https_to_a_plain_server_is_a_tls_error() {
    let (folder, authority) = (tempfile::tempdir().unwrap(), Authority::new("Test CA"));
    let file = authority.write(folder.path());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
        std::future::pending::<()>().await;
    });
    let error = get(&client(&[("SSL_CERT_FILE", &file)]), &format!("https://{address}")).await;
    let error = error.unwrap_err();
    assert!(matches!(error, Error::Tls { .. }), "{error:?}");
}

#[tokio::test]
async fn a_handshake_that_does_not_come_is_a_timeout() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    let connect_timeout = std::time::Duration::from_millis(50);
    let client = Client::new(Config { connect_timeout, ..Config::default() });
    let error = get(&client, &url).await.unwrap_err();
    assert!(matches!(error, Error::Timeout { after, .. } if after == connect_timeout), "{error:?}");
}

#[tokio::test]
async fn http2_is_spoken_where_the_server_offers_it() {
    let (folder, authority) = (tempfile::tempdir().unwrap(), Authority::new("Test CA"));
    let file = authority.write(folder.path());
    let address = authority.serve("127.0.0.1", &[b"h2", b"http/1.1"]).await;
    let client = client(&[("SSL_CERT_FILE", &file)]);
    let url = format!("https://{address}");
    assert_eq!(body(&client, &url).await.unwrap(), b"ok2");
    let error = body(&client, &format!("{url}/reset")).await.unwrap_err();
    assert!(matches!(error, Error::Closed { .. }), "{error:?}");
    assert_eq!(body(&client, &url).await.unwrap(), b"ok2");
}

#[tokio::test]
async fn plain_requests_go_to_the_proxy_in_absolute_form() {
    let proxy = Server::saying(vec![OK.to_vec()]).await;
    let address = format!("http://user:pass@{}", proxy.address);
    let client = client(&[("HTTP_PROXY", &address)]);
    assert_eq!(body(&client, "http://model.test/v1?q=1").await.unwrap(), b"ok");
    let seen = proxy.requests().remove(0);
    assert!(seen.starts_with("GET http://model.test/v1?q=1 HTTP/1.1\r\n"), "{seen}");
    assert!(seen.contains("proxy-authorization: Basic dXNlcjpwYXNz\r\n"), "{seen}");
}

#[tokio::test]
async fn no_proxy_hosts_and_loopback_go_direct() {
    let proxy = Server::saying(vec![b"HTTP/1.1 502 Bad\r\n\r\n".to_vec()]).await;
    let server = Server::saying(vec![OK.to_vec()]).await;
    let address = proxy.address.to_string();
    let vars = [("http_proxy", &*address), ("NO_PROXY", "x.dev, 0.0.0.0")];
    assert_eq!(body(&client(&vars), &server.url()).await.unwrap(), b"ok");
    // Not a loopback address, but one that this machine answers.
    let url = format!("http://0.0.0.0:{}/", server.address.port());
    assert_eq!(body(&client(&vars), &url).await.unwrap(), b"ok");
    assert!(proxy.requests().is_empty());
    assert_eq!(get(&client(&vars[..1]), &url).await.unwrap().status, 502);
}

#[tokio::test]
async fn secure_requests_go_through_a_tunnel() {
    let (folder, authority) = (tempfile::tempdir().unwrap(), Authority::new("Test CA"));
    let file = authority.write(folder.path());
    let target = authority.serve("model.test", &[b"http/1.1"]).await;
    let proxy = Server::start(move |mut stream| async move {
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
        let mut target = TcpStream::connect(target).await.unwrap();
        copy_bidirectional(&mut stream, &mut target).await.ok();
    })
    .await;
    let address = format!("http://user:pass@{}", proxy.address);
    let client = client(&[("HTTPS_PROXY", &address), ("SSL_CERT_FILE", &file)]);
    assert_eq!(body(&client, "https://model.test/v1").await.unwrap(), b"ok");
    let seen = proxy.requests().remove(0);
    assert!(seen.starts_with("CONNECT model.test:443 HTTP/1.1\r\n"), "{seen}");
    assert!(seen.to_lowercase().contains("proxy-authorization: basic dxnlcjpwyxnz"), "{seen}");
}

#[tokio::test]
async fn a_proxy_that_refuses_is_named() {
    let answer = b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n".to_vec();
    let proxy = Server::saying(vec![answer]).await;
    let address = format!("http://user:sesame@{}", proxy.address);
    let error = get(&client(&[("HTTPS_PROXY", &address)]), "https://model.test/").await;
    let error = error.unwrap_err();
    assert!(matches!(error, Error::Proxy { .. }) && !error.is_retryable(), "{error:?}");
    let text = error.to_string();
    assert!(
        text.contains(&format!("model.test:443 (through the proxy {})", proxy.address)),
        "{text}"
    );
    assert!(text.contains("authorization required") && !text.contains("sesame"), "{text}");
}

#[tokio::test]
async fn a_proxy_that_is_down_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    for url in ["http://model.test/", "https://model.test/"] {
        let error = get(&client(&[("ALL_PROXY", &address)]), url).await.unwrap_err();
        assert!(matches!(error, Error::Connect { .. }), "{error:?}");
        assert!(error.to_string().contains(&format!("the proxy {address}")), "{error}");
    }
}

#[tokio::test]
async fn a_variable_that_holds_no_proxy_is_named() {
    let error = get(&client(&[("HTTPS_PROXY", "gopher://x")]), "https://model.test/").await;
    let error = error.unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid request: HTTPS_PROXY does not hold the address of a proxy"
    );
}

/// Fails to compile where a future cannot move between threads.
#[allow(dead_code)] // compiled, never called
fn futures_are_send(client: &Client, request: Request, stream: &mut SseStream) {
    fn send(_: impl Send) {}
    send(client.send(request));
    send(stream.next_batch(|_| {}));
}
