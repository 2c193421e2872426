//! From values to lines of text.

use std::rc::Rc;

use mlua::{Function, Lua, MultiValue, Table, Value};

use super::LONGEST;
use super::options::Options;
use super::scalar;
use super::session::Session;
use super::table::{self, Shape};

/// Tables within tables that are shown, whatever the options say.
const DEEPEST_VALUE: u32 = 10_000;

type Text = Vec<u8>;

/// Shows the values of one view.
pub(super) struct Printer<'a> {
    lua: &'a Lua,
    session: &'a Rc<Session>,
}

impl<'a> Printer<'a> {
    pub(super) fn new(lua: &'a Lua, session: &'a Rc<Session>) -> Self {
        Printer { lua, session }
    }

    /// The text of a value at this column. `colon` says whether a string is to have a colon where
    /// that is possible; the options say so otherwise.
    pub(super) fn show(
        &self,
        value: &Value,
        options: &Options,
        indent: usize,
        colon: Option<bool>,
    ) -> mlua::Result<Text> {
        self.session.spend(1)?;
        let processed = match &options.preprocess.now {
            Some(preprocess) => preprocess.call((value, options.to_table(self.lua)?))?,
            None => value.clone(),
        };
        let text = match &processed {
            Value::Table(table) => {
                let show = || self.table(table, options, indent, colon);
                stacker::maybe_grow(64 << 10, 1 << 20, show)?
            }
            Value::Number(number) => scalar::float(*number).into_bytes(),
            Value::String(text) => {
                let text = text.as_bytes();
                if colon.unwrap_or(options.prefer_colon.now) && scalar::has_colon_form(&text) {
                    [b":", &*text].concat()
                } else {
                    scalar::quoted(self.lua, &text, options, indent)?
                }
            }
            Value::Nil => b"nil".to_vec(),
            Value::Boolean(_) | Value::Integer(_) => processed.to_string()?.into_bytes(),
            other => match self.metamethod(other, options)? {
                Some(method) => self.custom(other, &method, options, indent, colon)?,
                None => format!("#<{}>", other.to_string()?).into_bytes(),
            },
        };
        self.written(text)
    }

    fn written(&self, text: Text) -> mlua::Result<Text> {
        self.session.spend(text.len())?;
        match text.len() <= LONGEST {
            true => Ok(text),
            false => Err(mlua::Error::runtime("the value is too large to be shown")),
        }
    }

    fn metamethod(&self, value: &Value, options: &Options) -> mlua::Result<Option<Function>> {
        if !options.metamethod.now {
            return Ok(None);
        }
        let found = match value {
            Value::UserData(data) => match data.metatable() {
                Ok(metatable) => metatable.get::<Value>("__fennelview").unwrap_or(Value::Nil),
                Err(_) => Value::Nil,
            },
            _ => match table::metatable(value) {
                Some(metatable) => metatable.get::<Value>("__fennelview")?,
                None => Value::Nil,
            },
        };
        match found {
            Value::Function(method) => Ok(Some(method)),
            Value::Nil | Value::Boolean(false) => Ok(None),
            other => {
                let words = format!("attempt to call a {} value (__fennelview)", other.type_name());
                Err(mlua::Error::runtime(words))
            }
        }
    }

    /// What a `__fennelview` makes of its value.
    fn custom(
        &self,
        value: &Value,
        method: &Function,
        options: &Options,
        indent: usize,
        colon: Option<bool>,
    ) -> mlua::Result<Text> {
        let inside = options.inside();
        if is_too_deep(&inside, options) {
            let empty = options.empty_as_sequence.now;
            return Ok(if empty { "[...]" } else { "{...}" }.into());
        }
        let inside = inside.to_table(self.lua)?;
        let printer = self.callback()?;
        let visible_cycle = match options.detect_cycles.now {
            true => self.cycle_callback()?,
            false => self.lua.create_function(|_, _: Value| Ok(false))?,
        };
        inside.raw_set("visible-cycle?", visible_cycle)?;
        let made: MultiValue = method.call((value, printer, inside, indent, colon))?;
        let mut made = made.into_iter();
        match made.next() {
            Some(Value::String(text)) => Ok(text.as_bytes().to_vec()),
            Some(Value::Table(lines)) => {
                let mut texts = Vec::new();
                for line in lines.sequence_values::<Value>() {
                    match line? {
                        Value::String(line) => texts.push(line.as_bytes().to_vec()),
                        other => {
                            return Err(mlua::Error::runtime(format!(
                                "a line of __fennelview is a {}",
                                other.type_name()
                            )));
                        }
                    }
                }
                let forced =
                    !matches!(made.next(), None | Some(Value::Nil | Value::Boolean(false)));
                let layout = if forced { Layout::Lines } else { Layout::Fitting };
                self.join(texts, options, indent, layout)
            }
            _ => Err(mlua::Error::runtime("__fennelview metamethod must return a table of lines")),
        }
    }

    /// The function by which a `__fennelview` shows parts of its value.
    fn callback(&self) -> mlua::Result<Function> {
        if let Some(function) = &*self.session.printer.borrow() {
            return Ok(function.clone());
        }
        let session = Rc::downgrade(self.session);
        type Arguments = (Value, Option<Table>, Option<usize>, Option<bool>);
        let function = self.lua.create_function(move |lua, all: Arguments| {
            let (value, given, indent, colon) = all;
            let (options, known) = match &given {
                Some(given) => (Options::read(given)?, given.contains_key("level")?),
                None => (Options::default(), false),
            };
            let session = match session.upgrade().filter(|_| known) {
                Some(session) => session,
                None => Session::new(&value)?,
            };
            let text =
                Printer::new(lua, &session).show(&value, &options, indent.unwrap_or(0), colon)?;
            lua.create_string(text)
        })?;
        self.session.printer.replace(Some(function.clone()));
        Ok(function)
    }

    fn cycle_callback(&self) -> mlua::Result<Function> {
        if let Some(function) = &*self.session.visible_cycle.borrow() {
            return Ok(function.clone());
        }
        let session = Rc::downgrade(self.session);
        let function =
            self.lua.create_function(move |_, table: Table| match session.upgrade() {
                Some(session) => session.visible_cycle(&table),
                None => Ok(false),
            })?;
        self.session.visible_cycle.replace(Some(function.clone()));
        Ok(function)
    }

    fn table(
        &self,
        table: &Table,
        options: &Options,
        indent: usize,
        colon: Option<bool>,
    ) -> mlua::Result<Text> {
        let value = Value::Table(table.clone());
        if let Some(method) = self.metamethod(&value, options)? {
            return self.custom(&value, &method, options, indent, colon);
        }
        let inside = options.inside();
        let shape =
            table::shape(table, options.max_sparse_gap.now, |units| self.session.spend(units))?;
        let empty = match &shape {
            Shape::Sequence(values) => values.is_empty(),
            Shape::Pairs(pairs) => pairs.is_empty(),
        };
        if empty {
            return Ok(if options.empty_as_sequence.now { "[]" } else { "{}" }.into());
        }
        let (open, close) = match &shape {
            Shape::Sequence(_) => ('[', ']'),
            Shape::Pairs(_) => ('{', '}'),
        };
        if is_too_deep(&inside, options) {
            return Ok(format!("{open}...{close}").into_bytes());
        }
        if let Some(number) = self.session.number(table).filter(|_| options.detect_cycles.now) {
            return Ok(format!("@{number}{open}...{close}").into_bytes());
        }
        let mut head = String::new();
        if options.detect_cycles.now && self.session.visible_cycle(table)? {
            let number = self.session.number(table).unwrap_or_default();
            head = format!("@{number}");
        }
        head.push(open);
        let column = indent + head.len();
        let (mut lines, layout) = match shape {
            Shape::Sequence(values) => {
                let lines = values.iter().map(|value| self.show(value, &inside, column, None));
                (lines.collect::<mlua::Result<Vec<_>>>()?, Layout::Fitting)
            }
            Shape::Pairs(pairs) => self.pairs(&pairs, options, &inside, column)?,
        };
        if let Some(first) = lines.first_mut() {
            first.splice(0..0, head.bytes());
        }
        if let Some(last) = lines.last_mut() {
            last.push(close as u8);
        }
        self.join(lines, options, column, layout)
    }

    /// A line for each pair, or, if one of them needs several lines, a line for each part.
    fn pairs(
        &self,
        pairs: &[(Value, Value)],
        options: &Options,
        inside: &Options,
        column: usize,
    ) -> mlua::Result<(Vec<Text>, Layout)> {
        let mut shown = Vec::with_capacity(pairs.len());
        let mut apart = false;
        for (key, value) in pairs {
            let key = self.show(key, inside, column + 1, Some(true))?;
            let value = self.show(value, inside, column, None)?;
            apart = apart
                || key.contains(&b'\n')
                || value.contains(&b'\n')
                || (key.len() + 1 + value.len()) as f64 > inside.line_length.now;
            shown.push((key, value));
        }
        Ok(match apart && !options.one_line.now {
            true => {
                (shown.into_iter().flat_map(|(key, value)| [key, value]).collect(), Layout::Lines)
            }
            false => {
                let pairs = shown.into_iter().map(|(key, value)| [key, value].join(&b' '));
                (pairs.collect(), Layout::Fitting)
            }
        })
    }

    /// Lines as one, if that is short enough, or below one another.
    fn join(
        &self,
        lines: Vec<Text>,
        options: &Options,
        column: usize,
        layout: Layout,
    ) -> mlua::Result<Text> {
        if lines.is_empty() {
            return Ok(if options.empty_as_sequence.now { "[]" } else { "{}" }.into());
        }
        let length: usize = lines.iter().map(|line| line.len() + 1).sum();
        self.session.spend(2 * length + lines.len() * column)?;
        let stripped: Vec<&[u8]> = lines.iter().map(|line| line.trim_ascii_start()).collect();
        let one = stripped.join(&b' ');
        let fits = matches!(layout, Layout::Fitting)
            && !one.contains(&b'\n')
            && (column + one.len()) as f64 <= options.line_length.now;
        if options.one_line.now || fits {
            return self.written(one);
        }
        let mut between = vec![b'\n'];
        between.resize(1 + column, b' ');
        self.written(lines.join(&between[..]))
    }
}

fn is_too_deep(inside: &Options, options: &Options) -> bool {
    f64::from(inside.level) >= options.depth.now || inside.level > DEEPEST_VALUE
}

/// How lines are put together.
enum Layout {
    /// As one line if it fits.
    Fitting,
    /// Each for itself.
    Lines,
}
