//! Throughput of the SSE reader on a stream shaped like a recorded chat-completions answer.

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fen_transport::sse::SseReader;

/// About 4 MB: one event for each token, 230 to 250 bytes, LF, one token in eight not ASCII.
fn recording() -> String {
    let words = [" the", " stream", " of", " données", " is", " read", ",", " \\\"quoted\\\""];
    let mut stream = String::new();
    for n in 0..17_000 {
        let word = words[n % words.len()];
        // Writing to a String cannot fail.
        let _ = write!(
            stream,
            "data: {{\"id\":\"chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT\",\"object\":\
             \"chat.completion.chunk\",\"created\":1741569952,\"model\":\"gpt-4.1-2025-04-14\",\
             \"system_fingerprint\":\"fp_44709d6fcb\",\"choices\":[{{\"index\":0,\"delta\":\
             {{\"content\":\"{word}\"}},\"finish_reason\":null}}]}}\n\n"
        );
    }
    stream.push_str("data: [DONE]\n\n");
    stream
}

fn read(stream: &[u8], chunk: usize) -> usize {
    let mut reader = SseReader::new(1 << 20);
    let mut bytes = 0;
    for chunk in stream.chunks(chunk) {
        let read = reader.push(chunk, |event| bytes += black_box(event.data).len());
        assert_eq!(read, Ok(()), "the recording is a valid stream");
    }
    bytes
}

fn sse(criterion: &mut Criterion) {
    let stream = recording();
    let stream = stream.as_bytes();
    let mut group = criterion.benchmark_group("sse");
    group.throughput(Throughput::Bytes(stream.len() as u64));
    for (name, chunk) in [("whole", stream.len()), ("16 KiB", 16 << 10), ("1 byte", 1)] {
        group.bench_function(name, |bencher| bencher.iter(|| read(black_box(stream), chunk)));
    }
    group.finish();
}

criterion_group!(benches, sse);
criterion_main!(benches);
