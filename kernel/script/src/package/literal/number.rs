//! Numerals of Lua: integers, floats, and both in hexadecimal.

use super::{DATA, Reader};
use crate::package::field::SyntaxError;
use serde_json::{Number, Value};

impl Reader<'_> {
    /// A numeral with an optional `-` before it.
    pub(super) fn number(&mut self) -> Result<Value, SyntaxError> {
        let negative = self.peek() == Some(b'-');
        if negative {
            self.at += 1;
            self.skip_blank()?;
        }
        if !matches!(self.peek(), Some(b'.' | b'0'..=b'9')) {
            return Err(self.error(format!("a number is expected here; {DATA}")));
        }
        let numeral = self.numeral();
        let read = match numeral.strip_prefix("0x").or_else(|| numeral.strip_prefix("0X")) {
            Some(digits) => hexadecimal(digits, negative),
            None => decimal(numeral, negative),
        };
        let Some(number) = read else {
            return Err(self.error(format!("`{numeral}` is not a number that can be read")));
        };
        self.at += numeral.len();
        Ok(Value::Number(number))
    }

    /// The longest text that looks like a numeral; letters that follow make it a wrong one.
    fn numeral(&self) -> &str {
        let rest = self.rest();
        let hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
        let exponent: &[u8] = if hexadecimal { b"pP" } else { b"eE" };
        let bytes = rest.as_bytes();
        let mut end = 0;
        while let Some(&byte) = bytes.get(end) {
            let after_exponent = end > 0 && exponent.contains(&bytes[end - 1]);
            match byte {
                b'.' | b'_' => end += 1,
                b'+' | b'-' if after_exponent => end += 1,
                byte if byte.is_ascii_alphanumeric() => end += 1,
                _ => break,
            }
        }
        rest.get(..end).unwrap_or("")
    }
}

fn decimal(numeral: &str, negative: bool) -> Option<Number> {
    let sign = if negative { "-" } else { "" };
    if numeral.bytes().all(|byte| byte.is_ascii_digit())
        && let Ok(integer) = format!("{sign}{numeral}").parse::<i64>()
    {
        return Some(integer.into());
    }
    // Rust reads more than Lua does, such as `inf`; a numeral has digits, `.`, `e` and signs only.
    let plain =
        numeral.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    if !plain {
        return None;
    }
    Number::from_f64(format!("{sign}{numeral}").parse().ok()?)
}

fn hexadecimal(digits: &str, negative: bool) -> Option<Number> {
    let (mantissa, exponent) = match digits.split_once(['p', 'P']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.parse::<i32>().ok()?)),
        None => (digits, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all: Vec<u32> =
        whole.chars().chain(fraction.chars()).map(|c| c.to_digit(16)).collect::<Option<_>>()?;
    if all.is_empty() {
        return None;
    }
    if exponent.is_none() && !mantissa.contains('.') {
        // Lua lets hexadecimal integers wrap around.
        let bits = all
            .iter()
            .fold(0_u64, |bits, digit| bits.wrapping_mul(16).wrapping_add(u64::from(*digit)));
        let integer = bits.cast_signed();
        return Some(if negative { integer.wrapping_neg() } else { integer }.into());
    }
    let mantissa = all.iter().fold(0.0_f64, |value, digit| value * 16.0 + f64::from(*digit));
    let shift = i32::try_from(fraction.len()).ok()?.saturating_mul(4);
    let power = exponent.unwrap_or(0).saturating_sub(shift);
    let value = mantissa * 2.0_f64.powi(power);
    Number::from_f64(if negative { -value } else { value })
}
