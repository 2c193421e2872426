//! From the values that a macro returns to forms.
//!
//! Nothing here runs code of the macro: tables are read without their metamethods.

use std::cmp::Ordering;
use std::ffi::c_void;

use mlua::{Table, Value};
use rustc_hash::FxHashMap;

use super::{Forms, MAX_DEPTH, MAX_FORMS, Origin, unpacked};
use crate::diagnostic::{Compiled, Fault};
use crate::form::{Form, Kind, Symbol};
use crate::source::Span;

/// A value being read.
struct Reading<'a> {
    forms: &'a Forms,
    origin: Origin<'a>,
    depth: u32,
    left: usize,
}

impl Forms {
    /// The form that a value stands for. What has no place of its own gets that of the call.
    pub(crate) fn form_of(&self, value: &Value, origin: Origin<'_>) -> Compiled<Form> {
        Reading { forms: self, origin, depth: 0, left: MAX_FORMS }.form(value)
    }
}

impl Reading<'_> {
    fn fault<T>(&self, message: impl Into<String>, help: &str) -> Compiled<T> {
        Err(Fault::new(self.origin.call, message).help(help))
    }

    fn spend(&mut self, forms: usize) -> Compiled<()> {
        match self.left.checked_sub(forms) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => self.fault(
                format!("the macro returned more than {MAX_FORMS} forms"),
                "emit a loop, or code that reads its data from a file",
            ),
        }
    }

    fn form(&mut self, value: &Value) -> Compiled<Form> {
        self.spend(1)?;
        let kind = match value {
            Value::Nil => Kind::Nil,
            Value::Boolean(value) => Kind::Bool(*value),
            Value::Integer(number) => Kind::Integer(*number),
            Value::Number(number) => Kind::Float(*number),
            Value::String(text) => Kind::Str((*text.as_bytes()).into()),
            Value::Table(table) => return self.deeper(table),
            other => {
                let what = match other {
                    Value::Function(_) => "a function",
                    Value::Thread(_) => "a coroutine",
                    _ => "a value of the host",
                };
                return self.fault(
                    format!("the macro returned {what}, which is no code"),
                    "return a list, a table, a symbol, a string, a number or a boolean",
                );
            }
        };
        Ok(Form::new(kind, self.origin.call))
    }

    fn deeper(&mut self, table: &Table) -> Compiled<Form> {
        if self.depth >= MAX_DEPTH {
            return self.fault(
                format!("the macro returned code that nests deeper than {MAX_DEPTH}"),
                "look for a list or a table that contains itself",
            );
        }
        self.depth += 1;
        let form = stacker::maybe_grow(64 << 10, 1 << 20, || self.table(table))?;
        self.depth -= 1;
        Ok(form)
    }

    fn table(&mut self, table: &Table) -> Compiled<Form> {
        let forms = self.forms;
        let Some(mark) = table.metatable() else {
            return self.plain(table, None, self.origin.call);
        };
        if mark == forms.symbol {
            return self.symbol(table);
        } else if mark == forms.list {
            let span = forms.span_in(table, self.origin);
            let Some(last) = self.entries(table)?.last_index else {
                return self.fault(
                    "the macro returned a list with a gap too large to fill with nil",
                    "set the parts of a list in order",
                );
            };
            return Ok(Form::new(Kind::List(self.filled(table, last)?.into()), span));
        } else if mark == forms.vararg {
            return Ok(Form::new(Kind::Varg, forms.span_in(table, self.origin)));
        }
        let span = forms.span_in(&mark, self.origin);
        self.plain(table, Some(&mark), span)
    }

    fn symbol(&self, table: &Table) -> Compiled<Form> {
        let span = self.forms.span_in(table, self.origin);
        let name = match table.raw_get::<Value>(1) {
            Ok(Value::String(name)) => name.to_str().map(|name| name.to_string()).ok(),
            _ => None,
        };
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            return self.fault(
                "the macro returned a symbol whose name is no text",
                "give `sym` a name in UTF-8 that is not empty",
            );
        };
        if !crate::compile::is_symbol_name(&name) {
            return self.fault(
                format!("the macro returned the symbol {name}, whose name holds a ~"),
                "make names of your own with gensym",
            );
        }
        let quoted = match table.raw_get::<Value>(&self.forms.fields.quoted) {
            Ok(Value::Integer(place)) => Some(unpacked(place, name.len(), self.origin)),
            _ => None,
        };
        let kind = match &*name {
            "nil" => Kind::Nil,
            "..." => Kind::Varg,
            _ => Kind::Symbol(Symbol { name: name.into(), quoted }),
        };
        Ok(Form::new(kind, span))
    }

    /// A table that is no list: a sequence if it is marked so or has no key but 1, 2, 3, …
    fn plain(&mut self, table: &Table, mark: Option<&Table>, span: Span) -> Compiled<Form> {
        let fields = &self.forms.fields;
        let field = |name| match mark.map(|mark| mark.raw_get::<Value>(name)) {
            Some(Ok(Value::Table(found))) => Some(found),
            _ => None,
        };
        let sequence = field(&fields.sequence).is_some_and(|found| found == self.forms.sequence);
        let order = field(&fields.keys);
        let entries = self.entries(table)?;
        if let Some(last) = entries.last_index
            && entries.indices_only
            && order.is_none()
            && (sequence || last == entries.all.len())
        {
            return Ok(Form::new(Kind::Sequence(self.filled(table, last)?.into()), span));
        }
        let places = order.map(|order| places(&order)).unwrap_or_default();
        let mut read = Vec::with_capacity(entries.all.len());
        for (key, value) in entries.all {
            let place = places.get(&KeyId::of(&key)).copied().unwrap_or(usize::MAX);
            read.push((place, self.form(&key)?, self.form(&value)?));
        }
        read.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| by_value(&a.1, &b.1)));
        let entries: Vec<_> = read.into_iter().map(|(_, key, value)| (key, value)).collect();
        Ok(Form::new(Kind::Table(entries.into()), span))
    }

    /// What a table holds. No metamethod runs.
    fn entries(&mut self, table: &Table) -> Compiled<Entries> {
        let mut all = Vec::new();
        let (mut last, mut indices_only) = (0, true);
        for pair in table.pairs::<Value, Value>() {
            let Ok((key, value)) = pair else {
                return self.fault("a table that the macro returned cannot be read", "");
            };
            self.spend(1)?;
            match key {
                Value::Integer(index) if index > 0 => {
                    last = last.max(usize::try_from(index).unwrap_or(usize::MAX));
                }
                _ => indices_only = false,
            }
            all.push((key, value));
        }
        let last_index = (last <= 2 * all.len() + MAX_GAP).then_some(last);
        Ok(Entries { all, last_index, indices_only })
    }

    /// The parts 1 to `last`, with nil where there is none.
    fn filled(&mut self, table: &Table, last: usize) -> Compiled<Vec<Form>> {
        (1..=last).map(|index| self.form(&table.raw_get(index).unwrap_or(Value::Nil))).collect()
    }
}

/// How many parts may be missing from a list beyond as many as it has.
const MAX_GAP: usize = 1_000;

/// What a table holds.
struct Entries {
    all: Vec<(Value, Value)>,
    /// The highest index, 0 for none; nothing where the gaps are too large to fill.
    last_index: Option<usize>,
    /// Whether all keys are whole numbers from 1.
    indices_only: bool,
}

/// A key, as Lua tells keys apart.
#[derive(PartialEq, Eq, Hash)]
enum KeyId {
    Integer(i64),
    Float(u64),
    Bool(bool),
    Text(Vec<u8>),
    Object(*const c_void),
}

impl KeyId {
    fn of(key: &Value) -> Self {
        match key {
            Value::Integer(number) => KeyId::Integer(*number),
            Value::Number(number) => KeyId::Float(number.to_bits()),
            Value::Boolean(value) => KeyId::Bool(*value),
            Value::String(text) => KeyId::Text(text.as_bytes().to_vec()),
            other => KeyId::Object(other.to_pointer()),
        }
    }
}

/// Where each key stood in the source.
fn places(order: &Table) -> FxHashMap<KeyId, usize> {
    let keys = order.sequence_values::<Value>().map_while(Result::ok).take(MAX_FORMS);
    keys.enumerate().map(|(place, key)| (KeyId::of(&key), place)).collect()
}

/// The order of keys that stood in no source: numbers, booleans, strings, then the others.
fn by_value(a: &Form, b: &Form) -> Ordering {
    let number = |kind: &Kind| match kind {
        Kind::Integer(number) => Some(*number as f64),
        Kind::Float(number) => Some(*number),
        _ => None,
    };
    let rank = |kind: &Kind| match kind {
        Kind::Integer(_) | Kind::Float(_) => 0,
        Kind::Bool(_) => 1,
        Kind::Str(_) => 2,
        Kind::Symbol(_) => 3,
        _ => 4,
    };
    match (&a.kind, &b.kind) {
        (Kind::Integer(a), Kind::Integer(b)) => a.cmp(b),
        (Kind::Bool(a), Kind::Bool(b)) => a.cmp(b),
        (Kind::Str(a), Kind::Str(b)) => a.cmp(b),
        (Kind::Symbol(a), Kind::Symbol(b)) => a.name.cmp(&b.name),
        (x, y) => match (number(x), number(y)) {
            (Some(x), Some(y)) => x.total_cmp(&y),
            _ if rank(x) == rank(y) => format!("{x:?}").cmp(&format!("{y:?}")),
            _ => rank(x).cmp(&rank(y)),
        },
    }
}
