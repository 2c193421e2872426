//! `api.http.stream`: bodies piece by piece, and that a broken end is never taken for a proper one.

use std::time::Duration;

use fen_contract::cancel::CancelToken;
use fen_testing::{Framing, ModelServer, Reply, StreamScript, sse};
use serde_json::{Value, json};

use crate::kit::{World, world};

fn lua(world: &World, server: &ModelServer, source: &str) -> Value {
    world.ok(&format!("local url = '{}'\n{source}", server.base_url()))
}

const EVENTS: &str = "local r = api.http.stream({url = url, json = {stream = true}})
    local seen = {r.status, r.headers['content-type']}
    local ok, problem = pcall(function()
      for event in r.response.events() do
        seen[#seen + 1] = event.event .. ':' .. event.data .. ':' .. event.id .. ':' .. tostring(event.complete)
      end
    end)
    seen[#seen + 1] = ok
    seen[#seen + 1] = problem and problem.kind
    local failure = r.response.error()
    seen[#seen + 1] = failure and failure.error == problem.message
    return seen";

#[test]
fn events_come_one_by_one_to_the_proper_end() {
    let (world, server) = (world(), ModelServer::start());
    let stream = sse()
        .raw("id: 7\nevent: start\ndata: {\"a\":1}\n\n")
        .comment("ping")
        .data("two\nlines")
        .delay(Duration::from_millis(20))
        .data("[DONE]");
    server.push(stream.reply().split_every(3));
    let seen = lua(&world, &server, EVENTS);
    assert_eq!(
        seen,
        json!([
            200,
            "text/event-stream; charset=utf-8",
            "start:{\"a\":1}:7:true",
            "message:two\nlines:7:true",
            "message:[DONE]:7:true",
            true,
        ])
    );
    assert_eq!(server.last_request().method, "POST");
}

#[test]
fn a_truncated_stream_raises_after_its_events() {
    let (world, server) = (world(), ModelServer::start());
    server.push(sse().data("one").data("two").close().reply());
    server.push(sse().data("one").data("two").delay(Duration::from_millis(30)).reset().reply());
    for _ in 0..2 {
        let seen = lua(&world, &server, EVENTS);
        let end = json!(["message:one::true", "message:two::true", false, "network", true]);
        assert_eq!(&seen.as_array().unwrap()[2..], end.as_array().unwrap());
    }
    // Without a handler it ends the call, with words for a person and a kind for the program.
    server.push(sse().data("one").close().reply());
    let error = world
        .run(&format!(
            "for _ in api.http.stream({{url = '{}'}}).response.events() do end",
            server.base_url()
        ))
        .unwrap_err();
    assert!(error.message.contains("closed the connection before the end"), "{error}");
    assert_eq!(error.value.as_ref().unwrap()["kind"], "network");
    assert_eq!(error.value.as_ref().unwrap()["retryable"], true);
}

#[test]
fn an_event_without_its_end_is_marked() {
    let (world, server) = (world(), ModelServer::start());
    server.push(sse().data("one").raw("data: tw").reply());
    let seen = lua(&world, &server, EVENTS);
    assert_eq!(seen[2], "message:one::true");
    assert_eq!(seen[3], "message:tw::false");
}

#[test]
fn an_event_that_is_too_large_and_a_silent_server_raise() {
    let (world, server) = (world(), ModelServer::start());
    server.push(sse().data("one").data("x".repeat(500)).reply());
    server.push(sse().data("one").hang().reply());
    let seen = lua(
        &world,
        &server,
        "local kinds = {}
         for i, options in ipairs({{max_bytes = 400}, {idle_timeout_ms = 50}}) do
           options.url = url
           local events = api.http.stream(options).response.events()
           kinds[i] = {events().data, select(2, pcall(events)).kind, select(2, pcall(events)).kind}
         end
         return kinds",
    );
    assert_eq!(seen, json!([["one", "too-large", "too-large"], ["one", "timeout", "timeout"]]));
}

#[test]
fn lines_and_pieces_come_whole() {
    let (world, server) = (world(), ModelServer::start());
    server.push(Reply::status(200).body("one\r\n\ntwo\nrest").split_every(2));
    server.push(Reply::status(200).body("some bytes \u{0}").split_every(4));
    server.push(Reply::status(200).framing(Framing::ContentLengthShort(9)).body("one\ntw"));
    let seen = lua(
        &world,
        &server,
        "local lines = {}
         for line in api.http.stream({url = url}).response.lines() do lines[#lines + 1] = line end
         local body, response = '', api.http.stream({url = url}).response
         while true do
           local piece = response:read()
           if not piece then break end
           body = body .. piece
         end
         local cut = {}
         local ok, problem = pcall(function()
           for line in api.http.stream({url = url}).response:lines() do cut[#cut + 1] = line end
         end)
         return {lines, body, cut, ok, problem.kind}",
    );
    assert_eq!(
        seen,
        json!([["one", "", "two", "rest"], "some bytes \u{0}", ["one"], false, "network"])
    );
}

#[test]
fn a_body_is_read_in_one_way() {
    let (world, server) = (world(), ModelServer::start());
    server.push(sse().data("one").data("two").reply());
    server.push(Reply::status(200).body("a\nb\nc"));
    let seen = lua(
        &world,
        &server,
        "local r = api.http.stream({url = url}).response
         local first = r.events()().data
         local _, mixed = pcall(r.read)
         local second = r.events()().data
         local s = api.http.stream({url = url}).response
         local line = s.lines()()
         local _, other = pcall(s.events())
         return {first, mixed.kind, second, line, other.kind}",
    );
    assert_eq!(seen, json!(["one", "invalid", "two", "a", "invalid"]));
}

#[test]
fn a_status_that_is_an_error_still_has_a_body() {
    let (world, server) = (world(), ModelServer::start());
    server.push(Reply::status(429).header("retry-after", "3").body("slow down"));
    let seen = lua(
        &world,
        &server,
        "local r = api.http.stream({url = url})
         return {r.ok, r.status, r.headers['retry-after'], r.response.read(), r.response.read() == nil}",
    );
    assert_eq!(seen, json!([true, 429, "3", "slow down", true]));
    assert_eq!(world.ok("return api.http.stream({url = 'http://127.0.0.1:1/'}).kind"), "network");
}

#[test]
fn closing_dropping_and_cancelling_close_the_connection() {
    let (world, server) = (world(), ModelServer::start());
    let endless = || sse().data("one").hang().reply();
    server.script(vec![endless(), endless(), endless()]);
    let seen = lua(
        &world,
        &server,
        "local r = api.http.stream({url = url}).response
         local events = r.events()
         local first = events().data
         r.close()
         return {first, events() == nil, r.read() == nil, r.error() == nil}",
    );
    assert_eq!(seen, json!(["one", true, true, true]));
    server.blocking_wait_for_disconnects(1);
    lua(&world, &server, "kept = api.http.stream({url = url}).response kept.read()");
    server.blocking_wait_for_disconnects(2);
    let token = CancelToken::new();
    let source = format!(
        "local r = api.http.stream({{url = '{}'}}).response
         pcall(function() for _ in r.events() do end end)
         return r.error().kind",
        server.base_url()
    );
    let wait = world.begin(&source, token.clone());
    server.blocking_wait_for_requests(3);
    std::thread::sleep(Duration::from_millis(50));
    token.cancel();
    assert_eq!(wait().unwrap(), "cancelled");
    server.blocking_wait_for_disconnects(3);
}
