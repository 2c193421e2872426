//! A model server for measurements: prints its address and answers until it is ended. A prompt
//! that contains `tool` is answered with one bash call, and its result with text.

use fen_testing::{ModelServer, chat};
use serde_json::json;

fn main() {
    let server = ModelServer::start();
    server.respond_with(|request| {
        let body = request.json();
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        let last = messages.last().cloned().unwrap_or_default();
        if last["role"] == "user" && last["content"].to_string().contains("tool") {
            return chat().tool_call("call_1", "bash", json!({"command": "true"})).reply();
        }
        chat().text("Hello ").text("from the ").text("server.").reply()
    });
    println!("{}/v1", server.base_url());
    loop {
        std::thread::park();
    }
}
