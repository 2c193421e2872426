//! Views of a file's bytes in which some sequences are shorter than they are, with the way back to
//! the original places: line ends without their CR, typographic characters as plain ones.

/// Bytes to search in, and where they come from.
pub(crate) struct View {
    pub(crate) bytes: Vec<u8>,
    /// Where the view and the original move apart: from the first place on, the view's position
    /// and the original one grow together until the next entry.
    steps: Vec<(usize, usize)>,
}

impl View {
    /// The bytes with each CRLF as LF.
    pub(crate) fn of_line_feeds(original: &[u8]) -> Self {
        let mut view = View { bytes: Vec::with_capacity(original.len()), steps: Vec::new() };
        let mut from = 0;
        for end in memchr::memmem::find_iter(original, b"\r\n") {
            view.bytes.extend_from_slice(&original[from..end]);
            view.bytes.push(b'\n');
            from = end + 2;
            view.steps.push((view.bytes.len(), from));
        }
        view.bytes.extend_from_slice(&original[from..]);
        view
    }

    /// The bytes with each CRLF as LF, quotes and dashes of print as those of typewriters, and
    /// every kind of blank as a space.
    pub(crate) fn of_plain_characters(original: &[u8]) -> Self {
        let mut view = View { bytes: Vec::with_capacity(original.len()), steps: Vec::new() };
        let mut at = 0;
        for chunk in original.utf8_chunks() {
            let mut chars = chunk.valid().chars().peekable();
            while let Some(c) = chars.next() {
                at += c.len_utf8();
                match plain(c) {
                    Some(byte) => {
                        view.bytes.push(byte);
                        view.steps.push((view.bytes.len(), at));
                    }
                    None if c == '\r' && chars.peek() == Some(&'\n') => {
                        chars.next();
                        at += 1;
                        view.bytes.push(b'\n');
                        view.steps.push((view.bytes.len(), at));
                    }
                    None => {
                        let mut buffer = [0; 4];
                        view.bytes.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
                    }
                }
            }
            view.bytes.extend_from_slice(chunk.invalid());
            at += chunk.invalid().len();
        }
        view
    }

    /// The original position of a position in the view.
    pub(crate) fn original(&self, position: usize) -> usize {
        match self.steps.partition_point(|(at, _)| *at <= position) {
            0 => position,
            after => {
                let (at, original) = self.steps[after - 1];
                original + (position - at)
            }
        }
    }
}

/// The plain character that stands for a typographic one.
pub(crate) fn plain(c: char) -> Option<u8> {
    match c {
        '\u{2018}'..='\u{201B}' => Some(b'\''),
        '\u{201C}'..='\u{201F}' => Some(b'"'),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => Some(b'-'),
        '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => Some(b' '),
        _ => None,
    }
}

/// A line with plain characters and single spaces, without blanks at its ends.
pub(crate) fn squeezed(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let mut squeezed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !squeezed.is_empty() {
            squeezed.push(' ');
        }
        squeezed.extend(word.chars().map(|c| plain(c).map_or(c, char::from)));
    }
    squeezed
}

/// All places of `needle`, also those that overlap; at most `most`.
pub(crate) fn places(hay: &[u8], needle: &[u8], most: usize) -> Vec<usize> {
    let finder = memchr::memmem::Finder::new(needle);
    let mut places = Vec::new();
    let mut from = 0;
    while places.len() < most
        && let Some(found) = hay.get(from..).and_then(|rest| finder.find(rest))
    {
        places.push(from + found);
        from += found + 1;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn overlapping_places_are_all_found() {
        assert_eq!(places(b"aaa", b"aa", 9), [0, 1]);
        assert_eq!(places(b"foo\nfoo\nfoo\n", b"foo\nfoo\n", 9), [0, 4]);
        assert_eq!(places(b"aaaa", b"a", 2), [0, 1]);
    }

    #[test]
    fn lines_are_squeezed() {
        assert_eq!(squeezed("\t“a”  —\u{a0}b \r".as_bytes()), "\"a\" - b");
    }

    proptest! {
        #[test]
        fn a_view_leads_back_to_where_its_bytes_come_from(
            text in "[ab“—\u{a0}\r\n]{0,40}", bad in 0_usize..40
        ) {
            let mut bytes = text.into_bytes();
            bytes.insert(bad.min(bytes.len()), 0xff);
            for view in [View::of_line_feeds(&bytes), View::of_plain_characters(&bytes)] {
                prop_assert_eq!(view.original(0), 0);
                prop_assert_eq!(view.original(view.bytes.len()), bytes.len());
                for (position, byte) in view.bytes.iter().enumerate() {
                    if matches!(byte, b'a' | b'b') {
                        prop_assert_eq!(bytes[view.original(position)], *byte);
                        prop_assert_eq!(view.original(position + 1), view.original(position) + 1);
                    }
                    prop_assert!(view.original(position) < view.original(position + 1));
                }
            }
        }
    }
}
