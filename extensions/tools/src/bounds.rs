//! The bounds of a tool's output: whole lines where that is possible, whole characters always.

/// The most lines that a result shows.
pub const MAX_LINES: usize = 2_000;

/// The most bytes of UTF-8 that a result shows.
pub const MAX_BYTES: usize = 50 << 10;

/// How many lines a text has; a last line needs no line end.
pub fn count_lines(text: &str) -> usize {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    ends + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// The beginning of `text`, no more than `lines` lines and `bytes` bytes: whole lines, or a part
/// of the first line if that alone is too long.
pub fn head(text: &str, lines: usize, bytes: usize) -> &str {
    let by_lines = match lines.checked_sub(1) {
        None => 0,
        Some(last) => {
            memchr::memchr_iter(b'\n', text.as_bytes()).nth(last).map_or(text.len(), |end| end + 1)
        }
    };
    let text = &text[..by_lines];
    let cut = clip(text, bytes);
    if cut.len() == text.len() {
        return text;
    }
    match memchr::memrchr(b'\n', cut.as_bytes()) {
        Some(end) => &cut[..=end],
        None => cut,
    }
}

/// The end of `text`, no more than `lines` lines and `bytes` bytes. It begins with a whole line,
/// unless that would leave less than half of the bytes.
pub fn tail(text: &str, lines: usize, bytes: usize) -> &str {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let by_lines = match lines.checked_sub(1) {
        None => text.len(),
        Some(before) => {
            memchr::memrchr_iter(b'\n', body.as_bytes()).nth(before).map_or(0, |end| end + 1)
        }
    };
    let by_bytes = text.ceil_char_boundary(text.len().saturating_sub(bytes));
    if by_bytes <= by_lines {
        return &text[by_lines..];
    }
    let cut = &text[by_bytes..];
    if text.as_bytes().get(by_bytes.wrapping_sub(1)) == Some(&b'\n') {
        return cut;
    }
    match memchr::memchr(b'\n', cut.as_bytes()) {
        Some(end) if cut.len() - end > bytes / 2 => &cut[end + 1..],
        _ => cut,
    }
}

/// The beginning of `text`, no more than `bytes` bytes, on whole characters.
pub fn clip(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// A size for people, such as `1.5 MiB`.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1_024 {
        return format!("{bytes} bytes");
    }
    let mut value = bytes as f64 / 1_024.0;
    let mut unit = 0;
    while value >= 1_024.0 && unit + 1 < UNITS.len() {
        value /= 1_024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// `1 line`, `2 lines`.
pub fn plural(count: u64, noun: &str) -> String {
    if count == 1 {
        return format!("1 {noun}");
    }
    match noun {
        "match" => format!("{count} matches"),
        "entry" => format!("{count} entries"),
        _ => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn whole_lines_are_kept_where_possible() {
        assert_eq!(head("a\nb\nc\n", 2, 100), "a\nb\n");
        assert_eq!(head("aaa\nbbb\n", 9, 6), "aaa\n");
        assert_eq!(head("aaaaaa\nb", 9, 3), "aaa");
        assert_eq!(tail("a\nb\nc\n", 2, 100), "b\nc\n");
        assert_eq!(tail("a\nb\nc", 2, 100), "b\nc");
        assert_eq!(tail("aaa\nbbb\n", 9, 6), "bbb\n");
        assert_eq!(tail("aaaaaaaaa\nb\n", 9, 8), "aaaaa\nb\n");
        assert_eq!(tail("aaa\nbbb\n", 9, 4), "bbb\n");
        assert_eq!(tail("a\nbbbbbb", 9, 3), "bbb");
        assert_eq!(tail("a\nbbbbbb\n", 9, 3), "bb\n");
        assert_eq!(count_lines("a\nb"), 2);
        assert_eq!(count_lines("a\nb\n"), 2);
        assert_eq!(count_lines(""), 0);
    }

    #[test]
    fn a_character_across_the_limit_is_left_out_whole() {
        let text = format!("{}─", "a".repeat(9));
        assert_eq!(head(&text, 5, 10), "aaaaaaaaa");
        assert_eq!(tail(&format!("─{}", "a".repeat(9)), 5, 10), "aaaaaaaaa");
        assert_eq!(clip(&"á".repeat(40), 59).len(), 58);
    }

    #[test]
    fn sizes_are_said_in_units() {
        assert_eq!(size(12), "12 bytes");
        assert_eq!(size(50 << 10), "50.0 KiB");
        assert_eq!(size(3 << 30), "3.0 GiB");
    }

    proptest! {
        #[test]
        fn no_bound_is_ever_passed(
            text in "[a─\u{1F600}\n]{0,60}", lines in 0_usize..8, bytes in 0_usize..80
        ) {
            let first = head(&text, lines, bytes);
            prop_assert!(text.starts_with(first));
            prop_assert!(first.len() <= bytes && count_lines(first) <= lines);
            let last = tail(&text, lines, bytes);
            prop_assert!(text.ends_with(last));
            prop_assert!(last.len() <= bytes && count_lines(last) <= lines);
            if text.len() <= bytes && count_lines(&text) <= lines {
                prop_assert_eq!(first, &text);
                prop_assert_eq!(last, &text);
            }
        }
    }
}
