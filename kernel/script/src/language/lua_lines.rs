//! What the line ends of a text in Lua mean: whether they can be moved, and which close a comment.

/// What stands at the end of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnd {
    /// Code, or nothing.
    Free,
    /// A comment that ends with the line.
    Comment,
}

/// The ends of all lines; `None` if a string or a comment goes over one, which then must stay.
pub(super) fn line_ends(lua: &str) -> Option<Vec<LineEnd>> {
    // Lua counts these as lines, and nobody else does.
    if lua.contains('\r') {
        return None;
    }
    lua.lines().map(line_end).collect()
}

/// The end of one line; `None` if something on it goes on in the next one.
fn line_end(line: &str) -> Option<LineEnd> {
    let mut rest = line;
    while let Some(at) = rest.find(['"', '\'', '[', '-']) {
        rest = &rest[at..];
        rest = if let Some(comment) = rest.strip_prefix("--") {
            match behind_long(comment) {
                Long::None => return Some(LineEnd::Comment),
                Long::Open => return None,
                Long::Closed(behind) => behind,
            }
        } else {
            match rest.as_bytes()[0] {
                quote @ (b'"' | b'\'') => behind_short(&rest[1..], quote)?,
                _ => match behind_long(rest) {
                    Long::None => &rest[1..],
                    Long::Open => return None,
                    Long::Closed(behind) => behind,
                },
            }
        };
    }
    Some(LineEnd::Free)
}

/// What is behind a string in quotes, from behind the first one; `None` if it does not end.
fn behind_short(text: &str, quote: u8) -> Option<&str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            byte if *byte == quote => return Some(&text[at + 1..]),
            _ => at += 1,
        }
    }
}

/// A bracket such as `[==[`, which begins a string or a comment.
enum Long<'t> {
    /// There is none.
    None,
    /// It does not close.
    Open,
    /// It closes, and this is behind it.
    Closed(&'t str),
}

fn behind_long(text: &str) -> Long<'_> {
    let Some(inner) = text.strip_prefix('[') else { return Long::None };
    let level = inner.bytes().take_while(|&byte| byte == b'=').count();
    if inner.as_bytes().get(level) != Some(&b'[') {
        return Long::None;
    }
    let close = format!("]{}]", "=".repeat(level));
    match inner[level + 1..].split_once(&close) {
        Some((_, behind)) => Long::Closed(behind),
        None => Long::Open,
    }
}
