//! A server on loopback that says exactly the bytes it is told, for the integration tests.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use fen_transport::http::{Client, Config, Limits, Request, Response};
use fen_transport::{Error, Silence};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A server and the requests that it has read.
pub struct Server {
    pub address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Reads one request from each connection and hands the connection to `answer`.
    pub async fn start<F>(answer: impl Fn(TcpStream) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = ()> + Send,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (Arc::clone(&requests), Arc::new(answer));
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                tokio::spawn(async move {
                    let request = read_request(&mut stream).await;
                    log.lock().unwrap().push(request);
                    answer(stream).await;
                });
            }
        });
        Self { address, requests }
    }

    /// Answers each connection with these pieces, each flushed on its own, then closes it.
    pub async fn saying(pieces: Vec<Vec<u8>>) -> Self {
        let pieces = Arc::new(pieces);
        Self::start(move |mut stream| {
            let pieces = Arc::clone(&pieces);
            async move {
                for piece in pieces.iter() {
                    stream.write_all(piece).await.unwrap();
                    tokio::task::yield_now().await;
                }
                stream.shutdown().await.ok();
            }
        })
        .await
    }

    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    pub async fn post(&self, limits: Limits) -> Result<Response, Error> {
        let request = Request::post(&self.url()).unwrap().json("{}").limits(limits);
        Client::new(Config::default()).send(request).await
    }
}

/// Head and body, by `content-length`.
pub async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> String {
    let mut text = String::new();
    while !text.ends_with("\r\n\r\n") {
        let Ok(byte) = stream.read_u8().await else { return text };
        text.push(char::from(byte));
    }
    let mut lines = text.lines();
    let length =
        lines.find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).await.unwrap();
    text + &String::from_utf8(body).unwrap()
}

pub fn stalled(error: &Error) -> Option<Silence> {
    match error {
        Error::Stall { what, .. } => Some(*what),
        _ => None,
    }
}

/// A head for a body of unknown length, and each piece as one chunk of it.
pub fn chunked(headers: &str, pieces: &[&[u8]]) -> Vec<Vec<u8>> {
    let head = format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n{headers}\r\n");
    let chunk =
        |piece: &&[u8]| [format!("{:x}\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat();
    std::iter::once(head.into_bytes()).chain(pieces.iter().map(chunk)).collect()
}
