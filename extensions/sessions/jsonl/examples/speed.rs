//! Measures the store: `cargo run --release -p fen-session-jsonl --example speed [MEGABYTES]`.
//!
//! It writes a session of that size in a temporary folder, then appends to, loads, opens and lists
//! it, and prints the best of several times.

#![allow(clippy::unwrap_used, reason = "a measurement that fails may say so and stop")]

use fen_contract::session::{FindOptions, OpenOptions, SessionBackend as _};
use fen_contract::types::{
    AgentToolResult, AssistantBlock, AssistantMessage, Message, StopReason, TextContent, ToolCall,
    ToolResultMessage, UserMessage,
};
use fen_session_jsonl::{Config, JsonlBackend};
use serde_json::json;
use std::time::{Duration, Instant};

fn main() {
    let megabytes = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(25);
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(measure(megabytes));
}

async fn measure(megabytes: u64) {
    let folder = tempfile::tempdir().unwrap();
    let backend = JsonlBackend::new(Config::new(folder.path().join("sessions")));
    let options = OpenOptions { cwd: folder.path().to_owned(), ..OpenOptions::default() };
    let session = backend.open(options.clone()).await.unwrap();
    let path = session.info.path.clone();
    let turn = turn();
    let begun = Instant::now();
    let mut count = 0u32;
    loop {
        for message in &turn {
            backend.append(&session, message).await.unwrap();
            count += 1;
        }
        if std::fs::metadata(&path).unwrap().len() >= megabytes << 20 {
            break;
        }
    }
    println!("append   {:>10.1?} each, {count} messages", begun.elapsed() / count);
    backend.close(&session).await.unwrap();

    let mut best = [Duration::MAX; 3];
    for _ in 0..7 {
        let begun = Instant::now();
        let loaded = backend.load(&path).await.unwrap();
        best[0] = best[0].min(begun.elapsed());
        assert_eq!(loaded.messages.len(), count as usize);
        let begun = Instant::now();
        let session = backend.open_existing(&path, options.clone()).await.unwrap();
        best[1] = best[1].min(begun.elapsed());
        backend.close(&session).await.unwrap();
        let begun = Instant::now();
        let found = backend.list(FindOptions::default()).await.unwrap();
        best[2] = best[2].min(begun.elapsed());
        assert_eq!(found.len(), 1);
    }
    println!("load     {:>10.1?} for {megabytes} MB", best[0]);
    println!("open     {:>10.1?}", best[1]);
    println!("list     {:>10.1?}", best[2]);
}

/// A turn as coding sessions have it: a question, a call, its output with code in it, an answer.
fn turn() -> [Message; 4] {
    let code = "    let value = \"quoted\\n\";\n\tif a < b && c > d { return Err(x) } // ü\n";
    let call = ToolCall::new("call_0123456789", "bash", json!({"command": "cat a.rs", "n": 3}));
    let result = ToolResultMessage::new(&call, AgentToolResult::text(code.repeat(40)));
    let called = vec![
        AssistantBlock::Text(TextContent::new("Let me look at the file first.")),
        AssistantBlock::ToolCall(call.into()),
    ];
    let words = AssistantBlock::Text(TextContent::new("The value is wrong. ".repeat(40)));
    [
        UserMessage::new("Please find out why the value is wrong and mend it.").into(),
        AssistantMessage::new(called, StopReason::ToolUse).into(),
        result.into(),
        AssistantMessage::new(vec![words], StopReason::Stop).into(),
    ]
}
