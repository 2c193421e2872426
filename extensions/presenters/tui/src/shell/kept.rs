//! What is kept of a command's output: its beginning and its end. It is pure.

/// How much of the beginning and of the end is kept, in bytes.
const KEPT: usize = 32 * 1024;

/// The output so far, in bounded memory.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// The beginning of a character whose rest has not come yet.
    unfinished: Vec<u8>,
    head: String,
    /// What came after the head, its beginning dropped now and then.
    tail: String,
    dropped: u64,
}

impl Kept {
    /// Takes the next bytes, and gives them as text. Bad UTF-8 and NUL become U+FFFD, since neither
    /// can be sent to a model.
    pub(super) fn push(&mut self, bytes: &[u8]) -> String {
        let mut joined = std::mem::take(&mut self.unfinished);
        joined.extend_from_slice(bytes);
        let mut text = String::with_capacity(joined.len());
        let mut chunks = joined.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            text.push_str(chunk.valid());
            let bad = chunk.invalid();
            if chunks.peek().is_none() && is_beginning(bad) {
                self.unfinished = bad.to_vec();
            } else if !bad.is_empty() {
                text.push('\u{fffd}');
            }
        }
        if text.contains('\0') {
            text = text.replace('\0', "\u{fffd}");
        }
        self.keep(&text);
        text
    }

    fn keep(&mut self, text: &str) {
        let mut rest = text;
        if self.tail.is_empty() {
            let room = KEPT.saturating_sub(self.head.len());
            let (head, after) = rest.split_at(rest.floor_char_boundary(room));
            self.head.push_str(head);
            rest = after;
        }
        self.tail.push_str(rest);
        if self.tail.len() > 4 * KEPT {
            self.shorten();
        }
    }

    fn shorten(&mut self) {
        let end = self.tail.ceil_char_boundary(self.tail.len().saturating_sub(KEPT));
        self.tail.drain(..end);
        self.dropped += end as u64;
    }

    /// A character that never ended, as text.
    pub(super) fn finish(&mut self) -> &'static str {
        if std::mem::take(&mut self.unfinished).is_empty() {
            return "";
        }
        self.keep("\u{fffd}");
        "\u{fffd}"
    }

    /// The text, with a remark where something is missing, and how many bytes are.
    pub(super) fn into_text(mut self) -> (String, u64) {
        if self.dropped > 0 || self.tail.len() > KEPT {
            self.shorten();
        }
        let mut text = self.head;
        if self.dropped > 0 {
            let before = if text.ends_with('\n') { "" } else { "\n" };
            let left_out = crate::clock::bytes(self.dropped);
            text.push_str(&format!("{before}[{left_out} left out here]\n"));
        }
        text.push_str(&self.tail);
        (text, self.dropped)
    }
}

/// Whether bytes that are no character yet can become one.
fn is_beginning(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kept(pieces: &[&[u8]]) -> (String, u64) {
        let mut kept = Kept::default();
        for piece in pieces {
            kept.push(piece);
        }
        kept.finish();
        kept.into_text()
    }

    #[test]
    fn short_output_is_kept_whole() {
        assert_eq!(kept(&[b"one\n", b"two"]), ("one\ntwo".to_owned(), 0));
        let whole = "x".repeat(2 * KEPT);
        assert_eq!(kept(&[whole.as_bytes()]), (whole, 0));
    }

    #[test]
    fn of_long_output_the_middle_is_counted() {
        let long = "a".repeat(KEPT) + &"b".repeat(1_000) + &"c".repeat(KEPT);
        let (text, left_out) = kept(&[long.as_bytes()]);
        assert_eq!(left_out, 1_000);
        let expected = "a".repeat(KEPT) + "\n[1.0 kB left out here]\n" + &"c".repeat(KEPT);
        assert!(text == expected);
    }

    #[test]
    fn what_is_no_text_is_replaced() {
        assert_eq!(kept(&[b"a\xffb\0c\xe2\x82"]).0, "a\u{fffd}b\u{fffd}c\u{fffd}");
        assert_eq!(kept(&[b"\xe2\x82", b"\xac"]).0, "€");
    }

    proptest! {
        #[test]
        fn pieces_give_the_text_of_the_whole(bytes: Vec<u8>, cuts in proptest::collection::vec(0usize..64, 0..4)) {
            let mut kept = Kept::default();
            let (mut text, mut rest) = (String::new(), &bytes[..]);
            for cut in cuts {
                let (piece, after) = rest.split_at(cut.min(rest.len()));
                text += &kept.push(piece);
                rest = after;
            }
            text += &kept.push(rest);
            text += kept.finish();
            prop_assert_eq!(&text, &String::from_utf8_lossy(&bytes).replace('\0', "\u{fffd}"));
            prop_assert_eq!(kept.into_text(), (text, 0));
        }

        #[test]
        fn memory_is_bounded_and_all_is_counted(sizes in proptest::collection::vec(0usize..100_000, 0..12)) {
            let mut kept = Kept::default();
            let mut total = 0;
            for size in sizes {
                let piece = "é".repeat(size / 2);
                total += piece.len() as u64;
                kept.push(piece.as_bytes());
                prop_assert!(kept.head.len() + kept.tail.len() <= 5 * KEPT);
            }
            let (text, left_out) = kept.into_text();
            let remark = text.lines().filter(|line| line.ends_with("left out here]")).map(|line| line.len() + 2);
            prop_assert_eq!(text.len() as u64 + left_out - remark.sum::<usize>() as u64, total);
        }
    }
}
