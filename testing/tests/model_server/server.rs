//! The server itself: what it records, which reply it chooses, how it counts and waits.

use std::{
    io::ErrorKind,
    time::{Duration, Instant},
};

use fen_testing::{ModelServer, RecordedRequest, Reply, StreamScript as _, chat};
use serde_json::json;

use crate::raw_client::RawClient;

#[test]
fn requests_are_recorded_with_all_that_was_sent() {
    let server = ModelServer::start();
    server.fallback(Reply::status(200));
    let mut client = RawClient::connect(&server);
    client.send(
        "POST /v1/chat?beta=true HTTP/1.1\r\nHost: t\r\nAuthorization: Bearer k\r\n\
         Content-Length: 7\r\n\r\n{\"a\":1}",
    );
    client.answer().unwrap();
    let request = server.last_request();
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/v1/chat"));
    assert_eq!(request.query.as_deref(), Some("beta=true"));
    assert_eq!(request.header("AUTHORIZATION"), Some("Bearer k"));
    assert_eq!(request.header("accept"), None);
    assert_eq!(request.json(), json!({ "a": 1 }));
    assert!(request.received_at <= Instant::now());
}

#[test]
fn chunked_request_bodies_are_put_together() {
    let server = ModelServer::start();
    server.fallback(Reply::status(200));
    let mut client = RawClient::connect(&server);
    client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=1\r\n{\"a");
    client.send("\r\n4\r\n\":1}\r\n0\r\nTrailer: t\r\n\r\n");
    client.answer().unwrap();
    assert_eq!(server.last_request().text(), "{\"a\":1}");
}

#[test]
fn a_client_that_expects_100_continue_gets_it_before_its_body() {
    let server = ModelServer::start();
    server.push(Reply::status(200).body("ok"));
    let mut client = RawClient::connect(&server);
    client.send("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    assert_eq!(client.until("\r\n\r\n").unwrap(), "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("{}");
    assert_eq!(client.answer().unwrap().text(), "ok");
}

#[test]
fn one_connection_carries_many_requests_even_sent_ahead() {
    let server = ModelServer::start();
    server.script(vec![Reply::sse("a").split_every(1), Reply::status(200).body("b")]);
    let mut client = RawClient::connect(&server);
    client.post("/1", "x");
    client.post("/2", "y");
    assert_eq!(client.answer().unwrap().text(), "a");
    assert_eq!(client.answer().unwrap().text(), "b");
    assert_eq!(server.connections(), 1);
    let numbers: Vec<_> = server.requests().iter().map(|request| request.connection).collect();
    assert_eq!(numbers, [1, 1]);
    server.assert_script_played();
}

#[test]
fn connection_close_is_honoured() {
    let server = ModelServer::start();
    server.push(Reply::status(200).body("a"));
    let mut client = RawClient::connect(&server);
    client.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    client.answer().unwrap();
    assert_eq!(client.exactly(1).unwrap_err().kind(), ErrorKind::UnexpectedEof);
}

#[test]
fn the_script_comes_before_the_fallback_and_paths_take_nothing_from_it() {
    let server = ModelServer::start();
    server.on_path("/models", Reply::status(200).body("list"));
    server.push(Reply::status(200).body("scripted"));
    server.respond_with(|request: &RecordedRequest| Reply::status(200).body(request.text()));
    let mut client = RawClient::connect(&server);
    assert_eq!(client.exchange("/models", "").text(), "list");
    assert_eq!(client.exchange("/x", "1").text(), "scripted");
    assert_eq!(client.exchange("/x", "2").text(), "2");
    assert_eq!(client.exchange("/x", "3").text(), "3");
    assert!(server.unexpected().is_empty());
}

#[test]
fn a_request_past_the_script_is_told_so() {
    let server = ModelServer::start();
    let answer = RawClient::connect(&server).exchange("/v1/x", "{}");
    assert!(answer.head.starts_with("HTTP/1.1 500 "));
    assert!(answer.text().contains("no reply was scripted for request 1: POST /v1/x"));
    assert_eq!(server.unexpected(), ["no reply was scripted for request 1: POST /v1/x"]);
}

#[test]
fn a_closure_that_panics_and_a_request_that_is_not_http_are_reported() {
    let server = ModelServer::start();
    server.respond_with(|_| panic!("an assertion of the test"));
    let answer = RawClient::connect(&server).exchange("/", "");
    assert!(answer.head.starts_with("HTTP/1.1 500 "));
    let mut client = RawClient::connect(&server);
    client.send("hello\r\n\r\n");
    client.reads().unwrap();
    let unexpected = server.unexpected();
    assert!(unexpected[0].contains("panicked"), "{unexpected:?}");
    assert!(unexpected[1].contains("request line"), "{unexpected:?}");
}

#[test]
fn a_client_that_leaves_a_playing_reply_is_counted() {
    let server = ModelServer::start();
    server.script(vec![
        Reply::sse("data: a\n\n").then_hang(),
        Reply::sse("b").delay(Duration::from_secs(60)).write("c"),
        Reply::silence(),
        Reply::status(200).body("done"),
    ]);
    for left in 1..=3 {
        let mut client = RawClient::connect(&server);
        client.post("/", "");
        server.blocking_wait_for_requests(left);
        drop(client);
        server.blocking_wait_for_disconnects(left);
    }
    let mut client = RawClient::connect(&server);
    client.exchange("/", "");
    drop(client);
    RawClient::connect(&server).exchange("/", "");
    assert_eq!(server.disconnects(), 3, "a client that read all of its answer did not leave");
}

#[test]
fn a_client_that_reads_nothing_is_seen_to_leave() {
    let server = ModelServer::start();
    server.push(Reply::status(200).body(vec![b'x'; 64 << 20]));
    let mut client = RawClient::connect(&server);
    client.post("/", "");
    server.blocking_wait_for_requests(1);
    drop(client);
    server.blocking_wait_for_disconnect();
}

#[test]
fn dropping_the_server_ends_answers_that_hang() {
    let server = ModelServer::start();
    server.push(Reply::silence());
    let mut client = RawClient::connect(&server);
    client.post("/", "");
    server.blocking_wait_for_requests(1);
    drop(server);
    assert!(client.exactly(1).is_err());
}

#[tokio::test]
async fn an_asynchronous_test_waits_without_blocking_its_client() {
    use tokio::io::AsyncWriteExt as _;

    let server = ModelServer::start();
    server.push(chat().text("a").hang().reply());
    let address = server.address();
    let client = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        stream.write_all(b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}").await.unwrap();
        stream
    });
    assert_eq!(server.wait_for_requests(1).await.len(), 1);
    drop(client.await.unwrap());
    server.wait_for_disconnect().await;
}
