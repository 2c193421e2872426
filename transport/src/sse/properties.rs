//! Properties of the reader: the cut does not matter, and a naive reader of whole streams agrees.

use proptest::prelude::*;

use super::{SseEvent, SseReader};

type Seen = (String, String, String, Option<u128>, bool);

fn seen(event: SseEvent<'_>) -> Seen {
    let retry = event.retry.map(|time| time.as_millis());
    (event.event.into(), event.data.into(), event.id.into(), retry, event.complete)
}

fn read(stream: &[u8], cuts: &[usize]) -> Vec<Seen> {
    let mut events = Vec::new();
    let mut reader = SseReader::new(usize::MAX / 2);
    let mut rest = stream;
    for cut in cuts {
        let (chunk, after) = rest.split_at((*cut).min(rest.len()));
        reader.push(chunk, |event| events.push(seen(event))).unwrap();
        rest = after;
    }
    reader.push(rest, |event| events.push(seen(event))).unwrap();
    reader.finish(|event| events.push(seen(event))).unwrap();
    events
}

/// The standard read to the letter, over a whole stream at once, with the module's departures.
fn naive(stream: &[u8]) -> Vec<Seen> {
    let text = String::from_utf8_lossy(stream).into_owned();
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text).replace("\r\n", "\n");
    let text = text.replace('\r', "\n");
    let mut lines: Vec<&str> = text.split('\n').collect();
    // What `split` gives after the last line end is a line only if it is not empty.
    let ended = lines.pop().filter(|last| !last.is_empty());
    lines.extend(ended);
    let mut events = Vec::new();
    let (mut event, mut data, mut id) = (String::new(), Vec::new(), String::new());
    let mut retry = None;
    let mut deliver = |event: &mut String, data: &mut Vec<&str>, id: &str, retry, complete| {
        let name = if event.is_empty() { "message" } else { event.as_str() };
        let joined = data.join("\n");
        if !joined.is_empty() {
            events.push((name.to_owned(), joined, id.to_owned(), retry, complete));
        }
        event.clear();
        data.clear();
    };
    for line in lines {
        if line.is_empty() {
            deliver(&mut event, &mut data, &id, retry, true);
            continue;
        }
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "data" => data.push(value),
            "event" => event = value.to_owned(),
            "id" if !value.contains('\0') => id = value.to_owned(),
            "retry" if value.bytes().all(|b| b.is_ascii_digit()) => {
                retry = value.parse::<u64>().ok().map(u128::from).or(retry);
            }
            _ => {}
        }
    }
    deliver(&mut event, &mut data, &id, retry, false);
    events
}

fn piece() -> impl Strategy<Value = Vec<u8>> {
    let fixed = |bytes: &'static [u8]| Just(bytes.to_vec());
    prop_oneof![
        4 => fixed(b"\n"),
        3 => fixed(b"\r"),
        3 => fixed(b"\r\n"),
        2 => fixed(b"\n\n"),
        4 => fixed(b"data: "),
        2 => fixed(b"data:"),
        1 => fixed(b"data"),
        1 => fixed(b"event: "),
        1 => fixed(b"id: "),
        1 => fixed(b"retry: 12"),
        1 => fixed(b": ping"),
        1 => fixed(b"\xEF\xBB\xBF"),
        1 => fixed(b"\0"),
        1 => fixed(b"\xF0\x9F"),
        1 => fixed(b"\xFF"),
        3 => "[a-c: \u{e9}\u{90a3}\u{1f30d}]{0,9}".prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 0..6),
    ]
}

fn stream() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_whole_stream_reads_as_the_naive_reader_says(stream in stream()) {
        prop_assert_eq!(read(&stream, &[]), naive(&stream));
    }

    #[test]
    fn byte_by_byte_equals_whole(stream in stream()) {
        prop_assert_eq!(read(&stream, &vec![1; stream.len()]), read(&stream, &[]));
    }

    #[test]
    fn any_cut_equals_whole(stream in stream(), cuts in prop::collection::vec(0_usize..12, 0..40)) {
        prop_assert_eq!(read(&stream, &cuts), read(&stream, &[]));
    }
}
