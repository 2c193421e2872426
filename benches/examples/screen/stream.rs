//! Keys typed while an answer streams in, far down in a long conversation.

use crate::place::{LAST_WORDS, Length, Place};
use crate::pty::{Rows, Screen};
use crate::table::{Row, Times};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const MESSAGES: usize = 10_000;
const KEYS: usize = 600;
const WARM_UP: usize = 40;
/// Characters in a delta.
const CHUNK: usize = 8;

/// How the text comes in: deltas between two pauses of the mock, and deltas in one answer.
struct Flow {
    what: &'static str,
    burst: usize,
    answer: usize,
}

pub fn keys(place: &Place) -> Vec<Row> {
    let stored = place.store(&Length::Messages(MESSAGES));
    let length = format!("{} messages of {:.2} KB", stored.messages, {
        stored.bytes as f64 / 1e3 / stored.messages as f64
    });
    let flows = [
        Flow { what: "answers of 16 KB", burst: 4, answer: 2_000 },
        Flow { what: "one answer without end", burst: 4, answer: 60_000 },
    ];
    let mut rows = Vec::new();
    for flow in flows {
        let home = place.home_with(&stored);
        let script = home.path().join("script.json");
        std::fs::write(&script, script_of(&flow).to_string()).unwrap();
        let script = script.to_str().unwrap();
        let mut screen = place.start(&home, &["--resume", &stored.id, "--mock-script", script]);
        screen.until("the resumed session", |rows| rows.has(LAST_WORDS));
        screen.watch(Duration::from_millis(500));
        let still = typed(&mut screen, 200);
        screen.type_keys("go on\r");
        screen.until("the stream", |rows| newest(rows).is_some());
        let begun = (Instant::now(), newest(&screen.rows()).unwrap_or(0));
        let streaming = typed(&mut screen, KEYS);
        let deltas = newest(&screen.rows()).unwrap_or(0).saturating_sub(begun.1);
        let rate = deltas as f64 / begun.0.elapsed().as_secs_f64();
        let what = format!("{}, {rate:.0} deltas a second, {length}", flow.what);
        rows.push(Row::new(format!("key to frame, {length}, nothing else"), still.words(), ""));
        rows.push(Row::new(format!("key to frame, {what}"), streaming.words(), "p99 ≤ 4 ms"));
    }
    rows
}

/// Types letters and takes them back, at moments that have nothing to do with frames.
fn typed(screen: &mut Screen, keys: usize) -> Times {
    let mut times = Vec::new();
    for number in 0..(WARM_UP + keys) / 2 {
        let letter = char::from(b'A' + u8::try_from(number % 26).unwrap_or(0)).to_string();
        screen.watch(Duration::from_micros(fastrand::u64(4_000..24_000)));
        let at = screen.type_keys(&letter);
        let shown = screen.until("a letter", |rows| rows.has_input(&letter)) - at;
        screen.watch(Duration::from_micros(fastrand::u64(4_000..24_000)));
        let at = screen.type_keys("\x7f");
        let gone = screen.until("a letter gone", |rows| !rows.has_input(&letter)) - at;
        if number >= WARM_UP / 2 {
            times.extend([shown, gone]);
        }
    }
    Times::new(times)
}

/// What the mock says: answers of this many numbered deltas, one after the other by way of a tool call.
fn script_of(flow: &Flow) -> Value {
    let mut turns = Vec::new();
    let mut from = 0;
    while from < 60_000 {
        turns.push(json!({
            "text": text(from, flow.answer),
            "tool-calls": [{"name": "ls"}],
            "chunk": CHUNK,
            "burst": flow.burst,
            "delta-delay-ms": 1,
            "usage": {"input": 1000, "output": 1000, "total-tokens": 2000},
        }));
        from += flow.answer;
    }
    Value::Array(turns)
}

/// Paragraphs and code out of numbered words, each as long as a delta.
fn text(from: usize, deltas: usize) -> String {
    let mut text = String::new();
    for number in from..from + deltas {
        text.push_str(&match number % 160 {
            0 => "so it is".to_owned(),
            60 | 120 => "as is.\n\n".to_owned(),
            121 => "```rust\n".to_owned(),
            122..158 if number % 4 == 3 => format!("w{number:06}\n"),
            158 => "\n```   \n".to_owned(),
            159 => "\nHence: ".to_owned(),
            _ => format!("w{number:06} "),
        });
    }
    text
}

/// The number of the newest word in sight.
fn newest(rows: &Rows) -> Option<usize> {
    let number = |word: &str| word.strip_prefix('w').filter(|rest| rest.len() == 6)?.parse().ok();
    rows.0.iter().flat_map(|row| row.split_whitespace()).filter_map(number).max()
}
