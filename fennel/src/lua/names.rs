//! What Lua takes for a name, and Lua names for Fennel's.

/// Words that cannot be names in Lua.
const KEYWORDS: [&str; 22] = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// Whether Lua reserves this word.
pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

/// Whether this is a name in Lua.
pub(crate) fn is_name(text: &[u8]) -> bool {
    let Some((first, rest)) = text.split_first() else { return false };
    (first.is_ascii_alphabetic() || *first == b'_')
        && rest.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_')
        && !std::str::from_utf8(text).is_ok_and(is_keyword)
}

/// Whether the text begins with this word and not with a longer one.
pub(crate) fn begins_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word)
        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
}

/// A Lua name that resembles this one: a dash becomes an underscore, any other byte that Lua does
/// not take its number. Programs that spell out Lua rely on it.
pub(crate) fn mangled(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    if name.starts_with(|c: char| c.is_ascii_digit()) || is_keyword(name) {
        out.push('_');
    }
    for byte in name.bytes() {
        match byte {
            b'-' => out.push('_'),
            b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => out.push(char::from(byte)),
            other => out.push_str(&format!("_{other:02x}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_becomes_one_that_lua_takes() {
        for (name, lua) in [
            ("x", "x"),
            ("foo-bar", "foo_bar"),
            ("ok?", "ok_3f"),
            ("set!", "set_21"),
            ("end", "_end"),
            ("λ", "_ce_bb"),
            ("1st", "_1st"),
            ("->x", "__3ex"),
        ] {
            assert_eq!(mangled(name), lua);
            assert!(is_name(mangled(name).as_bytes()), "{name}");
        }
    }

    #[test]
    fn keywords_are_in_order_for_the_search() {
        assert!(KEYWORDS.is_sorted());
        assert!(is_keyword("until") && !is_keyword("unless"));
    }
}
