//! How much of its answer a tool shows.

/// The most bytes of UTF-8 in one result, the note about a cut included.
pub(crate) const RESULT_BYTES: usize = 16 << 10;

/// Room that is kept for a note about what was cut.
pub(crate) const NOTE_BYTES: usize = 160;

/// The text, or its beginning and a note that says how much there is and what to do.
pub(crate) fn bounded(text: String, limit: usize, advice: &str) -> String {
    if text.len() <= limit {
        return text;
    }
    let end = text.floor_char_boundary(limit.saturating_sub(NOTE_BYTES));
    format!("{}\n[cut: {end} of {} bytes; {advice}]", &text[..end], text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_on_a_whole_character_and_says_so() {
        assert_eq!(bounded("short".to_owned(), 100, "ask less"), "short");
        let cut = bounded("é".repeat(9_000), RESULT_BYTES, "ask less");
        assert!(cut.len() <= RESULT_BYTES);
        assert!(cut.ends_with("of 18000 bytes; ask less]"), "{}", &cut[cut.len() - 80..]);
    }
}
