//! What a program cannot do without: one streaming request with plain reqwest, its answer printed.
//! The floor that a print turn is compared with. `bare_client URL` posts to `URL/chat/completions`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a measurement that fails may say so and stop"
)]

use std::io::Write as _;

const BODY: &str = r#"{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}"#;

fn main() {
    // The same choice of cryptography as fen's; a client cannot be made without one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let url = std::env::args().nth(1).expect("the server's address");
    runtime.block_on(async {
        let client = reqwest::Client::new();
        let mut response = client
            .post(format!("{url}/chat/completions"))
            .header("content-type", "application/json")
            .body(BODY)
            .send()
            .await
            .unwrap();
        let mut stdout = std::io::stdout().lock();
        while let Some(chunk) = response.chunk().await.unwrap() {
            stdout.write_all(&chunk).unwrap();
        }
    });
}
