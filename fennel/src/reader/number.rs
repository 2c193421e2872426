//! Numbers, as Lua 5.4 reads them.

use std::borrow::Cow;

use crate::form::Kind;

/// The number that a word stands for, if it is one: a sign, underscores anywhere but at the start,
/// decimal or hexadecimal, `.inf` and `.nan`.
pub(super) fn number(word: &str) -> Option<Kind> {
    if word.starts_with('_') {
        return None;
    }
    let word = match word.contains('_') {
        true => Cow::Owned(word.replace('_', "")),
        false => Cow::Borrowed(word),
    };
    let (negative, digits) = match word.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        all => (false, all),
    };
    match digits {
        b".inf" => Some(Kind::Float(signed(f64::INFINITY, negative))),
        b".nan" => Some(Kind::Float(signed(f64::NAN, negative))),
        [b'0', b'x' | b'X', rest @ ..] => hexadecimal(rest, negative),
        _ => decimal(digits, negative),
    }
}

/// Whether a word may yet become a number if it goes on.
pub(super) fn may_become_number(word: &str) -> bool {
    number(&format!("{word}0")).is_some()
}

fn signed(value: f64, negative: bool) -> f64 {
    if negative { -value } else { value }
}

fn decimal(digits: &[u8], negative: bool) -> Option<Kind> {
    if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) {
        let mut whole = Some(0_i64);
        for digit in digits {
            let digit = i64::from(digit - b'0');
            whole = whole.and_then(|whole| whole.checked_mul(10)?.checked_add(digit));
        }
        // Lua reads the digits first and the sign later: the smallest integer has none in decimal.
        if let Some(whole) = whole {
            return Some(Kind::Integer(if negative { -whole } else { whole }));
        }
    }
    let (mantissa, exponent) = split_exponent(digits, b"eE");
    let (whole, fraction) = split_fraction(mantissa);
    let sound = whole.iter().chain(fraction).all(u8::is_ascii_digit)
        && whole.len() + fraction.len() > 0
        && exponent.is_none_or(is_exponent);
    if !sound {
        return None;
    }
    let value: f64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some(Kind::Float(signed(value, negative)))
}

fn split_exponent<'a>(digits: &'a [u8], marks: &[u8]) -> (&'a [u8], Option<&'a [u8]>) {
    match digits.iter().position(|byte| marks.contains(byte)) {
        Some(at) => (&digits[..at], Some(&digits[at + 1..])),
        None => (digits, None),
    }
}

fn split_fraction(digits: &[u8]) -> (&[u8], &[u8]) {
    match digits.iter().position(|&byte| byte == b'.') {
        Some(at) => (&digits[..at], &digits[at + 1..]),
        None => (digits, &[]),
    }
}

fn is_exponent(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

fn nibble(byte: u8) -> u64 {
    match byte {
        b'0'..=b'9' => u64::from(byte - b'0'),
        b'a'..=b'f' => u64::from(byte - b'a') + 10,
        _ => u64::from(byte - b'A') + 10,
    }
}

fn hexadecimal(digits: &[u8], negative: bool) -> Option<Kind> {
    if !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit) {
        let whole = digits.iter().fold(0_u64, |whole, &digit| (whole << 4) | nibble(digit));
        let whole = whole.cast_signed();
        return Some(Kind::Integer(if negative { whole.wrapping_neg() } else { whole }));
    }
    let (mantissa, exponent) = split_exponent(digits, b"pP");
    let (whole, fraction) = split_fraction(mantissa);
    let sound = whole.iter().chain(fraction).all(u8::is_ascii_hexdigit)
        && whole.len() + fraction.len() > 0
        && exponent.is_none_or(is_exponent);
    if !sound {
        return None;
    }
    // 62 bits of the digits, and one that says whether anything follows them: enough to round once.
    let mut bits = 0_u64;
    let mut power = 0_i64;
    for &digit in whole {
        if bits >> 58 == 0 {
            bits = (bits << 4) | nibble(digit);
        } else {
            bits |= u64::from(digit != b'0');
            power += 4;
        }
    }
    for &digit in fraction {
        if bits >> 58 == 0 {
            bits = (bits << 4) | nibble(digit);
            power -= 4;
        } else {
            bits |= u64::from(digit != b'0');
        }
    }
    let power = power.saturating_add(exponent.map_or(0, saturating_exponent));
    Some(Kind::Float(signed(scaled(bits, power), negative)))
}

fn saturating_exponent(text: &[u8]) -> i64 {
    const FAR: i64 = 1 << 40;
    let size = text
        .iter()
        .filter(|byte| byte.is_ascii_digit())
        .fold(0_i64, |size, digit| (size * 10 + i64::from(digit - b'0')).min(FAR));
    if text.first() == Some(&b'-') { -size } else { size }
}

/// `bits` times two to the `power`, rounded once to the nearest even number.
fn scaled(bits: u64, power: i64) -> f64 {
    const MANTISSA: i64 = 53;
    const LEAST_POWER: i64 = -1074;
    if bits == 0 {
        return 0.0;
    }
    let width = 64 - i64::from(bits.leading_zeros());
    if width + power > 1024 {
        return f64::INFINITY;
    }
    let drop = (width - MANTISSA).max(LEAST_POWER - power).max(0);
    let (kept, power) = if drop > 64 {
        return 0.0;
    } else if drop > 0 {
        let wide = u128::from(bits);
        let (kept, rest, half) = (wide >> drop, wide & ((1 << drop) - 1), 1_u128 << (drop - 1));
        let up = rest > half || (rest == half && kept & 1 == 1);
        ((kept + u128::from(up)) as u64, power + drop)
    } else {
        (bits, power)
    };
    // `kept` has 53 bits at most, so each step is exact: the power is reached in two halves, since
    // neither alone need be a number.
    let half = power / 2;
    let two = |power: i64| 2_f64.powi(power as i32);
    kept as f64 * two(half) * two(power - half)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(word: &str) -> String {
        match number(word) {
            Some(Kind::Integer(value)) => format!("{value}"),
            Some(Kind::Float(value)) => format!("{value:?}"),
            _ => "no number".to_owned(),
        }
    }

    #[test]
    fn numbers_are_what_lua_reads() {
        let cases = [
            ("0", "0"),
            ("-0", "0"),
            ("-0.0", "-0.0"),
            ("+1", "1"),
            ("00012", "12"),
            ("1_000", "1000"),
            ("1__0_", "10"),
            ("-_5", "-5"),
            ("._5", "0.5"),
            ("0_x1", "1"),
            ("0x_1", "1"),
            ("9223372036854775807", "9223372036854775807"),
            ("-9223372036854775808", "-9.223372036854776e18"),
            ("9223372036854775808", "9.223372036854776e18"),
            ("0x1F", "31"),
            ("0XfF", "255"),
            ("0xffffffffffffffff", "-1"),
            ("0x1ffffffffffffffff", "-1"),
            ("-0xffffffffffffffff", "1"),
            ("-0x8000000000000000", "-9223372036854775808"),
            ("1e3", "1000.0"),
            ("1E+3", "1000.0"),
            ("1_e_3", "1000.0"),
            ("1e400", "inf"),
            ("1e-400", "0.0"),
            ("5.", "5.0"),
            (".5", "0.5"),
            ("5.e3", "5000.0"),
            ("0x1p4", "16.0"),
            ("0x.8", "0.5"),
            ("0x1.8", "1.5"),
            ("0xA.8p-1", "5.25"),
            ("0x1p2000", "inf"),
            ("0x1p-1074", "5e-324"),
            ("0x1p-1075", "0.0"),
            ("0x1.8p-1075", "5e-324"),
            ("0x1p1023", "8.98846567431158e307"),
            ("0x1.fffffffffffff8p1023", "inf"),
            ("0x20000000000001p0", "9007199254740992.0"),
            ("0x20000000000001.00000000000001p0", "9007199254740994.0"),
            ("0x1p-99999999999999999999", "0.0"),
            (".inf", "inf"),
            ("-.inf", "-inf"),
            ("+.inf", "inf"),
            (".nan", "NaN"),
        ];
        for (word, value) in cases {
            assert_eq!(read(word), value, "{word}");
        }
    }

    #[test]
    fn what_lua_refuses_is_no_number() {
        for word in [
            "", "-", "+", ".", "_1", "0x", "0x.", "0x.p1", "1x", "1.2.3", "1e", "1e+", "0b1",
            "1-2", "nan", "inf", ".e1", ".5.5", "--1", "-+1", "0x-1", "1e5x", "0x1p", ".infx",
            "._", "1e5.0",
        ] {
            assert_eq!(read(word), "no number", "{word}");
        }
    }
}
