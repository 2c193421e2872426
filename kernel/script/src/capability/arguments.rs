//! Arguments of calls as scripts give them: text, numbers and paths, checked one by one.
//!
//! What is wrong here is a mistake of the program, so it raises at the caller's line. Nothing of
//! the script runs: tables are read raw and strings are not made of anything else.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::time::Duration;

use mlua::Value;

use crate::vm::HostError;

/// Says what was expected of an argument or an option.
pub(super) fn wrong(what: &str, expected: &str, got: &Value) -> HostError {
    let got = if got.is_nil() { "nothing" } else { got.type_name() };
    HostError::new(format!("{what} must be {expected}, got {got}"))
}

/// A string of any bytes.
pub(super) fn bytes(what: &str, value: &Value) -> Result<Vec<u8>, HostError> {
    match value {
        Value::String(text) => Ok(text.as_bytes().to_vec()),
        other => Err(wrong(what, "a string", other)),
    }
}

/// A string that is text.
pub(super) fn text(what: &str, value: &Value) -> Result<String, HostError> {
    String::from_utf8(bytes(what, value)?)
        .map_err(|_| HostError::new(format!("{what} must be text in UTF-8")))
}

/// A string for the system: neither empty nor with a NUL.
pub(super) fn name(what: &str, value: &Value) -> Result<OsString, HostError> {
    let bytes = bytes(what, value)?;
    if bytes.is_empty() {
        return Err(HostError::new(format!("{what} is empty")));
    }
    without_nul(what, bytes)
}

/// A string for the system: no NUL.
pub(super) fn without_nul(what: &str, bytes: Vec<u8>) -> Result<OsString, HostError> {
    if bytes.contains(&0) {
        return Err(HostError::new(format!("{what} contains a NUL")));
    }
    Ok(OsString::from_vec(bytes))
}

/// A whole number between two bounds.
pub(super) fn whole(what: &str, value: &Value, from: u64, to: u64) -> Result<u64, HostError> {
    let number = match value {
        Value::Integer(number) => u64::try_from(*number).ok(),
        // Lua's `/` makes floats of whole numbers; fractions are cut.
        Value::Number(number) if *number >= 0.0 && *number < 9e15 => Some(*number as u64),
        Value::Number(_) => None,
        other => return Err(wrong(what, "a number", other)),
    };
    number
        .filter(|number| (from..=to).contains(number))
        .ok_or_else(|| HostError::new(format!("{what} must be from {from} to {to}")))
}

/// Milliseconds up to a bound.
pub(super) fn milliseconds(
    what: &str,
    value: &Value,
    most: Duration,
) -> Result<Duration, HostError> {
    let most = u64::try_from(most.as_millis()).unwrap_or(u64::MAX);
    whole(what, value, 0, most).map(Duration::from_millis)
}
