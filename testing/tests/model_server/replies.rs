//! What arrives at a client: borders, framings, compression, and each kind of bad end.

use std::{
    io::{ErrorKind, Read as _},
    time::{Duration, Instant},
};

use fen_testing::{Framing, ModelServer, Reply, Step};
use flate2::read::MultiGzDecoder;

use crate::raw_client::RawClient;

fn served(reply: Reply) -> (ModelServer, RawClient) {
    let server = ModelServer::start();
    server.push(reply);
    let mut client = RawClient::connect(&server);
    client.post("/v1/x", "{}");
    (server, client)
}

#[test]
fn a_status_with_headers_and_body_arrives() {
    let reply = Reply::status(429).header("retry-after", "3").body("slow down");
    let (_server, mut client) = served(reply);
    let answer = client.answer().unwrap();
    assert!(answer.head.starts_with("HTTP/1.1 429 Too Many Requests\r\n"), "{}", answer.head);
    assert!(answer.head.contains("\r\nretry-after: 3\r\n"));
    assert_eq!(answer.text(), "slow down");
}

#[test]
fn each_write_is_one_valid_chunk() {
    let reply = Reply::sse("ab").write("").write("cde");
    let (_server, mut client) = served(reply);
    assert_eq!(client.answer().unwrap().chunks, [b"ab".to_vec(), b"cde".to_vec()]);
}

#[test]
fn a_chunked_body_can_be_sent_byte_by_byte() {
    let (_server, mut client) = served(Reply::sse("a\u{1f30d}").split_every(1));
    let chunks = client.answer().unwrap().chunks;
    assert!(chunks.iter().all(|chunk| chunk.len() == 1));
    assert_eq!(chunks.concat(), "a\u{1f30d}".as_bytes());
}

#[test]
fn borders_separate_the_reads() {
    let reply = Reply::status(200)
        .framing(Framing::UntilClose)
        .body("\u{b098}bc")
        .split_at(&[1, 3])
        .border_pause(Duration::from_millis(40));
    let (_server, mut client) = served(reply);
    let reads = client.reads().unwrap();
    assert_eq!(reads.len(), 4, "{reads:?}");
    assert!(reads[0].ends_with(b"\r\n\r\n"), "the head comes alone");
    assert_eq!(reads[1..], [vec![0xeb], vec![0x82, 0x98], b"bc".to_vec()]);
}

#[test]
fn gzip_decodes_at_each_flush_and_as_a_whole() {
    let reply = Reply::sse("data: one\n\n").write("data: two\n\n").gzip();
    let (_server, mut client) = served(reply);
    let answer = client.answer().unwrap();
    assert!(answer.head.contains("content-encoding: gzip"));
    let mut first = vec![0; 11];
    MultiGzDecoder::new(&answer.chunks[0][..]).read_exact(&mut first).unwrap();
    assert_eq!(first, b"data: one\n\n");
    let mut whole = String::new();
    MultiGzDecoder::new(&answer.body()[..]).read_to_string(&mut whole).unwrap();
    assert_eq!(whole, "data: one\n\ndata: two\n\n");
}

#[test]
fn gzip_can_be_cut_at_any_byte() {
    let (_server, mut client) = served(Reply::sse("data: one\n\n").gzip().split_every(1));
    let answer = client.answer().unwrap();
    assert!(answer.chunks.iter().all(|chunk| chunk.len() == 1));
    let mut whole = String::new();
    MultiGzDecoder::new(&answer.body()[..]).read_to_string(&mut whole).unwrap();
    assert_eq!(whole, "data: one\n\n");
}

#[test]
fn a_reset_is_seen_as_one_after_what_was_sent() {
    let (server, mut client) = served(Reply::sse("data: a\n\n").then_reset().write("never"));
    client.until("data: a\n\n\r\n").unwrap();
    assert_eq!(client.exactly(1).unwrap_err().kind(), ErrorKind::ConnectionReset);
    assert_eq!(server.disconnects(), 0, "the server left, not the client");
}

#[test]
fn a_reset_can_come_before_the_head() {
    let (_server, mut client) = served(Reply::reset());
    assert_eq!(client.exactly(1).unwrap_err().kind(), ErrorKind::ConnectionReset);
}

#[test]
fn a_close_leaves_the_chunked_body_without_its_end() {
    let (_server, mut client) = served(Reply::sse("data: a\n\n").then_close());
    assert_eq!(client.answer().unwrap_err().kind(), ErrorKind::UnexpectedEof);
}

#[test]
fn a_short_body_promises_more_than_it_sends() {
    let reply = Reply::status(200).framing(Framing::ContentLengthShort(7)).body("abc");
    let (_server, mut client) = served(reply);
    let head = client.until("\r\n\r\n").unwrap();
    assert!(head.contains("content-length: 10\r\n"), "{head}");
    assert_eq!(client.reads().unwrap().concat(), b"abc");
}

#[test]
fn a_body_without_length_ends_with_the_connection() {
    let (_server, mut client) = served(Reply::status(200).framing(Framing::UntilClose).body("abc"));
    assert_eq!(client.answer().unwrap().text(), "abc");
}

#[test]
fn raw_bytes_take_the_place_of_http() {
    let (_server, mut client) = served(Reply::raw("HTP/9 hm\n\n"));
    assert_eq!(client.reads().unwrap().concat(), b"HTP/9 hm\n\n");
}

#[test]
fn a_head_can_be_held_back() {
    let silence = Duration::from_millis(80);
    let started = Instant::now();
    let (_server, mut client) = served(Reply::status(200).body("x").head_delay(silence));
    client.answer().unwrap();
    assert!(started.elapsed() >= silence);
}

#[test]
fn a_delay_lies_between_the_writes_around_it() {
    let silence = Duration::from_millis(80);
    let reply = Reply::sse("a").step(Step::Delay(silence)).write("b");
    let (_server, mut client) = served(reply);
    client.until("1\r\na\r\n").unwrap();
    let first = Instant::now();
    client.until("1\r\nb\r\n").unwrap();
    assert!(first.elapsed() >= silence / 2);
}

#[test]
fn answers_that_have_no_body_have_none() {
    let server = ModelServer::start();
    server.script(vec![Reply::status(200).body("abc"), Reply::status(204), Reply::status(200)]);
    let mut client = RawClient::connect(&server);
    client.send("HEAD / HTTP/1.1\r\n\r\n");
    assert!(client.until("\r\n\r\n").unwrap().contains("content-length: 3"));
    client.post("/", "");
    assert!(!client.until("\r\n\r\n").unwrap().contains("content-length"));
    assert_eq!(client.exchange("/", "").text(), "");
}
