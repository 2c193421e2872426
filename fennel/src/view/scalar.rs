//! Numbers and strings.

use mlua::{Lua, Value};

use super::options::Options;

/// The text of a float.
pub(super) fn float(number: f64) -> String {
    if number.is_nan() {
        return if number.is_sign_negative() { "-.nan" } else { ".nan" }.to_owned();
    } else if number.is_infinite() {
        return if number < 0.0 { "-.inf" } else { ".inf" }.to_owned();
    } else if number.fract() == 0.0 && number.abs() >= 1e15 {
        // A whole number that its first digits would not give back.
        return with_exponent(&format!("{number:e}"));
    }
    general(number)
}

/// `%.14g` of C, and `.0` where that looks like a whole number.
fn general(number: f64) -> String {
    const DIGITS: i32 = 14;
    let scientific = format!("{number:.13e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..DIGITS).contains(&exponent) {
        return with_exponent(&format!("{}e{exponent}", trimmed(digits)));
    }
    let places = usize::try_from(DIGITS - 1 - exponent).unwrap_or(0);
    let fixed = format!("{number:.places$}");
    let text = trimmed(&fixed);
    match text.contains('.') {
        true => text.to_owned(),
        false => format!("{text}.0"),
    }
}

fn trimmed(digits: &str) -> &str {
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    }
}

/// An exponent as C writes it: a sign and at least two digits.
fn with_exponent(text: &str) -> String {
    let Some((digits, exponent)) = text.split_once('e') else { return text.to_owned() };
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}

/// Whether a string can be written with a colon before it.
pub(super) fn has_colon_form(text: &[u8]) -> bool {
    !text.is_empty()
        && text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"!$&*+-./<=>?^_|".contains(byte))
}

/// A string in quotes. Where line ends are to be escaped, they are in strings that fit in the line.
pub(super) fn quoted(
    lua: &Lua,
    text: &[u8],
    options: &Options,
    indent: usize,
) -> mlua::Result<Vec<u8>> {
    let short = ((text.len() + indent) as f64) < options.line_length.now;
    let escapes_line_ends = options.escape_newlines.now && short;
    let mut out = Vec::with_capacity(text.len() + 2);
    out.push(b'"');
    for chunk in text.utf8_chunks() {
        for &byte in chunk.valid().as_bytes() {
            match byte {
                7 => out.extend(b"\\a"),
                8 => out.extend(b"\\b"),
                9 => out.extend(b"\\t"),
                11 => out.extend(b"\\v"),
                12 => out.extend(b"\\f"),
                13 => out.extend(b"\\r"),
                b'\n' if escapes_line_ends => out.extend(b"\\n"),
                b'\n' => out.push(byte),
                b'"' => out.extend(b"\\\""),
                b'\\' => out.extend(b"\\\\"),
                0..32 | 127 => escape(lua, &mut out, byte, options)?,
                _ => out.push(byte),
            }
        }
        for &byte in chunk.invalid() {
            match options.utf8.now {
                true => escape(lua, &mut out, byte, options)?,
                false => out.push(byte),
            }
        }
    }
    out.push(b'"');
    Ok(out)
}

fn escape(lua: &Lua, out: &mut Vec<u8>, byte: u8, options: &Options) -> mlua::Result<()> {
    let Some(callback) = &options.byte_escape.now else {
        out.extend(format!("\\{byte:03}").bytes());
        return Ok(());
    };
    match callback.call::<Value>((byte, options.to_table(lua)?))? {
        Value::Nil | Value::Boolean(false) => out.push(byte),
        Value::String(text) => out.extend_from_slice(&text.as_bytes()),
        value @ (Value::Integer(_) | Value::Number(_)) => out.extend(value.to_string()?.bytes()),
        other => {
            let words = format!("invalid replacement value (a {})", other.type_name());
            return Err(mlua::Error::runtime(words));
        }
    }
    Ok(())
}
