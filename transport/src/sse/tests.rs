//! The reader's promises, one by one.

use super::*;

type Seen = (String, String, String, bool);

fn events(chunks: &[&[u8]]) -> Vec<Seen> {
    let mut seen = Vec::new();
    let mut reader = SseReader::new(1 << 20);
    let mut keep = |e: SseEvent<'_>| {
        seen.push((e.event.to_owned(), e.data.to_owned(), e.id.to_owned(), e.complete));
    };
    for chunk in chunks {
        reader.push(chunk, &mut keep).unwrap();
    }
    reader.finish(&mut keep).unwrap();
    seen
}

fn data(chunks: &[&[u8]]) -> Vec<String> {
    events(chunks).into_iter().map(|seen| seen.1).collect()
}

#[test]
fn line_ends_of_every_kind_frame_the_same_events() {
    for stream in [
        "data: a\n\ndata: b\n\n",
        "data: a\r\n\r\ndata: b\r\n\r\n",
        "data: a\r\rdata: b\r\r",
        "data: a\r\n\ndata: b\r\n\r",
    ] {
        assert_eq!(data(&[stream.as_bytes()]), ["a", "b"], "{stream:?}");
        let bytes: Vec<&[u8]> = stream.as_bytes().chunks(1).collect();
        assert_eq!(data(&bytes), ["a", "b"], "{stream:?} byte by byte");
    }
}

#[test]
fn a_character_cut_by_a_read_stays_whole() {
    assert_eq!(data(&[b"data: \xE9", b"\x82\xA3\n\n"]), ["那"]);
    assert_eq!(data(&[b"data: \xF0\x9F", b"\x8C\x8D\n\n"]), ["🌍"]);
}

#[test]
fn invalid_bytes_are_replaced_and_do_not_stall() {
    assert_eq!(data(&[b"data: a\xFFb\n\ndata: c\n\n"]), ["a\u{FFFD}b", "c"]);
    assert_eq!(data(&[b"data: \xE9\n\ndata: c\n\n"]), ["\u{FFFD}", "c"]);
}

#[test]
fn comments_and_blocks_without_data_deliver_nothing() {
    assert_eq!(
        data(&[b": PROCESSING\n\n:\n\n\n\nevent: x\n\nid: 7\ndata: {}\n\n: ping\n\n"]),
        ["{}"]
    );
    assert_eq!(data(&[b"data\n\ndata:\n\ndata: \n\n"]), [""; 0]);
}

#[test]
fn data_lines_are_joined_and_only_one_space_is_taken() {
    assert_eq!(data(&[b"data:  a\ndata:b\ndata\ndata: c\n\n"]), [" a\nb\n\nc"]);
    assert_eq!(data(&[b"data: a\nda", b"ta: b\n", b"\n"]), ["a\nb"]);
    assert_eq!(data(&[b"data:\ndata:\n\n"]), ["\n"]);
}

#[test]
fn names_end_with_their_block_and_ids_stay() {
    let seen = events(&[b"event: ping\nid: 1\ndata: a\n\ndata: b\nid: x\0y\n\nid\ndata: c\n\n"]);
    let want = [("ping", "a", "1"), ("message", "b", "1"), ("message", "c", "")];
    let seen: Vec<_> = seen.iter().map(|s| (&*s.0, &*s.1, &*s.2)).collect();
    assert_eq!(seen, want);
}

#[test]
fn a_name_before_a_block_without_data_does_not_leak() {
    assert_eq!(events(&[b"event: x\n\ndata: a\n\n"])[0].0, "message");
}

#[test]
fn retry_is_taken_from_digits_only() {
    let mut reader = SseReader::new(100);
    reader.push(b"retry: 1500\n\nretry: 1s\n\nretry:\n\n", |_| {}).unwrap();
    assert_eq!(reader.retry(), Some(Duration::from_millis(1500)));
}

#[test]
fn a_byte_order_mark_is_dropped_at_the_start_only() {
    assert_eq!(data(&[b"\xEF", b"\xBB", b"\xBFdata: a\n\n"]), ["a"]);
    assert_eq!(data(&[b"data: a\n\n\xEF\xBB\xBFdata: b\n\n"]), ["a"]);
}

#[test]
fn a_last_event_without_its_blank_line_is_delivered_and_marked() {
    for stream in [&b"data: [DONE]"[..], b"data: [DONE]\n", b"data: [DONE]\r"] {
        let want = ("message".into(), "[DONE]".into(), String::new(), false);
        assert_eq!(events(&[stream]), [want]);
    }
    assert!(events(&[b"data: [DONE]\n\n"])[0].3);
}

#[test]
fn an_event_over_the_bound_is_an_error_for_every_cut() {
    for size in [1, 3, 1000] {
        let mut reader = SseReader::new(12);
        let mut seen = Vec::new();
        let stream = b"data: 123456\n\n: a comment\ndata: 1\ndata: 2\n\n";
        let result =
            stream.chunks(size).try_for_each(|c| reader.push(c, |e| seen.push(e.data.to_owned())));
        assert_eq!(result, Err(SseError::EventTooLarge { limit: 12 }));
        assert_eq!(reader.push(b"\n\n", |_| {}), result);
        assert_eq!(seen, ["123456"]);
    }
}

#[test]
fn keep_alive_comments_without_blank_lines_never_fill_the_bound() {
    let mut reader = SseReader::new(32);
    for _ in 0..100 {
        reader.push(b": ping\n", |_| {}).unwrap();
    }
}

#[test]
fn an_event_that_lies_whole_in_the_slice_is_borrowed_from_it() {
    let stream = b"data: borrowed\n\n";
    let mut reader = SseReader::new(100);
    reader.push(stream, |e| assert!(stream.as_ptr_range().contains(&e.data.as_ptr()))).unwrap();
}
