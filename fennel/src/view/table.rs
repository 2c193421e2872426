//! Reading tables: their pairs, in which order they are shown, and whether they are sequences.

use mlua::{Function, Table, Value};

use super::order;

/// The metatable that Lua's `getmetatable` would answer.
pub(super) fn metatable(value: &Value) -> Option<Table> {
    let metatable = match value {
        Value::Table(table) => table.metatable()?,
        Value::UserData(data) => return data.metatable().ok()?.get::<Table>("__metatable").ok(),
        _ => return None,
    };
    match metatable.raw_get::<Value>("__metatable") {
        Ok(Value::Table(shown)) => Some(shown),
        Ok(Value::Nil) | Err(_) => Some(metatable),
        Ok(_) => None,
    }
}

/// Calls `each` with the pairs that Lua's `pairs` gives, until it answers false.
pub(super) fn each_pair(
    table: &Table,
    mut each: impl FnMut(Value, Value) -> mlua::Result<bool>,
) -> mlua::Result<()> {
    let custom = match table.metatable() {
        Some(metatable) => metatable.raw_get::<Value>("__pairs")?,
        None => Value::Nil,
    };
    let Value::Function(custom) = custom else {
        for pair in table.pairs::<Value, Value>() {
            let (key, value) = pair?;
            if !each(key, value)? {
                break;
            }
        }
        return Ok(());
    };
    let (next, state, mut key): (Function, Value, Value) = custom.call(table)?;
    loop {
        let (following, value): (Value, Value) = next.call((&state, key))?;
        if following.is_nil() || !each(following.clone(), value)? {
            return Ok(());
        }
        key = following;
    }
}

/// What a table is shown as.
pub(super) enum Shape {
    /// Values one after the other, nil where there is none.
    Sequence(Vec<Value>),
    /// Keys and values.
    Pairs(Vec<(Value, Value)>),
}

/// The shape of a table; `gap` is how far indices may be apart in a sequence.
pub(super) fn shape(
    table: &Table,
    gap: f64,
    mut spend: impl FnMut(usize) -> mlua::Result<()>,
) -> mlua::Result<Shape> {
    let mut pairs = Vec::new();
    each_pair(table, |key, value| {
        spend(1)?;
        pairs.push((key, value));
        Ok(true)
    })?;
    order::sort(&mut pairs);
    let mut last = 0_i64;
    for (key, _) in &pairs {
        match key {
            Value::Integer(index) if *index >= 1 && (*index - last) as f64 <= gap => last = *index,
            _ => return Ok(Shape::Pairs(pairs)),
        }
    }
    spend(usize::try_from(last).unwrap_or(usize::MAX))?;
    let mut values = Vec::with_capacity(pairs.len());
    let mut at = 0;
    for (key, value) in pairs {
        let index = key.as_integer().unwrap_or(0);
        while at + 1 < index {
            values.push(Value::Nil);
            at += 1;
        }
        values.push(value);
        at = index;
    }
    Ok(Shape::Sequence(values))
}
