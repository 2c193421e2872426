//! How long layout takes: for a whole text, and for each frame while one grows.

use fen_markdown::{Plain, Stream, layout};
use std::time::{Duration, Instant};

const PART: &str = "\
## A heading

Some **words** of an answer with `code` and a [link](https://example.org/a/b), which go on for
longer than one row, so that they have to be wrapped somewhere, as words of answers do.

- a point with *emphasis*
- another one
  - below it: `let x = 1;`

1. first
2. second

```rust
fn main() {
    println!(\"hello\");
}
```

| Name | Value | What it is for |
|------|------:|----------------|
| one | 1 | the first of them, with words |
| two | 22 | the second |

> A quote of what was said.

";

fn main() {
    let whole = PART.repeat(1_000_000 / PART.len());
    let start = Instant::now();
    let rows = layout(&whole, 100, &Plain).len();
    println!("typical, 1 MB at once: {:.1} ms, {rows} rows", millis(start.elapsed()));

    let fence =
        "```rust\n".to_owned() + &"    let value = compute(argument, 42); // why\n".repeat(10_000);
    let list: String =
        (0..8_000).map(|n| format!("{n}. item of a **long** list of things to say\n")).collect();
    let nested: String =
        "- outer\n".to_owned() + &"  - inner item of a long list with words\n".repeat(10_000);
    let paragraph = "words of *one* paragraph without an end ".repeat(5_000);
    let table =
        "| a | b |\n|---|---|\n".to_owned() + &"| one cell | another `cell` |\n".repeat(10_000);
    for (name, text) in [
        ("typical, 500 KB", &whole[..500_000]),
        ("a fence of 10,000 lines", &fence),
        ("a list of 8,000 items", &list),
        ("an item with 10,000 items", &nested),
        ("a paragraph of 200 KB", &paragraph),
        ("a table of 10,000 rows", &table),
    ] {
        frames(name, text);
    }
    for mark in [
        "[", "*", "> ", "`", "|", "![", "- ", "_a", "<", "~", "[a](", "a|", "\\", "&", "<!--",
        "[^", "[a]: ",
    ] {
        let text = mark.repeat(1_000_000 / mark.len());
        let start = Instant::now();
        let rows = layout(&text, 100, &Plain).len();
        println!("1 MB of {mark:6}: {:8.1} ms, {rows} rows", millis(start.elapsed()));
    }
    for (name, line) in [
        ("> ", "> x\n"),
        ("| a |", "| a |\n"),
        ("-", "-\n"),
        ("<b", "<b\n"),
        ("[x", "[x\n"),
        ("``", "`` a\n"),
        ("**a", "**a b\n"),
    ] {
        let text = line.repeat(1_000_000 / line.len());
        let start = Instant::now();
        let rows = layout(&text, 100, &Plain).len();
        println!("1 MB of lines {name:6}: {:8.1} ms, {rows} rows", millis(start.elapsed()));
    }
}

/// Streams a text with 33 deltas for each frame.
fn frames(name: &str, text: &str) {
    let mut stream = Stream::new();
    let mut times = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        for _ in 0..33 {
            let (delta, after) = rest.split_at(rest.len().min(4));
            stream.push(delta);
            rest = after;
        }
        let start = Instant::now();
        stream.rows(100, &Plain);
        times.push(start.elapsed());
    }
    let sum: Duration = times.iter().sum();
    let last = times.iter().rev().take(100).sum::<Duration>() / 100;
    let most = times.iter().max().copied().unwrap_or_default();
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    println!(
        "{name}: µs a frame: {:.0} on average, {:.0} of the last 100, {:.0} at most",
        micros(sum / times.len().max(1) as u32),
        micros(last),
        micros(most),
    );
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
