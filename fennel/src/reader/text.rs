//! The escapes within a text in quotation marks.

/// What is wrong with an escape.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BadEscape {
    /// Its backslash and the byte behind it, from the start of the text.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) message: &'static str,
    pub(super) help: &'static str,
}

const HEXADECIMAL: &str = "write two hexadecimal digits behind \\x, such as \\x1b";
const UNICODE: &str = "write hexadecimal digits in braces, up to 7fffffff, such as \\u{1f600}";

/// Writes the value of a text, given without its quotation marks, to `out`.
///
/// A bad escape is reported and stands for nothing.
pub(super) fn unescape(text: &[u8], out: &mut Vec<u8>, mut report: impl FnMut(BadEscape)) {
    let mut at = 0;
    while at < text.len() {
        let plain = text[at..].iter().position(|&byte| byte == b'\\').unwrap_or(text.len() - at);
        out.extend_from_slice(&text[at..at + plain]);
        at += plain;
        if at < text.len() {
            at += escape(&text[at..], out, |length, message, help| {
                report(BadEscape { start: at, end: at + length, message, help });
            });
        }
    }
}

/// Decodes the escape at the start of `text`; its length is the result.
fn escape(
    text: &[u8],
    out: &mut Vec<u8>,
    mut refuse: impl FnMut(usize, &'static str, &'static str),
) -> usize {
    let simple = match text.get(1) {
        Some(b'a') => 0x07,
        Some(b'b') => 0x08,
        Some(b'f') => 0x0c,
        Some(b'n' | b'\n') => b'\n',
        Some(b'r') => b'\r',
        Some(b't') => b'\t',
        Some(b'v') => 0x0b,
        Some(&same @ (b'\\' | b'"' | b'\'')) => same,
        Some(b'\r') => {
            let crlf = text.get(2) == Some(&b'\n');
            out.push(if crlf { b'\n' } else { b'\r' });
            return if crlf { 3 } else { 2 };
        }
        Some(b'z') => {
            let space = text[2..].iter().take_while(|&&byte| super::lexer::is_space(byte)).count();
            return 2 + space;
        }
        Some(b'x') => {
            let value = text.get(2..4).and_then(|digits| radix(digits, 16));
            return match value {
                Some(value) => {
                    out.push(value as u8);
                    4
                }
                None => {
                    refuse(2, "the escape \\x wants two hexadecimal digits", HEXADECIMAL);
                    2
                }
            };
        }
        Some(b'0'..=b'9') => {
            let count = text[1..].iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
            match radix(&text[1..=count], 10).and_then(|value| u8::try_from(value).ok()) {
                Some(value) => out.push(value),
                None => refuse(
                    1 + count,
                    "a decimal escape is larger than a byte",
                    "write a number up to 255, with three digits, such as \\065",
                ),
            }
            return 1 + count;
        }
        Some(b'u') => return unicode(text, out, refuse),
        _ => {
            // A whole character is taken, so that the mark does not end within it.
            let rest = text.get(2..).unwrap_or_default();
            let length = 2 + rest.iter().take_while(|&&byte| byte & 0xc0 == 0x80).count();
            refuse(
                length.min(text.len()),
                "there is no such escape",
                "for a backslash itself write \\\\; the escapes are those of Lua: \\n, \\t, \\\", …",
            );
            return length.min(text.len());
        }
    };
    out.push(simple);
    2
}

fn unicode(
    text: &[u8],
    out: &mut Vec<u8>,
    mut refuse: impl FnMut(usize, &'static str, &'static str),
) -> usize {
    let digits = text.get(3..).unwrap_or_default();
    let count = digits.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    if text.get(2) != Some(&b'{') || digits.get(count) != Some(&b'}') {
        refuse(2, "the escape \\u wants a number in braces", UNICODE);
        return 2;
    }
    match radix(&digits[..count], 16) {
        Some(value) if value < 1 << 31 => encode(value, out),
        _ => refuse(4 + count, "the escape \\u wants a number up to 7fffffff", UNICODE),
    }
    4 + count
}

/// The value of these digits, saturating; none if there are none or others.
fn radix(digits: &[u8], radix: u32) -> Option<u32> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u32, |value, &digit| {
        Some(value.saturating_mul(radix).saturating_add((digit as char).to_digit(radix)?))
    })
}

/// UTF-8 as it was first defined, with up to six bytes: Lua's, for numbers up to 2³¹.
fn encode(value: u32, out: &mut Vec<u8>) {
    if value < 0x80 {
        out.push(value as u8);
        return;
    }
    let followers = match value {
        0..0x800 => 1,
        0x800..0x1_0000 => 2,
        0x1_0000..0x20_0000 => 3,
        0x20_0000..0x400_0000 => 4,
        _ => 5,
    };
    let mark = !(0x7f_u32 >> followers) & 0xff;
    out.push((mark | (value >> (6 * followers))) as u8);
    for follower in (0..followers).rev() {
        out.push(((value >> (6 * follower)) & 0x3f | 0x80) as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &[u8]) -> (Vec<u8>, usize) {
        let (mut out, mut faults) = (Vec::new(), 0);
        unescape(text, &mut out, |_| faults += 1);
        (out, faults)
    }

    #[test]
    fn escapes_are_those_of_lua() {
        let cases: [(&[u8], &[u8]); 12] = [
            (b"plain", b"plain"),
            (br#"\a\b\f\n\r\t\v\\\"\'"#, b"\x07\x08\x0c\n\r\t\x0b\\\"'"),
            (br"\x41\65\u{48}\z   x", b"AAHx"),
            (br"\12345", b"{45"),
            (br"\1", b"\x01"),
            (br"\255", b"\xff"),
            (b"a\\\nb", b"a\nb"),
            (b"a\\\r\nb", b"a\nb"),
            (br"\u{e9}", "é".as_bytes()),
            (br"\u{1F600}", "😀".as_bytes()),
            (br"\u{110000}", b"\xf4\x90\x80\x80"),
            (br"\u{7fffffff}", b"\xfd\xbf\xbf\xbf\xbf\xbf"),
        ];
        for (text, expected) in cases {
            assert_eq!(value(text), (expected.to_vec(), 0), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn a_bad_escape_is_one_fault_and_the_rest_is_read() {
        for text in [
            r"a\qb",
            r"a\x4gb",
            r"a\x",
            r"a\256b",
            r"a\u41b",
            r"a\u{}b",
            r"a\u{zz}",
            r"a\u{80000000}b",
            r"a\u{fffffffffffffffff}b",
            r"a\u{41",
            r"a\é",
            "a\\",
        ] {
            let (out, faults) = value(text.as_bytes());
            assert_eq!((out.first(), faults), (Some(&b'a'), 1), "{text}");
        }
    }
}
