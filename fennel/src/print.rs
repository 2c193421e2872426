//! Forms back to Fennel's text, on one line: for messages and for whoever looks at what macros made.
//!
//! What the reader gave reads as the same form again. The text is found with a stack of its own, so
//! that a form of any depth can be printed.

use std::fmt::{self, Write};

use crate::form::{Form, Kind};
use crate::reader::{is_invisible, is_word};

/// What is yet to be printed.
enum Piece<'a> {
    Form(&'a Form),
    Mark(char),
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pieces = vec![Piece::Form(self)];
        while let Some(piece) = pieces.pop() {
            match piece {
                Piece::Mark(mark) => f.write_char(mark)?,
                Piece::Form(form) => print(form, f, &mut pieces)?,
            }
        }
        Ok(())
    }
}

/// Prints the beginning of a form; the rest goes on the stack.
fn print<'a>(
    form: &'a Form,
    f: &mut fmt::Formatter<'_>,
    pieces: &mut Vec<Piece<'a>>,
) -> fmt::Result {
    match &form.kind {
        Kind::Nil => f.write_str("nil"),
        Kind::Bool(value) => write!(f, "{value}"),
        Kind::Varg => f.write_str("..."),
        // Its digits alone are too large for an integer.
        Kind::Integer(i64::MIN) => f.write_str("0x8000000000000000"),
        Kind::Integer(value) => write!(f, "{value}"),
        Kind::Float(value) => print_float(*value, f),
        Kind::Str(text) => print_text(text, f),
        Kind::Symbol(symbol) => f.write_str(&symbol.name),
        Kind::List(parts) => {
            if let Some((mark, inner)) = prefixed(parts) {
                pieces.push(Piece::Form(inner));
                return f.write_char(mark);
            }
            f.write_char('(')?;
            push_parts(parts.iter(), ')', pieces);
            Ok(())
        }
        Kind::Sequence(parts) => {
            f.write_char('[')?;
            push_parts(parts.iter(), ']', pieces);
            Ok(())
        }
        Kind::Table(entries) => {
            f.write_char('{')?;
            push_parts(entries.iter().flat_map(|(key, value)| [key, value]), '}', pieces);
            Ok(())
        }
    }
}

fn push_parts<'a>(
    parts: impl Iterator<Item = &'a Form>,
    closer: char,
    pieces: &mut Vec<Piece<'a>>,
) {
    let base = pieces.len();
    for part in parts {
        if pieces.len() > base {
            pieces.push(Piece::Mark(' '));
        }
        pieces.push(Piece::Form(part));
    }
    pieces.push(Piece::Mark(closer));
    pieces[base..].reverse();
}

/// The prefix that a list can be written with, and the form behind it.
fn prefixed(parts: &[Form]) -> Option<(char, &Form)> {
    let [head, inner] = parts else { return None };
    let mark = match head.as_symbol()? {
        "quote" => '`',
        "unquote" => ',',
        // A file that began with `#!` would begin with a comment.
        "hashfn" if inner.as_symbol().is_none_or(|name| !name.starts_with('!')) => '#',
        _ => return None,
    };
    Some((mark, inner))
}

fn print_float(value: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_nan() {
        write!(f, "{sign}.nan")
    } else if value.is_infinite() {
        write!(f, "{sign}.inf")
    } else {
        write!(f, "{value:?}")
    }
}

fn print_text(text: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if let Ok(text) = std::str::from_utf8(text)
        && is_word(text)
    {
        return write!(f, ":{text}");
    }
    f.write_char('"')?;
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                '\0'..=' ' | '\x7f' if c != ' ' => write!(f, "\\{:03}", c as u32)?,
                c if !c.is_ascii() && is_invisible(c) => write!(f, "\\u{{{:x}}}", c as u32)?,
                c => f.write_char(c)?,
            }
        }
        for byte in chunk.invalid() {
            write!(f, "\\{byte:03}")?;
        }
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use crate::source::Span;
    use crate::{Form, Kind, parse};

    #[test]
    fn a_form_prints_as_its_shortest_text() {
        let cases = [
            ("(a  b\n c)", "(a b c)"),
            ("{: a :b [1 2.0 -0x10]}", "{:a a :b [1 2.0 -16]}"),
            ("'(x ,y #(+ $ 1))", "`(x ,y #(+ $ 1))"),
            ("(hashfn !x)", "(hashfn !x)"),
            ("[nil true false ... .nan -.inf 1e300]", "[nil true false ... .nan -.inf 1e300]"),
            (
                r#"["" "a b" "a" "\"\\" "\n\t\0" "\xff" "\u{200b}" ":" "\255é"]"#,
                r#"["" "a b" :a "\"\\" "\n\t\000" "\255" "\u{200b}" :: "\255é"]"#,
            ),
            ("(# a)", "(# a)"),
        ];
        for (text, printed) in cases {
            assert_eq!(parse("x", text).forms[0].to_string(), printed, "{text}");
        }
    }

    #[test]
    fn a_form_deeper_than_any_text_prints() {
        let mut form = Form::new(Kind::Nil, Span::default());
        for _ in 0..10_000 {
            form = Form::list([form], Span::default());
        }
        assert_eq!(form.to_string().len(), 20_003);
    }
}
