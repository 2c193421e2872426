//! The pattern functions of `string`, and `rep`, as native functions for the prelude.

use memchr::memmem;
use mlua::{IntoLua, Lua, LuaString, MultiValue, Table, Value};

use super::host::{HostError, native};
use fennel::lua_pattern::{Capture, Matcher, PatternError};

/// The longest result of one `string.rep`, in bytes.
const REP_LIMIT: usize = 1 << 20;
/// The longest result of one `string.gsub` with a replacement text, in bytes.
const GSUB_LIMIT: usize = 16 << 20;

impl From<PatternError> for HostError {
    fn from(error: PatternError) -> Self {
        HostError::Message(error.to_string())
    }
}

/// Lua's reading of a start position: negative counts from the end, 1 is the first byte.
fn start_offset(init: Option<i64>, length: usize) -> usize {
    match init.unwrap_or(1) {
        0 => 0,
        from if from > 0 => usize::try_from(from).unwrap_or(usize::MAX) - 1,
        from => length.saturating_sub(usize::try_from(from.unsigned_abs()).unwrap_or(usize::MAX)),
    }
}

fn has_specials(pattern: &[u8]) -> bool {
    pattern.iter().any(|byte| b"^$*+?.([%-".contains(byte))
}

fn position(offset: usize) -> Value {
    Value::Integer(i64::try_from(offset).unwrap_or(i64::MAX))
}

fn push(
    lua: &Lua,
    values: &mut Vec<Value>,
    text: &[u8],
    captures: &[Capture],
) -> Result<(), HostError> {
    for capture in captures {
        values.push(match *capture {
            Capture::Text(from, to) => Value::String(lua.create_string(&text[from..to])?),
            Capture::Position(at) => position(at),
        });
    }
    Ok(())
}

enum Answer {
    Find,
    Match,
}

type FindArguments = (LuaString, LuaString, Option<i64>, Value);

fn find(lua: &Lua, answer: &Answer, arguments: FindArguments) -> Result<MultiValue, HostError> {
    let (text, pattern, init, plain) = arguments;
    let (text, pattern) = (text.as_bytes(), pattern.as_bytes());
    let (text, mut pattern) = (&*text, &*pattern);
    let nothing = || Ok(MultiValue::from_vec(vec![Value::Nil]));
    let start = start_offset(init, text.len());
    if start > text.len() {
        return nothing();
    }
    let plain = !matches!(plain, Value::Nil | Value::Boolean(false));
    if matches!(answer, Answer::Find) && (plain || !has_specials(pattern)) {
        let Some(found) = memmem::find(&text[start..], pattern) else { return nothing() };
        let from = start + found;
        return Ok([position(from + 1), position(from + pattern.len())].into_iter().collect());
    }
    let anchored = pattern.first() == Some(&b'^');
    if anchored {
        pattern = &pattern[1..];
    }
    let mut matcher = Matcher::new(text, pattern);
    let Some((from, to)) = matcher.search(start, None, anchored)? else { return nothing() };
    let mut values = Vec::with_capacity(3);
    if matches!(answer, Answer::Find) {
        values.extend([position(from + 1), position(to)]);
        push(lua, &mut values, text, &matcher.own_captures()?)?;
    } else {
        push(lua, &mut values, text, &matcher.captures(from, to)?)?;
    }
    Ok(MultiValue::from_vec(values))
}

/// Text, pattern, where to begin, the end of the last match, whether only there, and whether only
/// the first capture is wanted; positions from 1.
type StepArguments = (LuaString, LuaString, usize, usize, bool, bool);

/// One step of `gmatch` or `gsub`: to the start of the match, the position after it, and its
/// captures.
fn step(
    lua: &Lua,
    (text, pattern, at, last, anchored, first): StepArguments,
) -> Result<MultiValue, HostError> {
    let (text, pattern) = (text.as_bytes(), pattern.as_bytes());
    let mut matcher = Matcher::new(&text, &pattern);
    let found = matcher.search(at.saturating_sub(1), last.checked_sub(1), anchored)?;
    let Some((from, to)) = found else { return Ok(MultiValue::new()) };
    let mut values = Vec::with_capacity(3);
    values.extend([position(from + 1), position(to + 1)]);
    if first {
        push(lua, &mut values, &text, &[matcher.capture(0, from, to)?])?;
    } else {
        push(lua, &mut values, &text, &matcher.captures(from, to)?)?;
    }
    Ok(MultiValue::from_vec(values))
}

/// Appends the replacement text for one match.
fn replace(
    out: &mut Vec<u8>,
    matcher: &Matcher<'_>,
    text: &[u8],
    replacement: &[u8],
    (start, end): (usize, usize),
) -> Result<(), HostError> {
    let mut rest = replacement;
    while let Some(escape) = memchr::memchr(b'%', rest) {
        out.extend_from_slice(&rest[..escape]);
        match rest.get(escape + 1) {
            Some(b'%') => out.push(b'%'),
            Some(b'0') => out.extend_from_slice(&text[start..end]),
            Some(digit @ b'1'..=b'9') => {
                match matcher.capture(usize::from(digit - b'1'), start, end)? {
                    Capture::Text(from, to) => out.extend_from_slice(&text[from..to]),
                    Capture::Position(at) => out.extend_from_slice(at.to_string().as_bytes()),
                }
            }
            _ => return Err("invalid use of '%' in replacement string".into()),
        }
        rest = &rest[escape + 2..];
    }
    out.extend_from_slice(rest);
    if out.len() > GSUB_LIMIT {
        return Err("resulting string too large".into());
    }
    Ok(())
}

fn gsub(
    lua: &Lua,
    (subject, pattern, replacement, limit): (LuaString, LuaString, LuaString, Option<i64>),
) -> Result<(LuaString, i64), HostError> {
    let (text, pattern, replacement) =
        (subject.as_bytes(), pattern.as_bytes(), replacement.as_bytes());
    let (text, mut pattern) = (&*text, &*pattern);
    let anchored = pattern.first() == Some(&b'^');
    if anchored {
        pattern = &pattern[1..];
    }
    let limit = limit.unwrap_or(i64::MAX);
    let mut matcher = Matcher::new(text, pattern);
    let (mut out, mut count, mut at, mut last) = (Vec::new(), 0, 0, None);
    while count < limit
        && let Some((start, end)) = matcher.search(at, last, anchored)?
    {
        count += 1;
        out.extend_from_slice(&text[at..start]);
        replace(&mut out, &matcher, text, &replacement, (start, end))?;
        (at, last) = (end, Some(end));
        if anchored {
            break;
        }
    }
    if count == 0 {
        return Ok((subject.clone(), 0));
    }
    out.extend_from_slice(&text[at.min(text.len())..]);
    Ok((lua.create_string(&out)?, count))
}

fn rep(
    lua: &Lua,
    (text, count, separator): (LuaString, i64, Option<LuaString>),
) -> Result<LuaString, HostError> {
    let (text, separator) = (text.as_bytes(), separator.as_ref().map(LuaString::as_bytes));
    let separator = separator.as_deref().unwrap_or_default();
    let count = usize::try_from(count).unwrap_or(0);
    if count == 0 || (text.is_empty() && separator.is_empty()) {
        return Ok(lua.create_string("")?);
    }
    let total = (text.len() + separator.len())
        .checked_mul(count)
        .map(|with_last| with_last - separator.len())
        .filter(|&total| total <= REP_LIMIT);
    let Some(total) = total else {
        return Err(HostError::new(format!(
            "resulting string too large (string.rep makes at most {REP_LIMIT} bytes)"
        )));
    };
    let mut out = Vec::with_capacity(total);
    for index in 0..count {
        if index > 0 {
            out.extend_from_slice(separator);
        }
        out.extend_from_slice(&text);
    }
    Ok(lua.create_string(&out)?)
}

/// Whether Lua's own sort is safe: a plain table with few elements, all numbers or all short
/// strings, which it compares without running anything.
fn sortable(table: &Table) -> bool {
    const MOST: usize = 10_000;
    const LONGEST: usize = 1_000;
    if table.has_metatable() || table.raw_len() > MOST {
        return false;
    }
    let (mut numbers, mut strings) = (false, false);
    for index in 1..=table.raw_len() {
        match table.raw_get::<Value>(index) {
            Ok(Value::Integer(_) | Value::Number(_)) => numbers = true,
            Ok(Value::String(text)) if text.as_bytes().len() <= LONGEST => strings = true,
            _ => return false,
        }
    }
    !(numbers && strings)
}

/// Puts the functions into the table for the prelude.
pub(crate) fn install(lua: &Lua, natives: &Table) -> mlua::Result<()> {
    natives.raw_set("find", native(lua, |lua, all| find(lua, &Answer::Find, all))?)?;
    natives.raw_set("match", native(lua, |lua, all| find(lua, &Answer::Match, all))?)?;
    natives.raw_set("step", native(lua, step)?)?;
    natives.raw_set("gsub", native(lua, gsub)?)?;
    natives.raw_set("rep", native(lua, rep)?)?;
    let start = |lua: &Lua, (text, init): (LuaString, Option<i64>)| {
        let length = text.as_bytes().len();
        Ok(position(start_offset(init, length).min(length + 1) + 1).into_lua(lua)?)
    };
    natives.raw_set("start", native(lua, start)?)?;
    natives.raw_set("sortable", lua.create_function(|_, table: Table| Ok(sortable(&table)))?)
}
