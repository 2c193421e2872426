//! Proxies from the environment.

use crate::support::Place;
use fen_testing::{ModelServer, chat};

const NAMES: [&str; 4] = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

#[test]
fn a_server_on_this_machine_is_reached_directly() {
    let place = Place::new();
    let (server, proxy) = (ModelServer::start(), ModelServer::start());
    server.fallback(chat().text("direct").reply());
    for name in NAMES {
        let fen = place.chatting(&server, ["-p", "x"]).env(name, &proxy.base_url());
        assert_eq!(fen.run().expect(0).stdout, "direct\n");
    }
    assert!(proxy.requests().is_empty());
}

#[test]
fn another_server_is_reached_through_the_proxy() {
    let place = Place::new();
    let proxy = ModelServer::start();
    proxy.fallback(chat().text("by proxy").reply());
    let arguments = ["--provider", "vllm", "--base-url", "http://model.invalid/v1", "--model", "m"];
    for name in NAMES {
        let fen = place.fen(arguments).arguments(["-p", "x"]).env(name, &proxy.base_url());
        assert_eq!(fen.run().expect(0).stdout, "by proxy\n");
    }
    let requests = proxy.requests();
    assert_eq!(requests.len(), NAMES.len());
    for request in requests {
        assert_eq!(request.path, "http://model.invalid/v1/chat/completions");
    }
}

#[test]
fn hosts_can_be_left_out() {
    let place = Place::new();
    let proxy = ModelServer::start();
    let arguments = ["--provider", "vllm", "--base-url", "http://model.invalid/v1", "--model", "m"];
    for value in ["model.invalid", ".invalid", "*", "other, invalid"] {
        // A name that does not exist, so the direct way fails; a passing failure is told first.
        let fen = place.fen(arguments).arguments(["-p", "x"]);
        let fen = fen.env("HTTP_PROXY", &proxy.base_url()).env("NO_PROXY", value);
        let mut running = fen.start();
        running.wait_stderr("a failure", |text| text.contains("model.invalid"));
        drop(running);
    }
    assert!(proxy.requests().is_empty());
}
