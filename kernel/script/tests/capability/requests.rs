//! `api.http`: whole answers.

use std::time::{Duration, Instant};

use fen_contract::cancel::CancelToken;
use fen_script::vm::CallErrorKind;
use fen_testing::{Framing, ModelServer, Reply};
use serde_json::{Value, json};

use crate::kit::{World, world};

fn lua(world: &World, server: &ModelServer, source: &str) -> Value {
    world.ok(&format!("local url = '{}'\n{source}", server.base_url()))
}

#[test]
fn a_request_carries_what_it_is_told_to() {
    let (world, server) = (world(), ModelServer::start());
    server.push(
        Reply::json(&json!({"n": 1, "none": null})).header("X-Two", "a").header("X-Two", "b"),
    );
    let seen = lua(
        &world,
        &server,
        "local r = api.http.request({
           url = url .. '/path?q=1', method = 'put',
           headers = {['X-Key'] = 'k', ['X-Number'] = 5, ['X-Off'] = false},
           json = {list = json.array(), deep = {1, 'x'}},
         })
         return {r.ok, r.status, r.headers['x-two'], r.headers['X-TWO'], r.headers['no'] == nil,
                 r.json().n, r:json().none == json.null, r.body}",
    );
    let body = r#"{"n":1,"none":null}"#;
    assert_eq!(seen, json!([true, 200, "a, b", "a, b", true, 1, true, body]));
    let request = server.last_request();
    assert_eq!(request.method, "PUT");
    assert_eq!((request.path.as_str(), request.query.as_deref()), ("/path", Some("q=1")));
    assert_eq!(request.header("x-key"), Some("k"));
    assert_eq!(request.header("x-number"), Some("5"));
    assert_eq!(request.header("x-off"), None);
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.json(), json!({"list": [], "deep": [1, "x"]}));
}

#[test]
fn get_and_post_are_short_forms_and_any_status_is_an_answer() {
    let (world, server) = (world(), ModelServer::start());
    server.script(vec![
        Reply::status(404).body("no"),
        Reply::status(302).header("location", "/elsewhere"),
        Reply::status(500).body("not JSON"),
    ]);
    let seen = lua(
        &world,
        &server,
        "local a = api.http.get(url, {headers = {Accept = 'x/y'}})
         local b = api.http.get(url)
         local c = api.http.post(url, {body = 'a\\255'})
         local ok, problem = pcall(c.json)
         return {a.ok, a.status, a.body, b.status, b.headers.location, c.ok, c.status, ok, problem.kind}",
    );
    assert_eq!(seen, json!([true, 404, "no", 302, "/elsewhere", true, 500, false, "invalid"]));
    let requests = server.requests();
    assert_eq!(requests.len(), 3, "redirects are not followed");
    assert_eq!((requests[0].method.as_str(), requests[2].method.as_str()), ("GET", "POST"));
    assert_eq!(requests[2].body.as_ref(), b"a\xff");
}

#[test]
fn failures_have_kinds() {
    let (mut world, server) = (world(), ModelServer::start());
    server.script(vec![
        Reply::reset(),
        Reply::status(200).framing(Framing::ContentLengthShort(5)).body("cut"),
        Reply::status(200).body("x".repeat(5_000)),
        Reply::silence(),
        Reply::sse("begun").then_hang(),
        Reply::raw("no HTTP\r\n\r\n"),
    ]);
    let seen = lua(
        &world,
        &server,
        "local seen = {}
         for i, options in ipairs({{}, {}, {max_bytes = 4999}, {timeout_ms = 50},
                                   {idle_timeout_ms = 50}, {}}) do
           local r = api.http.get(url, options)
           seen[i] = tostring(r.ok) .. ' ' .. r.kind .. ' ' .. tostring(r.retryable)
         end
         return seen",
    );
    assert_eq!(
        seen,
        json!([
            "false network true",
            "false network true",
            "false too-large false",
            "false timeout true",
            "false timeout true",
            "false network false",
        ])
    );
    for (url, kind) in [
        ("file:///etc/passwd", "invalid"),
        ("ftp://localhost/x", "invalid"),
        ("nonsense", "invalid"),
        ("http://127.0.0.1:1/", "network"),
    ] {
        assert_eq!(world.ok(&format!("return api.http.get('{url}').kind")), kind, "{url}");
    }
    let bad = "return api.http.get('http://localhost', {headers = {A = 'x\\ny'}})";
    let refused = world.ok(bad);
    assert_eq!(refused["kind"], "invalid");
    assert!(!refused["error"].as_str().unwrap().contains("x\n"));
    world.around.http = None;
    assert_eq!(world.ok("return api.http.get('http://localhost').kind"), "network");
}

#[test]
fn cancelling_closes_the_connection() {
    let (world, server) = (world(), ModelServer::start());
    server.script(vec![Reply::sse("begun").then_hang()]);
    let token = CancelToken::new();
    let source = format!("api.http.get('{}')", server.base_url());
    let wait = world.begin(&source, token.clone());
    server.blocking_wait_for_requests(1);
    let began = Instant::now();
    token.cancel();
    assert_eq!(wait().unwrap_err().kind, CallErrorKind::Cancelled);
    server.blocking_wait_for_disconnect();
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
}
