//! Lua to JSON.

use std::rc::Rc;

use mlua::{Table, Value};
use serde_json::{Map, Number, Value as Json};

use super::json_module::Marker;
use super::lazy_list::LazyList;
use super::lazy_record::LazyRecord;
use super::{MAX_DEPTH, Problem, ValueError};

/// What is declared about a value; it decides what an empty table is.
#[derive(Debug, Clone, Default)]
pub enum Shape {
    /// Nothing.
    #[default]
    Any,
    /// An array of values of this shape.
    Array(Rc<Shape>),
    /// An object whose values all have this shape.
    Map(Rc<Shape>),
    /// An object with these fields; others have no declared shape.
    Record(Rc<Vec<(String, Shape)>>),
}

impl Shape {
    fn field(&self, name: &str) -> &Shape {
        match self {
            Shape::Map(shape) => shape,
            Shape::Record(fields) => fields
                .iter()
                .find_map(|(known, shape)| (known == name).then_some(shape))
                .unwrap_or(&Shape::Any),
            Shape::Any | Shape::Array(_) => &Shape::Any,
        }
    }

    fn element(&self) -> &Shape {
        match self {
            Shape::Array(shape) => shape,
            _ => &Shape::Any,
        }
    }
}

/// What happens to strings that are not UTF-8.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Text {
    /// Each bad piece becomes U+FFFD.
    #[default]
    Replace,
    /// They are an error.
    Strict,
}

/// Bounds and rules of one conversion.
#[derive(Debug, Clone)]
pub struct ToJson {
    /// Levels of nesting.
    pub max_depth: usize,
    /// Values in total, containers included.
    pub max_nodes: usize,
    /// Bytes of text in total, keys included.
    pub max_bytes: usize,
    /// Strings that are not UTF-8.
    pub text: Text,
    /// What is declared about the value.
    pub shape: Shape,
}

impl Default for ToJson {
    fn default() -> Self {
        ToJson {
            max_depth: MAX_DEPTH,
            max_nodes: 1_000_000,
            max_bytes: 16 << 20,
            text: Text::Replace,
            shape: Shape::Any,
        }
    }
}

/// The JSON of a Lua value.
///
/// # Errors
/// What cannot be JSON, with its path; see [`Problem`].
pub fn to_json(value: &Value, rules: &ToJson) -> Result<Json, ValueError> {
    let mut work = Work { rules, nodes: 0, bytes: 0, open: Vec::new(), path: Vec::new() };
    work.value(value, &rules.shape).map_err(|problem| ValueError { path: work.words(), problem })
}

enum Step {
    Name(String),
    Index(usize),
}

struct Work<'r> {
    rules: &'r ToJson,
    nodes: usize,
    bytes: usize,
    /// The tables that contain the value at hand.
    open: Vec<usize>,
    path: Vec<Step>,
}

impl Work<'_> {
    fn words(&self) -> String {
        let mut words = String::new();
        for step in &self.path {
            match step {
                Step::Name(name) if words.is_empty() => words.push_str(name),
                Step::Name(name) => words.push_str(&format!(".{name}")),
                Step::Index(index) => words.push_str(&format!("[{index}]")),
            }
        }
        words
    }

    fn value(&mut self, value: &Value, shape: &Shape) -> Result<Json, Problem> {
        self.nodes += 1;
        if self.nodes > self.rules.max_nodes {
            return Err(Problem::TooLarge(format!("{} values", self.rules.max_nodes)));
        }
        Ok(match value {
            Value::Nil => Json::Null,
            Value::LightUserData(light) if light.0.is_null() => Json::Null,
            Value::Boolean(flag) => Json::Bool(*flag),
            Value::Integer(integer) => Json::Number((*integer).into()),
            Value::Number(float) => Json::Number(number(*float)?),
            Value::String(text) => Json::String(self.text(text)?),
            Value::Table(table) => return self.table(table, shape),
            Value::UserData(data) => {
                if let Ok(list) = data.borrow::<LazyList>() {
                    return self.list(&list, shape.element());
                }
                let record = data.borrow::<LazyRecord>();
                return record.map(|one| one.json()).map_err(|_| Problem::NotData("userdata"));
            }
            other => return Err(Problem::NotData(other.type_name())),
        })
    }

    fn text(&mut self, text: &mlua::LuaString) -> Result<String, Problem> {
        let bytes = text.as_bytes();
        self.bytes += bytes.len();
        if self.bytes > self.rules.max_bytes {
            return Err(Problem::TooLarge(format!("{} bytes of text", self.rules.max_bytes)));
        }
        match (std::str::from_utf8(&bytes), self.rules.text) {
            (Ok(text), _) => Ok(text.to_owned()),
            (Err(_), Text::Replace) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            (Err(_), Text::Strict) => Err(Problem::NotUtf8),
        }
    }

    fn table(&mut self, table: &Table, shape: &Shape) -> Result<Json, Problem> {
        let identity = table.to_pointer() as usize;
        if self.open.contains(&identity) {
            return Err(Problem::Cycle);
        }
        if self.open.len() >= self.rules.max_depth {
            return Err(Problem::TooDeep(self.rules.max_depth));
        }
        self.open.push(identity);
        let json = match Marker::of(table) {
            Some(Marker::Array) => self.array(table, shape.element())?,
            Some(Marker::Object) => self.object(table, shape)?,
            None => match table.raw_len() {
                0 if matches!(shape, Shape::Array(_)) => self.array(table, shape.element())?,
                0 => self.object(table, shape)?,
                _ => self.array(table, shape.element())?,
            },
        };
        self.open.pop();
        Ok(json)
    }

    fn inside(&mut self, step: Step, value: &Value, shape: &Shape) -> Result<Json, Problem> {
        self.path.push(step);
        let json = self.value(value, shape)?;
        self.path.pop();
        Ok(json)
    }

    fn array(&mut self, table: &Table, shape: &Shape) -> Result<Json, Problem> {
        let length = table.raw_len();
        let mut found = 0;
        each(table, |key, _| match key {
            Value::Integer(index)
                if usize::try_from(index).is_ok_and(|i| (1..=length).contains(&i)) =>
            {
                found += 1;
                Ok(())
            }
            other => Err(Problem::MixedKeys(format!(
                "it has {length} elements and {}",
                key_words(&other)
            ))),
        })?;
        if found != length {
            return Err(Problem::MixedKeys(format!(
                "{} of {length} elements are nil",
                length - found
            )));
        }
        let mut elements = Vec::with_capacity(length.min(1_024));
        for index in 1..=length {
            let element = table.raw_get::<Value>(index).map_err(lua_problem)?;
            elements.push(self.inside(Step::Index(index), &element, shape)?);
        }
        Ok(Json::Array(elements))
    }

    fn object(&mut self, table: &Table, shape: &Shape) -> Result<Json, Problem> {
        let mut map = Map::new();
        each(table, |key, value| {
            let Value::String(key) = key else {
                return Err(Problem::MixedKeys(format!("it has {}", key_words(&key))));
            };
            let name = self.text(&key)?;
            let json = self.inside(Step::Name(name.clone()), &value, shape.field(&name))?;
            map.insert(name, json);
            Ok(())
        })?;
        // Lua has no order of its own, and one that differs from load to load would spoil the
        // model services' caches.
        map.sort_keys();
        Ok(Json::Object(map))
    }

    fn list(&mut self, list: &LazyList, shape: &Shape) -> Result<Json, Problem> {
        if self.open.len() >= self.rules.max_depth {
            return Err(Problem::TooDeep(self.rules.max_depth));
        }
        self.open.push(0);
        let mut elements = Vec::new();
        for index in 1..=list.len() {
            let element = list.element(index).map_err(lua_problem)?;
            elements.push(self.inside(Step::Index(index), &element, shape)?);
        }
        self.open.pop();
        Ok(Json::Array(elements))
    }
}

/// Visits all pairs, without metamethods.
fn each(
    table: &Table,
    mut visit: impl FnMut(Value, Value) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let mut problem = None;
    let visited = table.for_each(|key: Value, value: Value| {
        visit(key, value).map_err(|found| {
            problem = Some(found);
            mlua::Error::runtime("stop")
        })
    });
    match problem {
        Some(problem) => Err(problem),
        None => visited.map_err(lua_problem),
    }
}

fn lua_problem(error: mlua::Error) -> Problem {
    Problem::Lua(crate::vm::HostError::from(error).to_string())
}

fn key_words(key: &Value) -> String {
    match key {
        Value::String(name) => format!("the key '{}'", name.to_string_lossy()),
        Value::Integer(index) => format!("the key {index}"),
        Value::Number(float) => format!("the key {float}"),
        other => format!("a {} as a key", other.type_name()),
    }
}

fn number(float: f64) -> Result<Number, Problem> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if float.fract() == 0.0 && float.abs() <= EXACT && !(float == 0.0 && float.is_sign_negative()) {
        // Within 2^53 every whole float is exactly an i64.
        #[expect(
            clippy::cast_possible_truncation,
            reason = "checked to be whole and within 2^53"
        )]
        return Ok((float as i64).into());
    }
    Number::from_f64(float).ok_or_else(|| Problem::NotFinite(float.to_string()))
}
