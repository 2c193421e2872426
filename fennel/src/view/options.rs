//! The options of a view.

use mlua::{Function, Lua, Table, Value};

/// An option: its value now, and the one for what is inside. They differ where an option was given
/// as `{:once now :after later}`.
#[derive(Debug, Clone)]
pub(super) struct Setting<T> {
    pub(super) now: T,
    later: T,
}

impl<T: Clone> Setting<T> {
    fn new(value: T) -> Self {
        Setting { now: value.clone(), later: value }
    }

    fn inside(&self) -> Self {
        Setting::new(self.later.clone())
    }
}

/// The options, each by its name.
#[derive(Debug, Clone)]
pub(super) struct Options {
    pub(super) one_line: Setting<bool>,
    pub(super) depth: Setting<f64>,
    pub(super) detect_cycles: Setting<bool>,
    pub(super) metamethod: Setting<bool>,
    pub(super) empty_as_sequence: Setting<bool>,
    pub(super) line_length: Setting<f64>,
    pub(super) byte_escape: Setting<Option<Function>>,
    pub(super) escape_newlines: Setting<bool>,
    pub(super) prefer_colon: Setting<bool>,
    pub(super) utf8: Setting<bool>,
    pub(super) max_sparse_gap: Setting<f64>,
    pub(super) preprocess: Setting<Option<Function>>,
    /// How many tables are around the value.
    pub(super) level: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            one_line: Setting::new(false),
            depth: Setting::new(128.0),
            detect_cycles: Setting::new(true),
            metamethod: Setting::new(true),
            empty_as_sequence: Setting::new(false),
            line_length: Setting::new(80.0),
            byte_escape: Setting::new(None),
            escape_newlines: Setting::new(false),
            prefer_colon: Setting::new(false),
            utf8: Setting::new(true),
            max_sparse_gap: Setting::new(1.0),
            preprocess: Setting::new(None),
            level: 0,
        }
    }
}

type Read<T> = fn(&str, &Value) -> mlua::Result<T>;

fn truth(_: &str, value: &Value) -> mlua::Result<bool> {
    Ok(!matches!(value, Value::Nil | Value::Boolean(false)))
}

fn number(name: &str, value: &Value) -> mlua::Result<f64> {
    match value {
        Value::Integer(number) => Ok(*number as f64),
        Value::Number(number) => Ok(*number),
        other => Err(mlua::Error::runtime(format!(
            "the option {name} must be a number, not a {}",
            other.type_name()
        ))),
    }
}

fn whole(name: &str, value: &Value) -> mlua::Result<f64> {
    match number(name, value) {
        Ok(number) if number.fract() == 0.0 => Ok(number),
        _ => {
            let got = value.to_string().unwrap_or_default();
            Err(mlua::Error::runtime(format!("{name} must be an integer: got '{got}'")))
        }
    }
}

fn callback(name: &str, value: &Value) -> mlua::Result<Option<Function>> {
    match value {
        Value::Nil | Value::Boolean(false) => Ok(None),
        Value::Function(function) => Ok(Some(function.clone())),
        other => Err(mlua::Error::runtime(format!(
            "the option {name} must be a function, not a {}",
            other.type_name()
        ))),
    }
}

impl<T: Clone> Setting<T> {
    /// Takes what the table says under this name, if it says anything.
    fn take(&mut self, given: &Table, name: &str, read: Read<T>) -> mlua::Result<()> {
        match given.raw_get::<Value>(name)? {
            Value::Nil => Ok(()),
            Value::Table(steps) => {
                let default = self.later.clone();
                match steps.raw_get::<Value>("once")? {
                    // No `once`: a table stands for true where any value does.
                    Value::Nil => *self = Setting::new(read(name, &Value::Table(steps))?),
                    once => {
                        let later = match steps.raw_get::<Value>("after")? {
                            Value::Nil | Value::Table(_) => default,
                            after => read(name, &after)?,
                        };
                        *self = Setting { now: read(name, &once)?, later };
                    }
                }
                Ok(())
            }
            value => {
                *self = Setting::new(read(name, &value)?);
                Ok(())
            }
        }
    }
}

impl Options {
    /// The options that a table gives; the others have their defaults.
    pub(super) fn read(given: &Table) -> mlua::Result<Self> {
        let mut options = Options::default();
        options.one_line.take(given, "one-line?", truth)?;
        options.depth.take(given, "depth", number)?;
        options.detect_cycles.take(given, "detect-cycles?", truth)?;
        options.metamethod.take(given, "metamethod?", truth)?;
        options.empty_as_sequence.take(given, "empty-as-sequence?", truth)?;
        options.line_length.take(given, "line-length", number)?;
        options.byte_escape.take(given, "byte-escape", callback)?;
        options.escape_newlines.take(given, "escape-newlines?", truth)?;
        options.prefer_colon.take(given, "prefer-colon?", truth)?;
        options.utf8.take(given, "utf8?", truth)?;
        options.max_sparse_gap.take(given, "max-sparse-gap", whole)?;
        options.preprocess.take(given, "preprocess", callback)?;
        if let Value::Integer(level) = given.raw_get::<Value>("level")? {
            options.level = u32::try_from(level).unwrap_or(0);
        }
        Ok(options)
    }

    /// The options of what is inside a table that has these.
    pub(super) fn inside(&self) -> Self {
        Options {
            one_line: self.one_line.inside(),
            depth: self.depth.inside(),
            detect_cycles: self.detect_cycles.inside(),
            metamethod: self.metamethod.inside(),
            empty_as_sequence: self.empty_as_sequence.inside(),
            line_length: self.line_length.inside(),
            byte_escape: self.byte_escape.inside(),
            escape_newlines: self.escape_newlines.inside(),
            prefer_colon: self.prefer_colon.inside(),
            utf8: self.utf8.inside(),
            max_sparse_gap: self.max_sparse_gap.inside(),
            preprocess: self.preprocess.inside(),
            level: self.level + 1,
        }
    }

    /// The options for a callback.
    pub(super) fn to_table(&self, lua: &Lua) -> mlua::Result<Table> {
        let table = lua.create_table_with_capacity(0, 14)?;
        table.raw_set("one-line?", self.one_line.now)?;
        table.raw_set("depth", plain(self.depth.now))?;
        table.raw_set("detect-cycles?", self.detect_cycles.now)?;
        table.raw_set("metamethod?", self.metamethod.now)?;
        table.raw_set("empty-as-sequence?", self.empty_as_sequence.now)?;
        table.raw_set("line-length", plain(self.line_length.now))?;
        table.raw_set("byte-escape", self.byte_escape.now.clone())?;
        table.raw_set("escape-newlines?", self.escape_newlines.now)?;
        table.raw_set("prefer-colon?", self.prefer_colon.now)?;
        table.raw_set("utf8?", self.utf8.now)?;
        table.raw_set("max-sparse-gap", plain(self.max_sparse_gap.now))?;
        table.raw_set("preprocess", self.preprocess.now.clone())?;
        table.raw_set("level", self.level)?;
        Ok(table)
    }
}

/// A whole number as an integer of Lua, as it was most likely given.
fn plain(number: f64) -> Value {
    match number.fract() == 0.0 && number.abs() < 1e15 {
        true => Value::Integer(number as i64),
        false => Value::Number(number),
    }
}
