//! Which names an extension may have.

/// The longest name, in characters.
pub const MAX_LENGTH: usize = 64;

/// Names that belong to fen itself.
const RESERVED: [&str; 2] = ["fen", "kernel"];

/// A name that no extension may have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// It is not spelled like a name.
    #[error(
        "`{0}` cannot be an extension's name; one has 1 to {MAX_LENGTH} letters, digits, `_`, `.` \
         and `-` and begins with a letter or digit"
    )]
    Spelling(String),
    /// It is fen's own.
    #[error("the name `{0}` belongs to fen itself; choose another")]
    Reserved(String),
}

/// Whether the text is spelled like a name.
pub(super) fn is_name(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    text.len() <= MAX_LENGTH
        && text.bytes().all(plain)
        && text.bytes().next().is_some_and(|first| first.is_ascii_alphanumeric())
}

/// Judges an extension's name.
///
/// # Errors
/// A name that is not spelled like one, or is fen's own.
pub fn check(name: &str) -> Result<(), NameError> {
    if !is_name(name) {
        // A foreign name may be of any length; its beginning tells enough.
        return Err(NameError::Spelling(name.chars().take(MAX_LENGTH).collect()));
    }
    if RESERVED.iter().any(|reserved| name.eq_ignore_ascii_case(reserved)) {
        return Err(NameError::Reserved(name.to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_words_that_are_not_fens() {
        let longest = "a".repeat(MAX_LENGTH);
        for good in ["a", "0x", "word-count", "My.Ext_2", longest.as_str()] {
            assert_eq!(check(good), Ok(()));
        }
        let too_long = "a".repeat(MAX_LENGTH + 1);
        for bad in ["", ".a", "-a", "_a", "a b", "a/b", "ä", "a\n", too_long.as_str()] {
            assert!(matches!(check(bad), Err(NameError::Spelling(_))), "{bad}");
        }
        assert!(matches!(check("kernel"), Err(NameError::Reserved(_))));
        assert!(matches!(check("Fen"), Err(NameError::Reserved(_))));
    }
}
