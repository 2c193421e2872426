//! What a client makes of good and bad answers.

use std::io::Write as _;
use std::time::Duration;

use crate::server::{Server, chunked, stalled};
use fen_transport::http::{Client, Config, Limits, Request, SseStream};
use fen_transport::{Error, Silence};
use tokio::io::AsyncWriteExt;
use tokio::sync::oneshot;

const STREAM: &str = "content-type: text/event-stream; charset=utf-8\r\n";
const EVENTS: &[u8] = "data: {\"a\":\"那\"}\n\n: ping\n\nevent: end\ndata: 2\n\n".as_bytes();

fn short() -> Limits {
    let long = Duration::from_secs(60);
    Limits { response: long, bytes: long, data: long }
}

async fn events(server: &Server) -> Result<Vec<String>, Error> {
    let response = server.post(short()).await?;
    assert_eq!(response.content_type(), Some("text/event-stream"));
    let (mut stream, mut seen) = (SseStream::new(response, 1 << 20), Vec::new());
    while stream.next_batch(|event| seen.push(event.data.to_owned())).await? {}
    Ok(seen)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn singly(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.chunks(1).collect()
}

#[tokio::test]
async fn a_chunked_stream_is_read_whatever_its_cuts() {
    let mut answer = chunked(STREAM, &singly(EVENTS));
    answer.push(b"0\r\n\r\n".to_vec());
    let server = Server::saying(answer).await;
    assert_eq!(events(&server).await.unwrap(), ["{\"a\":\"那\"}", "2"]);
}

#[tokio::test]
async fn a_gzip_stream_is_read_whatever_its_cuts() {
    let headers = format!("{STREAM}content-encoding: gzip\r\n");
    let mut answer = chunked(&headers, &singly(&gzip(EVENTS)));
    answer.push(b"0\r\n\r\n".to_vec());
    let server = Server::saying(answer).await;
    assert_eq!(events(&server).await.unwrap(), ["{\"a\":\"那\"}", "2"]);
    assert!(server.requests()[0].contains("accept-encoding: gzip"));
}

#[tokio::test]
async fn a_flushed_gzip_event_comes_before_the_stream_goes_on() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(b"data: 1\n\n").unwrap();
    encoder.flush().unwrap();
    let headers = format!("{STREAM}content-encoding: gzip\r\n");
    let server = silent_after(chunked(&headers, &[encoder.get_ref()])).await;
    let mut stream = SseStream::new(server.post(short()).await.unwrap(), 100);
    let mut seen = 0;
    while seen == 0 {
        assert!(stream.next_batch(|_| seen += 1).await.unwrap());
    }
}

#[tokio::test]
async fn broken_gzip_is_a_decode_error() {
    let headers = format!("{STREAM}content-encoding: gzip\r\n");
    let good = gzip(EVENTS);
    for body in [&b"not gzip at all, really"[..], &good[..good.len() / 2]] {
        let mut answer = chunked(&headers, &[body]);
        answer.push(b"0\r\n\r\n".to_vec());
        let error = events(&Server::saying(answer).await).await.unwrap_err();
        assert!(matches!(error, Error::Decode { .. }), "{error:?}");
    }
}

#[tokio::test]
async fn a_body_that_ends_early_is_an_error() {
    let chunked = chunked(STREAM, &[b"data: 1\n\n"]).concat();
    let counted = format!("HTTP/1.1 200 OK\r\n{STREAM}content-length: 100\r\n\r\ndata: 1\n\n");
    for answer in [chunked, counted.into_bytes()] {
        let server = Server::saying(vec![answer]).await;
        let error = events(&server).await.unwrap_err();
        assert!(matches!(error, Error::Closed { .. }), "{error:?}");
        assert!(error.is_retryable());
        assert!(error.to_string().starts_with(&server.address.to_string()), "{error}");
    }
}

#[tokio::test]
async fn a_reset_in_the_body_is_an_error() {
    let server = Server::start(|mut stream| async move {
        let answer = chunked(STREAM, &[b"data: 1\n\n"]).concat();
        stream.write_all(&answer).await.unwrap();
        stream.set_zero_linger().unwrap();
    })
    .await;
    let error = events(&server).await.unwrap_err();
    assert!(matches!(error, Error::Closed { .. }), "{error:?}");
}

#[tokio::test]
async fn a_connection_closed_without_an_answer_is_an_error() {
    let server = Server::saying(vec![]).await;
    let error = events(&server).await.unwrap_err();
    assert!(matches!(error, Error::Closed { .. }), "{error:?}");
}

#[tokio::test]
async fn a_server_that_speaks_something_else_is_a_protocol_error() {
    let bad_chunk = chunked(STREAM, &[]).concat().into_iter().chain(*b"zz\r\n").collect();
    for answer in [b"SSH-2.0-OpenSSH_9.2\r\n".to_vec(), bad_chunk] {
        let error = events(&Server::saying(vec![answer]).await).await.unwrap_err();
        assert!(matches!(error, Error::Protocol { .. }), "{error:?}");
        assert!(!error.is_retryable());
    }
}

#[tokio::test]
async fn a_refused_connection_names_the_host() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let url = format!("http://user:sesame@{address}/v1?key=sesame");
    let error = Client::new(Config::default()).send(Request::get(&url).unwrap()).await.unwrap_err();
    let text = format!("{error} {error:?}");
    assert!(matches!(error, Error::Connect { .. }), "{error:?}");
    assert!(text.contains(&address.to_string()) && text.contains("refused"), "{text}");
    assert!(!text.contains("sesame"), "{text}");
}

/// Sends a head and some pieces, then nothing until the test ends.
async fn silent_after(pieces: Vec<Vec<u8>>) -> Server {
    Server::start(move |mut stream| {
        let all = pieces.concat();
        async move {
            stream.write_all(&all).await.unwrap();
            std::future::pending().await
        }
    })
    .await
}

#[tokio::test]
async fn silence_is_a_stall_before_the_head_and_in_the_body() {
    let soon = Duration::from_millis(50);
    let server = silent_after(vec![]).await;
    let error = server.post(Limits { response: soon, ..short() }).await.unwrap_err();
    assert_eq!(stalled(&error), Some(Silence::Headers));

    let server = silent_after(chunked(STREAM, &[b"data: 1\n\n"])).await;
    let response = server.post(Limits { bytes: soon, ..short() }).await.unwrap();
    let mut stream = SseStream::new(response, 100);
    let mut seen = 0;
    let error = loop {
        match stream.next_batch(|_| seen += 1).await {
            Ok(more) => assert!(more),
            Err(error) => break error,
        }
    };
    assert_eq!((stalled(&error), seen), (Some(Silence::Bytes), 1));
    assert!(error.is_retryable());
}

#[tokio::test]
async fn silence_is_counted_across_cancelled_calls() {
    let server = silent_after(chunked(STREAM, &[b"data: 1\n\n"])).await;
    let bytes = Duration::from_millis(50);
    let response = server.post(Limits { bytes, ..short() }).await.unwrap();
    let mut stream = SseStream::new(response, 100);
    let error = loop {
        let call = tokio::time::timeout(Duration::from_millis(5), stream.next_batch(|_| {}));
        if let Ok(Err(error)) = call.await {
            break error;
        }
    };
    assert_eq!(stalled(&error), Some(Silence::Bytes));
    assert_eq!(stream.next_batch(|_| {}).await, Ok(false));
}

#[tokio::test]
async fn keep_alives_without_data_are_a_stall_of_their_own() {
    for keep_alive in [&b": ping\n\n"[..], b"event: ping\ndata: {}\n\n"] {
        let server = Server::start(move |mut stream| async move {
            for piece in chunked(STREAM, &[b"data: 1\n\n"]) {
                stream.write_all(&piece).await.unwrap();
            }
            let ping = chunked("", &[keep_alive]).remove(1);
            while stream.write_all(&ping).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
        let data = Duration::from_millis(100);
        let response = server.post(Limits { data, ..short() }).await.unwrap();
        let mut stream = SseStream::new(response, 100).with_keep_alive("ping");
        let error = loop {
            if let Err(error) = stream.next_batch(|_| {}).await {
                break error;
            }
        };
        assert_eq!(
            error,
            Error::Stall { host: server.address.to_string(), what: Silence::Data, after: data }
        );
    }
}

#[tokio::test]
async fn a_body_is_cut_or_refused_at_its_bound() {
    let server = Server::saying(vec![b"HTTP/1.1 500 No\r\n\r\nab\xE9\x82\xA3cd".to_vec()]).await;
    let get = || async { server.post(short()).await.unwrap() };
    let whole = get().await;
    assert_eq!(whole.status, 500);
    assert_eq!(whole.whole_body(7).await.unwrap(), b"ab\xE9\x82\xA3cd");
    let error = get().await.whole_body(6).await.unwrap_err();
    assert!(matches!(error, Error::BodyTooLarge { limit: 6, .. }));
    for (max, text, cut) in
        [(7, "ab那cd", false), (6, "ab那c", true), (4, "ab", true), (0, "", true)]
    {
        let found = get().await.bounded_text(max).await.unwrap();
        assert_eq!((found.content.as_str(), found.cut), (text, cut));
    }
}

#[tokio::test]
async fn an_endless_body_is_cut_too() {
    let server = Server::start(|mut stream| async move {
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
        while stream.write_all(&[b'x'; 4096]).await.is_ok() {}
    })
    .await;
    let found = server.post(short()).await.unwrap().bounded_body(10_000).await.unwrap();
    assert!(found.cut && found.content.len() == 10_000);
}

#[tokio::test]
async fn an_event_over_the_bound_ends_the_stream() {
    let server = Server::saying(vec![chunked(STREAM, &[&[b'x'; 100]]).concat()]).await;
    let mut stream = SseStream::new(server.post(short()).await.unwrap(), 50);
    let error = stream.next_batch(|_| {}).await.unwrap_err();
    assert!(matches!(error, Error::Sse { .. }), "{error:?}");
}

#[tokio::test]
async fn an_empty_stream_ends_with_no_bytes_read() {
    let answer = format!("HTTP/1.1 200 OK\r\n{STREAM}content-length: 0\r\n\r\n");
    let server = Server::saying(vec![answer.into_bytes()]).await;
    let mut stream = SseStream::new(server.post(short()).await.unwrap(), 50);
    assert!(!stream.next_batch(|_| {}).await.unwrap());
    assert!(!stream.next_batch(|_| {}).await.unwrap());
    assert_eq!(stream.bytes_read(), 0);
}

#[tokio::test]
async fn redirects_are_answers_and_waits_are_read() {
    let answer = "HTTP/1.1 307 Go\r\nlocation: http://elsewhere/\r\nretry-after: 3\r\n\r\n";
    let server = Server::saying(vec![answer.into()]).await;
    let response = server.post(short()).await.unwrap();
    assert_eq!(response.status, 307);
    assert_eq!(response.location(), Some("http://elsewhere/"));
    assert_eq!(response.retry_after(), Some(Duration::from_secs(3)));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_request_arrives_as_it_was_put_together() {
    let server = Server::saying(vec![b"HTTP/1.1 204 OK\r\n\r\n".to_vec()]).await;
    let config = Config { user_agent: "probe/1".into(), ..Config::default() };
    let request = Request::post(&server.url()).and_then(|r| r.header("X-Api-Key", "k")).unwrap();
    Client::new(config).send(request.json("{\"a\":1}")).await.unwrap();
    let seen = server.requests().remove(0);
    assert!(seen.starts_with("POST /v1 HTTP/1.1\r\n"), "{seen}");
    for part in [
        "user-agent: probe/1\r\n",
        "x-api-key: k\r\n",
        "content-type: application/json\r\n",
        "content-length: 7\r\n",
    ] {
        assert!(seen.contains(part), "{seen}");
    }
    assert!(seen.ends_with("\r\n\r\n{\"a\":1}"), "{seen}");
}

#[tokio::test]
async fn dropping_a_stream_closes_its_connection() {
    let (closed, saw_close) = oneshot::channel();
    let closed = std::sync::Mutex::new(Some(closed));
    let server = Server::start(move |mut stream| {
        let closed = closed.lock().unwrap().take();
        async move {
            stream.write_all(&chunked(STREAM, &[b"data: 1\n\n"]).concat()).await.unwrap();
            // The client sends nothing more, so what ends this is the end of the connection.
            let _ = tokio::io::AsyncReadExt::read(&mut stream, &mut [0; 1]).await;
            closed.unwrap().send(()).unwrap();
        }
    })
    .await;
    let mut stream = SseStream::new(server.post(short()).await.unwrap(), 100);
    stream.next_batch(|_| {}).await.unwrap();
    drop(stream);
    saw_close.await.unwrap();
}

#[tokio::test]
async fn one_connection_serves_one_request_after_another() {
    let server = Server::start(|mut stream| async move {
        loop {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").await.unwrap();
            if crate::server::read_request(&mut stream).await.is_empty() {
                return;
            }
        }
    })
    .await;
    let client = Client::new(Config::default());
    for _ in 0..3 {
        let response = client.send(Request::get(&server.url()).unwrap()).await.unwrap();
        assert_eq!(response.whole_body(10).await.unwrap(), b"ok");
    }
    assert_eq!(server.requests().len(), 1, "the first request of each connection is counted");
}

#[tokio::test]
async fn debug_of_an_answer_shows_no_query() {
    let server = Server::saying(vec![b"HTTP/1.1 200 OK\r\nx: sesame\r\n\r\n".to_vec()]).await;
    let url = format!("{}?key=sesame", server.url());
    let client = Client::new(Config::default());
    let response = client.send(Request::get(&url).unwrap()).await.unwrap();
    assert!(!format!("{response:?} {client:?}").contains("sesame"));
    assert!(!server.requests()[0].contains("content-length"), "a GET has no body");
}
