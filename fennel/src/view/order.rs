//! The order of keys. Numbers and strings are sorted; what else there is has no order of its own
//! and comes where Lua's `table.sort` happens to leave it, which is why that is followed here.

use std::cmp::Ordering;

use mlua::Value;

type Pair = (Value, Value);

fn rank(value: &Value) -> u8 {
    match value {
        Value::Integer(_) | Value::Number(_) => 1,
        Value::Boolean(_) => 2,
        Value::String(_) => 3,
        Value::Table(_) => 4,
        Value::Function(_) => 5,
        Value::UserData(_) | Value::LightUserData(_) => 6,
        _ => 7,
    }
}

fn before(a: &Pair, b: &Pair) -> bool {
    match (&a.0, &b.0) {
        (Value::String(a), Value::String(b)) => *a.as_bytes() < *b.as_bytes(),
        (Value::Integer(a), Value::Integer(b)) => a < b,
        (Value::Number(a), Value::Number(b)) => a < b,
        (Value::Integer(a), Value::Number(b)) => compare(*a, *b) == Ordering::Less,
        (Value::Number(a), Value::Integer(b)) => compare(*b, *a) == Ordering::Greater,
        (a, b) => rank(a) < rank(b),
    }
}

/// A whole number beside any other, exactly.
fn compare(a: i64, b: f64) -> Ordering {
    if b >= 9_223_372_036_854_775_808.0 {
        Ordering::Less
    } else if b < -9_223_372_036_854_775_808.0 {
        Ordering::Greater
    } else {
        let floor = b.floor();
        a.cmp(&(floor as i64)).then(if b > floor { Ordering::Less } else { Ordering::Equal })
    }
}

/// Sorts pairs by their keys.
pub(super) fn sort(pairs: &mut [Pair]) {
    let plain = |value: &Value| rank(value) == 1 || rank(value) == 3;
    // From a hundred on Lua's choice of a pivot depends on the clock.
    if pairs.len() > 100 || pairs.iter().all(|(key, _)| plain(key)) {
        pairs.sort_by(|a, b| match (before(a, b), before(b, a)) {
            (true, _) => Ordering::Less,
            (_, true) => Ordering::Greater,
            _ => Ordering::Equal,
        });
    } else {
        quicksort(pairs);
    }
}

/// The quicksort of Lua's library: median of three, the pivot last but one.
fn quicksort(mut pairs: &mut [Pair]) {
    while pairs.len() > 1 {
        let last = pairs.len() - 1;
        if before(&pairs[last], &pairs[0]) {
            pairs.swap(0, last);
        }
        if last == 1 {
            return;
        }
        // Lua counts from 1, so its middle is this one whatever the offset.
        let middle = last / 2;
        if before(&pairs[middle], &pairs[0]) {
            pairs.swap(middle, 0);
        } else if before(&pairs[last], &pairs[middle]) {
            pairs.swap(middle, last);
        }
        if last == 2 {
            return;
        }
        pairs.swap(middle, last - 1);
        let pivot = pairs[last - 1].clone();
        let (mut low, mut high) = (0, last - 1);
        loop {
            low += 1;
            while low < last - 1 && before(&pairs[low], &pivot) {
                low += 1;
            }
            high -= 1;
            while high > 0 && before(&pivot, &pairs[high]) {
                high -= 1;
            }
            if high < low {
                break;
            }
            pairs.swap(low, high);
        }
        pairs.swap(last - 1, low);
        let (left, right) = pairs.split_at_mut(low);
        quicksort(left);
        pairs = &mut right[1..];
    }
}
