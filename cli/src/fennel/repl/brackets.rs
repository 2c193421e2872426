//! Follows the brackets of a text while it grows, so that it is parsed only where it may be complete.

/// The brackets that are open, and whether a string is.
#[derive(Debug, Default)]
pub struct Brackets {
    /// The bytes that are to close them.
    open: Vec<u8>,
    is_in_string: bool,
    /// What closed was not what was open: the parser has to say what is wrong.
    is_wrong: bool,
}

impl Brackets {
    /// Goes on with whole lines.
    pub fn follow(&mut self, lines: &[u8]) {
        let mut bytes = lines.iter();
        while let Some(&byte) = bytes.next() {
            match byte {
                // Even a line break, in a string.
                b'\\' if self.is_in_string => drop(bytes.next()),
                b'"' => self.is_in_string = !self.is_in_string,
                _ if self.is_in_string => {}
                b';' => drop(bytes.find(|&&byte| byte == b'\n')),
                b'(' => self.open.push(b')'),
                b'[' => self.open.push(b']'),
                b'{' => self.open.push(b'}'),
                b')' | b']' | b'}' => self.is_wrong |= self.open.pop() != Some(byte),
                _ => {}
            }
        }
    }

    /// Whether the text is certainly not complete.
    pub fn are_open(&self) -> bool {
        !self.is_wrong && (self.is_in_string || !self.open.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_followed_over_lines() {
        for (text, is_open) in [
            ("(a [b {c", true),
            ("(a [b {c}])", false),
            ("(a ; )\n", true),
            ("(a ; )\n)", false),
            ("\"(", true),
            ("\"\\\"", true),
            ("\"(\\\\\" x", false),
            ("(a]", false),
            (")", false),
            ("", false),
        ] {
            let mut brackets = Brackets::default();
            for line in text.split_inclusive('\n') {
                brackets.follow(line.as_bytes());
            }
            assert_eq!(brackets.are_open(), is_open, "{text}");
        }
    }
}
