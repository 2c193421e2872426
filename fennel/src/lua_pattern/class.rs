//! Character classes of Lua patterns, in the C locale.

/// Whether the byte is in the class that this letter names (`%a`, `%D`, …).
pub(crate) fn class(byte: u8, letter: u8) -> bool {
    let inside = match letter.to_ascii_lowercase() {
        b'a' => byte.is_ascii_alphabetic(),
        b'c' => byte.is_ascii_control(),
        b'd' => byte.is_ascii_digit(),
        b'g' => byte.is_ascii_graphic(),
        b'l' => byte.is_ascii_lowercase(),
        b'p' => byte.is_ascii_punctuation(),
        b's' => matches!(byte, b' ' | 9..=13),
        b'u' => byte.is_ascii_uppercase(),
        b'w' => byte.is_ascii_alphanumeric(),
        b'x' => byte.is_ascii_hexdigit(),
        b'z' => byte == 0,
        _ => return letter == byte,
    };
    inside == letter.is_ascii_lowercase()
}

/// Whether the byte is in the set `[…]` that begins at `open` and whose `]` is at `close`.
pub(crate) fn bracket_class(byte: u8, pattern: &[u8], open: usize, close: usize) -> bool {
    let at = |index: usize| pattern.get(index).copied().unwrap_or(0);
    let (mut index, inside) =
        if at(open + 1) == b'^' { (open + 2, false) } else { (open + 1, true) };
    while index < close {
        let here = at(index);
        if here == b'%' {
            index += 1;
            if class(byte, at(index)) {
                return inside;
            }
        } else if at(index + 1) == b'-' && index + 2 < close {
            index += 2;
            if here <= byte && byte <= at(index) {
                return inside;
            }
        } else if here == byte {
            return inside;
        }
        index += 1;
    }
    !inside
}
